"""Deadlines for promises in seconds, on a machine that may have other work."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_EVERY_SECONDS: Final = 0.5
_USUAL_SECONDS: Final = 0.25
"""What a look may take on a machine that has nothing else to do, with plenty to spare."""


def stretched(seconds: float) -> float:
    """`seconds` on an idle machine, and proportionally more if more processes want to run than there are cores. Call it
    at the end of the bounded work, because the load average is that of the last minute.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@contextmanager
def withheld(look: Callable[[], object]) -> Iterator[Callable[[], float]]:
    """Measures the seconds that the machine took from the process under test. Twice a second, `look` requests something
    that takes almost no time; its time beyond a quarter of a second is added up. On an idle machine the sum is 0, so a
    deadline from which it is subtracted is as strict.
    """
    done, seconds = threading.Event(), 0.0

    def keep_looking() -> None:
        nonlocal seconds
        while not done.is_set():
            started = time.monotonic()
            time.sleep(_EVERY_SECONDS)
            look()
            seconds += max(0.0, time.monotonic() - started - _EVERY_SECONDS - _USUAL_SECONDS)

    looking = threading.Thread(target=keep_looking)
    looking.start()
    try:
        yield lambda: seconds
    finally:
        done.set()
        looking.join()
