"""Implementation of `private-posterior ledger verify`, for exports or the database."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import typer

from service.cli.terminal import fail, open_database, read_settings, require_ready
from service.database.engine import open_engine, reading
from service.ledger.database_state import is_restore_pending
from service.ledger.files import UnreadableError, read_checkpoints, read_documents
from service.ledger.receipts import key_id_of
from service.ledger.verification import Finding, fault_of_installation, verify_database, verify_export
from service.principals.verification import count_unbound_roles, verify_chains
from service.runtime.key_file import load_public_keys
from service.settings.settings import Settings, SettingsError


def verify(exports: list[Path], checkpoints: list[Path], keys: list[str]) -> None:
    """Report on each ledger of the exports or of the database; exit with code 1 if one is not intact."""
    public_keys = read_public_keys(keys)
    try:
        findings, faults, of_installation = (
            (_verify_files(exports, checkpoints, public_keys), {}, None)
            if exports
            else _verify_database(checkpoints, public_keys)
        )
    except UnreadableError as error:
        fail(str(error))
    for finding in findings:
        typer.echo(str(finding))
    for principal_id, fault in faults.items():
        typer.echo(f"keys of principal {principal_id}: NOT intact. {fault}")
    if of_installation is not None:
        typer.echo(f"installation: NOT intact. {of_installation}")
    if not exports and _is_restore_pending():
        typer.echo(
            "A restore is pending: charges that the backup lacks may be missing until `private-posterior ledger "
            "reconcile` and `ledger unfreeze`."
        )
    if not checkpoints:
        typer.echo("No checkpoint was given: a ledger that was cut short or rewritten as a whole would pass too.")
    if faults or of_installation is not None or any(finding.fault is not None for finding in findings):
        raise typer.Exit(1)


def _is_restore_pending() -> bool:
    with open_database(read_settings()) as engine, reading(engine) as connection:
        return is_restore_pending(connection)


def _verify_files(exports: list[Path], checkpoints: list[Path], public_keys: dict[str, str]) -> list[Finding]:
    if checkpoints and not public_keys:
        typer.echo("No public key was given: the signatures of the checkpoints were not verified.")
    return verify_export(exports, read_checkpoints(checkpoints, public_keys), public_keys)


def _verify_database(
    checkpoints: list[Path], public_keys: dict[str, str]
) -> tuple[list[Finding], dict[str, str], str | None]:
    """Return the finding on each budget's ledger, the faults in the chains of principals' keys, and the fault of the
    installation, if any.
    """
    settings = read_settings()
    require_ready(settings)
    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    try:
        keys = public_keys | own_keys(settings)
        heads = read_checkpoints(checkpoints, keys)
        with reading(engine) as connection:
            if unbound := count_unbound_roles(connection):
                typer.echo(f"No entry binds the roles of {unbound} principals, which version 0.1.0 created.")
            found = verify_database(connection, heads, keys), verify_chains(connection)
            return *found, fault_of_installation(connection)
    finally:
        engine.dispose()


def own_keys(settings: Settings) -> dict[str, str]:
    """Return the public keys of this installation by id, which are in its settings."""
    try:
        return load_public_keys(settings.keys)
    except SettingsError as error:
        fail(str(error))


def read_public_keys(given: Iterable[str]) -> dict[str, str]:
    """Return the given keys by id. A file with the service's response also gives its earlier keys."""
    try:
        return {key_id_of(key): key for text in given for key in _keys_of(text)}
    except (LookupError, TypeError, ValueError):
        fail("--public-key takes a public key in base64url, or a file with the response of /v1/public-key")


def _keys_of(text: str) -> list[str]:
    path = Path(text)
    if not path.is_file():
        return [text]
    document = read_documents(path)[0]
    if not isinstance(document, dict):
        return [str(document)]
    return [str(each["public_key"]) for each in (document, *document.get("earlier", []))]
