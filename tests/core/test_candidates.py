"""Candidates are counted, ordered and weighed as a list of all histograms would have it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaln

from core.candidates import MAX_SPACE, candidate, candidate_count, candidate_index, enumerable, log_affinities
from tests.core.histograms import histograms

SIZES = [(9, 2), (6, 3), (5, 4), (3, 5), (1, 3)]


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_candidates_stand_in_lexicographic_order(n: int, m: int) -> None:
    listed = list(histograms(n, m))
    assert candidate_count(n, m) == len(listed)
    assert [candidate(index, n, m) for index in range(len(listed))] == listed
    assert [candidate_index(counts) for counts in listed] == list(range(len(listed)))


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_affinities_equal_those_from_beta_functions(n: int, m: int) -> None:
    prior = np.random.default_rng(n).uniform(0.1, 5, m)

    def log_beta(a: np.ndarray) -> float:
        return float(gammaln(a).sum() - gammaln(a.sum()))

    for counts in histograms(n, m):
        a = prior + counts
        expected = [
            log_beta((a + b) / 2) - log_beta(a) / 2 - log_beta(b) / 2 for b in (prior + r for r in histograms(n, m))
        ]
        assert log_affinities(tuple(prior), np.array(counts)) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize(
    ("n", "m", "expected"),
    [(4_000_000, 2, True), (2_000, 3, True), (20_000, 3, False), (10**5, 10, False), (10**9, 10**3, False)],
)
def test_whether_a_space_can_be_enumerated_is_a_matter_of_its_size(n: int, m: int, expected: bool) -> None:  # noqa: FBT001  a column of the table
    assert enumerable(n, m) is expected
    assert not expected or candidate_count(n, m) <= MAX_SPACE
