"""Strata and trials in the answers about a release. Nothing is served."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from service.errors import InvalidRequest
from service.posteriors.comparisons import SIDES, compare
from service.posteriors.posteriors import check
from service.posteriors.priors import matters_for_function, matters_of
from service.posteriors.read_releases import ReadRelease
from service.schemas.posteriors import ComparisonCreate, NoiseAwarePosterior
from service.schemas.strata import MAX_STRATA
from tests.harness.asked import asked as asked_of
from tests.harness.asked import summarised
from tests.harness.bodies import of_releases

Attributes = list[tuple[str, list[str]]]

DEPARTMENTS: Attributes = [
    ("department", ["A", "B", "C", "D", "E", "F"]), ("sex", ["women", "men"]), ("admitted", ["yes", "no"])
]  # fmt: skip
BERKELEY = (
    89, 19, 512, 313, 17, 8, 353, 207, 202, 391, 120, 205,
    131, 244, 138, 279, 94, 299, 53, 138, 24, 317, 22, 351,
)  # fmt: skip
TRIAL: Attributes = [("arm", ["vaccine", "placebo"]), ("outcome", ["ill", "well"])]
POLIO = (33, 200_712, 115, 201_114)


def release_of(
    counts: tuple[int, ...], attributes: Attributes, epsilon: str = "0.5", impossible: tuple[str, ...] = ()
) -> ReadRelease:
    """A release that has drawn these counts; `impossible` are the labels that are no cells."""
    labels = [
        label
        for each in product(*(levels for _, levels in attributes))
        if (label := " · ".join(each)) not in impossible
    ]
    event = SimplexGeometric(sum(counts), len(labels), Epsilon.parse(epsilon))
    named = [{"name": name, "levels": levels} for name, levels in attributes]
    drawn = NoisyCounts(counts, counts)
    return ReadRelease("rel_" + 26 * "a", event, labels, [1.0] * len(labels), drawn, "", "", attributes=named)


def summary(release: ReadRelease, **asked: Any) -> NoiseAwarePosterior:
    found = summarised(release, **asked)
    assert isinstance(found, NoiseAwarePosterior)
    return found


def share(of: dict[str, Any], within: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"of": {"where": of}} if within is None else {"of": {"where": of}, "within": {"where": within}}


def contrast(kind: str) -> dict[str, Any]:
    first, second = (share({"admitted": "yes"}, {"sex": sex}) for sex in ("women", "men"))
    return {"kind": kind, "first": first, "second": second}


def by(question: dict[str, Any], *attributes: str) -> dict[str, Any]:
    return {"by": {"attributes": [*attributes], "question": question}}


def broken_rule(release: ReadRelease, **asked: Any) -> dict[str, str]:
    with pytest.raises(InvalidRequest) as refused:
        check(release.names, asked_of(**asked))
    (error,) = refused.value.errors
    return dict(error)


def test_one_request_answers_all_departments_of_berkeley_and_two_adjusted_ratios() -> None:
    found = summary(release_of(BERKELEY, DEPARTMENTS), **by(contrast("odds_ratio"), "department")).by
    assert found is not None
    assert [(each.label, each.levels) for each in found.strata] == [(k, {"department": k}) for k in "ABCDEF"]
    assert found.overall.interval.high is not None
    assert found.overall.interval.high < 1, "women are admitted less often, all together"
    assert found.adjusted is not None
    for adjusted in (found.adjusted.mantel_haenszel, found.adjusted.standardised):
        assert adjusted.median == pytest.approx(1.15, abs=0.1)
        assert adjusted.mean is None
        assert (adjusted.method, adjusted.draws, adjusted.above is None) == ("simulation", 87_381, False)
        assert 0.009 < adjusted.error < 0.0092
    first = found.strata[0]
    assert first.answer is not None
    assert (first.answer.interval.low or 0) < 89 / 19 / (512 / 313) < (first.answer.interval.high or math.inf)
    assert first.answer.above is not None
    assert first.answer.above.probability > 0.99
    assert first.without_records.probability < 1e-6


def test_a_share_by_attributes_has_a_row_for_each_combination_of_levels() -> None:
    asked = {**share({"admitted": "yes"}), "kind": "share"}
    found = summary(release_of(BERKELEY, DEPARTMENTS), **by(asked, "sex", "department")).by
    assert found is not None
    assert [each.label for each in found.strata][:2] == ["women · A", "women · B"]
    assert len(found.strata) == 12
    assert (found.adjusted, found.adjusted_unavailable_reason) == (None, None)
    first = found.strata[0].answer
    assert first is not None
    assert first.median == pytest.approx(89 / 108, abs=0.05)


def test_the_shares_of_many_strata_have_fewer_draws_and_say_so() -> None:
    attributes: Attributes = [("place", [f"place {number}" for number in range(20)]), *DEPARTMENTS[1:]]
    found = summary(
        release_of((300, 400, 500, 200) * 20, attributes),
        **by({**share({"admitted": "yes"}), "kind": "share"}, "place"),
    )
    assert found.by is not None
    for each in found.by.strata:
        assert each.answer is not None
        assert (each.answer.method, each.answer.draws) == ("simulation", (1 << 21) // 40)
        assert each.answer.median == pytest.approx(8 / 14, abs=0.03)


def test_a_stratum_that_cannot_have_an_answer_says_why_and_is_left_out_of_the_adjusted_ratios() -> None:
    impossible = ("A · men · yes", "A · men · no", "B · men · no")
    kept = tuple(count for cell, count in enumerate(BERKELEY) if cell not in (2, 3, 7))
    found = summary(release_of(kept, DEPARTMENTS, impossible=impossible), **by(contrast("ratio"), "department")).by
    assert found is not None
    reasons = {each.label: each.unavailable_reason for each in found.strata}
    assert reasons["A"] == "No record can be in the denominator of the second share here."
    assert reasons["B"] == "Here the second share is 1 for every record."
    assert [each.answer is None for each in found.strata] == [True, True, False, False, False, False]
    assert found.strata[0].without_records.probability == 1.0
    assert found.adjusted is not None


def test_strata_and_adjusted_figures_say_when_the_prior_matters() -> None:
    """The noise hides whether the first group has any cases, in all strata but the last."""
    places: Attributes = [("place", ["north", "south", "west"]), *TRIAL]
    counts = (1, 300, 20, 300, -1, 310, 25, 290, 150, 300, 300, 150)
    question = {"kind": "ratio"} | {
        side: share({"outcome": "ill"}, {"arm": arm}) for side, arm in (("first", "vaccine"), ("second", "placebo"))
    }
    found = summary(release_of(counts, places), **by(question, "place"))
    assert found.by is not None
    assert found.by.adjusted is not None
    moved = [each.answer is not None and each.answer.prior_matters is not None for each in found.by.strata]
    assert moved == [True, True, False]
    assert found.by.adjusted.standardised.prior_matters is None
    first = found.by.strata[0].answer
    assert first is not None
    assert first.prior_matters is not None
    assert "The prior matters here: with 0.05 for each part of the question" in first.prior_matters.note
    matters = [each.partition(": The prior matters here")[0] for each in found.notes if "The prior matters" in each]
    assert {"north", "south"} <= set(matters)
    assert "west" not in matters
    # One case a cell is added to counts that the noise hides: what was stated is compared with ½ a branch.
    stated = summary(release_of(counts, places), prior={"each": 30, "of": "cell"}, **by(question, "place")).by
    assert stated is not None
    assert stated.adjusted is not None
    for adjusted in (stated.adjusted.mantel_haenszel, stated.adjusted.standardised):
        assert adjusted.prior_matters is not None
        assert (adjusted.prior_matters.prior.each, adjusted.prior_matters.prior.of) == (0.5, "piece")
    records = summary(release_of(counts, places), **by(question | {"about": "records"}, "place")).by
    assert records is not None
    assert all(each.answer is None or each.answer.prior_matters is None for each in records.strata)


ILL = {"outcome": "ill"}


def test_each_figure_of_a_trial_without_cases_says_that_the_prior_matters() -> None:
    """Only the prior gives these figures an end: the difference, the ratios and what is computed from them."""
    places: Attributes = [("place", ["north", "south"]), *TRIAL]
    release = release_of((0, 300, 0, 300) * 2, places)
    first, second = (share(ILL, {"arm": arm}) for arm in ("vaccine", "placebo"))
    contrasts = [{"kind": kind, "first": first, "second": second} for kind in ("difference", "ratio", "odds_ratio")]
    requests: list[dict[str, Any]] = [
        {"trial": {"outcome": {"where": ILL}, **{side: {"where": each["within"]["where"]} for side, each in
                                                 (("first", first), ("second", second))}}},
        {"questions": [{"kind": "share", **first}, *contrasts]},
        *(by(each, "place") for each in contrasts),
        by({"kind": "share", **share(ILL)}, "arm"),
    ]  # fmt: skip
    found = [summary(release, **each).model_dump() for each in requests]
    two = [release, replace(release, id="rel_" + 26 * "b", dataset_id="two")]
    sides: dict[str, Any] = {
        side: of_releases(each.id) | cells for side, each, cells in zip(SIDES, two, (first, second), strict=True)
    }
    compared: list[dict[str, Any]] = [{"trial": True}, *({"contrast": each["kind"]} for each in contrasts)]
    for asked in compared:
        request = ComparisonCreate.model_validate(sides | asked)
        found.append(compare([two[0]], [two[1]], request).model_dump())
    for each in found:
        for row in each["rows"]:
            noted = any(note.startswith(f"{row['name']}: The prior matters here") for note in each["notes"])
            assert noted == (row["kind"] not in {"probability", "number_needed"}), (row, each["notes"])


def test_figures_computed_from_another_one_have_its_note_in_their_own_unit() -> None:
    asked = {"outcome": {"where": ILL}, "first": {"where": {"arm": "vaccine"}}, "second": {"where": {"arm": "placebo"}}}
    found = summary(release_of((-1, 300, 20, 300), TRIAL), trial=asked).trial
    assert found is not None
    of, log, ratio = found.efficacy.prior_matters, found.log_odds_ratio, found.ratio.prior_matters
    assert of is not None
    assert ratio is not None
    assert (of.low, of.high, of.median) == pytest.approx((1 - (ratio.high or 0), 1 - ratio.low, 1 - ratio.median))
    assert log is not None
    assert log.prior_matters is not None
    assert found.odds_ratio.prior_matters is not None
    assert math.exp(log.prior_matters.median) == pytest.approx(found.odds_ratio.prior_matters.median)
    stated = summary(release_of((20, 300, 150, 200), TRIAL), prior={"each": 100, "of": "cell"}, trial=asked).trial
    assert stated is not None
    assert stated.number_needed is not None
    difference, needed = stated.difference.prior_matters, stated.number_needed.prior_matters
    assert difference is not None
    assert needed is not None
    assert needed.median == pytest.approx(1 / abs(difference.median))
    assert needed.low == pytest.approx(1 / abs(difference.low))
    both_signs = difference.model_copy(update={"high": 0.1})
    unlimited = matters_for_function(both_signs, lambda value: 1 / abs(value) if value else math.inf)
    assert unlimited is not None
    assert unlimited.high is None
    assert "no upper end" in unlimited.note


def test_strata_of_these_records_say_what_is_undefined_or_infinite_and_that_no_prior_was_compared() -> None:
    counts = (1, 9, 0, 106, 5, 4, 0, 1)
    places: Attributes = [("place", ["here", "there"]), *DEPARTMENTS[1:]]
    question = {
        "kind": "odds_ratio",
        "first": share({"sex": "women"}, {"admitted": "yes"}),
        "second": share({"sex": "women"}, {"admitted": "no"}),
        "about": "records",
    }
    found = summary(release_of(counts, places, "3"), **by(question, "place"))
    assert found.by is not None
    answer = found.by.strata[1].answer
    assert answer is not None
    assert answer.undefined is not None
    assert answer.median == 1e300
    assert "there: it is infinite with probability 0.5 or more, as a count in its denominator is 0." in found.notes
    undefined = f"there: with probability {answer.undefined:.3f} it is undefined, because a denominator has no records."
    assert any(each.startswith(undefined) for each in found.notes) == (answer.undefined >= 0.01)
    above = "P(above) counts an undefined value as not above."
    assert any(each.endswith(above) for each in found.notes) == (answer.undefined >= 0.01)
    assert found.notes[-1] == "Strata are of these records alone. They were not computed under another prior."
    assert not any("follows from the prior" in each for each in found.notes)


def test_above_0_of_people_like_these_names_the_question_about_the_records() -> None:
    certain = (
        "P(above {}) is certain for people like these, whatever the release says. To find whether these records have "
        "any case, ask about these records alone."
    )
    ill = {"kind": "share", **share({"outcome": "ill"}, {"arm": "vaccine"})}
    first, second = (share({"outcome": "ill"}, {"arm": arm}) for arm in ("vaccine", "placebo"))
    ratio = {"kind": "ratio", "first": first, "second": second, "above": 0.0}
    release, of_zero = release_of(POLIO, TRIAL), ill | {"above": 0.0}
    by_arm = by({"kind": "share", **share({"outcome": "ill"}), "above": 0.0}, "arm")
    for asked, value in (({"questions": [of_zero, of_zero]}, "0 %"), (by_arm, "0 %"), ({"questions": [ratio]}, "0")):
        assert summary(release, **asked).notes.count(certain.format(value)) == 1, asked
    for question in (ill, ill | {"above": 0.1}, ill | {"above": 0.0, "about": "records"}):
        assert not any("is certain" in each for each in summary(release, questions=[question]).notes), question


@pytest.mark.parametrize(
    ("other", "note"),
    [
        ((5.9e-17, 1.2e46, 8e10), "the interval has practically no ends. The release says little about this ratio."),
        ((4e-44, 364.0, 8e-10), "the median is 8e-10, and the interval goes from practically 0 to 364."),
        ((0.2, 30.0, 1.5), "the median is 1.5, and the interval goes from 0.2 to 30."),
    ],
)
def test_a_note_on_the_prior_names_no_end_that_says_nothing(other: tuple[float, float, float], note: str) -> None:
    found = matters_of((1.0, 100.0, 10.0), other, 0.05, is_ratio=True)
    assert found is not None
    assert found.note == f"The prior matters here: with 0.05 for each part of the question {note}"


def test_a_stratum_that_has_no_records_says_so() -> None:
    counts = (30, 20, 0, 0, 10, 12, 14, 16)
    attributes: Attributes = [("place", ["here", "there"]), *DEPARTMENTS[1:]]
    found = summary(release_of(counts, attributes, "20"), **by(contrast("ratio"), "place")).by
    assert found is not None
    assert [round(each.without_records.probability, 3) for each in found.strata] == [1.0, 0.0]
    assert all(each.answer is not None for each in found.strata)


def test_two_shares_of_the_same_records_have_strata_but_no_adjusted_ratio() -> None:
    question = {"kind": "ratio", "first": share({"sex": "women"}), "second": share({"sex": "men"})}
    found = summary(release_of(BERKELEY, DEPARTMENTS), **by(question, "department")).by
    assert found is not None
    assert found.adjusted is None
    assert found.adjusted_unavailable_reason is not None
    assert all(each.answer is not None for each in found.strata)


@pytest.mark.parametrize(
    ("question", "attributes", "location", "rule"),
    [
        (contrast("ratio"), ["faculty"], "by.attributes[0]", "does not have"),
        (contrast("ratio"), ["sex", "sex"], "by.attributes", "once"),
        (contrast("ratio"), ["sex"], "by.attributes", "must not make the groups"),
        (contrast("ratio"), ["admitted"], "by.attributes", "in some stratum"),
        (
            {"kind": "ratio", "first": share({"sex": "none"}), "second": share({"sex": "men"})},
            ["department"],
            "by.question.first.of.where.sex[0]",
            "level",
        ),
    ],
)
def test_strata_that_cannot_be_are_refused_by_field_and_rule(
    question: dict[str, Any], attributes: list[str], location: str, rule: str
) -> None:
    found = broken_rule(release_of(BERKELEY, DEPARTMENTS), **by(question, *attributes))
    assert found["location"] == location
    assert rule in found["rule"]


def test_too_many_strata_are_refused_before_any_work() -> None:
    many: Attributes = [("place", [f"p{k}" for k in range(MAX_STRATA + 1)]), ("ill", ["yes", "no"])]
    release = release_of((3, 4) * (MAX_STRATA + 1), many)
    asked = {**share({"ill": "yes"}), "kind": "share"}
    assert broken_rule(release, **by(asked, "place")) == {
        "location": "by.attributes", "rule": f"must make at most {MAX_STRATA} strata"
    }  # fmt: skip


def test_a_trial_has_all_figures_that_a_report_gives() -> None:
    asked = {
        "outcome": {"where": {"outcome": "ill"}}, "first": {"where": {"arm": "vaccine"}},
        "second": {"where": {"arm": "placebo"}}, "effect": {"measure": "efficacy", "above": 0.3},
    }  # fmt: skip
    found = summary(release_of(POLIO, TRIAL), trial=asked).trial
    assert found is not None
    ratio = 33 / 200_745 / (115 / 201_229)
    assert found.ratio.median == pytest.approx(ratio, rel=0.1)
    assert found.efficacy.median == pytest.approx(1 - found.ratio.median, rel=1e-12)
    assert found.efficacy.interval.high == pytest.approx(1 - (found.ratio.interval.low or 0), rel=1e-9)
    assert found.ratio.interval.high is not None
    assert found.efficacy.interval.low == pytest.approx(1 - found.ratio.interval.high, rel=1e-9)
    needed = found.number_needed
    assert needed is not None
    assert needed.direction == "fewer"
    assert needed.low == pytest.approx(-1 / (found.difference.interval.low or 1), rel=1e-9)
    assert needed.high == pytest.approx(-1 / (found.difference.interval.high or 0), rel=1e-9)
    assert needed.estimate == pytest.approx(-1 / found.difference.median, rel=1e-12)
    logs = found.log_odds_ratio
    assert logs is not None
    assert logs.mean == pytest.approx(math.log(ratio), abs=0.1)
    assert 0.19 < logs.standard_deviation < 0.3
    assert found.effect is not None
    assert found.effect.probability > 0.99
    assert found.first.median == pytest.approx(33 / 200_745, rel=0.15)


def test_a_question_may_be_about_these_records_alone() -> None:
    """Little noise leaves little doubt about the records, while the population could have other shares."""
    cells: dict[str, Any] = {side: {"where": {name: level}} for side, name, level in (
        ("outcome", "outcome", "ill"), ("first", "arm", "vaccine"), ("second", "arm", "placebo")
    )}  # fmt: skip
    risks = {name: {"of": cells["outcome"], "within": cells[name]} for name in ("first", "second")}
    asked: dict[str, Any] = {
        "questions": [{"kind": "ratio", **risks, "about": each} for each in ("records", "population")]
    }
    asked["questions"].append({"kind": "share", "of": cells["outcome"], "above": 0.03, "about": "records"})
    found = summary(release_of((30, 970, 60, 940), TRIAL, "20"), trial=cells | {"about": "records"}, **asked)
    of_records, of_population, share_of_records = found.answers
    assert of_records.median == of_records.interval.low == of_records.interval.high == 0.5
    assert of_records.above is not None
    assert (of_records.undefined, of_population.undefined) == (0.0, None)
    assert (of_population.interval.low or 0) < 0.4
    assert (of_population.interval.high or 0) > 0.6
    assert share_of_records.above is not None
    assert share_of_records.above.equal is not None
    assert share_of_records.mean == pytest.approx(0.045, abs=1e-4)
    assert found.trial is not None
    assert found.trial.log_odds_ratio is None
    assert found.trial.efficacy.median == 0.5
    assert found.trial.number_needed is not None
    assert found.trial.number_needed.estimate == pytest.approx(1 / 0.03)


@pytest.mark.parametrize("about", ["population", "records"])
def test_risks_are_standardised_to_a_population_that_is_typed(about: str) -> None:
    """A thousand times the applications of 1973 with little noise: the figures are those of the counts."""
    counts = tuple(1000 * each for each in BERKELEY)
    standard = {"A": 5.0, "B": 1.0, "C": 1.0, "D": 1.0, "E": 1.0, "F": 1.0}
    question = by(contrast("difference") | {"about": about}, "department")
    question["by"]["standard"] = standard
    found = summary(release_of(counts, DEPARTMENTS, "20"), **question).by
    assert found is not None
    assert found.adjusted is not None
    assert found.question.standard == standard
    risks = [
        sum(
            weight * counts[place] / (counts[place] + counts[place + 1])
            for weight, place in zip(standard.values(), range(start, len(counts), 4), strict=True)
        )
        / 10.0
        for start in (0, 2)
    ]
    assert found.adjusted.standardised.median == pytest.approx(risks[0] - risks[1], abs=2e-3)


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ({**share({"admitted": "yes"}), "kind": "share"}, "left out for a share"),
        (contrast("ratio"), "a size for each stratum"),
    ],
)
def test_a_standard_population_has_all_strata_of_a_contrast(asked: dict[str, Any], rule: str) -> None:
    question = by(asked, "department")
    question["by"]["standard"] = {"A": 1.0, "none": 1.0}
    found = broken_rule(release_of(BERKELEY, DEPARTMENTS), **question)
    assert found["location"] == "by.standard"
    assert rule in found["rule"]


def test_strata_of_these_records_have_adjusted_contrasts() -> None:
    question = contrast("difference") | {"about": "records"}
    found = summary(release_of(BERKELEY, DEPARTMENTS, "20"), **by(question, "department")).by
    assert found is not None
    assert found.adjusted is not None
    answer = found.strata[0].answer
    assert answer is not None
    assert answer.median == pytest.approx(89 / 108 - 512 / 825, abs=1e-3)
    adjusted = found.adjusted.standardised
    assert (adjusted.interval.high or 1) - (adjusted.interval.low or 0) < 0.002


def test_there_is_no_number_needed_if_there_may_be_no_difference() -> None:
    asked = {side: {"where": {name: level}} for side, name, level in (
        ("outcome", "outcome", "ill"), ("first", "arm", "vaccine"), ("second", "arm", "placebo")
    )}  # fmt: skip
    effect = {"measure": "odds_ratio", "below": 1.0}
    found = summary(release_of((30, 970, 31, 969), TRIAL), trial={**asked, "effect": effect}).trial
    assert found is not None
    assert found.number_needed is None
    assert found.effect is not None
    assert found.odds_ratio.above is not None
    assert found.effect.probability == pytest.approx(1 - found.odds_ratio.above.probability)


@pytest.mark.parametrize("at", [0.3, -1.0])
def test_an_effect_in_these_records_is_neither_an_undefined_one_nor_an_equal_one(at: float) -> None:
    """Nearly no record has the outcome, so the ratio is 0/0 or, with one case each in arms of one size, 1."""
    asked = {side: {"where": {name: level}} for side, name, level in (
        ("outcome", "outcome", "ill"), ("first", "arm", "vaccine"), ("second", "arm", "placebo")
    )}  # fmt: skip
    found: dict[str, float] = {}
    undefined: float | None = None
    for measure, way, of in (("efficacy", "above", at), ("ratio", "below", 1 - at), ("ratio", "above", 1 - at)):
        trial: dict[str, Any] = asked | {"about": "records", "effect": {"measure": measure, way: of}}
        answer = summary(release_of((0, 300, 0, 300), TRIAL, "3"), trial=trial).trial
        assert answer is not None
        assert answer.effect is not None
        found[f"{measure} {way}"], undefined = answer.effect.probability, answer.ratio.undefined
    assert undefined is not None
    assert undefined > 0.9
    assert found["efficacy above"] == found["ratio below"]
    assert found["ratio below"] + found["ratio above"] <= 1 - undefined + 1e-12


@pytest.mark.parametrize(
    ("changes", "location", "rule"),
    [
        ({"second": {"where": {"arm": ["vaccine", "placebo"]}}}, "trial.second", "no cell of the first group"),
        ({"first": {"labels": ["vaccine · ill"]}}, "trial.first", "without the outcome"),
        ({"second": {"labels": ["placebo · well"]}}, "trial.second", "with the outcome"),
        ({"outcome": {"labels": ["ill"]}}, "trial.outcome.labels[0]", "label"),
    ],
)
def test_a_trial_that_cannot_be_is_refused_by_field_and_rule(changes: dict[str, Any], location: str, rule: str) -> None:
    asked = {side: {"where": {name: level}} for side, name, level in (
        ("outcome", "outcome", "ill"), ("first", "arm", "vaccine"), ("second", "arm", "placebo")
    )}  # fmt: skip
    found = broken_rule(release_of(POLIO, TRIAL), trial=asked | changes)
    assert found["location"] == location
    assert rule in found["rule"]


def test_an_effect_has_one_threshold() -> None:
    cells = {"labels": ["a"]}
    for effect in ({"measure": "ratio"}, {"measure": "ratio", "above": 1.0, "below": 2.0}):
        with pytest.raises(ValidationError, match="must have either above or below"):
            asked_of(trial={"outcome": cells, "first": cells, "second": cells, "effect": effect})


def test_a_page_of_the_response_has_more_than_eight_answers() -> None:
    events = [{"kind": "share", **share({"department": each})} for each in "ABCDEFABCDEF"]
    assert len(summary(release_of(BERKELEY, DEPARTMENTS), questions=events).answers) == 12


def test_a_range_about_the_records_agrees_with_the_tie_at_its_end() -> None:
    ill = {"kind": "share", **share({"outcome": "ill"}, {"arm": "vaccine"}), "about": "records"}
    asked = [ill | {"above": 0.0, "between": each} for each in ({"low": 0.0, "high": 0.0}, {"low": 0.0}, {"high": 0.0})]
    point, whole, below = summary(release_of((1, 30, 5, 20), TRIAL, "1"), questions=asked).answers
    assert point.above is not None
    assert point.above.equal is not None
    assert point.above.equal > 0.05
    for found, expected in ((point, point.above.equal), (whole, 1.0), (below, point.above.equal)):
        assert found.between is not None
        assert found.between.probability == pytest.approx(expected, abs=1e-12)


def test_figures_that_another_prior_does_not_move_have_no_note() -> None:
    known = [{"of": {"where": {"arm": [arm]}}, "count": size} for arm, size in (("vaccine", 16), ("placebo", 19))]
    arms = [{"where": {"arm": [arm]}} for arm in ("vaccine", "placebo")]
    trial = {"outcome": {"where": {"outcome": ["ill"]}}, "first": arms[0], "second": arms[1], "about": "records"}
    found = summary(release_of((6, 10, 14, 5), TRIAL, "9"), trial=trial, known=known)
    assert found.trial is not None
    assert not any("The prior matters here" in note for note in found.notes), found.notes
    for wanted in ((0.0, 2.0, 0.5), (0.0, 2.0, 0.6)):
        assert matters_of((0.0, 2.0, 0.5), wanted, 0.05, is_ratio=True) is None
    assert matters_of((0.0, 2.0, 0.5), (0.0, 9.0, 0.9), 0.05, is_ratio=True) is not None
    note = matters_of((-1.0, 1.0, 0.5), (-math.inf, 1.0, -1e300), 0.05)
    assert note is not None
    assert "the median is infinite, and the interval goes from no lower end to 1." in note.note
