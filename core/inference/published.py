"""The likelihood of the true counts, given the cells of somebody else's noisy table.

Each published cell is one event {low <= c + z <= high}, where c is the count and z the noise. The publisher adds noise,
rounds to multiples, clamps at 0, and suppresses what is then below a threshold, in this order. Rounding at random is
noise itself. The likelihood is

    L(c) = P(low − c <= z <= high − c),

or, for a value of continuous noise that is shown as it is, the density at that value. L is log-concave in c, or the
noise is finite (`core.inference.changes`) and may depend on c. L must not depend on other cells: a table that was
adjusted to add up, or has cells suppressed because of other cells, cannot be conditioned on cell by cell.

Everything is computed in logs, from the side away from 0, so a tail far out keeps its digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.changes import UNCHANGED, Changes, rounded_at_random
from core.inference.counts import InferenceError
from core.inference.posterior import NoiseAwarePosterior, check_prior
from core.inference.product_counts import UNBOUNDED, Observed, UnknownTotal, counts_given_noise

Floats: TypeAlias = NDArray[np.float64]


class PublishedError(InferenceError):
    """The description of a published table breaks a rule. The message does not repeat values.

    `field` is a field of `Noise`, `noise_of`, `table_noise`, `Printed`, `PublishedCell` or `Total`.
    """

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field}: {rule}")
        self.field, self.rule = field, rule


Law: TypeAlias = Literal["geometric", "laplace", "floored_laplace", "discrete_gaussian", "gaussian", "table", "none"]
Rounding: TypeAlias = Literal["at_random", "half_even", "half_up", "half_down", "half_away"]

MAX_SCALE: Final = 2.0**40
MAX_VALUE: Final = 2**53
MAX_ROWS: Final = 1000
"""Largest number of rows of a perturbation table, and largest base of random rounding."""
MAX_CHANGE: Final = 1000
MAX_CHANGES: Final = 20_000
"""Largest number of probabilities of a perturbation table."""
_SUM_OF_ROW: Final = 1e-9
_REACH: Final = 50.0
"""Number of nats by which a likelihood has fallen at its reach."""
_DISCRETE: Final = frozenset({"geometric", "discrete_gaussian", "table", "none"})
_MIN_SMOOTH_SCALE: Final = 1.9
"""Parameter σ from which a sum of two discrete Gaussian noises is discrete Gaussian, up to a relative 1e-14."""
_NARROW_WIDTH: Final = 0.01
"""Width of a band of Gaussian noise, in standard deviations, below which its probability is an expansion."""
_MIN_INTEGRATED_SCALE: Final = 12.0
"""Parameter σ of discrete Gaussian noise below which its points are added up."""
_STEEP_SLOPE: Final = 0.2
"""At this relative decrease of the discrete Gaussian between two points, and above, its points are added up."""
_MAX_ADDED_VALUES: Final = 256
"""Number of points after which a sum of discrete Gaussian weights has converged to 1e-17."""
_EULER_MACLAURIN: Final = (-1 / 24, 7 / 5760, -31 / 967680)
"""Coefficients of the first, third and fifth derivative in the midpoint form of the Euler-Maclaurin formula."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Independent noise with mean 0, or −½ if it is a floored Laplace variable.

    `scale` is the reciprocal of the rate for `geometric` (P(z) ∝ e^(−|z| / scale)), b for `laplace` and
    `floored_laplace`, and σ for both Gaussian laws (P(z) ∝ e^(−z² / 2σ²)), in records. It is not used for `none`. If
    two geometric noises were added, `second` is the scale of the other one. `changes` are those of the law `table`.
    """

    law: Law
    scale: float = 1.0
    second: float = 0.0
    changes: Changes | None = None

    def __post_init__(self) -> None:
        for scale in self.scales:
            if not 1 / MAX_SCALE <= scale <= MAX_SCALE:
                raise PublishedError("scale", "must be at least 2^-40 and at most 2^40")

    @property
    def scales(self) -> tuple[float, ...]:
        """Return the scale of each noise that was added; none if the noise is finite."""
        if self.law in ("table", "none"):
            return ()
        return (self.scale, self.second) if self.second else (self.scale,)


def noise_of(
    law: Law,
    *,
    scale: float | None = None,
    variance: float | None = None,
    epsilon: float | None = None,
    l1_sensitivity: float = 1.0,
    rho: float | None = None,
    l2_sensitivity: float = 1.0,
    second_scale: float | None = None,
) -> Noise:
    """Return the noise from exactly one of the numbers that libraries print.

    Arguments: `scale`, as in `Noise`; `variance`, in records²; `epsilon` with `l1_sensitivity` for geometric and
    Laplace noise; `rho` (zero-concentrated differential privacy) with `l2_sensitivity` for Gaussian noise. The variance
    of discrete Gaussian noise is taken as its parameter σ², as libraries do. `second_scale` is the scale of a second
    noise of the same law that was added too.

    Raises InferenceError if not exactly one is given, or if one does not belong to the law.
    """
    given = {"scale": scale, "variance": variance, "epsilon": epsilon, "rho": rho}
    named = [(name, value) for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise PublishedError("law", "needs exactly one of scale, variance, epsilon, rho")
    ((name, value),) = named
    is_gaussian = law in ("discrete_gaussian", "gaussian")
    if law in ("table", "none") or (name == "rho" and not is_gaussian) or (name == "epsilon" and is_gaussian):
        raise PublishedError(name, f"does not describe {law} noise")
    if not all(0.0 < each < math.inf for each in (value, l1_sensitivity, l2_sensitivity)):
        raise PublishedError(name, "and the sensitivities must be above 0 and finite")
    match name:
        case "scale":
            found = value
        case "epsilon":
            found = l1_sensitivity / value
        case "rho":
            found = l2_sensitivity / math.sqrt(2.0 * value)
        case _ if is_gaussian:
            found = math.sqrt(value)
        case _ if law == "laplace":
            found = math.sqrt(0.5 * value)
        case _ if law == "geometric":  # its variance is 1 / (cosh(1/scale) − 1)
            found = 0.5 / math.asinh(math.sqrt(0.5 / value))
        case _:  # that of floored noise has no closed inverse
            raise PublishedError(name, f"does not describe {law} noise")
    if second_scale is None:
        return Noise(law, found)
    if law == "geometric":
        return Noise(law, found, second_scale)
    if law == "gaussian" or (law == "discrete_gaussian" and min(found, second_scale) >= _MIN_SMOOTH_SCALE):
        return Noise(law, math.hypot(found, second_scale))
    rule = "must be left out, unless the noise is geometric, Gaussian, or discrete Gaussian with scales from 1.9 up"
    raise PublishedError("second_scale", rule)


def table_noise(rows: Sequence[Mapping[int, float]]) -> Noise:
    """Return the noise of a perturbation table: row c has the changes of the count c with their probabilities, and the
    last row also those of all larger counts.
    """
    if not 1 <= len(rows) <= MAX_ROWS or sum(map(len, rows)) > MAX_CHANGES:
        raise PublishedError("changes", f"must have 1 to {MAX_ROWS} rows and at most {MAX_CHANGES} probabilities")
    for row in rows:
        if not all(abs(change) <= MAX_CHANGE and p >= 0.0 for change, p in row.items()):
            raise PublishedError("changes", f"must have changes up to {MAX_CHANGE} and probabilities of at least 0")
        if not abs(math.fsum(row.values()) - 1.0) <= _SUM_OF_ROW:
            raise PublishedError("changes", "must have probabilities that sum to 1 in each row")
    return Noise("table", changes=Changes(rows))


@dataclass(frozen=True, slots=True)
class Printed:
    """What the publisher did to a noisy value, in this order: rounding, clamping at 0, suppression below a threshold.

    `rounding` is `at_random` for exact counts that went to either neighbouring multiple of `round_to`, without bias.
    Otherwise values went to the nearest multiple, and those halfway between two went to the even one (`half_even`), up,
    down, or away from 0. Continuous noise has no such values.
    """

    round_to: int | None = None
    rounding: Rounding | None = None
    clamped_at_zero: bool = False
    shown_from: int | None = None

    def __post_init__(self) -> None:
        if self.round_to is not None and not 1 <= self.round_to <= MAX_VALUE:
            raise PublishedError("round_to", "must be a whole number from 1 to 2^53")
        if (self.round_to is None) is not (self.rounding is None):
            raise PublishedError("rounding", "must be given with `round_to`, and only then")
        if self.at_random is not None and self.at_random > MAX_ROWS:
            raise PublishedError("round_to", f"must be at most {MAX_ROWS} if values are rounded at random")
        if self.shown_from is not None and abs(self.shown_from) > MAX_VALUE:
            raise PublishedError("shown_from", "must not lie beyond 2^53")
        if self.clamped_at_zero and self.shown_from is not None and self.shown_from < 1:
            raise PublishedError("shown_from", "must be at least 1 if values are clamped at zero")

    @property
    def at_random(self) -> int | None:
        """Return the base of random rounding, or None."""
        return self.round_to if self.rounding == "at_random" else None

    @property
    def to_nearest(self) -> int | None:
        """Return the unit of rounding to the nearest multiple, or None."""
        return None if self.rounding == "at_random" else self.round_to


@dataclass(frozen=True, slots=True)
class Total:
    """The number of records n of a table, if it is not known exactly.

    p(n) is flat on 0, 1, …, `at_most`, or on 0, 1, 2, … without `at_most`. `published` is a published value of n.
    """

    at_most: int | None = None
    published: PublishedCell | None = None

    def __post_init__(self) -> None:
        if self.at_most is not None and not 0 <= self.at_most <= MAX_VALUE:
            raise PublishedError("at_most", "must be a whole number from 0 to 2^53")


AS_DRAWN: Final = Printed()


@dataclass(frozen=True, slots=True)
class PublishedCell:
    """One cell of a published table, in records: a value, or None if the cell is suppressed.

    `between` replaces the value by an interval that contains the noisy value, before any rounding; an end that is None
    is infinite.
    """

    value: float | None
    noise: Noise
    printed: Printed = AS_DRAWN
    between: tuple[float | None, float | None] | None = None
    event: tuple[float, float] = field(init=False)
    """The least and the largest value that c + z may have; equal if the value itself is known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "event", _event(self))
        if self.changes is not None and not _is_possible(self.changes, *self.event):
            field = "value" if self.between is None else "between"
            raise PublishedError(field, "must be one that the noise of the cell can give")

    @property
    def changes(self) -> Changes | None:
        """Return the law of a finite noise, or None."""
        if self.printed.at_random is not None:
            return rounded_at_random(self.printed.at_random)
        return UNCHANGED if self.noise.law == "none" else self.noise.changes

    @property
    def noises(self) -> tuple[Noise, ...]:
        """Return the independent noises of the cell; none if nothing is published about it."""
        if not self.informative or self.changes is UNCHANGED:
            return ()
        if self.changes is not None:
            return (Noise("table", self.changes.deviation, changes=self.changes),)
        return tuple(Noise(self.noise.law, scale) for scale in self.noise.scales)

    @property
    def informative(self) -> bool:
        return self.event != (-math.inf, math.inf)

    @property
    def is_raw(self) -> bool:
        """Return whether the count is the noisy value, which is known, less the noise."""
        if self.changes not in (None, UNCHANGED):
            return False
        width = 1.0 if self.noise.law == "floored_laplace" else 0.0
        return self.value is not None and self.event == (self.value, self.value + width)

    @property
    def bounded_above(self) -> bool:
        """Return whether the likelihood falls as the count grows."""
        return self.event[1] < math.inf


