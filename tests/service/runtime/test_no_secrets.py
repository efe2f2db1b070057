"""The variables of the processes that a serving process starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields

from service.settings.process_hardening import is_needed
from service.settings.settings import PREFIX, Settings
from tests.harness.deadlines import PATIENCE
from tests.harness.process import ROOT

_PROGRAM = """
import asyncio
from service.runtime.computations import ComputationProcesses

async def story():
    processes = ComputationProcesses("tests.harness.computing", memory_mb=512)
    try:
        return await processes.run("tests.harness.computing:environment", "", seconds=3600)
    finally:
        await processes.close()

if __name__ == "__main__":
    print(asyncio.run(story()))
"""


def environment_of_a_computation(chosen: dict[str, str]) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        env=dict(os.environ) | chosen,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_a_computation_has_only_the_variables_that_it_needs() -> None:
    """Neither a setting, nor the password of the database, nor what the shell of the operator has."""
    names = {PREFIX + each.name.upper() for each in fields(Settings)}
    chosen = dict.fromkeys([*names, "PGPASSWORD", "SECRET_OF_ANOTHER"], "secret") | {
        "LC_ALL": "C",
        "OMP_NUM_THREADS": "1",
    }
    found = environment_of_a_computation(chosen)
    assert "secret" not in found.values()
    assert (found["LC_ALL"], found["OMP_NUM_THREADS"]) == ("C", "1")
    assert found.keys() <= {each for each in found if is_needed(each)}


def test_a_serving_process_removes_its_secrets_before_it_starts_another() -> None:
    secrets = {PREFIX + each.name.upper(): "secret" for each in fields(Settings) if each.metadata["secret"]}
    assert len(secrets) == 4
    left = secrets | {f"{PREFIX}PORT": "0"}
    Settings.remove_secrets(left)
    assert left == {f"{PREFIX}PORT": "0"}
