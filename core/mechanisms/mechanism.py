"""Asks every mechanism the same questions: the fields of one record, none with a default.

All answers are about public facts but `release`, which alone sees private counts. The answers stand in
`core.mechanisms.catalogue`.
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
"""The event of one mechanism: every public parameter of its channel, `n` records and `m` categories among them."""

Effort: TypeAlias = Literal["formula", "evaluation", "search"]
"""What finding a channel and its certificate takes.

`formula`: so little that nothing is worth keeping. `evaluation`: one certificate, which is worth keeping.
`search`: many certificates, until the largest rate is found.
"""


@dataclass(frozen=True, slots=True)
class NoiseOnCounts:
    """The channel adds noise of one law to counts.

    `log_noise` is ln P(y_i − c_i = difference) up to a constant, elementwise. The noises are independent, or are so
    but for a sum that the public n fixes.
    """

    log_noise: Callable[[NDArray[np.int64]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class ListedChannel:
    """The channel is known histogram by histogram.

    `log_likelihoods(r)` are the logs of P(r | c) at every histogram c, in lexicographic order, each right to `error`.
    `seconds`: a public estimate of what they take on one core.
    """

    log_likelihoods: Callable[[tuple[int, ...]], NDArray[np.float64]]
    error: float
    seconds: float


@dataclass(frozen=True, slots=True)
class PointwiseChannel:
    """The channel is known at one histogram at a time, of too many to list.

    `log_likelihood(r, c)` is ln P(r | c), and takes about `seconds` on one core, by public sizes. It falls with the
    distance of r and c about as a mixture of powers k, up to `steepest`, of an affinity whose log is a sum over
    categories: `log_terms(r)` has its terms at every count 0, …, n of each category.
    """

    log_likelihood: Callable[[tuple[int, ...], NDArray[np.int64]], float]
    log_terms: Callable[[tuple[int, ...]], list[NDArray[np.float64]]]
    steepest: float
    seconds: float


@dataclass(frozen=True, slots=True)
class NoLikelihood:
    """A release cannot be conditioned on; `reason` is a sentence for people."""

    reason: str


Likelihood: TypeAlias = NoiseOnCounts | ListedChannel | PointwiseChannel | NoLikelihood


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Generic[E]):
    """One way to find the mechanism's channel for what is asked.

    `kind`: its name in plans.
    `effort`: what that takes, the certificate included.
    `within`: the event for (n, prior, epsilon, delta) whose release loses at most (epsilon, delta); None where that is
    no way to ask for it. Raises EventError or ConversionError where it cannot run.
    """

    kind: str
    effort: Effort
    within: Callable[[int, tuple[float, ...], Epsilon, Delta], E] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism(Generic[E]):
    """All that the rest of the house asks of a mechanism.

    `event`: the type of its events. `kind`: the tag under which events are stored, for ever. `calibrations`: the ways
    to find its channel. `certify`: what is proven of the event's channel by itself. What a budget is charged is decided
    where releases are priced, since it may hang on what was released before as well. `release`: the
    draw, given what `certify` has proven. `rehearse`: so many independent runs on counts that someone made up.
    `typical_draw_seconds`: a generous public estimate of a draw, on one core, for the slowest histogram and any rate of
    noise, with the tables that the first draw of a rate makes. `likelihood`: what a release says of the counts.
    """

    event: type[E]
    kind: str
    calibrations: tuple[Calibration[E], ...]
    certify: Callable[[E], Certificate]
    release: Callable[[Private[NDArray[np.int64]], E, Entropy, PrivacyLoss], Released[NoisyCounts]]
    rehearse: Callable[[NDArray[np.int64], E, Entropy, int], tuple[NoisyCounts, ...]]
    typical_draw_seconds: Callable[[E], float]
    likelihood: Callable[[E], Likelihood]
