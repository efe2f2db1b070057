"""The parts of `make test-long` hold every test file once."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.harness.process import ROOT


def _paths(part: str) -> list[Path]:
    """The arguments that a target of the Makefile gives to pytest."""
    dry = subprocess.run(["make", "--dry-run", part], cwd=ROOT, capture_output=True, text=True, check=True)
    command = next(line for line in dry.stdout.splitlines() if "-m pytest" in line)
    return [ROOT / each for each in command.split() if each.startswith("tests/")]


def test_the_parts_of_the_long_tests_hold_every_file_once() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    parts = re.search(r"^LONG := (.+)$", makefile, re.MULTILINE)
    assert parts is not None
    found = [
        file
        for part in parts[1].split()
        for path in _paths(part)
        for file in ([path] if path.is_file() else path.rglob("test_*.py"))
        if re.fullmatch(r"test_.*\.py", file.name)
    ]
    assert sorted(found) == sorted((ROOT / "tests").rglob("test_*.py"))
