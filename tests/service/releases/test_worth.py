"""What a quote says a release would be worth, at public sizes alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from core.mechanisms.exponential.calibration import calibrate_global
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.privacy import Epsilon
from service.releases.worth import worth_of
from tests.service.conftest import Study


def test_intervals_are_told_beside_those_of_exact_counts_and_of_the_prior() -> None:
    told = worth_of(SimplexGeometric(1000, 2, Epsilon.parse("0.5")), [1.0, 1.0], 0.9)
    exact = np.diff(special.betaincinv(501, 501, [0.05, 0.95]))[0]
    assert told.interval_width_without_noise == pytest.approx(exact, rel=1e-9)
    assert told.prior_interval_width == pytest.approx(0.9, rel=1e-9)
    assert told.interval_width is not None
    assert told.times_as_wide == pytest.approx(told.interval_width / exact)
    assert told.times_as_wide is not None
    assert 1.0 < told.times_as_wide < 1.2
    assert told.warning is None


def test_a_release_that_tells_next_to_nothing_is_warned_of() -> None:
    weak = worth_of(SimplexGeometric(50, 2, Epsilon.parse("0.001")), [1.0, 1.0], 0.95)
    assert weak.warning is not None
    assert "next to nothing: its interval would be about as wide as the prior's" in weak.warning
    many = worth_of(calibrate_global(2000, (1.0,) * 12, Epsilon.parse("0.5")), [1.0] * 12, 0.95)
    assert many.interval_width is None
    assert many.expected_hellinger_error is not None
    assert many.warning is not None
    # Few records say little by themselves, and that is no fault of the release.
    assert worth_of(SimplexGeometric(1, 2, Epsilon.parse("20")), [1.0, 1.0], 0.95).warning is None


def test_a_quote_says_it_and_looks_at_no_counts(study: Study) -> None:
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}, "level": 0.9}
    answer = study.analyst.post(f"/v1/datasets/{study.dataset_id}/quotes", body)
    assert answer.status_code == 200, answer.text
    size = study.analyst.get(f"/v1/datasets/{study.dataset_id}").json()["record_count"]
    expected = worth_of(SimplexGeometric(size, 2, Epsilon.parse("0.1")), [1.0, 1.0], 0.9)
    assert answer.json()["worth"] == expected.model_dump()
