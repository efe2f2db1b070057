"""Remembers requests with an Idempotency-Key that were answered as charged or possibly charged. If the ledger can't be
read later, the next answer must not contradict this.
"""

from __future__ import annotations

import hashlib
from typing import Final

from starlette.requests import Request

from service.limits.limits import TTLCache
from service.web.headers import headers_of

MAX_REMEMBERED: Final = 20_000


class ReportedCharges:
    """The last 20 000 requests of this process that were answered as charged or possibly charged."""

    def __init__(self) -> None:
        self._requests: TTLCache[bytes, bool] = TTLCache(MAX_REMEMBERED)

    def add(self, request: Request) -> None:
        """Record that the request is answered as charged or possibly charged."""
        self._requests.keep(_name_of(request), True)

    def may_be_charged(self, request: Request) -> bool:
        """Return whether this request, or one under the same key, was answered as charged or possibly charged."""
        return self._requests.get(_name_of(request)) is not None


def _name_of(request: Request) -> bytes:
    """Return a name for the caller's requests under one Idempotency-Key, computed from the headers only.

    The caller's identity may be unreadable when the database is.
    """
    headers = headers_of(request.scope)
    presented, key = (headers.get(name, b"") for name in (b"authorization", b"idempotency-key"))
    return hashlib.sha256(b"%b\n%b" % (presented, key)).digest()
