"""Shares of sets of cells, and contrasts of them, compared with sums over every histogram."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet
from core.inference import InferenceError, infer
from core.inference.beta_pairs import BetaPairs
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import DrawnDistribution, OneShareContrast, TwoShareContrast
from core.inference.distribution import CEILING
from core.inference.events import Share, contrast_between, contrast_distribution, share_distribution
from core.inference.posterior import NoiseAwarePosterior
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from core.samplers.reproducible import Reproducible
from tests.core.inference.reference import posterior_of_counts

EVENT = SimplexGeometric(9, 4, Epsilon.parse("1.2"))
NOISY = (4, -1, 5, 1)
PRIOR = np.array([1.0, 0.5, 2.0, 0.7])
TOLERANCE = 1e-10


def cells(*numbers: int) -> CellSet:
    return frozenset(numbers)


def posterior() -> NoiseAwarePosterior:
    return infer(EVENT, NoisyCounts(NOISY, NOISY), PRIOR)


def concentrations(*sets: CellSet) -> tuple[NDArray[np.float64], list[NDArray[np.float64]]]:
    """The probability of every histogram, and α + c summed over each of the sets."""
    counts, weights = posterior_of_counts(EVENT, NOISY, PRIOR)
    return weights, [(PRIOR + counts)[:, sorted(each)].sum(axis=1) for each in sets]


@pytest.mark.parametrize("share", [Share(cells(0)), Share(cells(0, 2)), Share(cells(1, 2, 3))])
def test_the_share_of_a_set_is_a_mixture_of_beta_distributions(share: Share) -> None:
    weights, (a,) = concentrations(share.cells)
    answer = share_distribution(posterior(), share)
    total = PRIOR.sum() + EVENT.n
    assert answer.method == "exact"
    assert isinstance(answer.distribution, BetaPairs) or answer.distribution.mean == pytest.approx(
        weights @ (a / total), abs=TOLERANCE
    )
    for x in (0.05, 0.3, 0.8):
        assert answer.distribution.survival(x) == pytest.approx(
            weights @ special.betaincc(a, total - a, x), abs=TOLERANCE
        )


@pytest.mark.parametrize(
    "share", [Share(cells(0), cells(0, 1)), Share(cells(0, 3), cells(0, 2)), Share(cells(1, 2), cells(1, 2, 3))]
)
def test_a_conditional_share_equals_brute_force(share: Share) -> None:
    assert share.given is not None
    weights, (a, b) = concentrations(share.cells & share.given, share.given - share.cells)
    answer = share_distribution(posterior(), share)
    assert isinstance(answer.distribution, BetaPairs)
    assert answer.distribution.mean == pytest.approx(weights @ (a / (a + b)), abs=TOLERANCE)
    square = weights @ (a * (a + 1) / ((a + b) * (a + b + 1)))
    assert answer.distribution.standard_deviation == pytest.approx(
        (square - answer.distribution.mean**2) ** 0.5, abs=TOLERANCE
    )
    for x in (0.05, 0.3, 0.8):
        assert answer.distribution.survival(x) == pytest.approx(weights @ special.betaincc(a, b, x), abs=TOLERANCE)
        assert answer.distribution.density([x])[0] == pytest.approx(
            weights @ np.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)), rel=1e-9
        )
    low, high = answer.distribution.interval(0.9)
    assert weights @ special.betainc(a, b, low) == pytest.approx(0.05, abs=TOLERANCE)
    assert weights @ special.betaincc(a, b, high) == pytest.approx(0.05, abs=TOLERANCE)


Betas: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]


def over_the_second(
    weights: NDArray[np.float64],
    law_of_y: Betas,
    law_of_x: Betas,
    limit: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    region: tuple[float, float] = (0.0, 1.0),
) -> float:
    """Σ_c p(c) ∫ f_y(y) P(X > limit(y)) dy, by the trapezoidal rule in the logit of y's place in the region.

    There the limit lies in (0, 1); it is below 0 where y is below the region, and above 1 above it.
    """
    z = np.linspace(-60.0, 60.0, 1001)
    low, high = region
    y, rest = low + (high - low) * special.expit(z), (1 - high) + (high - low) * special.expit(-z)
    (a, b), (c, d) = law_of_y, law_of_x
    steps = (high - low) * special.expit(z) * special.expit(-z) * (z[1] - z[0])
    scale = special.betaln(a, b)[:, None]
    heights = np.exp((a[:, None] - 1) * np.log(y) + (b[:, None] - 1) * np.log(rest) - scale) * steps
    beyond = special.betaincc(c[:, None], d[:, None], np.clip(limit(y), 0.0, 1.0)[None, :])
    return float(weights @ ((heights * beyond).sum(axis=1) + special.betainc(a, b, low)))


@pytest.mark.every(3)
@pytest.mark.parametrize("t", [0.0, 0.15, *(pytest.param(t, marks=pytest.mark.long) for t in (-0.4, 0.7))])
@pytest.mark.parametrize(
    ("first", "second"),
    [(cells(0), cells(2)), (cells(0, 1), cells(3)), (cells(0, 2), cells(2, 3)), (cells(0, 1), cells(2))],
)
def test_the_difference_of_two_shares_equals_brute_force(first: CellSet, second: CellSet, t: float) -> None:
    """Integrated over the other share than the code does: given y, x / (1 − y) is a Beta distribution."""
    weights, (a, b, rest) = concentrations(first - second, second - first, cells(0, 1, 2, 3) - (first ^ second))
    region = max(0.0, -t), min(1.0, 0.5 * (1 - t))
    exact = over_the_second(weights, (b, a + rest), (a, rest), lambda y: (t + y) / np.maximum(1 - y, 1e-300), region)
    answer = contrast_distribution(posterior(), Share(first), Share(second), Contrast.DIFFERENCE)
    assert answer.method == "exact"
    assert answer.distribution.survival(t) == pytest.approx(exact, abs=TOLERANCE)
    assert abs(answer.distribution.survival(t) - exact) <= answer.error
    assert answer.distribution.cdf(t) == pytest.approx(1 - exact, abs=TOLERANCE)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("contrast", "t"), [(Contrast.DIFFERENCE, 0.1), (Contrast.RATIO, 0.8), (Contrast.ODDS_RATIO, 1.7)]
)
def test_contrasts_of_conditional_shares_with_disjoint_bases_equal_brute_force(contrast: Contrast, t: float) -> None:
    weights, (a, b, c, d) = concentrations(cells(0), cells(1), cells(2), cells(3))
    limits: dict[Contrast, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
        Contrast.DIFFERENCE: lambda y: y + t,
        Contrast.RATIO: lambda y: y * t,
        Contrast.ODDS_RATIO: lambda y: t * y / (1 - y + t * y),
    }
    region = (0.0, 1 - t) if contrast is Contrast.DIFFERENCE else (0.0, 1.0)
    exact = over_the_second(weights, (c, d), (a, b), limits[contrast], region)
    answer = contrast_distribution(posterior(), Share(cells(0), cells(0, 1)), Share(cells(2), cells(2, 3)), contrast)
    assert answer.method == "exact"
    assert answer.distribution.survival(t) == pytest.approx(exact, abs=TOLERANCE)
    assert isinstance(answer.distribution, TwoShareContrast)
    step = 1e-5
    slope = (answer.distribution.cdf(t + step) - answer.distribution.cdf(t - step)) / (2 * step)
    assert answer.distribution.density(np.array([t]))[0] == pytest.approx(slope, rel=1e-5)
    low, high = answer.distribution.interval(0.9)
    assert answer.distribution.cdf(low) == pytest.approx(0.05, abs=1e-9)
    assert answer.distribution.survival(high) == pytest.approx(0.05, abs=1e-9)


def test_the_ratio_of_disjoint_shares_equals_brute_force() -> None:
    weights, (a, b) = concentrations(cells(0), cells(2, 3))
    answer = contrast_distribution(posterior(), Share(cells(0)), Share(cells(2, 3)), Contrast.RATIO)
    assert answer.distribution.survival(0.6) == pytest.approx(
        weights @ special.betaincc(a, b, 0.6 / 1.6), abs=TOLERANCE
    )


@pytest.mark.parametrize(("contrast", "first"), [(Contrast.RATIO, 0), (Contrast.RATIO, 1), (Contrast.DIFFERENCE, 1)])
def test_contrasts_of_a_full_and_an_empty_category_keep_their_digits(contrast: Contrast, first: int) -> None:
    """The empty one's share is exponential, of rate n, but for a part of 1/n, since the prior is flat."""
    n = 2**53
    event = SimplexGeometric(n, 2, Epsilon.parse("50"))
    posterior = infer(event, NoisyCounts((n, 0), (n, 0)), np.ones(2))
    distribution = contrast_distribution(posterior, Share(cells(first)), Share(cells(1 - first)), contrast).distribution
    assert isinstance(distribution, OneShareContrast)
    ends = [-math.log(0.95) / n, -math.log(0.05) / n]
    match contrast:
        case Contrast.RATIO:
            expected = [1.0 / end for end in ends[::-1]] if first == 0 else ends
            assert distribution.cdf(expected[0]) == pytest.approx(0.05, rel=1e-9)
            assert distribution.survival(expected[1]) == pytest.approx(0.05, rel=1e-9)
            between = math.sqrt(expected[0] * expected[1])
            y = n * (1.0 / between if first == 0 else between)
            assert distribution.density(np.array([between]))[0] == pytest.approx(y * math.exp(-y) / between, rel=1e-9)
        case _:
            expected = [2.0 * end - 1.0 for end in ends]
    assert distribution.interval(0.9) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("share", [0.3, 0.01])
