"""Free computations run in processes that are killed at their limits, or when their caller is gone."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from service.errors import ComputationTooLarge, InternalError, InvalidRequest, ShuttingDown
from service.runtime.computations import ComputationProcesses, UnfinishedError
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE, until, until_async
from tests.harness.left_behind import folder_of_tests
from tests.harness.out_of_reach import FAR_SECONDS
from tests.harness.people import person
from tests.harness.process import Process

MODULE = "tests.harness.computing"
MEMORY_MB = 200


def tell(story: Callable[[ComputationProcesses], Coroutine[Any, Any, Any]]) -> Any:
    async def whole() -> Any:
        processes = ComputationProcesses(MODULE, memory_mb=MEMORY_MB)
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


def until_gone(pid: int) -> None:
    def is_gone() -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except FileNotFoundError:
            return True

    until(is_gone)


def test_a_computation_that_takes_too_long_is_killed() -> None:
    async def story(processes: ComputationProcesses) -> None:
        forkserver = psutil.Process(int(await processes.run(f"{MODULE}:parent", "", seconds=FAR_SECONDS)))
        with pytest.raises(UnfinishedError):
            await processes.run(f"{MODULE}:sleep_for_ever", "", seconds=1)
        await until_async(lambda: all(each.status() == psutil.STATUS_ZOMBIE for each in forkserver.children()))

    tell(story)


def test_a_computation_is_ended_at_its_limit_of_processor_time_and_waiting_takes_none() -> None:
    async def story(processes: ComputationProcesses) -> str:
        with pytest.raises(TimeoutError):
            await processes.run(f"{MODULE}:spin", "", seconds=FAR_SECONDS, processor_seconds=1)
        return await processes.run(f"{MODULE}:wait", "1.5", seconds=FAR_SECONDS, processor_seconds=1)

    assert tell(story) == "waited"


def test_the_limit_of_processor_time_holds_beside_other_computations(tmp_path: Path) -> None:
    files = [tmp_path / str(number) for number in range(3)]

    async def story(processes: ComputationProcesses) -> None:
        other = asyncio.create_task(processes.run(f"{MODULE}:spin", "", seconds=FAR_SECONDS))
        limited = [
            processes.run(f"{MODULE}:spin_and_tell", str(file), seconds=FAR_SECONDS, processor_seconds=1)
            for file in files
        ]
        ended = await asyncio.gather(*limited, return_exceptions=True)
        assert [type(each) for each in ended] == [TimeoutError] * 3
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)

    tell(story)
    taken = [float(file.read_text().split()[-1]) for file in files]
    # The kernel counts ticks, which are inexact by some tenths of a second. A limit that counts the other computations
    # ends each of the four at a quarter of a second.
    assert all(0.5 < each < 2 for each in taken), taken


def test_a_computation_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    async def story(processes: ComputationProcesses) -> int:
        running = asyncio.create_task(processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=FAR_SECONDS))
        pid = await started(tmp_path / "pid")
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return pid

    until_gone(tell(story))


def test_a_computation_cancelled_before_its_process_starts_never_runs(tmp_path: Path) -> None:
    async def story(processes: ComputationProcesses) -> None:
        forkserver = int(await processes.run(f"{MODULE}:parent", "", seconds=FAR_SECONDS))
        os.kill(forkserver, signal.SIGSTOP)
        try:
            running = [
                asyncio.create_task(
                    processes.run(f"{MODULE}:sleep", str(tmp_path / f"pid{number}"), seconds=FAR_SECONDS)
                )
                for number in range(8)
            ]
            await asyncio.sleep(0)
            for each in running:
                each.cancel()
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*running, return_exceptions=True)
        finally:
            os.kill(forkserver, signal.SIGCONT)

    tell(story)
    for file in tmp_path.iterdir():
        until_gone(int(file.read_text() or 0))


def test_closing_ends_what_is_computed_and_refuses_more(tmp_path: Path) -> None:
    async def story(processes: ComputationProcesses) -> int:
        running = asyncio.create_task(processes.run(f"{MODULE}:sleep", str(tmp_path / "pid"), seconds=FAR_SECONDS))
        pid = await started(tmp_path / "pid")
        await processes.close()
        with pytest.raises(ShuttingDown):
            await running
        with pytest.raises(ShuttingDown):
            await processes.run(f"{MODULE}:number", "", seconds=FAR_SECONDS)
        return pid

    until_gone(tell(story))


def test_limits_are_set_in_the_process_that_computes() -> None:
    async def story(processes: ComputationProcesses) -> tuple[dict[str, int], str]:
        found = await processes.run(f"{MODULE}:limits", "", seconds=FAR_SECONDS, processor_seconds=1.9)
        return json.loads(found), await processes.run(f"{MODULE}:niceness", "", seconds=FAR_SECONDS)

    limits, niceness = tell(story)
    assert limits["memory"] > MEMORY_MB * 2**20
    assert limits["processor"] == 2, "rounded up to whole seconds"
    assert limits["core"] == 0
    assert FAR_SECONDS / 2 <= limits["alarm"] <= FAR_SECONDS + 1
    assert int(niceness) == min(19, os.nice(0) + 10)


def test_memory_is_bounded_and_its_lack_is_reported() -> None:
    async def story(processes: ComputationProcesses) -> str:
        with pytest.raises(ComputationTooLarge):
            await processes.run(f"{MODULE}:fill", "4000", seconds=FAR_SECONDS)
        with pytest.raises(UnfinishedError):
            await processes.run(f"{MODULE}:end", "", seconds=FAR_SECONDS)
        with pytest.raises(ComputationTooLarge):
            await processes.run(f"{MODULE}:long", "30000000", seconds=FAR_SECONDS)
        return await processes.run(f"{MODULE}:fill", "50", seconds=FAR_SECONDS)

    assert float(tell(story)) == 50 * 2**17


def test_a_large_order_arrives_whole() -> None:
    text = "x" * 8_000_000

    async def story(processes: ComputationProcesses) -> str:
        return await processes.run(f"{MODULE}:echo", text, seconds=FAR_SECONDS)

    assert tell(story) == text


def test_a_refusal_comes_back_whole_and_a_failure_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    async def story(processes: ComputationProcesses) -> InvalidRequest:
        with pytest.raises(InternalError):
            await processes.run(f"{MODULE}:fail", "a secret", seconds=FAR_SECONDS)
        with pytest.raises(InvalidRequest) as refused:
            await processes.run(f"{MODULE}:refuse", "prior", seconds=FAR_SECONDS)
        return refused.value

    assert tell(story).errors == [{"location": "prior", "rule": "must be otherwise"}]
    assert [record.failure for record in caplog.records] == ["ValueError"]  # type: ignore[attr-defined]  # of the extra
    assert "a secret" not in caplog.text


def test_a_killed_forkserver_is_replaced() -> None:
    async def story(processes: ComputationProcesses) -> None:
        forkserver = int(await processes.run(f"{MODULE}:parent", "", seconds=FAR_SECONDS))
        os.kill(forkserver, signal.SIGKILL)
        await asyncio.to_thread(until_gone, forkserver)
        assert int(await processes.run(f"{MODULE}:parent", "", seconds=FAR_SECONDS)) != forkserver

    tell(story)


_DYING_SERVICE = """
import asyncio, os, sys
from pathlib import Path
from service.runtime.computations import ComputationProcesses

