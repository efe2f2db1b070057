"""Times plans, which are made before anything is paid.

    python -m benchmarks.plans [--rounds 3]

Each plan is the service's own, over every mechanism, at an even shape, ε = 0.5 and δ = 1e-8; a wanted width has it
look for the least ε too. The baseline is the plan of two categories and a thousand records, in the same turns; in each
round everything that processes keep between plans is forgotten first. Processor time: a plan that takes more than two
seconds of it becomes a job.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable
from functools import _lru_cache_wrapper, partial
from typing import Final

from benchmarks._table import Table, in_turns
from service.plans import plan
from service.schemas.plans import PlanCreate

SMALLEST: Final = (2, 1_000, False)
SIZES: Final = [
    (2, 1_000, True),
    (2, 200_745, False),
    (2, 200_745, True),
    (3, 1_000, True),
    (10, 100_000, False),
    (100, 1_000_000, False),
]


def request(m: int, n: int, *, wanted: bool) -> PlanCreate:
    body = {
        "prior": [1] * m,
        "data": {"kind": "shape", "shape": "even", "record_count": n},
        "epsilon": "0.5",
        "delta": "1e-8",
    }
    return PlanCreate.model_validate(body | ({"target_width": 0.05} if wanted else {}))


def afresh(asked: PlanCreate) -> None:
    """A plan by a process that has made none."""
    for kept in gc.get_objects():
        if isinstance(kept, _lru_cache_wrapper) and str(kept.__module__).startswith(("core", "service")):
            kept.cache_clear()
    plan(asked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    table = Table("a plan at m = 2, n = 1 000")
    smallest: Callable[[], None] = partial(afresh, request(*SMALLEST[:2], wanted=SMALLEST[2]))
    for m, n, wanted in SIZES:
        asked = request(m, n, wanted=wanted)
        taken = in_turns({"smallest": smallest, "this": partial(afresh, asked)}, rounds)
        what = f"plan, m = {m}, n = {n}{', wanted width' if wanted else ''}"
        table.add(what, taken["smallest"], taken["this"], "ms")
    table.show()


if __name__ == "__main__":
    main()
