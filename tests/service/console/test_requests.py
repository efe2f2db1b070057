"""Access requests: an owner lists a data set, sees the requests for it, and decides them."""

from __future__ import annotations

from tests.harness.bodies import budget_body
from tests.harness.server import Party, Server
from tests.service.conftest import Study, make_study
from tests.service.console.conftest import browser_of


def ask(study: Study, analyst: Party, purpose: str = "the report of 1955", **changes: str) -> str:
    body = {"epsilon": "0.4", "delta": "1e-9", "purpose": purpose} | changes
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
    fields = [*browser.get(path).marks, ("decline", "yes")]
    assert browser.post(form.get("action"), [*fields, ("reason", "")]).error_at(f"reason_{request_id}")
    assert browser.post(form.get("action"), [*fields, ("reason", "ask again in May")]).status == 200
    decided = analyst.get(f"/v1/access-requests/{request_id}").json()
    assert (decided["state"], decided["reason"]) == ("declined", "ask again in May")


def test_the_delta_of_a_request_is_read_before_it_is_approved(server: Server) -> None:
    body = {"kind": "new", "budget": budget_body(delta="0.001")}
    study = make_study(server.new("owner"), server.new("analyst"), budget=body)
    path, analysts = listed(study), [server.new("analyst") for _ in range(4)]
    assert "Last open request" not in browser_of(study.owner).get("/console/").text
    fitting, above, plain, gone = (
        ask(study, each, epsilon="0.01", delta=delta)
        for each, delta in zip(analysts, ("0.001", "0.4", "0", "0.001"), strict=True)
    )
    browser = browser_of(study.owner)
    home = browser.get("/console/")
    assert "Last open request" in home.text
    said = [" ".join(each.text.split()) for each in home.root.all("li") if "asks for" in each.text]
    for each, asked, left in (
        (0, "ε 0.01 and δ 0.001 of", "1 and δ 0.001 is left."),
        (1, "ε 0.01 and δ 0.4 of", "Only 1 and δ 0.001 is left"),
        (2, "ε 0.01 of", "1 is left."),
    ):
        assert asked in said[each].replace("\xa0", " ")
        assert left in said[each].replace("\xa0", " ")
    ticks = {each.get("value") for each in home.root.all("input") if each.get("name") == "request"}
    assert ticks == {fitting, plain, gone}
    page = browser.get(path)
    of_page = {each.get("value") for each in page.root.all("input") if each.get("form") == "several"}
    assert of_page == ticks, "several are approved at once on the page of the data set, too"
    assert page.by_id("several").get("action") == "/console/requests/approve"
    assert "asks for ε 0.01 and δ 0.4" in page.text.replace("\xa0", " ")
    assert page.by_id(f"request_delta_{fitting}").get("type") == "text"

    marks = home.marks
    analysts[3].patch(f"/v1/access-requests/{gone}", {"state": "withdrawn"})
    sent = [("request", each) for each in (fitting, above, gone, "acc_" + "a" * 26)]
    answer = browser.post("/console/requests/approve", [*marks, *sent, ("key", study.owner.key)])
    refused = " ".join(answer.by_id("refused").text.split())
    assert refused.startswith("Not everything was approved. The request of ")
    assert "it asks for ε = 0.01 and δ = 0.4, and only ε = 1 and δ = 0.001 is left." in refused
    assert "2 ticked requests were not approved: they are no longer open, or not for data of yours." in refused
    assert "may now spend at most ε = 0.01 and δ = 0.001 of" in answer.by_id("done").text
    caps = [[grant["cap"]["delta"] for grant in each.get("/v1/grants").json()["items"]] for each in analysts]
    assert caps == [["0.001"], [], [], []]
    nothing = browser.post("/console/requests/approve", [*marks, ("request", gone)])
    assert "Nothing was changed. 1 ticked request was not approved" in nothing.text

    kept = browser.send(browser.get(path), f"/requests/{above}", button="approve")
    assert "Only ε = 1 and δ = 0.001 is left of the budget" in kept.error_at(f"above_rest_{above}")
    lowered = browser.send(kept, f"/requests/{above}", button="approve", request_delta="0.0005")
    assert "may now spend at most ε = 0.01 and δ = 0.0005 of this budget" in lowered.by_id("done").text
