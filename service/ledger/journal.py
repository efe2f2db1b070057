"""An append-only file of what was told outside the database: a line for each time, shared by the processes of one
machine.

A line is added with one write and, where asked, is on the disk before `append` returns. Whoever compacts the lines into
something else drops them afterwards, and lines that come meanwhile stay. A line that a crash tore apart was never told,
and is left out.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Journal:
    """A file of JSON lines, for any thread. Raises OSError where the file can't be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        # Threads of one process share its lock on the file.
        self._mine = threading.Lock()

    def append(self, line: Any, *, sync: bool) -> int:
        """Adds a line and returns the file's size."""
        # The newline comes first too: whatever a crash left unfinished before, this line stands by itself.
        text = "\n" + json.dumps(line, separators=(",", ":")) + "\n"
        with self._locked(fcntl.LOCK_SH) as descriptor:
            _write(descriptor, text.encode())
            if sync:
                os.fdatasync(descriptor)
            return os.lseek(descriptor, 0, os.SEEK_END)

    def read(self) -> list[Any]:
        """The lines, in their order. What is no more among them was put elsewhere before."""
        if not self._path.exists():
            return []
        return list(_parsed(self._path.read_bytes()))

    @contextmanager
    def compacting(self) -> Iterator[bool]:
        """Whether the block may put elsewhere what `read` gives, as nobody else is doing it. What the journal held
        when it began is dropped when it ends well; lines are added meanwhile.
        """
        with self._compacting_lock(wait=False) as may_compact:
            with self._locked(fcntl.LOCK_SH) as descriptor:
                size = os.fstat(descriptor).st_size
            yield may_compact
            if may_compact:
                self._drop(size)

    @contextmanager
    def emptied(self) -> Iterator[None]:
        """Removes the lines when the block ends well. Nobody adds or compacts any in the meantime."""
        with self._compacting_lock(wait=True), self._locked(fcntl.LOCK_EX) as descriptor:
            yield
            os.ftruncate(descriptor, 0)
            os.fsync(descriptor)

    def _drop(self, size: int) -> None:
        """Puts what follows the first `size` bytes in the place of the file, so that no crash finds less."""
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        with self._locked(fcntl.LOCK_EX) as descriptor:
            rest = os.pread(descriptor, os.fstat(descriptor).st_size - size, size)
            copy = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                _write(copy, rest)
                os.fsync(copy)
            finally:
                os.close(copy)
            draft.replace(self._path)
            directory = os.open(self._path.parent, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)

    @contextmanager
    def _compacting_lock(self, *, wait: bool) -> Iterator[bool]:
        """Whether this process is the one that compacts. Another file is locked for it, as this one is replaced."""
        descriptor = os.open(
            self._path.with_name(f".{self._path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(descriptor)

    @contextmanager
    def _locked(self, kind: int) -> Iterator[int]:
        with self._mine:
            descriptor = self._current(kind)
            try:
                yield descriptor
            finally:
                fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _current(self, kind: int) -> int:
        """The file that is in its place now, locked: whoever compacted may have put another there."""
        while True:
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._descriptor, kind)
            try:
                if os.path.samestat(os.fstat(self._descriptor), self._path.stat()):
                    return self._descriptor
            except FileNotFoundError:
                pass
            os.close(self._descriptor)
            self._descriptor = None


def _write(descriptor: int, content: bytes) -> None:
    """Raises OSError also where the disk has room for a part of it, which the system takes for a success."""
    if os.write(descriptor, content) < len(content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _parsed(content: bytes) -> Iterator[Any]:
    for line in content.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue
