"""A small installation made straight in a database: people, one budget, data sets that share it, grants; and the
audit that every ledger test ends with.
"""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select

from core.accounting.accountants import NOTHING, BudgetTerms, Cost
from core.privacy import Epsilon
from service.database.engine import reading, writing
from service.database.rows import BudgetRow, GrantRow, ReleaseRow, fetch_all, fetch_one
from service.database.tables import budgets, datasets, entries, grants, releases
from service.datasets.cipher import KeyRing, new_key
from service.datasets.datasets import histogram, register
from service.identifiers.identifiers import new_id
from service.ledger import budget_changes as ledger
from service.ledger.chain import read_entry, verify
from service.ledger.debit import Debit, hash_idempotency_key
from service.ledger.outcomes import sign_outcome
from service.ledger.receipts import Receipt, Signer
from service.ledger.receipts import verify as verify_receipt
from service.principals.auth import COMMAND_LINE, Caller
from service.principals.keys import create_key
from service.principals.people import create_principal
from service.releases.results import Outcome, store_outcomes
from service.runtime.key_file import InstalledKeys, Keys
from service.schemas.datasets import DatasetCreate
from service.schemas.principals import Role
from service.settings.settings import KeySettings
from tests.harness.bodies import registration

SIGNER = Signer.parse(base64.b64encode(bytes(32)).decode())
PUBLIC_KEYS = {SIGNER.key_id: SIGNER.public_key}
KEYS_OF_COUNTS = KeyRing.parse(f"k:{new_key()}")
KEYS = InstalledKeys(KeySettings("", "", None, is_embedded=False), Keys(KEYS_OF_COUNTS, SIGNER, PUBLIC_KEYS))


def epsilon(units: int) -> Cost:
    return Cost(epsilon=Epsilon(units))


@dataclass(frozen=True, slots=True)
class Installation:
    """One owner, one budget, its data sets, and a grant of each analyst on each data set."""

    budget_id: str
    owner_id: str
    dataset_ids: tuple[str, ...]
    commitments: dict[str, str]
    analyst_ids: tuple[str, ...]
    grant_ids: dict[tuple[str, str], str]
    """By analyst and data set."""

    def debit(
        self,
        principal_id: str,
        dataset_id: str,
        cost: Cost,
        *,
        key: str | None = None,
        payload: str = "",
        mechanism: str = "laplace",
    ) -> Debit:
        """A priced release; by default under a key of its own."""
        return Debit(
            release_id=new_id("rel"),
            principal_id=principal_id,
            key_id=f"key of {principal_id}",
            dataset_id=dataset_id,
            budget_id=self.budget_id,
            grant_id=self.grant_ids.get((principal_id, dataset_id)),
            key_hash=hash_idempotency_key(principal_id, key or new_id("try")),
            payload_hash=payload,
            commitment=self.commitments[dataset_id],
            mechanism=mechanism,
            cost=cost,
            spec="{}",
        )


def outcome(release_id: str, values: str | None = "[]", answer: str | None = None) -> Outcome:
    """A signed outcome; without values that of a draw that failed."""
    signature = "" if values is None else sign_outcome(SIGNER, release_id, values, answer)
    return Outcome(release_id, "{}", values, answer, signature)


def store_answers(connection: Connection, answers: Mapping[str, str]) -> None:
    """Stores the answers of paid releases, by their ids, as if they had been drawn and composed."""
    store_outcomes(connection, [outcome(release_id, answer=answer) for release_id, answer in answers.items()])


def install(
    engine: Engine,
    *,
    total: Cost,
    grant: Cost = NOTHING,
    analysts: int = 0,
    data_sets: int = 1,
    counts: Sequence[int] = (3, 4),
) -> Installation:
    """An installation of its own in a database that may hold others."""
    with writing(engine) as connection:
        owner_id = create_principal(connection, Role.OWNER, "owner")
        create_key(connection, owner_id, issued_by=COMMAND_LINE, expires_in_days=None)
        analyst_ids = tuple(create_principal(connection, Role.ANALYST, "analyst") for _ in range(analysts))
        terms = BudgetTerms.basic(total.epsilon, total.delta)
        budget_id = ledger.open_budget(connection, owner=owner_id, name="budget", terms=terms)
        dataset_ids = tuple(
            _register(connection, owner_id, budget_id, f"wave {number}", counts) for number in range(data_sets)
        )
        grant_ids = {
            (analyst_id, dataset_id): ledger.open_grant(
                connection,
                budget_id=budget_id,
                dataset_id=dataset_id,
                analyst_id=analyst_id,
                owner=owner_id,
                cap=grant,
                expires_at=None,
            )
            for analyst_id in analyst_ids
            for dataset_id in dataset_ids
        }
        rows = connection.execute(select(datasets.c.id, datasets.c.commitment).where(datasets.c.id.in_(dataset_ids)))
        commitments: dict[str, str] = {row.id: row.commitment for row in rows}
    return Installation(budget_id, owner_id, dataset_ids, commitments, analyst_ids, grant_ids)


def _register(connection: Connection, owner_id: str, budget_id: str, name: str, counts: Sequence[int]) -> str:
    body = registration(counts, name=name, budget={"kind": "existing", "id": budget_id})
    request = DatasetCreate.model_validate(body)
    return register(
        connection, Caller(owner_id, Role.OWNER, "key"), request, histogram(request), KEYS_OF_COUNTS
    ).dataset_id


@dataclass(frozen=True, slots=True)
class Balance:
    """A budget after the audit."""

    limit: Cost
    spent: Cost
    frozen: bool
    release_count: int
    sequence: int


def audit(engine: Engine, budget_id: str) -> Balance:
    """Asserts that a budget's entries, balances, grants, releases and receipts agree, and that nothing is overspent."""
    with reading(engine) as connection:
        row = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == budget_id))
        lines = connection.execute(
            select(entries).where(entries.c.budget_id == budget_id).order_by(entries.c.sequence)
        ).all()
        paid = fetch_all(
            connection,
            ReleaseRow,
            select(releases).where(releases.c.budget_id == budget_id).order_by(releases.c.sequence),
        )
        granted = fetch_all(
            connection, GrantRow, select(grants).join(datasets).where(datasets.c.budget_id == budget_id)
        )
    receipts = [verify_receipt(json.loads(each.receipt), Receipt, PUBLIC_KEYS) for each in paid]
    chain = [read_entry(line._asdict()) for line in lines]
    head, balances = verify(budget_id, chain, [receipt.head for receipt in receipts])

    assert (row.sequence, row.head_hash) == (head.sequence, head.hash)
    spent, limit = row.spent, row.limit
    assert spent == balances.spent
    assert limit == balances.limit
    assert spent.fits(limit)
    assert (row.frozen_at is not None) is balances.frozen
    for grant in granted:
        assert grant.spent == balances.spent_by_grant.get(grant.id, NOTHING)
        assert grant.spent.fits(grant.cap)
    charges = {entry.sequence: entry for entry in chain if entry.kind in ("release_charged", "query_charged")}
    assert [each.sequence for each in paid] == sorted(charges)
    for each, receipt in zip(paid, receipts, strict=True):
        assert charges[each.sequence].subject_id == each.id == receipt.release_id
        assert charges[each.sequence].amount == each.charged
        assert charges[each.sequence].alone == receipt.amount
    assert max(Counter((each.principal_id, each.key_hash) for each in paid).values(), default=1) == 1
    return Balance(limit, spent, balances.frozen, len(paid), head.sequence)
