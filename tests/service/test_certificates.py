"""Certificates are computed within a quota, and kept while releases use them. A try that reaches a minute is followed
by one of an hour, for which no other job waits.
"""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, func, select, update

from service.database.engine import reading, writing
from service.database.rows import JobRow
from service.database.tables import jobs as table
from service.errors import CertificateQuotaExceeded, NotFound
from service.identifiers.identifiers import now
from service.limits.limits import CERTIFICATES
from service.principals.auth import Caller
from service.runtime import jobs
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import registration
from tests.harness.deadlines import PATIENCE
from tests.harness.in_process import running
from tests.harness.installation import KEYS
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.harness.server import problem_code

SLOW = {
    "record_count": 300,
    "prior": [1, 1],
    "mechanism": {"kind": "exponential", "calibration": "certified", "epsilon": "0.25"},
}


def caller(engine: Engine) -> Caller:
    return Caller(person(engine, Role.ANALYST).principal_id, Role.ANALYST, "key")


def ask(engine: Engine, who: Caller, name: str, result: str | None = None) -> JobRow:
    with writing(engine) as connection:
        return jobs.ask(connection, who, "certificate", name, name, KEYS, result)


def test_a_principal_may_have_some_certificates_pending_and_one_more_once_one_is_done(engine: Engine) -> None:
    who = caller(engine)
    pending = [ask(engine, who, f"{each}") for each in range(CERTIFICATES.max_per_key)]
    with pytest.raises(CertificateQuotaExceeded):
        ask(engine, who, "one more")
    ask(engine, caller(engine), "another's")
    with writing(engine) as connection:
        jobs.ask(connection, who, "plan", "plan", "plan", KEYS)
    done = ask(engine, who, "0", "{}")
    assert (done.id, done.state) == (pending[0].id, "ready"), "what is computed at once completes what was pending"
    ask(engine, who, "one more")


def settings(url: str) -> Settings:
    return Settings(database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0)


async def settled(service: Any, who: Any) -> httpx.Response:
    """The result of the certificate's job, once it is no longer pending."""
    asked: dict[str, Any] = (await service.send(who, "POST", "/v1/certificates", SLOW)).json()
    assert (asked["state"], asked["kind"]) == ("pending", "certificate")
    async with asyncio.timeout(PATIENCE):
        while asked["state"] == "pending":
            await asyncio.sleep(0.1)
            asked = (await service.send(who, "GET", f"/v1/jobs/{asked['id']}")).json()
    found: httpx.Response = await service.send(who, "GET", asked["result"])
    again = await service.send(who, "POST", "/v1/certificates", SLOW)
    assert (again.status_code, again.json()) == (found.status_code, found.json())
    return found


def test_a_certificate_that_never_fits_is_given_up_and_says_what_to_do(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*NOBODY_WAITS)
    monkeypatch.setitem(jobs.COMPUTATIONS, "certificate", "tests.harness.computing:end")
    analyst = person(engine, Role.ANALYST)

    async def story() -> Any:
        async with running(settings(database_url)) as service:
            return await settled(service, analyst)

    found = asyncio.run(story())
    assert problem_code(found) == "computations-unavailable"
    assert "POSTERIOR_COMPUTATION_MEMORY_MB" in found.json()["detail"]


def test_later_tries_delay_no_other_job_and_no_first_try(engine: Engine) -> None:
    callers = [caller(engine) for _ in range(2)]
    for who, name in zip(callers, ("an hour", "two hours"), strict=True):
        ask(engine, who, name)
    with writing(engine) as connection:
        connection.execute(update(table).values(tries=1))
    ask(engine, callers[0], "a minute")
    with writing(engine) as connection:
        jobs.ask(connection, callers[1], "plan", "plan", "plan", KEYS)
        leased = [jobs._lease(connection, {}, KEYS, long=long) for long in (True, False, False, False, True, True)]
    found = [row and row.input for row in leased]
    assert found == ["an hour", "a minute", "plan", None, "two hours", None]


def test_a_first_try_that_reaches_its_limit_is_tried_again_with_a_longer_one(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*NOBODY_WAITS)
    monkeypatch.setattr(jobs, "_CERTIFICATE_RULES", jobs._CERTIFICATE_RULES._replace(seconds=(0, 3600)))
    analyst = person(engine, Role.ANALYST)

    async def story() -> Any:
        async with running(settings(database_url)) as service:
            return await settled(service, analyst)

    assert asyncio.run(story()).json()["certificate"]["method"] == "exact_channel"
    with reading(engine) as connection:
        assert connection.execute(select(table.c.tries)).scalar_one() == 2


