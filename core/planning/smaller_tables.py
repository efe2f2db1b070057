"""Compares a release of a whole table with one of a smaller table, in which cells that no question tells apart are
merged: it has less noise at the same charge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.cells import CellSet, Groups
from core.inference.events import Share
from core.planning.intervals import Asked
from core.planning.options import Option, Problem, option
from core.planning.plans import excess_width, is_honest
from core.planning.questions import ContrastOfShares
from core.privacy import Epsilon

_EXACT_WIDTH_RATIO: Final = 1.005
"""A width that is at most this many times that of exact counts is not compared: no noise is left to save."""
_EXCESS_RANGE: Final = (0.93, 0.97)
"""Fractions of the allowed noise in a width: a search ends at the first or above, and aims at the second."""
_STEPS: Final = 4


@dataclass(frozen=True, slots=True)
class SmallerTable:
    """A mechanism on a smaller table: at the same charge, and at about the smallest one at which no interval is wider
    than on the whole table.
    """

    problem: Problem
    same_charge: Option
    same_width: Option


def smaller_table(problem: Problem, whole: Option, groups: Groups) -> SmallerTable | None:
    """Return the comparison with the table of these groups of cells, which the questions do not tell apart. None if its
    intervals are not known, or if noise widens no interval.

    Questions in strata are left out.
    """
    counts = [int(problem.guess.counts[list(each)].sum()) for each in groups]
    smaller = replace(
        problem,
        guess=replace(problem.guess, counts=np.array(counts, dtype=np.int64)),
        prior=tuple(math.fsum(problem.prior[cell] for cell in each) for each in groups),
        asked=[_asked_of_groups(problem.asked[place], groups) for place in problem.main],
        exact=tuple(problem.exact[place] for place in problem.main),
    )
    widths = [(whole.intervals[place].width, problem.exact[place].width) for place in problem.main]
    if any(wanted <= _EXACT_WIDTH_RATIO * exact for wanted, exact in widths):
        return None
    kind, slope = type(whole.charge), 1.0 if isinstance(whole.charge, Epsilon) else 0.5
    same_charge = passed = last = option(smaller, whole.calibration, whole.charge)
    if (excess := _excess(smaller, last, widths)) > 1.0:
        return None
    # The noise in a width falls about as a power of the charge, which two charges show.
    for _ in range(_STEPS):
        if passed is last and excess >= _EXCESS_RANGE[0]:
            break
        charge = kind(max(1, round(last.charge.units * (excess / _EXCESS_RANGE[1]) ** (1.0 / slope))))
        found = option(smaller, whole.calibration, charge)
        if not math.isfinite(of_found := _excess(smaller, found, widths)) or found.charge == last.charge:
            break
        slope = max(0.2, math.log(of_found / excess) / math.log(last.charge.units / charge.units))
        last, excess = found, of_found
        if excess <= 1.0 and charge.units < passed.charge.units:
            passed = found
    return SmallerTable(smaller, same_charge, passed)


def _excess(problem: Problem, option: Option, widths: Sequence[tuple[float, float]]) -> float:
    """Return the noise's part of a width divided by that in the wanted width, the largest ratio of all intervals."""
    if not option.intervals or not is_honest(problem, option):
        return math.inf
    each = zip(option.intervals, widths, strict=True)
    return max(excess_width(of.width, exact, wanted) for of, (wanted, exact) in each)


def _asked_of_groups(asked: Asked, groups: Groups) -> Asked:
    """Return the question by the numbers of the groups."""
    question = asked.question
    if isinstance(question, ContrastOfShares):
        first, second = (_share(each, groups) for each in (question.first, question.second))
        return replace(asked, question=replace(question, first=first, second=second))
    return replace(asked, question=_share(question, groups))


def _share(share: Share, groups: Groups) -> Share:
    return Share(_numbers(share.cells, groups), None if share.given is None else _numbers(share.given, groups))


def _numbers(cells: CellSet, groups: Groups) -> CellSet:
    return frozenset(number for number, each in enumerate(groups) if each[0] in cells)
