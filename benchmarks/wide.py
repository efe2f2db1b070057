"""Measures releases from a data set of many categories beside one of two: how long they take, and what they store.

    python -m benchmarks.wide [--categories 10000] [--rounds 5]

The service runs on SQLite, without response-time quantization. One caller asks in turns for a release from the narrow data set and
one from the wide one, reads the wide one again, and reads the list of all from there and its statement. The baseline
is the release of two categories.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx

from benchmarks._table import Table, in_turns
from benchmarks.service import environment_of, free_port, running
from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.identifiers.identifiers import new_id
from service.principals.keys import create_key
from service.principals.people import create_principal
from service.runtime.key_file import load_keys
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import budget_body, registration, release_body
from tests.harness.process import end_gently_when_told

EPSILON: Final = "0.02"
NARROW: Final = 2


def owner_key(url: str) -> str:
    engine = open_engine(url)
    with writing(engine) as connection:
        owner = create_principal(connection, Role.OWNER, "owner")
        _, secret = create_key(connection, owner, issued_by="benchmark", expires_in_days=None)
    engine.dispose()
    return secret.key


def register(client: httpx.Client, categories: int) -> str:
    budget = {"kind": "new", "budget": budget_body(epsilon="1000")}
    body = registration([100] * categories, budget=budget)
    return str(client.post("/v1/datasets", json=body).raise_for_status().json()["id"])


def release(client: httpx.Client, dataset_id: str, body: dict[str, Any]) -> str:
    answer = client.post(f"/v1/datasets/{dataset_id}/releases", json=body, headers={"Idempotency-Key": new_id("try")})
    return str(answer.raise_for_status().json()["id"])


def stored_bytes(path: Path, dataset_id: str) -> list[float]:
    """Of each release from a data set, all columns: what its row holds."""
    with sqlite3.connect(path) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(releases)")]
        lengths = " + ".join(f'COALESCE(LENGTH(CAST("{name}" AS BLOB)), 0)' for name in columns)
        query = f"SELECT ({lengths}) / 1e6 FROM releases WHERE dataset_id = ?"
        return [float(size) for (size,) in database.execute(query, (dataset_id,))]


def measured(directory: Path, categories: int, rounds: int) -> Mapping[str, list[float]]:
    """Milliseconds of each request, and the megabytes stored for a wide release."""
    path = directory / "wide.sqlite3"
    url, port = f"sqlite:///{path}", free_port()
    environment = environment_of(url, directory) | {
        "POSTERIOR_PORT": str(port),
        "POSTERIOR_RESPONSE_TIME_QUANTUM_MS": "0",
    }
    load_keys(Settings.from_environment(environment).keys, may_make=True)
    migrate(url)
    key = owner_key(url)
    command = ("-c", "from service.cli.main import main; main()", "serve")
    with (
        running(*command, path="/readyz", environment=environment, port=port),
        httpx.Client(
            base_url=f"http://127.0.0.1:{port}", headers={"Authorization": f"Bearer {key}"}, timeout=120
        ) as client,
    ):
        ids = {size: register(client, size) for size in (NARROW, categories)}
        bodies = {size: release_body(EPSILON, size) for size in ids}
        first = release(client, ids[categories], bodies[categories])
        works: dict[str, Callable[[], object]] = {
            "narrow": partial(release, client, ids[NARROW], bodies[NARROW]),
            "wide": partial(release, client, ids[categories], bodies[categories]),
            "read": lambda: client.get(f"/v1/releases/{first}").raise_for_status(),
            "list": lambda: client.get(f"/v1/datasets/{ids[categories]}/releases").raise_for_status(),
            "statement": lambda: client.get(f"/v1/datasets/{ids[categories]}/statement").raise_for_status(),
        }
        taken = in_turns(works, rounds, clock=time.perf_counter)
    stored = {f"MB {size}": stored_bytes(path, dataset_id) for size, dataset_id in ids.items()}
    return taken | stored


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--categories", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    end_gently_when_told()
    with tempfile.TemporaryDirectory() as directory:
        figures = measured(Path(directory), arguments.categories, arguments.rounds)
    table = Table("a release of two categories")
    for name, of in (("release", "wide"), ("reading it", "read"), ("list", "list"), ("statement", "statement")):
        table.add(f"{name}, {arguments.categories} categories", figures["narrow"], figures[of], "ms")
    stored = figures[f"MB {NARROW}"], figures[f"MB {arguments.categories}"]
    table.add(f"stored, {arguments.categories} categories", *stored, "MB")
    table.show()


if __name__ == "__main__":
    main()
