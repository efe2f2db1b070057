"""An append-only file of what was told outside the database: a line for each time, shared by the processes of one
machine.

A line is added with one write and, where asked, is on the disk before `append` returns. Whoever folds the lines into
something else empties the file under a lock that no line passes. A line that a crash tore apart was never told, and is
left out.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Journal:
    """A file of JSON lines. Raises OSError where the file can't be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def append(self, line: Any, *, sync: bool) -> int:
        """Adds a line and returns the file's size."""
        # The newline comes first too: whatever a crash left unfinished before, this line stands by itself.
        text = "\n" + json.dumps(line, separators=(",", ":")) + "\n"
        with self._locked(fcntl.LOCK_SH) as descriptor:
            os.write(descriptor, text.encode())
            if sync:
                os.fdatasync(descriptor)
            return os.lseek(descriptor, 0, os.SEEK_END)

    def read(self) -> list[Any]:
        """The lines, in their order."""
        if not self._path.exists():
            return []
        return list(_parsed(self._path.read_bytes()))

    @contextmanager
    def emptied(self) -> Iterator[list[Any]]:
        """Gives the lines, and removes them when the block ends well. Nobody adds one in the meantime."""
        with self._locked(fcntl.LOCK_EX) as descriptor:
            yield self.read()
            os.ftruncate(descriptor, 0)
            os.fsync(descriptor)

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    @contextmanager
    def _locked(self, kind: int) -> Iterator[int]:
        if self._descriptor is None:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._descriptor, kind)
        try:
            yield self._descriptor
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)


def _parsed(content: bytes) -> Iterator[Any]:
    for line in content.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue
