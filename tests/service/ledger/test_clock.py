"""Clocks that are ahead, behind, and right again: what is charged, and which keys, grants, sessions and tokens hold."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Engine, select
from typer.testing import CliRunner

from core.accounting.accountants import NOTHING, BudgetTerms
from core.privacy import Delta, Epsilon
from service import errors
from service.cli.main import app
from service.database.engine import reading, writing
from service.database.tables import entries
from service.datasets.cipher import new_key
from service.errors import Problem
from service.identifiers import identifiers
from service.ledger import budget_changes as ledger
from service.ledger.budget_changes import BudgetChange
from service.ledger.clock import confirm
from service.ledger.debit import DebitHandler, Paid
from service.ledger.restore.watch import look
from service.ledger.verification import verify_database
from service.ledger.witness import Witness, open_witness
from service.principals.auth import COMMAND_LINE, Caller, authenticate, hash_key
from service.principals.enrolment import exchange, issue_token
from service.principals.keys import add_key, create_key
from service.principals.people import create_principal
from service.schemas.principals import Role
from service.settings.settings import Settings, WitnessSettings
from tests.harness.in_process import notes_of, running
from tests.harness.installation import SIGNER, Installation, audit, epsilon, install

if TYPE_CHECKING:
    from collections.abc import Callable

MINUTE, DAY = 60, 86_400


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the system's clock to a number of seconds after now."""
    real = time.time

    def shift(seconds: int) -> None:
        monkeypatch.setattr(identifiers, "time", SimpleNamespace(time=lambda: real() + seconds))

    return shift


def witness_of(engine: Engine, folder: Path) -> Witness:
    """A witness that has looked at the database."""
    with reading(engine) as connection:
        witness = open_witness(connection, WitnessSettings(folder / "witness", sync=True))
        witness.reset(connection)
    look(engine, witness)
    return witness


def pay(
    engine: Engine, world: Installation, *, key: str = "", by_analyst: bool = False, witness: Witness | None = None
) -> Paid | Problem:
    who = world.analyst_ids[0] if by_analyst else world.owner_id
    debit = world.debit(who, world.dataset_ids[0], epsilon(1))
    with writing(engine) as connection:
        (outcome,) = DebitHandler(SIGNER, witness)(connection, [replace(debit, key_id=key) if key else debit])
    return outcome


def session_of(engine: Engine, world: Installation, ends_in: int) -> Caller:
    """A key of the owner's with an end, as a session of the console has one."""
    with writing(engine) as connection:
        ends = identifiers.now() + ends_in
        key_id, _ = add_key(connection, world.owner_id, issued_by=world.owner_id, expires_at=ends)
    return Caller(world.owner_id, Role.OWNER, key_id, is_session=True)


def freeze(engine: Engine, world: Installation, caller: Caller) -> None:
    with writing(engine) as connection:
        ledger.change_budget(connection, world.budget_id, caller, BudgetChange(frozen=True))


def set_end(engine: Engine, world: Installation, ends_at: int) -> None:
    with writing(engine) as connection:
        ledger.change_grant(
            connection, budget_id=world.budget_id, grant_id=next(iter(world.grant_ids.values())), owner=world.owner_id,
            cap=None, closed=None, expires_at=ends_at,
        )  # fmt: skip


def confirmed(engine: Engine) -> int:
    with writing(engine) as connection:
        return confirm(connection)


def test_a_release_of_a_clock_that_was_ahead_locks_no_key_and_no_grant_once_the_clock_is_confirmed(
    engine: Engine, clock: Callable[[int], None]
) -> None:
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    set_end(engine, world, identifiers.now() + 7 * DAY)
    clock(30 * DAY)
    assert isinstance(pay(engine, world), Paid), "no witness has seen the right time"
    clock(0)
    session = session_of(engine, world, ends_in=8 * 60 * MINUTE)
    freeze(engine, world, session)
    with writing(engine) as connection:
        ledger.change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=False))
    assert isinstance(pay(engine, world), errors.ClockUnconfirmed)
    with pytest.raises(errors.InvalidRequest, match="invalid-request") as refused:
        set_end(engine, world, identifiers.now() + 8 * DAY)
    assert "must be after the time of the budget's ledger, 20" in str(refused.value.errors)
    assert confirmed(engine) == 1
    assert isinstance(pay(engine, world, by_analyst=True), Paid)
    assert isinstance(pay(engine, world, key=session.key_id), Paid)
    set_end(engine, world, identifiers.now() + 8 * DAY)
    with reading(engine) as connection:
        kinds = connection.execute(select(entries.c.kind).order_by(entries.c.sequence)).scalars().all()
        assert kinds.count("clock_confirmed") == 1
        assert [each.fault for each in verify_database(connection)] == [None]
    assert confirmed(engine) == 0


def test_a_clock_far_ahead_of_ledger_and_witness_charges_nothing(
    engine: Engine, clock: Callable[[int], None], tmp_path: Path
) -> None:
    world = install(engine, total=epsilon(100))
    witness = witness_of(engine, tmp_path)
    clock(13 * DAY)
    assert isinstance(pay(engine, world, witness=witness), Paid)
    for days in (30, 60):
        clock(days * DAY)
        look(engine, witness)
        assert witness.clock_is_doubtful
        assert isinstance(pay(engine, world, witness=witness), errors.ClockUnconfirmed)
        restarted = Witness.open(tmp_path / "witness", witness.identity)
        assert isinstance(pay(engine, world, witness=restarted), errors.ClockUnconfirmed)
    clock(13 * DAY)
    look(engine, witness)
    assert not witness.clock_is_doubtful
    assert isinstance(pay(engine, world, witness=witness), Paid)
    clock(60 * DAY)
    assert confirmed(engine) == 1
    look(engine, witness)
    assert not witness.clock_is_doubtful
    assert isinstance(pay(engine, world, witness=witness), Paid)
    assert audit(engine, world.budget_id).spent == epsilon(3)


