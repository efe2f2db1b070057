"""List the states of an installation that need an operator, each with its remedy."""

from __future__ import annotations

from functools import partial
from typing import Final

from sqlalchemy import Connection

from service.database.engine import DatabaseNotReady, check_ready
from service.database.tables import REVISION
from service.datasets.counts import keys_in_use, known_keys
from service.errors import DatabaseUnavailable, DrawsUnavailable, InternalError
from service.ledger.database_state import is_restore_pending
from service.ledger.restore.gaps import undecided, unsettled
from service.runtime.key_checks import missing_for_unfinished
from service.runtime.runtime import Runtime

_UNSETTLED_NOTE: Final = (
    "the database was restored, and charges that it forgot are not accounted for: run `private-posterior ledger "
    "reconcile`, which takes the witness's folder of receipts, have the owners write off what it lacks, then run "
    "`private-posterior ledger unfreeze`; releases are refused until then"
)
_UNDECIDED_NOTE: Final = (
    "the database was restored, and lacks decisions of owners: run `private-posterior ledger reconcile`, which applies "
    "those again that the witness's folder has, then run `private-posterior ledger unfreeze`, which freezes each "
    "budget with a decision that stays lost; releases are refused until then"
)
_SETTLED_NOTE: Final = (
    "the database was restored, and every budget that it has is accounted for: run `private-posterior ledger "
    "unfreeze`; releases are refused until then"
)
_FAILOVER_NOTE: Final = (
    "another database server took over: releases are refused for some seconds, until its ledgers were compared; if "
    "this note stays, see whether the database answers"
)
_KEY_MISSING: Final = (
    "counts are encrypted with a key that this process lacks: put the key back into the key file, or into "
    "POSTERIOR_COUNTS_KEYS and restart; releases from those counts are refused until then"
)
_COUNTS_ALTERED: Final = (
    "counts name a key with which no service was started, so somebody altered them in the database: bring the rows of "
    "`encrypted_counts` back from a backup; releases from those counts are refused until then, and the log names their "
    "data sets"
)
_RECEIPT_KEY_MISSING: Final = (
    "a release that was paid under the receipt key {} waits for it: put the key behind the current one in the key "
    "file, or in POSTERIOR_RECEIPT_KEY, and restart"
)
_WITNESS: Final = (
    "the witness's file can't be written, so that after a restart a failover that lost charges would pass unnoticed: "
    "make room on its disk, or let the service write it"
)
_WITNESS_FULL: Final = (
    "the disk of the witness's file and folder of receipts is full, so that after a restart a failover that lost "
    "charges would pass unnoticed, and receipts are missing after a restore: make room on it, for example by "
    "`private-posterior receipts prune COPY`"
)
_CLOCK: Final = (
    "the clock of this machine contradicts the times in a ledger: compare it with another clock, set it if it is "
    "wrong, and run `private-posterior ledger confirm-clock` if it is right; releases are refused until then"
)
_NEWER_SCHEMA_NOTE: Final = "the database has the schema of a later version, {}: update this process"
_NO_DRAWS: Final = (
    "No draw process starts: free memory and processes on this machine. It is tried again every 30 s; releases are "
    "refused, uncharged, until then."
)

_FAILING_NOTE: Final = (
    "background work of this process fails: {}; the log says how, and it is tried again; if this note stays, restart "
    "the process"
)
_ENDED_NOTE: Final = "Background work of this process has ended: {}. Restart the process; its log says what happened."


async def check_readiness(runtime: Runtime) -> list[str]:
    """Return notes about conditions that the operator should act on although the process can serve.

    Raises DatabaseUnavailable, DrawsUnavailable and InternalError, each with the remedy.
    """
    if ended := sorted({each.name for each in runtime.works if each.has_ended}):
        raise InternalError(_ENDED_NOTE.format(", ".join(ended)))
    if not runtime.database.probe.is_good:
        raise DatabaseUnavailable(_sentence(runtime.database.probe.fault))
    if not runtime.processes.draws.are_available:
        raise DrawsUnavailable(_NO_DRAWS)
    try:
        notes = await runtime.database.look(partial(_look, runtime))
    except DatabaseNotReady as error:
        raise DatabaseUnavailable(_sentence(str(error))) from None
    except DatabaseUnavailable:
        raise DatabaseUnavailable(_sentence(runtime.database.probe.fault)) from None
    notes += runtime.database.probe.notes
    if runtime.database.witness.is_in_doubt:
        notes.append(_FAILOVER_NOTE)
    if runtime.database.witness.clock_is_doubtful:
        notes.append(_CLOCK)
    if failing := sorted({each.name for each in runtime.works if each.fails}):
        notes.append(_FAILING_NOTE.format(", ".join(failing)))
    if not runtime.database.witness.usable:
        notes.append(_WITNESS_FULL if runtime.database.witness.is_full else _WITNESS)
    return notes


def _look(runtime: Runtime, connection: Connection) -> list[str]:
    """Return the notes that depend on the database. Raises DatabaseNotReady."""
    notes = []
    if (revision := check_ready(connection)) > REVISION:
        notes.append(_NEWER_SCHEMA_NOTE.format(revision))
    if is_restore_pending(connection):
        notes.append(
            _UNSETTLED_NOTE if unsettled(connection) else _UNDECIDED_NOTE if undecided(connection) else _SETTLED_NOTE
        )
    lacking = {key_id for key_id in keys_in_use(connection) if not runtime.database.keys.know(key_id)}
    if lacking:
        known = known_keys(connection)
        notes += [_KEY_MISSING] if lacking & known else []
        notes += [_COUNTS_ALTERED] if lacking - known else []
    missing = sorted(missing_for_unfinished(connection, runtime.database.keys.current.public_keys))
    notes += [_RECEIPT_KEY_MISSING.format(key_id) for key_id in missing]
    return notes


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
