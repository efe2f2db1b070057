"""The owner's way from a file to a table in a real browser: what the scripts of the page count, mark and refuse."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.harness.bodies import unique
from tests.harness.chromium import Visitor
from tests.harness.server import Server
from tests.test_files import FILES

pytestmark = pytest.mark.long
_ALL_IN_SIGHT = """setInterval(() => {
    for (const each of document.querySelectorAll("main details:not(.menu)")) each.open = true;
    for (const each of document.querySelectorAll("section[data-step]")) each.hidden = false;
}, 20)"""
"""Shows the four steps at once, so that a test of one of them need not go through the others."""
_HEADER = "Patient number;Age;Sex;Region;Test result;Cost EUR\n"


def patients(*, repeated: int = 0, people: int = 200) -> str:
    """Rows as a clinic exports them: typing errors, missing values, decimal commas, and a row of totals."""
    draw = random.Random(5)
    lines = []
    for number in range(people):
        sex = "Femal" if number in {37, 112} else draw.choice("fm")
        result = "" if number < 7 else "positive" if number % 20 == 0 else "negative"
        lines.append(
            f"{100_001 + number};{draw.randint(18, 60)};{sex};{draw.choice(['Nord', 'Süd'])};{result};{number},50"
        )
    costs = sum(number + 0.5 for number in [*range(people), *range(repeated)])
    total = f"{costs:,.2f}".translate(str.maketrans(",.", ".,"))
    return _HEADER + "\n".join([*lines, *lines[:repeated], f"Total;;;;;{total}"]) + "\n"


@pytest.fixture
def opened(chromium: Browser, sqlite_server: Server) -> Any:
    """Opens the page for a new owner."""
    visitors = []

    def open_() -> Visitor:
        visitor = Visitor.at(chromium, sqlite_server.url)
        visitors.append(visitor)
        visitor.sign_in(sqlite_server.new("owner").key)
        visitor.context.add_init_script(_ALL_IN_SIGHT)
        visitor.go("/console/data/new?step=4")
        return visitor

    yield open_
    for each in visitors:
        each.context.close()


Open = Callable[[], Visitor]


def choose(page: Page, content: str | bytes, name: str = "patients.csv") -> None:
    buffer = content.encode() if isinstance(content, str) else content
    page.locator("#file").set_input_files({"name": name, "mimeType": "text/csv", "buffer": buffer})


def tick(page: Page, column: str, values: str | None = None) -> None:
    """Ticks a column, and lists its values or takes those of the file."""
    page.get_by_label(f"{column} (").check()
    part = page.get_by_role("group", name=f"Possible values of “{column}”")
    if values is None:
        part.get_by_role("button").click()
    else:
        part.get_by_role("textbox").fill(values)


def rows_are(page: Page, kind: str) -> None:
    """Says what each row is: record, group or pivot."""
    page.locator(f"#row-{kind}").check()


def count(page: Page) -> None:
    answer(page)
    page.locator("#count").click()
    expect(page.locator("#counted")).to_contain_text("counted into")


def answer(page: Page, several: str = "unknown") -> None:
    """Answers what each row is, what adds up others, and whether a person can have several rows, where that is asked
    and not answered.
    """
    expect(page.locator("#rows-part")).to_be_visible()
    if not page.locator("input[name=row-kind]:checked").count():
        rows_are(page, "record")
    page.wait_for_timeout(200)
    if page.locator("#totals-found").is_visible() and not page.locator("input[name=totals]:checked").count():
        page.locator("#totals-out").check()
    asked = page.locator("#person-part").is_visible() and not page.locator("input[name=several]:checked").count()
    if asked:
        page.locator(f"#several-{several}").check()


def affirm(page: Page) -> None:
    page.locator("#name").fill(unique("Patients"))
    page.locator("#unit").fill("one patient")
    if not page.locator("#most_records").input_value():
        page.locator("#most_records").fill("1")
    page.locator("#n_is_public").select_option("yes")
    page.locator("#labels_are_public").check()


def test_a_table_is_old_once_the_choices_change(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    tick(page, "Sex", "f = female\nFemal = female\nm = male")
    tick(page, "Test result", "positive\nnegative")
    count(page)
    affirm(page)
    expect(page.locator("#stale")).to_be_hidden()
    page.get_by_label("Region (").check()
    expect(page.locator("#stale")).to_contain_text("This table is old")
    page.locator("#register").click()
    expect(page.locator("#review-said")).to_contain_text("The table is old")
    assert "/console/data/new" in page.url
    page.get_by_label("Region (").uncheck()
    expect(page.locator("#stale")).to_be_hidden()
    for change in (
        lambda: page.locator("#levels-2").fill("f = female\nm = male"),
        lambda: page.locator("#missing-4").select_option("in"),
        lambda: page.locator("#separator").select_option(","),
    ):
        change()
        expect(page.locator("#stale")).to_be_visible()
        if page.locator("#separator").input_value() == ";":
            count(page)
            expect(page.locator("#stale")).to_be_hidden()
    page.locator("#separator").select_option(";")
    expect(page.get_by_label("Sex (")).to_be_checked()
    count(page)
    page.locator("#register").click()
    page.wait_for_url("**/console/data/dat_*")
    assert "Test result" in page.inner_text("main")


def test_a_last_row_that_adds_up_a_column_is_asked_about(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    expect(page.locator("#file-summary")).to_contain_text("201 rows")
    expect(page.locator("#totals-found")).to_be_hidden()
    tick(page, "Test result", "positive\nnegative")
    rows_are(page, "record")
    expect(page.locator("#totals-said")).to_contain_text("The numbers of the row “Total, ")
    page.locator("#several-unknown").check()
    page.locator("#count").click()
    expect(page.locator("#counted")).to_have_text("Say first whether the numbers that add up others are totals.")
    expect(page.locator("label[for=missing-4]")).to_have_text("8 rows have no value:")
    page.locator("#totals-out").check()
    expect(page.locator("label[for=missing-4]")).to_have_text("7 rows have no value:")
    count(page)
    expect(page.locator("#counted")).to_contain_text("193 records were counted into 2 categories")
    expect(page.locator("#counted")).to_contain_text("Left out: 7 with a missing value, 1 row of totals.")
    page.locator("#missing-4").select_option("in")
    count(page)
    expect(page.locator("#counted")).to_contain_text("200 records were counted into 3 categories")


def test_a_missing_value_is_kept_in_the_column_that_says_so_alone(opened: Open) -> None:
    page = opened().page
    choose(page, "sex;result\nf;yes\n;no\nm;\nf;no\nm;yes\n")
    tick(page, "sex", "f\nm")
    tick(page, "result", "yes\nno")
    page.locator("#missing-1").select_option("in")
    count(page)
    lines = page.locator("#table").input_value().splitlines()
    assert lines == ["sex,result,count", "f,yes,1", "f,no,1", "f,missing,0", "m,yes,1", "m,no,0", "m,missing,1"]
    expect(page.locator("#counted")).to_contain_text("Left out: 1 with a missing value.")
    choose(page, "arm;outcome\nnew;ill\nold;well\n", "other.csv")
    expect(page.locator("#file-summary")).to_contain_text("other.csv: 2 rows")
    expect(page.locator("#table")).to_have_value("")


def test_a_column_that_identifies_people_says_so_before_it_is_counted(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    expect(page.locator("#columns")).to_contain_text("201 different values in 201 rows: it identifies people")
    tick(page, "Sex", "f\nm")
    count(page)
    tick(page, "Patient number")
    part = page.get_by_role("group", name="Possible values of “Patient number”")
    expect(part).to_contain_text("Such a column identifies people")
    page.locator("#count").click()
    expect(page.locator("#counted")).to_have_text(
        "The column “Patient number” identifies people. Untick it, or tick that its values may be known."
    )
    part.get_by_role("checkbox").check()
    tick(page, "Cost EUR")
    page.get_by_role("group", name="Possible values of “Cost EUR”").get_by_role("checkbox").check()
    page.locator("#count").click()
    expect(page.locator("#counted")).to_contain_text("at most 10000 are allowed")
    expect(page.locator("#counted")).not_to_contain_text("counted into")
    for column in ("Patient number", "Cost EUR"):
        page.get_by_label(f"{column} (").uncheck()
    count(page)
    expect(page.locator("#counted")).not_to_contain_text("the most")


def test_several_rows_of_a_person_are_counted_where_the_file_is(opened: Open) -> None:
    visitor = opened()
    page = visitor.page
    visitor.requests.clear()
    choose(page, patients(repeated=59))
    said, most = page.locator("#person-said"), page.locator("#most_records")
    rows_are(page, "record")
    page.locator("#totals-out").check()
    expect(said).to_have_text(
        "“Patient number” looks like the person. 59 people have several rows in this file, the most 2."
    )
    assert most.input_value() == "", "the question is asked, and nothing is preset"
    tick(page, "Sex", "f\nm")
    page.locator("#count").click()
    expect(page.locator("#counted")).to_have_text("Say first whether a person can have several rows.")
    page.locator("#several-no").check()
    expect(said).to_contain_text("You answered that nobody has several rows: the answer or the file is wrong.")
    assert most.input_value() == ""
    for several in ("yes", "unknown"):
        page.locator(f"#several-{several}").check()
        expect(said).to_contain_text("State in step 3 what could be")
        assert most.input_value() == ""
    page.locator("#person").select_option(label="Region")
    expect(said).to_contain_text("2 people have several rows")
    page.locator("#person").select_option("")
    expect(said).to_contain_text("Choose the column that names the person")
    page.locator("#several-no").check()
    expect(most).to_have_value("1")
    page.locator("#several-unknown").check()
    expect(most).to_have_value("")
    sent = [request.url + (request.post_data or "") for request in visitor.requests]
    assert not any("100001" in each for each in sent)
    choose(page, patients())
    expect(page.locator("#file-summary")).to_contain_text("201 rows")
    rows_are(page, "record")
    expect(said).to_have_text("“Patient number” looks like the person. Each person has one row in this file.")
    page.locator("#several-no").check()
    expect(most).to_have_value("1")


def test_people_are_counted_in_a_file_with_more_values_than_a_column_may_have(opened: Open) -> None:
    page = opened().page
    choose(page, patients(people=6000, repeated=10))
    expect(page.locator("#columns")).to_contain_text("Patient number (numbers: make groups of them)")
    rows_are(page, "record")
    expect(page.locator("#person-said")).to_contain_text("10 people have several rows")


def test_typing_errors_are_named_with_the_line_that_keeps_them(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    expect(page.locator("#columns")).to_contain_text("Sex (m, f, Femal, and rows without a value)")
    tick(page, "Sex", "male = m\nm = male\nf = female")
    part = page.get_by_role("group", name="Possible values of “Sex”")
    expect(part).to_contain_text(
        "“Femal” (2 rows). To count a value under one of your names, add a line such as “Femal = female”."
    )
    part.get_by_role("textbox").fill("f = female\nm = male\nFemal = female")
    expect(part).not_to_contain_text("In the file and not listed")
    count(page)
    assert len(page.locator("#table").input_value().splitlines()) == 3


def test_values_that_are_not_listed_are_named_with_their_columns(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    tick(page, "Sex", "f\nm")
    tick(page, "Region", "Nord\nSüd")
    count(page)
    expect(page.locator("#counted")).to_have_text(
        "198 records were counted into 4 categories. Left out: 2 with a value that is not listed: “Femal” in “Sex”, "
        "1 row of totals."
    )


def test_numbers_are_grouped_by_bounds_that_are_typed(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    expect(page.locator("#columns")).to_contain_text(
        "Age (numbers from 18 to 60: make groups of them, and rows without a value)"
    )
    page.get_by_label("Age (").check()
    part = page.get_by_role("group", name="Possible values of “Age”")
    part.get_by_label("Groups of numbers").fill("0-17, 18-40, 40-59")
    expect(part).to_contain_text("The groups 18-40 and 40-59 overlap.")
    part.get_by_label("Groups of numbers").fill("every 20 from 0 to 59")
    expect(part).to_contain_text("Public values: 0-19, 20-39, 40-59.")
    expect(part).to_contain_text("outside the groups, and left out. This number stays in this browser.")
    count(page)
    expect(page.locator("#counted")).to_contain_text("outside the groups")
    assert [line.split(",")[0] for line in page.locator("#table").input_value().splitlines()] == [
        "Age", "0-19", "20-39", "40-59",
    ]  # fmt: skip
    part.get_by_label("Groups of numbers").fill("")
    part.get_by_role("textbox").last.fill("0-39 = younger\n40+ = older")
    count(page)
    expect(page.locator("#counted")).to_contain_text("200 records were counted into 2 categories")


def test_a_pivot_is_unfolded_once_the_owner_says_that_it_has_counts(opened: Open) -> None:
    page = opened().page
    choose(page, "Country,AgeCat,Male,Female\nPeru,0-17,120,131\nPeru,18+,410,455\nChile,0-17,90,84\n", "pivot.csv")
    expect(page.locator("#pivot-said")).to_contain_text("“Male”, “Female” may each have the numbers")
    tick(page, "Country", "Peru\nChile")
    page.locator("#count").click()
    expect(page.locator("#counted")).to_have_text("Say first what each row is: one person, or a number of people.")
    rows_are(page, "record")
    page.locator("#several-no").check()
    page.get_by_label(re.compile("^Male")).check()
    page.locator("#count").click()
    expect(page.locator("#counted")).to_contain_text("The numbers in “Male” may be counts.")
    rows_are(page, "pivot")
    expect(page.get_by_role("group", name="Possible values of “Male”")).to_be_hidden()
    page.get_by_label("Name of the column that they become").fill("sex")
    count(page)
    assert page.locator("#table").input_value().splitlines() == [
        "Country,sex,count", "Peru,Male,530", "Peru,Female,586", "Chile,Male,90", "Chile,Female,84",
    ]  # fmt: skip
    affirm(page)
    page.locator("#register").click()
    page.wait_for_url("**/console/data/dat_*")


def test_what_a_file_lacks_is_said_with_numbers_and_lines(opened: Open) -> None:
    page = opened().page
    choose(page, "id,sex,result\n1,f,yes\n2,m\n3\n\n4,m,no\n")
    expect(page.locator("#file-summary")).to_contain_text("2 lines have fewer values than there are names")
    expect(page.locator("#file-summary")).to_contain_text("1 line without any value was skipped")
    choose(page, 'id,sex,result\n1,f,yes\n2,m,"yes\n3,f,no\n')
    expect(page.locator("#file-error")).to_have_text("Line 3 has a quotation mark without a partner.")
    choose(page, "id,sex\n1,f\n2,m,yes\n")
    expect(page.locator("#file-error")).to_have_text("Line 3 has 3 values, and line 1 names 2 columns.")


def test_what_was_left_out_is_repeated_before_the_registration(opened: Open) -> None:
    visitor = opened()
    page = visitor.page
    choose(page, patients())
    tick(page, "Sex", "f\nm")
    tick(page, "Test result", "positive\nnegative")
    count(page)
    affirm(page)
    said = page.locator("#left-out")
    expect(said).to_contain_text(
        "Left out of “patients.csv”: 7 with a missing value, 2 with a value that is not listed"
    )
    expect(said).to_contain_text("1 row of totals.")
    page.locator("#table").fill("stage,count\n12,4\n17,5")
    page.locator("#table").press("Tab")
    expect(page.locator("#table-said")).to_contain_text("2 lines with 9 records")
    expect(said).to_be_hidden()
    visitor.requests.clear()
    page.locator("#register").click()
    page.wait_for_url("**/console/data/dat_*")
    assert not any("Femal" in (request.post_data or "").replace("female", "") for request in visitor.requests)


def test_the_owner_says_where_the_names_are(opened: Open) -> None:
    page = opened().page
    choose(page, "Sex,Smoking\n(at birth),(self-reported)\nf,yes\nm,no\nf,no\n")
    expect(page.locator("#names-line")).to_have_value("1")
    page.locator("#names-line").fill("2")
    page.locator("#names-line").press("Tab")
    expect(page.locator("#columns")).to_contain_text("(self-reported) (yes, no)")
    page.locator("#names-line").fill("0")
    page.locator("#names-line").press("Tab")
    expect(page.locator("#file-summary")).to_contain_text("5 rows")
    tick(page, "column 2")
    rows_are(page, "record")
    page.locator("#several-no").check()
    page.locator("#count").click()
    expect(page.locator("#counted")).to_have_text("Name the column “column 1” first.")


def test_a_sheet_is_chosen(opened: Open) -> None:
    page = opened().page
    choose(page, (FILES / "counts.xlsx").read_bytes(), "counts.xlsx")
    expect(page.locator("#file-error")).to_contain_text("The sheet “Read me” has no rows below its names.")
    expect(page.locator("#separator")).to_be_hidden()
    page.locator("#sheets").get_by_label("Data").check()
    expect(page.locator("#counts-said")).to_contain_text("“Number of cases” is taken as the number of people")
    tick(page, "region")
    count(page)
    assert page.locator("#table").input_value() == "region,count\nNorth,27\nSouth,20"


def test_eight_hundred_columns_are_searched(opened: Open) -> None:
    page = opened().page
    names = [f"item_{number}" for number in range(800)]
    rows = [",".join("ab"[(row * number) % 2] for number in range(800)) for row in range(300)]
    begun = time.monotonic()
    choose(page, "\n".join([",".join(names), *rows]))
    expect(page.locator("#columns-shown")).to_have_text("800 columns")
    print(f"read in at most {time.monotonic() - begun:.1f} s")  # noqa: T201  read with -rP
    page.locator("#find-column").fill("item_79")
    expect(page.locator("#columns-shown")).to_have_text("11 of 800 columns shown")
    tick(page, "item_791", "a\nb")
    page.locator("#find-column").fill("")
    page.locator("#hide-rest").check()
    expect(page.locator("#columns-shown")).to_have_text("1 of 800 columns shown")
    count(page)


def test_an_empty_file_is_called_one(opened: Open) -> None:
    page = opened().page
    choose(page, "", "empty.csv")
    expect(page.locator("#file-error")).to_have_text("The file is empty.")
    expect(page.locator("#file-found")).to_be_hidden()


def test_a_wrong_line_makes_no_combination(opened: Open) -> None:
    page = opened().page
    page.locator("#table").fill("ward;ill;count\nA;yes;1,5\nA;no;4\nB;no;1 200")
    page.locator("#table").press("Tab")
    expect(page.locator("#table-said")).to_contain_text("This is not written as it is sent")
    expect(page.locator("#impossible")).to_be_hidden()
    page.locator("#table").fill("ward;ill;count\nA;yes;1\nA;no;4\nB;no;1200")
    page.locator("#table").press("Tab")
    expect(page.locator("#table-said")).to_contain_text("3 lines with 1\u202f205 records")
    assert page.locator("#impossible label").all_inner_texts() == ["B · yes can't occur"]


def test_the_warning_about_values_of_the_file_goes_with_them(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    tick(page, "Sex")
    warning = page.locator("#taken")
    expect(warning).to_be_visible()
    page.locator("#levels-2").fill("f\nm")
    expect(warning).to_be_visible()
    page.locator("#levels-2").fill("f = female\nm = male\nother")
    expect(warning).to_be_hidden()


def test_values_that_differ_in_case_alone_are_taken_as_one(opened: Open) -> None:
    page = opened().page
    choose(page, "sex;result\n" + "f;yes\nm;no\n" * 9 + "F;no\n")
    rows_are(page, "record")
    tick(page, "sex")
    expect(page.locator("#levels-0")).to_have_value("f\nF = f\nm")
    expect(page.get_by_label("F = f (1 row)")).to_be_checked()


def test_few_values_are_chosen_at_a_click_and_renamed_in_words(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    rows_are(page, "record")
    page.get_by_label("Sex (").check()
    part = page.get_by_role("group", name="Possible values of “Sex”")
    expect(part).to_contain_text("Tick the values that may be known: they become public.")
    expect(page.locator("#levels-2")).to_have_value("")
    part.get_by_role("button", name="All 3 may be known").click()
    expect(page.locator("#levels-2")).to_have_value("f\nFemal\nm")
    part.get_by_label("Femal (2 rows)").uncheck()
    expect(page.locator("#levels-2")).to_have_value("f\nm")
    expect(part).to_contain_text("In the file and not listed, so left out: “Femal” (2 rows).")
    page.locator("#levels-2").fill("f = female\nm = male\nFemal = female\ndivers")
    expect(part.get_by_label("Femal = female (2 rows)")).to_be_checked()
    expect(part).to_contain_text("Also public: divers.")
    page.get_by_label("Age (").check()
    expect(page.locator("#levels-1")).to_have_value("")
    expect(page.locator("#folded")).to_contain_text("Patient number")


def test_an_old_excel_file_is_called_one(opened: Open) -> None:
    page = opened().page
    choose(page, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 400, "patients.xls")
    expect(page.locator("#file-error")).to_contain_text("This is an old Excel file (.xls), or one with a password.")
    expect(page.locator("#file-found")).to_be_hidden()


def test_only_a_table_that_is_counted_already_offers_a_column_of_numbers(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    expect(page.locator("#file-found")).to_be_visible()
    expect(page.locator("#weight-part")).to_be_hidden()
    rows_are(page, "group")
    assert page.locator("#weight option").all_inner_texts() == ["Age"]
    choose(page, "sex;result;count\nf;yes;30\nf;no;50\nm;yes;70\nm;no;0\n", "counts.csv")
    expect(page.locator("#file-summary")).to_contain_text("4 rows")
    expect(page.locator("#row-group")).to_be_checked()
    tick(page, "sex", "f\nm")
    count(page)
    assert page.locator("#table").input_value() == "sex,count\nf,80\nm,70"


def test_combinations_without_records_are_ticked_one_by_one(opened: Open) -> None:
    page = opened().page
    page.locator("#table").fill("sex;pregnant;count\nf;yes;30\nf;no;90\nm;no;80")
    page.locator("#table").press("Tab")
    expect(page.locator("#table-said")).to_contain_text("1 combination is not listed")
    page.get_by_label("m · yes can't occur").check()
    affirm(page)
    page.locator("#register").click()
    page.wait_for_url("**/console/data/dat_*")
    expect(page.locator("#facts")).to_contain_text("m · yes")


def test_the_slider_and_its_warnings_read_a_decimal_comma(opened: Open) -> None:
    page = opened().page
    page.locator("#table").fill("sex,count\nf,400\nm,600")
    page.locator("#table").press("Tab")
    affirm(page)
    page.locator("#epsilon").fill("0,5")
    expect(page.locator("#slider")).to_have_value("-30")
    expect(page.locator("#meaning")).to_contain_text("at most 4.9 %")
    page.locator("#delta").fill("0,5")
    expect(page.locator("#weak-delta")).to_be_visible()
    page.locator("#delta").fill("0,0000001")
    expect(page.locator("#weak-delta")).to_be_hidden()
    page.locator("#register").click()
    page.wait_for_url("**/console/data/dat_*")
    assert "0.5 of ε\u00a00.5 left" in page.inner_text("main")


def test_a_step_with_an_empty_field_names_it_and_keeps_what_was_filled_in(
    chromium: Browser, sqlite_server: Server
) -> None:
    visitor = Visitor.at(chromium, sqlite_server.url)
    visitor.sign_in(sqlite_server.new("owner").key)
    visitor.go("/console/data/new?step=3")
    page, further = visitor.page, visitor.page.locator("section[data-step='3'] button[data-to='4']")
    fields: dict[str, Callable[[], object]] = {
        "name": lambda: page.locator("#name").fill("Patients"),
        "unit": lambda: page.locator("#unit").fill("one patient"),
        "most_records": lambda: page.locator("#most_records").fill("1"),
        "n_is_public": lambda: page.locator("#n_is_public").select_option("yes"),
        "labels_are_public": lambda: page.locator("#labels_are_public").check(),
    }
    for field, fill in fields.items():
        further.click()
        expect(page.locator(f"#{field}")).to_be_focused()
        fill()
    expect(page.locator("#name")).to_have_value("Patients")
    further.click()
    expect(page.locator("#budget-head")).to_be_visible()
    visitor.context.close()


def test_epsilon_is_explained_by_an_example_and_warned_of(opened: Open) -> None:
    page = opened().page
    expect(page.locator("#meaning")).to_contain_text("thought to be 3 % could be thought to have one of at most 7.8 %")
    page.locator("#epsilon").fill("50")
    expect(page.locator("#weak-epsilon")).to_be_visible()
    page.locator("#table").fill("sex,count\nf,400\nm,600")
    page.locator("#table").press("Tab")
    page.locator("#delta").fill("0.5")
    expect(page.locator("#weak-delta")).to_be_visible()
    page.locator("#epsilon").fill("1")
    page.locator("#delta").fill("1e-7")
    expect(page.locator("#weak-epsilon")).to_be_hidden()
    expect(page.locator("#weak-delta")).to_be_hidden()


def test_the_choices_come_back_with_the_file_after_a_reload(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    tick(page, "Sex", "f = female\nFemal = female\nm = male")
    tick(page, "Test result", "positive\nnegative")
    page.locator("#missing-4").select_option("in")
    count(page)
    table = page.locator("#table").input_value()
    affirm(page)
    page.locator("#epsilon").fill("0.25")
    page.reload()
    assert page.locator("#epsilon").input_value() == "0.25"
    assert page.locator("#unit").input_value() == "one patient"
    expect(page.locator("#file-again")).to_contain_text("“patients.csv”")
    assert page.locator("#table").input_value() == table
    choose(page, patients())
    expect(page.get_by_label("Sex (")).to_be_checked()
    assert page.locator("#levels-2").input_value().startswith("f = female")
    assert page.locator("#missing-4").input_value() == "in"
    count(page)
    assert page.locator("#table").input_value() == table


def test_a_million_rows_are_counted_while_the_page_stays_usable(opened: Open, tmp_path: Path) -> None:
    """The script notes each value of the progress bar, and how late the page's own timer of 20 ms comes meanwhile."""
    rows = 1_000_000
    file = tmp_path / "million.csv"
    with file.open("w") as out:
        out.write("id,clinic,sex,age,result\n")
        for at in range(rows):
            out.write(f"{at},{'ABC'[at % 3]},{'fm'[at % 2]},{18 + at % 60},{'pos' if at % 10 == 0 else 'neg'}\n")
    visitor = opened()
    page = visitor.page
    page.evaluate(
        """() => {
            window.seen = [];
            window.latest = 0;
            let before = performance.now();
            setInterval(() => {
                window.seen.push(document.querySelector("#progress").value);
                window.latest = Math.max(window.latest, performance.now() - before);
                before = performance.now();
            }, 20);
        }"""
    )
    begun = time.monotonic()
    page.locator("#file").set_input_files(file)
    page.locator("#name").fill("Typed while the file is read")
    expect(page.locator("#file-progress")).to_be_visible()
    expect(page.locator("#file-summary")).to_contain_text("1 000 000 rows, 5 columns".replace(" ", "\u202f", 2))
    print(f"read in at most {time.monotonic() - begun:.1f} s")  # noqa: T201  read with -rP
    tick(page, "clinic", "A\nB\nC")
    tick(page, "sex", "f\nm")
    tick(page, "result", "pos\nneg")
    count(page)
    assert page.locator("#name").input_value() == "Typed while the file is read"
    shares = page.evaluate("window.seen")
    assert len({round(each, 2) for each in shares if 0 < each < 1}) > 5, "the bar moves"
    assert page.evaluate("window.latest") < 1000, "the page is never held up for a second"
    affirm(page)
    page.locator("#register").click()
    page.wait_for_url("**/console/data/dat_*")
    expect(page.locator("#done")).to_contain_text("Registered.")
    assert all(len(each.post_data or "") < 10_000 for each in visitor.requests), "no row leaves the browser"


