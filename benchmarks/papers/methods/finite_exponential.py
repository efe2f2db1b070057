"""The exponential mechanism of McSherry and Talwar draws from any finite range by scores, a base measure and a
sensitivity.

Given data D it answers r in {0, …, R − 1} with probability proportional to μ_r e^{λ q(D, r)}. Where one step to a
neighbour changes every score by at most Δ, that is 2λΔ-differentially private.

The article on the mechanism writes ε for the rate λ. Source: McSherry and Talwar 2007, theorem 6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.event import EventError
from core.privacy import Epsilon

Floats = NDArray[np.float64]

MAX_ANSWERS: Final = 1 << 22
_MAX_EXPONENT: Final = 700.0
"""λ (highest − lowest score) + ln(μ_max/μ_min): beyond, weights leave the range of floating-point numbers."""

_RELATIVE_ERROR: Final = 1e-15
"""Relative error of an exponent that was computed from a score. Scores themselves count as exact."""


@dataclass(frozen=True, slots=True)
class FiniteExponential:
    """Every public parameter that fixes the channel. Raises EventError where one is outside its domain.

    `base_measure` μ, one number for each answer, not negative, not all zero; an answer with μ = 0 is never given.
    `rate` λ > 0. `sensitivity` Δ > 0, the most that one step to a neighbour changes any score. Scores lie in
    [`lowest`, `highest`] for all data.
    """

    base_measure: tuple[float, ...]
    rate: float
    sensitivity: float
    lowest: float
    highest: float

    def __post_init__(self) -> None:
        measure = np.array(self.base_measure, dtype=np.float64)
        _require(1 <= measure.size <= MAX_ANSWERS, f"there are between 1 and {MAX_ANSWERS} answers")
        _require(
            bool(np.isfinite(measure).all()) and bool((measure >= 0.0).all()),
            "the base measure is finite and not negative",
        )
        _require(bool((measure > 0.0).any()), "the base measure is positive somewhere")
        _require(0.0 < self.rate < math.inf, "the rate is positive and finite")
        _require(0.0 < self.sensitivity < math.inf, "the sensitivity is positive and finite")
        _require(
            -math.inf < self.lowest <= self.highest < math.inf,
            "the scores have finite bounds, the lowest not above the highest",
        )
        spread = math.log(float(measure.max())) - math.log(float(measure[measure > 0.0].min()))
        exponent = self.rate * (self.highest - self.lowest) + spread
        _require(
            exponent <= _MAX_EXPONENT,
            (
                "the rate times the range of the scores, and ln of the range of the measure, sum to at most "
                f"{_MAX_EXPONENT:g}"
            ),
        )


def calibrate(
    base_measure: tuple[float, ...], epsilon: Epsilon, *, sensitivity: float, lowest: float, highest: float
) -> FiniteExponential:
    """Return the mechanism that is `epsilon`-DP: λ = ε/(2Δ), less an allowance for rounding to integer weights."""
    _require(0.0 < sensitivity < math.inf, "the sensitivity is positive and finite")
    share = float(epsilon) / (2.0 * sensitivity)
    slack = _slack(share * (highest - lowest))
    rate = share * (1.0 - 1e-14) - slack * share / float(epsilon)
    return FiniteExponential(base_measure, rate, sensitivity, lowest, highest)


def weights(scores: Floats, event: FiniteExponential) -> Floats:
    """μ_r/μ_max · e^{λ(q_r − highest)}, shape (R,), normal numbers where μ_r > 0: every such answer can be given."""
    _check(scores, event)
    measure = np.array(event.base_measure) / max(event.base_measure)
    return np.asarray(measure * np.exp(event.rate * (scores - event.highest)))


def probabilities(scores: Floats, event: FiniteExponential) -> Floats:
    """P(r) for every answer, shape (R,), at scores that someone made up."""
    _check(scores, event)
    weights = np.array(event.base_measure) * np.exp(event.rate * (scores - float(np.max(scores))))
    return np.asarray(weights / weights.sum())


def tail_bound(scores: Floats, event: FiniteExponential, t: float) -> float:
    """The article's lemma: P(q <= OPT − 2t) <= e^{−λt}/μ(S_t), S_t = {r : q_r > OPT − t}, μ normalised, t >= 0; at
    most 1.
    """
    near = _mass_near_optimum(scores, event, t)
    return 1.0 if near == 0.0 else min(1.0, math.exp(-event.rate * t) / near)


def expected_score_bound(scores: Floats, event: FiniteExponential, t: float) -> float:
    """The article's theorem: E[q] >= OPT − 3t for t >= ln(OPT/(t μ(S_t)))/λ.

    Its last step takes E[q] >= (1 − t/OPT)(OPT − 2t), so it needs q >= 0 and OPT > 0: a score −H is outside. Raises
    EventError where a condition fails.
    """
    optimum = _optimum(scores, event)
    _require(
        bool((scores[np.array(event.base_measure) > 0.0] >= 0.0).all()) and optimum > 0.0,
        "the theorem needs scores that are not negative, one positive",
    )
    near = _mass_near_optimum(scores, event, t)
    _require(
        t > 0.0 and near > 0.0 and t >= math.log(optimum / (t * near)) / event.rate,
        "t is below ln(OPT/(t mu(S_t)))/rate",
    )
    return optimum - 3.0 * t


def _mass_near_optimum(scores: Floats, event: FiniteExponential, t: float) -> float:
    """μ(S_t), μ normalised to 1."""
    measure = np.array(event.base_measure)
    return float(measure[scores > _optimum(scores, event) - t].sum() / measure.sum())


def _optimum(scores: Floats, event: FiniteExponential) -> float:
    _check(scores, event)
    return float(scores[np.array(event.base_measure) > 0.0].max())


def _check(scores: Floats, event: FiniteExponential) -> None:
    if scores.shape != (len(event.base_measure),) or not bool(
        ((scores >= event.lowest) & (scores <= event.highest)).all()
    ):
        raise ValueError("the scores are not as the event states")


def _slack(largest_exponent: float) -> float:
    """4ξ: ξ bounds the error of a log weight, from its exponent, from μ/μ_max, exp and their product."""
    return 4.0 * _RELATIVE_ERROR * (largest_exponent + 4.0)


def _require(condition: bool, rule: str) -> None:  # noqa: FBT001  an assertion in form
    if not condition:
        raise EventError(rule)
