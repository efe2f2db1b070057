"""Refuses five words in texts that people read: pages, docstrings, comments, problems, descriptions, help texts, and
names of tests.
"""

from __future__ import annotations

import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parent.parent
REFUSED = re.compile(r"\b(whoever|whom|hangs\s+on|so\s+many|told)\b", re.IGNORECASE)
CHECKED = (
    "core",
    "client",
    "benchmarks",
    "migrations",
    "deploy",
    "service",
    "tests",
)
"""Folders of code without any of the words."""
LEFT_OUT = {"client/private_posterior/models.py", "tests/test_words.py", "tests/test_commit_hook.py"}
"""Generated code, and tests of this check and of the hook, which quote the words."""


def names(paths: list[Path]) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


PAGES = names([*ROOT.glob("*.md"), ROOT / "client" / "README.md", *(ROOT / "docs").rglob("*.md")])
MODULES = names([path for folder in CHECKED for path in (ROOT / folder).rglob("*.py")])


def refused(text: str) -> list[str]:
    """Each refused word of a text, with its line."""
    return [f"{text[: found.start()].count(chr(10)) + 1}: {found[0]}" for found in REFUSED.finditer(text)]


def prose(path: Path) -> str:
    """The comments and strings of a module, each at its line. Names are left out."""
    lines: dict[int, str] = {}
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type in {tokenize.COMMENT, tokenize.STRING}:
                for offset, line in enumerate(token.string.splitlines()):
                    lines[token.start[0] + offset] = lines.get(token.start[0] + offset, "") + line
    return "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1))


def test_the_check_finds_each_word_and_no_part_of_one() -> None:
    assert refused("Tell whoever asks\nfor whom it hangs\non so many, as told.") == [
        "1: whoever",
        "2: whom",
        "2: hangs\non",
        "3: so many",
        "3: told",
    ]
    assert refused("untold, wholesome") == []


def test_the_prose_of_a_module_is_its_comments_and_strings(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""Tells\nwhoever."""\ntold = 1  # so many\n', encoding="utf-8")
    assert refused(prose(module)) == ["2: whoever", "3: so many"]


def test_a_page_has_none_of_the_words() -> None:
    found = {page: refused((ROOT / page).read_text(encoding="utf-8")) for page in PAGES}
    assert {page: words for page, words in found.items() if words} == {}


def test_the_prose_of_a_module_has_none_of_the_words() -> None:
    suspected = [
        module
        for module in MODULES
        if module not in LEFT_OUT and refused((ROOT / module).read_text(encoding="utf-8"))  # names too, but quick
    ]
    found = {module: refused(prose(ROOT / module)) for module in suspected}
    assert {module: words for module, words in found.items() if words} == {}


def test_the_name_of_a_test_has_none_of_the_words() -> None:
    named = re.compile(r"def (test_\w+)")
    modules = [module for module in MODULES if module.startswith("tests/")]
    names = {module: named.findall((ROOT / module).read_text(encoding="utf-8")) for module in modules}
    assert {name: module for module in modules for name in names[module] if refused(name.replace("_", " "))} == {}
