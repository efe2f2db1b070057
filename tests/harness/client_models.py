"""Writes the models of the typed client from the published description of the API, so that the two can't differ."""

from __future__ import annotations

import keyword
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

WRITTEN: Final = Path(__file__).parents[2] / "service" / "client" / "models.py"
_HEAD: Final = '''"""Types what the service takes and answers; `make openapi` writes it from docs/openapi.json."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
'''
_PLAIN: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_WIDTH: Final = 120


def text_of(document: dict[str, Any]) -> str:
    """The file of models of a published description."""
    schemas: dict[str, Any] = document["components"]["schemas"]
    aliases = [f"{name}: TypeAlias = {_type(schema)}" for name, schema in schemas.items() if not _is_object(schema)]
    classes = ["\n".join(_class(name, schema)) for name, schema in schemas.items() if _is_object(schema)]
    return _formatted("\n\n".join([_HEAD, *classes, *aliases]))


def _formatted(source: str) -> str:
    command = [str(Path(sys.executable).with_name("ruff")), "format", "--stdin-filename", str(WRITTEN), "-"]
    formatted: str = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    return formatted


def _is_object(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "object"


def _class(name: str, schema: dict[str, Any]) -> Iterator[str]:
    properties: dict[str, Any] = schema.get("properties", {})
    if any(keyword.iskeyword(each) or not each.isidentifier() for each in properties):
        raise ValueError(f"{name} has a property whose name no class can have")
    yield f"class {name}(TypedDict):"
    words = " ".join(schema.get("description", "").split())
    yield from textwrap.indent(_docstring(words), "    ").splitlines() if words else []
    if words and properties:
        yield ""
    required = set(schema.get("required", ()))
    for each, part in properties.items():
        written = _type(part)
        yield f"    {each}: {written if each in required else f'NotRequired[{written}]'}"
    if not words and not properties:
        yield "    pass"


def _docstring(words: str) -> str:
    if len(words) <= _WIDTH - len('    """"""'):
        return f'"""{words}"""'
    # Narrower by the closing quotes, which the formatter sets behind a text of one line.
    return textwrap.fill(f'"""{words}', _WIDTH - len('    """'), break_long_words=False) + '\n"""'


def _type(schema: dict[str, Any]) -> str:
    """The annotation of a schema. Raises KeyError where this knows none."""
    match schema:
        case {"$ref": str(reference)}:
            return reference.rpartition("/")[2]
        case {"anyOf": list(parts)} | {"oneOf": list(parts)}:
            return " | ".join(dict.fromkeys(_type(part) for part in parts))
        case {"const": value}:
            return f"Literal[{_quoted(value)}]"
        case {"enum": list(values)}:
            return f"Literal[{', '.join(map(_quoted, values))}]"
        case {"type": "array", "items": dict(items)}:
            return f"list[{_type(items)}]"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"dict[str, {_type(values)}]"
        case {"type": "object"}:
            return "dict[str, Any]"
        case {"type": str(kind)}:
            return _PLAIN[kind]
        case _:
            return "Any"


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
