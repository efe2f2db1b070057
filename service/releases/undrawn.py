"""Settles paid releases that have no result yet: a retry, or the background, draws what a crash left, one of them at a
time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection, not_, select, update

from service import log
from service.computations.processes import NotBegunError
from service.database.rows import ReleaseKind, ReleaseRow, fetch_all
from service.database.tables import releases
from service.errors import OutcomeUnknown, Problem, ReleaseFailed, ReleaseInProgress, ReleaseLost
from service.fair_queue import FairQueue
from service.identifiers import now
from service.ledger.debit import MIN_LEASE_SECONDS
from service.ledger.standstill import is_stopped
from service.ledger.witness import Witness, read_history
from service.releases.results import MISSING
from service.runtime import Runtime

_logger = logging.getLogger("posterior.releases")
UNDRAWN_AT_ONCE: Final = 16


@dataclass(frozen=True, slots=True)
class Undrawn:
    """How a paid release is drawn: for how long whoever draws it has it to himself, in which queue, and by what, which
    takes its row and returns what is stored then. `places`: how many it takes in the queue.
    """

    lease_seconds: int
    queue: FairQueue
    draw: Callable[[ReleaseRow], Awaitable[str]]
    places: int = 1


async def answer_from_row(runtime: Runtime, row: ReleaseRow, undrawn_of: Callable[[ReleaseRow], Undrawn]) -> str:
    """The stored result; what was paid and left undrawn is drawn now. Raises ReleaseFailed, ReleaseLost or
    ReleaseInProgress.
    """
    log.add(release_id=row.id)
    if row.result is not None:
        return row.document
    if row.state in ("failed", "lost"):
        raise MISSING[row.state]
    with settling(row.id):
        undrawn = undrawn_of(row)
        if _is_leased(row.leased_until, undrawn.lease_seconds):
            raise ReleaseInProgress
        async with undrawn.queue.place(row.principal_id, size=undrawn.places):
            until = await runtime.write(
                partial(take_lease, release_id=row.id, seconds=undrawn.lease_seconds, witness=runtime.witness)
            )
            if until is None:
                raise ReleaseInProgress
            return await undrawn.draw(row._replace(leased_until=until))


@contextmanager
def settling(release_id: str) -> Iterator[None]:
    """Tells whatever goes wrong with a paid release in the one way that is true: it is charged, and its retry
    settles it.
    """
    try:
        yield
    except (ReleaseFailed, ReleaseInProgress, ReleaseLost, OutcomeUnknown):
        raise
    except Exception as error:  # noqa: BLE001  its text could tell of the counts
        _logger.error("a paid release could not be settled now", extra={"release_id": release_id} | log.failure(error))
        raise ReleaseInProgress from None


def _is_leased(until: int, seconds: int) -> bool:
    """Whether somebody still draws. A lease that ends later than one of now would was given by a clock that ran
    ahead, and counts for nothing.
    """
    instant = now()
    return instant < until <= instant + seconds


def take_lease(connection: Connection, release_id: str, seconds: int, witness: Witness) -> int | None:
    """Until when whoever asks may draw it, and nobody else; None where somebody else may."""
    instant = now()
    if is_stopped(connection) or not witness.trusts(read_history(connection)):
        return None  # what the database says is undrawn may have been drawn
    taken = connection.execute(
        update(releases)
        .where(
            releases.c.id == release_id,
            releases.c.state == "paid",
            not_(releases.c.leased_until.between(instant + 1, instant + seconds)),
        )
        .values(leased_until=instant + seconds)
    )
    return instant + seconds if taken.rowcount else None


@asynccontextmanager
async def leased(runtime: Runtime, row: ReleaseRow) -> AsyncIterator[None]:
    """While a release is drawn under the lease that its row names. Where no process was told of it, nothing was drawn:
    the lease ends, so that whoever asks again need not wait for that.
    """
    try:
        yield
    except NotBegunError:
        await runtime.write(partial(_end_lease, row=row))
        raise


def _end_lease(connection: Connection, row: ReleaseRow) -> None:
    """Unless it ended by itself, and somebody else has one now."""
    mine = (releases.c.id == row.id) & (releases.c.state == "paid") & (releases.c.leased_until == row.leased_until)
    connection.execute(update(releases).where(mine).values(leased_until=0))


async def await_processes(runtime: Runtime, seconds: float) -> None:
    """Waits so long for what makes processes. Raises NotBegunError where it is not there then, and ShuttingDown."""
    try:
        async with asyncio.timeout(seconds):
            await runtime.processes.started()
    except OSError:  # TimeoutError, too
        raise NotBegunError from None


async def settle_undrawn(
    runtime: Runtime, kind: ReleaseKind, after: str, answer: Callable[[ReleaseRow], Awaitable[str]]
) -> str:
    """Has some of what crashes left paid and undrawn answered, and returns what to go on behind: those that can't be
    drawn now must not be all that is tried.
    """
    rows = await runtime.read(partial(undrawn_of_kind, kind=kind, after=after))
    for row in rows:
        with suppress(Problem):
            await answer(row)
    return rows[-1].id if len(rows) == UNDRAWN_AT_ONCE else ""


def undrawn_of_kind(connection: Connection, kind: ReleaseKind, after: str = "") -> list[ReleaseRow]:
    """Paid releases of a kind that nobody is drawing, in the order of their ids behind `after`."""
    # A lease that is longer than the shortest may be one of a slow draw, which is for `answer_from_row` to see.
    leased = releases.c.leased_until.between(now() + 1, now() + MIN_LEASE_SECONDS)
    query = select(releases).where(
        releases.c.state == "paid", releases.c.kind == kind, not_(leased), releases.c.id > after
    )
    return fetch_all(connection, ReleaseRow, query.order_by(releases.c.id).limit(UNDRAWN_AT_ONCE))
