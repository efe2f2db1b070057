"""The owner's pages: grants by name, what was done in one sentence, stops, statements, and help."""

from __future__ import annotations

import pytest

from service.console.forms import secret_in
from tests.harness.bodies import unique
from tests.harness.browser import Browser, Page
from tests.harness.server import Party, Server
from tests.service.conftest import Study, dataset_body
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
    grants = study.owner.get("/v1/grants", dataset_id=study.dataset_id).json()["items"]
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
    assert page.error_at("analyst").startswith("No analyst of this installation has this name.")
    assert "Analyst: No analyst" in page.by_id("refused").text


def test_everything_that_is_wrong_with_a_grant_is_said_at_once(study: Study) -> None:
    browser = browser_of(study.owner)
    fields = {"analyst": "Dr. Osei", "cap": "much", "until": "2025-12-31", "key": "pp_wrong"}
    page = browser.send(browser.get(path_of(study)), "/grants", **fields)
    assert page.error_at("analyst").startswith("No analyst of this installation has this name")
    assert page.error_at("cap") == "Must be a number such as 0.25."
    assert "has passed" in page.error_at("until")
    assert "not known here" in page.error_at("grant_key")


def test_an_id_of_nobody_and_ones_own_id_are_distinguished(study: Study) -> None:
    browser = browser_of(study.owner)
    fields = {"analyst": "pri_aaaaaaaaaaaaaaaaaaaaaaaaaa", "cap": "0.2", "key": study.owner.key}
    page = browser.send(browser.get(path_of(study)), "/grants", **fields)
    assert page.error_at("analyst").startswith("No analyst of this service has this id.")
    page = browser.send(page, "/grants", **(fields | {"analyst": study.owner.principal_id}))
    assert page.error_at("analyst").startswith("This is your own id.")


def test_a_grant_to_an_id_names_the_person_and_is_taken_back(study: Study, server: Server) -> None:
    analyst = server.new("analyst")
    browser = browser_of(study.owner)
    fields = {"analyst": analyst.principal_id, "cap": "0.2", "key": study.owner.key}
    page = browser.send(browser.get(path_of(study)), "/grants", **fields)
    assert name_of(analyst) in done(page)
    undo = page.by_id("done").all("form")[0].get("action")
    back = browser.send(page, undo)
    assert f"The access of {name_of(analyst)} is ended" in done(back)


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


def test_a_total_far_above_the_old_one_is_saved_only_if_it_is_meant(study: Study) -> None:
    browser, budget = browser_of(study.owner), f"/v1/budgets/{study.budget_id}"
    page = browser.send(browser.get(path_of(study)), "/total", total_epsilon="500", key=study.owner.key)
    assert page.status == 422
    refused = page.error_at("far_above")
    for words in (
        "ε is above 10. At such a value the guarantee means almost nothing",
        "10 times the present total, 1",
        "tick",
    ):
        assert words in refused
    assert "Give this total although it is so high" in page.by_id("refused").text
    assert "at most 1.41 × 10²¹⁷ times" in " ".join(page.by_id("total-meaning").text.split())
    assert study.owner.get(budget).json()["guarantee"]["epsilon"] == "1"
    saved = browser.send(page, "/total", far_above="yes", key=study.owner.key)
    assert "ε = 500 now" in done(saved)
    assert "ε is above 10. At such a value the guarantee means almost nothing" in saved.text
    lowered = browser.send(saved, "/total", total_epsilon="9", key=study.owner.key)
    assert "ε = 9 now" in done(lowered), "no question if the total falls"
    sections = lowered.root.all("section")
    assert not [each for each in sections if each.get("aria-labelledby") != "control" and "ε is above" in each.text]
    page = browser.send(lowered, "/total", total_epsilon="10,5", key=study.owner.key)
    assert "ε is above 10" in page.error_at("far_above")
    assert "decimal point" not in page.error_at("far_above")


