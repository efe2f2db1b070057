"""An owner adds a data set without JavaScript: a typed table, and the proof to save."""

from __future__ import annotations

import asyncio
import json
import re
from decimal import Decimal
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from service.console import proofs
from service.console.console import add_console
from service.console.new_data import preset_delta
from service.console.page_request import checked_form
from service.console.plain_table import TableError
from service.console.typed_table import read_table
from service.limits.limits import PAGES
from service.web.sealing import Sealer
from tests.harness.bodies import unique
from tests.harness.browser import Browser, Page
from tests.harness.server import Party
from tests.service.conftest import COUNTS, Study, dataset_body
from tests.service.console.conftest import browser_of

ADMISSIONS = """\
department;sex;admitted
A;female;yes;89
A;female;no;19
A;male;yes;512
B;female;yes;17
B;female;no;8
B;male;yes;353
B;male;no;207
"""
TABLE = ADMISSIONS.replace("admitted\n", "admitted;count\n")


def typed(**changes: str) -> dict[str, str]:
    return {
        "table": TABLE,
        "name": unique("Admissions"),
        "unit": "one application",
        "most_records": "1",
        "n_is_public": "yes",
        "labels_are_public": "yes",
        "unlisted_impossible": "yes",
        "budget": "new",
        "epsilon": "0.5",
        "delta": "",
    } | changes


def register(browser: Browser, **changes: str) -> Page:
    return browser.send(browser.get("/console/data/new"), "/console/data/new/register", **typed(**changes))


NONCE = re.compile(r"Nonce \(secret\): ([0-9a-f]{64})\n")


def saved_proof(browser: Browser, owner: Party, dataset_id: str) -> httpx.Response:
    """The proof that the page of the data set offers, saved with the owner's key."""
    path = f"/console/data/{dataset_id}"
    page = browser.get(path)
    assert any(form.get("action") == f"{path}/proof.txt" for form in page.forms)
    return browser.http.post(f"{path}/proof.txt", data=dict(page.marks) | {"key": owner.key})


def proof_of(browser: Browser, owner: Party, dataset_id: str) -> str:
    """The text of the proof that the page of the data set offers."""
    return saved_proof(browser, owner, dataset_id).text


def nonce_of(browser: Browser, owner: Party, dataset_id: str) -> str:
    found = NONCE.search(proof_of(browser, owner, dataset_id))
    assert found is not None
    return found[1]


def datasets(owner: Party) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = owner.get("/v1/datasets").json()["items"]
    return items


def test_a_typed_table_becomes_a_data_set(owner: Party) -> None:
    browser = browser_of(owner)
    done = register(browser)
    assert done.status == 200, done.text
    assert done.path.startswith("/console/data/dat_"), "the page can be reloaded"
    made = owner.get(f"/v1/datasets/{datasets(owner)[0]['id']}").json()
    assert made["attributes"] == [
        {"name": "department", "levels": ["A", "B"]},
        {"name": "sex", "levels": ["female", "male"]},
        {"name": "admitted", "levels": ["yes", "no"]},
    ]
    assert made["category_count"] == 7, "the combination that was ticked is impossible"
    assert made["record_count"] == 1205
    budget = owner.get(f"/v1/budgets/{made['budget_id']}").json()
    assert budget["guarantee"]["epsilon"] == "0.5"
    assert Decimal(budget["guarantee"]["delta"]) == Decimal("1e-7")
    assert done.link("Save proof.txt") == "#proof"
    proof = saved_proof(browser, owner, made["id"])
    assert proof.headers["Content-Disposition"].startswith('attachment; filename="proof-')
    assert made["commitment"] in proof.text
    assert NONCE.search(proof.text)


def test_a_table_whose_size_must_not_be_known_gets_a_delta_that_does_not_tell_it(owner: Party) -> None:
    browser, deltas = browser_of(owner), set()
    for table in (TABLE, TABLE.replace("512", "512000000")):
        done = register(browser, n_is_public="no", table=table)
        assert done.status == 200, done.text
        made = owner.get(f"/v1/datasets/{datasets(owner)[-1]['id']}").json()
        assert (made["relation"], made["record_count"]) == ("add_remove", None)
        deltas.add(owner.get(f"/v1/budgets/{made['budget_id']}").json()["guarantee"]["delta"])
    assert {Decimal(each) for each in deltas} == {Decimal("1e-9")}


