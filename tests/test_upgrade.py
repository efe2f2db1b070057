"""Every version upgrades from what each released version stored, reads it, and goes on with it."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from migrations.rights import SERVICE_ROLE
from private_posterior.verification.signatures import keys_in
from private_posterior.verification.texts import check_release
from service.api.former import MOVED
from service.database.migration import migrate
from tests.harness.bodies import budget_body, registration, release_body
from tests.harness.deadlines import PATIENCE
from tests.harness.process import CLIENT, Process
from tests.harness.server import run
from tests.harness.shared_postgres import OWNER
from tests.released.recording import FOLDER, PAID, client_environment

if TYPE_CHECKING:
    from tests.harness.postgres import PostgresServer

COMPOSITION = "/composition"
GONE = {"epsilon_nonadaptive"}
"""Members of free answers that were removed since."""
VERSIONS = sorted(path.name for path in FOLDER.iterdir() if path.name[0].isdigit())
LATER = "released by a later version"
KINDS = {"releases": "counts", "margins": "margins", "queries": "queries"}
"""The kind of a release, by the collection of 0.1.0 and 0.2.0 in which it was paid for."""


def kind_of(exchange: dict[str, Any]) -> str:
    """The kind of a release. Since 0.3.0 the body states it."""
    kind: str = exchange["body"].get("kind") or KINDS[exchange["path"].rpartition("/")[2]]
    return kind


def text_of(exchange: dict[str, Any]) -> str:
    """The text of a release as later versions return it: those of 0.1.0 and 0.2.0 had no `kind`."""
    text: str = exchange["answer"]
    return text if text.startswith('{"kind":') else f'{{"kind":"{kind_of(exchange)}",{text[1:]}'


def is_moved(exchange: dict[str, Any]) -> bool:
    """Whether another operation replaced that of the exchange."""
    sent = f"{exchange['method']} {exchange['path'].partition('?')[0]}"
    return any(re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", former), sent) for former in MOVED)


class Installation:
    """What a version left: its database, answers, and the files of its command line. A later version serves it."""

    def __init__(self, files: Path, home: Path, database_url: str) -> None:
        self.version = files.parent.name
        self.home = shutil.copytree(files / "home", home)
        self.owners_url = database_url
        self.url = database_url.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")
        told = json.loads((files / "answers.json").read_text())
        self.keys: dict[str, str] = told["keys"]
        self.exchanges: list[dict[str, Any]] = told["exchanges"]

    def serving(self) -> Process:
        self.server = Process(self.url)
        return self.server

    def ask(self, name: str, method: str, path: str, body: object = None, key: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.keys[name]}"} | ({"Idempotency-Key": key} if key else {})
        address = self.server.url + path
        return httpx.request(method, address, json=body, headers=headers, timeout=PATIENCE, follow_redirects=True)

    def again(self, exchange: dict[str, Any]) -> httpx.Response:
        return self.ask(*(exchange[part] for part in ("name", "method", "path", "body", "key")))

    def paid(self) -> list[dict[str, Any]]:
        return [each for each in self.exchanges if each["key"] and each["key"] != PAID]

    def read(self) -> list[dict[str, Any]]:
        read = [each for each in self.exchanges if each["method"] == "GET"]
        return [each for each in read if not each["path"].endswith(COMPOSITION) and not is_moved(each)]

    def unfinished(self) -> dict[str, Any]:
        return next(each for each in self.exchanges if each["key"] == PAID)


@pytest.fixture(params=[*(pytest.param(each, marks=pytest.mark.long) for each in VERSIONS[:-1]), VERSIONS[-1]])
def installation(request: pytest.FixtureRequest, empty_database_url: str, tmp_path: Path) -> Installation:
    version: str = request.param
    if empty_database_url.startswith("sqlite"):
        files = FOLDER / version / "sqlite"
        with closing(sqlite3.connect(empty_database_url.removeprefix("sqlite:///"))) as connection:
            connection.executescript((files / "database.sql").read_text())
    else:
        files = FOLDER / version / "postgresql"
        server: PostgresServer = request.getfixturevalue("postgres")
        script = tmp_path / "load.sql"
        name = empty_database_url.partition("@/")[2].partition("?")[0]
        script.write_text(f"\\connect {name}\n" + (files / "database.sql").read_text())
        server.run_script(script, {})
    found = Installation(files, tmp_path / "home", empty_database_url)
    migrate(found.owners_url)
    return found


def assert_still_said(recorded: Any, answered: Any, place: str) -> None:
    """Assert that a later answer contains all of a recorded one. It may have more members."""
    match recorded:
        case dict():
            assert recorded.keys() - GONE <= answered.keys(), place
            for name in recorded.keys() - GONE:
                assert_still_said(recorded[name], answered[name], f"{place}.{name}")
        case list():
            assert len(recorded) == len(answered), place
            for number, value in enumerate(recorded):
                assert_still_said(value, answered[number], f"{place}[{number}]")
        case _:
            assert answered == recorded, place


def test_a_later_version_reads_and_continues_what_a_released_version_stored(installation: Installation) -> None:
    with installation.serving():
        for exchange in installation.read():
            answer = installation.again(exchange)
            assert answer.status_code == 200, answer.text
            if answer.headers["Content-Type"] == "application/json":
                said = answer.json()
                if exchange["path"] == "/v1/releases" and installation.version in {
                    "0.1.0",
                    "0.2.0",
                }:  # answers to queries had a list of their own
                    said["items"] = [each for each in said["items"] if each["kind"] != "queries"]
                assert_still_said(json.loads(exchange["answer"]), said, exchange["path"])
            else:
                entries, recorded = (text.splitlines()[:-1] for text in (answer.text, exchange["answer"]))
                assert entries == recorded, "all but the head, which is signed at the time of the answer"
        for exchange in installation.paid():
            kind, expected = kind_of(exchange), text_of(exchange)
            replayed = installation.again(exchange)
            assert replayed.text == expected, exchange["path"]
            _check_signature(installation, exchange["name"], replayed)
            path = f"{exchange['path'].rpartition('/')[0]}/releases"
            for body in (exchange["body"], {**exchange["body"], "kind": kind}):
                again = installation.ask(exchange["name"], "POST", path, body, exchange["key"])
                assert (again.status_code, again.text) == (201, expected), path
                assert again.headers["Idempotency-Replayed"] == "true"
            read = installation.ask(exchange["name"], "GET", f"/v1/releases/{replayed.json()['id']}")
            assert read.text == expected
        _check_by_the_clients_files(installation)

        unfinished = installation.unfinished()
        drawn = installation.again(unfinished)
        assert drawn.status_code == 201, drawn.text
        assert installation.again(unfinished).content == drawn.content
        numbers = count()
        for path in sorted({each["path"] for each in installation.paid() if each["path"].endswith("/releases")}):
            dataset = installation.ask("owner", "GET", path.removesuffix("/releases")).json()
            body = release_body("0.001", len(dataset["labels"]))
            if not dataset["n_is_public"]:
                body["mechanism"] = {"kind": "geometric", "epsilon": "0.001"}
            made = installation.ask("owner", "POST", path, body, f"later-{next(numbers)}")
            assert made.status_code == 201, made.text
        budget = {"kind": "new", "budget": budget_body(name=LATER)}
        added = installation.ask("owner", "POST", "/v1/datasets", registration([1, 2], name=LATER, budget=budget))
        assert added.status_code == 201, added.text
    assert "intact" in run("ledger", "verify", environment=installation.server.environment).stdout


def test_what_a_released_version_was_paid_for_is_found_once_under_any_key(installation: Installation) -> None:
    """Counts at any prior, if their noise does not depend on it."""
    with installation.serving():
        for number, exchange in enumerate(installation.paid()):
            kind, name, wanted = kind_of(exchange), exchange["name"], exchange["body"]
            path = f"{exchange['path'].rpartition('/')[0]}/releases"
            body = wanted | {"kind": kind, "once": True}
            if "prior" in body and not body["mechanism"]["kind"].startswith("exponential"):
                body["prior"] = [3.0] * len(body["prior"])
            if kind == "queries" or "half_widths" in body:
                accountant = installation.ask("owner", "GET", path.removesuffix("/releases")).json()["accountant"]
                body["max_charge"] = {{"basic": "epsilon", "zcdp": "rho"}[accountant]: "0"}
            for query in body.get("queries", ()):
                if "weights" not in query and "of" not in query:  # as 0.1.0 named cells
                    query["of"] = {part: query.pop(part) for part in ("labels", "where") if part in query}
            while (found := installation.ask(name, "POST", path, body, f"other-{number}")).status_code == 503:
                time.sleep(1)  # its certificate is computed again
            assert found.status_code == 201, (body, found.text)
            assert found.text == text_of(exchange), body
            assert found.headers["Idempotency-Replayed"] == "true"


def _check_signature(installation: Installation, name: str, replayed: httpx.Response) -> None:
    """0.1.0 signed no answers. What a later version stored is signed over exactly the bytes that it sent."""
    read = installation.ask(name, "GET", f"/v1/releases/{replayed.json()['id']}/signature")
    if installation.version == "0.1.0":
        assert (read.status_code, "Release-Signature" in replayed.headers) == (404, False)
        return
    assert read.json() == json.loads(replayed.headers["Release-Signature"])
    keys = keys_in(installation.ask(name, "GET", "/v1/public-key").json())
    assert check_release(replayed.text, replayed.json(), keys, read.json()).unchecked == ()


def _check_by_the_clients_files(installation: Installation) -> None:
    """The heads and keys that the command line kept, against the ledger as it is now."""
    budgets = {each["path"].split("/")[3] for each in installation.read() if each["path"].endswith("/ledger")}
    environment = client_environment(installation.home, installation.server.url, installation.keys["owner"])
    for budget in budgets:
        done = subprocess.run(
            [CLIENT, "verify", budget, "--releases"], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
