"""What a monitor may know, in the text format of Prometheus: how much is asked, how it is answered, how the writer does.

No label names a person, a data set or a budget, and no number comes from counts. How long a release took is not told: the duration of a draw can tell the
noise. The figures are of one process, except those that are read from the database.
"""

from __future__ import annotations

import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from sqlalchemy import Connection, func, select
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.models import installation, releases

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_RELEASING: Final = "/v1/datasets/{dataset_id}/releases"
_SECONDS: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_JOBS: Final = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The figures of one process, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter(
            "posterior_requests", "Requests by route, method and status.", ("route", "method", "status"), registry=registry
        )
        self.seconds = Histogram(
            "posterior_request_seconds",
            "Duration of requests by route; releases are left out.",
            ("route", "method"),
            buckets=_SECONDS,
            registry=registry,
        )
        self.refusals = Counter("posterior_problems", "Problems that were answered, by type.", ("problem",), registry=registry)
        self.batches = Histogram("posterior_commit_jobs", "Jobs in each committed transaction.", buckets=_JOBS, registry=registry)
        self.undrawn = Gauge("posterior_undrawn_releases", "Paid releases without a result, in the whole database.", registry=registry)
        self.restore_pending = Gauge(
            "posterior_restore_pending", "1 while a restored database waits to be reconciled, else 0.", registry=registry
        )

    def read_database(self, connection: Connection) -> None:
        """Brings up to date what is counted in the database."""
        self.undrawn.set(connection.execute(select(func.count()).where(releases.c.state == "paid")).scalar_one())
        self.restore_pending.set(connection.execute(select(installation.c.restore_pending_since)).scalar() is not None)

    def text(self) -> str:
        return generate_latest(self.registry).decode()


class Measured:
    """Counts every request and times those that release nothing."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.monotonic(), 0

        async def noticing(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noticing)
        finally:
            route = getattr(scope.get("route"), "path", "unmatched")
            method = scope["method"] if route != "unmatched" else "any"
            self._metrics.requests.labels(route, method, str(status)).inc()
            if not (route == _RELEASING and method == "POST"):
                self._metrics.seconds.labels(route, method).observe(time.monotonic() - started)
