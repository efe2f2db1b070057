"""A plan's advice against releases that are simulated by the mechanisms and answered as the service answers them."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from core.inference.contrast_scales import MAX_LOG, Contrast
from core.inference.events import Share, contrast_distribution, share_distribution
from core.inference.sources import Answers, source_of_releases, tree_of
from core.mechanisms.catalogue import rehearse
from core.planning.intervals import Asked, Guess
from core.planning.options import Charge, Option, Problem
from core.planning.plans import plan
from core.planning.questions import ContrastOfShares, Question, sets_of
from core.privacy import Delta, Epsilon, Rho
from core.samplers.entropy import SeededEntropy

_RELEASES: Final = 200
_QUESTIONS: Final = 10
_MICRO: Final = Delta.parse("1e-6")
_CHARGES: Final[dict[str, list[Charge]]] = {
    "basic": [Epsilon.parse(each) for each in ("0.05", "0.1", "0.2", "0.5", "1", "2", "5")],
    "zcdp": [Rho.parse(each) for each in ("0.0005", "0.002", "0.01", "0.05", "0.2", "1", "5")],
}
Figures: TypeAlias = tuple[float, float, float]
"""A mean width, and how often intervals contain the guess and decide."""


def simulated(option: Option, asked: Asked, counts: NDArray[np.int64], rng: np.random.Generator) -> Figures:
    """Return the mean width of the interval over releases of tables that are drawn at the guess, how often it contains
    the guess, and how often it lies on the guess's side of no difference.
    """
    event, found = option.event, []
    assert event is not None
    assert event.n is not None
    tree = tree_of([(cell,) for cell in range(event.m)])
    for _ in range(_RELEASES):
        table = rng.multinomial(event.n, counts / event.n)
        (release,) = rehearse(event, table, 1, SeededEntropy(int(rng.integers(2**53))))
        answers = Answers.by_pieces(source_of_releases([(event, release)]), tree)
        found.append(interval(answers, asked.question))
    return summary(np.array(found), asked)


def summary(ends: NDArray[np.float64], asked: Asked) -> Figures:
    low, high = ends.T
    held = (low <= asked.guess) & (asked.guess <= high)
    decides = low > 0.0 if asked.guess > 0.0 else high < 0.0
    return float((high - low).mean()), float(held.mean()), float(decides.mean())


def without_noise(question: Question, guess: float, counts: NDArray[np.int64], rng: np.random.Generator) -> Figures:
    """Return the same of exact counts, from draws of the shares of four pieces, each with the prior ½."""
    n, sets = int(counts.sum()), sets_of(question, counts.size)
    sums = np.array([counts[sorted(cells)].sum() for cells in sets])
    rest = n - int(sums.sum())
    tables = rng.multinomial(n, np.append(sums, max(rest, 0)) / n, 400)
    drawn = rng.gamma(tables[:, :-1] + 0.5, size=(2000, 400, len(sums)))
    values = drawn[..., 0] / (drawn[..., 0] + drawn[..., 1])
    if isinstance(question, ContrastOfShares):
        other = drawn[..., 2] / (drawn[..., 2] + drawn[..., 3])
        odds = np.log(values / (1.0 - values)) - np.log(other / (1.0 - other))
        values = {Contrast.DIFFERENCE: values - other, Contrast.RATIO: np.log(values / other)}.get(
            question.contrast, odds
        )
    return summary(np.quantile(values, (0.025, 0.975), axis=0).T, Asked(question, guess, None))


def interval(answers: Answers, question: Question) -> tuple[float, float]:
    if isinstance(question, Share):
        posterior, (share,) = answers.of(question)
        return share_distribution(posterior, share).distribution.interval(0.95)
    posterior, (first, second) = answers.of(question.first, question.second)
    ends = contrast_distribution(posterior, first, second, question.contrast).distribution.interval(0.95)
    if question.contrast is Contrast.DIFFERENCE:
        return ends
    with np.errstate(divide="ignore"):
        low, high = np.clip(np.log(ends), -MAX_LOG, MAX_LOG).tolist()
    return low, high


def random_question(rng: np.random.Generator) -> tuple[NDArray[np.int64], Question]:
    """Tables of 4 to 24 cells and 60 to 3 000 records, with a rare outcome in two groups, or one share."""
    each, n = int(rng.integers(1, 7)), int(60 * 50 ** rng.random())
    rates = rng.uniform(0.03, 0.4, 2)
    sets = [frozenset(range(each * place, each * (place + 1))) for place in range(4)]
    shares = np.concatenate([rng.dirichlet(np.full(each, 3.0)) * of for r in rates for of in (r / 2, (1 - r) / 2)])
    counts = np.maximum(rng.multinomial(n, shares), 1)
    risks = Share(sets[0], sets[0] | sets[1]), Share(sets[2], sets[2] | sets[3])
    kind = int(rng.integers(5))
    if kind < 3:
        return counts, ContrastOfShares(*risks, list(Contrast)[kind])
    return counts, risks[0] if kind == 3 else Share(sets[0] | sets[2])


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(_QUESTIONS))
@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_the_recommended_mechanism_is_the_narrowest_that_contains_the_guess(accountant: str, seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    counts, question = random_question(rng)
    epsilon = f"{0.15 * 12 ** rng.random():.3f}"
    charge: Charge = Epsilon.parse(epsilon) if accountant == "basic" else Rho.parse(f"{float(epsilon) ** 2 / 3:.6f}")
    guess = Guess(counts)
    asked = Asked.at(question, counts)
    assert asked is not None
    (point,) = plan(Problem(guess, (1.0,) * counts.size, _MICRO, [asked]), [charge]).points
    assert point.recommended is not None
    found = {each.calibration.kind: simulated(each, asked, counts, rng)[:2] for each in point.options}
    planned = {each.calibration.kind: each.intervals[0] for each in point.options}
    best = point.recommended.option.calibration.kind
    # A frequency of 200 releases has a standard error of 1.5 points at 95 %, and that of the plan one of 1.1.
    honest = {kind: width for kind, (width, contains) in found.items() if contains >= 0.9 - 0.045}
    compared = {kind: (*of, planned[kind].width, planned[kind].contains) for kind, of in found.items()}
    print(accountant, seed, charge, best, compared)  # noqa: T201  for `pytest -rP`
    assert best in honest
    assert honest[best] <= 1.05 * min(honest.values())
    for kind, (width, contains) in found.items():
        assert width == pytest.approx(planned[kind].width, rel=0.12)
        assert contains == pytest.approx(planned[kind].contains, abs=0.075)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(_QUESTIONS))
def test_the_suggested_charge_is_enough_and_the_one_below_is_not(seed: int) -> None:
    """Enough: the interval contains the guess in 90 %, and decides in nine tenths of what exact counts decide, or is at
    most 1.5 times as wide where these decide in less than half.
    """
    rng = np.random.default_rng(200 + seed)
    counts, question = random_question(rng)
    asked = Asked.at(question, counts)
    assert asked is not None
    charges = _CHARGES["basic" if seed % 2 else "zcdp"]
    problem = Problem(Guess(counts), (1.0,) * counts.size, _MICRO, [asked])
    found = plan(problem, charges)
    assert found.suggested is not None
    best = found.suggested.option
    width, contains, power = without_noise(question, asked.guess, counts, rng)
    exact = problem.exact[0]
    assert width == pytest.approx(exact.width, rel=0.05)
    is_decided = asked.against is not None and (exact.decides or 0.0) >= 0.5

    def enough(option: Option, slack: float) -> tuple[bool, Figures]:
        """Whether the charge is enough, with as much slack as frequencies of 200 and 400 releases can differ by."""
        figures = simulated(option, asked, counts, rng)
        is_narrow = figures[2] >= 0.9 * power - slack if is_decided else figures[0] <= (1.5 + 2 * slack) * width
        return figures[1] >= 0.9 - abs(slack) and is_narrow, figures

    shown = enough(best, 0.06)
    place = charges.index(best.charge)
    below = found.points[place - 1].recommended if place else None
    missed = None if below is None else enough(below.option, -0.06)
    print(seed, best.charge, best.calibration.kind, is_decided, (width, contains, power), shown, missed)  # noqa: T201
    assert shown[0]
    assert missed is None or not missed[0]
