"""The reference page of limits has the table of limits."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path

from service.limits.limits import LIMITS, Limit
from service.settings.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]


def number(value: float) -> str:
    """0 means no limit."""
    return f"{value:,}".replace(",", " ") if value else ""


def waiting(limit: Limit) -> str:
    if math.isinf(limit.max_queued_per_key):
        return "any number"
    of_all = "" if math.isinf(limit.max_queued) else f", {limit.max_queued} in all"
    return f"{number(limit.max_queued_per_key)}{of_all}"


def row(limit: Limit) -> str:
    setting = f"`{PREFIX}{limit.setting.upper()}`" if limit.setting else ""
    cells = (
        limit.what,
        limit.key,
        number(limit.max_per_key),
        number(limit.max_concurrent),
        waiting(limit),
        number(limit.wait_seconds),
        number(limit.seconds),
        number(limit.processor_seconds),
        setting,
        ", ".join(f"`{problem.code}`" for problem in limit.problems),
    )
    return " ".join(f"| {cell}" if cell else "|" for cell in cells) + " |"


def test_the_page_lists_every_limit() -> None:
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8").split("\n## Limits\n")[1]
    table = [line for line in page.split("\n## ")[0].splitlines() if line.startswith("| ")]
    assert table[1:] == [row(limit) for limit in LIMITS]
    assert {limit.setting for limit in LIMITS} - {""} <= {field.name for field in fields(Settings)}
