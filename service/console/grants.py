"""An owner's decisions about analysts: grants, requests for access, and whether a data set is listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, time
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Api, Refused
from service.console.owner import dataset_page, owners_form, with_key_field
from service.console.page_request import Visit
from service.console.pages import see_other
from service.console.spending import amount_in_words, main_unit

router = APIRouter(include_in_schema=False)
_ID: Final = "pri_"
_ABOVE_REST_FIELD: Final = "above_rest"
"""The box that an owner ticks to give a cap above the remaining budget."""
_UNKNOWN_ANALYST: Final = (
    "no analyst of this installation has this name. Choose a name from the list, or ask an admin to invite the person"
)
_AMBIGUOUS_ANALYST: Final = (
    "several analysts have this name. Paste the id of the one you mean, which is on their page “Keys”"
)


@router.post("/console/data/{dataset_id}/grants")
async def give_grant(request: Request, dataset_id: str) -> Response:
    """Give an analyst a grant. This needs the owner's key."""
    here, data = await owners_form(request, dataset_id)
    unit = main_unit(data)
    places = {
        "principal_id": "analyst",
        unit: "cap",
        "delta": "cap_delta",
        "expires_at": "until",
        _ABOVE_REST_FIELD: _ABOVE_REST_FIELD,
    }
    refusals: list[Refused] = []
    body: dict[str, Any] = {unit: here.form.decimal("cap"), "delta": here.form.decimal("cap_delta", "0")}
    with _collect_refusals(refusals):
        body["principal_id"] = analyst_of(
            here.form.text("analyst"),
            await people_of(here.api),
            own_id=here.me["principal"]["id"],
        )
    api = await _terms(here, data, body, here.form.text("until"), refusals)
    if not refusals:
        with _collect_refusals(refusals):
            made = await api.post(f"/v1/datasets/{dataset_id}/grants", body, once=here.form.once)
            return see_other(request, f"/console/data/{dataset_id}?done=given&of={made['id']}")
    return await _refused_page(here, dataset_id, refusals, "grant_key", places)


@contextmanager
def _collect_refusals(refusals: list[Refused]) -> Iterator[None]:
    """Continues after a refusal, so that a form shows all its errors at once."""
    try:
        yield
    except Refused as refused:
        refusals.append(refused)


async def _terms(
    here: Visit,
    data: Mapping[str, Any],
    body: dict[str, Any],
    until: str,
    refusals: list[Refused],
    spent: Mapping[str, str] = MappingProxyType({}),
) -> Api:
    """Checks the cap in a body, adds the end of a grant, and returns `/v1` with the key. Collects the refusals."""
    with _collect_refusals(refusals):
        body["expires_at"] = end_of_day(until) if until else None
    with _collect_refusals(refusals):
        await _check_rest(here, data, body, spent)
    with _collect_refusals(refusals):
        return await here.confirmed()
    return here.api


async def _refused_page(
    here: Visit, dataset_id: str, refusals: Sequence[Refused], key_field: str, places: Mapping[str, str]
) -> Response:
    """Return the page of the data set, with everything that was refused beside its field."""
    errors: dict[str, str] = {}
    for each in refusals:
        errors |= with_key_field(each, key_field, places)
        if each.code == "conflict" and "principal_id" in places:
            errors[places["principal_id"]] = each.detail
    return await dataset_page(here, dataset_id, status=refusals[0].status, errors=errors)


@router.post("/console/data/{dataset_id}/grants/{grant_id}/close")
async def close_grant(request: Request, dataset_id: str, grant_id: str) -> Response:
    """Close a grant. This needs no key, because it only stops spending."""
    here, _ = await owners_form(request, dataset_id)
    await here.api.patch(f"/v1/grants/{grant_id}", {"closed": True})
    return see_other(request, f"/console/data/{dataset_id}?done=grant&of={grant_id}")


@router.post("/console/data/{dataset_id}/grants/{grant_id}/change")
async def change_grant(request: Request, dataset_id: str, grant_id: str) -> Response:
    """Change the cap and the end of a grant, or reopen it. This needs the owner's key."""
    here, data = await owners_form(request, dataset_id)
    unit = main_unit(data)
    body: dict[str, Any] = {unit: here.form.decimal("cap"), "delta": here.form.decimal("cap_delta", "0")}
    if here.form.has("reopen"):
        body["closed"] = False
    of_form = {unit: "cap", "delta": "cap_delta", "expires_at": "until", _ABOVE_REST_FIELD: _ABOVE_REST_FIELD}
    places = {place: f"{name}_{grant_id}" for place, name in of_form.items()}
    refusals: list[Refused] = []
    grants = await here.api.items("/v1/grants", dataset_id=dataset_id)
    spent = [each["spent"] for each in grants if each["id"] == grant_id]
    api = await _terms(here, data, body, here.form.text("until"), refusals, *spent)
    if not refusals:
        with _collect_refusals(refusals):
            await api.patch(f"/v1/grants/{grant_id}", body)
            return see_other(request, f"/console/data/{dataset_id}?done=grant&of={grant_id}")
    return await _refused_page(here, dataset_id, refusals, f"key_{grant_id}", places)


