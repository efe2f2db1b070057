"""Serves what is computed from releases afterwards, free."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection

from service import log
from service.errors import (
    ComputationTooLarge,
    InvalidRequest,
    NotFound,
    NotSupported,
    RateLimited,
    ReleaseFailed,
    ReleaseInProgress,
    ReleaseLost,
    within,
)
from service.posteriors import computations, public
from service.posteriors import posteriors as use_case
from service.posteriors.posteriors import ReadRelease
from service.routers.dependencies import CallerDependency, PathId, RuntimeDependency, computed
from service.schemas.posteriors import (
    Comparison,
    ComparisonCreate,
    PooledRequest,
    PooledResponse,
    PosteriorRequest,
    PosteriorResponse,
)
from service.schemas.problems import problems

router = APIRouter(prefix="/v1", tags=["posteriors"])


@router.post(
    "/releases/{release_id}/posterior",
    response_model=PosteriorResponse,
    responses=problems(NotFound, ReleaseFailed, ReleaseInProgress, ReleaseLost, InvalidRequest, ComputationTooLarge),
)
async def compute_posterior(
    release_id: PathId,
    body: PosteriorRequest,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    request: Request,
) -> Response:
    """The noise-aware posterior of the shares. Its intervals account for the noise, so that they contain the truth as
    often as their level says.

    Another prior, another level, hypotheses, shares of sets of categories, contrasts of two, densities, joint draws:
    all of these are free, since they are computed from what was already released.
    """
    release = await runtime.read(lambda c: use_case.read(c, caller, release_id))
    with within("body"):
        use_case.check(release.labels, body)
        order = computations.order(release, request=body.model_dump_json())
        return await computed(request, runtime.compute(caller.principal_id, computations.POSTERIOR, order))


@router.get(
    "/releases/{release_id}/plot.svg",
    response_class=Response,
    responses=problems(NotFound, ReleaseFailed, ReleaseInProgress, ReleaseLost, NotSupported, ComputationTooLarge)
    | {200: {"description": "The picture.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def plot_release(
    release_id: PathId,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    request: Request,
    level: Annotated[float, Query(ge=1e-9, le=1 - 1e-9, description="Level of the intervals.")] = 0.95,
) -> Response:
    """A plot of the release: the noise-aware and the naive interval of each share, and its prior. Free."""
    release = await runtime.read(lambda c: use_case.read(c, caller, release_id))
    order = computations.order(release, request=repr(level))
    return await computed(
        request, runtime.compute(caller.principal_id, computations.PICTURE, order), media_type="image/svg+xml"
    )


@router.post(
    "/posteriors",
    response_model=PooledResponse,
    responses=problems(NotFound, ReleaseFailed, ReleaseInProgress, ReleaseLost, InvalidRequest, ComputationTooLarge),
)
async def compute_pooled_posterior(
    body: PooledRequest, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """What several releases of one data set say together: their likelihoods are multiplied, and the prior is counted
    once. Free.

    Two releases at half of an epsilon say nearly as much as one at the whole. Do not multiply posteriors yourself: that
    counts the prior twice. Do not choose releases by their values either: intervals would then contain the truth less
    often than their level says.
    """
    releases = await runtime.read(lambda c: [use_case.read(c, caller, each) for each in body.release_ids])
    log.add(release_ids=body.release_ids)
    with within("body"):
        use_case.check_pool(releases, body)
        order = computations.order(*releases, request=body.model_dump_json())
        return await computed(request, runtime.compute(caller.principal_id, computations.POOLED, order))


@router.post(
    "/public/releases/{release_id}/posterior",
    response_model=PosteriorResponse,
    responses=problems(NotFound, InvalidRequest, RateLimited, ComputationTooLarge),
)
async def compute_public_posterior(
    release_id: PathId, body: PosteriorRequest, runtime: RuntimeDependency, request: Request
) -> Response:
    """The noise-aware posterior from a release that its owner made public. No key is needed; computations without
    a key take turns by release.
    """
    with within("body"):
        answer = public.answer(
            runtime,
            release_id,
            computations.POSTERIOR,
            body.model_dump_json(),
            check=lambda release: use_case.check(release.labels, body),
        )
        return await computed(request, answer)


@router.get(
    "/public/releases/{release_id}/plot.svg",
    response_class=Response,
    responses=problems(NotFound, NotSupported, RateLimited, ComputationTooLarge)
    | {200: {"description": "The picture.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def plot_public_release(
    release_id: PathId,
    runtime: RuntimeDependency,
    request: Request,
    level: Annotated[float, Query(ge=1e-9, le=1 - 1e-9, description="Level of the intervals.")] = 0.95,
) -> Response:
    """A plot of a release that its owner made public, with its noise-aware intervals. No key is needed."""
    answer = public.answer(runtime, release_id, computations.PICTURE, repr(level), check=lambda _: None)
    return await computed(request, answer, media_type="image/svg+xml")


@router.post(
    "/comparisons",
    response_model=Comparison,
    responses=problems(
        NotFound, ReleaseFailed, ReleaseInProgress, ReleaseLost, InvalidRequest, NotSupported, ComputationTooLarge
    ),
)
async def compare_releases(
    body: ComparisonCreate, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Is a share greater in one release than in another, as for vaccinated children against placebo? Free."""

    def work(connection: Connection) -> tuple[ReadRelease, ReadRelease]:
        return use_case.read(connection, caller, body.first.release_id), use_case.read(
            connection, caller, body.second.release_id
        )

    first, second = await runtime.read(work)
    log.add(release_ids=[body.first.release_id, body.second.release_id])
    with within("body"):
        order = computations.order(first, second, request=body.model_dump_json())
        return await computed(request, runtime.compute(caller.principal_id, computations.COMPARISON, order))
