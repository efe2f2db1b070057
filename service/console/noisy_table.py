"""The page *A table from elsewhere*: the posterior of a noisy table that the visitor pastes.

The table is in the body of the form only. It is in no address, and the page keeps nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import PENDING, Refused
from service.console.downloads import CSV, csv_text, defused
from service.console.forms import Form, FormError, at_fields, decimal_of
from service.console.page_request import Visit, posted, visit
from service.console.pages import attachment, in_both_widths, in_thread
from service.console.plain_table import TableError, decimal_number, read_plain_table
from service.console.prior_and_level import level_of
from service.pictures.forest import Section, forest
from service.pictures.frame import PictureHeader
from service.pictures.rows import Row, axis_unit, row_figures
from service.pictures.scales import grouped, plain_number
from service.pictures.svg import Picture
from service.posteriors.totals import totals_among

router = APIRouter(include_in_schema=False)
PATH: Final = "/console/table"
LAWS: Final = {
    "geometric": "geometric (discrete Laplace)",
    "laplace": "Laplace",
    "discrete_gaussian": "discrete Gaussian",
    "gaussian": "Gaussian",
    "floored_laplace": "Laplace, rounded down",
    "table": "a perturbation table (cell keys)",
    "none": "none: counts are exact, or only rounded",
}
MEASURES: Final = {
    "epsilon": "ε",
    "scale": "scale",
    "rho": "ρ (zCDP)",
    "variance": "variance",
}
ROUNDINGS: Final = {
    "": "",
    "at_random": "at random, to either neighbour",
    "half_even": "to the nearest, halfway to the even one",
    "half_up": "to the nearest, halfway up",
    "half_down": "to the nearest, halfway down",
    "half_away": "to the nearest, halfway away from 0",
}
_NAMES: Final = {
    "table": "Table",
    "law": "Law of the noise",
    "measure": "Given as",
    "amount": "How much noise",
    "sensitivity": "Sensitivity",
    "second_scale": "Scale of a second noise",
    "changes": "Perturbation table",
    "round_to": "Rounded to multiples of",
    "rounding": "How they were rounded",
    "shown_from": "Shown from",
    "total": "Number of records",
    "at_most": "At most",
    "prior": "Prior",
    "level": "Level",
    "adjusted": "Adjusted",
}
_PLACES: Final = {
    "sources[0].cells": "table",
    "sources[0].noise": "amount",
    "sources[0].noise.law": "law",
    "sources[0].noise.l1_sensitivity": "sensitivity",
    "sources[0].noise.l2_sensitivity": "sensitivity",
    "sources[0].noise.second_scale": "second_scale",
    "sources[0].noise.changes": "changes",
    "sources[0].printed.round_to": "round_to",
    "sources[0].printed.rounding": "rounding",
    "sources[0].printed.shown_from": "shown_from",
    "sources[0].printed.clamped_at_zero": "clamped",
    "sources[0].total": "total",
    "sources[0].total.at_most": "at_most",
    "sources[0].adjusted": "adjusted",
    "prior": "prior",
    "level": "level",
}
_FIELD: Final = re.compile("`([a-z_.]+)`")
_FIELD_NAMES: Final = {
    "at_most": _NAMES["at_most"],
    "clamped_at_zero": "Negative values were printed as 0",
    "no_totals": "No row is the sum of others",
    "round_to": _NAMES["round_to"],
    "rounding": _NAMES["rounding"],
    "shown_from": _NAMES["shown_from"],
    "total": _NAMES["total"],
    "total.at_most": _NAMES["at_most"],
}
"""The names on the page for the fields that sentences of `/v1` name."""
_VALUE_NAMES: Final = frozenset({"value", "count", "counts", "n", "noisy", "noisy_count", "published", "frequency"})
_SUPPRESSION_MARKS: Final = frozenset(
    {"", "na", "n/a", "nan", "none", "null", "*", "**", "-", "–", ":", "..", "...", "x", "s", "c", "[c]", "[x]"}
)
_INTERVAL: Final = re.compile(r"(<=|<|≤|>=|>|≥)\s*([0-9]{1,15})|([0-9]{1,15})\s*[-–]\s*([0-9]{1,15})")
_REAL_VALUED_LAWS: Final = frozenset({"laplace", "gaussian"})
_MAX_SHOWN_CHANGE: Final = 10_000
"""Number of records from which a change is refused."""
_DEVIATIONS: Final = 4.0
"""Standard deviations of the noise within which a value counts as the sum of others."""
_MAX_DRAWN_ROWS: Final = 60
"""Largest number of cells of a picture on the page."""
_SEPARATOR: Final = " · "


@router.get(PATH)
async def show_form(request: Request) -> Response:
    here = await visit(request)
    return await _page(here, Form())


@router.post(PATH)
async def show_posterior(request: Request) -> Response:
    """Show the posterior of the pasted table."""
    here = await posted(request)
    try:
        body = await in_thread(request, partial(_body, here.form))
        found = await _compute_posterior(here, body)
    except FormError as wrong:
        return await _page(here, here.form, errors={wrong.field: wrong.sentence})
    except Refused as refused:
        errors = {field: _with_names(sentence) for field, sentence in at_fields(refused, _PLACES).items()}
        return await _page(here, here.form, errors=errors, status=refused.status)
    if here.form.text("as") == "csv":
        return _csv(found)
    pictures = await in_thread(request, partial(in_both_widths, partial(_picture, found, body)))
    return await _page(here, here.form, answer=_figures_of_page(found, body), pictures=pictures)


def _csv(found: Mapping[str, Any]) -> Response:
    """Return the figures of the cells as a file."""
    names = ("share", "count")
    columns = [f"{name}_{each}" for name in names for each in ("mean", "low", "high")]
    cells = [(each["label"], each, each["count"]) for each in found["categories"]]
    lines = [
        [defused(label)]
        + [f"{value:.6g}" for of in figures for value in (of["mean"], of["interval"]["low"], of["interval"]["high"])]
        for label, *figures in cells
    ]
    return attachment(csv_text(["label", *columns], lines), "table.csv", CSV)


async def _compute_posterior(here: Visit, body: Mapping[str, Any]) -> Any:
    """Return the posterior. If it became a job that has ended, the job is deleted, so that the service keeps no table.
    A job that still runs stays: the same form finds its result later.
    """
    answer = await here.api.send("POST", "/v1/posteriors", body=body)
    is_pending = False
    try:
        return (await here.api.finished(answer)).json
    except Refused as refused:
        is_pending = refused.code == PENDING
        raise
    finally:
        if answer.status == HTTPStatus.ACCEPTED and not is_pending:
            with suppress(Refused):
                await here.api.delete(f"/v1/jobs/{answer.json['id']}")


async def _page(
    here: Visit,
    form: Form,
    *,
    errors: Mapping[str, str] | None = None,
    status: int = HTTPStatus.OK,
    **context: Any,
) -> Response:
    refused = HTTPStatus.UNPROCESSABLE_ENTITY if errors and status == HTTPStatus.OK else status
    shown: dict[str, Any] = {"answer": None, "pictures": None} | context
    return await here.page(
        "noisy_table.html",
        status=refused,
        errors=errors,
        field_names=_NAMES,
        typed=form,
        laws={"": ""} | LAWS,
        roundings=ROUNDINGS,
        measures=MEASURES,
        **shown,
    )


def _body(form: Form) -> dict[str, Any]:
    """Return the request of a form. Raises FormError."""
    law = form.text("law")
    if not law:
        raise FormError("law", "Choose the law that the publisher states.")
    noise: dict[str, Any] = {"law": law}
    measure = form.text("measure", "epsilon")
    if law == "table":
        noise["changes"] = _changes(form.text("changes"))
    elif law != "none" and form.text("amount"):
        noise[measure] = decimal_of(form.text("amount"))
        if form.text("sensitivity") and measure in ("epsilon", "rho"):
            name = "l1_sensitivity" if measure == "epsilon" else "l2_sensitivity"
            noise[name] = decimal_of(form.text("sensitivity"))
        if form.text("second_scale"):
            noise["second_scale"] = decimal_of(form.text("second_scale"))
    total = {"known": _whole_number(form, "total"), "at_most": _whole_number(form, "at_most")}
    shown_from = _whole_number(form, "shown_from")
    tolerance = _DEVIATIONS * _deviation(noise) + (_whole_number(form, "round_to") or 0)
    cells = _cells(form.text("table"), law, None if form.has("no_totals") else tolerance, shown_from)
    suppressed = next((each["label"] for each in cells if each["value"] is None and "between" not in each), None)
    if suppressed is not None and shown_from is None:
        raise FormError("shown_from", f"“{suppressed}” is suppressed: type the threshold of suppression.")
    table = {
        "kind": "table",
        "cells": cells,
        "noise": noise,
        "printed": {
            "round_to": _whole_number(form, "round_to"),
            "rounding": form.text("rounding") or None,
            "clamped_at_zero": form.has("clamped"),
            "shown_from": shown_from,
        },
        "total": {name: each for name, each in total.items() if each is not None} or None,
        "no_totals": form.has("no_totals"),
        "adjusted": form.has("adjusted"),
    }
    return {
        "sources": [table],
        "prior": {"each": decimal_of(form.text("prior")), "of": "cell"} if form.text("prior") else None,
        "level": level_of(form.text("level", "95") or "95"),
        "quantiles": [0.5],
    }


def _changes(text: str) -> list[dict[str, float]]:
    """Return the rows of a perturbation table. Raises FormError."""
    found: dict[int, dict[str, float]] = {}
    numbers: list[tuple[int, int, float]] = []
    with suppress(TableError, ValueError):
        table = read_plain_table(text)
        places = [table.names.index(name) for name in ("count", "change", "probability")]
        rows = [[row[place] for place in places] for _, row in table.rows]
        numbers = [(int(count), int(change), float(p)) for count, change, p in rows]
    for count, change, p in numbers:
        found.setdefault(count, {})[str(change)] = p
    is_right = all(abs(change) < _MAX_SHOWN_CHANGE and 0.0 <= p <= 1.0 for _, change, p in numbers)
    if not found or not is_right or sorted(found) != list(range(len(found))):
        words = "Paste columns of numbers named count, change and probability, and lines for each count from 0 up."
        raise FormError("changes", words)
    return [found[count] for count in range(len(found))]


def _whole_number(form: Form, name: str) -> int | None:
    text = form.text(name)
    if not text:
        return None
    number = decimal_number(text)
    if not isinstance(number, int):
        raise FormError(name, "Type a whole number.")
    return number


def _deviation(noise: Mapping[str, Any]) -> float:
    """Return about the standard deviation of the noise, 0 if it is unknown."""
    if "changes" in noise:
        return max(math.sqrt(sum(p * int(change) ** 2 for change, p in row.items())) for row in noise["changes"])
    if not all(isinstance(value, float) and value > 0 for name, value in noise.items() if name != "law"):
        return 0.0  # the service refuses it at its field
    amount: dict[str, float] = {name: value for name, value in noise.items() if name != "law"}
    if "variance" in amount:
        return math.sqrt(amount["variance"])
    if "rho" in amount:
        return amount.get("l2_sensitivity", 1.0) / math.sqrt(2 * amount["rho"])
    scale = amount.get("l1_sensitivity", 1.0) / amount["epsilon"] if "epsilon" in amount else amount.get("scale", 0.0)
    return scale if noise["law"] in ("gaussian", "discrete_gaussian") else math.sqrt(2) * scale


def _cells(text: str, law: str, tolerance: float | None, shown_from: int | None) -> list[dict[str, Any]]:
    """Return the cells of a pasted table. Raises FormError, also for a level that has sums, unless `tolerance` is None.
    The service finds the sums in one column of labels.
    """
    try:
        table = read_plain_table(text)
    except TableError as wrong:
        raise FormError("table", str(wrong)) from None
    names = [name.casefold() for name in table.names]
    scale = names.index("scale") if "scale" in names else None
    rest = [place for place in range(len(names)) if place != scale]
    named = [place for place in rest if names[place] in _VALUE_NAMES]
    if len(named) != 1 and len(rest) != 2:
        raise FormError("table", "Paste two columns, label and value. If there are more, name one column “value”.")
    value = named[0] if len(named) == 1 else rest[1]
    labels = [place for place in rest if place != value]
    if not labels:
        raise FormError("table", "Paste a column of labels before the values.")
    cells = [
        {"label": _SEPARATOR.join(row[place] for place in labels)}
        | _parse_published_value(row[value], law, line)
        | ({"noise": {"law": law, "scale": _number(row[scale], line)}} if scale is not None and row[scale] else {})
        for line, row in table.rows
    ]
    if len(cells) < 2:
        raise FormError("table", "Paste at least two cells, each on a line.")
    if tolerance is not None and len(labels) > 1:
        levels = [[row[place] for place in labels] for _, row in table.rows]
        ends = [_ends(cell, shown_from) for cell in cells]
        if found := totals_among(list(zip(levels, ends, strict=True)), tolerance):
            remedy = "Remove such rows, or tick below that none is a sum."
            raise FormError("table", f"The values of “{found[1]}” are close to the sums of the others. {remedy}")
    return cells


def _ends(cell: Mapping[str, Any], shown_from: int | None) -> tuple[float, float]:
    """Return the least and the largest value that a cell can have."""
    if cell["value"] is not None:
        return cell["value"], cell["value"]
    low, high = cell.get("between", (None, shown_from))
    return low or 0, math.inf if high is None else high


def _parse_published_value(text: str, law: str, line: int) -> dict[str, Any]:
    """Return a value, an interval such as `<5` or `1-9`, or a suppressed value."""
    if text.casefold() in _SUPPRESSION_MARKS:
        return {"value": None}
    if found := _INTERVAL.fullmatch(text):
        sign, end, low, high = found.groups()
        step = int(law not in _REAL_VALUED_LAWS and sign in ("<", ">"))  # `<5` is at most 4, if values are whole
        if not sign:
            return {"value": None, "between": [int(low), int(high)]}
        return {"value": None, "between": [None, int(end) - step] if sign in "<=≤" else [int(end) + step, None]}
    return {"value": _number(text, line)}


def _number(text: str, line: int) -> float | int:
    number = decimal_number(text)
    if number is None:
        remedy = "Write numbers as 1204 or 1.5 or -5, and suppressed values as *."
        raise FormError("table", f"Line {line}: the value is not a number, or can be read in two ways. {remedy}")
    return number


def _figures_of_page(found: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of the page, as texts."""
    (table,), rows = body["sources"], _rows(found)
    unit = axis_unit(rows)
    cells = [
        {
            "label": row.label,
            "value": _text_of_published(cell),
            "share": row_figures(row, "share", unit),
            "count": _count(each["count"]),
        }
        for row, each, cell in zip(rows, found["categories"], table["cells"], strict=True)
    ]
    return {
        "level": plain_number(100 * body["level"]),
        "cells": cells,
        "total": _count(found["total"]),
        "is_known": "known" in (table["total"] or {}),
        "naive": grouped(round(sum(max(0, cell["value"] or 0) for cell in table["cells"]))),
        "warnings": [_with_names(warning) for warning in (*found["notes"], *found["warnings"])],
    }


