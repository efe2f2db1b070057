"""Pictures of releases: right, legible and safe, from 2 to 200 categories, whatever the widths."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from service.posteriors.read_releases import ReadRelease
from tests.harness.asked import picture_of, summarised
from tests.harness.drawn import Drawn, assert_legible, drawn

WIDTHS = (320, 760, 1200)
LONG = "W" * 200
RIGHT_TO_LEFT = "מעשן בעבר 12"


def release(
    counts: tuple[int, ...], labels: list[str] | None = None, epsilon: str = "0.5", **changes: Any
) -> ReadRelease:
    return ReadRelease(
        id="rel_" + 26 * "a",
        event=SimplexGeometric(sum(counts), len(counts), Epsilon.parse(epsilon)),
        labels=labels or [f"level {place}" for place in range(len(counts))],
        prior=[1.0] * len(counts),
        counts=NoisyCounts(counts, counts),
        **{"title": "Trial", "date": "24 November 2026", "subtitle": "simplex geometric mechanism"} | changes,
    )


def shown(read: ReadRelease, width: int = 760, **asked: Any) -> Drawn:
    return drawn(picture_of(read, width=width, **({"level": 0.9} | asked)))


MANY = tuple(37 * place % 400 for place in range(200))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "counts",
    [
        (33, 200_712),
        (480, 520),
        (6, 199_994),
        (20, 0, 0),
        (30, 500, 1200),
        (5, 20, 100, 1000, 5000, 5000, 20_000, 40, 70, 3, 800, 12_000),
        (2**53, 0),
        MANY,
    ],
)
def test_texts_are_legible_at_every_width(counts: tuple[int, ...], width: int) -> None:
    found = shown(release(counts), width)
    assert found.width == width
    assert_legible(found)


def test_the_widening_is_whole_in_a_narrow_picture_of_long_figures() -> None:
    found = shown(release((4, 20, 8, 300_000, *((500_000,) * 8))), 320)
    assert_legible(found)
    assert (
        " ".join(found.words).count("\N{MULTIPLICATION SIGN} without noise") == 12 + 1
    )  # and the words that explain it
    assert not any(words.endswith("\N{HORIZONTAL ELLIPSIS}") for words in found.words)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("m", [2, 3, 12])
def test_any_label_is_shown_as_text_and_whole_in_the_description(m: int, width: int) -> None:
    labels = ['<script>alert(1)</script> & "x"', LONG, RIGHT_TO_LEFT, *(f"level {place}" for place in range(9))][:m]
    found = shown(release((40,) * m, labels, title=LONG), width)
    assert_legible(found)
    for label in labels:
        assert label in found.description
    cut = next(words for words in found.words if words.endswith("W…"))
    assert LONG.startswith(cut[:-1])
    assert found.title == f"{LONG}, 24 November 2026"
    assert any(words.endswith("24 November 2026") for words in found.words)
    if m < 7 or width > 760:
        assert labels[0] in found.words


@pytest.mark.parametrize("counts", [(33, 200_712), (30, 500, 1200), (5, 20, 100, 1000, 5000, 300, 2)])
def test_the_description_has_the_numbers_of_the_posterior(counts: tuple[int, ...]) -> None:
    of = release(counts)
    answer = summarised(of, level=0.9)
    assert answer.kind == "noise_aware"
    described = shown(of).description
    for category in answer.categories:
        pattern = rf"{category.label}: 90 % interval ([\d.]+) to ([\d.]+), .*?mean ([\d.]+\d)"
        low, high, mean = map(float, re.findall(pattern, described)[0])
        ends = category.interval.low or 0, category.interval.high or 1
        width = ends[1] - ends[0]
        assert (low, high) == pytest.approx(ends, abs=0.01 * width)
        assert mean == pytest.approx(category.mean, abs=0.01 * width)
    assert described.count("interval that ignores noise") == len(counts)


def test_intervals_are_drawn_where_their_axis_says() -> None:
    of = release((300, 500, 1200, 100, 400, 500, 600))
    answer = summarised(of, level=0.9)
    assert answer.kind == "noise_aware"
    found = shown(of)
    ticks = {
        text.content: (text.left + text.right) / 2 for text in found.texts if re.fullmatch(r"[\d.]+ %", text.content)
    }
    (first, start), *_, (last, end) = ((float(label[:-2]) / 100, x) for label, x in ticks.items())
    lines = [mark.attributes for mark in found.marks_of("line", "l-aware")][1:]
    for category, line in zip(answer.categories, lines, strict=True):
        for share, x in ((category.interval.low or 0, line["x1"]), (category.interval.high or 1, line["x2"])):
            assert start + (share - first) / (last - first) * (end - start) == pytest.approx(float(x), abs=0.2)


def test_of_two_categories_one_has_a_panel_and_the_other_is_the_rest() -> None:
    for counts, first in (((33, 200_712), "level 0"), ((200_712, 33), "level 1"), ((480, 520), "level 0")):
        found = shown(release(counts))
        assert found.words.index(first) < min(place for place, words in enumerate(found.words) if "the rest: " in words)
        assert len(found.marks_of("polygon", "aware")) == 1
        assert {"level 0", "level 1"} <= set(found.words)


def test_rare_shares_are_per_100_000_on_axis_and_in_words() -> None:
    found = shown(release((6, 199_994)))
    assert "share of records in the category, per 100\u202f000" in found.words
    assert any(re.fullmatch(r"[\d.]+ \([\d.]+ to [\d.]+\) per 100\u202f000", words) for words in found.words)
    found = shown(release((5, 20, 100, 1000, 5000, 5000, 20_000)))
    assert "share of records in the category, per 100\u202f000, logarithmic" in found.words


def test_small_cells_are_apart_from_zero_beside_large_ones() -> None:
    """A shared linear axis would put both within a pixel of its start."""
    found = shown(release((4, 40, 400, 4000, 40_000, 40_000, 40_000)))
    means = [
        float(mark.attributes["transform"].split("(")[1].split(" ")[0]) for mark in found.marks_of("path", "aware")[1:]
    ]
    assert all(right - left > 20 for left, right in pairwise(means[:5]))


def test_the_noise_aware_posterior_comes_first_and_the_naive_one_is_marked() -> None:
    for counts in ((480, 520), (5,) * 8):
        found = shown(release(counts))
        legend = [words for words in found.words if words.startswith(("noise-aware", "naive", "prior"))]
        assert legend[0] == "noise-aware, 90 % credible interval"
        assert legend[1] == "naive: ignores the noise, too narrow"
        naive = [
            mark for mark in found.marks if mark.tone.split()[-1] == "l-naive" and mark.kind in {"line", "polyline"}
        ]
        assert naive
        assert all(mark.attributes["stroke-dasharray"] for mark in naive)
        solid = [
            mark for mark in found.marks if mark.tone.split()[-1] == "l-aware" and mark.kind in {"line", "polyline"}
        ]
        assert not any("stroke-dasharray" in mark.attributes for mark in solid)


def test_a_picture_has_no_density_axis() -> None:
    found = shown(release((480, 520)))
    assert not any("density" in words for words in found.words)
    numbers = [text for text in found.texts if re.fullmatch(r"[\d.,]+( %)?", text.content)]
    assert len({text.top for text in numbers}) == 1


@pytest.mark.parametrize(
    ("by", "of", "title"),
    [
        (["department", "sex"], {"decision": ["admitted"]}, "share admitted, by department and sex"),
        (["sex"], {"decision": ["admitted", "waiting"]}, "share with decision: admitted or waiting, by sex"),
        (
            ["sex"],
            {"department": ["A"], "decision": ["rejected"]},
            "share with department: A, decision: rejected, by sex",
        ),
        (["department"], None, "share of records, by department"),
        ([], None, "share of records, by department, sex and decision"),
    ],
)
def test_axis_titles_are_english(by: list[str], of: dict[str, list[str]] | None, title: str) -> None:
    attributes = [
        {"name": "department", "levels": ["A", "B"]},
        {"name": "sex", "levels": ["men", "women"]},
        {"name": "decision", "levels": ["admitted", "rejected", "waiting"]},
    ]
    labels = [
        f"{one} · {two} · {three}" for one in "AB" for two in ("men", "women") for three in attributes[2]["levels"]
    ]
    of_table = release(tuple(range(20, 32)), labels, attributes=attributes)
    assert title in shown(of_table, by=by, of=None if of is None else {"where": of}).words
