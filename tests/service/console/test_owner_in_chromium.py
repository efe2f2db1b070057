"""The owner's way in a real browser: from a file to a registered table, its spending, and who may ask."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.harness.bodies import release_body, unique
from tests.harness.chromium import Visitor
from tests.harness.server import Party, Server
from tests.service.conftest import make_study

pytestmark = pytest.mark.long
_PLANTED_TEXT = "planted-7f3a"
_COUNTS = {("1", "ja"): 23, ("1", "nein"): 611, ("2", "ja"): 37, ("2", "nein"): 587}
_OMITTED_ROWS = ["9;12,5;ja;{note}", ";11,0;nein;{note}", "Total;0,0;ja;{note}"]
_TABLE = "sex,ill,count\nfemale,ja,23\nfemale,nein,611\nmale,ja,37\nmale,nein,587"


def file_of_rows() -> str:
    """A file as a spreadsheet in Germany writes it: semicolons, decimal commas, and a note that only its row has."""
    rows = [f"{sex};{age % 90},5;{ill};{{note}}" for (sex, ill), count in _COUNTS.items() for age in range(count)]
    rows += _OMITTED_ROWS
    return "\r\n".join(
        ["sex;weight;ill;note", *(row.format(note=f"{_PLANTED_TEXT}-{at}") for at, row in enumerate(rows))]
    )


def go_to(page: Page, step: int) -> None:
    """Goes to a step by the links at the top."""
    page.locator(f"#steps [data-to='{step}']").click()
    expect(page.locator(f"section[data-step='{step}']")).to_be_visible()


def take_the_file(page: Page) -> None:
    """Has the rows of the file counted: two columns, with values from a code book."""
    content = file_of_rows().encode("windows-1252")
    page.locator("#file").set_input_files({"name": "Fälle.csv", "mimeType": "text/csv", "buffer": content})
    expect(page.locator("#file-summary")).to_contain_text("4 columns")
    expect(page.locator("#separator")).to_have_value(";")
    page.get_by_label("One person, or one record").check()
    go_to(page, 2)
    page.get_by_label("sex (").check()
    page.get_by_label("ill (").check()
    for edit in page.get_by_text("Edit the values").all():
        edit.click()
    values = page.get_by_label("One value a line")
    values.nth(0).fill("1 = female\n2 = male")
    values.nth(1).fill("ja\nnein")
    said = "In the file and not listed, so left out: “9” (1 row), “Total” (1 row)"
    expect(page.locator("#column-rows")).to_contain_text(said)
    page.get_by_role("radio", name="No", exact=True).check()
    page.get_by_role("button", name="Count the rows").click()
    said = "Left out: 1 with a missing value, 2 with a value that is not listed: “9” in “sex”, “Total” in “sex”."
    expect(page.locator("#counted")).to_contain_text(said)
    expect(page.locator("#table")).to_have_value(_TABLE)


def fill_in(page: Page, name: str) -> None:
    go_to(page, 3)
    page.get_by_label("Name of the data set").fill(name)
    page.get_by_label("One record is").fill("one child")
    page.get_by_label("Most records of one person").fill("1")
    page.get_by_label("May it be known how many people").select_option("yes")
    page.get_by_label("The columns and their values").check()
    go_to(page, 4)
    page.get_by_label("Budget ε", exact=True).fill("0.7")


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
    expect(page.locator("#noise svg")).to_have_count(2)
    expect(page.locator("#delta")).to_have_value("1e-7")
    page.get_by_role("button", name="Register").click()
    expect(page.locator("#done")).to_contain_text("Registered.")
    expect(page.locator("#done").get_by_role("link", name="Save proof and table")).to_be_visible()

    assert {request.url.partition("/console/")[0] for request in visitor.requests} == {sqlite_server.url}
    sent = [(request.post_data or "") for request in visitor.requests]
    for text in (*sent, *(request.url for request in visitor.requests)):
        assert _PLANTED_TEXT not in text
        assert not re.search(r"\d(,|%2C)5\b.*(ja|nein)", text)
    tables = {dict(parse_qsl(text)).get("table", "").replace("\r\n", "\n") for text in sent if text}
    assert tables == {_TABLE}
    assert visitor.complaints == []

    data = next(each for each in owner.get("/v1/datasets").json()["items"] if each["name"] == name)
    assert (data["record_count"], data["labels"][0]) == (1258, "female · ja")
    assert ledger(owner, data["budget_id"]) == ledger(owner, register_by_api(owner))

    visitor.go("/console/")
    page.get_by_role("link", name=name, exact=True).click()
    page.locator("summary", has_text="Give access").click()
    grants = page.locator("form[action$='/grants']")
    grants.get_by_label("The analyst’s name").fill(analyst.get("/v1/me").json()["principal"]["name"])
    grants.get_by_label("May spend at most").fill("0,4")
    grants.get_by_label("Your key").fill("pp_mistyped")
    page.get_by_role("button", name="Give access").click()
    expect(grants.get_by_label("Your key")).to_have_attribute("aria-invalid", "true")
    expect(grants.get_by_label("May spend at most")).to_have_value("0,4")
    grants.get_by_label("Your key").fill(owner.key)
    page.get_by_role("button", name="Give access").click()
    called = analyst.get("/v1/me").json()["principal"]["name"]
    expect(page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=called))).to_contain_text("0.4")

    release = {"prior": [1] * 4, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.3"}}
    assert analyst.release(data["id"], release).status_code == 201
    page.reload()
    expect(page.locator("section[aria-labelledby=budget]")).to_contain_text("0.4 of ε\u00a00.7 left")
    charged = page.get_by_role("region", name="The latest charges").get_by_role("row").filter(has_text=called)
    expect(charged).to_contain_text("0.3")
    expect(page.locator("section[aria-labelledby=spending] svg").filter(visible=True)).to_have_count(1)

    expect(page.locator("#control")).to_be_hidden()
    page.locator("summary", has_text="More").click()
    page.get_by_role("link", name="Change the budget").click()
    total, weak = page.get_by_label("New total ε"), page.locator("#weak-total")
    expect(total).to_be_visible()
    expect(weak).to_be_hidden()
    total.fill("15")
    expect(page.locator("#total-meaning")).to_contain_text(
        "thought to be 3 % could be thought to have one of nearly 100 %"
    )
    expect(weak).to_be_visible()
    total.fill("1,5")
    expect(page.locator("#total-meaning")).to_contain_text("at most 12.2 %")
    expect(weak).to_be_hidden()


def test_back_and_a_reload_lose_nothing_that_can_be_kept(chromium: Browser, sqlite_server: Server) -> None:
    owner = sqlite_server.new("owner")
    visitor = Visitor.at(chromium, sqlite_server.url)
    page = visitor.page
    visitor.sign_in(owner.key)
    visitor.go("/console/data/new")
    take_the_file(page)
    name = unique("Kept")
    fill_in(page, name)
    assert page.url.endswith("?step=4")
    page.go_back()
    expect(page.get_by_label("Name of the data set")).to_have_value(name)
    assert page.url.endswith("?step=3")
    page.go_back()
    expect(page.get_by_label("sex (")).to_be_checked()
    page.go_forward()
    page.go_forward()
    expect(page.locator("#epsilon")).to_have_value("0.7")
    page.reload()
    expect(page.locator("#epsilon")).to_have_value("0.7")
    assert page.url.endswith("?step=4")
    visitor.go("/console/keys")
    page.go_back()
    expect(page.locator("#epsilon")).to_have_value("0.7")
    expect(page.locator("#table")).to_have_value(_TABLE)
    go_to(page, 3)
    page.get_by_label("Name of the data set").fill("")
    page.get_by_role("link", name="How much protection").click()
    expect(page.get_by_label("Name of the data set")).to_be_focused()
    page.get_by_label("Name of the data set").fill(name)
    second = visitor.context.new_page()
    second.goto(f"{visitor.url}/console/data/new")
    assert second.locator("#name").input_value() == "", "another tab begins afresh"
    second.close()
    page.keyboard.press("Enter")
    expect(page.locator("section[data-step='4']")).to_be_visible()
    assert not owner.get("/v1/datasets").json()["items"], "Enter in a step leads to the next one"
    page.get_by_role("button", name="Register").click()
    expect(page.locator("#done")).to_contain_text("Registered.")
    page.reload()
    assert len(owner.get("/v1/datasets").json()["items"]) == 1
    visitor.go("/console/data/new?step=3")
    expect(page.get_by_label("Name of the data set")).to_have_value("")
    page.get_by_label("Name of the data set").fill(name)
    expect(page.locator("#name-taken")).to_be_visible()
    assert visitor.complaints == []
    visitor.context.close()


def test_a_wide_table_is_asked_about_before_its_columns(chromium: Browser, sqlite_server: Server) -> None:
    visitor = Visitor.at(chromium, sqlite_server.url)
    page = visitor.page
    visitor.sign_in(sqlite_server.new("owner").key)
    visitor.go("/console/data/new")
    wide = b"Region,Age group,Male,Female\nNorth,0-17,120,131\nNorth,18+,410,455\nSouth,0-17,90,84\n"
    expect(page.locator("#file-part")).to_be_visible()
    page.locator("#file").set_input_files({"name": "wide.csv", "mimeType": "text/csv", "buffer": wide})
    expect(page.locator("#pivot-said")).to_contain_text("may each have the numbers")
    proceed = page.locator("section[data-step='1'] [data-next] button")
    proceed.click()
    expect(page.locator("#row-kind-error")).to_contain_text("Say first what each row is")
    page.get_by_label("Several numbers of people").check()
    proceed.click()
    expect(page.locator("#row-kind-error")).to_contain_text("Name the column that replaces the columns of counts.")
    page.get_by_label("Name of the column that they become").fill("sex")
    proceed.click()
    expect(page.locator("#column-rows")).to_contain_text("Region")
    expect(page.locator("#row-2")).to_be_hidden()
    visitor.context.close()


_SIGN_OUT_SCRIPT = "document.querySelector(\"form[action$='/sign-out']\").requestSubmit()"


def test_the_next_person_in_a_tab_finds_nothing_that_the_first_one_typed(
    chromium: Browser, sqlite_server: Server
) -> None:
    alice, bob = sqlite_server.new("owner"), sqlite_server.new("owner")
    visitor = Visitor.at(chromium, sqlite_server.url)
    page = visitor.page
    kept = "Object.keys(sessionStorage)"

    def type_table() -> None:
        visitor.go("/console/data/new")
        page.get_by_text("Write or paste counts").click()
        page.locator("#table").fill(_TABLE)
        assert page.evaluate(kept) == ["new-data-fields"]

    visitor.sign_in(alice.key)
    type_table()
    visitor.context.clear_cookies()  # the session expires
    visitor.go("/console/")
    assert page.evaluate(kept) == []
    visitor.type_key(bob.key)
    visitor.go("/console/data/new")
    expect(page.locator("#table")).to_have_value("")

    visitor.sign_in(alice.key)
    type_table()
    second = visitor.context.new_page()
    second.goto(f"{visitor.url}/console/")
    second.evaluate(_SIGN_OUT_SCRIPT)
    second.wait_for_url(re.compile("signed-out"))
    second.get_by_label("Key or invitation").fill(bob.key)
    second.get_by_role("button", name="Sign in").click()
    second.wait_for_url(re.compile("/console/$"))
    page.go_back()
    page.go_forward()
    expect(page.locator("#table")).to_have_value("")
    assert page.evaluate(kept) == []

    second.goto(f"{visitor.url}/console/data/new")
    second.get_by_text("Write or paste counts").click()
    second.locator("#table").fill(_TABLE)
    visitor.sign_in(alice.key)
    second.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    second.wait_for_url(re.compile("/console/$"))
    second.go_forward()
    assert second.url.endswith("/console/"), "the page is gone from the history, too"
    assert [each for each in visitor.complaints if "401" not in each] == []
    visitor.context.close()


def test_the_picture_of_the_noise_follows_the_slider_and_asks_nothing(chromium: Browser, sqlite_server: Server) -> None:
    visitor = Visitor.at(chromium, sqlite_server.url)
    page = visitor.page
    visitor.sign_in(sqlite_server.new("owner").key)
    visitor.go("/console/data/new")
    page.get_by_text("Write or paste counts").click()
    page.locator("#table").fill(_TABLE)
    page.locator("#table").press("Tab")
    go_to(page, 4)
    visitor.requests.clear()
    said = page.locator("#noise-pictures")
    expect(said).to_contain_text("95 % of the noise: ± 6")
    expect(said).to_contain_text("95 % of the noise: ± 30")
    page.locator("#slider").focus()
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#epsilon")).to_have_value("0.1")
    expect(said).to_contain_text("One release of ε 0.1")
    expect(said).to_contain_text("95 % of the noise: ± 60")
    page.locator("#most_records").evaluate(
        "field => { field.value = '3'; field.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    expect(said).to_contain_text("95 % of the noise: ± 180")
    assert page.locator("#noise circle").count() == 8
    assert visitor.requests == [], "nothing is asked of the service"
    visitor.context.close()


def test_an_owner_registers_and_decides_with_the_keyboard_alone(chromium: Browser, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    visitor = Visitor.at(chromium, sqlite_server.url, viewport={"width": 640, "height": 400})  # 1280 px at 200 %
    page = visitor.page

    def press(label: str, *, by: str = "Enter") -> None:
        """Tabs to what has this name, and presses a key."""
        for _ in range(60):
            page.keyboard.press("Tab")
            name = page.evaluate(
                "(document.activeElement.labels?.[0]?.textContent || document.activeElement.getAttribute('aria-label')"
                " || document.activeElement.textContent || '').trim()"
            )
            if name.startswith(label):
                page.keyboard.press(by) if by else None
                return
        raise AssertionError(label)

    visitor.sign_in(owner.key)
    visitor.go("/console/data/new")
    press("Write or paste counts")
    press("A line for each category", by="")
    page.keyboard.insert_text(_TABLE)
    press("Continue")
    press("Continue")
    press("Name of the data set", by="")
    name = unique("By keys")
    page.keyboard.type(name)
    press("One record is", by="")
    page.keyboard.type("one child")
    press("Most records", by="")
    page.keyboard.type("1")
    press("May it be known how many people", by="ArrowDown")
    press("The columns and their values", by=" ")
    press("Continue")
    press("Register")
    expect(page.locator("#done")).to_contain_text("Registered.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press("More")
    press("List it for analysts")
    expect(page.locator("#done")).to_contain_text("is listed")
    [data] = owner.get("/v1/datasets").json()["items"]
    asked = {"epsilon": "0.2", "delta": "0", "purpose": "the report"}
    assert analyst.post(f"/v1/datasets/{data['id']}/access-requests", asked).status_code == 201
    visitor.go("/console/")
    press("Decide")
    page.wait_for_url("**#requests")
    press("Your key", by="")
    page.keyboard.type(owner.key)
    press("Approve")
    expect(page.locator("#done")).to_contain_text("may now spend at most ε = 0.2")
    page.wait_for_load_state("load")  # the script that closes menus
    press("More")
    page.keyboard.press("Escape")
    assert page.locator("details.menu[open]").count() == 0
    visitor.context.close()


def test_a_form_offers_budgets_of_one_kind_and_no_charge_is_cut(chromium: Browser, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    secret, public = make_study(owner, analyst, n_is_public=False), make_study(owner, analyst)
    for epsilon in ("0.1234", "0.0567"):
        assert public.analyst.release(public.dataset_id, release_body(epsilon)).status_code == 201
    visitor = Visitor.at(chromium, sqlite_server.url, viewport={"width": 1280, "height": 800})
    visitor.sign_in(owner.key)
    visitor.go(f"/console/data/{public.dataset_id}")
    region = visitor.page.locator("section[aria-labelledby=spending] .wide")
    assert region.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
    visitor.go("/console/data/new?step=4")
    for answer, offered in (("no", secret), ("yes", public)):
        visitor.page.locator("#n_is_public").evaluate(
            "(each, answer) => { each.value = answer; each.dispatchEvent(new Event('change')); }", answer
        )
        options = visitor.page.locator("#budget option[data-public]:not(:disabled)")
        assert [each.get_attribute("value") for each in options.all()] == [offered.budget_id]
        assert visitor.page.locator("#other-budgets").get_attribute("hidden") is None
    assert visitor.complaints == []
