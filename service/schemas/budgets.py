"""Schemas of budgets and of the ledger."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from service.schemas.amounts import (
    AccountantName,
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
    """A budget under basic composition: the ε and the δ of its releases add up."""

    model_config = examples({"accountant": "basic", "name": "Polio field trial 1954", "epsilon": "2", "delta": "1e-6"})

    accountant: Literal["basic"]
    name: Name = Field(examples=["Polio field trial 1954"])
    epsilon: EpsilonOfBudget
    delta: DeltaOfBudget


class ZcdpBudgetCreate(Request):
    """A budget under zero-concentrated DP: the ρ of its releases adds up. (`epsilon`, `delta`) is the guarantee of the
    whole budget.

    Part of `delta` converts ρ to ε: `delta_conversion`, which fixes the largest ρ. The rest pays the δ of single
    releases.
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
    delta_conversion: DeltaOfConversion | None = Field(default=None, description="Half of `delta` if left out.")


BudgetCreate = TypeAliasType(
    "BudgetCreate", Annotated[BasicBudgetCreate | ZcdpBudgetCreate, Field(discriminator="accountant")]
)


class Cap(Request):
    """Upper bound on the charge of one release."""

    epsilon: EpsilonField | None = Field(default=None, description="Only under `basic`.")
    rho: RhoField | None = Field(default=None, description="Only under `zcdp`.")
    delta: DeltaField


class BudgetChange(Request):
    """Changes to a budget; fields that are left out stay."""

    model_config = examples(
        {
            "epsilon": "3",
            "release_cap": {"epsilon": "0.5", "delta": "1e-7"},
            "allowed_mechanisms": ["simplex_geometric", "gaussian"],
        },
        {"frozen": True},
    )

    name: Name | None = None
    epsilon: EpsilonOfBudget | None = Field(
        default=None, description=("The new total; it can't be below what is spent.")
    )
    delta: DeltaOfBudget | None = Field(
        default=None, description="The new total; it can't be below what is spent. Can't change under `zcdp`."
    )
    frozen: bool | None = Field(default=None, strict=True)
    release_cap: Cap | None = Field(
        default=None, description=("Upper bound on the charge of one release; null removes it.")
    )
    allowed_mechanisms: list[AllowedKind] | None = Field(
        default=None, min_length=1, description=("Null allows all mechanisms.")
    )
    low_budget_percent: Annotated[int, Field(strict=True, ge=0, le=100), AS_WHOLE] | None = Field(
        default=None, description="`below_threshold` is true if less than this percentage is left."
    )


class Budget(Response):
    id: Id
    name: str
    accountant: AccountantName
    guarantee: Guarantee = Field(description="The (ε, δ) that all releases of the budget together can't exceed.")
    delta_conversion: DeltaField | None = Field(
        description=("The part of δ that converts ρ to ε; the rest pays the δ of single releases. Null under `basic`.")
    )
    total: Amount
    spent: Amount
    remaining: Amount
    warnings: list[str] = Field(description="Reasons why the guarantee is weak: an epsilon above 10.")
    release_cap: Amount | None
    allowed_mechanisms: list[AllowedKind] | None
    frozen: bool = Field(description="Whether the owner stopped all releases from the budget.")
    restore_pending: bool = Field(
        description=(
            "Whether all budgets of the installation are stopped: the database came from a backup that the "
            "operator has not reconciled yet."
        )
    )
    below_threshold: bool
    low_budget_percent: int
    stored_bytes: int = Field(
        description=(
            "Bytes reserved for its data sets and releases; `bytes_per_budget` of `GET /v1/quotas` is the limit."
        )
    )
    sequence: int = Field(description="Number of the latest ledger entry.")
    head_hash: str = Field(description="Hash of the latest ledger entry.")
    created_at: Timestamp


class WriteOffCreate(Request):
    """A charge for releases that a restore may have lost; an amount of 0 states that none is missing."""

    model_config = examples(
        {"epsilon": "0.2", "delta": "0", "reason": "database restored on 21 November; receipts of one analyst are lost"}
    )

    epsilon: EpsilonField | None = Field(default=None, description="Only under `basic`.")
    rho: RhoField | None = Field(default=None, description="Only under `zcdp`.")
    delta: DeltaField
    reason: LongText = Field(
        description="Kept in the ledger permanently.",
        examples=["database restored on 21 November; receipts of one analyst are lost"],
    )


class WriteOff(Response):
    id: Id
    budget_id: Id
    sequence: int
    amount: Amount
    reason: str
    created_at: Timestamp


class HeadContent(Response):
    kind: str
    budget_id: str
    sequence: int
    chain_hash: str
    at: int = Field(description="Unix time of the signature, in seconds.")


class SignedHead(Response):
    """The latest entry of a ledger, signed by the service. Keep it as a checkpoint. The signature is Ed25519 over the
    canonical JSON of `body`.
    """

    body: HeadContent
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
    "clock_confirmed",
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
