"""Random contrasts of shares, and two independent methods for their probabilities.

The counts are listed one by one. Given them, the first share is integrated over, where `core.inference.contrasts`
integrates over the second one, or over their sum: by the trapezoidal rule on z = sinh(w), z the logit of the place in
the region where the contrast leaves it open which is the case. Incomplete beta functions are SciPy's or mpmath's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

import mpmath
import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet
from core.inference import infer
from core.inference.contrast_scales import Contrast
from core.inference.events import Answered, Share, contrast_between, contrast_distribution
from core.inference.posterior import NoiseAwarePosterior
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from tests.core.inference.reference import posterior_of_counts

Kind: TypeAlias = Literal["between", "disjoint bases", "one base", "nested"]
KINDS: Final[tuple[Kind, ...]] = ("between", "disjoint bases", "one base", "nested")
Array: TypeAlias = NDArray[np.float64]


def cells(*numbers: int) -> CellSet:
    return frozenset(numbers)


@dataclass(frozen=True, slots=True)
class Released:
    """The information of one release about some counts."""

    noisy: tuple[int, ...]
    epsilon: str
    prior: tuple[float, ...]

    @property
    def event(self) -> SimplexGeometric:
        return SimplexGeometric(sum(self.noisy), len(self.noisy), Epsilon.parse(self.epsilon))

    def posterior(self) -> NoiseAwarePosterior:
        return infer(self.event, NoisyCounts(self.noisy, self.noisy), self.prior)

    def concentrations(self, *sets: CellSet) -> tuple[Array, Array]:
        """The probabilities of all histograms, and α + c summed over each set, shape (sets, histograms)."""
        prior = np.array(self.prior)
        counts, weights = posterior_of_counts(self.event, self.noisy, prior)
        return weights, np.array([(prior + counts)[:, sorted(each)].sum(axis=1) for each in sets])


NEARLY_EMPTY: Final = Released((0, 5, 9), "8", (0.05, 0.05, 0.05))


@dataclass(frozen=True, slots=True)
class Case:
    """A contrast of two shares: of one release, or of two."""

    kind: Kind
    contrast: Contrast
    releases: tuple[Released, ...]

    @property
    def shares(self) -> tuple[Share, Share]:
        match self.kind:
            case "between":
                return Share(frozenset({0})), Share(frozenset({0}))
            case "disjoint bases":
                return Share(frozenset({0}), frozenset({0, 1})), Share(frozenset({2}), frozenset({2, 3}))
            case "one base":
                return Share(frozenset({0})), Share(frozenset({1}))
            case "nested":
                return Share(frozenset({0, 1})), Share(frozenset({0}))

    def answer(self) -> Answered:
        posteriors, (first, second) = [each.posterior() for each in self.releases], self.shares
        if len(posteriors) == 2:
            return contrast_between((posteriors[0], first), (posteriors[1], second), self.contrast)
        return contrast_distribution(posteriors[0], first, second, self.contrast)


def random_case(rng: np.random.Generator, *, most: int = 30) -> Case:
    """Up to `most` records, in cells some of which are empty; priors from 0.001 to 10."""

    def released(m: int, records: int) -> Released:
        shares = rng.dirichlet(rng.choice([0.2, 1.0, 5.0], m)) * (rng.random(m) < 0.7)
        counts = rng.multinomial(records, shares / shares.sum()) if shares.sum() else np.zeros(m, dtype=np.int64)
        counts[int(rng.integers(m))] += records - counts.sum()
        prior = 10.0 ** rng.uniform(-3.0, 1.0, m)
        epsilon = f"{10.0 ** rng.uniform(-0.5, 1.5):.3f}"
        return Released(tuple(counts.tolist()), epsilon, tuple(np.round(np.maximum(prior, 1e-3), 6).tolist()))

    kind = KINDS[int(rng.integers(len(KINDS)))]
    if kind == "between":
        releases = tuple(released(2, int(rng.integers(1, most + 1))) for _ in range(2))
        return Case(kind, list(Contrast)[int(rng.integers(3))], releases)
    if kind == "disjoint bases":
        return Case(kind, list(Contrast)[int(rng.integers(3))], (released(4, int(rng.integers(1, most // 3 + 1))),))
    contrast = (Contrast.DIFFERENCE, Contrast.RATIO)[int(rng.integers(2))]
    return Case(kind, contrast, (released(3, int(rng.integers(1, most // 2 + 1))),))


def threshold(case: Case, answer: Answered, rng: np.random.Generator) -> float:
    """The contrast of equal shares, a quantile, an end of the range, or any value."""
    is_difference = case.contrast is Contrast.DIFFERENCE
    match int(rng.integers(6)):
        case 0:
            return case.contrast.equal
        case 1:
            return (-1.0, 1.0)[int(rng.integers(2))] if is_difference else 0.0
        case 2:
            return float(rng.uniform(-1.0, 1.0) if is_difference else 10.0 ** rng.uniform(-3.0, 3.0))
        case _:
            # Beyond the range of floats a quantile is the nearest number inside it.
            found = answer.distribution.quantile(float(rng.choice([5e-4, 0.025, 0.25, 0.5, 0.75, 0.975, 0.9995])))
            return found if is_difference or 1e-299 < found < 1e299 else case.contrast.equal


class Question(NamedTuple):
    """P(X > high) + P(low < X < high, Y < y(X)): X_k and Y_l are Beta distributions, each a pair of arrays, with the
    joint probabilities `joint`, shape (k, l).

    At p of the way from low to high, and q = 1 − p, y is y_low + slope · p, and 1 − y is rest_low + slope_of_rest · q,
    both divided by 1 − X if `of_the_rest`. If `log_odds` is given, the region is all of (0, 1), and the logit of y is
    that of X less `log_odds`.
    """

    x: tuple[Array, Array]
    y: tuple[Array, Array]
    joint: Array
    low: float = 0.0
    width: float = 1.0
    high_rest: float = 0.0
    """1 − high, which is 1 − low − width but for rounding."""
    y_low: float = 0.0
    slope: float = 1.0
    rest_low: float = 0.0
    slope_of_rest: float = 1.0
    of_the_rest: bool = False
    log_odds: float | None = None


class Tail(NamedTuple):
    """P(X > x), X_k Beta distributions with the probabilities `weights`; x and 1 − x given, whose sum is 1."""

    a: Array
    b: Array
    weights: Array
    x: float
    rest: float


def furthest_corner(asked: Question | Tail) -> float:
    """The largest distance of z from 0 at which the integrand bends; 0 if there is no integral."""
    if isinstance(asked, Tail):
        return 0.0
    if asked.log_odds is not None:
        return abs(asked.log_odds)
    parts = (
        (asked.low, asked.width),
        (asked.high_rest, asked.width),
        (asked.y_low, asked.slope),
        (asked.rest_low, asked.slope_of_rest),
    )
    return max((abs(math.log(end / slope)) for end, slope in parts if end > 0.0), default=0.0)


def question(case: Case, t: float) -> Question | Tail:
    """P(contrast > t) for t inside the range of the contrast."""
    is_ratio = case.contrast is Contrast.RATIO
    if case.kind in {"between", "disjoint bases"}:
        x, y, joint = _two_shares(case)
        if case.contrast is Contrast.ODDS_RATIO:
            return Question(x, y, joint, log_odds=math.log(t))
        if is_ratio:
            if t > 1.0:
                return Question(x, y, joint, slope=1.0 / t, rest_low=(t - 1.0) / t, slope_of_rest=1.0 / t)
            return Question(x, y, joint, width=t, high_rest=1.0 - t)
        if t >= 0.0:
            return Question(x, y, joint, t, 1.0 - t, 0.0, 0.0, 1.0 - t, t, 1.0 - t)
        return Question(x, y, joint, 0.0, 1.0 + t, -t, -t, 1.0 + t, 0.0, 1.0 + t)
    (released,) = case.releases
    weights, (first, second, rest) = released.concentrations(cells(0), cells(1), cells(2))
    if case.kind == "nested":
        if not is_ratio:
            return Tail(second, first + rest, weights, t, 1.0 - t)
        return Tail(second, first, weights, (t - 1.0) / t, 1.0 / t)
    if is_ratio:
        return Tail(first, second, weights, t / (1.0 + t), 1.0 / (1.0 + t))
    # The rest beside the first share is divided between the second share and all others.
    x, y, joint = _gather_shapes(weights, np.array([first, second + rest]), np.array([second, rest]))
    width = 0.5 * (1.0 - t) if t >= 0.0 else 0.5 * (1.0 + t)
    return Question(
        x, y, joint, max(0.0, t), width, 0.5 * (1.0 - t), max(0.0, -t), width, 0.0, 2.0 * width, of_the_rest=True
    )


Betas: TypeAlias = tuple[Array, Array]


def _two_shares(case: Case) -> tuple[Betas, Betas, Array]:
    if case.kind == "between":
        (p, (a, b)), (q, (c, d)) = (each.concentrations(frozenset({0}), frozenset({1})) for each in case.releases)
        return (a, b), (c, d), np.outer(p, q)
    weights, sums = case.releases[0].concentrations(*(frozenset({cell}) for cell in range(4)))
    return _gather_shapes(weights, sums[:2], sums[2:])


def _gather_shapes(weights: Array, first: Array, second: Array) -> tuple[Betas, Betas, Array]:
    x, rows = np.unique(first, axis=1, return_inverse=True)
    y, columns = np.unique(second, axis=1, return_inverse=True)
    joint = np.zeros((x.shape[1], y.shape[1]))
    np.add.at(joint, (rows.ravel(), columns.ravel()), weights)
    return (x[0], x[1]), (y[0], y[1]), joint


def in_double_precision(asked: Question | Tail) -> float:
    """The requested probability, to about 1e-11."""
    if isinstance(asked, Tail):
        below = _probabilities_below(asked.a, asked.b, np.array([math.log(asked.x)]), np.array([math.log(asked.rest)]))[
            :, 0
        ]
        return 1.0 - float(asked.weights @ below)
    sharpest = float(max((a + b).max() for a, b in (asked.x, asked.y)))
    # The integrand has poles at a distance of π / corner from the real line.
    step = min(1.0 / 64.0, 0.25 / math.sqrt(sharpest), 0.25 / max(furthest_corner(asked), 1.0))
    w = np.arange(-12.0, 12.0, step)
    z = np.sinh(w)
    p, q = special.log_expit(z), special.log_expit(-z)
    if asked.log_odds is not None:
        x, not_x = p, q
        y, not_y = special.log_expit(z - asked.log_odds), special.log_expit(asked.log_odds - z)
    else:
        width = asked.width
        with np.errstate(divide="ignore"):
            x = np.logaddexp(np.log(asked.low), math.log(width) + p)
            not_x = np.logaddexp(np.log(asked.high_rest), math.log(width) + q)
            of = not_x if asked.of_the_rest else 0.0
            y = np.logaddexp(np.log(asked.y_low), math.log(asked.slope) + p) - of
            not_y = np.logaddexp(np.log(asked.rest_low), math.log(asked.slope_of_rest) + q) - of
    a, b = (each[:, None] for each in asked.x)
    steps = math.log(asked.width) + p + q + np.log(np.cosh(w) * (w[1] - w[0]))
    masses = np.exp((a - 1.0) * x + (b - 1.0) * not_x - special.betaln(a, b) + steps)
    found = float((masses * (asked.joint @ _probabilities_below(*asked.y, y, not_y))).sum())
    if asked.high_rest > 0.0:
        ends = np.log(np.array([[asked.low + asked.width], [asked.high_rest]]))
        found += float(asked.joint.sum(axis=1) @ (1.0 - _probabilities_below(*asked.x, *ends)[:, 0]))
    return found


def _probabilities_below(a: Array, b: Array, log_x: Array, log_rest: Array) -> Array:
    """P(X_k < x), shape (k, q)."""
    a, b = a[:, None], b[:, None]
    low, scale = log_x < log_rest, special.betaln(a, b)
    found = np.empty((a.size, log_x.size))
    for side, one, other, logs in ((low, a, b, log_x), (~low, b, a, log_rest)):
        far, near = side & (logs < -200.0), side & (logs >= -200.0)
        below = np.empty_like(found)
        below[:, far] = np.exp(one * logs[far] - np.log(one) - scale)
        below[:, near] = special.betainc(one, other, np.exp(logs[near]))
        found[:, side] = below[:, side] if one is a else 1.0 - below[:, side]
    return found


def in_thirty_digits(asked: Question | Tail, step: float = 1.0 / 24.0) -> float:
    """The same by mpmath, which knows no least number."""
    with mpmath.workdps(40):
        if isinstance(asked, Tail):
            x, rest = _parts(asked.x, asked.rest)
            return float(
                mpmath.fsum(
                    weight * (1 - _mp_below(a, b, x, rest))
                    for a, b, weight in zip(asked.a, asked.b, asked.weights, strict=True)
                )
            )
        low, width, high_rest, y_low, slope, rest_low, slope_of_rest = map(mpmath.mpf, asked[3:10])
        found = mpmath.mpf(0)
        weights_of_x = asked.joint.sum(axis=1)
        for place in np.arange(-11.5, 11.5, step).tolist():
            w = mpmath.mpf(place)
            z = mpmath.sinh(w)
            p, q = 1 / (1 + mpmath.exp(-z)), 1 / (1 + mpmath.exp(z))
            if asked.log_odds is not None:
                x, not_x = p, q
                odds = mpmath.exp(z) / mpmath.exp(mpmath.mpf(asked.log_odds))
                y, not_y = odds / (1 + odds), 1 / (1 + odds)
            else:
                x, not_x = low + width * p, high_rest + width * q
                of = not_x if asked.of_the_rest else 1
                y, not_y = (y_low + slope * p) / of, (rest_low + slope_of_rest * q) / of
            speed = width * p * q * mpmath.cosh(w) * mpmath.mpf(step)
            below = [_mp_below(a, b, y, not_y) for a, b in zip(*asked.y, strict=True)]
            for k, (a, b) in enumerate(zip(*asked.x, strict=True)):
                height = x ** (mpmath.mpf(a) - 1) * not_x ** (mpmath.mpf(b) - 1) / mpmath.beta(a, b)
                found += height * speed * mpmath.fsum(j * each for j, each in zip(asked.joint[k], below, strict=True))
        if high_rest > 0:
            for weight, a, b in zip(weights_of_x, *asked.x, strict=True):
                found += weight * (1 - _mp_below(a, b, 1 - high_rest, high_rest))
        return float(found)


def _parts(x: float, rest: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """x and 1 − x exactly, by the smaller of the two."""
    return (mpmath.mpf(x), 1 - mpmath.mpf(x)) if x < rest else (1 - mpmath.mpf(rest), mpmath.mpf(rest))


def _mp_below(a: float, b: float, x: mpmath.mpf, rest: mpmath.mpf) -> mpmath.mpf:
    """I_x(a, b) by Gauss's series at the smaller of x and 1 − x."""
    if x <= 0 or rest <= 0:
        return mpmath.mpf(0 if x <= 0 else 1)
    if x > rest:
        return 1 - _mp_below(b, a, rest, x)
    a, b = mpmath.mpf(a), mpmath.mpf(b)
    return x**a * rest**b / (a * mpmath.beta(a, b)) * mpmath.hyp2f1(a + b, 1, a + 1, x)
