"""Describes budgets, what is left of them, and the ledger."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from service.schemas.amounts import (
    Amount,
    DeltaField,
    DeltaOfBudget,
    DeltaOfConversion,
    DeltaOfZcdpBudget,
    EpsilonField,
    EpsilonOfBudget,
    Guarantee,
    RhoField,
)
from service.schemas.mechanisms import AllowedKind
from service.schemas.model import AS_WHOLE, Id, LongText, Name, Request, Response, Timestamp, examples


class BasicBudgetCreate(Request):
    """ε and δ of the releases add up."""

    model_config = examples({"accountant": "basic", "name": "Polio field trial 1954", "epsilon": "2", "delta": "1e-6"})

    accountant: Literal["basic"]
    name: Name = Field(examples=["Polio field trial 1954"])
    epsilon: EpsilonOfBudget
    delta: DeltaOfBudget


class ZcdpBudgetCreate(Request):
    """ρ of the releases adds up; (epsilon, delta) is what the whole budget guarantees in the end.

    δ has two uses: `delta_conversion` fixes the largest ρ, and the rest of `delta` pays the δ of single releases.
    """

    model_config = examples(
        {
            "accountant": "zcdp",
            "name": "Polio field trial 1954, many looks",
            "epsilon": "2",
            "delta": "1e-6",
            "delta_conversion": "9e-7",
        }
    )

    accountant: Literal["zcdp"]
    name: Name
    epsilon: EpsilonOfBudget
    delta: DeltaOfZcdpBudget
    delta_conversion: DeltaOfConversion | None = Field(default=None, description="Half of `delta` when left out.")


BudgetCreate = Annotated[BasicBudgetCreate | ZcdpBudgetCreate, Field(discriminator="accountant")]


class Cap(Request):
    """The most that one release may be charged."""

    epsilon: EpsilonField | None = Field(default=None, description="Under `basic`.")
    rho: RhoField | None = Field(default=None, description="Under `zcdp`.")
    delta: DeltaField


class BudgetChange(Request):
    """What to change; what is left out stays."""

    model_config = examples(
        {
            "epsilon": "3",
            "release_cap": {"epsilon": "0.5", "delta": "1e-7"},
            "allowed_mechanisms": ["simplex_geometric", "gaussian"],
        },
        {"frozen": True},
    )

    name: Name | None = None
    epsilon: EpsilonOfBudget | None = Field(default=None, description="New total. Never below what is spent.")
    delta: DeltaOfBudget | None = Field(
        default=None, description="New total. Never below what is spent. Fixed under `zcdp`."
    )
    frozen: bool | None = Field(default=None, strict=True)
    release_cap: Cap | None = Field(default=None, description="The most one release may cost; null lifts it.")
    allowed_mechanisms: list[AllowedKind] | None = Field(default=None, min_length=1, description="Null allows all.")
    low_budget_percent: Annotated[int, Field(strict=True, ge=0, le=100), AS_WHOLE] | None = Field(
        default=None, description="`low` turns true when less than this share is left."
    )


class Budget(Response):
    id: Id
    name: str
    accountant: Literal["basic", "zcdp"]
    guarantee: Guarantee = Field(description="The (ε, δ) that all releases together can never pass.")
    delta_conversion: DeltaField | None = Field(
        description="Under `zcdp`, the part of δ that the conversion to ρ uses up; the rest pays the δ of single "
        "releases."
    )
    total: Amount
    spent: Amount
    remaining: Amount
    warnings: list[str] = Field(description="What makes the guarantee weak: an epsilon above 10.")
    release_cap: Amount | None
    allowed_mechanisms: list[AllowedKind] | None
    frozen: bool = Field(description="Whether its owner stopped all releases from it.")
    restore_pending: bool = Field(
        description="Whether nothing is released from any budget: the database came from a backup, and its operator "
        "has not reconciled it yet."
    )
    below_threshold: bool
    low_budget_percent: int
    stored_bytes: int = Field(
        description="What its data sets and releases may take, of the most that GET /v1/quotas tells."
    )
    sequence: int = Field(description="Number of the latest ledger entry.")
    head_hash: str = Field(description="Hash of the latest ledger entry.")
    created_at: Timestamp


class WriteOffCreate(Request):
    """An amount that may have been spent and is unknown after a restore; 0 states that nothing is missing."""

    model_config = examples(
        {"epsilon": "0.2", "delta": "0", "reason": "database restored on 21 November; receipts of one analyst are lost"}
    )

    epsilon: EpsilonField | None = Field(default=None, description="Under `basic`.")
    rho: RhoField | None = Field(default=None, description="Under `zcdp`.")
    delta: DeltaField
    reason: LongText = Field(
        description="In your words; it stands in the ledger for ever.",
        examples=["database restored on 21 November; receipts of one analyst are lost"],
    )


class WriteOff(Response):
    id: Id
    budget_id: Id
    sequence: int
    amount: Amount
    reason: str
    created_at: Timestamp


class HeadBody(Response):
    kind: str
    budget_id: str
    sequence: int
    chain_hash: str
    at: int = Field(description="Unix time in seconds, as it was signed.")


class SignedHead(Response):
    """The end of a ledger as the service vouches for it: keep it as a checkpoint. Ed25519 over the canonical JSON of
    `body`.
    """

    body: HeadBody
    key_id: str
    signature: str


LedgerEntryKind = Literal[
    "budget_opened",
    "budget_changed",
    "budget_frozen",
    "budget_unfrozen",
    "query_charged",
    "release_charged",
    "receipt_reconciled",
    "written_off",
    "policy_changed",
    "grant_opened",
    "grant_changed",
    "grant_closed",
    "grant_reopened",
    "dataset_registered",
    "dataset_replaced",
    "dataset_deleted",
    "release_published",
    "release_withdrawn",
    "budget_renamed",
    "dataset_renamed",
    "history_shared",
    "history_unshared",
    "dataset_listed",
    "dataset_unlisted",
    "access_declined",
    "restore_noticed",
    "restore_ended",
]


class LedgerEntry(Response):
    """One act on a budget. `hash` is SHA-256 over the entry and `previous_hash`."""

    budget_id: Id
    sequence: int
    kind: LedgerEntryKind
    amount: Amount
    principal_id: str
    subject_id: str
    detail: dict[str, Any]
    created_at: Timestamp
    previous_hash: str
    hash: str
