"""Names the codes that commands of owners and analysts end with, which scripts can rely on."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class Exit(IntEnum):
    """The codes; `meaning` says of each what is sure then."""

    meaning: str

    DONE = 0, "Done."
    BAD_ANSWER = 1, "Done, and the answer is bad: a ledger or a release is not what was once written."
    UNUSABLE = 2, "The command, a file or a setting can't be used. Nothing was sent, or nothing was made of it."
    REFUSED = 3, "The service refused. Nothing was charged."
    KEY_REFUSED = 4, "The service does not take this key, or not for this. Nothing was charged."
    NO_SERVICE = 5, "No service that this command speaks to answers. Nothing was charged."
    UNKNOWN = 6, "It is not known whether this took effect. Run the same command again: it is charged once at most."
    CHARGED = 7, "The release was charged and could not be produced."
    INTERRUPTED = 130, "Interrupted. The same command, run again, goes on with the request that was sent."

    def __new__(cls, value: int, meaning: str) -> Self:
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code