def test_a_shared_budget_names_its_other_data_sets(study: Study) -> None:
    shared = {"kind": "existing", "id": study.budget_id}
    names = ["Visits of the year", "Visits of last year"]
    others = [study.owner.post("/v1/datasets", dataset_body(name=unique(each), budget=shared)).json() for each in names]
    browser, path = browser_of(study.owner), path_of(study)
    page = browser.get(path)
    links = page.links
    assert all(links.count(f"/console/data/{each['id']}") >= 2 for each in others), "at the top and at the budget"
    named = f"{others[0]['name']} and {others[1]['name']}"
    stopped = browser.send(page, "/freeze")
    assert f"Allowing them again allows those from {named} too." in stopped.text
    browser.send(stopped, "/unfreeze", key=study.owner.key)
    assert f"for this data set and {named} together" in page.text
    home = browser.get("/console/").text
    assert all(f"Shares its budget with {one}, {other}" in home for one, other in [[each["name"] for each in others]])
    assert study.owner.delete(f"/v1/datasets/{others[1]['id']}").status_code == 204
    page = browser.get(path)
    assert f"with {others[0]['name']}. Spending, remainder" in page.text
    assert f"{others[1]['name']} drew on this budget too until it was deleted" in page.text


def test_a_form_of_a_deleted_data_set_leads_to_its_statement(study: Study, server: Server) -> None:
    browser, path = browser_of(study.owner), path_of(study)
    old = browser.get(path)
    assert study.owner.delete(f"/v1/datasets/{study.dataset_id}").status_code == 204
    page = browser.send(old, "/total", total_epsilon="2", key=study.owner.key)
    assert page.status == 404
    assert "This data set was deleted on " in page.text
    assert "Nothing was changed." in page.text
    assert "What you typed" not in page.text
    assert f"{path}/statement" in page.links
    assert "Sign out" in page.root.all("header")[0].text
    page = browser.send(old, "/listed", button="listed")
    assert "This data set was deleted on " in page.text
    page = browser.get(path)
    assert "This data set was deleted on " in page.text
    assert "Nothing was changed." not in page.text
    page = browser_of(server.new("owner")).get(path)
    assert (page.status, "No data set of yours has this address." in page.text) == (404, True)
    assert "Sign out" in page.root.all("header")[0].text


def test_the_home_says_whether_a_data_set_is_listed(study: Study) -> None:
    browser = browser_of(study.owner)
    assert "listed for analysts" not in browser.get("/console/").text
    listed(study)
    assert "listed for analysts" in browser.get("/console/").text


def test_each_decision_is_confirmed_in_one_sentence(study: Study, server: Server) -> None:
    browser, path = browser_of(study.owner), path_of(study)
    page = browser.send(browser.get(path), "/listed", button="listed")
    assert "is listed" in done(page)
    request_id = ask(study, server.new("analyst"))
    page = browser.get(path)
    form = next(each for each in page.forms if each.all("button")[0].get("name") == "decline")
    fields = [*page.marks, ("decline", "yes"), ("reason", "ask again in May")]
    assert "is declined now" in done(browser.post(form.get("action"), fields))
    page = browser.send(browser.get(path), "/listed", button="listed")
    assert "is not listed" in done(page)
    assert "“ask again in May”" in page.text, "a decision stays in sight"
    assert "the report of 1955" in page.text
    stopped = browser.send(page, "/freeze")
    assert "stopped now" in done(stopped)
    assert "(since " in done(stopped)
    assert f"by {name_of(study.owner)})" in done(stopped)
    assert stopped.text.count("All releases from this budget are stopped") == 1
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
    cap = study.owner.get("/v1/grants", dataset_id=study.dataset_id).json()["items"][0]["cap"]["epsilon"]
    assert f"Open access may still spend ε {cap}" in text


def test_a_release_is_linked_from_its_charge(study: Study) -> None:
    release = study.analyst.release(study.dataset_id).json()
    browser = browser_of(study.owner)
    links = browser.get(path_of(study)).links
    assert f"/console/releases/{release['id']}" in links
    assert browser.get(f"/console/releases/{release['id']}").status == 200


