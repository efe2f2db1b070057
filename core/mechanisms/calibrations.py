"""Lists the calibrations: the ways to find a mechanism's channel for a requested loss, each with its effort."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from core.accounting.group import share_of_delta, share_of_epsilon, share_of_rho
from core.accounting.zcdp import largest_rho
from core.mechanisms.event import MAX_EPSILON, EventError
from core.mechanisms.exponential import calibration as exponential
from core.mechanisms.exponential.mechanism import Exponential, is_certified_at_once
from core.mechanisms.gaussian import MAX_RHO, MIN_RHO, Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import Calibration
from core.mechanisms.private_size import Law, PrivateSize, calibrate
from core.privacy import Delta, Epsilon, Rho

E = TypeVar("E")
TAKES_LONG: Final = "what it is charged takes long to find: ask for its certificate"


def shared_by_records(
    within: Callable[[int, tuple[float, ...], Epsilon, Delta], E],
) -> Callable[[int, tuple[float, ...], Epsilon, Delta, int], E]:
    """Return the `asked` of a calibration whose noise for several records is that of each record's share."""
    return lambda n, prior, epsilon, delta, records: within(
        n, prior, share_of_epsilon(epsilon, records), share_of_delta(delta, epsilon, records)
    )


def _calibrate_simplex_geometric(n: int, prior: tuple[float, ...], epsilon: Epsilon, _: Delta) -> SimplexGeometric:
    return SimplexGeometric(n, len(prior), epsilon)


def _calibrate_laplace(n: int, prior: tuple[float, ...], epsilon: Epsilon, _: Delta) -> Laplace:
    m = len(prior)
    # At two categories it loses half of its nominal epsilon.
    return Laplace(n, m, min(Epsilon(2 * epsilon.units), MAX_EPSILON) if m == 2 else epsilon)


def _calibrate_gaussian(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Gaussian:
    rho = largest_rho(epsilon, delta)
    if rho < MIN_RHO:
        raise EventError("epsilon is too small for the Gaussian mechanism at this delta")
    return Gaussian(n, len(prior), min(rho, MAX_RHO), delta)


def _gaussian_of_unit(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta, records: int) -> Gaussian:
    of_unit = _calibrate_gaussian(n, prior, epsilon, delta)
    return replace(of_unit, rho=share_of_rho(of_unit.rho, records))


def _gaussian_at_rho(n: int, prior: tuple[float, ...], rho: Rho, delta: Delta, records: int) -> Gaussian:
    return Gaussian(n, len(prior), share_of_rho(rho, records), delta)


def _calibrate_global(n: int, prior: tuple[float, ...], epsilon: Epsilon, _: Delta) -> Exponential:
    return exponential.calibrate_global(n, prior, epsilon)


def _published_of_unit(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta, records: int) -> Exponential:
    if not is_certified_at_once(n, len(prior)):
        raise EventError(TAKES_LONG)
    of_delta = share_of_delta(delta, epsilon, records)
    return exponential.calibrate_published(n, prior, share_of_epsilon(epsilon, records), of_delta)


def _refuse_slow_search(*_: object) -> Exponential:
    raise EventError(TAKES_LONG)


SIMPLEX_GEOMETRIC: Final = Calibration(
    kind="simplex_geometric",
    effort="formula",
    within=_calibrate_simplex_geometric,
    asked=shared_by_records(_calibrate_simplex_geometric),
    at_rho=None,
)
LAPLACE: Final = Calibration(
    kind="laplace",
    effort="formula",
    within=_calibrate_laplace,
    asked=shared_by_records(_calibrate_laplace),
    at_rho=None,
)
GAUSSIAN: Final = Calibration(
    kind="gaussian", effort="formula", within=_calibrate_gaussian, asked=_gaussian_of_unit, at_rho=_gaussian_at_rho
)
EXPONENTIAL_GLOBAL: Final = Calibration(
    kind="exponential_global",
    effort="evaluation",
    within=_calibrate_global,
    asked=shared_by_records(_calibrate_global),
    at_rho=None,
)
EXPONENTIAL_PROVEN: Final = Calibration(
    kind="exponential_proven",
    effort="search",
    within=exponential.calibrate_proven,
    asked=shared_by_records(exponential.calibrate_proven),
    at_rho=None,
)
EXPONENTIAL_PUBLISHED: Final[Calibration[Exponential]] = Calibration(
    kind="exponential_published",
    effort="evaluation",
    within=None,  # its loss is known from its certificate only
    asked=_published_of_unit,
    at_rho=None,
)
EXPONENTIAL_CERTIFIED: Final[Calibration[Exponential]] = Calibration(
    kind="exponential_certified",
    effort="search",
    within=None,  # its search takes too long for a plan: a minute
    asked=_refuse_slow_search,
    at_rho=None,
)


def _calibration_at_private_n(law: Law) -> Calibration[PrivateSize]:
    """Return the calibration of noise on every count. Its event does not depend on the number of records."""
    return Calibration(
        kind=f"{law}_at_private_n",
        effort="formula",
        within=lambda _, prior, epsilon, delta: calibrate(law, len(prior), epsilon, delta, 1),
        asked=lambda _, prior, epsilon, delta, records: calibrate(law, len(prior), epsilon, delta, records),
        at_rho=None
        if law != "gaussian"
        else lambda _, prior, rho, delta, records: PrivateSize(len(prior), law, rho, delta, records),
    )


GEOMETRIC_AT_PRIVATE_N: Final = _calibration_at_private_n("geometric")
LAPLACE_AT_PRIVATE_N: Final = _calibration_at_private_n("laplace")
GAUSSIAN_AT_PRIVATE_N: Final = _calibration_at_private_n("gaussian")
AT_PRIVATE_N: Final = (GEOMETRIC_AT_PRIVATE_N, LAPLACE_AT_PRIVATE_N, GAUSSIAN_AT_PRIVATE_N)
"""The calibrations for tables whose number of records is private, in the order in which plans show them."""