def test_what_a_row_is_is_never_preset_unless_its_counts_are_certain(opened: Open) -> None:
    page = opened().page
    choose(page, "Bundesland;Gemeldet\nBayern;7829136\nBerlin;2026710\n")
    expect(page.locator("#first-row")).to_have_text("Bayern, 7829136")
    assert page.locator("input[name=row-kind]:checked").count() == 0
    choose(page, (FILES / "running-number.csv").read_bytes())
    expect(page.locator("#file-summary")).to_contain_text("40 rows")
    assert page.locator("input[name=row-kind]:checked").count() == 0
    choose(page, (FILES / "laender.csv").read_bytes())
    expect(page.locator("#counts-said")).to_contain_text("“Anzahl Fälle” is taken as the number of people in each row")
    expect(page.locator("#row-group")).to_be_checked()
    expect(page.locator("#totals-said")).to_contain_text("“Gesamt” in “Bundesland”")


def test_totals_are_asked_about_and_left_out_or_counted(opened: Open) -> None:
    page = opened().page
    choose(page, (FILES / "wonder.txt").read_bytes(), "wonder.txt")
    rows_are(page, "group")
    page.locator("#weight").select_option(label="Deaths")
    expect(page.locator("#totals-said")).to_contain_text("an empty value in “Gender” add up those of the others")
    page.locator("#totals-out").check()
    tick(page, "Gender", "Female\nMale")
    count(page)
    expect(page.locator("#counted")).to_contain_text("Left out: 5 rows of totals.")
    assert page.locator("#table").input_value() == "Gender,count\nFemale,1739\nMale,2460"


