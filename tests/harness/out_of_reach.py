"""Limits of wall time where no load reaches them: a test that is about such a limit sets it."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, Never

import pytest

from private_posterior.connection import Connection
from service.drawing.estimates import kill_seconds
from service.limits import limits

FAR_SECONDS: Final = 3600
"""Longer than any test may take."""
_FAR_DRAW_SECONDS: Final = 120
_ROWS: Final = {
    "service.api.jobs": ("JOB_WAITS",),
    "service.database.writer": ("WRITES",),
    "service.drawing.processes": ("SHORT_DRAWS", "LONG_DRAWS"),
    "service.releases.paid": ("HELD_REQUESTS",),
    "service.runtime.database": ("READS",),
    "service.runtime.runtime": ("COMPUTATIONS", "PUBLIC_COMPUTATIONS", "QUERY_TIMEOUT"),
    "service.web.guard": ("BODY_BYTES",),
}
"""The rows of `service.limits.limits`, by the modules that read them."""


def put_out_of_reach(patch: pytest.MonkeyPatch) -> None:
    """What a request, a lock, a read or a draw may take while the machine does something else."""
    for module, names in _ROWS.items():
        for name in names:
            limit: Any = getattr(import_module(module), name)
            patch.setattr(
                f"{module}.{name}",
                limit._replace(seconds=limit.seconds and FAR_SECONDS, wait_seconds=limit.wait_seconds and FAR_SECONDS),
            )
    # The default of a client, and so of the command, is in the signature.
    opening: Any = Connection.open
    patch.setitem(opening.__func__.__kwdefaults__, "timeout_seconds", FAR_SECONDS)
    patch.setattr("service.database.engine._LOCK_WAIT_SECONDS", FAR_SECONDS)
    patch.setattr("service.drawing.processes._READY_SECONDS", FAR_SECONDS)
    # Leases are longer than draws.
    for module in ("service.drawing.processes", "service.runtime.response_time"):
        patch.setattr(f"{module}.kill_seconds", _kill_seconds)


def put_back(patch: pytest.MonkeyPatch) -> None:
    """The service's own rows, for tests of a database that does not answer."""
    for module, names in _ROWS.items():
        for name in names:
            patch.setattr(f"{module}.{name}", getattr(limits, name))


def _kill_seconds(seconds: float) -> int:
    return _FAR_DRAW_SECONDS + kill_seconds(seconds)


async def _reach_it(*_: object) -> Never:
    raise TimeoutError


NOBODY_WAITS: Final = ("service.runtime.runtime.Processes._run", _reach_it)
"""Patched, each computation that a request waits for is at its limit, so that it becomes a job."""
