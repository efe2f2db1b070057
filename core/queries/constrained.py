"""Computes the exact distribution of a count from noisy counts of sets, given that counts are integers >= 0 with sum n.

The best linear estimate uses none of these constraints. Let the prior on all histograms of n records be uniform, and
let the measured sets and the queried set be nested or disjoint. The sets then form a tree, and the exact posterior of a
count has bounded cost. A set also stands for its complement, as n is known.

The weight of a node's count is a convolution times a likelihood. The convolution runs over the children's weights and
over the compositions of the remaining cells, C(l + k − 1, k − 1) for l records in k cells. The likelihood is e^(−rate
|answer − count|) for each answer, exactly, as the noise lies on a grid that contains every count. All these weights are
log-concave, so the posterior is unimodal.

Counts are restricted to windows around their answers. A window grows until the posterior at its ends is below 1e-13.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from core.noise import LaplaceNoise
from core.queries.history import History

_INITIAL_RADIUS: Final = 40.0
"""Initial radius of a window around its answers, in scales of the noise."""
_NEGLIGIBLE: Final = 1e-13
_MAX_WIDENINGS: Final = 40
_MAX_SETS: Final = 300
_MAX_WINDOW: Final = 2**20
_LINEAR_RANGE: Final = 300.0
"""Largest range of log-weights that are multiplied without logarithms: no product of two underflows."""
_LOG_WORK: Final = 12
_COUNT_WORK: Final = 50
"""Work per count of a window, and per test whether two sets overlap, in products."""
_CHUNK: Final = 1 << 20


class NotOffered(ValueError):
    """The distribution is not computed. The message gives the reason in public terms."""


@dataclass(slots=True)
class WorkLimit:
    """The number of products that may still be computed; 10^9 products take one or two seconds."""

    remaining: int = 10**9

    def take(self, products: int) -> None:
        """Deduct this number of products. Raises NotOffered, and sets the limit to 0, if fewer remain."""
        if self.remaining < products:
            self.remaining = 0
            raise NotOffered("it takes too long: the noise leaves too many counts possible")
        self.remaining -= products


@dataclass(frozen=True, slots=True)
class SetAnswer:
    """A noisy count of a set of cell classes, given as a bit mask, with Laplace noise of scale 1 / rate."""

    classes: int
    answer: float
    rate: float


@dataclass(frozen=True, slots=True)
class CountDistribution:
    """P(count = low), P(count = low + 1), …. The distribution is unimodal."""

    low: int
    probabilities: NDArray[np.float64]

    @property
    def mean(self) -> float:
        return self.low + float(np.arange(self.probabilities.size) @ self.probabilities)

    @property
    def deviation(self) -> float:
        steps = np.arange(self.probabilities.size)
        variance = float(steps**2 @ self.probabilities) - float(steps @ self.probabilities) ** 2
        return float(np.sqrt(max(variance, 0.0)))

    def interval(self, confidence: float) -> tuple[int, int]:
        """Return the first and last count of the smallest set of counts whose probability reaches the confidence."""
        likeliest = np.argsort(-self.probabilities, kind="stable")
        held = np.cumsum(self.probabilities[likeliest])
        chosen = likeliest[: int(np.searchsorted(held, confidence * held[-1])) + 1]
        return self.low + int(chosen.min()), self.low + int(chosen.max())


def count_in_history(history: History, cells: Sequence[bool], limit: WorkLimit) -> CountDistribution:
    """Return the distribution of the number of records in a set of cells, given all answers in the history.

    The prior on histograms is uniform. Arguments: `cells`, one flag per cell, shape (m,); `limit`, the work that may be
    done.

    Raises NotOffered if n is private, if the sets are neither nested nor disjoint, or if the work exceeds the limit.
    """
    if history.n is None:
        raise NotOffered("the number of records is private, and the distribution is computed at a public one")
    n = history.n
    asked = np.array(cells, dtype=np.int64)
    _, first, classes = np.unique(np.stack((history.class_of, asked)), axis=1, return_index=True, return_inverse=True)
    sizes = np.bincount(classes.reshape(-1))
    answers = [_set_answer(history, row, history.class_of[first], n) for row in _laplace_rows(history)]
    return count_given(answers, _mask(asked[first] > 0), sizes.tolist(), n, limit)


def _laplace_rows(history: History) -> range:
    if not all(isinstance(part.noise, LaplaceNoise) for part in history.parts):
        raise NotOffered("the estimate also uses posterior releases; POST /v1/posteriors pools them")
    return range(len(history))


def _set_answer(history: History, row: int, columns: NDArray[np.int64], n: int) -> SetAnswer:
    values, answer, deviation = history.row(row)
    on_classes = values[columns]
    low, high = float(values.min()), float(values.max())
    if not np.all((on_classes == low) | (on_classes == high)):
        raise NotOffered("a row that the estimate uses weighs categories differently, and is not a count of a set")
    return SetAnswer(_mask(on_classes == high), (answer - low * n) / (high - low), (high - low) * 2**0.5 / deviation)


def _mask(chosen: NDArray[np.bool_]) -> int:
    return sum(1 << index for index in np.flatnonzero(chosen).tolist())


@dataclass(slots=True)
class _Node:
    """A set in the tree: its answers, its child sets, the number of other cells in it, and the window of its count."""

    classes: int
    answers: list[tuple[float, float]]
    children: list[_Node] = field(default_factory=list)
    rest: int = 0
    low: int = 0
    high: int = 0
    """The window as chosen."""
    least: int = 0
    most: int = 0
    """The part of the window that the windows of the other nodes allow."""
    inside: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))
    outside: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))

    def log_likelihood(self) -> NDArray[np.float64]:
        counts = np.arange(self.least, self.most + 1, dtype=np.float64)
        total = np.zeros(counts.size)
        for answer, rate in self.answers:
            total -= rate * np.abs(answer - counts)
        return total


def count_given(
    answers: Sequence[SetAnswer], asked: int, sizes: Sequence[int], n: int, limit: WorkLimit
) -> CountDistribution:
    """Return the distribution of the count of the set `asked`, a bit mask over classes with `sizes` cells.

    Raises NotOffered as `count_in_history` does.
    """
    everything = (1 << len(sizes)) - 1
    flipped = bool(asked & 1)
    by_set: dict[int, list[tuple[float, float]]] = {}
    for each in answers:
        upside_down = bool(each.classes & 1)
        classes = everything ^ each.classes if upside_down else each.classes
        by_set.setdefault(classes, []).append((n - each.answer if upside_down else each.answer, each.rate))
    by_set.pop(0, None)
    limit.take(_COUNT_WORK * len(by_set) ** 2)
    if not _is_tree(list(by_set)):
        raise NotOffered("the estimate uses overlapping sets: only nested and disjoint sets can be used")
    wanted = everything ^ asked if flipped else asked
    if not _is_tree([*by_set, wanted]):
        raise NotOffered("the set overlaps sets that the estimate uses: only nested and disjoint sets can be used")
    by_set.setdefault(wanted, [])
    if len(by_set) > _MAX_SETS:
        raise NotOffered(f"the estimate uses more than {_MAX_SETS} sets")
    nodes = _tree(by_set, everything, sizes, n)
    for _ in range(_MAX_WIDENINGS):
        if _bounded(nodes, n):
            _upward(nodes, limit)
            _downward(nodes, limit)
            if not _widened(nodes, n):
                break
        else:
            for node in nodes[:-1]:
                _widen(node, n, below=True, above=True)
    else:
        raise NotOffered("the answers are too far from every histogram")
    [node] = [each for each in nodes if each.classes == wanted]
    probabilities = _posterior(node)
    return (
        CountDistribution(n - node.most, probabilities[::-1])
        if flipped
        else CountDistribution(node.least, probabilities)
    )


def _is_tree(sets: Sequence[int]) -> bool:
    if len(sets) > 2 * _MAX_SETS:
        raise NotOffered(f"the estimate uses more than {_MAX_SETS} sets")
    return all(a & b in (0, a, b) for index, a in enumerate(sets) for b in sets[:index])


def _tree(by_set: dict[int, list[tuple[float, float]]], everything: int, sizes: Sequence[int], n: int) -> list[_Node]:
    """Return the nodes of the tree, children before parents. The last node is the set of all cells."""
    nodes = [_Node(classes, by_set[classes]) for classes in sorted(by_set, key=int.bit_count)]
    nodes.append(_Node(everything, [], low=n, high=n))
    for index, node in enumerate(nodes[:-1]):
        parent = next(each for each in nodes[index + 1 :] if each.classes & node.classes == node.classes)
        parent.children.append(node)
        if node.answers:
            answered = [min(max(answer, 0.0), float(n)) for answer, _ in node.answers]
            radius = _INITIAL_RADIUS / sum(rate for _, rate in node.answers) + 1
            node.low, node.high = max(0, int(min(answered) - radius)), min(n, int(max(answered) + radius) + 1)
        else:
            node.low, node.high = 0, n
    for node in nodes:
        covered = 0
        for child in node.children:
            covered |= child.classes
        node.rest = sum(size for index, size in enumerate(sizes) if (node.classes & ~covered) >> index & 1)
    return nodes


def _bounded(nodes: list[_Node], n: int) -> bool:
    """Restrict each window to the counts that the other windows allow. Returns False if a window becomes empty."""
    for node in nodes:
        below = sum(child.least for child in node.children)
        above = sum(child.most for child in node.children) if not node.rest and node.children else n
        node.least, node.most = max(node.low, below), min(node.high, above)
        if node.least > node.most:
            return False
    for node in reversed(nodes):
        least, most = sum(child.least for child in node.children), sum(child.most for child in node.children)
        for child in node.children:
            top = node.most - (least - child.least)
            bottom = child.least if node.rest else node.least - (most - child.most)
            child.least, child.most = max(child.least, bottom), min(child.most, top)
            if child.least > child.most:
                return False
    if any(node.most - node.least > _MAX_WINDOW for node in nodes):
        raise NotOffered("it takes too long: the noise leaves too many counts possible")
    return True


def _parts(node: _Node) -> list[tuple[int, NDArray[np.float64]]]:
    """Return the log-weights of the parts that a node's count is the sum of, each with its first count."""
    parts = [(child.least, child.inside) for child in node.children]
    if node.rest:
        least = max(0, node.least - sum(child.most for child in node.children))
        most = node.most - sum(child.least for child in node.children)
        if most - least > _MAX_WINDOW:
            raise NotOffered("it takes too long: the noise leaves too many counts possible")
        records = np.arange(least, most + 1, dtype=np.float64)
        parts.append((least, gammaln(records + node.rest) - gammaln(records + 1.0) - gammaln(float(node.rest))))
    return parts


