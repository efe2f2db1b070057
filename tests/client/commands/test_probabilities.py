"""People see figures with the same digits on the command line and in the console."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from private_posterior.wording import figure_texts
from service.pictures.rows import Row, texts_of
from service.pictures.scales import PER_100_000, PERCENT, PLAIN, POINTS, Unit

if TYPE_CHECKING:
    from service.pictures.rows import Kind


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
    assert figure_texts(1e300, 0.0, None, is_ratio=True) == ["infinite", "0", "no end"]
