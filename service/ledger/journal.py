"""The files of the witness outside the database: the journal, and the folder of receipts.

The journal is an append-only file of JSON lines, shared by the processes of one machine. The witness uses it to record
which results are about to be returned.

A line is appended with one write. On request it is on the disk before `append` returns. A process that compacts the
journal copies the lines elsewhere, then drops them; lines appended meanwhile stay. A partial line from a crash is
ignored: its result was never returned.

The folder has an append-only file of JSON lines for each day. A charge has its receipt, every other entry its signed
form. After a restore, `private-posterior ledger reconcile` charges the receipts that the database lost, and applies its
decisions again. A line holds no counts. It is written when its entry is committed. It is on the disk before the result
of the charge is returned, or before the answer to the change.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from service.identifiers.identifiers import now, timestamp


class Journal:
    """A thread-safe file of JSON lines. Its methods raise OSError if the file can't be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        # flock does not exclude threads of one process that share a descriptor.
        self._thread_lock = threading.Lock()

    def append(self, line: Any, *, sync: bool) -> int:
        """Append a line and return the file's size."""
        # The leading newline ends a partial line that a crash may have left.
        text = "\n" + json.dumps(line, separators=(",", ":")) + "\n"
        with self._locked_descriptor(fcntl.LOCK_SH) as descriptor:
            write_all(descriptor, text.encode())
            if sync:
                os.fdatasync(descriptor)
            return os.lseek(descriptor, 0, os.SEEK_END)

    def read(self) -> list[Any]:
        """Return the lines in order. Lines that were compacted before are not included."""
        if not self._path.exists():
            return []
        return list(_parsed_lines(self._path.read_bytes()))

    @contextmanager
    def compacting(self) -> Iterator[bool]:
        """Yield whether the block may compact what `read` returns. It may not if another process is compacting.

        If the block succeeds, the lines present at its start are dropped. Other processes may append meanwhile.
        """
        with self._compacting_lock(wait=False) as may_compact:
            with self._locked_descriptor(fcntl.LOCK_SH) as descriptor:
                size = os.fstat(descriptor).st_size
            yield may_compact
            if may_compact:
                self._drop(size)

    @contextmanager
    def emptied(self) -> Iterator[None]:
        """Remove all lines if the block succeeds. Appending and compacting wait until it ends."""
        with self._compacting_lock(wait=True), self._locked_descriptor(fcntl.LOCK_EX) as descriptor:
            yield
            os.ftruncate(descriptor, 0)
            os.fsync(descriptor)

    def _drop(self, size: int) -> None:
        """Remove the first `size` bytes of the file. The file is replaced atomically, so that a crash loses no line."""
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        with self._locked_descriptor(fcntl.LOCK_EX) as descriptor:
            rest = os.pread(descriptor, os.fstat(descriptor).st_size - size, size)
            copy = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                write_all(copy, rest)
                os.fsync(copy)
            finally:
                os.close(copy)
            draft.replace(self._path)
            fsync(self._path.parent)

    @contextmanager
    def _compacting_lock(self, *, wait: bool) -> Iterator[bool]:
        """Yield whether this process may compact. The lock is on a separate file, since the journal is replaced."""
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
    def _locked_descriptor(self, kind: int) -> Iterator[int]:
        with self._thread_lock:
            descriptor = self._current(kind)
            try:
                yield descriptor
            finally:
                fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _current(self, kind: int) -> int:
        """Return a locked descriptor of the current file. Compacting in another process may have replaced the file."""
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


def fsync(path: Path) -> None:
    """Return once a file, or the names in a directory, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Write all of `content`. A partial write, which `os.write` reports as success, raises OSError (no space)."""
    if os.write(descriptor, content) < len(content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _parsed_lines(content: bytes) -> Iterator[Any]:
    for line in content.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


_MAX_REMEMBERED: Final = 10_000
"""Number of lines kept in memory, to write each once, and to write those later that the disk had no room for."""


class ReceiptFolder:
    """Thread-safe. Its methods raise OSError if the folder can't be written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._written_ids: dict[str, None] = {}
        self._waiting: dict[str, str] = {}
        self._unsynced_files: set[Path] = set()

    def keep(self, lines: Iterable[tuple[str, str]]) -> None:
        """Append lines that this process has not written yet, each given as an id and the signed text. The id is that
        of the release, or the hash of the entry.
        """
        with self._lock:
            self._waiting |= {line_id: text for line_id, text in lines if line_id not in self._written_ids}
            while len(self._waiting) > _MAX_REMEMBERED:
                del self._waiting[next(iter(self._waiting))]
            if not self._waiting:
                return
            file = self.path / f"{timestamp(now())[:10]}.jsonl"
            # The leading newline ends a partial line that a crash may have left.
            self._append(file, "".join(f"\n{text}\n" for text in self._waiting.values()).encode())
            self._written_ids |= dict.fromkeys(self._waiting)
            self._waiting.clear()
            while len(self._written_ids) > _MAX_REMEMBERED:
                del self._written_ids[next(iter(self._written_ids))]

    def sync(self) -> None:
        """Return once the appended lines are on the disk."""
        with self._lock:
            for file in [*self._unsynced_files]:
                with suppress(FileNotFoundError):  # somebody pruned the file of an earlier day
                    fsync(file)
                self._unsynced_files.discard(file)

    def _append(self, file: Path, content: bytes) -> None:
        if not file.exists():
            self.path.mkdir(mode=0o700, exist_ok=True)
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
            fsync(self.path)
            fsync(self.path.parent)
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
        try:
            self._unsynced_files.add(file)
            write_all(descriptor, content)
        finally:
            os.close(descriptor)
