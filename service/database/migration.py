"""Brings a database to this version's schema."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

from alembic import command
from alembic.config import Config


def configuration(url: str) -> Config:
    """Alembic's configuration for the migrations that ship with this version."""
    config = Config()
    config.set_main_option("script_location", str(Path(str(importlib.resources.files("migrations")))))
    config.attributes["url"] = url
    return config


def migrate(url: str, revision: str = "head") -> None:
    """Upgrades the database at `url` to `revision`. There is no way down: a migration never drops a spend."""
    command.upgrade(configuration(url), revision)
