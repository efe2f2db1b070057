"""The service with a mechanism that is broken on purpose, to be caught by the privacy audit.

AUDITED_VARIANT=half_the_scale python -m tests.harness.broken_service serve

With the argument `draw` it is its own draw process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms.catalogue import Event, certify
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.geometric.mechanism import SimplexGeometric, simplex_noise
from core.privacy import Epsilon
from core.samplers.entropy import Entropy
from service.channels import certified, mechanisms
from service.cli import main as cli
from service.drawing import draw
from service.drawing.__main__ import main as draw_orders
from service.schemas.mechanisms import Mechanism
from tests.harness.process import draw_with

Noise = Callable[[SimplexGeometric, Entropy], NDArray[np.int64]]


def half_the_scale(event: SimplexGeometric, entropy: Entropy) -> NDArray[np.int64]:
    """Noise for twice the epsilon."""
    return simplex_noise(SimplexGeometric(event.n, event.m, Epsilon(2 * event.epsilon.units)), entropy)


def bounded_support(event: SimplexGeometric, entropy: Entropy) -> NDArray[np.int64]:
    """Noise of at most one record, so that the possible outputs depend on the counts."""
    while abs((noise := simplex_noise(event, entropy))[0]) > 1:
        pass
    return noise


def release_within_bounds(counts: object, event: SimplexGeometric, entropy: Entropy) -> object:
    """Noise drawn again until the noisy counts lie in [0, n]: clipped before it is added, so that the normaliser
    depends on the counts.
    """
    while min((released := _RELEASE(counts, event, entropy)).value.noisy) < 0:  # type: ignore[arg-type]  # handed through as it came
        pass
    return released


def for_one_record(mechanism: Mechanism, records: int) -> Mechanism:
    """Noise for one record, whatever one unit has."""
    return mechanism


def certify_one(event: Event, records: int) -> Certificate:
    """The loss of one record, certified for a unit of several."""
    return certify(event)


_RELEASE = simplex_geometric.release
VARIANTS = ("sound", "half_the_scale", "bounded_support", "clip_before_noise")


def plant(variant: str) -> None:
    match variant:
        case "half_the_scale":
            simplex_geometric.simplex_noise = half_the_scale
        case "bounded_support":
            simplex_geometric.simplex_noise = bounded_support
        case "forgets_the_unit":
            mechanisms._for_one_record = for_one_record
            certified.certify_unit = draw.certify_unit = certify_one  # type: ignore[attr-defined]  # likewise
        case "clip_before_noise":
            simplex_geometric.release = release_within_bounds  # type: ignore[assignment]  # broken on purpose
        case _:
            assert variant == "sound"


if __name__ == "__main__":
    plant(os.environ["AUDITED_VARIANT"])
    if sys.argv[1:] == ["draw"]:
        draw_orders()
    else:
        draw_with(sys.executable, "-m", "tests.harness.broken_service", "draw")
        cli.main()
