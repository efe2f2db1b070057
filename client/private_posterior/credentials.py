"""Finds the service's address and the key. Both come from the environment or from a private file, never from arguments
of a command, which every user of a machine can see.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from private_posterior.errors import NotSendable

SERVER: Final = "PRIVATE_POSTERIOR_SERVER"
KEY: Final = "PRIVATE_POSTERIOR_KEY"
HOME: Final = "PRIVATE_POSTERIOR_HOME"
NO_SERVER: Final = f"{SERVER} must say where the service is, such as https://posterior.example.org"
_VARIABLES: Final = (SERVER, KEY, HOME)
_RESEMBLING: Final = re.compile(r"PRIVATE_POSTERIOR_.*|POSTERIOR_(SERVER|KEY|HOME)")
_KUBERNETES_VARIABLE: Final = re.compile(r".*_(SERVICE_HOST|SERVICE_PORT.*|PORT|PORT_\d+_.*)")
"""Variables that Kubernetes sets in each container if a service is named private-posterior."""
_FILE: Final = "credentials.json"
_LOCAL_HOSTS: Final = {"127.0.0.1", "::1", "localhost"}


@dataclass(frozen=True, slots=True)
class Access:
    """A service and a key to it. `expires_at` is the end of the key, None if it is unknown or never."""

    server: str
    key: str = field(repr=False)
    expires_at: str | None = None


def unread_variables() -> list[str]:
    """Return the variables of the environment that were probably meant for the client, which does not read them."""
    found = sorted(
        name for name in os.environ if _RESEMBLING.fullmatch(name) and not _KUBERNETES_VARIABLE.fullmatch(name)
    )
    return [name for name in found if name not in _VARIABLES]


def home() -> Path:
    """Return the directory of credentials and journal. It is created with access for its user only."""
    path = Path(os.environ.get(HOME) or Path.home() / ".private-posterior")
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NotSendable(f"the directory {path} can't be made: {error.strerror}") from error
    return path


def read_access() -> Access:
    """Return the settings of the environment, completed from the file. Raises NotSendable if one is missing."""
    kept = _read_file()
    server, own_key = os.environ.get(SERVER) or kept.get("server"), os.environ.get(KEY)
    key = own_key or kept.get("key")
    if not server or not key:
        missing = f"{SERVER} is not set" if not server else f"{KEY} is not set"
        raise NotSendable(
            f"{missing}, and {home() / _FILE} does not name it: `posterior enrol` makes that file from the enrolment "
            "token that an admin gave you"
        )
    return Access(checked_server(server), key, None if own_key else kept.get("expires_at"))


def service_access() -> Access:
    """Return the service's address for commands that need no key. Raises NotSendable if there is none."""
    server = os.environ.get(SERVER) or _read_file().get("server")
    if not server:
        raise NotSendable(NO_SERVER)
    return Access(checked_server(server), "")


def checked_server(server: str) -> str:
    """Return the address if a key may be sent there. Raises NotSendable."""
    server = server.strip()
    try:
        parts = urlsplit(server)
        _ = parts.port
    except ValueError:
        raise NotSendable(f"{SERVER} is not an address such as https://posterior.example.org") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        raise NotSendable(f"{SERVER} must be an address such as https://posterior.example.org")
    if parts.scheme == "http" and parts.hostname not in _LOCAL_HOSTS:
        raise NotSendable(
            f"{SERVER} must begin with https:// unless it is an address of this machine: a key is sent there"
        )
    return server.rstrip("/")


def _read_file() -> dict[str, str]:
    path = home() / _FILE
    if not path.exists():
        return {}
    try:
        status = path.stat()
        # Systems without user ids protect a user's directory themselves.
        if hasattr(os, "getuid") and (status.st_mode & 0o077 or status.st_uid != os.getuid()):
            raise NotSendable(f"{path} holds a key and must be yours alone: chmod 600 {path}")
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = None
    if not isinstance(kept, dict) or not all(isinstance(value, str) for value in kept.values()):
        raise NotSendable(f"{path} can't be read as JSON with `server` and `key`")
    return kept


def is_enrolled() -> bool:
    return (home() / _FILE).exists()


def keep_access(access: Access) -> Path:
    """Write the file of credentials atomically, and return its path."""
    path = home() / _FILE
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    kept = {"server": access.server, "key": access.key}
    if access.expires_at is not None:
        kept["expires_at"] = access.expires_at
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(kept, file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    return path
