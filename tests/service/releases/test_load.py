"""A geometric release beside plans, slow draws of others and a flood of posteriors: every answer is a result or a
documented refusal, nothing is charged without a result or `failed`, and the times are printed.
"""

from __future__ import annotations

import contextlib
import statistics
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import psutil
import pytest
from sqlalchemy import Engine, select

from service.database.engine import reading
from service.database.tables import releases
from service.ledger.debit import hash_idempotency_key
from service.schemas.principals import Role
from tests.harness.bodies import of_releases, release_body
from tests.harness.deadlines import PATIENCE
from tests.harness.installation import audit
from tests.harness.people import Person, person
from tests.harness.process import COMMAND, Process
from tests.harness.studies import RegisteredStudy, register

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

SECONDS: Final = 25.0
"""The load ends then; what was asked before is still answered."""
POLITE, PLANS, SLOW_DRAWS, POSTERIORS = 2, 20, 10, 8
MOST_EACH: Final = 2_000
"""The most requests of one caller."""
SETTLE_SECONDS: Final = 180
CATEGORIES: Final = 250
SLOW: Final[dict[str, Any]] = {
    "prior": [1e6] * CATEGORIES,
    "mechanism": {"kind": "exponential_global", "epsilon": "0.02", "delta": "1e-6"},
}
"""Draws for some tenths of a second, in a process of its own."""
REFUSED: Final = {
    "429 rate-limited",
    "503 draws-unavailable",
    "503 database-unavailable",
    "503 computations-unavailable",
}
PLAN: Final[dict[str, Any]] = {"prior": [1, 1, 1], "data": {"kind": "counts", "counts": [300, 400, 300]}, "delta": "0"}


@dataclass(slots=True)
class Paid:
    """Releases that one caller asked for on its budget: the last answer to each key, and seconds until the first."""

    study: RegisteredStudy
    body: dict[str, Any]
    answers: dict[str, httpx.Response] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def ask(self, client: httpx.Client, key: str) -> httpx.Response:
        path = f"/v1/datasets/{self.study.dataset_id}/releases"
        return client.post(path, json=self.body, headers={"Idempotency-Key": key})

    def ask_new(self, client: httpx.Client, number: int) -> httpx.Response:
        key = f"{self.study.dataset_id}-{number}"
        started = time.monotonic()
        answer = self.answers[key] = self.ask(client, key)
        if answer.status_code == httpx.codes.CREATED:
            self.seconds.append(time.monotonic() - started)
        return answer


def _kind(answer: httpx.Response) -> str:
    """The status, and the problem if it is one."""
    if answer.is_error:
        return f"{answer.status_code} {answer.json()['type'].removeprefix('/problems/')}"
    return str(answer.status_code)


def _is_settled(answer: httpx.Response) -> bool:
    return answer.status_code == httpx.codes.CREATED or _kind(answer) == "500 release-failed"


def _repeat(url: str, who: Person, ask: Callable[[httpx.Client, int], httpx.Response], until: float) -> Counter[str]:
    """Asks again and again, and waits a little after a refusal; the answers by kind."""
    kinds = Counter[str]()
    with httpx.Client(base_url=url, headers=who.headers, timeout=PATIENCE) as client:
        for number in range(MOST_EACH):
            if time.monotonic() > until:
                break
            answer = ask(client, number)
            kinds[_kind(answer)] += 1
            if answer.is_error:
                time.sleep(0.1)
    return kinds


def _plan(client: httpx.Client, number: int) -> httpx.Response:
    body = PLAN | {"epsilons": [f"0.{1 + threading.get_ident() % 997 + number:04}"]}
    return client.post("/v1/plans", json=body)


def _posterior_of(release_id: str) -> Callable[[httpx.Client, int], httpx.Response]:
    """Asks for a posterior that no cache has."""

    def ask(client: httpx.Client, number: int) -> httpx.Response:
        level = 0.5 + (threading.get_ident() % 400 + number) / 10_000
        return client.post("/v1/posteriors", json=of_releases(release_id) | {"level": level})

    return ask


