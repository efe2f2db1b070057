"""Prints what a benchmark measured as rows of the table of docs/reference/benchmarks.md: the ratio to a baseline of the same run,
with the medians and the spreads of both.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence

HEADER = "| What | Baseline in the same run | Measured |\n|---|---|---|"


def in_turns(
    works: Mapping[str, Callable[[], object]],
    rounds: int,
    *,
    times: int = 1,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, list[float]]:
    """Return the milliseconds of one call of each function in every round, as a mean of `times` calls. The functions
    take turns, so that other work on the machine affects all alike. The clock is CPU time unless another is named. A
    first round warms up.
    """
    taken: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name in list(works)[:: 1 if number % 2 else -1]:
            started = clock()
            for _ in range(times):
                works[name]()
            if number:
                taken[name].append(1e3 * (clock() - started) / times)
    return taken


class Table:
    """Rows that share a baseline: printed as they are added, and shown as Markdown at the end."""

    def __init__(self, baseline: str) -> None:
        self.baseline = baseline
        self.rows: list[str] = []

    def add(self, what: str, before: Sequence[float], after: Sequence[float], unit: str) -> None:
        """Add a row: the measurements of the baseline and of its counterpart, from the same rounds."""
        ratio = statistics.median(after) / statistics.median(before)
        theirs, ours = (_spread(each, unit) for each in (before, after))
        print(f"{what}: {ratio:.3g} times {self.baseline}, {ours} to {theirs}", flush=True)
        self.rows.append(f"| {what} | {self.baseline} | {ratio:.3g} times ({ours} to {theirs}) |")

    def show(self) -> None:
        print("\n" + "\n".join((HEADER, *self.rows)), flush=True)


def _spread(values: Sequence[float], unit: str) -> str:
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{middle:.3g} {unit}" if low == high else f"{middle:.3g} {unit} [{low:.3g} to {high:.3g}]"
