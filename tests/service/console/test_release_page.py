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

from service.console.code_examples import Figure, code_of
from service.console.downloads import defused
from service.console.prior_and_level import Conditions
from tests.harness.bodies import budget_body, of_releases, registration, share, unique
from tests.harness.browser import Browser, Page, fields_of
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.server import Server
from tests.service.console.conftest import browser_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

RARE = [4, 2486, 20, 2490]
"""Ill and well people, vaccinated and not: no share of the ill reaches 1 %."""


class Trial:
    """A cross table of a rare disease with one release, which the analyst paid for."""

    def __init__(
        self,
        server: Server,
        counts: Sequence[int] = RARE,
        levels: Sequence[str] = ("yes", "no"),
        attributes: Sequence[dict[str, Any]] = (),
    ) -> None:
        self.owner, self.analyst = server.new("owner"), server.new("analyst")
        attributes = attributes or [
            {"name": "vaccine", "levels": list(levels)},
            {"name": "ill", "levels": ["yes", "no"]},
        ]
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
        found: dict[str, Any] = self.analyst.post("/v1/posteriors", of_releases(self.release["id"]) | body).json()
        return found


@pytest.fixture(scope="module")
def trial(sqlite_server: Server) -> Trial:
    return Trial(sqlite_server)


ILL = {"outcome_1": "yes"}
RATIO = {"kind": "ratio", **ILL, "first_0": "yes", "second_0": "no"}
RISK = {"kind": "share", **ILL, "first_0": "yes"}
EVENT = {
    "kind": "ratio",
    "first": share(ill=["yes"], within={"vaccine": ["yes"]}),
    "second": share(ill=["yes"], within={"vaccine": ["no"]}),
}


def table(page: Page, number: int = 0) -> list[list[str]]:
    rows = page.root.all("table")[number].all("tbody")[0].all("tr")
    return [[re.sub(r"[ \n]+", " ", cell.text).strip(" ") for cell in row.all("th", "td")] for row in rows]


def asked(browser: Browser, trial: Trial, **fields: str) -> Page:
    page = browser.get(f"{trial.path}?{urlencode(fields)}")
    assert page.status == 200, page.text
    return page


def file_of(browser: Browser, page: Page, name: str) -> str:
    """A file of the page, from its menu."""
    answer = browser.http.get(next(each for each in page.links if f"/{name}" in each))
    assert answer.status_code == 200, answer.text
    return answer.text


def plain(text: str) -> float:
    return float(text.replace("\u202f", "").replace("\u2212", "-"))


def test_the_table_and_the_file_have_what_the_mechanism_put_out(sqlite_server: Server) -> None:
    levels = [f"group {number}" for number in range(50)]
    trial = Trial(sqlite_server, [0] * 50 + [100] * 50, levels)  # noise leaves none of 50 negative once in 10^11 runs
    browser = browser_of(trial.analyst)
    noisy = trial.release["posterior"]["noisy_counts"]
    assert min(noisy) < 0
    page = browser.get(f"{trial.path}?all=yes&sort=table")
    assert [plain(row[3]) for row in table(page)] == noisy
    file = list(csv.DictReader(io.StringIO(browser.http.get(f"{trial.path}/shares.csv").text)))
    assert [int(row["noisy_count"]) for row in file] == noisy
    assert [(row["vaccine"], row["ill"]) for row in file] == list(product(levels, ["yes", "no"]))
    assert {(row["release_id"], row["mechanism"], row["epsilon"]) for row in file} == {
        (trial.release["id"], "simplex_geometric", trial.release["certified"]["epsilon"])
    }


def test_a_table_of_one_column_offers_no_groups_and_names_the_command_for_two_data_sets(sqlite_server: Server) -> None:
    trial = Trial(sqlite_server, [40, 460], attributes=[{"name": "ill", "levels": ["yes", "no"]}])
    browser = browser_of(trial.analyst)
    page = browser.get(trial.path)
    assert [each.get("value") for each in page.by_id("kind").all("option")] == ["share"]
    assert "posterior trial rel_… rel_…" in page.text
    refused = browser.get(f"{trial.path}?kind=odds_ratio&outcome_0=yes")
    assert "Groups need a column of their own" in refused.text


