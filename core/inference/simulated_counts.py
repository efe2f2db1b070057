"""Simulates p(c | r) where the likelihood is known at one histogram at a time: by importance sampling.

The exponential mechanism weighs a candidate by e^{−κ H} = Σ_k p_k s^k, s(c, r) the affinity, a product over categories.
Were κ_c and the normaliser N_c the same at every c, p(c | r) would be a mixture over k of the product laws

    Q_k(c) ∝ DirMult(c) s(c, r)^k,    Q_0 the prior predictive law.

So histograms are drawn from a mixture of such laws, and weighted by P(r | c) / Σ_j π_j s^{k_j} / Z_j, from which the
prior has cancelled. A pilot says which components are needed; Q_0 keeps a fifth, so that no weight is beyond bounds.
The draws are independent, and no chain has to find its way between modes: even histograms near r and extreme ones far
away, whose sensitivity is large and whose releases are nearly uniform, are both proposed. What did not converge is
refused: draws of which a few have the weight, and halves that differ on the weight of a component, and so of a mode.
Source of the weights: Veach and Guibas 1995 (the balance heuristic).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.count_simplex import Window, condition_on_total
from core.count_simplex.batch import draw_many
from core.inference.counts import InferenceError, ListedCounts
from core.inference.prior_weights import log_prior_weight
from core.inference.product_counts import Observed
from core.mechanisms.mechanism import PointwiseChannel
from core.samplers.reproducible import Reproducible

_SECONDS: Final = 45.0
"""What a simulation may be estimated to take where its likelihoods are quick; slow ones are asked for LEAST times."""
LEAST: Final = 1000
_MOST: Final = 20_000
_PILOT: Final = 0.2
"""Of all draws."""
_LEAST_EFFECTIVE: Final = 200
_LARGEST_SHARE: Final = 0.05
_COMPONENTS: Final = 10
_FLATTEST: Final = 1e-5
_FROM_PRIOR: Final = 0.2
_FROM_ALL: Final = 0.05
"""Of the draws after the pilot: spread over every component, so that none rests on the pilot alone."""
_FURTHEST: Final = 5.0
"""Standard errors by which the weight of a component may differ between two halves of the draws."""
_DEPTH: Final = 100.0
"""Nats below its top at which a proposal's weight of a count is cut; Q_0 is cut as deep, under a flat prior nowhere."""
_ROUNDS: Final = 100


