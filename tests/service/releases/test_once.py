"""A request with `once` returns what its caller paid for by the same noise, whatever the key."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from threading import Barrier
from typing import TYPE_CHECKING, Any, Final

import pytest
from sqlalchemy import create_engine, text

from service.database.engine import writing
from service.drawing.processes import DrawProcesses
from service.ledger.debit import DebitHandler, Paid
from tests.harness.bodies import registration
from tests.harness.guards import without_guards
from tests.harness.installation import SIGNER, epsilon, install

if TYPE_CHECKING:
    import httpx
    from sqlalchemy import Engine

    from tests.harness.server import Party, Server
    from tests.service.conftest import Study

GEOMETRIC: Final = {"kind": "simplex_geometric", "epsilon": "0.1"}
NUMBERS = count()


def pay(party: Party, dataset_id: str, body: dict[str, Any], *, key: str = "", once: bool = True) -> httpx.Response:
    """The answer to a paid request under a key of its own, or under `key`."""
    named = key or f"once-{next(NUMBERS)}"
    sent = {**body, "once": True} if once else body
    path = f"/v1/datasets/{dataset_id}/releases"
    return party.wait_for(lambda: party.post(path, sent, idempotency_key=named), status=201)


def counts(prior: list[float] | None = None, **changes: Any) -> dict[str, Any]:
    stated = {} if prior is None else {"prior": prior}
    return {"kind": "counts", **stated, "mechanism": GEOMETRIC, **changes}


def survey(owner: Party, accountant: str = "basic") -> str:
    budget = {"accountant": accountant, "name": f"one of {accountant}", "epsilon": "3", "delta": "1e-6"}
    body = registration([30, 40, 50, 60], budget={"kind": "new", "budget": budget})
    del body["labels"]
    levels = [{"name": name, "levels": ["x", "y"]} for name in ("a", "b")]
    found: str = owner.post("/v1/datasets", body | {"attributes": levels}).json()["id"]
    return found


def change_rows(server: Server, statement: str, **values: str) -> None:
    """Change releases as a person who writes the database."""
    engine = create_engine(server.owner_database_url)
    with engine.begin() as connection, without_guards(connection, "releases"):
        connection.execute(text(statement), values)
    engine.dispose()


def test_a_release_is_found_at_any_prior_level_limit_and_key(study: Study) -> None:
    first = pay(study.analyst, study.dataset_id, counts([1, 1]))
    assert "Idempotency-Replayed" not in first.headers
    others = [
        counts([2, 3]),
        counts(),
        counts([1, 1], level=0.5),
        counts([1, 1], max_charge={"epsilon": "0.1"}),
        counts([4, 4], max_charge={"epsilon": "0"}),
        counts([1, 1], mechanism={"kind": "simplex_geometric", "epsilon": 0.1}),
    ]
    for body in others:
        found = pay(study.analyst, study.dataset_id, body)
        assert (found.text, found.headers["Idempotency-Replayed"]) == (first.text, "true")
    assert study.spent() == "0.1"
    again = pay(study.analyst, study.dataset_id, counts([1, 1]), once=False)
    assert again.json()["id"] != first.json()["id"]
    assert study.spent() == "0.2"


def test_a_prior_that_is_left_out_is_a_half_a_cell_or_one_if_the_noise_depends_on_it(owner: Party) -> None:
    dataset = survey(owner)
    assert pay(owner, dataset, counts()).json()["prior"] == [0.5] * 4
    exponential = {"kind": "exponential_global", "epsilon": "0.2"}
    first = pay(owner, dataset, counts(mechanism=exponential))
    assert first.json()["prior"] == [1.0] * 4
    assert pay(owner, dataset, counts([1.0] * 4, mechanism=exponential)).text == first.text
    assert pay(owner, dataset, counts([2.0] * 4, mechanism=exponential)).text != first.text
    quote = owner.post(f"/v1/datasets/{dataset}/quotes", counts(mechanism=exponential, once=True)).json()
    assert quote["paid_under_key"]["id"] == first.json()["id"]


def test_margins_and_queries_are_found_however_their_tables_and_limits_are_written(owner: Party) -> None:
    dataset = survey(owner)
    margins = {"kind": "margins", "all": 1, "epsilon": "0.25"}
    first = pay(owner, dataset, margins)
    for body in (
        {"kind": "margins", "margins": [["b"], ["a"]], "epsilon": "0.25", "confidence": 0.8},
        {"kind": "margins", "margins": [["a"], ["b"]], "epsilon": 0.25, "max_charge": {"epsilon": "0.1"}},
    ):
        assert pay(owner, dataset, body).text == first.text
    assert pay(owner, dataset, margins | {"all": None, "margins": [["a"]]}).text != first.text
    query = {"of": {"where": {"a": ["x"]}}, "half_width": 10.0}
    asked = [{"kind": "queries", "queries": [query], "max_charge": {"epsilon": most}} for most in ("0.9", "1")]
    assert len({pay(owner, dataset, body).text for body in asked}) == 1
    other = asked[0] | {"queries": [query | {"confidence": 0.9}]}
    assert pay(owner, dataset, other).json()["queries"][0]["confidence"] == 0.9


@pytest.mark.parametrize(
    ("accountant", "body"),
    [
        ("basic", {"kind": "counts", "mechanism": {"kind": "gaussian", "rho": "0.002"}}),
        ("basic", {"kind": "counts", "mechanism": {"kind": "exponential_global", "epsilon": "0.2"}}),
        ("basic", {"kind": "counts", "mechanism": {"kind": "exponential", "calibration": "proven", "epsilon": "0.2"}}),
        ("zcdp", {"kind": "counts", "mechanism": {"kind": "gaussian", "rho": "0.002"}}),
        ("zcdp", {"kind": "margins", "all": 1, "rho": "0.002"}),
    ],
    ids=["basic gaussian", "global", "proven", "zcdp gaussian", "margins"],
)
def test_the_same_noise_at_another_delta_is_paid_once(owner: Party, accountant: str, body: dict[str, Any]) -> None:
    dataset = survey(owner, accountant)
    changed = body if body["kind"] == "margins" else body["mechanism"]
    texts = set()
    for delta in ("1e-7", "1e-8"):
        changed["delta"] = delta
        texts.add(pay(owner, dataset, body).text)
    assert len(texts) == 1


def test_a_quote_under_the_key_of_another_request_names_what_the_release_would_get(study: Study) -> None:
    paid = pay(study.analyst, study.dataset_id, counts([1, 1]), key="quoted").json()["id"]
    path = f"/v1/datasets/{study.dataset_id}"
    other = counts([1, 1], mechanism={"kind": "simplex_geometric", "epsilon": "0.0622"})
    for body in (other, other | {"once": True}):
        quote = study.analyst.post(f"{path}/quotes", body, idempotency_key="quoted").json()
        refused = study.analyst.post(f"{path}/releases", body, idempotency_key="quoted").json()["type"]
        assert refused == "/problems/idempotency-key-reused"
        assert (quote["paid_under_key"], quote["granted"]) == (None, False)
        assert quote["blocked_by"] == "idempotency-key-reused"
    limited = counts([1, 1], max_charge={"epsilon": "1"})
    quote = study.analyst.post(f"{path}/quotes", limited, idempotency_key="quoted").json()
    refused = study.analyst.post(f"{path}/releases", limited, idempotency_key="quoted").json()["type"]
    assert f"/problems/{quote['blocked_by']}" == refused == "/problems/idempotency-key-reused"
    limited["once"] = True
    quote = study.analyst.post(f"{path}/quotes", limited, idempotency_key="quoted").json()
    found = study.analyst.post(f"{path}/releases", limited, idempotency_key="quoted").json()["id"]
    assert (quote["paid_under_key"]["id"], quote["granted"]) == (found, True) == (paid, True)


def test_a_replay_under_the_same_key_comes_first(study: Study) -> None:
    first = pay(study.analyst, study.dataset_id, counts([1, 1]), key="one")
    second = pay(study.analyst, study.dataset_id, counts([1, 1]), key="two", once=False)
    assert pay(study.analyst, study.dataset_id, counts([1, 1]), key="two").text == second.text
    assert pay(study.analyst, study.dataset_id, counts([7, 1]), key="two").text == second.text
    assert pay(study.analyst, study.dataset_id, counts([7, 1]), key="three").text == first.text
    path = f"/v1/datasets/{study.dataset_id}/releases"
    other = counts([1, 1], mechanism={"kind": "laplace", "epsilon": "0.1"}, once=True)
    refused = study.analyst.post(path, other, idempotency_key="two")
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/idempotency-key-reused")
    assert study.spent() == "0.2"


def test_a_release_of_another_person_is_neither_returned_nor_named(study: Study, server: Server) -> None:
    others = pay(study.owner, study.dataset_id, counts([1, 1])).json()["id"]
    quotes = f"/v1/datasets/{study.dataset_id}/quotes"
    assert study.analyst.post(quotes, counts([1, 1], once=True)).json()["paid_under_key"] is None
    made = pay(study.analyst, study.dataset_id, counts([1, 1]))
    assert "Idempotency-Replayed" not in made.headers
    mine = made.json()["id"]
    assert study.analyst.post(quotes, counts([9, 1], once=True)).json()["paid_under_key"]["id"] == mine
    # A person who writes the database can give a release the hash of another.
    copied = "UPDATE releases SET noise = (SELECT noise FROM releases WHERE id = :mine) WHERE id = :id"
    change_rows(server, copied, mine=mine, id=others)
    change_rows(server, "UPDATE releases SET noise = NULL WHERE id = :id", id=mine)
    assert study.analyst.post(quotes, counts([9, 1], once=True)).json()["paid_under_key"] is None
    assert pay(study.analyst, study.dataset_id, counts([1, 1])).json()["id"] not in {mine, others}


def test_what_an_earlier_version_paid_for_is_found_though_it_stored_no_hash(study: Study, server: Server) -> None:
    others = pay(study.owner, study.dataset_id, counts([1, 1])).json()["id"]
    made = [pay(study.analyst, study.dataset_id, counts([1, 1]), once=False).json()["id"] for _ in range(2)]
    change_rows(server, "UPDATE releases SET noise = NULL WHERE dataset_id = :id", id=study.dataset_id)
    change_rows(server, "UPDATE releases SET spec = '{}' WHERE id = :id", id=made[0])  # as a restore that lost it
    for _ in range(2):
        assert pay(study.analyst, study.dataset_id, counts([5, 1])).json()["id"] == made[1]
    assert pay(study.owner, study.dataset_id, counts([5, 1])).json()["id"] == others
    assert study.spent() == "0.3"


def test_a_failed_and_a_lost_release_are_not_returned(
    study: Study, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failed(*_: object) -> None:
        return None

    path = f"/v1/datasets/{study.dataset_id}/releases"
    with monkeypatch.context() as broken:
        broken.setattr(DrawProcesses, "draw", failed)
        for _ in range(2):
            problem = study.analyst.post(path, counts([1, 1], once=True), idempotency_key="failed").json()
            assert (problem["type"], problem["charged"]) == ("/problems/release-failed", True)
    second = pay(study.analyst, study.dataset_id, counts([1, 1]))
    assert pay(study.analyst, study.dataset_id, counts([2, 1])).text == second.text
    assert study.spent() == "0.2"
    lost = "UPDATE releases SET state = 'lost', drawn = NULL, result = NULL WHERE id = :id"
    change_rows(server, lost, id=second.json()["id"])
    third = pay(study.analyst, study.dataset_id, counts([1, 1]))
    assert "Idempotency-Replayed" not in third.headers
    assert study.spent() == "0.3"


def test_a_changed_table_is_answered_anew(owner: Party) -> None:
    """Only counts of which nothing was drawn can be replaced: only answers without a draw were paid for before."""
    dataset = survey(owner)
    query = {"of": {"where": {"a": ["x", "y"]}}, "half_width": 1.0}
    body = {"kind": "queries", "queries": [query], "max_charge": {"epsilon": "0"}}
    first = pay(owner, dataset, body)
    assert pay(owner, dataset, body).text == first.text
    assert owner.patch(f"/v1/datasets/{dataset}", {"counts": [3, 4, 5, 6]}).status_code == 200
    second = pay(owner, dataset, body)
    assert [each.json()["answers"][0]["estimate"] for each in (first, second)] == [180.0, 18.0]


@pytest.mark.parametrize("released_before", [False, True])
def test_callers_at_the_same_instant_are_charged_once(study: Study, *, released_before: bool) -> None:
    if released_before:
        pay(study.owner, study.dataset_id, counts([1, 1]))
    together = Barrier(16)

    def ask(number: int) -> httpx.Response:
        together.wait()
        return pay(study.analyst, study.dataset_id, counts([1 + number, 1]))

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(ask, range(16)))
    assert len({each.text for each in found}) == 1
    assert study.spent() == ("0.2" if released_before else "0.1")


def test_debits_of_one_batch_pay_once(engine: Engine) -> None:
    world = install(engine, total=epsilon(10), grant=epsilon(5), analysts=1)
    people = [world.owner_id, *world.analyst_ids]
    debits = [
        replace(world.debit(person, world.dataset_ids[0], epsilon(1)), noise=f"of {person}", once=True)
        for person in people * 3
    ]
    with writing(engine) as connection:
        outcomes = DebitHandler(SIGNER)(connection, debits)
    paid = [each for each in outcomes if isinstance(each, Paid)]
    assert [each.new for each in paid] == [True, True, False, False, False, False]
    assert [each.row.principal_id for each in paid] == people * 3
