"""Two replicas of the service behind HAProxy, on a primary with a synchronous standby, and callers who continue while
the primary fails repeatedly.

python -m tests.harness.failover --rounds 3 shows it and says what happens.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from sqlalchemy import select

from migrations.rights import SERVICE_ROLE
from service.database.engine import open_engine, reading
from service.database.migration import migrate
from service.database.tables import releases
from service.ledger.debit import hash_idempotency_key
from service.schemas.principals import Role
from tests.harness.database_proxy import DatabaseProxy
from tests.harness.deadlines import PATIENCE
from tests.harness.history import Attempt, Charged, check, read
from tests.harness.installation import audit, epsilon
from tests.harness.people import person
from tests.harness.ports import free_port, wait_for
from tests.harness.postgres import PostgresServer
from tests.harness.process import Process, end_gently_when_told
from tests.harness.programs import installed
from tests.harness.shared_postgres import OWNER, ROLES
from tests.harness.studies import RegisteredStudy, register, release

DEPLOY = Path(__file__).parents[2] / "deploy"
FAULTS: Final = ("killed", "stopped", "cut off")
CALLERS: Final = 8
COST: Final = epsilon(1_000_000)
LIMIT: Final = epsilon(900_000_000_000)
_UNWELL_SECONDS = 2.0
"""How long a primary that does not answer is left before it is given up."""


def postgres_settings() -> dict[str, str]:
    """The settings of PostgreSQL in `deploy/`."""
    lines = (DEPLOY / "postgresql.conf").read_text().splitlines()
    pairs = (line.split("=") for line in lines if line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, value in pairs}


@contextmanager
def haproxy(replicas: list[Process]) -> Iterator[str]:
    """The address of a load balancer before the replicas, with the configuration in `deploy/`."""
    port = free_port()
    configuration = (DEPLOY / "haproxy.cfg").read_text().replace("bind :8080", f"bind 127.0.0.1:{port}")
    for number, replica in enumerate(replicas, start=1):
        configuration = configuration.replace(f"replica-{number}.example:8000", replica.url.removeprefix("http://"))
    with tempfile.TemporaryDirectory(prefix="posterior-haproxy-") as directory:
        path = Path(directory) / "haproxy.cfg"
        path.write_text(configuration)
        process = subprocess.Popen(
            [installed("haproxy"), "-db", "-f", str(path)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_for(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


@dataclass(slots=True)
class Cluster:
    """Two servers, each behind a proxy of its own; the service knows the addresses of both."""

    servers: list[PostgresServer]
    proxies: list[DatabaseProxy]
    database: str
    synchronous: bool
    primary: int = 0

    @property
    def url(self) -> str:
        hosts = "&".join(f"host=127.0.0.1:{proxy.port}" for proxy in self.proxies)
        return f"postgresql+psycopg://{SERVICE_ROLE}@/{self.database}?{hosts}&target_session_attrs=read-write"

    @property
    def direct_url(self) -> str:
        return self.servers[self.primary].url(self.database, SERVICE_ROLE)

    def fail(self, fault: str) -> None:
        """Has something happen to the primary. The standby takes its place once the old one can do no more, as a
        failover manager sees to.
        """
        old = self.servers[self.primary]
        if fault == "stopped":
            for process_id in old.process_ids:
                os.kill(process_id, signal.SIGSTOP)
            time.sleep(_UNWELL_SECONDS)
        if fault == "cut off":
            self.proxies[self.primary].fall_silent()
            time.sleep(_UNWELL_SECONDS)
        old.kill()
        self.primary = 1 - self.primary
        self.servers[self.primary].promote()

    def restore_standby(self) -> None:
        """Makes the failed server the standby of the new primary, and has that wait for it from then on."""
        new, old = self.servers[self.primary], self.servers[1 - self.primary]
        old.copy(new)
        old.start()
        self.proxies[1 - self.primary].speak_again()
        self.proxies[1 - self.primary].cut()
        if self.synchronous:
            new.configure(synchronous_standby_names="standby")
        wanted = "sync" if self.synchronous else "async"
        with new.connect() as connection:
            while (wanted,) not in connection.execute("SELECT sync_state FROM pg_stat_replication").fetchall():
                time.sleep(0.1)


def charged(url: str, study: RegisteredStudy, keys: list[str]) -> list[Charged]:
    """The charges in the ledger of the database at `url`, whose key hashes are of these keys."""
    engine = open_engine(url)
    named = {hash_idempotency_key(study.owner.principal_id, key): key for key in keys}
    query = select(releases.c.key_hash, releases.c.sequence).where(releases.c.budget_id == study.budget_id)
    with reading(engine) as connection:
        found = [Charged(named[row.key_hash], row.sequence, COST) for row in connection.execute(query)]
    audit(engine, study.budget_id)
    engine.dispose()
    return found


@contextmanager
def cluster(*, synchronous: bool) -> Iterator[Cluster]:
    """A migrated database on a primary with its standby."""
    with ExitStack() as open_:
        primary = open_.enter_context(PostgresServer(settings=postgres_settings()))
        primary.run_script(ROLES, {"POSTGRES_OWNER_PASSWORD": "owner", "POSTGRES_SERVICE_PASSWORD": "service"})
        database = primary.create_database(owner=OWNER)
        migrate(primary.url(database, OWNER))
        standby = open_.enter_context(PostgresServer(primary=primary, settings=postgres_settings()))
        if synchronous:
            primary.configure(synchronous_standby_names="standby")
        servers = [primary, standby]
        proxies = [open_.enter_context(DatabaseProxy(server.directory)) for server in servers]
        yield Cluster(servers, proxies, database, synchronous)


@dataclass(slots=True)
class Callers:
    """Callers who release under new keys, each until it has a final answer."""

    url: str
    study: RegisteredStudy
    history: list[Attempt] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    receipts: list[bytes] = field(default_factory=list)

    def call(self, caller: int, round_: int) -> None:
        with self.study.owner.client(self.url) as client:
            number = 0
            while not self.stopping.is_set():
                key = f"{round_}-{caller}-{number}"
                number += 1
                while not self.is_final(attempt := self.ask(client, key)) and not self.stopping.is_set():
                    time.sleep(0.1 if attempt.status is None else 0.25)

    @staticmethod
    def is_final(attempt: Attempt) -> bool:
        return attempt.status == 201 or attempt.code in ("budget-exhausted", "release-lost")

    def ask(self, client: httpx.Client, key: str) -> Attempt:
        """One request. An answer of the balancer itself is not an answer of the service."""
        began = time.monotonic()
        try:
            answer = release(client, self.study.dataset_id, key, epsilon="0.001")
        except httpx.TransportError:
            attempt = Attempt(key, COST, began, time.monotonic(), None)
        else:
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                attempt = Attempt(key, COST, began, time.monotonic(), None)
            else:
                attempt = read(answer, key, COST, began, time.monotonic())
        self.history.append(attempt)
        return attempt

    @property
    def keys(self) -> list[str]:
        return sorted({attempt.key for attempt in self.history})

    def settle(self) -> None:
        """Repeats the request of every key: each answer must be the same, and unanswered ones complete now."""
        keys = self.keys
        deadline = time.monotonic() + PATIENCE
        with self.study.owner.client(self.url) as client:
            for key in keys:
                while not self.is_final(self.ask(client, key)) and time.monotonic() < deadline:
                    time.sleep(0.25)


def fail_over_and_over(rounds: int, tell: Callable[[str], object], directory: Path) -> list[float]:
    """Runs `rounds` failovers under load and checks all answers. Returns how long each stopped the releases, in
    seconds.
    """
    with ExitStack() as open_:
        cluster_ = open_.enter_context(cluster(synchronous=True))
        tell("a primary with a synchronous standby runs")
        settings: dict[str, Any] = {"response_time_quantum_ms": "0", "witness_file": str(directory / "witness")}
        replicas = [open_.enter_context(Process(cluster_.url, **settings)) for _ in range(2)]
        url = open_.enter_context(haproxy(replicas))
        tell(f"two replicas of the service run behind HAProxy at {url}")
        engine = open_engine(cluster_.direct_url)
        owner = person(engine, Role.OWNER)
        engine.dispose()
        callers = Callers(url, register(url, owner, epsilon="900"))
        stopped: list[float] = []
        for round_ in range(rounds):
            fault = FAULTS[round_ % len(FAULTS)]
            callers.stopping.clear()
            with ThreadPoolExecutor(CALLERS) as threads:
                calling = [threads.submit(callers.call, caller, round_) for caller in range(CALLERS)]
                time.sleep(2)
                cluster_.fail(fault)
                promoted = time.monotonic()
                while not any(attempt.status == 201 and attempt.began > promoted for attempt in list(callers.history)):
                    assert time.monotonic() < promoted + 60, callers.history[-20:]
                    time.sleep(0.05)
                stopped.append(time.monotonic() - promoted)
                cluster_.restore_standby()
                time.sleep(1)
                callers.stopping.set()
                for each in calling:
                    each.result()
            answered = sum(attempt.status == 201 for attempt in callers.history)
            tell(
                f"failover {round_ + 1}: the primary was {fault}, the standby took over, and releases went on "
                f"{stopped[-1]:.1f} s later; "
                f"{answered} were answered so far"
            )
        callers.settle()
        ledger = charged(cluster_.direct_url, callers.study, callers.keys)
        check(callers.history, ledger, LIMIT)
        statuses = {attempt.status for attempt in callers.history}
        assert 500 not in statuses, [attempt for attempt in callers.history if attempt.status == 500]
        tell(
            f"{len(callers.history)} requests under {len(ledger)} keys: every release that was answered is in the "
            "ledger, once, with one body; "
            f"no answer was 500; the order of the ledger explains all of them"
        )
        return stopped


def show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description="Shows failovers under load. Needs HAProxy.")
    parser.add_argument("--rounds", type=int, default=3)
    end_gently_when_told()
    with tempfile.TemporaryDirectory(prefix="posterior-failover-") as directory:
        fail_over_and_over(parser.parse_args().rounds, show, Path(directory))


if __name__ == "__main__":
    main()
