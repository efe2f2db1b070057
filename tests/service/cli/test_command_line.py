"""The command line: complete help, one key on standard output, and a message instead of a traceback on failure."""

from __future__ import annotations

import ast
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer
from typer.testing import CliRunner, Result

from private_posterior.commands.exits import Exit
from private_posterior.credentials import HOME, KEY, SERVER
from service.cli.main import app
from service.datasets.cipher import new_key
from tests.harness.commands import log_of_its_own
from tests.harness.process import ROOT, Process

SECRET = "hunter2"


def invoke(*arguments: str, **settings: str) -> Result:
    with log_of_its_own():
        return CliRunner().invoke(
            app, arguments, env={f"POSTERIOR_{name.upper()}": value for name, value in settings.items()}
        )


def commands(command: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """A command and its subcommands. Typer brings a click of its own, so that click's classes cannot be compared."""
    below = getattr(command, "commands", {})
    return [(path, command), *(each for name, one in below.items() for each in commands(one, (*path, name)))]


COMMANDS = commands(typer.main.get_command(app))


def test_the_commands_are_found() -> None:
    assert len(COMMANDS) > 15


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(path) or "itself" for path, _ in COMMANDS])
def test_every_command_has_finished_help(path: tuple[str, ...], command: Any) -> None:
    shown = invoke(*path, "--help")
    assert shown.exit_code == 0
    assert command.help
    assert command.help.rstrip().endswith(".")
    for parameter in command.params:
        assert getattr(parameter, "help", None), f"{parameter.name} says nothing of itself"


def test_a_key_stands_alone_on_standard_output(migrated_sqlite: Path, tmp_path: Path) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    made = invoke("keys", "create", "--role", "admin", "--name", "Operator", database_url=f"sqlite:///{path}")
    assert made.exit_code == 0
    assert re.fullmatch(r"pp_[A-Za-z0-9_-]{43}\n", made.stdout)
    assert made.stdout.strip() not in made.stderr
    refused = invoke("keys", "create", "--role", "admin", "--name", "two\nlines", database_url=f"sqlite:///{path}")
    assert refused.exit_code == 2
    assert "1 to 200 characters" in " ".join(refused.stderr.split())


@pytest.mark.parametrize(
    "arguments", [("serve",), ("keys", "create", "--role", "admin")], ids=lambda arguments: arguments[0]
)
def test_a_missing_schema_is_reported_with_the_command_that_creates_it(
    arguments: tuple[str, ...], empty_database_url: str
) -> None:
    result = invoke(*arguments, database_url=empty_database_url)
    assert result.exit_code == 2
    assert "private-posterior migrate" in result.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"databse_url": SECRET}, "POSTERIOR_DATABSE_URL is not a setting"),
        ({"port": SECRET}, "POSTERIOR_PORT must be a whole number"),
        ({"port": "-1"}, "POSTERIOR_PORT must be a whole number"),
        ({"behind_proxy": SECRET}, "POSTERIOR_BEHIND_PROXY must be true or false"),
        ({"log_level": SECRET}, "POSTERIOR_LOG_LEVEL must be debug, info, warning or error"),
        ({"database_url": SECRET}, "POSTERIOR_DATABASE_URL must be sqlite:///path"),
        ({"database_url": f"mysql://me:{SECRET}@here/there"}, "POSTERIOR_DATABASE_URL must be sqlite:///path"),
        ({"database_url": f"postgresql://me:{SECRET}@here/there"}, "or postgresql+psycopg://user@host/name"),
        ({"database_url": f"postgresql+asyncpg://me:{SECRET}@here/there"}, "or postgresql+psycopg://user@host/name"),
        ({"database_url": f"sqlite+aiosqlite:///{SECRET}"}, "POSTERIOR_DATABASE_URL must be sqlite:///path"),
        ({"database_url": f"postgresql+psycopg://me:{SECRET}@127.0.0.1:1/there"}, "can't be reached"),
    ],
)
def test_a_setting_without_meaning_is_named_and_its_value_is_not(settings: dict[str, str], words: str) -> None:
    result = invoke("serve", **settings)
    assert result.exit_code == 2
    assert words in result.stderr
    assert SECRET not in result.output