def _draw_processes(server: Process) -> Iterator[psutil.Process]:
    for each in psutil.Process(server.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "service.drawing" in each.cmdline():
                yield each


def _settle(url: str, paid: Paid) -> None:
    """Asks under each key again until it has a result or has failed. What was answered before stays the answer."""
    deadline = time.monotonic() + SETTLE_SECONDS
    with paid.study.owner.client(url) as client:
        for key, before in paid.answers.items():
            answer = paid.ask(client, key)
            while not _is_settled(answer):
                assert _kind(answer) in REFUSED | {"409 release-in-progress"}, answer.text
                assert time.monotonic() < deadline, answer.text
                time.sleep(0.2)
                answer = paid.ask(client, key)
            if _is_settled(before):
                assert answer.status_code == before.status_code
                assert answer.content == before.content or before.status_code == httpx.codes.INTERNAL_SERVER_ERROR
            paid.answers[key] = answer


def _assert_claims_are_true(engine: Engine, paid: Paid) -> None:
    """What each answer says of its charge is what the ledger says."""
    chosen = select(releases.c.key_hash).where(releases.c.budget_id == paid.study.budget_id)
    with reading(engine) as connection:
        charged = set(connection.execute(chosen).scalars())
    for key, answer in paid.answers.items():
        is_charged = hash_idempotency_key(paid.study.owner.principal_id, key) in charged
        said = True if answer.status_code == httpx.codes.CREATED else answer.json()["charged"]
        assert said in (None, is_charged), (is_charged, answer.text)


def _study(url: str, engine: Engine, counts: tuple[int, ...]) -> RegisteredStudy:
    return register(url, person(engine, Role.OWNER), epsilon="1000", delta="0.1", counts=counts)


def test_every_answer_under_load_is_a_result_or_a_refusal_and_nothing_is_charged_without_a_result(
    engine: Engine, database_url: str
) -> None:
    workers = "1" if database_url.startswith("sqlite") else "2"
    with Process(database_url, response_time_quantum_ms="50", workers=workers) as server:
        url = server.url
        polite = [Paid(_study(url, engine, (30, 40)), release_body("0.01")) for _ in range(POLITE)]
        slow = [Paid(_study(url, engine, (400,) * CATEGORIES), SLOW) for _ in range(SLOW_DRAWS)]
        public = Paid(_study(url, engine, (1_000,) * 100), release_body("0.5", 100))
        with public.study.owner.client(url) as client:
            released = [public.ask_new(client, number).json()["id"] for number in range(4)]
        planners = [person(engine, Role.ANALYST) for _ in range(PLANS // 4)]

        with ThreadPoolExecutor(POLITE + PLANS + SLOW_DRAWS + POSTERIORS) as threads:
            until = time.monotonic() + SECONDS
            paying = {
                name: [threads.submit(_repeat, url, each.study.owner, each.ask_new, until) for each in group]
                for name, group in {"geometric": polite, "slow": slow}.items()
            }
            free = {
                "plans": [
                    threads.submit(_repeat, url, planners[n % len(planners)], _plan, until) for n in range(PLANS)
                ],
                "posteriors": [
                    threads.submit(_repeat, url, public.study.owner, _posterior_of(released[n % 4]), until)
                    for n in range(POSTERIORS)
                ],
            }
            time.sleep(SECONDS / 2)
            # A draw that is lost with its process has failed; those that wait lose nothing.
            for drawing in _draw_processes(server):
                with contextlib.suppress(psutil.NoSuchProcess):
                    drawing.kill()
            kinds = {name: sum((each.result() for each in group), Counter()) for name, group in (paying | free).items()}

        times = sorted(each for group in polite for each in group.seconds)
        for name, counted in kinds.items():
            print(f"{name}: {dict(counted.most_common())}")  # noqa: T201  a report of the long run
        print(  # noqa: T201
            f"geometric releases beside them, {workers} worker(s): {len(times)}, median "
            f"{1000 * statistics.median(times):.0f} ms, worst {1000 * times[-1]:.0f} ms"
        )
        assert kinds["geometric"]["201"] > 0, kinds["geometric"]
        for name in paying:
            assert set(kinds[name]) <= REFUSED | {"201", "409 release-in-progress", "500 release-failed"}
        for name in free:
            assert kinds[name]["200"] + kinds[name]["202"] > 0, kinds[name]
            assert set(kinds[name]) <= REFUSED | {"200", "202"}  # after 2 s of CPU it is a job

        for paid in (*polite, *slow, public):
            _assert_claims_are_true(engine, paid)
            _settle(url, paid)
            assert audit(engine, paid.study.budget_id).release_count == len(paid.answers)
        assert any(each.status_code == httpx.codes.CREATED for paid in slow for each in paid.answers.values())
        with reading(engine) as connection:
            states = Counter(connection.execute(select(releases.c.state)).scalars())
        answered = Counter(each.status_code for group in (*polite, *slow, public) for each in group.answers.values())
        assert states == Counter({"complete": answered[201], "failed": answered[500]})
    verified = subprocess.run(
        [COMMAND, "ledger", "verify"], env=server.environment, capture_output=True, text=True, check=True
    )
    assert "intact" in verified.stdout
