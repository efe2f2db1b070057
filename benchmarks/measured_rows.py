"""Compares rows to measure for a query that history does not answer precisely enough: the query itself, the 0/1 row of
the signs of Σq (Σ the covariance of the estimated counts), or the set of cells that `core.queries.choice` finds.

    python -m benchmarks.measured_rows [--trials 10] [--plot rows.svg]

First the rates: histories of random sets of cells at random rates, a random set as the query, its interval to be
narrowed, and the price alone of the row of signs beside that of the query. Then how many random sets a budget of epsilon
1 answers at 95 %, until the first that it does not pay for, the same sets in the same order for every rule: the query
always; the row of signs where its price alone is lower; where it raises the joint cost of all rows less; and the chosen
row. Fixed seeds; about two minutes on an idle core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, exp, log
from pathlib import Path

import numpy as np

from benchmarks._svg import Drawing
from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, Row, RowLoss
from core.mechanisms.linear import grid_of
from core.noise import LaplaceNoise
from core.privacy import Epsilon, Rate
from core.queries.choice import cheaper_row
from core.queries.error_distribution import distribution_of
from core.queries.estimator import Query, QueryEstimate, covariance, estimate, noise_parts
from core.queries.history import History
from core.queries.payer import Payer
from core.queries.search import least_rate

_BUDGET = Epsilon.parse("1").units
_CONFIDENCE = 0.95
_SIZES = ((4, 10.0), (6, 15.0), (10, 30.0))
"""Number of cells, and the requested half width."""
_LOW, _HIGH = ceil(1e-4 * 10**Rate.digits), 50 * 10**Rate.digits
_MAX_ASKED = 150
_PRECISION = 1e-4
RULES = ("query", "signs, price", "signs, rise", "chosen row")


def random_set(rng: np.random.Generator, m: int) -> Query:
    """A set of cells, neither empty nor all of them."""
    return Query(tuple(rng.permutation([1] * int(rng.integers(1, m)) + [0] * m)[:m].tolist()))


def random_sets(m: int, seed: int) -> Iterator[Query]:
    rng = np.random.default_rng([m, seed])
    while True:
        query = random_set(rng, m)
        if query.constant is None:
            yield query


def rate_beside(history: History, known: QueryEstimate, row: Query, wanted: float) -> Rate | None:
    """Return the least rate at which measuring `row` gives the query this half width, or None if the row is not
    informative enough. `known` is known of the query.

    With k = cov / (variance of the row's estimate + that of the new noise), the best estimate of the query is what is
    known and k times by how much the new answer differs from what is known of the row.
    """
    beside = estimate(history, row)
    if beside is None:
        return None
    joint = covariance(history, [known, beside])

    def meets(units: int) -> bool:
        measured = row.measured_at(Rate(units))
        noise = LaplaceNoise(float(1 / measured.rate.value), float(grid_of(measured)))
        factor = float(row.scale)
        share = joint[0, 1] / (joint[1, 1] + (factor * noise.deviation) ** 2)
        parts = noise_parts(history, known.weights - share * beside.weights)
        law = distribution_of([*parts, (noise, np.array([share * factor]))])
        slack = known.slack + abs(share) * (beside.slack + factor * noise.step)
        return bool(law.holds(wanted - slack, _CONFIDENCE))

    span = float(row.measured_at(Rate(1)).span)
    low, high = ceil(_LOW / span), int(_HIGH / span)
    if not meets(high):
        return None
    if meets(low):
        return Rate(low)
    while high - low > max(1, low * _PRECISION):
        middle = min(max(round(exp((log(low) + log(high)) / 2)), low + 1), high - 1)
        low, high = (low, middle) if meets(middle) else (middle, high)
    return Rate(high)


def row_of_signs(history: History, known: QueryEstimate) -> Query | None:
    """The 0/1 row with a one where the estimated count of a cell and the query err to the same side on average; cells
    that the history does not tell apart have one sign. None where the history does not see all others.
    """
    if history.rank < history.columns - 1:
        return None
    signs = np.zeros(history.m, dtype=np.int64)
    for column in range(history.columns):
        cells = history.class_of == column
        alone = estimate(history, Query(tuple(cells.astype(int).tolist())))
        assert alone is not None
        if not np.all(cells) and covariance(history, [known, alone])[0, 1] > 0:
            signs[cells] = 1
    row = Query(tuple(signs.tolist()))
    return None if row.constant is not None else row


def measured(history: History, joint: JointLoss, query: Query, half_width: float, rule: str) -> Row:
    """The row that the rule measures for the query."""
    known = estimate(history, query)
    found = least_rate(history, known, query, half_width, _CONFIDENCE)
    assert found is not None
    if rule == "chosen row":
        return cheaper_row(history, Payer(joint, Accountant.BASIC), query, found, half_width, _CONFIDENCE).row
    own, signs = found.row, None if known is None or rule == "query" else row_of_signs(history, known)
    if known is None or signs is None:
        return own
    rate = rate_beside(history, known, signs, half_width * (1 - 1e-9))
    if rate is None:
        return own
    other = signs.measured_at(rate)
    costs = [(rise_of(joint, row), float(row.rate.value * row.span)) for row in (own, other)]
    place = 0 if rule == "signs, rise" else 1
    return other if costs[1][place] < costs[0][place] else own


def rise_of(joint: JointLoss, row: Row) -> int:
    return joint.copy().add(RowLoss.of(row, Accountant.BASIC), apart=False)


def answered(m: int, half_width: float, seed: int, rule: str) -> int:
    """Return the number of random sets of cells that a budget answers before the first refusal."""
    history, joint = History(1000, m), JointLoss(m)
    for number, query in zip(range(_MAX_ASKED), random_sets(m, seed), strict=False):
        known = estimate(history, query)
        if known is not None and known.half_width(_CONFIDENCE) <= half_width:
            continue
        row = measured(history, joint, query, half_width, rule)
        joint.add(RowLoss.of(row, Accountant.BASIC), apart=False)
        if joint.units > _BUDGET:
            return number
        history.add_answer(row, Fraction(0), "row")
    return _MAX_ASKED


def price_ratios(m: int, trials: int, share: float) -> list[float]:
    """Return the standalone price of the row of signs over that of the query, in random histories. The interval must
    shrink to this share of the known one.
    """
    ratios = []
    for seed in range(trials):
        rng = np.random.default_rng([m, seed, 1])
        history = History(1000, m)
        for _ in range(max(2 * m, int(rng.integers(8, 41)))):
            rate = Rate.parse(str(round(float(np.exp(rng.uniform(np.log(0.02), np.log(0.5)))), 4)))
            row = random_set(rng, m)
            if row.constant is None:
                history.add_answer(row.measured_at(rate), Fraction(0), "row")
        query = random_set(rng, m)
        known = estimate(history, query)
        signs = None if known is None or query.constant is not None else row_of_signs(history, known)
        if known is None or signs is None:
            continue
        wanted = known.half_width(_CONFIDENCE) * share
        own, other = (rate_beside(history, known, each, wanted) for each in (query, signs))
        if own is not None and other is not None:
            ratios.append(other.units / own.units)
    return ratios


def picture(medians: dict[str, dict[str, float]]) -> str:
    """Bars of the median number of queries answered, by number of cells and rule."""
    drawing = Drawing(660, 370, "Queries answered before a budget of epsilon 1 ends, by the row that is measured")
    drawing.text(330, 26, "Queries answered before ε = 1 is spent (median)", size=15, anchor="middle", weight="bold")
    drawing.text(290, 362, "cells; half width asked for at 95 %", anchor="middle")
    drawing.text(20, 46, "queries answered", size=11)
    colours = dict(zip(RULES, ("#888", "#d08000", "#208040", "#0060c0"), strict=True))

    def y(count: float) -> float:
        return 315 - 250 * count / _MAX_ASKED

    for tick in range(0, _MAX_ASKED + 1, 25):
        drawing.line(55, y(tick), 525, y(tick), colour="#ddd")
        drawing.text(50, y(tick) + 4, f"{tick}+" if tick == _MAX_ASKED else str(tick), anchor="end")
    for place, (size, by_rule) in enumerate(medians.items()):
        left = 65 + 465 * place / len(medians)
        drawing.text(left + 32, 335, size, anchor="middle")
        for number, (rule, count) in enumerate(by_rule.items()):
            drawing.line(left + 16 * number + 8, y(0), left + 16 * number + 8, y(count), colour=colours[rule], width=13)
    for number, rule in enumerate(RULES):
        drawing.text(540, 90 + 22 * number, rule, colour=colours[rule])
    return drawing.document()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--plot", type=Path, help="where to write the picture of queries answered")
    arguments = parser.parse_args()
    trials = arguments.trials
    print("price of the row of signs over that of the query, alone, for an interval of a share of what is known")
    print(f"{'cells':>6} {'share':>6} {'histories':>10} {'median':>8} {'5 %':>8} {'95 %':>8} {'lower in':>9}")
    for m, share in ((m, share) for m in sorted({m for m, _ in _SIZES}) for share in (0.9, 0.5)):
        ratios = np.array(price_ratios(m, 2 * trials, share))
        low, middle, high = np.quantile(ratios, (0.05, 0.5, 0.95))
        lower = (ratios < 1 - 1e-3).mean()
        print(f"{m:>6} {share:>6} {ratios.size:>10} {middle:>8.2f} {low:>8.2f} {high:>8.2f} {lower:>9.0%}")
    print("\nqueries answered before epsilon 1 is spent; difference from measuring the query, with its standard error")
    print(
        f"{'cells':>6} {'half':>5} {'rule':>14} {'median':>7} {'least':>6} {'most':>6} {'difference':>16} {'fewer in':>9}"
    )
    medians: dict[str, dict[str, float]] = {}
    for m, half_width in _SIZES:
        told = medians.setdefault(f"{m}; {half_width:g}", {})
        base = np.zeros(trials)
        for rule in RULES:
            counts = np.array([answered(m, half_width, seed, rule) for seed in range(trials)], dtype=np.float64)
            base = counts if rule == RULES[0] else base
            difference, told[rule] = counts - base, float(np.median(counts))
            print(
                f"{m:>6} {half_width:>5g} {rule:>14} {np.median(counts):>7.0f} {counts.min():>6.0f} "
                f"{counts.max():>6.0f} {difference.mean():>+9.1f} ± {difference.std(ddof=1) / trials**0.5:.1f} "
                f"{(difference < 0).sum():>9}",
                flush=True,
            )
    if arguments.plot is not None:
        arguments.plot.write_text(picture(medians), encoding="utf-8")


if __name__ == "__main__":
    main()
