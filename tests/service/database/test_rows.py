"""Rows have exactly the columns of their type, and mypy refuses a column that no row has."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest
from sqlalchemy import Engine, select

from service import costs
from service.database import rows
from service.database import tables as models
from service.database.engine import reading
from service.database.rows import (
    BudgetRow,
    fetch_first,
)
from service.ledger import debit, decision, locked

ROOT = Path(__file__).parents[3]


def test_a_row_is_never_made_of_other_columns(engine: Engine) -> None:
    with reading(engine) as connection, pytest.raises(TypeError, match="other columns than BudgetRow"):
        fetch_first(connection, BudgetRow, select(models.grants))


MISSPELT = [
    (locked, "row.frozen_at", "row.frozen_ta"),
    (debit, "dataset.commitment", "dataset.comitment"),
    (locked, "spent=row.spent", "spent=row.spend"),
]


def test_a_misspelt_column_in_the_debit_fails_mypy(tmp_path: Path) -> None:
    code = {module: Path(str(module.__file__)).read_text() for module in (costs, rows, decision, locked, debit)}
    # In a folder of its own each: within a second, mypy takes a file of the same length for the same file.
    assert "Success" in type_check(tmp_path / "as-written", code)
    for module, written, misspelt in MISSPELT:
        assert written in code[module]
        code[module] = code[module].replace(written, misspelt)
    report = type_check(tmp_path / "misspelt", code)
    for _, _, misspelt in MISSPELT:
        assert f'has no attribute "{misspelt.rpartition(".")[2]}"' in report


def type_check(folder: Path, code: Mapping[ModuleType, str]) -> str:
    """The errors that mypy reports on this code of the debit and on the types that it uses. Nothing else is checked, to
    be quick.
    """
    names = []
    for module, text in code.items():
        name = Path(str(module.__file__)).relative_to(ROOT)
        names.append(str(name))
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    options = [
        "--config-file=",
        "--follow-imports=skip",
        "--ignore-missing-imports",
        "--namespace-packages",
        "--explicit-package-bases",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *names], capture_output=True, text=True, check=False, cwd=folder
    )
    return done.stdout
