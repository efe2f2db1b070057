"""Limits the memory of request bodies, by principal, before they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from service.errors import RateLimited

_RETRY_SECONDS = 1


@dataclass(slots=True)
class BodyMemoryLimiter:
    """Limits on the bytes of one principal and of all. It has no lock: use it in one event loop."""

    max_per_principal: int
    max_total: int
    _taken: Counter[str] = field(default_factory=Counter)
    _taken_by_all: int = 0

    @contextmanager
    def reserve(self) -> Iterator[Reservation]:
        """Yield a reservation for one body, released at the end of the block."""
        reservation = Reservation(self)
        try:
            yield reservation
        finally:
            self.change(reservation.principal_id, -reservation.size)

    def change(self, principal_id: str, size: int) -> None:
        """Reserve or release `size` bytes. Raises RateLimited if the limit is exceeded."""
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
        """Reserve the missing bytes. Raises RateLimited."""
        if size > self.size:
            self.limiter.change(self.principal_id, size - self.size)
            self.size = size
