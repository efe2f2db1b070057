"""Margins in the console: tables are ticked on a grid, priced, paid for once, drawn, and asked about."""

from __future__ import annotations

import csv
import io
import re
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from service.releases import paid as charged_releases
from tests.harness.bodies import budget_body, of_releases, registration, unique
from tests.harness.browser import Browser, Page
from tests.service.console.conftest import browser_of
from tests.service.console.test_release_page import table

if TYPE_CHECKING:
    from tests.harness.server import Server

HOSTILE = "<b>smoker</b>"
ATTRIBUTES = [
    {"name": "age", "levels": ["young", "middle", "old"]},
    {"name": HOSTILE, "levels": ["no", "=yes"]},
    {"name": "ward", "levels": ["A", "B"]},
]
COUNTS = [410, 380, 120, 90, 300, 310, 150, 160, 220, 240, 80, 70]


class Survey:
    """A cross table, and an analyst with a grant on it."""

    def __init__(self, server: Server, *, grant: dict[str, str] | None = None, **changes: Any) -> None:
        self.server = server
        self.owner, self.analyst = server.new("owner"), server.new("analyst")
        budget = {"kind": "new", "budget": budget_body(epsilon="9")}
        body = registration(COUNTS, name=unique("Survey"), attributes=ATTRIBUTES, budget=budget) | changes
        if body["attributes"] is not None:
            del body["labels"]
        made = self.owner.post("/v1/datasets", body)
        assert made.status_code == 201, made.text
        self.id: str = made.json()["id"]
        given = {"principal_id": self.analyst.principal_id, "delta": "0"} | (grant or {"epsilon": "8"})
        granted = self.owner.post(f"/v1/datasets/{self.id}/grants", given)
        assert granted.status_code == 201, granted.text
        self.path = f"/console/datasets/{self.id}/margins"

    def asked(self, browser: Browser, *tables: str, **fields: str) -> Page:
        typed = [("ask", "yes"), *(("table", each) for each in tables), *fields.items()]
        return browser.get(f"{self.path}?{urlencode(typed)}")

    def bought(self, body: dict[str, Any]) -> dict[str, Any]:
        made = self.analyst.post(
            f"/v1/datasets/{self.id}/releases", body, idempotency_key=unique("key").replace(" ", "-")
        )
        assert made.status_code == 201, made.text
        found: dict[str, Any] = made.json()
        return found

    def charges(self) -> int:
        found = self.analyst.get(f"/v1/releases?dataset_id={self.id}").json()["items"]
        return len([each for each in found if each["mechanism"]["kind"] == "margins"])


@pytest.fixture(scope="module")
def survey(sqlite_server: Server) -> Survey:
    return Survey(sqlite_server)


def ticked(page: Page) -> list[str]:
    return [each.get("value") for each in page.root.all("input") if each.has("checked") and each.get("name") == "table"]


def test_tables_are_ticked_on_a_grid_of_all_pairs_and_single_attributes(survey: Survey) -> None:
    page = browser_of(survey.analyst).get(survey.path)
    assert page.status == 200, page.text
    boxes = {
        each.get("value"): each.get("aria-label") for each in page.root.all("input") if each.get("name") == "table"
    }
    assert boxes == {
        "0": "age", "0-1": f"age and {HOSTILE}", "0-2": "age and ward",
        "1": HOSTILE, "1-2": f"{HOSTILE} and ward", "2": "ward",
    }  # fmt: skip
    assert ticked(page) == ["0-1", "0-2", "1-2"]
    assert "Pay" not in page.text


def test_a_quote_is_free_and_has_the_width_of_each_table_beside_one_full_release(survey: Survey) -> None:
    browser, before = browser_of(survey.analyst), survey.charges()
    page = survey.asked(browser, "0-1", "2", amount="0,5", confidence="90")
    assert page.status == 200, page.text
    body = {"margins": [["age", HOSTILE], ["ward"]], "epsilon": "0.5", "confidence": 0.9}
    quote = survey.analyst.post(f"/v1/datasets/{survey.id}/quotes", body).json()
    rows = table(page)
    assert [row[:2] for row in rows] == [[f"age, {HOSTILE}", "6"], ["ward", "2"]]
    for row, planned, full in zip(rows, quote["tables"], quote["full_release"]["half_widths"], strict=True):
        half = next(each["half_width"] for each in planned["intervals"] if each["confidence"] == 0.9)
        assert [float(each.removeprefix("± ")) for each in row[2:]] == pytest.approx([half, full], abs=0.051)
    assert "with probability 90 %" in page.text
    assert ticked(page) == ["0-1", "2"]
    assert survey.charges() == before


