"""The page on which an owner registers a data set: a table, its public facts, and a budget; then the review.

The browser counts the rows of a file and sends the table of counts only. An owner can also type that table.
"""

from __future__ import annotations

import asyncio
import csv
import io
import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from functools import partial
from http import HTTPStatus
from json import dumps
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from service.console.api import Api, Refused
from service.console.forms import ONCE_FIELD, Form, at_fields, hidden, new_once, with_point
from service.console.help_page import odds_rows
from service.console.pages import amount, attachment, file_name, in_thread, see_other
from service.console.proofs import keep_proof
from service.console.spending import SYMBOLS, main_unit, odds_sentence
from service.console.tabular import TOTALS
from service.console.typed_table import TableError, TypedTable, cell_of, read_table
from service.console.visit import Visit, posted, visit
from service.odds import odds_example

router = APIRouter(include_in_schema=False)
_PLACES: Final = {
    "name": "name",
    "attributes": "table",
    "impossible": "table",
    "counts": "table",
    "unit": "unit",
    "one_record_per_unit": "most_records",
    "records_per_unit": "most_records",
    "n_is_public": "n_is_public",
    "budget.id": "budget",
    "budget.budget.epsilon": "epsilon",
    "budget.budget.delta": "delta",
    "budget.budget.name": "name",
}
_NAMES: Final = {
    "table": "Table",
    "name": "Name",
    "unit": "What a record stands for",
    "most_records": "Records of one person",
    "n_is_public": "Number of records",
    "labels_are_public": "Columns and values",
    "epsilon": "ε",
    "delta": "δ",
    "budget": "Budget",
}
_NEW_BUDGET: Final = "new"
_STEP: Final = Decimal("1e-9")
"""Smallest step of ε in `/v1`."""
_RATE: Final = Decimal("0.05")
_RELEASES: Final = (1, 4, 20)
"""Numbers of equal releases that share a budget. For each, the page shows how precise one release is."""
_LEAST, _LARGEST = Decimal("0.0001"), Decimal(50)
"""Range of the ε of one release."""
_LONGEST_COUNT: Final = 16
_FEWEST_RECORDS: Final = 20
"""Smallest number of records. With fewer, a rate of 5 % is less than one record."""
_GROUP: Final = 100
"""Records of a small group, for which the page shows the same figures as for the whole table."""
WEAK_EPSILON: Final = 10
_MOST_NAMED: Final = 3
"""Data sets on a budget that are named."""
_MOST_SHOWN: Final = 300
"""Largest number of combinations without records that are offered with a box each."""
_DECIMAL: Final = re.compile(r"[0-9]{1,17}(\.[0-9]{1,20})?([eE][-+]?[0-9]{1,2})?")
_PRESET: Final = {"epsilon": "1", "accountant": "basic"}


@router.get("/console/data/new")
async def show_new_data(request: Request) -> Response:
    """Show the empty page."""
    here = await visit(request)
    here.require("owner")
    return await _form_page(here, Form(tuple(_PRESET.items())))


@router.post("/console/data/new")
async def show_typed_data(request: Request) -> Response:
    """Show the page with the typed fields, and what the budget means for a person."""
    here = await posted(request)
    here.require("owner")
    errors: dict[str, str] = {}
    known = None
    if here.form.has("work_out"):
        table = await _table(here, errors)
        try:
            epsilon = _amount(here.form.text("epsilon"))
            known = await _known_to(
                here.api, table.record_count if table else 0, _most(here.form.text("most_records")), epsilon
            )
        except Refused as refused:
            places = {"epsilon": "epsilon", "records": "table", "records_per_unit": "most_records"}
            errors = at_fields(refused, places) | errors
    return await _form_page(here, here.form, errors=errors, known=known)