@pytest.mark.every(2)
@pytest.mark.parametrize(("typed", "prior"), [("0.25", [0.25] * 4), ("1 2 0.5 3", [1.0, 2.0, 0.5, 3.0])])
def test_the_prior_and_the_level_of_the_address_reach_table_answers_files_pictures_and_code(
    trial: Trial, typed: str, prior: list[float]
) -> None:
    browser = browser_of(trial.analyst)
    typed_fields = {"prior": typed, "level": "80"}
    form = next(each for each in browser.get(trial.path).forms if "prior" in dict(fields_of(each)))
    assert {"prior": "", "level": "95"}.items() <= dict(fields_of(form)).items()
    page = asked(browser, trial, **RATIO, **typed_fields)
    found = trial.posterior(prior=prior, level=0.8, questions=[EVENT])
    event = found["answers"][0]
    file = list(csv.DictReader(io.StringIO(file_of(browser, page, "shares.csv"))))
    assert [float(row["share"]) for row in file] == pytest.approx(
        [each["mean"] for each in found["categories"]], rel=1e-5
    )
    assert [(float(row["prior"]), float(row["level"])) for row in file] == [(each, 0.8) for each in prior]
    row = next(csv.DictReader(io.StringIO(file_of(browser, page, "answers.csv"))))
    assert [float(row[name]) for name in ("estimate", "low", "high", "probability_above")] == pytest.approx(
        [
            event["median"],
            event["interval"]["low"],
            event["interval"]["high"],
            event["above"]["probability"],
        ],
        rel=1e-5,
    )
    shown = table(page)[0]
    assert plain(shown[1]) == pytest.approx(event["median"], rel=0.01)
    said = "0.25 in each category" if typed == "0.25" else "1; 2; 0.5; 3"
    assert f"with probability 80 %, given this release and the prior ({said})" in page.text
    assert f"80 % intervals, given this release and the prior ({said})" in page.root.all("caption")[1].text
    picture = file_of(browser, page, "picture.svg")
    assert f"prior: {said}" in picture
    assert "80 % credible interval" in picture
    estimate = f"{shown[1]} ({shown[2]} to {shown[3]})"
    assert all(estimate in each for each in (picture, page.root.all("figure")[0].text))
    for ending in ("py", "R", "sh"):
        code = file_of(browser, page, f"repeat.{ending}")
        assert re.sub(r"\s", "", str(prior)) in re.sub(r"\s", "", code)
        assert "0.8" in code
    # What is asked next is asked under the same prior and level.
    asking = next(each for each in page.forms if "kind" in dict(fields_of(each)))
    assert typed_fields.items() <= dict(fields_of(asking)).items()


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"prior": "one"}, "prior", "Type one number"),
        ({"prior": "nan"}, "prior", "Type one number"),
        ({"prior": "1 2 3"}, "prior", "These are 3"),
        ({"prior": "0,25"}, "prior", "can mean 0.25, or 0 and 25"),
        ({"prior": "-1"}, "prior", "at least 0.000001"),
        ({"level": "100"}, "level", "between 0 and 100"),
        ({"level": "x"}, "level", "percentage"),
        ({"level": "nan"}, "level", "percentage"),
    ],
)
def test_a_prior_or_a_level_that_is_none_is_refused_at_its_field(
    trial: Trial, typed: dict[str, str], field: str, sentence: str
) -> None:
    browser = browser_of(trial.analyst)
    page = browser.get(f"{trial.path}?{urlencode(RATIO | typed)}")
    assert page.status == 422
    assert sentence in page.error_at(field)
    assert page.error_at(field).count("at least") <= 1
    assert page.by_id(field).get("value") == typed[field]
    assert "Nothing was changed" not in page.text
    assert len(table(page)) == 4
    if typed.get("prior") != "-1":
        assert browser.http.get(f"{trial.path}/shares.csv?{urlencode(typed)}").status_code == 404


def test_risks_that_are_compared_are_in_one_unit_on_the_page_and_in_the_picture(trial: Trial) -> None:
    page = asked(browser_of(trial.analyst), trial, **RATIO | {"kind": "difference"})
    rows = table(page)
    assert all("per 100\u202f000" in row[1] for row in rows)
    forest = page.root.all("figure")[0].text
    assert "points" not in forest
    for row in rows:
        estimate = row[1].removesuffix(" per 100\u202f000")
        assert f"{estimate} ({row[2]} to {row[3]}) per 100\u202f000" in forest  # the same digits


