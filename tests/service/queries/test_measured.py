"""Measured queries over a socket: charged by the rise, repeated for free, and disclosing no more than the caller's own
rows do.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any, cast

import httpx
import pytest

from private_posterior.client import Client
from private_posterior.connection import Waiting
from private_posterior.models import QueryCreate
from tests.harness.bodies import budget_body, of_releases, querying
from tests.harness.deadlines import until
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body, make_study
from tests.service.queries.test_queries import CUBE, RICH, quote, release

POOR = ["20s poor", "30s poor", "40s poor"]
MIDDLE = ["20s middle", "30s middle", "40s middle"]


@pytest.fixture
def cube(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **CUBE)


def ask(party: Party, study: Study, *queries: dict[str, Any], key: str = "k", **changes: Any) -> httpx.Response:
    body = querying(*queries, **changes)
    return party.post(f"/v1/datasets/{study.dataset_id}/releases", body, idempotency_key=key)


def ask_once(party: Party, study: Study, *queries: dict[str, Any], key: str = "k") -> httpx.Response:
    """The first answer, which no job delays."""
    path, headers = f"/v1/datasets/{study.dataset_id}/releases", {"Idempotency-Key": key}
    return party.request("POST", path, json=querying(*queries), headers=headers)


def asked(party: Party, study: Study, *queries: dict[str, Any], key: str = "k", **changes: Any) -> dict[str, Any]:
    answer = ask(party, study, *queries, key=key, **changes)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def spent(study: Study) -> str:
    found: str = study.budget()["spent"]["epsilon"]
    return found


def test_a_query_is_measured_with_the_least_noise_that_meets_the_width(cube: Study) -> None:
    query = {"of": {"labels": RICH}, "half_width": 15.0}
    found = asked(cube.analyst, cube, query)
    [answer], [row] = found["answers"], found["measured"]
    # P(|Lap(1 / a)| > 15) = 0.05 at a = 0.19972
    assert found["charged"]["epsilon"] == found["standalone_cost"]["epsilon"] == row["rate"]
    assert float(row["rate"]) == pytest.approx(0.199715, abs=1e-6)
    assert row["coefficients"] == [0, 0, 1] * 3
    assert answer["estimate"] == pytest.approx(row["answer"])
    assert answer["interval"]["half_width"] <= 15.0
    assert abs(answer["estimate"] - 450) < 200
    assert found["remaining_after"]["epsilon"] == str(0.5 - float(row["rate"]))[:11]
    assert found["certificate"]["loss"]["epsilon"] == row["rate"]
    assert spent(cube) == row["rate"]
    [entry] = [each for each in cube.ledger() if each["kind"] == "query_charged"]
    assert entry["subject_id"] == found["id"]
    assert found["receipt"]["body"]["chain_hash"] == entry["hash"]


def test_a_query_as_0_1_0_took_it_finds_what_it_paid_for_and_is_refused_under_a_new_key(cube: Study) -> None:
    paid = ask(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0})
    before, earlier = spent(cube), {"labels": RICH, "half_width": 15.0}
    assert ask(cube.analyst, cube, earlier).content == paid.content
    refused = ask(cube.analyst, cube, earlier, key="new")
    assert (refused.status_code, problem_code(refused), refused.json()["charged"]) == (422, "invalid-request", False)
    [error] = refused.json()["errors"]
    assert (error["location"], "in the field `of`" in error["rule"]) == ("body.queries", True)
    assert spent(cube) == before


def test_a_retry_is_the_same_byte_for_byte_and_a_second_question_is_free(cube: Study) -> None:
    query = {"of": {"labels": RICH}, "half_width": 15.0}
    first, again = (ask(cube.analyst, cube, query) for _ in range(2))
    assert first.content == again.content
    before = spent(cube)
    second = asked(cube.analyst, cube, query, key="other")
    assert second["charged"]["epsilon"] == "0"
    assert second["measured"] == []
    assert second["certificate"] is None
    assert second["answers"] == first.json()["answers"]
    assert second["answers"][0]["used"] == [{"release_id": first.json()["id"], "weights": [1.0]}]
    assert spent(cube) == before
    assert ask(cube.analyst, cube, query, key="other").json() == second
    assert cube.analyst.get(f"/v1/releases/{second['id']}").json() == second
    assert (
        problem_code(ask(cube.analyst, cube, {"of": {"labels": POOR}, "half_width": 15.0})) == "idempotency-key-reused"
    )
    assert problem_code(cube.analyst.release(cube.dataset_id, prior=[1] * 9, key="k")) == "idempotency-key-reused"


def test_rows_of_disjoint_cells_cost_the_two_dearest(cube: Study) -> None:
    queries = [{"of": {"labels": labels}, "half_width": 30.0} for labels in (RICH, POOR)]
    together = asked(cube.analyst, cube, *queries)
    assert len(together["measured"]) == 2
    rates = [float(row["rate"]) for row in together["measured"]]
    assert float(together["charged"]["epsilon"]) == pytest.approx(sum(rates), abs=1e-8)
    # The third follows from the first two and n. A narrower answer to it is measured, and makes no pair dearer than the
    # first two are.
    third = asked(cube.analyst, cube, {"of": {"labels": MIDDLE}, "half_width": 25.0}, key="third")
    assert len(third["measured"]) == 1
    assert float(third["standalone_cost"]["epsilon"]) > 0
    assert third["charged"]["epsilon"] == "0"
    assert spent(cube) == together["charged"]["epsilon"]
    known = quote(cube.analyst, cube, {"of": {"labels": MIDDLE}})
    assert known["used"] == [third["id"], together["id"]]
    assert known["joint_cost"] == together["charged"]
    assert quote(cube.owner, cube, {"of": {"labels": MIDDLE}})["joint_cost"] == together["charged"]


def test_releases_and_measured_rows_answer_together(cube: Study) -> None:
    release(cube, kind="simplex_geometric", epsilon="0.1")
    [before] = quote(cube.analyst, cube, {"of": {"labels": RICH}})["answers"]
    width = before["interval"]["half_width"]
    found = asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": width / 2})
    assert float(found["charged"]["epsilon"]) < 2.9957 / (width / 2), "what it would cost without the release"
    assert found["answers"][0]["interval"]["half_width"] <= width / 2 * (1 + 1e-9)
    assert len(found["answers"][0]["used"]) == 2
    free = asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": width}, {"weights": [1] * 9}, key="free")
    assert free["charged"]["epsilon"] == "0"
    assert free["answers"][1]["estimate"] == 1680


def test_one_weight_written_in_several_ways_is_one_request(cube: Study) -> None:
    written: list[Any] = [10, 10.0, "10.00", "10"]
    answers = [
        asked(cube.analyst, cube, {"weights": [weight] + [0] * 8, "half_width": 1000.0}, key="ten")
        for weight in written
    ]
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("weight", ["0.000000001", 1e-9, 1e-7, "0.000000100"])
def test_the_smallest_weights_are_quoted_and_measured(cube: Study, weight: Any) -> None:
    query = {"weights": [weight] + [0] * 8, "half_width": 15.0 * float(weight)}
    [quoted] = quote(cube.analyst, cube, query)["answers"]
    assert quoted is None
    found = asked(cube.analyst, cube, query)
    assert found["answers"][0]["interval"]["half_width"] <= query["half_width"]
    assert float(found["charged"]["epsilon"]) == pytest.approx(0.199715, abs=1e-6)


def test_an_answer_measured_after_a_release_is_the_same_when_asked_again(owner: Party, analyst: Party) -> None:
    four = make_study(owner, analyst, labels=list("abcd"), counts=[100, 200, 300, 400])
    mechanism = {"kind": "simplex_geometric", "epsilon": "0.1"}
    assert analyst.release(four.dataset_id, prior=[1] * 4, mechanism=mechanism).status_code == 201
    query = {"of": {"labels": ["d"]}, "half_width": 12.0}
    found = asked(analyst, four, query)["answers"][0]
    # The latest is read first, so that the row stands before the counts of the release now.
    [again] = quote(analyst, four, query)["answers"]
    assert again["interval"]["half_width"] <= 12.0 * (1 + 1e-9)
    assert again["estimate"] == pytest.approx(found["estimate"])


def test_several_queries_are_all_or_nothing(cube: Study) -> None:
    refused = ask(
        cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0}, {"of": {"labels": POOR}, "half_width": 5.0}
    )
    assert problem_code(refused) == "grant-exhausted"
    assert refused.json()["largest_possible_charge"]["epsilon"] == "0.5"
    assert spent(cube) == "0"
    limited = ask(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0}, max_charge={"epsilon": "0"})
    assert problem_code(limited) == "max-charge-exceeded"
    assert limited.json()["charged"] is False
    assert asked(cube.analyst, cube, {"weights": {}}, max_charge={"epsilon": 0})["charged"]["epsilon"] == "0"
    assert spent(cube) == "0"


def test_nobody_sees_what_others_measured(cube: Study, server: Server) -> None:
    first = asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0})
    other = server.new("analyst")
    grant = {"principal_id": other.principal_id, "epsilon": "0.5", "delta": "0"}
    assert cube.owner.post(f"/v1/datasets/{cube.dataset_id}/grants", grant).status_code == 201
    assert problem_code(other.get(f"/v1/releases/{first['id']}")) == "not-found"
    assert quote(other, cube, {"of": {"labels": RICH}})["answers"][0] is None
    # The same row again is charged to budget and grant; the lower rise of a disjoint row for the budget stays hidden.
    same = asked(other, cube, {"of": {"labels": RICH}, "half_width": 15.0})
    assert same["charged"] == first["charged"]
    assert same["answers"][0]["used"][0]["release_id"] == same["id"]
    seen_by_owner = quote(cube.owner, cube, {"of": {"labels": RICH}})["answers"][0]
    assert len(seen_by_owner["used"]) == 2
    assert cube.owner.get(f"/v1/releases/{first['id']}").status_code == 200


def with_grant(server: Server, study: Study) -> tuple[Party, str]:
    other = server.new("analyst")
    grant = {"principal_id": other.principal_id, "epsilon": "0.5", "delta": "0"}
    made = study.owner.post(f"/v1/datasets/{study.dataset_id}/grants", grant)
    assert made.status_code == 201, made.text
    return other, made.json()["id"]


def _told_parts(party: Party, study: Study) -> list[Any]:
    """All parts of answers that could depend on known, measured or spent amounts, without ids and noisy values."""

    def without_noise(answers: list[dict[str, Any]]) -> list[Any]:
        # The last digits of a half width bound the rounding error of the answer.
        return [
            each
            and (
                round(each["interval"]["half_width"], 6),
                [[round(w, 6) for w in use["weights"]] for use in each["used"]],
            )
            for each in answers
        ]

    told: list[Any] = []
    for number, query in enumerate(
        (
            {"of": {"labels": RICH}, "half_width": 30.0},
            {"of": {"labels": POOR}, "half_width": 30.0},
            {"of": {"labels": MIDDLE}, "half_width": 25.0},
        )
    ):
        quoted = quote(party, study, query)
        told += [without_noise(quoted["answers"]), quoted["covariance"], len(quoted["excluded_releases"])]
        refused = ask(
            party, study, query, key=f"{study.dataset_id}-limited-{number}", max_charge={"epsilon": "0"}
        ).json()
        told.append({name: refused.get(name) for name in ("type", "detail", "would_charge")})
        found = asked(party, study, query, key=f"{study.dataset_id}-{number}")
        # A row that raises no maximum is measured at a limit of 0 too.
        paid = refused if "measured" in refused else found
        assert (quoted["would_charge"], quoted["standalone_cost"]) == (paid["charged"], paid["standalone_cost"])
        told += [found[name] for name in ("charged", "standalone_cost", "remaining_after")]
        told += [[(row["coefficients"], row["rate"]) for row in found["measured"]], without_noise(found["answers"])]
        told += [quoted["joint_cost"], quoted["achievable_half_widths"], quoted["granted"], len(quoted["used"])]
    refused = ask(party, study, {"of": {"labels": RICH}, "half_width": 3.0}, key=f"{study.dataset_id}-too-much").json()
    told.append({name: refused.get(name) for name in ("type", "detail", "largest_possible_charge")})
    return told


def test_a_history_that_is_not_shared_tells_nothing_of_what_others_measured(
    owner: Party, analyst: Party, server: Server
) -> None:
    quiet, busy = (make_study(owner, analyst, **CUBE) for _ in range(2))
    other, _ = with_grant(server, busy)
    for number, (party, labels) in enumerate(((other, RICH), (owner, POOR), (other, MIDDLE))):
        asked(party, busy, {"of": {"labels": labels}, "half_width": 25.0}, key=f"other-{number}")
    assert owner.release(busy.dataset_id, prior=[1] * 9).status_code == 201
    assert _told_parts(analyst, busy) == _told_parts(analyst, quiet)


def test_an_owner_shares_a_history_among_its_grants(cube: Study, server: Server) -> None:
    other, grant_id = with_grant(server, cube)
    path, query = f"/v1/datasets/{cube.dataset_id}", {"of": {"labels": RICH}, "half_width": 15.0}
    first = asked(cube.analyst, cube, query)
    asked(cube.owner, cube, {"of": {"labels": POOR}, "half_width": 15.0})
    assert quote(other, cube, query)["answers"][0] is None
    assert problem_code(other.patch(path, {"history_shared": True})) in {"not-found", "role-not-allowed"}
    assert other.get(path).json()["history_shared"] is False
    assert cube.owner.patch(path, {"history_shared": True}).json()["history_shared"] is True
    assert other.get(path).json()["history_shared"] is True
    # Interval, rate and price depend on all rows.
    known = quote(other, cube, query)
    assert (known["standalone_cost"]["epsilon"], known["used"]) == ("0", [first["id"]])
    assert float(known["joint_cost"]["epsilon"]) > float(first["charged"]["epsilon"])
    assert quote(other, cube, {"of": {"labels": MIDDLE}, "half_width": 15.0})["would_charge"]["epsilon"] == "0"
    again = asked(other, cube, query)
    assert (again["measured"], again["charged"]["epsilon"]) == ([], "0")
    free = asked(other, cube, {"of": {"labels": MIDDLE}, "half_width": 15.0}, key="free")
    assert len(free["measured"]) == 1
    assert (free["charged"]["epsilon"], free["remaining_after"]["epsilon"]) == ("0", "0.5")
    # The answers and charges of another caller stay hidden.
    assert problem_code(other.get(f"/v1/releases/{first['id']}")) == "not-found"
    words = " ".join(cube.owner.get(f"{path}/statement").json()["summary"])
    assert "limits its holder's spending, and only the budget limits what the holder can learn" in words
    # A closed grant learns nothing more, and neither does one whose owner has stopped sharing.
    assert cube.owner.patch(f"/v1/grants/{grant_id}", {"closed": True}).status_code == 200
    assert quote(other, cube, query)["answers"] == [None]
    assert cube.owner.patch(f"/v1/grants/{grant_id}", {"closed": False}).status_code == 200
    assert cube.owner.patch(path, {"history_shared": False}).status_code == 200
    assert quote(other, cube, query)["answers"] == [None]
    assert asked(other, cube, {"of": {"labels": POOR}, "half_width": 20.0}, key="own")["charged"]["epsilon"] != "0"
    assert "only the budget limits what the holder can learn" in " ".join(
        cube.owner.get(f"{path}/statement").json()["summary"]
    )


def test_callers_at_the_same_time_are_charged_as_if_one_came_after_the_other(cube: Study, server: Server) -> None:
    """Four analysts query one cell each: the two most expensive add up, and the first callers pay."""
    analysts = [cube.analyst, *(server.new("analyst") for _ in range(3))]
    for each in analysts[1:]:
        grant = {"principal_id": each.principal_id, "epsilon": "0.5", "delta": "0"}
        assert cube.owner.post(f"/v1/datasets/{cube.dataset_id}/grants", grant).status_code == 201

    def measure(number: int) -> dict[str, Any]:
        query = {"weights": [int(cell == number) for cell in range(9)], "half_width": 40.0}
        return asked(analysts[number % 4], cube, query, key=f"cell-{number}")

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(measure, range(8)))
    rate = Decimal(found[0]["standalone_cost"]["epsilon"])
    assert {each["standalone_cost"]["epsilon"] for each in found} == {str(rate)}
    charged = [Decimal(each["amount"]["epsilon"]) for each in cube.ledger() if each["kind"] == "query_charged"]
    assert sorted(charged) == [0] * 6 + [rate] * 2
    assert Decimal(spent(cube)) == 2 * rate
    # Each holder's own two cells cost the grant both rates, whatever the budget paid.
    for number in range(4):
        assert sum(Decimal(each["charged"]["epsilon"]) for each in (found[number], found[number + 4])) == 2 * rate


def test_answers_to_queries_are_listed_by_kind_and_have_no_posterior(cube: Study) -> None:
    found = asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0})
    [listed] = cube.analyst.get("/v1/releases", dataset_id=cube.dataset_id).json()["items"]
    assert (listed["id"], listed["kind"], listed["mechanism"]) == (found["id"], "queries", None)
    assert cube.analyst.get("/v1/releases", dataset_id=cube.dataset_id, kind="counts").json()["items"] == []
    assert problem_code(cube.analyst.post("/v1/posteriors", of_releases(found["id"]))) == "not-found"
    asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 20.0}, key="free")
    statement = cube.owner.get(f"/v1/datasets/{cube.dataset_id}/statement").json()
    stated, free = statement["releases"]["items"]
    assert (free["kind"], free["charged"]["epsilon"]) == ("query", "0")
    assert "there was one release from this data set" in " ".join(statement["summary"]), statement["summary"]
    assert [each["releases"] for each in statement["spenders"]] == [1]
    assert (stated["kind"], stated["mechanism"], stated["charged"]) == ("query", None, found["charged"])
    assert statement["charged_to_dataset"] == found["charged"]
    burn = cube.owner.get(f"/v1/budgets/{cube.budget_id}/burn-rate").json()
    assert burn["recent"][0] == {"days": 1, "spent": found["charged"], "releases": 1}
    assert cube.analyst.get(f"/v1/datasets/{cube.dataset_id}/allowance").json()["measuring_allowed"] is True


def test_an_owner_can_forbid_measuring_and_freeze_it(cube: Study) -> None:
    change = f"/v1/budgets/{cube.budget_id}"
    assert cube.owner.patch(change, {"allowed_mechanisms": ["simplex_geometric"]}).status_code == 200
    assert (
        problem_code(ask(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0})) == "mechanism-not-allowed"
    )
    assert asked(cube.analyst, cube, {"weights": [1] * 9}, key="constant")["charged"]["epsilon"] == "0"
    assert cube.analyst.get(f"/v1/datasets/{cube.dataset_id}/allowance").json()["measuring_allowed"] is False
    assert cube.owner.patch(change, {"allowed_mechanisms": ["linear"]}).status_code == 200
    assert ask(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0}).status_code == 201
    assert cube.owner.patch(change, {"frozen": True}).status_code == 200
    assert (
        problem_code(ask(cube.analyst, cube, {"of": {"labels": POOR}, "half_width": 15.0}, key="z")) == "budget-frozen"
    )


@pytest.mark.parametrize(
    ("query", "changes", "location"),
    [
        ({"of": {"labels": RICH}}, {}, "body.queries[0].half_width"),
        ({"of": {"labels": RICH}, "half_width": 1e-9}, {}, "body.queries[0].half_width"),
        ({"of": {"labels": RICH}, "half_width": 0}, {}, "body.queries[0].half_width"),
        ({"of": {"labels": RICH}, "half_width": -3.0}, {}, "body.queries[0].half_width"),
        ({"of": {"labels": RICH}, "half_width": 15.0}, {"max_charge": {"rho": "1"}}, "body.max_charge.rho"),
        ({"of": {"labels": RICH}, "half_width": 15.0}, {"max_charge": {}}, "body.max_charge"),
        ({"of": {"labels": ["nobody"]}, "half_width": 15.0}, {}, "body.queries[0].of.labels[0]"),
        ({"of": {"labels": []}, "half_width": 15.0}, {}, "body.queries[0].of.labels"),
        ({"of": {"where": {"age": ["20s"]}}, "half_width": 15.0}, {}, "body.queries[0].of.where"),
        ({"weights": {"nobody": 1}, "half_width": 15.0}, {}, "body.queries[0].weights"),
        ({"weights": [1] * 8, "half_width": 15.0}, {}, "body.queries[0].weights"),
        ({"weights": [1000001] + [0] * 8, "half_width": 15.0}, {}, "body.queries[0].weights[0]"),
        ({"weights": ["0.0000000001"] + [0] * 8, "half_width": 15.0}, {}, "body.queries[0].weights[0]"),
        ({"weights": ["0000000001"] + [0] * 8, "half_width": 15.0}, {}, "body.queries[0].weights[0]"),
        ({"weights": {"nobody": "1.0000000001"}, "half_width": 15.0}, {}, "body.queries[0].weights.nobody"),
        ({"weights": {"nobody ": 1000001}, "half_width": 15.0}, {}, "body.queries[0].weights.(unknown)"),
        ({"of": {"labels": RICH}, "half_width": 15.0, "confidence": 1.0}, {}, "body.queries[0].confidence"),
        ({"of": {"labels": RICH}, "half_width": 15.0, "confidence": 0.0}, {}, "body.queries[0].confidence"),
        ({"weights": [1] * 9, "of": {"labels": RICH}}, {}, "body.queries[0]"),
        ({"of": {"labels": RICH}, "half_width": 1e9}, {"queries": []}, "body.queries"),
        ({"of": {"labels": RICH}}, {"queries": [{"weights": [1] * 9}] * 101}, "body.queries"),
    ],
)
def test_bad_requests_are_refused_before_any_charge(
    cube: Study, query: dict[str, Any], changes: dict[str, Any], location: str
) -> None:
    refused = ask(cube.analyst, cube, query, **changes)
    assert problem_code(refused) == "invalid-request", refused.text
    assert [error["location"] for error in refused.json()["errors"]] == [location]
    assert refused.json()["charged"] is False
    assert spent(cube) == "0"
    without = cube.analyst.post(f"/v1/datasets/{cube.dataset_id}/releases", {"queries": [{"weights": [1] * 9}]})
    assert problem_code(without) == "idempotency-key-missing"


def test_zcdp_budgets_are_charged_the_rho_of_the_shift(owner: Party, analyst: Party) -> None:
    budget = {"kind": "new", "budget": budget_body(accountant="zcdp")}
    dataset = owner.post("/v1/datasets", dataset_body(**CUBE, budget=budget))
    assert dataset.status_code == 201, dataset.text
    path, query = f"/v1/datasets/{dataset.json()['id']}/releases", {"of": {"labels": RICH}, "half_width": 30.0}
    answer = owner.post(path, querying(query, accountant="zcdp"), idempotency_key="z")
    assert answer.status_code == 201, answer.text
    [row], charged = answer.json()["measured"], answer.json()["charged"]
    x = float(row["rate"])
    assert charged["accountant"] == "zcdp"
    assert float(charged["rho"]) == pytest.approx(x + math.expm1(-x), rel=1e-6)


def long_study(owner: Party, analyst: Party) -> Study:
    wide = make_study(owner, analyst, labels=[f"c{i}" for i in range(40)], counts=[250] * 40)
    mechanism = {"kind": "simplex_geometric", "epsilon": "0.1"}
    assert analyst.release(wide.dataset_id, prior=[1] * 40, mechanism=mechanism).status_code == 201
    return wide


def sets_that_take_long() -> list[dict[str, Any]]:
    """Over forty cells. Beside noise of a release each is evaluated several times, a tenth of a second each."""
    return [
        {"of": {"labels": [f"c{i}" for i in range(40) if i % period < 2]}, "half_width": 60.0} for period in (3, 4, 5)
    ]


def test_rows_that_take_long_are_found_in_a_job_and_paid_under_the_same_key(
    owner: Party, analyst: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = long_study(owner, analyst)
    before = spent(wide)
    queries = sets_that_take_long()
    with monkeypatch.context() as hurried:
        hurried.setattr(*NOBODY_WAITS)
        told = ask_once(analyst, wide, *queries)
    assert (told.status_code, problem_code(told)) == (503, "preparation-pending"), told.text
    problem = told.json()
    assert (problem["charged"], problem["retry_safe"], problem["retryable"]) == (False, True, True)
    assert int(told.headers["Retry-After"]) > 0
    assert spent(wide) == before
    assert owner.get(problem["job"]).status_code == 404
    until(lambda: analyst.get(problem["job"]).json()["state"] != "pending")
    job = analyst.get(problem["job"]).json()
    assert (job["kind"], job["state"]) == ("preparation", "ready")
    # Charges by the caller meanwhile do not change the request.
    asked(analyst, wide, {"of": {"labels": ["c0"]}, "half_width": 500.0}, key="meanwhile")
    found = ask(analyst, wide, *queries)
    assert found.status_code == 201, found.text
    assert all(each["interval"]["half_width"] <= 60.0 for each in found.json()["answers"])
    assert ask(analyst, wide, *queries).content == found.content


@pytest.mark.long
def test_the_client_waits_for_the_job_and_gets_the_answers(
    owner: Party, analyst: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide, queries = long_study(owner, analyst), sets_that_take_long()
    waited: list[Waiting] = []

    def wait(waiting: Waiting) -> None:
        waited.append(waiting)
        monkeypatch.undo()

    monkeypatch.setattr(*NOBODY_WAITS)
    with Client.open(analyst.server.url, analyst.key, on_wait=wait) as client:
        found = client.create_release(
            wide.dataset_id, cast("QueryCreate", {"kind": "queries", **querying(*queries)}), idempotency_key="k"
        )
    assert len(found["answers"]) == len(queries)
    assert {each.problem["type"] for each in waited} == {"/problems/preparation-pending"}


def test_a_second_interval_of_version_0_2_is_refused_before_the_charge(cube: Study) -> None:
    query = {"of": {"labels": RICH}, "half_width": 60.0, "between": {"low": 100.0}}
    path = f"/v1/datasets/{cube.dataset_id}/releases"
    refused = cube.analyst.post(path, {"queries": [query], "constraints": True}, idempotency_key="second")
    assert (problem_code(refused), refused.json()["charged"]) == ("invalid-request", False)
    assert refused.json()["errors"][0]["location"] == "body.constraints"
    [answer] = asked(cube.analyst, cube, query)["answers"]
    assert answer["interval"]["high"] - answer["estimate"] == pytest.approx(answer["interval"]["half_width"])
    assert 0 < answer["probability"] <= 1


@pytest.mark.long
def test_one_plan_under_two_keys_is_paid_once(owner: Party, analyst: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = long_study(owner, analyst)
    queries = sets_that_take_long()
    with monkeypatch.context() as hurried:
        hurried.setattr(*NOBODY_WAITS)
        jobs = [ask_once(analyst, wide, *queries, key=key).json()["job"] for key in ("lost", "new")]
    assert len(set(jobs)) == 2
    until(lambda: all(analyst.get(job).json()["state"] != "pending" for job in jobs))
    first = asked(analyst, wide, *queries, key="lost")
    second = asked(analyst, wide, *queries, key="new")
    assert float(first["charged"]["epsilon"]) > 0
    assert second["charged"]["epsilon"] == "0"
    assert second["measured"] == []


@pytest.mark.long
def test_the_client_asks_again_if_its_job_was_removed(
    owner: Party, analyst: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide, queries = long_study(owner, analyst), sets_that_take_long()
    removed: list[str] = []

    def remove(waiting: Waiting) -> None:
        if not removed:
            removed.append(cast("str", waiting.problem["job"]))
            assert analyst.delete(removed[0]).status_code == 204
            monkeypatch.undo()

    monkeypatch.setattr(*NOBODY_WAITS)
    with Client.open(analyst.server.url, analyst.key, on_wait=remove) as client:
        found = client.create_release(
            wide.dataset_id, cast("QueryCreate", {"kind": "queries", **querying(*queries)}), idempotency_key="k"
        )
    assert len(found["answers"]) == len(queries)
    assert removed


def test_a_list_states_what_a_query_cost_its_grant_not_what_it_added_to_the_budget(cube: Study) -> None:
    """The budget's increase discloses whether others measured rows beside it."""
    second = cube.owner.server.new("analyst")
    grant = {"principal_id": second.principal_id, "epsilon": "0.5", "delta": "0"}
    assert cube.owner.post(f"/v1/datasets/{cube.dataset_id}/grants", grant).status_code == 201
    asked(cube.analyst, cube, *({"of": {"labels": each}, "half_width": 30.0} for each in (RICH, POOR)))
    before = spent(cube)
    paid = asked(second, cube, {"of": {"labels": MIDDLE}, "half_width": 40.0})
    assert (spent(cube) == before, Decimal(paid["charged"]["epsilon"]) > 0) == (True, True)
    [listed] = second.get("/v1/releases?kind=queries").json()["items"]
    assert listed["charged"] == paid["charged"]
