"""Describes listed data sets, and analysts' requests for access to them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from service.schemas.amounts import Amount, DeltaField, EpsilonField, RhoField
from service.schemas.cells import Attribute
from service.schemas.model import Id, Instant, LongText, Request, Response, Timestamp, examples

AccessRequestState = Literal["open", "approved", "declined", "withdrawn", "ended"]
_EPSILON = "Under `basic`."
_RHO = "Under `zcdp`."


class ListedDataset(Response):
    """What every analyst of the installation sees of a data set that its owner listed."""

    id: Id
    name: str
    unit: str = Field(description="What one record stands for, in the owner's words.")
    labels: list[str] = Field(description="The categories. Empty in lists if they are long: read the data set.")
    attributes: list[Attribute] | None = Field(
        description="Of a cross table; its possible cells, in row-major order, have the labels. Null if labels are all "
        "there is, and in lists if they are long."
    )
    category_count: int
    record_count: int | None = Field(description="Null unless the owner affirmed that it may be known.")
    records_per_unit: int = Field(description="The most records that one unit has.")
    relation: Literal["replace_one"]
    accountant: Literal["basic", "zcdp"] = Field(description="Ask for ε and δ under `basic`, for ρ and δ under `zcdp`.")
    created_at: Timestamp


class AccessRequestCreate(Request):
    model_config = examples(
        {"epsilon": "0.5", "delta": "1e-7", "purpose": "The effect of the vaccine, for the report of 1955"}
    )

    epsilon: EpsilonField | None = Field(default=None, description=_EPSILON)
    rho: RhoField | None = Field(default=None, description=_RHO)
    delta: DeltaField
    purpose: LongText = Field(
        description="What you want to find out, for the owner to decide by. Erased with your name.",
        examples=["The effect of the vaccine, for the report of 1955"],
    )


class Approval(Request):
    """Gives the analyst a grant of what they asked for, but for what is set here."""

    model_config = examples({"state": "approved", "epsilon": "0.25", "expires_at": "2027-01-31T12:00:00Z"})

    state: Literal["approved"]
    epsilon: EpsilonField | None = Field(default=None, description=f"Another cap. {_EPSILON}")
    rho: RhoField | None = Field(default=None, description=f"Another cap. {_RHO}")
    delta: DeltaField | None = Field(default=None, description="Another cap.")
    expires_at: Instant | None = Field(
        default=None, description="Time from which nothing can be spent under the grant. Never when left out."
    )


class Refusal(Request):
    model_config = examples({"state": "declined", "reason": "Ask again once the trial has ended."})

    state: Literal["declined"]
    reason: LongText = Field(
        description="For the analyst. Erased with their name, and with yours.",
        examples=["Ask again once the trial has ended."],
    )


class Withdrawal(Request):
    model_config = examples({"state": "withdrawn"})

    state: Literal["withdrawn"]


AccessRequestChange = Annotated[Approval | Refusal | Withdrawal, Field(discriminator="state")]


class AccessRequest(Response):
    """An analyst's request for a grant on a listed data set."""

    id: Id
    dataset_id: Id
    principal_id: Id = Field(description="The analyst.")
    name: str | None = Field(description="The analyst's, shown to the owner of the data set too. Null once erased.")
    requested: Amount
    purpose: str | None = Field(description="In the analyst's words. Null once erased.")
    state: AccessRequestState = Field(
        description="`open` until the owner approves or declines it or the analyst withdraws it. `ended` if before "
        "that the data set was deleted, or the analyst or the owner was revoked."
    )
    reason: str | None = Field(description="Why the owner declined. Null otherwise, and once erased.")
    grant_id: Id | None = Field(description="The grant of an approved request.")
    created_at: Timestamp
    decided_at: Timestamp | None = Field(description="When it was approved, declined or withdrawn.")


class ChangedAccessRequest(AccessRequest):
    changed: bool = Field(
        description="False if the request was in this state already. Nothing was changed then, neither the reason nor "
        "cap and end of the grant."
    )
