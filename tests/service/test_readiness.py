"""Readiness names each state that needs a person, and the next step."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from sqlalchemy import Engine, text

from service.database import probe
from service.database.engine import open_engine, writing
from service.database.tables import REVISION
from service.ledger.restore.backup import back_up
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import registration
from tests.harness.deadlines import PATIENCE
from tests.harness.full_disk import room_for
from tests.harness.in_process import Service, readiness, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

State: TypeAlias = tuple[int, str]
"""The status, and the notes or the detail."""


def settings(url: str, **changes: Any) -> Settings:
    chosen: dict[str, Any] = {
        "response_time_quantum_ms": 0,
        "counts_keys": COUNTS_KEYS,
        "receipt_key": RECEIPT_KEY,
    } | changes
    return Settings(database_url=url, **chosen)


async def state_of(service: Service) -> State:
    answer = await service.http.get("/readyz")
    body = answer.json()
    return answer.status_code, " ".join(body["notes"]) if answer.status_code == 200 else body["detail"]


async def becomes(service: Service, state: State) -> State:
    """The state once it has this status and contains these words, or no words; or the last one."""
    found = (0, "")
    for _ in range(10 * PATIENCE):
        found = await state_of(service)
        if found == state or (found[0] == state[0] and state[1] and state[1] in found[1]):
            return found
        await asyncio.sleep(0.1)
    return await state_of(service)


def run(story: Callable[[Service], Coroutine[Any, Any, None]], url: str, **changes: Any) -> None:
    async def told() -> None:
        async with running(settings(url, **changes)) as service:
            await story(service)

    asyncio.run(told())


@pytest.fixture
def sqlite_file(migrated_sqlite: Path, tmp_path: Path) -> Path:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    return path


def test_a_healthy_process_has_no_notes(database_url: str) -> None:
    async def story(service: Service) -> None:
        assert await becomes(service, (200, "")) == (200, "")

    run(story, database_url)


def test_another_revision_of_the_schema_says_which_side_to_update(database_url: str, owner_engine: Engine) -> None:
    async def story(service: Service) -> None:
        for revision, status, step in (
            ("r0000", 503, "run `private-posterior migrate`"),
            ("r9999", 200, "a later version, r9999: update this process"),
            (REVISION, 200, ""),
        ):
            with writing(owner_engine) as connection:
                connection.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
            found = await state_of(service)
            assert found[0] == status
            assert step in found[1]

    run(story, database_url)


def test_a_restored_database_says_what_comes_next(sqlite_file: Path, tmp_path: Path) -> None:
    """The releases of a restored database are refused at once, with the same step."""
    url = f"sqlite:///{sqlite_file}"
    engine = open_engine(url)
    owner = person(engine, Role.OWNER)
    made: dict[str, Any] = {}

    async def before(service: Service) -> None:
        made.update(await service.made(owner, "/v1/datasets", registration([3, 4])))
        back_up(sqlite_file, tmp_path / "copy")
        assert (await service.release(owner, made["id"], "lost", "0.1")).status_code == 201

    async def after(service: Service) -> None:
        status, notes = await state_of(service)
        assert status == 200, "what was released can still be read"
        assert "run `private-posterior ledger reconcile`, which takes the witness's folder" in notes
        refused = await service.release(owner, made["id"], "another")
        problem = refused.json()
        assert (refused.status_code, problem["type"]) == (503, "/problems/restore-pending")
        assert (problem["charged"], problem["retryable"]) == (False, False)
        assert "private-posterior ledger reconcile" in problem["detail"]
        body = {"epsilon": "0.1", "delta": "0", "reason": "one release"}
        await service.made(owner, f"/v1/budgets/{made['budget_id']}/write-offs", body, key="w")
        status, notes = await state_of(service)
        assert status == 200
        assert "every budget that it has is accounted for: run `private-posterior ledger unfreeze`" in notes
        assert "ledger reconcile`" not in notes

    run(before, url)
    engine.dispose()
    for beside in tmp_path.glob("posterior.sqlite3-*"):
        beside.unlink()
    shutil.move(tmp_path / "copy", sqlite_file)
    run(after, url)


def test_counts_under_a_missing_key_are_reported(database_url: str, owner_engine: Engine) -> None:
    owner = person(owner_engine, Role.OWNER)

    async def story(service: Service) -> None:
        await service.made(owner, "/v1/datasets", registration([3, 4]))
        with writing(owner_engine) as connection:
            connection.execute(text("UPDATE encrypted_counts SET key_id = 'k9'"))
        status, notes = await state_of(service)
        assert (status, "somebody altered them" in notes, "put the key back" in notes) == (200, True, False)
        with writing(owner_engine) as connection:
            recorded = "INSERT INTO key_checks (kind, key_id, check_value, created_at) VALUES ('counts', 'k9', '0', 1)"
            connection.execute(text(recorded))
        status, notes = await state_of(service)
        assert (status, "somebody altered them" in notes) == (200, False)
        assert (status, "put the key back into the key file" in notes) == (200, True)
        assert "k9" not in notes

    run(story, database_url)


def test_a_missing_draw_process_is_reported_with_a_step(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from service.api.app import create_app
    from tests.harness import in_process

    never = ("/bin/false",)
    monkeypatch.setattr(in_process, "create_app", lambda chosen, _: create_app(chosen, never))

    async def story(service: Service) -> None:
        status, detail = await state_of(service)
        assert (status, detail.partition(":")[0]) == (503, "No draw process starts")
        assert "free memory and processes on this machine" in detail

    run(story, f"sqlite:///{sqlite_file}")


def test_a_moved_file_and_a_locked_file_are_distinguished(sqlite_file: Path, tmp_path: Path) -> None:
    async def story(service: Service) -> None:
        shutil.move(sqlite_file, tmp_path / "elsewhere")
        gone = "The database file was moved, deleted or replaced: put it back under its name"
        assert gone in (await becomes(service, (503, gone)))[1]
        shutil.move(tmp_path / "elsewhere", sqlite_file)
        assert await becomes(service, (200, "")) == (200, "")
        with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            held = "Another program holds a lock on the database file: end that program."
            assert await becomes(service, (503, held)) == (503, held)
            other.execute("ROLLBACK")
        assert await becomes(service, (200, "")) == (200, "")

    run(story, f"sqlite:///{sqlite_file}")


def test_a_full_disk_of_a_sqlite_file_is_reported(sqlite_file: Path) -> None:
    url = f"sqlite:///{sqlite_file}"
    owner = person(url, Role.OWNER)

    async def story(service: Service) -> None:
        with room_for(1):
            refused = await service.send(owner, "POST", "/v1/datasets", registration([3, 4]))
            assert refused.json()["charged"] is False
            full = "The disk of the database can't be read or written: see whether it is full."
            assert await becomes(service, (503, full)) == (503, full)
        assert await becomes(service, (200, "")) == (200, "")

    run(story, url)


def test_a_full_disk_of_postgresql_is_reported_for_a_minute(
    owner_database_url: str, database_url: str, owner_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work that needs no disk space continues, so that a read alone does not find the state."""
    if owner_engine.dialect.name != "postgresql":
        pytest.skip("of PostgreSQL")
    owner: Person = person(owner_engine, Role.OWNER)
    # As the server refuses a row when its disk is full.
    full = (
        "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$; "
        "CREATE TRIGGER no_room BEFORE INSERT ON releases EXECUTE FUNCTION no_room()"
    )

    async def story(service: Service) -> None:
        made = await service.made(owner, "/v1/datasets", registration([3, 4]))
        with writing(owner_engine) as connection:
            connection.exec_driver_sql(full)
        refused = await service.release(owner, made["id"], "first")
        assert (refused.status_code, refused.json()["charged"]) == (503, False)
        assert await state_of(service) == (200, probe.NO_ROOM)
        with writing(owner_engine) as connection:
            connection.exec_driver_sql("DROP TRIGGER no_room ON releases")
        assert (await service.release(owner, made["id"], "first")).status_code == 201
        monkeypatch.setattr(probe, "_ROOM_SECONDS", 0.0)
        assert await state_of(service) == (200, "")

    run(story, database_url)


