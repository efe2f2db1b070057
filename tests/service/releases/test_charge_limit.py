"""The limit of a charge in a request, `max_charge`."""

from __future__ import annotations

import pytest

from core.accounting.accountants import Cost
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from service.errors import MaxChargeExceeded
from service.releases.release import above_limit
from service.schemas.releases import MaxCharge

EPSILON, RHO = Epsilon.parse("0.5"), Rho.parse("0.125")
BY_EPSILON, BY_RHO = Cost(epsilon=EPSILON), Cost(rho=RHO)
PROVEN, WITHOUT_RHO = PrivacyLoss(EPSILON, Delta(0), RHO), PrivacyLoss(EPSILON)


@pytest.mark.parametrize("cost", [BY_EPSILON, BY_RHO])
@pytest.mark.parametrize("limit", [{"epsilon": "0.5"}, {"rho": "0.125"}, {"epsilon": "0.5", "rho": "0.125"}])
def test_a_limit_that_is_just_reached_holds_whatever_the_accountant_counts_in(
    limit: dict[str, str], cost: Cost
) -> None:
    assert above_limit(MaxCharge.model_validate(limit), PROVEN, cost) is None


@pytest.mark.parametrize("cost", [BY_EPSILON, BY_RHO])
@pytest.mark.parametrize("limit", [{"epsilon": "0.49"}, {"rho": "0.12"}, {"rho": "0"}, {"epsilon": "1", "rho": "0.12"}])
def test_a_lower_limit_is_refused_whatever_the_accountant_counts_in(limit: dict[str, str], cost: Cost) -> None:
    assert isinstance(above_limit(MaxCharge.model_validate(limit), PROVEN, cost), MaxChargeExceeded)


def test_no_limit_of_rho_holds_where_no_rho_is_proven() -> None:
    limit = MaxCharge.model_validate({"rho": "1000"})
    assert isinstance(above_limit(limit, WITHOUT_RHO, BY_EPSILON), MaxChargeExceeded)
