"""The pages of data owners: all their data sets, and one data set with its spending and its grants."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from decimal import Decimal
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Api, Refused
from service.console.forms import KEY_FIELD, at_fields, new_once
from service.console.pages import see_other
from service.console.plan import SVG, picture_width
from service.console.spending import Charge, main_unit, odds_sentence, picture, spent_share
from service.console.visit import Visit, posted, visit

router = APIRouter(include_in_schema=False)
_CARDS: Final = 24
"""Data sets on a page of the home."""
_LOOKED_BACK: Final = 200
"""Entries of a ledger in which the last release of a data set is looked for."""
_SHOWN_CHARGES: Final = 1000
_CHARGES: Final = frozenset({"release_charged", "query_charged", "receipt_reconciled", "written_off"})


@router.get("/console/")
async def show_home(request: Request) -> Response:
    """A card for each data set; people of other roles are led to their pages."""
    here = await visit(request)
    if here.role != "owner":
        return see_other(request, HOME[here.role])
    return await _home(here)


HOME: Final = {"admin": "/console/admin", "analyst": "/console/datasets"}
"""Where people who own no data begin."""


async def _home(here: Visit, *, status: int = HTTPStatus.OK, errors: Mapping[str, str] | None = None) -> Response:
    query = {"limit": str(_CARDS)}
    cursor = here.request.query_params.get("cursor", "")
    if cursor:
        query["cursor"] = cursor
    listed = await here.api.get("/v1/datasets", **query)
    budgets = {each["id"]: each for each in await here.api.items("/v1/budgets")}
    grants = await here.api.items("/v1/grants")
    requests = await requests_of(here.api, "/v1/access-requests")
    used = {each["budget_id"] for each in listed["items"]}
    ledgers = dict(zip(used, await asyncio.gather(*(_latest(here.api, budgets[each]) for each in used)), strict=True))
    cards = [
        {
            "data": each,
            "budget": budgets[each["budget_id"]],
            "unit": main_unit(budgets[each["budget_id"]]["total"]),
            "share": spent_share(budgets[each["budget_id"]]),
            "names": [grant for grant in grants if grant["dataset_id"] == each["id"] and _is_open(grant)],
            "requests": sum(request["dataset_id"] == each["id"] for request in requests),
            "is_all_seen": int(budgets[each["budget_id"]]["sequence"]) <= _LOOKED_BACK,
            "last": _last_release(ledgers[each["budget_id"]], each["id"]),
            "shared_with": sum(other["budget_id"] == each["budget_id"] for other in listed["items"]) - 1,
        }
        for each in listed["items"]
    ]
    return here.page("home.html", status=status, cards=cards, next_cursor=listed["next_cursor"], errors=errors)


def _is_open(grant: Mapping[str, Any]) -> bool:
    return not grant["closed"] and not grant["expired"]


async def _latest(api: Api, budget: Mapping[str, Any]) -> list[Any]:
    after = max(0, int(budget["sequence"]) - _LOOKED_BACK)
    page = await api.get(f"/v1/budgets/{budget['id']}/ledger", cursor=str(after), limit=str(_LOOKED_BACK))
    items: list[Any] = page["items"]
    return items


def _last_release(entries: Sequence[Mapping[str, Any]], dataset_id: str) -> str | None:
    charged = [
        each["created_at"]
        for each in entries
        if each["kind"] in {"release_charged", "query_charged"} and each["detail"].get("dataset_id") == dataset_id
    ]
    return charged[-1] if charged else None


async def requests_of(api: Api, path: str) -> list[Any]:
    """The open requests for access at a path."""
    return await api.items(path, state="open")


@router.post("/console/budgets/{budget_id}/freeze")
async def freeze(request: Request, budget_id: str) -> Response:
    """Stops all releases from a budget. This needs no key: it can be undone, and may be urgent."""
    here = await posted(request)
    here.require("owner")
    await here.api.patch(f"/v1/budgets/{budget_id}", {"frozen": True})
    back = here.form.text("dataset_id")
    return see_other(request, f"/console/data/{back}" if back else "/console/")


@router.get("/console/data/{dataset_id}")
async def show_dataset(request: Request, dataset_id: str) -> Response:
    """One data set: its spending, grants, requests, and what can be done with it."""
    here = await visit(request)
    here.require("owner")
    return await _dataset(here, dataset_id)


async def _dataset(
    here: Visit, dataset_id: str, *, status: int = HTTPStatus.OK, errors: Mapping[str, str] | None = None
) -> Response:
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    budget = await here.api.get(f"/v1/budgets/{data['budget_id']}")
    grants = await here.api.items(f"/v1/datasets/{dataset_id}/grants")
    requests = await requests_of(here.api, f"/v1/datasets/{dataset_id}/access-requests")
    charges = await _charges(here.api, budget)
    rate = await here.api.get(f"/v1/budgets/{budget['id']}/burn-rate")
    releases = await here.api.items(f"/v1/datasets/{dataset_id}/releases")
    return here.page(
        "dataset.html",
        status=status,
        errors=errors,
        data=data,
        budget=budget,
        unit=main_unit(budget["total"]),
        share=spent_share(budget),
        grants=grants,
        requests=requests,
        charges=charges,
        names=await _names(here, dataset_id, grants),
        rate=rate,
        releases=[each for each in reversed(releases) if each["state"] == "complete"],
        odds=odds_sentence(budget["guarantee"]["epsilon"], budget["guarantee"]["delta"]),
        odds_so_far=odds_sentence(rate["spent_guarantee"]["epsilon"], rate["spent_guarantee"]["delta"]),
        form=here.form,
        once=here.form.once if errors else new_once(),
    )


async def _names(here: Visit, dataset_id: str, grants: Sequence[Mapping[str, Any]]) -> dict[str, str | None]:
    """The names of the owner, of everybody with a grant, and of everybody who spent, by their ids."""
    statement = await here.api.get(f"/v1/datasets/{dataset_id}/statement", limit="1")
    people = [*statement["spenders"], *grants]
    me = here.me["principal"]
    return {each["principal_id"]: each["name"] for each in people} | {me["id"]: me["name"]}


async def _charges(api: Api, budget: Mapping[str, Any]) -> list[Charge]:
    """The charges of a budget, the first `_SHOWN_CHARGES` entries of its ledger that are any."""
    found: list[Charge] = []
    total = Decimal(0)
    for entry in await api.items(f"/v1/budgets/{budget['id']}/ledger", limit="1000"):
        if entry["kind"] in _CHARGES:
            value = Decimal(entry["amount"][main_unit(budget["total"])])
            total += value
            found.append(Charge(entry, value, total))
    return found[-_SHOWN_CHARGES:]


@router.get("/console/data/{dataset_id}/spending.svg")
async def show_spending(request: Request, dataset_id: str) -> Response:
    """How the budget was spent, as a time line."""
    here = await visit(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    budget = await here.api.get(f"/v1/budgets/{data['budget_id']}")
    charges = await _charges(here.api, budget)
    grants = await here.api.items(f"/v1/datasets/{dataset_id}/grants")
    names = await _names(here, dataset_id, grants)
    width = picture_width(request.query_params)
    return Response(picture(budget, charges, names, data["name"], width), media_type=SVG)


@router.get("/console/data/{dataset_id}/statement")
async def show_statement(request: Request, dataset_id: str) -> Response:
    """What was promised to the people in the data and what was spent of it, to be printed."""
    here = await visit(request)
    here.require("owner")
    statement = await here.api.get(f"/v1/datasets/{dataset_id}/statement", limit="1000")
    return here.page("statement.html", statement=statement, unit=main_unit(statement["budget_total"]))


@router.post("/console/data/{dataset_id}/unfreeze")
async def unfreeze(request: Request, dataset_id: str) -> Response:
    """Allows releases again, with the key."""
    return await _change_budget(request, dataset_id, {"frozen": False}, "unfreeze_key", {})


@router.post("/console/data/{dataset_id}/total")
async def change_total(request: Request, dataset_id: str) -> Response:
    """Raises or lowers a budget's total, with the key."""
    here = await posted(request)
    epsilon = here.form.decimal("total_epsilon")
    return await _change_budget(request, dataset_id, {"epsilon": epsilon}, "total_key", {"epsilon": "total_epsilon"})


