"""A process of concurrent callers for the ledger tests: `python -m tests.harness.callers`, orders on standard input,
outcomes on standard output.

Each caller is a thread that pays its orders one after another through the process's one writer, as a worker of the
service would.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from core.accounting.accountants import Cost
from core.privacy import Delta, Epsilon, Rho
from service.database.engine import open_engine
from service.database.writer import Writer
from service.errors import Problem
from service.ledger.debit import Debit, DebitHandler
from tests.harness.installation import SIGNER
from tests.harness.out_of_reach import put_out_of_reach

ROOT = Path(__file__).parents[2]


def to_json(debit: Debit) -> dict[str, Any]:
    cost = [debit.cost.epsilon.units, debit.cost.delta.units, debit.cost.rho.units]
    return {name: getattr(debit, name) for name in Debit.__slots__} | {"cost": cost}


def from_json(order: dict[str, Any]) -> Debit:
    epsilon, delta, rho = order["cost"]
    return Debit(**order | {"cost": Cost(Epsilon(epsilon), Delta(delta), Rho(rho))})


def start(url: str, callers: Sequence[Sequence[Debit]]) -> subprocess.Popen[str]:
    """A process in which each of `callers` pays its debits in turn, once `go` is set."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.harness.callers"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps([url, [[to_json(debit) for debit in caller] for caller in callers]]) + "\n")
    process.stdin.flush()
    return process


def go(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Waits until all processes are ready, then lets them begin together."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


def outcomes(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """The outcomes that the process reported and nobody has read, once it has ended: `release` and `new`, or `problem`.

    `communicate` would leave out the lines that `readline` has buffered.
    """
    assert process.stdout is not None
    with process:
        said = process.stdout.read()
    return [json.loads(line) for line in said.splitlines() if line.endswith("}")]


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    put_out_of_reach(pytest.MonkeyPatch())
    url, callers = json.loads(sys.stdin.readline())
    writer = Writer(open_engine(url))
    handler = DebitHandler(SIGNER)
    saying = threading.Lock()

    def call(orders: list[dict[str, Any]]) -> None:
        for order in orders:
            debit = from_json(order)
            said: dict[str, Any] = {"key": debit.key_hash}
            try:
                paid = writer.submit(handler, debit).result()
                said |= {"release": paid.row.id, "new": paid.new}
            except Problem as problem:
                said |= {"problem": problem.code}
            with saying:
                _say(json.dumps(said))

    _say("ready")
    sys.stdin.readline()
    with ThreadPoolExecutor(len(callers)) as threads:
        for done in [threads.submit(call, orders) for orders in callers]:
            done.result()
    writer.close()


if __name__ == "__main__":
    main()
