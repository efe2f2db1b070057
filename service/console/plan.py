"""The page that compares the precision of each mechanism at each charge, and the quote for a chosen point."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
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
from service.console.pages import Instead, in_both_widths, in_thread, path_of, see_other
from service.console.planning import (
    FILLING,
    MERGES,
    MOST_CATEGORIES,
    Guess,
    cell_titles,
    charges,
    chosen_step,
    guess_of,
    lacking,
    often,
    options_of,
    reasons_of,
    smaller_tables,
    steps_of,
)
from service.console.prior_and_level import prior_of
from service.console.questions import (
    choices_of,
    fields_of,
    kinds_of,
    likely_group,
    likely_level,
    likely_outcome,
    outcome_field,
)
from service.console.spending import SYMBOLS, main_unit, odds_sentences
from service.pictures.curves import PlottedCurve, width_curves
from service.pictures.frame import PictureHeader
from service.posteriors.odds import odds_factor

router = APIRouter(include_in_schema=False)
_PROOF_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_NAMES: Final = {
    "counts": "Counts",
    "kind": "I plan a",
    "rate": "How common",
    "records": "How many records",
    "delta": "δ",
    "prior": "Prior",
    "epsilon": "ε",
    "epsilons": "ε",
    "rhos": "ρ",
}
_PLACES: Final = {
    "data": "counts",
    "delta": "delta",
}
_LONGEST_CONTEXT: Final = 2000
"""Largest number of characters of a guess in the address of a quote. The link back to the plan needs the guess."""
_HEIGHT: Final = 160.0
"""Height of the curves: the page of a usual plan is one view of 1 280 × 800 pixels."""
_COMPARED_KIND: Final = "simplex_geometric"
"""The mechanism at a public number of records beside those at a private one."""
_TRIES: Final = 8
"""Number of requests for a release that is being drawn, one second apart."""


@router.get("/console/datasets/{dataset_id}/plan")
async def show_plan(request: Request, dataset_id: str) -> Response:
    """Show the width of an interval against the charge for each mechanism, at guessed counts that the analyst can
    change.
    """
    here = await visit(request)
    here.require("analyst")
    data = await dataset_of(here.api, dataset_id)
    allowance = await allowance_of(here.api, data)
    typed = request.query_params
    errors: dict[str, str] = {}
    shown: dict[str, Any] = {"steps": [], "curves": [], "missing": {}}
    mechanisms, status = await here.api.mechanisms(), HTTPStatus.OK.value
    filled = {name: typed.get(name, "") for name in FILLING}
    try:
        guess = guess_of(typed, data, allowance)
    except FormError as wrong:
        filled = {name: typed.get(f"filled_{name}", "") for name in FILLING}
        errors, status = {wrong.field: wrong.sentence}, HTTPStatus.UNPROCESSABLE_ENTITY.value
        names = {"count", "counts", "delta", "exact", "merge", "prior", "records"} - errors.keys()
        kept = [each for each in typed.multi_items() if each[0] in names]
        guess = guess_of(QueryParams(kept), data, allowance)
    context = _context(guess, typed)
    if data["category_count"] <= MOST_CATEGORIES and not errors:
        try:
            found = await here.api.computed(
                "/v1/plans",
                guess.body(data, charges(data, allowance, is_one=guess.is_one)) | {"smaller_tables": True},
            )
        except FormError as wrong:
            errors, status = {wrong.field: wrong.sentence}, HTTPStatus.UNPROCESSABLE_ENTITY.value
        except Refused as refused:
            errors, status = at_fields(refused, _PLACES | {"questions": outcome_field(typed, data)}), refused.status
        else:
            shown = _curves_part(data, allowance, guess, found, context)
            if shown["steps"]:
                shown["pictures"] = await in_thread(request, partial(_pictures, data, shown, mechanisms))
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
        typed=typed,
        filled=filled,
        asked=typed if fields_of(typed) else QueryParams(_first_fields(data)),
        total=sum(each for each in guess.wholes if isinstance(each, int)),
        kinds=kinds_of(data),
        merges={name: words for name, words in MERGES.items() if name != "attributes" or data["attributes"]},
        merged=guess.merged_words(data),
        choices=choices_of(data),
        likely={"outcome": likely_outcome(data), "group": likely_group(data)},
        mechanisms=mechanisms,
        context=context,
        **shown,
    )


def _first_fields(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the fields of the question of a form that is not filled in yet."""
    place = likely_outcome(data)
    levels = data["attributes"][place]["levels"] if data["attributes"] else data["labels"]
    return [("kind", "share"), (f"outcome_{place}", likely_level(levels))]


