"""The files of a release's page: its data, its picture, a script that repeats it, and a report in words."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from service.console.answers import AnswerRow, CategoryRow, Shown, categories, listed
from service.console.api import Refused
from service.console.code_examples import Figure, code_of
from service.console.pages import attachment, in_thread, origin_of
from service.console.releases import MARGINS, OWN, PUBLIC, PUBLIC_MARGINS, Place, Reading, placed, read
from service.console.report import Report
from service.pictures.svg import DEFAULT_WIDTH
from service.schemas.cell_names import CellNames

router = APIRouter(include_in_schema=False)
CSV: Final = "text/csv; charset=utf-8"
_TEXT: Final = "text/plain; charset=utf-8"
_RELEASE_COLUMNS: Final = ("release_id", "mechanism", "epsilon", "delta")
"""The columns of a file that identify the release."""
_THRESHOLD_COLUMNS: Final = ("threshold", "probability_above", "probability_error", "method")
_FORMULA: Final = re.compile(r"(^|[;,|\t\r\n])([\s\"']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""The places of a text at which a cell can begin that a spreadsheet reads as a formula. Spreadsheets split at `;` where
a comma is the decimal sign, and read full-width signs as the usual ones.
"""


@dataclass(frozen=True, slots=True)
class Contents:
    """The content of a release's page, from which its files are made. `server` is the address of the service."""

    place: Place
    release: Mapping[str, Any]
    reading: Reading
    name: str
    mechanism: Mapping[str, Any]
    server: str

    @property
    def rows(self) -> list[CategoryRow]:
        return categories(self.release, self.reading.posterior)

    @property
    def answers(self) -> Sequence[AnswerRow]:
        """The answers to the question. Raises Refused if there is none."""
        answered = self.reading.answered
        if answered is None:
            raise Refused(HTTPStatus.NOT_FOUND, {"detail": "This address has no question."})
        return answered.rows

    def shares_csv(self) -> str:
        cells = CellNames.of_answer(self.release)
        names = [each.name for each in cells.attributes or []] or ["category"]
        heads = [*names, "noisy_count", "share", "low", "high", "level", "prior", *_RELEASE_COLUMNS]
        lines = [
            [
                *map(defused, cell),
                each.noisy,
                *map(_short_number, (each.row.value, *(each.row.interval or (None, None)))),
                self.reading.conditions.level,
                each.prior,
                *self._release_cells(),
            ]
            for each, cell in zip(self.rows, cells.levels(), strict=True)
        ]
        return csv_text(map(defused, heads), lines)

    def answers_csv(self) -> str:
        heads = [
            "question",
            "kind",
            "estimate",
            "low",
            "high",
            *_THRESHOLD_COLUMNS,
            "level",
            "prior",
            *_RELEASE_COLUMNS,
        ]
        lines = [
            [
                defused(each.row.label),
                each.measure,
                *map(_short_number, (each.row.value, *(each.row.interval or (None, None)))),
                *(_threshold(each.above) if each.above else ("", "", "", "")),
                self.reading.conditions.level,
                self.reading.conditions.prior_words,
                *self._release_cells(),
            ]
            for each in self.answers
        ]
        return csv_text(heads, lines)

    def _release_cells(self) -> list[str]:
        certified = self.release["certified"]
        return [self.release["id"], self.release["mechanism"]["kind"], certified["epsilon"], certified["delta"]]

    def data_json(self) -> str:
        document = {"release": self.release, "posterior": self.reading.posterior}
        return json.dumps(document, ensure_ascii=False, indent=1)

    def picture_svg(self) -> str:
        shown = Shown(self.release, self.name, self.reading.conditions, is_file=True)
        if self.reading.answered:
            return shown.answer(self.reading.answered, DEFAULT_WIDTH).document()
        largest = listed(self.rows, QueryParams())
        return shown.shares(largest.rows[: largest.first], DEFAULT_WIDTH).document()

    def code(self, language: str) -> str:
        reading, answered = self.reading, self.reading.answered
        request = reading.question.request if reading.question else {}
        figures = (
            [Figure(each.row.label, each.path, each.statistic) for each in answered.rows if each.path]
            if answered
            else []
        )
        place = self.place
        body = place.sources | reading.conditions.body | request
        codes = code_of(self.server + place.path, self.server + place.posteriors, body, figures)
        return dict(codes)[language]

    def report(self) -> str:
        reading, address = self.reading, f"{self.server}{self.place.address}"
        return Report(self.release, self.name, reading.conditions, self.mechanism, address).text(reading.answered)


_MAKERS: Final[dict[str, tuple[str, Callable[[Contents], str]]]] = {
    "shares.csv": (CSV, Contents.shares_csv),
    "answers.csv": (CSV, Contents.answers_csv),
    "data.json": ("application/json", Contents.data_json),
    "picture.svg": ("image/svg+xml", Contents.picture_svg),
    "repeat.py": (_TEXT, lambda contents: contents.code("Python")),
    "repeat.R": (_TEXT, lambda contents: contents.code("R")),
    "repeat.sh": (_TEXT, lambda contents: contents.code("curl")),
    "report.txt": (_TEXT, Contents.report),
}
Placed: TypeAlias = Annotated[Place, Depends(placed)]


@router.get(f"{OWN}/{{release_id}}/{{file}}")
@router.get(f"{PUBLIC}/{{release_id}}/{{file}}")
@router.get(f"{MARGINS}/{{release_id}}/{{number}}/{{file}}")
@router.get(f"{PUBLIC_MARGINS}/{{release_id}}/{{number}}/{{file}}")
async def download(request: Request, place: Placed, file: str) -> Response:
    """Return a file about a release and the answer to the question in the address."""
    if file not in _MAKERS:
        raise Refused(HTTPStatus.NOT_FOUND, {"detail": "Nothing has this address."})
    release = await place.release()
    reading = await read(place, release, request.query_params, needs_posterior=not file.startswith("repeat."))
    if reading.errors:
        raise Refused(HTTPStatus.NOT_FOUND, {"detail": next(iter(reading.errors.values()))})
    mechanism = (await place.api.mechanisms())[release["mechanism"]["kind"]]
    contents = Contents(place, release, reading, await place.name(release), mechanism, origin_of(request))
    media_type, make = _MAKERS[file]
    text = await in_thread(request, lambda: make(contents))
    return attachment(text, f"{place.release_id}-{file}", media_type)


def csv_text(heads: Iterable[str], lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(heads)
    writer.writerows(lines)
    return text.getvalue()


def _threshold(above: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Return a threshold, the probability above it, its error, and how it was computed."""
    return _short_number(above["threshold"]), repr(above["probability"]), _short_number(above["error"]), above["method"]


def _short_number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def defused(label: str) -> str:
    """Return the label in a form that no spreadsheet reads as a formula."""
    return _FORMULA.sub(r"\1\2'", label)
