"""The page that shows the expected accuracy of each mechanism at each ε, and the quote for a chosen point."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.responses import Response

from service.console.access import allowance_of, dataset_of
from service.console.api import Api, Refused, read_json
from service.console.forms import ONCE_FIELD, FormError, at_fields, new_once, with_point
from service.console.page_request import Visit, posted, visit
from service.console.pages import in_both_widths, in_thread, path_of, see_other
from service.console.planning import (
    MOST_CATEGORIES,
    PRESETS,
    Guess,
    ShareUnit,
    cell_titles,
    epsilons,
    guess_of,
    lacking,
    reasons_of,
    steps_of,
    suggested,
)
from service.console.prior_and_level import prior_of
from service.console.spending import main_unit, odds_sentence
from service.pictures.curves import PlottedCurve, width_curves
from service.pictures.frame import PictureHeader
from service.posteriors.odds import odds_factor

router = APIRouter(include_in_schema=False)
_ONCE: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_NAMES: Final = {
    "counts": "Counts",
    "outcome_0": "The share",
    "given_0": "The group",
    "delta": "δ",
    "prior": "Prior",
    "epsilon": "ε",
    "epsilons": "ε",
}
_SMALL_PRIOR: Final = 0.3
"""Prior below which the error of a narrow width is relative to 0.01, as the API's description says."""
_PLACES: Final = {
    "data": "counts",
    "delta": "delta",
    "questions": "outcome_0",
    "questions[0].given": "given_0",
    "prior": "prior",
}
_LONGEST_CONTEXT: Final = 2000
"""Largest number of characters of a guess in the address of a quote. The link back to the plan needs the guess."""
_PAID_BEFORE: Final = "You have paid for the same release before. Tick the box if you want another one."
_LOOKED_BACK: Final = 200
"""Number of latest releases that are searched for one by the same mechanism."""
_TRIES: Final = 8
"""Number of requests for a release that is being drawn, one second apart."""


@router.get("/console/datasets/{dataset_id}/plan")
async def show_plan(request: Request, dataset_id: str) -> Response:
    """Show the width of an interval against ε for each mechanism, at guessed counts that the analyst can change."""
    here = await visit(request)
    here.require("analyst")
    data = await dataset_of(here.api, dataset_id)
    allowance = await allowance_of(here.api, data)
    typed = request.query_params
    guess = guess_of(typed, data, allowance)
    errors: dict[str, str] = {}
    shown: dict[str, Any] = {"steps": [], "curves": [], "missing": {}}
    context, mechanisms = _context(guess, data), await here.api.mechanisms()
    status = HTTPStatus.OK.value
    if data["category_count"] <= MOST_CATEGORIES:
        try:
            found = await here.api.computed("/v1/plans", guess.body(data, epsilons(allowance)))
        except FormError as wrong:
            errors, status = {wrong.field: wrong.sentence}, HTTPStatus.UNPROCESSABLE_ENTITY.value
        except Refused as refused:
            errors, status = at_fields(refused, _PLACES), refused.status
        else:
            shown = _shown(data, allowance, guess, found, context)
            if shown["steps"]:
                shown["pictures"] = await in_thread(request, partial(_pictures, data, guess, shown, mechanisms))
    return await here.page(
        "plan.html",
        status=status,
        errors=errors,
        field_names=_NAMES,
        data=data,
        allowance=allowance,
        unit=main_unit(data),
        names=cell_titles(data),
        guess=guess,
        total=sum(each for each in guess.wholes if isinstance(each, int)),
        presets=PRESETS,
        mechanisms=mechanisms,
        context=context,
        **shown,
    )


