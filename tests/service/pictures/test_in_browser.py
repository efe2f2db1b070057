"""The boxes of texts as Chromium lays them out, which the quick tests only estimate."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.pictures.curves import width_curves
from service.pictures.forest import forest
from service.pictures.heat_map import heat_map
from service.pictures.spending import spending
from tests.harness.asked import picture_of
from tests.harness.chromium import chromium
from tests.service.pictures import test_console_pictures as console
from tests.service.pictures import test_posterior as posterior

_SCRIPT = """() => {
const faults = [];
for (const svg of document.querySelectorAll("svg")) {
  const width = Number(svg.getAttribute("width")), height = Number(svg.getAttribute("height"));
  const texts = [...svg.querySelectorAll("text")].map((each) => [each.textContent, each.getBBox()]);
  texts.forEach(([text, a], number) => {
    if (a.x < -0.5 || a.x + a.width > width + 0.5 || a.y < 0 || a.y + a.height > height) faults.push(["outside", text]);
    for (const [other, b] of texts.slice(number + 1)) {
      const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (across > 0.5 && down > 3) faults.push(["overlap", text, other]);
    }
  });
}
return [document.querySelectorAll("text").length, faults];
}"""


@pytest.mark.long
def test_no_text_overlaps_another_or_leaves_the_picture(tmp_path: Path) -> None:
    """Chromium is Debian's package; without it this fails."""
    pictures = []
    for width in console.WIDTHS:
        for counts in ((33, 200_712), (30, 500, 1200), (5, 20, 100, 1000, 5000, 300, 2), posterior.MANY):
            labels = [posterior.LONG, posterior.RIGHT_TO_LEFT, *(f"level {place}" for place in range(len(counts)))]
            pictures.append(picture_of(posterior.release(counts, labels[: len(counts)]), level=0.9, width=width))
        pictures.append(forest(console.HEAD, console.SECTIONS, 0.95, width=width).document())
        pictures.append(heat_map(console.HEAD, console.heat_tables(4, 9), level=0.95, width=width).document())
        curves = width_curves(console.HEAD, console.curves(), what="width", without_noise=0.02, width=width)
        pictures.append(curves.document())
        charges, times = console.charges(100, 9), ("2025-12-01T00:00:00Z", "2026-11-24T00:00:00Z")
        spent = spending(console.HEAD, charges, limit="9", opened_at=times[0], until=times[1], width=width)
        pictures.append(spent.document())
    file = tmp_path / "pictures.html"
    file.write_text(f'<!doctype html><meta charset="utf-8"><body>{"".join(pictures)}', encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page()
        page.goto(file.as_uri())
        texts, faults = page.evaluate(_SCRIPT)
    assert texts > 1000
    assert faults == []