def test_beta_pairs_of_very_many_records_are_nearly_normal(share: float) -> None:
    distribution = BetaPairs(np.array([2.0**53 * share]), np.array([2.0**53 * (1.0 - share)]), np.ones(1))
    low, high = distribution.interval(0.95)
    assert high - low == pytest.approx(2.0 * special.ndtri(0.975) * distribution.standard_deviation, rel=1e-4)
    height = 1.0 / (math.sqrt(2.0 * math.pi) * distribution.standard_deviation)
    assert distribution.density([distribution.mean])[0] == pytest.approx(height, rel=1e-6)


@pytest.mark.parametrize(("first", "second", "sign"), [(cells(0, 1), cells(1), 1), (cells(1), cells(0, 1), -1)])
def test_the_difference_of_nested_shares_is_one_share(first: CellSet, second: CellSet, sign: int) -> None:
    weights, (a, rest) = concentrations(cells(0), cells(1, 2, 3))
    distribution = contrast_distribution(posterior(), Share(first), Share(second), Contrast.DIFFERENCE).distribution
    expected = weights @ special.betaincc(a, rest, 0.3)
    assert (distribution.survival(0.3) if sign > 0 else distribution.cdf(-0.3)) == pytest.approx(
        expected, abs=TOLERANCE
    )


