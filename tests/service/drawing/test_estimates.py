"""Estimates of draws are public: they depend on sizes, prior and rows, never on rates or counts. They are longer on a
slower host, so that its answers keep their ticks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.mechanisms.catalogue import MECHANISMS, AnyEvent
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.linear import LinearAnswers
from core.privacy import Delta, Epsilon, Rate, Rho
from service.drawing import estimates
from service.drawing.estimates import (
    estimate_seconds,
    is_short,
    kill_seconds,
    memory_bytes,
)
from service.queries.paid_queries import _pricing_seconds
from service.runtime.response_time import lease_seconds, spacing_seconds

if TYPE_CHECKING:
    pass


EVENT = Laplace(10_000, 1_000, Epsilon.parse("1"))
MEASURE = estimates.host_factor.__wrapped__
"""Measures anew; the tests replace `host_factor`."""

LITTLE, MUCH = Epsilon.parse("0.0001"), Epsilon.parse("50")


def events_of_one_kind(n: int, m: int, prior: float) -> dict[str, list[AnyEvent]]:
    """By mechanism, channels of the same size and prior that differ in everything else."""
    alpha, row = (prior,) * m, (1,) + (0,) * (m - 1)
    return {
        # Few records have another mechanism at small epsilon: a matter of public parameters.
        "simplex_geometric": [SimplexGeometric(n, m, epsilon) for epsilon in (LITTLE, MUCH) if n > 1000],
        "laplace": [Laplace(n, m, epsilon) for epsilon in (LITTLE, MUCH)],
        "gaussian": [
            Gaussian(n, m, Rho.parse("0.00000001"), Delta.parse("1e-9")),
            Gaussian(n, m, Rho.parse("1000"), Delta.parse("0.5")),
        ],
        "exponential": [
            Exponential(n, alpha, LITTLE, 1e-9, None, "published", Delta.parse("1e-9")),
            Exponential(n, alpha, MUCH, None, 300.0, "global", Delta(0)),
            Exponential(n, alpha, MUCH, 1.0, 300.0, "certified", Delta(0)),
        ],
        "linear": [LinearAnswers(n, m, 1, (row,), (Rate.parse(rate),)) for rate in ("0.0001", "50")],
    }


@pytest.mark.parametrize("prior", [1.0, 1e6])
@pytest.mark.parametrize(("n", "m"), [(1, 2), (100_000, 2), (10_000, 3), (1_000_000, 50), (10_000_000, 1_000)])
def test_an_estimate_depends_on_sizes_and_prior_alone(n: int, m: int, prior: float) -> None:
    for events in events_of_one_kind(n, m, prior).values():
        assert len({estimate_seconds(event, 1, 1_000) for event in events}) <= 1


def test_the_estimate_of_every_mechanism_is_compared() -> None:
    compared = {type(event) for events in events_of_one_kind(10_000, 3, 1.0).values() for event in events}
    assert {each.event for each in MECHANISMS} <= compared


LISTED: list[tuple[AnyEvent, float]] = [
    (SimplexGeometric(20, 2, LITTLE), 0.3),
    (Laplace(20, 2, LITTLE), 1.0),
    (Gaussian(20, 2, Rho.parse("0.5"), Delta.parse("1e-6")), 5.3),
    (SimplexGeometric(1_000, 100, LITTLE), 3.8),
    (Gaussian(1_000, 100, Rho.parse("0.5"), Delta.parse("1e-6")), 6.1),
    (SimplexGeometric(100_000, 10_000, LITTLE), 40),
    (Gaussian(100_000, 10_000, Rho.parse("0.5"), Delta.parse("1e-6")), 88),
    *(
        (Exponential(n, (1.0,) * m, LITTLE, None, None, "global", Delta(0)), slowest)
        for m, n, slowest in (
            (2, 100_000, 21),
            (3, 10_000_000, 22),
            (10, 100_000, 29),
            (50, 1_000_000, 76),
            (100, 1_000_000, 145),
            (200, 1_000, 305),
            (1_000, 100_000, 2_900),
        )
    ),
]
"""Events of docs/explanation/response-time.md, and the slowest draw that was found of each, in ms."""


def test_estimates_are_above_the_slowest_draws_that_were_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "host_factor", lambda: 1.0)
    below = {event.m: slowest for event, slowest in LISTED if estimate_seconds(event, 1, 0) < slowest / 1000}
    assert not below


def test_limits_are_far_above_the_estimate() -> None:
    assert [kill_seconds(each) for each in (0.001, 0.03, 1.0, 20.0)] == [11, 11, 20, 210]
    assert memory_bytes(1.0, 0) - memory_bytes(0.0, 0) == 128 << 20
    assert memory_bytes(0.0, 1_000_000) > 64_000_000


def test_short_draws_share_a_process_and_long_ones_do_not() -> None:
    short: list[AnyEvent] = [
        SimplexGeometric(10**6, 1_000, LITTLE),
        Gaussian(10**6, 100, Rho.parse("0.01"), Delta.parse("1e-9")),
        Exponential(1_000, (1.0,) * 2, LITTLE, None, None, "global", Delta(0)),
    ]
    long: list[AnyEvent] = [
        SimplexGeometric(10**6, 10_000, LITTLE),
        SimplexGeometric(43, 3, LITTLE),  # by weights of all candidates, which are found first
        Exponential(100_000, (1e6,) * 250, LITTLE, None, None, "global", Delta.parse("1e-9")),
    ]
    assert all(is_short(estimate_seconds(each, 1, 2_000)) for each in short)
    assert not any(is_short(estimate_seconds(each, 1, 2_000)) for each in long)


def test_spacings_leases_and_limits_scale_with_the_factor_of_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.runtime.response_time.kill_seconds", kill_seconds)
    reference, pricing = estimate_seconds(EVENT, 1, 1000), _pricing_seconds(1000)
    monkeypatch.setattr(estimates, "host_factor", lambda: 64.0)
    slower = estimate_seconds(EVENT, 1, 1000)
    assert slower == pytest.approx(64 * reference)
    assert _pricing_seconds(1000) == pytest.approx(64 * pricing)
    assert spacing_seconds(slower, 10) == 64 * spacing_seconds(reference, 10)
    assert kill_seconds(slower) > kill_seconds(reference)
    assert lease_seconds(slower, 10) > lease_seconds(reference, 10)


def test_a_faster_host_is_no_reason_to_answer_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "_REFERENCE_SECONDS", 3600.0)
    assert MEASURE() == 1.0


def test_the_factor_is_how_many_times_as_long_a_fixed_work_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "_REFERENCE_SECONDS", 1e-6)
    factor = MEASURE()
    assert 100 < factor < 1e5
    monkeypatch.setattr(estimates, "_REFERENCE_SECONDS", 1e-7)
    assert 5 < MEASURE() / factor < 20
