"""Runs the commands `private-posterior ledger ...`: for owners and auditors on exports, for operators on the
database.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Engine

from service.cli.terminal import fail, read_settings, require_ready
from service.database.engine import open_engine, reading, writing
from service.key_checks import published_keys
from service.key_file import find_public_key
from service.ledger.files import UnreadableError, read_checkpoints, read_documents, read_receipts
from service.ledger.receipts import key_id_of
from service.ledger.standstill import is_stopped
from service.ledger.verification import Finding, verify_database, verify_export
from service.principals.verification import verify_chains
from service.restore.gaps import Gap, end, read_gaps, unsettled
from service.restore.gaps import freeze_unsettled as freeze_budgets
from service.restore.reconcile import Booked, book_receipt
from service.restore.watch import watch
from service.settings import Settings, SettingsError

ledger_app = typer.Typer(help="Verify ledgers, and bring one back after a restore.", no_args_is_help=True)

_Checkpoints = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoint",
        exists=True,
        dir_okay=False,
        help="File with signed heads, receipts or releases kept earlier. Repeatable.",
    ),
]
_PublicKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--public-key",
        help=(
            "The service's public key, or a file with the answer of /v1/public-key; checks the checkpoints' signatures."
        ),
    ),
]


@ledger_app.command("verify")
def verify(
    exports: Annotated[
        list[Path] | None,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="Exported ledgers (CSV, JSON lines, JSON pages). The database when left out.",
        ),
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
        findings, faults = (
            (_verify_files(exports, checkpoint or [], public_keys), {})
            if exports
            else _verify_database(checkpoint or [], public_keys)
        )
    except UnreadableError as error:
        fail(str(error))
    for finding in findings:
        typer.echo(str(finding))
    for principal_id, fault in faults.items():
        typer.echo(f"keys of principal {principal_id}: NOT what was once written. {fault}")
    if not checkpoint:
        typer.echo(
            "No checkpoint was given: a ledger that was cut short or written anew as a whole would look like this too."
        )
    if faults or any(finding.fault is not None for finding in findings):
        raise typer.Exit(1)


def _verify_files(exports: list[Path], checkpoints: list[Path], public_keys: dict[str, str]) -> list[Finding]:
    if checkpoints and not public_keys:
        typer.echo("No public key was given: the checkpoints are taken as they stand, their signatures unchecked.")
    return verify_export(exports, read_checkpoints(checkpoints, public_keys))


def _verify_database(checkpoints: list[Path], public_keys: dict[str, str]) -> tuple[list[Finding], dict[str, str]]:
    """What came of each budget's ledger, and what is wrong with the chains of principals' keys."""
    settings = read_settings()
    require_ready(settings)
    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    try:
        heads = read_checkpoints(checkpoints, public_keys | _own_keys(engine, settings))
        with reading(engine) as connection:
            return verify_database(connection, heads), verify_chains(connection)
    finally:
        engine.dispose()


@ledger_app.command("reconcile")
def reconcile(
    receipts: Annotated[
        list[Path],
        typer.Argument(
            exists=True, dir_okay=False, help="Files with receipts, or with releases as they were answered."
        ),
    ],
    public_key: _PublicKeys = None,
) -> None:
    """After a restore: charge again the receipts that the database forgot, each once.

    Receipts come from analysts and owners: every release they were answered holds one. Their idempotency keys are bound
    again, so that nothing that was drawn is drawn anew. Running it again, or with receipts that the database knows,
    changes nothing.
    """
    settings = read_settings()
    require_ready(settings)
    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    keys = {key_id_of(key): key for key in map(_read_public_key, public_key or [])} | _own_keys(engine, settings)
    if not keys:
        fail("the service's public key is not at hand, so that no receipt can be checked: give --public-key")
    try:
        signed = read_receipts(receipts, keys)
    except UnreadableError as error:
        fail(str(error))
    outcomes: Counter[Booked] = Counter()
    try:
        watch(engine, settings)
        for receipt, statement in signed:
            with writing(engine) as connection:
                outcomes[book_receipt(connection, receipt, statement)] += 1
        with reading(engine) as connection:
            gaps, pending = [gap for gaps in read_gaps(connection).values() for gap in gaps], is_stopped(connection)
        watch(engine, settings)
    except SettingsError as error:
        fail(str(error))
    finally:
        engine.dispose()
    for outcome in Booked:
        typer.echo(f"{outcomes[outcome]} receipts {outcome.value}")
    if pending:
        _describe(gaps)
        typer.echo("Nothing is released until `private-posterior ledger unfreeze`.")


@ledger_app.command("unfreeze")
def unfreeze(
    *,
    freeze_unsettled: Annotated[
        bool,
        typer.Option(
            "--freeze-unsettled", help="Freeze the budgets that are not accounted for, and let the others go on."
        ),
    ] = False,
) -> None:
    """After a restore: allow releases again, once every budget is accounted for.

    A budget is accounted for when all its forgotten entries were charged again from receipts, when its owner has
    written off what stays unknown (POST /v1/budgets/{id}/write-offs, also of nothing), or when it is frozen by itself.
    """
    settings = read_settings()
    require_ready(settings)
    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    try:
        watch(engine, settings)
        with writing(engine) as connection:
            if not is_stopped(connection):
                typer.echo("No restore is under way.")
                return
            for budget_id in freeze_budgets(connection) if freeze_unsettled else []:
                typer.echo(f"budget {budget_id} is frozen until its owner unfreezes it")
            open_gaps = unsettled(connection)
            if not open_gaps:
                end(connection)
        watch(engine, settings)
    except SettingsError as error:
        fail(str(error))
    finally:
        engine.dispose()
    if open_gaps:
        _describe(open_gaps)
        fail(
            (
                "these budgets are not accounted for: reconcile more receipts, have their owners write off the rest, "
                "or use --freeze-unsettled"
            ),
            1,
        )
    typer.echo("Releases are possible again.")


def _describe(gaps: list[Gap]) -> None:
    for gap in gaps:
        if gap.unknown is None:
            what = "nobody knows how much came after the backup"
        else:
            what = f"{gap.unknown} of the {(gap.witnessed or 0) - (gap.kept or 0)} entries after the backup are unknown"
        state = "; its owner wrote off the rest" if gap.written_off else ""
        typer.echo(
            f"budget {gap.budget_id}: kept up to entry {gap.kept}, {len(gap.reconciled)} receipts charged again, "
            f"{what}{state}"
        )


def _own_keys(engine: Engine, settings: Settings) -> dict[str, str]:
    """Every public key of this installation that is known here, by its id."""
    with reading(engine) as connection:
        keys = {key.key_id: key.public_key for key in published_keys(connection)}
    own = find_public_key(settings)
    return keys if own is None else keys | {key_id_of(own): own}


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
