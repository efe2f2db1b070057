"""Simulates p(c | r) by importance sampling, if the likelihood is computed at one histogram at a time.

The exponential mechanism weights a candidate by e^{−κ H} = Σ_k p_k s^k, where the affinity s(c, r) is a product over
categories. If κ_c and the normaliser N_c were the same at every c, p(c | r) would be a mixture over k of the product
distributions

    Q_k(c) ∝ DirMult(c) s(c, r)^k,    Q_0 the prior predictive distribution.

Histograms are therefore drawn from a mixture of such Q_k, with weights P(r | c) / Σ_j π_j s^{k_j} / Z_j, from which the
prior cancels. A pilot run chooses the components. Q_0 keeps a fifth, so that the weights stay bounded.

The draws are independent, so no chain has to move between modes. Histograms near r are proposed, and so are extreme
ones far away, whose sensitivity is large and whose releases are nearly uniform.

The result is rejected if a few draws have most of the weight, or if two halves of the draws differ on the weight of a
component, and so of a mode. Source of the weights: Veach and Guibas 1995 (the balance heuristic).
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
"""Largest estimated time of a simulation with fast likelihoods. Slow likelihoods are evaluated MIN_DRAWS times."""
MIN_DRAWS: Final = 1000
_MAX_DRAWS: Final = 20_000
_PILOT: Final = 0.2
"""The pilot's share of all draws."""
_LEAST_EFFECTIVE: Final = 200
_LARGEST_SHARE: Final = 0.05
_COMPONENTS: Final = 10
_FLATTEST: Final = 1e-5
_PRIOR_SHARE: Final = 0.2
_UNIFORM_SHARE: Final = 0.05
"""Share of the later draws spread over all components, so that none depends on the pilot alone."""
_MAX_DEVIATIONS_APART: Final = 5.0
"""Largest accepted difference of a component's weight between two halves of the draws, in standard errors."""
_DEPTH: Final = 100.0
"""Depth, in nats below the maximum, at which a proposal's weights of a count are cut. Under a flat prior Q_0 is not
cut.
"""
_ROUNDS: Final = 100