@pytest.mark.parametrize(("epsilon", "delta"), [("0,5", "0,0000001"), ("0.5", "1e-7")])
def test_a_decimal_comma_is_a_point(owner: Party, epsilon: str, delta: str) -> None:
    browser = browser_of(owner)
    done = register(browser, epsilon=epsilon, delta=delta)
    assert done.status == 200, done.text
    [made] = datasets(owner)
    guarantee = owner.get(f"/v1/budgets/{made['budget_id']}").json()["guarantee"]
    assert (Decimal(guarantee["epsilon"]), Decimal(guarantee["delta"])) == (Decimal("0.5"), Decimal("1e-7"))


@pytest.mark.parametrize(
    ("field", "amount", "said"),
    [
        ("epsilon", "1.000,5", "Must be a number from 0.0001 to 1000"),
        ("epsilon", "2,000.5", "Must be a number from 0.0001 to 1000"),
        ("delta", "1,5", "Must be a number from 0 to below 1"),
    ],
)
def test_a_wrong_amount_is_refused_at_its_field(owner: Party, field: str, amount: str, said: str) -> None:
    browser = browser_of(owner)
    page = register(browser, name="Kept", **{field: amount})
    assert page.status == 422
    assert said in page.error_at(field)
    for name, value in (typed(name="Kept") | {field: amount}).items():
        assert field == "epsilon" or name != "delta" or page.value(name) == value
        assert name == "delta" or page.value(name).strip() == value.strip(), "what was typed stays"
    assert datasets(owner) == []


def test_the_nonce_proves_the_counts_in_the_order_of_the_cells(owner: Party) -> None:
    browser = browser_of(owner)
    shuffled = "\n".join([TABLE.splitlines()[0], *reversed(TABLE.splitlines()[1:])])
    register(browser, table=shuffled)
    made = owner.get(f"/v1/datasets/{datasets(owner)[0]['id']}").json()
    by_label = {"B · male · no": 207, "B · male · yes": 353, "B · female · no": 8, "B · female · yes": 17}
    by_label |= {"A · male · yes": 512, "A · female · no": 19, "A · female · yes": 89}
    counts = [by_label[label] for label in made["labels"]]
    again = owner.patch(f"/v1/datasets/{made['id']}", {"counts": counts}).json()
    assert again["labels"] == made["labels"]
    assert again["nonce"]


def test_a_reload_and_a_second_tab_register_once_and_offer_the_same_proof(owner: Party) -> None:
    browser = browser_of(owner)
    form = browser.get("/console/data/new")
    fields = typed()
    pages = [browser.send(form, "/register", **fields) for _ in range(3)]
    [made] = datasets(owner)
    assert {each.path for each in pages} == {f"/console/data/{made['id']}"}
    assert len({nonce_of(browser, owner, made["id"]) for _ in range(2)}) == 1
    from_another_session = browser_of(owner)
    marks = dict(from_another_session.get("/console/").marks)
    other = from_another_session.send(form, "/register", **fields, **marks)
    assert "Save proof.txt" not in other.text, "another session opens no proof"
    assert from_another_session.post(f"/console/data/{made['id']}/proof.txt", list(marks.items())).status == 404
    assert len(datasets(owner)) == 1


def test_a_proof_is_offered_until_the_session_ends_and_is_taken_back(owner: Party) -> None:
    browser = browser_of(owner)
    register(browser)
    [made] = datasets(owner)
    assert "1 proof to save" in browser.get("/console/").text
    path, proof = f"/console/data/{made['id']}", proof_of(browser, owner, made["id"])
    checked = browser.send(browser.get(f"{path}/proof"), "/proof", proof=proof, table=TABLE)
    assert "are those that were registered" in checked.by_id("done").text
    wrong = browser.send(checked, "/proof", proof=proof, table=TABLE.replace("353", "352"))
    assert "are not those that were registered" in wrong.by_id("done").text
    marks = dict(browser.get(path).marks) | {"key": owner.key}
    both = browser.http.post(f"{path}/proof.txt", data=marks | {"table": TABLE}).text
    assert both.startswith(proof)
    assert both.endswith(f"\nTable (secret):\n{TABLE}\n".replace("\n\n", "\n"))
    assert "are those that were registered" in browser.send(checked, "/proof", proof=both).by_id("done").text
    for other in (TABLE.replace("353", "352"), "sex,count\nf,1\nm,2"):
        assert browser.http.post(f"{path}/proof.txt", data=marks | {"table": other}).text == proof
    refused = browser.send(checked, "/proof", proof="nothing", table="sex,count\nf,1\nm,2")
    assert "Paste the whole text of proof.txt" in refused.error_at("proof")
    assert "Its columns must be those of the data set" in refused.error_at("table")
    browser.send(checked, "/console/sign-out")
    again = browser_of(owner)
    assert "Save proof.txt" not in again.get(path).text
    assert again.post(f"{path}/proof.txt", [*again.get(path).marks, ("key", owner.key)]).status == 404


