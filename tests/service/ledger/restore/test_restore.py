"""A restored database has lost charges: nothing is drawn before they are reconciled, and nothing is
drawn twice after.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text
from typer.testing import CliRunner, Result

from core.accounting.accountants import Cost
from core.privacy import Delta, Epsilon
from migrations.rights import SERVICE_ROLE
from service.cli.main import app
from service.console.spending import SpendingEntry
from service.database.engine import open_engine, reading, writing
from service.datasets.cipher import new_key
from service.errors import RestorePending
from service.ledger.database_state import read_heads
from service.ledger.debit import DebitHandler, Paid
from service.ledger.files import read_checkpoints
from service.ledger.receipts import Receipt, parse
from service.ledger.restore import gaps, notice, reconcile, write_offs
from service.ledger.restore.backup import BackupError, back_up
from service.ledger.restore.watch import watch
from service.ledger.verification import verify_database
from service.ledger.witness import Witness, receipts_beside
from service.schemas.principals import Role
from service.settings.settings import PREFIX, Settings, SettingsError
from tests.harness.bodies import budget_body
from tests.harness.in_process import Service, running
from tests.harness.installation import SIGNER, Installation, epsilon, install
from tests.harness.people import Person, person
from tests.harness.postgres import PostgresServer
from tests.harness.shared_postgres import OWNER
from tests.service.conftest import dataset_body

FORGOTTEN = 50


@dataclass(frozen=True, slots=True)
class Place:
    """A database that can be copied and gone back to, whatever it is; `copy` names a copy as it stands, and
    `restored` are the settings on one.
    """

    settings: Settings
    copy: Callable[[], str]
    restored: Callable[[str], Settings]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    base = Settings(
        counts_keys=f"k1:{new_key()}",
        receipt_key=new_key(),
        response_time_quantum_ms=0,
        rate_limit_per_minute=0,
        witness_file=str(tmp_path / "witness"),
    )
    if request.param == "sqlite":
        path = tmp_path / "posterior.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), path)

        def copy_file() -> str:
            with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(tmp_path / "copy")) as target:
                source.backup(target)
            return str(tmp_path / "copy")

        def restore_file(copy: str) -> Settings:
            for file in tmp_path.glob("posterior.sqlite3*"):
                file.unlink()
            shutil.copy(copy, path)
            return settings

        settings = replace(base, database_url=f"sqlite:///{path}")
        yield Place(settings, copy_file, restore_file)
        return
    cluster: PostgresServer = request.getfixturevalue("postgres")
    names = [cluster.create_database(template=request.getfixturevalue("migrated_postgres"), owner=OWNER)]

    def copy_database() -> str:
        with cluster.connect() as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [names[0]])
        names.append(cluster.create_database(template=names[0], owner=OWNER))
        return names[-1]

    def restore_database(copy: str) -> Settings:
        names.append(cluster.create_database(template=copy, owner=OWNER))
        return replace(base, database_url=cluster.url(names[-1], SERVICE_ROLE))

    yield Place(replace(base, database_url=cluster.url(names[0], SERVICE_ROLE)), copy_database, restore_database)
    for name in names:
        cluster.drop_database(name)


@dataclass(frozen=True, slots=True)
class World:
    """An owner with a data set, and an analyst whose grant in the restored backup is far smaller than the amount
    spent.
    """

    owner: Person
    analyst: Person
    budget_id: str
    dataset_id: str
    grant_id: str


async def furnish(service: Service, settings: Settings) -> World:
    owner, analyst = person(settings.database_url, Role.OWNER), person(settings.database_url, Role.ANALYST)
    dataset = await service.made(
        owner, "/v1/datasets", dataset_body(budget={"kind": "new", "budget": budget_body(epsilon="0.3")})
    )
    body = {"principal_id": analyst.principal_id, "epsilon": "0.1", "delta": "0"}
    grant = await service.made(owner, f"/v1/datasets/{dataset['id']}/grants", body)
    return World(owner, analyst, dataset["budget_id"], dataset["id"], grant["id"])


def command(settings: Settings, *arguments: str) -> Result:
    chosen = {"database_url", "counts_keys", "receipt_key", "witness_file"}
    return CliRunner().invoke(
        app, [*arguments], env={PREFIX + name.upper(): getattr(settings, name) for name in chosen}
    )


def drawn(settings: Settings) -> int:
    return count(settings, "SELECT count(*) FROM releases WHERE result IS NOT NULL")


def count(settings: Settings, statement: str) -> int:
    engine = open_engine(settings.database_url)
    with reading(engine) as connection:
        (value,) = connection.execute(text(statement)).one()
    engine.dispose()
    return int(value)


async def everything_forgotten_is_refused(service: Service, world: World, keys: list[str]) -> None:
    for key in keys:
        refused = await service.release(world.analyst, world.dataset_id, key)
        assert (refused.status_code, refused.json()["type"]) == (503, "/problems/restore-pending")
        assert refused.json()["charged"] is False


async def every_report_copes_with_lost_releases(service: Service, world: World) -> None:
    """3 releases that the backup has, FORGOTTEN that only their receipts prove, and 1 new one."""
    dataset = f"/v1/datasets/{world.dataset_id}"
    statement = (await service.send(world.owner, "GET", f"{dataset}/statement?limit=200")).json()
    assert statement["guarantee_to_date"]["epsilon"] == "0.54"
    stated = statement["releases"]["items"]
    assert len(stated) == 4 + FORGOTTEN
    listed = (
        await service.send(world.owner, "GET", f"/v1/releases?dataset_id={dataset.rpartition('/')[2]}&limit=200")
    ).json()["items"]
    for releases in (stated, listed):
        assert [each["state"] for each in releases].count("lost") == FORGOTTEN
        assert [each["mechanism"] for each in releases].count(None) == FORGOTTEN
    assert [each["certificate"] for each in stated].count(None) == FORGOTTEN
    ledger = (await service.send(world.owner, "GET", f"/v1/budgets/{world.budget_id}/ledger?limit=200")).json()["items"]
    found = [each for each in ledger if each["kind"] == "receipt_reconciled"]
    payers = [SpendingEntry(each, Decimal(0), Decimal(0)).payer for each in found]
    assert payers == [world.analyst.principal_id] * FORGOTTEN
    allowance = await service.send(world.analyst, "GET", f"{dataset}/allowance")
    assert allowance.status_code == 200, allowance.text


def test_after_a_restore_nothing_is_drawn_before_reconcile_and_nothing_twice_after(
    place: Place, tmp_path: Path
) -> None:
    """Backup, 50 releases after limit and grant were raised, restore, the same keys."""

    async def before() -> tuple[World, str]:
        async with running(place.settings) as service:
            world = await furnish(service, place.settings)
            for number in range(3):
                assert (await service.release(world.analyst, world.dataset_id, f"kept-{number}")).status_code == 201
        return world, place.copy()

    async def spend(world: World) -> list[dict[str, Any]]:
        async with running(place.settings) as service:
            assert (
                await service.send(world.owner, "PATCH", f"/v1/budgets/{world.budget_id}", {"epsilon": "1"})
            ).status_code == 200
            assert (
                await service.send(world.owner, "PATCH", f"/v1/grants/{world.grant_id}", {"epsilon": "0.9"})
            ).status_code == 200
            return [(await service.release(world.analyst, world.dataset_id, key)).json() for key in keys]

    async def stopped(settings: Settings, world: World) -> None:
        async with running(settings) as service:
            await everything_forgotten_is_refused(service, world, keys)
            assert (await service.release(world.analyst, world.dataset_id, "kept-1")).status_code == 201
            assert (
                await service.send(world.owner, "PATCH", f"/v1/datasets/{world.dataset_id}", {"counts": [1, 2]})
            ).status_code == 409
            budget = await service.send(world.owner, "GET", f"/v1/budgets/{world.budget_id}/ledger")
            notice = budget.json()["items"][-1]
            assert (notice["kind"], notice["detail"]) == (
                "restore_noticed",
                {"kept": 6, "witnessed": 6 + 2 + FORGOTTEN, "charges": FORGOTTEN},
            )

    async def going_on(settings: Settings, world: World) -> None:
        async with running(settings) as service:
            budget = f"/v1/budgets/{world.budget_id}"
            body = {"epsilon": "0", "delta": "0", "reason": "nothing is unknown"}
            first = await service.made(world.owner, f"{budget}/write-offs", body, key="w")
            assert first == await service.made(world.owner, f"{budget}/write-offs", body, key="w")
            done = command(settings, "ledger", "unfreeze")
            assert done.exit_code == 0, done.output
            assert "2 entries other than charges after the backup are lost" in done.output, "the raised limits"
            opened = await service.send(world.owner, "PATCH", budget, {"frozen": False})
            assert opened.status_code == 200, opened.text
            for key in keys:
                lost = await service.release(world.analyst, world.dataset_id, key)
                assert (lost.status_code, lost.json()["type"], lost.json()["charged"]) == (
                    410,
                    "/problems/release-lost",
                    True,
                )
            assert (await service.release(world.analyst, world.dataset_id, "new")).json()[
                "type"
            ] == "/problems/grant-exhausted"
            assert (await service.send(world.owner, "PATCH", budget, {"epsilon": "1"})).status_code == 200
            assert (
                await service.send(world.owner, "PATCH", f"/v1/grants/{world.grant_id}", {"epsilon": "0.9"})
            ).status_code == 200
            assert (await service.release(world.analyst, world.dataset_id, "new")).status_code == 201
            spent = (await service.send(world.owner, "GET", budget)).json()["spent"]
            assert spent["epsilon"] == "0.54"
            await every_report_copes_with_lost_releases(service, world)

    keys = [f"forgotten-{number}" for number in range(FORGOTTEN)]
    world, copy = asyncio.run(before())
    answers = asyncio.run(spend(world))
    restored = place.restored(copy)
    asyncio.run(stopped(restored, world))
    assert drawn(restored) == 3

    receipts = tmp_path / "answers.json"
    receipts.write_text(json.dumps(answers))
    first, second = (command(restored, "ledger", "reconcile", str(receipts)) for _ in range(2))
    assert first.exit_code == 0, first.output
    assert f"{FORGOTTEN} receipts forgotten, and now charged again" in first.output
    assert f"{FORGOTTEN} receipts already known" in second.output
    assert f"0 of the {FORGOTTEN} charges after the backup are unknown" in second.output, "the other two raised limits"
    asyncio.run(going_on(restored, world))
    assert drawn(restored) == 4

    engine = open_engine(restored.database_url)
    with reading(engine) as connection:
        findings = verify_database(connection, read_checkpoints([receipts], {}))
    engine.dispose()
    assert [finding.fault for finding in findings] == [None]


def test_a_marked_backup_is_stopped_without_any_witness(tmp_path: Path, migrated_sqlite: Path) -> None:
    path, copy = tmp_path / "posterior.sqlite3", tmp_path / "copy.sqlite3"
    shutil.copy(migrated_sqlite, path)
    settings = Settings(
        database_url=f"sqlite:///{path}",
        counts_keys=f"k1:{new_key()}",
        receipt_key=new_key(),
        response_time_quantum_ms=0,
    )

    async def release(on: Settings, world: World | None, key: str) -> tuple[World, int]:
        async with running(on) as service:
            world = world or await furnish(service, on)
            return world, (await service.release(world.owner, world.dataset_id, key)).status_code

    world, status = asyncio.run(release(settings, None, "one"))
    assert status == 201
    assert command(settings, "backup", str(copy)).exit_code == 0
    assert copy.stat().st_mode & 0o777 == 0o600
    assert command(settings, "backup", str(copy)).exit_code == 2
    on_copy = replace(settings, database_url=f"sqlite:///{copy}")
    assert asyncio.run(release(on_copy, world, "one"))[1] == 201
    assert asyncio.run(release(on_copy, world, "two"))[1] == 503
    assert asyncio.run(release(settings, world, "two"))[1] == 201
    said = command(on_copy, "ledger", "unfreeze")
    assert said.exit_code == 1
    assert "the number of entries after the backup is unknown" in said.output
    assert (
        "is frozen until its owner unfreezes it" in command(on_copy, "ledger", "unfreeze", "--freeze-unsettled").output
    )
    assert asyncio.run(release(on_copy, world, "three"))[1] == 409


# From here on without HTTP.


@pytest.fixture
def engine(place: Place) -> Iterator[Engine]:
    engine = open_engine(place.settings.database_url)
    yield engine
    engine.dispose()


def pay(engine: Engine, world: Installation, times: int = 1, witness: Witness | None = None) -> list[dict[str, Any]]:
    """Releases of the owner's; their signed receipts."""
    with writing(engine) as connection:
        debits = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(10)) for _ in range(times)]
        outcomes = DebitHandler(SIGNER, witness=witness)(connection, debits)
    assert all(isinstance(outcome, Paid) for outcome in outcomes)
    return [json.loads(outcome.row.receipt) for outcome in outcomes if isinstance(outcome, Paid)]


