"""What a request of a mechanism may leave out, and the channel that follows."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from core.mechanisms.gaussian import Gaussian as GaussianEvent
from core.privacy import Delta, Epsilon
from service.channels.certified import Channel
from service.schemas.mechanisms import Mechanism, asked_by, record_of

MECHANISM: TypeAdapter[Mechanism] = TypeAdapter(Mechanism)


@pytest.mark.parametrize("records", [1, 3])
def test_gaussian_noise_by_epsilon_is_that_of_the_largest_rho_within_it(records: int) -> None:
    epsilon, delta = Epsilon.parse("0.5"), Delta.parse("0.0000001")
    request = MECHANISM.validate_python({"kind": "gaussian", "epsilon": "0.5", "delta": "1e-7"})
    by_epsilon = Channel(request, 1000, (1.0, 1.0), records).certify()
    planned = asked_by(record_of(request.kind).calibration(request), epsilon, delta, 2)
    assert planned is not None
    by_rho = Channel(planned, 1000, (1.0, 1.0), records).certify()
    assert isinstance(by_epsilon.event, GaussianEvent)
    assert by_epsilon.event == by_rho.event
    loss = by_epsilon.certificate.loss
    assert loss.delta == delta
    assert 0.499 < float(loss.epsilon) <= 0.5


def test_the_exponential_mechanism_is_proven_if_no_calibration_is_named() -> None:
    request = MECHANISM.validate_python({"kind": "exponential", "epsilon": "0.5"})
    assert request == MECHANISM.validate_python({"kind": "exponential", "epsilon": "0.5", "calibration": "proven"})
