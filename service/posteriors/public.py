"""Computes from public releases for whoever asks without a key: what was computed of late is remembered, and the rest
takes turns by release, so that nobody can keep the one slot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from service.auth import PUBLIC
from service.database.rows import JobKind
from service.errors import ComputationTooLarge
from service.jobs import jobs
from service.posteriors import computations
from service.posteriors.read_releases import ReadRelease, read_public
from service.releases.access import require_public
from service.runtime.runtime import Runtime

_REMEMBERED_BYTES: Final = 500_000
_TOO_LARGE: Final = (
    "This takes more time or memory than a computation without a key may. Ask for less at a time: fewer hypotheses, "
    "events or draws. With a key it becomes a job."
)


async def answer(
    runtime: Runtime,
    release_id: str,
    kind: JobKind,
    asked: str,
    *,
    check: Callable[[ReadRelease], None],
) -> str:
    """What a computation of this kind makes of a public release and what is asked of it.

    Raises NotFound, RateLimited, ComputationTooLarge if it takes longer than somebody waits, ComputationsUnavailable
    and what `check` and the computation raise.
    """
    of = (release_id, kind, asked)
    remembered = runtime.caches.public_answers.get(of)
    if remembered is not None:
        await runtime.database.read(partial(require_public, release_id=release_id))
        return remembered
    async with runtime.processes.public_slots.slot(release_id):
        text = runtime.caches.public_answers.get(of)  # whoever was in front may have asked the same
        if text is None:
            release = await runtime.database.read(partial(read_public, release_id=release_id))
            check(release)
            order = computations.order(release, request=asked)
            try:
                text = await runtime.processes.compute(PUBLIC, jobs.COMPUTATIONS[kind], order)
            except ComputationTooLarge:
                raise ComputationTooLarge(_TOO_LARGE) from None
    if len(text) <= _REMEMBERED_BYTES:
        runtime.caches.public_answers.keep(of, text)
    return text
