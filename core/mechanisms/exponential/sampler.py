"""Draws from P(r) ∝ e^{−κ H(r)} + e^{−L} over all candidates, exactly, with the same operations for every histogram.

With X(r) = −ln s(r), H = sqrt(1 − e^{−X}). The weight w(X) = e^{−κH} + e^{−L} is a mixture of powers s^k = e^{−kX} by
the discrete stable distribution p_k(κ) (`core.mechanisms.exponential.stable_distribution`). Proposals come from a few
k, the nodes. At a node, s^k under a tilt is a product of weights of categories, bounded by a product of envelopes
(`core.mechanisms.exponential.envelopes`). All counts but one are drawn from these, one by one, and the last is the rest
of n.

Let B_j be the sum of the envelopes of node j. For any A, B > 0 the weighted arithmetic and geometric means give, for k
= λ k_j + (1 − λ) k_{j+1} between two nodes,

    e^{−kX} <= B_j^λ B_{j+1}^{1−λ} (λ e^{−k_j X} / B_j + (1 − λ) e^{−k_{j+1} X} / B_{j+1}).

So Q(X) = Σ_j P_j e^{−k_j X} / B_j, with P_j the probability of proposing node j, is at least w(X)/C for a C near Σ_k
p_k B^chord_k. C must hold with certainty. As ln w and ln Q are convex, w <= C Q is verified on a grid of X, with chords
above the one and tangents below the other between grid points. A proposal r of node j is accepted with probability

    [e^{−k_j X} / (B_j π_j(r))] · [w(X) / (C Q(X))],

where π_j(r) is the probability with which the envelopes draw it. Summed over j, the accepted mass at r is w(X(r))/C.
There is no normaliser and no cut tail, so only rounding separates this from P.

No acceptance probability exceeds 1: the envelopes lie above the weights with a margin of 4·10⁻⁶ per category, and C
above the ratio with a margin of 10⁻⁶, both far above rounding. So the guarantee is pure at every size. The losses lie
in an interval, so the certificate has a ρ.

A public number of tries is made at once, of which usually at least one is accepted. If none is, the same number is made
again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike

from core.candidates import log_candidate_count
from core.mechanisms.exponential.envelopes import UNITS_BITS, Counts, Envelopes, Floats, uniform_words, units_of
from core.mechanisms.exponential.stable_distribution import log_masses
from core.samplers.bernoulli import coin_of_log
from core.samplers.entropy import Entropy
from core.special_functions import log_affinity

_FIRST_NODES: Final = 6
_ROUNDS: Final = 5
_ADDED_CHORDS: Final = 2
"""Number of nodes added in each round, at the chords that lose most efficiency."""
_FIRST_GRID_POINTS: Final = 64
"""Up to this k, masses of the stable distribution are used at every integer; beyond, at a grid of k."""
_FAR: Final = 60.0
"""The last node is a k at which all other candidates weigh about e^-60 relative to c."""
_FARTHEST: Final = 40.0
"""An X beyond which H rounds to 1."""
_ROWS: Final = 4096
_COUNTS_AT_ONCE: Final = 1 << 18


class HellingerSampler:
    """A sampler of P at one prior, histogram, κ and e^{−L}. Everything in it is private."""

    __slots__ = (
        "_counts",
        "_kappa",
        "_log_added",
        "_log_c",
        "_log_q",
        "_nodes",
        "_prior",
        "_running",
        "_total",
    )

    def __init__(self, prior: ArrayLike, counts: ArrayLike, kappa: float, *, log_admixture: float = -math.inf) -> None:
        """Take `prior` α and `counts` c of shape (m,), m >= 2, α_i > 0, c_i >= 0, Σ c_i = n >= 1; `kappa` κ > 0;
        `log_admixture` −L.
        """
        self._prior = np.asarray(prior, dtype=np.float64)
        self._counts = np.asarray(counts, dtype=np.int64)
        self._total, self._kappa, self._log_added = int(self._counts.sum()), kappa, log_admixture
        log_candidates = log_candidate_count(self._total, self._counts.size)
        # Moving one record makes X at least about 1 / (4 (max α + n)).
        last = 4.0 * (self._total + float(self._prior.max()) + 1.0) * (log_candidates + _FAR)
        k, log_mass = self._masses(last)
        found = self._envelopes_at(np.concatenate([[0.0], np.geomspace(1.0, last, _FIRST_NODES)]))
        for _ in range(_ROUNDS):
            chords = _Chords.between(found, k)
            loosest = np.argsort(chords.given_away(log_mass), kind="stable")[-_ADDED_CHORDS:]
            found += self._envelopes_at(
                np.sqrt((chords.nodes[loosest] + 1.0) * (chords.nodes[loosest + 1] + 1.0)) - 1.0
            )
        shares = _Chords.between(found, k).shares(log_mass)
        units = units_of(shares, np.ones(shares.size, dtype=np.bool_))
        self._nodes = nodes = Envelopes.joined(found)
        self._running = np.cumsum(units)
        self._log_q = np.log(units) - UNITS_BITS * math.log(2.0) - nodes.log_bound
        self._log_c = self._largest_ratio(last, log_candidates)

    def draws(self, size: int, entropy: Entropy) -> list[tuple[int, ...]]:
        """Draw r independently `size` times."""
        drawn: list[tuple[int, ...]] = []
        while len(drawn) < size:
            for tries in tries_together(self._counts.size):
                counts, log_probability = self._attempts(tries, entropy)
                # Every coin is tossed, whatever the earlier results, so that the work is constant.
                kept = [coin_of_log(min(each, 0.0), entropy) for each in log_probability.tolist()]
                _add_kept(drawn, counts, kept)
        return drawn[:size]

    def _attempts(self, tries: int, entropy: Entropy) -> tuple[Counts, Floats]:
        """Return proposals, shape (tries, m), and ln of the acceptance probability of each."""
        nodes = self._nodes
        words = uniform_words(entropy, (tries, 1), np.uint32) >> np.uint32(32 - UNITS_BITS)
        at = (self._running <= words).sum(axis=1)
        drawn, log_probabilities = nodes.propose(at, entropy)
        is_closing = np.arange(self._counts.size) == nodes.closing[at, None]
        others = np.where(is_closing, 0, drawn)
        counts = np.where(is_closing, self._total - others.sum(axis=1, keepdims=True), others)
        x = -log_affinity(self._prior, self._counts, np.maximum(counts, 0)).sum(axis=1)
        log_proposal = np.where(is_closing, 0.0, log_probabilities).sum(axis=1)
        of_node = -nodes.k[at] * x - nodes.log_bound[at] - log_proposal
        of_all = self._log_weight(x) - self._log_c - np.logaddexp.reduce(self._log_q - np.outer(x, nodes.k), axis=1)
        return counts, np.where((counts >= 0).all(axis=1), of_node + of_all, -math.inf)

    def _log_weight(self, x: Floats) -> Floats:
        return np.asarray(np.logaddexp(-self._kappa * np.sqrt(-np.expm1(-x)), self._log_added), dtype=np.float64)

    def _masses(self, last: float) -> tuple[Floats, Floats]:
        """Return a grid of k, and ln of the approximate mixture weight around each.

        The last point represents all larger k.
        """
        whole, m = np.arange(float(_FIRST_GRID_POINTS)), self._counts.size
        # Steps of a fifth of the least width of the weight, which is proportional to 1 / √dimensions on a log scale.
        steps = (
            math.ceil(math.log(max(last / _FIRST_GRID_POINTS, 2.0)) * math.sqrt(m + 1.0) / (0.2 * math.sqrt(2.0))) + 2
        )
        beyond = np.geomspace(_FIRST_GRID_POINTS, max(last, 2.0 * _FIRST_GRID_POINTS), steps)
        widths = np.concatenate([np.ones_like(whole), np.gradient(beyond)])
        k = np.concatenate([whole, beyond])
        log_mass = log_masses(self._kappa, k) + np.log(widths)
        log_mass[0] = np.logaddexp(-self._kappa, self._log_added)
        # The tail of Lévy's distribution, which approximates the stable distribution at large k.
        log_mass[-1] = math.log(math.erf(0.5 * self._kappa / math.sqrt(last)))
        return np.minimum(k, last), log_mass

    def _envelopes_at(self, k: Floats) -> list[Envelopes]:
        return Envelopes.of(self._prior, self._counts, self._total, k)

    def _largest_ratio(self, last: float, log_candidates: float) -> float:
        """Return ln C for a constant C with w(X) <= C Q(X) for all X >= 0."""
        ratio = min(0.02, 4.0 / (log_candidates + _FAR))
        first = 0.05 / last
        x = np.concatenate([[0.0], np.geomspace(first, _FARTHEST, math.ceil(math.log(_FARTHEST / first) / ratio))])
        log_weight, k = self._log_weight(x), self._nodes.k
        largest = float(log_weight[-1] - self._log_q[0])
        for start in range(0, x.size - 1, _ROWS):
            ends = x[start : start + _ROWS + 1]
            middle, half = 0.5 * (ends[1:] + ends[:-1]), 0.5 * np.diff(ends)
            logs = self._log_q - np.outer(middle, k)
            top = logs.max(axis=1)
            shares = np.exp(np.maximum(logs - top[:, None], -700.0))
            total = shares.sum(axis=1)
            log_q, fall = top + np.log(total), (shares * k).sum(axis=1) / total * half
            of_ends = log_weight[start : start + _ROWS + 1]
            largest = max(largest, float((np.maximum(of_ends[:-1] - fall, of_ends[1:] + fall) - log_q).max()))
        return largest + 1e-6


def _add_kept(drawn: list[tuple[int, ...]], counts: Counts, kept: list[bool]) -> None:
    """Append the accepted proposals. This work, like the number of rounds, depends on which proposals were accepted."""
    drawn += [tuple(counts[at].tolist()) for at, is_kept in enumerate(kept) if is_kept]


def tries_together(m: int) -> list[int]:
    """Return the number of proposals made before the first check for an accepted one, split into chunks. It is public.

    On average ten or more are accepted, at every histogram that was tried (`python -m benchmarks.draw_times`).
    """
    tries, at_once = math.ceil(90.0 * math.sqrt(m)), max(1, _COUNTS_AT_ONCE // m)
    return [min(at_once, tries - start) for start in range(0, tries, at_once)]


def sampler_slack(n: int, m: int, *, largest_exponent: float) -> float:
    """Return a bound on the error of ln of the acceptance probability, at any histogram of n records in m categories.

    κ or L is at most `largest_exponent`. H is treated as exact, because its error is accounted for elsewhere.

    The logarithm is a sum of three kinds of logarithms: of m probabilities, each at least 2^(−30 − 48); of B_j and Q,
    between 1 and |R|, with one nat more per category; and of k_j X, which matters only if e^{−k_j X} is a relevant part
    of Q >= w/C. Such sums are exact to a few units in the last place of their largest terms.
    """
    return 1e-14 * (60.0 * m + 2.0 * log_candidate_count(n, m) + largest_exponent)


def sampler_seconds(n: int, m: int) -> float:
    """Return a generous estimate, from public sizes, of the time of one draw on one core."""
    return 0.02 + 7e-4 * m + m * math.sqrt(m) * (6e-5 + 1.2e-6 * math.log(n))


@dataclass(frozen=True, slots=True, eq=False)
class _Chords:
    """The chords of ln B between nodes, evaluated on a grid of k."""

    nodes: Floats
    """The nodes' k, increasing."""
    log_bound: Floats
    """ln B at each node."""
    k: Floats
    before: Counts
    """The index of the node before each k."""

    @classmethod
    def between(cls, found: Sequence[Envelopes], k: Floats) -> Self:
        nodes, log_bound = (np.concatenate(each) for each in zip(*((f.k, f.log_bound) for f in found), strict=True))
        order = np.argsort(nodes, kind="stable")
        before = np.minimum(np.searchsorted(nodes[order], k, side="right") - 1, nodes.size - 2)
        return cls(nodes[order], log_bound[order], k, before)

    def share(self) -> Floats:
        """Return λ, the interpolation weight of the node below each k."""
        end = self.nodes[self.before + 1]
        return np.asarray((end - self.k) / (end - self.nodes[self.before]))

    def heights(self) -> Floats:
        share = self.share()
        return np.asarray(share * self.log_bound[self.before] + (1.0 - share) * self.log_bound[self.before + 1])

    def given_away(self, log_mass: Floats) -> Floats:
        """Return an upper bound on the loss of efficiency of each chord, relative to the other chords.

        ln B is convex, so it lies above the prolonged chords of the neighbours. The loss is the mass between the chord
        and these.
        """
        slopes = np.diff(self.log_bound) / np.diff(self.nodes)
        of_left, of_right = np.append(-math.inf, slopes[:-1]), np.append(slopes[1:], 0.0)
        since, until = self.k - self.nodes[self.before], self.nodes[self.before + 1] - self.k
        with np.errstate(invalid="ignore"):
            from_left = self.log_bound[self.before] + np.where(since > 0.0, of_left[self.before] * since, 0.0)
        from_right = self.log_bound[self.before + 1] - of_right[self.before] * until
        excess = -np.expm1(np.minimum(np.maximum(from_left, from_right) - self.heights(), 0.0))
        return _sums(self.before, self._masses(log_mass) * excess, slopes.size)

    def shares(self, log_mass: Floats) -> Floats:
        """Return the probability of proposing each node."""
        mass, share = self._masses(log_mass), self.share()
        found = _sums(self.before, mass * share, self.nodes.size) + _sums(
            self.before + 1, mass * (1.0 - share), self.nodes.size
        )
        return np.asarray(found / found.sum())

    def _masses(self, log_mass: Floats) -> Floats:
        log_all = log_mass + self.heights()
        return np.asarray(np.exp(log_all - log_all.max()))


def _sums(places: Counts, values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(places, values, minlength=size), dtype=np.float64)
