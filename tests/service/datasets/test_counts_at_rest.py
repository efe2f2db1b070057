"""Counts at rest: rotated while the service runs, gone from the files when deleted, and never opened without their
key.
"""

from __future__ import annotations

import gc
import itertools
import resource
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from core.accounting.accountants import BudgetTerms
from core.privacy import Delta, Epsilon
from service.cli.main import app
from service.database.engine import open_engine, reading, truncate_log, writing
from service.datasets.cipher import EncryptedCounts, KeyRing, new_key
from service.datasets.counts import rotate_counts
from service.ledger.budget_changes import open_budget
from service.ledger.counts_binding import CountsBinding
from service.principals.people import create_principal
from service.runtime.key_file import add_counts_key, load_keys
from service.schemas.principals import Role
from service.settings.settings import Settings, SettingsError
from tests.harness.deadlines import until
from tests.harness.people import Person, person
from tests.harness.server import Party, Server, serving, serving_process
from tests.service.conftest import COUNTS, Study, make_study

TERMS = BudgetTerms.basic(Epsilon.parse("1"), Delta(0))
OLD, NEW = f"old:{new_key()}", f"new:{new_key()}"


def encrypted(server: Server, dataset_id: str) -> tuple[str, bytes]:
    (row,) = server.rows("SELECT key_id, ciphertext FROM encrypted_counts WHERE dataset_id = :id", id=dataset_id)
    return row.key_id, bytes(row.ciphertext)


def _binding(server: Server, dataset_id: str) -> CountsBinding:
    (row,) = server.rows("SELECT * FROM datasets WHERE id = :id", id=dataset_id)
    return CountsBinding(
        dataset_id, row.commitment, row.budget_id, row.owner_id, "basic", "replace_one", 2, sum(COUNTS), 1
    )


def test_counts_are_rotated_while_the_service_runs(
    database_url: str, owner_database_url: str, registered: Person, study_rows: list[str], tmp_path: Path
) -> None:
    with serving(tmp_path, database_url, owner_database_url, counts_keys=f"{NEW},{OLD}") as server:
        assert {encrypted(server, dataset_id)[0] for dataset_id in study_rows} == {"old"}
        done = CliRunner().invoke(app, ["counts", "rotate"], env=dict(server.environment))
        assert done.exit_code == 0, done.output
        assert "3 data sets were encrypted with key new; 0 are left." in done.output
        assert "Copy the keys to where you keep them apart from the backups" in done.output
        after = [encrypted(server, dataset_id) for dataset_id in study_rows]
        assert {key for key, _ in after} == {"new"}
        again = CliRunner().invoke(app, ["counts", "rotate"], env=dict(server.environment))
        assert "0 data sets were encrypted" in again.output
        owner = Party(registered.principal_id, registered.key, server)
        for dataset_id in study_rows:
            assert owner.release(dataset_id).status_code == 201
        bindings = [_binding(server, dataset_id) for dataset_id in study_rows]
    without_the_old_key = KeyRing.parse(NEW)
    decrypted = [
        without_the_old_key.decrypt(EncryptedCounts(*each), binding)
        for each, binding in zip(after, bindings, strict=True)
    ]
    assert decrypted == [COUNTS] * 3


