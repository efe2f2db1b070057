"""Made-up counts from the sizes that a person states."""

from __future__ import annotations

import pytest
import typer

from private_posterior.commands.cells import Names
from private_posterior.commands.sizes import made_up_counts, stated

NAMES = Names(
    ["new · ill", "new · well", "old · ill", "old · well"],
    [{"name": "arm", "levels": ["new", "old"]}, {"name": "outcome", "levels": ["ill", "well"]}],
)


def counts(*texts: str, records: int = 10_000) -> list[int]:
    return made_up_counts(records, 4, [stated(text, NAMES, records) for text in texts])


def test_stated_sizes_are_those_of_the_made_up_counts() -> None:
    assert counts() == [2500] * 4
    for text in ("outcome=ill = 1 in 1000", "outcome=ill=0.001", "outcome=ill = 0.1 %", "outcome=ill = 10 / 10 000"):
        assert counts(text) == [5, 4995, 5, 4995], text
    assert counts("outcome=ill=10") == [5, 4995, 5, 4995]
    assert counts("outcome=ill = 1 in 100", "arm=new = 1/4") == [25, 2475, 75, 7425]
    assert counts("outcome=ill given arm=new = 2 %", "outcome=ill given arm=old = 4 %") == [100, 4900, 200, 4800]
    assert sum(counts("outcome=ill = 1 in 7", records=1001)) == 1001


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