class SimulatedCounts(ListedCounts):
    """p(c | r) as `simulated` weighted draws with effective sample size `effective`.

    `error` is the standard error of a probability of one half, which is the largest. `is_even` is false if most of the
    weight is on a few draws.
    """

    def __init__(self, drawn: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
        effective = 1.0 / float(np.square(weights).sum())
        histograms, indices = np.unique(drawn, axis=0, return_inverse=True)
        probabilities = np.bincount(indices.ravel(), weights).astype(np.float64)
        super().__init__(histograms, probabilities, 0.5 / effective**0.5)
        self.simulated, self.effective = len(drawn), effective
        self.is_even = effective >= _LEAST_EFFECTIVE and float(weights.max()) <= _LARGEST_SHARE


def _size(channel: PointwiseChannel) -> int:
    """Return the number of histograms to draw."""
    return int(min(max(_SECONDS / channel.seconds, MIN_DRAWS), _MAX_DRAWS))


def simulated_counts(
    channel: PointwiseChannel,
    released: tuple[int, ...],
    prior: NDArray[np.float64],
    n: int,
    observed: Sequence[Observed] = (),
    *,
    seed: int = 0,
) -> SimulatedCounts:
    """Return p(c | r) given the release r, under a Dirichlet prior on the shares.

    Arguments: `channel`, the mechanism's channel; `released` r; `prior` α, shape (m,); `n` records; `observed`, further
    releases of the same counts whose noise is a product over categories; `seed`, which makes the result reproducible.

    Raises InferenceError if the weights are too uneven, or differ between halves of the draws.
    """
    rng = Reproducible(seed)
    proposals = _Proposals(channel, released, prior, n, observed)
    shares = np.full(proposals.size, (1.0 - _PRIOR_SHARE) / (proposals.size - 1))
    shares[0] = _PRIOR_SHARE
    size = _size(channel)
    numbers = np.ceil(_PILOT * size * shares).astype(np.int64)
    drawn = proposals.draw(numbers, rng)
    logs = _log_likelihoods(channel, released, drawn)
    needed = proposals.fitted(drawn, _weights(logs, proposals.log_densities(drawn), numbers))
    shares = (1.0 - _PRIOR_SHARE - _UNIFORM_SHARE) * needed + _UNIFORM_SHARE / proposals.size
    shares[0] += _PRIOR_SHARE
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
    if not _are_weights_equal(proposals.memberships(drawn, numbers + more), weights):
        raise InferenceError(
            "not available, because the simulation of the posterior did not converge: two halves of its draws differ "
            "on where the weight lies"
        )
    return counts


def _are_weights_equal(memberships: NDArray[np.float64], weights: NDArray[np.float64]) -> bool:
    """Return whether the even and the odd draws give every component the same weight, within their standard errors.

    `memberships`, shape (draws, components), is the probability that each draw came from each component.
    """
    means, variances = [], []
    for half in (slice(0, None, 2), slice(1, None, 2)):
        shares = weights[half] / weights[half].sum()
        means.append(shares @ memberships[half])
        variances.append(np.square(shares) @ np.square(memberships[half] - means[-1]))
    return bool(
        (np.abs(means[0] - means[1]) <= _MAX_DEVIATIONS_APART * np.sqrt(variances[0] + variances[1]) + 1e-9).all()
    )


def _log_likelihoods(
    channel: PointwiseChannel, released: tuple[int, ...], drawn: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return ln P(r | c) for each draw c, shape (draws,). Repeated draws are evaluated once."""
    histograms, indices = np.unique(drawn, axis=0, return_inverse=True)
    return np.array([channel.log_likelihood(released, c) for c in histograms])[indices.ravel()]


def _weights(
    logs: NDArray[np.float64], log_densities: NDArray[np.float64], numbers: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return importance weights with sum 1, shape (draws,).

    Each draw is treated as one from the mixture of all components.
    """
    with np.errstate(divide="ignore"):
        logs = logs - np.logaddexp.reduce(log_densities + np.log(numbers), axis=1)
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


class _Proposals:
    """The product distributions Q_k of one release: k = 0 and a geometric sequence up to the largest k."""

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
            for category, log_weights in enumerate(base):
                base[category] = log_weights + each.of_category(category, counts)
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
        """Draw numbers[j] histograms from each component j, shape (Σ numbers, m)."""
        some = zip(self._distributions, numbers.tolist(), strict=True)
        return np.concatenate([draw_many(distribution, number, rng) for distribution, number in some if number])

    def log_densities(self, drawn: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return ln Q_k(c) / DirMult(c), up to a common constant, for each draw c under each component, shape
        (draws, components).
        """
        log_s = np.sum([h[held] for h, held in zip(self._terms, drawn.T, strict=True)], axis=0)
        columns = []
        for k, distribution, windows in zip(self._powers.tolist(), self._distributions, self._windows, strict=True):
            pairs = list(zip(windows, drawn.T, strict=True))
            inside = np.all([(window.low <= held) & (held <= window.high) for window, held in pairs], axis=0)
            columns.append(np.where(inside, k * log_s - distribution.log_normaliser, -np.inf))
        return np.stack(columns, axis=1)

    def memberships(self, drawn: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the probability that each draw came from each component, given the `numbers` drawn, shape (draws,
        components).
        """
        log_densities = self.log_densities(drawn)
        densities = np.exp(log_densities - log_densities.max(axis=1, keepdims=True)) * numbers
        return np.asarray(densities / densities.sum(axis=1, keepdims=True))

    def fitted(self, drawn: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the component weights that maximise the likelihood of the weighted draws, by
        expectation-maximisation.
        """
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
