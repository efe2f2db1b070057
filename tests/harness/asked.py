"""Requests for posteriors as the computations of the service take them, about releases and tables that a test made."""

from __future__ import annotations

from typing import Any

from service.posteriors import pictures, posteriors
from service.posteriors.read_releases import ReadRelease
from service.posteriors.sources import table_of
from service.schemas.posteriors import Posterior, PosteriorCreate, PosteriorPicture
from tests.harness.bodies import of_releases

_RELEASE = f"rel_{'a' * 26}"


def asked(**questions: Any) -> PosteriorCreate:
    """A request about a release."""
    return PosteriorCreate.model_validate(of_releases(_RELEASE) | questions)


def summarised(release: ReadRelease, **questions: Any) -> Posterior:
    return posteriors.summarise([release], asked(**questions))


def picture_of(release: ReadRelease, *, prior: Any = None, level: float = 0.95, **shown: Any) -> str:
    """The picture of a release."""
    request = asked(prior=prior, level=level)
    return pictures.picture([release], request, PosteriorPicture.model_validate(shown))


def of_table(body: dict[str, Any]) -> dict[str, Any]:
    """A request about a noisy table, from one body with the fields of the table and those of the questions."""
    fields = {name: body[name] for name in PosteriorCreate.model_fields if name in body}
    table = {name: value for name, value in body.items() if name not in fields}
    return {"sources": [{"kind": "table"} | table]} | fields


def summarised_table(body: dict[str, Any]) -> Posterior:
    request = PosteriorCreate.model_validate(of_table(body))
    given = table_of(request.sources)
    assert given is not None, "it is a table"
    return posteriors.summarise(given, request)
