"""Writes events of the core in their stored form, and parses them.

Stored events are permanent: kinds may be added, but never renamed or given another meaning. This module imports no
schema, so that a draw process starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias, get_origin, get_type_hints

from core.mechanisms.catalogue import MECHANISMS, CountsEvent, Event
from core.mechanisms.linear import LinearAnswers
from core.mechanisms.margins import MarginCounts, Margins
from core.mechanisms.private_size import KIND as PRIVATE_SIZE
from core.mechanisms.private_size import PrivateSize
from core.privacy import Delta, Epsilon, Rate, Rho

AnyEvent: TypeAlias = CountsEvent | LinearAnswers | Margins
"""The event of a posterior release, of query answers, or of a release of margins."""
TableEvent: TypeAlias = CountsEvent | MarginCounts
"""The event of noisy counts from which a posterior is computed: of a whole release, or of one measured margin."""

LINEAR: Final = "linear"
MARGINS: Final = "margins"
_ONE_MARGIN: Final = "margin"
_EVENTS: Final[dict[str, type[Event]]] = {each.kind: each.event for each in MECHANISMS}
_NAMES: Final = {event: name for name, event in _EVENTS.items()}


class UnknownEventError(ValueError):
    """A stored event has a name or a parameter that this version does not know. It is refused, not guessed."""


def record_count(event: AnyEvent | TableEvent) -> int | None:
    """Return the number of records of the table, or None if it is private."""
    return None if isinstance(event, PrivateSize) else event.n


def event_to_json(event: CountsEvent) -> dict[str, Any]:
    """Return the stored form of an event: its name and every parameter, with numbers as text that parses to the same
    value.
    """
    if isinstance(event, PrivateSize):
        loss = "rho" if isinstance(event.loss, Rho) else "epsilon"
        return {
            "event": PRIVATE_SIZE,
            "m": event.m,
            "law": event.law,
            loss: str(event.loss),
            "delta": str(event.delta),
            "records_per_unit": event.records_per_unit,
        }
    return {"event": _NAMES[type(event)]} | {f.name: _write(getattr(event, f.name)) for f in fields(event)}


def event_from_json(stored: dict[str, Any]) -> CountsEvent:
    """Parse an event that `event_to_json` wrote. Raises UnknownEventError for anything else."""
    match stored:
        case {"event": "private_size", "m": m, "law": law, "delta": delta, "records_per_unit": records, **amount}:
            match amount:
                case {"epsilon": text}:
                    loss: Epsilon | Rho = Epsilon.parse(text)
                case {"rho": text}:
                    loss = Rho.parse(text)
                case _:
                    raise UnknownEventError("the stored event has no amount")
            return PrivateSize(m, law, loss, Delta.parse(delta), records)
        case _:
            pass
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
}


def _reader_of(type_: Any) -> Callable[[Any], Any]:
    return str if get_origin(type_) is Literal else _READERS[type_]


def _readers_of(kind: type[Event]) -> dict[str, Callable[[Any], Any]]:
    hints = get_type_hints(kind)
    return {f.name: _reader_of(hints[f.name]) for f in fields(kind)}


_READERS_OF_EVENT: Final = {kind: _readers_of(kind) for kind in _EVENTS.values()}
"""Parser of each parameter of an event, by the parameter's name."""


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


def linear_to_json(event: LinearAnswers) -> dict[str, Any]:
    """Return the stored form of the event of query answers."""
    return {
        "event": LINEAR,
        "n": event.n,
        "m": event.m,
        "denominator": event.denominator,
        "rows": [list(row) for row in event.rows],
        "rates": [str(rate) for rate in event.rates],
        "records_per_unit": event.records_per_unit,
    }


def linear_from_json(stored: dict[str, Any]) -> LinearAnswers:
    """Parse an event that `linear_to_json` wrote. Raises UnknownEventError for another kind, and EventError."""
    if stored["event"] != LINEAR:
        raise UnknownEventError("the stored event is not of a kind that this version knows")
    return LinearAnswers(
        n=stored["n"],
        m=stored["m"],
        denominator=stored["denominator"],
        rows=tuple(tuple(row) for row in stored["rows"]),
        rates=tuple(Rate.parse(rate) for rate in stored["rates"]),
        records_per_unit=stored["records_per_unit"],
    )


def margins_to_json(event: Margins) -> dict[str, Any]:
    """Return the stored form of the event of a release of margins."""
    return {
        "event": MARGINS,
        "n": event.n,
        "levels": list(event.levels),
        "impossible": sorted(list(each) for each in event.impossible),
        "margins": [list(each) for each in event.margins],
        "loss": "rho" if event.is_gaussian else "epsilon",
        "losses": [str(each) for each in event.losses],
        "delta": str(event.delta),
        "records_per_unit": event.records_per_unit,
    }


def margins_from_json(stored: dict[str, Any]) -> Margins:
    """Parse an event that `margins_to_json` wrote. Raises UnknownEventError for another kind, and EventError."""
    if stored["event"] != MARGINS or stored["loss"] not in ("rho", "epsilon"):
        raise UnknownEventError("the stored event is not of a kind that this version knows")
    return Margins(
        n=stored["n"],
        levels=tuple(stored["levels"]),
        impossible=frozenset(tuple(each) for each in stored["impossible"]),
        margins=tuple(tuple(each) for each in stored["margins"]),
        losses=tuple(map(Rho.parse, stored["losses"]))
        if stored["loss"] == "rho"
        else tuple(map(Epsilon.parse, stored["losses"])),
        delta=Delta.parse(stored["delta"]),
        records_per_unit=stored["records_per_unit"],
    )


def any_event_from_json(stored: dict[str, Any]) -> AnyEvent:
    """Parse the event of a stored spec, of any kind of release."""
    match stored["event"]:
        case "linear":
            return linear_from_json(stored)
        case "margins":
            return margins_from_json(stored)
        case _:
            return event_from_json(stored)


def table_to_json(event: TableEvent) -> dict[str, Any]:
    """Return the event of noisy counts as plain JSON, for a computation. It is not stored."""
    if not isinstance(event, MarginCounts):
        return event_to_json(event)
    return {"event": _ONE_MARGIN} | {f.name: _write(getattr(event, f.name)) for f in fields(event)}


def table_from_json(plain: dict[str, Any]) -> TableEvent:
    """Parse an event that `table_to_json` wrote."""
    if plain["event"] != _ONE_MARGIN:
        return event_from_json(plain)
    return MarginCounts(plain["n"], plain["m"], Fraction(plain["parameter"]), plain["is_gaussian"])
