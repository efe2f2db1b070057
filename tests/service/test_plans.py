"""Widths, prices and odds at one or many values of epsilon in one answer, free."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import special

from service.posteriors.plans import made_up
from service.schemas.plans import MAX_PLANNED_CHARGES, MAX_PLANNED_QUESTIONS, PlanCreate
from tests.harness.bodies import budget_body, share
from tests.harness.server import Party, problem_code
from tests.service.conftest import dataset_body, make_study


def question(*labels: str) -> dict[str, Any]:
    return {"kind": "share", **share(*labels)}


ASKED: dict[str, Any] = {
    "prior": [1, 1, 1],
    "data": {"kind": "counts", "counts": [30, 200, 770]},
    "epsilons": ["0.1", "0.2", "0.5", "1"],
    "delta": "1e-6",
    "questions": [question("0")],
}


def curve(found: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The options of one kind of mechanism that can run, in the order of their epsilon."""
    options = [option for point in found["points"] for option in point["options"] if option["kind"] == kind]
    return [option for option in options if option["mechanism"] is not None]


@pytest.mark.parametrize(
    ("shape", "expected"), [("even", [34, 33, 33]), ("falling", [55, 27, 18]), ("prior_mean", [70, 20, 10])]
)
def test_made_up_counts_have_their_shape_and_sum(shape: str, expected: list[int]) -> None:
    data = {"kind": "shape", "shape": shape, "record_count": 100}
    request = PlanCreate.model_validate({"prior": [7, 2, 1], "data": data, "epsilons": ["1"]})
    assert made_up(request, 3).tolist() == expected


def test_a_plan_shows_widths_prices_and_odds_at_each_epsilon(analyst: Party) -> None:
    answer = analyst.post("/v1/plans", ASKED)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert [point["epsilon"] for point in found["points"]] == ASKED["epsilons"]
    [exact] = found["without_noise"]
    assert (exact["question"]["of"]["labels"], found["level"], found["target"]) == (["0"], 0.95, None)
    for kind in ("simplex_geometric", "laplace", "gaussian"):
        options = curve(found, kind)
        widths = [option["intervals"][0]["width"] for option in options]
        assert len(widths) == 4
        assert widths == sorted(widths, reverse=True)
        assert widths[-1] > 0.95 * exact["width"]
        for point, option in zip(found["points"], options, strict=True):
            assert option["odds"] == pytest.approx(math.exp(float(option["certified"]["epsilon"])))
            assert float(option["certified"]["epsilon"]) <= float(point["epsilon"])
            assert option["statement"]
            assert option["error"] is None
            assert 0.9 < option["intervals"][0]["contains"] <= 1


def test_a_point_does_not_depend_on_the_other_points(analyst: Party) -> None:
    several = ASKED | {"records_per_unit": 3, "epsilons": ASKED["epsilons"][1:]}
    points = analyst.post("/v1/plans", several).json()["points"]
    alone = analyst.post("/v1/plans", several | {"epsilons": ["0.5"]}).json()["points"]
    assert alone[0]["options"][:3] == points[1]["options"][:3]
    assert alone[0]["recommended"] == points[1]["recommended"]


