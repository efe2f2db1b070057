"""Takes the time of one call, as every benchmark does."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Final

import numpy as np

LOOP_SECONDS: Final = 0.05
"""What `calibrate` takes on the machine that the estimates of draws are in seconds of."""


def median_seconds(
    work: Callable[[], object], repeats: int, *, clock: Callable[[], float] = time.process_time
) -> float:
    """The median time of `repeats` calls: processor time, in which other work on the machine is not measured, unless
    another clock is named; a pause falls out.
    """
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return statistics.median(times)


def calibrate() -> float:
    """Processor seconds of a loop of Python and numpy."""
    began = time.process_time()
    values = np.arange(20_000.0)
    for number in range(150):
        np.fft.irfft(np.fft.rfft(values)).sum()
        sum(k * number for k in range(1_000))
    return time.process_time() - began
