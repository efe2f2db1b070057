"""Plans a release before it is paid for: errors, widths and prices of each mechanism, at counts that the caller makes
up.

Nothing here sees private data. Each figure is computed from the mechanism's law, or from a stated number of rehearsals
of it under a fixed seed, so that the same question gets the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, assert_never

import numpy as np
from numpy.typing import NDArray

from core import release_error
from core.accounting.group import share_of_delta, share_of_epsilon, share_of_rho
from core.accounting.zcdp import ConversionError
from core.candidates import of_shares
from core.cells import CellSet
from core.certificate import Certificate
from core.dirichlet import posterior
from core.inference import InferenceError, infer, why_not
from core.inference.likelihood import conditioning_seconds, listing_seconds, quantile_seconds, typical_window
from core.inference.rough_intervals import coarse_widths_of, rough_widths, rough_widths_of
from core.mechanisms import calibrations
from core.mechanisms.catalogue import MECHANISMS, Event, certify_unit_at_once, rehearse
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.exponential.calibration import calibrate_published
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.rough import RoughChannel
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import Calibration
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon, Rho
from core.release_error import HellingerError
from core.samplers.reproducible import Reproducible

CALIBRATIONS: Final[tuple[Calibration[Any], ...]] = tuple(each for of in MECHANISMS for each in of.calibrations)
"""Every way to ask for a release, in the order in which plans show them."""
PLANNED: Final[tuple[Calibration[Any], ...]] = tuple(each for each in CALIBRATIONS if each.within is not None)
"""What can be planned for an (epsilon, delta) that bounds the charge."""

_MAX_WIDTH_REHEARSALS: Final = 24
_MAX_CHOICE_REHEARSALS: Final = 12
"""Of the exponential mechanism: its candidates are many and seldom come twice, and its intervals differ little."""
_MIN_WIDTH_REHEARSALS: Final = 4
_TOGETHER: Final = 6
"""Rehearsals whose intervals are found together; after each such round it is seen whether they agree."""
_WELL_ENOUGH: Final = 0.005
"""Of a mean width: its standard error, at which no more rehearsals are made."""
_REHEARSED_COMPONENTS: Final = 200_000
"""Of the mixtures whose intervals are found, in all rehearsals: noise as wide as a large simplex makes long ones."""
_LISTED_UP_TO: Final = 200
"""Beyond so many records of two categories the exponential mechanism's widths are found to about a percent only."""
_WIDE_WINDOW: Final = 4096
"""Counts that noise leaves possible, beyond which widths at two categories are found so as well; of more categories
or records, from some records as one.
"""
ROUGH_UP_TO: Final = 10_000_000
"""Records of two categories: of more, some stand as one where many counts are likely."""
_FEWER: Final = 200
_FEWER_FROM: Final = 400
"""Categories, beyond which widths of single shares are found from about so many of them."""
_SHOWN_CATEGORIES: Final = 12
_FINENESS: Final = 1.01
"""The smallest epsilon that reaches an accuracy is found up to this factor."""
_PREFERENCE: Final = 1.02
_QUICK: Final = 0.7
"""Seconds of a certificate, or of the likelihood of a release, that a plan computes by itself."""


REFUSALS: Final = (EventError, ConversionError)
"""What `event_within` and `certify` raise where a mechanism cannot run; the text is for people."""


class PlanError(ValueError):
    """A question about no release; the message names the rule."""


class Shape(StrEnum):
    """Reference histograms for whoever has no guess: even shares, shares that fall as 1, 1/2, 1/3, …, or the prior's
    mean.
    """

    EVEN = "even"
    FALLING = "falling"
    PRIOR_MEAN = "prior_mean"


@dataclass(frozen=True, slots=True)
class IntervalWidth:
    """The expected width of the noise-aware interval of the share of a set of cells, and that of the interval which the
    exact counts would give.
    """

    share: CellSet
    expected: float
    standard_error: float
    without_noise: float


@dataclass(frozen=True, slots=True)
class Widths:
    """Expected widths at `level` from `rehearsals` runs, for the largest categories; or why they are not available."""

    level: float
    of_categories: tuple[IntervalWidth, ...]
    rehearsals: int
    unavailable: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One mechanism within the (epsilon, delta) asked for; without an event where `refusal` says why it cannot run."""

    calibration: Calibration[Any]
    event: Event | None
    certificate: Certificate | None
    error: HellingerError | None
    widths: Widths | None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Every mechanism's option, the one recommended, and why."""

    options: tuple[Option, ...]
    recommended: Calibration[Any]
    why: str


