"""Linear queries from history: what answers take as history and cells grow, four ways to the law of an error, and how
far a budget goes, in one run.

    python -m benchmarks.queries [--repeats 3] [--large] [--plot queries.svg]

Histories are made up: rows of random zeros and ones at a rate of 0.1, answers of noise alone, fixed seeds. A free
answer is the estimate with its 95 % interval, a charged one adds the search for the least rate that halves it. Times
are processor time, medians of the repeats; exponents are slopes of logarithms over the sizes of a column. How far a
budget goes is counted over random sets of cells with intervals of half width 15 at 95 %, until the first that a budget
of epsilon 1 does not pay for: every time measured afresh (Laplace), from history but else measured for that answer
alone (Xiao and Xiong), and with the least rate that history leaves; one `simplex_geometric` release of the whole budget
answers all or none.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks._clock import median_seconds
from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, Row, RowLoss
from core.privacy import Epsilon, Rate
from core.queries import published
from core.queries.error_law import LaplaceSum, StepLaw
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.noise import LaplaceNoise, SimplexGeometricNoise
from core.queries.search import least_rate
from core.samplers.reproducible import Reproducible
from service.posteriors.svg import Drawing

_RATE = Rate.parse("0.1")
_BUDGET = Epsilon.parse("1").units
_HALF_WIDTH, _CONFIDENCE = 15.0, 0.95
_MAX_ASKED = 200
_TRIALS = 5


def made_up_rows(count: int, m: int) -> NDArray[np.int64]:
    return np.random.default_rng([count, m]).integers(0, 2, (count, m))


def made_up_history(rows: NDArray[np.int64]) -> History:
    history = History(1000, rows.shape[1])
    history.add_rows(rows.tolist(), 1, [Fraction(0)] * len(rows), LaplaceNoise(10.0, 1e-6), "rows")
    return history


def answer_times(rows: NDArray[np.int64], repeats: int) -> tuple[float, float, float, float]:
    """Seconds of a free answer, of a charged one, of a new row, and of solving afresh with it."""
    history = made_up_history(rows)
    query = Query(tuple(int(each) for each in np.add.reduce(rows[:2])))
    fresh = Row(tuple(int(each) for each in np.random.default_rng(7).integers(0, 2, (rows.shape[1],))), 1, _RATE)

    def free() -> float:
        found = estimate(history, query)
        assert found is not None
        return found.half_width(_CONFIDENCE)

    def charged() -> None:
        found = estimate(history, query)
        assert found is not None
        least_rate(history, found, query, found.half_width(_CONFIDENCE) / 2, _CONFIDENCE)

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


def answered(m: int, seed: int, way: str) -> int:
    """How many random sets of cells a budget answers; `way`: laplace, paper or ours."""
    rng = np.random.default_rng([m, seed])
    history, joint = History(1000, m), JointLoss(m)
    for number in range(_MAX_ASKED):
        query = Query(tuple(rng.permutation([1] * int(rng.integers(1, m)) + [0] * m)[:m].tolist()))
        if query.constant is not None:
            continue
        known = None if way == "laplace" else estimate(history, query)
        if known is not None and known.half_width(_CONFIDENCE) <= _HALF_WIDTH:
            continue
        found = least_rate(history, known if way == "ours" else None, query, _HALF_WIDTH, _CONFIDENCE)
        assert found is not None
        # Measured afresh every time and summed, as without any history, or priced by pairs.
        joint.add(RowLoss.of(found.row, Accountant.BASIC), apart=way == "laplace")
        if joint.units > _BUDGET:
            return number
        history.add_answer(found.row, Fraction(0), "row")
    return _MAX_ASKED


def release_answers_all(m: int) -> bool:
    law = StepLaw(1.0, SimplexGeometricNoise(0.5, m).sum_law(m // 2))
    return law.half_width(_CONFIDENCE) <= _HALF_WIDTH


def budgets(sizes: Sequence[int], plot: Path | None) -> None:
    print(
        f"{'cells':>8} {'Laplace':>12} {'paper':>12} {'ours':>12} {'one release':>12}   queries answered, least to most"
    )
    curves: dict[str, list[tuple[int, float]]] = {"laplace": [], "paper": [], "ours": [], "one release": []}
    for m in sizes:
        told = []
        for way in ("laplace", "paper", "ours"):
            counts = [answered(m, seed, way) for seed in range(_TRIALS)]
            curves[way].append((m, float(np.median(counts))))
            told.append(f"{min(counts)}-{max(counts)}")
        everything = release_answers_all(m)
        curves["one release"].append((m, float(_MAX_ASKED if everything else 0)))
        print(f"{m:>8} " + " ".join(f"{each:>12}" for each in (*told, "all" if everything else "none")))
    if plot is not None:
        plot.write_text(picture(curves), encoding="utf-8")


def picture(curves: dict[str, list[tuple[int, float]]]) -> str:
    """Queries answered against cells, on a logarithmic axis of counts."""
    drawing = Drawing(640, 400, "Queries answered before a budget of epsilon 1 ends")
    sizes = [m for m, _ in next(iter(curves.values()))]

    def x(m: int) -> float:
        return 80 + 440 * sizes.index(m) / max(len(sizes) - 1, 1)

    def y(count: float) -> float:
        return 340 - 270 * float(np.log1p(count) / np.log1p(_MAX_ASKED))

    drawing.text(320, 28, "Queries answered before ε = 1 is spent", size=15, anchor="middle", weight="bold")
    drawing.text(300, 385, "number of categories", anchor="middle")
    drawing.text(20, 50, "random sets of categories, half width 15 at 95 %", size=11)
    for count in (0, 1, 5, 20, 50, _MAX_ASKED):
        drawing.line(75, y(count), 525, y(count), colour="#ddd")
        drawing.text(70, y(count) + 4, f"{count}+" if count == _MAX_ASKED else str(count), anchor="end")
    for m in sizes:
        drawing.text(x(m), 358, str(m), anchor="middle")
    for (name, points), colour in zip(curves.items(), ("#888", "#d08000", "#0060c0", "#208040"), strict=True):
        drawing.curve([(x(m), y(count)) for m, count in points], colour, width=2)
        drawing.text(532, y(points[-1][1]) + 4, name, colour=colour)
    return drawing.document()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--large", action="store_true", help="5 000 rows and 2 000 cells too; minutes")
    parser.add_argument("--plot", type=Path, help="where to write the picture of how far a budget goes")
    arguments = parser.parse_args()
    lengths = [1, 10, 100, 1000, *([5000] if arguments.large else [])]
    growth("rows", lengths, lambda count: made_up_rows(count, 50), arguments.repeats)
    cells = [10, 50, 200, 500, *([2000] if arguments.large else [])]
    growth("cells", cells, lambda m: made_up_rows(100, m), arguments.repeats)
    print(f"{'noises':>8} {'way':>10} {'ms':>12} {'error':>12}")
    for count in (3, 30, 300):
        law_ways(count, arguments.repeats)
    budgets([4, 6, 10, 20], arguments.plot)


if __name__ == "__main__":
    main()
