from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.mechanisms.noisy_counts import nearest_on_simplex


@pytest.mark.parametrize("n", [1, 4, 7])
@pytest.mark.parametrize(
    "noisy", [(0, 0, 0), (-5, 3, 9), (20, 20, 20), (-3, -3, -2), (4, 0, 0), (7, 1, -1), (-9, -9, 30)]
)
def test_no_point_of_the_simplex_is_nearer(noisy: tuple[int, ...], n: int) -> None:
    def distance(r: tuple[int, ...]) -> int:
        return sum((a - b) ** 2 for a, b in zip(r, noisy, strict=True))

    nearest = nearest_on_simplex(noisy, n)
    assert sum(nearest) == n
    assert min(nearest) >= 0
    assert distance(nearest) == min(distance(r) for r in product(range(n + 1), repeat=3) if sum(r) == n)


@given(st.lists(st.integers(0, 10**15), min_size=2, max_size=50).filter(any))
def test_a_point_of_the_simplex_is_its_own_nearest(counts: list[int]) -> None:
    assert nearest_on_simplex(tuple(counts), sum(counts)) == tuple(counts)


@given(st.lists(st.integers(-(10**15), 10**15), min_size=2, max_size=50), st.integers(1, 2**53))
def test_the_sum_is_met_and_order_kept_at_any_size(noisy: list[int], n: int) -> None:
    nearest = nearest_on_simplex(tuple(noisy), n)
    assert sum(nearest) == n
    assert min(nearest) >= 0
    by_noise = [count for _, count in sorted(zip(noisy, nearest, strict=True))]
    assert all(later >= earlier for earlier, later in pairwise(by_noise))


@given(st.lists(st.integers(-30, 30), min_size=64, max_size=90), st.integers(1, 300))
def test_many_counts_have_the_nearest_point_of_least_level(noisy: list[int], n: int) -> None:
    level = next(level for level in range(31, -400, -1) if sum(max(0, y - level) for y in noisy) >= n)
    expected = [max(0, y - level) for y in noisy]
    for _ in range(sum(expected) - n):
        # One each from the largest, the first of equals.
        largest = max((y - level, -place) for place, y in enumerate(noisy) if expected[place] == y - level > 0)
        expected[-largest[1]] -= 1
    assert nearest_on_simplex(tuple(noisy), n) == tuple(expected)
    # Beyond 64 bits, too.
    shift = 1 << 70
    assert nearest_on_simplex(tuple(y + shift for y in noisy), n) == tuple(expected)
