"""Speaks to `/v1` of the same application, over ASGI and without a socket, as a client with a key would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import httpx
from starlette.types import ASGIApp

_BASE: Final = "http://service"
_PAGE_LIMIT: Final = 200
_LONGEST_JOB_SECONDS: Final = 20
_MOST_PAGES: Final = 50
"""Of a list that is read as a whole: 10 000 items."""


class Refused(Exception):
    """A problem document that `/v1` answered with."""

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: str | None = None) -> None:
        super().__init__(document.get("type"))
        self.status = status
        self.document = document
        self.retry_after = retry_after

    @classmethod
    def at(cls, location: str, rule: str, status: int = HTTPStatus.UNPROCESSABLE_ENTITY) -> Refused:
        """A refusal of the pages themselves, in the form that `/v1` gives it: a place, and the rule that it breaks."""
        return cls(status, {"errors": [{"location": location, "rule": rule}]})

    @property
    def code(self) -> str:
        return str(self.document.get("type", "")).rpartition("/")[2]

    @property
    def detail(self) -> str:
        return str(self.document.get("detail") or self.document.get("title") or "Something went wrong.")

    @property
    def rules(self) -> list[tuple[str, str]]:
        """Each place in the request that breaks a rule, and the rule."""
        return [(each["location"], each["rule"]) for each in self.document.get("errors", [])]


@dataclass(frozen=True, slots=True)
class Answer:
    """What `/v1` answered."""

    status: int
    media_type: str
    content: bytes = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def json(self) -> Any:
        return json.loads(self.content) if self.content else None


@dataclass(frozen=True, slots=True)
class Api:
    """`/v1` as the holder of `key` reaches it; None: without a key."""

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
        query: Mapping[str, str] | None = None,
        once: str | None = None,
    ) -> Answer:
        """The answer. `once`: the Idempotency-Key. Raises Refused."""
        headers = {}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        if once is not None:
            headers["Idempotency-Key"] = once
        request = httpx.Request(method, _BASE + path, params=query, headers=headers, json=body)
        response = await self.transport.handle_async_request(request)
        content = await response.aread()
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            raise Refused(response.status_code, _document(content), response.headers.get("retry-after"))
        media_type = response.headers.get("content-type", "").partition(";")[0]
        return Answer(response.status_code, media_type, content, response.headers)

    async def get(self, path: str, **query: str) -> Any:
        return (await self.send("GET", path, query=query or None)).json

    async def post(self, path: str, body: Any, *, once: str | None = None) -> Any:
        return (await self.send("POST", path, body=body, once=once)).json

    async def computed(self, path: str, body: Any) -> Any:
        """Return the result of a free computation. Raises Refused."""
        return (await self.finished(await self.send("POST", path, body=body))).json

    async def finished(self, answer: Answer) -> Answer:
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
                if refused.code != "job-pending":
                    raise
        raise Refused(
            HTTPStatus.SERVICE_UNAVAILABLE, {"detail": "This takes longer than usual. Ask once more in a minute."}
        )

    async def patch(self, path: str, body: Any) -> Any:
        return (await self.send("PATCH", path, body=body)).json

    async def delete(self, path: str, **query: str) -> None:
        await self.send("DELETE", path, query=query or None)

    async def items(self, path: str, **query: str) -> list[Any]:
        """All items of a list, page by page."""
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


def open_api(application: ASGIApp) -> Api:
    """`/v1` of this application, without a key."""
    return Api(httpx.ASGITransport(application, raise_app_exceptions=False))


def _document(content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
