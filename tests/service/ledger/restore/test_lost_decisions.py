"""What a restore says about the decisions that it lost, and about budgets that the database lacks."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from service.ledger.witness import receipts_beside
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import budget_body
from tests.harness.in_process import notes_of, running
from tests.harness.people import person
from tests.service.conftest import dataset_body
from tests.service.ledger.restore.test_receipt_folder import begin
from tests.service.ledger.restore.test_restore import Place, World, command, place

__all__ = ["place"]


def folder_of(settings: Settings) -> Path:
    return receipts_beside(Path(settings.witness_file))


def decide(settings: Settings, world: World) -> None:
    """Lower the grant, cap a release, close the grant and freeze the budget."""

    async def work() -> None:
        async with running(settings) as service:
            for path, body in (
                (f"grants/{world.grant_id}", {"epsilon": "0.05"}),
                (f"grants/{world.grant_id}", {"closed": True}),
                (f"budgets/{world.budget_id}", {"release_cap": {"epsilon": "0.02", "delta": "0"}}),
                (f"budgets/{world.budget_id}", {"frozen": True}),
            ):
                answer = await service.send(world.owner, "PATCH", f"/v1/{path}", body)
                assert answer.status_code == 200, answer.text
                (file,) = folder_of(settings).iterdir()
                last = json.loads(file.read_text().splitlines()[-1])["body"]
                assert last["subject_id"] in path, "a decision is on the disk before its answer"

    asyncio.run(work())


def unfreeze_by_owner(settings: Settings, world: World) -> list[str]:
    """Let the owner unfreeze the budget; the types of problems of a release by the analyst and one above the cap."""

    async def work() -> list[str]:
        async with running(settings) as service:
            budget = f"/v1/budgets/{world.budget_id}"
            frozen = await service.release(world.owner, world.dataset_id, "frozen")
            assert (await service.send(world.owner, "PATCH", budget, {"frozen": False})).status_code == 200
            closed = await service.release(world.analyst, world.dataset_id, "closed")
            above = await service.release(world.owner, world.dataset_id, "above", epsilon="0.03")
            return [each.json().get("type", "released").removeprefix("/problems/") for each in (frozen, closed, above)]

    return asyncio.run(work())


def readiness(settings: Settings) -> str:
    async def work() -> str:
        async with running(settings) as service:
            return " ".join(await notes_of(service))

    return asyncio.run(work())


def test_lost_decisions_are_applied_again(place: Place) -> None:
    world = begin(place.settings)
    copy = place.copy()
    decide(place.settings, world)
    restored = place.restored(copy)
    assert "lacks decisions of owners: run `private-posterior ledger reconcile`" in readiness(restored)
    done = command(restored, "ledger", "reconcile")
    assert "4 other entries forgotten, and now applied again" in done.output, done.output
    assert "every budget that it has is accounted for" in readiness(restored)
    assert command(restored, "ledger", "unfreeze").output == "Releases are possible again.\n"
    assert unfreeze_by_owner(restored, world) == ["budget-frozen", "grant-closed", "release-cap-exceeded"]
    assert command(restored, "ledger", "verify").exit_code == 0


def test_a_budget_of_which_a_decision_is_known_by_its_number_alone_stays_frozen(place: Place) -> None:
    """A witness of 0.2.0 keeps heads, and only receipts in its folder, so the decision itself is lost."""
    world = begin(place.settings)
    copy = place.copy()
    decide(place.settings, world)
    for file in folder_of(place.settings).iterdir():
        file.write_text("")
    restored = place.restored(copy)
    readiness(restored)
    assert "4 entries other than charges are lost" in command(restored, "ledger", "reconcile").output
    assert "freezes each budget with a decision that stays lost" in readiness(restored)
    done = command(restored, "ledger", "unfreeze")
    assert done.exit_code == 0, done.output
    named, last = done.output.splitlines()
    assert named.startswith(f"budget {world.budget_id} (")
    assert f"owner {world.owner.principal_id} (owner): frozen until its owner unfreezes it" in named
    assert "4 entries other than charges after the backup are lost" in named
    assert last == "Releases are possible again, except on the budgets above."
    assert unfreeze_by_owner(restored, world) == ["budget-frozen", "released", "released"], "the owner has looked"


def test_a_later_decision_of_the_owner_stands(place: Place) -> None:
    world = begin(place.settings)
    copy = place.copy()
    decide(place.settings, world)
    restored = place.restored(copy)

    async def decide_again() -> None:
        async with running(restored) as service:
            body = {"release_cap": {"epsilon": "0.01", "delta": "0"}}
            assert (await service.send(world.owner, "PATCH", f"/v1/budgets/{world.budget_id}", body)).is_success

    async def cap() -> str:
        async with running(restored) as service:
            found = (await service.send(world.owner, "GET", f"/v1/budgets/{world.budget_id}")).json()
            return str(found["release_cap"]["epsilon"])

    asyncio.run(decide_again())
    assert command(restored, "ledger", "reconcile").exit_code == 0
    assert command(restored, "ledger", "unfreeze").output == "Releases are possible again.\n"
    assert asyncio.run(cap()) == "0.01"


def test_a_budget_that_the_database_lacks_is_named_with_what_it_spent(place: Place) -> None:
    begin(place.settings)
    copy = place.copy()
    late = person(place.settings.database_url, Role.OWNER)

    async def spend() -> tuple[str, str]:
        async with running(place.settings) as service:
            empty = await service.made(late, "/v1/budgets", budget_body())
            made = await service.made(late, "/v1/datasets", dataset_body())
            for key in ("a", "b"):
                assert (await service.release(late, made["id"], key)).status_code == 201
            return str(made["budget_id"]), str(empty["id"])

    spent, empty = asyncio.run(spend())
    restored = place.restored(copy)
    readiness(restored)
    done = command(restored, "ledger", "reconcile")
    assert "2 receipts of a budget that the database does not have" in done.output
    sentences = [line for line in done.output.splitlines() if "the database lacks it" in line]
    assert len(sentences) == 2
    (of_spent,) = [line for line in sentences if line.startswith(f"budget {spent}, owner {late.principal_id}")]
    assert "receipts of epsilon 0.02" in of_spent
    assert any(line.startswith(f"budget {empty}, owner {late.principal_id}") for line in sentences)
    ended = command(restored, "ledger", "unfreeze")
    assert ended.exit_code == 0, ended.output
    for budget_id in (spent, empty):
        assert f"budget {budget_id}: the witness knows it" in ended.output, ended.output
