"""The driver of PostgreSQL is an extra."""

from __future__ import annotations

import sys

import pytest

from service.database.engine import open_engine
from service.settings.settings import SettingsError


def test_an_address_of_postgresql_names_the_missing_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(SettingsError, match=r"whose driver is not installed: pip install 'psycopg\[binary\]>=3.2'"):
        open_engine("postgresql+psycopg://nobody@localhost/nothing")
