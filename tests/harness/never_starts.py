"""A module whose import fails, and leaves a file in the working directory."""

from __future__ import annotations

from pathlib import Path

with Path("starts").open("a", encoding="ascii") as file:
    file.write("x")
raise ImportError
