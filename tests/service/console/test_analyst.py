"""An analyst finds a data set, requests access, plans, pays once, and computes from a release, without JavaScript."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from service.console.units import ShareUnit
from tests.harness.bodies import budget_body, registration, share, unique
from tests.harness.browser import Browser, Page, fields_of
from tests.harness.deadlines import PATIENCE
from tests.harness.server import Party, Server
from tests.service.conftest import COUNTS, Study, make_study
from tests.service.console.conftest import browser_of

HOSTILE = ["<script>alert(1)</script>", "\u05d0\u05d1\u05d2 \u0627\u0644\u0639", "=1+1", "x" * 200]
MECHANISM = '{"kind": "simplex_geometric", "epsilon": "0.2"}'


def admissions(owner: Party, **changes: Any) -> dict[str, Any]:
    """A listed cross table of two by two, with a budget of ε = 2."""
    body = registration(
        [1512, 907, 1353, 2041],
        name=unique("Admissions"),
        attributes=[{"name": "sex", "levels": ["female", "male"]}, {"name": "admitted", "levels": ["yes", "no"]}],
        budget={"kind": "new", "budget": budget_body(epsilon="2")},
    )
    del body["labels"]
    made = owner.post("/v1/datasets", {name: value for name, value in (body | changes).items() if value is not None})
    assert made.status_code == 201, made.text
    data: dict[str, Any] = made.json()
    assert owner.patch(f"/v1/datasets/{data['id']}", {"listed": True}).status_code == 200
    return data


def grant(owner: Party, data: dict[str, Any], analyst: Party, epsilon: str = "1") -> None:
    body = {"principal_id": analyst.principal_id, "epsilon": epsilon, "delta": "1e-7"}
    assert owner.post(f"/v1/datasets/{data['id']}/grants", body).status_code == 201


def charges(owner: Party, data: dict[str, Any]) -> list[str]:
    entries = owner.get(f"/v1/budgets/{data['budget_id']}/ledger", limit=1000).json()["items"]
    return [each["amount"]["epsilon"] for each in entries if each["kind"].endswith("_charged")]


def quote_of(browser: Browser, data: dict[str, Any], mechanism: str = MECHANISM) -> Page:
    page = browser.get(f"/console/datasets/{data['id']}/quote?{urlencode({'mechanism': mechanism})}")
    assert page.status == 200, page.text
    return page


def asked(browser: Browser, page: Page, **typed: str) -> Page:
    """Send the form that has these fields as the address of the next page."""
    form = next(
        each
        for each in page.forms
        if each.get("method") == "get"
        and typed.keys() <= {field.get("name") for field in each.all("input", "select", "textarea")}
    )
    fields = [(name, value) for name, value in fields_of(form) if name not in typed] + list(typed.items())
    return browser.get(f"{form.get('action').partition('#')[0]}?{urlencode(fields)}")


def test_the_whole_way_from_a_request_to_an_odds_ratio(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    browser = browser_of(analyst)
    home = browser.get("/console/")
    assert home.path == "/console/datasets"
    assert data["name"] in home.text
    page = browser.get(home.link(data["name"]))
    refused = browser.send(page, "/requests", amount="0", delta="", purpose="the report of 1973")
    assert refused.error_at("amount")
    assert refused.value("purpose") == "the report of 1973"
    page = browser.send(refused, "/requests", amount="0,5")
    assert "The owner has not decided yet" in page.text
    request = owner.get("/v1/access-requests", dataset_id=data["id"]).json()["items"][0]
    assert (request["requested"]["epsilon"], request["purpose"]) == ("0.5", "the report of 1973")
    owner.patch(f"/v1/access-requests/{request['id']}", {"state": "approved"})
    assert "approved" in browser.get("/console/datasets").text

    plan = browser.get(f"/console/datasets/{data['id']}/plan")
    assert plan.status == 200, plan.text
    step = next(each for each in plan.root.all("a") if each.get("data-kind") == "simplex_geometric")
    quote = browser.get(step.get("href"))
    assert "This is a quote" in quote.text
    assert charges(owner, data) == []
    release = browser.send(quote, "/releases")
    assert release.path.startswith("/console/releases/rel_"), release.text
    assert charges(owner, data) == [step.get("data-charge")]

    share = asked(browser, release, kind="share", outcome_1="yes", first_0="female")
    assert "admitted yes, among sex female" in share.text
    both = asked(browser, share, kind="odds_ratio", outcome_1="yes", first_0="female", second_0="male")
    assert "Odds ratio of admitted yes: sex female against sex male" in both.text
    rows = [row.all("th")[0].text for row in both.root.all("table")[0].all("tbody")[0].all("tr")]
    assert rows == ["Odds ratio", "sex female", "sex male"]
    forest = both.root.all("figure")[0].text
    assert all(label in forest for label in rows)
    for script in (each for each in both.links if "/repeat." in each):
        code = browser.http.get(script).text
        assert "/v1/posteriors" in code
        assert release.path.rpartition("/")[2] in code
        assert "odds_ratio" in code
    assert charges(owner, data) == [step.get("data-charge")]


def embedded_pictures(page: Page) -> list[str]:
    """The pictures of a page for wide screens."""
    return re.findall(r'<div class="wide-only">(<svg .*?</svg>)', page.response.text, re.DOTALL)


def typed_counts(page: Page) -> list[str]:
    """The guess in the form of a plan."""
    return [each.get("value") for each in page.by_id("guess").all("input") if each.get("name") == "count"]


def test_a_plan_draws_what_its_table_says_and_keeps_what_is_refused(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    browser = browser_of(analyst)
    path = f"/console/datasets/{data['id']}/plan"
    counts = [("count", each) for each in ("30", "200", "70", "5 513")]
    chosen = [("outcome_1", "yes"), ("first_0", "male"), ("delta", "1e-7"), ("prior", "1")]
    page = browser.get(f"{path}?{urlencode([*counts, *chosen])}")
    assert page.status == 200, page.text
    assert "Gaussian, with δ = 1" in page.by_id("steps").text
    rows = page.by_id("steps").all("tbody")[0].all("tr")
    assert len(rows) == 10
    assert {"0.1", "0.5", "1", "10"} <= {row.all("th")[0].text.removeprefix("ε = ") for row in rows}
    drawn = embedded_pictures(page)[0]
    assert "Risk: admitted yes, among sex male" in page.text
    said = re.findall(r"simplex geometric[^:]*: (.*?)\.(?= |<|$)", drawn.replace("\u2068", "").replace("\u2069", ""))[
        -1
    ]
    assert len(said.split(";")) == 10
    refused = browser.get(f"{path}?{urlencode([*counts[:3], ('count', 'many'), ('delta', '1e-7')])}")
    assert refused.status == 422
    assert "There is no answer yet" in refused.text
    assert refused.by_id("counts-error").text
    assert [each.get("value") for each in refused.by_id("guess").all("input") if each.get("name") == "count"][
        3
    ] == "many"
    wrong = browser.get(f"{path}?{urlencode([*counts, ('delta', 'x')])}")
    assert wrong.error_at("delta")
    grant(owner, data, analyst)
    quote = {"mechanism": MECHANISM, "amount": "0.2", "prior": "1,5"}
    assert "can mean 1.5, or 1 and 5" in browser.get(f"/console/datasets/{data['id']}/quote?{urlencode(quote)}").text
    none = browser.get(f"{path}?{urlencode([('outcome_0', 'male'), ('first_0', 'female')])}")
    assert none.error_at("outcome_0")


@pytest.mark.long
def test_a_plan_of_a_private_number_of_records_is_drawn_beside_a_public_number(
    sqlite_server: Server,
) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner, n_is_public=False)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    path = f"/console/datasets/{data['id']}/plan"
    page = browser.get(f"{path}?{urlencode({'records': '2 400', 'rate': '25 %', 'fill': 'yes'})}")
    counts = [each.get("value") for each in page.by_id("guess").all("input") if each.get("name") == "count"]
    assert sum(map(int, counts)) == 2400
    headings = [each.text for each in page.by_id("steps").all("th")]
    assert {"geometric", "Laplace", "If the number were public"} <= set(headings)
    row = next(row for row in page.by_id("steps").all("tbody")[0].all("tr") if row.all("th")[0].text.endswith("0.5"))
    cells = [cell.text for cell in row.all("td")]
    assert cells[0] == "2.72", "odds of a fact about a person are e to 2 epsilon"
    private, public = (float(re.findall(r"±\s([\d.]+)", cell)[0]) for cell in (cells[1], cells[-1]))
    assert private <= public
    assert "whether a unit is in the table at all" in page.text
    assert "simplex geometric, number public" in embedded_pictures(page)[0]
    link = next(each.get("href") for each in row.all("a") if each.get("data-kind") == "geometric")
    quote = browser.get(link)
    assert "600 of 2 400 records" in quote.text
    assert "Pay ε = 0.5" in quote.text
    assert browser.get(f"{path}?records=many").error_at("records")


def test_mechanisms_that_need_a_delta_are_left_out_where_no_delta_is_granted(sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    for delta, is_offered in (("1e-7", True), ("0", False)):
        data = admissions(owner)
        body = {"principal_id": analyst.principal_id, "epsilon": "1", "delta": delta}
        assert owner.post(f"/v1/datasets/{data['id']}/grants", body).status_code == 201
        page = browser_of(analyst).get(f"/console/datasets/{data['id']}/plan")
        offered = [each.get("value") for each in page.by_id("direct_kind").all("option")]
        assert "simplex_geometric" in offered
        assert ("gaussian" in offered) is is_offered
        assert ("Your grant has no δ" in page.text) is not is_offered


def test_a_plan_shows_a_risk_within_a_group_and_its_interval_in_one_unit(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    browser = browser_of(analyst)
    path = f"/console/datasets/{data['id']}/plan"
    counts = [("count", each) for each in ("2", "2417", "4", "3390")]
    page = browser.get(f"{path}?{urlencode([*counts, ('outcome_1', 'yes'), ('first_0', 'female')])}")
    # 2 of 2 419, in the unit of a rare share.
    assert "is 83 per 100 000: 2 of 2 419 records" in page.text
    table = page.by_id("steps")
    assert "in per 100\u202f000" in table.all("caption")[0].text
    assert "points" not in table.text
    assert "contains it 9" in table.all("tbody")[0].text
    halves = []
    for row in table.all("tbody")[0].all("tr"):
        link = next(each for each in row.all("a") if each.get("data-kind") == "simplex_geometric")
        half = float(link.text.removeprefix("±").replace("\u202f", ""))
        low, high = (float(each.replace("\u202f", "")) for each in link.get("data-ends").split(" to "))
        assert low >= 0.0
        assert high <= 100_000.0
        assert (high - low) / 2 == pytest.approx(half, rel=0.4)  # medians of ends, and a mean width
        halves.append(half)
    assert all(later <= 1.05 * earlier for earlier, later in pairwise(halves))
    drawn = embedded_pictures(page)[0]
    assert "per 100\u202f000" in drawn
    assert "percentage points" not in drawn
    said = re.findall(r"simplex geometric[^:]*: (.*?)\.(?= |<|$)", drawn.replace("\u2068", "").replace("\u2069", ""))[
        -1
    ]
    shown = [100_000 * float(each) for each in re.findall(r"width ([\d.e-]+\d)", said)]
    assert shown == pytest.approx(halves, rel=0.06)  # the picture has the half-widths of the table


def ends_of(text: str) -> list[float]:
    """The numbers of "1 000 to 2 000" at the start of a text."""
    first, second, *_ = text.partition(" per ")[0].partition(" percent")[0].split(" to ")
    return [float(re.sub(r"[^\d.-]", "", end)) for end in (first, second)]


@pytest.mark.long
def test_a_guess_is_filled_in_and_kept_on_the_way_back(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    path = f"/console/datasets/{data['id']}/plan"
    page = browser.get(path)
    assert "sex female · admitted yes" in page.text
    assert "the counts are all alike" in page.text
    rare = browser.get(f"{path}?{urlencode({'rate': '1 in 100', 'kind': 'share', 'outcome_1': 'yes'})}")
    assert "all alike" not in rare.text
    typed = [int(each) for each in typed_counts(rare)]
    assert (sum(typed), typed[0] + typed[2]) == (5813, 58)
    fields = {"kind": "share", "outcome_1": "yes", "filled_rate": "", "rate": "1 in 100", "count": typed_counts(page)}
    drawn = browser.get(f"{path}?{urlencode(fields, doseq=True)}")
    assert typed_counts(drawn) == typed_counts(rare)
    assert "all alike" not in drawn.text
    fields |= {"filled_rate": "1 in 100", "rate": "2 in 100", "count": typed_counts(drawn)}
    assert "Press “Fill in”" in browser.get(f"{path}?{urlencode(fields, doseq=True)}").error_at("rate")
    off = [("count", each) for each in ("3", "2417", "4", "3390")]
    page = browser.get(f"{path}?{urlencode([*off, ('outcome_1', 'yes'), ('first_0', 'female')])}")
    assert "Your counts sum to 5 814. The data set has 5 813 records" in page.text
    step = next(each for each in page.root.all("a") if each.get("data-charge") == "0.5")
    quote = browser.get(step.get("href"))
    assert "3 of 2 420 records for “Risk: admitted yes, among sex female”" in quote.text
    planned, quoted = (ends_of(text) for text in (step.get("data-ends"), quote.text.partition("would be about ")[2]))
    assert quoted == pytest.approx(planned, abs=0.15 * (planned[1] - planned[0])), (
        "as near as the plan says that its widths are"
    )
    back = browser.get(quote.link("Back to the plan"))
    assert typed_counts(back) == ["3", "2417", "4", "3390"]
    assert back.by_id("first_0").has("checked")


@pytest.mark.long
@pytest.mark.parametrize(("kind", "epsilon"), [("simplex_geometric", "0,5"), ("gaussian", "0.5")])
def test_a_point_that_is_named_keeps_the_guess(sqlite_server: Server, kind: str, epsilon: str) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    counts = [("count", each) for each in ("3", "2417", "4", "3389")]
    guessed = urlencode([*counts, ("outcome_1", "yes"), ("first_0", "female"), ("delta", "0")])
    page = browser.get(f"/console/datasets/{data['id']}/plan?{guessed}")
    quote = asked(browser, page, kind=kind, amount=epsilon, delta="1e-8")
    assert quote.status == 200, quote.text
    assert "3 of 2 420 records for “Risk: admitted yes, among sex female”" in quote.text
    back = browser.get(quote.link("Back to the plan"))
    assert typed_counts(back) == ["3", "2417", "4", "3389"]
    assert back.by_id("delta").get("value") == "1e-8"


def test_a_quote_says_nothing_at_a_guess_that_its_address_does_not_carry(sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    query = urlencode({"mechanism": MECHANISM, "amount": "0.2", "plan": "outcome_1=yes&delta=0&prior=1"})
    quote = browser_of(analyst).get(f"/console/datasets/{data['id']}/quote?{query}")
    assert "At your guess" not in quote.text
    assert "What to expect" in quote.text
    assert not re.search(r"\d,\d{3}", quote.text)


def test_the_same_release_is_paid_again_only_if_that_is_ticked(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    one, other = quote_of(browser, data), quote_of(browser, data)  # two tabs from one link
    release = browser.send(one, "/releases")
    assert browser.send(other, "/releases").path == release.path
    third = quote_of(browser, data)
    assert "You paid for the same release, ε = 0.2" in third.text
    assert third.link("see it") == release.path
    assert charges(owner, data) == ["0.2"]
    # The page that paid shows what it paid for, and no amount to pay.
    back = browser.get(str(one.response.url).removeprefix(server.url))
    assert "You have paid for this release: ε = 0.2" in back.text
    assert "Pay ε" not in back.text
    assert "refused" not in back.text
    assert browser.send(back, "/releases").path == release.path
    again = browser.send(quote_of(browser, data, MECHANISM.replace("0.2", "0.20")), "/releases", again="yes")
    assert again.path.startswith("/console/releases/")
    assert again.path != release.path
    assert charges(owner, data) == ["0.2", "0.2"]


def test_a_quote_names_the_amount_that_is_lacking_and_warns_of_a_useless_release(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    plan = browser.get(f"/console/datasets/{data['id']}/plan")
    assert "gaussian" in [each.get("value") for each in plan.by_id("direct_kind").all("option")]
    query = urlencode({"kind": "gaussian", "amount": "0,5", "delta": "1e-5"})
    page = browser.get(f"/console/datasets/{data['id']}/quote?{query}")
    assert page.status == 200, page.text
    assert "It needs δ = 1 × 10⁻⁵; at most δ = 1 × 10⁻⁷ is left for you" in page.text
    assert "It needs ε" not in page.text
    refused = browser.get(f"/console/datasets/{data['id']}/quote?{query.replace('1e-5', '0')}")
    assert "needs a delta above 0" in refused.text
    assert "Nothing was charged" in refused.text
    useless = quote_of(browser, data, '{"kind": "exponential_global", "epsilon": "0.02"}')
    html = useless.response.text
    assert "This release would be almost useless" in useless.text
    assert html.index("almost useless") < html.index("<button>Pay")  # and the button is not the main one


def test_the_odds_are_the_same_on_every_page(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    plan = browser.get(f"/console/datasets/{data['id']}/plan")
    step = next(each for each in plan.root.all("a") if each.get("data-charge") == "0.5")
    assert step.get("data-odds") == "1.65"
    quote = browser.get(step.get("href"))
    assert "of a fact about the last person, such as an illness, at most 1.65 times" in quote.text
    assert "no set of outcomes more than 1.65 times as probable" in quote.text
    release = browser.send(quote, "/releases")
    assert "at most 1.65 times" in release.text
    mine = browser_of(owner)
    assert "at most 7.39 times" in mine.get(f"/console/data/{data['id']}").text
    statement = mine.get(f"/console/data/{data['id']}/statement").text
    assert "at most 7.39 times" in statement
    assert "at most 1.65 times" in statement


def test_a_plan_without_a_grant_leads_to_a_request_and_with_one_to_what_is_left(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    browser, path = browser_of(analyst), f"/console/datasets/{data['id']}"
    plan = browser.get(f"{path}/plan")
    assert not any("/quote" in each for each in plan.links)
    step = next(each for each in plan.root.all("a") if each.get("data-charge") == "0.2")
    ask = browser.get(step.get("href").partition("#")[0])
    assert ask.value("amount") == "0.2"
    refused = browser.get(f"{path}/quote?{urlencode({'mechanism': MECHANISM})}")
    assert "You have no grant on this data set yet" in refused.text
    assert refused.link("Ask the owner for access") == f"{path}#ask"
    grant(owner, data, analyst, "0.37")
    plan = browser.get(f"{path}/plan")
    rows = plan.by_id("steps").all("tbody")[0].all("tr")
    assert [row.all("th")[0].text.removeprefix("ε = ") for row in rows][-3:] == ["0.2", "0.37", "0.5"]
    assert "too much" in rows[-1].text
    browser.send(quote_of(browser, data), "/releases")
    page = browser.get(path)
    assert "ε = 0.2 spent and 0.17 left of 0.37" in page.text
    assert not any(form.get("action").endswith("/requests") for form in page.forms)  # it would be refused
    assert "the owner sets a new total, not an amount on top" in page.text


def test_a_release_is_paid_once_under_reload_back_two_tabs_and_a_lost_answer(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    quote = quote_of(browser, data)
    address = str(quote.response.url).removeprefix(server.url)
    first = browser.send(quote, "/releases")
    assert browser.get(first.path).status == 200  # a reload
    back = browser.get(address)
    assert browser.send(back, "/releases").path == first.path
    other_tab = Browser(server.url)
    other_tab.sign_in(analyst.key)
    assert other_tab.send(other_tab.get(address), "/releases").path == first.path
    sent = fields_of(next(f for f in quote.forms if f.get("action").endswith("/releases")))
    assert browser.post(f"/console/datasets/{data['id']}/releases", sent).path == first.path
    assert charges(owner, data) == ["0.2"]
    again = quote_of(browser, data)
    assert again.link("simplex geometric") == first.path  # what is there already is named


def test_a_refusal_to_release_says_that_nothing_was_charged(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst, "0.1")
    browser = browser_of(analyst)
    quote = quote_of(browser, data)
    assert "your grant has less than that left" in quote.text
    assert not any(form.get("action").endswith("/releases") for form in quote.forms)
    small = quote_of(browser, data, MECHANISM.replace("0.2", "0.1"))
    owner.patch(f"/v1/budgets/{data['budget_id']}", {"frozen": True})
    refused = browser.send(small, "/releases")
    assert refused.status == 409
    assert "Nothing was charged" in refused.text
    assert charges(owner, data) == []
    owner.patch(f"/v1/budgets/{data['budget_id']}", {"frozen": False})
    frozen_key = next(f for f in small.forms if f.get("action").endswith("/releases"))
    key = dict(fields_of(frozen_key))["once"]
    assert dict(fields_of(next(f for f in refused.forms if f.get("action").endswith("/releases"))))["once"] == key
    assert browser.send(refused, "/releases").path.startswith("/console/releases/")
    wrong = browser.get(f"/console/datasets/{data['id']}/quote?kind=laplace&amount=much")
    assert wrong.status == 422
    assert "Nothing was charged" in wrong.text


def test_a_query_answers_free_first_and_is_measured_once(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    path = f"/console/datasets/{data['id']}/query"
    page = asked(browser, browser.get(path), outcome_1="yes", half_width="60")
    assert "don't answer this" in page.text
    refused = asked(browser, page, half_width="-3")
    assert refused.error_at("half_width")
    assert refused.by_id("half_width").get("value") == "-3"
    assert asked(browser, page, half_width="nan").error_at("half_width")
    answers = browser.send(page, "/queries")
    assert answers.path.startswith("/console/queries/"), answers.text
    sent = fields_of(next(f for f in page.forms if f.get("action").endswith("/queries")))
    assert browser.post(f"/console/datasets/{data['id']}/queries", sent).path == answers.path
    assert len(charges(owner, data)) == 1
    free = asked(browser, browser.get(path), outcome_1="yes", half_width="70")
    assert "There is nothing to pay" in free.text
    weighted = asked(browser, browser.get(path), weights="female · yes = 2\nmale · yes = 2", half_width="150")
    assert "There is nothing to pay" in weighted.text
    assert asked(browser, browser.get(path), weights="female yes 2").error_at("weights")
    misspelt = asked(browser, browser.get(path), weights="female · yess = 2", half_width="150").error_at("weights")
    assert "“female · yess” is not a value here. Do you mean “female · yes”?" in misspelt
    listed = browser.get("/console/releases")
    assert listed.link("UTC") == answers.path


def test_a_public_release_is_for_anyone(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    made = browser_of(analyst)
    release_id = made.send(quote_of(made, data), "/releases").path.rpartition("/")[2]
    nobody = Browser(server.url)
    public = f"/console/public/releases/{release_id}"
    assert nobody.get(public).status == 404
    assert nobody.get(f"/console/releases/{release_id}").heading == "Sign in"
    owner.patch(f"/v1/releases/{release_id}", {"public": True})
    page = nobody.get(public)
    assert page.status == 200, page.text
    assert "PRIVATE_POSTERIOR_KEY" not in page.text
    assert analyst.principal_id not in page.text
    ratio = asked(nobody, page, kind="ratio", outcome_1="yes", first_0="female", second_0="male")
    assert "Risk ratio of admitted yes" in ratio.text
    assert nobody.http.get(f"{public}/picture.svg").headers["Content-Type"].startswith("image/svg+xml")
    assert nobody.http.get(f"{public}/shares.csv").text.count("\r\n") == 5
    other = browser_of(server.new("analyst"))
    assert other.get(f"/console/releases/{release_id}").heading == "A public release"


def test_others_and_other_roles_are_refused(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    quote = quote_of(browser, data)
    release = browser.send(quote, "/releases").path
    unlisted = owner.post("/v1/datasets", registration([30, 40])).json()
    paths = [f"/console/datasets/{data['id']}{end}" for end in ("", "/plan", "/quote", "/query")]
    for other in (browser_of(server.admin), browser_of(owner)):
        for path in ("/console/datasets", "/console/releases", *paths):
            assert other.get(path).status == 403, path
    stranger = browser_of(server.new("analyst"))
    assert stranger.get(release).status == 404
    assert stranger.get(f"{release}/shares.csv").status == 404
    assert stranger.get(f"/console/datasets/{unlisted['id']}").status == 404
    assert stranger.get(f"/console/datasets/{unlisted['id']}/plan").status == 404
    marks = dict(stranger.get("/console/keys").marks)
    sent = dict(fields_of(next(f for f in quote.forms if f.get("action").endswith("/releases")))) | marks
    assert stranger.post(f"/console/datasets/{data['id']}/releases", list(sent.items())).status == 404
    without = [(name, value) for name, value in sent.items() if name not in marks]
    assert browser.post(f"/console/datasets/{data['id']}/releases", without).status == 409
    assert charges(owner, data) == ["0.2"]
    assert browser_of(owner).get(release).status == 200  # who owns the data may read it


def test_no_count_is_on_any_page_of_an_analyst(server: Server) -> None:
    study: Study = make_study(server.new("owner"), server.new("analyst"))
    study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"listed": True})
    browser, path = browser_of(study.analyst), f"/console/datasets/{study.dataset_id}"
    texts = [browser.get(each).response.text for each in ("/console/datasets", path)]
    plan = browser.get(f"{path}/plan")
    quote = browser.get(f"{path}/quote?{urlencode({'mechanism': MECHANISM})}")
    query = browser.get(f"{path}/query?{urlencode({'ask': 'yes', 'outcome_0': 'case', 'half_width': '1000'})}")
    texts += [each.response.text for each in (plan, quote, query)]
    texts += embedded_pictures(plan)
    for text in texts:
        digits = re.sub(r"[\s,.\u202f_]", "", text)
        assert not any(str(count) in digits for count in COUNTS)
    assert str(sum(COUNTS)) in re.sub(r"\s", "", plan.text + browser.get(path).text)  # the search would find a count


@pytest.fixture(scope="module")
def hostile(sqlite_server: Server) -> list[Page]:
    """Every page of an analyst about a data set whose name and labels contain markup."""
    server = sqlite_server
    owner, analyst = server.new("owner"), server.new("analyst")
    body = registration(
        [300, 400, 500, 600], labels=HOSTILE, name=f"{unique('')}{HOSTILE[0]}{HOSTILE[1]}", unit=HOSTILE[0]
    )
    data = owner.post("/v1/datasets", body).json()
    owner.patch(f"/v1/datasets/{data['id']}", {"listed": True})
    browser, path = browser_of(analyst), f"/console/datasets/{data['id']}"
    pages = [browser.get("/console/datasets"), browser.get(path)]
    pages.append(browser.send(pages[1], "/requests", amount="0.5", delta="0", purpose=HOSTILE[0]))
    grant(owner, data, analyst, "0.5")
    pages += [browser.get("/console/datasets"), browser.get(f"{path}/plan"), quote_of(browser, data)]
    release = browser.send(pages[-1], "/releases")
    pages.append(release)
    pages.append(asked(browser, release, kind="ratio", outcome_0=HOSTILE[0], second_0=HOSTILE[3]))
    pages.append(asked(browser, pages[-1], kind="share", outcome_0=HOSTILE[1]))
    pages.append(asked(browser, browser.get(f"{path}/query"), outcome_0=HOSTILE[0], half_width="20"))
    pages.append(browser.send(pages[-1], "/queries"))
    pages.append(browser.get("/console/releases"))
    owner.patch(f"/v1/releases/{release.path.rpartition('/')[2]}", {"public": True})
    pages.append(Browser(server.url).get(release.path.replace("/releases/", "/public/releases/")))
    for page in pages:
        assert page.status == 200, (page.path, page.text)
        assert not any("<script" in each for each in embedded_pictures(page))
        assert page.root.all("img") == []
    table = list(csv.reader(io.StringIO(browser.http.get(f"{release.path}/shares.csv").text)))
    assert [row[0] for row in table[1:]] == [HOSTILE[0], HOSTILE[1], "'=1+1", HOSTILE[3]]
    return pages


def test_pages_of_analysts_are_whole_and_show_labels_as_text(hostile: list[Page]) -> None:
    from tests.service.console import test_pages as rules

    rules.test_every_page_has_one_heading_landmarks_and_a_language(hostile)
    rules.test_every_field_has_a_label_and_every_reference_leads_somewhere(hostile)
    rules.test_every_table_has_a_caption_and_every_picture_a_text(hostile)
    rules.test_no_page_has_code_or_style_of_its_own(hostile)
    rules.test_every_page_has_the_policy_and_is_stored_nowhere(hostile)
    for text in HOSTILE:
        assert any(text in page.text for page in hostile), text


@pytest.mark.parametrize(
    ("changes", "changed"),
    [
        ({}, "one record"),
        ({"one_record_per_unit": None, "records_per_unit": 3}, "all records (at most 3) of one person"),
    ],
)
def test_a_quote_says_what_can_change(server: Server, changes: dict[str, Any], changed: str) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner, **changes)
    grant(owner, data, analyst)
    assert f"replacing {changed} makes no set of outcomes more than" in quote_of(browser_of(analyst), data).text


def scripts_of_a_release_page(server: Server) -> tuple[Party, list[str]]:
    """An analyst who asked a question about a release, and the code that the page has for Python, R and curl."""
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner, name=unique('It\'s "quoted" $(x)'))
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    release = browser.send(quote_of(browser, data), "/releases")
    page = asked(browser, release, kind="difference", outcome_1="yes", first_0="female", second_0="male")
    return analyst, [browser.http.get(each).text for each in page.links if "/repeat." in each]


def test_code_in_python_of_a_release_page_runs(server: Server) -> None:
    analyst, (python, _, _) = scripts_of_a_release_page(server)
    printed = _run(["python", "-c", python], analyst)
    assert printed.count("\n") == 8, printed  # four categories, the answer and its probability, and two risks


@pytest.mark.long
def test_code_in_r_and_for_curl_of_a_release_page_runs(server: Server, rscript: str, curl: str, tmp_path: Path) -> None:
    analyst, (_, r, shell) = scripts_of_a_release_page(server)
    assert f"{Path(curl).name} " in shell
    found = json.loads(_run(["sh", "-c", shell], analyst))
    assert found["answers"][0]["question"]["kind"] == "difference"
    file = tmp_path / "repeat.R"
    file.write_text(r)
    assert "Risk difference" in _run([rscript, str(file)], analyst)


def _run(command: list[str], analyst: Party) -> str:
    import os
    import subprocess
    import sys

    command[0] = sys.executable if command[0] == "python" else command[0]
    environment = os.environ | {"PRIVATE_POSTERIOR_KEY": analyst.key}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_session_that_ends_before_paying_pays_once_afterwards(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    browser = browser_of(analyst)
    quote = quote_of(browser, data)
    session = next(each for each in analyst.get("/v1/keys").json()["items"] if each["kind"] == "session")
    assert analyst.delete(f"/v1/keys/{session['id']}").status_code == 204
    ended = browser.send(quote, "/releases")
    assert ended.status == 401
    assert charges(owner, data) == []
    browser.send(ended, "/console/sign-in", key=analyst.key)
    again = quote_of(browser, data)
    release = browser.send(again, "/releases")
    assert release.path.startswith("/console/releases/"), release.text
    assert browser.send(again, "/releases").path == release.path
    assert charges(owner, data) == ["0.2"]


def test_the_same_way_by_api_gives_the_same_ledger(server: Server) -> None:
    kinds = []
    for by_console in (True, False):
        owner, analyst = server.new("owner"), server.new("analyst")
        data = admissions(owner)
        grant(owner, data, analyst)
        if by_console:
            browser = browser_of(analyst)
            browser.send(quote_of(browser, data), "/releases")
        else:
            analyst.release(data["id"], {"prior": [1] * 4, "mechanism": json.loads(MECHANISM)})
        entries = owner.get(f"/v1/budgets/{data['budget_id']}/ledger", limit=1000).json()["items"]
        kinds.append([(each["kind"], each["amount"]) for each in entries])
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize(
    ("share", "ends", "texts"),
    [
        (0.001, (0.0003, 0.0047), ("± 220 per 100\u202f000", "30 to 470", "100\u00a0per 100\u202f000")),
        (0.001, (0.0001, 0.84), ("± 42\u202f000 per 100\u202f000", "0 to 84\u202f000", "100\u00a0per 100\u202f000")),
        (0.0103, (0.0052, 0.01702), ("± 0.59 percentage points", "0.52 to 1.70", "1.0\u00a0%")),
        (0.5, (0.4862, 0.5138), ("± 1.4 percentage points", "48.6 to 51.4", "50\u00a0%")),
        (0.0, (0.0, 0.0002), ("± 10 per 100\u202f000", "0 to 20", "0\u00a0per 100\u202f000")),
    ],
)
def test_intervals_are_written_in_one_unit_with_two_digits(
    share: float, ends: tuple[float, float], texts: tuple[str, str, str]
) -> None:
    scale, interval = ShareUnit(share), dict(zip(("low", "high"), ends, strict=True))
    written = f"± {scale.half(ends[1] - ends[0])} {scale.width_unit}", scale.ends(interval), scale.value()
    assert written == texts


@pytest.mark.long
def test_the_plan_of_a_rare_share_shows_where_its_interval_lies(server: Server) -> None:
    """3 of 1 400 by exact counts: Beta(4, 1398) has 95 % from 78 to 625 per 100 000."""
    owner, analyst = server.new("owner"), server.new("analyst")
    data = owner.post("/v1/datasets", registration([700, 700], labels=["ill", "well"])).json()
    grant(owner, data, analyst)
    query = urlencode({"counts": "3_1397", "outcome_0": "ill"})
    page = browser_of(analyst).get(f"/console/datasets/{data['id']}/plan?{query}")
    assert page.status == 200, page.text
    assert "Exact counts, without noise, would give" in " ".join(page.text.split())


def test_a_budget_in_rho_is_planned_and_paid_in_rho(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    budget = {"accountant": "zcdp", "name": unique("budget"), "epsilon": "2", "delta": "1e-6"}
    made = owner.post("/v1/datasets", registration([400, 600], budget={"kind": "new", "budget": budget}))
    assert made.status_code == 201, made.text
    data = made.json()
    body = {"principal_id": analyst.principal_id, "rho": "0.05", "delta": "0"}
    assert owner.post(f"/v1/datasets/{data['id']}/grants", body).status_code == 201
    browser = browser_of(analyst)
    page = browser.get(f"/console/datasets/{data['id']}/plan?{urlencode({'delta': '1e-8'})}")
    assert page.status == 200, page.text
    assert "Your next release may cost at most ρ = 0.05" in page.text
    points = [each for each in page.root.all("a") if each.get("data-kind") == "gaussian"]
    assert points
    quote = browser.get(points[5].get("href"))
    assert "Pay ρ = " in quote.text
    release = browser.send(quote, "/releases")
    assert "for ρ = " in release.text, release.text
    listed = browser.get("/console/releases")
    assert "Gaussian" in listed.text


def test_answers_without_a_grant_and_at_the_limit_are_said_in_words(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    browser = browser_of(analyst)
    plan = browser.get(f"/console/datasets/{data['id']}/plan")
    assert "You have no grant on this data set yet" in plan.text
    refused = browser.get(f"/console/datasets/{data['id']}/quote?{urlencode({'mechanism': MECHANISM})}")
    assert refused.status == 404
    assert "Nothing was charged" in refused.text
    grant(owner, data, analyst)
    page = browser.send(quote_of(browser, data), "/releases")
    same = asked(browser, browser.get(page.path), kind="ratio", outcome_1="yes", first_0="male", second_0="male")
    assert "differs from the first" in same.error_at("second_0")


def test_the_outcome_of_a_request_is_shown_and_an_open_one_can_be_withdrawn(server: Server) -> None:
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    browser, path = browser_of(analyst), f"/console/datasets/{data['id']}"
    first = browser.send(browser.get(path), "/requests", amount="0.5", purpose="the first")
    request = owner.get("/v1/access-requests", dataset_id=data["id"]).json()["items"][0]
    assert not any(form.get("action").endswith("/requests") for form in first.forms)
    owner.patch(f"/v1/access-requests/{request['id']}", {"state": "declined", "reason": "Ask again <b>in May</b>."})
    home = browser.get("/console/datasets")
    assert "declined" in home.text
    assert "“Ask again <b>in May</b>.”" in home.text
    page = browser.get(path)
    asked_again = browser.send(page, "/requests", amount="0.4", purpose="the second")
    assert browser.send(page, "/requests", amount="0.4", purpose="the second").status == 200  # sent again: one request
    states = [each["state"] for each in analyst.get("/v1/access-requests").json()["items"]]
    assert sorted(states) == ["declined", "open"]
    withdrawn = browser.send(asked_again, "/withdraw")
    assert "withdrawn by you" in withdrawn.text
    assert "withdraw" not in [form.get("action").rpartition("/")[2] for form in withdrawn.forms]


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("kind", "estimate", "sign"),
    [("ratio", "0.43", ""), ("odds_ratio", "0.41", ""), ("difference", "\u22123.3 percentage points", "±")],
)
def test_a_plan_is_for_what_is_asked(sqlite_server: Server, kind: str, estimate: str, sign: str) -> None:
    """60 of 2 419 against 254 of 4 394, with the widths of `/v1`."""
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    browser, path = browser_of(analyst), f"/console/datasets/{data['id']}/plan"
    counts = [60, 2359, 254, 4140]
    typed = [("kind", kind), ("outcome_1", "yes"), ("first_0", "female"), ("second_0", "male")]
    page = browser.get(f"{path}?{urlencode([*(('count', each) for each in counts), *typed])}")
    assert page.status == 200, page.text
    assert "60 of 2 419 against 254 of 4 394 records" in page.text
    question = {
        "kind": kind,
        "first": share(admitted=["yes"], within={"sex": ["female"]}),
        "second": share(admitted=["yes"], within={"sex": ["male"]}),
    }
    body = {
        "prior": [1] * 4, "data": {"kind": "counts", "counts": counts}, "epsilons": ["0.1", "0.5"],
        "attributes": data["attributes"], "questions": [question],
    }  # fmt: skip
    found = analyst.post("/v1/plans", body).json()
    for point in found["points"]:
        [option] = [each for each in point["options"] if each["kind"] == "simplex_geometric"]
        link = next(
            each for each in page.root.all("a")
            if each.get("data-kind") == "simplex_geometric" and each.get("data-charge") == point["epsilon"]
        )  # fmt: skip
        assert link.text.startswith(sign)
        width = option["intervals"][0]["width"]
        said = float(link.text.removeprefix(sign))
        assert said == pytest.approx(100 * width / 2 if kind == "difference" else math.exp(width), rel=0.1)
        low, high = (option["intervals"][0][end] * (100 if kind == "difference" else 1) for end in ("low", "high"))
        assert ends_of(link.get("data-ends").replace("\u2212", "-")) == pytest.approx([low, high], rel=0.1)
    assert f"is {estimate}" in page.text.replace("\u00a0", " ")


def test_a_plan_whose_amount_is_spent_leads_to_a_request(sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst, "0.2")
    assert analyst.release(data["id"], {"prior": [1] * 4, "mechanism": json.loads(MECHANISM)}).status_code == 201
    browser = browser_of(analyst)
    plan = browser.get(f"/console/datasets/{data['id']}/plan")
    assert "Nothing is left for you" in plan.text
    assert not any("/quote" in each for each in plan.links)
    step = next(each for each in plan.root.all("a") if each.get("data-charge") == "0.5")
    page = browser.get(step.get("href").partition("#")[0])
    quote = quote_of(browser, data, MECHANISM.replace("0.2", "0.5"))
    assert step.get("href").partition("&")[0] in quote.link("Ask the owner to raise your grant")
    assert f"raise my access to “{data['name']}” ({data['id']}) to ε = 0.7" in page.text
    assert not any(form.get("action").endswith("/requests") for form in page.forms)
    owners = browser_of(owner)
    owners.send(owners.get(f"/console/data/{data['id']}"), "/change", cap="0.7", key=owner.key)
    plan = browser.get(f"/console/datasets/{data['id']}/plan")
    step = next(each for each in plan.root.all("a") if each.get("data-charge") == "0.5")
    release = browser.send(browser.get(step.get("href")), "/releases")
    assert release.path.startswith("/console/releases/rel_"), release.text
    assert charges(owner, data) == ["0.2", "0.5"]


def test_a_query_counts_several_values(sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    fields = [("ask", "yes"), ("outcome_0", "female"), ("outcome_0", "male"), ("outcome_1", "yes")]
    browser = browser_of(analyst)
    quote = browser.get(f"/console/datasets/{data['id']}/query?{urlencode([*fields, ('half_width', '60')])}")
    answers = browser.send(quote, "/queries")
    assert "count of sex female or male and admitted yes" in answers.text


def rows_of(page: Page, table: str) -> dict[str, list[str]]:
    rows = page.by_id(table).all("tbody")[0].all("tr")
    return {row.all("th")[0].text: [each.text for each in row.all("td")] for row in rows}


@pytest.mark.long
def test_a_plan_for_each_level_or_of_a_trial_shows_where_each_interval_would_lie(sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    browser, path = browser_of(analyst), f"/console/datasets/{data['id']}/plan"
    guess = [("count", each) for each in ("60", "2359", "254", "4140")] + [("outcome_1", "yes")]
    by = browser.get(f"{path}?{urlencode([*guess, ('kind', 'share'), ('by', 'sex')])}")
    rows = rows_of(by, "every")
    assert [name.partition(" ")[0] for name in rows] == ["all", "female", "male"]
    low, high = ends_of(rows[next(name for name in rows if name.startswith("female"))][0])
    assert low < 100 * 60 / 2419 < high < 100 * 254 / 4394
    assert "adjusted figures" not in by.text
    groups = [("kind", "trial"), ("first_0", "female"), ("second_0", "male")]
    trial = browser.get(f"{path}?{urlencode([*guess, *groups])}")
    rows = rows_of(trial, "every")
    names = ["Risk, sex female", "Risk, sex male", "Risk difference", "Risk ratio", "Odds ratio"]
    assert all(name.startswith(of) for name, of in zip(rows, names, strict=True))
    exact, *noisy = rows["Risk ratio"]
    widths = [high / low for low, high in map(ends_of, noisy)]
    assert all(later <= 1.01 * earlier for earlier, later in pairwise(widths))  # three digits each
    assert widths[-1] >= 0.99 * ends_of(exact)[1] / ends_of(exact)[0]
    assert "upper/lower" in trial.by_id("chosen-title").text
