"""The committed description of the API equals the served one, and a difference between two is classified by its effect
on callers.
"""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any, get_args

from service.api.app import create_app
from service.ledger.chain import EntryKind
from service.schemas.budgets import LedgerEntryKind
from service.settings.settings import Settings
from service.web import operations as words
from tests.harness.api_changes import COMMITTED, changes, text_of
from tests.harness.published import DOCUMENT, MADE_UP, OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCHEMAS: dict[str, dict[str, Any]] = DOCUMENT["components"]["schemas"]


def test_the_committed_document_is_the_published_one() -> None:
    published = create_app(Settings()).openapi()
    found = "\n".join(map(str, changes(DOCUMENT, published)))
    assert COMMITTED.read_text(encoding="utf-8") == text_of(published), (
        f"`make openapi` writes docs/openapi.json anew. What changed:\n{found}"
    )


def test_a_default_is_shown_as_a_caller_would_write_it() -> None:
    properties = [part for schema in SCHEMAS.values() for part in schema.get("properties", {}).values()]
    words = " ".join(part.get("description", "") for part in properties)
    assert {"0", "0.95", "false", "replace_one"} <= set(re.findall(r"(\S+) if left out\.", words))
    assert "{" not in words


def body_of(document: dict[str, Any], name: str) -> dict[str, Any]:
    schema: dict[str, Any] = document["components"]["schemas"][name]
    return schema


def operation_of(document: dict[str, Any], path: str, method: str) -> dict[str, Any]:
    operation: dict[str, Any] = document["paths"][path][method]
    return operation


BREAKING: dict[str, Callable[[dict[str, Any]], object]] = {
    "an operation is gone": lambda d: d["paths"].pop("/v1/plans"),
    "a field of an answer is gone": lambda d: body_of(d, "Budget")["properties"].pop("spent"),
    "a field of an answer may be left out": lambda d: body_of(d, "Budget")["required"].remove("spent"),
    "a field of an answer has another type": lambda d: body_of(d, "Budget")["properties"]["sequence"].update(
        type="string"
    ),
    "a request needs another field": lambda d: body_of(d, "PlanCreate")["required"].append("target_error"),
    "a request takes a field no more": lambda d: body_of(d, "PlanCreate")["properties"].pop("target_error"),
    "a limit is narrower": lambda d: body_of(d, "CountsCreate")["properties"]["prior"].update(maxItems=3),
    "a request is refused a value that it could send": lambda d: body_of(d, "Role")["enum"].remove("owner"),
    "an answer holds a value that it never held": lambda d: body_of(d, "LedgerEntry")["properties"]["kind"][
        "enum"
    ].append("x"),
    "a filter is gone": lambda d: operation_of(d, "/v1/datasets", "get")["parameters"].pop(),
    "a key is needed": lambda d: operation_of(d, "/v1/public-key", "get").update(security=[{"ApiKey": []}]),
    "a model has another name": lambda d: body_of(d, "CountsRelease")["properties"]["receipt"].update(
        {"$ref": "#/components/schemas/SignedHead"}
    ),
}
HARMLESS: dict[str, Callable[[dict[str, Any]], object]] = {
    "an operation is new": lambda d: d["paths"].update({"/v1/new": copy.deepcopy(d["paths"]["/v1/plans"])}),
    "an answer says more": lambda d: body_of(d, "Budget")["properties"].update(more={"type": "string"}),
    "a request can say more": lambda d: body_of(d, "PlanCreate")["properties"].update(more={"type": "string"}),
    "a limit is gone": lambda d: body_of(d, "CountsCreate")["properties"]["prior"].pop("maxItems"),
    "words": lambda d: body_of(d, "Budget")["properties"]["frozen"].update(description="It is cold."),
}


def reported(change: Callable[[dict[str, Any]], object]) -> list[bool]:
    """Whether each reported difference breaks callers."""
    changed = copy.deepcopy(DOCUMENT)
    change(changed)
    return [each.breaks for each in changes(DOCUMENT, changed)]


def test_each_breaking_change_is_reported_as_one() -> None:
    assert [name for name, change in BREAKING.items() if not any(reported(change))] == []


def test_each_compatible_change_is_reported_as_one() -> None:
    found = {name: reported(change) for name, change in HARMLESS.items()}
    assert {name: breaks for name, breaks in found.items() if not breaks or any(breaks)} == {}


def test_nothing_changes_between_a_document_and_itself() -> None:
    assert changes(DOCUMENT, copy.deepcopy(DOCUMENT)) == []


def test_every_operation_has_a_summary_by_people() -> None:
    assert OPERATIONS.keys() == words.OPERATIONS.keys()
    summaries = [each.summary for each in words.OPERATIONS.values()]
    assert len(set(summaries)) == len(summaries)


