"""Cross tables over a socket: cells by attributes, the same predicates everywhere, a problem for every bad input."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from tests.harness.bodies import of_releases, registration, share
from tests.harness.server import Party, problem_code
from tests.service.conftest import Study, make_study

AGE = {"name": "age", "levels": ["10-19", "20-29", "30-39"]}
SMOKER = {"name": "smoker", "levels": ["no", "yes"]}
IMPOSSIBLE = [{"age": ["10-19"], "smoker": ["yes"]}]
LABELS = ["10-19 · no", "20-29 · no", "20-29 · yes", "30-39 · no", "30-39 · yes"]
COUNTS = [310, 250, 95, 240, 120]
TABLE: dict[str, Any] = {"labels": None, "attributes": [AGE, SMOKER], "impossible": IMPOSSIBLE, "counts": COUNTS}
SMOKERS = {"smoker": ["yes"]}
ADULTS = {"age": ["20-29", "30-39"]}


def body(**changes: Any) -> dict[str, Any]:
    return registration(COUNTS) | TABLE | changes


@pytest.fixture
def table(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **TABLE)


def release(study: Study, epsilon: str = "0.2") -> dict[str, Any]:
    answer = study.analyst.release(
        study.dataset_id, prior=[1] * 5, mechanism={"kind": "simplex_geometric", "epsilon": epsilon}
    )
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def posterior(study: Study, released: dict[str, Any], **request: Any) -> dict[str, Any]:
    answer = study.analyst.post("/v1/posteriors", of_releases(released["id"]) | request)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_cells_are_the_possible_combinations_in_row_major_order(table: Study) -> None:
    dataset = table.analyst.get(f"/v1/datasets/{table.dataset_id}").json()
    assert dataset["labels"] == LABELS
    assert dataset["attributes"] == [AGE, SMOKER]
    released = release(table)
    assert (released["labels"], released["attributes"]) == (LABELS, [AGE, SMOKER])
    statement = table.owner.get(f"/v1/datasets/{table.dataset_id}/statement").json()
    named = "“age” (3 levels: “10-19”, “20-29”, “30-39”) and “smoker” (2 levels: “no”, “yes”)"
    assert f"the possible combinations of {named}" in statement["summary"][0]


def test_counts_may_come_by_name_in_any_order(owner: Party, analyst: Party) -> None:
    def cell(label: str) -> dict[str, list[str]]:
        age, smoker = label.split(" · ")
        return {"smoker": [smoker], "age": [age]}

    shares = [1, 10_000, 1, 1, 1]
    named = [{"cell": cell(label), "count": count} for label, count in reversed(list(zip(LABELS, shares, strict=True)))]
    study = make_study(owner, analyst, **(TABLE | {"counts": None, "named_counts": named}))
    released = release(study, "0.5")["posterior"]["released_counts"]
    assert released[1] == max(released)
    by_label = [{"cell": ["b"], "count": 10_000}, {"cell": ["a"], "count": 1}]
    plain = make_study(owner, analyst, labels=["a", "b"], counts=None, named_counts=by_label)
    answer = plain.analyst.release(plain.dataset_id, prior=[1, 1]).json()
    assert answer["posterior"]["released_counts"][1] > 9_000
    changed = owner.patch(f"/v1/datasets/{make_study(owner, analyst, **TABLE).dataset_id}", {"named_counts": named})
    assert changed.status_code == 200, changed.text
    assert changed.json()["nonce"] is not None


def test_predicates_and_labels_name_the_same_cells_everywhere(table: Study) -> None:
    released = release(table)
    labels = ["20-29 · yes", "30-39 · yes"]
    told = posterior(
        table,
        released,
        questions=[
            {"kind": "share", **share(**SMOKERS, within=ADULTS), "above": 0.3},
            {"kind": "share", **share(*labels, within=LABELS[1:]), "above": 0.3},
            {
                "kind": "odds_ratio",
                "first": share(**SMOKERS, within={"age": ["30-39"]}),
                "second": share(**SMOKERS, within={"age": ["20-29"]}),
            },
            {"kind": "share", **share(**SMOKERS), "above": 0.2},
            {"kind": "share", **share(*labels), "above": 0.2},
            {"kind": "share", **share(**SMOKERS), "between": {"low": 0.2, "high": 1.0}},
            {"kind": "difference", "first": share(**SMOKERS), "second": share(age=["10-19"])},
            {"kind": "difference", "first": share(age=["10-19"]), "second": share(**SMOKERS)},
        ],
    )
    by_where, by_label, _, above, again, between, more, less = told["answers"]
    assert by_where["interval"] == by_label["interval"]
    assert by_where["above"] == by_label["above"]
    chance = above["above"]["probability"]
    assert chance == again["above"]["probability"] == pytest.approx(between["between"]["probability"], abs=1e-9)
    assert more["above"]["probability"] + less["above"]["probability"] == pytest.approx(1, abs=1e-9)
    quoted = table.analyst.post(
        f"/v1/datasets/{table.dataset_id}/estimates", {"queries": [share(**SMOKERS), share(*labels)]}
    ).json()
    first, second = (each["estimate"] for each in quoted["answers"])
    assert first == pytest.approx(second)


def test_two_releases_are_compared_in_sets_of_cells(table: Study, owner: Party) -> None:
    other = make_study(owner, table.analyst, **(TABLE | {"counts": [310, 50, 295, 40, 320]}))
    first, second = release(other), release(table)
    smokers = share(**SMOKERS, within=ADULTS)
    compared = table.analyst.post(
        "/v1/comparisons",
        {
            "first": of_releases(first["id"]) | smokers,
            "second": of_releases(second["id"]) | smokers,
            "contrast": "ratio",
            "above": 1.5,
            "quantiles": [1e-7, 0.5, 1 - 1e-7],
        },
    )
    assert compared.status_code == 200, compared.text
    told = compared.json()
    assert told["probability"] > 0.999
    assert told["contrast"]["above"]["probability"] > 0.99
    low, high = told["contrast"]["interval"]["low"], told["contrast"]["interval"]["high"]
    least, middle, most = (each["value"] for each in told["contrast"]["quantiles"])
    assert least < low < middle < high < most
    # Of a 95 % interval this would fail by chance.
    assert least < (615 / 705) / (215 / 705) < most
    again = release(table)
    within = table.analyst.post(
        "/v1/comparisons",
        {
            "first": of_releases(second["id"]) | share(**SMOKERS, within={"age": ["20-29"]}),
            "second": of_releases(again["id"]) | share(**SMOKERS, within={"age": ["30-39"]}),
            "contrast": "odds_ratio",
            "quantiles": [1e-7, 1 - 1e-7],
        },
    ).json()
    assert within["people"] == "same"
    # 95 of 345 against 120 of 360. The noise of two releases would have to move them by 62 records.
    assert within["probability"] < 0.99999
    least, most = (each["value"] for each in within["contrast"]["quantiles"])
    assert least < (95 / 250) / (120 / 240) < most


def test_a_picture_puts_cells_together(table: Study) -> None:
    released = release(table)

    def shown(**query: Any) -> list[str]:
        answer = table.analyst.get(f"/v1/releases/{released['id']}/plot.svg", **query)
        assert answer.status_code == 200, answer.text
        return [text.text or "" for text in ET.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314

    assert "share of records, by age and smoker" in shown()
    assert set(LABELS) <= {*shown()}
    assert {"20-29", "30-39"} <= {*shown(by=["age"], of=json.dumps({"where": SMOKERS}))}
    assert "10-19" not in shown(by=["age"], of=json.dumps({"where": SMOKERS}))
    assert "share with smoker: yes, by age" in shown(by=["age"], of=json.dumps({"where": SMOKERS}))
    for query, location in (
        ({"by": ["sex"]}, "query.by[0]"),
        ({"by": ["age", "age"]}, "query.by"),
        ({"of": json.dumps({"where": SMOKERS})}, "query.of"),
        ({"by": ["age"], "of": "yes"}, "query.of"),
        ({"by": ["age"], "of": json.dumps({"where": {"smoker": ["maybe"]}})}, "query.of.where.smoker[0]"),
        ({"by": ["smoker"], "of": json.dumps({"where": SMOKERS})}, "query.of"),
    ):
        refused = table.analyst.get(f"/v1/releases/{released['id']}/plot.svg", **query)
        assert (refused.status_code, refused.json()["errors"][0]["location"]) == (422, location), refused.text


MANY = [{"name": f"a{k}", "levels": ["0", "1", "2", "3"]} for k in range(8)]


@pytest.mark.parametrize(
    ("changes", "location", "rule"),
    [
        ({"attributes": None}, "body", "either labels or attributes"),
        ({"labels": LABELS}, "body", "either labels or attributes"),
        ({"counts": None}, "body", "either counts or named_counts"),
        ({"counts": [*COUNTS, 1]}, "body.counts", "as many counts"),
        ({"attributes": [AGE, AGE]}, "body.attributes", "differ"),
        ({"attributes": [{"name": "age", "levels": ["a", "a"]}]}, "body.attributes[0].levels", "differ"),
        ({"attributes": MANY, "impossible": []}, "body.attributes", "50000 combinations"),
        ({"impossible": [{"sex": ["man"]}]}, "body.impossible[0]", "does not have"),
        ({"impossible": [{"7300427311\a": ["man"]}]}, "body.impossible[0].(unknown)", "character"),
        ({"impossible": [{"age": ["40-49"]}]}, "body.impossible[0].age[0]", "level"),
        ({"impossible": [{"age": ["10-19"]}]}, "body.attributes[0].levels", "possible cell"),
        ({"impossible": [{"age": AGE["levels"]}]}, "body.attributes", "possible cells"),
        ({"attributes": [{"name": "x", "levels": ["a · b", "a"]}, {"name": "y", "levels": ["c", "b · c"]}],
          "impossible": [], "counts": [1, 1, 1, 1]}, "body.attributes", "differ"),
        ({"labels": ["a", "b"], "attributes": None, "counts": [1, 1]}, "body.impossible", "needs attributes"),
        ({"counts": None, "named_counts": [{"cell": {"age": ["20-29"]}, "count": 1}] * 2},
         "body.named_counts[0].cell", "one level of each"),
        ({"counts": None, "named_counts": [{"cell": {"age": ["20-29"], "smoker": ["no"]}, "count": 1}] * 2},
         "body.named_counts[1].cell", "differ from the cells before"),
        ({"counts": None, "named_counts": [{"cell": {"age": ["10-19"], "smoker": ["yes"]}, "count": 1}] * 2},
         "body.named_counts[0].cell", "possible cell"),
        ({"counts": None, "named_counts": [{"cell": [label], "count": 1} for label in LABELS[1:]]},
         "body.named_counts", "every possible cell"),
    ],
)  # fmt: skip
def test_a_table_that_is_none_is_refused_with_the_field_and_the_rule(
    owner: Party, changes: dict[str, Any], location: str, rule: str
) -> None:
    answer = owner.post("/v1/datasets", body(**changes))
    assert answer.status_code == 422, answer.text
    (error, *_) = answer.json()["errors"]
    assert error["location"] == location
    assert rule in error["rule"]


@pytest.mark.parametrize(
    ("asked", "location", "rule"),
    [
        (share(sex=["man"]), "of.where", "names an attribute that this data set does not have"),
        (share(smoker=["maybe"]), "of.where.smoker[0]", "is not a level of this attribute"),
        (share(smoker=[]), "of.where.smoker", "at least 1"),
        ({"of": {"where": {}}}, "of.where", "at least 1"),
        (share("nobody"), "of.labels[0]", "is not a label of this data set"),
        (share(**IMPOSSIBLE[0]), "of.where", "possible cell"),
        (share(smoker=["no", "yes"]), "of", "leave out"),
        (share(**SMOKERS, within={"age": ["10-19"]}), "of", "share a cell"),
        (share(**SMOKERS, within=SMOKERS), "of", "leave out"),
        (share(**SMOKERS, within={"age": ["50"]}), "within.where.age[0]", "level"),
        (share(**SMOKERS) | {"within": {"labels": [7]}}, "within.labels[0]", "text"),
        ({}, "of", "is required"),
        ({"of": {}}, "of", "either labels or where"),
        ({"of": {"where": SMOKERS, "labels": ["20-29 · yes"]}}, "of", "either labels or where"),
    ],
)
def test_a_share_of_nothing_everything_or_the_unknown_is_refused(
    table: Study, asked: dict[str, Any], location: str, rule: str
) -> None:
    released, before = release(table), table.budget()
    answer = table.analyst.post(
        "/v1/posteriors", of_releases(released["id"]) | {"questions": [{"kind": "share", **asked}]}
    )
    assert (answer.status_code, problem_code(answer)) == (422, "invalid-request")
    (error, *_) = answer.json()["errors"]
    assert error["location"] == f"body.questions[0].{location}".rstrip(".")
    assert rule in error["rule"]
    assert not answer.json()["charged"]
    assert table.budget() == {**before}


def test_attributes_are_refused_on_a_table_of_labels(study: Study) -> None:
    answer = study.analyst.post(f"/v1/datasets/{study.dataset_id}/estimates", {"queries": [share(smoker=["yes"])]})
    assert answer.json()["errors"] == [
        {"location": "body.queries[0].of.where", "rule": "needs a data set with attributes"}
    ]
