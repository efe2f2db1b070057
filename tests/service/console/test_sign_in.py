"""Signing in: the cookie is a session key, made by the person's own key, and ends with it."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import httpx
import pytest

from service.principals.keys import MAX_SESSIONS
from tests.harness.bodies import unique
from tests.harness.browser import Browser, Page
from tests.harness.server import Party, Server, serving
from tests.service.console.conftest import browser_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_the_cookie_is_a_session_key_made_by_the_persons_key(owner: Party) -> None:
    browser = browser_of(owner)
    made = owner.get("/v1/keys").json()["items"][-1]
    assert made["kind"] == "session"
    assert made["parent_id"] == owner.key_id
    assert browser.cookie.startswith(made["prefix"])
    listed = browser.get("/console/keys")
    assert made["prefix"] in listed.text
    assert "this browser" in listed.text


def test_the_cookie_is_for_this_site_and_for_no_script(owner: Party) -> None:
    browser = Browser(owner.server.url)
    page = browser.send(browser.get("/console/sign-in"), "/console/sign-in", key=owner.key)
    answer = page.response.history[0]
    assert answer.status_code == 303
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/console", "Max-Age=28800"} <= set(cookie.split("; "))
    assert owner.key not in cookie
    assert "Secure" not in cookie  # this service speaks plain HTTP on loopback


def test_a_wrong_key_is_refused_at_its_field(server: Server, owner: Party) -> None:
    browser = Browser(server.url)
    for wrong in ("pp_wrong", "hello", "pp_\N{SNOWMAN}", owner.key[:-1]):
        page = browser.sign_in(wrong)
        assert page.status == 401
        assert "not known here" in page.error_at("key")
        assert wrong not in page.response.text
    assert "Paste your key" in browser.sign_in("").error_at("key")


def test_the_key_of_a_session_opens_no_other(owner: Party) -> None:
    page = Browser(owner.server.url).sign_in(browser_of(owner).cookie)
    assert "lasting key" in page.error_at("key")


def test_a_cookie_that_was_planted_before_is_not_the_session(server: Server, owner: Party) -> None:
    planted = browser_of(server.new("owner")).cookie
    for cookie in ("new_planted-by-somebody", planted):
        browser = Browser(server.url)
        browser.plant(cookie)
        page = browser.sign_in(owner.key)
        assert page.status == 200, page.text
        held = [each.value for each in browser.http.cookies.jar]
        assert cookie not in held
        assert browser.get("/console/keys").root.all("code")[0].text == owner.principal_id


def test_two_different_cookies_are_no_session(owner: Party) -> None:
    browser = browser_of(owner)
    for other in (browser.cookie, "pp_another"):
        cookies = f"posterior_session={other}; posterior_session={browser.cookie}"
        with httpx.Client(base_url=owner.server.url) as http:
            answer = http.get("/console/keys", headers={"Cookie": cookies})
        assert answer.status_code == (200 if other == browser.cookie else 401)


def test_signing_out_ends_the_session_for_everybody_who_has_the_cookie(owner: Party) -> None:
    browser = browser_of(owner)
    thief = Browser(owner.server.url)
    thief.plant(browser.cookie)
    assert thief.get("/console/keys").status == 200
    page = browser.send(browser.get("/console/keys"), "/console/sign-out")
    assert page.path == "/console/sign-in"
    assert not browser.cookie.startswith("pp_")
    assert thief.get("/console/keys").status == 401
    assert owner.get("/v1/datasets").status_code == 200


def test_pages_bind_what_the_browser_keeps_to_one_session(owner: Party) -> None:
    def session_of(page: Page) -> str:
        return page.root.all("html")[0].get("data-session")

    browser, other = browser_of(owner), browser_of(owner)
    mark = session_of(browser.get("/console/data/new"))
    assert mark
    assert session_of(browser.get("/console/keys")) == mark
    assert session_of(other.get("/console/data/new")) not in {"", mark}
    assert not any(browser.cookie in each.response.text for each in browser.seen)
    [key] = [each for each in owner.get("/v1/keys").json()["items"] if browser.cookie.startswith(each["prefix"])]
    owner.delete(f"/v1/keys/{key['id']}")
    ended = browser.get("/console/data/new")
    assert ended.status == 401
    assert session_of(ended) == "", "the sign-in page deletes everything, even if the browser still has the cookie"


def test_the_eleventh_session_ends_the_first(owner: Party) -> None:
    browsers = [browser_of(owner) for _ in range(MAX_SESSIONS + 1)]
    assert browsers[0].get("/console/").status == 401
    assert all(each.get("/console/").status == 200 for each in browsers[1:])


def test_a_session_is_ended_from_the_list_with_the_key_alone(owner: Party) -> None:
    browser, other = browser_of(owner), browser_of(owner)
    ended = next(each for each in owner.get("/v1/keys").json()["items"] if other.cookie.startswith(each["prefix"]))
    page = browser.get("/console/keys")
    refused = browser.send(page, f"/console/keys/{ended['id']}/end", key=browser.cookie)
    assert refused.status >= 400
    assert other.get("/console/").status == 200
    assert browser.send(page, f"/console/keys/{ended['id']}/end", key=owner.key).status == 200
    assert other.get("/console/").status == 401


def test_an_invitation_makes_a_key_that_is_shown_once(server: Server) -> None:
    made = server.admin.api.create_principal({"role": "owner", "name": unique("office")})
    assert made["enrolment"] is not None
    token = made["enrolment"]["token"]
    browser = Browser(server.url)
    before = browser.sign_in(token)
    assert before.heading == "Make your key"
    shown = browser.send(before, "/console/enrol")
    key, code = shown.by_id("new-key").get("value"), shown.by_id("new-code").get("value")
    assert key.startswith("pp_")
    assert code.startswith("ppr_")
    assert shown.response.headers["Cache-Control"] == "no-store"
    assert not browser.cookie.startswith("pp_")  # nobody is signed in before the key was saved
    again = browser.send(before, "/console/enrol")
    assert re.search(r"used already, on \d+ \w+ \d{4}, \d\d:\d\d UTC", again.error_at("key"))
    assert f"It made the key that begins with {key[:7]}" in again.error_at("key")
    assert "ask an admin for a new invitation" in again.error_at("key")
    assert browser.send(shown, "/console/sign-in", key=key).path == "/console/"
    recovering = Browser(server.url)
    warned = recovering.sign_in(code)
    assert "ends all your earlier keys" in warned.text
    new_key = recovering.send(warned, "/console/enrol").by_id("new-key").get("value")
    assert browser.get("/console/").status == 401
    assert recovering.sign_in(new_key).status == 200


def test_another_key_is_shown_once_and_a_reload_names_how_it_begins(owner: Party) -> None:
    browser = browser_of(owner)
    page = browser.get("/console/keys")
    assert browser.send(page, "/console/keys", key=browser.cookie).error_at("new_key")
    shown = browser.send(page, "/console/keys", key=owner.key)
    key = shown.by_id("made-key").get("value")
    assert key.startswith("pp_")
    again = browser.send(page, "/console/keys", key=owner.key)
    assert key not in again.response.text
    assert f"The key that begins with {key[:7]}" in again.text
    another = browser.send(again, "/console/keys", key=owner.key).by_id("made-key").get("value")
    assert another != key
    assert "The key was ended" in browser.send(again, "/end", key=owner.key).by_id("done").text
    assert Browser(owner.server.url).sign_in(key).error_at("key")


def test_a_mistyped_invitation_says_what_to_check(server: Server) -> None:
    made = server.admin.api.create_principal({"role": "owner", "name": unique("office")})
    assert made["enrolment"] is not None
    token = made["enrolment"]["token"]
    mistyped = token[:-1] + ("A" if token[-1] != "A" else "B")
    for wrong, what in ((mistyped, "invitation"), (mistyped.replace("ppe_", "ppr_"), "recovery code")):
        browser = Browser(server.url)
        page = browser.send(browser.sign_in(wrong), "/console/enrol")
        assert f"This {what} is not known here" in page.error_at("key")
        assert "Check that you pasted all of it." in page.error_at("key")
        assert wrong not in page.response.text


def test_help_opens_a_new_tab_beside_what_is_shown_once(server: Server) -> None:
    made = server.admin.api.create_principal({"role": "owner", "name": unique("office")})
    assert made["enrolment"] is not None
    browser = Browser(server.url)
    before = browser.sign_in(made["enrolment"]["token"])
    for page, target in ((before, ""), (browser.send(before, "/console/enrol"), "_blank")):
        assert page.root.all("footer")[0].all("a")[0].get("target") == target


def test_only_a_page_of_the_console_comes_after_signing_in(owner: Party) -> None:
    browser = Browser(owner.server.url)
    for elsewhere in (
        "https://evil.example/console/",
        "//evil.example/console/",
        "/console/\\evil.example",
        "/v1/keys",
        "/console//evil",
    ):
        page = browser.send(browser.get("/console/sign-in"), "/console/sign-in", key=owner.key, next=elsewhere)
        assert page.path == "/console/"
    fresh = Browser(owner.server.url)
    asked = fresh.get("/console/keys")
    assert asked.status == 401
    assert fresh.send(asked, "/console/sign-in", key=owner.key).path == "/console/keys"


def test_nothing_of_a_sign_in_is_logged(server: Server, owner: Party) -> None:
    browser = browser_of(owner)
    browser.sign_in("pp_typed-by-mistake-and-never-logged")
    browser.send(browser.get("/console/keys"), "/console/sign-out")
    log = server.log.read_text()
    assert "operation=sign_in" in log
    for secret in (owner.key, browser.cookie, "typed-by-mistake", "posterior_session"):
        assert secret not in log


@pytest.fixture(scope="module")
def behind_proxy(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    directory = tmp_path_factory.mktemp("behind-proxy")
    shutil.copy(migrated_sqlite, directory / "posterior.sqlite3")
    url = f"sqlite:///{directory / 'posterior.sqlite3'}"
    with serving(directory, url, root_path="/posterior", behind_proxy="true") as running:
        yield running


def test_behind_a_proxy_the_cookie_is_secure_and_links_have_the_prefix(behind_proxy: Server) -> None:
    page = Browser(behind_proxy.url).get("/console/sign-in")
    cookie = page.response.headers["Set-Cookie"].split("; ")
    assert {"Secure", "Path=/posterior/console"} <= set(cookie)
    links = [each.get("href") or each.get("src") for each in page.root.all("link", "script", "a")]
    assert all(each.startswith(("/posterior/console/", "#")) for each in links)
    with httpx.Client(base_url=behind_proxy.url) as http:
        assert http.get("/", headers={"Accept": "text/html"}).headers["Location"] == "/posterior/console/"


def test_a_browser_is_led_from_the_root_to_the_console(server: Server) -> None:
    assert Browser(server.url).get("/").path == "/console/"
    assert server.http.get("/", headers={"Accept": "application/json"}).status_code == 404


def test_the_console_can_be_switched_off(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    with serving(tmp_path, f"sqlite:///{tmp_path / 'posterior.sqlite3'}", console="false") as running:
        for path in ("/", "/console/", "/console/sign-in", "/console/static/console.css"):
            assert running.http.get(path, headers={"Accept": "text/html"}).status_code == 404
