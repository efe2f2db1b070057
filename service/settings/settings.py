"""Configuration from environment variables with the prefix `POSTERIOR_`. `docs/reference/settings.md` lists them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

PREFIX = "POSTERIOR_"
_MAX_PORT = 65_535
_PREFIX_OF_CLIENTS: Final = "PRIVATE_POSTERIOR_"
_NETWORK_PREFIXES: Final = ("tcp://", "udp://", "sctp://")
"""Beginnings of the values that Kubernetes gives to variables such as PRIVATE_POSTERIOR_PORT."""
_FILE_SUFFIX: Final = "_FILE"
"""Suffix of a secret's variable: names a file that holds the secret."""
_OTHERS_MODE_BITS: Final = 0o027
"""Mode bits that a file of secrets must not have: access by others, and writing by the group."""
_POSITIVE_SETTINGS: Final = ("quota_factor", "computation_processes", "computation_memory_mb")
"""Settings that must be at least 1, because with 0 no request could be answered."""
_LONGEST_GRID_MS: Final = 3_600_000
_LOG_LEVELS = ("debug", "info", "warning", "error")
_LOG_FORMATS = ("text", "json")
_DRIVERS = ("sqlite", "sqlite+pysqlite", "postgresql+psycopg")
_ROOT_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+")
_ORIGIN = re.compile(r"\*|https?://[A-Za-z0-9.-]+(:[0-9]+)?|https?://\[[0-9a-f:]+\](:[0-9]+)?")


class SettingsError(ValueError):
    """A setting is missing or invalid. The message names the variable and the rule, never its value."""


DEFAULT_FILE: Final = "data/private-posterior.db"
"""The default database."""


def setting(default: Any, help_text: str, *, secret: bool = False) -> Any:
    return field(default=default, metadata={"help": help_text, "secret": secret})


@dataclass(frozen=True, slots=True)
class KeySettings:
    """The location of the installation's keys."""

    counts_keys: str = field(repr=False)
    receipt_key: str = field(repr=False)
    file: Path | None
    """None if the settings have both keys and name no file."""
    is_embedded: bool
    """Whether the database is SQLite; the key file beside it is then created on first use."""


