"""After the migrations, every constraint and every trigger holds: each is broken on purpose, on each database, and the
break refused.

`alembic check` sees neither CHECK constraints nor triggers, and a batch ALTER on SQLite drops triggers: only trying
shows that they hold.
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, Engine, UniqueConstraint, insert, inspect, select, text
from sqlalchemy.exc import DatabaseError

from migrations.rights import LEFT
from service.database.costs import columns
from service.database.engine import DatabaseNotReady, check_ready, open_engine, reading, writing
from service.database.migration import MigrationError, configuration, migrate
from service.database.tables import (
    REVISION,
    access_requests,
    api_keys,
    jobs,
    key_checks,
    metadata,
    public_texts,
    query_charges,
    releases,
)
from service.datasets.datasets import destroy
from service.ledger.budget_changes import BudgetChange, change_budget
from service.ledger.debit import DebitHandler, Paid
from service.principals.auth import Caller
from service.principals.enrolment import exchange, issue_token
from service.principals.keys import create_key, end_keys
from service.principals.people import create_principal, revoke_principal
from service.schemas.principals import Role
from tests.harness.installation import SIGNER, Installation, epsilon, install
from tests.harness.rows import assert_each
from tests.harness.shared_postgres import OWNER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.harness.postgres import PostgresServer


@pytest.fixture
def engine(owner_engine: Engine) -> Engine:
    """An engine of the owner of the tables, who has all rights: the schema makes every refusal here."""
    return owner_engine


@pytest.fixture
def world(engine: Engine) -> Installation:
    return fill(engine)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """On a database with a row of each kind. Every statement is refused, so it is shared."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("filled") / "posterior.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
        engine = open_engine(f"sqlite:///{path}")
        fill(engine)
        yield engine
        engine.dispose()
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create_database(template=request.getfixturevalue("migrated_postgres"), owner=OWNER)
    engine = open_engine(server.url(name, OWNER))
    fill(engine)
    yield engine
    engine.dispose()
    server.drop_database(name)


def fill(engine: Engine) -> Installation:
    """An installation with a row of each kind."""
    world = install(engine, total=epsilon(1000), grant=epsilon(500), analysts=1, data_sets=2)
    with writing(engine) as connection:
        destroy(connection, Caller(world.owner_id, Role.OWNER, "key"), world.dataset_ids[1])
        (paid,) = DebitHandler(SIGNER)(
            connection, [world.debit(world.analyst_ids[0], world.dataset_ids[0], epsilon(10))]
        )
        assert isinstance(paid, Paid)
        connection.execute(
            insert(query_charges).values(
                {
                    "release_id": paid.row.id,
                    "dataset_id": paid.row.dataset_id,
                    "budget_id": paid.row.budget_id,
                    "sequence": paid.row.sequence,
                    "measured": "[]",
                    "apart": "[]",
                }
                | columns(epsilon(1), "alone")
                | columns(epsilon(1), "granted")
            )
        )
        asked: dict[str, object] = {
            "id": "r",
            "dataset_id": paid.row.dataset_id,
            "principal_id": world.analyst_ids[0],
            "purpose": "p",
        }
        asked |= {"owner_id": world.owner_id, "created_nanoseconds": 1, "created_at": 1} | columns(
            epsilon(1), "requested"
        )
        connection.execute(insert(access_requests).values(**asked, state="open"))
        declined: dict[str, object] = {"id": "d", "state": "declined", "reason": "r", "decided_at": 1}
        connection.execute(insert(access_requests).values(asked | declined))
        connection.execute(insert(public_texts).values(release_id=paid.row.id, text="{ }", created_at=1))
        job = {"id": "j", "principal_id": world.owner_id, "key": "k", "kind": "plan", "input": "{}", "tries": 0}
        job["created_nanoseconds"] = 1
        connection.execute(insert(jobs).values(**job, state="pending", created_at=1))
        connection.execute(insert(key_checks).values(kind="counts", key_id="k", check_value="c", created_at=1))
        gone = create_principal(connection, Role.ANALYST, "gone")
        create_key(connection, gone, issued_by="admin", expires_in_days=1)
        issue_token(connection, gone, by="admin")
        issue_token(connection, gone, by="admin")
        (key_id,) = connection.execute(select(api_keys.c.id).where(api_keys.c.principal_id == gone)).scalars()
        end_keys(connection, gone, [key_id], by="admin")
        revoke_principal(connection, gone, erase_name=False)
        token = issue_token(connection, world.owner_id, by="admin").token
        exchange(connection, token, expires_at=None, recovery_days=7)
    return world


