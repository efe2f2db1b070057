"""The version that was released with the first schema, from the history of this repository."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

from service.settings import PREFIX
from tests.harness.process import ROOT, Process, environment

COMMIT = "4a29eddaaabbd0dcecce9727e8bbb095e01606a0"
"""The last that knew no revision but 0001."""
_LATER_SETTINGS = ("METRICS_KEY",)


def unpack(directory: Path) -> Path:
    """Its code, in `directory`. Fails where the history is not there, as in a shallow clone."""
    packed = subprocess.run(
        ["git", "archive", COMMIT, "core", "migrations", "service", "pyproject.toml"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert packed.returncode == 0, "the released version is not in the history of this clone: git fetch --unshallow"
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(directory, filter="data")
    return directory


def released_environment(root: Path, database_url: str) -> Mapping[str, str]:
    later = {PREFIX + name for name in _LATER_SETTINGS}
    ours = {name: value for name, value in environment(database_url).items() if name not in later}
    return ours | {"PYTHONPATH": str(root)}


def run_released(root: Path, *arguments: str, database_url: str) -> str:
    """What a command of it prints; the command must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        cwd=root,
        env=released_environment(root, database_url),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class ReleasedProcess(Process):
    """It, serving."""

    def __init__(self, root: Path, database_url: str) -> None:
        super().__init__(database_url, module="service")
        self._root = root
        self.environment = released_environment(root, database_url)
