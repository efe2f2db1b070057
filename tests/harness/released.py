"""The last released version, from the history of this repository; without a release, the newest commit."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.harness.process import ROOT, Process, environment


def _git(*arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def unpack(directory: Path) -> Path:
    """Its code, in `directory`. Fails in a clone without history."""
    tags = _git("tag", "--list", "v*", "--sort=-version:refname", "--merged").decode().split()
    archive = _git("archive", tags[0] if tags else "HEAD", "core", "migrations", "service", "pyproject.toml")
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

    def __init__(self, root: Path, database_url: str) -> None:
        super().__init__(database_url)
        self._command = [sys.executable, "-m", "service", "serve", "--workers", "1"]
        self._root = root
        self.environment = environment(database_url) | {"PYTHONPATH": str(root)}
