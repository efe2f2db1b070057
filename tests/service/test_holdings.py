"""The counts of owners' objects stay right in every version, in any order, and under concurrency."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from sqlalchemy import Connection, Engine, func, select, update

from core.accounting.accountants import BudgetTerms
from core.privacy import Delta, Epsilon
from service.database.engine import reading, writing
from service.database.tables import budgets, datasets, grants, holdings
from service.datasets import datasets as dataset_use_case
from service.datasets import grants as grant_use_case
from service.datasets.cipher import KeyRing, new_key
from service.errors import ObjectQuotaExceeded
from service.identifiers.identifiers import new_id
from service.ledger import budget_changes as ledger
from service.principals.auth import Caller
from service.principals.people import create_principal
from service.principals.quotas import Quotas, check_budgets, used
from service.schemas.datasets import DatasetCreate, GrantCreate
from service.schemas.principals import Role
from tests.harness.bodies import registration

RING = KeyRing.parse(f"k:{new_key()}")
PLENTY = Quotas(budgets=10**6, datasets=10**6, grants=10**6, keys=20, budget_bytes=10**9, grant_bytes=10**9)
OWNERS = 2


class GivenUp(Exception):
    """A transaction that is rolled back at its end."""


@dataclass(slots=True)
class Owner:
    """An owner, and the ids of their objects."""

    caller: Caller
    budget_ids: list[str] = field(default_factory=list)
    dataset_ids: list[str] = field(default_factory=list)

    def open_budget(self, connection: Connection, most: int = PLENTY.budgets) -> str:
        check_budgets(connection, self.caller.principal_id, most)
        terms = BudgetTerms.basic(Epsilon(10), Delta(0))
        return ledger.open_budget(connection, owner=self.caller, name=new_id("bud"), terms=terms)

    def register(self, connection: Connection, budget_id: str, quotas: Quotas = PLENTY) -> str:
        body = registration([1, 2], name=new_id("dat"), budget={"kind": "existing", "id": budget_id})
        request = DatasetCreate.model_validate(body)
        described = dataset_use_case.histogram(request)
        return dataset_use_case.register(connection, self.caller, request, described, RING, quotas).dataset_id

    def grant(self, connection: Connection, dataset_id: str, most: int = PLENTY.grants) -> None:
        analyst = create_principal(connection, Role.ANALYST, "analyst")
        body = GrantCreate.model_validate({"principal_id": analyst, "epsilon": "0.000000001", "delta": "0"})
        grant_use_case.create(connection, self.caller, dataset_id, body, most)

    def act(self, connection: Connection, rng: random.Random) -> None:
        """A change by an owner, to one of their objects."""
        match rng.choice(["open", "register", "register", "grant", "delete", "rename"]):
            case "register" if self.budget_ids:
                self.dataset_ids.append(self.register(connection, rng.choice(self.budget_ids)))
            case "grant" if self.dataset_ids:
                self.grant(connection, rng.choice(self.dataset_ids))
            case "delete" if self.dataset_ids:
                dataset_id = self.dataset_ids.pop(rng.randrange(len(self.dataset_ids)))
                dataset_use_case.destroy(connection, self.caller, dataset_id)
            case "rename" if self.dataset_ids:
                changed = {"name": new_id("dat")}
                connection.execute(update(datasets).where(datasets.c.id == self.dataset_ids[0]).values(changed))
            case _:
                self.budget_ids.append(self.open_budget(connection))

    def act_or_give_up(self, engine: Engine, rng: random.Random) -> None:
        """Changes in a transaction, one of five of which is rolled back."""
        before = list(self.budget_ids), list(self.dataset_ids)
        try:
            with writing(engine) as connection:
                self.act(connection, rng)
                perhaps_give_up(rng)
        except GivenUp:
            self.budget_ids, self.dataset_ids = before


def perhaps_give_up(rng: random.Random) -> None:
    if rng.random() < 0.2:
        raise GivenUp


def new_owner(engine: Engine) -> Owner:
    with writing(engine) as connection:
        return Owner(Caller(create_principal(connection, Role.OWNER, "owner"), Role.OWNER, "key"))


@pytest.fixture
def owners(engine: Engine) -> list[Owner]:
    return [new_owner(engine) for _ in range(OWNERS)]


def told(connection: Connection) -> dict[str, tuple[int, int, int]]:
    return {row.owner_id: (row.budgets, row.datasets, row.grants) for row in connection.execute(select(holdings))}


def counted(connection: Connection, owners: list[Owner]) -> dict[str, tuple[int, int, int]]:
    """By going through all rows."""

    def count(owner_id: str) -> tuple[int, int, int]:
        of_grants = select(func.count()).select_from(grants.join(datasets)).where(datasets.c.owner_id == owner_id)
        live = (datasets.c.owner_id == owner_id) & datasets.c.deleted_at.is_(None)
        one, two, three = (
            connection.execute(query).scalar_one()
            for query in (
                select(func.count()).where(budgets.c.owner_id == owner_id),
                select(func.count()).where(live),
                of_grants,
            )
        )
        return one, two, three

    return {owner.caller.principal_id: count(owner.caller.principal_id) for owner in owners}


def test_totals_are_the_counts_after_a_mixed_history(engine: Engine, owners: list[Owner]) -> None:
    rng = random.Random(16)
    for _ in range(60):
        rng.choice(owners).act_or_give_up(engine, rng)
        with reading(engine) as connection:
            assert told(connection) == counted(connection, [owner for owner in owners if owner.budget_ids])
    for owner in owners:
        with reading(engine) as connection:
            assert used(connection, owner.caller.principal_id)[:3] == told(connection)[owner.caller.principal_id]
        assert owner.dataset_ids
    assert counted_deleted(engine) > 0


def counted_deleted(engine: Engine) -> int:
    with reading(engine) as connection:
        return int(connection.execute(select(func.count()).where(datasets.c.deleted_at.is_not(None))).scalar_one())


def test_totals_are_the_counts_where_owners_act_at_once(engine: Engine, owners: list[Owner]) -> None:
    """Each from two threads, so that the same owner meets themselves too."""

    def live(number: int) -> None:
        owner, rng = owners[number % OWNERS], random.Random(number)
        same = Owner(owner.caller)
        for _ in range(15):
            same.act_or_give_up(engine, rng)

    with ThreadPoolExecutor(2 * OWNERS) as threads:
        for _ in threads.map(live, range(2 * OWNERS)):
            pass
    with reading(engine) as connection:
        assert told(connection) == counted(connection, owners)


def test_no_more_are_had_than_the_quota_where_they_are_made_at_once(engine: Engine, owners: list[Owner]) -> None:
    few = PLENTY._replace(budgets=3, datasets=5, grants=4)
    with writing(engine) as connection:
        for owner in owners:
            owner.budget_ids = [owner.open_budget(connection) for _ in range(2)]
            owner.dataset_ids = [owner.register(connection, owner.budget_ids[0])]
    together = threading.Barrier(4 * OWNERS)

    def take(number: int) -> None:
        owner = owners[number % OWNERS]
        together.wait()
        for _ in range(3):
            with suppress(ObjectQuotaExceeded), writing(engine) as connection:
                owner.open_budget(connection, few.budgets)
            # On two budgets, so that the lock of one does not serialise them.
            with suppress(ObjectQuotaExceeded), writing(engine) as connection:
                owner.register(connection, owner.budget_ids[number // OWNERS % 2], few)
            with suppress(ObjectQuotaExceeded), writing(engine) as connection:
                owner.grant(connection, owner.dataset_ids[0], few.grants)

    with ThreadPoolExecutor(4 * OWNERS) as threads:
        for _ in threads.map(take, range(4 * OWNERS)):
            pass
    with reading(engine) as connection:
        assert told(connection) == counted(connection, owners)
        assert set(told(connection).values()) == {(3, 5, 4)}
