"""Posteriors and pictures of noisy tables as functions from text to text, for computation processes."""

from __future__ import annotations

from service.schemas import tables as schema
from service.tables import pictures, posteriors


def posterior(text: str) -> str:
    """Return the JSON text of a TablePosterior. Raises the errors of `posteriors.summarise`."""
    return posteriors.summarise(schema.TablePosteriorRequest.model_validate_json(text)).model_dump_json()


def picture(text: str) -> str:
    """Return an SVG document. Raises the errors of `pictures.picture`."""
    return pictures.picture(schema.TablePicture.model_validate_json(text))
