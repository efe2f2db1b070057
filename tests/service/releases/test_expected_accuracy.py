"""The accuracy in quotes and pictures: from public sizes alone, or given the release."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import special

from core.mechanisms.exponential.calibration import calibrate_global
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.planning.accuracy import accuracy_seconds
from core.privacy import Delta, Epsilon
from service.posteriors import pictures
from service.posteriors.read_releases import ReadRelease
from service.releases.expected_accuracy import accuracy_response, expected_accuracy, ratio_text
from service.releases.spec import posterior_document
from service.runtime.runtime import Runtime
from service.schemas.cell_names import SEPARATOR
from service.settings.settings import Settings
from tests.harness.asked import picture_of
from tests.harness.drawn import drawn
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.service.conftest import Study


def test_intervals_are_compared_with_those_of_exact_counts_and_of_the_prior() -> None:
    found = accuracy_response(SimplexGeometric(1000, 2, Epsilon.parse("0.5")), [1.0, 1.0], 0.9)
    of_prior = np.diff(special.betaincinv(0.5, 0.5, [0.05, 0.95]))[0]
    assert found.prior_interval_width == pytest.approx(of_prior, rel=1e-9)
    assert [each.count for each in found.at_counts] == [500, 30]
    for each, (low, high) in zip(found.at_counts, ((1.0, 1.2), (1.0, 1.5)), strict=True):
        exact = np.diff(special.betaincinv(each.count + 0.5, 1000.5 - each.count, [0.05, 0.95]))[0]
        assert each.interval_width_without_noise == pytest.approx(exact, rel=1e-9)
        assert each.width_ratio == pytest.approx(each.interval_width / exact)
        assert each.width_ratio is not None
        assert low < each.width_ratio < high
    assert found.warning is None


def test_a_quote_compares_large_and_small_categories() -> None:
    """At even counts of 200,745 records noise widens nothing, and of 30 it widens the interval by two fifths."""
    found = accuracy_response(SimplexGeometric(200_745, 2, Epsilon.parse("0.25")), [1.0, 1.0], 0.95)
    ratios = {each.count: each.width_ratio for each in found.at_counts}
    assert ratios == {
        100_372: pytest.approx(1.0, abs=0.01),
        1000: pytest.approx(1.03, abs=0.02),
        30: pytest.approx(1.46, abs=0.05),
    }
    assert found.summary == (
        "Expected 95 % interval at made-up counts, beside that of exact counts. 100,372 records: no wider; "
        "1,000 records: no wider; 30 records: about 1.5 times as wide."
    )


@pytest.mark.parametrize(
    ("ratio", "text"), [(1.004, "1"), (1.4163, "1.42"), (12.34, "12.3"), (333.4, "333"), (2468.0, "2,470")]
)
def test_a_ratio_is_written_without_an_exponent(ratio: float, text: str) -> None:
    assert ratio_text(ratio, digits=3) == text


def test_a_release_that_tells_next_to_nothing_is_warned_of() -> None:
    weak = accuracy_response(SimplexGeometric(50, 2, Epsilon.parse("0.001")), [1.0, 1.0], 0.95)
    assert weak.warning is not None
    assert "almost no information: its interval would be about as wide as the prior's" in weak.warning
    many = accuracy_response(calibrate_global(2000, (1.0,) * 12, Epsilon.parse("0.5")), [1.0] * 12, 0.95)
    assert many.at_counts == []
    assert many.expected_hellinger_error is not None
    assert many.warning is not None
    # Few records have little information by themselves, which is not a reason for a warning.
    assert accuracy_response(SimplexGeometric(1, 2, Epsilon.parse("20")), [1.0, 1.0], 0.95).warning is None


def test_a_quote_says_it_and_looks_at_no_counts(study: Study) -> None:
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}, "level": 0.9}
    answer = study.analyst.post(f"/v1/datasets/{study.dataset_id}/quotes", body)
    assert answer.status_code == 200, answer.text
    size = study.analyst.get(f"/v1/datasets/{study.dataset_id}").json()["record_count"]
    expected = accuracy_response(SimplexGeometric(size, 2, Epsilon.parse("0.1")), [1.0, 1.0], 0.9)
    assert answer.json()["expected_accuracy"] == expected.model_dump()


@pytest.mark.usefixtures("engine")
def test_a_quote_leaves_out_what_takes_long_to_find_and_finds_out_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*NOBODY_WAITS)
    event = calibrate_global(10**7, (1.0,) * 1000, Epsilon.parse("1"), Delta.parse("1e-18"))
    settings = Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY)

    async def story() -> None:
        runtime = Runtime.open(settings)
        find = partial(expected_accuracy, runtime, "pri", event, [1.0] * event.m, 0.95)
        try:
            assert await find() is None
        finally:
            await runtime.close()
        assert await find() is None, "known, and no process is there any more"

    asyncio.run(story())


def test_a_picture_leaves_out_what_takes_long_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    event, counts = calibrate_global(200_000, (1.0,) * 12, Epsilon.parse("2")), NoisyCounts((200_000,) + (0,) * 11, ())
    release = ReadRelease(
        id="rel",
        event=event,
        labels=list("abcdefghijkl"),
        prior=[1.0] * 12,
        counts=NoisyCounts(counts.noisy, counts.noisy),
        title="title",
        subtitle="subtitle",
    )
    assert "made-up" in picture_of(release, level=0.9)
    monkeypatch.setattr(pictures, "_MAX_JUDGING_SECONDS", 0.0)
    assert "made-up" not in picture_of(release, level=0.9)


def test_a_naive_interval_is_left_out_where_it_would_mean_nothing() -> None:
    law = partial(posterior_document, level=0.95)
    counts = NoisyCounts((3, 7, 10), (3, 7, 10))
    many = calibrate_global(20, (1.0,) * 3, Epsilon.parse("2"))
    shown = law(many, ["a", "b", "c"], [1.0] * 3, counts=counts)
    assert [each["naive_interval"] for each in shown["categories"]] == [None] * 3
    near = law(SimplexGeometric(20, 3, Epsilon.parse("2")), ["a", "b", "c"], [1.0] * 3, counts=counts)
    assert all(each["naive_interval"] is not None for each in near["categories"])
    two = calibrate_global(10, (1.0,) * 2, Epsilon.parse("2"))
    shown = law(two, ["a", "b"], [1.0] * 2, counts=NoisyCounts((3, 7), (3, 7)))
    assert all(each["naive_interval"] is not None for each in shown["categories"])


@pytest.mark.parametrize(("n", "m", "words"), [(20, 3, "noise-aware"), (200_000, 12, "may be far from the truth")])
def test_a_picture_leaves_out_a_meaningless_naive_distribution(n: int, m: int, words: str) -> None:
    counts = NoisyCounts((n,) + (0,) * (m - 1), (n,) + (0,) * (m - 1))
    release = ReadRelease(
        id="rel",
        event=calibrate_global(n, (1.0,) * m, Epsilon.parse("2")),
        labels=[f"level {index}" for index in range(m)],
        prior=[1.0] * m,
        counts=counts,
        title="title",
        subtitle="subtitle",
    )
    shown = " ".join(drawn(picture_of(release)).words)
    assert "naive" not in shown
    assert words in shown
    assert "almost no information" in shown


def released(
    counts: tuple[int, ...], epsilon: str, prior: float = 1.0, attributes: list[dict[str, Any]] | None = None
) -> ReadRelease:
    event = SimplexGeometric(sum(counts), len(counts), Epsilon.parse(epsilon))
    names = [f"level {place}" for place in range(len(counts))]
    if attributes is not None:
        names = [SEPARATOR.join(levels) for levels in product(*(each["levels"] for each in attributes))]
    noisy = NoisyCounts(counts, counts)
    return ReadRelease("rel", event, names, [prior] * len(counts), noisy, "title", "subtitle", attributes=attributes)


@pytest.mark.parametrize(("epsilon", "ratio"), [("0.25", "1.42"), ("0.1", "2.59")])
def test_a_picture_compares_its_intervals_with_those_expected_without_noise(epsilon: str, ratio: str) -> None:
    """The interval of a rare category, given the release, is widened; at even counts noise would widen nothing."""
    shown = drawn(picture_of(released((33, 200_712), epsilon), prior=[1.0, 1.0]))
    assert f"interval {ratio} times as wide as expected without noise" in shown.words
    intervals = re.findall(r"(level \d): 95 % interval (\S+) to ([\d.]+), (\S+) times as wide as", shown.description)
    assert [(label, said) for label, _, _, said in intervals] == [("level 0", ratio), ("level 1", ratio)]
    assert 0 < float(intervals[0][1]) < 33 / 200_745 < float(intervals[0][2]) < 0.001
    assert "made-up" not in shown.description


def test_a_row_of_a_picture_has_the_ratio_of_its_own_category() -> None:
    counts = (20, 100, 1000, 5000, 5000, 5000, 20_000)
    shown = drawn(picture_of(released(counts, "0.25")))
    ratios = [float(each) for each in shown.words if re.fullmatch(r"\d\.\d+|1", each)]
    assert len(ratios) == 7
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[0] > 1.5
    assert ratios[-1] < 1.01


@pytest.mark.parametrize(("counts", "method"), [((5, 20, 40, 60), "exact"), ((9000, 30_000, 50_000, 70_000), "draws")])
def test_a_picture_of_conditional_shares_compares_them_too(counts: tuple[int, ...], method: str) -> None:
    attributes = [{"name": "sex", "levels": ["f", "m"]}, {"name": "ill", "levels": ["yes", "no"]}]
    epsilon = "0.5" if method == "exact" else "0.005"
    release, of = released(counts, epsilon, attributes=attributes), {"where": {"ill": ["yes"]}}
    shown = drawn(picture_of(release, by=["sex"], of=of))
    assert ("about" in " ".join(shown.words)) is (method == "draws")
    assert len(re.findall(r"[\d.]+ times as wide as expected without noise,", shown.description)) == 2


def test_a_picture_shows_priors_whole_and_cuts_what_grows_without_bounds() -> None:
    def curves(prior: tuple[float, ...], counts: tuple[int, ...]) -> tuple[list[list[float]], list[list[float]]]:
        event = calibrate_global(20, prior, Epsilon.parse("8"))
        release = ReadRelease("rel", event, ["a", "b", "c"], list(prior), NoisyCounts(counts, counts), "title", "sub")
        shown = drawn(picture_of(release, prior=list(prior), level=0.9))
        priors, posteriors = (shown.marks_of("polyline", tone) for tone in ("l-prior", "l-aware"))
        return tuple([[y for _, y in mark.points] for mark in marks] for marks in (priors, posteriors))  # type: ignore[return-value]

    flat, _ = curves((1.0, 1.0, 1.0), (20, 0, 0))
    assert len(flat) == 3
    for line in flat:  # a straight line from 2 to 0, and no plateau where it would be cut
        steps = np.diff(line)
        assert steps.min() == pytest.approx(steps.max(), abs=0.03)
    _, posteriors = curves((0.5, 1.0, 2.0), (12, 5, 3))
    # The axis does not reach the peak of a density next to 0, because the rest of the curve would look flat.
    for heights in posteriors:
        inner = heights[20:-20]
        assert max(inner) - min(inner) > 20


@pytest.mark.every(2)
@pytest.mark.parametrize("m", [250, *(pytest.param(m, marks=pytest.mark.long) for m in (300, 400, 1000))])
@pytest.mark.parametrize("mechanism", [SimplexGeometric, Laplace])
def test_hundreds_of_categories_are_judged_quickly_under_wide_noise(
    mechanism: type[SimplexGeometric | Laplace], m: int
) -> None:
    event = mechanism(10**6, m, Epsilon.parse("0.0001"))
    assert accuracy_seconds(event) < 1
    assert len(accuracy_response(event, [1.0] * m, 0.95).at_counts) >= 2


@pytest.mark.long
def test_ten_thousand_categories_are_judged_quickly() -> None:
    event = SimplexGeometric(10**7, 10_000, Epsilon.parse("1"))
    assert accuracy_seconds(event) < 1
    found = accuracy_response(event, [1.0] * 10_000, 0.95)
    assert [each.count for each in found.at_counts] == [1000, 30]
    assert all(each.width_ratio is not None and each.width_ratio > 1 for each in found.at_counts)