def test_a_rare_share_has_a_unit_of_its_own_among_common_ones(sqlite_server: Server) -> None:
    trial = Trial(sqlite_server, [4, 24_986, 20, 24_990])
    page = browser_of(trial.analyst).get(trial.path)
    rows = {row[0]: row[1] for row in table(page)}
    assert {label: text.rpartition(" ")[2] for label, text in rows.items() if "no" in label.split(" · ")[1]} == {
        "yes · no": "%", "no · no": "%",
    }  # fmt: skip
    assert all("per 100\u202f000" in rows[label] for label in ("yes · yes", "no · yes"))
    drawn = page.root.all("figure")[0].text
    assert "per 100\u202f000" in drawn
    assert " %" in drawn


def test_the_fields_terms_are_used_beside_a_probability(sqlite_server: Server) -> None:
    trial = Trial(sqlite_server, [1000] * 4)  # equal risks, so that neither side is nearly sure whatever the noise
    browser = browser_of(trial.analyst)
    assert "Risk: ill yes, among vaccine yes" in asked(browser, trial, **RISK).text
    page = asked(browser, trial, **RATIO)
    assert "Risk ratio of ill yes: vaccine yes against vaccine no" in page.text
    assert re.search(r"P\(above 1\) = 0\.\d+(, simulated)?\.", page.text)
    assert page.root.all("h2")[0].text.startswith(("No clear difference: risk ratio", "Risk ratio"))
    assert "risk ratio" in page.root.all("figure")[0].text
    assert [row[0] for row in table(page)] == ["Risk ratio", "vaccine yes", "vaccine no"]


@pytest.mark.parametrize("missing", ["first_0", "second_0"])
def test_a_group_is_not_compared_with_all_records_unasked(trial: Trial, missing: str) -> None:
    fields = RATIO | {"kind": "odds_ratio"}
    del fields[missing]
    page = browser_of(trial.analyst).get(f"{trial.path}?{urlencode(fields)}")
    assert page.status == 422
    assert page.error_at(missing)
    assert "Nothing was changed" not in page.text


def test_no_probability_is_0_or_1_on_the_page_or_in_the_file(sqlite_server: Server) -> None:
    trial = Trial(sqlite_server, [0, 2500, 1000, 1500])
    browser = browser_of(trial.analyst)
    turned = RATIO | {"first_0": "no", "second_0": "yes"}
    probabilities = []
    for fields, said in ((RATIO, "< 0.001"), (turned, "> 0.999")):
        page = asked(browser, trial, **fields, prior="0.002")
        assert f"P(above 1) {said}, simulated." in page.text
        row = next(csv.DictReader(io.StringIO(file_of(browser, page, "answers.csv"))))
        probabilities.append(float(row["probability_above"]))
        assert 0 <= float(row["probability_error"]) < 0.001
        assert row["method"] in {"exact", "simulation"}
    assert 0 < probabilities[0] < 0.001
    assert 0.999 < probabilities[1] < 1
    # Nobody ill is vaccinated: the data leave 0 open.
    assert asked(browser, trial, **RATIO, prior="0.002").text.count("only the prior sets that end") == 2
    assert "only the prior sets that end" not in asked(browser, trial, **RATIO, prior="50").text


@pytest.mark.parametrize(("prior", "said"), [("1", "Beta(1, 1)"), ("1 2 0.5 3", "Beta(1, 2) and Beta(0.5, 3)")])
def test_the_prior_of_each_share_stands_beside_the_answer(trial: Trial, prior: str, said: str) -> None:
    page = asked(browser_of(trial.analyst), trial, **RATIO, prior=prior)
    assert f"Prior of each share: {said}." in page.text.replace("\u00a0", " ")
    assert f"The prior counts as {'4' if prior == '1' else '6.5'} made-up records" in page.text


def test_a_prior_for_each_part_of_a_question_can_be_typed(trial: Trial) -> None:
    browser, typed = browser_of(trial.analyst), {"prior": "part=2"}
    page = asked(browser, trial, **RATIO, **typed)
    found = trial.posterior(prior={"each": 2, "of": "piece"}, questions=[EVENT])["answers"][0]
    row = next(csv.DictReader(io.StringIO(file_of(browser, page, "answers.csv"))))
    assert float(row["estimate"]) == pytest.approx(found["median"], rel=1e-5)
    assert row["prior"] == "2 for each part of a question"
    assert "given this release and the prior (2 for each part of a question)" in page.text
    assert page.by_id("prior").get("value") == "part=2"
    assert "made-up records" not in page.text
    assert "'of': 'piece'" in file_of(browser, page, "repeat.py")
    for wrong, said in (("piece=1", "part=1"), ("part=1 2", "one number"), ("part=0", "at least 0.000001")):
        refused = browser.get(f"{trial.path}?{urlencode({**RATIO, 'prior': wrong})}")
        assert said in refused.error_at("prior"), wrong


