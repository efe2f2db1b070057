"""The owner's pages: grants by name, what was done in one sentence, stops, statements, and help."""

from __future__ import annotations

import pytest

from service.console.forms import secret_in
from tests.harness.browser import Browser, Page
from tests.harness.server import Party, Server
from tests.service.conftest import Study
from tests.service.console.conftest import browser_of
from tests.service.console.test_requests import ask, listed


def path_of(study: Study) -> str:
    return f"/console/data/{study.dataset_id}"


def name_of(party: Party) -> str:
    name: str = party.get("/v1/me").json()["principal"]["name"]
    return name


def done(page: Page) -> str:
    assert page.status == 200, page.text
    return " ".join(page.by_id("done").text.split())


def caps(study: Study, analyst: Party) -> list[str]:
    grants = study.owner.get(f"/v1/datasets/{study.dataset_id}/grants").json()["items"]
    return [each["cap"]["epsilon"] for each in grants if each["principal_id"] == analyst.principal_id]


def test_a_grant_is_given_by_the_name_of_somebody_who_asked(study: Study, server: Server) -> None:
    analyst = server.new("analyst")
    listed(study)
    ask(study, analyst)
    browser = browser_of(study.owner)
    page = browser.get(path_of(study))
    assert name_of(analyst) in [each.get("value") for each in page.root.all("option")]
    given = browser.send(page, "/grants", analyst=name_of(analyst).upper(), cap="0.2", key=study.owner.key)
    assert f"{name_of(analyst)} may now spend at most ε = 0.2" in done(given)
    assert caps(study, analyst) == ["0.2"]


def test_a_name_that_nobody_known_has_is_refused_at_its_field(study: Study) -> None:
    browser = browser_of(study.owner)
    page = browser.send(browser.get(path_of(study)), "/grants", analyst="Dr. Osei", cap="0.2", key=study.owner.key)
    assert page.error_at("analyst").startswith("Nobody of this name has asked you for access")
    assert "Analyst: Nobody" in page.by_id("refused").text


def test_a_grant_to_an_id_names_the_person_and_is_taken_back(study: Study, server: Server) -> None:
    analyst = server.new("analyst")
    browser = browser_of(study.owner)
    fields = {"analyst": analyst.principal_id, "cap": "0.2", "key": study.owner.key}
    page = browser.send(browser.get(path_of(study)), "/grants", **fields)
    assert name_of(analyst) in done(page)
    undo = page.by_id("done").all("form")[0].get("action")
    back = browser.send(page, undo)
    assert f"The grant of {name_of(analyst)} is closed" in done(back)


def test_an_end_in_the_past_is_refused_at_its_field(study: Study, server: Server) -> None:
    analyst, browser = server.new("analyst"), browser_of(study.owner)
    fields = {"analyst": analyst.principal_id, "cap": "0.1", "until": "2025-12-31", "key": study.owner.key}
    page = browser.send(browser.get(path_of(study)), "/grants", **fields)
    assert "has passed" in page.error_at("until")
    assert caps(study, analyst) == []
    page = browser.send(browser.get(path_of(study)), "/change", cap="0.5", until="2025-12-31", key=study.owner.key)
    assert "has passed" in page.error_at(f"until_{study.grant_id}")


def test_a_cap_above_the_rest_is_saved_only_if_it_is_meant(study: Study, server: Server) -> None:
    analyst, browser = server.new("analyst"), browser_of(study.owner)
    fields = {"analyst": analyst.principal_id, "cap": "1,5", "key": study.owner.key}
    page = browser.send(browser.get(path_of(study)), "/grants", **fields)
    assert "Only ε = 1 is left of the budget" in page.error_at("above_rest")
    assert caps(study, analyst) == []
    saved = browser.send(page, "/grants", above_rest="yes", key=study.owner.key)
    assert "may now spend at most ε = 1.5" in done(saved)
    assert caps(study, analyst) == ["1.5"]


def test_each_decision_is_confirmed_in_one_sentence(study: Study, server: Server) -> None:
    browser, path = browser_of(study.owner), path_of(study)
    page = browser.send(browser.get(path), "/listed", button="listed")
    assert "is listed" in done(page)
    request_id = ask(study, server.new("analyst"))
    page = browser.get(path)
    form = next(each for each in page.forms if each.all("button")[0].get("name") == "decline")
    fields = [("form_token", page.value("form_token")), ("decline", "yes"), ("reason", "ask again in May")]
    assert "is declined now" in done(browser.post(form.get("action"), fields))
    page = browser.send(browser.get(path), "/listed", button="listed")
    assert "is not listed" in done(page)
    assert "“ask again in May”" in page.text, "a decision stays in sight"
    assert "the report of 1955" in page.text
    stopped = browser.send(page, "/freeze")
    assert "stopped now" in done(stopped)
    assert "stopped since" in stopped.text
    assert "stopped with all releases" in stopped.text
    allowed = browser.send(stopped, "/unfreeze", key=study.owner.key)
    assert "allowed now" in done(allowed)
    assert "ε = 2 now" in done(browser.send(allowed, "/total", total_epsilon="2", key=study.owner.key))
    assert "may now spend at most ε = 0.25" in done(
        browser.send(browser.get(path), "/change", cap="0.25", key=study.owner.key)
    )
    assert request_id


