"""Create the application: routers, middleware and background tasks."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextvars import copy_context
from functools import partial
from importlib.metadata import version
from typing import Any, Final, Never

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from service.api import (
    access_requests,
    budgets,
    certificates,
    datasets,
    estimates,
    former,
    health,
    jobs,
    plans,
    posteriors,
    principals,
    releases,
)
from service.api.dependencies import admitted
from service.background import Work
from service.console.console import add_console
from service.datasets.access_requests import erase_texts
from service.drawing.processes import PROGRAM
from service.limits.limits import PAGES
from service.logs import log
from service.logs.log import REQUEST_ID_HEADER, Logged
from service.logs.metrics import Metrics, MetricsMiddleware
from service.margins import paid_margins
from service.principals.auth import current_principal
from service.principals.creations import forget_secrets
from service.principals.enrolment import end_expired_tokens
from service.queries import paid_queries
from service.releases import paid, quote
from service.releases.release import COUNTS
from service.runtime.jobs import forget_old, keep_computing
from service.runtime.runtime import Runtime
from service.schemas.problems import problems
from service.settings.settings import Settings
from service.web.guard import Guard, is_of_console
from service.web.handlers import add_handlers
from service.web.openapi import DESCRIPTION, TAGS, add_interactive, publish
from service.web.sealing import Sealer


def cross_origin(origins: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of Starlette's middleware for these origins."""
    return {
        "allow_origins": list(origins),
        "allow_methods": ["GET", "POST", "PATCH", "DELETE"],
        "allow_headers": ["Authorization", "Content-Type", "Idempotency-Key", "Prefer"],
        "expose_headers": ["Idempotency-Replayed", "Location", "Release-Signature", "Retry-After", REQUEST_ID_HEADER],
        "allow_credentials": False,
        "max_age": 600,
    }


_ROUTERS: Final = (
    releases.router,
    estimates.router,
    posteriors.router,
    plans.router,
    jobs.router,
    certificates.router,
    datasets.router,
    access_requests.router,
    budgets.router,
    principals.router,
    health.router,
    former.router,
)
_KINDS: Final = {COUNTS: quote.KIND, "margins": paid_margins.KIND, "queries": paid_queries.KIND}
_OWN_PRINCIPAL: Final = "service"
"""Pseudo-principal of background work."""
_RESUMING_EVERY_SECONDS = 5
_FORGETTING_EVERY_SECONDS = 600
_WITNESS_EVERY_SECONDS = _PROBE_EVERY_SECONDS = 1.0


def create_app(settings: Settings, draw_program: Sequence[str] = PROGRAM, start_modules: Sequence[str] = ()) -> FastAPI:
    """Return the application. It opens the database when it starts; the database must already be migrated.

    `draw_program`: command of a draw process. `start_modules`: the modules that the program's start script imports.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        runtime = app.state.runtime = Runtime.open(settings, app.state.metrics, draw_program, start_modules, _KINDS)
        await runtime.processes.draws.start()
        itself = copy_context()  # background work shares no slots with requests
        itself.run(current_principal.set, _OWN_PRINCIPAL)
        background = itself.run(_start_background, runtime, settings.computation_processes)
        try:
            yield
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await runtime.close()
            log.finish()

    app = FastAPI(
        openapi_url="/openapi.json" if settings.api_docs else None,
        docs_url=None,
        redoc_url=None,
        title="Private Posterior",
        version=version("private-posterior"),
        description=DESCRIPTION,
        openapi_tags=TAGS,
        contact={"name": "Private Posterior"},
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        lifespan=lifespan,
        redirect_slashes=False,
        # Exception texts could disclose counts, so nothing is sent to a collector configured in the environment.
        telemetry={"tracing": False, "metrics": False, "logs": False},
        generate_unique_id_function=lambda route: route.name,
        responses=problems(),
    )
    for router in _ROUTERS:
        app.include_router(router)
    add_handlers(app)
    app.state.metrics, app.state.recovery_days = Metrics(settings.metrics_key), settings.recovery_days
    operations = [route for router in _ROUTERS for route in router.routes]
    app.add_middleware(Guard, admit=admitted, operations=operations)
    if settings.console:

        def secret_for(purpose: str) -> bytes:
            secret: bytes = app.state.runtime.database.keys.current.signer.secret_for(purpose)
            return secret

        sealer = Sealer(partial(secret_for, "console cookie 1"))
        form_secret = partial(secret_for, "console form 1")
        add_console(app, is_of_console, PAGES.queue(), form_secret, sealer, has_tls=settings.behind_proxy)
    app.add_middleware(MetricsMiddleware, metrics=app.state.metrics)
    if settings.allowed_origins:
        app.add_middleware(CORSMiddleware, **cross_origin(settings.allowed_origins))
    app.add_middleware(Logged)
    publish(app)
    if settings.api_docs:
        add_interactive(app)
    return app


def _start_background(runtime: Runtime, computations: int) -> list[asyncio.Task[Never]]:
    """Start the tasks that last as long as the process."""
    database = runtime.database
    resuming, forgetting = Work("unfinished releases"), Work("retention")
    # One job loop for each concurrent computation, and one for what takes up to an hour.
    jobs_loops = [Work("jobs") for _ in range(1 + computations)]
    runtime.loops.extend((resuming, forgetting, *jobs_loops))
    return [
        resuming.start(resuming.repeat(_resume(runtime), _RESUMING_EVERY_SECONDS)),
        forgetting.start(forgetting.repeat(partial(_forget, runtime), _FORGETTING_EVERY_SECONDS)),
        *(each.start(keep_computing(runtime, each, long=each is jobs_loops[0])) for each in jobs_loops),
        database.witness_work.start(database.witness_work.repeat(database.record_heads, _WITNESS_EVERY_SECONDS)),
        database.probe_work.start(database.probe_work.repeat(database.probe.look, _PROBE_EVERY_SECONDS)),
    ]


def _resume(runtime: Runtime) -> Callable[[], Awaitable[None]]:
    """Return a function that finishes some pending releases. Each replica tries; leases ensure that only one draws."""
    after = ""

    async def resume() -> None:
        nonlocal after
        after = await paid.resume_pending_releases(runtime, after)

    return resume


async def _forget(runtime: Runtime) -> None:
    """Delete secrets of responses and jobs after a day, end expired tokens, and erase texts of principals whose name
    was erased.
    """
    for forget in (forget_secrets, forget_old, end_expired_tokens, erase_texts):
        while await runtime.database.write(forget):
            pass