def test_the_boxes_have_what_was_used(trial: Trial) -> None:
    page = browser_of(trial.analyst).get(f"{trial.path}?{urlencode({'prior': ' 0.5 ', 'level': '0.9'})}")
    assert (page.by_id("prior").get("value"), page.by_id("level").get("value")) == ("0.5", "90")


def test_an_address_can_not_put_figures_or_sentences_on_a_page(trial: Trial) -> None:
    browser = browser_of(trial.analyst)
    forged = browser.get(f"{trial.path}?{urlencode({**RATIO, 'outcome_1': 'Everybody here', 'v': '0.97~0.95~0.99'})}")
    assert forged.status == 422
    assert "“Everybody here” is not a value of ill." in forged.error_at("outcome_1")
    page = asked(browser, trial, **RATIO, v="0.97~0.95~0.99")
    assert page.root.all("figure")[0].text == asked(browser, trial, **RATIO).root.all("figure")[0].text
    for picture in ("forest.svg", "plan.svg", "plot.svg"):
        assert browser.http.get(f"{trial.path}/{picture}?{urlencode(RATIO)}").status_code == 404


def test_code_prints_names_the_estimates_of_the_page_and_probabilities(trial: Trial) -> None:
    from tests.service.console.test_analyst import _run

    browser = browser_of(trial.analyst)
    page = asked(browser, trial, **RATIO)
    python, r, curl = (file_of(browser, page, f"repeat.{ending}") for ending in ("py", "R", "sh"))
    printed = _run(["python", "-c", python], trial.analyst)
    for row in table(page):
        line = next(line for line in printed.splitlines() if line.startswith(f"{row[0]} "))
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
    pairs = list(pairwise(groups))
    ratios = [
        {
            "kind": "odds_ratio",
            "first": share(ill=["yes"], within={"vaccine": [first]}),
            "second": share(ill=["yes"], within={"vaccine": [second]}),
        }
        for first, second in pairs
    ]
    figures = [Figure(f"Odds ratio of {first}", ("answers", at), "median") for at, (first, _) in enumerate(pairs)]
    body = Conditions([1.0] * 6, 0.9).body | {"questions": ratios}
    url, body = sqlite_server.url, of_releases(trial.release["id"]) | body
    codes = code_of(f"{url}/v1/releases/{trial.release['id']}", f"{url}/v1/posteriors", body, figures)
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
    assert "anyone can read, without a key" in page.text
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
        fields = [*browser.get("/console/keys").marks, ("public", "yes")]
        assert browser.post(f"{trial.path}/public", fields).status in {403, 404}
    assert Browser(sqlite_server.url).get(trial.path.replace("/releases/", "/public/releases/")).status == 404


def test_no_part_of_a_label_is_a_formula_to_a_spreadsheet() -> None:
    plain = {
        "=1+1": "'=1+1", "a;=1+1;b": "a;'=1+1;b", "a, @SUM(A1)": "a, '@SUM(A1)", "\uff1d1+1": "'\uff1d1+1",
        "x\t-2": "x\t'-2", 'a;"=1"': 'a;"\'=1"', "18-24": "18-24", "a=b": "a=b", "10+; 20+": "10+; 20+",
    }  # fmt: skip
    assert {label: defused(label) for label in plain} == plain


