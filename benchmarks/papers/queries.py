"""Evaluates the query-answering system of Xiao and Xiong ("Bayesian Inference under Differential Privacy"), whose
own evaluation is not in the copy at hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.papers.charts import Chart, Curve, plain
from benchmarks.papers.methods.published import convolution_error, mass_by_convolution, mass_by_sampling, sampling_error
from benchmarks.papers.report import Part, Picture, Table, number
from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, RowLoss
from core.mechanisms.linear import LinearAnswers, rehearse
from core.noise import LaplaceNoise
from core.privacy import Epsilon
from core.queries.error_distribution import LaplaceSum, distribution_of
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.search import least_rate
from core.samplers.reproducible import Reproducible

CELLS, RECORDS, BUDGET, CONFIDENCE = 16, 10_000, 1.0, 0.95
ASKED = 60


@dataclass(frozen=True)
class Outcome:
    """`answered` of ASKED queries until the budget is spent: from the history alone, measured again; how often
    intervals held; seconds a query.
    """

    answered: int
    free: int
    held: int
    seconds: float
    spent: float


def workload(kind: str) -> list[Query]:
    """Ranges of cells, or random sets of about half of them; the same every time."""
    rng = np.random.default_rng(3)
    rows: list[tuple[int, ...]] = []
    while len(rows) < ASKED:
        if kind == "ranges":
            first, last = np.sort(rng.integers(0, CELLS, 2))
            row = tuple(int(first <= cell <= last) for cell in range(CELLS))
        else:
            row = tuple(rng.integers(0, 2, CELLS).tolist())
        if 0 < sum(row) < CELLS:
            rows.append(row)
    return [Query(row) for row in rows]


def truth() -> np.ndarray:
    """The made-up counts."""
    return np.asarray(np.random.default_rng(4).multinomial(RECORDS, np.random.default_rng(5).dirichlet(np.ones(CELLS))))


def run(kind: str, half_width: float, *, infer: bool, pairs: bool) -> Outcome:
    """Answer queries, each with a 95 % interval of at most this half width, until the budget is spent.

    With `infer`, a query is answered from the history if that is precise enough, and otherwise together with it. With
    `pairs`, the budget pays the loss of the most expensive pair of cells, otherwise the sum of all losses.
    """
    counts, entropy = truth(), Reproducible(9).entropy()
    history, joint = History(RECORDS, CELLS), JointLoss(CELLS)
    answered = free = held = plain_units = 0
    start = time.process_time()
    for query in workload(kind):
        known = estimate(history, query) if infer else None
        if known is not None and known.half_width(CONFIDENCE) <= half_width:
            free += 1
        else:
            search = least_rate(history, known, query, half_width, CONFIDENCE)
            assert search is not None
            loss = RowLoss.of(search.row, Accountant.BASIC)
            after = joint.copy()
            after.add(loss, apart=not after.takes(loss))
            units = after.units if pairs else plain_units + loss.largest
            if units > Epsilon.parse(str(BUDGET)).units:
                break
            joint, plain_units = after, plain_units + loss.largest
            row = search.row
            event = LinearAnswers(RECORDS, CELLS, row.denominator, (row.coefficients,), (row.rate,))
            (noisy,) = rehearse(counts, event, entropy)
            if not infer:
                history = History(RECORDS, CELLS)
            history.add_answer(row, noisy, f"q{answered}")
            known = estimate(history, query)
            assert known is not None
        answered += 1
        interval = known.interval(CONFIDENCE)
        held += interval.lower <= float(np.dot(counts, query.coefficients)) <= interval.upper
    seconds = (time.process_time() - start) / max(answered, 1)
    spent = (joint.units if pairs else plain_units) / 10**Epsilon.digits
    return Outcome(answered, free, held, seconds, spent)


def narrowest_wrong() -> tuple[float, float]:
    """Exact 95 % half width of the sum of two Laplace noises of scales 10 and 1, and that of a normal law of the
    same variance.
    """
    law = distribution_of([(LaplaceNoise(10.0, 1e-9), np.ones(1)), (LaplaceNoise(1.0, 1e-9), np.ones(1))])
    return law.half_width(CONFIDENCE), NormalDist().inv_cdf(0.975) * law.deviation


def evaluation() -> Part:
    systems = {
        "history, dearest pair": (True, True),
        "history, plain sum": (True, False),
        "fresh noise, plain sum": (False, False),
    }
    rows, curves = [], []
    for kind in ("ranges", "random rows"):
        for place, (name, (infer, pairs)) in enumerate(systems.items()):
            points = []
            for width in (25.0, 50.0, 100.0):
                outcome = run(kind, width, infer=infer, pairs=pairs)
                points.append((width, float(outcome.answered)))
                rows.append(
                    [
                        kind,
                        number(width),
                        name,
                        str(outcome.answered),
                        str(outcome.free),
                        f"{outcome.held} of {outcome.answered}",
                        number(outcome.spent, 3),
                        f"{1e3 * outcome.seconds:.0f} ms",
                    ]
                )
            curves.append(Curve(plain(f"{kind}: {name}", place + 3 * (kind != "ranges")), points))
    chart = Chart(
        "Xiao and Xiong: queries answered until the budget is spent",
        f"{ASKED} queries asked, {CELLS} cells, {RECORDS} records, ε = {BUDGET:g} in all, each answer with a 95 % interval of the half width asked for",
        "half width asked for (records)",
        "queries answered",
        curves,
        log_x=True,
    )
    exact, normal = narrowest_wrong()
    true = (
        "Their claim, that answering from the history saves budget and extends the lifetime, holds by the numbers below, of a history of ours. "
        "Charging the most expensive pair of cells instead of the plain sum extends it again, at no cost in privacy. Intervals are exact: the "
        "error is a sum of Laplace noises, whose distribution is symmetric. "
        f"Two noises of scales 10 and 1 have a half width of {number(exact)} at 95 %, where the variance and a normal distribution give {number(normal)}."
    )
    header = [
        "queries",
        "half width",
        "system",
        "answered",
        "from history alone",
        "intervals that held",
        "ε spent",
        "time a query",
    ]
    says = "Bayesian inference from past answers lets a system with a bounded budget answer more queries, each with the credible interval that its user demands."
    return Part(
        "An evaluation of the query-answering system",
        says,
        true,
        [Table(header, rows)],
        [Picture("queries", chart.svg(), chart.title)],
    )


SCALES, SAMPLES, LOSS, REPEATS = np.array([10.0, 6.0, 2.5]), 1_000, 1e-3, 2_000
"""Made up, because those of the example are lost: scales of the noises, sample size, mass omitted of each noise."""


def exact_mass(furthest: int) -> NDArray[np.float64]:
    """The mass of the sum of the noises in intervals of length 1 around −furthest, …, furthest."""
    law = LaplaceSum(SCALES)
    beyond = np.array([law.beyond(k + 0.5) for k in range(furthest + 1)])
    side = beyond[:-1] - beyond[1:]
    return np.concatenate((side[::-1], [1.0 - 2.0 * beyond[0]], side))


def squared_error(mass: NDArray[np.float64], exact: NDArray[np.float64]) -> float:
    """Σ (û_i − u_i)², of a mass vector that may be shorter than the exact one."""
    missing = (exact.size - mass.size) // 2
    return float(((np.pad(mass, missing) - exact) ** 2).sum())


def mass_functions() -> Part:
    """Figures 2 and 3, with the errors by theorems 4.3 and 4.5."""
    draws, furthest = Reproducible(12), 400
    exact = exact_mass(furthest)
    sampled, convolved = mass_by_sampling(SCALES, SAMPLES, draws), mass_by_convolution(SCALES, LOSS)
    pictures = []
    for name, title, mass in (
        ("queries-2-sampling", f"Xiao and Xiong, figure 2: by sampling, {SAMPLES} sums", sampled),
        (
            "queries-3-convolution",
            f"Xiao and Xiong, figure 3: by convolution, {LOSS:g} left out of each noise",
            convolved,
        ),
    ):
        shown = range(-60, 61)
        curves = [
            Curve(plain("the paper's algorithm", 0), [(k, float(mass[k + mass.size // 2])) for k in shown]),
            Curve(plain("exact", 4), [(k, float(exact[k + furthest])) for k in shown], marked=False),
        ]
        chart = Chart(
            title,
            f"probability of the sum of Laplace noises of scales {', '.join(f'{each:g}' for each in SCALES)}, rounded to a whole number",
            "noise in the answer (records)",
            "probability mass",
            curves,
        )
        pictures.append(Picture(name, chart.svg(), chart.title))
    rows = []
    for size in (1_000, 10_000, 100_000):
        vectors = [mass_by_sampling(SCALES, size, draws) for _ in range(REPEATS)]
        errors = np.array([squared_error(each, exact) for each in vectors])
        length = float(np.mean([each.size for each in vectors]))
        largest = float((exact * (1.0 - exact)).max()) / size
        rows.append(
            [
                f"{size:,}".replace(",", " "),
                number(float(errors.mean())),
                number(sampling_error(exact, size)),
                number(length * largest),
                number(float(np.quantile(errors, 0.95))),
                number(largest * float(stats.chi2.ppf(0.95, length))),
            ]
        )
    losses = []
    for loss in (1e-2, 1e-3, 1e-6, 1e-10):
        mass = mass_by_convolution(SCALES, loss)
        losses.append(
            [
                f"{loss:g}",
                str(mass.size),
                number(1.0 - float(mass.sum())),
                number(convolution_error(SCALES, loss)),
                number(squared_error(mass, exact_mass(max(furthest, mass.size // 2)))),
            ]
        )
    true = (
        "The numbers of both examples, and the formulas of both theorems, are missing in the available copy. So scales, sample size and loss are chosen here, "
        "and the theorems are reconstructed from their proofs. "
        "*Theorem 4.3* bounds the sum of squared errors by the largest variance times χ² of as many degrees of freedom as u is long. It holds and is loose, "
        "because most bins have far less than the largest variance. *Theorem 4.5* holds for the mass "
        "left out, which its lemmas measure. The error of u has another part, which does not shrink with the loss. "
        "The service uses neither method: it evaluates the distribution of the sum."
    )
    return Part(
        "Figures 2 and 3, theorems 4.3 and 4.5: the probability mass of noise",
        "The distribution of a sum of Laplace noises is approximated in two ways: by the histogram of a sample, whose error follows a χ² distribution, or by "
        "convolving truncated mass vectors, whose error is negligible.",
        true,
        [
            Table(
                [
                    "sample",
                    "Σ (û − u)², mean of 2 000 runs",
                    "by the corollary",
                    "by the theorem",
                    "95 % quantile",
                    "by the theorem",
                ],
                rows,
            ),
            Table(["loss of each noise", "length of u", "mass left out", "bound", "Σ (û − u)²"], losses),
        ],
        pictures,
    )


def parts() -> Iterator[Callable[[], Part]]:
    yield from (mass_functions, evaluation)
