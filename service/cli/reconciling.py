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
from service.identifiers.identifiers import now, timestamp
from service.ledger.clock import confirm
from service.ledger.files import UnreadableError, read_receipts
from service.ledger.freeze import is_restore_pending
from service.ledger.restore.gaps import Gap, end, read_gaps, unsettled
from service.ledger.restore.gaps import freeze_unsettled as freeze_budgets
from service.ledger.restore.names import Names
from service.ledger.restore.reconcile import Booked, book_receipt
from service.ledger.restore.watch import watch
from service.ledger.witness import receipts_beside
from service.settings.settings import Settings, SettingsError


def reconcile(receipts: list[Path], keys_given: list[str]) -> None:
    """Charge the receipts that the database lacks, each once."""
    settings = read_settings()
    require_ready(settings)
    if not receipts:
        receipts = [_own_folder(settings)]
    outcomes: Counter[Booked] = Counter()
    by_dataset: Counter[tuple[str, Booked]] = Counter()
    with open_database(settings) as engine:
        keys = read_public_keys(keys_given) | own_keys(settings)
        if not keys:
            fail("no receipt can be verified without the service's public key: give --public-key")
        try:
            found = read_receipts(receipts, keys)
        except UnreadableError as error:
            fail(str(error))
        _watch(engine, settings)
        with reading(engine) as connection:
            names = Names.read(connection, (), [receipt for receipt, _ in found.receipts])
        for receipt, statement in found.receipts:
            with writing(engine) as connection:
                outcome = book_receipt(connection, receipt, statement)
            outcomes[outcome] += 1
            by_dataset[names.dataset(receipt), outcome] += 1
        with reading(engine) as connection:
            gaps, pending = (
                [gap for gaps in read_gaps(connection).values() for gap in gaps],
                is_restore_pending(connection),
            )
            names = Names.read(connection, [gap.budget_id for gap in gaps])
        _watch(engine, settings)
    for path in found.without:
        typer.echo(f"{path} holds no receipt")
    for outcome in Booked:
        typer.echo(f"{outcomes[outcome]} receipts {outcome.value}")
    for (dataset, outcome), count in sorted(by_dataset.items(), key=lambda item: (item[0][0], item[0][1].name)):
        if outcome is not Booked.KNOWN:
            typer.echo(f"{dataset}: {count} {outcome.value}")
    if pending:
        _describe(gaps, names)
        typer.echo("Nothing is released until `private-posterior ledger unfreeze`.")


def _own_folder(settings: Settings) -> Path:
    """Return the witness's folder of receipts, or end the command with a message."""
    folder = None if settings.witness.file is None else receipts_beside(settings.witness.file)
    if folder is None or not folder.is_dir():
        fail("the witness has no folder of receipts here: name folders or files with receipts")
    return folder


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
            names = Names.read(connection, [gap.budget_id for gap in open_gaps])
            if not open_gaps:
                end(connection)
        _watch(engine, settings)
    if open_gaps:
        _describe(open_gaps, names)
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


def _describe(gaps: list[Gap], names: Names) -> None:
    for gap in gaps:
        if gap.unknown is None:
            what = "the number of entries after the backup is unknown"
        elif gap.charges is not None:
            what = f"{gap.unknown} of the {gap.charges} charges after the backup are unknown"
        else:
            what = f"{gap.unknown} of the {(gap.witnessed or 0) - (gap.kept or 0)} entries after the backup are unknown"
        state = "; its owner wrote off the rest" if gap.written_off else ""
        typer.echo(
            f"{names.budget(gap.budget_id)}: kept up to entry {gap.kept}, {gap.receipts} receipts charged again, "
            f"{what}{state}"
        )