@router.post("/console/data/{dataset_id}/requests/{access_request_id}")
async def decide_request(request: Request, dataset_id: str, access_request_id: str) -> Response:
    """Approve or decline a request for access. An approval needs the owner's key and may change the cap."""
    here, data = await owners_form(request, dataset_id)
    unit = main_unit(data)
    of_request = {
        unit: "request_cap",
        "delta": "request_delta",
        "expires_at": "request_until",
        "reason": "reason",
        _ABOVE_REST_FIELD: _ABOVE_REST_FIELD,
    }
    places = {place: f"{name}_{access_request_id}" for place, name in of_request.items()}
    refusals: list[Refused] = []
    api, body = here.api, {"state": "declined", "reason": here.form.text("reason")}
    if not here.form.has("decline"):
        body = {
            "state": "approved",
            unit: here.form.decimal("request_cap"),
            "delta": here.form.decimal("request_delta", "0"),
        }
        api = await _terms(here, data, body, here.form.text("request_until"), refusals)
    if not refusals:
        with _collect_refusals(refusals):
            decided = await api.patch(f"/v1/access-requests/{access_request_id}", body)
            done = f"grant&of={decided['grant_id']}" if decided["grant_id"] else f"request&of={access_request_id}"
            return see_other(request, f"/console/data/{dataset_id}?done={done}")
    return await _refused_page(here, dataset_id, refusals, f"request_key_{access_request_id}", places)


@router.post("/console/data/{dataset_id}/listed")
async def change_listed(request: Request, dataset_id: str) -> Response:
    """List a data set for all analysts of the installation, or end the listing."""
    here, _ = await owners_form(request, dataset_id)
    await here.api.patch(f"/v1/datasets/{dataset_id}", {"listed": here.form.text("listed") == "yes"})
    return see_other(request, f"/console/data/{dataset_id}?done=listed")


async def people_of(api: Api) -> dict[str, str]:
    """Return the names of the installation's analysts by their ids."""
    return {each["id"]: each["name"] for each in await api.items("/v1/analysts")}


def analyst_of(text: str, people: Mapping[str, str], *, own_id: str) -> str:
    """Return the id of the analyst with this name or id. Raises Refused."""
    if text == own_id:
        raise Refused.at("principal_id", "this is your own id. Only analysts get grants: paste the id of one")
    if text.startswith(_ID):
        return text
    wanted = " ".join(text.split()).casefold()
    found = [each for each, name in people.items() if " ".join(name.split()).casefold() == wanted]
    if len(found) != 1:
        raise Refused.at("principal_id", _AMBIGUOUS_ANALYST if found else _UNKNOWN_ANALYST)
    return found[0]


async def _check_rest(here: Visit, data: Mapping[str, Any], cap: Mapping[str, str], spent: Mapping[str, str]) -> None:
    """Check the cap against the remaining budget. Raises Refused if it is larger and the owner has not confirmed it by
    the box.
    """
    budget = await here.api.get(f"/v1/budgets/{data['budget_id']}")
    rest, is_above = budget["remaining"], False
    for unit in (main_unit(data), "delta"):
        try:
            is_above |= Decimal(cap[unit]) - Decimal(spent.get(unit, 0)) > Decimal(rest[unit])
        except ArithmeticError:  # not a number, or too large for one
            raise Refused.at(unit, "must be a number such as 0.25") from None
    if is_above and not here.form.has(_ABOVE_REST_FIELD):
        left = amount_in_words(rest, delta=bool(Decimal(cap["delta"])))
        raise Refused.at(
            _ABOVE_REST_FIELD,
            f"only {left} is left of the budget, so releases end before this cap is reached. Give a lower cap. Or "
            "tick this box and paste your key again, if you mean to raise the budget later",
        )


def end_of_day(text: str) -> str:
    """Return the last second of a day in UTC. Raises Refused if the text is not a day, or if the day has passed."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise Refused.at("expires_at", "must be a day such as 2027-06-30") from None
    end = datetime.combine(day, time(23, 59, 59), UTC)
    if end <= datetime.now(UTC):
        raise Refused.at("expires_at", "this day has passed. Choose a later one, or close the grant to end it now")
    return end.isoformat().replace("+00:00", "Z")