def _curves_part(
    data: Mapping[str, Any], allowance: Mapping[str, Any] | None, guess: Guess, found: Mapping[str, Any], context: str
) -> dict[str, Any]:
    """Return the part of the page about curves: a row for each charge, and the address of the picture."""
    rows, main = guess.rows(data, found), guess.main
    scale = rows[main][1]
    steps = steps_of(found, allowance, [unit for _, unit in rows], main, {"plan": context})
    exact = found["without_noise"][main]
    every = dict.fromkeys(option["kind"] for point in found["points"] for option in point["options"])
    kinds = [kind for kind in every if any(kind in step.points for step in steps)]
    place = chosen_step(found, steps, granted=allowance is not None and allowance["can_release"]) if steps else 0
    return {
        "steps": steps,
        "protects": found["protects"] if data["record_count"] is None else [],
        "rows": rows,
        "main": main,
        "exact_ends": [unit.ends(each) for (_, unit), each in zip(rows, found["without_noise"], strict=True)],
        "without_answer": found["strata_without_answer"],
        "smaller": smaller_tables(found, scale, main, context, main_unit(data)),
        "curves": kinds,
        "missing": reasons_of(found),
        "scale": scale,
        "parts": guess.parts(data),
        "exact": exact["width"],
        "exact_often": often(exact),
        "runs": max(
            each["runs"] for point in found["points"] for of in point["options"] for each in of["intervals"][:1]
        ),
        "exact_interval": exact,
        "suggested": found["suggested"],
        "chosen": (steps[place].recommended if steps else "", place),
    }


def _context(guess: Guess, typed: QueryParams) -> str:
    """Return the fields of the plan as the query of an address, without the counts if they are too long."""
    fields = [*fields_of(typed), ("delta", guess.delta), ("prior", guess.prior)]
    if guess.are_exact:
        fields.append(("exact", "yes"))
    if guess.merge:
        fields.append(("merge", guess.merge))
    if typed.get("records"):
        fields.append(("records", str(guess.records)))
    whole = urlencode([("counts", "_".join(map(str, guess.wholes))), *fields])
    return whole if len(whole) <= _LONGEST_CONTEXT else urlencode(fields)


def _pictures(
    data: Mapping[str, Any], shown: Mapping[str, Any], mechanisms: Mapping[str, Mapping[str, Any]]
) -> dict[str, Markup]:
    """Return the curves of the table as pictures for a narrow and for a wide screen."""
    scale, last = shown["scale"], float(shown["steps"][-1].charge)
    found = {
        kind: [
            (float(step.charge), scale.plotted(step.points[kind]["width"]))
            for step in shown["steps"]
            if kind in step.points
        ]
        for kind in shown["curves"]
    }
    beside = [(float(each.charge), scale.plotted(each.beside["width"])) for each in shown["steps"] if each.beside]
    head = PictureHeader(f"What a release of {data['name']} would give", is_drawn=False)
    draw = partial(
        width_curves,
        head,
        [
            PlottedCurve(mechanisms[kind]["name"], [each for each in points if each[0] <= last])
            for kind, points in found.items()
        ]
        + ([PlottedCurve(f"{mechanisms[_COMPARED_KIND]['name']}, number public", beside)] if beside else []),
        what=scale.what,
        unit=scale.of_widths,
        symbol="ρ" if data["accountant"] == "zcdp" else "ε",
        without_noise=scale.plotted(shown["exact"]) if shown["exact"] > 0 else None,
        height=_HEIGHT,
    )
    return in_both_widths(draw)


def require_once(request: Request) -> None:
    """Redirect an address without an Idempotency-Key to the same page with a new key. Raises Instead.

    A reload, the way back and a second tab then all pay under the same key.
    """
    if not _PROOF_PATTERN.fullmatch(request.query_params.get(ONCE_FIELD, "")):
        kept = [each for each in request.query_params.multi_items() if each[0] != ONCE_FIELD]
        raise Instead(see_other(request, f"{path_of(request)}?{urlencode([*kept, (ONCE_FIELD, new_once())])}"))


@router.get("/console/datasets/{dataset_id}/quote")
async def show_quote(request: Request, dataset_id: str) -> Response:
    """Show the cost and the expected accuracy of a chosen release, with the button that pays for it."""
    here = await visit(request)
    here.require("analyst")
    require_once(request)
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
    """Return the mechanism for the typed kind, charge and δ. Raises Refused."""
    kind, amount = typed.get("kind", ""), with_point(typed.get("amount", ""))
    planned = QueryParams(_plan_of(typed))
    fields = [*fields_of(planned), ("merge", planned.get("merge", "")), ("delta", typed.get("delta", ""))]
    guess, _ = _planned_guess(urlencode(fields), data)
    names = await api.mechanisms()
    if kind not in names:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"detail": "Choose one of the mechanisms."})
    found = await api.computed("/v1/plans", guess.body(data, [amount]) | {"mechanisms": [kind]})
    option = options_of(found["points"][0]).get(kind)
    if option is None or option["mechanism"] is None:
        rule = option["unavailable_reason"] if option else found["not_planned"][0]["reason"]
        symbol = SYMBOLS[main_unit(data)]
        detail = (
            f"The {names[kind]['name']} mechanism can't be used with {symbol} = {amount} and δ = {guess.delta}: {rule}."
        )
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, {"detail": detail})
    return json.dumps(option["mechanism"])


