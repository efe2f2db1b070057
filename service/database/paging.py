"""Pages through a table in the order of creation. A cursor is the id of the last row that was shown."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Connection, Select, Table, cast, func, select, tuple_

from service.errors import InvalidRequest

_NANOSECONDS: Final = 1_000_000_000


class PageRequest(NamedTuple):
    """Which part of a list: so many rows behind the one that `cursor` names, or from the first where it is empty."""

    cursor: str = ""
    limit: int = 100


FIRST_PAGE: Final = PageRequest()


def created(table: Table) -> ColumnElement[int]:
    """When a row was made; to the second where a version before this column made it."""
    return func.coalesce(table.c.created_nanoseconds, cast(table.c.created_at, BigInteger) * _NANOSECONDS)


def in_order_of_creation(connection: Connection, query: Select[Any], table: Table, page: PageRequest) -> Select[Any]:
    """The rows of `query`, which reads from `table`, that belong on the page, and one more where there is a next one.
    Raises InvalidRequest at `cursor` for one that no list gave.

    The row that a cursor names may have left the list in the meantime; its place in the order stays.
    """
    if page.cursor:
        last = connection.execute(select(created(table)).where(table.c.id == page.cursor)).scalar()
        if last is None:
            raise InvalidRequest.at("cursor", "must be the next_cursor of a page of this list")
        query = query.where(tuple_(created(table), table.c.id) > tuple_(last, page.cursor))
    return query.order_by(created(table), table.c.id).limit(page.limit + 1)