def test_other_people_who_add_up_are_registered_once_the_owner_says_so(opened: Open) -> None:
    page = opened().page
    choose(page, (FILES / "rounded.csv").read_bytes())
    expect(page.locator("#totals-said")).to_contain_text("“every age” in “age”")
    page.locator("#totals-in").check()
    tick(page, "region", "A\nB\nC\nD")
    tick(page, "age", "young\nold\nevery age")
    count(page)
    affirm(page)
    page.locator("#register").click()
    page.wait_for_url("**/console/data/dat_*")


def test_counts_that_are_not_shown_are_typed(opened: Open) -> None:
    page = opened().page
    choose(page, (FILES / "suppressed.csv").read_bytes())
    expect(page.locator("#row-group")).to_be_checked()
    tick(page, "area", "North\nSouth\nWest\nEast")
    tick(page, "sex", "female\nmale")
    count(page)
    expect(page.locator("#counted")).to_contain_text("3 categories have a count that is blank or not shown")
    expect(page.locator("#table-said")).to_contain_text("and a whole number, 0 for nobody")
    for label, number in (("North · male", "3"), ("West · female", "2"), ("East · female", "0")):
        page.get_by_label(label).fill(number)
    expect(page.locator("#table-said")).to_contain_text("8 lines with 98 records")
    assert "North,male,3" in page.locator("#table").input_value()


