"""Describes releases: which posterior is asked for, by which mechanism, and what comes back."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from core.limits import MAX_CATEGORIES, MAX_CONCENTRATION, MAX_RECORDS_PER_UNIT, MIN_CONCENTRATION
from service.schemas.amounts import Amount, DeltaField, EpsilonField, RhoField
from service.schemas.cells import Attribute
from service.schemas.mechanisms import Mechanism
from service.schemas.model import AS_WHOLE, Id, Request, Response, Timestamp, examples


def _concentration(value: object) -> float:
    # Ten thousand of them are most of what a request takes: this is asked first.
    if (type(value) is int or type(value) is float) and MIN_CONCENTRATION <= value <= MAX_CONCENTRATION:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    if isinstance(value, int) and abs(value) > MAX_CONCENTRATION:
        raise ValueError("must be at most 1000000")
    if not math.isfinite(value):
        raise ValueError("must be finite")
    if not MIN_CONCENTRATION <= value <= MAX_CONCENTRATION:
        raise ValueError("must be at least 0.001 and at most 1000000")
    return float(value)


Concentration = Annotated[
    float,
    BeforeValidator(_concentration),
    WithJsonSchema({"type": "number", "minimum": MIN_CONCENTRATION, "maximum": MAX_CONCENTRATION}),
]
Prior = Annotated[list[Concentration], Field(min_length=2, max_length=MAX_CATEGORIES)]
# Nearer to 0 or 1 the two ends of an interval cannot be told from 0 and 1 in floating point.
Level = Annotated[float, Field(ge=1e-9, le=1 - 1e-9, strict=True)]


RecordsPerUnit = Annotated[
    int,
    Field(
        strict=True,
        ge=1,
        le=MAX_RECORDS_PER_UNIT,
        description="The most records that one unit has, which is what is hidden: mechanisms are calibrated and "
        "certified for so many changed records.",
    ),
    AS_WHOLE,
]


class MaxCharge(Request):
    """The most that the release may be charged; what is left out is not limited."""

    epsilon: EpsilonField | None = None
    delta: DeltaField | None = None
    rho: RhoField | None = None


class ReleaseCreate(Request):
    model_config = examples(
        {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"}},
        {"prior": [0.5, 0.5], "mechanism": {"kind": "gaussian", "rho": "0.01", "delta": "1e-7"}, "level": 0.9},
        {
            "prior": [1, 1],
            "mechanism": {"kind": "exponential_published", "nominal_epsilon": "0.2", "delta": "1e-7"},
            "max_charge": {"epsilon": "0.5"},
        },
    )

    prior: Prior = Field(
        description="Concentration parameters, one for each category; all 1 is the uniform prior.", examples=[[1, 1]]
    )
    mechanism: Mechanism
    max_charge: MaxCharge | None = None
    level: Level = Field(default=0.95, description="Level of the intervals.")


class Loss(Response):
    """What was proven: (epsilon, delta)-DP, and rho-zCDP where rho is given."""

    epsilon: EpsilonField
    delta: DeltaField
    rho: RhoField | None
    rho_delta: DeltaField = Field(
        description="The probability with which the bound rho may fail; 0 where it always holds."
    )


class TheoremCertificate(Response):
    """A bound proven on paper, evaluated with outward rounding."""

    method: Literal["theorem"]
    statement: str
    relation: Literal["replace_one"]
    unit: str = Field(description="Whom one record stands for.")
    loss: Loss
    details: dict[str, str] = Field(description="The public numbers that the proof used.")


class ExactChannelCertificate(TheoremCertificate):
    """The largest privacy loss over all pairs of neighbouring data sets, computed from every probability of the
    mechanism as it runs.
    """

    method: Literal["exact_channel"]  # type: ignore[assignment]  # the discriminator is what differs


Certificate = Annotated[TheoremCertificate | ExactChannelCertificate, Field(discriminator="method")]


CalibratedEvent = Annotated[
    dict[str, Any],
    Field(
        description="Every parameter of the channel that was drawn from, numbers as exact text: enough to repeat the "
        "posterior without the service."
    ),
]


class ReceiptBody(Response):
    """One charge as the ledger wrote it; `*_units` are whole units of 1e-9 (epsilon), 1e-18 (delta) and 1e-12 (rho)."""

    kind: str
    budget_id: str
    accountant: str
    sequence: int
    release_id: str
    dataset_id: str
    grant_id: str
    principal_id: str
    owner_id: str = Field(description="Who owns the data set.")
    commitment: str = Field(description="The commitment to the counts that the release is drawn from.")
    spec_sha256: str = Field(description="SHA-256 of the stored spec: request, calibrated event and certificate.")
    key_hash: str
    payload_hash: str
    epsilon_units: int
    delta_units: int
    rho_units: int
    chain_hash: str
    at: int = Field(description="Unix time in seconds, as it was signed.")


class Receipt(Response):
    """Ed25519 over the canonical JSON of `body`; the public key is at `/v1/public-key`."""

    body: ReceiptBody
    key_id: str
    signature: str


class Interval(Response):
    """A central interval that ignores the noise. It is too narrow: it contains the truth less often than its level
    says.
    """

    level: float
    low: float
    high: float


class CategoryPosterior(Response):
    label: str
    mean: float
    standard_deviation: float
    naive_interval: Interval | None = Field(
        description="Null for exponential mechanisms at three categories or more. Noise-aware intervals are the only "
        "ones there: a release may come from counts far away, and an interval around it would seldom contain the truth."
    )


class ReleasedPosterior(Response):
    """The released Dirichlet posterior, Beta where there are two categories."""

    concentration: list[float] = Field(description="Prior plus released counts.")
    noisy_counts: list[int] = Field(
        description=(
            "What the mechanism drew, before it was cut back to valid counts. Use these to compute a noise-aware "
            "posterior yourself."
        )
    )
    released_counts: list[int] = Field(description="Valid counts: none is negative, and they sum to n.")
    categories: list[CategoryPosterior]


class AccuracyAtCount(Response):
    """The interval of a category that holds `count` made-up records, while the others share the rest evenly."""

    count: int
    interval_width: float = Field(
        description="Expected width of the noise-aware interval, from rehearsals as in a plan. Besides its "
        "`standard_error` it is right to about a percent, and to three beyond 400 categories."
    )
    standard_error: float = Field(description="Of `interval_width`.")
    interval_width_without_noise: float = Field(description="What exact counts would give.")
    width_ratio: float | None = Field(
        description="`interval_width` over `interval_width_without_noise`; null if that is too small to divide by."
    )


class ExpectedAccuracy(Response):
    """How accurate a release is expected to be, at made-up counts of the data set's public size. The counts of the data
    set are not read. The category has the smallest prior.
    """

    level: float
    at_counts: list[AccuracyAtCount] = Field(
        description="At an even share of the records, and at 1,000 and 30 records if the data set has twice as many. "
        "Empty if the mechanism has no noise-aware interval at this size, or it would take too long to find."
    )
    prior_interval_width: float = Field(description="What is known without any data.")
    expected_hellinger_error: float | None = Field(
        description="Between the true and the released posterior at even counts, if there is no noise-aware interval."
    )
    summary: str = Field(
        description="The same in words.",
        examples=["Expected 95 % interval […]. 1,000 records: no wider; 30 records: about 1.5 times as wide."],
    )
    warning: str | None = Field(description="Set if the release would tell next to nothing at even counts.")


class ReleaseSignatureBody(Response):
    kind: str
    release_id: str
    sha256: str = Field(
        description='SHA-256, in lower-case hexadecimal, of the bytes before `,"signature"` and a closing brace.'
    )


class ReleaseSignature(Response):
    """Ed25519 over the canonical JSON of `body`; the public key is at `/v1/public-key`."""

    body: ReleaseSignatureBody
    key_id: str
    signature: str


class _ReleaseText(Response):
    """What a release says to everyone who may read it."""

    id: Id
    dataset_id: Id
    budget_id: Id
    state: Literal["complete"]
    labels: list[str]
    attributes: list[Attribute] | None = Field(
        default=None, description="Of a cross table, whose cells have the labels; null where labels are all there is."
    )
    record_count: int = Field(description="n, which is public.")
    category_count: int = Field(description="m, the number of categories.")
    records_per_unit: int = Field(description="The most records that one unit has.")
    event: CalibratedEvent
    prior: list[float]
    mechanism: Mechanism
    requested: dict[str, str] = Field(description="The amounts of the request as they were understood.")
    certified: Loss
    charged: Amount
    certificate: Certificate
    posterior: ReleasedPosterior
    created_at: Timestamp


class PublicRelease(_ReleaseText):
    """A release as anyone may read it, signed when it was made public first."""

    signature: ReleaseSignature


class Release(_ReleaseText):
    """A release as it is answered to whoever paid for it, and to the owner of the data set."""

    principal_id: Id
    remaining_after: Amount = Field(
        description="The most that one more release of this caller could cost, as of this charge, by what an allowance "
        "takes into account."
    )
    receipt: Receipt


class ReleaseSummary(Response):
    """A release in a list; `state` is `paid` while it is being drawn, `failed` where it could not be, and `lost`
    where a restored backup does not have it.
    """

    id: Id
    dataset_id: Id
    principal_id: Id | None = Field(
        description="Who paid for it; null where you may read it only because it is public."
    )
    state: Literal["paid", "drawn", "complete", "failed", "lost"]
    public: bool = Field(description="Whether the owner lets anyone read it.")
    mechanism: Mechanism | None = Field(description="Null where a restored backup does not have it.")
    charged: Amount
    created_at: Timestamp


class ReleaseChange(Request):
    model_config = examples({"public": True})

    public: bool = Field(strict=True, description="Whether anyone may read the release, without a key.")


class Quote(Response):
    """What a release would cost and whether it would be granted, as things stand. Free; nothing is held for you."""

    certified: Loss
    certificate: Certificate
    would_charge: Amount
    granted: bool = Field(description="Whether it would be granted by what an allowance takes into account.")
    blocked_by: str | None = Field(
        description="The problem that would be the answer now.", examples=["budget-exhausted"]
    )
    largest_possible_charge: Amount
    expected_accuracy: ExpectedAccuracy | None = Field(
        description="Null if it takes too long to find: with a hundred categories and some 10⁸ records, if noise "
        "leaves millions of counts of each possible; by `laplace`, if the last of hundreds of categories has the "
        "smallest prior."
    )
    already_released: list[ReleaseSummary] = Field(
        description=(
            "Complete releases from this data set that you may read. Each answers any prior, level and hypothesis, "
            "free."
        )
    )
