"""Routes of releases. Creating a release spends budget; reading it is free."""

from __future__ import annotations

from typing import Annotated, Final, get_args

from fastapi import APIRouter, Header, Query, Request, Response, status
from fastapi.responses import RedirectResponse
from sqlalchemy import Connection

from service.api.dependencies import (
    IDEMPOTENCY_KEY_PATTERN,
    CallerDependency,
    IdempotencyKeyDependency,
    OfBudgets,
    PageDependency,
    PathId,
    RuntimeDependency,
    paid_answer,
    runtime_of,
    signed_answer,
)
from service.database.rows import ListedRelease, PaidKind
from service.errors import (
    ComputationTooLarge,
    FreeAnswerQuotaExceeded,
    InvalidRequest,
    JobQuotaExceeded,
    NotFound,
    NotSupported,
    RateLimited,
    RoleNotAllowed,
    error_location,
)
from service.identifiers.identifiers import ID_PATTERN
from service.ledger.outcomes import SignedText
from service.posteriors import public
from service.releases import access as release_access
from service.releases import quote as quotes
from service.releases import release as releases
from service.releases.evidence import read_evidence
from service.releases.spec import summary
from service.schemas.evidence import AnswerSignature, Evidence
from service.schemas.margins import PublicRelease
from service.schemas.model import Id, Page, page_of
from service.schemas.paid import PaidRequestBody, Quote, Release
from service.schemas.principals import Role
from service.schemas.problems import (
    OF_CERTIFICATES,
    OF_CHANGES,
    OF_CHARGES,
    OF_STORED_RELEASES,
    OF_STORED_TEXTS,
    problems,
)
from service.schemas.releases import OfQuotes, ReleaseChange, ReleaseState, ReleaseSummary

router = APIRouter(prefix="/v1", tags=["releases"])

_PREPARATION_PROBLEMS: Final = (
    *OF_CERTIFICATES,
    ComputationTooLarge,
    JobQuotaExceeded,
    RateLimited,
)
_ID: Final = Query(pattern=ID_PATTERN, description="Only releases from this data set, also the public ones.")


@router.post(
    "/datasets/{dataset_id}/releases",
    status_code=status.HTTP_201_CREATED,
    response_model=Release,
    responses=problems(*OF_CHARGES, *_PREPARATION_PROBLEMS, FreeAnswerQuotaExceeded),
)
async def create_release(
    dataset_id: PathId,
    body: PaidRequestBody,
    caller: CallerDependency,
    idempotency_key: IdempotencyKeyDependency,
    request: Request,
) -> Response:
    """Release what `kind` names, and charge the budget the proven privacy loss.

    `counts`: a differentially private posterior of all categories.

    `margins`: several small tables of a cross table for one charge. The service measures margins with independent noise
    on every cell, and combines all of them into the wanted tables, which agree with each other. It divides the amount
    so that the tables are precise, or finds the least amount for the wanted half widths. The measured margins can
    differ from the wanted ones: the quote shows them. Each measured margin is a noisy table by itself, from which
    posteriors are computed.

    `queries`: weighted sums of the counts, as precisely as you ask. Rows are measured only if earlier releases are not
    precise enough. All queries are answered, or none. The charge is the increase in the cost of your own rows on the
    data set, and can be 0.

    The service finds the charge for half widths, so `max_charge` is needed with them.

    The charge is committed before the counts are decrypted. Repeating the request under the same Idempotency-Key
    returns the same release, byte for byte and free, even if the first response was lost. Later computations from a
    release are free. If the request needs a longer computation first, such as a certificate or a plan, the response is
    `preparation-pending`, uncharged; the same request under the same key then uses its result.

    Intervals of margins and queries contain the truth as often as their confidence if the request was fixed before any
    answer was seen. They do so less often if you ask many and report only the most striking one.
    """
    # This route takes no runtime dependency: resolving one takes as long as drawing the noise.
    with error_location("body"):
        runtime = runtime_of(request)
        repeated = runtime.caches.reported_charges.may_be_charged(request)
        paid = await releases.create(runtime, caller, dataset_id, body, idempotency_key, repeated=repeated)
    return paid_answer(request, paid)


