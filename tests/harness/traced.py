"""Notes which functions of the service a process enters, for `tests.harness.walk`.

A computation process is traced if the program that forks it imports this module while `FOLDER` is set.
"""

from __future__ import annotations

import mmap
import os
import sys
import threading
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType
from typing import Any, Final

from service.principals.auth import current_principal
from tests.harness.sizes import REPOSITORY

FOLDER: Final = "WALK_FOLDER"
_BACKGROUND: Final = "service"
"""The principal of background work, which belongs to no request."""
_ROOTS = tuple(f"{REPOSITORY / root}/" for root in ("core", "service"))


def trace(folder: str) -> None:
    """Append each function that is entered from now on, once a walk, to the walk's file in the folder."""
    path = Path(folder)
    with (path / "walk").open("r+b") as number:
        walk = mmap.mmap(number.fileno(), 1)
    seen: list[set[Any]] = [set() for _ in range(256)]

    def note(frame: FrameType, event: str, _: Any) -> None:
        code, back = frame.f_code, frame.f_back
        if event != "call" or not (current := walk[0]) or not code.co_flags & CO_OPTIMIZED:
            return
        if not code.co_filename.startswith(_ROOTS) or current_principal.get() == _BACKGROUND:
            return
        key = code, back and back.f_code
        if key not in seen[current]:
            seen[current].add(key)
            caller = back.f_code.co_filename if back is not None else ""
            file = os.open(path / f"trace{current}", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(file, f"{code.co_filename}\t{code.co_qualname}\t{caller}\n".encode())
            os.close(file)

    threading.setprofile(note)
    sys.setprofile(note)


if FOLDER in os.environ:
    trace(os.environ[FOLDER])