def book(engine: Engine, signed: dict[str, Any]) -> reconcile.Booked:
    with writing(engine) as connection:
        return reconcile.book_receipt(connection, parse(signed, Receipt), signed)


def state(engine: Engine, statement: str) -> Any:
    with reading(engine) as connection:
        return connection.execute(text(statement)).scalar()


def gap(engine: Engine, world: Installation) -> gaps.Gap:
    with reading(engine) as connection:
        (found,) = gaps.read_gaps(connection)[world.budget_id]
    return found


def gone_back(place: Place, engine: Engine, copy: str) -> Engine:
    engine.dispose()
    return open_engine(place.restored(copy).database_url)


def test_a_restart_without_a_restore_stops_nothing(place: Place, engine: Engine) -> None:
    world = install(engine, total=epsilon(1000))
    for _ in range(3):
        watch(engine, place.settings.witness)
        pay(engine, world)
    assert state(engine, "SELECT restore_pending_since FROM installation") is None
    pay(engine, world)


def test_releases_undrawn_at_the_backup_are_lost(place: Place, engine: Engine) -> None:
    world = install(engine, total=epsilon(1000))
    pay(engine, world)
    copy = place.copy()
    pay(engine, world)
    watch(engine, place.settings.witness)
    restored = gone_back(place, engine, copy)
    watch(restored, place.settings.witness)
    assert state(restored, "SELECT count(*) FROM releases WHERE state = 'lost'") == 1
    assert gap(restored, world).unknown == 1
    restored.dispose()


