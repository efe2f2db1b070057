"""The page of one linear query: the free answer from earlier releases, and then the cost of a measurement."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from http import HTTPStatus
from math import log
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from service.console.access import allowance_of, dataset_of
from service.console.api import Refused, read_json
from service.console.forms import ONCE_FIELD, FormError, at_fields, decimal_of, lines_of, with_point
from service.console.page_request import Visit, posted, visit
from service.console.pages import amount, in_thread, see_other
from service.console.plan import paid, require_once
from service.console.prior_and_level import level_of
from service.console.questions import (
    Choice,
    cells_of,
    choices_of,
    in_api,
    likely_outcome,
    outcome_field,
    query_words,
    unknown_value,
)
from service.console.spending import SYMBOLS, main_unit
from service.pictures.scales import decimals_for, grouped, plain_number
from service.pictures.text import isolated

router = APIRouter(include_in_schema=False)
_PLACES: Final = {
    "queries[0].half_width": "half_width",
    "queries[0].confidence": "confidence",
    "queries[0].weights": "weights",
    "queries[0]": "weights",
}
_REACH: Final = 0.95
"""Probability that the noise of a measurement is within the half width that the page states."""
_MOST_DECIMALS: Final = 6
_MIN_WHOLE_WIDTH: Final = 4.0
"""Width of an interval above which decimals of a count mean nothing."""
_MAX_NAMED_LABELS: Final = 12
"""Largest number of categories of one weight that a page names."""
_NAMES: Final = {
    "half_width": "How precise: plus or minus",
    "confidence": "Confidence, in %",
    "weights": "A weighted sum of the counts",
}


@router.get("/console/datasets/{dataset_id}/query")
async def show_query(request: Request, dataset_id: str) -> Response:
    """Show the form and, once it is sent, the free answer."""
    here = await visit(request)
    here.require("analyst")
    if request.query_params.get("ask"):
        require_once(request)
    return await _query_page(here, dataset_id, request.query_params)


async def _query_page(here: Visit, dataset_id: str, typed: QueryParams, *, refused: Refused | None = None) -> Response:
    data = await dataset_of(here.api, dataset_id)
    errors: dict[str, str] = {}
    status = refused.status if refused else HTTPStatus.OK.value
    estimates = quote = None
    if typed.get("ask"):
        query, errors = await in_thread(here.request, partial(_query, typed, data))
        if not errors and data["is_granted"]:
            try:
                estimates = await here.api.computed(f"/v1/datasets/{dataset_id}/estimates", {"queries": [query]})
                if "half_width" in query:
                    body = {"kind": "queries", "queries": [query]}
                    quote = await here.api.planned(f"/v1/datasets/{dataset_id}/quotes", body)
            except Refused as error:
                cells = {"queries[0].of": outcome_field(typed, data)}
                errors, status = at_fields(error, _PLACES | cells), error.status
        elif errors:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
        if not errors:
            used = {
                "confidence": f"{100 * query['confidence']:.10g}",
                "half_width": with_point(typed.get("half_width", "")),
            }
            typed = QueryParams([*(each for each in typed.multi_items() if each[0] not in used), *used.items()])
    charge = quote["would_charge"] if quote else None
    unit = main_unit(data)
    allowance = await allowance_of(here.api, data)
    estimate = estimates["answers"][0] if estimates else None
    return await here.page(
        "query.html",
        status=status,
        errors=errors,
        field_names=_NAMES,
        refused=refused,
        data=data,
        allowance=allowance,
        unit=unit,
        choices=choices_of(data),
        likely=likely_outcome(data),
        typed=typed,
        estimates=estimates,
        estimate=estimate,
        is_precise=quote is not None and not Decimal(quote["standalone_cost"][unit]),
        achievable=quote["achievable_half_widths"][0] if quote else None,
        texts=_texts(estimate) if estimate else {},
        charge=charge,
        lacking=_lacking(charge, allowance, unit) if charge else "",
        cap=json.dumps({unit: charge[unit]}) if charge else "",
        carried=[(name, value) for name, value in typed.multi_items() if name not in {ONCE_FIELD, "cap"}],
        once=typed.get(ONCE_FIELD, ""),
    )


def _query(typed: QueryParams, data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the query in the fields, and sentences about invalid fields by their names."""
    try:
        query: dict[str, Any] = {"confidence": level_of(typed.get("confidence", "").strip() or "95", "confidence")}
        cells = cells_of(typed, "outcome", data)
    except FormError as wrong:
        return {}, {wrong.field: wrong.sentence}
    if typed.get("half_width", "").strip():
        query["half_width"] = decimal_of(typed["half_width"].strip())
    weights: dict[str, str] = {}
    known = frozenset(data["labels"])
    for line in lines_of(typed.get("weights", "")):
        label, equals, weight = line.rpartition("=")
        if not equals:
            return query, {"weights": f"The line “{line}” has no = between the category and its weight."}
        label = label.strip()
        if label not in known:
            return query, {"weights": unknown_value(label, Choice("", data["labels"]))}
        weights[label] = with_point(weight)
    if bool(weights) == (cells is not None):
        sentence = "Choose which records to count, or give weights below; not both."
        return query, {outcome_field(typed, data): sentence}
    if cells is not None:
        query["of"] = in_api(cells)
    else:
        query["weights"] = weights
    return query, {}