def test_an_address_confirms_nothing_that_is_not_so(study: Study) -> None:
    browser, path = browser_of(study.owner), path_of(study)
    assert "allowed now" in done(browser.get(f"{path}?done=stopped"))
    for query in ("done=grant&of=<script>", "done=nothing", f"done=request&of={study.grant_id}"):
        assert not [each for each in browser.get(f"{path}?{query}").root.all() if each.get("id") == "done"]


def test_a_total_below_what_is_spent_is_refused_at_its_field(study: Study) -> None:
    assert study.analyst.release(study.dataset_id).status_code == 201
    browser = browser_of(study.owner)
    page = browser.send(browser.get(path_of(study)), "/total", total_epsilon="0,01", key=study.owner.key)
    assert page.error_at("total_epsilon") == "A total can't be below what is already spent."
    assert "body" not in page.by_id("refused").text


def test_what_is_promised_is_shown_beside_what_is_left(study: Study) -> None:
    text = browser_of(study.owner).get(path_of(study)).text
    cap = study.owner.get(f"/v1/datasets/{study.dataset_id}/grants").json()["items"][0]["cap"]["epsilon"]
    assert f"Open grants may still spend ε = {cap}" in text


def test_a_release_is_linked_from_its_charge(study: Study) -> None:
    release = study.analyst.release(study.dataset_id).json()
    browser = browser_of(study.owner)
    links = [each.get("href") for each in browser.get(path_of(study)).root.all("a")]
    assert f"/console/releases/{release['id']}" in links
    assert browser.get(f"/console/releases/{release['id']}").status == 200


def test_an_analyst_sees_that_releases_are_stopped_and_whose_data_it_is(study: Study) -> None:
    browser = browser_of(study.analyst)
    page = browser.get("/console/datasets")
    assert f"Data of {name_of(study.owner)}" in page.text
    assert "Plan a release" in page.text
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True})
    page = browser.get("/console/datasets")
    assert "The owner stopped all releases" in page.text
    assert "Plan a release" not in page.text
    assert f"The owner is {name_of(study.owner)}" in browser.get(f"/console/datasets/{study.dataset_id}").text


def test_a_statement_names_owner_service_and_decisions_and_outlives_the_data(study: Study) -> None:
    browser, path = browser_of(study.owner), path_of(study)
    name = study.owner.get(f"/v1/datasets/{study.dataset_id}").json()["name"]
    browser.send(browser.get(path), "/listed", button="listed")
    browser.send(browser.get(path), "/freeze")
    browser.send(browser.get(path), "/delete", delete_name=name, key=study.owner.key)
    home = browser.get("/console/")
    assert f"Statement of {name}" in home.text
    statement = browser.get(f"{path}/statement")
    for words in (
        name_of(study.owner),
        f"Private Posterior at {browser.url}/console/",
        "The data set was listed for all analysts.",
        "All releases were stopped.",
        "The counts were destroyed.",
        f"({study.analyst.principal_id}) may spend at most epsilon",
    ):
        assert words in statement.text
    file = browser.http.get(f"{path}/statement.txt")
    assert file.headers["Content-Disposition"].startswith('attachment; filename="statement-')
    assert "In symbols: epsilon 1" in file.text


def test_page_and_statement_state_the_same_odds(study: Study) -> None:
    browser, path = browser_of(study.owner), path_of(study)
    assert "at most 2.72 times" in browser.get(path).text
    assert "at most 2.72 times" in browser.get(f"{path}/statement").text


def test_help_is_linked_from_every_page_and_open_to_everybody(study: Study, server: Server) -> None:
    for browser in (Browser(server.url), browser_of(study.owner), browser_of(study.analyst)):
        page = browser.get("/console/help")
        assert page.status == 200
        assert page.heading == "Help"
        assert "/console/help" in [each.get("href") for each in page.root.all("footer")[0].all("a")]
        for words in ("It is not a statement about law", "operator holds the decryption key", "What if I leave?"):
            assert words in page.text


def test_the_key_is_found_in_a_pasted_line(server: Server, owner: Party) -> None:
    browser = Browser(server.url)
    assert browser.sign_in(f"  key of the office: {owner.key}, keep it safe").path == "/console/"
    made = server.admin.api.create_principal({"role": "owner", "name": "a guest of the office"})
    assert made["enrolment"] is not None
    assert (
        Browser(server.url).sign_in(f"invitation of 24 November: {made['enrolment']['token']}.").heading
        == "Make your key"
    )


@pytest.mark.parametrize("text", ["hello", "pp_one or pp_two", "app_store", ""])
def test_a_text_without_one_key_stays_as_it_is(text: str) -> None:
    assert secret_in(text) == text


def test_signing_out_is_confirmed_and_a_key_of_an_owner_is_for_no_grant(owner: Party, analyst: Party) -> None:
    browser = browser_of(owner)
    page = browser.get("/console/keys")
    assert "give you a grant" not in page.text
    assert "give you a grant" in browser_of(analyst).get("/console/keys").text
    assert "You are signed out" in browser.send(page, "/console/sign-out").text
