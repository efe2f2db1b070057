"""Inference from a release: the noise-aware posterior, comparisons of shares, and the best point posterior."""

from core.inference.counts import InferenceError
from core.inference.distribution import ProbabilityError
from core.inference.likelihood import unavailable_reason
from core.inference.mixture import BetaMixture
from core.inference.posterior import Estimate, NoiseAwarePosterior, infer, pool
from core.inference.remap import PointPosterior, remap

__all__ = [
    "BetaMixture",
    "Estimate",
    "InferenceError",
    "NoiseAwarePosterior",
    "PointPosterior",
    "ProbabilityError",
    "infer",
    "pool",
    "remap",
    "unavailable_reason",
]
