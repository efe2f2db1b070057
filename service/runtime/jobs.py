"""Jobs: free computations that take longer than a request may wait.

Each computation starts while its caller waits. If it reaches the time limit, it is stopped and becomes a row. The row
is computed again later, in turns by principal, and its result is fetched. Certificates are jobs too, with limits of
their own: the first try is limited to a minute, and later tries to an hour, in a queue of their own.

A job is believed only if the service signed it, with its input and its outcome. Another one is deleted, and computed
again when it is asked for.

A job belongs to the principal that requested it and is kept for a day; a certificate, for thirty days after a release
used it. A repeated request finds it. Principals share none, since an answer without a computation would disclose what
others asked for. Input and result are released values and public facts, so they are stored unencrypted. Closing the
connection cancels a computation that a request waits for, but never a job.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, Never

from sqlalchemy import Connection, delete, func, insert, select, update

from service import errors
from service.background import Work
from service.database.rows import JobKind, JobRow, fetch_all, fetch_first
from service.database.tables import jobs
from service.identifiers.identifiers import new_id, now
from service.ledger.receipts import ComputedJob, UnknownKeyError, is_signed
from service.limits.limits import CERTIFICATES, JOB_BYTES, JOBS
from service.principals import chain
from service.principals.auth import Caller
from service.runtime.computations import UnfinishedError
from service.runtime.job_leases import (
    LEASE_SECONDS,
    Turns,
    compute_leased,
    keep_working,
    next_in_turn,
    retry_seconds,
    take_turn,
)
from service.runtime.key_file import InstalledKeys
from service.runtime.runtime import Runtime

CERTIFICATE: Final = "certificate"
KEPT_SECONDS: Final = 86_400
_USED_KEPT_SECONDS: Final = 30 * 86_400
_TRIES: Final = 3
_LOOK_EVERY_SECONDS: Final = 0.25
_AGAIN_SECONDS: Final = 300
"""Seconds after which a request may start a failed job again."""
_REMEMBERED_BYTES: Final = 500_000
"""Largest result that is cached."""
_WALL_FACTOR: Final = 3
"""Limit of wall time of a try, in multiples of its CPU time. A try that reaches it is done again."""
_UNFINISHED_PROBLEM: Final = errors.ComputationsUnavailable(
    "The computation was begun three times, and each time its process was held up or killed before it had a result. "
    "Send the request again after five minutes. The operator may look at the machine's memory and load, and at "
    "POSTERIOR_COMPUTATION_MEMORY_MB."
)
COMPUTATIONS: Final[dict[str, str]] = {
    "posterior": "service.posteriors.computations:posterior",
    "comparison": "service.posteriors.computations:comparison",
    "picture": "service.posteriors.computations:picture",
    "plan": "service.posteriors.plans:planned",
    "query_price": "service.queries.quote:priced",
    "query_order": "service.queries.measuring:ordered",
    "margins_plan": "service.margins.planning:planned",
    "estimates": "service.estimates.estimates:computed",
    CERTIFICATE: "service.channels.certified:compute",
}


class Rules(NamedTuple):
    """Limits of a group of jobs. `seconds` are the CPU time of the first try and of later ones; a job that reaches the
    last limit, or the limit of memory, has failed with `failure`.
    """

    seconds: tuple[float, ...]
    most_pending: int
    most_kept: int
    refusal: type[errors.Problem]
    failure: errors.Problem


_JOB_RULES: Final = Rules(
    (JOBS.processor_seconds,), JOBS.max_per_key, JOBS.max_per_key, errors.JobQuotaExceeded, errors.ComputationTooLarge()
)
_CERTIFICATE_RULES: Final = Rules(
    (60, CERTIFICATES.processor_seconds),
    CERTIFICATES.max_per_key,
    100,
    errors.CertificateQuotaExceeded,
    errors.NotSupported(
        "The certificate needs more CPU time or memory than the service allows for one. Ask for fewer records or "
        "categories, or for another mechanism; the operator can raise POSTERIOR_COMPUTATION_MEMORY_MB. You can try "
        "again after a day."
    ),
)


def rules_of(kind: str) -> Rules:
    return _CERTIFICATE_RULES if kind == CERTIFICATE else _JOB_RULES


class JobInput(NamedTuple):
    """The input of a computation. `found_by` identifies the job for repeated requests; None uses `text`.

    A computation that is estimated to take longer than a request may becomes a job at once (`takes_long`).
    """

    text: str
    found_by: str | None = None
    takes_long: bool = False


async def run_or_enqueue(
    runtime: Runtime, caller: Caller, kind: JobKind, read: Callable[[Connection], JobInput]
) -> str | JobRow:
    """Return the result of a computation, or the job that will compute it. Recent results are cached, unless they
    depend on more than the text of their order.

    `read` creates the order in a read transaction. It runs after a slot is taken, so that a waiting request holds no
    data. Raises RateLimited, JobQuotaExceeded, and the errors of `read` and of the computation. Raises
    ComputationTooLarge if the computation ran out of memory, or if its input is too large for a job.
    """
    processes = runtime.processes
    async with processes.computation_slots.slot(caller.principal_id):
        order, key, row = await runtime.database.read(
            partial(_ordered_job, caller=caller, kind=kind, read=read, keys=runtime.database.keys)
        )
        place = caller.principal_id, key
        is_kept = row is None and order.found_by is None
        known = runtime.caches.results.get(place) if is_kept else None
        if known is not None:
            return known
        if row is None and not order.takes_long:
            with suppress(TimeoutError, errors.ComputationsUnavailable):
                result = await processes.try_in_slot(COMPUTATIONS[kind], order.text)
                if is_kept and len(result) <= _REMEMBERED_BYTES:
                    runtime.caches.results.keep(place, result)
                return result
    if row is None and len(order.text) > JOB_BYTES.max_per_key:
        raise errors.ComputationTooLarge
    if row is None:
        keys = runtime.database.keys
        row = await runtime.database.write(partial(ask, caller=caller, kind=kind, key=key, text=order.text, keys=keys))
    return row if row.state == "pending" else result_of(row)


def _ordered_job(
    connection: Connection, caller: Caller, kind: JobKind, read: Callable[[Connection], JobInput], keys: InstalledKeys
) -> tuple[JobInput, str, JobRow | None]:
    """Return the order, the key of its job, and the job, or None if there is none."""
    order = read(connection)
    key = key_of(kind, order.text if order.found_by is None else order.found_by)
    return order, key, find(connection, caller, key, keys)


def key_of(kind: str, found_by: str) -> str:
    """Return the key by which a repeated request finds its job."""
    return hashlib.sha256(json.dumps([kind, found_by]).encode()).hexdigest()


def result_of(row: JobRow) -> str:
    """Return the result of a job. Raises the Problem that the computation raised, or JobPending."""
    if row.result is not None:
        return row.result
    if row.problem is not None:
        problem = errors.problem_of(json.loads(row.problem))
        if problem.retryable and row.finished_at is not None:
            problem.retry_after_seconds = max(1, row.finished_at + _AGAIN_SECONDS - now())
        raise problem
    raise errors.JobPending.until(retry_seconds(row.created_at))


def is_signed_job(row: JobRow, keys: InstalledKeys) -> bool:
    """Return whether the service stored the job with this input and outcome: a result or a problem, never both."""
    if row.result is not None and row.problem is not None:
        return False
    try:
        return keys.verified(partial(is_signed, row.signature, ComputedJob.of(row)))
    except UnknownKeyError:
        return False


def ask(
    connection: Connection,
    caller: Caller,
    kind: JobKind,
    key: str,
    text: str,
    keys: InstalledKeys,
    result: str | None = None,
) -> JobRow:
    """Return the caller's job with this key, creating it if needed. It is ready if its `result` is known already.

    If the caller has too many jobs, those finished that were used least recently are deleted. Raises JobQuotaExceeded
    or CertificateQuotaExceeded if too many are pending.
    """
    chain.lock(connection, caller.principal_id)
    outcome: dict[str, Any] = {} if result is None else {"state": "ready", "result": result}
    row = find(connection, caller, key, keys)
    if row is not None:
        if outcome:
            _settle(connection, row, outcome, keys)
        return row._replace(**outcome) if row.state == "pending" else row
    mine, rules = jobs.c.principal_id == caller.principal_id, rules_of(kind)
    connection.execute(delete(jobs).where(mine, jobs.c.key == key))
    last_used = func.coalesce(jobs.c.used_at, jobs.c.created_at), jobs.c.created_nanoseconds
    alike = jobs.c.kind == CERTIFICATE if kind == CERTIFICATE else jobs.c.kind != CERTIFICATE
    kept = connection.execute(select(jobs.c.id, jobs.c.state).where(mine, alike).order_by(*last_used)).all()
    done = [each.id for each in kept if each.state != "pending"]
    if not outcome and len(kept) - len(done) >= rules.most_pending:
        raise rules.refusal
    connection.execute(delete(jobs).where(jobs.c.id.in_(done[: max(0, len(kept) + 1 - rules.most_kept)])))
    job = JobRow(
        id=new_id("cer" if kind == CERTIFICATE else "job"),
        principal_id=caller.principal_id,
        key=key,
        kind=kind,
        input=text,
        state="pending",
        result=None,
        problem=None,
        created_at=now(),
        finished_at=None,
        leased_until=None,
        tries=0,
        created_nanoseconds=time.time_ns(),
        used_at=None,
    )
    if outcome:
        job = job._replace(finished_at=now(), **outcome)
    job = job._replace(signature=keys.current.signer.signed_text(ComputedJob.of(job)))
    connection.execute(insert(jobs).values(job._asdict()))
    return job


def read(connection: Connection, caller: Caller, job_id: str, keys: InstalledKeys) -> JobRow:
    """Return a job of the caller. Raises NotFound, also if the service did not store it."""
    row = fetch_first(connection, JobRow, _JOBS.where(jobs.c.id == job_id, jobs.c.principal_id == caller.principal_id))
    if row is None or not is_signed_job(row, keys):
        raise errors.NotFound
    return row


async def wait_for(runtime: Runtime, caller: Caller, row: JobRow, seconds: float) -> JobRow:
    """Return a job of the caller when it has an outcome, or after `seconds` without one. It is returned at once if too
    many requests wait. A cancellation ends the waiting alone; the job stays.

    Raises NotFound if the job was deleted.
    """
    places = runtime.processes.job_waits
    if row.state != "pending" or seconds <= 0 or not places.has_slot_for(caller.principal_id):
        return row
    async with places.slot(caller.principal_id):
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    if not await runtime.database.read(lambda c: _is_pending(c, row.id)):
                        break
                    await asyncio.sleep(_LOOK_EVERY_SECONDS)
    return await runtime.database.read(lambda c: read(c, caller, row.id, runtime.database.keys))


def _is_pending(connection: Connection, job_id: str) -> bool:
    return connection.execute(select(jobs.c.state).where(jobs.c.id == job_id)).scalar() == "pending"


def note_use(connection: Connection, job_id: str) -> None:
    """Keep a certificate for another thirty days."""
    connection.execute(update(jobs).where(jobs.c.id == job_id).values(used_at=now()))


def end(connection: Connection, caller: Caller, job_id: str) -> None:
    """Delete a job of the caller. The process that computes it then stops. Raises NotFound."""
    mine = (jobs.c.id == job_id) & (jobs.c.principal_id == caller.principal_id)
    if not connection.execute(delete(jobs).where(mine)).rowcount:
        raise errors.NotFound


def forget_old(connection: Connection) -> bool:
    """Delete a batch of jobs that finished a day ago, or that were created a day ago and never finished, but for
    certificates that a release used in the last thirty days.

    Returns whether more may be left.
    """
    unused = func.coalesce(jobs.c.used_at, 0) <= now() - _USED_KEPT_SECONDS
    old = unused & (func.coalesce(jobs.c.finished_at, jobs.c.created_at) <= now() - KEPT_SECONDS)
    some = select(jobs.c.id).where(old).limit(JOBS.max_per_key)
    return connection.execute(delete(jobs).where(jobs.c.id.in_(some.scalar_subquery()))).rowcount == JOBS.max_per_key


async def keep_computing(runtime: Runtime, work: Work, *, long: bool = False) -> Never:
    """Compute jobs one at a time: either the `long` ones, which are later tries of certificates, or all others.

    Over all processes, at most one of either runs for a principal at a time.
    """
    await keep_working(runtime, work, partial(_lease, keys=runtime.database.keys, long=long), _compute)


_JOBS: Final = select(jobs).where(jobs.c.kind.in_(COMPUTATIONS))
"""Jobs that this version computes: an earlier one may have left others, which are deleted after a day."""


def find(connection: Connection, caller: Caller, key: str, keys: InstalledKeys) -> JobRow | None:
    """Return the job with this key, or None if there is none or it may be started again."""
    mine = _JOBS.where(jobs.c.principal_id == caller.principal_id, jobs.c.key == key)
    row = fetch_first(connection, JobRow, mine)
    return None if row is None or not is_signed_job(row, keys) or _is_given_up(row) else row


def _is_given_up(row: JobRow) -> bool:
    if row.problem is None or row.finished_at is None or row.finished_at > now() - _AGAIN_SECONDS:
        return False
    return isinstance(
        errors.problem_of(json.loads(row.problem)), errors.ComputationTooLarge | errors.ComputationsUnavailable
    )


def _lease(connection: Connection, turns: Turns, keys: InstalledKeys, *, long: bool = False) -> JobRow | None:
    pending = jobs.c.state == "pending"
    columns = jobs.c.id, jobs.c.created_nanoseconds.label("created_at"), jobs.c.principal_id
    state = jobs.c.kind, jobs.c.tries, jobs.c.leased_until
    waiting = [
        each
        for each in connection.execute(_JOBS.with_only_columns(*columns, *state).where(pending)).all()
        if _is_long(each) == long
    ]
    busy = {each.principal_id for each in waiting if _is_leased(each)}
    following = next_in_turn((each for each in waiting if each.principal_id not in busy), turns)
    if following is None:
        return None
    # Another process with the same query waits here for the lock, and then sees the lease.
    query = _JOBS.where(jobs.c.principal_id == following.principal_id, pending).order_by(jobs.c.created_nanoseconds)
    every = fetch_all(connection, JobRow, query.with_for_update())
    rows = [each for each in every if _is_long(each) == long]
    if not rows or any(_is_leased(each) for each in rows):
        return None
    row = rows[0]
    take_turn(turns, row.principal_id)
    if not is_signed_job(row, keys):
        connection.execute(delete(jobs).where(jobs.c.id == row.id))
        return None
    if row.tries >= _TRIES:
        _settle(connection, row, _failure_columns(_UNFINISHED_PROBLEM), keys)
        return None
    _renew(connection, row.id, tries=row.tries + 1)
    return row


def _is_leased(row: Any) -> bool:
    # Ignore a lease that ends later than a new one would: the clock ran ahead when it was made.
    return row.leased_until is not None and now() < row.leased_until <= now() + LEASE_SECONDS


def _is_long(row: Any) -> bool:
    """Return whether the job's current or next try is a later one of a certificate."""
    return bool(row.kind == CERTIFICATE and row.tries > (1 if _is_leased(row) else 0))


