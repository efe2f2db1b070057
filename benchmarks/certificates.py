"""Writes docs/explanation/certificates.md up to the distance to the optimum: the loss that the published calibration claims, the loss that the theorems prove,
and the exact loss if it can be computed.

    python -m benchmarks.certificates [--write]

prints the document, or writes it. Uniform prior α = 1, δ = 1e-8. Takes about ten minutes.
"""

from __future__ import annotations

import argparse
import math
from itertools import permutations
from pathlib import Path

import numpy as np
from scipy.special import logsumexp

from core.accounting.zcdp import rho_of_pure
from core.candidates import candidate_count, histograms
from core.mechanisms.exponential import calibration
from core.mechanisms.exponential import mechanism as exponential
from core.mechanisms.exponential.bounds import excess_by_ratio, excess_by_tail, largest_rate, prove
from core.mechanisms.exponential.exact_loss import evaluable, evaluation_seconds, exact_loss
from core.mechanisms.exponential.normalisers import normaliser_excess
from core.mechanisms.exponential.search import reference_histograms
from core.privacy import Delta, Epsilon

DELTA = Delta.parse("0.00000001")
SIZES = [(2, 1_000), (2, 200_000), (3, 70), (3, 1_000), (10, 100_000), (50, 1_000_000)]
RHO_SIZES = [(2, 30), (2, 300), (3, 12), (4, 8), (6, 4)]
EPSILONS = ["0.8", "3"]
CHARGED = [(2, 20_000), (3, 243), (10, 7)]
NOMINAL = ["0.5", "15"]
ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "explanation" / "certificates.md"


def published_row(m: int, n: int, epsilon: str) -> str:
    """Each theorem's ε over the nominal one, for the calibration as printed (no admixture, nothing for the draw),
    and the true ratio.
    """
    prior, nominal = np.ones(m), float(epsilon)
    gamma = math.log1p(nominal / (2 * math.log(2 * (n + 1) / float(DELTA))))
    rate = largest_rate(prior, n, nominal, gamma)
    tail = excess_by_tail(n, m, gamma, float(DELTA))
    by_ratio = excess_by_ratio(rate, gamma, None)
    one_rate = nominal / 2 + normaliser_excess(prior, n, nominal, rate)
    together = prove(prior, n, nominal, gamma, None, 0.0).epsilon
    proven = [nominal + min(tail, by_ratio), one_rate + min(tail, by_ratio), together]
    true = ["–", "–"]
    if evaluable(n, m):
        for column, delta in enumerate((0.0, float(DELTA))):
            exact = exact_loss((1.0,) * m, n, nominal, gamma, uniform_admixture=None, delta=delta)
            true[column] = f"{(exact.epsilon + exact.error) / nominal:.3f}"
    return f"| {m} | {n:,} | {epsilon} | " + " | ".join([*(f"{value / nominal:.2f}" for value in proven), *true]) + " |"


def calibration_row(m: int, n: int, epsilon: str) -> str:
    """κ at the even histogram for each ε charged, by calibration."""
    prior, asked = (1.0,) * m, Epsilon.parse(epsilon)
    even = reference_histograms(n, m)[0]
    events = [
        calibration.calibrate_global(n, prior, asked, DELTA),
        calibration.calibrate_published(n, prior, asked, DELTA),
        calibration.calibrate_proven(n, prior, asked, DELTA),
    ]
    if evaluable(n, m):
        events.append(calibration.calibrate_certified(n, prior, asked, DELTA))
    cells = []
    for event in events:
        loss = exponential.certify(event).loss
        cells.append(
            f"{exponential.rate_at(event, even) / float(loss.epsilon):.1f} ({float(loss.epsilon):.3f}, {float(loss.delta):.0e})"
        )
    return f"| {m} | {n:,} | {epsilon} | " + " | ".join([*cells, *["–"] * (4 - len(cells))]) + " |"


def charge_row(m: int, n: int, nominal: str) -> str:
    """Return the charge of the published calibration: by the theorems, and by evaluation of its channel."""
    event = calibration.calibrate_published(n, (1.0,) * m, Epsilon.parse(nominal), DELTA)
    proven = prove(np.ones(m), n, float(event.epsilon0), event.gamma, event.uniform_admixture, 0.0)
    by_theorem = proven.epsilon + exponential.arithmetic(event).epsilon
    return (
        f"| {m} | {n:,} | {candidate_count(n, m):,} | {nominal} | {by_theorem:.3f} "
        f"| {float(exponential.certify(event).loss.epsilon):.3f} | {evaluation_seconds(n, m):.1f} |"
    )