def test_many_rows_are_left_out_only_with_a_tick(chromium: Browser, sqlite_server: Server) -> None:
    visitor = Visitor.at(chromium, sqlite_server.url)
    visitor.sign_in(sqlite_server.new("owner").key)
    visitor.go("/console/data/new")
    page = visitor.page
    choose(page, "sex;result\n" + "f;yes\nm;no\nx;no\n" * 9)
    expect(page.locator("#rows-part")).to_be_visible()
    rows_are(page, "record")
    page.locator("button[data-to='2']").first.click()
    for column, values in (("sex", "f\nm"), ("result", "yes\nno")):
        tick(page, column)
        page.locator(f"#levels-{'sr'.index(column[0])}").evaluate(
            "(field, text) => { field.value = text; field.dispatchEvent(new Event('input', { bubbles: true })); }",
            values,
        )
    page.locator("#several-no").check()
    further = page.locator("section[data-step='2'] button[data-to='3']")
    further.click()
    expect(page.locator("#counted")).to_contain_text("9 of 27 may be left out, more than a fifth")
    further.click()
    expect(page.locator("#counted-error")).to_contain_text("Tick that the rows are left out")
    page.locator("#leave-out").check()
    further.click()
    expect(page.locator("#public-head")).to_be_visible()
    visitor.context.close()


