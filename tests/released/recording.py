"""Records what this version stores and answers, for later versions to read: `python -m tests.released.recording`.

It runs one story on SQLite and on PostgreSQL, and writes a folder named after the version: the database as SQL, the
answers, and the files of the command line. That is done once, when a version is released. The folder is never changed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from importlib.metadata import version
from itertools import count
from pathlib import Path
from signal import SIGTERM
from typing import Any, Final

import httpx

from migrations.rights import SERVICE_ROLE
from service.database.migration import migrate
from tests.harness.bodies import registration, release_body
from tests.harness.deadlines import PATIENCE
from tests.harness.postgres import SUPERUSER, PostgresServer
from tests.harness.process import CLIENT, Process
from tests.harness.server import run
from tests.harness.shared_postgres import OWNER, ROLES

FOLDER: Final = Path(__file__).parent
PAID: Final = "paid"
"""The Idempotency-Key of a release that was charged, and not drawn yet."""
_MECHANISMS: Final[list[dict[str, Any]]] = [
    {"kind": "simplex_geometric", "epsilon": "0.1"},
    {"kind": "laplace", "epsilon": "0.1"},
    {"kind": "gaussian", "rho": "0.01", "delta": "1e-7"},
    {"kind": "exponential", "calibration": "proven", "epsilon": "0.1", "delta": "1e-7"},
    {"kind": "exponential_published", "nominal_epsilon": "0.2", "delta": "1e-7"},
    {"kind": "exponential_global", "epsilon": "0.3", "delta": "1e-7"},
]
_PRIVATE_SIZE_MECHANISMS: Final[list[dict[str, Any]]] = [
    {"kind": "geometric", "epsilon": "0.1"},
    {"kind": "laplace", "epsilon": "0.1"},
    {"kind": "gaussian", "rho": "0.001", "delta": "1e-7"},
]
_UNIX_TOKENS: Final = re.compile(r"^\\(un)?restrict .*\n", re.MULTILINE)


class Story:
    """What people did at one server: requests and answers in their order, with the name of who sent them."""

    def __init__(self, url: str, admin: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=PATIENCE, follow_redirects=True)
        self.keys = {"admin": admin}
        self.exchanges: list[dict[str, Any]] = []
        self._numbers = count(1)

    def new(self, role: str, name: str) -> str:
        """The id of a new principal, whose key has this name."""
        made = self.send("admin", "POST", "/v1/principals", {"role": role, "name": name})
        enrolled = self._http.post("/v1/enrolments", json={"token": made["enrolment"]["token"]}).json()
        self.keys[name] = enrolled["key"]
        principal: str = enrolled["principal_id"]
        return principal

    def send(self, name: str, method: str, path: str, body: object = None, *, key: str = "") -> Any:
        headers = {"Authorization": f"Bearer {self.keys[name]}"} | ({"Idempotency-Key": key} if key else {})
        deadline = time.monotonic() + PATIENCE
        while (answer := self._http.request(method, path, json=body, headers=headers)).status_code == 503:
            assert time.monotonic() < deadline, answer.text
            time.sleep(0.2)  # the service still computes a certificate
        assert answer.status_code in {200, 201, 202, 204}, answer.text
        if method == "GET" or key:
            self.exchanges.append(
                {"name": name, "method": method, "path": path, "body": body, "key": key, "answer": answer.text}
            )
        return answer.json() if answer.headers.get("Content-Type") == "application/json" else answer.text

    def pay(self, name: str, path: str, body: object) -> Any:
        """An answer under an Idempotency-Key of its own."""
        return self.send(name, "POST", path, body, key=f"key-{next(self._numbers)}")

    def tell(self) -> str:
        """Everything whose stored form has to be read for good. Returns the path of the releases of a data set that
        nothing is read of.
        """
        owner, analyst = self.new("owner", "owner"), self.new("analyst", "analyst")
        zcdp = {"accountant": "zcdp", "name": "Many looks", "epsilon": "3", "delta": "1e-5", "delta_conversion": "9e-6"}
        trial = self.send("owner", "POST", "/v1/datasets", registration([33, 207], name="Trial"))
        table = self.send("owner", "POST", "/v1/datasets", self._table(zcdp))
        visits = self.send("owner", "POST", "/v1/datasets", self._visits(trial["budget_id"]))
        patients = self.send("owner", "POST", "/v1/datasets", self._patients())
        survey = self.send("owner", "POST", "/v1/datasets", self._survey(trial["budget_id"]))
        self.send("owner", "PATCH", f"/v1/datasets/{trial['id']}", {"listed": True})
        for dataset, cap in ((trial, {"epsilon": "0.9"}), (table, {"rho": "0.14"})):
            grant = {"principal_id": analyst, "delta": "8e-7", "expires_at": "2999-01-01T00:00:00Z"} | cap
            self.send("owner", "POST", f"/v1/datasets/{dataset['id']}/grants", grant)
        paths = [f"/v1/datasets/{each['id']}/releases" for each in (trial, table, visits)]
        public = self.pay("analyst", paths[0], release_body("0.1"))
        certified = {"kind": "exponential", "calibration": "certified", "epsilon": "0.1", "delta": "1e-7"}
        self.pay("analyst", paths[0], {"prior": [1, 1], "mechanism": certified})
        for mechanism in _MECHANISMS:
            self.pay("analyst", paths[1], {"prior": [0.5] * 5, "mechanism": mechanism})
        self.pay("owner", paths[2], release_body("0.1"))
        self.send("owner", "PATCH", f"/v1/releases/{public['id']}", {"public": True})
        queries = [{"of": {"where": {"sex": ["female"]}}, "half_width": 60}, {"of": {"where": {"ill": ["yes"]}}}]
        most = {"kind": "queries", "max_charge": {"rho": "0.1"}}
        self.pay("analyst", paths[1], most | {"queries": queries})
        self.pay("analyst", paths[1], {"kind": "margins", "all": 1, "rho": "0.01", "delta": "1e-7"})
        queries = [{"weights": [1, 1, 1, -1], "half_width": 60}]
        path, most = f"/v1/datasets/{patients['id']}/releases", {"kind": "queries", "max_charge": {"epsilon": "1"}}
        self.pay("owner", path, most | {"queries": queries})
        for mechanism in _PRIVATE_SIZE_MECHANISMS:
            self.pay("owner", path, {"prior": [1] * 4, "mechanism": mechanism})
        self.pay("owner", path, {"kind": "margins", "margins": [["ill"]], "epsilon": "0.2"})
        path = f"/v1/datasets/{survey['id']}/releases"
        self.pay("owner", path, {"kind": "margins", "all": 1, "epsilon": "0.2", "noise": "blocks"})
        merged = [["female · never", "female · former"], ["male · never", "male · former"]]
        self.pay("owner", path, release_body("0.1", 6) | {"merged": merged})
        wanted = {"kind": "margins", "all": 1, "half_widths": [40], "max_charge": {"epsilon": "1"}, "once": True}
        self.pay("owner", path, wanted)
        self.pay("owner", path, {"mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}, "once": True})
        self._ask_for_access(trial)
        self._end_some(trial)
        inherited = self._hand_over(owner)
        self._change_some(trial, survey)
        self._read_answers(owner, [trial, table, visits, patients, survey, inherited], public["id"])
        self.new("owner", "late")
        apart = self.send("late", "POST", "/v1/datasets", registration([5, 6], name="Paid and not drawn"))
        return f"/v1/datasets/{apart['id']}/releases"

    @staticmethod
    def _table(budget: Mapping[str, Any]) -> dict[str, Any]:
        """Two attributes, a cell that can't hold records, under zCDP."""
        made = registration([40, 310, 12, 25, 280], name="Clinics", budget={"kind": "new", "budget": budget})
        del made["labels"]
        made["attributes"] = [
            {"name": "sex", "levels": ["female", "male"]},
            {"name": "ill", "levels": ["yes", "no", "unknown"]},
        ]
        made["impossible"] = [{"sex": ["male"], "ill": ["unknown"]}]
        return made

    @staticmethod
    def _visits(budget_id: str) -> dict[str, Any]:
        """Several records a person, on a budget that another data set spends from."""
        made = registration([9, 12], name="Visits", budget={"kind": "existing", "id": budget_id}, records_per_unit=2)
        del made["one_record_per_unit"]
        return made

    @staticmethod
    def _survey(budget_id: str) -> dict[str, Any]:
        """Two attributes and a public number of records, on a budget in ε."""
        made = registration([40, 31, 12, 25, 28, 9], name="Survey", budget={"kind": "existing", "id": budget_id})
        del made["labels"]
        made["attributes"] = [
            {"name": "sex", "levels": ["female", "male"]},
            {"name": "smoker", "levels": ["never", "former", "current"]},
        ]
        return made

    @staticmethod
    def _patients() -> dict[str, Any]:
        """A private number of records, and two attributes."""
        made = registration([31, 4, 28, 0], name="Patients", n_is_public=False)
        del made["labels"]
        made["attributes"] = [{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["no", "yes"]}]
        return made

    def _ask_for_access(self, dataset: Mapping[str, Any]) -> None:
        self.new("analyst", "another")
        wanted = {"epsilon": "0.1", "delta": "0", "purpose": "The report of 1955"}
        path = f"/v1/datasets/{dataset['id']}/access-requests"
        declined = self.send("another", "POST", path, wanted)
        decision = {"state": "declined", "reason": "Ask for less"}
        self.send("owner", "PATCH", f"/v1/access-requests/{declined['id']}", decision)
        self.send("another", "POST", path, wanted | {"epsilon": "0.05"})

    def _end_some(self, dataset: Mapping[str, Any]) -> None:
        """A deleted data set, and a principal without access."""
        budget = {"kind": "existing", "id": dataset["budget_id"]}
        gone = self.send("owner", "POST", "/v1/datasets", registration([1, 2], name="Gone", budget=budget))
        self.send("owner", "DELETE", f"/v1/datasets/{gone['id']}")
        self.send("admin", "DELETE", f"/v1/principals/{self.new('analyst', 'gone')}")
        del self.keys["gone"]

    def _hand_over(self, heir: str) -> dict[str, Any]:
        """A data set whose owner has left: an admin froze its budget and transferred it to another owner."""
        leaving = self.new("owner", "leaving")
        made: dict[str, Any] = self.send("leaving", "POST", "/v1/datasets", registration([7, 8], name="Inherited"))
        self.pay("leaving", f"/v1/datasets/{made['id']}/releases", release_body("0.1"))
        self.send("admin", "PATCH", f"/v1/budgets/{made['budget_id']}", {"frozen": True})
        self.send("admin", "DELETE", f"/v1/principals/{leaving}")
        self.send("admin", "PUT", f"/v1/budgets/{made['budget_id']}/owner", {"principal_id": heir})
        self.send("owner", "PATCH", f"/v1/budgets/{made['budget_id']}", {"frozen": False})
        del self.keys["leaving"]
        # Nobody can repeat what a revoked owner paid for.
        self.exchanges = [each for each in self.exchanges if each["name"] != "leaving"]
        return made

    def _change_some(self, dataset: Mapping[str, Any], other: Mapping[str, Any]) -> None:
        """Every change of a budget, a data set and a grant that the ledger has a kind of entry for."""
        [grant] = self.send("owner", "GET", f"/v1/grants?dataset_id={dataset['id']}")["items"]
        self.exchanges.pop()
        changes: dict[str, list[dict[str, Any]]] = {
            f"/v1/budgets/{dataset['budget_id']}": [{"epsilon": "8"}, {"name": "Trials"}, {"low_budget_percent": 30}],
            f"/v1/datasets/{other['id']}": [
                {"name": "Survey of 1954"}, {"history_shared": True}, {"history_shared": False},
                {"listed": True}, {"listed": False},
            ],
            f"/v1/grants/{grant['id']}": [{"epsilon": "0.8"}, {"closed": True}, {"closed": False}],
        }  # fmt: skip
        for path, wanted in changes.items():
            for change in wanted:
                self.send("owner", "PATCH", path, change)

    def _read_answers(self, owner: str, datasets: list[dict[str, Any]], public: str) -> None:
        """Read the responses that later versions must repeat."""
        for dataset in datasets:
            self.send("owner", "GET", f"/v1/datasets/{dataset['id']}")
            for items in ("releases", "grants", "access-requests"):
                self.send("owner", "GET", f"/v1/{items}?dataset_id={dataset['id']}")
        for budget in {dataset["budget_id"] for dataset in datasets}:
            for page in ("", "/ledger", "/ledger.jsonl"):
                self.send("owner", "GET", f"/v1/budgets/{budget}{page}")
        for release in self.send("analyst", "GET", "/v1/releases")["items"]:
            self.send("analyst", "GET", f"/v1/releases/{release['id']}")
        self.send("another", "GET", "/v1/access-requests")
        self.send("owner", "GET", f"/v1/public/releases/{public}")
        self.send("owner", "GET", "/v1/public-key")
        self.send("admin", "GET", f"/v1/principals/{owner}/entries")


