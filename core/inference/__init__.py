"""What an analyst may conclude from a release: the noise-aware posterior, comparisons, and the best point posterior."""

from core.inference.comparison import greater
from core.inference.counts import InferenceError
from core.inference.likelihood import Event
from core.inference.mixture import BetaMixture, ProbabilityError
from core.inference.posterior import Estimate, NoiseAwarePosterior, infer

__all__ = ["BetaMixture", "Estimate", "Event", "InferenceError", "NoiseAwarePosterior", "ProbabilityError", "greater", "infer"]
