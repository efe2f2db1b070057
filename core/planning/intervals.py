"""Predicts the noise-aware intervals of a release at a guess: how wide they are, where they lie, and how often they
contain the guess.

Counts are drawn at the guess, or are the guess itself, and noise is added. A question is answered from its own pieces
with ½ for each, as a release answers it (`core.inference.pieces`). If a question has two pieces and the number of
records is public, all releases are summed over. Otherwise they are simulated under a fixed seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet
from core.inference.mixture import BetaMixture
from core.inference.pieces import PRIOR_OF_A_PIECE, pieces_of
from core.inference.prior_weights import log_prior_weight
from core.inference.rough_intervals import rough_intervals_of
from core.mechanisms.catalogue import CountsEvent, likelihood_of
from core.mechanisms.mechanism import NoiseOnCounts
from core.planning.conditioned import draws_given
from core.planning.noisy_sums import Floats, Integers, Law, NoisySums, drawn_counts
from core.planning.questions import (
    ContrastOfShares,
    Question,
    intervals,
    of_two_categories,
    sets_of,
    shares_of,
    value_at,
)
from core.samplers.reproducible import Reproducible

RUNS: Final = 400
"""Number of simulated releases of a question, whose frequencies have a standard error of at most 2.5 points."""
RUNS_OF_STRATA: Final = 100
_DRAWS: Final = 256
"""Number of draws for each simulated release. An order statistic among them makes a width some 1.5 % too large."""
_STEPS: Final = 128
"""Number of steps of the noise on either side; noise that is wider than this number of records has steps of several."""
_STEPS_OF_TWO: Final = 1024
_MAX_SEPARATE_COUNTS: Final = 256
"""Largest number of releases of two pieces that are all computed; beyond, ends are interpolated between nodes."""
_NODES: Final = 32
_MAX_STEPS_PER_SIDE: Final = 1 << 13
_NORMAL_FROM: Final = 1e4
"""Variance of a count from which it is taken for normal, in steps of several records; below, for Poisson."""
_NEGLIGIBLE_SHARE: Final = 1e-18
"""Probability of a release, relative to the likeliest, below which it is left out."""
_DEPTH: Final = 34.0
_DEVIATIONS: Final = 9.0
_MAX_OMITTED_SHARE: Final = 0.05
TOO_WIDE: Final = "its noise is too wide for a plan at this number of records"


@dataclass(frozen=True, slots=True)
class Expected:
    """The noise-aware interval of a question over releases at the guess. The ends and widths of ratios are logarithms.

    - `width`: its mean; `low` and `high`: the medians of the ends.
    - `contains`: how often it contains the guess.
    - `decides`: how often it lies beyond `Asked.against`, on the side of the guess, or on either side if that is the
      guess; None if there is nothing to decide.
    - `runs`: the number of simulated releases, or 0 for a sum over all.
    """

    width: float
    width_error: float
    low: float
    high: float
    contains: float
    decides: float | None
    runs: int

    def error(self, frequency: float) -> float:
        """Return the standard error of a frequency."""
        return math.sqrt(frequency * (1.0 - frequency) / self.runs) if self.runs else 0.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its value at the guess, and the value that its interval is compared with, if any. Values of
    ratios are logarithms. `runs` is the number of releases that are simulated for it.
    """

    question: Question
    guess: float
    against: float | None
    runs: int = RUNS

    @staticmethod
    def at(
        question: Question, counts: NDArray[np.int64], against: float | None = None, runs: int = RUNS
    ) -> Asked | None:
        """Return the question at a guess. A contrast is compared with no difference. None if the guess has no case of
        a share, or if its value is at the end of its range: an interval never contains that.
        """
        guess = value_at(question, counts)
        if guess is None:
            return None
        return Asked(question, guess, 0.0 if isinstance(question, ContrastOfShares) else against, runs)

    def expected(self, ends: Floats, probabilities: Floats | None) -> Expected:
        """Return the summary of intervals, shape (k, 2), of releases with these probabilities, or of simulated ones."""
        low, high = ends.T
        mean = np.mean if probabilities is None else lambda each: min(float(probabilities @ each), 1.0)
        decides = None
        if self.against is not None:
            above, below = float(mean(low > self.against)), float(mean(high < self.against))
            decides = above + below if self.is_null else above if self.guess > self.against else below
        width = float(np.average(high - low, weights=probabilities))
        return Expected(
            width,
            float((high - low).std() / math.sqrt(low.size)) if probabilities is None else 0.0,
            _median(low, probabilities),
            _median(high, probabilities),
            float(mean((low <= self.guess) & (self.guess <= high))),
            decides,
            low.size if probabilities is None else 0,
        )

    @property
    def is_null(self) -> bool:
        """Return whether the guess is the value that the interval is to be distinguished from."""
        return self.against is not None and math.isclose(self.guess, self.against, rel_tol=1e-12, abs_tol=1e-12)


