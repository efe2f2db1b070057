"""Page through a table in the order of creation. A cursor is the id of the last row on the previous page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, Select, Table, select, true, tuple_

from service.errors import InvalidRequest


class PageRequest(NamedTuple):
    """A page of a list: `limit` rows after the row with id `cursor`, or from the start if `cursor` is empty. Only rows
    that were created from second `created_after` on, and before second `created_before`.
    """

    cursor: str = ""
    limit: int = 100
    newest_first: bool = False
    created_after: int | None = None
    created_before: int | None = None


FIRST_PAGE: Final = PageRequest()
OF_CURSORS: Final = "must be the next_cursor of a page of this list"
_NANOSECONDS: Final = 10**9


def in_order_of_creation(connection: Connection, query: Select[Any], table: Table, page: PageRequest) -> Select[Any]:
    """Select the rows of `query`, which reads from `table`, for this page, and one more row if there is a next page.

    Raises InvalidRequest at `cursor` if no list returned that cursor. The row of a cursor may have left the list since;
    its position in the order remains. The order matches an index that begins with the columns of the query's equality
    conditions, so that a page reads only its own rows.
    """
    return in_order(connection, query, creation_order(table), table, page)


def creation_order(table: Table) -> tuple[Column[Any], ...]:
    """Return the columns that order rows by creation. The id orders rows of the same moment."""
    return table.c.created_nanoseconds, table.c.id


def name_contains(name: Column[Any], text: str | None) -> ColumnElement[bool]:
    """Return the condition that a name has this text, whatever its case. Every name has None."""
    return true() if text is None else name.icontains(text, autoescape=True)


def in_order(
    connection: Connection,
    query: Select[Any],
    ordering: Sequence[Column[Any]],
    named: Table,
    page: PageRequest,
    ordering_of_named: Sequence[Column[Any]] | None = None,
) -> Select[Any]:
    """Select the rows of a page as `in_order_of_creation` does, but in the order of the columns `ordering`.

    These must be unique in the list, and the first is the time of creation.

    A cursor is an id in the table `named`. `ordering_of_named` are the ordering
    columns in this table, if they differ.
    """
    if page.cursor:
        last = connection.execute(select(*(ordering_of_named or ordering)).where(named.c.id == page.cursor)).first()
        if last is None:
            raise InvalidRequest.at("cursor", OF_CURSORS)
        place, here = tuple_(*ordering), tuple_(*last)
        query = query.where(place < here if page.newest_first else place > here)
    units = 1 if ordering[0].name == "created_at" else _NANOSECONDS
    if page.created_after is not None:
        query = query.where(ordering[0] >= page.created_after * units)
    if page.created_before is not None:
        query = query.where(ordering[0] < page.created_before * units)
    sorted_by = [each.desc() for each in ordering] if page.newest_first else ordering
    return query.order_by(*sorted_by).limit(page.limit + 1)
