"""An installation's keys belong to its database: with other keys nothing starts, and nothing is charged that could not
be drawn.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from private_posterior.verification.signatures import keys_in, verify_release
from service.datasets.cipher import new_key
from service.ledger.receipts import Receipt, Signer, verify
from service.runtime.key_file import load_keys, replace_receipt_key
from service.settings.settings import Settings, SettingsError
from tests.harness import commands
from tests.harness.process import COMMAND, environment
from tests.harness.server import Server, own_keys, problem_code, run, serving
from tests.service.conftest import COUNTS, dataset_body, make_study

if TYPE_CHECKING:
    from collections.abc import Mapping

OLD, NEW, OTHER = f"old:{new_key()}", f"new:{new_key()}", f"old:{new_key()}"
RECEIPTS = new_key()


def fails(*arguments: str, chosen: Mapping[str, str]) -> str:
    """The message on standard error of a command that fails."""
    done = commands.run([COMMAND, *arguments], env=chosen)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def fresh(directory: Path) -> Path:
    """A folder for the log of one more process."""
    return Path(tempfile.mkdtemp(dir=directory))


def of_file(url: str) -> dict[str, str]:
    """The environment of a service whose keys are in a file beside the database."""
    return {
        name: value for name, value in environment(url).items() if not name.endswith(("COUNTS_KEYS", "RECEIPT_KEY"))
    }


def release_once(server: Server) -> tuple[Any, Any]:
    study = make_study(server.new("owner"), server.new("analyst"))
    answer = study.analyst.release(study.dataset_id)
    assert answer.status_code == 201
    return study, answer.json()


def test_a_service_whose_key_file_was_moved_away_does_not_start_and_makes_no_other(tmp_path: Path) -> None:
    """Seen before: it made new keys, was ready, charged three releases and answered `release-in-progress`."""
    (tmp_path / "data").mkdir()
    url = f"sqlite:///{tmp_path / 'data' / 'posterior.db'}"
    run("migrate", environment=of_file(url))
    with serving(fresh(tmp_path), url, counts_keys="", receipt_key="") as server:
        release_once(server)
    keys = tmp_path / "data" / "keys.json"
    keys.rename(tmp_path / "elsewhere")
    assert "is missing" in fails("serve", chosen=of_file(url))
    assert not keys.exists()
    (tmp_path / "elsewhere").rename(keys)
    with serving(fresh(tmp_path), url, counts_keys="", receipt_key="") as server:
        release_once(server)


def test_the_driver_in_the_address_does_not_move_the_files(tmp_path: Path) -> None:
    """Seen before: keys in a folder named `sqlite+pysqlite:`."""
    url = f"sqlite+pysqlite:///{tmp_path / 'posterior.db'}"
    run("migrate", environment=of_file(url))
    with serving(fresh(tmp_path), url, counts_keys="", receipt_key=""):
        assert (tmp_path / "keys.json").exists()
    assert (tmp_path / "posterior.db.witness").exists()


def test_a_mistyped_path_makes_nothing(tmp_path: Path) -> None:
    """Seen before: `migrate` and `restore` created a database in a mistyped folder, and `serve` one for the witness or
    the keys.
    """
    mistyped, right = tmp_path / "nowhere" / "further", tmp_path / "posterior.db"
    url = f"sqlite:///{mistyped / 'posterior.db'}"
    run("migrate", environment=of_file(f"sqlite:///{right}"))
    shutil.copy(right, tmp_path / "copy")
    told = f"there is no folder {mistyped}"
    assert "there is no database at" in fails("serve", chosen=of_file(url))
    for command in (["migrate"], ["restore", str(tmp_path / "copy")]):
        assert told in fails(*command, chosen=of_file(url))
    for name in ("POSTERIOR_KEY_FILE", "POSTERIOR_WITNESS_FILE"):
        chosen = of_file(f"sqlite:///{right}") | {name: str(mistyped / "file")}
        said = fails("serve", chosen=chosen)
        assert told in said
        assert name in said
    assert not mistyped.parent.exists()


def test_the_default_database_has_its_folder_made_for_its_owner_alone(tmp_path: Path) -> None:
    chosen = {name: value for name, value in of_file("").items() if name != "POSTERIOR_DATABASE_URL"}
    before = os.umask(0)
    try:
        run("migrate", environment=chosen, folder=tmp_path)
        shutil.copy(tmp_path / "data" / "private-posterior.db", tmp_path / "copy")
        shutil.rmtree(tmp_path / "data")
        run("restore", str(tmp_path / "copy"), environment=chosen, folder=tmp_path)
    finally:
        os.umask(before)
    made = {path: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "data").rglob("*")}
    assert set(made.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("rings", "said"),
    [
        ({"counts_keys": OTHER}, "counts key old differs from the one"),
        ({"counts_keys": NEW}, "counts key old is not in the ring"),
        ({"receipt_key": new_key()}, "is not in the settings"),
    ],
    ids=["another value", "a missing key", "another receipt key"],
)
def test_other_keys_end_the_start_with_a_sentence(
    database_url: str, owner_database_url: str, tmp_path: Path, rings: dict[str, str], said: str
) -> None:
    right = {"counts_keys": OLD, "receipt_key": RECEIPTS}
    with serving(fresh(tmp_path), database_url, owner_database_url, **right) as server:
        release_once(server)
    assert said in fails("serve", chosen=environment(database_url, **right | rings))
    if "counts_keys" in rings:
        assert said in fails("counts", "rotate", chosen=environment(database_url, **right | rings))


def test_a_key_from_before_check_values_has_to_open_what_it_sealed(
    database_url: str, owner_database_url: str, tmp_path: Path
) -> None:
    with serving(fresh(tmp_path), database_url, owner_database_url, counts_keys=OLD, receipt_key=RECEIPTS) as server:
        release_once(server)
        server.rows("DELETE FROM key_checks")
    chosen = {"counts_keys": OTHER, "receipt_key": RECEIPTS}
    assert "does not decrypt the counts under that id" in fails("serve", chosen=environment(database_url, **chosen))
    with serving(fresh(tmp_path), database_url, owner_database_url, counts_keys=OLD, receipt_key=RECEIPTS) as server:
        release_once(server)


def test_replicas_take_a_new_key_one_after_another(database_url: str, owner_database_url: str, tmp_path: Path) -> None:
    for ring in (OLD, f"{OLD},{NEW}", f"{NEW},{OLD}"):
        with serving(
            fresh(tmp_path), database_url, owner_database_url, counts_keys=ring, receipt_key=RECEIPTS
        ) as server:
            release_once(server)


def test_a_release_whose_key_is_not_in_the_ring_is_refused_uncharged(
    database_url: str, owner_database_url: str, tmp_path: Path
) -> None:
    """A key that no service was started with is not missing: somebody wrote its id into the row. Seen before: a service
    did not start because of it.
    """
    keys = own_keys()
    with serving(fresh(tmp_path), database_url, owner_database_url, **keys) as server:
        study = make_study(server.new("owner"), server.new("analyst"))
        server.rows("UPDATE encrypted_counts SET key_id = 'gone'")
        answer = study.analyst.release(study.dataset_id)
        assert (problem_code(answer), answer.json()["charged"]) == ("stored-data-altered", False)
        with serving(fresh(tmp_path), database_url, owner_database_url, **keys) as another:
            release_once(another)
        server.rows("INSERT INTO key_checks (kind, key_id, check_value, created_at) VALUES ('counts', 'gone', '0', 1)")
        answer = study.analyst.release(study.dataset_id)
        assert (problem_code(answer), answer.json()["charged"]) == ("decryption-key-unavailable", False)
        assert study.spent() == "0"
        server.rows("UPDATE encrypted_counts SET key_id = 'k1' WHERE key_id = 'gone'")
        assert study.analyst.release(study.dataset_id).status_code == 201


def test_counts_that_were_put_back_are_not_drawn_from(
    database_url: str, owner_database_url: str, tmp_path: Path
) -> None:
    """Seen before: an old ciphertext, put back into the table after a replacement, was drawn from."""
    with serving(fresh(tmp_path), database_url, owner_database_url) as server:
        study = make_study(server.new("owner"), server.new("analyst"))
        (old,) = server.rows("SELECT ciphertext FROM encrypted_counts")
        assert study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"counts": COUNTS[::-1]}).status_code == 200
        server.rows("UPDATE encrypted_counts SET ciphertext = :old", old=old.ciphertext)
        server.rows("UPDATE datasets SET charged = 0")
        answer = study.analyst.release(study.dataset_id)
        assert (problem_code(answer), answer.json()["charged"]) == ("stored-data-altered", False)
        assert server.rows("SELECT id FROM releases") == []


def test_a_receipt_key_is_changed_and_old_receipts_hold(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'posterior.db'}"
    chosen = of_file(url)
    run("migrate", environment=chosen)
    with serving(fresh(tmp_path), url, counts_keys="", receipt_key="") as server:
        study, first = release_once(server)
        before = server.http.get("/v1/public-key").json()
        study.owner.patch(f"/v1/releases/{first['id']}", {"public": True})
        public = server.http.get(f"/v1/public/releases/{first['id']}").content
    assert before["earlier"] == []
    run("receipts", "rotate", environment=chosen)
    with serving(fresh(tmp_path), url, counts_keys="", receipt_key="") as server:
        _, second = release_once(server)
        after = server.http.get("/v1/public-key").json()
        assert server.http.get(f"/v1/public/releases/{first['id']}").content == public
    assert verify_release(public, keys_in(after))["id"] == first["id"]
    assert [key["key_id"] for key in after["earlier"]] == [before["key_id"]] != [after["key_id"]]
    published = {key["key_id"]: key["public_key"] for key in (after, *after["earlier"])}
    for receipt in (first["receipt"], second["receipt"]):
        verify(receipt, Receipt, published)
    kept = tmp_path / "receipts.jsonl"
    kept.write_text("\n".join(json.dumps(each["receipt"]) for each in (first, second)))
    assert "intact" in run("ledger", "verify", "--checkpoint", str(kept), environment=chosen).stdout


def test_a_receipt_key_of_the_settings_is_changed_there(database_url: str, tmp_path: Path) -> None:
    right = {"counts_keys": OLD, "receipt_key": RECEIPTS}
    with serving(fresh(tmp_path), database_url, **right) as server:
        release_once(server)
    chosen = environment(database_url, **right)
    assert "put a new one before it there" in fails("receipts", "rotate", chosen=chosen)
    old, new = Signer.parse(RECEIPTS), new_key()
    without = environment(database_url, **right | {"receipt_key": new})
    assert f"the receipt key {old.key_id} is not in the settings" in fails("serve", chosen=without)
    with serving(fresh(tmp_path), database_url, counts_keys=OLD, receipt_key=f"{new},public:{old.public_key}"):
        pass


@pytest.mark.parametrize("act", ["make", "replace"])
def test_a_key_file_that_cannot_be_written_is_reported_and_changes_nothing(tmp_path: Path, act: str) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'posterior.sqlite3'}")
    if act == "replace":
        load_keys(settings.keys, may_make=True)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, unlimited[1]))
    try:
        with pytest.raises(SettingsError, match=r"the key file .* can't be written"):
            replace_receipt_key(settings.keys) if act == "replace" else load_keys(settings.keys, may_make=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Seen before: a database of mode 0644, and a key file of mode 0666 that was accepted."""
    folder = tmp_path / "data"
    folder.mkdir()
    url = f"sqlite:///{folder / 'posterior.db'}"
    before = os.umask(0)
    try:
        run("migrate", environment=of_file(url))
        with serving(fresh(tmp_path), url, counts_keys="", receipt_key="") as server:
            server.new("owner").post("/v1/datasets", dataset_body())
            modes = {path: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    finally:
        os.umask(before)
    assert {"posterior.db", "posterior.db-wal", "keys.json"} <= {path.name for path in modes}
    assert {(path.is_dir(), mode) for path, mode in modes.items()} == {(True, 0o700), (False, 0o600)}
    (folder / "keys.json").chmod(0o666)
    assert "chmod 600" in fails("serve", chosen=of_file(url))
