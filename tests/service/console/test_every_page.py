"""Every page and every refusal in a real browser, with data in it: axe-core finds nothing in light and dark, nothing is
wider than a screen of 320 px, and labels that are made to break pages are shown as text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.harness.bodies import budget_body, querying, registration, unique
from tests.harness.chromium import Visitor
from tests.harness.server import Party, Role, Server

pytestmark = pytest.mark.long
SCRIPT: Final = "<script>alert(1)</script>"
RIGHT_TO_LEFT: Final = "\u05d0\u05d1\u05d2 \u0627\u0644\u0639"
LONG: Final = "x" * 200
LEVEL: Final = "x" * 190
"""A level of the greatest length beside another attribute: the name of a cell has at most 200 characters."""
MECHANISM: Final = '{"kind": "simplex_geometric", "epsilon": "0.2"}'
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@dataclass(frozen=True, slots=True)
class World:
    """People, a data set with ordinary labels and one whose labels are hostile, and what was released from both."""

    server: Server
    owner: Party
    analyst: Party
    data: str
    hostile: str
    granted: str
    release: str
    hostile_release: str
    answers: str
    margins: str


def _named_party(server: Server, role: Role, name: str) -> Party:
    made = server.admin.api.create_principal({"role": role, "name": f"{name[:150]}{unique(' ')}"})
    assert made["enrolment"] is not None
    return server.enrol(made["enrolment"]["token"])


def _register(owner: Party, name: str, attributes: list[dict[str, Any]], counts: list[int], unit: str) -> str:
    body = registration(
        counts,
        name=unique(name),
        attributes=attributes,
        unit=unit,
        budget={"kind": "new", "budget": budget_body(epsilon="2", name=unique(name))},
    )
    del body["labels"]
    made = owner.post("/v1/datasets", body)
    assert made.status_code == 201, made.text
    data_id: str = made.json()["id"]
    assert owner.patch(f"/v1/datasets/{data_id}", {"listed": True}).status_code == 200
    return data_id


def make_world(server: Server) -> World:
    owner, analyst = _named_party(server, "owner", SCRIPT), _named_party(server, "analyst", RIGHT_TO_LEFT)
    sex, admitted = {"name": "sex", "levels": ["female", "male"]}, {"name": "admitted", "levels": ["yes", "no"]}
    data = _register(owner, "Admissions 1973", [sex, admitted], [1512, 907, 1353, 2041], "one application")
    broken = [
        {"name": SCRIPT, "levels": [SCRIPT, RIGHT_TO_LEFT, LEVEL]},
        {"name": RIGHT_TO_LEFT, "levels": ["yes", "no"]},
    ]
    hostile = _register(owner, f"{SCRIPT}{RIGHT_TO_LEFT} {LONG[:100]}", broken, [600, 500, 400, 300, 200, 100], LONG)
    granted = ""
    for each in (data, hostile):
        given = owner.post(
            f"/v1/datasets/{each}/grants", {"principal_id": analyst.principal_id, "epsilon": "1", "delta": "1e-7"}
        )
        granted = given.json()["id"]
    releases = []
    for each, cells in ((data, 4), (hostile, 6)):
        made = analyst.release(each, {"prior": [1] * cells, "mechanism": json.loads(MECHANISM)})
        assert made.status_code == 201, made.text
        releases.append(made.json()["id"])
    owner.patch(f"/v1/releases/{releases[1]}", {"public": True})
    queries = [{"of": {"where": {SCRIPT: [RIGHT_TO_LEFT]}}, "half_width": 20}]
    asked = analyst.request(
        "POST", f"/v1/datasets/{hostile}/releases", json=querying(*queries), headers={"Idempotency-Key": "a" * 20}
    )
    assert asked.status_code == 201, asked.text
    margins = analyst.request(
        "POST",
        f"/v1/datasets/{hostile}/releases",
        json={"margins": [[SCRIPT, RIGHT_TO_LEFT], [SCRIPT]], "epsilon": "0.1"},
        headers={"Idempotency-Key": "b" * 20},
    )
    assert margins.status_code == 201, margins.text
    owner.patch(f"/v1/releases/{margins.json()['id']}", {"public": True})
    stranger = _named_party(server, "analyst", LONG)
    for each in (data, hostile):
        wanted = {"epsilon": "0.4", "delta": "1e-9", "purpose": f"{SCRIPT} {RIGHT_TO_LEFT} {LONG}"}
        assert stranger.post(f"/v1/datasets/{each}/access-requests", wanted).status_code == 201
    first, second = releases
    ids = asked.json()["id"], margins.json()["id"]
    return World(server, owner, analyst, data, hostile, granted, first, second, *ids)


@dataclass(frozen=True, slots=True)
class Visitors:
    """Somebody of each role, signed in, at browsers into which axe-core can be loaded."""

    nobody: Visitor
    owner: Visitor
    newcomer: Visitor
    analyst: Visitor
    admin: Visitor


_OPENING_SCRIPT: Final = "for (const each of document.querySelectorAll('details')) each.open = true"
_ALL_STEPS: Final = (
    "for (const each of document.querySelectorAll('section[data-step]')) each.hidden = false;"
    "document.querySelector('#typed-part').open = true"
)
Stop: TypeAlias = Callable[[World, Visitors], Page]
"""Open a page as one of the visitors, and return it."""
_CSV: Final = "sex;age;admitted\n" + "female;12,5;yes\nmale;14,0;no\nfemale;NA;no\nmale;9,9;<script>\n" * 6
_TABLE: Final = "sex,admitted,count\nfemale,yes,30\nfemale,no,200\nmale,yes,70\nmale,no,5513"


def _stop_at(role: str, path: str) -> Stop:
    """The stop at a page that an address alone leads to; parts in braces are fields of the world."""

    def stop(world: World, visitors: Visitors) -> Page:
        visitor: Visitor = getattr(visitors, role)
        visitor.go(path.format(data=world.data, hostile=world.hostile, release=world.release, answers=world.answers,
                               hostile_release=world.hostile_release, asked=_ASKED_QUERY, measured=_MEASURED_QUERY,
                               margins=world.margins))  # fmt: skip
        return visitor.page

    return stop


_ASKED_QUERY: Final = urlencode(
    {"kind": "odds_ratio", "outcome_1": "yes", "first_0": SCRIPT, "second_0": RIGHT_TO_LEFT, "above": "1.5"}
)
_MEASURED_QUERY: Final = urlencode({"ask": "yes", "outcome_0": SCRIPT, "half_width": "10"})


def _submit(page: Page, action: str) -> None:
    form = page.locator(f"main form[action$='{action}']")
    main = form.locator("button.main")
    with page.expect_event("load"):
        (main if main.count() else form.locator("button")).first.click()


def _sign_in_refused(_: World, visitors: Visitors) -> Page:
    page = visitors.nobody.page
    visitors.nobody.go("/console/sign-in")
    page.locator("#key").fill("pp_wrong")
    _submit(page, "/sign-in")
    return page


def _invitation(world: World, visitors: Visitors) -> Page:
    page = visitors.nobody.page
    made = world.server.admin.api.create_principal({"role": "owner", "name": unique("invited")})
    assert made["enrolment"] is not None
    visitors.nobody.go("/console/sign-in")
    page.locator("#key").fill(made["enrolment"]["token"])
    _submit(page, "/sign-in")
    return page


def _page_after_enrolment(world: World, visitors: Visitors) -> Page:
    page = _invitation(world, visitors)
    _submit(page, "/enrol")
    return page


def _sent_after_the_end(world: World, visitors: Visitors) -> Page:
    """Submit a form without its script, after its session has ended."""
    return _page_sent_late(world, visitors, visitors.nobody.context.clear_cookies)


def _page_sent_late(world: World, visitors: Visitors, meanwhile: Callable[[], Any]) -> Page:
    page = visitors.nobody.page
    visitors.nobody.sign_in(world.owner.key)
    page.route("**/forms.js", lambda route: route.abort())
    visitors.nobody.go(f"/console/data/{world.hostile}")
    page.unroute_all()
    meanwhile()
    page.evaluate(_OPENING_SCRIPT)
    page.locator("#analyst").fill(f"{SCRIPT}{LONG}")
    page.locator("#cap").fill("0.1")
    page.locator("#grant_key").fill("pp_wrong")
    _submit(page, "/grants")
    return page


def _page_to_send_again(world: World, visitors: Visitors) -> Page:
    """Submit a form without its script, after its person has signed in again."""
    return _page_sent_late(world, visitors, lambda: _sign_in_elsewhere(visitors.nobody, world.owner.key))


def _sign_in_elsewhere(visitor: Visitor, key: str) -> None:
    tab = visitor.context.new_page()
    tab.goto(f"{visitor.url}/console/sign-in")
    tab.locator("#key").fill(key)
    _submit(tab, "/sign-in")
    tab.close()


def _page_after_sign_out(world: World, visitors: Visitors) -> Page:
    page = visitors.nobody.page
    visitors.nobody.sign_in(world.owner.key)
    with page.expect_event("load"):
        page.locator("header summary").click()
        page.get_by_role("button", name="Sign out").click()
    return page


def _file_read(_: World, visitors: Visitors) -> Page:
    page = visitors.newcomer.page
    visitors.newcomer.go("/console/data/new")
    page.evaluate(_ALL_STEPS)
    page.locator("#file").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": _CSV.encode()})
    page.locator("#row-record").check()
    for column in ("sex", "admitted"):
        page.get_by_label(f"{column} (").check()
    for take in page.get_by_role("button", name="may be known").all():
        take.click()
    page.locator("#several-no").check()
    page.locator("#count").click()
    expect(page.locator("#counted")).to_contain_text("were counted")
    page.evaluate(_OPENING_SCRIPT)
    page.locator("#own").fill("sex,admitted,count\nfemale,yes,7\nmale,no,1")
    page.locator("#compare").click()
    expect(page.locator("#compared")).to_contain_text("differ")
    return page


def _step(number: int) -> Stop:
    """A step of the page for a new data set, with a table in it."""

    def stop(_: World, visitors: Visitors) -> Page:
        page = visitors.newcomer.page
        visitors.newcomer.go("/console/data/new?step=1")
        page.evaluate(_OPENING_SCRIPT)
        page.locator("#table").fill(_TABLE.replace("female", LONG[:150]))
        page.locator("#table").press("Tab")
        page.locator(f"#steps [data-to='{number}']").click()
        page.evaluate(_OPENING_SCRIPT)
        return page

    return stop


def _nothing_affirmed(_: World, visitors: Visitors) -> Page:
    page = visitors.newcomer.page
    visitors.newcomer.go("/console/data/new?step=4")
    page.evaluate("for (const each of document.querySelectorAll('#registration [required]')) each.required = false")
    page.evaluate("document.querySelector('#table').value = 'sex,admitted,count\\nfemale,yes'")
    page.locator("#epsilon").fill("much")
    page.locator("#name").evaluate("field => { field.value = ''; }")
    with page.expect_event("load"):
        page.locator("#register").click()
    return page


def _page_after_registration(_: World, visitors: Visitors) -> Page:
    page = visitors.newcomer.page
    visitors.newcomer.go("/console/data/new?step=4")
    page.evaluate(_ALL_STEPS)
    page.locator("#table").fill(_TABLE.replace("female", LONG[:150]))
    page.locator("#table").press("Tab")
    page.locator("#name").fill(unique(f"{SCRIPT} {RIGHT_TO_LEFT}"))
    page.locator("#unit").fill("one child")
    page.locator("#most_records").fill("1")
    page.locator("#n_is_public").select_option("yes")
    page.locator("#labels_are_public").check()
    if page.locator("select#budget").count():
        page.locator("#budget").select_option("new")
    page.locator("#epsilon").fill("1")
    page.locator("#delta").evaluate("field => { field.value = ''; }")
    with page.expect_event("load"):
        page.locator("#register").click()
    return page


def _page_after_check(world: World, visitors: Visitors) -> Page:
    page = visitors.nobody.page
    text = world.server.http.get(f"/v1/public/releases/{world.hostile_release}").content
    visitors.nobody.go("/console/check")
    changed = text.replace(b'"state":"complete"', b'"state":"another"')
    for name, each in ((f"{SCRIPT}{LONG}", text), ("changed.json", changed)):
        page.locator("#files").set_input_files({"name": name, "mimeType": "application/json", "buffer": each})
    expect(page.locator("#said")).to_have_text("2 files checked.")
    page.evaluate(_OPENING_SCRIPT)
    return page


def _proof_checked(world: World, visitors: Visitors) -> Page:
    page = _page_after_registration(world, visitors)
    with page.expect_event("load"):
        page.get_by_role("link", name="Check proof").click()
    page.locator("#proof").evaluate("field => { field.form.noValidate = true; }")
    _submit(page, "/proof")
    return page


def _key_made(world: World, visitors: Visitors) -> Page:
    page = visitors.owner.page
    visitors.owner.go("/console/keys")
    page.locator("#new_key").fill(world.owner.key)
    _submit(page, "/console/keys")
    return page


def _wrong_key(form: str, typed: dict[str, str]) -> Stop:
    """The owner's page of a data set, after a form with a wrong key. `form`: its selector."""

    def stop(world: World, visitors: Visitors) -> Page:
        page = visitors.owner.page
        visitors.owner.go(f"/console/data/{world.hostile}")
        where = page.locator(form).first
        page.evaluate(_OPENING_SCRIPT)
        for name, value in typed.items():
            where.locator(f"[name={name}]").fill(value)
        where.locator("[name=key]").fill("pp_wrong")
        with page.expect_event("load"):
            where.locator("button").first.click()
        return page

    return stop


