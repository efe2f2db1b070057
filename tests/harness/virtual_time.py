"""An event loop whose clock is advanced instead of waited for. Planted durations are exact on a busy machine."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """Its time passes only while nothing is left to do."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(_Selector(self.advance))

    def time(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class _Selector(selectors.SelectSelector):
    def __init__(self, advance: Callable[[float], None]) -> None:
        super().__init__()
        self._advance = advance

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everything waits, and no timer is set"
        self._advance(max(timeout, 0.0))
        return super().select(0)


def run(story: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(story)


def advance(seconds: float) -> None:
    """Advance the clock as if the machine had been paused."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.advance(seconds)
