"""Groups in a terminal: a comparison by stratum, a trial, and a plan for one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.client.people import someone
from tests.harness.bodies import registration, release_body

if TYPE_CHECKING:
    from pathlib import Path

    from tests.client.people import Person
    from tests.harness.server import Server

ATTRIBUTES = [
    {"name": "age", "levels": ["young", "old"]}, {"name": "arm", "levels": ["new", "usual"]},
    {"name": "outcome", "levels": ["ill", "well"]},
]  # fmt: skip
COUNTS = [3000, 97_000, 6000, 94_000, 9000, 21_000, 4000, 6000]
COMPARED = ("--where", "outcome=ill", "--given", "arm=new", "--than-given", "arm=usual")


@pytest.fixture
def asked(server: Server, tmp_path: Path) -> tuple[Person, str, str]:
    """An owner, a data set, and a release of counts so large that the noise hides nothing."""
    party = server.new("owner")
    made = party.post("/v1/datasets", registration(COUNTS, labels=None, attributes=ATTRIBUTES)).json()
    return (
        someone(tmp_path, server, party),
        made["name"],
        party.release(made["id"], release_body("0.4", 8)).json()["id"],
    )


def rows_of(shown: str) -> dict[str, list[str]]:
    """The columns of each row by its name."""
    return {name: rest.split() for name, rest in re.findall(r"^(\S.*?)  +(\S.*)$", shown, re.MULTILINE)}


def test_a_comparison_by_stratum_shows_each_the_whole_and_both_adjusted_ratios(asked: tuple[Person, str, str]) -> None:
    person, _, release = asked
    done = person.run("compare", release, *COMPARED, "--by", "age")
    rows = rows_of(done.stdout)
    expected = {
        "All": (12_000 / 130_000) / (10_000 / 110_000), "young": 0.5, "old": 0.75,
        "Mantel–Haenszel": 0.62, "Standardised": 0.61,
    }  # fmt: skip
    assert list(rows) == list(expected)
    for name, ratio in expected.items():
        median, low, high = map(float, rows[name][:3])
        assert low < median < high, name
        assert median == pytest.approx(ratio, rel=0.06), name
    assert done.stdout.startswith("ratio: outcome=ill among arm=new to outcome=ill among arm=usual\n")
    answer = person.answer("compare", release, *COMPARED, "--by", "age", "--contrast", "odds_ratio")["by"]
    assert answer["question"]["question"]["kind"] == "odds_ratio"


def test_a_share_by_attributes_has_a_row_for_each_combination(asked: tuple[Person, str, str]) -> None:
    person, _, release = asked
    rows = rows_of(person.run("posterior", release, "--where", "outcome=ill", "--by", "age", "--by", "arm").stdout)
    assert float(rows["young · new"][0]) == pytest.approx(0.03, rel=0.05)
    assert "--by needs --where" in person.refused("posterior", release, "--by", "age")
    assert "attribute" in person.refused("compare", release, *COMPARED, "--by", "region", code=3)


def test_a_trial_prints_the_figures_of_a_report(asked: tuple[Person, str, str]) -> None:
    person, _, release = asked
    trial = (
        "trial",
        release,
        "--outcome",
        "outcome=ill",
        "--first",
        "age=young,arm=new",
        "--second",
        "age=young,arm=usual",
    )
    shown = person.run(*trial, "--above", "efficacy=30 %").stdout
    rows = rows_of(shown)
    assert float(rows["Risk, age young and arm new"][0]) == pytest.approx(0.03, rel=0.05)
    assert float(rows["Risk ratio"][0]) == pytest.approx(0.5, rel=0.05)
    assert float(rows["Efficacy (1 − risk ratio)"][0]) == pytest.approx(0.5, abs=0.03)
    assert float(rows["Number needed to treat, for one fewer (NNTB)"][0]) == pytest.approx(33, abs=2)
    assert re.search(r"Log odds ratio \(SD 0\.0\d+\) ", shown)
    assert rows["Efficacy above 30 %"][:2] == ["P", ">"]
    assert "--above takes a measure and a value" in person.refused(*trial, "--above", "risk=1")


def test_a_trial_whose_groups_have_a_release_each_has_the_same_figures(
    asked: tuple[Person, str, str], server: Server
) -> None:
    person, _, _ = asked
    owner, releases = server.new("owner"), []
    for name, counts in (("Vaccine arm", (3000, 97_000)), ("Placebo arm", (6000, 94_000))):
        made = owner.post("/v1/datasets", registration(counts, name=name, labels=["ill", "well"])).json()
        releases.append(owner.release(made["id"], release_body("0.4")).json()["id"])
    person.key = owner.key
    trial = ("trial", *releases, "--outcome", "ill")
    done = person.run(*trial, "--above", "efficacy=30 %", "--prior", "0.5")
    rows = rows_of(done.stdout)
    assert float(rows["Risk, first group"][0]) == pytest.approx(0.03, rel=0.05)
    assert rows["first group"] == ["Vaccine", "arm"]
    assert float(rows["Risk ratio"][0]) == pytest.approx(0.5, rel=0.05)
    assert float(rows["Number needed to treat, for one fewer (NNTB)"][0]) == pytest.approx(33, abs=2)
    assert rows["Efficacy above 30 %"][:2] == ["P", ">"]
    assert "People: different." in done.stderr
    reversed_groups = person.run("trial", *reversed(releases), "--outcome", "ill")
    assert "Number needed to treat, for one more (NNTH)" in rows_of(reversed_groups.stdout)
    assert "the risk is higher in the first group. Put the treated group first." in reversed_groups.stderr
    assert person.answer(*trial)["trial"]["number_needed"]["direction"] == "fewer"
    assert "give two releases" in person.refused(*trial[:2], "--outcome", "ill")
    assert "--first and --second, or neither" in person.refused(*trial, "--first", "arm=new")


def test_a_plan_answers_the_question_that_will_be_asked(asked: tuple[Person, str, str]) -> None:
    """A ratio of two rare risks has a far wider interval than the largest category."""
    person, dataset, _ = asked
    plan = ("plan", "--dataset", dataset, "--epsilon", "0.5", "--about", "outcome=ill = 1 in 5 000")
    done = person.run(*plan, *COMPARED, "--contrast", "odds_ratio")
    wide, exact = (
        float(re.findall(rf"{row} +([\d.e]+) ", done.stdout)[0])
        for row in ("simplex_geometric +epsilon 0.5", "exact counts")
    )
    assert "upper/lower" in done.stdout
    assert "decides" in done.stdout
    assert wide > 1.5 * exact > 1.5
    assert "Figures in rows are of “Odds ratio of outcome ill: arm new against arm usual”, " in done.stderr
    assert re.search(r"the upper end is [\d.]+ times the lower one on average, where exact", done.stderr)
    assert "spread evenly" not in done.stderr
    assert "spread evenly: all categories are alike" in person.run("plan", "--dataset", dataset).stderr
    assert "need --where" in person.refused("plan", "--dataset", dataset, "--given", "arm=new")
    arms = ("--about", "outcome=ill given arm=new = 2 %", "--about", "outcome=ill given arm=usual = 5 %")
    powerful = person.run(*plan[:5], *arms, *COMPARED, "--target-power", "0.5").stderr
    assert "accepted for --target-power if it decides up to 2 points less often" in " ".join(powerful.split())


@pytest.mark.long
def test_a_plan_by_stratum_shows_where_the_interval_of_each_would_lie(asked: tuple[Person, str, str]) -> None:
    person, dataset, _ = asked
    sizes = ("--about", "outcome=ill given arm=new = 900 per 100 000", "--about", "age=old = 1 in 20")
    plan = ("plan", "--dataset", dataset, "--epsilon", "0.1", *sizes)
    rows = rows_of(person.run(*plan, *COMPARED, "--by", "age").stdout)
    assert rows["0.95 interval of"] == ["without", "noise", "simplex_geometric,", "epsilon", "0.1"]
    low, _, high, noisy_low, _, noisy_high = next(found for name, found in rows.items() if name.endswith(", old"))
    assert float(noisy_low) < float(low) < float(high) < float(noisy_high)
    assert sum(name.endswith((", young", ", old")) for name in rows) == 2
    assert "by need --where" in person.refused("plan", "--dataset", dataset, "--by", "age")


@pytest.mark.long
def test_a_plan_of_a_trial_shows_the_risks_and_their_contrasts(asked: tuple[Person, str, str]) -> None:
    person, dataset, _ = asked
    trial = ("--outcome", "outcome=ill", "--first", "arm=new", "--second", "arm=usual")
    plan = ("plan", "--dataset", dataset, "--epsilon", "0.1", "--about", "outcome=ill = 1 in 50")
    done = person.run(*plan, *trial)
    rows = rows_of(done.stdout)
    groups = "of outcome ill: arm new against arm usual"
    assert set(rows) > {f"{title} {groups}" for title in ("Risk difference", "Risk ratio", "Odds ratio")}
    low, _, high, *_ = rows["outcome ill, among arm new"]
    assert float(low) < 0.02 < float(high)
    assert "Figures in rows are of “Risk ratio of outcome ill: arm new against arm usual”, " in done.stderr
    assert "a trial needs" in person.refused(*plan, *trial[:4])
    assert "or --outcome" in person.refused(*plan, *trial, "--where", "outcome=ill")
