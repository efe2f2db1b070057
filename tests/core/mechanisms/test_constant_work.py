"""A draw evaluates the same expressions on arrays of the same sizes, whatever the counts are: neighbours, small cells,
even and extreme tables, under priors that an analyst may choose.

The random bits are the same for all tables. What works on what was drawn is left out: the released counts, and which
proposals were kept. How many rounds a random loop takes is measured by `tests/core/mechanisms/exponential/test_sampler`
and stated in `docs/explanation/engine.md`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from core import special_functions
from core.mechanisms import blocks, gaussian, laplace, linear, margins, private_size
from core.mechanisms.blocks import Blocks
from core.mechanisms.catalogue import KINDS
from core.mechanisms.exponential import mechanism as exponential
from core.mechanisms.exponential.bounds import largest_rate
from core.mechanisms.exponential.mechanism import CalibrationName, Exponential
from core.mechanisms.exponential.weights import admixture_for
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric import mechanism as geometric
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.linear import LinearAnswers
from core.mechanisms.margins import Margins
from core.mechanisms.private_size import Law, PrivateSize
from core.privacy import Delta, Epsilon, PrivacyLoss, Rate, Rho
from core.private import Private
from core.samplers.entropy import Entropy, SeededEntropy
from tests.core.mechanisms import expressions, planted_steps
from tests.core.mechanisms.operations import Operations, counted

LOSS = PrivacyLoss(Epsilon(1), Delta(0), None)
Draw = Callable[[Private[NDArray[np.int64]], Entropy], object]


def tables(n: int, m: int) -> list[NDArray[np.int64]]:
    """Return tables with small cells and their neighbours, one full category, even counts, steps and halves."""
    found = []
    for few in (0, 1, 2, 7, 8, 9, 14, 15, 16, 17):
        if few <= n:
            found.append([few, n - few] + [0] * (m - 2))
            found.append([n - few, few] + [0] * (m - 2))
    found += [[n - few * (m - 1)] + [few] * (m - 1) for few in (0, 1, 15, 16) if few * (m - 1) <= n]
    even = np.full(m, n // m)
    even[0] += n - even.sum()
    found += [even.tolist(), even[::-1].tolist(), [n // 2, n - n // 2] + [0] * (m - 2)]
    falling = np.floor(n * 0.5 ** np.arange(1, m + 1)).astype(np.int64)
    falling[-1] += n - falling.sum()
    return [np.array(each, dtype=np.int64) for each in [*found, falling.tolist()]]


def operations_of(draw: Draw, counts: NDArray[np.int64], *more: Any) -> Operations:
    found: Operations = Operations()
    with counted(found, *more):
        draw(Private(counts), SeededEntropy(11))
    return found


def difference(draw: Draw, counts: list[NDArray[np.int64]], *more: Any) -> str:
    """The first places where the operations at two of the tables differ; empty if all are equal."""
    draw(Private(counts[0]), SeededEntropy(11))  # what is public is computed once, and kept
    first = operations_of(draw, counts[0], *more)
    for each in counts[1:]:
        other = operations_of(draw, each, *more)
        if other != first:
            return (
                f"{counts[0].tolist()} and {each.tolist()}: {sorted(map(str, (first - other) + (other - first)))[:6]}"
            )
    return ""


def choice(n: int, prior: tuple[float, ...], epsilon0: str, gamma: float | None) -> Draw:
    """A draw of the exponential mechanism, as the calibrations set it."""
    name: CalibrationName = "global" if gamma is None else "proven"
    rate = largest_rate(np.array(prior), n, float(epsilon0), gamma)
    event = Exponential(
        n, prior, Epsilon.parse(epsilon0), gamma, admixture_for(n, len(prior), rate), name, Delta.parse("1e-9")
    )
    return lambda counts, entropy: exponential.release(counts, event, entropy, loss=LOSS)


@dataclass(frozen=True)
class Chosen:
    n: int
    prior: tuple[float, ...]
    epsilon0: str
    gamma: float | None

    def __str__(self) -> str:
        return f"n={self.n}-m={len(self.prior)}-prior={self.prior[0]:g}-{self.prior[-1]:g}-{self.epsilon0}-{self.gamma}"


CHOSEN = [
    Chosen(20_000, (15.5, 15.5), "0.0001", 1e-5),
    Chosen(20_000, (0.001, 1.0), "1", 0.02),
    Chosen(40, (0.5, 15.5), "50", None),
    Chosen(1_000_000, (15.5, 1.0), "0.01", 0.001),
    Chosen(1_000_000, (1e6, 1e6), "50", 0.3),
    Chosen(60, (1.0, 0.4, 15.5), "0.8", 0.01),
    Chosen(20_000, (15.5, 15.5, 15.5), "0.0001", 1e-5),
    Chosen(1_000_000, (0.001, 1.0, 1e6), "8", 0.05),
    Chosen(20_000, (1.0,) * 8, "1", 0.01),
    Chosen(1_000_000, tuple(np.geomspace(1e6, 1e-3, 8).tolist()), "20", None),
]
WIDE = [
    Chosen(n, prior, epsilon0, gamma)
    for n, m in itertools.product((40, 20_000, 1_000_000), (2, 3, 8, 30))
    for prior in (
        *((alpha,) * m for alpha in (0.001, 0.45, 1.0, 15.5, 1e3, 1e6)),
        tuple(np.geomspace(1e6, 1e-3, m).tolist()),
    )
    for epsilon0, gamma in (("0.0001", 1e-5), ("1", 0.01), ("50", 0.5), ("8", None))
]


@pytest.mark.parametrize(
    "chosen",
    [
        *CHOSEN[:1],
        *(pytest.param(each, marks=pytest.mark.long) for each in [*CHOSEN[1:], *WIDE]),
    ],
    ids=str,
)
def test_a_choice_takes_the_same_operations_at_every_table(chosen: Chosen) -> None:
    draw = choice(chosen.n, chosen.prior, chosen.epsilon0, chosen.gamma)
    assert not difference(draw, tables(chosen.n, len(chosen.prior)))


DRAWN: set[type] = {Exponential, PrivateSize}
"""The kinds of events whose draws are compared. `drawing` adds those of the other mechanisms."""


def drawing(release: Callable[..., Any], event: object) -> Draw:
    DRAWN.add(type(event))
    return lambda counts, entropy: release(counts, event, entropy)


def others() -> dict[str, tuple[int, int, Draw]]:
    """The other mechanisms: their names, n, m and draws."""
    found: dict[str, tuple[int, int, Draw]] = {}
    for n, m in ((20, 2), (20_000, 2), (1_000_000, 3), (12, 3), (20_000, 40)):
        for epsilon in ("0.0001", "1", "20"):
            amount = Epsilon.parse(epsilon)
            g, p, rows = (
                SimplexGeometric(n, m, amount),
                Laplace(n, m, amount),
                ((1,) + (0,) * (m - 1), (-3, 10**9) + (7,) * (m - 2)),
            )
            a = LinearAnswers(n, m, 1000, rows, (Rate.parse("1"), Rate.parse("0.000001")))
            half = frozenset((level, 1) for level in range(m))
            s = Margins(n, (m, 2), half, ((0,), (0, 1)), (amount, amount))
            d = Blocks(n, (m,), frozenset(), (((0,),),), (amount,))
            found |= {
                f"margins {n} {m} {epsilon}": (n, m, drawing(margins.release, s)),
                f"blocks {n} {m} {epsilon}": (n, m, drawing(blocks.release, d)),
                f"geometric {n} {m} {epsilon}": (
                    n,
                    m,
                    drawing(geometric.release, g),
                ),
                f"laplace {n} {m} {epsilon}": (n, m, drawing(laplace.release, p)),
                f"linear {n} {m} {epsilon}": (n, m, drawing(linear.release, a)),
            }
        e = Gaussian(n, m, Rho.parse("0.01"), Delta.parse("1e-6"))
        found[f"gaussian {n} {m}"] = (n, m, drawing(gaussian.release, e))
    return found


@pytest.mark.parametrize(
    ("n", "m", "draw"),
    [
        pytest.param(*each, id=name, marks=[] if name.endswith(" 1") or "gaussian" in name else pytest.mark.long)
        for name, each in others().items()
    ],
)
def test_noise_and_scores_take_the_same_operations_at_every_table(n: int, m: int, draw: Draw) -> None:
    assert not difference(draw, tables(n, m))


def test_the_draws_of_every_kind_of_event_are_compared() -> None:
    assert {each.event for each in KINDS} == DRAWN


@pytest.mark.parametrize("law", get_args(Law))
def test_a_draw_at_a_private_number_of_records_takes_the_same_operations_at_every_number(law: Law) -> None:
    loss = Rho.parse("0.01") if law == "gaussian" else Epsilon.parse("0.5")
    event = PrivateSize(3, law, loss, Delta.parse("1e-6") if law == "gaussian" else Delta(0), 2)
    every = [each for n in (0, 1, 20, 1_000_000, 2**51) for each in tables(n, 3)]
    assert not difference(drawing(private_size.release, event), every)


def test_measured_rows_at_a_private_number_of_records_take_the_same_operations_at_every_number() -> None:
    """This holds while the released values have one digit of 30 bits: their length is released too."""
    event = LinearAnswers(None, 3, 1, ((1, 1, 1), (7, -3, 0)), (Rate.parse("0.001"), Rate.parse("0.001")), 2)
    every = [each for n in (0, 1, 20, 60_000) for each in tables(n, 3)]
    assert not difference(drawing(linear.release, event), every)


def test_steps_that_are_taken_only_where_they_are_needed_show_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws once had such steps: at a prior that analysts could choose, a count of 0 took three times as long as 1."""
    draw = choice(20_000, (15.5, 15.5), "0.0001", 1e-5)
    pair = [np.array([0, 20_000]), np.array([1, 19_999])]
    assert not difference(draw, pair, planted_steps)
    for name in ("stirling_remainder", "log_half_step"):
        monkeypatch.setattr(special_functions, name, getattr(planted_steps, name))
    assert "planted_steps" in difference(draw, pair, planted_steps)


@pytest.mark.parametrize(("evaluate", "shows"), expressions.SHOWS.items())
def test_branches_masks_and_digits_count_and_values_do_not(evaluate: Callable[..., object], shows: bool) -> None:  # noqa: FBT001  a parameter of the test
    found = []
    for values in (np.array([0, 5, 6]), np.array([70, 1, 2])):
        operations: Operations = Operations()
        with counted(operations, expressions):
            evaluate(values)
        found.append(operations)
    assert (found[0] != found[1]) is shows
