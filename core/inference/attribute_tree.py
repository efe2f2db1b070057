"""The joint posterior of the cells of a table under the attribute tree: Dirichlet(½) at each branch.

The records are divided step by step: by the pieces of a question or the levels of the first attribute, each part by the
next attribute, and so on. A node with k children and C records has the prior weight Π Γ(a + C_child) / Γ(ka + C), with
a = ½. Let w_x(c) = Γ(x + c) / c!, and let W of a cell be its likelihood L(c). For a node,

    S = U_1 * … * U_k (a convolution),   U_j = w_a W_j,   W = S / w_ka,

so W(C) is the likelihood of the node's count, given everything below. The counts of the root are n, or have the weight
p(n) L(n) / w_ka(n) if n is unknown. Downward, A_j(c) = Σ_C B(C) [*_(i≠j) U_i](C − c), P(C_j = c) ∝ U_j(c) A_j(c), and
B_j = A_j w_a / w_ka. The moments of shares follow in the same pass: T^r = B / (ka + n)_r at the root, and

    T^r_j(c) = (a + c)_r Σ_C T^r(C) [*_(i≠j) U_i](C − c),   E θ_j^r = Σ U_j T^r_j,

passed on as T^r_j w_a / w_ka / (k_j a + C)_r, where (x)_r = x (x + 1) … (x + r − 1).

Products over children are taken in pairs, so each node here has two children. A node that joins some branches of
another has no prior of its own. Convolutions are Fourier transforms, whose error is bounded. A node where this error
matters is convolved directly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet
from core.count_simplex import CountSimplexError, Window, condition_on_total
from core.count_simplex.convolution import fast_length
from core.count_simplex.window import tilt_to_total
from core.inference.beta_pairs import BetaPairs
from core.inference.counts import TOO_MANY_AT_THIS_NOISE, CountMarginal, InferenceError
from core.inference.prior_weights import log_prior_weight
from core.inference.product_counts import Observed, ProductCounts, Spans, UnknownTotal, limits_of_total, weight_of_total
from core.inference.total_leaf import TotalWeight
from core.inference.tree_nodes import ROUNDING, Drawn, Floats, Node, divided, drawn_below
from core.samplers.reproducible import Reproducible

Tree: TypeAlias = "CellSet | tuple[Tree, ...]"
"""A set of cells that is not divided further, or the parts of a division, at least two."""

_UNIT: Final = 2.0**-53
_MAX_DIRECT_LENGTH: Final = 48
"""Size of the smaller factor up to which a convolution is as fast directly."""
_MOST_ENTRIES: Final = 1 << 22
_MOST_WORK: Final = 5e9
"""Largest number of products of all direct convolutions together."""
_TOLERANCE: Final = 1e-6
"""Largest accepted error of a probability of a count, shared by all nodes."""
_NEGLIGIBLE_SHARE: Final = 1e-40
_TAIL: Final = 1e-9
"""Largest accepted probability beyond an end of a window."""
_MAX_ROUNDS: Final = 12
_MAX_TILTS: Final = 40
_LIKELY: Final = 1e-3
"""Least weight of a known total under tilted weights, relative to the likeliest one."""
_SMALLEST_DIVISOR: Final = 1e-300
"""Divisor where a count is impossible, whose weight is 0."""
_STEP: Final = 0.7
_STEPS_OF_DEVIATION: Final = 16.0
"""A component of a share's mixture has the counts within max(1, 0.7 √c, deviation / 16)."""
ERROR_OF_SHARES: Final = 0.003
"""Error of a probability of a share, whose distribution given the count is taken for a Beta distribution with the
same two moments: the largest seen is 0.0021.
"""


def leaves_of(tree: Tree) -> Iterator[CellSet]:
    """Yield the sets that are not divided further, from left to right."""
    if isinstance(tree, tuple):
        for part in tree:
            yield from leaves_of(part)
    else:
        yield tree


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """The log-weights of the root's counts from `low` on: one entry if n is known, else ln p(n) L(n) / w_ka(n)."""

    low: int
    log_weights: Floats
    weight: TotalWeight | None = None


