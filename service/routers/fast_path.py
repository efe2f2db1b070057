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

from service.auth import Caller
from service.cache import Memory
from service.errors import Problem
from service.releases.release import Asked
from service.routers import releases
from service.routers.dependencies import IDEMPOTENCY_KEY_PATTERN, admitted_before, key_holder
from service.schemas.model import ID_PATTERN
from service.schemas.releases import ReleaseCreate
from service.web.guard import replayed
from service.web.handlers import answer_database, answer_problem
from service.web.headers import headers_of

_PATH: Final = re.compile(rf"/v1/datasets/({ID_PATTERN.strip('^$')})/releases")
_KEY: Final = re.compile(IDEMPOTENCY_KEY_PATTERN)
_REMEMBERED: Final = 512
_REMEMBERED_BYTES: Final = 2_000
"""Of a body. Whoever asks for a release from many data sets, or for many from one, sends the same short body."""
_ROUTE: Final = next(
    route
    for route in releases.router.routes
    if isinstance(route, APIRoute) and route.endpoint is releases.create_release
)


class FastPath:
    """Answers well-formed requests for a release, and hands all others on. Comes after the guard."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._asked: Memory[tuple[str, str, bytes], Asked] = Memory(_REMEMBERED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = _PATH.fullmatch(get_route_path(scope)) if _may_be_one(scope) else None
        if path is None:
            await self._app(scope, receive, send)
            return
        body = (await receive()).get("body", b"")  # the guard has read the whole of it
        request = Request(scope)
        caller = admitted_before(scope)
        wanted = None if caller is None else self._well_formed(scope, caller, path[1], body)
        if wanted is None:
            await self._app(scope, replayed(body, receive), send)
            return
        scope["route"], scope["path_params"] = _ROUTE, {"dataset_id": path[1]}
        try:
            caller = await key_holder(request)
            answer = await releases.answer(request, caller, wanted.asked, wanted.idempotency_key)
        except Problem as problem:
            answer = await answer_problem(request, problem)
        except DBAPIError as error:
            answer = await answer_database(request, error)
        await answer(scope, receive, send)

    def _well_formed(self, scope: Scope, caller: Caller, dataset_id: str, content: bytes) -> _Wanted | None:
        """What the request asks for; None where the framework has to say what is wrong with it."""
        headers = headers_of(scope)
        key = headers.get(b"idempotency-key", b"").decode("latin-1")
        if headers.get(b"content-type") != b"application/json" or not _KEY.fullmatch(key):
            return None
        of = caller.principal_id, dataset_id, content
        asked = self._asked.get(of)
        if asked is None:
            try:
                asked = Asked.of(dataset_id, ReleaseCreate.model_validate(json.loads(content)))
            except (ValueError, RecursionError):  # of the first kind is what pydantic raises, too
                return None
            if len(content) <= _REMEMBERED_BYTES:
                self._asked.keep(of, asked)
        return _Wanted(asked, key)


class _Wanted(NamedTuple):
    asked: Asked
    idempotency_key: str


def _may_be_one(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] == "POST" and not scope["query_string"]
