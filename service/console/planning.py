"""An analyst's plan: guessed counts, the share of interest, and the expected accuracy of each mechanism at each ε."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import floor, log10
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from service.console.forms import with_point
from service.console.pages import number
from service.console.prior_and_level import prior_of
from service.console.questions import Cells, Question, cells_of, row_label
from service.console.spending import SYMBOLS
from service.pictures.scales import PER_100_000, POINTS, Unit, unit_of_shares
from service.posteriors.odds import odds_factor
from service.schemas.cell_names import SEPARATOR, CellNames

PRESETS: Final = {
    "even": "all counts alike",
    "rare": "a share of 1 in 100",
    "very_rare": "a share of 1 in 1\N{NARROW NO-BREAK SPACE}000",
}
"""Guesses that a button fills in."""
MOST_CATEGORIES: Final = 1000
"""Largest number of categories of a table of made-up counts."""
_ONE_IN: Final = {"rare": 100, "very_rare": 1000}
_MADE_UP_RECORDS: Final = 1000
"""Number of made-up records, used if the true number is not public."""
_DIGITS: Final = ("1", "1.5", "2", "3", "5", "7")
_ROUND: Final = [f"{Decimal(digits).scaleb(power):f}" for power in (-3, -2, -1, 0) for digits in _DIGITS] + ["10"]
"""Round values of ε."""
_LEAST, _LARGEST = Decimal("0.01"), Decimal(10)
_NEAR_EXACT: Final = 1.5
"""Largest ratio of a suggested point's interval width to the width from exact counts."""


def cell_titles(data: Mapping[str, Any]) -> list[str]:
    """Return the name of each cell, with the name of each attribute: “vaccine yes · region North”."""
    if not data["attributes"]:
        return list(data["labels"])
    names = [each["name"] for each in data["attributes"]]
    return [
        SEPARATOR.join(f"{name} {level}" for name, level in zip(names, levels, strict=True))
        for levels in CellNames.of_answer(data).levels()
    ]


def _positions(data: Mapping[str, Any], cells: Cells | None) -> frozenset[int]:
    names = CellNames.of_answer(data)
    return frozenset(range(names.m)) if cells is None else names.matching(cells)


@dataclass(frozen=True, slots=True)
class Guess:
    """The typed fields of a plan. The share of interest is that of the cells `outcome` among the cells `given`."""

    counts: list[str]
    outcome: Cells
    given: Cells | None
    delta: str
    prior: str

    @property
    def words(self) -> str:
        """The name of the share."""
        question: Question = {"kind": "share", "labels" if isinstance(self.outcome, list) else "where": self.outcome}
        return row_label(question if self.given is None else question | {"given": self.given})

    @property
    def wholes(self) -> list[int | str]:
        """The counts as integers. A text that is not a count stays as it was typed."""
        return [_whole(each) for each in self.counts]

    def body(self, data: Mapping[str, Any], epsilons: Sequence[str]) -> dict[str, Any]:
        """Return the body of a request for a plan. Raises FieldError."""
        labels = data["labels"]
        question: dict[str, Any] = {
            "kind": "share",
            "labels": [labels[cell] for cell in sorted(_positions(data, self.outcome))],
        }
        if self.given is not None:
            question["given"] = [labels[cell] for cell in sorted(_positions(data, self.given))]
        return {
            "prior": prior_of(self.prior, data["category_count"]),
            "data": {"kind": "counts", "counts": self.wholes},
            "epsilons": list(epsilons),
            "delta": self.delta,
            "labels": labels,
            "questions": [question],
            "records_per_unit": data["records_per_unit"],
        }

    def share(self, data: Mapping[str, Any]) -> tuple[int, int]:
        """Return the guessed number of records that the share counts, and of those among which it counts them."""
        counts = self.wholes
        base = _positions(data, self.given)
        inside = _positions(data, self.outcome) & base
        sums = [sum(each for cell in group if isinstance(each := counts[cell], int)) for group in (inside, base)]
        return sums[0], sums[1]


