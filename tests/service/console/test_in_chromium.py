"""The analyst's way in a real browser, with the scripts of the pages and under their policy."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.harness.chromium import Visitor
from tests.harness.server import Party, Server
from tests.service.console.test_analyst import MECHANISM, admissions, charges, grant

pytestmark = pytest.mark.long
_RELEASE = re.compile(r"/console/releases/rel_")


def signed_in(chromium: Browser, party: Party) -> Visitor:
    visitor = Visitor.at(chromium, party.server.url)
    visitor.sign_in(party.key)
    return visitor


def pay(page: Page) -> str:
    """Pays for the release that a quote is about; the path of the release."""
    page.locator("form[action$='/releases'] button").click()
    page.wait_for_url(_RELEASE)
    return page.url


def quote_address(data_id: str) -> str:
    return f"/console/datasets/{data_id}/quote?{urlencode({'mechanism': MECHANISM})}"


def test_a_point_is_dragged_to_without_a_request_and_paid_once(chromium: Browser, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    visitor = signed_in(chromium, analyst)
    page = visitor.page
    assert visitor.path == "/console/datasets"
    visitor.go(f"/console/datasets/{data['id']}/plan")
    said, slider = page.locator("#chosen-text"), page.locator("#chosen-step")
    expect(said).to_contain_text("of ε = 1 that your next release may cost")
    slider.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    visitor.requests.clear()
    box = slider.bounding_box()
    assert box is not None
    places = int(slider.get_attribute("max") or "")
    assert places > 6
    x = box["x"] + 8 + (box["width"] - 16) * float(slider.input_value()) / places
    y = box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    texts = set()
    for step in range(places + 1):
        page.mouse.move(box["x"] + 8 + (box["width"] - 16) * step / places, y)
        page.wait_for_timeout(50)
        texts.add(said.text_content())
        assert visitor.requests == [], step
    page.mouse.move(box["x"] + box["width"] / 2, y)
    assert len(texts) > 6
    page.mouse.up()
    assert visitor.requests == []

    page.locator("#chosen-quote").click()
    page.wait_for_url(re.compile("once="))
    quote = page.url
    assert charges(owner, data) == []
    release = pay(page)
    paid = charges(owner, data)
    assert len(paid) == 1
    page.reload()
    assert page.url == release
    visitor.go(quote)
    assert pay(page) == release
    assert charges(owner, data) == paid
    assert visitor.complaints == []


def test_a_tab_keeps_the_guess_of_a_plan(chromium: Browser, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data, other = admissions(owner), admissions(owner)
    visitor = signed_in(chromium, analyst)
    page = visitor.page
    page.set_viewport_size({"width": 1280, "height": 800})
    visitor.go(f"/console/datasets/{data['id']}/plan")
    expect(page.get_by_role("button", name="Draw it")).to_be_in_viewport(ratio=1)
    page.locator("#count_0").fill("17")
    page.locator("[name=first_0][value=male]").check()
    page.get_by_role("button", name="Draw it").click()
    page.wait_for_url(re.compile("count=17"))
    for each, count, is_chosen in ((data, "17", True), (other, "1454", False)):
        visitor.go(f"/console/datasets/{each['id']}")
        page.get_by_role("link", name="Plan a release").first.click()
        expect(page.locator("#count_0")).to_have_value(count)
        expect(page.locator("[name=first_0][value=male]")).to_be_checked(checked=is_chosen)
    assert not visitor.complaints


def test_a_lost_answer_is_paid_once(chromium: Browser, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    visitor = signed_in(chromium, analyst)
    page = visitor.page
    visitor.go(quote_address(data["id"]))
    quote = page.url
    lost = []

    def lose_the_answer(route: Route) -> None:
        lost.append(route.fetch(max_redirects=0).status)
        route.abort()

    page.route(re.compile(r"/releases$"), lose_the_answer)
    with page.expect_event("requestfailed"):
        page.locator("form[action$='/releases'] button").click()
    assert lost == [303]
    assert charges(owner, data) == ["0.2"]
    page.unroute_all()
    visitor.go(quote)
    assert _RELEASE.search(pay(page))
    assert charges(owner, data) == ["0.2"]


def budget_ledger(owner: Party, data: dict[str, Any]) -> list[tuple[str, Any]]:
    """The kinds and amounts of the entries of a budget, in order."""
    entries = owner.get(f"/v1/budgets/{data['budget_id']}/ledger", limit=1000).json()["items"]
    return [(each["kind"], each["amount"]) for each in entries]


def by_api(server: Server, mechanism: dict[str, Any]) -> list[tuple[str, Any]]:
    """The entries of the ledger after an analyst requested access, released, and asked a query, all by the API."""
    owner, analyst = server.new("owner"), server.new("analyst")
    data = admissions(owner)
    path = f"/v1/datasets/{data['id']}"
    request = analyst.post(f"{path}/access-requests", {"epsilon": "1.2", "delta": "0", "purpose": "a report"}).json()
    approved = {"state": "approved", "epsilon": "1.1", "delta": "0"}
    assert owner.patch(f"/v1/access-requests/{request['id']}", approved).status_code == 200
    assert analyst.release(data["id"], {"prior": [1] * 4, "mechanism": mechanism}).status_code == 201
    query: dict[str, Any] = {
        "kind": "queries",
        "queries": [{"of": {"where": {"admitted": ["yes"]}}, "half_width": 25, "confidence": 0.95}],
    }
    quote = analyst.post(f"{path}/quotes", query).json()
    query["max_charge"] = {"epsilon": quote["would_charge"]["epsilon"]}
    assert analyst.post(f"{path}/releases", query, idempotency_key="k" * 20).status_code == 201
    return budget_ledger(owner, data)


def test_the_way_from_a_request_to_an_odds_ratio_and_a_query_is_charged_as_by_the_api(
    chromium: Browser, sqlite_server: Server
) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    asking, deciding = signed_in(chromium, analyst), signed_in(chromium, owner)
    page = asking.page
    page.get_by_role("link", name=data["name"]).first.click()
    page.get_by_label("The most that you want to spend").fill("1,2")
    page.get_by_label("Purpose").fill("a report")
    page.get_by_role("button", name="Ask the owner").click()
    expect(page.get_by_text("The owner has not decided yet")).to_be_visible()

    deciding.go(f"/console/data/{data['id']}")
    decision = deciding.page.get_by_role("article")
    expect(decision).to_contain_text("“a report”")
    decision.get_by_label("May spend at most").fill("1,1")
    decision.get_by_label("Your key").fill(owner.key)
    decision.get_by_role("button", name="Approve").click()
    expect(deciding.page.locator("#done")).to_contain_text("may now spend at most ε = 1.1")

    page.reload()
    expect(page.get_by_text("The owner approved it")).to_be_visible()
    page.get_by_role("link", name="Plan a release").click()
    slider = page.locator("#chosen-step")
    slider.fill("3")
    expect(page.locator("#chosen-text")).to_contain_text("ε = 0.1 of ε = 1.1 that your next release may cost")
    page.get_by_role("link", name="Get the quote").click()
    page.wait_for_url(re.compile("once="))
    other_tab = asking.context.new_page()
    other_tab.goto(page.url)
    assert charges(owner, data) == []
    release = pay(page)
    page.go_back()
    assert pay(page) == release
    page.reload()
    assert pay(other_tab) == release
    assert page.url == release
    paid = charges(owner, data)
    assert len(paid) == 1

    page.get_by_label("I want the").select_option("odds_ratio")
    for field, level in (("outcome_1", "yes"), ("first_0", "female"), ("second_0", "male")):
        page.locator(f"[name={field}][value={level}]").check()
    page.get_by_role("button", name="Answer, free").click()
    expect(page.get_by_text("Odds ratio of admitted yes: sex female against sex male")).to_be_visible()
    answered = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Odds ratio"))
    estimate, low, high = (float(answered.get_by_role("cell").nth(at).inner_text()) for at in range(3))
    assert low < estimate < high
    # Five widths, since an interval misses the true value now and then.
    assert abs(math.log(estimate * 907 * 1353 / (1512 * 2041))) < 5 * math.log(high / low)
    forest = page.locator("figure .wide-only svg")
    assert forest.evaluate("each => getComputedStyle(each.querySelector('.aware')).fill") == "rgb(11, 100, 120)"
    assert charges(owner, data) == paid

    asking.go(f"/console/datasets/{data['id']}/query")
    page.locator("[name=outcome_1][value=yes]").check()
    page.get_by_label("How precise").fill("25,0")
    page.get_by_role("button", name="See the free answer").click()
    expect(page.get_by_role("heading", name="The free answer")).to_be_visible()
    assert charges(owner, data) == paid
    page.get_by_role("button", name=re.compile("Pay ε")).click()
    page.wait_for_url(re.compile("/console/queries/"))
    assert len(charges(owner, data)) == 2
    assert asking.complaints == deciding.complaints == []
    assert budget_ledger(owner, data) == by_api(sqlite_server, {"kind": "simplex_geometric", "epsilon": paid[0]})


def end_session(party: Party) -> None:
    """Ends every session of somebody, as the hour does."""
    for each in party.get("/v1/keys", own="true").json()["items"]:
        if each["kind"] == "session" and each["revoked_at"] is None:
            assert party.delete(f"/v1/keys/{each['id']}").status_code == 204


def test_nothing_typed_is_lost_when_the_session_ends(chromium: Browser, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    visitor = signed_in(chromium, analyst)
    page = visitor.page
    visitor.go(f"/console/datasets/{admissions(owner)['id']}")
    purpose = "the report of 1973,\nwith <b>both</b> sexes"
    page.get_by_label("The most that you want to spend").fill("0.25")
    page.get_by_label("Purpose").fill(purpose)
    end_session(analyst)
    send = page.get_by_role("button", name="Ask the owner")
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("Your session has ended")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Sign in in another tab").click()
    popup = opened.value
    popup.get_by_label("Key or invitation").fill(analyst.key)
    popup.get_by_role("button", name="Sign in").click()
    popup.wait_for_url(re.compile("/console/datasets"))
    expect(page.get_by_label("Purpose")).to_have_value(purpose)
    send.click()
    expect(page.get_by_text("The owner has not decided yet")).to_be_visible()
    asked = analyst.get("/v1/access-requests").json()["items"]
    assert [(each["requested"]["epsilon"], each["purpose"]) for each in asked] == [("0.25", " ".join(purpose.split()))]

    visitor.go(f"/console/datasets/{data['id']}/query")
    page.locator("[name=outcome_1][value=yes]").check()
    page.get_by_label("How precise").fill("31")
    end_session(analyst)
    page.get_by_role("button", name="See the free answer").click()
    visitor.type_key(analyst.key)
    expect(page.get_by_label("How precise")).to_have_value("31")
    expect(page.get_by_role("button", name=re.compile("Pay ε"))).to_be_visible()
    end_session(analyst)
    page.get_by_role("button", name=re.compile("Pay ε")).click()
    expect(page.get_by_role("alert")).to_contain_text("Your session has ended")
    assert charges(owner, data) == []


_FOCUS = """() => { const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
  return { label: (at.labels?.[0] ?? at).textContent.trim(), id: at.id,
    seen: at.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
      && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth }; }"""


def tab_to(page: Page, label: str) -> None:
    """Presses Tab until what has this label has the focus; the focus is seen at each step."""
    for _ in range(200):
        page.keyboard.press("Tab")
        at = page.evaluate(_FOCUS)
        assert at["seen"], at
        if at["label"] == label or at["id"] == label:
            return
    raise AssertionError(label)


def test_the_keyboard_alone_signs_in_plans_and_pays(chromium: Browser, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    visitor = Visitor.at(chromium, sqlite_server.url)
    page = visitor.page
    visitor.go("/console/")
    tab_to(page, "Skip to the content")
    page.keyboard.press("Enter")
    tab_to(page, "key")
    page.keyboard.type(analyst.key)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/console/datasets"))
    tab_to(page, data["name"])
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/console/datasets/dat_"))
    tab_to(page, "Plan a release")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/plan"))
    tab_to(page, "chosen-step")
    before = page.locator("#chosen-text").inner_text()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.locator("#chosen-text").inner_text() != before
    tab_to(page, "chosen-kind")
    page.keyboard.press("ArrowDown")
    tab_to(page, "Get the quote")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("once="))
    pays = page.get_by_role("button", name=re.compile("Pay ε")).inner_text()
    tab_to(page, pays)
    page.keyboard.press("Enter")
    page.wait_for_url(_RELEASE)
    assert len(charges(owner, data)) == 1


def test_the_picture_of_an_answer_is_saved_as_png_and_categories_are_found_while_typing(
    chromium: Browser, sqlite_server: Server
) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    places = {"name": "place", "levels": [f"place {number}" for number in range(20)]}
    data = admissions(owner, attributes=[places, {"name": "ill", "levels": ["yes", "no"]}], counts=[40] * 40)
    grant(owner, data, analyst)
    release = analyst.release(data["id"], {"prior": [1] * 40, "mechanism": json.loads(MECHANISM)}).json()["id"]
    visitor = signed_in(chromium, analyst)
    page = visitor.page
    visitor.go(f"/console/releases/{release}?kind=share&outcome_1=yes&first_0=place+3")
    rows = page.locator("#categories tbody tr:visible")
    expect(rows).to_have_count(20)
    visitor.requests.clear()
    page.get_by_label("Find a category").fill("PLACE 7")
    expect(rows).to_have_count(2)
    page.get_by_label("Find a category").fill("")
    page.get_by_role("link", name="Show all").click()
    expect(rows).to_have_count(40)
    assert visitor.requests == []
    page.get_by_text("Download").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Picture as PNG").click()
    content = Path(saved.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert width > 1000
    assert height > 200
    assert visitor.complaints == []
