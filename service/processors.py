"""Tells Linux whose turn on a processor comes first. The service is woken often and works for a moment; computations
take long, and can wait, and pause again and again for whoever waits for their processor.

A system that knows nothing of it goes on as before.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

WOKEN_OFTEN_SECONDS: Final = 1e-4
"""The shortest slice that Linux knows."""
PAUSING_SECONDS: Final = 2e-3
"""How often a computation pauses. By itself Linux looks at its ticks, every 4 ms in many systems, whether whoever waits
has a better claim to a processor. A pause takes some 0.04 ms, and where another computes meanwhile, what the
processor had at hand.
"""
_TIMER_SLACK: Final = 29
"""The number by which `prctl` sets how many nanoseconds late a pause may end; 0 is what it was at first."""
_SIGNAL_AT_END_OF_PARENT: Final = 1
"""The number by which `prctl` sets it."""
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


class _Event(ctypes.Structure):
    """`struct sigevent`, see sigevent(7): what a timer does when its time has come. `notify` of 0 sends `signal`."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("unused", ctypes.c_byte * 48),
    )


class _Times(ctypes.Structure):
    """`struct itimerspec`, see timer_settime(2): the time between two signals, and that until the first."""

    _fields_ = (
        ("every_seconds", ctypes.c_long),
        ("every_nanoseconds", ctypes.c_long),
        ("first_seconds", ctypes.c_long),
        ("first_nanoseconds", ctypes.c_long),
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


@contextmanager
def pausing(seconds: float = PAUSING_SECONDS) -> Iterator[bool]:
    """Has this process, which has one thread, pause every so many seconds while the block runs. Whether that was
    possible.

    Whoever waits for the processor gets it then. Who pauses keeps his share of it, whoever else computes there; who
    calls `sched_yield` gives up the rest of a slice in newer kernels (6.18), and hardly gets on beside one that does
    not. Sleeps in C that a signal cuts short get shorter, such as SQLite's waits for a lock: nothing here does such.
    """
    timer = _start_pausing(seconds)
    try:
        yield timer is not None
    finally:
        if timer is not None:
            library = ctypes.CDLL(None)
            library.timer_delete(timer)
            library.prctl(_TIMER_SLACK, 0)


def _start_pausing(seconds: float) -> ctypes.c_void_p | None:
    """A timer whose signal the C library's own `usleep` handles, which takes the signal's number, 34 or so, for
    microseconds: a handler in Python would wait for a long call into C to end. What the signal interrupts in the kernel
    goes on after it.
    """
    with suppress(AttributeError):  # no such timers, as on macOS, or in a library of its own, as in old systems
        library, number = ctypes.CDLL(None), signal.SIGRTMIN
        library.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
        library.signal.restype = ctypes.c_void_p
        library.prctl.argtypes = (ctypes.c_int, ctypes.c_ulong)
        library.signal(number, ctypes.cast(library.usleep, ctypes.c_void_p))
        timer, event = ctypes.c_void_p(), _Event(signal=number, notify=0)
        if library.timer_create(time.CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)) == 0:
            library.prctl(_TIMER_SLACK, 1)
            nanoseconds = round(seconds * 1e9)
            times = _Times(0, nanoseconds, 0, nanoseconds)
            library.timer_settime(timer, 0, ctypes.byref(times), None)
            return timer
    return None


def processor_seconds(process: int) -> float | None:
    """How long a process, by its number, has had processors; None where the system does not tell, or it is gone.

    This is exact. Interval timers and limits of a process count ticks, or are looked at then: a process that pauses may
    be away at each.
    """
    with suppress(AttributeError, OSError):
        clock = ctypes.c_int()
        if ctypes.CDLL(None).clock_getcpuclockid(process, ctypes.byref(clock)) == 0:
            return time.clock_gettime(clock.value)
    return None


def end_with(parent: int) -> None:
    """Has this process killed when its parent, by its number, has ended. Other systems than Linux can't."""
    with suppress(AttributeError):
        ctypes.CDLL(None).prctl(_SIGNAL_AT_END_OF_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before
        os.kill(os.getpid(), signal.SIGKILL)


def _calls() -> _Calls | None:
    numbers = _SYSTEM_CALLS.get(platform.machine()) if platform.system() == "Linux" else None
    return None if numbers is None else _Calls(ctypes.CDLL(None), *numbers)
