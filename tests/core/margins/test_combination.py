from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from core.margins.combination import Combination, MarginsError, MeasuredMargin, subsets_of
from core.mechanisms.margins import Margin
from core.noise import DiscreteGaussianNoise, GeometricNoise
from core.simplex_noise import SimplexGeometricNoise
from tests.core.margins.dense import least_squares, rows_of


def random_workloads(number: int) -> Iterator[tuple[tuple[int, ...], list[MeasuredMargin], bool]]:
    """Tables of two to five attributes, some of one level, with one to five measured margins."""
    generator = np.random.default_rng(52)
    for index in range(number):
        levels = tuple(int(k) for k in generator.choice([1, 2, 2, 3, 4], size=generator.integers(2, 6)))
        every = subsets_of(tuple(range(len(levels))))[1:]
        chosen = generator.choice(len(every), size=min(len(every), int(generator.integers(1, 6))), replace=False)
        measured = [
            MeasuredMargin(
                every[each],
                GeometricNoise(float(generator.uniform(0.05, 2)))
                if generator.random() < 0.5
                else DiscreteGaussianNoise(float(generator.uniform(0.3, 40))),
            )
            for each in chosen
        ]
        yield levels, measured, bool(index % 2)


def test_estimates_variances_and_weights_are_those_of_dense_least_squares() -> None:
    generator = np.random.default_rng(5)
    seen = 0
    for levels, measured, n_is_public in random_workloads(30):
        combination = Combination(levels, measured, n_is_public=n_is_public)
        table = generator.integers(0, 50, size=levels)
        n = int(table.sum()) if n_is_public else None
        noisy = [
            table.sum(axis=tuple(a for a in range(len(levels)) if a not in each.margin))
            + generator.integers(-9, 10, size=[levels[a] for a in each.margin])
            for each in measured
        ]
        variances = [(each.margin, each.noise.deviation**2) for each in measured]
        stacked = np.concatenate([each.ravel() for each in noisy]).astype(np.float64)
        wanted = {part for each in measured for part in subsets_of(each.margin)}
        estimates = combination.estimates(noisy, n, sorted(wanted))
        for margin, estimate in zip(sorted(wanted), estimates, strict=True):
            dense = least_squares(levels, variances, margin, n_is_public=n_is_public)
            by_dense = dense.weights @ stacked + dense.of_n * (n or 0)
            assert np.abs(estimate.ravel() - by_dense).max() < 1e-10 * max(1.0, np.abs(by_dense).max())
            assert estimate.shape == tuple(levels[a] for a in margin)
            assert np.allclose(dense.variances, combination.variance(margin), rtol=1e-10, atol=1e-12)
            listed = sum(w**2 * count * noise.deviation**2 for noise, w, count in combination.weights(margin))
            assert listed == pytest.approx(combination.variance(margin), rel=1e-10, abs=1e-12)
            squares = np.sort(np.repeat(*_weights_and_counts(combination, margin)))
            of_dense = np.sort(np.abs(dense.weights[0]))
            assert np.allclose(squares, of_dense[of_dense.size - squares.size :], atol=1e-10)
            assert np.allclose(of_dense[: of_dense.size - squares.size], 0.0, atol=1e-10)
            seen += 1
    assert seen > 100


def test_weights_of_all_margins_compute_each_deviation_once() -> None:
    read = []

    class Read(GeometricNoise):
        @property
        def deviation(self) -> float:
            read.append(self.rate)
            return super().deviation

    levels = (2, 3, 2, 2)
    every = subsets_of(tuple(range(len(levels))))[1:]
    measured = [MeasuredMargin(each, Read(Fraction(1 + len(each) % 2, 5))) for each in every]
    combination = Combination(levels, measured, n_is_public=True)
    for margin in every:
        combination.weights(margin)
    assert sorted(read) == [Fraction(1, 5), Fraction(2, 5)]


def _weights_and_counts(combination: Combination, margin: Margin) -> tuple[list[float], list[int]]:
    listed = combination.weights(margin)
    return [weight for _, weight, _ in listed], [count for _, _, count in listed]


def test_the_number_of_records_that_is_public_gains_a_cell_half_its_variance() -> None:
    # A table of 2 x 3, margins {0} and {0, 1}, variances 1 and 2.
    one = MeasuredMargin((0,), _noise_with_variance(1.0))
    two = MeasuredMargin((0, 1), _noise_with_variance(2.0))
    assert Combination((2, 3), [one, two], n_is_public=True).variance((0,)) == pytest.approx(0.428571428571, abs=1e-12)
    assert Combination((2, 3), [one, two], n_is_public=False).variance((0,)) == pytest.approx(6 / 7, abs=1e-12)


def _noise_with_variance(variance: float) -> GeometricNoise:
    return GeometricNoise(float(2 * np.arcsinh((2 * variance) ** -0.5)))