class TreeCounts:
    """The counts and the shares of the leaves of a tree; `leaves` are their sets of cells, from left to right.

    `prior`: a, of each branch.

    `error`: the measured effect of rounding on the probability of a count, and the estimated one of windows' ends.
    """

    def __init__(
        self, tree: Tree, windows: Sequence[Window], totals: Totals, cut: NDArray[np.bool_], prior: float
    ) -> None:
        """Compute the weights and marginals of all nodes.

        `windows`: ln w_a(c) L(c) for each leaf. `cut`: whether each leaf's window leaves out counts below and above,
        shape (2, leaves). `prior`: a.
        """
        self.prior = prior
        self.leaves = list(leaves_of(tree))
        self._node_by_leaf: list[Node] = []
        self._root, self._totals = self._build_node(tree), totals
        inner = list(_inner(self._root))
        most = totals.low + totals.log_weights.size - 1
        is_up = False
        if totals.log_weights.size == 1:
            is_up = self._centre(windows, cut, inner)
        else:
            self._load(windows, cut, 0.0)
        for _ in range(_MAX_ROUNDS):
            if (is_up or self._compute_node_weights(inner, most)) and self._compute_outside_weights(inner):
                worst = [node for node in inner if not node.is_careful and node.moved > _TOLERANCE / len(inner)]
            else:  # the total is so unlikely without the others that rounding hides its weight
                worst = [node for node in inner if not node.is_careful]
                if not worst:
                    raise InferenceError("no counts are possible with this total")
            for node in worst:
                node.is_careful = True
            is_up = False
            if not worst:
                break
            if sum(_work(node) for node in inner if node.is_careful) > _MOST_WORK:
                raise InferenceError(TOO_MANY_AT_THIS_NOISE)
        self.error = math.fsum([ROUNDING, *(node.moved for node in [*inner, *self._node_by_leaf])])

    @property
    def tails(self) -> Floats:
        """Return the estimated probabilities below and above the window of each leaf, shape (2, leaves)."""
        return np.array([node.tails for node in self._node_by_leaf]).T

    def totals(self) -> CountMarginal:
        """Return the distribution of the number of records."""
        return CountMarginal(self._root.low, self._root.probabilities)

    def marginals(self) -> list[CountMarginal]:
        """Return the distribution of the count of each leaf."""
        return [CountMarginal(node.low, node.probabilities) for node in self._node_by_leaf]

    def shares(self) -> list[BetaPairs]:
        """Return the distribution of the share of each leaf, within `ERROR_OF_SHARES`.

        Given the count, it has the exact mean and variance. Neighbouring counts are taken together.
        """
        return [_share(node) for node in self._node_by_leaf]

    def branches(self) -> ProductCounts:
        """Return the posterior of the counts of the root's branches."""
        total, windows = self._totals, []
        for node in _branches(self._root):
            with np.errstate(divide="ignore"):
                windows.append(Window(node.low, np.log(node.weights)))
        rounding = [np.zeros(each.log_weights.size) for each in windows]
        n = total.low
        if total.weight is not None:
            n, high = 0, total.low + total.log_weights.size - 1
            windows, rounding = (
                [Window(-high, total.log_weights[::-1]), *windows],
                [np.zeros(total.log_weights.size), *rounding],
            )
        try:
            distribution = condition_on_total(windows, n)
        except CountSimplexError:
            raise InferenceError(TOO_MANY_AT_THIS_NOISE) from None
        found = ProductCounts(windows, rounding, distribution, self.error, total=total.weight)
        if not found.error <= _TOLERANCE:
            raise InferenceError(TOO_MANY_AT_THIS_NOISE)
        return found

    def draws(self, size: int, rng: Reproducible) -> tuple[NDArray[np.int64], Floats]:
        """Draw the counts of the leaves and the logarithms of their shares jointly, both of shape (size, leaves)."""
        counts, logs = np.empty((len(self.leaves), size), dtype=np.int64), np.empty((len(self.leaves), size))
        for drawn in chain(*self._draw_leaves(size, rng)):
            counts[drawn.leaf], logs[drawn.leaf] = drawn.counts, drawn.logs
        return counts.T, logs.T

    def draws_of(
        self, sets: Sequence[CellSet], size: int, rng: Reproducible
    ) -> Iterator[tuple[NDArray[np.int64], Floats]]:
        """Draw the counts of disjoint sets and the logarithms of their shares jointly.

        Each set is a union of leaves. Yields both arrays of one set at a time, of shape (size,). If the sets follow the
        order of the leaves in each branch of the root, only a few are in memory.
        """
        set_of = {cell: number for number, cells in enumerate(sets) for cell in cells}
        missing, found, first = [len(cells) for cells in sets], dict[int, Drawn](), 0
        for drawn in filter(None, chain.from_iterable(zip_longest(*self._draw_leaves(size, rng)))):
            if (number := set_of.get(min(leaf := self.leaves[drawn.leaf]))) is None:
                continue
            others = found.get(number)
            found[number] = drawn if others is None else drawn.with_others(others)
            missing[number] -= len(leaf)
            while first < len(sets) and not missing[first]:
                yield found[first].counts, found.pop(first).logs
                first += 1

    def places(self, cells: CellSet) -> list[int]:
        """Return the places of the leaves that lie in a set of cells."""
        return [place for place, leaf in enumerate(self.leaves) if leaf <= cells]

    def _draw_leaves(self, size: int, rng: Reproducible) -> list[Iterator[Drawn]]:
        """Return the joint draws of all leaves, those of one branch of the root after another."""
        root = self._root
        totals = root.low + rng.categories(root.probabilities / root.probabilities.sum(), size)
        branches = divided(root, totals, np.zeros(size), self.prior, rng)
        return [drawn_below(*each, self.prior, rng) for each in branches]

    def _build_node(self, tree: Tree) -> Node:
        if not isinstance(tree, tuple):
            self._node_by_leaf.append(Node(leaf=len(self._node_by_leaf)))
            return self._node_by_leaf[-1]
        parts = [self._build_node(part) for part in tree]
        while len(parts) > 1:
            pairs = [Node(children=pair) for pair in zip(parts[0:-1:2], parts[1::2], strict=True)]
            parts = [*pairs, *parts[2 * len(pairs) :]]
        parts[0].branches = len(tree)
        return parts[0]

    def _load(self, windows: Sequence[Window], cut: NDArray[np.bool_], tilt: float) -> None:
        for node, window, below, above in zip(self._node_by_leaf, windows, *cut.tolist(), strict=True):
            tilted = window.log_weights + tilt * np.arange(window.log_weights.size)
            weights = np.exp(tilted - tilted.max())
            node.low, node.weights, node.is_cut = window.low, weights / weights.sum(), (below, above)

    def _centre(self, windows: Sequence[Window], cut: NDArray[np.bool_], inner: Sequence[Node]) -> bool:
        """Tilt all weights by e^(θc) so that a known total is likely.

        This does not change the distribution given the total, and keeps its weight above the level of rounding. Return
        whether the weights of all nodes are computed, and none below the root is of a count above the total.
        """
        total = self._totals.low
        try:
            tilt, lower, upper = tilt_to_total(windows, total).tilt, -math.inf, math.inf
        except CountSimplexError:
            raise InferenceError("no counts are possible with this total") from None
        for _ in range(_MAX_TILTS):
            self._load(windows, cut, tilt)
            self._compute_node_weights(inner, most=None)
            root = self._root
            place = total - root.low
            if 0 <= place < root.weights.size and root.weights[place] > _LIKELY * root.weights.max():
                return all(node.low + node.weights.size - 1 <= total for node in inner if node is not root)
            mean = float(root.weights @ root.counts)
            variance = max(float(root.weights @ np.square(root.counts - mean)), 0.25)
            lower, upper = (tilt, upper) if mean < total else (lower, tilt)
            step = (total - mean) / variance
            step = math.copysign(min(abs(step), 2.0 / math.sqrt(variance)), step)
            tilt = tilt + step if lower < tilt + step < upper else 0.5 * (lower + upper)
        return False

    def _compute_node_weights(self, inner: Sequence[Node], most: int | None) -> bool:
        """Compute the weights of all nodes, up to a largest count. Return whether some are left."""
        for node in inner:
            assert node.children is not None, "an inner node has children"
            first, second = node.children
            sums, error = _convolve_rows(first.weights[None], second.weights, directly=node.is_careful)
            low = first.low + second.low
            sums = sums[0] if most is None else sums[0, : max(0, most - low + 1)]
            least = max(_NEGLIGIBLE_SHARE * float(sums.max(initial=0.0)), 4.0 * error)
            kept = np.flatnonzero(sums > least)
            if not kept.size:
                return False
            node.is_cut = bool(kept[0]), bool(kept[-1] + 1 < sums.size)
            node.low, sums = low + int(kept[0]), sums[kept[0] : kept[-1] + 1]
            node.factor = np.ones(sums.size)
            if node.branches and node is not self._root:
                anchor = float(node.low + int(np.argmax(sums)))
                whole = node.branches * self.prior
                counts = node.low + np.arange(float(sums.size))
                node.factor = np.exp(
                    log_prior_weight(self.prior, counts, anchor=anchor) - log_prior_weight(whole, counts, anchor=anchor)
                )
            weights = sums * node.factor
            scale = 1.0 / float(weights.sum())
            node.weights, node.error = weights * scale, error * scale * float(node.factor.max())
            node.factor *= scale
        return True

    def _compute_outside_weights(self, inner: Sequence[Node]) -> bool:
        """Compute the weights of the tree outside each node. Return whether the root has a possible total."""
        root, totals = self._root, self._totals
        places = root.low - totals.low + np.arange(root.weights.size)
        inside = (places >= 0) & (places < totals.log_weights.size)
        if not inside.any():
            return False
        logs = np.where(inside, totals.log_weights[np.where(inside, places, 0)], -math.inf)
        weights = np.exp(logs - logs.max())
        whole = root.branches * self.prior + root.counts
        root.outside = np.stack([weights, weights / whole, weights / whole / (whole + 1.0)])
        root.outside /= float(root.weights @ weights)
        for node in reversed(inner):
            assert node.children is not None, "an inner node has children"
            passed, low = node.outside * node.factor, node.low
            if node.branches and node is not root:
                whole = node.branches * self.prior + node.counts
                passed[1:] /= np.stack([whole, whole * (whole + 1.0)])
            if root is node:  # outside of the possible totals the weight is 0
                likely = np.flatnonzero(passed[0])
                low, passed = low + int(likely[0]), passed[:, likely[0] : likely[-1] + 1]
            for child, sibling in (node.children, node.children[::-1]):
                rows, error = _convolve_rows(passed, sibling.weights[::-1], directly=node.is_careful)
                # The index i of `rows` is the count low + i − (the sibling's greatest count).
                start = child.low - low + sibling.low + sibling.weights.size - 1
                child.outside = np.zeros((3, child.weights.size))
                first, last = max(0, -start), min(child.weights.size, rows.shape[1] - start)
                child.outside[:, first:last] = rows[:, start + first : start + last]
                child.error_outside = error
                if child.branches or child.children is None:
                    begun = self.prior + child.counts
                    child.outside[1:] *= np.stack([begun, begun * (begun + 1.0)])
        return True


