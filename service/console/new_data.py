"""The page on which an owner adds a data set: a table, what becomes public, and a budget; then the review.

Rows of a file are counted in the browser. What is sent is the table of counts, which is also what can be typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_FLOOR, Decimal, InvalidOperation
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from service.console.api import Api, Refused
from service.console.forms import ONCE_FIELD, Form, at_fields, hidden, new_once, with_point
from service.console.pages import amount
from service.console.plan import decimal_of
from service.console.spending import odds_sentence
from service.console.typed_table import TableError, TypedTable, read_table
from service.console.visit import Visit, posted, visit

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
    "labels_are_public": "Categories",
    "epsilon": "Budget",
    "delta": "δ",
    "budget": "Budget",
}
_NEW_BUDGET: Final = "new"
_STEP: Final = Decimal("1e-9")
"""Of ε in `/v1`."""
_RATE: Final = Decimal("0.05")
_RELEASES: Final = (1, 4, 20)
"""Numbers of equal releases that share a budget, for which the page says how much each would tell."""
_LEAST, _LARGEST = Decimal("0.0001"), Decimal(50)
"""Of ε of a release."""
_LONGEST_COUNT: Final = 16
_FEWEST_RECORDS: Final = 20
"""Below, a rate of 5 % is less than one record."""
_PRESET: Final = {"epsilon": "1", "budget": _NEW_BUDGET, "accountant": "basic", "most_records": "1"}


@router.get("/console/data/new")
async def show_new_data(request: Request) -> Response:
    """The empty page."""
    here = await visit(request)
    here.require("owner")
    return await _form_page(here, Form(tuple(_PRESET.items())))


@router.post("/console/data/new")
async def show_typed_data(request: Request) -> Response:
    """The page with what was typed, and what the budget means for it."""
    here = await posted(request)
    here.require("owner")
    errors: dict[str, str] = {}
    table = _table(here.form, errors) if here.form.text("table") else None
    known = None
    if here.form.has("work_out") and not errors:
        try:
            epsilon = _amount(here.form.text("epsilon"))
            known = await _known_to(
                here.api, table.record_count if table else 0, _most(here.form.text("most_records")), epsilon
            )
        except Refused as refused:
            errors = at_fields(refused, {"epsilon": "epsilon", "records": "table", "records_per_unit": "most_records"})
    return await _form_page(here, here.form, errors=errors, known=known)


async def _form_page(
    here: Visit,
    form: Form,
    *,
    errors: Mapping[str, str] | None = None,
    known: Mapping[str, Any] | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    budgets = await here.api.items("/v1/budgets")
    return here.page(
        "new_data.html",
        status=status,
        form=form,
        errors=errors,
        names=_NAMES,
        budgets=budgets,
        known=known,
        odds=_odds(form),
    )


def _odds(form: Form) -> str:
    try:
        return odds_sentence(str(_amount(form.text("epsilon"))), "0")
    except Refused:
        return ""


def _amount(text: str) -> Decimal:
    """An ε that is typed. Raises Refused."""
    try:
        value = Decimal(with_point(text))
    except InvalidOperation:
        value = Decimal(-1)
    if not (value.is_finite() and Decimal("0.0001") <= value <= Decimal(1000)):
        rule = "must be a number from 0.0001 to 1000, such as 0.5"
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"errors": [{"location": "epsilon", "rule": rule}]})
    return value


@router.get("/console/data/new/known")
async def show_known(request: Request) -> Response:
    """For the slider: what a rate of 5 % would be known to, by the number of releases that share the budget."""
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
    """How many records a person has at most, as it is typed; what is no number is left to `/v1` to refuse."""
    return int(text) if _is_whole(text) else text or 1


async def _known_to(api: Api, records: int, most: int | str, epsilon: Decimal) -> dict[str, Any]:
    """Half the width of the interval of a rate of 5 %, in percentage points: by exact counts, and by one of several
    releases that share ε. Raises Refused.
    """
    if records < _FEWEST_RECORDS:
        rule = f"needs at least {_FEWEST_RECORDS} records for this"
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"errors": [{"location": "records", "rule": rule}]})
    cases = int(records * _RATE)
    shares = {releases: (epsilon / releases).quantize(_STEP, rounding=ROUND_FLOOR) for releases in _RELEASES}
    within = {releases: share for releases, share in shares.items() if _LEAST <= share <= _LARGEST}
    found = await api.computed(
        "/v1/curves",
        {
            "prior": [1, 1],
            "data": {"kind": "counts", "counts": [cases, records - cases]},
            "epsilons": [f"{share:f}" for share in sorted(within.values())],
            "shares": [0],
            "records_per_unit": most,
        },
    )
    widths: dict[Decimal, float] = {}
    for point in (point for curve in found["mechanisms"] for point in curve["points"]):
        share = Decimal(point["epsilon"])
        widths[share] = min(point["widths"][0], widths.get(share, 1.0))
    rows = [
        {
            "releases": releases,
            "epsilon": amount(share),
            "points": _points(widths[share]),
            "exact": _points(found["widths_without_noise"][0]),
        }
        for releases, share in within.items()
        if share in widths
    ]
    return {"records": records, "rows": rows}


def _points(width: float) -> str:
    return f"{50 * width:.2g}"


@router.post("/console/data/new/review")
async def review(request: Request) -> Response:
    """Everything once more, before it is registered."""
    here = await posted(request)
    here.require("owner")
    errors: dict[str, str] = {}
    table = _table(here.form, errors)
    _check(here.form, errors)
    if errors or table is None:
        return await _form_page(here, here.form, errors=errors, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    form = here.form
    if form.text("budget") == _NEW_BUDGET and not form.text("delta"):
        form = form.with_text("delta", preset_delta(table.record_count))
    return await _review_page(here, form, table)


def preset_delta(records: int) -> str:
    """A δ at least a thousand times below one over the number of records."""
    return f"1e-{min(15, len(str(max(1, records - 1))) + 3)}"


async def _review_page(here: Visit, form: Form, table: TypedTable) -> Response:
    budget = None
    if form.text("budget") != _NEW_BUDGET:
        budget = await here.api.get(f"/v1/budgets/{form.text('budget')}")
    return here.page(
        "review_data.html",
        form=form,
        table=table,
        budget=budget,
        odds=odds_sentence(form.decimal("epsilon"), form.decimal("delta", "0")) if budget is None else "",
        fields=hidden(form.shown, without=[ONCE_FIELD]),
        once=form.once if form.has(ONCE_FIELD) else new_once(),
    )


@router.post("/console/data/new/register")
async def register(request: Request) -> Response:
    """Registers the data set, once for each review, and shows what is to be saved."""
    here = await posted(request)
    here.require("owner")
    errors: dict[str, str] = {}
    table = _table(here.form, errors)
    _check(here.form, errors)
    status = int(HTTPStatus.UNPROCESSABLE_ENTITY)
    if table is not None and not errors:
        try:
            made = await here.api.post("/v1/datasets", _body(here.form, table), once=here.form.once)
        except Refused as refused:
            errors, status = at_fields(refused, _PLACES, by_code={"name-taken": "name"}), refused.status
        else:
            return here.page("registered.html", made=made)
    return await _form_page(here, here.form, errors=errors, status=status)


def _table(form: Form, errors: dict[str, str]) -> TypedTable | None:
    try:
        return read_table(form.text("table"))
    except TableError as error:
        errors["table"] = str(error)
        return None


def _check(form: Form, errors: dict[str, str]) -> None:
    """Adds what a form lacks that only its owner can affirm; every other rule is that of `/v1`."""
    if not form.text("name"):
        errors["name"] = "The data set needs a name."
    if not form.text("unit"):
        errors["unit"] = "Say what one record stands for, such as: one child."
    if not form.has("n_is_public"):
        errors["n_is_public"] = "The number of records becomes public. Without that, nothing can be registered here."
    if not form.has("labels_are_public"):
        errors["labels_are_public"] = "The categories become public. Without that, nothing can be registered here."
    if form.text("budget") == _NEW_BUDGET:
        try:
            _amount(form.text("epsilon"))
        except Refused as refused:
            errors |= at_fields(refused, {"epsilon": "epsilon"})
        if isinstance(decimal_of(form.decimal("delta", "0")), str):
            errors["delta"] = "Must be a number, such as 1e-7."


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