def infer_table(
    tables: Sequence[Sequence[PublishedCell]],
    prior: Sequence[float] | NDArray[np.float64],
    total: int | Total,
) -> NoiseAwarePosterior:
    """Return the posterior of counts and shares, given somebody else's noisy table.

    θ ~ Dir(α), the counts c given their sum n are multinomial, and cells are published independently given c:

        p(c | table) ∝ g(n) Π_i Γ(α_i + c_i) / (Γ(α_i) c_i!) L_i(c_i),  g(n) = p(n) L(n) n! Γ(A) / Γ(n + A),  A = Σ α.

    Arguments: `tables`, at least one table of the same m >= 2 cells in the same order, with independent noise; `prior`
    α, shape (m,), each in [1e-6, 1e6]; `total`, the number of records n, or what is known about it.

    `counts` of the result has the distributions of the counts and of n (`totals`), in records. At an unknown n
    `core.inference.events.share_distribution` gives the shares. `counts.error` bounds the error of
    every probability; at an unknown n it is at most 1e-6.

    Raises InferenceError if the prior is invalid, if no counts are possible, if a cell without an upper end meets an
    unbounded n, or if too many counts are possible.
    """
    alpha = np.array(prior, dtype=np.float64)
    sizes = {len(cells) for cells in tables}
    if len(sizes) != 1 or min(sizes) < 2:
        raise InferenceError("tables must have the same cells, two at least")
    check_prior(alpha, *sizes)
    if isinstance(total, int) and not 1 <= total <= MAX_VALUE:
        raise PublishedError("total", "must be a whole number from 1 to 2^53")
    return NoiseAwarePosterior(alpha, counts_given_noise(alpha, [observe(cells) for cells in tables], total_of(total)))


