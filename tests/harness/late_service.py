"""The service with a mechanism that takes longer the more records the first category has, to be caught by the test of
response times.

PLANTED_SECONDS=0.2 python -m tests.harness.late_service serve

With the argument `draw` it is its own draw process.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.unsealing import unseal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.mechanisms.geometric.mechanism import SimplexGeometric
    from core.mechanisms.noisy_counts import NoisyCounts
    from core.private import Private, Released
    from core.samplers.entropy import Entropy

_RELEASE = simplex_geometric.release


def release_late(
    counts: Private[NDArray[np.int64]], event: SimplexGeometric, entropy: Entropy
) -> Released[NoisyCounts]:
    """A correct release, delayed by the environment's seconds times the share of the first category."""
    time.sleep(float(os.environ["PLANTED_SECONDS"]) * unseal(counts)[0] / event.n)
    return _RELEASE(counts, event, entropy)


def serve() -> None:
    from service.cli import main as cli
    from tests.harness.process import draw_with

    draw_with(sys.executable, "-m", "tests.harness.late_service", "draw")
    cli.main()


if __name__ == "__main__":
    if sys.argv[1:] == ["draw"]:
        from service.drawing.__main__ import main

        simplex_geometric.release = release_late
        main()
    else:
        serve()
