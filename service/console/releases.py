"""The pages of releases: one release with the answer to a question, its categories and its certificate; all releases
that an analyst paid for; and one public release, for everybody.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from itertools import product
from math import fsum, prod
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from service.console.answers import SORTS, Answered, CategoryRow, Shown, categories, is_of_prior, listed
from service.console.api import PENDING, Api, Refused
from service.console.forms import FormError, at_fields
from service.console.page_request import api_of, posted, visit
from service.console.pages import in_both_widths, in_thread, on_page, origin_of, page, path_of, see_other
from service.console.prior_and_level import Conditions, conditions_of, own_conditions
from service.console.questions import (
    Question,
    choices_of,
    fields_of,
    kinds_of,
    likely_group,
    likely_outcome,
    outcome_field,
    query_words,
    question_of,
)
from service.console.spending import is_open, main_unit, odds_sentences
from service.schemas.cell_names import SEPARATOR

router = APIRouter(include_in_schema=False)
OWN: Final = "/console/releases"
PUBLIC: Final = "/console/public/releases"
MARGINS: Final = "/console/margins"
PUBLIC_MARGINS: Final = "/console/public/margins"
QUERIES: Final = "/console/queries"
_PAGE_SIZE: Final = 50
_DIGITS: Final = 4
"""Largest number of digits of a measured margin's number."""
_MAX_SMALL_COUNT: Final = 8
"""Largest number of rows whose picture is shown above their table. A larger one is shown in place of it."""
_WIDTH_BESIDE: Final = 272
"""Width in pixels of the picture that stands beside the table of a trial."""
_COMPUTATION_CODES: Final = frozenset({"computation-too-large", "computations-unavailable", PENDING})
"""Codes of problems with which the page still shows the release's own figures instead of a posterior."""
_FIELD_NAMES: Final = {
    "kind": "I want the",
    "above": "Is it above",
    "total_first": "Public number of records in the first group",
    "total_second": "Public number of records in the second group",
    "prior": "Prior",
    "level": "Probability of the intervals",
}
_PLACES: Final = {
    "prior": "prior",
    "level": "level",
    "events[0].above": "above",
    "by.attributes": "by",
    "by.question.above": "above",
    "trial.effect": "above",
    "known[1]": "total_second",
    "known": "total_first",
}


@dataclass(frozen=True, slots=True)
class Place:
    """How a release is read: with a key, or without one if it is public. For a measured margin of a release of margins,
    `number` is its number, and `margin` has its attributes.
    """

    api: Api
    release_id: str
    is_public: bool
    number: int | None = None
    margin: tuple[str, ...] = ()
    margins: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The release of margins, whose text can be large."""

    @property
    def path(self) -> str:
        return f"/v1/public/releases/{self.release_id}" if self.is_public else f"/v1/releases/{self.release_id}"

    @property
    def address(self) -> str:
        if self.number is not None:
            return f"{PUBLIC_MARGINS if self.is_public else MARGINS}/{self.release_id}/{self.number}"
        return f"{PUBLIC if self.is_public else OWN}/{self.release_id}"

    @property
    def posteriors(self) -> str:
        """The path that answers requests for posteriors."""
        return "/v1/public/posteriors" if self.is_public else "/v1/posteriors"

    @property
    def sources(self) -> dict[str, Any]:
        """The field of a request for a posterior that names the release."""
        of_margin = {} if self.number is None else {"margin": list(self.margin)}
        return {"sources": [{"kind": "release", "release_id": self.release_id} | of_margin]}

    async def release(self) -> dict[str, Any]:
        if self.number is not None:
            return await asyncio.to_thread(_release_from_margin, self.margins, self.number, self.margin)
        found: dict[str, Any] | None = (answer := await self.api.send("GET", self.path)).json
        if found is None or answer.status != HTTPStatus.OK:
            raise Refused(HTTPStatus.NOT_FOUND, {"detail": "You can't read this release with your key."})
        return found

    async def posterior(self, conditions: Conditions, question: Question | None = None) -> dict[str, Any]:
        body = self.sources | conditions.body | (question.request if question else {})
        try:
            found: dict[str, Any] = await self.api.computed(self.posteriors, body)
        except Refused as refused:
            if question or refused.code not in _COMPUTATION_CODES:
                raise
            return {"kind": "not_now", "reason": refused.detail}
        return found

    async def name(self, release: Mapping[str, Any]) -> str:
        """Return the name of the data set, or its id if the visitor can't read the name."""
        if not self.is_public:
            try:
                return str((await self.api.get(f"/v1/datasets/{release['dataset_id']}"))["name"])
            except Refused:
                pass
        return str(release["dataset_id"])


