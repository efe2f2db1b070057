"""Defines the interface of a mechanism as the fields of one record, none with a default.

All functions take public values, except `release`, which alone sees private counts. `core.mechanisms.catalogue` has the
records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon, PrivacyLoss
from core.private import Private, Released
from core.samplers.entropy import Entropy

E = TypeVar("E")
"""The event of one mechanism: all public parameters of its channel, including `n` records and `m` categories."""

Effort: TypeAlias = Literal["formula", "evaluation", "search"]
"""The work of finding a channel and its certificate.

`formula`: too little to cache. `evaluation`: one certificate, which is cached. `search`: many certificates, until the
largest rate is found.
"""


@dataclass(frozen=True, slots=True)
class NoiseOnCounts:
    """The channel adds noise of one distribution to each count.

    `log_noise` is ln P(y_i − c_i = difference) up to a constant, elementwise. The noises are independent, possibly
    conditioned on a sum that the public n determines.
    """

    log_noise: Callable[[NDArray[np.int64]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class ListedChannel:
    """The channel is known at every histogram.

    `log_likelihoods(r)` returns ln P(r | c) at every histogram c, in lexicographic order, each with an error of at most
    `error`. `seconds` is a public estimate of its time on one core.
    """

    log_likelihoods: Callable[[tuple[int, ...]], NDArray[np.float64]]
    error: float
    seconds: float


@dataclass(frozen=True, slots=True)
class PointwiseChannel:
    """The channel is known at one histogram at a time, because there are too many to list.

    `log_likelihood(r, c)` is ln P(r | c) and takes about `seconds` on one core, estimated from public sizes. As a
    function of the distance of r and c it is approximately a mixture of powers k, up to `steepest`, of an affinity. ln
    of the affinity is a sum over categories; `log_terms(r)` returns its terms at every count 0, …, n of each category.
    """

    log_likelihood: Callable[[tuple[int, ...], NDArray[np.int64]], float]
    log_terms: Callable[[tuple[int, ...]], list[NDArray[np.float64]]]
    steepest: float
    seconds: float


@dataclass(frozen=True, slots=True)
class NoLikelihood:
    """Inference from a release is unavailable; `reason` is a sentence for users."""

    reason: str


Likelihood: TypeAlias = NoiseOnCounts | ListedChannel | PointwiseChannel | NoLikelihood


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Generic[E]):
    """One way to find the mechanism's channel for a requested loss.

    `kind`: its name in plans. `effort`: the work, including the certificate. `within`: a function that returns the
    event for (n, prior, epsilon, delta) whose release loses at most (epsilon, delta). It raises EventError or
    ConversionError if the event cannot run. It is None if the calibration cannot be requested by its loss.
    """

    kind: str
    effort: Effort
    within: Callable[[int, tuple[float, ...], Epsilon, Delta], E] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism(Generic[E]):
    """The interface of a mechanism.

    - `event`: the type of its events.
    - `kind`: the tag under which events are stored permanently.
    - `calibrations`: the ways to find its channel.
    - `certify`: returns the certificate of the event's channel alone. The charge is computed where releases are priced,
      because it can also depend on earlier releases.
    - `release`: draws a release, given the loss that `certify` has proven.
    - `rehearse`: simulates the channel independently, several times, on made-up counts.
    - `typical_draw_seconds`: a generous public estimate of the time of a draw on one core, for the slowest histogram
      and any noise rate, including the tables that the first draw at a rate builds.
    - `likelihood`: the likelihood of a release as a function of the counts.
    """

    event: type[E]
    kind: str
    calibrations: tuple[Calibration[E], ...]
    certify: Callable[[E], Certificate]
    release: Callable[[Private[NDArray[np.int64]], E, Entropy, PrivacyLoss], Released[NoisyCounts]]
    rehearse: Callable[[NDArray[np.int64], E, Entropy, int], tuple[NoisyCounts, ...]]
    typical_draw_seconds: Callable[[E], float]
    likelihood: Callable[[E], Likelihood]
