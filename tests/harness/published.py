"""The published description of the API, as it is committed, and whether it documents an answer.

`tests/service/web/test_published.py` compares it with the one that the application makes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx

from tests.harness.api_changes import COMMITTED, inlined

DOCUMENT: dict[str, Any] = json.loads(COMMITTED.read_text(encoding="utf-8"))
MADE_UP = re.compile(r"\d$|Type\d|Body|OneOf|AnyOf|Inner")
"""Names that generators make up."""
INLINED: dict[str, Any] = inlined(DOCUMENT)
"""The document as a tool reads it, without references to shared responses."""


OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, operations in INLINED["paths"].items()
    for method, operation in operations.items()
}
"""Method, path and description by the operation's name."""


def body_schema(operation: Mapping[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = operation["requestBody"]["content"]["application/json"]["schema"]
    return schema


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    return DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def bodies(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The examples of a body: its own, and those of each member of a union."""
    whole = resolved(schema)
    return list(whole.get("examples", ())) + [body for member in whole.get("oneOf", ()) for body in bodies(member)]


@cache
def _templates() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    paths = INLINED["paths"]
    return [
        (re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))), paths[path])
        for path in sorted(paths, key=lambda path: path.count("{"))
    ]


def assert_documented(response: httpx.Response) -> None:
    """Asserts that the operation of an answer lists this status, this media type and, for a problem, this problem."""
    request = response.request
    found = next(
        (
            operations
            for pattern, operations in _templates()
            if pattern.fullmatch(request.url.raw_path.decode().partition("?")[0])
        ),
        {},
    )
    operation = found.get(request.method.lower())
    if operation is None:
        assert response.status_code in {200, 304, 404, 405}, (
            "only unknown paths, other methods and the pages of documentation are not listed"
        )
        return
    name = f"{operation['operationId']} {response.status_code}, as docs/openapi.json documents it (`make openapi`)"
    assert str(response.status_code) in operation["responses"], name
    content = operation["responses"][str(response.status_code)].get("content", {})
    if not response.content:
        assert not content, name
        return
    media_type = response.headers["content-type"].partition(";")[0]
    assert media_type in content, f"{name}: {media_type}"
    if media_type == "application/problem+json":
        code = json.loads(response.text)["type"].removeprefix("/problems/")
        assert code in content[media_type]["examples"], f"{name}: {code}"
