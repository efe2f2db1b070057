"""The types of rows keep step with the tables, and mypy refuses a column that no table has."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from sqlalchemy import Engine, Integer, String, Table, Text, select

from service import costs
from service.database import rows
from service.database import tables as models
from service.database.engine import reading
from service.database.rows import (
    ApiKeyRow,
    BudgetRow,
    CertificateRow,
    EnrolmentRow,
    EntryRow,
    GrantRow,
    HoldingsRow,
    PrincipalEntryRow,
    PrincipalRow,
    ReleaseRow,
    check_columns,
    fetch_first,
)
from service.ledger import debit, decision, locked

ROOT = Path(__file__).parents[3]
WHOLE_TABLES = [
    (ApiKeyRow, models.api_keys),
    (BudgetRow, models.budgets),
    (CertificateRow, models.certificates),
    (EnrolmentRow, models.enrolments),
    (EntryRow, models.entries),
    (GrantRow, models.grants),
    (HoldingsRow, models.holdings),
    (PrincipalEntryRow, models.principal_entries),
    (PrincipalRow, models.principals),
    (ReleaseRow, models.releases),
]


@pytest.mark.parametrize(("row", "table"), WHOLE_TABLES)
def test_a_row_has_the_columns_of_its_table_and_says_which_may_be_empty(row: type[NamedTuple], table: Table) -> None:
    check_columns(row, table.c.keys())
    for column in table.c:
        type_of = row.__annotations__[column.name].__forward_arg__
        assert type_of.endswith(" | None") is bool(column.nullable), column
        if isinstance(column.type, Integer):
            assert type_of.startswith("int"), column
        elif isinstance(column.type, String | Text):
            assert not type_of.startswith("int"), column


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
    """What mypy says of this code of the debit and of the types that it stands on. Everything else goes unread, to be
    quick.
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
