"""Expected widths of plans: sums over all releases at two categories, weighted means of simulated releases beyond.

`python -m pytest -m long -rP tests/core/planning/test_widths.py` compares 10 000 widths of two categories and a
thousand of three with sums by enumeration, and twenty small tables of more categories with 2 000 simulated releases
each. Priors are from 0.001 to 10. It prints the worst of each.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.accounting.zcdp import largest_rho
from core.candidates import histograms
from core.inference import infer
from core.inference.contrast_scales import MAX_LOG, Contrast
from core.inference.events import Share
from core.inference.outputs import Outputs
from core.mechanisms.catalogue import Event, rehearse
from core.mechanisms.exponential.calibration import calibrate_global, calibrate_proven
from core.mechanisms.exponential.mechanism import Exponential, weights_at
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.planning.questions import ContrastOfShares, interval_without_noise, share_of_cell
from core.planning.widths import (
    MANY_UNDER_SMALL_PRIORS,
    MAX_RELATIVE_ERROR,
    PLANNED,
    interval_widths,
    narrowest,
)
from core.privacy import Delta, Epsilon
from core.samplers.reproducible import Reproducible

Floats = NDArray[np.float64]
PLANNED_ERROR: Final = 0.01
"""Largest accepted relative error of a plan's width at two categories."""


class Case(NamedTuple):
    event: Event
    counts: tuple[int, ...]
    prior: tuple[float, ...]
    level: float


def event_of(mechanism: str, n: int, prior: tuple[float, ...], epsilon: Epsilon) -> Event:
    delta = Delta.parse("0.000001")
    match mechanism:
        case "geometric":
            return SimplexGeometric(n, len(prior), epsilon)
        case "laplace":
            return Laplace(n, len(prior), epsilon)
        case "gaussian":
            return Gaussian(n, len(prior), largest_rho(epsilon, delta), delta)
        case "global":
            return calibrate_global(n, prior, epsilon)
        case _:
            return calibrate_proven(n, prior, epsilon, Delta(0))


