"""Divides a budget among margins, so that the wanted margins are precise: the most for an amount, or the least amount
for wanted half widths.

Let x_S = 1 / σ_S² for each candidate S. Residual U has the variance 1 / (A x)_U, A_US = Π_{a∈S∖U} 1 / k_a for U ⊆ S,
and a cell of the wanted margin T has the variance Σ_U C_TU / (A x)_U (`core.margins.combination`). A margin costs an
amount that is proportional to x_S (discrete Gaussian noise), or to the rate a_S of geometric noise, where x_S = 2
sinh²(a_S / 2).

- For Gaussian noise the problem is convex. The multiplicative step x_S ← x_S √(g_S), g = Aᵀ(c / (A x)²), c = λ C, is
  monotone (Silvey, Titterington and Torsney 1978; Yu 2010), and max g bounds the distance from the optimum.
- For geometric noise the cost is concave in x. It is replaced by its tangent before each step (majorisation), so the
  steps are monotone too, but they end in local optima and never add a margin. Many starts, and moves that add, remove
  and exchange margins, search among these.
- Wanted half widths become limits of variances. The weights λ of the wanted margins then grow where a limit is missed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, islice
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.margins.combination import (
    Combination,
    MarginsError,
    MeasuredMargin,
    measured_margins,
    subsets_of,
    without_single_levels,
)
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.gaussian import MAX_RHO, MIN_RHO
from core.mechanisms.margins import MAX_MARGINS, Margin, Margins, cells_of, cost_of_unit_noise, largest_sum
from core.privacy import Delta, Epsilon, NeighbourRelation, Rho
from core.queries.error_distribution import StepDistribution

Floats: TypeAlias = NDArray[np.float64]
Amount: TypeAlias = Epsilon | Rho
"""The loss of a charge. Its type selects the noise: geometric for an epsilon, discrete Gaussian for a rho."""

MAX_WANTED: Final = MAX_MARGINS
MAX_WANTED_CELLS: Final = 2**20
_FEW_ATTRIBUTES: Final = 10
"""Up to this number of attributes all their subsets are candidates."""
_MAX_CANDIDATES: Final = 2_000
_MAX_CANDIDATE_CELLS: Final = 2**16
"""Largest number of cells of a candidate that is neither wanted nor the whole table."""
_MAX_CANDIDATE_ATTRIBUTES: Final = 14
_MAX_ENTRIES: Final = 2**23
"""Largest number of candidates times residuals, except for candidates that are wanted."""
_MAX_UNIONS: Final = 200_000
MAX_SUBSETS: Final = 2**14
"""Largest number of subsets of attributes of all wanted margins together."""
_GAP: Final = 1e-3
"""Relative distance from the optimum that is accepted for Gaussian noise."""
_STEPS: Final = 5_000
_SCREENING_STEPS, _LOCAL_STEPS, _FINAL_STEPS = 10, 40, 400
"""Numbers of steps from a move, from a start, and from the best support."""
_STARTS: Final = 96
_START_NUMBERS, _MOVE_NUMBERS = 4 * 10**6, 3 * 10**5
"""Largest number of array entries for all starts, and for the moves from one support."""
_ROUNDS: Final = 12
_BEAM: Final = 12
"""Number of supports that a search keeps."""
_EXPANSIONS_PER_ROUND: Final = 2
"""Number of supports from which one round of a search moves."""
_MOVES: Final = 160
"""Largest number of moves from one support."""
_MERGES: Final = 500
_NEGLIGIBLE_SHARE: Final = 1e-4
"""Share of the amount below which a margin is left out."""
_ENTRANT: Final = 0.25
"""Share of the amount that a margin gets which a move adds."""
_WIDTH_ROUNDS: Final = 4
_WIDTH_STEPS: Final = 60
_LEAST_RATIO: Final = 0.5
"""Least half width in deviations that shares are computed for. Noise that is nearly always 0 has a half width of 0."""
_WIDTH_PRECISION: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Workload:
    """The wanted margins of a table with `levels[a]` levels of attribute a.

    - `wanted`: the attributes of each margin. Attributes of one level are ignored.
    - `weights`: for each wanted margin, the weight of its variance per cell in the mean that an amount minimises.
    - `relation`: `replace_one` if the number of records is public, `add_remove` if it is private.
    - `records_per_unit`: the largest number of records of one unit.
    - `impossible`: the impossible combinations of levels, which can lower the price.

    Raises MarginsError in these cases: no wanted margin, more than 2 000, or more than 2^20 cells or 2^14 subsets of
    attributes of them; an attribute that does not belong to the table; two margins with the same attributes of several
    levels; a margin without such attributes if the number of records is public, because that margin is known; a weight
    that is not positive and finite; more than 2^20 combinations, or no record per unit.
    """

    levels: tuple[int, ...]
    wanted: tuple[Margin, ...]
    weights: tuple[float, ...]
    relation: NeighbourRelation
    records_per_unit: int = 1
    impossible: frozenset[tuple[int, ...]] = frozenset()
    margins: tuple[Margin, ...] = field(init=False, repr=False, compare=False)
    """The wanted margins without attributes of one level."""

    def __post_init__(self) -> None:
        if not self.levels or min(self.levels) < 1 or math.prod(self.levels) > MAX_WANTED_CELLS:
            raise MarginsError(f"the attributes must have between 1 and {MAX_WANTED_CELLS} combinations of levels")
        if not 1 <= len(self.wanted) <= MAX_WANTED or len(self.weights) != len(self.wanted):
            raise MarginsError(f"there must be between 1 and {MAX_WANTED} wanted margins, and a weight for each")
        if not all(0 < weight < math.inf for weight in self.weights):
            raise MarginsError("a weight must be positive and finite")
        if self.records_per_unit < 1:
            raise MarginsError("a unit must have at least one record")
        margins = tuple(without_single_levels(self.levels, each) for each in self.wanted)
        if len(set(margins)) != len(margins):
            raise MarginsError("two wanted margins have the same attributes of several levels")
        if self.n_is_public and () in margins:
            raise MarginsError("a wanted margin without attributes of several levels is the public number of records")
        if sum(cells_of(self.levels, each) for each in margins) > MAX_WANTED_CELLS:
            raise MarginsError(f"the wanted margins must have at most {MAX_WANTED_CELLS} cells together")
        if sum(2 ** len(each) for each in margins) > MAX_SUBSETS:
            raise MarginsError(f"the wanted margins must have at most {MAX_SUBSETS} subsets of attributes together")
        object.__setattr__(self, "margins", margins)

    @property
    def n_is_public(self) -> bool:
        return self.relation is NeighbourRelation.REPLACE_ONE

    def priced(self, margins: tuple[Margin, ...], units: Sequence[int]) -> int:
        """Return the price of margins with losses of these units, as `core.mechanisms.margins.certify` states it."""
        return largest_sum(self.levels, self.impossible, margins, units) if self.n_is_public else sum(units)

    @property
    def is_cheaper_alone(self) -> bool:
        """Return whether impossible combinations make the wanted margins cheaper than the sum of their losses."""
        return self.priced(self.margins, [1] * len(self.margins)) < len(self.margins)

    @property
    def whole(self) -> Margin:
        """Return the attributes of all wanted margins together: the table of one full release."""
        return tuple(sorted(set().union(*self.margins)))

    def candidates(self) -> tuple[Margin, ...]:
        """Return the margins that may be measured: all subsets of the wanted attributes if these are at most 10.

        Otherwise they are the wanted margins, their subsets, and the unions of two of them, smaller tables first, at
        most about 2 000. The whole table is one of them if it has at most 14 attributes. Others that are not wanted
        have at most 2^16 cells and 14 attributes.
        """
        below = {part for each in self.margins for part in subsets_of(each)}
        if len(self.whole) <= _FEW_ATTRIBUTES:
            others = set(subsets_of(self.whole))
        else:
            pairs = islice(combinations(self.margins, 2), _MAX_UNIONS)
            others = {tuple(sorted({*one, *two})) for one, two in pairs}
        small = [
            each
            for each in others - below
            if cells_of(self.levels, each) <= _MAX_CANDIDATE_CELLS and len(each) <= _MAX_CANDIDATE_ATTRIBUTES
        ]
        small.sort(key=lambda each: (cells_of(self.levels, each), each))
        whole = [self.whole] if len(self.whole) <= _MAX_CANDIDATE_ATTRIBUTES else []
        found = [*sorted(below, key=lambda each: (len(each), each)), *small]
        most = min(_MAX_CANDIDATES, _MAX_ENTRIES // len(below))
        return tuple(
            each for each in dict.fromkeys([*self.margins, *whole, *found[:most]]) if each or not self.n_is_public
        )


@dataclass(frozen=True, slots=True)
class Allotment:
    """The measurements for a workload: margins, and the loss of each."""

    workload: Workload
    margins: tuple[Margin, ...]
    losses: tuple[Epsilon, ...] | tuple[Rho, ...]

    @property
    def price(self) -> Amount:
        """Return the price of a charge: the sum of the losses, or less if combinations are impossible."""
        return type(self.losses[0])(self.workload.priced(self.margins, [each.units for each in self.losses]))

    def event(self, n: int | None, delta: Delta = Delta(0)) -> Margins:
        """Return the event that measures these margins; `n` is None if the number of records is private.

        `delta` is that at which Gaussian noise states an epsilon. Raises EventError as `Margins` does.
        """
        if (n is not None) != self.workload.n_is_public:
            raise EventError("the number of records must be given if and only if it is public")
        workload = self.workload
        return Margins(
            n, workload.levels, workload.impossible, self.margins, self.losses, delta, workload.records_per_unit
        )

    @property
    def measured(self) -> tuple[MeasuredMargin, ...]:
        """Return the measured margins with their noise."""
        # The number of records, delta and impossible combinations do not change the noise.
        everything_possible = replace(self, workload=replace(self.workload, impossible=frozenset()))
        some_delta = Delta(int(isinstance(self.losses[0], Rho)))
        return measured_margins(everything_possible.event(1 if self.workload.n_is_public else None, some_delta))

    @property
    def combination(self) -> Combination:
        """Return the estimates of the wanted margins, their variances and the distributions of their errors."""
        return Combination(self.workload.levels, self.measured, n_is_public=self.workload.n_is_public)

    @property
    def mean_variance(self) -> float:
        """Return the weighted mean over the wanted margins of the variance of a cell."""
        return float(np.average(self.variances(), weights=self.workload.weights))

    def half_widths(self, confidence: float) -> tuple[float, ...]:
        """Return the half width of each wanted margin's intervals, in records, before anything is drawn."""
        return self.combination.half_widths(self.workload.margins, confidence)

    def variances(self) -> tuple[float, ...]:
        """Return the variance of a cell of each wanted margin."""
        combination = self.combination
        return tuple(combination.variance(each) for each in self.workload.margins)


