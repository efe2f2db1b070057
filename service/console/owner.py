"""An owner's page of one data set: its spending, its people, its budget and its statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from service.console.api import Refused
from service.console.forms import KEY_FIELD, at_fields
from service.console.new_data import WEAK_EPSILON, meaning, weaknesses
from service.console.page_request import Visit, posted, visit
from service.console.pages import (
    Instead,
    amount,
    attachment,
    date_of,
    file_name,
    in_both_widths,
    in_thread,
    on_page,
    origin_of,
    position_of,
    see_other,
    time_of,
)
from service.console.proofs import kept_proofs, mark_saved, proof_text
from service.console.spending import (
    HALF_WIDTH,
    SpendingEntry,
    amount_in_words,
    fits,
    is_open,
    main_unit,
    odds_sentences,
    picture,
    spent_share,
)
from service.posteriors.odds import about_a_fact, odds_factor, raised_suspicion

router = APIRouter(include_in_schema=False)
_LOOKED_BACK: Final = 1000
"""Number of ledger entries that are searched for charges to show and to draw."""
_ROWS: Final = 50
"""Largest number of releases, grants, requests or charges on one page of a data set."""
_STOPPING: Final = frozenset({"stopped", "allowed"})
_PROVEN: Final = frozenset({"registered", "replaced"})
_MAX_OFFERED_NAMES: Final = 1000
"""Largest number of analysts whose names a field offers."""
_JUMP: Final = 10
"""A total that is at least this many times the old one must be confirmed, because a decimal point may be missing."""
_MOST_EPSILON: Final = 1000
"""Largest total of a budget in `/v1`."""
_CHARGES: Final = frozenset({"release_charged", "query_charged", "receipt_reconciled", "written_off"})


@router.post("/console/budgets/{budget_id}/freeze")
async def freeze(request: Request, budget_id: str) -> Response:
    """Stop all releases from a budget. This needs no key, because it may be urgent and can be undone."""
    here = await posted(request)
    here.require("owner")
    await here.api.patch(f"/v1/budgets/{budget_id}", {"frozen": True})
    back = here.form.text("dataset_id")
    return see_other(
        request, f"/console/data/{back}?done=stopped" if back else f"/console/?done=stopped&of={budget_id}"
    )


@router.get("/console/data/{dataset_id}")
async def show_dataset(request: Request, dataset_id: str) -> Response:
    """Show a data set: its spending, grants and requests, and the forms to change it."""
    here = await visit(request)
    here.require("owner")
    return await dataset_page(here, dataset_id)


async def dataset_page(
    here: Visit, dataset_id: str, *, status: int = HTTPStatus.OK, errors: Mapping[str, str] | None = None
) -> Response:
    """Return the page of a data set, with sentences about a refused form."""
    data = await owned(here, dataset_id)
    budget = await here.api.get(f"/v1/budgets/{data['budget_id']}")
    given, analysts = await here.api.items("/v1/grants", budget_id=budget["id"]), await here.api.items("/v1/analysts")
    grants = [each for each in given if each["dataset_id"] == dataset_id]
    on_budget = await here.api.items("/v1/datasets", budget_id=budget["id"])
    deleted = await here.api.items("/v1/datasets", deleted="true", budget_id=budget["id"])
    requests = await here.api.items("/v1/access-requests", dataset_id=dataset_id)
    ledger = await here.api.latest_entries(budget, _LOOKED_BACK)
    statement = await here.api.get(f"/v1/datasets/{dataset_id}/statement", limit="1")
    unit, names = main_unit(budget["total"]), _names(here, statement, grants)
    charges = _latest_charges(ledger, unit, Decimal(budget["spent"][unit]))
    draw = partial(picture, budget, charges[::-1], names, data["name"], width=HALF_WIDTH)
    stops = [each for each in ledger if each["kind"] == "budget_frozen"]
    rate = await here.api.get(f"/v1/budgets/{budget['id']}/burn-rate")
    older = here.request.query_params.get("releases", "")
    releases = await here.api.releases("counts", "margins", dataset_id=dataset_id, limit=_ROWS, cursor=older)
    first = _first_grant(here.request, grants)
    decided = [each for each in reversed(requests) if each["state"] != "open"]
    waiting = [each for each in requests if each["state"] == "open"]
    return await here.page(
        "dataset.html",
        status=status,
        errors=errors,
        data=data,
        budget=budget,
        unit=unit,
        share=spent_share(budget),
        grants=grants[first : first + _ROWS],
        first_grant=first,
        grant_count=len(grants),
        rows=_ROWS,
        others=[each for each in on_budget if each["id"] != dataset_id],
        deleted_others=deleted,
        promised=_unspent_by_grants({each["id"] for each in on_budget}, given, unit),
        warnings=weaknesses(
            Decimal(budget["guarantee"]["epsilon"]), Decimal(budget["guarantee"]["delta"]), data["record_count"]
        ),
        meaning=_meaning_of(here.form.decimal("total_epsilon", budget["guarantee"]["epsilon"]), data["relation"]),
        weak_epsilon=WEAK_EPSILON,
        people=sorted({each["name"] for each in analysts} - {each["name"] for each in grants})[:_MAX_OFFERED_NAMES],
        requests=waiting,
        fitting=[each["id"] for each in waiting[:_ROWS] if fits(each["requested"], budget["remaining"])],
        decided=decided,
        latest_of={each["principal_id"]: each for each in reversed(decided)},
        charges=charges[:_ROWS],
        spending=on_page(await in_thread(here.request, draw)) if charges else "",
        is_all_charged=int(budget["sequence"]) <= len(ledger),
        names=names,
        confirmed=here.confirmed_until,
        stop=stops[-1] if stops and budget["frozen"] else None,
        in_a_year=f"{datetime.now(UTC) + timedelta(days=365):%Y-%m-%d}",
        done=None if errors else _change_sentence(here.request, data, budget, grants, requests),
        stopped_now=not errors and budget["frozen"] and here.request.query_params.get("done") in _STOPPING,
        given=given_now(here.request, grants),
        field_names=_field_names(errors or {}),
        rate=rate,
        releases=[each for each in releases["items"] if each["state"] == "complete"],
        older_releases=releases["next_cursor"],
        odds=odds_sentences(budget["guarantee"]["epsilon"], budget["guarantee"]["delta"], data["relation"]),
        belief=raised_suspicion(_odds_bound(budget["guarantee"], data)[0]),
        belief_so_far=raised_suspicion(_odds_bound(rate["spent_guarantee"], data)[0]),
        charged=not statement["counts_replaceable"],
        proof=kept_proofs(here, [data]).get(dataset_id),
        is_proof_new=not errors and here.request.query_params.get("done") in _PROVEN,
        form=here.form,
        once=here.form.next_once(errors),
    )


_FIELDS: Final = {
    "analyst": "Analyst",
    "request_cap": "May spend at most",
    "cap_delta": "At most of δ",
    "cap": "May spend at most",
    "request_delta": "At most of δ",
    "request_until": "Until",
    "until": "Until",
    "above_rest": "Give this cap, although the budget has less left",
    "reason": "Reason",
    "new_name": "Name",
    "total_epsilon": "New total",
    "far_above": "Give this total although it is so high",
    "delete_name": "Name",
}


def _field_names(errors: Mapping[str, str]) -> dict[str, str]:
    """Return the label of each field with an error, by the field's id, which may end with the id of a grant or a
    request.
    """
    return {each: next((name for id_, name in _FIELDS.items() if each.startswith(id_)), "Key") for each in errors}


async def owned(here: Visit, dataset_id: str) -> dict[str, Any]:
    """Return a data set of the visitor. Otherwise raise `Instead` with a page about a deleted or foreign data set."""
    try:
        data: dict[str, Any] = await here.api.get(f"/v1/datasets/{dataset_id}")
    except Refused as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
    else:
        return data
    address = f"/console/data/{dataset_id}/statement"
    typed: list[tuple[str, str]] = []
    try:
        deleted_at = (await here.api.get(f"/v1/datasets/{dataset_id}/statement", limit="1"))["deleted_at"]
    except Refused as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
        detail, back, leads_to = "No data set of yours has this address.", "/console/", "Back to your data"
        if any(name in _FIELDS for name, _ in here.form.fields):
            typed = here.form.shown
    else:
        detail, back, leads_to = f"This data set was deleted on {time_of(deleted_at)}.", address, "Read its statement"
    if here.form.fields:
        detail += " Nothing was changed."
    raise Instead(await here.refused(Refused(HTTPStatus.NOT_FOUND, {"detail": detail}), back, leads_to, typed))


async def owners_form(request: Request, dataset_id: str) -> tuple[Visit, dict[str, Any]]:
    """Return the visit of an owner who sent a form about a data set of theirs, and the data set. Raises Instead."""
    here = await posted(request)
    here.require("owner")
    return here, await owned(here, dataset_id)


def _unspent_by_grants(on_budget: AbstractSet[str], given: Sequence[Mapping[str, Any]], unit: str) -> Decimal:
    """Return the amount that open grants on the data sets of a budget may still spend."""
    return sum(
        (
            Decimal(each["cap"][unit]) - Decimal(each["spent"][unit])
            for each in given
            if each["dataset_id"] in on_budget and is_open(each)
        ),
        Decimal(0),
    )


def given_now(request: Request, grants: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the grant that the preceding form gave, or None if it is not open."""
    asked = request.query_params
    found = (each for each in grants if each["id"] == asked.get("of"))
    grant = next(found, None) if asked.get("done") == "given" else None
    return grant if grant and is_open(grant) else None


