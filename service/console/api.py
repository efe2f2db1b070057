"""Sends requests to `/v1` of the same application over ASGI, without a socket, as a client with a key does."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import httpx
from starlette.types import ASGIApp

_BASE: Final = "http://service"
_PAGE_LIMIT: Final = 200
_LONGEST_JOB_SECONDS: Final = 20
PENDING: Final = "job-pending"
"""Code of the problem that a job still runs."""
_PATH: Final = re.compile(r"(/[A-Za-z0-9_-]+(\.[a-z]+)?)+")
"""A path of `/v1` whose identifiers can be ones. Any other has no resource."""
_NO_KEY: Final = "This is not a key."
_NO_ADDRESS: Final = "Nothing has this address."
_NOT_SENDABLE: Final = "Every number must be finite, and every text must be Unicode."
_LARGE_BODY_BYTES: Final = 50_000
"""Smallest size of a response, in bytes, that is parsed in a thread."""
_OTHER_MECHANISMS: Final = {"margins": "Adds independent noise to every cell of several margins of a cross table."}
"""What the mechanisms do of releases that are not of counts, by their kinds."""
_MOST_PAGES: Final = 50
"""Largest number of pages that are read of one list: 10 000 items."""


class Refused(Exception):
    """`/v1` answered with this problem document."""

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: str | None = None) -> None:
        super().__init__(document.get("type"))
        self.status = status
        self.document = document
        self.retry_after = retry_after

    @classmethod
    def at(cls, location: str, rule: str, status: int = HTTPStatus.UNPROCESSABLE_ENTITY) -> Refused:
        """Return a refusal by the pages themselves, in the form that `/v1` uses: a location and the rule that it
        breaks.
        """
        return cls(status, {"errors": [{"location": location, "rule": rule}]})

    @property
    def code(self) -> str:
        return str(self.document.get("type", "")).rpartition("/")[2]

    @property
    def detail(self) -> str:
        return str(self.document.get("detail") or self.document.get("title") or "Something went wrong.")

    @property
    def rules(self) -> list[tuple[str, str]]:
        """The locations in the request that break a rule, each with the rule."""
        return [(each["location"], each["rule"]) for each in self.document.get("errors", [])]


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """An answer of `/v1`."""

    status: int
    media_type: str
    content: bytes = field(repr=False)
    json: Any = field(default=None, repr=False)
    """The parsed content; None if it is not JSON."""
    location: str = ""
    """The path to which a redirection leads."""
    replayed: bool = False
    """Whether an earlier request under the same Idempotency-Key created what the answer shows."""


@dataclass(frozen=True, slots=True)
class Api:
    """Access to `/v1` with `key`; None sends no key."""

    transport: httpx.ASGITransport
    key: str | None = field(default=None, repr=False)

    def with_key(self, key: str | None) -> Api:
        return Api(self.transport, key)

    async def send(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        once: str | None = None,
    ) -> ApiResponse:
        """Send a request and return the answer. `once` is the Idempotency-Key. Raises Refused."""
        headers = {}
        if self.key is not None:
            if not (self.key.isascii() and self.key.isprintable()):  # no header can hold it
                raise Refused(HTTPStatus.UNAUTHORIZED, {"type": "/problems/unauthenticated", "detail": _NO_KEY})
            headers["Authorization"] = f"Bearer {self.key}"
        if once is not None:
            headers["Idempotency-Key"] = once
        if not _PATH.fullmatch(path):
            raise Refused(HTTPStatus.NOT_FOUND, {"detail": _NO_ADDRESS})
        content = b""
        if body is not None:
            headers["Content-Type"] = "application/json"
            try:
                content = await asyncio.to_thread(_json_bytes, body)  # a large one would hold the event loop
            except ValueError:
                raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"detail": _NOT_SENDABLE}) from None
        try:
            request = httpx.Request(method, _BASE + path, params=query, headers=headers, content=content)
        except httpx.InvalidURL:  # it is too long
            raise Refused(HTTPStatus.NOT_FOUND, {"detail": _NO_ADDRESS}) from None
        response = await self.transport.handle_async_request(request)
        content = await response.aread()
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            raise Refused(response.status_code, _document(content), response.headers.get("retry-after"))
        media_type = response.headers.get("content-type", "").partition(";")[0]
        is_large, parsed = len(content) > _LARGE_BODY_BYTES, None
        if media_type == "application/json":
            parsed = await asyncio.to_thread(json.loads, content) if is_large else json.loads(content)
        is_replayed = response.headers.get("idempotency-replayed") == "true"
        location = response.headers.get("location", "")
        return ApiResponse(response.status_code, media_type, content, parsed, location, is_replayed)

    async def get(self, path: str, **query: str | Sequence[str]) -> Any:
        return (await self.send("GET", path, query=query or None)).json

    async def latest_entries(self, budget: Mapping[str, Any], most: int) -> list[Any]:
        """Return the last entries of a budget's ledger, at most `most`."""
        after = max(0, int(budget["sequence"]) - most)
        page = await self.get(f"/v1/budgets/{budget['id']}/ledger", cursor=str(after), limit=str(most))
        return list(page["items"])

    async def mechanisms(self) -> dict[str, dict[str, Any]]:
        """Return the name, the description and the parameters of each mechanism, by its kind, also of those that no
        release of counts takes.
        """
        found = {each["kind"]: each for each in (await self.get("/v1/mechanisms"))["items"]}
        return found | {
            kind: {"kind": kind, "name": kind, "description": what, "parameters": []}
            for kind, what in _OTHER_MECHANISMS.items()
        }

    async def post(self, path: str, body: Any, *, once: str | None = None) -> Any:
        return (await self.send("POST", path, body=body, once=once)).json

    async def computed(self, path: str, body: Any) -> Any:
        """Return the result of a free computation. Raises Refused."""
        return (await self.finished(await self.send("POST", path, body=body))).json

    async def finished(self, answer: ApiResponse) -> ApiResponse:
        """Return the answer, or the result of the job that it names.

        Raises Refused, also if the job takes longer than `_LONGEST_JOB_SECONDS`. The same request finds the result
        later.
        """
        if answer.status != HTTPStatus.ACCEPTED:
            return answer
        result = f"/v1/jobs/{answer.json['id']}/result"
        for _ in range(_LONGEST_JOB_SECONDS):
            await asyncio.sleep(1)
            try:
                return await self.send("GET", result)
            except Refused as refused:
                if refused.code != PENDING:
                    raise
        raise _refusal_of_long_wait()

    async def planned(self, path: str, body: Any, *, once: str | None = None) -> Any:
        """Return a quote, also if it takes a moment to compute. Raises Refused, as `finished` does."""
        for _ in range(_LONGEST_JOB_SECONDS):
            try:
                return await self.post(path, body, once=once)
            except Refused as refused:
                if refused.code != "preparation-pending":
                    raise
            await asyncio.sleep(1)
        raise _refusal_of_long_wait()

    async def releases(
        self, *kinds: str, dataset_id: str = "", state: str = "", cursor: str = "", limit: int, newest: bool = True
    ) -> dict[str, Any]:
        """Return a page of the releases of these kinds that the visitor may read, the newest first."""
        named = {"dataset_id": dataset_id, "state": state, "cursor": cursor, "order": "newest" if newest else ""}
        query = {name: value for name, value in named.items() if value}
        found: dict[str, Any] = await self.get("/v1/releases", **query, kind=kinds, limit=str(limit))
        return found

    async def patch(self, path: str, body: Any) -> Any:
        return (await self.send("PATCH", path, body=body)).json

    async def delete(self, path: str, **query: str) -> None:
        await self.send("DELETE", path, query=query or None)

    async def items(self, path: str, **query: str) -> list[Any]:
        """Return all items of a list, which is read page by page."""
        return [item async for item in self._items(path, query)]

    async def _items(self, path: str, query: dict[str, str]) -> AsyncIterator[Any]:
        query = {"limit": str(_PAGE_LIMIT)} | query
        for _ in range(_MOST_PAGES):
            page = await self.get(path, **query)
            for item in page["items"]:
                yield item
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]


def _refusal_of_long_wait() -> Refused:
    detail = "This takes longer than usual, and goes on. Ask once more in a minute."
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, {"type": f"/problems/{PENDING}", "detail": detail}, "60")


def open_api(application: ASGIApp) -> Api:
    """Return access to `/v1` of this application, without a key."""
    return Api(httpx.ASGITransport(application, raise_app_exceptions=False))


def _json_bytes(body: Any) -> bytes:
    """Return a body as JSON. Raises ValueError for numbers and texts that JSON does not have."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def read_json(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError if `/v1` can't take it: for numbers that are not finite, texts
    that are not Unicode, and for nesting that is too deep.
    """
    try:
        value = json.loads(text)
        _json_bytes(value)
    except RecursionError:
        raise ValueError(_NOT_SENDABLE) from None
    return value


def _document(content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