class OutOfReachError(MarginsError):
    """The wanted half widths need more than the largest amount.

    `least` has the half widths that the largest amount gives, all the same multiple of the wanted ones or smaller.
    """

    def __init__(self, least: tuple[float, ...]) -> None:
        super().__init__("the wanted half widths need more than the largest amount")
        self.least = least


def allot(workload: Workload, amount: Amount, among: Sequence[Margin] | None = None) -> Allotment:
    """Return the allotment of `amount` that minimises the weighted mean variance of a cell of the wanted margins.

    Arguments: `workload`; `amount`, the loss of the whole charge; `among`, the candidates, or None for
    `workload.candidates()`. The losses sum to at most `amount`.

    For Gaussian noise the mean is within 0.1 % of its least value over these candidates. For geometric noise it is the
    best of many local optima. Raises MarginsError if the amount is too small for a margin, or if the candidates do not
    determine the workload.
    """
    if among is None and workload.is_cheaper_alone:
        return _least_allotment(lambda each: allot(workload, amount, each), workload, lambda found: found.mean_variance)
    problem = _Problem.of(workload, among, gaussian=isinstance(amount, Rho))
    scaled = float(amount) / float(problem.unit)
    weights = np.array(workload.weights) / sum(workload.weights)
    x = problem.best(weights[None], scaled, None)
    return problem.allotment(workload, x, type(amount), amount.units)