def test_the_number_of_records_has_variance_0_if_it_is_public() -> None:
    measured = [MeasuredMargin((0, 1), GeometricNoise(0.1))]
    public = Combination((2, 3), measured, n_is_public=True)
    assert public.variance(()) == 0.0
    assert public.half_widths([()], 0.95) == (0.0,)
    assert public.estimates([np.array([[3, -1, 7], [2, 2, 9]])], 20, [()])[0] == 20.0
    private = Combination((2, 3), measured, n_is_public=False)
    assert private.variance(()) == pytest.approx(6 * GeometricNoise(0.1).deviation ** 2)
    assert private.estimates([np.array([[3, -1, 7], [2, 2, 9]])], None, [()])[0] == pytest.approx(22.0)


def test_combined_margins_agree_where_they_share_attributes() -> None:
    generator = np.random.default_rng(8)
    levels = (3, 2, 4, 5)
    pairs: list[Margin] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    measured = [MeasuredMargin(pair, GeometricNoise(0.1 * (1 + i))) for i, pair in enumerate(pairs)]
    noisy = [generator.integers(-50, 500, size=[levels[a] for a in pair]) for pair in pairs]
    for n in (None, 1234):
        combination = Combination(levels, measured, n_is_public=n is not None)
        first, *others = combination.estimates(noisy, n, [(0,), (0, 1), (0, 2), (0, 3)])
        for each in others:
            assert np.abs(each.sum(axis=1) - first).max() < 1e-9
        if n is not None:
            assert first.sum() == pytest.approx(n, abs=1e-9)


def test_attributes_of_one_level_change_nothing() -> None:
    noise = GeometricNoise(0.5)
    counts = np.array([[4, 6, 1]])
    with_one = Combination((1, 3), [MeasuredMargin((0, 1), noise)], n_is_public=True)
    without = Combination((3,), [MeasuredMargin((0,), noise)], n_is_public=True)
    assert with_one.variance((0, 1)) == with_one.variance((1,)) == without.variance((0,))
    [estimate] = with_one.estimates([counts], 10, [(1, 0)])
    assert estimate.shape == (1, 3)
    assert np.array_equal(estimate[0], without.estimates([counts[0]], 10, [(0,)])[0])


def test_a_margin_that_nothing_measured_is_refused() -> None:
    combination = Combination((2, 2, 2), [MeasuredMargin((0, 1), GeometricNoise(1.0))], n_is_public=True)
    for wanted in ((0, 2), (2,), (0, 0), (3,), (-1,)):
        with pytest.raises(MarginsError):
            combination.variance(wanted)
    counts = np.zeros((2, 2), dtype=np.int64)
    for noisy, n in (([counts], None), ([], 4), ([counts[0]], 4)):
        with pytest.raises(MarginsError):
            combination.estimates(noisy, n, [(0, 1)])


def test_estimates_of_a_table_with_impossible_cells_are_unbiased() -> None:
    # The expectation of the estimate is the estimate without noise, which must be the margin itself.
    levels = (2, 3, 2)
    table = np.arange(12).reshape(levels)
    table[0, 1, :] = 0  # an impossible pair of levels
    measured = [MeasuredMargin((0, 1), GeometricNoise(0.3)), MeasuredMargin((1, 2), GeometricNoise(0.1))]
    exact = [table.sum(axis=2), table.sum(axis=0)]
    for n in (None, int(table.sum())):
        combination = Combination(levels, measured, n_is_public=n is not None)
        for wanted, found in zip(
            [(0, 1), (1, 2), (1,)], combination.estimates(exact, n, [(0, 1), (1, 2), (1,)]), strict=True
        ):
            assert found.ravel() == pytest.approx(rows_of(levels, wanted) @ table.ravel(), abs=1e-10)


def test_a_cell_that_no_possible_combination_reaches_is_zero() -> None:
    combination = Combination((2, 2, 3), [MeasuredMargin((0, 1, 2), GeometricNoise(0.3))], n_is_public=False)
    noisy = [np.arange(12).reshape(2, 2, 3) - 3]
    impossible = frozenset({(0, 1, 0), (0, 1, 1), (0, 1, 2), (1, 0, 2)})
    pair, other = combination.estimates(noisy, None, [(1, 0), (2,)], impossible)
    whole, _ = combination.estimates(noisy, None, [(0, 1), (2,)])
    assert pair == pytest.approx(np.where([[True, False], [True, True]], whole, 0.0))
    assert other == pytest.approx(np.array([6.0, 10.0, 14.0]))


def test_noise_of_a_known_sum_is_refused() -> None:
    tied = MeasuredMargin((0, 1), SimplexGeometricNoise(0.1, 4))  # type: ignore[arg-type]
    with pytest.raises(MarginsError, match="independent"):
        Combination((2, 2), [tied], n_is_public=True)


def test_margins_with_almost_no_noise_have_a_half_width_of_zero() -> None:
    for noise in (GeometricNoise(50.0), DiscreteGaussianNoise(0.0005)):
        for n_is_public in (False, True):
            combination = Combination((2, 3), [MeasuredMargin((0, 1), noise)], n_is_public=n_is_public)
            assert combination.half_widths([(0,), (0, 1)], 0.99) == (0.0, 0.0)
            assert combination.variance((0,)) < 1e-15
