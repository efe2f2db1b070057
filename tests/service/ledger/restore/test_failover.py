"""A standby takes over: answers stay true, and after lost charges nothing is released until they are accounted for."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from service.database.engine import open_engine, reading, writing
from service.database.rows import ReleaseRow
from service.errors import FailoverPending
from service.ledger.chain import Head
from service.ledger.database_state import is_restore_pending, read_heads, read_timeline
from service.ledger.debit import DebitHandler, Paid
from service.ledger.restore import gaps, notice, watch
from service.ledger.witness import ResultStored, Witness
from service.releases.results import store_outcomes, take_lease
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE
from tests.harness.installation import SIGNER, audit, epsilon, install, outcome, store_answers
from tests.harness.people import person
from tests.harness.process import Process
from tests.harness.replicated import Replicated, replicated
from tests.harness.studies import RegisteredStudy, register, release
from tests.harness.thread import ServiceThread


def ask(server: Process | ServiceThread, study: RegisteredStudy, key: str, epsilon: str) -> httpx.Response:
    with study.owner.client(server.url) as client:
        return release(client, study.dataset_id, key, epsilon=epsilon)


def start(pair: Replicated, server: Process | ServiceThread) -> RegisteredStudy:
    engine = open_engine(pair.url_of(pair.primary))
    owner = person(engine, Role.OWNER)
    engine.dispose()
    return register(server.url, owner, epsilon="1")


def until_answered(server: Process | ServiceThread, study: RegisteredStudy, key: str, epsilon: str) -> httpx.Response:
    """The first answer that is not a temporary failure, within a minute."""
    deadline = time.monotonic() + PATIENCE
    passing = {f"/problems/{code}" for code in ("database-unavailable", "failover-pending", "outcome-unknown")}
    while (answer := ask(server, study, key, epsilon)).json().get("type") in passing and time.monotonic() < deadline:
        time.sleep(0.2)
    return answer


@pytest.fixture
def lagging() -> Iterator[Replicated]:
    with replicated(synchronous=False) as pair:
        yield pair


def lose_what_follows(pair: Replicated) -> None:
    """From now on nothing reaches the standby, until it takes over."""
    pair.standby.stop()


def take_over(pair: Replicated) -> None:
    pair.proxy.target = None
    pair.primary.kill()
    pair.standby.start()
    pair.standby.promote()
    pair.proxy.target = pair.standby.directory
    pair.proxy.cut()


def let_replicate(pair: Replicated) -> None:
    """Waits until the standby has all commits."""
    with pair.primary.connect() as primary, pair.standby.connect() as standby:
        (sent,) = primary.execute("SELECT pg_current_wal_lsn()").fetchone() or ("",)
        while standby.execute("SELECT pg_last_wal_replay_lsn() < %s::pg_lsn", [sent]).fetchone() == (True,):
            time.sleep(0.05)


def test_a_running_process_stops_after_a_failover_that_lost_its_charges(lagging: Replicated) -> None:
    with ServiceThread(lagging.url, response_time_quantum_ms="0") as server:
        study = start(lagging, server)
        let_replicate(lagging)
        lose_what_follows(lagging)
        assert ask(server, study, "lost", "0.7").status_code == 201
        take_over(lagging)
        for key, amount in (("lost", "0.7"), ("more", "0.3"), ("lost", "0.7")):
            assert until_answered(server, study, key, amount).json()["type"] == "/problems/restore-pending"
    engine = open_engine(lagging.url_of(lagging.standby))
    with reading(engine) as connection:
        assert is_restore_pending(connection)
        (gap,) = gaps.read_gaps(connection)[study.budget_id]
    assert gap.unknown == 1
    engine.dispose()


@pytest.mark.long
def test_a_process_that_starts_after_such_a_failover_stops_by_what_the_journal_holds(
    lagging: Replicated, tmp_path: Path
) -> None:
    witness = str(tmp_path / "witness")
    with Process(lagging.url, response_time_quantum_ms="0", witness_file=witness) as server:
        study = start(lagging, server)
        let_replicate(lagging)
        lose_what_follows(lagging)
        assert ask(server, study, "lost", "0.7").status_code == 201
        server.stop(signal.SIGKILL)
    take_over(lagging)
    with Process(lagging.url, response_time_quantum_ms="0", witness_file=witness) as server:
        assert any("restored from a backup" in line for line in server.log.read_text().splitlines())
        for key, amount in (("lost", "0.7"), ("more", "0.3")):
            assert until_answered(server, study, key, amount).json()["type"] == "/problems/restore-pending"


@pytest.mark.long
def test_a_failover_to_a_synchronous_standby_loses_nothing_and_stops_nobody_for_long() -> None:
    with replicated(synchronous=True) as pair, Process(pair.url, response_time_quantum_ms="0") as server:
        study = start(pair, server)
        before = ask(server, study, "kept", "0.7")
        assert before.status_code == 201
        pair.fail_over()
        again = until_answered(server, study, "kept", "0.7")
        assert (again.status_code, again.content) == (201, before.content)
        fits = until_answered(server, study, "fits", "0.3")
        assert fits.status_code == 201, fits.text
        assert until_answered(server, study, "no-more", "0.1").json()["type"] == "/problems/budget-exhausted"
        engine = open_engine(pair.url_of(pair.standby))
        assert audit(engine, study.budget_id).release_count == 2
        engine.dispose()


def test_on_a_new_timeline_nothing_is_paid_or_drawn_until_the_ledgers_are_compared(engine: Engine) -> None:
    world = install(engine, total=epsilon(100))
    witness = Witness(None, "this")
    pay = DebitHandler(SIGNER, witness)
    debits = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(10)) for _ in range(2)]
    with writing(engine) as connection:
        timeline = read_timeline(connection)
        (paid,) = pay(connection, debits[:1])
        assert isinstance(paid, Paid)
        witness.timeline = "another"
        (again, refused) = pay(connection, debits)
        assert isinstance(again, Paid)
        assert isinstance(refused, FailoverPending)
        assert take_lease(connection, paid.row.id, 60, witness) is None
        witness.mark_verified(timeline)
        assert isinstance(pay(connection, debits)[1], Paid)
        assert take_lease(connection, paid.row.id, 60, witness) is not None


def test_an_answered_result_missing_from_the_database_reveals_the_loss(engine: Engine) -> None:
    """A failover can lose the result, which was committed last, and keep its charge. If it were drawn again, one key
    would have two answers.
    """
    world = install(engine, total=epsilon(100))
    witness = Witness(None, "this")
    with writing(engine) as connection:
        kept, lost = DebitHandler(SIGNER)(
            connection, [world.debit(world.owner_id, world.dataset_ids[0], epsilon(10)) for _ in range(2)]
        )
    assert isinstance(kept, Paid)
    assert isinstance(lost, Paid)
    with writing(engine) as connection:
        store_answers(connection, {kept.row.id: "{}"})
    witness.on_commit([ResultStored(kept.row.id)])
    with writing(engine) as connection:
        assert not notice.notice_if_restored(connection, witness)
    witness.on_commit([ResultStored(lost.row.id)])
    with writing(engine) as connection:
        assert notice.notice_if_restored(connection, witness)
        (stored,) = store_outcomes(connection, [outcome(lost.row.id, answer="{}")])
        assert isinstance(stored, ReleaseRow)
        assert stored.state == "lost"


def test_the_journal_outlives_a_torn_line_and_is_folded_into_the_file(engine: Engine, tmp_path: Path) -> None:
    world = install(engine, total=epsilon(100))
    witness = Witness.open(tmp_path / "witness", "this")
    with reading(engine) as connection:
        witness.reset(connection)
    (head,) = witness.heads.values()
    assert head.budget_id == world.budget_id
    journal = tmp_path / "witness.journal"
    ends = [type(head)(head.budget_id, head.sequence + ahead, f"{ahead:064}") for ahead in (1, 2)]
    witness.on_commit([ends[0], ResultStored("rel_one")])
    with journal.open("a") as file:
        file.write('{"kind": "private-post')
    witness.on_commit([ends[1], ResultStored("rel_two")])
    for _ in range(2):
        again = Witness.open(tmp_path / "witness", "this")
        assert again.heads[head.budget_id] == ends[1]
        assert list(again.returned) == ["rel_one", "rel_two"]
        again.compact()
        assert not journal.read_text()
    assert json.loads((tmp_path / "witness").read_text())["heads"][head.budget_id][0] == ends[1].sequence


def test_no_result_returned_during_compaction_is_lost(tmp_path: Path) -> None:
    path, done = tmp_path / "witness", threading.Event()
    returning, compacting = (Witness.open(path, "this", sync=False) for _ in range(2))

    def return_results(budget_id: str) -> None:
        for sequence in range(1, 301):
            returning.on_commit([Head(budget_id, sequence, f"{sequence:064}"), ResultStored(f"{budget_id} {sequence}")])
            if sequence % 50 == 0:
                returning.compact()

    def compact() -> int:
        folds = 0
        while not done.is_set() or folds < 2:
            compacting.compact()
            folds += 1
        return folds

    with ThreadPoolExecutor(4) as threads:
        others = threads.submit(compact)
        for each in [threads.submit(return_results, budget_id) for budget_id in ("one", "two", "three")]:
            each.result()
        done.set()
        assert others.result() > 1
    known = Witness.open(path, "this")
    assert {each.budget_id: each.sequence for each in known.heads.values()} == {"one": 300, "two": 300, "three": 300}
    assert {f"{budget_id} {sequence}" for budget_id in known.heads for sequence in range(1, 301)} == set(known.returned)


def test_charges_go_on_while_the_witness_writes_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    witness, others = (Witness.open(tmp_path / "witness", "this", sync=False) for _ in range(2))
    replace = Witness._replace

    def slowly(self: Witness, path: Path, content: dict[str, Any]) -> None:
        for each in (witness, others):
            each.on_commit([Head("during", 1, "0" * 64), ResultStored(f"of {id(each)}")])
        others.compact()
        replace(self, path, content)

    monkeypatch.setattr(Witness, "_replace", slowly)
    witness.compact()
    assert set(Witness.open(tmp_path / "witness", "this").returned) == {f"of {id(each)}" for each in (witness, others)}


@pytest.mark.parametrize("place", [0, 2, 4, None], ids=["first", "middle", "last", "unknown"])
def test_every_budget_has_its_turn_to_be_looked_at(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, place: int | None
) -> None:
    monkeypatch.setattr(watch, "_BUDGETS_AT_ONCE", 2)
    for _ in range(5):
        install(engine, total=epsilon(100))
    witness = Witness(None, "this")

    def look_at_all() -> bool:
        watch.look(engine, witness)
        while witness.cursor:
            watch.look(engine, witness)
        with reading(engine) as connection:
            return is_restore_pending(connection)

    assert not look_at_all()
    with reading(engine) as connection:
        assert witness.heads == read_heads(connection)
    known = Head("bud_zz", 0, "") if place is None else witness.heads[sorted(witness.heads)[place]]
    witness.record_heads([Head(known.budget_id, known.sequence + 1, "0" * 64)])
    assert look_at_all()
