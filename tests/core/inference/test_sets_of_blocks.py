"""Sets of labels of a margin whose labels share one draw of noise, against the sum over all noise."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import special

from core.cells import CellSet
from core.inference.counts import InferenceError
from core.inference.events import Share, share_distribution
from core.inference.posterior import NoiseAwarePosterior
from core.inference.sources import Answers, source_of_releases, tree_of
from core.mechanisms.blocks import Blocks, rehearse
from core.mechanisms.noisy_counts import NoisyCounts, nearest_on_simplex
from core.privacy import Epsilon
from core.samplers.reproducible import Reproducible

N = 30
NOISY = (11, -2, 14, 7)
EVENT = Blocks(N, (4, 2), frozenset(), (((0,), (1,)),), (Epsilon.parse("1"),))
REACH = 34


def law_of_sum(labels: int) -> dict[int, float]:
    """P(z_1 + … + z_labels = t), up to a constant: ε is 1, and e^(−max ½Σ|z|) over both tables is the weight."""
    sizes, found = np.arange(3 * REACH + 1), dict[int, float]()
    of_size = np.exp(-np.maximum(sizes[:, None], np.abs(np.arange(-200, 201)))).sum(axis=1)
    first = np.array(list(product(range(-REACH, REACH + 1), repeat=3)))
    all_four = np.column_stack([first, -first.sum(axis=1)])
    sums, weights = all_four[:, :labels].sum(axis=1), of_size[np.abs(all_four).sum(axis=1) // 2]
    for value in np.unique(sums).tolist():
        found[value] = float(weights[sums == value].sum())
    return found


def answers(prior: list[float] | None = None, *others: tuple[int, ...]) -> Answers:
    releases = [(EVENT.of_margin(0), NoisyCounts(each, nearest_on_simplex(each, N))) for each in (NOISY, *others)]
    source, tree = source_of_releases(releases), tree_of([(level,) for level in range(4)])
    return Answers.by_pieces(source, tree) if prior is None else Answers.by_cells(source, prior, tree)


@pytest.mark.parametrize("cells", [frozenset({1}), frozenset({0, 2}), frozenset({0, 1, 3})], ids=str)
def test_a_set_of_labels_is_inferred_from_its_own_sum(cells: CellSet) -> None:
    for prior, others in ((None, ()), ([1.0, 0.5, 2.0, 1.0], ((9, 1, 12, 8),))):
        law, counts = law_of_sum(len(cells)), np.arange(N + 1)
        a = 0.5 if prior is None else sum(prior[cell] for cell in cells)
        b = 0.5 if prior is None else sum(prior) - a
        logs = (
            special.gammaln(a + counts)
            + special.gammaln(b + N - counts)
            - special.gammaln(1 + counts)
            - special.gammaln(1 + N - counts)
        )
        for noisy in (NOISY, *others):
            logs += [math.log(law[sum(noisy[cell] for cell in cells) - int(count)]) for count in counts]
        weights = np.exp(logs - logs.max())
        weights /= weights.sum()
        posterior, [share] = answers(prior, *others).of(Share(cells))
        found = share_distribution(posterior, share)
        assert found.distribution.mean == pytest.approx(float(weights @ (a + counts)) / (a + b + N), abs=1e-9)
        exact = float(weights @ special.betainc(a + counts, b + N - counts, 0.4))
        assert found.distribution.cdf(0.4) == pytest.approx(exact, abs=1e-9)


def test_each_label_has_a_share_and_two_sets_together_have_no_answer() -> None:
    found = answers()
    alone = [share_distribution(*_first_posterior(found, cell)).distribution.mean for cell in range(4)]
    assert [each.distribution.mean for each in found.shares()] == alone
    assert [round(float(each.mean)) for each in found.counts()[0]] == [11, 1, 14, 7]
    for shares in (
        [Share(frozenset({0})), Share(frozenset({1}))],
        [Share(frozenset({0}), frozenset({0, 1}))],
    ):
        with pytest.raises(InferenceError, match="one draw of noise"):
            found.of(*shares)
    with pytest.raises(InferenceError, match="one draw of noise"):
        found.draws(10, seed=1)


@pytest.mark.long
def test_intervals_of_sets_hold_the_share_as_often_as_their_level_says() -> None:
    """Shares of sets from Beta(½, ½), counts from the shares, and noise of three tables of three levels."""
    event = Blocks(40, (3, 3, 3), frozenset(), (((0,), (1,), (2,)),), (Epsilon.parse("1"),))
    rng, cells, held, runs = np.random.default_rng(3), frozenset({0, 2}), 0, 600
    entropy = Reproducible(4).entropy()
    for share in rng.beta(0.5, 0.5, runs).tolist():
        counts = np.zeros((3, 3, 3), dtype=np.int64)
        inside = int(rng.binomial(40, share))
        counts[0, 0, 0], counts[1, 1, 1] = inside, 40 - inside
        noisy = tuple(rehearse(counts.ravel(), event, entropy)[0].tolist())
        release = event.of_margin(0), NoisyCounts(noisy, nearest_on_simplex(noisy, 40))
        answers_of_set = Answers.by_pieces(source_of_releases([release]), tree_of([(level,) for level in range(3)]))
        posterior, [asked] = answers_of_set.of(Share(cells))
        low, high = share_distribution(posterior, asked).distribution.interval(0.95)
        held += low <= share <= high
    assert 551 <= held <= 588  # 570, and 3.5 standard deviations either way


def _first_posterior(found: Answers, cell: int) -> tuple[NoiseAwarePosterior, Share]:
    posterior, [share] = found.of(Share(frozenset({cell})))
    return posterior, share
