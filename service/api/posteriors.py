"""Routes of free computations from releases."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection

from service.api.dependencies import CallerDependency, PathId, RuntimeDependency, computed
from service.api.jobs import LATER, OF_COMPUTATIONS, SVG, answered
from service.errors import (
    ComputationsUnavailable,
    ComputationTooLarge,
    InvalidRequest,
    NotFound,
    NotSupported,
    RateLimited,
    error_location,
)
from service.logs import log
from service.pictures.svg import DEFAULT_WIDTH, LEAST_WIDTH, MOST_WIDTH
from service.posteriors import computations, pictures, posteriors, public, read_releases
from service.posteriors.read_releases import ReadRelease
from service.principals.auth import Caller
from service.runtime.jobs import JobInput
from service.runtime.key_file import InstalledKeys
from service.schemas.cells import MAX_ATTRIBUTES, Cells
from service.schemas.model import ShortText
from service.schemas.posteriors import (
    Comparison,
    ComparisonCreate,
    PictureRequest,
    PooledRequest,
    Posterior,
    PosteriorOfReleases,
    PosteriorRequest,
    ShareOfRelease,
)
from service.schemas.priors import EachPrior, StatedPrior
from service.schemas.problems import OF_STORED_RELEASES, problems
from service.schemas.releases import AS_FRACTION

router = APIRouter(prefix="/v1", tags=["posteriors"])


_OF_DERIVED_ANSWERS: Final = (
    *OF_STORED_RELEASES,
    InvalidRequest,
    NotSupported,
    *OF_COMPUTATIONS,
)
"""Problems of computations from stored releases."""
_PRIOR: Final[TypeAdapter[EachPrior | list[float]]] = TypeAdapter(StatedPrior)


def _picture(
    prior: Annotated[
        str | None,
        Query(
            max_length=20_000,
            description="Any prior, as JSON: a list by cell, or one number for each piece of a question.",
            examples=["[0.5, 0.5]", '{"each": 0.5, "of": "piece"}'],
        ),
    ] = None,
    level: Annotated[
        float,
        Query(
            ge=1e-9, le=1 - 1e-9, description=("Probability that an interval contains the share, above 0 and below 1.")
        ),
        AS_FRACTION,
    ] = 0.95,
    margin: Annotated[
        list[ShortText],
        Query(
            max_length=MAX_ATTRIBUTES,
            description="For a release of margins: the attributes of the measured margin that is shown.",
        ),
    ] = [],  # noqa: B006  FastAPI copies defaults
    by: Annotated[
        list[ShortText],
        Query(
            max_length=MAX_ATTRIBUTES,
            description="Attributes of a cross table: one row for each combination of their levels.",
        ),
    ] = [],  # noqa: B006  FastAPI copies defaults
    of: Annotated[
        str | None,
        Query(
            max_length=20_000,
            description=(
                "With `by`: show the share of these cells within each row. JSON, as in the field `of` of a request."
            ),
            examples=['{"where": {"smoker": ["yes"]}}'],
        ),
    ] = None,
    width: Annotated[
        int, Query(ge=LEAST_WIDTH, le=MOST_WIDTH, description="Width of the picture's layout in pixels.")
    ] = DEFAULT_WIDTH,
) -> PictureRequest:
    """Return the requested contents of the picture. Raises InvalidRequest."""
    try:
        concentration = None if prior is None else _PRIOR.validate_json(prior)
    except ValidationError:
        raise InvalidRequest.at(
            "query.prior",
            'must be JSON: a list of numbers from 0.001 to 1000000, one for each cell, or {"each": 0.5, "of": "piece"}',
        ) from None
    try:
        cells = None if of is None else Cells.model_validate_json(of)
    except ValidationError:
        raise InvalidRequest.at(
            "query.of", 'must be cells as JSON: {"labels": [...]}, or {"where": {attribute: [...]}}'
        ) from None
    return PictureRequest(prior=concentration, margin=margin or None, level=level, by=by, of=cells, width=width)


PictureDependency = Annotated[PictureRequest, Depends(_picture)]


@router.post(
    "/releases/{release_id}/posterior",
    response_model=Posterior,
    responses=problems(*OF_STORED_RELEASES, InvalidRequest, *OF_COMPUTATIONS) | LATER,
)
async def compute_posterior(
    release_id: PathId,
    body: PosteriorRequest,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    request: Request,
) -> Response:
    """Compute the noise-aware posterior of the shares. Its intervals account for the noise: they contain the true share
    as often as their level.

    Free, with any prior and level, hypotheses, shares of sets of categories, contrasts, densities and joint draws: they
    use only what was already released.
    """

    def read(connection: Connection) -> JobInput:
        release = read_releases.get_release(connection, caller, release_id, runtime.database.keys, body.margin)
        posteriors.check_request(release, body)
        return JobInput(computations.order(release, request=body.model_dump_json()))

    with error_location("body"):
        return await answered(request, runtime, caller, "posterior", read)


@router.get(
    "/releases/{release_id}/plot.svg",
    response_class=Response,
    responses=problems(
        *_OF_DERIVED_ANSWERS,
    )
    | LATER
    | {200: {"description": "The picture as SVG.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def plot_release(
    release_id: PathId,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    request: Request,
    shown: PictureDependency,
) -> Response:
    """Plot a release: the noise-aware and the naive interval of each share, and its prior. Free.

    For a cross table, the plot can group cells by attributes and show the share of some cells within each group.
    """

    def read(connection: Connection) -> JobInput:
        with error_location("query"):
            release = read_releases.read_with_name(connection, caller, release_id, runtime.database.keys, shown.margin)
            pictures.check_picture(release, shown)
        order = computations.order(release, request=shown.model_dump_json())
        return JobInput(order)

    return await answered(request, runtime, caller, "picture", read)


@router.post(
    "/posteriors",
    response_model=PosteriorOfReleases,
    responses=problems(*OF_STORED_RELEASES, InvalidRequest, *OF_COMPUTATIONS) | LATER,
)
async def compute_pooled_posterior(
    body: PooledRequest, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Compute the posterior from several releases of one data set: their likelihoods are multiplied, and the prior is
    counted once. Free.

    Two releases at half of an epsilon are together nearly as informative as one at the whole epsilon. Don't multiply
    posteriors yourself: that counts the prior twice. Don't choose releases by their values: intervals would contain the
    true share less often than their level.
    """
    log.add(release_ids=body.release_ids)

    def read(connection: Connection) -> JobInput:
        releases = [
            read_releases.get_release(connection, caller, each, runtime.database.keys, body.margin)
            for each in body.release_ids
        ]
        posteriors.check_pool(releases, body)
        order = computations.order(*releases, request=body.model_dump_json())
        return JobInput(order)

    with error_location("body"):
        return await answered(request, runtime, caller, "pooled_posterior", read)


