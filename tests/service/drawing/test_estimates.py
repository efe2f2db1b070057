"""Estimates of draws are longer on a slower host, so that its answers keep their ticks."""

from __future__ import annotations

import pytest

from core.mechanisms.laplace import Laplace
from core.privacy import Epsilon
from service.drawing import estimates
from service.drawing.estimates import estimate_seconds, kill_seconds, slot_seconds
from service.queries.ask import _pricing_seconds
from service.releases.response_time import lease_seconds, spacing_seconds

EVENT = Laplace(10_000, 1_000, Epsilon.parse("1"))
MEASURE = estimates.host_factor.__wrapped__
"""Measures anew; the tests replace `host_factor`."""


def test_all_that_follows_from_the_estimate_of_a_draw_grows_with_the_factor_of_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reference, pricing = estimate_seconds(EVENT, 1000), _pricing_seconds(1000)
    monkeypatch.setattr(estimates, "host_factor", lambda: 64.0)
    slower = estimate_seconds(EVENT, 1000)
    assert slower == pytest.approx(64 * reference)
    assert _pricing_seconds(1000) == pytest.approx(64 * pricing)
    assert slot_seconds(slower) == 64 * slot_seconds(reference)
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
