"""Draws in another process, so that nobody waits for Python's lock meanwhile. What takes long has a process of its own,
and its memory goes with it; other draws share one, one after the other.

The counts go to that process through a socket between the two, as they are written nowhere. It takes its entropy from
the operating system, as every draw does, after it was forked. What comes back is what was drawn; a process that failed
or was killed says nothing else.
"""

from __future__ import annotations

import json
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms.noisy_counts import NoisyCounts, read_back
from core.mechanisms.unsealing import unseal
from core.private import Private, Released
from service.channels.certified import Certified
from service.channels.events import event_from_json
from service.channels.mechanisms import draw
from service.computations.processes import Processes
from service.datasets.counts import handed_over

_DRAW: Final = "service.releases.apart:drawn"


async def draw_apart(
    processes: Processes,
    certified: Certified,
    counts: Private[NDArray[np.int64]],
    *,
    seconds: int,
    alone: bool,
    at_once: bool,
) -> Released[NoisyCounts]:
    """A release, drawn in a process that is killed after `seconds`, and draws nothing else where it is `alone`. Raises
    what `Processes.run` raises, which says nothing of the counts.
    """
    order = json.dumps(certified.document | {"counts": unseal(counts).tolist()})
    text = await processes.run(_DRAW, order, seconds=seconds, private=True, kept=not alone, at_once=at_once)
    return read_back(text, certified.certificate.loss)


def drawn(text: str) -> str:
    """A computation, in the process that draws: what came of the order."""
    order = json.loads(text)
    event, loss = event_from_json(order["event"]), Certificate.from_json(order["certificate"]).loss
    return draw(event, handed_over(order["counts"]), loss).value.to_text()
