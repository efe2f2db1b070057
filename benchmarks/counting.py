"""Times `count()` of the client on each engine, beside a hand-written query of pandas.

    python -m benchmarks.counting [--records 1000000] [--rounds 3]

Each engine counts the same made-up records into 144 cells, and keeps the first record of each person, in a process of
its own; the engines take turns. A row has the CPU seconds of counting, reading a lazy source included, and the ratio to
the baseline. All engines must give equal counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import duckdb
import narwhals.stable.v2  # noqa: F401 - its import is not counting
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq

from benchmarks._table import Table
from private_posterior import count, groups

BASELINE: Final = "pandas by hand"
COLUMNS: Final[dict[str, Any]] = {
    "sex": ["f", "m"],
    "age": groups(0, 18, 65),
    "arm": ["a", "b", "c"],
    "ill": ["yes", "no"],
    "region": ["n", "s", "e", "w"],
}


def write(folder: Path, number: int) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "id": rng.integers(0, max(1, number // 2), number),
            "day": rng.integers(0, 365, number),
            "age": rng.integers(0, 100, number),
        }
        | {
            name: np.array(levels)[rng.integers(0, len(levels), number)]
            for name, levels in COLUMNS.items()
            if isinstance(levels, list)
        }
    )
    frame.write_parquet(folder / "records.parquet")
    frame.write_csv(folder / "records.csv")


def by_hand(folder: Path) -> Callable[[], list[int]]:
    """The baseline: what somebody who knows pandas writes."""
    frame = pd.read_parquet(folder / "records.parquet")

    def counts() -> list[int]:
        kept = frame.assign(age=pd.cut(frame["age"], [0, 18, 65, 1000], right=False, labels=["0-17", "18-64", "65+"]))
        names = list(COLUMNS)
        for name, levels in COLUMNS.items():
            if isinstance(levels, list):
                kept[name] = pd.Categorical(kept[name], levels)
        kept = kept.sort_values(["day", *names]).drop_duplicates("id")
        return [int(each) for each in kept.groupby(names, observed=False).size()]

    return counts


def _counted(table: Any) -> Callable[[], list[int]]:
    return lambda: list(count(table, COLUMNS, person="id", keep_by="day")["counts"])


def _engines(folder: Path) -> Mapping[str, Callable[[], Callable[[], list[int]]]]:
    parquet, csv = str(folder / "records.parquet"), str(folder / "records.csv")
    return {
        BASELINE: lambda: by_hand(folder),
        "pandas": lambda: _counted(pd.read_parquet(parquet)),
        "Polars": lambda: _counted(pl.read_parquet(parquet)),
        "Polars, scan of Parquet": lambda: _counted(pl.scan_parquet(parquet)),
        "PyArrow": lambda: _counted(pq.read_table(parquet)),
        "DuckDB, Parquet": lambda: _counted(duckdb.read_parquet(parquet)),
        "DuckDB, CSV": lambda: _counted(duckdb.read_csv(csv, all_varchar=True)),
    }


def measure(folder: Path, name: str) -> None:
    run = _engines(folder)[name]()
    started = time.process_time()
    counts = run()
    seconds = time.process_time() - started
    # The peak of getrusage would be that of the process that wrote the records, if this one is smaller.
    peak = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
    print(json.dumps({"counts": counts, "seconds": seconds, "peak": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engine", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        measure(Path(options.engine[0]), options.engine[1])
        return
    found: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), options.records)
        for _ in range(options.rounds):
            for engine in _engines(Path(name)):
                command = [sys.executable, "-m", "benchmarks.counting", "--engine", name, engine]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                found.setdefault(engine, []).append(json.loads(done.stdout))
    counts = found[BASELINE][0]["counts"]
    if any(each["counts"] != counts for rounds in found.values() for each in rounds):
        raise SystemExit("the counts differ")
    print(f"{options.records} records, {len(counts)} cells, {sum(counts)} people; peak memory of each process in MB:")
    print(", ".join(f"{engine} {max(each['peak'] for each in rounds):.0f}" for engine, rounds in found.items()))
    table = Table(BASELINE)
    for engine, rounds in found.items():
        before, after = ([each["seconds"] for each in some] for some in (found[BASELINE], rounds))
        table.add(engine, before, after, "s")
    table.show()


if __name__ == "__main__":
    main()