def _everything_open(world: World, visitors: Visitors) -> Page:
    page = visitors.owner.page
    visitors.owner.go(f"/console/data/{world.hostile}")
    page.evaluate(_OPENING_SCRIPT)
    return page


def _freeze(world: World, dataset_id: str, *, frozen: bool = True) -> None:
    budget = world.owner.get(f"/v1/datasets/{dataset_id}").json()["budget_id"]
    assert world.owner.patch(f"/v1/budgets/{budget}", {"frozen": frozen}).status_code == 200


def _page_after_stop(world: World, visitors: Visitors) -> Page:
    page = visitors.owner.page
    _freeze(world, world.data, frozen=False)
    visitors.owner.go("/console/")
    with page.expect_event("load"):
        page.locator(".cards .card:has(button.stop) .menu summary").first.click()
        page.get_by_role("button", name="Stop all releases").first.click()
    return page


def _stopped_data(world: World, visitors: Visitors) -> Page:
    page = visitors.owner.page
    _freeze(world, world.data)
    visitors.owner.go("/console/")
    with page.expect_event("load"):
        page.locator(".cards .card", has_text="Stopped").get_by_role("link").first.click()
    return page


def _asked_wrongly(world: World, visitors: Visitors) -> Page:
    ill = {"name": "ill", "levels": ["yes", "no"]}
    unknown = _register(world.owner, f"Cohort {LONG[:60]}", [ill], [30, 500], SCRIPT)
    page = visitors.analyst.page
    visitors.analyst.go(f"/console/datasets/{unknown}")
    page.locator("#amount").fill("much")
    page.locator("#purpose").fill(f"{SCRIPT}{LONG}")
    _submit(page, "/requests")
    return page


