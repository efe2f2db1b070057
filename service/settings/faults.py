"""Crash points: steps of a paid answer at which a crash test ends the process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

CRASH_POINTS: Final = (
    "priced",
    "debit-written",
    "debited",
    "sent",
    "drawn",
    "composed",
    "outcome-written",
    "drawn-stored",
    "stored",
)

hook: Callable[[str], None] | None = None
"""Called at each step. Only tests set it."""


def crash_point(step: str) -> None:
    if hook is not None:
        hook(step)
