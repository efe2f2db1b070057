"""The exit codes of commands of owners and analysts. Scripts can rely on them."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class Exit(IntEnum):
    """The exit codes. `meaning` states what a caller can rely on."""

    meaning: str

    DONE = 0, "Done."
    BAD_ANSWER = 1, "Done, and a check failed: a ledger or a release was altered, or a part was not checked."
    UNUSABLE = 2, "The command, a file or a setting can't be used. Nothing was sent, or it had no effect."
    REFUSED = 3, "The service refused. Nothing was charged."
    KEY_REFUSED = 4, "The service refused this key, or this key for this operation. Nothing was charged."
    NO_SERVICE = 5, "No service responds, or its version is not supported by this command. Nothing was charged."
    UNKNOWN = (
        6,
        "It is unknown whether the request took effect. Run the same command again: it is charged at most once.",
    )
    CHARGED = 7, "The release was charged and could not be produced."
    INCOMPLETE = 8, "Done, but a part of the result is missing. Run the same command again: it is charged at most once."
    INTERRUPTED = 130, "Interrupted. Run the same command again: it repeats the request that was sent."
    CLOSED = 141, "The reader of standard output, such as `head`, closed it. The rest was not shown."

    def __new__(cls, value: int, meaning: str) -> Self:
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code