def total_of(total: int | Total) -> int | UnknownTotal:
    """Return the known number of records, or its distribution, in the form of `counts_given_noise`."""
    if isinstance(total, int):
        return total
    return UnknownTotal(total.at_most, None if total.published is None else observe([total.published]))


def observe(cells: Sequence[PublishedCell]) -> Observed:
    """Return the likelihood of each count given a published table.

    Arguments: `cells`, shape (m,), one for each category.
    """
    low, high = (np.array([cell.event[end] for cell in cells]) for end in (0, 1))
    scale, second = (np.array([getattr(cell.noise, name) for cell in cells]) for name in ("scale", "second"))
    informative = np.array([cell.informative for cell in cells])
    finite = {number: cell.changes for number, cell in enumerate(cells) if cell.changes is not None}
    kinds = list(dict.fromkeys(finite.values()))
    laws = np.array(
        [str(kinds.index(finite[number])) if number in finite else _law(cell) for number, cell in enumerate(cells)]
    )

    def log_likelihood(categories: NDArray[np.int64], counts: NDArray[np.int64]) -> Floats:
        found = np.zeros(counts.size)
        for law in set(laws.tolist()):
            some = ((laws == law) & informative)[categories]
            of, held = categories[some], counts[some]
            if law.isdigit():
                found[some] = kinds[int(law)].log_likelihood(low[of], high[of], held)
            else:
                found[some] = log_band(law, low[of] - held, high[of] - held, scale[of], second[of])
        return found

    reach = np.array([_reach(cell.noise) for cell in cells])
    limits = np.stack([np.zeros(len(cells)), np.full(len(cells), float(UNBOUNDED))])
    for number, changes in finite.items():
        limits[0, number] = max(0.0, math.ceil(low[number]) - changes.most) if low[number] > -math.inf else 0.0
        limits[1, number] = min(float(UNBOUNDED), np.floor(high[number]) - changes.least)
        reach[number] = max(changes.most, -changes.least)
    finite_low, finite_high = np.maximum(low, 0.0), np.minimum(high, float(UNBOUNDED))
    middle = 0.5 * (np.where(np.isinf(low), finite_high, low) + np.where(np.isinf(high), finite_low, high))
    anchors = np.where(np.isinf(high), finite_low, np.where(np.isinf(low), finite_high, middle))
    for number, changes in finite.items():
        if low[number] == -math.inf:  # the likelihood is 1 where no change exceeds the upper end
            anchors[number] = finite_high[number] - changes.most
    anchors = np.round(np.clip(anchors, 0.0, float(UNBOUNDED)))
    below = np.where(np.isinf(low), anchors, np.maximum(anchors - finite_low, 0.0) + reach)
    above = np.where(np.isinf(high), float(UNBOUNDED), np.maximum(finite_high - anchors, 0.0) + reach)
    distances = np.minimum(np.stack([below, above]), float(UNBOUNDED)).astype(np.int64)
    return Observed(log_likelihood, anchors.astype(np.int64), distances, limits.astype(np.int64), informative)


