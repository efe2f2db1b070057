"""Says how long whoever uses the database waits for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Patience:
    """How long one answer of the database may take, for all connections of an engine; None without a limit. It can
    be changed at any time.
    """

    seconds: float | None
