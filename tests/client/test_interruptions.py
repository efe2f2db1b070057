"""A paid command that is interrupted or killed at any moment is charged once, and gets the paid release when it is run
again.
"""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from private_posterior.commands.exits import Exit
from tests.client.middleman import between
from tests.client.people import Person, journal
from tests.harness.deadlines import PATIENCE
from tests.harness.process import CLIENT
from tests.service.conftest import make_study

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Server

MOMENTS = 12
FEW_MOMENTS = (2, 8, 12)
"""Of the version, the mechanisms, the data set, the release, its posterior and its picture: before and
after each.
"""


def started(person: Person, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [CLIENT, *command], env=person.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A shell that runs the tests in the background makes them ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  nothing runs between
    )  # fmt: skip


@pytest.mark.parametrize(
    "moment",
    [pytest.param(each, marks=() if each in FEW_MOMENTS else pytest.mark.long) for each in range(1, MOMENTS + 1)],
)
def test_an_interrupt_at_any_moment_costs_one_charge_and_gives_the_same_release(
    server: Server, tmp_path: Path, moment: int
) -> None:
    study = make_study(server.new("owner"), server.new("analyst"))
    output, picture = tmp_path / "release.json", tmp_path / "release.svg"
    with between(server) as middleman:
        analyst = Person(tmp_path / "home", middleman.url, study.analyst.key)
        command = ["release", study.dataset_id, "--epsilon", "0.125", "--output", str(output), "--picture"]
        command.append(str(picture))
        middleman.hold(moment=moment)
        process = started(analyst, *command)
        assert middleman.held.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == Exit.INTERRUPTED, said
        assert "Traceback" not in said
        assert "run the same command again" in said
        charged = [each["subject_id"] for each in study.ledger() if each["kind"] == "release_charged"]
        assert len(charged) == (moment >= 8)
        middleman.forward()
        shown = analyst.run(*command).stdout
    paid = [each["subject_id"] for each in study.ledger() if each["kind"] == "release_charged"]
    assert len(paid) == 1
    assert paid[0] in shown
    assert json.loads(output.read_text())["id"] == paid[0]
    assert picture.read_text().startswith("<svg")
    assert study.spent() == "0.125"
    assert journal(analyst) == []


def test_a_killed_command_is_resumed_and_other_commands_are_not(server: Server, tmp_path: Path) -> None:
    study = make_study(server.new("owner"), server.new("analyst"))
    with between(server) as middleman:
        analyst = Person(tmp_path / "home", middleman.url, study.analyst.key)
        command = ["release", study.dataset_id, "--epsilon", "0.125"]
        middleman.hold(after="/releases")
        process = started(analyst, *command)
        assert middleman.held.wait(PATIENCE)
        process.kill()
        process.communicate(timeout=PATIENCE)
        assert study.spent() == "0.125"
        (entry,) = journal(analyst)
        assert entry.stat().st_mode & 0o777 == 0o600

        middleman.forward()
        other = analyst.answer("release", study.dataset_id, "--epsilon", "0.0625")
        assert study.spent() == "0.1875"
        assert journal(analyst) == [entry]
        again = analyst.run(*command, "--json")
        assert "Continuing the request of" in again.stderr
        paid = next(each["subject_id"] for each in study.ledger() if each["kind"] == "release_charged")
        assert json.loads(again.stdout)["id"] == paid != other["id"]
        assert study.spent() == "0.1875"
        assert journal(analyst) == []
        assert analyst.answer(*command)["id"] == paid
        assert analyst.answer(*command, "--again")["id"] != paid
        assert study.spent() == "0.3125"