def _law(cell: PublishedCell) -> str:
    if cell.noise.law == "floored_laplace":
        return "laplace"
    return "two_geometric" if cell.noise.second else cell.noise.law


def log_band(law: str, low: Floats, high: Floats, scale: Floats, second: Floats | None = None) -> Floats:
    """Return ln P(low <= z <= high), or the log-density where low = high, up to a constant for each width high − low.

    All arguments have shape (k,). Either end may be infinite, but not both. The ends are integers if the noise is
    discrete. `law` is that of `Noise`, if it is not finite; or `two_geometric`, with the other noise's scale `second`.
    """
    # The laws are symmetric: reflect bands so that none has its larger part below 0.
    reflected = low + high < 0.0
    low, high = np.where(reflected, -high, low), np.where(reflected, -low, high)
    if second is not None and law == "two_geometric":
        return _log_two_geometric(low, high, np.maximum(scale, second), np.minimum(scale, second))
    if law == "discrete_gaussian":
        return _log_discrete_gaussian(low, high, scale)
    if law == "gaussian":
        point = low == high
        band = _log_gaussian(np.where(point, -1.0, low), np.where(point, 1.0, high), scale)
        return np.where(point, -0.5 * (np.where(point, low, 0.0) / scale) ** 2, band)
    # Geometric and Laplace noise both have the tail e^(−k / scale), up to a factor.
    step = 1.0 if law == "geometric" else 0.0
    point, start = low == high, np.maximum(low, 0.0)
    with np.errstate(divide="ignore"):
        width = np.where(point, math.inf, high - start + step) / scale
        beside = np.log(-np.expm1(-width)) - start / scale
        # Each side of 0 is a difference from the whole side, so that a narrow band keeps its digits.
        left = -np.exp(-step / scale) * np.expm1(np.minimum(low, 0.0) / scale)
        right = -np.expm1(-(np.maximum(high, 0.0) + step) / scale)
        around = np.log(left + right)
    return np.where(low >= 0.0, beside, around)


