"""A restore to before an entry, for each kind of entry: a decision is applied again, or its budget stays frozen and is
named with its owner. Nobody but the operator's commands takes part.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from service.database.engine import open_engine, reading, writing
from service.ledger.budget_changes import Act, record
from service.ledger.chain import EntryKind
from service.ledger.verification import verify_database
from service.ledger.witness import receipts_beside
from service.principals.auth import COMMAND_LINE
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import budget_body, querying
from tests.harness.in_process import Service, notes_of, running
from tests.harness.people import Person, person
from tests.service.conftest import dataset_body
from tests.service.ledger.restore.test_restore import Place, command, place

__all__ = ["place"]
QUERIES = querying({"weights": [1, 0], "half_width": 20_000_000.0})


@dataclass(slots=True)
class Study:
    """A budget with one data set, a grant of one analyst, and an analyst without a grant who asked for access."""

    service: Service
    owner: Person
    analyst: Person
    other: Person
    budget_id: str
    dataset_id: str
    grant_id: str = ""
    release_id: str = ""
    request_id: str = ""

    async def change(self, what: str, body: dict[str, Any]) -> None:
        paths = {
            "budget": f"budgets/{self.budget_id}",
            "dataset": f"datasets/{self.dataset_id}",
            "grant": f"grants/{self.grant_id}",
            "release": f"releases/{self.release_id}",
            "request": f"access-requests/{self.request_id}",
        }
        answer = await self.service.send(self.owner, "PATCH", f"/v1/{paths[what]}", body)
        assert answer.is_success, answer.text

    async def release(self, key: str) -> None:
        answer = await self.service.release(self.owner, self.dataset_id, f"{self.budget_id}-{key}")
        assert answer.status_code == 201, answer.text
        self.release_id = answer.json()["id"]

    async def query(self) -> None:
        path = f"/v1/datasets/{self.dataset_id}/releases"
        await self.service.made(self.owner, path, QUERIES, key=self.budget_id)

    async def grant(self, analyst: Person) -> str:
        body = {"principal_id": analyst.principal_id, "epsilon": "0.3", "delta": "0"}
        path = f"/v1/datasets/{self.dataset_id}/grants"
        return str((await self.service.made(self.owner, path, body))["id"])

    async def register(self) -> None:
        on_it = {"kind": "existing", "id": self.budget_id}
        await self.service.made(self.owner, "/v1/datasets", dataset_body(budget=on_it))

    async def delete(self) -> None:
        answer = await self.service.send(self.owner, "DELETE", f"/v1/datasets/{self.dataset_id}")
        assert answer.status_code == 204

    async def write_off(self) -> None:
        body = {"epsilon": "0.05", "delta": "0", "reason": "one receipt is lost"}
        await self.service.made(self.owner, f"/v1/budgets/{self.budget_id}/write-offs", body, key=self.budget_id)

    async def state(self) -> dict[str, Any]:
        """What the owner reads, without what a restore adds: times, hashes and sequence numbers."""
        found = {}
        for path in (
            f"budgets/{self.budget_id}",
            f"datasets/{self.dataset_id}",
            f"grants?dataset_id={self.dataset_id}",
            f"access-requests/{self.request_id}",
        ):
            answer = await self.service.send(self.owner, "GET", f"/v1/{path}")
            found[path] = _document_without(answer.json() if answer.status_code == 200 else answer.status_code)
        return found


def _document_without(document: Any) -> Any:
    volatile = {"sequence", "head_hash", "created_at", "decided_at", "stored_bytes", "restore_pending", "reason"}
    match document:
        case dict():
            return {name: _document_without(value) for name, value in document.items() if name not in volatile}
        case list():
            return [_document_without(each) for each in document]
        case _:
            return document


Step = Callable[[Study], Awaitable[object]]


def changing(what: str, **body: Any) -> Step:
    return lambda study: study.change(what, body)


async def nothing(_: Study) -> None:
    """No step before the backup."""


async def listed(study: Study) -> None:
    await study.change("dataset", {"listed": True})
    body = {"epsilon": "0.1", "delta": "0", "purpose": "a comparison"}
    path = f"/v1/datasets/{study.dataset_id}/access-requests"
    study.request_id = (await study.service.made(study.other, path, body))["id"]


async def released(study: Study) -> None:
    await study.release("before")


async def published(study: Study) -> None:
    await released(study)
    await study.change("release", {"public": True})


CASES: dict[EntryKind, tuple[Step, Step, bool]] = {
    EntryKind.BUDGET_CHANGED: (nothing, changing("budget", epsilon="2"), True),
    EntryKind.BUDGET_FROZEN: (nothing, changing("budget", frozen=True), True),
    EntryKind.BUDGET_UNFROZEN: (changing("budget", frozen=True), changing("budget", frozen=False), True),
    EntryKind.BUDGET_RENAMED: (nothing, changing("budget", name="another name"), True),
    EntryKind.POLICY_CHANGED: (
        nothing,
        changing("budget", release_cap={"epsilon": "0.1", "delta": "0"}, allowed_mechanisms=["simplex_geometric"]),
        True,
    ),
    EntryKind.GRANT_OPENED: (listed, lambda study: study.grant(study.other), True),
    EntryKind.GRANT_CHANGED: (nothing, changing("grant", epsilon="0.2", expires_at="2199-01-01T00:00:00Z"), True),
    EntryKind.GRANT_CLOSED: (nothing, changing("grant", closed=True), True),
    EntryKind.GRANT_REOPENED: (changing("grant", closed=True), changing("grant", closed=False), True),
    EntryKind.DATASET_REGISTERED: (nothing, Study.register, False),
    EntryKind.DATASET_REPLACED: (nothing, changing("dataset", counts=[5, 6]), False),
    EntryKind.DATASET_RENAMED: (nothing, changing("dataset", name="another data set"), True),
    EntryKind.DATASET_DELETED: (nothing, Study.delete, True),
    EntryKind.HISTORY_SHARED: (nothing, changing("dataset", history_shared=True), True),
    EntryKind.HISTORY_UNSHARED: (
        changing("dataset", history_shared=True),
        changing("dataset", history_shared=False),
        True,
    ),
    EntryKind.DATASET_LISTED: (nothing, changing("dataset", listed=True), True),
    EntryKind.DATASET_UNLISTED: (changing("dataset", listed=True), changing("dataset", listed=False), True),
    EntryKind.ACCESS_DECLINED: (listed, changing("request", state="declined", reason="not now"), True),
    EntryKind.RELEASE_PUBLISHED: (released, changing("release", public=True), False),
    EntryKind.RELEASE_WITHDRAWN: (published, changing("release", public=False), True),
    EntryKind.RELEASE_CHARGED: (nothing, lambda study: study.release("after"), True),
    EntryKind.QUERY_CHARGED: (nothing, Study.query, True),
    EntryKind.WRITTEN_OFF: (nothing, Study.write_off, True),
}
"""What happens before the backup, what the restore loses, and whether it is applied or charged again."""
OF_COMMANDS = {
    EntryKind.RESTORE_NOTICED,
    EntryKind.RESTORE_ENDED,
    EntryKind.RECEIPT_RECONCILED,
    EntryKind.ENTRY_RECONCILED,
    EntryKind.CLOCK_CONFIRMED,
}
"""Kinds that the commands write. A second restore of the same backup loses them."""


OF_ADMINS = {EntryKind.BUDGET_TRANSFERRED}
"""Kinds for which the owner has to be ended first. `tests/service/test_transfers.py` restores to before them."""


def test_every_kind_has_its_case() -> None:
    assert {*CASES, *OF_COMMANDS, *OF_ADMINS, EntryKind.BUDGET_OPENED} == set(EntryKind)


async def furnish(service: Service, settings: Settings) -> dict[EntryKind, Study]:
    owner = person(settings.database_url, Role.OWNER)
    analyst, other = (person(settings.database_url, Role.ANALYST) for _ in range(2))
    studies = {}
    for kind, (before, _, _) in CASES.items():
        dataset = await service.made(
            owner, "/v1/datasets", dataset_body(budget={"kind": "new", "budget": budget_body(name=kind.value)})
        )
        study = Study(service, owner, analyst, other, dataset["budget_id"], dataset["id"])
        study.grant_id = await study.grant(analyst)
        await before(study)
        studies[kind] = study
    return studies


def lines_of(settings: Settings) -> list[dict[str, Any]]:
    """The witness's folder as anybody can read it: the bodies of its lines."""
    files = sorted(receipts_beside(Path(settings.witness_file)).iterdir())
    return [json.loads(line)["body"] for file in files for line in file.read_text().splitlines() if line.strip()]


