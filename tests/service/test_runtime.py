"""The promises of the runtime to its callers."""

from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import Connection, text

from service.runtime.runtime import Runtime
from service.settings.settings import Settings
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY


@pytest.mark.parametrize("turns", range(8))
def test_a_read_that_is_cancelled_as_it_ends_is_cancelled(database_url: str, turns: int) -> None:
    """In whichever iteration of the event loop the cancellation comes: a swallowed one would let the loop continue, and
    the process never stop.
    """

    def one(connection: Connection) -> int:
        return int(connection.execute(text("SELECT 1")).scalar_one())

    async def story() -> None:
        runtime = Runtime.open(Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY))
        try:
            task = asyncio.create_task(runtime.database.read(one))
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
            await runtime.close()

    asyncio.run(story())
