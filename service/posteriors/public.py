"""Public texts and evidence, and computations from the texts, for callers without a key. These and recent results are
cached. Other requests take turns by release, so that nobody can monopolise the one slot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection

from service.database.rows import JobKind
from service.errors import ComputationTooLarge, InvalidRequest
from service.limits.limits import JOB_BYTES, PUBLIC_COMPUTATIONS
from service.posteriors import computations
from service.releases.access import require_public
from service.releases.evidence import read_public_evidence
from service.releases.public_text import read_public_text
from service.runtime import jobs
from service.runtime.key_file import InstalledKeys
from service.runtime.runtime import Runtime
from service.schemas.posteriors import PosteriorCreate, ReleaseSource

_REMEMBERED_BYTES: Final = 500_000
_TOO_LARGE_MESSAGE: Final = (
    "This takes more CPU time or memory than a computation without a key may. Ask for less at a time: fewer "
    "questions or draws. With a key it becomes a job."
)


async def text_of(runtime: Runtime, release_id: str) -> str:
    """Return the public text of a release, which never changes: only the first request verifies its signature. Raises
    NotFound, also if the release was withdrawn, ReleaseAltered, ReceiptKeyUnavailable.
    """
    return await _cached_text(runtime, release_id, read_public_text)


async def evidence_of(runtime: Runtime, release_id: str) -> str:
    """Return the evidence of a public release, as `text_of` returns its text."""
    return await _cached_text(runtime, release_id, read_public_evidence)


async def _cached_text(runtime: Runtime, release_id: str, read: Callable[[Connection, str, InstalledKeys], str]) -> str:
    of = (release_id, read.__name__)
    text = runtime.caches.public_texts.get(of)
    if text is None:
        text = await runtime.database.read(lambda c: read(c, release_id, runtime.database.keys))
        runtime.caches.public_texts.keep(of, text)
    else:
        await runtime.database.read(partial(require_public, release_id=release_id))
    return text


async def compute_public(runtime: Runtime, kind: JobKind, asked: PosteriorCreate) -> str:
    """Return the result of a computation from public releases. Its process parses the texts and checks the request,
    because a text can have a megabyte. It waits in the queue of the first release.

    Raises the errors of `text_of` and of the computation, RateLimited, ComputationsUnavailable, InvalidRequest for a
    noisy table, and ComputationTooLarge if it exceeds its limit of CPU time or memory.
    """
    ids = [each.release_id for each in asked.sources if isinstance(each, ReleaseSource)]
    if not ids:
        raise InvalidRequest.at("sources[0].kind", "must be release: a noisy table needs a key")
    request = asked.model_dump_json()
    of = (ids[0], kind, request)
    remembered = runtime.caches.public_texts.get(of)
    if remembered is not None:
        for each in ids:
            await runtime.database.read(partial(require_public, release_id=each))
        return remembered
    async with runtime.processes.public_slots.slot(ids[0]):
        text = runtime.caches.public_texts.get(of)  # an earlier request in the queue may have been the same
        if text is None:
            texts = list[str]()
            for each in ids:
                texts.append(await text_of(runtime, each))
                if len(texts) > 1 and sum(map(len, texts)) > JOB_BYTES.max_per_key:
                    raise ComputationTooLarge(_TOO_LARGE_MESSAGE)
            order = computations.order_of_public(texts, request=request)
            try:
                text = await runtime.processes.compute_in_slot(
                    jobs.COMPUTATIONS[kind], order, processor_seconds=PUBLIC_COMPUTATIONS.processor_seconds
                )
            except ComputationTooLarge:
                raise ComputationTooLarge(_TOO_LARGE_MESSAGE) from None
    if len(text) <= _REMEMBERED_BYTES:
        runtime.caches.public_texts.keep(of, text)
    return text
