"""Warnings of `serve` about settings that weaken an installation."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from service.settings.settings import PREFIX, Settings, is_open_to_others

_SHORTEST_SECRET: Final = 16
"""Shortest secret, in characters, that is not reported as weak."""


def weak_settings(settings: Settings) -> list[tuple[str, str]]:
    """Return the variable of each weak setting, and its consequence."""
    found = {
        "database_url": (
            settings.is_sqlite and settings.sqlite_file.exists() and is_open_to_others(settings.sqlite_file),
            "others on this machine can read the database or write to it: chmod 600 the file",
        ),
        "response_time_quantum_ms": (
            not settings.response_time_quantum_ms,
            "the response time shows how long a draw took, and can disclose the noise",
        ),
        "rate_limit_per_minute": (not settings.rate_limit_per_minute, "one caller can send any number of requests"),
        "max_draw_seconds": (not settings.max_draw_seconds, "one caller can request draws of any length"),
        "recovery_days": (not settings.recovery_days, "nobody can veto an admin's recovery of a principal"),
        "witness_sync": (
            not settings.witness_sync,
            "after a crash of the machine, a failover that lost charges can go undetected",
        ),
        "metrics_key": (
            0 < len(settings.metrics_key) < _SHORTEST_SECRET,
            f"others can guess what `/metrics` asks for; give it {_SHORTEST_SECRET} random characters or more",
        ),
        "cors_origins": _weakness_of(settings.allowed_origins),
        "host": (
            not (settings.behind_proxy or is_loopback(settings.host)),
            f"keys and counts travel to this address unencrypted; put a proxy before it, and set {PREFIX}BEHIND_PROXY",
        ),
        "log_level": (
            settings.log_level in {"warning", "error"},
            "the log does not record who read a release, issued a key or changed a budget",
        ),
    }
    return [(PREFIX + name.upper(), meaning) for name, (is_weak, meaning) in found.items() if is_weak]


def witness_shares_disk(settings: Settings) -> bool:
    """Return whether the witness's files are on the disk of a SQLite database, so that both can be lost together."""
    witness = settings.witness.file
    if not settings.is_sqlite or witness is None:
        return False
    try:
        return settings.sqlite_file.parent.stat().st_dev == witness.parent.stat().st_dev
    except OSError:  # a missing folder is reported later
        return False


def _weakness_of(origins: list[str]) -> tuple[bool, str]:
    if "*" in origins:
        return True, "every web page in a browser can call the API"
    parts = map(urlsplit, origins)
    unencrypted = any(each.scheme == "http" and not is_loopback(each.hostname or "") for each in parts)
    return unencrypted, "an attacker between an unencrypted page and its reader can use the reader's key"


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
