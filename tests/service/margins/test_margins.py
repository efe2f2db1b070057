"""Margins of a cross table: quoted, paid for as a release, combined, and read by everybody who may read releases."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from private_posterior.verification.evidence import require_entry, verify_evidence
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import VerificationError
from private_posterior.verification.texts import check_release, check_texts
from tests.harness.bodies import of_releases, querying
from tests.harness.installation import PUBLIC_KEYS
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.server import problem_code
from tests.service.margins.conftest import COUNTS, CrossTable, N

Tell = Callable[..., None]
FULL = np.array(COUNTS).reshape(3, 2, 1, 2)


def arrays(tables: list[dict[str, Any]]) -> dict[tuple[str, ...], np.ndarray[Any, Any]]:
    """The estimates of tables, by their attributes."""
    sizes = {"age": 3, "smoker": 2, "ward": 2}
    return {
        tuple(each["attributes"]): np.array(each["estimates"]).reshape([sizes[name] for name in each["attributes"]])
        for each in tables
    }


def test_a_charge_is_what_was_quoted_and_measures_what_was_quoted(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        body = {"all": 2, "epsilon": "0.5"}
        quoted = (await table.post(table.quotes, body)).json()
        assert (quoted["granted"], quoted["would_charge"]["epsilon"]) == (True, quoted["certified"]["epsilon"])
        paid = await table.pay(body)
        assert paid["charged"] == quoted["would_charge"]
        assert paid["certificate"] == quoted["certificate"]
        for name in ("measured", "tables"):
            for before, after in zip(quoted[name], paid[name], strict=True):
                assert before.items() <= after.items()
        assert sum(float(each["cost"]["epsilon"]) for each in paid["measured"]) == pytest.approx(0.5, abs=1e-8)
        assert float(paid["certified"]["epsilon"]) <= 0.5
        table.verify()

    tell(story)


def test_tables_agree_with_each_other_and_sum_to_the_public_number_of_records(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        paid = await table.pay({"all": 2, "epsilon": "1"})
        found = arrays(paid["tables"])
        assert set(found) == {("age", "smoker"), ("age", "ward"), ("smoker", "ward")}
        np.testing.assert_allclose(found["age", "smoker"].sum(1), found["age", "ward"].sum(1), atol=1e-9)
        np.testing.assert_allclose(found["age", "smoker"].sum(0), found["smoker", "ward"].sum(1), atol=1e-9)
        for estimates in found.values():
            assert estimates.sum() == pytest.approx(N, abs=1e-9)

    tell(story)


def test_at_a_large_amount_the_tables_are_the_true_ones(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        paid = await table.pay({"margins": [["ward", "age"], ["smoker"]], "epsilon": "50"})
        found = arrays(paid["tables"])
        np.testing.assert_allclose(found["age", "ward"], FULL.sum((1, 2)), atol=0.5)
        np.testing.assert_allclose(found["smoker",], FULL.sum((0, 2, 3)), atol=0.5)

    tell(story)


def test_the_same_request_under_the_same_key_is_free_and_byte_for_byte_the_same(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        body = {"all": 1, "epsilon": "0.25"}
        first = await table.post(table.path, body, key="once")
        again = await table.post(table.path, body, key="once")
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.text == again.text
        assert again.headers["idempotency-replayed"] == "true"
        other = await table.post(table.path, body | {"epsilon": "0.26"}, key="once")
        assert problem_code(other) == "idempotency-key-reused"
        release_id = first.json()["id"]
        assert (await table.get(f"/v1/releases/{release_id}")).text == first.text
        quoted = await table.post(table.quotes, body, key="once")
        assert quoted.json()["paid_under_key"]["id"] == release_id
        budget = (await table.get(f"/v1/budgets/{table.budget_id}")).json()
        assert budget["spent"] == first.json()["charged"]

    tell(story)


def test_under_zcdp_the_noise_is_discrete_gaussian_and_the_charge_is_in_rho(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        paid = await table.pay({"all": 2, "rho": "0.1"})
        assert {each["noise"] for each in paid["measured"]} == {"discrete_gaussian"}
        assert float(paid["charged"]["rho"]) == pytest.approx(0.1, abs=1e-9)
        assert paid["charged"]["delta"] == "0"
        assert paid["mechanism"] == {"kind": "margins", "rho": paid["certified"]["rho"]}
        wrong = await table.post(table.quotes, {"all": 2, "epsilon": "1"})
        assert wrong.json()["errors"][0]["location"] == "body.epsilon"
        twice = await table.post(table.quotes, {"all": 2, "rho": "0.1", "delta_to_spend": "1e-6"})
        assert twice.json()["errors"][0]["location"] == "body.delta_to_spend"
        table.verify()

    budget = {"accountant": "zcdp", "epsilon": "5", "delta": "1e-6", "delta_conversion": "1e-6"}
    tell(story, budget=budget)


def test_blocks_of_tables_share_one_draw_and_are_narrower(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        body = {"all": 1, "epsilon": "1", "noise": "blocks"}
        quoted = (await table.post(table.quotes, body)).json()
        apart = (await table.post(table.quotes, {"all": 1, "epsilon": "1"})).json()
        paid = await table.pay(body)
        assert paid["charged"] == quoted["would_charge"] == {"accountant": "basic", "epsilon": "1", "delta": "0"}
        assert paid["mechanism"] == {"kind": "margins", "epsilon": "1"}
        assert paid["event"]["event"] == "blocks"
        assert {(each["noise"], each["block"]) for each in paid["measured"]} == {("max_norm", 1)}
        assert {each["cost"]["epsilon"] for each in paid["measured"]} == {"1"}
        for name in ("measured", "tables"):
            for before, after in zip(quoted[name], paid[name], strict=True):
                assert before.items() <= after.items()
        for each in paid["measured"]:
            assert sum(each["noisy_counts"]) == N
        for each, other in zip(paid["tables"], apart["tables"], strict=True):
            assert sum(each["estimates"]) == N
            assert each["standard_deviation"] < other["standard_deviation"]
            assert all("simultaneous_half_width" not in of for of in other["intervals"])
        at_once = {tuple(of["simultaneous_half_width"] for of in each["intervals"]) for each in paid["tables"]}
        (widths,) = at_once  # all tables are of one block
        for each in paid["tables"]:
            assert all(at > of["half_width"] for at, of in zip(widths, each["intervals"], strict=True))
        table.verify()
        ledger = await table.get(f"/v1/budgets/{table.budget_id}/ledger.jsonl")
        assert list(faults_of_release(paid, verify_ledger(ledger.content, PUBLIC_KEYS), PUBLIC_KEYS)) == []
        wanted = body | {"half_widths": [10.0], "max_charge": {"epsilon": "50"}}
        del wanted["epsilon"]
        found = (await table.post(table.quotes, wanted)).json()
        assert all(each["intervals"][1]["half_width"] <= 10 for each in found["tables"])

    tell(story)


def test_tables_of_blocks_are_read_in_their_release_and_answer_one_share_at_a_time(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        paid = await table.pay({"all": 1, "epsilon": "1", "noise": "blocks"})
        refused = await table.post(table.estimates, {"all": 1})
        assert "needs a release of margins" in refused.json()["errors"][0]["rule"]
        await table.pay({"all": 1, "epsilon": "0.5"})
        free = (await table.post(table.estimates, {"all": 1})).json()
        assert [(each["release_id"], "one draw of noise" in each["reason"]) for each in free["excluded_releases"]] == [
            (paid["id"], True)
        ]
        asked = {"queries": [{"of": {"where": {"smoker": ["yes"]}}}]}
        answered = (await table.post(table.estimates, asked)).json()
        assert [each["release_id"] for each in answered["excluded_releases"]] == [paid["id"]]
        source = {"kind": "release", "release_id": paid["id"]}
        found = await table.post("/v1/posteriors", {"sources": [source | {"margin": ["smoker"]}]})
        assert found.status_code == 200, found.text
        (yes,) = [each for each in found.json()["categories"] if each["label"] == "yes"]
        truth = FULL.sum((0, 2, 3))[1] / N
        assert abs(yes["mean"] - truth) < 0.05
        of_age, older = {"sources": [source | {"margin": ["age"]}]}, {"labels": ["middle", "old"]}
        shares = [{"kind": "share", "of": older, "above": 0.5}, {"kind": "share", "of": {"labels": ["young"]}}]
        several = (await table.post("/v1/posteriors", of_age | {"questions": shares})).json()
        assert "share one draw of noise" in several["warnings"][0]
        truths = dict(zip(("young", "middle", "old"), (FULL.sum((1, 2, 3)) / N).tolist(), strict=True))
        for each in several["categories"]:
            assert abs(each["mean"] - truths[each["label"]]) < 0.05
        of_set, alone = several["answers"]
        assert abs(of_set["mean"] - truths["middle"] - truths["old"]) < 0.05
        assert alone["mean"] == several["categories"][0]["mean"]
        first, second = ({"of": {"labels": [each]}} for each in ("young", "old"))
        contrast = {"kind": "ratio", "first": first, "second": second}
        refused = (await table.post("/v1/posteriors", of_age | {"questions": [contrast]})).json()
        assert (refused["kind"], "ask for one share" in refused["reason"]) == ("unavailable", True)

    tell(story)


def test_blocks_need_a_public_number_of_records_tables_apart_and_a_basic_budget(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        for priced in ({"epsilon": "1"}, {"half_widths": [9.0], "max_charge": {"epsilon": "1"}}):
            overlapping = await table.post(table.quotes, {"all": 2, "noise": "blocks", **priced})
            [error] = overlapping.json()["errors"]
            assert (error["location"], error["rule"][-14:]) == ("body.all", "do not overlap")
        both = {"all": 1, "epsilon": "1", "noise": "blocks", "delta_to_spend": "1e-6"}
        assert (await table.post(table.quotes, both)).status_code == 422

    async def of_a_private_number(table: CrossTable) -> None:
        answer = await table.post(table.quotes, {"all": 1, "epsilon": "1", "noise": "blocks"})
        assert answer.json()["errors"][0]["location"] == "body.noise"

    tell(story)
    tell(of_a_private_number, n_is_public=False)


def test_a_delta_is_spent_for_gaussian_noise_where_that_is_more_precise(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        body = {"all": 1, "epsilon": "1"}
        charges = {"0.01": ("discrete_gaussian", "0.01"), "1e-15": ("geometric", "0")}
        geometric = (await table.post(table.quotes, body)).json()
        for asked, (noise, delta) in charges.items():
            paid = await table.pay(body | {"delta_to_spend": asked})
            assert {each["noise"] for each in paid["measured"]} == {noise}
            assert paid["charged"]["delta"] == paid["certified"]["delta"] == delta
            assert 0.999 < float(paid["charged"]["epsilon"]) <= 1
            assert set(paid["mechanism"]) == {"kind", "epsilon" if noise == "geometric" else "rho"}
            assert {each["cost"]["accountant"] for each in paid["measured"]} == {
                "basic" if noise == "geometric" else "zcdp"
            }
            of = [
                sum(each["standard_deviation"] ** 2 for each in tables)
                for tables in (paid["tables"], geometric["tables"])
            ]
            assert of[0] <= of[1] * (1.001 if noise == "geometric" else 0.8)
        free = await table.post(table.estimates, {"all": 1})
        assert len(free.json()["used"]) == 2
        wanted = {"all": 1, "half_widths": [6.0], "max_charge": {"epsilon": "50"}}
        cheaper, dearer = [
            (await table.post(table.quotes, wanted | more)).json() for more in ({"delta_to_spend": "0.01"}, {})
        ]
        assert float(cheaper["would_charge"]["epsilon"]) < float(dearer["would_charge"]["epsilon"])
        assert all(each["intervals"][1]["half_width"] <= 6 for each in cheaper["tables"])
        table.verify()

    tell(story, budget={"epsilon": "100", "delta": "0.5"})


def test_wanted_half_widths_are_met_by_every_table(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        body = {"all": 2, "half_widths": [30.0], "confidence": 0.9}
        quoted = (await table.post(table.quotes, body)).json()
        for each in quoted["tables"]:
            [half] = [of["half_width"] for of in each["intervals"] if of["confidence"] == 0.9]
            assert half <= 30
        assert (await table.pay(body | {"max_charge": {"epsilon": "10"}}))["charged"] == quoted["would_charge"]

    async def out_of_reach(table: CrossTable) -> None:
        refused = await table.post(table.quotes, {"all": 2, "half_widths": [1.0]})
        [error] = refused.json()["errors"]
        assert error["location"] == "body.half_widths"
        assert "the least at epsilon 50 are" in error["rule"]

    tell(story)
    tell(out_of_reach, one_record_per_unit=None, records_per_unit=1000)


@pytest.mark.parametrize("noise", ["independent", "blocks"])
def test_a_limit_does_not_change_what_half_widths_cost_and_finds_what_was_paid_for(tell: Tell, noise: str) -> None:
    async def story(table: CrossTable) -> None:
        body = {"all": 1, "half_widths": [20.0], "noise": noise, "once": True}
        paid = await table.pay(body | {"max_charge": {"epsilon": "10"}})
        for limit in ("7", paid["charged"]["epsilon"], "0.001", "0"):
            again = await table.pay(body | {"max_charge": {"epsilon": limit}})
            assert again["id"] == paid["id"], limit
        above = {"half_widths": [10.0], "max_charge": {"epsilon": "0.01"}}
        refused = (await table.post(table.path, body | above, key="above")).json()
        assert refused["type"] == "/problems/max-charge-exceeded"
        assert float(refused["certified"]["epsilon"]) > 0.01
        table.verify()

    tell(story)


def test_a_release_of_margins_is_listed_published_and_read_as_every_release(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        analyst = await table.analyst(epsilon="2")
        paid = await table.pay({"all": 2, "epsilon": "1"}, who=analyst)
        release_id = paid["id"]
        for path in ("/v1/releases", f"/v1/releases?dataset_id={table.dataset_id}", "/v1/releases?kind=margins"):
            [listed] = (await table.get(path, analyst)).json()["items"]
            assert (listed["id"], listed["mechanism"]) == (release_id, paid["mechanism"])
            assert listed["kind"] == "margins"
        assert (await table.get("/v1/releases?kind=counts&kind=queries", analyst)).json()["items"] == []
        other = await table.analyst(epsilon="1")
        assert (await table.get(f"/v1/releases/{release_id}", other)).status_code == 404
        public = f"/v1/public/releases/{release_id}"
        assert (await table.get(public)).status_code == 404
        change = await table.service.send(table.owner, "PATCH", f"/v1/releases/{release_id}", {"public": True})
        assert change.json()["public"] is True
        text = (await table.get(public)).json()
        assert text["tables"] == paid["tables"]
        assert not {"receipt", "principal_id", "remaining_after"} & text.keys()
        assert text["kind"] == "margins"
        seen = await table.get(f"/v1/releases/{release_id}", other)
        assert (seen.status_code, seen.headers["location"]) == (303, f"../public/releases/{release_id}")
        statement = await table.get(f"/v1/datasets/{table.dataset_id}/statement")
        assert statement.status_code == 200, statement.text
        words = await table.get(f"/v1/datasets/{table.dataset_id}/statement.txt")
        assert ": margins, charged epsilon" in words.text
        table.verify()

    tell(story)


def test_a_measured_margin_answers_every_question_of_a_release(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        paid = await table.pay({"margins": [["age", "smoker"]], "epsilon": "50"})
        [margin] = [each["attributes"] for each in paid["measured"]]
        body = of_releases(paid["id"], margin=margin[::-1]) | {
            "questions": [{"kind": "share", "of": {"where": {"smoker": "yes"}}, "within": {"where": {"age": "old"}}}],
            "by": {"attributes": ["age"], "question": {"kind": "share", "of": {"where": {"smoker": "yes"}}}},
        }
        answer = await table.post("/v1/posteriors", body)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        smokers, old = FULL[2, 1].sum(), FULL[2].sum()
        assert found["answers"][0]["mean"] == pytest.approx((smokers + 1) / (old + 2), abs=5e-3)
        assert [each["label"] for each in found["categories"]][:2] == ["young · no", "young · yes"]
        for wrong in (None, ["ward"], ["nothing"]):
            refused = await table.post("/v1/posteriors", of_releases(paid["id"], margin=wrong))
            assert refused.json()["errors"][0]["location"] == "body.sources[0].margin"
        picture = await table.get(f"/v1/releases/{paid['id']}/plot.svg?margin=age&margin=smoker")
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")

    tell(story)


def test_tables_combine_the_margins_of_all_releases(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        path = table.estimates
        nothing = await table.post(path, {"all": 1})
        assert "needs a release of margins" in nothing.text
        first = await table.pay({"margins": [["age"]], "epsilon": "0.5"})
        undetermined = await table.post(path, {"margins": [["age", "ward"]]})
        assert undetermined.json()["errors"][0]["location"] == "body.margins"
        second = await table.pay({"margins": [["age", "ward"]], "epsilon": "0.5"})
        combined = (await table.post(path, {"margins": [["age"]], "constraints": True})).json()
        assert combined["used"] == [first["id"], second["id"]]
        deviations = [each["tables"][0]["standard_deviation"] for each in (combined, first)]
        assert deviations[0] < deviations[1]
        [constrained] = combined["constrained"]
        assert (min(constrained["counts"]) >= 0, sum(constrained["counts"])) == (True, N)
        analyst = await table.analyst(epsilon="1")
        assert "needs a release of margins" in (await table.post(path, {"all": 1}, analyst)).text

    tell(story)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"all": 2}, "body"),
    ({"epsilon": "1"}, "body"),
    ({"all": 2, "margins": [["age"]], "epsilon": "1"}, "body"),
    ({"all": 2, "epsilon": "1", "half_widths": [5]}, "body"),
    ({"all": 4, "epsilon": "1"}, "body.all"),
    ({"all": 0, "epsilon": "1"}, "body.all"),
    ({"margins": [], "epsilon": "1"}, "body.margins"),
    ({"margins": [[]], "epsilon": "1"}, "body.margins[0]"),
    ({"margins": [["country"]], "epsilon": "1"}, "body.margins[0]"),
    ({"margins": [["age"], ["height"]], "epsilon": "1"}, "body.margins[1][0]"),
    ({"margins": [["age", "age"]], "epsilon": "1"}, "body.margins[0]"),
    ({"margins": [["age"], ["age", "country"]], "epsilon": "1"}, "body.margins[1]"),
    ({"margins": [["age"]] * 2001, "epsilon": "1"}, "body.margins"),
    ({"all": 2, "epsilon": "51"}, "body.epsilon"),
    ({"all": 2, "epsilon": "0"}, "body.epsilon"),
    ({"all": 2, "rho": "1"}, "body.rho"),
    ({"all": 2, "epsilon": "1", "weights": [1]}, "body.weights"),
    ({"all": 2, "epsilon": "1", "weights": [1, 1, 0]}, "body.weights[2]"),
    ({"all": 2, "half_widths": [1, 2]}, "body.half_widths"),
    ({"all": 2, "half_widths": [0]}, "body.half_widths[0]"),
    ({"all": 2, "half_widths": [5], "weights": [1, 1, 1]}, "body"),
    ({"all": 2, "half_widths": [5], "confidence": 95}, "body.confidence"),
    ({"all": 2, "epsilon": "1", "nothing": 1}, "body.nothing"),
]


def test_every_wrong_request_is_refused_uncharged_at_its_field(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        for refused, location in REFUSED:
            limit = {"max_charge": {"epsilon": "10"}} if "half_widths" in refused else {}
            body = refused | limit
            for path in (table.quotes, table.path):
                answer = await table.post(path, {"kind": "margins", **body}, key="wrong")
                assert answer.status_code == 422, (body, answer.text)
                problem = answer.json()
                assert problem["charged"] is False
                assert location in {each["location"] for each in problem["errors"]}, (body, problem)
        budget = (await table.get(f"/v1/budgets/{table.budget_id}")).json()
        assert budget["spent"]["epsilon"] == "0"

    tell(story)


def test_tables_that_need_too_many_margins_are_refused_before_they_are_planned_at_the_field_that_names_them(
    tell: Tell,
) -> None:
    async def story(table: CrossTable) -> None:
        answer = await table.service.send(table.owner, "POST", table.quotes, {"all": 6, "half_widths": [0.001]})
        assert answer.json()["errors"][0]["location"] == "body.all", answer.text

    levels = [{"name": f"attribute {number}", "levels": ["no", "yes"]} for number in range(11)]
    tell(story, attributes=levels, counts=[1] * 2**11)


def test_a_data_set_without_attributes_has_no_margins(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        answer = await table.post(table.quotes, {"all": 1, "epsilon": "1"})
        assert "needs a data set with attributes" in answer.json()["errors"][0]["rule"]

    tell(story, attributes=None, labels=[f"cell {number}" for number in range(12)])


def test_a_budget_that_allows_other_mechanisms_refuses_margins(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        body = {"all": 1, "epsilon": "1"}
        change = {"allowed_mechanisms": ["simplex_geometric"]}
        await table.service.send(table.owner, "PATCH", f"/v1/budgets/{table.budget_id}", change)
        answer = await table.post(table.path, body, key="refused")
        assert problem_code(answer) == "mechanism-not-allowed"
        quoted = (await table.post(table.quotes, body)).json()
        assert (quoted["granted"], quoted["blocked_by"]) == (False, "mechanism-not-allowed")
        change = {"allowed_mechanisms": ["margins"]}
        await table.service.send(table.owner, "PATCH", f"/v1/budgets/{table.budget_id}", change)
        await table.pay(body)

    tell(story)


def test_linear_queries_are_answered_from_margins_as_the_tables_are(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        paid = await table.pay({"all": 2, "epsilon": "1"})
        before = await table.post(table.estimates, {"queries": [OLD_SMOKERS]})
        [answer] = before.json()["answers"]
        [of_table] = [each for each in paid["tables"] if each["attributes"] == ["age", "smoker"]]
        assert answer["estimate"] == pytest.approx(of_table["estimates"][5], abs=1e-6)
        [half] = [each["half_width"] for each in of_table["intervals"] if each["confidence"] == 0.95]
        assert answer["interval"]["half_width"] == pytest.approx(half, rel=0.06)
        assert [each["release_id"] for each in answer["used"]] == [paid["id"]]
        free = await table.post(
            f"/v1/datasets/{table.dataset_id}/releases", querying(OLD_SMOKERS | {"half_width": 1000.0}), key="free"
        )
        assert (free.status_code, free.json()["charged"]["epsilon"]) == (201, "0")
        [used] = answer["used"]
        assert len(used["weights"]) == sum(each["cell_count"] for each in paid["measured"])
        measured = await table.post(
            f"/v1/datasets/{table.dataset_id}/releases", querying(OLD_SMOKERS | {"half_width": 3.0}), key="paid"
        )
        assert float(measured.json()["charged"]["epsilon"]) > 0
        used = measured.json()["answers"][0]["used"]
        assert paid["id"] in [each["release_id"] for each in used]
        table.verify()

    tell(story)


OLD_SMOKERS: dict[str, Any] = {"of": {"where": {"age": ["old"], "smoker": ["yes"]}}}


@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_the_client_verifies_a_release_of_margins_and_names_what_was_changed(tell: Tell, accountant: str) -> None:
    async def story(table: CrossTable) -> None:
        await table.pay({"all": 2, "epsilon": "1"} if accountant == "basic" else {"all": 2, "rho": "0.1"})
        [listed] = (await table.get("/v1/releases")).json()["items"]
        text = (await table.get(f"/v1/releases/{listed['id']}")).text
        signature = (await table.get(f"/v1/releases/{listed['id']}/signature")).json()
        export = (await table.get(f"/v1/budgets/{table.budget_id}/ledger.jsonl")).content
        ledger = verify_ledger(export, PUBLIC_KEYS)

        def faults(change: Callable[[dict[str, Any]], object] = lambda _: None) -> str:
            release = json.loads(text)
            change(release)
            return " ".join(faults_of_release(release, ledger, PUBLIC_KEYS))

        assert faults() == ""
        assert check_release(text, json.loads(text), PUBLIC_KEYS, signature).unchecked == ()
        altered = json.loads(text)
        altered["event"]["losses"] = ["0.1"] * len(altered["event"]["losses"])
        with pytest.raises(VerificationError, match="it is not the text that the service signed"):
            check_release(json.dumps(altered), altered, PUBLIC_KEYS, signature)
        measured = querying(OLD_SMOKERS | {"half_width": 30.0}, accountant=accountant)
        queries = await table.post(f"/v1/datasets/{table.dataset_id}/releases", measured, key="paid")
        await table.service.send(table.owner, "PATCH", f"/v1/releases/{listed['id']}", {"public": True})
        public = (await table.get(f"/v1/public/releases/{listed['id']}")).text
        evidence = (await table.get(f"/v1/public/releases/{listed['id']}/evidence")).text
        texts = [(each, json.loads(each), None) for each in (text, public, evidence)]
        assert [each.unchecked for each in check_texts(texts, PUBLIC_KEYS)] == [(), ()]
        drawn = json.loads(json.loads(evidence)["drawn"])
        assert drawn["noisy"] == [each["noisy_counts"] for each in json.loads(text)["measured"]]
        path = f"/v1/releases/{queries.json()['id']}/evidence"
        of_queries = verify_evidence((await table.get(path)).json(), PUBLIC_KEYS)
        export = (await table.get(f"/v1/budgets/{table.budget_id}/ledger.jsonl")).content
        assert require_entry(of_queries, verify_ledger(export, PUBLIC_KEYS)) == of_queries.body["sequence"]
        assert (await table.get(path.replace("releases", "public/releases"))).status_code == 404
        assert "are not those of the registered" in faults(lambda each: each["attributes"][0]["levels"].reverse())
        assert "of another size" in faults(lambda each: each["event"].update(impossible=[[0, 0, 0, 0]]))

    zcdp = {"accountant": "zcdp", "epsilon": "5", "delta": "1e-6", "delta_conversion": "1e-6"}
    tell(story, budget=zcdp if accountant == "zcdp" else {"epsilon": "5", "delta": "0"})


@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_margins_of_a_table_whose_number_of_records_is_private(tell: Tell, accountant: str) -> None:
    async def story(table: CrossTable) -> None:
        amount = {"epsilon": "1"} if accountant == "basic" else {"rho": "0.1"}
        quoted = (await table.post(table.quotes, {"all": 2, **amount})).json()
        paid = await table.pay({"all": 2, **amount})
        assert (paid["charged"], paid["record_count"]) == (quoted["would_charge"], None)
        assert paid["certificate"]["relation"] == "add_remove"
        found = arrays(paid["tables"])
        np.testing.assert_allclose(found["age", "smoker"].sum(1), found["age", "ward"].sum(1), atol=1e-9)
        assert found["age", "ward"].sum() == pytest.approx(found["smoker", "ward"].sum(), abs=1e-8)
        margin = paid["measured"][0]["attributes"]
        answer = await table.post("/v1/posteriors", of_releases(paid["id"], margin=margin))
        assert (answer.status_code, answer.json()["kind"]) == (200, "noise_aware")
        path = table.estimates
        assert (await table.post(path, {"all": 1})).status_code == 200
        refused = await table.post(path, {"all": 1, "constraints": True})
        assert refused.json()["errors"][0]["location"] == "body.constraints"
        for place, body, rule in (
            ("/v1/posteriors", of_releases(paid["id"]), "is required for a release of margins"),
            (path, {"margins": [["country"]]}, "must have an attribute with several levels"),
        ):
            assert (await table.post(place, body)).json()["errors"][0]["rule"] == rule
        queried = await table.post(table.estimates, {"queries": [OLD_SMOKERS]})
        assert queried.json()["answers"][0] is not None, queried.text
        table.verify()

    zcdp = {"accountant": "zcdp", "epsilon": "5", "delta": "1e-6", "delta_conversion": "1e-6"}
    budget = zcdp if accountant == "zcdp" else {"epsilon": "5", "delta": "0"}
    tell(story, budget=budget, n_is_public=False, relation="add_remove")


def test_altered_noisy_counts_are_not_served_and_are_named_by_the_ledger(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        for column in ("drawn", "result"):
            paid = await table.pay({"all": 1, "epsilon": "0.5"})
            noisy = str(paid["measured"][0]["noisy_counts"][0])
            table.execute(
                f"UPDATE releases SET {column} = replace({column}, :noisy, '7') WHERE id = :release",  # noqa: S608
                noisy=noisy,
                release=paid["id"],
            )
            assert problem_code(await table.get(f"/v1/releases/{paid['id']}")) == "release-altered"
            combined = await table.post(table.estimates, {"all": 1})
            assert "needs a release of margins" in combined.text
        with pytest.raises(AssertionError, match="were altered"):
            table.verify()

    tell(story)


def test_a_plan_that_takes_long_is_a_job_and_the_same_request_is_then_paid(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(table: CrossTable) -> None:
        body = {"all": 2, "epsilon": "0.5", "confidence": 0.8}
        with monkeypatch.context() as hurried:
            hurried.setattr(*NOBODY_WAITS)
            pending = await table.service.send(table.owner, "POST", table.path, body, **{"Idempotency-Key": "slow"})
        assert (pending.status_code, problem_code(pending)) == (503, "preparation-pending"), pending.text
        problem = pending.json()
        assert (problem["charged"], problem["retry_safe"], problem["retryable"]) == (False, True, True)
        job = (await table.get(problem["job"])).json()
        assert job["kind"] == "preparation"
        paid = await table.pay(body, "slow")
        assert paid["state"] == "complete"
        assert {each["confidence"] for each in paid["tables"][0]["intervals"]} == {0.8, 0.9, 0.95, 0.99}

    tell(story)


@pytest.mark.long
def test_half_widths_of_any_size_are_met_or_refused_at_their_field(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        path = table.quotes
        for half_widths in ([1e-300], [1e15, 1e-300, 1.0]):
            refused = await table.post(path, {"all": 1, "half_widths": half_widths})
            assert refused.status_code == 422, refused.text
            assert refused.json()["errors"][0]["location"].startswith("body.half_widths")
        narrow = (await table.post(path, {"all": 1, "half_widths": [0.001]})).json()
        assert float(narrow["full_release"]["would_charge"]["rho"]) > 1
        wide = await table.post(path, {"all": 1, "half_widths": [1e15]})
        assert wide.status_code == 200, wide.text
        assert float(wide.json()["would_charge"]["rho"]) < 1e-6

    tell(story, budget={"accountant": "zcdp", "epsilon": "5", "delta": "1e-6", "delta_conversion": "1e-6"})


def test_a_delta_of_0_is_refused_at_its_field(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        for path in (table.quotes, table.path):
            refused = await table.post(path, {"all": 1, "rho": "0.1", "delta": "0"}, key="delta")
            assert refused.status_code == 422, refused.text
            [error] = refused.json()["errors"]
            assert (error["location"], error["rule"][:15]) == ("body.delta", "must be above 0")

    tell(story, budget={"accountant": "zcdp", "epsilon": "5", "delta": "1e-6", "delta_conversion": "1e-6"})


def test_a_delta_to_spend_of_0_is_refused_at_its_field(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        for path in (table.quotes, table.path):
            refused = await table.post(path, {"all": 1, "epsilon": "0.1", "delta_to_spend": "0"}, key="delta")
            assert refused.status_code == 422, refused.text
            [error] = refused.json()["errors"]
            assert (error["location"], error["rule"][:15]) == ("body.delta_to_spend", "must be above 0")

    tell(story)


def test_margins_are_compared_with_a_release_of_all_attributes(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        path = table.quotes
        one = (await table.post(path, {"margins": [["age"]], "epsilon": "1"})).json()
        assert one["full_release"]["half_widths"][0] > 1.7 * one["tables"][0]["intervals"][-2]["half_width"]
        assert one["full_release"]["is_nearly_as_precise"] is False
        all_three = (await table.post(path, {"all": 3, "epsilon": "1"})).json()
        assert all_three["full_release"]["is_nearly_as_precise"] is True
        assert all_three["full_release"]["half_widths"][0] == pytest.approx(
            all_three["tables"][0]["intervals"][-2]["half_width"]
        )

    tell(story)


@pytest.mark.long
def test_the_price_of_an_equally_precise_release_is_right_where_there_is_hardly_any_noise(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        async def quote(epsilon: float) -> dict[str, Any]:
            body = {"margins": [["age"]], "epsilon": f"{epsilon:.6f}"}
            found: dict[str, Any] = (await table.post(table.quotes, body)).json()
            return found

        wanted = await quote(4)
        target = wanted["tables"][0]["intervals"][-2]["half_width"]
        price = float(wanted["full_release"]["would_charge"]["epsilon"])
        below, above = [(await quote(price * each))["full_release"]["half_widths"][0] for each in (0.9, 1.05)]
        assert above <= target < below

    tell(story)


def test_margins_of_more_work_than_a_query_may_take_are_left_out_of_its_history(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(table: CrossTable) -> None:
        paid = await table.pay({"all": 2, "epsilon": "1"})
        monkeypatch.setattr("service.queries.readable_history._MAX_WORK", 2 * len(COUNTS) ** 2)
        found = (await table.post(table.estimates, {"queries": [OLD_SMOKERS]})).json()
        assert (found["answers"], found["excluded_releases"][0]["release_id"]) == ([None], paid["id"])

    tell(story)


def test_a_public_release_of_blocks_is_complete_and_has_evidence(tell: Tell) -> None:
    async def story(table: CrossTable) -> None:
        paid = await table.pay({"all": 1, "epsilon": "1", "noise": "blocks"})
        await table.service.send(table.owner, "PATCH", f"/v1/releases/{paid['id']}", {"public": True})
        public = (await table.get(f"/v1/public/releases/{paid['id']}")).text
        evidence = (await table.get(f"/v1/public/releases/{paid['id']}/evidence")).text
        for name in ("event", "measured", "tables", "certificate"):
            assert json.loads(public)[name] == paid[name]
        assert json.loads(json.loads(evidence)["spec"])["event"] == paid["event"]

    tell(story)