def test_shares_that_make_up_everything_differ_by_twice_one_of_them() -> None:
    weights, (a, b) = concentrations(cells(0, 1), cells(2, 3))
    distribution = contrast_distribution(
        posterior(), Share(cells(0, 1)), Share(cells(2, 3)), Contrast.DIFFERENCE
    ).distribution
    assert distribution.survival(0.2) == pytest.approx(weights @ special.betaincc(a, b, 0.6), abs=TOLERANCE)


def test_dependent_shares_are_compared_by_draws_and_say_so() -> None:
    shares = Share(cells(0), cells(0, 1)), Share(cells(0, 2), cells(0, 2, 3))
    answer = contrast_distribution(posterior(), *shares, Contrast.RATIO)
    assert isinstance(answer.distribution, DrawnDistribution)
    assert (answer.method, answer.draws) == ("simulation", 160_000)
    assert answer.error == pytest.approx(0.00673, abs=1e-5)
    draws = posterior().draws(200_000, seed=9)
    ratio = (draws[:, 0] / draws[:, :2].sum(axis=1)) / ((draws[:, 0] + draws[:, 2]) / draws[:, [0, 2, 3]].sum(axis=1))
    for t in (0.5, 1.0, 1.5):
        assert abs(answer.distribution.survival(t) - (ratio > t).mean()) < 6 * 0.0028


def test_shares_of_different_people_are_independent() -> None:
    other_event, noisy = SimplexGeometric(3, 2, Epsilon.parse("3")), (2, 1)
    other = infer(other_event, NoisyCounts(noisy, noisy), [1.0, 2.0])
    weights, (a, b) = concentrations(cells(0), cells(1))
    counts, others = posterior_of_counts(other_event, noisy, np.array([1.0, 2.0]))
    exact = sum(
        weight
        * over_the_second(weights, (np.full_like(a, x + 1.0), np.full_like(a, y + 2.0)), (a, b), lambda y: 0.8 * y)
        for weight, (x, y) in zip(others.tolist(), counts.tolist(), strict=True)
    )
    answer = contrast_between((posterior(), Share(cells(0), cells(0, 1))), (other, Share(cells(0))), Contrast.RATIO)
    assert answer.method == "exact"
    assert answer.distribution.survival(0.8) == pytest.approx(exact, abs=TOLERANCE)


