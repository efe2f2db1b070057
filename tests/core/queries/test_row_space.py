"""Membership in a span over the rationals, against elimination in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from core.queries.row_space import RowSpace, random_prime
from core.samplers.entropy import SeededEntropy

PRIME = random_prime(SeededEntropy(11))


def rank(rows: list[list[int]]) -> int:
    left = [[Fraction(value) for value in row] for row in rows]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in left[found:] if row[column]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        left.insert(found, pivot)
        for i, row in enumerate(left):
            if i != found and row[column]:
                factor = row[column] / pivot[column]
                left[i] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
        found += 1
    return found


def test_the_prime_is_prime_and_random() -> None:
    primes = [random_prime(SeededEntropy(seed)) for seed in range(4)]
    assert len(set(primes)) == 4
    for p in primes:
        assert 2**30 <= p < 2**31
        assert all(p % d for d in range(2, 46_341))


@pytest.mark.parametrize("seed", range(40))
def test_a_query_is_seen_exactly_where_it_does_not_raise_the_rank(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count, k = int(rng.integers(1, 7)), int(rng.integers(1, 8))
    largest = int(rng.choice([1, 3, 10**6, 10**15]))
    rows = rng.integers(-largest, largest + 1, (count, k))
    space = RowSpace(k, PRIME)
    grown = [space.add(row) for row in rows]
    listed = rows.tolist()
    assert [rank(listed[: i + 1]) > rank(listed[:i]) for i in range(count)] == grown
    assert space.rank == rank(listed)
    inside = [sum(int(w) * row[i] for w, row in zip(rng.integers(-5, 6, count), listed, strict=True)) for i in range(k)]
    nearby = [*inside[:-1], inside[-1] + 1]
    for query in (inside, nearby, rng.integers(-largest, largest + 1, k).tolist()):
        assert space.holds(query) is (rank([*listed, query]) == rank(listed))


def test_rows_that_differ_in_the_last_digit_are_different() -> None:
    space = RowSpace(3, PRIME)
    space.add(np.array([10**15, 10**15 + 1, 0]))
    assert not space.holds([1, 1, 0])
    assert space.holds([2 * 10**15, 2 * 10**15 + 2, 0])


def test_a_combination_modulo_the_prime_alone_is_refused() -> None:
    space = RowSpace(2, PRIME)
    space.add(np.array([1, 0]))
    assert not space.holds([0, PRIME])
    assert not space.holds([1, 5 * PRIME])


def test_fractions_with_many_digits_are_recognised() -> None:
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 2, (40, 40))
    space = RowSpace(40, PRIME)
    for row in rows:
        space.add(row)
    assert space.rank == 40
    assert space.holds(rng.integers(0, 2, 40).tolist())


def test_splitting_columns_keeps_what_was_seen() -> None:
    space = RowSpace(2, PRIME)
    space.add(np.array([1, 3]))
    space.split(np.array([0, 1, 1, 0]))
    assert space.holds([2, 6, 6, 2])
    assert not space.holds([2, 6, 5, 2])
    other = space.copy()
    other.add(np.array([0, 0, 1, 0]))
    assert other.holds([2, 6, 5, 2])
    assert not space.holds([2, 6, 5, 2])
