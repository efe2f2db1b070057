"""The analyst's way in a real browser, with the scripts of the pages and under their policy."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlencode

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
    x = box["x"] + 8 + (box["width"] - 16) * float(slider.input_value()) / 29
    y = box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    texts = set()
    for step in range(15):
        x -= box["width"] / 40
        page.mouse.move(x, y)
        page.wait_for_timeout(50)
        texts.add(said.text_content())
        assert visitor.requests == [], step
    assert len(texts) > 8
    with page.expect_response(lambda answer: "plan.svg" in answer.url) as drawn:
        page.mouse.up()
    assert "chosen=simplex_geometric~" in unquote(drawn.value.url)
    page.wait_for_load_state("networkidle")
    assert len(visitor.requests) == 1

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
