"""Compares README and docs/ with the program: tables, links and layout; and runs the tutorials unchanged."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.main import get_command

from private_posterior.client import Client
from private_posterior.commands.main import app as client_app
from service.cli.demo.server import prepare_database, running_service
from service.cli.main import app
from service.errors import PROBLEMS
from service.schemas.mechanisms import REQUESTS

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "client" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
ADDRESS = "http://127.0.0.1:8000"


def problem_table() -> list[str]:
    """The table of problems, made from the code."""
    rows = ["| Type | Status | Charged | Retry safe | Retryable | |", "|---|---|---|---|---|---|"]
    words = {True: "yes", False: "no", None: "unknown"}
    for problem in PROBLEMS:
        row = (
            f"`{problem.code}`",
            str(problem.status),
            words[problem.charged],
            words[problem.retry_safe],
            words[problem().retryable],
            problem.title,
        )
        rows.append(f"| {' | '.join(row)} |")
    return rows


def test_the_table_of_problems_says_what_the_code_says() -> None:
    page = (ROOT / "docs" / "reference" / "problems.md").read_text(encoding="utf-8")
    table = problem_table()
    _, shown = page.split("\n| Type ", 1)
    rows = [re.fullmatch(r"(\|.* \|) ([^|]+) \|", line) for line in f"| Type {shown}".strip().splitlines()[2:]]
    assert [row and row[1] for row in rows] == table[2:]
    assert all(row and row[2].endswith(".") for row in rows)


def test_every_link_leads_somewhere() -> None:
    broken = []
    for document in PAGES:
        for path, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", document.read_text(encoding="utf-8")):
            target = document.parent / path if path else document
            if not target.exists() or (anchor and anchor not in anchors(target)):
                broken.append(f"{document.relative_to(ROOT)}: {path}#{anchor}")
    assert broken == []


def test_a_page_that_uses_a_client_in_python_says_how_it_is_opened() -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in PAGES}
    using = [path for path, text in pages.items() if 'client["' in text and path.name != "CHANGELOG.md"]
    assert len(using) > 2
    assert [path for path in using if not re.search(r"Client\s*\.open\(", pages[path])] == []


@cache
def anchors(page: Path) -> set[str]:
    """The names of a page's headings in links."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_a_page_of_the_documentation_that_the_console_names_has_that_title() -> None:
    titles = [path.read_text(encoding="utf-8").splitlines()[0] for path in (ROOT / "docs").rglob("*.md")]
    templates = (ROOT / "service" / "console" / "templates").glob("*.html")
    named = [
        each for path in templates for each in re.findall(r"documentation.*?, page “([^”]+)”", path.read_text("utf-8"))
    ]
    assert len(named) > 2
    assert [each for each in named if not any(title.startswith(f"# {each}") for title in titles)] == []


def test_the_index_of_documents_is_complete() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    documents = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")} - {"README.md"}
    assert documents <= set(re.findall(r"\]\(([^)]+)\)", index))


def test_every_mechanism_of_the_api_is_listed() -> None:
    listed = (ROOT / "docs" / "reference" / "mechanisms.md").read_text(encoding="utf-8")
    kinds = [each.kind for each in REQUESTS]
    assert re.findall(r"^\| `(\w+)` \|", listed.split("\n## ")[0], re.MULTILINE) == kinds


def test_every_command_is_listed() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    rows = "\n".join(line for line in page.split("\n## Credentials")[0].splitlines() if line.startswith("|"))
    for name, declared in (("private-posterior", app), ("posterior", client_app)):
        listed = re.findall(rf"`{name} ([a-z -]+)`", rows)
        assert sorted(listed) == sorted(_commands(get_command(declared)))


def _commands(command: Any, path: str = "") -> Iterator[str]:
    """The full names of the commands below this one."""
    if not hasattr(command, "commands"):
        yield path
        return
    for name, below in command.commands.items():
        yield from _commands(below, f"{path} {name}".strip())


def test_every_path_in_the_layout_exists() -> None:
    layout = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Where things are", 1)[1].split("\n## ")[0]
    paths = re.findall(r"^\| `([\w./-]+)`", layout, re.MULTILINE)
    assert len(paths) > 8
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_path_named_for_a_change_and_as_evidence_exists() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    evidence = page.split("## Guarantees and their tests", 1)[1]
    named = re.findall(r"`((?:tests|benchmarks|docs|core|service|client|migrations)/[\w/.-]+)`", page)
    assert len(named) > 60
    assert [path for path in named if not (ROOT / path).exists()] == []
    guarantees = [line for line in evidence.splitlines() if line.startswith("| ")][1:]
    assert [line for line in guarantees if "`tests/" not in line] == []


