"""Every mechanism of the API has a description and a calibration, and stored events read back unchanged."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from pydantic import TypeAdapter

from core.accounting.accountants import Accountant, price
from core.accounting.group import share_of_epsilon
from core.mechanisms.catalogue import MECHANISMS, certify_unit, mechanism_of
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.geometric.weighting import weighting
from core.privacy import Delta, Epsilon
from service.channels.events import UnknownEventError, event_from_json, event_to_json
from service.channels.mechanisms import calibrate, check
from service.errors import InvalidRequest
from service.schemas.mechanisms import KINDS, Mechanism, MechanismKind, record_of
from service.schemas.mechanisms import REQUESTS as REQUEST_RECORDS
from tests.service.test_privacy_audit import MECHANISMS as AUDITED
from tests.service.test_private_size_audit import MECHANISMS as AUDITED_AT_PRIVATE_N

REQUESTS: list[Mechanism] = [
    TypeAdapter[Mechanism](Mechanism).validate_python(each)
    for each in (
        {"kind": "simplex_geometric", "epsilon": "0.5"},
        {"kind": "laplace", "epsilon": "0.5"},
        {"kind": "gaussian", "rho": "0.01", "delta": "1e-7"},
        {"kind": "exponential", "calibration": "proven", "epsilon": "0.5"},
        {"kind": "exponential", "calibration": "certified", "epsilon": "0.5"},
        {"kind": "exponential_published", "nominal_epsilon": "0.5", "delta": "1e-7"},
        {"kind": "exponential_global", "epsilon": "0.5"},
    )
]
AT_PRIVATE_N: list[Mechanism] = [
    TypeAdapter[Mechanism](Mechanism).validate_python({"kind": "geometric", "epsilon": "0.5"}),
    *(each for each in REQUESTS if each.kind in {"laplace", "gaussian"}),
]
"""The mechanisms of tables whose number of records is private."""


def test_budgets_can_allow_each_mechanism_that_can_be_asked_for_and_no_other() -> None:
    assert set(TypeAdapter[str](MechanismKind).json_schema()["enum"]) == set(KINDS)
    assert {each.kind for each in [*REQUESTS, *AT_PRIVATE_N]} == set(KINDS), "each is tried below"


def test_each_mechanism_is_audited() -> None:
    assert {each["kind"] for each in [*AUDITED, *AUDITED_AT_PRIVATE_N]} == set(KINDS)


def test_each_mechanism_has_a_description_in_the_api() -> None:
    described = TypeAdapter[Mechanism](Mechanism).json_schema()["$defs"].values()
    told = {
        each["properties"]["kind"]["const"]: each.get("description", "")
        for each in described
        if "kind" in each["properties"]
    }
    assert set(told) == set(KINDS)
    assert all(told.values())


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.kind)
def test_a_request_is_calibrated_as_its_mechanism_says(request_: Mechanism) -> None:
    event = calibrate(request_, n=30, prior=(1.0, 2.0), records_per_unit=1)
    assert record_of(request_.kind).calibration(request_) in mechanism_of(event).calibrations
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event
    assert event_to_json(event)["event"] in {each.kind for each in MECHANISMS}


@pytest.mark.parametrize("request_", [*REQUESTS, *AT_PRIVATE_N], ids=lambda each: each.kind)
def test_a_mechanism_runs_at_a_private_number_of_records_if_its_counts_do_not_add_up(request_: Mechanism) -> None:
    of_kind = {each.kind for each in AT_PRIVATE_N}
    if request_.kind not in of_kind:
        with pytest.raises(InvalidRequest):
            calibrate(request_, n=None, prior=(1.0, 2.0), records_per_unit=3)
        return
    event = calibrate(request_, n=None, prior=(1.0, 2.0), records_per_unit=3)
    assert event == event_from_json(json.loads(json.dumps(event_to_json(event))))
    stored = event_to_json(event)
    assert (stored["event"], stored["law"], stored["records_per_unit"]) == ("private_size", request_.kind, 3)
    assert "n" not in stored


@pytest.mark.parametrize("records", [1, 3])
def test_the_largest_releases_of_a_small_table_are_priced_without_its_weights(records: int) -> None:
    """Seen before: 36 certificates of half a second each, inside a read transaction."""
    n, m, epsilon, delta = 40, 3, Epsilon.parse("0.3"), Delta.parse("1e-6")
    weighting.cache_clear()
    for record in REQUEST_RECORDS:
        if record.largest_epsilon is not None and record.largest_epsilon.runs_at(n, m):
            record.largest_epsilon.loss(n, m, epsilon, delta, records)
    assert weighting.cache_info().misses == 0
    largest = record_of("simplex_geometric").largest_epsilon
    assert largest is not None
    bound = largest.loss(n, m, epsilon, delta, records)
    of_unit = certify_unit(SimplexGeometric(n, m, share_of_epsilon(epsilon, records)), records).loss
    for accountant in Accountant:
        assert price(of_unit, accountant).fits(price(bound, accountant))


def test_an_event_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UnknownEventError):
        event_from_json({"event": "linear_answers", "n": 10, "m": 2})


@pytest.mark.parametrize(
    ("n", "m", "delta", "rule"),
    [
        (10**7 + 1, 2, "0", "at most 10000000 records"),
        (1000, 1001, "0", "at most 1000 categories"),
    ],
)
@pytest.mark.parametrize("ask", [check, calibrate])
def test_a_size_that_no_search_can_serve_is_refused_at_once_by_field_and_rule(
    ask: Callable[..., object], n: int, m: int, delta: str, rule: str
) -> None:
    """Once a job searched for it, failed, and answered that no certificate was found."""
    request = TypeAdapter(Mechanism).validate_python(
        {"kind": "exponential", "calibration": "proven", "epsilon": "1", "delta": delta}
    )
    with pytest.raises(InvalidRequest) as refusal:
        ask(request, n=n, prior=(1.0,) * m, records_per_unit=1)
    (error,) = refusal.value.errors
    assert error["location"] == "mechanism"
    assert rule in error["rule"]


def test_a_refusal_says_that_the_amount_was_divided_among_the_records_of_a_unit() -> None:
    wanted: Mechanism = TypeAdapter[Mechanism](Mechanism).validate_python({"kind": "laplace", "epsilon": "0.0001"})
    with pytest.raises(InvalidRequest) as refused:
        calibrate(wanted, n=100, prior=(1.0, 1.0), records_per_unit=3)
    assert "50, after the amount is divided among the 3 records of a unit" in str(refused.value.errors)
    other: Mechanism = TypeAdapter[Mechanism](Mechanism).validate_python({"kind": "laplace", "epsilon": "0.5"})
    for sizes, rule in (((1, 3), "categories"), ((0, 2), "records")):
        with pytest.raises(InvalidRequest) as refused:
            calibrate(other, n=sizes[0], prior=(1.0,) * (20_000 if rule == "categories" else 2), records_per_unit=3)
        assert "divided" not in str(refused.value.errors), rule
