"""Posteriors, comparisons and pictures as functions from text to text, for computation processes. Their inputs are
released values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import fields
from typing import Any

from core.mechanisms.noisy_counts import NoisyCounts
from service.channels.events import event_from_json, event_to_json
from service.errors import NotSupported, error_location
from service.posteriors import comparisons, pictures, posteriors
from service.posteriors.read_releases import ReadRelease, of_document
from service.posteriors.read_tables import ReadTable
from service.posteriors.sources import Given, table_of
from service.schemas import posteriors as schema


def order(*sides: Given, request: str) -> str:
    """Return the input of the functions below: the releases of each posterior, and a request as JSON, which has the
    noisy tables.
    """
    written = [[] if isinstance(side, ReadTable) else [_release_json(release) for release in side] for side in sides]
    return json.dumps({"sides": written, "request": request})


def order_of_public(texts: Sequence[str], *, request: str) -> str:
    """Return the input of the functions below about public texts, which the computation parses."""
    return f'{{"public":[{",".join(texts)}],"request":{json.dumps(request)}}}'


def posterior(text: str) -> str:
    """Return the JSON text of a Posterior. Raises the errors of `posteriors.summarise`."""
    content = _content(text)
    request = schema.PosteriorCreate.model_validate_json(content["request"])
    return posteriors.summarise(_given_sources(content, request), request).model_dump_json()


def picture(text: str) -> str:
    """Return an SVG document. Raises the errors of `pictures.picture`."""
    content = _content(text)
    request = schema.PosteriorCreate.model_validate_json(content["request"])
    assert request.picture is not None, "a picture was asked for"
    return pictures.picture(_given_sources(content, request, is_alone=True), request, request.picture)


def comparison(text: str) -> str:
    """Return the JSON text of a Comparison. Raises the errors of `comparisons.compare`."""
    content = _content(text)
    request = schema.ComparisonCreate.model_validate_json(content["request"])
    sides = list[Given]()
    for side, asked, name in zip(content["sides"], (request.first, request.second), comparisons.SIDES, strict=True):
        with error_location(name):
            sides.append(table_of(asked.sources) or [_parse_release(each) for each in side])
    return comparisons.compare(sides[0], sides[1], request).model_dump_json()


def _content(text: str) -> dict[str, Any]:
    """Return the parsed input. Raises NotSupported for a job of version 0.2."""
    content: dict[str, Any] = json.loads(text)
    if not content.keys() & {"sides", "public"}:
        raise NotSupported("Version 0.2 of the service began this job. Send the request again.")
    return content


def _given_sources(content: dict[str, Any], request: schema.PosteriorCreate, *, is_alone: bool = False) -> Given:
    """Return the sources of one posterior. `is_alone`: the request names one release outside of `sources`."""
    if "public" in content:
        found = []
        for index, (text, source) in enumerate(zip(content["public"], request.sources, strict=True)):
            assert isinstance(source, schema.ReleaseSource), "tables need a key"
            with nullcontext() if is_alone else error_location(f"sources[{index}]"):
                found.append(of_document(text, source.margin))
        return found
    return table_of(request.sources) or [_parse_release(each) for each in content["sides"][0]]


def _release_json(release: ReadRelease) -> dict[str, Any]:
    plain = {field.name: getattr(release, field.name) for field in fields(release)}
    return plain | {"event": event_to_json(release.event), "counts": release.counts.to_json()}


def _parse_release(plain: dict[str, Any]) -> ReadRelease:
    return ReadRelease(**plain | {"event": event_from_json(plain["event"]), "counts": _counts(plain["counts"])})


def _counts(plain: dict[str, list[int]]) -> NoisyCounts:
    return NoisyCounts(tuple(plain["noisy"]), tuple(plain["on_simplex"]))
