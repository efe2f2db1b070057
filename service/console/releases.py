"""The pages of releases: one with its picture, table, certificate, code and questions; all that an analyst paid for;
and one that is public, for anyone.
"""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from math import isfinite
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Api, Refused
from service.console.code import code_of
from service.console.forms import at_fields
from service.console.pages import date_of, page, root_of
from service.console.plan import SVG, digits, picture_width
from service.console.planning import KINDS as MECHANISMS
from service.console.questions import (
    KINDS,
    MOST_CHOICES,
    Question,
    QuestionError,
    read_questions,
    row_label,
    typed_question,
    words,
    written,
)
from service.console.spending import main_unit, odds_sentence
from service.console.visit import api_of, visit
from service.pictures.forest import Section, forest
from service.pictures.frame import Head
from service.pictures.rows import Kind, Row
from service.pictures.svg import MOST_WIDTH, NARROW

router = APIRouter(include_in_schema=False)
_SHOWN: Final = 50
_ROWS: Final = 300
"""Categories in the table of a page; the file has all."""
_MOST_DRAWN: Final = 200
"""Categories that the API draws."""
_LEVELS: Final = {"0.5": "50 %", "0.8": "80 %", "0.9": "90 %", "0.95": "95 %", "0.99": "99 %"}
"""Probabilities of intervals that a page offers, and what people call each."""
_LEVEL: Final = "0.95"
_LONG_LABEL: Final = 24
"""Labels beyond this stand above their rows, for which the picture is `_LABELS_ABOVE` wide at most."""
_LABELS_ABOVE: Final = NARROW - 1
_RARE: Final = 0.01
_SURE: Final = 0.001
_NOT_COMPUTED: Final = frozenset({"computation-too-large", "computations-unavailable", ""})
"""Problems of a posterior beside which the release's own figures are still shown."""
_FIELD_NAMES: Final = {
    "kind": "What do you want to know?",
    "outcome_0": "Share of the records with",
    "second_0": "Compared with",
}
_FORMULA: Final = ("=", "+", "-", "@")
"""What a spreadsheet would take a text that begins so for."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a release is read: with a key, or as a public one."""

    api: Api
    release_id: str
    is_public: bool
    level: str = _LEVEL
    """Of every interval."""

    @classmethod
    def of(cls, request: Request, api: Api, release_id: str, *, is_public: bool) -> Place:
        asked = request.query_params.get("level", "")
        return cls(api, release_id, is_public, asked if asked in _LEVELS else _LEVEL)

    @property
    def path(self) -> str:
        return f"/v1/public/releases/{self.release_id}" if self.is_public else f"/v1/releases/{self.release_id}"

    @property
    def address(self) -> str:
        kind = "public/releases" if self.is_public else "releases"
        return f"/console/{kind}/{self.release_id}"

    async def release(self) -> dict[str, Any]:
        found: dict[str, Any] | None = (answer := await self.api.send("GET", self.path)).json
        if found is None or answer.status != HTTPStatus.OK:
            raise Refused(HTTPStatus.NOT_FOUND, {"detail": "You can't read this release with your key."})
        return found

    async def posterior(self, questions: Sequence[Question] = ()) -> dict[str, Any]:
        body = {"level": float(self.level), "quantiles": [0.5], "events": list(questions)}
        try:
            found: dict[str, Any] = await self.api.computed(f"{self.path}/posterior", body)
        except Refused as refused:
            if questions or refused.code not in _NOT_COMPUTED:
                raise
            return {"kind": "unavailable", "reason": refused.detail}
        return found


@router.get("/console/releases/{release_id}")
async def show_release(request: Request, release_id: str) -> Response:
    """A release that the visitor may read, and the answers to questions about it, which are free."""
    here = await visit(request)
    answer = await here.api.send("GET", f"/v1/releases/{release_id}")
    is_public = answer.status == HTTPStatus.SEE_OTHER
    return await _release_page(request, Place.of(request, here.api, release_id, is_public=is_public), here.me)


@router.get("/console/public/releases/{release_id}")
async def show_public_release(request: Request, release_id: str) -> Response:
    """A release that its owner made public, for anyone without a key."""
    return await _release_page(request, _public(request, release_id), None)


def _public(request: Request, release_id: str) -> Place:
    return Place.of(request, api_of(request).with_key(None), release_id, is_public=True)


