"""Creation of objects, once for each Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, NamedTuple, TypeVar

from fastapi import Depends, Header, Request, Response
from pydantic import BaseModel
from sqlalchemy import Connection

from service.api.dependencies import IDEMPOTENCY_KEY_PATTERN, REPLAYED
from service.logs import log
from service.principals.auth import Caller, presented_key
from service.principals.creations import Attempt, Made, fingerprints, once
from service.runtime.runtime import Runtime

T = TypeVar("T")


class Creation(NamedTuple):
    """The API key and the Idempotency-Key of a request that creates something, and its response, which gets headers."""

    api_key: str
    idempotency_key: str | None
    response: Response

    def attempt(self, caller: Caller, prints: tuple[str, ...] = ()) -> Attempt:
        """Return the request as `service.principals.creations` takes it. `prints`: its fingerprints."""
        return Attempt(caller, self.api_key, self.idempotency_key, prints)

    async def perform(
        self,
        runtime: Runtime,
        caller: Caller,
        *place: str,
        body: BaseModel,
        make: Callable[[Connection], Made],
        answer: Callable[[Connection, Made], T],
    ) -> T:
        """Create an object with `make`, and return what `answer` makes of it.

        If an earlier request under the same Idempotency-Key had the same body and path, `answer` gets the object of
        that request instead. Raises IdempotencyKeyReused, and the errors of `make` and `answer`.
        """
        secrets = runtime.database.keys.current.creation_secrets
        prints = fingerprints(secrets, *place, body=body.model_dump(mode="json"))
        attempt = self.attempt(caller, prints)

        def work(connection: Connection) -> tuple[Made, T]:
            made = once(connection, attempt, lambda: make(connection))
            return made, answer(connection, made)

        made, created = await runtime.database.write(work)
        log.add(made_id=made.subject_id)
        if made.replayed:
            log.add(replayed=True)
            self.response.headers.update(REPLAYED)
        return created


async def get_creation(
    request: Request,
    response: Response,
    idempotency_key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            pattern=IDEMPOTENCY_KEY_PATTERN,
            description=(
                "A name that you choose for this request, 1 to 200 characters. Repeat a request under its key if "
                "the response was lost: it creates nothing new and returns the first result. The same API key gets "
                "secrets of the response again for a day."
            ),
            examples=["trial-1954-registration"],
        ),
    ] = None,
) -> Creation:
    return Creation(presented_key(request.headers.get("Authorization")), idempotency_key, response)


CreationDependency = Annotated[Creation, Depends(get_creation)]