def reference_counts(shape: Shape, n: int, prior: NDArray[np.float64]) -> NDArray[np.int64]:
    """A made-up histogram of n records over the prior's m categories, shape (m,); what rounding leaves goes to the
    first category.
    """
    match shape:
        case Shape.EVEN:
            shares = np.ones(prior.size)
        case Shape.FALLING:
            shares = 1.0 / np.arange(1.0, prior.size + 1.0)
        case Shape.PRIOR_MEAN:
            shares = prior
        case _:
            assert_never(shape)
    return of_shares(n, shares)


def event_within(
    calibration: Calibration[Any], n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta
) -> Event:
    """The mechanism as one of PLANNED sets it for a charge of at most (epsilon, delta).

    Raises one of REFUSALS where it cannot run at these sizes, or not at this delta.
    """
    assert calibration.within is not None, "it is planned"
    event: Event = calibration.within(n, prior, epsilon, delta)
    return event


def hellinger_error(
    event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64], *, seed: int = 0
) -> HellingerError:
    """The law of the error of the released posterior Dir(α + r) at made-up counts c, as `core.release_error` has it.

    `counts` and `prior` of shape (m,). Raises PlanError where they are not of the event's size.
    """
    _check(event, counts, prior)
    return release_error.hellinger_error(event, counts, prior, seed=seed)


def expected_hellinger(event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64]) -> float:
    """The mean of that law alone, which a search asks for many times."""
    _check(event, counts, prior)
    return release_error.expected_hellinger(event, counts, prior)


def interval_widths(
    event: Event,
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    *,
    level: float = 0.95,
    seed: int = 0,
    shares: Sequence[CellSet] | None = None,
) -> Widths:
    """Expected widths of the noise-aware intervals of some shares at made-up counts, each of a set of cells that leaves
    some out; of the twelve largest categories where none is named. Fewer rehearsals where each takes long.
    """
    _check(event, counts, prior)
    if (reason := why_not(event)) is not None:
        return Widths(level, (), 0, reason)
    if not has_quick_widths(event):
        return Widths(level, (), 0, "not computed in a plan, because each release's posterior takes long to find here")
    most = _most_rehearsals(event)
    if shares is None:
        largest = sorted(np.argsort(-counts, kind="stable")[:_SHOWN_CATEGORIES].tolist())
        shares = [frozenset({category}) for category in largest]
    if are_found_roughly(event):
        return _expected(_rough_runs(event, counts, prior, len(shares), level, seed), counts, prior, shares, level)
    model = _Model.of(event, counts, prior, shares)
    runs: list[list[float]] = []
    # Few different answers come out of little noise, and each is as wide whenever it comes.
    known: dict[tuple[int, ...], list[float]] = {}
    components = 0
    rehearsed = rehearse(model.event, model.counts, most, Reproducible(seed).entropy())
    for first in range(0, most, _TOGETHER):
        together = rehearsed[first : first + _TOGETHER]
        new = {release.noisy: release for release in together if release.noisy not in known}
        try:
            found, size = _widths_of(model, list(new.values()), level)
        except InferenceError as refusal:
            return Widths(level, (), 0, str(refusal))
        known |= zip(new, found, strict=True)
        components += size
        runs += [known[release.noisy] for release in together]
        if components > _REHEARSED_COMPONENTS or _agree(runs):
            break
    return _expected(runs, counts, prior, shares, level)


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """What widths are found from: an event, counts, a prior and shares, and how many records it has as one.

    `left_out`: the concentration and records of the categories that are left out.
    """

    event: Event
    counts: NDArray[np.int64]
    prior: NDArray[np.float64]
    shares: Sequence[CellSet]
    grain: int = 1
    left_out: float = 0.0

    @staticmethod
    def of(event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64], shares: Sequence[CellSet]) -> _Model:
        model = _Model(event, counts, prior, shares)
        return model if isinstance(event, Exponential) else model.of_some_categories().coarse()

    def of_some_categories(self) -> _Model:
        """Some of very many categories, where each share is of one of them: of the others they know the sum alone,
        which says next to nothing of each.
        """
        event, alone = self.event, [min(share) for share in self.shares if len(share) == 1]
        # Whatever noise Laplace releases leave out is in the last count.
        told = len(alone) == len(self.shares) and not (isinstance(event, Laplace) and event.m - 1 in alone)
        if event.m <= _FEWER_FROM or isinstance(event, Exponential) or not told:
            return self
        kept = np.union1d(alone, np.linspace(0, event.m - 1, _FEWER).astype(np.int64))
        n = int(self.counts[kept].sum())
        if n == 0:
            return self
        prior = self.prior[kept]
        whole = math.fsum(self.prior) + event.n
        return _Model(
            replace(event, n=n, m=kept.size),
            self.counts[kept],
            prior,
            [frozenset({int(np.searchsorted(kept, cell))}) for cell in alone],
            left_out=whole - (math.fsum(prior) + n),
        )

    def coarse(self) -> _Model:
        """With so many records taken as one that the noise leaves some thousands of counts possible, and is as wide
        beside them as before.
        """
        event, grain = self.event, _grain(typical_window(self.event))
        if grain == 1 or isinstance(event, Exponential):
            return self
        n, counts = event.n // grain, self.counts // grain
        counts[int(np.argmax(counts))] += n - int(counts.sum())
        if isinstance(event, Gaussian):
            return replace(
                self, event=replace(event, n=n, rho=Rho(event.rho.units * grain**2)), counts=counts, grain=grain
            )
        return replace(
            self, event=replace(event, n=n, epsilon=Epsilon(event.epsilon.units * grain)), counts=counts, grain=grain
        )


