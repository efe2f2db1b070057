"""Reads what is stored of the counts of releases that were just paid, for a whole batch at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Engine

from service.database.engine import HeldConnection
from service.datasets import counts
from service.datasets.cipher import SealedCounts
from service.errors import Problem
from service.ledger.debit import Paid


class PaidWithCounts(NamedTuple):
    """A paid release, and what is stored of its data set's counts where that was read along."""

    paid: Paid
    sealed: SealedCounts | None


class PaidCounts:
    """For the writer, after it committed a batch of debits: adds the counts, still sealed, to those releases whose draw
    is quick.

    Where they can't be read nothing is said: a release without them reads them by itself, and tells what comes of it.
    """

    def __init__(self, engine: Engine) -> None:
        self._held = HeldConnection(engine, writes=False)

    def __call__(self, outcomes: Sequence[Paid | Problem]) -> list[PaidWithCounts | Problem]:
        sealed = self._read({each.row.dataset_id for each in outcomes if isinstance(each, Paid) and _is_wanting(each)})
        return [
            each
            if isinstance(each, Problem)
            else PaidWithCounts(each, sealed.get(each.row.dataset_id) if _is_wanting(each) else None)
            for each in outcomes
        ]

    def close(self) -> None:
        """Gives the connection back. Only once the writer is closed."""
        self._held.close()

    def _read(self, dataset_ids: set[str]) -> dict[str, SealedCounts]:
        if not dataset_ids:
            return {}
        try:
            with self._held.transaction() as connection:
                return counts.read_sealed(connection, sorted(dataset_ids))
        except Exception:  # noqa: BLE001  see the docstring
            return {}


def _is_wanting(paid: Paid) -> bool:
    return paid.new and paid.is_quick