def test_a_session_alone_does_not_give_the_proof(owner: Party) -> None:
    browser = browser_of(owner)
    done = register(browser)
    [made] = datasets(owner)
    path = f"/console/data/{made['id']}"
    assert browser.http.get(f"{path}/proof.txt").status_code in {404, 405}
    for key in ("", browser.cookie, owner.server.new("owner").key):
        refused = browser.send(done, "/proof.txt", key=key)
        assert refused.status == 403
        assert refused.error_at("proof_key")
        assert not NONCE.search(refused.response.text)
    assert "Keep this file like the counts" in saved_proof(browser, owner, made["id"]).text


def test_a_page_that_acted_already_says_so_and_acts_again_if_it_is_sent_again(owner: Party) -> None:
    browser, again = browser_of(owner), "If you press the button again, the same happens a second time."
    form = browser.get("/console/data/new")
    browser.send(form, "/register", **typed())
    fields = typed(table=TABLE.replace("353", "352"))
    refused = browser.send(form, "/register", **fields)
    assert f"This page registered a data set already. {again}" in refused.text
    assert len(datasets(owner)) == 1
    assert browser.send(refused, "/register", **fields).path.startswith("/console/data/dat_")
    made = datasets(owner)
    assert len(made) == 2

    form = browser.get(f"/console/data/{made[0]['id']}/replace")
    browser.send(form, "/replace", table=TABLE.replace("353", "351"), key=owner.key)
    refused = browser.send(form, "/replace", table=TABLE.replace("353", "350"), key=owner.key)
    assert f"This page replaced the table already. {again}" in refused.text
    done = browser.send(refused, "/replace", table=TABLE.replace("353", "350"), key=owner.key)
    assert "The table was replaced" in done.by_id("done").text


def test_a_replaced_table_has_no_earlier_proof_to_save(owner: Party) -> None:
    browser = browser_of(owner)
    register(browser)
    register(browser)
    first, second = (f"/console/data/{each['id']}" for each in datasets(owner))
    earlier, id_ = proof_of(browser, owner, datasets(owner)[0]["id"]), datasets(owner)[0]["id"]
    counts = [89, 19, 512, 17, 8, 353, 206]
    assert owner.patch(f"/v1/datasets/{id_}", {"counts": counts}).status_code == 200
    page = browser.get(first)
    assert "Save proof.txt" not in page.text, "nor if it was replaced by the API"
    assert browser.post(f"{first}/proof.txt", [*page.marks, ("key", owner.key)]).status == 404
    assert f"{first}#proof" not in browser.get("/console/").links
    form = browser.get(f"{first}/replace")
    browser.send(form, "/replace", table=TABLE.replace("353", "352"), key=owner.key)
    assert proof_of(browser, owner, id_) != earlier
    assert owner.patch(f"/v1/datasets/{id_}", {"counts": counts}).status_code == 200
    links = browser.get("/console/").links
    assert f"{first}#proof" not in links
    assert f"{second}#proof" in links
    assert NONCE.search(proof_of(browser, owner, datasets(owner)[1]["id"])), "the other one is still kept"


