"""The committed description passes the usual linters, and a TypeScript client that is generated from it does the main
job.

Node and what `npm install --prefix tests/clients` brings are needed; without them these tests fail.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness.api_changes import COMMITTED
from tests.harness.server import Server

CLIENTS = Path(__file__).parents[2] / "clients"
TOOLS = CLIENTS / "node_modules" / ".bin"
pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


def run(tool: str | Path, *arguments: str | Path, directory: Path = CLIENTS) -> str:
    """What a tool prints, which must succeed."""
    assert TOOLS.exists(), "install the generators first: npm install --prefix tests/clients"
    done = subprocess.run([tool, *arguments], cwd=directory, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_redocly_finds_no_error() -> None:
    run(TOOLS / "redocly", "lint", COMMITTED)


def test_spectral_finds_no_error() -> None:
    run(TOOLS / "spectral", "lint", COMMITTED, "--ruleset", CLIENTS / ".spectral.yaml", "--fail-severity", "error")


def test_hey_api_generates(tmp_path: Path) -> None:
    run(TOOLS / "openapi-ts", "--input", COMMITTED, "--output", tmp_path / "client")
    assert "createRelease" in (tmp_path / "client" / "sdk.gen.ts").read_text(encoding="utf-8")


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    """The main job, compiled under --strict against the types that are generated of the description."""
    for name in ("main_job.ts", "package.json", "tsconfig.json"):
        shutil.copy(CLIENTS / name, tmp_path / name)
    (tmp_path / "node_modules").symlink_to(CLIENTS / "node_modules")
    run(TOOLS / "openapi-typescript", COMMITTED, "--output", tmp_path / "schema.d.ts", directory=tmp_path)
    run(TOOLS / "tsc", "--project", tmp_path, directory=tmp_path)
    return tmp_path / "main_job.js"


def test_a_typescript_client_does_the_main_job(compiled: Path, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    node = shutil.which("node")
    assert node, "Node is needed"
    said = run(
        node, compiled, sqlite_server.url, owner.key, analyst.key, analyst.principal_id, directory=compiled.parent
    )
    assert said.startswith("released rel_")


def test_a_wrong_request_does_not_compile(compiled: Path) -> None:
    source = compiled.with_name("main_job.ts")
    text = source.read_text(encoding="utf-8")
    for right, wrong in (
        ('kind: "simplex_geometric", epsilon', 'kind: "simplex_geometrical", epsilon'),
        ('unit: "one child",', ""),
        ('"/problems/grant-exhausted"', "refused.typo"),
    ):
        assert right in text
        source.write_text(text.replace(right, wrong), encoding="utf-8")
        with pytest.raises(AssertionError):
            run(TOOLS / "tsc", "--project", compiled.parent, directory=compiled.parent)
