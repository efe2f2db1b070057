"""A new mechanism is added in four files, and everything takes it up: plans, prices, draws, inference, reports, pages
and the client's verification.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.planted_mechanism.planting import EDITS, MODULE, plant
from tests.mutants import copy_tree

_FILES = 4
_MOST_SECONDS = 600


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code with the planted mechanism."""
    tree = tmp_path_factory.mktemp("planted")
    copy_tree(tree)
    plant(tree)
    return tree


def _run(tree: Path, *command: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tree), str(tree / "client")])}
    ran = subprocess.run(
        [sys.executable, "-m", *command],
        check=False,
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_MOST_SECONDS,
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"


def test_a_mechanism_with_a_noise_of_its_own_is_added_in_four_files(planted: Path) -> None:
    assert (planted / MODULE).exists()
    assert len({MODULE, *EDITS}) <= _FILES


@pytest.mark.long
def test_the_added_mechanism_is_planned_priced_drawn_inferred_and_verified(planted: Path) -> None:
    file = "tests/harness/planted_mechanism/journey.py"
    _run(planted, "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", file)


@pytest.mark.long
def test_types_and_import_contracts_accept_the_added_mechanism(planted: Path) -> None:
    _run(planted, "mypy", "core", "service", "client/private_posterior")
    _run(planted, "importlinter.cli")
