"""Makes pages from templates. Templates escape every text."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Context, Decimal, InvalidOperation
from functools import partial
from http import HTTPStatus
from typing import Any, Final, TypeVar
from unicodedata import normalize
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from service.console.api import Refused
from service.console.forms import WHOSE_FIELD, Form, FormMark
from service.console.questions import chosen
from service.console.session import anonymous_cookie, cookie_of, form_token, session_mark, set_cookie
from service.pictures.dates import day, instant, minute
from service.pictures.scales import grouped
from service.pictures.svg import Picture
from service.schemas.cell_names import CellNames

NAVIGATION: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "owner": (
        ("/console/", "Your data"),
        ("/console/data/new", "New data set"),
        ("/console/table", "A table from elsewhere"),
    ),
    "analyst": (
        ("/console/datasets", "Data sets"),
        ("/console/releases", "Releases and queries"),
        ("/console/table", "A table from elsewhere"),
    ),
    "admin": (("/console/admin", "People and service"),),
}
"""The links at the top, by role. A new page adds its links here."""


_LONGEST_FILE_NAME: Final = 60
_LONGEST_POSITION: Final = 6
_WIDTHS: Final = {"narrow": 320, "wide": 712}
"""Widths of pictures in pixels, for screens up to 48 rem and for wider ones."""


T = TypeVar("T")


class Instead(Exception):
    """Stops making a page and sends another response instead."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


async def in_thread(request: Request, work: Callable[[], T]) -> T:
    """Return the result of `work`, which runs in a thread, in turns by person. The event loop stays free for others."""
    me = getattr(request.state, "me", None)
    async with request.app.state.console.threads.slot(me["principal"]["id"] if me else ""):
        return await asyncio.to_thread(work)


async def page(
    request: Request,
    template: str,
    *,
    status: int = HTTPStatus.OK,
    me: Mapping[str, Any] | None = None,
    errors: Mapping[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """Return the page of a template.

    `me` is the answer of `/v1/me`. `errors` maps field names to sentences; the empty name is for the whole form.
    """
    cookie = cookie_of(request.scope["headers"])
    fresh = "" if cookie else anonymous_cookie()
    role = me["principal"]["role"] if me else ""
    # If the person could not be looked up, the form still belongs to the person that it names.
    whose = me["principal"]["id"] if me else getattr(request.state, "form", Form()).text(WHOSE_FIELD)
    render = partial(
        _environment.get_template(template).render,
        root=root_of(request),
        path=path_of(request),
        me=me,
        navigation=NAVIGATION.get(role, ()),
        form_token=FormMark(form_token(request, cookie or fresh), whose),
        session=session_mark(request, cookie),
        errors=errors or {},
        **context,
    )
    text = (await in_thread(request, render)).encode()
    answer = HTMLResponse(text, status, headers={"Cache-Control": "no-store"})
    if fresh:
        set_cookie(answer, request, fresh)
    return answer


async def show_refusal(
    request: Request,
    refused: Refused,
    *,
    me: Mapping[str, Any] | None = None,
    back: str = "/console/",
    leads_to: str = "Go back",
    typed: Sequence[tuple[str, str]] = (),
) -> HTMLResponse:
    """Return the page that says why a request was refused, with a form that sends the typed fields again."""
    return await page(
        request,
        "refused.html",
        status=refused.status,
        me=me,
        refused=refused,
        back=back,
        leads_to=leads_to,
        typed=typed,
    )


def on_page(picture: Picture) -> Markup:
    """Return a picture as an element of a page. Its texts are escaped."""
    return Markup(picture.element())  # noqa: S704


def in_both_widths(draw: Callable[..., Picture]) -> dict[str, Markup]:
    """Return a picture for a narrow and for a wide screen."""
    return {name: on_page(draw(width=width)) for name, width in _WIDTHS.items()}


def position_of(text: str, count: int, rows: int) -> int:
    """Return the index of the first item of the requested page, in a list of `count` items with `rows` on a page."""
    wanted = int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_POSITION else 0
    return min(wanted, max(0, count - 1)) // rows * rows


def see_other(request: Request, path: str) -> RedirectResponse:
    """Redirect after a form was accepted, so that a reload does not send it again."""
    return RedirectResponse(root_of(request) + path, HTTPStatus.SEE_OTHER, headers={"Cache-Control": "no-store"})


def attachment(content: str | bytes, name: str, media_type: str) -> Response:
    """Return a file that the browser saves and does not cache."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type=media_type, headers=headers)


def file_name(kind: str, name: str, ending: str) -> str:
    """Return the name of a file about this data set, in ASCII as headers need it."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = "-".join(re.findall(r"[A-Za-z0-9]+", plain))[:_LONGEST_FILE_NAME]
    return f"{kind}-{words}.{ending}" if words else f"{kind}.{ending}"


def root_of(request: Request) -> str:
    """Return the path prefix of the reverse proxy, from the settings."""
    root: str = request.scope.get("root_path", "")
    return root


def origin_of(request: Request) -> str:
    """Return the scheme, host, port and prefix of the service as the browser sees them.

    The proxy forwards host and port. A setting says whether the proxy uses TLS.
    """
    scheme = "https" if request.app.state.console.has_tls else request.url.scheme
    return f"{scheme}://{request.url.netloc}{root_of(request)}"


def path_of(request: Request) -> str:
    """Return the path without the prefix of the reverse proxy."""
    path: str = request.scope["path"]
    return path.removeprefix(root_of(request))


def has_passed(text: str | None) -> bool:
    """Return whether a time in an answer of `/v1` has passed."""
    return text is not None and datetime.fromisoformat(text) <= datetime.now(UTC)


def date_of(text: str) -> str:
    """Return the day of a time, such as `24 November 2026`."""
    return day(instant(text))


def time_of(text: str) -> str:
    """Return a time to the minute, such as `24 November 2026, 19:53 UTC`."""
    return minute(instant(text))


def _time(text: str | None, *, only_date: bool = False) -> str | Markup:
    if text is None:
        return "never"
    shown = date_of(text) if only_date else time_of(text)
    return Markup('<time datetime="{}">{}</time>').format(text, shown)


def number(value: float | str | Decimal) -> str:
    """Return a whole number with its digits in groups of three."""
    return grouped(int(value))


def records(count: int | None, most: int) -> str:
    """Return a number of records with its noun, or None as a private number. `most`: largest number of one person."""
    several = f", up to {number(most)} of one person" if most > 1 else ""
    if count is None:
        return f"A private number of records{several}"
    return f"{number(count)} {'record' if count == 1 else 'records'}{several}"


def percent(share: float) -> str:
    """Return a share as a percentage with two digits."""
    return f"{100 * share:.2g} %".replace("1e+02", "100")


def amount(value: str | float | Decimal | None) -> str:
    """Return an ε, ρ or δ for readers: small values with an exponent, long ones with four digits and at least four
    decimals.
    """
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
    "records": records,
    "amount": amount,
    "percent": percent,
    "impossible": lambda data: CellNames.of_answer(data).impossible(),
    "decimal": Decimal,
    "chosen": chosen,
    "segment": lambda text: quote(text, safe=""),
}
