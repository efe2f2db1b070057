"""Gives the service its random bits: from the operating system, a source for each thread."""

from __future__ import annotations

import threading

from core.samplers.entropy import SystemEntropy

_of_thread = threading.local()


def system_entropy() -> SystemEntropy:
    """This thread's source. It outlives a draw, since a call of the system costs more than most draws, and more
    still where other threads wait.
    """
    source: SystemEntropy | None = getattr(_of_thread, "source", None)
    if source is None:
        source = _of_thread.source = SystemEntropy()
    return source
