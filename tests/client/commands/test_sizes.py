"""Made-up counts from the sizes that a person states."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final, cast

import pytest
import typer

from private_posterior.commands.cells import Names
from private_posterior.commands.sizes import made_up_counts, stated

NAMES = Names(
    ["new · ill", "new · well", "old · ill", "old · well"],
    [{"name": "arm", "levels": ["new", "old"]}, {"name": "outcome", "levels": ["ill", "well"]}],
)


def counts(*texts: str, records: int = 10_000) -> list[int]:
    return made_up_counts(records, NAMES, [stated(text, NAMES, records) for text in texts])


def test_stated_sizes_are_those_of_the_made_up_counts() -> None:
    assert counts() == [2500] * 4
    for text in ("outcome=ill = 1 in 1000", "outcome=ill=0.001", "outcome=ill = 0.1 %", "outcome=ill = 10 / 10 000"):
        assert counts(text) == [5, 4995, 5, 4995], text
    assert counts("outcome=ill=10") == [5, 4995, 5, 4995]
    assert counts("outcome=ill = 1 in 100", "arm=new = 1/4") == [25, 2475, 75, 7425]
    assert counts("outcome=ill given arm=new = 2 %", "outcome=ill given arm=old = 4 %") == [100, 4900, 200, 4800]
    assert sum(counts("outcome=ill = 1 in 7", records=1001)) == 1001


SITES: Final = Names(
    [f"{arm} · {outcome} · {site}" for arm in ("new", "old") for outcome in ("ill", "well") for site in range(20)],
    [
        {"name": "arm", "levels": ["new", "old"]}, {"name": "outcome", "levels": ["ill", "well"]},
        {"name": "site", "levels": [str(site) for site in range(20)]},
    ],
)  # fmt: skip
BY_SITE: Final = Names(
    [f"{site} · {arm} · {outcome}" for site in range(20) for arm in ("new", "old") for outcome in ("ill", "well")],
    [SITES.attributes[place] for place in (2, 0, 1)],
)


@pytest.mark.parametrize("names", [SITES, BY_SITE])
def test_a_rare_outcome_has_its_stated_number_of_cases_in_a_large_table(names: Names) -> None:
    """Seen before: 3 cases of 8, and none of 12."""

    def sums(texts: Sequence[str], *cells: str) -> list[int]:
        found = made_up_counts(36_523, names, [stated(text, names, 36_523) for text in texts])
        assert sum(found) == 36_523
        return [sum(found[cell] for cell in names.positions(each)) for each in cells]

    arms = "outcome=ill,arm=new", "outcome=ill,arm=old"
    trial = [f"{arms[0]} = 8", f"{arms[1]} = 162", "outcome=well,arm=new = 18190"]
    assert sums(trial, *arms, "outcome=well,arm=new", "outcome=well,arm=old") == [8, 162, 18_190, 18_163]
    assert sums(["outcome=ill = 170", "arm=new = 18198"], "outcome=ill", "arm=new") == [170, 18_198]
    for cases in (2, 5, 12, 20, 170):
        ill, new, old, *by_site = sums(
            [f"outcome=ill = {cases}"], "outcome=ill", *arms, *(f"outcome=ill,site={site}" for site in range(20))
        )
        assert ill == cases
        assert abs(new - old) <= 1, "the rest is even"
        assert max(by_site) - min(by_site) <= 1


def test_stated_sizes_that_cross_are_kept_in_whole_records() -> None:
    for ill, new in ((3, 3), (2, 5), (5, 5), (7, 2)):
        found = counts(f"outcome=ill = {ill}", f"arm=new = {new}", records=10)
        assert (found[0] + found[2], found[0] + found[1], sum(found)) == (ill, new, 10)


def test_ten_sizes_that_cross_in_a_thousand_cells_are_kept() -> None:
    """The work grows with the number of cells, not with its square."""
    attributes = [{"name": f"a{number}", "levels": ["yes", "no"]} for number in range(10)]
    labels = [" · ".join(levels) for levels in product(("yes", "no"), repeat=10)]
    names = Names(labels, cast("Any", attributes))
    stated_cases = {f"a{number}=yes": 3 + 1_777 * number for number in range(10)}
    found = made_up_counts(
        36_523, names, [stated(f"{cells} = {cases}", names, 36_523) for cells, cases in stated_cases.items()]
    )
    assert sum(found) == 36_523
    for cells, cases in stated_cases.items():
        assert sum(found[cell] for cell in names.positions(cells)) == cases


@pytest.mark.parametrize(
    "texts",
    [
        ("outcome=ill",),
        ("outcome=ill = often",),
        ("outcome=ill = 20 000",),
        ("outcome=ill = -1",),
        ("outcome=ill given arm=new = 30",),
        ("arm=new,old = 0.5",),
        ("outcome=dead = 0.5",),
        ("outcome=ill = 0.1", "outcome=well = 0.1"),
    ],
)
def test_sizes_that_cannot_be_are_refused(texts: tuple[str, ...]) -> None:
    with pytest.raises(typer.Exit):
        counts(*texts)
