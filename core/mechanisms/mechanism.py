"""Defines the interface of a kind of event, and of a mechanism, as the fields of one record, none with a default.

All functions take public values, except `release`, which alone sees private counts. `core.mechanisms.catalogue` has the
records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.accounting.group import loss_of_group
from core.certificate import Certificate
from core.mechanisms.noisy_counts import NoisyCounts
from core.noise import Noise
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.entropy import Entropy

E = TypeVar("E")
"""An event: all public parameters of its channel, with `m` cells, and `n` records or None if n is private."""

Effort: TypeAlias = Literal["formula", "evaluation", "search"]
"""The work of finding a channel and its certificate.

`formula`: too little to cache. `evaluation`: one certificate, which is cached. `search`: many certificates, until the
largest rate is found.
"""


@dataclass(frozen=True, slots=True)
class NoiseOfTwo:
    """The noise of one whole number that alone determines the likelihood of a release of two categories.

    The number is the `first` noisy count, or the `difference` of both. `log_noise` is ln P(number − its value without
    noise = d) up to a constant, elementwise. All first counts below 0 have one likelihood, and so have all above n.
    """

    number: Literal["first", "difference"]
    log_noise: Callable[[NDArray[np.int64]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class NoiseOnCounts:
    """The channel adds noise of one distribution to each of the first `noisy` counts.

    `log_noise` is ln P(y_i − c_i = difference) up to a constant, elementwise: a concave function whose maximum is at 0.
    The noises are independent, or, if `tied`, conditioned on the sum 0. `of_two` is None at three or more categories,
    and if no whole number determines the likelihood at two. Exact errors at two categories need it; others are
    simulated. `on_simplex(y)` returns the consistent counts of many releases, shape (k, m), from their noisy counts
    y, shape (k, noisy).
    """

    log_noise: Callable[[NDArray[np.int64]], NDArray[np.float64]]
    noisy: int
    tied: bool
    of_two: NoiseOfTwo | None
    on_simplex: Callable[[NDArray[np.int64]], NDArray[np.int64]]


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

    - `kind`: its name.
    - `effort`: the work, including the certificate.
    - `within`: returns the event for (n, prior, epsilon, delta) whose release loses at most (epsilon, delta). It is
      None if the calibration cannot be requested by its loss.
    - `at_rho`: returns the event for (n, prior, rho, delta, records) that loses rho. It is None if the mechanism has no
      parameter rho; its rho then grows with its epsilon.
    - `asked`: returns the event that a release requests at (n, prior, epsilon, delta, records), if one unit has up to
      `records` records. Its release loses at most (epsilon, delta) if `within` is set.

    Both raise EventError or ConversionError if the event cannot run, and `asked` also if the loss takes long to find.
    """

    kind: str
    effort: Effort
    within: Callable[[int, tuple[float, ...], Epsilon, Delta], E] | None
    asked: Callable[[int, tuple[float, ...], Epsilon, Delta, int], E]
    at_rho: Callable[[int, tuple[float, ...], Rho, Delta, int], E] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[E]):
    """The interface of a kind of event that is paid for and drawn.

    - `event`: the type of its events.
    - `kind`: the tag under which events are stored permanently.
    - `certify`: returns the certificate of the event's channel alone. The charge is computed where releases are priced,
      because it can also depend on earlier releases.
    - `loss_of_records`: returns what is proven for a change of several records, given the certificate for one and a
      largest number of seconds (`by_group_privacy`, if nothing better is known), and how it is proven. It is None if
      the event names the records of a unit, and `certify` is about all of them.
    - `closed_form`: whether `certify` is a formula. A draw process then proves the loss again before it draws. A
      certificate without a formula is stored, signed, and believed by the draw process.
    - `certificate_seconds`: a public estimate of the time of the certificate for this number of records, on one core.
    - `release`: draws a release, given the loss that `certify` has proven.
    - `as_json`: returns the released value as plain JSON.
    - `typical_draw_seconds`: a generous public estimate of the time of a draw on one core, for the slowest histogram
      and any noise rate, including the tables that the first draw at a rate builds.
    - `likelihood`: the likelihood of a release as a function of the counts.
    - `query_noise`: the noise of its counts in linear queries, or the reason why they can't be used, which completes
      the sentence "It is not used, because …".
    """

    event: type[E]
    kind: str
    certify: Callable[[E], Certificate]
    loss_of_records: Callable[[E, Certificate, int, float], tuple[PrivacyLoss, str]] | None
    closed_form: bool
    certificate_seconds: Callable[[E, int], float]
    release: Callable[[Private[NDArray[np.int64]], E, Entropy, PrivacyLoss], Released[Any]]
    as_json: Callable[[Any], Any]
    typical_draw_seconds: Callable[[E], float]
    likelihood: Callable[[E], Likelihood]
    query_noise: Callable[[E], Noise | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism(Kind[E]):
    """The interface of a mechanism, a kind of event that releases noisy counts.

    - `calibrations`: the ways to find its channel.
    - `certify_at_once`: returns a certificate in at most about a second, whose loss is at least that of `certify`.
    - `rehearse`: simulates the channel independently, several times, on made-up counts.
    - `candidate_weights`: returns the weight of each candidate at made-up counts, in lexicographic order, if the
      channel draws one in proportion to it, otherwise None. The caller limits the number of candidates.
    - `hellinger`: returns κ and a at made-up counts c, if the weight of a candidate r is e^{−κ H(c, r)} + a with the
      Hellinger distance H. Otherwise it is None.
    - `refused_at_private_n`: a sentence for users that explains why it needs a public number of records, and names what
      to use instead. It is None if `core.mechanisms.private_size` has its noise for a private number.
    """

    calibrations: tuple[Calibration[E], ...]
    certify_at_once: Callable[[E], Certificate]
    rehearse: Callable[[NDArray[np.int64], E, Entropy, int], tuple[NoisyCounts, ...]]
    candidate_weights: Callable[[E, NDArray[np.int64]], NDArray[np.float64] | None]
    hellinger: Callable[[E, NDArray[np.int64]], tuple[float, float]] | None
    refused_at_private_n: str | None


def by_group_privacy(one: Certificate, records: int) -> tuple[PrivacyLoss, str]:
    """Return the loss of `records` records that follows from the loss of one, and how it is proven."""
    return loss_of_group(one.loss, records), f"by group privacy from one record: {one.statement}"


def smaller_loss(loss: PrivacyLoss, epsilon: Epsilon, rho: Rho) -> PrivacyLoss:
    """Return the loss with its epsilon and rho reduced to these, if they are smaller. All hold at the same delta."""
    return replace(loss, epsilon=min(loss.epsilon, epsilon), rho=rho if loss.rho is None else min(loss.rho, rho))
