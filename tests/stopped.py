"""Runs the fast tests that wait for processes, while some of their services and test processes stop for up to 25
seconds, as on a machine with other work: `python -m tests.stopped --rounds 20 --seed 1 [tests ...]`.

A round is a run of all these tests. It stops processes of its own, by SIGSTOP and by their ids, and continues them.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

ROOT: Final = Path(__file__).parents[1]
LONGEST_SECONDS, PAUSE_SECONDS = 25.0, 5.0
AT_ONCE = 3
WAITING: Final = (
    "tests/client/test_interruptions.py",
    "tests/service/drawing/test_keys.py",
    "tests/service/drawing/test_processes.py",
    "tests/service/ledger/test_ledger_processes.py",
    "tests/service/ledger/test_outages.py",
    "tests/service/queries/test_after_the_charge.py",
    "tests/service/releases/test_after_the_charge.py",
    "tests/service/releases/test_crashes.py",
    "tests/service/runtime",
    "tests/service/test_certificates.py",
    "tests/service/test_log.py",
    "tests/service/test_shared_places.py",
    "tests/service/test_workers.py",
    "tests/service/web/test_openapi.py",
    "tests/service/web/test_stopping.py",
)


def stop_some(tests: subprocess.Popen[bytes], chance: random.Random, stopped: list[float]) -> None:
    """While the tests run, stop one of their processes after the other."""
    while tests.poll() is None:
        time.sleep(chance.uniform(0, PAUSE_SECONDS))
        seconds = chance.uniform(0, LONGEST_SECONDS)
        with suppress(psutil.NoSuchProcess):
            chosen = chance.choice(_processes(tests.pid))
            chosen.suspend()
            try:
                deadline = time.monotonic() + seconds
                while time.monotonic() < deadline and tests.poll() is None:
                    time.sleep(0.1)
            finally:
                chosen.resume()
            stopped.append(seconds)


def _processes(tests: int) -> list[psutil.Process]:
    """The processes of a run, but for PostgreSQL's: those of services, draws, computations and tests."""
    found = [psutil.Process(tests)]
    for each in found[0].children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if each.name() != "postgres":
                found.append(each)
    return found


def run(number: int, seed: int, paths: list[str]) -> bool:
    """Whether the tests of this round are green."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not long", "--numprocesses", "6", "--dist", "loadfile"]
    tests = subprocess.Popen([*command, "--no-header", "-p", "no:cacheprovider", *paths], cwd=ROOT)
    stopped = list[float]()
    hands = [
        threading.Thread(target=stop_some, args=(tests, random.Random(f"{seed} {number} {hand}"), stopped))
        for hand in range(AT_ONCE)
    ]
    try:
        for hand in hands:
            hand.start()
        tests.wait()
    except KeyboardInterrupt:
        tests.send_signal(signal.SIGTERM)
        tests.wait()
        raise
    finally:
        for hand in hands:
            hand.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"round {number}: {'green' if tests.returncode == 0 else 'red'}, {time.monotonic() - began:.0f} s, "
        f"{processor:.0f} s of CPU, {len(stopped)} stops of {sum(stopped):.0f} s",
        flush=True,
    )
    return tests.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("paths", nargs="*", default=list(WAITING))
    given = parser.parse_args()
    # It continues what it has stopped.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    green = [run(number, given.seed, given.paths) for number in range(1, given.rounds + 1)]
    print(f"{green.count(False)} of {len(green)} rounds are red")
    return int(not all(green))


if __name__ == "__main__":
    sys.exit(main())
