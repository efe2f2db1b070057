import numpy as np
import pytest
from scipy import fft

from core.count_simplex.convolution import ApproximateArray, convolve, convolve_each, fast_length
from core.count_simplex.rows import TOGETHER, in_rows

LENGTHS = [(1, 1), (3, 400), (48, 60), (49, 49), (64, 64), (64, 65), (200, 310), (49, 5000), (2000, 2000)]


@pytest.mark.parametrize("seed", range(3))
def test_each_convolution_is_within_its_bound_of_the_direct_sum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lengths = [LENGTHS[place] for place in rng.integers(len(LENGTHS), size=40)]
    pairs = [
        (ApproximateArray(rng.exponential(size=first) ** 4), ApproximateArray(rng.random(second)))
        for first, second in lengths
    ]
    for (first, second), found in zip(pairs, convolve_each(pairs), strict=True):
        # A direct sum has an error of at most one unit for each term.
        exact = np.convolve(first.values, second.values)
        of_direct = 2.0**-53 * min(first.values.size, second.values.size) * exact.max()
        assert found.values.shape == exact.shape
        assert np.abs(found.values - exact).max() <= found.error + of_direct
        assert found.error <= 1e-9 * exact.max()
        np.testing.assert_array_equal(convolve(first, second).values.shape, exact.shape)


def test_a_fast_length_is_that_of_scipy() -> None:
    lengths = [*range(1, 3_000), *np.random.default_rng(1).integers(10**9, size=3_000).tolist()]
    assert [fast_length(least) for least in lengths] == [fft.next_fast_len(least, real=True) for least in lengths]


@pytest.mark.parametrize("size", [1, 48, 49, 300])
def test_errors_of_the_factors_come_through(size: int) -> None:
    rng = np.random.default_rng(1)
    values, others = rng.random(size), rng.random(size)
    exact = np.convolve(values, others)
    # Both are off everywhere by all that they may be, in the same direction: the bound is reached.
    found = convolve(ApproximateArray(values + 1e-3, 1e-3), ApproximateArray(others + 1e-4, 1e-4))
    off = np.abs(found.values - exact).max()
    assert 0.9 * found.error <= off <= found.error


def test_sequences_of_similar_length_share_rows() -> None:
    rng = np.random.default_rng(1)
    sequences = [np.full(size, float(place)) for place, size in enumerate(rng.integers(1, 3000, size=300).tolist())]
    seen = []
    for places, rows in in_rows(sequences):
        assert len(places) == 1 or rows.size <= TOGETHER
        assert rows.shape[1] <= 1.25 * min(sequences[place].size for place in places)
        for place, row in zip(places, rows, strict=True):
            expected = np.concatenate((sequences[place], np.zeros(rows.shape[1] - sequences[place].size)))
            np.testing.assert_array_equal(row, expected)
        seen += places
    assert sorted(seen) == list(range(300))