def _page_after_question(world: World, visitors: Visitors) -> Page:
    page = _asked_wrongly(world, visitors)
    page.locator("#amount").fill("0,5")
    _submit(page, "/requests")
    return page


def _page_after_refused_payment(world: World, visitors: Visitors) -> Page:
    """A payment after the owner stopped all releases of the first card of the home page."""
    page = visitors.analyst.page
    visitors.analyst.go(f"/console/datasets/{world.hostile}/quote?{urlencode({'mechanism': MECHANISM})}")
    _freeze(world, world.hostile)
    page.locator("#again").check()  # the same release was paid for before
    _submit(page, "/releases")
    return page


def _page_with_all_open(world: World, visitors: Visitors) -> Page:
    page = _stop_at("analyst", "/console/releases/{hostile_release}?{asked}")(world, visitors)
    page.evaluate(_OPENING_SCRIPT)
    return page


def _admin_refused(_: World, visitors: Visitors) -> Page:
    page = visitors.admin.page
    visitors.admin.go("/console/admin")
    page.locator("#name").evaluate("field => field.form.noValidate = true")
    page.locator("#name").fill("x" * 200)
    page.locator("#name").evaluate("field => field.value = 'x'.repeat(300)")
    _submit(page, "/invitations")
    return page


def _page_after_invitation(world: World, visitors: Visitors) -> Page:
    page = visitors.admin.page
    visitors.admin.go("/console/admin")
    page.locator("#name").fill(unique(SCRIPT))
    page.locator("#invite_key").fill(world.server.admin.key)
    _submit(page, "/invitations")
    return page


