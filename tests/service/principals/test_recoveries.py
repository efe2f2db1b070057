"""The outcome of recoveries in statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from service.database.engine import reading, writing
from service.principals import chain
from service.principals.chain import Event, PrincipalEvent
from service.principals.people import stated_recoveries
from service.schemas.principals import Role
from tests.harness.people import person

if TYPE_CHECKING:
    from sqlalchemy import Engine

ADMIN: Final = "pri_admin"


@pytest.mark.parametrize(
    ("by_admin", "detail", "outcome"),
    [
        pytest.param(False, {}, "vetoed", id="by an older key or the recovery code: the person is the actor"),
        pytest.param(True, {"replaced_by": "key_2"}, "replaced", id="by a later recovery"),
        pytest.param(False, {"replaced_by": "key_2"}, "replaced", id="by any actor"),
    ],
)
def test_an_ended_recovery_is_reported_as_vetoed_or_as_replaced(
    engine: Engine,
    by_admin: bool,  # noqa: FBT001  a parameter of the test
    detail: dict[str, Any],
    outcome: str,
) -> None:
    who = person(engine, Role.OWNER).principal_id
    started = Event(PrincipalEvent.RECOVERY_STARTED, ADMIN, "key_1", {"frozen_until": 2_000_000_000})
    ended = Event(PrincipalEvent.RECOVERY_VETOED, ADMIN if by_admin else who, "key_1", detail)
    with writing(engine) as connection:
        chain.lock(connection, who)
        chain.record(connection, who, started, ended)
    with reading(engine) as connection:
        [recovery], earlier = stated_recoveries(connection, {who})
    assert (recovery.vetoed_at is not None, recovery.replaced_at is not None) == (
        outcome == "vetoed",
        outcome == "replaced",
    )
    assert earlier == 0
