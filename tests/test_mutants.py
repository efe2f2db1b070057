"""Every guarantee that CONTRIBUTING.md lists has a mutant, and every mutant can still be applied."""

from __future__ import annotations

import re

from tests.mutants import MUTANTS, ROOT


def test_each_mutant_changes_one_place_of_the_code_and_names_tests_that_exist() -> None:
    for mutant in MUTANTS:
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert mutant.applied_to(text) != text, mutant.name
        assert [each for each in mutant.tests if not (ROOT / each).exists()] == [], mutant.name


def test_each_guarantee_has_a_mutant() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.split("\n## Guarantees and their tests\n", 1)[1]
    guarantees = re.findall(r"^\| ([^`|]+(?:`[^`]+`[^|]*)?) \| ", table, re.MULTILINE)[1:]
    assert len(guarantees) > 15
    assert set(guarantees) == {mutant.guarantee for mutant in MUTANTS}