def _lacking(charge: Mapping[str, Any], allowance: Mapping[str, Any] | None, unit: str) -> str:
    """Return what prevents a charge, as a sentence; empty if nothing is known to prevent it."""
    if allowance is None:
        return "You have no grant on this data set."
    if not allowance["measuring_allowed"]:
        return "The owner does not allow measurements on this data set now."
    largest = allowance["largest_possible_charge"][unit]
    if Decimal(charge[unit]) <= Decimal(largest):
        return ""
    symbol = SYMBOLS[unit]
    return (
        f"It costs {symbol} = {amount(charge[unit])}, and you can spend at most {amount(largest)} on it: "
        f"{amount(Decimal(charge[unit]) - Decimal(largest))} is missing. Ask for a wider interval, or ask the owner."
    )


def _texts(estimate: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of an estimate and of its interval, rounded to the digits that the interval's width supports."""
    interval = estimate["interval"]
    width = interval["high"] - interval["low"]
    decimals = min(decimals_for(width), _MOST_DECIMALS)
    numbers = {"estimate": estimate["estimate"]} | {name: interval[name] for name in ("low", "high")}
    return {name: grouped(value, 0 if width >= _MIN_WHOLE_WIDTH else decimals) for name, value in numbers.items()} | {
        "half_width": grouped(interval["half_width"], decimals),
        "confidence": f"{100 * interval['confidence']:.10g}",
    }


@router.post("/console/datasets/{dataset_id}/queries")
async def pay_query(request: Request, dataset_id: str) -> Response:
    """Measure the query, and charge it once for each Idempotency-Key."""
    here = await posted(request)
    here.require("analyst")
    data = await dataset_of(here.api, dataset_id)
    typed = QueryParams(here.form.shown)
    query, errors = await in_thread(request, partial(_query, typed, data))
    try:
        cap = read_json(here.form.text("cap"))
    except ValueError:
        cap = None
    if errors or cap is None:
        return see_other(request, f"/console/datasets/{dataset_id}/query")
    try:
        made = await paid(
            here.api,
            f"/v1/datasets/{dataset_id}/releases",
            {"kind": "queries", "queries": [query], "max_charge": cap, "once": True},
            here.form.once,
        )
    except Refused as refused:
        typed = QueryParams([*here.form.with_text(ONCE_FIELD, here.form.once).shown])
        return await _query_page(here, dataset_id, typed, refused=refused)
    return see_other(request, f"/console/queries/{made['id']}")


@router.get("/console/queries/{release_id}")
async def show_answers(request: Request, release_id: str) -> Response:
    """Show paid answers."""
    here = await visit(request)
    found = await here.api.get(f"/v1/releases/{release_id}")
    if found is None or "answers" not in found:
        raise Refused(HTTPStatus.NOT_FOUND, {"detail": "You can't read these answers with your key."})
    try:
        data = await here.api.get(f"/v1/datasets/{found['dataset_id']}")
    except Refused:  # the data set was deleted
        data = {"name": found["dataset_id"], "labels": []}
    return await here.page(
        "answers.html",
        found=found,
        name=data["name"],
        answers=[
            {
                "words": query_words(query),
                "texts": _texts(estimate),
                "earlier": [each["release_id"] for each in estimate["used"] if each["release_id"] != release_id],
            }
            for query, estimate in zip(found["queries"], found["answers"], strict=True)
        ],
        measured=[_measured_row(each, data["labels"]) for each in found["measured"]],
        unit=main_unit(found["charged"]),
    )


def _measured_row(row: Mapping[str, Any], labels: Sequence[str]) -> dict[str, str]:
    """Return the texts of a measured row: its weights, its noisy answer, and how far the noise alone can move the
    answer.
    """
    scale = float(1 / Fraction(row["rate"]))
    reach = scale * log(1 / (1 - _REACH))
    decimals = min(decimals_for(2 * reach), _MOST_DECIMALS)
    return {
        "words": _row_words(row, labels),
        "answer": grouped(row["answer"], decimals),
        "scale": plain_number(float(f"{scale:.3g}")),
        "reach": grouped(reach, decimals),
    }


def _row_words(row: Mapping[str, Any], labels: Sequence[str]) -> str:
    """Return the weights of a measured row as text, such as `2 × (a, b)`."""
    if len(labels) != len(row["coefficients"]):
        return "weights of categories that can't be read any more"
    by_weight: dict[int, list[str]] = {}
    for label, coefficient in zip(labels, row["coefficients"], strict=True):
        if coefficient:
            by_weight.setdefault(coefficient, []).append(label)
    parts = []
    for coefficient, named in by_weight.items():
        weight = plain_number(coefficient / row["denominator"])
        more = f" and {len(named) - _MAX_NAMED_LABELS} more" if len(named) > _MAX_NAMED_LABELS else ""
        parts.append(f"{weight} × ({', '.join(map(isolated, named[:_MAX_NAMED_LABELS]))}{more})")
    return " + ".join(parts)
