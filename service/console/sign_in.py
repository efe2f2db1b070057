"""Sign-in and sign-out, the exchange of an invitation or a recovery code for a key, and the visitor's keys."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from service.console.api import Refused
from service.console.forms import KEY_FIELD, at_fields, new_once, secret_in
from service.console.page_request import Visit, api_of, checked_form, posted, sign_in_page, visit
from service.console.pages import has_passed, page, root_of, see_other, time_of
from service.console.proofs import forget_proofs
from service.console.session import (
    anonymous_cookie,
    comes_from_here,
    cookie_of,
    form_token,
    set_cookie,
)

router = APIRouter(include_in_schema=False)
_TOKENS: Final = ("ppe_", "ppr_")
_RECOVERY: Final = "ppr_"
_SESSION_SECONDS: Final = 8 * 3600
_UNKNOWN_KEY: Final = "This key is not known here, or it has ended. Check that you pasted all of it."
_STALE_PAGE: Final = "This page was open while you signed in or out elsewhere. Paste your key once more."
_DONE: Final = {
    "key": "The key was ended. The keys in the list are still in use.",
    "recovery": "The recovery was ended, with the keys that it made.",
}
_SESSION_KEY: Final = "This is the key of a browser session. Paste the lasting key that you saved."


@router.get("/console/sign-in")
async def show_sign_in(request: Request) -> Response:
    next_path, signed_out = _local(request.query_params.get("next", "")), "signed-out" in request.query_params
    return await sign_in_page(request, next_path=next_path, signed_out=signed_out, status=HTTPStatus.OK)


@router.post("/console/sign-in")
async def sign_in(request: Request) -> Response:
    """Make a session key with the pasted key as its parent, and put the session key into the cookie."""
    form = await checked_form(request)
    next_path, pasted = _local(form.text("next")), secret_in(form.text(KEY_FIELD))
    sentence = ""
    if not comes_from_here(request, form.text("form_token")):
        sentence = _STALE_PAGE
    elif not pasted:
        sentence = "Paste your key here."
    elif pasted.startswith(_TOKENS):
        return await page(request, "enrol.html", invitation=pasted, is_recovery=pasted.startswith(_RECOVERY))
    if not sentence:
        try:
            made = await api_of(request).with_key(pasted).post("/v1/keys", {"kind": "session"})
        except Refused as refused:
            known = {"unauthenticated": _UNKNOWN_KEY, "key-required": _SESSION_KEY}
            sentence = known.get(refused.code, refused.detail)
        else:
            answer = see_other(request, next_path or "/console/")
            set_cookie(answer, request, made["key"], seconds=_SESSION_SECONDS)
            return answer
    return await sign_in_page(request, next_path=next_path, errors={KEY_FIELD: sentence})


@router.post("/console/enrol")
async def enrol(request: Request) -> Response:
    """Exchange an invitation or a recovery code, and show the new key."""
    form = await checked_form(request)
    if not comes_from_here(request, form.text("form_token")):
        return await sign_in_page(request, errors={KEY_FIELD: _STALE_PAGE})
    token = form.text("invitation")
    try:
        made = await api_of(request).with_key(None).post("/v1/enrolments", {"token": token})
    except Refused as refused:
        sentence = refused.detail
        if "used_at" in refused.document:
            sentence = (
                f"This was used already, on {time_of(refused.document['used_at'])}. If that was not you, tell your "
                "admin at once: somebody else has a key in your name."
            )
            if refused.document.get("key_prefix"):
                sentence += (
                    f" It made the key that begins with {refused.document['key_prefix']}, which is shown once. If you "
                    "saved it, sign in with it; if not, ask an admin for a new invitation."
                )
        if refused.code == "token-invalid":
            what = "recovery code" if token.startswith(_RECOVERY) else "invitation"
            sentence = (
                f"This {what} is not known here, has expired, or was replaced by a newer one. Check that you pasted "
                "all of it. If you did, ask an admin for a new invitation."
            )
        if refused.code == "invalid-request":
            sentence = "This is neither an invitation nor a recovery code. Check that you pasted all of it."
        return await sign_in_page(request, errors={KEY_FIELD: sentence})
    return await page(request, "enrolled.html", made=made)


@router.post("/console/sign-out")
async def sign_out(request: Request) -> Response:
    """End the session's key."""
    here = await posted(request)
    await here.api.delete(f"/v1/keys/{here.me['key']['id']}")
    answer = see_other(request, "/console/sign-in?signed-out")
    set_cookie(answer, request, anonymous_cookie())
    forget_proofs(request, answer)
    return answer


