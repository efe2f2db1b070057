"""The product does not grow unnoticed."""

from __future__ import annotations

from typing import Final

from tests.harness.sizes import REPOSITORY, by_room, files

CEILING: Final = 35_669
"""Statements of core, service and client. A commit that raises it says what for; one that removes code lowers it."""
LONGEST: Final = 500
"""Lines of a file that has one thought."""
LONGER: Final = {
    "client/private_posterior/client.py": "a method for each operation of the API",
    "client/private_posterior/commands/plans.py": "one command with the most options, and its tables",
    "core/inference/events.py": "shares and their contrasts have the same three ways to a distribution",
    "core/inference/product_counts.py": "one law of counts: its sums, tables and draws",
    "core/inference/published.py": "one likelihood for each way to print a noisy count",
    "core/margins/allotment.py": "one search: its steps, starts and bound",
    "service/database/rows.py": "the row of each table",
    "service/errors.py": "every problem",
    "service/ledger/debit.py": "one transaction, under one set of locks",
    "service/schemas/mechanisms.py": "a way to request a mechanism is added in this file",
    "service/schemas/plans.py": "the request of a plan, and its answer",
}
"""The files that are longer, and why each is one thought. A file leaves the list once it is short enough."""


def test_statements_do_not_exceed_the_ceiling() -> None:
    total = sum(statements for statements, _ in by_room().values())
    assert total <= CEILING, f"{total} statements: python -m tests.harness.sizes counts them by room"


def test_a_file_has_at_most_500_lines_or_a_reason() -> None:
    lines = {path.relative_to(REPOSITORY).as_posix(): len(path.read_text().splitlines()) for path in files()}
    assert {name for name, count in lines.items() if count > LONGEST} == LONGER.keys()
