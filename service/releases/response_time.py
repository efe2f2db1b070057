"""When an answer to something paid leaves: 1, 2, 4, 8 … spacings after its charge was committed.

How long a draw took can tell the counts and the noise. So the answer waits for a tick, and the ticks depend on public
facts alone: the event and the length of its spec. An answer that misses a tick leaves at twice that time and not at the
next multiple, so that a slow draw tells at most in which octave it ended. The result is stored on the tick too: a
second request under the same key, a list or the ledger shows nothing before it.
"""

from __future__ import annotations

import asyncio
import math
from typing import Final

from service.drawing.estimates import kill_seconds

MARGIN: Final = 3
"""The first tick in multiples of the estimated draw, at least."""
MAX_LEASE_SECONDS: Final = 7200
"""A lease that would end later was given by a clock that ran ahead, and counts for nothing."""
_LEASE_MARGIN_SECONDS: Final = 10


def spacing_seconds(estimate: float, quantum_ms: int) -> float:
    """The first tick: `quantum_ms` times a power of two, and at least three times the estimate. 0 if answers are not
    delayed.
    """
    if not quantum_ms:
        return 0.0
    quantum = quantum_ms / 1000
    return float(quantum * 2 ** max(0, math.ceil(math.log2(MARGIN * estimate / quantum))))


def tick(elapsed: float, spacing: float) -> float:
    """The first of 1, 2, 4, 8 … spacings that is not before `elapsed`; `elapsed` itself without a spacing."""
    if not spacing:
        return elapsed
    return spacing * 2 ** max(0, math.ceil(math.log2(elapsed / spacing))) if elapsed > spacing else spacing


def lease_seconds(estimate: float, quantum_ms: int) -> int:
    """How long nobody else draws what was paid: until the first tick after a draw of this estimate would be killed,
    and ten seconds more.
    """
    last_tick = tick(kill_seconds(estimate), spacing_seconds(estimate, quantum_ms))
    return min(math.ceil(last_tick) + _LEASE_MARGIN_SECONDS, MAX_LEASE_SECONDS)


async def wait_for_tick(started: float, spacing: float) -> None:
    """Sleeps until the first tick of a clock that started at `started`, by the clock of the event loop."""
    now = asyncio.get_running_loop().time()
    await asyncio.sleep(tick(now - started, spacing) - (now - started))
