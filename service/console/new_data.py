"""The page on which an owner registers a data set in four steps: file, columns, public facts, and protection.

The browser counts the rows of a file and sends the table of counts only. An owner can also type that table.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from http import HTTPStatus
from json import dumps
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Refused
from service.console.forms import Form, at_fields, with_point
from service.console.help_page import odds_rows
from service.console.page_request import Visit, posted, visit
from service.console.pages import amount, attachment, file_name, in_thread, see_other
from service.console.plain_table import TableError
from service.console.proofs import is_full, keep_proof
from service.console.spending import SYMBOLS, main_unit, odds_sentences
from service.console.typed_table import TypedTable, cell_of, read_table
from service.posteriors.odds import about_a_fact, odds_example

router = APIRouter(include_in_schema=False)
PLACES: Final = {
    "name": "name",
    "attributes": "table",
    "impossible": "table",
    "counts": "table",
    "unit": "unit",
    "one_record_per_unit": "most_records",
    "records_per_unit": "most_records",
    "n_is_public": "n_is_public",
    "relation": "n_is_public",
    "budget.id": "budget",
    "budget.budget.epsilon": "epsilon",
    "budget.budget.delta": "delta",
    "budget.budget.name": "name",
}
"""The field of the form for each field of the request."""
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
_LONGEST_COUNT: Final = 16
WEAK_EPSILON: Final = 10
_MAX_NAMED_SHARERS: Final = 3
"""Data sets on a budget that are named."""
_MAX_SHOWN_CELLS: Final = 300
"""Largest number of combinations without records that are offered with a box each."""
_MAX_TAKEN_NAMES: Final = 2000
"""Largest number of taken names that the page knows; the service knows all."""
_STEPS: Final = {
    **dict.fromkeys(("table", "totals_are_values"), 1),
    **dict.fromkeys(("name", "unit", "most_records", "n_is_public", "labels_are_public", "unlisted_impossible"), 3),
    **dict.fromkeys(("budget", "epsilon", "delta"), 4),
}
"""The step of the page that has a field."""
_DECIMAL: Final = re.compile(r"[0-9]{1,17}(\.[0-9]{1,20})?([eE][-+]?[0-9]{1,2})?")
_DELTA_AT_PRIVATE_N: Final = "1e-9"
"""The preset δ if the number of records is private. A budget's δ is public, so it must not depend on the number."""
_EXAMPLE: Final[Mapping[str, Any]] = {
    "name": "Example: Berkeley admissions 1973",
    "unit": "one application",
    "attributes": [
        {"name": "department", "levels": ["A", "B", "C", "D", "E", "F"]},
        {"name": "sex", "levels": ["male", "female"]},
        {"name": "admitted", "levels": ["yes", "no"]},
    ],
    "counts": [
        *(512, 313, 89, 19), *(353, 207, 17, 8), *(120, 205, 202, 391),
        *(138, 279, 131, 244), *(53, 138, 94, 299), *(22, 351, 24, 317),
    ],
    "n_is_public": True,
    "one_record_per_unit": True,
    "budget": {
        "kind": "new",
        "budget": {"accountant": "basic", "name": "Example", "epsilon": "1", "delta": "1e-7"},
    },
}  # fmt: skip
"""Bickel, Hammel and O'Connell 1975, Sex bias in graduate admissions: data from Berkeley, Science 187."""
_PRESET: Final = {"epsilon": "1", "accountant": "basic"}


@router.get("/console/data/new")
async def show_new_data(request: Request) -> Response:
    """Show the empty page; or one that is filled in with the public facts of another data set, for one like it."""
    here = await visit(request)
    here.require("owner")
    chosen = request.query_params.get("budget", "")
    if not (like := request.query_params.get("like", "")):
        return await _form_page(here, Form((*_PRESET.items(), ("budget", chosen))))
    data = await here.api.get(f"/v1/datasets/{like}")
    budget = await here.api.get(f"/v1/budgets/{data['budget_id']}")
    return await _form_page(here, Form(tuple(_recipe(data, budget).items())), like=data)