def _release_from_margin(found: Mapping[str, Any], number: int, margin: Sequence[str]) -> dict[str, Any]:
    """Return a measured margin in the form of a release of counts."""
    levels = {each["name"]: each["levels"] for each in found["attributes"]}
    unreached = unreached_cells(found, margin)
    cells = product(*(levels[each] for each in margin))
    reached = [
        (SEPARATOR.join(cell), count)
        for cell, count in zip(cells, found["measured"][number]["noisy_counts"], strict=True)
        if cell not in unreached
    ]
    weights = [1.0 + max(0, count) for _, count in reached]
    total = fsum(weights)
    counts = [count for _, count in reached]
    shares = [
        {"label": label, "mean": weight / total, "naive_interval": None}
        for (label, _), weight in zip(reached, weights, strict=True)
    ]
    return dict(found) | {
        "attributes": [{"name": each, "levels": levels[each]} for each in margin],
        "labels": [label for label, _ in reached],
        "category_count": len(reached),
        "prior": [1.0] * len(reached),
        "posterior": {"categories": shares, "noisy_counts": counts, "released_counts": counts},
    }


def unreached_cells(margins: Mapping[str, Any], names: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the cells of the table of these attributes in which no record can be, by their levels."""
    attributes = margins["attributes"]
    places = [place for place, each in enumerate(attributes) if each["name"] in names]
    others = prod(len(each["levels"]) for each in attributes if each["name"] not in names)
    found = Counter(tuple(each[place] for place in places) for each in margins["event"]["impossible"])
    return {
        tuple(attributes[place]["levels"][level] for place, level in zip(places, cell, strict=True))
        for cell, count in found.items()
        if count == others
    }


@router.get(f"{OWN}/{{release_id}}")
async def show_release(request: Request, release_id: str) -> Response:
    """Show a release that the visitor may read, and the free answer to a question about it."""
    here = await visit(request)
    answer = await here.api.send("GET", f"/v1/releases/{release_id}")
    # A visitor who neither paid for it nor owns its data reads it as a public release.
    is_public = answer.status == HTTPStatus.SEE_OTHER
    found = await here.api.get(f"/v1/public/releases/{release_id}") if is_public else answer.json
    if "tables" in found:
        return see_other(request, f"{PUBLIC_MARGINS if is_public else MARGINS}/{release_id}")
    if "answers" in found:
        return see_other(request, f"{QUERIES}/{release_id}")
    return await _release_page(request, Place(here.api, release_id, is_public), here.me)


@router.get(f"{MARGINS}/{{release_id}}/{{number}}")
async def show_margin(request: Request, release_id: str, number: str) -> Response:
    """Show the posterior of a measured margin that the visitor may read."""
    here = await visit(request)
    place = await _margin(here.api, release_id, number, is_public=False)
    return await _release_page(request, place, here.me)


@router.get(f"{PUBLIC_MARGINS}/{{release_id}}/{{number}}")
async def show_public_margin(request: Request, release_id: str, number: str) -> Response:
    """Show the posterior of a measured margin of a public release without a key."""
    place = await _margin(api_of(request).with_key(None), release_id, number, is_public=True)
    return await _release_page(request, place, None)


async def _margin(api: Api, release_id: str, number: str, *, is_public: bool) -> Place:
    """Return how to read a measured margin. Raises Refused if no measured margin has this number."""
    margins = await margins_of(api, release_id, is_public=is_public)
    measured = margins["measured"]
    place = int(number) if number.isascii() and number.isdigit() and len(number) <= _DIGITS else len(measured)
    if place >= len(measured) or not measured[place]["attributes"]:
        raise Refused(HTTPStatus.NOT_FOUND, {"detail": "The release has no measured margin at this address."})
    return Place(api, release_id, is_public, place, tuple(measured[place]["attributes"]), margins)


async def margins_of(api: Api, release_id: str, *, is_public: bool) -> dict[str, Any]:
    """Return a release of margins. Raises Refused."""
    return require_margins(await api.get(f"/v1/{'public/' if is_public else ''}releases/{release_id}"))


def require_margins(found: dict[str, Any] | None) -> dict[str, Any]:
    """Return the release if it is one of margins. Raises Refused."""
    if found is None or "tables" not in found:
        raise Refused(HTTPStatus.NOT_FOUND, {"detail": "You can't read this release of margins with your key."})
    return found


@router.get(f"{PUBLIC}/{{release_id}}")
async def show_public_release(request: Request, release_id: str) -> Response:
    """Show a public release without a key."""
    return await _release_page(request, _public_place(request, release_id), None)


def _public_place(request: Request, release_id: str) -> Place:
    return Place(api_of(request).with_key(None), release_id, is_public=True)


async def placed(request: Request, release_id: str, number: str | None = None) -> Place:
    """Return the place of the release or margin from which a file is made. It is read with the visitor's key, or
    without one if it is public.
    """
    is_public = path_of(request).startswith((f"{PUBLIC}/", f"{PUBLIC_MARGINS}/"))
    api = api_of(request).with_key(None) if is_public else (await visit(request)).api
    if number is not None:
        return await _margin(api, release_id, number, is_public=is_public)
    return Place(api, release_id, is_public)


@router.post(f"{OWN}/{{release_id}}/public")
async def change_public(request: Request, release_id: str) -> Response:
    """Make a release public, or private again. This needs no key, because the owner can undo it."""
    here = await posted(request)
    here.require("owner")
    await here.api.patch(f"/v1/releases/{release_id}", {"public": here.form.text("public") == "yes"})
    return see_other(request, f"{OWN}/{release_id}#public")


@dataclass(frozen=True, slots=True)
class Reading:
    """The question to a release, the posterior that answers it, and sentences about refused fields."""

    conditions: Conditions
    question: Question | None
    posterior: dict[str, Any]
    errors: dict[str, str]
    status: int

    @property
    def answered(self) -> Answered | None:
        is_aware = self.posterior["kind"] == "noise_aware"
        if not self.question or not is_aware:
            return None
        return Answered.of(self.question, self.posterior)


async def read(
    place: Place, release: Mapping[str, Any], typed: QueryParams, *, needs_posterior: bool = True
) -> Reading:
    """Return the posterior and the answer for the fields of the address. Refused fields are left out. Without a
    question, a posterior that is not needed is not computed.
    """
    conditions = wanted = own_conditions(release)
    try:
        wanted = conditions_of(typed, release)
        question = question_of(typed, release) if fields_of(typed) else None
        if question is None and not needs_posterior:
            return Reading(wanted, None, {"kind": "not_asked"}, {}, HTTPStatus.OK.value)
        return Reading(wanted, question, await place.posterior(wanted, question), {}, HTTPStatus.OK.value)
    except FormError as wrong:
        errors, status = {wrong.field: wrong.sentence}, HTTPStatus.UNPROCESSABLE_ENTITY.value
    except Refused as refused:
        errors, status = (
            at_fields(refused, _PLACES | dict.fromkeys(("questions", "by", "trial"), outcome_field(typed, release))),
            refused.status,
        )
    if not errors.keys() & {"prior", "level"}:
        conditions = wanted
    return Reading(conditions, None, await place.posterior(conditions), errors, status)


def _total(posterior: Mapping[str, Any]) -> dict[str, int] | None:
    """Return a private number of records as the posterior infers it, or None if there is none."""
    if (total := posterior.get("total")) is None:
        return None
    low, high = total["interval"]["low"], total["interval"]["high"]
    return {"mean": round(total["mean"]), "low": math.floor(low), "high": math.ceil(high)}


async def _release_page(request: Request, place: Place, me: Mapping[str, Any] | None) -> Response:
    release = await place.release()
    typed = request.query_params
    reading = await read(place, release, typed)
    conditions, answered = reading.conditions, reading.answered
    rows = await in_thread(request, partial(categories, release, reading.posterior))
    name = await place.name(release)
    shown = Shown(release, name, conditions)
    kept = [*fields_of(typed), *conditions.typed] if not reading.errors else []
    return await page(
        request,
        "public_release.html" if place.is_public else "release.html",
        status=reading.status,
        me=me,
        errors=reading.errors,
        field_names=_FIELD_NAMES,
        release=release,
        total=_total(reading.posterior),
        name=name,
        unit=main_unit(release["charged"]),
        odds=odds_sentences(
            release["certified"]["epsilon"], release["certified"]["delta"], release["certificate"]["relation"]
        ),
        mechanism=(await place.api.mechanisms())[release["mechanism"]["kind"]]["name"],
        answered=answered,
        unavailable="" if reading.posterior["kind"] == "noise_aware" else reading.posterior["reason"],
        can_ask=reading.posterior["kind"] != "unavailable",
        categories=listed(rows, typed),
        sorts=SORTS,
        category_names=SEPARATOR.join(each["name"] for each in release["attributes"] or []) or "Category",
        **await in_thread(request, partial(_pictures, shown, answered, rows)),
        kinds=kinds_of(release),
        choices=choices_of(release),
        likely={"outcome": likely_outcome(release), "group": likely_group(release)},
        typed=typed,
        conditions=conditions,
        priors=answered.priors(release, conditions.prior) if answered and conditions.has_prior else "",
        has_prior_end=any(is_of_prior(each.row, release["record_count"]) for each in rows),
        kept=kept,
        query=urlencode(kept),
        address=place.address,
        is_owner=me is not None and me["principal"]["role"] == "owner",
        margin=", ".join(place.margin),
        of_margins=f"{PUBLIC_MARGINS if place.is_public else MARGINS}/{place.release_id}",
        public_address=f"{origin_of(request)}{PUBLIC}/{place.release_id}",
        is_public=place.is_public or await is_published(place.api, place.release_id),
    )


def _pictures(shown: Shown, answered: Answered | None, rows: Sequence[CategoryRow]) -> dict[str, Any]:
    """Return the picture of the answer or, without one, the picture of the shares."""
    if answered:
        draw, count = partial(shown.answer, answered), len(answered.rows)
    else:
        largest = listed(rows, QueryParams())
        draw, count = partial(shown.shares, largest.rows[: largest.first]), largest.first
    pictures = in_both_widths(draw)
    if answered and answered.question.kind == "trial":
        pictures["wide"] = on_page(draw(width=_WIDTH_BESIDE))
    return {"pictures": pictures, "is_small": count <= _MAX_SMALL_COUNT}


async def is_published(api: Api, release_id: str) -> bool:
    """Return whether anyone can read the release."""
    try:
        await api.get(f"/v1/public/releases/{release_id}")
    except Refused as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
        return False
    return True


@router.get(OWN)
async def show_releases(request: Request) -> Response:
    """Show the releases that the analyst paid for."""
    here = await visit(request)
    here.require("analyst")
    found = await here.api.releases(limit=_PAGE_SIZE, cursor=request.query_params.get("releases", ""))
    datasets, grants = await here.api.items("/v1/datasets"), await here.api.items("/v1/grants")
    mechanisms = await here.api.mechanisms()
    words = await asyncio.gather(*(_words(here.api, each, mechanisms) for each in found["items"]))
    return await here.page(
        "releases.html",
        grants=[(each, main_unit(each["cap"])) for each in grants if is_open(each)][:_PAGE_SIZE],
        words=words,
        releases=found,
        names={each["id"]: each["name"] for each in datasets},
        unit_of=main_unit,
    )


async def _words(api: Api, made: Mapping[str, Any], mechanisms: Mapping[str, Any]) -> str:
    """Return the mechanism of a release, or the first of its queries in words; empty while it is not known."""
    if made["mechanism"]:
        return str(mechanisms[made["mechanism"]["kind"]]["name"])
    if made["kind"] != "queries" or made["state"] != "complete":
        return ""
    queries = (await api.get(f"/v1/releases/{made['id']}"))["queries"]
    more = f", and {len(queries) - 1} more" if len(queries) > 1 else ""
    return f"{query_words(queries[0])}{more}"
