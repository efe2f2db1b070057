"""Metrics for operators: number, status and duration of requests by operation.

The workers of one `serve` store their metrics in files of a shared directory, so that each worker reports the metrics
of all.

Nothing here depends on counts. Labels are operations, statuses and types of problems: no data set, budget, person or
key. The duration of a release is not reported, since only its caller may see its response time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from hmac import compare_digest
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from sqlalchemy import Connection, func, select, text
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.database.tables import UNFINISHED, installation, releases

SHARED_DIRECTORY: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable of the workers' directory. The library reads it on import."""
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_JOBS = (1, 2, 4, 8, 16, 32, 64)
_UNMATCHED_OPERATION = "none"
_RELEASING = "create_release"


class Metrics:
    """The metrics of a process, and of all workers that share its directory."""

    def __init__(self, key: str = "") -> None:
        """Take the key that readers of the metrics have to send. If it is empty, the metrics can't be read."""
        self._key = key
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "posterior_requests", "Requests answered.", ["operation", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "posterior_request_seconds",
            "Time from a request to its answer.",
            ["operation"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.problems = Counter(
            "posterior_problems", "Problems answered, by type.", ["problem"], registry=self.registry
        )
        self.batches = Histogram(
            "posterior_commit_jobs", "Jobs in each committed transaction.", buckets=_JOBS, registry=self.registry
        )
        self.unfinished = Gauge(
            "posterior_unfinished_releases",
            "Paid releases without an answer, in the whole database.",
            multiprocess_mode="mostrecent",
            registry=self.registry,
        )
        self.restore_pending = Gauge(
            "posterior_restore_pending",
            "1 while a restored database waits to be reconciled, else 0.",
            multiprocess_mode="mostrecent",
            registry=self.registry,
        )
        self.open = Gauge(
            "posterior_open_requests",
            "Requests being answered now.",
            multiprocess_mode="livesum",
            registry=self.registry,
        )

    def may_be_read_with(self, authorization: str) -> bool:
        """Return whether this Authorization header contains the key."""
        return bool(self._key) and compare_digest(authorization.encode(), f"Bearer {self._key}".encode())

    def read_database(self, connection: Connection) -> None:
        """Update the metrics that are counted in the database."""
        self.unfinished.set(
            connection.execute(select(func.count()).select_from(releases).where(text(UNFINISHED))).scalar_one()
        )
        self.restore_pending.set(connection.execute(select(installation.c.restore_pending_since)).scalar() is not None)

    def text(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
        directory = os.environ.get(SHARED_DIRECTORY)
        if not directory:
            return generate_latest(self.registry)
        shared = CollectorRegistry()
        shared.register(_Workers(Path(directory)))
        return generate_latest(shared)


class _Workers(Collector):
    """The metrics of all workers. A newly created file is empty for a moment, and is skipped."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def collect(self) -> Iterable[Metric]:
        begun = [str(path) for path in self._directory.glob("*.db") if _size(path) and not _is_left_behind(path)]
        merged: Iterable[Metric] = MultiProcessCollector.merge(begun)
        return merged


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # the file of a worker that has ended
        return 0


def _is_left_behind(path: Path) -> bool:
    """Return whether the file has gauges of a worker that was killed."""
    if not path.name.startswith("gauge_live"):
        return False
    try:
        os.kill(int(path.stem.rpartition("_")[2]), 0)
    except OSError:  # no such process, or a process of another user
        return True
    return False


class MetricsMiddleware:
    """Middleware that counts requests. Unknown paths share one label, so that callers can't create labels."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._requests: dict[tuple[str, int], Counter] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 0

        async def noticing(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        started = time.perf_counter()
        self._metrics.open.inc()
        try:
            await self._app(scope, receive, noticing)
        finally:
            self._metrics.open.dec()
            operation = getattr(scope.get("route"), "name", _UNMATCHED_OPERATION)
            self._requests_of(operation, status).inc()
            if operation != _RELEASING:
                self._metrics.seconds.labels(operation).observe(time.perf_counter() - started)

    def _requests_of(self, operation: str, status: int) -> Counter:
        """Return a cached counter, since finding one in the library takes as long as ten increments."""
        counter = self._requests.get((operation, status))
        if counter is None:
            counter = self._requests[operation, status] = self._metrics.requests.labels(operation, str(status))
        return counter
