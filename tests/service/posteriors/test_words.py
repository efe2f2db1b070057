"""The names of figures and the words for probabilities are made once, for the console, the terminal and notebooks."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import TypeAdapter

from service.posteriors.words import probability_text, question_words
from service.schemas.cells import Question
from service.schemas.events import EstimatedProbability
from tests.service.posteriors.test_strata_and_trials import POLIO, TRIAL, release_of, share, summary

NEARLY_0, NEARLY_1 = 1 / 160_002, 160_001 / 160_002


def test_a_probability_is_never_0_or_1_and_has_no_more_digits_than_its_error_allows() -> None:
    cases: dict[tuple[float, float, Literal["exact", "simulation"]], str] = {
        (NEARLY_0, 6e-6, "simulation"): "< 0.001",
        (NEARLY_1, 6e-6, "simulation"): "> 0.999",
        (NEARLY_0, 0.0067, "simulation"): "< 0.01",
        (1e-30, 0.0, "exact"): "< 0.001",
        (0.0, 1e-9, "exact"): "< 0.001",
        (0.123456, 1e-9, "exact"): "0.123",
        (0.123456, 0.001, "exact"): "0.123",
        (0.12345, 0.0067, "simulation"): "0.12",
        (0.123456, 0.3, "simulation"): "0.1",
    }
    for (probability, error, method), text in cases.items():
        found = EstimatedProbability(probability=probability, error=error, method=method, draws=None)
        assert probability_text(found) == text


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"kind": "share", "of": {"labels": ["ill", "dead"]}}, "ill or dead"),
        (
            {"kind": "share", **share({"outcome": ["ill"]}, {"arm": ["new"]}), "about": "records"},
            "outcome ill, among arm new, in these records alone",
        ),
        (
            {
                "kind": "ratio",
                "first": share({"outcome": ["ill"]}, {"arm": ["new"]}),
                "second": share({"outcome": ["ill"]}, {"arm": ["usual"]}),
            },
            "Risk ratio of outcome ill: arm new against arm usual",
        ),
        (
            {"kind": "odds_ratio", "first": share({"outcome": ["ill"]}), "second": share({"outcome": ["dead"]})},
            "Odds ratio: outcome ill against outcome dead",
        ),
    ],
)
def test_a_question_has_words(asked: dict[str, Any], words: str) -> None:
    parsed: Any = TypeAdapter(Question).validate_python(asked)
    assert question_words(parsed) == words


def test_each_row_leads_to_its_figure() -> None:
    ill, arms = {"where": {"outcome": ["ill"]}}, [{"where": {"arm": [arm]}} for arm in ("vaccine", "placebo")]
    risk = share({"outcome": ["ill"]})
    found = summary(
        release_of(POLIO, TRIAL),
        questions=[{"kind": "share", **risk, "above": 0.0005, "between": {"low": 0.0001, "high": 0.001}}],
        by={"attributes": ["arm"], "question": {"kind": "share", **risk}},
        trial={"outcome": ill, "first": arms[0], "second": arms[1], "effect": {"measure": "efficacy", "above": 0.3}},
    ).model_dump()
    rows = {each["name"]: each for each in found["rows"]}
    assert list(rows) == [
        "outcome ill", "outcome ill, at least 0.01 % and at most 0.1 %", "All", "vaccine", "placebo",
        "Efficacy (1 − risk ratio)", "Risk, arm vaccine", "Risk, arm placebo", "Risk ratio", "Odds ratio",
        f"Log odds ratio (SD {found['trial']['log_odds_ratio']['standard_deviation']:.2g})", "Risk difference",
        "Number needed to treat, for one fewer (NNTB)", "Efficacy above 30 %",
    ]  # fmt: skip
    for row in rows.values():
        figure: Any = found
        for key in row["path"].split("/")[1:]:
            figure = figure[int(key)] if isinstance(figure, list) else figure[key]
        assert isinstance(figure, dict), row
        assert ("probability" in figure) == (row["kind"] == "probability"), row
    assert rows["outcome ill"]["probability"].startswith("P(above 0.05 %) ")
    assert rows["Efficacy above 30 %"]["probability"] == "P > 0.999, simulated"
    assert rows["All"]["probability"] is None
    assert found["notes"] == []


@pytest.mark.parametrize(
    ("cells", "named"), [(3, "“c0”, “c1”, “c2”: another"), (9, "“c0”, “c1”, “c2”, “c3”, “c4” and 4 more: another")]
)
def test_an_answer_without_a_question_names_the_categories_for_which_the_prior_matters(cells: int, named: str) -> None:
    noisy = (1_000, *(cells - 1) * (0,))
    release = release_of(noisy, [("kind", [f"c{place}" for place in range(cells)])])
    notes = summary(release).notes
    assert notes == [f"The prior matters for the share of {named} moves it by more than a quarter of its interval."]
    asked = {"kind": "share", "of": {"labels": ["c0"]}}
    assert not any("for the share of" in note for note in summary(release, questions=[asked]).notes)


def test_a_trial_of_these_records_says_so() -> None:
    arms = [{"where": {"arm": [arm]}} for arm in ("vaccine", "placebo")]
    trial = {"outcome": {"where": {"outcome": ["ill"]}}, "first": arms[0], "second": arms[1]}
    for about, noted in (("population", False), ("records", True)):
        notes = summary(release_of(POLIO, TRIAL), trial=trial | {"about": about}).notes
        assert ("The trial is about these records alone, not about people like these." in notes) == noted