def _recipe(data: Mapping[str, Any], budget: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a form for a data set like another one. The owner affirms again what becomes public."""
    return {
        "name": data["name"],
        "unit": data["unit"],
        "most_records": str(data["records_per_unit"]),
        "n_is_public": "yes" if data["n_is_public"] else "no",
        "epsilon": str(budget["guarantee"]["epsilon"]),
        "delta": "" if Decimal(budget["guarantee"]["delta"]) else "0",
        "accountant": data["accountant"],
    }


async def _form_page(
    here: Visit,
    form: Form,
    *,
    errors: Mapping[str, str] | None = None,
    status: int = HTTPStatus.OK,
    like: Mapping[str, Any] | None = None,
) -> Response:
    datasets = await here.api.items("/v1/datasets")
    is_public = {
        each["budget_id"]: "yes" if each["n_is_public"] else "no"
        for each in [*datasets, *await here.api.items("/v1/datasets", deleted="true")]
    }
    budgets = [
        _budget_with_words(each, datasets) | {"is_public": is_public.get(each["id"], "")}
        for each in await here.api.items("/v1/budgets")
    ]
    return await here.page(
        "new_data.html",
        status=status,
        form=form,
        errors=errors,
        like=like,
        names=_NAMES,
        budgets=budgets,
        taken=sorted({each["name"] for each in [*datasets, *budgets]})[:_MAX_TAKEN_NAMES],
        step=min((_STEPS[each] for each in errors or () if each in _STEPS), default=1),
        once=form.next_once(errors),
        absent=await in_thread(here.request, partial(_empty_combinations, form)),
        meaning=_odds_words(form),
        new_budget=_NEW_BUDGET,
        odds=odds_rows(),
        weak_epsilon=WEAK_EPSILON,
    )


def _budget_with_words(budget: Mapping[str, Any], datasets: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The budget, with words for what is left of it and for the data sets that share it."""
    unit = main_unit(budget["total"])
    left = f"{SYMBOLS[unit]} = {amount(budget['remaining'][unit])} of {amount(budget['total'][unit])} is left"
    names = [f"“{each['name']}”" for each in datasets if each["budget_id"] == budget["id"]]
    more = f" and {len(names) - _MAX_NAMED_SHARERS} more" if len(names) > _MAX_NAMED_SHARERS else ""
    sharers = f"with {', '.join(names[:_MAX_NAMED_SHARERS])}{more}" if names else "its data sets are deleted"
    return {**budget, "left": left, "sharers": sharers}


def _empty_combinations(form: Form) -> list[tuple[str, str, bool]]:
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
    keys = [each for each in found[:_MAX_SHOWN_CELLS] if cell_of(each)]
    return [(each, " · ".join(cell_of(each)), cell_of(each) in sent) for each in keys]


def _odds_words(form: Form) -> str:
    try:
        relation = "add_remove" if form.text("n_is_public") == "no" else "replace_one"
        return odds_example(about_a_fact(_amount(form.text("epsilon")), Decimal(0), relation)[0])
    except Refused:
        return ""


def meaning(epsilon: Decimal, delta: str, relation: str) -> str:
    """Return what a budget means for a person, in odds and in an example."""
    of_fact, _ = about_a_fact(epsilon, Decimal(delta), relation)
    return f"{odds_sentences(f'{epsilon:f}', delta, relation)} {odds_example(of_fact)}"


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


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT


def _records_per_person(text: str) -> int | str:
    """Return the largest number of records of a person. If the field is not a number, return its text, which `/v1`
    refuses.
    """
    return int(text) if _is_whole(text) else text or 1


def preset_delta(records: int) -> str:
    """Return a δ of at most 1 / (1000 n), where n is the number of records."""
    return f"1e-{min(15, len(str(max(1, records - 1))) + 3)}"


def weaknesses(epsilon: Decimal, delta: Decimal, records: int | None) -> list[str]:
    """Return why a budget guarantees little, in the sentences that `/v1` uses after the registration."""
    found = []
    if epsilon > WEAK_EPSILON:
        found.append(
            f"ε is above {WEAK_EPSILON}. At such a value the guarantee means almost nothing: a guess about a person "
            "can become near certainty."
        )
    if records is not None and delta * records > 1:
        found.append(
            "δ is above one over the number of records. The guarantee would allow that the data of one person, drawn "
            "at random, are published in full."
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
    """Register the data set, once for each page that was opened, and lead to its page."""
    here = await posted(request)
    here.require("owner")
    errors: dict[str, str] = {}
    table = await _table(here, errors)
    _check(here.form, errors)
    form = here.form
    if table is not None and form.text("budget") == _NEW_BUDGET and not form.text("delta"):
        is_public = form.text("n_is_public") == "yes"
        form = form.with_text("delta", preset_delta(table.record_count) if is_public else _DELTA_AT_PRIVATE_N)
    if not errors and is_full(here, await here.api.items("/v1/datasets")):
        errors[""] = (
            "Twenty proofs wait to be saved, and a further one would take the place of the first. Save one first."
        )
    status = int(HTTPStatus.UNPROCESSABLE_ENTITY)
    if table is not None and not errors:
        try:
            made = await here.api.post("/v1/datasets", _body(form, table), once=form.once)
        except Refused as refused:
            by_code = {"name-taken": "name"}
            errors, status = at_fields(refused, PLACES, by_code=by_code, did="registered a data set"), refused.status
        else:
            answer = see_other(request, f"/console/data/{made['id']}?done=registered")
            keep_proof(request, answer, made)
            return answer
    return await _form_page(here, here.form, errors=errors, status=status)


@router.post("/console/data/example")
async def register_example(request: Request) -> Response:
    """Register a published table on a new budget, so that a new owner can try the console. It can be deleted."""
    here = await posted(request)
    here.require("owner")
    try:
        made = await here.api.post("/v1/datasets", _EXAMPLE, once=here.form.once)
    except Refused as refused:
        return await here.refused(refused, "/console/", "Back to your data")
    return see_other(request, f"/console/data/{made['id']}?done=registered")


def typed_table(form: Form) -> TypedTable:
    """Return the table in a form. Raises TableError. A large one takes long: call it in a thread."""
    return read_table(
        form.text("table"),
        impossible=form.all("impossible"),
        unlisted_impossible=form.has("unlisted_impossible"),
        totals_are_values=form.has("totals_are_values"),
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
    if form.text("n_is_public") not in {"yes", "no"}:
        errors["n_is_public"] = "Say whether it may be known how many people and records are in the table."
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
    body: dict[str, Any] = {
        "name": form.text("name"),
        "unit": form.text("unit"),
        "n_is_public": form.text("n_is_public") == "yes",
    } | table.body()
    most = _records_per_person(form.text("most_records"))
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
