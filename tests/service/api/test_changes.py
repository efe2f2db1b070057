"""Null in a change means one thing: it clears a field where that has a meaning, and is refused elsewhere."""

from __future__ import annotations

from typing import Any

from tests.service.conftest import Study


def test_null_clears_a_field_or_is_refused(study: Study) -> None:
    budget, grant = f"/v1/budgets/{study.budget_id}", f"/v1/grants/{study.grant_id}"
    dataset, owner = f"/v1/datasets/{study.dataset_id}", study.owner
    for path, names in (
        (budget, "name epsilon delta frozen low_budget_percent"),
        (grant, "epsilon rho delta closed"),
        (dataset, "name counts named_counts labels attributes impossible history_shared listed"),
    ):
        before = owner.get(path).json() if path != grant else None
        for name in names.split():
            refused = owner.patch(path, {name: None})
            assert (refused.status_code, refused.json()["errors"][0]["location"]) == (422, f"body.{name}"), name
            assert "can't be null" in refused.text
        assert path == grant or owner.get(path).json() == before
    caps: dict[str, Any] = {"release_cap": {"epsilon": "0.5", "delta": "0"}, "allowed_mechanisms": ["laplace"]}
    assert owner.patch(budget, caps).is_success
    cleared = owner.patch(budget, dict.fromkeys(caps)).json()
    assert [cleared[name] for name in caps] == [None, None]
    assert owner.patch(grant, {"expires_at": "2999-01-01T00:00:00Z"}).json()["expires_at"]
    assert owner.patch(grant, {"expires_at": None}).json()["expires_at"] is None
