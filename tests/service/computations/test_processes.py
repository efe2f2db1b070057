"""Free computations run in processes that hold no secret and are killed for their time, for their memory, or when
nobody waits.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from service.computations.forks import ENVIRONMENT
from service.computations.processes import NotBegunError, Processes
from service.errors import ComputationTooLarge, InternalError, InvalidRequest

MODULE = "tests.harness.computing"


def tell(story: Callable[[Processes], Coroutine[Any, Any, Any]]) -> Any:
    async def whole() -> Any:
        processes = Processes(MODULE, memory_mb=200)
        try:
            return await story(processes)
        finally:
            await processes.close()

    return asyncio.run(whole())


async def started(file: Path) -> int:
    return await asyncio.to_thread(_number_in, file)


def _number_in(file: Path) -> int:
    while not file.exists() or not file.read_text():
        time.sleep(0.01)
    return int(file.read_text())


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def is_gone(pid: int) -> bool:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.02)
    return False


def test_a_process_sees_nothing_of_the_environment_and_of_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTERIOR_RECEIPT_KEY", "a secret")
    with Path(__file__).open():
        seen = json.loads(tell(lambda processes: processes.run(f"{MODULE}:environment", "", seconds=60)))
    assert seen["environment"] == ENVIRONMENT
    assert len(seen["open"]) <= 4, "output, errors, the socket, and the look itself"


def test_a_computation_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    async def story(processes: Processes) -> int:
        with pytest.raises(TimeoutError):
            await processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=2)
        return await started(tmp_path / "pid")

    assert is_gone(tell(story))


def test_a_computation_that_takes_too_much_of_the_processor_is_ended() -> None:
    """Whatever else keeps the machine busy: waiting is no work."""

    async def story(processes: Processes) -> str:
        with pytest.raises(TimeoutError):
            await processes.run(f"{MODULE}:spin", "", seconds=600, processor_seconds=1)
        return await processes.run(f"{MODULE}:wait", "1.5", seconds=600, processor_seconds=1)

    assert tell(story) == "waited"


def test_limits_of_the_processor_hold_where_the_forkserver_is_killed(tmp_path: Path) -> None:
    async def story(processes: Processes) -> None:
        going_on = asyncio.create_task(processes.run(f"{MODULE}:wait", "1", seconds=60, private=True))
        spinning = processes.run(f"{MODULE}:spin_and_tell", str(tmp_path / "told"), seconds=60, processor_seconds=1)
        limited = asyncio.create_task(spinning)
        while not (tmp_path / "told").exists():  # noqa: ASYNC110  nothing else tells
            await asyncio.sleep(0.01)
        (await processes.started()).process.kill()
        await asyncio.wait({limited}, timeout=10)
        assert limited.done()
        assert isinstance(limited.exception(), TimeoutError)
        assert await going_on == "waited", "what has no limit may have been paid"

    tell(story)


def test_a_computation_that_nobody_waits_for_is_killed_and_the_next_one_runs(tmp_path: Path) -> None:
    async def story(processes: Processes) -> str:
        waiting = asyncio.create_task(processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=600))
        pid = await started(tmp_path / "pid")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert await asyncio.to_thread(is_gone, pid)
        return await processes.run(f"{MODULE}:long", "3", seconds=60)

    assert tell(story) == "xxx"


def kept(processes: Processes, function: str = "number", text: str = "") -> Coroutine[Any, Any, str]:
    return processes.run(f"{MODULE}:{function}", text, seconds=2, private=True, kept=True)


def test_what_is_kept_computes_one_after_the_other_in_one_process_and_others_have_their_own() -> None:
    async def story(processes: Processes) -> list[str]:
        first = await kept(processes)
        other = await processes.run(f"{MODULE}:number", "", seconds=60, private=True)
        with pytest.raises(InternalError):
            await kept(processes, "fail", "a secret")
        again = await kept(processes)
        at_once = await asyncio.gather(kept(processes), kept(processes))
        assert first in at_once
        assert len(set(at_once)) == 2, "who comes meanwhile waits for nobody"
        return [first, other, again, await kept(processes)]

    first, other, again, last = tell(story)
    assert first == again == last != other


def test_a_kept_process_that_was_killed_or_took_too_long_is_replaced(tmp_path: Path) -> None:
    async def story(processes: Processes) -> None:
        first = int(await kept(processes))
        os.kill(first, signal.SIGKILL)
        assert await asyncio.to_thread(is_gone, first)
        second = int(await kept(processes))
        assert second != first
        with pytest.raises(TimeoutError):
            await kept(processes, "sleep", str(tmp_path / "pid"))
        assert await started(tmp_path / "pid") == second
        assert await asyncio.to_thread(is_gone, second)
        third = int(await kept(processes))
        assert third not in {first, second}
        await processes.close()
        assert await asyncio.to_thread(is_gone, third)

    tell(story)


def test_a_kept_process_ends_when_nothing_comes_and_after_many_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(processes: Processes) -> None:
        monkeypatch.setattr("service.computations.processes._KEPT_SECONDS", 0.2)
        assert await asyncio.to_thread(is_gone, int(await kept(processes)))
        monkeypatch.setattr("service.computations.processes._KEPT_SECONDS", 60)
        monkeypatch.setattr("service.computations.processes._MOST_ORDERS", 2)
        seen = [await kept(processes) for _ in range(5)]
        assert [len(set(seen[:2])), len(set(seen[:3])), len(set(seen))] == [1, 2, 3]

    tell(story)


def test_whether_processes_are_ready_is_known_at_once_and_makes_them_so() -> None:
    async def story(processes: Processes) -> None:
        assert not processes.are_ready()
        async with asyncio.timeout(60):
            while not processes.are_ready():  # noqa: ASYNC110  nothing else tells
                await asyncio.sleep(0.02)
        forkserver = await processes.started()
        forkserver.process.kill()
        await forkserver.process.wait()
        assert not processes.are_ready(), "it is started anew"
        await kept(processes)
        assert processes.are_ready()
        await processes.close()
        assert not processes.are_ready()

    tell(story)


def test_a_forkserver_that_can_not_be_started_is_told_of_and_is_in_nobodys_way_at_the_end() -> None:
    async def story() -> list[str]:
        told: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["message"]))
        processes = Processes("no.such.module", memory_mb=200)
        for _ in range(2):
            with pytest.raises(NotBegunError):
                await kept(processes)
            assert not processes.are_ready(), "it is tried anew"
        with pytest.raises(OSError, match="at its start"):
            await processes.started()
        await processes.close()
        return told

    assert asyncio.run(story()) == []


def test_a_forkserver_that_can_not_be_started_is_started_anew_after_pauses_that_grow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def story() -> tuple[int, int]:
        processes = Processes("tests.harness.never_starts", memory_mb=200)

        async def starts_within(seconds: float) -> int:
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                assert not processes.are_ready()
                with pytest.raises(NotBegunError):
                    await kept(processes)
                await asyncio.sleep(0.01)
            return len((tmp_path / "starts").read_text())

        soon = await starts_within(1)
        later = await starts_within(4)
        await processes.close()
        return soon, later

    soon, later = asyncio.run(story())
    assert soon <= 2, "once more at once"
    assert soon < later <= 4


def test_a_forkserver_that_hangs_is_told_of_soon_and_replaced_and_what_it_made_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.computations.processes._GREETING_SECONDS", 2)

    async def story(processes: Processes) -> None:
        hanging = (await processes.started()).process
        going_on = asyncio.create_task(processes.run(f"{MODULE}:wait", "6", seconds=600, private=True))
        waiting = asyncio.create_task(processes.run(f"{MODULE}:wait", "0.1", seconds=600))
        assert await waiting == "waited", "the other one computes, too"
        os.kill(hanging.pid, signal.SIGSTOP)
        started = time.monotonic()
        for _ in range(20):
            with pytest.raises(NotBegunError):
                await processes.run(f"{MODULE}:number", "", seconds=600, private=True, kept=True, at_once=True)
        assert time.monotonic() - started < 3, "only the first one waits"
        assert not processes.are_ready()
        # Whoever needs a process has one of another forkserver.
        first = int(await processes.run(f"{MODULE}:number", "", seconds=600, private=True, kept=True))
        assert (await processes.started()).process.pid != hanging.pid
        assert processes.are_ready()
        assert int(await kept(processes)) == first
        assert await going_on == "waited"
        async with asyncio.timeout(30):
            assert await hanging.wait() == -signal.SIGKILL, "nothing that it made is left"

    tell(story)


def test_a_forkserver_that_hangs_ends_with_the_service_and_so_does_what_it_made(tmp_path: Path) -> None:
    async def story(processes: Processes) -> list[int]:
        forkserver = (await processes.started()).process
        running = asyncio.create_task(processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=600))
        pid = await started(tmp_path / "pid")
        os.kill(forkserver.pid, signal.SIGSTOP)
        await processes.close()
        await asyncio.gather(running, return_exceptions=True)
        return [pid, forkserver.pid]

    assert all(map(is_gone, tell(story)))


def test_a_kept_process_that_hangs_is_replaced_at_once() -> None:
    async def story(processes: Processes) -> None:
        first = int(await kept(processes))
        os.kill(first, signal.SIGSTOP)
        other = await processes.run(f"{MODULE}:number", "", seconds=60, private=True, kept=True, at_once=True)
        assert int(other) != first
        assert await asyncio.to_thread(is_gone, first)
        assert processes.are_ready()

    tell(story)


@pytest.mark.parametrize("number", ["", '"number": -1, '])
def test_an_answer_to_another_order_is_none_to_this_one(number: str) -> None:
    async def story(processes: Processes) -> None:
        first = await kept(processes)
        with pytest.raises(InternalError):
            await kept(processes, "answer_before", f'{{{number}"result": "of another order"}}')
        assert await kept(processes) != first

    tell(story)


def test_a_kept_process_that_says_what_nobody_asked_is_replaced() -> None:
    async def story(processes: Processes) -> None:
        first = await kept(processes)
        assert await kept(processes, "speak_up", "0.2") == "answered"
        await asyncio.sleep(1)
        assert await kept(processes) != first

    tell(story)


def test_memory_is_bounded_and_its_lack_is_told() -> None:
    async def story(processes: Processes) -> str:
        with pytest.raises(ComputationTooLarge):
            await processes.run(f"{MODULE}:fill", "4000", seconds=60)
        with pytest.raises(ComputationTooLarge):
            await processes.run(f"{MODULE}:end", "", seconds=60)
        with pytest.raises(ComputationTooLarge):
            await processes.run(f"{MODULE}:long", "30000000", seconds=60)
        return await processes.run(f"{MODULE}:fill", "50", seconds=60)

    assert float(tell(story)) == 50 * 2**17


def test_a_refusal_comes_back_whole_and_a_failure_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    async def story(processes: Processes) -> InvalidRequest:
        with pytest.raises(InternalError):
            await processes.run(f"{MODULE}:fail", "a secret", seconds=60)
        with pytest.raises(InvalidRequest) as refused:
            await processes.run(f"{MODULE}:refuse", "prior", seconds=60)
        return refused.value

    assert tell(story).errors == [{"location": "prior", "rule": "must be otherwise"}]
    assert [record.failure for record in caplog.records] == ["ValueError"]  # type: ignore[attr-defined]  # of the extra
    assert "a secret" not in caplog.text


@pytest.mark.parametrize("private", [False, True])
def test_free_computations_run_at_nice_10_and_paid_ones_as_the_service_does(tmp_path: Path, *, private: bool) -> None:
    async def story(processes: Processes) -> int:
        sleeping = processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=600, private=private)
        running = asyncio.create_task(sleeping)
        pid = await started(tmp_path / "pid")
        assert os.getpgid(pid) != os.getpgid(0), "an interrupt at the keyboard does not reach it"
        seen = os.getpriority(os.PRIO_PROCESS, pid)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return seen

    usual = os.getpriority(os.PRIO_PROCESS, 0)
    assert tell(story) == (usual if private else min(19, usual + 10))


def test_all_processes_end_with_the_service_that_started_them(tmp_path: Path) -> None:
    async def story(processes: Processes) -> list[int]:
        running = asyncio.create_task(processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=600))
        pid = await started(tmp_path / "pid")
        parent = parent_of(pid)
        assert parent != os.getpid()
        await processes.close()
        await asyncio.gather(running, return_exceptions=True)
        return [pid, parent]

    assert all(map(is_gone, tell(story)))
