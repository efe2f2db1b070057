"""Each contrast of two shares is computed, asked for and shown under one name."""

from __future__ import annotations

from core.inference.contrast_scales import Contrast
from private_posterior.figures import PICTURES
from private_posterior.wording import CONTRASTS
from service.console.planning import CONTRASTS as PLANNED
from service.console.questions import KINDS
from service.posteriors.words import TITLES
from service.schemas.cells import CONTRAST_KINDS
from service.schemas.trials import TrialFigures


def test_each_contrast_has_the_same_name_in_every_place() -> None:
    assert tuple(Contrast) == CONTRAST_KINDS == CONTRASTS == PLANNED == tuple(TITLES)
    assert set(Contrast) <= KINDS.keys() & PICTURES.keys() & TrialFigures.model_fields.keys()
