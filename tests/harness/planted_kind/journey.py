"""A release of the planted kind, from its quote to its verification, beside a query and a release of counts. It runs in
a copy of the code that has it.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import keys_in
from service.schemas.principals import Role
from tests.harness.bodies import budget_body, of_releases, querying, registration, release_body
from tests.harness.in_process import Service, embedded, running
from tests.harness.people import Person, person

COUNTS = [120, 3000, 80]
BODY = {"kind": "largest", "epsilon": "0.5"}


def test_a_release_of_the_planted_kind(tmp_path: Path, migrated_sqlite: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    asyncio.run(_journey(f"sqlite:///{tmp_path / 'posterior.sqlite3'}", tmp_path / "witness"))


async def _journey(url: str, witness: Path) -> None:
    async with running(embedded(url, witness)) as service:
        owner = person(url, Role.OWNER)
        budget = {"kind": "new", "budget": budget_body(epsilon="10")}
        body = registration(COUNTS, records_per_unit=2, budget=budget)
        del body["one_record_per_unit"]
        data = await service.made(owner, "/v1/datasets", body)
        allowed = {"allowed_mechanisms": ["largest", "simplex_geometric", "linear"]}
        changed = await service.send(owner, "PATCH", f"/v1/budgets/{data['budget_id']}", allowed)
        assert changed.status_code == 200, changed.text
        path = f"/v1/datasets/{data['id']}"
        release = await _is_released(service, owner, path)
        await _is_listed(service, owner, path, release)
        await _is_no_source(service, owner, path, release)
        await _is_shown(service, owner, path, release)
        await _is_verified(service, owner, data, release)


async def _is_released(service: Service, owner: Person, path: str) -> dict[str, Any]:
    quote = (await service.settled(owner, "POST", f"{path}/quotes", BODY)).json()
    assert quote["granted"], quote
    # A unit has two records.
    assert quote["would_charge"]["epsilon"] == "1"
    release = await service.made(owner, f"{path}/releases", BODY, key="the-largest")
    assert release["charged"] == quote["would_charge"]
    assert (release["kind"], release["largest"]) == ("largest", "category 1")
    again = await service.send(owner, "POST", f"{path}/releases", BODY, **{"Idempotency-Key": "the-largest"})
    assert (again.headers["Idempotency-Replayed"], again.json()) == ("true", release)
    once = await service.made(owner, f"{path}/releases", BODY | {"once": True}, key="another")
    assert once == release
    read = await service.send(owner, "GET", f"/v1/releases/{release['id']}")
    assert (read.status_code, read.json()) == (200, release)
    budget = (await service.send(owner, "GET", f"/v1/budgets/{release['budget_id']}")).json()
    assert budget["spent"]["epsilon"] == "1"
    return release


async def _is_listed(service: Service, owner: Person, path: str, release: dict[str, Any]) -> None:
    counts = await service.made(owner, f"{path}/releases", release_body(categories=3), key="counts")
    for kinds, ids in (
        (["largest"], [release["id"]]),
        (["counts"], [counts["id"]]),
        (["margins"], []),
        (["largest", "counts"], [release["id"], counts["id"]]),
        (["largest", "queries"], [release["id"]]),
        ([], [release["id"], counts["id"]]),
    ):
        query = "&".join(f"kind={each}" for each in kinds)
        listed = (await service.send(owner, "GET", f"/v1/releases?{query}")).json()["items"]
        assert [each["id"] for each in listed] == ids, kinds
        assert all(each["kind"] == ("counts" if each["id"] == counts["id"] else "largest") for each in listed)


async def _is_no_source(service: Service, owner: Person, path: str, release: dict[str, Any]) -> None:
    asked = {"queries": [{"of": {"labels": ["category 0"]}}]}
    found = (await service.settled(owner, "POST", f"{path}/estimates", asked)).json()
    (excluded,) = found["excluded_releases"]
    assert excluded == {"release_id": release["id"], "reason": "it names a category and has no noisy counts"}
    query = querying({"of": {"labels": ["category 0"]}, "half_width": 5.0})
    assert (await service.made(owner, f"{path}/releases", query, key="a-query"))["measured"]
    refused = await service.settled(owner, "POST", "/v1/posteriors", of_releases(release["id"]))
    assert refused.status_code == 422, refused.text
    assert "names a category" in refused.json()["detail"]


async def _is_shown(service: Service, owner: Person, path: str, release: dict[str, Any]) -> None:
    text = (await service.send(owner, "GET", f"{path}/statement.txt")).text
    assert release["certificate"]["statement"] in " ".join(text.split())
    service.http.cookies.set("posterior_session", owner.key)
    page = await service.http.get(f"/console/data/{release['dataset_id']}/statement", follow_redirects=True)
    assert page.status_code == 200, page.text
    assert "largest" in page.text


async def _is_verified(service: Service, owner: Person, data: dict[str, Any], release: dict[str, Any]) -> None:
    keys = keys_in((await service.send(owner, "GET", "/v1/public-key")).json())
    export = await service.send(owner, "GET", f"/v1/budgets/{data['budget_id']}/ledger.jsonl")
    ledger = verify_ledger(export.content, keys)
    assert list(faults_of_release(release, ledger, keys)) == []
    evidence = await service.send(owner, "GET", f"/v1/releases/{release['id']}/evidence")
    assert json.loads(evidence.json()["drawn"]) == {"largest": 1}
