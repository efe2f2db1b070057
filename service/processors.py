"""Tells Linux whose turn on a processor comes first. The service is woken often and works for a moment; computations
take long, and can wait.

A system that knows nothing of it goes on as before.
"""

from __future__ import annotations

import ctypes
import os
import platform
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

WOKEN_OFTEN_SECONDS: Final = 1e-4
"""The shortest slice that Linux knows."""
_SYSTEM_CALLS: Final = {"x86_64": (314, 315), "aarch64": (274, 275)}
"""The numbers of `sched_setattr` and `sched_getattr`, for which the C library has no names."""
_SHARED_POLICIES: Final = {os.SCHED_OTHER, os.SCHED_BATCH} if hasattr(os, "SCHED_BATCH") else set[int]()


class _Attributes(ctypes.Structure):
    """`struct sched_attr`, see sched_setattr(2). Since Linux 6.12 `runtime` is the length of a slice in nanoseconds
    for threads that share processors; 0 is the system's own.
    """

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
    )


class _Calls(NamedTuple):
    """The system calls by which a thread reads and changes how it is scheduled."""

    c_library: ctypes.CDLL
    set_number: int
    get_number: int

    def read(self, thread: int) -> _Attributes | None:
        found = _Attributes()
        size = ctypes.sizeof(found)
        done = self.c_library.syscall(self.get_number, thread, ctypes.byref(found), size, 0) == 0
        return found if done else None

    def write(self, wanted: _Attributes) -> bool:
        wanted.size = ctypes.sizeof(wanted)
        return bool(self.c_library.syscall(self.set_number, 0, ctypes.byref(wanted), 0) == 0)


def take_slices(seconds: float) -> bool:
    """Has this thread, and those that it starts from now on, share the processors in slices of so many seconds; 0 is
    the system's own length. Whether that was possible.

    A thread that is woken waits until whoever computes is at the end of a slice, unless its own slices are shorter.
    What each gets in sum stays the same.
    """
    calls = _calls()
    found = calls.read(0) if calls is not None else None
    if calls is None or found is None or found.policy not in _SHARED_POLICIES:
        return False
    found.runtime = round(seconds * 1e9)
    return calls.write(found)


def slice_seconds(thread: int = 0) -> float | None:
    """What a thread has, by its number, 0 for this one; None where the system does not tell."""
    calls = _calls()
    found = calls.read(thread) if calls is not None else None
    return found.runtime / 1e9 if found is not None and found.runtime else None


def come_last(niceness: int) -> None:
    """Has this session come behind others, in slices of the usual length. Linux may share out processors by session
    first, and being nice counts within one: whoever computes in the service's session takes from its database what the
    service could have.
    """
    take_slices(0)
    with suppress(OSError):  # not Linux, or a kernel that does not share out by session
        Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")


def leave_a_processor() -> None:
    """Has this thread, and what it starts from now on, leave one of its processors, if it has several, to others: who
    is woken there never waits behind it.
    """
    if hasattr(os, "sched_setaffinity"):
        mine = os.sched_getaffinity(0)
        os.sched_setaffinity(0, mine - {min(mine)} or mine)


def _calls() -> _Calls | None:
    numbers = _SYSTEM_CALLS.get(platform.machine()) if platform.system() == "Linux" else None
    return None if numbers is None else _Calls(ctypes.CDLL(None), *numbers)
