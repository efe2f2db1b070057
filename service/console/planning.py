"""An analyst's plan: guessed counts, the question, and what each mechanism gives at each charge."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from service.console.forms import FormError, with_point
from service.console.questions import (
    KINDS,
    Question,
    fields_of,
    likely_level,
    likely_outcome,
    question_of,
    share_of,
)
from service.console.spending import SYMBOLS, main_unit
from service.console.units import UPPER_LOWER, RatioUnit, ShareUnit, unit_of
from service.posteriors.odds import about_a_fact, odds_factor
from service.schemas.cell_names import SEPARATOR, CellNames, cell_words

MOST_CATEGORIES: Final = 1000
"""Largest number of categories of a table of made-up counts."""
MERGES: Final = {
    "": "every category",
    "attributes": "the question’s columns",
    "groups": "the question’s groups",
}
"""The tables that a planned release can count, in words."""
FILLING: Final = ("rate", "records")
"""The fields from which counts are computed."""
_MOST_SETS: Final = 3
"""Number of merged sets, and of labels in each, that are shown."""
_STATED_DELTA: Final = "1e-6"
_MADE_UP_RECORDS: Final = 1000
"""Number of made-up records, if the true number is not public and none is guessed."""
_DIGITS: Final = ("1", "2", "5")
_ROUND: Final = [f"{Decimal(digits).scaleb(power):f}" for power in (-3, -2, -1, 0) for digits in _DIGITS] + ["10"]
"""Round values of ε."""
_ROUND_RHO: Final = [f"{Decimal(digits).scaleb(power):f}" for power in (-4, -3, -2, -1, 0) for digits in _DIGITS]
"""Round values of ρ."""
CONTRASTS: Final = ("difference", "ratio", "odds_ratio")
"""The contrasts of a trial, in the order in which `/v1` returns them."""
_LEAST_CHARGE: Final = {"epsilon": Decimal("0.01"), "rho": Decimal("0.0001")}
_LARGEST_CHARGE: Final = Decimal(10)
_LESS_OFTEN: Final = 0.05
"""An interval that contains the guess less often than its level by more than this is marked."""
_MOST_POINTS: Final = 7
"""Largest number of charges, if a plan has several questions."""


def cell_titles(data: Mapping[str, Any]) -> list[str]:
    """Return the name of each cell, with the name of each attribute: “vaccine yes · region North”."""
    if not data["attributes"]:
        return list(data["labels"])
    names = [each["name"] for each in data["attributes"]]
    return [
        SEPARATOR.join(f"{name} {level}" for name, level in zip(names, levels, strict=True))
        for levels in CellNames.of_answer(data).levels()
    ]


def _positions(names: CellNames, cells: Mapping[str, Any] | None) -> frozenset[int]:
    return frozenset(range(names.m)) if cells is None else names.matching(cells)


def _sides(question: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the shares of a question in the form of `/v1`."""
    return [question] if question["kind"] == "share" else [question["first"], question["second"]]