async def _release_page(request: Request, place: Place, me: Mapping[str, Any] | None) -> Response:
    release = await place.release()
    typed = request.query_params
    questions = read_questions(typed.getlist("q"))
    errors: dict[str, str] = {}
    status = HTTPStatus.OK.value
    if typed.get("ask"):
        try:
            asked = [*questions, typed_question(typed, release, so_far=len(questions))]
            posterior = await place.posterior(asked)
            questions = asked
        except QuestionError as wrong:
            errors, status = {wrong.field: wrong.sentence}, HTTPStatus.UNPROCESSABLE_ENTITY
            posterior = await place.posterior(questions)
        except Refused as refused:
            errors, status = at_fields(refused, {"events": "kind"}), refused.status
            posterior = await place.posterior(questions)
    else:
        posterior = await place.posterior(questions)
    name = await _name(place, release)
    texts = [written(each) for each in questions]
    is_aware = posterior["kind"] == "noise_aware"
    events = posterior["events"] if is_aware else []
    numbers = [f"{_estimate(each)!r}~{each['interval']['low']!r}~{each['interval']['high']!r}" for each in events]
    return page(
        request,
        "public_release.html" if place.is_public else "release.html",
        status=status,
        me=me,
        errors=errors,
        field_names=_FIELD_NAMES,
        release=release,
        name=name,
        unit=main_unit(release["charged"]),
        odds=odds_sentence(release["certified"]["epsilon"], release["certified"]["delta"]),
        mechanism=MECHANISMS[release["mechanism"]["kind"]],
        rows=_rows(release, posterior)[:_ROWS],
        posterior=posterior,
        is_aware=is_aware,
        has_picture=release["category_count"] <= _MOST_DRAWN,
        kinds=KINDS,
        choices=_choices(release),
        typed=typed,
        questions=texts,
        answers=[
            {
                "words": words(question),
                "kind": question["kind"],
                "estimate": _estimate(event),
                "interval": event["interval"],
                "above": event["above"],
                "error": event["error"],
                "without": urlencode([("level", place.level)] + [("q", text) for text in texts if text != texts[at]]),
            }
            for at, (question, event) in enumerate(zip(questions, events, strict=False))
        ],
        forest_query=urlencode(
            [("level", place.level)] + [("q", text) for text in texts] + [("v", each) for each in numbers]
        ),
        level=place.level,
        levels=_LEVELS,
        code=code_of(
            f"{request.url.scheme}://{request.url.netloc}{root_of(request)}", place.path, place.level, questions
        )
        if is_aware
        else [],
        address=place.address,
        shown_value=_shown_value,
        shown_probability=_shown_probability,
    )


def _estimate(event: Mapping[str, Any]) -> float:
    """The mean of a share, and the median of a contrast, which always exists."""
    mean, median = event["mean"], event["quantiles"][0]["value"]
    value: float = mean if event["question"]["kind"] == "share" and mean is not None else median
    return value


async def _name(place: Place, release: Mapping[str, Any]) -> str:
    """The name of the data set, or its id where the visitor can't read it or it is deleted."""
    if place.is_public:
        return str(release["dataset_id"])
    try:
        return str((await place.api.get(f"/v1/datasets/{release['dataset_id']}"))["name"])
    except Refused:
        return str(release["dataset_id"])


@dataclass(frozen=True, slots=True)
class TableRow:
    """A category in the table of a release."""

    label: str
    released: int
    share: float
    low: float | None
    high: float | None


def _rows(release: Mapping[str, Any], posterior: Mapping[str, Any]) -> list[TableRow]:
    counts = release["posterior"]["released_counts"]
    shares = posterior["categories"] if posterior["kind"] == "noise_aware" else release["posterior"]["categories"]
    return [
        TableRow(
            each["label"],
            count,
            each["mean"],
            *((each["interval"]["low"], each["interval"]["high"]) if "interval" in each else (None, None)),
        )
        for each, count in zip(shares, counts, strict=True)
    ]


def _shown_value(value: float | None, kind: str = "share", beside: float | None = None) -> str:
    """A share or a contrast, as people write it, in the unit that suits the value that it stands beside."""
    if value is None:
        return "–"
    if kind in {"ratio", "odds_ratio"}:
        return digits(value, 3) if value < 10_000 else "over 10 000"
    if abs(value if beside is None else beside) < _RARE:
        return "0" if value == 0 else f"{digits(100_000 * value, 3)} per 100 000"
    return f"{100 * value:.3g} {'points' if kind == 'difference' else '%'}"


def _shown_probability(value: float) -> str:
    return "below 0.001" if value < _SURE else "above 0.999" if value > 1 - _SURE else f"{value:.3f}"


