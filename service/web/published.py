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

SECURITY_SCHEME: Final = "ApiKey"
_COMPONENTS: Final = "#/components/schemas/"
_PROBLEM: Final = "application/problem+json"
_TAG_ORDER: Final = (
    "datasets", "access", "budgets", "grants", "plans", "certificates", "releases", "posteriors", "tables", "queries",
    "jobs", "principals", "keys", "service",
)  # fmt: skip
SUMMARIES: Final = {
    "create_dataset": "Register a data set",
    "list_datasets": "List data sets",
    "get_dataset": "Read a data set",
    "change_dataset": "Rename or list a data set, or replace its counts",
    "delete_dataset": "Destroy the counts of a data set",
    "get_allowance": "Read what you can still release",
    "get_statement": "Report the guarantee and what was spent",
    "get_statement_in_words": "Report the guarantee and what was spent, as text",
    "list_listed_datasets": "List data sets that you can request access to",
    "get_listed_dataset": "Read a listed data set",
    "create_access_request": "Request access to a data set",
    "list_access_requests": "List access requests to a data set",
    "list_my_access_requests": "List your access requests",
    "get_access_request": "Read an access request",
    "change_access_request": "Approve, decline or withdraw an access request",
    "create_budget": "Open a budget",
    "list_budgets": "List budgets",
    "get_budget": "Read a budget",
    "change_budget": "Change, freeze or restrict a budget",
    "list_ledger": "Read the ledger of a budget",
    "export_ledger_csv": "Export a ledger as CSV",
    "export_ledger_json_lines": "Export a ledger as JSON lines",
    "get_head": "Read the signed head of a ledger",
    "create_write_off": "Write off charges that may be lost",
    "get_burn_rate": "Read the burn rate of a budget",
    "create_grant": "Give an analyst a grant",
    "list_grants": "List the grants on a data set",
    "list_my_grants": "List your grants",
    "change_grant": "Change, close or reopen a grant",
    "create_plan": "Compare mechanisms at made-up counts",
    "create_rehearsal": "Rehearse a release on made-up counts",
    "get_job": "Read a job",
    "get_job_result": "Fetch the result of a job",
    "delete_job": "End a job",
    "create_certificate": "Request a certificate",
    "get_certificate": "Read a certificate",
    "create_release": "Release a posterior",
    "create_quote": "Quote a release",
    "list_releases": "List the releases from a data set",
    "list_my_releases": "List your releases",
    "get_release": "Read a release",
    "change_release": "Publish a release, or end that",
    "get_public_release": "Read a public release",
    "compute_posterior": "Compute the posterior from a release",
    "plot_release": "Plot a release",
    "compute_pooled_posterior": "Compute the posterior from several releases",
    "plot_public_release": "Plot a public release",
    "compute_public_posterior": "Compute the posterior from a public release",
    "compare_releases": "Compare a share between two releases",
    "compute_table_posterior": "Compute the posterior of a noisy table",
    "plot_table": "Plot a noisy table",
    "create_queries": "Answer queries, measuring if needed",
    "create_query_quote": "Answer queries from earlier releases, free",
    "list_my_queries": "List your answers to queries",
    "get_queries": "Read answers to queries",
    "get_history": "List the releases that queries use",
    "create_principal": "Add a principal",
    "get_me": "Read your own principal and key",
    "list_principals": "List principals",
    "list_analysts": "List analysts",
    "revoke_principal": "Revoke a principal",
    "list_principal_entries": "List the changes of a principal's keys",
    "create_enrolment_token": "Issue an enrolment token",
    "veto_recovery": "Veto a recovery",
    "create_enrolment": "Exchange a token for a key",
    "get_quotas": "Read your quotas",
    "create_key": "Issue a key",
    "list_keys": "List keys",
    "confirm_session": "Confirm a session for ten minutes",
    "replace_key": "Replace a key by its successor",
    "revoke_key": "End a key",
    "livez": "Is the process alive?",
    "readyz": "Can the process serve?",
    "get_public_key": "Read the public key of receipts and heads",
    "list_mechanisms": "List mechanisms",
    "list_problems": "List problem types",
    "get_problem": "Read a problem type",
}
"""Summaries of the operations, by operation id."""
_OF_BODIES: Final = {
    problem.code
    for problem in (errors.MalformedBody, errors.UnsupportedMediaType, errors.BodyTooLarge, errors.BodyTooSlow)
}
_OF_KEYS: Final = {errors.Unauthenticated.code}
_OF_CALLERS: Final = {errors.RateLimited.code}
_WITHOUT_DATABASE: Final = {"livez", "list_mechanisms", "list_problems", "get_problem", "get_public_key"}
_HEADERS: Final[dict[str, dict[str, Any]]] = {
    "Retry-After": {
        "description": "Seconds to wait before sending the same request again.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "Idempotency-Replayed": {
        "description": "`true` if the response was created for an earlier request under the same Idempotency-Key.",
        "schema": {"type": "string", "const": "true"},
    },
    "Location": {"description": "The path to read, relative to the path of the request.", "schema": {"type": "string"}},
    "WWW-Authenticate": {"description": "The authentication scheme.", "schema": {"type": "string", "const": "Bearer"}},
}

_PREFER: Final[dict[str, Any]] = {
    "name": "Prefer",
    "in": "header",
    "required": False,
    "description": (
        "`wait=20` waits up to 20 seconds for the result instead of answering with a job, at most "
        f"{JOB_WAITS.seconds:g}. {JOB_WAITS.max_per_key} requests of a principal wait at once; others are answered "
        "with their jobs."
    ),
    "schema": {"type": "string"},
    "example": "wait=20",
}


def published(document: dict[str, Any]) -> dict[str, Any]:
    """Add shared components, examples and descriptions to FastAPI's OpenAPI document. Modifies `document`."""
    schemas: dict[str, Any] = document["components"]["schemas"]
    _add_problem_model(schemas)
    document = _renamed(document)
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        schema["title"] = name
    for name in _of_requests(document):
        _leave_out_defaults(schemas[name])
    document["servers"] = [{"url": "/", "description": "The service that publishes this document."}]
    document["components"]["securitySchemes"] = {
        SECURITY_SCHEME: next(iter(document["components"]["securitySchemes"].values()))
    }
    for operation in operations(document):
        operation["security"] = [{SECURITY_SCHEME: []}] if operation.get("security") else []
        operation["summary"] = SUMMARIES.get(operation["operationId"], operation["summary"])
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


def _renamed(value: Any) -> Any:
    """Return the document with every model and reference under its published name."""
    match value:
        case {"schemas": dict(schemas)}:
            renamed = {_published_name(name): _renamed(schema) for name, schema in schemas.items()}
            return {name: _renamed(part) for name, part in value.items()} | {"schemas": dict(sorted(renamed.items()))}
        case dict():
            return {name: _renamed(part) for name, part in value.items()}
        case list():
            return [_renamed(part) for part in value]
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


def _of_requests(document: dict[str, Any]) -> set[str]:
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


def _keep_possible_problems(operation: dict[str, Any]) -> None:
    """Remove problems that the operation can't have, although its route lists them."""
    impossible = set[str]()
    if "requestBody" not in operation:
        impossible |= _OF_BODIES
        if "parameters" not in operation and not operation["security"]:
            impossible.add(errors.InvalidRequest.code)
    if not operation["security"]:
        impossible |= _OF_KEYS
        if "requestBody" not in operation:
            impossible |= _OF_CALLERS
    if operation["operationId"] in _WITHOUT_DATABASE:
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
        response["description"] = " Or: ".join(dict.fromkeys(titles[code] for code in examples))
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
