"""Adds the console to the application."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from fastapi import APIRouter, FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from service.console import (
    access,
    admin,
    downloads,
    grants,
    help_page,
    home,
    linear,
    margins,
    mending,
    new_data,
    noisy_table,
    owner,
    plan,
    proofs,
    releases,
    sign_in,
)
from service.console.api import Api, Refused, open_api
from service.console.edge import Edge
from service.console.forms import Form
from service.console.pages import Instead, root_of, show_refusal

_entrance = APIRouter(include_in_schema=False)
ROUTERS: Final[tuple[APIRouter, ...]] = (
    _entrance,
    sign_in.router,
    home.router,
    new_data.router,
    proofs.router,
    mending.router,
    owner.router,
    grants.router,
    help_page.router,
    admin.router,
    access.router,
    plan.router,
    margins.router,
    releases.router,
    downloads.router,
    linear.router,
    noisy_table.router,
)
_FILES: Final = Path(__file__).parent / "static"
_CHECKER: Final = Path(__file__).parents[2] / "checker"
"""The checker of releases, as others run it without the service."""


class Sealer(Protocol):
    """Encrypts texts that a browser keeps."""

    def seal(self, text: str, *about: str) -> str:
        """Return the encrypted text, in characters that a cookie allows."""

    def opened(self, sealed: str, *about: str) -> str | None:
        """Return the text that was sealed with the same `about`, or None."""


class Queue(Protocol):
    """Slots that are taken in turns by key."""

    def slot(self, key: str) -> AbstractAsyncContextManager[None]:
        """Hold a slot during the block."""


@dataclass(frozen=True, slots=True)
class Console:
    """The settings of the application that pages need. `has_tls`: whether a proxy in front of it uses TLS. `threads`:
    slots of the threads that compute pages. `form_secret`: the installation's secret for the tokens of forms.
    `sealer`: encrypts what a page keeps in a cookie.
    """

    api: Api
    has_tls: bool
    threads: Queue
    form_secret: Callable[[], bytes]
    sealer: Sealer


class _Files(StaticFiles):
    """The static files of the pages. Browsers revalidate them each time, because file names don't change with the
    version.
    """

    def file_response(self, *arguments: object, **named: object) -> Response:
        response = super().file_response(*arguments, **named)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_console(
    app: FastAPI,
    is_of_console: Callable[[Scope], bool],
    threads: Queue,
    form_secret: Callable[[], bytes],
    sealer: Sealer,
    *,
    has_tls: bool,
) -> None:
    """Add the pages below `/console/`, and redirect browsers there from `/`.

    Call this after the other middleware was added, because the edge must run before it.
    """
    app.state.console = Console(open_api(app), has_tls, threads, form_secret, sealer)
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/console/static", _Files(directory=_FILES))
    app.mount("/console/checker", _Files(directory=_CHECKER))
    app.add_exception_handler(Instead, _answer_instead)
    app.add_exception_handler(Refused, _answer_refused)
    app.add_middleware(Edge, is_of_console=is_of_console, show=_show)


@_entrance.get("/")
async def lead_to_console(request: Request) -> Response:
    """Redirect browsers to the pages. Other clients get 404."""
    if "text/html" not in request.headers.get("Accept", ""):
        raise HTTPException(404)
    return RedirectResponse(f"{root_of(request)}/console/")


async def _answer_instead(_: Request, error: Exception) -> Response:
    assert isinstance(error, Instead)
    return error.response


async def _answer_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return await _show(request, error)


async def _show(request: Request, refused: Refused) -> Response:
    """Return the page of a refusal or a fault. It contains the fields of the sent form, so that nothing typed
    is lost.
    """
    form: Form = getattr(request.state, "form", Form())
    return await show_refusal(request, refused, me=getattr(request.state, "me", None), typed=form.shown)
