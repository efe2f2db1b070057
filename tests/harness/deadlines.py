"""Deadlines for what the service promises within seconds, on a machine that may have other work to do."""

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
    """So many seconds on an idle machine; as many times longer as more wants to run than there are cores. Asked at the
    end of what it bounds, since the load average is that of the last minute.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


@contextmanager
def withheld(look: Callable[[], object]) -> Iterator[Callable[[], float]]:
    """Tells how many seconds the machine kept from whoever runs meanwhile: twice a second, `look` asks for something
    that takes next to no time, of the process that is tested, and what it took beyond a quarter of a second is added
    up. On a machine that has nothing else to do that is 0, so that a deadline after it is taken off bounds as much.
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