def test_several_values_and_a_threshold_are_one_question(sqlite_server: Server) -> None:
    attributes = [
        {"name": "age", "levels": ["0 to 19", "20 to 39", "40 to 59", "60 and over"]},
        {"name": "health", "levels": ["good", "fair", "poor"]},
    ]
    trial = Trial(sqlite_server, [500, 60, 20, 450, 80, 30, 400, 100, 60, 300, 150, 90], attributes=attributes)
    browser = browser_of(trial.analyst)
    fields = [("kind", "share"), ("outcome_1", "fair"), ("outcome_1", "poor"), ("first_0", "20 to 39")]
    fields += [("first_0", "40 to 59"), ("above", "10 %")]
    page = browser.get(f"{trial.path}?{urlencode(fields)}")
    assert page.status == 200, page.text
    assert "Risk: health fair or poor, among age 20 to 39 or 40 to 59" in page.text
    event = {"kind": "share", **share(health=["fair", "poor"], within={"age": ["20 to 39", "40 to 59"]})}
    found = trial.posterior(questions=[event | {"above": 0.1}])["answers"][0]
    row = next(csv.DictReader(io.StringIO(file_of(browser, page, "answers.csv"))))
    assert float(row["estimate"]) == pytest.approx(found["mean"], rel=1e-5)
    assert (float(row["threshold"]), float(row["probability_above"])) == (0.1, found["above"]["probability"])
    assert "P(above 10 %) " in page.text
    boxes = [each for each in page.root.all("input") if each.get("type") == "checkbox" and each.has("checked")]
    assert [(each.get("name"), each.get("value")) for each in boxes] == fields[1:-1]
    only = [("kind", "ratio"), ("outcome_1", "poor"), ("first_0", "20 to 39"), ("second_0", "40 to 59")]
    wrong = browser.get(f"{trial.path}?{urlencode([*only, ('only_0', '20 to 39')])}")
    assert "chosen for the groups already" in wrong.error_at("only_0")
    unclear = browser.get(f"{trial.path}?{urlencode([*only, ('above', 'many')])}")
    assert "a number such as 1.5" in unclear.error_at("above")
    misspelt = browser.get(f"{trial.path}?{urlencode({'kind': 'share', 'outcome_1': 'por'})}")
    assert misspelt.error_at("outcome_1") == "“por” is not a value of health. Do you mean “poor”?"


def test_the_largest_of_200_categories_come_first_and_any_is_found(sqlite_server: Server) -> None:
    levels = [f"place {number}" for number in range(100)]
    trial = Trial(sqlite_server, [number * 10 for number in range(200)], levels)
    browser = browser_of(trial.analyst)

    def seen(page: Page) -> list[str]:
        rows = page.by_id("categories").all("tbody")[0].all("tr")
        return [row.all("th")[0].text for row in rows if not row.has("hidden")]

    page = browser.get(trial.path)
    shares = trial.posterior()["categories"]
    largest = [each["label"] for each in sorted(shares, key=lambda each: -each["mean"])]
    assert seen(page) == largest[:20]
    assert "The 20 largest of 200" in page.text
    assert len(seen(browser.get(page.link("Show all")))) == 200
    assert seen(browser.get(f"{trial.path}?find=PLACE+17")) == [
        each for each in largest if each.startswith("place 17 ")
    ]
    named = browser.get(f"{trial.path}?sort=name")
    assert seen(named) == sorted(largest)[:20]
    drawn = page.root.all("svg")[1]
    assert len(drawn.all("path")) == 20
    assert len(page.response.content) < 150_000
    # Search and sort keep the question, and the question keeps no figures.
    question = {"kind": "share", "outcome_1": "yes", "find": "place 3"}
    found = browser.get(f"{trial.path}?{urlencode(question)}")
    assert {"kind": "share", "outcome_1": "yes"}.items() <= dict(
        fields_of(next(each for each in found.forms if "find" in dict(fields_of(each))))
    ).items()


def test_a_page_offers_its_data_and_a_report_that_says_how_to_cite_and_check_it(trial: Trial) -> None:
    browser = browser_of(trial.analyst)
    page = asked(browser, trial, **RATIO)
    data = json.loads(file_of(browser, page, "data.json"))
    assert data["release"] == trial.release
    assert [each["question"]["kind"] for each in data["posterior"]["answers"]] == ["ratio", "share", "share"]
    report = file_of(browser, page, "report.txt")
    assert max(map(len, report.splitlines())) <= 100
    row = table(page)[0]
    certified, words = trial.release["certified"], " ".join(report.split())
    for said in (
        "Risk ratio of ill yes: vaccine yes against vaccine no.",
        f"Risk ratio {row[1]} ({row[2]} to {row[3]})",
        "Simplex geometric.",
        f"Differential privacy with ε = {certified['epsilon']}: replacing one record",
        "Prior of the shares: ½ for each part of a question.",
        f"release {trial.release['id']} of ",
        trial.path,
        f"entry {trial.release['receipt']['body']['sequence']} of the ledger",
    ):
        assert said in words, said
    assert browser.http.get(f"{trial.path}/answers.csv").status_code == 404
    assert browser.http.get(f"{trial.path}/nothing.csv").status_code == 404