def test_a_table_is_mended_until_something_is_charged(study: Study) -> None:
    browser, path = browser_of(study.owner), f"/console/data/{study.dataset_id}"
    form = browser.get(browser.get(path).link("Replace the counts"))
    assert form.value("table").split() == ["category,count", "case,", "none,"]
    refused = browser.send(form, "/replace", table="category,count\nill,3\nnone,", key=study.owner.key)
    assert "no count" in refused.error_at("table")
    assert browser.send(form, "/replace", table="category,count\nill,3\nnone,9", key="").error_at("replace_key")
    done = browser.send(form, "/replace", table="category,count\nill,3\nnone,9", key=study.owner.key)
    assert (done.status, done.path) == (200, path)
    assert "The table was replaced" in done.by_id("done").text
    proof = proof_of(browser, study.owner, study.dataset_id)
    assert browser.send(form, "/replace", table="category,count\nill,3\nnone,9", key=study.owner.key).path == path
    assert proof_of(browser, study.owner, study.dataset_id) == proof, "the same page replaces nothing again"
    changed = study.owner.get(f"/v1/datasets/{study.dataset_id}").json()
    assert (changed["labels"], changed["record_count"]) == (["ill", "none"], 12)
    checked = browser.send(browser.get(f"{path}/proof"), "/proof", proof=proof, table="category,count\nnone,9\nill,3")
    assert "are those that were registered" in checked.by_id("done").text
    checking, table = browser.get(f"{path}/proof"), "category,count\nnone,1\nill,2"
    browser.send(form, "/replace", table=table, once="y" * 20, key=study.owner.key)
    mended = proof_of(browser, study.owner, study.dataset_id)
    outdated = browser.send(checking, "/proof", proof=proof, table=table)
    assert outdated.error_at("proof").startswith("This proof is of another registration")
    checked = browser.send(checking, "/proof", proof=f"{proof}{mended}", table=table)
    assert "two registrations" in checked.error_at("proof")
    assert study.analyst.release(study.dataset_id).status_code == 201
    page = browser.get(path)
    assert "can’t be changed any more" in page.text
    assert page.link("new data set on the same budget").endswith(f"/console/data/new?budget={study.budget_id}")
    instead = browser.get(f"{path}/replace")
    assert "can’t be changed any more: something was charged" in instead.text
    assert instead.link("new data set on the same budget").endswith(f"/console/data/new?budget={study.budget_id}")
    assert not [each for each in instead.forms if each.get("action").endswith("/replace")]
    late = browser.send(form, "/replace", table="category,count\nill,4\nnone,8", once="x" * 20, key=study.owner.key)
    assert late.status == 409
    assert "only while nothing was released" in late.by_id("refused").text


def test_the_replace_page_takes_its_own_lines_back(owner: Party) -> None:
    attributes = [{"name": "sex", "levels": ["f · x", "m"]}, {"name": "ill", "levels": ["yes", "no", "Total"]}]
    never = [{"sex": ["f · x"], "ill": ["yes"]}]
    body = dataset_body(attributes=attributes, impossible=never, counts=[7, 5, 3, 2, 1])
    del body["labels"]
    made = owner.post("/v1/datasets", body).json()
    browser, path = browser_of(owner), f"/v1/datasets/{made['id']}"
    form = browser.get(f"/console/data/{made['id']}/replace")
    lines = form.value("table").splitlines()
    assert lines == ["sex,ill,count", "f · x,no,", "f · x,Total,", "m,yes,", "m,no,", "m,Total,"]
    assert form.by_id("unlisted_impossible").has("checked")
    table = "\n".join([lines[0], *(f"{line}{count}" for count, line in enumerate(lines[1:], 4))])
    same = browser.send(form, "/replace", table=table, key=owner.key)
    assert "The table was replaced" in same.text
    now = owner.get(path).json()
    assert (now["labels"], now["attributes"], now["record_count"]) == (made["labels"], attributes, 30)
    form = browser.get(f"/console/data/{made['id']}/replace")
    renamed = browser.send(form, "/replace", table=table.replace("m,", "male,"), key=owner.key)
    assert "The table was replaced" in renamed.text
    now = owner.get(path).json()
    assert now["category_count"] == 5, "a combination that can't occur stays impossible"
    assert "male · yes" in now["labels"]


