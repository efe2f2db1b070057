"""Draw processes start, draw, end and die as the service expects."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.linear import LinearAnswers
from core.privacy import Epsilon, Rate
from service.datasets.cipher import KeyRing
from service.drawing import frames
from service.drawing.keys import DrawKeys
from service.drawing.processes import PROGRAM, DrawOrder, DrawProcess, DrawProcesses, NotSentError
from tests.harness.deadlines import PATIENCE, until, until_async
from tests.harness.orders import KEYS, PaidDraw
from tests.harness.out_of_reach import FAR_SECONDS

QUICK = PaidDraw(SimplexGeometric(10, 2, Epsilon.parse("0.5")), [4, 6]).order
FAULTY = Path(__file__).parent / "faulty_draw_process.py"


def faulty(*behaviour: str) -> tuple[str, ...]:
    """A program that behaves as a draw process does, except for the selected fault."""
    return (sys.executable, "-S", str(FAULTY), *behaviour)


@asynccontextmanager
async def started(
    program: Sequence[str] = PROGRAM, keys: DrawKeys = KEYS, round_seconds: float = 0.0
) -> AsyncIterator[DrawProcesses]:
    processes = DrawProcesses(lambda: keys, program, round_seconds)
    await processes.start()
    try:
        yield processes
    finally:
        await processes.close()


def long(order: DrawOrder) -> DrawOrder:
    """The order, estimated to take so long that it gets a process of its own."""
    return replace(order, estimate=0.05)


def test_short_and_long_draws_are_drawn_at_once() -> None:
    async def drawn() -> list[str | None]:
        async with started() as processes:
            assert processes.are_available
            orders = [replace(QUICK, principal_id=f"pri_{number % 3}") for number in range(9)]
            return await asyncio.gather(*map(processes.draw, [*orders, long(QUICK), long(QUICK)]))

    for text in asyncio.run(drawn()):
        assert text is not None
        assert sum(json.loads(text)["on_simplex"]) == 10


def test_a_draw_process_has_only_the_variables_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen before: the password of the database."""
    for name in ("PGPASSWORD", "POSTERIOR_PORT", "SECRET_OF_ANOTHER"):
        monkeypatch.setenv(name, "secret")
    code = "import os; assert 'secret' not in os.environ.values(); from service.drawing.__main__ import main; main()"

    async def available() -> bool:
        async with started((sys.executable, "-c", code)) as processes:
            return processes.are_available

    assert asyncio.run(available())


def test_a_failure_says_nothing() -> None:
    async def drawn() -> str | None:
        async with started() as processes:
            return await processes.draw(replace(QUICK, release_id="rel_9"))

    assert asyncio.run(drawn()) is None


def test_a_resident_draws_again_and_a_long_draw_ends_its_process() -> None:
    async def ids() -> tuple[int, int]:
        async with started() as processes:
            await processes.draw(QUICK)
            first = _resident_process(processes).process_id
            await processes.draw(long(QUICK))
            await processes.draw(QUICK)
            await until_async(
                lambda: len(processes._all_processes) == 2 and all(each.is_usable for each in processes._all_processes)
            )
            return first, _resident_process(processes).process_id

    first, second = asyncio.run(ids())
    assert first == second


def _resident_process(processes: DrawProcesses) -> DrawProcess:
    assert processes._resident_process is not None
    return processes._resident_process


def test_the_next_process_takes_an_order_that_a_killed_one_was_never_sent() -> None:
    async def drawn() -> str | None:
        async with started() as processes:
            await processes.draw(QUICK)
            killed = _resident_process(processes)
            os.kill(killed.process_id, signal.SIGKILL)
            _wait_dead(killed.process_id)
            # The loop has not run since, so that the service does not know yet.
            assert killed.is_usable
            return await processes.draw(QUICK)

    assert asyncio.run(drawn()) is not None


