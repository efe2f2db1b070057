"""One thread per process writes: it takes what waits, up to a batch, into one transaction, so that many callers share one durable commit.

A job is an item for a handler; the handlers of a batch run in the order of submission, each with its neighbouring items at once. When a batch fails,
its items are tried one by one, each in a transaction of its own, so that one bad item spoils nothing for the others; an item that was alone is tried
again too, since another process may just have committed what a constraint then refused. That is safe because every handler finds what
an earlier try of the same item already committed.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from service.database import is_disconnect, writing
from service.errors import DatabaseUnavailable, OutcomeUnknown, Problem

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Handler = Callable[[Connection, Sequence[Item]], Sequence["Outcome | Problem"]]

BATCH_SIZE = 64


@dataclass(slots=True)
class _Job:
    handler: Handler[Any, Any]
    item: Any
    future: Future[Any] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class _Failed:
    """A transaction that did not report its commit; where the commit was sent, it may have happened all the same."""

    commit_was_sent: bool


class Writer:
    """Accepts jobs from any thread; `submit` returns at once with a future that is done when the job's transaction has committed."""

    def __init__(self, engine: Engine, batch_size: int = BATCH_SIZE, committed: Callable[[int], object] = lambda _: None) -> None:
        """`committed` is told how many jobs each committed transaction held."""
        self._engine = engine
        self._batch_size = batch_size
        self._committed = committed
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def submit(self, handler: Handler[Item, Outcome], item: Item) -> Future[Outcome]:
        """The future outcome of `handler` for `item`: its value, or the Problem that it returned for it."""
        job = _Job(handler, item)
        # From now on it can't be cancelled: a caller who goes away must not take the charge, or the thread that settles it, along.
        job.future.set_running_or_notify_cancel()
        self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Commits what was submitted and ends the thread."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        closing = False
        while not closing:
            batch = [self._jobs.get()]
            while len(batch) < self._batch_size:
                try:
                    batch.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            closing = None in batch
            jobs = [job for job in batch if job is not None]
            if jobs and (failed := self._commit(jobs)) is not None:
                for job in jobs:
                    self._commit([job], last_try=True, in_doubt=failed.commit_was_sent)

    def _commit(self, jobs: list[_Job], *, last_try: bool = False, in_doubt: bool = False) -> _Failed | None:
        """Runs `jobs` in one transaction and settles their futures, or says how that failed where the jobs are to be tried again singly.

        `in_doubt`: an earlier transaction with these jobs may have been committed. A try that reaches the database clears the doubt, since its handler
        finds what was committed; one that does not leaves it.
        """
        outcomes: list[Any] = []
        ran = False
        try:
            with writing(self._engine) as connection:
                for handler, run in groupby(jobs, key=lambda job: job.handler):
                    outcomes.extend(handler(connection, [job.item for job in run]))
                ran = True
        except Exception as error:  # noqa: BLE001  the thread must outlive any failure, and the caller is told
            if not last_try:
                return _Failed(commit_was_sent=ran)
            for job in jobs:
                job.future.set_exception(_translate(error, in_doubt=ran or in_doubt))
            return None
        self._committed(len(jobs))
        for job, outcome in zip(jobs, outcomes, strict=True):
            if isinstance(outcome, Problem):
                job.future.set_exception(outcome)
            else:
                job.future.set_result(outcome)
        return None


def _translate(error: Exception, *, in_doubt: bool) -> Exception:
    if isinstance(error, DBAPIError) and is_disconnect(error):
        return OutcomeUnknown() if in_doubt else DatabaseUnavailable()
    return error