def test_a_restore_under_a_running_process_stops_the_next_debit(place: Place, engine: Engine) -> None:
    world = install(engine, total=epsilon(1000))
    before = world.debit(world.owner_id, world.dataset_ids[0], epsilon(10))
    with writing(engine) as connection:
        DebitHandler(SIGNER)(connection, [before])
    copy = place.copy()
    witness = Witness(None, "this")
    pay(engine, world)
    with reading(engine) as connection:
        witness.reset(connection)
    pay(engine, world, witness=witness)
    restored = gone_back(place, engine, copy)
    with writing(restored) as connection:
        fresh = world.debit(world.owner_id, world.dataset_ids[0], epsilon(10))
        refused, again = DebitHandler(SIGNER, witness=witness)(connection, [fresh, before])
    assert isinstance(refused, RestorePending)
    # What was paid before the backup is still known as paid; that it may have been drawn since is for `_take_lease` to
    # see.
    assert isinstance(again, Paid)
    assert (again.new, again.row.id) == (False, before.release_id)
    assert state(restored, "SELECT restore_pending_since FROM installation") is not None
    assert state(restored, "SELECT count(*) FROM releases") == 1
    restored.dispose()


def test_a_ledger_that_went_on_after_an_unnoticed_restore_is_noticed_by_its_hash(place: Place, engine: Engine) -> None:
    world = install(engine, total=epsilon(1000))
    copy = place.copy()
    pay(engine, world)
    watch(engine, place.settings.witness)
    restored = gone_back(place, engine, copy)
    pay(restored, world, times=3)
    with writing(restored) as connection:
        assert notice.notice_if_restored(
            connection, Witness.open(Path(place.settings.witness_file), identity(restored))
        )
    assert gap(restored, world).unknown is None
    restored.dispose()


