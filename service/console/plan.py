"""The page that shows what each mechanism would give at each ε, and the quote for a chosen point."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from http import HTTPStatus
from math import ceil, isfinite
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from service.console.access import allowance_of, dataset_of
from service.console.api import Api, Refused
from service.console.forms import ONCE_FIELD, at_fields, new_once, with_point
from service.console.pages import number, see_other
from service.console.spending import main_unit, odds_sentence
from service.console.visit import Visit, posted, visit
from service.pictures.curves import Choice, Curve, width_curves
from service.pictures.frame import Head
from service.pictures.svg import DEFAULT_WIDTH, LEAST_WIDTH, MOST_WIDTH

router = APIRouter(include_in_schema=False)
KINDS: Final = {
    "simplex_geometric": "simplex geometric",
    "laplace": "Laplace",
    "gaussian": "Gaussian",
    "exponential": "exponential",
    "exponential_published": "exponential, as published",
    "exponential_global": "exponential, global sensitivity",
}
"""What people call each mechanism."""
SVG: Final = "image/svg+xml"
_MOST_CATEGORIES: Final = 1000
"""Of a table of made-up counts."""
_MADE_UP_RECORDS: Final = 1000
"""If the number of records is not public."""
_ONCE: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_NAMES: Final = {"counts": "Counts", "share": "Share", "delta": "δ", "prior": "Prior", "epsilon": "ε"}
_RARE: Final = 0.01
_WHOLE_FROM, _WORTH_SAYING = 100.0, 10_000.0
"""Odds that are written as whole numbers, and those that no number makes clearer."""
"""Shares below this are written per 100 000."""
_TRIES: Final = 8
"""How often a release that is being drawn is asked for again, each a second after the last."""


@dataclass(frozen=True, slots=True)
class Step:
    """A value of ε, and the point of each mechanism there, by its kind."""

    epsilon: str
    odds: float
    points: Mapping[str, Mapping[str, Any]]


def odds_text(odds: float) -> str:
    """How often odds can rise at most."""
    if odds >= _WORTH_SAYING:
        return "over 10 000 times"
    return f"{number(ceil(odds))} times" if odds >= _WHOLE_FROM else f"{ceil(100 * odds - 1e-9) / 100:g} times"


def width_text(width: float) -> str:
    """Half the width of an interval of a share, in points of a percentage or per 100 000."""
    if width < _RARE:
        return f"± {digits(50_000 * width, 2)} per 100 000"
    return f"± {digits(50 * width, 2)} points"


def digits(value: float, least: int) -> str:
    """A number with at least `least` digits, and all that stand before the point."""
    return number(round(value)) if round(abs(value)) >= 10**least else f"{value:.{least}g}"


@router.get("/console/datasets/{dataset_id}/plan")
async def show_plan(request: Request, dataset_id: str) -> Response:
    """Width against ε for each mechanism, at made-up counts that can be edited."""
    here = await visit(request)
    here.require("analyst")
    data = await dataset_of(here.api, dataset_id)
    allowance = await allowance_of(here.api, data)
    typed = request.query_params
    counts = typed.getlist("count") or _even(data)
    delta = with_point(typed.get("delta", "")) or _preset_delta(allowance)
    share, prior = typed.get("share", "0"), typed.get("prior", "1")
    errors: dict[str, str] = {}
    found: Mapping[str, Any] | None = None
    status = HTTPStatus.OK.value
    if data["category_count"] <= _MOST_CATEGORIES:
        try:
            found = await here.api.computed("/v1/curves", _asked(data, counts, share, delta, prior))
        except Refused as refused:
            places = {"data": "counts", "delta": "delta", "shares": "share", "prior": "prior"}
            errors, status = at_fields(refused, places), refused.status
    return here.page(
        "plan.html",
        status=status,
        errors=errors,
        field_names=_NAMES,
        data=data,
        allowance=allowance,
        unit=main_unit(data),
        counts=counts,
        share=int(share) if share.isdecimal() else 0,
        delta=delta,
        prior=prior,
        kinds=KINDS,
        width_text=width_text,
        odds_text=odds_text,
        **_shown(allowance, found, share, prior),
    )


def _even(data: Mapping[str, Any]) -> list[str]:
    """Made-up counts that share the records evenly."""
    records, cells = data["record_count"] or _MADE_UP_RECORDS, data["category_count"]
    return [str(records // cells + (place < records % cells)) for place in range(cells)]


def _preset_delta(allowance: Mapping[str, Any] | None) -> str:
    """A tenth of what one release may spend of δ, at most, as a power of ten."""
    largest = Decimal(allowance["largest_possible_charge"]["delta"]) if allowance else Decimal(0)
    return f"1e{largest.adjusted() - 1}" if 0 < largest < 1 and largest.adjusted() > -18 else "0"


def _whole(text: str) -> int | str:
    plain = re.sub(r"[\s\u202f,.]", "", text)
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= 16 else text


def prior_of(text: str, categories: int) -> list[float | str]:
    """The concentration of each category, from one number for all."""
    return [decimal_of(text)] * categories


def _asked(data: Mapping[str, Any], counts: Sequence[str], share: str, delta: str, prior: str) -> dict[str, Any]:
    return {
        "prior": prior_of(prior, data["category_count"]),
        "data": {"kind": "counts", "counts": [_whole(each) for each in counts]},
        "delta": delta,
        "shares": [int(share) if share.isdecimal() else share],
        "records_per_unit": data["records_per_unit"],
    }


def _shown(
    allowance: Mapping[str, Any] | None,
    found: Mapping[str, Any] | None,
    share: str,
    prior: str,
) -> dict[str, Any]:
    """What the page shows of curves: a line for each ε, and the address of the picture."""
    curves = [] if found is None else [each for each in found["mechanisms"] if each["points"]]
    if found is None or not curves:
        return {
            "steps": [],
            "curves": [],
            "missing": [],
            "drawn": "",
            "exact": "",
            "note": "",
            "off_by": 0,
            "chosen": ("", 0),
        }
    by_epsilon: dict[str, dict[str, Any]] = {}
    for curve in curves:
        for point in curve["points"]:
            by_epsilon.setdefault(point["epsilon"], {})[curve["kind"]] = point | {
                "width": point["widths"][0],
                "possible": allowance is not None and _is_possible(point["certified"], allowance),
                "quote": urlencode({"mechanism": json.dumps(point["mechanism"]), "prior": prior}),
            }
    steps = [
        Step(epsilon, max(each["odds"] for each in points.values()), points)
        for epsilon, points in sorted(by_epsilon.items(), key=lambda item: Decimal(item[0]))
    ]
    address = {"share": share, "exact": f"{found['widths_without_noise'][0]:.4g}"}
    for curve in curves:
        address[curve["kind"]] = "_".join(f"{p['epsilon']}~{p['widths'][0]:.4g}" for p in curve["points"])
    kind = curves[0]["kind"]
    possible = [place for place, step in enumerate(steps) if kind in step.points and step.points[kind]["possible"]]
    place = possible[-1] if possible else len(steps) // 2
    while kind not in steps[place].points and place < len(steps) - 1:
        place += 1
    return {
        "steps": steps,
        "curves": [each["kind"] for each in curves],
        "missing": [each for each in found["mechanisms"] if not each["points"]],
        "drawn": urlencode(address),
        "exact": width_text(found["widths_without_noise"][0]),
        "note": found["note"],
        "off_by": found["max_relative_error"],
        "chosen": (kind, place),
    }


def _is_possible(loss: Mapping[str, Any], allowance: Mapping[str, Any]) -> bool:
    largest = allowance["largest_possible_charge"]
    if not allowance["can_release"]:
        return False
    if largest["accountant"] == "zcdp":
        return loss["rho"] is not None and Decimal(loss["rho"]) <= Decimal(largest["rho"])
    return Decimal(loss["epsilon"]) <= Decimal(largest["epsilon"]) and Decimal(loss["delta"]) <= Decimal(
        largest["delta"]
    )


@router.get("/console/datasets/{dataset_id}/plan.svg")
async def draw_plan(request: Request, dataset_id: str) -> Response:
    """The curves that the address holds, which were computed for the page."""
    here = await visit(request)
    data = await dataset_of(here.api, dataset_id)
    typed = request.query_params
    try:
        curves = [Curve(KINDS[kind], _points(typed[kind])) for kind in KINDS if kind in typed]
        chosen = None
        if typed.get("chosen"):
            kind, _, epsilon = typed["chosen"].partition("~")
            width = next(width for at, width in _points(typed[kind]) if at == float(epsilon))
            chosen = Choice(KINDS[kind], float(epsilon), width)
        exact = float(typed["exact"])
        share = data["labels"][int(typed["share"])]
    except (KeyError, ValueError, IndexError, StopIteration):
        raise Refused(HTTPStatus.NOT_FOUND, {"detail": "There is no such picture."}) from None
    head = Head(f"What a release of {data['name']} would give", subtitle="At the counts that you made up")
    drawn = width_curves(
        head,
        curves,
        what=f"width of the 95 % interval of the share “{share}”",
        chosen=chosen,
        without_noise=exact if exact > 0 else None,
        width=picture_width(typed),
    )
    return Response(drawn, media_type=SVG)


def _points(text: str) -> list[tuple[float, float]]:
    found = []
    for each in text.split("_")[:60]:
        epsilon, _, width = each.partition("~")
        point = (float(epsilon), float(width))
        if not all(1e-12 < value < 1e6 for value in point):
            raise ValueError
        found.append(point)
    return found


def picture_width(typed: QueryParams) -> int:
    """The width that a picture is laid out for."""
    asked = typed.get("width", "")
    wanted = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else DEFAULT_WIDTH
    return min(max(wanted, LEAST_WIDTH), MOST_WIDTH)


def with_once(request: Request) -> Response | None:
    """Leads to the same page under an Idempotency-Key of its own, if the address has none: then a reload, the way back
    and a second tab all pay under that one key.
    """
    if _ONCE.fullmatch(request.query_params.get(ONCE_FIELD, "")):
        return None
    kept = [each for each in request.query_params.multi_items() if each[0] != ONCE_FIELD]
    path = request.url.path.removeprefix(request.scope.get("root_path", ""))
    return see_other(request, f"{path}?{urlencode([*kept, (ONCE_FIELD, new_once())])}")


@router.get("/console/datasets/{dataset_id}/quote")
async def show_quote(request: Request, dataset_id: str) -> Response:
    """What a chosen release would cost and tell, with the button that pays for it."""
    here = await visit(request)
    here.require("analyst")
    elsewhere = with_once(request)
    if elsewhere is not None:
        return elsewhere
    typed = request.query_params
    mechanism = typed.get("mechanism", "") or _mechanism(typed.get("kind", ""), typed.get("epsilon", ""))
    return await _quote_page(here, dataset_id, mechanism, typed.get("prior", "1"), typed[ONCE_FIELD])


def _mechanism(kind: str, epsilon: str) -> str:
    named = {"kind": kind, "epsilon": with_point(epsilon)}
    return json.dumps(named | ({"calibration": "proven"} if kind == "exponential" else {}))


def _release_body(data: Mapping[str, Any], mechanism: str, prior: str) -> dict[str, Any]:
    try:
        parsed = json.loads(mechanism)
    except ValueError:
        parsed = mechanism
    return {"prior": prior_of(prior, data["category_count"]), "mechanism": parsed}


async def _quote_page(
    here: Visit,
    dataset_id: str,
    mechanism: str,
    prior: str,
    once: str,
    *,
    refused: Refused | None = None,
) -> Response:
    data = await dataset_of(here.api, dataset_id)
    body = _release_body(data, mechanism, prior)
    try:
        quote = await here.api.post(f"/v1/datasets/{dataset_id}/quotes", body)
    except Refused as error:
        if refused is None:
            refused = error
        quote = None
    certified = quote["certified"] if quote else None
    return here.page(
        "quote.html",
        status=refused.status if refused else HTTPStatus.OK,
        data=data,
        quote=quote,
        refused=refused,
        reasons=_reasons(refused),
        unit=main_unit(data),
        kind=KINDS.get(str(body["mechanism"].get("kind")) if isinstance(body["mechanism"], dict) else "", ""),
        mechanism=mechanism,
        prior=prior,
        cap=json.dumps(_cap(quote["would_charge"])) if quote else "",
        once=once,
        odds=odds_sentence(certified["epsilon"], certified["delta"]) if certified else "",
        kinds=KINDS,
    )


def _reasons(refused: Refused | None) -> list[str]:
    if refused is None:
        return []
    if refused.rules:
        return [f"{place.removeprefix('body.')}: {rule}." for place, rule in refused.rules]
    return [refused.detail]


def _cap(charge: Mapping[str, Any]) -> dict[str, str]:
    return {name: charge[name] for name in ("epsilon", "rho") if name in charge}


@router.post("/console/datasets/{dataset_id}/releases")
async def pay_release(request: Request, dataset_id: str) -> Response:
    """Pays for a release, once under the key that was made with the page of the quote."""
    here = await posted(request)
    here.require("analyst")
    mechanism, prior = here.form.text("mechanism"), here.form.text("prior") or "1"
    data = await dataset_of(here.api, dataset_id)
    body = _release_body(data, mechanism, prior)
    try:
        body["max_charge"] = json.loads(here.form.text("cap"))
    except ValueError:
        return see_other(request, f"/console/datasets/{dataset_id}/plan")
    try:
        made = await paid(here.api, f"/v1/datasets/{dataset_id}/releases", body, here.form.once)
    except Refused as refused:
        return await _quote_page(here, dataset_id, mechanism, prior, here.form.once, refused=refused)
    return see_other(request, f"/console/releases/{made['id']}")


async def paid(api: Api, path: str, body: Mapping[str, Any], once: str) -> dict[str, Any]:
    """What is paid for. If it is still being made, the same request asks again, which charges nothing more. Raises
    Refused.
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


def decimal_of(text: str) -> float | str:
    """A number that is typed, or the text for `/v1` to refuse."""
    try:
        value = float(with_point(text))
    except ValueError:
        return text
    return value if isfinite(value) else text
