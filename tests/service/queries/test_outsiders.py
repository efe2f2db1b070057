"""Information about others' queries in all answers of a running service, and whether the ledger covers the true loss,
by brute force over the released rows.
"""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Engine

from service.queries import paid_queries
from service.runtime.runtime import Runtime
from service.schemas.principals import Role
from tests.harness.bodies import budget_body, querying, registration
from tests.harness.in_process import Service
from tests.harness.people import person
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study
from tests.service.queries.test_known import prepare, tell
from tests.service.queries.test_measured import POOR, asked, cube, with_grant
from tests.service.queries.test_queries import RICH

__all__ = ["cube"]


def told_of_amounts(party: Party, study: Study, key: str) -> list[Any]:
    """All amounts that the holder of a grant can see, at the price of one small release."""
    path, small = f"/v1/datasets/{study.dataset_id}", {"kind": "simplex_geometric", "epsilon": "0.001"}
    allowance = party.get(f"{path}/allowance").json()
    quoted = [
        party.post(f"{path}/quotes", {"prior": [1] * 9, "mechanism": small | {"epsilon": epsilon}}).json()
        for epsilon in ("0.1", "0.2", "0.3", "0.4", "0.6")
    ]
    released = party.release(study.dataset_id, prior=[1] * 9, mechanism=small, key=key).json()
    too_much = party.release(study.dataset_id, prior=[1] * 9, mechanism=small | {"epsilon": "0.6"}).json()
    return [
        {name: allowance[name] for name in ("largest_possible_charge", "below_threshold", "mechanisms", "can_release")},
        [(each["granted"], each["blocked_by"], each["largest_possible_charge"]) for each in quoted],
        released["remaining_after"],
        (too_much["type"], too_much.get("largest_possible_charge")),
    ]


def test_the_remaining_budget_does_not_disclose_others_rows(cube: Study, server: Server) -> None:
    """Before and after an own request it would disclose the rise of the cost of all rows."""
    assert cube.owner.release(cube.dataset_id, prior=[1] * 9, mechanism=_geometric("0.5")).status_code == 201
    other, _ = with_grant(server, cube)
    asked(other, cube, {"of": {"labels": RICH}, "half_width": 20.0}, key="first")
    before = told_of_amounts(cube.analyst, cube, "small-1")
    assert before[0]["largest_possible_charge"]["epsilon"] == "0.5"
    assert [granted for granted, *_ in before[1]] == [True, True, True, True, False]
    asked(other, cube, {"of": {"labels": POOR}, "half_width": 20.0}, key="second")
    after = told_of_amounts(cube.analyst, cube, "small-2")
    assert after[0]["largest_possible_charge"]["epsilon"] == "0.499"
    assert [each[:2] for each in after[1]] == [each[:2] for each in before[1]]
    held = cube.analyst.get("/v1/grants").json()["items"][0]
    assert (held["remaining"]["epsilon"], held["warnings"]) == ("0.498", [])
    assert (before[2]["epsilon"], after[2]["epsilon"]) == ("0.499", "0.498")
    assert (before[3][0], after[3][0]) == ("/problems/grant-exhausted",) * 2
    assert [each[3][1]["epsilon"] for each in (before, after)] == ["0.499", "0.498"]
    # Less than half of it is left. A refusal by the budget states no more than that, and its owner sees the amount.
    refused = cube.analyst.release(cube.dataset_id, prior=[1] * 9, mechanism=_geometric("0.4"))
    assert problem_code(refused) == "budget-exhausted"
    assert refused.json().get("largest_possible_charge") is None
    told = cube.owner.release(cube.dataset_id, prior=[1] * 9, mechanism=_geometric("0.6")).json()
    assert told["largest_possible_charge"]["epsilon"] == cube.budget()["remaining"]["epsilon"]


def loss_of(measured: list[dict[str, Any]], accountant: str, records: int) -> float:
    """The largest loss over all pairs of cells, also empty ones, of rows as their answers show them: of epsilon, or of
    rho of continuous noise, which is less than that on the grid by a part in 10^12.
    """
    total: Any = 0.0
    for row in measured:
        h = np.array(row["coefficients"], dtype=np.float64) / row["denominator"]
        shift = float(row["rate"]) * records * np.abs(h[:, None] - h[None, :])
        total = total + (shift if accountant == "basic" else shift + np.expm1(-shift))
    return float(total.max())


