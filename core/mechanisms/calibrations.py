"""Lists the calibrations: the ways to find a mechanism's channel for a requested loss, each with its effort."""

from __future__ import annotations

from typing import Final

from core.accounting.zcdp import largest_rho
from core.mechanisms.event import MAX_EPSILON, EventError
from core.mechanisms.exponential import calibration as exponential
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.gaussian import MAX_RHO, MIN_RHO, Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import Calibration
from core.privacy import Delta, Epsilon


def _laplace_within(n: int, prior: tuple[float, ...], epsilon: Epsilon, _: Delta) -> Laplace:
    m = len(prior)
    # At two categories it loses half of its nominal epsilon.
    return Laplace(n, m, min(Epsilon(2 * epsilon.units), MAX_EPSILON) if m == 2 else epsilon)


def _gaussian_within(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Gaussian:
    rho = largest_rho(epsilon, delta)
    if rho < MIN_RHO:
        raise EventError("epsilon is too small for the Gaussian mechanism at this delta")
    return Gaussian(n, len(prior), min(rho, MAX_RHO), delta)


SIMPLEX_GEOMETRIC: Final = Calibration(
    kind="simplex_geometric",
    effort="formula",
    within=lambda n, prior, epsilon, _: SimplexGeometric(n, len(prior), epsilon),
)
LAPLACE: Final = Calibration(kind="laplace", effort="formula", within=_laplace_within)
GAUSSIAN: Final = Calibration(kind="gaussian", effort="formula", within=_gaussian_within)
EXPONENTIAL_GLOBAL: Final = Calibration(
    kind="exponential_global",
    effort="evaluation",
    within=lambda n, prior, epsilon, _: exponential.calibrate_global(n, prior, epsilon),
)
EXPONENTIAL_PROVEN: Final = Calibration(
    kind="exponential_proven",
    effort="search",
    within=exponential.calibrate_proven,
)
EXPONENTIAL_PUBLISHED: Final[Calibration[Exponential]] = Calibration(
    kind="exponential_published",
    effort="evaluation",
    within=None,  # its loss is known from its certificate only
)
EXPONENTIAL_CERTIFIED: Final[Calibration[Exponential]] = Calibration(
    kind="exponential_certified",
    effort="search",
    within=None,  # its search takes too long for a plan: a minute
)
