"""Where random bits come from.

A release draws from the operating system's cryptographic generator. Anything that yields uniform integers of k bits will do for the samplers, so
that tests and experiments can hand in a seeded source; the service refuses every source but `SystemEntropy`.
"""

from __future__ import annotations

import os
from typing import Protocol, final

_BLOCK_BYTES = 4096


class Entropy(Protocol):
    """A source of independent uniform bits."""

    def bits(self, count: int) -> int:
        """A uniform integer in [0, 2**count); `count` >= 0."""
        ...


@final
class SystemEntropy:
    """The operating system's generator, read in blocks since a system call for every coin is dear.

    Not shared between threads: each draw makes its own. A block is dropped when the process forks, so that two children never see the same bits.
    """

    __slots__ = ("_held", "_pool", "_process")

    def __init__(self) -> None:
        self._pool = 0
        self._held = 0
        self._process = os.getpid()

    def bits(self, count: int) -> int:
        if self._process != os.getpid():
            self.__init__()
        while self._held < count:
            self._pool |= int.from_bytes(os.urandom(_BLOCK_BYTES)) << self._held
            self._held += 8 * _BLOCK_BYTES
        value = self._pool & ((1 << count) - 1)
        self._pool >>= count
        self._held -= count
        return value
