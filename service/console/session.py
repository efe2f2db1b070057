"""The cookie contains the key of a session, or a random text before sign-in. The token in a form is derived from it and
a secret of the service. So a page of another site can't make one, even for a cookie that it planted.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

COOKIE: Final = "posterior_session"
KEY_SCHEME: Final = "pp_"
_MAX_COOKIE_LENGTH: Final = 200
_SAFE_SITES: Final = frozenset({"same-origin", "none"})


def cookie_of(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the console's cookie. Return an empty text if there is none or if there are several different ones,
    because another site may have set one of them.
    """
    pairs = (
        part.strip() for name, value in headers if name == b"cookie" for part in value.decode("latin-1").split(";")
    )
    found = {value for name, _, value in (pair.partition("=") for pair in pairs) if name == COOKIE}
    cookie = found.pop() if len(found) == 1 else ""
    return cookie if len(cookie) <= _MAX_COOKIE_LENGTH and cookie.isascii() else ""


def form_token(request: Request, cookie: str) -> str:
    """Return the token of forms on pages that were shown with this cookie."""
    return hmac.digest(request.app.state.console.form_secret(), cookie.encode(), "sha256").hex()


def session_mark(request: Request, cookie: str) -> str:
    """Return a public text that differs for each session, or an empty text for a cookie without a key."""
    if not cookie.startswith(KEY_SCHEME):
        return ""
    return hashlib.sha256(form_token(request, cookie).encode()).hexdigest()


def comes_from_here(request: Request, token: str) -> bool:
    """Return whether a form came from a page of the console that was shown with the same cookie."""
    cookie = cookie_of(request.scope["headers"])
    return bool(cookie) and hmac.compare_digest(token.encode(), form_token(request, cookie).encode())


def is_from_another_site(request: Request) -> bool:
    """Return whether the browser says that another site sent the request.

    Without TLS, browsers say this on loopback only. There, and in old browsers, a form has an origin. It is this
    service's, because its pages have the referrer policy `same-origin`.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is None and origin is not None:
        return origin.partition("://")[2] != request.url.netloc
    return site is not None and site not in _SAFE_SITES


def seal(request: Request, text: str, *about: str) -> str:
    """Return a text encrypted for this session, to be kept in its browser."""
    sealed: str = request.app.state.console.sealer.seal(text, cookie_of(request.scope["headers"]), *about)
    return sealed


def opened(request: Request, sealed: str, *about: str) -> str | None:
    """Return the text that this session sealed with the same `about`, or None."""
    text: str | None = request.app.state.console.sealer.opened(sealed, cookie_of(request.scope["headers"]), *about)
    return text


def anonymous_cookie() -> str:
    """Return a random cookie for somebody who has not signed in."""
    return f"new_{secrets.token_urlsafe(32)}"


def set_cookie(
    response: Response, request: Request, value: str, *, seconds: int | None = None, name: str = COOKIE
) -> None:
    """Set a cookie, by default that of the session. Without `seconds`, the browser deletes it when it closes."""
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path=f"{request.scope.get('root_path', '')}/console",
        secure=request.app.state.console.has_tls or request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
