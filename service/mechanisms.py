"""From a request to an event of the core and back: which channel a request asks for, what is proven of it, how it is stored and how it is drawn.

All but `draw` works on public facts alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final, TypeAlias, assert_never, get_type_hints

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms import exponential, gaussian, laplace, simplex_geometric
from core.mechanisms.event import EventError
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from core.private import Private, Released
from service.entropy import system_entropy
from service.errors import InvalidRequest
from service.schemas import releases as schema

Event: TypeAlias = exponential.Exponential | gaussian.Gaussian | laplace.Laplace | simplex_geometric.SimplexGeometric

# Stored for ever under these names: events are added, never renamed or given another meaning.
_EVENTS: Final[dict[str, type[Event]]] = {
    "exponential": exponential.Exponential,
    "gaussian": gaussian.Gaussian,
    "laplace": laplace.Laplace,
    "simplex_geometric": simplex_geometric.SimplexGeometric,
}
_NAMES: Final = {event: name for name, event in _EVENTS.items()}


_QUICK_CATEGORIES: Final = 8


class UnknownEventError(ValueError):
    """A stored event has a name or a parameter that this version does not know: it is refused, not guessed."""


def calibrate(mechanism: schema.Mechanism, *, n: int, prior: tuple[float, ...]) -> Event:
    """The event that a request asks for at `n` records. Raises InvalidRequest or NotSupported, on public facts alone."""
    m = len(prior)
    try:
        match mechanism:
            case schema.SimplexGeometric():
                return simplex_geometric.SimplexGeometric(n, m, mechanism.epsilon)
            case schema.Laplace():
                return laplace.Laplace(n, m, mechanism.epsilon)
            case schema.Gaussian():
                return gaussian.Gaussian(n, m, mechanism.rho, mechanism.delta)
            case schema.Exponential(calibration="proven"):
                return exponential.calibrate_proven(n, prior, mechanism.epsilon, mechanism.delta)
            case schema.Exponential():
                return exponential.calibrate_certified(n, prior, mechanism.epsilon, mechanism.delta)
            case schema.ExponentialPublished():
                return exponential.calibrate_published(n, prior, mechanism.nominal_epsilon, mechanism.delta)
            case schema.ExponentialGlobal():
                return exponential.calibrate_global(n, prior, mechanism.epsilon, mechanism.delta)
            case _:
                assert_never(mechanism)
    except EventError as error:
        raise InvalidRequest.at("mechanism", str(error)) from None


def is_immediate(mechanism: schema.Mechanism) -> bool:
    """Whether calibration and certificate are simple formulas, so that nothing is worth keeping."""
    return isinstance(mechanism, schema.SimplexGeometric | schema.Laplace | schema.Gaussian)


def is_quick(event: Event) -> bool:
    """Whether a draw takes about a millisecond at most, whatever the counts are."""
    return not isinstance(event, exponential.Exponential) and event.m <= _QUICK_CATEGORIES


def estimated_seconds(mechanism: schema.Mechanism, *, n: int, m: int) -> float:
    """A public estimate of what calibration and certificate take on one core; 0 where the request is refused at once."""
    match mechanism:
        case schema.Exponential():
            seconds = exponential.estimate_seconds(mechanism.calibration, n, m)
        case schema.ExponentialPublished():
            seconds = exponential.estimate_seconds("published", n, m)
        case schema.ExponentialGlobal():
            seconds = exponential.estimate_seconds("global", n, m)
        case _:
            return 0.0
    return seconds if math.isfinite(seconds) else 0.0


def certify(event: Event) -> Certificate:
    """What is proven of the event's channel."""
    match event:
        case exponential.Exponential():
            return exponential.certify(event)
        case gaussian.Gaussian():
            return gaussian.certify(event)
        case laplace.Laplace():
            return laplace.certify(event)
        case simplex_geometric.SimplexGeometric():
            return simplex_geometric.certify(event)
        case _:
            assert_never(event)


def draw(event: Event, counts: Private[NDArray[np.int64]], loss: PrivacyLoss) -> Released[NoisyCounts]:
    """A release, drawn on the operating system's entropy and no other. `loss` is what was proven of the event."""
    entropy = system_entropy()
    match event:
        case exponential.Exponential():
            return exponential.release(counts, event, entropy, loss=loss)
        case gaussian.Gaussian():
            return gaussian.release(counts, event, entropy)
        case laplace.Laplace():
            return laplace.release(counts, event, entropy)
        case simplex_geometric.SimplexGeometric():
            return simplex_geometric.release(counts, event, entropy)
        case _:
            assert_never(event)


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as it is stored: its name and every parameter, numbers as text that reads back to the same value."""
    return {"event": _NAMES[type(event)]} | {f.name: _write(getattr(event, f.name)) for f in fields(event)}


def event_from_json(stored: dict[str, Any]) -> Event:
    """The event that `event_to_json` wrote. Raises UnknownEventError for anything else."""
    kind = _EVENTS.get(stored.get("event", ""))
    if kind is None or stored.keys() != {"event"} | {f.name for f in fields(kind)}:
        raise UnknownEventError("the stored event is not of a kind that this version knows")
    return kind(**{name: read(stored[name]) for name, read in _READERS_OF_EVENT[kind].items()})


_READERS: Final[dict[Any, Callable[[Any], Any]]] = {
    Epsilon: Epsilon.parse,
    Delta: Delta.parse,
    Rho: Rho.parse,
    int: int,
    float: float,
    float | None: lambda text: None if text is None else float(text),
    tuple[float, ...]: lambda texts: tuple(float(text) for text in texts),
    exponential.Calibration: str,
}


def _readers_of(kind: type[Event]) -> dict[str, Callable[[Any], Any]]:
    hints = get_type_hints(kind)
    return {f.name: _READERS[hints[f.name]] for f in fields(kind)}


_READERS_OF_EVENT: Final = {kind: _readers_of(kind) for kind in _EVENTS.values()}
"""How each parameter of an event is read back, by its name."""


def _write(value: object) -> Any:
    match value:
        case float():
            return repr(value)
        case tuple():
            return [_write(item) for item in value]
        case None | int():
            return value
        case _:
            return str(value)
