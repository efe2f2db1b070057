"""What a plan expects of intervals is what releases give."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.inference import infer
from core.inference.contrast_scales import Contrast
from core.inference.events import Share
from core.inference.noise_of_sums import law_of_sum as exact_law_of_sum
from core.inference.pieces import NoisyCells, posterior_of_pieces
from core.inference.product_counts import UnknownTotal
from core.mechanisms.catalogue import CountsEvent, certify, likelihood_of, rehearse
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import NoiseOnCounts
from core.mechanisms.private_size import PrivateSize
from core.planning import intervals
from core.planning.conditioned import draws_given
from core.planning.intervals import Asked, Expected, Guess, expected_intervals
from core.planning.noisy_sums import NoisySums, law_of_sum
from core.planning.questions import ContrastOfShares, share_of_cell
from core.privacy import Delta, Epsilon, Rho
from core.samplers.reproducible import Reproducible

E, R = Epsilon.parse, Rho.parse
MICRO = Delta.parse("1e-6")
RISKS = Share(frozenset({0}), frozenset({0, 1})), Share(frozenset({2}), frozenset({2, 3}))


def of_first(event: CountsEvent | None, guess: Guess, *, against: float | None = None) -> Expected:
    asked = Asked.at(share_of_cell(0), guess.counts, against)
    assert asked is not None
    (found,) = expected_intervals(event, guess, [asked], 0.95)
    return found


@pytest.mark.parametrize(
    ("counts", "epsilon", "drawn", "fixed"),
    [
        ((15, 5), None, (0.934762207428, 0.617176467415), (1.0, 1.0)),
        ((15, 5), "2", (0.950493026233, 0.611746660857), (0.999664537372, 0.880797079793)),
        ((15, 5), "1", (0.944596393485, 0.597494846656), (0.990148332088, 0.731091768638)),
        ((15, 5), "0.5", (0.981101249278, 0.313639527208), (0.988599259667, 0.230532913337)),
        ((40, 20), None, (0.943975437242, 0.755644374649), (1.0, 1.0)),
        ((40, 20), "1", (0.946552324506, 0.654624931294), (0.999509514336, 0.901061984295)),
        ((40, 20), "0.5", (0.947549732399, 0.548777365115), (0.988891003462, 0.622487590812)),
    ],
)
def test_two_categories_have_the_frequencies_of_all_releases(
    counts: tuple[int, int], epsilon: str | None, drawn: tuple[float, float], fixed: tuple[float, float]
) -> None:
    """Reference values by enumeration, with ½ a category: contains the guess, and lies on either side of ½."""
    event = None if epsilon is None else SimplexGeometric(sum(counts), 2, E(epsilon))
    for is_drawn, (contains, either_side) in ((True, drawn), (False, fixed)):
        guess = Guess(np.array(counts), drawn=is_drawn)
        assert of_first(event, guess).contains == pytest.approx(contains, abs=6e-13)
        null = Asked(share_of_cell(0), 0.5, 0.5)
        (found,) = expected_intervals(event, guess, [null], 0.95)
        assert found.decides == pytest.approx(either_side, abs=6e-13)
        on_the_side_of_the_guess = of_first(event, guess, against=0.5).decides
        assert on_the_side_of_the_guess is not None
        assert on_the_side_of_the_guess <= either_side


@pytest.mark.parametrize(
    ("counts", "epsilon", "rho", "widths"),
    [
        ((20, 80), "0.1", "0.004995837496", (0.4834, 0.3716)),
        ((50, 50), "0.3", "0.044665510087", (0.2659, 0.2307)),
        ((20, 80), "1", "0.462117157261", (0.1639, 0.1604)),
        ((300, 700), "0.02", "0.000199993334", (0.2978, 0.2034)),
        ((50, 50), "4", "3.856110320304", (0.1929, 0.1931)),
    ],
)
def test_gaussian_noise_is_narrower_at_the_same_rho_below_about_two(
    counts: tuple[int, int], epsilon: str, rho: str, widths: tuple[float, float]
) -> None:
    """Reference widths at fixed counts with 1 a category, by sums over all releases."""
    n, guess = sum(counts), Guess(np.array(counts), drawn=False, prior=1.0)
    events: list[CountsEvent] = [SimplexGeometric(n, 2, E(epsilon)), Gaussian(n, 2, R(rho), MICRO)]
    # Noise of less than a record is taken for continuous, which costs about a thousandth.
    for event, width in zip(events, widths, strict=True):
        assert of_first(event, guess).width == pytest.approx(width, abs=6e-5, rel=1.5e-3)


@pytest.mark.parametrize(
    ("event", "width"),
    [
        (SimplexGeometric(100, 4, E("0.3")), 0.3135),
        (Gaussian(100, 4, R("0.026959855665"), MICRO), 0.2680),
    ],
)
def test_gaussian_noise_is_narrower_at_the_same_rho_of_four_categories(event: CountsEvent, width: float) -> None:
    """Reference widths of the first share of (40, 30, 20, 10) with 1 a category, over simulated releases."""
    assert certify(event).loss.rho == R("0.026959855665")
    widths = []
    for released in rehearse(event, np.array([40, 30, 20, 10]), 400, Reproducible(1).entropy()):
        low, high = infer(event, released, [1.0] * 4).share(0).interval(0.95)
        widths.append(high - low)
    assert np.mean(widths) == pytest.approx(width, rel=0.01)


EVENTS: list[tuple[CountsEvent, str, float]] = [
    (SimplexGeometric(40, 6, E("1")), "geometric", 2.0),
    (Laplace(40, 6, E("0.8")), "floored_laplace", 2.5),
    (Gaussian(40, 6, R("0.1"), MICRO), "discrete_gaussian", math.sqrt(10.0)),
    (PrivateSize(6, "geometric", E("0.5")), "geometric", 2.0),
]


@pytest.mark.parametrize(("event", "law", "scale"), EVENTS)
@pytest.mark.parametrize("cells", [1, 2, 5, 40])
def test_the_noise_of_a_sum_has_its_exact_law(event: CountsEvent, law: str, scale: float, cells: int) -> None:
    likelihood = likelihood_of(event)
    assert isinstance(likelihood, NoiseOnCounts)
    found, exact = law_of_sum(likelihood.log_noise, cells, 1), exact_law_of_sum(law, np.full(cells, scale))
    assert exact is not None
    steps = found.low + np.arange(found.logs.size)
    expected = exact.log_law(steps.astype(np.float64))
    assert found.logs - found.logs.max() == pytest.approx(expected - expected.max(), abs=1e-2)
    near = found.logs > found.logs.max() - 10.0
    assert (found.logs - found.logs.max())[near] == pytest.approx((expected - expected.max())[near], abs=1e-8)


@pytest.mark.parametrize(("event", "law", "scale"), EVENTS)
def test_draws_of_pieces_have_the_moments_of_the_exact_posterior(event: CountsEvent, law: str, scale: float) -> None:
    pieces = (frozenset({0}), frozenset({1, 2}), frozenset({3, 4, 5}))
    likelihood = likelihood_of(event)
    assert isinstance(likelihood, NoiseOnCounts)
    sums = NoisySums.of(likelihood, pieces, event.n, 6, 128)
    rows = np.array([[3, 9, 28], [-6, 11, 33], [1, 30, 14]])
    (found,) = draws_given(event.n, 0.5, sums, rows[:, : len(sums.observed)], 4000, Reproducible(1))
    assert not found.unsure.any()
    laws, scales = np.full(6, law), np.full(6, scale)
    for row, drawn in zip(rows, found.counts, strict=True):
        values = np.array([row[0], row[1], 0, row[2], 0, 0], dtype=np.float64)
        values[5] = math.nan if isinstance(event, Laplace) else 0.0
        observed = NoisyCells(values, laws, scales).sums(pieces)
        assert observed is not None
        exact = posterior_of_pieces([observed], 0.5, UnknownTotal() if event.n is None else event.n)
        for place, marginal in enumerate(exact.counts.marginals()):
            counts = marginal.low + np.arange(marginal.probabilities.size)
            mean = float(marginal.probabilities @ counts)
            deviation = math.sqrt(float(marginal.probabilities @ (counts - mean) ** 2))
            assert drawn[:, place].mean() == pytest.approx(mean, abs=0.1 * deviation)
            assert drawn[:, place].std() == pytest.approx(deviation, rel=0.08)


def test_figures_of_one_trial_have_one_power_and_exact_counts_have_the_most() -> None:
    guess = Guess(np.array([20, 80, 35, 65]))
    asked = [Asked.at(ContrastOfShares(*RISKS, each), guess.counts) for each in Contrast]
    known = [each for each in asked if each is not None]
    powers = []
    for event in (SimplexGeometric(200, 4, E("0.3")), SimplexGeometric(200, 4, E("1")), None):
        found = expected_intervals(event, guess, known, 0.95)
        assert min(each.contains for each in found) > 0.9
        decides = [each.decides for each in found if each.decides is not None]
        assert max(decides) - min(decides) <= 0.01
        powers.append(decides[0])
    # By the normal approximation without noise 0.66; with fixed counts it would be 1.
    assert powers == sorted(powers)
    assert powers[2] == pytest.approx(0.66, abs=0.06)
    fixed = expected_intervals(None, Guess(guess.counts, drawn=False), known, 0.95)
    assert (fixed[0].contains, fixed[0].decides) == (1.0, 1.0)


def test_a_contrast_at_practically_no_noise_has_the_width_of_exact_counts() -> None:
    guess = Guess(np.array([400, 3600, 800, 3200]), drawn=False)
    variance = {
        Contrast.DIFFERENCE: 0.1 * 0.9 / 4000 + 0.2 * 0.8 / 4000,
        Contrast.RATIO: 1 / 400 - 1 / 4000 + 1 / 800 - 1 / 4000,
        Contrast.ODDS_RATIO: 1 / 400 + 1 / 3600 + 1 / 800 + 1 / 3200,
    }
    for contrast, of in variance.items():
        asked = Asked.at(ContrastOfShares(*RISKS, contrast), guess.counts)
        assert asked is not None
        for event in (SimplexGeometric(8000, 4, E("40")), None):
            (found,) = expected_intervals(event, guess, [asked], 0.95)
            assert found.width == pytest.approx(2 * 1.96 * math.sqrt(of), rel=0.04)
            assert (found.low + found.high) / 2 == pytest.approx(asked.guess, abs=0.05 * found.width)


def test_how_finely_the_rest_is_cut_matters_little() -> None:
    """The same share of one cell in tables of 3, 40 and 800 cells."""
    widths = []
    for m in (3, 40, 800):
        counts = np.array([3000, *np.diff(np.linspace(3000, 10_000, m).astype(np.int64)).tolist()])
        event = Gaussian(10_000, m, R("0.0005"), MICRO)
        widths.append(of_first(event, Guess(counts, drawn=False)).width)
    assert widths[0] <= widths[1] <= widths[2] * 1.001
    assert widths[2] == pytest.approx(widths[1], rel=0.02)


def test_wide_noise_in_steps_of_several_records_gives_about_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    event, guess = SimplexGeometric(30_000, 3, E("0.002")), Guess(np.array([9000, 6000, 15_000]))
    coarse = of_first(event, guess)
    monkeypatch.setattr(intervals, "_STEPS_OF_TWO", 1 << 20)
    fine = of_first(event, guess)
    assert coarse.width == pytest.approx(fine.width, rel=0.01)
    assert coarse.contains == pytest.approx(fine.contains, abs=0.01)


def test_a_guess_of_no_case_has_no_interval() -> None:
    for counts in ([0, 5], [5, 0]):
        assert Asked.at(share_of_cell(0), np.array(counts)) is None
    ratio = ContrastOfShares(*RISKS, Contrast.RATIO)
    assert Asked.at(ratio, np.array([0, 5, 3, 4])) is None
    assert Asked.at(ratio, np.array([1, 5, 0, 4])) is None
    assert Asked.at(ContrastOfShares(*RISKS, Contrast.ODDS_RATIO), np.array([1, 0, 1, 4])) is None


@pytest.mark.every(3)
@pytest.mark.parametrize("epsilon", ["0.0001", "50"])
@pytest.mark.parametrize("counts", [[1, 1], [1, 0, 1], [10**12, 3, 10**9], [1, 10**15 - 1]])
def test_extreme_guesses_have_an_interval(counts: list[int], epsilon: str) -> None:
    guess = Guess(np.array(counts))
    for event in (
        SimplexGeometric(sum(counts), len(counts), E(epsilon)),
        PrivateSize(len(counts), "laplace", E(epsilon)),
    ):
        of = Guess(guess.counts, is_size_private=event.n is None)
        found = of_first(event, of)
        assert 0.0 < found.width < 1.0
        assert 0.0 <= found.low < found.high <= 1.0
        assert 0.5 < found.contains <= 1.0
