from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from core.samplers.entropy import Entropy, SeededEntropy
from core.samplers.max_norm import max_norm_noise, radius_weights, uniform_in_ball
from core.samplers.split import uniform_subset
from tests.core.chi_square import chi_square_p

Draw = Callable[[tuple[int, ...], Fraction, Entropy], list[NDArray[np.int64]]]


def ball(d: int, radius: int) -> Iterator[tuple[int, ...]]:
    """Every vector z of d + 1 integers with sum 0 and |z| <= radius."""
    for first in product(range(-radius, radius + 1), repeat=d):
        z = (*first, -sum(first))
        if sum(map(abs, z)) <= 2 * radius:
            yield z


def size(z: tuple[int, ...]) -> int:
    return sum(map(abs, z)) // 2


def joint_law(dimensions: tuple[int, ...], rate: float, radius: int) -> dict[int, float]:
    """The probability of each joint vector within a radius, by its number in order, and of all beyond as −1."""
    balls = [list(ball(d, radius)) for d in dimensions]
    weights = [math.exp(-rate * max(map(size, each))) for each in product(*balls)]
    terms = (Fraction(1) * math.prod(points(d, r) for d in dimensions) for r in range(2_000))
    numbers = [int(each) for each in terms]
    total = sum(
        math.exp(-rate * r) * (after - before)
        for r, (before, after) in enumerate(zip([0, *numbers], numbers, strict=False))
        if rate * r < 600
    )
    law = {number: each / total for number, each in enumerate(weights)}
    return law | {-1: max(0.0, 1 - sum(law.values()))}


def points(d: int, radius: int) -> int:
    return sum(math.comb(d, j) ** 2 * math.comb(radius - j + d, d) for j in range(min(d, radius) + 1))


def p_of_joint_law(draw: Draw, dimensions: tuple[int, ...], rate: Fraction, radius: int, draws: int) -> float:
    numbers = {each: place for place, each in enumerate(product(*(list(ball(d, radius)) for d in dimensions)))}
    entropy, found = SeededEntropy(5), []
    for _ in range(draws):
        drawn = tuple(tuple(each.tolist()) for each in draw(dimensions, rate, entropy))
        found.append(numbers.get(drawn, -1))
    return chi_square_p(found, joint_law(dimensions, float(rate), radius))


def with_a_radius_for_each(dimensions: tuple[int, ...], rate: Fraction, entropy: Entropy) -> list[NDArray[np.int64]]:
    """Each table has a radius of its own: every table has its own law, and the joint law is wrong."""
    return [max_norm_noise(dimensions, rate, entropy)[place] for place in range(len(dimensions))]


def test_the_weights_of_the_radius_are_those_of_the_series() -> None:
    assert radius_weights((1, 1)) == (1, 6, 1)
    assert radius_weights((1, 2, 4)) == (1, 433, 8945, 34721, 34721, 8945, 433, 1)
    for dimensions in ((3,), (1, 1, 1), (2, 5), (4, 4, 1)):
        weights, whole = radius_weights(dimensions), sum(dimensions)
        assert weights == weights[::-1]
        assert sum(weights) * math.prod(map(math.factorial, dimensions)) == math.factorial(whole) * math.prod(
            math.comb(2 * d, d) for d in dimensions
        )
        for radius in range(2 * whole):
            several = sum(
                weight * math.comb(radius - place + whole, whole)
                for place, weight in enumerate(weights)
                if place <= radius
            )
            assert several == math.prod(points(d, radius) for d in dimensions)


def test_a_ball_has_as_many_vectors_as_the_formula_says() -> None:
    for d, radius in ((1, 4), (2, 3), (3, 3), (4, 2)):
        assert sum(1 for _ in ball(d, radius)) == points(d, radius)


def test_a_vector_is_uniform_in_its_ball() -> None:
    for d, radius in ((1, 3), (2, 2), (3, 1), (4, 1)):
        every = list(ball(d, radius))
        numbers = {each: place for place, each in enumerate(every)}
        entropy = SeededEntropy(d)
        drawn = [numbers[tuple(uniform_in_ball(d, radius, entropy).tolist())] for _ in range(3_000)]
        assert chi_square_p(drawn, dict.fromkeys(range(len(every)), 1 / len(every))) > 1e-4


def test_one_radius_serves_all_tables() -> None:
    case = (1, 1), Fraction(1), 2, 4_000
    assert p_of_joint_law(max_norm_noise, *case) > 1e-4
    assert p_of_joint_law(with_a_radius_for_each, *case) < 1e-9


def test_the_mean_radius_is_that_of_its_law() -> None:
    for rate in (Fraction(1, 10), Fraction(7)):
        dimensions, entropy = (1, 2), SeededEntropy(9)
        logs = [(math.prod(points(d, r) for d in dimensions), r) for r in range(2_000)]
        weights = [each * math.exp(-float(rate) * r) for each, r in logs]
        # E|z| of the first table: r is uniform on −R … R.
        mean = sum(w * r * (r + 1) / (2 * r + 1) for w, (_, r) in zip(weights, logs, strict=True)) / sum(weights)
        drawn = [abs(int(max_norm_noise(dimensions, rate, entropy)[0][0])) for _ in range(2_000)]
        assert np.mean(drawn) == pytest.approx(mean, abs=5 * float(np.std(drawn)) / 2_000**0.5 + 1e-3)


def test_sets_of_more_than_half_are_uniform_too() -> None:
    entropy = SeededEntropy(2)
    for positions, few in ((4, 3), (5, 4), (3, 3)):
        every = {each: place for place, each in enumerate(combinations(range(positions), few))}
        drawn = [every[tuple(uniform_subset(positions, few, entropy).tolist())] for _ in range(1_000)]
        assert len(every) == 1 or chi_square_p(drawn, dict.fromkeys(range(len(every)), 1 / len(every))) > 1e-4
    assert Counter(map(len, (uniform_subset(100, 90, entropy) for _ in range(5)))) == {90: 5}


def test_what_can_not_be_drawn_is_refused() -> None:
    for dimensions, rate in (((), Fraction(1)), ((0, 1), Fraction(1)), ((600, 401), Fraction(1)), ((1,), Fraction(0))):
        with pytest.raises(ValueError, match="must be positive"):
            max_norm_noise(dimensions, rate, SeededEntropy(1))
    drawn = max_norm_noise((999,), Fraction(1, 10**4), SeededEntropy(1))
    assert [each.sum() for each in drawn] == [0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("dimensions", "rate", "radius"),
    [
        ((1, 2), Fraction(1), 3),
        ((1, 1, 1), Fraction(1, 2), 3),
        ((3,), Fraction(2), 3),
        ((2, 2), Fraction(3, 2), 2),
        ((2, 3), Fraction(3), 1),
    ],
)
def test_the_joint_law_is_that_of_the_largest_size(dimensions: tuple[int, ...], rate: Fraction, radius: int) -> None:
    assert p_of_joint_law(max_norm_noise, dimensions, rate, radius, 60_000) > 1e-4
    assert p_of_joint_law(max_norm_noise, dimensions, rate * Fraction(13, 10), radius, 60_000) > 1e-4
    if len(dimensions) > 1:
        assert p_of_joint_law(with_a_radius_for_each, dimensions, rate, radius, 60_000) < 1e-9
