"""A test that starts clusters, a service and perhaps a browser, and then does not end: `tests/test_ending.py` ends it.
pytest collects it only by its name.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.harness.chromium import chromium
from tests.harness.postgres import PostgresServer
from tests.harness.process import Process
from tests.harness.shared_postgres import shared_postgres
from tests.harness.thread import ServiceThread


@pytest.mark.long
def test_that_does_not_end(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    database_url = f"sqlite:///{tmp_path / 'posterior.sqlite3'}"
    shared_postgres()
    with ExitStack() as open_:
        open_.enter_context(PostgresServer())
        open_.enter_context(Process(database_url))
        open_.enter_context(ServiceThread(database_url))
        if os.environ["BROWSER"]:
            open_.enter_context(chromium())
        Path(os.environ["READY_FILE"]).touch()
        time.sleep(600)
