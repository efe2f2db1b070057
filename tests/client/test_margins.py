"""Margins of a cross table in Python and in a terminal: quoted, bought once, and shown."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from private_posterior import Client
from tests.client.people import Person, someone
from tests.harness.bodies import registration, unique

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Server

ATTRIBUTES = [
    {"name": "age, in years", "levels": ["young", "old"]},
    {"name": "smoker", "levels": ["no", "yes"]},
    {"name": "ward", "levels": ["A", "B", "C"]},
]
COUNTS = [400, 300, 200, 150, 120, 90, 310, 280, 260, 80, 70, 60]


@pytest.fixture
def survey(server: Server, tmp_path: Path) -> tuple[Person, str]:
    """An owner at a terminal, and the name of a cross table."""
    owner, name = server.new("owner"), unique("Survey")
    made = owner.post("/v1/datasets", registration(COUNTS, labels=None, attributes=ATTRIBUTES, name=name))
    assert made.status_code == 201, made.text
    return someone(tmp_path, server, owner), name


def charges(person: Person) -> int:
    with Client.open(person.url, person.key) as client:
        return len([each for each in client.releases() if each["mechanism"]])


def test_margins_are_quoted_bought_and_read_in_python(survey: tuple[Person, str]) -> None:
    person, name = survey
    with Client.open(person.url, person.key) as client:
        data_set = client[name]
        quote = data_set.margins(2, epsilon="0.5", confidence=0.9, dry_run=True)
        assert [each["table"] for each in quote.rows()][2] == "smoker, ward"
        assert all(0 < each["half_width"] <= 1.01 * each["half_width_of_full_release"] for each in quote.rows())
        made = data_set.margins(2, epsilon="0.5", confidence=0.9)
        assert made["charged"] == quote["would_charge"]
        rows = made.rows()
        assert len(rows) == 4 + 6 + 6
        assert rows[0]["cell"] == "young · no"
        assert (rows[0]["age, in years"], rows[0]["smoker"], rows[0]["confidence"]) == ("young", "no", 0.9)
        assert rows[0]["high"] - rows[0]["estimate"] == pytest.approx(quote.rows()[0]["half_width"])
        margin = next(each for each in made.measured if "smoker" in each)
        posterior = made.posterior(
            margin, questions={"smokers": {"kind": "share", "of": {"where": {"smoker": ["yes"]}}}}
        )
        assert posterior.rows()[0]["name"] == "smokers"
        assert 0.2 < posterior.rows()[0]["mean"] < 0.3  # 570 of 2 320
        assert "smoker" in made._repr_html_()
        assert made["id"] in made.remark()


def test_tables_of_blocks_have_a_width_for_all_counts_at_once(survey: tuple[Person, str]) -> None:
    person, name = survey
    wanted = ("margins", name, "--all", "1", "--epsilon", "0.5", "--noise", "blocks")
    with Client.open(person.url, person.key) as client:
        data_set = client[name]
        quote = data_set.margins(1, epsilon="0.5", noise="blocks", dry_run=True)
        assert "half width, all at once" in quote.table().headings
        assert "half width, all at once" not in data_set.margins(1, epsilon="0.5", dry_run=True).table().headings
        quoted = person.run(*wanted, "--dry-run").stdout
        assert "all of a block at once, 0.95" in quoted
        made = data_set.margins(1, epsilon="0.5", noise="blocks")
        (width,) = {each["simultaneous_half_width"] for each in [*quote.rows(), *made.rows()]}
        assert all(width > each["half_width"] for each in quote.rows())
        assert f"all counts of its block at once ± {width:g}, with probability 0.95" in person.run(*wanted).stdout


def test_the_same_margins_are_free_however_they_are_written_and_wherever_they_were_bought(
    survey: tuple[Person, str],
) -> None:
    person, name = survey
    with Client.open(person.url, person.key) as client:
        data_set = client[name]
        first = data_set.margins(2, epsilon="0.25")
        assert data_set.margins(2, epsilon=0.250)["id"] == first["id"]
        assert data_set.margins(margins=[["age, in years", "smoker"]], epsilon="0.1")["id"] != first["id"]
        # As the console does: under a key of its own.
        bought = client.create_release(
            data_set.id,
            {"kind": "margins", "all": 1, "epsilon": "0.125", "confidence": 0.95},
            "by-a-page-of-the-console",
        )
        again = data_set.margins(1, epsilon="0.125")
        assert (again["id"], again.replayed) == (bought["id"], True)
        other_order = [["smoker", "age, in years"]]
        assert data_set.margins(margins=other_order, epsilon="0.1", max_charge="0.1").replayed
        assert charges(person) == 3
        assert data_set.margins(1, epsilon="0.125", again=True)["id"] != bought["id"]


def test_tables_are_combined_from_all_margins_free(survey: tuple[Person, str]) -> None:
    person, name = survey
    with Client.open(person.url, person.key) as client:
        data_set = client[name]
        used = [data_set.margins(2, epsilon=each)["id"] for each in ("0.4", "0.5")]
        found = data_set.estimate(margins=2, constraints=True)
        assert found["used"] == used
        assert len(found.rows()) == 16
        assert min(min(each["counts"]) for each in found["constrained"]) >= 0


@pytest.mark.long
def test_a_table_of_margins_is_a_data_frame(survey: tuple[Person, str]) -> None:
    """pandas comes with `make generators`."""
    person, name = survey
    with Client.open(person.url, person.key) as client:
        made = client[name].margins(2, epsilon="1")
        frame = made.frame("ward", "smoker")
        assert (list(frame.index), list(frame.columns)) == (["A", "B", "C"], ["no", "yes"])
        assert frame.loc["A", "yes"] == pytest.approx(150 + 80, abs=90)
        assert len(made.to_frame()) == 16
        with pytest.raises(KeyError, match="no table of ward"):
            made.frame("ward")


def test_the_command_quotes_buys_once_and_shows_tables(survey: tuple[Person, str], tmp_path: Path) -> None:
    person, name = survey
    wanted = ("margins", name, "--all", "2", "--epsilon", "0.5")
    quoted = person.run(*wanted, "--dry-run").stdout
    assert "would charge" in quoted
    assert re.search(r"^smoker, ward +6 +[\d.]+ +[\d.]+$", quoted, re.MULTILINE), quoted
    assert charges(person) == 0
    full = json.loads(person.run(*wanted, "--dry-run", "--json").stdout)["full_release"]
    assert full["is_nearly_as_precise"] is True
    assert quoted.startswith("better          one full release for the same charge.")
    narrow = person.run("margins", name, "--margin", "smoker", "--epsilon", "0.5", "--dry-run").stdout
    assert narrow.startswith("would charge")
    output = tmp_path / "tables.json"
    shown = person.run(*wanted, "--output", str(output))
    made = json.loads(output.read_text())
    assert re.search(r"^smoker, ward: each ± [\d.]+ with probability 0\.95$", shown.stdout, re.MULTILINE), shown.stdout
    again = person.run(*wanted, "--confidence", "0.8")
    assert "with probability 0.95" in again.stdout
    assert "The release that was paid for states intervals at 0.95." in again.stderr
    line = re.findall(r"^smoker +A +B +C\nno +(.*)$", shown.stdout, re.MULTILINE)[0]
    estimates = [float(each.replace(",", "")) for each in line.split()]
    assert estimates == pytest.approx(made["tables"][2]["estimates"][:3], abs=0.06)
    assert "Each has a posterior of its own" in shown.stderr
    again = person.run(*wanted)
    assert made["id"] in again.stdout
    assert "nothing now" in again.stdout
    assert "nothing: the same request paid" in person.run(*wanted, "--dry-run").stdout
    assert made["id"] in person.run(*wanted, "--max-charge", "0.5").stdout
    assert charges(person) == 1
    free = person.run("margins", name, "--margin", "smoker", "--margin", '"age, in years",ward')
    assert "smoker: each" in free.stdout
    assert made["id"] in free.stderr


def test_the_command_shows_the_posterior_of_a_measured_margin(survey: tuple[Person, str]) -> None:
    person, name = survey
    made = person.answer("margins", name, "--margin", "smoker,ward", "--half-width", "10", "--max-charge", "1")
    [measured] = [each["attributes"] for each in made["measured"]]
    assert measured == ["smoker", "ward"]
    shown = person.run("posterior", made["id"], "--margin", "ward,smoker", "--where", "smoker=yes", "--by", "ward")
    # 230 of 940 are smokers. The noise would have to move that by 150 records, 40 times its scale.
    assert re.search(r"^A +0\.[123]", shown.stdout, re.MULTILINE), shown.stdout
    refused = person.refused("posterior", made["id"], "--margin", "ward")
    assert "the release measured smoker,ward" in refused
    trial = ("trial", "--first", "ward=A", "--second", "ward=B", "--outcome")
    for command in (("posterior", "--where"), ("compare", "--than", "smoker=no", "--where"), trial):
        refused = person.refused(command[0], made["id"], *command[1:], "smoker=yes")
        assert "Add --margin smoker,ward" in refused


def test_trials_and_comparisons_take_a_measured_margin(survey: tuple[Person, str]) -> None:
    person, name = survey
    made = person.answer("margins", name, "--margin", "smoker,ward", "--epsilon", "0.3")
    margin, smokers = ["smoker", "ward"], {"where": {"smoker": ["yes"]}}
    first, second = {"where": {"ward": ["A"]}}, {"where": {"ward": ["B"]}}
    groups, of = ("--first", "ward=A", "--second", "ward=B"), ("--margin", "ward,smoker")
    asked = {"outcome": smokers, "first": first, "second": second}
    trial = person.answer("trial", made["id"], *groups, "--outcome", "smoker=yes", *of)
    with Client.open(person.url, person.key) as client:
        assert trial == client.posterior(made["id"], trial=asked, margin=margin)
    two = ("--where", "smoker=yes", "--given", "ward=A", "--than-given", "ward=B", *of)
    within = person.answer("compare", made["id"], *two, "--contrast", "ratio")
    assert within["answers"][2]["median"] == trial["trial"]["ratio"]["median"]
    other = person.answer("margins", name, "--margin", "smoker,ward", "--epsilon", "0.3", "--again")["id"]
    assert "First share greater" in person.run("compare", made["id"], other, *two).stdout
    assert (
        "ward=A"
        in person.run("compare", made["id"], "--where", "ward=A", "--than", "ward=B", "--by", "smoker", *of).stdout
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--epsilon", "1"), "name the tables"),
        (("--all", "2", "--margin", "smoker"), "name the tables"),
        (("--all", "2", "--epsilon", "1", "--half-width", "3"), "give one of"),
        (("--all", "2", "--dry-run"), "give --epsilon"),
        (("--margin", 'smoker,"ward', "--epsilon", "1"), "double quotes"),
    ],
)
def test_the_command_refuses_what_it_could_not_ask(
    survey: tuple[Person, str], arguments: tuple[Any, ...], said: str
) -> None:
    person, name = survey
    assert said in person.refused("margins", name, *arguments)


def test_a_ledger_that_charged_for_margins_is_verified_with_its_releases(survey: tuple[Person, str]) -> None:
    person, name = survey
    with Client.open(person.url, person.key) as client:
        made = client[name].margins(1, epsilon="0.1")
        assert json.loads(client.release_text(made["id"])) == made
    assert "intact" in person.run("verify", made["budget_id"], "--releases").stdout
