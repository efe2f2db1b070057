"""A SQLite file that is moved away or replaced under a running service takes no more charges."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.harness.server import problem_code, serving_process
from tests.service.conftest import make_study


@pytest.mark.parametrize("replaced", [False, pytest.param(True, marks=pytest.mark.long)])
def test_nothing_is_charged_to_a_file_that_was_moved_away(
    migrated_sqlite: Path, tmp_path: Path, *, replaced: bool
) -> None:
    path, moved = tmp_path / "posterior.sqlite3", tmp_path / "moved"
    shutil.copy(migrated_sqlite, path)
    with serving_process(tmp_path, f"sqlite:///{path}") as server:
        study = make_study(server.new("owner"), server.new("analyst"))
        assert study.analyst.release(study.dataset_id).status_code == 201
        path.rename(moved)
        if replaced:
            shutil.copy(migrated_sqlite, path)
        for answer in (
            study.analyst.release(study.dataset_id, key="later"),
            study.owner.get(f"/v1/budgets/{study.budget_id}"),
        ):
            assert (answer.status_code, problem_code(answer)) == (503, "database-unavailable")
        study.analyst.wait_for(lambda: study.analyst.get("/readyz"), status=503)
        assert study.analyst.get("/readyz").status_code == 503
        assert path.exists() is replaced, "nothing makes an empty database in its place"
        moved.rename(path)
        study.analyst.wait_for(lambda: study.analyst.get("/readyz"), status=200)
        assert study.analyst.release(study.dataset_id, key="later").status_code == 201
        assert study.spent() == "0.2"