def _log_two_geometric(low: Floats, high: Floats, wide: Floats, narrow: Floats) -> Floats:
    """Return ln P(low <= z + z' <= high) up to a constant, for geometric noises of these scales, low + high >= 0.

    With q and r <= q of the two noises, ρ = r/q, and m(k) = (1 − ρ^k) / (1 − ρ),

        P(z + z' = k) ∝ q^k ((1 + ρ^k) qr / (1 − qr) + m(k + 1)),  k >= 0,

    and P(z + z' >= k) is a sum of positive terms, too.
    """
    q, r = np.exp(-1.0 / wide), np.exp(-1.0 / narrow)
    of_q, of_r, both = -np.expm1(-1.0 / wide), -np.expm1(-1.0 / narrow), 1.0 / np.expm1(1.0 / wide + 1.0 / narrow)
    apart = 1.0 / narrow - 1.0 / wide
    whole = np.log(1.0 + q) - np.log(of_q) + np.log(1.0 + r) - np.log(of_r)

    def m(k: Floats) -> Floats:
        step = np.where(apart > 0.0, apart, 1.0)
        return np.where(apart > 0.0, np.expm1(-k * step) / np.expm1(-step), k)

    def log_tail(k: Floats) -> Floats:
        at = np.where(np.isinf(k), 0.0, k)
        ratio = np.exp(-at * apart)
        terms = both * (1.0 / of_q + ratio / of_r) + (m(at) * of_r + ratio) / (of_q * of_r)
        return np.where(np.isinf(k), -math.inf, np.log(terms) - at / wide)

    point, start = low == high, np.maximum(low, 0.0)
    of_start, beyond = log_tail(start), log_tail(np.where(point, start, high) + 1.0)
    at_point = np.log((1.0 + np.exp(-start * apart)) * both + m(start + 1.0)) - start / wide
    beside = of_start + np.log(-np.expm1(np.minimum(beyond - of_start, -1e-300)))
    left = np.exp(log_tail(np.maximum(1.0 - low, 1.0)) - whole)
    with np.errstate(divide="ignore"):
        around = whole + np.log(np.maximum(1.0 - np.exp(beyond - whole) - left, 0.0))
    return np.where(point, at_point, np.where(low >= 0.0, beside, around))


