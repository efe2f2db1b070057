"""Makes pages from templates, which show every text as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Context, Decimal, InvalidOperation
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from service.console.api import Refused
from service.console.session import anonymous_cookie, cookie_of, form_token, set_cookie
from service.console.typed_table import impossible_of
from service.pictures.scales import grouped

NAVIGATION: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "owner": (("/console/", "Your data"), ("/console/data/new", "New data set")),
    "analyst": (("/console/datasets", "Data sets"), ("/console/releases", "Releases and queries")),
    "admin": (("/console/admin", "People and service"),),
}
"""The links at the top, by role; a page adds its own here."""


class Instead(Exception):
    """Ends the making of a page: another answer is sent in its place."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


def page(
    request: Request,
    template: str,
    *,
    status: int = HTTPStatus.OK,
    me: Mapping[str, Any] | None = None,
    errors: Mapping[str, str] | None = None,
    cookie: str = "",
    **context: Any,
) -> HTMLResponse:
    """The page of a template.

    `me`: who is signed in, as `/v1/me` says; `errors`: sentences by the name of the field that they are about, and
    under the empty name those about the whole form; `cookie`: the cookie that is set with the page, if not that of the
    request.
    """
    cookie = cookie or cookie_of(request.scope["headers"])
    fresh = "" if cookie else anonymous_cookie()
    role = me["principal"]["role"] if me else ""
    text = _environment.get_template(template).render(
        root=root_of(request),
        path=path_of(request),
        me=me,
        navigation=NAVIGATION.get(role, ()),
        form_token=form_token(cookie or fresh),
        errors=errors or {},
        **context,
    )
    answer = HTMLResponse(text, status, headers={"Cache-Control": "no-store"})
    if fresh:
        set_cookie(answer, request, fresh)
    return answer


def show_refusal(
    request: Request,
    refused: Refused,
    *,
    me: Mapping[str, Any] | None = None,
    back: str = "/console/",
    typed: Sequence[tuple[str, str]] = (),
) -> HTMLResponse:
    """The page that says why something was refused, with a form that sends what was typed again."""
    return page(request, "refused.html", status=refused.status, me=me, refused=refused, back=back, typed=typed)


def see_other(request: Request, path: str) -> RedirectResponse:
    """Leads on after a form was taken, so that a reload sends nothing again."""
    return RedirectResponse(root_of(request) + path, HTTPStatus.SEE_OTHER, headers={"Cache-Control": "no-store"})


def attachment(content: str | bytes, name: str, media_type: str) -> Response:
    """A file that the browser saves and keeps nowhere else."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type=media_type, headers=headers)


def root_of(request: Request) -> str:
    """The prefix of a reverse proxy, which is a setting."""
    root: str = request.scope.get("root_path", "")
    return root


def origin_of(request: Request) -> str:
    """The address of the service as the browser has it, with the prefix: a proxy passes the host and the port on, and
    speaks TLS if it is set that there is one.
    """
    scheme = "https" if request.app.state.console.has_tls else request.url.scheme
    return f"{scheme}://{request.url.netloc}{root_of(request)}"


def path_of(request: Request) -> str:
    """The path without that prefix."""
    path: str = request.scope["path"]
    return path.removeprefix(root_of(request))


def has_passed(text: str | None) -> bool:
    """Whether a time that `/v1` named lies behind."""
    return text is not None and datetime.fromisoformat(text) <= datetime.now(UTC)


def date_of(text: str) -> str:
    """The day of a time, as people write it."""
    instant = datetime.fromisoformat(text)
    return f"{instant.day} {instant:%B %Y}"


def _time(text: str | None, *, only_date: bool = False) -> str | Markup:
    if text is None:
        return "never"
    instant = datetime.fromisoformat(text).astimezone(UTC)
    shown = date_of(text) if only_date else f"{date_of(text)}, {instant:%H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(text, shown)


def number(value: float | str | Decimal) -> str:
    """A whole number in groups of three."""
    return grouped(int(value))


def percent(share: float) -> str:
    """A share as a percentage with two digits."""
    return f"{100 * share:.2g} %".replace("1e+02", "100")


def amount(value: str | float | Decimal | None) -> str:
    """An ε, ρ or δ for people: small ones with an exponent, and long ones cut to four digits, and four decimals."""
    if value is None:
        return "–"
    try:
        exact = Decimal(str(value))
    except InvalidOperation:
        return str(value)
    if exact == 0:
        return "0"
    if len(exact.normalize().as_tuple().digits) > _MOST_DIGITS:
        exact = Context(prec=max(4, exact.adjusted() + 5)).plus(exact)
    if abs(exact) < Decimal("0.0001"):
        digits, _, exponent = f"{exact.normalize():e}".partition("e")
        return f"{digits}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    return f"{exact.normalize():f}"


_MOST_DIGITS: Final = 6
_SUPERSCRIPT: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_environment: Final = Environment(
    loader=PackageLoader("service.console"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters |= {
    "time": _time,
    "number": number,
    "amount": amount,
    "percent": percent,
    "impossible": impossible_of,
    "decimal": Decimal,
    "segment": lambda text: quote(text, safe=""),
}
