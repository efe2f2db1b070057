"""A history over the cells of a table gives the estimates of margins that their combination in closed form gives."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from core.cells import CrossTable, indicator
from core.margins.combination import Combination, measured_margins
from core.mechanisms.margins import Margins, rehearse
from core.privacy import Delta, Epsilon, Rho
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.released_counts import add_margins
from core.samplers.entropy import SeededEntropy

LEVELS = (2, 3, 2)
LOSSES = ("0.3", "0.2", "0.5")
WANTED = [(0,), (1,), (0, 1), (0, 2), (1, 2)]


def event(impossible: frozenset[tuple[int, ...]], n: int) -> Margins:
    losses = tuple(map(Epsilon.parse, ("0.3", "0.2", "0.5", "0.1")))
    return Margins(n, LEVELS, impossible, ((0, 1), (1, 2), (0, 2), (1,)), losses)


def test_queries_from_margins_are_the_combined_tables() -> None:
    counts = np.arange(1, 13)
    measured = event(frozenset(), int(counts.sum()))
    noisy = rehearse(counts, measured, SeededEntropy(3))
    history, table = History(int(counts.sum()), 12), CrossTable(LEVELS)
    add_margins(history, measured, [each.ravel().tolist() for each in noisy], "m")
    combination = Combination(LEVELS, measured_margins(measured), n_is_public=True)
    combined = combination.estimates(noisy, measured.n, WANTED)
    for margin, found in zip(WANTED, combined, strict=True):
        for levels in product(*(range(LEVELS[each]) for each in margin)):
            cells = table.where({name: [level] for name, level in zip(margin, levels, strict=True)})
            answer = estimate(history, Query(tuple(indicator(cells, 12).tolist())))
            assert answer is not None
            assert answer.estimate == pytest.approx(found[levels], abs=1e-8)
            assert answer.deviation**2 == pytest.approx(combination.variance(margin), rel=1e-8)


def test_cells_that_no_combination_reaches_have_no_row() -> None:
    impossible = frozenset((0, 2, each) for each in range(2))
    table = CrossTable(LEVELS, impossible)
    counts = np.arange(1, table.m + 1)
    measured = event(impossible, int(counts.sum()))
    noisy = rehearse(counts, measured, SeededEntropy(4))
    history = History(int(counts.sum()), table.m)
    add_margins(history, measured, [each.ravel().tolist() for each in noisy], "m")
    assert len(history) == sum(each.size for each in noisy) - 1
    assert [part.name for part in history.parts] == ["m/0", "m/1", "m/2", "m/3"]
    for margin in combinations(range(3), 1):
        cells = table.where({margin[0]: [0]})
        assert estimate(history, Query(tuple(indicator(cells, table.m).tolist()))) is not None


@pytest.mark.parametrize(
    ("losses", "delta"),
    [(tuple(map(Epsilon.parse, LOSSES)), Delta(0)), (tuple(map(Rho.parse, LOSSES)), Delta.parse("1e-7"))],
)
def test_a_measured_number_of_records_counts_all_cells(
    losses: tuple[Epsilon, ...] | tuple[Rho, ...], delta: Delta
) -> None:
    measured = Margins(None, LEVELS, frozenset({(0, 2, 0)}), ((0,), (), (1, 2)), losses, delta)
    counts = np.arange(1, measured.m + 1)
    noisy = rehearse(counts, measured, SeededEntropy(5))
    history = History(None, measured.m)
    add_margins(history, measured, [each.ravel().tolist() for each in noisy], "m")
    combination = Combination(LEVELS, measured_margins(measured), n_is_public=False)
    everybody = estimate(history, Query((1,) * measured.m, relation=measured.relation))
    assert everybody is not None
    [total] = combination.estimates(noisy, None, [()])
    assert everybody.estimate == pytest.approx(float(total), abs=1e-8)
    assert everybody.deviation**2 == pytest.approx(combination.variance(()), rel=1e-8)
