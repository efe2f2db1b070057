"""The pages of releases: one release with its picture, table, certificate, code and questions; all releases that an
analyst paid for; and one public release, for everybody.
"""

from __future__ import annotations

import asyncio
import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from math import floor, fsum, log10
from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from service.console.api import Api, Refused
from service.console.code_examples import code_of
from service.console.forms import FormError, at_fields
from service.console.page_request import Visit, api_of, posted, visit
from service.console.pages import attachment, date_of, in_both_widths, in_thread, origin_of, page, path_of, see_other
from service.console.prior_and_level import Conditions, conditions_of, own_conditions
from service.console.questions import (
    KINDS,
    Question,
    choices_of,
    query_words,
    read_questions,
    row_label,
    typed_question,
    words,
    written,
)
from service.console.spending import is_open, main_unit, odds_sentence
from service.pictures.forest import Section, forest, units_of
from service.pictures.frame import PictureHeader
from service.pictures.rows import Kind, Row, texts_of, unit_for
from service.pictures.scales import Unit, plain_number
from service.pictures.svg import DEFAULT_WIDTH, MOST_WIDTH, NARROW, Picture
from service.schemas.cell_names import SEPARATOR, CellNames

router = APIRouter(include_in_schema=False)
_OWN: Final = "/console/releases"
_PUBLIC: Final = "/console/public/releases"
_SHOWN: Final = 50
_ROWS: Final = 300
"""Largest number of categories in a page's table. The file contains all."""
_MOST_DRAWN: Final = 20
"""Largest number of categories in the picture of a page: the largest ones."""
_ABOUT: Final = ("release_id", "mechanism", "epsilon", "delta")
"""The columns of a file that identify the release."""
_LONG_LABEL: Final = 24
"""Longest label, in characters, beside its row. Longer labels are above their rows in a picture of width
`_LABELS_ABOVE`.
"""
_LABELS_ABOVE: Final = NARROW - 1
_ABOVE: Final = ("threshold", "probability_above", "probability_error", "method")
_MOST_DECIMALS: Final = 3
_ROUNDING: Final = 1e-9
"""Tolerance for the logarithm of a power of ten."""
_NO_END: Final = 1e300
"""Upper end in pictures and files of a ratio that has none: the largest quantile that the API returns."""
_NEXT_TO_NONE: Final = 0.05
"""Number of records below which a lower end is noted as the prior's. With no record and a prior of 1 it is 0.025
    records, with a smaller prior less.
    """
