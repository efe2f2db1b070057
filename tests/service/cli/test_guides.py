"""The commands in the guides run as they stand, in the order of their page, in the shell of one reader. Only the
reader's own values are inserted: the address, ids, and names of files.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGTERM
from xml.etree import ElementTree as ET

import httpx
import pytest

from tests.harness.bodies import registration, release_body, unique
from tests.harness.deadlines import PATIENCE
from tests.harness.people import Person
from tests.harness.ports import free_port
from tests.harness.process import COMMAND, ROOT
from tests.harness.server import Party, Server

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

PLACEHOLDER = re.compile(r"\b(dat|bud|pri|rel|acc)_…")
PAGE = "docs/reference/command-line.md"
ONE_NUMBER = "One number: a count or a rate"
BERKELEY = [
    89, 19, 512, 313, 17, 8, 353, 207, 202, 391, 120, 205,
    131, 244, 138, 279, 94, 299, 53, 138, 24, 317, 22, 351,
]  # fmt: skip
ARMS = "{0},ill\n{0},well\n{0},well\n{1},ill\n{1},well\n"


def page(name: str, section: str = "") -> str:
    """The text of a page, or of the one section that has this heading."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.split(r"\n## ", text.split(f"\n## {section}\n", 1)[1])[0] if section else text


def commands(text: str, *, named: frozenset[str] = frozenset()) -> list[str]:
    """All commands of a text in its order: the lines of its shell blocks, and the commands that its sentences ask the
    reader to run. Tables, and commands in `named`, only list commands.
    """
    text = re.sub(r"^\|.*\n", "", text, flags=re.MULTILINE)
    found: list[str] = []
    for block, told in re.findall(r"```sh\n(.*?)```|`((?:private-)?posterior [^`]+)`", text, re.DOTALL):
        found += block.replace("\\\n", " ").splitlines() or [" ".join(told.split())]
    return [line.split("   #")[0] for line in found if line.strip() and line not in named]


