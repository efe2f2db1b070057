"""Compares charges with true losses when 1, 2 or 3 records change their categories.

    python -m benchmarks.prices [--channels 500] [--seed 31]

Draws channels of every mechanism at random: sizes, priors, ε, δ and calibrations. Charged is what `certify_unit` proves.
The cost is found by brute force and shares nothing with it but the probabilities that are drawn from: the largest loss
over all pairs of histograms at distance up to k, the smallest ε at the certificate's δ, and the largest D_a / a over
many orders. Prints each ratio outside [1, 1.01], and then the table of docs/explanation/accounting.md.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.signal import fftconvolve
from scipy.special import logsumexp

from core.candidates import histograms
from core.mechanisms.catalogue import Event, certify_unit
from core.mechanisms.exponential import calibration
from core.mechanisms.exponential.mechanism import Exponential, weights_at
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.geometric.weighting import weighting
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho

Floats = NDArray[np.float64]

RECORDS: Final = (1, 2, 3)
MOST: Final = 1.01
ORDERS: Final = 1.0 + np.geomspace(1e-3, 1e3, 40)
KINDS: Final = (
    "simplex_geometric, lattice",
    "simplex_geometric, solved weights",
    "laplace",
    "gaussian",
    "exponential, global",
    "exponential, proven",
    "exponential, published",
    "exponential, certified at δ = 0",
    "exponential, certified at δ > 0",
)
_SIZES: Final = {2: (3, 80), 3: (3, 12), 4: (3, 6), 5: (3, 4)}
"""The fewest and the most records at each number of categories: at most some hundred histograms."""
_LARGE_SIZES: Final = {2: (200, 400), 3: (20, 25), 4: (8, 10), 5: (5, 6)}
"""The fewest and the most records of one channel in ten."""
_BLOCK: Final = 1 << 22
_ROUNDING: Final = 1e-8
_REFINED_PAIRS: Final = 100
"""Number of pairs with the largest D_a / a at ORDERS. They are also evaluated between these orders."""


@dataclass(frozen=True)
class Price:
    """Charged over true of one channel at `records` records; None if the ε is not that of the channel itself."""

    kind: str
    event: Event
    records: int
    epsilon: float | None
    rho: float


def channels(count: int, seed: int) -> Iterator[tuple[str, Event]]:
    """Random channels, each kind in turn."""
    rng = np.random.default_rng(seed)
    for index in range(count):
        kind = KINDS[index % len(KINDS)]
        event = None
        while event is None:
            event = _channel(kind, rng)
        yield kind, event


def _channel(kind: str, rng: np.random.Generator) -> Event | None:
    m = int(rng.integers(2, 6))
    n = int(rng.integers(*(_SIZES if rng.random() < 0.9 else _LARGE_SIZES)[m], endpoint=True))
    epsilon = Epsilon.ceil(float(np.exp(rng.uniform(math.log(0.05), math.log(8)))))
    prior = tuple(float(f"{a:.3g}") for a in np.exp(rng.uniform(math.log(0.05), math.log(50), m)))
    if rng.random() < 0.3:
        prior = (prior[0],) * m
    delta = Delta.ceil(float(10 ** rng.uniform(-8, -1.5)))
    match kind.rpartition(", ")[2]:
        case "lattice":
            return SimplexGeometric(10**6, m, epsilon)
        case "solved weights":
            return SimplexGeometric(n, m, epsilon) if weighting(n, m, epsilon) is not None else None
        case "laplace":
            return Laplace(10**6, m, epsilon)
        case "gaussian":
            return Gaussian(10**6, m, Rho.ceil(float(epsilon) ** 2 / 2), delta)
        case "global":
            return calibration.calibrate_global(n, prior, epsilon)
        case "proven":
            return calibration.calibrate_proven(n, prior, epsilon, delta)
        case "published":
            return calibration.calibrate_published(n, prior, epsilon, delta)
        case "certified at δ = 0":
            return calibration.calibrate_certified(n, prior, epsilon, Delta(0))
        case _:
            return calibration.calibrate_certified(n, prior, epsilon, delta)


def price(kind: str, event: Event, records: int) -> Price:
    """Charged over true. `records` is at most n."""
    charged = certify_unit(event, records).loss
    epsilon, rho = cost(event, records, charged)
    assert charged.rho is not None
    assert not charged.rho_delta.units
    of_epsilon = None if epsilon is None else _ratio(float(charged.epsilon), epsilon)
    return Price(kind, event, records, of_epsilon, _ratio(float(charged.rho), rho))


def _ratio(charged: float, true: float) -> float:
    """Return charged over true, or 1 if they differ by less than the allowance for rounding: a large δ makes the true ε
    0.
    """
    return 1.0 if abs(charged - true) <= _ROUNDING else charged / true if true else math.inf


def cost(event: Event, records: int, charged: PrivacyLoss) -> tuple[float | None, float]:
    """ε at the δ that is charged, and ρ, each by brute force and from below."""
    match event:
        case Exponential():
            return _price_of_listed(
                _log_channel_of_draw(event), histograms(event.n, event.m), records, float(charged.delta)
            )
        case SimplexGeometric():
            table = weighting(event.n, event.m, event.epsilon)
            if table is None:
                return _price_of_lattice(event, records)
            logs = np.log(np.array([table.probabilities(c) for c in table.candidates]))
            return _price_of_listed(logs, table.candidates, records, 0.0)
        case Laplace():
            return _price_of_laplace(event, records)
        case Gaussian():
            return None, _rho_of_gaussian(event, records)


def _log_channel_of_draw(event: Exponential) -> Floats:
    """ln P(r | c), row c, from the integers that the draw uses."""
    rows = np.array([weights_at(event, c).astype(np.float64) for c in histograms(event.n, event.m)])
    return np.asarray(np.log(rows) - np.log(rows.sum(axis=1, keepdims=True)))


def _price_of_listed(logs: Floats, every: NDArray[np.int64], records: int, delta: float) -> tuple[float, float]:
    moved = np.abs(every[:, None, :] - every[None, :, :]).sum(axis=2) // 2
    pairs = np.argwhere((moved > 0) & (moved <= records))
    epsilon, found = 0.0, []
    size = max(1, _BLOCK // (len(every) * len(ORDERS)))
    for x, y in (pairs[start : start + size].T for start in range(0, len(pairs), size)):
        epsilon = max(epsilon, smallest_epsilon(logs[x], logs[y], delta))
        found.append(divergences(logs[x], logs[y], ORDERS))
    ratios, rho = np.concatenate(found), 0.0
    for pair in np.argsort(-ratios.max(axis=1))[:_REFINED_PAIRS].tolist():
        order = int(ratios[pair].argmax())
        before, after = ORDERS[max(order - 1, 0)], ORDERS[min(order + 1, len(ORDERS) - 1)]
        fine = 1.0 + np.geomspace(before - 1.0, after - 1.0, 20)
        x, y = pairs[pair]
        rho = max(rho, float(divergences(logs[[x]], logs[[y]], fine).max()))
    return epsilon, rho


def smallest_epsilon(log_p: Floats, log_q: Floats, delta: float) -> float:
    """The smallest ε at which Σ max(0, p − e^ε q) <= δ for each pair of rows: the largest ln((P(S) − δ) / Q(S)) over
    the sets S of the likeliest losses.
    """
    order = np.argsort(log_q - log_p, axis=1)
    if delta == 0:
        return float(np.take_along_axis(log_p - log_q, order[:, :1], axis=1).max())
    p, q = (np.cumsum(np.take_along_axis(np.exp(each), order, axis=1), axis=1) for each in (log_p, log_q))
    above = p > delta
    return max(0.0, float(np.log((p[above] - delta) / q[above]).max(initial=-math.inf)))


def divergences(log_p: Floats, log_q: Floats, orders: Floats) -> Floats:
    """D_a / a of each pair of rows, shape (pairs, orders)."""
    a = orders[:, None]
    moments = logsumexp(a * log_p[:, None, :] + (1.0 - a) * log_q[:, None, :], axis=2)
    return np.asarray(moments / (orders * (orders - 1.0)))


def shifts(m: int, records: int) -> list[tuple[int, ...]]:
    """The changes of up to `records` replaced records: vectors of sum 0 and l1 norm at most 2k, one of each order of
    the categories.
    """
    every = (
        v for v in product(range(-records, records + 1), repeat=m) if not sum(v) and 0 < sum(map(abs, v)) <= 2 * records
    )
    return sorted({tuple(sorted(v)) for v in every})


def _price_of_lattice(event: SimplexGeometric, records: int) -> tuple[float, float]:
    """Noise q^‖z‖ on the vectors of sum 0: convolved coordinate by coordinate."""
    half = 0.5 * float(event.epsilon)
    z = np.arange(-(reach := math.ceil(60.0 / half) + 4 * records), reach + 1)

    def log_moment(v: tuple[int, ...], order: float) -> float:
        exponents = [-half * (order * np.abs(z) + (1.0 - order) * np.abs(z - s)) for s in v]
        highest = [float(each.max()) for each in exponents]
        parts = [np.exp(each - high) for each, high in zip(exponents, highest, strict=True)]
        left = reduce(fftconvolve, parts[:-1])
        centre = len(left) // 2
        of_last = parts[-1][::-1]
        return math.log(float(left[centre - reach : centre + reach + 1] @ of_last)) + sum(highest)

    normaliser = log_moment((0,) * event.m, 1.0)
    rho = max(
        (log_moment(v, a) - normaliser) / (a * (a - 1.0))
        for v in shifts(event.m, records)
        for a in ORDERS.tolist()[:30]
    )
    near = range(-records, records + 1)
    of_sum_0 = np.array([z for z in product(near, repeat=event.m) if not sum(z)])
    losses = [
        half * (np.abs(of_sum_0 - np.array(v)) - np.abs(of_sum_0)).sum(axis=1).max() for v in shifts(event.m, records)
    ]
    return float(max(losses)), rho


def _price_of_laplace(event: Laplace, records: int) -> tuple[float, float]:
    """Independent noise on all counts but the last; each category in turn is the last."""
    reach = math.ceil(120.0 / float(event.epsilon)) + 2 * records
    y = np.arange(-reach, reach + 1)

    def law(shift: int) -> Floats:
        logs = event.noise.log_mass(y - shift)
        return np.asarray(logs - logsumexp(logs))

    of_shift = {s: divergences(law(0)[None], law(s)[None], ORDERS)[0] for s in range(-records, records + 1)}
    largest = {s: float((law(0) - law(s)).max()) for s in of_shift}
    seen = {v[:i] + v[i + 1 :] for v in shifts(event.m, records) for i in range(event.m)}
    return max(sum(largest[s] for s in v) for v in seen), max(float(sum(of_shift[s] for s in v).max()) for v in seen)


def _rho_of_gaussian(event: Gaussian, records: int) -> float:
    deviation = math.sqrt(float(event.variance))
    z = np.arange(-(reach := math.ceil(40 * deviation) + 60 * records), reach + 1)

    def law(shift: int) -> Floats:
        logs = event.noise.log_mass(z - shift)
        return np.asarray(logs - logsumexp(logs))

    of_shift = {s: divergences(law(0)[None], law(s)[None], ORDERS[:20])[0] for s in range(-records, records + 1)}
    return max(float(sum(of_shift[s] for s in v).max()) for v in shifts(event.m, records))


def within_bounds(found: Price) -> bool:
    """Return whether no charge is below the true loss, up to the rounding of the oracle, or above 1.01 times it."""
    return all(1 - 1e-9 <= ratio <= MOST for ratio in (found.rho, found.epsilon) if ratio is not None)


def table(prices: list[Price]) -> list[str]:
    """The median and the largest ratio of each kind of channel."""
    lines = []
    for kind in KINDS:
        of_kind = [each for each in prices if each.kind == kind]
        cells = [
            f"{np.median(ratios):.4f}, {max(ratios):.4f}" if ratios else "–"
            for k in RECORDS
            for ratios in (
                [each.epsilon for each in of_kind if each.records == k and each.epsilon is not None],
                [each.rho for each in of_kind if each.records == k],
            )
        ]
        number = len(of_kind) // len(RECORDS)
        lines.append(f"| {kind} | {number} | " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--channels", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=31)
    chosen = arguments.parse_args()
    prices = []
    for kind, event in channels(chosen.channels, chosen.seed):
        for k in RECORDS:
            prices.append(price(kind, event, k))
            found = prices[-1]
            if not within_bounds(found):
                print(found, flush=True)
    print("\n".join(table(prices)))


if __name__ == "__main__":
    main()
