"""Forms are accepted from pages of this console only, once, and no typed value is lost."""

from __future__ import annotations

import hmac
import re
from typing import Any, Final

import pytest
from fastapi.routing import APIRoute

from service.console.console import ROUTERS
from service.console.forms import with_point
from tests.harness.browser import Browser, fields_of
from tests.harness.process import ROOT
from tests.harness.server import Party, Server
from tests.service.conftest import Study
from tests.service.console.conftest import browser_of

TEMPLATES: Final = ROOT / "service" / "console" / "templates"


def is_frozen(study: Study) -> bool:
    return bool(study.budget()["frozen"])


def freeze_path(study: Study) -> str:
    return f"/console/budgets/{study.budget_id}/freeze"


def test_a_form_without_its_token_does_nothing(study: Study) -> None:
    browser = browser_of(study.owner)
    another = browser_of(study.owner).get("/console/").value("form_token")
    anonymous = Browser(browser.url).get("/console/sign-in").value("form_token")
    for token in ("", "0" * 64, another, anonymous):
        page = browser.post(freeze_path(study), [("form_token", token), ("whose", study.owner.principal_id)])
        assert page.status == 409
        assert page.heading == "Send it now?"
        assert not is_frozen(study)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_form_of_another_site_does_nothing_even_with_the_token(study: Study, site: str) -> None:
    browser = browser_of(study.owner)
    marks = browser.get("/console/").marks
    page = browser.post(freeze_path(study), marks, {"Sec-Fetch-Site": site})
    assert page.status == 403
    assert not page.root.all("input")[2:]  # except the sign-out, no form to send it again
    assert not is_frozen(study)


def test_another_site_signs_nobody_in(owner: Party) -> None:
    browser = Browser(owner.server.url)
    page = browser.get("/console/sign-in")
    fields = [("form_token", page.value("form_token")), ("key", owner.key)]
    refused = browser.post("/console/sign-in", fields, {"Sec-Fetch-Site": "cross-site"})
    assert refused.status == 403
    assert not browser.cookie.startswith("pp_")
    without_cookie = Browser(owner.server.url)
    assert without_cookie.post("/console/sign-in", [("key", owner.key)]).status == 401
    assert not without_cookie.cookie.startswith("pp_")


def test_a_form_of_this_console_acts(study: Study) -> None:
    browser = browser_of(study.owner)
    browser.send(browser.get("/console/"), freeze_path(study))
    assert is_frozen(study)


def test_reading_changes_nothing(study: Study) -> None:
    browser = browser_of(study.owner)
    for path in (freeze_path(study), f"/console/data/{study.dataset_id}/delete", "/console/sign-out"):
        assert browser.get(path).status in {404, 405}
    assert not is_frozen(study)


def test_nobody_finds_what_was_typed_into_a_form_whose_session_had_ended(study: Study, server: Server) -> None:
    other = server.new("analyst")
    browser = browser_of(study.owner)
    page = browser.get(f"/console/data/{study.dataset_id}")
    session = study.owner.get("/v1/keys").json()["items"][-1]
    server.rows("UPDATE api_keys SET expires_at = 1 WHERE id = :id", id=session["id"])
    expired = Party(study.owner.principal_id, browser.cookie, server)
    assert expired.wait_for(lambda: expired.get("/v1/me"), status=401).status_code == 401
    typed = {"analyst": other.principal_id, "cap": "0.25", "until": "2031-05-06"}
    asked = browser.send(page, "/grants", key=study.owner.key, **typed)
    assert asked.status == 401
    assert "Nothing was sent or changed" in asked.text
    next_one = browser.send(asked, "/console/sign-in", key=server.new("owner").key)
    assert next_one.heading == "Your data"
    for each in (asked, next_one):
        assert not [value for value in (study.owner.key, *typed.values()) if value in each.response.text]
    grants = study.owner.get("/v1/grants", dataset_id=study.dataset_id).json()["items"]
    assert other.principal_id not in {each["principal_id"] for each in grants}


def test_a_form_of_an_earlier_session_is_sent_once_its_person_agrees(study: Study, server: Server) -> None:
    other = server.new("analyst")
    browser = browser_of(study.owner)
    page = browser.get(f"/console/data/{study.dataset_id}")
    browser.send(browser.get("/console/sign-in"), "/console/sign-in", key=study.owner.key)
    typed = {"analyst": other.principal_id, "cap": "0.25", "until": "2031-05-06"}
    again = browser.send(page, "/grants", key=study.owner.key, **typed)
    assert again.heading == "Send it now?"
    assert study.owner.key not in again.response.text
    assert all(value in again.text for value in typed.values())
    refused = browser.send(again, "/grants")
    assert refused.error_at("grant_key")
    kept = dict(fields_of(next(form for form in refused.forms if form.get("action").endswith("/grants"))))
    assert kept.items() >= typed.items()
    assert browser.send(refused, "/grants", key=study.owner.key).status == 200
    grants = study.owner.get("/v1/grants", dataset_id=study.dataset_id).json()["items"]
    assert [each["cap"]["epsilon"] for each in grants if each["principal_id"] == other.principal_id] == ["0.25"]