def _planned_guess(context: str, data: Mapping[str, Any]) -> tuple[Guess, QueryParams]:
    """Return the guess of a plan in the address of a quote, and its fields; the first guess if they are refused."""
    fields = QueryParams(context)
    try:
        return guess_of(fields, data, None), fields
    except FormError:
        return guess_of(QueryParams(), data, None), QueryParams()


def _release_body(data: Mapping[str, Any], mechanism: str, prior: str, guess: Guess) -> dict[str, Any]:
    """Return the body of a request for a release. Raises Refused."""
    try:
        parsed = read_json(mechanism)
    except ValueError:
        parsed = mechanism
    try:
        of_prior = prior_of(prior, data["category_count"])
        return {"kind": "counts", "prior": of_prior, "mechanism": parsed} | guess.merged(data)
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
    amount: str = "",
    refused: Refused | None = None,
) -> Response:
    typed = here.request.query_params
    context, amount = context or _plan_of(typed), amount or with_point(typed.get("amount", ""))
    guess, planned = _planned_guess(context, data)
    prior = prior or guess.prior
    quote, same = None, None
    if mechanism:
        try:
            body = _release_body(data, mechanism, prior, guess)
            quote, same = await quoted(here.api.post, data["id"], body, once)
        except Refused as error:
            refused = refused or error
    kind = _kind(mechanism)
    charge = quote["would_charge"] if quote else None
    return await here.page(
        "quote.html",
        status=refused.status if refused else HTTPStatus.OK,
        data=data,
        quote=quote,
        accuracy=_text_with_thin_spaces(quote["expected_accuracy"]["summary"])
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
        merged=guess.merged_words(data),
        amount=amount,
        factor=odds_factor(Decimal(quote["certified"]["epsilon"])) if quote else "",
        odds=odds_sentences(quote["certified"]["epsilon"], quote["certified"]["delta"], data["relation"])
        if quote
        else "",
        lacking=lacking(charge, quote["largest_possible_charge"]) if quote and charge else [],
        expected=await _expected_accuracy(here.api, data, guess, kind, amount)
        if quote and "counts" in planned
        else None,
        mechanisms=await here.api.mechanisms(),
    )


def _plan_of(typed: QueryParams) -> str:
    """The fields of the plan that the address of a quote carries, with the δ of a point that was named beside it."""
    fields = parse_qsl(typed.get("plan", ""))
    if fields and typed.get("delta"):
        fields = [*((name, value) for name, value in fields if name != "delta"), ("delta", typed["delta"])]
    return urlencode(fields)


def _kind(mechanism: str) -> str:
    try:
        parsed = read_json(mechanism)
    except ValueError:
        return ""
    return str(parsed.get("kind", "")) if isinstance(parsed, dict) else ""


def _text_with_thin_spaces(text: str) -> str:
    """The text with its whole numbers as the console writes them."""
    return re.sub(r"(?<=\d),(?=\d{3})", "\N{NARROW NO-BREAK SPACE}", text)


async def quoted(
    ask: Callable[..., Awaitable[Any]], dataset_id: str, body: Mapping[str, Any], once: str
) -> tuple[Any, Any]:
    """Return the quote under the key of a page, and the same release that the visitor paid for under another key, or
    None. `ask` posts a request. Raises Refused.
    """
    path = f"/v1/datasets/{dataset_id}/quotes"
    found = await ask(path, {**body, "once": True}, once=once)
    if found["paid_under_key"] is None:
        return found, None
    of_page = await ask(path, body, once=once)
    # The page's key paid for it, perhaps with another limit: such a request gets this release only with `once`.
    if of_page["paid_under_key"] or of_page["blocked_by"] == "idempotency-key-reused":
        return found, None
    return of_page, found["paid_under_key"]


async def _expected_accuracy(
    api: Api, data: Mapping[str, Any], guess: Guess, kind: str, amount: str
) -> dict[str, Any] | None:
    """Return the expected accuracy of the planned share at the guess, or None if it can't be computed."""
    try:
        found = await api.computed("/v1/plans", guess.body(data, [amount]) | {"mechanisms": [kind]})
    except (FormError, Refused):
        return None
    option = options_of(found["points"][0]).get(kind)
    if not option or not option["intervals"]:
        return None
    return {
        "words": guess.question.words,
        "scale": guess.unit(data),
        "parts": guess.parts(data),
        "width": option["intervals"][guess.main]["width"],
        "interval": option["intervals"][guess.main],
        "exact_interval": found["without_noise"][guess.main],
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
        _quote_page, here, data, mechanism, prior, form.once, context=form.text("plan"), amount=form.text("amount")
    )
    try:
        cap = read_json(form.text("cap"))
    except ValueError:
        return see_other(request, f"/console/datasets/{dataset_id}/plan")
    try:
        guess, _ = _planned_guess(form.text("plan"), data)
        body = _release_body(data, mechanism, prior, guess) | {"max_charge": cap, "once": not form.has("again")}
        made = await paid(here.api, f"/v1/datasets/{dataset_id}/releases", body, form.once)
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
            if refused.code not in {"release-in-progress", "preparation-pending"} or not left:
                raise
            await asyncio.sleep(1)
        else:
            return made
    raise AssertionError