def test_a_rotation_makes_a_key_in_the_key_file_and_the_running_service_reads_it(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with serving(tmp_path, f"sqlite:///{path}", counts_keys="", receipt_key="") as server:
        chosen = {name: value for name, value in server.environment.items() if value}
        study = make_study(server.new("owner"), server.new("analyst"))
        for expected in ("k2", "k3"):
            done = CliRunner().invoke(app, ["counts", "rotate"], env=chosen)
            assert f"1 data sets were encrypted with key {expected}; 0 are left." in done.output
            assert encrypted(server, study.dataset_id)[0] == expected
            drawn = study.analyst.wait_for(lambda: study.analyst.release(study.dataset_id), status=201)
            assert drawn.status_code == 201, drawn.text
    ring = load_keys(Settings.from_environment(chosen).keys).ring
    assert (ring.current, list(ring.keys)) == ("k3", ["k3", "k2", "k1"])


def test_an_interrupted_rotation_makes_no_further_key(migrated_sqlite: Path, tmp_path: Path) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with serving(tmp_path, f"sqlite:///{path}", counts_keys="", receipt_key="") as server:
        chosen = {name: value for name, value in server.environment.items() if value}
        make_study(server.new("owner"), server.new("analyst"))
        add_counts_key(Settings.from_environment(chosen).keys)
        done = CliRunner().invoke(app, ["counts", "rotate"], env=chosen)
        assert "1 data sets were encrypted with key k2; 0 are left." in done.output


def test_a_rotation_to_a_key_of_the_environment_waits_until_a_service_was_started_with_it(
    database_url: str, owner_database_url: str, study_rows: list[str], tmp_path: Path
) -> None:
    with serving(tmp_path, database_url, owner_database_url, counts_keys=OLD) as server:
        chosen = dict(server.environment) | {"POSTERIOR_COUNTS_KEYS": f"{NEW},{OLD}"}
        for _ in range(2):
            refused = CliRunner().invoke(app, ["counts", "rotate"], env=chosen)
            assert refused.exit_code == 2
            assert "restart every service with it first" in refused.output
            del refused
            gc.collect()  # a connection that the command left open would be found
        assert {encrypted(server, dataset_id)[0] for dataset_id in study_rows} == {"old"}


def test_a_rotation_goes_on_where_it_stopped_and_names_what_does_not_open(
    database_url: str, study_rows: list[str]
) -> None:
    engine = open_engine(database_url)
    ring = KeyRing.parse(f"{NEW},{OLD}")
    with writing(engine) as connection:
        first = rotate_counts(connection, ring, after="", limit=2)
    with writing(engine) as connection:
        rest = rotate_counts(connection, KeyRing.parse(NEW), after="", limit=10)
    with writing(engine) as connection:
        last = rotate_counts(connection, ring, after="", limit=10)
    engine.dispose()
    assert (first.count, first.last) == (2, study_rows[1])
    assert (rest.count, rest.unreadable) == (0, (study_rows[2],))
    assert (last.count, last.last) == (1, study_rows[2])


@pytest.fixture
def registered(database_url: str) -> Person:
    """The owner of the data sets."""
    return person(database_url, Role.OWNER)


@pytest.fixture
def study_rows(database_url: str, registered: Person) -> list[str]:
    """Three data sets encrypted with the old key; their ids in order."""
    from service.datasets.datasets import histogram, register
    from service.principals.auth import Caller
    from service.schemas.datasets import DatasetCreate
    from tests.service.conftest import dataset_body

    engine = open_engine(database_url)
    ring = KeyRing.parse(OLD)
    with writing(engine) as connection:
        caller = Caller(registered.principal_id, Role.OWNER, "key")
        bodies = [DatasetCreate.model_validate(dataset_body()) for _ in range(3)]
        ids = [register(connection, caller, body, histogram(body), ring).dataset_id for body in bodies]
    engine.dispose()
    return sorted(ids)


def files_hold(directory: Path, what: bytes) -> bool:
    beside = [path for path in directory.rglob("*") if str(path.relative_to(directory)).startswith("posterior.sqlite3")]
    return any(what in path.read_bytes() for path in beside if path.is_file())


@pytest.mark.parametrize("act", ["delete", "replace"])
def test_deleted_counts_are_in_none_of_sqlites_files(migrated_sqlite: Path, tmp_path: Path, act: str) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with serving(tmp_path, f"sqlite:///{path}") as server:
        study: Study = make_study(server.new("owner"), server.new("analyst"))
        _, ciphertext = encrypted(server, study.dataset_id)
        assert files_hold(tmp_path, ciphertext)
        if act == "delete":
            assert study.owner.delete(f"/v1/datasets/{study.dataset_id}").status_code == 204
        else:
            assert study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"counts": [1, 2]}).status_code == 200
        assert not files_hold(tmp_path, ciphertext)


