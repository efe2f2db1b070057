import numpy as np
import pytest

from core.mechanisms.exponential import calibrate_published, weights_at
from core.mechanisms.rehearsal import rehearse
from core.mechanisms.simplex_geometric import SimplexGeometric
from core.privacy import Delta, Epsilon
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts
from tests.core.inference.reference import events, release

COUNTS = np.array([30, 0, 50])


@pytest.mark.parametrize("event", [*events(80, 3, "0.5"), SimplexGeometric(20, 3, Epsilon.parse("0.5"))])
def test_a_rehearsal_is_what_a_release_of_the_made_up_counts_would_be(event: SimplexGeometric) -> None:
    counts = COUNTS if event.n == 80 else np.array([5, 0, 15])
    assert rehearse(event, counts, 1, SeededEntropy(3)) == (release(event, counts, SeededEntropy(3)),)


def test_the_exponential_mechanism_is_rehearsed_from_its_own_weights() -> None:
    event = calibrate_published(12, (1.0, 1.0), Epsilon.parse("1"), Delta.parse("0.000001"))
    weights = weights_at(event, np.array([3, 9])).astype(float)
    drawn = [run.noisy[0] for run in rehearse(event, np.array([3, 9]), 4000, SeededEntropy(1))]
    assert_accepts(drawn, dict(enumerate(weights / weights.sum())))


def test_a_large_space_is_rehearsed_without_enumeration() -> None:
    event = calibrate_published(3000, (1.0, 1.0, 1.0), Epsilon.parse("1"), Delta.parse("0.000001"))
    runs = rehearse(event, np.array([1000, 500, 1500]), 3, SeededEntropy(1))
    assert all(sum(run.on_simplex) == 3000 and min(run.on_simplex) >= 0 for run in runs)
