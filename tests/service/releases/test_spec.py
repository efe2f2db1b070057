"""A stored order reads back unchanged, so a release that a crash left undrawn is drawn, priced and answered as
requested.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.accounting.accountants import Accountant
from core.mechanisms.catalogue import certify
from service.channels.certified import Certified
from service.channels.events import event_from_json
from service.channels.mechanisms import calibrate
from service.releases.spec import ReleaseSpec
from service.schemas.releases import CountsCreate

MECHANISMS: list[dict[str, Any]] = [
    {"kind": "simplex_geometric", "epsilon": "0.123456789"},
    {"kind": "laplace", "epsilon": "0.1"},
    {"kind": "gaussian", "rho": "0.0001", "delta": "1e-8"},
    {"kind": "exponential", "calibration": "proven", "epsilon": "0.5"},
    {"kind": "exponential", "calibration": "certified", "epsilon": "0.5", "delta": "1e-9"},
    {"kind": "exponential_published", "nominal_epsilon": "0.1", "delta": "1e-8"},
    {"kind": "exponential_global", "epsilon": "0.1"},
]


@pytest.mark.parametrize("accountant", list(Accountant))
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism["kind"])
def test_a_spec_is_read_back_as_it_was_stored(mechanism: dict[str, Any], accountant: Accountant) -> None:
    body = {
        "prior": [0.1, 1e-3, 1 / 3],
        "mechanism": mechanism,
        "max_charge": {"epsilon": "3", "delta": "1e-7"},
        "level": 0.9,
    }
    request = CountsCreate.model_validate(body | {"kind": "counts"})
    event = calibrate(request.mechanism, n=17, prior=tuple(request.prior_at(3)), records_per_unit=1)
    certified = Certified(event, certify(event))
    spec = ReleaseSpec(
        request=request.model_dump(mode="json", exclude={"kind"}),
        labels=["ä", '"b"\\', "c 🎲"],
        unit='one child, "born" in 1954',
        records_per_unit=2,
        accountant=accountant,
        certified=certified,
    )
    stored = spec.to_json()
    assert ReleaseSpec.from_json(stored) == spec
    assert event_from_json(json.loads(stored)["event"]) == event
    assert ReleaseSpec.from_json(stored).to_json() == stored
