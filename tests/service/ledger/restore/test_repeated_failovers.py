"""The primary fails repeatedly under load; and a lagging standby takes over, while the service runs or before it
starts.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from service.database.engine import open_engine, reading
from service.ledger import database_state
from service.schemas.principals import Role
from tests.harness.deadlines import stretched
from tests.harness.failover import Callers, charged, cluster, fail_over_and_over
from tests.harness.people import person
from tests.harness.process import Process
from tests.harness.studies import register

pytestmark = pytest.mark.long
ROUNDS = int(os.environ.get("FAILOVER_ROUNDS", "6"))
"""Each fault twice; `make failover` shows twenty."""


def test_answers_survive_repeated_failovers(tmp_path: Path) -> None:
    stopped = fail_over_and_over(ROUNDS, print, tmp_path)
    assert max(stopped) < stretched(10)


@pytest.mark.parametrize("lost_ms", [1, 50, 500])
@pytest.mark.parametrize("alive", [True, False], ids=["alive", "restarted"])
def test_a_lagging_standby_that_takes_over_stops_everything_until_reconciled(
    tmp_path: Path,
    lost_ms: int,
    alive: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    settings: dict[str, Any] = {"response_time_quantum_ms": "0", "witness_file": str(tmp_path / "witness")}
    with ExitStack() as open_:
        cluster_ = open_.enter_context(cluster(synchronous=False))
        server = Process(cluster_.url, **settings)
        with server:
            engine = open_engine(cluster_.direct_url)
            owner = person(engine, Role.OWNER)
            engine.dispose()
            callers = Callers(server.url, register(server.url, owner, epsilon="900"))
            with ThreadPoolExecutor(8) as threads:
                calling = [threads.submit(callers.call, caller, 0) for caller in range(8)]
                time.sleep(1)
                cluster_.servers[1].stop()
                time.sleep(lost_ms / 1000)
                cluster_.servers[0].kill()
                if not alive:
                    server.process.kill()
                    callers.stopping.set()
                cluster_.servers[1].start()
                cluster_.servers[1].promote()
                cluster_.primary = 1
                time.sleep(6 if alive else 0)
                callers.stopping.set()
                for each in calling:
                    each.result()
            if not alive:
                server = open_.enter_context(Process(cluster_.url, **settings))
                callers.url = server.url
            answered = {attempt.key for attempt in callers.history if attempt.status == 201}
            lost = answered - {each.key for each in charged(cluster_.direct_url, callers.study, callers.keys)}
            engine = open_engine(cluster_.direct_url)
            with reading(engine) as connection:
                assert database_state.is_restore_pending(connection) or not lost
            engine.dispose()
            with callers.study.owner.client(server.url) as client:
                for key in sorted(lost):
                    assert callers.ask(client, key).code == "restore-pending"
        bodies: dict[str, set[bytes]] = {}
        for attempt in callers.history:
            if attempt.status == 201:
                bodies.setdefault(attempt.key, set()).add(attempt.body)
        assert {len(each) for each in bodies.values()} <= {1}
