"""The witness's folder of receipts: a restore needs nobody who kept one, and each file can go once a backup has it."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from service.database.engine import open_engine, writing
from service.identifiers.identifiers import now, timestamp
from service.ledger.witness import receipts_beside
from service.settings.settings import Settings
from tests.harness.in_process import notes_of, running
from tests.service.ledger.restore.test_restore import Place, World, command, count, furnish, place

__all__ = ["place"]
WRITTEN_OFF = "SELECT count(*) FROM entries WHERE kind = 'written_off'"
SPENT = "SELECT epsilon_spent FROM budgets"


def begin(settings: Settings) -> World:
    async def work() -> World:
        async with running(settings) as service:
            return await furnish(service, settings)

    return asyncio.run(work())


def spend(settings: Settings, world: World, *keys: str) -> list[int]:
    """Statuses of releases by the owner, after a change that charges nothing."""

    async def work() -> list[int]:
        async with running(settings) as service:
            budget = f"/v1/budgets/{world.budget_id}"
            renamed = await service.send(world.owner, "PATCH", budget, {"name": f"before {keys[0]}"})
            assert renamed.status_code == 200
            return [(await service.release(world.owner, world.dataset_id, key)).status_code for key in keys]

    return asyncio.run(work())


def folder_of(settings: Settings) -> Path:
    assert settings.witness.file is not None
    return receipts_beside(settings.witness.file)


def test_a_restore_ends_with_no_receipt_but_those_in_the_folder(place: Place, tmp_path: Path) -> None:
    world = begin(place.settings)
    copy = place.copy()
    assert spend(place.settings, world, "a", "b", "c") == [201] * 3
    restored = place.restored(copy)
    assert spend(restored, world, "d") == [503]
    verified = command(restored, "ledger", "verify")
    assert verified.exit_code == 0, verified.output
    assert "A restore is pending" in verified.output
    assert command(restored, "ledger", "unfreeze").exit_code == 1

    (tmp_path / "other").mkdir()
    shutil.copytree(folder_of(place.settings), tmp_path / "other" / "folder")
    (tmp_path / "other" / "notes.txt").write_text("no receipt, and no JSON")
    done = command(restored, "ledger", "reconcile", str(tmp_path / "other"))
    assert done.exit_code == 0, done.output
    assert "notes.txt holds no receipt" in done.output
    assert "3 receipts forgotten, and now charged again" in done.output
    for id_, name in ((world.owner.principal_id, "owner"), (world.budget_id, "before d"), (world.dataset_id, "")):
        assert f"{id_} ({name}" in done.output
    assert "0 of the 3 charges after the backup are unknown" in done.output
    assert command(restored, "ledger", "unfreeze").output == "Releases are possible again.\n"
    assert spend(restored, world, "a", "b", "c", "new") == [410, 410, 410, 201]
    assert count(restored, SPENT) == 4 * 10_000_000
    assert count(restored, WRITTEN_OFF) == 0


def test_a_second_restore_counts_no_entry_of_the_first_as_a_charge(place: Place) -> None:
    world = begin(place.settings)
    copy = place.copy()
    assert spend(place.settings, world, "a", "b") == [201] * 2
    restored = place.restored(copy)
    for keys in (("c",), ("d", "e")):
        spend(restored, world, "refused")
        done = command(restored, "ledger", "reconcile")
        assert "0 of the" in done.output, done.output
        assert command(restored, "ledger", "unfreeze").output == "Releases are possible again.\n"
        assert spend(restored, world, *keys) == [201] * len(keys)
        restored = place.restored(copy)
    spend(restored, world, "refused")
    assert "5 receipts forgotten" in command(restored, "ledger", "reconcile", str(folder_of(place.settings))).output
    assert command(restored, "ledger", "unfreeze").output == "Releases are possible again.\n"
    assert count(restored, SPENT) == 5 * 10_000_000
    assert count(restored, WRITTEN_OFF) == 0


def test_a_charge_whose_receipt_is_nowhere_has_to_be_written_off(place: Place) -> None:
    world = begin(place.settings)
    copy = place.copy()
    assert spend(place.settings, world, "a", "b") == [201] * 2
    (file,) = folder_of(place.settings).iterdir()
    *others, first, last = [line for line in file.read_text().splitlines() if line]
    assert "receipt 1" in first
    file.write_text("\n".join([*others, first, last[:100]]))  # as a crash leaves a line
    restored = place.restored(copy)
    spend(restored, world, "refused")
    done = command(restored, "ledger", "reconcile", str(folder_of(place.settings)))
    assert "1 of the 2 charges after the backup are unknown" in done.output
    assert command(restored, "ledger", "unfreeze").exit_code == 1


def test_files_of_receipts_go_once_a_verified_backup_has_them(place: Place, tmp_path: Path) -> None:
    if not place.settings.is_sqlite:
        pytest.skip("PostgreSQL has a test of its own")
    world = begin(place.settings)
    assert spend(place.settings, world, "a") == [201]
    folder = folder_of(place.settings)
    (today,) = folder.iterdir()
    assert today.stat().st_mode & 0o777 == 0o600
    yesterday = folder / f"{timestamp(now() - 86_400)[:10]}.jsonl"
    today.rename(yesterday)
    assert command(place.settings, "backup", str(tmp_path / "backup")).exit_code == 0
    assert spend(place.settings, world, "b") == [201]
    later = folder / f"{timestamp(now() - 2 * 86_400)[:10]}.jsonl"
    shutil.copy(today, later)

    altered = tmp_path / "altered"
    shutil.copy(tmp_path / "backup", altered)
    engine = open_engine(f"sqlite:///{altered}")
    with writing(engine) as connection:
        connection.execute(text("UPDATE budgets SET epsilon_spent = epsilon_spent + 1"))
    engine.dispose()
    refused = command(place.settings, "receipts", "prune", str(altered))
    assert (refused.exit_code, "the backup is not intact" in refused.output) == (1, True)

    done = command(place.settings, "receipts", "prune", str(tmp_path / "backup"))
    assert (done.exit_code, done.output) == (0, "1 files of receipts were deleted; 2 are left.\n")
    assert sorted(folder.iterdir()) == [later, today]
    assert not (tmp_path / "backup-wal").exists()
    other = replace(place.settings, database_url=f"sqlite:///{tmp_path / 'other.sqlite3'}")
    assert command(other, "migrate").exit_code == 0
    assert "another installation" in command(other, "receipts", "prune", str(tmp_path / "backup")).output


def test_files_of_receipts_go_once_a_backup_of_postgresql_has_them(place: Place, tmp_path: Path) -> None:
    if place.settings.is_sqlite:
        pytest.skip("SQLite has a test of its own")
    world = begin(place.settings)
    assert spend(place.settings, world, "a") == [201]
    (today,) = folder_of(place.settings).iterdir()
    yesterday = today.rename(today.with_name(f"{timestamp(now() - 86_400)[:10]}.jsonl"))
    backup = place.restored(place.copy()).database_url
    assert spend(place.settings, world, "b") == [201]
    later = shutil.copy(today, today.with_name(f"{timestamp(now() - 2 * 86_400)[:10]}.jsonl"))
    done = command(place.settings, "receipts", "prune", backup)
    assert (done.exit_code, done.output) == (0, "1 files of receipts were deleted; 2 are left.\n")
    assert sorted(folder_of(place.settings).iterdir()) == [later, today]
    assert not yesterday.exists()


def test_readiness_names_a_full_disk_of_the_folder_until_there_is_room(place: Place) -> None:
    async def work(world: World) -> None:
        async with running(place.settings) as service:
            (file,) = folder_of(place.settings).iterdir()
            file.unlink()
            file.symlink_to("/dev/full")
            assert (await service.release(world.owner, world.dataset_id, "a")).status_code == 201
            (note,) = await notes_of(service)
            assert "folder of receipts is full" in note
            file.unlink()
            assert (await service.release(world.owner, world.dataset_id, "b")).status_code == 201
            assert await notes_of(service) == []
            kept = [json.loads(line) for line in file.read_text().splitlines() if line]
            assert len({each["body"]["release_id"] for each in kept}) == 2

    asyncio.run(work(begin(place.settings)))


def test_the_receipts_hold_no_counts(place: Place) -> None:
    world = begin(place.settings)
    assert spend(place.settings, world, "a") == [201]
    (file,) = folder_of(place.settings).iterdir()
    kept = [json.loads(line)["body"] for line in file.read_text().splitlines() if line]
    assert [each.get("entry_kind", each["kind"]) for each in kept] == [
        "budget_opened",
        "dataset_registered",
        "grant_opened",
        "budget_renamed",
        "private-posterior receipt 1",
    ]
    assert not any(str(each) in file.read_text() for each in (7_300_427_311, 913_377_551))
    assert file.parent.stat().st_mode & 0o777 == 0o700