def _median(values: Floats, probabilities: Floats | None) -> float:
    if probabilities is None:
        return float(np.median(values))
    order = np.argsort(values)
    place = np.searchsorted(np.cumsum(probabilities[order]), 0.5)
    return float(values[order[min(int(place), values.size - 1)]])


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """Counts that somebody guesses, shape (m,); whether the counts of the table are `drawn` at their shares, or are
    exactly these; whether the number of records is private; and the prior of a piece.
    """

    counts: NDArray[np.int64]
    drawn: bool = True
    is_size_private: bool = False
    prior: float = PRIOR_OF_A_PIECE

    @property
    def n(self) -> int:
        return int(self.counts.sum())


def expected_intervals(
    event: CountsEvent | None, guess: Guess, asked: Sequence[Asked], level: float
) -> tuple[Expected, ...]:
    """Return the expected interval of each question. `event` adds noise to counts; if it is None, counts are exact.

    Raises ArithmeticError if the noise is too wide.
    """
    likelihood = None if event is None else likelihood_of(event)
    assert likelihood is None or isinstance(likelihood, NoiseOnCounts), "it adds noise to counts"
    m = guess.counts.size
    found: dict[int, Expected] = {}
    together: dict[tuple[CellSet, ...], list[int]] = {}
    cut = [pieces_of(shares_of(each.question), m) for each in asked]
    for place in sorted(range(len(asked)), key=lambda place: (-asked[place].runs, -len(cut[place]))):
        pieces = cut[place]
        if len(pieces) == 2 and not (guess.is_size_private and likelihood is not None):
            ends, probabilities = _intervals_of_two_pieces(likelihood, guess, pieces, asked[place].question, level)
            found[place] = asked[place].expected(ends, probabilities)
            continue
        # Risks of a trial are read off the releases that are simulated for its contrasts.
        key = next((each for each in together if _sets_by_pieces(asked[place].question, each, m)), pieces)
        together.setdefault(key, []).append(place)
    for pieces, places in together.items():
        some = [asked[place] for place in places]
        simulated = _simulated_intervals(likelihood, guess, pieces, some, level)
        for place, each, ends in zip(places, some, simulated, strict=True):
            found[place] = each.expected(ends, np.ones(1) if len(ends) == 1 else None)
    return tuple(found[place] for place in range(len(asked)))


def _sets_by_pieces(question: Question, pieces: Sequence[CellSet], m: int) -> list[list[int]] | None:
    """Return the sets of the question by numbers of pieces; None if a set is not a union of pieces."""
    sets = sets_of(question, m)
    found = [[number for number, piece in enumerate(pieces) if piece <= cells] for cells in sets]
    sizes = [sum(len(pieces[number]) for number in each) for each in found]
    return found if sizes == [len(cells) for cells in sets] else None


