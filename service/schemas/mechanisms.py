"""Describes the mechanisms that a release can be asked for by, each with its own parameters."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import Field, TypeAdapter

from core.privacy import Delta
from service.schemas.amounts import NOTHING_LEFT_OUT, DeltaOfRelease, DeltaOrNone, EpsilonOfRelease, RhoOfRelease
from service.schemas.model import Request


class SimplexGeometric(Request):
    """Geometric noise on the counts, conditioned on their sum. Pure ε-DP, the most accurate here, for any size.
    Recommended.
    """

    kind: Literal["simplex_geometric"]
    epsilon: EpsilonOfRelease


class Laplace(Request):
    """The papers' Laplace mechanism: floored noise of scale 2/ε on all counts but the last, cut back to sum to n."""

    kind: Literal["laplace"]
    epsilon: EpsilonOfRelease


class Gaussian(Request):
    """Discrete Gaussian noise; ρ-zCDP. `delta` says at which δ its ε is stated, which is what a `basic` budget is
    charged.
    """

    kind: Literal["gaussian"]
    rho: RhoOfRelease
    delta: DeltaOfRelease


class Exponential(Request):
    """The exponential mechanism scored by Hellinger distance and calibrated to smooth sensitivity, at the largest rate
    that is proven for `epsilon`.

    `proven` calibrates by theorem, at any size, and needs no delta. `certified` evaluates the whole channel exactly,
    where it is small enough, which allows a larger rate; its first use for a size can take a while, see
    `/v1/certificates`.
    """

    kind: Literal["exponential"]
    calibration: Literal["certified", "proven"]
    epsilon: EpsilonOfRelease
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description="With `certified`, a positive delta makes the release a little more accurate; 0 gives pure ε-DP.",
    )


class ExponentialPublished(Request):
    """The papers' exponential mechanism, scored by Hellinger distance and calibrated to smooth sensitivity as printed.

    The papers claim (nominal_epsilon, delta); what is charged is what is proven, which can be more. Guard it with
    `max_charge`.
    """

    kind: Literal["exponential_published"]
    nominal_epsilon: EpsilonOfRelease
    delta: DeltaOfRelease


class ExponentialGlobal(Request):
    """The exponential mechanism scored by Hellinger distance with the global sensitivity. Pure ε-DP, and usually
    much noisier.
    """

    kind: Literal["exponential_global"]
    epsilon: EpsilonOfRelease
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description="Not needed at any size, and never spent.",
    )


Mechanism = Annotated[
    SimplexGeometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal,
    Field(discriminator="kind"),
]


MechanismKind = Literal[
    "exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian"
]
"""What the ledger names a mechanism of posteriors by."""

AllowedKind = Literal[
    "exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian", "linear"
]
"""What budgets allow: mechanisms of posteriors, and rows that are measured for linear queries."""


def kind_of(mechanism: Mechanism) -> MechanismKind:
    """The kind, which the type checker holds to be one that budgets can allow."""
    return mechanism.kind


MECHANISM: Final[TypeAdapter[Mechanism]] = TypeAdapter(Mechanism)


KINDS: Final[tuple[MechanismKind, ...]] = tuple(
    get_args(each.model_fields["kind"].annotation)[0] for each in get_args(get_args(Mechanism)[0])
)
"""Of every mechanism that can be asked for, in the order above."""
