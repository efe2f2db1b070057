"""Background work that fails is tried again, and work that has ended is not: readiness and the log report both."""

from __future__ import annotations

import asyncio
import logging
import pkgutil
import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from service.runtime.response_time import Ticks
from service.runtime.runtime import Runtime
from service.schemas.principals import Role
from tests.harness.bodies import registration
from tests.harness.deadlines import PATIENCE
from tests.harness.in_process import Service, embedded, readiness, running
from tests.harness.people import Person, person
from tests.harness.virtual_time import VirtualLoop

_SECRET: Final = "4711 ill"
_TARGETS: Final = {
    "checkpoints": "service.database.writer.Checkpoints._move",
    "database probe": "service.database.probe.Probe.look",
    "draws": "service.drawing.processes.DrawProcesses._draw_round",
    "jobs": "service.runtime.jobs._lease",
    "retention": "service.api.app.forget_old",
    "ticks": "service.runtime.response_time.Ticks._wake_due",
    "unfinished releases": "service.api.app.paid.resume_pending_releases",
    "witness": "service.runtime.database.look",
    "writer": "service.ledger.witness.Witness.on_commit",
}
"""A function of each kind of work, which fails on request."""
_STARTS: Final = "start of draw processes"
"""Readiness reports it as `draws-unavailable`."""


def runtime_of(service: Service) -> Runtime:
    transport: Any = service.http._transport
    runtime: Runtime = transport.app.state.runtime
    return runtime


@pytest.fixture
def sqlite_url(migrated_sqlite: Path, tmp_path: Path) -> str:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    return f"sqlite:///{tmp_path / 'database'}"


@pytest.mark.every(3)
@pytest.mark.parametrize("name", sorted(_TARGETS))
def test_work_that_fails_is_reported_and_tried_again(
    name: str, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    owner, fails = person(sqlite_url, Role.OWNER), threading.Event()
    _plant(monkeypatch, _TARGETS[name], fails)
    for period in ("RESUMING", "FORGETTING", "WITNESS", "PROBE"):
        monkeypatch.setattr(f"service.api.app._{period}_EVERY_SECONDS", 0.02)
    for period in ("service.database.writer._EVERY_SECONDS", "service.runtime.job_leases._LOOK_EVERY_SECONDS"):
        monkeypatch.setattr(period, 0.02)

    async def story() -> None:
        settings = replace(embedded(sqlite_url, tmp_path / "witness"), response_time_quantum_ms=5)
        async with running(settings) as service:
            dataset = (await service.made(owner, "/v1/datasets", registration([3, 4])))["id"]
            fails.set()
            asked = asyncio.create_task(service.release(owner, dataset, "meanwhile"))
            noted = await readiness(service.http, lambda answer: bool(answer.json().get("notes")))
            assert f"background work of this process fails: {name};" in noted.json()["notes"][0]
            assert _SECRET not in noted.text
            fails.clear()
            await asked
            assert (await service.release(owner, dataset, "afterwards")).status_code == 201
            mended = await readiness(service.http, lambda answer: answer.json().get("notes") == [])
            assert mended.status_code == 200

    with caplog.at_level(logging.ERROR, "posterior.background"):
        asyncio.run(story())
    assert {record.work for record in caplog.records if record.name == "posterior.background"} == {name}  # type: ignore[attr-defined]


def _plant(monkeypatch: pytest.MonkeyPatch, target: str, fails: threading.Event) -> None:
    original: Any = pkgutil.resolve_name(target)

    def planted(*arguments: Any, **named: Any) -> Any:
        if fails.is_set():
            raise RuntimeError(_SECRET)
        return original(*arguments, **named)

    monkeypatch.setattr(target, planted)


def test_every_task_and_thread_that_lasts_is_reported_when_it_ends(
    database_url: str, owner_database_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    owner: Person = person(owner_database_url, Role.OWNER)

    async def story() -> None:
        threads, own = set(threading.enumerate()), asyncio.current_task()
        async with running(embedded(database_url, tmp_path / "witness")) as service:
            await service.made(owner, "/v1/datasets", registration([3, 4]))
            works, found = runtime_of(service).works, lasting(threads) - {own}
            expected = [each.name for each in works if each.name not in ("ticks", *_names_without_thread(service))]
            async with asyncio.timeout(PATIENCE):
                while sorted(map(name_of, found)) != sorted(expected):
                    await asyncio.sleep(0.05)
                    found &= lasting(threads)  # the others end
            assert {*expected, "checkpoints", "ticks"} == {*_TARGETS, _STARTS}
            for task in (each for each in found if isinstance(each, asyncio.Task)):
                for each in works:
                    each.has_ended = False
                task.cancel()
                ended = await readiness(service.http, lambda answer: answer.status_code == 500)
                assert f"Background work of this process has ended: {task.get_name()}." in ended.json()["detail"]
            for each in works:
                each.has_ended = False
            runtime_of(service).database._debits._jobs.put(["not a job"])  # type: ignore[list-item]
            ended = await readiness(service.http, lambda answer: answer.status_code == 500)
            assert "has ended: writer." in ended.json()["detail"]

    with caplog.at_level(logging.ERROR, "posterior.background"):
        asyncio.run(story())
    [told] = [record for record in caplog.records if record.name == "posterior.background"]
    assert (told.msg, told.work) == ("background work has ended", "writer")  # type: ignore[attr-defined]


def lasting(before: set[threading.Thread]) -> set[Any]:
    """The tasks and threads of now, but for threads that wait for work of a pool and those that were there before."""
    tasks = {each for each in asyncio.all_tasks() if "DrawProcesses._forget_ended" not in repr(each)}
    pools = ("read_", "lookup_", "asyncio", "waitpid")  # "waitpid": asyncio in Python 3.11.2
    return tasks | {each for each in set(threading.enumerate()) - before if not each.name.startswith(pools)}


def name_of(each: asyncio.Task[Any] | threading.Thread) -> str:
    return each.get_name() if isinstance(each, asyncio.Task) else each.name


def _names_without_thread(service: Service) -> list[str]:
    return ["checkpoints"] if runtime_of(service).database.engine.dialect.name == "postgresql" else []


class _Timer(asyncio.TimerHandle):
    """A timer that can't be read once it has fired."""

    __slots__ = ("has_fired",)
    has_fired: bool

    def when(self) -> float:
        assert not hasattr(self, "has_fired"), "the timer has fired"
        return super().when()


class _OtherLoop(VirtualLoop):
    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:  # type: ignore[override]  # of any arguments
        def fire() -> None:
            timer.has_fired = True
            if not timer.cancelled():
                callback(*args)

        timer = _Timer(when, fire, (), self, context)
        super().call_at(when, fire, context=context)
        return timer


def test_releases_are_woken_by_a_loop_whose_timers_forget_when_they_were_due() -> None:
    async def story() -> list[str]:
        ticks, woken = Ticks(), list[str]()

        async def wait(name: str, due: float) -> None:
            await ticks.wait(due, ticks.start().number)
            woken.append(f"{name} at {asyncio.get_running_loop().time():g}")

        async with asyncio.TaskGroup() as tasks:
            for name, due in (("late", 4), ("early", 1), ("middle", 2), ("later", 8)):
                tasks.create_task(wait(name, due))
        assert not ticks.work.fails
        return woken

    with asyncio.Runner(loop_factory=_OtherLoop) as runner:
        assert runner.run(story()) == ["early at 1", "middle at 2", "late at 4", "later at 8"]