BREAKS = {
    "entries are append-only": ["UPDATE entries SET kind = kind", "DELETE FROM entries"],
    "spends never fall": [
        "UPDATE budgets SET epsilon_spent = 9",
        "UPDATE budgets SET delta_spent = -1",
        "UPDATE budgets SET rho_spent = -1",
        "UPDATE budgets SET sequence = 1",
        "UPDATE grants SET epsilon_spent = 9",
        "UPDATE grants SET delta_spent = -1",
        "UPDATE grants SET rho_spent = -1",
        "UPDATE spending SET epsilon = 9",
        "UPDATE spending SET delta = -1",
        "UPDATE hourly_spending SET epsilon = 9",
        "UPDATE hourly_spending SET rho = -1",
        "DELETE FROM spending",
        "DELETE FROM hourly_spending",
    ],
    "nothing that counts is deleted": ["DELETE FROM budgets", "DELETE FROM grants", "DELETE FROM releases"],
    "what was paid stays as it was paid": [
        "UPDATE releases SET epsilon_charged = 9",
        "UPDATE releases SET receipt = '{}'",
        "UPDATE releases SET key_hash = 'x'",
        "UPDATE releases SET plan = '{ }'",
        "UPDATE releases SET dataset_id = 'dat_x'",
        "UPDATE releases SET sequence = 9",
    ],
    "ck_budgets_epsilon_within_limit": [
        "UPDATE budgets SET epsilon_spent = 1001",
        "UPDATE budgets SET epsilon_limit = 9",
    ],
    "ck_budgets_delta_within_limit": ["UPDATE budgets SET delta_spent = 1"],
    "ck_budgets_rho_within_limit": ["UPDATE budgets SET rho_spent = 1"],
    "ck_budgets_accountant": ["UPDATE budgets SET accountant = 'advanced'"],
    "ck_budgets_low_budget_percent": ["UPDATE budgets SET low_budget_percent = 101"],
    "ck_budgets_sequence": ["INSERT INTO {into_budgets} FROM budgets"],
    "ck_grants_epsilon_within_cap": ["UPDATE grants SET epsilon_spent = 501", "UPDATE grants SET epsilon_cap = 9"],
    "ck_grants_delta_within_cap": ["UPDATE grants SET delta_spent = 1"],
    "ck_grants_rho_within_cap": ["UPDATE grants SET rho_spent = 1"],
    "ck_entries_no_refunds": ["INSERT INTO {into_entries} FROM entries WHERE sequence = 1"],
    "a chain never goes back": ["UPDATE principals SET sequence = -1", "DELETE FROM principals"],
    "a token is used once": [
        "UPDATE enrolments SET used_at = 2",
        "UPDATE enrolments SET used_at = NULL",
        "DELETE FROM enrolments",
    ],
    "a charged data set stays as it is": [
        "UPDATE datasets SET charged = 0 WHERE charged = 1",
        "UPDATE datasets SET commitment = 'x' WHERE charged = 1",
        "UPDATE datasets SET record_count = 8 WHERE charged = 1",
        "DELETE FROM datasets",
    ],
    "an end is never undone": [
        "UPDATE datasets SET deleted_at = NULL WHERE deleted_at IS NOT NULL",
        "UPDATE datasets SET deleted_at = 1 WHERE deleted_at IS NOT NULL",
        "UPDATE principals SET revoked_at = NULL WHERE revoked_at IS NOT NULL",
        "UPDATE api_keys SET revoked_at = NULL WHERE revoked_at IS NOT NULL",
        "UPDATE enrolments SET ended_at = NULL WHERE ended_at IS NOT NULL",
        "UPDATE enrolments SET ended_at = 1 WHERE ended_at IS NOT NULL",
        "DELETE FROM api_keys",
    ],
    "an owner changes only by a transfer": [
        "UPDATE budgets SET owner_id = (SELECT max(id) FROM principals WHERE role = 'analyst')",
        "UPDATE datasets SET registered_by = owner_id, owner_id = (SELECT max(id) FROM principals)",
        "UPDATE datasets SET registered_by = owner_id, owner_id = (SELECT min(id) FROM principals)",
        "UPDATE grants SET owner_id = 'pri_x'",
        "UPDATE access_requests SET owner_id = 'pri_x'",
    ],
    "the owner at registration stays": ["UPDATE datasets SET registered_by = owner_id"],
    "a restore stays counted": ["UPDATE installation SET restores = -1", "DELETE FROM installation"],
    "entries of a principal are append-only": [
        "UPDATE principal_entries SET kind = kind",
        "DELETE FROM principal_entries",
    ],
    "an access request is decided once, and its texts are only erased": [
        "UPDATE access_requests SET state = 'withdrawn', decided_at = 2 WHERE id = 'd'",
        "UPDATE access_requests SET state = 'open', decided_at = NULL WHERE id = 'd'",
        "UPDATE access_requests SET epsilon_requested = 9",
        "UPDATE access_requests SET principal_id = owner_id",
        "UPDATE access_requests SET purpose = 'another'",
        "UPDATE access_requests SET reason = 'another' WHERE id = 'd'",
        "DELETE FROM access_requests",
    ],
    "an analyst has one open request for a data set": [
        "INSERT INTO {into_access_requests} FROM access_requests WHERE id = 'r'"
    ],
    "ck_access_requests_state": ["UPDATE access_requests SET state = 'lost', decided_at = 2 WHERE id = 'r'"],
    "ck_access_requests_decided_has_time": ["UPDATE access_requests SET decided_at = 2 WHERE id = 'r'"],
    "ck_access_requests_approved_has_grant": ["UPDATE access_requests SET grant_id = 'g' WHERE id = 'r'"],
    "ck_api_keys_kind": ["UPDATE api_keys SET kind = 'spare'"],
    "ck_enrolments_kind": ["UPDATE enrolments SET kind = 'gift'"],
    "ck_key_checks_kind": [
        "INSERT INTO key_checks (kind, key_id, check_value, created_at) VALUES ('house', 'k', 'c', 1)"
    ],
    "ck_principals_role": ["UPDATE principals SET role = 'god'"],
    "ck_datasets_relation": ["UPDATE datasets SET relation = 'swap'"],
    "ck_datasets_sizes": [
        "UPDATE datasets SET category_count = 1",
        "UPDATE datasets SET record_count = 0",
        "INSERT INTO {into_datasets} FROM datasets WHERE charged = 1",
        "INSERT INTO {into_private} FROM datasets WHERE charged = 1",
    ],
    "a budget has one neighbour relation": ["INSERT INTO {into_related} FROM datasets WHERE charged = 1"],
    "a public text stays": ["UPDATE public_texts SET text = '{}'", "DELETE FROM public_texts"],
    "what was measured stays": [
        "UPDATE query_charges SET measured = '[1]'",
        "UPDATE query_charges SET epsilon_granted = 0",
        "DELETE FROM query_charges",
    ],
    "ck_query_charges_alone": ["INSERT INTO {into_query_charges} FROM query_charges"],
    "ck_query_charges_granted": ["INSERT INTO {into_granted} FROM query_charges"],
    "ck_releases_state": ["UPDATE releases SET state = 'free'"],
    "ck_releases_drawn_has_values": ["UPDATE releases SET drawn = '{}'"],
    "ck_releases_complete_has_result": ["UPDATE releases SET state = 'complete'", "UPDATE releases SET result = '{}'"],
    "receipt keys are in the settings": [
        "UPDATE key_checks SET kind = 'receipts'",
        "INSERT INTO key_checks (kind, key_id, check_value, created_at) VALUES ('receipts', 'mine', 'value', 1)",
    ],
    "what was counted stays": ["DELETE FROM holdings"],
    "ck_holdings_counted": ["UPDATE holdings SET budgets = -1", "UPDATE holdings SET datasets = -1"],
    "ck_installation_single_row": ["UPDATE installation SET id = 2"],
    "ck_jobs_state": ["UPDATE jobs SET state = 'done'"],
    "ck_jobs_ready_has_result": ["UPDATE jobs SET state = 'ready'", "UPDATE jobs SET result = '{}'"],
}
UNCHANGED = {
    "api_keys": (
        "id principal_id prefix secret_hash issued_by created_at expires_at enrolment_id kind created_nanoseconds"
    ),
    "budgets": "id accountant delta_conversion created_at created_nanoseconds",
    "datasets": (
        "id budget_id labels attributes category_count unit one_record_per_unit records_per_unit n_is_public "
        "relation created_at created_nanoseconds"
    ),
    "enrolments": "id principal_id kind secret_hash issued_by made_by created_at expires_at",
    "grants": "id dataset_id principal_id created_at created_nanoseconds dataset_nanoseconds",
    "installation": "identity created_at",
    "principals": "id role created_at created_nanoseconds",
    "releases": "kind owner_id epsilon_remaining delta_remaining rho_remaining",
}
"""Columns that are written once, with their row."""
CHANGING = "name owner_id registered_by commitment record_count charged deleted_at history_shared listed"
"""The other columns of a data set."""


