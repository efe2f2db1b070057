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

from core.accounting.pairwise_loss import MAX_COLUMNS
from core.mechanisms import private_size
from core.mechanisms.catalogue import mechanism_of
from core.mechanisms.linear import LinearAnswers
from core.mechanisms.margins import Margins, cells_of
from core.mechanisms.private_size import PrivateSize
from service.channels.events import AnyEvent

SHORT_SECONDS: Final = 0.03
"""Draws with at most this estimate share one process, one after the other."""

_REFERENCE_SECONDS: Final = 1.2e-3
"""Time of `_fixed_work` on the reference machine while its other core is busy."""
_RUNS: Final = 40

_FIXED_SECONDS: Final = 1e-3
_PER_BYTE: Final = 2e-8
"""Seconds per byte of reading and hashing a spec."""
_PER_ROW: Final = 6.5e-3
_PER_CELL: Final = 3e-6
_PER_PAIR: Final = 6e-8
_PER_GEOMETRIC, _PER_GAUSSIAN = 2e-5, 7e-5
"""Seconds per cell of a margin, for the noise of any rate: at least five times the slowest draw that was found."""
_PER_SUM: Final = 1e-8
_PER_MARGIN, _PER_IMPOSSIBLE = 5e-4, 1e-5
_CONVERSION: Final = 5e-3
"""Seconds of the conversion from rho to epsilon."""
_PER_PRIVATE_SIZE: Final = 1e-2
"""Seconds of the certificate of a table of private size, or of its conversion from rho to epsilon."""

_KILL_SECONDS, _KILL_FACTOR = 10, 10
_MEMORY_BYTES: Final = 64 << 20
_MEMORY_PER_SECOND: Final = 128 << 20
_MEMORY_PER_BYTE: Final = 64
"""Memory per byte of a spec, in bytes. A small number takes two bytes in a spec; its Python object and list entry take
about forty.
"""


def estimate_seconds(event: AnyEvent, records_per_unit: int, spec_bytes: int) -> float:
    """Return the estimated duration of a draw of this event on this host, for the slowest counts."""
    certificate = _certificate_seconds(event, records_per_unit)
    return on_this_host(_FIXED_SECONDS + _PER_BYTE * spec_bytes + certificate + _draw_seconds(event))


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


def _draw_seconds(event: AnyEvent) -> float:
    if isinstance(event, LinearAnswers):
        return 0.0  # the noise is a small part of the certificate
    if isinstance(event, Margins):
        per_cell = _PER_GAUSSIAN if event.is_gaussian else _PER_GEOMETRIC
        cells = sum(cells_of(event.levels, each) for each in event.margins)
        return per_cell * cells + _PER_SUM * event.m * len(event.margins)
    if isinstance(event, PrivateSize):
        return private_size.typical_draw_seconds(event)
    return mechanism_of(event).typical_draw_seconds(event)


def _certificate_seconds(event: AnyEvent, records: int) -> float:
    """Return the seconds of proving the loss again, which a draw process does if there is a formula."""
    if isinstance(event, LinearAnswers):
        rows, columns = len(event.rows), min(event.m, MAX_COLUMNS)
        return rows * (_PER_ROW + _PER_CELL * event.m + _PER_PAIR * columns**2)
    if isinstance(event, Margins):
        conversion = _CONVERSION if event.is_gaussian else 0.0
        return conversion + _PER_MARGIN * len(event.margins) + _PER_IMPOSSIBLE * len(event.impossible)
    if isinstance(event, PrivateSize):
        return _PER_PRIVATE_SIZE
    mechanism = mechanism_of(event)
    return mechanism.certificate_seconds(event, records) if mechanism.closed_form else 0.0


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
