"""Messages to an operator whose database or setting is unusable: each names the remedy, and none is a traceback."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import httpx
import pytest

from service.database.tables import REVISION
from tests.harness import commands
from tests.harness.deadlines import PATIENCE, until
from tests.harness.process import COMMAND, ROOT, environment
from tests.harness.server import problem_code, run, serving
from tests.service.conftest import make_study

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def said(*arguments: str, chosen: Mapping[str, str], code: int = 2) -> str:
    """The message of a command that fails."""
    done = commands.run([COMMAND, *arguments], env=chosen)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("private-posterior: ")
    return done.stderr


def damage_schema(database: Path) -> None:
    content = database.read_bytes()
    assert b"NOT NULL" in content
    database.write_bytes(content.replace(b"NOT NULL", b"NOT N\xffLL", 1))


@pytest.fixture
def database(migrated_sqlite: Path, tmp_path: Path) -> Path:
    path = tmp_path / "data" / "posterior.db"
    path.parent.mkdir()
    shutil.copy(migrated_sqlite, path)
    return path


def test_a_restored_copy_is_whole_although_a_log_of_another_database_lay_beside_it(
    database: Path, tmp_path: Path
) -> None:
    """Seen before: a database over which a backup was copied, beside its old log, started, was ready and
    answered 500.
    """
    chosen = environment(f"sqlite:///{database}")
    settings = {
        name.removeprefix("POSTERIOR_").lower(): value
        for name, value in chosen.items()
        if name in {"POSTERIOR_COUNTS_KEYS", "POSTERIOR_RECEIPT_KEY"}
    }
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    copy = tmp_path / "copy.db"
    with serving(first, f"sqlite:///{database}", **settings) as server:
        study = make_study(server.new("owner"), server.new("analyst"))
        run("backup", str(copy), environment=chosen)
        release = study.analyst.release(study.dataset_id)
        assert release.status_code == 201
        assert "is in use" in said("restore", str(copy), chosen=chosen)
        log = database.with_name(database.name + "-wal").read_bytes()
    assert log
    database.with_name(database.name + "-wal").write_bytes(log)
    run("restore", str(copy), environment=chosen)
    assert len(list(database.parent.glob("posterior.db.before-restore-*"))) >= 1
    with serving(second, f"sqlite:///{database}", **settings) as server:
        study.analyst.server = study.owner.server = server
        assert problem_code(study.analyst.release(study.dataset_id)) == "restore-pending"
        assert study.owner.get("/v1/budgets").status_code == 200


@pytest.mark.parametrize(
    "command", [("serve",), ("ledger", "verify"), ("migrate",), ("keys", "create", "--role", "admin")], ids=" ".join
)
def test_a_damaged_database_is_reported_and_not_served(database: Path, command: tuple[str, ...]) -> None:
    content = bytearray(database.read_bytes())
    page = 4096
    content[page : 20 * page] = b"\xff" * 19 * page
    database.write_bytes(bytes(content))
    assert "damaged" in said(*command, chosen=environment(f"sqlite:///{database}"))


@pytest.mark.parametrize("command", [("serve",), ("ledger", "verify"), ("migrate",)], ids=" ".join)
def test_a_damaged_schema_is_reported_and_not_served(database: Path, command: tuple[str, ...]) -> None:
    """SQLite's message quotes bytes that are no text."""
    damage_schema(database)
    assert "damaged" in said(*command, chosen=environment(f"sqlite:///{database}"))


@pytest.mark.parametrize("command", [("serve",), ("ledger", "unfreeze"), ("receipts", "prune", "backup")], ids=" ".join)
def test_a_database_without_its_installation_is_not_served(database: Path, command: tuple[str, ...]) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'installation'"
        for (name,) in connection.execute(triggers).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM installation")
    assert "has no row of its installation" in said(*command, chosen=environment(f"sqlite:///{database}"))


@pytest.mark.parametrize("command", [("serve",), ("migrate",)], ids=" ".join)
def test_a_file_that_is_no_database_is_reported(tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "posterior.db"
    path.write_text("This is a text, and it is long enough to look like something.\n" * 100)
    assert "damaged, or not a database" in said(*command, chosen=environment(f"sqlite:///{path}"))


def test_a_database_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "posterior.db").mkdir()
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "posterior.db", tmp_path / "file" / "posterior.db"):
        assert "can't be opened" in said("migrate", chosen=environment(f"sqlite:///{path}"))


@pytest.mark.every(2)
@pytest.mark.parametrize(
    "command", [("serve",), ("ledger", "verify"), ("keys", "create", "--role", "admin"), ("migrate",)], ids=" ".join
)
def test_a_full_disk_is_not_reported_as_a_wrong_address(database: Path, command: tuple[str, ...]) -> None:
    # No file may grow: the files beside the database can't be made.
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))"
    limited = f"import os, resource, sys; {limit}; os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", limited, COMMAND, *command],
        env=environment(f"sqlite:///{database}"),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2,
        "private-posterior: the disk of the database can't be read or written: see whether it is full",
    )
    assert "Traceback" not in done.stderr