def test_a_form_that_is_refused_as_a_whole_can_be_sent_again(study: Study, server: Server) -> None:
    other = server.new("analyst")
    browser, path = browser_of(study.owner), f"/console/data/{study.dataset_id}/grants"
    marks = browser.get("/console/").marks
    elsewhere = path.replace(study.dataset_id, "dat_" + "a" * 26)
    fields = {"key": study.owner.key, "analyst": other.principal_id, "cap": "0.25"}
    refused = browser.post(elsewhere, [*marks, *fields.items()])
    assert refused.status == 404
    kept = dict(fields_of(next(form for form in refused.forms if form.get("action") == elsewhere)))
    assert kept["analyst"] == other.principal_id
    assert kept["cap"] == "0.25"
    assert "key" not in kept


def test_a_large_form_needs_a_session(server: Server) -> None:
    page = Browser(server.url).post("/console/data/new/register", [("table", "x" * 20_000)])
    assert page.status == 413


def test_a_body_that_is_no_form_is_refused(study: Study) -> None:
    browser = browser_of(study.owner)
    for body in (b"\xff\xfe", b"no form", b"a=%ff"):
        answer = browser.http.post(freeze_path(study), content=body, headers={"Content-Type": "text/plain"})
        assert answer.status_code == 400
    assert not is_frozen(study)


@pytest.fixture
def frozen(study: Study) -> Study:
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True})
    return study


KEYED: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "unfreeze": ("unfreeze_key", {}),
    "total": ("total_key", {"total_epsilon": "2"}),
    "grants": ("grant_key", {"analyst": "", "cap": "0.1"}),
    "delete": ("delete_key", {"delete_name": ""}),
}


@pytest.mark.parametrize("action", KEYED)
def test_weakening_and_deleting_require_the_key_again(frozen: Study, server: Server, action: str) -> None:
    browser = browser_of(frozen.owner)
    field, typed = KEYED[action]
    if action == "delete":
        typed = {"delete_name": frozen.owner.get(f"/v1/datasets/{frozen.dataset_id}").json()["name"]}
    if action == "grants":
        typed = typed | {"analyst": server.new("analyst").principal_id}
    before, path = frozen.ledger(), f"/console/data/{frozen.dataset_id}"
    for key in ("", browser.cookie, "pp_wrong", server.new("owner").key):
        page = browser.send(browser.get(path), f"/{action}", key=key, **typed)
        assert page.status >= 400
        assert page.error_at(field)
        assert not key or key not in page.response.text
        for name, value in typed.items():
            assert page.by_id(name).get("value") == value, "what was typed stays"
        assert frozen.ledger() == before
    done = browser.send(browser.get(path), f"/{action}", key=frozen.owner.key, **typed)
    assert done.status == 200, done.text
    assert len(frozen.ledger()) == len(before) + 1


def test_a_data_set_is_deleted_by_its_name_alone(study: Study) -> None:
    browser, path = browser_of(study.owner), f"/console/data/{study.dataset_id}"
    page = browser.send(browser.get(path), "/delete", key=study.owner.key, delete_name="another name")
    assert "not the name" in page.error_at("delete_name")
    assert browser.get(path).status == 200


def test_a_refused_amount_stands_at_its_field(study: Study) -> None:
    browser, path = browser_of(study.owner), f"/console/data/{study.dataset_id}"
    page = browser.send(browser.get(path), "/total", key=study.owner.key, total_epsilon="minus one")
    assert page.status == 422
    assert "Must be a number such as 0.25" in page.error_at("total_epsilon")
    assert page.by_id("total_epsilon").get("value") == "minus one"
    bad_day = {"analyst": study.analyst.principal_id, "cap": "0.1", "until": "tomorrow"}
    assert (
        "must be a day"
        in browser.send(browser.get(path), "/grants", key=study.owner.key, **bad_day).error_at("until").lower()
    )


def test_a_grant_is_given_once_by_two_sends_of_one_page(study: Study, server: Server) -> None:
    other = server.new("analyst")
    browser = browser_of(study.owner)
    page = browser.get(f"/console/data/{study.dataset_id}")
    typed = {"analyst": other.principal_id, "cap": "0.1", "key": study.owner.key}
    answers = [browser.send(page, "/grants", **typed) for _ in range(2)]
    assert [each.status for each in answers] == [200, 200]
    given = [each for each in study.ledger() if each["kind"] == "grant_opened"]
    assert len(given) == 2  # that of the study, and this one


