"""A release's page says what was measured, under which prior, and at which level; and its owner can make it public."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from service.console.code_examples import code_of
from service.console.prior_and_level import Conditions
from service.console.releases import defused
from tests.harness.bodies import budget_body, registration, unique
from tests.harness.browser import Browser, Page, fields_of
from tests.harness.server import Server
from tests.service.console.conftest import browser_of
from tests.service.console.test_analyst import embedded_pictures
from tests.service.runtime.test_jobs import NOBODY_WAITS

if TYPE_CHECKING:
    from collections.abc import Sequence

RARE = [4, 2486, 20, 2490]
"""Ill and well people, vaccinated and not: no share of the ill reaches 1 %."""


class Trial:
    """A cross table of a rare disease with one release, which the analyst paid for."""

    def __init__(self, server: Server, counts: Sequence[int] = RARE, levels: Sequence[str] = ("yes", "no")) -> None:
        self.owner, self.analyst = server.new("owner"), server.new("analyst")
        attributes = [{"name": "vaccine", "levels": list(levels)}, {"name": "ill", "levels": ["yes", "no"]}]
        budget = {"kind": "new", "budget": budget_body(epsilon="2")}
        body = registration(list(counts), name=unique("Trial"), attributes=attributes, budget=budget)
        del body["labels"]
        made = self.owner.post("/v1/datasets", body)
        assert made.status_code == 201, made.text
        self.data: dict[str, Any] = made.json()
        grant = {"principal_id": self.analyst.principal_id, "epsilon": "1", "delta": "0"}
        assert self.owner.post(f"/v1/datasets/{self.data['id']}/grants", grant).status_code == 201
        asked = {"prior": [1] * len(counts), "mechanism": {"kind": "simplex_geometric", "epsilon": "0.8"}}
        released = self.analyst.release(self.data["id"], asked)
        assert released.status_code == 201, released.text
        self.release: dict[str, Any] = released.json()
        self.path = f"/console/releases/{self.release['id']}"

    def posterior(self, **body: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.analyst.post(f"/v1/releases/{self.release['id']}/posterior", body).json()
        return found


@pytest.fixture(scope="module")
def trial(sqlite_server: Server) -> Trial:
    return Trial(sqlite_server)


RATIO = (
    '{"kind":"ratio","first":{"where":{"ill":["yes"]},"given":{"vaccine":["yes"]}},'
    '"second":{"where":{"ill":["yes"]},"given":{"vaccine":["no"]}}}'
)
RISKS = [f'{{"kind":"share","where":{{"ill":["yes"]}},"given":{{"vaccine":["{level}"]}}}}' for level in ("yes", "no")]


def table(page: Page, number: int = 0) -> list[list[str]]:
    rows = page.root.all("table")[number].all("tbody")[0].all("tr")
    return [[re.sub(r"[ \n]+", " ", cell.text).strip(" ") for cell in row.all("th", "td")] for row in rows]


def picture_file(browser: Browser, page: Page) -> str:
    """The picture of the answers, as a file."""
    return browser.http.get(next(each for each in page.links if "/picture.svg" in each and "q=" in each)).text


def plain(text: str) -> float:
    return float(text.replace("\u202f", "").replace("\u2212", "-"))


def test_the_table_and_the_file_have_what_the_mechanism_put_out(sqlite_server: Server) -> None:
    levels = [f"group {number}" for number in range(20)]
    trial = Trial(sqlite_server, [0] * 20 + [100] * 20, levels)
    browser = browser_of(trial.analyst)
    noisy = trial.release["posterior"]["noisy_counts"]
    assert min(noisy) < 0
    assert [plain(row[4]) for row in table(browser.get(trial.path))] == noisy
    file = list(csv.DictReader(io.StringIO(browser.http.get(f"{trial.path}/shares.csv").text)))
    assert [int(row["noisy_count"]) for row in file] == noisy
    assert [(row["vaccine"], row["ill"]) for row in file] == list(product(levels, ["yes", "no"]))
    assert {(row["release_id"], row["mechanism"], row["epsilon"]) for row in file} == {
        (trial.release["id"], "simplex_geometric", trial.release["certified"]["epsilon"])
    }


@pytest.mark.parametrize(("typed", "prior"), [("0.25", [0.25] * 4), ("1 2 0.5 3", [1.0, 2.0, 0.5, 3.0])])
def test_the_prior_and_the_level_of_the_address_reach_table_answers_files_pictures_and_code(
    trial: Trial, typed: str, prior: list[float]
) -> None:
    browser = browser_of(trial.analyst)
    typed_fields = {"prior": typed, "level": "80"}
    first = browser.get(trial.path)
    form = next(each for each in first.forms if "prior" in dict(fields_of(each)) and "ask" not in dict(fields_of(each)))
    assert dict(fields_of(form)) == {"prior": "1", "level": "95"}
    page = browser.get(f"{trial.path}?{urlencode([('q', RATIO), *typed_fields.items()])}")
    assert page.status == 200, page.text
    found = trial.posterior(prior=prior, level=0.8, quantiles=[0.5], events=[json.loads(RATIO)])
    event = found["events"][0]
    file = list(
        csv.DictReader(io.StringIO(browser.http.get(f"{trial.path}/shares.csv?{urlencode(typed_fields)}").text))
    )
    assert [float(row["share"]) for row in file] == pytest.approx(
        [each["mean"] for each in found["categories"]], rel=1e-5
    )
    assert [(float(row["prior"]), float(row["level"])) for row in file] == [(each, 0.8) for each in prior]
    answers = browser.http.get(f"{trial.path}/answers.csv?{urlencode([('q', RATIO), *typed_fields.items()])}").text
    row = next(csv.DictReader(io.StringIO(answers)))
    assert [float(row[name]) for name in ("estimate", "low", "high", "probability_above")] == pytest.approx(
        [
            event["quantiles"][0]["value"],
            event["interval"]["low"],
            event["interval"]["high"],
            event["above"]["probability"],
        ],
        rel=1e-5,
    )
    shown = table(page, 1)[0]
    assert plain(shown[1]) == pytest.approx(event["quantiles"][0]["value"], rel=0.01)
    said = "0.25 in each category" if typed == "0.25" else "1; 2; 0.5; 3"
    for number in (0, 1):
        caption = page.root.all("caption")[number].text
        assert f"with probability 80 %, given this release and the prior ({said})" in caption
    for picture in (browser.http.get(page.link("Download the picture")).text, picture_file(browser, page)):
        assert f"prior: {said}" in picture
        assert "80 % credible interval" in picture
    estimate = f"{shown[1]} ({shown[2]} to {shown[3]})"
    assert all(estimate in picture for picture in (embedded_pictures(page)[1], picture_file(browser, page)))
    for code in (each.text for each in page.root.all("code") if each.parent and each.parent.name == "pre"):
        assert re.sub(r"\s", "", str(prior)) in re.sub(r"\s", "", code)
        assert "0.8" in code
    # What is asked next is asked under the same prior and level.
    asking = next(each for each in page.forms if "ask" in dict(fields_of(each)))
    assert typed_fields.items() <= dict(fields_of(asking)).items()


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"prior": "one"}, "prior", "Type one number"),
        ({"prior": "nan"}, "prior", "Type one number"),
        ({"prior": "1 2 3"}, "prior", "These are 3"),
        ({"prior": "0,25"}, "prior", "can mean 0.25, or 0 and 25"),
        ({"prior": "-1"}, "prior", "at least 0.001"),
        ({"level": "100"}, "level", "between 0 and 100"),
        ({"level": "x"}, "level", "percentage"),
        ({"level": "nan"}, "level", "percentage"),
    ],
)
def test_a_prior_or_a_level_that_is_none_is_refused_at_its_field(
    trial: Trial, typed: dict[str, str], field: str, sentence: str
) -> None:
    browser = browser_of(trial.analyst)
    page = browser.get(f"{trial.path}?{urlencode([('q', RATIO), *typed.items()])}")
    assert page.status == 422
    assert sentence in page.error_at(field)
    assert page.error_at(field).count("at least") <= 1
    assert page.by_id(field).get("value") == typed[field]
    assert "Nothing was changed" not in page.text
    assert len(table(page)) == 4  # under the release's own prior
    if typed.get("prior") != "-1":
        assert browser.http.get(f"{trial.path}/shares.csv?{urlencode(typed)}").status_code == 404


def test_risks_that_are_compared_are_in_one_unit_on_the_page_and_in_the_picture(trial: Trial) -> None:
    browser = browser_of(trial.analyst)
    difference = RATIO.replace('"ratio"', '"difference"')
    page = browser.get(f"{trial.path}?{urlencode([('q', each) for each in (*RISKS, difference)])}")
    rows = table(page, 1)
    assert all("per 100\u202f000" in cell for row in rows for cell in row[1:4])
    forest = embedded_pictures(page)[1]
    assert "points" not in forest
    for row in rows:
        estimate, low, high = (cell.removesuffix(" per 100\u202f000") for cell in row[1:4])
        assert f"{estimate} ({low} to {high}) per 100\u202f000" in forest  # the same digits
    assert "Share (per 100 000)" in page.text
    assert not any("%" in cell for row in table(page) for cell in row)


def test_the_fields_terms_are_used_and_probabilities_stand_for_both_sides(sqlite_server: Server) -> None:
    trial = Trial(sqlite_server, [1000] * 4)  # equal risks, so that neither side is nearly sure whatever the noise
    browser = browser_of(trial.analyst)
    page = browser.get(f"{trial.path}?{urlencode([('q', RISKS[0]), ('q', RATIO)])}")
    assert "Risk: ill yes, among vaccine yes" in page.text
    assert "Risk ratio of ill yes: vaccine yes against vaccine no" in page.text
    below, above = map(float, re.findall(r"below 1 with probability ([\d.]+), above it with ([\d.]+)", page.text)[0])
    assert below + above == pytest.approx(1.0, abs=0.002)
    forest = embedded_pictures(page)[1]
    assert "risk ratio: vaccine yes against vaccine no, ill yes" in forest


@pytest.mark.parametrize("missing", ["first_0", "second_0"])
def test_a_group_is_not_compared_with_all_records_unasked(trial: Trial, missing: str) -> None:
    fields = {"ask": "yes", "kind": "odds_ratio", "outcome_1": "yes", "first_0": "yes", "second_0": "no"}
    del fields[missing]
    page = browser_of(trial.analyst).get(f"{trial.path}?{urlencode(fields)}")
    assert page.status == 422
    assert page.error_at(missing)
    assert "Nothing was changed" not in page.text


def test_no_probability_is_0_or_1_on_the_page_or_in_the_file(sqlite_server: Server) -> None:
    trial = Trial(sqlite_server, [0, 2500, 1000, 1500])
    browser = browser_of(trial.analyst)
    turned = json.dumps({"kind": "ratio", "first": json.loads(RATIO)["second"], "second": json.loads(RATIO)["first"]})
    asked = urlencode([("q", RATIO), ("q", turned), ("prior", "0.002")])
    page = browser.get(f"{trial.path}?{asked}")
    said = [row[4] for row in table(page, 1)]
    assert said == [f"{side} 1 with probability above 0.999, simulated" for side in ("below", "above")]
    rows = csv.DictReader(io.StringIO(browser.http.get(f"{trial.path}/answers.csv?{asked}").text))
    below, above = ((float(row["probability_above"]), float(row["probability_error"]), row["method"]) for row in rows)
    assert 0 < below[0] < 0.001
    assert 0.999 < above[0] < 1
    assert all(0 <= error < 0.001 and method in {"exact", "simulation"} for _, error, method in (below, above))
    # Nobody ill is vaccinated: the data leave 0 open.
    assert page.text.count("only the prior sets that end") == 2
    assert (
        "only the prior sets that end"
        not in browser.get(f"{trial.path}?{urlencode([('q', RATIO), ('prior', '50')])}").text
    )


@pytest.mark.parametrize(("prior", "said"), [("1", "Beta(1, 1)"), ("1 2 0.5 3", "Beta(1, 2) and Beta(0.5, 3)")])
def test_the_prior_of_each_share_stands_beside_the_answer(trial: Trial, prior: str, said: str) -> None:
    browser = browser_of(trial.analyst)
    page = browser.get(f"{trial.path}?{urlencode([('q', RATIO), ('prior', prior)])}")
    assert table(page, 1)[0][5].replace("\u00a0", " ") == said
    assert f"It counts as {'4' if prior == '1' else '6.5'} made-up records" in page.text


def test_the_boxes_have_what_was_used(trial: Trial) -> None:
    page = browser_of(trial.analyst).get(f"{trial.path}?{urlencode({'prior': ' 0.5 ', 'level': '0.9'})}")
    assert (page.by_id("prior").get("value"), page.by_id("level").get("value")) == ("0.5", "90")


def test_an_answer_is_removed_by_one_link(trial: Trial) -> None:
    browser = browser_of(trial.analyst)
    page = browser.get(f"{trial.path}?{urlencode([('q', RISKS[0]), ('q', RATIO), ('prior', '0.5')])}")
    removed = browser.get(page.link("remove"))
    assert [row[0] for row in table(removed, 1)] == [table(page, 1)[1][0]]
    assert "0.5 in each category" in removed.text


def test_an_address_can_not_put_figures_or_sentences_on_a_page(trial: Trial) -> None:
    browser = browser_of(trial.analyst)
    made_up = '{"kind":"share","where":{"Everybody here is ill":["for sure"]}}'
    forged = browser.get(f"{trial.path}?{urlencode([('removed', made_up), ('v', '0.97~0.95~0.99')])}")
    assert "Everybody" not in forged.text
    asked = f"{trial.path}?{urlencode([('q', RATIO), ('v', '0.97~0.95~0.99')])}"
    assert embedded_pictures(browser.get(asked)) == embedded_pictures(browser.get(asked.partition("&v")[0]))
    for picture in ("forest.svg", "plan.svg"):
        assert browser.http.get(f"{trial.path}/{picture}?{urlencode({'q': RATIO, 'v': '1~1~1'})}").status_code == 404


def test_code_prints_names_the_estimates_of_the_page_and_probabilities(trial: Trial) -> None:
    from tests.service.console.test_analyst import _run

    page = browser_of(trial.analyst).get(f"{trial.path}?{urlencode([('q', RISKS[0]), ('q', RATIO)])}")
    python, r, curl = (each.text for each in page.root.all("code") if each.parent and each.parent.name == "pre")
    printed = _run(["python", "-c", python], trial.analyst)
    for row in table(page, 1):
        line = next(line for line in printed.splitlines() if line.startswith(row[0]))
        values = [float(word) for word in line.removeprefix(row[0]).split()]
        shown = [plain(cell.removesuffix(" per 100\u202f000")) for cell in row[1:4]]
        factor = 100_000 if "per" in row[1] else 1
        assert [factor * each for each in values] == pytest.approx(shown, rel=0.02, abs=0.51), row
        assert row[0] in r
    assert "above 1.0 with probability" in printed
    assert "$above$probability" in r
    assert trial.release["id"] in curl


def test_code_waits_for_a_posterior_that_takes_longer_than_a_request(
    sqlite_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.service.console.test_analyst import _run

    monkeypatch.setattr(*NOBODY_WAITS)
    groups = ["group 0", "group 1", "group 2"]
    trial = Trial(sqlite_server, [300] * 6, groups)
    ratios = [
        {
            "kind": "odds_ratio",
            "first": {"where": {"ill": ["yes"]}, "given": {"vaccine": [first]}},
            "second": {"where": {"ill": ["yes"]}, "given": {"vaccine": [second]}},
        }
        for first, second in pairwise(groups)
    ]
    codes = code_of(sqlite_server.url, f"/v1/releases/{trial.release['id']}", Conditions([1.0] * 6, 0.9), ratios)
    printed = _run(["python", "-c", codes[0][1]], trial.analyst).splitlines()
    payer = trial.analyst.principal_id
    jobs = sqlite_server.rows("SELECT state FROM jobs WHERE principal_id = :payer", payer=payer)
    assert [each.state for each in jobs] == ["ready"]
    assert sum("group 0" in line for line in printed) == 3  # two categories and a ratio
    assert sum(line.startswith("Odds ratio") for line in printed) == 2


def test_an_owner_makes_a_release_public_and_ends_that(trial: Trial, sqlite_server: Server) -> None:
    owner, nobody = browser_of(trial.owner), Browser(sqlite_server.url)
    public = f"{sqlite_server.url}/console/public/releases/{trial.release['id']}"
    assert "The owner can make this release public" in browser_of(trial.analyst).get(trial.path).text
    data = owner.get(f"/console/data/{trial.data['id']}")
    assert any(trial.path in each for each in data.links)
    page = owner.get(trial.path)
    assert "anyone can, without a key" in page.text
    assert public in page.text
    assert nobody.get(public).status == 404
    for where in (page, data):
        made = owner.send(where, f"/releases/{trial.release['id']}/public", button="public")
        assert made.path == trial.path
        assert public in made.links
        assert nobody.get(public).status == 200
        assert "The owner made this release public" in browser_of(trial.analyst).get(trial.path).text
        ended = owner.send(made, "/public", button="public")
        assert "make it public" in ended.text.lower()
        assert nobody.get(public).status == 404


def test_only_the_owner_makes_a_release_public(trial: Trial, sqlite_server: Server) -> None:
    for party in (trial.analyst, sqlite_server.new("owner"), sqlite_server.admin):
        browser: Browser = browser_of(party)
        fields = [("form_token", browser.get("/console/keys").value("form_token")), ("public", "yes")]
        assert browser.post(f"{trial.path}/public", fields).status in {403, 404}
    assert Browser(sqlite_server.url).get(trial.path.replace("/releases/", "/public/releases/")).status == 404


def test_no_part_of_a_label_is_a_formula_to_a_spreadsheet() -> None:
    plain = {
        "=1+1": "'=1+1", "a;=1+1;b": "a;'=1+1;b", "a, @SUM(A1)": "a, '@SUM(A1)", "\uff1d1+1": "'\uff1d1+1",
        "x\t-2": "x\t'-2", 'a;"=1"': 'a;"\'=1"', "18-24": "18-24", "a=b": "a=b", "10+; 20+": "10+; 20+",
    }  # fmt: skip
    assert {label: defused(label) for label in plain} == plain
