"""Compares two published descriptions of the API: `python -m tests.harness.api_changes` writes the committed one and
prints the changes. A change breaks callers if a request that was valid may be refused, or if an answer may contain a
value that a client of the old description cannot read.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

COMMITTED: Final = Path(__file__).parents[2] / "docs" / "openapi.json"
_METHODS: Final = ("get", "post", "patch", "delete", "put")
_SHARED_KINDS: Final = ("responses", "examples")
_WORDS: Final = {"title", "description", "examples", "summary", "tags", "x-names"}
"""Members that people read and no client depends on."""


class Change(NamedTuple):
    """One difference: its place, and whether it breaks callers."""

    place: str
    words: str
    breaks: bool

    def __str__(self) -> str:
        return f"{'BREAKS CALLERS' if self.breaks else 'does not break'}: {self.place}: {self.words}"


def text_of(document: dict[str, Any]) -> str:
    """The document as it is committed."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def inlined(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its shared responses and examples inserted at their references."""
    components = document["components"]
    shared = {
        f"#/components/{kind}/{name}": part for kind in _SHARED_KINDS for name, part in components.get(kind, {}).items()
    }

    def whole(value: Any) -> Any:
        match value:
            case {"$ref": str(reference)} if reference in shared:
                return whole(shared[reference])
            case dict():
                return {name: whole(part) for name, part in value.items()}
            case list():
                return [whole(part) for part in value]
            case _:
                return value

    kept = {name: part for name, part in components.items() if name not in _SHARED_KINDS}
    return whole(document | {"components": kept})  # type: ignore[no-any-return]  # a document is a dict


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """Every difference between two descriptions, with words of documentation as one change."""
    return list(_Comparison(old, new).found())


