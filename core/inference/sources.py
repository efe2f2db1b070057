"""Noisy tables, from releases or from elsewhere, as sources of answers.

Without a stated prior, a question is answered from its own pieces (`core.inference.pieces`), ½ a piece. What is shown
together, such as the rows of a table, is one posterior under the attribute tree (`core.inference.attribute_tree`), ½ a
branch. So are the pieces if some noisy counts can't be added up, because they were rounded, clamped or suppressed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet
from core.inference.attribute_tree import ERROR_OF_SHARES, Tree, TreeCounts, leaves_of, tree_counts
from core.inference.counts import CountMarginal, InferenceError
from core.inference.events import Answered, Share, share_distribution, share_distributions
from core.inference.likelihood import observed_of
from core.inference.pieces import PRIOR_OF_A_PIECE, NoisyCells, by_pieces, pieces_of, posterior_of_pieces
from core.inference.posterior import NoiseAwarePosterior, pool
from core.inference.product_counts import Observed, UnknownTotal, counts_given_noise
from core.inference.published import PublishedCell, Total, infer_table, observe, total_of
from core.mechanisms.blocks import BlockMargin
from core.mechanisms.catalogue import TableEvent, query_noise_of
from core.mechanisms.noisy_counts import NoisyCounts, nearest_on_simplex
from core.noise import DiscreteGaussianNoise, FlooredLaplaceNoise, GeometricNoise
from core.samplers.reproducible import Reproducible
from core.simplex_noise import SimplexGeometricNoise

_MAX_JOINT_PIECES: Final = 20
"""Largest number of labels of an attribute, or of runs of labels, that are divided in one step."""
_RUN: Final = 10
MOST_ROWS: Final = 2000
"""Largest table whose rows are one posterior by branches: with 3 000 rows it takes 3 s at a scale of 2."""


def tree_of(combinations: Sequence[tuple[int, ...]]) -> Tree:
    """Return the tree of a table whose cells have these levels: divided by the first attribute, then the second, …

    An attribute with more than 20 levels is divided into runs of ten neighbours, and these likewise.
    """
    return _divide_cells(dict(enumerate(combinations)))


def _divide_cells(cells: dict[int, tuple[int, ...]]) -> Tree:
    if len(cells) == 1:
        return frozenset(cells)
    by_level: dict[int, dict[int, tuple[int, ...]]] = {}
    for cell, (first, *others) in cells.items():
        by_level.setdefault(first, {})[cell] = tuple(others)
    return in_runs([_divide_cells(by_level[level]) for level in sorted(by_level)])


def in_runs(parts: Sequence[Tree]) -> Tree:
    """Return the tree that is divided into these parts: in one step, or in runs of ten if there are more than 20."""
    parts = list(parts)
    while len(parts) > _MAX_JOINT_PIECES:
        runs = [parts[start : start + _RUN] for start in range(0, len(parts), _RUN)]
        parts = [tuple(run) if len(run) > 1 else run[0] for run in runs]
    return tuple(parts) if len(parts) > 1 else parts[0]


def _refine_tree(tree: Tree, table: Tree) -> Tree:
    """Return a tree whose leaves are divided further, as the table is."""
    if isinstance(tree, tuple):
        return tuple(_refine_tree(each, table) for each in tree)
    found = within(table, tree)
    assert found is not None, "the table has all cells"
    return found


def within(tree: Tree, cells: CellSet) -> Tree | None:
    """Return the tree restricted to these cells, or None if it contains none of them."""
    if not isinstance(tree, tuple):
        return tree & cells or None
    parts = [part for each in tree if (part := within(each, cells)) is not None]
    return tuple(parts) if len(parts) > 1 else (parts[0] if parts else None)


def part_of(share: Share, parts: Iterable[CellSet], m: int) -> CellSet:
    """Return the part of a table of m cells that has the base of a share. Raises InferenceError if there is none."""
    base = frozenset(range(m)) if share.given is None else share.given
    found = next((part for part in parts if base <= part), None)
    if found is None:
        raise InferenceError("a share must lie within one group whose total is known, or outside all of them")
    return found


def _share_within_part(share: Share, part: CellSet) -> Share:
    """Return the share by the numbers that cells have in a part of the table."""
    given = None if share.given is None or share.given == part else _renumber_tree(share.given, part)
    return Share(_renumber_tree(share.cells & part, part), given)


@overload
def _renumber_tree(tree: CellSet, part: CellSet) -> CellSet: ...
@overload
def _renumber_tree(tree: Tree, part: CellSet) -> Tree: ...
def _renumber_tree(tree: Tree, part: CellSet) -> Tree:
    if isinstance(tree, tuple):
        return tuple(_renumber_tree(each, part) for each in tree)
    numbers = {cell: number for number, cell in enumerate(sorted(part))}
    return frozenset(numbers[cell] for cell in tree)


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Noisy tables of the same cells.

    - `sums`: their noisy counts, which can be added up; otherwise None.
    - `cells`: for each table, the likelihood of each cell by its count; None if a likelihood is not a product over
      cells. Then every answer comes from one posterior under the same prior for each cell.
    - `total`: the number of records, or its distribution.
    - `infer`: returns the posterior under a prior on the cells, shape (m,).
    - `of_set`: returns a set of cells and all others as a source of two cells, if the noise of cells is known one set
      at a time only; otherwise None. Then `infer` has no posterior.
    """

    m: int
    sums: Sequence[NoisyCells] | None
    cells: Sequence[Observed] | None
    total: int | UnknownTotal
    infer: Callable[[NDArray[np.float64]], NoiseAwarePosterior]
    of_set: Callable[[CellSet], Source] | None = None

    def among(self, cells: CellSet, total: int | UnknownTotal) -> Source:
        """Return the source of some cells alone. Given their total, they are independent of the other cells."""
        assert self.cells is not None, "the channels factor over cells"
        order = np.array(sorted(cells))
        observed = [each.reordered(order) for each in self.cells]
        return Source(
            order.size,
            None if self.sums is None else [each.among(order) for each in self.sums],
            observed,
            total,
            lambda prior: NoiseAwarePosterior(prior, counts_given_noise(prior, observed, total)),
        )


