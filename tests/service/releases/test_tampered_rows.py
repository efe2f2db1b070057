"""Rows changed by raw SQL, without the triggers, after a charge and before its draw: the release fails, nothing is
drawn from the changed row, and `ledger verify` names it. Other releases are not affected.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection, Engine, text

from service.database.engine import reading, writing
from service.ledger.verification import verify_database
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import registration
from tests.harness.deadlines import PATIENCE
from tests.harness.guards import drop_guards
from tests.harness.in_process import Service, embedded, running
from tests.harness.installation import PUBLIC_KEYS, SIGNER
from tests.harness.people import Person, person

OF_THE_ROW: Final = {
    "the spec, to no JSON": "spec = 'nothing'",
    "the spec, to another JSON": "spec = '[]'",
    "the price": "epsilon_charged = 1",
    "the budget": "budget_id = (SELECT budget_id FROM datasets WHERE id <> :dataset)",
    "the owner": "owner_id = (SELECT owner_id FROM datasets WHERE id <> :dataset)",
    "the kind": "kind = 'query'",
    "the payer": "principal_id = (SELECT owner_id FROM datasets WHERE id <> :dataset)",
    "the data set": "dataset_id = (SELECT id FROM datasets WHERE id <> :dataset)",
    "the receipt, to no JSON": "receipt = 'nothing'",
    "the receipt, to another JSON": "receipt = '[]'",
    "the key of the receipt": f"receipt = replace(receipt, '{SIGNER.key_id}', '0123456789abcdef')",
}
"""Columns of the release."""
OF_JSON: Final[dict[str, tuple[str, str, object]]] = {
    "the event": ("spec", "event", {"epsilon": "50"}),
    "the certificate": (
        "spec",
        "certificate",
        {"loss": {"epsilon": "0.0001", "delta": "0", "rho": "0", "rho_delta": "0"}},
    ),
    "the price in the receipt": ("receipt", "body", {"epsilon_units": 1}),
    "the budget in the receipt": ("receipt", "body", {"budget_id": "bud_" + "a" * 26}),
    "the owner in the receipt": ("receipt", "body", {"owner_id": "pri_" + "a" * 26}),
    "a foreign commitment in the receipt": ("receipt", "body", {"commitment": "0" * 64}),
    "another spec in the receipt": ("receipt", "body", {"spec_sha256": "0" * 64}),
}
"""Fields of the release's spec and receipt."""
OF_OTHERS: Final = {
    "the entry, with row and receipt": (
        "UPDATE entries SET epsilon = 1 WHERE subject_id = :release",
        "UPDATE releases SET epsilon_charged = 1 WHERE id = :release",
    ),
    "counts of another data set": (
        (
            "UPDATE encrypted_counts SET (key_id, ciphertext) = (SELECT key_id, ciphertext FROM encrypted_counts "
            "WHERE dataset_id <> :dataset) WHERE dataset_id = :dataset"
        ),
    ),
}
UNDRAWN: Final = "UPDATE releases SET state = 'paid', drawn = NULL, result = NULL, leased_until = 0 WHERE id = :release"
UNSEEN: Final = {"counts of another data set"}
"""What no ledger can name: it holds no counts."""


@pytest.fixture
def answering(database_url: str, tmp_path: Path) -> Settings:
    return embedded(database_url, tmp_path / "witness")


@pytest.fixture
def elsewhere(database_url: str, tmp_path: Path) -> Settings:
    """A service whose witness knows nothing of earlier answers, as one on another machine."""
    return embedded(database_url, tmp_path / "other-witness")


def tamper(engine: Engine, what: str, release_id: str, dataset_id: str) -> None:
    """Resets the release to its state after the charge, with another row."""
    with writing(engine) as connection:
        drop_guards(connection)
        if what in OF_THE_ROW:
            statements = [f"UPDATE releases SET {OF_THE_ROW[what]} WHERE id = :release"]  # noqa: S608  they stand above
        else:
            statements = list(OF_OTHERS.get(what, ()))
        if what in OF_JSON:
            rewrite(connection, release_id, *OF_JSON[what])
        if what == "the entry, with row and receipt":
            rewrite(connection, release_id, *OF_JSON["the price in the receipt"])
        for each in (*statements, UNDRAWN):
            places = {"release": release_id, "dataset": dataset_id}
            connection.execute(text(each), {name: value for name, value in places.items() if f":{name}" in each})


def rewrite(connection: Connection, release_id: str, column: str, part: str, fields: Any) -> None:
    query = text(f"SELECT {column} FROM releases WHERE id = :release")  # noqa: S608  a name that stands above
    stored = json.loads(connection.execute(query, {"release": release_id}).scalar_one())
    assert fields.keys() <= stored[part].keys(), stored[part]
    stored[part] |= fields
    changed = text(f"UPDATE releases SET {column} = :content WHERE id = :release")  # noqa: S608  as above
    connection.execute(changed, {"release": release_id, "content": json.dumps(stored)})


@pytest.fixture
def engine(owner_engine: Engine) -> Engine:
    return owner_engine