def sequences(settings: Settings) -> dict[str, int]:
    engine = open_engine(settings.database_url)
    with reading(engine) as connection:
        found = dict(map(tuple, connection.execute(text("SELECT id, sequence FROM budgets"))))
    engine.dispose()
    return found


def verified(settings: Settings) -> list[str]:
    engine = open_engine(settings.database_url)
    with reading(engine) as connection:
        faults = [finding.fault for finding in verify_database(connection) if finding.fault is not None]
    engine.dispose()
    return faults


async def notes(settings: Settings) -> str:
    async with running(settings) as service:
        return " ".join(await notes_of(service))


@pytest.mark.long
def test_a_restore_to_before_an_entry_applies_it_again_or_freezes_and_names_the_budget(place: Place) -> None:
    states: dict[EntryKind, dict[str, Any]] = {}

    async def begin() -> tuple[dict[EntryKind, Study], str, dict[str, int]]:
        async with running(place.settings) as service:
            studies = await furnish(service, place.settings)
        return studies, place.copy(), sequences(place.settings)

    async def act(studies: dict[EntryKind, Study]) -> str:
        async with running(place.settings) as service:
            for kind, (_, after, _) in CASES.items():
                studies[kind].service = service
                await after(studies[kind])
            for kind, study in studies.items():
                states[kind] = await study.state()
            owner = studies[EntryKind.BUDGET_CHANGED].owner
            fresh = await service.made(
                owner, "/v1/datasets", dataset_body(budget={"kind": "new", "budget": budget_body(name="fresh")})
            )
            assert (await service.release(owner, fresh["id"], "fresh")).status_code == 201
            return str(fresh["budget_id"])

    async def compare(settings: Settings, studies: dict[EntryKind, Study], fresh: str) -> None:
        async with running(settings) as service:
            for kind, (_, _, is_applied) in CASES.items():
                studies[kind].service = service
                found = await studies[kind].state()
                budget = found[f"budgets/{studies[kind].budget_id}"]
                assert budget["frozen"] is (not is_applied or kind is EntryKind.BUDGET_FROZEN), kind
                if is_applied:
                    assert found == states[kind], kind
            opened = await service.send(studies[EntryKind.BUDGET_CHANGED].owner, "GET", f"/v1/budgets/{fresh}")
            assert (opened.json()["frozen"], opened.json()["spent"]["epsilon"]) == (True, "0.01")

    studies, copy, kept = asyncio.run(begin())
    fresh = asyncio.run(act(studies))
    lost = [line for line in lines_of(place.settings) if line["sequence"] > kept.get(line["budget_id"], 0)]
    decided = Counter((line["entry_kind"], line["subject_id"]) for line in lost if "entry_kind" in line)
    charges = {EntryKind.RELEASE_CHARGED.value, EntryKind.QUERY_CHARGED.value}
    expected = {kind.value for kind in CASES} - charges | {EntryKind.BUDGET_OPENED.value}
    assert {kind for kind, _ in decided} == expected, "the folder has every decision, as anybody can read"
    frozen = {study.budget_id for kind, study in studies.items() if not CASES[kind][2]} | {fresh}
    for times in range(2):
        restored = place.restored(copy)
        assert "run `private-posterior ledger reconcile`" in asyncio.run(notes(restored))
        done = command(restored, "ledger", "reconcile")
        assert done.exit_code == 0, done.output
        for (kind, subject_id), count in decided.items():
            # A second restore also loses the entries by which the first was reconciled.
            assert f"{kind} of {subject_id}: {count if not times else ''}" in done.output, done.output
        assert "which freezes each budget with a decision that stays lost" in asyncio.run(notes(restored))
        ended = command(restored, "ledger", "unfreeze")
        assert ended.exit_code == 0, ended.output
        named = {line.split()[1] for line in ended.output.splitlines() if "frozen until its owner unfreezes it" in line}
        assert named == frozen, ended.output
        owner = studies[EntryKind.BUDGET_CHANGED].owner.principal_id
        assert ended.output.count(f"owner {owner}") == len(frozen)
        asyncio.run(compare(restored, studies, fresh))
        assert verified(restored) == [], times
        assert asyncio.run(notes(restored)) == ""
        again = command(restored, "ledger", "reconcile")
        assert "0 other entries forgotten, and now applied again" in again.output
        confirm(restored, studies[EntryKind.BUDGET_CHANGED].budget_id)


def confirm(settings: Settings, budget_id: str) -> None:
    """Confirm the clock, which a second restore loses; the next start of the service records it in the witness."""
    engine = open_engine(settings.database_url)
    with writing(engine) as connection:
        detail = {"ledger_time": 0}
        record(connection, budget_id, Act(EntryKind.CLOCK_CONFIRMED, COMMAND_LINE, budget_id, detail=detail))
    engine.dispose()
    asyncio.run(notes(settings))