STOPS: Final[dict[str, Stop]] = {
    "sign-in": _stop_at("nobody", "/console/sign-in"),
    "help": _stop_at("nobody", "/console/help"),
    "check": _page_after_check,
    "noisy-table": _stop_at("analyst", "/console/table"),
    "sign-in-refused": _sign_in_refused,
    "not-found": _stop_at("nobody", "/console/nothing"),
    "invitation": _invitation,
    "enrolled": _page_after_enrolment,
    "public-release": _stop_at("nobody", "/console/public/releases/{hostile_release}?{asked}"),
    "session-ended": _sent_after_the_end,
    "send-again": _page_to_send_again,
    "signed-out": _page_after_sign_out,
    "home-empty": _stop_at("newcomer", "/console/"),
    "new-data": _stop_at("newcomer", "/console/data/new"),
    "file-read": _file_read,
    "new-data-refused": _nothing_affirmed,
    **{f"step-{number}": _step(number) for number in (1, 2, 3, 4)},
    "registered": _page_after_registration,
    "proof-refused": _proof_checked,
    "key-made": _key_made,
    "replace": _stop_at("owner", "/console/data/{data}/replace"),
    "home": _stop_at("owner", "/console/"),
    "data": _stop_at("owner", "/console/data/{data}"),
    "data-hostile": _everything_open,
    "data-refused-grant": _wrong_key("form[action$='/grants']", {"analyst": "pri_x", "cap": "9"}),
    "data-refused-request": _wrong_key("form:has([name=request_cap])", {"request_cap": "0.3"}),
    "data-refused-total": _wrong_key("form[action$='/total']", {"total_epsilon": "50"}),
    "data-refused-delete": _wrong_key("form[action$='/delete']", {"delete_name": "another"}),
    "statement": _stop_at("owner", "/console/data/{hostile}/statement"),
    "keys": _stop_at("owner", "/console/keys"),
    "other-role": _stop_at("owner", "/console/datasets"),
    "datasets": _stop_at("analyst", "/console/datasets"),
    "dataset": _stop_at("analyst", "/console/datasets/{hostile}"),
    "dataset-refused": _asked_wrongly,
    "dataset-asked": _page_after_question,
    "plan": _stop_at("analyst", "/console/datasets/{data}/plan"),
    "plan-hostile": _stop_at("analyst", "/console/datasets/{hostile}/plan"),
    "plan-refused": _stop_at("analyst", "/console/datasets/{data}/plan?count=30&count=many&count=1&count=2&delta=x"),
    "quote": _stop_at("analyst", f"/console/datasets/{{hostile}}/quote?{urlencode({'mechanism': MECHANISM})}"),
    "quote-refused": _stop_at("analyst", "/console/datasets/{hostile}/quote?kind=laplace&amount=much"),
    "release": _stop_at("analyst", "/console/releases/{release}"),
    "release-asked": _stop_at("analyst", "/console/releases/{hostile_release}?{asked}"),
    "release-open": _page_with_all_open,
    "release-by": _stop_at("analyst", "/console/releases/{release}?kind=share&outcome_1=yes&by=sex&above=40"),
    "release-trial": _stop_at(
        "analyst", "/console/releases/{release}?kind=trial&outcome_1=yes&first_0=female&second_0=male&above=10"
    ),
    "release-refused": _stop_at("analyst", "/console/releases/{hostile_release}?kind=ratio&outcome_1=yes&above=x"),
    "query": _stop_at("analyst", "/console/datasets/{hostile}/query"),
    "query-refused": _stop_at("analyst", "/console/datasets/{hostile}/query?ask=yes&half_width=x"),
    "query-quote": _stop_at("analyst", "/console/datasets/{hostile}/query?{measured}"),
    "answers": _stop_at("analyst", "/console/queries/{answers}"),
    "margins-choice": _stop_at("analyst", "/console/datasets/{hostile}/margins"),
    "margins-quote": _stop_at("analyst", "/console/datasets/{hostile}/margins?ask=yes&table=0-1&table=1&amount=0.1"),
    "margins-refused": _stop_at("analyst", "/console/datasets/{hostile}/margins?ask=yes&amount=x&confidence=x"),
    "margins": _stop_at("analyst", "/console/margins/{margins}"),
    "margins-single": _stop_at("nobody", "/console/public/margins/{margins}?table=1"),
    "margin": _stop_at("analyst", "/console/margins/{margins}/0"),
    "releases": _stop_at("analyst", "/console/releases"),
    "payment-refused": _page_after_refused_payment,
    "stopped": _page_after_stop,
    "data-stopped": _stopped_data,
    "admin": _stop_at("admin", "/console/admin"),
    "admin-refused": _admin_refused,
    "invited": _page_after_invitation,
}


