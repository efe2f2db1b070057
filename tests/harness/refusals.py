"""Which findings of Schemathesis count; it loads this module.

A refusal of a request that fits the published schema does not count if it explains itself: rules between fields, and
rules that depend on what is stored, are not in the schema. A request that breaks the schema and is accepted counts,
except for JSON numbers as amounts. A method of an operation that moved since 0.2 is allowed and not published.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import schemathesis
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.transport import Response
from schemathesis.generation.case import Case
from schemathesis.hooks import HookContext
from schemathesis.openapi.checks import AllowHeaderMismatch, RejectedPositiveData

from service.api.former import MOVED
from service.cli.serving import HEAD_BYTES
from tests.harness.published import OPERATIONS, body_schema, resolved


def is_explained(operation: Mapping[str, Any], status: str, document: Mapping[str, Any]) -> bool:
    """Return whether a refusal is a problem that the operation documents and, if the request broke a rule, names the
    field of the body, or the parameter, and the rule.
    """
    problem = document["type"].removeprefix("/problems/")
    if problem != "invalid-request":
        return problem in operation["responses"][status]["content"]["application/problem+json"]["examples"]
    told = document.get("errors", [])
    return bool(told) and all(each["rule"] and _is_a_place(operation, each["location"]) for each in told)


def _is_a_place(operation: Mapping[str, Any], location: str) -> bool:
    where, *names = re.sub(r"\[\d+\]", "", location).split(".")
    if where == "body":
        return "requestBody" in operation and (not names or names[0] in _fields(body_schema(operation)))
    named = {(each["in"], each["name"].lower()) for each in operation.get("parameters", ())}
    return (where, names[0].lower() if names else "") in named


def _fields(schema: dict[str, Any]) -> set[str]:
    whole = resolved(schema)
    members = [member for kind in ("oneOf", "anyOf", "allOf") for member in whole.get(kind, ())]
    return set(whole.get("properties", ())).union(*map(_fields, members))


_FRACTIONS = st.integers(1, 999).map(lambda digits: f"0.{digits}")
_ENDS = st.sampled_from(["0", "1", "2.5", "50", "1e-8", "2.5e-4"])
schemathesis.openapi.format("decimal", st.one_of(_FRACTIONS, _FRACTIONS, _FRACTIONS, _ENDS))
schemathesis.openapi.format("visible", st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1))


@schemathesis.hook
def before_load_schema(_: HookContext, raw_schema: dict[str, Any]) -> None:
    """Give texts a format that stands for what the document says of them in words: they can be seen."""
    _mark_texts(raw_schema["components"]["schemas"])


def _mark_texts(value: Any) -> None:
    match value:
        case {"type": "string"}:
            if not value.keys() & {"pattern", "enum", "const", "format"}:
                value["format"] = "visible"
        case dict():
            if isinstance(names := value.get("propertyNames"), dict):
                names.setdefault("type", "string")
            for part in value.values():
                _mark_texts(part)
        case list():
            for part in value:
                _mark_texts(part)
        case _:
            return


_FORMATS = FormatChecker(())


@_FORMATS.checks("decimal")
def _is_decimal(value: object) -> bool:
    return not isinstance(value, str) or re.fullmatch(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", value) is not None


def _type(validator: Any, types: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    if schema.get("format") == "decimal" and validator.is_type(instance, "number"):
        return iter(())
    if types == "array" and schema.get("items", {}).get("type") == "string" and validator.is_type(instance, "string"):
        return iter(())
    found: Iterator[ValidationError] = Draft202012Validator.VALIDATORS["type"](validator, types, instance, schema)
    return found


_NUMBER_VALIDATOR: Any = extend(Draft202012Validator, {"type": _type})  # type: ignore[no-untyped-call]  # jsonschema's own


def breaks_schema_by_numbers_alone(body: object, schema: Mapping[str, Any], components: Mapping[str, Any]) -> bool:
    """Return whether a body fits its schema except that some amounts are JSON numbers, or some lists of texts one text,
    which the service accepts.
    """
    validator: Draft202012Validator = _NUMBER_VALIDATOR({**schema, "components": components}, format_checker=_FORMATS)
    return validator.is_valid(body)


@schemathesis.hook
def filter_failure(_: HookContext, failure: Failure, case: Case[Any], response: Response) -> bool:
    """Return whether a finding counts. An explained refusal of what fits the schema does not count, nor a JSON number
    that is accepted as an amount, nor any answer to a request whose head is too large to be read, nor a method that
    answers where its operation is now.
    """
    if len(str(response.request.url)) > HEAD_BYTES or b'"/problems/operation-moved"' in response.content:
        return False
    if isinstance(failure, AllowHeaderMismatch):
        unknown = {f"{method} {case.operation.path}" for method in failure.undocumented_methods}
        return bool(failure.missing_methods) or not unknown <= MOVED.keys()
    if isinstance(failure, AcceptedNegativeData):
        return not _has_numbers_as_amounts(case)
    if not isinstance(failure, RejectedPositiveData):
        return True
    operation = OPERATIONS[case.operation.definition.raw["operationId"]][2]
    return not is_explained(operation, str(response.status_code), response.json())


def _has_numbers_as_amounts(case: Case[Any]) -> bool:
    """Return whether the only thing wrong with a request is that it has JSON numbers as amounts."""
    if case.meta is None or any(
        part.mode.is_negative for place, part in case.meta.components.items() if place != ParameterLocation.BODY
    ):
        return False
    schema = case.operation.definition.raw["requestBody"]["content"]["application/json"]["schema"]
    return breaks_schema_by_numbers_alone(case.body, schema, case.operation.schema.raw_schema["components"])
