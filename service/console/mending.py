"""The page on which an owner replaces the table of a data set: its counts, its values, or both.

The service replaces a table only until something is charged for it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Refused
from service.console.forms import Form
from service.console.new_data import typed_table
from service.console.owner import owned, owners_form, with_key_field
from service.console.page_request import Visit, visit
from service.console.pages import in_thread, see_other
from service.console.plain_table import TableError
from service.console.proofs import keep_proof
from service.console.typed_table import TypedTable
from service.schemas.cell_names import CellNames

router = APIRouter(include_in_schema=False)
_PLACES: Final = dict.fromkeys(("attributes", "labels", "impossible", "counts", ""), "table")


@router.get("/console/data/{dataset_id}/replace")
async def show_replace(request: Request, dataset_id: str) -> Response:
    """Show the form with the registered values, without counts: the service does not show them again.

    After a charge, show why the table can't be replaced, and what to do instead.
    """
    here = await visit(request)
    here.require("owner")
    data = await owned(here, dataset_id)
    if not (await here.api.get(f"/v1/datasets/{dataset_id}/statement", limit="1"))["counts_replaceable"]:
        return await _page(here, data, here.form, charged=True)
    return await _page(here, data, await in_thread(request, partial(_registered_form, data)))


async def _page(
    here: Visit,
    data: Mapping[str, Any],
    form: Form,
    *,
    errors: Mapping[str, str] | None = None,
    status: int = HTTPStatus.OK,
    charged: bool = False,
) -> Response:
    return await here.page(
        "replace.html",
        status=status,
        errors=errors,
        data=data,
        charged=charged,
        form=form,
        once=here.form.next_once(errors),
    )


def _registered_form(data: Mapping[str, Any]) -> Form:
    """Return the form for a data set as it is registered: its values without counts, and the boxes that it needs."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    attributes = data["attributes"]
    writer.writerow([*([each["name"] for each in attributes] if attributes else ["category"]), "count"])
    names = CellNames.of_answer(data)
    writer.writerows([*cell, ""] for cell in names.levels())
    boxes = (("unlisted_impossible", "yes"),) if names.impossible() else ()
    return Form((("table", text.getvalue()), *boxes))


@router.post("/console/data/{dataset_id}/replace")
async def replace(request: Request, dataset_id: str) -> Response:
    """Replace the table, and lead to its page, which offers the new proof. This needs the owner's key."""
    here, data = await owners_form(request, dataset_id)
    try:
        table = await in_thread(request, partial(typed_table, here.form))
    except TableError as error:
        errors = {"table": str(error)}
        return await _page(here, data, here.form, errors=errors, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        api = await here.with_key()
        answer = await api.send("PATCH", f"/v1/datasets/{dataset_id}", body=_change(data, table), once=here.form.once)
    except Refused as refused:
        errors = with_key_field(refused, "replace_key", _PLACES, did="replaced the table")
        if refused.code == "conflict":
            errors = {"": refused.detail}
        return await _page(here, data, here.form, errors=errors, status=refused.status)
    shown = see_other(request, f"/console/data/{dataset_id}?done=replaced")
    keep_proof(request, shown, answer.json)
    return shown


def _change(data: Mapping[str, Any], table: TypedTable) -> dict[str, Any]:
    """Return the change in the form of `/v1`: a table of one column stays a list of labels, and the registered
    categories keep their order.
    """
    if data["attributes"] is None and len(table.attributes) == 1:
        return {"labels": [cell[0] for cell in table.cells], "counts": list(table.counts)}
    counts, cells = dict(zip(table.cells, table.counts, strict=True)), CellNames.of_answer(data).levels()
    names = [each["name"] for each in data["attributes"] or ()]
    if names == [name for name, _ in table.attributes] and counts.keys() == set(cells):
        return {"counts": [counts[cell] for cell in cells]}
    return table.body()
