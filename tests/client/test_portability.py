"""The client runs without features that only Unix has, and with Windows' rules for paths. It was never run on Windows
itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.client.middleman import between
from tests.client.people import LIKE_WINDOWS, Person, journal
from tests.harness.deadlines import PATIENCE
from tests.harness.process import ROOT
from tests.service.conftest import make_study

if TYPE_CHECKING:
    from tests.harness.server import Server


def windows_person(tmp_path: Path, url: str, key: str = "") -> Person:
    return Person(tmp_path / "home", url, key, program=LIKE_WINDOWS, variables={"PYTHONPATH": str(ROOT)})


def test_enrolment_registration_and_a_paid_release(server: Server, tmp_path: Path) -> None:
    enrolment = server.admin.api.create_principal({"role": "owner", "name": "Owner"})["enrolment"]
    assert enrolment
    owner = windows_person(tmp_path, server.url)
    owner.run("enrol", said=enrolment["token"] + "\n")
    (tmp_path / "records.csv").write_text("arm;outcome\nnew;ill\nold;well\n")
    made = owner.answer(
        "datasets", "create", "Trial", "--unit", "one child", "--one-record-per-unit", "--n-is-public",
        "--records", str(tmp_path / "records.csv"), "--levels", "arm=new,old", "--levels", "outcome=ill,well",
        "--no-person", "--epsilon", "2", "--nonce-file", str(tmp_path / "nonce"),
    )  # fmt: skip
    assert (tmp_path / "nonce").read_text().strip() == made["nonce"]
    output = tmp_path / "release.json"
    released = owner.run("release", "Trial", "--epsilon", "0.5", "--output", str(output)).stdout
    assert json.loads(output.read_text())["id"] in released
    assert journal(owner) == []


def test_an_interrupted_purchase_is_resumed_and_two_at_once_are_two(server: Server, tmp_path: Path) -> None:
    study = make_study(server.new("owner"), server.new("analyst"))
    with between(server) as middleman:
        analyst = windows_person(tmp_path, middleman.url, study.analyst.key)
        command = ["release", study.dataset_id, "--epsilon", "0.125", "--again", "--json"]
        middleman.hold(after="/releases")
        process = subprocess.Popen([*LIKE_WINDOWS, *command], env=analyst.environment, stdout=subprocess.DEVNULL)
        assert middleman.held.wait(PATIENCE)
        process.kill()
        process.wait(PATIENCE)
        middleman.forward()
        paid = next(each["subject_id"] for each in study.ledger() if each["kind"] == "release_charged")
        assert json.loads(analyst.run(*command).stdout)["id"] == paid
        running = [
            subprocess.Popen([*LIKE_WINDOWS, *command], env=analyst.environment, stdout=subprocess.PIPE)
            for _ in range(2)
        ]
        assert len({json.loads(each.communicate(timeout=PATIENCE)[0])["id"] for each in running} - {paid}) == 2
    assert study.spent() == "0.375"


@pytest.mark.parametrize(
    "statement",
    [
        "import fcntl",
        "os.getuid()",
        "open('a:b', 'w')",
        "open('aux.txt', 'w')",
        "os.open('.', os.O_RDONLY)",
        "f = open('kept', 'w'); os.unlink('kept')",
        "pathlib.Path('what?').mkdir()",
    ],
)
def test_what_windows_refuses_is_refused_here(tmp_path: Path, statement: str) -> None:
    program = f"from tests.harness.like_windows import pretend; pretend(); import os, pathlib; {statement}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Error" in done.stderr


def test_a_console_without_greek_letters_shows_help(tmp_path: Path) -> None:
    person = Person(tmp_path, "http://127.0.0.1:9", variables={"PYTHONIOENCODING": "ascii"})
    assert "--epsilon" in person.run("release", "--help").stdout


def test_the_version_is_shown(tmp_path: Path) -> None:
    assert Person(tmp_path, "").run("--version").stdout == "posterior 0.3.0\n"
