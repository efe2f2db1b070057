"""What is stored is believed only if the service signed it: rows changed by raw SQL, on SQLite and as the service's own
role on PostgreSQL, give nobody a lower price, another answer or a signature.
"""

# ruff: noqa: S608  the statements are made of names that stand here

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DatabaseError

from service.database.engine import reading, writing
from service.datasets.cipher import new_key
from service.errors import InvalidRequest
from service.ledger.outcomes import sign_outcome
from service.ledger.receipts import Signer
from service.ledger.verification import verify_database
from service.principals.auth import Caller
from service.principals.keys import add_key
from service.principals.verification import verify_chains
from service.releases import paid
from service.releases.public_text import public_text
from service.runtime import jobs
from service.runtime.key_file import replace_receipt_key
from service.schemas.principals import Role
from tests.harness.bodies import of_releases, querying, registration, release_body
from tests.harness.in_process import Service, embedded, notes_of, running
from tests.harness.installation import KEYS, PUBLIC_KEYS
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.harness.server import problem_code

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from service.settings.settings import Settings

CERTIFIED = {
    "prior": [1, 1],
    "mechanism": {"kind": "exponential", "calibration": "certified", "epsilon": "0.3", "delta": "1e-7"},
}

MINE = "qry_" + "a" * 26


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return embedded(database_url, tmp_path / "witness")


def tell(settings: Settings, story: Callable[[Service], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        async with running(settings) as service:
            await story(service)

    asyncio.run(whole())


def alter(engine: Engine, *statements: str, **places: object) -> None:
    with writing(engine) as connection:
        for each in statements:
            connection.execute(text(each), {name: value for name, value in places.items() if f":{name}" in each})


def untriggered(engine: Engine) -> None:
    """Drop or disable all triggers, as the holder of the file or the owner of the tables can."""
    with writing(engine) as connection:
        if connection.dialect.name == "sqlite":
            names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all()
            for name in names:
                connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
        else:
            for table in ("releases", "query_charges", "public_texts"):
                connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")


def faults(engine: Engine) -> list[str]:
    with reading(engine) as connection:
        return [each.fault for each in verify_database(connection, public_keys=PUBLIC_KEYS) if each.fault is not None]


async def charge(service: Service, who: Person, dataset_id: str, body: object, key: str) -> dict[str, Any]:
    return await service.made(who, f"/v1/datasets/{dataset_id}/releases", body, key)


def test_a_stored_certificate_that_was_altered_is_computed_again(settings: Settings, engine: Engine) -> None:
    """Seen before: 21 releases with a proven loss of 1 cost 0.021 in all."""
    owner, charged = person(engine, Role.OWNER), list[str]()
    ids = list[str]()

    async def first(service: Service) -> None:
        ids.append((await service.made(owner, "/v1/datasets", registration([30, 41])))["id"])
        charged.append((await charge(service, owner, ids[0], CERTIFIED, "one"))["charged"]["epsilon"])

    async def second(service: Service) -> None:
        charged.append((await charge(service, owner, ids[0], CERTIFIED, "two"))["charged"]["epsilon"])

    tell(settings, first)
    alter(
        engine,
        "UPDATE jobs SET result = replace(result, :right, :wrong)",
        right=f'"epsilon": "{charged[0]}"',
        wrong='"epsilon": "0.001"',
    )
    with reading(engine) as connection:
        assert "0.001" in connection.execute(text("SELECT result FROM jobs")).scalar_one()
    tell(settings, second)
    assert charged[0] == charged[1] != "0.001"
    assert faults(engine) == []


def test_a_certificate_of_other_parameters_is_computed_again(settings: Settings, engine: Engine) -> None:
    """A signed certificate, under the key of another request."""
    owner, charged, ids = person(engine, Role.OWNER), list[str](), list[str]()
    cheap = {**CERTIFIED, "mechanism": {**CERTIFIED["mechanism"], "epsilon": "0.1"}}  # type: ignore[dict-item]

    async def first(service: Service) -> None:
        ids.append((await service.made(owner, "/v1/datasets", registration([30, 41])))["id"])
        for name, body in (("one", CERTIFIED), ("cheap", cheap)):
            charged.append((await charge(service, owner, ids[0], body, name))["charged"]["epsilon"])

    async def second(service: Service) -> None:
        charged.append((await charge(service, owner, ids[0], CERTIFIED, "two"))["charged"]["epsilon"])

    tell(settings, first)
    cheaper = "(SELECT {} FROM jobs AS other WHERE other.key <> jobs.key)"
    columns = ", ".join(f"{name} = {cheaper.format(name)}" for name in ("result", "signature", "input"))
    alter(engine, f"UPDATE jobs SET {columns} WHERE input LIKE :dear", dear='%"epsilon": "0.3"%')
    tell(settings, second)
    assert charged[2] == charged[0] != charged[1]


def test_a_key_in_the_database_signs_nothing(settings: Settings, engine: Engine) -> None:
    """Seen before: `GET /v1/public/releases/…` served other counts under a key that somebody had added, and
    `ledger verify` was content.
    """
    owner, mine = person(engine, Role.OWNER), Signer.parse(new_key())

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 41]))
        made = await charge(service, owner, dataset["id"], release_body("0.1"), "one")
        made["posterior"]["noisy_counts"] = made["posterior"]["released_counts"] = [71, 0]
        with suppress(DatabaseError):
            alter(
                engine,
                "INSERT INTO key_checks (kind, key_id, check_value, created_at) VALUES ('receipts', :id, :key, 1)",
                id=mine.key_id,
                key=mine.public_key,
            )
        alter(
            engine,
            "INSERT INTO public_texts (release_id, text, created_at) VALUES (:id, :text, 1)",
            "UPDATE releases SET public_since = 1 WHERE id = :id",
            id=made["id"],
            text=public_text(json.dumps(made), mine),
        )
        answer = await service.send(owner, "GET", f"/v1/public/releases/{made['id']}")
        assert problem_code(answer) == "release-altered"
        keys = (await service.send(owner, "GET", "/v1/public-key")).json()
        assert mine.key_id not in {each["key_id"] for each in (keys, *keys["earlier"])}

    tell(settings, story)
    assert "disagree on whether it is public" in " ".join(faults(engine))