def _choices(release: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What can be chosen in each field about cells."""
    if release["attributes"]:
        return [{"name": each["name"], "levels": each["levels"]} for each in release["attributes"]]
    labels = release["labels"]
    return [{"name": "", "levels": labels if len(labels) <= MOST_CHOICES else []}]


@router.get("/console/releases/{release_id}/plot.svg")
async def plot(request: Request, release_id: str) -> Response:
    """The picture of a release, as the API draws it."""
    here = await visit(request)
    return await _plot(request, Place.of(request, here.api, release_id, is_public=False))


@router.get("/console/public/releases/{release_id}/plot.svg")
async def plot_public(request: Request, release_id: str) -> Response:
    """The picture of a public release."""
    return await _plot(request, _public(request, release_id))


async def _plot(request: Request, place: Place) -> Response:
    query = {"width": str(picture_width(request.query_params)), "level": place.level}
    answer = await place.api.finished(await place.api.send("GET", f"{place.path}/plot.svg", query=query))
    return Response(answer.content, media_type=SVG)


@router.get("/console/releases/{release_id}/forest.svg")
async def draw_forest(request: Request, release_id: str) -> Response:
    """The answers that the address holds, which were computed for the page, as a forest plot."""
    here = await visit(request)
    return await _forest(request, Place.of(request, here.api, release_id, is_public=False))


@router.get("/console/public/releases/{release_id}/forest.svg")
async def draw_public_forest(request: Request, release_id: str) -> Response:
    """As `draw_forest`, of a public release."""
    return await _forest(request, _public(request, release_id))


async def _forest(request: Request, place: Place) -> Response:
    release = await place.release()
    name = await _name(place, release)
    typed = request.query_params
    questions, numbers = read_questions(typed.getlist("q")), typed.getlist("v")
    rows: dict[Kind, list[Row]] = {"share": [], "difference": [], "ratio": []}
    try:
        for question, text in zip(questions, numbers, strict=True):
            value, low, high = _numbers(text)
            kind: Kind = "ratio" if question["kind"] == "odds_ratio" else question["kind"]
            rows[kind].append(Row(row_label(question), value, (low, high)))
        axes: dict[Kind, str] = {
            "share": "share",
            "difference": "difference of shares",
            "ratio": "ratio",
        }
        sections = [Section(kind, axes[kind], found) for kind, found in rows.items() if found]
        head = Head(name, subtitle="Shares and contrasts, from one release", date=date_of(release["created_at"]))
        longest = max(len(row.label) for section in sections for row in section.rows)
        width = min(picture_width(typed), _LABELS_ABOVE if longest > _LONG_LABEL else MOST_WIDTH)
        drawn = forest(head, sections, float(place.level), width=width)
    except (ValueError, OverflowError):
        raise Refused(HTTPStatus.NOT_FOUND, {"detail": "There is no such picture."}) from None
    return Response(drawn, media_type=SVG)


def _numbers(text: str) -> tuple[float, float, float]:
    """An estimate and its interval. Raises ValueError."""
    value, low, high = map(float, text.split("~"))
    if not all(map(isfinite, (value, low, high))):
        raise ValueError(text)
    return value, low, high


@router.get("/console/releases/{release_id}/shares.csv")
async def download(request: Request, release_id: str) -> Response:
    """The table of a release as a file."""
    here = await visit(request)
    return await _file(Place.of(request, here.api, release_id, is_public=False))


@router.get("/console/public/releases/{release_id}/shares.csv")
async def download_public(request: Request, release_id: str) -> Response:
    """The table of a public release as a file."""
    return await _file(_public(request, release_id))


async def _file(place: Place) -> Response:
    release, posterior = await asyncio.gather(place.release(), place.posterior())
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(["category", "released_count", "share", "low", "high", "level"])
    for row in _rows(release, posterior):
        lines.writerow([_plain(row.label), row.released, row.share, row.low, row.high, place.level])
    headers = {"Content-Disposition": f'attachment; filename="{place.release_id}.csv"', "Cache-Control": "no-store"}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def _plain(label: str) -> str:
    """A label that no spreadsheet takes for a formula."""
    return f"'{label}" if label.startswith(_FORMULA) else label


@router.get("/console/releases")
async def show_releases(request: Request) -> Response:
    """The releases and the answers to queries that the analyst paid for."""
    here = await visit(request)
    here.require("analyst")
    typed = request.query_params
    pages = {}
    for name in ("releases", "queries"):
        query = {"limit": str(_SHOWN)} | ({"cursor": typed[name]} if typed.get(name) else {})
        pages[name] = await here.api.get(f"/v1/{name}", **query)
    datasets = await here.api.items("/v1/datasets")
    return here.page(
        "releases.html",
        releases=pages["releases"],
        queries=pages["queries"],
        names={each["id"]: each["name"] for each in datasets},
        unit_of=main_unit,
        mechanisms=MECHANISMS,
    )
