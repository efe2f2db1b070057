"""A failure after the service has answered a request is not a refusal, and the command is free when it is repeated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from private_posterior.commands.exits import Exit
from private_posterior.commands.main import app
from tests.client.people import Person, journal, someone
from tests.harness.bodies import registration, unique

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Party, Server
    from tests.service.conftest import Study

TOO_MANY_FOR_A_PICTURE = 201


def run(person: Person, *arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env=person.environment)


@pytest.fixture
def large(owner: Party) -> str:
    """The id of a data set with too many categories for a picture."""
    made = owner.post("/v1/datasets", registration([7] * TOO_MANY_FOR_A_PICTURE))
    return str(made.json()["id"])


def charged(owner: Party, dataset_id: str) -> list[str]:
    entries = owner.get(f"/v1/releases?dataset_id={dataset_id}").json()["items"]
    return [each["id"] for each in entries]


def test_a_picture_that_is_refused_neither_hides_the_release_nor_charges_again(
    owner: Party, large: str, server: Server, tmp_path: Path
) -> None:
    person = someone(tmp_path, server, owner)
    command = ("release", large, "--epsilon", "0.1")
    first = run(person, *command, "--picture", str(tmp_path / "p.svg"))
    [paid] = charged(owner, large)
    assert paid in first.stdout
    assert first.exit_code == Exit.INCOMPLETE, first.stderr
    assert "not charged" not in first.stderr
    assert "categories" in first.stderr
    again = run(person, *command)
    assert again.exit_code == Exit.DONE, again.stderr
    assert re.search(rf"release +{paid}", again.stdout)
    assert charged(owner, large) == [paid]
    assert journal(person) == []
    assert run(person, *command, "--again", "--json").exit_code == Exit.DONE
    assert len(charged(owner, large)) == 2


def test_a_release_is_shown_although_its_file_cannot_be_written(study: Study, server: Server, tmp_path: Path) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    command = ("release", study.dataset_id, "--epsilon", "0.1")
    first = run(analyst, *command, "--output", "/dev/full")
    assert first.exit_code == Exit.INCOMPLETE
    [paid] = charged(study.owner, study.dataset_id)
    assert paid in first.stdout
    again = run(analyst, *command, "--output", str(tmp_path / "release.json"))
    assert (again.exit_code, charged(study.owner, study.dataset_id)) == (Exit.DONE, [paid])
    assert paid in (tmp_path / "release.json").read_text()


def test_a_nonce_is_shown_although_its_file_cannot_be_written(owner: Party, server: Server, tmp_path: Path) -> None:
    counts = tmp_path / "counts.csv"
    counts.write_text("label,count\nill,3\nwell,4\n")
    made = run(
        someone(tmp_path, server, owner), "datasets", "create", unique("Trial"), "--unit", "one person",
        "--one-record-per-unit", "--n-is-public", "--counts", str(counts), "--epsilon", "1",
        "--nonce-file", "/dev/full",
    )  # fmt: skip
    assert made.exit_code == Exit.INCOMPLETE
    assert re.search(r"nonce +[\w-]{20}", made.stdout)
