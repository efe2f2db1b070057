"""Random bits from the operating system, with one source per thread."""

from __future__ import annotations

import threading

from core.samplers.entropy import SystemEntropy

_of_thread = threading.local()


def system_entropy() -> SystemEntropy:
    """Return this thread's source. It is reused, since a system call costs more than most draws."""
    source: SystemEntropy | None = getattr(_of_thread, "source", None)
    if source is None:
        source = _of_thread.source = SystemEntropy()
    return source
