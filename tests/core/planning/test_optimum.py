"""A plan's recommendation beside the narrowest mechanism at the same price, which is found here by other code.

Laws of sums come from Fourier transforms, prices from the privacy loss in a pair of cells, and widths from
posteriors of simulated releases. The tables are published ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from core.inference.events import Share
from core.planning.intervals import Asked, Guess
from core.planning.options import Charge, Problem
from core.planning.plans import plan
from core.privacy import Delta, Epsilon, Rho
from service.cli.demo.published_tables import published_table
from tests.harness.process import ROOT

Floats = NDArray[np.float64]
RUNS, GRID, DELTA = 800, 900, 1e-6
ORDERS: Final = 1.0 + np.logspace(-4, 3, 150)


class Table(NamedTuple):
    counts: list[int]
    share: frozenset[int]


def published(name: str) -> Table:
    """The counts of a table, and the cells of the question."""
    if name == "polio":
        found = published_table("polio_vaccine_trial_1954").counts
        return Table([*found["Vaccinated"], *found["Placebo"]], frozenset({0, 2}))
    if name == "smoking":
        read = json.loads((ROOT / "benchmarks" / "workplace_smoking.json").read_text(encoding="utf-8"))
        counts, attributes, (wanted, level) = read["counts"], read["attributes"], ("smoker", "yes")
        counts = next(iter(counts.values())) if isinstance(counts, dict) else counts
    else:
        table, wanted, level = {
            "Berkeley": ("berkeley_admissions_1973", "decision", "admitted"), "Chile": ("chile_1988", "vote", "yes")
        }[name]  # fmt: skip
        of = published_table(table)
        counts, attributes = next(iter(of.counts.values())), of.attributes
    place = next(number for number, each in enumerate(attributes) if each["name"] == wanted)
    chosen = next(each for each in attributes[place]["levels"] if each.startswith(level))
    cells = product(*(each["levels"] for each in attributes))
    return Table(list(counts), frozenset(number for number, cell in enumerate(cells) if cell[place] == chosen))


def law_of_sum(of_one: Callable[[Floats], Floats], cells: int, reach: int) -> Floats:
    """P(z) from −reach to reach of the sum of independent noises with these logarithms of probabilities."""
    size = 1 << (4 * reach).bit_length()
    z = np.asarray(np.fft.fftfreq(size, 1.0 / size), dtype=np.float64)
    weights = np.exp(of_one(z))
    found = np.fft.ifft(np.fft.fft(weights / weights.sum()) ** cells).real
    return np.asarray(np.maximum(np.concatenate([found[-reach:], found[: reach + 1]]), 0.0))


def geometric(rate: float) -> Callable[[Floats], Floats]:
    return lambda z: -rate * np.abs(z)


def gaussian(variance: float) -> Callable[[Floats], Floats]:
    return lambda z: -(z**2) / (2.0 * variance)


def mean_width(
    table: Table, of_one: Callable[[Floats], Floats], deviation: float, *, tied: bool
) -> tuple[float, float]:
    """The mean width of the 95 % interval of the share, whose prior is Beta(½, ½), and how often it has the guess."""
    m, k, n = len(table.counts), len(table.share), sum(table.counts)
    guess, rng = sum(table.counts[cell] for cell in table.share) / n, np.random.default_rng(7)
    reach = int(9.0 * deviation * np.sqrt(max(k, m - k)) + 60.0 * deviation)
    inside, rest = (law_of_sum(of_one, cells, reach) for cells in (k, m - k))
    counts = rng.binomial(n, guess, RUNS)
    z = np.arange(-reach, reach + 1)
    both = inside * rest[::-1] if tied else inside
    noise = rng.choice(z, RUNS, p=both / both.sum())
    of_rest = -noise if tied else rng.choice(z, RUNS, p=rest / rest.sum())
    spread = 9.0 * np.sqrt(n * guess * (1.0 - guess)) + 9.0 * deviation * np.sqrt(k * (m - k) / m) + 12.0
    low, high = max(0, int(counts.min() - 2 * spread)), min(n, int(counts.max() + 2 * spread))
    c = np.arange(low, high + 1)

    def logs(law: Floats, z: NDArray[np.int64]) -> Floats:
        found = np.log(np.maximum(law, 1e-300))[np.clip(z + reach, 0, 2 * reach)]
        return np.asarray(np.where(np.abs(z) <= reach, found, -690.0))

    found = logs(inside, (counts + noise)[:, None] - c)
    found = found + logs(rest, (n - counts + of_rest)[:, None] - (n - c))
    found += special.betaln(c + 0.5, n - c + 0.5) - special.betaln(c + 1.0, n - c + 1.0)
    weights = np.exp(found - found.max(axis=1, keepdims=True))
    grid = np.linspace(max(0.0, low / n - 9 / n), min(1.0, high / n + 9 / n), GRID)
    below = (weights / weights.sum(axis=1, keepdims=True)) @ stats.beta.cdf(
        grid, c[:, None] + 0.5, n - c[:, None] + 0.5
    )
    ends = np.array([np.interp((0.025, 0.975), row, grid) for row in below])
    return float((ends[:, 1] - ends[:, 0]).mean()), float(((ends[:, 0] <= guess) & (guess <= ends[:, 1])).mean())


def rho_of_losses(losses: Floats, probabilities: Floats) -> float:
    """The least ρ with D_α <= ρ α for every order."""
    kept = probabilities > 0.0
    logs = np.log(probabilities[kept])
    orders = [special.logsumexp(logs + (a - 1.0) * losses[kept]) / ((a - 1.0) * a) for a in ORDERS]
    return float(max(orders))


def rho_of_geometric(epsilon: float, m: int, *, tied: bool) -> float:
    """One record moves from one cell to another."""
    rate, reach = epsilon / 2, int(40.0 / epsilon) + 40
    z = np.arange(-reach, reach + 1)
    one = np.exp(-rate * np.abs(z))
    joint = np.outer(one, one)
    if tied:
        rest = law_of_sum(geometric(rate), m - 2, 2 * reach) if m > 2 else (np.arange(-2 * reach, 2 * reach + 1) == 0)
        joint = joint * rest[2 * reach - (z[:, None] + z)]
    steps = np.abs(z + 1) - np.abs(z), np.abs(z - 1) - np.abs(z)
    probabilities = np.bincount((steps[0][:, None] + steps[1] + 2).ravel(), joint.ravel())
    return rho_of_losses(rate * np.arange(-2.0, 3.0), probabilities / probabilities.sum())


def variance_at(epsilon: float) -> float:
    """The least σ² of Gaussian noise with (ε, 10⁻⁶), from its exact δ."""
    low, high = 0.05, 1e7
    for _ in range(60):
        middle = float(np.sqrt(low * high))
        reach = int(30.0 * np.sqrt(2.0 * middle)) + 20
        t = np.arange(-reach, reach + 1)
        one = np.exp(-(np.arange(-2 * reach, 2 * reach + 1) ** 2) / (2.0 * middle))
        law = np.convolve(one, one, "same")[reach : 3 * reach + 1] if reach < 3000 else np.exp(-(t**2) / (4.0 * middle))
        loss = (t + 1.0) / middle
        delta = float((law / law.sum() * np.maximum(-np.expm1(epsilon - loss), 0.0)).sum())
        low, high = (low, middle) if delta <= DELTA else (middle, high)
    return high


def largest(price: Callable[[float], float], most: float) -> float:
    """The largest ε whose price is at most this."""
    low, high = 1e-3, 20.0
    for _ in range(30):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if price(middle) <= most else (low, middle)
    return low


def candidates(m: int, accountant: str, amount: float) -> dict[str, tuple[Callable[[Floats], Floats], float, bool]]:
    """Each mechanism with the least noise at the price: its law, its standard deviation, and whether it is tied."""
    if accountant == "basic":
        epsilons, variance = {True: amount, False: amount}, variance_at(amount)
    else:
        epsilons = {tied: largest(lambda e, t=tied: rho_of_geometric(e, m, tied=t), amount) for tied in (True, False)}  # type: ignore[misc]
        variance = 1.0 / amount
    found: dict[str, tuple[Callable[[Floats], Floats], float, bool]] = {
        f"geometric, {'sum 0' if tied else 'independent'}": (geometric(e / 2), float(np.sqrt(8.0) / e + 0.3), tied)
        for tied, e in epsilons.items()
    }
    return found | {"gaussian": (gaussian(variance), float(np.sqrt(variance)), False)}


NAMES: Final = {"simplex_geometric": "geometric, sum 0", "gaussian": "gaussian"}


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", ["polio", "Berkeley", "Chile", "smoking"])
@pytest.mark.parametrize(
    ("accountant", "amount"), [("basic", "0.1"), ("basic", "1"), ("zcdp", "0.001"), ("zcdp", "0.05")]
)
def test_the_recommended_mechanism_is_the_narrowest_at_its_price(name: str, accountant: str, amount: str) -> None:
    table = published(name)
    counts, m = np.array(table.counts, dtype=np.int64), len(table.counts)
    asked = Asked.at(Share(table.share), counts)
    assert asked is not None
    charge: Charge = Epsilon.parse(amount) if accountant == "basic" else Rho.parse(amount)
    (point,) = plan(Problem(Guess(counts), (1.0,) * m, Delta.parse("1e-6"), [asked]), [charge]).points
    assert point.recommended is not None
    best = point.recommended.option
    found: dict[str, Any] = {
        kind: mean_width(table, law, deviation, tied=tied)
        for kind, (law, deviation, tied) in candidates(m, accountant, float(amount)).items()
    }
    print(name, accountant, amount, best.calibration.kind, best.intervals[0].width, found)  # noqa: T201  for `pytest -rP`
    honest = {kind: width for kind, (width, contains) in found.items() if contains >= 0.9}
    kind = NAMES[best.calibration.kind]
    assert honest[kind] <= 1.05 * min(honest.values())
    assert best.intervals[0].width == pytest.approx(honest[kind], rel=0.03)
