"""The encoding of what a hash chain links, and the error of a chain that was altered."""

from __future__ import annotations


class ChainError(ValueError):
    """The ledger was altered or cut. `sequence` is the first entry that shows it. The message contains no data."""

    def __init__(self, sequence: int, rule: str) -> None:
        super().__init__(f"entry {sequence}: {rule}")
        self.sequence = sequence
        self.rule = rule


def netstrings(*values: str | int) -> bytes:
    """Encode values one after another, each preceded by its length, so that different lists have different bytes."""
    parts = [str(value).encode() for value in values]
    return b"".join([b"%d:%b," % (len(part), part) for part in parts])