def _with_names(sentence: str) -> str:
    """Return a sentence of `/v1` with the names on the page in place of the fields of a request."""
    return _FIELD.sub(lambda found: f"“{_FIELD_NAMES[found[1]]}”" if found[1] in _FIELD_NAMES else found[0], sentence)


def _text_of_published(cell: Mapping[str, Any]) -> str:
    if cell["value"] is not None:
        return plain_number(cell["value"])
    low, high = cell.get("between", (None, None))
    if low is None:
        return "suppressed" if high is None else f"at most {high}"
    return f"at least {low}" if high is None else f"{low} to {high}"


def _count(figures: Mapping[str, Any]) -> str:
    ends = (grouped(int(figures["interval"][end])) for end in ("low", "high"))
    return f"{grouped(round(figures['mean']))} ({' to '.join(ends)})"


def _rows(found: Mapping[str, Any]) -> list[Row]:
    return [
        Row(each["label"], each["mean"], (each["interval"]["low"], each["interval"]["high"]))
        for each in found["categories"]
    ]


def _picture(found: Mapping[str, Any], body: Mapping[str, Any], width: int) -> Picture:
    rows = sorted(_rows(found), key=lambda row: -(row.value or 0.0))[:_MAX_DRAWN_ROWS]
    head = PictureHeader("Shares given the noisy table", is_drawn=False)
    return forest(head, [Section("share", "share", rows, axis_unit(rows))], body["level"], width=width)