def _change_sentence(
    request: Request,
    data: Mapping[str, Any],
    budget: Mapping[str, Any],
    grants: Sequence[Mapping[str, Any]],
    requests: Sequence[Mapping[str, Any]],
) -> str | None:
    """Return a sentence about what the preceding form changed, or None.

    Values come from the database, not from the address, which can be forged.
    """
    asked = request.query_params
    of = asked.get("of", "")
    match asked.get("done"):
        case state if state in _STOPPING and not budget["frozen"]:
            return "Releases are allowed now: analysts with access can spend what is left of the budget."
        case "total":
            return f"The total of the budget is ε = {amount(budget['guarantee']['epsilon'])} now."
        case "registered":
            return "Registered. The counts are encrypted: no page shows them again."
        case "replaced":
            return "The table was replaced. The earlier proof is not valid any more: save the new one."
        case "renamed":
            return Markup("The data set is called <bdi>{}</bdi> now.").format(data["name"])
        case "listed" if data["listed"]:
            return "This data set is listed: every analyst of this installation sees it now and can ask for access."
        case "listed":
            return "This data set is not listed: only people with access see it now."
        case "given" | "grant":
            return next((_grant_sentence(each) for each in grants if each["id"] == of), None)
        case "request":
            decided = next((each for each in requests if each["id"] == of and each["decided_at"]), None)
            if decided is None:
                return None
            said = Markup("The request of <bdi>{}</bdi> is {} now.")
            return said.format(decided["name"] or decided["principal_id"], decided["state"])
        case _:
            return None