async def main(file):
    processes = ComputationProcesses("tests.harness.computing", memory_mb=200)
    while not Path(file).exists() or not Path(file).read_text():
        # On a busy machine it may be killed before it has begun.
        running = asyncio.create_task(processes.run("tests.harness.computing:sleep", file, seconds=2))
        while not running.done() and (not Path(file).exists() or not Path(file).read_text()):
            await asyncio.sleep(0.01)
    os.kill(os.getpid(), 9)

if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
"""


def test_an_orphan_ends_at_its_alarm(tmp_path: Path) -> None:
    dying = [sys.executable, "-c", _DYING_SERVICE, str(tmp_path / "pid")]
    environment = os.environ | {"TMPDIR": str(folder_of_tests("posterior-"))}
    subprocess.run(dying, env=environment, check=False, timeout=PATIENCE)
    until_gone(int((tmp_path / "pid").read_text()))


_IMPORT = re.compile(r"^import time: .*\| +([\w.]+)$", re.MULTILINE)
"""A line of the log for each module that the service or one of its processes imported."""


def test_a_computation_of_the_service_imports_no_module_of_its_own(migrated_sqlite: Path, tmp_path: Path) -> None:
    """The standard library runs the start script of the service in each process. The forkserver has imported it."""
    shutil.copy(migrated_sqlite, tmp_path / "database")
    analyst = person(url := f"sqlite:///{tmp_path / 'database'}", Role.ANALYST)
    plan = {"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 4]}, "delta": "0"}
    service = Process(url, log=tmp_path / "log")
    service.environment = {**service.environment, "PYTHONPROFILEIMPORTTIME": "1"}
    with service, analyst.client(service.url) as client:
        imported = list[set[str]]()
        for epsilon in ("1", "2"):
            before = len(_IMPORT.findall(service.log.read_text()))
            assert client.post("/v1/plans", json=plan | {"epsilons": [epsilon]}).status_code in (200, 202)
            imported.append(set(_IMPORT.findall(service.log.read_text())[before:]))
    first, second = imported
    assert "service.cli.main" in first, "the forkserver starts with the first computation"
    own = ("encodings.", "multiprocessing.")
    assert {name for name in second if not name.startswith(own)} == set()
