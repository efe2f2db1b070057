"""Schemas of a data set's statement: the guarantee to the people in it, and what was spent."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from service.schemas.datasets import Dataset
from service.schemas.mechanisms import StatedMechanism
from service.schemas.model import Amount, Guarantee, Id, Page, Response, Timestamp
from service.schemas.releases import ReleaseState


class Spender(Response):
    """A principal who released from the data set; the name is null once erased."""

    principal_id: Id = Field(description="The principal who paid.")
    name: str | None = Field(description="The principal's name; null once erased.")
    releases: int = Field(description="The number of releases and of answers to queries.")
    charged: Amount = Field(description="The sum of their charges.")


class StatedRelease(Response):
    """One release and its charge."""

    id: Id
    ledger_sequence: int = Field(description="Number of the ledger entry of its charge.")
    principal_id: Id = Field(description="The principal who paid.")
    created_at: Timestamp
    state: ReleaseState
    kind: Literal["posterior", "query"] = Field(
        description=(
            "`query` stands for answers to linear queries, and `posterior` for every other release; `mechanism` "
            "distinguishes margins from posteriors."
        )
    )
    mechanism: StatedMechanism | None = Field(
        description="Null for answers to queries, and if a restored backup lacks it."
    )
    charged: Amount = Field(description="The charge to the budget.")
    certificate: str | None = Field(
        description=("The proven guarantee of the mechanism, in one sentence. Null if there is none.")
    )


class StatedRecovery(Response):
    """An admin's recovery of the owner's or a spender's access. Two people may have held keys for that time."""

    principal_id: Id = Field(description="The principal whose access was recovered.")
    started_at: Timestamp = Field(description="Time at which the recovery code or token was exchanged.")
    frozen_until: Timestamp = Field(
        description=("End of the veto period. Until then the principal could change and release nothing.")
    )
    vetoed_at: Timestamp | None = Field(
        description="Time at which an older key or the earlier recovery code ended the recovery; null if none did."
    )
    replaced_at: Timestamp | None = Field(
        description="Time at which a later recovery replaced this one before its end; null if none did."
    )


class Responsibility(Response):
    """One block of NIST SP 800-226, and who is responsible for it. A text is empty if there is nothing to say."""

    block: str = Field(description="The block.")
    enforced: str = Field(description="What the service enforces.")
    affirmed: str = Field(description="What the owner affirms, and the service cannot know.")
    not_covered: str = Field(description="What neither the service nor the owner covers.")


class Statement(Response):
    """A report for the owner of a data set, and for those who hold the owner accountable."""

    created_at: Timestamp
    summary: list[str] = Field(
        description="The statement in plain words, one paragraph each. Formulas and lists are on lines of their own."
    )
    responsibilities: list[Responsibility] = Field(
        description="Who is responsible for what, by the blocks of NIST SP 800-226."
    )
    assessment: list[str] = Field(description="Lines for a data protection impact assessment.")
    dataset: Dataset = Field(description="The public facts of the data set.")
    deleted_at: Timestamp | None = Field(
        description=("Time at which the counts were destroyed; null if they exist. Releases and charges stay.")
    )
    budget_id: Id
    guarantee_limit: Guarantee = Field(
        description=("The guarantee that all releases of the budget together can't exceed.")
    )
    guarantee_to_date: Guarantee = Field(description="The joint guarantee of all releases of the budget so far.")
    datasets_on_budget: int = Field(description="Includes this data set, and deleted ones, whose charges stay.")
    budget_total: Amount = Field(description="Upper bound on everything that is spent from the budget.")
    budget_spent: Amount = Field(description="The charges to the budget so far, of all its data sets.")
    budget_remaining: Amount = Field(description="`budget_total` minus `budget_spent`.")
    charged_to_dataset: Amount = Field(description="The charges of releases from this data set.")
    counts_replaceable: bool = Field(
        description="Whether the counts can still be replaced: they exist, and nothing was released from them."
    )
    written_off: Amount = Field(
        description="Amount that the owner charged to the budget without a release, after a restore."
    )
    spenders: list[Spender] = Field(description="The principals who released from this data set.")
    recoveries: list[StatedRecovery] = Field(description="The latest 100 recoveries of the owner and of spenders.")
    earlier_recoveries: int = Field(description="The number of earlier recoveries that are not listed.")
    ledger_sequence: int = Field(description="The latest ledger entry that the statement covers.")
    ledger_hash: str = Field(description="Hash of that entry: SHA-256 in hexadecimal.")
    releases: Page[StatedRelease] = Field(description="A page of the releases from this data set.")
