"""Posteriors, comparisons and pictures as functions from text to text, for computation processes. Their inputs are
released values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from core.mechanisms.noisy_counts import NoisyCounts
from service.channels.events import event_from_json, event_to_json
from service.posteriors import comparisons, pictures, posteriors
from service.posteriors.read_releases import ReadRelease, of_document
from service.schemas import posteriors as schema


def order(*releases: ReadRelease, request: str) -> str:
    """Return the input of the functions below: releases, and a request as JSON."""
    return json.dumps({"releases": [_written(release) for release in releases], "request": request})


def order_of_public(text: str, margin: Sequence[str] | None, *, request: str) -> str:
    """Return the input of the functions below about a public text, which the computation parses."""
    return f'{{"public":{text},"margin":{json.dumps(margin)},"request":{json.dumps(request)}}}'


def posterior(text: str) -> str:
    """Return the JSON text of a Posterior. Raises the errors of `posteriors.summarise`."""
    (release,), request = _read(text)
    return posteriors.summarise(release, schema.PosteriorRequest.model_validate_json(request)).model_dump_json()


def pooled_posterior(text: str) -> str:
    """Return the JSON text of a PosteriorOfReleases. Raises the errors of `posteriors.summarise_pool`."""
    releases, request = _read(text)
    return posteriors.summarise_pool(releases, schema.PooledRequest.model_validate_json(request)).model_dump_json()


def comparison(text: str) -> str:
    """Return the JSON text of a Comparison. Raises the errors of `comparisons.compare`."""
    (first, second), request = _read(text)
    return comparisons.compare(first, second, schema.ComparisonCreate.model_validate_json(request)).model_dump_json()


def picture(text: str) -> str:
    """Return an SVG document. Raises the errors of `pictures.picture`."""
    (release,), request = _read(text)
    return pictures.picture(release, schema.PictureRequest.model_validate_json(request))


def _written(release: ReadRelease) -> dict[str, Any]:
    plain = {field.name: getattr(release, field.name) for field in fields(release)}
    return plain | {"event": event_to_json(release.event), "counts": release.counts.to_json()}


def _read(text: str) -> tuple[list[ReadRelease], str]:
    content = json.loads(text)
    if "public" in content:
        return [of_document(content["public"], content["margin"])], content["request"]
    releases = [
        ReadRelease(**each | {"event": event_from_json(each["event"]), "counts": _counts(each["counts"])})
        for each in content["releases"]
    ]
    return releases, content["request"]


def _counts(plain: dict[str, list[int]]) -> NoisyCounts:
    return NoisyCounts(tuple(plain["noisy"]), tuple(plain["on_simplex"]))
