"""A data manager who knows nothing of the project registers tables as offices publish them, by what the pages show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.harness.bodies import unique
from tests.harness.chromium import Visitor
from tests.harness.server import Server
from tests.test_files import FILES

pytestmark = pytest.mark.long
_LINE_LIST: Final = "case_id,onset,sex,outcome\n" + "".join(
    f"{at:05x},{at % 28 + 1:02}/{at % 12 + 1:02}/14,{'fm'[at % 2]},{('Death', 'Recover')[at % 3 == 0]}\n"
    for at in range(1, 401)
)


@dataclass(frozen=True, slots=True)
class Table:
    """A file, what its owner answers and ticks, and the records of the table that is registered."""

    content: bytes
    columns: Sequence[str]
    records: int
    kind: str = ""
    ticks: Sequence[str] = ()
    rule: str = ""
    sheet: str = ""


TABLES: Final = {
    "wonder.txt": Table((FILES / "wonder-notes.txt").read_bytes(), ("Ten-Year Age Groups Code", "Gender"), 13_337),
    "rki.csv": Table(
        (FILES / "corrections.csv").read_bytes(), ("Altersgruppe", "Geschlecht"), 35, "A number of people"
    ),
    "genesis.csv": Table(
        (FILES / "genesis.csv").read_bytes(),
        ("Todesursachen",),
        35_184,
        "Several numbers of people",
        ("The line below it has names too",),
    ),
    "pivot.csv": Table(
        (FILES / "two-lines.csv").read_bytes(),
        ("Region", "Age"),
        4171,
        "Several numbers of people",
        ("The line below it has names too", "An empty cell repeats the value above it"),
    ),
    "suppressed.txt": Table(
        (FILES / "wonder-suppressed.txt").read_bytes(), ("Ten-Year Age Groups Code", "Race"), 22_318
    ),
    "merged.xlsx": Table(
        (FILES / "merged-names.xlsx").read_bytes(),
        ("Bezirk", "Altersgruppe"),
        14_379,
        "Several numbers of people",
        ("The line below it has names too", "An empty cell repeats the value above it"),
        sheet="12613-01",
    ),
    "line-list.csv": Table(
        _LINE_LIST.encode(),
        ("sex", "onset"),
        400,
        "One person, or one record",
        rule="quarter from January 2014 to 31.12.2014",
    ),
}


def _go_on(page: Page) -> None:
    page.locator("section[data-step]:not([hidden]) .actions button.main").click()


def _step(page: Page, number: int) -> None:
    expect(page.locator(f"section[data-step='{number}']")).to_be_visible()


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_an_office_is_registered_by_what_the_pages_ask(
    chromium: Browser, sqlite_server: Server, name: str
) -> None:
    table, owner = TABLES[name], sqlite_server.new("owner")
    visitor = Visitor.at(chromium, sqlite_server.url)
    page = visitor.page
    visitor.sign_in(owner.key)
    page.get_by_role("link", name="New data set").first.click()
    expect(page.locator("#drop")).to_be_visible()
    page.locator("#file").set_input_files({"name": name, "mimeType": "text/csv", "buffer": table.content})
    expect(page.locator("#rows-part")).to_be_visible()
    if table.sheet:
        page.get_by_role("radio", name=table.sheet).check()
        expect(page.locator("#names-line")).to_have_value("4")
    for each in table.ticks:
        expect(page.locator("#file-summary")).to_contain_text("tick that below")
        page.get_by_label(each).check()
        expect(page.locator("#file-progress")).to_be_hidden()
    if table.kind:
        _go_on(page)
        expect(page.locator("#row-kind-error")).to_contain_text("Say first what each row is")
        page.get_by_label(table.kind, exact=True).check()
        expect(page.locator("#row-kind-error")).to_be_hidden()
    if table.kind.startswith("Several"):
        page.get_by_label("Name of the column that they become").fill("group")
    _go_on(page)
    expect(page.locator("#totals-found:not([hidden]), section[data-step='2']:not([hidden])").first).to_be_visible()
    if page.locator("#totals-found").is_visible():
        page.get_by_label("They are totals: leave them out").check()
        _go_on(page)
    _step(page, 2)
    for column in table.columns:
        page.get_by_label(f"{column} (").check()
        values = page.get_by_role("group", name=f"Possible values of “{column}”")
        if column == "onset":
            values.get_by_label("Groups of dates").fill(table.rule)
        else:
            values.get_by_role("button", name=re.compile("may be known|Take the values")).click()
    if page.locator("#person-part").is_visible():
        page.get_by_label("No", exact=True).check()
    _go_on(page)
    marked = page.locator("#counted input[data-line]")
    expect(marked.first.or_(page.locator("section[data-step='3']:not([hidden])")).first).to_be_visible()
    for field in marked.all():
        field.fill("3")
    if marked.count():
        _go_on(page)
    _step(page, 3)
    page.get_by_label("Name of the data set").fill(unique(name))
    page.get_by_label("One record is").fill("one person")
    page.get_by_label("Most records of one person").fill("1")
    page.get_by_label("May it be known how many people").select_option("yes")
    page.get_by_label("The columns and their values").check()
    _go_on(page)
    page.get_by_role("button", name="Register").click()
    expect(page.locator("#done")).to_contain_text("Registered.")
    assert [each["record_count"] for each in owner.get("/v1/datasets").json()["items"]] == [table.records]
    assert visitor.complaints == []
    visitor.context.close()
