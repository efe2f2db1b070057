"""The owner's first page: what waits for a decision, the data sets with what is left, and the last releases."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from service.console.api import Api, Refused
from service.console.forms import KEY_FIELD, at_fields
from service.console.grants import end_of_day
from service.console.page_request import Visit, posted, visit
from service.console.pages import position_of, see_other
from service.console.proofs import kept_proofs
from service.console.spending import amount_in_words, fits, is_open, main_unit, spent_share

router = APIRouter(include_in_schema=False)
START_PAGES: Final = {"admin": "/console/admin", "analyst": "/console/datasets"}
"""The start pages of people who own no data."""
_CARDS: Final = 24
"""Number of data sets on one page."""
_LOOKED_BACK: Final = 200
"""Number of ledger entries that are searched for the last release of a data set."""
_DECISIONS: Final = 50
"""Largest number of decisions on the page."""
_LATEST: Final = 5
"""Number of the last releases on the page."""
_LONGEST_SEARCH: Final = 200
_ORDERS: Final = {"left": "Little left first", "name": "By name", "newest": "Newest first"}
_RELEASED: Final = {"release_charged": "releases", "query_charged": "queries"}
_GRANT_DAYS: Final = 365
_NOTHING_TICKED: Final = "tick the requests that you want to approve"


@router.get("/console/")
async def show_home(request: Request) -> Response:
    """Show owners what they have to decide and their data sets. Redirect people of other roles to their pages."""
    here = await visit(request)
    if here.role != "owner":
        return see_other(request, START_PAGES[here.role])
    return await home_page(here)


async def home_page(
    here: Visit,
    *,
    status: int = 200,
    errors: Mapping[str, str] | None = None,
    ticked: Sequence[str] = (),
    given: Sequence[str] = (),
) -> Response:
    """Return the page, with sentences about a refused form, and about grants that the form gave before."""
    asked = here.request.query_params
    datasets, budgets, grants, requests, deleted = await asyncio.gather(
        here.api.items("/v1/datasets"),
        here.api.items("/v1/budgets"),
        here.api.items("/v1/grants"),
        here.api.items("/v1/access-requests", state="open"),
        here.api.get("/v1/datasets", deleted="true", limit=str(_CARDS)),
    )
    by_id = {each["id"]: each for each in budgets}
    find = " ".join(asked.get("find", "")[:_LONGEST_SEARCH].split())
    order = asked.get("sort", "left") if asked.get("sort") in _ORDERS else "left"
    found = [each for each in datasets if find.casefold() in each["name"].casefold()]
    found = _sorted(found, by_id, order)
    first = position_of(asked.get("from", ""), len(found), _CARDS)
    shown = found[first : first + _CARDS]
    used = sorted({each["budget_id"] for each in shown})
    ledgers = dict(zip(used, await asyncio.gather(*(_latest(here.api, by_id[each]) for each in used)), strict=True))
    return await here.page(
        "home.html",
        status=status,
        errors=errors,
        decisions=_decisions(here, datasets, by_id, requests),
        shown=_DECISIONS,
        ticked=ticked,
        confirmed=here.confirmed_until,
        total=len(datasets),
        found=len(found),
        find=find,
        order=order,
        orders=_ORDERS,
        address=urlencode({"find": find, "sort": order}),
        first=first,
        page_size=_CARDS,
        cards=[_card(each, by_id[each["budget_id"]], datasets, grants, ledgers) for each in shown],
        latest=_last_releases(here, datasets, by_id, grants, ledgers),
        deleted=deleted["items"],
        done=_approved(given, datasets, grants) if errors else _done(here.request, by_id, datasets, grants),
    )


def _sorted(
    datasets: Sequence[Mapping[str, Any]], budgets: Mapping[str, Mapping[str, Any]], order: str
) -> list[Mapping[str, Any]]:
    if order == "name":
        return sorted(datasets, key=lambda each: each["name"].casefold())
    newest = list(reversed(datasets))  # a list is in the order of creation
    return newest if order == "newest" else sorted(newest, key=lambda each: -spent_share(budgets[each["budget_id"]]))


def _card(
    data: Mapping[str, Any],
    budget: Mapping[str, Any],
    datasets: Sequence[Mapping[str, Any]],
    grants: Sequence[Mapping[str, Any]],
    ledgers: Mapping[str, Sequence[Mapping[str, Any]]],
) -> dict[str, Any]:
    charged = [each for each in ledgers[budget["id"]] if _is_release(each, data["id"])]
    return {
        "data": data,
        "budget": budget,
        "unit": main_unit(budget["total"]),
        "share": spent_share(budget),
        "names": [each for each in grants if each["dataset_id"] == data["id"] and is_open(each)],
        "is_all_seen": int(budget["sequence"]) <= _LOOKED_BACK,
        "last": charged[-1]["created_at"] if charged else None,
        "shared_with": [
            other["name"] for other in datasets if other["budget_id"] == budget["id"] and other["id"] != data["id"]
        ],
    }


def _is_release(entry: Mapping[str, Any], dataset_id: str) -> bool:
    return entry["kind"] in _RELEASED and entry["detail"].get("dataset_id") == dataset_id


async def _latest(api: Api, budget: Mapping[str, Any]) -> list[Any]:
    after = max(0, int(budget["sequence"]) - _LOOKED_BACK)
    page = await api.get(f"/v1/budgets/{budget['id']}/ledger", cursor=str(after), limit=str(_LOOKED_BACK))
    items: list[Any] = page["items"]
    return items


def _decisions(
    here: Visit,
    datasets: Sequence[Mapping[str, Any]],
    budgets: Mapping[str, Mapping[str, Any]],
    requests: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return the tasks of the owner: requests, proofs to save, budgets that are nearly used up, and stopped budgets."""
    found = _to_approve(datasets, budgets, requests)
    proofs = {of: proof for of, proof in kept_proofs(here, datasets).items() if not proof.is_saved}
    if proofs:
        unsaved = [each for each in datasets if each["id"] in proofs]
        found.append({"kind": "proofs", "of": unsaved, "until": min(proof.until for proof in proofs.values())})
    seen = set[str]()
    for data in datasets:
        budget = budgets[data["budget_id"]]
        if budget["id"] in seen or not (budget["below_threshold"] or budget["frozen"] or budget["restore_pending"]):
            continue
        seen.add(budget["id"])
        unit = main_unit(budget["total"])
        kind = "stopped" if budget["frozen"] or budget["restore_pending"] else "low"
        found.append({"kind": kind, "data": data, "budget": budget, "unit": unit, "left": budget["remaining"][unit]})
    return found


