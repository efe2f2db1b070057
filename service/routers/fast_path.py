"""Takes well-formed requests for a release past the framework, whose handling of a request costs as much as paying for
one and drawing it.

Whatever is out of the ordinary goes the framework's way, before anything was done, and is answered there: a request
gets the same answer on either way.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from fastapi.routing import APIRoute
from sqlalchemy.exc import DBAPIError
from starlette._utils import get_route_path
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from service.errors import Problem
from service.routers import releases
from service.routers.dependencies import IDEMPOTENCY_KEY_PATTERN, key_holder
from service.schemas.model import ID_PATTERN
from service.schemas.releases import ReleaseCreate
from service.web.guard import replayed
from service.web.handlers import answer_database, answer_problem

_PATH: Final = re.compile(rf"/v1/datasets/({ID_PATTERN.strip('^$')})/releases")
_KEY: Final = re.compile(IDEMPOTENCY_KEY_PATTERN)
_ROUTE: Final = next(
    route
    for route in releases.router.routes
    if isinstance(route, APIRoute) and route.endpoint is releases.create_release
)


class FastPath:
    """Answers well-formed requests for a release, and hands all others on. Comes after the guard."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = _PATH.fullmatch(get_route_path(scope)) if _may_be_one(scope) else None
        if path is None:
            await self._app(scope, receive, send)
            return
        body = (await receive()).get("body", b"")  # the guard has read the whole of it
        request = Request(scope)
        wanted = _well_formed(request, body)
        if wanted is None:
            await self._app(scope, replayed(body, receive), send)
            return
        scope["route"], scope["path_params"] = _ROUTE, {"dataset_id": path[1]}
        try:
            caller = await key_holder(request)
            answer = await releases.create_release(path[1], wanted.body, caller, wanted.idempotency_key, request)
        except Problem as problem:
            answer = await answer_problem(request, problem)
        except DBAPIError as error:
            answer = await answer_database(request, error)
        await answer(scope, receive, send)


class _Wanted(NamedTuple):
    body: ReleaseCreate
    idempotency_key: str


def _may_be_one(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] == "POST" and not scope["query_string"]


def _well_formed(request: Request, body: bytes) -> _Wanted | None:
    """What the request asks for; None where the framework has to say what is wrong with it."""
    key = request.headers.get("idempotency-key", "")
    if request.headers.get("content-type") != "application/json" or not _KEY.fullmatch(key):
        return None
    try:
        return _Wanted(ReleaseCreate.model_validate(json.loads(body)), key)
    except (ValueError, RecursionError):  # of the first kind is what pydantic raises, too
        return None