def random_case(rng: np.random.Generator, m: int, most: int, mechanisms: tuple[str, ...]) -> Case:
    """Priors from 0.001 to 10, and made-up counts of which some are 0, equal, or nearly equal."""
    n = int(rng.integers(1, most + 1))
    prior = tuple(np.round(10.0 ** rng.uniform(-3.0, 1.0, m), 6).clip(0.001, 10.0).tolist())
    match int(rng.integers(3)):
        case 0:
            counts = np.zeros(m, dtype=np.int64)
            counts[int(rng.integers(m))] = n
        case 1:
            counts = np.full(m, n // m)
            counts[0] += n - counts.sum()
        case _:
            counts = rng.multinomial(n, rng.dirichlet(np.full(m, 0.5)))
    epsilon = Epsilon.parse(f"{10.0 ** rng.uniform(-2.0, 1.0):.4f}")
    event = event_of(mechanisms[int(rng.integers(len(mechanisms)))], n, prior, epsilon)
    return Case(event, tuple(counts.tolist()), prior, float(rng.choice([0.5, 0.9, 0.95])))


def width_by_enumeration(case: Case) -> float:
    """Σ_y P(y | c) · width(y), both from the definitions of the mechanisms."""
    event, n, (alpha, beta) = case.event, case.event.n, case.prior
    c = np.arange(n + 1)
    with np.errstate(under="ignore"):
        likelihoods = likelihoods_by_definition(event)
        # Γ(α + c) / (Γ(α) c!) as a product, since a difference of lnΓ loses its digits under a strong prior.
        of_prior = [np.concatenate([[0.0], np.cumsum(np.log((each + c[:-1]) / (1.0 + c[:-1])))]) for each in case.prior]
        logs = np.log(np.maximum(likelihoods, 1e-320)) + of_prior[0] + of_prior[1][::-1]
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        ends = ends_by_bisection(posterior, alpha + c, beta + n - c, case.level, steps=50)
    return float(likelihoods[:, case.counts[0]] @ (ends[1] - ends[0]) / likelihoods[:, case.counts[0]].sum())


def ends_by_bisection(weights: Floats, a: Any, b: Any, level: float, *, steps: int) -> tuple[Floats, Floats]:
    """The ends of the central interval of Σ_c weights[y, c] Beta(a_c, b_c) for each y."""
    ends = []
    for tail in (0.5 - level / 2, 0.5 + level / 2):
        low, high = np.full(len(weights), -710.0), np.full(len(weights), 40.0)
        for _ in range(steps):
            middle = 0.5 * (low + high)
            below = (weights * special.betainc(a, b, special.expit(middle)[:, None])).sum(axis=1)
            low, high = np.where(below < tail, middle, low), np.where(below < tail, high, middle)
        ends.append(special.expit(low))
    return ends[0], ends[1]


def likelihoods_by_definition(event: Event) -> Floats:
    """P(y | c) for every y that is likely at some c, and c = 0, …, n, up to a constant: shape (k, n + 1)."""
    n, c = event.n, np.arange(event.n + 1)
    if isinstance(event, Exponential):
        rows = np.array([weights_at(event, np.array([k, n - k])) for k in c])
        return np.asarray((rows / rows.sum(axis=1, keepdims=True)).T)
    if isinstance(event, Gaussian):
        reach = math.ceil(8.0 / math.sqrt(float(event.rho))) + 1
        # All pairs of noisy counts with one difference have one likelihood up to a constant.
        z = np.arange(-reach, reach + 1, dtype=np.float64)
        of_one = np.exp(-(z**2) * float(event.rho) / 2)
        of_difference = np.convolve(of_one, of_one)
        y = np.arange(-n - 2 * reach, n + 2 * reach + 1)
        place = y[:, None] - (2 * c - n) + 2 * reach
        inside = (place >= 0) & (place < of_difference.size)
        return np.where(inside, of_difference[np.clip(place, 0, of_difference.size - 1)], 0.0)
    # Releases beyond 0 … n, or −1 … n, have the same likelihood up to a constant; their probabilities add up.
    rate, low = (float(event.epsilon) / 2, -1) if isinstance(event, Laplace) else (float(event.epsilon), 0)
    noise = np.arange(low, n + 1)[:, None] - c
    likelihoods = np.exp(-rate * np.where(noise >= 0, noise, low - noise))
    likelihoods[[0, -1]] /= -math.expm1(-rate)
    return np.asarray(likelihoods)


def planned(case: Case) -> tuple[Floats, Floats]:
    """The expected width of each category, and its standard error."""
    found = interval_widths(case.event, np.array(case.counts), np.array(case.prior), level=case.level)
    assert found.unavailable is None
    by_share = {
        min(each.question.cells): (each.expected, each.standard_error)
        for each in found.of_questions
        if isinstance(each.question, Share)
    }
    widths, errors = np.array([by_share[cell] for cell in range(len(case.counts))]).T
    return widths, errors


def assert_planned_widths_are_sums(rng: np.random.Generator, cases: int, most: int) -> None:
    worst = dict.fromkeys(("geometric", "laplace", "gaussian", "global", "proven"), 0.0)
    for _ in range(cases):
        mechanism = list(worst)[int(rng.integers(len(worst)))]
        case = random_case(rng, 2, most, (mechanism,))
        exact, (found, _) = width_by_enumeration(case), planned(case)
        # Widths below the digits of a share near 1 count as equal.
        off = float(np.abs(found - exact).max() / max(exact, 1e-9))
        worst[mechanism] = max(worst[mechanism], off)
        assert off < PLANNED_ERROR, (case, found, exact)
    print(f"{cases} widths up to {most} records, largest relative error: {worst}")  # noqa: T201  shown by pytest -rP


def test_the_width_of_an_empty_category_under_a_small_prior_is_the_mean_over_all_releases() -> None:
    event = SimplexGeometric(60, 2, Epsilon.parse("0.0896"))
    found = interval_widths(event, np.array([0, 60]), np.array([0.05, 0.5]))
    assert [each.expected for each in found.of_questions] == pytest.approx([0.24956, 0.24956], abs=1e-4)
    assert [each.standard_error for each in found.of_questions] == [0.0, 0.0]
    assert found.rehearsals == 0


def test_widths_under_small_priors_are_not_known_beyond_fifty_categories() -> None:
    for m, least_prior, known in ((50, 0.1, True), (51, 0.1, False), (51, 0.3, True)):
        prior, counts = np.append(np.ones(m - 1), least_prior), np.append(100, np.zeros(m - 1, dtype=np.int64))
        found = interval_widths(
            SimplexGeometric(100, m, Epsilon(10**9)), counts, prior, questions=[share_of_cell(m - 1)]
        )
        assert found.unavailable == (None if known else MANY_UNDER_SMALL_PRIORS)
        assert bool(found.of_questions) == known


def test_planned_widths_of_two_categories_are_sums_over_all_releases() -> None:
    assert_planned_widths_are_sums(np.random.default_rng(1), 8, 20)


@pytest.mark.every(4)
@pytest.mark.parametrize("contrast", [Contrast.RATIO, Contrast.ODDS_RATIO])
@pytest.mark.parametrize(
    ("counts", "prior", "epsilon"),
    [((50, 0), 0.1, "5"), ((0, 50), 0.1, "1"), ((30, 1), 0.01, "1"), ((9, 11), 1.0, "1")],
)
def test_ratios_of_two_categories_under_small_priors_have_the_mean_width_over_all_releases(
    counts: tuple[int, int], prior: float, epsilon: str, contrast: Contrast
) -> None:
    """A share near 1 has lost the digits of its distance to 1."""
    alpha, n = np.array([prior, prior]), sum(counts)
    event = SimplexGeometric(n, 2, Epsilon.parse(epsilon))
    outputs, expected = Outputs.of(event, counts[0]), 0.0
    for number, probability in zip(outputs.numbers.tolist(), outputs.probabilities.tolist(), strict=True):
        shares = infer(event, outputs.release(number), alpha)
        (low, high), (other_low, other_high) = (shares.share(k).interval(0.95) for k in (0, 1))
        assert 0.0 < low < high <= 1.0
        assert other_low < other_high
        # A share near 1 is computed from the other.
        ends = math.log(low) - math.log1p(-low), math.log1p(-other_low) - math.log(other_low)
        from_, to = np.clip(np.array(ends) * (1 if contrast is Contrast.RATIO else 2), -MAX_LOG, MAX_LOG).tolist()
        expected += probability * (to - from_)
    first, second = (Share(frozenset({cell})) for cell in (0, 1))
    questions = [ContrastOfShares(first, second, contrast), ContrastOfShares(second, first, contrast)]
    found = interval_widths(event, np.array(counts), alpha, questions=questions).of_questions
    assert [each.expected for each in found] == pytest.approx([expected, expected], rel=0.01)
    one, other = (interval_without_noise(np.array(counts), alpha, question, 0.95).width for question in questions)
    assert one == pytest.approx(other, rel=1e-9)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("part", "cases", "most"), [*((part, 500, 30) for part in range(20)), (20, 100, 400)])
