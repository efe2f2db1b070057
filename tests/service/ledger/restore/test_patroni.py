"""Patroni chooses the primary, and a machine that fails or hangs loses no caller an answer."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from service.schemas.principals import Role
from tests.harness.failover import LIMIT, Callers, charged
from tests.harness.history import check
from tests.harness.patroni import Node, PatroniCluster, patroni_cluster, wait_until
from tests.harness.people import person
from tests.harness.process import Process
from tests.harness.studies import register

pytestmark = pytest.mark.long
CALLERS = 4


def kill_it(primary: Node) -> None:
    primary.kill()


def freeze_it(primary: Node) -> None:
    primary.signal(signal.SIGSTOP)


def restart_it(old: Node) -> None:
    old.start()


def reset_it(old: Node) -> None:
    """Acts as the watchdog that the configuration requires, for a machine on which Patroni is stopped."""
    old.kill()
    old.start()


FAULTS: list[tuple[Callable[[Node], None], Callable[[Node], None]]] = [(kill_it, restart_it), (freeze_it, reset_it)]


def fail(cluster: PatroniCluster, callers: Callers, number: int) -> None:
    """Makes the primary fail under load and return as the standby."""
    fault, mend = FAULTS[number]
    old = cluster.primary()
    callers.stopping.clear()
    with ThreadPoolExecutor(CALLERS) as threads:
        calling = [threads.submit(callers.call, caller, number) for caller in range(CALLERS)]
        try:
            time.sleep(2)
            fault(old)
            failed = time.monotonic()
            wait_until(
                lambda: any(attempt.status == 201 and attempt.began > failed + 1 for attempt in list(callers.history))
            )
            mend(old)
            wait_until(lambda: old.role() == "replica")
            assert cluster.primary() is not old
            time.sleep(2)
        finally:
            callers.stopping.set()
        for each in calling:
            each.result()


def test_releases_go_on_when_patroni_has_the_standby_take_over(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"response_time_quantum_ms": "0", "witness_file": str(tmp_path / "witness")}
    with patroni_cluster() as cluster:
        owner = person(cluster.url, Role.OWNER)
        with Process(cluster.url, **settings) as server:
            callers = Callers(server.url, register(server.url, owner, epsilon="900"))
            for number in range(len(FAULTS)):
                fail(cluster, callers, number)
            callers.settle()
            ledger = charged(cluster.url, callers.study, callers.keys)
    check(callers.history, ledger, LIMIT)
    assert 500 not in {attempt.status for attempt in callers.history}
    last = {attempt.key: attempt.status for attempt in sorted(callers.history, key=lambda attempt: attempt.began)}
    assert set(last.values()) == {201}
