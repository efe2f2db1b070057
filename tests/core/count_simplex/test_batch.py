import numpy as np
import pytest

from core.count_simplex import Window, batch, condition_on_total
from core.count_simplex.batch import draw_many
from core.samplers.reproducible import Reproducible
from tests.core.chi_square import assert_accepts, assert_rejects
from tests.core.inference.reference import histograms

WEIGHTS = [
    np.array([0.2, -1.0, -0.5, 0.1, -2.0, 0.0, -3.0]),
    np.linspace(0, 2, 7),
    np.array([-1.0, 0.5, -1.0, 0.5, -1.0, 0.5, -1.0]),
    np.zeros(7),
]


@pytest.mark.parametrize(
    ("common", "rounds"),
    [(32, 0), (0, 0), (0, 1), (0, 32)],
    ids=["by a common table", "by tables", "by both", "by proposals"],
)
@pytest.mark.parametrize("m", [2, 3, 4])
def test_many_draws_follow_the_conditional_distribution(
    m: int, common: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "_ENTRIES_OF_A_DRAW", common)
    monkeypatch.setattr(batch, "_MAX_ROUNDS", rounds)
    distribution = condition_on_total([Window(0, logs) for logs in WEIGHTS[:m]], 6)
    vectors = histograms(6, m)
    weights = np.exp(sum(logs[vectors[:, i]] for i, logs in enumerate(WEIGHTS[:m])))
    index = {tuple(v): k for k, v in enumerate(vectors.tolist())}
    draws = [index[tuple(v)] for v in draw_many(distribution, 30_000, Reproducible(1)).tolist()]
    assert_accepts(draws, dict(enumerate(weights / weights.sum())))
    assert_rejects(draws, dict(enumerate(weights**1.3 / (weights**1.3).sum())))


@pytest.mark.parametrize("common", [32, 0])
def test_windows_that_start_high_and_many_categories_keep_the_total(
    common: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "_ENTRIES_OF_A_DRAW", common)
    windows = [Window(100 * i, np.linspace(0, -3, 50 + i)) for i in range(30)]
    total = sum(window.low for window in windows) + 300
    draws = draw_many(condition_on_total(windows, total), 200, Reproducible(2))
    assert draws.shape == (200, 30)
    assert (draws.sum(axis=1) == total).all()
    assert all(window.low <= draws[:, i].min() and draws[:, i].max() <= window.high for i, window in enumerate(windows))


@pytest.mark.parametrize("common", [32, 0])
def test_a_total_far_from_both_halves_is_split_by_its_distribution(
    common: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a peak is far from the required total, hardly any proposal is accepted."""
    monkeypatch.setattr(batch, "_ENTRIES_OF_A_DRAW", common)
    t = np.arange(101.0)
    logs = [-0.5 * (t / 2.0) ** 2, -0.5 * ((100 - t) / 2.5) ** 2, -0.5 * (t / 3.0) ** 2]
    distribution = condition_on_total([Window(0, each) for each in logs], 130)
    vectors = histograms(130, 3)
    vectors = vectors[(vectors <= 100).all(axis=1)]
    weights = np.exp(sum(each[vectors[:, i]] for i, each in enumerate(logs)) + 200.0)
    index = {tuple(v): k for k, v in enumerate(vectors.tolist())}
    drawn = draw_many(distribution, 20_000, Reproducible(3))
    first = {int(k): float(weights[vectors[:, 0] == k].sum()) for k in range(101)}
    total = sum(first.values())
    assert_accepts(drawn[:, 0].tolist(), {k: weight / total for k, weight in first.items()})
    assert all(tuple(v) in index for v in drawn.tolist())
