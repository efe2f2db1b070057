"""Certificates are computed in turns by principal, within a quota, and tried again if they were ended or killed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, func, select

from service.channels.certified import key_of
from service.database.engine import reading, writing
from service.database.tables import certificate_requests
from service.database.tables import certificates as table
from service.errors import CertificateQuotaExceeded, NotFound
from service.identifiers.identifiers import now
from service.limits.limits import CERTIFICATES, COMPUTATIONS
from service.principals.auth import Caller
from service.releases import certificates
from service.releases.certificates import _ask, _certified, _keep, _lease
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.in_process import running
from tests.harness.installation import KEYS
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

SLOW = {
    "record_count": 300,
    "prior": [1, 1],
    "mechanism": {"kind": "exponential", "calibration": "certified", "epsilon": "0.25"},
}


def caller(engine: Engine) -> Caller:
    return Caller(person(engine, Role.ANALYST).principal_id, Role.ANALYST, "key")


def ask(engine: Engine, who: Caller, name: str) -> None:
    with writing(engine) as connection:
        _ask(connection, who, name, KEYS)


def test_many_certificate_requests_delay_no_other_principal(engine: Engine) -> None:
    greedy, polite = caller(engine), caller(engine)
    for each in range(20):
        ask(engine, greedy, f"greedy {each:02}")
        with writing(engine) as connection:
            # Each a second later than the one before.
            connection.execute(table.update().values(created_at=table.c.created_at - 1))
    ask(engine, polite, "polite")
    turns: dict[str, float] = {}
    served = []
    for _ in range(4):
        with writing(engine) as connection:
            row = _lease(connection, turns)
        assert row is not None
        served.append(row.parameters)
    assert served == ["greedy 00", "polite", "greedy 01", "greedy 02"]


def test_a_principal_may_have_some_certificates_pending_and_one_more_once_one_is_done(engine: Engine) -> None:
    who = caller(engine)
    for each in range(CERTIFICATES.max_per_key):
        ask(engine, who, f"{each}")
    with pytest.raises(CertificateQuotaExceeded):
        ask(engine, who, "one more")
    ask(engine, caller(engine), "another's")
    with writing(engine) as connection:
        done = {"state": "ready", "certified": "{}"}
        connection.execute(table.update().where(table.c.key == key_of("0")).values(**done))
    ask(engine, who, "one more")


def settings(url: str, **changes: Any) -> Settings:
    return Settings(
        database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0, **changes
    )


def test_a_certificate_whose_process_was_killed_for_memory_is_tried_again(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.runtime.processes.COMPUTATIONS", COMPUTATIONS._replace(seconds=0))
    analyst = person(engine, Role.ANALYST)

    async def story(state: str) -> Any:
        async with running(settings(database_url)) as service:
            answer = await service.send(analyst, "POST", "/v1/certificates", SLOW)
            path = f"/v1/certificates/{answer.json()['id']}"
            for _ in range(600 if state == "ready" else 60):
                with reading(engine) as connection:
                    found = connection.execute(select(table.c.state)).scalar_one()
                if found in {"ready", "failed"}:
                    break
                await asyncio.sleep(0.1)
            return (await service.send(analyst, "GET", path)).json()["state"]

    with monkeypatch.context() as killed:
        # It ends without an answer, as a process does that the system kills.
        killed.setattr(certificates, "COMPUTATION", "tests.harness.computing:end")
        killed.setattr(certificates, "_TRIES", 1000)
        assert asyncio.run(story("pending")) == "pending"
    with writing(engine) as connection:
        connection.execute(table.update().values(leased_until=0, tries=1))
    assert asyncio.run(story("ready")) == "ready"


def test_a_certificate_that_never_fits_is_given_up_and_says_what_to_do(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.runtime.processes.COMPUTATIONS", COMPUTATIONS._replace(seconds=0))
    monkeypatch.setattr(certificates, "LEASE_SECONDS", 0)
    monkeypatch.setattr(certificates, "COMPUTATION", "tests.harness.computing:end")
    analyst = person(engine, Role.ANALYST)

    async def story() -> Any:
        async with running(settings(database_url)) as service:
            path = f"/v1/certificates/{(await service.send(analyst, 'POST', '/v1/certificates', SLOW)).json()['id']}"
            async with asyncio.timeout(100):
                while (told := await service.send(analyst, "GET", path)).status_code != 200 or is_pending(told):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            return told.json()

    def is_pending(told: Any) -> bool:
        return (told.json()["state"], told.json()["detail"]) == ("pending", None)

    told = asyncio.run(story())
    assert told["state"] == "failed"
    assert "POSTERIOR_COMPUTATION_MEMORY_MB" in told["detail"]


def test_a_process_that_could_not_say_that_it_died_has_tried_too(engine: Engine) -> None:
    ask(engine, caller(engine), "deadly")
    leased = []
    for _ in range(5):
        with writing(engine) as connection:
            leased.append(_lease(connection, {}))
            connection.execute(table.update().values(leased_until=0))
    assert [row is not None for row in leased] == [True, True, True, False, False]
    with reading(engine) as connection:
        assert connection.execute(select(table.c.state)).scalar_one() == "failed"


def test_a_process_that_stops_hands_its_certificate_on_and_has_not_tried_it(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.runtime.processes.COMPUTATIONS", COMPUTATIONS._replace(seconds=0))
    monkeypatch.setattr(certificates, "COMPUTATION", "tests.harness.computing:sleep_for_ever")
    analyst = person(engine, Role.ANALYST)

    def row() -> Any:
        with reading(engine) as connection:
            return connection.execute(select(table.c.state, table.c.tries, table.c.leased_until)).one()

    async def story() -> None:
        async with running(settings(database_url)) as service:
            await service.send(analyst, "POST", "/v1/certificates", SLOW)
            async with asyncio.timeout(100):
                while not (await asyncio.to_thread(row)).tries:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)

    asyncio.run(story())
    assert tuple(row()) == ("pending", 0, None)


def test_first_tries_do_not_wait_for_long_ones(engine: Engine) -> None:
    for name in ("an hour", "two hours", "half a minute"):
        ask(engine, caller(engine), name)
    with writing(engine) as connection:
        connection.execute(table.update().where(table.c.parameters != "half a minute").values(tries=1))
        leased = [_lease(connection, {}, first_tries_only=first) for first in (False, True, True, False)]
    assert [row and row.parameters for row in leased] == ["an hour", "half a minute", None, "two hours"]


def test_a_first_try_that_reaches_its_limit_is_tried_again_with_a_longer_one(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.runtime.processes.COMPUTATIONS", COMPUTATIONS._replace(seconds=0))
    monkeypatch.setattr(certificates, "_FIRST_TRY_SECONDS", 0)
    analyst = person(engine, Role.ANALYST)

    async def story() -> Any:
        async with running(settings(database_url)) as service:
            asked = (await service.send(analyst, "POST", "/v1/certificates", SLOW)).json()
            assert asked["state"] == "pending"
            async with asyncio.timeout(100):
                while (told := await service.send(analyst, "GET", f"/v1/certificates/{asked['id']}")).json()[  # noqa: ASYNC110
                    "state"
                ] == "pending":
                    await asyncio.sleep(0.1)
            return told.json()

    assert asyncio.run(story())["state"] == "ready"
    with reading(engine) as connection:
        assert connection.execute(select(table.c.tries)).scalar_one() == 2


def test_a_certificate_computed_at_once_completes_anothers_job(engine: Engine) -> None:
    first, second = caller(engine), caller(engine)
    ask(engine, first, "shared")
    with writing(engine) as connection:
        row = _keep(connection, second, "shared", _certified("shared", "{}", KEYS), KEYS)
        assert (row.state, row.certified) == ("ready", "{}")


def test_what_a_formula_gives_is_not_stored(database_url: str, engine: Engine) -> None:
    analyst = person(engine, Role.ANALYST)

    async def story() -> None:
        async with running(settings(database_url)) as service:
            body = SLOW | {"mechanism": {"kind": "simplex_geometric", "epsilon": "0.25"}}
            answer = await service.post(analyst, "/v1/certificates", body)
            assert (answer["id"], answer["state"]) == (None, "ready")
            assert answer["certificate"]["method"] == "theorem"

    asyncio.run(story())
    with reading(engine) as connection:
        assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0


def test_nothing_tells_whether_somebody_else_asked_for_a_certificate(database_url: str, engine: Engine) -> None:
    """Neither its time: what another principal computed is computed again. Nor `created_at`, which is the caller's."""
    first, second = person(engine, Role.ANALYST), person(engine, Role.OWNER)

    async def story() -> list[dict[str, Any]]:
        async with running(settings(database_url)) as service:
            found = []
            for who in (first, second, first):
                asked = await service.post(who, "/v1/certificates", SLOW)
                found.append((await service.send(who, "GET", f"/v1/certificates/{asked['id']}")).json())
                with writing(engine) as connection:
                    connection.execute(table.update().values(created_at=table.c.created_at - 1000))
            return found

    of_first, of_second, again = asyncio.run(story())
    assert of_first["id"] == again["id"] != of_second["id"]
    assert of_first["certificate"] == of_second["certificate"]
    assert of_second["created_at"] > again["created_at"]
    with reading(engine) as connection:
        assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 2, "each was computed"


