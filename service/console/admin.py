"""The pages of admins: principals, invitations, the state of the service with the next step for the operator, and the
budgets of an owner, to freeze or transfer them.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from json import dumps, loads
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Api, Refused
from service.console.forms import KEY_FIELD, at_fields
from service.console.page_request import Visit, posted, visit
from service.console.pages import origin_of, see_other
from service.console.session import opened, seal, set_cookie

router = APIRouter(include_in_schema=False)
_PAGE_SIZE: Final = 100
"""Largest number of people on a page."""
_COOKIE: Final = "posterior_invitation"
_SHOWN_SECONDS: Final = 600
_MAX_COOKIE_LENGTH: Final = 4_000
"""Characters of the cookie."""


@router.get("/console/admin")
async def show_admin(request: Request) -> Response:
    """Show people, invitations and the state of the service."""
    here = await visit(request)
    here.require("admin")
    return await _admin_page(here)


async def _admin_page(here: Visit, *, errors: Mapping[str, str] | None = None, status: int = HTTPStatus.OK) -> Response:
    query = {"limit": str(_PAGE_SIZE)}
    cursor = here.request.query_params.get("cursor", "")
    if cursor:
        query["cursor"] = cursor
    people = await here.api.get("/v1/principals", **query)
    return await here.page(
        "admin.html",
        status=status,
        errors=errors,
        people=people["items"],
        next_cursor=people["next_cursor"],
        state=await _state(here.api),
        form=here.form,
        once=here.form.next_once(errors),
    )


async def _state(api: Api) -> dict[str, Any]:
    """Return whether the service is ready, and the tasks for its operator."""
    try:
        ready = await api.with_key(None).get("/readyz")
    except Refused as refused:
        return {"is_ready": False, "notes": [refused.detail], "version": None}
    return {"is_ready": True, "notes": ready["notes"], "version": ready["version"]}


@router.post("/console/admin/invitations")
async def invite(request: Request) -> Response:
    """Add a person, and redirect to their invitation. This needs the admin's key."""
    here = await posted(request)
    here.require("admin")
    body = {"role": here.form.text("role"), "name": here.form.text("name")}
    try:
        api = await here.with_key()
        made = await api.post("/v1/principals", body, once=here.form.once)
    except Refused as refused:
        errors = at_fields(refused, {"role": "role", "name": "name", KEY_FIELD: "invite_key"})
        return await _admin_page(here, errors=errors, status=refused.status)
    return _redirect_to_invitation(request, made["id"], made["enrolment"], made["name"])


@router.post("/console/admin/people/{principal_id}/invitation")
async def invite_again(request: Request, principal_id: str) -> Response:
    """Make a new invitation, which needs the admin's key. For somebody who had keys it starts a recovery."""
    here = await posted(request)
    here.require("admin")
    try:
        api = await here.with_key()
        token = await api.send("POST", f"/v1/principals/{principal_id}/enrolment-tokens")
    except Refused as refused:
        errors = at_fields(refused, {KEY_FIELD: f"again_key_{principal_id}"})
        return await _admin_page(here, errors=errors, status=refused.status)
    return _redirect_to_invitation(request, principal_id, token.json)


def _redirect_to_invitation(
    request: Request, principal_id: str, token: Mapping[str, Any] | None, name: str | None = None
) -> Response:
    """Lead to the page of an invitation. A cookie has it, encrypted, so that the page can be reloaded."""
    answer = see_other(request, f"/console/admin/people/{principal_id}/invitation")
    if token is not None:  # None in a repeated answer after a day
        text = dumps({"name": name, "token": token})
        set_cookie(answer, request, seal(request, text, principal_id), seconds=_SHOWN_SECONDS, name=_COOKIE)
    return answer


@router.get("/console/admin/people/{principal_id}/invitation")
async def show_invitation(request: Request, principal_id: str) -> Response:
    """Show a new invitation for ten minutes, in the session that made it."""
    here = await visit(request)
    here.require("admin")
    text = opened(request, request.cookies.get(_COOKIE, "")[:_MAX_COOKIE_LENGTH], principal_id)
    address = f"{origin_of(request)}/console/sign-in"
    return await here.page("invited.html", **(loads(text) if text else {"name": None, "token": None}), address=address)


@router.post("/console/admin/people/{principal_id}/end")
async def end_person(request: Request, principal_id: str) -> Response:
    """End all keys of a person, which needs the admin's key."""
    here = await posted(request)
    here.require("admin")
    query = {"erase_name": "true"} if here.form.has("erase_name") else {}
    try:
        api = await here.with_key()
        await api.delete(f"/v1/principals/{principal_id}", **query)
    except Refused as refused:
        errors = at_fields(refused, {KEY_FIELD: f"end_key_{principal_id}"})
        return await _admin_page(here, errors=errors, status=refused.status)
    return see_other(request, "/console/admin")


@router.get("/console/admin/people/{principal_id}/budgets")
async def show_budgets(request: Request, principal_id: str) -> Response:
    """Show the ids of the budgets of an owner."""
    here = await visit(request)
    here.require("admin")
    return await _budgets_page(here, principal_id)


async def _budgets_page(
    here: Visit, principal_id: str, *, errors: Mapping[str, str] | None = None, status: int = HTTPStatus.OK
) -> Response:
    typed = here.request.query_params
    query = {"limit": str(_PAGE_SIZE)} | ({"cursor": typed["cursor"]} if typed.get("cursor") else {})
    budgets = await here.api.get(f"/v1/principals/{principal_id}/budgets", **query)
    people = await here.api.items("/v1/principals")
    return await here.page(
        "admin_budgets.html",
        status=status,
        errors=errors,
        person=next(each for each in people if each["id"] == principal_id),
        budgets=budgets["items"],
        next_cursor=budgets["next_cursor"],
        owners=[each for each in people if each["role"] == "owner" and not each["revoked_at"]],
        done=typed.get("done", ""),
    )


@router.post("/console/admin/people/{principal_id}/budgets/{budget_id}/freeze")
async def freeze_budget(request: Request, principal_id: str, budget_id: str) -> Response:
    """Freeze a budget. This needs no key, because it only stops."""
    here = await posted(request)
    here.require("admin")
    await here.api.patch(f"/v1/budgets/{budget_id}", {"frozen": True})
    return see_other(request, f"/console/admin/people/{principal_id}/budgets?done=frozen")


@router.post("/console/admin/people/{principal_id}/budgets/{budget_id}/owner")
async def transfer_budget(request: Request, principal_id: str, budget_id: str) -> Response:
    """Transfer the budget of an owner who has left to another owner, which needs the admin's key."""
    here = await posted(request)
    here.require("admin")
    try:
        if not here.form.text("to"):
            raise Refused.at("principal_id", "must be one of the owners")
        api = await here.with_key()
        await api.send("PUT", f"/v1/budgets/{budget_id}/owner", body={"principal_id": here.form.text("to")})
    except Refused as refused:
        errors = at_fields(refused, {"principal_id": f"to_{budget_id}", KEY_FIELD: f"transfer_key_{budget_id}"})
        return await _budgets_page(here, principal_id, errors=errors, status=refused.status)
    return see_other(request, f"/console/admin/people/{principal_id}/budgets?done=transferred")