@router.post(
    "/datasets/{dataset_id}/quotes",
    response_model=Quote,
    responses=problems(NotFound, RoleNotAllowed, InvalidRequest, *_PREPARATION_PROBLEMS),
)
async def create_quote(
    dataset_id: PathId,
    body: PaidRequestBody,
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
) -> OfQuotes:
    """Return the cost of a release, whether it would be granted, and the earlier releases that may already answer. It
    takes the body of the release request, also without `max_charge`. Free.

    For margins, also return the margins that would be measured, the precision of each table, and how precise one
    release of the whole table would be for the same charge.
    """
    with error_location("body"):
        return await quotes.quote(runtime, caller, dataset_id, body, idempotency_key)


@router.get("/releases", responses=problems(NotFound))
async def list_releases(
    caller: CallerDependency,
    runtime: RuntimeDependency,
    page: PageDependency,
    *,
    dataset_id: Annotated[str | None, _ID] = None,
    kind: Annotated[
        list[PaidKind],
        Query(
            default_factory=list,
            max_length=len(get_args(PaidKind)),
            description="Only releases of this kind, or of these.",
        ),
    ],
    state: Annotated[ReleaseState | None, Query(description="Only releases in this state.")] = None,
    budget_id: OfBudgets,
    principal_id: Annotated[
        Id | None, Query(description="Only releases for which this principal paid, where you may see the payer.")
    ] = None,
) -> Page[ReleaseSummary]:
    """List the releases that you paid for and those from your own data sets, including deleted ones. With `dataset_id`,
    list all releases from that data set that you may read, in ledger order. Free.
    """
    wanted = release_access.Wanted(kind, state, budget_id, principal_id)

    def read(connection: Connection) -> list[ListedRelease]:
        if dataset_id is None:
            return release_access.list_mine(connection, caller, page, wanted)
        return release_access.list_on(connection, caller, dataset_id, page, wanted)

    with error_location("query"):
        rows = await runtime.database.read(read)
    return page_of(rows, page.limit, lambda row: summary(row, caller), lambda row: row.id)


@router.get(
    "/releases/{release_id}",
    response_model=Release,
    responses=problems(*OF_STORED_RELEASES)
    | {
        303: {"description": "You may read the release only because it is public: `Location` is the path of that text."}
    },
)
async def get_release(release_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """Return a release as it was first returned, to its payer and to the data set's owner. Other callers are redirected
    to the public text of a public release. What versions 0.1.0 and 0.2.0 returned begins with `kind` since. Free.
    """
    text = await runtime.database.read(lambda c: release_access.read_text(c, caller, release_id, runtime.database.keys))
    if text is None:  # the path is relative, so that it is right behind any prefix
        return RedirectResponse(f"../public/releases/{release_id}", status.HTTP_303_SEE_OTHER)
    return signed_answer(text)


@router.get("/releases/{release_id}/signature", responses=problems(*OF_STORED_RELEASES))
async def get_release_signature(
    release_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> AnswerSignature:
    """Return the signature over the bytes of a release, to its payer and to the data set's owner. `answer_sha256` is
    the SHA-256 of the text as it was first returned: that of a release of 0.2.0 had no `kind`. Releases of 0.1.0 have
    no signature. Free.
    """
    signature = await runtime.database.read(
        lambda c: release_access.read_signature(c, caller, release_id, runtime.database.keys)
    )
    return AnswerSignature.model_validate_json(signature)


@router.patch(
    "/releases/{release_id}",
    responses=problems(*OF_CHANGES, *OF_STORED_RELEASES, NotSupported),
)
async def change_release(
    release_id: PathId, body: ReleaseChange, caller: CallerDependency, runtime: RuntimeDependency
) -> ReleaseSummary:
    """Make a release and its evidence readable without a key, or make them private again. Evidence shows the request:
    prior, level, wanted tables and half widths, and the place of the charge in the ledger.

    Only the data set's owner may do this. The ledger records it. Answers to queries can't be made public
    (`not-supported`): they disclose what their payer was charged.
    """
    caller.require(Role.OWNER)

    def work(connection: Connection) -> ReleaseSummary:
        release_access.publish(connection, caller, release_id, runtime.database.keys, public=body.public)
        return summary(release_access.visible_row(connection, caller, release_id), caller)

    return await runtime.database.write(work)


@router.get("/public/releases/{release_id}", response_model=PublicRelease, responses=problems(*OF_STORED_TEXTS))
async def get_public_release(release_id: PathId, runtime: RuntimeDependency) -> Response:
    """Return a public release with the service's signature, without the payer and their allowance. The text never
    changes. `posterior verify-release` checks it offline. No key is needed.
    """
    return signed_answer(SignedText(await public.text_of(runtime, release_id), None))


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
