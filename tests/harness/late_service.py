"""The service with a mechanism that takes longer the more records the first category holds: what a look at response
times has to catch.

PLANTED_SECONDS=0.2 python -m tests.harness.late_service serve
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.unsealing import unseal
from service import runtime
from service.cli import main as cli
from service.releases import release as releases

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
    """A sound release, the environment's delay times the share of the first category too late."""
    time.sleep(float(os.environ["PLANTED_SECONDS"]) * unseal(counts)[0] / event.n)
    return _RELEASE(counts, event, entropy)


def never_quick(event: object) -> bool:
    return False


if __name__ == "__main__":
    simplex_geometric.release = release_late
    # What takes so long runs in a thread; in the event loop it would hold up every other request, and show in the
    # control as well.
    releases.is_quick = never_quick  # type: ignore[attr-defined]  # it is looked up there
    # One for each who asks at once: behind the service's only one the delay would hold up the control, too.
    runtime._DRAWING_THREADS = 4  # type: ignore[misc]
    cli.main()
