"""Many rows in one test, which names every row that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Row = TypeVar("Row")


def assert_each(rows: Iterable[Row], check: Callable[[Row], object], name: Callable[[Row], str] = str) -> None:
    """Check every row, and fail once with the name and the reason of each row that failed.

    An exception that is not an error of a row, such as its time-out, ends the test at once, with the name of the row.
    """
    failed, count = list[str](), 0
    for row in rows:
        count += 1
        try:
            check(row)
        except Exception as error:  # noqa: BLE001  any error fails the row
            failed.append(f"{name(row)}: {type(error).__name__}: {error}")
        except BaseException as error:
            error.add_note(f"in the row {name(row)}")
            raise
    assert count, "there are no rows"
    assert failed == [], "\n".join([f"{len(failed)} of {count} rows fail", *failed])
