"""Routes of margins of cross tables. Creating them spends budget; quotes are free."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Request, Response, status

from service.api.dependencies import (
    IDEMPOTENCY_KEY_PATTERN,
    CallerDependency,
    IdempotencyKeyDependency,
    PathId,
    RuntimeDependency,
    paid_answer,
    runtime_of,
)
from service.api.releases import ELSEWHERE, read_public, read_release
from service.errors import (
    ComputationTooLarge,
    InvalidRequest,
    JobQuotaExceeded,
    MarginsPending,
    NotFound,
    NotSupported,
    RoleNotAllowed,
    error_location,
)
from service.margins import paid_margins, quote
from service.schemas.margins import (
    MarginsCreate,
    MarginsQuote,
    MarginsRelease,
    PublicMarginsRelease,
)
from service.schemas.problems import OF_CHARGES, OF_STORED_RELEASES, OF_STORED_TEXTS, problems

router = APIRouter(prefix="/v1", tags=["margins"])

_OF_DATASET = "/datasets/{dataset_id}/margins"

_OF_PLANS = (NotSupported, ComputationTooLarge, JobQuotaExceeded, MarginsPending)


@router.post(
    _OF_DATASET,
    status_code=status.HTTP_201_CREATED,
    response_model=MarginsRelease,
    responses=problems(*OF_CHARGES, *_OF_PLANS),
)
async def create_margins(
    dataset_id: PathId,
    body: MarginsCreate,
    caller: CallerDependency,
    idempotency_key: IdempotencyKeyDependency,
    request: Request,
) -> Response:
    """Release several small tables of a cross table for one charge.

    The service measures margins with independent noise on every cell, and combines all of them into the wanted tables,
    which agree with each other. It divides the amount so that the tables are precise, or finds the least amount for the
    wanted half widths. The measured margins can differ from the wanted ones: the quote shows them.

    Each measured margin is a noisy table by itself: `POST /v1/posteriors` with its attributes as
    `margin` computes posteriors from it. The release is read, published and listed as every release.

    Intervals contain the true count as often as their confidence if the amounts were fixed before any answer was seen.
    """
    with error_location("body"):
        paid = await paid_margins.create(runtime_of(request), caller, dataset_id, body, idempotency_key)
    return paid_answer(request, paid)


@router.post(_OF_DATASET + "/quote", responses=problems(NotFound, RoleNotAllowed, InvalidRequest, *_OF_PLANS))
async def create_margins_quote(
    dataset_id: PathId,
    body: MarginsCreate,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    idempotency_key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            pattern=IDEMPOTENCY_KEY_PATTERN,
            description="The key of the charged request, to learn whether it was paid under this key already.",
        ),
    ] = None,
) -> MarginsQuote:
    """Return the margins that would be measured, the precision of each table, and the charge. Also return how precise
    one release of the whole table would be for the same charge, and its charge at the same precision. Free.
    """
    with error_location("body"):
        return await quote.quote(runtime, caller, dataset_id, body, idempotency_key)


@router.get("/margins/{release_id}", response_model=MarginsRelease, responses=problems(*OF_STORED_RELEASES) | ELSEWHERE)
async def get_margins(release_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """Return a release of margins as it was first returned, to its payer and to the data set's owner. Other callers are
    redirected to the public text of a public release. Free.
    """
    return await read_release(runtime, caller, release_id, "margins")


@router.get(
    "/public/margins/{release_id}",
    response_model=PublicMarginsRelease,
    responses=problems(*OF_STORED_TEXTS) | ELSEWHERE,
)
async def get_public_margins(release_id: PathId, runtime: RuntimeDependency) -> Response:
    """Return a public release of margins with the service's signature, without the payer and their allowance. The text
    never changes. No key is needed.
    """
    return await read_public(runtime, release_id, "margins")
