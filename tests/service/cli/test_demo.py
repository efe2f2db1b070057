"""The demonstration as `make demo` shows it, and the published counts in it."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from service.cli.demo.published_tables import published_table
from service.cli.demo.terminal import WIDTH
from tests.harness.deadlines import PATIENCE


@dataclass(frozen=True, slots=True)
class DemoRun:
    """The output of the demonstration in a pipe, its pictures, and the files that it leaves in the temporary
    directory.
    """

    text: str
    pictures: dict[str, str]
    left: list[Path]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoRun:
    temporary, pictures = tmp_path_factory.mktemp("temporary"), tmp_path_factory.mktemp("pictures")
    environment = {"PATH": os.defpath, "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "service", "demo", "--pictures", str(pictures)]
    done = subprocess.run(
        command,
        env=environment,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return DemoRun(done.stdout, {path.name: path.read_text() for path in pictures.iterdir()}, list(temporary.iterdir()))


def test_every_party_and_mechanism_has_its_part(demo: DemoRun) -> None:
    for words in (
        "Field Trial Office",
        "Epidemiologist",
        "simplex_geometric",
        "laplace",
        "gaussian",
        "exponential_published",
        "exponential_global",
    ):
        assert words in demo.text


def test_its_last_lines_say_that_its_tables_are_gone_and_what_to_do_next(demo: DemoRun) -> None:
    end = " ".join(demo.text.rpartition("The service and its tables are gone")[2].split())
    assert "To start a service that keeps its tables: make serve." in end
    assert "docs/tutorials/first-release.md" in end


def test_the_trial_is_answered_from_two_releases(demo: DemoRun) -> None:
    assert re.search(r"the vaccine works with probability (above )?0\.9", demo.text)
    assert sorted(demo.pictures) == [
        "admissions.svg",
        "blood-groups.svg",
        "placebo.svg",
        "statement.txt",
        "vaccinated.svg",
    ]
    assert all(picture.startswith("<svg") for name, picture in demo.pictures.items() if name.endswith(".svg"))


def test_the_admissions_are_asked_across_departments_and_within(demo: DemoRun) -> None:
    (across,) = re.findall(r"all together +0\.(\d\d) - 0\.(\d\d) +0\.54", demo.text)
    assert 30 < int(across[0]) < int(across[1]) < 80
    assert re.search(r"department A +\d\.\d\d - \d+\.\d\d +2\.86", demo.text)
    assert "share admitted, by department and sex" in demo.pictures["admissions.svg"]


def test_a_table_of_five_attributes_gives_its_pairs_beside_the_published_counts(demo: DemoRun) -> None:
    assert "480: 5 region × 2 sex × 4 age × 3 education × 4 vote" in demo.text
    (half_width,) = re.findall(r"each ± (\d+) \(published\)", demo.text)
    assert 20 < int(half_width) < 50
    (line,) = re.findall(r"post-secondary +(.*)", demo.text)
    cells = [(int(estimate), int(true)) for estimate, true in re.findall(r"(-?\d+) \((\d+)\)", line)]
    assert [true for _, true in cells] == [130, 224, 52, 32]
    # An estimate is 6 half widths off with probability 0.05^6 at most.
    assert all(abs(estimate - true) < 6 * int(half_width) for estimate, true in cells)


def test_a_refusal_and_a_free_retry_are_shown(demo: DemoRun) -> None:
    assert "409 /problems/budget-exhausted" in demo.text
    assert "byte for byte" in demo.text


def test_it_fits_a_terminal_and_is_plain_in_a_pipe(demo: DemoRun) -> None:
    assert max(map(len, demo.text.splitlines())) <= WIDTH
    assert "\x1b" not in demo.text


def test_it_leaves_nothing_behind(demo: DemoRun) -> None:
    assert demo.left == []


def test_the_counts_of_the_vaccine_trial_are_those_of_its_report() -> None:
    trial = published_table("polio_vaccine_trial_1954")
    assert {name: (sum(counts), counts[0]) for name, counts in trial.counts.items()} == {
        "Vaccinated": (200_745, 33),
        "Placebo": (201_229, 115),
    }


def test_the_blood_groups_sum_to_the_published_total() -> None:
    assert sum(published_table("blood_groups_1937").counts["Blood groups"]) == 1_029


def test_the_admissions_have_the_published_margins() -> None:
    table = published_table("berkeley_admissions_1973")
    assert [each["name"] for each in table.attributes] == ["department", "sex", "decision"]
    counts = np.array(table.counts["Admissions"]).reshape([len(each["levels"]) for each in table.attributes])
    assert counts.sum(axis=0).tolist() == [[1_198, 1_493], [557, 1_278]]


def test_the_voting_intentions_have_the_published_total_and_margins() -> None:
    table = published_table("chile_1988")
    counts = np.array(table.counts["Voting intentions"]).reshape([len(each["levels"]) for each in table.attributes])
    assert counts.sum() == 2_521
    assert counts.sum(axis=(0, 1, 2)).tolist() == [[422, 266, 295, 52], [311, 397, 237, 103], [130, 224, 52, 32]]


@pytest.mark.parametrize(
    "name", ["polio_vaccine_trial_1954", "blood_groups_1937", "berkeley_admissions_1973", "chile_1988"]
)
def test_every_table_names_its_sources_and_a_label_for_each_count(name: str) -> None:
    table = published_table(name)
    assert table.sources
    cells = len(table.labels) or math.prod(len(each["levels"]) for each in table.attributes)
    assert all(len(counts) == cells for counts in table.counts.values())