def test_a_file_that_can_not_be_read_takes_the_earlier_one_away(opened: Open) -> None:
    page = opened().page
    choose(page, patients())
    tick(page, "Sex", "f\nm")
    count(page)
    choose(page, (FILES / "page.html").read_bytes(), "page.html")
    expect(page.locator("#file-error")).to_contain_text("This is a web page (HTML).")
    expect(page.locator("#file-found")).to_be_hidden()
    assert page.locator("#table").input_value() == ""


def test_two_lines_of_names_and_repeated_values_are_two_ticks(opened: Open) -> None:
    page = opened().page
    choose(page, (FILES / "two-lines.csv").read_bytes())
    expect(page.locator("#file-summary")).to_contain_text("If the next line has names too, tick that below.")
    page.locator("#two-lines").check()
    expect(page.locator("#sample")).to_contain_text("Women 2020")
    expect(page.locator("#file-summary")).to_contain_text("“Region” is empty in 2 rows.")
    page.locator("#fill-down").check()
    expect(page.locator("#file-summary")).to_contain_text("4 rows")
    rows_are(page, "pivot")
    page.get_by_label("Name of the column that they become").fill("sex and year")
    tick(page, "Region", "North\nSouth")
    count(page)
    assert page.locator("#table").input_value().splitlines()[1] == "North,Men 2019,530"