@router.get("/console/session")
async def show_session(request: Request) -> Response:
    """Return the form token and the person of the present session. A page reads it before it sends typed fields."""
    api = api_of(request)
    try:
        if api.key is not None:
            me = await api.get("/v1/me")
            token = form_token(request, cookie_of(request.scope["headers"]))
            return JSONResponse({"form_token": token, "person": me["principal"]["id"]})
    except Refused as refused:
        if refused.status != HTTPStatus.UNAUTHORIZED:
            raise
    return JSONResponse({"sign_in": f"{root_of(request)}/console/sign-in"}, HTTPStatus.UNAUTHORIZED)


@router.get("/console/keys")
async def show_keys(request: Request) -> Response:
    """Show the visitor's keys and sessions."""
    here = await visit(request)
    return await _keys_page(here)


async def _keys_page(here: Visit, errors: Mapping[str, str] | None = None, *, status: int = HTTPStatus.OK) -> Response:
    live = [
        each
        for each in await here.api.items("/v1/keys", own="true")
        if each["revoked_at"] is None and not has_passed(each["expires_at"])
    ]
    others = [each for each in live if each["kind"] == "session" and each["id"] != here.me["key"]["id"]]
    keys = [each for each in live if each not in others]
    done = "" if errors else _DONE.get(here.request.query_params.get("done", ""), "")
    return await here.page(
        "keys.html", status=status, keys=keys, others=others, errors=errors, done=done, once=new_once()
    )


@router.post("/console/keys")
async def make_key(request: Request) -> Response:
    """Make another key and show it once. A reload shows how it begins, and offers to end it. This needs a key."""
    here = await posted(request)
    try:
        api = await here.with_key()
        answer = await api.send("POST", "/v1/keys", body={}, once=here.form.once)
    except Refused as refused:
        errors = with_key_errors(refused, "new_key")
        return await _keys_page(here, errors, status=refused.status)
    return await here.page("new_key.html", made=answer.json, is_new=not answer.replayed, once=new_once(), errors={})


def with_key_errors(refused: Refused, field: str) -> dict[str, str]:
    """Return the sentences of a refusal. Sentences about the key are at its field."""
    return at_fields(refused, {KEY_FIELD: field}, by_code=dict.fromkeys(("key-required", "unauthenticated"), field))


@router.post("/console/keys/recovery")
async def end_recovery(request: Request) -> Response:
    """End a recovery that an admin started. This needs a key from before the recovery."""
    here = await posted(request)
    try:
        await here.api.with_key(secret_in(here.form.text(KEY_FIELD)) or None).delete(
            f"/v1/principals/{here.me['principal']['id']}/recovery"
        )
    except Refused as refused:
        return await _keys_page(here, {"recovery_key": refused.detail}, status=refused.status)
    return see_other(request, "/console/keys?done=recovery")


@router.post("/console/keys/{key_id}/end")
async def end_key(request: Request, key_id: str) -> Response:
    """End a key, and all keys that were made with it."""
    here = await posted(request)
    try:
        api = await here.with_key()
        await api.delete(f"/v1/keys/{key_id}")
    except Refused as refused:
        errors = at_fields(refused, {KEY_FIELD: f"key_{key_id}"}, by_code={"conflict": f"key_{key_id}"})
        return await _keys_page(here, errors, status=refused.status)
    return see_other(request, "/console/keys?done=key")


def _local(path: str) -> str:
    """Return the path if it leads to a page of the console, or an empty text."""
    is_local = path.startswith("/console/") and "\\" not in path and "//" not in path and path.isprintable()
    return path if is_local and path.isascii() else ""
