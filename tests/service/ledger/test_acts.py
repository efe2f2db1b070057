"""Every change of an amount that can be spent, and of the people who can spend it, is an entry with its time and
principal.
"""

from __future__ import annotations

import time
from typing import Any

from tests.harness.bodies import budget_body, unique
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body


def new_entries(study: Study, after: int) -> list[tuple[str, str, str]]:
    return [
        (each["kind"], each["principal_id"], each["subject_id"]) for each in study.ledger() if each["sequence"] > after
    ]


def head(study: Study) -> int:
    return int(study.budget()["sequence"])


def test_every_act_of_an_owner_is_one_entry(study: Study) -> None:
    owner, budget, dataset, grant = study.owner, study.budget_id, study.dataset_id, study.grant_id
    me = owner.principal_id
    acts: list[tuple[Any, list[tuple[str, str, str]]]] = [
        (lambda: owner.patch(f"/v1/budgets/{budget}", {"name": unique("new name")}), [("budget_renamed", me, budget)]),
        (lambda: owner.patch(f"/v1/budgets/{budget}", {"epsilon": "2"}), [("budget_changed", me, budget)]),
        (lambda: owner.patch(f"/v1/budgets/{budget}", {"frozen": True}), [("budget_frozen", me, budget)]),
        (lambda: owner.patch(f"/v1/budgets/{budget}", {"frozen": True}), []),
        (lambda: owner.patch(f"/v1/budgets/{budget}", {"frozen": False}), [("budget_unfrozen", me, budget)]),
        (
            lambda: owner.patch(f"/v1/budgets/{budget}", {"release_cap": {"epsilon": "1", "delta": "0"}}),
            [("policy_changed", me, budget)],
        ),
        (
            lambda: owner.patch(f"/v1/budgets/{budget}", {"allowed_mechanisms": ["laplace"]}),
            [("policy_changed", me, budget)],
        ),
        (lambda: owner.patch(f"/v1/budgets/{budget}", {"low_budget_percent": 5}), [("policy_changed", me, budget)]),
        (lambda: owner.patch(f"/v1/grants/{grant}", {"epsilon": "0.6"}), [("grant_changed", me, grant)]),
        (lambda: owner.patch(f"/v1/grants/{grant}", {"closed": True}), [("grant_closed", me, grant)]),
        (lambda: owner.patch(f"/v1/grants/{grant}", {"closed": False}), [("grant_reopened", me, grant)]),
        (lambda: owner.patch(f"/v1/datasets/{dataset}", {"counts": [5, 6]}), [("dataset_replaced", me, dataset)]),
        (
            lambda: owner.patch(f"/v1/datasets/{dataset}", {"name": unique("new name")}),
            [("dataset_renamed", me, dataset)],
        ),
        (
            lambda: owner.patch(f"/v1/datasets/{dataset}", {"history_shared": True}),
            [("history_shared", me, dataset)],
        ),
        (lambda: owner.patch(f"/v1/datasets/{dataset}", {"history_shared": True}), []),
        (
            lambda: owner.patch(f"/v1/datasets/{dataset}", {"history_shared": False}),
            [("history_unshared", me, dataset)],
        ),
        (lambda: owner.delete(f"/v1/datasets/{dataset}"), [("dataset_deleted", me, dataset)]),
    ]
    for act, expected in acts:
        before, since = head(study), time.time() - 1
        assert act().is_success
        assert new_entries(study, before) == expected
        moments = [each["created_at"] for each in study.ledger() if each["sequence"] > before]
        assert all(time.gmtime(since) <= time.strptime(moment, "%Y-%m-%dT%H:%M:%SZ") for moment in moments)


def test_a_publication_and_its_withdrawal_are_one_entry_each(study: Study) -> None:
    release_id = study.analyst.release(study.dataset_id).json()["id"]
    before = head(study)
    for public in (True, True, False):
        assert study.owner.patch(f"/v1/releases/{release_id}", {"public": public}).is_success
    me = study.owner.principal_id
    assert new_entries(study, before) == [("release_published", me, release_id), ("release_withdrawn", me, release_id)]


