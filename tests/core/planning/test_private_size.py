"""Plans at a guessed number of records, which a release would keep private."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.inference import infer
from core.inference.contrast_scales import Contrast
from core.inference.events import Share
from core.inference.posterior import NoiseAwarePosterior
from core.inference.weighted_releases import with_weighted_noise
from core.mechanisms import private_size
from core.mechanisms.private_size import Law, calibrate
from core.planning import private_size as planning
from core.planning.options import Problem
from core.planning.plans import Target, plan
from core.planning.questions import ContrastOfShares, Ends, Question, interval_without_noise, share_of_cell
from core.privacy import Delta, Epsilon
from core.samplers.reproducible import Reproducible

DELTA = Delta.parse("1e-6")
RISK = Share(frozenset({0}), frozenset({0, 1}))
OTHER_RISK = Share(frozenset({2}), frozenset({2, 3}))


def planned(
    law: Law, epsilon: str, counts: NDArray[np.int64], prior: NDArray[np.float64], question: Question
) -> tuple[float, float, float]:
    """Return the planned width and its standard error, and the mean width of the same releases' exact posteriors."""
    event = calibrate(law, counts.size, Epsilon.parse(epsilon), DELTA, 1)
    exact = [interval_without_noise(counts, prior, question, 0.9)]
    found = planning.interval_widths(event, counts, prior, [question], exact, level=0.9)
    assert found.unavailable is None
    likelihood = private_size.likelihood(event)
    some = with_weighted_noise(likelihood, counts, range(counts.size), found.rehearsals, Reproducible(0))
    ends = np.array([exact_ends(infer(event, each, prior), question) for each in some.releases])
    (width,), _ = some.mean(ends[:, 1:] - ends[:, :1])
    (of_question,) = found.of_questions
    return of_question.expected, of_question.standard_error, float(width)


def exact_ends(posterior: NoiseAwarePosterior, question: Question) -> Ends:
    """Return the ends of the interval from joint draws of the exact posterior."""
    logs = np.log(posterior.draws(3000, seed=1))

    def log_odds(share: Share) -> NDArray[np.float64]:
        rest = (share.given or frozenset(range(logs.shape[1]))) - share.cells
        inside, outside = (np.logaddexp.reduce(logs[:, sorted(each)], axis=1) for each in (share.cells, rest))
        return np.asarray(inside - outside)

    if isinstance(question, Share):
        return Ends(*special.expit(np.quantile(log_odds(question), (0.05, 0.95))).tolist())
    return Ends(*np.quantile(log_odds(question.first) - log_odds(question.second), (0.05, 0.95)).tolist())


def test_widths_at_a_guessed_size_are_those_of_posteriors_with_the_size_unknown() -> None:
    width, _, exact = planned("gaussian", "1", np.array([4, 0, 11, 30]), np.full(4, 0.5), RISK)
    assert width == pytest.approx(exact, rel=0.05)


@pytest.mark.long
def test_widths_of_twenty_four_random_tables_are_those_of_posteriors_with_the_size_unknown() -> None:
    rng = np.random.default_rng(5)
    laws: tuple[Law, ...] = ("geometric", "laplace", "gaussian")
    for case in range(24):
        counts = rng.integers(0, 10 ** rng.integers(1, 5), rng.integers(4, 8))
        prior = np.full(counts.size, rng.choice([0.1, 0.5, 1.0, 3.0]))
        epsilon = str(round(float(10 ** rng.uniform(-1, 0.5)), 3))
        odds_ratio = ContrastOfShares(RISK, OTHER_RISK, Contrast.ODDS_RATIO)
        question = (share_of_cell(case % counts.size), odds_ratio)[case % 2]
        width, error, exact = planned(laws[case % 3], epsilon, counts, prior, question)
        assert width == pytest.approx(exact, rel=0.05, abs=4.0 * error), (case, counts, epsilon)


def test_a_plan_at_a_private_size_has_the_noise_on_every_count_and_its_price() -> None:
    problem = Problem(np.array([40, 960, 60, 940]), (1.0,) * 4, DELTA, records=2, is_size_private=True)
    (point,) = plan(problem, [Epsilon.parse("0.5")]).points
    assert [each.calibration.kind for each in point.options] == [
        "geometric_at_private_n",
        "laplace_at_private_n",
        "gaussian_at_private_n",
    ]
    for each in point.options:
        assert each.certificate is not None
        assert each.certificate.loss.epsilon <= point.epsilon
        assert each.certificate.relation == "add_remove"
        assert each.certificate.details["records_per_unit"] == "2"
        assert each.error is None
        assert each.widths is not None
        assert each.widths.of_questions[0].without_noise > 0.0
    assert point.recommended.option is point.options[0]


def test_gaussian_noise_at_a_private_size_needs_a_delta() -> None:
    problem = Problem(np.array([40, 960]), (1.0, 1.0), Delta(0), is_size_private=True)
    (point,) = plan(problem, [Epsilon.parse("0.5")]).points
    assert [each.refusal is None for each in point.options] == [True, True, False]


def test_the_smallest_epsilon_of_a_width_is_found_at_a_private_size() -> None:
    problem = Problem(np.array([40, 960]), (1.0, 1.0), Delta(0), [share_of_cell(0)], is_size_private=True)
    found = plan(problem, [Epsilon.parse("0.5")], Target(width=0.03))
    assert found.recommended is not None
    assert found.recommended.option.calibration.kind == "geometric_at_private_n"
    widths = found.recommended.option.widths
    assert widths is not None
    assert widths.of_questions[0].expected <= 0.03


def test_noise_that_is_too_wide_to_plan_is_named_and_a_mechanism_is_recommended_nevertheless() -> None:
    problem = Problem(np.full(200, 10), (1.0,) * 200, DELTA, is_size_private=True)
    (point,) = plan(problem, [Epsilon.parse("0.02")]).points
    assert all(each.widths is not None and each.widths.unavailable == planning.TOO_WIDE for each in point.options)
    assert point.recommended.why == "no widths are known at this size, and it needs no δ"