@dataclass(frozen=True, slots=True)
class WitnessSettings:
    """The file of the witness, which records ledger heads. Without a file it keeps them in memory."""

    file: Path | None
    sync: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of an installation. Field `name` is read from the variable `POSTERIOR_NAME`."""

    database_url: str = setting(
        f"sqlite:///{DEFAULT_FILE}",
        "SQLAlchemy address of the database: `sqlite:///path` or `postgresql+psycopg://user@host/name`, which needs "
        "the extra `[postgresql]`: `requirements/runtime.txt` and the image have it.",
        secret=True,
    )
    database_pooled: bool = setting(
        False,
        (
            "Set it if the address is that of a connection pooler that assigns a server connection for one "
            "transaction at a time, such as PgBouncer with `pool_mode = transaction`."
        ),
    )
    host: str = setting("127.0.0.1", "Address to listen on.")
    port: int = setting(8000, "Port to listen on; 0 selects a free one.")
    root_path: str = setting(
        "",
        "Path prefix at which a reverse proxy publishes the service, such as `/posterior`. The proxy removes "
        "it from requests.",
    )
    behind_proxy: bool = setting(False, "Set it if a reverse proxy terminates TLS and limits connections per address.")
    cors_origins: str = setting(
        "",
        "Origins whose pages may call the API from a browser, such as `https://a.example,https://b.example`; none "
        "if empty.",
    )
    api_docs: bool = setting(
        True, "Serve the interactive documentation at `/docs` and the document `/openapi.json`, without a key."
    )
    console: bool = setting(True, "Serve the browser console at `/console/`.")
    key_file: str = setting(
        "",
        (
            "File with the counts key and the receipt key. If empty, it is created with mode 0600 beside a SQLite "
            "database, and not created for PostgreSQL."
        ),
    )
    counts_keys: str = setting(
        "",
        "Keys for the encryption of counts, `id:base64,id:base64,…` (32 bytes each). The first encrypts; all decrypt.",
        secret=True,
    )
    receipt_key: str = setting(
        "",
        (
            "Seed of the Ed25519 key that signs receipts and ledger heads: 32 bytes in base64. After a rotation "
            "`new,old`, or `new,public:` and the public key of the old one."
        ),
        secret=True,
    )
    witness_file: str = setting(
        "",
        "File outside the database that records every budget's ledger head, so that the service detects a restored "
        "backup. If empty, it is beside a SQLite database.",
    )
    witness_sync: bool = setting(
        True,
        (
            "Send a release only when its line in the witness's journal is on disk. If false, a crash of the "
            "machine can lose the last lines."
        ),
    )
    response_time_quantum_ms: int = setting(
        25,
        "Smallest spacing of the ticks at which releases are sent, in milliseconds (response-time quantization); 0 "
        "turns it off.",
    )
    rate_limit_per_minute: int = setting(
        6_000, "Approximate limit on requests per minute of a principal, in each process; 0 turns the limit off."
    )
    quota_factor: int = setting(
        1, "Factor for each quota of stored objects: keys, budgets, data sets, grants, megabytes and free answers."
    )
    recovery_days: int = setting(
        7, "Days in which an admin's recovery of a principal can be vetoed. The principal is frozen for that time."
    )
    max_draw_seconds: int = setting(
        20,
        "Limit on the publicly estimated time of a draw, in seconds. A longer draw is refused, uncharged. 0 turns "
        "the limit off.",
    )
    computation_processes: int = setting(
        2,
        "Number of free computations with a key at once: plans, posteriors, pictures and quick certificates, each in "
        "its own process. One more serves requests without a key.",
    )
    computation_memory_mb: int = setting(1024, "Memory limit of a free computation or a certificate, in megabytes.")
    metrics_key: str = setting(
        "", "Key for `/metrics`, sent as `Authorization: Bearer`. If empty, there is no `/metrics`.", secret=True
    )
    log_level: str = setting(
        "info", "`debug`, `info`, `warning` or `error`. The lines that record changes and releases are at `info`."
    )
    log_format: str = setting("text", "`text`, or `json` for one object per line.")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings of the environment. Raises SettingsError for an unknown variable or an invalid value."""
        known = {PREFIX + f.name.upper(): f for f in fields(cls)}
        files = {variable + _FILE_SUFFIX: variable for variable, f in known.items() if f.metadata["secret"]}
        unknown = sorted({name for name in environment if name.startswith(PREFIX)} - known.keys() - files.keys())
        if unknown:
            raise SettingsError(
                f"{unknown[0]} is not a setting of this service{_nearest_setting(unknown[0], PREFIX, 0.6)}"
            )
        for variable, value in environment.items():
            if variable.startswith(_PREFIX_OF_CLIENTS) and not value.startswith(_NETWORK_PREFIXES):
                meant = _nearest_setting(variable, _PREFIX_OF_CLIENTS, 0.8)
                if meant:
                    raise SettingsError(f"{variable} has the prefix of the client{meant}")
        chosen: dict[str, Any] = {}
        for file_variable, variable in files.items():
            if file_variable in environment:
                if variable in environment:
                    raise SettingsError(f"set either {variable} or {file_variable}, not both")
                chosen[known[variable].name] = _read_secret(file_variable, Path(environment[file_variable]))
        for variable, f in known.items():
            if variable in environment:
                chosen[f.name] = _parse_value(variable, environment[variable], type(f.default))
        settings = cls(**chosen)
        settings._check()
        return settings

    @classmethod
    def remove_secrets(cls, environment: MutableMapping[str, str] = os.environ) -> None:
        """Remove secret settings from the environment, which processes that are started later inherit."""
        for f in fields(cls):
            if f.metadata["secret"]:
                environment.pop(PREFIX + f.name.upper(), None)

    def _check(self) -> None:
        for needed in _POSITIVE_SETTINGS:
            if not getattr(self, needed):
                raise SettingsError(f"{PREFIX}{needed.upper()} must be at least 1")
        if self.response_time_quantum_ms > _LONGEST_GRID_MS:
            raise SettingsError(f"{PREFIX}RESPONSE_TIME_QUANTUM_MS must be at most {_LONGEST_GRID_MS}")
        if self.log_level not in _LOG_LEVELS:
            raise SettingsError(f"{PREFIX}LOG_LEVEL must be {', '.join(_LOG_LEVELS[:-1])} or {_LOG_LEVELS[-1]}")
        if self.log_format not in _LOG_FORMATS:
            raise SettingsError(f"{PREFIX}LOG_FORMAT must be {' or '.join(_LOG_FORMATS)}")
        if self.root_path and not _ROOT_PATH.fullmatch(self.root_path):
            raise SettingsError(f"{PREFIX}ROOT_PATH must be a path such as /posterior, with no slash at its end")
        if not all(_ORIGIN.fullmatch(origin) for origin in self.allowed_origins):
            raise SettingsError(f"{PREFIX}CORS_ORIGINS must be origins such as https://a.example, separated by commas")
        try:
            driver, name = make_url(self.database_url).drivername, make_url(self.database_url).database
        except ArgumentError:
            driver, name = "", None
        # `postgresql://` would mean psycopg2, which is not tested.
        if driver not in _DRIVERS:
            raise SettingsError(f"{PREFIX}DATABASE_URL must be sqlite:///path or postgresql+psycopg://user@host/name")
        if self.is_sqlite and name in {None, "", ":memory:"}:
            raise SettingsError(f"{PREFIX}DATABASE_URL must name a file: the ledger must outlive the process")
        if self.port > _MAX_PORT:
            raise SettingsError(f"{PREFIX}PORT must be at most {_MAX_PORT}")

    @property
    def allowed_origins(self) -> list[str]:
        """Return the origins whose pages may call the API."""
        return [origin.strip() for origin in self.cors_origins.split(",")] if self.cors_origins else []

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    @property
    def sqlite_file(self) -> Path:
        """Return the file of a SQLite database. Only meaningful for SQLite."""
        return Path(make_url(self.database_url).database or "")

    @property
    def keys(self) -> KeySettings:
        has_file = self.is_sqlite and not (self.counts_keys and self.receipt_key)
        default = self.sqlite_file.parent / "keys.json" if has_file else None
        file = Path(self.key_file) if self.key_file else default
        return KeySettings(self.counts_keys, self.receipt_key, file, is_embedded=self.is_sqlite)

    @property
    def witness(self) -> WitnessSettings:
        beside = self.sqlite_file.with_name(self.sqlite_file.name + ".witness") if self.is_sqlite else None
        return WitnessSettings(Path(self.witness_file) if self.witness_file else beside, self.witness_sync)


