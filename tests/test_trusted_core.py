"""The page of the trusted core names the modules of its import contract and their size, and the size has a limit."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from core.mechanisms.catalogue import KINDS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "explanation" / "trusted-core.md").read_text(encoding="utf-8")
CONTRACT = "The trusted core stands on nothing that computes answers or shows them"
MOST_LINES = 13_900


def contract() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (found,) = [each for each in settings["tool"]["importlinter"]["contracts"] if each["name"] == CONTRACT]
    modules: list[str] = found["source_modules"]
    return modules


def files_of(module: str) -> list[Path]:
    place = ROOT / module.replace(".", "/")
    return sorted(place.glob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


def test_the_page_names_the_modules_of_the_contract() -> None:
    assert CONTRACT in re.sub(r"\s+", " ", PAGE)
    named = re.findall(r"`((?:core|service)\.[a-z_.]+)`", PAGE)
    assert sorted(named) == sorted(contract())


def test_the_contract_has_the_module_of_each_event_and_sampler() -> None:
    """`reproducible` draws without the operating system's entropy, for plans only."""
    samplers = {f"core.samplers.{each.stem}" for each in files_of("core.samplers")}
    samplers -= {"core.samplers.__init__", "core.samplers.reproducible"}
    proving = samplers | {kind.event.__module__ for kind in KINDS}
    assert [each for each in proving if not any(f"{each}.".startswith(f"{named}.") for named in contract())] == []


def test_the_trusted_core_does_not_grow_unseen() -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for each in contract() for path in files_of(each))
    stated, most = (int(each.replace(" ", "")) for each in re.findall(r"(\d+ \d{3}) lines", PAGE))
    assert most == MOST_LINES
    assert abs(lines - stated) <= 500, f"the page states {stated} lines, and there are {lines}"
    assert lines <= MOST_LINES, "say in the page and here why the reviewed part must be larger"


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(tests/[\w/.]+)`", PAGE))))
def test_the_oracles_of_the_page_exist(path: str) -> None:
    assert (ROOT / path).exists()
