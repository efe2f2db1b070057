"""The application: routers, what is said when something goes wrong, and what runs beside the requests."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import traceback
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, status
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi_offline import FastAPIOffline
from sqlalchemy.exc import DBAPIError, IntegrityError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import errors
from service.certificates import keep_certifying
from service.database.engine import is_disconnect
from service.drain import draining
from service.errors import Problem
from service.metrics import Measured, Metrics
from service.releases.release import draw_undrawn
from service.routers import budgets, certificates, datasets, health, plans, posteriors, principals, queries, releases
from service.runtime import Runtime
from service.schemas.problems import ProblemDocument, problems
from service.settings import Settings
from service.web.validation import problem_of

_logger = logging.getLogger("posterior.app")
_UNDRAWN_EVERY_SECONDS = 5
_WITNESS_EVERY_SECONDS = 1.0

DESCRIPTION = """\
A data owner registers a histogram of sensitive counts and a privacy budget. An analyst asks for the Bayesian posterior under a Beta or Dirichlet
prior. The service computes it inside, releases a differentially private one with a certificate of what was proven, and charges the budget just that.

Amounts are decimal texts. Operations that spend budget need an `Idempotency-Key`; repeating a request under its key is free. Every error says whether
budget was charged and whether the same request can be sent again.
"""

_TAGS = [
    {
        "name": "releases",
        "description": "Private posteriors: the one operation that spends budget, and reading what it gave, which is free.",
    },
    {
        "name": "posteriors",
        "description": "What releases say of the shares, with the noise taken for noise. Free: it is computed from what was released.",
    },
    {
        "name": "queries",
        "description": "Weighted sums of the counts, with an interval of the width and the confidence that you need, answered from what was released.",
    },
    {"name": "plans", "description": "Before paying: what a release would cost and be worth, at made-up counts. Free."},
    {
        "name": "certificates",
        "description": "What is proven of a mechanism at a size; computed once, from public parameters.",
    },
    {"name": "datasets", "description": "Histograms: their counts go in and never come back."},
    {"name": "budgets", "description": "What may be spent, what was spent, and the ledger of every act."},
    {"name": "grants", "description": "What an analyst may spend of a budget on a data set."},
    {"name": "principals", "description": "Who may hold keys."},
    {"name": "keys", "description": "API keys: shown once, kept as hashes."},
    {"name": "service", "description": "Health, the public key, and the types of problems."},
]


def create_app(settings: Settings) -> FastAPI:
    """The service on these settings. The database is opened when it starts, and must have been migrated."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        runtime = app.state.runtime = Runtime.start(settings, app.state.metrics)
        # What is there now stays, and need not be looked through for garbage again and again.
        gc.freeze()
        background = [asyncio.create_task(work(runtime)) for work in (_keep_drawing, _keep_witness, keep_certifying)]
        background.append(asyncio.create_task(runtime.probe.keep_looking()))
        try:
            with draining(runtime):
                yield
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await asyncio.to_thread(runtime.close)
            gc.unfreeze()

    app = FastAPIOffline(
        docs_url="/docs",
        redoc_url=None,
        # Whoever tries the API there enters a key: the page loads nothing from elsewhere.
        static_url="/docs/assets",
        title="Private Posterior",
        version=version("private-posterior"),
        description=DESCRIPTION,
        openapi_tags=_TAGS,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        lifespan=lifespan,
        redirect_slashes=False,
        generate_unique_id_function=_operation_id,
        responses=problems(),
    )
    for router in (
        releases.router,
        posteriors.router,
        queries.router,
        plans.router,
        certificates.router,
        datasets.router,
        budgets.router,
        principals.router,
        health.router,
    ):
        app.include_router(router)
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_validation)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(IntegrityError, _answer_integrity)
    app.add_exception_handler(DBAPIError, _answer_database)
    app.state.metrics = Metrics()
    app.add_middleware(_Guard, max_body_bytes=settings.max_body_bytes)
    app.add_middleware(Measured, metrics=app.state.metrics)
    _document_problems(app)
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name


async def _keep_drawing(runtime: Runtime) -> None:
    """Draws what a crash left paid and undrawn, by whichever process comes first."""
    while True:
        try:
            await draw_undrawn(runtime)
        except Exception:  # noqa: BLE001  it is tried again, and nothing of it concerns a caller
            _logger.error("looking for undrawn releases failed")
        await asyncio.sleep(_UNDRAWN_EVERY_SECONDS)


