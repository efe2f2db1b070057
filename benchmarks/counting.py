"""Times `count()` of the client on each engine, beside a hand-written query of pandas.

    python -m benchmarks.counting [--records 1000000] [--rounds 3]

Each engine counts the same made-up records into 144 cells, and keeps the first record of each person, in a process of
its own; the engines take turns. A row has the CPU seconds of counting, reading a lazy source included, and the ratio to
the baseline. All engines must give equal counts. Spark, which runs in a process of Java, is counted with that
process if `make generators` has installed it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
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


def _counting_function(table: Any) -> Callable[[], list[int]]:
    return lambda: list(count(table, COLUMNS, person="id", keep_by="day")["counts"])


def _spark(parquet: str) -> Any:
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
    options = {"driver.host": "127.0.0.1", "sql.shuffle.partitions": 2, "ui.enabled": False, "driver.memory": "8g"}
    for name, value in options.items():
        builder = builder.config(f"spark.{name}", value)
    return builder.getOrCreate().read.parquet(parquet)


def _engines(folder: Path) -> Mapping[str, Callable[[], Callable[[], list[int]]]]:
    parquet, csv = str(folder / "records.parquet"), str(folder / "records.csv")
    return {
        BASELINE: lambda: by_hand(folder),
        "pandas": lambda: _counting_function(pd.read_parquet(parquet)),
        "Polars": lambda: _counting_function(pl.read_parquet(parquet)),
        "Polars, scan of Parquet": lambda: _counting_function(pl.scan_parquet(parquet)),
        "PyArrow": lambda: _counting_function(pq.read_table(parquet)),
        "DuckDB, Parquet": lambda: _counting_function(duckdb.read_parquet(parquet)),
        "DuckDB, CSV": lambda: _counting_function(duckdb.read_csv(csv, all_varchar=True)),
        "Polars, scan of CSV": lambda: _counting_function(pl.scan_csv(csv, infer_schema=False)),
    } | ({"Spark, Parquet": lambda: _counting_function(_spark(parquet))} if find_spec("pyspark") else {})


def _processes() -> Iterator[Path]:
    """This process, and the one of Java that Spark has started."""
    yield Path("/proc/self")
    for each in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((each / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        if parent == os.getpid():
            yield each


def _cpu_seconds() -> float:
    ticks = sum(sum(map(int, (each / "stat").read_text().rpartition(")")[2].split()[11:13])) for each in _processes())
    return ticks / os.sysconf("SC_CLK_TCK")


def _peak_mb() -> float:
    # The peak of getrusage would be that of the process that wrote the records, if this one is smaller.
    return sum(int((each / "status").read_text().partition("VmHWM:")[2].split()[0]) for each in _processes()) / 1024


def measure(folder: Path, name: str) -> None:
    run = _engines(folder)[name]()
    started = _cpu_seconds()
    counts = run()
    print(json.dumps({"counts": counts, "seconds": _cpu_seconds() - started, "peak": _peak_mb()}))


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
