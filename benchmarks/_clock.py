"""Takes the time of one call, as every benchmark does."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


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