def _grant_sentence(grant: Mapping[str, Any]) -> str:
    name = grant["name"] or grant["principal_id"]
    if grant["closed"]:
        return Markup("The access of <bdi>{}</bdi> is ended now. What was spent is not refunded.").format(name)
    until = f" until {date_of(grant['expires_at'])}" if grant["expires_at"] else ", without an end"
    said = Markup("<bdi>{}</bdi> may now spend at most {} of this budget{}.")
    return said.format(name, amount_in_words(grant["cap"]), until)


def _names(here: Visit, statement: Mapping[str, Any], grants: Sequence[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return the names of the owner, of people with a grant, and of people who spent, by their ids."""
    people = [*statement["spenders"], *grants]
    me = here.me["principal"]
    return {each["principal_id"]: each["name"] for each in people} | {me["id"]: me["name"]}


def _latest_charges(ledger: Sequence[Mapping[str, Any]], unit: str, total: Decimal) -> list[SpendingEntry]:
    """Return the latest charges in the end of a ledger, newest first. `total` is the amount spent with all of them."""
    found: list[SpendingEntry] = []
    for entry in reversed(ledger):
        if entry["kind"] in _CHARGES:
            value = Decimal(entry["amount"][unit])
            found.append(SpendingEntry(entry, value, total))
            total -= value
    return found


def _first_grant(request: Request, grants: Sequence[Mapping[str, Any]]) -> int:
    """Return the position of the first grant on the page: from the address, or that with the grant of a refused
    form.
    """
    named = (place for place, each in enumerate(grants) if f"/{each['id']}/" in request.url.path)
    asked = request.query_params.get("grants") or str(next(named, 0))
    return position_of(asked, len(grants), _ROWS)


@router.get("/console/data/{dataset_id}/statement")
async def show_statement(request: Request, dataset_id: str) -> Response:
    """Show the statement for printing: the guarantee to the people in the data, and what was spent."""
    here = await visit(request)
    here.require("owner")
    statement = await here.api.get(f"/v1/datasets/{dataset_id}/statement", limit="1000")
    budget = await here.api.get(f"/v1/budgets/{statement['budget_id']}")
    unit = main_unit(budget["total"])
    charges = _latest_charges(await here.api.latest_entries(budget, _LOOKED_BACK), unit, Decimal(budget["spent"][unit]))
    name = statement["dataset"]["name"]
    draw = partial(picture, budget, charges[::-1], _names(here, statement, ()), name)
    return await here.page(
        "statement.html",
        statement=statement,
        pictures=await in_thread(request, partial(in_both_widths, draw)) if charges else None,
        mechanisms=await here.api.mechanisms(),
        unit=unit,
        address=f"{origin_of(request)}/console/",
        odds_factor=lambda charged: odds_factor(_odds_bound(charged, statement["dataset"])[0]),
        failing=lambda charged: _odds_bound(charged, statement["dataset"])[1],
    )


@router.get("/console/data/{dataset_id}/statement.txt")
async def download_statement(request: Request, dataset_id: str) -> Response:
    """Return the statement as a text file."""
    here = await visit(request)
    here.require("owner")
    answer = await here.api.send("GET", f"/v1/datasets/{dataset_id}/statement.txt")
    name = (await here.api.get(f"/v1/datasets/{dataset_id}/statement", limit="1"))["dataset"]["name"]
    service = f"Service: {origin_of(request)}/console/\n".encode()
    return attachment(service + answer.content, file_name("statement", name, "txt"), "text/plain; charset=utf-8")


@router.get("/console/data/{dataset_id}/statement.yaml")
async def download_registry_entry(request: Request, dataset_id: str) -> Response:
    """Return the entry for the Deployments Registry as a file."""
    here = await visit(request)
    here.require("owner")
    answer = await here.api.send("GET", f"/v1/datasets/{dataset_id}/statement.yaml")
    return attachment(answer.content, f"{dataset_id}.yaml", "text/plain; charset=utf-8")


@router.post("/console/data/{dataset_id}/unfreeze")
async def unfreeze(request: Request, dataset_id: str) -> Response:
    """Allow releases again. This needs the owner's key."""
    here, data = await owners_form(request, dataset_id)
    return await _change_budget(here, data, {"frozen": False}, "unfreeze_key", {}, "allowed")


@router.post("/console/data/{dataset_id}/name")
async def rename(request: Request, dataset_id: str) -> Response:
    """Rename a data set."""
    here, _ = await owners_form(request, dataset_id)
    try:
        await here.api.patch(f"/v1/datasets/{dataset_id}", {"name": here.form.text("new_name")})
    except Refused as refused:
        errors = at_fields(refused, {"name": "new_name"}, by_code={"name-taken": "new_name"})
        return await dataset_page(here, dataset_id, status=refused.status, errors=errors)
    return see_other(request, f"/console/data/{dataset_id}?done=renamed")


@router.post("/console/data/{dataset_id}/total")
async def change_total(request: Request, dataset_id: str) -> Response:
    """Raise or lower the total of a budget. This needs the owner's key, and a ticked box for a total that is far above
    the present one.
    """
    here, data = await owners_form(request, dataset_id)
    budget = await here.api.get(f"/v1/budgets/{data['budget_id']}")
    epsilon = here.form.decimal("total_epsilon")
    doubts = _total_warnings(epsilon, Decimal(budget["guarantee"]["epsilon"]))
    if doubts and not here.form.has("far_above"):
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return await dataset_page(here, dataset_id, status=status, errors={"far_above": " ".join(doubts)})
    places = {"epsilon": "total_epsilon", "": "total_epsilon"}
    return await _change_budget(here, data, {"epsilon": epsilon}, "total_key", places, "total")


def _total_warnings(typed: str, total: Decimal) -> list[str]:
    """Return why a new total may be a slip, as sentences. Text that is not a number is left to `/v1`."""
    try:
        epsilon = Decimal(typed)
    except InvalidOperation:
        return []
    if not epsilon.is_finite() or epsilon <= total:
        return []
    found = weaknesses(epsilon, Decimal(0), 0)
    if epsilon >= _JUMP * total:
        found.append(f"It is at least {_JUMP} times the present total, {amount(total)}. Is a decimal point missing?")
    return found


def _odds_bound(loss: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[Decimal, Decimal]:
    return about_a_fact(Decimal(loss["epsilon"]), Decimal(loss["delta"]), data["relation"])


def _meaning_of(typed: str, relation: str) -> str:
    try:
        return meaning(Decimal(typed), "0", relation) if 0 < Decimal(typed) <= _MOST_EPSILON else ""
    except InvalidOperation:
        return ""


async def _change_budget(
    here: Visit,
    data: Mapping[str, Any],
    change: Mapping[str, Any],
    key_field: str,
    places: Mapping[str, str],
    done: str,
) -> Response:
    try:
        api = await here.confirmed()
        await api.patch(f"/v1/budgets/{data['budget_id']}", change)
    except Refused as refused:
        errors = with_key_field(refused, key_field, places)
        return await dataset_page(here, data["id"], status=refused.status, errors=errors)
    return see_other(here.request, f"/console/data/{data['id']}?done={done}")


def with_key_field(
    refused: Refused, key_field: str, places: Mapping[str, str], *, did: str = "did this"
) -> dict[str, str]:
    """Return sentences by field, as `at_fields`, with those about a wrong key at `key_field`."""
    by_code = dict.fromkeys(("key-required", "unauthenticated"), key_field)
    return at_fields(refused, {KEY_FIELD: key_field} | dict(places), by_code=by_code, did=did)


@router.post("/console/data/{dataset_id}/proof.txt")
async def save_proof(request: Request, dataset_id: str) -> Response:
    """Return the proof as a file. This needs the owner's key: the proof opens small tables."""
    here, data = await owners_form(request, dataset_id)
    proof = kept_proofs(here, [data]).get(dataset_id)
    if proof is None:
        detail = "The proof is not kept any more. It was offered until the session ended, for a day at most."
        back = f"/console/data/{dataset_id}"
        return await here.refused(Refused(HTTPStatus.NOT_FOUND, {"detail": detail}), back, "Back to the data set")
    try:
        await here.with_key()
    except Refused as refused:
        errors = with_key_field(refused, "proof_key", {})
        return await dataset_page(here, dataset_id, status=refused.status, errors=errors)
    text = await in_thread(request, partial(proof_text, data, proof.nonce, here.form.text("table")))
    answer = attachment(text, file_name("proof", data["name"], "txt"), "text/plain; charset=utf-8")
    mark_saved(request, answer, dataset_id)
    return answer


@router.post("/console/data/{dataset_id}/delete")
async def delete(request: Request, dataset_id: str) -> Response:
    """Destroy the counts. This needs the typed name of the data set and the owner's key."""
    here, data = await owners_form(request, dataset_id)
    if " ".join(here.form.text("delete_name").split()) != data["name"]:
        errors = {"delete_name": "This is not the name of the data set, as shown at the top of this page."}
        return await dataset_page(here, dataset_id, status=HTTPStatus.UNPROCESSABLE_ENTITY, errors=errors)
    try:
        api = await here.with_key()
        await api.delete(f"/v1/datasets/{dataset_id}")
    except Refused as refused:
        errors = with_key_field(refused, "delete_key", {})
        return await dataset_page(here, dataset_id, status=refused.status, errors=errors)
    return see_other(request, f"/console/data/{dataset_id}/statement")
