"""Reads the headers of a request, once for all layers that look at them."""

from __future__ import annotations

from typing import Final

from starlette.types import Scope

_READ: Final = "posterior.headers"


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """Return the headers of a request by lower-case name. If a name occurs several times, the first value is used."""
    headers: dict[bytes, bytes] | None = scope.get(_READ)
    if headers is None:
        headers = scope[_READ] = dict(reversed(scope["headers"]))
    return headers
