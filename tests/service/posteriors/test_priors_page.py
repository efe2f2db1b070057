"""The page on priors says which prior answers a question. Each row of its table is compared with an enumeration."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.private_size import PrivateSize
from core.privacy import Delta, Epsilon
from service.posteriors import posteriors
from service.posteriors.read_releases import ReadRelease
from service.schemas.posteriors import NoiseAwarePosterior
from service.schemas.releases import CountsCreate
from tests.core.inference.reference import posterior_of_counts
from tests.harness.asked import asked, summarised, summarised_table

Tree: TypeAlias = "int | tuple[Tree, ...]"
Law: TypeAlias = Callable[[NDArray[Any]], NDArray[np.float64]]

PAGE: Final = Path(__file__).parents[3] / "docs" / "explanation" / "priors.md"
ATTRIBUTES: Final = [
    {"name": "age", "levels": ["young", "old"]}, {"name": "arm", "levels": ["a", "b"]},
    {"name": "ill", "levels": ["yes", "no"]},
]  # fmt: skip
COMBINATIONS: Final = list(product(("young", "old"), ("a", "b"), ("yes", "no")))
LABELS: Final = [" · ".join(each) for each in COMBINATIONS]
NOISY: Final = (1, 2, -1, 2, 0, 1, 3, -2)
N: Final = 6
RISKS: Final[dict[str, Any]] = {
    side: {"of": {"where": {"ill": "yes"}}, "within": {"where": {"arm": arm}}}
    for side, arm in (("first", "a"), ("second", "b"))
}
TRIAL: Final = {
    "outcome": {"where": {"ill": "yes"}}, "first": {"where": {"arm": "a"}}, "second": {"where": {"arm": "b"}}
}  # fmt: skip
PIECES: Final = [
    [cell for cell, each in enumerate(COMBINATIONS) if each[1:] == levels] for levels in product("ab", ("yes", "no"))
]
THREE: Final = [*PIECES[:2], PIECES[2] + PIECES[3]]
"""The pieces of the first risk, and the rest."""
BY_ATTRIBUTES: Final[Tree] = (((0, 1), (2, 3)), ((4, 5), (6, 7)))
BY_PIECES: Final[Tree] = ((0, 4), (1, 5), (2, 6), (3, 7))
"""The pieces of the trial, each divided by age."""


def histograms(n: int, m: int) -> NDArray[np.int64]:
    """All counts of m cells with the sum n: the gaps between m − 1 bars among n + m − 1 places."""
    bars = np.array([(-1, *each, n + m - 1) for each in combinations(range(n + m - 1), m - 1)])
    return np.diff(bars, axis=1) - 1


def geometric(size: int = 1, scale: float = 2.0) -> Law:
    """ln P(z) of the sum of some noises of P(z) ∝ e^(−|z| / scale), by convolution."""
    steps = np.arange(-400, 401)
    one = np.exp(-np.abs(steps) / scale)
    found = one
    for _ in range(size - 1):
        found = np.convolve(found, one)
    middle = found.size // 2
    return lambda z: np.log(found[middle + z.astype(np.int64)])


def enumerated(
    tree: Tree, laws: Sequence[Law], noisy: Sequence[float], n: int = N
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All counts of the leaves and their probabilities, with ½ for each branch."""
    counts = histograms(n, len(noisy))
    logs = sum(law(value - column) for law, value, column in zip(laws, noisy, counts.T, strict=True))
    logs = np.asarray(logs + _log_prior(tree, counts)[1])
    weights = np.exp(logs - logs.max())
    return counts, weights / weights.sum()


