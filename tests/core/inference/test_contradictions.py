"""Doubts about published tables: examples, and no false alarm on true tables."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.inference.contradictions import contradiction
from core.inference.published import AS_DRAWN, Law, Noise, Printed, PublishedCell, Total, table_noise

ALARM = math.log(1e-4)
FINITE = ("rounded", "table", "twice")
PERTURBED = table_noise([{0: 1.0}, {-1: 0.4, 0: 0.4, 2: 0.2}])
NOISES: dict[Law, float] = {"geometric": 1.0, "laplace": 1.0, "gaussian": 1.0, "discrete_gaussian": 1.0}


def table(
    values: Sequence[float | None], law: Law = "geometric", scale: float = 1.0, printed: Printed = AS_DRAWN
) -> list[PublishedCell]:
    return [PublishedCell(value, Noise(law, scale), printed) for value in values]


def rounded(base: int, values: Sequence[float | None]) -> list[PublishedCell]:
    return table(values, "none", printed=Printed(base, "at_random"))


def total(value: float, scale: float = 1.0) -> Total:
    return Total(published=table([value], scale=scale)[0])


@pytest.mark.parametrize(
    ("tables", "of", "test", "log_probability"),
    [
        ([table([-40, 120, 45])], Total(), "below_zero", -38.5),
        ([table([-35, -28, -31])], Total(), "below_zero", -82.1),
        ([table([60, 10]), table([120, 160])], Total(), "same_counts", -189),
        ([table([120, 105])], total(125), "total", -86.8),
        ([table([120, 105])], Total(at_most=100), "total", -112),
        ([table([-1e6, 5], "laplace")], Total(), "below_zero", -1e6),
        ([table([-1e9, 5], "gaussian")], Total(), "below_zero", -5e17),
        ([table([-666666666, 5])], Total(), "below_zero", -6.7e8),
        ([table([-5] + 18 * [3], scale=1 / 3)], Total(), "below_zero", -11.4),
        ([table([-5] + 18 * [3], scale=1 / 10)], Total(), "below_zero", -46),
        ([table([300, 0], printed=Printed(clamped_at_zero=True))], 100, "above_total", -189),
        ([[PublishedCell(-80, Noise("geometric", 1.0, 2.0)), *table([5])]], Total(), "below_zero", -34.5),
        ([rounded(5, [5] * 100)], 700, "total", -31.4),
        ([rounded(3, [90, 0])], 60, "above_total", -205),
    ],
)
def test_values_that_contradict_the_stated_noise_are_found(
    tables: list[list[PublishedCell]], of: int | Total, test: str, log_probability: float
) -> None:
    found = contradiction(tables, of)
    assert found.test == test
    assert found.log_probability == pytest.approx(log_probability, rel=0.02)
    assert found.log_probability < ALARM


def test_a_likely_table_is_not_doubted() -> None:
    assert contradiction([table([-5] + 18 * [3])], Total()).log_probability == pytest.approx(-1.7, abs=0.05)
    assert contradiction([table([12, 9]), table([13, 8])], 21).log_probability == 0.0


def noise_of(law: str, scale: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    match law:
        case "geometric":
            both = rng.geometric(-math.expm1(-1 / scale), (2, size))
            return np.asarray(both[0] - both[1], dtype=np.float64)
        case "laplace":
            return rng.laplace(0.0, scale, size)
        case "gaussian":
            return rng.normal(0.0, scale, size)
        case _:
            points = np.arange(-math.ceil(12 * scale) - 2, math.ceil(12 * scale) + 3)
            weights = special.softmax(-(points**2) / (2 * scale**2))
            return np.asarray(rng.choice(points, size, p=weights), dtype=np.float64)


def true_table(rng: np.random.Generator) -> tuple[list[list[PublishedCell]], int | Total]:
    """One to three true tables of 2 to 80 cells, perhaps rounded, with a known, noisy, bounded or unknown total."""
    m, scale = int(rng.integers(2, 81)), float(np.exp(rng.uniform(np.log(0.3), np.log(50))))
    kind = str(rng.choice([*NOISES, *FINITE]))
    counts = rng.poisson(rng.choice([0.0, 1.0, 5.0, 100.0], m))
    n = int(counts.sum())
    of: list[int | Total] = [Total(), Total(at_most=n), max(n, 1)]
    if kind in FINITE:
        return finite_tables(kind, counts, rng), of[int(rng.integers(3))]
    law = next(each for each in NOISES if each == kind)
    noise = Noise(law, scale)
    printed = Printed(int(rng.choice([2, 5, 10])), "half_even") if rng.random() < 0.3 else AS_DRAWN
    tables = []
    for _ in range(rng.integers(1, 4)):
        values = counts + noise_of(law, scale, m, rng)
        if printed.round_to is not None:
            values = printed.round_to * np.round(values / printed.round_to)
        tables.append([PublishedCell(value, noise, printed) for value in values.tolist()])
    noisy = n + float(noise_of(law, scale, 1, rng)[0])
    of.append(Total(published=PublishedCell(noisy, noise)))
    return tables, of[int(rng.integers(len(of)))] if n else Total()


def finite_tables(law: str, counts: NDArray[np.int64], rng: np.random.Generator) -> list[list[PublishedCell]]:
    """One or two true tables, rounded at random, perturbed by a table, or with two noises."""
    found = []
    for _ in range(rng.integers(1, 3)):
        match law:
            case "rounded":
                base = int(rng.choice([3, 5, 10]))
                values = base * np.floor(counts / base + rng.random(counts.size))
                found.append(rounded(base, values.tolist()))
            case "table":
                values = np.where(counts > 0, counts + rng.choice([-1, 0, 2], counts.size, p=[0.4, 0.4, 0.2]), 0)
                found.append([PublishedCell(float(value), PERTURBED) for value in values])
            case _:
                values = counts + noise_of("geometric", 1.0, counts.size, rng)
                values += noise_of("geometric", 3.0, counts.size, rng)
                found.append([PublishedCell(float(value), Noise("geometric", 1.0, 3.0)) for value in values])
    return found


def alarms(size: int, rng: np.random.Generator) -> list[float]:
    return [contradiction(*true_table(rng)).log_probability for _ in range(size)]


def test_few_true_tables_are_doubted_at_any_probability() -> None:
    found = np.array(alarms(200, np.random.default_rng(31)))
    assert (found < ALARM).sum() == 0
    assert (found < math.log(0.1)).sum() <= 20


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_of_ten_thousand_true_tables_at_most_three_are_doubted() -> None:
    """At most one of 10 000 is expected; four or more have a probability below 0.02."""
    found = np.array(alarms(10_000, np.random.default_rng(31)))
    for nominal in (0.1, 0.05, 0.01, 0.001, 1e-4):
        times = int((found < math.log(nominal)).sum())
        print(f"nominal {nominal:g}: {times} alarms")  # noqa: T201  shown by pytest -rP
        assert times <= 10_000 * nominal + 3 * math.sqrt(10_000 * nominal)
