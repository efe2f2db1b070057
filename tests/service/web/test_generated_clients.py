"""The committed description passes the usual linters, and clients that are generated from it do the main job: in
TypeScript under tsc --strict, in Python under mypy --strict, and in Java.

Node, Java and what `make generators` installs are needed; without them these tests fail.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.harness.api_changes import COMMITTED
from tests.harness.programs import installed
from tests.harness.published import MADE_UP
from tests.harness.server import Server
from tests.released.recording import FOLDER

CLIENTS = Path(__file__).parents[2] / "clients"
TOOLS = CLIENTS / "node_modules" / ".bin"
PYTHON_TOOLS = Path(sys.executable).parent
ENVIRONMENT = os.environ | {"PATH": f"{PYTHON_TOOLS}{os.pathsep}{os.environ['PATH']}"}
STRICT = "[mypy]\nstrict = true\n[mypy-generated_client.client]\nignore_errors = true\n"
"""The generator's own file of connections, the same for every description, has mistakes of its own."""
UNIONS_WITH_LISTS = ("Cell", "StatedPrior", "UsedPrior", "Weights")
pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


def run(tool: str | Path, *arguments: str | Path, directory: Path = CLIENTS) -> str:
    """The output of a tool, which must succeed."""
    assert TOOLS.exists(), "install the generators first: make generators"
    done = subprocess.run(
        [tool, *arguments], cwd=directory, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A file of every paid text of a released version, with the kind that is inserted when one of 0.1 or 0.2 is served:
    on each line its schema, a tab and the text.
    """
    kinds = {"releases": "counts", "margins": "margins", "queries": "queries"}
    schemas = {"counts": "CountsRelease", "margins": "MarginsRelease", "queries": "QueryRelease"}
    exchanges = [each for file in FOLDER.glob("*/*/answers.json") for each in json.loads(file.read_text())["exchanges"]]
    paid = [
        text if "kind" in json.loads(text) else f'{{"kind":"{kinds[path.rpartition("/")[2]]}",{text.lstrip()[1:]}'
        for path, text in ((each["path"], each["answer"]) for each in exchanges if each["key"])
        if text
    ]
    lines = [f"{schemas[json.loads(text)['kind']]}\t{text}" for text in paid]
    assert len(lines) >= 52
    file = tmp_path / "recorded.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_redocly_finds_no_error() -> None:
    run(TOOLS / "redocly", "lint", COMMITTED)


def test_spectral_finds_no_error() -> None:
    run(TOOLS / "spectral", "lint", COMMITTED, "--ruleset", CLIENTS / ".spectral.yaml", "--fail-severity", "error")


def test_hey_api_generates(tmp_path: Path) -> None:
    run(TOOLS / "openapi-ts", "--input", COMMITTED, "--output", tmp_path / "client")
    assert "createRelease" in (tmp_path / "client" / "sdk.gen.ts").read_text(encoding="utf-8")
    types = (tmp_path / "client" / "types.gen.ts").read_text(encoding="utf-8")
    assert [name for name in re.findall(r"^export type (\w+)", types, re.MULTILINE) if MADE_UP.search(name)] == []


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
    said = run(
        installed("node"),
        compiled,
        sqlite_server.url,
        owner.key,
        analyst.key,
        analyst.principal_id,
        directory=compiled.parent,
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


def test_openapi_generator_finds_no_issue_and_generates(tmp_path: Path) -> None:
    generator = PYTHON_TOOLS / "openapi-generator-cli"
    assert generator.exists(), "install the generators first: make generators"
    assert installed("java")
    assert "No validation issues detected" in run(generator, "validate", "--input-spec", COMMITTED)
    run(generator, "generate", "--input-spec", COMMITTED, "--generator-name", "java", "--output", tmp_path)
    api = next(tmp_path.rglob("ReleasesApi.java"))
    assert "createRelease" in api.read_text(encoding="utf-8")
    models = [path.stem for path in (api.parents[1] / "model").glob("*.java")]
    assert "ShareQuestion" in models
    assert [name for name in models if MADE_UP.search(name)] == []


def test_a_java_client_does_the_main_job_and_reads_what_was_paid_for(
    tmp_path: Path, sqlite_server: Server, recorded: Path
) -> None:
    """The generator's program has the libraries that its clients need. Its classes for unions with lists do not
    compile: four schemas are mapped to objects.
    """
    found = find_spec("openapi_generator_cli")
    assert found is not None, "install the generators first: make generators"
    assert found.origin, "it is a package with files"
    program = Path(found.origin).with_name("openapi-generator.jar")
    run(
        installed("java"), "-jar", program, "generate", "--input-spec", COMMITTED, "--generator-name", "java",
        "--library", "native", "--output", tmp_path,
        "--additional-properties", "openApiNullable=false,supportUrlQuery=false",
        "--schema-mappings", ",".join(f"{each}=java.lang.Object" for each in UNIONS_WITH_LISTS),
        "--global-property", "modelTests=false,apiTests=false,modelDocs=false,apiDocs=false",
    )  # fmt: skip
    sources = [*(tmp_path / "src" / "main").rglob("*.java"), *CLIENTS.glob("*.java")]
    run(installed("javac"), "-encoding", "UTF-8", "-d", tmp_path / "classes", "-cp", program, *sources)
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    said = run(
        installed("java"), "-cp", f"{tmp_path / 'classes'}{os.pathsep}{program}", "MainJob",
        sqlite_server.url, owner.key, analyst.key, analyst.principal_id, recorded,
    )  # fmt: skip
    assert "released rel_" in said


@pytest.fixture
def generated(tmp_path: Path) -> Path:
    """The main job beside the client that openapi-python-client makes of the description."""
    shutil.copy(CLIENTS / "main_job.py", tmp_path)
    (tmp_path / "mypy.ini").write_text(STRICT, encoding="utf-8")
    run(
        PYTHON_TOOLS / "openapi-python-client", "generate", "--path", COMMITTED, "--output-path", "generated_client",
        "--meta", "none", directory=tmp_path,
    )  # fmt: skip
    return tmp_path


def check_types(directory: Path) -> str:
    return run(PYTHON_TOOLS / "mypy", "--config-file", "mypy.ini", "main_job.py", directory=directory)


def test_a_python_client_does_the_main_job_and_reads_what_was_paid_for(
    generated: Path, sqlite_server: Server, recorded: Path
) -> None:
    check_types(generated)
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    said = run(
        sys.executable, "main_job.py", sqlite_server.url, owner.key, analyst.key, analyst.principal_id, recorded,
        directory=generated,
    )  # fmt: skip
    assert said.startswith("released rel_")


def test_a_wrong_request_does_not_type_check(generated: Path) -> None:
    source = generated / "main_job.py"
    text = source.read_text(encoding="utf-8")
    for right, wrong in (
        ('kind="simplex_geometric"', 'kind="simplex_geometrical"'),
        ('unit="one child",', ""),
        ("refused.charged is False", "refused.typo is False"),
    ):
        assert right in text
        source.write_text(text.replace(right, wrong), encoding="utf-8")
        with pytest.raises(AssertionError):
            check_types(generated)