def test_an_analyst_sees_that_releases_are_stopped_and_whose_data_it_is(study: Study) -> None:
    browser = browser_of(study.analyst)
    page = browser.get("/console/datasets")
    assert f"Data of {name_of(study.owner)}" in page.text
    assert "Plan a release" in page.text
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True})
    page = browser.get("/console/datasets")
    assert "All releases are stopped" in page.text
    assert "Plan a release" not in page.text
    assert f"The owner is {name_of(study.owner)}" in browser.get(f"/console/datasets/{study.dataset_id}").text


def test_a_statement_names_owner_service_and_decisions_and_outlives_the_data(study: Study) -> None:
    browser, path = browser_of(study.owner), path_of(study)
    drawn = "Spending of the budget of"
    assert drawn not in browser.http.get(f"{path}/statement").text
    study.analyst.release(study.dataset_id)
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
        "the data set was listed for all analysts.",
        "all releases from the budget were stopped.",
        "the counts were destroyed.",
        f"({study.analyst.principal_id}) could spend at most epsilon",
    ):
        assert words in statement.text
    assert browser.http.get(f"{path}/statement").text.count(f'aria-label="{drawn}') == 2, (
        "for narrow and for wide screens"
    )
    file = browser.http.get(f"{path}/statement.txt")
    assert file.headers["Content-Disposition"].startswith('attachment; filename="statement-')
    assert "In symbols: epsilon 1" in file.text
    assert file.text.startswith(f"Service: {browser.url}/console/\nStatement of the data set “{name}”\nOwner: “")
    for paragraph in study.owner.get(f"/v1/datasets/{study.dataset_id}/statement").json()["summary"]:
        assert paragraph in file.text
        assert " ".join(paragraph.split()) in statement.text


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
        secret = [cell.text for cell in page.by_id("odds-table").all("tr")[-1].all("td")]
        assert secret == ["149 times", "82.2 %", "22\u202f100 times", "99.9 %"], "at a secret number, e to 2 epsilon"
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


def test_a_pasted_key_is_not_asked_for_again_for_a_while_except_for_what_lasts(study: Study) -> None:
    browser = browser_of(study.owner)
    page = browser.get(path_of(study))
    assert browser.send(page, "/total", total_epsilon="1.1", key="").error_at("total_key")
    page = browser.send(page, "/total", total_epsilon="1.1", key=study.owner.key)
    assert "is ε = 1.1 now" in done(page)
    assert "not asked for until" in page.text
    asking = [
        form.get("action").rpartition("/")[2] for form in page.forms if form.all("input")[-1].get("name") == "key"
    ]
    assert asking == ["delete"]
    assert "is ε = 1.2 now" in done(browser.send(page, "/total", total_epsilon="1.2"))
    assert browser.send(page, "/delete", delete_name=page.heading).error_at("delete_key")
    browser.send(page, "/sign-out")
    again = browser_of(study.owner)
    assert again.send(again.get(path_of(study)), "/total", total_epsilon="1.3", key="").error_at("total_key")


def test_several_ticked_requests_are_approved_at_once(study: Study, server: Server) -> None:
    listed(study)
    analysts = [server.new("analyst") for _ in range(3)]
    requests = [ask(study, each) for each in analysts]
    browser = browser_of(study.owner)
    page = browser.get("/console/")
    assert "3 things to decide" in page.text
    boxes = [each.get("value") for each in page.root.all("input") if each.get("name") == "request"]
    assert sorted(boxes) == sorted(requests)
    form = next(each for each in page.forms if each.get("action").endswith("/approve"))
    fields = page.marks
    assert "Tick the requests" in browser.post(form.get("action"), [*fields, ("key", study.owner.key)]).text
    ticked = [("request", each) for each in requests[:2]]
    refused = browser.post(form.get("action"), [*fields, *ticked, ("key", "pp_wrong")])
    assert refused.error_at("approve_key")
    assert refused.by_id(f"tick-{requests[0]}").has("checked"), "the ticks stay"
    assert caps(study, analysts[0]) == []
    approved = browser.post(form.get("action"), [*fields, *ticked, ("key", study.owner.key)])
    assert done(approved).count("may now spend at most ε = 0.4 and δ = 1 × 10⁻⁹ of") == 2
    assert [caps(study, each) for each in analysts] == [["0.4"], ["0.4"], []]
    assert "1 thing to decide" in approved.text


