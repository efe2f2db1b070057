"""Registers data sets over HTTP for people without a session: each call opens a connection of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import httpx

from private_posterior.client import Client
from private_posterior.models import DatasetCreate
from tests.harness.bodies import budget_body, registration, release_body
from tests.harness.people import Person


@dataclass(frozen=True, slots=True)
class RegisteredStudy:
    """A data set that its owner registered over HTTP, with its budget."""

    owner: Person
    dataset_id: str
    budget_id: str


def register(
    url: str,
    owner: Person,
    *,
    epsilon: str,
    name: str = "study",
    counts: tuple[int, ...] = (3, 4),
    delta: str = "0",
    attributes: list[dict[str, Any]] | None = None,
) -> RegisteredStudy:
    """Registers counts on a new `basic` budget, of a cross table if it has attributes."""
    budget = {"kind": "new", "budget": budget_body(name=name, epsilon=epsilon, delta=delta)}
    table = {} if attributes is None else {"labels": None, "attributes": attributes}
    body = cast("DatasetCreate", registration(counts, name=name, budget=budget) | table)
    with Client.open(url, owner.key) as client:
        made = client.create_dataset(body)
    return RegisteredStudy(owner, made["id"], made["budget_id"])


def grant(url: str, study: RegisteredStudy, analyst: Person, *, epsilon: str) -> str:
    """Lets an analyst spend up to `epsilon` of the study's budget."""
    with Client.open(url, study.owner.key) as client:
        made = client.create_grant(
            study.dataset_id, {"principal_id": analyst.principal_id, "epsilon": epsilon, "delta": "0"}
        )
    return made["id"]


def release(
    client: httpx.Client, dataset_id: str, key: str, *, epsilon: str = "0.1", categories: int = 2, **body: Any
) -> httpx.Response:
    """Requests a release by the simplex geometric mechanism, which is charged exactly the requested epsilon."""
    content = release_body(epsilon, categories, **body)
    return client.post(f"/v1/datasets/{dataset_id}/releases", json=content, headers={"Idempotency-Key": key})