def _to_approve(
    datasets: Sequence[Mapping[str, Any]],
    budgets: Mapping[str, Mapping[str, Any]],
    requests: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return the open requests with their data sets, the remaining budget, and whether it covers each request."""
    data_of = {each["id"]: each for each in datasets}
    found: list[dict[str, Any]] = []
    for request in requests:
        data, wanted = data_of.get(request["dataset_id"]), request["requested"]
        if data is None:
            continue
        unit, left = main_unit(wanted), budgets[data["budget_id"]]["remaining"]
        is_fitting = fits(wanted, left)
        found.append(
            {"kind": "request", "request": request, "data": data, "unit": unit, "left": left, "fits": is_fitting}
        )
    return found


def _last_releases(
    here: Visit,
    datasets: Sequence[Mapping[str, Any]],
    budgets: Mapping[str, Mapping[str, Any]],
    grants: Sequence[Mapping[str, Any]],
    ledgers: Mapping[str, Sequence[Mapping[str, Any]]],
) -> list[dict[str, Any]]:
    """Return the last releases from the data sets on the page, newest first."""
    names = {each["id"]: each["name"] for each in datasets}
    people = {each["principal_id"]: each["name"] for each in grants}
    people[here.me["principal"]["id"]] = here.me["principal"]["name"]
    entries = [
        (budget, entry)
        for budget, ledger in ledgers.items()
        for entry in ledger
        if entry["kind"] in _RELEASED and entry["detail"].get("dataset_id") in names
    ]
    entries.sort(key=lambda each: (str(each[1]["created_at"]), int(each[1]["sequence"])), reverse=True)
    found = []
    for budget, entry in entries[:_LATEST]:
        unit = main_unit(budgets[budget]["total"])
        found.append(
            {
                "address": f"{_RELEASED[entry['kind']]}/{entry['subject_id']}",
                "at": entry["created_at"],
                "name": names[entry["detail"]["dataset_id"]],
                "who": people.get(entry["principal_id"]) or entry["principal_id"],
                "unit": unit,
                "value": entry["amount"][unit],
            }
        )
    return found


def _done(
    request: Request,
    budgets: Mapping[str, Mapping[str, Any]],
    datasets: Sequence[Mapping[str, Any]],
    grants: Sequence[Mapping[str, Any]],
) -> list[str]:
    """Return sentences about what the preceding form changed. They state the present values."""
    asked = request.query_params
    of = asked.get("of", "").split(".")[:_DECISIONS]
    if asked.get("done") == "stopped":
        stopped = budgets.get(of[0])
        if stopped is None or not stopped["frozen"]:
            return []
        return [Markup("All releases from the budget <bdi>{}</bdi> are stopped now.").format(stopped["name"])]
    return _approved(of, datasets, grants) if asked.get("done") == "approved" else []


def _approved(
    of: Sequence[str], datasets: Sequence[Mapping[str, Any]], grants: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Return sentences about those of these grants that are open."""
    names = {each["id"]: each["name"] for each in datasets}
    said = Markup("<bdi>{}</bdi> may now spend at most {} of <bdi>{}</bdi>.")
    return [
        said.format(
            each["name"] or each["principal_id"],
            amount_in_words(each["cap"]),
            names.get(each["dataset_id"], each["dataset_id"]),
        )
        for each in grants
        if each["id"] in of and is_open(each)
    ]


@router.post("/console/requests/approve")
async def approve(request: Request) -> Response:
    """Approve the ticked requests, each for the amount that it asks for and for a year. This needs the owner's key.

    Say which were not approved: those that ask for more than is left now, and those that are not open.
    """
    here = await posted(request)
    here.require("owner")
    ticked = list(dict.fromkeys(here.form.all("request")))[:_DECISIONS]
    try:
        if not ticked:
            raise Refused.at("", _NOTHING_TICKED)
        api = await here.confirmed()
    except Refused as refused:
        by_code = dict.fromkeys(("key-required", "unauthenticated"), "approve_key")
        errors = at_fields(refused, {KEY_FIELD: "approve_key", "": "approve"}, by_code=by_code)
        return await home_page(here, status=refused.status, errors=errors, ticked=ticked)
    until = end_of_day(f"{datetime.now(UTC) + timedelta(days=_GRANT_DAYS):%Y-%m-%d}")
    datasets, budgets, requests = await asyncio.gather(
        api.items("/v1/datasets"), api.items("/v1/budgets"), api.items("/v1/access-requests", state="open")
    )
    waiting = {
        each["request"]["id"]: each
        for each in _to_approve(datasets, {budget["id"]: budget for budget in budgets}, requests)
    }
    given, not_given = list[str](), list[str]()
    for each in ticked:
        if each in waiting:
            try:
                given.append(await _approve_one(api, waiting[each], until))
            except Refused as refused:
                found = waiting[each]["request"]
                who = f"{found['name'] or found['principal_id']} for {waiting[each]['data']['name']}"
                not_given.append(f"The request of {who} was not approved: {refused.detail}")
    if closed := sum(each not in waiting for each in ticked):
        said = (
            "ticked request was not approved: it is" if closed == 1 else "ticked requests were not approved: they are"
        )
        not_given.append(f"{closed} {said} no longer open, or not for data of yours.")
    if not_given:
        return await home_page(here, status=409, errors={"": " ".join(not_given)}, ticked=ticked, given=given)
    return see_other(request, f"/console/?done=approved&of={'.'.join(given)}")


async def _approve_one(api: Api, found: Mapping[str, Any], until: str) -> str:
    """Approve a request, and return the id of its grant. Raises Refused, also if less is left than it asks for."""
    wanted, unit = found["request"]["requested"], found["unit"]
    if not found["fits"]:
        left = amount_in_words(found["left"], delta=bool(Decimal(wanted["delta"])))
        raise Refused(409, {"detail": f"it asks for {amount_in_words(wanted)}, and only {left} is left."})
    body = {"state": "approved", unit: wanted[unit], "delta": wanted["delta"], "expires_at": until}
    decided = await api.patch(f"/v1/access-requests/{found['request']['id']}", body)
    grant_id: str = decided["grant_id"]
    return grant_id
