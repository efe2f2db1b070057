"""Schemas of releases: request, certificate, receipt and released posterior."""

from __future__ import annotations

import math
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator
from pydantic.config import JsonDict
from typing_extensions import TypeAliasType

from core.limits import MAX_CATEGORIES, MAX_CONCENTRATION, MAX_RECORDS_PER_UNIT, MIN_CONCENTRATION
from service.schemas.cells import Attribute
from service.schemas.mechanisms import Mechanism, StatedMechanism
from service.schemas.model import (
    AS_WHOLE,
    NOT_NULL,
    Amount,
    DeltaField,
    EpsilonField,
    Id,
    Interval,
    PaidBody,
    Relation,
    Request,
    Response,
    RhoField,
    ShortText,
    Timestamp,
    examples,
    is_none,
)


def _concentration(value: object) -> float:
    # A prior can have ten thousand numbers, most of a request's time. The usual case is therefore checked first.
    if (type(value) is int or type(value) is float) and MIN_CONCENTRATION <= value <= MAX_CONCENTRATION:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    if isinstance(value, int) and abs(value) > MAX_CONCENTRATION:
        raise ValueError("must be at most 1000000")
    if not math.isfinite(value):
        raise ValueError("must be finite")
    if not MIN_CONCENTRATION <= value <= MAX_CONCENTRATION:
        raise ValueError("must be at least 0.000001 and at most 1000000")
    return float(value)