def _log_gaussian(low: Floats, high: Floats, scale: Floats) -> Floats:
    """Return ln P(low <= z <= high) for z ~ N(0, scale²), low < high, low + high >= 0.

    A narrow band is its middle's density times the mean of e^(−ux − x²/2) over x within half of the width h of 0, u the
    middle. Let y = uh/2. The mean of e^(−ux) is sinh(y)/y, and under this weight x² has the mean (h/2)² (1 + 2/y² − 2
    coth(y)/y). The next term is below h⁴/128.
    """
    a, b, width = low / scale, high / scale, (high - low) / scale
    narrow = width < _NARROW_WIDTH
    with np.errstate(divide="ignore", invalid="ignore"):
        of_tails = special.log_ndtr(-a)
        beside = of_tails + np.log(-np.expm1(special.log_ndtr(-b) - of_tails))
        around = np.log1p(-(special.ndtr(a) + special.ndtr(-b)))
    wide = np.where(a >= 0.0, beside, around)
    if not narrow.any():
        return wide
    h, u = np.where(narrow, width, _NARROW_WIDTH), np.where(narrow, 0.5 * (a + b), 0.0)
    y = 0.5 * u * h
    far = np.maximum(y, 0.3)
    spread = np.where(
        y < 0.3, 1.0 / 3.0 + 2.0 * y**2 / 45.0 - 4.0 * y**4 / 945.0, 1.0 + 2.0 / far**2 - 2.0 / (far * np.tanh(far))
    )
    log_sinh = y + np.where(y > 1e-9, np.log(-np.expm1(-2.0 * np.maximum(y, 1e-9)) / (2.0 * np.maximum(y, 1e-9))), -y)
    close = np.log(h) - 0.5 * math.log(2.0 * math.pi) - 0.5 * u**2 + log_sinh + np.log1p(-0.125 * h**2 * spread)
    return np.where(narrow, close, wide)


def _log_discrete_gaussian(low: Floats, high: Floats, scale: Floats) -> Floats:
    """Return ln Σ e^(−k² / 2 scale²) over the integers k from `low` to `high`, low + high >= 0."""
    found = -0.5 * (np.where(low == high, low, 0.0) / scale) ** 2
    added = (low < high) & ((scale < _MIN_INTEGRATED_SCALE) | (low > _STEEP_SLOPE * scale**2))
    if added.any():
        found[added] = _log_sum_of_points(low[added], high[added], scale[added])
    smooth = (low < high) & ~added
    if smooth.any():
        found[smooth] = _log_sum_of_smooth(low[smooth], high[smooth], scale[smooth])
    return found


def _log_sum_of_points(low: Floats, high: Floats, scale: Floats) -> Floats:
    """Return ln Σ e^(−k² / 2 scale²), adding up to 256 points outward from the one nearest to 0 on each side."""
    start, found = np.maximum(low, 0.0), np.empty(low.size)
    for first in range(0, low.size, 1 << 12):
        block = slice(first, first + (1 << 12))
        nearest, least, greatest, sigma = start[block, None], low[block, None], high[block, None], scale[block, None]
        steps = np.arange(_MAX_ADDED_VALUES, dtype=np.float64)
        right = np.exp(-(2.0 * nearest + steps) * steps / (2.0 * sigma**2)) * (nearest + steps <= greatest)
        left = np.exp(-((steps + 1.0) ** 2) / (2.0 * sigma**2)) * (-(steps + 1.0) >= least)
        found[block] = np.log(right.sum(axis=1) + left.sum(axis=1))
    return found - 0.5 * (start / scale) ** 2


def _log_sum_of_smooth(low: Floats, high: Floats, scale: Floats) -> Floats:
    """Return ln Σ e^(−k² / 2 scale²) as the integral from low − ½ to high + ½ with the Euler-Maclaurin correction."""
    ends = low - 0.5, high + 0.5
    log_integral = _log_gaussian(*ends, scale) + np.log(scale) + 0.5 * math.log(2.0 * math.pi)
    correction = np.zeros(low.size)
    for end, sign in zip(ends, (-1.0, 1.0), strict=True):
        u = np.where(np.isinf(end), 0.0, end) / scale
        relative = np.where(np.isinf(end), 0.0, np.exp(-0.5 * u**2 - log_integral))
        hermite = u, u**3 - 3.0 * u, u**5 - 10.0 * u**3 + 15.0 * u
        for coefficient, order, polynomial in zip(_EULER_MACLAURIN, (1, 3, 5), hermite, strict=True):
            correction -= sign * coefficient * polynomial / scale**order * relative
    return log_integral + np.log1p(correction)


def _reach(noise: Noise) -> float:
    """Return the distance beyond which the probability of the noise is below its maximum by a factor of e^-50."""
    is_gaussian = noise.law in ("discrete_gaussian", "gaussian")
    return math.ceil((math.sqrt(2.0 * _REACH) if is_gaussian else _REACH) * max(noise.scale, noise.second)) + 1.0