@router.post(
    "/public/releases/{release_id}/posterior",
    response_model=Posterior,
    responses=problems(NotFound, InvalidRequest, RateLimited, ComputationTooLarge, ComputationsUnavailable),
)
async def compute_public_posterior(
    release_id: PathId, body: PosteriorRequest, runtime: RuntimeDependency, request: Request
) -> Response:
    """Compute the noise-aware posterior from a public release. No key is needed. Requests without a key share one slot,
    and the releases take turns.
    """
    with error_location("body"):
        answer = public.compute_public(runtime, release_id, "posterior", body.model_dump_json(), margin=body.margin)
        return await computed(request, answer)


@router.get(
    "/public/releases/{release_id}/plot.svg",
    response_class=Response,
    responses=problems(
        NotFound, InvalidRequest, NotSupported, RateLimited, ComputationTooLarge, ComputationsUnavailable
    )
    | {200: {"description": "The picture as SVG.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def plot_public_release(
    release_id: PathId,
    runtime: RuntimeDependency,
    request: Request,
    shown: PictureDependency,
) -> Response:
    """Plot a public release with its noise-aware intervals. No key is needed."""
    with error_location("query"):
        answer = public.compute_public(runtime, release_id, "picture", shown.model_dump_json(), margin=shown.margin)
        return await computed(request, answer, media_type=SVG)


def _side(connection: Connection, caller: Caller, side: str, share: ShareOfRelease, keys: InstalledKeys) -> ReadRelease:
    with error_location(side):
        return read_releases.get_release(connection, caller, share.release_id, keys, share.margin)


@router.post(
    "/comparisons",
    response_model=Comparison,
    responses=problems(
        *_OF_DERIVED_ANSWERS,
    )
    | LATER,
)
async def compare_releases(
    body: ComparisonCreate, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Compute the probability that a share is greater in one release than in another, such as treatment against
    placebo. Free.
    """
    ids = [body.first.release_id, body.second.release_id]
    log.add(release_ids=ids)

    def read(connection: Connection) -> JobInput:
        first, second = (
            _side(connection, caller, side, each, runtime.database.keys)
            for side, each in (("first", body.first), ("second", body.second))
        )
        order = computations.order(first, second, request=body.model_dump_json())
        return JobInput(order)

    with error_location("body"):
        return await answered(request, runtime, caller, "comparison", read)
