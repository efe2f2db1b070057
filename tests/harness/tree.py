"""The files of this checkout, which may have been made without git."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from tests.harness.process import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[str]:
    """The paths of the files that `.gitignore` does not name, from the root of the checkout."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").replace("/\n", "\n").splitlines()
    ignored += [".git", "node_modules"]
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [each for each in folders if not any(fnmatch(each, pattern) for pattern in ignored)]
        yield from (str((Path(folder) / name).relative_to(ROOT)) for name in names)