@pytest.mark.parametrize(
    "share", [Share(cells()), Share(cells(0, 1, 2, 3)), Share(cells(0, 1), cells(0, 1)), Share(cells(2), cells(0, 1))]
)
def test_a_share_of_nothing_or_of_everything_is_refused(share: Share) -> None:
    with pytest.raises(InferenceError, match="belong"):
        share_distribution(posterior(), share)
    with pytest.raises(InferenceError, match="belong"):
        contrast_distribution(posterior(), Share(cells(0)), share, Contrast.RATIO)


def test_a_share_is_not_compared_with_itself() -> None:
    with pytest.raises(InferenceError, match="must differ"):
        contrast_distribution(
            posterior(), Share(cells(0, 2), cells(0, 1)), Share(cells(0), cells(0, 1)), Contrast.RATIO
        )


def test_draws_of_sums_have_the_distribution_of_the_sums() -> None:
    weights, (a, b) = concentrations(cells(0, 3), cells(1))
    groups = [cells(0, 3), cells(1)]
    drawn = special.softmax(posterior().log_gammas_of([*groups, cells(2)], 40_000, seed=3), axis=1)[:, :2]
    total = PRIOR.sum() + EVENT.n
    assert drawn.mean(axis=0) == pytest.approx([weights @ (a / total), weights @ (b / total)], abs=0.005)
    product = weights @ (a * b / (total * (total + 1)))
    assert (drawn[:, 0] * drawn[:, 1]).mean() == pytest.approx(product, abs=0.003)
    counts = posterior().counts.draws_of_sums(groups, 40_000, Reproducible(3))
    assert (counts[:, 0] - counts[:, 1]).mean() == pytest.approx(
        weights @ (a - b) - (PRIOR[[0, 3]].sum() - PRIOR[1]), abs=0.05
    )


def test_one_set_is_more_likely_above_another_as_brute_force_says() -> None:
    weights, (a, b) = concentrations(cells(0), cells(2))
    exact = weights @ special.betaincc(a, b, 0.5)
    assert posterior().greater_of(cells(0, 1), cells(1, 2)).value == pytest.approx(exact, abs=TOLERANCE)
    weights, (a, b) = concentrations(cells(0, 1), cells(2, 3))
    whole = posterior().greater_of(cells(0, 1), cells(2, 3))
    assert whole.value == pytest.approx(weights @ special.betaincc(a, b, 0.5), abs=TOLERANCE)
    with pytest.raises(InferenceError, match="other categories"):
        posterior().greater_of(cells(0), cells(0, 1))


def neighbours(kind: str) -> BetaPairs:
    """Mixtures in which the parameters follow from one another in several ways, or not at all."""
    steps = np.arange(40.0)
    match kind:
        case "a grid":
            a, b = np.repeat(0.001 + steps[:7], 9), np.tile(0.3 + steps[:9], 7)
        case "one total":
            a, b = 0.001 + steps[::-1], 700.5 + steps
        case "a grid with gaps":
            kept = np.random.default_rng(1).random(400) < 0.7
            a, b = np.repeat(300.25 + steps[:20], 20)[kept], np.tile(280.0 + steps[:20], 20)[kept]
        case _:
            a, b = np.array([3.0, 1e6, 0.01]), np.array([2.0, 1e6 + 0.5, 80.0])
    weights = np.random.default_rng(2).exponential(size=a.size)
    return BetaPairs(a, b, weights / weights.sum())


@pytest.mark.parametrize("kind", ["a grid", "one total", "a grid with gaps", "apart"])
def test_mixtures_by_neighbours_are_the_sums_of_incomplete_beta_functions(kind: str) -> None:
    distribution = neighbours(kind)
    points = np.array([0.0, 1e-300, 1e-12, 0.01, 0.3, 0.5, 0.52, 0.9, 1.0 - 1e-9, 1.0])
    each = special.betaincc(distribution.a[:, None], distribution.b[:, None], points[None, :])
    np.testing.assert_allclose(
        distribution.survivals_of_logits(special.logit(points[1:-1])), each[:, 1:-1], rtol=1e-11, atol=1e-13
    )
    for x, exact in zip(points.tolist(), (distribution.weights @ each).tolist(), strict=True):
        below = distribution.weights @ special.betainc(distribution.a, distribution.b, x)
        assert distribution.survival(x) == pytest.approx(exact, rel=1e-10, abs=1e-15)
        assert distribution.cdf(x) == pytest.approx(below, rel=1e-10, abs=1e-15)