def _intervals_of_two_pieces(
    likelihood: NoiseOnCounts | None, guess: Guess, pieces: Sequence[CellSet], question: Question, level: float
) -> tuple[Floats, Floats]:
    """Return the ends of the interval in every release, shape (k, 2), and the probabilities of the releases.

    Both noisy sums together are as informative about the first count as one number with the law of `Law.plus`. This is
    exact if one is not observed or the noise has the sum 0. For Gaussian noise it ignores effects of the lattice.
    """
    sets = sets_of(question, guess.counts.size)
    first = sets[0]
    rest = next(each for each in pieces if each != first)
    sums = NoisySums.of(likelihood, (first, rest), guess.n, guess.counts.size, _STEPS_OF_TWO)
    laws = dict(zip(sums.pieces, sums.laws, strict=True))
    of_first, of_rest = laws.pop(first), next(iter(laws.values()))
    if of_first is None:
        assert of_rest is not None, "one sum is observed"
        of_first = Law(-(of_rest.low + of_rest.logs.size - 1), of_rest.logs[::-1])
    elif of_rest is not None:
        of_first = of_first.plus(of_rest)
    count = int(guess.counts[sorted(first)].sum())
    of_law = of_first.low, of_first.logs.tobytes()
    ends, weights = _ends_of_share(of_law, sums.grain, guess.n, count, guess.prior, level, drawn=guess.drawn)
    return of_two_categories(question, ends, 1.0 - ends[:, ::-1]), weights


@lru_cache(maxsize=64)
def _ends_of_share(
    of_law: tuple[int, bytes], grain: int, n: int, count: int, prior: float, level: float, *, drawn: bool
) -> tuple[Floats, Floats]:
    """Return the ends of the interval of count / n in every release of count + noise, and their probabilities."""
    law = Law(of_law[0], np.frombuffer(of_law[1]))
    size = max(1, round(n / grain))
    # If counts vary over very many steps, every few steps are used.
    around = _DEVIATIONS * math.sqrt(n * (count / n) * (1.0 - count / n)) + 40.0 if drawn else 0.0
    stride = max(1, round(2.0 * around / grain / _MAX_STEPS_PER_SIDE))
    low, of_count = _counts(n, count, grain * stride, around) if drawn else (round(count / grain), np.ones(1))
    of_noise, low_noise = law.probabilities, law.low
    if stride > 1:
        places = np.rint((law.low + np.arange(law.logs.size)) / stride).astype(np.int64)
        of_noise, low_noise = np.bincount(places - places[0], of_noise).astype(np.float64), int(places[0])
    probabilities = np.convolve(of_count, of_noise)
    kept = np.flatnonzero(probabilities > _NEGLIGIBLE_SHARE * probabilities.max())
    probabilities = probabilities[kept[0] : kept[-1] + 1]
    numbers = stride * (low + low_noise + np.arange(kept[0], kept[-1] + 1))
    places = np.arange(numbers.size)
    if numbers.size > _MAX_SEPARATE_COUNTS:
        spread = np.cumsum(np.sqrt(probabilities))
        nodes = np.searchsorted(spread, np.linspace(spread[0], spread[-1], _NODES))
        places = np.unique(np.concatenate([[0, numbers.size - 1], nodes]).clip(0, numbers.size - 1))
    mixtures = _mixtures(law, numbers[places], size, prior)
    ends = rough_intervals_of(mixtures, level, n=size, grain=grain)
    if places.size < numbers.size:
        ends = np.stack([np.interp(np.arange(numbers.size), places, each) for each in ends.T], axis=1)
    return ends, probabilities / probabilities.sum()


def _counts(n: int, count: int, grain: int, around: float) -> tuple[int, Floats]:
    """Return the least possible count, and the probabilities of the drawn counts from it on, in steps of `grain`."""
    share = count / n
    low, high = (round(min(max(each, 0.0), n) / grain) for each in (count - around, count + around))
    steps = np.arange(low, high + 1)
    if grain == 1:
        logs = special.gammaln(n + 1.0) - special.gammaln(steps + 1.0) - special.gammaln(n - steps + 1.0)
        return low, np.exp(logs + special.xlogy(steps, share) + special.xlog1py(n - steps, -share))
    upto = np.append(steps, high + 1) * float(grain) - grain / 2
    if n * share * (1.0 - share) > _NORMAL_FROM:
        below = special.ndtr((upto - n * share) / math.sqrt(n * share * (1.0 - share)))
    else:  # the counts of the rarer side are about Poisson
        few = min(share, 1.0 - share)
        at = np.floor(upto if few == share else n - upto)
        poisson = np.where(at < 0.0, 0.0, special.pdtr(np.maximum(at, 0.0), n * few))
        below = poisson if few == share else 1.0 - poisson
    return low, np.maximum(np.diff(below), 0.0)


