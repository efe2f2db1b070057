"""Long computations become jobs: computed in turns, fetched later, and visible to their principal only."""

from __future__ import annotations

import asyncio
import pkgutil
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import psutil
import pytest
from sqlalchemy import Engine, select, update

from service.console.session import COOKIE
from service.database.engine import reading, writing
from service.database.tables import jobs as table
from service.errors import JobPending, JobQuotaExceeded, NotFound
from service.identifiers.identifiers import now
from service.limits.limits import COMPUTATIONS, JOBS
from service.principals.auth import Caller
from service.runtime import jobs
from service.runtime.job_leases import LEASE_SECONDS
from service.runtime.runtime import Processes
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import of_releases, registration, share
from tests.harness.deadlines import PATIENCE, until
from tests.harness.in_process import Service, running
from tests.harness.installation import KEYS
from tests.harness.out_of_reach import FAR_SECONDS, NOBODY_WAITS
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

PLAN = {"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 4]}, "epsilons": ["1"], "delta": "0"}
COMPUTING = "tests.harness.computing"
WAIT = f"wait={FAR_SECONDS}"


def tell(url: str, story: Callable[[Service], Awaitable[None]], waited_seconds: float | None = 15) -> None:
    settings = Settings(database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0)

    async def whole() -> None:
        async with running(settings, waited_seconds=waited_seconds) as service:
            await story(service)

    asyncio.run(whole())


def caller(engine: Engine, role: Role = Role.ANALYST) -> Caller:
    return Caller(person(engine, role).principal_id, role, "key")


def ask(engine: Engine, who: Caller, name: str) -> str:
    with writing(engine) as connection:
        return jobs.ask(connection, who, "plan", name, name, KEYS).id


def lease(engine: Engine, turns: dict[str, float]) -> str | None:
    with writing(engine) as connection:
        row = jobs._lease(connection, turns, KEYS)
    return None if row is None else row.input


async def ready(service: Service, who: Person, job: dict[str, Any], state: str = "ready") -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while True:
            told: dict[str, Any] = (await service.send(who, "GET", f"/v1/jobs/{job['id']}")).json()
            if told["state"] == state:
                return told
            await asyncio.sleep(0.1)


async def a_release(service: Service, owner: Person) -> str:
    dataset = await service.made(owner, "/v1/datasets", registration([30, 40, 50]))
    path = f"/v1/datasets/{dataset['id']}/releases"
    body = {"prior": [1, 1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"}}
    return str((await service.send(owner, "POST", path, body, **{"Idempotency-Key": "key"})).json()["id"])


def computations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The computations that the service starts after this call, in order."""
    computed, run = list[str](), Processes._run

    async def counted(self: Processes, function: str, text: str, processor_seconds: float) -> str:
        computed.append(function)
        return await run(self, function, text, processor_seconds)

    monkeypatch.setattr(Processes, "_run", counted)
    return computed


def number_in(file: Path) -> int:
    while not file.exists() or not file.read_text():
        time.sleep(0.05)
    return int(file.read_text())


def until_gone(pid: int) -> None:
    until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def test_every_kind_of_job_has_its_computation() -> None:
    for function in jobs.COMPUTATIONS.values():
        assert callable(pkgutil.resolve_name(function))


def test_a_long_operation_becomes_a_job_with_the_same_result(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, stranger = person(engine, Role.OWNER), person(engine, Role.ANALYST)
    greater = {"questions": [{"kind": "difference", "first": share("category 0"), "second": share("category 1")}]}

    async def story(service: Service) -> None:
        release = await a_release(service, owner)
        impossible = {"cells": [{"label": "a", "value": 1}, {"label": "b", "value": 2}], "total": {"known": 4}}
        impossible |= {"kind": "table", "noise": {"law": "none"}}
        for method, path, body in (
            ("POST", "/v1/posteriors", of_releases(release) | greater),
            ("POST", "/v1/posteriors", of_releases(release)),
            ("GET", f"/v1/releases/{release}/plot.svg", None),
            ("POST", "/v1/plans", PLAN),
        ):
            with monkeypatch.context() as hurried:
                hurried.setattr(*NOBODY_WAITS)
                asked = await service.send(owner, method, path, body)
                assert asked.status_code == 202, asked.text
                job = asked.json()
                assert asked.headers["location"] == f"/v1/jobs/{job['id']}"
                assert asked.headers["retry-after"] == "1"
                again = (await service.send(owner, method, path, body)).json()
                assert again["id"] == job["id"], "the same request finds its job"
            done = await ready(service, owner, job)
            result = await service.send(owner, "GET", done["result"])
            found = await service.send(owner, method, path, body)
            assert (found.status_code, found.content) == (200, result.content)
            assert found.headers["content-type"] == result.headers["content-type"]
            for way, address in (("GET", ""), ("GET", "/result"), ("DELETE", "")):
                foreign = await service.send(stranger, way, f"/v1/jobs/{job['id']}{address}")
                assert foreign.json()["type"] == "/problems/not-found"
            assert (await service.send(owner, "DELETE", f"/v1/jobs/{job['id']}")).status_code == 204
            assert (await service.send(owner, "GET", f"/v1/jobs/{job['id']}")).status_code == 404
        with monkeypatch.context() as hurried:
            hurried.setattr(*NOBODY_WAITS)
            job = (await service.send(owner, "POST", "/v1/posteriors", {"sources": [impossible]})).json()
        failed = await ready(service, owner, job, "failed")
        refused = await service.send(owner, "GET", failed["result"])
        assert refused.json()["errors"][0]["location"] == "body.sources[0].cells"

    tell(database_url, story)


def test_a_repeated_question_is_computed_once_for_each_person(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, stranger = person(engine, Role.OWNER), person(engine, Role.ANALYST)
    computed = computations(monkeypatch)

    async def story(service: Service) -> None:
        body = of_releases(await a_release(service, owner))
        computed.clear()
        answers = [await service.send(owner, "POST", "/v1/posteriors", body) for _ in range(3)]
        assert len({each.content for each in answers}) == len(computed) == 1
        other = await service.send(owner, "POST", "/v1/posteriors", body | {"level": 0.9})
        assert (other.json()["categories"][0]["interval"]["level"], len(computed)) == (0.9, 2)
        refused = await service.send(stranger, "POST", "/v1/posteriors", body)
        assert refused.json()["type"] == "/problems/not-found"
        for who in (owner, stranger):
            assert (await service.send(who, "POST", "/v1/plans", PLAN)).status_code == 200
        assert len(computed) == 4, "nobody notices by the time what another asked for"
        release = f"/v1/releases/{body['sources'][0]['release_id']}"
        for is_public, status in ((True, 200), (False, 404), (True, 200)):
            changed = await service.send(owner, "PATCH", release, {"public": is_public})
            assert changed.status_code == 200, changed.text
            read = [await service.send(stranger, "POST", "/v1/posteriors", body) for _ in range(2)]
            assert [each.status_code for each in read] == [status] * 2
            assert len(computed) == 5, "who may not read any more gets nothing, also of what was computed"

    tell(database_url, story)


def test_a_release_page_and_its_files_compute_one_posterior(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, computed = person(engine, Role.OWNER), computations(monkeypatch)

    async def story(service: Service) -> None:
        release_id = await a_release(service, owner)
        session = await service.made(owner, "/v1/keys", {"kind": "session"})
        page, scripts = f"/console/releases/{release_id}", ("/repeat.py", "/repeat.R", "/repeat.sh")

        async def computed_by(files: Sequence[str], question: str) -> int:
            computed.clear()
            for file in files:
                cookie = {"Cookie": f"{COOKIE}={session['key']}"}
                answer = await service.http.get(f"{page}{file}{question}", headers=cookie)
                assert answer.status_code == 200, answer.text
            return len(computed)

        assert await computed_by(scripts, "") == 0
        assert await computed_by(["", "/shares.csv", "/data.json", "/picture.svg", "/report.txt", *scripts], "") == 1
        asked = "?" + urlencode({"kind": "share", "outcome_0": "category 1"})
        files = ["", "/answers.csv", "/data.json", "/picture.svg", "/report.txt"]
        assert await computed_by([*files, *scripts], asked) == 1

    tell(database_url, story)


def test_a_job_that_reaches_its_limit_is_ended_and_not_tried_again(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)
    monkeypatch.setattr(*NOBODY_WAITS)
    monkeypatch.setattr(jobs, "_JOB_RULES", jobs._JOB_RULES._replace(seconds=(1,)))
    monkeypatch.setattr(jobs, "_WALL_FACTOR", FAR_SECONDS)
    monkeypatch.setitem(jobs.COMPUTATIONS, "plan", f"{COMPUTING}:spin")

    async def story(service: Service) -> None:
        job = (await service.send(owner, "POST", "/v1/plans", PLAN)).json()
        failed = await ready(service, owner, job, "failed")
        refused = await service.send(owner, "GET", failed["result"])
        assert refused.json()["type"] == "/problems/computation-too-large"

    tell(database_url, story)
    with reading(engine) as connection:
        assert connection.execute(select(table.c.tries)).scalar_one() == 1


def test_polling_a_job_gets_a_growing_retry_after(engine: Engine) -> None:
    who = caller(engine)
    job = ask(engine, who, "slow")
    told = []
    for age in (0, 3, 40, 3600):
        with writing(engine) as connection:
            connection.execute(update(table).values(created_at=now() - age))
            with pytest.raises(JobPending) as pending:
                jobs.result_of(jobs.read(connection, who, job, KEYS))
        told.append(pending.value.headers["Retry-After"])
    assert told == ["1", "1", "10", "30"]


def test_an_operation_that_takes_too_long_becomes_a_job(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    owner = person(engine, Role.OWNER)
    monkeypatch.setitem(jobs.COMPUTATIONS, "plan", f"{COMPUTING}:sleep_unless_told")
    monkeypatch.setattr("service.runtime.runtime.COMPUTATIONS", COMPUTATIONS._replace(seconds=1))
    monkeypatch.setattr("service.posteriors.plans.schema.PlanCreate.model_dump_json", lambda _: str(tmp_path / "go on"))

    async def story(service: Service) -> None:
        asked = await service.send(owner, "POST", "/v1/plans", PLAN)
        assert asked.status_code == 202
        pending = await service.send(owner, "GET", asked.json()["result"])
        assert pending.json()["type"] == "/problems/job-pending"
        (tmp_path / "go on").touch()
        await ready(service, owner, asked.json())

    tell(database_url, story)


def test_a_request_that_prefers_to_wait_gets_the_result_of_its_job(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    owner, stranger, told = person(engine, Role.OWNER), person(engine, Role.ANALYST), tmp_path / "go on"
    monkeypatch.setattr(*NOBODY_WAITS)

    async def story(service: Service) -> None:
        result = ""
        for number, preference in enumerate(
            (WAIT, f'respond-async, Wait="{FAR_SECONDS}"', "foo; bar, wait = 99999999999")
        ):
            body = PLAN | {"epsilons": [f"0.{number + 1}"]}
            waited = await service.send(owner, "POST", "/v1/plans", body, Prefer=preference)
            assert waited.status_code == 200, waited.text
            assert waited.json()["points"][0]["epsilon"] == f"0.{number + 1}"
        monkeypatch.setitem(jobs.COMPUTATIONS, "plan", f"{COMPUTING}:sleep_unless_told")
        monkeypatch.setattr("service.posteriors.plans.schema.PlanCreate.model_dump_json", lambda _: str(told))
        for preference in ("", "wait=0", "wait", "wait=-1", "wait=1e9", "swait=9"):
            asked = await service.send(owner, "POST", "/v1/plans", PLAN, Prefer=preference)
            assert asked.status_code == 202, preference
            result = asked.json()["result"]
        assert (await service.send(stranger, "GET", result, Prefer=WAIT)).status_code == 404
        waiting = asyncio.ensure_future(service.send(owner, "GET", result, Prefer=WAIT))
        told.touch()
        assert (await waiting).status_code == 200

    tell(database_url, story)


def test_a_refusal_names_the_same_field_in_a_job_and_in_a_request(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)
    wrong = PLAN | {"questions": [{"kind": "share", "of": {"labels": ["ill"]}}]}

    async def story(service: Service) -> None:
        at_once = await service.send(owner, "POST", "/v1/plans", wrong, Prefer=WAIT)
        monkeypatch.setattr(*NOBODY_WAITS)
        asked = await service.send(owner, "POST", "/v1/plans", wrong | {"epsilons": ["2"]})
        assert asked.status_code == 202, asked.text
        refused = await service.send(owner, "GET", asked.json()["result"], Prefer=WAIT)
        for answer in (at_once, refused):
            [error] = answer.json()["errors"]
            assert error["location"].startswith("body.questions[0].of"), answer.text

    tell(database_url, story)


def test_two_requests_of_a_person_wait_for_jobs_and_releases_wait_for_none(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    owner = person(engine, Role.OWNER)
    monkeypatch.setitem(jobs.COMPUTATIONS, "plan", f"{COMPUTING}:sleep_unless_told")
    monkeypatch.setattr(*NOBODY_WAITS)
    monkeypatch.setattr("service.posteriors.plans.schema.PlanCreate.model_dump_json", lambda _: str(tmp_path / "go on"))

    async def story(service: Service) -> None:
        waits = {asyncio.ensure_future(service.send(owner, "POST", "/v1/plans", PLAN, Prefer=WAIT)) for _ in range(3)}
        first, waiting = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        assert [each.result().status_code for each in first] == [202]
        assert await a_release(service, owner)
        gone = waiting.pop()
        gone.cancel()
        await asyncio.wait({gone})
        another = asyncio.ensure_future(service.send(owner, "POST", "/v1/plans", PLAN, Prefer=WAIT))
        (tmp_path / "go on").touch()
        assert [(await each).status_code for each in (*waiting, another)] == [200, 200]

    tell(database_url, story)


def test_an_operation_of_two_cpu_seconds_becomes_a_job(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)

    async def story(service: Service) -> None:
        monkeypatch.setitem(jobs.COMPUTATIONS, "plan", f"{COMPUTING}:spin")
        asked = await service.send(owner, "POST", "/v1/plans", PLAN | {"epsilons": ["2"]})
        assert asked.status_code == 202
        assert (await service.send(owner, "DELETE", f"/v1/jobs/{asked.json()['id']}")).status_code == 204

    tell(database_url, story, None)


@pytest.mark.long
def test_a_quote_of_many_queries_from_noise_that_is_not_simple_is_a_job(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The noise of two geometric releases has no simple distribution, so that each query takes its time."""
    owner = person(engine, Role.OWNER)

    async def story(service: Service) -> None:
        release = await a_release(service, owner)
        dataset = (await service.send(owner, "GET", f"/v1/releases/{release}")).json()["dataset_id"]
        body = {"prior": [1, 1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.3"}}
        await service.made(owner, f"/v1/datasets/{dataset}/releases", body, "another")
        path = f"/v1/datasets/{dataset}/estimates"
        queries = [{"weights": [each, 2 * each + 1, 7]} for each in range(8)]
        with monkeypatch.context() as hurried:
            hurried.setattr(*NOBODY_WAITS)
            asked = await service.send(owner, "POST", path, {"queries": queries})
        assert asked.status_code == 202, asked.text
        assert asked.json()["kind"] == "estimates"
        wrong = await service.send(owner, "POST", path, {"queries": [*queries, {"weights": [1, 2]}]})
        assert wrong.json()["type"] == "/problems/invalid-request"
        done = await ready(service, owner, asked.json())
        told = (await service.send(owner, "GET", done["result"])).json()
        alone = await service.send(owner, "POST", path, {"queries": queries[3:4]})
        if alone.status_code == 202:  # a busy machine makes a job of one, too
            alone = await service.send(owner, "GET", (await ready(service, owner, alone.json()))["result"])
        assert alone.json()["answers"][0] == told["answers"][3]

    tell(database_url, story, None)


@pytest.mark.parametrize("how", ["end", "sleep_for_ever"])
def test_a_job_that_dies_or_is_held_up_is_tried_again_and_then_later(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Neither says that it is too large."""
    owner = person(engine, Role.OWNER)
    monkeypatch.setattr(*NOBODY_WAITS)
    monkeypatch.setitem(jobs.COMPUTATIONS, "plan", f"{COMPUTING}:{how}")
    monkeypatch.setattr(jobs, "_WALL_FACTOR", 0.0 if how == "sleep_for_ever" else FAR_SECONDS)
    monkeypatch.setattr(jobs, "LEASE_SECONDS", 1)

    async def story(service: Service) -> None:
        job = (await service.send(owner, "POST", "/v1/plans", PLAN)).json()
        failed = await ready(service, owner, job, "failed")
        refused = await service.send(owner, "GET", failed["result"])
        problem = refused.json()
        assert (refused.status_code, problem["type"]) == (503, "/problems/computations-unavailable")
        assert (problem["charged"], problem["retryable"]) == (False, True)
        assert 5 < int(refused.headers["Retry-After"]) <= 300

    tell(database_url, story)
    with reading(engine) as connection:
        assert connection.execute(select(table.c.tries)).scalar_one() == 3


def test_a_failed_job_is_tried_again_minutes_later_on_request(engine: Engine) -> None:
    who = caller(engine)
    first = ask(engine, who, "large")
    with writing(engine) as connection:
        connection.execute(update(table).values(tries=3))
    assert lease(engine, {}) is None
    assert ask(engine, who, "large") == first, "answered from the failed job, for now"
    with writing(engine) as connection:
        assert jobs.read(connection, who, first, KEYS).state == "failed"
        connection.execute(update(table).values(finished_at=table.c.finished_at - 301))
    assert ask(engine, who, "large") != first
    assert lease(engine, {}) == "large"
    with reading(engine) as connection:
        assert len(connection.execute(select(table.c.id)).all()) == 1


def test_a_job_that_only_an_earlier_version_computes_is_skipped(engine: Engine) -> None:
    who = caller(engine)
    with writing(engine) as connection:
        left = jobs.ask(connection, who, cast("Any", "rehearsal"), "key", "{}", KEYS)
        with pytest.raises(NotFound):
            jobs.read(connection, who, left.id, KEYS)
    assert lease(engine, {}) is None


def test_turns_go_round_by_principal_and_each_has_one_job_computed_at_a_time(engine: Engine) -> None:
    greedy, polite = caller(engine), caller(engine)
    for each in range(3):
        ask(engine, greedy, f"greedy {each}")
    for each in range(2):
        ask(engine, polite, f"polite {each}")
    turns: dict[str, float] = {}
    assert [lease(engine, turns) for _ in range(3)] == ["greedy 0", "polite 0", None]
    with writing(engine) as connection:
        connection.execute(update(table).where(table.c.leased_until.is_not(None)).values(state="failed"))
    assert [lease(engine, turns) for _ in range(3)] == ["greedy 1", "polite 1", None]
    with writing(engine) as connection:  # the processes died
        connection.execute(
            update(table).where(table.c.state == "pending").values(leased_until=table.c.leased_until - LEASE_SECONDS)
        )
    assert lease(engine, turns) == "greedy 1"


def test_jobs_are_few_and_the_oldest_that_is_done_makes_room(engine: Engine) -> None:
    who = caller(engine)
    ids = [ask(engine, who, f"job {each}") for each in range(JOBS.max_per_key)]
    assert ask(engine, who, "job 0") == ids[0]
    with pytest.raises(JobQuotaExceeded):
        ask(engine, who, "one more")
    with writing(engine) as connection:
        done = {"state": "ready", "result": "{}", "finished_at": 1}
        connection.execute(update(table).where(table.c.id.in_(ids[2:])).values(**done))
    ask(engine, who, "one more")
    with reading(engine) as connection:
        with pytest.raises(NotFound):
            jobs.read(connection, who, ids[2], KEYS)
        assert connection.execute(select(table.c.state).where(table.c.id == ids[3])).scalar() == "ready"


def test_jobs_are_kept_for_a_day(engine: Engine) -> None:
    who = caller(engine)
    old, new = ask(engine, who, "old"), ask(engine, who, "new")
    with writing(engine) as connection:
        connection.execute(
            update(table).where(table.c.id == old).values(created_at=table.c.created_at - jobs.KEPT_SECONDS)
        )
        jobs.forget_old(connection)
    with reading(engine) as connection:
        assert list(connection.execute(select(table.c.id)).scalars()) == [new]


def test_a_job_that_is_ended_stops_being_computed(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    owner = person(engine, Role.OWNER)
    monkeypatch.setattr(*NOBODY_WAITS)
    monkeypatch.setattr("service.runtime.job_leases.LEASE_SECONDS", 3)
    monkeypatch.setitem(jobs.COMPUTATIONS, "plan", f"{COMPUTING}:sleep")
    monkeypatch.setattr("service.posteriors.plans.schema.PlanCreate.model_dump_json", lambda _: str(tmp_path / "pid"))

    async def story(service: Service) -> None:
        job = (await service.send(owner, "POST", "/v1/plans", PLAN)).json()
        pid = await asyncio.to_thread(number_in, tmp_path / "pid")
        assert (await service.send(owner, "DELETE", f"/v1/jobs/{job['id']}")).status_code == 204
        await asyncio.to_thread(until_gone, pid)

    tell(database_url, story)
