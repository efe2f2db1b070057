"""All benchmarks can be run in turn."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks import __main__ as benchmarks
from tests.harness.process import ROOT


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(benchmarks.ARGUMENTS))
def test_benchmarks_have_the_options_that_they_are_run_with(name: str) -> None:
    said = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", "--help"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    options = [each for each in benchmarks.ARGUMENTS[name] if each.startswith("--")]
    assert options
    assert all(f"{option} " in said or f"{option}]" in said for option in options), said
    assert name in benchmarks.names()