def test_a_service_without_keys_does_not_start(migrated_sqlite: Path, tmp_path: Path) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    keys = {"database_url": f"sqlite:///{path}", "receipt_key": new_key()}
    for wrong, words in (("short", "32 bytes in base64"), (f"k:{new_key()},k:{new_key()}", "once")):
        result = invoke("serve", counts_keys=wrong, **keys)
        assert result.exit_code != 0
        assert words in f"{result.stderr}{result.exception}"
        assert wrong not in result.output


def test_an_address_in_use_is_reported(migrated_sqlite: Path, tmp_path: Path) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = invoke("serve", database_url=f"sqlite:///{path}", port=str(taken.getsockname()[1]))
    assert result.exit_code == 2
    assert "POSTERIOR_PORT" in result.stderr


@pytest.mark.parametrize(
    ("host", "callers"),
    [pytest.param("::1", ["[::1]"], marks=pytest.mark.long), ("::", ["[::1]", "127.0.0.1"])],
)
def test_it_listens_at_addresses_of_ipv6_too(
    migrated_sqlite: Path, tmp_path: Path, host: str, callers: list[str]
) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with Process(f"sqlite:///{path}", log=tmp_path / "log", host=host) as process:
        port = process.url.rpartition(":")[2]
        assert process.url == f"http://[{host}]:{port}"
        for caller in callers:
            assert httpx.get(f"http://{caller}:{port}/livez").status_code == 200


def test_a_witness_that_is_of_no_use_stops_the_start_with_a_sentence(migrated_sqlite: Path, tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "posterior.sqlite3", tmp_path / "witness"
    path.write_bytes(migrated_sqlite.read_bytes())
    elsewhere.write_text(
        '{"kind": "private-posterior witness 1", "installation": "another", "restores": 0, "heads": {}}'
    )
    for witness, words in ((elsewhere, "the ledgers of another database"), (path / "witness", "can't be written")):
        result = invoke("serve", database_url=f"sqlite:///{path}", witness_file=str(witness))
        assert result.exit_code == 2
        assert words in result.stderr


HEAVY = {"core", "numpy", "scipy", "sqlalchemy", "fastapi", "pydantic", "uvicorn", "httpx", "cryptography", "alembic"}


def test_help_waits_for_no_mathematics() -> None:
    """Only commands that need an import of more than half a second do it. One process prints the help of every
    command.
    """
    asked = (
        "import sys; from service.cli.main import app\n"
        "for path in sys.argv[1:]:\n"
        "    app([*path.split(), '--help'], standalone_mode=False)\n"
        "    print([path, {name.split('.')[0] for name in sys.modules}], file=sys.stderr)"
    )
    paths = [" ".join(path) for path, _ in COMMANDS]
    done = subprocess.run([sys.executable, "-c", asked, *paths], cwd=ROOT, capture_output=True, text=True, check=True)
    result = dict(map(ast.literal_eval, done.stderr.splitlines()))
    assert list(result) == paths
    assert {path: imported & HEAVY for path, imported in result.items()} == {path: set() for path in paths}


def test_the_page_lists_every_command_variable_and_exit_code() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    for code in Exit:
        assert f"| {code.value} | {code.meaning} |" in page
    assert set(re.findall(r"PRIVATE_POSTERIOR_[A-Z]+", page)) == {SERVER, KEY, HOME}
    for path, options in re.findall(r"^private-posterior ((?:[a-z-]+ ?)+)(.*(?:\\\n.*)*)", page, re.MULTILINE):
        words = path.split()
        found = [each for each, _ in COMMANDS if list(each) == words[: len(each)] and each]
        assert found, path
        command = dict(COMMANDS)[max(found, key=len)]
        known = {option for parameter in command.params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", options)) <= known