async def _keep_witness(runtime: Runtime) -> None:
    """Has the witness look at the ledgers about once a second."""
    while True:
        await runtime.run(runtime.look_back)
        await asyncio.sleep(_WITNESS_EVERY_SECONDS)


def _render(problem: Problem) -> JSONResponse:
    return JSONResponse(problem.body(), problem.status, problem.headers, media_type="application/problem+json")


async def _answer_problem(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, Problem)
    request.app.state.metrics.problems.labels(problem.code).inc()
    return _render(problem)


async def _answer_validation(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return _render(problem_of(error.errors(), error.body))


_BY_STATUS = {404: errors.NotFound, 405: errors.MethodNotAllowed, 413: errors.BodyTooLarge, 400: errors.MalformedBody}


async def _answer_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    response = _render(_BY_STATUS.get(error.status_code, errors.InternalError)())
    if error.status_code == status.HTTP_405_METHOD_NOT_ALLOWED:
        response.headers["Allow"] = _allowed(request)
    return response


def _allowed(request: Request) -> str:
    """The methods that the path takes; the framework's own list names those of the first route alone."""
    scopes = [dict(request.scope) | {"method": method} for method in ("GET", "POST", "PATCH", "DELETE")]
    return ", ".join(
        scope["method"]
        for scope in scopes
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
    )


async def _answer_integrity(_: Request, error: Exception) -> JSONResponse:
    """A constraint of the database refused a change outside the debit. Its text can hold the row, so nothing of it is told or logged."""
    constraint = str(getattr(error, "orig", "")).lower()
    unique = "unique" in constraint
    return _render(errors.NameTaken() if unique else errors.Conflict())


async def _answer_database(_: Request, error: Exception) -> JSONResponse:
    if isinstance(error, DBAPIError) and is_disconnect(error):
        return _render(errors.DatabaseUnavailable())
    return _render(errors.InternalError())


def _places(error: Exception) -> str:
    """Where an exception passed, innermost last: files and lines, which hold no data, and not a word of its text."""
    return " ".join(
        f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-6:]
    )


class _Guard:
    """Refuses bodies that are too large, and turns whatever nobody expected into a constant answer and a log line without particulars."""

    def __init__(self, app: ASGIApp, max_body_bytes: int) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def noticing(message: Message) -> None:
            nonlocal started
            started = True
            if message["type"] == "http.response.start":
                # Keys, receipts and releases are for whoever asked, and for no cache in between.
                MutableHeaders(scope=message).setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            body = await self._read(scope, receive)
            if body is None:
                await _render(errors.BodyTooLarge())(scope, receive, noticing)
                return
            await self._app(scope, _replayed(body, receive), noticing)
        except Exception as error:  # noqa: BLE001  the last line of defence: its text could tell of the counts
            _logger.error("unexpected %s at %s", type(error).__name__, _places(error))
            if not started:
                await _render(errors.InternalError())(scope, receive, noticing)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body, or None where it is larger than allowed."""
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit() and int(value) > self._max_body_bytes:
                return None
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > self._max_body_bytes:
                return None
            if not message.get("more_body", False):
                return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _problem_examples(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The examples of problems; FastAPI drops what is null from them."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for response in operation["responses"].values():
                for example in (
                    response.get("content", {}).get("application/problem+json", {}).get("examples", {}).values()
                ):
                    yield example["value"]


def _document_problems(app: FastAPI) -> None:
    """Puts the model of problems into the OpenAPI document in place of FastAPI's own."""
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = generate()
            schemas = document["components"]["schemas"]
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            problem = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
            schemas |= problem.pop("$defs", {})
            schemas["ProblemDocument"] = problem
            for name in schemas:
                if name.endswith(("-Input", "-Output")):
                    # Amounts come in as text or number and go out as text. Generators name classes by titles, which have to differ then.
                    schemas[name]["title"] = name.replace("-", "")
            for example in _problem_examples(document):
                example.setdefault("charged", None)
        return app.openapi_schema or {}

    app.openapi = openapi  # type: ignore[method-assign]  # the documented way to change the document