def test_ten_thousand_planned_widths_of_two_categories_are_sums_over_all_releases(
    part: int, cases: int, most: int
) -> None:
    assert_planned_widths_are_sums(np.random.default_rng(100 + part), cases, most)


def test_means_over_many_releases_are_those_over_all_of_them() -> None:
    """Of some thousands of releases only some are looked at; the function has a bend and a jump."""
    outputs = Outputs.of(SimplexGeometric(4000, 2, Epsilon.parse("0.02")), 300)
    looked_at = 0

    def function(numbers: Floats) -> Floats:
        return np.stack([np.maximum(numbers - 320.0, 1.0), 1.0 + (numbers > 350.0)], axis=1)

    def values(releases: object) -> Floats:
        nonlocal looked_at
        numbers = np.array([release.noisy[0] for release in releases], dtype=np.float64)  # type: ignore[attr-defined]
        looked_at += numbers.size
        return function(numbers)

    exact = outputs.probabilities @ function(outputs.numbers.astype(np.float64))
    assert outputs.mean(values, PLANNED.tolerance) == pytest.approx(exact, rel=PLANNED.tolerance)
    assert looked_at < 200 < outputs.numbers.size


def simulated_widths(case: Case, releases: int) -> tuple[Floats, Floats]:
    """Mean widths of many simulated releases and their standard errors."""
    counts = np.array(case.counts)
    widths = []
    known: dict[tuple[int, ...], list[float]] = {}
    for release in rehearse(case.event, counts, releases, Reproducible(99).entropy()):
        if release.noisy not in known:
            posterior = infer(case.event, release, case.prior)
            ends = [share.interval(case.level) for share in posterior.shares()]
            known[release.noisy] = [high - low for low, high in ends]
        widths.append(known[release.noisy])
    return np.mean(widths, axis=0), np.std(widths, axis=0, ddof=1) / math.sqrt(releases)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("least_prior", [0.001, 0.3])
