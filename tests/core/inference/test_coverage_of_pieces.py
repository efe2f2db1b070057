"""How often intervals by pieces contain the truth, if the outcome is rare and the pieces have many cells."""

from __future__ import annotations

import math
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from core.cells import CellSet
from core.inference.contrast_scales import Contrast
from core.inference.events import Share, contrast_distributions, share_distribution
from core.inference.sources import Answers, source_of_releases, tree_of
from core.inference.strata import sets_of, stratified_contrast
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy

_TABLES: Final = 400
_HELD: Final = 340
_TRIAL: Final = ((18_198, 8), (18_325, 162))
"""People and cases of each arm: the published vaccine trial."""
_STRATA: Final = 20
_COMBINATIONS: Final = [(ill, arm, stratum) for ill in (0, 1) for arm in (0, 1) for stratum in range(_STRATA)]
_ROOT: Final = Path(__file__).parents[3]


def _seed() -> int:
    """Return a seed that changes with each commit, so that no seed is chosen; a fixed one without git."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=_ROOT, capture_output=True, text=True, check=False)
    return int.from_bytes(sha256((done.stdout.strip() or "no commit").encode()).digest()[:6])


def _cells(ill: int | None, arm: int) -> CellSet:
    return frozenset(
        cell for cell, (of_ill, of_arm, _) in enumerate(_COMBINATIONS) if of_arm == arm and ill in (None, of_ill)
    )


_RISKS: Final = tuple(Share(_cells(0, arm), _cells(None, arm)) for arm in (0, 1))
_ILL: Final = Share(_cells(0, 0) | _cells(0, 1))


def _in_stratum(share: Share, stratum: int) -> Share:
    inside = frozenset(cell for cell, each in enumerate(_COMBINATIONS) if each[2] == stratum)
    assert share.given is not None
    return Share(share.cells & inside, share.given & inside)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("epsilon", ["0.3", "1", "3"])
@pytest.mark.parametrize("is_even", [True, False])
def test_intervals_by_pieces_hold_a_rare_outcome_in_a_table_of_eighty_cells(epsilon: str, is_even: bool) -> None:  # noqa: FBT001
    rng = np.random.default_rng([_seed(), round(10 * float(epsilon)), is_even])
    shares = np.full(_STRATA, 1.0 / _STRATA) if is_even else np.arange(1.0, _STRATA + 1) / (_STRATA * (_STRATA + 1) / 2)
    held = dict.fromkeys(("share", "difference", "ratio", "Mantel-Haenszel"), 0)
    for _ in range(_TABLES):
        counts = np.empty((2, 2, _STRATA), dtype=np.int64)
        for arm, (people, cases) in enumerate(_TRIAL):
            counts[0, arm] = rng.multinomial(cases, shares)
            counts[1, arm] = rng.multinomial(people - cases, shares)
        event = SimplexGeometric(int(counts.sum()), counts.size, Epsilon.parse(epsilon))
        (release,) = rehearse(event, counts.ravel(), 1, SeededEntropy(int(rng.integers(2**53))))
        answers = Answers.by_pieces(source_of_releases([(event, release)]), tree_of(_COMBINATIONS))
        (a, b), (c, d) = ((cases, people - cases) for people, cases in _TRIAL)
        posterior, (ill,) = answers.of(_ILL)
        found = [(share_distribution(posterior, ill), (a + c) / (a + b + c + d))]
        posterior, (first, second) = answers.of(*_RISKS)
        contrasts = contrast_distributions(posterior, first, second, [Contrast.DIFFERENCE, Contrast.RATIO])
        risks = a / (a + b), c / (c + d)
        found += zip(contrasts, (risks[0] - risks[1], risks[0] / risks[1]), strict=True)
        pairs = [(_in_stratum(_RISKS[0], each), _in_stratum(_RISKS[1], each)) for each in range(_STRATA)]
        joint = answers.strata(_RISKS, [cells for pair in pairs for cells in sets_of(pair)])
        _, adjusted = stratified_contrast(joint, pairs, Contrast.ODDS_RATIO)
        # The same shares of strata in both arms, and of cases: the adjusted odds ratio is the crude one.
        found.append((adjusted.mantel_haenszel, a * d / (b * c)))
        for name, (answered, truth) in zip(held, found, strict=True):
            low, high = answered.distribution.interval(0.95)
            held[name] += low <= truth <= (math.inf if math.isinf(high) else high)
    print(epsilon, is_even, held)  # noqa: T201  for `pytest -rP`
    assert min(held.values()) >= _HELD, held
