"""The writer thread survives cancelled callers, and reports no outcome that is not durable."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, insert, select

from service.database.engine import open_engine, reading, writing
from service.database.tables import principals
from service.database.writer import Writer
from service.errors import DatabaseUnavailable, NotFound, Problem
from tests.harness.deadlines import PATIENCE


def test_a_caller_who_goes_away_stops_neither_the_job_nor_the_thread(engine: Engine) -> None:
    gate, ran, sizes = threading.Event(), list[str](), list[int]()

    def wait(_: Connection, items: Sequence[str]) -> list[bool]:
        return [gate.wait(PATIENCE) for _ in items]

    def note(_: Connection, items: Sequence[str]) -> list[str]:
        ran.extend(items)
        return list(items)

    writer = Writer(engine, committed=lambda count, _: sizes.append(count))
    first = writer.submit(wait, "first")
    abandoned, last = writer.submit(note, "abandoned"), writer.submit(note, "last")
    assert not abandoned.cancel()
    gate.set()
    assert first.result(timeout=PATIENCE)
    assert last.result(timeout=PATIENCE) == "last"
    assert writer.submit(note, "later").result(timeout=PATIENCE) == "later"
    writer.close()
    assert ran == ["abandoned", "last", "later"]
    assert sum(sizes) == 4


def closed(writer: Writer) -> threading.Event:
    """A gate before all later jobs: it holds one batch until it is set."""
    gate, reached = threading.Event(), threading.Event()

    def wait(_: Connection, items: Sequence[None]) -> list[bool]:
        reached.set()
        return [gate.wait(PATIENCE) for _ in items]

    writer.submit(wait, None)
    assert reached.wait(PATIENCE)
    return gate


def put(connection: Connection, items: Sequence[str]) -> list[str | Problem]:
    """Creates principals with these ids; "nobody" is refused."""
    wanted = [item for item in items if item != "nobody"]
    if wanted:
        row = {"role": "owner", "created_at": 1, "created_nanoseconds": 1, "sequence": 0}
        connection.execute(insert(principals), [row | {"id": each} for each in wanted])
    return [NotFound() if item == "nobody" else item for item in items]


def test_coroutines_get_values_and_problems_of_one_transaction(engine: Engine) -> None:
    sizes = list[int]()
    writer = Writer(engine, committed=lambda count, _: sizes.append(count))
    gate = closed(writer)

    async def story() -> list[str | BaseException]:
        jobs = [asyncio.ensure_future(writer.perform(put, each)) for each in ("one", "nobody", "two")]
        await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*jobs, return_exceptions=True)

    one, nobody, two = asyncio.run(story())
    writer.close()
    assert (one, two) == ("one", "two")
    assert isinstance(nobody, NotFound)
    assert sizes == [1, 3]


def test_a_coroutine_that_stops_waiting_stops_neither_its_job_nor_the_others(engine: Engine) -> None:
    writer = Writer(engine)
    gate = closed(writer)

    async def story() -> str:
        gone = asyncio.ensure_future(writer.perform(put, "gone"))
        stays = asyncio.ensure_future(writer.perform(put, "stays"))
        await asyncio.sleep(0)
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await gone
        gate.set()
        return await stays

    assert asyncio.run(story()) == "stays"
    writer.close()
    with reading(engine) as connection:
        assert set(connection.execute(select(principals.c.id)).scalars()) == {"gone", "stays"}


def test_an_outcome_is_delivered_before_the_next_transaction_ends(engine: Engine) -> None:
    writer = Writer(engine)
    gate, second_gate = closed(writer), threading.Event()

    def wait(_: Connection, items: Sequence[None]) -> list[bool]:
        return [second_gate.wait(PATIENCE) for _ in items]

    first, second = writer.submit(put, "first"), writer.submit(wait, None, alone=True)
    gate.set()
    assert first.result(timeout=PATIENCE) == "first"
    assert not second.done()
    second_gate.set()
    assert second.result(timeout=PATIENCE)
    writer.close()


def test_a_loop_that_ended_stops_nobody_else(engine: Engine) -> None:
    writer = Writer(engine)
    gate = closed(writer)

    async def leave() -> None:
        job = asyncio.ensure_future(writer.perform(put, "left"))
        await asyncio.sleep(0)
        job.cancel()

    asyncio.run(leave())
    last = writer.submit(put, "last")
    gate.set()
    assert last.result(timeout=PATIENCE) == "last"
    writer.close()


async def after_turns(turns: int, writer: Writer, item: str) -> str:
    for _ in range(turns):
        await asyncio.sleep(0)
    return await writer.perform(put, item)


def test_jobs_that_come_in_one_turn_of_a_loop_after_another_share_a_transaction(engine: Engine) -> None:
    sizes = list[int]()
    writer = Writer(engine, committed=lambda count, _: sizes.append(count))

    async def story() -> list[str]:
        return await asyncio.gather(*(after_turns(number, writer, str(number)) for number in range(5)))

    assert asyncio.run(story()) == list("01234")
    writer.close()
    assert sizes == [5]


def test_a_batch_that_is_full_waits_for_no_more_and_none_is_larger(engine: Engine) -> None:
    sizes = list[int]()
    writer = Writer(engine, batch_size=2, committed=lambda count, _: sizes.append(count))

    async def story() -> list[str]:
        return await asyncio.gather(*(after_turns(number // 3, writer, str(number)) for number in range(7)))

    assert asyncio.run(story()) == list("0123456")
    writer.close()
    assert sum(sizes) == 7
    assert max(sizes) == 2


def test_closing_commits_what_a_loop_had_not_handed_over_yet(engine: Engine) -> None:
    writer = Writer(engine)

    async def story() -> str:
        job = asyncio.ensure_future(writer.perform(put, "one"))
        await asyncio.sleep(0)
        writer.close()
        return await job

    assert asyncio.run(story()) == "one"


def test_one_bad_item_spoils_nothing_for_the_others_of_its_batch(engine: Engine) -> None:
    writer = Writer(engine)
    gate = closed(writer)
    jobs = [writer.submit(put, each) for each in ("one", "two", "one", "three")]
    gate.set()
    outcomes = [job.exception(timeout=PATIENCE) for job in jobs]
    writer.close()
    assert [outcome is None for outcome in outcomes] == [True, True, False, True]


def test_a_lock_on_sqlite_is_awaited_as_long_as_the_page_says(migrated_sqlite: Path, tmp_path: Path) -> None:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    engine, other = open_engine(f"sqlite:///{path}", 6), open_engine(f"sqlite:///{path}")
    writer = Writer(engine)
    with writing(other):
        began = time.monotonic()
        with pytest.raises(DatabaseUnavailable):
            writer.submit(lambda _, items: list(items), 1).result()
        assert time.monotonic() - began >= 4
    assert writer.submit(lambda _, items: list(items), 1).result() == 1
    writer.close()
    for each in (engine, other):
        each.dispose()
