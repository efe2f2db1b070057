"""What the README says against what the program does: its tables, its links, and its calls, which run here as they
stand there.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from typer.main import get_command

from private_posterior.client import Client
from private_posterior.commands.main import app as client_app
from service.cli.demo.server import prepare_database, running_service
from service.cli.main import app
from service.errors import PROBLEMS
from service.schemas.mechanisms import Mechanism

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
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
    shown = (ROOT / "docs" / "reference" / "problems.md").read_text(encoding="utf-8").splitlines()
    table = problem_table()
    start = shown.index(table[0])
    end = next(i for i in range(start, len(shown) + 1) if i == len(shown) or not shown[i].startswith("|"))
    assert shown[start:end] == table


@pytest.mark.parametrize(
    "document",
    [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_every_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_the_index_of_documents_is_complete() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    documents = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")} - {"README.md"}
    assert documents <= set(re.findall(r"\]\(([^)]+)\)", index))


def test_every_mechanism_of_the_api_is_listed() -> None:
    listed = README.split("### Mechanisms", 1)[1].split("###", 1)[0]
    kinds = [kind.model_fields["kind"].annotation for kind in get_args(get_args(Mechanism)[0])]
    assert re.findall(r"^\| `(\w+)` \| [^W]", listed, re.MULTILINE) == [
        name for kind in kinds for name in get_args(kind)
    ]


def test_every_command_is_listed() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    for text, name, declared in ((README, "private-posterior", app), (page, "posterior", client_app)):
        listed = re.findall(rf"^\| `{name} ([a-z -]+)` \|", text, re.MULTILINE)
        assert sorted(listed) == sorted(_commands(get_command(declared)))


def _commands(command: Any, path: str = "") -> Iterator[str]:
    """The full names of a command's leaves."""
    if not hasattr(command, "commands"):
        yield path
        return
    for name, below in command.commands.items():
        yield from _commands(below, f"{path} {name}".strip())


def test_every_path_in_the_layout_exists() -> None:
    layout = README.split("## Layout", 1)[1].split("```")[1]
    paths, folder = [], ""
    for line in layout.splitlines():
        if found := re.match(r"( *)([\w./-]+)", line):
            folder = found[2] if not found[1] else folder
            paths.append(found[2] if not found[1] else folder + found[2])
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_test_and_command_named_as_evidence_exists() -> None:
    evidence = README.split("## Check it yourself", 1)[1]
    named = re.findall(r"`((?:tests|benchmarks|docs|core|service)/[\w/.-]+)`", evidence)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", README)) <= targets


@pytest.fixture
def address_and_key(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A live service and the key of its first admin."""
    url = f"sqlite:///{tmp_path / 'posterior.db'}"
    key = prepare_database(url)
    with running_service(url, tmp_path) as address:
        yield address, key


@dataclass(frozen=True, slots=True)
class Block:
    """Something the README tells its reader to run, and the output that it shows below."""

    language: str
    code: str
    shown: str


SESSIONS = {page: (ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/tutorials/session.md")}


def blocks(page: str) -> list[Block]:
    """All of the Python, and the commands that need nothing but what the Python left behind."""
    found = re.findall(r"```(python|sh)\n(.*?)```(?:\n+```console\n(.*?)```)?", page, re.DOTALL)
    return [Block(*each) for each in found if each[0] == "python" or " ledger " in each[1]]


def output(language: str, code: str, address: str, names: dict[str, Any]) -> str:
    """What `code` prints when it runs against the service at `address`, after the blocks that left `names`."""
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
            assert _masked(printed) == _masked(block.shown.rstrip())
        elif "{\n" in block.shown:
            assert _shapes(printed) == _shapes(block.shown)
        else:
            assert _without_noise(printed) == _without_noise(block.shown.rstrip())
    for value in names.values():
        if isinstance(value, httpx.Client):
            value.close()
        if isinstance(value, Client):
            value.http.close()


def _without_noise(printed: str) -> str:
    """What was printed without the figures that hang on the noise."""
    return re.sub(r"^\d+ to \d+ of|^0\.\d{4}$", "…", printed, flags=re.MULTILINE)


def _masked(text: str) -> str:
    """`text` without what differs from run to run."""
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
