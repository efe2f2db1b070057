"""Plan the margins of a request: which are measured, the loss of each, and how precise the wanted tables will be.

A plan uses public facts only. It is a computation from text to text, so that it can run in a separate process. Equal
requests of a caller on equal tables have equal plans, for a quote and for the charge.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import comb, isqrt
from typing import Any, Final, Self

from core.accounting.accountants import Accountant, Cost
from core.accounting.zcdp import epsilon_of, largest_rho
from core.margins.allotment import Allotment, Amount, OutOfReachError, Workload, allot, allot_for_widths
from core.margins.blocks import BlockEstimates, TablesError, allot_blocks, allot_blocks_for_widths
from core.margins.combination import Combination, MarginsError, without_single_levels
from core.max_norm_noise import LawError
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON
from core.mechanisms.gaussian import MAX_RHO, MIN_RHO
from core.mechanisms.margins import MAX_MARGINS, MAX_PAIRED_CELLS, Margin, cells_of
from core.privacy import Delta, Epsilon, NeighbourRelation, Rho
from service.database import costs
from service.database.rows import DatasetRow
from service.errors import InvalidRequest, error_location
from service.runtime.jobs import JobInput
from service.schemas import margins as schema
from service.schemas.cell_names import CellNames

_MAX_SHOWN_WIDTHS: Final = 10
"""Number of least half widths that a refusal states."""
_REFINEMENTS: Final = 3
"""Steps of the search for the price of a full release: enough for about 1 %."""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A wanted table: its attributes, the standard deviation of a cell, and its intervals, each with its confidence,
    half width and, for blocks, simultaneous half width.
    """

    margin: Margin
    deviation: float
    intervals: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The margins that a request measures, and the precision of its tables.

    `losses` are texts of epsilons for geometric noise and of rhos for Gaussian noise. `spent_delta` is the δ that is
    charged for Gaussian noise under `basic`, otherwise None. `blocks` are the numbers of margins in each block, which
    has one loss, or None for independent noise. `full_half_widths` are the half widths from one release of all
    attributes for the same charge. `full_charge` is its charge for the same half widths, or None.
    """

    margins: tuple[Margin, ...]
    losses: tuple[str, ...]
    tables: tuple[TablePlan, ...]
    full_half_widths: tuple[float, ...]
    full_charge: str | None
    spent_delta: str | None = None
    blocks: tuple[int, ...] | None = None

    @classmethod
    def from_json(cls, text: str) -> Self:
        plain = json.loads(text)
        return cls(
            margins=tuple(tuple(each) for each in plain["margins"]),
            losses=tuple(plain["losses"]),
            tables=tuple(
                TablePlan(tuple(each["margin"]), each["deviation"], tuple(map(tuple, each["intervals"])))
                for each in plain["tables"]
            ),
            full_half_widths=tuple(plain["full_half_widths"]),
            full_charge=plain["full_charge"],
            spent_delta=plain.get("spent_delta"),
            blocks=None if plain.get("blocks") is None else tuple(plain["blocks"]),
        )

    @property
    def table_texts(self) -> list[dict[str, Any]]:
        """Return the tables as plain JSON, as the spec of a release has them."""
        return [asdict(each) for each in self.tables]

    @staticmethod
    def cost(accountant: Accountant, amount: str) -> Cost:
        return Cost(rho=Rho.parse(amount)) if accountant is Accountant.ZCDP else Cost(epsilon=Epsilon.parse(amount))

    def losses_of(self, accountant: Accountant) -> tuple[Epsilon, ...] | tuple[Rho, ...]:
        if accountant is Accountant.ZCDP or self.spent_delta is not None:
            return tuple(map(Rho.parse, self.losses))
        return tuple(map(Epsilon.parse, self.losses))


def names_of(dataset: DatasetRow) -> CellNames:
    """Return the names of the cells. Raises InvalidRequest for a data set without attributes."""
    if dataset.attributes is None:
        raise InvalidRequest.at("", "needs a data set with attributes: this one has labels only")
    return CellNames.of_texts(dataset.labels, dataset.attributes)


def wanted_margins(levels: Sequence[int], names: CellNames, body: schema.Wanted) -> list[Margin]:
    """Return the numbers of the attributes of each wanted table, without attributes of one level.

    Raises InvalidRequest for unknown or repeated attributes, and beyond the limits of numbers and of cells.
    """
    if body.all is not None:
        several = [number for number, count in enumerate(levels) if count > 1]
        if body.all > len(several):
            rule = f"must be at most {len(several)}, the number of attributes with several levels"
            raise InvalidRequest.at("all", rule)
        if comb(len(several), body.all) > MAX_MARGINS:
            raise InvalidRequest.at("all", f"must make at most {MAX_MARGINS} tables")
        margins = list(combinations(several, body.all))
    else:
        margins = [_margin(levels, names, asked, index) for index, asked in enumerate(body.margins or ())]
    if sum(cells_of(levels, each) for each in margins) > schema.MAX_CELLS:
        raise InvalidRequest.at(_field_of(body), f"must make tables of at most {schema.MAX_CELLS} cells together")
    before = set[Margin]()
    for index, margin in enumerate(margins):
        if margin in before:
            rule = "must differ from those before, apart from attributes with one level"
            raise InvalidRequest.at(f"margins[{index}]", rule)
        before.add(margin)
    return margins


def _field_of(body: schema.Wanted) -> str:
    """Return the field that names the wanted tables."""
    return "margins" if body.all is None else "all"


def _margin(levels: Sequence[int], names: CellNames, asked: Sequence[str], index: int) -> Margin:
    with error_location(f"margins[{index}]"):
        numbers = []
        for place, name in enumerate(asked):
            with error_location(f"[{place}]"):
                numbers.append(names.attribute(name))
        if len(set(numbers)) != len(numbers):
            raise InvalidRequest.at("", "must name each attribute once")
        margin = without_single_levels(levels, numbers)
        if not margin:
            raise InvalidRequest.at("", "must have an attribute with several levels")
        return margin


def order(dataset: DatasetRow, body: schema.MarginsCreate) -> JobInput:
    """Return the input of `planned`. Raises InvalidRequest."""
    names = names_of(dataset)
    levels = [len(each.levels) for each in names.attributes or ()]
    wanted = wanted_margins(levels, names, body)
    accountant = Accountant(dataset.accountant)
    if accountant is Accountant.ZCDP and not body.delta.units:
        raise InvalidRequest.at("delta", "must be above 0 on a budget of kind zcdp: the loss is stated as ε at this δ")
    if accountant is Accountant.ZCDP and body.delta_to_spend is not None:
        raise InvalidRequest.at("delta_to_spend", "must be left out on a budget of kind zcdp: its noise is Gaussian")
    if body.delta_to_spend is not None and not body.delta_to_spend.units:
        raise InvalidRequest.at("delta_to_spend", "must be above 0: leave it out to spend none")
    if body.noise == "blocks" and (dataset.record_count is None or accountant is Accountant.ZCDP):
        rule = "must be independent: blocks need a public number of records and a budget of kind basic"
        raise InvalidRequest.at("noise", rule)
    content = {
        "field": _field_of(body),
        "levels": levels,
        "impossible": sorted(names.table.impossible) if _use_impossible(names, body) else [],
        "relation": dataset.relation,
        "records_per_unit": dataset.records_per_unit,
        "accountant": accountant.value,
        "wanted": wanted,
        "weights": _weights(body, len(wanted)),
        "confidence": body.confidence,
        "noise": body.noise,
        "delta_to_spend": None if body.delta_to_spend is None else str(body.delta_to_spend),
        "amount": _amount(body, accountant),
        "half_widths": _half_widths(body, len(wanted)),
    }
    _workload(content)
    return JobInput(json.dumps(content, sort_keys=True))


def _use_impossible(names: CellNames, body: schema.MarginsCreate) -> bool:
    """Return whether impossible combinations lower the price, or the number of labels that have noise."""
    return body.noise == "blocks" or names.table.m <= MAX_PAIRED_CELLS


def _weights(body: schema.MarginsCreate, wanted: int) -> list[float]:
    if body.weights is None:
        return [1.0] * wanted
    if len(body.weights) != wanted:
        raise InvalidRequest.at("weights", f"must have one number for each of the {wanted} tables")
    return body.weights


def _half_widths(body: schema.MarginsCreate, wanted: int) -> list[float] | None:
    if body.half_widths is None:
        return None
    if len(body.half_widths) not in (1, wanted):
        raise InvalidRequest.at("half_widths", f"must have one number, or one for each of the {wanted} tables")
    return body.half_widths * (wanted if len(body.half_widths) == 1 else 1)


def _amount(body: schema.MarginsCreate, accountant: Accountant) -> str | None:
    """Return the amount in the unit of the accountant, or None if half widths are asked for. Raises InvalidRequest."""
    if body.half_widths is not None:
        return None
    cost = costs.asked(accountant, epsilon=body.epsilon, rho=body.rho, delta=Delta(0))
    return str(getattr(cost, costs.main_dimension(accountant)))


def planned(text: str) -> str:
    """Computation: return the JSON text of a Plan. Raises InvalidRequest."""
    asked = json.loads(text)
    workload = _workload(asked)
    kind = Rho if asked["accountant"] == Accountant.ZCDP.value else Epsilon
    if asked["noise"] == "blocks":
        return json.dumps(asdict(_plan_of_blocks(workload, asked)))
    found, charged, spent_delta = _best_allotment(workload, asked, kind)
    if sum(cells_of(workload.levels, each) for each in found.margins) > schema.MAX_CELLS:
        raise InvalidRequest.at(asked["field"], f"must not need margins of more than {schema.MAX_CELLS} cells together")
    tables, full_half_widths, full_charge = _precision(workload, asked, found.combination, charged)
    plan = Plan(found.margins, tuple(map(str, found.losses)), tables, full_half_widths, full_charge, spent_delta)
    return json.dumps(asdict(plan))


def _precision(
    workload: Workload, asked: dict[str, Any], estimates: Combination | BlockEstimates, charged: Amount
) -> tuple[tuple[TablePlan, ...], tuple[float, ...], str | None]:
    """Return the wanted tables, and the half widths and charge of a full release beside them."""
    confidences = sorted({*schema.CONFIDENCES, asked["confidence"]})
    errors = [estimates.error(each) for each in workload.margins]
    tables = tuple(
        TablePlan(margin, estimates.variance(margin) ** 0.5, tuple((c, error.half_width(c)) for c in confidences))
        for margin, error in zip(workload.margins, errors, strict=True)
    )
    target = [error.half_width(asked["confidence"]) for error in errors]
    return tables, *_full_release(workload, charged, asked["confidence"], target)


def _plan_of_blocks(workload: Workload, asked: dict[str, Any]) -> Plan:
    try:
        with _refusals(asked, MAX_EPSILON):
            if asked["half_widths"] is None:
                found = allot_blocks(workload, 1, Epsilon.parse(asked["amount"]))
            else:
                found = allot_blocks_for_widths(workload, 1, asked["half_widths"], asked["confidence"], MAX_EPSILON)
        tables, full_half_widths, full_charge = _precision(workload, asked, found.estimates, found.price)
        tables = tuple(
            replace(
                each,
                intervals=tuple(
                    (c, half, found.estimates.simultaneous_half_width(each.margin, c)) for c, half in each.intervals
                ),
            )
            for each in tables
        )
    except LawError as error:
        raise InvalidRequest.at(asked["field"], f"must be smaller for blocks: {error}") from None
    return Plan(
        found.event.margins,
        tuple(map(str, found.event.epsilons)),
        tables,
        full_half_widths,
        full_charge,
        blocks=tuple(map(len, found.event.blocks)),
    )


def _workload(asked: dict[str, Any]) -> Workload:
    try:
        return Workload(
            tuple(asked["levels"]),
            tuple(tuple(each) for each in asked["wanted"]),
            tuple(asked["weights"]),
            NeighbourRelation(asked["relation"]),
            asked["records_per_unit"],
            frozenset(map(tuple, asked["impossible"])),
        )
    except MarginsError as error:
        raise InvalidRequest.at(asked["field"], str(error)) from None


def _best_allotment(
    workload: Workload, asked: dict[str, Any], kind: type[Epsilon | Rho]
) -> tuple[Allotment, Amount, str | None]:
    """Return the allotment, its charge, and the δ that it spends under `basic` if its noise is Gaussian.

    With a δ to spend, both noises are compared: by the variance for an amount, and by ε for half widths.
    """
    most: Amount = (MAX_RHO if kind is Rho else MAX_EPSILON) if asked["amount"] is None else kind.parse(asked["amount"])
    if asked["delta_to_spend"] is None:
        found = _allot_workload(workload, asked, most)
        return found, found.price, None
    assert isinstance(most, Epsilon)
    delta = Delta.parse(asked["delta_to_spend"])
    both: list[tuple[Allotment, Amount, str | None]] = []
    refusals = []
    for amount in (most, min(MAX_RHO, largest_rho(most, delta))):
        try:
            found = _allot_workload(workload, asked, amount)
        except InvalidRequest as error:
            refusals.append(error)
        else:
            charged = epsilon_of(found.price, delta) if isinstance(found.price, Rho) else found.price
            both.append((found, charged, str(delta) if isinstance(amount, Rho) else None))
    if not both:
        raise refusals[0]
    if asked["amount"] is None:
        return min(both, key=lambda each: each[1].units)
    return min(both, key=lambda each: each[0].mean_variance)


def _allot_workload(workload: Workload, asked: dict[str, Any], most: Amount) -> Allotment:
    with _refusals(asked, most):
        if asked["half_widths"] is None:
            return allot(workload, most)
        return allot_for_widths(workload, asked["half_widths"], asked["confidence"], most)


@contextmanager
def _refusals(asked: dict[str, Any], most: Amount) -> Iterator[None]:
    """Raise the errors of an allotment as InvalidRequest at the field that they are about."""
    try:
        yield
    except OutOfReachError as error:
        times = max(least / wanted for least, wanted in zip(error.least, asked["half_widths"], strict=True))
        least = ", ".join(f"{each:.4g}" for each in error.least[:_MAX_SHOWN_WIDTHS])
        more = "" if len(error.least) <= _MAX_SHOWN_WIDTHS else ", …"
        limit = f"{'rho' if isinstance(most, Rho) else 'epsilon'} {most}"
        rule = f"must be at least {times:.4g} times as large: the least at {limit} are {least}{more}"
        raise InvalidRequest.at("half_widths", rule) from None
    except TablesError as error:
        raise InvalidRequest.at(asked["field"], str(error)) from None
    except MarginsError as error:
        field = "half_widths" if asked["half_widths"] is not None else "rho" if isinstance(most, Rho) else "epsilon"
        raise InvalidRequest.at(field, str(error)) from None


def _full_release(
    workload: Workload, price: Amount, confidence: float, target: Sequence[float]
) -> tuple[tuple[float, ...], str | None]:
    """Return the half widths of one release of all attributes for this price, and the price at which it has the half
    widths `target` in every table; None if that is beyond the largest amount.

    A half width is about proportional to the deviation of the noise in a cell. The table that is the furthest from its
    target decides. The price is accurate to about 1 %, unless half widths are so small that they fall in steps.
    """
    full = _allotment_of_all_attributes(workload, price)
    half_widths = full.half_widths(confidence)
    ratios = [have / want if want else 1.0 for have, want in zip(half_widths, target, strict=True)]
    ratio, worst = max((each, index) for index, each in enumerate(ratios))
    deviation = _deviation(full)
    for _ in range(_REFINEMENTS):
        if not ratio:  # practically no noise
            break
        deviation /= ratio
        least = _least_price(workload, type(price), deviation)
        if least is None:
            return half_widths, None
        full = _allotment_of_all_attributes(workload, least)
        have = full.combination.error(workload.margins[worst]).half_width(confidence)
        ratio = have / target[worst] if target[worst] else 1.0
    return half_widths, str(full.price)


def _least_price(workload: Workload, kind: type[Epsilon | Rho], deviation: float) -> Amount | None:
    """Return the least price, to about 0.1 %, at which the noise of one release has at most this deviation in a cell;
    None if that is beyond the largest amount.
    """
    low, high = (MIN_RHO.units, MAX_RHO.units) if kind is Rho else (MIN_EPSILON.units, MAX_EPSILON.units)
    if _deviation(_allotment_of_all_attributes(workload, kind(high))) > deviation:
        return None
    while high > low + low // 1000:
        units = isqrt(low * high)
        if _deviation(_allotment_of_all_attributes(workload, kind(units))) > deviation:
            low = units + 1
        else:
            high = units
    return kind(high)


def _allotment_of_all_attributes(workload: Workload, price: Amount) -> Allotment:
    """Return the allotment that measures the table of all attributes alone, wanted or not."""
    whole = without_single_levels(workload.levels, range(len(workload.levels)))
    losses: Any = (price,)
    return Allotment(workload, (whole,), losses)


def _deviation(full: Allotment) -> float:
    """Return the standard deviation of the noise in a cell of the table of all attributes."""
    return full.measured[0].noise.deviation
