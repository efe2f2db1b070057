"""A command whose standard output is closed or full says so by its exit code, which is not that of a failed check."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from private_posterior.commands.exits import Exit
from tests.harness.deadlines import PATIENCE
from tests.harness.process import CLIENT, COMMAND, ROOT, environment

TABLE = "table.csv"
"""Stands for a file that the test writes."""
COMMANDS: dict[str, tuple[str | Path, ...]] = {
    "a table": (
        CLIENT,
        "datasets",
        "create",
        "a name",
        "--check",
        "--unit",
        "person",
        "--one-record-per-unit",
        "--n-is-public",
        "--labels",
        "ill,well",
        "--counts",
        TABLE,
    ),
    "help of posterior": (CLIENT, "--help"),
    "a verified ledger": (COMMAND, "ledger", "verify", ROOT / "tests" / "vectors" / "ledger.jsonl"),
    "help of private-posterior": (COMMAND, "--help"),
}


def ended(command: tuple[str | Path, ...], home: Path, shell: str = "", stdout: int = subprocess.DEVNULL) -> int:
    """The exit code of a command, which must not end with a traceback."""
    words = ["sh", "-c", f'exec "$@" {shell}', "sh", *map(str, command)]
    chosen = environment("sqlite://") | {"PRIVATE_POSTERIOR_HOME": str(home)}
    done = subprocess.run(
        words, env=chosen, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT, timeout=PATIENCE
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    return done.returncode


@pytest.mark.every(2)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_closed_or_full_output_is_not_taken_for_a_failed_check(name: str, tmp_path: Path) -> None:
    (tmp_path / TABLE).write_text("outcome,count\nill,41\nwell,112\n")
    command = tuple(tmp_path / each if each == TABLE else each for each in COMMANDS[name])
    assert ended(command, tmp_path) == Exit.DONE
    assert ended(command, tmp_path, ">/dev/full") == Exit.INCOMPLETE
    reading, writing = os.pipe()
    os.close(reading)
    assert ended(command, tmp_path, stdout=writing) == Exit.CLOSED
    os.close(writing)
    if "--help" not in command:
        assert ended(command, tmp_path, ">&-") == Exit.UNUSABLE


def test_a_command_that_fails_has_the_same_code_where_standard_error_is_full(tmp_path: Path) -> None:
    command = (CLIENT, "datasets", "list")
    assert ended(command, tmp_path) == ended(command, tmp_path, "2>/dev/full") == Exit.UNUSABLE
