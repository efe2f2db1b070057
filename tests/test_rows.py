"""Rows of one test."""

from __future__ import annotations

import pytest

from tests.harness.rows import assert_each


def test_each_row_that_fails_is_named() -> None:
    def check(row: int) -> None:
        assert row != 2
        assert 6 / row < 6

    with pytest.raises(AssertionError, match=r"(?s)^2 of 3 rows fail\n0: ZeroDivisionError.*\n2: AssertionError"):
        assert_each([0, 2, 3], check)


def test_a_time_out_ends_the_test_and_names_its_row() -> None:
    """Seen before: the rows after it went on without a limit."""
    checked = list[str]()

    def check(row: str) -> None:
        checked.append(row)
        if row == "hangs":
            pytest.fail("Timeout")  # as pytest-timeout does

    with pytest.raises(pytest.fail.Exception) as ended:
        assert_each(["quick", "hangs", "later"], check)
    assert checked == ["quick", "hangs"]
    assert ended.value.__notes__ == ["in the row hangs"]