def _inner(node: Node) -> Iterator[Node]:
    """Yield the nodes with children, each after those below it."""
    if node.children is not None:
        for child in node.children:
            yield from _inner(child)
        yield node


def _branches(node: Node) -> Iterator[Node]:
    """Yield the branches of a node, from left to right."""
    assert node.children is not None, "an inner node has children"
    for child in node.children:
        if child.branches or child.children is None:
            yield child
        else:
            yield from _branches(child)


def _work(node: Node) -> float:
    assert node.children is not None, "an inner node has children"
    first, second = node.children
    return 7.0 * first.weights.size * second.weights.size


def _convolve_rows(rows: Floats, kernel: Floats, *, directly: bool) -> tuple[Floats, float]:
    """Return the convolution of each row with the kernel, and a bound on the error of each value of the first one.

    All values are positive; those of a direct sum are exact to a few units each.
    """
    if directly or min(rows.shape[1], kernel.size) <= _MAX_DIRECT_LENGTH:
        return np.stack([np.convolve(row, kernel) for row in rows]), 0.0
    size = rows.shape[1] + kernel.size - 1
    length = fast_length(size)
    products = np.fft.irfft(np.fft.rfft(rows, length) * np.fft.rfft(kernel, length), length)[:, :size]
    np.maximum(products, 0.0, out=products)
    first, second, product = (math.sqrt(float(each @ each)) for each in (rows[0], kernel, products[0]))
    return products, _UNIT * (10.0 * math.log2(length) + 2.0) * (2.0 * first * second + product)