def test_the_replace_page_asks_whether_sums_are_values(study: Study) -> None:
    browser = browser_of(study.owner)
    form = browser.get(f"/console/data/{study.dataset_id}/replace")
    assert "totals_are_values" not in {each.get("name") for each in form.root.all("input")}
    assert not form.by_id("unlisted_impossible").has("checked")
    wrong = browser.send(form, "/replace", table="result,count\nill,3\nwell,6\nany,9", key=study.owner.key)
    assert "tick below that it is a value like the others" in wrong.error_at("table")
    assert not wrong.by_id("totals_are_values").has("checked")
    ticked = browser.send(wrong, "/replace", totals_are_values="yes", key=study.owner.key)
    assert "The table was replaced" in ticked.text


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"name": ""}, "name", "needs a name"),
        ({"unit": ""}, "unit", "one record stands for"),
        ({"epsilon": "much"}, "epsilon", "Must be a number"),
        ({"epsilon": "0"}, "epsilon", "Must be a number"),
        ({"epsilon": "nan"}, "epsilon", "Must be a number"),
        ({"delta": "small"}, "delta", "Must be a number"),
        ({"delta": "2"}, "delta", "Must be a number"),
        ({"delta": "NaN"}, "delta", "Must be a number"),
        ({"most_records": "viele"}, "most_records", "Must be a whole number"),
        ({"most_records": "0"}, "most_records", "Must be a whole number"),
        ({"table": "sex,count\nf,3\nm,4\nboth,7"}, "table", "counts of “both” in “sex” are the sums of the others"),
        ({"table": ""}, "table", "must name the columns"),
        ({"table": "sex,count\nfemale,3\nmale,many"}, "table", "Line 3 has a count that is not a whole number"),
    ],
)
def test_what_is_refused_stands_at_its_field(owner: Party, change: dict[str, str], field: str, said: str) -> None:
    page = register(browser_of(owner), **change)
    assert page.status == 422
    assert said in page.error_at(field)
    for name, value in typed().items():
        if name not in change and name not in {"name", "delta"}:
            assert page.value(name).strip() == value.strip(), "what was typed stays"


def test_boxes_that_are_not_ticked_are_asked_for(owner: Party) -> None:
    browser = browser_of(owner)
    fields = {name: value for name, value in typed().items() if not name.endswith("public")}
    page = browser.send(browser.get("/console/data/new"), "/console/data/new/register", **fields)
    assert page.error_at("n_is_public")
    assert page.error_at("labels_are_public")


def test_what_the_service_refuses_stands_at_its_field_too(owner: Party) -> None:
    browser = browser_of(owner)
    name = unique("Taken")
    register(browser, name=name)
    for change, field in (
        ({"name": name}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"most_records": "9999999"}, "most_records"),
        ({"table": "sex,count\nfemale,0\nmale,0"}, "table"),
        ({"epsilon": "0.1234567891"}, "epsilon"),
    ):
        page = register(browser, **change)
        assert page.status in {409, 422}, (change, page.text)
        assert page.error_at(field), change
        assert page.value("unit") == "one application"
    assert len(datasets(owner)) == 1


def test_counts_are_in_no_answer_but_to_the_request_that_sent_them(owner: Party) -> None:
    browser = browser_of(owner)
    table = f"sex,count\nfemale,{COUNTS[0]}\nmale,{COUNTS[1]}"
    done = register(browser, table=table)
    made = datasets(owner)[0]
    pages = [done, *(browser.get(path) for path in ("/console/", "/console/data/new", f"/console/data/{made['id']}"))]
    for page in pages:
        assert not any(str(count) in page.response.text.replace("\u202f", "") for count in COUNTS)


def test_tables_about_the_same_people_share_a_budget(owner: Party) -> None:
    browser = browser_of(owner)
    register(browser)
    first = datasets(owner)[0]
    done = register(browser, budget=first["budget_id"])
    assert f"This data set shares its budget, “{first['name']}”, with {first['name']}" in done.text
    assert [each["budget_id"] for each in datasets(owner)] == [first["budget_id"]] * 2


def test_a_budget_is_offered_with_what_is_left_and_its_data_sets(owner: Party) -> None:
    browser = browser_of(owner)
    names = [unique("Visits") for _ in range(5)]
    register(browser, name=names[0])
    budget = datasets(owner)[0]["budget_id"]

    def offered() -> str:
        options = browser.get("/console/data/new").by_id("budget").all("option")
        return next(each.text for each in options if each.get("value") == budget)

    assert offered() == f"Yes: share the budget “{names[0]}”, ε = 0.5 of 0.5 is left, with “{names[0]}”"
    for name in names[1:]:
        register(browser, name=name, budget=budget)
    assert offered().endswith(" and 2 more")
    for each in datasets(owner):
        assert owner.delete(f"/v1/datasets/{each['id']}").status_code == 204
    assert offered().endswith("ε = 0.5 of 0.5 is left, its data sets are deleted")