async def _form_page(
    here: Visit,
    form: Form,
    *,
    errors: Mapping[str, str] | None = None,
    known: Mapping[str, Any] | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    datasets = await here.api.items("/v1/datasets")
    budgets = [_with_words(each, datasets) for each in await here.api.items("/v1/budgets")]
    return await here.page(
        "new_data.html",
        status=status,
        form=form,
        errors=errors,
        names=_NAMES,
        budgets=budgets,
        known=known,
        totals=TOTALS,
        absent=await in_thread(here.request, partial(_absent, form)),
        meaning=_meaning(form),
        new_budget=_NEW_BUDGET,
        odds=odds_rows(),
        weak_epsilon=WEAK_EPSILON,
    )


def _with_words(budget: Mapping[str, Any], datasets: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The budget, with words for what is left of it and for the data sets that share it."""
    unit = main_unit(budget["total"])
    left = f"{SYMBOLS[unit]} = {amount(budget['remaining'][unit])} of {amount(budget['total'][unit])} is left"
    names = [f"“{each['name']}”" for each in datasets if each["budget_id"] == budget["id"]]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    sharers = f"with {', '.join(names[:_MOST_NAMED])}{more}" if names else "its data sets are deleted"
    return {**budget, "left": left, "sharers": sharers}


def _absent(form: Form) -> list[tuple[str, str, bool]]:
    """Return the combinations without records, each with its form value, its label, and whether its box is ticked.

    The owner ticks a combination that can't occur. If the table can't be read, only the ticked combinations are
    returned.
    """
    ticked = form.all("impossible")
    try:
        found = [dumps(cell, ensure_ascii=False) for cell in typed_table(form).absent]
    except TableError:
        found = ticked
    sent = {cell_of(each) for each in ticked}
    keys = [each for each in found[:_MOST_SHOWN] if cell_of(each)]
    return [(each, " · ".join(cell_of(each)), cell_of(each) in sent) for each in keys]


def _meaning(form: Form) -> str:
    try:
        return meaning(_amount(form.text("epsilon")), "0")
    except Refused:
        return ""


def meaning(epsilon: Decimal, delta: str) -> str:
    """Return what a budget means for a person, in odds and in an example."""
    return f"{odds_sentence(f'{epsilon:f}', delta)} {odds_example(epsilon)}"


def _amount(text: str, *, field: str = "epsilon") -> Decimal:
    """Return the typed ε or δ, written with a decimal point or comma. Raises Refused."""
    text, rule = with_point(text), ""
    if field == "epsilon" and not (_DECIMAL.fullmatch(text) and Decimal("0.0001") <= Decimal(text) <= Decimal(1000)):
        rule = "must be a number from 0.0001 to 1000, such as 0.5"
    elif field == "delta" and not (_DECIMAL.fullmatch(text) and Decimal(text) < 1):
        rule = "must be a number from 0 to below 1, such as 0.0000001"
    if rule:
        raise Refused.at(field, rule)
    return Decimal(text)


@router.get("/console/data/new/known")
async def show_known(request: Request) -> Response:
    """Return, for the page's slider, how precisely a rate of 5 % would be known, by the number of releases that share
    the budget.
    """
    here = await visit(request)
    here.require("owner")
    records, epsilon = request.query_params.get("records", ""), request.query_params.get("epsilon", "")
    try:
        value = _amount(epsilon)
        most = _most(request.query_params.get("most", ""))
        known = await _known_to(here.api, int(records) if _is_whole(records) else 0, most, value)
    except Refused as refused:
        return JSONResponse({"detail": refused.detail}, refused.status)
    return JSONResponse(known)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT


def _most(text: str) -> int | str:
    """Return the largest number of records of a person. If the field is not a number, return its text, which `/v1`
    refuses.
    """
    return int(text) if _is_whole(text) else text or 1


async def _known_to(api: Api, records: int, most: int | str, epsilon: Decimal) -> dict[str, Any]:
    """Return how precisely a 5 % rate would be known: half the width of its interval, in percentage points.

    There is one for exact counts, and one for each number of equal releases that share ε. Raises Refused.
    """
    if records < _FEWEST_RECORDS:
        raise Refused.at("records", f"needs at least {_FEWEST_RECORDS} records for this")
    shares = {releases: (epsilon / releases).quantize(_STEP, rounding=ROUND_FLOOR) for releases in _RELEASES}
    within = {releases: share for releases, share in shares.items() if _LEAST <= share <= _LARGEST}
    sizes = [records, _GROUP] if records > _GROUP else [records]
    epsilons = sorted(within.values())
    found = await asyncio.gather(*(_widths(api, size, most, epsilons) for size in sizes))
    rows = [
        {
            "releases": releases,
            "epsilon": amount(share),
            "points": [_points(noisy[share]) for noisy, _ in found],
        }
        for releases, share in within.items()
        if all(share in noisy for noisy, _ in found)
    ]
    return {
        "records": records,
        "sizes": sizes,
        "rows": rows,
        "exact": [_points(exact) for _, exact in found],
        "note": f"{_noise_for(most)} Exact counts have an error too, because the records are a sample.",
    }


def _noise_for(most: int | str) -> str:
    if most == 1:
        return "Each person has one record here."
    return f"Up to {most} records of one person are included here; they need more noise."


async def _widths(
    api: Api, records: int, most: int | str, epsilons: Sequence[Decimal]
) -> tuple[dict[Decimal, float], float]:
    """Return the width of the interval of a 5 % rate by the best mechanism at each ε, and its width from exact counts.
    Raises Refused.
    """
    cases = int(records * _RATE)
    found = await api.computed(
        "/v1/plans",
        {
            "prior": [1, 1],
            "data": {"kind": "counts", "counts": [cases, records - cases]},
            "epsilons": [f"{share:f}" for share in epsilons],
            "questions": [{"kind": "share", "labels": ["0"]}],
            "records_per_unit": most,
        },
    )
    widths: dict[Decimal, float] = {}
    for point in found["points"]:
        intervals = [each["intervals"][0]["width"] for each in point["options"] if each["intervals"]]
        if intervals:
            widths[Decimal(point["epsilon"])] = min(intervals)
    return widths, found["without_noise"][0]["width"]


def _points(width: float) -> str:
    return f"{50 * width:.2g}"


@router.post("/console/data/new/review")
async def review(request: Request) -> Response:
    """Show all entries again before the data set is registered."""
    here = await posted(request)
    here.require("owner")
    errors: dict[str, str] = {}
    table = await _table(here, errors)
    _check(here.form, errors)
    if errors or table is None:
        return await _form_page(here, here.form, errors=errors, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    form = here.form
    if form.text("budget") == _NEW_BUDGET and not form.text("delta"):
        form = form.with_text("delta", preset_delta(table.record_count))
    return await _review_page(here, form, table)


def preset_delta(records: int) -> str:
    """Return a δ at most a thousandth of one over the number of records."""
    return f"1e-{min(15, len(str(max(1, records - 1))) + 3)}"


async def _review_page(here: Visit, form: Form, table: TypedTable) -> Response:
    budget, epsilon, delta = None, Decimal(0), Decimal(0)
    if form.text("budget") == _NEW_BUDGET:
        epsilon, delta = _amount(form.text("epsilon")), _amount(form.text("delta") or "0", field="delta")
    else:
        found = await here.api.get(f"/v1/budgets/{form.text('budget')}")
        budget = _with_words(found, await here.api.items("/v1/datasets"))
        epsilon, delta = (Decimal(budget["guarantee"][each]) for each in ("epsilon", "delta"))
    return await here.page(
        "review_data.html",
        form=form,
        table=table,
        budget=budget,
        unit=None if budget is None else main_unit(budget["total"]),
        epsilon=epsilon,
        delta=delta,
        meaning=meaning(epsilon, f"{delta:f}"),
        warnings=weaknesses(epsilon, delta, table.record_count),
        most_shown=_MOST_SHOWN,
        fields=hidden(form.shown, without=[ONCE_FIELD]),
        once=form.once if form.has(ONCE_FIELD) else new_once(),
    )


def weaknesses(epsilon: Decimal, delta: Decimal, records: int) -> list[str]:
    """Return why a budget guarantees little, in the sentences that `/v1` uses after the registration."""
    found = []
    if epsilon > WEAK_EPSILON:
        found.append(
            f"ε is above {WEAK_EPSILON}. At such a value the promise means almost nothing: a guess about a person can "
            "become near certainty."
        )
    if delta * records > 1:
        found.append(
            "δ is above one over the number of records. The promise would allow that the data of one person, drawn at "
            "random, are published in full."
        )
    return found


@router.post("/console/data/new/table")
async def save_table(request: Request) -> Response:
    """Return the sent table as a file, for the owner to keep."""
    here = await posted(request)
    here.require("owner")
    errors: dict[str, str] = {}
    table = await _table(here, errors)
    if table is None:
        return await _form_page(here, here.form, errors=errors, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    text = await in_thread(request, partial(_csv, table))
    return attachment(text, file_name("counts", here.form.text("name"), "csv"), "text/plain")


def _csv(table: TypedTable) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*(name for name, _ in table.attributes), "count"])
    writer.writerows([*cell, count] for cell, count in zip(table.cells, table.counts, strict=True))
    return text.getvalue()


@router.post("/console/data/new/register")
async def register(request: Request) -> Response:
    """Register the data set, once for each review, and show what the owner has to save."""
    here = await posted(request)
    here.require("owner")
    errors: dict[str, str] = {}
    table = await _table(here, errors)
    _check(here.form, errors)
    status = int(HTTPStatus.UNPROCESSABLE_ENTITY)
    if table is not None and not errors:
        try:
            made = await here.api.post("/v1/datasets", _body(here.form, table), once=here.form.once)
        except Refused as refused:
            errors, status = at_fields(refused, _PLACES, by_code={"name-taken": "name"}), refused.status
        else:
            answer = see_other(request, f"/console/data/{made['id']}?done=registered")
            keep_proof(request, answer, made["id"], here.form.once)
            return answer
    return await _form_page(here, here.form, errors=errors, status=status)


def typed_table(form: Form) -> TypedTable:
    """Return the table in a form. Raises TableError. A large one takes long: call it in a thread."""
    return read_table(
        form.text("table"),
        impossible=form.all("impossible"),
        unlisted_impossible=form.has("unlisted_impossible"),
        totals_are_values=form.has("totals_are_values"),
        numbers_are_values=form.has("numbers_are_values"),
        unfold=form.text("unfold"),
    )


async def _table(here: Visit, errors: dict[str, str]) -> TypedTable | None:
    try:
        return await in_thread(here.request, partial(typed_table, here.form))
    except TableError as error:
        errors["table"] = str(error)
        return None


def _check(form: Form, errors: dict[str, str]) -> None:
    """Add an error for each statement that only the owner can make. `/v1` checks all other rules."""
    if not form.text("name"):
        errors["name"] = "The data set needs a name."
    if not form.text("unit"):
        errors["unit"] = "Say what one record stands for, such as: one patient."
    if not _is_whole(form.text("most_records")) or int(form.text("most_records")) < 1:
        errors["most_records"] = "Must be a whole number from 1, such as 3."
    if not form.has("n_is_public"):
        errors["n_is_public"] = "The number of records becomes public. Without that, nothing can be registered here."
    if not form.has("labels_are_public"):
        errors["labels_are_public"] = "Columns and values become public. Without that, nothing can be registered here."
    if not form.text("budget"):
        errors["budget"] = "Say whether these people are in a data set that is registered already."
    if form.text("budget") == _NEW_BUDGET:
        for field, text in (("epsilon", form.text("epsilon")), ("delta", form.text("delta") or "0")):
            try:
                _amount(text, field=field)
            except Refused as refused:
                errors |= at_fields(refused, {field: field})


def _body(form: Form, table: TypedTable) -> dict[str, Any]:
    body: dict[str, Any] = {"name": form.text("name"), "unit": form.text("unit"), "n_is_public": True} | table.body()
    most = _most(form.text("most_records"))
    body |= {"one_record_per_unit": True} if most == 1 else {"records_per_unit": most}
    chosen = form.text("budget")
    if chosen != _NEW_BUDGET:
        return body | {"budget": {"kind": "existing", "id": chosen}}
    terms = {
        "accountant": "zcdp" if form.text("accountant") == "zcdp" else "basic",
        "name": form.text("name"),
        "epsilon": form.decimal("epsilon"),
        "delta": form.decimal("delta", "0"),
    }
    return body | {"budget": {"kind": "new", "budget": terms}}
