"""Schemas of margins of cross tables: what is wanted and measured of a table, its quote, and its release."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from core.mechanisms.margins import MAX_MARGINS
from core.privacy import Delta
from service.schemas.cells import MAX_ATTRIBUTES, Attribute, MarginNames
from service.schemas.evidence import ReleaseSignature
from service.schemas.mechanisms import MarginsMechanism, StatedMechanism
from service.schemas.model import (
    AS_WHOLE,
    Amount,
    DeltaOfRelease,
    EpsilonOfRelease,
    Id,
    PaidBody,
    Request,
    Response,
    RhoOfRelease,
    Timestamp,
    examples,
    is_none,
)
from service.schemas.queries import Confidence
from service.schemas.releases import (
    OF_REQUESTED,
    CalibratedEvent,
    Certificate,
    Loss,
    MaxCharge,
    OfQuotes,
    PaidRelease,
    ReleasedPosterior,
)

CONFIDENCES: Final = (0.9, 0.95, 0.99)
"""Confidences of the intervals that every table has, besides the one of the request."""
MAX_CELLS: Final = 100_000
"""Largest number of cells of all wanted tables together, and of all measured margins together."""


class Wanted(Request):
    margins: Annotated[list[MarginNames], Field(min_length=1, max_length=MAX_MARGINS)] | None = Field(
        default=None,
        description="The wanted tables, each by its attributes. Send either this or `all`.",
        examples=[[["age", "smoker"], ["age", "ward"]]],
    )
    all: Annotated[int, Field(strict=True, ge=1, le=MAX_ATTRIBUTES), AS_WHOLE] | None = Field(
        default=None,
        description=(
            "The tables of all sets of this many attributes are wanted: 1 for each attribute alone, 2 for all pairs, 3 "
            "for all triples. Attributes with one level are left out."
        ),
        examples=[2],
    )

    @model_validator(mode="after")
    def _check_wanted_once(self) -> Self:
        if (self.margins is None) is (self.all is None):
            raise ValueError("must have either margins or all")
        return self


class MarginsCreate(Wanted, PaidBody):
    """Wanted tables of a cross table, and an amount, or the wanted half widths of their intervals.

    Give `epsilon` if the budget's accountant is `basic`, and `rho` if it is `zcdp`.
    """

    model_config = examples(
        {"kind": "margins", "all": 2, "epsilon": "0.5"},
        {"kind": "margins", "margins": [["age", "smoker"], ["ward"]], "weights": [1, 4], "epsilon": "0.2"},
        {"kind": "margins", "all": 2, "half_widths": [40.0], "confidence": 0.95, "max_charge": {"epsilon": "1"}},
    )

    kind: Literal["margins"]
    weights: (
        Annotated[list[Annotated[float, Field(strict=True, gt=0, le=1e9)]], Field(min_length=1, max_length=MAX_MARGINS)]
        | None
    ) = Field(
        default=None,
        description=(
            "The importance of each wanted table, in order: an amount is divided so that the weighted mean of their "
            "variances is least. All 1 if left out. Only with an amount."
        ),
    )
    epsilon: EpsilonOfRelease | None = Field(
        default=None, exclude_if=is_none, description="The charge under `basic`, which is divided among the margins."
    )
    rho: RhoOfRelease | None = Field(
        default=None, exclude_if=is_none, description="The charge under `zcdp`, which is divided among the margins."
    )
    half_widths: (
        Annotated[
            list[Annotated[float, Field(strict=True, ge=0.001, le=1e15)]], Field(min_length=1, max_length=MAX_MARGINS)
        ]
        | None
    ) = Field(
        default=None,
        description=(
            "Half the width of the interval of each cell, in records: one number for each wanted table, or one for "
            "all. The charge is the least that was found to give them. In place of an amount."
        ),
        examples=[[40.0]],
    )
    confidence: Confidence = Field(
        default=0.95, description="The probability with which an interval contains the true count."
    )
    delta: DeltaOfRelease = Field(
        default=Delta.parse("1e-9"),
        json_schema_extra={"default": "1e-9"},
        description=(
            "The δ at which the certificate also states an ε under `zcdp`. It changes neither the noise nor the "
            "charge. Ignored under `basic`."
        ),
    )
    noise: Literal["independent", "blocks"] = Field(
        default="independent",
        description=(
            "`blocks`: tables that do not overlap share one draw of noise, and have about half of its width if they "
            "are many. The number of records must be public, and the accountant `basic`. Such tables can't be combined "
            "with those of other releases. Their posteriors answer only shares of all records, one at a time, such as "
            "that of a set of levels."
        ),
    )
    delta_to_spend: DeltaOfRelease | None = Field(
        default=None,
        exclude_if=is_none,
        description=(
            "The δ that may be charged under `basic`. Discrete Gaussian noise is used if its tables are more precise "
            "than with geometric noise, or its ε is less for half widths. Only then is the δ charged."
        ),
        examples=["1e-6"],
    )
    max_charge: MaxCharge | None = Field(
        default=None,
        description=("Refuse the release if its charge is above this. A release with half widths needs it."),
    )

    @property
    def finds_price(self) -> bool:
        """Whether the request gives half widths instead of an amount."""
        return self.half_widths is not None

    @model_validator(mode="after")
    def _check_priced_once(self) -> Self:
        if sum(each is not None for each in (self.epsilon, self.rho, self.half_widths)) != 1:
            raise ValueError("must have exactly one of epsilon, rho and half_widths")
        if self.noise == "blocks" and (self.rho is not None or self.delta_to_spend is not None):
            raise ValueError("must have neither rho nor delta_to_spend beside noise blocks")
        if self.weights is not None and self.half_widths is not None:
            raise ValueError("must have no weights beside half_widths")
        return self


class CountInterval(Response):
    """The interval around each estimate of a table. All cells of a table have the same."""

    confidence: float = Field(
        description=(
            "The probability with which it contains the true count, if the amounts were fixed before any answer was "
            "seen."
        )
    )
    half_width: float = Field(description="Half of the width, in records.")
    simultaneous_half_width: float | None = Field(
        default=None,
        exclude_if=is_none,
        description=(
            "Noise `max_norm` only: half of the width, in records, at which the intervals of all counts of all tables "
            "of the block, and of all sums of counts of one table, contain the truth at once with this probability."
        ),
    )


class PlannedTable(Response):
    """A wanted table, and how precise it will be."""

    attributes: list[str] = Field(
        description="The table's attributes with several levels, in the order of the data set."
    )
    cell_count: int = Field(description="The number of combinations of their levels.")
    standard_deviation: float = Field(description="Standard deviation of the error of each cell's estimate.")
    intervals: list[CountInterval] = Field(
        description="The intervals around the estimates, at 0.9, 0.95, 0.99 and the requested confidence."
    )


class PlannedMargin(Response):
    """A margin that is measured: every cell gets independent noise."""

    attributes: list[str] = Field(
        description="The attributes of the margin, in the order of the data set. Empty: the private number of records."
    )
    cell_count: int = Field(description="The number of combinations of their levels.")
    cost: Amount = Field(
        description=(
            "Cost of this margin if it were measured alone. The charge is at most the sum of these costs: impossible "
            "combinations can lower it. For discrete Gaussian noise the cost is in ρ; under `basic` their sum is "
            "converted to the ε at the charged δ."
        )
    )
    noise: Literal["geometric", "discrete_gaussian", "max_norm"] = Field(
        description=(
            "Discrete Gaussian noise under `zcdp`. Under `basic` two-sided geometric noise, or discrete Gaussian noise "
            "if a δ is spent. `max_norm`: noise that the margins of a block share."
        )
    )
    block: int | None = Field(
        default=None,
        exclude_if=is_none,
        description="The number of its block. Margins of a block share one draw and one cost.",
    )
    noise_parameter: str = Field(
        description=(
            "An exact fraction: the rate a of geometric noise, P(z) ∝ e^(−a|z|); σ² of discrete Gaussian noise, "
            "P(z) ∝ e^(−z²/2σ²); or the rate h of a block, P(z) ∝ e^(−hN), N = max ½Σ|z| over its margins."
        ),
        examples=["1/20"],
    )
    noise_standard_deviation: float = Field(description="Standard deviation of the noise of each cell.")


class FullRelease(Response):
    """One release of all attributes of the data set, summed to the wanted tables, for comparison."""

    half_widths: list[float] = Field(
        description="The half width of each wanted table at the requested confidence, for the same charge."
    )
    is_nearly_as_precise: bool = Field(
        description=(
            "Whether such a release can be made for the same charge, and no half width exceeds that of the margins by "
            "more than a tenth. It is then the better buy: it answers every question about the whole table."
        )
    )
    would_charge: Amount | None = Field(
        description=(
            "The charge at which this release would be as precise as the quoted margins in every table; null if the "
            "largest possible charge is not enough."
        )
    )


class MarginsQuote(OfQuotes):
    """The cost of margins, the margins that would be measured, and the precision of the tables."""

    kind: Literal["margins"]
    measured: list[PlannedMargin] = Field(description="The margins that would be measured.")
    tables: list[PlannedTable] = Field(description="The wanted tables, in the order of the request.")
    full_release: FullRelease = Field(description="One release of all attributes, for comparison.")
    certified: Loss = Field(description="The proven loss of the release.")
    certificate: Certificate = Field(description="The proof of the loss.")


OF_MEASURED: Final = "The measured margins. Each is a noisy table by itself, from which posteriors are computed."
OF_TABLES: Final = (
    "The wanted tables, combined from all measured margins. They contain the measured counts, so never multiply them "
    "into a posterior of the same counts."
)


class MeasuredMargin(PlannedMargin):
    """A measured margin, and its noisy counts."""

    noisy_counts: list[int] = Field(
        description="The noisy count of each combination of levels, in row-major order: the last attribute changes "
        "fastest. They are independent, and can be negative."
    )


class MarginTable(PlannedTable):
    """A table combined from all measured margins.

    Tables agree with each other: two with common attributes have the same sums over the others. Estimates are
    fractions and can be negative.
    """

    estimates: list[float] = Field(
        description=(
            "The estimate of each combination of levels, in row-major order: the best linear unbiased estimate if all "
            "combinations are possible. A combination that no record can have is 0."
        )
    )


class ConstrainedTable(Response):
    """Counts near a table's estimates that are whole, not negative and sum to the number of records.

    They are easier to show. They are biased, tables need not agree with each other, and no interval belongs to them.
    """

    attributes: list[str] = Field(description="The attributes of the table.")
    counts: list[int] = Field(description="The count of each combination of levels, in row-major order.")


class MarginsRelease(PaidRelease):
    """A release of margins, and the tables that are combined from them."""

    kind: Literal["margins"]
    attributes: list[Attribute] = Field(description="The attributes of the cross table.")
    event: CalibratedEvent = Field(description="Every parameter of the measurement, as exact text.")
    mechanism: MarginsMechanism
    requested: dict[str, str] = Field(
        description="The amount of the request after parsing; empty for half widths.",
        json_schema_extra=OF_REQUESTED,
    )
    certified: Loss = Field(description="The proven loss of the release.")
    certificate: Certificate = Field(description="The proof of the loss.")
    measured: list[MeasuredMargin] = Field(description=OF_MEASURED)
    tables: list[MarginTable] = Field(description=OF_TABLES)


class PublicRelease(Response):
    """A public release of any kind, signed by the service when it was first made public. It has the members of its
    kind. A text of version 0.1.0 or 0.2.0 has no `kind`.
    """

    kind: str | None = Field(default=None, description="`counts` or `margins`. There may be more.")
    id: Id
    dataset_id: Id
    budget_id: Id
    state: Literal["complete"]
    labels: list[str] | None = Field(default=None, description="`counts`: the labels of the categories, in order.")
    attributes: list[Attribute] | None = Field(
        default=None, description="The attributes of a cross table; null if the data set is none."
    )
    record_count: int | None = Field(description="The number of records n; null if it is private.")
    category_count: int = Field(description="The number of categories m, or of possible cells.")
    records_per_unit: int = Field(description="Upper bound on the records of one unit.")
    event: CalibratedEvent = Field(description="Every parameter of the mechanism, as exact text.")
    prior: list[float] | None = Field(
        default=None, description="`counts`: concentration parameters of the prior, one for each category."
    )
    mechanism: StatedMechanism
    requested: dict[str, str] = Field(
        description="The amounts of the request after parsing; empty for half widths.", json_schema_extra=OF_REQUESTED
    )
    certified: Loss = Field(description="The proven loss of the release.")
    charged: Amount = Field(description="The charge to the budget.")
    certificate: Certificate = Field(description="The proof of the loss.")
    posterior: ReleasedPosterior | None = Field(default=None, description="`counts`: the posterior that was drawn.")
    measured: list[MeasuredMargin] | None = Field(default=None, description="`margins`: " + OF_MEASURED)
    tables: list[MarginTable] | None = Field(default=None, description="`margins`: " + OF_TABLES)
    created_at: Timestamp
    signature: ReleaseSignature = Field(description="The signature of the service.")