def _shown(
    data: Mapping[str, Any], allowance: Mapping[str, Any] | None, guess: Guess, found: Mapping[str, Any], context: str
) -> dict[str, Any]:
    """Return the part of the page about curves: a row for each ε, and the address of the picture."""
    cases, among = guess.share(data)
    scale = ShareUnit(cases / among if among else 0.0)
    steps = steps_of(found, allowance, scale, {"plan": context})
    exact = found["without_noise"][0]
    every = dict.fromkeys(option["kind"] for option in found["points"][0]["options"])
    kinds = [kind for kind in every if any(kind in step.points for step in steps)]
    kind = kinds[0] if kinds else ""
    return {
        "steps": steps,
        "curves": kinds,
        "missing": reasons_of(found),
        "scale": scale,
        "cases": cases,
        "among": among,
        "exact": exact["width"],
        "off_by": _off_by(found, data["category_count"]),
        "exact_interval": exact,
        "small_prior": data["category_count"] > 2 and min(prior_of(guess.prior, data["category_count"])) < _SMALL_PRIOR,
        "chosen": (
            kind,
            suggested(steps, kind, exact["width"], granted=allowance is not None and allowance["can_release"]),
        ),
    }


def _off_by(found: Mapping[str, Any], categories: int) -> float:
    """Return the largest relative error of a width, as the API's description says."""
    if categories == 2:
        return 0.01
    intervals = [each["intervals"][0] for point in found["points"] for each in point["options"] if each["intervals"]]
    return 0.05 + 4.0 * max((each["standard_error"] / max(each["width"], 0.01) for each in intervals), default=0.0)


