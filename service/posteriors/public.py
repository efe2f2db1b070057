"""Computations from public releases for callers without a key. Recent results are cached. Other requests take turns by
release, so that nobody can monopolise the one slot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from service.database.rows import JobKind
from service.errors import ComputationTooLarge
from service.limits.limits import PUBLIC_COMPUTATIONS
from service.posteriors import computations
from service.posteriors.read_releases import ReadRelease, read_public
from service.releases.access import require_public
from service.runtime import jobs
from service.runtime.runtime import Runtime

_REMEMBERED_BYTES: Final = 500_000
_TOO_LARGE: Final = (
    "This takes more CPU time or memory than a computation without a key may. Ask for less at a time: fewer "
    "hypotheses, events or draws. With a key it becomes a job."
)


async def compute_public(
    runtime: Runtime,
    release_id: str,
    kind: JobKind,
    asked: str,
    *,
    margin: Sequence[str] | None = None,
    check: Callable[[ReadRelease], None],
) -> str:
    """Return the result of a computation from a public release. Raises NotFound, RateLimited, ComputationsUnavailable,
    ComputationTooLarge if it exceeds its limit of CPU time or memory, and the errors of `check` and of the computation.
    """
    of = (release_id, kind, asked)
    remembered = runtime.caches.public_answers.get(of)
    if remembered is not None:
        await runtime.database.read(partial(require_public, release_id=release_id))
        return remembered
    async with runtime.processes.public_slots.slot(release_id):
        text = runtime.caches.public_answers.get(of)  # an earlier request in the queue may have been the same
        if text is None:
            release = await runtime.database.read(
                partial(read_public, release_id=release_id, keys=runtime.database.keys, margin=margin)
            )
            check(release)
            order = computations.order(release, request=asked)
            try:
                text = await runtime.processes.compute_in_slot(
                    jobs.COMPUTATIONS[kind], order, processor_seconds=PUBLIC_COMPUTATIONS.processor_seconds
                )
            except ComputationTooLarge:
                raise ComputationTooLarge(_TOO_LARGE) from None
    if len(text) <= _REMEMBERED_BYTES:
        runtime.caches.public_answers.keep(of, text)
    return text
