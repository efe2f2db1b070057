"""The witness's folder of receipts, outside the database: one append-only file of JSON lines for each day. A charge has
its receipt, every other entry its signed form.

After a restore, `private-posterior ledger reconcile` charges the receipts that the database lost, and applies its
decisions again. A line holds no counts. It is written when its entry is committed. It is on the disk before the result
of the charge is returned, or before the answer to the change.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from service.identifiers.identifiers import now, timestamp
from service.ledger.journal import write_all

_MAX_REMEMBERED: Final = 10_000
"""Number of lines kept in memory, to write each once, and to write those later that the disk had no room for."""


class ReceiptFolder:
    """Thread-safe. Its methods raise OSError if the folder can't be written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._written: dict[str, None] = {}
        self._waiting: dict[str, str] = {}
        self._unsynced: set[Path] = set()

    def keep(self, lines: Iterable[tuple[str, str]]) -> None:
        """Append lines that this process has not written yet, each given as an id and the signed text. The id is that
        of the release, or the hash of the entry.
        """
        with self._lock:
            self._waiting |= {line_id: text for line_id, text in lines if line_id not in self._written}
            while len(self._waiting) > _MAX_REMEMBERED:
                del self._waiting[next(iter(self._waiting))]
            if not self._waiting:
                return
            file = self.path / f"{timestamp(now())[:10]}.jsonl"
            # The leading newline ends a partial line that a crash may have left.
            self._append(file, "".join(f"\n{text}\n" for text in self._waiting.values()).encode())
            self._written |= dict.fromkeys(self._waiting)
            self._waiting.clear()
            while len(self._written) > _MAX_REMEMBERED:
                del self._written[next(iter(self._written))]

    def sync(self) -> None:
        """Return once the appended lines are on the disk."""
        with self._lock:
            for file in [*self._unsynced]:
                _sync(file)
                self._unsynced.discard(file)

    def _append(self, file: Path, content: bytes) -> None:
        if not file.exists():
            self.path.mkdir(mode=0o700, exist_ok=True)
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
            _sync(self.path)
            _sync(self.path.parent)
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
        try:
            self._unsynced.add(file)
            write_all(descriptor, content)
        finally:
            os.close(descriptor)


def _sync(path: Path) -> None:
    with suppress(FileNotFoundError):  # somebody pruned the file of an earlier day
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
