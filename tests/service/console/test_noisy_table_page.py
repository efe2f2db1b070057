"""The page *A table from elsewhere*: figures of a pasted table, refusals beside their fields, and no trace of it."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Final

import httpx
import pytest

from service.console import api, noisy_table
from service.console.forms import Form
from tests.harness.browser import fields_of
from tests.harness.deadlines import PATIENCE
from tests.service.console.conftest import browser_of
from tests.service.console.test_release_page import table

if TYPE_CHECKING:
    from tests.harness.server import Server

PATH: Final = "/console/table"
PASTED: Final = "answer,value\nyes flagrante,41\nno,112\nother,*\n"
TOTALLED: Final[dict[str, dict[str, object]]] = {
    "u": {"0-17": 900, "18+": 400, "000": 1300},
    "v": {"0-17": 700, "18+": 350, "000": 1050},
    "w": {"0-17": 610, "18+": "<9", "000": 614},
}
TYPED: Final = {
    "table": PASTED,
    "law": "geometric",
    "measure": "epsilon",
    "amount": "1",
    "shown_from": "20",
    "total": "170",
}


def test_a_pasted_table_gets_shares_and_counts_and_leaves_no_trace(sqlite_server: Server) -> None:
    analyst = sqlite_server.new("analyst")
    browser = browser_of(analyst)
    page = browser.send(browser.get(PATH), PATH, **TYPED)
    assert page.status == 200, page.text
    rows = table(page)
    assert [row[0] for row in rows[-3:]] == ["yes flagrante", "no", "other"]
    assert [row[1] for row in rows[-3:]] == ["41", "112", "suppressed"]
    assert rows[-3][3].startswith("41 (")
    assert "The table has 170 records" in page.text
    assert "sent to this service" in page.text
    assert "flagrante" not in str(page.response.url)
    assert "flagrante" not in sqlite_server.log.read_text()


def test_rounding_a_bound_of_the_total_and_a_download_are_those_of_the_service(sqlite_server: Server) -> None:
    analyst = sqlite_server.new("analyst")
    browser = browser_of(analyst)
    lines = "answer,value\nyes,40\nno,110\n=1+1,20\n"
    typed = {"table": lines, "law": "geometric", "measure": "epsilon", "amount": "1", "round_to": "10"}
    typed |= {"rounding": "half_away", "at_most": "500"}
    page = browser.send(browser.get(PATH), PATH, **typed)
    form = next(each for each in page.forms if each.get("id") == "noisy-table")
    file = browser.http.post(PATH, data=dict(fields_of(form)) | typed | {"as": "csv"})
    assert file.headers["content-disposition"].startswith("attachment")
    names, *rows = csv.reader(file.text.splitlines())
    assert names == ["label", "share_mean", "share_low", "share_high", "count_mean", "count_low", "count_high"]
    body = noisy_table._body(Form(tuple(typed.items())))
    (source,) = body["sources"]
    assert (source["printed"]["rounding"], source["total"]) == ("half_away", {"at_most": 500})
    headers = {"Authorization": f"Bearer {analyst.key}"}
    found = httpx.post(f"{sqlite_server.url}/v1/posteriors", json=body, headers=headers, timeout=PATIENCE).json()
    assert [row[1] for row in rows] == [f"{each['mean']:.6g}" for each in found["categories"]]
    assert rows[2][0] == "'=1+1"
    both = browser.send(page, PATH, **typed, total="170")
    assert both.error_at("total")


def test_the_job_of_a_long_computation_is_deleted_with_the_answer(sqlite_server: Server) -> None:
    analyst = sqlite_server.new("analyst")
    browser = browser_of(analyst)
    lines = "".join(f"cell {place},{place % 5}\n" for place in range(3000))
    typed = {"table": f"label,value\n{lines}", "law": "geometric", "measure": "scale", "amount": "1", "total": "6000"}
    page = browser.send(browser.get(PATH), PATH, **typed)
    assert page.status == 200, page.text
    assert len(table(page)) == 3000
    # The job of an earlier request would answer this one.
    body = noisy_table._body(Form(tuple(typed.items())))
    headers = {"Authorization": f"Bearer {analyst.key}"}
    again = httpx.post(f"{sqlite_server.url}/v1/posteriors", json=body, headers=headers, timeout=PATIENCE)
    assert again.status_code == 202


def test_a_table_that_takes_longer_than_a_page_waits_is_computed_once(
    sqlite_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says so and keeps what was typed. The same form then finds the result, and the job is deleted."""
    analyst = sqlite_server.new("analyst")
    browser = browser_of(analyst)
    lines = "".join(f"cell {place},{place % 5}\n" for place in range(3000))
    typed = {"table": f"label,value\n{lines}", "law": "geometric", "measure": "scale", "amount": "1", "total": "6000"}
    form = browser.get(PATH)
    with monkeypatch.context() as changed:
        changed.setattr(api, "_LONGEST_JOB_SECONDS", 0)
        page = browser.send(form, PATH, **typed)
    assert page.status == 503
    assert "takes longer than usual, and goes on. Ask once more in a minute." in page.text
    assert page.by_id("table").text.strip() == typed["table"].strip()
    kept = "SELECT id FROM jobs WHERE principal_id = :principal"
    assert len(sqlite_server.rows(kept, principal=analyst.principal_id)) == 1
    assert len(table(browser.send(page, PATH))) == 3000
    assert sqlite_server.rows(kept, principal=analyst.principal_id) == []


