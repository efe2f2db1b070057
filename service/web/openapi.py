"""Words the OpenAPI document: what the API is, its tags and the ids of its operations; `service.web.published` does
the rest.
"""

from __future__ import annotations

import gzip
import hashlib
from typing import Any, NamedTuple

from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Route

from service.web.published import published

DESCRIPTION = """\
A data owner registers a histogram of sensitive counts and a privacy budget. An analyst asks for the Bayesian posterior
under a Beta or Dirichlet prior. The service computes the posterior inside and releases a differentially private one.
Each release comes with a certificate that states what was proven about it, and the budget is charged exactly that.

Differential privacy means that a release is random, and that no single record changes the probabilities of its results
by much. Epsilon and delta bound how much; smaller values protect more.

Amounts are decimal texts. Operations that spend budget need an `Idempotency-Key`; repeating a request under its key is
free. Every error of the application says whether budget was charged and whether the same request can be sent again.
Every answer of the application carries an id in `X-Request-Id`; the operator finds the request in the log by it.
"""

TAGS = [
    {
        "name": "releases",
        "description": ("Differentially private posteriors. Making one spends budget; reading it again is free."),
    },
    {
        "name": "posteriors",
        "description": (
            "Noise-aware posteriors: what releases say about the shares of the categories, with the noise "
            "accounted for. Free, since they are computed from what was already released."
        ),
    },
    {
        "name": "queries",
        "description": (
            "Weighted sums of the counts, answered from earlier releases. You state the width and the confidence "
            "of the interval that you need."
        ),
    },
    {
        "name": "plans",
        "description": (
            "What a release would cost and how accurate it would be, computed from made-up counts before you pay. Free."
        ),
    },
    {
        "name": "certificates",
        "description": (
            "What is proven of a mechanism for a given number of categories and records. Each is computed once, "
            "from public parameters."
        ),
    },
    {
        "name": "jobs",
        "description": (
            "Free computations that take longer than somebody waits. The operation answers 202 with a job, whose "
            "result is fetched later."
        ),
    },
    {"name": "datasets", "description": "Registered histograms. Their counts go in and never come out."},
    {
        "name": "access",
        "description": ("Data sets that their owners listed for all analysts, and requests for access to them. Free."),
    },
    {
        "name": "budgets",
        "description": "Privacy budgets: what may be spent, what was spent, and the ledger of every act.",
    },
    {"name": "grants", "description": "Grants: how much of a budget an analyst may spend on a data set."},
    {"name": "principals", "description": "Principals: the people and programs that hold API keys."},
    {"name": "keys", "description": "API keys. The answer that makes a key shows it; later it can't be read again."},
    {"name": "service", "description": "Health, the public key, and the types of problems."},
]


def operation_id(route: APIRoute) -> str:
    return route.name


def publish(app: FastAPI) -> None:
    """Has the application answer with the published form of its OpenAPI document, and write it once: anybody may ask
    for it, and writing it takes ten milliseconds of everybody's time.
    """
    generate, documents = app.openapi, dict[str, _Document]()

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = published(generate())
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the documented way to change the document
    if app.openapi_url is None:
        return
    place = next(place for place, route in enumerate(app.router.routes) if _path(route) == app.openapi_url)
    written = app.router.routes[place].endpoint  # type: ignore[attr-defined]  # it is a Route

    async def document(request: Request) -> Response:
        root_path = request.scope.get("root_path", "")  # a setting
        if root_path not in documents:
            documents[root_path] = _Document.of((await written(request)).body)
        return documents[root_path].response(request)

    app.router.routes[place] = Route(str(app.openapi_url), document, include_in_schema=False)


class _Document(NamedTuple):
    """The document as bytes, compressed once, with its entity tag."""

    text: bytes
    compressed: bytes
    tag: str

    @classmethod
    def of(cls, text: bytes) -> _Document:
        return cls(text, gzip.compress(text), f'W/"{hashlib.sha256(text).hexdigest()[:32]}"')

    def response(self, request: Request) -> Response:
        headers = {"ETag": self.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if self.tag in (each.strip() for each in request.headers.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self.compressed, media_type="application/json", headers=headers)
        return Response(self.text, media_type="application/json", headers=headers)


def _path(route: BaseRoute) -> str | None:
    return getattr(route, "path", None)
