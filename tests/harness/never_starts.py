"""A module that can't be imported, and notes in the working directory that somebody tried."""

from __future__ import annotations

from pathlib import Path

with Path("starts").open("a", encoding="ascii") as file:
    file.write("x")
raise ImportError
