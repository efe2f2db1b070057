"""Implementation of `private-posterior ledger reconcile` and `unfreeze`, for a restored database, and of
`confirm-clock`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import typer
from sqlalchemy import Engine

from service.cli.terminal import fail, open_database, read_settings, require_ready
from service.cli.verifying import own_keys, read_public_keys
from service.database.engine import reading, writing
from service.identifiers import now, timestamp
from service.ledger.clock import confirm
from service.ledger.files import UnreadableError, read_receipts
from service.ledger.freeze import is_restore_pending
from service.restore.gaps import Gap, end, read_gaps, unsettled
from service.restore.gaps import freeze_unsettled as freeze_budgets
from service.restore.reconcile import Booked, book_receipt
from service.restore.watch import watch
from service.settings import Settings, SettingsError


def reconcile(receipts: list[Path], keys_given: list[str]) -> None:
    """Charge the receipts that the database lacks, each once."""
    settings = read_settings()
    require_ready(settings)
    outcomes: Counter[Booked] = Counter()
    with open_database(settings) as engine:
        keys = read_public_keys(keys_given) | own_keys(settings)
        if not keys:
            fail("no receipt can be verified without the service's public key: give --public-key")
        try:
            signed = read_receipts(receipts, keys)
        except UnreadableError as error:
            fail(str(error))
        _watch(engine, settings)
        for receipt, statement in signed:
            with writing(engine) as connection:
                outcomes[book_receipt(connection, receipt, statement)] += 1
        with reading(engine) as connection:
            gaps, pending = (
                [gap for gaps in read_gaps(connection).values() for gap in gaps],
                is_restore_pending(connection),
            )
        _watch(engine, settings)
    for outcome in Booked:
        typer.echo(f"{outcomes[outcome]} receipts {outcome.value}")
    if pending:
        _describe(gaps)
        typer.echo("Nothing is released until `private-posterior ledger unfreeze`.")


def unfreeze(*, freeze_unsettled: bool) -> None:
    """Allow releases again if every budget is accounted for; otherwise exit with code 1."""
    settings = read_settings()
    require_ready(settings)
    with open_database(settings) as engine:
        _watch(engine, settings)
        with writing(engine) as connection:
            if not is_restore_pending(connection):
                typer.echo("No restore is pending.")
                return
            for budget_id in freeze_budgets(connection) if freeze_unsettled else []:
                typer.echo(f"budget {budget_id} is frozen until its owner unfreezes it")
            open_gaps = unsettled(connection)
            if not open_gaps:
                end(connection)
        _watch(engine, settings)
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


def confirm_clock() -> None:
    """Confirm the clock in each ledger that it contradicts."""
    settings = read_settings()
    require_ready(settings)
    with open_database(settings) as engine, writing(engine) as connection:
        count = confirm(connection)
    typer.echo(f"The clock says {timestamp(now())}. It is confirmed in {count} ledgers that it contradicted.")


def _watch(engine: Engine, settings: Settings) -> None:
    """Compare the database with the witness, or end the command with a message."""
    try:
        watch(engine, settings.witness)
    except SettingsError as error:
        fail(str(error))


def _describe(gaps: list[Gap]) -> None:
    for gap in gaps:
        if gap.unknown is None:
            what = "the number of entries after the backup is unknown"
        else:
            what = f"{gap.unknown} of the {(gap.witnessed or 0) - (gap.kept or 0)} entries after the backup are unknown"
        state = "; its owner wrote off the rest" if gap.written_off else ""
        typer.echo(
            f"budget {gap.budget_id}: kept up to entry {gap.kept}, {len(gap.reconciled)} receipts charged again, "
            f"{what}{state}"
        )
