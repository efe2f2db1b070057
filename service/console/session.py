"""The cookie is the key of a session, or a random text before anybody has signed in. The token that a form carries
follows from it, so that no page of another site can make one.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

COOKIE: Final = "posterior_session"
KEY_SCHEME: Final = "pp_"
_LONGEST: Final = 200
_SAFE_SITES: Final = frozenset({"same-origin", "none"})


def cookie_of(headers: list[tuple[bytes, bytes]]) -> str:
    """The cookie of the console among these headers; empty if there is none, or several that differ: one of them was
    planted by somebody else.
    """
    pairs = (
        part.strip() for name, value in headers if name == b"cookie" for part in value.decode("latin-1").split(";")
    )
    found = {value for name, _, value in (pair.partition("=") for pair in pairs) if name == COOKIE}
    cookie = found.pop() if len(found) == 1 else ""
    return cookie if len(cookie) <= _LONGEST and cookie.isascii() else ""


def form_token(cookie: str) -> str:
    """The token of forms on pages that are shown under this cookie."""
    return hmac.digest(cookie.encode(), b"private-posterior console form 1", "sha256").hex()


def comes_from_here(request: Request, token: str) -> bool:
    """Whether a form was sent by a page of the console that was shown under the same cookie."""
    cookie = cookie_of(request.scope["headers"])
    return bool(cookie) and hmac.compare_digest(token.encode(), form_token(cookie).encode())


def is_from_another_site(request: Request) -> bool:
    """Whether the browser says that another site sent the request. Browsers say nothing of it without TLS beyond
    loopback; the token is checked anyway.
    """
    return request.headers.get("Sec-Fetch-Site", "same-origin") not in _SAFE_SITES


def anonymous_cookie() -> str:
    """A cookie for somebody who has not signed in. It is no key."""
    return f"new_{secrets.token_urlsafe(32)}"


def set_cookie(response: Response, request: Request, value: str, *, seconds: int | None = None) -> None:
    """Sets the cookie; without `seconds` it ends with the browser."""
    response.set_cookie(
        COOKIE,
        value,
        max_age=seconds,
        path=f"{request.scope.get('root_path', '')}/console",
        secure=request.app.state.console.has_tls or request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
