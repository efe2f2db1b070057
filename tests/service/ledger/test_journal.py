"""The journal beside the witness file has a line in full, or reports that it could not be written."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from service.ledger.journal import Journal
from tests.harness.full_disk import room_for

if TYPE_CHECKING:
    from pathlib import Path


def test_a_partially_written_line_does_not_count(tmp_path: Path) -> None:
    """Seen before: the line counted as written, and was never written again."""
    journal = Journal(tmp_path / "journal")
    size = journal.append(["first"], sync=True)
    with room_for(size + 5), pytest.raises(OSError, match="No space left"):
        journal.append(["second"], sync=True)
    journal.append(["third"], sync=True)
    assert journal.read() == [["first"], ["third"]]


def test_lines_written_meanwhile_survive_a_partial_write(tmp_path: Path) -> None:
    """Seen before: the others were lost."""
    journal = Journal(tmp_path / "journal")
    journal.append(["before"], sync=True)

    def fold() -> None:
        with journal.compacting() as may_compact:
            assert may_compact
            journal.append(["meanwhile"], sync=True)
            limited.enter_context(room_for(5))

    with ExitStack() as limited, pytest.raises(OSError, match="No space left"):
        fold()
    assert journal.read() == [["before"], ["meanwhile"]]