@dataclass(eq=False)
class Answers:
    """The answers from one source under one prior.

    - `each`: the prior of each piece and branch, or None if `prior`, one for each cell, is stated.
    - `tree`: the tree of the cells.
    - `known`: the public totals of disjoint groups of cells. Only single questions use them, not rows, draws or strata.
    """

    source: Source
    prior: NDArray[np.float64] | None
    each: float
    tree: Tree
    known: Mapping[CellSet, int] = field(default_factory=dict)
    _posterior_by_pieces: dict[tuple[CellSet, ...], NoiseAwarePosterior] = field(
        default_factory=dict, init=False, repr=False
    )

    @classmethod
    def by_cells(cls, source: Source, prior: Sequence[float] | NDArray[np.float64], tree: Tree) -> Answers:
        return cls(source, np.array(prior, dtype=np.float64), PRIOR_OF_A_PIECE, tree)

    @classmethod
    def by_pieces(cls, source: Source, tree: Tree, each: float = PRIOR_OF_A_PIECE) -> Answers:
        return cls(source, None, each, tree)

    @cached_property
    def alternative(self) -> Answers | None:
        """Return the answers under another prior: a tenth of ½ a piece, or ½ a piece if another one was stated.

        It is None if a likelihood is not a product over cells, as the posterior may then be a long simulation.
        """
        if self.source.cells is None:
            return None
        is_default = self.prior is None and self.each == PRIOR_OF_A_PIECE
        each = 0.1 * PRIOR_OF_A_PIECE if is_default else PRIOR_OF_A_PIECE
        return Answers(self.source, None, each, self.tree, self.known)

    def given(self, known: Mapping[CellSet, int]) -> Answers:
        """Return the answers given the public totals of disjoint groups.

        Raises InferenceError if a likelihood is not a product over cells.
        """
        if known and self.source.cells is None:
            raise InferenceError("public totals of groups need noise that is independent between the cells")
        return replace(self, known=known)

    @cached_property
    def parts(self) -> dict[CellSet, Answers]:
        """Return the answers about each group whose total is known, and about the other cells: all are independent."""
        every = frozenset(range(self.source.m))
        rest = every.difference(*self.known)
        return {cells: self._answers_among(cells) for cells in ([*self.known, rest] if rest else self.known)}

    def _answers_among(self, cells: CellSet) -> Answers:
        total: int | UnknownTotal | None = self.known.get(cells)
        if total is None:
            others = sum(self.known.values())
            if isinstance(self.source.total, int):
                total = self.source.total - others
            else:
                most = self.source.total.at_most
                of_others = (
                    self.each * len(self.known)
                    if self.prior is None
                    else math.fsum(np.delete(self.prior, sorted(cells)).tolist())
                )
                total = UnknownTotal(None if most is None else most - others, None, others, of_others)
        tree = within(self.tree, cells)
        assert tree is not None, "the tree has all cells"
        prior = None if self.prior is None else self.prior[sorted(cells)]
        return Answers(self.source.among(cells, total), prior, self.each, _renumber_tree(tree, cells))

    def sides(self, *shares: Share) -> list[tuple[NoiseAwarePosterior, Share]]:
        """Return for each share its posterior, and the share as that numbers its cells. Shares in different groups
        whose totals are known have independent posteriors; other shares have one.
        """
        if not self.known:
            posterior, found = self.of(*shares)
            return [(posterior, share) for share in found]
        groups = [part_of(share, self.parts, self.source.m) for share in shares]
        inside = [_share_within_part(share, group) for share, group in zip(shares, groups, strict=True)]
        if len(set(groups)) == 1:
            return self.parts[groups[0]].sides(*inside)
        return [self.parts[group].sides(share)[0] for group, share in zip(groups, inside, strict=True)]

    def of(self, *shares: Share) -> tuple[NoiseAwarePosterior, list[Share]]:
        """Return the posterior that answers a question about these shares, and the shares as it numbers their cells."""
        if self.source.of_set is not None:
            return self._posterior_of_set(self.source.of_set, shares)
        if self.is_by_cells:
            return self.cell_posterior, list(shares)
        pieces = pieces_of(shares, self.source.m)
        if (observed := self._observed_pieces(pieces)) is not None:
            if pieces not in self._posterior_by_pieces:
                self._posterior_by_pieces[pieces] = posterior_of_pieces(observed, self.each, self.source.total)
        elif pieces not in self._posterior_by_pieces:
            counts = self._counts_divided_by(pieces).branches()
            self._posterior_by_pieces[pieces] = NoiseAwarePosterior(np.full(len(pieces), self.each), counts)
        return self._posterior_by_pieces[pieces], [by_pieces(share, pieces) for share in shares]

    def _posterior_of_set(
        self, of_set: Callable[[CellSet], Source], shares: Sequence[Share]
    ) -> tuple[NoiseAwarePosterior, list[Share]]:
        """Return the posterior of a set of cells and all others, from their own sums, and the set as its first cell."""
        every = frozenset(range(self.source.m))
        cells, *others = {share.cells if share.given in (None, every) else None for share in shares}
        if cells is None or others:
            raise InferenceError("not available, because its labels share one draw of noise: ask for one share of all")
        prior = np.full(2, self.each)
        if self.prior is not None:
            inside = sorted(cells)
            prior = np.array([self.prior[inside].sum(), np.delete(self.prior, inside).sum()])
        return of_set(cells).infer(prior), [Share(frozenset({0}))] * len(shares)

    @cached_property
    def _posteriors_by_cell(self) -> list[NoiseAwarePosterior]:
        """Return the posterior of each cell and all others, for noise that is known one set at a time."""
        return [self.of(Share(frozenset({cell})))[0] for cell in range(self.source.m)]

    @cached_property
    def cell_posterior(self) -> NoiseAwarePosterior:
        """Return the posterior under the prior on the cells, or under `each` for every cell."""
        return self.source.infer(np.full(self.source.m, self.each) if self.prior is None else self.prior)

    @property
    def is_by_cells(self) -> bool:
        """Return whether every answer comes from one posterior under a prior on the cells: `cell_posterior`."""
        return self.source.of_set is None and (self.prior is not None or self.source.cells is None)

    @property
    def rows_are_by_cells(self) -> bool:
        """Return whether each cell has the prior `each` in the rows of the table: they can't be those of the tree."""
        return self.prior is None and self._is_nested and not self.is_by_branch

    @property
    def is_by_branch(self) -> bool:
        """Return whether the prior is by branch, and a tree of all cells is not too large."""
        return self.prior is None and self.source.cells is not None and self.source.m <= MOST_ROWS

    @property
    def _is_nested(self) -> bool:
        return any(isinstance(part, tuple) for part in self.tree)

    @cached_property
    def _joint(self) -> TreeCounts | None:
        """Return the counts by the tree of the table, or None if it divides once only, or is too large."""
        if not self.is_by_branch or not self._is_nested:
            return None
        return self._counts_by_tree(self.tree)

    def shares(self) -> list[Answered]:
        """Return the share of each cell. All are of one joint posterior, unless noise is known one set at a time."""
        if self.source.of_set is not None:
            return [share_distribution(each, Share(frozenset({0}))) for each in self._posteriors_by_cell]
        if self._joint is None:
            return share_distributions(self.cell_posterior)
        error = ERROR_OF_SHARES + self._joint.error
        found = [Answered(law, error, "exact") for law in self._joint.shares()]
        return [found[place] for place in _places(self._joint.leaves)]

    def counts(self) -> tuple[list[CountMarginal], float]:
        """Return the distribution of each count, in the posterior of `shares`, and a bound on its error."""
        if self.source.of_set is not None:
            return [each.counts.marginals()[0] for each in self._posteriors_by_cell], max(
                each.error for each in self._posteriors_by_cell
            )
        if self._joint is None:
            return list(self.cell_posterior.counts.marginals()), self.cell_posterior.error
        found = self._joint.marginals()
        return [found[place] for place in _places(self._joint.leaves)], self._joint.error

    def totals(self) -> tuple[CountMarginal, float]:
        """Return the distribution of the number of records, whatever is asked, and a bound on its error."""
        if isinstance(self.source.total, int):
            return CountMarginal(self.source.total, np.ones(1)), 0.0
        if self.prior is None and (observed := self._observed_pieces((frozenset(range(self.source.m)),))) is not None:
            found = posterior_of_pieces(observed, self.each, self.source.total)
            return found.counts.totals(), found.error
        if self._joint is not None:
            return self._joint.totals(), self._joint.error
        return self.cell_posterior.counts.totals(), self.cell_posterior.error

    def draws(self, size: int, *, seed: int, shares: Sequence[Share] = ()) -> NDArray[np.float64]:
        """Draw the shares of all cells jointly, shape (size, m).

        `shares` are those of a question, whose pieces are divided before the table's attributes.
        """
        is_asked = bool(shares) and self.is_by_branch
        joint = self._counts_divided_by(pieces_of(shares, self.source.m)) if is_asked else self._joint
        if joint is None:
            return self.cell_posterior.draws(size, seed=seed)
        _, logs = joint.draws(size, Reproducible(seed))
        return np.exp(logs)[:, _places(joint.leaves)]

    def grouped(self, groups: Sequence[CellSet]) -> Answers:
        """Return the answers about a coarser table, whose cells are these disjoint sets, all cells together."""
        members, source = list(groups), self.source
        observed = self._observed_pieces(members)
        if observed is None or len(members) == source.m:
            return self
        coarse = Source(
            len(members),
            None,
            observed,
            source.total,
            lambda prior: NoiseAwarePosterior(prior, counts_given_noise(prior, observed, source.total)),
        )
        return Answers.by_pieces(coarse, in_runs([frozenset({place}) for place in range(len(members))]), self.each)

    def strata(self, shares: Sequence[Share], every: Sequence[CellSet]) -> NoiseAwarePosterior | TreeCounts:
        """Return the joint posterior of the parts of a question's pieces in all strata.

        Arguments: `shares`, those of the question; `every`, the sets of cells, each within one piece. In the tree, the
        root is the question, its children are the pieces, and theirs are the strata.
        """
        if self.prior is not None or self.source.cells is None:
            return self.cell_posterior
        parts = [[each for each in every if each <= piece] for piece in pieces_of(shares, self.source.m)]
        tree: list[Tree] = []
        for piece, inside in zip(pieces_of(shares, self.source.m), parts, strict=True):
            rest = piece.difference(*inside)
            tree.append(in_runs([*inside, rest] if rest else inside))
        leaves = list(leaves_of(tuple(tree)))
        observed = self._observed_pieces(leaves)
        if observed is None:  # the parts are divided as the table is
            tree = [_refine_tree(each, self.tree) for each in tree]
            observed = _reorder_observed(self.source.cells, tuple(tree))
        return tree_counts(tuple(tree), observed, self.source.total, self.each)

    def _observed_pieces(self, pieces: Sequence[CellSet]) -> list[Observed] | None:
        """Return the likelihood of each piece's count by the noisy sums, or None if counts can't be added up."""
        if self.source.sums is None:
            return None
        found = [each.sums(pieces) for each in self.source.sums]
        return None if any(each is None for each in found) else [each for each in found if each is not None]

    def _counts_divided_by(self, pieces: Sequence[CellSet]) -> TreeCounts:
        """Return the counts of all cells by a tree. Its root has these pieces, each divided like the table."""
        return self._counts_by_tree(tuple(part for cells in pieces if (part := within(self.tree, cells)) is not None))

    def _counts_by_tree(self, tree: Tree) -> TreeCounts:
        assert self.source.cells is not None, "the tree is known for products over cells"
        return tree_counts(tree, _reorder_observed(self.source.cells, tree), self.source.total, self.each)


