"""Implementation of `private-posterior receipts prune`."""

from __future__ import annotations

from pathlib import Path

import typer
from sqlalchemy import Connection, Engine, create_engine, select
from sqlalchemy.exc import DBAPIError

from service.cli.terminal import fail, open_database, read_settings
from service.cli.verifying import own_keys
from service.database.engine import DatabaseNotReady, check_ready, check_whole, reading
from service.database.tables import entries, installation
from service.identifiers.identifiers import now, timestamp
from service.ledger.chain import CHARGING, SPENDING, EntryKind, lost_entry_id
from service.ledger.database_state import read_identity
from service.ledger.files import UnreadableError, read_receipts
from service.ledger.receipts import Receipt
from service.ledger.verification import verify_database
from service.ledger.witness import receipts_beside
from service.settings.settings import SettingsError


def prune(copy: str) -> None:
    """Verify the backup, and delete each file of an earlier day whose receipts and entries it has."""
    settings = read_settings()
    if settings.witness.file is None:
        fail("the witness keeps no receipts without a file: set POSTERIOR_WITNESS_FILE")
    folder = receipts_beside(settings.witness.file)
    with open_database(settings) as engine, reading(engine) as connection:
        try:
            identity = read_identity(connection)
        except SettingsError as error:
            fail(str(error))
        keys = own_keys(settings)
    backup = _open_copy(copy)
    try:
        with reading(backup) as connection:
            check_ready(connection)
            check_whole(connection)
            if connection.execute(select(installation.c.identity)).scalar() != identity:
                fail("the backup is of another installation, or of none")
            faults = [each for each in verify_database(connection, public_keys=keys) if each.fault is not None]
            if faults:
                fail(f"the backup is not intact: {faults[0]}", 1)
            recorded = _recorded_ids(connection)
    except (DatabaseNotReady, DBAPIError):
        fail("the backup can't be read: give a SQLite file, or the address of a PostgreSQL database")
    finally:
        backup.dispose()
    deleted = kept = 0
    for file in sorted(folder.glob("*.jsonl")):
        if file.stem < timestamp(now())[:10] and _lines_in(file, keys) <= recorded:
            file.unlink()
            deleted += 1
        else:
            kept += 1
    typer.echo(f"{deleted} files of receipts were deleted; {kept} are left.")


def _open_copy(copy: str) -> Engine:
    """Return an engine on the backup. A file is only read, so that it stays as it is."""
    if "://" in copy:
        return create_engine(copy, hide_parameters=True)
    if not Path(copy).is_file():
        fail(f"there is no file {copy}")
    return create_engine(f"sqlite:///file:{Path(copy).resolve()}?mode=ro&uri=true", hide_parameters=True)


def _recorded_ids(connection: Connection) -> set[str]:
    """Return the ids of all charged releases and of all other entries, also of those that were reconciled."""
    booked = entries.c.kind.in_([kind.value for kind in SPENDING | {EntryKind.ENTRY_RECONCILED}])
    others = entries.c.kind.not_in([kind.value for kind in CHARGING])
    subjects = connection.execute(select(entries.c.subject_id).where(booked)).scalars()
    hashes = connection.execute(select(entries.c.hash).where(others)).scalars()
    return {*subjects, *map(lost_entry_id, hashes)}


def _lines_in(file: Path, keys: dict[str, str]) -> set[str]:
    """Return the ids of the releases whose receipts are in a file, and the ids of its other entries."""
    try:
        return {
            line.release_id if isinstance(line, Receipt) else lost_entry_id(line.chain_hash)
            for line, _ in read_receipts([file], keys).receipts
        }
    except UnreadableError:  # a receipt of an unknown key, or none
        return {file.name}