FORGED_ID = f"signature = replace(signature, '{Signer.parse(RECEIPT_KEY).key_id}', '0123456789abcdef')"


@pytest.mark.parametrize(
    "what", ["the answer", "the drawn values", "the signature", "the key's id", "the answer and the key's id"]
)
def test_an_altered_answer_is_neither_served_nor_signed(
    settings: Settings, engine: Engine, owner_engine: Engine, what: str
) -> None:
    owner = person(engine, Role.OWNER)
    changed = {
        "the answer": "result = replace(result, '\"noisy_counts\":[', '\"noisy_counts\":[1')",
        "the drawn values": "drawn = replace(drawn, '\"noisy\": [', '\"noisy\": [1')",
        "the signature": "signature = NULL",
        "the key's id": FORGED_ID,
        "the answer and the key's id": "result = replace(result, '\"noisy_counts\":[', '\"noisy_counts\":[1'), "
        + FORGED_ID,
    }[what]

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 41]))
        made = await charge(service, owner, dataset["id"], release_body("0.1"), "one")
        untriggered(owner_engine)
        alter(owner_engine, f"UPDATE releases SET {changed}")
        path = f"/v1/releases/{made['id']}"
        answers = [
            await service.send(owner, "GET", path),
            await service.release(owner, dataset["id"], "one", "0.1"),
            await service.send(owner, "PATCH", path, {"public": True}),
            await service.send(owner, "POST", "/v1/posteriors", of_releases(made["id"]) | {"prior": [1, 1]}),
        ]
        assert {problem_code(each) for each in answers} == {"release-altered"}
        assert all(each.json()["charged"] for each in answers)
        asked = {"queries": [{"weights": [1, 0]}]}
        found = await service.settled(owner, "POST", f"/v1/datasets/{dataset['id']}/estimates", asked)
        assert (found.json()["answers"], len(found.json()["excluded_releases"])) == ([None], 1)

    tell(settings, story)
    assert "altered" in " ".join(faults(engine))


async def _cancel_task(*_: object) -> None:
    raise asyncio.CancelledError


def pay_only(settings: Settings, owner: Person, monkeypatch: pytest.MonkeyPatch) -> str:
    """The data set of a release that is paid and not drawn."""
    ids = list[str]()

    async def story(service: Service) -> None:
        ids.append((await service.made(owner, "/v1/datasets", registration([30, 41])))["id"])
        with monkeypatch.context() as broken:
            broken.setattr(paid, "_draw", _cancel_task)
            assert (await service.release(owner, ids[0], "key")).status_code == 409

    tell(settings, story)
    return ids[0]


