"""What an operator may watch: how many requests of which operation ended how, and how long they took.

Nothing here depends on counts. Labels are operations and statuses: no data set, budget, person or key. There is no time of a draw; the time of a
request is one that its sender sees too, on the time grid where private data was opened.
"""

from __future__ import annotations

import time

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_UNMATCHED = "none"


class Metrics:
    """The figures of one process; each of several workers answers with its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("posterior_requests", "Requests answered.", ["operation", "status"], registry=self.registry)
        self.seconds = Histogram(
            "posterior_request_seconds", "Time from a request to its answer.", ["operation"], buckets=_SECONDS, registry=self.registry
        )
        self.open = Gauge("posterior_open_requests", "Requests being answered now.", registry=self.registry)

    def text(self) -> bytes:
        """The figures in the text format of Prometheus."""
        return generate_latest(self.registry)


class Measured:
    """Counts what passes through an application. Paths that no operation takes are counted together, so that nobody can invent labels."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

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
        with self._metrics.open.track_inprogress():
            try:
                await self._app(scope, receive, noticing)
            finally:
                operation = getattr(scope.get("route"), "name", _UNMATCHED)
                self._metrics.requests.labels(operation, str(status)).inc()
                self._metrics.seconds.labels(operation).observe(time.perf_counter() - started)


router = APIRouter()


# No operation of the API: it speaks another format, to the operator's collector rather than to a caller.
@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    measured: Metrics = request.app.state.metrics
    return Response(measured.text(), media_type=CONTENT_TYPE_LATEST)
