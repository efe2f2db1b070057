"""The product does not grow unnoticed."""

from __future__ import annotations

from typing import Final

from tests.harness.sizes import by_room

CEILING: Final = 35385
"""Statements of core, service and client. A commit that raises it says what for; one that removes code lowers it."""


def test_statements_do_not_exceed_the_ceiling() -> None:
    total = sum(statements for statements, _ in by_room().values())
    assert total <= CEILING, f"{total} statements: python -m tests.harness.sizes counts them by room"
