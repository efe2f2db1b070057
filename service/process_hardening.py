"""Protect the memory of a process with secrets from core dumps and from other processes of the same user.

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


def protect_process() -> None:
    """Disable core dumps, and set PR_SET_DUMPABLE to 0. Call it before the process reads a secret. A fork inherits both
    settings; an exec resets PR_SET_DUMPABLE.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
