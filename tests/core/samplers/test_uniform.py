import numpy as np
import pytest

from core.samplers.entropy import SeededEntropy
from core.samplers.uniform import categorical, uniform_below, uniforms_below
from tests.core.chi_square import assert_accepts, assert_rejects


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 33])
def test_uniform_below_is_uniform(bound: int) -> None:
    entropy = SeededEntropy(bound)
    assert_accepts([uniform_below(bound, entropy) for _ in range(20_000)], dict.fromkeys(range(bound), 1 / bound))


@pytest.mark.parametrize("bound", [1, 3, 33])
def test_the_vectorised_draw_is_uniform(bound: int) -> None:
    assert_accepts(uniforms_below(bound, 20_000, SeededEntropy(1)), dict.fromkeys(range(bound), 1 / bound))


def test_the_vectorised_draw_reaches_62_bits() -> None:
    drawn = uniforms_below(1 << 62, 100, SeededEntropy(1))
    assert drawn.min() >= 0
    assert int(drawn.max()).bit_length() == 62


@pytest.mark.parametrize(
    "weights", [[1, 2, 3, 0, 4], np.array([1, 2, 3, 0, 4]), np.array([1, 2, 3, 0, 4], dtype=object)]
)
def test_categorical_follows_its_weights(weights: list[int]) -> None:
    entropy = SeededEntropy(2)
    draws = [categorical(weights, entropy) for _ in range(50_000)]
    assert_accepts(draws, {0: 0.1, 1: 0.2, 2: 0.3, 4: 0.4})
    assert_rejects(draws, {0: 0.11, 1: 0.19, 2: 0.3, 4: 0.4})


def test_categorical_is_exact_where_the_total_passes_64_bits() -> None:
    heavy = 2**63 - 1
    weights = np.array([heavy, heavy, 1, heavy], dtype=np.int64)
    entropy = SeededEntropy(3)
    draws = [categorical(weights, entropy) for _ in range(20_000)]
    assert_accepts(draws, {0: 1 / 3, 1: 1 / 3, 3: 1 / 3})


class _Scripted:
    """Bits as told, to reach each side of every boundary."""

    def __init__(self, value: int) -> None:
        self.value = value

    def bits(self, count: int) -> int:
        assert self.value < 1 << count
        return self.value


def test_array_and_integer_paths_agree_at_every_boundary() -> None:
    weights = [2**40, 1, 0, 2**33 - 1, 5, 2**63 - 1, 2**63 - 1, 1, 0]
    boundaries = np.cumsum(np.array(weights, dtype=object))
    for boundary in boundaries:
        for target in (boundary - 1, boundary):
            if 0 <= target < boundaries[-1]:
                entropy = _Scripted(int(target))
                assert categorical(np.array(weights, dtype=np.uint64), entropy) == categorical(weights, entropy)


def test_a_million_weights_are_drawn_by_their_sums() -> None:
    weights = np.arange(1_000_000, dtype=np.int64)
    entropy = SeededEntropy(4)
    draws = [categorical(weights, entropy) for _ in range(100)]
    # P(index < x) = (x / 10^6)^2: the mean is 2/3 within 6 standard errors.
    assert abs(np.mean(draws) / 1e6 - 2 / 3) < 6 * (1 / 18 / 100) ** 0.5


@pytest.mark.parametrize(
    "weights", [[], [0, 0], [1, -1], np.array([], dtype=np.int64), np.array([0]), np.array([1, -1]), np.array([0.5])]
)
def test_weights_without_a_law_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="weights"):
        categorical(weights, SeededEntropy(0))
