"""Describes the statement about a data set: what was promised to the people in it, and what was spent of that
promise.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from service.schemas.amounts import Amount, Guarantee
from service.schemas.datasets import Dataset
from service.schemas.mechanisms import Mechanism
from service.schemas.model import Id, Page, Response, Timestamp


class Spender(Response):
    """Somebody who released from the data set; the name is null where it was erased."""

    principal_id: Id
    name: str | None
    releases: int
    charged: Amount


class StatedRelease(Response):
    """One release: who, when, how, and what it was charged."""

    id: Id
    ledger_sequence: int
    principal_id: Id
    created_at: Timestamp
    state: Literal["paid", "drawn", "complete", "failed", "lost"]
    kind: Literal["posterior", "query"] = Field(description="`query`: answers to linear queries.")
    mechanism: Mechanism | None = Field(
        description="Null for answers to queries, and where a restored backup does not have it."
    )
    charged: Amount
    certificate: str | None = Field(description="What was proven of the mechanism, in a sentence.")


class StatedRecovery(Response):
    """That an admin recovered the access of the owner or of somebody who released, so that for a time two people may
    have held keys.
    """

    principal_id: Id
    started_at: Timestamp
    frozen_until: Timestamp = Field(description="Until then the principal could change and release nothing.")
    vetoed_at: Timestamp | None = Field(
        description="When an older key or the recovery code of before ended it; null where neither did."
    )
    replaced_at: Timestamp | None = Field(
        description="When a later recovery took its place, before it was over; null where none did."
    )


class Statement(Response):
    """For the owner of a data set, and whomever the owner answers to."""

    created_at: Timestamp
    summary: list[str] = Field(description="The statement in plain words, a paragraph each.")
    dataset: Dataset
    deleted_at: Timestamp | None = Field(description="When the counts were destroyed; releases and charges stay.")
    budget_id: Id
    guarantee_limit: Guarantee = Field(description="What all releases of the budget together can never pass.")
    guarantee_to_date: Guarantee = Field(description="What all releases of the budget so far prove together.")
    datasets_on_budget: int
    budget_total: Amount
    budget_spent: Amount
    budget_remaining: Amount
    charged_to_dataset: Amount
    written_off: Amount = Field(
        description="Charged to the budget without a release, by the owner's word, after a restore."
    )
    spenders: list[Spender]
    recoveries: list[StatedRecovery] = Field(description="Of the owner and of spenders, the last hundred.")
    earlier_recoveries: int = Field(description="How many recoveries there were before those that are listed.")
    ledger_sequence: int = Field(description="The ledger entry up to which this statement speaks.")
    ledger_hash: str
    releases: Page[StatedRelease]