def test_letters_that_can_be_read_in_two_ways_are_chosen(opened: Open) -> None:
    page = opened().page
    choose(page, "עיר,מין,count\nתל אביב,נקבה,12\nחיפה,זכר,9\n".encode("windows-1255"))
    expect(page.locator("#near")).to_contain_text("עיר")
    page.locator("#count").click()
    expect(page.locator("#counted")).to_have_text("Choose first which line shows the right letters.")
    page.locator("#near label", has_text="עיר").click()
    expect(page.locator("#near-part")).to_be_hidden()
    expect(page.locator("#sample")).to_contain_text("תל אביב")


def test_text_that_is_pasted_is_read_as_a_file_is(opened: Open) -> None:
    page = opened().page
    page.locator("#table").fill("Region\tCases\nNorth\t1 204\nSouth\t31\n")
    page.locator("#table").press("Tab")
    expect(page.locator("#table-said")).to_contain_text("the names of the columns, the last one count")
    page.locator("#as-file button").click()
    expect(page.locator("#counts-said")).to_contain_text("“Cases” is taken as the number of people in each row")
    tick(page, "Region", "North\nSouth")
    count(page)
    assert page.locator("#table").input_value() == "Region,count\nNorth,1204\nSouth,31"


def test_one_file_has_proof_and_table_and_workbooks_replace_and_check(
    chromium: Browser, sqlite_server: Server, tmp_path: Path
) -> None:
    owner = sqlite_server.new("owner")
    visitor = Visitor.at(chromium, sqlite_server.url)
    page = visitor.page
    visitor.sign_in(owner.key)
    visitor.context.add_init_script(_ALL_IN_SIGHT)
    visitor.go("/console/data/new?step=4")
    choose(page, (FILES / "counts.xlsx").read_bytes(), "counts.xlsx")
    page.get_by_text("Data (5 × 3)").locator("xpath=..").get_by_role("radio").check()
    expect(page.locator("#counts-said")).to_contain_text("Number of cases")
    for column in ("region", "sex"):
        tick(page, column)
    count(page)
    affirm(page)
    page.locator("#register").click()
    page.wait_for_url("**/console/data/dat_*")
    expect(page.get_by_role("link", name="Save proof and table")).to_be_visible()
    assert page.evaluate("Object.keys(sessionStorage)") == []
    data = page.url.partition("?")[0]
    page.locator("#proof_key").fill(owner.key)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save proof and table").click()
    saved.value.save_as(tmp_path / "proof.txt")
    assert (
        (tmp_path / "proof.txt")
        .read_text()
        .endswith("\nregion,sex,count\nNorth,f,12\nNorth,m,15\nSouth,f,9\nSouth,m,11\n")
    )
    workbook = import_module("openpyxl").Workbook()
    for row in (
        ["region", "sex", "count"],
        ["North", "f", 1200],
        ["North", "m", 15],
        ["South", "f", 9],
        ["South", "m", 11],
        ["As of 3 November 2026"],
    ):
        workbook.active.append(row)
    workbook.save(tmp_path / "new.xlsx")
    page.goto(f"{data}/proof")
    page.locator("#proof-file").set_input_files(tmp_path / "proof.txt")
    expect(page.locator("#proof-file-said")).to_contain_text("is in the field below")
    page.get_by_role("button", name="Check proof").click()
    expect(page.locator("#done")).to_contain_text("are those that were registered")
    page.goto(f"{data}/replace")
    page.locator("#table-file").set_input_files(tmp_path / "new.xlsx")
    expect(page.locator("#table")).to_have_value(re.compile("^region,sex,count\nNorth,f,1200\n"))
    page.locator("#replace_key").fill(owner.key)
    page.get_by_role("button", name="Replace the table").click()
    expect(page.locator("#done")).to_contain_text("The table was replaced")
    assert not visitor.complaints
    visitor.context.close()