def _mixtures(law: Law, numbers: Integers, n: int, prior: float) -> list[BetaMixture]:
    """Return the distribution of count / n given count + noise for each of increasing numbers."""
    anchors = np.clip(numbers, 0, n)
    lows = np.clip(numbers - (law.low + law.logs.size - 1), 0, anchors)
    highs = np.clip(numbers - law.low, anchors, n)
    # Each possible count once: if numbers are far apart, few counts between them are possible.
    unseen = np.maximum(lows, np.append(lows[0], highs[:-1] + 1))
    counts = np.concatenate([np.arange(*each) for each in zip(unseen, highs + 1, strict=True)])
    starts = np.searchsorted(counts, lows)
    middle = float(counts[counts.size // 2])
    of_prior = log_prior_weight(prior, counts, anchor=middle) + log_prior_weight(prior, n - counts, anchor=n - middle)
    found = []
    for number, start, low, high in zip(*(each.tolist() for each in (numbers, starts, lows, highs)), strict=True):
        logs = law.at(number - np.arange(low, high + 1)) + of_prior[start : start + high - low + 1]
        kept = np.flatnonzero(logs > logs.max() - _DEPTH)
        weights = np.exp(logs[kept[0] : kept[-1] + 1] - logs.max())
        found.append(BetaMixture(prior, n + 2.0 * prior, low + int(kept[0]), weights / weights.sum()))
    return found


def _simulated_intervals(
    likelihood: NoiseOnCounts | None,
    guess: Guess,
    pieces: tuple[CellSet, ...],
    asked: Sequence[Asked],
    level: float,
) -> list[Floats]:
    """Return the ends of the questions' intervals in simulated releases, each of shape (releases, 2).

    Raises ArithmeticError if too many releases can't be conditioned on.
    """
    n, m, rng, runs = guess.n, guess.counts.size, Reproducible(0), max(each.runs for each in asked)
    sums = NoisySums.of(likelihood, pieces, None if guess.is_size_private else n, m, _STEPS)
    at_guess = np.array([int(guess.counts[sorted(cells)].sum()) for cells in sums.pieces])
    counts = drawn_counts(n, at_guess / n, runs, rng) if guess.drawn else np.tile(at_guess, (runs, 1))
    if likelihood is None:
        counts = counts if guess.drawn else counts[:1]
        draws = _DRAWS * runs // len(counts)
        drawn = np.broadcast_to(counts[:, None], (len(counts), draws, counts.shape[1]))
    else:
        drawn = _draws(sums, _counts_in_steps(counts, sums.grain), guess, rng)
    log_gammas = rng.log_gammas(guess.prior + sums.grain * drawn)
    found = []
    for each in asked:
        sets = _sets_by_pieces(each.question, sums.pieces, m)
        assert sets is not None, "its sets are unions of the pieces"
        found.append(intervals(each.question, sets, log_gammas, level))
    return found


def _counts_in_steps(counts: Integers, grain: int) -> Integers:
    """Return the counts in steps, with about the same sum in each row."""
    found = (counts + grain // 2) // grain
    if grain > 1:
        rows = np.arange(len(counts))
        largest = counts.argmax(axis=1)
        found[rows, largest] += np.maximum(1, counts.sum(axis=1) // grain) - found.sum(axis=1)
        found[rows, largest] = np.maximum(found[rows, largest], 0)
    return found


def _draws(sums: NoisySums, counts: Integers, guess: Guess, rng: Reproducible) -> Integers:
    noisy = counts[:, : len(sums.observed)] + sums.draws(len(counts), rng)
    n = None if guess.is_size_private else int(counts[0].sum())
    some = list(draws_given(n, guess.prior, sums, noisy, _DRAWS, rng))
    unsure = np.concatenate([each.unsure for each in some])
    if unsure.mean() > _MAX_OMITTED_SHARE:
        raise ArithmeticError(TOO_WIDE)
    return np.asarray(np.concatenate([each.counts for each in some])[~unsure])