def identity(engine: Engine) -> str:
    return str(state(engine, "SELECT identity FROM installation"))


def test_a_forgotten_receipt_alone_proves_the_restore(place: Place, engine: Engine) -> None:
    world = install(engine, total=epsilon(100))
    copy = place.copy()
    receipts = pay(engine, world, times=3)
    restored = gone_back(place, engine, copy)
    assert [book(restored, signed) for signed in receipts[1:]] == [reconcile.Booked.CHARGED] * 2
    assert book(restored, receipts[1]) is reconcile.Booked.KNOWN
    assert state(restored, "SELECT restore_pending_since FROM installation") is not None
    assert gap(restored, world).unknown == 0
    assert book(restored, receipts[0]) is reconcile.Booked.CHARGED
    assert gap(restored, world).reconciled == {3, 4, 5}
    assert state(restored, "SELECT epsilon_spent FROM budgets") == 30
    assert state(restored, "SELECT charged FROM datasets") == 1
    with reading(restored) as connection:
        assert verify_database(connection, [parse(signed, Receipt).head for signed in receipts])[0].fault is None
    restored.dispose()


def test_receipts_are_charged_also_where_the_restored_limit_is_too_small(place: Place, engine: Engine) -> None:
    world = install(engine, total=epsilon(15))
    copy = place.copy()
    with writing(engine) as connection:
        from service.ledger.budget_changes import BudgetChange, change_budget

        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(epsilon=Epsilon(1000)))
    receipts = pay(engine, world, times=4)
    restored = gone_back(place, engine, copy)
    assert [book(restored, signed) for signed in receipts] == [reconcile.Booked.CHARGED] * 4
    assert state(restored, "SELECT epsilon_spent FROM budgets") == 40
    assert (
        state(restored, "SELECT epsilon_limit FROM budgets")
        == state(restored, "SELECT guaranteed_epsilon FROM budgets")
        == 40
    )
    with reading(restored) as connection:
        (finding,) = verify_database(connection)
    assert finding.fault is None
    restored.dispose()


