"""Pages through a table in the order of creation. A cursor is the id of the last row that was shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Connection, Select, Table, select, tuple_

from service.errors import InvalidRequest


class PageRequest(NamedTuple):
    """Which part of a list: so many rows behind the one that `cursor` names, or from the first where it is empty."""

    cursor: str = ""
    limit: int = 100


FIRST_PAGE: Final = PageRequest()


def in_order_of_creation(connection: Connection, query: Select[Any], table: Table, page: PageRequest) -> Select[Any]:
    """The rows of `query`, which reads from `table`, that belong on the page, and one more where there is a next one.
    Raises InvalidRequest at `cursor` for one that no list gave.

    The row that a cursor names may have left the list in the meantime; its place in the order stays. The order is that
    of an index that begins with what the query asks to be equal, so that a page reads what it shows.
    """
    return in_order(connection, query, place_of_creation(table), table, page)


def place_of_creation(table: Table) -> tuple[Column[Any], ...]:
    """When a row was made; its id parts those of one moment."""
    return table.c.created_nanoseconds, table.c.id


def in_order(
    connection: Connection,
    query: Select[Any],
    place: Sequence[Column[Any]],
    named: Table,
    page: PageRequest,
    place_of_named: Sequence[Column[Any]] | None = None,
) -> Select[Any]:
    """As `in_order_of_creation`, in the order of the columns `place`, in which no two rows of the list are alike.

    A cursor is an id in the table `named`, where the place stands in the columns `place_of_named`, if not in the same.
    """
    if page.cursor:
        last = connection.execute(select(*(place_of_named or place)).where(named.c.id == page.cursor)).first()
        if last is None:
            raise InvalidRequest.at("cursor", "must be the next_cursor of a page of this list")
        query = query.where(tuple_(*place) > tuple_(*last))
    return query.order_by(*place).limit(page.limit + 1)