def test_a_column_of_a_data_set_never_changes_unless_an_entry_can_change_it() -> None:
    assert sorted([*UNCHANGED["datasets"].split(), *CHANGING.split()]) == sorted(metadata.tables["datasets"].c.keys())


def test_a_column_that_never_changes_is_refused_with_any_other_value(filled: Engine) -> None:
    for table, names in UNCHANGED.items():
        for name in names.split():
            column = metadata.tables[table].c[name]
            other = "7" if column.type.python_type is int else "'7'"
            value = f"CASE WHEN {name} IS NULL THEN {other} END" if column.nullable else other
            with pytest.raises(DatabaseError, match="never changes"), writing(filled) as connection:
                connection.execute(text(f"UPDATE {table} SET {name} = {value}"))  # noqa: S608  names of the schema


REPLACED = {
    "access_requests": {"id": "'new'"},
    "budgets": {"id": "'bud_new'", "name": "'other'", "sequence": "-1"},
    "entries": {"sequence": "99", "epsilon": "-1"},
    "query_charges": {"release_id": "'other'", "sequence": "99", "epsilon_alone": "-1"},
    "datasets": {"id": "'other'", "name": "'other'", "record_count": "NULL"},
    "private": {"id": "'other'", "name": "'other'", "n_is_public": "0"},
    "related": {
        "id": "'other'",
        "name": "'other'",
        "n_is_public": "0",
        "relation": "'add_remove'",
        "record_count": "NULL",
    },
    "granted": {"release_id": "'other'", "sequence": "99", "epsilon_granted": "-1"},
}
"""Columns that differ in the copies of rows that the INSERTs make."""
_TABLES = {"granted": "query_charges", "private": "datasets", "related": "datasets"}
"""Names of copies that are not those of their tables."""


