"""Inputs of computations that are jobs: what another version of the service wrote is refused in words."""

from __future__ import annotations

import json

import pytest

from service.errors import NotSupported
from service.posteriors import computations


@pytest.mark.parametrize("compute", [computations.posterior, computations.comparison, computations.picture])
def test_a_job_of_0_2_is_refused_in_words(compute: object) -> None:
    assert callable(compute)
    with pytest.raises(NotSupported, match="not-supported") as refused:
        compute(json.dumps({"releases": [], "request": "{}"}))
    assert "Send the request again" in refused.value.detail
