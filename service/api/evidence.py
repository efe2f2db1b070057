"""Routes of the evidence of releases. Reading it is free."""

from __future__ import annotations

from fastapi import APIRouter, Response

from service.api.dependencies import CallerDependency, PathId, RuntimeDependency
from service.posteriors import public
from service.releases.evidence import read_evidence
from service.schemas.evidence import Evidence
from service.schemas.problems import OF_STORED_RELEASES, OF_STORED_TEXTS, problems

router = APIRouter(prefix="/v1", tags=["releases"])


@router.get("/releases/{release_id}/evidence", response_model=Evidence, responses=problems(*OF_STORED_RELEASES))
async def get_release_evidence(release_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """Return the evidence of a release, of margins or of query answers, to its payer and to the data set's owner: the
    stored spec and drawn values as texts, and a signed body with their hashes, the charge and its ledger entry. Free.
    """
    database = runtime.database
    text = await database.read(lambda c: read_evidence(c, caller, release_id, database.keys))
    return Response(text, media_type="application/json")


@router.get("/public/releases/{release_id}/evidence", response_model=Evidence, responses=problems(*OF_STORED_TEXTS))
async def get_public_release_evidence(release_id: PathId, runtime: RuntimeDependency) -> Response:
    """Return the evidence of a public release. It shows the request: prior, level, wanted tables and half widths. Specs
    of 0.1.0 and 0.2.0 have the payer's `max_charge` too, so their evidence is not public (`not-found`): payer and owner
    read it, and can pass it on. No key is needed.
    """
    return Response(await public.evidence_of(runtime, release_id), media_type="application/json")
