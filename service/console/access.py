"""The pages on which an analyst finds data sets, asks for access and follows the requests."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Api, Refused
from service.console.forms import at_fields
from service.console.page_request import Visit, posted, visit
from service.console.pages import position_of, see_other
from service.console.spending import is_open, main_unit, spent_share

router = APIRouter(include_in_schema=False)
_RELEASES: Final = 100
"""Number of the latest releases that the page of a data set lists."""
_PAGE_SIZE: Final = 50
"""Largest number of listed data sets, of granted ones, and of requests on a page."""
_MAX_AMOUNT: Final = 1_000_000
"""Largest amount in an address with which a letter to the owner is written."""
_NAMES: Final = {"amount": "Amount", "delta": "δ", "purpose": "Purpose"}


@router.get("/console/datasets")
async def show_datasets(request: Request) -> Response:
    """Show the data sets that the analyst has a grant on, the listed ones, and the analyst's requests."""
    here = await visit(request)
    here.require("analyst")
    query = {"limit": str(_PAGE_SIZE)}
    cursor = request.query_params.get("cursor", "")
    if cursor:
        query["cursor"] = cursor
    granted, grants, listed, requests = await asyncio.gather(
        here.api.items("/v1/datasets"),
        here.api.items("/v1/grants"),
        here.api.get("/v1/listed-datasets", **query),
        here.api.items("/v1/access-requests"),
    )
    open_ones = {each["dataset_id"] for each in grants if is_open(each)}
    first = position_of(request.query_params.get("granted", ""), len(granted), _PAGE_SIZE)
    shown = granted[first : first + _PAGE_SIZE]
    usable = [each["id"] for each in shown if each["id"] in open_ones]
    allowances = await asyncio.gather(*(here.api.get(f"/v1/datasets/{each}/allowance") for each in usable))
    blocked = {each: found["blocked_by"] for each, found in zip(usable, allowances, strict=True)}
    cards = [
        {
            "data": data,
            "blocked_by": blocked.get(data["id"]),
            "grants": [
                {"grant": each, "unit": main_unit(each["cap"]), "share": spent_share(each | {"total": each["cap"]})}
                for each in grants
                if each["dataset_id"] == data["id"]
            ],
        }
        for data in shown
    ]
    names = {each["id"]: each["name"] for each in [*listed["items"], *granted]}
    mine = {each["id"] for each in granted}
    asked = {each["dataset_id"] for each in requests if each["state"] == "open"}
    return await here.page(
        "datasets.html",
        cards=cards,
        first=first,
        granted_count=len(granted),
        shown=_PAGE_SIZE,
        listed=[each for each in listed["items"] if each["id"] not in mine],
        next_cursor=listed["next_cursor"],
        requests=sorted(requests, key=lambda each: str(each["created_at"]), reverse=True)[:_PAGE_SIZE],
        names=names,
        asked=asked,
        unit_of=main_unit,
    )


async def dataset_of(api: Api, dataset_id: str) -> dict[str, Any]:
    """Return the public fields of a granted or listed data set. Raises Refused."""
    try:
        data: dict[str, Any] = await api.get(f"/v1/datasets/{dataset_id}")
    except Refused as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
        data = await api.get(f"/v1/listed-datasets/{dataset_id}")
        return data | {"is_granted": False}
    return data | {"is_granted": True}


async def allowance_of(api: Api, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the amount that the analyst may still spend on a data set, or None without a grant."""
    if not data["is_granted"]:
        return None
    found: dict[str, Any] = await api.get(f"/v1/datasets/{data['id']}/allowance")
    return found


@router.get("/console/datasets/{dataset_id}")
async def show_dataset(request: Request, dataset_id: str) -> Response:
    """Show the public fields of a data set, the remaining amount of the grant, and the form to ask for access."""
    here = await visit(request)
    here.require("analyst")
    return await _dataset_page(here, dataset_id)


async def _dataset_page(
    here: Visit, dataset_id: str, *, status: int = HTTPStatus.OK, errors: Mapping[str, str] | None = None
) -> Response:
    data = await dataset_of(here.api, dataset_id)
    allowance = await allowance_of(here.api, data)
    requests = await here.api.items("/v1/access-requests", dataset_id=dataset_id)
    made: dict[str, Any] = {"items": []}
    if data["is_granted"]:
        made = await here.api.releases("counts", "margins", dataset_id=dataset_id, limit=_RELEASES)
    grants = await here.api.items("/v1/grants", dataset_id=dataset_id)
    unit = main_unit(data)
    left = {each["remaining"][unit] for each in grants}
    return await here.page(
        "listed_dataset.html",
        status=status,
        errors=errors,
        data=data,
        allowance=allowance,
        unit=unit,
        grants=grants,
        is_capped=allowance is not None and allowance["largest_possible_charge"][unit] not in left,
        wanted=_raised_cap(here.request.query_params.get("amount", ""), grants, unit),
        asked={name: here.request.query_params.get(name, "") for name in ("amount", "delta")},
        requests=requests,
        releases=made["items"],
        mechanisms=await here.api.mechanisms(),
        is_listed=data.get("listed", True),
        has_open=any(each["state"] == "open" for each in requests),
        form=here.form,
        once=here.form.next_once(errors),
        field_names=_NAMES,
    )


def _raised_cap(typed: str, grants: Sequence[Mapping[str, Any]], unit: str) -> str:
    """Return the total of a grant with which the typed amount can be spent too; empty without a grant or an amount."""
    try:
        more = Decimal(typed)
        is_amount = 0 < more <= _MAX_AMOUNT
    except InvalidOperation:  # not a number, or NaN
        return ""
    return str(Decimal(grants[0]["spent"][unit]) + more) if grants and is_amount else ""


@router.post("/console/datasets/{dataset_id}/requests")
async def ask_for_access(request: Request, dataset_id: str) -> Response:
    """Ask the owner for a grant."""
    here = await posted(request)
    here.require("analyst")
    data = await dataset_of(here.api, dataset_id)
    unit = main_unit(data)
    body = {
        unit: here.form.decimal("amount"),
        "delta": here.form.decimal("delta", "0"),
        "purpose": " ".join(here.form.text("purpose").split()),  # `/v1` takes one line
    }
    try:
        await here.api.post(f"/v1/datasets/{dataset_id}/access-requests", body, once=here.form.once)
    except Refused as refused:
        errors = at_fields(refused, {unit: "amount", "delta": "delta", "purpose": "purpose"})
        return await _dataset_page(here, dataset_id, status=refused.status, errors=errors)
    return see_other(request, f"/console/datasets/{dataset_id}#requests")


@router.post("/console/requests/{access_request_id}/withdraw")
async def withdraw(request: Request, access_request_id: str) -> Response:
    """Withdraw an undecided request."""
    here = await posted(request)
    here.require("analyst")
    await here.api.patch(f"/v1/access-requests/{access_request_id}", {"state": "withdrawn"})
    return see_other(request, "/console/datasets#requests")
