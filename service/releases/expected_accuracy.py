"""The expected accuracy of a release, in numbers and in words, from public facts alone. The counts of the data set are
never read. So one estimate serves all releases of a kind.
"""

from __future__ import annotations

import hashlib
import json
from typing import Final, TypeAlias

import numpy as np

from core.mechanisms.catalogue import Event
from core.planning.accuracy import accuracy_of
from core.planning.intervals import Expected
from service.channels.events import event_from_json, event_to_json
from service.errors import ComputationsUnavailable, ComputationTooLarge
from service.runtime.runtime import Runtime
from service.schemas import releases as schema

_COMPUTATION_NAME: Final = "service.releases.expected_accuracy:computed"
_MAX_SECONDS: Final = 1.7
"""CPU seconds of the estimate in a quote. With everything around it a quote takes about two."""
_NOT_FOUND_TEXT: Final = ""
"""Cached value of a kind whose estimate takes longer."""
_MAX_RATIO: Final = 1e9
"""Larger ratios are not reported: the width without noise has no significant digits then."""
Kind: TypeAlias = tuple[str, Event, bytes, float]
"""Equally accurate releases of a principal: its id, event, a hash of the prior, which may be long, and level."""


def kind_of(principal_id: str, event: Event, prior: list[float], level: float) -> Kind:
    return principal_id, event, hashlib.sha256(np.array(prior, dtype=np.float64).tobytes()).digest(), level


async def expected_accuracy(
    runtime: Runtime, principal_id: str, event: Event, prior: list[float], level: float
) -> schema.ExpectedAccuracy | None:
    """Return the expected accuracy of a release by this event. Return None if it takes too long to compute, or if no
    process is available.
    """
    kind = kind_of(principal_id, event, prior, level)
    text = runtime.caches.accuracies.get(kind)
    if text is None:
        try:
            order = _order(event, prior, level)
            text = await runtime.processes.compute(
                principal_id, _COMPUTATION_NAME, order, processor_seconds=_MAX_SECONDS
            )
        except ComputationsUnavailable:
            return None
        except ComputationTooLarge:
            text = _NOT_FOUND_TEXT
        runtime.caches.accuracies.keep(kind, text)
    return schema.ExpectedAccuracy.model_validate_json(text) if text else None


def _order(event: Event, prior: list[float], level: float) -> str:
    return json.dumps({"event": event_to_json(event), "prior": prior, "level": level})


def computed(text: str) -> str:
    """Computation: return the JSON text of a `schema.ExpectedAccuracy`."""
    order = json.loads(text)
    return accuracy_response(event_from_json(order["event"]), order["prior"], order["level"]).model_dump_json()


def accuracy_response(event: Event, prior: list[float], level: float) -> schema.ExpectedAccuracy:
    """Return the expected accuracy of the share of one category, in numbers and in words.

    If the event has no noise-aware intervals, it is the error of the released posterior at even counts.
    """
    found = accuracy_of(event, prior, level)
    if found.error is not None:
        summary = (
            "At made-up even counts of this size, the expected Hellinger distance from the true posterior is "
            f"{found.error:.2g} of at most 1."
        )
        warning = _warning("its posterior would be about as far from the true one as can be")
    else:
        compared = [f"{count:,} records: {_comparison_text(_ratio(*each))}" for count, each in found.intervals.items()]
        summary = (
            f"Expected {100 * level:g} % interval at made-up counts, beside that of exact counts. "
            f"{'; '.join(compared)}."
        )
        warning = _warning("its interval would be about as wide as the prior's")
    return schema.ExpectedAccuracy(
        level=level,
        at_counts=[
            schema.AccuracyAtCount(
                count=count,
                interval_width=noisy.width,
                standard_error=noisy.width_error,
                interval_width_without_noise=exact.width,
                width_ratio=_ratio(noisy, exact),
            )
            for count, (noisy, exact) in found.intervals.items()
        ],
        prior_interval_width=found.prior_width,
        expected_hellinger_error=found.error,
        summary=summary,
        warning=warning if found.is_poor else None,
    )


def _ratio(noisy: Expected, exact: Expected) -> float | None:
    """Return the ratio of the widths, or None if the width without noise is too small to divide by."""
    if noisy.width >= exact.width * _MAX_RATIO:
        return None
    return noisy.width / exact.width


def ratio_text(ratio: float, *, digits: int) -> str:
    """Return a ratio of widths with `digits` significant digits, without an exponent if it is above 1."""
    rounded = float(f"{ratio:.{digits}g}")
    return f"{rounded:,.0f}" if rounded >= 10**digits else f"{rounded:g}"


def _comparison_text(ratio: float | None) -> str:
    if ratio is None:
        return "far wider"
    return "no wider" if ratio < 1.05 else f"about {ratio_text(ratio, digits=2)} times as wide"


def _warning(reason: str) -> str:
    return f"At made-up even counts of this size such a release gives almost no information: {reason}."
