"""Runs every benchmark in turn, each for a bounded time: `python -m benchmarks [--minutes 10] [--only NAME ...]`.

A benchmark that takes longer is terminated; its own help describes options for a shorter or longer run. Its output until
then stays. Failures are listed at the end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from benchmarks._processes import end

_ENDING_SECONDS: Final = 90
ARGUMENTS: Final = {
    "draw_pairs": ["--seconds", "120", "--rounds", "20"],
    "growth": ["--sizes", "5000", "20000"],
    "response_times": ["--answers", "30", "--pairs", "1", "2"],
    "service": ["--quick"],
}
"""Options of the benchmarks that take longest by default."""


def names() -> list[str]:
    """The benchmarks, which are the modules here that can be run."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def run(name: str, seconds: float) -> str:
    """Run a benchmark, and report its failure or its end by the time limit."""
    process = subprocess.Popen([sys.executable, "-m", f"benchmarks.{name}", *ARGUMENTS.get(name, [])])
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        return f"terminated after {seconds / 60:.0f} min"
    else:
        return f"failed with {code}" if code else ""
    finally:
        end(process, _ENDING_SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="the most that one benchmark may take")
    parser.add_argument("--only", nargs="+", choices=names(), default=names(), help="which ones")
    arguments = parser.parse_args()
    ended = {}
    for name in arguments.only:
        started = time.monotonic()
        print(f"== {name}", flush=True)
        ended[name] = run(name, 60 * arguments.minutes)
        print(f"== {name}: {time.monotonic() - started:.0f} s {ended[name]}", flush=True)
    for name, how in ended.items():
        if how:
            print(f"{name}: {how}", file=sys.stderr)
    sys.exit(any(how.startswith("failed") for how in ended.values()))


if __name__ == "__main__":
    main()
