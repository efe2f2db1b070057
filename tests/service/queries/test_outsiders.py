"""What an analyst can find out of others' queries by all that a running service tells: nothing but what its own say."""

from __future__ import annotations

from typing import Any

from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study
from tests.service.queries.test_measured import POOR, asked, cube, with_grant
from tests.service.queries.test_queries import RICH

__all__ = ["cube"]


def told_of_amounts(party: Party, study: Study, key: str) -> list[Any]:
    """All amounts that a caller with a grant hears of, at the price of one small release."""
    path, small = f"/v1/datasets/{study.dataset_id}", {"kind": "simplex_geometric", "epsilon": "0.001"}
    allowance = party.get(f"{path}/allowance").json()
    quoted = [
        party.post(f"{path}/quotes", {"prior": [1] * 9, "mechanism": small | {"epsilon": epsilon}}).json()
        for epsilon in ("0.1", "0.2", "0.3", "0.4", "0.6")
    ]
    released = party.release(study.dataset_id, prior=[1] * 9, mechanism=small, key=key).json()
    too_much = party.release(study.dataset_id, prior=[1] * 9, mechanism=small | {"epsilon": "0.6"}).json()
    return [
        {name: allowance[name] for name in ("largest_possible_charge", "low", "mechanisms", "possible")},
        [(each["granted"], each["refused_by"], each["largest_possible_charge"]) for each in quoted],
        released["remaining_after"],
        (too_much["type"], too_much.get("largest_possible_charge")),
    ]


def test_what_is_left_of_a_budget_does_not_tell_what_others_measured(cube: Study, server: Server) -> None:
    """Before and after a request of one's own it would tell by how much the cost of all rows rose."""
    assert cube.owner.release(cube.dataset_id, prior=[1] * 9, mechanism=_geometric("0.5")).status_code == 201
    other, _ = with_grant(server, cube)
    asked(other, cube, {"labels": RICH, "half_width": 20.0}, key="first")
    before = told_of_amounts(cube.analyst, cube, "small-1")
    assert before[0]["largest_possible_charge"]["epsilon"] == "0.5"
    assert [granted for granted, *_ in before[1]] == [True, True, True, True, False]
    asked(other, cube, {"labels": POOR, "half_width": 20.0}, key="second")
    after = told_of_amounts(cube.analyst, cube, "small-2")
    assert after[0]["largest_possible_charge"]["epsilon"] == "0.499"
    assert [each[:2] for each in after[1]] == [each[:2] for each in before[1]]
    assert (before[2]["epsilon"], after[2]["epsilon"]) == ("0.499", "0.498")
    assert (before[3][0], after[3][0]) == ("/problems/grant-exhausted",) * 2
    assert [each[3][1]["epsilon"] for each in (before, after)] == ["0.499", "0.498"]
    # Less than half of it is left. A refusal by the budget says no more than that, and its owner hears how much.
    refused = cube.analyst.release(cube.dataset_id, prior=[1] * 9, mechanism=_geometric("0.4"))
    assert problem_code(refused) == "budget-exhausted"
    assert refused.json().get("largest_possible_charge") is None
    told = cube.owner.release(cube.dataset_id, prior=[1] * 9, mechanism=_geometric("0.6")).json()
    assert told["largest_possible_charge"]["epsilon"] == cube.budget()["remaining"]["epsilon"]


def _geometric(epsilon: str) -> dict[str, str]:
    return {"kind": "simplex_geometric", "epsilon": epsilon}
