"""Estimate the accuracy of a release: interval widths at a few made-up counts of the same public sizes, compared with
those of exact counts and of the prior. The counts of the data set are never read. So one estimate serves all releases
of a kind.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core import release_error, widths
from core.candidates import of_shares
from core.mechanisms.catalogue import Event
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.pointwise import likelihood_seconds
from service.channels.events import event_from_json, event_to_json
from service.errors import ComputationsUnavailable, ComputationTooLarge
from service.runtime.runtime import Runtime
from service.schemas import releases as schema

_COMPUTED: Final = "service.releases.worth:computed"
_MAX_SECONDS: Final = 1.7
"""CPU seconds of the estimate in a quote. With everything around it a quote takes about two."""
_NOT_FOUND: Final = ""
"""Cached value of a kind whose estimate takes longer."""
_COUNTS: Final = (1000, 30)
"""Made-up counts of a category, in addition to an even share of the records."""
_MAX_RATIO: Final = 1e9
"""Larger ratios are not reported: the width without noise has no significant digits then."""
_NEXT_TO_NOTHING: Final = 0.8
"""Fraction of the prior's interval width, or of the largest Hellinger distance, from which a warning is given."""

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
            text = await runtime.processes.compute(principal_id, _COMPUTED, order, processor_seconds=_MAX_SECONDS)
        except ComputationsUnavailable:
            return None
        except ComputationTooLarge:
            text = _NOT_FOUND
        runtime.caches.accuracies.keep(kind, text)
    return schema.ExpectedAccuracy.model_validate_json(text) if text else None


def seconds(event: Event) -> float:
    """Return the estimated time to compute one table in `accuracy_of`, on one core.

    The CPU limit ends a longer computation.
    """
    if widths.has_quick_widths(event):
        return widths.width_seconds(event)
    return likelihood_seconds(event.n, event.m) if isinstance(event, Exponential) else math.inf


def _order(event: Event, prior: list[float], level: float) -> str:
    return json.dumps({"event": event_to_json(event), "prior": prior, "level": level})


def computed(text: str) -> str:
    """Computation: return the JSON text of a `schema.ExpectedAccuracy`."""
    order = json.loads(text)
    return accuracy_of(event_from_json(order["event"]), order["prior"], order["level"]).model_dump_json()


def accuracy_of(event: Event, prior: list[float], level: float) -> schema.ExpectedAccuracy:
    """Return the expected accuracy for the category with the smallest prior.

    If the event has no noise-aware intervals, it is the error of the released posterior at even counts.
    """
    alpha, even = np.array(prior), max(1, event.n // event.m)
    category = int(np.argmin(alpha))
    share = frozenset({category})
    of_prior = widths.interval_without_noise(np.zeros(event.m, dtype=np.int64), alpha, share, level).width
    # Under a small prior more releases are simulated, which would take longer than a quote.
    precision = replace(widths.OF_PLANS, rehearsals=12) if alpha.min() < widths.SMALL_PRIOR else widths.OF_PLANS
    found = []
    for count in sorted({even, *(each for each in _COUNTS if each <= event.n // 2)}, reverse=True):
        counts = _table(event, category, count)
        of_categories = widths.interval_widths(
            event, counts, alpha, level=level, shares=[share], precision=precision
        ).of_categories
        if not of_categories:
            return _by_error(event, alpha, level, of_prior)
        width, without = of_categories[0].expected, of_categories[0].without_noise
        found.append(
            schema.AccuracyAtCount(
                count=count,
                interval_width=width,
                standard_error=of_categories[0].standard_error,
                interval_width_without_noise=without,
                width_ratio=width / without if width < without * _MAX_RATIO else None,
            )
        )
    (at_even,) = (each for each in found if each.count == even)
    poor = tells_next_to_nothing(at_even.interval_width, at_even.interval_width_without_noise, of_prior)
    return schema.ExpectedAccuracy(
        level=level,
        at_counts=found,
        prior_interval_width=of_prior,
        expected_hellinger_error=None,
        summary=f"Expected {100 * level:g} % interval at made-up counts, beside that of exact counts. "
        + "; ".join(f"{each.count:,} records: {_compared(each.width_ratio)}" for each in found)
        + ".",
        warning=_warning("its interval would be about as wide as the prior's") if poor else None,
    )


def tells_next_to_nothing(width: float, without_noise: float, of_prior: float) -> bool:
    """Return whether an interval is about as wide as the prior's because of the noise."""
    return width >= _NEXT_TO_NOTHING * of_prior and width > 1.5 * without_noise


def ratio_text(ratio: float, *, digits: int) -> str:
    """Return a ratio of widths with `digits` significant digits, without an exponent if it is above 1."""
    rounded = float(f"{ratio:.{digits}g}")
    return f"{rounded:,.0f}" if rounded >= 10**digits else f"{rounded:g}"


def _table(event: Event, category: int, count: int) -> NDArray[np.int64]:
    """Return made-up counts, shape (m,): `count` in one category, and the rest spread evenly over the others."""
    return np.insert(of_shares(event.n - count, np.ones(event.m - 1)), category, count)


def _compared(ratio: float | None) -> str:
    if ratio is None:
        return "far wider"
    return "no wider" if ratio < 1.05 else f"about {ratio_text(ratio, digits=2)} times as wide"


def _by_error(event: Event, alpha: NDArray[np.float64], level: float, of_prior: float) -> schema.ExpectedAccuracy:
    error = release_error.expected_hellinger(event, of_shares(event.n, np.ones(event.m)), alpha)
    far = "its posterior would be about as far from the true one as can be"
    return schema.ExpectedAccuracy(
        level=level,
        at_counts=[],
        prior_interval_width=of_prior,
        expected_hellinger_error=error,
        summary="At made-up even counts of this size, the expected Hellinger distance from the true posterior is "
        f"{error:.2g} of at most 1.",
        warning=_warning(far) if error >= _NEXT_TO_NOTHING else None,
    )


def _warning(reason: str) -> str:
    return f"At made-up even counts of this size such a release gives almost no information: {reason}."
