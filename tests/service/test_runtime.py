"""What the runtime promises to whoever waits for it."""

from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import Connection, text

from service.errors import ShuttingDown
from service.runtime import Runtime
from service.settings import Settings
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY


@pytest.mark.parametrize("turns", range(8))
def test_a_read_that_is_cancelled_as_it_ends_is_cancelled(database_url: str, turns: int) -> None:
    """Whichever turn of the event loop the cancellation comes in: a loop that it ends would go on otherwise, and the
    process never stop.
    """

    def one(connection: Connection) -> int:
        return int(connection.execute(text("SELECT 1")).scalar_one())

    async def story() -> None:
        runtime = Runtime.start(Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY))
        try:
            task = asyncio.create_task(runtime.read(one))
            await asyncio.sleep(0)
            time.sleep(0.1)  # noqa: ASYNC251  the read ends meanwhile, and the loop has not heard of it
            for _ in range(turns):
                await asyncio.sleep(0)
            if task.cancel():
                with pytest.raises(asyncio.CancelledError):
                    await task
            else:
                assert await task == 1
        finally:
            await asyncio.to_thread(runtime.close)

    asyncio.run(story())


@pytest.mark.parametrize("stops_first", [False, True])
def test_a_process_that_stops_neither_waits_for_free_computations_nor_begins_long_ones(
    database_url: str, *, stops_first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.runtime._CLOSING_SECONDS", 0.2)

    async def story() -> list[type]:
        runtime = Runtime.start(Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY))

        async def slow_draw(principal_id: str, *, held: asyncio.Event) -> None:
            async with runtime.draw_processes.places(1.0).place(principal_id):
                held.set()
                await asyncio.sleep(600)

        try:
            held = asyncio.Event()
            paid = [asyncio.create_task(slow_draw(each, held=held)) for each in ("a", "b")]
            await held.wait()
            if stops_first:
                runtime.take_no_more()
            free = [runtime.compute("a", "tests.harness.computing:sleep_for_ever", "") for _ in range(3)]
            asked = [asyncio.create_task(each) for each in (*free, slow_draw("a", held=held))]
            await asyncio.wait(asked, timeout=0.5)
            runtime.take_no_more()
            told = await asyncio.gather(*asked, return_exceptions=True)
            assert not any(each.done() for each in paid), "what is paid is drawn"
            for each in paid:
                each.cancel()
            return [type(each) for each in told]
        finally:
            await runtime.processes.close()
            await asyncio.to_thread(runtime.close)

    assert asyncio.run(story()) == [ShuttingDown] * 4