def statement(template: str) -> str:
    if "{into_" not in template:
        return template
    return template.format(**{f"into_{name}": _copy(_TABLES.get(name, name), REPLACED[name]) for name in REPLACED})


def _copy(table: str, changes: Mapping[str, str]) -> str:
    names = metadata.tables[table].c.keys()
    return f"{table} ({', '.join(names)}) SELECT {', '.join(changes.get(name, name) for name in names)}"


def test_each_break_of_the_schema_is_refused(filled: Engine) -> None:
    breaks = [(rule, each) for rule, templates in BREAKS.items() for each in templates]
    assert_each(breaks, lambda row: assert_refused(filled, *row))


def assert_refused(filled: Engine, rule: str, template: str) -> None:
    with pytest.raises(DatabaseError) as refused, writing(filled) as connection:
        connection.execute(text(statement(template)))
    if rule.startswith("ck_") and filled.dialect.name == "postgresql":
        assert rule in str(refused.value) or re.search("never|stays as it is|signed once", str(refused.value))


def test_every_check_constraint_has_its_break() -> None:
    named = {
        f"ck_{table.name}_{constraint.name}" if not str(constraint.name).startswith("ck_") else str(constraint.name)
        for table in metadata.tables.values()
        for constraint in table.constraints
        if isinstance(constraint, CheckConstraint)
    }
    assert named == {rule for rule in BREAKS if rule.startswith("ck_")}


