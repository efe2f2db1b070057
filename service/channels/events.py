"""Writes events of the core in their stored form, and parses them.

Stored events are permanent: kinds may be added, but never renamed or given another meaning. This module imports no
schema, so that a draw process starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Final, TypeAlias, get_args, get_origin, get_type_hints

from core.mechanisms.blocks import BlockMargin, Blocks
from core.mechanisms.catalogue import BLOCKS, COUNTS, KINDS, MARGINS, AnyEvent, CountsEvent, TablesEvent, kind_of
from core.mechanisms.mechanism import Kind
from core.privacy import Epsilon, Rho

Stored: TypeAlias = dict[str, Any]
_MARGIN: Final = "margin"
MERGED: Final = "merged"
"""Member of the stored event of noisy counts: the sets of cells that were merged before the noise was drawn, by their
numbers. The event's own parameters, such as m, are those of the merged table.
"""
_AMOUNTS: Final[dict[str, type[Epsilon | Rho]]] = {"epsilon": Epsilon, "rho": Rho}


class UnknownEventError(ValueError):
    """A stored event has a name or a parameter that this version does not know. It is refused, not guessed."""


def event_to_json(event: AnyEvent | BlockMargin) -> Stored:
    """Return the stored form of an event: its name and every parameter, with numbers as text that parses to the same
    value.

    A `loss` is stored under the name of its amount. The name of the amounts of `losses` comes before them. A margin of
    blocks is never stored; here it is the event of all blocks with the number of the margin.
    """
    if isinstance(event, BlockMargin):
        return {_MARGIN: event.number, **event_to_json(event.event)}
    kind = kind_of(event).kind
    stored: Stored = {"event": kind}
    for name, (write, _) in _CODECS[kind].items():
        value = getattr(event, name)
        if name == "losses":
            stored["loss"] = type(value[0]).__name__.lower()
        stored[type(value).__name__.lower() if name == "loss" else name] = write(value)
    return stored


def event_from_json(stored: Stored, kinds: Iterable[Kind[Any]] = KINDS) -> Any:
    """Parse an event of one of these kinds that `event_to_json` wrote.

    Raises UnknownEventError for anything else, and EventError for parameters that no release has.
    """
    if _MARGIN in stored:
        event: Blocks = event_from_json({name: each for name, each in stored.items() if name != _MARGIN}, (BLOCKS,))
        return event.of_margin(stored[_MARGIN])
    kind = next((each for each in kinds if each.kind == stored.get("event")), None)
    if kind is None:
        raise UnknownEventError("the stored event is not of a kind that this version knows")
    beside = ("event", MERGED) if kind in COUNTS else ("event",)
    codecs, given = _CODECS[kind.kind], {name: value for name, value in stored.items() if name not in beside}
    try:
        if "losses" in codecs:
            given["losses"] = tuple(map(_AMOUNTS[given.pop("loss")].parse, given["losses"]))
        elif "loss" in codecs:
            name = "rho" if "rho" in given else "epsilon"
            given["loss"] = _AMOUNTS[name].parse(given.pop(name))
    except KeyError:
        raise UnknownEventError("the stored event has no amount") from None
    if given.keys() != codecs.keys():
        raise UnknownEventError("the stored event has other parameters than its kind")
    return kind.event(**{name: read(given[name]) for name, (_, read) in codecs.items()})


def margins_from_json(stored: Stored) -> TablesEvent:
    """Parse the event of a release of margins, as `event_from_json` does."""
    event: TablesEvent = event_from_json(stored, (MARGINS, BLOCKS))
    return event


def counts_from_json(stored: Stored) -> CountsEvent:
    """Parse the event of a release of noisy counts, as `event_from_json` does."""
    event: CountsEvent = event_from_json(stored, COUNTS)
    return event


Codec: TypeAlias = tuple[Callable[[Any], Any], Callable[[Any], Any]]


def _identity(value: Any) -> Any:
    return value


def _codec_of(kind: Any) -> Codec:
    """Return how a parameter of this type is written, and how it is parsed."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (tuple, frozenset):
        write, read = _codec_of(parts[0])
        arranged = sorted if origin is frozenset else list
        if write is _identity:
            return arranged, origin
        return lambda values: arranged(map(write, values)), lambda values: origin(map(read, values))
    if float in (kind, *parts):
        return lambda value: None if value is None else repr(value), lambda text: None if text is None else float(text)
    if origin is UnionType and NoneType not in parts:  # amounts, of which the stored form names the type
        return lambda value: list(map(str, value)) if isinstance(value, tuple) else str(value), _identity
    return (str, kind.parse) if hasattr(kind, "parse") else (_identity, _identity)


def _codecs_of(event: type) -> dict[str, Codec]:
    hints = get_type_hints(event)
    return {each.name: _codec_of(hints[each.name]) for each in fields(event)}


_CODECS: Final = {each.kind: _codecs_of(each.event) for each in KINDS}
"""By kind, how each parameter of an event is written and parsed."""