def test_widths_of_twenty_small_tables_are_those_of_two_thousand_releases(least_prior: float) -> None:
    rng, worst = np.random.default_rng(7), Worst()
    for _ in range(20):
        case = random_case(rng, int(rng.integers(3, 7)), 60, ("geometric", "laplace", "gaussian"))
        case = case._replace(level=0.95, prior=tuple(max(each, least_prior) for each in case.prior))
        means, errors = simulated_widths(case, 2000)
        worst.compare(case, means, errors)
    print(f"twenty tables under priors from {least_prior}: {worst}")  # noqa: T201  shown by pytest -rP


class Worst:
    """The largest errors of planned widths so far, relative to the width, or to NARROW if that is larger and a prior is
    small: all of it, and what exceeds four standard errors.
    """

    def __init__(self) -> None:
        self.widths = 0
        self.all_of, self.beyond = 0.0, 0.0

    def compare(self, case: Case, exact: Floats, errors: Floats | float = 0.0) -> None:
        self.widths += exact.size
        found, own_errors = planned(case)
        base = np.maximum(exact, narrowest(case.prior))
        off = np.abs(found - exact) / base
        beyond = off - 4.0 * np.hypot(errors, own_errors) / base
        assert float(beyond.max()) <= MAX_RELATIVE_ERROR, (case, found, own_errors, exact, errors)
        self.all_of, self.beyond = max(self.all_of, float(off.max())), max(self.beyond, float(beyond.max()))

    def __str__(self) -> str:
        return (
            f"{self.widths} widths off by at most {self.all_of:.3f}, and {self.beyond:.3f} beyond four standard errors"
        )


def assert_widths_of_three_categories_are_sums(rng: np.random.Generator, cases: int) -> None:
    worst = Worst()
    for _ in range(cases):
        case = random_case(rng, 3, 7, ("geometric", "laplace", "gaussian", "global", "proven"))
        # Noise far wider than the table makes too many releases to list.
        rate = 2.5 * float(case.event.rho) if isinstance(case.event, Gaussian) else 1.0
        if min(rate, float(getattr(case.event, "epsilon", 1))) >= 0.05:
            worst.compare(case, widths_of_three(case))
    print(f"three categories: {worst}")  # noqa: T201  shown by pytest -rP


def test_planned_widths_of_three_categories_are_sums_over_all_releases_within_the_stated_error() -> None:
    assert_widths_of_three_categories_are_sums(np.random.default_rng(3), 3)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(8))
def test_a_thousand_planned_widths_of_three_categories_are_sums_over_all_releases(part: int) -> None:
    assert_widths_of_three_categories_are_sums(np.random.default_rng(300 + part), 50)


def widths_of_three(case: Case) -> Floats:
    """Σ_y P(y | c) · width(y) of each of three categories, by enumeration."""
    event, n, total = case.event, case.event.n, math.fsum(case.prior)
    table = np.array(histograms(n, 3))
    likelihoods = likelihoods_of_three(event, table)
    of_these = likelihoods[:, (table == np.array(case.counts)).all(axis=1)][:, 0]
    likely = of_these > 1e-12 * of_these.sum()
    logs = np.sum(
        [special.gammaln(a + c) - special.gammaln(c + 1.0) for a, c in zip(case.prior, table.T, strict=True)], axis=0
    )
    posterior = likelihoods[likely] * np.exp(logs - logs.max())
    posterior /= posterior.sum(axis=1, keepdims=True)
    widths, c = [], np.arange(n + 1)
    for alpha, counts in zip(case.prior, table.T, strict=True):
        marginal = np.stack([posterior[:, counts == each].sum(axis=1) for each in c], axis=1)
        ends = ends_by_bisection(marginal, alpha + c, total - alpha + n - c, case.level, steps=36)
        widths.append(of_these[likely] @ (ends[1] - ends[0]) / of_these[likely].sum())
    return np.array(widths)