def _places(leaves: Sequence[CellSet]) -> NDArray[np.int64]:
    """Return for each cell the place of its leaf, from left to right."""
    return np.argsort(np.array([cell for leaf in leaves for cell in leaf]))


def _reorder_observed(observed: Sequence[Observed], tree: Tree) -> list[Observed]:
    """Return the likelihoods of the leaves of a tree of single cells, in the order of the leaves."""
    order = np.array([cell for leaf in leaves_of(tree) for cell in leaf])
    return [each.reordered(order) for each in observed]


def source_of_releases(releases: Sequence[tuple[TableEvent, NoisyCounts]], at_most: int | None = None) -> Source:
    """Return several releases of one data set as a source. Arguments as for `core.inference.posterior.pool`."""
    m, n = releases[0][0].m, releases[0][0].n
    sums = [cells for event, release in releases if (cells := _noisy_cells(event, release)) is not None]
    observed = [each for event, release in releases if (each := observed_of(event, release)) is not None]
    return Source(
        m,
        sums if len(sums) == len(releases) else None,
        observed if len(observed) == len(releases) else None,
        UnknownTotal(at_most) if n is None else n,
        lambda prior: pool(releases, prior, at_most),
        partial(_set_of_blocks, releases)
        if m > 2 and all(isinstance(each, BlockMargin) for each, _ in releases)
        else None,
    )


