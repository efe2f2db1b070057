"""Pages distinguish the records of a table from the protected people."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.harness.server import Server
from tests.service.conftest import make_study
from tests.service.console.conftest import browser_of

SEVERAL = {"one_record_per_unit": None, "records_per_unit": 4, "unit": "visit in a week"}


def test_pages_say_that_records_are_not_people_and_that_presence_is_hidden(sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    study = make_study(owner, analyst, n_is_public=False, **SEVERAL)
    release = study.analyst.release(study.dataset_id, mechanism={"kind": "geometric", "epsilon": "0.5"}).json()
    mine, theirs = browser_of(owner), browser_of(analyst)
    size = "A private number of records, up to 4 of one person, in 2 categories. One record is “visit in a week”."
    data = mine.get(f"/console/data/{study.dataset_id}").text
    assert "about a person becomes at most" in data
    for text in (data, theirs.get(f"/console/datasets/{study.dataset_id}").text, theirs.get("/console/datasets").text):
        assert size in text
    page = theirs.get(f"/console/releases/{release['id']}")
    assert "These are records, not people: one person can have up to 4." in page.text
    assert "all records (at most 4) of a person" in page.text
    asked = urlencode({"mechanism": '{"kind":"geometric","epsilon":"0.4"}', "epsilon": "0.4", "prior": "1"})
    quote = theirs.get(f"/console/datasets/{study.dataset_id}/quote?{asked}").text
    report = theirs.http.get(f"/console/releases/{release['id']}/report.txt").text
    assert "A private number of records, up to 4 of one person, in 2 categories." in " ".join(report.split())
    for text in (page.text, quote, report):
        assert "Whether a person is in the table is hidden" in " ".join(text.split())


def test_a_form_knows_which_budgets_have_tables_of_public_size(sqlite_server: Server) -> None:
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    secret, public = make_study(owner, analyst, n_is_public=False), make_study(owner, analyst)
    owner.delete(f"/v1/datasets/{public.dataset_id}")
    options = browser_of(owner).get("/console/data/new").by_id("budget").all("option")
    sizes = {each.get("value"): each.get("data-public") for each in options}
    assert (sizes[secret.budget_id], sizes[public.budget_id]) == ("no", "yes")
