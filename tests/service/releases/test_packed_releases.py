"""Releases of many categories take a fifth of the space where the settings say so, and read byte for byte as they were
answered.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, select, update

from service.auth import Role
from service.database.engine import open_engine, reading, writing
from service.database.packed import LEAST_CHARACTERS, DamagedTextError, pack, unpack
from service.database.tables import releases
from service.releases.order import ReleaseOrder
from service.releases.seal import check_release
from service.settings import Settings
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.service.conftest import dataset_body

CATEGORIES = 800
LONG = "a text that takes its space, " * LEAST_CHARACTERS


@pytest.fixture
def settings(database_url: str) -> Settings:
    return Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_grid_ms=0)


def test_a_long_text_is_packed_and_a_short_one_stays_readable() -> None:
    assert len(pack(LONG)) < len(LONG) / 5
    assert unpack(pack(LONG)) == LONG
    assert pack('{"short": 1}') == unpack('{"short": 1}') == '{"short": 1}'


@pytest.mark.parametrize(
    "damaged",
    [
        pack(LONG)[:-8],
        pack(LONG).replace("zlib 1 ", "zlib 1 0", 1),
        pack(LONG)[:71] + pack(LONG + "another")[71:],
        pack(LONG)[:71] + "!" + pack(LONG)[72:],
    ],
    ids=["cut", "other digest", "other text", "no base64"],
)
def test_a_text_that_is_not_what_was_stored_is_not_read(damaged: str) -> None:
    with pytest.raises(DamagedTextError):
        unpack(damaged)


async def released(here: Service, owner: Person, dataset_id: str, key: str) -> str:
    """The text of the owner's release."""
    body = {"prior": [1] * CATEGORIES, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.01"}}
    answer = await here.send(owner, "POST", f"/v1/datasets/{dataset_id}/releases", body, **{"Idempotency-Key": key})
    assert answer.status_code == 201, answer.text
    return answer.text


def stored(engine: Engine, release_id: str) -> Any:
    with reading(engine) as connection:
        query = select(releases.c.plan, releases.c.result).where(releases.c.id == release_id)
        return connection.execute(query).one()


def test_packed_releases_read_as_they_were_answered_by_whoever_asks(settings: Settings) -> None:
    async def story() -> None:
        owner, engine = person(settings.database_url, Role.OWNER), open_engine(settings.database_url)
        wide = dataset_body(labels=[f"category {each}" for each in range(CATEGORIES)], counts=[7] * CATEGORIES)
        async with running(replace(settings, pack_releases=False)) as plain, running(settings) as packing:
            dataset_id = (await packing.post(owner, "/v1/datasets", wide))["id"]
            before = json.loads(await released(plain, owner, dataset_id, "readable"))["id"]
            text = await released(packing, owner, dataset_id, "packed")
            release_id = json.loads(text)["id"]
            readable, packed = stored(engine, before), stored(engine, release_id)
            assert len(packed.plan) + len(packed.result) < (len(readable.plan) + len(readable.result)) / 5
            assert ReleaseOrder.from_json(packed.plan).labels == wide["labels"]
            for each in (plain, packing):
                assert await released(each, owner, dataset_id, "packed") == text
                assert (await each.send(owner, "GET", f"/v1/releases/{release_id}")).text == text
                listed = (await each.send(owner, "GET", "/v1/releases")).json()["items"]
                assert [row["mechanism"] for row in listed] == [json.loads(text)["mechanism"]] * 2
                statement = await each.send(owner, "GET", f"/v1/datasets/{dataset_id}/statement")
                assert statement.status_code == 200, statement.text
            shown = await plain.send(owner, "PATCH", f"/v1/releases/{release_id}", {"public": True})
            assert shown.status_code == 200, shown.text
            public = (await packing.http.get(f"/v1/public/releases/{release_id}")).content
            seal = (await packing.http.get(f"/v1/public/releases/{release_id}/seal")).content
            key = (await packing.http.get("/v1/public-key")).json()["public_key"]
            assert check_release(public, seal, key).release_id == release_id
            if settings.is_sqlite:  # on PostgreSQL the service's role can't
                with writing(engine) as connection:
                    connection.exec_driver_sql("DROP TRIGGER releases_settled_once")
                    damaged = update(releases).where(releases.c.id == release_id).values(result=packed.result[:-8])
                    connection.execute(damaged)
                answer = await packing.send(owner, "GET", f"/v1/releases/{release_id}")
                assert answer.json()["type"] == "/problems/internal-error"
        engine.dispose()

    asyncio.run(story())
