"""The commands `private-posterior ledger ...`: what owners and auditors run on exports, and operators on the database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from service.database import open_engine, reading
from service.keys import find_public_key
from service.receipts import key_id_of
from service.terminal import fail, read_settings, require_ready
from service.verification import Finding, UnreadableError, read_checkpoints, read_documents, verify_database, verify_export

ledger_app = typer.Typer(help="Verify ledgers, and bring one back after a restore.", no_args_is_help=True)

_Checkpoints = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoint", exists=True, dir_okay=False, help="File with signed heads, receipts or releases kept earlier. Repeatable."
    ),
]
_PublicKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--public-key", help="The service's public key, or a file with the answer of /v1/public-key; checks the checkpoints' signatures."
    ),
]


@ledger_app.command("verify")
def verify(
    exports: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, dir_okay=False, help="Exported ledgers (CSV, JSON lines, JSON pages). The database when left out."),
    ] = None,
    checkpoint: _Checkpoints = None,
    public_key: _PublicKeys = None,
) -> None:
    """Recompute hash chains and balances, and say whether the ledger is still what was once written.

    A ledger that was cut short, or written anew as a whole, shows only against a checkpoint that was kept elsewhere.

    Exit codes: 0, every ledger is intact; 1, at least one is not; 2, something could not be read.
    """
    public_keys = {key_id_of(key): key for key in map(_read_public_key, public_key or [])}
    try:
        findings = _verify_files(exports, checkpoint or [], public_keys) if exports else _verify_database(checkpoint or [], public_keys)
    except UnreadableError as error:
        fail(str(error))
    for finding in findings:
        typer.echo(str(finding))
    if not checkpoint:
        typer.echo("No checkpoint was given: a ledger that was cut short or written anew as a whole would look like this too.")
    if any(finding.fault is not None for finding in findings):
        raise typer.Exit(1)


def _verify_files(exports: list[Path], checkpoints: list[Path], public_keys: dict[str, str]) -> list[Finding]:
    if checkpoints and not public_keys:
        typer.echo("No public key was given: the checkpoints are taken as they stand, their signatures unchecked.")
    return verify_export(exports, read_checkpoints(checkpoints, public_keys))


def _verify_database(checkpoints: list[Path], public_keys: dict[str, str]) -> list[Finding]:
    settings = read_settings()
    require_ready(settings)
    own = find_public_key(settings)
    heads = read_checkpoints(checkpoints, public_keys | ({} if own is None else {key_id_of(own): own}))
    engine = open_engine(settings.database_url)
    try:
        with reading(engine) as connection:
            return verify_database(connection, heads)
    finally:
        engine.dispose()


def _read_public_key(text: str) -> str:
    path = Path(text)
    try:
        if path.is_file():
            document = read_documents(path)[0]
            text = str(document["public_key"]) if isinstance(document, dict) else str(document)
        key_id_of(text)
    except (LookupError, ValueError):
        fail("--public-key takes a public key in base64url, or a file with the answer of /v1/public-key")
    return text
