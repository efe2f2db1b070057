"""A request that spends budget, for a release or for answers to queries: its replay, its retries and its debit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, Self, TypeVar

from sqlalchemy import Connection

from core.accounting.accountants import Cost
from service.database.rows import ReleaseRow
from service.datasets import datasets as dataset_use_case
from service.datasets.datasets import DatasetFacts
from service.errors import DatasetChanged, InvalidRequest
from service.identifiers.identifiers import new_id
from service.ledger.counts_binding import hash_description
from service.ledger.debit import Debit, find_paid, hash_idempotency_key
from service.ledger.query_debit import QueryDebit
from service.principals.auth import Caller
from service.releases.paid import Composer, StoredRelease, answer_from_row
from service.releases.spec import hash_payload
from service.runtime.runtime import Runtime
from service.schemas.model import PaidBody
from service.schemas.principals import Role

B = TypeVar("B", bound=PaidBody)

_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class PaidRequest(Generic[B]):
    """A request that spends budget. The idempotency key is bound to `payload_hash`."""

    caller: Caller
    dataset_id: str
    body: B
    document: dict[str, Any]
    """The body as plain JSON, which the spec repeats, without `max_charge`: only the payer may see that. `payload_hash`
    binds it.
    """
    key_hash: str
    payload_hash: str
    began: float
    """Start of the request, by the clock of the event loop."""

    @classmethod
    def of(cls, caller: Caller, dataset_id: str, body: B, idempotency_key: str) -> Self:
        return cls(
            caller,
            dataset_id,
            body,
            body.model_dump(mode="json", exclude={"max_charge"}),
            hash_idempotency_key(caller.principal_id, idempotency_key),
            hash_payload(dataset_id, body),
            asyncio.get_running_loop().time(),
        )

    def debit(
        self,
        facts: DatasetFacts,
        *,
        prefix: str,
        mechanism: str,
        cost: Cost,
        spec: str,
        result_bytes: int,
        query: QueryDebit | None = None,
    ) -> Debit:
        """Return the debit on these facts. `prefix` begins the id of the release."""
        dataset = facts.dataset
        return Debit(
            release_id=new_id(prefix),
            principal_id=self.caller.principal_id,
            key_id=self.caller.key_id,
            dataset_id=dataset.id,
            budget_id=dataset.budget_id,
            grant_id=facts.grant_id,
            key_hash=self.key_hash,
            payload_hash=self.payload_hash,
            commitment=dataset.commitment,
            mechanism=mechanism,
            cost=cost,
            spec=spec,
            description=hash_description(dataset.labels, dataset.attributes, dataset.unit),
            result_bytes=result_bytes,
            query=query,
        )


async def replay_or_pay(
    runtime: Runtime,
    request: PaidRequest[B],
    composer: Composer,
    pay: Callable[[DatasetFacts], Awaitable[StoredRelease]],
) -> StoredRelease:
    """Return what this idempotency key already paid for, or else what `pay` returns on the facts of the data set. It is
    called again if the facts have changed.
    """
    for _ in range(_TRIES):
        found = await runtime.database.read(lambda c: _paid_or_facts(c, request))
        if isinstance(found, ReleaseRow):
            return StoredRelease(await answer_from_row(runtime, found, composer, began=request.began), replayed=True)
        with suppress(DatasetChanged):
            return await pay(found)
    raise DatasetChanged


def _paid_or_facts(connection: Connection, request: PaidRequest[B]) -> ReleaseRow | DatasetFacts:
    # Look for a replay before checking grant, freeze and budget, so that what was paid stays available.
    before = find_paid(connection, request.key_hash, request.payload_hash)
    if before is not None:
        return before
    if request.body.has_empty_limit:
        raise InvalidRequest.at("max_charge", "must name an amount, or be left out")
    request.caller.require(Role.OWNER, Role.ANALYST)
    return dataset_use_case.facts(connection, request.caller, request.dataset_id)
