"""A new kind of paid thing is added in ten files, which CONTRIBUTING.md names: it is quoted, paid for once, drawn,
listed, stated, and verified by the client.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.harness import planted_kind
from tests.harness.planted_kind.planting import EDITS, MODULES
from tests.harness.planting import plant, run, run_tests
from tests.harness.sizes import REPOSITORY
from tests.mutants import copy_tree

_FILES = 10
_LINES_OF_EDITS = 25
"""Lines that the files which exist already get."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code with the planted kind."""
    tree = tmp_path_factory.mktemp("planted")
    copy_tree(tree)
    here = Path(planted_kind.__file__).parent
    plant(tree, {here / name: place for name, place in MODULES.items()}, EDITS)
    return tree


def test_a_kind_is_added_in_ten_files_that_contributing_names(planted: Path) -> None:
    assert len({*MODULES.values(), *EDITS}) <= _FILES
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith("| another kind of paid thing |"))
    named = set(re.findall(r"`([\w./]+)`", row))
    folders = {f"{Path(each).parent}/" for each in MODULES.values()}
    assert named >= EDITS.keys() | folders
    changed = {name: _changed_lines(REPOSITORY / name, planted / name) for name in EDITS}
    assert sum(changed.values()) <= _LINES_OF_EDITS, changed


def _changed_lines(before: Path, after: Path) -> int:
    known = before.read_text(encoding="utf-8").splitlines()
    return sum(line not in known for line in after.read_text(encoding="utf-8").splitlines())


@pytest.mark.long
def test_the_added_kind_is_quoted_paid_replayed_read_and_verified(planted: Path) -> None:
    run_tests(planted, "tests/harness/planted_kind/journey.py")


@pytest.mark.long
def test_types_and_import_contracts_accept_the_added_kind(planted: Path) -> None:
    run(planted, "mypy", "core", "service")
    run(planted, "importlinter.cli")