async def _change_budget(
    request: Request, dataset_id: str, change: Mapping[str, Any], key_field: str, places: Mapping[str, str]
) -> Response:
    here = await posted(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    try:
        api = await here.with_key()
        await api.patch(f"/v1/budgets/{data['budget_id']}", change)
    except Refused as refused:
        errors = _with_key_field(refused, key_field, places)
        return await _dataset(here, dataset_id, status=refused.status, errors=errors)
    return see_other(request, f"/console/data/{dataset_id}")


def _with_key_field(refused: Refused, key_field: str, places: Mapping[str, str]) -> dict[str, str]:
    by_code = dict.fromkeys(("key-required", "unauthenticated"), key_field)
    return at_fields(refused, {KEY_FIELD: key_field} | dict(places), by_code=by_code)


@router.post("/console/data/{dataset_id}/grants")
async def give_grant(request: Request, dataset_id: str) -> Response:
    """Gives an analyst a grant, with the key."""
    here = await posted(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    unit = main_unit(data)
    places = {"principal_id": "analyst", unit: "cap", "delta": "cap_delta", "expires_at": "until"}
    body: dict[str, Any] = {
        "principal_id": here.form.text("analyst"),
        unit: here.form.decimal("cap"),
        "delta": here.form.decimal("cap_delta", "0"),
    }
    try:
        if here.form.text("until"):
            body["expires_at"] = end_of_day(here.form.text("until"))
        api = await here.with_key()
        await api.post(f"/v1/datasets/{dataset_id}/grants", body, once=here.form.once)
    except Refused as refused:
        errors = _with_key_field(refused, "grant_key", places)
        return await _dataset(here, dataset_id, status=refused.status, errors=errors)
    return see_other(request, f"/console/data/{dataset_id}#grants")


def end_of_day(text: str) -> str:
    """The last second of a day in UTC. Raises Refused for what is no day."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        rule = "must be a day such as 2027-06-30"
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"errors": [{"location": "expires_at", "rule": rule}]}) from None
    return datetime.combine(day, time(23, 59, 59), UTC).isoformat().replace("+00:00", "Z")


@router.post("/console/data/{dataset_id}/grants/{grant_id}/close")
async def close_grant(request: Request, dataset_id: str, grant_id: str) -> Response:
    """Closes a grant. This needs no key: it only stops."""
    here = await posted(request)
    here.require("owner")
    await here.api.patch(f"/v1/grants/{grant_id}", {"closed": True})
    return see_other(request, f"/console/data/{dataset_id}#grants")


@router.post("/console/data/{dataset_id}/grants/{grant_id}/change")
async def change_grant(request: Request, dataset_id: str, grant_id: str) -> Response:
    """Changes the cap and the end of a grant, or reopens it, with the key."""
    here = await posted(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    unit = main_unit(data)
    body: dict[str, Any] = {unit: here.form.decimal("cap"), "delta": here.form.decimal("cap_delta", "0")}
    if here.form.has("reopen"):
        body["closed"] = False
    places = {unit: f"cap_{grant_id}", "delta": f"cap_delta_{grant_id}", "expires_at": f"until_{grant_id}"}
    try:
        body["expires_at"] = end_of_day(here.form.text("until")) if here.form.text("until") else None
        api = await here.with_key()
        await api.patch(f"/v1/grants/{grant_id}", body)
    except Refused as refused:
        errors = _with_key_field(refused, f"key_{grant_id}", places)
        return await _dataset(here, dataset_id, status=refused.status, errors=errors)
    return see_other(request, f"/console/data/{dataset_id}#grants")


@router.post("/console/data/{dataset_id}/requests/{access_request_id}")
async def decide_request(request: Request, dataset_id: str, access_request_id: str) -> Response:
    """Approves a request for access, with the key and perhaps another cap, or declines it with a sentence."""
    here = await posted(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    unit = main_unit(data)
    of_request = {unit: "request_cap", "delta": "request_delta", "expires_at": "request_until", "reason": "reason"}
    places = {place: f"{name}_{access_request_id}" for place, name in of_request.items()}
    try:
        if here.form.has("decline"):
            body = {"state": "declined", "reason": here.form.text("reason")}
            api = here.api
        else:
            body = {
                "state": "approved",
                unit: here.form.decimal("request_cap"),
                "delta": here.form.decimal("request_delta"),
            }
            if here.form.text("request_until"):
                body["expires_at"] = end_of_day(here.form.text("request_until"))
            api = await here.with_key()
        await api.patch(f"/v1/access-requests/{access_request_id}", body)
    except Refused as refused:
        errors = _with_key_field(refused, f"request_key_{access_request_id}", places)
        return await _dataset(here, dataset_id, status=refused.status, errors=errors)
    return see_other(request, f"/console/data/{dataset_id}#requests")


@router.post("/console/data/{dataset_id}/listed")
async def change_listed(request: Request, dataset_id: str) -> Response:
    """Lists a data set for all analysts of the installation, or no longer."""
    here = await posted(request)
    here.require("owner")
    await here.api.patch(f"/v1/datasets/{dataset_id}", {"listed": here.form.text("listed") == "yes"})
    return see_other(request, f"/console/data/{dataset_id}#requests")


@router.post("/console/data/{dataset_id}/delete")
async def delete(request: Request, dataset_id: str) -> Response:
    """Destroys the counts, once the name was typed and the key given."""
    here = await posted(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    if " ".join(here.form.text("delete_name").split()) != data["name"]:
        errors = {"delete_name": "This is not the name of the data set, as it stands at the top of this page."}
        return await _dataset(here, dataset_id, status=HTTPStatus.UNPROCESSABLE_ENTITY, errors=errors)
    try:
        api = await here.with_key()
        await api.delete(f"/v1/datasets/{dataset_id}")
    except Refused as refused:
        errors = _with_key_field(refused, "delete_key", {})
        return await _dataset(here, dataset_id, status=refused.status, errors=errors)
    return see_other(request, f"/console/data/{dataset_id}/statement")
