"""Converts requests to events of the core, based on public facts only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import overload

from core.mechanisms.catalogue import CountsEvent, Event
from core.mechanisms.event import EventError, LossError
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
    if n is None:
        with _refusals(1):
            return record_of(mechanism.kind).at_private_n(mechanism, len(prior), records_per_unit)
    with _refusals(records_per_unit):
        return record_of(mechanism.kind).calibrate(_mechanism_for_one_record(mechanism, records_per_unit), n, prior)


def check(mechanism: Mechanism, *, n: int | None, prior: tuple[float, ...], records_per_unit: int) -> None:
    """Raise the errors of `calibrate` that can be found without a search. A job certifies the rest."""
    record = record_of(mechanism.kind)
    if n is None or record.check is None:
        calibrate(mechanism, n=n, prior=prior, records_per_unit=records_per_unit)
        return
    with _refusals(records_per_unit):
        record.check(_mechanism_for_one_record(mechanism, records_per_unit), n, prior)


@contextmanager
def _refusals(records: int) -> Iterator[None]:
    """Raise InvalidRequest for an EventError, with a word on the division if the amount was divided among `records`."""
    try:
        yield
    except EventError as error:
        is_divided = records > 1 and isinstance(error, LossError)
        share = f", after the amount is divided among the {records} records of a unit" if is_divided else ""
        raise InvalidRequest.at("mechanism", f"{error}{share}") from None


def _mechanism_for_one_record(mechanism: Mechanism, records: int) -> Mechanism:
    """Return the parameters for one record, at which `records` of them lose at most the requested amount
    (`core.accounting.group`). Raises EventError if the share of one record rounds to 0.
    """
    return mechanism if records == 1 else record_of(mechanism.kind).for_one_record(mechanism, records)


def is_formula(mechanism: Mechanism) -> bool:
    """Return whether calibration and certificate are simple formulas, so that storing them saves nothing."""
    return record_of(mechanism.kind).calibration(mechanism).effort == "formula"
