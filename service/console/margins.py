"""The pages of margins of a cross table: what tables to want and what they cost, the release with its tables, and the
posterior of one measured margin.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from itertools import combinations, islice, product
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from service.console.access import allowance_of, dataset_of
from service.console.api import Api, Refused
from service.console.downloads import defused
from service.console.forms import ONCE_FIELD, FormError, at_fields, decimal_of, with_point
from service.console.page_request import Visit, api_of, posted, visit
from service.console.pages import attachment, date_of, in_both_widths, in_thread, origin_of, page, see_other
from service.console.plan import paid, quoted, require_once
from service.console.prior_and_level import level_of
from service.console.releases import (
    MARGINS,
    PUBLIC_MARGINS,
    is_published,
    margins_of,
    require_margins,
    unreached_cells,
)
from service.console.spending import SYMBOLS, main_unit, odds_sentences
from service.pictures.frame import PictureHeader
from service.pictures.heat_map import HeatCell, HeatTable, heat_map
from service.pictures.scales import grouped
from service.pictures.svg import Picture

router = APIRouter(include_in_schema=False)
_TABLE: Final = re.compile(r"\d{1,3}(-\d{1,3}){0,1}")
_MOST_EARLIER: Final = 200
"""Largest number of earlier releases that a page lists."""
_MAX_LISTED_CELLS: Final = 300
"""Largest number of tables, of margins, and of cells that a page lists."""
_MAX_DRAWN_CELLS: Final = _MAX_LISTED_CELLS
"""Largest number of cells of a heat map."""
_NAMES: Final = {
    "table": "Tables",
    "amount": "Amount to spend",
    "half_width": "Half width, in records",
    "confidence": "Confidence, in %",
    "noise": "Noise",
    "delta_to_spend": "δ that may be spent",
}
_PLACES: Final = {
    "epsilon": "amount",
    "rho": "amount",
    "half_widths": "half_width",
    "confidence": "confidence",
    "margins": "table",
    "max_charge": "amount",
    "noise": "noise",
    "delta_to_spend": "delta_to_spend",
}


@router.get("/console/datasets/{dataset_id}/margins")
async def show_margins(request: Request, dataset_id: str) -> Response:
    """Show the tables that can be wanted and, once they are chosen, their price and widths."""
    here = await visit(request)
    here.require("analyst")
    if request.query_params.get("ask"):
        require_once(request)
    return await _choice(here, dataset_id, request.query_params)


async def _choice(here: Visit, dataset_id: str, typed: QueryParams, *, refused: Refused | None = None) -> Response:
    data = await dataset_of(here.api, dataset_id)
    unit, names = main_unit(data), _attributes(data)
    status, errors, quote, same = refused.status if refused else HTTPStatus.OK.value, dict[str, str](), None, None
    confidence = 0.95
    if typed.get("ask"):
        try:
            body = _body(typed, names, unit)
            confidence = body["confidence"]
            if data["is_granted"]:
                quote, same = await quoted(here.api.planned, dataset_id, body, typed[ONCE_FIELD])
        except FormError as wrong:
            errors, status = {wrong.field: wrong.sentence}, HTTPStatus.UNPROCESSABLE_ENTITY.value
        except Refused as error:
            errors, status = at_fields(error, _PLACES), error.status
    widths = (
        [
            {
                "name": ", ".join(each["attributes"]),
                "cells": each["cell_count"],
                "half": _short_width(_interval(each, confidence)["half_width"]),
                "at_once": _simultaneous_half_width(each, confidence),
                "full": _short_width(full),
            }
            for each, full in zip(quote["tables"], quote["full_release"]["half_widths"], strict=True)
        ]
        if quote
        else []
    )
    made = await here.api.releases("margins", dataset_id=dataset_id, state="complete", limit=_MOST_EARLIER)
    wanted = (
        set(typed.getlist("table")) if typed.get("ask") else {f"{a}-{b}" for a, b in combinations(range(len(names)), 2)}
    )
    return await here.page(
        "margins_choice.html",
        status=status,
        errors=errors,
        field_names=_NAMES,
        refused=refused,
        data=data,
        names=names,
        wanted=wanted,
        unit=unit,
        symbol=SYMBOLS[unit],
        allowance=await allowance_of(here.api, data),
        typed=typed,
        quote=quote,
        cap=quote["would_charge"][unit] if quote else "",
        widths=widths[:_MAX_LISTED_CELLS],
        hidden=max(0, len(widths) - _MAX_LISTED_CELLS),
        percent=f"{100 * confidence:.10g}",
        earlier=made["items"],
        same=same,
        carried=[(name, value) for name, value in typed.multi_items() if name not in {ONCE_FIELD, "again", "cap"}],
        once=typed.get(ONCE_FIELD, ""),
    )


def _attributes(data: Mapping[str, Any]) -> list[str]:
    """Return the attributes with several levels."""
    return [each["name"] for each in data["attributes"] or () if len(each["levels"]) > 1]


def _body(typed: QueryParams, names: Sequence[str], unit: str) -> dict[str, Any]:
    """Return the request in the fields. Raises FormError."""
    wanted = []
    for each in typed.getlist("table"):
        places = [int(place) for place in each.split("-")] if _TABLE.fullmatch(each) else []
        if not places or max(places) >= len(names) or len(set(places)) < len(places):
            raise FormError("table", "The address names a table that this data set does not have.")
        wanted.append([names[place] for place in places])
    if typed.get("triples"):
        wanted += map(list, combinations(names, 3))
    if not wanted:
        raise FormError("table", "Tick at least one table.")
    body = {
        "kind": "margins",
        "margins": wanted,
        "confidence": level_of(typed.get("confidence", "").strip() or "95", "confidence"),
    }
    amount, half_width = (with_point(typed.get(name, "")) for name in ("amount", "half_width"))
    if bool(amount) == bool(half_width):
        raise FormError("amount", "Give either an amount to spend or a half width.")
    return (
        body
        | ({unit: amount} if amount else {"half_widths": [decimal_of(half_width)]})
        | {name: text for name in ("noise", "delta_to_spend") if (text := with_point(typed.get(name, "")))}
    )


def _interval(table: Mapping[str, Any], confidence: float) -> Mapping[str, float]:
    return next(each for each in table["intervals"] if each["confidence"] == confidence)


def _simultaneous_half_width(table: Mapping[str, Any], confidence: float) -> str | None:
    """Return the half width of all counts of a block at once, or None for independent noise."""
    width = _interval(table, confidence).get("simultaneous_half_width")
    return None if width is None else _short_width(width)


def _short_width(width: float) -> str:
    return grouped(width, 0 if width >= 100 else 1)


@router.post("/console/datasets/{dataset_id}/margins")
async def pay_margins(request: Request, dataset_id: str) -> Response:
    """Release the margins, and charge them once for each Idempotency-Key."""
    here = await posted(request)
    here.require("analyst")
    data = await dataset_of(here.api, dataset_id)
    typed = QueryParams(here.form.shown)
    try:
        body = _body(typed, _attributes(data), main_unit(data))
    except FormError:
        return see_other(request, f"/console/datasets/{dataset_id}/margins")
    limited = body | ({"max_charge": {main_unit(data): here.form.text("cap")}} if here.form.has("cap") else {})
    again = QueryParams([*here.form.with_text(ONCE_FIELD, here.form.once).shown])
    try:
        if "max_charge" not in limited and "half_widths" in body:  # the form names no price
            return await _choice(here, dataset_id, again)
        limited |= {"once": not here.form.has("again")}
        made = await paid(here.api, f"/v1/datasets/{dataset_id}/releases", limited, here.form.once)
    except Refused as refused:
        return await _choice(here, dataset_id, again, refused=refused)
    return see_other(request, f"{MARGINS}/{made['id']}")


@router.get(f"{MARGINS}/{{release_id}}")
async def show_release(request: Request, release_id: str) -> Response:
    """Show a release of margins that the visitor may read: one of its tables, and what was measured."""
    here = await visit(request)
    answer = await here.api.send("GET", f"/v1/releases/{release_id}")
    if answer.status == HTTPStatus.SEE_OTHER:
        return see_other(request, f"{PUBLIC_MARGINS}/{release_id}")
    return await _release_page(request, here.api, require_margins(answer.json), here.me)


@router.get(f"{PUBLIC_MARGINS}/{{release_id}}")
async def show_public_release(request: Request, release_id: str) -> Response:
    """Show a public release of margins without a key."""
    api = api_of(request).with_key(None)
    return await _release_page(request, api, await margins_of(api, release_id, is_public=True), None)


@router.get(f"{MARGINS}/{{release_id}}/tables.csv")
async def download_tables(request: Request, release_id: str) -> Response:
    """Return the cells of all tables as CSV."""
    here = await visit(request)
    return await _tables_file(request, await margins_of(here.api, release_id, is_public=False))


@router.get(f"{PUBLIC_MARGINS}/{{release_id}}/tables.csv")
async def download_public_tables(request: Request, release_id: str) -> Response:
    """Return the cells of all tables of a public release as CSV."""
    api = api_of(request).with_key(None)
    return await _tables_file(request, await margins_of(api, release_id, is_public=True))


async def _tables_file(request: Request, release: Mapping[str, Any]) -> Response:
    text = await in_thread(request, partial(_tables_csv, release))
    return attachment(text, f"{release['id']}-tables.csv", "text/csv; charset=utf-8")


def _tables_csv(release: Mapping[str, Any]) -> str:
    """Return a line for each cell of each table. Attributes that the table lacks are empty."""
    names = [each["name"] for each in release["attributes"]]
    levels = {each["name"]: list(map(defused, each["levels"])) for each in release["attributes"]}
    confidences = [each["confidence"] for each in release["tables"][0]["intervals"]]
    text = io.StringIO()
    writer = csv.writer(text)
    kinds = [each for each in ("half_width", "simultaneous_half_width") if each in release["tables"][0]["intervals"][0]]
    widths = [f"{kind}_{each:g}" for kind in kinds for each in confidences]
    writer.writerow([*map(defused, names), "estimate", *widths])
    for table in release["tables"]:
        widths = [f"{each[kind]:.6g}" for kind in kinds for each in table["intervals"]]
        for cell, estimate in zip(
            product(*(levels[each] for each in table["attributes"])), table["estimates"], strict=True
        ):
            of_cell = dict(zip(table["attributes"], cell, strict=True))
            writer.writerow([*(of_cell.get(each, "") for each in names), f"{estimate:.10g}", *widths])
    return text.getvalue()


async def _release_page(
    request: Request, api: Api, release: Mapping[str, Any], me: Mapping[str, Any] | None
) -> Response:
    typed = request.query_params
    used = None
    if me is not None and typed.get("all") == "yes":
        wanted = [each["attributes"] for each in release["tables"]]
        path = f"/v1/datasets/{release['dataset_id']}/estimates"
        found = await api.computed(path, {"margins": wanted})
        release, used = dict(release) | {"tables": found["tables"]}, found["used"]
    tables, levels = release["tables"], {each["name"]: each["levels"] for each in release["attributes"]}
    confidences = [each["confidence"] for each in tables[0]["intervals"]]
    number = int(typed["table"]) if re.fullmatch(r"\d{1,4}", typed.get("table", "")) else 0
    number = number if number < len(tables) else 0
    confidence = next((each for each in confidences if f"{each:g}" == typed.get("confidence")), 0.95)
    table = tables[number]
    width = _interval(table, confidence)["half_width"]
    unreached = await in_thread(request, partial(unreached_cells, release, table["attributes"]))
    cells = product(*(levels[name] for name in table["attributes"]))
    rows = [
        (cell, *(grouped(each, 1) for each in (estimate, estimate - width, estimate + width)))
        for cell, estimate in islice(zip(cells, table["estimates"], strict=True), _MAX_LISTED_CELLS)
        if cell not in unreached
    ]
    head = PictureHeader(", ".join(table["attributes"]), is_drawn=False, date=date_of(release["created_at"]))
    pictures = None
    if table["attributes"] and table["cell_count"] <= _MAX_DRAWN_CELLS:
        draw = partial(_draw_table, head, table, levels, unreached, confidence)
        pictures = await in_thread(request, lambda: in_both_widths(draw))
    is_public = me is None
    name = release["dataset_id"]
    if not is_public:
        with suppress(Refused):  # the data set was deleted
            name = (await api.get(f"/v1/datasets/{release['dataset_id']}"))["name"]
    return await page(
        request,
        "margins.html",
        me=me,
        release=release,
        used=used,
        name=name,
        unit=main_unit(release["charged"]),
        symbol=SYMBOLS[main_unit(release["charged"])],
        odds=odds_sentences(
            release["certified"]["epsilon"], release["certified"]["delta"], release["certificate"]["relation"]
        ),
        names=[", ".join(each["attributes"]) or "number of records" for each in tables],
        number=number,
        table=table,
        rows=rows,
        hidden=max(0, table["cell_count"] - _MAX_LISTED_CELLS),
        half=_short_width(width),
        at_once=_simultaneous_half_width(table, confidence),
        percent=f"{100 * confidence:g}",
        confidences=[(f"{each:g}", f"{100 * each:g}") for each in confidences],
        confidence=f"{confidence:g}",
        pictures=pictures,
        measured=release["measured"][:_MAX_LISTED_CELLS],
        address=f"{PUBLIC_MARGINS if is_public else MARGINS}/{release['id']}",
        is_owner=me is not None and me["principal"]["role"] == "owner",
        is_public=is_public or await is_published(api, release["id"]),
        public_address=f"{origin_of(request)}{PUBLIC_MARGINS}/{release['id']}",
    )


def _draw_table(
    head: PictureHeader,
    table: Mapping[str, Any],
    levels: Mapping[str, Sequence[str]],
    unreached: set[tuple[str, ...]],
    confidence: float,
    width: int,
) -> Picture:
    """Draw a table: of two attributes as one heat map, of more as one for each combination of the others' levels."""
    names = table["attributes"]
    *others, rows, columns = names if len(names) > 1 else [*names, ""]
    if columns and len(levels[rows]) < len(levels[columns]):
        rows, columns = columns, rows
    half = _interval(table, confidence)["half_width"]
    by_cell = {
        frozenset(zip(names, cell, strict=True)): None
        if cell in unreached
        else HeatCell(each, each - half, each + half)
        for cell, each in zip(product(*(levels[name] for name in names)), table["estimates"], strict=True)
    }
    across = levels[columns] if columns else [""]
    tables = []
    for of_others in product(*(levels[name] for name in others)):
        fixed = list(zip(others, of_others, strict=True))
        cells = [
            [by_cell[frozenset([*fixed, (rows, row), *([(columns, column)] if columns else [])])] for column in across]
            for row in levels[rows]
        ]
        title = ", ".join(f"{name}: {level}" for name, level in fixed)
        tables.append(HeatTable(rows, columns, levels[rows], across, cells, title))
    return heat_map(head, tables, level=confidence, width=width)