def guess_of(typed: QueryParams, data: Mapping[str, Any], allowance: Mapping[str, Any] | None) -> Guess:
    """Return the guess in the fields of the form, with presets for the empty fields."""
    outcome = cells_of(typed, "outcome", data) or _first_outcome(data)
    counts = typed.getlist("count") or typed.get("counts", "").split("_")
    preset = typed.get("preset", "")
    if preset in PRESETS or len(counts) != data["category_count"]:
        counts = _preset_counts(preset, data, outcome)
    delta = with_point(typed.get("delta", "")) or preset_delta(allowance)
    return Guess(counts, outcome, cells_of(typed, "given", data), delta, typed.get("prior", "").strip() or "1")


def _first_outcome(data: Mapping[str, Any]) -> Cells:
    """Return the first level of the last attribute that has several levels: analysts often want its share."""
    several = [each for each in data["attributes"] or [] if len(each["levels"]) > 1]
    return {several[-1]["name"]: several[-1]["levels"][:1]} if several else list(data["labels"][:1])


def _preset_counts(preset: str, data: Mapping[str, Any], outcome: Cells) -> list[str]:
    """Return made-up counts: all records spread evenly over the cells, or a small preset number of them in the
    outcome's cells.
    """
    records, cells_ = data["record_count"] or _MADE_UP_RECORDS, range(data["category_count"])
    inside = _positions(data, outcome)
    if preset not in _ONE_IN or not 0 < len(inside) < len(cells_):
        return _spread(records, len(cells_))
    few = records // _ONE_IN[preset]
    cases, others = iter(_spread(few, len(inside))), iter(_spread(records - few, len(cells_) - len(inside)))
    return [next(cases if cell in inside else others) for cell in cells_]