def test_an_act_that_charges_nothing_does_not_confirm_a_clock_that_is_ahead(
    engine: Engine, clock: Callable[[int], None], tmp_path: Path
) -> None:
    world = install(engine, total=epsilon(100))
    witness = witness_of(engine, tmp_path)
    clock(30 * DAY)
    with writing(engine) as connection:
        ledger.change_budget(connection, world.budget_id, world.owner_id, BudgetChange(name="another"))
    assert isinstance(pay(engine, world, witness=witness), errors.ClockUnconfirmed)
    look(engine, witness)
    assert witness.clock_is_doubtful
    assert isinstance(pay(engine, world, witness=witness), errors.ClockUnconfirmed)
    assert confirmed(engine) == 1
    look(engine, witness)
    assert not witness.clock_is_doubtful
    assert isinstance(pay(engine, world, witness=witness), Paid)


def test_a_clock_behind_the_ledger_revives_no_ended_key_and_no_ended_grant_for_a_release(
    engine: Engine, clock: Callable[[int], None]
) -> None:
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    session = session_of(engine, world, ends_in=2 * MINUTE)
    set_end(engine, world, identifiers.now() + 2 * MINUTE)
    clock(3 * MINUTE)
    assert isinstance(pay(engine, world), Paid)
    assert isinstance(pay(engine, world, key=session.key_id), errors.Unauthenticated)
    clock(-10 * MINUTE)
    assert isinstance(pay(engine, world, key=session.key_id), errors.ClockUnconfirmed)
    assert isinstance(pay(engine, world, by_analyst=True), errors.ClockUnconfirmed)
    clock(0)
    assert isinstance(pay(engine, world, by_analyst=True), errors.GrantExpired), "minutes keep an ended grant ended"
    freeze(engine, world, session)


def test_what_was_paid_is_answered_again_whatever_the_clock_says(engine: Engine, clock: Callable[[int], None]) -> None:
    world = install(engine, total=epsilon(100))
    debit = world.debit(world.owner_id, world.dataset_ids[0], NOTHING, key="k")
    handler = DebitHandler(SIGNER)
    with writing(engine) as connection:
        (first,) = handler(connection, [debit])
    clock(-60 * MINUTE)
    with writing(engine) as connection:
        (again,) = handler(connection, [replace(debit, release_id="rel_another")])
    assert isinstance(first, Paid)
    assert isinstance(again, Paid)
    assert (again.new, again.row.id) == (False, first.row.id)


def test_keys_sessions_and_tokens_end_by_the_clock_alone(engine: Engine, clock: Callable[[int], None]) -> None:
    world = install(engine, total=epsilon(100))
    with writing(engine) as connection:
        _, secret = create_key(connection, world.owner_id, issued_by=world.owner_id, expires_in_days=1)
        newcomer = create_principal(connection, Role.ANALYST, "newcomer")
        token = issue_token(connection, newcomer, by=COMMAND_LINE)
    clock(30 * DAY)
    pay(engine, world)
    with reading(engine) as connection, pytest.raises(errors.Unauthenticated):
        authenticate(connection, hash_key(secret.key))
    with writing(engine) as connection, pytest.raises(Problem):
        exchange(connection, token.token, expires_at=None, recovery_days=7)
    clock(0)
    with reading(engine) as connection:
        assert authenticate(connection, hash_key(secret.key)).principal_id == world.owner_id
    with writing(engine) as connection:
        exchange(connection, token.token, expires_at=None, recovery_days=7)


def test_readiness_names_a_clock_that_contradicts_a_ledger_until_the_operator_confirms_it(
    database_url: str, engine: Engine, clock: Callable[[int], None], tmp_path: Path
) -> None:
    clock(30 * DAY)
    with writing(engine) as connection:
        owner_id = create_principal(connection, Role.OWNER, "owner")
        terms = BudgetTerms.basic(Epsilon(100), Delta(0))
        ledger.open_budget(connection, owner=owner_id, name="budget", terms=terms)
    clock(0)
    settings = Settings(
        database_url=database_url, counts_keys=f"k1:{new_key()}", receipt_key=new_key(),
        response_time_quantum_ms=0, witness_file=str(tmp_path / "witness"),
    )  # fmt: skip

    async def notes() -> list[str]:
        async with running(settings) as service:
            await service.http._transport.app.state.runtime.database.record_heads()  # type: ignore[attr-defined]
            return await notes_of(service)

    assert ["confirm-clock" in each for each in asyncio.run(notes())] == [True]
    environment = {
        "POSTERIOR_DATABASE_URL": database_url, "POSTERIOR_COUNTS_KEYS": settings.counts_keys,
        "POSTERIOR_RECEIPT_KEY": settings.receipt_key, "POSTERIOR_WITNESS_FILE": settings.witness_file,
    }  # fmt: skip
    done = CliRunner().invoke(app, ["ledger", "confirm-clock"], env=environment)
    assert done.exit_code == 0, done.output
    assert "It is confirmed in 1 ledgers that it contradicted." in done.output
    assert asyncio.run(notes()) == []