def test_shares_of_different_people_are_compared_exactly_where_their_likely_counts_are_few() -> None:
    event, noisy = SimplexGeometric(1000, 3, Epsilon.parse("1")), (400, 350, 250)
    first = infer(event, NoisyCounts(noisy, noisy), np.ones(3))
    assert first.share(0).probabilities.size > 128
    answer = contrast_between((first, Share(cells(0))), (first, Share(cells(0))), Contrast.DIFFERENCE)
    assert answer.method == "exact"
    assert answer.distribution.survival(0.0) == pytest.approx(0.5, abs=answer.error)
    assert answer.error < 1e-10


@pytest.mark.parametrize("contrast", list(Contrast))
@pytest.mark.parametrize(("records", "first", "second"), [(1e8, 1e-6, 3e-6), (1e12, 1e-6, 3e-6), (2.0**53, 0.3, 0.31)])
def test_quantiles_of_a_contrast_keep_their_digits_at_many_records(
    records: float, first: float, second: float, contrast: Contrast
) -> None:
    """They were found to 1e-9, which is more than a contrast of shares of 10^15 records is spread."""
    x, y = (BetaPairs(np.array([s * records]), np.array([(1 - s) * records]), np.ones(1)) for s in (first, second))
    distribution = TwoShareContrast(x, y, np.ones((1, 1)), contrast)
    for probability in (0.025, 0.5, 0.975):
        assert distribution.cdf(distribution.quantile(probability)) == pytest.approx(probability, abs=1e-7)
    if records < 2.0**53:
        return
    # As good as normal, with the deviations of the difference, and of the logarithms of the ratios.
    shares = np.array([first, second])
    logits = special.logit(shares)
    centre, variances = {
        Contrast.DIFFERENCE: (first - second, shares * (1 - shares)),
        Contrast.RATIO: (math.log(first / second), (1 - shares) / shares),
        Contrast.ODDS_RATIO: (float(logits[0] - logits[1]), 1 / (shares * (1 - shares))),
    }[contrast]
    deviation = math.sqrt(float(variances.sum()) / records)
    for probability in (0.025, 0.975):
        found = distribution.quantile(probability)
        place = found if contrast is Contrast.DIFFERENCE else math.log(found)
        assert abs(place - centre - float(special.ndtri(probability)) * deviation) < 1e-6 * deviation


def test_a_ratio_of_shares_that_may_be_next_to_nothing_has_its_tail() -> None:
    """P(X / Y > t) = E[X^a] t^-a / (a B(a, b)) but for a part 1 / t, where Y ~ Beta(a, b)."""
    x, y = (BetaPairs(np.array([0.05]), np.array([b]), np.ones(1)) for b in (3.0, 5.0))
    distribution = TwoShareContrast(x, y, np.ones((1, 1)), Contrast.RATIO)
    constant = special.beta(0.1, 3.0) / special.beta(0.05, 3.0) / (0.05 * special.beta(0.05, 5.0))
    for t in (1e12, 1e15, 1e17, 1e40):
        assert distribution.survival(t) == pytest.approx(constant * t**-0.05, abs=1e-11)
    assert distribution.survival(distribution.quantile(0.9)) == pytest.approx(0.1, abs=1e-11)


@pytest.mark.parametrize("contrast", [Contrast.RATIO, Contrast.ODDS_RATIO])
def test_a_ratio_of_two_shares_that_may_be_0_has_neither_end(contrast: Contrast) -> None:
    x, y = (BetaPairs(np.array([0.001]), np.array([b]), np.ones(1)) for b in (3.0, 5.0))
    distribution = TwoShareContrast(x, y, np.ones((1, 1)), contrast)
    assert distribution.interval(0.99) == (0.0, math.inf)
    assert (distribution.quantile(0.005), distribution.quantile(0.995)) == (0.0, CEILING)
    assert distribution.error < 1e-9