@pytest.fixture(scope="module")
def world(sqlite_server: Server) -> World:
    return make_world(sqlite_server)


def meet(world: World, chromium: Browser) -> Visitors:
    found = Visitors(*(Visitor.at(chromium, world.server.url, bypass_csp=True) for _ in range(5)))
    keys = {
        "owner": world.owner.key,
        "newcomer": world.server.new("owner").key,
        "analyst": world.analyst.key,
        "admin": world.server.admin.key,
    }
    for role, key in keys.items():
        getattr(found, role).sign_in(key)
    return found


@pytest.fixture(scope="module")
def visitors(world: World, chromium: Browser) -> Iterator[Visitors]:
    found = meet(world, chromium)
    yield found
    for each in (found.nobody, found.owner, found.newcomer, found.analyst, found.admin):
        each.context.close()


@pytest.mark.parametrize("name", STOPS)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(name: str, world: World, visitors: Visitors) -> None:
    page = STOPS[name](world, visitors)
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        result = Axe().run(page, options={"runOnly": RULES})
        found += [(scheme, each["id"], node["target"], node["failureSummary"])
                  for each in result.response["violations"] for node in each["nodes"]]  # fmt: skip
    assert found == []
    page.set_viewport_size({"width": 320, "height": 700})
    wide = page.evaluate(_WIDTH_SCRIPT)
    page.set_viewport_size({"width": 1280, "height": 720})
    assert wide == []


