"""The exponential mechanism over a finite range, compared with brute force in fractions: its distribution, its worst
loss, and planted faults.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import mpmath as mp
import numpy as np
import pytest

from benchmarks.papers.methods.finite_exponential import (
    FiniteExponential,
    calibrate,
    expected_score_bound,
    probabilities,
    tail_bound,
    weights,
)
from core.mechanisms.event import EventError
from core.privacy import Epsilon
from core.samplers.reproducible import Reproducible
from core.samplers.uniform import in_proportion
from tests.core.chi_square import assert_accepts, assert_rejects
from tests.core.histograms import histograms, neighbours

MEASURE = (1.0, 0.5, 2.0, 0.0, 0.25)
EPSILON = Epsilon.parse("0.8")


def nearest_count(counts: tuple[int, ...]) -> np.ndarray:
    """Five answers scored by how near 2r lies to the first count, cut at 6: one record moves it by one."""
    return np.asarray(-np.minimum(6.0, np.abs(counts[0] - 2.0 * np.arange(5))))


def event() -> FiniteExponential:
    return calibrate(MEASURE, EPSILON, sensitivity=1.0, lowest=-6.0, highest=0.0)


def exact_law(scores: np.ndarray, measure: tuple[float, ...], rate: float) -> list[float]:
    weights = [mp.mpf(mu) * mp.exp(mp.mpf(rate) * mp.mpf(float(q))) for mu, q in zip(measure, scores, strict=True)]
    return [float(weight / mp.fsum(weights)) for weight in weights]


def worst_loss(law: Callable[[tuple[int, ...]], np.ndarray], n: int, m: int) -> float:
    """Over all neighbours and answers that have a probability."""
    logs = {c: np.log(law(c)[law(c) > 0.0]) for c in histograms(n, m)}
    return max(float((logs[x] - logs[y]).max()) for x in logs for y in neighbours(x))


def test_weights_are_the_law_of_the_definition() -> None:
    for c in histograms(8, 2):
        exact = exact_law(nearest_count(c), MEASURE, event().rate)
        found = weights(nearest_count(c), event())
        assert found / found.sum() == pytest.approx(exact, rel=1e-14)
        assert probabilities(nearest_count(c), event()) == pytest.approx(exact, rel=1e-13)
        assert found[3] == 0.0


def test_draws_follow_the_law_and_not_a_nearby_one() -> None:
    """Refused: the base measure dropped, the factor 2 of the calibration dropped, a score moved by one."""
    counts, entropy = (5, 3), Reproducible(17).entropy()
    chances = weights(nearest_count(counts), event())
    draws = [in_proportion(chances, entropy) for _ in range(5_000)]
    law = exact_law(nearest_count(counts), MEASURE, event().rate)
    assert_accepts(draws, dict(enumerate(law)))
    assert_rejects(draws, dict(enumerate(exact_law(nearest_count(counts), (1.0, 1.0, 1.0, 0.0, 1.0), event().rate))))
    assert_rejects(draws, dict(enumerate(exact_law(nearest_count(counts), MEASURE, 2 * event().rate))))
    assert_rejects(draws, dict(enumerate(exact_law(nearest_count((4, 4)), MEASURE, event().rate))))


def test_the_worst_loss_is_within_epsilon_and_near_it() -> None:
    worst = worst_loss(lambda c: probabilities(nearest_count(c), event()), 8, 2)
    assert 0.75 * float(EPSILON) < worst <= float(EPSILON)


@pytest.mark.parametrize("fault", ["sensitivity halved", "measure of the data"])
def test_planted_faults_pass_epsilon(fault: str) -> None:
    """A wrong calibration is seen: half the sensitivity, and a base measure that depends on
    the data.
    """
    if fault == "sensitivity halved":
        halved = calibrate(MEASURE, EPSILON, sensitivity=0.5, lowest=-6.0, highest=0.0)
        law = lambda c: probabilities(nearest_count(c), halved)
    else:
        law = lambda c: probabilities(
            nearest_count(c), replace(event(), base_measure=(4.0 ** c[0], 0.5, 2.0, 0.0, 0.25))
        )
    assert worst_loss(law, 8, 2) > 1.2 * float(EPSILON)


def test_the_lemma_of_the_article_holds_at_random_scores_and_measures() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        scores, measure = rng.uniform(0, 4, 12), rng.uniform(0.01, 1, 12)
        made_up = FiniteExponential(tuple(measure), rng.uniform(0.1, 20), 1.0, 0.0, 4.0)
        law = probabilities(scores, made_up)
        for t in rng.uniform(0, 2, 5):
            assert law[scores <= scores.max() - 2 * t].sum() <= tail_bound(scores, made_up, t) + 1e-15


def test_the_theorem_of_the_article_holds_where_scores_are_not_negative() -> None:
    rng, held = np.random.default_rng(6), 0
    for _ in range(200):
        scores, measure = rng.uniform(0, 4, 12), rng.uniform(0.01, 1, 12)
        made_up = FiniteExponential(tuple(measure), rng.uniform(1, 50), 1.0, 0.0, 4.0)
        for t in np.linspace(0.05, 1, 20):
            try:
                bound = expected_score_bound(scores, made_up, float(t))
            except EventError:
                continue
            held += 1
            assert probabilities(scores, made_up) @ scores >= bound
    assert held > 500


def test_the_theorem_is_refused_for_negative_scores_where_its_last_step_fails() -> None:
    """The papers' own score −H has OPT = 0: ln(OPT/…) does not exist."""
    with pytest.raises(EventError, match="not negative"):
        expected_score_bound(nearest_count((4, 4)), event(), 0.5)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"base_measure": (1.0, -1.0)}, "not negative"),
        ({"base_measure": (0.0, 0.0)}, "positive somewhere"),
        ({"base_measure": (1.0, math.inf)}, "finite"),
        ({"base_measure": (1.0, math.nan)}, "finite"),
        ({"base_measure": ()}, "answers"),
        ({"sensitivity": 0.0}, "sensitivity"),
        ({"sensitivity": -1.0}, "sensitivity"),
        ({"sensitivity": math.nan}, "sensitivity"),
        ({"rate": 0.0}, "rate"),
        ({"lowest": 1.0}, "bounds"),
        ({"highest": math.inf}, "bounds"),
        ({"rate": 1000.0}, "700"),
        ({"base_measure": (1.0, 1e-300), "rate": 50.0}, "700"),
    ],
)
def test_events_that_no_mechanism_runs_with_are_refused(change: dict[str, object], rule: str) -> None:
    with pytest.raises(EventError, match=rule):
        replace(event(), **change)  # type: ignore[arg-type]  # what is tried here


@pytest.mark.parametrize(
    "wrong", [[0.0, -1.0], [0.0, -1.0, math.nan, 0.0, 0.0], [0.0, -7.0, 0.0, 0.0, 0.0], [0.0, 0.1, 0.0, 0.0, -math.inf]]
)
def test_scores_that_are_not_as_stated_are_refused(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="the scores are not as the event states"):
        weights(np.array(wrong), event())