def test_every_check_constraint_of_the_models_is_in_the_database(filled: Engine) -> None:
    inspector = inspect(filled)
    for table in metadata.sorted_tables:
        in_database = {(each["name"], normal(each["sqltext"])) for each in inspector.get_check_constraints(table.name)}
        in_models = {
            (str(each.name), normal(str(each.sqltext)))
            for each in table.constraints
            if isinstance(each, CheckConstraint)
        }
        assert {name for name, _ in in_database} == {name for name, _ in in_models}
        if filled.dialect.name == "sqlite":
            assert in_database == in_models


def normal(condition: str) -> str:
    return re.sub(r"\s+", " ", condition).strip("() ")


def test_the_models_and_the_migrations_describe_the_same_tables(filled: Engine) -> None:
    options = {"include_name": lambda name, *_: name not in LEFT}
    with reading(filled) as connection:
        differences = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
    assert differences == []


TRIGGERS = {
    "access_requests_decided_once",
    "access_requests_kept",
    "access_requests_only_erased",
    "access_requests_unchanged",
    "budgets_kept",
    "budgets_spends_never_fall",
    "entries_kept",
    "entries_unchanged",
    "enrolments_kept",
    "enrolments_used_once",
    "principal_entries_kept",
    "principal_entries_unchanged",
    "principals_chain_never_goes_back",
    "principals_kept",
    "grants_kept",
    "grants_spends_never_fall",
    "key_checks_kept",
    "key_checks_of_counts",
    "key_checks_unchanged",
    "releases_keep_noise",
    "releases_kept",
    "releases_settled_once",
    "releases_signed",
    "releases_stay_as_paid",
    "query_charges_unchanged",
    "query_charges_kept",
    "public_texts_unchanged",
    "public_texts_kept",
    "spending_never_falls",
    "spending_kept",
    "hourly_spending_never_falls",
    "hourly_spending_kept",
    "holdings_kept",
    "budgets_counted",
    "datasets_counted",
    "datasets_deleted",
    "datasets_brought_back",
    "grants_counted",
    "entries_added_up",
    "releases_added_up",
    "query_charges_added_up",
    *(f"{table}_never_change" for table in UNCHANGED),
    *(f"{table}_follow_owner" for table in ("access_requests", "budgets", "datasets", "grants")),
    *(f"{table}_transferred" for table in ("budgets", "datasets", "grants")),
    "datasets_keep_registrant",
    "api_keys_kept",
    "api_keys_stay_ended",
    "datasets_kept",
    "datasets_of_one_relation",
    "datasets_renamed_with_counts",
    "datasets_stay_charged",
    "datasets_stay_ended",
    "enrolments_stay_ended",
    "installation_kept",
    "installation_restored",
    "principals_stay_ended",
}
TRIGGERS_OF = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'",
}


def test_every_trigger_is_there(filled: Engine) -> None:
    with reading(filled) as connection:
        assert set(connection.execute(text(TRIGGERS_OF[filled.dialect.name])).scalars()) == TRIGGERS