@dataclass(frozen=True, slots=True)
class Guess:
    """The typed fields of a plan. `records`: the number of records, guessed if it is private. `are_alike`: whether the
    counts are made up, one like the other. `merge`: what is counted as one before the noise, one of `MERGES`.
    """

    counts: list[str]
    question: Question
    delta: str
    prior: str
    records: int
    are_alike: bool = False
    are_exact: bool = False
    merge: str = ""

    @property
    def wholes(self) -> list[int | str]:
        """The counts as integers. A text that is not a count stays as it was typed."""
        return [_parse_whole_number(each) for each in self.counts]

    @property
    def is_one(self) -> bool:
        """Whether the plan is for one question: not for a trial, nor for each level of an attribute."""
        return self.question.kind != "trial" and not self.question.by

    @property
    def main(self) -> int:
        """The position, in the answer, of the question that is plotted: the risk ratio of a trial."""
        return 3 if self.question.kind == "trial" else 0

    def body(self, data: Mapping[str, Any], charges: Sequence[str]) -> dict[str, Any]:
        """Return the body of a request for a plan. Raises FormError."""
        asked: dict[str, Any] = {"questions": [self.question.planned]} if self.is_one else self.question.request
        attributes = {"attributes": data["attributes"]} if data["attributes"] else {}
        return (
            asked
            | attributes
            | self.merged(data)
            | {
                "data": {"kind": "counts", "counts": self.wholes},
                "counts": "exact" if self.are_exact else "drawn",
                "accountant": data["accountant"],
                f"{main_unit(data)}s": list(charges),
                "delta": self.delta,
                "labels": data["labels"],
                "records_per_unit": data["records_per_unit"],
                "relation": data["relation"],
            }
        )

    def merged(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the field of a plan or a release with the merged sets of labels; nothing if none are merged."""
        names = CellNames.of_answer(data)
        sets = self._sets(names) if self.merge else []
        return {"merged": sets} if sets else {}

    def merged_words(self, data: Mapping[str, Any]) -> str:
        """Return the merged sets in words; empty if none are merged."""
        return sets_in_words(self.merged(data).get("merged", []))

    def _sets(self, names: CellNames) -> list[list[str]]:
        """Return the labels that are counted as one: those in groups of the question, or of the attributes in it."""
        sets = []
        strata = names.groups([self.question.by]).values() if self.question.by else [_positions(names, None)]
        for share in _sides(self.question.planned):
            base = _positions(names, share.get("within"))
            inside = names.matching(share["of"]) & base
            sets += [each & stratum for each in (inside, base) for stratum in strata]
        groups = names.told_apart(sets)
        if self.merge == "groups" or (attributes := names.attributes_for(groups)) is None:
            return names.sets_of(groups)
        return names.sets_of(names.groups(attributes).values())

    def parts(self, data: Mapping[str, Any]) -> list[tuple[int, int]]:
        """Return the guessed number of records that each share counts, and of those among which it counts them."""
        counts, names = self.wholes, CellNames.of_answer(data)
        found = []
        for share in _sides(self.question.planned):
            base = _positions(names, share.get("within"))
            inside = names.matching(share["of"]) & base
            sums = [sum(each for cell in group if isinstance(each := counts[cell], int)) for group in (inside, base)]
            found.append((sums[0], sums[1]))
        return found

    def unit(self, data: Mapping[str, Any]) -> ShareUnit | RatioUnit:
        """Return the unit of the widths of the question's intervals."""
        shares = [cases / among if among else 0.0 for cases, among in self.parts(data)]
        return unit_of(self.question.kind, shares)

    def rows(self, data: Mapping[str, Any], found: Mapping[str, Any]) -> list[tuple[str, ShareUnit | RatioUnit]]:
        """Return the name and the unit of each question in an answer."""
        unit, groups = self.unit(data), self.question.groups
        if self.question.kind != "trial":
            return [(each["stratum"] or "all", unit) for each in found["without_noise"]]
        shares = [cases / among if among else 0.0 for cases, among in self.parts(data)]
        risks = [(f"Risk, {group}", unit_of("share", [share])) for group, share in zip(groups, shares, strict=True)]
        return [*risks, *((KINDS[kind].capitalize(), unit_of(kind, shares)) for kind in CONTRASTS)]


def sets_in_words(sets: Sequence[Sequence[str]]) -> str:
    """Return sets of labels in words."""
    more = f"; {len(sets) - _MOST_SETS} more" if len(sets) > _MOST_SETS else ""
    shown = [
        cell_words(each) if len(each) <= _MOST_SETS else f"{cell_words(each[:1])} and {len(each) - 1} more"
        for each in sets[:_MOST_SETS]
    ]
    return "; ".join(shown) + more


def guess_of(typed: QueryParams, data: Mapping[str, Any], allowance: Mapping[str, Any] | None) -> Guess:
    """Return the guess in the fields of the form. Raises FormError.

    Without counts, or if all are alike, it has a number of cases like the typed rate. The form has the rate and the
    number of records from which its counts were computed in fields `filled_`.
    """
    question = question_of(typed, data) if fields_of(typed) else first_question(data)
    counts = typed.getlist("count") or typed.get("counts", "").split("_")
    rate = typed.get("rate", "").strip()
    records = data["record_count"] or _records(typed.get("records", "").strip())
    unused = [name for name in FILLING if typed.get(name) and typed.get(f"filled_{name}", typed[name]) != typed[name]]
    if typed.get("fill") or len(counts) != data["category_count"] or (unused and _are_alike(counts)):
        counts = _made_up_counts(data, question, records, share_of(rate, "rate") if rate else None)
    elif unused:
        raise FormError(unused[0], "Press “Fill in” to compute the counts from this, or clear this field to keep them.")
    delta = with_point(typed.get("delta", "")) or preset_delta(allowance)
    prior = typed.get("prior", "").strip() or "1"
    merge = typed.get("merge", "") if typed.get("merge") in MERGES else ""
    are_alike = not rate and _are_alike(counts)
    return Guess(counts, question, delta, prior, records, are_alike, typed.get("exact") == "yes", merge)


def _records(typed: str) -> int:
    """Return the guessed number of records, or the number of made-up ones if none is guessed. Raises FormError."""
    found = _parse_whole_number(typed) if typed else _MADE_UP_RECORDS
    if not isinstance(found, int) or found < 1:
        raise FormError("records", "Enter your guess of the number of records, such as 2 000.")
    return found


def first_question(data: Mapping[str, Any]) -> Question:
    """Return the question of a form that is not filled in yet: the share that analysts often want."""
    if not data["attributes"]:
        return Question("share", [likely_level(data["labels"])])
    outcome = data["attributes"][likely_outcome(data)]
    return Question("share", {outcome["name"]: [likely_level(outcome["levels"])]})


def _made_up_counts(data: Mapping[str, Any], question: Question, records: int, rate: float | None) -> list[str]:
    """Return made-up counts. Without a rate, all records are spread evenly over the cells. With one, this share of them
    is spread over the cells that the question counts, and the remainder over the others.
    """
    names = CellNames.of_answer(data)
    inside = frozenset[int]().union(*(names.matching(each["of"]) for each in _sides(question.planned)))
    if rate is None or not 0 < len(inside) < names.m:
        inside, rate = frozenset(range(names.m)), 1.0
    few, given = round(rate * records), Counter[tuple[int, str]]()
    others = frozenset(range(names.m)) - inside
    levels = names.levels()
    found = _spread(few, inside, levels, given) | _spread(records - few, others, levels, given)
    return [str(found[cell]) for cell in range(names.m)]


def _spread(
    records: int,
    cells: Iterable[int],
    levels: Sequence[Sequence[str]],
    given: Counter[tuple[int, str]],
    axis: int = 0,
) -> dict[int, int]:
    """Return records of each cell, evenly over the levels of each attribute. `given` counts the records that each level
    got beyond its even part.
    """
    groups: dict[str, list[int]] = {}
    for cell in sorted(cells):
        groups.setdefault(levels[cell][axis], []).append(cell)
    size = sum(map(len, groups.values()))
    parts = {level: divmod(records * len(of), size) for level, of in groups.items()}
    by_given = sorted((level for level in groups if parts[level][1]), key=lambda level: given[axis, level])
    more = {*by_given[: records - sum(part for part, _ in parts.values())]}
    given.update((axis, level) for level in more)
    found: dict[int, int] = {}
    for level, of in groups.items():
        count = parts[level][0] + (level in more)
        found |= {of[0]: count} if len(of) == 1 else _spread(count, of, levels, given, axis + 1)
    return found


def _are_alike(counts: Sequence[str]) -> bool:
    numbers = [each for each in map(_parse_whole_number, counts) if isinstance(each, int)]
    return len(numbers) == len(counts) and max(numbers) - min(numbers) <= 1


def preset_delta(allowance: Mapping[str, Any] | None) -> str:
    """Return the default δ: a power of ten that is at most a tenth of the largest δ that one release may cost. Under ρ
    it is not charged: it is the δ at which an ε is stated.
    """
    if allowance and allowance["largest_possible_charge"]["accountant"] == "zcdp":
        return _STATED_DELTA
    largest = Decimal(allowance["largest_possible_charge"]["delta"]) if allowance else Decimal(0)
    return f"1e{largest.adjusted() - 1}" if 0 < largest < 1 and largest.adjusted() > -18 else "0"


def _parse_whole_number(text: str) -> int | str:
    plain = re.sub(r"[\s\u202f,.]", "", text)
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= 16 else text


def charges(data: Mapping[str, Any], allowance: Mapping[str, Any] | None, *, is_one: bool = True) -> list[str]:
    """Return the charges that are shown: round values, one above what remains if possible, and what remains itself;
    fewer if a plan is not for one question.
    """
    found = _shown_charges(main_unit(data), allowance)
    return found if is_one else found[-_MOST_POINTS:]


def _shown_charges(unit: str, allowance: Mapping[str, Any] | None) -> list[str]:
    left = Decimal((allowance["largest_possible_charge"].get(unit) if allowance else None) or 0)
    least = min(_LEAST_CHARGE[unit], left / 20) if left else _LEAST_CHARGE[unit]
    found = [each for each in (_ROUND_RHO if unit == "rho" else _ROUND) if Decimal(each) >= least]
    if not left:
        return found
    if left <= _LARGEST_CHARGE and left not in map(Decimal, found) and left >= Decimal(found[0]):
        found = sorted([*found, f"{left.normalize():f}"], key=Decimal)
    above = [each for each in found if Decimal(each) > left]
    return found[: len(found) - len(above) + 1]


@dataclass(frozen=True, slots=True)
class Step:
    """A charge, and the point of each mechanism at this charge, by the mechanism's kind. `recommended` is a kind.
    `beside` is the interval at a public number of records, if the plan is for a private one.
    """

    charge: str
    odds: str
    points: Mapping[str, Mapping[str, Any]]
    recommended: str
    beside: Mapping[str, Any] | None


def steps_of(
    found: Mapping[str, Any],
    allowance: Mapping[str, Any] | None,
    units: Sequence[ShareUnit | RatioUnit],
    main: int,
    context: Mapping[str, str],
) -> list[Step]:
    """Return a step for each charge of the plan up to the first one that one release can't spend.

    `units` are the units of the questions, and `main` is the position of the plotted question. `context` is added to
    the address of each quote.
    """
    steps = []
    relation, scale = found["protects"][0]["relation"], units[main]
    for point in found["points"]:
        shown, charge = {}, point["epsilon"] or point["rho"]
        for option in options_of(point).values():
            if not option["intervals"]:
                continue
            interval, loss = option["intervals"][main], option["certified"]
            shown[option["kind"]] = (
                option
                | _interval_cell(scale, interval)
                | {
                    "charge": charge,
                    "shown": scale.shown(interval["width"]),
                    "often": often(interval),
                    "misses": interval["contains"] < found["level"] - _LESS_OFTEN,
                    "every": [unit.ends(each) for unit, each in zip(units, option["intervals"], strict=True)],
                    "odds": _odds(loss["epsilon"], relation),
                    "possible": allowance is not None and is_possible(loss, allowance),
                    "quote": urlencode({"mechanism": json.dumps(option["mechanism"]), "amount": charge, **context}),
                }
            )
        if not shown:
            continue
        most = max((each["certified"]["epsilon"] for each in shown.values()), key=Decimal)
        public = point["at_public_size"]
        beside = _interval_cell(scale, public["intervals"][main]) if public and public["intervals"] else None
        best = point["recommended"]["kind"] if point["recommended"] else ""
        steps.append(Step(charge, _odds(most, relation), shown, best if best in shown else next(iter(shown)), beside))
        if allowance is not None and allowance["can_release"] and not any(each["possible"] for each in shown.values()):
            break
    return steps


def often(interval: Mapping[str, Any]) -> str:
    """Return how often an interval contains the guess and decides."""
    decides = "" if interval["decides"] is None else f", decides {_percent(interval['decides'])}"
    return f"contains it {_percent(interval['contains'])}{decides}"


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.0f}\N{NO-BREAK SPACE}%"


