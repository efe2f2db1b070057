"""Takes the time of one call, as every benchmark does."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """The median processor time of `repeats` calls: other work on the machine is not measured, and a pause falls
    out.
    """
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)
