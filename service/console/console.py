"""Adds the console to the application."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from service.console import access, admin, grants, help_page, linear, new_data, owner, plan, releases, sign_in
from service.console.api import Api, Refused, open_api
from service.console.edge import Edge
from service.console.forms import Form
from service.console.pages import Instead, root_of, show_refusal

_entrance = APIRouter(include_in_schema=False)
ROUTERS: Final[tuple[APIRouter, ...]] = (
    _entrance,
    sign_in.router,
    new_data.router,
    owner.router,
    grants.router,
    help_page.router,
    admin.router,
    access.router,
    plan.router,
    releases.router,
    linear.router,
)
_FILES: Final = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class Console:
    """What pages need of the application. `has_tls`: a proxy speaks TLS before it."""

    api: Api
    has_tls: bool


class _Files(StaticFiles):
    """The files of the pages, which a browser asks for anew each time: a new version has the same names."""

    def file_response(self, *arguments: object, **named: object) -> Response:
        response = super().file_response(*arguments, **named)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_console(app: FastAPI, is_of_console: Callable[[Scope], bool], *, has_tls: bool) -> None:
    """Adds the pages below `/console/`, and leads browsers there from `/`. The edge stands before everything that was
    added to the application until now.
    """
    app.state.console = Console(open_api(app), has_tls)
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/console/static", _Files(directory=_FILES))
    app.add_exception_handler(Instead, _answer_instead)
    app.add_exception_handler(Refused, _answer_refused)
    app.add_middleware(Edge, is_of_console=is_of_console, show=_show)


@_entrance.get("/")
async def lead_to_console(request: Request) -> Response:
    """Leads a browser to the pages; to anybody else there is nothing here."""
    if "text/html" not in request.headers.get("Accept", ""):
        raise HTTPException(404)
    return RedirectResponse(f"{root_of(request)}/console/")


async def _answer_instead(_: Request, error: Exception) -> Response:
    assert isinstance(error, Instead)
    return error.response


async def _answer_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _show(request, error)


def _show(request: Request, refused: Refused) -> Response:
    """The page of a refusal or a fault, with the form that was sent, so that nothing typed is lost."""
    form: Form = getattr(request.state, "form", Form())
    return show_refusal(request, refused, me=getattr(request.state, "me", None), typed=form.shown)
