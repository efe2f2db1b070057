"""Sources of random bits.

A release draws from the operating system's cryptographic generator. The samplers accept any source of uniform integers
of k bits, so tests and experiments can use a seeded one. The service refuses every source but `SystemEntropy`.
"""

from __future__ import annotations

import os
import random
from typing import ClassVar, Protocol, final

_FIRST_BLOCK_BYTES = 128
_MAX_BLOCK_BYTES = 4096
_WORD_BYTES = 32
_WORD_BITS = 8 * _WORD_BYTES


class Entropy(Protocol):
    """A source of independent uniform bits."""

    def bits(self, count: int) -> int:
        """Return a uniform integer in [0, 2**count); `count` >= 0."""
        ...


@final
class SystemEntropy:
    """The operating system's generator, read in blocks, because a system call for every coin is expensive.

    Small requests are served from a pool of a few machine words, large ones directly by the system, so that a coin
    needs no long shift. An instance is not shared between threads. The pool is dropped when the process forks, so two
    children never see the same bits. No bit is returned twice.
    """

    __slots__ = ("_block", "_block_bytes", "_forks", "_held_bits", "_next_position", "_pool")

    forks: ClassVar[int] = 0
    """Number of forks between this process and its first ancestor."""

    def __init__(self) -> None:
        self._pool = 0
        self._held_bits = 0
        self._block = b""
        self._block_bytes = _FIRST_BLOCK_BYTES
        self._next_position = 0
        self._forks = SystemEntropy.forks

    def bits(self, count: int) -> int:
        if self._forks != SystemEntropy.forks:
            self.__init__()
        if count > _WORD_BITS:
            return int.from_bytes(os.urandom((count + 7) // 8)) >> (-count % 8)
        if self._held_bits < count:
            if self._next_position >= len(self._block):
                self._block = os.urandom(self._block_bytes)
                self._next_position = 0
                # Most draws need few coins, some need thousands.
                self._block_bytes = min(2 * self._block_bytes, _MAX_BLOCK_BYTES)
            word = self._block[self._next_position : self._next_position + _WORD_BYTES]
            self._next_position += _WORD_BYTES
            self._pool |= int.from_bytes(word) << self._held_bits
            self._held_bits += _WORD_BITS
        value = self._pool & ((1 << count) - 1)
        self._pool >>= count
        self._held_bits -= count
        return value


def _count_fork() -> None:
    SystemEntropy.forks += 1


os.register_at_fork(after_in_child=_count_fork)


@final
class SeededEntropy:
    """Reproducible bits, for tests and experiments only. The seed reveals the noise, so no release may use it."""

    __slots__ = ("_rng",)

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311  reproducible on purpose; the service refuses this source

    def bits(self, count: int) -> int:
        return self._rng.getrandbits(count)