def _upward(nodes: list[_Node], limit: WorkLimit) -> None:
    limit.take(_COUNT_WORK * sum(node.most - node.least + 1 for node in nodes))
    for node in nodes:
        low, total = 0, np.zeros(1)
        for start, part in _parts(node):
            low, total = low + start, _convolved(total, part, limit)
        node.inside = _cut(low, total, node.least, node.most) + node.log_likelihood()


def _downward(nodes: list[_Node], limit: WorkLimit) -> None:
    """Compute, for each node, the weight of everything outside it as a function of its count."""
    nodes[-1].outside = np.zeros(1)
    for node in reversed(nodes):
        parts = _parts(node)
        after = [(0, np.zeros(1))]
        for start, part in reversed(parts[1:]):
            after.append((after[-1][0] + start, _convolved(after[-1][1], part, limit)))
        after.reverse()
        before = (0, np.zeros(1))
        above = node.outside + node.log_likelihood()
        for index, child in enumerate(node.children):
            later = after[index] if index < len(after) else (0, np.zeros(1))
            others = _convolved(before[1], later[1], limit)
            # Σ_s above(s) others(s − t) is a convolution with the reversed others.
            spread = _convolved(above, others[::-1], limit)
            start = node.least - (before[0] + later[0] + others.size - 1)
            child.outside = _cut(start, spread, child.least, child.most)
            before = (before[0] + parts[index][0], _convolved(before[1], parts[index][1], limit))


