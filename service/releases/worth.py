"""Estimates how accurate a release would be, for quotes and pictures: the width of its intervals at its public sizes,
beside those of exact counts and of the prior. The counts are made up, never those of the data set, so that one estimate
serves all releases of a kind.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Final, TypeAlias

import numpy as np

from core import release_error, widths
from core.candidates import of_shares
from core.mechanisms.catalogue import Event
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.pointwise import likelihood_seconds
from service.channels.events import event_from_json, event_to_json
from service.errors import ComputationsUnavailable, ComputationTooLarge
from service.runtime import Runtime
from service.schemas import releases as schema

_WORTH: Final = "service.releases.worth:computed"
_MOST_SECONDS: Final = 1.7
"""The most processor time that a quote may take for it: with all around it, two seconds."""
_NOT_FOUND: Final = ""
"""What is kept of a kind whose worth takes longer than that to find."""
_NEXT_TO_NOTHING: Final = 0.8
"""Of the width of the prior's interval, or of the largest Hellinger distance."""

Kind: TypeAlias = tuple[Event, bytes, float]
"""Releases that are worth the same: event, a hash of the prior, which may be long, and level."""


def kind_of(event: Event, prior: list[float], level: float) -> Kind:
    """The kind of a release."""
    return event, hashlib.sha256(np.array(prior, dtype=np.float64).tobytes()).digest(), level


async def worth(
    runtime: Runtime, principal_id: str, event: Event, prior: list[float], level: float
) -> schema.Worth | None:
    """What a release by this event would be worth; None where that takes too long to find, or no process is there to
    find it now.
    """
    kind = kind_of(event, prior, level)
    text = runtime.worths.get(kind)
    if text is None:
        try:
            order = _order(event, prior, level)
            text = await runtime.compute(principal_id, _WORTH, order, processor_seconds=_MOST_SECONDS)
        except ComputationsUnavailable:
            return None
        except ComputationTooLarge:
            text = _NOT_FOUND
        runtime.worths.keep(kind, text)
    return schema.Worth.model_validate_json(text) if text else None


def seconds(event: Event) -> float:
    """A public estimate of `worth_of` on one core."""
    if widths.has_quick_widths(event):
        return widths.width_seconds(event)
    return likelihood_seconds(event.n, event.m) if isinstance(event, Exponential) else math.inf


def _order(event: Event, prior: list[float], level: float) -> str:
    return json.dumps({"event": event_to_json(event), "prior": prior, "level": level})


def computed(text: str) -> str:
    """A computation: the JSON text of a `schema.Worth`."""
    order = json.loads(text)
    return worth_of(event_from_json(order["event"]), order["prior"], order["level"]).model_dump_json()


def worth_of(event: Event, prior: list[float], level: float) -> schema.Worth:
    """At counts that are as even as can be, for the first category."""
    alpha, counts = np.array(prior), of_shares(event.n, np.ones(event.m))
    share = frozenset({0})
    found = widths.interval_widths(event, counts, alpha, level=level, shares=[share])
    without = widths.width_without_noise(counts, alpha, share, level)
    of_prior = widths.width_without_noise(np.zeros(event.m, dtype=np.int64), alpha, share, level)
    if found.of_categories:
        # Estimated to about a percent; at even counts noise makes no interval narrower.
        width = max(found.of_categories[0].expected, without)
        poor = width >= _NEXT_TO_NOTHING * of_prior and width > 1.5 * without
        wide = "its interval would be about as wide as the prior's"
        return _worth(level, width, without, of_prior, None, wide if poor else None)
    error = release_error.expected_hellinger(event, counts, alpha)
    far = "its posterior would be about as far from the true one as can be" if error >= _NEXT_TO_NOTHING else None
    return _worth(level, None, without, of_prior, error, far)


def sentence(worth: schema.Worth) -> str:
    """What is said beside a picture."""
    if worth.warning is not None:
        return worth.warning
    if worth.times_as_wide is not None:
        return (
            f"At made-up even counts of this size, {100 * worth.level:g} % intervals are expected to be "
            f"{worth.times_as_wide:.3g} times as wide as without noise."
        )
    return (
        "At made-up even counts of this size, the expected Hellinger distance from the true posterior is "
        f"{worth.expected_hellinger_error:.2g} of at most 1."
    )


def _worth(
    level: float, width: float | None, without: float, of_prior: float, error: float | None, why: str | None
) -> schema.Worth:
    return schema.Worth(
        level=level,
        interval_width=width,
        interval_width_without_noise=without,
        prior_interval_width=of_prior,
        times_as_wide=None if width is None or not math.isfinite(width / without) else width / without,
        expected_hellinger_error=error,
        warning=None
        if why is None
        else f"At made-up even counts of this size such a release tells next to nothing: {why}.",
    )
