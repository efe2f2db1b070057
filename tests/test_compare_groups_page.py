"""The page about groups has the figures that its release gives."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from service.posteriors.read_releases import ReadRelease
from service.schemas.posteriors import NoiseAwarePosterior
from tests.harness.asked import summarised, summarised_table

PAGE = (Path(__file__).parent.parent / "docs" / "how-to" / "compare-groups.md").read_text(encoding="utf-8")
LEVELS = {"department": list("ABCDEF"), "sex": ["women", "men"], "admitted": ["yes", "no"]}
CENTRES = (
    11, 25, 10, 27, 16, 4, 22, 10, 14, 5, 7, 12, 2, 14, 1, 16, 6, 11, 0, 12, 1, 10, 0, 10, 1, 4, 1, 8, 4, 2, 6, 1,
)  # fmt: skip
"""Cured and not, with cream and without, in each of eight centres (Beitler and Landis 1985)."""


def release() -> ReadRelease:
    """The release whose noisy counts are on the page."""
    (block,) = re.findall(r"```\n([-\d\s]+)```", PAGE)
    noisy = tuple(map(int, block.split()))
    labels = [" · ".join(each) for each in product(*LEVELS.values())]
    event = SimplexGeometric(sum(noisy), len(labels), Epsilon.parse("0.5"))
    attributes = [{"name": name, "levels": levels} for name, levels in LEVELS.items()]
    drawn = NoisyCounts(noisy, noisy)
    return ReadRelease("rel_" + 26 * "a", event, labels, [1.0] * len(labels), drawn, "", "", attributes=attributes)


def functions_of_the_page() -> dict[str, Any]:
    names: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(code.partition("\n\n\nfound = ")[0], names)  # noqa: S102
    return names


def probability(value: float) -> str:
    return "below 0.01" if value < 0.005 else "above 0.99" if value > 0.995 else f"{value:.2f}"


def test_the_page_about_groups_has_the_figures_of_its_release() -> None:
    (body,) = (json.loads(each) for each in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
    found = summarised(release(), **body)
    assert isinstance(found, NoiseAwarePosterior)
    assert found.by is not None
    assert found.by.adjusted is not None
    answers: list[tuple[str, Any]] = [("all", found.by.overall)]
    answers += [(each.label, each.answer) for each in found.by.strata]
    answers += [
        ("adjusted, Mantel–Haenszel", found.by.adjusted.mantel_haenszel),
        ("adjusted, standardised", found.by.adjusted.standardised),
    ]
    lines = re.findall(
        r"^\| (?!department)([^|]+?) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([^|]+?) \|$", PAGE, re.MULTILINE
    )
    assert [name for name, *_ in lines] == [name for name, _ in answers]
    for (name, *shown, above), (_, answer) in zip(lines, answers, strict=True):
        figures = (answer.median, answer.interval.low, answer.interval.high)
        for text, value in zip(shown, figures, strict=True):
            assert float(text) == pytest.approx(value, rel=0.02), name
        assert above == probability(answer.above.probability), name
    assert release().event.n == 4526


@pytest.mark.parametrize(
    ("noise", "values", "mean", "median", "above"),
    [
        ({"law": "none"}, (1, 9, 3, 7, 6, 4), 0.22725, 0.2318, 0.9916),
        ({"law": "geometric", "scale": 2}, (2, 9, 1, 9, 7, 2), 0.2612, 0.277, 0.956),
    ],
)
def test_the_function_of_a_trend_gives_the_reference_slopes(
    noise: dict[str, Any], values: tuple[int, ...], mean: float, median: float, above: float
) -> None:
    """Independent noise given that the counts sum to 30 is that of a release by `simplex_geometric` at ε = 1."""
    names = functions_of_the_page()
    cells = [{"label": f"cell {place}", "value": value} for place, value in enumerate(values)]
    asked = {"prior": [0.5] * 6, "draws": {"size": 10_000}}
    found = summarised_table({"cells": cells, "noise": noise, "total": {"known": 30}} | asked)
    assert isinstance(found, NoiseAwarePosterior)
    slopes = names["slopes"](found.draws, np.array([0, 1, 2]))
    assert slopes.mean() == pytest.approx(mean, abs=0.006)
    assert np.median(slopes) == pytest.approx(median, abs=0.006)
    assert (slopes > 0).mean() == pytest.approx(above, abs=0.008)


def test_the_function_of_random_effects_gives_the_reference_without_noise() -> None:
    """By quadrature, the mean log odds ratio is 0.785 (-0.018 to 1.589). Other draws move an end by up to 0.05."""
    cells = [{"label": f"cell {place}", "value": value} for place, value in enumerate(CENTRES)]
    asked = {"prior": {"each": 0.5, "of": "cell"}, "draws": {"size": 4_000}}
    found = summarised_table({"cells": cells, "noise": {"law": "none"}, "total": {"known": sum(CENTRES)}} | asked)
    assert isinstance(found, NoiseAwarePosterior)
    means, _, weights = functions_of_the_page()["random_effects"](found.draws)
    of_means = weights.sum(axis=1)
    low, high = np.interp((0.025, 0.975), np.cumsum(of_means) - 0.5 * of_means, means)
    assert (means @ of_means, low, high) == pytest.approx((0.785, -0.018, 1.589), abs=0.06)