def _set_of_blocks(releases: Sequence[tuple[TableEvent, NoisyCounts]], cells: CellSet) -> Source:
    """Return a set of labels of a margin of blocks, and all other labels, as a noisy table by itself."""
    found: list[tuple[TableEvent, NoisyCounts]] = []
    for event, release in releases:
        assert isinstance(event, BlockMargin), "all are margins of blocks"
        inside = sum(release.noisy[cell] for cell in cells)
        noisy = inside, event.n - inside
        found.append((replace(event, labels=len(cells)), NoisyCounts(noisy, nearest_on_simplex(noisy, event.n))))
    return source_of_releases(found)


def _noisy_cells(event: TableEvent, release: NoisyCounts) -> NoisyCells | None:
    """Return the noisy counts of a release, or None if their noise can't be added up."""
    match query_noise_of(event):
        case DiscreteGaussianNoise(variance=variance):
            law, scale = "discrete_gaussian", math.sqrt(variance)
        case FlooredLaplaceNoise(scale=of_laplace):
            law, scale = "floored_laplace", float(of_laplace)
        case GeometricNoise(rate=rate) | SimplexGeometricNoise(rate=rate):
            law, scale = "geometric", float(1 / rate)
        case _:
            return None
    values = np.full(event.m, math.nan)
    values[: len(release.noisy)] = release.noisy
    return NoisyCells(values, np.full(event.m, law), np.full(event.m, scale))


def source_of_tables(tables: Sequence[Sequence[PublishedCell]], total: int | Total) -> Source:
    """Return somebody else's noisy tables as a source. Arguments as for `core.inference.published.infer_table`."""
    return Source(
        len(tables[0]),
        [_published_cells(cells) for cells in tables],
        [observe(cells) for cells in tables],
        total_of(total),
        lambda prior: infer_table(tables, prior, total),
    )


def _published_cells(cells: Sequence[PublishedCell]) -> NoisyCells:
    """Return the values of a table. Those that are known by a range only have no law of their sum."""
    laws = np.array([cell.noise.law if cell.is_raw else "" for cell in cells])
    values = np.array([math.nan if cell.value is None else cell.value for cell in cells])
    return NoisyCells(values, laws, np.array([(cell.noise.scale, cell.noise.second) for cell in cells]))