BERKELEY = [
    19, 89, 313, 512, 8, 17, 207, 353, 391, 202, 205, 120, 244, 131, 279, 138, 299, 94, 138, 53, 317, 24, 351, 22,
]  # fmt: skip
"""Applications by department, sex and admission in 1973: women and men, not admitted and admitted."""


@pytest.fixture(scope="module")
def berkeley(sqlite_server: Server) -> Trial:
    attributes = [
        {"name": "department", "levels": list("ABCDEF")},
        {"name": "sex", "levels": ["women", "men"]},
        {"name": "admitted", "levels": ["no", "yes"]},
    ]
    return Trial(sqlite_server, BERKELEY, attributes=attributes)


def numbers(cells: Sequence[str]) -> list[float]:
    return [plain(re.sub(r"[ %]|per 100\u202f000", "", cell)) for cell in cells]


BY_DEPARTMENT = {"kind": "odds_ratio", "outcome_2": "yes", "first_1": "women", "second_1": "men", "by": "department"}


@pytest.mark.long
def test_a_question_for_each_department_is_one_table_and_one_picture_with_adjusted_ratios(berkeley: Trial) -> None:
    from tests.service.console.test_analyst import _run

    browser = browser_of(berkeley.analyst)
    page = asked(browser, berkeley, **BY_DEPARTMENT)
    question = {
        "kind": "odds_ratio",
        "first": share(admitted=["yes"], within={"sex": ["women"]}),
        "second": share(admitted=["yes"], within={"sex": ["men"]}),
    }
    found = berkeley.posterior(by={"attributes": ["department"], "question": question})["by"]
    answers = {"All": found["overall"]} | {each["label"]: each["answer"] for each in found["strata"]}
    adjusted = found["adjusted"]
    answers |= {"Mantel–Haenszel": adjusted["mantel_haenszel"], "Standardised": adjusted["standardised"]}
    rows = table(page)
    assert [row[0] for row in rows] == list(answers) == ["All", *"ABCDEF", "Mantel–Haenszel", "Standardised"]
    for row, answer in zip(rows, answers.values(), strict=True):
        expected = [answer["median"], answer["interval"]["low"], answer["interval"]["high"]]
        assert numbers(row[1:4]) == pytest.approx(expected, rel=0.006)
        said = re.fullmatch(r"P\(above 1\) [<>=] ([\d.]+)(, simulated)?", row[4])
        assert said is not None, row
        assert float(said[1]) == pytest.approx(answer["above"]["probability"], abs=0.011)
    assert page.root.all("h2")[0].text == f"Odds ratio {rows[0][1]}, adjusted {rows[7][1]}"
    picture = file_of(browser, page, "picture.svg")
    assert all(f">{row[1]} ({row[2]} to {row[3]})<" in picture for row in rows)
    file = list(csv.DictReader(io.StringIO(file_of(browser, page, "answers.csv"))))
    assert [row["question"] for row in file] == list(answers)
    report = file_of(browser, page, "report.txt")
    assert all(f"{row[1]} ({row[2]} to {row[3]}), {row[4]}" in report for row in rows)
    prints_standardised(_run(["python", "-c", file_of(browser, page, "repeat.py")], berkeley.analyst), page)
    used = browser.get(f"{berkeley.path}?{urlencode(BY_DEPARTMENT | {'by': 'sex'})}")
    assert "in the question already" in used.error_at("by")


def prints_standardised(printed: str, page: Page) -> None:
    line = next(line for line in printed.splitlines() if line.startswith("Standardised"))
    assert [float(each) for each in line.split()[1:]] == pytest.approx(numbers(table(page)[8][1:4]), rel=0.006)


@pytest.mark.long
def test_code_in_r_prints_an_adjusted_ratio(berkeley: Trial, rscript: str, tmp_path: Path) -> None:
    from tests.service.console.test_analyst import _run

    browser = browser_of(berkeley.analyst)
    page = asked(browser, berkeley, **BY_DEPARTMENT)
    (tmp_path / "repeat.R").write_text(file_of(browser, page, "repeat.R"), encoding="utf-8")
    prints_standardised(_run([rscript, str(tmp_path / "repeat.R")], berkeley.analyst), page)