def _wait_dead(process_id: int) -> None:
    # It can be reaped at any moment.
    with suppress(psutil.NoSuchProcess):
        until(lambda: psutil.Process(process_id).status() == psutil.STATUS_ZOMBIE)


@pytest.mark.parametrize("estimate", [0.002, 0.05])
def test_a_draw_whose_process_is_killed_has_failed(estimate: float) -> None:
    async def drawn() -> tuple[str | None, str | None]:
        async with started(faulty("sleep", "3600")) as processes:
            drawing = asyncio.ensure_future(processes.draw(replace(QUICK, estimate=estimate)))
            await until_async(lambda: any(_has_order(each) for each in processes._all_processes))
            for process in processes._all_processes:
                os.kill(process.process_id, signal.SIGKILL)
            first = await drawing
            return first, await processes.draw(replace(QUICK, estimate=estimate, spec="again"))

    assert asyncio.run(drawn()) == (None, '"again"')


def _has_order(process: DrawProcess) -> bool:
    """Whether the process has read an order, after which it ends by its own alarm."""
    return Path(f"/proc/{process.process_id}/comm").read_text().startswith("drawing")


def test_a_draw_is_killed_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.drawing.processes.kill_seconds", lambda _: 1)

    async def drawn() -> str | None:
        async with started(faulty("sleep", "3600")) as processes:
            return await processes.draw(long(QUICK))

    assert asyncio.run(drawn()) is None


def test_a_killed_process_whose_output_nobody_read_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.drawing.processes.kill_seconds", lambda _: 1)

    async def drawn() -> str | None:
        async with asyncio.timeout(PATIENCE), started(faulty("flood")) as processes:
            text = await processes.draw(long(QUICK))
            await until_async(lambda: all(each.is_usable for each in processes._all_processes))
            drawing = asyncio.ensure_future(processes.draw(QUICK))
            await asyncio.sleep(0.3)
        assert (await asyncio.gather(drawing, return_exceptions=True))[0] is not None, "it was cut short"
        return text

    assert asyncio.run(drawn()) is None


@pytest.mark.parametrize("behaviour", ["garbage", "end", "half", "another"])
def test_what_is_no_answer_is_a_failure(behaviour: str) -> None:
    async def drawn() -> str | None:
        async with started(faulty(behaviour)) as processes:
            return await processes.draw(QUICK)

    assert asyncio.run(drawn()) is None


def test_an_order_of_a_key_that_no_process_has_is_not_sent() -> None:
    async def draw(order: DrawOrder) -> None:
        async with started(faulty("end")) as processes:
            with pytest.raises(NotSentError):
                await processes.draw(order)

    asyncio.run(draw(replace(QUICK, counts_key_id="k9")))
    asyncio.run(draw(replace(QUICK, receipt=QUICK.receipt | {"key_id": "0" * 16})))


def test_new_keys_are_given_to_new_processes() -> None:
    async def drawn() -> str | None:
        keys = [DrawKeys(KeyRing("k0", {"k0": KEYS.ring.keys["k0"]}), KEYS.public_keys)]
        processes = DrawProcesses(lambda: keys[0])
        await processes.start()
        try:
            with pytest.raises(NotSentError):
                await processes.draw(QUICK)
            keys[0] = KEYS
            return await processes.draw(QUICK)
        finally:
            await processes.close()

    assert asyncio.run(drawn()) is not None


