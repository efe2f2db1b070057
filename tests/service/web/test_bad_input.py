"""Input that breaks a rule: each kind gets its own problem, which names the place and the rule, and nothing is
charged or recorded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from typing import Any

import httpx
import pytest

from tests.harness.bodies import budget_body
from tests.harness.deadlines import PATIENCE
from tests.harness.rows import assert_each
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import COUNTS, Study, dataset_body

LEFT_OUT = object()
NAN, INFINITE = float("nan"), float("inf")
HUGE = 10**400
DIGITS = "must have at most {} digits after the point"

Case = tuple[str, Mapping[str, Any], str, str]
"""What is tried, the fields that are changed by their path, the location that the problem names, and words of its
rule.
"""

DATASETS: list[Case] = [
    ("a negative count", {"counts": [-1, 5]}, "body.counts", "not negative"),
    ("a fractional count", {"counts": [1.5, 2]}, "body.counts[0]", "a whole number"),
    ("weights for counts", {"counts": [0.25, 0.75]}, "body.counts[1]", "a whole number"),
    ("a text for a count", {"counts": ["7", 2]}, "body.counts[0]", "a whole number"),
    ("a truth for a count", {"counts": [True, 2]}, "body.counts[0]", "a whole number"),
    ("no number for a count", {"counts": [None, 2]}, "body.counts[0]", "a whole number"),
    ("a count that is not a number", {"counts": [NAN, 2]}, "body.counts[0]", "a whole number"),
    ("an infinite count", {"counts": [2, INFINITE]}, "body.counts[1]", "a whole number"),
    ("a table for counts", {"counts": [[1, 2], [3, 4]]}, "body.counts[0]", "a whole number"),
    ("an object for counts", {"counts": {"case": 1, "none": 2}}, "body.counts", "must be a list"),
    ("no counts at all", {"counts": LEFT_OUT}, "body", "either counts or named_counts"),
    ("empty counts", {"counts": []}, "body.counts", "at least 2 items"),
    ("one category", {"labels": ["all"], "counts": [9]}, "body.counts", "at least 2 items"),
    (
        "too many categories",
        {"labels": [str(i) for i in range(10_001)], "counts": [1] * 10_001},
        "body.labels",
        "at most 10000 items",
    ),
    ("counts that do not match the labels", {"counts": [1, 2, 3]}, "body.counts", "as many counts as there are labels"),
    ("labels twice", {"labels": ["case", "case"]}, "body.labels", "differ"),
    ("labels that differ in spaces alone", {"labels": ["case", " case "]}, "body.labels", "differ"),
    ("an empty label", {"labels": ["case", ""]}, "body.labels[1]", "at least 1 character"),
    ("a label of spaces", {"labels": ["case", "  "]}, "body.labels[1]", "at least 1 character"),
    ("a long label", {"labels": ["case", "x" * 201]}, "body.labels[1]", "at most 200 characters"),
    ("a label with a null character", {"labels": ["case", "no\0ne"]}, "body.labels[1]", "control characters"),
    ("a label with a line break", {"labels": ["case", "no\nne"]}, "body.labels[1]", "control characters"),
    ("half a character", {"labels": ["case", "\ud800"]}, "body.labels[1]", "Unicode"),
    ("a number for a label", {"labels": ["case", 2]}, "body.labels[1]", "must be a text"),
    ("no records", {"counts": [0, 0]}, "body.counts", "at least one record"),
    ("more records than 2^53", {"counts": [2**53, 1]}, "body.counts", "at most 2^53"),
    (
        "a large count whose fraction is lost",
        {"counts": [9007199254740991.4, 1]},
        "body.counts[0]",
        "without a point and an exponent",
    ),
    ("a count of thirty digits", {"counts": [10**30, 1]}, "body.counts", "at most 2^53"),
    (
        "an unassigned code point in a label",
        {"labels": ["case", "no\ufffene"]},
        "body.labels[1]",
        "invisible marks",
    ),
    ("a label with a mark that nobody sees", {"labels": ["case", "no\u200bne"]}, "body.labels[1]", "invisible marks"),
    ("a label of a letter that nobody sees", {"labels": ["case", "\u3164"]}, "body.labels[1]", "invisible marks"),
    ("a label that sings", {"labels": ["case", "no\U0001d173ne"]}, "body.labels[1]", "invisible marks"),
    (
        "a label of empty cells of Braille",
        {"labels": ["case", "\u2800\u2800"]},
        "body.labels[1]",
        "a visible character",
    ),
    ("a label that only joins", {"labels": ["case", "\u200d\ufe0f"]}, "body.labels[1]", "a visible character"),
    ("labels that differ in their spaces", {"labels": ["a case", "a \u00a0case"]}, "body.labels", "differ"),
    ("labels that differ in a form", {"labels": ["\u2764", "\u2764\ufe0f"]}, "body.labels", "differ"),
    ("a label that turns its reader", {"labels": ["case", "\u200fnone"]}, "body.labels[1]", "invisible marks"),
    ("labels that look alike", {"labels": ["case", "ca\u200dse"]}, "body.labels", "differ"),
    ("a unit with hidden text", {"unit": "one child\U000e0041"}, "body.unit", "invisible marks"),
    ("a name with a null character", {"name": "field\0trial"}, "body.name", "control characters"),
    ("a name with an escape sequence", {"name": "\x1b[31mfield trial"}, "body.name", "control characters"),
    ("a name that turns its reader's direction", {"name": "field \u202elairt"}, "body.name", "control characters"),
    ("a unit with a null character", {"unit": "one\0child"}, "body.unit", "control characters"),
    ("an empty name", {"name": " "}, "body.name", "at least 1 character"),
    ("a long name", {"name": "n" * 201}, "body.name", "at most 200 characters"),
    ("n neither public nor private", {"n_is_public": None}, "body.n_is_public", "must be true or false"),
    ("several records a unit", {"one_record_per_unit": False}, "body.one_record_per_unit", "must be True"),
    ("an unknown relation", {"relation": "friendship"}, "body.relation", "'replace_one'"),
    ("a relation of a private n", {"relation": "add_remove"}, "body.n_is_public", "must be false"),
    ("an unknown field", {"surplus": 1}, "body.surplus", "is not a field"),
    ("an unknown field whose name tells a count", {"count is 7300427311": 1}, "body.(unknown)", "is not a field"),
    ("an unknown field that is no field's name", {"jane-doe": 1}, "body.(unknown)", "is not a field"),
    ("no budget", {"budget": None}, "body.budget", "must be an object"),
    ("a budget of no kind", {"budget": {"id": "bud_" + "a" * 26}}, "body.budget", "needs the field 'kind'"),
    ("a budget of an unknown kind", {"budget": {"kind": "free"}}, "body.budget", "must name one of 'existing', 'new'"),
    ("a garbled budget", {"budget": {"kind": "existing", "id": "bud_1"}}, "body.budget.id", "must match the pattern"),
    (
        "an unknown accountant",
        {"budget": {"kind": "new", "budget": {"accountant": "renyi"}}},
        "body.budget.budget.accountant",
        "must be 'basic' or 'zcdp'",
    ),
]

BUDGETS: list[Case] = [
    ("no epsilon", {"epsilon": LEFT_OUT}, "body.epsilon", "is required"),
    ("an epsilon of nothing", {"epsilon": 0}, "body.epsilon", "above 0"),
    ("an epsilon below its unit", {"epsilon": 1e-12}, "body.epsilon", "above 0"),
    ("a negative epsilon", {"epsilon": -0.5}, "body.epsilon", "must not be negative"),
    ("an epsilon that is not a number", {"epsilon": NAN}, "body.epsilon", "must be finite"),
    ("too large an epsilon", {"epsilon": "1000.000000001"}, "body.epsilon", "at most 1000"),
    ("too many digits", {"epsilon": "0.1000000001"}, "body.epsilon", DIGITS.format(9)),
    ("a delta of one", {"delta": 1}, "body.delta", "below 1"),
    ("a delta above one", {"delta": "1.5"}, "body.delta", "at most 1"),
    ("a delta too small to mean anything", {"delta": "1e-16"}, "body.delta", "0 or at least"),
    ("zcdp without a delta", {"accountant": "zcdp", "delta": 0}, "body.delta", "above 0"),
    (
        "more delta than there is",
        {"accountant": "zcdp", "delta_conversion": "1e-5"},
        "body.delta_conversion",
        "at most delta",
    ),
    ("a field of the other accountant", {"delta_conversion": "1e-7"}, "body.delta_conversion", "left out under basic"),
    ("no accountant", {"accountant": LEFT_OUT}, "body.accountant", "is required"),
]


def with_kind(kind: str, **fields: Any) -> dict[str, Any]:
    return {"mechanism": {"kind": kind, **fields}}


RELEASES: list[Case] = [
    ("a prior of zero", {"prior": [0, 1]}, "body.prior[0]", "at least 0.000001"),
    ("a negative prior", {"prior": [1, -1]}, "body.prior[1]", "at least 0.000001"),
    ("a prior that is not a number", {"prior": [NAN, 1]}, "body.prior[0]", "must be finite"),
    ("an infinite prior", {"prior": [1, INFINITE]}, "body.prior[1]", "must be finite"),
    ("a prior absurdly large", {"prior": [1, 1e300]}, "body.prior[1]", "at most 1000000"),
    ("a prior of four hundred digits", {"prior": [HUGE, 1]}, "body.prior[0]", "at most 1000000"),
    ("a text for a prior", {"prior": ["1", 1]}, "body.prior[0]", "must be a number"),
    ("a truth for a prior", {"prior": [True, 1]}, "body.prior[0]", "must be a number"),
    ("nothing for a prior", {"prior": [None, 1]}, "body.prior[0]", "must be a number"),
    ("a prior too long", {"prior": [1, 1, 1]}, "body.prior", "one number for each category"),
    ("a prior too short", {"prior": [1]}, "body.prior", "at least 2 items"),
    ("a text for once", {"once": "yes"}, "body.once", "must be true or false"),
    ("a number for all of the prior", {"prior": 1}, "body.prior", "must be a list"),
    ("no mechanism", {"mechanism": LEFT_OUT}, "body.mechanism", "is required"),
    (
        "an unknown mechanism",
        with_kind("staircase", epsilon="0.1"),
        "body.mechanism",
        "must name one of 'simplex_geometric'",
    ),
    ("a mechanism by name alone", {"mechanism": "laplace"}, "body.mechanism", "must be an object"),
    ("a mechanism without a kind", {"mechanism": {"epsilon": "0.1"}}, "body.mechanism", "needs the field 'kind'"),
    ("no epsilon", with_kind("laplace"), "body.mechanism.epsilon", "is required"),
    (
        "an epsilon of nothing",
        with_kind("laplace", epsilon=0),
        "body.mechanism.epsilon",
        "epsilon must lie between 0.0001 and 50",
    ),
    (
        "an epsilon below the least",
        with_kind("simplex_geometric", epsilon="0.00009"),
        "body.mechanism.epsilon",
        "epsilon must lie between 0.0001 and 50",
    ),
    (
        "an epsilon above the most",
        with_kind("simplex_geometric", epsilon="50.000000001"),
        "body.mechanism.epsilon",
        "epsilon must lie between 0.0001 and 50",
    ),
    (
        "a field of another mechanism",
        with_kind("laplace", epsilon=1, delta=0),
        "body.mechanism.delta",
        "is not a field",
    ),
    ("a rho of nothing", with_kind("gaussian", rho=0, delta="1e-8"), "body.mechanism", "rho must lie"),
    (
        "a gaussian without rho and epsilon",
        with_kind("gaussian", delta="1e-8"),
        "body.mechanism",
        "either rho or epsilon",
    ),
    (
        "a gaussian with both rho and epsilon",
        with_kind("gaussian", rho="0.1", epsilon="0.5", delta="1e-8"),
        "body.mechanism",
        "either rho or epsilon",
    ),
    (
        "a gaussian by epsilon without delta",
        with_kind("gaussian", epsilon="0.5", delta=0),
        "body.mechanism",
        "it needs a delta above 0",
    ),
    ("a gaussian without delta", with_kind("gaussian", rho="0.1", delta=0), "body.mechanism", "it needs a delta"),
    ("a delta of one", with_kind("gaussian", rho="0.1", delta=1), "body.mechanism.delta", "below 1"),
    (
        "an epsilon above the most where a certificate takes long",
        with_kind("exponential", epsilon=51),
        "body.mechanism.epsilon",
        "epsilon must lie between 0.0001 and 50",
    ),
    (
        "a delta of one where none is needed",
        with_kind("exponential", epsilon="0.8", delta=1),
        "body.mechanism.delta",
        "below 1",
    ),
    ("a level of nothing", {"level": 0}, "body.level", "above 0 and below 1"),
    ("a level of one", {"level": 1}, "body.level", "above 0 and below 1"),
    ("a level in per cent", {"level": 95}, "body.level", "write 0.95 for 95 %"),
    ("a text for a level", {"level": "0.95"}, "body.level", "must be a number"),
    ("a level that is not a number", {"level": NAN}, "body.level", "finite number"),
    ("an unknown field", {"seed": 1}, "body.seed", "is not a field"),
    ("an unknown limit", {"max_charge": {"gamma": 1}}, "body.max_charge.gamma", "is not a field"),
    ("a negative limit", {"max_charge": {"epsilon": -1}}, "body.max_charge.epsilon", "must not be negative"),
]

ON_SMALL_SPACES: list[Case] = [
    (
        "an epsilon of nothing",
        with_kind("exponential_global", epsilon=0),
        "body.mechanism.epsilon",
        "epsilon must lie between 0.0001 and 50",
    ),
    ("no delta", with_kind("exponential_published", nominal_epsilon=1, delta=0), "body.mechanism", "it needs a delta"),
    (
        "a delta of one",
        with_kind("exponential_published", nominal_epsilon=1, delta=1),
        "body.mechanism.delta",
        "below 1",
    ),
    (
        "a nominal epsilon of nothing",
        with_kind("exponential_published", nominal_epsilon=0, delta="1e-8"),
        "body.mechanism.nominal_epsilon",
        "epsilon must lie between 0.0001 and 50",
    ),
]

CHANGES: list[tuple[str, str, Mapping[str, Any], str, str]] = [
    ("budgets", "an epsilon of nothing", {"epsilon": 0}, "body.epsilon", "above 0"),
    ("budgets", "too large an epsilon", {"epsilon": 1001}, "body.epsilon", "at most 1000"),
    ("budgets", "a delta of one", {"delta": 1}, "body.delta", "below 1"),
    ("budgets", "a delta too small to mean anything", {"delta": "1e-16"}, "body.delta", "0 or at least"),
    ("budgets", "a text for a truth", {"frozen": "yes"}, "body.frozen", "true or false"),
    (
        "budgets",
        "an unknown mechanism",
        {"allowed_mechanisms": ["staircase"]},
        "body.allowed_mechanisms[0]",
        "must be 'simplex_geometric', ",
    ),
    ("budgets", "no mechanism at all", {"allowed_mechanisms": []}, "body.allowed_mechanisms", "at least 1 item"),
    (
        "budgets",
        "an absurd cap",
        {"release_cap": {"epsilon": "999999999", "delta": 0}},
        "body.release_cap.epsilon",
        "at most",
    ),
    (
        "budgets",
        "an absurd delta",
        {"release_cap": {"epsilon": "1", "delta": "1e9"}},
        "body.release_cap.delta",
        "at most 1",
    ),
    ("budgets", "a share above all", {"low_budget_percent": 101}, "body.low_budget_percent", "at most 100"),
    ("budgets", "another accountant", {"accountant": "zcdp"}, "body.accountant", "is not a field"),
    ("datasets", "a negative count", {"counts": [-1, 2]}, "body.counts", "not negative"),
    (
        "datasets",
        "counts that do not match the labels",
        {"counts": [1, 2, 3]},
        "body.counts",
        "as many counts as there are labels",
    ),
    ("datasets", "labels without their counts", {"labels": ["a", "b"]}, "body.counts", "must be sent with new labels"),
    ("datasets", "a name with a null character", {"name": "a\0b"}, "body.name", "control characters"),
    ("grants", "an absurd cap", {"epsilon": "1e20"}, "body.epsilon", "at most 1000"),
    ("grants", "an absurd delta", {"epsilon": "1", "delta": "1e20"}, "body.delta", "at most 1"),
    ("grants", "a cap in rho", {"rho": "1"}, "body.rho", "basic"),
    ("grants", "a number for a truth", {"closed": 1}, "body.closed", "true or false"),
]

GRANTS: list[Case] = [
    ("nobody", {"principal_id": LEFT_OUT}, "body.principal_id", "is required"),
    ("a garbled id", {"principal_id": "pri_1"}, "body.principal_id", "must match the pattern"),
    ("an unknown analyst", {"principal_id": "pri_" + "a" * 26}, "body.principal_id", "the id of an analyst"),
    ("no cap", {"epsilon": LEFT_OUT}, "body.epsilon", "is required"),
    ("an absurd cap", {"epsilon": "1e20"}, "body.epsilon", "at most 1000"),
    ("a delta of more than all", {"delta": "1e20"}, "body.delta", "at most 1"),
    ("a cap in rho", {"rho": 1}, "body.rho", "basic"),
    ("a time beyond the calendar", {"expires_at": "12030-01-01T00:00:00Z"}, "body.expires_at", "ISO 8601"),
    ("a time before all", {"expires_at": "1960-01-01T00:00:00Z"}, "body.expires_at", "1970 or later"),
    ("a date without a time", {"expires_at": "2030-01-01"}, "body.expires_at", "ISO 8601"),
    ("a time of no zone", {"expires_at": "2030-01-01T00:00:00"}, "body.expires_at", "offset from UTC"),
    ("a time that no clock shows", {"expires_at": "2030-01-01T25:00:00Z"}, "body.expires_at", "ISO 8601"),
    ("Unix seconds", {"expires_at": 1_900_000_000}, "body.expires_at", "not a number of seconds"),
]

PEOPLE: list[tuple[str, str, Mapping[str, Any], str, str]] = [
    ("principals", "an unknown role", {"role": "root", "name": "x"}, "body.role", "'admin', 'owner' or 'analyst'"),
    (
        "principals",
        "a name with a null character",
        {"role": "owner", "name": "a\0b"},
        "body.name",
        "control characters",
    ),
    ("principals", "no name", {"role": "owner"}, "body.name", "is required"),
    (
        "keys",
        "a key that has expired at birth",
        {"expires_at": "2020-01-01T00:00:00Z"},
        "body.expires_at",
        "in the future",
    ),
    ("keys", "a key for ages", {"expires_at": "2999-01-01T00:00:00Z"}, "body.expires_at", "at most ten years"),
    ("keys", "days", {"expires_in_days": 90}, "body.expires_in_days", "is not a field"),
    ("keys", "a principal", {"principal_id": "pri_" + "a" * 26}, "body.principal_id", "is not a field"),
    ("enrolments", "no token", {}, "body.token", "is required"),
    ("enrolments", "a token with a space", {"token": "ppe a"}, "body.token", "must match the pattern"),
    ("enrolments", "a long token", {"token": "p" * 101}, "body.token", "at most 100 characters"),
]


def changed(body: dict[str, Any], changes: Mapping[str, Any]) -> str:
    """The body with these changes, as Python writes JSON: with NaN and Infinity, which JSON does not know."""
    return json.dumps({name: value for name, value in (body | dict(changes)).items() if value is not LEFT_OUT})


def assert_refused(answer: httpx.Response, location: str, rule: str) -> None:
    assert problem_code(answer) == "invalid-request", answer.text
    assert answer.status_code == 422
    body = answer.json()
    assert body["charged"] is False
    found = {error["location"]: error["rule"] for error in body["errors"]}
    assert location in found, found
    assert rule in found[location]
    assert " 1 items" not in found[location]
    assert " 1 characters" not in found[location]
    for part in (str(COUNTS[0]), str(COUNTS[1])):
        assert part not in answer.text


def assert_all_refused(table: list[Case], send: Callable[[Mapping[str, Any]], httpx.Response]) -> None:
    assert_each(table, lambda case: assert_refused(send(case[1]), case[2], case[3]), name=itemgetter(0))


def test_a_dataset_is_refused_by_place_and_rule(standing: Study) -> None:
    before = standing.owner.get("/v1/datasets", limit=200).json()
    assert_all_refused(
        DATASETS, lambda changes: standing.owner.post_text("/v1/datasets", changed(dataset_body(), changes))
    )
    assert standing.owner.get("/v1/datasets", limit=200).json() == before


def test_a_budget_is_refused_by_place_and_rule_alone_and_with_its_data_set(standing: Study) -> None:
    before = standing.owner.get("/v1/budgets", limit=200).json()
    assert_all_refused(
        BUDGETS, lambda changes: standing.owner.post_text("/v1/budgets", changed(budget_body(), changes))
    )
    within = [
        (name, changes, location.replace("body", "body.budget.budget", 1), rule)
        for name, changes, location, rule in BUDGETS
    ]

    def register(changes: Mapping[str, Any]) -> httpx.Response:
        budget = {"kind": "new", "budget": json.loads(changed(budget_body(), changes))}
        return standing.owner.post_text("/v1/datasets", json.dumps(dataset_body(budget=budget)))

    assert_all_refused(within, register)
    assert standing.owner.get("/v1/budgets", limit=200).json() == before


def test_a_release_is_refused_by_place_and_rule(standing: Study, small: Study) -> None:
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}

    def ask(study: Study, changes: Mapping[str, Any]) -> httpx.Response:
        path = f"/v1/datasets/{study.dataset_id}/releases"
        return study.analyst.post_text(path, changed(body, changes), **{"Idempotency-Key": "bad"})

    for study, table in ((standing, RELEASES), (small, ON_SMALL_SPACES)):
        assert_all_refused(table, partial(ask, study))
        assert study.spent() == "0"


def test_a_grant_is_refused_by_place_and_rule(standing: Study) -> None:
    before = standing.ledger()
    body = {"principal_id": standing.analyst.principal_id, "epsilon": "0.1", "delta": 0}
    path = f"/v1/datasets/{standing.dataset_id}/grants"
    assert_all_refused(GRANTS, lambda changes: standing.owner.post_text(path, changed(body, changes)))
    assert standing.ledger() == before


def test_a_change_is_refused_by_place_and_rule(standing: Study) -> None:
    before = standing.ledger()
    ids = {"budgets": standing.budget_id, "datasets": standing.dataset_id, "grants": standing.grant_id}
    for kind, each in ids.items():
        table = [row[1:] for row in CHANGES if row[0] == kind]
        assert_all_refused(table, partial(standing.owner.patch, f"/v1/{kind}/{each}"))
    assert standing.ledger() == before


def test_a_person_or_key_is_refused_by_place_and_rule(admin: Party) -> None:
    for kind in ("principals", "keys", "enrolments"):
        assert_all_refused([row[1:] for row in PEOPLE if row[0] == kind], partial(admin.post, f"/v1/{kind}"))


# Bodies that are no request at all

RELEASE = json.dumps({"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}})
BODIES: list[tuple[str, bytes, str, int, str]] = [
    ("an unfinished body", b'{"prior": [1, 1', "application/json", 400, "malformed-body"),
    ("an empty body", b"", "application/json", 422, "invalid-request"),
    ("words", b"please", "application/json", 400, "malformed-body"),
    ("bytes that are no text", b'{"prior": "\xff\xfe"}', "application/json", 400, "malformed-body"),
    ("brackets without end", b"[" * 100_000, "application/json", 400, "malformed-body"),
    (
        "a number of ten thousand digits",
        b'{"prior": [' + b"9" * 10_000 + b", 1]}",
        "application/json",
        400,
        "malformed-body",
    ),
    ("a list", b"[]", "application/json", 422, "invalid-request"),
    ("a null", b"null", "application/json", 422, "invalid-request"),
    ("a form", b"prior=1&prior=1", "application/x-www-form-urlencoded", 415, "unsupported-media-type"),
    ("plain text", b'{"prior": [1, 1]}', "text/plain", 415, "unsupported-media-type"),
    ("two bodies", b"{}{}", "application/json", 400, "malformed-body"),
    *(
        (f"a body in {encoding}", RELEASE.encode(encoding), "application/json", 400, "malformed-body")
        for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig")
    ),
]


def test_a_body_that_is_no_request_is_refused(standing: Study) -> None:
    path = f"/v1/datasets/{standing.dataset_id}/releases"

    def check(row: tuple[str, bytes, str, int, str]) -> None:
        _, body, content_type, status, code = row
        answer = standing.analyst.post_text(path, body, content_type=content_type, **{"Idempotency-Key": "bad"})
        assert (answer.status_code, problem_code(answer), answer.json()["charged"]) == (status, code, False)

    assert_each(BODIES, check, name=itemgetter(0))
    assert standing.spent() == "0"


def test_a_body_that_is_not_json_is_refused_with_the_line_and_the_column(standing: Study) -> None:
    path = f"/v1/datasets/{standing.dataset_id}/releases"
    for body, line, column in (
        ('{"prior": [1, 1', 1, 16),
        ('{\n  "prior": [1,\n  one]}', 3, 3),
        ("\n\n}", 3, 1),
        ("{}{}", 1, 3),
    ):
        answer = standing.analyst.post_text(path, body, **{"Idempotency-Key": "bad"})
        assert f"Line {line}, column {column} is" in answer.json()["detail"]
        assert "one" not in answer.text


def test_a_body_that_is_too_large_is_refused_whether_or_not_it_says_so(standing: Study) -> None:
    path = f"/v1/datasets/{standing.dataset_id}/releases"
    large = b" " * 2_000_001

    def in_chunks() -> Any:
        for start in range(0, len(large), 100_000):
            yield large[start : start + 100_000]

    for content in (large, in_chunks()):
        answer = standing.analyst.request(
            "POST", path, content=content, headers={"Idempotency-Key": "bad", "Content-Type": "application/json"}
        )
        assert (answer.status_code, problem_code(answer), answer.json()["charged"]) == (413, "body-too-large", False)
    assert standing.analyst.get("/v1/datasets").status_code == 200


def test_a_release_needs_a_proper_idempotency_key(standing: Study) -> None:
    path = f"/v1/datasets/{standing.dataset_id}/releases"
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}
    for key in (None, "", "k" * 201, "two words", "line/1", "semi;colon"):
        headers = {} if key is None else {"Idempotency-Key": key}
        answer = standing.analyst.request("POST", path, json=body, headers=headers)
        found = (answer.status_code, problem_code(answer), answer.json()["charged"])
        assert found == (400, "idempotency-key-missing", False), key
    assert standing.spent() == "0"


@pytest.mark.parametrize(
    ("name", "shown", "body"),
    [
        ("prior", "prior", RELEASE.replace("{", '{"prior": [9, 1], ', 1)),
        ("epsilon", "epsilon", RELEASE.replace('{"kind"', '{"epsilon": 5, "kind"')),
        ("my label", "(unknown)", '{"my label": 1, "my label": 2}'),
    ],
)
def test_a_name_that_stands_twice_in_an_object_is_refused(standing: Study, name: str, shown: str, body: str) -> None:
    path = f"/v1/datasets/{standing.dataset_id}/releases"
    answer = standing.analyst.post_text(path, body, **{"Idempotency-Key": "bad"})
    assert_refused(answer, "body", f"must name {shown} only once in an object")
    assert (name in answer.text) is (name == shown)
    assert standing.spent() == "0"


def test_a_header_that_may_stand_only_once_is_refused_twice(server: Server, standing: Study) -> None:
    authorization = ("Authorization", f"Bearer {standing.analyst.key}")
    path = f"/v1/datasets/{standing.dataset_id}/releases"
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        for name, headers in (
            ("Authorization", [authorization, ("authorization", "Bearer other"), ("Idempotency-Key", "one")]),
            ("Idempotency-Key", [authorization, ("Idempotency-Key", "one"), ("Idempotency-Key", "two")]),
            ("Content-Type", [authorization, ("Idempotency-Key", "one"), ("Content-Type", "text/plain")]),
        ):
            answer = client.post(path, content=RELEASE, headers=[*headers, ("Content-Type", "application/json")])
            assert_refused(answer, f"header.{name}", "must be given only once")
    assert standing.spent() == "0"


# Paths and queries

GARBAGE = [
    "1",
    "dat_",
    "dat_" + "A" * 26,
    "dat_" + "a" * 25,
    "dat_" + "a" * 27,
    "%00",
    "dat_" + "a" * 25 + "%00",
    "%ff",
    "'--",
    "..%2f..",
]


def test_garbage_for_an_id_is_not_found(server: Server, standing: Study) -> None:
    assert_each(GARBAGE, lambda garbage: assert_not_found(server, standing, garbage))


def assert_not_found(server: Server, standing: Study, garbage: str) -> None:
    owner = standing.owner
    answers = [owner.get(f"/v1/{kind}/{garbage}") for kind in ("datasets", "budgets", "releases")]
    answers += [owner.get(f"/v1/budgets/{garbage}/ledger")]
    answers += [owner.delete(f"/v1/{kind}/{garbage}") for kind in ("datasets", "keys")]
    answers += [owner.patch(f"/v1/{kind}/{garbage}", {}) for kind in ("datasets", "budgets", "grants")]
    answers += [owner.release(garbage), server.admin.delete(f"/v1/principals/{garbage}")]
    for answer in answers:
        assert (answer.status_code, problem_code(answer)) == (404, "not-found"), answer.request.url


def test_a_garbled_cursor_is_refused(standing: Study) -> None:
    paths = ["datasets", "budgets", "principals", "keys", "grants", "releases"]
    paths += [
        f"budgets/{standing.budget_id}/ledger",
    ]
    cursors = ["%00", "A", "'", "-1", "\u0661", "9" * 61, "../x", "dat_" + "a" * 26]
    asked = [f"/v1/{path}?cursor={cursor}" for path in paths for cursor in cursors]
    asked += [f"/v1/releases?dataset_id={standing.dataset_id}&cursor={cursor}" for cursor in cursors]
    assert_each(asked, lambda path: assert_refused(standing.owner.get(path), "query.cursor", ""))


def test_a_page_has_limits(standing: Study) -> None:
    paths = ("datasets", f"budgets/{standing.budget_id}/ledger")
    asked = [f"/v1/{path}?limit={limit}" for path in paths for limit in ("0", "-1", "1001", "x", "1.5", "9" * 30)]
    assert_each(asked, lambda path: assert_refused(standing.owner.get(path), "query.limit", ""))


def test_a_cursor_past_the_end_gives_an_empty_page(standing: Study) -> None:
    ledger = standing.owner.get(f"/v1/budgets/{standing.budget_id}/ledger", cursor="9" * 19)
    assert ledger.json() == {"items": [], "next_cursor": None}


def test_an_unknown_path_is_not_found(owner: Party) -> None:
    for path in ("/v2/datasets", "/v1/nothing", "/v1/datasets/", "//", "/v1/keys/x/y"):
        assert problem_code(owner.get(path)) == "not-found"


def test_an_unsupported_method_is_refused_with_the_supported_ones(owner: Party) -> None:
    answer = owner.request("PUT", "/v1/datasets")
    assert (answer.status_code, problem_code(answer)) == (405, "method-not-allowed")
    assert set(answer.headers["allow"].split(", ")) >= {"GET", "POST"}


def test_made_up_counts_hold_a_record_even_if_their_number_is_secret(owner: Party) -> None:
    plan = {"prior": [1, 1], "data": {"kind": "counts", "counts": [0, 0]}, "epsilons": ["1"]}
    for relation in ("replace_one", "add_remove"):
        answer = owner.post("/v1/plans", plan | {"relation": relation})
        assert_refused(answer, "body.data.counts", "at least one record")


def test_a_location_leaves_out_the_kind_of_a_member_even_if_it_is_also_a_field(owner: Party) -> None:
    plan = {"prior": [1, 1], "data": {"kind": "shape", "shape": "even", "record_count": 0}, "epsilons": ["1"]}
    named = dataset_body(named_counts=[{"cell": 7, "count": 1}])
    for path, body, location in (
        ("/v1/plans", plan, "body.data.record_count"),
        ("/v1/datasets", named, "body.named_counts[0].cell"),
    ):
        refused = owner.post(path, body)
        assert problem_code(refused) == "invalid-request", refused.text
        assert location in [each["location"] for each in refused.json()["errors"]], refused.text
