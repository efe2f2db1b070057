"""The worked decision for owners has the figures that the project computes: odds, and expected widths of intervals."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from core.inference.events import Share
from core.mechanisms.catalogue import CountsEvent
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.private_size import PrivateSize
from core.planning.intervals import Asked, Guess, expected_intervals
from core.privacy import Epsilon

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to" / "choose-epsilon.md").read_text(encoding="utf-8")
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
COUNTS = (40, 960, 60, 940)
INFECTED_IN_A, INFECTED = Share(frozenset({0})), Share(frozenset({0, 2}))


def rows(step: str) -> list[list[str]]:
    """The cells of the table in a step of the page, without its head."""
    section = PAGE.split(f"\n## {step}", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_suspicions_grow_by_the_factor_of_epsilon_and_no_more() -> None:
    suspicions = (0.05, 0.2, 0.5)
    for epsilon, factor, *worst in rows("1."):
        growth = math.exp(float(epsilon))
        after = [prior * growth / (1 - prior + prior * growth) for prior in suspicions]
        assert factor == f"{growth:.2f}"
        assert worst == [f"{share:.1%}".replace("%", " %") for share in after]


def widths(counts: tuple[int, ...], event: CountsEvent) -> list[tuple[float, float]]:
    """The expected width in records, and without noise, of each share of the table."""
    guess = Guess(np.array(counts), is_size_private=event.n is None)
    asked = [Asked.at(each, guess.counts) for each in (INFECTED_IN_A, INFECTED)]
    questions = [each for each in asked if each is not None]
    noisy, exact = (expected_intervals(each, guess, questions, 0.95) for each in (event, None))
    return [(one.width * guess.n, other.width * guess.n) for one, other in zip(noisy, exact, strict=True)]


def at_public_size(counts: tuple[int, ...], epsilon: str) -> list[tuple[float, float]]:
    return widths(counts, SimplexGeometric(n=sum(counts), m=len(counts), epsilon=Epsilon.parse(epsilon)))


def test_the_expected_widths_are_those_of_a_plan() -> None:
    *with_noise, without = rows("2.")
    assert len(with_noise) == 6
    for epsilon, *shown in with_noise:
        for width, ratio, (expected, exact) in zip(
            shown[::2], shown[1::2], at_public_size(COUNTS, epsilon), strict=True
        ):
            assert float(width) == pytest.approx(expected, abs=1, rel=0.03)
            assert float(ratio) == pytest.approx(expected / exact, rel=0.03)
    assert [float(width) for width in without[1::2]] == pytest.approx(
        [exact for _, exact in at_public_size(COUNTS, "1")], abs=0.5
    )


def test_widths_at_a_private_number_of_records_are_those_of_a_plan_beside_a_public_number() -> None:
    shown = [row for row in rows("May it be known") if re.fullmatch(r"[\d ]+ of [\d ]+", row[0])]
    assert len(shown) == 6
    for cases, epsilon, *figures in shown:
        infected, size = (int(each.replace(" ", "")) for each in cases.split(" of "))
        counts = infected, size - infected, infected * 3 // 2, size - infected * 3 // 2
        (public, exact), *_ = at_public_size(counts, epsilon)
        private = [
            widths(counts, PrivateSize(4, "geometric", share))[0][0]
            for share in (Epsilon.parse(epsilon), Epsilon(Epsilon.parse(epsilon).units // 2))
        ]
        assert [float(each) for each in figures] == pytest.approx([public, *private, exact], abs=1)


def test_rarer_cells_need_a_larger_epsilon() -> None:
    rare = (4, 996, 6, 994)
    (expected, exact), _ = at_public_size(rare, "1")
    assert "a ratio of 1.29" in " ".join(PAGE.split())
    assert expected / exact == pytest.approx(1.29, rel=0.03)
    (expected, exact), _ = at_public_size(rare, "0.5")
    assert "A category with 4 of 2 000 records has an interval 1.7 times as wide at ε = 0.5" in README
    assert expected / exact == pytest.approx(1.7, rel=0.04)


def test_readme_repeats_the_page() -> None:
    found = re.findall(r"(\d+) % at ε = ([\d.]+)", README)
    assert len(found) == 3
    shown = {epsilon: float(ratio) for epsilon, _, ratio, *_ in rows("2.")}
    assert [int(percent) for percent, _ in found] == [
        round(100 * (shown[epsilon.rstrip(".,")] - 1)) for _, epsilon in found
    ]
