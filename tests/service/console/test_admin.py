"""Admins invite people, end their access, and see whether the service works."""

from __future__ import annotations

import httpx

from service.console.forms import secret_in
from tests.harness.bodies import unique
from tests.harness.browser import Browser
from tests.harness.server import Server
from tests.service.conftest import Study
from tests.service.console.conftest import browser_of


def test_an_invitation_is_shown_for_ten_minutes_in_its_session_and_makes_one_person(server: Server) -> None:
    browser, name = browser_of(server.admin), unique("Field office")
    page = browser.get("/console/admin")
    refused = browser.send(page, "/invitations", name=name, role="admin", key=browser.cookie)
    assert refused.error_at("invite_key")
    shown = browser.send(page, "/invitations", name=name, role="analyst", key=server.admin.key)
    text = shown.by_id("invitation").text
    assert f"{server.url}/console/sign-in" in text
    assert f"Dear {name}" in text
    token = secret_in(text)
    assert token.startswith("ppe_")
    again = browser.send(page, "/invitations", name=name, role="analyst", key=server.admin.key)
    assert secret_in(again.by_id("invitation").text) == token, "the same page makes no other one"
    assert shown.path == again.path
    assert secret_in(browser.get(shown.path).by_id("invitation").text) == token, "and a reload shows it, too"
    elsewhere, kept = browser_of(server.admin), browser.http.cookies["posterior_invitation"]
    elsewhere.http.cookies.set("posterior_invitation", kept, domain=httpx.URL(server.url).host, path="/console")
    assert "can't be shown any more" in elsewhere.get(shown.path).text
    people = server.admin.api.principals()
    assert [each["role"] for each in people if each["name"] == name] == ["analyst"]
    assert Browser(server.url).sign_in(" ".join(text.split())).heading == "Make your key"


def test_a_refused_invitation_says_why_at_its_field(server: Server) -> None:
    browser = browser_of(server.admin)
    fields = {"role": "owner", "key": server.admin.key}
    page = browser.send(browser.get("/console/admin"), "/invitations", name="\u202eforged", **fields)
    assert "invisible marks" in page.error_at("name")
    assert browser.send(page, "/invitations", name="x" * 201, **fields).error_at("name")


def test_access_is_ended_with_the_key_alone(server: Server) -> None:
    browser, person = browser_of(server.admin), server.new("analyst")
    path = f"/console/admin/people/{person.principal_id}"
    marks = browser.get("/console/admin").marks
    for action in ("end", "invitation"):
        refused = browser.post(f"{path}/{action}", [*marks, ("key", browser.cookie)])
        assert refused.status == 403
    assert person.get("/v1/me").status_code == 200
    invited = browser.post(f"{path}/invitation", [*marks, ("key", server.admin.key)])
    assert "starts a recovery" in invited.text
    ended = browser.post(f"{path}/end", [*marks, ("key", server.admin.key), ("erase_name", "yes")])
    assert ended.path == "/console/admin"
    assert person.get("/v1/me").status_code == 401


def test_the_state_of_the_service_is_shown(server: Server) -> None:
    assert "The service is ready" in browser_of(server.admin).get("/console/admin").text


def test_an_admin_freezes_a_budget_and_transfers_that_of_an_owner_who_left(study: Study, server: Server) -> None:
    browser, successor = browser_of(server.admin), server.new("owner")
    path = f"/console/admin/people/{study.owner.principal_id}/budgets"
    page = browser.get(path)
    assert study.budget_id in page.text
    assert "Transfer the budget" not in page.text, "their access has not ended"
    frozen = browser.send(page, f"/{study.budget_id}/freeze")
    assert "Only its owner can unfreeze it" in frozen.text
    assert study.budget()["frozen"]
    server.admin.delete(f"/v1/principals/{study.owner.principal_id}")
    page = browser.get(path)
    refused = browser.send(page, f"/{study.budget_id}/owner", to=successor.principal_id, key=browser.cookie)
    assert refused.error_at(f"transfer_key_{study.budget_id}")
    unchosen = browser.send(page, f"/{study.budget_id}/owner", key=server.admin.key)
    assert unchosen.error_at(f"to_{study.budget_id}")
    given = browser.send(page, f"/{study.budget_id}/owner", to=successor.principal_id, key=server.admin.key)
    assert "has its new owner" in given.text
    assert study.budget_id not in given.text
    assert successor.get(f"/v1/budgets/{study.budget_id}").json()["frozen"]
    assert browser_of(study.analyst).get(path).status == 403
