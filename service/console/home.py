"""The owner's first page: what waits for a decision, the data sets with what is left, and the last releases."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
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
from service.console.pages import see_other
from service.console.proofs import kept_ids, kept_proofs
from service.console.spending import amount_in_words, fits, is_open, main_unit, spent_share

router = APIRouter(include_in_schema=False)
START_PAGES: Final = {"admin": "/console/admin", "analyst": "/console/datasets"}
"""The start pages of people who own no data."""
_CARDS: Final = 24
"""Number of data sets on one page."""
_LOOKED_BACK: Final = 50
"""Number of ledger entries that are searched for the last release of a data set."""
_DECISIONS: Final = 50
"""Largest number of decisions on the page."""
_LATEST_COUNT: Final = 5
"""Number of the last releases on the page."""
_LONGEST_SEARCH: Final = 200
_MAX_ITEMS: Final = "200"
"""Largest number of items on a page of a list."""
_IDS_PER_REQUEST: Final = 50
"""Largest number of budgets that a filter takes."""
_PAGES_BY_KIND: Final = {"release_charged": "releases", "query_charged": "queries"}
_GRANT_DAYS: Final = 365
_NOTHING_TICKED: Final = "tick the requests that you want to approve"


@router.get("/console/")
async def show_home(request: Request) -> Response:
    """Show owners their open decisions and their data sets. Redirect people of other roles to their pages."""
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
    find = " ".join(asked.get("find", "")[:_LONGEST_SEARCH].split())
    seen = await _PageContents.of(here.api, find, asked.get("after", ""), kept_ids(here))
    return await here.page(
        "home.html",
        status=status,
        errors=errors,
        decisions=_decisions(here, seen),
        shown=_DECISIONS,
        ticked=ticked,
        confirmed=here.confirmed_until,
        total=seen.total,
        find=find,
        is_later=bool(asked.get("after")),
        following=urlencode({"find": find, "after": seen.next_cursor}) if seen.next_cursor else "",
        cards=[_card(each, seen) for each in seen.shown],
        latest=_last_releases(here, seen),
        deleted=seen.deleted,
        done=await (_approval_sentences(here.api, given) if errors else _change_sentences(here)),
    )


@dataclass(frozen=True, slots=True)
class _PageContents:
    """The contents of the page: the data sets of one page and of the decisions, and what belongs to them. It does not
    grow with the number of data sets.
    """

    total: int
    shown: Sequence[Mapping[str, Any]]
    next_cursor: str | None
    datasets: Mapping[str, Mapping[str, Any]]
    """By id: the data sets shown, those on the same budgets, and those of requests, proofs and decisions."""
    budgets: Mapping[str, Mapping[str, Any]]
    grants: Sequence[Mapping[str, Any]]
    requests: Sequence[Mapping[str, Any]]
    ledgers: Mapping[str, Sequence[Mapping[str, Any]]]
    """The last entries of the budgets of the data sets that are shown."""
    deleted: Sequence[Mapping[str, Any]]

    @classmethod
    async def of(cls, api: Api, find: str, after: str, wanted: Collection[str]) -> _PageContents:
        most, named = str(_DECISIONS), {"name_contains": find, "cursor": after}
        page, quotas, low, frozen, requests, deleted = await asyncio.gather(
            api.get(
                "/v1/datasets",
                order="newest",
                limit=str(_CARDS),
                **{name: value for name, value in named.items() if value},
            ),
            api.get("/v1/quotas"),
            api.get("/v1/budgets", state="low", limit=most),
            api.get("/v1/budgets", state="frozen", limit=most),
            api.get("/v1/access-requests", state="open", limit=most),
            api.get("/v1/datasets", deleted="true", limit=str(_CARDS)),
        )
        shown = page["items"]
        ids = {each["id"] for each in shown}
        wanted = {*wanted, *(each["dataset_id"] for each in requests["items"])}
        asked = await found_by_id(api, "/v1/datasets", wanted - ids)
        used = sorted({each["budget_id"] for each in shown})
        budgets = {each["id"]: each for each in low["items"] + frozen["items"]}
        others = sorted({*used, *(each["budget_id"] for each in asked.values())} - budgets.keys())
        of_shown, of_decided = (
            api.get("/v1/datasets", budget_id=each, limit=_MAX_ITEMS) if each else _empty_list()
            for each in (used, sorted(budgets.keys() - set(used))[:_DECISIONS])
        )
        sharing, decided, grants, *rest = await asyncio.gather(
            of_shown,
            of_decided,
            api.get("/v1/grants", budget_id=used, state="open", limit=_MAX_ITEMS) if used else _empty_list(),
            *(api.get("/v1/budgets", budget_id=some, limit=_MAX_ITEMS) for some in _batches(others)),
        )
        budgets |= {each["id"]: each for part in rest for each in part["items"]}
        ledgers = await asyncio.gather(*(api.latest_entries(budgets[each], _LOOKED_BACK) for each in used))
        near = {each["id"]: each for each in [*sharing["items"], *decided["items"], *shown]}
        return cls(
            total=quotas["datasets"]["used"],
            shown=shown,
            next_cursor=page["next_cursor"],
            datasets=near | asked,
            budgets=budgets,
            grants=grants["items"],
            requests=requests["items"],
            ledgers=dict(zip(used, ledgers, strict=True)),
            deleted=deleted["items"],
        )


async def _empty_list() -> dict[str, Any]:
    return {"items": []}


def _batches(ids: Sequence[str]) -> list[Sequence[str]]:
    """Return the ids in parts that one filter takes."""
    return [ids[first : first + _IDS_PER_REQUEST] for first in range(0, len(ids), _IDS_PER_REQUEST)]


async def found_by_id(api: Api, path: str, ids: Collection[str]) -> dict[str, Mapping[str, Any]]:
    """Return the objects with these ids that the visitor may read, by id."""

    async def read(each: str) -> Mapping[str, Any] | None:
        try:
            found: Mapping[str, Any] = await api.get(f"{path}/{each}")
        except Refused:
            return None
        return found

    in_order = sorted(ids)
    found = await asyncio.gather(*map(read, in_order))
    return {of: each for of, each in zip(in_order, found, strict=True) if each is not None}


def _card(data: Mapping[str, Any], seen: _PageContents) -> dict[str, Any]:
    budget = seen.budgets[data["budget_id"]]
    charged = [each for each in seen.ledgers[budget["id"]] if _is_release(each, data["id"])]
    return {
        "data": data,
        "budget": budget,
        "unit": main_unit(budget["total"]),
        "share": spent_share(budget),
        "names": [each for each in seen.grants if each["dataset_id"] == data["id"] and is_open(each)],
        "is_all_seen": int(budget["sequence"]) <= _LOOKED_BACK,
        "last": charged[-1]["created_at"] if charged else None,
        "asked": max((each["created_at"] for each in seen.requests if each["dataset_id"] == data["id"]), default=None),
        "shared_with": [
            other["name"]
            for other in seen.datasets.values()
            if other["budget_id"] == budget["id"] and other["id"] != data["id"]
        ],
    }


def _is_release(entry: Mapping[str, Any], dataset_id: str) -> bool:
    return entry["kind"] in _PAGES_BY_KIND and entry["detail"].get("dataset_id") == dataset_id


def _decisions(here: Visit, seen: _PageContents) -> list[dict[str, Any]]:
    """Return the tasks of the owner: requests, proofs to save, budgets that are nearly used up, and stopped budgets."""
    found = [
        _request_to_approve(each, seen.datasets[each["dataset_id"]], seen.budgets)
        for each in seen.requests
        if each["dataset_id"] in seen.datasets
    ]
    proofs = {of: proof for of, proof in kept_proofs(here, seen.datasets.values()).items() if not proof.is_saved}
    if proofs:
        unsaved = [seen.datasets[each] for each in proofs]
        found.append({"kind": "proofs", "of": unsaved, "until": min(proof.until for proof in proofs.values())})
    told = set[str]()
    for data in seen.datasets.values():
        budget = seen.budgets[data["budget_id"]]
        if budget["id"] in told or not (budget["below_threshold"] or budget["frozen"] or budget["restore_pending"]):
            continue
        told.add(budget["id"])
        unit = main_unit(budget["total"])
        kind = "stopped" if budget["frozen"] or budget["restore_pending"] else "low"
        found.append({"kind": kind, "data": data, "budget": budget, "unit": unit, "left": budget["remaining"][unit]})
    return found


def _request_to_approve(
    request: Mapping[str, Any], data: Mapping[str, Any], budgets: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return an open request with its data set, the remaining budget, and whether it covers the request."""
    wanted, left = request["requested"], budgets[data["budget_id"]]["remaining"]
    unit, is_fitting = main_unit(wanted), fits(wanted, left)
    return {"kind": "request", "request": request, "data": data, "unit": unit, "left": left, "fits": is_fitting}


