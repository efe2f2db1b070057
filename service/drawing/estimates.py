"""Public estimates of the time and memory of a draw, and limits derived from them. Nothing here depends on counts.

An estimate is generous. It covers all work of a draw process on an order: reading it, checking the receipt, proving a
closed form again, decrypting, drawing, and what the mechanism computes once per event. All figures are seconds of one
core of the reference machine; `on_this_host` converts them to this host. A draw that takes longer delays the next
round, and is answered at a later tick.
"""

from __future__ import annotations

import math
import time
from functools import cache
from typing import Final

import numpy as np

from core.mechanisms.catalogue import AnyEvent, kind_of

SHORT_SECONDS: Final = 0.03
"""Draws with at most this estimate share one process, one after the other."""

_REFERENCE_SECONDS: Final = 1.2e-3
"""Time of `_fixed_work` on the reference machine while its other core is busy."""
_RUNS: Final = 40

_FIXED_SECONDS: Final = 1e-3
_SECONDS_PER_BYTE: Final = 2e-8
"""Seconds per byte of reading and hashing a spec."""

_KILL_SECONDS, _KILL_FACTOR = 10, 10
_MEMORY_BYTES: Final = 64 << 20
_MEMORY_PER_SECOND: Final = 128 << 20
_MEMORY_PER_BYTE: Final = 64
"""Memory per byte of a spec, in bytes. A small number takes two bytes in a spec; its Python object and list entry take
about forty.
"""


def estimate_seconds(event: AnyEvent, records_per_unit: int, spec_bytes: int) -> float:
    """Return the estimated duration of a draw of this event on this host, for the slowest counts."""
    kind = kind_of(event)
    # A draw process proves the loss again if there is a formula.
    certificate = kind.certificate_seconds(event, records_per_unit) if kind.closed_form else 0.0
    return on_this_host(
        _FIXED_SECONDS + _SECONDS_PER_BYTE * spec_bytes + certificate + kind.typical_draw_seconds(event)
    )


def on_this_host(reference_seconds: float) -> float:
    """Convert an estimate for the reference machine to this host."""
    return host_factor() * reference_seconds


@cache
def host_factor() -> float:
    """Return the time ratio of this host to the reference machine, at least 1. It is measured once per process and
    depends only on the speed of the host. Replicas and workers may differ.
    """
    times = []
    for _ in range(_RUNS):
        started = time.thread_time()
        _fixed_work()
        times.append(time.thread_time() - started)
    return max(1.0, min(times) / _REFERENCE_SECONDS)


def _fixed_work() -> None:
    """Compute with large integers and arrays of floats, as a draw does."""
    total, values = 3**2000, np.arange(1.0, 5000.0)
    for number in range(1, 2000):
        total = total * 3 % (1 << 4000) + number
    for _ in range(40):
        np.exp(-np.sqrt(values)).sum()


def is_short(seconds: float) -> bool:
    """Return whether a draw with this estimate shares a process with others."""
    return seconds <= SHORT_SECONDS


def tick(elapsed: float, spacing: float) -> float:
    """Return the first of 1, 2, 4, 8 … spacings that is not before `elapsed`, or `elapsed` if the spacing is 0."""
    if not spacing:
        return elapsed
    return spacing * 2 ** max(0, math.ceil(math.log2(elapsed / spacing))) if elapsed > spacing else spacing


def kill_seconds(seconds: float) -> int:
    """Return the time limit of a draw with this estimate, in whole seconds after its order was sent."""
    return _KILL_SECONDS + math.ceil(_KILL_FACTOR * seconds)


def memory_bytes(seconds: float, spec_bytes: int) -> int:
    """Return an upper bound of the memory of a draw, in addition to the memory of its idle process."""
    return _MEMORY_BYTES + math.ceil(_MEMORY_PER_SECOND * seconds) + _MEMORY_PER_BYTE * spec_bytes
