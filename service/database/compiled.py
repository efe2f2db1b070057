"""Compiles the statements that run for every release once for each database, and sends them together.

SQLAlchemy says what they are, in one spelling for both databases. What it does for each execution costs several times
what SQLite does with the statement, and PostgreSQL waits for the network between two of them. So the text is kept, goes
to the driver as it is, and PostgreSQL gets all the statements of a call in one go (a libpq pipeline), which it works
off in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, overload

from sqlalchemy import ColumnElement, Connection, Dialect, Table, bindparam, false, insert
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.elements import CompilerElement

from service.database.engine import translated
from service.database.rows import R, check_columns

Parameters: TypeAlias = Mapping[str, Any]
A = TypeVar("A", bound=NamedTuple)
B = TypeVar("B", bound=NamedTuple)
C = TypeVar("C", bound=NamedTuple)
D = TypeVar("D", bound=NamedTuple)
E = TypeVar("E", bound=NamedTuple)
F = TypeVar("F", bound=NamedTuple)
G = TypeVar("G", bound=NamedTuple)


class NoRow(NamedTuple):
    """What a statement gives that only writes."""


class Rows(list[R]):
    """What a statement gives: its rows, or none and how many it changed."""

    __slots__ = ("changed",)

    def __init__(self, rows: Iterable[R] = (), *, changed: int = 0) -> None:
        super().__init__(rows)
        self.changed = changed


@dataclass(slots=True)
class _Text(Generic[R]):
    """A statement as one driver takes it: `order` is the order of positional parameters, None where they go by name."""

    sql: str
    order: tuple[str, ...] | None
    row: type[R]
    names: tuple[str, ...]
    """Of the parameters, in the order in which `Call.values` gives them."""
    is_checked: bool = False
    """Whether its columns were compared with those of `row`; it can be done once the statement has run."""

    def parameters(self, named: Parameters) -> Any:
        return named if self.order is None else [named[name] for name in self.order]

    def values(self, values: Sequence[Any]) -> Any:
        return dict(zip(self.names, values, strict=True)) if self.order is None else values

    def send(self, driver: Any, call: Call[R]) -> Any:
        cursor = driver.cursor()
        if call.values is not None:
            cursor.execute(self.sql, self.values(call.values))
        elif call.rows is None:
            cursor.execute(self.sql, self.parameters(call.parameters))
        else:
            cursor.executemany(self.sql, [self.parameters(row) for row in call.rows])
        return cursor

    def fetch(self, cursor: Any) -> Rows[R]:
        if cursor.description is None:
            return Rows(changed=cursor.rowcount)
        if not self.is_checked:
            check_columns(self.row, [column[0] for column in cursor.description])
            self.is_checked = True
        return Rows(map(self.row._make, cursor.fetchall()))


@dataclass(slots=True, eq=False)
class Prepared(Generic[R]):
    """A statement, made for a number of ids, which it takes as `is_one_of` says; 0 where it takes none. It gives
    rows of the type `row`.
    """

    row: type[R]
    make: Callable[[int], Executable]
    columns: tuple[str, ...] = ()
    """Of the rows that it inserts."""
    _texts: dict[tuple[str, int], _Text[R]] = field(default_factory=dict)

    @classmethod
    def of(cls, row: type[R], statement: Executable) -> Prepared[R]:
        """A statement that takes no ids."""
        return cls(row, lambda _: statement)

    @staticmethod
    def inserting(row: type[NamedTuple], table: Table) -> Prepared[NoRow]:
        """Inserts whole rows, as `for_rows` gives them: several by one statement, as every statement, and every row of
        one that is run for each, lets other threads in between. Raises TypeError unless `row` has just the columns
        of the table, in its order.
        """
        check_columns(row, table.c.keys())
        return Prepared(
            NoRow,
            lambda rows: insert(table).values(
                [
                    {column.name: bindparam(numbered(column.name, row), type_=column.type) for column in table.c}
                    for row in range(rows)
                ]
            ),
            tuple(table.c.keys()),
        )

    def __call__(self) -> Call[R]:
        """The statement without parameters."""
        return Call(self)

    def for_ids(self, ids: list[str], **columns: list[Any]) -> Call[R]:
        """The statement for these ids, and for as many values `name_0`, `name_1`, ... of each of `columns`.

        Few lengths occur, as the last id is repeated: a text is worth keeping only where it comes again.
        """
        length = 1 << (len(ids) - 1).bit_length() if ids else 0
        parameters: dict[str, Any] = {}
        for name, values in {"id": ids, **columns}.items():
            padded = [*values, *values[-1:] * (length - len(ids))]
            parameters |= {numbered(name, number): each for number, each in enumerate(padded)}
        return Call(self, length, parameters)

    def for_rows(self, rows: Sequence[tuple[Any, ...]]) -> list[Call[R]]:
        """The statements that `inserting` needs for these rows, whose values stand in the order of the columns. Few
        lengths occur: each takes as many rows as the largest power of two that is left.
        """
        calls, start = [], 0
        while start < len(rows):
            length = 1 << (len(rows) - start).bit_length() - 1
            values = tuple(chain.from_iterable(rows[start : start + length]))
            calls.append(Call(self, length, values=values))
            start += length
        return calls

    def for_each(self, rows: Sequence[Parameters]) -> Call[R]:
        """The statement for each of these rows of parameters, at least one, whose names are always the same."""
        return Call(self, 0, rows[0], rows)

    def text(self, dialect: Dialect, call: Call[R]) -> _Text[R]:
        key = (dialect.name, call.length)
        text = self._texts.get(key)
        if text is None:
            names = [*call.parameters] or [numbered(name, row) for row in range(call.length) for name in self.columns]
            text = self._texts[key] = _compile(self.row, self.make(call.length), dialect, names)
            assert call.values is None or text.order in (None, text.names), "values go in the order of the columns"
        return text


@dataclass(frozen=True, slots=True)
class Call(Generic[R]):
    """A statement, made for a length, with its parameters; `rows` where it is to be run for several, which return
    nothing.
    """

    prepared: Prepared[R]
    length: int = 0
    parameters: Parameters = field(default_factory=dict)
    rows: Sequence[Parameters] | None = None
    values: tuple[Any, ...] | None = None
    """In the place of parameters, in the order of their names."""


def is_one_of(column: ColumnElement[Any], ids: int) -> ColumnElement[bool]:
    """The condition that `column` is one of `ids` parameters, as `Prepared.for_ids` gives them."""
    return (
        column.in_([bindparam(numbered("id", number), type_=column.type) for number in range(ids)]) if ids else false()
    )


def numbered(name: str, number: int) -> str:
    """The parameter `name` of the row or id with this number."""
    return f"{name}_{number}"


@overload
def run(connection: Connection, a: Call[A], /) -> tuple[Rows[A]]: ...


@overload
def run(
    connection: Connection, a: Call[A], b: Call[B], c: Call[C], d: Call[D], e: Call[E], f: Call[F], g: Call[G], /
) -> tuple[Rows[A], Rows[B], Rows[C], Rows[D], Rows[E], Rows[F], Rows[G]]: ...


@overload
def run(connection: Connection, *calls: Call[Any]) -> tuple[Rows[Any], ...]: ...


def run(connection: Connection, *calls: Call[Any]) -> tuple[Rows[Any], ...]:
    """Runs the calls in their order and returns what each gives. Raises DBAPIError."""
    dialect = connection.dialect
    driver: Any = connection.connection.driver_connection
    texts = [call.prepared.text(dialect, call) for call in calls]
    with translated(connection):
        if dialect.name != "postgresql":
            # SQLite finds a row when it is fetched, so it is fetched before the next statement can change it.
            return tuple([text.fetch(text.send(driver, call)) for text, call in zip(texts, calls, strict=True)])
        with driver.pipeline():
            cursors = [text.send(driver, call) for text, call in zip(texts, calls, strict=True)]
        return tuple([text.fetch(cursor) for text, cursor in zip(texts, cursors, strict=True)])


def _compile(row: type[R], statement: Executable, dialect: Dialect, names: list[str]) -> _Text[R]:
    assert isinstance(statement, CompilerElement)
    compiled: Any = statement.compile(dialect=dialect, column_keys=names)
    order = None if compiled.positiontup is None else tuple(compiled.positiontup)
    return _Text(compiled.string, order, row, tuple(names))