_NOT_COMPUTED: Final = frozenset({"computation-too-large", "computations-unavailable", ""})
"""Codes of problems with which the page still shows the release's own figures instead of a posterior."""
_FIELD_NAMES: Final = {
    "kind": "What do you want to know?",
    "outcome_0": "Share of the records with",
    "first_0": "Among those with",
    "second_0": "Compared with",
    "prior": "Prior",
    "level": "Probability of the intervals",
}
_PLACES: Final = {"events": "kind", "prior": "prior", "level": "level"}
_FORMULA: Final = re.compile(r"(^|[;,|\t\r\n])([\s\"']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""The places of a text at which a cell can begin that a spreadsheet reads as a formula. Spreadsheets split at `;` where
a comma is the decimal sign, and read full-width signs as the usual ones.
"""


@dataclass(frozen=True, slots=True)
class Place:
    """How a release is read: with a key, or without one if it is public."""

    api: Api
    release_id: str
    is_public: bool

    @property
    def path(self) -> str:
        return f"/v1/public/releases/{self.release_id}" if self.is_public else f"/v1/releases/{self.release_id}"

    @property
    def address(self) -> str:
        return f"{_PUBLIC if self.is_public else _OWN}/{self.release_id}"

    async def release(self) -> dict[str, Any]:
        found: dict[str, Any] | None = (answer := await self.api.send("GET", self.path)).json
        if found is None or answer.status != HTTPStatus.OK:
            raise Refused(HTTPStatus.NOT_FOUND, {"detail": "You can't read this release with your key."})
        return found

    async def posterior(self, conditions: Conditions, questions: Sequence[Question] = ()) -> dict[str, Any]:
        body = conditions.body | {"quantiles": [0.5], "events": list(questions)}
        try:
            found: dict[str, Any] = await self.api.computed(f"{self.path}/posterior", body)
        except Refused as refused:
            if questions or refused.code not in _NOT_COMPUTED:
                raise
            return {"kind": "unavailable", "reason": refused.detail}
        return found


@router.get(f"{_OWN}/{{release_id}}")
async def show_release(request: Request, release_id: str) -> Response:
    """Show a release that the visitor may read, and the free answers to questions about it."""
    here = await visit(request)
    return await _release_page(request, await _place(here, release_id), here.me)


async def _place(here: Visit, release_id: str) -> Place:
    """Return how the visitor reads a release: as a public one if they neither paid for it nor own its data."""
    answer = await here.api.send("GET", f"/v1/releases/{release_id}")
    return Place(here.api, release_id, is_public=answer.status == HTTPStatus.SEE_OTHER)


@router.get(f"{_PUBLIC}/{{release_id}}")
async def show_public_release(request: Request, release_id: str) -> Response:
    """Show a public release without a key."""
    return await _release_page(request, _public(request, release_id), None)


def _public(request: Request, release_id: str) -> Place:
    return Place(api_of(request).with_key(None), release_id, is_public=True)


@router.post(f"{_OWN}/{{release_id}}/public")
async def change_public(request: Request, release_id: str) -> Response:
    """Make a release public, or end that. This needs no key, because the owner can undo it."""
    here = await posted(request)
    here.require("owner")
    await here.api.patch(f"/v1/releases/{release_id}", {"public": here.form.text("public") == "yes"})
    return see_other(request, f"{_OWN}/{release_id}#public")


@dataclass(frozen=True, slots=True)
class Reading:
    """The questions to a release, the posterior that answers them, and sentences about refused fields."""

    conditions: Conditions
    questions: list[Question]
    posterior: dict[str, Any]
    errors: dict[str, str]
    status: int


async def _read(place: Place, release: Mapping[str, Any], typed: QueryParams) -> Reading:
    """Return the posterior and answers for the fields of the address, without those that were refused."""
    conditions, questions = own_conditions(release), read_questions(typed.getlist("q"))
    wanted = conditions
    try:
        wanted = conditions_of(typed, release)
        asked = [*questions, typed_question(typed, release, so_far=len(questions))] if typed.get("ask") else questions
        return Reading(wanted, asked, await place.posterior(wanted, asked), {}, HTTPStatus.OK.value)
    except FormError as wrong:
        errors, status = {wrong.field: wrong.sentence}, HTTPStatus.UNPROCESSABLE_ENTITY.value
    except Refused as refused:
        errors, status = at_fields(refused, _PLACES), refused.status
    if not errors.keys() & {"prior", "level"}:
        conditions = wanted
    return Reading(conditions, questions, await place.posterior(conditions, questions), errors, status)


async def _release_page(request: Request, place: Place, me: Mapping[str, Any] | None) -> Response:
    release = await place.release()
    typed = request.query_params
    reading = await _read(place, release, typed)
    conditions, posterior = reading.conditions, reading.posterior
    is_aware = posterior["kind"] == "noise_aware"
    rows = await in_thread(request, partial(_rows, release, posterior))
    unit = await in_thread(request, lambda: unit_for([each.row for each in rows], "share"))
    answers = _answers(reading)
    units = units_of(_by_kind(answers))
    name = await _name(place, release)
    shown = Shown(release, name, conditions, rows)
    origin = origin_of(request)
    records = release["record_count"]
    return await page(
        request,
        "public_release.html" if place.is_public else "release.html",
        status=reading.status,
        me=me,
        errors=reading.errors,
        field_names=_FIELD_NAMES,
        release=release,
        name=name,
        unit=main_unit(release["charged"]),
        odds=odds_sentence(release["certified"]["epsilon"], release["certified"]["delta"]),
        mechanism=(await place.api.mechanisms())[release["mechanism"]["kind"]]["name"],
        rows=[(each.row.label, texts_of(each.row, "share", unit), each.noisy) for each in rows[:_ROWS]],
        share_unit=unit.name,
        category_names=SEPARATOR.join(each["name"] for each in release["attributes"] or []) or "Category",
        posterior=posterior,
        is_aware=is_aware,
        shares_picture=await in_thread(request, partial(in_both_widths, partial(_shares_picture, shown))),
        kinds=KINDS,
        choices=choices_of(release),
        typed=typed,
        conditions=conditions,
        is_own_prior=conditions.prior == release["prior"],
        questions=[written(each) for each in reading.questions],
        answers=[_shown_answer(each, release, reading, units[each.kind]) for each in answers],
        has_prior_end={
            "shares": any(_is_of_prior(each.row, records) for each in rows),
            "answers": any(each.kind != "difference" and _is_of_prior(each.row, records) for each in answers),
        },
        own_address=_address(own_conditions(release), reading.questions),
        picture_query=conditions.with_fields(),
        forest=await in_thread(request, partial(in_both_widths, partial(_forest, shown, answers))) if answers else {},
        answers_query=_address(conditions, reading.questions),
        code=code_of(origin, place.path, conditions, reading.questions) if is_aware else [],
        address=place.address,
        is_owner=me is not None and me["principal"]["role"] == "owner",
        public_address=f"{origin}{_PUBLIC}/{place.release_id}",
        is_public=place.is_public or await _is_public(place),
    )


async def _is_public(place: Place) -> bool:
    try:
        await place.api.get(f"/v1/public/releases/{place.release_id}")
    except Refused as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
        return False
    return True


def _address(conditions: Conditions, questions: Sequence[Question]) -> str:
    return conditions.with_fields(*(("q", written(each)) for each in questions))


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """The answer to a question, and its row in the picture."""

    question: Question
    event: Mapping[str, Any]
    row: Row

    @property
    def kind(self) -> Kind:
        """The kind of axis for the answer."""
        kind: Kind = "ratio" if self.question["kind"] == "odds_ratio" else self.question["kind"]
        return kind

    @property
    def named_briefly(self) -> Row:
        """The row with the label that a picture has."""
        return replace(self.row, label=row_label(self.question))


def _answers(reading: Reading) -> list[AnswerRow]:
    events = reading.posterior["events"] if reading.posterior["kind"] == "noise_aware" else []
    return [
        AnswerRow(question, event, Row(words(question), _estimate(event), _interval(event)))
        for question, event in zip(reading.questions, events, strict=False)
    ]


def _by_kind(answers: Sequence[AnswerRow]) -> dict[Kind, list[Row]]:
    found: dict[Kind, list[Row]] = {}
    for each in answers:
        found.setdefault(each.kind, []).append(each.row)
    return found


@dataclass(frozen=True, slots=True)
class Shown:
    """A release as its pictures show it. A file has a title, which a page has as text."""

    release: Mapping[str, Any]
    name: str
    conditions: Conditions
    rows: Sequence[CategoryRow]
    is_file: bool = False

    def head(self, subtitle: str) -> PictureHeader:
        date = date_of(self.release["created_at"])
        subtitle = f"{subtitle}; prior: {self.conditions.prior_words}"
        return PictureHeader(self.name, subtitle=subtitle, date=date, is_drawn=self.is_file)


def _shares_picture(shown: Shown, width: int) -> Picture:
    """Draw the largest shares."""
    largest = sorted((each.row for each in shown.rows), key=lambda row: -(row.value or 0.0))[:_MOST_DRAWN]
    kept = {id(row) for row in largest}
    rows = [each.row for each in shown.rows if id(each.row) in kept]
    said = f"The {_MOST_DRAWN} largest of {len(shown.rows)} shares" if len(rows) < len(shown.rows) else "Shares"
    return _drawn(shown.head(f"{said} of the records, by category"), [Section("share", "share", rows)], shown, width)


def _forest(shown: Shown, answers: Sequence[AnswerRow], width: int) -> Picture:
    """Draw the answers as a forest plot."""
    axes: dict[Kind, str] = {"share": "share", "difference": "difference of shares", "ratio": "ratio"}
    rows = {kind: [each.named_briefly for each in answers if each.kind == kind] for kind in axes}
    sections = [Section(kind, axes[kind], found) for kind, found in rows.items() if found]
    return _drawn(shown.head("Shares and contrasts, from one release"), sections, shown, width)


def _drawn(head: PictureHeader, sections: Sequence[Section], shown: Shown, width: int) -> Picture:
    longest = max(len(row.label) for section in sections for row in section.rows)
    most = _LABELS_ABOVE if longest > _LONG_LABEL else MOST_WIDTH
    return forest(head, sections, shown.conditions.level, width=min(width, most))


def _is_of_prior(row: Row, records: int) -> bool:
    """Whether the data do not exclude 0: the lower end is far below one record."""
    return row.interval is not None and row.interval[0] * records < _NEXT_TO_NONE


def _shown_answer(answer: AnswerRow, release: Mapping[str, Any], reading: Reading, unit: Unit) -> dict[str, Any]:
    estimate, low, high = texts_of(answer.row, answer.kind, unit)
    if answer.event["interval"]["high"] is None:
        high = "no end"
    others = [each for each in reading.questions if each != answer.question]
    above = answer.event["above"]
    return {
        "words": answer.row.label,
        "estimate": estimate,
        "low": low,
        "high": high,
        "unit": unit.suffix,
        "above": above and sides_of(above),
        "prior": _prior_words(answer.question, release, reading.conditions.prior),
        "without": _address(reading.conditions, others),
    }


def sides_of(above: Mapping[str, Any]) -> str:
    """Return the probabilities on both sides of a threshold, or on one side if nearly all is there.

    They have at most three decimals, and no more than their error allows, as on the command line.
    """
    decimals = max(1, floor(-log10(max(above["error"], 10.0**-_MOST_DECIMALS)) + _ROUNDING))
    probability, threshold, sure = above["probability"], f"{above['threshold']:g}", f"{1 - 10.0**-decimals:g}"
    text = f"{probability:.{decimals}f}"
    if float(text) in {0.0, 1.0}:
        said = f"{'above' if probability > 0.5 else 'below'} {threshold} with probability above {sure}"
    else:
        said = f"below {threshold} with probability {1.0 - probability:.{decimals}f}, above it with {text}"
    return f"{said}, simulated" if above["method"] == "simulation" else said


def _prior_words(question: Question, release: Mapping[str, Any], prior: Sequence[float]) -> str:
    """Return the prior distribution of each share of a question."""
    shares = [question] if question["kind"] == "share" else [question["first"], question["second"]]
    return " and ".join(dict.fromkeys(_beta(each, release, prior) for each in shares))


def _beta(share: Mapping[str, Any], release: Mapping[str, Any], prior: Sequence[float]) -> str:
    names = CellNames.of_answer(release)
    among = names.matching(share["given"]) if share.get("given") else frozenset(range(names.m))
    inside = names.matching(share["where"] if "where" in share else share["labels"]) & among
    first, second = (plain_number(fsum(prior[cell] for cell in each)) for each in (inside, among - inside))
    return f"Beta({first},\N{NO-BREAK SPACE}{second})"


def _interval(answered: Mapping[str, Any]) -> tuple[float, float]:
    low, high = answered["interval"]["low"], answered["interval"]["high"]
    return low, _NO_END if high is None else high


def _estimate(event: Mapping[str, Any]) -> float:
    """Return the mean of a share, or the median of a contrast, which always exists."""
    mean, median = event["mean"], event["quantiles"][0]["value"]
    value: float = mean if event["question"]["kind"] == "share" and mean is not None else median
    return value


async def _name(place: Place, release: Mapping[str, Any]) -> str:
    """Return the name of the data set, or its id if the visitor can't read the name."""
    if place.is_public:
        return str(release["dataset_id"])
    try:
        return str((await place.api.get(f"/v1/datasets/{release['dataset_id']}"))["name"])
    except Refused:
        return str(release["dataset_id"])


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category in the table of a release: its share, and the mechanism's noisy count."""

    row: Row
    noisy: int
    prior: float


def _rows(release: Mapping[str, Any], posterior: Mapping[str, Any]) -> list[CategoryRow]:
    is_aware = posterior["kind"] == "noise_aware"
    shares = posterior["categories"] if is_aware else release["posterior"]["categories"]
    prior = posterior["prior"] if is_aware else release["prior"]
    return [
        CategoryRow(Row(each["label"], each["mean"], _interval(each) if is_aware else None), count, concentration)
        for each, count, concentration in zip(shares, release["posterior"]["noisy_counts"], prior, strict=True)
    ]


async def _placed(request: Request, release_id: str) -> Place:
    """Return how to read the release of a picture or a file: with the visitor's key, or as a public one."""
    if path_of(request).startswith(f"{_PUBLIC}/"):
        return _public(request, release_id)
    return Place((await visit(request)).api, release_id, is_public=False)


Placed: TypeAlias = Annotated[Place, Depends(_placed)]


@router.get(f"{_OWN}/{{release_id}}/picture.svg")
@router.get(f"{_PUBLIC}/{{release_id}}/picture.svg")
async def download_picture(request: Request, place: Placed) -> Response:
    """Return the picture of the answers to the questions in the address as a file; without questions, of the shares."""
    release, typed = await place.release(), request.query_params
    conditions, questions = _drawn_conditions(release, typed), read_questions(typed.getlist("q"))
    posterior = await place.posterior(conditions, questions)
    reading = Reading(conditions, questions, posterior, {}, HTTPStatus.OK)
    shown = Shown(release, await _name(place, release), conditions, _rows(release, posterior), is_file=True)
    draw = partial(_forest, shown, _answers(reading)) if questions else partial(_shares_picture, shown)
    svg = (await in_thread(request, partial(draw, width=DEFAULT_WIDTH))).document()
    return attachment(svg, f"{place.release_id}.svg", "image/svg+xml")


def _drawn_conditions(release: Mapping[str, Any], typed: QueryParams) -> Conditions:
    """Return the conditions in the address of a picture or a file. Raises Refused."""
    try:
        return conditions_of(typed, release)
    except FormError as wrong:
        raise Refused(HTTPStatus.NOT_FOUND, {"detail": wrong.sentence}) from None


@router.get(f"{_OWN}/{{release_id}}/shares.csv")
@router.get(f"{_PUBLIC}/{{release_id}}/shares.csv")
async def download(request: Request, place: Placed) -> Response:
    """Return the table of a release as a file."""
    release = await place.release()
    conditions = _drawn_conditions(release, request.query_params)
    posterior = await place.posterior(conditions)
    return await in_thread(request, partial(_shares_file, release, posterior, conditions))


def _shares_file(release: Mapping[str, Any], posterior: Mapping[str, Any], conditions: Conditions) -> Response:
    rows = _rows(release, posterior)
    attributes = release["attributes"] or []
    names = [each["name"] for each in attributes] or ["category"]
    heads = [*names, "noisy_count", "share", "low", "high", "level", "prior", *_ABOUT]
    lines = [
        [
            *map(defused, levels),
            each.noisy,
            *map(_short, (each.row.value, *(each.row.interval or (None, None)))),
            conditions.level,
            each.prior,
            *_about(release),
        ]
        for each, levels in zip(rows, CellNames.of_answer(release).levels(), strict=True)
    ]
    return _csv(f"{release['id']}-shares.csv", map(defused, heads), lines)


@router.get(f"{_OWN}/{{release_id}}/answers.csv")
@router.get(f"{_PUBLIC}/{{release_id}}/answers.csv")
async def download_answers(request: Request, place: Placed) -> Response:
    """Return the answers to the questions in the address as a file."""
    release, typed = await place.release(), request.query_params
    conditions, questions = _drawn_conditions(release, typed), read_questions(typed.getlist("q"))
    answers = _answers(Reading(conditions, questions, await place.posterior(conditions, questions), {}, 200))
    heads = ["question", "kind", "estimate", "low", "high", *_ABOVE, "level", "prior", *_ABOUT]
    lines = [
        [
            defused(each.row.label),
            each.question["kind"],
            *map(_short, (each.row.value, *(each.row.interval or (None, None)))),
            *(_threshold(each.event["above"]) if each.event["above"] else ("", "", "", "")),
            conditions.level,
            conditions.prior_words,
            *_about(release),
        ]
        for each in answers
    ]
    return _csv(f"{place.release_id}-answers.csv", heads, lines)


def _about(release: Mapping[str, Any]) -> list[str]:
    certified = release["certified"]
    return [release["id"], release["mechanism"]["kind"], certified["epsilon"], certified["delta"]]


def _threshold(above: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Return a threshold, the probability above it, its error, and how it was computed."""
    return _short(above["threshold"]), repr(above["probability"]), _short(above["error"]), above["method"]


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _csv(name: str, heads: Iterable[str], lines: Iterable[Sequence[object]]) -> Response:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(heads)
    writer.writerows(lines)
    return attachment(text.getvalue(), name, "text/csv; charset=utf-8")


def defused(label: str) -> str:
    """Return the label in a form that no spreadsheet reads as a formula."""
    return _FORMULA.sub(r"\1\2'", label)


@router.get(_OWN)
async def show_releases(request: Request) -> Response:
    """Show the releases and the query answers that the analyst paid for."""
    here = await visit(request)
    here.require("analyst")
    typed = request.query_params
    pages = {}
    for name in ("releases", "queries"):
        query = {"limit": str(_SHOWN)} | ({"cursor": typed[name]} if typed.get(name) else {})
        pages[name] = await here.api.get(f"/v1/{name}", **query)
    datasets, grants = await here.api.items("/v1/datasets"), await here.api.items("/v1/grants")
    asked = await asyncio.gather(*(_asked(here.api, each) for each in pages["queries"]["items"]))
    return await here.page(
        "releases.html",
        grants=[(each, main_unit(each["cap"])) for each in grants if is_open(each)][:_SHOWN],
        asked=asked,
        releases=pages["releases"],
        queries=pages["queries"],
        names={each["id"]: each["name"] for each in datasets},
        unit_of=main_unit,
        mechanisms=await here.api.mechanisms(),
    )


async def _asked(api: Api, answers: Mapping[str, Any]) -> str:
    """Return the first query of a release in words; empty while its measurements are pending."""
    if answers["state"] != "complete":
        return ""
    queries = (await api.get(f"/v1/queries/{answers['id']}"))["queries"]
    more = f", and {len(queries) - 1} more" if len(queries) > 1 else ""
    return f"{query_words(queries[0])}{more}"