def test_the_page_on_the_architecture_names_every_layer_and_existing_files() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:core|service|tests)/[\w/.]*)`", page)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = {
        module.strip()
        for contract in contracts
        if contract.get("exhaustive")
        for layer in contract["layers"]
        for module in layer.split("|")
    }
    block = page.split("\n## Layers\n", 1)[1].split("```")[1]
    assert len(layers) > 30
    assert layers - set(re.findall(r"\w+", block)) == set()


def test_every_target_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = re.findall(r"`make ([a-z-]+)`|^make ([a-z-]+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert {target for pair in named for target in pair if target} <= targets, page


@pytest.fixture
def address_and_key(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A live service and the key of its first admin."""
    url = f"sqlite:///{tmp_path / 'posterior.db'}"
    key = prepare_database(url)
    with running_service(url, tmp_path) as address:
        yield address, key


@dataclass(frozen=True, slots=True)
class Block:
    """Code that a page asks its reader to run, and the output that it shows below."""

    language: str
    code: str
    shown: str


TUTORIALS = ("docs/tutorials/first-release.md", "docs/tutorials/session.md")
SESSIONS = {page: (ROOT / page).read_text(encoding="utf-8") for page in TUTORIALS}


def blocks(page: str) -> list[Block]:
    """All Python blocks, and the commands that need only the files of the Python blocks."""
    found = re.findall(r"```(python|sh)\n(.*?)```(?:\n+```console\n(.*?)```)?", page, re.DOTALL)
    return [Block(*each) for each in found if each[0] == "python" or " ledger " in each[1]]


def output(language: str, code: str, address: str, names: dict[str, Any]) -> str:
    """The output of `code` when it runs against the service at `address`, after the blocks that left `names`."""
    if language == "sh":
        command = [sys.executable, "-m", "service", *shlex.split(code.removeprefix(".venv/bin/private-posterior "))]
        return subprocess.run(
            command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
        ).stdout.rstrip()
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(code.replace(ADDRESS, address), "README.md", "exec"), names)  # noqa: S102  running it is the point
    return printed.getvalue().rstrip()


@pytest.mark.parametrize("page", SESSIONS)
def test_what_is_shown_runs_and_answers_in_the_shown_shape(
    address_and_key: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    address, key = address_and_key
    monkeypatch.setenv("ADMIN_KEY", key)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    found = blocks(SESSIONS[page])
    assert len(found) > 3
    for block in found:
        printed = output(block.language, block.code, address, names)
        if block.language == "sh":
            assert _masked_text(printed) == _masked_text(block.shown.rstrip())
        elif "{\n" in block.shown:
            assert _shapes(printed) == _shapes(block.shown)
        else:
            assert _output_without_noise(printed) == _output_without_noise(block.shown.rstrip())
    for value in names.values():
        if isinstance(value, httpx.Client):
            value.close()
        if isinstance(value, Client):
            value.http.close()


def _output_without_noise(printed: str) -> str:
    """The output without figures that depend on the noise."""
    return re.sub(r"^\d+ to \d+ of|^0\.\d{4}$", "…", printed, flags=re.MULTILINE)


def _masked_text(text: str) -> str:
    """`text` without parts that differ from run to run."""
    return re.sub(r"bud_[a-z2-7]{26}|\b[0-9a-f]{64}\b", "…", text)


def _shapes(printed: str) -> list[Any]:
    """The statuses of the answers in a transcript, each with the shape of its document."""
    shapes: list[Any] = []
    decoder = json.JSONDecoder()
    while printed := printed.strip():
        status, rest = printed.split(" ", 1)
        document, end = decoder.raw_decode(rest)
        shapes.append((status, _shape(document)))
        printed = rest[end:]
    return shapes


def _shape(document: Any) -> Any:
    """Keys and types, all the way down; the length of a list is part of its shape."""
    match document:
        case dict():
            return {name: _shape(value) for name, value in document.items()}
        case list():
            return [_shape(value) for value in document]
        case bool() | None:
            return document
        case int() | float():
            return "a number"
        case _:
            return "a text"