def _is_possible(changes: Changes, low: float, high: float) -> bool:
    """Return whether some count can give a value from `low` to `high`; true if the ends are far apart."""
    if high - low > changes.most - changes.least:
        return high >= changes.least
    counts = np.arange(max(0, int(low) - changes.most), int(high) - changes.least + 1)
    likely = changes.log_likelihood(np.full(counts.size, low), np.full(counts.size, high), counts)
    return bool((likely > -math.inf).any())


def _event(cell: PublishedCell) -> tuple[float, float]:
    discrete, printed = cell.noise.law in _DISCRETE, cell.printed
    if printed.at_random is not None and cell.noise.law != "none":
        raise PublishedError("noise", "must be `none` in a table whose counts were rounded at random")
    if cell.between is not None:
        return _interval(cell)
    if cell.value is None:
        if printed.shown_from is None:
            raise PublishedError("value", "must be a number, unless `shown_from` states the threshold of suppression")
        if printed.to_nearest is not None:
            last = (-(-printed.shown_from // printed.to_nearest) - 1) * printed.to_nearest
            return -math.inf, _rounding_interval(last, cell)[1]
        return -math.inf, float(printed.shown_from - (1 if discrete else 0))
    if not math.isfinite(cell.value) or abs(cell.value) > MAX_VALUE:
        raise PublishedError("value", "must be finite and not beyond 2^53")
    if printed.shown_from is not None and cell.value < printed.shown_from:
        raise PublishedError("value", "must be at least `shown_from`, as smaller values are suppressed")
    if cell.value < 0.0 and (printed.clamped_at_zero or cell.noise.law == "none"):
        by = "a clamped table" if printed.clamped_at_zero else "exact counts"
        raise PublishedError("value", f"must not be negative in {by}")
    if printed.round_to is not None and cell.value % printed.round_to != 0.0:
        raise PublishedError("value", "must be a multiple of `round_to`")
    if printed.to_nearest is None:
        if cell.value != int(cell.value) and (discrete or cell.noise.law == "floored_laplace"):
            raise PublishedError("value", "must be a whole number with this noise")
        low = float(cell.value)
        high = low + 1.0 if cell.noise.law == "floored_laplace" else low
    else:
        low, high = _rounding_interval(int(cell.value), cell)
    return (-math.inf if printed.clamped_at_zero and cell.value == 0.0 else low), high


def _interval(cell: PublishedCell) -> tuple[float, float]:
    ends = cell.between or (None, None)
    if cell.value is not None:
        raise PublishedError("between", "must be left out if there is a value")
    if any(end is not None and not abs(end) <= MAX_VALUE for end in ends):
        raise PublishedError("between", "must have ends that are not beyond 2^53")
    low, high = (-math.inf if ends[0] is None else ends[0]), (math.inf if ends[1] is None else ends[1])
    if cell.noise.law in _DISCRETE | {"floored_laplace"}:
        low = low if math.isinf(low) else float(math.ceil(low))
        high = high if math.isinf(high) else float(math.floor(high))
    if low > high or (low == high and cell.noise.law in ("laplace", "gaussian")):
        raise PublishedError("between", "must contain a value that is possible with this noise")
    if cell.noise.law == "floored_laplace":
        high += 1.0
    return float(low), float(high)


def _rounding_interval(value: int, cell: PublishedCell) -> tuple[float, float]:
    """Return the least and the largest noisy value that is rounded to `value`, a multiple of `round_to`."""
    unit = cell.printed.round_to or 1
    low, high = Fraction(2 * value - unit, 2), Fraction(2 * value + unit, 2)
    if cell.noise.law not in _DISCRETE | {"floored_laplace"}:
        return float(low), float(high)
    lowest, highest = math.ceil(low), math.floor(high)
    if unit % 2 == 0:
        even = (value // unit) % 2 == 0
        low_in, high_in = {
            "half_even": (even, even),
            "half_up": (True, False),
            "half_down": (False, True),
            "half_away": (value > 0, value < 0),
        }[cell.printed.rounding or "half_even"]
        lowest, highest = lowest + (not low_in), highest - (not high_in)
    return float(lowest), float(highest + (cell.noise.law == "floored_laplace"))