def test_a_witness_that_cannot_be_written_is_reported(sqlite_file: Path, tmp_path: Path) -> None:
    owner = person(f"sqlite:///{sqlite_file}", Role.OWNER)
    folder = tmp_path / "witness"
    folder.mkdir()

    async def story(service: Service) -> None:
        made = await service.made(owner, "/v1/datasets", registration([3, 4]))
        shutil.rmtree(folder)
        folder.write_text("in the way")
        assert (await service.release(owner, made["id"], "first")).status_code == 201
        status, notes = await becomes(service, (200, "the witness's file can't be written"))
        assert (status, "make room on its disk, or let the service write it" in notes) == (200, True)
        folder.unlink()
        folder.mkdir()

    run(story, f"sqlite:///{sqlite_file}", witness_file=str(folder / "witness"))


def test_no_state_names_a_person_or_a_thing(database_url: str, owner_engine: Engine) -> None:
    """Readiness is answered without a key."""
    owner = person(owner_engine, Role.OWNER)

    async def story(service: Service) -> None:
        made = await service.made(owner, "/v1/datasets", registration([3, 4]))
        with writing(owner_engine) as connection:
            connection.execute(text("UPDATE installation SET restore_pending_since = 1, restores = 1"))
            connection.execute(text("UPDATE encrypted_counts SET key_id = 'secret-name'"))
        answer = await readiness(service.http, lambda answer: answer.status_code == 200)
        assert len(answer.json()["notes"]) == 2
        for name in (owner.principal_id, made["id"], made["budget_id"], "secret-name", "posterior.sqlite3"):
            assert name not in json.dumps(answer.json())

    run(story, database_url)
