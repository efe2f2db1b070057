"""After an update and a restore, what earlier versions wrote beside the database says what is lost."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from migrations.rights import SERVICE_ROLE
from service.database.migration import migrate
from tests.harness.bodies import registration, release_body
from tests.harness.deadlines import until
from tests.harness.postgres import Postgres
from tests.harness.process import COMMAND, Process, environment
from tests.harness.released import COMMITS, ReleasedProcess
from tests.harness.shared_postgres import OWNER
from tests.test_rolling_upgrade import ask, check_ledger, install_released, made, newcomer

pytestmark = pytest.mark.long


@pytest.fixture
def copy(empty_database_url: str, request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Copies the database as it is, and returns the owner's address of the copy."""

    def copy_file() -> str:
        target = tmp_path / "copy.sqlite3"
        with closing(sqlite3.connect(tmp_path / "posterior.sqlite3")) as source, closing(sqlite3.connect(target)) as to:
            source.backup(to)
        return f"sqlite:///{target}"

    def copy_database() -> str:
        cluster: Postgres = request.getfixturevalue("postgres")
        template = make_url(empty_database_url).database or ""
        return cluster.url(cluster.create_database(template=template, owner=OWNER), OWNER)

    return copy_file if empty_database_url.startswith("sqlite") else copy_database


def operate(url: str, witness: Path, *arguments: str) -> str:
    command = [str(COMMAND), "ledger", *arguments]
    settings = environment(url, witness_file=str(witness))
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("version", COMMITS)
def test_the_witness_of_a_released_version_names_lost_charges_and_decisions(
    empty_database_url: str, copy: Callable[[], str], tmp_path: Path, version: str
) -> None:
    root, witness = tmp_path / "released", tmp_path / "beside" / "witness"
    witness.parent.mkdir()
    url = empty_database_url.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")
    admin = install_released(empty_database_url, url, root, version)
    with ReleasedProcess(root, url, witness_file=str(witness)) as old:
        owner, analyst = newcomer(old, admin, "owner"), newcomer(old, admin, "analyst")
        dataset = made(ask(old, owner, "POST", "/v1/datasets", registration([7, 5])))
        releases, budget = f"/v1/datasets/{dataset['id']}/releases", f"/v1/budgets/{dataset['budget_id']}"
        grant = {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "0"}
        granted = made(ask(old, owner, "POST", f"/v1/datasets/{dataset['id']}/grants", grant))
        made(ask(old, analyst, "POST", releases, release_body("0.01"), "kept"))
    backup = copy()
    with ReleasedProcess(root, url, witness_file=str(witness)) as old:
        lost = made(ask(old, analyst, "POST", releases, release_body("0.01"), "lost"))
        made(ask(old, owner, "PATCH", f"/v1/grants/{granted['id']}", {"closed": True}))
        made(ask(old, owner, "PATCH", budget, {"frozen": True}))
    kept_by_analyst = tmp_path / "release.json"
    kept_by_analyst.write_text(json.dumps(lost))

    migrate(backup)
    restored = backup.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")
    with Process(restored, witness_file=str(witness)) as new:
        until(lambda: "restore" in ask(new, admin, "GET", "/readyz").text)
        assert (
            ask(new, analyst, "POST", releases, release_body("0.01"), "new").json()["type"].endswith("restore-pending")
        )
    # 0.1.0 has no folder, and does not count charges: its receipts are those that people kept.
    said = operate(restored, witness, "reconcile", *([str(kept_by_analyst)] if version == "0.1.0" else []))
    assert "1 receipts forgotten, and now charged again" in said
    is_counted = version != "0.1.0"
    left = "2 entries other than charges are lost" if is_counted else "2 of the 3 entries after the backup are unknown"
    assert left in said
    ended = operate(restored, witness, "unfreeze", *([] if is_counted else ["--freeze-unsettled"]))
    assert any(
        dataset["budget_id"] in line and "frozen until its owner unfreezes it" in line for line in ended.splitlines()
    )
    assert ended.splitlines()[-1].startswith("Releases are possible again")
    with Process(restored, witness_file=str(witness)) as new:
        again = ask(new, analyst, "POST", releases, release_body("0.01"), "lost")
        assert again.json()["type"].endswith("release-lost"), "no second draw"
        assert made(ask(new, owner, "GET", budget))["spent"]["epsilon"] == "0.02"
        assert made(ask(new, owner, "GET", budget))["frozen"] is True
    check_ledger(restored)