def _spread(records: int, count: int) -> list[str]:
    return [str(records // count + (place < records % count)) for place in range(count)]


def preset_delta(allowance: Mapping[str, Any] | None) -> str:
    """Return the default δ: a power of ten that is at most a tenth of the largest δ that one release may cost."""
    largest = Decimal(allowance["largest_possible_charge"]["delta"]) if allowance else Decimal(0)
    return f"1e{largest.adjusted() - 1}" if 0 < largest < 1 and largest.adjusted() > -18 else "0"


def _whole(text: str) -> int | str:
    plain = re.sub(r"[\s\u202f,.]", "", text)
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= 16 else text


def epsilons(allowance: Mapping[str, Any] | None) -> list[str]:
    """Return the values of ε that are shown: round values, one above the remaining ε if possible, and the remaining ε
    itself.
    """
    left = Decimal((allowance["largest_possible_charge"].get("epsilon") if allowance else None) or 0)
    least = min(_LEAST, left / 20) if left else _LEAST
    found = [each for each in _ROUND if Decimal(each) >= least]
    if not left:
        return found
    if left <= _LARGEST and left not in map(Decimal, found) and left >= Decimal(found[0]):
        found = sorted([*found, f"{left.normalize():f}"], key=Decimal)
    above = [each for each in found if Decimal(each) > left]
    return found[: len(found) - len(above) + 1]


@dataclass(frozen=True, slots=True)
class ShareUnit:
    """The unit of a share and its intervals: percent, or per 100 000 for a rare share."""

    share: float

    @property
    def _unit(self) -> Unit:
        return unit_of_shares(self.share)

    @property
    def of_widths(self) -> Unit:
        return PER_100_000 if self._unit is PER_100_000 else POINTS

    @property
    def unit(self) -> str:
        return self._unit.name

    @property
    def width_unit(self) -> str:
        """The name of the unit of half-widths and interval ends."""
        return self.of_widths.name

    @property
    def _factor(self) -> float:
        return self._unit.factor

    def half(self, width: float) -> str:
        """Return half of an interval's width, with two digits and without its unit."""
        half = self._factor * width / 2
        return _rounded(half, _decimals(half))

    def ends(self, interval: Mapping[str, float]) -> str:
        """Return both ends of an interval, with as many decimals as its half-width."""
        decimals = _decimals(self._factor * (interval["high"] - interval["low"]) / 2)
        low, high = (_rounded(self._factor * interval[end], decimals) for end in ("low", "high"))
        return f"{low} to {high}"

    def value(self) -> str:
        """Return the share with its unit."""
        value = self._factor * self.share
        return f"{_rounded(value, _decimals(value))}\N{NO-BREAK SPACE}{self.unit}"


def _decimals(value: float) -> int:
    """Return the number of decimals that shows two significant digits; below 0 for a value from 100 on."""
    return 1 - floor(log10(abs(float(f"{value:.2g}")))) if value else 0


def _rounded(value: float, decimals: int) -> str:
    value = round(value, decimals)
    return f"{value:.{decimals}f}" if decimals > 0 else number(value)


@dataclass(frozen=True, slots=True)
class Step:
    """A value of ε, and the point of each mechanism at this ε, by the mechanism's kind."""

    epsilon: str
    odds: str
    points: Mapping[str, Mapping[str, Any]]


def steps_of(
    found: Mapping[str, Any], allowance: Mapping[str, Any] | None, scale: ShareUnit, context: Mapping[str, str]
) -> list[Step]:
    """Return a step for each ε of the plan up to the first ε that one release can't spend.

    `context` is added to the address of each quote.
    """
    steps = []
    for point in found["points"]:
        shown = {}
        for option in point["options"]:
            if not option["intervals"]:
                continue
            interval, loss = option["intervals"][0], option["certified"]
            shown[option["kind"]] = option | {
                "epsilon": point["epsilon"],
                "width": interval["width"],
                "half": scale.half(interval["width"]),
                "ends": scale.ends(interval),
                "odds": odds_factor(Decimal(loss["epsilon"])),
                "possible": allowance is not None and is_possible(loss, allowance),
                "quote": urlencode(
                    {"mechanism": json.dumps(option["mechanism"]), "epsilon": point["epsilon"], **context}
                ),
            }
        if not shown:
            continue
        most = max((each["certified"]["epsilon"] for each in shown.values()), key=Decimal)
        steps.append(Step(point["epsilon"], odds_factor(Decimal(most)), shown))
        if allowance is not None and allowance["can_release"] and not any(each["possible"] for each in shown.values()):
            break
    return steps


def reasons_of(found: Mapping[str, Any]) -> dict[str, str]:
    """Return, for each kind of mechanism without an interval at any ε, the reason at the largest ε."""
    options = [option for point in found["points"] for option in point["options"]]
    known = {option["kind"] for option in options if option["intervals"]}
    return {
        option["kind"]: option["unavailable_reason"] or option["intervals_unavailable_reason"] or ""
        for option in options
        if option["kind"] not in known
    }


def is_possible(loss: Mapping[str, Any], allowance: Mapping[str, Any]) -> bool:
    """Return whether one release may cost this loss."""
    largest = allowance["largest_possible_charge"]
    # Under ρ, the δ of a loss only converts ρ to ε. It is not charged.
    cost = {"rho": loss["rho"]} if largest["accountant"] == "zcdp" else loss
    return allowance["can_release"] and not lacking(cost, largest)


def lacking(cost: Mapping[str, Any], largest: Mapping[str, Any]) -> list[str]:
    """Return the symbols of the amounts whose cost exceeds the largest possible charge of one release."""
    both = [name for name in SYMBOLS if name in cost and largest.get(name) is not None]
    return [SYMBOLS[name] for name in both if cost[name] is None or Decimal(cost[name]) > Decimal(largest[name])]


def suggested(steps: Sequence[Step], kind: str, exact: float, *, granted: bool) -> int:
    """Return the position of the cheapest step whose interval is nearly as narrow as that of exact counts.

    If no possible step is that precise, return the largest one that spends at most half of the largest possible ε.
    """
    within = [
        place
        for place, step in enumerate(steps)
        if kind in step.points and (step.points[kind]["possible"] or not granted)
    ]
    if not within:
        return next((place for place, step in enumerate(steps) if kind in step.points), 0)
    for place in within:
        if steps[place].points[kind]["width"] <= _NEAR_EXACT * exact:
            return place
    most = Decimal(steps[within[-1]].epsilon) / 2
    return [within[0], *(place for place in within if Decimal(steps[place].epsilon) <= most)][-1]
