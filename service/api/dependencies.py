"""Dependencies of routes: runtime, caller, page and Idempotency-Key."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, Literal, get_origin

from fastapi import Depends, Header, Path, Query, Request, Response, status
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query as QueryParameter
from fastapi.security import HTTPBearer

from service.database.paging import PageRequest
from service.errors import InvalidRequest, Unauthenticated
from service.identifiers.identifiers import ID_PATTERN, now
from service.ledger.outcomes import SignedText
from service.limits.limits import BODY_BYTES, TTLCache
from service.logs import log
from service.principals.auth import Caller, authenticate, current_principal, secret_hash_of
from service.principals.keys import note_use
from service.releases.paid import StoredRelease
from service.runtime.runtime import Runtime
from service.schemas.model import Id, Instant, ShortText

_CLIENT_CLOSED = 499
_USE_NOTED_EVERY_SECONDS = 60
_CALLER_KEY = "posterior.admitted"
_BYTES_OF_A_REQUEST = 20_000
"""Body bytes that count as one more request: reading this many bytes takes about as long as answering a request."""


# A text that can't be an id is answered like an unknown id.
_JSON = "application/json"


async def computed(request: Request, work: Awaitable[str | Response], media_type: str = _JSON) -> Response:
    """Return the response of a free computation, which is cancelled when the caller disconnects. Don't use it for
    charged work.
    """
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            return Response(status_code=_CLIENT_CLOSED)  # the caller has disconnected; the status is for the log
        found = task.result()
        return found if isinstance(found, Response) else Response(found, media_type=media_type)
    finally:
        for each in (task, gone):
            each.cancel()
        await asyncio.wait({task, gone})


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


PathId = Annotated[str, Path(pattern=ID_PATTERN)]


def runtime_of(request: Request) -> Runtime:
    """Return the application's runtime."""
    runtime: Runtime = request.app.state.runtime
    return runtime


async def get_runtime(request: Request) -> Runtime:
    return runtime_of(request)


RuntimeDependency = Annotated[Runtime, Depends(get_runtime)]


class KeyHolder(HTTPBearer):
    """Authenticates the caller, and names the security scheme in the OpenAPI document."""

    async def __call__(self, request: Request) -> Caller:  # type: ignore[override]  # a caller says more than credentials
        caller = await self._admit_caller(request)
        current_principal.set(caller.principal_id)
        if request.scope["query_string"]:
            # This class has no dependency: resolving one takes a release as long as drawing its noise.
            _refuse_stray_queries(request)
        return caller

    async def _admit_caller(self, request: Request) -> Caller:
        caller = await admitted(request)
        _note_use(runtime_of(request), caller)
        return caller


class FormerKeyHolder(KeyHolder):
    """Like KeyHolder, but accepts revoked keys too. The operation decides what those may do."""

    async def _admit_caller(self, request: Request) -> Caller:
        try:
            return await super()._admit_caller(request)
        except Unauthenticated:
            secret_hash, runtime = secret_hash_of(request.headers.get("Authorization")), runtime_of(request)
            async with runtime.database.unauthenticated_slot():
                caller = await runtime.database.look(partial(authenticate, secret_hash=secret_hash, also_revoked=True))
        runtime.caches.rate_limit.admit(caller.principal_id)
        log.add(caller_id=caller.principal_id, caller_key_id=caller.key_id)
        return caller


def _refuse_stray_queries(request: Request) -> None:
    """Raise InvalidRequest for a query parameter that is unknown, which would leave a list unfiltered, or repeated,
    because only its last value would be used.
    """
    parameters = get_flat_params(request.scope["route"].dependant)
    known = {each.alias: each for each in parameters if isinstance(each.field_info, QueryParameter)}
    sent = request.query_params
    if any(name not in known for name in sent):
        rule = f"has a parameter that this operation does not take; it takes {', '.join(sorted(known)) or 'none'}"
        raise InvalidRequest.at("query", rule)
    for name in sent:
        if len(sent.getlist(name)) > 1 and get_origin(known[name].field_info.annotation) is not list:
            raise InvalidRequest.at(f"query.{name}", "must be given only once")


async def admitted(request: Request) -> Caller:
    """Return the caller, and count the request once against the principal's rate limit. Raises what `known_caller`
    raises, and RateLimited.
    """
    caller: Caller | None = request.scope.get(_CALLER_KEY)
    if caller is None:
        caller = await known_caller(request)
        runtime_of(request).caches.rate_limit.admit(
            caller.principal_id, 1 + _body_bytes(request) // _BYTES_OF_A_REQUEST
        )
        request.scope[_CALLER_KEY] = caller
    return caller


def _body_bytes(request: Request) -> int:
    """Return the declared size of the body, or the largest allowed size if none is declared."""
    if "transfer-encoding" in request.headers:
        return BODY_BYTES.max_per_key
    declared = request.headers.get("content-length", "0")
    return int(declared) if declared.isdecimal() else 0


async def known_caller(request: Request) -> Caller:
    """Return the caller of the Authorization header. Raises Unauthenticated, or RateLimited if many unknown keys are
    looked up.
    """
    runtime, secret_hash = runtime_of(request), secret_hash_of(request.headers.get("Authorization"))
    callers = runtime.caches.callers
    looking = callers.get(secret_hash)
    if looking is None:
        looking = asyncio.ensure_future(_look_up(runtime, secret_hash))
        callers.keep(secret_hash, looking)
        looking.add_done_callback(partial(_forget_failed, callers, secret_hash))
    caller = await asyncio.shield(looking)
    log.add(caller_id=caller.principal_id, caller_key_id=caller.key_id)
    return caller