def test_no_file_gets_the_number_of_a_closed_standard_stream(tmp_path: Path) -> None:
    """Seen before: the listening socket of a service got the number, and was closed in its workers. The second was not
    started, and the first did not end.
    """
    look = "import os, sys; open(sys.argv[1], 'a').write(str([os.readlink(f'/dev/fd/{n}') for n in range(3)]))"
    both = (
        "import subprocess, sys; from service.cli import main; main._open_what_was_closed(); exec(sys.argv[2]); "
        "subprocess.run([sys.executable, '-c', sys.argv[2], sys.argv[1]])"
    )
    closed = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", both, str(tmp_path / "found"), look]
    subprocess.run(closed, check=True, cwd=ROOT, timeout=90)
    assert (tmp_path / "found").read_text() == 2 * str(3 * [os.devnull])


@pytest.mark.parametrize("heard_by", ["2>&-", "2>/dev/full"])
def test_the_code_is_the_same_where_nobody_hears_the_sentence(tmp_path: Path, heard_by: str) -> None:
    """The code was once 1 instead of 2: it means that the command was done and a check failed."""
    nowhere = environment(f"sqlite:///{tmp_path / 'none'}")
    silent = ["sh", "-c", f'exec "$@" {heard_by}', "sh", str(COMMAND), "serve"]
    assert subprocess.run(silent, env=nowhere, check=False, cwd=ROOT, timeout=PATIENCE).returncode == 2


def test_a_database_of_a_newer_schema_is_not_migrated(owner_database_url: str) -> None:
    from sqlalchemy import text

    from service.database.engine import open_engine, writing

    engine = open_engine(owner_database_url)
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'r9999'"))
    engine.dispose()
    assert "a schema that this version does not know" in said("migrate", chosen=environment(owner_database_url))


def test_a_database_of_an_older_schema_is_neither_served_nor_ready(database: Path, tmp_path: Path) -> None:
    """Seen before: readiness reported this version's schema without reading it."""
    url = f"sqlite:///{database}"
    with serving(tmp_path, url) as server:
        server.rows("UPDATE alembic_version SET version_num = 'r0000'")
        answer = httpx.get(f"{server.url}/readyz", timeout=PATIENCE)
        assert (answer.status_code, problem_code(answer)) == (503, "database-unavailable")
        server.rows("UPDATE alembic_version SET version_num = 'r9999'")
        until(lambda: server.http.get("/readyz").status_code == 200)  # later migrations only add
        server.rows("UPDATE alembic_version SET version_num = '0000'")
    assert f"needs {REVISION}" in said("serve", chosen=environment(url))


def test_an_invalid_port_is_reported(database: Path) -> None:
    assert "POSTERIOR_PORT must be at most 65535" in said(
        "serve", chosen=environment(f"sqlite:///{database}", port="99999")
    )


def test_a_restore_keeps_what_it_can_not_use(database: Path, tmp_path: Path) -> None:
    chosen = environment(f"sqlite:///{database}")
    before = database.read_bytes()
    broken = tmp_path / "broken.db"
    broken.write_bytes(before[:4096] + b"\xff" * 4096 + before[8192:])
    said("restore", str(broken), chosen=chosen)
    assert database.read_bytes() == before
    assert "is the database itself" in said("restore", str(database), chosen=chosen)


def test_a_copy_whose_schema_is_damaged_is_not_put_back(database: Path, tmp_path: Path) -> None:
    before = database.read_bytes()
    copy = tmp_path / "copy.db"
    shutil.copy(database, copy)
    damage_schema(copy)
    assert f"{copy} is damaged" in said("restore", str(copy), chosen=environment(f"sqlite:///{database}"))
    assert database.read_bytes() == before
    assert [path.name for path in database.parent.iterdir()] == [database.name]


@pytest.mark.parametrize("opening", ['{"a":', "["])
def test_a_too_deeply_nested_file_is_reported(database: Path, tmp_path: Path, opening: str) -> None:
    path = tmp_path / "deep.json"
    path.write_text(opening * 100_000)
    chosen = environment(f"sqlite:///{database}")
    assert "no receipt in deep.json" in said("ledger", "reconcile", str(path), chosen=chosen)
    for command in (("ledger", "verify", str(path)), ("ledger", "verify", "--checkpoint", str(path))):
        assert "deep.json is neither JSON nor JSON lines" in said(*command, chosen=chosen)
    assert "--public-key takes" in said("ledger", "verify", "--public-key", str(path), chosen=chosen)
