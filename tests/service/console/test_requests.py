"""Access requests: an owner lists a data set, sees the requests for it, and decides them."""

from __future__ import annotations

from tests.harness.server import Party, Server
from tests.service.conftest import Study
from tests.service.console.conftest import browser_of


def ask(study: Study, analyst: Party, purpose: str = "the report of 1955") -> str:
    body = {"epsilon": "0.4", "delta": "1e-9", "purpose": purpose}
    made = analyst.post(f"/v1/datasets/{study.dataset_id}/access-requests", body)
    assert made.status_code == 201, made.text
    request_id: str = made.json()["id"]
    return request_id


def listed(study: Study) -> str:
    """The page of a data set that its owner has just listed there."""
    browser, path = browser_of(study.owner), f"/console/data/{study.dataset_id}"
    page = browser.send(browser.get(path), "/listed", button="listed")
    assert "No longer list it" in page.text
    return path


def test_a_listed_data_set_shows_who_asks_and_an_approval_gives_the_grant(study: Study, server: Server) -> None:
    path, analyst = listed(study), server.new("analyst")
    request_id = ask(study, analyst, "<b>the report</b> of 1955")
    browser = browser_of(study.owner)
    assert "1 thing to decide" in browser.get("/console/").text
    page = browser.get(path)
    assert "“<b>the report</b> of 1955”" in page.text
    refused = browser.send(page, request_id, button="approve", request_cap="0.25", request_until="2031-01-31", key="")
    assert refused.error_at(f"request_key_{request_id}")
    assert refused.by_id(f"request_cap_{request_id}").get("value") == "0.25"
    assert refused.by_id(f"request_until_{request_id}").get("value") == "2031-01-31"
    done = browser.send(refused, request_id, button="approve", key=study.owner.key)
    assert done.status == 200, done.text
    assert "to decide" not in done.text
    grants = analyst.get("/v1/grants").json()["items"]
    assert [(each["cap"]["epsilon"], each["expires_at"]) for each in grants] == [("0.25", "2031-01-31T23:59:59Z")]


def test_a_request_is_declined_with_a_sentence(study: Study, server: Server) -> None:
    path, analyst = listed(study), server.new("analyst")
    request_id = ask(study, analyst)
    browser = browser_of(study.owner)
    action = f"/requests/{request_id}"
    form = next(each for each in browser.get(path).forms if each.all("button")[0].get("name") == "decline")
    assert form.get("action").endswith(action)
    token = browser.get(path).value("form_token")
    fields = [("form_token", token), ("decline", "yes")]
    assert browser.post(form.get("action"), [*fields, ("reason", "")]).error_at(f"reason_{request_id}")
    assert browser.post(form.get("action"), [*fields, ("reason", "ask again in May")]).status == 200
    decided = analyst.get(f"/v1/access-requests/{request_id}").json()
    assert (decided["state"], decided["reason"]) == ("declined", "ask again in May")
