"""The page on the architecture names existing files, and the graph of imports is counted correctly."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from benchmarks.imports import Picture, arrows_of, picture_of

ROOT = Path(__file__).parent.parent


def test_every_file_that_the_page_names_exists() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    named = re.findall(r"`((?:core|service|tests)/[\w/.]*)`", page)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_page_names_every_layer() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rooms = {
        room.strip()
        for contract in contracts
        for layer in contract.get("layers", [])
        for room in layer.split("|")
        if contract.get("exhaustive")
    }
    block = page.split("\n## Layers\n", 1)[1].split("```")[1]
    assert len(rooms) > 40
    assert rooms - set(re.findall(r"\w+", block)) == set()


def test_a_circle_counts_as_one_room_of_the_chain() -> None:
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"d"}}
    picture = picture_of({room: frozenset(targets) for room, targets in arrows.items()})
    assert picture == Picture(rooms=5, arrows=5, circles=1, floors=3)


@pytest.mark.parametrize("package", ["core", "service"])
def test_no_modules_import_each_other(package: str) -> None:
    picture = picture_of(arrows_of(package))
    assert picture.rooms > 10
    assert picture.circles == 0
