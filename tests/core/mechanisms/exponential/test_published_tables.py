"""The printed tables of the notes (section 3.4.1) come out of the core to every digit, by a calibration that is not
private.

Both tables are exp(−ε·H/Δ(c)) with ε = 0.8: the local sensitivity at the data, and no factor 2, which is not the
mechanism that the notes define. The second is for the prior DL(1, 1, 1) and counts (20, 20, 20). They are reproduced as
evidence that distances, candidates and sensitivities are those of the source, and nothing behind a mechanism uses that
calibration.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.candidates import log_affinities
from core.mechanisms.exponential.sensitivity import local_sensitivity
from tests.core.histograms import histograms, neighbours

EPSILON = 0.8

PRINTED = [
    ((1.0, 1.0), (4, 4), "0.83737258593", "0.0431193490585"),
    ((1.0, 1.0), (4, 4), "0.662174391701", "0.0785621424847"),
    ((1.0, 1.0), (4, 4), "0.457635865026", "0.158265808563"),
    ((1.0, 1.0), (4, 4), "0.233629480709", "0.340809715054"),
    ((1.0, 1.0), (4, 4), "0.0", "0.37924298484"),
    ((1.0, 1.0, 1.0), (20, 20, 20), "0.999999984481", "0.000149705644585"),
    ((1.0, 1.0, 1.0), (20, 20, 20), "0.187421762881", "0.0548161224677"),
    ((1.0, 1.0, 1.0), (20, 20, 20), "0.110122822057", "0.192227323562"),
    ((1.0, 1.0, 1.0), (20, 20, 20), "0.0", "0.0713016293602"),
]


def distances(prior: tuple[float, ...], counts: tuple[int, ...]) -> np.ndarray:
    return np.asarray(np.sqrt(-np.expm1(log_affinities(prior, np.array(counts)))))


def distribution(prior: tuple[float, ...], counts: tuple[int, ...], factor: int) -> np.ndarray:
    """exp(−ε·H/(factor·Δ(c))), normalised."""
    weights = np.exp(
        -EPSILON * distances(prior, counts) / (factor * local_sensitivity(np.array(prior), np.array(counts)))
    )
    return np.asarray(weights / weights.sum())


@pytest.mark.parametrize(("prior", "counts", "distance", "probability"), PRINTED)
def test_every_printed_digit_is_reproduced(
    prior: tuple[float, ...], counts: tuple[int, ...], distance: str, probability: str
) -> None:
    """A row is the probability of all candidates at one distance from the true posterior."""
    at = distances(prior, counts)
    nearest = at[np.abs(at - float(distance)).argmin()]
    assert math.isclose(nearest, float(distance), rel_tol=0, abs_tol=0.5001 * 10.0 ** -len(distance.partition(".")[2]))
    share = distribution(prior, counts, factor=1)[np.abs(at - nearest) < 1e-12].sum()
    assert math.isclose(
        share, float(probability), rel_tol=0, abs_tol=0.5001 * 10.0 ** -len(probability.partition(".")[2])
    )


def worst_loss(prior: tuple[float, ...], n: int, factor: int) -> float:
    logs = {c: np.log(distribution(prior, c, factor)) for c in histograms(n, len(prior))}
    return max(float((logs[x] - logs[y]).max()) for x in logs for y in neighbours(x))


def test_the_calibration_behind_the_tables_is_not_epsilon_private() -> None:
    """Neither as the tables have it nor with the factor 2: κ itself distinguishes the neighbours if the local
    sensitivity changes.
    """
    assert worst_loss((1.0, 1.0), 8, factor=1) > 1.2 * EPSILON
    assert worst_loss((0.01, 0.01), 200, factor=2) > 1.05 * EPSILON
