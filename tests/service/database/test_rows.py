"""Rows have exactly the columns of their type."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select

from service.database import tables as models
from service.database.engine import reading
from service.database.rows import BudgetRow, fetch_first


def test_a_row_is_never_made_of_other_columns(engine: Engine) -> None:
    with reading(engine) as connection, pytest.raises(TypeError, match="other columns than BudgetRow"):
        fetch_first(connection, BudgetRow, select(models.grants))