def test_a_receipt_of_a_forgotten_budget_has_nothing_to_be_charged_to(place: Place, engine: Engine) -> None:
    copy = place.copy()
    world = install(engine, total=epsilon(100))
    receipts = pay(engine, world)
    restored = gone_back(place, engine, copy)
    assert book(restored, receipts[0]) is reconcile.Booked.NO_BUDGET
    restored.dispose()


def test_a_second_machine_that_slept_through_a_restore_does_not_stop_it_again(
    place: Place, engine: Engine, tmp_path: Path
) -> None:
    world = install(engine, total=epsilon(100))
    copy = place.copy()
    receipts = pay(engine, world, times=2)
    watch(engine, place.settings.witness)
    shutil.copy(place.settings.witness_file, tmp_path / "second")
    restored = gone_back(place, engine, copy)
    on_restored = replace(place.settings, database_url=restored.url.render_as_string(hide_password=False))
    watch(restored, on_restored.witness)
    for signed in receipts:
        book(restored, signed)
    with writing(restored) as connection:
        assert gaps.unsettled(connection) == []
        gaps.end(connection)
    watch(restored, replace(on_restored, witness_file=str(tmp_path / "second")).witness)
    assert state(restored, "SELECT restore_pending_since FROM installation") is None
    pay(restored, world)
    restored.dispose()


def test_a_second_restore_is_noticed_like_the_first(place: Place, engine: Engine) -> None:
    world = install(engine, total=epsilon(1000))
    copy = place.copy()
    pay(engine, world, times=9)
    watch(engine, place.settings.witness)
    restored = gone_back(place, engine, copy)
    on_restored = replace(place.settings, database_url=restored.url.render_as_string(hide_password=False))
    watch(restored, on_restored.witness)
    with writing(restored) as connection:
        write_offs.write_off(
            connection,
            world.budget_id,
            owner=world.owner_id,
            idempotency_key="k",
            amount=epsilon(90),
            reason="all lost",
        )
        gaps.end(connection)
    watch(restored, on_restored.witness)
    with reading(restored) as connection:
        early = read_heads(connection)[world.budget_id]
    pay(restored, world, times=2)
    watch(restored, on_restored.witness)
    with reading(restored) as connection:
        now = read_heads(connection)[world.budget_id]
    witness = Witness(None, "this", restores=1, heads={world.budget_id: replace(now, sequence=now.sequence + 1)})
    assert early.sequence < now.sequence + 1 <= 12
    with writing(restored) as connection:
        assert notice.notice_if_restored(connection, witness)
    restored.dispose()