def test_an_erased_name_is_in_none_of_sqlites_files(migrated_sqlite: Path, tmp_path: Path) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with serving(tmp_path, f"sqlite:///{path}") as server:
        made = server.admin.post("/v1/principals", {"role": "analyst", "name": "Ignaz Semmelweis"}).json()
        assert files_hold(tmp_path, b"Ignaz Semmelweis")
        assert server.admin.delete(f"/v1/principals/{made['id']}", erase_name="true").status_code == 204
        assert not files_hold(tmp_path, b"Ignaz Semmelweis")


@pytest.mark.parametrize("act", ["delete", pytest.param("replace", marks=pytest.mark.long)])
def test_a_full_disk_that_prevents_a_checkpoint_hides_no_change(
    migrated_sqlite: Path, tmp_path: Path, act: str
) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with serving_process(tmp_path, f"sqlite:///{path}") as server:
        study = make_study(server.new("owner"), server.new("analyst"))
        other = make_study(server.new("owner"), server.new("analyst"))
        _, ciphertext = encrypted(server, study.dataset_id)
        assert other.owner.delete(f"/v1/datasets/{other.dataset_id}").status_code == 204, "which empties the log"
        # The log may grow for a while, and the end of the database can't be written.
        pid, room = server.process.process.pid, path.stat().st_size // 2
        unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        if act == "delete":
            answer = study.owner.delete(f"/v1/datasets/{study.dataset_id}")
        else:
            answer = study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"counts": [1, 2]})
        resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
        assert answer.status_code == (204 if act == "delete" else 200), answer.text
        if act == "replace":
            assert answer.json()["nonce"]
        # Lines are written by a thread of their own.
        until(lambda: "deleted counts or names stay in the write-ahead log" in server.log.read_text())
        assert server.rows("SELECT * FROM encrypted_counts WHERE ciphertext = :it", it=ciphertext) == []
        third = make_study(server.new("owner"), server.new("analyst"))
        assert third.owner.delete(f"/v1/datasets/{third.dataset_id}").status_code == 204
        assert not files_hold(tmp_path, ciphertext), "with room again, the next deletion empties the log of all"


def test_a_long_read_delays_no_charge_while_counts_are_deleted(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.database.engine._LOCK_WAIT_SECONDS", 3600)
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    engine = open_engine(f"sqlite:///{path}")
    with reading(engine) as backup:
        backup.execute(text("SELECT * FROM budgets")).all()
        with writing(engine) as connection:
            open_budget(connection, owner=create_principal(connection, Role.OWNER, "owner"), name="one", terms=TERMS)
        # It would take the hour for which others wait for a lock here, and would hold one all the time.
        assert not truncate_log(engine, wait_seconds=0.1)
    assert truncate_log(engine, wait_seconds=5)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 3_600_000
    engine.dispose()


def test_deleted_data_sets_keep_no_counts(study: Study) -> None:
    study.owner.delete(f"/v1/datasets/{study.dataset_id}")
    assert study.owner.server.rows("SELECT * FROM encrypted_counts WHERE dataset_id = :id", id=study.dataset_id) == []


def test_postgresql_refuses_to_start_without_keys() -> None:
    url = "postgresql+psycopg://somebody@/somewhere"
    with pytest.raises(SettingsError, match="POSTERIOR_RECEIPT_KEY"):
        load_keys(Settings(database_url=url, counts_keys=OLD).keys)
    with pytest.raises(SettingsError, match="POSTERIOR_COUNTS_KEYS"):
        load_keys(Settings(database_url=url, receipt_key=new_key()).keys)


def test_no_combination_of_settings_lets_postgresql_make_a_key_file(tmp_path: Path) -> None:
    missing = tmp_path / "keys.json"
    for counts, receipt in itertools.product(["", OLD], ["", new_key()]):
        with pytest.raises(SettingsError):
            load_keys(
                Settings(
                    database_url="postgresql+psycopg://x@/y",
                    key_file=str(missing),
                    counts_keys=counts,
                    receipt_key=receipt,
                ).keys
            )
    assert not missing.exists()