def client_environment(home: Path, url: str, key: str) -> dict[str, str]:
    names = {"HOME": home, "SERVER": url, "KEY": key}
    return dict(os.environ) | {f"PRIVATE_POSTERIOR_{name}": str(value) for name, value in names.items()}


def record(owners_url: str, url: str, folder: Path) -> None:
    """Runs the story on an empty database, and writes answers and the command line's files to `folder`."""
    migrate(owners_url)
    process = Process(url)
    admin = run("keys", "create", "--role", "admin", environment=process.environment).stdout.strip()
    with process:
        story = Story(process.url, admin)
        releases = story.tell()
        for budget in {each["path"].split("/")[3] for each in story.exchanges if each["path"].endswith("/ledger")}:
            environment = client_environment(folder / "home", process.url, story.keys["owner"])
            subprocess.run([CLIENT, "verify", budget, "--releases"], env=environment, check=True, capture_output=True)
    body = release_body("0.2")
    headers = {"Authorization": f"Bearer {story.keys['late']}", "Idempotency-Key": PAID}
    crashing = Process(url, fault="crash:debited")
    crashing.launch()
    crashing.wait_until_ready()
    try:
        httpx.post(crashing.url + releases, json=body, headers=headers, timeout=PATIENCE)
    except httpx.TransportError:
        pass
    else:
        raise AssertionError("the service did not end between charge and draw")
    finally:
        crashing.stop(SIGTERM)
    pending = {"name": "late", "method": "POST", "path": releases, "body": body, "key": PAID, "answer": None}
    told = {"keys": story.keys, "exchanges": [*story.exchanges, pending]}
    (folder / "answers.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def main() -> None:
    target = FOLDER / version("private-posterior")
    assert not target.exists(), f"{target} is there: what a version stored is recorded once"
    with tempfile.TemporaryDirectory() as temporary, PostgresServer() as postgres:
        made = Path(temporary)
        for kind in ("sqlite", "postgresql"):
            (made / kind).mkdir()
        record(f"sqlite:///{made / 'database'}", f"sqlite:///{made / 'database'}", made / "sqlite")
        with closing(sqlite3.connect(made / "database")) as connection:
            (made / "sqlite" / "database.sql").write_text("\n".join(connection.iterdump()) + "\n")
        postgres.run_script(ROLES, {"POSTGRES_OWNER_PASSWORD": "owner", "POSTGRES_SERVICE_PASSWORD": "service"})
        name = postgres.create_database(owner=OWNER)
        record(postgres.url(name, OWNER), postgres.url(name, SERVICE_ROLE), made / "postgresql")
        command = [str(postgres.binaries / "pg_dump"), f"--host={postgres.directory}", f"--username={SUPERUSER}", name]
        dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        (made / "postgresql" / "database.sql").write_text(_UNIX_TOKENS.sub("", dump))
        target.mkdir()
        for kind in ("sqlite", "postgresql"):
            shutil.copytree(made / kind, target / kind)


if __name__ == "__main__":
    main()