@pytest.mark.parametrize("state", ["complete", "drawn"])
def test_a_paid_row_that_somebody_completed_is_refused(
    settings: Settings, engine: Engine, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """The service's role may change the row; the caller once got the result."""
    owner = person(engine, Role.OWNER)
    dataset_id = pay_only(settings, owner, monkeypatch)
    result = "'{}'" if state == "complete" else "NULL"
    with suppress(DatabaseError):
        alter(engine, f"UPDATE releases SET state = '{state}', drawn = '{{}}', result = {result}, leased_until = 0")
    alter(
        engine,
        f"UPDATE releases SET state = '{state}', drawn = 'nothing', result = {result}, leased_until = 0, "
        "signature = 'mine'",
    )

    async def story(service: Service) -> None:
        assert problem_code(await service.release(owner, dataset_id, "key")) == "release-altered"

    tell(settings, story)
    assert "altered" in " ".join(faults(engine))


def test_inserted_rows_make_no_query_cheaper(settings: Settings, engine: Engine) -> None:
    """Seen before: a half width of 2 for nothing, where 60 had cost 0.05."""
    owner = person(engine, Role.OWNER)

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 40, 50]))
        path = f"/v1/datasets/{dataset['id']}/releases"
        query = {"of": {"labels": dataset["labels"][:1]}}
        paid_for = await service.made(owner, path, querying(query | {"half_width": 60}), "one")
        copied = ", ".join(_columns(engine, "releases"))
        values = copied.replace("key_hash", "'k'", 1).replace("sequence", "99", 1).replace("id", f"'{MINE}'", 1)
        alter(
            engine,
            f"INSERT INTO releases ({copied}) SELECT {values} FROM releases",
            f"INSERT INTO query_charges SELECT '{MINE}', dataset_id, budget_id, 99, grant_id, replace(measured, "
            ':rate, \'"rate":"5"\'), apart, epsilon_alone, delta_alone, rho_alone, epsilon_granted, delta_granted, '
            "rho_granted FROM query_charges",
            rate=f'"rate":"{paid_for["measured"][0]["rate"]}"',
        )
        body = querying(query | {"half_width": 2})
        answer = await service.settled(owner, "POST", path, body, **{"Idempotency-Key": "two"})
        assert (problem_code(answer), answer.json()["charged"]) == ("stored-data-altered", False)
        spent = (await service.send(owner, "GET", f"/v1/budgets/{dataset['budget_id']}")).json()["spent"]
        assert spent["epsilon"] == paid_for["charged"]["epsilon"]

    tell(settings, story)
    assert faults(engine) != []


def test_a_paid_query_is_refused_if_an_earlier_release_lost_its_entry(
    settings: Settings, engine: Engine, owner_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 40, 50]))
        path = f"/v1/datasets/{dataset['id']}/releases"
        body = querying({"of": {"labels": dataset["labels"][:1]}, "half_width": 30})
        earlier = await charge(service, owner, dataset["id"], release_body("0.01", 3), "one")
        with monkeypatch.context() as broken:
            broken.setattr(paid, "_draw", _cancel_task)
            interrupted = await service.send(owner, "POST", path, body, **{"Idempotency-Key": "two"})
            assert interrupted.status_code == 409
        alter(engine, "UPDATE releases SET leased_until = 0")
        untriggered(owner_engine)
        alter(owner_engine, "UPDATE releases SET sequence = 99 WHERE id = :id", id=earlier["id"])
        answer = await service.settled(owner, "POST", path, body, **{"Idempotency-Key": "two"})
        assert (problem_code(answer), answer.json()["charged"]) == ("release-altered", True)

    tell(settings, story)


def _columns(engine: Engine, table: str) -> list[str]:
    with reading(engine) as connection:
        return list(connection.execute(text(f"SELECT * FROM {table} LIMIT 0")).keys())


def test_altered_counts_are_named_and_not_charged(settings: Settings, engine: Engine) -> None:
    owner = person(engine, Role.OWNER)

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 41]))
        alter(engine, "UPDATE encrypted_counts SET ciphertext = :other", other=bytes(60))
        answer = await service.release(owner, dataset["id"], "one")
        assert (problem_code(answer), answer.json()["charged"]) == ("stored-data-altered", False)

    tell(settings, story)


