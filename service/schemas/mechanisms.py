"""Request schemas of mechanisms."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import Field, TypeAdapter

from core.privacy import Delta
from service.schemas.amounts import NOTHING_LEFT_OUT, DeltaOfRelease, DeltaOrNone, EpsilonOfRelease, RhoOfRelease
from service.schemas.model import Request


class SimplexGeometric(Request):
    """Geometric noise on the counts, conditioned on their sum. Pure ε-DP. Recommended: the most accurate mechanism
    here, at any size.
    """

    kind: Literal["simplex_geometric"]
    epsilon: EpsilonOfRelease


class Laplace(Request):
    """The papers' Laplace mechanism: noise of scale 2/ε, rounded down, on all counts except the last. The counts are
    then cut back to sum to n.
    """

    kind: Literal["laplace"]
    epsilon: EpsilonOfRelease


class Gaussian(Request):
    """Discrete Gaussian noise; ρ-zCDP. A `basic` budget is charged `delta` and the ε that ρ implies at `delta`."""

    kind: Literal["gaussian"]
    rho: RhoOfRelease
    delta: DeltaOfRelease


class Exponential(Request):
    """The exponential mechanism, scored by Hellinger distance and calibrated to smooth sensitivity. It uses the largest
    rate that is proven for `epsilon`.

    `proven` calibrates by a theorem, at any size, and needs no delta. `certified` evaluates the whole channel exactly,
    which allows a larger rate but only at small sizes. Its first use at a size can take a while: see
    `/v1/certificates`.
    """

    kind: Literal["exponential"]
    calibration: Literal["certified", "proven"]
    epsilon: EpsilonOfRelease
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description=("With `certified`, a positive delta makes the release slightly more accurate; 0 gives pure ε-DP."),
    )


class ExponentialPublished(Request):
    """The papers' exponential mechanism as printed, scored by Hellinger distance and calibrated to smooth sensitivity.

    The papers claim (nominal_epsilon, delta)-DP. The charge is what is proven, which can be more; limit it with
    `max_charge`.
    """

    kind: Literal["exponential_published"]
    nominal_epsilon: EpsilonOfRelease
    delta: DeltaOfRelease


class ExponentialGlobal(Request):
    """The exponential mechanism, scored by Hellinger distance, with global sensitivity. Pure ε-DP, and usually much
    noisier.
    """

    kind: Literal["exponential_global"]
    epsilon: EpsilonOfRelease
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description="Ignored: this mechanism needs no delta and spends none.",
    )


Mechanism = Annotated[
    SimplexGeometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal,
    Field(discriminator="kind"),
]


MechanismKind = Literal[
    "exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian"
]
"""Names of posterior mechanisms in the ledger."""

AllowedKind = Literal[
    "exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian", "linear"
]
"""Mechanisms that a budget can allow; `linear` measures rows for linear queries."""


def kind_of(mechanism: Mechanism) -> MechanismKind:
    """Return the kind, typed as one that budgets can allow."""
    return mechanism.kind


MECHANISM: Final[TypeAdapter[Mechanism]] = TypeAdapter(Mechanism)


KINDS: Final[tuple[MechanismKind, ...]] = tuple(
    get_args(each.model_fields["kind"].annotation)[0] for each in get_args(get_args(Mechanism)[0])
)
"""The kinds of all mechanisms, in the order above."""