def _forget_failed(
    callers: TTLCache[str, asyncio.Future[Caller]], secret_hash: str, looking: asyncio.Future[Caller]
) -> None:
    if looking.cancelled() or looking.exception() is not None:
        callers.forget(secret_hash)


async def _look_up(runtime: Runtime, secret_hash: str) -> Caller:
    """Return the caller whose key has this hash. Each look-up reads the database, so that keys never valid here wait in
    a small queue.
    """
    looking = partial(authenticate, secret_hash=secret_hash)
    if runtime.caches.known_keys.get(secret_hash):
        return await runtime.database.look(looking)
    async with runtime.database.unauthenticated_slot():
        caller = await runtime.database.look(looking)
    runtime.caches.known_keys.keep(secret_hash, True)
    return caller


def _note_use(runtime: Runtime, caller: Caller) -> None:
    """Record the use of a key, at most once a minute, without delaying the request."""
    instant = now()
    noted = max(caller.last_used_at or 0, runtime.caches.key_uses.get(caller.key_id, 0))
    if noted + _USE_NOTED_EVERY_SECONDS <= instant:
        runtime.caches.key_uses[caller.key_id] = instant
        noting = asyncio.ensure_future(runtime.database.write(partial(note_use, key_id=caller.key_id, instant=instant)))
        noting.add_done_callback(lambda done: done.cancelled() or done.exception())


_SCHEME: Final = "ApiKey"
_KEY_DESCRIPTION: Final = "Your API key, as `Authorization: Bearer pp_…`."
key_holder = KeyHolder(scheme_name=_SCHEME, description=_KEY_DESCRIPTION)
CallerDependency = Annotated[Caller, Depends(key_holder)]
FormerCallerDependency = Annotated[Caller, Depends(FormerKeyHolder(scheme_name=_SCHEME, description=_KEY_DESCRIPTION))]


async def get_page(
    cursor: Annotated[
        str,
        Query(
            pattern=f"^({ID_PATTERN[1:-1]})?$",
            description=("`next_cursor` of the previous page; empty or absent for the first page."),
        ),
    ] = "",
    limit: Annotated[int, Query(ge=1, le=200, description="Largest number of items on the page.")] = 50,
    order: Annotated[
        Literal["oldest", "newest"], Query(description="Which items come first; `next_cursor` goes on in this order.")
    ] = "oldest",
    created_after: Annotated[
        Instant | None, Query(description="List only items that were created at this time or later.")
    ] = None,
    created_before: Annotated[
        Instant | None, Query(description="List only items that were created before this time.")
    ] = None,
) -> PageRequest:
    ends = [None if at is None else min(at, _LATEST_TIMESTAMP) for at in (created_after, created_before)]
    return PageRequest(cursor, limit, order == "newest", *ends)


_LATEST_TIMESTAMP: Final = 9 * 10**9
"""Latest time of a filter, in seconds: its nanoseconds fit into the database's integers."""
OfDataset = Annotated[Id | None, Query(description="List only items of this data set.")]
OfBudgets = Annotated[
    list[Id],
    Query(default_factory=list, max_length=50, description="List only items of this budget, or of one of these."),
]
OfPrincipal = Annotated[Id | None, Query(description="List only items that this principal holds or made.")]
NameContains = Annotated[
    ShortText | None, Query(description="List only items with this text in their name, in upper or lower case.")
]
PageDependency = Annotated[PageRequest, Depends(get_page)]


@dataclass(frozen=True, slots=True)
class LedgerPageRequest:
    after: int
    limit: int


async def get_ledger_page(
    cursor: Annotated[
        str,
        Query(
            max_length=19,
            pattern=r"^[0-9]*$",
            description=("`next_cursor` of the previous page; empty or absent for the first page."),
        ),
    ] = "",
    limit: Annotated[int, Query(ge=1, le=1000, description="Largest number of items on the page.")] = 100,
) -> LedgerPageRequest:
    return LedgerPageRequest(min(int(cursor or "0"), 2**63 - 1), limit)


LedgerPageDependency = Annotated[LedgerPageRequest, Depends(get_ledger_page)]


IDEMPOTENCY_KEY_PATTERN = r"^[A-Za-z0-9_.~:-]{1,200}$"

REPLAYED = {"Idempotency-Replayed": "true"}
"""Header of a response that was created for an earlier request under the same Idempotency-Key."""


SIGNATURE = "Release-Signature"
"""Header with the signed hashes of the answer and of what was drawn, in canonical JSON."""


def paid_answer(request: Request, answer: StoredRelease) -> Response:
    """Return the stored text of a paid release, byte for byte, with its signature."""
    runtime_of(request).caches.reported_charges.add(request)
    return signed_answer(answer.signed, status.HTTP_201_CREATED, REPLAYED if answer.replayed else {})


def signed_answer(
    signed: SignedText, status_code: int = status.HTTP_200_OK, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a stored text, byte for byte. A release of 0.1.0 has no signature."""
    of_text = {} if signed.signature is None else {SIGNATURE: signed.signature}
    return Response(signed.text, status_code, {**(headers or {}), **of_text}, media_type=_JSON)


IdempotencyKeyDependency = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=IDEMPOTENCY_KEY_PATTERN,
        description=(
            "A name that you choose for this request, 1 to 200 characters. Repeating the request under the same "
            "key is free."
        ),
        examples=["trial-1954-vaccinated-1"],
    ),
]