def test_a_quote_leads_with_one_full_release_if_that_is_nearly_as_precise(survey: Survey) -> None:
    browser = browser_of(survey.analyst)
    said = "One full release for the same charge is the better buy."
    page = survey.asked(browser, "0-1", "0-2", "1-2", amount="0.5")
    assert page.text.index(said) < page.text.index("Pay ε")
    assert [each.text for each in page.root.all("button") if each.get("class") == "main"] == [
        "See the price and all widths, free"
    ]
    assert said not in survey.asked(browser, "0", amount="0.5").text


def test_margins_are_paid_for_once_and_lead_to_a_heat_map_with_its_numbers(survey: Survey) -> None:
    browser, before = browser_of(survey.analyst), survey.charges()
    quote = survey.asked(browser, "0-1", "0-2", "1-2", amount="2")
    paid = browser.send(quote, survey.path)
    assert re.fullmatch(r"/console/margins/rel_\w+", paid.path), paid.text
    assert browser.send(quote, survey.path).path == paid.path
    assert survey.charges() == before + 1
    assert "You have paid for these tables" in browser.get(str(quote.response.url)).text
    release = survey.analyst.get(f"/v1/releases/{paid.path.rpartition('/')[2]}").json()
    for number, found in enumerate(release["tables"]):
        page = browser.get(f"{paid.path}?table={number}&confidence=0.99")
        half = next(each["half_width"] for each in found["intervals"] if each["confidence"] == 0.99)
        shown = [[float(each.replace("\u2212", "-").replace("\u202f", "")) for each in row[1:]] for row in table(page)]
        assert [row[0] for row in shown] == pytest.approx(found["estimates"], abs=0.051)
        assert [row[2] - row[1] for row in shown] == pytest.approx([2 * half] * len(shown), abs=0.11)
        drawings = page.root.all("svg")
        assert len(drawings) == 2
        for drawing in drawings:
            assert len([each for each in drawing.all("rect") if "aware" in each.get("class")]) == 5 + len(shown)


def test_tables_are_combined_from_all_margins_of_the_data_set(sqlite_server: Server) -> None:
    survey = Survey(sqlite_server)
    releases = [survey.bought({"margins": [["age", "ward"]], "epsilon": epsilon})["id"] for epsilon in ("1", "2")]
    browser = browser_of(survey.analyst)
    alone = browser.get(f"/console/margins/{releases[0]}")
    assert "Combined from" not in alone.text
    both = browser.get(f"/console/margins/{releases[0]}?all=yes&confidence=0.9")
    assert "Combined from 2 releases of margins." in both.text
    assert both.by_id("all").has("checked")
    wanted = survey.analyst.post(f"/v1/datasets/{survey.id}/estimates", {"margins": [["age", "ward"]]}).json()
    shown = [[float(each.replace("\u2212", "-").replace("\u202f", "")) for each in row[1:]] for row in table(both)]
    assert [row[0] for row in shown] == pytest.approx(wanted["tables"][0]["estimates"], abs=0.051)
    half = next(each["half_width"] for each in wanted["tables"][0]["intervals"] if each["confidence"] == 0.9)
    assert [row[2] - row[1] for row in shown] == pytest.approx([2 * half] * len(shown), abs=0.11)
    assert browser.get(f"/console/margins/{releases[0]}?all=no").text == alone.text


