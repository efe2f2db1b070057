"""Questions answered from the noisy sums of their pieces, against sums over all counts and reference values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from core.inference.events import Share, share_distribution
from core.inference.noise_of_sums import law_of_sum
from core.inference.pieces import NoisyCells, by_pieces, pieces_of, posterior_of_pieces
from core.inference.posterior import NoiseAwarePosterior
from core.inference.product_counts import UnknownTotal
from core.inference.published import Noise, PublishedCell, Total
from core.inference.sources import MOST_ROWS, Answers, source_of_tables, tree_of

_LAWS: dict[str, Callable[[NDArray[np.float64], float], NDArray[np.float64]]] = {
    "geometric": lambda z, scale: np.exp(-np.abs(z) / scale),
    "floored_laplace": lambda z, scale: np.exp(-np.where(z >= 0.0, z, -1.0 - z) / scale),
    "discrete_gaussian": lambda z, scale: np.exp(-np.square(z) / (2.0 * scale**2)),
}


def _law_of_sum(law: str, scale: float, size: int) -> NDArray[np.float64]:
    """Return the law of the sum at −100 · size, …, 100 · size, convolved term by term."""
    one, found = _LAWS[law](np.arange(-100.0, 101.0), scale), np.ones(1)
    for _ in range(size):
        found = np.convolve(found, one)
    return found


@pytest.mark.parametrize(
    ("law", "scale"),
    [
        ("geometric", 2.0),
        ("geometric", 0.4),
        ("floored_laplace", 1.5),
        ("discrete_gaussian", 0.8),
        ("discrete_gaussian", 2.0),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_the_law_of_a_sum_is_the_convolution(law: str, scale: float, size: int) -> None:
    at = np.arange(-60.0, 61.0)
    with np.errstate(divide="ignore"):
        expected = np.log(_law_of_sum(law, scale, size)[100 * size - 60 : 100 * size + 61])
    kept = expected > expected.max() - 200.0
    found = law_of_sum(law, np.full(size, scale))
    assert found is not None
    difference = (found.log_law(at) - expected)[kept]
    assert np.ptp(difference) < 1e-12
    assert found.log_law(at).max() <= found.log_law(np.array([float(found.centre)]))[0] + 1e-12


def test_the_law_of_many_geometric_noises_keeps_its_digits() -> None:
    law = law_of_sum("geometric", np.full(3, 2.0))
    assert law is not None
    at = np.arange(-400.0, 401.0)
    logs = law.log_law(at) - math.log(float(np.exp(law.log_law(at)).sum()))
    assert logs[[400, 407]] == pytest.approx([-2.344993285374, -3.736226423527], abs=1e-12)
    # The table meets the formula beyond it without a step.
    far = law.log_law(np.arange(1.0, 5000.0))
    assert np.diff(far).max() < 0.0
    assert np.diff(far, 2).max() < 1e-9


def test_the_density_of_a_sum_of_laplace_noises() -> None:
    """Two: (1 + x) e^(−x); three: (3 + 3x + x²) e^(−x), up to constants."""
    x = np.array([0.0, 0.5, 3.0, 40.0])
    for size, factor in ((2, 1.0 + x), (3, 3.0 + 3.0 * x + x**2)):
        law = law_of_sum("laplace", np.full(size, 1.5))
        assert law is not None
        assert np.ptp(law.log_law(1.5 * x) - np.log(factor) + x) < 1e-13


def _posterior(
    sizes: Sequence[int], sums: Sequence[float], scale: float, total: int | UnknownTotal, law: str = "geometric"
) -> NoiseAwarePosterior:
    ends = np.cumsum(sizes)
    values = np.zeros(ends[-1])
    values[ends - 1] = sums
    cells = NoisyCells(values, np.full(ends[-1], law), np.full(ends[-1], scale))
    pieces = [frozenset(range(end - size, end)) for size, end in zip(sizes, ends.tolist(), strict=True)]
    observed = cells.sums(pieces)
    assert observed is not None
    return posterior_of_pieces([observed], 0.5, total)


def _means(posterior: NoiseAwarePosterior) -> list[float]:
    return [each.mean for each in posterior.counts.marginals()]


def _share(posterior: NoiseAwarePosterior, piece: int, *others: int) -> float | None:
    base = frozenset({piece, *others}) if others else None
    return share_distribution(posterior, Share(frozenset({piece}), base)).distribution.mean


def test_reference_values() -> None:
    first = _posterior((1, 2, 3), (2, 5, 7), 2.0, 14)
    assert _means(first) == pytest.approx([2.078044381811, 4.874295798057, 7.047659820132], abs=1e-11)
    above = share_distribution(first, Share(frozenset({0}))).above(0.1).value
    assert above == pytest.approx(0.5937853936749, abs=1e-12)
    for sizes, sums, n, means, risks in (
        ((2,) * 4, (-1, 9, 4, 6), 18, [1.14237320774, 8.367568579258, 3.355331792486, 5.134726420516],
         [0.1608116502516, 0.408490762637]),
        ((20,) * 4, (-6, 15, 9, 12), 30, [3.725852767035, 10.29501091007, 7.332093439669, 8.647042883222],
         [0.3189165567864, 0.467055415075]),
    ):  # fmt: skip
        trial = _posterior(sizes, sums, 2.0, n)
        assert _means(trial) == pytest.approx(means, abs=1e-11)
        assert [_share(trial, 0, 1), _share(trial, 2, 3)] == pytest.approx(risks, abs=1e-12)
    secret = _posterior((2,) * 4, (1, 6, 3, 4), 1.0, UnknownTotal(40))
    assert _means(secret) == pytest.approx([0.9409398362249, 5.262346999495, 2.351927778286, 3.2570868552], abs=1e-11)
    assert secret.counts.totals().mean == pytest.approx(11.81230146921, abs=1e-10)
    assert [_share(secret, 0, 1), _share(secret, 2, 3)] == pytest.approx([0.2071171571515, 0.433750237896], abs=1e-12)


@pytest.mark.parametrize("law", ["floored_laplace", "discrete_gaussian"])
@pytest.mark.parametrize("n", [9, None])
def test_it_is_the_sum_over_all_counts(law: str, n: int | None) -> None:
    sizes, sums, scale, most = (1, 2, 3), (3.0, -1.0, 4.0), 1.2, 14
    laws = [_law_of_sum(law, scale, size) for size in sizes]
    totals = [n] if n is not None else range(most + 1)
    weights, means = 0.0, np.zeros(3)
    for counts in product(range(most + 1), repeat=3):
        if (total := sum(counts)) not in totals:
            continue
        logs = sum(math.lgamma(0.5 + c) - math.lgamma(c + 1.0) for c in counts)
        if n is None:
            logs += math.lgamma(total + 1.0) - math.lgamma(total + 1.5)
        noise = math.prod(
            float(each[100 * size + int(y - c)]) for each, size, y, c in zip(laws, sizes, sums, counts, strict=True)
        )
        weights += (weight := noise * math.exp(logs))
        means += weight * np.array(counts)
    found = _posterior(sizes, sums, scale, UnknownTotal(most) if n is None else n, law)
    assert _means(found) == pytest.approx((means / weights).tolist(), rel=1e-10)


def test_exact_counts_and_cells_without_noisy_counts() -> None:
    laws, scales = np.array(["none", "none", "geometric", "geometric"]), np.ones(4)
    cells = NoisyCells(np.array([3.0, 4.0, 2.0, math.nan]), laws, scales)
    observed = cells.sums([frozenset({0, 1}), frozenset({2}), frozenset({3})])
    assert observed is not None
    found = posterior_of_pieces([observed], 0.5, 12)
    assert found.counts.marginals()[0].mean == 7.0
    assert not observed.informative[2]
    assert cells.sums([frozenset({0, 2}), frozenset({1, 3})]) is None, "two laws have no common sum here"


def test_pieces_of_questions() -> None:
    first, second = Share(frozenset({0, 1}), frozenset({0, 1, 2})), Share(frozenset({2, 3}), frozenset({3, 4}))
    pieces = pieces_of([first, second], 6)
    assert pieces == (frozenset({0, 1}), frozenset({2}), frozenset({3}), frozenset({4}), frozenset({5}))
    assert by_pieces(first, pieces) == Share(frozenset({0}), frozenset({0, 1}))
    assert by_pieces(second, pieces) == Share(frozenset({2}), frozenset({2, 3}))
    assert pieces_of([Share(frozenset({1}))], 3) == (frozenset({0, 2}), frozenset({1}))


def test_rows_of_a_table_that_is_too_large_for_the_tree_have_the_same_prior_for_each_cell() -> None:
    m, n = MOST_ROWS + 1, 2001
    cells = [PublishedCell(float(each % 3), Noise("geometric", 0.3)) for each in range(m)]
    tree, question = tree_of([(cell,) for cell in range(m)]), Share(frozenset({0, 1}), frozenset(range(m)))
    by_pieces = Answers.by_pieces(source_of_tables([cells], n), tree)
    by_cells = Answers.by_cells(source_of_tables([cells], n), np.full(m, 0.5), tree)
    assert [found.rows_are_by_cells for found in (by_pieces, by_cells)] == [True, False]
    counts = [[each.mean for each in found.counts()[0]] for found in (by_pieces, by_cells)]
    assert counts[0] == counts[1]
    asked = [found.of(question)[0].prior.size for found in (by_pieces, by_cells)]
    assert asked == [2, m], "a question is answered from its pieces all the same"


def test_cells_that_are_known_by_an_interval_are_not_added_up() -> None:
    """Ten counts of 35 to 45 and ten of 95 to 105 with noise: their halves of the records are known well."""
    noise = Noise("geometric", 2.0)
    cells = [PublishedCell(None, noise, between=(low, low + 10)) for low in [35] * 10 + [95] * 10]
    answers = Answers.by_pieces(source_of_tables([cells], 1400), tree_of([(place,) for place in range(20)]))
    posterior, (share,) = answers.of(Share(frozenset(range(10))))
    low, high = share_distribution(posterior, share).distribution.interval(0.95)
    assert 0.24 < low < 400 / 1400 < high < 0.33


def test_some_groups_are_of_known_size_at_an_unknown_total() -> None:
    """The first two counts sum to 8, and all four to any number up to 34."""
    given = [Noise("geometric", 2.0)] * 4
    cells = [PublishedCell(float(value), noise) for value, noise in zip((0, 8, 3, 6), given, strict=True)]
    source, group, rest = source_of_tables([cells], Total(34)), frozenset({0, 1}), frozenset({2, 3})
    answers = Answers.by_cells(source, np.full(4, 0.5), tree_of([(0, 0), (0, 1), (1, 0), (1, 1)]))
    (first, _), (second, _) = answers.given({group: 8}).sides(Share(frozenset({0}), group), Share(frozenset({2}), rest))
    means = [each.mean for each in (*first.counts.marginals(), *second.counts.marginals())]
    expected = [0.3305106413218, 7.669489358678, 2.437188713192, 4.979511153364]
    assert means == pytest.approx(expected, abs=2e-12)
    assert 8 + second.counts.totals().mean == pytest.approx(15.41669986656, abs=1e-11)