def _cut(low: int, values: NDArray[np.float64], least: int, most: int) -> NDArray[np.float64]:
    """Return the values on [least, most], with −inf where there are none."""
    result = np.full(most - least + 1, -np.inf)
    start, stop = max(low, least), min(low + values.size - 1, most)
    if start <= stop:
        result[start - least : stop - least + 1] = values[start - low : stop - low + 1]
    return result


def _posterior(node: _Node) -> NDArray[np.float64]:
    logs = node.inside + node.outside
    weights = np.exp(logs - logs.max())
    result: NDArray[np.float64] = weights / weights.sum()
    return result


def _widened(nodes: list[_Node], n: int) -> bool:
    """Widen the windows at whose ends the posterior is not negligible; return whether there were any."""
    found = False
    for node in nodes[:-1]:
        posterior = _posterior(node)
        below = node.least == node.low > 0 and bool(posterior[0] > _NEGLIGIBLE)
        above = node.most == node.high < n and bool(posterior[-1] > _NEGLIGIBLE)
        if below or above:
            _widen(node, n, below=below, above=above)
            found = True
    return found


def _widen(node: _Node, n: int, *, below: bool, above: bool) -> None:
    width = node.high - node.low + 1
    node.low, node.high = max(0, node.low - width * below), min(n, node.high + width * above)


