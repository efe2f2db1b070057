"""The models of the client are those that the committed description of the API generates."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).parents[2] / "client"


def test_the_models_are_up_to_date() -> None:
    generator = Path(sys.executable).with_name("datamodel-codegen")
    done = subprocess.run([generator, "--check"], cwd=CLIENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"`make openapi` generates them:\n{done.stdout}{done.stderr}"
