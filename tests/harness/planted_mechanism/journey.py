"""A release by the planted mechanism, from the plan to its verification. It runs in a copy of the code that has it."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import keys_in
from service.schemas.principals import Role
from tests.harness.bodies import budget_body, of_releases, registration
from tests.harness.in_process import Service, embedded, running
from tests.harness.people import Person, person

COUNTS = [120, 300, 80]
PRIOR = [1, 1, 1]
MECHANISM = {"kind": "tempered", "epsilon": "0.5", "delta": "0.000001"}


def test_a_release_by_the_planted_mechanism(tmp_path: Path, migrated_sqlite: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    asyncio.run(_journey(f"sqlite:///{tmp_path / 'posterior.sqlite3'}", tmp_path / "witness"))


async def _journey(url: str, witness: Path) -> None:
    async with running(embedded(url, witness)) as service:
        owner = person(url, Role.OWNER)
        body = registration(COUNTS, records_per_unit=2, budget={"kind": "new", "budget": budget_body(delta="1e-5")})
        del body["one_record_per_unit"]
        data = await service.made(owner, "/v1/datasets", body)
        analyst = person(url, Role.ANALYST)
        grant = {"principal_id": analyst.principal_id, "epsilon": "1", "delta": "1e-5"}
        await service.made(owner, f"/v1/datasets/{data['id']}/grants", grant)
        await _is_planned(service, analyst)
        release = await _is_released(service, analyst, data["id"])
        await _is_inferred_from(service, analyst, release)
        await _is_stated(service, owner, data["id"], release)
        await _is_on_pages(service, analyst, data["id"], release)
        await _is_verified(service, owner, data, release)


async def _is_planned(service: Service, analyst: Person) -> None:
    asked = {
        "prior": PRIOR,
        "data": {"kind": "counts", "counts": [100, 300, 100]},
        "delta": "1e-6",
        "epsilons": ["0.5", "1"],
        "records_per_unit": 2,
        "mechanisms": ["tempered"],
        "errors": True,
    }
    plan = (await service.settled(analyst, "POST", "/v1/plans", asked)).json()
    (option,) = (each for each in plan["points"][0]["options"] if each["kind"] == "tempered")
    assert option["mechanism"] == MECHANISM
    assert option["certified"]["epsilon"] == "0.5"
    assert 0 < option["intervals"][0]["width"] < 1
    assert 0 < option["error"]["expected"] < 1


async def _is_released(service: Service, analyst: Person, dataset_id: str) -> dict[str, Any]:
    path = f"/v1/datasets/{dataset_id}"
    allowance = (await service.send(analyst, "GET", f"{path}/allowance")).json()
    (largest,) = (each for each in allowance["mechanisms"] if each["kind"] == "tempered")
    assert (largest["largest_epsilon"], largest["delta"]) == ("1", "0.00001")
    body = {"prior": PRIOR, "mechanism": MECHANISM}
    quote = (await service.settled(analyst, "POST", f"{path}/quotes", body)).json()
    assert quote["granted"], quote
    assert quote["certificate"]["details"]["records_per_unit"] == "2"
    assert quote["expected_accuracy"]["at_counts"]
    release = await service.made(analyst, f"{path}/releases", body, key="a-tempered-release")
    assert release["charged"] == quote["would_charge"]
    assert release["charged"]["epsilon"] == "0.5"
    assert sum(release["posterior"]["released_counts"]) == sum(COUNTS)
    return release


async def _is_inferred_from(service: Service, analyst: Person, release: dict[str, Any]) -> None:
    # The noise puts the true share outside a 95 % interval once in thirty runs.
    body = {"level": 1 - 1e-7, "questions": [{"kind": "share", "of": {"labels": ["category 0"]}}]}
    posterior = (await service.settled(analyst, "POST", "/v1/posteriors", of_releases(release["id"]) | body)).json()
    assert posterior["kind"] == "noise_aware"
    share = posterior["categories"][0]["interval"]
    assert 0 < share["low"] < COUNTS[0] / sum(COUNTS) < share["high"] < 1


async def _is_stated(service: Service, owner: Person, dataset_id: str, release: dict[str, Any]) -> None:
    statement = (await service.send(owner, "GET", f"/v1/datasets/{dataset_id}/statement")).json()
    (stated,) = statement["releases"]["items"]
    assert stated["mechanism"] == MECHANISM
    text = (await service.send(owner, "GET", f"/v1/datasets/{dataset_id}/statement.txt")).text
    assert release["certificate"]["statement"] in " ".join(text.split())


async def _is_on_pages(service: Service, analyst: Person, dataset_id: str, release: dict[str, Any]) -> None:
    described = (await service.send(analyst, "GET", "/v1/mechanisms")).json()["items"][-1]
    assert [each["name"] for each in described["parameters"]] == ["epsilon", "delta"]
    data, of_release = f"/console/datasets/{dataset_id}", f"/console/releases/{release['id']}"
    service.http.cookies.set("posterior_session", analyst.key)
    for path in (f"{data}/plan?delta=1e-6", f"{data}/quote?kind=tempered&amount=0.5&delta=1e-6", of_release):
        page = await service.http.get(path, follow_redirects=True)
        assert page.status_code == 200, page.text
        assert "tempered" in page.text.lower(), path


async def _is_verified(service: Service, owner: Person, data: dict[str, Any], release: dict[str, Any]) -> None:
    keys = keys_in((await service.send(owner, "GET", "/v1/public-key")).json())
    export = await service.send(owner, "GET", f"/v1/budgets/{data['budget_id']}/ledger.jsonl")
    ledger = verify_ledger(export.content, keys)
    assert list(faults_of_release(release, ledger, keys)) == []
    certificate = release["certificate"] | {"loss": release["certificate"]["loss"] | {"epsilon": "0.25"}}
    [fault] = faults_of_release(release | {"certificate": certificate}, ledger, keys)
    assert "another loss than was paid for" in fault
