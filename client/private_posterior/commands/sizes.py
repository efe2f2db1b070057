"""Makes up the counts of a plan from the sizes that a person states, such as `outcome=ill = 1 in 1000`."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from private_posterior.commands.show import fail

if TYPE_CHECKING:
    from private_posterior.commands.cells import Names

_RATIO: Final = re.compile(r"(.+?)(?:\bin\b|\bper\b|/)(.+)")
_GROUP_SEPARATOR: Final = re.compile(r"(?<=\d)[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}](?=\d{3}(?!\d))")
_ROUNDS: Final = 2000
_SHARE_TOLERANCE: Final = 1e-9
"""Largest difference from a stated share at which the search ends."""


class Stated(NamedTuple):
    """A stated size: the share of the records in some cells among those in others."""

    cells: frozenset[int]
    within: frozenset[int]
    share: float


def stated(text: str, names: Names, records: int) -> Stated:
    """Return a size from a text such as `outcome=ill = 1 in 1000`, `outcome=ill given arm=new = 0.2 %` or `arm=new =
    200`. Ends the command if the text states none.
    """
    named, sign, size = text.rpartition("=")
    where, _, given = (part.strip() for part in named.partition(" given "))
    if not sign or not where:
        fail(f"--about {text}: write categories and a size, such as 'outcome=ill = 1 in 1000'")
    within = names.positions(given) if given else frozenset(range(len(names.labels)))
    cells = names.positions(where) & within
    if not cells or cells == within:
        fail(f"--about {text}: this share is {1 if cells else 0} for every table")
    share = _share(size.strip())
    if share is not None and share > 1.0 and not given:
        share /= records
    if share is None or not 0.0 <= share <= 1.0:
        fail(f"--about {text}: a size is a share ('1 in 1000', 0.001, '0.1 %'), or without `given` a number of records")
    return Stated(cells, within, share)


def _share(text: str) -> float | None:
    """Return the number in a text, or None if it has none."""
    ratio = _RATIO.fullmatch(text)
    parts = ratio.groups() if ratio else (text.removesuffix("%"), "100" if text.endswith("%") else "1")
    try:
        first, second = (float(_GROUP_SEPARATOR.sub("", part.strip())) for part in parts)
    except ValueError:
        return None
    return first / second if second > 0.0 and math.isfinite(first / second) else None


def made_up_counts(records: int, names: Names, sizes: Sequence[Stated]) -> list[int]:
    """Return counts of `records` records with these sizes, and otherwise as even as possible. Ends the command if the
    sizes contradict each other.

    Each stated share is fitted in turn until all hold (iterative proportional fitting). Stated sizes are rounded to
    whole records before they are spread over their cells.
    """
    cells = range(len(names.labels))
    shares = [1.0 / len(cells)] * len(cells)
    for _ in range(_ROUNDS):
        furthest = 0.0
        for stated_cells, within, share in sizes:
            base = math.fsum(shares[cell] for cell in within)
            inside = math.fsum(shares[cell] for cell in stated_cells)
            furthest = max(furthest, abs(inside - share * base))
            for cell in within:
                wanted, held = (share, inside) if cell in stated_cells else (1.0 - share, base - inside)
                shares[cell] *= wanted * base / held if held > 0.0 else 1.0
        if furthest <= _SHARE_TOLERANCE:
            break
    else:
        fail("the sizes of --about contradict each other")
    pieces: dict[tuple[bool, ...], list[int]] = {}
    for cell in cells:
        key = tuple(cell in of for each in sizes for of in (each.cells, each.within))
        pieces.setdefault(key, []).append(cell)
    levels = names.levels()
    whole, counts, given = math.fsum(shares), [0] * len(cells), Counter[tuple[int, str]]()
    exact = [records * math.fsum(shares[cell] for cell in piece) / whole for piece in pieces.values()]
    for piece, total in zip(pieces.values(), _rounded(records, exact, list(pieces.values()), sizes), strict=True):
        _spread(total, piece, levels, counts, given)
    return counts


def _rounded(
    records: int, exact: Sequence[float], pieces: Sequence[Sequence[int]], sizes: Sequence[Stated]
) -> list[int]:
    """Return whole totals of the pieces, near the exact ones, with the stated sizes as far as whole totals can.

    One record after the other moves to the piece, and from the piece, where the stated sizes gain the most. The work
    grows with the number of pieces times that of sizes.
    """
    found = [math.floor(each) for each in exact]
    by_rest = sorted(range(len(exact)), key=lambda number: found[number] - exact[number])
    for number in by_rest[: records - sum(found)]:
        found[number] += 1
    stated_in = [[place for place, each in enumerate(sizes) if piece[0] in each.cells] for piece in pieces]
    beyond = [
        sum(of for of, inside in zip(found, stated_in, strict=True) if place in inside)
        - round(each.share * math.fsum(of for of, piece in zip(exact, pieces, strict=True) if piece[0] in each.within))
        for place, each in enumerate(sizes)
    ]

    def shift(step: int) -> None:
        def change(number: int) -> tuple[int, float]:
            missed = sum(abs(beyond[place] + step) - abs(beyond[place]) for place in stated_in[number])
            return missed, step * (found[number] - exact[number])

        best = min((number for number, of in enumerate(found) if of + step >= 0), key=change)
        found[best] += step
        for place in stated_in[best]:
            beyond[place] += step

    order = (1, -1)
    while missed := sum(map(abs, beyond)):
        kept = found.copy(), beyond.copy()
        for step in order:
            shift(step)
        if sum(map(abs, beyond)) >= missed:
            found, beyond = kept
            if order == (-1, 1):
                break
            order = (-1, 1)
    return found


def _spread(
    records: int,
    cells: Sequence[int],
    levels: Sequence[Sequence[str]],
    counts: list[int],
    given: Counter[tuple[int, str]],
    axis: int = 0,
) -> None:
    """Write records into the counts of cells, evenly over the levels of each attribute. `given` counts the records that
    each level got beyond its even part.
    """
    if len(cells) == 1:
        counts[cells[0]] = records
        return
    groups: dict[str, list[int]] = {}
    for cell in cells:
        groups.setdefault(levels[cell][axis], []).append(cell)
    parts = {level: divmod(records * len(of), len(cells)) for level, of in groups.items()}
    by_given = sorted((level for level in groups if parts[level][1]), key=lambda level: given[axis, level])
    more = {*by_given[: records - sum(part for part, _ in parts.values())]}
    given.update((axis, level) for level in more)
    for level, of in groups.items():
        _spread(parts[level][0] + (level in more), of, levels, counts, given, axis + 1)
