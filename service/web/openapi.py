"""Words the OpenAPI document: what the API is, its tags and the ids of its operations; `service.web.published` does
the rest.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from service.web.published import published

DESCRIPTION = """\
A data owner registers a histogram of sensitive counts and a privacy budget. An analyst asks for the Bayesian posterior under a Beta or Dirichlet
prior. The service computes it inside, releases a differentially private one with a certificate of what was proven, and charges the budget just that.

Amounts are decimal texts. Operations that spend budget need an `Idempotency-Key`; repeating a request under its key is free. Every error says whether
budget was charged and whether the same request can be sent again.
"""

TAGS = [
    {
        "name": "releases",
        "description": "Private posteriors: the one operation that spends budget, and reading what it gave, which is free.",
    },
    {
        "name": "posteriors",
        "description": ("Noise-aware posteriors of the shares. Free: it is computed from what was released."),
    },
    {
        "name": "queries",
        "description": (
            "Weighted sums of the counts, with an interval of the width and the confidence that you need, answered "
            "from what was released."
        ),
    },
    {"name": "plans", "description": "Before paying: what a release would cost and be worth, at made-up counts. Free."},
    {
        "name": "certificates",
        "description": "What is proven of a mechanism at a size; computed once, from public parameters.",
    },
    {"name": "datasets", "description": "Histograms: their counts go in and never come back."},
    {"name": "budgets", "description": "What may be spent, what was spent, and the ledger of every act."},
    {"name": "grants", "description": "What an analyst may spend of a budget on a data set."},
    {"name": "principals", "description": "Who may hold keys."},
    {"name": "keys", "description": "API keys: shown once, kept as hashes."},
    {"name": "service", "description": "Health, the public key, and the types of problems."},
]


def operation_id(route: APIRoute) -> str:
    return route.name


def publish(app: FastAPI) -> None:
    """Has the application answer with the published form of its OpenAPI document."""
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = published(generate())
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the documented way to change the document
