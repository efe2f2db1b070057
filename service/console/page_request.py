"""A visitor's request: the person who is signed in, and the form that was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse

from service.console.api import Api, Refused
from service.console.forms import KEY_FIELD, TOKEN_FIELD, WHOSE_FIELD, Form, form_of, secret_in
from service.console.pages import Instead, has_passed, in_thread, page, path_of, show_refusal
from service.console.session import comes_from_here, is_from_another_site

_BEARER: Final = "Bearer "
_ANOTHER_PERSON_NOTICE: Final = (
    "Somebody else was signed in when this form was opened. Nothing was done. Open the page again to do it as yourself."
)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request by somebody who is signed in. `api` uses the session's key."""

    request: Request
    api: Api
    me: Mapping[str, Any]
    form: Form = Form()  # noqa: RUF009  it is immutable

    @property
    def role(self) -> str:
        return str(self.me["principal"]["role"])

    async def page(self, template: str, **context: Any) -> HTMLResponse:
        """Return the page of a template for this visitor."""
        return await page(self.request, template, me=self.me, **context)

    def require(self, *roles: str) -> None:
        """Refuse visitors of other roles, because `/v1` would refuse every part of the page."""
        if self.role not in roles:
            what = {"owner": "data owners", "analyst": "analysts", "admin": "admins"}
            readers = " and ".join(what[role] for role in roles)
            raise Refused(HTTPStatus.FORBIDDEN, {"detail": f"This page is for {readers}."})

    async def refused(
        self,
        refused: Refused,
        back: str = "/console/",
        leads_to: str = "Go back",
        typed: Sequence[tuple[str, str]] = (),
    ) -> HTMLResponse:
        """Return the page that says why a request was refused."""
        return await show_refusal(self.request, refused, me=self.me, back=back, leads_to=leads_to, typed=typed)

    @property
    def confirmed_until(self) -> str | None:
        """The time until which the visitor's key has confirmed this session, or None."""
        until: str | None = self.me["confirmed_until"]
        return None if has_passed(until) else until

    async def confirmed(self) -> Api:
        """Return access to `/v1` for the acts that need a confirmed session. A pasted key confirms the session.

        Raises Refused as `with_key` does.
        """
        if self.confirmed_until is not None and not self.form.text(KEY_FIELD):
            return self.api
        asked = await self.with_key()
        try:
            await asked.send("POST", f"/v1/keys/{self.me['key']['id']}/confirmation")
        except Refused as refused:
            if refused.status != HTTPStatus.NOT_FOUND:  # another key of the visitor began the session
                raise
        return asked

    async def with_key(self) -> Api:
        """Return access to `/v1` with the lasting key that the form asks for.

        Raises Refused, located at the key's field, if it is not a lasting key of the visitor.
        """
        asked = self.api.with_key(secret_in(self.form.text(KEY_FIELD)) or None)
        try:
            given = await asked.get("/v1/me")
        except Refused as refused:
            if refused.status == HTTPStatus.UNAUTHORIZED:
                raise _no_key(
                    "This key is not known here, or it has ended. Paste the key that you signed in with"
                ) from None
            raise
        if given["key"]["kind"] == "session":
            raise _no_key("This is the key of a browser session. Paste the lasting key that you saved")
        if given["principal"]["id"] != self.me["principal"]["id"]:
            raise _no_key("This key belongs to somebody else. Paste the key that you signed in with")
        return asked


def _no_key(rule: str) -> Refused:
    return Refused.at(KEY_FIELD, rule, HTTPStatus.FORBIDDEN)


def api_of(request: Request) -> Api:
    """Return access to `/v1` with the key of the request."""
    api: Api = request.app.state.console.api
    authorization = request.headers.get("Authorization", "")
    return api.with_key(authorization.removeprefix(_BEARER) or None)


async def visit(request: Request) -> Visit:
    """Return the visit, if the caller is signed in. Otherwise raise `Instead`, which answers with the sign-in page."""
    api = api_of(request)
    if api.key is None:
        raise Instead(await sign_in_page(request, next_path=_whole_path(request)))
    try:
        me = await api.get("/v1/me")
    except Refused as refused:
        if refused.status == HTTPStatus.UNAUTHORIZED:
            raise Instead(await sign_in_page(request, next_path=_whole_path(request), ended=True)) from None
        raise
    request.state.me = me
    return Visit(request, api, me)


async def posted(request: Request) -> Visit:
    """Return the visit with its form, after checking that a page of the console that was shown to the visitor sent it.

    A form of another person is refused: somebody signed in beside them, and would act with their fields. If the visitor
    signed in again since the page was shown, the typed fields are shown again, so that they can send them. After the
    end of a session nothing typed is shown: somebody else may sign in next.
    """
    form = await checked_form(request)
    api = api_of(request)
    try:
        me = await api.get("/v1/me") if api.key is not None else None
    except Refused as refused:
        if refused.status != HTTPStatus.UNAUTHORIZED:
            raise
        me = None
    if me is None:
        raise Instead(await sign_in_page(request, ended=True))
    whose = form.text(WHOSE_FIELD)
    if whose and whose != me["principal"]["id"]:
        raise Instead(
            await show_refusal(request, Refused(HTTPStatus.CONFLICT, {"detail": _ANOTHER_PERSON_NOTICE}), me=me)
        )
    if not whose or not comes_from_here(request, form.text(TOKEN_FIELD)):
        raise Instead(await send_again_page(request, me, path_of(request), form))
    request.state.me = me
    return Visit(request, api, me, form)


async def checked_form(request: Request) -> Form:
    """Return the form. Raises Instead if the browser says that another site sent it."""
    if is_from_another_site(request):
        detail = "Another site sent this form. Open the page here, and send it from there."
        raise Instead(await show_refusal(request, Refused(HTTPStatus.FORBIDDEN, {"detail": detail})))
    form = await in_thread(request, partial(form_of, await request.body()))
    request.state.form = form
    return form


async def sign_in_page(
    request: Request,
    *,
    next_path: str = "",
    ended: bool = False,
    signed_out: bool = False,
    errors: Mapping[str, str] | None = None,
    status: int = HTTPStatus.UNAUTHORIZED,
) -> HTMLResponse:
    """Return the sign-in page, which leads to `next_path`. `ended`: the request's session has ended."""
    from_elsewhere = is_from_another_site(request)
    return await page(
        request,
        "sign_in.html",
        status=status,
        errors=errors,
        next_path=next_path,
        ended=ended,
        signed_out=signed_out,
        from_elsewhere=from_elsewhere,
    )


async def send_again_page(request: Request, me: Mapping[str, Any], path: str, form: Form) -> HTMLResponse:
    """Return a page that shows fields typed in an earlier session as a form of this session."""
    return await page(request, "send_again.html", status=HTTPStatus.CONFLICT, me=me, target=path, fields=form.shown)


def _whole_path(request: Request) -> str:
    query = request.url.query
    return f"{path_of(request)}?{query}" if query else path_of(request)
