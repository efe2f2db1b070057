"""Texts for the checker from a running service: releases of every mechanism with their evidence, and ledgers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.harness.bodies import budget_body, querying, registration

if TYPE_CHECKING:
    from tests.harness.server import Party, Server

ATTRIBUTES: Final = [{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["yes", "no", "unknown"]}]
ZCDP: Final = {"accountant": "zcdp", "name": "Many looks", "epsilon": "3", "delta": "1e-5", "delta_conversion": "9e-6"}
OF_PUBLIC_SIZE: Final[list[dict[str, Any]]] = [
    {"kind": "simplex_geometric", "epsilon": "0.1"},
    {"kind": "laplace", "epsilon": "0.0701"},
    {"kind": "gaussian", "rho": "0.001", "delta": "1e-7"},
    {"kind": "exponential", "calibration": "proven", "epsilon": "0.1", "delta": "1e-7"},
    {"kind": "exponential_published", "nominal_epsilon": "0.1", "delta": "1e-7"},
    {"kind": "exponential_global", "epsilon": "0.1", "delta": "1e-7"},
]
CERTIFIED: Final = {"kind": "exponential", "calibration": "certified", "epsilon": "0.1", "delta": "1e-7"}
OF_PRIVATE_SIZE: Final[list[dict[str, Any]]] = [
    {"kind": "geometric", "epsilon": "0.1"},
    {"kind": "laplace", "epsilon": "0.1"},
    {"kind": "gaussian", "rho": "0.001", "delta": "1e-7"},
]


@dataclass
class Texts:
    """The texts of one release, as they came."""

    release: str
    evidence: str
    signature: str
    public: str | None


@dataclass
class Story:
    """All that people can save at one service."""

    keys: str
    releases: dict[str, Texts] = field(default_factory=dict)
    ledgers: dict[str, str] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)


def tell(server: Server) -> Story:
    """Pay for releases of every mechanism, of public and private numbers of records, under both accountants."""
    owner, story = server.new("owner"), Story(server.http.get("/v1/public-key").text)
    _tell_public_story(story, owner, "basic", [19, 41], [*OF_PUBLIC_SIZE, CERTIFIED], one_record_per_unit=True)
    _tell_public_story(story, owner, "zcdp", [3, 4, 3], [*OF_PUBLIC_SIZE, CERTIFIED], records_per_unit=2)
    for records in (1, 3):
        budget = ZCDP | {"name": f"Visits {records}"} if records > 1 else budget_body()
        dataset = _register(owner, [9, 5, 0, 7], budget, n_is_public=False, records_per_unit=records)
        for mechanism in OF_PRIVATE_SIZE:
            name = f"private {mechanism['kind']} of {records}"
            _pay(story, owner, dataset, name, {"prior": [1] * 4, "mechanism": mechanism})
        weights = {"weights": [1, 0, -2.5, 3]}
        asked = querying(weights | _HALF_WIDTH, accountant=budget["accountant"])
        _pay(story, owner, dataset, f"private queries of {records}", asked)
        _end(story, owner, dataset, f"private of {records}")
    for accountant, amount in (("basic", {"epsilon": "0.2"}), ("zcdp", {"rho": "0.01", "delta": "1e-7"})):
        for public in (True, False):
            budget = ZCDP | {"name": f"Cross {public}"} if accountant == "zcdp" else budget_body()
            size = {"n_is_public": public, "records_per_unit": 2, "labels": None, "attributes": ATTRIBUTES}
            dataset = _register(owner, [10, 20, 5, 9, 2, 4], budget, **size)
            name = f"{accountant} {'public' if public else 'private'}"
            query = {"of": {"where": {"sex": ["female"]}}}
            _pay(story, owner, dataset, f"queries {name}", querying(query | _HALF_WIDTH, accountant=accountant))
            _pay(story, owner, dataset, f"free queries {name}", {"queries": [query]})
            _pay(story, owner, dataset, f"margins {name}", {"all": 1} | amount)
            _end(story, owner, dataset, f"cross {name}")
    at_most_one = [{"a": ["yes"], "b": ["yes"]}, {"a": ["yes"], "c": ["yes"]}, {"b": ["yes"], "c": ["yes"]}]
    three = {"labels": None, "attributes": [{"name": name, "levels": ["no", "yes"]} for name in "abc"]}
    dataset = _register(owner, [10, 20, 5, 9], budget_body(), **three, impossible=at_most_one)
    _pay(story, owner, dataset, "margins of impossible pairs", {"all": 1, "epsilon": "0.2"})
    _pay(story, owner, dataset, "blocks of impossible pairs", {"all": 1, "epsilon": "0.2", "noise": "blocks"})
    merged = {"merged": [["no · no · no", "yes · no · no"]]}
    _pay(story, owner, dataset, "merged", {"prior": [1] * 4, "mechanism": OF_PUBLIC_SIZE[0]} | merged)
    _end(story, owner, dataset, "impossible pairs")
    former = server.new("owner")
    dataset = _register(former, [19, 41], budget_body())
    server.admin.delete(f"/v1/principals/{former.principal_id}")
    to = {"principal_id": owner.principal_id}
    moved = server.admin.request("PUT", f"/v1/budgets/{dataset['budget_id']}/owner", json=to)
    assert moved.status_code == 204, moved.text
    _pay(story, owner, dataset, "after a transfer", {"prior": [1, 1], "mechanism": OF_PUBLIC_SIZE[0]})
    _end(story, owner, dataset, "transferred")
    return story


_HALF_WIDTH: Final = {"half_width": 90}


def _tell_public_story(
    story: Story, owner: Party, accountant: str, counts: list[int], mechanisms: list[dict[str, Any]], **records: Any
) -> None:
    budget = ZCDP | {"name": "Public looks"} if accountant == "zcdp" else budget_body()
    dataset = _register(owner, counts, budget, **records)
    for mechanism in mechanisms:
        name = f"{mechanism['kind']} {mechanism.get('calibration', '')} {accountant}"
        _pay(story, owner, dataset, name, {"prior": [1, 0.5, 1][: len(counts)], "mechanism": mechanism})
    _end(story, owner, dataset, f"public {accountant}")


def _register(owner: Party, counts: list[int], budget: dict[str, Any], **changes: Any) -> dict[str, Any]:
    wanted = {"budget": {"kind": "new", "budget": budget}, "unit": "one child ✓", "labels": None} | changes
    if "attributes" not in changes:
        wanted["labels"] = ['ill, "so far" 😀', *(f"category {number}" for number in range(1, len(counts)))]
    if "records_per_unit" in changes:
        wanted["one_record_per_unit"] = None
    answer = owner.post("/v1/datasets", registration(counts, **wanted))
    assert answer.status_code == 201, answer.text
    dataset: dict[str, Any] = answer.json()
    return dataset


def _pay(story: Story, owner: Party, dataset: dict[str, Any], name: str, body: dict[str, Any]) -> None:
    paid = owner.post(f"/v1/datasets/{dataset['id']}/releases", body, idempotency_key=name.replace(" ", "-"))
    assert paid.status_code == 201, paid.text
    path = f"/v1/releases/{paid.json()['id']}"
    evidence, signature = (owner.get(f"{path}/{each}").text for each in ("evidence", "signature"))
    public = None
    if paid.json()["kind"] != "queries":
        owner.patch(path, {"public": True})
        public = owner.server.http.get(f"/v1/public/releases/{paid.json()['id']}").text
    assert json.loads(signature) == json.loads(paid.headers["release-signature"])
    story.releases[name] = Texts(paid.text, evidence, signature, public)


def _end(story: Story, owner: Party, dataset: dict[str, Any], name: str) -> None:
    story.ledgers[name] = owner.get(f"/v1/budgets/{dataset['budget_id']}/ledger.jsonl").text
    story.heads[name] = owner.get(f"/v1/budgets/{dataset['budget_id']}/head").text
