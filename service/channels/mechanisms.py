"""Converts requests to events of the core, based on public facts only."""

from __future__ import annotations

from typing import Any, assert_never

from core.accounting.group import share_of_delta, share_of_epsilon, share_of_rho
from core.mechanisms import calibrations, gaussian, laplace
from core.mechanisms.catalogue import Event
from core.mechanisms.event import EventError
from core.mechanisms.exponential import calibration
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.mechanism import Calibration
from core.privacy import Delta, Epsilon, Rho
from service.errors import InvalidRequest
from service.schemas import mechanisms as schema


def calibrate(mechanism: schema.Mechanism, *, n: int, prior: tuple[float, ...], records_per_unit: int) -> Event:
    """Return the event of a request at `n` records, with at most `records_per_unit` records per unit.

    Raises InvalidRequest or NotSupported, based on public facts only.
    """
    m = len(prior)
    try:
        mechanism = _for_one_record(mechanism, records_per_unit)
        match mechanism:
            case schema.SimplexGeometric():
                return simplex_geometric.SimplexGeometric(n, m, mechanism.epsilon)
            case schema.Laplace():
                return laplace.Laplace(n, m, mechanism.epsilon)
            case schema.Gaussian():
                return gaussian.Gaussian(n, m, mechanism.rho, mechanism.delta)
            case schema.Exponential(calibration="proven"):
                return calibration.calibrate_proven(n, prior, mechanism.epsilon, mechanism.delta)
            case schema.Exponential():
                return calibration.calibrate_certified(n, prior, mechanism.epsilon, mechanism.delta)
            case schema.ExponentialPublished():
                return calibration.calibrate_published(n, prior, mechanism.nominal_epsilon, mechanism.delta)
            case schema.ExponentialGlobal():
                return calibration.calibrate_global(n, prior, mechanism.epsilon, mechanism.delta)
            case _:
                assert_never(mechanism)
    except EventError as error:
        raise InvalidRequest.at("mechanism", str(error)) from None


def check(mechanism: schema.Mechanism, *, n: int, prior: tuple[float, ...], records_per_unit: int) -> None:
    """Raise what `calibrate` would raise, as far as that can be decided without a search. A job certifies the rest."""
    try:
        match of_one := _for_one_record(mechanism, records_per_unit):
            case schema.Exponential(calibration="proven"):
                calibration.check_proven(n, prior, of_one.epsilon, of_one.delta)
            case schema.Exponential():
                calibration.check_evaluable(n, prior, of_one.epsilon)
            case _:
                calibrate(mechanism, n=n, prior=prior, records_per_unit=records_per_unit)
    except EventError as error:
        raise InvalidRequest.at("mechanism", str(error)) from None


def _for_one_record(mechanism: schema.Mechanism, records: int) -> schema.Mechanism:
    """Return the parameters for one record, at which `records` of them lose at most the requested amount
    (`core.accounting.group`). Raises EventError if the share of one record rounds to 0.
    """
    if records == 1:
        return mechanism
    match mechanism:
        case schema.Gaussian():
            shares: dict[str, Epsilon | Delta | Rho] = {"rho": share_of_rho(mechanism.rho, records)}
        case schema.SimplexGeometric() | schema.Laplace():
            shares = {"epsilon": share_of_epsilon(mechanism.epsilon, records)}
        case schema.ExponentialPublished():
            shares = {
                "nominal_epsilon": share_of_epsilon(mechanism.nominal_epsilon, records),
                "delta": _share_of_delta(mechanism.delta, mechanism.nominal_epsilon, records),
            }
        case schema.Exponential() | schema.ExponentialGlobal():
            shares = {
                "epsilon": share_of_epsilon(mechanism.epsilon, records),
                "delta": _share_of_delta(mechanism.delta, mechanism.epsilon, records),
            }
        case _:
            assert_never(mechanism)
    return mechanism.model_copy(update=shares)


def _share_of_delta(delta: Delta, epsilon: Epsilon, records: int) -> Delta:
    share = share_of_delta(delta, epsilon, records)
    if delta.units and not share.units:
        raise EventError("delta is too small for this number of records of one unit")
    return share


def calibration_of(mechanism: schema.Mechanism) -> Calibration[Any]:
    """Return the calibration that finds the channel of the request."""
    match mechanism:
        case schema.SimplexGeometric():
            return calibrations.SIMPLEX_GEOMETRIC
        case schema.Laplace():
            return calibrations.LAPLACE
        case schema.Gaussian():
            return calibrations.GAUSSIAN
        case schema.Exponential(calibration="proven"):
            return calibrations.EXPONENTIAL_PROVEN
        case schema.Exponential():
            return calibrations.EXPONENTIAL_CERTIFIED
        case schema.ExponentialPublished():
            return calibrations.EXPONENTIAL_PUBLISHED
        case schema.ExponentialGlobal():
            return calibrations.EXPONENTIAL_GLOBAL
        case _:
            assert_never(mechanism)


def is_immediate(mechanism: schema.Mechanism) -> bool:
    """Return whether calibration and certificate are simple formulas, so that caching them saves nothing."""
    return calibration_of(mechanism).effort == "formula"
