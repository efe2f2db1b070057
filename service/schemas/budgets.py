"""Schemas of budgets and of the ledger."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from service.schemas.mechanisms import AllowedKind
from service.schemas.model import (
    AS_WHOLE,
    NOT_NULL,
    AccountantName,
    Amount,
    Change,
    DeltaField,
    DeltaOfBudget,
    DeltaOfConversion,
    EpsilonField,
    EpsilonOfBudget,
    Guarantee,
    Id,
    LongText,
    Name,
    Request,
    Response,
    RhoField,
    Timestamp,
    examples,
)


class BudgetCreate(Request):
    """A budget. Under `basic`, the ε and the δ of its releases add up.

    Under `zcdp` (zero-concentrated DP), their ρ adds up, and (`epsilon`, `delta`) is the guarantee of the whole budget.
    Part of `delta` converts ρ to ε: `delta_conversion`, which fixes the largest ρ. The rest pays the δ of single
    releases.
    """

    model_config = examples(
        {"accountant": "basic", "name": "Polio field trial 1954", "epsilon": "2", "delta": "1e-6"},
        {
            "accountant": "zcdp",
            "name": "Polio field trial 1954, many looks",
            "epsilon": "2",
            "delta": "1e-6",
            "delta_conversion": "9e-7",
        },
    )

    accountant: AccountantName = Field(description="`basic`: ε and δ of releases add up; `zcdp`: ρ adds up.")
    name: Name = Field(examples=["Polio field trial 1954"], description="A name, unique among your budgets.")
    epsilon: EpsilonOfBudget
    delta: DeltaOfBudget
    delta_conversion: DeltaOfConversion | None = Field(
        default=None, description="The part of `delta` that converts ρ to ε under `zcdp`; half of it if left out."
    )


class Cap(Request):
    """Upper bound on the charge of one release."""

    epsilon: EpsilonField | None = Field(default=None, description="Only under `basic`.")
    rho: RhoField | None = Field(default=None, description="Only under `zcdp`.")
    delta: DeltaField


class BudgetChange(Change):
    """Changes to a budget. Fields that are left out stay as they are."""

    model_config = examples(
        {
            "epsilon": "3",
            "release_cap": {"epsilon": "0.5", "delta": "1e-7"},
            "allowed_mechanisms": ["simplex_geometric", "gaussian"],
        },
        {"frozen": True},
    )

    CLEARED: ClassVar[frozenset[str]] = frozenset({"release_cap", "allowed_mechanisms"})

    name: Annotated[Name | None, NOT_NULL] = Field(default=None, description="A new name.")
    epsilon: Annotated[EpsilonOfBudget | None, NOT_NULL] = Field(
        default=None, description=("The new total; it can't be below what is spent.")
    )
    delta: Annotated[DeltaOfBudget | None, NOT_NULL] = Field(
        default=None, description="The new total; it can't be below what is spent. Can't change under `zcdp`."
    )
    frozen: Annotated[Annotated[bool, Field(strict=True)] | None, NOT_NULL] = Field(
        default=None,
        description="True stops all releases from the budget; false, by the owner alone, allows them again.",
    )
    release_cap: Cap | None = Field(
        default=None, description=("Upper bound on the charge of one release; null removes it.")
    )
    allowed_mechanisms: list[AllowedKind] | None = Field(
        default=None, min_length=1, description=("Null allows all mechanisms.")
    )
    low_budget_percent: Annotated[Annotated[int, Field(strict=True, ge=0, le=100), AS_WHOLE] | None, NOT_NULL] = Field(
        default=None, description="`below_threshold` is true if less than this percentage is left."
    )


class BudgetOwner(Request):
    """The new owner of a budget that an admin transfers."""

    model_config = examples({"principal_id": "pri_" + "a" * 26})

    principal_id: Id = Field(description="An owner whose access has not ended.")


class OwnedBudget(Response):
    """What an admin sees of a budget."""

    id: Id
    created_at: Timestamp


class Budget(Response):
    id: Id
    name: str = Field(description="The name that the owner gave.")
    accountant: AccountantName = Field(
        description="How charges add up: `basic` adds ε and δ, `zcdp` adds ρ and the δ of single releases."
    )
    guarantee: Guarantee = Field(description="The (ε, δ) that all releases of the budget together can't exceed.")
    delta_conversion: DeltaField | None = Field(
        description=("The part of δ that converts ρ to ε; the rest pays the δ of single releases. Null under `basic`.")
    )
    total: Amount = Field(description="Upper bound on everything that is spent.")
    spent: Amount = Field(description="The charges so far. It only grows.")
    remaining: Amount = Field(description="`total` minus `spent`.")
    warnings: list[str] = Field(description="Reasons why the guarantee is weak: an epsilon above 10.")
    release_cap: Amount | None = Field(description="Upper bound on the charge of one release; null if there is none.")
    allowed_mechanisms: list[AllowedKind] | None = Field(
        description="The mechanisms that the owner allows; null if all are allowed."
    )
    frozen: bool = Field(description="Whether the owner or an admin stopped all releases from the budget.")
    restore_pending: bool = Field(
        description=(
            "Whether all budgets of the installation are stopped: the database came from a backup that the "
            "operator has not reconciled yet."
        )
    )
    below_threshold: bool = Field(description="Whether less than `low_budget_percent` of the total is left.")
    low_budget_percent: int = Field(description="The percentage of the total below which `below_threshold` is true.")
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
    sequence: int = Field(description="Number of its ledger entry, from 1.")
    amount: Amount = Field(description="The amount that was charged to the budget.")
    reason: str = Field(description="The reason that the owner gave.")
    created_at: Timestamp


class HeadContent(Response):
    kind: str = Field(description="The marker of the signed format.")
    budget_id: str
    sequence: int = Field(description="Number of the latest ledger entry, from 1.")
    chain_hash: str = Field(description="Hash of the latest ledger entry: SHA-256 in hexadecimal.")
    at: int = Field(description="Unix time of the signature, in seconds.")


class SignedHead(Response):
    """The latest entry of a ledger, signed by the service. Keep it as a checkpoint. The signature is Ed25519 over the
    canonical JSON of `body`.
    """

    body: HeadContent = Field(description="The signed content.")
    key_id: str = Field(description="The receipt key that signed.")
    signature: str = Field(description="The signature in unpadded base64url.")


LedgerEntryKind = Literal[
    "budget_opened",
    "budget_changed",
    "budget_frozen",
    "budget_unfrozen",
    "budget_transferred",
    "query_charged",
    "release_charged",
    "receipt_reconciled",
    "entry_reconciled",
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
    sequence: int = Field(description="Number of the entry in the ledger of its budget, from 1.")
    kind: LedgerEntryKind = Field(description="The act.")
    amount: Amount = Field(description="The amount that the act charged; 0 if it charged nothing.")
    principal_id: str = Field(description="The principal who acted.")
    subject_id: str = Field(description="What the act is about: a release, grant, data set or budget.")
    detail: dict[str, Any] = Field(description="The facts of the act that its hash covers.")
    created_at: Timestamp
    previous_hash: str = Field(description="Hash of the entry before: SHA-256 in hexadecimal.")
    hash: str = Field(description="Hash of this entry: SHA-256 in hexadecimal.")
