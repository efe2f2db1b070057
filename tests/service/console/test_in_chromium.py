"""The analyst's way in a real browser, with the scripts of the pages and under their policy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.chromium import Chromium
from tests.harness.server import Party, Server
from tests.service.console.test_analyst import admissions, charges, grant

pytestmark = pytest.mark.long
_PAY = "(() => { const f = document.querySelector('form[action$=\"/releases\"]'); f.requestSubmit(); })()"
_PATH = "location.pathname"


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Chromium]:
    with Chromium(tmp_path / "profile") as browser:
        yield browser


def sign_in(chromium: Chromium, analyst: Party) -> None:
    chromium.go(f"{analyst.server.url}/console/sign-in")
    key = json.dumps(analyst.key)
    chromium.leave_by(
        f"(() => {{ const k = document.querySelector('#key'); k.value = {key}; k.form.requestSubmit(); }})()"
    )
    assert chromium.run(_PATH) == "/console/datasets"


def test_a_point_is_dragged_to_without_a_request_and_paid_once(chromium: Chromium, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    sign_in(chromium, analyst)
    chromium.go(f"{sqlite_server.url}/console/datasets/{data['id']}/plan")
    said = "document.querySelector('#chosen-text').textContent"
    assert "of ε = 1 that your next release may cost" in chromium.run(said)
    left, top, width, height, value = chromium.run(
        "(() => { const s = document.querySelector('#chosen-step'); s.scrollIntoView({block: 'center'});"
        " const b = s.getBoundingClientRect(); return [b.x, b.y, b.width, b.height, Number(s.value)]; })()"
    )
    chromium.settle(2)
    chromium.events.clear()
    x, y = left + 8 + (width - 16) * value / 29, top + height / 2
    chromium.do("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
    texts = set()
    for step in range(15):
        x = x - width / 40
        chromium.do("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        chromium.settle(0.05)
        texts.add(chromium.run(said))
        assert chromium.requests() == [], step
    assert len(texts) > 8
    chromium.do("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)
    chromium.settle(2)
    assert ["chosen=simplex_geometric~" in each.replace("%7E", "~") for each in chromium.requests()] == [True]

    chromium.leave_by("document.querySelector('#chosen-quote').click()")
    quote = chromium.run("location.href")
    assert charges(owner, data) == []
    chromium.leave_by(_PAY)
    release = chromium.run(_PATH)
    assert release.startswith("/console/releases/rel_")
    paid = charges(owner, data)
    assert len(paid) == 1
    chromium.reload()
    assert chromium.run(_PATH) == release
    chromium.go(quote)
    chromium.leave_by(_PAY)
    assert chromium.run(_PATH) == release
    assert charges(owner, data) == paid
    assert chromium.complaints() == []


def test_a_lost_answer_is_paid_once(chromium: Chromium, sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    data = admissions(owner)
    grant(owner, data, analyst)
    sign_in(chromium, analyst)
    mechanism = "%7B%22kind%22%3A%22simplex_geometric%22%2C%22epsilon%22%3A%220.1%22%7D"
    chromium.go(f"{sqlite_server.url}/console/datasets/{data['id']}/quote?mechanism={mechanism}")
    quote = chromium.run("location.href")
    # The answer is never read: the page is left as soon as the form is on its way.
    chromium.run(
        "fetch(document.querySelector('form[action$=\"/releases\"]').action, {method: 'POST', redirect: 'manual',"
        " body: new URLSearchParams(new FormData(document.querySelector('form[action$=\"/releases\"]')))}) && 0"
    )
    chromium.go("about:blank")
    chromium.go(quote)
    chromium.leave_by(_PAY)
    assert chromium.run(_PATH).startswith("/console/releases/rel_")
    assert charges(owner, data) == ["0.1"]