def _interval_cell(scale: ShareUnit | RatioUnit, interval: Mapping[str, float]) -> dict[str, Any]:
    """Return an interval as a cell of the table shows it."""
    width = interval["width"]
    return {"width": width, "cell": scale.shown(width).removeprefix(UPPER_LOWER), "ends": scale.ends(interval)}


def _odds(epsilon: str, relation: str) -> str:
    """Return the factor by which a loss raises odds of a fact about a person."""
    return odds_factor(about_a_fact(Decimal(epsilon), Decimal(0), relation)[0])


def options_of(point: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return an option of each kind of mechanism at one ε: of several calibrations, the first that has intervals, or
    that can run.
    """
    found: dict[str, dict[str, Any]] = {}
    for option in sorted(point["options"], key=lambda each: (not each["intervals"], each["mechanism"] is None)):
        found.setdefault(option["kind"], option)
    return {kind: found[kind] for kind in dict.fromkeys(each["kind"] for each in point["options"])}


def reasons_of(found: Mapping[str, Any]) -> dict[str, str]:
    """Return, for each kind of mechanism without an interval at any charge, the reason."""
    reasons = {each["kind"]: each["reason"] for each in reversed(found["not_planned"])}
    options = [option for point in found["points"] for option in point["options"]]
    known = {option["kind"] for option in options if option["intervals"]}
    reasons |= {each["kind"]: each["intervals_unavailable_reason"] or each["unavailable_reason"] for each in options}
    return {kind: reason for kind, reason in reasons.items() if kind not in known and reason}


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


@dataclass(frozen=True, slots=True)
class Smaller:
    """A smaller table that answers the question for less, in words, and the addresses of its plan and of its quote."""

    words: str
    count: int
    whole: str
    needed: str
    width: str
    whole_width: str
    plan: str
    quote: str


def smaller_tables(
    found: Mapping[str, Any], scale: ShareUnit | RatioUnit, main: int, context: str, unit: str
) -> list[Smaller]:
    """Return the smaller tables of a plan. `context` is the query of its address, and `unit` the unit of a charge."""
    tables = []
    for each in found["smaller_tables"]:
        merge = "groups" if each["attributes"] is None else "attributes"
        plan, needed = f"{context}&merge={merge}", each["same_width"]
        charge = needed["certified"][unit]
        same, whole = (
            _interval_cell(scale, each[name]["intervals"][main])["cell"] for name in ("same_charge", "whole")
        )
        quote = urlencode({"mechanism": json.dumps(needed["mechanism"]), "amount": charge, "plan": plan})
        words = ", ".join(each["attributes"] or ())
        of_whole = each["whole"]["certified"][unit]
        tables.append(Smaller(words, each["category_count"], of_whole, charge, same, whole, plan, quote))
    return tables


def chosen_step(found: Mapping[str, Any], steps: Sequence[Step], *, granted: bool) -> int:
    """Return the position of the suggested charge, if it may be spent.

    Otherwise it is the largest one that spends at most half of the amount that the caller may spend.
    """
    within = [
        place
        for place, step in enumerate(steps)
        if not granted or any(each["possible"] for each in step.points.values())
    ]
    suggested = found["suggested"]["epsilon"] or found["suggested"]["rho"]
    for place in within:
        if steps[place].charge == suggested:
            return place
    if not within:
        return 0
    most = Decimal(steps[within[-1]].charge) / 2
    return [within[0], *(place for place in within if Decimal(steps[place].charge) <= most)][-1]
