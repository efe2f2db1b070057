"""Shares out the memory that bodies of requests take, by principal, before they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from service.errors import RateLimited

_RETRY_SECONDS = 1


@dataclass(slots=True)
class BodyMemoryLimiter:
    """The most bytes of one principal, and of all together. For one event loop: it has no lock."""

    max_per_principal: int
    max_total: int
    _taken: Counter[str] = field(default_factory=Counter)
    _taken_by_all: int = 0

    @contextmanager
    def reserve(self) -> Iterator[Reservation]:
        """A reservation for one body, given back when the block ends."""
        reservation = Reservation(self)
        try:
            yield reservation
        finally:
            self.change(reservation.principal_id, -reservation.size)

    def change(self, principal_id: str, size: int) -> None:
        """Takes or gives back so many bytes. Raises RateLimited if they are too many."""
        if size > 0 and (
            self._taken[principal_id] + size > self.max_per_principal or self._taken_by_all + size > self.max_total
        ):
            raise RateLimited.until(_RETRY_SECONDS)
        self._taken[principal_id] += size
        self._taken_by_all += size
        if not self._taken[principal_id]:
            del self._taken[principal_id]


@dataclass(slots=True)
class Reservation:
    """The memory of one body, and the principal who sends it."""

    limiter: BodyMemoryLimiter
    principal_id: str = ""
    size: int = 0

    def grow_to(self, size: int) -> None:
        """Reserves what is missing. Raises RateLimited."""
        if size > self.size:
            self.limiter.change(self.principal_id, size - self.size)
            self.size = size
