"""The service with faults that shout the counts: what it says and logs of them is what `test_planted_counts` looks at.

Started as the command line is: `python -m tests.harness.raising serve`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Never

from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.unsealing import unseal
from service.cli import main as cli
from service.datasets import counts as stored_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from core.private import Private
    from service.datasets.cipher import KeyRing

SHOUTED = "SHOUTED COUNTS"


def _release(counts: Private[NDArray[np.int64]], *_: object) -> Never:
    raise RuntimeError(f"{SHOUTED} {unseal(counts).tolist()}")


_seal = stored_counts.seal


def _seal_or_raise(
    connection: Connection, dataset_id: str, counts: Sequence[int], commitment: str, ring: KeyRing
) -> None:
    if len(counts) == 3:
        raise RuntimeError(f"{SHOUTED} {counts}")
    _seal(connection, dataset_id, counts, commitment, ring)


if __name__ == "__main__":
    simplex_geometric.release = _release  # type: ignore[assignment]  # the fault
    stored_counts.seal = _seal_or_raise
    cli.main()
