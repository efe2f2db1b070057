"""Lends the tests that run mypy the cache of `make check`, so that they check one changed file and not the whole
project.
"""

from __future__ import annotations

import shutil
from pathlib import Path

_LEFT = Path(__file__).parents[2] / ".mypy_cache"


def lent_cache(folder: Path) -> Path:
    """A cache directory in this folder: a copy of the project's own, if there is one."""
    cache = folder / "cache"
    if _LEFT.is_dir():
        shutil.copytree(_LEFT, cache)
    return cache
