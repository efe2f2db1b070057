"""A serving process removes its secrets from its environment before it starts another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields

from service.settings import PREFIX, Settings
from tests.harness.process import ROOT

_PROGRAM = """
import asyncio, sys
from service.cli.serving import serving_app
from service.computations.processes import ComputationProcesses

async def story():
    processes = ComputationProcesses("tests.harness.computing", memory_mb=512)
    try:
        return await processes.run("tests.harness.computing:environment", "", seconds=60)
    finally:
        await processes.close()

if __name__ == "__main__":
    if sys.argv[1] == "served":
        serving_app()
    print(asyncio.run(story()))
"""


def environment_of_a_computation(how: str, chosen: dict[str, str]) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, how],
        env=dict(os.environ) | chosen,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_a_computation_of_a_serving_process_has_no_secret_in_its_environment() -> None:
    secrets = {PREFIX + each.name.upper() for each in fields(Settings) if each.metadata["secret"]}
    chosen = dict.fromkeys(secrets, "secret") | {f"{PREFIX}DATABASE_URL": "sqlite:///secret", f"{PREFIX}PORT": "0"}
    assert len(secrets) == 4
    assert secrets <= environment_of_a_computation("as it is", chosen).keys(), "without it, it would have them"
    found = environment_of_a_computation("served", chosen)
    assert not secrets & found.keys()
    assert not any("secret" in value for name, value in found.items() if name.startswith(PREFIX))
    assert (found[f"{PREFIX}PORT"], found["OMP_NUM_THREADS"]) == ("0", "1")
