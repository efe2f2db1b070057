"""Public totals of groups, typed beside a question: the groups are then independent, exactly."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.mechanisms.blocks import Blocks
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon
from service.errors import InvalidRequest
from service.posteriors import comparisons
from service.posteriors.read_releases import ReadRelease
from service.posteriors.sources import table_of
from service.schemas.posteriors import ComparisonCreate, NoiseAwarePosterior, NoiseAwareUnavailable
from tests.core.inference.reference import histograms
from tests.harness.asked import summarised, summarised_table

ATTRIBUTES: Final = [{"name": "arm", "levels": ["vaccine", "placebo"]}, {"name": "ill", "levels": ["yes", "no"]}]
LABELS: Final = [f"{arm} · {ill}" for arm, ill in product(("vaccine", "placebo"), ("yes", "no"))]
TRIAL: Final[dict[str, Any]] = {
    "outcome": {"where": {"ill": "yes"}},
    "first": {"where": {"arm": "vaccine"}},
    "second": {"where": {"arm": "placebo"}},
}
RISKS: Final = {name: {"of": TRIAL["outcome"], "within": TRIAL[name]} for name in ("first", "second")}


def known(**totals: int) -> list[dict[str, Any]]:
    return [{"of": {"where": {"arm": arm}}, "count": count} for arm, count in totals.items()]


def release_of(noisy: tuple[int, ...], event: Any = None, **changes: Any) -> ReadRelease:
    event = SimplexGeometric(sum(noisy), 4, Epsilon.parse("1")) if event is None else event
    names = {"id": "rel_" + 26 * "a", "dataset_id": "one", "budget_id": "one"} | changes
    return ReadRelease(
        **names, event=event, labels=LABELS, prior=[1.0] * 4, counts=NoisyCounts(noisy, noisy), title="", subtitle="",
        attributes=ATTRIBUTES,
    )  # fmt: skip


def summary(noisy: tuple[int, ...] = (0, 8, 3, 6), **asked: Any) -> NoiseAwarePosterior:
    found = summarised(release_of(noisy), **asked)
    assert isinstance(found, NoiseAwarePosterior)
    return found


def table(total: dict[str, Any], **asked: Any) -> NoiseAwarePosterior:
    """Values under Gaussian noise of variance 2, of an unknown or known number of records."""
    cells = [
        {"levels": {"arm": arm, "ill": ill}, "value": value}
        for (arm, ill), value in zip(product(("vaccine", "placebo"), ("yes", "no")), (0, 8, 3, 6), strict=True)
    ]
    noise = {"law": "gaussian", "variance": 2}
    found = summarised_table({"cells": cells, "attributes": ATTRIBUTES, "noise": noise, "total": total, **asked})
    assert isinstance(found, NoiseAwarePosterior)
    return found


def weights(counts: NDArray[np.int64], noisy: tuple[int, ...]) -> NDArray[np.float64]:
    """Π Γ(½ + c) / c! · e^(−|y − c| / 2), which is p(c | y) if the totals of the groups are known."""
    one = np.cumprod([1.0, *((0.5 + c) / (c + 1.0) for c in range(int(counts.max())))])
    found: NDArray[np.float64] = np.prod(one[counts] * np.exp(-np.abs(counts - noisy) / 2.0), axis=1)
    return found


def greater(a: int, b: int, c: int, d: int) -> float:
    """P(x > y) for x ~ Beta(½ + a, ½ + b) and y ~ Beta(½ + c, ½ + d), with x = sin² φ."""
    nodes, steps = np.polynomial.legendre.leggauss(60)
    angles = np.pi / 4.0 * (nodes + 1.0)
    density = np.sin(angles) ** (2 * a) * np.cos(angles) ** (2 * b) * 2.0 / special.beta(a + 0.5, b + 0.5)
    below = special.betainc(c + 0.5, d + 0.5, np.sin(angles) ** 2)
    return float(np.pi / 4.0 * steps @ (density * below))


def test_all_counts_of_two_known_groups_give_the_same_figures() -> None:
    noisy = (0, 8, 3, 6)
    every = histograms(17, 4)
    inside = every[every[:, :2].sum(axis=1) == 7]
    p = weights(inside, noisy)
    p /= p.sum()
    found = summary(known=known(vaccine=7, placebo=10), trial=TRIAL, questions=[
        {"kind": "difference", **RISKS, "about": "records"}, {"kind": "share", **RISKS["first"], "about": "records"},
        {"kind": "difference", **RISKS},
    ])  # fmt: skip
    risks = (inside[:, 0] + 0.5) / 8.0, (inside[:, 2] + 0.5) / 11.0
    assert found.trial is not None
    assert found.trial.first.mean == pytest.approx(float(p @ risks[0]), abs=1e-12)
    assert found.trial.second.mean == pytest.approx(float(p @ risks[1]), abs=1e-12)
    above = found.answers[2].above
    assert above is not None
    assert above == found.trial.difference.above
    assert above.probability == pytest.approx(
        float(p @ [greater(a, 7 - a, c, 10 - c) for a, _, c, _ in inside]), abs=1e-9
    )
    difference, share = found.answers[:2]
    of_records = inside[:, 0] / 7.0 - inside[:, 2] / 10.0
    assert difference.mean == pytest.approx(float(p @ of_records), abs=1e-12)
    assert difference.above is not None
    assert difference.above.probability == pytest.approx(float(p[of_records > 0.0].sum()), abs=1e-12)
    assert share.mean == pytest.approx(float(p @ inside[:, 0]) / 7.0, abs=1e-12)
    assert found.known[0].count == 7
    assert not any("total" in each for each in found.warnings)


def test_the_total_of_one_group_leaves_the_rest_to_the_others() -> None:
    """At a public number of records the rest is known too; at a private one its weight follows from all records."""
    asked = [{"kind": "difference", **RISKS, "about": "records"}]
    both, one = (summary(known=each, questions=asked) for each in (known(vaccine=7, placebo=10), known(vaccine=7)))
    assert one.answers == both.answers
    alone = table({"at_most": 34}, known=known(vaccine=8), questions=[{"kind": "share", **RISKS["second"]}])
    every = np.array([(c, d) for c in range(27) for d in range(27 - c)])
    # Each of three pieces has ½: the group whose total is known, and both of the rest.
    of_total = np.cumprod([1.0, *((n + 1.0) / (n + 1.5) for n in range(34))])
    one_prior = np.cumprod([1.0, *((0.5 + c) / (c + 1.0) for c in range(26))])
    p = of_total[8 + every.sum(axis=1)] * one_prior[every].prod(axis=1)
    p *= np.exp(-np.square(every - (3, 6)).sum(axis=1) / 4.0)
    p /= p.sum()
    expected = float(p @ ((every[:, 0] + 0.5) / (every.sum(axis=1) + 1.0)))
    assert alone.answers[0].mean == pytest.approx(expected, abs=1e-9)


def test_the_reference_trial_of_gaussian_noise_keeps_its_digits() -> None:
    """RD, RR and P(<) of the records, for the totals 8 and 9."""
    found = table({"known": 17}, known=known(vaccine=8, placebo=9), trial=TRIAL | {"about": "records"}).trial
    assert found is not None
    difference, ratio = found.difference, found.ratio
    assert difference.mean == pytest.approx(-0.2810171843821, abs=1e-12)
    assert (difference.median, difference.interval.low, difference.interval.high) == pytest.approx(
        (-23 / 72, -5 / 9, 1 / 72), abs=1e-15
    )
    assert (ratio.median, ratio.interval.low, ratio.interval.high) == (0.0, 0.0, 1.125)
    assert difference.above is not None
    assert difference.above.equal == pytest.approx(0.008068045668033, abs=1e-12)
    below = 1.0 - difference.above.probability - (difference.above.equal or 0.0)
    assert below == pytest.approx(0.9557469803842, abs=1e-12)


def test_public_totals_make_a_ratio_narrower() -> None:
    """20 of 100 against 35 of 100 at ε = 0.3: the logarithm of the ratio is about a fifth narrower."""
    release = release_of((20, 80, 35, 65), SimplexGeometric(200, 4, Epsilon.parse("0.3")))
    widths = list[float]()
    for totals in ([], known(vaccine=100, placebo=100)):
        found = summarised(release, questions=[{"kind": "ratio", **RISKS, "about": "records"}], known=totals)
        assert isinstance(found, NoiseAwarePosterior)
        ends = found.answers[0].interval
        assert ends.high is not None
        widths.append(np.log(ends.high / (ends.low or 0.0)))
    assert widths[1] < 0.9 * widths[0]


def test_a_stated_prior_by_cell_holds_within_the_groups() -> None:
    prior = [1.0, 2.0, 3.0, 4.0]
    found = summary((3, 4, 5, 5), known=known(vaccine=7), prior=prior, questions=[{"kind": "share", **RISKS["first"]}])
    c = np.arange(8)
    p = np.array([(7.0 - a + 1.0) for a in c]) * np.exp(-np.abs(c - 3) / 2.0 - np.abs(7 - c - 4) / 2.0)
    assert found.answers[0].mean == pytest.approx(float(p @ (c + 1.0)) / 10.0 / float(p.sum()), abs=1e-12)


def test_both_sides_of_a_comparison_take_totals() -> None:
    sides = {
        name: {"sources": [{"kind": "release", "release_id": f"rel_{26 * letter}"}], **RISKS[name]}
        for name, letter in (("first", "a"), ("second", "b"))
    }
    noisy = (2, 8, 4, 6)
    given = [release_of(noisy), release_of(noisy, dataset_id="two", id="rel_" + 26 * "b")]
    both = [{**sides[name], "known": known(vaccine=9)} for name in ("first", "second")]
    request = ComparisonCreate.model_validate({"first": both[0], "second": both[1]})
    found = comparisons.compare(given[:1], given[1:], request)
    alone = summary(noisy, known=known(vaccine=9), questions=[{"kind": "difference", **RISKS}]).answers[0].above
    assert alone is not None
    assert found.probability == pytest.approx(alone.probability, abs=1e-9)
    pooled = [given[0], release_of(noisy, id="rel_" + 26 * "b")]
    assert comparisons.compare(pooled[:1], pooled[1:], request).people == "same"
    other = ComparisonCreate.model_validate({"first": both[0], "second": sides["second"]})
    with pytest.raises(InvalidRequest) as refused:
        comparisons.compare(pooled[:1], pooled[1:], other)
    assert refused.value.errors[0]["location"] == "second.known"


@pytest.mark.parametrize(
    ("asked", "location", "rule"),
    [
        ({"known": known(vaccine=18)}, "known", "at most 17, the largest"),
        ({"known": known(vaccine=7, placebo=9)}, "known", "must sum to 17, the public number"),
        ({"known": known(vaccine=7) + known(vaccine=7)}, "known[1].of", "no cell of an earlier group"),
        (
            {"known": [*known(vaccine=7), {"of": {"where": {"ill": "yes"}}, "count": 3}]},
            "known[1].of",
            "no cell of an earlier group",
        ),
        ({"known": known(none=7)}, "known[0].of.where.arm[0]", "not a level"),
        ({"known": known(vaccine=7), "draws": {"size": 2}}, "draws", "left out with `known`"),
        (
            {
                "known": known(vaccine=7),
                "by": {"attributes": ["arm"], "question": {"kind": "share", "of": {"where": {"ill": "yes"}}}},
            },
            "by",
            "left out with `known`",
        ),
        (
            {"known": known(vaccine=7), "questions": [{"kind": "share", "of": {"where": {"ill": "yes"}}}]},
            "questions[0].within",
            "within one group",
        ),
        (
            {
                "known": [{"of": {"where": {"ill": "yes"}}, "count": 3}],
                "questions": [{"kind": "ratio", **RISKS}],
            },
            "questions[0].first.within",
            "within one group",
        ),
        ({"known": [{"of": {"where": {"ill": "yes"}}, "count": 3}], "trial": TRIAL}, "trial.first", "within one group"),
    ],
)
def test_totals_that_public_facts_contradict_are_refused_by_field(
    asked: dict[str, Any], location: str, rule: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        summary(**asked)
    (error,) = refused.value.errors
    assert error["location"] == location
    assert rule in error["rule"]


def test_an_unknown_number_of_records_has_an_end_or_noise_of_its_own() -> None:
    published = {"published": {"value": 17, "noise": {"law": "gaussian", "variance": 2}}}
    for total, totals in (({"at_most": 20}, known(vaccine=21)), (published, known(vaccine=7))):
        with pytest.raises(InvalidRequest) as refused:
            table(total, known=totals)
        assert refused.value.errors[0]["location"] == "known"
    assert len(table(published, known=known(vaccine=7, placebo=9)).known) == 2


def test_draws_are_limited_by_their_numbers() -> None:
    found = summary(draws={"size": 50_000}).draws
    assert found is not None
    assert len(found) == 50_000
    with pytest.raises(InvalidRequest) as refused:
        summary(draws={"size": 50_001})
    assert refused.value.errors[0]["location"] == "draws.size"


def test_a_release_without_a_law_by_cell_has_no_answer_by_groups() -> None:
    event = Exponential(4, (1.0,) * 4, Epsilon.parse("1"), None, None, "global", Delta.parse("0"))
    found = summarised(release_of((1, 1, 1, 1), event), known=known(vaccine=2, placebo=2))
    assert isinstance(found, NoiseAwareUnavailable)
    assert "independent between the cells" in found.reason


def test_a_margin_of_blocks_has_no_answer_by_groups() -> None:
    """Its labels share one draw of noise, so the warning about a total that is far from its counts has no use."""
    event = Blocks(200, (4, 2), frozenset(), (((0,), (1,)),), (Epsilon.parse("1"),)).of_margin(0)
    found = summarised(release_of((20, 80, 35, 65), event), known=known(vaccine=160))
    assert isinstance(found, NoiseAwareUnavailable)
    assert "independent between the cells" in found.reason


def test_a_comparison_warns_of_each_side() -> None:
    """A total that contradicts the noisy counts of the first side, and a table far from its total on the second."""
    noisy = (20, 80, 35, 65)
    release = release_of(noisy, SimplexGeometric(200, 4, Epsilon.parse("1")))
    cells = [{"label": label, "value": value} for label, value in (("yes", 40), ("no", 60))]
    table_of_200 = {"kind": "table", "cells": cells, "noise": {"law": "geometric", "scale": 2}, "total": {"known": 200}}
    of_release = {"sources": [{"kind": "release", "release_id": release.id}], **RISKS["first"]}
    of_table = {"sources": [table_of_200], "of": {"labels": ["yes"]}}
    far = ComparisonCreate.model_validate({"first": of_release | {"known": known(vaccine=160)}, "second": of_table})
    second = table_of(far.second.sources)
    assert second is not None
    warnings = comparisons.compare([release], second, far).warnings
    assert [each[:26] for each in warnings] == ["The first share: The total", "The second share: The valu"]
    near = ComparisonCreate.model_validate({"first": of_release, "second": of_release | RISKS["second"]})
    other = release_of(noisy, release.event, dataset_id="two", id="rel_" + 26 * "b")
    assert comparisons.compare([release], [other], near).warnings == []


def test_a_total_far_from_the_noisy_counts_has_a_warning() -> None:
    release = release_of((20, 80, 35, 65), SimplexGeometric(200, 4, Epsilon.parse("1")))
    warnings = []
    for total in (100, 108, 160):
        found = summarised(release, known=known(vaccine=total))
        assert isinstance(found, NoiseAwarePosterior)
        warnings.append([each for each in found.warnings if "total" in each])
    assert warnings[:2] == [[], []]
    assert len(warnings[2]) == 1
    assert warnings[2][0].startswith("The total 160 of arm=vaccine is so far from the noisy counts")
    assert table({"known": 17}, known=known(vaccine=17)).warnings[0].startswith("The total 17 of arm=vaccine")
