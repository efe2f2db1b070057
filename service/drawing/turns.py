"""Waiting orders, and the rounds that are made of them."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar


class Waiting(Protocol):
    """An order that waits: who paid for it, and the public estimate of its draw in seconds."""

    @property
    def principal_id(self) -> str: ...

    @property
    def estimate(self) -> float: ...


T = TypeVar("T", bound=Waiting)


class Turns(Generic[T]):
    """Waiting orders, in turns by principal. The orders of one principal keep their order."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def add(self, order: T) -> None:
        self._waiting.setdefault(order.principal_id, deque()).append(order)

    def put_back(self, orders: Sequence[T]) -> None:
        """Add orders that were taken, so that they are the next to be taken."""
        for order in reversed(orders):
            self._waiting.setdefault(order.principal_id, deque()).appendleft(order)
            self._waiting.move_to_end(order.principal_id, last=False)

    def take_round(self, seconds: float) -> list[T]:
        """Take the next orders whose estimates sum to at most `seconds`, or a single order with a longer estimate."""
        taken, total = list[T](), 0.0
        while self._waiting:
            principal_id, orders = next(iter(self._waiting.items()))
            total += orders[0].estimate
            if taken and total > seconds:
                break
            taken.append(orders.popleft())
            if orders:
                self._waiting.move_to_end(principal_id)
            else:
                del self._waiting[principal_id]
        return taken
