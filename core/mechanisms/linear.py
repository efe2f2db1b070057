"""The linear mechanism answers queries h·c, for rows h over the cells, with Laplace noise (Dwork, McSherry, Nissim and
Smith 2006; Xiao and Xiong 2012).

The noise is discrete Laplace, drawn with integers on a grid that contains every possible h·c and is at least 2^20 times
finer than the noise. Continuous noise in floating point would not be private (Mironov 2012). On a coarse grid the
distribution of a weighted sum of answers would be neither smooth nor unimodal. A fine grid costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import COARSEST_GRID, MAX_COLUMNS, Row, RowLoss, joint_units
from core.certificate import Certificate
from core.limits import MAX_CELLS
from core.mechanisms.event import EventError, check_epsilon, check_size
from core.mechanisms.unsealing import open_counts, open_histogram
from core.privacy import Epsilon, NeighbourRelation, PrivacyLoss, Rate, Rho
from core.private import Private, Released
from core.samplers.discrete_laplace import discrete_laplace
from core.samplers.entropy import Entropy

KIND: Final = "linear"
"""The tag under which events are stored permanently."""
MAX_ROWS: Final = 100
MAX_COEFFICIENT: Final = 2 * 10**15
"""Largest absolute coefficient, in units of 1e-9: the difference of two weights of at most a million."""
_SECONDS_PER_ROW, _SECONDS_PER_CELL, _SECONDS_PER_PAIR = 6.5e-3, 3e-6, 6e-8
_COUNT_OFFSET: Final = 1 << 60
_BASE: Final = 1 << 180
"""Start of each sum, so that its number of digits is constant. It far exceeds any sum of 50 000 weights times raised
counts.
"""


@dataclass(frozen=True, slots=True)
class LinearAnswers:
    """`n` records over `m` cells; row j is rows[j] / denominator, answered with noise of scale 1 / rates[j].

    `n` is None if the number of records is private. The neighbour relation is then `add_remove`, otherwise
    `replace_one`.

    Raises EventError in these cases: sizes outside the limits of `core.mechanisms.event`, with up to 50 000 cells; no
    row, or more than 100; a row that is not m integers of at most 2e15; a row of zeros, or at a public n a constant
    row, whose answer is public; a row whose standalone cost is below 0.0001 or above 50.
    """

    n: int | None
    m: int
    denominator: int
    rows: tuple[tuple[int, ...], ...]
    rates: tuple[Rate, ...]
    records_per_unit: int = 1
    """Largest number of records of one unit; the answers are certified and charged for all of them."""

    def __post_init__(self) -> None:
        check_size(1 if self.n is None else self.n, self.m, MAX_CELLS)
        if not 1 <= len(self.rows) <= MAX_ROWS or len(self.rates) != len(self.rows):
            raise EventError(f"there must be between 1 and {MAX_ROWS} rows, and a rate for each")
        if not 1 <= self.denominator <= MAX_COEFFICIENT:
            raise EventError("the denominator must lie between 1 and 2e15")
        for coefficients, row in zip(self.rows, self.measured, strict=True):
            if len(coefficients) != self.m or max(map(abs, coefficients)) > MAX_COEFFICIENT:
                raise EventError("a row must have an integer of at most 2e15 for each cell")
            if not row.span:
                rule = "constant" if self.relation is NeighbourRelation.REPLACE_ONE else "zero in every cell"
                raise EventError(f"a row must not be {rule}")
            check_epsilon(Epsilon.ceil(row.rate.value * row.span * self.records_per_unit))

    @property
    def relation(self) -> NeighbourRelation:
        return NeighbourRelation.at_size(self.n)

    @property
    def measured(self) -> tuple[Row, ...]:
        """Return each measured row with the rate of its noise."""
        return tuple(
            Row(coefficients, self.denominator, rate, self.records_per_unit, self.relation)
            for coefficients, rate in zip(self.rows, self.rates, strict=True)
        )


def grid_of(row: Row) -> Fraction:
    """Return the grid step of a row's answer: 1 / (denominator 2^k), with the smallest k that makes it <= 2^-20 of
    the noise's scale.
    """
    step = Fraction(1, row.denominator)
    excess = step * row.rate.value / COARSEST_GRID
    halvings = (max(excess.numerator - 1, 0) // excess.denominator).bit_length()
    return step / (1 << halvings)


@lru_cache(maxsize=256)
def certify(event: LinearAnswers) -> Certificate:
    """Return the certificate: epsilon-DP and rho-zCDP.

    The cost is the largest sum over rows of the losses on a pair of cells, or on one cell if n is private
    (`core.accounting.pairwise_loss`).

    Proof. Row j's answer is a multiple of the grid step g plus g times discrete Laplace noise of scale 1 / (a_j g)
    steps. Replacing a record of cell i by one of cell k moves it by h_ji - h_jk, and adding a record to cell i by h_ji,
    as if h_jk were 0. The log ratio of the two distributions
    is at most a_j |h_ji - h_jk| everywhere. The rows' noises are independent, so the sum bounds the ratio of the whole
    answer, and likewise the divergences of each order.
    """
    epsilon, rho = (
        joint_units([RowLoss.of(row, accountant) for row in event.measured], event.m)
        for accountant in (Accountant.BASIC, Accountant.ZCDP)
    )
    loss = PrivacyLoss(epsilon=Epsilon(epsilon), rho=Rho(rho))
    records = "one record" if event.records_per_unit == 1 else f"{event.records_per_unit} records"
    if event.n is None:
        changed, worst = f"adding or removing {records}", "cell"
    else:
        changed, worst = f"replacing {records}", "pair of cells"
    count = "a query is" if len(event.rows) == 1 else f"{len(event.rows)} queries are"
    return Certificate(
        loss=loss,
        method="theorem",
        statement=f"The release is {loss.epsilon}-differentially private: {count} answered with Laplace noise, and "
        f"{changed} moves the answers by "
        f"at most {loss.epsilon} scales of it in all, for the worst {worst}.",
        relation=event.relation,
        details={"rates": ", ".join(map(str, event.rates)), "coarsest_grid_in_scales": str(COARSEST_GRID)}
        | ({} if event.records_per_unit == 1 else {"records_per_unit": str(event.records_per_unit)}),
    )


def release(
    counts: Private[NDArray[np.int64]], event: LinearAnswers, entropy: Entropy
) -> Released[tuple[Fraction, ...]]:
    """Return the noisy answers, one for each row, as exact fractions.

    Arguments: `counts` c of shape (m,), private, with sum n if n is public; `event`; `entropy`, the source of random
    bits.

    Guarantees what `certify(event)` states. The noise is drawn before the counts are opened, so the time of the draw
    depends on the noise alone. Raises HistogramError if the counts are not of the event's size.
    """
    noise = _noise(event, entropy)
    opened = open_counts(counts, m=event.m) if event.n is None else open_histogram(counts, n=event.n, m=event.m)
    return Released(_answers(opened, event, noise), certify(event).loss)


def rehearse(counts: NDArray[np.int64], event: LinearAnswers, entropy: Entropy) -> tuple[Fraction, ...]:
    """Simulate the channel on made-up counts, shape (m,), sum n. This serves planning and is not a release."""
    return _answers(counts, event, _noise(event, entropy))


def certificate_seconds(event: LinearAnswers, _: int) -> float:
    """Estimate, from public sizes, the time of the certificate on one core. The noise is a small part of it."""
    of_row = _SECONDS_PER_ROW + _SECONDS_PER_CELL * event.m + _SECONDS_PER_PAIR * min(event.m, MAX_COLUMNS) ** 2
    return len(event.rows) * of_row


def _noise(event: LinearAnswers, entropy: Entropy) -> list[int]:
    """Draw the noise of each row, in steps of the row's grid."""
    return [discrete_laplace(1 / (row.rate.value * grid_of(row)), entropy) for row in event.measured]


def _answers(counts: NDArray[np.int64], event: LinearAnswers, noise: list[int]) -> tuple[Fraction, ...]:
    """Return h·c plus noise for each row, computed in integers of any size because h·c can exceed 64 bits.

    A large constant is added to each count, and so to the sum, until its noise is added. All counts then have the same
    number of digits, so the time does not depend on them. Reducing a fraction to lowest terms takes variable time, but
    only the released values are reduced.
    """
    raised = (counts + _COUNT_OFFSET).tolist()
    answers = []
    for row, measured, steps in zip(event.rows, event.measured, noise, strict=True):
        denominator = grid_of(measured).denominator
        fineness = denominator // event.denominator
        noisy = sum((weight * count for weight, count in zip(row, raised, strict=True)), start=_BASE) * fineness + steps
        answers.append(Fraction(noisy - (_BASE + _COUNT_OFFSET * sum(row)) * fineness, denominator))
    return tuple(answers)