def test_what_a_formula_gives_is_not_stored(database_url: str, engine: Engine) -> None:
    analyst = person(engine, Role.ANALYST)

    async def story() -> None:
        async with running(settings(database_url)) as service:
            body = SLOW | {"mechanism": {"kind": "simplex_geometric", "epsilon": "0.25"}}
            answer = await service.send(analyst, "POST", "/v1/certificates", body)
            assert (answer.status_code, answer.json()["certificate"]["method"]) == (200, "theorem")

    asyncio.run(story())
    with reading(engine) as connection:
        assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0


def test_nothing_tells_whether_somebody_else_asked_for_a_certificate(database_url: str, engine: Engine) -> None:
    """What another principal computed is computed again: its time tells nothing."""
    first, second = person(engine, Role.ANALYST), person(engine, Role.OWNER)

    async def story() -> list[Any]:
        async with running(settings(database_url)) as service:
            asked = [await service.settled(who, "POST", "/v1/certificates", SLOW) for who in (first, second, first)]
            return [each.json() for each in asked]

    of_first, of_second, again = asyncio.run(story())
    assert of_first == of_second == again
    with reading(engine) as connection:
        assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 2, "each was computed"


def test_each_who_asks_has_an_id_of_its_own(engine: Engine) -> None:
    first, second = caller(engine), caller(engine)
    ids = [ask(engine, who, "shared").id for who in (first, second, first)]
    assert ids[0] == ids[2] != ids[1]
    with writing(engine) as connection:
        assert jobs.read(connection, first, ids[0], KEYS).id == ids[0]
        with pytest.raises(NotFound):
            jobs.read(connection, second, ids[0], KEYS)
        with pytest.raises(NotFound):
            jobs.end(connection, second, ids[0])


def test_unused_certificates_are_removed_after_a_day_and_used_ones_after_a_month(engine: Engine) -> None:
    who, day = caller(engine), 86_400
    for name in ("unused", "used", "long unused", "new"):
        ask(engine, who, name, "{}")
    with writing(engine) as connection:
        old = update(table).where(table.c.input != "new")
        connection.execute(old.values(finished_at=table.c.finished_at - 40 * day))
        for name, days in (("used", 29), ("long unused", 31)):
            connection.execute(update(table).where(table.c.input == name).values(used_at=now() - days * day))
        jobs.forget_old(connection)
        assert set(connection.execute(select(table.c.input)).scalars()) == {"used", "new"}


def test_the_hundred_used_last_are_kept_beside_those_that_are_pending(engine: Engine) -> None:
    """A sequential caller was once refused because of certificates computed long before, with none pending."""
    who, other = caller(engine), caller(engine)
    ask(engine, other, "0", "{}")
    ask(engine, who, "pending")
    first = ask(engine, who, "used", "{}")
    with writing(engine) as connection:
        jobs.note_use(connection, first.id)
        connection.execute(update(table).where(table.c.input == "used").values(used_at=now() + 1000))
    for each in range(120):
        ask(engine, who, f"{each:03}", "{}")
    with reading(engine) as connection:
        mine = select(table.c.input).where(table.c.principal_id == who.principal_id)
        kept = {*connection.execute(mine).scalars()}
        assert kept == {"pending", "used", *(f"{each:03}" for each in range(22, 120))}
        assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 101


def test_a_release_keeps_a_certificate_for_longer_that_a_quote_computed(database_url: str, engine: Engine) -> None:
    owner = person(engine, Role.OWNER)

    async def story() -> None:
        async with running(settings(database_url)) as service:
            dataset = await service.made(owner, "/v1/datasets", registration([100, 200]))
            body = {"prior": [1, 1], "mechanism": SLOW["mechanism"]}
            quote = await service.send(owner, "POST", f"/v1/datasets/{dataset['id']}/quotes", body)
            assert quote.status_code == 200, quote.text
            await service.made(owner, f"/v1/datasets/{dataset['id']}/releases", body, "key")

    asyncio.run(story())
    with reading(engine) as connection:
        assert connection.execute(select(table.c.used_at)).scalar_one() is not None