def test_a_rotation_of_the_receipt_key_loses_no_answer_and_no_measured_row(settings: Settings, engine: Engine) -> None:
    owner, before = person(engine, Role.OWNER), list[Any]()
    old = Signer.parse(RECEIPT_KEY)

    async def ask(service: Service, dataset: dict[str, Any], key: str) -> dict[str, Any]:
        query = {"of": {"labels": dataset["labels"][:1]}, "half_width": 30}
        return await service.made(owner, f"/v1/datasets/{dataset['id']}/releases", querying(query), key)

    async def first(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 40, 50]))
        release = await charge(service, owner, dataset["id"], release_body("0.1", 3), "one")
        await service.send(owner, "PATCH", f"/v1/releases/{release['id']}", {"public": True})
        public = (await service.send(owner, "GET", f"/v1/public/releases/{release['id']}")).content
        before.extend([dataset, release, await ask(service, dataset, "query"), public])

    async def second(service: Service) -> None:
        dataset, release, answers, public = before
        assert await charge(service, owner, dataset["id"], release_body("0.1", 3), "one") == release
        assert await ask(service, dataset, "query") == answers
        assert (await service.send(owner, "GET", f"/v1/public/releases/{release['id']}")).content == public
        again = await ask(service, dataset, "same")
        assert again["charged"]["epsilon"] == "0"
        assert again["measured"] == []

    tell(settings, first)
    tell(replace(settings, receipt_key=f"{new_key()},public:{old.public_key}"), second)


def test_a_creation_is_repeated_after_a_rotation_of_the_receipt_key(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    """In a list of keys, and in a key file, which keeps no earlier private key."""
    owner, body, ids = person(engine, Role.OWNER), registration([30, 41]), list[str]()
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"counts_keys": COUNTS_KEYS, "receipt_key": RECEIPT_KEY}))
    file.chmod(0o600)

    async def story(service: Service) -> None:
        ids.append((await service.made(owner, "/v1/datasets", body, "one"))["id"])

    tell(settings, story)
    tell(replace(settings, receipt_key=f"{new_key()},{RECEIPT_KEY}"), story)
    of_file = replace(settings, counts_keys="", receipt_key="", key_file=str(file))
    for _ in range(2):
        replace_receipt_key(of_file.keys)
        tell(of_file, story)
    assert len(set(ids)) == 1


