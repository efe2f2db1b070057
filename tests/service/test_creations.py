"""A creation that is repeated under its Idempotency-Key creates nothing new, and the secret of its answer is kept for
its caller alone, for a day.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pytest

from service.principals.creations import fingerprints
from tests.harness.bodies import budget_body, unique
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body


@dataclass(frozen=True, slots=True)
class Made:
    """A creation: the caller, the request, another request, and the place of the secret in the answer."""

    caller: Party
    path: str
    body: dict[str, Any]
    other: dict[str, Any]
    secret: Callable[[dict[str, Any]], object]


def a_dataset(study: Study) -> Made:
    body = dataset_body()
    return Made(study.owner, "/v1/datasets", body, body | {"counts": [1, 2]}, lambda answer: answer["nonce"])


def a_budget(study: Study) -> Made:
    return Made(study.owner, "/v1/budgets", budget_body(), budget_body(), lambda _: None)


def a_grant(study: Study) -> Made:
    other = study.owner.server.new("analyst")
    body = {"principal_id": other.principal_id, "epsilon": "0.25", "delta": 0}
    return Made(study.owner, f"/v1/datasets/{study.dataset_id}/grants", body, body | {"epsilon": "0.3"}, lambda _: None)


def a_principal(study: Study) -> Made:
    body = {"role": "analyst", "name": unique("somebody")}
    return Made(
        study.owner.server.admin, "/v1/principals", body, body | {"role": "owner"},
        lambda answer: answer["enrolment"] and answer["enrolment"]["token"],
    )  # fmt: skip


def a_key(study: Study) -> Made:
    return Made(study.analyst, "/v1/keys", {}, {"expires_at": "2030-01-01T00:00:00Z"}, lambda answer: answer["key"])


every_creation = pytest.mark.parametrize("kind", [a_dataset, a_budget, a_grant, a_principal, a_key])
with_a_secret = pytest.mark.parametrize("kind", [a_dataset, a_principal, a_key])


@every_creation
def test_a_repeated_creation_makes_nothing_new(study: Study, kind: Callable[[Study], Made]) -> None:
    made, key = kind(study), unique("creation").replace(" ", "-")
    first, again = (made.caller.post(made.path, made.body, idempotency_key=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201), again.text
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == first.json()
    assert problem_code(made.caller.post(made.path, made.other, idempotency_key=key)) == "idempotency-key-reused"
    assert made.caller.server.rows("SELECT subject_id FROM creations WHERE subject_id = :id", id=first.json()["id"])


@with_a_secret
def test_the_secret_is_returned_for_a_day_and_to_the_same_key(
    study: Study, kind: Callable[[Study], Made], server: Server
) -> None:
    made, key = kind(study), unique("creation").replace(" ", "-")
    first = made.caller.post(made.path, made.body, idempotency_key=key).json()
    assert made.secret(first)
    sibling = replace(made.caller, key=made.caller.post("/v1/keys", {}).json()["key"])
    told = sibling.post(made.path, made.body, idempotency_key=key).json()
    assert told["id"] == first["id"]
    assert made.secret(told) is None
    server.rows("UPDATE creations SET created_at = created_at - 86400 WHERE subject_id = :id", id=first["id"])
    late = made.caller.post(made.path, made.body, idempotency_key=key).json()
    assert late["id"] == first["id"]
    assert made.secret(late) is None


@with_a_secret
def test_a_frozen_key_gets_no_secret(study: Study, kind: Callable[[Study], Made], server: Server) -> None:
    made, key = kind(study), unique("creation").replace(" ", "-")
    caller = replace(made.caller, key=made.caller.post("/v1/keys", {}).json()["key"])
    first = caller.post(made.path, made.body, idempotency_key=key).json()
    freeze = "UPDATE principals SET frozen_until = :until WHERE id = :id"
    server.rows(freeze, until=2_000_000_000, id=caller.principal_id)
    try:
        frozen = caller.post(made.path, made.body, idempotency_key=key)
    finally:
        server.rows(freeze, until=None, id=caller.principal_id)
    assert frozen.json()["id"] == first["id"]
    assert made.secret(frozen.json()) is None
    assert made.secret(caller.post(made.path, made.body, idempotency_key=key).json()) == made.secret(first)


@with_a_secret
def test_the_database_holds_the_secret_only_sealed(study: Study, kind: Callable[[Study], Made], server: Server) -> None:
    made, key = kind(study), unique("creation").replace(" ", "-")
    secret = str(made.secret(made.caller.post(made.path, made.body, idempotency_key=key).json()))
    rows = server.rows("SELECT * FROM creations")
    assert rows
    for row in rows:
        text = " ".join(str(bytes(each) if isinstance(each, memoryview) else each) for each in row)
        assert secret not in text
        assert key not in text
        assert made.caller.key not in text


def test_deleting_or_replacing_counts_deletes_their_nonce(owner: Party, server: Server) -> None:
    def sealed(dataset_id: str) -> list[object]:
        return [
            row[0] for row in server.rows("SELECT sealed_secret FROM creations WHERE subject_id = :id", id=dataset_id)
        ]

    for number, replaced in enumerate((False, True)):
        dataset = owner.post("/v1/datasets", dataset_body(), idempotency_key=f"gone-{number}").json()
        assert sealed(dataset["id"]) != [None]
        path = f"/v1/datasets/{dataset['id']}"
        assert (owner.patch(path, {"counts": [4, 5]}) if replaced else owner.delete(path)).is_success
        assert sealed(dataset["id"]) == [None]


def test_a_refused_creation_binds_no_key(owner: Party) -> None:
    assert (
        problem_code(owner.post("/v1/budgets", budget_body(epsilon="0"), idempotency_key="once")) == "invalid-request"
    )
    taken = budget_body()
    owner.post("/v1/budgets", taken)
    assert problem_code(owner.post("/v1/budgets", taken, idempotency_key="once")) == "name-taken"
    assert owner.post("/v1/budgets", budget_body(), idempotency_key="once").status_code == 201


def test_many_at_once_make_one_thing(owner: Party) -> None:
    body = dataset_body()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: owner.post("/v1/datasets", body, idempotency_key="together"), range(8)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len({answer.json()["nonce"] for answer in answers}) == 1
    assert len(owner.get("/v1/datasets").json()["items"]) == 1


def test_a_key_is_its_principals_own(owner: Party, server: Server) -> None:
    other = server.new("owner")
    first, second = (each.post("/v1/budgets", budget_body(), idempotency_key="mine") for each in (owner, other))
    assert first.json()["id"] != second.json()["id"]


def test_a_garbled_key_is_refused(owner: Party) -> None:
    assert (
        problem_code(owner.post("/v1/budgets", budget_body(), idempotency_key="two words")) == "idempotency-key-missing"
    )


def test_without_the_secret_tables_cannot_be_tested_against_a_fingerprint() -> None:
    body = {"counts": [3, 4]}
    secrets = (bytes(32), bytes(31) + b"x")
    first, second = fingerprints(secrets, "datasets", body=body)
    assert fingerprints(secrets, "datasets", body=dict(body)) == (first, second)
    assert first != second
    assert first not in fingerprints(secrets, "budgets", body=body)


@every_creation
def test_a_repeated_creation_whose_row_names_another_object_gets_a_problem_and_no_other_id(
    study: Study, kind: Callable[[Study], Made], server: Server
) -> None:
    made, key = kind(study), unique("creation").replace(" ", "-")
    first = made.caller.post(made.path, made.body, idempotency_key=key).json()
    named = server.rows("SELECT key_hash, subject_id FROM creations ORDER BY subject_id = :id", id=first["id"])
    change = "UPDATE creations SET subject_id = :other WHERE key_hash = :key"
    for other in (named[0].subject_id, "x"):
        server.rows(change, other=other, key=named[-1].key_hash)
        answer = made.caller.post(made.path, made.body, idempotency_key=key)
        assert problem_code(answer) == "idempotency-key-reused", answer.text
    server.rows(change, other=first["id"], key=named[-1].key_hash)
    assert made.caller.post(made.path, made.body, idempotency_key=key).json()["id"] == first["id"]
