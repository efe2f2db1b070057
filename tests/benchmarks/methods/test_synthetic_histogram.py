"""The mechanism of Blum, Ligett and Roth: its distribution by brute force, its worst loss over all neighbours, its
usefulness, and its refusals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from benchmarks.papers.methods import finite_exponential
from benchmarks.papers.methods.synthetic_histogram import (
    SyntheticHistogram,
    channel,
    draw,
    failure_bound,
    failure_probability,
    halfspaces,
    intervals,
    scores,
)
from core.cells import CrossTable
from core.mechanisms.event import EventError
from core.privacy import Epsilon
from core.samplers.reproducible import Reproducible
from tests.core.chi_square import assert_accepts, assert_rejects
from tests.core.histograms import histograms, neighbours

EPSILON = Epsilon.parse("1.2")


def event(n: int = 6, m: int = 3, k: int = 4) -> SyntheticHistogram:
    return SyntheticHistogram(n, m, k, intervals(m), EPSILON)


def exact_scores(counts: tuple[int, ...], k: int, predicates: tuple[frozenset[int], ...]) -> list[Fraction]:
    n = sum(counts)
    return [
        -max(abs(Fraction(sum(counts[i] for i in h), n) - Fraction(sum(r[i] for i in h), k)) for h in predicates)
        for r in histograms(k, len(counts))
    ]


def law(counts: tuple[int, ...], rate: float, predicates: tuple[frozenset[int], ...], k: int) -> np.ndarray:
    weights = np.array([math.exp(rate * float(q)) for q in exact_scores(counts, k, predicates)])
    return np.asarray(weights / weights.sum())


def worst_loss(channel_at: Callable[[tuple[int, ...]], np.ndarray], n: int, m: int) -> float:
    logs = {c: np.log(channel_at(c)) for c in histograms(n, m)}
    return max(float((logs[x] - logs[y]).max()) for x in logs for y in neighbours(x))


@pytest.mark.parametrize(
    "predicates", [intervals(4), halfspaces(CrossTable((2, 2))), (frozenset({0, 2}), frozenset({3}))]
)
def test_scores_are_the_largest_error_of_a_predicate(predicates: tuple[frozenset[int], ...]) -> None:
    made = SyntheticHistogram(7, 4, 3, predicates, EPSILON)
    for c in histograms(7, 4):
        assert scores(made, np.array(c)).tolist() == [float(q) for q in exact_scores(c, 3, predicates)]


def test_the_worst_loss_over_all_neighbours_is_within_epsilon_and_near_it() -> None:
    made = event()
    worst = worst_loss(lambda c: finite_exponential.probabilities(scores(made, np.array(c)), channel(made)), 6, 3)
    assert 0.5 * float(EPSILON) < worst <= float(EPSILON)


def test_a_rate_for_half_the_sensitivity_is_caught() -> None:
    made = event()
    assert worst_loss(lambda c: law(c, 2 * channel(made).rate, made.predicates, 4), 6, 3) > float(EPSILON)


def test_draws_follow_the_law_and_not_a_nearby_one() -> None:
    """Refused: the rate a third off, one predicate missing."""
    made, counts, entropy = event(), (1, 4, 1), Reproducible(23).entropy()
    place = {c: index for index, c in enumerate(histograms(4, 3))}
    draws = [place[draw(np.array(counts), made, entropy)] for _ in range(5_000)]
    rate = float(EPSILON) * 6 / 2
    assert_accepts(draws, dict(enumerate(law(counts, rate, made.predicates, 4))))
    assert_rejects(draws, dict(enumerate(law(counts, 1.3 * rate, made.predicates, 4))))
    assert_rejects(draws, dict(enumerate(law(counts, rate, (frozenset({0}), frozenset({2})), 4))))


def test_usefulness_by_the_exact_law_is_within_the_articles_bound() -> None:
    made = SyntheticHistogram(200, 4, 8, intervals(4), Epsilon.parse("2"))
    for counts in ((50, 50, 50, 50), (200, 0, 0, 0), (97, 3, 60, 40)):
        scored = scores(made, np.array(counts))
        for alpha in (0.1, 0.2, 0.3, 0.5):
            probability = failure_probability(made, np.array(counts), alpha)
            exact = finite_exponential.probabilities(scored, channel(made))[
                [-q > alpha for q in exact_scores(counts, 8, made.predicates)]
            ].sum()
            assert probability == pytest.approx(float(exact), rel=1e-12)
            assert probability <= failure_bound(made, alpha, float(-scored.max()))


def test_intervals_and_halfspaces_are_listed_once_each() -> None:
    assert len(intervals(5)) == len(set(intervals(5))) == 14
    # The square has 14 subsets beside none and all; the two diagonals cannot be cut off by a line.
    assert set(halfspaces(CrossTable((2, 2)))) == {
        frozenset(s)
        for s in ({0}, {1}, {2}, {3}, {0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3})
    }
    assert set(halfspaces(CrossTable((4,)))) == {frozenset(range(i)) for i in (1, 2, 3)} | {
        frozenset(range(i, 4)) for i in (1, 2, 3)
    }


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"predicates": ()}, "between 1 and 4096 predicates"),
        ({"predicates": (frozenset(),)}, "some cells and not for all"),
        ({"predicates": (frozenset({0, 1, 2}),)}, "some cells and not for all"),
        ({"predicates": (frozenset({3}),)}, "set of cells"),
        ({"predicates": (frozenset({0}),) * 4097}, "4096"),
        ({"k": 0}, "at least one record"),
        ({"k": 3000}, "candidates"),
        ({"m": 40, "k": 40}, "candidates"),
        ({"n": 2000}, "at most 1400"),
    ],
)
def test_events_that_cannot_run_are_refused(change: dict[str, object], rule: str) -> None:
    fields: dict[str, object] = {"n": 6, "m": 3, "k": 4, "predicates": intervals(3), "epsilon": EPSILON} | change
    with pytest.raises(EventError, match=rule):
        SyntheticHistogram(**fields)  # type: ignore[arg-type]  # what is tried here
