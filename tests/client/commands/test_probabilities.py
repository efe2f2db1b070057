"""People see a probability with the digits that its error allows, on the command line and in the console."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from private_posterior.commands.show import probability_text
from service.console.answers import sides_of

if TYPE_CHECKING:
    from private_posterior.models import ProbabilityAbove

NEARLY_0, NEARLY_1 = 1 / 160_002, 160_001 / 160_002


def above(probability: float, error: float, method: Literal["exact", "simulation"]) -> ProbabilityAbove:
    return {"probability": probability, "error": error, "method": method, "draws": None, "threshold": 1.0}


def test_a_probability_is_never_0_or_1_and_has_no_more_digits_than_its_error_allows() -> None:
    cases = {
        (NEARLY_0, 6e-6, "simulation"): ("below 0.001, simulated", "below 1 with probability above 0.999, simulated"),
        (NEARLY_1, 6e-6, "simulation"): ("above 0.999, simulated", "above 1 with probability above 0.999, simulated"),
        (NEARLY_0, 0.0067, "simulation"): ("below 0.01, simulated", "below 1 with probability above 0.99, simulated"),
        (1e-30, 0.0, "exact"): ("below 0.001", "below 1 with probability above 0.999"),
        (0.0, 1e-9, "exact"): ("below 0.001", "below 1 with probability above 0.999"),
        (0.123456, 1e-9, "exact"): ("0.123", "below 1 with probability 0.877, above it with 0.123"),
        (0.123456, 0.001, "exact"): ("0.123", "below 1 with probability 0.877, above it with 0.123"),
        (0.12345, 0.0067, "simulation"): (
            "0.12, simulated", "below 1 with probability 0.88, above it with 0.12, simulated"
        ),
        (0.123456, 0.3, "simulation"): ("0.1, simulated", "below 1 with probability 0.9, above it with 0.1, simulated"),
    }  # fmt: skip
    for (probability, error, method), said in cases.items():
        found = above(probability, error, "exact" if method == "exact" else "simulation")
        assert (probability_text(found), sides_of(found)) == said