class _Comparison:
    def __init__(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        self._old_document, self._new_document = inlined(old), inlined(new)
        self._seen_parts: set[tuple[str, str, bool]] = set()

    def found(self) -> Iterator[Change]:
        old, new = _operations(self._old_document), _operations(self._new_document)
        for name in sorted(old.keys() - new.keys()):
            yield Change(name, "the operation is gone", breaks=True)
        for name in sorted(new.keys() - old.keys()):
            yield Change(name, "the operation is new", breaks=False)
        structural = False
        for name in sorted(old.keys() & new.keys()):
            for change in self._operation(name, old[name], new[name]):
                structural = True
                yield change
        if old.keys() == new.keys() and not structural and self._old_document != self._new_document:
            yield Change("the document", "words, examples or order", breaks=False)

    def _operation(self, name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
        if old["operationId"] != new["operationId"]:
            yield Change(name, f"is called {new['operationId']}, was {old['operationId']}", breaks=True)
        if bool(old.get("security")) != bool(new.get("security")):
            yield Change(
                name, "needs a key" if new.get("security") else "needs no key", breaks=bool(new.get("security"))
            )
        yield from self._parameters(name, old, new)
        yield from self._body(name, old, new)
        yield from self._answers(name, old["responses"], new["responses"])

    def _parameters(self, name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
        before, after = ({each["name"]: each for each in operation.get("parameters", ())} for operation in (old, new))
        for gone in sorted(before.keys() - after.keys()):
            yield Change(f"{name} {gone}", "the parameter is gone, and would be refused", breaks=True)
        for added in sorted(after.keys() - before.keys()):
            needed = after[added].get("required", False)
            yield Change(f"{name} {added}", f"a new {'required' if needed else 'optional'} parameter", breaks=needed)
        for both in sorted(before.keys() & after.keys()):
            place, needed = f"{name} {both}", after[both].get("required", False)
            if needed != before[both].get("required", False):
                yield Change(place, "is required" if needed else "is not required any more", breaks=needed)
            yield from self._schema(place, before[both]["schema"], after[both]["schema"], sent=True)

    def _body(self, name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
        if ("requestBody" in old) != ("requestBody" in new):
            yield Change(name, "takes a body" if "requestBody" in new else "takes no body any more", breaks=True)
        elif "requestBody" in old:
            before, after = (each["requestBody"]["content"]["application/json"]["schema"] for each in (old, new))
            yield from self._schema(f"{name} body", before, after, sent=True)

    def _answers(self, name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
        for status in sorted(old.keys() - new.keys()):
            yield Change(f"{name} {status}", "is not answered any more", breaks=status < "300")
        for status in sorted(new.keys() - old.keys()):
            yield Change(f"{name} {status}", "is a new answer", breaks=status < "300")
        for status in sorted(old.keys() & new.keys()):
            before, after = (each[status].get("content", {}) for each in (old, new))
            if before.keys() != after.keys():
                yield Change(f"{name} {status}", "has another media type", breaks=True)
            for media_type in sorted(before.keys() & after.keys()):
                place = f"{name} {status}"
                yield from self._schema(place, before[media_type]["schema"], after[media_type]["schema"], sent=False)

    def _schema(self, place: str, old: dict[str, Any], new: dict[str, Any], *, sent: bool) -> Iterator[Change]:
        """The differences between two schemas. `sent`: the value is sent by callers, who must not send more than is
        accepted, nor less than is required.
        """
        if "$ref" in old and "$ref" in new:
            one, other = (each["$ref"].rpartition("/")[2] for each in (old, new))
            if one != other:
                yield Change(place, f"is a {other}, was a {one}: clients name another class", breaks=True)
            if (one, other, sent) in self._seen_parts:
                return
            self._seen_parts.add((one, other, sent))
            place = other
        old, new = (
            _written_one_way(_resolve_schema(self._old_document, old)),
            _written_one_way(_resolve_schema(self._new_document, new)),
        )
        yield from self._fields(place, old, new, sent=sent)
        for keyword in sorted((old.keys() | new.keys()) - _WORDS - {"properties", "required", "discriminator"}):
            before, after = old.get(keyword), new.get(keyword)
            match before, after:
                case (dict(), dict()) if keyword in {"items", "additionalProperties"}:
                    yield from self._schema(f"{place}[]", before, after, sent=sent)
                case list(), list() if keyword == "anyOf":
                    yield from self._members(place, before, after, sent=sent)
                case list(), list() if keyword == "enum":
                    yield from _values(place, before, after, sent=sent)
                case _ if before == after:
                    continue
                case _:
                    loosened = _is_looser(keyword, before, after)
                    words = (
                        f"{keyword} is {after}, was {before}" if after is not None else f"{keyword} {before} is gone"
                    )
                    yield Change(place, words, breaks=not (loosened and sent))

    def _fields(self, place: str, old: dict[str, Any], new: dict[str, Any], *, sent: bool) -> Iterator[Change]:
        before, after = old.get("properties", {}), new.get("properties", {})
        needed_before, needed_after = set(old.get("required", ())), set(new.get("required", ()))
        for gone in sorted(before.keys() - after.keys()):
            yield Change(f"{place}.{gone}", "the field is gone", breaks=True)
        for added in sorted(after.keys() - before.keys()):
            needed = added in needed_after
            yield Change(f"{place}.{added}", f"a new {'required ' if needed else ''}field", breaks=sent and needed)
        for both in sorted(before.keys() & after.keys()):
            if (both in needed_before) != (both in needed_after):
                needed = both in needed_after
                words = "is always there" if needed else "may be left out"
                yield Change(f"{place}.{both}", words, breaks=needed is sent)
            yield from self._schema(f"{place}.{both}", before[both], after[both], sent=sent)

    def _members(self, place: str, old: list[Any], new: list[Any], *, sent: bool) -> Iterator[Change]:
        before = {_member(self._old_document, each): each for each in old}
        after = {_member(self._new_document, each): each for each in new}
        for gone in sorted(before.keys() - after.keys()):
            yield Change(place, f"is never {gone} any more", breaks=sent)
        for added in sorted(after.keys() - before.keys()):
            yield Change(place, f"can be {added}", breaks=not sent)
        for both in sorted(before.keys() & after.keys()):
            yield from self._schema(place, before[both], after[both], sent=sent)


def _is_looser(keyword: str, before: Any, after: Any) -> bool:
    """Whether every value that the old rule admitted is admitted by the new one."""
    if after is None:
        return keyword not in {"anyOf", "type", "const", "items", "format"}
    if before is None:
        return False
    if keyword in {"maximum", "exclusiveMaximum", "maxItems", "maxLength"}:
        return bool(after >= before)
    return keyword in {"minimum", "exclusiveMinimum", "minItems", "minLength"} and bool(after <= before)


def _values(place: str, old: list[Any], new: list[Any], *, sent: bool) -> Iterator[Change]:
    for gone in [value for value in old if value not in new]:
        yield Change(place, f"is never {gone} any more", breaks=sent)
    for added in [value for value in new if value not in old]:
        yield Change(place, f"can be {added}", breaks=not sent)


def _written_one_way(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema in which a single possible value is written as a list of one, and a choice of types as `anyOf`: which of
    its two words it is changes nothing for callers.
    """
    if "const" in schema:
        schema = {name: value for name, value in schema.items() if name != "const"} | {"enum": [schema["const"]]}
    if "oneOf" in schema and "anyOf" not in schema:
        schema = {"anyOf" if name == "oneOf" else name: value for name, value in schema.items()}
    return schema


def _short_text(value: object) -> str:
    return textwrap.shorten(str(value), 80, placeholder=" …") if len(str(value).split()) > 1 else str(value)[:80]


def _member(document: dict[str, Any], schema: dict[str, Any]) -> str:
    """The name of a member of a union. A union within it has the names of its own members, whether it has a name or
    not.
    """
    whole = _resolve_schema(document, schema)
    members = whole.get("oneOf") or whole.get("anyOf")
    if members:
        return " or ".join(sorted(_member(document, each) for each in members))
    return str(schema.get("$ref", schema.get("type", "something else"))).rpartition("/")[2]


def _operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operations[method]
        for path, operations in document["paths"].items()
        for method in _METHODS
        if method in operations
    }


def _resolve_schema(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    resolved: dict[str, Any] = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return resolved


def main() -> None:
    """Writes the committed description, and prints for each difference whether it breaks callers."""
    from service.api.app import create_app
    from service.settings.settings import Settings

    published = create_app(Settings()).openapi()
    for change in changes(json.loads(COMMITTED.read_text(encoding="utf-8")), published) if COMMITTED.exists() else []:
        sys.stdout.write(f"{change}\n")
    COMMITTED.write_text(text_of(published), encoding="utf-8")


if __name__ == "__main__":
    main()
