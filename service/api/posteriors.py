"""Routes of free computations from releases and noisy tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from service.posteriors import comparisons, computations, pictures, posteriors, public, sources
from service.posteriors.priors import check_prior
from service.posteriors.read_releases import get_release
from service.posteriors.sources import read_sources
from service.runtime.jobs import JobInput
from service.schemas.cells import MAX_ATTRIBUTES, Cells
from service.schemas.model import ShortText
from service.schemas.posteriors import (
    Comparison,
    ComparisonCreate,
    Posterior,
    PosteriorCreate,
    PosteriorPicture,
    ReleaseSource,
    Source,
)
from service.schemas.priors import EachPrior, StatedPrior
from service.schemas.problems import OF_STORED_RELEASES, problems
from service.schemas.releases import AS_FRACTION

router = APIRouter(prefix="/v1", tags=["posteriors"])


_DERIVED_ANSWER_PROBLEMS: Final = (
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
) -> Callable[[str], PosteriorCreate]:
    """Return a function that returns the request for the picture of a release. Raises InvalidRequest."""
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
    picture = PosteriorPicture(by=by, of=cells, width=width)

    def asked(release_id: str) -> PosteriorCreate:
        source = ReleaseSource(kind="release", release_id=release_id, margin=margin or None)
        return PosteriorCreate(sources=[source], prior=concentration, level=level, picture=picture)

    return asked


PictureDependency = Annotated[Callable[[str], PosteriorCreate], Depends(_picture)]


@router.post("/posteriors", response_model=Posterior, responses=problems(*_DERIVED_ANSWER_PROBLEMS) | LATER)
async def compute_posterior(
    body: PosteriorCreate, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Compute the noise-aware posterior of the shares from releases, or from a noisy table that somebody published. Its
    intervals account for the noise: they contain the true share as often as their level.

    Free, with any prior and level, questions about shares and contrasts, densities, joint draws and a picture: they use
    only what was already released.

    Likelihoods of several releases are multiplied, and the prior is counted once. Two releases at half of an epsilon
    are together less informative than one at the whole epsilon. Don't multiply posteriors yourself: that counts the
    prior twice. Don't choose releases by their values: intervals would contain the true share less often than their
    level.

    A noisy table needs no data set, and is not stored. If the computation becomes a job, the job keeps request and
    result for a day, or until you delete it.
    """
    log.add(release_ids=_ids(body.sources))

    def read(connection: Connection) -> JobInput:
        named = body.picture is not None
        given = read_sources(connection, caller, body.sources, runtime.database.keys, named=named)
        posteriors.check_request(given, body)
        order = computations.order(given, request=body.model_dump_json())
        return JobInput(order, takes_long=posteriors.takes_long(given, body))

    with error_location("body"):
        return await answered(request, runtime, caller, "posterior", read)


def _ids(sources: Sequence[Source]) -> list[str]:
    return [each.release_id for each in sources if isinstance(each, ReleaseSource)]


@router.get(
    "/releases/{release_id}/plot.svg",
    response_class=Response,
    responses=problems(*_DERIVED_ANSWER_PROBLEMS)
    | LATER
    | {200: {"description": "The picture as SVG.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def plot_release(
    release_id: PathId,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    request: Request,
    picture_of: PictureDependency,
) -> Response:
    """Plot a release: the noise-aware and the naive interval of each share, and its prior. Free.

    For a cross table, the plot can group cells by attributes and show the share of some cells within each group.
    """
    asked = picture_of(release_id)

    def read(connection: Connection) -> JobInput:
        (source,), shown = asked.sources, asked.picture
        assert isinstance(source, ReleaseSource), "it is a release"
        assert shown is not None, "it has a picture"
        with error_location("query"):
            release = get_release(connection, caller, release_id, runtime.database.keys, source.margin, named=True)
            check_prior(asked.prior, release.names)
            pictures.rows_of(release.names, shown)
        return JobInput(computations.order([release], request=asked.model_dump_json()))

    return await answered(request, runtime, caller, "picture", read)


@router.post(
    "/public/posteriors",
    response_model=Posterior,
    responses=problems(
        NotFound, InvalidRequest, NotSupported, RateLimited, ComputationTooLarge, ComputationsUnavailable
    ),
)
async def compute_public_posterior(body: PosteriorCreate, runtime: RuntimeDependency, request: Request) -> Response:
    """Compute the noise-aware posterior from public releases. No key is needed. Requests without a key share one slot,
    and take turns by the first release.
    """
    with error_location("body"):
        return await computed(request, public.compute_public(runtime, "posterior", body))


@router.get(
    "/public/releases/{release_id}/plot.svg",
    response_class=Response,
    responses=problems(
        NotFound, InvalidRequest, NotSupported, RateLimited, ComputationTooLarge, ComputationsUnavailable
    )
    | {200: {"description": "The picture as SVG.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def plot_public_release(
    release_id: PathId, runtime: RuntimeDependency, request: Request, picture_of: PictureDependency
) -> Response:
    """Plot a public release with its noise-aware intervals. No key is needed."""
    with error_location("query"):
        return await computed(
            request, public.compute_public(runtime, "picture", picture_of(release_id)), media_type=SVG
        )


@router.post("/comparisons", response_model=Comparison, responses=problems(*_DERIVED_ANSWER_PROBLEMS) | LATER)
async def compare_shares(
    body: ComparisonCreate, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Compute the probability that a share is greater in one posterior than in another, such as treatment against
    placebo. Each side has its releases, or a noisy table. Free.
    """
    log.add(release_ids=_ids([*body.first.sources, *body.second.sources]))

    def read(connection: Connection) -> JobInput:
        sides, takes_long = [], False
        for name, asked in (("first", body.first), ("second", body.second)):
            with error_location(name):
                given = read_sources(connection, caller, asked.sources, runtime.database.keys)
            sides.append(given)
            takes_long |= sources.takes_long(given, asked.prior, questions=1, contrasts=3 * body.trial)
        comparisons.check_sides(sides[0], sides[1], body)
        return JobInput(computations.order(*sides, request=body.model_dump_json()), takes_long=takes_long)

    with error_location("body"):
        return await answered(request, runtime, caller, "comparison", read)
