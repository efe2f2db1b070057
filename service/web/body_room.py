"""Shares out the memory that bodies of requests take, by principal, before they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from service.errors import RateLimited

_RETRY_SECONDS = 1


@dataclass(slots=True)
class BodyRoom:
    """Room for so many bytes of one principal, and of all together. For one event loop: it has no lock."""

    each: int
    of_all: int
    _taken: Counter[str] = field(default_factory=Counter)
    _taken_by_all: int = 0

    @contextmanager
    def held(self) -> Iterator[Held]:
        """Room for one body, given back when the block ends."""
        held = Held(self)
        try:
            yield held
        finally:
            self.change(held.by, -held.size)

    def change(self, principal_id: str, size: int) -> None:
        """Takes or gives back so many bytes. Raises RateLimited where there is no room for them."""
        if size > 0 and (self._taken[principal_id] + size > self.each or self._taken_by_all + size > self.of_all):
            raise RateLimited.until(_RETRY_SECONDS)
        self._taken[principal_id] += size
        self._taken_by_all += size
        if not self._taken[principal_id]:
            del self._taken[principal_id]


@dataclass(slots=True)
class Held:
    """The room of one body. `by` is the principal whose it is."""

    room: BodyRoom
    by: str = ""
    size: int = 0

    def grow_to(self, size: int) -> None:
        """Takes the room that is missing. Raises RateLimited."""
        if size > self.size:
            self.room.change(self.by, size - self.size)
            self.size = size