def test_a_table_is_read_whatever_parts_its_lines() -> None:
    lines = ["sex,age group,count", 'female,"18, or less",3', "male,19+,0"]
    expected = read_table("\n".join(lines), unlisted_impossible=True)
    assert expected.cells == (("female", "18, or less"), ("male", "19+"))
    assert expected.counts == (3, 0)
    assert expected.record_count == 3
    for separator in (";", "\t"):
        text = "\r\n".join(
            [
                "sex,age group,count".replace(",", separator),
                f'female{separator}"18, or less"{separator}3',
                f"male{separator}19+{separator}0",
                "",
            ]
        )
        assert read_table(text, unlisted_impossible=True) == expected


def test_what_is_not_listed_counts_as_0_unless_it_is_ticked() -> None:
    header = "a,b,c,count"
    cells = [(a, b, c) for a in "123" for b in "xyz" for c in "pq"]
    lines = [header, *(",".join([*cell, "1"]) for cell in cells if cell[:2] != ("1", "x"))]
    table = read_table("\n".join(lines))
    assert (table.impossible, table.unlisted) == ((), (("1", "x", "p"), ("1", "x", "q")))
    assert dict(zip(table.cells, table.counts, strict=True)) == {cell: int(cell[:2] != ("1", "x")) for cell in cells}
    all_ticked = read_table("\n".join(lines), unlisted_impossible=True)
    assert (all_ticked.impossible, all_ticked.unlisted) == (({"a": ["1"], "b": ["x"]},), ())
    one = read_table("\n".join(lines), impossible=['["1", "x", "p"]', '["no","such"]', "not JSON"])
    assert (one.impossible, one.unlisted) == (({"a": ["1"], "b": ["x"], "c": ["p"]},), (("1", "x", "q"),))
    listed = read_table("\n".join([*lines, "1,x,p,0", "1,x,q,0"]), impossible=['["1","x","p"]', '["1","x","q"]'])
    assert listed.impossible == all_ticked.impossible
    with pytest.raises(TableError, match="ticked as a combination that can't occur"):
        read_table("\n".join(lines), impossible=['["2", "x", "p"]'])


def test_a_forgotten_line_is_named_and_stays_possible(owner: Party) -> None:
    browser = browser_of(owner)
    table = "sex;result;count\nf;positive;30\nf;negative;900\nm;negative;800"
    fields = {name: value for name, value in typed(table=table).items() if name != "unlisted_impossible"}
    browser.send(browser.get("/console/data/new"), "/register", **fields)
    assert datasets(owner)[0]["category_count"] == 4


def test_what_can_not_occur_is_ticked_warned_of_and_public(owner: Party) -> None:
    browser = browser_of(owner)
    table = "sex;pregnant;count\nf;yes;30\nf;no;900\nm;no;800"
    fields = {name: value for name, value in typed(table=table).items() if name != "unlisted_impossible"}
    refused = browser.send(browser.get("/console/data/new"), "/register", **(fields | {"unit": ""}))
    box = next(each for each in refused.root.all("input") if each.get("name") == "impossible")
    assert json.loads(box.get("value")) == ["m", "yes"]
    ticked = {"impossible": box.get("value"), "name": unique("Ticked")}
    again = browser.send(refused, "/register", **ticked)
    assert next(each for each in again.root.all("input") if each.get("name") == "impossible").has("checked")
    browser.send(again, "/register", unit="one person")
    made = next(each for each in datasets(owner) if each["name"].startswith("Ticked"))
    assert made["category_count"] == 3
    facts = browser.get(f"/console/data/{made['id']}").text
    assert "Combinations that can't occurm · yes" in facts


def test_sums_are_found_by_numbers_and_are_values_if_the_owner_says_so(owner: Party) -> None:
    lines = [f"{area},{sex},{count}" for area, counts in zip("abc", COUNTED, strict=True) for sex, count in counts]
    table = "\n".join(["area,sex,count", *lines])
    page = register(browser_of(owner), table=table)
    assert "The counts of “9” in “sex” are the sums of the others" in page.error_at("table")
    assert register(browser_of(owner), table=table, totals_are_values="yes").status == 200
    assert page.by_id("totals_are_values").get("type") == "checkbox"


