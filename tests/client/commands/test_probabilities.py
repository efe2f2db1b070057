"""People see figures with the same digits on the command line and in the console."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from private_posterior.commands.show import probability_text
from private_posterior.wording import figure_texts
from service.console.answers import sides_of
from service.pictures.rows import Row, texts_of
from service.pictures.scales import PER_100_000, PERCENT, PLAIN, POINTS, Unit

if TYPE_CHECKING:
    from private_posterior.models import ProbabilityAbove
    from service.pictures.rows import Kind

NEARLY_0, NEARLY_1 = 1 / 160_002, 160_001 / 160_002


def above(probability: float, error: float, method: Literal["exact", "simulation"]) -> ProbabilityAbove:
    return {
        "probability": probability,
        "error": error,
        "method": method,
        "draws": None,
        "threshold": 1.0,
        "equal": None,
    }


def test_a_probability_is_never_0_or_1_and_has_no_more_digits_than_its_error_allows() -> None:
    cases = {
        (NEARLY_0, 6e-6, "simulation"): ("below 0.001, simulated", "below 1 with probability above 0.999, simulated"),
        (NEARLY_1, 6e-6, "simulation"): ("above 0.999, simulated", "above 1 with probability above 0.999, simulated"),
        (NEARLY_0, 0.0067, "simulation"): ("below 0.01, simulated", "below 1 with probability above 0.99, simulated"),
        (1e-30, 0.0, "exact"): ("below 0.001", "below 1 with probability above 0.999"),
        (0.0, 1e-9, "exact"): ("below 0.001", "below 1 with probability above 0.999"),
        (0.123456, 1e-9, "exact"): ("0.123", "below 1 with probability 0.877, above it with 0.123"),
        (0.123456, 0.001, "exact"): ("0.123", "below 1 with probability 0.877, above it with 0.123"),
        (0.12345, 0.0067, "simulation"): (
            "0.12, simulated", "below 1 with probability 0.88, above it with 0.12, simulated"
        ),
        (0.123456, 0.3, "simulation"): ("0.1, simulated", "below 1 with probability 0.9, above it with 0.1, simulated"),
    }  # fmt: skip
    for (probability, error, method), said in cases.items():
        found = above(probability, error, "exact" if method == "exact" else "simulation")
        assert (probability_text(found), sides_of(found)) == said


def test_a_figure_has_the_digits_of_the_console() -> None:
    """Shares are fractions of 1 in a terminal, and percentages or numbers per 100 000 in the console."""
    cases: dict[tuple[Kind, float, float, float], tuple[Unit, list[str]]] = {
        ("share", 0.03237, 0.02911, 0.03584): (PERCENT, ["0.0324", "0.0291", "0.0358"]),
        ("share", 0.41, 0.1, 0.9): (PERCENT, ["0.41", "0.10", "0.90"]),
        ("share", 0.000164, 0.000111, 0.000229): (PER_100_000, ["0.000164", "0.000111", "0.000229"]),
        ("share", 0.003, 0.001, 0.005): (PER_100_000, ["0.00300", "0.00100", "0.00500"]),
        ("difference", -0.0383, -0.0421, -0.0302): (POINTS, ["-0.0383", "-0.0421", "-0.0302"]),
        ("difference", 0.0016, -0.1512, 0.1604): (POINTS, ["0.00", "-0.15", "0.16"]),
        ("difference", 0.0016, -0.0012, 0.0034): (PER_100_000, ["0.00160", "-0.00120", "0.00340"]),
        ("ratio", 0.54249, 0.4719, 1234.5): (PLAIN, ["0.542", "0.472", "1234"]),
        ("ratio", 12.0, 0.0, 1e9): (PLAIN, ["12.0", "0", "1e+09"]),
    }
    for (kind, value, low, high), (unit, written) in cases.items():
        assert figure_texts(value, low, high, is_ratio=kind == "ratio") == written
        shown = texts_of(Row("", value, (low, high)), kind, unit)
        in_console = [Decimal(re.sub(r"\s", "", each).replace("\N{MINUS SIGN}", "-")) for each in shown]
        assert in_console == [Decimal(each) * int(unit.factor) for each in written]
    assert figure_texts(1.5, 0.1, None, is_ratio=True) == ["1.50", "0.100", "no end"]
