"""Runs the long tests, part after part: `python -m tests.long [PART …]`, or `make test-long PARTS="…"`.

It says at its start which parts it will run and how long each took last in this checkout, and ends with one table.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
LAST: Final = ROOT / "build" / "long-tests.json"


class Part(NamedTuple):
    """Some of the long tests. Parts in one process measure times, or keep two cores busy by themselves."""

    paths: tuple[str, ...]
    processes: int = 1


PARTS: Final = {
    "draws": Part(("tests/core/mechanisms", "tests/benchmarks"), 2),
    "contrasts": Part(("tests/core/inference/test_contrasts.py",), 2),
    "planning": Part(("tests/core/planning",), 2),
    "inference": Part(("tests/core",), 2),
    "ledger": Part(("tests/service/ledger",), 2),
    "restore": Part(("tests/service/ledger/restore", "tests/service/database", "tests/service/principals")),
    "releases": Part(("tests/service/releases", "tests/service/drawing")),
    "queries": Part(
        tuple(f"tests/service/{room}" for room in ("queries", "posteriors", "datasets", "runtime", "reports"))
    ),
    "audit": Part(("tests/service/test_privacy_audit.py", "tests/service/test_private_size_audit.py"), 2),
    "margins-audit": Part(("tests/service/margins/test_margins_audit.py",), 2),
    "query-audit": Part(("tests/service/queries/test_query_audit.py",), 2),
    "web": Part(tuple(f"tests/service/{each}" for each in ("console", "pictures", "api", "schemas", "web")), 2),
    "service": Part(("tests/service",)),
    "columns": Part(("tests/test_stored_columns.py",), 2),
    "clients": Part(("tests",)),
}
"""A file belongs to the part with the longest path above it."""


def files_of(name: str) -> list[str]:
    """The files of tests of a part, in order."""
    return [file for file in _files() if _part_of(file) == name]


def _files() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py"))


def _part_of(file: str) -> str:
    above = {path: name for name, part in PARTS.items() for path in part.paths if f"{file}/".startswith(f"{path}/")}
    return above[max(above, key=len)]


def run(name: str) -> tuple[str, float]:
    """The last line of pytest for this part, and its seconds. The output is shown as it comes."""
    command = [sys.executable, "-m", "pytest", "-m", "long", "--hypothesis-profile", "explore", "--timeout", "3600"]
    if PARTS[name].processes > 1:
        command += ["--numprocesses", str(PARTS[name].processes)]
    started, last = time.monotonic(), ""
    with subprocess.Popen(
        [*command, "--durations", "5", *files_of(name)], cwd=ROOT, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as tests:
        assert tests.stdout is not None
        while piece := tests.stdout.read(1):
            sys.stdout.write(piece)
            sys.stdout.flush()
            last = piece if last.endswith("\n") else last + piece
    return last.strip(" =\n") + ("" if tests.returncode == 0 else f" (exit code {tests.returncode})"), (
        time.monotonic() - started
    )


def main(names: list[str]) -> int:
    chosen = names or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        sys.exit(f"{unknown[0]} is not a part of the long tests. The parts: {', '.join(PARTS)}")
    last: dict[str, float] = json.loads(LAST.read_text()) if LAST.exists() else {}
    print("This will run:")
    for name in chosen:
        took = f"{last[name] / 60:.0f} minutes last time" if name in last else "not run here before"
        print(f"  {name:<13} {took}; {len(files_of(name))} files")
    results: dict[str, tuple[str, float]] = {}
    for name in chosen:
        print(f"\n== {name}, {len(results) + 1} of {len(chosen)}", flush=True)
        results[name] = run(name)
        last[name] = results[name][1]
        LAST.parent.mkdir(exist_ok=True)
        LAST.write_text(json.dumps(last))
    print("\nPart           minutes  result")
    for name, (said, seconds) in results.items():
        print(f"{name:<13}  {seconds / 60:7.1f}  {said}")
    return int(any("exit code" in said for said, _ in results.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