def test_a_second_restore_of_the_same_backup_ends_as_the_first_did_although_a_receipt_is_missing(place: Place) -> None:
    async def begin() -> World:
        async with running(place.settings) as service:
            return await furnish(service, place.settings)

    async def spend(settings: Settings, world: World, key: str) -> int:
        async with running(settings) as service:
            return (await service.release(world.owner, world.dataset_id, key)).status_code

    async def write_off(settings: Settings, world: World) -> None:
        async with running(settings) as service:
            body = {"epsilon": "0.01", "delta": "0", "reason": "the receipt is missing"}
            await service.made(world.owner, f"/v1/budgets/{world.budget_id}/write-offs", body, key="w")

    world = asyncio.run(begin())
    copy = place.copy()
    assert asyncio.run(spend(place.settings, world, "first")) == 201
    for key in ("second", "third"):
        restored = place.restored(copy)
        asyncio.run(write_off(restored, world))
        for file in receipts_beside(Path(restored.witness_file)).iterdir():
            lines = file.read_text().splitlines(keepends=True)
            file.write_text("".join(line for line in lines if "private-posterior receipt 1" not in line))
        assert command(restored, "ledger", "reconcile").exit_code == 0
        done = command(restored, "ledger", "unfreeze")
        assert (done.exit_code, done.output) == (0, "Releases are possible again.\n")
        assert asyncio.run(spend(restored, world, key)) == 201


def test_a_write_off_is_booked_once_and_never_beyond_what_remains(place: Place, engine: Engine) -> None:
    from service.errors import IdempotencyKeyReused, InvalidRequest

    world = install(engine, total=epsilon(100))

    def write_off(amount: Cost, key: str) -> Any:
        with writing(engine) as connection:
            return write_offs.write_off(
                connection, world.budget_id, owner=world.owner_id, idempotency_key=key, amount=amount, reason="unknown"
            )

    first = write_off(epsilon(60), "one")
    assert write_off(epsilon(60), "one") == first._replace(replayed=True)
    with pytest.raises(IdempotencyKeyReused):
        write_off(epsilon(61), "one")
    with pytest.raises(InvalidRequest):
        write_off(epsilon(41), "two")
    with pytest.raises(InvalidRequest):
        write_off(Cost(delta=Delta(1)), "two")
    write_off(epsilon(40), "two")
    assert state(engine, "SELECT epsilon_spent FROM budgets") == 100


def test_the_witness_refuses_another_database_and_what_is_no_witness(tmp_path: Path) -> None:
    path = tmp_path / "witness"
    path.write_text("{}")
    with pytest.raises(SettingsError, match="not a witness"):
        Witness.open(path, "this")
    path.write_text(
        json.dumps({"kind": "private-posterior witness 1", "installation": "other", "restores": 0, "heads": {}})
    )
    with pytest.raises(SettingsError, match="another database"):
        Witness.open(path, "this")


def test_heads_that_could_not_be_written_are_written_later(engine: Engine, tmp_path: Path) -> None:
    world = install(engine, total=epsilon(100))
    in_the_way = tmp_path / "in the way"
    in_the_way.touch()
    witness = Witness(in_the_way / "witness", identity(engine))
    with reading(engine) as connection:
        with pytest.raises(SettingsError, match="can't be written"):
            witness.reset(connection)
        in_the_way.unlink()
        in_the_way.mkdir()
        witness.reset(connection)
    assert world.budget_id in Witness.open(in_the_way / "witness", identity(engine)).heads


def test_a_copy_is_never_made_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    with pytest.raises(BackupError, match="exists"):
        back_up(tmp_path / "there", tmp_path / "there")
    with pytest.raises(BackupError, match="no database"):
        back_up(tmp_path / "missing", tmp_path / "copy")
