"""Verification of ledgers: an intact ledger passes in every exported form, and each falsification is found and
described.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from typer.testing import CliRunner, Result

from service.cli.main import app
from service.database.engine import open_engine, reading, writing
from service.ledger.budget_changes import BudgetChange, change_budget
from service.ledger.chain import Head
from service.ledger.debit import DebitHandler, Paid
from service.ledger.files import UnreadableError, read_checkpoints
from service.ledger.verification import verify_database, verify_export
from tests.harness.guards import drop_all_guards
from tests.harness.installation import PUBLIC_KEYS, SIGNER, Installation, epsilon, install
from tests.harness.server import Server
from tests.service.conftest import Study, start_on_postgres, start_on_sqlite

HANDLER = DebitHandler(SIGNER)

# The command verifies all that the database holds, and other files alter rows of keys.
sqlite_service = pytest.fixture(scope="module", name="sqlite_service")(start_on_sqlite)
postgres_service = pytest.fixture(scope="module", name="postgres_service")(start_on_postgres)


@pytest.fixture
def study_ledger(study: Study) -> Study:
    """A study with some history: releases of owner and analyst, a cap, a freeze and an unfreeze."""
    assert study.owner.release(study.dataset_id).status_code == 201
    assert study.analyst.release(study.dataset_id).status_code == 201
    assert study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True}).status_code == 200
    assert study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": False}).status_code == 200
    assert study.owner.release(study.dataset_id).status_code == 201
    return study


def exported(study: Study, directory: Path, form: str) -> Path:
    """The ledger of a study in a file, as its owner gets it."""
    path = directory / f"ledger.{form}"
    if form == "json":
        path.write_text(study.owner.get(f"/v1/budgets/{study.budget_id}/ledger", limit=1000).text)
    else:
        path.write_bytes(study.owner.get(f"/v1/budgets/{study.budget_id}/ledger.{form}").content)
    return path


FORMS = ["csv", "jsonl", "json"]


@pytest.mark.parametrize("form", FORMS)
def test_an_export_is_verified_against_heads_and_receipts(study_ledger: Study, tmp_path: Path, form: str) -> None:
    release = tmp_path / "release.json"
    release.write_text(study_ledger.owner.release(study_ledger.dataset_id).text)
    head = tmp_path / "head.json"
    head.write_text(study_ledger.owner.get(f"/v1/budgets/{study_ledger.budget_id}/head").text)
    public_key = study_ledger.owner.get("/v1/public-key").json()
    heads = read_checkpoints([head, release], {public_key["key_id"]: public_key["public_key"]})
    (finding,) = verify_export([exported(study_ledger, tmp_path, form)], heads)
    assert finding.fault is None
    assert finding.balances is not None
    assert str(finding.balances.spent.epsilon) == study_ledger.spent()
    assert "intact" in str(finding)


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_amount_in_an_export_is_found(study_ledger: Study, tmp_path: Path, form: str) -> None:
    path = exported(study_ledger, tmp_path, form)
    whole = path.read_text()
    changed = (
        whole.replace("100000000,0,0", "100000001,0,0", 1)
        if form == "csv"
        else whole.replace('"epsilon":"0.1"', '"epsilon":"0.2"', 1)
    )
    assert changed != whole
    path.write_text(changed)
    (finding,) = verify_export([path])
    assert finding.fault is not None
    assert "does not have the hash of its content" in str(finding)


def test_an_export_that_was_cut_shows_against_a_head(study_ledger: Study, tmp_path: Path) -> None:
    path = exported(study_ledger, tmp_path, "jsonl")
    *lines, last, head = path.read_text().splitlines()
    path.write_text("\n".join(lines))
    checkpoint = tmp_path / "head.json"
    checkpoint.write_text(head)
    assert json.loads(last)["kind"] == "release_charged"
    (finding,) = verify_export([path], read_checkpoints([checkpoint], {}))
    assert "it was cut or rolled back" in str(finding)


def test_a_cut_export_shows_against_its_own_head(study_ledger: Study, tmp_path: Path) -> None:
    path = exported(study_ledger, tmp_path, "jsonl")
    *lines, _, head = path.read_text().splitlines()
    public_key = study_ledger.owner.get("/v1/public-key").json()
    keys = {public_key["key_id"]: public_key["public_key"]}
    path.write_text("\n".join([*lines, head]))
    for known in (None, keys):
        (finding,) = verify_export([path], public_keys=known)
        assert "it was cut or rolled back" in str(finding)
    signed = json.loads(head)
    signed["body"]["sequence"] -= 1
    path.write_text("\n".join([*lines, json.dumps(signed)]))
    with pytest.raises(UnreadableError, match="signature is not valid"):
        verify_export([path], public_keys=keys)


def test_exports_that_repeat_entries_are_one_ledger(study_ledger: Study, tmp_path: Path) -> None:
    csv, lines = (exported(study_ledger, tmp_path, form) for form in ("csv", "jsonl"))
    earlier = tmp_path / "earlier.csv"
    earlier.write_text("".join(csv.read_text().splitlines(keepends=True)[:3]))
    (finding,) = verify_export([earlier, csv, lines])
    assert finding.fault is None
    earlier.write_text(earlier.read_text().replace(study_ledger.budget_id, "bud_" + 26 * "a", 1))
    assert [each.fault for each in verify_export([earlier, csv, lines]) if "aaaa" in str(each)] != [None]


def test_a_forged_checkpoint_is_refused(study_ledger: Study, tmp_path: Path) -> None:
    signed = study_ledger.owner.get(f"/v1/budgets/{study_ledger.budget_id}/head").json()
    signed["body"]["sequence"] += 1
    path = tmp_path / "head.json"
    path.write_text(json.dumps(signed))
    public_key = study_ledger.owner.get("/v1/public-key").json()
    with pytest.raises(UnreadableError, match="signature is not valid"):
        read_checkpoints([path], {public_key["key_id"]: public_key["public_key"]})


@pytest.mark.parametrize(
    "content", ["", "no json", "[1, 2]", '{"items": [{"sequence": 1}]}', "budget_id,sequence\nx,1\n"]
)
def test_what_is_no_export_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    with pytest.raises(UnreadableError):
        verify_export([path])


def command(server: Server, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["ledger", "verify", *arguments], env=dict(server.environment))


def test_the_command_tells_an_intact_ledger_from_another_by_its_exit_code(
    study_ledger: Study, server: Server, tmp_path: Path
) -> None:
    path, public_key = exported(study_ledger, tmp_path, "jsonl"), tmp_path / "key.json"
    public_key.write_text(study_ledger.owner.get("/v1/public-key").text)
    intact = command(server, str(path), "--checkpoint", str(path), "--public-key", str(public_key))
    assert intact.exit_code == 0, intact.output
    assert "intact" in intact.stdout
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:3] + lines[4:]))
    broken = command(server, str(path))
    assert broken.exit_code == 1
    assert "Entry 4: is missing or out of order" in broken.stdout
    path.write_text("nothing")
    assert command(server, str(path)).exit_code == 2


def test_the_command_verifies_the_database_of_a_running_service(study_ledger: Study, server: Server) -> None:
    done = command(server)
    assert done.exit_code == 0, done.stdout
    assert f"budget {study_ledger.budget_id}: intact" in done.stdout


def test_exports_are_the_owners_alone(study: Study, server: Server) -> None:
    for path in ("head", "ledger.csv", "ledger.jsonl"):
        address = f"/v1/budgets/{study.budget_id}/{path}"
        assert study.analyst.get(address).status_code == 404
        assert server.admin.get(address).status_code == 404


# From here on straight in a database, whose owner falsifies it.


@pytest.fixture
def engine(owner_engine: Engine) -> Engine:
    return owner_engine


@pytest.fixture
def world(engine: Engine) -> Installation:
    world = install(engine, total=epsilon(1000), grant=epsilon(500), analysts=1)
    with writing(engine) as connection:
        for principal in (world.owner_id, world.analyst_ids[0], world.owner_id):
            (paid,) = HANDLER(connection, [world.debit(principal, world.dataset_ids[0], epsilon(10))])
            assert isinstance(paid, Paid)
        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=True))
    return world


def heads(engine: Engine, budget_id: str) -> list[Head]:
    with reading(engine) as connection:
        rows = connection.execute(text("SELECT sequence, hash FROM entries WHERE budget_id = :id"), {"id": budget_id})
        return [Head(budget_id, row.sequence, row.hash) for row in rows]


def test_an_intact_database_passes_against_every_head_it_ever_had(engine: Engine, world: Installation) -> None:
    with reading(engine) as connection:
        (finding,) = verify_database(connection, heads(engine, world.budget_id))
    assert finding.fault is None, finding


UNSIGNED = "INSERT INTO public_texts (release_id, text, created_at) SELECT id, '{}', 1 FROM releases WHERE sequence = 4"
PRIVATE = "UPDATE datasets SET relation = 'add_remove', n_is_public = 0, record_count = NULL"
OTHER_RECEIPT = (
    "UPDATE releases SET receipt = (SELECT r.receipt FROM releases r WHERE r.sequence = 5) WHERE sequence = 4"
)


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["UPDATE entries SET epsilon = 9 WHERE sequence = 4"], "hash of its content"),
        (["DELETE FROM entries WHERE sequence = 5"], "missing"),
        (["DELETE FROM entries WHERE sequence = 7"], "the budget names entry 7"),
        (
            ["UPDATE budgets SET epsilon_spent = 20"],
            "epsilon 0.00000002 spent; the entries add up to epsilon 0.00000003",
        ),
        (["UPDATE budgets SET epsilon_limit = 2000"], "The balance allows epsilon 0.000002"),
        (["UPDATE budgets SET frozen_at = NULL"], "disagree on whether it is frozen"),
        (["UPDATE grants SET epsilon_spent = 0"], "says nothing spent"),
        (["UPDATE releases SET epsilon_charged = 9 WHERE sequence = 4"], "does not charge what the release"),
        (["DELETE FROM releases WHERE sequence = 4"], "charges a release that is missing"),
        (["UPDATE releases SET spec = '{\"event\": 50}' WHERE sequence = 4"], "charges another spec (request, event"),
        (
            [OTHER_RECEIPT],
            "Entry 4: is not what the receipt of release",
        ),
        (["UPDATE releases SET receipt = '{}' WHERE sequence = 4"], "that is not valid"),
        (["UPDATE releases SET owner_id = 'pri_x' WHERE sequence = 4"], "names another owner_id than release"),
        (["UPDATE releases SET payload_hash = 'x' WHERE sequence = 4"], "names another payload_hash than release"),
        (["UPDATE datasets SET commitment = 'x'"], "names another commitment (commitment) than its entry"),
        (["UPDATE datasets SET record_count = 8"], "names another size (record_count) than its entry"),
        (["UPDATE datasets SET records_per_unit = 2"], "names another size (records_per_unit) than its entry"),
        ([PRIVATE], "names another neighbour relation (relation) than its entry"),
        (["UPDATE datasets SET owner_id = (SELECT principal_id FROM grants)"], "names another owner (owner_id)"),
        (
            [UNSIGNED],
            "is not what was signed",
        ),
        (
            ["UPDATE grants SET epsilon_cap = 9999"],
            "allows epsilon 0.000009999; by its entries it is",
        ),
    ],
)
def test_a_falsified_database_is_found(engine: Engine, world: Installation, statements: list[str], words: str) -> None:
    drop_all_guards(engine)
    with writing(engine) as connection:
        for statement in statements:
            connection.execute(text(statement))
    with reading(engine) as connection:
        (finding,) = verify_database(connection)
    assert finding.fault is not None
    assert words in str(finding)


def test_a_data_set_that_was_moved_to_another_budget_is_named_on_both(engine: Engine, world: Installation) -> None:
    other = install(engine, total=epsilon(10))
    drop_all_guards(engine)
    with writing(engine) as connection:
        moved = {"to": other.budget_id, "id": world.dataset_ids[0]}
        connection.execute(text("UPDATE datasets SET budget_id = :to WHERE id = :id"), moved)
    with reading(engine) as connection:
        found = {finding.budget_id: str(finding) for finding in verify_database(connection)}
    assert "its row is missing or names another budget" in found[world.budget_id]
    assert "was never registered on it" in found[other.budget_id]


def test_a_charge_of_foreign_counts_is_named_though_the_chain_holds(engine: Engine, world: Installation) -> None:
    """The service's own ledger, written with a commitment that no owner registered."""
    commitments = {world.dataset_ids[0]: "foreign"}
    drop_all_guards(engine)
    with writing(engine) as connection:
        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=False))
        connection.execute(text("UPDATE datasets SET commitment = 'foreign'"))
        debit = replace(world, commitments=commitments).debit(world.owner_id, world.dataset_ids[0], epsilon(10))
        (paid,) = HANDLER(connection, [debit])
        assert isinstance(paid, Paid)
    with reading(engine) as connection:
        (finding,) = verify_database(connection)
    assert "Entry 9: names another commitment than the data set was registered with" in str(finding)


