"""The client is tested against a running service on SQLite, because its behaviour does not depend on the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.service.conftest import analyst, owner, sqlite_server, sqlite_service, standing, study

if TYPE_CHECKING:
    from tests.harness.server import Server

__all__ = ["analyst", "owner", "server", "sqlite_server", "sqlite_service", "standing", "study"]


@pytest.fixture
def server(sqlite_server: Server) -> Server:
    return sqlite_server
