"""Registers data sets over HTTP for people who keep no session: each call opens a connection of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

from tests.harness.bodies import budget_body, registration, release_body
from tests.harness.people import Person


@dataclass(frozen=True, slots=True)
class RegisteredStudy:
    """A data set that its owner registered over HTTP, with its budget."""

    owner: Person
    dataset_id: str
    budget_id: str


def register(
    url: str, owner: Person, *, epsilon: str, name: str = "study", counts: tuple[int, ...] = (3, 4), delta: str = "0"
) -> RegisteredStudy:
    """Registers counts on a new `basic` budget."""
    budget = {"kind": "new", "budget": budget_body(name=name, epsilon=epsilon, delta=delta)}
    with owner.client(url) as client:
        answer = client.post("/v1/datasets", json=registration(counts, name=name, budget=budget))
    assert answer.status_code == 201, answer.text
    return RegisteredStudy(owner, answer.json()["id"], answer.json()["budget_id"])


def grant(url: str, study: RegisteredStudy, analyst: Person, *, epsilon: str) -> str:
    """Lets an analyst spend up to `epsilon` of the study's budget."""
    body = {"principal_id": analyst.principal_id, "epsilon": epsilon, "delta": "0"}
    with study.owner.client(url) as client:
        answer = client.post(f"/v1/datasets/{study.dataset_id}/grants", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def release(
    client: httpx.Client, dataset_id: str, key: str, *, epsilon: str = "0.1", categories: int = 2, **body: Any
) -> httpx.Response:
    """Asks for a release by the simplex geometric mechanism, which is charged just what is asked."""
    content = release_body(epsilon, categories, **body)
    return client.post(f"/v1/datasets/{dataset_id}/releases", json=content, headers={"Idempotency-Key": key})