def _renew(connection: Connection, job_id: str, **columns: int) -> bool:
    changed = update(jobs).where(jobs.c.id == job_id).values(leased_until=now() + LEASE_SECONDS, **columns)
    return bool(connection.execute(changed).rowcount)


async def _compute(runtime: Runtime, row: JobRow) -> None:
    rules = rules_of(row.kind)
    seconds = rules.seconds[min(row.tries, len(rules.seconds) - 1)]
    try:
        result = await compute_leased(
            runtime,
            COMPUTATIONS[row.kind],
            row.input,
            seconds=_WALL_FACTOR * seconds,
            processor_seconds=seconds,
            renew=partial(_renew, job_id=row.id),
        )
        outcome: dict[str, Any] = {"state": "ready", "result": result}
        if result is None:
            return
    except UnfinishedError:
        # Perhaps other processes needed the processor or the memory. Retry after the jobs of others.
        outcome = {"leased_until": None}
    except errors.ComputationTooLarge:
        outcome = _failure_columns(rules.failure)
    except (asyncio.CancelledError, errors.ShuttingDown, errors.DatabaseUnavailable, errors.ComputationsUnavailable):
        # This process is ending or lost a resource. That is not a failure of the job, so it does not count as a try.
        outcome = {"leased_until": None, "tries": row.tries}
        await runtime.database.write(partial(_settle, row=row, outcome=outcome, keys=runtime.database.keys))
        raise
    except TimeoutError:
        outcome = _failure_columns(rules.failure) if seconds == rules.seconds[-1] else {"leased_until": None}
    except errors.Problem as problem:
        outcome = _failure_columns(problem)
    await runtime.database.write(partial(_settle, row=row, outcome=outcome, keys=runtime.database.keys))


def _failure_columns(problem: errors.Problem) -> dict[str, Any]:
    return {"state": "failed", "problem": json.dumps(problem.to_json())}


def _settle(connection: Connection, row: JobRow, outcome: dict[str, Any], keys: InstalledKeys) -> None:
    if "state" in outcome:
        settled = row._replace(**outcome)
        outcome |= {"finished_at": now(), "signature": keys.current.signer.signed_text(ComputedJob.of(settled))}
    still_pending = (jobs.c.id == row.id) & (jobs.c.state == "pending")
    connection.execute(update(jobs).where(still_pending).values(**outcome))
