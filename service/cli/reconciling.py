"""Implementation of `private-posterior ledger reconcile` and `unfreeze`, for a restored database, and of
`confirm-clock`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import typer
from sqlalchemy import Engine

from service.cli.terminal import fail, open_database, read_settings, require_ready
from service.cli.verifying import own_keys, read_public_keys
from service.database.engine import reading, truncate_log, writing
from service.datasets.counts import destroy
from service.identifiers.canonical_json import ChainError
from service.identifiers.identifiers import now, timestamp
from service.ledger.clock import confirm
from service.ledger.database_state import is_restore_pending
from service.ledger.files import UnreadableError, read_receipts
from service.ledger.receipts import Receipt, SignedEntry
from service.ledger.restore.gaps import Gap, end, read_gaps, unsettled
from service.ledger.restore.gaps import freeze_unsettled as freeze_budgets
from service.ledger.restore.names import LostBudgets, Names
from service.ledger.restore.reconcile import Booked, book_entry, book_receipt
from service.ledger.restore.watch import recorded, watch
from service.ledger.witness import Witness, receipts_beside
from service.runtime.key_file import load_keys
from service.settings.settings import Settings, SettingsError

_REPORTED_KINDS: Final = (
    (Receipt, "receipts", (Booked.KNOWN, Booked.CHARGED, Booked.NO_BUDGET)),
    (SignedEntry, "other entries", (Booked.KNOWN, Booked.APPLIED, Booked.NOT_APPLIED, Booked.NO_BUDGET)),
)
"""Outcomes that `reconcile` counts, by what a line holds."""


def reconcile(receipts: list[Path], keys_given: list[str]) -> None:
    """Charge the receipts and apply the decisions that the database lacks, each once."""
    settings = read_settings()
    require_ready(settings)
    if not receipts:
        receipts = [_own_folder(settings)]
    outcomes: Counter[tuple[type[object], Booked]] = Counter()
    changed: list[tuple[Receipt | SignedEntry, Booked]] = []
    with open_database(settings) as engine:
        keys = read_public_keys(keys_given) | own_keys(settings)
        if not keys:
            fail("no receipt can be verified without the service's public key: give --public-key")
        try:
            found = read_receipts(receipts, keys)
        except UnreadableError as error:
            fail(str(error))
        witness = _watch(engine, settings)
        lost = LostBudgets(dict(witness.lost))
        for line, signed in found.receipts:
            outcome = _book(engine, witness, lost, line, signed)
            outcomes[type(line), outcome] += 1
            if outcome is Booked.NO_BUDGET:
                lost.add(line)
            elif outcome is not Booked.KNOWN:
                changed.append((line, outcome))
        with reading(engine) as connection:
            gaps = [gap for gaps in read_gaps(connection).values() for gap in gaps]
            pending, without_budget = is_restore_pending(connection), lost.sentences(connection)
            names = Names.read(connection, [gap.budget_id for gap in gaps], [line for line, _ in changed])
        truncate_log(engine)  # counts may have been deleted again
        _watch(engine, settings)
    for path in found.without:
        typer.echo(f"{path} holds no receipt")
    for kind, what, reported in _REPORTED_KINDS:
        for outcome in reported:
            typer.echo(f"{outcomes[kind, outcome]} {what} {outcome.value}")
    for (subject, result), count in Counter((names.subject(line), result.value) for line, result in changed).items():
        typer.echo(f"{subject}: {count} {result}")
    for sentence in without_budget:
        typer.echo(sentence)
    if pending:
        _describe(gaps, names)
        typer.echo("Nothing is released until `private-posterior ledger unfreeze`.")


def _book(
    engine: Engine, witness: Witness, lost: LostBudgets, line: Receipt | SignedEntry, signed: Mapping[str, Any]
) -> Booked:
    with recorded(engine, witness) as connection:
        if isinstance(line, Receipt):
            return book_receipt(connection, line, signed)
        try:
            return book_entry(connection, line, signed, destroy, witnessed=lost.entries_of(line.budget_id))
        except ChainError as error:
            fail(f"a later version of the service wrote this folder: an entry {error.rule}")


def _own_folder(settings: Settings) -> Path:
    """Return the witness's folder of receipts, or end the command with a message."""
    folder = None if settings.witness.file is None else receipts_beside(settings.witness.file)
    if folder is None or not folder.is_dir():
        fail("the witness has no folder of receipts here: name folders or files with receipts")
    return folder


def unfreeze(*, freeze_unsettled: bool) -> None:
    """Allow releases again if every charge is accounted for; otherwise exit with code 1. A budget with a lost decision
    stays frozen.
    """
    settings = read_settings()
    require_ready(settings)
    undecided: list[Gap] = []
    with open_database(settings) as engine:
        witness = _watch(engine, settings)
        lost = LostBudgets(dict(witness.lost))
        with recorded(engine, witness) as connection:
            if not is_restore_pending(connection):
                typer.echo("No restore is pending.")
                return
            for budget_id in freeze_budgets(connection) if freeze_unsettled else []:
                typer.echo(f"budget {budget_id} is frozen until its owner unfreezes it")
            without_budget = lost.sentences(connection)
            open_gaps = unsettled(connection)
            if not open_gaps:
                undecided = end(connection)
            names = Names.read(connection, [gap.budget_id for gap in open_gaps + undecided])
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
    for gap in undecided:
        typer.echo(
            f"{names.budget(gap.budget_id)}: frozen until its owner unfreezes it, since {_lost_decisions(gap)} after "
            "the backup are lost"
        )
    for sentence in without_budget:
        typer.echo(sentence)
    typer.echo(f"Releases are possible again{', except on the budgets above' if undecided else ''}.")


def confirm_clock() -> None:
    """Confirm the clock in each ledger that it contradicts."""
    settings = read_settings()
    require_ready(settings)
    with open_database(settings) as engine, writing(engine) as connection:
        count = confirm(connection)
    typer.echo(f"The clock says {timestamp(now())}. It is confirmed in {count} ledgers that it contradicted.")


def _watch(engine: Engine, settings: Settings) -> Witness:
    """Compare the database with the witness, or end the command with a message."""
    try:
        sign = load_keys(settings.keys).signer.entry
    except SettingsError:  # receipts can be verified with a public key alone
        sign = None
    try:
        return watch(engine, settings.witness, sign)
    except SettingsError as error:
        fail(str(error))


def _describe(gaps: list[Gap], names: Names) -> None:
    for gap in gaps:
        if gap.unknown is None:
            what = "the number of entries after the backup is unknown"
        elif gap.lost_charges is not None:
            what = f"{gap.unknown} of the {gap.lost_charges} charges after the backup are unknown"
        else:
            what = f"{gap.unknown} of the {gap.lost} entries after the backup are unknown"
        state = "; its owner wrote off the rest" if gap.written_off else ""
        applied = f", {gap.applied} other entries applied again" if gap.applied else ""
        undecided = (
            f"; {_lost_decisions(gap)} are lost, and freeze it until its owner looks" if gap.decisions != 0 else ""
        )
        typer.echo(
            f"{names.budget(gap.budget_id)}: kept up to entry {gap.kept}, {gap.receipts} receipts charged "
            f"again{applied}, {what}{state}{undecided}"
        )


def _lost_decisions(gap: Gap) -> str:
    return "an unknown number of entries" if gap.decisions is None else f"{gap.decisions} entries other than charges"