def test_margins_that_were_bought_elsewhere_are_shown_and_bought_again_only_if_that_is_ticked(survey: Survey) -> None:
    body = {"margins": [["ward"], [HOSTILE]], "epsilon": "0.3", "max_charge": {"epsilon": "0.3"}}
    path, key = f"/v1/datasets/{survey.id}/releases", "of-the-command-line"
    bought = survey.analyst.post(path, body, idempotency_key=key).json()["id"]
    browser, before = browser_of(survey.analyst), survey.charges()
    page = survey.asked(browser, "1", "2", amount="0.3")
    assert "You paid for the same release" in page.text
    assert f"/console/margins/{bought}" in page.response.text
    assert browser.send(page, survey.path).path == f"/console/margins/{bought}"
    assert survey.charges() == before
    again = browser.send(page, survey.path, again="yes")
    assert again.path.startswith("/console/margins/rel_")
    assert bought not in again.path
    assert survey.charges() == before + 1


def test_margins_whose_draw_failed_are_in_nobodys_way(survey: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> None:
        return None

    browser = browser_of(survey.analyst)
    with monkeypatch.context() as planted:
        planted.setattr(charged_releases, "_draw", fails)
        body = {"margins": [["ward"]], "epsilon": "0.35"}
        failed = survey.analyst.post(f"/v1/datasets/{survey.id}/releases", body, idempotency_key="a-failed-draw")
        assert failed.json()["type"] == "/problems/release-failed"
    page = survey.asked(browser, "2", amount="0.35")
    assert page.status == 200, page.text
    assert "You paid for the same release" not in page.text
    assert browser.send(page, survey.path).path.startswith("/console/margins/rel_")


def test_each_measured_margin_leads_to_its_posterior_which_answers_questions(survey: Survey) -> None:
    browser = browser_of(survey.analyst)
    made = survey.bought({"margins": [["age", HOSTILE]], "half_widths": [30.0], "max_charge": {"epsilon": "1000"}})
    page = browser.get(f"/console/margins/{made['id']}")
    [link] = [each for each in page.links if re.search(r"/margins/rel_\w+/\d+$", each)]
    margin = browser.get(link)
    assert margin.status == 200, margin.text
    asked = browser.get(f"{link}?{urlencode({'kind': 'share', 'outcome_1': '=yes', 'first_0': 'old'})}")
    question = {"kind": "share", "of": {"where": {HOSTILE: ["=yes"]}}, "within": {"where": {"age": ["old"]}}}
    posterior = survey.analyst.post(
        "/v1/posteriors", of_releases(made["id"], margin=["age", HOSTILE]) | {"questions": [question]}
    ).json()
    estimate = float(re.findall(r"[\d.]+", table(asked)[0][1])[0])
    assert estimate == pytest.approx(100 * posterior["answers"][0]["mean"], abs=0.06)
    by_age = browser.get(f"{link}?{urlencode({'kind': 'share', 'outcome_1': '=yes', 'by': 'age'})}")
    assert [row[0] for row in table(by_age)] == ["All", "young", "middle", "old"]
    for name in ("shares.csv", "data.json", "picture.svg", "report.txt", "repeat.py"):
        file = browser.http.get(f"{link}/{name}")
        assert file.status_code == 200, file.text
    assert "'margin': ['age', " in browser.http.get(f"{link}/repeat.py").text
    for wrong in ("9", "-1", "x", "1" * 5000):
        assert browser.get(f"/console/margins/{made['id']}/{wrong}").status == 404


def test_the_file_of_tables_has_a_line_for_each_count_and_no_formula(survey: Survey) -> None:
    browser = browser_of(survey.analyst)
    made = survey.bought({"all": 2, "epsilon": "0.5"})
    lines = list(csv.reader(io.StringIO(browser.http.get(f"/console/margins/{made['id']}/tables.csv").text)))
    assert lines[0] == ["age", HOSTILE, "ward", "estimate", "half_width_0.9", "half_width_0.95", "half_width_0.99"]
    cells = [["young", "middle", "old"], ["no", "'=yes"]]
    assert [line[:3] for line in lines[1:7]] == [[*cell, ""] for cell in product(*cells)]
    assert [float(line[3]) for line in lines[1:7]] == pytest.approx(made["tables"][0]["estimates"])
    assert len(lines) == 1 + 6 + 6 + 4


def test_a_public_release_of_margins_is_read_without_a_key(survey: Survey) -> None:
    made = survey.bought({"all": 1, "epsilon": "0.5"})
    nobody, owner = Browser(survey.server.url), browser_of(survey.owner)
    address = f"/console/public/margins/{made['id']}"
    assert nobody.get(address).status == 404
    page = owner.get(f"/console/margins/{made['id']}")
    shown = owner.send(page, f"/console/releases/{made['id']}/public", public="yes")
    assert address in shown.text
    public = nobody.get(address)
    assert public.status == 200, public.text
    assert survey.analyst.principal_id not in public.text
    assert nobody.http.get(f"{address}/tables.csv").status_code == 200
    assert nobody.get(f"{address}/0").status == 200, "the posterior of the first measured margin"


def test_releases_of_margins_are_listed_and_found_by_the_address_of_a_release(survey: Survey) -> None:
    browser = browser_of(survey.analyst)
    made = survey.bought({"all": 1, "epsilon": "0.25"})
    assert f"/console/releases/{made['id']}" in " ".join(browser.get("/console/releases").links)
    assert browser.get(f"/console/releases/{made['id']}").path == f"/console/margins/{made['id']}"
    assert f"/console/margins/{made['id']}" in " ".join(browser.get(survey.path).links)
    for page in (
        browser_of(survey.owner).get(f"/console/data/{survey.id}"),
        browser.get(f"/console/datasets/{survey.id}"),
    ):
        assert page.status == 200, page.text


def test_what_can_not_be_quoted_is_said_beside_its_field(survey: Survey) -> None:
    browser = browser_of(survey.analyst)
    for tables, fields, name, said in (
        ((), {"amount": "1"}, "table", "at least one"),
        (("0-1",), {}, "amount", "either an amount"),
        (("0-1",), {"amount": "1", "half_width": "3"}, "amount", "either an amount"),
        (("0-9",), {"amount": "1"}, "table", "does not have"),
        (("0-0",), {"amount": "1"}, "table", "does not have"),
        (("x" * 4000,), {"amount": "1"}, "table", "does not have"),
        (("0-1",), {"amount": "much"}, "amount", "number"),
        (("0-1",), {"half_width": "-3"}, "half_width", "at least 0.001"),
        (("0-1",), {"amount": "1", "confidence": "100"}, "confidence", "between 0 and 100"),
    ):
        page = survey.asked(browser, *tables, **fields)
        assert page.status == 422, page.text
        found = page.by_id("table-error").text if name == "table" else page.error_at(name)
        assert said in found, (name, found)
    too_dear = survey.asked(browser, "0-1", amount="8.5")
    assert "It would be refused now" in too_dear.text
    assert not [
        form for form in too_dear.forms if form.get("method") == "post" and form.get("action").endswith("/margins")
    ]


def test_a_table_without_two_attributes_has_no_margins(sqlite_server: Server) -> None:
    survey = Survey(sqlite_server, attributes=None, labels=["ill", "well"], counts=[30, 970])
    page = browser_of(survey.analyst).get(survey.path)
    assert page.status == 200, page.text
    assert "at least two attributes" in page.text


def test_cells_that_no_record_can_be_in_are_left_out(sqlite_server: Server) -> None:
    names = ["age", HOSTILE, "ward"]
    cells = (("young", "=yes", "A"), ("young", "=yes", "B"), ("old", "no", "A"))
    impossible = [dict(zip(names, each, strict=True)) for each in cells]
    counts = [410, 380, 300, 310, 150, 160, 240, 80, 70]
    survey = Survey(sqlite_server, impossible=impossible, counts=counts)
    browser = browser_of(survey.analyst)
    made = survey.bought({"margins": [["age", HOSTILE]], "half_widths": [30.0], "max_charge": {"epsilon": "1000"}})
    page = browser.get(f"/console/margins/{made['id']}")
    assert len(table(page)) == 5
    assert "\N{EN DASH}" in page.root.all("svg")[0].text
    margin = browser.get(f"/console/margins/{made['id']}/0")
    assert margin.status == 200, margin.text
    assert len(table(margin)) == 5
    assert not [row for row in table(margin) if row[0] == "young · =yes"]


def test_margins_of_a_zcdp_budget_are_priced_in_rho(sqlite_server: Server) -> None:
    budget = budget_body(accountant="zcdp", epsilon="9", delta="1e-6")
    survey = Survey(sqlite_server, budget={"kind": "new", "budget": budget}, grant={"rho": "1"})
    browser = browser_of(survey.analyst)
    quote = survey.asked(browser, "0-1", "1-2", half_width="20")
    assert "Pay ρ = " in quote.text
    paid = browser.send(quote, survey.path)
    assert re.fullmatch(r"/console/margins/rel_\w+", paid.path), paid.text
    assert "for ρ = " in paid.text


def test_tables_that_do_not_overlap_share_one_draw_if_that_is_chosen(sqlite_server: Server) -> None:
    survey = Survey(sqlite_server)
    browser = browser_of(survey.analyst)
    apart = survey.asked(browser, "0", "1", "2", amount="0.2")
    blocks = survey.asked(browser, "0", "1", "2", amount="0.2", noise="blocks")
    own, shared = ([float(row[2].removeprefix("± ")) for row in table(each)] for each in (apart, blocks))
    assert sum(shared) < sum(own)
    assert "with the others of block 1" in blocks.text
    assert len(table(apart)[0]) == 4
    at_once = {row[3] for row in table(blocks)}
    assert float(at_once.pop().removeprefix("± ")) > max(shared)
    assert not at_once
    assert [each.get("value") for each in blocks.by_id("noise").all("option") if each.has("selected")] == ["blocks"]
    paid = browser.send(blocks, survey.path)
    made = survey.analyst.get(f"/v1/releases/{paid.path.rpartition('/')[2]}").json()
    assert {each["noise"] for each in made["measured"]} == {"max_norm"}
    heading = made["tables"][0]["intervals"][1]["simultaneous_half_width"]
    assert f", all at once ± {heading}" in paid.text
    header = browser.http.get(f"{paid.path}/tables.csv").text.splitlines()[0]
    assert header.endswith(",simultaneous_half_width_0.9,simultaneous_half_width_0.95,simultaneous_half_width_0.99")
    assert "You paid for the same release" not in survey.asked(browser, "0", "1", "2", amount="0.2").text
    assert survey.asked(browser, "0-1", amount="1", noise="blocks", delta_to_spend="1e-6").status == 422


def test_a_delta_is_spent_on_gaussian_noise_if_the_form_allows_it(sqlite_server: Server) -> None:
    attributes = [{"name": name, "levels": ["a", "b", "c", "d"]} for name in ("one", "two", "three", "four", "five")]
    budget = {"kind": "new", "budget": budget_body(epsilon="9", delta="1e-5")}
    survey = Survey(
        sqlite_server, attributes=attributes, counts=[3] * 4**5, budget=budget, grant={"epsilon": "8", "delta": "1e-5"}
    )
    browser = browser_of(survey.analyst)
    pairs = [f"{first}-{second}" for first in range(5) for second in range(first + 1, 5)]
    quote = survey.asked(browser, *pairs, amount="1", delta_to_spend="1e-5")
    assert "and δ = 1\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁵ for 10 tables" in quote.by_id("quote").text
    paid = browser.send(quote, survey.path)
    made = survey.analyst.get(f"/v1/releases/{paid.path.rpartition('/')[2]}").json()
    assert {each["noise"] for each in made["measured"]} == {"discrete_gaussian"}
    assert made["charged"]["delta"] == "0.00001"
    for wrong in ("0", "much"):
        assert survey.asked(browser, *pairs, amount="1", delta_to_spend=wrong).error_at("delta_to_spend")


def test_margins_at_a_private_number_of_records_are_bought_and_read(sqlite_server: Server) -> None:
    survey = Survey(sqlite_server, n_is_public=False)
    browser = browser_of(survey.analyst)
    quote = survey.asked(browser, "0-1", "1-2", amount="2")
    paid = browser.send(quote, survey.path)
    assert re.fullmatch(r"/console/margins/rel_\w+", paid.path), paid.text
    assert len(table(paid)) == 6
    links = [each for each in paid.links if re.search(r"/margins/rel_\w+/\d+$", each)]
    assert links
    for link in links:
        margin = browser.get(link)
        assert margin.status == 200, margin.text
        # The estimate is the true number by chance in one of ten runs.
        before, _, after = re.split(r"(About [\d ]+ records are in the table)", margin.text)
        assert "2 530 records" not in before + after, "the sum of the counts"