def likelihoods_of_three(event: Event, table: NDArray[np.int64]) -> Floats:
    """P(y | c) for every y that is likely at some c, and every c of `table`, up to a factor for each y."""
    n = event.n
    if isinstance(event, Exponential):
        rows = np.array([weights_at(event, counts) for counts in table])
        return np.asarray((rows / rows.sum(axis=1, keepdims=True)).T)
    if isinstance(event, SimplexGeometric):
        moved = np.abs(table[:, None] - table[None]).sum(axis=2) / 2
        kernel = np.exp(-(float(event.epsilon) - 2e-8) * moved)
        weights = np.linalg.solve(kernel, np.ones(len(table)))
        return np.asarray(weights[:, None] * kernel) if (weights >= 0.0).all() else of_unbounded_noise(event, table)
    if isinstance(event, Laplace):
        # Noisy counts beyond −1 … n have the same likelihood as these ends.
        q, y = math.exp(-float(event.epsilon) / 2), np.arange(-1, n + 1)[:, None]
        noise = y - np.arange(n + 1)
        of_one = q ** np.where(noise >= 0, noise, -1 - noise)
        of_one[[0, -1]] /= 1.0 - q
        return np.array([np.outer(of_one[:, c[0]], of_one[:, c[1]]).ravel() for c in table]).T
    assert isinstance(event, Gaussian)
    # Of three noisy counts only the differences to the last matter.
    reach = math.ceil(7.5 / math.sqrt(float(event.rho))) + 1
    z = np.arange(-reach, reach + 1)
    of_one = np.exp(-(z**2) * float(event.rho) / 2)
    of_differences = np.zeros((4 * reach + 1, 4 * reach + 1))
    for last, weight in zip(z, of_one, strict=True):
        place = z - last + 2 * reach
        of_differences[np.ix_(place, place)] += weight * np.outer(of_one, of_one)
    y = np.arange(-n - 2 * reach, n + 2 * reach + 1)
    found = np.zeros((len(table), y.size, y.size))
    for row, (first, second, last) in zip(found, table.tolist(), strict=True):
        start, other = first - last + n, second - last + n
        row[start : start + 4 * reach + 1, other : other + 4 * reach + 1] = of_differences
    likelihoods = found.reshape(len(table), -1).T
    return np.asarray(likelihoods[likelihoods.max(axis=1) > 1e-14 * likelihoods.max()])


def of_unbounded_noise(event: SimplexGeometric, table: NDArray[np.int64]) -> Floats:
    """The same for noise with P(z) ∝ e^(−ε Σ|z| / 2) on vectors with sum 0. A noisy count below 0 or above n has the
    likelihood of 0 or n, up to a factor.
    """
    n, reach, q = event.n, math.ceil(30.0 / float(event.epsilon)), math.exp(-float(event.epsilon) / 2)
    span = np.arange(-reach, n + reach + 1)
    first, second = span[:, None], span[None]
    y = np.stack(np.broadcast_arrays(first, second, n - first - second)).reshape(3, -1)
    ends = y.clip(0, n)
    place = np.ravel_multi_index(tuple(ends), (n + 1,) * 3)
    factors = np.bincount(place, q ** np.abs(y - ends).sum(axis=0), minlength=(n + 1) ** 3)
    kinds = np.stack(np.unravel_index(np.arange((n + 1) ** 3), (n + 1,) * 3), axis=1)
    likelihoods = factors[:, None] * q ** np.abs(kinds[:, None] - table[None]).sum(axis=2)
    return np.asarray(likelihoods[factors > 0.0])
