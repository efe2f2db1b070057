"""Linear queries from history: the time of answers as history and cells grow, four ways to the law of an error, and how
far a budget goes, in one run.

    python -m benchmarks.queries [--only growth|laws|budgets] [--repeats 1] [--plot docs/explanation/queries-answered.svg]

Histories are made up: rows of random zeros and ones at a rate of 0.1, answers of noise alone, fixed seeds. A free
answer is the estimate with its 95 % interval. A charged one adds what the service does for one that is half as wide:
the search for the least rate, the choice of another row that costs less, and the price. Times are processor time,
medians of the repeats; exponents are slopes of logarithms over the sizes of a column.

How far a budget of epsilon 1 goes is counted over sets of categories, each asked once in random order for an interval
of half width 15 at 95 %: all of them up to six categories, 62 of them at ten. A query is not answered where the rest of
the budget does not pay for it. Laplace: every query is measured afresh, at the plain sum. Xiao and Xiong: from history,
but else measured for that answer alone, at the price of the dearest pair of categories. Ours: what the service does. One
`simplex_geometric` release of the whole budget answers all or none. A minute of processor time in all.

`python -m benchmarks.charged_queries` counts charged queries per second over HTTP.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks._clock import median_seconds
from benchmarks._svg import Drawing
from benchmarks.papers.methods import published
from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, Row, RowLoss
from core.noise import LaplaceNoise
from core.privacy import Epsilon, Rate
from core.queries.choice import cheaper_row
from core.queries.error_distribution import LaplaceSum, StepDistribution
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.payer import Payer
from core.queries.search import least_rate
from core.samplers.reproducible import Reproducible
from core.simplex_noise import SimplexGeometricNoise

_RATE = Rate.parse("0.1")
_BUDGET = Epsilon.parse("1").units
_HALF_WIDTH, _CONFIDENCE = 15.0, 0.95
_MAX_ASKED = 62
_PLOTTED_CATEGORIES = 6
_TRIALS = 5


def made_up_rows(count: int, m: int) -> NDArray[np.int64]:
    return np.random.default_rng([count, m]).integers(0, 2, (count, m))


def made_up_history(rows: NDArray[np.int64]) -> History:
    history = History(1000, rows.shape[1])
    history.add_rows(rows.tolist(), 1, [Fraction(0)] * len(rows), LaplaceNoise(10.0, 1e-6), "rows")
    return history


def answer_times(rows: NDArray[np.int64], repeats: int) -> tuple[float, float, float, float]:
    """Return the seconds of a free answer, a charged answer, a new row, and a solution from scratch with that row."""
    history = made_up_history(rows)
    query = Query(tuple(int(each) for each in np.add.reduce(rows[:2])))
    fresh = Row(tuple(int(each) for each in np.random.default_rng(7).integers(0, 2, (rows.shape[1],))), 1, _RATE)

    def free() -> float:
        found = estimate(history, query)
        assert found is not None
        return found.half_width(_CONFIDENCE)

    joint = JointLoss(rows.shape[1])
    for row in rows.tolist():
        joint.add(RowLoss.of(Row(tuple(row), 1, _RATE), Accountant.BASIC), apart=False)

    def charged() -> None:
        found = estimate(history, query)
        assert found is not None
        row_and_rise(history, joint, query, found.half_width(_CONFIDENCE) / 2)

    def one_more() -> None:
        history.copy().add_answer(fresh, Fraction(0), "new")

    def afresh() -> None:
        made_up_history(np.vstack((rows, fresh.coefficients)))

    return (
        median_seconds(free, repeats),
        median_seconds(charged, repeats),
        median_seconds(one_more, repeats),
        median_seconds(afresh, 1),
    )


def row_and_rise(history: History, joint: JointLoss, query: Query, half_width: float) -> tuple[Row, int]:
    """Return the row that the service measures, and the rise of the cost of all rows in units."""
    payer = Payer(joint, Accountant.BASIC)
    own = least_rate(history, estimate(history, query), query, half_width, _CONFIDENCE)
    assert own is not None
    row = cheaper_row(history, payer, query, own, half_width, _CONFIDENCE).row
    return row, payer.rise(RowLoss.of(row, Accountant.BASIC))


def growth(title: str, sizes: Sequence[int], rows_of: Callable[[int], NDArray[np.int64]], repeats: int) -> None:
    print(f"{title:>8} {'free':>10} {'charged':>10} {'new row':>10} {'afresh':>10}   ms")
    table = []
    for size in sizes:
        times = answer_times(rows_of(size), repeats)
        table.append(times)
        print(f"{size:>8} " + " ".join(f"{1000 * each:>10.2f}" for each in times))
    slopes = [np.polyfit(np.log(sizes), np.log(np.maximum(column, 1e-6)), 1)[0] for column in zip(*table, strict=True)]
    print(f"{'exponent':>8} " + " ".join(f"{slope:>10.2f}" for slope in slopes))


def law_ways(count: int, repeats: int) -> None:
    """Seconds and relative error of the 95 % half width by each way, set for an error of about 1e-3."""
    scales = np.random.default_rng(count).uniform(0.2, 1.0, count)
    # The paper's vectors have intervals of length 1: the unit is made a five-hundredth of the deviation.
    scales *= 500 / LaplaceSum(scales).deviation
    exact = LaplaceSum(scales).half_width(_CONFIDENCE)
    reach = 6.0 * LaplaceSum(scales).deviation
    ways: dict[str, Callable[[], float]] = {
        "integral": lambda: LaplaceSum(scales).half_width(_CONFIDENCE),
        "filters": lambda: published.half_width_of(published.mass_by_filters(scales, 1.0, reach), _CONFIDENCE),
        "PC": lambda: published.half_width_of(published.mass_by_convolution(scales, 1e-5 / count), _CONFIDENCE),
        "MC": lambda: published.half_width_of(
            published.mass_by_sampling(scales, 1_000_000, Reproducible(1)), _CONFIDENCE
        ),
    }
    for name, way in ways.items():
        seconds = median_seconds(way, repeats if name == "integral" else 1)
        print(f"{count:>8} {name:>10} {1000 * seconds:>12.2f} {abs(way() / exact - 1):>12.1e}")


def sets_asked(m: int, seed: int) -> list[Query]:
    """Sets of categories in random order, each once, neither empty nor all of them."""
    numbers = np.random.default_rng([m, seed]).permutation(np.arange(1, 2**m - 1))[:_MAX_ASKED]
    return [Query(tuple(int(number) >> cell & 1 for cell in range(m))) for number in numbers]


def answered(m: int, seed: int, way: str) -> list[int]:
    """Return the number of answered queries among the first 1, 2, …; `way`: Laplace, paper or ours."""
    history, joint, counts = History(1000, m), JointLoss(m), [0]
    for query in sets_asked(m, seed):
        counts.append(counts[-1] + 1)
        known = None if way == "Laplace" else estimate(history, query)
        if known is not None and known.half_width(_CONFIDENCE) <= _HALF_WIDTH:
            continue
        row = row_and_rise(history, joint, query, _HALF_WIDTH)[0] if way == "ours" else row_for_that_answer_alone(query)
        # Measured afresh every time and summed, as without any history, or priced by pairs.
        after = joint.copy()
        after.add(RowLoss.of(row, Accountant.BASIC), apart=way == "Laplace")
        if after.units > _BUDGET:
            counts[-1] -= 1
        else:
            joint = after
            history.add_answer(row, Fraction(0), "row")
    return counts[1:]


def row_for_that_answer_alone(query: Query) -> Row:
    found = least_rate(History(1000, len(query.coefficients)), None, query, _HALF_WIDTH, _CONFIDENCE)
    assert found is not None
    return found.row


def release_answers_all(m: int) -> bool:
    law = StepDistribution(1.0, SimplexGeometricNoise(0.5, m).sum_distribution(m // 2))
    return law.half_width(_CONFIDENCE) <= _HALF_WIDTH


def budgets(sizes: Sequence[int], plot: Path | None) -> None:
    print(
        f"{'cells':>8} {'asked':>6} {'Laplace':>10} {'paper':>10} {'ours':>10} {'one release':>12}"
        "   queries answered, least to most"
    )
    for m in sizes:
        counts = {way: [answered(m, seed, way) for seed in range(_TRIALS)] for way in ("Laplace", "paper", "ours")}
        last = {way: [each[-1] for each in runs] for way, runs in counts.items()}
        shown = " ".join(f"{f'{min(each)}-{max(each)}':>10}" for each in last.values())
        asked, everything = len(counts["ours"][0]), release_answers_all(m)
        print(f"{m:>8} {asked:>6} {shown} {'all' if everything else 'none':>12}", flush=True)
        if m == _PLOTTED_CATEGORIES and plot is not None:
            curves = {way: [float(np.median(each)) for each in zip(*runs, strict=True)] for way, runs in counts.items()}
            curves["one release"] = [float(number if everything else 0) for number in range(1, asked + 1)]
            plot.write_text(picture(curves), encoding="utf-8")


_COLOURS: Final = {"one release": "#208040", "ours": "#0060c0", "paper": "#d08000", "Laplace": "#888"}
_NAMES: Final = {
    "one release": "one release of all",
    "ours": "this service",
    "paper": "Xiao and Xiong",
    "Laplace": "Laplace, afresh",
}


def picture(curves: dict[str, list[float]]) -> str:
    """Queries answered against queries asked, medians."""
    drawing = Drawing(
        660, 400, f"Queries that a budget of epsilon 1 answers, of all sets of {_PLOTTED_CATEGORIES} categories"
    )
    asked = len(curves["ours"])

    def x(number: float) -> float:
        return 60 + 440 * number / asked

    def y(count: float) -> float:
        return 335 - 270 * count / asked

    drawing.text(330, 26, "Queries that ε = 1 answers", size=15, anchor="middle", weight="bold")
    drawing.text(20, 50, "queries answered so far (median of five orders)", size=11)
    caption = f"queries asked: sets of {_PLOTTED_CATEGORIES} categories, each for half width {_HALF_WIDTH:g} at 95 %"
    drawing.text(280, 385, caption, anchor="middle")
    for tick in range(0, asked + 1, 10):
        drawing.line(60, y(tick), 500, y(tick), colour="#ddd")
        drawing.text(54, y(tick) + 4, str(tick), anchor="end")
        drawing.text(x(tick), 355, str(tick), anchor="middle")
    for way, colour in _COLOURS.items():
        counts = curves[way]
        points = [(x(number), y(count)) for number, count in enumerate(counts, start=1)]
        drawing.curve([(x(0), y(0)), *points], colour, width=2)
        drawing.text(508, y(counts[-1]) + 4, f"{_NAMES[way]}: {counts[-1]:g}", colour=colour)
    return drawing.document()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("growth", "laws", "budgets"), help="one of the three parts")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="where to write the picture of how far a budget goes")
    arguments = parser.parse_args()
    if arguments.only in (None, "growth"):
        growth("rows", [1, 10, 100, 1000, 5000], lambda count: made_up_rows(count, 50), arguments.repeats)
        growth("cells", [10, 50, 200, 500, 2000], lambda m: made_up_rows(100, m), arguments.repeats)
    if arguments.only in (None, "laws"):
        print(f"{'noises':>8} {'way':>10} {'ms':>12} {'error':>12}")
        for count in (3, 30, 300):
            law_ways(count, arguments.repeats)
    if arguments.only in (None, "budgets"):
        budgets([4, 6, 10], arguments.plot)


if __name__ == "__main__":
    main()
