"""The exact epsilon of discrete Gaussian noise, by sums over all losses, beside the conversion that is charged."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from core.accounting.zcdp import epsilon_of
from core.privacy import Delta, Rho

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "mechanisms.md"


def exact_epsilon(variance: float, delta: float, *, records: int = 1, replaced: bool = True) -> float:
    """The least epsilon with δ(ε) = Σ_t P(v·z = t) max(0, 1 − e^(ε − loss)), loss = (v·z + ½‖v‖²) / σ².

    Replaced records move two counts, v = (k, −k), and added ones a single one, v = (k).
    """
    far = math.ceil(20.0 * math.sqrt(variance)) + 12
    of_one = np.exp(-(np.arange(-far, far + 1.0) ** 2) / (2.0 * variance))
    of_one /= of_one.sum()
    likely = np.convolve(of_one, of_one) if replaced else of_one
    steps = np.arange(likely.size) - likely.size // 2
    losses = records * (steps + records * (1.0 if replaced else 0.5)) / variance
    low, high = 0.0, float(losses.max())
    for _ in range(100):
        middle = (low + high) / 2
        found = float(likely @ -np.expm1(np.minimum(middle - losses, 0.0)))
        low, high = (middle, high) if found > delta else (low, middle)
    return high


def ratio(rho: float, delta: float) -> float:
    """The charge divided by the exact epsilon."""
    charged, at = Rho.parse(f"{rho:.12f}"), Delta.parse(f"{delta:.18f}")
    return float(epsilon_of(charged, at)) / exact_epsilon(1 / float(charged), float(at))


@pytest.mark.parametrize(
    ("rho", "delta", "reference"),
    [
        ("0.01", "1e-6", 0.575183279327),
        ("0.1", "1e-4", 1.491675925132),
        ("0.1", "1e-6", 1.991236185148),
        ("0.1", "1e-10", 2.758760151047),
        ("1", "1e-6", 6.996626889169),
        ("10", "1e-6", 29.977118756756),
    ],
)
def test_the_charge_of_a_replaced_record_covers_the_exact_epsilon(rho: str, delta: str, reference: float) -> None:
    exact = exact_epsilon(1 / float(rho), float(delta))
    assert exact == pytest.approx(reference, abs=1e-12)
    assert float(epsilon_of(Rho.parse(rho), Delta.parse(delta))) > exact


@pytest.mark.parametrize(
    ("rho", "delta", "reference"), [("0.1", "1e-6", 2.008754325571), ("0.01", "1e-4", 0.40728008243)]
)
def test_the_charge_of_an_added_record_covers_the_exact_epsilon(rho: str, delta: str, reference: float) -> None:
    exact = exact_epsilon(1 / (2 * float(rho)), float(delta), replaced=False)
    assert exact == pytest.approx(reference, abs=1e-12)
    assert float(epsilon_of(Rho.parse(rho), Delta.parse(delta))) > exact


@pytest.mark.parametrize(
    ("records", "charged", "reference"), [(2, 4.60444005, 4.315721227124), (3, 7.306416959, 6.852705398589)]
)
def test_the_charge_of_several_records_covers_the_exact_epsilon(records: int, charged: float, reference: float) -> None:
    """At σ² = 10 and δ = 1e-6, where ρ = k² / 10."""
    exact = exact_epsilon(10.0, 1e-6, records=records)
    assert exact == pytest.approx(reference, abs=1e-12)
    assert float(epsilon_of(Rho(records**2 * Rho.parse("0.1").units), Delta.parse("1e-6"))) == charged > exact


@pytest.mark.parametrize("rho", [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5])
def test_the_page_states_how_far_the_charge_is_above_the_exact_epsilon(rho: float) -> None:
    """Beyond ρ = 0.5 the noise takes few values, and beyond δ = √ρ / 1000 the exact ε falls to 0."""
    largest = math.sqrt(rho) / 1000
    ratios = [ratio(rho, largest * 10 ** (-each / 4)) for each in range(29)]
    assert 1 < min(ratios) <= max(ratios) < 1.15


def test_the_page_states_the_charge_beside_the_exact_epsilon() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    rho, delta = Rho.parse("0.1"), Delta.parse("1e-6")
    charged, exact = float(epsilon_of(rho, delta)), exact_epsilon(10.0, 1e-6)
    assert f"At ρ = 0.1 and δ = 1e-6 it is charged {charged:.2f}, and the exact ε is {exact:.2f}." in text
    assert "up to 1.15 of the exact ε while ρ is at most 0.5 and δ at most √ρ/1000" in text
    beyond = ratio(20.0, 1e-4)
    assert f"at ρ = 20 and δ = 1e-4 it is {beyond:.1f} times" in text