def test_each_who_asks_has_an_id_of_its_own(engine: Engine) -> None:
    first, second = caller(engine), caller(engine)
    with writing(engine) as connection:
        ids = [_ask(connection, who, "shared", KEYS).id for who in (first, second, first)]
        assert ids[0] == ids[2] != ids[1]
        assert certificates.get_certificate(connection, first, ids[0], KEYS).id == ids[0]
        with pytest.raises(NotFound):
            certificates.get_certificate(connection, second, ids[0], KEYS)


def test_unused_certificates_are_removed_after_a_day_and_used_ones_after_a_month(engine: Engine) -> None:
    who, day = caller(engine), 86_400
    for name in ("unused", "used", "long unused", "new", "pending"):
        ask(engine, who, name)
    ready = {"state": "ready", "certified": "{}"}
    with writing(engine) as connection:
        of = table.c.parameters
        connection.execute(table.update().where(of != "pending").values(**ready))
        for each in (table, certificate_requests):
            old = each.c["certificate_key" if each is certificate_requests else "key"] != key_of("new")
            connection.execute(each.update().where(old).values(created_at=each.c.created_at - 40 * day))
        connection.execute(table.update().where(of == "used").values(used_at=now() - 29 * day))
        connection.execute(table.update().where(of == "long unused").values(used_at=now() - 31 * day))
        certificates.forget_unused(connection)
        assert set(connection.execute(select(of)).scalars()) == {"used", "new", "pending"}
        asked = select(certificate_requests.c.certificate_key)
        assert set(connection.execute(asked).scalars()) == {key_of("new"), key_of("pending")}


