"""Describe an unexpected exception without its text, which could disclose counts."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError

_SHOWN_PLACES: Final = 6


def failure(error: BaseException) -> dict[str, str]:
    """Return the fields of an unexpected exception: its kind, the database's error code, and code locations, innermost
    last. Its text is not included.
    """
    kind = type(error).__name__
    if isinstance(error, DBAPIError):
        name = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
        kind = f"{type(error.orig).__name__}/{name}" if name else type(error.orig).__name__
    return {"failure": kind, "places": places(error)}


def places(error: BaseException) -> str:
    """Return files and lines of an exception's traceback."""
    frames = traceback.extract_tb(error.__traceback__)[-_SHOWN_PLACES:]
    return " ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
