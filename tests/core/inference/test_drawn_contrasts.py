"""Contrasts that need draws: shares of one base with a common part, or of overlapping bases.

`python -m pytest -m long -rP tests/core/inference/test_drawn_contrasts.py` runs the large sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from core.inference.contrast_scales import Contrast
from core.inference.contrasts import DrawnDistribution
from core.inference.events import DRAWS, Share, contrast_distribution
from core.inference.posterior import Estimate, NoiseAwarePosterior
from tests.core.inference.contrast_cases import NEARLY_EMPTY, Released, cells


@pytest.mark.parametrize("contrast", list(Contrast))
def test_drawn_contrasts_that_are_certain_are_found_certain(contrast: Contrast) -> None:
    """θ_0 + θ_1 of all is above θ_1 of all but cell 0 where cell 2 is empty or not, by however little."""
    posterior = NEARLY_EMPTY.posterior()
    whole, part = Share(cells(0, 1)), Share(cells(1), cells(1, 2))
    above = contrast_distribution(posterior, whole, part, contrast)
    assert isinstance(above.distribution, DrawnDistribution)
    assert above.distribution.survival(contrast.equal) == 1.0
    below = contrast_distribution(posterior, part, whole, contrast)
    assert below.distribution.survival(contrast.equal) == 0.0
    assert math.isfinite(above.distribution.quantile(0.999))
    assert math.isfinite(above.distribution.quantile(0.001))


def test_a_probability_from_draws_is_never_0_or_1_and_has_its_own_error() -> None:
    """The shares of two arms with a common cell are 0.2 and 0.8 within 0.01, so no draw has the first one greater."""
    posterior = Released((2000, 6000, 2000), "1", (1.0, 1.0, 1.0)).posterior()
    low, high = Share(cells(0), cells(0, 1, 2)), Share(cells(1), cells(1, 2))
    for first, second, nearly in ((low, high, 0.0), (high, low, 1.0)):
        answer = contrast_distribution(posterior, first, second, Contrast.DIFFERENCE)
        above = answer.above(0.0)
        assert above.value == pytest.approx(nearly, abs=1e-5)
        assert 0.0 < above.value < 1.0
        assert above.error == pytest.approx(1.0 / DRAWS, rel=0.01)
        assert (above.method, above.draws) == ("simulation", DRAWS)
        assert answer.above(1.0).value == 0.0
    assert Estimate.of_frequency(0, 4000).value > 0.0


def test_means_are_given_where_they_exist() -> None:
    """E[1/y] of a share with a nearly empty cell needs a prior above 1, and its variance one above 2."""

    def drawn(prior: tuple[float, ...], contrast: Contrast) -> DrawnDistribution:
        posterior = Released((4, 3, 9), "4", prior).posterior()
        distribution = contrast_distribution(
            posterior, Share(cells(0), cells(0, 1)), Share(cells(1), cells(1, 2)), contrast
        ).distribution
        assert isinstance(distribution, DrawnDistribution)
        return distribution

    for alpha, mean, deviation in ((0.5, False, False), (1.0, False, False), (1.5, True, False), (2.5, True, True)):
        distribution = drawn((1.0, alpha, 1.0), Contrast.RATIO)
        assert (distribution.mean is not None, distribution.standard_deviation is not None) == (mean, deviation)
    # The odds of the first share are over those of the second: cell 1 is in both denominators.
    distribution = drawn((1.0, 2.5, 1.0), Contrast.ODDS_RATIO)
    assert (distribution.mean is not None, distribution.standard_deviation is not None) == (True, False)
    distribution = drawn((0.01, 0.01, 0.01), Contrast.DIFFERENCE)
    assert distribution.mean is not None
    assert -1.0 < distribution.mean < 1.0


def test_the_mean_of_a_ratio_by_draws_is_that_of_the_posterior() -> None:
    released = Released((2, 1, 2), "2", (1.5, 3.0, 2.0))
    shares = Share(cells(0, 1)), Share(cells(1, 2))
    distribution = contrast_distribution(released.posterior(), *shares, Contrast.RATIO).distribution
    weights, (a, b, c) = released.concentrations(cells(0), cells(1), cells(2))
    # E[(θ_0 + θ_1) / (1 − θ_0)]: θ_1 = (1 − θ_0) v, v independent of θ_0.
    exact = weights @ (a / (b + c - 1.0) + b / (b + c))
    assert distribution.standard_deviation is not None
    assert distribution.mean == pytest.approx(exact, abs=5.0 * distribution.standard_deviation / math.sqrt(DRAWS))


def test_nearly_empty_cells_compare_as_their_priors_by_draws_too() -> None:
    """Both shares are mostly below the smallest float, where a direct draw of either would be zero."""
    released = Released((0, 0, 5, 4), "30", (0.001, 0.002, 1.0, 1.0))
    posterior = released.posterior()
    exact = posterior.greater(0, 1).value
    answer = contrast_distribution(
        posterior, Share(cells(0, 2)), Share(cells(1, 2), cells(0, 1, 2, 3)), Contrast.ODDS_RATIO
    )
    assert isinstance(answer.distribution, DrawnDistribution)
    assert abs(answer.distribution.survival(1.0) - exact) <= answer.error


class Drawn(NamedTuple):
    posterior: NoiseAwarePosterior
    first: Share
    second: Share
    contrast: Contrast
    is_greater: Callable[[NDArray[np.float64]], NDArray[np.bool_]]
    """Whether the first share is greater, by the logarithms of the cells' gamma variables, shape (size, 4)."""


