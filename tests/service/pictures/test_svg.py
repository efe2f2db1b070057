"""The style of all pictures: safe texts, legible colours in light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service import console
from service.pictures.heat_map import MOST_OPAQUE
from service.pictures.svg import PALETTE, STYLE, Drawing, Look
from service.pictures.text import cut, isolated, safe, text_width, wrap
from tests.harness.drawn import drawn


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2 defines it."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", [0, 1])
def test_colours_have_contrast_in_light_and_in_dark(mode: int) -> None:
    paper = PALETTE["paper"][mode]
    for tone, colours in PALETTE.items():
        least = {"paper": 1.0, "grid": 1.0, "ink": 7.0, "muted": 4.5, "alert": 4.5}.get(tone, 3.0)
        assert contrast(colours[mode], paper) >= least, tone


@pytest.mark.parametrize("mode", [0, 1])
def test_texts_on_the_darkest_cell_of_a_heat_map_have_contrast(mode: int) -> None:
    over, under = PALETTE["aware"][mode], PALETTE["paper"][mode]
    mixed = [
        round(MOST_OPAQUE * int(over[at : at + 2], 16) + (1 - MOST_OPAQUE) * int(under[at : at + 2], 16))
        for at in (1, 3, 5)
    ]
    assert contrast(PALETTE["ink"][mode], "#" + "".join(f"{channel:02x}" for channel in mixed)) >= 4.5


def test_the_style_has_each_colour_and_each_dark_one_under_its_condition() -> None:
    light, dark = STYLE.split("@media (prefers-color-scheme:dark)")
    for tone, (in_light, in_dark) in PALETTE.items():
        for rule in (".{}{{fill:{}}}", ".l-{}{{stroke:{}}}"):
            assert rule.format(tone, in_light) in light
            assert rule.format(tone, in_dark) in dark


def test_series_differ_without_their_colour() -> None:
    looks = [Look.of_series(place) for place in range(6)]
    assert len({(look.dash, look.marker) for look in looks}) == 6
    assert len({look.marker for look in looks}) == 6


HOSTILE = [
    "<script>alert(1)</script>",
    "\"&amp;' ]]> <!-- \u2028 -->",
    "a\u202egpj.exe",
    "\u2066\u200f\u200b\u061c",
    "\x00\x1b[31m\ud800\ufffe\x85",
    "</text></svg><svg onload=x>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_only_text(text: str) -> None:
    drawing = Drawing(320)
    drawing.text(10, 20, text)
    picture = drawn(drawing.finished(40, f"title {text}", f"description {text}"))
    assert picture.words == [safe(text)]
    assert not re.search("[\u200b\u200f\u202a-\u202e\u2066\u2067\u2028\u061c\x00-\x1f\ud800]", "".join(picture.words))
    assert picture.description == f"description {safe(text)}"


def test_a_text_from_right_to_left_is_isolated_within_another() -> None:
    assert isolated("polio") == "polio"
    assert isolated("שם") == "\u2068שם\u2069"
    assert isolated("\u2068a\u2069\u2069 שם") == "\u2068a שם\u2069"


def test_a_long_text_is_cut_with_an_ellipsis_where_it_fits() -> None:
    for bold in (False, True):
        for text in ("W" * 200, "i" * 200, "漢" * 200, "ש" * 200, "a" + "\u0301" * 199):
            shown = cut(text, 150, 14, bold=bold)
            assert text_width(shown, 14, bold=bold) <= 150
            assert shown == text or shown.endswith("…")
    assert cut("short", 150, 14) == "short"


def test_lines_fit_and_lose_no_word_unless_they_are_limited() -> None:
    text = "one release answers every question about shares and ratios and " + "W" * 60
    lines = wrap(text, 150, 14)
    assert all(text_width(line, 14) <= 150 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    limited = wrap(text, 150, 14, most=2)
    assert (len(limited), limited[0], limited[1].endswith("…")) == (2, lines[0], True)
    assert text_width(limited[1], 14) <= 150
    assert wrap("", 150, 14) == [""]


def test_the_style_sheet_of_pages_has_each_colour_of_a_picture_in_them() -> None:
    sheet = (Path(console.__file__).parent / "static" / "console.css").read_text()
    for tone in PALETTE:
        for name in (tone, f"l-{tone}"):
            assert re.search(rf"\.drawing (:is\([^)]*)?\.{name}\b", sheet), name


def test_a_picture_in_a_page_has_its_texts_but_no_style() -> None:
    drawing = Drawing(320)
    drawing.text(10, 20, HOSTILE[0])
    element = drawing.finished(40, f'title "{HOSTILE[0]}', "description").element()
    assert element.startswith('<svg class="drawing" aria-label="title &quot;&lt;script')
    assert "<script" not in element
    assert "style" not in element
