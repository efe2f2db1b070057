"""Remembers which requests under an Idempotency-Key were told of a charge, or of doubt about one, so that the same
request is not told the contrary when nobody can look.
"""

from __future__ import annotations

import hashlib
from typing import Final

from starlette.requests import Request

from service.cache import TTLCache
from service.web.headers import headers_of

MAX_REMEMBERED: Final = 20_000


class ReportedCharges:
    """Of one process, the last 20 000."""

    def __init__(self) -> None:
        self._requests: TTLCache[bytes, bool] = TTLCache(MAX_REMEMBERED)

    def add(self, request: Request) -> None:
        """The request is told that it was charged, or may have been."""
        self._requests.keep(_name_of(request), True)

    def may_be_charged(self, request: Request) -> bool:
        """Whether it was told so before, or one under the same key was."""
        return self._requests.get(_name_of(request)) is not None


def _name_of(request: Request) -> bytes:
    """Of all that its caller asks for under one Idempotency-Key, by what was sent: who that is may be what nobody can
    look at.
    """
    headers = headers_of(request.scope)
    presented, key = (headers.get(name, b"") for name in (b"authorization", b"idempotency-key"))
    return hashlib.sha256(b"%b\n%b" % (presented, key)).digest()
