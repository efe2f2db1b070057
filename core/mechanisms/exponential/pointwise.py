"""The likelihood of a release at one histogram at a time, for spaces too large to list.

ln P(r | c) needs the normaliser N_c. It is summed separately at every c, from the mixture or over all candidates.
`core.inference.simulated_counts` decides at which c. Nothing here is private, as r was released.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate_count, enumerable, log_affinities, log_candidate_count
from core.mechanisms.exponential.bounds import largest_rate
from core.mechanisms.exponential.mechanism import Exponential, rate_at
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.mechanism import PointwiseChannel
from core.special_functions import log_affinity

MAX_LIKELIHOOD_SECONDS: Final = 0.5
"""Largest estimated time of one likelihood: a thousand of them fit into a job of ten minutes."""
MAX_COUNT_VALUES: Final = 1 << 21
"""Largest n · m: the proposals have a weight for every count of every category."""
_MAX_SUMMED_CANDIDATES: Final = 1 << 19


def pointwise_channel(event: Exponential) -> PointwiseChannel | None:
    """Return the channel if one likelihood takes at most MAX_LIKELIHOOD_SECONDS, else None."""
    seconds = likelihood_seconds(event.n, event.m)
    if seconds > MAX_LIKELIHOOD_SECONDS or event.n * event.m > MAX_COUNT_VALUES:
        return None
    rate = largest_rate(np.array(event.prior), event.n, float(event.epsilon0), event.gamma)
    return PointwiseChannel(partial(log_likelihood, event), partial(log_terms, event), rate**2, seconds)


def likelihood_seconds(n: int, m: int) -> float:
    """Estimate, from public sizes, the time of one `log_likelihood` on one core."""
    if _is_summed(n, m):
        return 1e-3 + 1e-7 * m * candidate_count(n, m)
    return 0.1 + 6e-5 * m * math.sqrt(n)


def log_likelihood(event: Exponential, observed: tuple[int, ...], counts: NDArray[np.int64]) -> float:
    """Return ln P(r | c) of the release r = `observed` at c = `counts`, both of shape (m,).

    ln P(r | c) = ln(e^{−κ_c H(c, r)} + e^{−L}) − ln N_c.
    """
    rate = rate_at(event, counts)
    added = -math.inf if event.uniform_admixture is None else -event.uniform_admixture
    if _is_summed(event.n, event.m):
        distances = np.sqrt(-np.expm1(log_affinities(event.prior, counts)))
        log_total = math.log(float(np.exp(-rate * distances).sum()))
    else:
        log_total = HellingerMixture(event.prior, counts).log_normaliser(rate)
    log_s = float(np.sum(log_affinity(np.array(event.prior), np.array(observed), counts)))
    distance = math.sqrt(max(0.0, -math.expm1(log_s)))
    log_total = np.logaddexp(log_total, added + log_candidate_count(event.n, event.m))
    return float(np.logaddexp(-rate * distance, added) - log_total)


def log_terms(event: Exponential, observed: tuple[int, ...]) -> list[NDArray[np.float64]]:
    """Return h_i(r_i, t) at t = 0, …, n for each category i.

    Their sum over categories is the log affinity of r and c.
    """
    counts = np.arange(event.n + 1)
    return [log_affinity(alpha, r, counts) for alpha, r in zip(event.prior, observed, strict=True)]


def _is_summed(n: int, m: int) -> bool:
    return enumerable(n, m) and candidate_count(n, m) <= _MAX_SUMMED_CANDIDATES
