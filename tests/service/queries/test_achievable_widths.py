"""Tests that achievable half widths depend only on what the caller may see, and that asking for one is granted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, end_grant, make_study
from tests.service.queries.test_measured import MIDDLE, POOR, ask, asked, spent
from tests.service.queries.test_queries import CUBE, RICH, quote


@pytest.fixture
def cube(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **CUBE)


def achievable(party: Party, study: Study, *queries: dict[str, Any]) -> list[float | None]:
    found: list[float | None] = quote(party, study, *queries)["achievable_half_widths"]
    return found


def test_a_width_that_the_grant_does_not_reach_is_refused(cube: Study) -> None:
    asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0})
    narrow = {"of": {"labels": RICH}, "half_width": 5.0}
    refused = ask(cube.analyst, cube, narrow, {"of": {"labels": POOR}, "half_width": 9.0}, key="narrow")
    assert problem_code(refused) == "grant-exhausted"
    [least] = achievable(cube.analyst, cube, narrow)
    assert least is not None
    before = float(spent(cube))
    slightly_less = ask(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 0.999 * least}, key="less")
    assert problem_code(slightly_less) == "grant-exhausted"
    granted = asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": least}, key="least")
    assert granted["answers"][0]["interval"]["half_width"] <= least
    assert float(granted["remaining_after"]["epsilon"]) == pytest.approx(0.0, abs=1e-5)
    assert float(spent(cube)) == pytest.approx(0.5, abs=1e-5)
    assert before < 0.3


def test_a_refusal_by_the_largest_rate_reports_the_achievable_width(cube: Study) -> None:
    refused = ask(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 0.01})
    [error] = refused.json()["errors"]
    # -ln 0.05 / 50
    assert error["rule"] == "is smaller than the largest rate of noise reaches, which is 0.0599147"


def test_the_smallest_width_is_refused_as_others_are_beside_a_release(cube: Study) -> None:
    body = {"kind": "counts", "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}
    path = f"/v1/datasets/{cube.dataset_id}/releases"
    assert cube.analyst.post(path, body, idempotency_key="counts").status_code == 201
    for half_width in (1e-9, 1e-300, 5e-324):
        refused = ask(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": half_width}, key=f"least-{half_width}")
        [error] = refused.json()["errors"]
        assert error["rule"].startswith("is smaller than the largest rate of noise reaches"), error


def test_others_rows_do_not_change_the_reported_widths(cube: Study, server: Server) -> None:
    other = server.new("analyst")
    grant = {"principal_id": other.principal_id, "epsilon": "0.8", "delta": "0"}
    assert cube.owner.post(f"/v1/datasets/{cube.dataset_id}/grants", grant).status_code == 201
    asked(other, cube, {"of": {"labels": MIDDLE}, "half_width": 20.0}, key="own")
    queries = [{"of": {"labels": labels}, "half_width": 6.0} for labels in (RICH, POOR, MIDDLE)]
    before, refused_before = achievable(other, cube, *queries), ask(other, cube, *queries, key="a").json()
    asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 7.0}, key="theirs")
    assert achievable(other, cube, *queries) == before
    refused = ask(other, cube, *queries, key="a")
    assert problem_code(refused) == "grant-exhausted"
    assert refused.json() == refused_before
    # The budget has at most 0.43 left, which the grant's holder does not see.
    by_budget = ask(other, cube, {"of": {"labels": POOR}, "half_width": 5.0}, key="b")
    assert problem_code(by_budget) == "budget-exhausted"
    assert "largest_possible_charge" not in by_budget.json()


def test_where_measuring_is_not_allowed_only_history_is_achievable(cube: Study) -> None:
    asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0})
    change = {"allowed_mechanisms": ["simplex_geometric"]}
    assert cube.owner.patch(f"/v1/budgets/{cube.budget_id}", change).status_code == 200
    known, unseen = achievable(
        cube.analyst, cube, {"of": {"labels": RICH}}, {"of": {"labels": POOR}, "half_width": 15.0}
    )
    assert known == pytest.approx(15.0, abs=1e-5)
    assert unseen is None


def test_an_ended_grant_reaches_no_width_and_gets_no_charge(cube: Study) -> None:
    asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0})
    query = {"of": {"labels": POOR}, "half_width": 15.0}
    assert quote(cube.analyst, cube, query)["would_charge"]["epsilon"] != "0"
    for is_closed in (False, True):
        if is_closed:
            change = {"expires_at": None, "closed": True}
            assert cube.owner.patch(f"/v1/grants/{cube.grant_id}", change).status_code == 200
        else:
            end_grant(cube)
        quoted = quote(cube.analyst, cube, query)
        assert (quoted["achievable_half_widths"], quoted["granted"]) == ([None], False)
        # An answer from history needs no charge.
        assert quote(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0})["would_charge"]["epsilon"] == "0"
