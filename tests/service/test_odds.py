"""The factor by which odds can rise is never written too small."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from service.posteriors.odds import odds_factor


@pytest.mark.parametrize(
    ("epsilon", "text"),
    [
        ("0", "1"), ("0.000000001", "1.01"), ("0.01", "1.02"), ("0.1", "1.11"), ("0.5", "1.65"), ("3", "20.1"),
        ("5", "149"), ("7", "1\u202f100"), ("13", "443\u202f000"), ("14", "1.21\u00a0×\u00a010⁶"),
        ("1000", "1.98\u00a0×\u00a010⁴³⁴"),
    ],
)  # fmt: skip
def test_odds_have_three_digits_rounded_up(epsilon: str, text: str) -> None:
    assert odds_factor(Decimal(epsilon)) == text


def test_odds_are_bounds_and_near() -> None:
    for step in range(1, 600):
        epsilon = Decimal(step) / 50
        factor = float(odds_factor(epsilon).replace("\u202f", ""))
        assert math.exp(float(epsilon)) <= factor <= 1.011 * math.exp(float(epsilon))