def _nearest_setting(variable: str, prefix: str, cutoff: float) -> str:
    """Return a clause with the setting that the variable resembles; empty if it resembles none."""
    names = [f.name.upper() for f in fields(Settings)]
    names += [f.name.upper() + _FILE_SUFFIX for f in fields(Settings) if f.metadata["secret"]]
    found = get_close_matches(variable.removeprefix(prefix), names, n=1, cutoff=cutoff)
    return f": did you mean {PREFIX}{found[0]}?" if found else ""


def check_private(path: Path) -> None:
    """Raise SettingsError if others can read or write this file of secrets, or its group can write it."""
    if is_open_to_others(path):
        raise SettingsError(f"the file {path} can be read by others: run chmod 600 on it, or chmod 640 for its group")


def is_open_to_others(path: Path) -> bool:
    """Return whether others can read or write this file, or its group can write it."""
    return bool(path.stat().st_mode & _OTHERS_MODE_BITS)


def _read_secret(variable: str, path: Path) -> str:
    try:
        check_private(path)
        secret = path.read_text().strip()
    except OSError as error:
        raise SettingsError(f"{variable} names a file that can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{variable} names a file that is not text") from None
    if not secret:
        raise SettingsError(f"{variable} names an empty file")
    return secret


def _parse_value(variable: str, text: str, kind: type) -> Any:
    if kind is bool:
        if text.lower() not in {"true", "false", "1", "0"}:
            raise SettingsError(f"{variable} must be true or false")
        return text.lower() in {"true", "1"}
    if kind is int:
        if not text.isascii() or not text.isdigit():
            raise SettingsError(f"{variable} must be a whole number that is not negative")
        return int(text)
    return text
