"""Free computations run in processes that hold no secret and are killed for their time, for their memory, or when
nobody waits.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from service.computations.processes import ENVIRONMENT, Processes
from service.computations.worker import NICENESS, NICENESS_IN_BACKGROUND
from service.errors import ComputationTooLarge, InternalError, InvalidRequest
from service.processors import WOKEN_OFTEN_SECONDS, slice_seconds, take_slices

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


def session_niceness(pid: int) -> int | None:
    """None where the system does not share out processors by session."""
    file = Path(f"/proc/{pid}/autogroup")
    return int(file.read_text().split()[-1]) if file.exists() else None


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
            await processes.run(f"{MODULE}:spin", "", seconds=600, processor_seconds=0.3)
        return await processes.run(f"{MODULE}:wait", "0.6", seconds=600, processor_seconds=0.3)

    assert tell(story) == "waited"


def test_a_computation_that_nobody_waits_for_is_killed_and_the_next_one_runs(tmp_path: Path) -> None:
    async def story(processes: Processes) -> str:
        waiting = asyncio.create_task(processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=600))
        pid = await started(tmp_path / "pid")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert await asyncio.to_thread(is_gone, pid)
        return await processes.run(f"{MODULE}:long", "3", seconds=60)

    assert tell(story) == "xxx"


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


@pytest.mark.parametrize("in_background", [False, True])
def test_computations_share_the_processors_with_the_service_and_come_after_it(
    tmp_path: Path, *, in_background: bool
) -> None:
    usual = slice_seconds()

    async def story(processes: Processes) -> tuple[tuple[int, int | None], int]:
        sleeping = processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=600, in_background=in_background)
        running = asyncio.create_task(sleeping)
        pid = await started(tmp_path / "pid")
        seen = (os.getsid(pid), session_niceness(pid)), os.getpriority(os.PRIO_PROCESS, pid)
        assert os.getpgid(pid) != os.getpgid(0), "an interrupt at the keyboard does not reach it"
        assert slice_seconds(pid) == usual, "whoever is woken often has short ones"
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return seen

    take_slices(WOKEN_OFTEN_SECONDS)
    try:
        (session, weight), niceness = tell(story)
    finally:
        take_slices(0)
    # Linux weighs sessions against each other first: in the service's own, being nice takes nothing off what the
    # service's database meets.
    assert session != os.getsid(0)
    assert weight is None or weight >= NICENESS
    nicer = NICENESS_IN_BACKGROUND if in_background else NICENESS
    assert niceness >= min(19, os.getpriority(os.PRIO_PROCESS, 0) + nicer)


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