@pytest.mark.parametrize(
    "rewriting",
    [
        "UPDATE releases SET result = '{ }'",
        "UPDATE releases SET state = 'failed', result = NULL",
        "UPDATE releases SET state = 'lost', result = NULL",
        "UPDATE releases SET signature = 'another'",
    ],
)
def test_a_settled_release_is_settled_for_good(engine: Engine, world: Installation, rewriting: str) -> None:
    with writing(engine) as connection:
        connection.execute(releases.update().values(state="complete", drawn="{}", result="{}", signature="s"))
    with pytest.raises(DatabaseError, match=r"(settled|signed) once"), writing(engine) as connection:
        connection.execute(text(rewriting))


def test_a_hash_of_noise_is_written_once(engine: Engine, world: Installation) -> None:
    with writing(engine) as connection:
        connection.execute(releases.update().values(noise="one"))
    for rewriting in ("UPDATE releases SET noise = 'another'", "UPDATE releases SET noise = NULL"):
        with pytest.raises(DatabaseError, match="as it was paid"), writing(engine) as connection:
            connection.execute(text(rewriting))


def test_every_unique_constraint_is_in_the_database(filled: Engine) -> None:
    inspector = inspect(filled)
    wanted = {
        (table.name, tuple(column.name for column in each.columns))
        for table in metadata.sorted_tables
        for each in table.constraints
        if isinstance(each, UniqueConstraint)
    }
    found = {
        (table.name, tuple(each["column_names"]))
        for table in metadata.sorted_tables
        for each in inspector.get_unique_constraints(table.name)
    }
    assert wanted
    assert wanted - found == set()


def test_a_forgotten_receipt_is_booked_once(engine: Engine, world: Installation) -> None:
    columns = ", ".join(column.name for column in metadata.tables["entries"].columns)
    booked = columns.replace("sequence", "sequence + 50").replace("kind", "'receipt_reconciled'")
    again = columns.replace("sequence", "sequence + 60").replace("kind", "'receipt_reconciled'")
    where = "FROM entries WHERE kind = 'release_charged'"
    with writing(engine) as connection:
        connection.execute(text(f"INSERT INTO entries SELECT {booked} {where}"))
    with pytest.raises(DatabaseError), writing(engine) as connection:
        connection.execute(text(f"INSERT INTO entries SELECT {again} {where}"))


def test_migrating_again_keeps_every_row(empty_database_url: str) -> None:
    """Every start of an installation migrates: all rows and amounts spent stay. A database is never downgraded."""
    migrate(empty_database_url)
    engine = open_engine(empty_database_url)
    world = install(engine, total=epsilon(1000))
    with writing(engine) as connection:
        DebitHandler(SIGNER)(connection, [world.debit(world.owner_id, world.dataset_ids[0], epsilon(10))])
        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=True))
    engine.dispose()
    before = everything(empty_database_url)
    migrate(empty_database_url)
    assert everything(empty_database_url) == before


@pytest.mark.parametrize("revision", ["0001", "0017", "unknown"])
def test_a_database_of_another_schema_is_refused_in_one_sentence(empty_database_url: str, revision: str) -> None:
    """Databases made during development, before the first release, have such a schema."""
    migrate(empty_database_url)
    engine = open_engine(empty_database_url)
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    before = everything(empty_database_url)
    with pytest.raises(MigrationError, match="a schema that this version does not know"):
        migrate(empty_database_url)
    assert everything(empty_database_url) == before
    with reading(engine) as connection:
        if revision < REVISION:
            with pytest.raises(DatabaseNotReady, match=f"has schema {revision}, and this version needs {REVISION}"):
                check_ready(connection)
    engine.dispose()


def test_the_tables_are_those_of_the_newest_migration() -> None:
    assert ScriptDirectory.from_config(configuration("sqlite://")).get_current_head() == REVISION


def test_no_migration_has_a_way_down() -> None:
    scripts = list(ScriptDirectory.from_config(configuration("sqlite://")).walk_revisions())
    assert scripts
    assert not any(hasattr(script.module, "downgrade") for script in scripts)


def everything(url: str) -> dict[str, list[Any]]:
    engine = open_engine(url)
    with reading(engine) as connection:
        rows = {
            table.name: list(connection.execute(table.select().order_by(*table.primary_key.columns)))
            for table in metadata.sorted_tables
        }
    engine.dispose()
    return rows