COUNTED = [[("1", 30), ("2", 14), ("9", 44)], [("1", 3), ("2", 4), ("9", 7)], [("1", 8), ("2", 1), ("9", 9)]]


def test_people_in_a_registered_data_set_need_a_choice_of_budget(owner: Party) -> None:
    browser = browser_of(owner)
    register(browser)
    page = browser.get("/console/data/new")
    assert "next year's table about the same patients" in page.text
    assert page.value("budget") == "", "neither a new budget nor an old one is preset"
    assert page.by_id("budget").has("required")
    assert "registered already" in register(browser, budget="").error_at("budget")


def budget_of(page: Page) -> str:
    return next(each.text for each in page.root.all("section") if each.get("aria-labelledby") == "budget")


def test_a_budget_that_promises_little_says_so_on_the_page_of_the_data_set(owner: Party) -> None:
    browser = browser_of(owner)
    assert "above 10" not in budget_of(register(browser, epsilon="10"))
    assert "ε is above 10" in budget_of(register(browser, epsilon="50"))
    assert "δ is above one over the number of records" in register(browser, delta="0.5").text
    assert "δ is above one" not in register(browser, delta="0.0008").text


def test_the_four_steps_are_in_one_form_and_the_step_of_a_refusal_is_named(owner: Party) -> None:
    browser = browser_of(owner)
    page = browser.get("/console/data/new?step=3")
    form = next(each for each in page.forms if each.get("id") == "registration")
    assert [each.get("data-step") for each in form.all("section")] == ["1", "2", "3", "4"]
    name = unique("Known")
    register(browser, name=name)
    assert name in [each.get("value") for each in browser.get("/console/data/new").by_id("taken-names").all("option")]
    for change, step in (({"table": ""}, "1"), ({"unit": ""}, "3"), ({"epsilon": "much"}, "4"), ({"name": name}, "3")):
        refused = register(browser, **change)
        assert refused.by_id("registration").get("data-step") == step, change


def test_a_fault_of_the_service_loses_nothing_typed() -> None:
    app = FastAPI()

    @app.post("/console/data/new/fault")
    async def fail(request: Request) -> JSONResponse:
        await checked_form(request)
        return JSONResponse({"detail": "An internal error occurred."}, 500, media_type="application/problem+json")

    add_console(
        app,
        lambda scope: scope["path"].startswith("/console/"),
        PAGES.queue(),
        lambda: b"secret",
        Sealer(lambda: b"k" * 32),
        has_tls=False,
    )

    async def send() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://service") as http:
            return await http.post("/console/data/new/fault", data={"name": "Kept", "form_token": "secret"})

    answer = asyncio.run(send())
    assert answer.status_code == 500
    assert "What you typed is kept on this page" in answer.text
    assert 'name="name" value="Kept"' in answer.text
    assert 'value="secret"' not in answer.text


def test_the_table_and_the_proof_can_be_saved_as_files(owner: Party) -> None:
    browser = browser_of(owner)
    page = browser.get("/console/data/new")
    fields = typed(name="“Süd”, Trial")
    saved = browser.http.post("/console/data/new/table", data=dict(page.marks) | fields)
    assert saved.headers["Content-Disposition"] == 'attachment; filename="counts-Sud-Trial.csv"'
    assert saved.headers["Cache-Control"] == "no-store"
    assert read_table(saved.text, unlisted_impossible=True) == read_table(TABLE, unlisted_impossible=True)
    browser.send(page, "/register", **fields)
    [made] = datasets(owner)
    proof = saved_proof(browser, owner, made["id"])
    assert proof.headers["Content-Disposition"] == 'attachment; filename="proof-Sud-Trial.txt"'
    for text in (made["commitment"], made["id"], "“Süd”, Trial"):
        assert text in proof.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,count\nx,1", "at least two categories"),
        ("a count\nx 1\ny 2", "with one of comma, semicolon or tab between the names"),
        ("a,b;count\nx,1;2\ny,1;2", "with one of comma, semicolon or tab between the names"),
        ("a,Male,Female\nx,1,2\ny,3,4", "last column must be called count"),
        ("a,n\nx,1\ny,2", "last column must be called count"),
        ("a,count\nx,1.204\ny,2", "Line 2 has a count that is not a whole number. Write it with digits alone"),
        ("a,count\nx,1\n\ny,2,3", "Line 4 has 3 values, and the first line names 2 columns"),
        ("count\n1\n2", "must name the columns"),
        ("a,,count\nx,y,1\nz,y,2", "must name each column"),
        ("a,a,count\nx,y,1\nz,y,2", "same name"),
        ("a,count\nx,1\nx,2", "Line 3 has a combination that is on an earlier line already"),
        ("a,count\nx,1\ny", "Line 3 has 1 value, and"),
        ("a,count\nx,1\ny,", "Line 3 has no count. Write 0"),
        ("a,count\n,1\ny,2", "Line 2 has an empty value"),
        (
            "a;b;count\nx;y;1,5\nx;z;2\n;y;3\nx;u;",
            "Line 4 has an empty value. Line 5 has no count. .* Line 2 has a count that is not a whole number.",
        ),
        ("a,count\nx,-1\ny,1.5\nz,2\nu,?\nv,x", "Lines 2, 3, 5 and 1 more have a count that is not a whole number"),
        ('a,count\n"x,1\ny,2', "quotation mark"),
        ("a,count\n" + "\n".join(f"{number},1" for number in range(10_001)), "more than 10000 lines"),
    ],
)
def test_a_table_that_is_wrong_says_where(text: str, said: str) -> None:
    with pytest.raises(TableError, match=said.replace("?", r"\?")):
        read_table(text)


