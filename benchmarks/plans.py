"""Times plans, which are made before anything is paid.

    python -m benchmarks.plans [--rounds 3]

Each plan is the service's own, over every mechanism, at an even shape and δ = 1e-8: at one ε for the twelve largest
categories, at one ε and with a wanted width, and at 30 values of ε for one share. The baseline is the plan of two
categories and a thousand records, in the same turns; in each round everything that processes keep between plans is
forgotten first. Processor time: a computation that takes more than two seconds of it becomes a job.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable
from functools import _lru_cache_wrapper, partial
from typing import Any, Final

from benchmarks._table import Table, in_turns
from service.posteriors.plans import plan
from service.schemas.plans import PlanCreate

SIZES: Final = [(2, 1_000), (2, 200_745), (3, 1_000), (12, 100_000), (50, 100_000), (100, 1_000_000), (200, 100_000)]
EPSILONS: Final = [f"{0.01 * 1.25**step:.4f}" for step in range(30)]


def asked(m: int, n: int) -> dict[str, Callable[[], object]]:
    """Return the requests for these sizes, by name."""
    data = {"kind": "shape", "shape": "even", "record_count": n}
    body: dict[str, Any] = {"prior": [1] * m, "data": data, "delta": "1e-8", "epsilons": ["0.5"]}
    share = {"kind": "share", "of": {"labels": ["0"]}}
    bodies = {
        "plan": body,
        "plan with a wanted width": body | {"target_width": 0.05},
        "plan of 30 ε": body | {"epsilons": EPSILONS, "questions": [share]},
    }
    return {what: partial(plan, PlanCreate.model_validate(each)) for what, each in bodies.items()}


def afresh(compute: Callable[[], object]) -> None:
    """Compute a plan with empty caches, as a new process does."""
    for kept in gc.get_objects():
        if isinstance(kept, _lru_cache_wrapper) and str(kept.__module__).startswith(("core", "service")):
            kept.cache_clear()
    compute()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    table = Table("a plan at m = 2, n = 1 000")
    smallest = partial(afresh, asked(*SIZES[0])["plan"])
    for m, n in SIZES:
        for what, compute in asked(m, n).items():
            taken = in_turns({"smallest": smallest, "this": partial(afresh, compute)}, rounds)
            table.add(f"{what}, m = {m}, n = {n}", taken["smallest"], taken["this"], "ms")
    table.show()


if __name__ == "__main__":
    main()