@pytest.mark.parametrize("program", [("/no/such/program",), faulty("never-ready")], ids=["missing", "ends"])
def test_without_a_process_draws_are_unavailable_and_nothing_is_sent(
    program: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.drawing.processes._READY_SECONDS", 0.5)

    async def available() -> bool:
        async with started(program) as processes:
            with pytest.raises(NotSentError):
                await processes.draw(QUICK)
            return processes.are_available

    assert not asyncio.run(available())


def test_it_becomes_available_when_a_process_starts_later(tmp_path: Path) -> None:
    flag = tmp_path / "starts"

    async def drawn() -> str | None:
        async with started(faulty("if-there-is", str(flag))) as processes:
            assert not processes.are_available
            flag.touch()
            await until_async(lambda: processes.are_available)
            return await processes.draw(replace(QUICK, spec="drawn"))

    assert asyncio.run(drawn()) == '"drawn"'


def test_an_order_that_ends_the_resident_in_a_round_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that stops it is in `test_rounds.py`."""
    monkeypatch.setattr("service.drawing.processes.OVERRUN_SECONDS", FAR_SECONDS)

    async def drawn() -> tuple[list[str | None], str | None]:
        async with started(faulty("end-at", "second"), round_seconds=1.0) as processes:
            orders = [replace(QUICK, spec=each, release_id=each) for each in ("first", "second", "third", "fourth")]
            outcomes = await asyncio.gather(*map(processes.draw, orders))
            return outcomes, await processes.draw(orders[0])

    assert asyncio.run(drawn()) == (['"first"', None, '"third"', '"fourth"'], '"first"')


def test_turns_go_round_by_principal() -> None:
    async def order_of_answers() -> list[str]:
        answered = list[str]()
        async with started(faulty("sleep", "0")) as processes:

            async def draw(principal: str) -> None:
                await processes.draw(replace(QUICK, principal_id=principal, spec=principal))
                answered.append(principal)

            await asyncio.gather(*(draw("a") for _ in range(20)), draw("b"))
        return answered

    assert "b" in asyncio.run(order_of_answers())[:4]


def test_a_draw_process_ignores_what_ends_a_service_and_ends_with_its_input() -> None:
    process = _spawn()
    for number in (signal.SIGINT, signal.SIGTERM):
        process.send_signal(number)
    assert "drawn" in _ask(process, round_of(QUICK.message()))
    process.communicate()
    assert process.returncode == 0


def _spawn(program: Sequence[str] = PROGRAM) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert _ask(process, KEYS.to_json()) == {"ready": True}
    return process


def round_of(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"orders": list(messages)}


def _ask(process: subprocess.Popen[bytes], message: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    frames.write(process.stdin, message)
    return frames.read_frame(process.stdout) or {}


@pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")
def test_a_draw_process_has_one_thread_no_core_dump_and_no_secret_among_its_arguments() -> None:
    process = _spawn()
    try:
        assert resource.prlimit(process.pid, resource.RLIMIT_CORE) == (0, 0)
        threads = len(list(Path(f"/proc/{process.pid}/task").iterdir()))
        assert threads == 1
        arguments = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        assert arguments.split(b"\0")[1:3] == [b"-m", b"service.drawing"]
    finally:
        process.kill()
        process.communicate()


def test_a_draw_process_is_light() -> None:
    """It reads no database, no schema and no web framework at its start."""
    code = "import service.drawing.__main__, sys; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"sqlalchemy", "pydantic", "fastapi", "asyncio", "logging.handlers"} & set(loaded)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_a_draw_beyond_its_memory_fails() -> None:
    """By its answer, or by its process: a library that fails without the memory ends the process."""
    rows = tuple(tuple(range(10**9 + row, 10**9 + row + 10_000)) for row in range(20))
    event = LinearAnswers(10_000, 10_000, 10**9, rows, (Rate.parse("100"),) * 20)
    wide = PaidDraw(event, [1] * 10_000).message
    for memory, drawn in ((0, False), (wide["memory_bytes"], True)):
        process = _spawn()
        try:
            answer = _ask(process, round_of(wide | {"memory_bytes": memory}))
            assert ("drawn" in answer) is drawn
            assert drawn or answer in ({"release_id": wide["release_id"], "failed": True}, {})
        finally:
            process.kill()
            process.communicate()


def test_an_orphan_ends_by_its_alarm() -> None:
    process = _spawn(faulty("sleep", "60"))
    assert _ask(process, round_of(QUICK.message() | {"seconds": 1})) == {}
    assert process.wait(PATIENCE) == -signal.SIGALRM
    process.communicate()
