"""Converts FastAPI's description of the routes to the published document, which is valid for common tools and client
generators.

FastAPI describes each route separately. This module adds what all routes share: who needs a key, the possible problems,
headers, summaries of operations, and model names that are valid in every language.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from service import errors
from service.errors import PROBLEM_PATH, PROBLEMS
from service.limits.limits import JOB_WAITS
from service.schemas.problems import ProblemDocument
from service.web.operations import OPERATIONS

SECURITY_SCHEME: Final = "ApiKey"
_COMPONENTS: Final = "#/components/schemas/"
_PROBLEM: Final = "application/problem+json"
_WIDTH: Final = "int64"
"""Width of every integer. Generators of Java, Go and C# take 32 bits without it, and a receipt's units need more."""
_SUCCESS: Final = "Successful Response"
"""FastAPI's description of a success."""
_TAG_ORDER: Final = (
    "datasets", "access", "budgets", "grants", "plans", "certificates", "releases", "margins", "estimates",
    "posteriors", "queries", "jobs", "principals", "keys", "service",
)  # fmt: skip
_BODY_PROBLEMS: Final = {
    problem.code
    for problem in (errors.MalformedBody, errors.UnsupportedMediaType, errors.BodyTooLarge, errors.BodyTooSlow)
}
_KEY_PROBLEMS: Final = {errors.Unauthenticated.code}
_CALLER_PROBLEMS: Final = {errors.RateLimited.code}
_OPERATIONS_WITHOUT_DATABASE: Final = {"livez", "list_mechanisms", "list_problems", "get_problem", "get_public_key"}
_HEADERS: Final[dict[str, dict[str, Any]]] = {
    "Retry-After": {
        "description": "Seconds to wait before sending the same request again.",
        "schema": {"type": "integer", "format": _WIDTH, "minimum": 1},
    },
    "Idempotency-Replayed": {
        "description": "`true` if the response was created for an earlier request under the same Idempotency-Key.",
        "schema": {"type": "string", "const": "true"},
    },
    "Release-Signature": {
        "description": (
            "The signature over the bytes of the answer, as `/v1/releases/{release_id}/signature` returns it. Absent "
            "for releases of version 0.1.0."
        ),
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "The path to read: on this host, or relative to the path of the request.",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {"description": "The authentication scheme.", "schema": {"type": "string", "const": "Bearer"}},
}

_PREFER: Final[dict[str, Any]] = {
    "name": "Prefer",
    "in": "header",
    "required": False,
    "description": (
        f"`wait=20` waits up to 20 s, and at most {JOB_WAITS.seconds:g} s, for the result before a job is returned. "
        f"{JOB_WAITS.max_per_key} requests of a principal can wait at a time; further ones return a job at once."
    ),
    "schema": {"type": "string"},
    "example": "wait=20",
}


def published(document: dict[str, Any]) -> dict[str, Any]:
    """Add shared components, examples and descriptions to FastAPI's OpenAPI document. Modifies `document`."""
    schemas: dict[str, Any] = document["components"]["schemas"]
    _add_problem_model(schemas)
    document = _rewritten(document)
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        schema["title"] = name
    for name in _names_of_requests(document):
        _leave_out_defaults(schemas[name])
    document["servers"] = [{"url": "/", "description": "The service that publishes this document."}]
    document["components"]["securitySchemes"] = {
        SECURITY_SCHEME: next(iter(document["components"]["securitySchemes"].values()))
    }
    for operation in operations(document):
        operation["security"] = [{SECURITY_SCHEME: []}] if operation.get("security") else []
        _add_words(operation)
        _keep_possible_problems(operation)
        _add_headers(operation)
    document["tags"].sort(key=lambda tag: _TAG_ORDER.index(tag["name"]))
    document["paths"] = dict(sorted(document["paths"].items(), key=lambda path: _place(path[1])))
    _share_problem_responses(document)
    return document


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every operation of the document."""
    for path in document["paths"].values():
        yield from path.values()


def _place(path: dict[str, Any]) -> int:
    return _TAG_ORDER.index(next(iter(path.values()))["tags"][0])


def _add_problem_model(schemas: dict[str, Any]) -> None:
    """Replace FastAPI's error models by the model of problems."""
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    problem = ProblemDocument.model_json_schema(ref_template=_COMPONENTS + "{model}", mode="serialization")
    parts = problem.pop("$defs", {})
    schemas |= {name: part for name, part in parts.items() if name not in schemas}
    schemas["ProblemDocument"] = problem
    problem["properties"]["type"]["enum"] = [PROBLEM_PATH + each.code for each in PROBLEMS]


def _published_name(name: str) -> str:
    """Return the published name of a model, such as `BudgetPage` for `Page_Budget_`.

    A request model keeps its name. Its response form, in which defaults are filled in, is `Used…`.
    """
    if paged := re.fullmatch(r"Page_(\w+)_", name):
        return f"{paged[1]}Page"
    if name.endswith("-Output"):
        return f"Used{name.removesuffix('-Output')}"
    return name.removesuffix("-Input")


def _rewritten(value: Any) -> Any:
    """Return the document with every model and reference under its published name, and a width for every integer."""
    match value:
        case {"schemas": dict(schemas)}:
            renamed = {_published_name(name): _rewritten(schema) for name, schema in schemas.items()}
            return {name: _rewritten(part) for name, part in value.items()} | {"schemas": dict(sorted(renamed.items()))}
        case {"type": "integer"}:
            return value | {"format": _WIDTH}
        case dict():
            return {name: _rewritten(part) for name, part in value.items()}
        case list():
            return [_rewritten(part) for part in value]
        case str() if value.startswith(_COMPONENTS):
            return _COMPONENTS + _published_name(value.removeprefix(_COMPONENTS))
        case _:
            return value


def _references(value: Any) -> Iterator[str]:
    """Yield the models that a part of the document refers to directly."""
    match value:
        case {"$ref": str(reference)}:
            yield reference.removeprefix(_COMPONENTS)
        case dict():
            for part in value.values():
                yield from _references(part)
        case list():
            for part in value:
                yield from _references(part)
        case _:
            return


def _names_of_requests(document: dict[str, Any]) -> set[str]:
    """Return the names of the models of request bodies."""
    schemas, found = document["components"]["schemas"], set[str]()
    waiting = [name for operation in operations(document) for name in _references(operation.get("requestBody"))]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(schemas[name])
    return found


def _leave_out_defaults(schema: dict[str, Any]) -> None:
    """Describe defaults in the text of each field. Client generators treat a field with a default as required."""
    for field in schema.get("properties", {}).values():
        if "default" in field:
            default = field.pop("default")
            if default is not None and default != []:
                described = field.get("description", "").rstrip()
                field["description"] = f"{described} {_json(default)} if left out.".strip()


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _add_words(operation: dict[str, Any]) -> None:
    """Add the summary of an operation, its role and the description of a success."""
    words = OPERATIONS[operation["operationId"]]
    operation["summary"] = words.summary
    operation["description"] = f"{operation['description']}\n\nRole: {words.role}."
    for response in operation["responses"].values():
        if response["description"] == _SUCCESS:
            response["description"] = words.returns


def _keep_possible_problems(operation: dict[str, Any]) -> None:
    """Remove problems that the operation can't have, although its route lists them."""
    impossible = set[str]()
    if "requestBody" not in operation:
        impossible |= _BODY_PROBLEMS
        if "parameters" not in operation and not operation["security"]:
            impossible.add(errors.InvalidRequest.code)
    if not operation["security"]:
        impossible |= _KEY_PROBLEMS
        if "requestBody" not in operation:
            impossible |= _CALLER_PROBLEMS
    if operation["operationId"] in _OPERATIONS_WITHOUT_DATABASE:
        impossible.add(errors.DatabaseUnavailable.code)
    titles = {problem.code: problem.title for problem in PROBLEMS}
    for status, response in list(operation["responses"].items()):
        examples = response.get("content", {}).get(_PROBLEM, {}).get("examples")
        if examples is None:
            continue
        for code in impossible & examples.keys():
            del examples[code]
        if not examples:
            del operation["responses"][status]
            continue
        response["description"] = "\n".join(f"- `{code}`: {titles[code]}" for code in examples)
        for example in examples.values():
            example["value"].setdefault("charged", None)  # FastAPI omits null values.


def _add_headers(operation: dict[str, Any]) -> None:
    """Add the headers of responses, and the header by which a request waits for a job."""
    if "Job" in _references(operation["responses"].get("202")) or operation["operationId"] == "get_job_result":
        operation.setdefault("parameters", []).append(_PREFER)
    keyed = any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", ()))
    kinds = {problem.code: problem for problem in PROBLEMS}
    for status, response in operation["responses"].items():
        examples = response.get("content", {}).get(_PROBLEM, {}).get("examples", {})
        names = {name for code in examples for name in kinds[code]().headers}
        if status == "303":
            names.add("Location")
        if status == "202":
            names.add("Retry-After")
        if keyed and status == "201":
            names.add("Idempotency-Replayed")
        if status in {"200", "201"} and set(_references(response)) & {"Release"}:
            names.add("Release-Signature")
        if names:
            response["headers"] = {name: _HEADERS[name] for name in sorted(names)}


def _share_problem_responses(document: dict[str, Any]) -> None:
    """Move the examples of problems, and responses that several operations share, to the components.

    Most operations have the same error responses; repeated in each, they are two thirds of the document.
    """
    examples, responses = dict[str, Any](), dict[str, Any]()
    uses = Counter[str]()
    for operation in operations(document):
        for response in operation["responses"].values():
            if names := _problems_of(response):
                uses[_response_name(names)] += 1
    for operation in operations(document):
        for status, response in operation["responses"].items():
            names = _problems_of(response)
            if not names:
                continue
            content = response["content"][_PROBLEM]
            examples |= content["examples"]
            content["examples"] = {name: {"$ref": f"#/components/examples/{name}"} for name in names}
            shared = _response_name(names)
            if uses[shared] > 1:
                assert responses.setdefault(shared, response) == response, shared
                operation["responses"][status] = {"$ref": f"#/components/responses/{shared}"}
    document["components"] |= {"examples": dict(sorted(examples.items())), "responses": dict(sorted(responses.items()))}


def _problems_of(response: dict[str, Any]) -> list[str]:
    """Return the problem codes of a response."""
    return list(response.get("content", {}).get(_PROBLEM, {}).get("examples", ()))


def _response_name(codes: list[str]) -> str:
    return "Or".join(code.title().replace("-", "") for code in codes)
