"""Nothing but the tests of former addresses uses an address of 0.2 that is gone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.harness.published import OPERATIONS
from tests.harness.tree import files

ROOT: Final = Path(__file__).parents[1]
FORMER: Final = (ROOT / "tests/released/operations_of_0_2_0.txt").read_text(encoding="utf-8").splitlines()
NOW: Final = {f"{method} {path}" for method, path, _ in OPERATIONS.values()}
GONE: Final = sorted(set(FORMER) - NOW)
MAY: Final = {
    "CHANGELOG.md",
    "benchmarks/versions.py",
    "docs/reference/api.md",
    "service/api/former.py",
    "tests/released/operations_of_0_2_0.txt",
    "tests/service/api/test_moved.py",
    "tests/service/schemas/test_cells.py",
    "tests/test_former_addresses.py",
}
"""Files about former addresses."""
CONSOLE: Final = ("service/console/templates/", "tests/service/console/")
"""Folders that name the console's addresses, which are others."""
_READ_SUFFIXES: Final = {
    ".py",
    ".pyi",
    ".md",
    ".html",
    ".js",
    ".mjs",
    ".ts",
    ".java",
    ".R",
    ".sh",
    ".conf",
    ".ipynb",
    ".toml",
}
_END: Final = r"(?=[\"'`?\s)#|,]|$)"


def _pattern_of(path: str) -> str:
    """A pattern of the path: a parameter is one segment, in braces or not."""
    parts = re.split(r"\{\w+\}", path)
    return r"(?:\{[^}]*\}+|[^/\s\"'`{}?]+)".join(map(re.escape, parts))


def patterns(operation: str) -> list[str]:
    """Patterns of the lines that use the operation: its address, and its end behind a variable."""
    method, path = operation.split()
    short = path.removeprefix("/v1")
    end = re.escape(short.rpartition("}")[2])
    address = rf"(?:/v1|(?<![\w)}}])[\"'`]){_pattern_of(short)}{_END}"
    if any(each.endswith(f" {path}") for each in NOW):  # another method has this address still
        asked = rf"(?:\b{method}\b[\s\"',`f]{{1,12}}|\.{method.lower()}\([f\"'`]{{0,2}})"
        return [f"{asked}{address}", rf"{asked}[^\s\"'`]*\}}{end}{_END}"]
    return [address, rf"(?<!port)\}}{end}{_END}"] if "{" in short and end else [address]


WANTED: Final = re.compile("|".join(f"(?:{each})" for operation in GONE for each in patterns(operation)))


def users() -> list[str]:
    """The lines of the tree that use a former operation."""
    found = []
    for name in sorted(files()):
        if name in MAY or name.startswith(CONSOLE) or Path(name).suffix not in _READ_SUFFIXES:
            continue
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), start=1):
            if WANTED.search(line) and "/console/" not in line:
                found.append(f"{name}:{number}: {line.strip()}")
    return found


def test_nothing_uses_an_address_that_is_gone() -> None:
    assert users() == []


def test_it_finds_an_address_as_people_write_it() -> None:
    used = (
        'client.get(f"/v1/datasets/{dataset_id}/grants")',
        'send(owner, "GET", f"{path}/releases")',
        'return f"/datasets/{dataset_id}/query-quotes"',
        'party.post(f"{dataset}/margins/quote", body)',
        "| `GET /v1/queries/{id}` | the answers |",
        "curl https://service.example/v1/tables/posterior",
    )
    for line in used:
        assert WANTED.search(line), line
    for line in (
        'post(f"/v1/datasets/{dataset_id}/grants", grant)',
        "`GET /v1/grants?dataset_id={id}`",
        '"/v1/releases"',
    ):
        assert not WANTED.search(line), line
