"""The data of an owner who has left or can't be reached rest: nothing is released from them until somebody answers for
them again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.client.people import someone
from tests.harness.bodies import querying
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study
from tests.service.principals.test_enrolment import exchange, token_for, use

if TYPE_CHECKING:
    from collections.abc import Callable


def end(study: Study) -> None:
    assert study.owner.server.admin.delete(f"/v1/principals/{study.owner.principal_id}").status_code == 204


def recover(study: Study) -> Party:
    """Start a recovery of the owner, and return the owner with its new key."""
    use(study.owner)
    made = exchange(study.owner.server, token_for(study.owner)["token"]).json()
    return Party(study.owner.principal_id, made["key"], study.owner.server, made["id"])


@pytest.mark.parametrize("leave", [end, recover])
def test_nothing_is_released_from_the_data_of_an_owner_who_cannot_act(
    study: Study, leave: Callable[[Study], object]
) -> None:
    """Seen before: after the owner was revoked, a grant released on until the budget was empty."""
    analyst, path = study.analyst, f"/v1/datasets/{study.dataset_id}"
    paid = analyst.release(study.dataset_id, key="before")
    assert paid.status_code == 201
    leave(study)
    refused = analyst.release(study.dataset_id, key="after")
    assert (problem_code(refused), refused.json()["charged"]) == ("owner-unavailable", False)
    queries = querying({"of": {"labels": ["case"]}, "half_width": 1000.0})
    answered = analyst.request("POST", f"{path}/releases", json=queries, headers={"Idempotency-Key": "queries"})
    assert problem_code(answered) == "owner-unavailable"
    assert analyst.get(f"{path}/allowance").json()["blocked_by"] == "owner-unavailable"
    assert analyst.release(study.dataset_id, key="before").content == paid.content, "a replay stays free"
    charges = "SELECT 1 FROM entries WHERE budget_id = :id AND kind IN ('release_charged', 'query_charged')"
    assert len(study.owner.server.rows(charges, id=study.budget_id)) == 1


def test_during_a_recovery_the_new_key_freezes_closes_and_lowers(study: Study) -> None:
    """Seen before: `recovery-pending`, while analysts released on."""
    owner = recover(study)
    budget, grant = f"/v1/budgets/{study.budget_id}", f"/v1/grants/{study.grant_id}"
    lowering = [
        (grant, {"epsilon": "0.4"}),
        (grant, {"expires_at": "2099-01-01T00:00:00Z"}),
        (grant, {"expires_at": "2098-01-01T00:00:00Z", "epsilon": "0.3", "closed": True}),
        (budget, {"epsilon": "0.9"}),
        (budget, {"release_cap": {"epsilon": "0.2", "delta": "0"}}),
        (budget, {"release_cap": {"epsilon": "0.1", "delta": "0"}, "allowed_mechanisms": ["laplace"]}),
        (budget, {"frozen": True}),
    ]
    for path, change in lowering:
        assert owner.patch(path, change).status_code == 200, (path, change)
    raising = [
        (grant, {"epsilon": "0.4"}),
        (grant, {"expires_at": None}),
        (grant, {"expires_at": "2099-01-01T00:00:00Z"}),
        (grant, {"closed": False}),
        (budget, {"epsilon": "1"}),
        (budget, {"release_cap": None}),
        (budget, {"allowed_mechanisms": ["laplace", "gaussian"]}),
        (budget, {"frozen": False}),
    ]
    for path, change in raising:
        assert problem_code(owner.patch(path, change)) == "recovery-pending", (path, change)
    assert {each["detail"]["api_key_id"] for each in study.ledger()[-8:]} == {owner.key_id}


def test_an_admin_freezes_a_budget_without_reading_it(study: Study, admin: Party) -> None:
    path = f"/v1/budgets/{study.budget_id}"
    for _ in range(2):
        answer = admin.patch(path, {"frozen": True})
        assert (answer.status_code, answer.content) == (204, b"")
    assert problem_code(study.analyst.release(study.dataset_id)) == "budget-frozen"
    for change in ({"frozen": False}, {"frozen": True, "epsilon": "0.5"}, {"epsilon": "0.5"}):
        assert problem_code(admin.patch(path, change)) == "role-not-allowed"
    assert problem_code(admin.get(path)) == "not-found"
    assert problem_code(admin.patch(f"/v1/budgets/bud_{'a' * 26}", {"frozen": True})) == "not-found"
    frozen = study.ledger()[-1]
    assert (frozen["kind"], frozen["principal_id"]) == ("budget_frozen", admin.principal_id)
    assert study.owner.patch(path, {"frozen": False}).status_code == 200
    assert study.analyst.release(study.dataset_id).status_code == 201


def test_an_admin_freezes_with_the_command(study: Study, server: Server, tmp_path: Path) -> None:
    admin = someone(tmp_path, server, server.admin)
    assert "Only its owner can unfreeze it" in admin.run("budgets", "freeze", study.budget_id).stderr
    assert study.budget()["frozen"] is True
