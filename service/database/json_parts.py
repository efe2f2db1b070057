"""Extract a part of a JSON text inside the database, so that the rest of a long text is not transferred."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, String, literal_column
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class JsonPart(FunctionElement[str]):
    """The JSON text of the object at a path of names in a text column, or NULL if there is none."""

    type = String()
    inherit_cache = True
    name = "json_part"

    def __init__(self, column: Column[Any], *path: str) -> None:
        assert all(name.isidentifier() for name in path), "the path is part of the statement"
        super().__init__(column, literal_column(",".join(path)))


@compiles(JsonPart)
def _in_sqlite(element: JsonPart, compiler: Any, **_: Any) -> str:
    column, path = element.clauses
    return f"json_extract({compiler.process(column)}, '$.{compiler.process(path).replace(',', '.')}')"


@compiles(JsonPart, "postgresql")
def _in_postgres(element: JsonPart, compiler: Any, **_: Any) -> str:
    column, path = element.clauses
    return f"(({compiler.process(column)})::json #>> '{{{compiler.process(path)}}}')"
