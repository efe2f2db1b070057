from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, floor

import numpy as np
import pytest

from core.accounting.pairwise_loss import COARSEST_GRID, Row
from core.mechanisms.event import EventError
from core.mechanisms.linear import LinearAnswers, certify, grid_of, rehearse, release
from core.mechanisms.unsealing import HistogramError
from core.privacy import Epsilon, NeighbourRelation, Rate
from core.private import Private
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts, assert_rejects

R = Rate.parse
COUNTS = np.array([10, 21, 37], dtype=np.int64)


def binned_laplace(scale: float) -> dict[int, float]:
    """P(floor(Lap(scale)) = k)."""
    q = exp(-1 / scale)
    return {k: (1 - q) / 2 * q ** (k if k >= 0 else -1 - k) for k in range(-100, 100)}


def test_each_answer_gets_laplace_noise_of_one_over_its_rate() -> None:
    event = LinearAnswers(68, 3, 10, ((0, 20, 50), (10, 0, 0)), (R("0.2"), R("0.5")))
    entropy = SeededEntropy(5)
    drawn = [release(Private(COUNTS), event, entropy).value for _ in range(10_000)]
    exact = (2 * 21 + 5 * 37, 10)
    for j, scale in enumerate((5.0, 2.0)):
        noise = [floor(answers[j] - exact[j]) for answers in drawn]
        assert_accepts(noise, binned_laplace(scale))
        for wrong in (0.7, 1.3):
            assert_rejects(noise, binned_laplace(scale * wrong))
    assert abs(np.asarray(np.corrcoef(np.array(drawn, dtype=np.float64).T))[0, 1]) < 6 / 100


@pytest.mark.parametrize("rate", ["0.0001", "0.3", "1", "50"])
@pytest.mark.parametrize("denominator", [1, 7, 10**9])
def test_the_grid_holds_every_answer_and_is_far_finer_than_the_noise(rate: str, denominator: int) -> None:
    row = Row((0, denominator), denominator, R(rate))
    step = grid_of(row)
    assert step * row.rate.value <= COARSEST_GRID
    assert (Fraction(1, denominator) / step).denominator == 1
    assert step == Fraction(1, denominator) or 2 * step * row.rate.value > COARSEST_GRID, "no finer than needed"
    event = LinearAnswers(10, 2, denominator, ((0, denominator),), (R(rate),))
    [answer] = rehearse(np.array([4, 6]), event, SeededEntropy(1))
    assert (answer / step).denominator == 1


def test_the_certificate_bounds_the_log_ratio_of_neighbouring_histograms() -> None:
    event = LinearAnswers(68, 3, 1, ((0, 2, 5), (1, 0, 0), (0, 1, 1)), (R("0.04"), R("0.3"), R("0.1")))
    loss = certify(event).loss
    worst = Fraction(0)
    for i in range(3):
        for k in range(3):
            ratio = sum(
                (row.rate.value * abs(row.coefficients[i] - row.coefficients[k]) for row in event.measured), Fraction(0)
            )
            worst = max(worst, ratio)
    assert loss.epsilon.value == worst == Fraction("0.6")
    assert not loss.delta.units
    assert loss.rho is not None
    assert float(loss.rho) == pytest.approx(sum(x - 1 + exp(-x) for x in (0.2, 0.3, 0.1)), abs=1e-11)


def test_the_certificate_covers_all_records_of_a_unit() -> None:
    event = LinearAnswers(68, 3, 1, ((0, 2, 5), (1, 0, 0)), (R("0.04"), R("0.3")), records_per_unit=3)
    loss = certify(event).loss
    assert loss.epsilon == Epsilon.parse("1.5")
    assert loss.rho is not None
    assert float(loss.rho) == pytest.approx(sum(x - 1 + exp(-x) for x in (0.6, 0.9)), abs=1e-11)


def test_at_a_private_number_of_records_a_row_costs_its_largest_weight() -> None:
    """Lemma 2.1 of the paper, whose neighbours differ by one record: the sensitivity is max |h|."""
    for weights, sensitivity in (((0, 2, 5), 5), ((-7, 1, 5), 7), ((3, 3, 3), 3), ((1, 0, 0), 1)):
        event = LinearAnswers(None, 3, 1, (weights,), (R("0.1"),), records_per_unit=2)
        loss, x = certify(event).loss, 0.2 * sensitivity
        assert loss.epsilon.value == Fraction(2 * sensitivity, 10)
        assert loss.rho is not None
        assert float(loss.rho) == pytest.approx(x - 1 + exp(-x), abs=1e-11)
    certificate = certify(LinearAnswers(None, 3, 1, ((0, 2, 5), (4, 1, 0), (1, 1, 1)), (R("0.04"), R("0.1"), R("0.1"))))
    # Cell 0 loses 0 + 0.4 + 0.1, cell 1 0.08 + 0.1 + 0.1, cell 2 0.2 + 0 + 0.1.
    assert certificate.loss.epsilon == Epsilon.parse("0.5")
    assert certificate.relation is NeighbourRelation.ADD_REMOVE
    assert "adding or removing one record" in certificate.statement
    public = certify(LinearAnswers(9, 3, 1, ((0, 2, 5), (4, 1, 0)), (R("0.04"), R("0.1")))).loss
    assert public.epsilon == Epsilon.parse("0.6")  # the planted fault: pairs of cells


def test_counts_of_any_sum_are_answered_at_a_private_number_of_records() -> None:
    event = LinearAnswers(None, 3, 1, ((1, 1, 1),), (R("0.5"),))
    assert abs(release(Private(np.zeros(3, dtype=np.int64)), event, SeededEntropy(1)).value[0]) < 60
    with pytest.raises(HistogramError):
        release(Private(np.array([2**53, 0, 0])), event, SeededEntropy(1))
    with pytest.raises(EventError, match="zero in every cell"):
        LinearAnswers(None, 3, 1, ((0, 0, 0),), (R("0.5"),))


def test_answers_are_exact_beyond_machine_numbers() -> None:
    n, fine = 2**53, 2 * 10**15
    event = LinearAnswers(n, 2, 10**15, ((fine, 1),), (R("50") if ceil(50 * 2) <= 50 else R("25"),))
    [answer] = rehearse(np.array([n - 1, 1]), event, SeededEntropy(2))
    assert abs(answer - (Fraction(fine * (n - 1) + 1, 10**15))) < 3


@pytest.mark.parametrize(
    ("rows", "rates"),
    [
        ((), ()),
        (((1, 1, 1),), ("1",)),
        (((1, 0),), ("1",)),
        (((1, 0, 0),), ()),
        (((1, 0, 0),), ("0.00009",)),
        (((1, 0, 0),), ("50.1",)),
        (((0, 0, 10**16),), ("0.001",)),
        (((1, 0, 0),) * 101, ("0.1",) * 101),
    ],
)
def test_rows_that_no_mechanism_takes_are_refused(rows: tuple[tuple[int, ...], ...], rates: tuple[str, ...]) -> None:
    with pytest.raises(EventError):
        LinearAnswers(68, 3, 1, rows, tuple(map(R, rates)))


def test_other_counts_than_the_event_states_are_refused_without_a_word_on_them() -> None:
    event = LinearAnswers(67, 3, 1, ((1, 0, 0),), (R("1"),))
    with pytest.raises(HistogramError) as raised:
        release(Private(COUNTS), event, SeededEntropy(1))
    assert "10" not in str(raised.value)
    assert certify(event).loss.epsilon == Epsilon.parse("1")
