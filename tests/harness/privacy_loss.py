"""A lower bound of the epsilon of a channel, from its outputs for two neighbours.

For each event {y <= t} or {y >= t}, and each direction, the Clopper–Pearson bounds of its two frequencies bound the
loss from below; Bonferroni's correction over all events makes the largest of them wrong with a probability of at most
FALSE_ALARM.
"""

from __future__ import annotations

import math

from scipy import special

FALSE_ALARM = 1e-4


def lower_bound(first: list[int], second: list[int], delta: float) -> float:
    """A value that the ε of a channel with these outputs passes, but for a chance of FALSE_ALARM, given its δ."""
    thresholds = sorted({*first, *second})
    each = FALSE_ALARM / (4 * len(thresholds))
    best = 0.0
    for one, other in ((first, second), (second, first)):
        for threshold in thresholds:
            for below in (True, False):
                hits, misses = (
                    sum((y <= threshold) if below else (y >= threshold) for y in sample) for sample in (one, other)
                )
                likely = float(special.betaincinv(hits, len(one) - hits + 1, each / 2)) if hits else 0.0
                unlikely = (
                    float(special.betaincinv(misses + 1, len(other) - misses, 1 - each / 2))
                    if misses < len(other)
                    else 1.0
                )
                if likely > delta:
                    best = max(best, math.log((likely - delta) / unlikely))
    return best