Concentration = Annotated[
    float,
    BeforeValidator(_concentration),
    WithJsonSchema({"type": "number", "minimum": MIN_CONCENTRATION, "maximum": MAX_CONCENTRATION}),
]
Merged = Annotated[
    list[Annotated[list[ShortText], Field(min_length=2, max_length=MAX_CATEGORIES)]],
    Field(min_length=1, max_length=MAX_CATEGORIES // 2),
]
Prior = Annotated[list[Concentration], Field(min_length=2, max_length=MAX_CATEGORIES)]


def _fraction(value: object) -> object:
    """Refuse a percentage. In the query of an address, a number is a text."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return value
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return value
    if number <= 0 or number >= 1:
        raise ValueError("must be above 0 and below 1: write 0.95 for 95 %")
    return value


AS_FRACTION: Final = BeforeValidator(_fraction)
"""Put it after the limits of a level: `95` is refused with the form of a level."""
# Nearer to 0 or 1 the two ends of an interval cannot be distinguished from 0 and 1 in floating point.
Level = Annotated[float, Field(ge=1e-9, le=1 - 1e-9, strict=True), AS_FRACTION]


RecordsPerUnit = Annotated[
    int,
    Field(
        strict=True,
        ge=1,
        le=MAX_RECORDS_PER_UNIT,
        description=(
            "Upper bound on the records of one unit, which are protected together: mechanisms are calibrated and "
            "certified for this number of changed records."
        ),
    ),
    AS_WHOLE,
]


def _names_schema(*names: str) -> JsonDict:
    """Return the names that a dictionary may have. Generators of clients make types of `propertyNames`, which would be
    too narrow for names that are added later.
    """
    return {"x-names": list(names)}


# A public text has only the names that its schema lists, so that a new parameter leaves once it is listed here.
_EVENT_FIELD: Final = _names_schema(
    *("event", "n", "m", "epsilon", "rho", "delta", "prior", "epsilon0", "gamma", "uniform_admixture", "calibration"),
    *("law", "records_per_unit", "denominator", "rows", "rates", "levels", "impossible", "margins", "loss", "losses"),
    *("blocks", "epsilons", "merged"),
)
OF_DETAILS: Final = _names_schema(
    *("records_per_unit", "epsilon_of_one_record", "l1_sensitivity", "l2_sensitivity_squared"),
    *("noise_rate", "noise_scale", "noise_variance", "support", "weights", "relative_error", "losses"),
    *("rates", "coarsest_grid_in_scales", "score", "normalisers", "excess_by_ratio", "change_of_rate"),
    *("excess_by_tail", "draw", "rounding", "loss", "loss_range"),
)
_AMOUNT_NAMES: Final = ("epsilon", "nominal_epsilon", "rho", "delta", "calibration")
OF_REQUESTED: Final = _names_schema(*_AMOUNT_NAMES)
OF_STATED: Final = _names_schema("kind", *_AMOUNT_NAMES)


class MaxCharge(Request):
    """Upper bounds on the charge of the release; a field that is left out is unlimited."""

    epsilon: EpsilonField | None = Field(default=None, description="Upper bound on ε.")
    delta: DeltaField | None = Field(default=None, description="Upper bound on δ.")
    rho: RhoField | None = Field(default=None, description="Upper bound on ρ.")


class CountsCreate(PaidBody):
    model_config = examples(
        {"kind": "counts", "prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"}},
        {
            "kind": "counts",
            "prior": [0.5, 0.5],
            "mechanism": {"kind": "gaussian", "rho": "0.01", "delta": "1e-7"},
            "level": 0.9,
        },
        {"kind": "counts", "prior": [1, 1], "mechanism": {"kind": "gaussian", "epsilon": "0.2", "delta": "1e-7"}},
        {
            "kind": "counts",
            "prior": [1, 1],
            "mechanism": {"kind": "exponential_published", "nominal_epsilon": "0.2", "delta": "1e-7"},
            "max_charge": {"epsilon": "0.5"},
        },
    )

    kind: Literal["counts"]
    prior: Annotated[Prior | None, NOT_NULL] = Field(
        default=None,
        description=(
            "Concentration parameters of the prior, one for each category. If left out: ½ each, or 1 each if the noise "
            "of the mechanism depends on it."
        ),
        examples=[[1, 1]],
    )
    mechanism: Mechanism
    merged: Merged | None = Field(
        default=None,
        exclude_if=is_none,
        description=(
            "Sets of labels that your questions never tell apart. The categories of a set are counted as one before "
            "the noise is drawn, so sums of many categories have less noise at the same ε. A label in no set stays "
            "alone. Nothing within a set can be asked afterwards."
        ),
        examples=[[["mild", "severe"]]],
    )
    max_charge: MaxCharge | None = Field(default=None, description="Refuse the release if its charge is above this.")
    level: Level = Field(
        default=0.95, description=("Probability that an interval contains the share, above 0 and below 1.")
    )

    def prior_at(self, m: int) -> list[float]:
        """Return the prior of m categories."""
        return [1.0 if self.mechanism.depends_on_prior else 0.5] * m if self.prior is None else self.prior

    @field_validator("merged")
    @classmethod
    def _order_partition(cls, merged: list[list[str]] | None) -> list[list[str]] | None:
        """Equal partitions are equal requests."""
        return None if merged is None else sorted(map(sorted, merged))

    def payload(self) -> dict[str, Any]:
        """Return the body with the fields of the mechanism that had no default in version 0.1.0."""
        document = super().payload()
        document["mechanism"] |= {name: getattr(self.mechanism, name) for name in self.mechanism.always_hashed}
        return document


class Loss(Response):
    """The proven privacy loss: (epsilon, delta)-DP, and rho-zCDP if rho is not null."""

    epsilon: EpsilonField
    delta: DeltaField
    rho: RhoField | None = Field(description="The ρ of zero-concentrated differential privacy; null if none is proven.")
    rho_delta: DeltaField = Field(
        description="The probability with which the bound rho may fail; 0 if it always holds."
    )


class Certificate(Response):
    """A bound on the privacy loss."""

    method: Literal["theorem", "exact_channel"] = Field(
        description=(
            "How the loss is proven. `theorem`: a mathematical proof, evaluated with outward rounding. "
            "`exact_channel`: the largest loss over all pairs of neighbouring data sets, from the exact probabilities."
        )
    )
    statement: str = Field(description="What is proven, in words.")
    relation: Relation
    unit: str = Field(description="The person or thing that one record describes.")
    loss: Loss = Field(description="The proven loss of all records of one unit.")
    details: dict[str, str] = Field(description="The public numbers that the proof uses.", json_schema_extra=OF_DETAILS)


CalibratedEvent = TypeAliasType(
    "CalibratedEvent",
    Annotated[
        dict[str, Any],
        Field(
            description=(
                "Every parameter of the mechanism, as exact text. They suffice to repeat the posterior without the "
                "service."
            ),
            json_schema_extra=_EVENT_FIELD,
        ),
    ],
)


class ReceiptContent(Response):
    """One charge as the ledger recorded it. `*_units` are integers, in units of 1e-9 (epsilon), 1e-18 (delta) and 1e-12
    (rho).
    """

    kind: str = Field(description="The marker of the signed format.")
    budget_id: str
    accountant: str = Field(description="`basic` or `zcdp`.")
    sequence: int = Field(description="Number of the ledger entry of the charge, from 1.")
    release_id: str
    dataset_id: str
    grant_id: str = Field(description="The grant that was charged; empty if the owner paid.")
    principal_id: str = Field(description="The principal who paid.")
    owner_id: str = Field(description="The owner who registered the data set.")
    commitment: str = Field(description="The commitment to the counts that the release is drawn from.")
    spec_sha256: str = Field(
        description=("SHA-256 of the stored release spec: request, calibrated event and certificate.")
    )
    key_hash: str = Field(description="SHA-256 of the principal and the Idempotency-Key.")
    payload_hash: str = Field(description="SHA-256 of the data set and the request.")
    epsilon_units: int = Field(description="The charged ε in units of 1e-9.")
    delta_units: int = Field(description="The charged δ in units of 1e-18.")
    rho_units: int = Field(description="The charged ρ in units of 1e-12.")
    chain_hash: str = Field(description="Hash of the ledger entry: SHA-256 in hexadecimal.")
    at: int = Field(description="Unix time of the signature, in seconds.")


class Receipt(Response):
    """An Ed25519 signature over the canonical JSON of `body`. The public key is at `/v1/public-key`."""

    body: ReceiptContent = Field(description="The signed content.")
    key_id: str = Field(description="The receipt key that signed.")
    signature: str = Field(description="The signature in unpadded base64url.")


class CategoryPosterior(Response):
    label: str = Field(description="The label of the category.")
    mean: float = Field(description="Mean of the share, as if the noisy counts were the true ones.")
    standard_deviation: float = Field(
        description="Standard deviation of the share, as if the noisy counts were the true ones."
    )
    naive_interval: Interval | None = Field(
        description=(
            "An interval that ignores the noise: it is too narrow, and contains the true share less often than its "
            "level. Null for exponential mechanisms at three or more categories, which can release counts far from the "
            "true ones: the interval would seldom contain the true share. Use the noise-aware interval."
        )
    )


class ReleasedPosterior(Response):
    """The released Dirichlet posterior, a Beta posterior at two categories."""

    concentration: list[float] = Field(description="The prior's parameters plus `released_counts`.")
    noisy_counts: list[int] = Field(
        description=(
            "The mechanism's output before it was cut back to valid counts. Use it to compute a noise-aware "
            "posterior yourself. `laplace` draws no count for the last category, if n is public."
        )
    )
    released_counts: list[int] = Field(
        description=(
            "Counts that are not negative and sum to n. If n is private: the noisy counts, with 0 for negative ones."
        )
    )
    categories: list[CategoryPosterior] = Field(description="The categories, in the order of the labels.")


class AccuracyAtCount(Response):
    """The expected interval of a category with `count` made-up records; the other categories share the rest evenly."""

    count: int = Field(description="The made-up number of records in the category.")
    interval_width: float = Field(
        description=(
            "Expected width of the noise-aware interval of the category's share, with ½ for the category and for the "
            "rest, accurate to about 1 %."
        )
    )
    standard_error: float = Field(description="Standard error of `interval_width`.")
    interval_width_without_noise: float = Field(description="The width from exact counts.")
    width_ratio: float | None = Field(
        description=(
            "`interval_width` over `interval_width_without_noise`; null if the latter is too small to divide by."
        )
    )


class ExpectedAccuracy(Response):
    """The expected accuracy of a release at made-up counts of the data set's public size. The data set's counts are not
    read.
    """

    level: float = Field(description="The probability that an interval contains the share.")
    at_counts: list[AccuracyAtCount] = Field(
        description=(
            "Accuracy at an even share of the records, and at 1,000 and 30 records if the data set has twice as "
            "many. Empty if the mechanism has no noise-aware interval at this size, or it would take too long to "
            "compute."
        )
    )
    prior_interval_width: float = Field(description="The interval width under the prior alone.")
    expected_hellinger_error: float | None = Field(
        description=(
            "Expected Hellinger distance between true and released posterior at even counts; null if there is a "
            "noise-aware interval."
        )
    )
    summary: str = Field(
        description="The expected accuracy in words.",
        examples=["Expected 95 % interval […]. 1,000 records: no wider; 30 records: about 1.5 times as wide."],
    )
    warning: str | None = Field(
        description=("Present if the release would give almost no information at even counts; null otherwise.")
    )


class PaidRelease(Response):
    """The members of every release as its payer and the data set's owner see it."""

    id: Id
    dataset_id: Id
    budget_id: Id
    principal_id: Id = Field(description="The principal who paid.")
    state: Literal["complete"]
    record_count: int | None = Field(description="The number of records n; null if it is private.")
    category_count: int = Field(description="The number of categories m, or of possible cells.")
    records_per_unit: int = Field(description="Upper bound on the records of one unit.")
    charged: Amount = Field(
        description=(
            "The charge to the budget. Of queries: the increase in the joint cost of the rows that you paid for on "
            "the data set, or of all its rows if you own it."
        )
    )
    remaining_after: Amount = Field(
        description=(
            "Upper bound on the charge of one more release by this caller, as of this charge. It is computed like "
            "`largest_possible_charge` of an allowance. After queries: the remainder of your grant, or of the budget "
            "if you own it."
        )
    )
    created_at: Timestamp
    receipt: Receipt = Field(description="The signed receipt of the charge.")


class CountsRelease(PaidRelease):
    """A released posterior."""

    kind: Literal["counts"]
    labels: list[str] = Field(description="The labels of the categories, in order.")
    attributes: list[Attribute] | None = Field(
        default=None,
        description=(
            "Attributes of a cross table, whose cells have the labels. Null if the data set is not a cross table."
        ),
    )
    event: CalibratedEvent = Field(description="Every parameter of the mechanism, as exact text.")
    prior: list[float] = Field(description="Concentration parameters of the prior, one for each category.")
    mechanism: Mechanism
    requested: dict[str, str] = Field(
        description="The amounts of the request after parsing.", json_schema_extra=OF_REQUESTED
    )
    certified: Loss = Field(description="The proven loss of the release.")
    certificate: Certificate = Field(description="The proof of the loss.")
    posterior: ReleasedPosterior = Field(description="The posterior that was drawn.")


ReleaseState = TypeAliasType("ReleaseState", Literal["paid", "drawn", "complete", "failed", "lost"])


class ReleaseSummary(Response):
    """A release in a list. `state` is `paid` while it is drawn, `failed` if it could not be drawn, and `lost` if a
    restored backup lacks it.
    """

    kind: str | None = Field(
        description="`counts`, `margins` or `queries`; null if a restored backup lacks the release. There may be more.",
        examples=["counts"],
    )
    id: Id
    dataset_id: Id
    principal_id: Id | None = Field(
        description="The principal who paid; null if you may read it only because it is public."
    )
    state: ReleaseState
    public: bool = Field(description="Whether anyone can read it without a key.")
    mechanism: StatedMechanism | None = Field(
        description="The mechanism; null for queries, and if a restored backup lacks the release."
    )
    charged: Amount = Field(description="The charge, as the release states it.")
    created_at: Timestamp


class ReleaseChange(Request):
    model_config = examples({"public": True})

    public: bool = Field(strict=True, description="Whether anyone can read the release and its evidence without a key.")


class OfQuotes(Response):
    """The members of every quote. It is free, and nothing is reserved."""

    would_charge: Amount = Field(description="The charge of the release.")
    granted: bool = Field(
        description=("Whether the release would be granted now, as far as you may see. Others can spend first.")
    )
    blocked_by: str | None = Field(
        description="The name of the problem that the release would get now; null if it would be granted.",
        examples=["budget-exhausted"],
    )
    largest_possible_charge: Amount = Field(
        description="Upper bound on the charge of one release now, as in an allowance."
    )
    paid_under_key: ReleaseSummary | None = Field(
        description=(
            "The release that you already paid for under the Idempotency-Key of this request or, if `once` is true, by "
            "the same noise. The same release request returns it, free. Null if there is none."
        )
    )
    already_released: list[ReleaseSummary] = Field(
        description=(
            "The first complete releases of counts and margins from this data set that you may read. Each gives "
            "posteriors for any prior, level and question, free."
        )
    )


class CountsQuote(OfQuotes):
    """The cost of a posterior, and whether it would be granted now."""

    kind: Literal["counts"]
    certified: Loss = Field(description="The proven loss of the release.")
    certificate: Certificate = Field(description="The proof of the loss.")
    expected_accuracy: ExpectedAccuracy | None = Field(
        description=(
            "Null if the number of records is private, because the service must not use it here: `POST /v1/plans` with "
            "`add_remove` takes your guess. Also null if it takes too long to compute. Examples: a hundred categories "
            "and about 10⁸ records, if noise leaves millions of counts of each possible; `laplace`, if the last of "
            "hundreds of categories has the smallest prior."
        )
    )
