"""Routes of health, metrics, the public key, and the lists of mechanisms and problems."""

from __future__ import annotations

from importlib.metadata import version as installed_version
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field

from service.api.dependencies import RuntimeDependency
from service.errors import PROBLEMS, DatabaseUnavailable, DrawsUnavailable, NotFound
from service.identifiers.identifiers import timestamp
from service.logs.metrics import Metrics
from service.runtime.key_checks import retired_keys
from service.runtime.readiness import check_readiness
from service.schemas.mechanisms import REQUESTS, Mechanisms, describe
from service.schemas.model import Timestamp
from service.schemas.problems import problems

router = APIRouter(tags=["service"])


_VERSION = installed_version("private-posterior")


class Health(BaseModel):
    status: Literal["ok"] = Field(default="ok", description="Always `ok`: anything else is a problem.")
    version: str = Field(description="Version of the service.", examples=["0.3.0"])


class Readiness(Health):
    """Readiness of the process. `notes` lists conditions that the operator should act on although the process can
    serve, with what to do.
    """

    notes: list[str] = Field(default=[], description="Conditions that the operator should act on, one sentence each.")


class EarlierKey(BaseModel):
    """An earlier signing key of receipts and ledger heads."""

    key_id: str = Field(description="Names the key in receipts and heads.")
    public_key: str = Field(description="The raw Ed25519 key in unpadded base64url.")
    retired_at: Timestamp | None = Field(description="Null for a key that a later version than 0.1.0 retired.")


class SigningKey(BaseModel):
    """The signing keys of receipts and ledger heads, current and earlier, as raw Ed25519 in unpadded base64url."""

    key_id: str = Field(description="Names the key in receipts and heads.")
    public_key: str = Field(description="The raw Ed25519 key in unpadded base64url.")
    earlier: list[EarlierKey] = Field(description="The keys that signed before it.")


class ProblemDescription(BaseModel):
    """The meaning of a problem type."""

    type: str = Field(description="The name of the problem, and the path of this description.")
    status: int = Field(description="The HTTP status.")
    title: str = Field(description="What happened.")
    charged: bool | None = Field(description="Whether budget was charged; null if that is unknown.")
    retry_safe: bool = Field(description="Whether the same request can be sent again without a further charge.")
    retryable: bool = Field(description="Whether the same request can succeed later if the caller only waits.")


@router.get("/livez")
async def livez() -> Health:
    """Succeed if the process responds."""
    return Health(version=_VERSION)


@router.get("/readyz", responses=problems(DatabaseUnavailable, DrawsUnavailable))
async def readyz(runtime: RuntimeDependency) -> Readiness:
    """Succeed if the process can serve: it can write to its database, the database's schema is that of this version or
    a later one, and a draw process runs. `notes` lists each condition that needs an operator, with what to do.
    """
    return Readiness(version=_VERSION, notes=await check_readiness(runtime))


# Not part of the API: it has another format, for the operator's collector.
@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, runtime: RuntimeDependency) -> Response:
    figures: Metrics = request.app.state.metrics
    if not figures.may_be_read_with(request.headers.get("Authorization", "")):
        raise NotFound
    await runtime.database.read(figures.read_database)
    return Response(figures.text(), media_type=CONTENT_TYPE_LATEST)


@router.get("/v1/public-key")
async def get_public_key(runtime: RuntimeDependency) -> SigningKey:
    """Return the public keys that verify receipts and ledger heads."""
    retired, keys = await runtime.database.read(retired_keys), runtime.database.keys.current
    signer = keys.signer
    earlier = [
        EarlierKey(
            key_id=key_id,
            public_key=public_key,
            retired_at=None if (instant := retired.get(key_id)) is None else timestamp(instant),
        )
        for key_id, public_key in keys.public_keys.items()
        if key_id != signer.key_id
    ]
    return SigningKey(key_id=signer.key_id, public_key=signer.public_key, earlier=earlier)


@router.get("/v1/mechanisms")
async def list_mechanisms() -> Mechanisms:
    """List the mechanisms of releases: names, descriptions and parameters."""
    return Mechanisms(items=[describe(each) for each in REQUESTS])


def _describe(problem: type[Any]) -> ProblemDescription:
    body = problem().body()
    return ProblemDescription(**{name: body[name] for name in ProblemDescription.model_fields})


@router.get("/problems")
async def list_problems() -> list[ProblemDescription]:
    """List every problem type of the service."""
    return [_describe(problem) for problem in PROBLEMS]


@router.get("/problems/{code}", responses=problems(NotFound))
async def get_problem(code: str) -> ProblemDescription:
    """Return the meaning of one problem type."""
    for problem in PROBLEMS:
        if problem.code == code:
            return _describe(problem)
    raise NotFound
