"""Routes of releases. Creating a release spends budget; reading it is free."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from fastapi import APIRouter, Header, Query, Request, Response, status
from fastapi.responses import RedirectResponse
from sqlalchemy import Connection

from service.api.dependencies import (
    IDEMPOTENCY_KEY_PATTERN,
    CallerDependency,
    IdempotencyKeyDependency,
    LedgerPageDependency,
    PageDependency,
    PathId,
    RuntimeDependency,
    paid_answer,
    runtime_of,
    signed_answer,
)
from service.errors import (
    InvalidRequest,
    NotFound,
    RoleNotAllowed,
    error_location,
)
from service.ledger.outcomes import SignedText
from service.posteriors import public
from service.principals.auth import Caller
from service.releases import access as release_access
from service.releases import quote as quotes
from service.releases import release as releases
from service.releases.spec import summary
from service.runtime.runtime import Runtime
from service.schemas.model import Page, page_of
from service.schemas.principals import Role
from service.schemas.problems import (
    OF_CERTIFICATES,
    OF_CHANGES,
    OF_CHARGES,
    OF_STORED_RELEASES,
    OF_STORED_TEXTS,
    problems,
)
from service.schemas.releases import (
    AnswerSignature,
    PublicRelease,
    Quote,
    Release,
    ReleaseChange,
    ReleaseCreate,
    ReleaseSummary,
)

router = APIRouter(prefix="/v1", tags=["releases"])

Collection: TypeAlias = Literal["releases", "margins"]
ELSEWHERE: Final[dict[int | str, dict[str, Any]]] = {
    303: {
        "description": (
            "`Location` is the path to read instead: that of the public text if you may read the release only "
            "because it is public, or that of the other collection, `releases` or `margins`."
        )
    }
}
_CREATE_PROBLEMS = problems(*OF_CHARGES, *OF_CERTIFICATES)


@router.post(
    "/datasets/{dataset_id}/releases",
    status_code=status.HTTP_201_CREATED,
    response_model=Release,
    responses=_CREATE_PROBLEMS,
)
async def create_release(
    dataset_id: PathId,
    body: ReleaseCreate,
    caller: CallerDependency,
    idempotency_key: IdempotencyKeyDependency,
    request: Request,
) -> Response:
    """Release a differentially private posterior, and charge the budget the proven privacy loss.

    The charge is committed before the counts are decrypted. Repeating the request under the same Idempotency-Key
    returns the same release, byte for byte and free, even if the first response was lost. Later computations from a
    release are free.
    """
    # This route takes no runtime dependency: resolving one takes as long as drawing the noise.
    with error_location("body"):
        paid = await releases.create(runtime_of(request), caller, dataset_id, body, idempotency_key)
    return paid_answer(request, paid)


@router.post(
    "/datasets/{dataset_id}/quotes",
    responses=problems(NotFound, RoleNotAllowed, InvalidRequest, *OF_CERTIFICATES),
)
async def create_quote(
    dataset_id: PathId,
    body: ReleaseCreate,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    idempotency_key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            pattern=IDEMPOTENCY_KEY_PATTERN,
            description="The key of the release request, to learn whether it was paid under this key already.",
        ),
    ] = None,
) -> Quote:
    """Return the cost of a release, whether it would be granted, and the earlier releases that may already answer.
    Free.
    """
    with error_location("body"):
        return await quotes.quote(runtime, caller, dataset_id, body, idempotency_key)


@router.get("/datasets/{dataset_id}/releases", responses=problems(NotFound))
async def list_releases(
    dataset_id: PathId,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    page: LedgerPageDependency,
    *,
    newest_first: Annotated[
        bool, Query(description="List the newest first. `next_cursor` then leads to older releases.")
    ] = False,
) -> Page[ReleaseSummary]:
    """List the releases from a data set that you may read, in ledger order. Free."""
    rows = await runtime.database.read(
        lambda c: release_access.list_on(
            c, caller, dataset_id, after=page.after, limit=page.limit + 1, newest_first=newest_first
        )
    )
    return page_of(rows, page.limit, lambda row: summary(row, caller), lambda row: row.sequence)


@router.get("/releases", responses=problems())
async def list_my_releases(
    caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency
) -> Page[ReleaseSummary]:
    """List the releases that you paid for and those from your own data sets, including deleted ones. Free."""
    with error_location("query"):
        rows = await runtime.database.read(lambda c: release_access.list_mine(c, caller, page))
    return page_of(rows, page.limit, lambda row: summary(row, caller), lambda row: row.id)


@router.get(
    "/releases/{release_id}",
    response_model=Release,
    responses=problems(*OF_STORED_RELEASES) | ELSEWHERE,
)
async def get_release(release_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """Return a release as it was first returned, to its payer and to the data set's owner. Other callers are redirected
    to the public text of a public release, and all callers of a release of margins to `/v1/margins/{release_id}`. Free.
    """
    return await read_release(runtime, caller, release_id, "releases")


@router.get("/releases/{release_id}/signature", responses=problems(*OF_STORED_RELEASES))
async def get_release_signature(
    release_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> AnswerSignature:
    """Return the signature over the bytes of a release, of margins or of query answers, to its payer and to the data
    set's owner. `answer_sha256` is the SHA-256 of the text as it was first returned. Releases of 0.1.0 have none. Free.
    """
    signature = await runtime.database.read(
        lambda c: release_access.read_signature(c, caller, release_id, runtime.database.keys)
    )
    return AnswerSignature.model_validate_json(signature)


@router.patch(
    "/releases/{release_id}",
    responses=problems(*OF_CHANGES, *OF_STORED_RELEASES),
)
async def change_release(
    release_id: PathId, body: ReleaseChange, caller: CallerDependency, runtime: RuntimeDependency
) -> ReleaseSummary:
    """Make a release and its evidence readable without a key, or make them private again. Evidence shows the request:
    prior, level, wanted tables and half widths, and the place of the charge in the ledger.

    Only the data set's owner may do this. The ledger records it.
    """
    caller.require(Role.OWNER)

    def work(connection: Connection) -> ReleaseSummary:
        release_access.publish(connection, caller, release_id, runtime.database.keys, public=body.public)
        return summary(release_access.visible_row(connection, caller, release_id), caller)

    return await runtime.database.write(work)


@router.get(
    "/public/releases/{release_id}",
    response_model=PublicRelease,
    responses=problems(*OF_STORED_TEXTS)
    | {303: {"description": "It is a release of margins: `Location` is the path of its public text."}},
)
async def get_public_release(release_id: PathId, runtime: RuntimeDependency) -> Response:
    """Return a public release with the service's signature, without the payer and their allowance. The text never
    changes. `posterior verify-release` checks it offline. No key is needed.
    """
    return await read_public(runtime, release_id, "releases")


async def read_release(runtime: Runtime, caller: Caller, release_id: str, collection: Collection) -> Response:
    """Return the stored text of a release of this collection, or the redirection to where it is."""

    def read(connection: Connection) -> tuple[SignedText | None, Collection]:
        text = release_access.read_text(connection, caller, release_id, runtime.database.keys)
        return text, _collection_of(connection, release_id)

    text, found = await runtime.database.read(read)
    if text is None:
        return _see(f"../public/{found}/{release_id}")
    return _found(text, found, collection, release_id)


async def read_public(runtime: Runtime, release_id: str, collection: Collection) -> Response:
    """Return the public text of a release of this collection, or the redirection to where it is."""
    text = await public.text_of(runtime, release_id)
    found = await runtime.database.read(lambda c: _collection_of(c, release_id))
    return _found(SignedText(text, None), found, collection, release_id)


def _found(text: SignedText, found: Collection, collection: Collection, release_id: str) -> Response:
    if found != collection:
        return _see(f"../{found}/{release_id}")
    return signed_answer(text)


def _see(path: str) -> Response:
    """Return the redirection to a path, which is relative, so that it is right behind any prefix."""
    return RedirectResponse(path, status.HTTP_303_SEE_OTHER)


def _collection_of(connection: Connection, release_id: str) -> Collection:
    return "margins" if release_access.is_of_margins(connection, release_id) else "releases"
