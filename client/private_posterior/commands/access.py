"""Connects a command to the service that its user chose. Errors end the command with a message and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from private_posterior import credentials
from private_posterior.commands.sentences import sentences

if TYPE_CHECKING:
    from private_posterior.client import Client

home: Final = sentences()(credentials.home)
read_access: Final = sentences()(credentials.read_access)
service_access: Final = sentences()(credentials.service_access)
checked_server: Final = sentences()(credentials.checked_server)
keep_access: Final = sentences()(credentials.keep_access)
is_enrolled: Final = sentences()(credentials.is_enrolled)


@contextmanager
def connected(access: credentials.Access | None = None) -> Iterator[Client]:
    """Yield a client of a service that responds and has a compatible version. Errors of the client end the command with
    a message and an exit code.
    """
    from private_posterior.client import Client
    from private_posterior.commands.progress import Progress

    chosen = access or read_access()
    with (
        sentences(key_ended_at=_end_time(chosen)),
        Progress() as progress,
        Client.open(chosen.server, chosen.key or None, on_wait=progress.waits) as client,
    ):
        client.http.event_hooks = {"request": [progress.sent], "response": [progress.answered]}
        client.check_version()
        yield client


def _end_time(access: credentials.Access) -> str | None:
    """Return the time at which the key ended, or None if it has not or the time is unknown."""
    if access.expires_at is None:
        return None
    return access.expires_at if datetime.fromisoformat(access.expires_at) <= datetime.now(UTC) else None
