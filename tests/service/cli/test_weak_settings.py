"""Every setting that makes an installation weaker is named at the start, and the defaults make none."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from service.cli.weak_settings import is_loopback, weak_settings, witness_shares_disk
from service.settings.settings import PREFIX, Settings, SettingsError
from tests.harness.process import Process

if TYPE_CHECKING:
    from pathlib import Path

OPEN = ".".join("0000")
"""The address of all interfaces."""
WEAK = {
    "RESPONSE_TIME_QUANTUM_MS": "0",
    "RATE_LIMIT_PER_MINUTE": "0",
    "MAX_DRAW_SECONDS": "0",
    "RECOVERY_DAYS": "0",
    "WITNESS_SYNC": "false",
    "METRICS_KEY": "fifteen letters",
    "CORS_ORIGINS": "https://a.example,*",
    "HOST": OPEN,
    "LOG_LEVEL": "warning",
}


def named(**chosen: str) -> list[str]:
    settings = Settings.from_environment({PREFIX + name: value for name, value in chosen.items()})
    return [variable.removeprefix(PREFIX) for variable, _ in weak_settings(settings)]


def test_the_defaults_weaken_nothing() -> None:
    assert named() == []


@pytest.mark.parametrize(
    ("mode", "weak"), [(0o600, []), (0o640, []), (0o644, ["DATABASE_URL"]), (0o660, ["DATABASE_URL"])]
)
def test_a_database_that_others_can_open_is_named(tmp_path: Path, mode: int, weak: list[str]) -> None:
    database = tmp_path / "posterior.sqlite3"
    database.touch()
    database.chmod(mode)
    assert named(DATABASE_URL=f"sqlite:///{database}") == weak


def test_a_witness_on_the_disk_of_the_database_is_named(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'posterior.sqlite3'}"
    assert witness_shares_disk(Settings(database_url=database))
    assert not witness_shares_disk(Settings(database_url=database, witness_file="/dev/shm/witness"))
    assert not witness_shares_disk(Settings(database_url="postgresql+psycopg://user@host/name"))


@pytest.mark.parametrize("variable", WEAK)
def test_each_weak_setting_is_named(variable: str) -> None:
    assert named(**{variable: WEAK[variable]}) == [variable]


def test_a_long_key_of_the_metrics_is_good() -> None:
    assert named(METRICS_KEY="sixteen letters!") == []


@pytest.mark.parametrize(
    ("origin", "weak"),
    [
        ("https://a.example", []),
        ("http://localhost:3000", []),
        ("http://[::1]:3000", []),
        ("http://a.example", ["CORS_ORIGINS"]),
        ("https://a.example,http://10.0.0.7:8080", ["CORS_ORIGINS"]),
    ],
)
def test_an_origin_whose_pages_come_unencrypted_is_named(origin: str, weak: list[str]) -> None:
    assert named(CORS_ORIGINS=origin) == weak


def test_a_proxy_makes_an_open_address_good() -> None:
    assert named(HOST=OPEN, BEHIND_PROXY="true") == []
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", OPEN, "::", "example.org")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_serve_says_them_at_its_start(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    with Process(f"sqlite:///{tmp_path / 'posterior.sqlite3'}", log_level="error", recovery_days="0") as server:
        said = server.log.read_text()
    for variable in ("RESPONSE_TIME_QUANTUM_MS", "RATE_LIMIT_PER_MINUTE", "RECOVERY_DAYS"):
        assert f"Warning: with this value of POSTERIOR_{variable} " in said


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ROOT_PATH", "posterior"),
        ("ROOT_PATH", "/posterior/"),
        ("ROOT_PATH", "/a b"),
        ("CORS_ORIGINS", "a.example"),
        ("CORS_ORIGINS", "https://a.example/"),
        ("CORS_ORIGINS", "https://a.example;https://b.example"),
        ("LOG_FORMAT", "xml"),
    ],
)
def test_settings_without_meaning_are_refused(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        Settings.from_environment({PREFIX + variable: value})