def coarse_window(window: float) -> float:
    """How many counts widths are found from where noise leaves `window` of them possible."""
    return window / _grain(window)


def _grain(window: float) -> int:
    return max(1, int(window) // _WIDE_WINDOW)


def are_found_roughly(event: Event) -> bool:
    """Whether widths of the event's intervals are found to about a percent, and in milliseconds each."""
    if event.m != 2 or event.n > ROUGH_UP_TO:
        return False
    return event.n > _LISTED_UP_TO if isinstance(event, Exponential) else typical_window(event) > _WIDE_WINDOW


def _rough_runs(
    event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64], shares: int, level: float, seed: int
) -> list[list[float]]:
    """Widths in some rehearsals: the share of the one category is what that of the other leaves."""
    most = _most_rehearsals(event)
    if isinstance(event, Exponential):
        drawn = RoughChannel.of(event).releases(int(counts[0]), Reproducible(seed).uniforms(most)).tolist()
        rehearsed = tuple(NoisyCounts((first, event.n - first), (first, event.n - first)) for first in drawn)
    else:
        rehearsed = rehearse(event, counts, most, Reproducible(seed).entropy())
    runs: list[list[float]] = []
    for first in range(0, most, _TOGETHER):
        widths = rough_widths(event, rehearsed[first : first + _TOGETHER], prior, level)
        runs += [[width] * shares for width in widths.tolist()]
        if _agree(runs):
            break
    return runs


def _expected(
    runs: list[list[float]],
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    shares: Sequence[CellSet],
    level: float,
) -> Widths:
    """From the widths of each share's intervals in some rehearsals."""
    widths = np.array(runs)
    deviations = widths.std(axis=0, ddof=1) / math.sqrt(len(runs))
    return Widths(
        level,
        tuple(
            IntervalWidth(share, float(mean), float(deviation), width_without_noise(counts, prior, share, level))
            for share, mean, deviation in zip(shares, widths.mean(axis=0), deviations, strict=True)
        ),
        len(runs),
    )


def has_quick_widths(event: Event) -> bool:
    """Whether releases of the event have noise-aware intervals that are found quickly enough for many rehearsals."""
    return why_not(event) is None and (event.m == 2 or listing_seconds(event) <= _QUICK)


def width_rehearsals(event: Event) -> int:
    """About how many rehearsals `interval_widths` makes for a single share."""
    enough = math.ceil(_REHEARSED_COMPONENTS / coarse_window(typical_window(event)))
    return min(_most_rehearsals(event), max(_TOGETHER, enough))


