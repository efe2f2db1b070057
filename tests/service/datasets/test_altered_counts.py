"""Altered counts: if noticed before the charge, nothing is paid; after it, the release fails."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from sqlalchemy import Engine, create_engine, text

from service.database.engine import writing
from service.database.rows import EncryptedRow
from service.datasets.cipher import KeyRing
from service.datasets.counts import CountsOfRing
from service.errors import StoredDataAltered
from service.ledger.counts_binding import CountsBinding
from service.ledger.debit import Paid
from service.releases import paid
from service.runtime.runtime import Runtime
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import querying, registration, release_body
from tests.harness.guards import drop_guards
from tests.harness.in_process import Service, running
from tests.harness.installation import audit
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

if TYPE_CHECKING:
    pass

SHORT: Final = [30, 40]
LONG: Final = list(range(1, 13))
"""Counts that are read again for their draw."""
QUERIES: Final = querying({"weights": [1, 0], "half_width": 15.0})
EXPONENTIAL: Final = {"kind": "exponential_global", "epsilon": "1"}
ALTERATIONS: Final = {
    "another byte": "UPDATE encrypted_counts SET ciphertext = {altered}",
    "cut off": "UPDATE encrypted_counts SET ciphertext = substr(ciphertext, 1, 12)",
    "empty": "UPDATE encrypted_counts SET ciphertext = substr(ciphertext, 1, 0)",
    "the id of no key": "UPDATE encrypted_counts SET key_id = 'nobody'",
}
_ALTERED_BYTES: Final = {
    "sqlite": "CAST(substr(ciphertext, 1, length(ciphertext) - 1) || "
    "CASE WHEN substr(ciphertext, -1) = x'00' THEN x'01' ELSE x'00' END AS BLOB)",
    "postgresql": "set_byte(ciphertext, 5, (get_byte(ciphertext, 5) + 1) % 256)",
}


def settings(url: str) -> Settings:
    return Settings(database_url=url, response_time_quantum_ms=0, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY)


def alter(engine: Engine, how: str) -> None:
    with writing(engine) as connection:
        connection.execute(text(ALTERATIONS[how].replace("{altered}", _ALTERED_BYTES[engine.dialect.name])))


def put_back(engine: Engine, ciphertext: bytes) -> None:
    with writing(engine) as connection:
        restore = "UPDATE encrypted_counts SET ciphertext = :ciphertext, key_id = 'k1'"
        connection.execute(text(restore), {"ciphertext": ciphertext})


def stored(engine: Engine) -> bytes:
    with engine.connect() as connection:
        return bytes(connection.execute(text("SELECT ciphertext FROM encrypted_counts")).scalar_one())


async def ask_for(service: Service, owner: Person, dataset_id: str, what: str, body: object) -> dict[str, Any]:
    answer = await service.send(
        owner, "POST", f"/v1/datasets/{dataset_id}/{what}", body, **{"Idempotency-Key": f"{what}-{dataset_id}"}
    )
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("how", ALTERATIONS)
def test_a_release_from_counts_that_were_altered_is_refused_uncharged(
    database_url: str, engine: Engine, how: str
) -> None:
    """Seen before: it was charged, and the answer stayed `release-in-progress`."""
    owner = person(engine, Role.OWNER)

    async def story() -> None:
        async with running(settings(database_url)) as service:
            for counts in (SHORT, LONG):
                dataset = await service.made(owner, "/v1/datasets", registration(counts))
                as_it_was = stored(engine)
                alter(engine, how)
                asked = {"releases": release_body(categories=len(counts)), "queries": QUERIES}
                if counts is LONG:
                    del asked["queries"]
                told = [await ask_for(service, owner, dataset["id"], *each) for each in asked.items()]
                for answer in told:
                    assert (answer["type"], answer["charged"]) == ("/problems/stored-data-altered", False), answer
                assert len({(answer["title"], answer.get("detail")) for answer in told}) == 1
                assert audit(engine, dataset["budget_id"]).release_count == 0
                put_back(engine, as_it_was)
                for each in asked.items():
                    assert "id" in await ask_for(service, owner, dataset["id"], *each)
                await service.send(owner, "DELETE", f"/v1/datasets/{dataset['id']}")

    asyncio.run(story())


@pytest.mark.every(3)
@pytest.mark.parametrize(
    "alteration",
    [
        "UPDATE encrypted_counts SET ciphertext = {altered}",
        "DELETE FROM encrypted_counts",
        "UPDATE encrypted_counts SET key_id = 'nobody'",
    ],
)
@pytest.mark.parametrize(
    ("counts", "what", "body"),
    [
        (LONG, "releases", release_body(categories=len(LONG))),
        (SHORT, "releases", release_body() | {"mechanism": EXPONENTIAL}),
        (SHORT, "queries", QUERIES),
    ],
    ids=["noise", "a choice", "queries"],
)
def test_a_release_whose_counts_were_altered_after_the_charge_has_failed(
    database_url: str,
    engine: Engine,
    monkeypatch: pytest.MonkeyPatch,
    counts: list[int],
    what: str,
    body: dict[str, Any],
    alteration: str,
) -> None:
    """The process that charges draws from what it read with the charge. One that takes a release up reads it again.

    Seen before: charged, and the answer stayed `release-in-progress`.
    """
    owner = person(engine, Role.OWNER)
    goes_on = paid._draw

    async def altered_before(runtime: Runtime, charged: Paid, *rest: Any) -> str | None:
        with writing(engine) as connection:
            connection.execute(text(alteration.replace("{altered}", _ALTERED_BYTES[engine.dialect.name])))
        return await goes_on(runtime, replace(charged, counts=None), *rest)

    async def story() -> None:
        async with running(settings(database_url)) as service:
            dataset = await service.made(owner, "/v1/datasets", registration(counts))
            as_it_was = stored(engine)
            monkeypatch.setattr(paid, "_draw", altered_before)
            first = await ask_for(service, owner, dataset["id"], what, body)
            assert (first["type"], first["charged"]) == ("/problems/release-failed", True), first
            put_back(engine, as_it_was)
            assert await ask_for(service, owner, dataset["id"], what, body) == first
            assert audit(engine, dataset["budget_id"]).release_count == 1

    asyncio.run(story())


@pytest.mark.parametrize(("size", "opens"), [(2, True), (1, False), (3, False), (0, False)])
def test_counts_are_refused_where_they_are_not_one_for_each_category(size: int, opens: bool) -> None:  # noqa: FBT001
    ring = KeyRing.parse(COUNTS_KEYS)
    binding = CountsBinding("dat_1", "commitment", "bud_1", "pri_1", "basic", "replace_one", 2, 14, 1)
    stored = ring.encrypt([7] * size, binding)
    row = EncryptedRow("dat_1", stored.key_id, stored.ciphertext, '{"commitment": "commitment"}')
    with create_engine("sqlite://").connect() as unread:
        assert (CountsOfRing(lambda _: ring).refusal(unread, row, binding) is None) is opens
        elsewhere = row._replace(counts_entry='{"commitment": "another"}')
        assert isinstance(CountsOfRing(lambda _: ring).refusal(unread, elsewhere, binding), StoredDataAltered)


TAMPERED: Final = {
    "owner": "UPDATE datasets SET owner_id = (SELECT id FROM principals WHERE id <> owner_id LIMIT 1)",
    "size": "UPDATE datasets SET record_count = record_count + 1",
    "records of a unit": "UPDATE datasets SET records_per_unit = 2",
    "a foreign commitment": "UPDATE datasets SET commitment = '{other}'",
    "accountant": "UPDATE budgets SET accountant = 'zcdp'",
    "labels": 'UPDATE datasets SET labels = \'["none", "case"]\'',
    "unit": "UPDATE datasets SET unit = 'one village'",
}


@pytest.mark.every(3)
@pytest.mark.parametrize("what", TAMPERED)
def test_a_data_set_that_was_altered_is_refused_uncharged(
    database_url: str, engine: Engine, owner_engine: Engine, what: str
) -> None:
    owner, other = person(engine, Role.OWNER), person(engine, Role.OWNER)

    async def story() -> None:
        async with running(settings(database_url)) as service:
            dataset = await service.made(owner, "/v1/datasets", registration(SHORT))
            with writing(owner_engine) as connection:
                drop_guards(connection)
                statement = TAMPERED[what].replace("{other}", "0" * 64)
                connection.execute(text(f"{statement.replace('LIMIT', 'ORDER BY id LIMIT')}"))
            who = other if what == "owner" else owner
            owners = [owner, other] if what == "owner" else [who]
            for each in owners:
                answer = await ask_for(service, each, dataset["id"], "releases", release_body())
                assert answer["charged"] is False, answer
            assert audit(engine, dataset["budget_id"]).release_count == 0

    asyncio.run(story())