def drawn_case(rng: np.random.Generator) -> Drawn:
    counts = rng.multinomial(int(rng.integers(1, 40)), rng.dirichlet(np.full(4, 0.4)))
    prior = np.maximum(np.round(10.0 ** rng.uniform(-3.0, 1.0, 4), 6), 1e-3)
    released = Released(tuple(counts.tolist()), f"{10.0 ** rng.uniform(-0.5, 1.5):.3f}", tuple(prior.tolist()))
    contrast = list(Contrast)[int(rng.integers(3))]
    i, j, k, l = rng.permutation(4).tolist()
    match int(rng.integers(3)):
        case 0:
            shares = Share(cells(i, j)), Share(cells(j, k))
            contrast = Contrast.RATIO if contrast is Contrast.DIFFERENCE else contrast
            return Drawn(released.posterior(), *shares, contrast, lambda logs: logs[:, i] > logs[:, k])
        case 1:
            shares = Share(cells(i), cells(i, j)), Share(cells(i), cells(i, j, k))
            return Drawn(released.posterior(), *shares, contrast, lambda logs: np.ones(len(logs), dtype=bool))
        case _:
            shares = Share(cells(i), cells(i, j)), Share(cells(j), cells(j, k, l))
            return Drawn(
                released.posterior(),
                *shares,
                contrast,
                lambda logs: logs[:, i] + np.logaddexp(logs[:, k], logs[:, l]) > 2.0 * logs[:, j],
            )


def frequencies(drawn: Drawn, at: NDArray[np.float64], *, draws: int, seed: int) -> NDArray[np.float64]:
    """How often the contrast exceeds each of `at`, in draws of every cell."""
    rng, above = np.random.default_rng(seed), np.zeros(at.size)
    table = drawn.posterior.counts.sums([cells(cell) for cell in range(4)])
    likely = np.argwhere(table.probabilities > 0.0)
    weights = table.probabilities[tuple(likely.T)]
    for size in [500_000] * (draws // 500_000) or [draws]:
        times = rng.multinomial(size, weights / weights.sum())
        shapes = np.repeat(drawn.posterior.prior + table.lows + likely, times, axis=0)
        logs = np.log(rng.standard_gamma(shapes + 1.0)) + np.log(1.0 - rng.random(shapes.shape)) / shapes
        log_shares, log_rests = [], []
        for share in (drawn.first, drawn.second):
            base = frozenset(range(4)) if share.given is None else share.given
            inside, outside = (
                np.logaddexp.reduce([logs[:, cell] for cell in sorted(each)])
                for each in (share.cells & base, base - share.cells)
            )
            log_shares.append(inside - np.logaddexp(inside, outside))
            log_rests.append(outside - np.logaddexp(inside, outside))
        if drawn.contrast is Contrast.DIFFERENCE:
            values, limits = np.exp(log_shares[0]) - np.exp(log_shares[1]), at
        else:
            values, limits = log_shares[0] - log_shares[1], np.log(at)
        if drawn.contrast is Contrast.ODDS_RATIO:
            values = values - log_rests[0] + log_rests[1]
        is_greater = drawn.is_greater(logs)
        for place, (t, limit) in enumerate(zip(at.tolist(), limits.tolist(), strict=True)):
            above[place] += (is_greater if t == drawn.contrast.equal else values > limit).sum()
    return above / draws


def hold_draws(number: int, rng: np.random.Generator, *, draws: int) -> float:
    worst = 0.0
    for seed in range(number):
        drawn = drawn_case(rng)
        answer = contrast_distribution(drawn.posterior, drawn.first, drawn.second, drawn.contrast)
        assert answer.error > 5e-4
        at = np.array([answer.distribution.quantile(p) for p in (0.1, 0.5, 0.9)] + [0.3, 1.7])
        # Nearer to the ends and to equal shares the frequencies are rounded.
        low, high = (-0.999, 0.999) if drawn.contrast is Contrast.DIFFERENCE else (1e-100, 1e100)
        at = at[(low < at) & (at < high) & (np.abs(at - drawn.contrast.equal) > 1e-9)]
        at = np.append(at, drawn.contrast.equal)
        found = frequencies(drawn, at, draws=draws, seed=1000 + seed)
        errors = [
            abs(answer.distribution.survival(t) - each) for t, each in zip(at.tolist(), found.tolist(), strict=True)
        ]
        assert max(errors) <= answer.error, (seed, drawn.contrast, errors)
        worst = max(worst, *errors)
    return worst


def test_drawn_contrasts_are_as_exact_as_they_say() -> None:
    hold_draws(12, np.random.default_rng(35), draws=200_000)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(36, 40))
def test_two_hundred_drawn_contrasts_are_as_exact_as_they_say(seed: int) -> None:
    worst = hold_draws(50, np.random.default_rng(seed), draws=10**7)
    print(f"largest error of a contrast by draws: {worst:.5f}")  # noqa: T201  read with -rP