def make_older(connection: Connection) -> None:
    """By a second, so that requests have an order."""
    connection.execute(certificate_requests.update().values(created_at=certificate_requests.c.created_at - 1))


def test_the_oldest_of_a_hundred_kept_makes_room(engine: Engine) -> None:
    """A sequential caller was once refused because of certificates computed long before, with none pending."""
    who, other, of = caller(engine), caller(engine), table.c.parameters
    ask(engine, other, "0")
    ask(engine, who, "pending")
    for each in range(120):
        with writing(engine) as connection:
            parameters = f"computed at once {each:03}"
            _keep(connection, who, parameters, _certified(parameters, "{}", KEYS), KEYS)
            make_older(connection)
        ask(engine, who, str(each))
        with writing(engine) as connection:
            connection.execute(table.update().where(of != "pending").values(state="ready", certified="{}"))
            make_older(connection)
    with writing(engine) as connection:
        asked = [each.key for each in certificates._asked_by(connection, who)]
        assert len(asked) == 100
        assert asked[0] == key_of("pending")
        assert asked[-2:] == [key_of("computed at once 119"), key_of("119")]
        assert [each.key for each in certificates._asked_by(connection, other)] == [key_of("0")]
        while certificates.forget_unused(connection):
            pass
        assert set(connection.execute(select(table.c.key)).scalars()) == {*asked, key_of("0")}
