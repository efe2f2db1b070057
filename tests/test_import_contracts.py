"""The import contracts of `pyproject.toml` are effective: for each, a forbidden import is planted in a copy of the
source, and is found.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONTRACTS = {
    contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
}


@dataclass(frozen=True)
class Breach:
    """An import that breaks `contract`, at the end of `module`, which is created if it does not exist."""

    contract: str
    module: str
    statement: str


BREACHES = [
    Breach("The service stands on the core, and the core knows nothing of it", "core.privacy", "import service.errors"),
    Breach("The core computes: no web, no database, no clock, no files, no log", "core.dirichlet", "import logging"),
    Breach(
        "The core computes: no web, no database, no clock, no files, no log",
        "core.inference.mixture",
        "from time import monotonic",
    ),
    Breach("Randomness of the core comes from its samplers", "core.mechanisms.laplace", "from os import urandom"),
    Breach("Only the draw of a mechanism opens a private value", "core.planning", "import core.mechanisms.unsealing"),
    Breach(
        "Only the draw of a mechanism opens a private value",
        "core.mechanisms.event",
        "from core.mechanisms.unsealing import unseal",
    ),
    Breach(
        "Only the draw of a mechanism opens a private value",
        "service.datasets.datasets",
        "from core.mechanisms.unsealing import unseal",
    ),
    Breach(
        "The application imports neither benchmarks nor tests",
        "service.releases.release",
        "import benchmarks.papers.methods.finite_exponential",
    ),
    Breach(
        "Each layer of the core uses only the layers below it",
        "core.samplers.uniform",
        "import core.mechanisms.laplace",
    ),
    Breach("Each layer of the core uses only the layers below it", "core.mechanisms.laplace", "import core.inference"),
    Breach("Each layer of the core uses only the layers below it", "core.newcomer", ""),
    Breach(
        "Each layer of the service uses only the layers below it", "service.datasets.datasets", "import service.runtime"
    ),
    Breach(
        "Each layer of the service uses only the layers below it",
        "service.schemas.amounts",
        "import service.ledger.acts",
    ),
    Breach(
        "Each layer of the service uses only the layers below it",
        "service.releases.release",
        "import service.routers.releases",
    ),
    Breach("Each layer of the service uses only the layers below it", "service.newcomer", ""),
    Breach(
        "The client knows the service by its published description alone",
        "private_posterior.connection",
        "import service.errors",
    ),
    Breach(
        "The client knows the service by its published description alone", "private_posterior.client", "import pydantic"
    ),
    Breach("The typed client needs no command line", "private_posterior.connection", "import typer"),
    Breach("The service does without its client, but for the demonstration", "service.app", "import private_posterior"),
    Breach("Pictures are drawn from plain numbers and texts", "service.pictures.svg", "import numpy"),
    Breach("Pictures are drawn from plain numbers and texts", "service.pictures.rows", "import service.database.rows"),
    Breach("The console speaks to /v1 and to nothing else", "service.console.api", "import service.datasets.datasets"),
    Breach("The console speaks to /v1 and to nothing else", "service.console.pages", "import service.schemas.model"),
    Breach(
        "Decisions, chains and canonical texts follow from their arguments alone",
        "service.ledger.decision",
        "import time",
    ),
    Breach(
        "Decisions, chains and canonical texts follow from their arguments alone",
        "service.ledger.chain",
        "from sqlalchemy import Row",
    ),
    Breach(
        "Decisions, chains and canonical texts follow from their arguments alone",
        "service.canonical_json",
        "import service.posteriors.plot",
    ),
    Breach(
        "Decisions, chains and canonical texts follow from their arguments alone",
        "core.accounting.zcdp",
        "import numpy",
    ),  # through the accountants
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages that the contracts name."""
    copy = tmp_path_factory.mktemp("source")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for package in ("core", "service", "client/private_posterior"):
        shutil.copytree(
            ROOT / package, copy / package, ignore=lambda _, names: [name for name in names if not _is_source(name)]
        )
    return copy


def _is_source(name: str) -> bool:
    return name.endswith(".py") or ("." not in name and name != "__pycache__")


def broken_contracts(source: Path) -> set[str]:
    lint = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-logo",
        "--cache-dir",
        "cache",
    ]
    environment = {"COLUMNS": "200", "PYTHONPATH": "client"}
    done = subprocess.run(lint, cwd=source, env=environment, capture_output=True, text=True, check=False)
    broken = set(re.findall(r"^(.+) BROKEN(?: \(.*\))?$", done.stdout, re.MULTILINE))
    kept = set(re.findall(r"^(.+) KEPT(?: \(.*\))?$", done.stdout, re.MULTILINE))
    assert broken | kept == CONTRACTS, done.stdout + done.stderr
    assert done.returncode == bool(broken)
    return broken


def test_each_contract_has_a_planted_breach() -> None:
    assert {breach.contract for breach in BREACHES} == CONTRACTS


def test_the_console_may_import_of_the_service_only_what_draws_numbers_that_it_is_given() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    forbidden = next(each["forbidden_modules"] for each in contracts if each["name"].startswith("The console speaks"))
    parts = {
        path.stem for path in (ROOT / "service").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert {f"service.{part}" for part in parts - {"__init__", "console", "odds", "pictures"}} <= set(forbidden)


def test_the_source_keeps_every_contract(source: Path) -> None:
    assert broken_contracts(source) == set()


@pytest.mark.parametrize("breach", BREACHES, ids=lambda breach: f"{breach.module}: {breach.statement}")
def test_a_planted_breach_is_found(source: Path, breach: Breach) -> None:
    folder = "client/" if breach.module.startswith("private_posterior") else ""
    path = source / (folder + breach.module.replace(".", "/") + ".py")
    unbroken = path.read_text() if path.exists() else None
    path.write_text(f"{unbroken or ''}\n{breach.statement}\n")
    try:
        assert breach.contract in broken_contracts(source)
    finally:
        if unbroken is None:
            path.unlink()
        else:
            path.write_text(unbroken)
