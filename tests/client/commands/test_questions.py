"""Questions about shares, within one release and between two, by the command line and by brute force."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import typer

from private_posterior.commands.cells import Names
from tests.client.people import someone
from tests.harness.bodies import registration, release_body

if TYPE_CHECKING:
    from pathlib import Path

    from private_posterior.models import Attribute
    from tests.client.people import Person
    from tests.harness.server import Server

ATTRIBUTES = [{"name": "arm", "levels": ["new", "old"]}, {"name": "outcome", "levels": ["ill", "well"]}]
COUNTS = [3000, 97_000, 6000, 94_000]


@pytest.fixture
def asked(server: Server, tmp_path: Path) -> tuple[Person, list[str]]:
    """An owner, and two releases of counts so large that the noise hides nothing."""
    party = server.new("owner")
    made = party.post("/v1/datasets", registration(COUNTS, labels=None, attributes=ATTRIBUTES)).json()
    ids = [party.release(made["id"], release_body("0.4", 4)).json()["id"] for _ in range(2)]
    return someone(tmp_path, server, party), ids


def rows_of(shown: str) -> dict[str, tuple[float | None, float, float]]:
    """Estimate, if there is one, and interval, by the name of their row."""
    found = re.findall(r"^(\S.*?)  +(?:([\d.e-]+) +)?([\d.e-]+) +([\d.e-]+)(?: +P.*)?$", shown, re.MULTILINE)
    return {name: (float(mean) if mean else None, float(low), float(high)) for name, mean, low, high in found}


def test_one_release_answers_difference_ratio_and_odds_ratio(asked: tuple[Person, list[str]]) -> None:
    person, ids = asked
    compare = ("compare", ids[0], "--where", "outcome=ill", "--given", "arm=new", "--than-given", "arm=old")
    done = person.run(*compare)
    shown = done.stdout
    rows = rows_of(shown)
    expected = {
        "outcome ill, among arm new": 0.03,
        "outcome ill, among arm old": 0.06,
        "Risk difference of outcome ill: arm new against arm old": -0.03,
        "Risk ratio of outcome ill: arm new against arm old": 0.5,
        "Odds ratio of outcome ill: arm new against arm old": (3 / 97) / (6 / 94),
    }
    assert list(rows) == list(expected)
    for name, (estimate, low, high) in rows.items():
        assert low < expected[name] < high, name
        assert estimate == pytest.approx(expected[name], rel=0.1)
    assert "Shares are posterior means, other figures medians." in done.stderr
    assert "P(above 0 %) < 0.001, simulated" in shown
    one = person.answer(*compare, "--contrast", "odds_ratio")["answers"]
    assert [each["question"]["kind"] for each in one] == ["share", "share", "odds_ratio"]


def test_two_releases_answer_the_same_and_say_whether_the_people_are_the_same(asked: tuple[Person, list[str]]) -> None:
    person, ids = asked
    done = person.run("compare", *ids, "--where", "outcome=ill", "--given", "arm=new", "--than-given", "arm=old")
    rows = rows_of(done.stdout)
    assert list(rows) == ["Risk difference", "Risk ratio", "Odds ratio"]
    assert rows["Risk ratio"][1] < 0.5 < rows["Risk ratio"][2]
    assert done.stdout.count("First share") == 2, "the share, and the probability that it is greater"
    assert "People: same." in done.stderr


def test_a_conditional_share_is_asked_of_a_posterior(asked: tuple[Person, list[str]]) -> None:
    person, ids = asked
    rows = rows_of(person.run("posterior", ids[0], "--where", "outcome=ill", "--given", "arm=old").stdout)
    [(name, (mean, low, high))] = rows.items()
    assert name == "outcome ill, among arm old"
    assert low < 0.06 < high
    assert mean == pytest.approx(0.06, rel=0.1)
    assert "--given needs --where" in person.refused("posterior", ids[0], "--given", "arm=old")


def test_the_probability_that_a_share_is_above_a_value_is_that_of_the_share_among_the_given_records(
    asked: tuple[Person, list[str]],
) -> None:
    """The share is 0.06 among arm=old, and 0.03 among all records."""
    person, ids = asked
    given = ("posterior", ids[0], "--given", "arm=old", "--above", "outcome=ill=0.05")
    said = re.compile(r"^outcome ill, among arm old .* P\(above 5 %\) > 0\.99", re.MULTILINE)
    assert said.search(person.run(*given).stdout)
    assert said.search(person.run(*given, "--where", "outcome=ill").stdout)
    by = person.run(*given[:2], *given[4:], "--where", "outcome=ill", "--by", "arm").stdout
    rows = {line.split()[0]: line for line in by.splitlines()}
    assert rows["new"].endswith(("P(above 5 %) < 0.001", "P(above 5 %) < 0.001, simulated"))
    assert rows["old"].endswith(("P(above 5 %) > 0.999", "P(above 5 %) > 0.999, simulated"))
    assert "takes the categories of --where" in person.refused(*given, "--where", "outcome=well", "--by", "arm")


def test_all_that_is_asked_with_these_records_is_about_them(asked: tuple[Person, list[str]]) -> None:
    person, ids = asked
    where, above = ("--where", "outcome=ill"), ("--above", "outcome=ill=0")
    for options in ((*where, *above), (*above, "--given", "arm=old"), above, where):
        answers = person.answer("posterior", ids[0], "--these-records", *options)["answers"]
        assert {each["question"]["about"] for each in answers} == {"records"}, options
    by = person.answer("posterior", ids[0], "--these-records", *where, *above, "--by", "arm")["by"]["question"]
    assert (by["question"]["about"], by["question"]["above"]) == ("records", 0.0)
    compare = ("compare", ids[0], *where, "--given", "arm=new", "--than-given", "arm=old", "--these-records")
    assert {each["question"]["about"] for each in person.answer(*compare)["answers"]} == {"records"}
    assert "--these-records needs --where" in person.refused("posterior", ids[0], "--these-records")
    certain = "P(above 0 %) is certain for people like these"
    assert certain in person.run("posterior", ids[0], *above).stderr
    assert certain not in person.run("posterior", ids[0], *above, "--these-records").stderr


def test_several_levels_of_an_attribute_are_named_with_or_without_its_name(asked: tuple[Person, list[str]]) -> None:
    person, ids = asked
    for cells in ("arm=new,old,outcome=ill", "arm=new,arm=old,outcome=ill", "outcome=ill,arm=new, old"):
        where = person.answer("posterior", ids[0], "--where", cells)["answers"][0]["question"]["of"]["where"]
        assert where == {"arm": ["new", "old"], "outcome": ["ill"]}, cells
    assert "“new” is not a category" in person.refused("posterior", ids[0], "--where", "new,outcome=ill")
    assert "“ill” is not a category" in person.refused("posterior", ids[0], "--where", "arm=new,ill")


def test_a_posterior_shows_what_was_asked_and_all_cells_only_if_nothing_was(asked: tuple[Person, list[str]]) -> None:
    person, ids = asked
    above = person.run("posterior", ids[0], "--above", "outcome=ill=0.01").stdout
    assert "P(above 1 %) > 0.99" in above
    assert "new · ill" not in above
    by = person.run("posterior", ids[0], "--where", "outcome=ill", "--by", "arm").stdout
    assert set(rows_of(by)) == {"All", "new", "old"}
    assert "new · ill" in person.run("posterior", ids[0]).stdout


@pytest.mark.parametrize("level", ["0.5", "0.9999999"])
def test_the_heading_of_an_interval_has_all_digits_of_its_level(asked: tuple[Person, list[str]], level: str) -> None:
    person, ids = asked
    heading = person.run("posterior", ids[0], "--where", "outcome=ill", "--level", level).stdout.splitlines()[0]
    assert heading.split() == ["estimate", level, "from", "to"]
    dataset = person.items("datasets", "list")[0]["name"]
    heading = person.run("release", dataset, "--epsilon", "0.1", "--level", level).stdout
    assert f"{level} from" in heading


def test_a_release_shows_noise_aware_figures_first_and_marks_the_naive_ones(asked: tuple[Person, list[str]]) -> None:
    person, _ = asked
    dataset = person.items("datasets", "list")[0]["name"]
    shown = person.run("release", dataset, "--epsilon", "0.1")
    (heading,) = [line for line in shown.stdout.splitlines() if line.startswith("category")]
    assert re.split("  +", heading) == ["category", "mean share", "0.95 from", "to", "noisy count", "naive share"]
    assert "The naive share treats the noisy count as the true one." in shown.stderr


def test_a_comparison_needs_something_to_compare_with(asked: tuple[Person, list[str]]) -> None:
    person, ids = asked
    assert "--than or --than-given" in person.refused("compare", ids[0], "--where", "outcome=ill")
    said = person.refused("compare", *ids, "--where", "outcome=il")
    assert "“outcome=il” is not a category of this data set. Did you mean “outcome=ill”?" in said
    assert "There are arm=new,old; outcome=ill,well" in said


def test_a_message_names_some_levels_and_the_number_of_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    sites: Attribute = {"name": "site", "levels": [f"S{number:02}" for number in range(1, 21)]}
    with pytest.raises(typer.Exit):
        Names(sites["levels"], [sites]).cells("site=booster")
    assert "There are site=S01,S02," in (said := capsys.readouterr().err)
    assert "S12 and 8 more" in said
    with pytest.raises(typer.Exit):
        Names(sites["levels"], []).cells("booster")
    assert "S12 and 8 more" in capsys.readouterr().err


def test_public_totals_of_groups_are_typed_beside_a_question(asked: tuple[Person, list[str]]) -> None:
    person, ids = asked
    known = ("--known", "arm=new=100000", "--known", "arm=old=100000")
    expected = [{"of": {"where": {"arm": [arm]}}, "count": 100_000} for arm in ("new", "old")]
    risk = ("posterior", ids[0], "--where", "outcome=ill", "--given", "arm=new")
    assert person.answer(*risk, *known)["known"] == expected
    trial = ("trial", ids[0], "--outcome", "outcome=ill", "--first", "arm=new", "--second", "arm=old")
    found = person.answer(*trial, "--these-records", *known)
    assert found["known"] == expected
    assert found["trial"]["ratio"]["median"] == pytest.approx(0.5, rel=0.02)
    compare = ("compare", ids[0], "--where", "outcome=ill", "--given", "arm=new", "--than-given", "arm=old")
    assert person.answer(*compare, "--contrast", "ratio", "--these-records", *known)["known"] == expected
    assert "The total 90000 of arm=new is so far" in person.run(*risk, "--known", "arm=new=90000").stderr
    assert "--known arm=new: it takes a group" in person.refused(*risk, "--known", "arm=new")
    assert "--known takes one release" in person.refused(*compare, ids[1], "--known", "arm=new=100000")
    assert "--known needs --first" in person.refused("trial", *ids, "--outcome", "outcome=ill", "--known", "arm=new=1")
    of_all = person.run("posterior", ids[0], "--where", "outcome=ill", *known, code=3).stderr
    assert "must lie within one group" in of_all