def test_no_sentence_about_a_table_repeats_a_count() -> None:
    for text in ("a,count\nx,7654321\nx,1", "a,count\nx,7654321\ny,", "a,count\nx,76.54321\ny,1"):
        with pytest.raises(TableError) as refused:
            read_table(text)
        assert "7654321" not in str(refused.value).replace(".", "")


def test_a_preset_delta_is_a_thousand_times_below_one_over_the_records() -> None:
    assert [preset_delta(records) for records in (1, 10, 11, 1000, 1205, 10**6, 2**53)] == [
        "1e-4", "1e-4", "1e-5", "1e-6", "1e-7", "1e-9", "1e-15"
    ]  # fmt: skip


def test_saved_proofs_leave_the_card_and_no_unsaved_one_is_dropped(
    owner: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proofs, "_MAX_ENTRIES", 2)
    browser = browser_of(owner)
    for _ in range(2):
        assert register(browser).status == 200
    assert "2 proofs to save" in browser.get("/console/").text
    refused = register(browser)
    assert refused.status == 422
    assert "proofs wait to be saved" in refused.text
    first, second = (each["id"] for each in datasets(owner))
    saved_proof(browser, owner, first)
    assert "1 proof to save" in browser.get("/console/").text
    assert NONCE.search(proof_of(browser, owner, first)), "it can be saved again"
    assert register(browser).status == 200
    assert "2 proofs to save" in browser.get("/console/").text
    assert NONCE.search(proof_of(browser, owner, second))


def test_a_data_set_like_another_one_is_filled_in_with_its_public_facts(owner: Party) -> None:
    browser = browser_of(owner)
    register(browser, most_records="3", n_is_public="no")
    [made] = datasets(owner)
    path = browser.get(f"/console/data/{made['id']}").link("Register another like this")
    page = browser.get(path)
    filled = {name: page.value(name) for name in ("name", "unit", "most_records", "n_is_public", "epsilon")}
    assert filled == {
        "name": made["name"],
        "unit": "one application",
        "most_records": "3",
        "n_is_public": "no",
        "epsilon": "0.5",
    }
    like = json.loads(page.by_id("like").get("data-like"))
    assert like["attributes"][1] == {"name": "sex", "levels": ["female", "male"]}
    assert page.value("table").strip() == ""
    assert not page.by_id("labels_are_public").has("checked"), "what becomes public is affirmed again"


def test_an_empty_home_offers_an_example_that_can_be_deleted(owner: Party) -> None:
    browser = browser_of(owner)
    home = browser.get("/console/")
    made = browser.send(home, "/console/data/example")
    assert made.path.startswith("/console/data/dat_")
    [example] = datasets(owner)
    assert (example["record_count"], example["category_count"]) == (4526, 24)
    assert not [form for form in browser.get("/console/").forms if form.get("action").endswith("/example")]
    again = browser.send(home, "/console/data/example", once="x" * 20)
    assert "name" in again.text
    assert len(datasets(owner)) == 1
    assert owner.delete(f"/v1/datasets/{example['id']}").status_code == 204
