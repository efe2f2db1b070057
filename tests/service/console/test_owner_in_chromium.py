"""The owner's way in a real browser: from a file to a registered table, its spending, and who may ask."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.harness.bodies import unique
from tests.harness.chromium import Visitor
from tests.harness.server import Party, Server

pytestmark = pytest.mark.long
_PLANTED = "planted-7f3a"
_COUNTS = {("1", "ja"): 23, ("1", "nein"): 611, ("2", "ja"): 37, ("2", "nein"): 587}
_LEFT_OUT = ["9;12,5;ja;{note}", ";11,0;nein;{note}", "Total;0,0;ja;{note}"]
_TABLE = "sex,ill,count\nfemale,ja,23\nfemale,nein,611\nmale,ja,37\nmale,nein,587"


def file_of_rows() -> str:
    """A file as a spreadsheet in Germany writes it: semicolons, decimal commas, and a note that only its row has."""
    rows = [f"{sex};{age % 90},5;{ill};{{note}}" for (sex, ill), count in _COUNTS.items() for age in range(count)]
    rows += _LEFT_OUT
    return "\r\n".join(["sex;weight;ill;note", *(row.format(note=f"{_PLANTED}-{at}") for at, row in enumerate(rows))])


def take_the_file(page: Page) -> None:
    """Has the rows of the file counted: two columns, with values from a code book."""
    content = file_of_rows().encode("windows-1252")
    page.locator("#file").set_input_files({"name": "Fälle.csv", "mimeType": "text/csv", "buffer": content})
    expect(page.locator("#file-summary")).to_contain_text("4 columns were read")
    expect(page.locator("#separator")).to_have_value(";")
    page.get_by_label("sex (").check()
    page.get_by_label("ill (").check()
    values = page.get_by_label("One value a line")
    values.nth(0).fill("1 = female\n2 = male")
    values.nth(1).fill("ja\nnein")
    expect(page.locator("#column-rows")).to_contain_text("In the file and not listed, so left out: “9” (1 row)")
    expect(page.locator("#totals-said")).to_contain_text("“Total” in the column “sex”")
    expect(page.locator("#totals-said")).to_contain_text("left out")
    page.get_by_role("radio", name="No", exact=True).check()
    page.get_by_role("button", name="Count the rows").click()
    said = "Left out: 1 with a missing value, 1 with a value that is not listed: “9” in “sex”."
    expect(page.locator("#counted")).to_contain_text(said)
    expect(page.locator("#table")).to_have_value(_TABLE)


def fill_in(page: Page, name: str) -> None:
    page.get_by_label("Name of the data set").fill(name)
    page.get_by_label("What one record stands for").fill("one child")
    page.get_by_label("The most records that one person has").fill("1")
    page.get_by_label("The number of records may be known.").check()
    page.get_by_label("The names of the columns and their values may be known.").check()
    page.get_by_label("ε of a new budget").fill("0.7")


def ledger(owner: Party, budget_id: str) -> list[tuple[str, object]]:
    entries = owner.get(f"/v1/budgets/{budget_id}/ledger", limit=1000).json()["items"]
    return [(each["kind"], each["amount"]) for each in entries]


def register_by_api(owner: Party) -> str:
    """The same table by the API; its budget."""
    made = owner.post(
        "/v1/datasets",
        {
            "name": unique("cases"),
            "attributes": [{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["ja", "nein"]}],
            "counts": list(_COUNTS.values()),
            "unit": "one child",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {
                "kind": "new",
                "budget": {"accountant": "basic", "name": unique("cases"), "epsilon": "0.7", "delta": "1e-7"},
            },
        },
    )
    assert made.status_code == 201, made.text
    budget_id: str = made.json()["budget_id"]
    return budget_id


def test_a_file_becomes_a_data_set_and_no_row_leaves_the_browser(chromium: Browser, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    visitor = Visitor.at(chromium, sqlite_server.url)
    page = visitor.page
    visitor.sign_in(owner.key)
    visitor.go("/console/data/new")
    visitor.requests.clear()
    take_the_file(page)
    name = unique("Cases of the year")
    fill_in(page, name)
    expect(page.locator("#known table")).to_be_visible()
    expect(page.locator("#delta")).to_have_value("1e-7")
    page.get_by_role("button", name="Review").click()
    expect(page.locator("h1")).to_have_text(f"Review: {name}")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_text("nonce", exact=False).first).to_be_visible()

    assert {request.url.partition("/console/")[0] for request in visitor.requests} == {sqlite_server.url}
    sent = [(request.post_data or "") for request in visitor.requests]
    for text in (*sent, *(request.url for request in visitor.requests)):
        assert _PLANTED not in text
        assert not re.search(r"\d(,|%2C)5\b.*(ja|nein)", text)
    tables = {dict(parse_qsl(text)).get("table", "").replace("\r\n", "\n") for text in sent if text}
    assert tables == {_TABLE}
    assert visitor.complaints == []

    data = next(each for each in owner.get("/v1/datasets").json()["items"] if each["name"] == name)
    assert (data["record_count"], data["labels"][0]) == (1258, "female · ja")
    assert ledger(owner, data["budget_id"]) == ledger(owner, register_by_api(owner))

    visitor.go("/console/")
    page.get_by_role("link", name=name).click()
    page.get_by_text("Give a grant").click()
    grants = page.locator("form[action$='/grants']")
    grants.get_by_label("The analyst's id").fill(analyst.principal_id)
    grants.get_by_label("The most they may spend").fill("0,4")
    grants.get_by_label("Your key").fill("pp_mistyped")
    page.get_by_role("button", name="Give the grant").click()
    expect(grants.get_by_label("Your key")).to_have_attribute("aria-invalid", "true")
    expect(grants.get_by_label("The most they may spend")).to_have_value("0,4")
    grants.get_by_label("Your key").fill(owner.key)
    page.get_by_role("button", name="Give the grant").click()
    called = analyst.get("/v1/me").json()["principal"]["name"]
    expect(page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=called))).to_contain_text("0.4")

    release = {"prior": [1] * 4, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.3"}}
    assert analyst.release(data["id"], release).status_code == 201
    page.reload()
    expect(page.get_by_text("ε = 0.3 is spent and 0.4 is left of 0.7")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="release").filter(has_text=called)).to_contain_text("0.3")
    picture = page.locator("img.picture")
    expect(picture).to_have_js_property("complete", value=True)
    assert picture.evaluate("each => each.naturalWidth") > 0

    page.get_by_text("Raise or lower the budget").click()
    total, weak = page.get_by_label("New total ε"), page.locator("#weak-total")
    expect(weak).to_be_hidden()
    total.fill("15")
    expect(page.locator("#total-meaning")).to_contain_text(
        "thought to be 3 % could be thought to have one of nearly 100 %"
    )
    expect(weak).to_be_visible()
    total.fill("1,5")
    expect(page.locator("#total-meaning")).to_contain_text("at most 12.2 %")
    expect(weak).to_be_hidden()