def test_data_sets_are_found_by_name_the_newest_first(owner: Party) -> None:
    shared = unique("Found")
    for name in ("Alpha", "beta", "Gamma", "delta"):
        owner.post("/v1/datasets", dataset_body(name=f"{name} {shared}"))
    browser = browser_of(owner)

    def names(query: str) -> list[str]:
        found = browser.get(f"/console/{query}").root.all("h3")
        return [each.text.partition(" ")[0] for each in found]

    assert names("?find=ALPHA") == ["Alpha"]
    assert names("") == ["delta", "Gamma", "beta", "Alpha"]
    assert "None of 4 has “nothing” in the name" in browser.get("/console/?find=nothing").text


def test_the_home_shows_a_page_of_data_sets_and_every_budget_that_waits(owner: Party, server: Server) -> None:
    made = [owner.post("/v1/datasets", dataset_body(name=f"{at:02} {unique('Many')}")).json() for at in range(26)]
    low, frozen = (each["budget_id"] for each in made[:2])
    owner.patch(f"/v1/budgets/{frozen}", {"frozen": True})
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.95"}}
    assert owner.release(made[0]["id"], body).status_code == 201
    asked = {"budget_id": [low, frozen]}
    listed = {state: owner.get("/v1/budgets", state=state).json()["items"] for state in ("low", "frozen")}
    assert [[each["id"] for each in listed[state]] for state in ("low", "frozen")] == [[low], [frozen]]
    assert [each["id"] for each in owner.get("/v1/datasets", **asked).json()["items"]] == [made[0]["id"], made[1]["id"]]
    browser = browser_of(owner)
    page = browser.get("/console/")
    assert [each.text[:2] for each in page.root.all("h3")] == [f"{at:02}" for at in range(25, 1, -1)]
    assert "2 things to decide" in page.text
    assert "0.05 left of 1" in page.text
    assert "26 data sets" in page.text
    rest = browser.get(next(each for each in page.links if "after=" in each))
    assert [each.text[:2] for each in rest.root.all("h3")] == ["01", "00"]
    assert not [each for each in rest.links if "after=" in each]


def test_the_last_releases_and_what_is_nearly_used_up_stand_on_the_home(study: Study) -> None:
    grant = {"epsilon": "1", "delta": "1e-6"}
    assert study.owner.patch(f"/v1/grants/{study.grant_id}", grant).status_code == 200
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.95"}}
    release = study.analyst.release(study.dataset_id, body).json()
    page = browser_of(study.owner).get("/console/")
    assert f"/console/releases/{release['id']}" in page.links
    assert "0.05 left of 1" in page.text
    assert "Little left" in page.text


def test_a_data_set_is_renamed_on_its_page(study: Study) -> None:
    browser, name = browser_of(study.owner), unique("Renamed")
    renamed = browser.send(browser.get(path_of(study)), "/name", new_name=name)
    assert f"is called {name} now" in done(renamed)
    assert renamed.heading == name
    assert browser.send(renamed, "/name", new_name="x" * 201).error_at("new_name")


def test_a_grant_is_given_by_name_to_an_analyst_who_never_asked(study: Study, server: Server) -> None:
    analyst = server.new("analyst")
    browser = browser_of(study.owner)
    page = browser.get(path_of(study))
    assert name_of(analyst) in [each.get("value") for each in page.root.all("option")]
    given = browser.send(page, "/grants", analyst=name_of(analyst), cap="0.2", key=study.owner.key)
    assert f"{name_of(analyst)} may now spend at most" in done(given)
    listed_ids = {each["id"] for each in study.owner.get("/v1/analysts", limit=200).json()["items"]}
    assert analyst.principal_id in listed_ids
    assert study.owner.principal_id not in listed_ids
