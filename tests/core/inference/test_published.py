"""Posteriors of somebody else's noisy table: reference values, comparison with sums over all counts, and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from core.cells import CellSet
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import DrawnDistribution
from core.inference.counts import CountMarginal, InferenceError
from core.inference.events import Share, contrast_distribution, share_distribution, share_distributions
from core.inference.mixed_counts import MixedCounts, nodes_of_mixture
from core.inference.posterior import NoiseAwarePosterior
from core.inference.product_counts import ProductCounts
from core.inference.published import (
    AS_DRAWN,
    Law,
    Noise,
    Printed,
    PublishedCell,
    Total,
    infer_table,
    log_band,
    noise_of,
    table_noise,
)
from core.inference.quantiles import intervals
from core.inference.share_nodes import share_by_nodes
from core.inference.total_nodes import OverTotals
from core.samplers.reproducible import Reproducible

Floats: TypeAlias = NDArray[np.float64]
NEAREST: Final = "half_even"
CLAMPED: Final = Printed(clamped_at_zero=True)
FLAT: Final = Total()
EXACT: Final = Noise("none")


class Reference(NamedTuple):
    """A table, and probabilities and means from sums over all counts in 40 digits."""

    prior: list[float]
    cells: list[PublishedCell]
    total: int | Total
    share_up_to_03: float | None = None
    """P(θ_1 <= 0.3)."""
    total_mean: float | None = None
    count_mean: float | None = None
    """E c_1."""
    none_in: tuple[int, float] | None = None
    """A cell i, and the expected probability that its count is 0."""
    conditional: tuple[int, float, float] | None = None
    """A cell i, x, and P(θ_1 / (θ_1 + θ_i) <= x)."""


def cells_of(
    law: Law, scale: float, values: Sequence[float | None], printed: Printed = AS_DRAWN
) -> list[PublishedCell]:
    return [PublishedCell(value, Noise(law, scale), printed) for value in values]


REFERENCES: Final = [
    Reference(
        [1, 0.5, 2],
        cells_of("geometric", 1, [3, -1, 5]),
        FLAT,
        0.470512000856,
        7.69818699104,
        2.65159641689,
        conditional=(1, 0.5, 0.0787650811815),
    ),
    Reference(
        [1, 0.5, 2],
        cells_of("geometric", 2, [3]) + cells_of("geometric", 1, [-1]) + cells_of("geometric", 0.5, [7]),
        12,
        0.379184231891,
        None,
        4.3796202954,
        (1, 0.694410716205),
    ),
    Reference(
        [1, 1],
        cells_of("discrete_gaussian", 2, [4]) + cells_of("discrete_gaussian", 3, [-2]),
        FLAT,
        0.091402452093,
        4.34695506671,
        3.27941224689,
    ),
    Reference([0.5, 0.5], cells_of("laplace", 1.5, [6.25, 2.75]), FLAT, 0.0560180846156, 8.26045854258, 5.83669593885),
    Reference([1, 2], cells_of("gaussian", 2.5, [7.1, -3.2]), FLAT, 0.0682741093747, 6.35819449173, 5.32599696628),
    Reference(
        [1, 1],
        cells_of("gaussian", 4, [10], Printed(5, NEAREST))
        + cells_of("gaussian", 4, [0], Printed(5, NEAREST, clamped_at_zero=True)),
        FLAT,
        0.0429431940173,
        10.5773802642,
        8.34826950485,
    ),
    Reference(
        [1, 1, 1],
        cells_of("geometric", 2, [0, 0], CLAMPED) + cells_of("geometric", 2, [5]),
        Total(at_most=50),
        0.691040212628,
        5.05371141032,
        0.813207483076,
    ),
    Reference(
        [1, 1],
        cells_of("geometric", 2, [None, 14], Printed(shown_from=10)),
        FLAT,
        0.630229450056,
        17.8071179513,
        4.28105708215,
        (0, 0.130618593827),
    ),
    Reference(
        [1, 1, 1],
        cells_of("discrete_gaussian", 3, [None, 13, 12], Printed(shown_from=10)),
        30,
        0.869660260848,
        None,
        4.68896238212,
        (0, 0.0660636518866),
    ),
    Reference(
        [0.5, 0.5],
        cells_of("geometric", 3, [20, None], Printed(10, "half_even", shown_from=20)),
        FLAT,
        0.00872099283146,
        24.059348998,
        19.1732287388,
    ),
    Reference(
        [1, 0.3, 2],
        cells_of("geometric", 1, [2]) + cells_of("laplace", 1, [4.5]) + cells_of("gaussian", 1, [3.7]),
        Total(published=PublishedCell(14, Noise("discrete_gaussian", 2))),
        0.713289769866,
        11.771350711,
        2.60053506492,
    ),
    Reference(
        [1, 1, 1],
        cells_of("none", 1, [None, None, 25], Printed(shown_from=10)),
        40,
        0.929827167868,
        None,
        7.5,
        conditional=(1, 0.5, 0.5),
    ),
    Reference([0.001] * 3, cells_of("geometric", 1, [2, -3, 1]), FLAT, 0.308451187024, 1.82816074821),
    Reference(
        [1, 0.5, 2, 1],
        cells_of("geometric", 0.5, [3, 1, 2, 4]),
        FLAT,
        0.608421921254,
        9.6072781314,
        conditional=(2, 0.4, 0.317899065495),
    ),
    # A table of `add_remove` releases.
    Reference([1] * 3, cells_of("geometric", 1, [-50, 5, 8]), FLAT, 0.97144147672),
]


def mean(marginal: CountMarginal) -> float:
    return marginal.low + float(marginal.probabilities @ np.arange(marginal.probabilities.size))


def totals(posterior: NoiseAwarePosterior) -> CountMarginal:
    return posterior.counts.totals()


def cdf(posterior: NoiseAwarePosterior, cells: CellSet, at: float, given: CellSet | None = None) -> float:
    answer = share_distribution(posterior, Share(cells, given))
    assert answer.method == "exact"
    assert answer.error < 1e-8
    return float(answer.distribution.cdf(at))


def test_the_posterior_of_a_published_table_has_the_reference_values() -> None:
    for number, each in enumerate(REFERENCES, start=1):
        posterior = infer_table([each.cells], each.prior, each.total)
        assert posterior.counts.error < 1e-9, number
        found: list[float] = []
        known: list[float] = []
        if each.share_up_to_03 is not None:
            found.append(cdf(posterior, frozenset({0}), 0.3))
            known.append(each.share_up_to_03)
        if each.total_mean is not None:
            found.append(mean(totals(posterior)))
            known.append(each.total_mean)
        if each.count_mean is not None:
            found.append(mean(posterior.counts.marginals()[0]))
            known.append(each.count_mean)
        if each.none_in is not None:
            marginal = posterior.counts.marginals()[each.none_in[0]]
            assert marginal.low == 0
            found.append(float(marginal.probabilities[0]))
            known.append(each.none_in[1])
        if each.conditional is not None:
            other, at, probability = each.conditional
            found.append(cdf(posterior, frozenset({0}), at, frozenset({0, other})))
            known.append(probability)
        np.testing.assert_allclose(found, known, rtol=5e-12, atol=0, err_msg=str(number))


COMMON: Final = {0: 0.4, 1: 0.2, -1: 0.2, 2: 0.1, -2: 0.1}
RULES: Final[list[dict[int, float]]] = [{0: 1.0}, {-1: 2 / 3, 2: 1 / 3}, {-2: 1 / 3, 1: 2 / 3}, COMMON]


def rounded(base: int, values: Sequence[float | None], shown_from: int | None = None) -> list[PublishedCell]:
    return [PublishedCell(value, EXACT, Printed(base, "at_random", shown_from=shown_from)) for value in values]


def perturbed(rows: Sequence[dict[int, float]], values: Sequence[float]) -> list[PublishedCell]:
    noise = table_noise(rows)
    return [PublishedCell(value, noise) for value in values]


def nearest_with(probability: float) -> list[dict[int, float]]:
    """Rows of rounding to the nearest multiple of 5 with a probability, else to the other neighbour."""
    of_rests = [probability, probability, 1 - probability, 1 - probability]
    return [{-(c % 5): of_rests[c % 5 - 1], 5 - c % 5: 1 - of_rests[c % 5 - 1]} if c % 5 else {0: 1} for c in range(21)]


def twice(values: Sequence[float], second: float = 2.0, printed: Printed = AS_DRAWN) -> list[PublishedCell]:
    return [PublishedCell(value, Noise("geometric", 2.0, second), printed) for value in values]


RANDOM_REFERENCES: Final[list[tuple[float, list[PublishedCell], int | Total, list[float], float]]] = [
    (1, rounded(3, [0, 3, 9]), FLAT, [0.5887444232213, 2.803772326186, 8.803772326186], 0.5482531691669),
    (2 / 3, rounded(3, [0, 3, 9]), 11, [0.3042836786421, 2.281509690924, 8.414206630433], 0.736384156568),
    (1, rounded(5, [0, 10, 15]), FLAT, [1.22221469484, 9.703248176801, 14.7032481768], 0.3666775763402),
    (1, rounded(5, [0, 10, 15]), 27, [1.384076990376, 10.30796150481, 15.30796150481], 0.2974628171479),
    (1, rounded(10, [0, 10, 30]), FLAT, [2.728044091767, 9.218154509158, 29.21815450916], 0.2087410899887),
    (
        1,
        perturbed(nearest_with(2 / 3), [0, 10, 15]),
        FLAT,
        [1.31540243212, 9.65373126364, 14.65373126364],
        0.369566948989,
    ),
    (
        1,
        perturbed(nearest_with(0.8), [0, 10, 15]),
        FLAT,
        [1.167377876785, 9.732715313959, 14.73271531396],
        0.3649891860699,
    ),
    (1, rounded(5, [None, 10, 15], 10), FLAT, [3.20942512105, 9.722605625514, 14.72260562551], 0.159392135358),
    (
        1,
        perturbed([{0: 1}, COMMON], [0, 4, 9]),
        FLAT,
        [0.2616972954631, 3.832197950908, 8.832197950908],
        0.7995154743227,
    ),
    (1, perturbed([COMMON], [0, 4, 9]), FLAT, [0.5029828280882, 3.834926230837, 8.834926230837], 0.6146682619145),
    (1, perturbed(RULES, [0, 3, 9]), FLAT, [0.5859473582721, 2.27631362963, 8.815918534282], 0.5500388555914),
    (1, twice([-3, 5, 12]), Total(70), [1.579528973865, 4.464111393592, 10.04998391148], 0.38338632462),
    (2 / 3, twice([-3, 5, 12]), 15, [0.9534955009387, 3.534470685662, 10.5120338134], 0.5219653771039),
    (1, twice([-3, 5, 12], 5.0), 15, [2.329159394416, 4.22847147929, 8.442369126294], 0.2630643590935),
    (
        1,
        twice([0, 5, 12], printed=CLAMPED),
        Total(70),
        [1.704347731597, 4.47430560833, 10.07206551498],
        0.3575207367757,
    ),
]
"""Prior of each cell, table, total, E c of each cell and P(c_1 = 0), from sums over all counts in 40 digits."""


def test_tables_rounded_at_random_perturbed_by_a_table_or_twice_have_the_reference_values() -> None:
    for number, (alpha, cells, total, means, none) in enumerate(RANDOM_REFERENCES):
        posterior = infer_table([cells], [alpha] * 3, total)
        assert posterior.counts.error < 1e-11, number
        first, *others = posterior.counts.marginals()
        assert first.low == 0
        found = [*(mean(each) for each in (first, *others)), float(first.probabilities[0])]
        np.testing.assert_allclose(found, [*means, none], rtol=2e-12, atol=0, err_msg=str(number))


def test_two_noises_have_the_law_of_their_sum() -> None:
    """The scales are equal, nearly equal, and far apart; bands and tails as for other laws."""
    for wide, narrow in ((2.0, 2.0), (2.0, 2.0 - 1e-9), (2.0, 1.9), (5.0, 0.3), (40.0, 7.0)):
        z = np.arange(-4000, 4001)
        with mpmath.workdps(30):
            q, r = (mpmath.exp(-1 / mpmath.mpf(scale)) for scale in (wide, narrow))
            alone = [[each ** abs(int(k)) for k in z] for each in (q, r)]
            sums = {d: mpmath.fsum(a * b for a, b in zip(alone[0][d:], alone[1], strict=False)) for d in (0, 1, 7, 40)}
            whole = mpmath.fsum(alone[0]) * mpmath.fsum(alone[1])
            wanted = [float(mpmath.log(each)) for each in sums.values()]
            below = float(mpmath.log(whole - mpmath.fsum(2 * sums[d] if d else sums[d] for d in (0, 1))))
        point = np.array([0.0, 1.0, 7.0, -40.0])
        scales = (np.full(4, wide), np.full(4, narrow))
        np.testing.assert_allclose(log_band("two_geometric", point, point, *scales), wanted, rtol=0, atol=2e-13)
        low, high = np.array([-1.0, 2.0, -np.inf, -np.inf]), np.array([1.0, np.inf, -2.0, np.inf])
        middle, above, under, _ = log_band("two_geometric", low, np.minimum(high, 1e9), *scales)
        assert above == under == pytest.approx(below - math.log(2), abs=1e-12)
        assert middle == pytest.approx(float(mpmath.log(sums[0] + 2 * sums[1])), abs=1e-12)


def test_a_strongly_negative_table_has_the_reference_values() -> None:
    posterior = infer_table([cells_of("geometric", 1, [-1000] * 3)], [1, 1, 1], FLAT)
    assert mean(totals(posterior)) == pytest.approx(0.58197671, abs=1e-8)
    assert cdf(posterior, frozenset({0}), 0.3) == pytest.approx(0.51, abs=1e-11)


def test_the_expected_total_depends_on_the_prior_as_in_the_reference() -> None:
    cells = cells_of("geometric", 10, [40, 35, 50, 42])
    for alpha, expected in ((1.0, 154.83), (0.1, 129.18), (0.001, 48.89)):
        assert mean(totals(infer_table([cells], [alpha] * 4, FLAT))) == pytest.approx(expected, abs=5e-3)


def test_comparisons_and_odds_ratios_at_an_unknown_total_have_the_reference_values() -> None:
    each = REFERENCES[13]
    posterior = infer_table([each.cells], each.prior, each.total)
    greater = posterior.greater(0, 2)
    assert greater.method == "exact"
    assert greater.value == pytest.approx(0.480444622017, abs=1e-11)
    odds_ratio = contrast_distribution(
        posterior,
        Share(frozenset({0}), frozenset({0, 1})),
        Share(frozenset({2}), frozenset({2, 3})),
        Contrast.ODDS_RATIO,
    )
    for threshold, probability in ((1.0, 0.872780484162), (2.0, 0.733754446738)):
        estimate = odds_ratio.above(threshold)
        assert abs(estimate.value - probability) < 5 * estimate.error


def test_joint_draws_at_an_unknown_total_have_the_means_of_the_posterior() -> None:
    each = REFERENCES[13]
    posterior = infer_table([each.cells], each.prior, each.total)
    counts = posterior.counts.draws(20_000, Reproducible(1))
    assert counts.shape == (20_000, 4)
    assert abs(counts.sum(axis=1).mean() - mean(totals(posterior))) < 0.05
    shares = posterior.draws(20_000, seed=2)
    assert abs((shares[:, 0] <= 0.3).mean() - 0.608421921254) < 0.015


def probability_of(noise: Noise, low: float, high: float) -> float:
    """P(low <= z <= high), or the density at low = high, added up or from SciPy."""
    if noise.law == "none":
        return float(low <= 0.0 <= high)
    if noise.law in ("laplace", "floored_laplace", "gaussian"):
        law = stats.norm(scale=noise.scale) if noise.law == "gaussian" else stats.laplace(scale=noise.scale)
        if low == high:
            return float(law.pdf(low))
        return float(law.cdf(high) - law.cdf(low) if low + high < 0.0 else law.sf(low) - law.sf(high))
    values = np.arange(max(low, -400), min(high, 400) + 1)
    every = np.arange(-400, 401)
    if noise.law == "geometric":
        return float(np.exp(-abs(values) / noise.scale).sum() / np.exp(-abs(every) / noise.scale).sum())
    return float(np.exp(-0.5 * (values / noise.scale) ** 2).sum() / np.exp(-0.5 * (every / noise.scale) ** 2).sum())


def likelihood(cell: PublishedCell, count: int) -> float:
    """P(the cell is published as it is, given its count)."""
    (low, high), noise, base = cell.event, cell.noise, cell.printed.round_to
    if cell.printed.rounding == "at_random" and base is not None:
        near = {base * (count // base), base * -(-count // base)}
        return float(sum(1 - abs(count - each) / base for each in near if low <= each <= high))
    if noise.law == "table":
        row = RULES[min(count, len(RULES) - 1)]
        return sum(p for change, p in row.items() if low <= count + change <= high)
    if noise.second:
        every = np.arange(-400, 401)
        sums = np.convolve(np.exp(-abs(every) / noise.scale), np.exp(-abs(every) / noise.second))
        z = np.arange(-800, 801) + count
        return float(sums[(low <= z) & (z <= high)].sum() / sums.sum())
    return probability_of(noise, low - count, high - count)


def brute_force(
    cells: Sequence[PublishedCell], prior: Sequence[float], total: int | Total, largest: int
) -> tuple[float, float, float]:
    """E n, E c_1 and P(θ_1 <= 0.3) by adding up all counts up to `largest` in each cell."""
    counts = np.indices((largest + 1,) * len(cells)).reshape(len(cells), -1)
    n, whole = counts.sum(axis=0), sum(prior)
    with np.errstate(divide="ignore"):
        logs = special.gammaln(n + 1.0) - special.gammaln(n + whole)
        for cell, alpha, held in zip(cells, prior, counts, strict=True):
            likely = np.log([likelihood(cell, c) for c in range(largest + 1)])
            every = np.arange(largest + 1)
            logs += (likely + special.gammaln(every + alpha) - special.gammaln(every + 1.0))[held]
        if isinstance(total, int):
            logs[n != total] = -np.inf
        else:
            if total.at_most is not None:
                logs[n > total.at_most] = -np.inf
            if total.published is not None:
                of_total = [likelihood(total.published, each) for each in range(n.max() + 1)]
                logs += np.log(of_total)[n]
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    likely_counts = weights > 0.0
    share = special.betainc(prior[0] + counts[0], whole - prior[0] + n - counts[0], 0.3)
    return float(weights @ n), float(weights @ counts[0]), float(weights[likely_counts] @ share[likely_counts])


TREATMENTS: Final[list[Printed]] = [
    Printed(),
    Printed(round_to=5, rounding="half_even"),
    Printed(round_to=4, rounding="half_even"),
    Printed(round_to=4, rounding="half_up"),
    Printed(round_to=2, rounding="half_down"),
    Printed(round_to=4, rounding="half_away"),
    CLAMPED,
    Printed(round_to=4, rounding="half_even", clamped_at_zero=True),
    Printed(shown_from=3),
    Printed(round_to=2, rounding="half_even", shown_from=4, clamped_at_zero=True),
]
AT_RANDOM: Final = [
    Printed(),
    Printed(3, "at_random"),
    Printed(5, "at_random", clamped_at_zero=True),
    Printed(5, "at_random", shown_from=5),
]
LAWS: Final[list[Law]] = ["geometric", "laplace", "floored_laplace", "discrete_gaussian", "gaussian", "none"]
PRIORS: Final = [0.001, 0.5, 1.0, 3.0, 100.0]


def tables(size: int, seed: int) -> Iterator[tuple[list[PublishedCell], list[float], int | Total]]:
    """Made-up tables, each law with each treatment in turn, values as such a publisher prints them."""
    rng = np.random.default_rng(seed)
    for index in range(size):
        law, printed = LAWS[index % len(LAWS)], TREATMENTS[(index // len(LAWS)) % len(TREATMENTS)]
        m = 2 + (index % 3 == 0)
        noise = Noise(law, float(rng.choice([0.4, 0.8, 1.1])))
        unit = printed.round_to or 1
        values: list[float | None] = []
        for _ in range(m):
            value = float(unit * rng.integers(-4 // unit, 8 // unit + 1))
            if printed.clamped_at_zero or law == "none":
                value = max(0.0, value)
            if (
                printed.round_to is None
                and law in ("laplace", "gaussian")
                and not (printed.clamped_at_zero and not value)
            ):
                value += 0.25
            hidden = printed.shown_from is not None and (value < printed.shown_from or rng.random() < 0.3)
            values.append(None if hidden else value)
        cells = [PublishedCell(value, noise, printed) for value in values]
        totals: list[int | Total] = [
            FLAT,
            FLAT,
            Total(at_most=12),
            Total(published=PublishedCell(7, Noise("geometric", 1))),
        ]
        if law == "none":
            totals = [FLAT, Total(at_most=40)]
        prior = [float(each) for each in rng.choice(PRIORS, m)]
        yield cells, prior, totals[int(rng.integers(len(totals)))]


def check_by_brute_force(cells: list[PublishedCell], prior: list[float], total: int | Total) -> None:
    largest = 50 if len(cells) == 3 else 120
    expected = brute_force(cells, prior, total, largest)
    posterior = infer_table([cells], prior, total)
    found = (
        mean(totals(posterior)),
        mean(posterior.counts.marginals()[0]),
        share_distribution(posterior, Share(frozenset({0}))),
    )
    case = f"{cells} {prior} {total}"
    np.testing.assert_allclose(found[:2], expected[:2], rtol=1e-9, atol=1e-9, err_msg=case)
    if found[2].method == "exact":
        assert found[2].distribution.cdf(0.3) == pytest.approx(expected[2], abs=1e-10), case


def finite_tables(size: int, seed: int) -> Iterator[tuple[list[PublishedCell], list[float], int | Total]]:
    """Made-up tables of finite noise, or of two noises, drawn from true counts."""
    rng = np.random.default_rng(seed)
    for index in range(size):
        counts, printed = rng.integers(0, 7, 2 + (index % 3 == 0)), AT_RANDOM[index % 4]
        cells = []
        for count in counts.tolist():
            if printed.round_to is not None:
                noise, rest = EXACT, count % printed.round_to
                value = count - rest + (printed.round_to if printed.round_to * rng.random() < rest else 0)
            elif index % 8:
                noise, row = table_noise(RULES), RULES[min(count, 3)]
                value = count + int(rng.choice(list(row), p=list(row.values())))
            else:
                noise, value = Noise("geometric", 0.8, 1.1), count + int(rng.integers(-2, 3))
            if index % 5 == 4 and printed.shown_from is None:
                cells.append(PublishedCell(None, noise, printed, between=(value - 1, value + 2)))
            else:
                hidden = printed.shown_from is not None and value < printed.shown_from
                cells.append(PublishedCell(None if hidden else value, noise, printed))
        totals: list[int | Total] = [
            FLAT,
            max(1, int(counts.sum())),
            Total(published=PublishedCell(5 * -(-int(counts.sum()) // 5), EXACT, Printed(5, "at_random"))),
            Total(published=PublishedCell(int(counts.sum()), EXACT)),
            Total(published=PublishedCell(int(counts.sum()) + 2, table_noise(RULES))),
        ]
        prior = [float(each) for each in rng.choice(PRIORS, counts.size)]
        yield cells, prior, totals[int(rng.integers(len(totals)))]


def test_posteriors_of_finite_noise_agree_with_a_sum_over_all_counts() -> None:
    for cells, prior, total in finite_tables(24, seed=3):
        check_by_brute_force(cells, prior, total)


def test_a_finite_table_and_a_noisy_one_of_the_same_counts_multiply() -> None:
    """The perturbation table has two peaks, and the noisy value lies far from both."""
    rows = [{0: 1.0}, {-1: 0.5, 9: 0.5}]
    found = infer_table([perturbed(rows, [12, 4]), cells_of("geometric", 1, [9, 4])], [1, 1], FLAT)
    weights = np.array([[0.5 * math.exp(-abs(9 - a)) * 0.5 * math.exp(-abs(4 - b)) for b in (5,)] for a in (3, 13)])
    weights /= np.array([[3 + 5 + 1], [13 + 5 + 1]])
    first = found.counts.marginals()[0]
    assert first.probabilities[3 - first.low] == pytest.approx(float(weights[0, 0] / weights.sum()), rel=1e-12)
    with pytest.raises(InferenceError, match="no count is possible for a cell"):
        infer_table([perturbed(rows, [12, 4]), cells_of("none", 1, [8, 5])], [1, 1], FLAT)


@pytest.mark.long
def test_posteriors_of_many_tables_of_finite_noise_agree_with_a_sum_over_all_counts() -> None:
    for cells, prior, total in finite_tables(400, seed=4):
        check_by_brute_force(cells, prior, total)


def test_posteriors_of_all_laws_and_treatments_agree_with_a_sum_over_all_counts() -> None:
    for cells, prior, total in tables(18, seed=1):
        check_by_brute_force(cells, prior, total)


@pytest.mark.long
def test_posteriors_of_many_tables_agree_with_a_sum_over_all_counts() -> None:
    for cells, prior, total in tables(600, seed=2):
        check_by_brute_force(cells, prior, total)


REFUSED: Final[list[tuple[str, Callable[[], object]]]] = [
    (
        "a cell without upper end needs a known, published or bounded total",
        lambda: infer_table(
            [[PublishedCell(None, Noise("geometric", 1), between=(4, None)), PublishedCell(3, Noise("geometric", 1))]],
            [1, 1],
            FLAT,
        ),
    ),
    ("value: must be a number, unless `shown_from`", lambda: PublishedCell(None, Noise("geometric", 1))),
    (
        "value: must be a multiple of `round_to`",
        lambda: PublishedCell(12, Noise("geometric", 1), Printed(5, NEAREST)),
    ),
    ("value: must not be negative in a clamped table", lambda: PublishedCell(-3, Noise("geometric", 1), CLAMPED)),
    ("value: must not be negative in exact counts", lambda: PublishedCell(-3, EXACT)),
    ("value: must be at least `shown_from`", lambda: PublishedCell(4, EXACT, Printed(shown_from=10))),
    ("value: must be a whole number", lambda: PublishedCell(3.5, Noise("geometric", 1))),
    ("not beyond 2^53", lambda: PublishedCell(1e17, Noise("laplace", 1))),
    ("not beyond 2^53", lambda: PublishedCell(float("nan"), Noise("laplace", 1))),
    ("between: must be left out", lambda: PublishedCell(3, EXACT, between=(1, 9))),
    (
        "between: must contain a value that is possible with this noise",
        lambda: PublishedCell(None, Noise("geometric"), between=(9, 1)),
    ),
    ("scale: must be at least 2^-40", lambda: Noise("geometric", 0.0)),
    ("at most 2^40", lambda: Noise("gaussian", 2.0**41)),
    ("scale: must be at least 2^-40", lambda: Noise("gaussian", 1e-300)),
    ("rounding: must be given with `round_to`", lambda: Printed(5)),
    ("rounding: must be given with `round_to`", lambda: Printed(rounding="half_up")),
    ("round_to: must be at most 1000 if", lambda: Printed(1001, "at_random")),
    ("noise: must be `none`", lambda: PublishedCell(5, Noise("geometric"), Printed(5, "at_random"))),
    ("value: must be one that the noise of the cell can give", lambda: PublishedCell(-3, table_noise(RULES))),
    ("value: must be one that the noise", lambda: PublishedCell(2, table_noise([{3: 1.0}]))),
    ("changes: must have probabilities that sum to 1", lambda: table_noise([{0: 1.0}, {1: 0.4, -1: 0.5}])),
    ("changes: must have changes up to 1000 and probabilities of at least 0", lambda: table_noise([{1001: 1.0}])),
    ("changes: must have changes up to 1000 and probabilities of at least 0", lambda: table_noise([{0: 1.5, 1: -0.5}])),
    ("changes: must have 1 to 1000 rows", lambda: table_noise([])),
    ("epsilon: does not describe table noise", lambda: noise_of("table", epsilon=1)),
    ("second_scale: must be left out", lambda: noise_of("laplace", scale=1, second_scale=1)),
    ("second_scale: must be left out", lambda: noise_of("discrete_gaussian", scale=3, second_scale=1)),
    ("round_to: must be a whole number from 1", lambda: Printed(0, "half_up")),
    ("shown_from: must be at least 1", lambda: Printed(shown_from=0, clamped_at_zero=True)),
    ("law: needs exactly one of scale, variance, epsilon, rho", lambda: noise_of("geometric", scale=1, epsilon=1)),
    ("law: needs exactly one of scale, variance, epsilon, rho", lambda: noise_of("geometric")),
    ("rho: does not describe geometric noise", lambda: noise_of("geometric", rho=1)),
    ("epsilon: does not describe gaussian noise", lambda: noise_of("gaussian", epsilon=1)),
    ("epsilon: and the sensitivities must be above 0", lambda: noise_of("laplace", epsilon=-1)),
    (
        "must add up to 30 or more, above the total of 20",
        lambda: infer_table([[PublishedCell(10, EXACT), PublishedCell(20, EXACT)]], [1, 1], 20),
    ),
    (
        "sum to at most 12, less than the total of 20",
        lambda: infer_table(
            [[PublishedCell(3, EXACT), PublishedCell(None, EXACT, Printed(shown_from=10))]], [1, 1], 20
        ),
    ),
    (
        "no count is possible for a cell",
        lambda: infer_table([cells_of("none", 1, [3, 4]), cells_of("none", 1, [3, 5])], [1, 1], FLAT),
    ),
    (
        "too many counts are possible at this noise",
        lambda: infer_table([cells_of("geometric", 2.0**30, [3, 4])], [1, 1], FLAT),
    ),
    ("one number for each category", lambda: infer_table([cells_of("geometric", 1, [3, 4])], [1], FLAT)),
    ("the same cells, two at least", lambda: infer_table([cells_of("geometric", 1, [3])], [1], FLAT)),
    ("total: must be a whole number from 1", lambda: infer_table([cells_of("geometric", 1, [3, 4])], [1, 1], 0)),
    ("at_most: must be a whole number from 0", lambda: Total(at_most=-1)),
]


def test_a_table_that_cannot_be_conditioned_on_is_refused_with_the_field_and_the_rule() -> None:
    for message, make in REFUSED:
        with pytest.raises(InferenceError) as caught:
            make()
        assert message in str(caught.value), (message, str(caught.value))


def test_a_cell_about_which_nothing_is_published_gets_the_rest_of_a_known_or_bounded_total() -> None:
    unseen = PublishedCell(None, EXACT, between=(None, None))
    unseen_noise = PublishedCell(None, Noise("laplace", 3), between=(None, None))
    known = infer_table([[unseen, unseen_noise, *cells_of("none", 1, [4])]], [1, 1, 1], 10)
    np.testing.assert_allclose(known.counts.marginals()[0].probabilities, np.full(7, 1 / 7), atol=1e-12)
    bounded = infer_table([[unseen, *cells_of("none", 1, [4])]], [1, 1], Total(at_most=6))
    weights = np.array([1 / (n + 1) for n in (4, 5, 6)])
    np.testing.assert_allclose(totals(bounded).probabilities, weights / weights.sum(), atol=1e-12)


def test_several_tables_of_the_same_cells_multiply() -> None:
    twice = infer_table([cells_of("gaussian", 2, [5, 9]), cells_of("gaussian", 2, [5, 9])], [1, 1], FLAT)
    once = infer_table([cells_of("gaussian", 2**0.5, [5, 9])], [1, 1], FLAT)
    assert mean(totals(twice)) == pytest.approx(mean(totals(once)), abs=1e-10)


def test_noise_can_be_given_as_libraries_print_it() -> None:
    assert noise_of("geometric", epsilon=0.5) == Noise("geometric", 2.0)
    assert noise_of("laplace", epsilon=0.5, l1_sensitivity=2) == Noise("laplace", 4.0)
    assert noise_of("gaussian", rho=0.125) == Noise("gaussian", 2.0)
    assert noise_of("discrete_gaussian", variance=9) == Noise("discrete_gaussian", 3.0)
    assert noise_of("laplace", variance=8) == Noise("laplace", 2.0)
    assert noise_of("geometric", epsilon=1, second_scale=5) == Noise("geometric", 1.0, 5.0)
    assert noise_of("discrete_gaussian", scale=3, second_scale=4) == Noise("discrete_gaussian", 5.0)
    q = np.exp(-1 / 2.5)
    assert noise_of("geometric", variance=2 * q / (1 - q) ** 2).scale == pytest.approx(2.5, rel=1e-14)


def test_bands_of_all_laws_keep_their_digits_in_both_tails_and_when_narrow() -> None:
    """Compared with sums and integrals in 50 digits, as differences from the log-probability at c = 0."""
    for law, scale, low, high, counts in (
        ("gaussian", 1.0, 0.0, 0.004, (0, 3, 30)),
        ("gaussian", 2.0, 3.0, 9.0, (0, 6, 60)),
        ("laplace", 1e6, 5.0, 6.0, (0, 5, 10**7)),
        ("geometric", 1e6, 5.0, 9.0, (0, 7, 10**7)),
        ("discrete_gaussian", 1.5, 5.0, 9.0, (0, 7, 60)),
        ("discrete_gaussian", 20.0, 5.0, 29.0, (0, 17, 300)),
        ("discrete_gaussian", 20.0, -5.0, 5.0, (0, 2, 500)),
        ("discrete_gaussian", 7.0, 5.0, np.inf, (0, 5, 40)),
    ):
        held = np.array(counts, dtype=np.float64)
        found = log_band(law, low - held, high - held, np.full(held.size, scale))
        with mpmath.workdps(50):
            exact = [float(mpmath.log(exact_band(law, scale, low - c, high - c))) for c in counts]
        np.testing.assert_allclose(found - found[0], np.array(exact) - exact[0], rtol=2e-13, atol=2e-12, err_msg=law)


def exact_band(law: str, scale: float, low: float, high: float) -> mpmath.mpf:
    if law == "gaussian":
        return mpmath.ncdf(high / mpmath.mpf(scale)) - mpmath.ncdf(low / mpmath.mpf(scale))
    if law == "laplace":
        if low < 0.0 < high:
            return exact_band(law, scale, low, 0.0) + exact_band(law, scale, 0.0, high)
        low, high = min(abs(low), abs(high)), max(abs(low), abs(high))
        return (mpmath.exp(-low / mpmath.mpf(scale)) - mpmath.exp(-high / mpmath.mpf(scale))) / 2
    last = high if np.isfinite(high) else low + 50 * scale + abs(low)
    return mpmath.fsum(
        mpmath.exp(-abs(k) / mpmath.mpf(scale) if law == "geometric" else -k * k / (2 * mpmath.mpf(scale) ** 2))
        for k in range(int(low), int(last) + 1)
    )


def test_a_share_from_few_nodes_agrees_with_all_pairs_of_counts() -> None:
    for cells, prior in (
        (cells_of("geometric", 4, [60, 90]), [1.0, 1.0]),
        (cells_of("gaussian", 6, [12, 30, 80]), [0.5, 0.5, 2.0]),
        (cells_of("laplace", 3, [50, 0], CLAMPED), [0.1, 1.0]),
    ):
        posterior = infer_table([cells], prior, FLAT)
        assert isinstance(posterior.counts, ProductCounts)
        others = frozenset(range(1, len(cells)))
        joint = posterior.counts.sums([frozenset({0}), others])
        i, j = np.nonzero(joint.probabilities > 1e-16)
        a, b = prior[0] + joint.lows[0] + i, sum(prior[1:]) + joint.lows[1] + j
        nodes, error = share_by_nodes(posterior.counts, (frozenset({0}), others), (prior[0], sum(prior[1:])))
        assert error < 1e-9
        for at in (0.02, 0.1, 0.3, 0.5, 0.9):
            exact = float(joint.probabilities[i, j] @ special.betainc(a, b, at))
            assert nodes.cdf(at) == pytest.approx(exact, abs=2e-10)


def all_pairs(posterior: NoiseAwarePosterior, cell: int, at: float) -> float:
    """P(θ_cell <= at), summed over all pairs of its count and the sum of the others."""
    others = frozenset(range(posterior.counts.m)) - {cell}
    joint = posterior.counts.sums([frozenset({cell}), others])
    i, j = np.nonzero(joint.probabilities > 1e-18)
    own = float(posterior.prior[cell])
    a, b = own + joint.lows[0] + i, float(posterior.prior.sum()) - own + joint.lows[1] + j
    return float(joint.probabilities[i, j] @ special.betainc(a, b, at))


def noisy_cells(m: int, seed: int, scale: float) -> list[PublishedCell]:
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(60 * m, rng.dirichlet(np.full(m, 1.0)))
    noise = rng.geometric(1 - np.exp(-1 / scale), (m, 2)) @ [1, -1]
    return cells_of("geometric", scale, (counts + noise).astype(np.float64).tolist())


def test_a_sharply_published_total_gives_exact_shares() -> None:
    """A rule over both counts would be wrong by up to 1e-2, because they are tied."""
    cells = cells_of("geometric", 5, [350, 210, 45])
    for total in (Total(published=PublishedCell(600.0, Noise("geometric", 1.0))), Total(at_most=590)):
        posterior = infer_table([cells], [1.0, 0.5, 1.0], total)
        found = share_distribution(posterior, Share(frozenset({0})))
        assert found.method == "exact"
        assert found.error < 2e-8
        for at in (0.5, 0.58):
            assert found.distribution.cdf(at) == pytest.approx(all_pairs(posterior, 0, at), abs=found.error)


@pytest.mark.parametrize(
    ("law", "scale", "total"),
    [("geometric", 20.0, FLAT), ("geometric", 20.0, Total(at_most=600)), ("laplace", 40.0, FLAT)],
    ids=str,
)
def test_shares_beside_wide_noise_are_computed_not_drawn(law: Law, scale: float, total: Total) -> None:
    posterior = infer_table([cells_of(law, scale, [120, 310, 55])], [0.5, 0.5, 0.5], total)
    found = share_distribution(posterior, Share(frozenset({1})))
    assert found.method == "exact"
    assert found.error < 1e-5
    for at in (0.5, 0.63):
        assert found.distribution.cdf(at) == pytest.approx(all_pairs(posterior, 1, at), abs=found.error)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    "total", [FLAT, Total(at_most=950), Total(published=PublishedCell(955.0, Noise("geometric", 2.0)))], ids=str
)
def test_the_shares_of_many_cells_are_computed_together_and_are_those_of_each_alone(total: Total) -> None:
    posterior = infer_table([noisy_cells(16, 5, 5.0)], np.full(16, 0.5), total)
    together = share_distributions(posterior)
    from_totals = [i for i, each in enumerate(together) if isinstance(each.distribution, OverTotals)]
    assert len(from_totals) > 12
    mixtures = [each.distribution for each in together if isinstance(each.distribution, OverTotals)]
    ends = intervals(mixtures, 0.9).tolist()
    for cell, (low, high), mixture in list(zip(from_totals, ends, mixtures, strict=True))[::7]:
        assert together[cell].error < 1e-7
        assert (low, high) == pytest.approx(mixture.interval(0.9), rel=1e-9)
        for at in (low, 0.7 * low + 0.3 * high, high):
            assert mixture.cdf(at) == pytest.approx(all_pairs(posterior, cell, at), abs=together[cell].error)


def test_a_cell_with_most_of_the_records_is_computed_alone() -> None:
    cells = [*cells_of("geometric", 5, [20_000]), *noisy_cells(13, 3, 5.0)]
    posterior = infer_table([cells], np.ones(14), FLAT)
    together = share_distributions(posterior)
    assert not isinstance(together[0].distribution, OverTotals)
    assert isinstance(together[7].distribution, OverTotals)


def test_the_rule_of_a_mixture_finds_its_narrow_integrand_under_a_strong_prior() -> None:
    """With ln Σ = nt the integral over r = e^−τ is that of Beta(n + 1, A − 1)."""
    for n, whole in ((20_000, 2e6), (5_000, 150_000.0), (3, 40.0)):
        tau, shares, error = nodes_of_mixture(whole, lambda t, n=n: n * t)  # type: ignore[misc]
        assert shares @ np.exp(-tau) == pytest.approx((n + 1) / (n + whole), rel=1e-9)
        assert error < 1e-9


def test_counts_at_strong_priors_and_few_records_are_a_mixture_of_independent_counts() -> None:
    prior, cells = [30.0, 30.0, 30.0], cells_of("geometric", 3, [2, 5, -3])
    posterior = infer_table([cells], prior, FLAT)
    counts = posterior.counts
    assert isinstance(counts, MixedCounts)
    assert counts.error < 1e-11
    expected = brute_force(cells, prior, FLAT, 90)
    assert mean(totals(posterior)) == pytest.approx(expected[0], abs=1e-11)
    assert mean(counts.marginals()[0]) == pytest.approx(expected[1], abs=1e-11)
    assert cdf(posterior, frozenset({0}), 0.3) == pytest.approx(expected[2], abs=1e-12)
    joint = counts.sums([frozenset({0}), frozenset({1}), frozenset({2})])
    some = np.array([[0, 1, 2], [5, 0, 0], [3, 7, 1]])
    listed = joint.probabilities[tuple((some - joint.lows).T)]
    np.testing.assert_allclose(counts.probabilities(some), listed, rtol=1e-9)
    i, j = np.indices(joint.probabilities.shape[:2])
    both = joint.probabilities.sum(axis=2)
    odds = special.betaincc(30.0 + joint.lows[0] + i, 30.0 + joint.lows[1] + j, 0.5)
    greater = posterior.greater(0, 1)
    assert greater.method == "exact"
    assert greater.value == pytest.approx(float((both * odds).sum()), abs=1e-10)
    drawn = counts.draws(20_000, Reproducible(3))
    assert abs(drawn.sum(axis=1).mean() - expected[0]) < 0.15
    assert abs(counts.draws_of_sums([frozenset({0})], 20_000, Reproducible(4)).mean() - expected[1]) < 0.1


@pytest.mark.long
def test_intervals_of_published_tables_hold_the_truth_as_often_as_they_say() -> None:
    """500 tables with shares and total drawn from the prior: 90 % intervals of a share, with the total known, unknown
    or published.
    """
    rng = np.random.default_rng(7)
    held, size, most = np.zeros(3), 500, 60
    for _ in range(size):
        prior = rng.choice([0.5, 1.0, 2.0], 3)
        shares, n = rng.dirichlet(prior), int(rng.integers(1, most + 1))
        counts = rng.multinomial(n, shares)
        noise = Noise("discrete_gaussian", 3.0)
        values = np.arange(-60, 61)
        weights = np.exp(-0.5 * (values / noise.scale) ** 2)
        drawn = rng.choice(values, 4, p=weights / weights.sum())
        printed = Printed(shown_from=5, clamped_at_zero=True)
        raw = np.maximum(counts + drawn[:3], 0).tolist()
        cells = [PublishedCell(None if value < 5 else value, noise, printed) for value in raw]
        published = PublishedCell(n + int(drawn[3]), noise)
        known: list[int | Total] = [n, Total(at_most=most), Total(most, published)]
        for index, total in enumerate(known):
            answer = share_distribution(infer_table([cells], prior, total), Share(frozenset({0})))
            assert not isinstance(answer.distribution, DrawnDistribution)
            low, high = answer.distribution.interval(0.9)
            held[index] += low <= shares[0] <= high
    # Four standard errors of 500 tables.
    assert (np.abs(held / size - 0.9) < 4 * (0.09 / size) ** 0.5).all(), held / size