def _most_rehearsals(event: Event) -> int:
    most = _MAX_CHOICE_REHEARSALS if isinstance(event, Exponential) else _MAX_WIDTH_REHEARSALS
    return min(most, max(_MIN_WIDTH_REHEARSALS, 200 // event.m))


def _agree(runs: list[list[float]]) -> bool:
    """Whether the mean of each share's widths is known well enough."""
    widths = np.array(runs)
    return bool((widths.std(axis=0, ddof=1) <= _WELL_ENOUGH * math.sqrt(len(runs)) * widths.mean(axis=0)).all())


def _widths_of(model: _Model, releases: Sequence[NoisyCounts], level: float) -> tuple[list[list[float]], int]:
    """The widths of each release's intervals, and how many components their mixtures have. Raises InferenceError."""
    # Of two categories the share of the one is what that of the other leaves.
    of_two, shares = model.event.m == 2, model.shares
    distinct = list(shares[:1]) if of_two else list(dict.fromkeys(shares))
    laws = []
    for release in releases:
        posterior = infer(model.event, release, model.prior)
        laws += [posterior.share(min(share)) if len(share) == 1 else posterior.share_of(share) for share in distinct]
    if model.left_out:
        laws = [replace(law, total=law.total + model.left_out, rest=None) for law in laws]
    if model.grain == 1:
        found = rough_widths_of(laws, level)
    else:
        found = coarse_widths_of(laws, model.event.n, model.grain, level)
    widths = found.reshape(len(releases), len(distinct))
    places = [0 if of_two else distinct.index(share) for share in shares]
    return widths[:, places].tolist(), sum(law.probabilities.size for law in laws)


def width_seconds(event: Event) -> float:
    """A public estimate of what the widths of one share of the event take, on one core; infinite where they are not
    quick.
    """
    if are_found_roughly(event):
        return 0.05 + 0.01 * width_rehearsals(event)
    if not has_quick_widths(event):
        return math.inf
    counts, prior = of_shares(event.n, np.ones(event.m)), np.ones(event.m)
    found_from = _Model.of(event, counts, prior, [frozenset({0})]).event
    of_one = conditioning_seconds(found_from) + 2 * quantile_seconds(found_from)
    return listing_seconds(event) + width_rehearsals(event) * of_one


def width_without_noise(counts: NDArray[np.int64], prior: NDArray[np.float64], share: CellSet, level: float) -> float:
    """The width of the interval that exact counts would give for the share of a set of cells."""
    cells = sorted(share)
    inside, total = math.fsum(prior[cells]) + int(counts[cells].sum()), math.fsum(prior) + int(counts.sum())
    ((low, high), _) = posterior([inside, total - inside], [0, 0]).naive_intervals(level)
    return high - low


def smallest_epsilon(
    event_at: Callable[[Epsilon], Event],
    measure: Callable[[Event], float],
    wanted: float,
    *,
    start: Epsilon = MAX_EPSILON,
) -> Epsilon | None:
    """The smallest epsilon, to 1 %, at which `measure` of the event is at most `wanted`; None where not even epsilon 50
    reaches it.

    The measure falls in epsilon. The epsilon returned has been measured itself, and so has one at most 1 % smaller,
    unless it is the least there is; an epsilon at which the mechanism cannot run does not reach it. `measure` might be
    `lambda event: expected_hellinger(event, counts, prior)`.
    """
    fails: int | None = None
    reaches: int | None = None
    units = min(max(start, MIN_EPSILON), MAX_EPSILON).units
    step = 0
    while True:
        step += 1
        value = _measured(event_at, measure, Epsilon(units))
        if value <= wanted:
            reaches = units
        else:
            fails = units
        if reaches is not None and (
            reaches == MIN_EPSILON.units or (fails is not None and reaches <= _FINENESS * fails)
        ):
            return Epsilon(reaches)
        if fails == MAX_EPSILON.units:
            return None
        # Errors fall about as 1 / epsilon: from any one of them to the wanted one, and a little beyond it, so that two
        # such guesses enclose it.
        guess = math.inf if wanted <= 0.0 else units * value / wanted * _FINENESS ** (0.4 if value > wanted else -0.4)
        units = _next_units(fails, reaches, guess, step)


def _next_units(fails: int | None, reaches: int | None, guess: float, step: int) -> int:
    """Where to measure next: at the guess, unless it is too near to what was measured already or outside; each third
    time in the middle of ln epsilon.
    """
    least_move: float = _FINENESS ** (0.4 * 2.0 ** min(step, 12))
    if reaches is None:
        assert fails is not None
        return round(min(max(guess, fails * least_move), MAX_EPSILON.units))
    if fails is None:
        return round(max(min(guess, reaches / least_move), MIN_EPSILON.units))
    return round(guess) if fails < guess < reaches and step % 3 else math.isqrt(fails * reaches)


def _measured(event_at: Callable[[Epsilon], Event], measure: Callable[[Event], float], epsilon: Epsilon) -> float:
    """What is measured at `epsilon`; infinite where the mechanism cannot run."""
    try:
        return measure(event_at(epsilon))
    except REFUSALS:
        return math.inf


def plan(
    counts: NDArray[np.int64],
    prior: tuple[float, ...],
    epsilon: Epsilon,
    delta: Delta,
    *,
    level: float = 0.95,
    shares: Sequence[CellSet] | None = None,
    records: int = 1,
) -> Plan:
    """Every mechanism at most (epsilon, delta) dear, at made-up counts, shape (m,), and the recommendation.

    The narrowest noise-aware intervals win, or the least expected Hellinger error where no mechanism has such
    intervals; within 2 % the simplex geometric mechanism does, which needs no delta. `records`: how many one unit has.
    Raises PlanError where counts and prior are of no release, EventError where the sizes are.
    """
    n, alpha = int(counts.sum()), np.array(prior)
    SimplexGeometric(n, len(prior), share_of_epsilon(epsilon, records))
    options = tuple(
        _option(calibration, n, counts, alpha, epsilon, delta, level, shares, records) for calibration in CALIBRATIONS
    )
    return Plan(options, *_recommended(options, epsilon, delta, level))


def _recommended(
    options: tuple[Option, ...], epsilon: Epsilon, delta: Delta, level: float
) -> tuple[Calibration[Any], str]:
    # What is charged more than was asked is shown, and never advised.
    within = [
        option
        for option in options
        if option.certificate is not None
        and option.certificate.loss.epsilon <= epsilon
        and option.certificate.loss.delta <= delta
    ]
    widths = {
        option.calibration: math.fsum(each.expected for each in option.widths.of_categories)
        for option in within
        if option.widths is not None and option.widths.of_categories
    }
    errors = {option.calibration: option.error.expected for option in within if option.error is not None}
    measured = widths or errors
    best = min(measured, key=lambda calibration: measured[calibration])
    if measured.get(calibrations.SIMPLEX_GEOMETRIC, math.inf) <= _PREFERENCE * measured[best]:
        best = calibrations.SIMPLEX_GEOMETRIC
    if not widths:
        return best, f"its expected Hellinger error, {errors[best]:.4g}, is the least at these counts"
    (found,) = (option.widths for option in within if option.calibration is best)
    assert found is not None, "it has widths"
    size = len(found.of_categories)
    exact = math.fsum(each.without_noise for each in found.of_categories) / size
    tie = ", or within 2 % of that" if best is calibrations.SIMPLEX_GEOMETRIC else ""
    return best, (
        f"its {100 * level:g} % intervals are the narrowest at these counts{tie}: {widths[best] / size:.3g} wide on "
        f"average, where exact counts would give {exact:.3g}"
    )


def event_asked(
    calibration: Calibration[Any], n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta, records: int
) -> Event:
    """The mechanism that a release would ask for at (epsilon, delta), where one unit has so many records. Raises one of
    REFUSALS.
    """
    of_one = share_of_epsilon(epsilon, records)
    if calibration is calibrations.GAUSSIAN:
        of_unit = event_within(calibration, n, prior, epsilon, delta)
        assert isinstance(of_unit, Gaussian), "it is the Gaussian calibration"
        return replace(of_unit, rho=share_of_rho(of_unit.rho, records))
    of_delta = share_of_delta(delta, epsilon, records)
    if calibration.within is not None:
        return event_within(calibration, n, prior, of_one, of_delta)
    if calibration is calibrations.EXPONENTIAL_PUBLISHED and calibration.certification_seconds(n, len(prior)) <= _QUICK:
        return calibrate_published(n, prior, of_one, of_delta)
    raise EventError("what it is charged takes long to find: ask for its certificate")


def _option(
    calibration: Calibration[Any],
    n: int,
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    epsilon: Epsilon,
    delta: Delta,
    level: float,
    shares: Sequence[CellSet] | None,
    records: int,
) -> Option:
    try:
        event = event_asked(calibration, n, tuple(prior.tolist()), epsilon, delta, records)
        certificate = certify_unit_at_once(event, records)
        return Option(
            calibration,
            event,
            certificate,
            hellinger_error(event, counts, prior),
            interval_widths(event, counts, prior, level=level, shares=shares),
        )
    except REFUSALS as refusal:
        return Option(calibration, None, None, None, None, str(refusal))


def _check(event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64]) -> None:
    if counts.shape != (event.m,) or prior.shape != (event.m,):
        raise PlanError("counts and prior have one number for each category")
    if int(counts.sum()) != event.n or int(counts.min()) < 0:
        raise PlanError("the made-up counts are not negative and sum to n")
