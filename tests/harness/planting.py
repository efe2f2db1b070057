"""Adds something that the project doesn't have to a copy of the code, and runs a program there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

Edits: TypeAlias = Mapping[str, tuple[tuple[str, str], ...]]
"""Replacements by file, as regular expressions, each of which matches once."""
_MOST_SECONDS: Final = 600


def plant(tree: Path, modules: Mapping[Path, str], edits: Edits) -> None:
    """Copy the modules to their places in this folder, and edit its files."""
    for module, place in modules.items():
        shutil.copy(module, tree / place)
    for name, replacements in edits.items():
        text = (tree / name).read_text(encoding="utf-8")
        for old, new in replacements:
            text, found = re.subn(old, new, text, flags=re.MULTILINE)
            assert found == 1, f"{name} has {old!r} {found} times"
        (tree / name).write_text(text, encoding="utf-8")


def run(tree: Path, *command: str) -> None:
    """Run a module of Python in this folder, which must succeed."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tree), str(tree / "client")])}
    ran = subprocess.run(
        [sys.executable, "-m", *command],
        check=False,
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_MOST_SECONDS,
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"


def run_tests(tree: Path, file: str) -> None:
    """Run the tests of a file in this folder, which must pass."""
    run(tree, "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", file)