@dataclass(slots=True)
class Reader:
    """A reader who types the commands of a page, in a directory of their own. `known` are the ids that they have seen
    or been given, the newest last.
    """

    directory: Path
    address: str
    environment: dict[str, str]
    known: dict[str, list[str]] = field(default_factory=dict)
    analyst: str = ""
    """Name of the analyst that pages call Epidemiologist. Tests share a service, so each has its own."""

    def learn(self, text: str) -> None:
        for whole, kind in re.findall(r"\b((dat|bud|pri|rel|acc|gra)_[a-z2-7]{26})\b", text):
            ids = self.known.setdefault(kind, [])
            if whole not in ids:
                ids.append(whole)

    def put_in(self, command: str) -> str:
        """The command with an id in each place for one: the newest that is known, or the newest few."""
        for kind in ("dat", "bud", "pri", "rel", "acc", "gra"):
            places = command.count(f"{kind}_…")
            for id_ in self.known.get(kind, [])[-places:] if places else []:
                command = command.replace(f"{kind}_…", id_, 1)
        assert not PLACEHOLDER.search(command), command
        command = command.replace('"Epidemiologist"', f'"{self.analyst}"')
        return command.replace("https://posterior.example.org", self.address)

    def run(self, command: str, *, said: str = "") -> str:
        """The output of a command, which must succeed; exported variables stay for later commands."""
        line = self.put_in(command)
        if exported := re.fullmatch(r"export (\w+)=(\S+)", line):
            self.environment[exported[1]] = exported[2]
            return ""
        done = subprocess.run(
            ["/bin/sh", "-c", line], cwd=self.directory, env=self.environment, input=said,
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        self.learn(done.stdout)
        return done.stdout


def reader(directory: Path, server: Server, key: str = "") -> Reader:
    directory.mkdir()
    own = {"PRIVATE_POSTERIOR_HOME": str(directory / "home"), "PRIVATE_POSTERIOR_SERVER": server.url, "COLUMNS": "200"}
    own |= {"PRIVATE_POSTERIOR_KEY": key} if key else {}
    outside = {name: value for name, value in os.environ.items() if "POSTERIOR" not in name}
    outside["PATH"] = f"{COMMAND.parent}{os.pathsep}{outside['PATH']}"
    return Reader(directory, server.url, outside | own)


def test_the_page_of_the_command_line(sqlite_server: Server, tmp_path: Path) -> None:
    made = sqlite_server.admin.api.create_principal({"role": "owner", "name": "Field Trial Office"})
    assert made["enrolment"]
    owner = reader(tmp_path / "owner", sqlite_server)
    del owner.environment["PRIVATE_POSTERIOR_SERVER"]
    introduction = commands(page(PAGE, "Owners and analysts: `posterior`"))
    assert introduction == ["posterior --help"]
    for command in introduction + commands(page(PAGE, "Credentials, and the address of the service")):
        owner.run(command, said=made["enrolment"]["token"] + "\n")
    owner.analyst = unique("Epidemiologist")
    analyst = sqlite_server.new("analyst", owner.analyst)
    (owner.directory / "records.csv").write_text("arm,outcome\n" + ARMS.format("vaccinated", "placebo") * 100)
    steps = commands(page(PAGE, "An owner"))
    assert len(steps) == 4
    shown = [owner.run(command) for command in steps]
    assert "stays secret" in shown[0]

    asking = reader(tmp_path / "analyst", sqlite_server, analyst.key)
    asking.known = {"dat": owner.known["dat"], "rel": [release_of_another_trial(sqlite_server.new("owner"), analyst)]}
    shown = [asking.run(command) for command in commands(page(PAGE, "An analyst"))]
    assert ET.parse(asking.directory / "trial.svg").getroot().tag.endswith("svg")  # noqa: S314  the service's own
    assert json.loads((asking.directory / "trial.json").read_text())["charged"]["epsilon"] == "0.5"
    assert "charged" in shown[-1]
    for command in commands(page(PAGE, "Verify")):
        of_analyst = "trial.json" in command
        assert ("signed" if of_analyst else "intact") in (asking if of_analyst else owner).run(command)


def release_of_another_trial(owner: Party, analyst: Party) -> str:
    """The id of a release that a page compares its own with."""
    body = registration([30, 70, 20, 80], labels=None)
    body["attributes"] = [
        {"name": "arm", "levels": ["vaccinated", "placebo"]},
        {"name": "outcome", "levels": ["ill", "well"]},
    ]
    made = owner.post("/v1/datasets", body).json()
    owner.post(
        f"/v1/datasets/{made['id']}/grants", {"principal_id": analyst.principal_id, "epsilon": "1", "delta": "0"}
    )
    released: str = analyst.release(made["id"], release_body(categories=4)).json()["id"]
    return released


def test_the_guides_for_owners_and_analysts(sqlite_server: Server, tmp_path: Path) -> None:
    analyst, other = sqlite_server.new("analyst"), sqlite_server.new("analyst")
    owner = reader(tmp_path / "owner", sqlite_server, sqlite_server.new("owner").key)
    owner.analyst = unique("Epidemiologist")
    invited = sqlite_server.new("analyst", owner.analyst)
    (owner.directory / "records.csv").write_text("arm,outcome\n" + ARMS.format("new", "old") * 100)
    steps = commands(page("docs/how-to/owner.md"))
    assert len(steps) == 18
    raising, check, create, grant, grants, cap, close, *deciding = steps
    *deciding, requests, approve, decline, budgets, statement, freeze, verify, verify_releases = deciding
    for command in (check, create, raising, grant, grants, cap, *deciding):
        owner.run(command)
    asking = reader(tmp_path / "analyst", sqlite_server, analyst.key)
    guide = page("docs/how-to/analyst.md").replace(page("docs/how-to/analyst.md", ONE_NUMBER), "")
    steps = commands(guide)
    assert len(steps) == 11
    listed, ask, *using = steps
    assert "Trial" in asking.run(listed)
    asking.run(ask)
    for command in (requests, approve):
        owner.run(command)
    reader(tmp_path / "other", sqlite_server, other.key).run(ask)
    for command in (requests, decline):
        owner.run(command)
    for command in using:
        asking.run(command)
    for command in (budgets, statement, freeze, verify, verify_releases):
        owner.run(command)
    wanted = {"prior": [1] * 4, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}
    dataset_id = invited.get("/v1/grants").json()["items"][0]["dataset_id"]
    assert "frozen" in invited.release(dataset_id, wanted).json()["type"]
    owner.known["gra"] = [each["id"] for each in invited.get("/v1/grants").json()["items"]]
    owner.run(close)
    assert invited.get("/v1/grants", state="open").json()["items"] == []


def test_the_worked_decision_for_owners(sqlite_server: Server, tmp_path: Path) -> None:
    owner = reader(tmp_path / "owner", sqlite_server, sqlite_server.new("owner").key)
    owner.analyst = unique("Epidemiologist")
    analyst = sqlite_server.new("analyst", owner.analyst)
    rows = [f"{number},{'AB'[number % 2]},{'yes' if number % 3 else 'no'}\n" for number in range(2000)]
    (owner.directory / "records.csv").write_text("patient,ward,infected\n" + "".join(rows))
    plan, *steps = commands(page("docs/how-to/choose-epsilon.md"))
    assert "simplex_geometric" in owner.run(plan)
    assert len(steps) == 3
    for command in steps:
        owner.run(command)
    wanted = {"prior": [1] * 4, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"}}
    assert analyst.release(owner.known["dat"][0], wanted).status_code == 201


def test_the_guide_to_one_number(sqlite_server: Server, tmp_path: Path) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    attributes = [{"name": "arm", "levels": ["new", "old"]}, {"name": "outcome", "levels": ["ill", "well"]}]
    made = owner.post(
        "/v1/datasets", registration([30, 70, 20, 80], labels=None, name="Trial", attributes=attributes)
    ).json()
    cap = {"principal_id": analyst.principal_id, "epsilon": "1", "delta": "0"}
    assert owner.post(f"/v1/datasets/{made['id']}/grants", cap).status_code == 201
    asking = reader(tmp_path / "analyst", sqlite_server, analyst.key)
    asking.learn(analyst.release(made["id"], release_body(categories=4)).json()["id"])
    for command in commands(page("docs/how-to/analyst.md", ONE_NUMBER)):
        shown = asking.run(command)
        assert "charged" in shown or "--measure" not in command


def test_the_guide_to_groups(sqlite_server: Server, tmp_path: Path) -> None:
    owner = sqlite_server.new("owner")
    levels = {"department": list("ABCDEF"), "sex": ["women", "men"], "admitted": ["yes", "no"]}
    attributes = [{"name": name, "levels": each} for name, each in levels.items()]
    made = owner.post("/v1/datasets", registration(BERKELEY, labels=None, attributes=attributes)).json()
    asking = reader(tmp_path / "owner", sqlite_server, owner.key)
    admissions = owner.release(made["id"], release_body("0.5", categories=24)).json()["id"]
    arms = [a_release_of_one_arm(owner, name) for name in ("Vaccinated", "Placebo")]
    shown = []
    for command in commands(
        page("docs/how-to/compare-groups.md"), named=frozenset({"posterior posterior", "posterior compare"})
    ):
        asking.known["rel"] = arms if "outcome=ill" in command else [admissions]
        shown.append(asking.run(command))
    assert "Standardised" in shown[0]
    assert any("Log odds ratio (SD" in each for each in shown)


def a_release_of_one_arm(owner: Party, name: str) -> str:
    body = registration([30, 70], labels=None, name=name, attributes=[{"name": "outcome", "levels": ["ill", "well"]}])
    made = owner.post("/v1/datasets", body).json()
    released: str = owner.release(made["id"], release_body(categories=2)).json()["id"]
    return released


def test_what_the_readme_says_of_the_first_minute(tmp_path: Path) -> None:
    """`make serve` and the first key, in a directory that has the Makefile and the virtual environment."""
    for name in ("Makefile", "requirements", "pyproject.toml", "client"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(COMMAND.parent)
    for age, made in enumerate(("client", "runtime", "python")):  # so that make finds nothing to install
        (tmp_path / ".venv" / made).touch()
        os.utime(tmp_path / ".venv" / made, (time.time() - age, time.time() - age))
    address = f"http://127.0.0.1:{free_port()}"
    environment = {name: value for name, value in os.environ.items() if "POSTERIOR" not in name}
    environment |= {"POSTERIOR_PORT": address.rsplit(":", 1)[1]}
    start = page("README.md") + page("docs/tutorials/first-release.md")
    blocks = re.findall(r"```sh\n(.*?)```", start, re.DOTALL)
    tried, export = (block for block in blocks if "make serve\n" in block or "ADMIN_KEY" in block)
    serve = tried.splitlines()[-1]
    assert serve == "make serve"
    serving = subprocess.Popen(["/bin/sh", "-c", serve], cwd=tmp_path, env=environment, start_new_session=True)
    try:
        wait_until_ready(address, serving)
        script = export.replace(".venv/bin/python\n", 'echo "$ADMIN_KEY"\n')
        done = subprocess.run(
            ["/bin/sh", "-ec", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        *_, key = done.stdout.split()  # after what make prints
        made = httpx.get(f"{address}/v1/principals", headers=Person("", key).headers, timeout=PATIENCE).json()
        assert [each["role"] for each in made["items"]] == ["admin"]
    finally:
        if serving.poll() is None:
            os.killpg(serving.pid, SIGTERM)
        serving.wait(PATIENCE)


def wait_until_ready(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None
        try:
            if httpx.get(f"{address}/readyz", timeout=PATIENCE).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise AssertionError("it does not get ready")
