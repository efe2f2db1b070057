"""Released versions, from the history of this repository."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

from tests.harness.process import ROOT, Process, environment
from tests.harness.programs import installed

COMMITS: Final = {
    "0.1.0": "c61067966267f33b3c47c27b6ac125373b2220b6",
    "0.2.0": "667a3e3cf7437131bd24a4112ef73620fe960336",
}
"""The commits that released them. A clone may be without tags."""


def _git(*arguments: str) -> bytes:
    done = subprocess.run([installed("git"), *arguments], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def unpack(directory: Path, version: str = "0.1.0") -> Path:
    """The code of a version, in `directory`. Fails in a clone without history."""
    archive = _git("archive", COMMITS[version], "core", "migrations", "service", "pyproject.toml")
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(directory, filter="data")
    return directory


def run_released(root: Path, *arguments: str, database_url: str) -> str:
    """The output of a command of that version; the command must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        cwd=root,
        env=environment(database_url) | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class ReleasedProcess(Process):
    """A running service of that version."""

    def __init__(self, root: Path, database_url: str, **settings: str) -> None:
        super().__init__(database_url)
        self._command = [sys.executable, "-m", "service", "serve", "--workers", "1"]
        self._root = root
        self.environment = environment(database_url, **settings) | {"PYTHONPATH": str(root)}