def allot_for_widths(
    workload: Workload,
    half_widths: Sequence[float],
    confidence: float,
    at_most: Amount,
    among: Sequence[Margin] | None = None,
) -> Allotment:
    """Return the cheapest allotment whose intervals have at most these half widths.

    Arguments: `workload`, whose weights are not used; `half_widths` > 0, in records, one for each wanted margin;
    `confidence` in (0, 1); `at_most`, the largest amount of the charge; `among`, as for `allot`.

    Raises OutOfReachError, with the least half widths, if `at_most` does not suffice, and MarginsError as `allot` does
    or if a half width is not positive and finite.
    """
    if len(half_widths) != len(workload.wanted) or not all(0 < each < math.inf for each in half_widths):
        raise MarginsError("there must be a positive half width for each wanted margin")
    if not 0 < confidence < 1:
        raise MarginsError("the confidence must lie between 0 and 1")
    if among is None and workload.is_cheaper_alone:
        return _least_allotment(
            lambda each: allot_for_widths(workload, half_widths, confidence, at_most, each),
            workload,
            lambda found: found.price.units,
        )
    problem = _Problem.of(workload, among, gaussian=isinstance(at_most, Rho))
    largest = min(at_most.units, (MAX_RHO if isinstance(at_most, Rho) else MAX_EPSILON).units)
    target, ratios = np.array(half_widths, dtype=np.float64), np.full(len(half_widths), 2.0)
    x = problem.best(None, None, (target / ratios) ** 2)
    for _ in range(_WIDTH_ROUNDS):
        units = problem.amounts(x).sum() * float(problem.unit) * 10**at_most.digits
        try:
            found = problem.allotment(workload, x, type(at_most), int(min(units, largest)))
        except MarginsError:  # the smallest losses give narrower intervals
            break
        deviations = np.sqrt(np.array(found.variances()))
        before, ratios = ratios, np.maximum(np.array(found.half_widths(confidence)) / deviations, _LEAST_RATIO)
        if np.abs(before / ratios - 1.0).max() < _WIDTH_PRECISION:
            break
        x = problem.best(None, None, (target / ratios) ** 2)
    return _cheapest_multiple(workload, problem, x, target, confidence, type(at_most), largest)