def _last_releases(here: Visit, seen: _PageContents) -> list[dict[str, Any]]:
    """Return the last releases from the data sets on the page, newest first."""
    names = {each["id"]: each["name"] for each in seen.datasets.values()}
    people = {each["principal_id"]: each["name"] for each in seen.grants}
    people[here.me["principal"]["id"]] = here.me["principal"]["name"]
    entries = [
        (budget, entry)
        for budget, ledger in seen.ledgers.items()
        for entry in ledger
        if entry["kind"] in _PAGES_BY_KIND and entry["detail"].get("dataset_id") in names
    ]
    entries.sort(key=lambda each: (str(each[1]["created_at"]), int(each[1]["sequence"])), reverse=True)
    found = []
    for budget, entry in entries[:_LATEST_COUNT]:
        unit = main_unit(seen.budgets[budget]["total"])
        found.append(
            {
                "address": f"{_PAGES_BY_KIND[entry['kind']]}/{entry['subject_id']}",
                "at": entry["created_at"],
                "name": names[entry["detail"]["dataset_id"]],
                "who": people.get(entry["principal_id"]) or entry["principal_id"],
                "unit": unit,
                "value": entry["amount"][unit],
            }
        )
    return found


async def _change_sentences(here: Visit) -> list[str]:
    """Return sentences about what the preceding form changed. They state the present values."""
    asked = here.request.query_params
    of = asked.get("of", "").split(".")[:_DECISIONS]
    if asked.get("done") == "stopped":
        stopped = (await found_by_id(here.api, "/v1/budgets", of[:1])).get(of[0])
        if stopped is None or not stopped["frozen"]:
            return []
        return [Markup("All releases from the budget <bdi>{}</bdi> are stopped now.").format(stopped["name"])]
    return await _approval_sentences(here.api, of) if asked.get("done") == "approved" else []


async def _approval_sentences(api: Api, of: Sequence[str]) -> list[str]:
    """Return sentences about the open ones of these grants. They are among the newest."""
    if not of:
        return []
    page = await api.get("/v1/grants", order="newest", state="open", limit=_MAX_ITEMS)
    given = [each for each in page["items"] if each["id"] in of]
    datasets = await found_by_id(api, "/v1/datasets", {each["dataset_id"] for each in given})
    said = Markup("<bdi>{}</bdi> may now spend at most {} of <bdi>{}</bdi>.")
    return [
        said.format(
            each["name"] or each["principal_id"],
            amount_in_words(each["cap"]),
            datasets[each["dataset_id"]]["name"] if each["dataset_id"] in datasets else each["dataset_id"],
        )
        for each in reversed(given)
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
    requests = await found_by_id(api, "/v1/access-requests", ticked)
    datasets = await found_by_id(api, "/v1/datasets", {each["dataset_id"] for each in requests.values()})
    budgets = await found_by_id(api, "/v1/budgets", {each["budget_id"] for each in datasets.values()})
    waiting = {
        of: _request_to_approve(each, datasets[each["dataset_id"]], budgets)
        for of, each in requests.items()
        if each["state"] == "open" and each["dataset_id"] in datasets
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