class SimulatedCounts(ListedCounts):
    """p(c | r) as weighted draws: `simulated` of them, worth `effective` equal ones.

    `error` is the standard error of a probability of one half, the largest there is. `is_even`: no few draws have
    nearly all of the weight.
    """

    def __init__(self, drawn: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
        effective = 1.0 / float(np.square(weights).sum())
        histograms, indices = np.unique(drawn, axis=0, return_inverse=True)
        probabilities = np.bincount(indices.ravel(), weights).astype(np.float64)
        super().__init__(histograms, probabilities, 0.5 / effective**0.5)
        self.simulated, self.effective = len(drawn), effective
        self.is_even = effective >= _LEAST_EFFECTIVE and float(weights.max()) <= _LARGEST_SHARE


def simulation_seconds(channel: PointwiseChannel, n: int, m: int) -> float:
    """A public estimate of `simulated_counts` on one core."""
    return _size(channel) * channel.seconds + 0.1 + 1e-5 * n * m


def _size(channel: PointwiseChannel) -> int:
    """How many histograms are drawn."""
    return int(min(max(_SECONDS / channel.seconds, LEAST), _MOST))


def simulated_counts(
    channel: PointwiseChannel,
    released: tuple[int, ...],
    prior: NDArray[np.float64],
    n: int,
    observed: Sequence[Observed] = (),
    *,
    seed: int = 0,
) -> SimulatedCounts:
    """p(c | r) of `released` r, under a Dirichlet prior α of shape (m,) on the shares; `observed`: further releases of
    the same counts, of noise that is a product over categories.

    Reproducible from the seed. Raises InferenceError where the weights are so uneven that the draws prove little.
    """
    rng = Reproducible(seed)
    proposals = _Proposals(channel, released, prior, n, observed)
    shares = np.full(proposals.size, (1.0 - _FROM_PRIOR) / (proposals.size - 1))
    shares[0] = _FROM_PRIOR
    size = _size(channel)
    numbers = np.ceil(_PILOT * size * shares).astype(np.int64)
    drawn = proposals.draw(numbers, rng)
    logs = _log_likelihoods(channel, released, drawn)
    needed = proposals.fitted(drawn, _weights(logs, proposals.log_densities(drawn), numbers))
    shares = (1.0 - _FROM_PRIOR - _FROM_ALL) * needed + _FROM_ALL / proposals.size
    shares[0] += _FROM_PRIOR
    more = np.ceil((1.0 - _PILOT) * size * shares).astype(np.int64)
    further = proposals.draw(more, rng)
    drawn = np.concatenate([drawn, further])
    logs = np.concatenate([logs, _log_likelihoods(channel, released, further)])
    counts = SimulatedCounts(drawn, weights := _weights(logs, proposals.log_densities(drawn), numbers + more))
    if not counts.is_even:
        raise InferenceError(
            "not available, because the simulation of the posterior did not converge: a few of its draws have nearly "
            "all of the weight"
        )
    if not _agree(proposals.memberships(drawn, numbers + more), weights):
        raise InferenceError(
            "not available, because the simulation of the posterior did not converge: two halves of its draws differ "
            "on where the weight lies"
        )
    return counts


def _agree(memberships: NDArray[np.float64], weights: NDArray[np.float64]) -> bool:
    """Whether the even and the odd draws give every component, and so every mode, the same weight, by the standard
    errors that they have. `memberships`, shape (draws, laws): how likely each draw came from each.
    """
    means, variances = [], []
    for half in (slice(0, None, 2), slice(1, None, 2)):
        shares = weights[half] / weights[half].sum()
        means.append(shares @ memberships[half])
        variances.append(np.square(shares) @ np.square(memberships[half] - means[-1]))
    return bool((np.abs(means[0] - means[1]) <= _FURTHEST * np.sqrt(variances[0] + variances[1]) + 1e-9).all())


def _log_likelihoods(
    channel: PointwiseChannel, released: tuple[int, ...], drawn: NDArray[np.int64]
) -> NDArray[np.float64]:
    """ln P(r | c) of each draw c, shape (draws,); those that come twice are asked for once."""
    histograms, indices = np.unique(drawn, axis=0, return_inverse=True)
    return np.array([channel.log_likelihood(released, c) for c in histograms])[indices.ravel()]


def _weights(
    logs: NDArray[np.float64], log_densities: NDArray[np.float64], numbers: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Weights that sum to 1, shape (draws,): each draw counts as one from all components together."""
    with np.errstate(divide="ignore"):
        logs = logs - np.logaddexp.reduce(log_densities + np.log(numbers), axis=1)
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


class _Proposals:
    """The product laws Q_k of one release, k = 0 and a geometric ladder up to the steepest."""

    def __init__(
        self,
        channel: PointwiseChannel,
        released: tuple[int, ...],
        prior: NDArray[np.float64],
        n: int,
        observed: Sequence[Observed],
    ) -> None:
        counts = np.arange(n + 1)
        base = [log_prior_weight(float(alpha), counts, anchor=n / len(prior)) for alpha in prior]
        for each in observed:
            for category, y in enumerate(each.noisy[: len(base)]):
                base[category] = base[category] + each.log_noise(y - counts)
        self._terms = channel.log_terms(released)
        ladder = np.geomspace(max(1.0, _FLATTEST * channel.steepest), max(2.0, channel.steepest), _COMPONENTS)
        self._powers = np.concatenate([[0.0], ladder])
        self._windows = [
            [_window(b + k * h) for b, h in zip(base, self._terms, strict=True)] for k in self._powers.tolist()
        ]
        self._distributions = [condition_on_total(windows, n) for windows in self._windows]

    @property
    def size(self) -> int:
        return len(self._distributions)

    def draw(self, numbers: NDArray[np.int64], rng: Reproducible) -> NDArray[np.int64]:
        """So many histograms from each law, shape (Σ numbers, m)."""
        some = zip(self._distributions, numbers.tolist(), strict=True)
        return np.concatenate([draw_many(distribution, number, rng) for distribution, number in some if number])

    def log_densities(self, drawn: NDArray[np.int64]) -> NDArray[np.float64]:
        """ln Q_k(c) / DirMult(c), up to one constant, of each draw c by each law, shape (draws, laws)."""
        log_s = np.sum([h[held] for h, held in zip(self._terms, drawn.T, strict=True)], axis=0)
        columns = []
        for k, distribution, windows in zip(self._powers.tolist(), self._distributions, self._windows, strict=True):
            pairs = list(zip(windows, drawn.T, strict=True))
            inside = np.all([(window.low <= held) & (held <= window.high) for window, held in pairs], axis=0)
            columns.append(np.where(inside, k * log_s - distribution.log_normaliser, -np.inf))
        return np.stack(columns, axis=1)

    def memberships(self, drawn: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """How likely each draw came from each law, of which so many were drawn: shape (draws, laws)."""
        log_densities = self.log_densities(drawn)
        densities = np.exp(log_densities - log_densities.max(axis=1, keepdims=True)) * numbers
        return np.asarray(densities / densities.sum(axis=1, keepdims=True))

    def fitted(self, drawn: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The shares of the laws that make the weighted draws likeliest, by expectation and maximisation."""
        log_densities = self.log_densities(drawn)
        densities = np.exp(log_densities - log_densities.max(axis=1, keepdims=True))
        shares = np.full(self.size, 1.0 / self.size)
        for _ in range(_ROUNDS):
            memberships = densities * shares
            shares = weights @ (memberships / memberships.sum(axis=1, keepdims=True))
        return np.asarray(shares)


def _window(log_weights: NDArray[np.float64]) -> Window:
    inside = np.flatnonzero(log_weights >= log_weights.max() - _DEPTH)
    return Window(int(inside[0]), log_weights[inside[0] : inside[-1] + 1])
