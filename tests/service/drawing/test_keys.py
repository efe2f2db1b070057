"""Keys that change while releases are paid and drawn: an order whose key no process has stays paid, and new keys are
read from the key file.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from service.database.engine import open_engine, writing
from service.database.tables import encrypted_counts, key_checks, releases
from service.datasets.cipher import KeyRing, new_key
from service.datasets.counts import KIND, rotate_counts
from service.drawing.processes import DrawOrder, DrawProcesses
from service.ledger.debit import Paid
from service.ledger.receipts import Signer
from service.releases import paid
from service.runtime.key_file import load_keys, replace_receipt_key
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import registration
from tests.harness.deadlines import PATIENCE
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person


@pytest.fixture(autouse=True)
def _rereading_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.runtime.key_file._READ_AGAIN_SECONDS", 0.0)


@pytest.fixture
def settings(migrated_sqlite: Path, tmp_path: Path) -> Settings:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    return Settings(database_url=f"sqlite:///{path}", response_time_quantum_ms=0, rate_limit_per_minute=0)


def key_file(settings: Settings) -> Path:
    return settings.sqlite_file.parent / "keys.json"


def add_counts_key(settings: Settings, key_id: str) -> KeyRing:
    """Puts a key at the beginning of the key file's ring, and returns the ring."""
    content = json.loads(key_file(settings).read_text())
    content["counts_keys"] = f"{key_id}:{new_key()},{content['counts_keys']}"
    key_file(settings).write_text(json.dumps(content))
    return load_keys(settings.keys).ring


def rotate(settings: Settings, ring: KeyRing) -> None:
    engine = open_engine(settings.database_url)
    with writing(engine) as connection:
        assert not rotate_counts(connection, ring, after="", limit=100).unreadable
    engine.dispose()


def states(settings: Settings) -> list[str]:
    engine = open_engine(settings.database_url)
    with writing(engine) as connection:
        connection.execute(update(releases).values(leased_until=0))
        found = list(connection.execute(select(releases.c.state)).scalars())
    engine.dispose()
    return found


async def register(service: Service, owner: Person) -> str:
    return str((await service.made(owner, "/v1/datasets", registration([30, 40])))["id"])


async def settled(service: Service, owner: Person, dataset_id: str, key: str) -> Any:
    async with asyncio.timeout(PATIENCE):
        while (answer := await service.release(owner, dataset_id, key)).status_code == 409:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return answer


def test_counts_that_were_rotated_to_a_new_key_are_drawn_without_a_restart(settings: Settings) -> None:
    owner = person(settings.database_url, Role.OWNER)

    async def story() -> None:
        async with running(settings) as service:
            dataset_id = await register(service, owner)
            assert (await service.release(owner, dataset_id, "before")).status_code == 201
            rotate(settings, add_counts_key(settings, "k2"))
            assert (await service.release(owner, dataset_id, "after")).status_code == 201

    asyncio.run(story())


def test_a_row_whose_key_is_missing_is_refused_before_the_charge_and_stays_paid_after_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(settings.database_url, Role.OWNER)
    draw = paid._draw

    def name_key(key_id: str, ids: str) -> None:
        engine = open_engine(settings.database_url)
        with writing(engine) as connection:
            connection.execute(
                update(encrypted_counts).where(encrypted_counts.c.dataset_id == ids).values(key_id=key_id)
            )
        engine.dispose()

    def know_key(key_id: str) -> None:
        """Record a key as one with which a service was started."""
        engine = open_engine(settings.database_url)
        with writing(engine) as connection:
            connection.execute(insert(key_checks).values(kind=KIND, key_id=key_id, check_value="0", created_at=1))
        engine.dispose()

    async def story() -> None:
        async with running(settings) as service:
            dataset_id = await register(service, owner)
            know_key("gone")

            async def draw_without_the_key(runtime: Any, charged: Paid, *rest: Any) -> str | None:
                name_key("gone", dataset_id)
                assert charged.counts is not None
                return await draw(runtime, replace(charged, counts=charged.counts._replace(key_id="gone")), *rest)

            with monkeypatch.context() as broken:
                broken.setattr(paid, "_draw", draw_without_the_key)
                answer = await service.release(owner, dataset_id, "key")
            assert (answer.json()["type"], answer.json()["charged"]) == ("/problems/release-in-progress", True)
            assert states(settings) == ["paid"]
            again = await service.release(owner, dataset_id, "key")
            assert again.json()["type"] == "/problems/release-in-progress"
            refused = await service.release(owner, dataset_id, "other")
            assert refused.json()["charged"] is False, refused.text
            assert states(settings) == ["paid"]
            name_key("k1", dataset_id)
            assert (await settled(service, owner, dataset_id, "key")).status_code == 201

    asyncio.run(story())


def test_what_was_paid_before_the_receipt_key_was_rotated_is_drawn_after_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(settings.database_url, Role.OWNER)
    sent = list[str]()
    draw = DrawProcesses.draw

    async def noted(processes: DrawProcesses, order: DrawOrder) -> str | None:
        sent.append(order.receipt["key_id"])
        return await draw(processes, order)

    async def pay() -> str:
        async with running(settings) as service:
            dataset_id = await register(service, owner)

            async def end(*_: object) -> None:
                raise asyncio.CancelledError

            with monkeypatch.context() as broken:
                broken.setattr(paid, "_draw", end)
                assert (await service.release(owner, dataset_id, "key")).status_code == 409
        return dataset_id

    dataset_id = asyncio.run(pay())
    assert states(settings) == ["paid"]
    before = load_keys(settings.keys).signer.key_id
    replace_receipt_key(settings.keys)
    keys = load_keys(settings.keys)
    assert keys.signer.key_id != before
    assert set(keys.public_keys) == {before, keys.signer.key_id}
    monkeypatch.setattr(DrawProcesses, "draw", noted)

    async def draw_later() -> None:
        async with running(settings) as service:
            assert (await settled(service, owner, dataset_id, "key")).status_code == 201

    asyncio.run(draw_later())
    assert sent == [before]


def test_several_receipt_keys_may_be_given_and_the_first_one_signs() -> None:
    new, old, oldest = new_key(), new_key(), Signer.parse(new_key())
    settings = Settings(
        database_url="postgresql+psycopg://x@/y",
        counts_keys=f"k:{new_key()}",
        receipt_key=f"{new},{old},public:{oldest.public_key}",
    )
    keys = load_keys(settings.keys)
    assert list(keys.public_keys) == [keys.signer.key_id, Signer.parse(old).key_id, oldest.key_id]