def test_what_is_wrong_with_a_table_is_said_beside_its_field(sqlite_server: Server) -> None:
    browser = browser_of(sqlite_server.new("owner"))
    form = browser.get(PATH)
    wrong = {
        "table": ({"table": "answer,value\nyes,many\nno,3\nmaybe,4\n"}, "Line 2: the value is not a number"),
        "amount": ({"amount": "-1"}, "above 0"),
        "law": ({"law": ""}, "Choose the law that the publisher states."),
        "shown_from": ({"shown_from": "1.5"}, "whole number"),
        "adjusted": ({"adjusted": "yes"}, "independently of each other"),
        "prior": ({"prior": "0"}, "at least 0.000001"),
        "level": ({"level": "100"}, "between 0 and 100"),
        "total": ({"total": "0"}, "at least 1"),
    }
    sums = (
        "table",
        ({"table": "area,value\nnorth,90\nsouth,105\nall,195\n"}, "“all” are close to the sums of the others"),
    )
    twice = ("table", ({"table": "area,value\nnorth,1.204\nsouth,105\n"}, "can be read in two ways"))
    hidden = ("shown_from", ({"shown_from": ""}, "“other” is suppressed"))
    no_amount = ("law", ({"amount": ""}, "exactly one of"))
    for field, (typed, words) in [*wrong.items(), sums, twice, hidden, no_amount]:
        page = browser.send(form, PATH, **TYPED | typed)
        assert page.status == 422, field
        assert words in page.error_at(field), (field, page.text)
        assert "flagrante" in page.by_id("table").text or field == "table"


def test_a_cell_may_say_its_own_interval(sqlite_server: Server) -> None:
    browser = browser_of(sqlite_server.new("owner"))
    lines = "area,value\nnorth,1-9\nsouth,105\nwest,<5\neast,>30\n"
    page = browser.send(browser.get(PATH), PATH, table=lines, law="none", at_most="300")
    assert page.status == 200, page.text
    assert [row[1] for row in table(page)[-4:]] == ["1 to 9", "105", "at most 4", "at least 31"]
    assert "at most 5" in browser.send(page, PATH, table=lines, law="laplace", amount="1", at_most="300").text


def test_the_page_asks_how_counts_were_rounded_and_takes_a_perturbation_table(sqlite_server: Server) -> None:
    browser = browser_of(sqlite_server.new("owner"))
    typed = {"table": "age,value\na,0\nb,30\nc,60\n", "law": "none", "round_to": "3", "total": "95", "prior": "1"}
    page = browser.send(browser.get(PATH), PATH, **typed)
    assert "Must be given with “Rounded to multiples of”, and only then" in page.error_at("rounding")
    counts = [row[3] for row in table(browser.send(page, PATH, **typed, rounding="at_random"))[-3:]]
    assert counts == ["2 (1 to 2)", "32 (31 to 32)", "62 (61 to 62)"]
    changes = {"changes": "count,change,probability\n0,0,1\n1,-1,.5\n1,1,.5\n"}
    page = browser.send(browser.get(PATH), PATH, **typed | {"law": "table", "round_to": "", "total": "92"} | changes)
    assert [row[3] for row in table(page)[-3:]] == ["0 (0 to 0)", "31 (31 to 31)", "61 (61 to 61)"]
    wrong = browser.send(page, PATH, **typed | {"law": "table", "round_to": "", "changes": "count,change\n0,0\n"})
    assert "count, change and probability" in wrong.error_at("changes")


def test_a_sum_is_a_cell_if_the_visitor_says_so(sqlite_server: Server) -> None:
    browser = browser_of(sqlite_server.new("owner"))
    typed = {"table": "area,value\nnorth,90\nsouth,105\nall,195\n", "law": "none"}
    refused = browser.send(browser.get(PATH), PATH, **typed)
    assert not refused.by_id("no_totals").has("checked")
    assert "set “No row is the sum of others”" in refused.error_at("table")
    assert browser.send(refused, PATH, no_totals="yes").status == 200
    hidden = "health,value\nhealthy,1260\nmild,145\nsevere,20\ndead,<10\nTotal,1430\n"
    noisy = "outcome,value\nill,3\nwell,97\nTotal,100\n"
    levels = [f"{area},{age},{value}\n" for area, of in TOTALLED.items() for age, value in of.items()]
    cross = "area,age,value\n" + "".join(levels)
    for table_, law in (
        (hidden, {"law": "none"}),
        (noisy, {"law": "geometric", "amount": "1"}),
        (cross, {"law": "none"}),
    ):
        page = browser.send(browser.get(PATH), PATH, table=table_, **law)
        assert "close to the sums of the others" in page.error_at("table")
