"""The checker without Node: it has the formats and rows of its page, and depends on nothing."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Final

from core.mechanisms.catalogue import KINDS
from tests.harness.process import ROOT

CHECKER: Final = (ROOT / "checker" / "verify.mjs").read_text(encoding="utf-8")
PAGE: Final = (ROOT / "docs" / "reference" / "evidence.md").read_text(encoding="utf-8")


def test_bodies_have_the_members_that_the_page_lists() -> None:
    rows = re.findall(r"^\| `private-posterior (.*? 1)` \| (.*) \|$", PAGE, re.MULTILINE)
    source = re.search(r"^const BODIES = \{(.*?)^\};", CHECKER, re.MULTILINE | re.DOTALL)
    assert source
    joined = re.sub(r"'\s*\+\s*'", "", source[1])
    found = {kind: set(members.split()) for kind, members in re.findall(r"'([^']*)':\s*'([^']*)'", joined)}
    assert found == {kind: set(re.findall(r"`(\w+)`", members)) for kind, members in rows}


def test_events_have_the_members_that_the_service_stores_and_the_page_lists() -> None:
    source = re.search(r"^const EVENTS = \{(.*?)^\};", CHECKER, re.MULTILINE | re.DOTALL)
    assert source
    found = {kind: set(members.split()) for kind, members in re.findall(r"(\w+): '([^']*)'", source[1])}
    listed = {}
    table = PAGE[PAGE.index("| Event | Members | Relation |") :].partition("\n\n")[0]
    for names, members in re.findall(r"^\| (`.*?) \| (.*?) \| .* \|$", table, re.MULTILINE):
        without_other_law = re.sub(r" \(.*?\)", "", members)
        for name in re.findall(r"`(\w+)`", names):
            listed[name] = set(re.findall(r"`(\w+)`", without_other_law))
    assert found == listed
    stored = {kind.kind: {each.name for each in fields(kind.event)} for kind in KINDS}
    stored["private_size"] = stored["private_size"] - {"loss"} | {"epsilon"}  # an amount has the name of its kind
    stored["margins"].add("loss")
    assert found == stored


def test_every_row_of_losses_is_in_the_checker() -> None:
    rows = set(re.findall(r"^\| `(E\d+)` \|", PAGE, re.MULTILINE))
    assert rows == {f"E{number}" for number in range(1, 16)}
    assert rows <= set(re.findall(r"\bE\d+\b", CHECKER))


def test_the_checker_imports_only_modules_of_node() -> None:
    assert not re.findall(r"^import\b", CHECKER, re.MULTILINE)
    assert all(name.startswith("node:") for name in re.findall(r"import\('([^']*)'\)", CHECKER))