def rho_row(m: int, n: int, epsilon: str) -> str:
    """Return ρ of the published calibration: from the range of the loss, as charged, the least that some order needs,
    and that of any mechanism of this ε. The last column is the charge over the need.
    """
    event = calibration.calibrate_published(n, (1.0,) * m, Epsilon.parse(epsilon), DELTA)
    certificate = exponential.certify(event)
    assert certificate.loss.rho is not None
    charged, needed = float(certificate.loss.rho), largest_divergence(event)
    by_range = float(certificate.details["loss_range"]) ** 2 / 8
    implied = float(rho_of_pure(certificate.loss.epsilon))
    return (
        f"| {m} | {n:,} | {epsilon} | {float(certificate.loss.epsilon):.4g} | {implied:.4g} | {by_range:.4g} | {charged:.4g} | "
        f"{needed:.4g} | {charged / needed:.4f} |"
    )


def largest_divergence(event: exponential.Exponential) -> float:
    """The largest D_a / a over all pairs of neighbours and 160 orders, from the integer weights of the draw."""
    every = histograms(event.n, event.m)
    orders = 1.0 + np.geomspace(1e-3, 2e3, 160)
    rows = np.array([exponential.weights_at(event, c).astype(np.float64) for c in every])
    logs = np.log(rows) - np.log(rows.sum(axis=1, keepdims=True))
    place = {tuple(c): index for index, c in enumerate(every.tolist())}
    steps = [
        np.eye(event.m, dtype=np.int64)[j] - np.eye(event.m, dtype=np.int64)[i]
        for i, j in permutations(range(event.m), 2)
    ]
    largest = 0.0
    for c in every:
        # A flat prior treats categories alike: histograms in falling order stand for all.
        if list(c) != sorted(c, reverse=True):
            continue
        for step in steps:
            if (other := place.get(tuple((c + step).tolist()))) is None:
                continue
            here = place[tuple(c.tolist())]
            for x, y in ((here, other), (other, here)):
                moments = logsumexp(orders[:, None] * logs[x] + (1.0 - orders[:, None]) * logs[y], axis=1)
                largest = max(largest, float((moments / (orders * (orders - 1.0))).max()))
    return largest


def document() -> str:
    return "\n".join(
        [
            "# Certificates, and the distance to the optimum",
            "",
            "The exponential mechanism's privacy loss: claimed, proven and true, for a uniform prior α = 1 and one replaced record. A δ is 1e-8",
            "unless stated. Written by `python -m benchmarks.certificates --write`.",
            "",
            "## The published calibration: claimed, proven, true",
            "",
            "Each column from *Theorem 1* on has the loss divided by the nominal ε: the calibration claims 1. *Theorem 1* and *Theorems 1, 2* are",
            "proven with δ = 1e-8 if that makes ε smaller. *True* is the loss of the whole channel, if it can be evaluated. [Privacy",
            "proofs](privacy-proofs.md) has the theorems.",
            "",
            "| m | n | nominal ε | Theorem 1 | Theorems 1, 2 | Theorems 1 to 3, δ = 0 | true, δ = 0 | true, δ = 1e-8 |",
            "|--:|--:|--:|--:|--:|--:|--:|--:|",
            *(published_row(m, n, epsilon) for m, n in SIZES for epsilon in EPSILONS),
            "",
            "## Charges by theorem and by evaluation",
            "",
            "The ε charged for the published calibration at δ = 0. A channel of at most 30 000 candidates (two categories: 20 000 records) is",
            "evaluated, and its true loss is charged. The seconds are the public estimate if all priors differ; equal priors take up to m! times",
            "less.",
            "",
            "| m | n | candidates | nominal ε | by theorem | charged | estimated seconds |",
            "|--:|--:|--:|--:|--:|--:|--:|",
            *(charge_row(m, n, nominal) for m, n in CHARGED for nominal in NOMINAL),
            "",
            "## κ for an ε, by calibration",
            "",
            "The rate κ at the even histogram, with the charged (ε, δ) in brackets. A larger κ gives draws closer to the truth. `published` is",
            "charged its proven loss, not its nominal ε. If the channel can be evaluated, every calibration is charged its true loss, and",
            "`certified` is available.",
            "",
            "| m | n | requested ε | global | published | proven | certified |",
            "|--:|--:|--:|--:|--:|--:|--:|",
            *(calibration_row(m, n, "0.8") for m, n in SIZES),
            "",
            "## ρ of evaluated channels",
            "",
            "The ρ of the published calibration under `zcdp`. *Any such ε* is the ρ that the certified ε implies for every mechanism. *Range* is",
            "w²/8 for a loss in an interval of length w. *Charged* is the bound of [Accounting](accounting.md#zcdp). *Needed* is the largest Rényi",
            "divergence D_a/a over all neighbours and 160 orders a, summed over the implemented channel.",
            "",
            "| m | n | nominal ε | certified ε | any such ε | range | charged | needed | charged / needed |",
            "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
            *(rho_row(m, n, "0.8") for m, n in RHO_SIZES),
            "",
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--write", action="store_true", help=f"write {DOCUMENT.relative_to(ROOT)} instead of printing it"
    )
    write = parser.parse_args().write
    text = document()
    if write:
        _, mark, rest = DOCUMENT.read_text().partition("\n## Distance to the optimum\n")
        DOCUMENT.write_text(text + mark + rest)
    else:
        print(text)