def test_axe_finds_a_planted_fault(world: World, visitors: Visitors) -> None:
    page = STOPS["sign-in"](world, visitors)
    page.emulate_media(color_scheme="light")
    page.locator("label").first.evaluate("each => each.remove()")
    page.locator("main .hint").first.evaluate("each => { each.style.color = '#cccccc'; }")
    found = {each["id"] for each in Axe().run(page, options={"runOnly": RULES}).response["violations"]}
    assert {"label", "color-contrast"} <= found


_SHOWN_TEXTS: Final = {
    "home": (SCRIPT, RIGHT_TO_LEFT, LONG),
    "data-hostile": (SCRIPT, RIGHT_TO_LEFT, LEVEL),
    "statement": (SCRIPT, RIGHT_TO_LEFT, LONG),
    "datasets": (SCRIPT, RIGHT_TO_LEFT, LONG),
    "dataset": (SCRIPT, RIGHT_TO_LEFT, LEVEL),
    "plan-hostile": (SCRIPT, RIGHT_TO_LEFT, LEVEL),
    "quote": (SCRIPT, RIGHT_TO_LEFT),
    "release-asked": (SCRIPT, RIGHT_TO_LEFT, LEVEL),
    "query": (SCRIPT, RIGHT_TO_LEFT, LEVEL),
    "answers": (SCRIPT, RIGHT_TO_LEFT),
    "releases": (SCRIPT, RIGHT_TO_LEFT),
    "public-release": (SCRIPT, RIGHT_TO_LEFT, LEVEL),
    "admin": (SCRIPT, RIGHT_TO_LEFT),
}
"""What is shown on each page that a name, unit or label of other people reaches."""


@pytest.mark.parametrize("name", _SHOWN_TEXTS)
def test_names_and_labels_are_shown_as_text(name: str, world: World, visitors: Visitors) -> None:
    page = STOPS[name](world, visitors)
    text = page.locator("main").text_content() or ""
    assert [each for each in _SHOWN_TEXTS[name] if each not in text] == []
    assert page.locator("main script, main [onerror]").count() == 0


_WIDTH_SCRIPT: Final = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [document.documentElement.scrollWidth, ...[...document.querySelectorAll("main *, header *, footer *")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth && !each.closest(".wide, pre"))
    .map((each) => each.outerHTML.slice(0, 200))]"""
