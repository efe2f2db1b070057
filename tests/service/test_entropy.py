"""Each thread draws from a source of its own, and no bits come twice."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from service.identifiers.identifiers import ID_PATTERN, new_id, system_entropy
from tests.harness.deadlines import PATIENCE


def test_a_thread_keeps_its_source_and_shares_it_with_none() -> None:
    together = Barrier(4)

    def sources(_: int) -> tuple[int, int]:
        first, second = id(system_entropy()), id(system_entropy())
        together.wait(PATIENCE)
        return first, second

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(sources, range(4)))
    assert all(first == second for first, second in found)
    assert len({first for first, _ in found}) == 4


def test_ids_of_many_threads_all_differ() -> None:
    with ThreadPoolExecutor(4) as threads:
        ids = [
            each for batch in threads.map(lambda _: [new_id("rel") for _ in range(2000)], range(8)) for each in batch
        ]
    assert len(set(ids)) == 16_000
    assert all(re.fullmatch(ID_PATTERN, each) for each in ids)
    # Every one of the 32 letters stands at every place but the last, which holds three bits.
    assert all(len({each[place] for each in ids}) == 32 for place in range(4, 29))
