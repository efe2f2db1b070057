"""Makes up the counts of a plan from the sizes that a person states, such as `outcome=ill = 1 in 1000`."""

from __future__ import annotations

import math
import re
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


def made_up_counts(records: int, categories: int, sizes: Sequence[Stated]) -> list[int]:
    """Return counts of `records` records with these sizes, and otherwise as even as possible. Ends the command if the
    sizes contradict each other.

    Each stated share is fitted in turn until all hold (iterative proportional fitting). Counts are rounded so that they
    add up.
    """
    shares = [1.0 / categories] * categories
    for _ in range(_ROUNDS):
        furthest = 0.0
        for cells, within, share in sizes:
            base = math.fsum(shares[cell] for cell in within)
            inside = math.fsum(shares[cell] for cell in cells)
            furthest = max(furthest, abs(inside - share * base))
            for cell in within:
                wanted, held = (share, inside) if cell in cells else (1.0 - share, base - inside)
                shares[cell] *= wanted * base / held if held > 0.0 else 1.0
        if furthest <= _SHARE_TOLERANCE:
            break
    else:
        fail("the sizes of --about contradict each other")
    whole = math.fsum(shares)
    exact = [records * share / whole for share in shares]
    counts = [math.floor(each) for each in exact]
    by_rest = sorted(range(categories), key=lambda cell: counts[cell] - exact[cell])
    for cell in by_rest[: records - sum(counts)]:
        counts[cell] += 1
    return counts