def test_a_receipt_that_the_service_did_not_sign_is_named(study: Study, server: Server) -> None:
    """And a public text with its signature passes."""
    release = study.analyst.release(study.dataset_id).json()
    study.owner.patch(f"/v1/releases/{release['id']}", {"public": True})
    ours = study.owner.get("/v1/public-key").json()
    keys = {ours["key_id"]: ours["public_key"]}
    assert command(server).exit_code == 0
    engine = open_engine(server.environment["POSTERIOR_DATABASE_URL"])
    try:
        with reading(engine) as connection:
            own, others = (
                {each.budget_id: each for each in verify_database(connection, (), known)}[study.budget_id]
                for known in (keys, PUBLIC_KEYS)
            )
    finally:
        engine.dispose()
    assert own.fault is None
    assert "that is not valid: the attestation was signed by an unknown key" in str(others)


def test_a_database_that_was_rolled_back_shows_against_a_checkpoint_alone(engine: Engine, world: Installation) -> None:
    kept = heads(engine, world.budget_id)
    drop_all_guards(engine)
    with writing(engine) as connection:
        last = kept[-2]
        connection.execute(text("DELETE FROM entries WHERE sequence > :sequence"), {"sequence": last.sequence})
        connection.execute(
            text("UPDATE budgets SET sequence = :sequence, head_hash = :hash, frozen_at = NULL"),
            {"sequence": last.sequence, "hash": last.hash},
        )
    with reading(engine) as connection:
        (unseen,) = verify_database(connection)
        (seen,) = verify_database(connection, kept)
    assert unseen.fault is None
    assert "it was cut or rolled back" in str(seen)


def test_a_large_database_is_verified_however_long_one_statement_takes(engine: Engine, world: Installation) -> None:
    with reading(engine) as connection:
        verify_database(connection, [])
        if engine.dialect.name == "postgresql":
            assert connection.execute(text("SHOW statement_timeout")).scalar() == "0"
    with reading(engine) as connection:
        if engine.dialect.name == "postgresql":
            assert connection.execute(text("SHOW statement_timeout")).scalar() == "1min"


def test_a_budget_missing_from_the_database_is_reported(engine: Engine, world: Installation) -> None:
    with reading(engine) as connection:
        found = verify_database(connection, [Head("bud_gone", 1, "00")])
    assert [str(each).partition(":")[0] for each in found if each.fault] == ["budget bud_gone"]
    assert ["no such budget" in str(each) for each in found].count(True) == 1