def _log_prior(tree: Tree, counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The count of a node, and ln Π [Π Γ(½ + C_child) / Γ(k/2 + C)] Π 1/c! below it."""
    if isinstance(tree, int):
        return counts[:, tree], -special.gammaln(counts[:, tree] + 1.0)
    parts = [_log_prior(part, counts) for part in tree]
    count = np.sum([held for held, _ in parts], axis=0)
    logs = np.sum([below + special.gammaln(0.5 + held) for held, below in parts], axis=0)
    return count, logs - special.gammaln(0.5 * len(tree) + count)


def means(tree: Tree, counts: NDArray[np.int64], p: NDArray[np.float64]) -> list[float]:
    """The mean share of each leaf: the product of (½ + C_child) / (k/2 + C) down its path."""
    found = np.empty(counts.shape)

    def go(node: Tree, share: NDArray[np.float64]) -> None:
        if isinstance(node, int):
            found[:, node] = share
            return
        held = [_log_prior(part, counts)[0] for part in node]
        for part, each in zip(node, held, strict=True):
            go(part, share * (0.5 + each) / (0.5 * len(node) + np.sum(held, axis=0)))

    go(tree, np.ones(len(counts)))
    of_leaf: list[float] = (p @ found).tolist()
    return of_leaf


def of_pieces(pieces: Sequence[Sequence[int]], *tables: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All counts of the pieces and their probabilities: the noisy counts of each table are added up."""
    counts = histograms(N, len(pieces))
    logs = _log_prior(tuple(range(len(pieces))), counts)[1]
    for noisy, (place, piece) in product(tables or (NOISY,), enumerate(pieces)):
        logs = logs + geometric(len(piece))(sum(noisy[cell] for cell in piece) - counts[:, place])
    weights = np.exp(logs - logs.max())
    return counts, weights / weights.sum()


def mean_risk(found: tuple[NDArray[np.int64], NDArray[np.float64]]) -> float:
    """E (½ + c_1) / (1 + c_1 + c_2), the first risk by its pieces."""
    counts, p = found
    return float(p @ ((0.5 + counts[:, 0]) / (1.0 + counts[:, 0] + counts[:, 1])))


def release_of(noisy: Sequence[int] = NOISY, event: Any = None, name: str = "a", **changes: Any) -> ReadRelease:
    event = SimplexGeometric(N, len(noisy), Epsilon.parse("1")) if event is None else event
    drawn = NoisyCounts(tuple(noisy), tuple(noisy))
    fields: dict[str, Any] = {"labels": LABELS, "attributes": ATTRIBUTES, "title": "", "subtitle": ""} | changes
    return ReadRelease(id=f"rel_{26 * name}", event=event, prior=[1.0] * len(noisy), counts=drawn, **fields)


def answered(*releases: ReadRelease, **questions: Any) -> NoiseAwarePosterior:
    found = posteriors.summarise(list(releases or [release_of()]), asked(**questions))
    assert isinstance(found, NoiseAwarePosterior)
    return found


def table(**fields: Any) -> NoiseAwarePosterior:
    cells = [
        {"levels": dict(zip(("age", "arm", "ill"), each, strict=True)), "value": value}
        for each, value in zip(COMBINATIONS, NOISY, strict=True)
    ]
    noise = {"law": "geometric", "scale": 2}
    body = {"cells": cells, "attributes": ATTRIBUTES, "noise": noise, "total": {"known": N}} | fields
    found = summarised_table(body)
    assert isinstance(found, NoiseAwarePosterior)
    return found


def pieces_of_questions() -> None:
    questions = [{"kind": "share", **RISKS["first"]}]
    # A share has its two pieces and the rest, a trial the four pieces of its groups.
    for found in (answered(questions=questions), table(questions=questions)):
        assert found.answers[0].mean == pytest.approx(mean_risk(of_pieces(THREE)), abs=1e-9)
    of_trial = answered(trial=TRIAL).trial
    assert of_trial is not None
    assert of_trial.first.mean == pytest.approx(mean_risk(of_pieces(PIECES)), abs=1e-9)
    other = (2, 1, 0, 1, 1, 0, 2, -1)
    pooled = answered(release_of(), release_of(other, name="b"), questions=questions)
    assert pooled.answers[0].mean == pytest.approx(mean_risk(of_pieces(THREE, NOISY, other)), abs=1e-9)


def public_groups() -> None:
    known = [{"of": {"where": {"arm": arm}}, "count": count} for arm, count in (("a", 4), ("b", 2))]
    found = answered(known=known, questions=[{"kind": "share", **RISKS["first"]}])
    sums = [sum(NOISY[cell] for cell in piece) for piece in PIECES[:2]]
    counts, p = enumerated((0, 1), [geometric(2)] * 2, sums, 4)
    assert found.answers[0].mean == pytest.approx(means((0, 1), counts, p)[0], abs=1e-9)


def no_noisy_sums() -> None:
    values = [max(0, each) for each in NOISY]
    cells = [
        {"levels": dict(zip(("age", "arm", "ill"), each, strict=True)), "value": value}
        for each, value in zip(COMBINATIONS, values, strict=True)
    ]
    found = table(cells=cells, printed={"clamped_at_zero": True}, questions=[{"kind": "share", **RISKS["first"]}])

    def clamped(z: NDArray[Any]) -> NDArray[np.float64]:
        """ln P(noise ≤ z) up to the constant of `geometric`, with the count −z: the value was printed as 0."""
        q = math.exp(-0.5)
        return np.asarray(-z * math.log(q) - math.log1p(-q))

    laws = [clamped if value == 0 else geometric() for value in values]
    # The pieces of the share, each divided by age, and the rest by age and arm.
    counts, p = enumerated(((0, 4), (1, 5), ((2, 3), (6, 7))), laws, values)
    a, b = (counts[:, piece].sum(axis=1) for piece in PIECES[:2])
    assert found.answers[0].mean == pytest.approx(float(p @ ((0.5 + a) / (1.0 + a + b))), abs=1e-9)


def shares_of_strata() -> None:
    found = answered(by={"attributes": ["age"], "question": {"kind": "share", **RISKS["first"]}}).by
    assert found is not None
    # The records of a stratum with and without the outcome, and all others.
    expected = of_pieces([[0], [1], [2, 3, 4, 5, 6, 7]])
    young = found.strata[0].answer
    assert young is not None
    assert young.mean == pytest.approx(mean_risk(expected), abs=1e-9)


def drawn_by_pieces(size: int = 200_000) -> NDArray[np.float64]:
    """Draws of the shares of all cells, by a Dirichlet distribution for each branch below enumerated counts."""
    rng = np.random.default_rng(20)
    counts, p = enumerated(BY_PIECES, [geometric()] * 8, NOISY)
    some = counts[rng.choice(len(counts), size, p=p)]
    pieces = np.stack([some[:, piece].sum(axis=1) for piece in PIECES], axis=1)
    gammas = rng.standard_gamma(0.5 + pieces)
    shares, found = gammas / gammas.sum(axis=1, keepdims=True), np.empty((size, 8))
    for place, (young, old) in enumerate(PIECES):
        part = rng.beta(0.5 + some[:, young], 0.5 + some[:, old])
        found[:, young], found[:, old] = shares[:, place] * part, shares[:, place] * (1.0 - part)
    return found


def contrasts_of_strata() -> None:
    question = {"kind": "difference", **RISKS}
    found = answered(by={"attributes": ["age"], "question": question}, quantiles=[0.25, 0.75]).by
    assert found is not None
    assert found.adjusted is not None
    drawn = drawn_by_pieces()
    a, b, c, d = (drawn[:, piece] for piece in PIECES)
    within = a / (a + b) - c / (c + d)
    weights = a + b + c + d
    young = found.strata[0].answer
    assert young is not None
    for answer, values in ((young, within[:, 0]), (found.adjusted.standardised, (weights * within).sum(axis=1))):
        for each in answer.quantiles:
            assert np.mean(values <= each.value) == pytest.approx(each.probability, abs=0.008)


def rows_of_tables() -> None:
    found, of_trial = answered(draws={"size": 20_000}), answered(trial=TRIAL)
    counts, p = enumerated(BY_ATTRIBUTES, [geometric()] * 8, NOISY)
    expected = means(BY_ATTRIBUTES, counts, p)
    assert found.divided_by == ["age", "arm", "ill"]
    assert [each.mean for each in found.categories] == pytest.approx(expected, abs=1e-9)
    assert np.mean(found.draws or [], axis=0) == pytest.approx(expected, abs=0.006)
    # The outcome of the trial comes first.
    tree: Tree = (((0, 2), (4, 6)), ((1, 3), (5, 7)))
    counts, p = enumerated(tree, [geometric()] * 8, NOISY)
    assert of_trial.divided_by == ["ill", "age", "arm"]
    assert [each.mean for each in of_trial.categories] == pytest.approx(means(tree, counts, p), abs=1e-9)


def draws_for_a_question() -> None:
    question = {"kind": "ratio", **RISKS}
    found = answered(questions=[question], draws={"size": 20_000, "seed": 3, "question": question})
    assert found.draws_of is not None
    assert found.draws_of.question == found.answers[0].question
    drawn, expected = np.array(found.draws), drawn_by_pieces()
    assert drawn.sum(axis=1) == pytest.approx(np.ones(20_000), abs=1e-9)
    assert drawn.mean(axis=0) == pytest.approx(expected.mean(axis=0), abs=0.006)
    for probability in (0.1, 0.5, 0.9):
        ours, theirs = (
            np.quantile(of[:, PIECES[0]].sum(axis=1) / of[:, PIECES[0] + PIECES[1]].sum(axis=1), probability)
            for of in (drawn, expected)
        )
        assert ours == pytest.approx(theirs, abs=0.015)


def long_tables() -> None:
    counts = [place % 3 for place in range(2_001)]
    attributes = [
        {"name": "first", "levels": ["a", "b", "c"]}, {"name": "second", "levels": [str(each) for each in range(667)]}
    ]  # fmt: skip
    cells = [
        {"levels": {"first": first, "second": second}, "value": value}
        for (first, second), value in zip(product("abc", map(str, range(667))), counts, strict=True)
    ]
    found = table(cells=cells, attributes=attributes, noise={"law": "none"}, total={"known": sum(counts)})
    assert found.prior_of_categories is not None
    assert (found.prior_of_categories.each, found.prior_of_categories.of, found.divided_by) == (0.5, "cell", [])
    for place in (0, 1, 2):
        expected = (0.5 + counts[place]) / (sum(counts) + 0.5 * 2_001)
        assert found.categories[place].mean == pytest.approx(expected, rel=1e-9)


def private_numbers_of_records() -> None:
    event = PrivateSize(8, "geometric", Epsilon.parse("1"))
    scale = 1.0
    totals = []
    for questions in ({}, {"questions": [{"kind": "share", **RISKS["first"]}]}, {"trial": TRIAL}):
        found = answered(release_of((3, 2, 4, 2, 1, 1, 3, 2), event), at_most=60, **questions)
        assert found.total is not None
        totals.append((found.total.mean, found.total.interval))
    assert totals[1:] == totals[:1] * 2
    # One piece: its prior ½ cancels against that of the number of records, which is flat.
    logs = geometric(8, scale)(18.0 - np.arange(61.0))
    p = np.exp(logs - logs.max())
    assert totals[0][0] == pytest.approx(float(p @ np.arange(61)) / float(p.sum()), abs=1e-9)


def exponential_releases() -> None:
    event = Exponential(6, (1.0,) * 3, Epsilon.parse("2"), None, None, "global", Delta.parse("0"))
    release = release_of((3, 1, 2), event, labels=["x", "y", "z"], attributes=None)
    question = {"kind": "share", "of": {"labels": ["x", "y"]}}
    found = summarised(release, questions=[question])
    assert isinstance(found, NoiseAwarePosterior)
    counts, p = posterior_of_counts(event, (3, 1, 2), np.full(3, 0.5))
    expected = (0.5 + p @ counts) / 7.5
    assert [each.mean for each in found.categories] == pytest.approx(expected.tolist(), abs=1e-6)
    assert found.answers[0].mean == pytest.approx(float(expected[0] + expected[1]), abs=1e-6)


def paid_posteriors() -> None:
    body = {"kind": "counts", "mechanism": {"kind": "simplex_geometric", "epsilon": "1"}}
    stated = CountsCreate.model_validate(body | {"prior": [2, 3]})
    assert stated.prior_at(2) == [2.0, 3.0]
    assert CountsCreate.model_validate(body).prior_at(3) == [0.5] * 3
    depends = CountsCreate.model_validate(body | {"mechanism": {"kind": "exponential", "epsilon": "1"}})
    assert depends.prior_at(2) == [1.0, 1.0]


ROWS: Final[dict[str, Callable[[], None]]] = {
    "share, difference, ratio, odds ratio, comparison, trial": pieces_of_questions,
    "the same within groups of public size": public_groups,
    "the same, if some values were rounded, clamped or suppressed": no_noisy_sums,
    "shares of strata": shares_of_strata,
    "contrasts of strata, and figures that are adjusted for them": contrasts_of_strata,
    "rows of a table, draws, pictures": rows_of_tables,
    "draws for a question": draws_for_a_question,
    "rows of a table, draws": long_tables,
    "number of records, if it is private": private_numbers_of_records,
    "any question": exponential_releases,
    "the Dirichlet posterior in a paid release": paid_posteriors,
}


def test_each_row_of_the_page_is_compared() -> None:
    section = PAGE.read_text(encoding="utf-8").split("## What has which prior")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (?!Question|--)(.*?) \|", section, re.MULTILINE)
    assert [re.sub(r"\[(.*?)\]\(.*?\)", r"\1", each) for each in rows] == list(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_the_answers_of_a_row_have_the_prior_that_the_page_states(row: str) -> None:
    ROWS[row]()