def _least_allotment(
    find: Callable[[Sequence[Margin]], Allotment], workload: Workload, value: Callable[[Allotment], float]
) -> Allotment:
    """Return the allotment with the least value, among the candidates or among the wanted margins. The search of
    candidates adds up losses; the price of the wanted margins can be less than their sum. Raises the first error if
    both fail.
    """
    found, errors = [], []
    for among in (workload.candidates(), workload.margins):
        try:
            found.append(find(among))
        except MarginsError as error:
            errors.append(error)
    if not found:
        raise errors[0]
    return min(found, key=value)


def _cheapest_multiple(
    workload: Workload,
    problem: _Problem,
    x: Floats,
    target: Floats,
    confidence: float,
    kind: type[Epsilon | Rho],
    largest: int,
) -> Allotment:
    """Return the cheapest multiple of an allotment, in at most `largest` units, that has the wanted half widths.

    Raises OutOfReachError if there is none.
    """
    best = problem.allotment(workload, x, kind, largest)
    if np.any(np.array(best.half_widths(confidence)) > target):
        raise OutOfReachError(best.half_widths(confidence))
    # The half width falls about like 1 / epsilon, or like 1 / sqrt(rho). If it falls in steps, the interval is halved.
    power = 2 if problem.gaussian else 1
    low, high = 0, largest
    units = math.ceil(problem.amounts(x).sum() * float(problem.unit) * 10**kind.digits)
    for _ in range(_WIDTH_STEPS):
        if not low < units < high:
            units = math.isqrt(max(low, high // 4) * high)
        if high - low <= max(1, high * _WIDTH_PRECISION) or not low < units < high:
            break
        try:
            trial = problem.allotment(workload, x, kind, units)
        except MarginsError:
            low, units = units, 0
            continue
        combination = trial.combination
        errors = [combination.error(each) for each in workload.margins]
        excess = float((np.array([each.half_width(confidence) for each in errors]) / target).max())
        if excess <= 1.0:
            best, high = trial, units
        else:
            low = units
        in_steps = any(isinstance(each, StepDistribution) for each in errors)
        if 1.0 - _WIDTH_PRECISION < excess <= 1.0 and not in_steps:
            break
        aim = math.ceil(units * excess**power * (1.0 + _WIDTH_PRECISION / 3))
        units = 0 if aim == units else aim
    return best


@dataclass(frozen=True, slots=True)
class _Problem:
    """The candidates of a workload, and how they determine the variances."""

    candidates: tuple[Margin, ...]
    determines: Floats
    """A, shape (residuals, candidates)."""
    variances: Floats
    """C, shape (wanted margins, residuals)."""
    unit: Fraction
    """The cost of a margin with noise of size one."""
    gaussian: bool

    @classmethod
    def of(cls, workload: Workload, among: Sequence[Margin] | None, *, gaussian: bool) -> _Problem:
        levels = workload.levels
        if among is None:
            candidates = workload.candidates()
        else:
            candidates = tuple(dict.fromkeys(without_single_levels(levels, each) for each in among))
        residuals = sorted({part for each in workload.margins for part in subsets_of(each)})
        if workload.n_is_public:
            residuals.remove(())
        place = {part: index for index, part in enumerate(residuals)}
        of_part, of_candidate = _members(levels, residuals), _members(levels, candidates)
        sizes = [
            np.array([cells_of(levels, each) for each in sets], dtype=np.float64) for sets in (residuals, candidates)
        ]
        contains = of_part @ (1.0 - of_candidate.T) == 0.0
        determines = np.where(contains, sizes[0][:, None] / sizes[1], 0.0)
        variances = np.zeros((len(workload.margins), len(residuals)))
        for row, margin in enumerate(workload.margins):
            for part in subsets_of(margin):
                if part in place:
                    variances[row, place[part]] = math.prod(
                        1.0 - 1.0 / levels[a] if a in part else levels[a] ** -2.0 for a in margin
                    )
        if not determines.any(axis=1).all():
            raise MarginsError("the measured margins must together contain all attributes of the wanted margin")
        unit = cost_of_unit_noise(workload.relation, workload.records_per_unit, gaussian=gaussian)
        return cls(candidates, determines, variances, unit, gaussian)

    def amounts(self, x: Floats) -> Floats:
        """Return the cost of each margin at precision x, in units of `unit`."""
        return x if self.gaussian else np.asarray(2.0 * np.arcsinh(np.sqrt(x / 2.0)))

    def precisions(self, amounts: Floats) -> Floats:
        """Return the precision of each margin at these amounts, the inverse of `amounts`."""
        return amounts if self.gaussian else np.asarray(2.0 * np.sinh(np.minimum(amounts, 600.0) / 2.0) ** 2)

    def best(self, weights: Floats | None, amount: float | None, limits: Floats | None) -> Floats:
        """Return the best precisions found, shape (candidates,): for `weights` and `amount`, or for `limits` of the
        variances of the wanted margins.
        """
        if self.gaussian:
            return self._solve_convex_problem(weights, amount, limits)
        return self._search(weights, amount, limits)

    def _solve_convex_problem(self, weights: Floats | None, amount: float | None, limits: Floats | None) -> Floats:
        x = np.full((1, len(self.candidates)), 1.0)
        current = self._first_weights(1, weights, limits)
        best, lower, least = x, 0.0, np.inf
        for _ in range(_STEPS):
            x = x / x.sum()
            residual = x @ self.determines.T
            c = current @ self.variances
            f = float((c / residual).sum())
            g = (c / residual**2) @ self.determines
            lower = max(lower, 2.0 * f - float(g.max()))
            if limits is None:
                best, least = x, f
            else:
                excess = ((1.0 / residual) @ self.variances.T) / limits
                if excess.max() < least:
                    best, least = x, float(excess.max())
                current = _renew_weights(current, excess, limits)
            if least <= lower * (1.0 + _GAP):
                break
            x = x * np.sqrt(g)
        scale = amount if limits is None else least
        return np.asarray(best[0] * scale)

    def _search(self, weights: Floats | None, amount: float | None, limits: Floats | None) -> Floats:
        """Return the best of many local optima under a concave cost: a beam search that exchanges single margins."""

        def descend(starts: Floats, steps: int) -> tuple[Floats, Floats]:
            return self._descend(starts, steps, weights, amount, limits)

        x, values = descend(self._starts(amount or 1.0), _LOCAL_STEPS)
        expanded: set[bytes] = set()
        for _ in range(_ROUNDS):
            x, values = _distinct_best(x, values)
            fresh = [each for each in x if (each > 0).tobytes() not in expanded][:_EXPANSIONS_PER_ROUND]
            if not fresh:
                break
            expanded.update((each > 0).tobytes() for each in fresh)
            moves = np.concatenate([self._moved_precisions(each, weights, limits) for each in fresh])
            moved, moved_values = descend(moves, _SCREENING_STEPS)
            moved, moved_values = descend(moved[np.argsort(moved_values)[:_BEAM]], _LOCAL_STEPS)
            x, values = np.concatenate((x, moved)), np.concatenate((values, moved_values))
        x, _ = descend(x[[int(np.argmin(values))]], _FINAL_STEPS)
        return np.asarray(x[0])

    def _starts(self, amount: float) -> Floats:
        """Return starting precisions, shape (starts, candidates): the whole table alone, all margins, the margins of
        each size, and mixtures that follow a Weyl sequence.
        """
        sizes = np.array([len(each) for each in self.candidates])
        number = len(self.candidates)
        structured = [np.ones(number), *(np.where(sizes == size, 1.0, 0.0) for size in sorted(set(sizes.tolist())))]
        alone = np.eye(number)[sizes == sizes.max()][:1]
        wide = min(_STARTS, max(8, _START_NUMBERS // self.determines.size))
        grid = np.outer(np.arange(1, wide + 1), np.sqrt(_primes(number))) % 1.0
        mixed = (-np.log(np.maximum(grid, 1e-9))) ** 3
        return np.asarray(self._covering_rows(np.concatenate((np.array(structured), alone, mixed))) * amount)

    def _covering_rows(self, x: Floats) -> Floats:
        """Return the rows of x whose margins determine the workload."""
        return np.asarray(x[((x @ self.determines.T) > 0).all(axis=1)])

    def _moved_precisions(self, x: Floats, weights: Floats | None, limits: Floats | None) -> Floats:
        """Return precisions after adding, removing, exchanging or merging margins: the moves that begin best."""
        used, amounts = np.flatnonzero(x > 0), self.amounts(x)
        c = (np.asarray(weights)[0] if limits is None else 1.0 / limits) @ self.variances
        columns, number = self.determines.T, len(x)
        changes: list[tuple[Floats, NDArray[np.int64], float]] = []
        entrant = float(amounts.sum()) * _ENTRANT
        changes.append((amounts * (1.0 - _ENTRANT), np.arange(number), entrant))
        for index in used:
            without = amounts.copy()
            without[index] = 0.0
            changes.append((without, np.array([-1]), 0.0))
            changes.append((without, np.arange(number), float(amounts[index])))
        place = {each: index for index, each in enumerate(self.candidates)}
        for one, two in list(combinations(used.tolist(), 2))[:_MERGES]:
            union = place.get(tuple(sorted({*self.candidates[one], *self.candidates[two]})))
            if union is not None:
                without = amounts.copy()
                without[[one, two]] = 0.0
                changes.append((without, np.array([union]), float(amounts[one] + amounts[two])))
        found, values = [], []
        with np.errstate(divide="ignore"):
            for kept, entering, own in changes:
                base = self.precisions(kept) @ columns
                added = self.precisions(np.array([own]))[0]
                residual = base + (added * columns[entering] if own else 0.0 * columns[:1])
                value = (c / residual).sum(axis=1)
                for order in np.argsort(value)[:_MOVES]:
                    if np.isfinite(value[order]):
                        found.append((kept, int(entering[order]), own))
                        values.append(float(value[order]))
        best = np.argsort(values)[: min(_MOVES, max(8, _MOVE_NUMBERS // (len(used) * len(self.determines))))]
        result = np.zeros((len(best), number))
        for row, order in enumerate(best):
            kept, entered, own = found[order]
            result[row] = kept
            if own:
                result[row, entered] += own
        return self.precisions(result)

    def _descend(
        self, x: Floats, steps: int, weights: Floats | None, amount: float | None, limits: Floats | None
    ) -> tuple[Floats, Floats]:
        """Return precisions after monotone steps from each start, and the value of each: the weighted variance at the
        amount, or the amount at which all limits hold.

        Only the margins in use are computed with.
        """
        current = self._first_weights(len(x), weights, limits)
        best, values = x.copy(), np.full(len(x), np.inf)
        used, x, columns = self._compress_rows(x)
        for step in range(steps + 1):
            if limits is None:
                assert amount is not None
                x = self._scale_rows(x, amount)
            inverse = 1.0 / np.matmul(x[:, None, :], columns)[:, 0]
            if limits is None:
                value = ((inverse @ self.variances.T) * current).sum(axis=1)
            else:
                excess = (inverse @ self.variances.T) / limits
                most = excess.max(axis=1, keepdims=True)
                x, inverse = x * most, inverse / most
                current = _renew_weights(current, excess, limits)
                value = self.amounts(x).sum(axis=1)
            for row in np.flatnonzero(value < values):
                best[row] = 0.0
                best[row, used[row]] = x[row]
            values = np.minimum(value, values)
            if step == steps:
                break
            c = current @ self.variances
            g = np.matmul(columns, (c * inverse * inverse)[:, :, None])[:, :, 0]
            tangent = 1.0 / np.sinh(np.clip(self.amounts(x), 1e-150, 600.0))
            x = x * np.sqrt(g / tangent)
            x = np.where(x > x.max(axis=1, keepdims=True) * 1e-13, x, 0.0)
            if step % 10 == 9:
                smaller, x, _ = self._compress_rows(x)
                used = np.take_along_axis(used, smaller, axis=1)
                columns = self.determines.T[used]
        return best, values

    def _compress_rows(self, x: Floats) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Return the margins in use in each row, their precisions, and their columns of `determines`."""
        size = int((x > 0).sum(axis=1).max(initial=1))
        used = np.argsort(-x, axis=1, kind="stable")[:, :size]
        taken = np.take_along_axis(x, used, axis=1)
        return used, taken, self.determines.T[used] if x.shape[1] == len(self.candidates) else taken

    def _first_weights(self, number: int, weights: Floats | None, limits: Floats | None) -> Floats:
        if limits is None:
            assert weights is not None
            return np.repeat(weights, number, axis=0)
        return np.repeat((1.0 / limits / len(limits))[None], number, axis=0)

    def _scale_rows(self, x: Floats, amount: float) -> Floats:
        """Return multiples of the rows of x that cost the amount, by Newton's method in the logarithm."""
        log = np.log(amount / self.amounts(x).sum(axis=1))
        for _ in range(60):
            found = self.amounts(x * np.exp(log)[:, None])
            excess = found.sum(axis=1) - amount
            if np.abs(excess).max() <= 1e-12 * amount:
                break
            log -= np.clip(excess / np.tanh(found / 2.0).sum(axis=1), -5.0, 5.0)
        return np.asarray(x * np.exp(log)[:, None])

    def allotment(self, workload: Workload, x: Floats, kind: type[Epsilon | Rho], units: int) -> Allotment:
        """Return an allotment with a price of exactly these units, in the shares that the precisions cost. It can be a
        little less if impossible combinations lower the price.

        Margins with a negligible share, or with less than the smallest loss, are left out if the others determine the
        workload. Raises MarginsError if the units are too few.
        """
        least = (MIN_RHO if kind is Rho else MIN_EPSILON).units
        shares = self.amounts(x) / self.amounts(x).sum()
        smallest = max(_NEGLIGIBLE_SHARE, least / max(units, 1))
        for index in np.argsort(shares):
            if shares[index] >= smallest:
                break
            trial = shares.copy()
            trial[index] = 0.0
            if ((trial > 0) @ self.determines.T > 0).all():
                shares = trial / trial.sum()
        used = np.flatnonzero(shares)
        margins, total = tuple(self.candidates[index] for index in used), units
        losses = _round_shares(shares[used], total, least)
        if (price := workload.priced(margins, losses)) < units:
            total = min(units * units // price, (MAX_RHO if kind is Rho else MAX_EPSILON).units)
            while workload.priced(margins, losses := _round_shares(shares[used], total, least)) > units:
                total -= len(losses)
        return Allotment(workload, margins, tuple(map(kind, losses)))  # type: ignore[arg-type]


def _round_shares(shares: Floats, total: int, least: int) -> list[int]:
    """Return whole numbers that sum to `total`, each >= `least`, about in proportion to the shares."""
    if least * len(shares) > total:
        raise MarginsError("the amount is too small for the margins that must be measured")
    fixed = np.zeros(len(shares), dtype=np.bool_)
    while True:
        rest = total - least * int(fixed.sum())
        free = shares[~fixed].sum()
        small = ~fixed & (shares / free * rest < least) if free > 0 else np.zeros_like(fixed)
        if not small.any():
            break
        fixed |= small
    whole = [0 if held else int(share * 2**60) for share, held in zip(shares.tolist(), fixed, strict=True)]
    units = [least if held else max(least, rest * each // sum(whole)) for each, held in zip(whole, fixed, strict=True)]
    units[int(np.argmax(shares))] += total - sum(units)
    return units


def _members(levels: Sequence[int], margins: Sequence[Margin]) -> Floats:
    """Return 1 where an attribute belongs to a margin and 0 elsewhere, shape (margins, attributes)."""
    found = np.zeros((len(margins), len(levels)))
    for row, margin in enumerate(margins):
        found[row, list(margin)] = 1.0
    return found


def _distinct_best(x: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return the rows with the least values, at most `_BEAM`, only one of those with the same margins."""
    kept: dict[bytes, int] = {}
    for row in np.argsort(values, kind="stable"):
        kept.setdefault((x[row] > 0).tobytes(), int(row))
        if len(kept) == _BEAM:
            break
    rows = list(kept.values())
    return np.asarray(x[rows]), np.asarray(values[rows])


def _renew_weights(weights: Floats, excess: Floats, limits: Floats) -> Floats:
    """Return the weights of the wanted margins after a step: larger where the variance exceeds its limit most."""
    found = weights * np.sqrt(excess / excess.max(axis=1, keepdims=True))
    return np.asarray(found / (found @ limits)[:, None])


def _primes(number: int) -> Floats:
    found: list[int] = []
    candidate = 2
    while len(found) < number:
        if all(candidate % prime for prime in found if prime * prime <= candidate):
            found.append(candidate)
        candidate += 1
    return np.array(found, dtype=np.float64)