def _share(node: Node) -> BetaPairs:
    p = node.probabilities
    likely = np.flatnonzero(p > 1e-16 * float(p.max()))
    kept = slice(int(likely[0]), int(likely[-1]) + 1)
    p, counts = p[kept] / float(p[kept].sum()), node.counts[kept]
    deviation = math.sqrt(float(p @ np.square(counts - float(p @ counts))))
    means, squares = node.outside[1:, kept] / np.maximum(node.outside[0, kept], _SMALLEST_DIVISOR)
    starts, at = [0], 0
    while at < p.size:
        at += int(max(1.0, _STEP * math.sqrt(counts[at]), deviation / _STEPS_OF_DEVIATION))
        starts.append(min(at, p.size))
    weights, mean, square = (np.add.reduceat(each, starts[:-1]) for each in (p, p * means, p * squares))
    some = weights > 0.0
    weights, mean, square = weights[some], mean[some] / weights[some], square[some] / weights[some]
    whole = (mean - square) / np.maximum(square - np.square(mean), _SMALLEST_DIVISOR)
    return BetaPairs(mean * whole, (1.0 - mean) * whole, weights / float(weights.sum()))


def tree_counts(tree: Tree, observed: Sequence[Observed], total: int | UnknownTotal, prior: float = 0.5) -> TreeCounts:
    """Return the posterior of the leaves' counts, given the likelihood of each leaf's count.

    Raises InferenceError if no counts are possible, if too many are, or if n is unbounded and the likelihood of a count
    does not fall as the count grows.
    """
    size, (least, most) = sum(1 for _ in leaves_of(tree)), limits_of_total(total, observed)
    spans = Spans(np.full(size, prior), observed, most)
    spans.check_total(least)
    for _ in range(_MAX_ROUNDS):
        spans.fit_free(least, most)
        if spans.entries() > _MOST_ENTRIES:
            raise InferenceError(TOO_MANY_AT_THIS_NOISE)
        possible = spans.sums()
        if possible[0] > most or possible[1] < least:
            spans.widen_each(below=possible[0] > most, above=possible[1] < least)
            continue
        cut = np.stack([spans.starts_late(), spans.ends_early()])
        if isinstance(total, int):
            totals = Totals(total, np.zeros(1))
        else:
            first, last = possible[0], min(possible[1], most)
            weight = weight_of_total(len(tree) * prior, (first, last), first, total)
            totals = Totals(first, weight.at(np.arange(first, last + 1)), weight)
        found = TreeCounts(tree, spans.windows(), totals, cut, prior)
        lacking = found.tails > _TAIL
        if not lacking.any():
            return found
        spans.widen(lacking)
    raise InferenceError(TOO_MANY_AT_THIS_NOISE)
