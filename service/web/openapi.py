"""The OpenAPI document: its description and tags, and the interactive documentation. `service.web.published`
does the rest.
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any, Final, NamedTuple

import fastapi_offline
from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from starlette.routing import BaseRoute, Route

from service.web.published import published

DESCRIPTION = """\
A data owner registers a histogram of sensitive counts and a privacy budget. An analyst asks for the Bayesian posterior
under a Beta or Dirichlet prior. The service releases a differentially private posterior. A certificate states its
proven privacy loss, and the budget is charged exactly that.

Differential privacy makes a release random, so that no single record changes the probability of any result by much.
Epsilon and delta bound that change; smaller values protect more.

Amounts are decimal texts; a JSON number is accepted too, and rounded down to the unit. Other texts must contain a
visible character, and no control characters or other invisible marks.

Operations that spend budget need an `Idempotency-Key`; repeating a request under its key is
free. Every error of the application states whether budget was charged and whether the request can be sent again.
Every response of the application has an `X-Request-Id`, by which the operator finds the request in the log.
"""

TAGS = [
    {
        "name": "releases",
        "description": ("Differentially private posteriors. Creating one spends budget; reading it is free."),
    },
    {
        "name": "posteriors",
        "description": (
            "Noise-aware posteriors: the distribution of the categories' shares given releases and their noise, or a "
            "noisy table that somebody published. Free: they use only what was already released."
        ),
    },
    {
        "name": "margins",
        "description": (
            "Several small tables of one cross table for one charge. They are measured as margins with independent "
            "noise, and combined so that they agree."
        ),
    },
    {
        "name": "estimates",
        "description": ("Weighted sums and tables of the counts, estimated from all releases that you may read. Free."),
    },
    {
        "name": "queries",
        "description": (
            "Weighted sums of the counts, answered from earlier releases or by new measurements. You state the "
            "width and the confidence of the interval that you need."
        ),
    },
    {
        "name": "plans",
        "description": ("Predicted cost and accuracy of a release, computed from made-up counts. Free."),
    },
    {
        "name": "certificates",
        "description": (
            "Proven privacy losses of a mechanism, for a number of categories and records. Each is computed once, "
            "from public parameters."
        ),
    },
    {
        "name": "jobs",
        "description": (
            "Free computations that exceed the time of a request. The operation returns 202 with a job, whose "
            "result is fetched later."
        ),
    },
    {"name": "datasets", "description": "Registered histograms. The API never returns their counts."},
    {
        "name": "access",
        "description": ("Data sets that owners listed for all analysts, and requests for access to them. Free."),
    },
    {
        "name": "budgets",
        "description": "Privacy budgets: limits, spending, and the ledger of charges and changes.",
    },
    {"name": "grants", "description": "Grants: the part of a budget that an analyst may spend on a data set."},
    {"name": "principals", "description": "Principals: the people and programs that hold API keys."},
    {"name": "keys", "description": "API keys. Only the response that creates a key shows its secret."},
    {"name": "service", "description": "Health, the public key, and the types of problems."},
]

_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Private Posterior</title>
<link rel="stylesheet" href="{root}/docs/assets/swagger-ui.css">
<link rel="icon" href="{root}/docs/assets/favicon.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="{root}/docs/assets/swagger-ui-bundle.js"></script>
<script src="{root}/docs/start.js"></script>
</body>
</html>
"""
_START: Final = """\
SwaggerUIBundle({
  url: new URL("../openapi.json", document.currentScript.src).href,
  dom_id: "#swagger-ui",
  deepLinking: true,
  showExtensions: true,
  showCommonExtensions: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIBundle.SwaggerUIStandalonePreset],
});
"""


def publish(app: FastAPI) -> None:
    """Serve the published form of the OpenAPI document, and render it once: anyone can request it, and rendering takes
    10 ms of the event loop.
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
        root_path = request.scope.get("root_path", "")  # `root_path` is a setting
        if root_path not in documents:
            documents[root_path] = _Document.of((await written(request)).body)
        return documents[root_path].response(request)

    app.router.routes[place] = Route(str(app.openapi_url), document, include_in_schema=False)


def add_interactive(app: FastAPI) -> None:
    """Add `/docs` to the application: Swagger UI, from the files of `fastapi-offline`. The page has no inline code, so
    its content policy can forbid injected code.
    """

    async def docs(request: Request) -> HTMLResponse:
        return HTMLResponse(_PAGE.format(root=request.scope.get("root_path", "")))  # `root_path` is a setting

    async def docs_start(_: Request) -> Response:
        return Response(_START, media_type="text/javascript")

    app.add_route("/docs", docs, include_in_schema=False)
    app.add_route("/docs/start.js", docs_start, include_in_schema=False)
    app.mount("/docs/assets", StaticFiles(directory=Path(fastapi_offline.__file__).parent / "static"))


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
