"""Says what a release is worth, in its quote, in itself and in its picture: how wide intervals like its own are at its
public sizes, beside those of exact counts and of the prior. The counts are made up, never those of the data set, so
that it is found once for all releases of a kind: after the first was paid, and before its counts are opened.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import math
from functools import partial
from typing import Final, TypeAlias

import numpy as np

from core import release_error, widths
from core.candidates import of_shares
from core.mechanisms.catalogue import Event
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.pointwise import likelihood_seconds
from service import log
from service.channels.mechanisms import event_from_json, event_to_json
from service.errors import ComputationsUnavailable, ComputationTooLarge
from service.runtime import COMPUTATION_SECONDS, Runtime
from service.schemas import releases as schema

_WORTH: Final = "service.releases.worth:told"
_MOST_SECONDS: Final = 1.7
"""Of processor time, that a first release of its kind may take longer for: with the release, two."""
_NOT_FOUND: Final = ""
"""What is kept of a kind whose worth takes longer than that to find."""
_QUICK_SECONDS: Final = 0.25
"""Of processor time, that a thread of the service may judge."""
_USUAL_PRIOR: Final = 0.05, 100.0
_NEXT_TO_NOTHING: Final = 0.8
"""Of the width of the prior's interval, or of the largest Hellinger distance."""


_logger = logging.getLogger("posterior.worth")
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
    if text is None and seconds(event) > _MOST_SECONDS:
        return None
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


async def of_paid(runtime: Runtime, principal_id: str, event: Event, prior: list[float], level: float) -> str | None:
    """The JSON text of the `schema.Worth` of a release that was paid; None where that takes too long to find.

    Found once however often a principal asks, and never a reason to fail. What takes longer than a moment is found in
    a process, and only where there is a place for it at once: what is paid waits for nobody else's.
    """
    kind = kind_of(event, prior, level)
    known = runtime.worths.get(kind)
    if known is not None:
        return known or None
    if seconds(event) > _MOST_SECONDS:
        return None
    finding = runtime.finding_worths.get((principal_id, kind))
    if finding is None:
        if not _is_quick(event, prior) and not runtime.judging.queue.has_place_for(principal_id):
            return None
        finding = asyncio.create_task(_find(runtime, principal_id, kind, prior))
        runtime.finding_worths[principal_id, kind] = finding
        finding.add_done_callback(lambda _: runtime.finding_worths.pop((principal_id, kind), None))
    return await asyncio.shield(finding)


async def _find(runtime: Runtime, principal_id: str, kind: Kind, prior: list[float]) -> str | None:
    event, _, level = kind
    order = _order(event, prior, level)
    try:
        async with runtime.judging.queue.place(principal_id):
            if not _is_quick(event, prior):
                limit = COMPUTATION_SECONDS
                text = await runtime.processes.run(_WORTH, order, seconds=limit, processor_seconds=_MOST_SECONDS)
            else:
                text = await runtime.judging.run(partial(told, order))
    except TimeoutError:
        text = _NOT_FOUND
    except Exception as error:  # noqa: BLE001  the release was paid, and is drawn whatever it is worth
        _logger.error("the worth of a release could not be found", extra=log.failure(error))
        return None
    runtime.worths.keep(kind, text)
    return text or None


def _is_quick(event: Event, prior: list[float]) -> bool:
    """Whether a thread of the service may judge. What is estimated knows no prior, and one that is stronger than
    the counts, or as good as empty, makes many more of them possible: 3.8 s, where 0.14 were estimated.
    """
    low, high = _USUAL_PRIOR
    return seconds(event) <= _QUICK_SECONDS and low <= min(prior) and max(prior) <= high


def seconds(event: Event) -> float:
    """A public estimate of `worth_of` on one core."""
    if widths.has_quick_widths(event):
        return widths.width_seconds(event)
    return likelihood_seconds(event.n, event.m) if isinstance(event, Exponential) else math.inf


def _order(event: Event, prior: list[float], level: float) -> str:
    return json.dumps({"event": event_to_json(event), "prior": prior, "level": level})


def told(text: str) -> str:
    """A computation: the JSON text of a Worth."""
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
