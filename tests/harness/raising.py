"""The service with exceptions that contain the counts: `test_planted_counts` reads its answers and its log.

Started as the command line is: `python -m tests.harness.raising serve`. With the argument `draw` it is its own draw
process.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Never

from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.unsealing import unseal

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from core.private import Private
    from service.datasets.cipher import KeyRing
    from service.ledger.counts_binding import CountsBinding

SHOUTED = "SHOUTED COUNTS"


def _release(counts: Private[NDArray[np.int64]], *_: object) -> Never:
    text = f"{SHOUTED} {unseal(counts).tolist()}"
    sys.stderr.write(text)
    raise RuntimeError(text)


def serve() -> None:
    from service.cli import main as cli
    from service.datasets import counts as stored_counts
    from tests.harness.process import draw_with

    store = stored_counts.store

    def store_or_raise(connection: Connection, counts: Sequence[int], binding: CountsBinding, ring: KeyRing) -> None:
        if len(counts) == 3:
            raise RuntimeError(f"{SHOUTED} {counts}")
        store(connection, counts, binding, ring)

    stored_counts.store = store_or_raise
    draw_with(sys.executable, "-m", "tests.harness.raising", "draw")
    cli.main()


if __name__ == "__main__":
    if sys.argv[1:] == ["draw"]:
        from service.drawing.__main__ import main

        simplex_geometric.release = _release  # type: ignore[assignment]  # the fault
        main()
    else:
        serve()