def test_a_question_may_be_about_these_people_alone(trial: Trial) -> None:
    page = asked(browser_of(trial.analyst), trial, **RATIO, about="records")
    assert "in these records alone" in page.text
    assert "They are about these records alone, and account for the noise" in page.text


def test_a_trial_is_one_table_and_one_picture(trial: Trial) -> None:
    from tests.service.console.test_analyst import _run

    browser = browser_of(trial.analyst)
    page = asked(browser, trial, **RATIO | {"kind": "trial"}, above="30")
    cells: dict[str, Any] = {"outcome": {"where": {"ill": ["yes"]}}}
    cells |= {name: {"where": {"vaccine": [level]}} for name, level in (("first", "yes"), ("second", "no"))}
    found = trial.posterior(trial=cells | {"effect": {"measure": "efficacy", "above": 0.3}})["trial"]
    rows = {row[0]: row[1:] for row in table(page)}
    deviation = f"{found['log_odds_ratio']['standard_deviation']:.2g}"
    assert list(rows) == [
        "Efficacy (1 − risk ratio)", "Risk, vaccine yes", "Risk, vaccine no", "Risk ratio", "Odds ratio",
        f"Log odds ratio (SD {deviation})", "Risk difference",
        # The noise can leave open whether there is a difference.
        "Number needed to treat" + (", for one fewer (NNTB)" if found["number_needed"] else ""),
    ]  # fmt: skip
    efficacy = rows["Efficacy (1 − risk ratio)"]
    assert numbers(efficacy[:1]) == pytest.approx([100 * found["efficacy"]["median"]], abs=0.51)
    assert numbers(rows["Risk ratio"])[0] == pytest.approx(found["ratio"]["median"], rel=0.01)
    assert numbers(rows["Risk, vaccine no"])[0] == pytest.approx(100_000 * found["second"]["mean"], rel=0.02)
    # The noise can make it nearly sure that the efficacy is above 30 %.
    probability = re.findall(r"Efficacy above 30 %: P [<>=] (0\.\d+)", page.text)
    assert [float(each) for each in probability] == pytest.approx([found["effect"]["probability"]], abs=0.011)
    picture = file_of(browser, page, "picture.svg")
    assert all(name in picture for name in ("Risk, vaccine yes", "Risk ratio", "Odds ratio", "Risk difference"))
    printed = _run(["python", "-c", file_of(browser, page, "repeat.py")], trial.analyst)
    assert all(f"\n{name} " in printed for name in list(rows)[:7])
    assert "efficacy above 0.3 with probability" in printed
    assert browser.get(trial.path).by_id("kind").all("option")[0].get("value") == "trial"


def test_a_page_takes_public_totals_of_the_groups(trial: Trial) -> None:
    browser = browser_of(trial.analyst)
    totals = {"total_first": "2 490", "total_second": "2510"}
    page = asked(browser, trial, **RATIO, **totals)
    known = [{"of": {"where": {"vaccine": [group]}}, "count": count} for group, count in (("yes", 2490), ("no", 2510))]
    found = trial.posterior(questions=[EVENT], known=known)
    file = json.loads(file_of(browser, page, "data.json"))
    assert file["posterior"]["known"] == found["known"] == known
    assert file["posterior"]["answers"][0]["interval"] == found["answers"][0]["interval"]
    assert "given the public totals 2 490 and 2 510" in re.sub(r"\s", " ", page.text)
    assert "is so far from the noisy counts" not in page.text
    far = asked(browser, trial, **RISK, total_first="2000")
    assert "The total 2000 of vaccine=yes is so far from the noisy counts" in far.text


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (RATIO | {"total_first": "many"}, "Type a whole number of records"),
        (RATIO | {"total_first": "4000", "total_second": "1001"}, "Must sum to 5000, the public number of records"),
        ({"kind": "share", **ILL, "total_first": "2490"}, "Choose the group that has this number"),
    ],
)
def test_totals_that_cannot_be_have_a_sentence_at_their_field(
    trial: Trial, typed: dict[str, str], sentence: str
) -> None:
    page = browser_of(trial.analyst).get(f"{trial.path}?{urlencode(typed)}")
    assert page.status == 422
    assert page.error_at("total_first").startswith(sentence)
