"""A fault point kills the process, as by `kill -9`, when it reaches the step that the setting names: for the crash
tests.

Nothing is flushed and nothing is cleaned up. In an installation the setting is empty and a fault point costs one
comparison.
"""

from __future__ import annotations

import os
import signal
from typing import Final

FAULT_POINTS: Final = ("priced", "debit-written", "debited", "opened", "drawn", "result-written", "stored")


def reach(point: str, setting: str) -> None:
    """Ends the process if `setting` is `point`."""
    if setting == point:
        os.kill(os.getpid(), signal.SIGKILL)