def test_grants_are_closed_changed_and_reopened(study: Study) -> None:
    browser, path = browser_of(study.owner), f"/console/data/{study.dataset_id}"

    def grant() -> dict[str, Any]:
        given: dict[str, Any] = study.owner.get("/v1/grants", dataset_id=study.dataset_id).json()["items"][0]
        return given

    browser.send(browser.get(path), f"/grants/{study.grant_id}/close")
    assert grant()["closed"]
    browser.send(
        browser.get(path), f"/grants/{study.grant_id}/change", key=study.owner.key, cap="0,75", until="2031-01-31"
    )
    assert not grant()["closed"]
    assert grant()["cap"]["epsilon"] == "0.75"
    assert grant()["expires_at"] == "2031-01-31T23:59:59Z"
    page = browser.send(browser.get(path), f"/grants/{study.grant_id}/change", key=study.owner.key, cap="no", until="")
    assert page.error_at(f"cap_{study.grant_id}")


@pytest.mark.parametrize("origin", [None, "http://other.example", "null"])
def test_a_planted_cookie_signs_nobody_in(sqlite_server: Server, origin: str | None) -> None:
    browser, attacker = Browser(sqlite_server.url), sqlite_server.new("analyst")
    del browser.http.headers["Sec-Fetch-Site"]  # as a browser does without TLS
    own = browser.get("/console/sign-in").value("form_token")
    cookie = browser.cookie
    if origin is None:  # a cookie whose token the attacker could once compute
        cookie = "new_planted"
        own = hmac.digest(cookie.encode(), b"private-posterior console form 1", "sha256").hex()
        browser.plant(cookie)
    headers = {} if origin is None else {"Origin": origin}
    refused = browser.post("/console/sign-in", [("form_token", own), ("key", attacker.key)], headers)
    assert refused.status in {401, 403}
    assert browser.cookie == cookie
    page = browser.get("/console/sign-in")
    fields = [("form_token", page.value("form_token")), ("key", attacker.key)]
    assert browser.post("/console/sign-in", fields, {"Origin": sqlite_server.url}).status == 200
    assert browser.cookie.startswith("pp_")


def post_routes() -> list[str]:
    """The paths of all forms of the console, but for those by which somebody signs in."""
    found = [
        route.path
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute) and "POST" in (route.methods or ())
    ]
    return sorted(set(found) - {"/console/sign-in", "/console/enrol"})


def test_every_form_of_the_templates_carries_its_marks() -> None:
    forms = {
        (path.name, form)
        for path in TEMPLATES.glob("*.html")
        for form in re.findall(r'<form method="post".*?</form>', path.read_text(encoding="utf-8"), re.DOTALL)
    }
    assert len(forms) > 30
    # `token` means something else in the template of all pages, which has another name for this macro.
    assert [name for name, form in forms if not re.search(r"\{\{ (token|session_fields)\(form_token", form)] == []


def test_a_form_of_somebody_else_does_nothing(study: Study, server: Server) -> None:
    """Seen before: two owners at one browser. The script gave the form of one the token of the other, and the table of
    one was registered as the other's.
    """
    browser, other = browser_of(study.owner), server.new("owner")
    page = browser.get("/console/data/new")
    browser.sign_in(other.key)
    token = ("form_token", browser.get("/console/").value("form_token"))
    filled = {"name": "Mine", "unit": "one person", "table": "sex,count\nf,100\nm,200", "one_record_per_unit": "yes"}
    before = study.ledger()
    ids = {"dataset_id": study.dataset_id, "budget_id": study.budget_id, "grant_id": study.grant_id}
    for path in post_routes():
        at = re.sub(r"{(\w+)}", lambda name: ids.get(name[1], "nothing"), path)
        fields = [token, ("whose", page.value("whose")), ("key", other.key), *filled.items()]
        refused = browser.post(at, fields)
        assert refused.status == 409, (path, refused.text)
        assert "Somebody else was signed in when this form was opened. Nothing was done." in refused.text, path
        assert "Mine" not in refused.response.text
    assert study.ledger() == before
    assert other.get("/v1/datasets").json()["items"] == []
    assert browser.get("/console/").status == 200, "nobody was signed out"
    home = browser.send(page, "/register", **filled)
    assert home.status == 409, "nor without the script"
    assert other.get("/v1/datasets").json()["items"] == []


@pytest.mark.parametrize(
    ("typed", "number"), [(" .5", "0.5"), (",5", "0.5"), ("-.25", "-0.25"), ("1.5", "1.5"), (".", "."), ("a.5", "a.5")]
)
def test_a_typed_number_may_begin_with_its_point(typed: str, number: str) -> None:
    assert with_point(typed) == number
