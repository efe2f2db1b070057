"""Schemas of requests for access to listed data sets."""

from __future__ import annotations

from typing import Literal, Self, TypeVar

from pydantic import Field, ValidationInfo, field_validator, model_validator
from typing_extensions import TypeAliasType

from service.schemas.model import (
    Amount,
    DeltaField,
    EpsilonField,
    Id,
    Instant,
    LongText,
    Request,
    Response,
    RhoField,
    Timestamp,
    examples,
)

AccessRequestState = TypeAliasType("AccessRequestState", Literal["open", "approved", "declined", "withdrawn", "ended"])
T = TypeVar("T")
_EPSILON = "Only under `basic`."
_RHO = "Only under `zcdp`."


class AccessRequestCreate(Request):
    model_config = examples(
        {"epsilon": "0.5", "delta": "1e-7", "purpose": "The effect of the vaccine, for the report of 1955"}
    )

    epsilon: EpsilonField | None = Field(default=None, description=_EPSILON)
    rho: RhoField | None = Field(default=None, description=_RHO)
    delta: DeltaField = Field(description="The δ that you ask for.")
    purpose: LongText = Field(
        description="The question that you want to answer; the owner reads it to decide. Erased with your name.",
        examples=["The effect of the vaccine, for the report of 1955"],
    )


class AccessRequestChange(Request):
    """A decision. `approved` grants the amounts that the analyst asked for, except those set here."""

    model_config = examples(
        {"state": "approved", "epsilon": "0.25", "expires_at": "2027-01-31T12:00:00Z"},
        {"state": "declined", "reason": "Ask again once the trial has ended."},
        {"state": "withdrawn"},
    )

    state: Literal["approved", "declined", "withdrawn"]
    epsilon: EpsilonField | None = Field(
        default=None, description=f"With `approved`: the cap on ε, if it differs from the request. {_EPSILON}"
    )
    rho: RhoField | None = Field(
        default=None, description=f"With `approved`: the cap on ρ, if it differs from the request. {_RHO}"
    )
    delta: DeltaField | None = Field(
        default=None, description="With `approved`: the cap on δ, if it differs from the request."
    )
    expires_at: Instant | None = Field(
        default=None,
        description="With `approved`: time from which the grant can't spend. If left out, it does not expire.",
    )
    reason: LongText | None = Field(
        default=None,
        description="Required with `declined`. The analyst can read it. It is erased with their name or yours.",
        examples=["Ask again once the trial has ended."],
    )

    @field_validator("epsilon", "rho", "delta", "expires_at")
    @classmethod
    def _check_approval_field(cls, value: T, so_far: ValidationInfo) -> T:
        if value is not None and so_far.data.get("state") in {"declined", "withdrawn"}:
            raise ValueError("must be left out, unless the state is approved")
        return value

    @model_validator(mode="after")
    def _reason_of_refusal(self) -> Self:
        if (self.reason is None) is (self.state == "declined"):
            raise ValueError("must have a reason if the state is declined, and only then")
        return self


class AccessRequest(Response):
    """An analyst's request for a grant on a listed data set."""

    id: Id
    dataset_id: Id
    principal_id: Id = Field(description="The analyst who asks.")
    name: str | None = Field(
        description=("The analyst's name, which the owner of the data set sees too. Null once erased.")
    )
    requested: Amount = Field(description="The amount that the analyst asked for.")
    purpose: str | None = Field(description="Null once erased.")
    state: AccessRequestState = Field(
        description=(
            "`open` until the owner approves or declines, or the analyst withdraws. `ended` if the data set was "
            "deleted first, or either principal was revoked first."
        )
    )
    reason: str | None = Field(description=("The owner's reason for declining. Null in other states, and once erased."))
    grant_id: Id | None = Field(description="The grant that the approval made; null in other states.")
    created_at: Timestamp
    decided_at: Timestamp | None = Field(
        description=("Time of approval, refusal or withdrawal; null in the states `open` and `ended`.")
    )
    changed: bool | None = Field(
        description=(
            "In the answer to a decision: false if the request was in this state already. Then nothing changed: "
            "neither the reason nor the cap and end of the grant. Null in other answers."
        ),
    )