@pytest.mark.parametrize(
    ("accountant", "records", "m"),
    [
        ("basic", 3, 6),
        ("zcdp", 1, 6),
        pytest.param("basic", 1, 6, marks=pytest.mark.long),
        pytest.param("zcdp", 3, 12, marks=pytest.mark.long),
        pytest.param("basic", 1, 1100, marks=pytest.mark.long),
    ],
)
def test_the_ledger_says_at_least_what_is_lost_on_the_worst_pair(
    sqlite_server: Server, accountant: str, records: int, m: int
) -> None:
    """Three parties query at the same time; none sees the others' rows, and the budget pays for all of them."""
    owner, analysts = sqlite_server.new("owner"), [sqlite_server.new("analyst") for _ in range(2)]
    name, most = ("epsilon", "300") if accountant == "basic" else ("rho", "100")
    counts = [500, 0, 300, 0, 7, 193, *[0] * (m - 6)]
    budget = {"kind": "new", "budget": budget_body(accountant=accountant, epsilon="300")}
    body = registration(counts, budget=budget)
    if records > 1:
        del body["one_record_per_unit"]
        body["records_per_unit"] = records
    made = owner.post("/v1/datasets", body)
    assert made.status_code == 201, made.text
    dataset = made.json()
    path = f"/v1/datasets/{dataset['id']}"
    for each in analysts:
        grant = {"principal_id": each.principal_id, "delta": "0", name: most}
        assert owner.post(f"{path}/grants", grant).status_code == 201

    def measure(number: int) -> list[dict[str, Any]]:
        rng, party, found = random.Random(number), [owner, *analysts][number], []
        for step in range(4 if m < 1000 else 2):
            chosen = [rng.choice((0, 0, 1, 1, 3)) for _ in range(m)] if m < 1000 or step else list(range(m))
            query = {"weights": [0, 1, *chosen[2:]], "half_width": rng.uniform(10, 200) * max(chosen)}
            body = querying(query, accountant=accountant)
            answer = party.post(f"{path}/releases", body, idempotency_key=f"{dataset['id']}-{number}-{step}")
            assert answer.status_code == 201, answer.text
            found.append(answer.json())
        return found

    with ThreadPoolExecutor(3) as threads:
        by_party = list(threads.map(measure, range(3)))
    spent = float(owner.get(f"/v1/budgets/{dataset['budget_id']}").json()["spent"][name])
    everything = [row for party in by_party for answer in party for row in answer["measured"]]
    told = [(everything, spent)]
    for party in by_party[1:]:
        charged = math.fsum(float(answer["charged"][name]) for answer in party)
        told.append(([row for answer in party for row in answer["measured"]], charged))
    for measured, paid in told:
        loss = loss_of(measured, accountant, records)
        assert loss * (1 - 1e-9) <= paid
        assert paid <= loss * (1 + 1e-6) + 1e-8 or m > 1000, "beyond a thousand columns rows are charged one by one"


def test_how_long_pricing_may_take_follows_from_the_request_alone(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outcome of pricing, also a refusal, is answered on a tick whose spacing does not depend on others' rows."""
    owner, seen, pricing = person(engine, Role.OWNER), list[float](), list[float]()

    def spacing(typical: float, _: int) -> float:
        seen.append(typical)
        return 0.0

    async def refused(service: Service, dataset_id: str, number: int) -> None:
        body = {"queries": [{"weights": [0, 0, 1, 0], "half_width": 5.0}], "max_charge": {"epsilon": "0"}}
        key = {"Idempotency-Key": f"refused-{number}"}
        answer = await service.send(owner, "POST", f"/v1/datasets/{dataset_id}/releases", body, **key)
        assert problem_code(answer) == "max-charge-exceeded"
        pricing.append(seen[-1])

    async def story(service: Service, _: Runtime) -> None:
        dataset_id = await prepare(service, owner, releases=0, m=4)
        await refused(service, dataset_id, 1)
        body = querying({"weights": [0, 1, 2, 3], "half_width": 100.0})
        await service.made(owner, f"/v1/datasets/{dataset_id}/releases", body, key="measured")
        await refused(service, dataset_id, 2)

    monkeypatch.setattr(paid_queries, "spacing_seconds", spacing)
    tell(database_url, story)
    assert pricing == [pricing[0]] * 2
    assert len(seen) == 3, "three prices"


def _geometric(epsilon: str) -> dict[str, str]:
    return {"kind": "simplex_geometric", "epsilon": epsilon}
