"""What is stored of the counts of releases that were just paid, read for a whole batch at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from sqlalchemy import Engine

from service.database.engine import HeldConnection
from service.datasets import datasets
from service.errors import Problem
from service.ledger.debit import Paid


class PaidCounts:
    """For the writer, after it committed a batch of debits: adds the counts, still sealed, to those releases whose draw is quick.

    Where they can't be read nothing is said: a release without them reads them by itself, and tells what comes of it.
    """

    def __init__(self, engine: Engine) -> None:
        self._held = HeldConnection(engine, writes=False)

    def __call__(self, outcomes: Sequence[Paid | Problem]) -> Sequence[Paid | Problem]:
        wanted = {each.row.dataset_id for each in outcomes if _is_wanting(each)}
        if not wanted:
            return outcomes
        try:
            with self._held.transaction() as connection:
                sealed = datasets.read_sealed(connection, sorted(wanted))
        except Exception:  # noqa: BLE001  see the docstring
            return outcomes
        return [each.with_sealed(sealed.get(each.row.dataset_id)) if _is_wanting(each) else each for each in outcomes]

    def close(self) -> None:
        """Gives the connection back. Only once the writer is closed."""
        self._held.close()


def _is_wanting(outcome: Paid | Problem) -> TypeGuard[Paid]:
    return isinstance(outcome, Paid) and outcome.new and outcome.is_quick
