"""The mechanism of Blum, Ligett and Roth draws a synthetic histogram of k records on which every predicate of a class
holds about as often as in the data.

The score of a histogram r of k records is q(c, r) = −max_h |Q_h(c) − Q_h(r)|, Q_h the share of records in the cells of
predicate h. One replaced record moves a share of the n true records by at most 1/n, so weights e^{εnq/2} make the draw
ε-differentially private under `replace_one`. Every candidate is visited, so it is for few cells and few synthetic
records.

Source: Blum, Ligett and Roth 2008, "A learning theory approach to non-interactive database privacy", section 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.methods import finite_exponential
from benchmarks.papers.methods.finite_exponential import FiniteExponential
from core.candidates import candidate, candidate_count, histograms
from core.cells import CellSet, CrossTable
from core.mechanisms.event import EventError, check_epsilon, check_size
from core.privacy import Epsilon
from core.samplers.entropy import Entropy
from core.samplers.uniform import in_proportion

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_CANDIDATES: Final = 1 << 20
MAX_PREDICATES: Final = 4096
_MAX_WORK: Final = 1 << 32
_BLOCK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class SyntheticHistogram:
    """`n` true records over `m` cells, `k` synthetic ones, the class of `predicates` as sets of cells, `epsilon` what a
    draw costs.

    Raises EventError unless 1 <= k, there are between 1 and 4096 predicates, each holds for some cells and not for all,
    C(k + m − 1, m − 1) candidates are at most 2²⁰ (and 2³² with predicates and cells multiplied in), and εn is at most
    1 400: beyond, weights leave the range of floating-point numbers.
    """

    n: int
    m: int
    k: int
    predicates: tuple[CellSet, ...]
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_epsilon(self.epsilon)
        _require(self.k >= 1, "a synthetic histogram has at least one record")
        _require(1 <= len(self.predicates) <= MAX_PREDICATES, f"there are between 1 and {MAX_PREDICATES} predicates")
        cells = frozenset(range(self.m))
        _require(all(predicate <= cells for predicate in self.predicates), "a predicate is a set of cells")
        _require(
            all(0 < len(predicate) < self.m for predicate in self.predicates),
            "a predicate holds for some cells and not for all",
        )
        count = candidate_count(self.k, self.m) if min(self.k, self.m - 1) <= 20 else MAX_CANDIDATES + 1
        _require(
            count <= MAX_CANDIDATES,
            f"there are at most {MAX_CANDIDATES} candidates: choose fewer cells or synthetic records",
        )
        _require(
            count * len(self.predicates) * self.m <= _MAX_WORK,
            "candidates times predicates times cells are at most 2**32",
        )
        _require(float(self.epsilon) * self.n <= 1400, "epsilon times n is at most 1400")


def intervals(m: int) -> tuple[CellSet, ...]:
    """Every interval of m cells in a row, but all of them: m(m + 1)/2 − 1 predicates."""
    _require(m >= 2, "there are at least two cells")
    return tuple(frozenset(range(i, j)) for i in range(m) for j in range(i + 1, m + 1) if j - i < m)


def halfspaces(table: CrossTable, largest_coefficient: int = 1) -> tuple[CellSet, ...]:
    """The different halfspaces {x : w·x >= t} over the cells of a table of ordered attributes, w with integer entries
    up to `largest_coefficient`.

    Predicates that hold for all cells or for none are left out.
    """
    vectors = (2 * largest_coefficient + 1) ** len(table.levels)
    _require(largest_coefficient >= 1 and vectors * table.m <= 1 << 22, "the class is too large to list")
    levels = np.array(table.combinations)
    found: dict[CellSet, None] = {}
    for w in product(range(-largest_coefficient, largest_coefficient + 1), repeat=len(table.levels)):
        heights = levels @ np.array(w)
        for threshold in np.unique(heights)[1:].tolist():
            found[frozenset(np.flatnonzero(heights >= threshold).tolist())] = None
    return tuple(found)


@lru_cache(maxsize=8)
def channel(event: SyntheticHistogram) -> FiniteExponential:
    """The finite exponential mechanism behind it: scores in [−1, 0], each moved by at most 1/n in one step, every
    candidate of the same measure.
    """
    measure = (1.0,) * candidate_count(event.k, event.m)
    return finite_exponential.calibrate(measure, event.epsilon, sensitivity=1.0 / event.n, lowest=-1.0, highest=0.0)


def draw(counts: Counts, event: SyntheticHistogram, entropy: Entropy) -> tuple[int, ...]:
    """A synthetic histogram of `k` records, shape (m,), for counts of shape (m,) that sum to n."""
    weights = finite_exponential.weights(scores(event, counts), channel(event))
    return candidate(in_proportion(weights, entropy), event.k, event.m)


def scores(event: SyntheticHistogram, counts: Counts) -> Floats:
    """q(c, r) = −max_h |k Q_h(c) n − n Q_h(r) k| / nk of every candidate r in lexicographic order: integers, divided
    once.
    """
    if counts.shape != (event.m,) or int(counts.min()) < 0 or int(counts.sum()) != event.n:
        raise ValueError("the histogram is not of the size that the event states")
    membership = np.array(
        [[cell in predicate for cell in range(event.m)] for predicate in event.predicates], dtype=np.float64
    ).T
    # Sums of integers below 2**53 are exact in floats, which multiply much faster.
    true, candidates = counts @ membership * event.k, histograms(event.k, event.m).astype(np.float64)
    worst = [
        np.abs(candidates[start : start + _BLOCK] @ membership * event.n - true).max(axis=1)
        for start in range(0, len(candidates), _BLOCK)
    ]
    return np.asarray(-np.concatenate(worst) / (event.n * event.k))


def failure_probability(event: SyntheticHistogram, counts: Counts, alpha: float) -> float:
    """P(some predicate's share is off by more than α) at made-up counts, by the exact law: the mechanism is (α,
    δ)-useful there for no smaller δ.
    """
    scored = scores(event, counts)
    return float(finite_exponential.probabilities(scored, channel(event))[scored < -alpha * (1.0 + 1e-12)].sum())


def failure_bound(event: SyntheticHistogram, alpha: float, best: float) -> float:
    """The article's bound |R| e^{−εn(α − α₀)/2} on it, where some candidate has all shares within α₀ = `best` (the
    article: α/2); at most 1.
    """
    exponent = math.log(candidate_count(event.k, event.m)) - channel(event).rate * (alpha - best)
    return min(1.0, math.exp(min(0.0, exponent)))


def _require(condition: bool, rule: str) -> None:  # noqa: FBT001  an assertion in form
    if not condition:
        raise EventError(rule)