def _convolved(f: NDArray[np.float64], g: NDArray[np.float64], limit: WorkLimit) -> NDArray[np.float64]:
    """Return ln Σ_u e^(f(u) + g(t − u)). All terms are positive, so no digits cancel."""
    if f.size < g.size:
        f, g = g, f
    if g.size == 1:
        return np.asarray(f + g[0])
    if not (np.isfinite(f).all() and np.isfinite(g).all()):
        return _convolved_in_logs(f, g, limit)
    # Tilting both factors by e^(θ u) tilts the result; f's ends give a tilt that makes it flatter.
    tilt = (f[0] - f[-1]) / (f.size - 1)
    first, second = f + tilt * np.arange(f.size), g + tilt * np.arange(g.size)
    if max(float(np.ptp(first)), float(np.ptp(second))) > _LINEAR_RANGE:
        return _convolved_in_logs(f, g, limit)
    limit.take(f.size * g.size)
    tops = first.max(), second.max()
    sums = np.convolve(np.exp(first - tops[0]), np.exp(second - tops[1]))
    return np.asarray(np.log(sums) + tops[0] + tops[1] - tilt * np.arange(sums.size))


def _convolved_in_logs(f: NDArray[np.float64], g: NDArray[np.float64], limit: WorkLimit) -> NDArray[np.float64]:
    """Return `_convolved` for weights whose range is too wide. Each sum is computed relative to its largest term."""
    limit.take(_LOG_WORK * f.size * g.size)
    padded = np.concatenate((np.full(g.size - 1, -np.inf), f, np.full(g.size - 1, -np.inf)))
    slices = np.lib.stride_tricks.sliding_window_view(padded, g.size)
    result = np.empty(slices.shape[0])
    chunk = max(1, _CHUNK // g.size)
    for start in range(0, slices.shape[0], chunk):
        terms = slices[start : start + chunk] + g[::-1]
        tops = terms.max(axis=1)
        tops[~np.isfinite(tops)] = 0.0
        with np.errstate(divide="ignore"):
            result[start : start + chunk] = np.log(np.exp(terms - tops[:, None]).sum(axis=1)) + tops
    return result
