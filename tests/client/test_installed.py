"""The client from an empty environment, outside the checkout: its wheel is installed from a package index, and the page
of the command line is followed as it stands.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.harness.bodies import unique
from tests.harness.process import ROOT
from tests.service.cli.test_guides import PAGE, commands, page, reader, release_of_another_trial

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Server

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

RECORDS = ["vaccinated;ill", "vaccinated;well", "vaccinated;well", "placebo;ill", "placebo;well"]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of programs of an environment with the client and its dependencies."""
    folder = tmp_path_factory.mktemp("empty")
    source = folder / "source"
    shutil.copytree(ROOT / "client", source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    wheel: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
        source,
    ]
    subprocess.run(wheel, check=True, timeout=300)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True, timeout=300)
    installed = folder / "venv" / "bin"
    (built,) = folder.glob("*.whl")
    subprocess.run([installed / "pip", "install", "-q", f"{built}[tables]"], check=True, timeout=600)
    return installed


def test_the_page_is_followed_from_enrolment_to_an_odds_ratio(
    programs: Path, sqlite_server: Server, tmp_path: Path
) -> None:
    path = f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin"
    owner, asking = (reader(tmp_path / name, sqlite_server) for name in ("owner", "analyst"))
    ids = []
    owner.analyst = unique("Epidemiologist")
    for person, role in ((owner, "owner"), (asking, "analyst")):
        person.environment["PATH"] = path
        person.environment.pop("PYTHONPATH", None)
        made = sqlite_server.admin.post(
            "/v1/principals", {"role": role, "name": owner.analyst if role == "analyst" else unique(role)}
        ).json()
        ids.append(made["id"])
        for command in commands(page(PAGE, "Credentials, and the address of the service")):
            person.run(command, said=made["enrolment"]["token"] + "\n")
    content = "\ufeffarm;outcome\r\n" + "\r\n".join(RECORDS * 100) + "\r\n"
    (owner.directory / "records.csv").write_text(content, encoding="utf-8", newline="")
    steps = commands(page(PAGE, "An owner"))
    assert len(steps) == 4
    for command in steps:
        owner.run(command)
    key = json.loads((asking.directory / "home" / "credentials.json").read_text())["key"]
    analyst = sqlite_server.new("analyst")
    analyst.principal_id, analyst.key = ids[1], key
    asking.known = {"rel": [release_of_another_trial(sqlite_server.new("owner"), analyst)]}
    shown = [asking.run(command) for command in commands(page(PAGE, "An analyst"))]
    for command in commands(page(PAGE, "Verify")):
        assert "intact" in owner.run(command)
    assert any(re.search(r"^Odds ratio.*( +[\d.]+){3} +P\(above 1\) ", each, re.MULTILINE) for each in shown)


def test_what_the_client_needs_is_small(programs: Path) -> None:
    alone = {"PATH": os.defpath}
    command: list[str | Path] = [programs / "pip", "list", "--format", "json"]
    listed = subprocess.run(command, env=alone, cwd=programs, capture_output=True, text=True, check=True).stdout
    packages = {each["name"].lower() for each in json.loads(listed)} - {"pip", "setuptools"}
    assert packages.isdisjoint({"numpy", "sqlalchemy", "fastapi", "private-posterior"})
    started = time.monotonic()
    subprocess.run([programs / "posterior", "--help"], env=alone, capture_output=True, check=True)
    seconds = time.monotonic() - started
    tools = {"pip", "setuptools", "pkg_resources", "__pycache__"}
    files = (each for each in programs.parent.glob("lib/*/site-packages/**/*") if tools.isdisjoint(each.parts))
    size = sum(each.stat().st_size for each in files if each.is_file())
    sys.stdout.write(f"{len(packages)} packages, {size / 1e6:.1f} MB, {seconds:.2f} s\n")