def test_every_operation_says_its_role_what_it_returns_and_its_problems_by_code() -> None:
    for name, (_, _, operation) in OPERATIONS.items():
        assert operation["description"].endswith(f"\n\nRole: {words.OPERATIONS[name].role}."), name
        for status, answer in operation["responses"].items():
            said = answer["description"]
            assert "Successful Response" not in said, name
            if status >= "400":
                codes = list(answer["content"]["application/problem+json"]["examples"])
                assert re.findall(r"^- `([a-z-]+)`: \S.*\.$", said, re.MULTILINE) == codes, (name, status)


SAY_ENOUGH = {
    "kind", "id", "created_at", "items", "first", "second", "mechanism", "budget_id", "dataset_id", "release_id",
    "state", "counts", "labels", "unit", "where", "relation",
}  # fmt: skip
"""Fields whose names say all, in the places where they have no description."""


def test_a_field_whose_name_does_not_say_all_has_a_description() -> None:
    """A union has the description of its component."""
    silent = {
        f"{name}.{field}"
        for name, schema in SCHEMAS.items()
        for field, rule in schema.get("properties", {}).items()
        if "description" not in rule and field not in SAY_ENOUGH
    }
    assert silent == set()


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object within a part of the document."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from parts(part)


def test_names_of_models_can_stand_in_every_language() -> None:
    for name, schema in SCHEMAS.items():
        assert re.fullmatch(r"[A-Z][A-Za-z]+", name)
        assert schema["title"] == name
        own = {field.replace("_", "").lower() for field in schema.get("properties", {})}
        assert name.lower() not in own, f"{name} has a field of its own name"


def test_every_component_has_a_name_that_a_person_would_give() -> None:
    assert {"Amount", "Mechanism", "Cells", "Share", "Question", "Posterior", "Loss"} <= SCHEMAS.keys()
    assert [name for name in SCHEMAS if MADE_UP.search(name)] == []


def test_generators_need_to_make_up_no_name() -> None:
    """They make up one for an object or a list of values that may be null, and for a body or a response."""
    for schema in parts(SCHEMAS):
        members = schema.get("anyOf", schema.get("oneOf", ()))
        if {"type": "null"} in members:
            assert len(members) == 2, members
            assert [each for each in members if each.keys() & {"enum", "oneOf", "anyOf", "additionalProperties"}] == []
    for name, (_, _, operation) in OPERATIONS.items():
        for status, answer in {"body": operation.get("requestBody", {}), **operation["responses"]}.items():
            schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
            assert not schema or schema.keys() & {"$ref", "items"}, (name, status)


def test_every_union_of_models_names_its_discriminator() -> None:
    for schema in parts(SCHEMAS):
        models = [each for kind in ("anyOf", "oneOf") for each in schema.get(kind, ()) if "$ref" in each]
        if len(models) > 1:
            field = schema["discriminator"]["propertyName"]
            for model in models:
                assert field in SCHEMAS[model["$ref"].rpartition("/")[2]]["required"], (model, field)


def test_no_request_has_a_default_that_generators_take_for_a_required_field() -> None:
    assert SCHEMAS["PosteriorCreate"]["required"] == ["sources"]
    assert [field for field in SCHEMAS["PosteriorCreate"]["properties"].values() if "default" in field] == []
    assert "0.95 if left out" in SCHEMAS["PosteriorCreate"]["properties"]["level"]["description"]


def test_every_time_is_a_date_time() -> None:
    for name, schema in SCHEMAS.items():
        for field, rule in schema.get("properties", {}).items():
            if field.endswith("_at") or field == "frozen_until":
                kinds = [each.get("format") for each in rule.get("anyOf", [rule]) if each.get("type") != "null"]
                assert kinds == ["date-time"], f"{name}.{field}"


def test_kinds_of_entries_and_problems_are_listed() -> None:
    assert set(get_args(LedgerEntryKind)) == {kind.value for kind in EntryKind}
    assert "/problems/budget-exhausted" in SCHEMAS["ProblemDocument"]["properties"]["type"]["enum"]


def test_every_operation_says_whether_it_needs_a_key_and_how_long_to_wait() -> None:
    assert DOCUMENT["components"]["securitySchemes"].keys() == {"ApiKey"}
    for name, (_, _, operation) in OPERATIONS.items():
        assert isinstance(operation["security"], list), name
        if "429" in operation["responses"]:
            assert "Retry-After" in operation["responses"]["429"]["headers"]
    assert "Idempotency-Replayed" in OPERATIONS["create_release"][2]["responses"]["201"]["headers"]
    assert "415" not in OPERATIONS["list_datasets"][2]["responses"]
    assert next(iter(DOCUMENT["paths"])) == "/v1/datasets"