async def settled(
    service: Service, who: Person, dataset_id: str, key: str, seconds: float = PATIENCE
) -> tuple[int, str]:
    """The answer to a request that was charged, once it is there, or what is said of it after a while."""
    answer = await service.release(who, dataset_id, key)
    for _ in range(round(10 * seconds)):
        if answer.json().get("type") != "/problems/release-in-progress":
            break
        await asyncio.sleep(0.1)
        answer = await service.release(who, dataset_id, key)
    return answer.status_code, answer.json().get("type", "")


@pytest.mark.every(3)
@pytest.mark.parametrize("what", [*OF_THE_ROW, *OF_JSON, *OF_OTHERS])
def test_a_tampered_row_is_not_drawn_and_is_named(
    answering: Settings, elsewhere: Settings, engine: Engine, what: str
) -> None:
    owner, other = person(engine, Role.OWNER), person(engine, Role.OWNER)

    async def story() -> None:
        async with running(answering) as service:
            made = await service.made(owner, "/v1/datasets", registration([30, 40]))
            await service.made(other, "/v1/datasets", registration([40, 30]))
            first = await service.release(owner, made["id"], "first")
            sound = await service.release(owner, made["id"], "sound")
        tamper(engine, what, first.json()["id"], made["id"])
        async with running(elsewhere) as service:
            answer = await settled(service, owner, made["id"], "first")
            assert answer == (500, "/problems/release-failed"), answer
            replayed = await service.release(owner, made["id"], "sound")
            assert replayed.content == sound.content

    asyncio.run(story())
    with reading(engine) as connection:
        findings = verify_database(connection, public_keys=PUBLIC_KEYS)
    faults = [finding for finding in findings if finding.fault is not None]
    assert bool(faults) is (what not in UNSEEN), [str(finding) for finding in findings]


def test_a_row_that_was_not_tampered_with_is_drawn(answering: Settings, elsewhere: Settings, engine: Engine) -> None:
    """Shows that the releases above fail because of the change."""
    owner = person(engine, Role.OWNER)

    async def story() -> None:
        async with running(answering) as service:
            made = await service.made(owner, "/v1/datasets", registration([30, 40]))
            first = await service.release(owner, made["id"], "first")
        undraw(engine, first.json()["id"])
        async with running(elsewhere) as service:
            assert (await settled(service, owner, made["id"], "first"))[0] == 201

    asyncio.run(story())


@pytest.mark.parametrize("restarted", [False, True], ids=["running", "restarted"])
def test_an_answered_release_is_not_drawn_again_though_its_row_says_that_it_is_only_paid(
    answering: Settings, engine: Engine, *, restarted: bool
) -> None:
    """Neither by the process that answered it, nor by one that starts later with the same witness."""
    owner = person(engine, Role.OWNER)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            service = await stack.enter_async_context(running(answering))
            made = await service.made(owner, "/v1/datasets", registration([30, 40]))
            answers = [await service.release(owner, made["id"], key) for key in ("first", "second")]
            if restarted:
                await stack.aclose()
            undraw(engine, answers[0].json()["id"])
            if restarted:
                service = await stack.enter_async_context(running(answering))
            found = await settled(service, owner, made["id"], "first")
            assert found[0] in (410, 500), found
            undraw(engine, answers[0].json()["id"])  # a failure was an answer too
            again = await settled(service, owner, made["id"], "first", 1 if restarted else PATIENCE)
            # The restarted service takes the database for a restored one, and a paid row waits until that is settled.
            assert again[0] in ((409, 410) if restarted else (410, 500)), (found, again)
            assert (await service.release(owner, made["id"], "second")).content == answers[1].content

    asyncio.run(story())
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM releases WHERE drawn IS NOT NULL")).scalar() == 1


def undraw(engine: Engine, release_id: str) -> None:
    with writing(engine) as connection:
        drop_guards(connection)
        connection.execute(text(UNDRAWN), {"release": release_id})


def test_rows_that_cannot_be_read_keep_no_other_release_from_being_finished(
    answering: Settings, elsewhere: Settings, engine: Engine
) -> None:
    owner = person(engine, Role.OWNER)

    async def story() -> None:
        async with running(answering) as service:
            made = await service.made(owner, "/v1/datasets", registration([30, 40]))
            ids = [(await service.release(owner, made["id"], f"{number}")).json()["id"] for number in range(4)]
        unreadable(ids, made["id"])
        async with running(elsewhere):
            states: list[str] = []
            for _ in range(10 * PATIENCE):
                await asyncio.sleep(0.1)
                with reading(engine) as connection:
                    query = text("SELECT state FROM releases ORDER BY sequence")
                    states = list(connection.execute(query).scalars())
                if "paid" not in states and "drawn" not in states:
                    break
            assert states == ["failed", "failed", "failed", "complete"]

    def unreadable(ids: list[str], dataset_id: str) -> None:
        """All four are in the state after their charge, and three of them are inconsistent."""
        for release_id, what in zip(
            ids, ("the spec, to no JSON", "the receipt, to no JSON", "the spec, to another JSON"), strict=False
        ):
            tamper(engine, what, release_id, dataset_id)
        with writing(engine) as connection:
            connection.execute(text(UNDRAWN), {"release": ids[3]})

    asyncio.run(story())
