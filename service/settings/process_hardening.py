"""Protect the memory of a process with secrets from core dumps and from other processes of the same user, and limit the
variables of the processes that it starts.

A core dump would contain counts and keys. Without PR_SET_DUMPABLE 0, any process of the same user can read this one's
memory through /proc.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from typing import Final

_PR_SET_DUMPABLE: Final = 4  # from <linux/prctl.h>
_NEEDED_VARIABLES: Final = ("PATH", "HOME", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_NEEDED_KINDS: Final = ("LC_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_")
"""Beginnings of names of variables that find programs and libraries, or set language, time zone and threads."""


def is_needed(variable: str) -> bool:
    """Return whether a process that draws or computes needs this variable. It needs no setting and no password."""
    return variable in _NEEDED_VARIABLES or variable.startswith(_NEEDED_KINDS)


def protect_process() -> None:
    """Disable core dumps, and set PR_SET_DUMPABLE to 0. Call it before the process reads a secret. A fork inherits both
    settings; an exec resets PR_SET_DUMPABLE.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
