"""A new mechanism is added in four files, and everything takes it up: plans, prices, draws, inference, reports, pages
and the client's verification.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness import planted_mechanism
from tests.harness.planted_mechanism.planting import EDITS, MODULE
from tests.harness.planting import plant, run, run_tests
from tests.mutants import copy_tree

_FILES = 4


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code with the planted mechanism."""
    tree = tmp_path_factory.mktemp("planted")
    copy_tree(tree)
    plant(tree, {Path(planted_mechanism.__file__).with_name("tempered.py"): MODULE}, EDITS)
    return tree


def test_a_mechanism_with_a_noise_of_its_own_is_added_in_four_files(planted: Path) -> None:
    assert (planted / MODULE).exists()
    assert len({MODULE, *EDITS}) <= _FILES


@pytest.mark.long
def test_the_added_mechanism_is_planned_priced_drawn_inferred_and_verified(planted: Path) -> None:
    run_tests(planted, "tests/harness/planted_mechanism/journey.py")


@pytest.mark.long
def test_types_and_import_contracts_accept_the_added_mechanism(planted: Path) -> None:
    run(planted, "mypy", "core", "service", "client/private_posterior")
    run(planted, "importlinter.cli")