def test_the_interval_of_a_rare_share_is_not_the_guess_plus_or_minus_half_its_width(analyst: Party) -> None:
    """3 of 1 400: exact counts give the interval of Beta(3.5, 1397.5), and much noise leaves far more above."""
    asked = ASKED | {"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 1397]}, "epsilons": ["0.1", "10"]}
    for label, ends in (("0", lambda pair: pair), ("1", lambda pair: [1 - each for each in reversed(pair)])):
        found = analyst.post("/v1/plans", asked | {"questions": [question(label)], "counts": "exact"}).json()
        exact = special.betaincinv(3.5, 1397.5, [0.025, 0.975]).tolist()
        [interval] = found["without_noise"]
        assert ends([interval["low"], interval["high"]]) == pytest.approx(exact)
        intervals = [option["intervals"][0] for option in curve(found, "simplex_geometric")]
        noisy, close = (ends([each[end] for end in ("low", "high")]) for each in intervals)
        assert close == pytest.approx(exact, rel=0.05)
        assert noisy[0] >= 0
        assert noisy[1] - 3 / 1400 > 3 * (3 / 1400 - noisy[0])


def test_a_plan_for_a_budget_in_rho_compares_at_equal_rho(analyst: Party) -> None:
    """At (20, 80) and ρ 0.005 geometric noise is 0.48 wide and Gaussian noise 0.37."""
    asked = {"data": {"kind": "counts", "counts": [20, 80]}, "accountant": "zcdp", "rhos": ["0.005"], "delta": "1e-6"}
    found = analyst.post("/v1/plans", asked).json()
    [point] = found["points"]
    assert (point["epsilon"], point["rho"], found["accountant"]) == (None, "0.005", "zcdp")
    widths = {each["kind"]: each["intervals"][0]["width"] for each in point["options"]}
    assert widths["gaussian"] < 0.38
    assert widths["simplex_geometric"] > 0.48
    assert point["recommended"]["mechanism"] == {"kind": "gaussian", "rho": "0.005", "delta": "0.000001"}
    assert all(float(each["certified"]["rho"]) <= 0.005 for each in point["options"])


def test_a_planned_mechanism_is_released_at_its_planned_price_from_a_budget_in_rho(
    owner: Party, analyst: Party
) -> None:
    budget = {"kind": "new", "budget": budget_body(accountant="zcdp", epsilon="9", delta="1e-6")}
    made = owner.post("/v1/datasets", dataset_body(counts=[30, 200, 770], labels=list("abc"), budget=budget))
    assert made.status_code == 201, made.text
    dataset = made.json()
    share_of_budget = {"principal_id": analyst.principal_id, "rho": "0.5", "delta": "1e-6"}
    granted = owner.post(f"/v1/datasets/{dataset['id']}/grants", share_of_budget)
    assert granted.status_code == 201, granted.text
    asked = {"data": {"kind": "counts", "counts": [30, 200, 770]}, "delta": "1e-6"}
    found = analyst.post("/v1/plans", asked | {"accountant": "zcdp", "rhos": ["0.02"]}).json()
    for option in found["points"][0]["options"]:
        body = {"prior": [1, 1, 1], "mechanism": option["mechanism"]}
        quoted = analyst.post(f"/v1/datasets/{dataset['id']}/quotes", body).json()
        assert quoted["certified"] == option["certified"]
        assert float(quoted["would_charge"]["rho"]) <= 0.02


@pytest.mark.parametrize(
    "change",
    [
        {"epsilons": None}, {"rhos": ["0.1"]}, {"accountant": "zcdp"},
        {"accountant": "zcdp", "rhos": ["0.1", "0.05"], "epsilons": None}, {"target_of": "ratio"}, {"above": 1.0},
        {"target_power": 0.8}, {"mechanisms": ["geometric"]}, {"counts": "sampled"},
        {"data": {"kind": "counts", "counts": [0, 200, 800]}}, {"data": {"kind": "counts", "counts": [1000, 0, 0]}},
    ],
)  # fmt: skip
def test_a_plan_without_charges_in_its_unit_or_with_a_guess_of_no_case_is_refused(
    analyst: Party, change: dict[str, Any]
) -> None:
    body = {name: value for name, value in (ASKED | change).items() if value is not None}
    answer = analyst.post("/v1/plans", body)
    assert problem_code(answer) == "invalid-request"
    if "data" in change:
        assert answer.json()["errors"][0]["location"] == "body.data"
        assert "must have at least one case" in answer.json()["errors"][0]["rule"]


def test_a_share_is_compared_with_a_stated_value(analyst: Party) -> None:
    asked = ASKED | {"above": 0.02, "target_power": 0.3, "epsilons": ["0.5"]}
    found = analyst.post("/v1/plans", asked).json()
    [exact], [option] = found["without_noise"], curve(found, "simplex_geometric")
    assert 0.3 < option["intervals"][0]["decides"] < exact["decides"] < 0.7
    assert found["target"]["recommended"]["kind"] == "simplex_geometric"
    unreachable = analyst.post("/v1/plans", asked | {"target_power": 0.8}).json()["target"]["unreachable_reason"]
    assert unreachable.startswith("Even exact counts decide in only")


TRIAL: dict[str, Any] = {
    "prior": [1] * 4,
    "data": {"kind": "counts", "counts": [40, 3960, 160, 3840]},
    "attributes": [{"name": "vaccine", "levels": ["yes", "no"]}, {"name": "ill", "levels": ["yes", "no"]}],
    "epsilons": ["0.1", "1", "40"],
}
ILL = share(ill=["yes"])
IF_VACCINATED = share(ill=["yes"], within={"vaccine": ["yes"]})
IF_NOT = share(ill=["yes"], within={"vaccine": ["no"]})


def test_a_share_within_a_group_is_as_wide_as_its_own_two_counts_give(analyst: Party) -> None:
    """The risk of illness among the vaccinated: at almost no noise that of a Beta distribution of its two counts."""
    questions = [{"kind": "share", **each} for each in (IF_VACCINATED, ILL)]
    answer = analyst.post("/v1/plans", TRIAL | {"questions": questions})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    low, high = special.betaincinv(40.5, 3960.5, [0.025, 0.975])
    within, whole = found["without_noise"]
    assert within["width"] == pytest.approx(high - low, rel=0.03)
    for kind in ("simplex_geometric", "laplace"):
        widths = [option["intervals"][0]["width"] for option in curve(found, kind)]
        assert widths == sorted(widths, reverse=True)
        assert widths[-1] == pytest.approx(high - low, rel=0.04)
    low, high = special.betaincinv(200.5, 7800.5, [0.025, 0.975])
    assert whole["width"] == pytest.approx(high - low, rel=0.01)


def test_a_ratio_of_two_risks_has_its_interval_and_the_epsilon_of_a_width(analyst: Party) -> None:
    """Its width is that of the logarithm; a wanted one is the upper end divided by the lower one."""
    ratio = {"kind": "ratio", "first": IF_VACCINATED, "second": IF_NOT}
    found = analyst.post("/v1/plans", TRIAL | {"questions": [ratio], "target_width": 2.3}).json()
    [exact] = found["without_noise"]
    assert exact["guess"] == pytest.approx(0.25)
    assert exact["width"] == pytest.approx(2 * 1.96 * math.sqrt(1 / 40 + 1 / 160 - 2 / 4000), rel=0.05)
    assert exact["upper_over_lower"] == pytest.approx(math.exp(exact["width"]))
    assert exact["low"] < 0.25 < exact["high"]
    best = found["target"]["recommended"]
    [reached] = [each for each in found["target"]["reached"] if each["kind"] == best["kind"]]
    assert 0.1 < float(reached["epsilon"]) < 1
    assert 2.2 < reached["option"]["intervals"][0]["upper_over_lower"] <= 2.3
    refused = analyst.post("/v1/plans", TRIAL | {"questions": [ratio], "target_width": 0.8}).json()
    assert "must be above 1 for a ratio" in refused["errors"][0]["rule"]
    mixed = {"questions": [ratio, {"kind": "share", **ILL}], "target_width": 2.3}
    assert "needs questions with one unit" in analyst.post("/v1/plans", TRIAL | mixed).json()["errors"][0]["rule"]


def test_a_plan_at_a_guess_of_no_difference_says_that_decisions_are_false(analyst: Party) -> None:
    ratio = {"kind": "ratio", "first": IF_VACCINATED, "second": IF_NOT}
    even = {"data": {"kind": "shape", "shape": "even", "record_count": 400}, "epsilons": ["1"], "questions": [ratio]}
    note = "Your guess has no difference, so decisions are false ones, and the power is not known"
    assert note in analyst.post("/v1/plans", TRIAL | even).json()["note"]
    assert note not in analyst.post("/v1/plans", TRIAL | {"questions": [ratio]}).json()["note"]


@pytest.mark.parametrize(
    ("question", "location"),
    [
        (
            {"kind": "share", **share(ill=["yes"], within={"vaccine": ["maybe"]})},
            "body.questions[0].within.where.vaccine[0]",
        ),
        ({"kind": "share", **share(ill=["yes"], within={"ill": ["no"]})}, "body.questions[0].of"),
        ({"kind": "share", **share(ill=["yes"], within={"ill": ["yes"]})}, "body.questions[0].of"),
        ({"kind": "share", **ILL, "within": 0}, "body.questions[0].within"),
        ({"kind": "share"}, "body.questions[0]"),
        ({"kind": "ratio", "first": ILL, "second": ILL}, "body.questions[0].second"),
        ({"kind": "ratio", "first": ILL, "second": share("x")}, "body.questions[0].second.of.labels[0]"),
        ({"kind": "sum", "first": ILL, "second": ILL}, "body.questions[0]"),
        ({"kind": "share", **ILL, "above": 0.1}, "body.questions"),
        ({"kind": "share", **ILL, "about": "records"}, "body.questions"),
    ],
)
def test_a_question_without_an_answer_is_refused(analyst: Party, question: dict[str, Any], location: str) -> None:
    answer = analyst.post("/v1/plans", TRIAL | {"questions": [question]})
    assert problem_code(answer) == "invalid-request"
    assert answer.json()["errors"][0]["location"].startswith(location), answer.text


def test_the_exponential_mechanism_is_planned_on_request_by_its_error(analyst: Party) -> None:
    small = {"data": {"kind": "counts", "counts": [3, 17]}, "epsilons": ["0.5", "1", "2", "4"]}
    found = analyst.post("/v1/plans", small).json()
    assert {each["kind"] for each in found["not_planned"]} == {
        "gaussian", "exponential", "exponential_published", "exponential_global"
    }  # fmt: skip
    assert {each["kind"] for point in found["points"] for each in point["options"]} == {"simplex_geometric", "laplace"}
    found = analyst.post("/v1/plans", small | {"mechanisms": ["exponential"]}).json()
    options = curve(found, "exponential")
    errors = [option["error"]["expected"] for option in options]
    assert len(errors) == 4
    assert errors == sorted(errors, reverse=True)
    assert all(option["intervals_unavailable_reason"] for option in options)
    assert found["points"][0]["recommended"]["reason"].startswith("its expected Hellinger error")
    assert found["suggested"]["mechanism"] is None
    large = {"data": {"kind": "shape", "shape": "even", "record_count": 3000, "category_count": 3}}
    asked = large | {"epsilons": [f"{each / 10}" for each in range(1, 31)], "mechanisms": ["exponential"]}
    assert all(each["reason"] for each in analyst.post("/v1/plans", asked).json()["not_planned"])


@pytest.mark.parametrize(
    "change",
    [
        {"epsilons": []}, {"epsilons": ["1", "0.5"]}, {"epsilons": ["0.5", "0.5"]}, {"epsilons": ["0"]},
        {"epsilons": [f"{each + 1}" for each in range(MAX_PLANNED_CHARGES + 1)]}, {"questions": [question("3")]},
        {"questions": [question("0")] * (MAX_PLANNED_QUESTIONS + 1)}, {"prior": [1, 1]}, {"level": 1},
        {"prior": [1] * 1001, "data": {"kind": "counts", "counts": [1] * 1001}},
        {"data": {"kind": "counts", "counts": [-1, 2, 3]}}, {"surplus": 1},
    ],
)  # fmt: skip
def test_an_invalid_plan_is_refused(analyst: Party, change: dict[str, Any]) -> None:
    assert problem_code(analyst.post("/v1/plans", ASKED | change)) == "invalid-request"


def test_impossible_cells_of_a_plan_need_attributes(analyst: Party) -> None:
    refused = analyst.post("/v1/plans", ASKED | {"impossible": [{"sex": ["men"]}]}).json()
    assert refused["errors"] == [
        {"location": "body.impossible", "rule": "needs attributes: leave impossible labels out"}
    ]


DEPARTMENTS: dict[str, Any] = {
    "prior": [1] * 12,
    "data": {"kind": "counts", "counts": [512, 313, 89, 19, 353, 207, 17, 8, 22, 351, 0, 0]},
    "attributes": [
        {"name": "department", "levels": ["A", "B", "F"]}, {"name": "sex", "levels": ["men", "women"]},
        {"name": "admitted", "levels": ["yes", "no"]},
    ],
    "epsilons": ["1", "40"],
}  # fmt: skip
SEXES = {"first": "men", "second": "women"}
OF_MEN, OF_WOMEN = (share(admitted=["yes"], within={"sex": [each]}) for each in ("men", "women"))


def test_a_plan_by_stratum_has_the_intervals_of_the_whole_and_of_each_stratum(analyst: Party) -> None:
    asked = {"kind": "odds_ratio", "first": OF_MEN, "second": OF_WOMEN}
    by = {"attributes": ["department"], "question": asked | {"above": 1.0}}
    found = analyst.post("/v1/plans", DEPARTMENTS | {"by": by}).json()
    assert [each["stratum"] for each in found["without_noise"]] == [None, "A", "B"]
    [without] = found["strata_without_answer"]
    assert (without["label"], "no case there" in without["reason"]) == ("F", True)
    assert all(asked.items() <= each["question"].items() for each in found["without_noise"])
    alone = [
        asked
        | {part: share(admitted=["yes"], within={"sex": [sex], "department": [of]}) for part, sex in SEXES.items()}
        for of in "AB"
    ]
    listed = analyst.post("/v1/plans", DEPARTMENTS | {"questions": [asked, *alone]}).json()
    for one, other in zip(found["without_noise"], listed["without_noise"], strict=True):
        assert one["width"] == pytest.approx(other["width"], rel=0.05)
    assert found["without_noise"][0] | {"question": None} == listed["without_noise"][0] | {"question": None}
    noisy, close = (each["intervals"] for each in curve(found, "simplex_geometric"))
    assert all(0.9 < each["width"] / of["width"] < 1.15 for each, of in zip(close, found["without_noise"], strict=True))
    assert noisy[2]["width"] > noisy[1]["width"] > noisy[0]["width"]


def test_a_plan_names_strata_in_which_the_question_has_no_answer(analyst: Party) -> None:
    impossible = [{"department": ["F"], "admitted": ["yes"]}]
    by = {"attributes": ["department"], "question": {"kind": "share", **OF_MEN}}
    smaller = DEPARTMENTS | {"prior": [1] * 10, "data": {"kind": "shape", "shape": "even", "record_count": 1000}}
    found = analyst.post("/v1/plans", smaller | {"impossible": impossible, "by": by}).json()
    assert [each["stratum"] for each in found["without_noise"]] == [None, "A", "B"]
    assert [each["label"] for each in found["strata_without_answer"]] == ["F"]
    assert "is 0 for every record" in found["strata_without_answer"][0]["reason"]


def test_a_trial_is_planned_as_both_risks_and_their_contrasts(analyst: Party) -> None:
    groups = {"first": share(vaccine=["yes"])["of"], "second": share(vaccine=["no"])["of"]}
    trial = {"outcome": ILL["of"], "effect": {"measure": "efficacy", "above": 0.3}} | groups
    found = analyst.post("/v1/plans", TRIAL | {"trial": trial}).json()
    kinds = ["share", "share", "difference", "ratio", "odds_ratio"]
    assert [each["question"]["kind"] for each in found["without_noise"]] == kinds
    first, second, difference, ratio, _ = curve(found, "simplex_geometric")[-1]["intervals"]
    assert first["low"] < 0.01 < first["high"] < second["low"] < 0.04 < second["high"]
    assert difference["high"] < 0
    assert ratio["low"] < 0.25 < ratio["high"] < 1
    assert "times as wide as exact counts, on average" in found["points"][0]["recommended"]["reason"]
    assert "and 3 of them decide in at least" in found["suggested"]["reason"]
    asked = TRIAL | {"trial": trial, "epsilons": ["1"], "target_of": "difference", "target_width": 0.02}
    reached = analyst.post("/v1/plans", asked).json()["target"]["reached"][0]
    assert 0.018 < reached["option"]["intervals"][2]["width"] <= 0.02
    same = analyst.post("/v1/plans", TRIAL | {"trial": trial | {"second": groups["first"]}})
    assert same.json()["errors"][0]["location"] == "body.trial.second"


def test_questions_of_strata_times_values_of_epsilon_are_limited(analyst: Party) -> None:
    levels = [str(each) for each in range(50)]
    wide: dict[str, Any] = {
        "prior": [1] * 100,
        "data": {"kind": "shape", "shape": "even", "record_count": 100_000},
        "attributes": [{"name": "district", "levels": levels}, {"name": "ill", "levels": ["yes", "no"]}],
        "by": {"attributes": ["district"], "question": {"kind": "share", **ILL}},
    }
    refused = analyst.post("/v1/plans", wide | {"epsilons": [str(each) for each in range(1, 11)]}).json()
    assert refused["errors"] == [{"location": "body.epsilons", "rule": "must be at most 9 for 51 questions"}]
    wide["attributes"][0]["levels"], wide["prior"] = [str(each) for each in range(51)], [1] * 102
    refused = analyst.post("/v1/plans", wide | {"epsilons": ["1"]}).json()
    assert refused["errors"] == [{"location": "body.by.attributes", "rule": "must make at most 50 strata"}]


def test_a_plan_at_a_guessed_number_of_records_stands_beside_that_of_a_public_number(analyst: Party) -> None:
    found = analyst.post("/v1/plans", ASKED | {"relation": "add_remove", "records_per_unit": 2}).json()
    public = analyst.post("/v1/plans", ASKED | {"records_per_unit": 2}).json()
    assert [each["relation"] for each in found["protects"]] == ["add_remove", "replace_one"]
    assert "counts twice" in found["protects"][0]["statement"]
    assert [each["relation"] for each in public["protects"]] == ["replace_one"]
    for point, beside in zip(found["points"], public["points"], strict=True):
        assert [each["kind"] for each in point["options"]] == ["geometric", "laplace", "gaussian"]
        for each in point["options"]:
            assert each["odds"] == pytest.approx(math.exp(2 * float(each["certified"]["epsilon"])))
        assert point["recommended"]["kind"] in {"geometric", "laplace"}
        assert point["at_public_size"]["intervals"] == beside["options"][0]["intervals"]
        assert beside["at_public_size"] is None
    geometric = [option["intervals"][0]["width"] for option in curve(found, "geometric")]
    simplex = [point["at_public_size"]["intervals"][0]["width"] for point in found["points"]]
    assert geometric[0] < simplex[0], "the noise has half the scale"
    assert geometric == sorted(geometric, reverse=True)


def test_a_planned_mechanism_is_released_at_its_planned_price_from_a_table_of_private_size(
    owner: Party, analyst: Party
) -> None:
    study = make_study(owner, analyst, counts=[30, 200, 770], labels=list("abc"), n_is_public=False)
    found = analyst.post("/v1/plans", ASKED | {"relation": "add_remove", "epsilons": ["0.5"]}).json()
    for option in found["points"][0]["options"]:
        body = {"prior": [1, 1, 1], "mechanism": option["mechanism"]}
        quoted = analyst.post(f"/v1/datasets/{study.dataset_id}/quotes", body).json()
        assert quoted["certified"] == option["certified"]
        assert quoted["expected_accuracy"] is None


def test_a_wanted_width_is_searched_at_a_guessed_number_of_records_and_a_wanted_error_is_refused(
    analyst: Party,
) -> None:
    asked = ASKED | {"relation": "add_remove", "epsilons": ["0.5"]}
    [geometric, laplace, gaussian] = analyst.post("/v1/plans", asked | {"target_width": 0.04}).json()["target"][
        "reached"
    ]
    assert (geometric["kind"], laplace["kind"], gaussian["kind"]) == ("geometric", "laplace", "gaussian")
    assert geometric["option"]["intervals"][0]["width"] <= 0.04
    refused = analyst.post("/v1/plans", asked | {"target_error": 0.1})
    assert refused.status_code == 422
    assert "target_error needs a public number of records" in refused.text
