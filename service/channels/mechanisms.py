"""Converts requests to events of the core, based on public facts only."""

from __future__ import annotations

from typing import overload

from core.mechanisms.catalogue import CountsEvent, Event
from core.mechanisms.event import EventError
from service.errors import InvalidRequest
from service.schemas.mechanisms import Mechanism, record_of


@overload
def calibrate(mechanism: Mechanism, *, n: int, prior: tuple[float, ...], records_per_unit: int) -> Event: ...
@overload
def calibrate(
    mechanism: Mechanism, *, n: int | None, prior: tuple[float, ...], records_per_unit: int
) -> CountsEvent: ...
def calibrate(mechanism: Mechanism, *, n: int | None, prior: tuple[float, ...], records_per_unit: int) -> CountsEvent:
    """Return the event of a request at `n` records, with at most `records_per_unit` records per unit. If n is None, the
    number of records is private.

    Raises InvalidRequest or NotSupported, based on public facts only.
    """
    try:
        if n is None:
            return record_of(mechanism.kind).at_private_n(mechanism, len(prior), records_per_unit)
        return record_of(mechanism.kind).calibrate(_mechanism_for_one_record(mechanism, records_per_unit), n, prior)
    except EventError as error:
        raise _refusal(error, records_per_unit) from None


def check(mechanism: Mechanism, *, n: int | None, prior: tuple[float, ...], records_per_unit: int) -> None:
    """Raise the errors of `calibrate` that can be found without a search. A job certifies the rest."""
    record = record_of(mechanism.kind)
    if n is None or record.check is None:
        calibrate(mechanism, n=n, prior=prior, records_per_unit=records_per_unit)
        return
    try:
        record.check(_mechanism_for_one_record(mechanism, records_per_unit), n, prior)
    except EventError as error:
        raise _refusal(error, records_per_unit) from None


def _refusal(error: EventError, records: int) -> InvalidRequest:
    share = "" if records == 1 else f", after the amount is divided among the {records} records of a unit"
    return InvalidRequest.at("mechanism", f"{error}{share}")


def _mechanism_for_one_record(mechanism: Mechanism, records: int) -> Mechanism:
    """Return the parameters for one record, at which `records` of them lose at most the requested amount
    (`core.accounting.group`). Raises EventError if the share of one record rounds to 0.
    """
    return mechanism if records == 1 else record_of(mechanism.kind).for_one_record(mechanism, records)


def is_formula(mechanism: Mechanism) -> bool:
    """Return whether calibration and certificate are simple formulas, so that storing them saves nothing."""
    return record_of(mechanism.kind).calibration(mechanism).effort == "formula"