def test_opening_is_noted_on_the_budget_that_is_drawn_on(owner: Party, analyst: Party) -> None:
    budget = owner.post("/v1/budgets", budget_body()).json()
    dataset = owner.post("/v1/datasets", dataset_body(budget={"kind": "existing", "id": budget["id"]})).json()
    grant = owner.post(
        f"/v1/datasets/{dataset['id']}/grants", {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "0"}
    ).json()
    release = analyst.release(dataset["id"]).json()
    study = Study(owner, dataset["id"], budget["id"], analyst, grant["id"])
    assert new_entries(study, 0) == [
        ("budget_opened", owner.principal_id, budget["id"]),
        ("dataset_registered", owner.principal_id, dataset["id"]),
        ("grant_opened", owner.principal_id, grant["id"]),
        ("release_charged", analyst.principal_id, release["id"]),
    ]


def test_an_entry_names_the_key_and_the_end_of_the_chain_of_keys(study: Study) -> None:
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True})
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": False})
    study.analyst.release(study.dataset_id)
    parties = {party.principal_id: party for party in (study.owner, study.analyst)}
    for entry in study.ledger():
        party = parties[entry["principal_id"]]
        chain = party.get(f"/v1/principals/{party.principal_id}/entries").json()["items"]
        assert entry["detail"]["api_key_id"] == party.key_id
        assert entry["detail"]["principal_head"] == {"sequence": chain[-1]["sequence"], "hash": chain[-1]["hash"]}


def test_keys_and_the_end_of_a_principal_are_entries_of_its_own_chain_and_of_no_budget(
    study: Study, server: Server
) -> None:
    before = head(study)
    own = study.owner.post("/v1/keys", {}).json()
    assert study.owner.delete(f"/v1/keys/{own['id']}").status_code == 204
    for _ in range(2):
        assert server.admin.delete(f"/v1/principals/{study.analyst.principal_id}").status_code == 204
    assert [entry["kind"] for entry in chain_of(study.owner)] == [
        "token_issued",
        "enrolled",
        "key_issued",
        "key_revoked",
    ]
    ended = server.admin.get(f"/v1/principals/{study.analyst.principal_id}/entries").json()["items"]
    assert [entry["kind"] for entry in ended] == ["token_issued", "enrolled", "principal_revoked"]
    assert new_entries(study, before) == []


def chain_of(party: Party) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = party.get(f"/v1/principals/{party.principal_id}/entries").json()["items"]
    return entries


def test_a_refused_act_leaves_no_entry(study: Study) -> None:
    before = head(study)
    study.owner.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "1.5"})
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"epsilon": "0"})
    study.analyst.patch(f"/v1/grants/{study.grant_id}", {"epsilon": "1"})
    study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"counts": [1]})
    assert new_entries(study, before) == []


def test_a_write_off_is_the_owners_word_given_once(study: Study) -> None:
    address, before = f"/v1/budgets/{study.budget_id}/write-offs", head(study)
    body = {"epsilon": "0.4", "delta": "0", "reason": "the receipts of one analyst are lost"}
    assert problem_code(study.analyst.post(address, body, idempotency_key="w")) == "role-not-allowed"
    assert problem_code(study.owner.server.new("owner").post(address, body, idempotency_key="w")) == "not-found"
    assert problem_code(study.owner.post(address, body)) == "idempotency-key-missing"
    assert problem_code(study.owner.post(address, body | {"rho": "0.1"}, idempotency_key="w")) == "invalid-request"
    assert problem_code(study.owner.post(address, body | {"epsilon": "1.1"}, idempotency_key="w")) == "invalid-request"
    first, again = (study.owner.post(address, body, idempotency_key="w") for _ in range(2))
    assert first.status_code == 201
    assert first.json() == again.json()
    assert (
        problem_code(study.owner.post(address, body | {"epsilon": "0.3"}, idempotency_key="w"))
        == "idempotency-key-reused"
    )
    assert new_entries(study, before) == [("written_off", study.owner.principal_id, first.json()["id"])]
    assert study.budget()["spent"]["epsilon"] == "0.4"
    assert study.owner.get(f"/v1/datasets/{study.dataset_id}/statement").json()["written_off"]["epsilon"] == "0.4"