def _chosen(guess: Guess, data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the form fields that choose the share."""
    found = []
    for part, cells in (("outcome", guess.outcome), ("given", guess.given)):
        if isinstance(cells, list):
            found.append((f"{part}_0", cells[0]))
        elif cells is not None:
            names = [each["name"] for each in data["attributes"]]
            found += [(f"{part}_{names.index(name)}", levels[0]) for name, levels in cells.items()]
    return found


def _context(guess: Guess, data: Mapping[str, Any]) -> str:
    """Return the fields of the plan as the query of an address, without the counts if they are too long."""
    fields = [*_chosen(guess, data), ("delta", guess.delta), ("prior", guess.prior)]
    whole = urlencode([("counts", "_".join(map(str, guess.wholes))), *fields])
    return whole if len(whole) <= _LONGEST_CONTEXT else urlencode(fields)


def _pictures(
    data: Mapping[str, Any], guess: Guess, shown: Mapping[str, Any], mechanisms: Mapping[str, Mapping[str, Any]]
) -> dict[str, Markup]:
    """Return the curves of the table as pictures for a narrow and for a wide screen."""
    scale, last = shown["scale"], float(shown["steps"][-1].epsilon)
    found = {
        kind: [(float(step.epsilon), step.points[kind]["width"] / 2) for step in shown["steps"] if kind in step.points]
        for kind in shown["curves"]
    }
    head = PictureHeader(f"What a release of {data['name']} would give", is_drawn=False)
    draw = partial(
        width_curves,
        head,
        [
            PlottedCurve(mechanisms[kind]["name"], [each for each in points if each[0] <= last])
            for kind, points in found.items()
        ],
        what=f"± half the width of the 95 % interval of: {guess.words}",
        unit=scale.of_widths,
        without_noise=shown["exact"] / 2 if shown["exact"] > 0 else None,
    )
    return in_both_widths(draw)


def with_once(request: Request) -> Response | None:
    """Redirect an address without an Idempotency-Key to the same page with a new key. Return None if the address has
    one.

    A reload, the way back and a second tab then all pay under the same key.
    """
    if _ONCE.fullmatch(request.query_params.get(ONCE_FIELD, "")):
        return None
    kept = [each for each in request.query_params.multi_items() if each[0] != ONCE_FIELD]
    return see_other(request, f"{path_of(request)}?{urlencode([*kept, (ONCE_FIELD, new_once())])}")


@router.get("/console/datasets/{dataset_id}/quote")
async def show_quote(request: Request, dataset_id: str) -> Response:
    """Show the cost and the expected accuracy of a chosen release, with the button that pays for it."""
    here = await visit(request)
    here.require("analyst")
    elsewhere = with_once(request)
    if elsewhere is not None:
        return elsewhere
    typed = request.query_params
    data = await dataset_of(here.api, dataset_id)
    refused = None
    mechanism = typed.get("mechanism", "")
    if not mechanism:
        try:
            mechanism = await _mechanism(here.api, data, typed)
        except Refused as error:
            refused = error
    return await _quote_page(here, data, mechanism, typed.get("prior", ""), typed[ONCE_FIELD], refused=refused)


async def _mechanism(api: Api, data: Mapping[str, Any], typed: QueryParams) -> str:
    """Return the mechanism for the typed kind, ε and δ. Raises Refused."""
    kind, epsilon = typed.get("kind", ""), with_point(typed.get("epsilon", ""))
    if kind == "exponential":
        return json.dumps({"kind": kind, "epsilon": epsilon, "calibration": "proven"})
    guess = guess_of(QueryParams({"delta": typed.get("delta", "")}), data, None)
    found = await api.computed("/v1/plans", guess.body(data, [epsilon]))
    for option in found["points"][0]["options"]:
        if option["kind"] == kind and option["mechanism"] is not None:
            return json.dumps(option["mechanism"])
        if option["kind"] == kind:
            rule = option["unavailable_reason"]
            name = (await api.mechanisms())[kind]["name"]
            detail = f"The {name} mechanism can't be used with ε = {epsilon} and δ = {guess.delta}: {rule}."
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"detail": detail})
    raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"detail": "Choose one of the mechanisms."})


def _release_body(data: Mapping[str, Any], mechanism: str, prior: str) -> dict[str, Any]:
    """Return the body of a request for a release. Raises Refused."""
    try:
        parsed = read_json(mechanism)
    except ValueError:
        parsed = mechanism
    try:
        return {"prior": prior_of(prior, data["category_count"]), "mechanism": parsed}
    except FormError as wrong:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"detail": f"Prior: {wrong.sentence}"}) from None


async def _quote_page(
    here: Visit,
    data: Mapping[str, Any],
    mechanism: str,
    prior: str,
    once: str,
    *,
    context: str = "",
    epsilon: str = "",
    refused: Refused | None = None,
) -> Response:
    typed = here.request.query_params
    context, epsilon = context or _plan_of(typed), epsilon or with_point(typed.get("epsilon", ""))
    planned = QueryParams(context)
    guess = guess_of(planned, data, None)
    prior = prior or guess.prior
    quote, same = None, None
    if mechanism:
        try:
            body = _release_body(data, mechanism, prior)
            quote = await here.api.post(f"/v1/datasets/{data['id']}/quotes", body, once=once)
            same = await _made_before(here, data, body["mechanism"])
        except Refused as error:
            refused = refused or error
    kind = _kind(mechanism)
    charge = quote["would_charge"] if quote else None
    return await here.page(
        "quote.html",
        status=refused.status if refused else HTTPStatus.OK,
        data=data,
        quote=quote,
        accuracy=_with_thin_spaces(quote["expected_accuracy"]["summary"])
        if quote and quote["expected_accuracy"]
        else "",
        same=same,
        refused=refused,
        reasons=_reasons(refused),
        unit=main_unit(data),
        kind=kind,
        mechanism=mechanism,
        prior=prior,
        cap=json.dumps(_cap(charge)) if charge else "",
        once=once,
        context=context,
        epsilon=epsilon,
        factor=odds_factor(Decimal(quote["certified"]["epsilon"])) if quote else "",
        odds=odds_sentence(quote["certified"]["epsilon"], quote["certified"]["delta"]) if quote else "",
        lacking=lacking(charge, quote["largest_possible_charge"]) if quote and charge else [],
        expected=await _expected(here.api, data, guess, kind, epsilon) if quote and "counts" in planned else None,
        mechanisms=await here.api.mechanisms(),
    )


def _plan_of(typed: QueryParams) -> str:
    """The fields of the plan that the address of a quote carries, with the δ of a point that was named beside it."""
    fields = dict(parse_qsl(typed.get("plan", "")))
    if fields and typed.get("delta"):
        fields["delta"] = typed["delta"]
    return urlencode(fields)


def _kind(mechanism: str) -> str:
    try:
        parsed = read_json(mechanism)
    except ValueError:
        return ""
    return str(parsed.get("kind", "")) if isinstance(parsed, dict) else ""


def _with_thin_spaces(text: str) -> str:
    """The text with its whole numbers as the console writes them."""
    return re.sub(r"(?<=\d),(?=\d{3})", "\N{NARROW NO-BREAK SPACE}", text)


async def _made_before(here: Visit, data: Mapping[str, Any], mechanism: Any) -> dict[str, Any] | None:
    """Return the latest release by this mechanism that the visitor paid for, or None."""
    made = await here.api.get(f"/v1/datasets/{data['id']}/releases", newest_first="true", limit=str(_LOOKED_BACK))
    mine = (each for each in made["items"] if each["principal_id"] == here.me["principal"]["id"])
    return next((each for each in mine if _is_same(mechanism, each["mechanism"])), None)


def _is_same(asked: Any, made: Mapping[str, Any] | None) -> bool:
    """Return whether a release was made by the mechanism that was asked for. Numbers are compared by value."""
    if not isinstance(asked, dict) or made is None:
        return False
    return all(_plain(value) == _plain(made.get(name)) for name, value in asked.items())


def _plain(value: Any) -> Any:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return value
    return number if number.is_finite() else value


async def _expected(api: Api, data: Mapping[str, Any], guess: Guess, kind: str, epsilon: str) -> dict[str, Any] | None:
    """Return the expected accuracy of the planned share at the guess, or None if it can't be computed."""
    try:
        found = await api.computed("/v1/plans", guess.body(data, [epsilon]))
    except (FormError, Refused):
        return None
    intervals = [
        each["intervals"][0] for each in found["points"][0]["options"] if each["kind"] == kind and each["intervals"]
    ]
    if not intervals:
        return None
    cases, among = guess.share(data)
    scale = ShareUnit(cases / among if among else 0.0)
    return {
        "words": guess.words,
        "scale": scale,
        "cases": cases,
        "among": among,
        "width": intervals[0]["width"],
        "interval": intervals[0],
        "exact_interval": found["without_noise"][0],
    }


def _reasons(refused: Refused | None) -> list[str]:
    if refused is None:
        return []
    if refused.rules:
        places = [(place.removeprefix("body.").partition("[")[0], rule) for place, rule in refused.rules]
        return [f"{_NAMES.get(place, place)}: {rule}." for place, rule in places]
    return [refused.detail]


def _cap(charge: Mapping[str, Any]) -> dict[str, str]:
    return {name: charge[name] for name in ("epsilon", "rho") if name in charge}


@router.post("/console/datasets/{dataset_id}/releases")
async def pay_release(request: Request, dataset_id: str) -> Response:
    """Pay for a release, once for each Idempotency-Key."""
    here = await posted(request)
    here.require("analyst")
    form = here.form
    mechanism, prior = form.text("mechanism"), form.text("prior") or "1"
    data = await dataset_of(here.api, dataset_id)
    shown = partial(
        _quote_page, here, data, mechanism, prior, form.once, context=form.text("plan"), epsilon=form.text("epsilon")
    )
    try:
        cap = read_json(form.text("cap"))
    except ValueError:
        return see_other(request, f"/console/datasets/{dataset_id}/plan")
    path = f"/v1/datasets/{dataset_id}"
    try:
        body = _release_body(data, mechanism, prior)
        if not form.has("again") and await _made_before(here, data, body["mechanism"]):
            quote = await here.api.post(f"{path}/quotes", body, once=form.once)
            if quote["paid_under_key"] is None:
                return await shown(refused=Refused(HTTPStatus.CONFLICT, {"detail": _PAID_BEFORE}))
        made = await paid(here.api, f"{path}/releases", body | {"max_charge": cap}, form.once)
    except Refused as refused:
        return await shown(refused=refused)
    return see_other(request, f"/console/releases/{made['id']}")


async def paid(api: Api, path: str, body: Mapping[str, Any], once: str) -> dict[str, Any]:
    """Return the paid release or answers. While they are being made, the same request is sent again, which charges
    nothing more. Raises Refused.
    """
    for left in reversed(range(_TRIES)):
        try:
            made: dict[str, Any] = await api.post(path, body, once=once)
        except Refused as refused:
            if refused.code not in {"release-in-progress", "queries-pending"} or not left:
                raise
            await asyncio.sleep(1)
        else:
            return made
    raise AssertionError
