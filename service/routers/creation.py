"""Lets a route make a thing once for each Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, NamedTuple, TypeVar

from fastapi import Depends, Header, Request, Response
from pydantic import BaseModel
from sqlalchemy import Connection

from service import log
from service.auth import Caller, presented_key
from service.creations import Attempt, Made, fingerprint, once
from service.errors import IdempotencyKeyMissing, IdempotencyKeyReused, OutcomeUnknown
from service.routers.dependencies import IDEMPOTENCY_KEY_PATTERN, REPLAYED
from service.runtime.runtime import Runtime

T = TypeVar("T")
OF_CREATIONS = (IdempotencyKeyMissing, IdempotencyKeyReused, OutcomeUnknown)
"""Further problems that a route with a creation can have."""


class Creation(NamedTuple):
    """How a request that makes something was named, and by which key it was sent; and the answer, for its headers."""

    api_key: str
    idempotency_key: str | None
    response: Response

    async def perform(
        self,
        runtime: Runtime,
        caller: Caller,
        *place: str,
        body: BaseModel,
        make: Callable[[Connection], Made],
        answer: Callable[[Connection, Made], T],
    ) -> T:
        """The answer about what `make` makes, or made before under the same Idempotency-Key for the same body at the
        same place.

        Raises IdempotencyKeyReused, and what `make` and `answer` raise.
        """
        print_of = fingerprint(
            runtime.database.keys.current.signer.secret_for("creations"), *place, body=body.model_dump(mode="json")
        )
        attempt = Attempt(caller, self.api_key, self.idempotency_key, print_of)

        def work(connection: Connection) -> tuple[Made, T]:
            made = once(connection, attempt, lambda: make(connection))
            return made, answer(connection, made)

        made, told = await runtime.database.write(work)
        log.add(made_id=made.subject_id)
        if made.replayed:
            log.add(replayed=True)
            self.response.headers.update(REPLAYED)
        return told


async def get_creation(
    request: Request,
    response: Response,
    idempotency_key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            pattern=IDEMPOTENCY_KEY_PATTERN,
            description="A name that you choose for this request, 1 to 200 characters. Sent again under it, as after "
            "a lost answer, the same request makes "
            "nothing new and gets what the first one made. What is secret in the answer is told again for a day, to "
            "the same API key.",
            examples=["trial-1954-registration"],
        ),
    ] = None,
) -> Creation:
    return Creation(presented_key(request.headers.get("Authorization")), idempotency_key, response)


CreationDependency = Annotated[Creation, Depends(get_creation)]