def test_a_release_paid_under_a_key_that_is_not_here_yet_waits_for_it(
    settings: Settings, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replica that was not restarted yet meets what one with the new key charged."""
    owner, new = person(engine, Role.OWNER), new_key()
    ahead = replace(settings, receipt_key=f"{new},{RECEIPT_KEY}")
    key_id = Signer.parse(new).key_id

    async def whole() -> None:
        async with running(settings) as behind, running(ahead) as first:
            dataset = await first.made(owner, "/v1/datasets", registration([30, 41]))
            done = await first.release(owner, dataset["id"], "done")
            with monkeypatch.context() as broken:
                broken.setattr(paid, "_draw", _cancel_task)
                assert (await first.release(owner, dataset["id"], "waits")).status_code == 409
            alter(engine, "UPDATE releases SET leased_until = 0")
            for key in ("done", "waits"):
                answer = await behind.release(owner, dataset["id"], key)
                assert problem_code(answer) == "receipt-key-unavailable"
                assert key_id in answer.json()["detail"]
                assert (answer.json()["charged"], answer.json()["retryable"]) == (True, True)
            assert key_id in " ".join(await notes_of(behind))
            assert (await first.release(owner, dataset["id"], "done")).content == done.content
            made = await first.settled(
                owner,
                "POST",
                f"/v1/datasets/{dataset['id']}/releases",
                release_body("0.01"),
                **{"Idempotency-Key": "waits"},
            )
            assert made.status_code == 201

    asyncio.run(whole())


def test_an_altered_job_is_computed_again(engine: Engine) -> None:
    who = Caller(person(engine, Role.ANALYST).principal_id, Role.ANALYST, "key")

    def ask() -> str:
        with writing(engine) as connection:
            return jobs.ask(connection, who, "query_order", "k", "right", KEYS).id

    first = ask()
    assert ask() == first
    alter(engine, "UPDATE jobs SET input = 'wrong'")
    second = ask()
    assert second != first, "it was not what was asked for"
    alter(engine, "UPDATE jobs SET input = 'wrong'")
    with writing(engine) as connection:
        assert jobs._lease(connection, {}, KEYS) is None
    third = ask()
    alter(engine, "UPDATE jobs SET state = 'ready', result = '{}'")
    fourth = ask()
    assert fourth != third
    alter(engine, "UPDATE jobs SET state = 'ready', result = ''")
    assert ask() != fourth, "seen before: an empty result was believed"


def test_a_job_with_a_second_outcome_is_computed_again(settings: Settings, engine: Engine) -> None:
    """Seen before: a certificate with the forged text, and five minutes later an internal error if it is not JSON."""
    owner, forged = person(engine, Role.OWNER), json.dumps(InvalidRequest("forged").to_json())
    certificate = {"record_count": 71, "prior": [1, 1], "mechanism": CERTIFIED["mechanism"]}

    async def story(service: Service) -> None:
        made = await service.settled(owner, "POST", "/v1/certificates", certificate)
        alter(engine, "UPDATE jobs SET problem = :forged, finished_at = finished_at - 301", forged=forged)
        again = await service.settled(owner, "POST", "/v1/certificates", certificate)
        assert (again.status_code, again.json()) == (200, made.json())

    tell(settings, story)


def test_a_repeated_creation_returns_no_other_object(settings: Settings, engine: Engine) -> None:
    """Seen before: the object that the row names, or an internal error if there is none."""
    owner = person(engine, Role.OWNER)

    async def story(service: Service) -> None:
        bodies = [registration([30, 41], name=name) for name in ("one", "two")]
        made = [await service.made(owner, "/v1/datasets", body, key) for key, body in zip("12", bodies, strict=True)]
        for other in (made[1]["id"], "dat_" + "a" * 26):
            alter(engine, "UPDATE creations SET subject_id = :other", other=other)
            answer = await service.send(owner, "POST", "/v1/datasets", bodies[0], **{"Idempotency-Key": "1"})
            assert problem_code(answer) == "idempotency-key-reused"

    tell(settings, story)


def test_a_person_with_the_tables_deletes_charges_of_queries_and_ledger_verify_names_it(
    settings: Settings, engine: Engine, owner_engine: Engine
) -> None:
    """Threat model, the database alone: nothing but `ledger verify` notices the missing row."""
    owner = person(engine, Role.OWNER)

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 40, 50]))
        path = f"/v1/datasets/{dataset['id']}/releases"
        body = querying({"of": {"labels": dataset["labels"][:1]}, "half_width": 60})
        await service.made(owner, path, body, "one")
        untriggered(owner_engine)
        alter(owner_engine, "DELETE FROM query_charges")
        await charge(service, owner, dataset["id"], release_body("0.01", 3), "two")

    tell(settings, story)
    assert "rows that are missing" in " ".join(faults(engine))


def test_a_person_with_the_role_of_the_service_acts_as_anybody_by_a_key_that_ledger_verify_names(
    settings: Settings, engine: Engine
) -> None:
    """Threat model, the service's role: it adds a key, and needs to confirm no session."""
    owner = person(engine, Role.OWNER)
    with writing(engine) as connection:
        _, secret = add_key(connection, owner.principal_id, issued_by=owner.principal_id, expires_at=None)
    thief = Person(owner.principal_id, secret.key)

    async def story(service: Service) -> None:
        dataset = await service.made(thief, "/v1/datasets", registration([30, 41]))
        assert (await service.release(thief, dataset["id"], "one")).status_code == 201

    tell(settings, story)
    with reading(engine) as connection:
        assert verify_chains(connection).keys() == {owner.principal_id}


def test_a_person_with_the_receipt_key_and_the_tables_changes_an_answer_and_only_a_kept_copy_differs(
    settings: Settings, engine: Engine, owner_engine: Engine
) -> None:
    """Threat model, the receipt key: the service serves the other answer, and `ledger verify` finds no fault."""
    owner, signer = person(engine, Role.OWNER), Signer.parse(RECEIPT_KEY)

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 41]))
        kept = (await service.release(owner, dataset["id"], "one")).json()
        untriggered(owner_engine)
        with reading(engine) as connection:
            drawn, result = connection.execute(text("SELECT drawn, result FROM releases")).one()
        forged = re.sub(r'(?<="noisy_counts":\[)-?\d+', "123456", result)
        signature = sign_outcome(signer, kept["id"], drawn, forged)
        alter(owner_engine, "UPDATE releases SET result = :forged, signature = :mine", forged=forged, mine=signature)
        served = await service.send(owner, "GET", f"/v1/releases/{kept['id']}")
        assert served.status_code == 200
        assert served.json()["posterior"]["noisy_counts"] != kept["posterior"]["noisy_counts"]
        assert served.json()["receipt"] == kept["receipt"]

    tell(settings, story)
    assert faults(engine) == []
