"""The running services of the tests of the service."""

from tests.service.conftest import sqlite_server, sqlite_service

__all__ = ["sqlite_server", "sqlite_service"]
