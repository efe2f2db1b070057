"""What a quote and a picture say that releases are worth, at public sizes alone."""

from __future__ import annotations

import asyncio
import re
from functools import partial

import numpy as np
import pytest
from scipy import special

from core import widths
from core.mechanisms.exponential.calibration import calibrate_global
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon
from service.posteriors import pictures
from service.posteriors.pictures import judging_seconds, picture
from service.posteriors.read_releases import ReadRelease
from service.releases.document import posterior_response
from service.releases.worth import seconds, worth, worth_of
from service.runtime import Runtime
from service.schemas.posteriors import PictureRequest
from service.schemas.releases import Worth
from service.settings import Settings
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.service.conftest import Study


def test_intervals_are_told_beside_those_of_exact_counts_and_of_the_prior() -> None:
    told = worth_of(SimplexGeometric(1000, 2, Epsilon.parse("0.5")), [1.0, 1.0], 0.9)
    exact = np.diff(special.betaincinv(501, 501, [0.05, 0.95]))[0]
    assert told.interval_width_without_noise == pytest.approx(exact, rel=1e-9)
    assert told.prior_interval_width == pytest.approx(0.9, rel=1e-9)
    assert told.interval_width is not None
    assert told.times_as_wide == pytest.approx(told.interval_width / exact)
    assert told.times_as_wide is not None
    assert 1.0 < told.times_as_wide < 1.2
    assert told.warning is None


def test_a_release_that_tells_next_to_nothing_is_warned_of() -> None:
    weak = worth_of(SimplexGeometric(50, 2, Epsilon.parse("0.001")), [1.0, 1.0], 0.95)
    assert weak.warning is not None
    assert "next to nothing: its interval would be about as wide as the prior's" in weak.warning
    many = worth_of(calibrate_global(2000, (1.0,) * 12, Epsilon.parse("0.5")), [1.0] * 12, 0.95)
    assert many.interval_width is None
    assert many.expected_hellinger_error is not None
    assert many.warning is not None
    # Few records say little by themselves, and that is no fault of the release.
    assert worth_of(SimplexGeometric(1, 2, Epsilon.parse("20")), [1.0, 1.0], 0.95).warning is None


def test_a_quote_says_it_and_looks_at_no_counts(study: Study) -> None:
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}, "level": 0.9}
    answer = study.analyst.post(f"/v1/datasets/{study.dataset_id}/quotes", body)
    assert answer.status_code == 200, answer.text
    size = study.analyst.get(f"/v1/datasets/{study.dataset_id}").json()["record_count"]
    expected = worth_of(SimplexGeometric(size, 2, Epsilon.parse("0.1")), [1.0, 1.0], 0.9)
    assert answer.json()["worth"] == expected.model_dump()


@pytest.mark.usefixtures("engine")
def test_a_quote_leaves_out_what_takes_long_to_find_and_finds_out_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.runtime.COMPUTATION_SECONDS", 0)
    event = calibrate_global(10**7, (1.0,) * 1000, Epsilon.parse("1"), Delta.parse("1e-18"))
    settings = Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY)

    async def story() -> None:
        runtime = Runtime.start(settings)
        find = partial(worth, runtime, "pri", event, [1.0] * event.m, 0.95)
        try:
            assert await find() is None
        finally:
            await runtime.processes.close()
            runtime.close()
        assert await find() is None, "known, and no process is there any more"

    asyncio.run(story())


def test_a_picture_leaves_out_what_takes_long_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_MOST_JUDGING", 0.0)
    event, counts = SimplexGeometric(1000, 2, Epsilon.parse("0.05")), NoisyCounts((300, 700), (300, 700))
    release = ReadRelease("rel", event, ["a", "b"], [1.0, 1.0], counts, "title", "subtitle")
    assert judging_seconds(event) == 0
    assert "made-up" not in picture(release, PictureRequest(level=0.9, by=[]))


def test_a_naive_interval_is_left_out_where_it_would_mean_nothing() -> None:
    law = partial(posterior_response, level=0.95)
    counts = NoisyCounts((3, 7, 10), (3, 7, 10))
    many = calibrate_global(20, (1.0,) * 3, Epsilon.parse("2"))
    shown = law(many, ["a", "b", "c"], [1.0] * 3, counts=counts)
    assert [each.naive_interval for each in shown.categories] == [None] * 3
    near = law(SimplexGeometric(20, 3, Epsilon.parse("2")), ["a", "b", "c"], [1.0] * 3, counts=counts)
    assert all(each.naive_interval is not None for each in near.categories)
    two = calibrate_global(10, (1.0,) * 2, Epsilon.parse("2"))
    shown = law(two, ["a", "b"], [1.0] * 2, counts=NoisyCounts((3, 7), (3, 7)))
    assert all(each.naive_interval is not None for each in shown.categories)


@pytest.mark.parametrize(("n", "m", "words"), [(20, 3, "noise-aware"), (200_000, 12, "may be far from the truth")])
def test_a_picture_shows_no_naive_law_where_it_would_mean_nothing(n: int, m: int, words: str) -> None:
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
    drawn = picture(release, PictureRequest(level=0.95, by=[]))
    assert "naive" not in drawn
    assert words in drawn
    assert "tells next to nothing" in drawn


def test_a_picture_says_what_such_releases_are_worth() -> None:
    event = SimplexGeometric(1000, 2, Epsilon.parse("0.05"))
    counts = NoisyCounts((300, 700), (300, 700))
    release = ReadRelease("rel", event, ["a", "b"], [1.0, 1.0], counts, "title", "subtitle")
    times = worth_of(event, [1.0, 1.0], 0.9).times_as_wide
    assert times is not None
    assert times > 1.3
    drawn = picture(release, PictureRequest(level=0.9, by=[]))
    assert f"90 % intervals are expected to be {times:.3g} times as wide as without noise" in drawn


def test_a_picture_shows_priors_whole_and_cuts_what_grows_without_bounds() -> None:
    def heights(prior: tuple[float, ...], counts: tuple[int, ...]) -> tuple[str, list[list[float]]]:
        event = calibrate_global(20, prior, Epsilon.parse("8"))
        release = ReadRelease("rel", event, ["a", "b", "c"], list(prior), NoisyCounts(counts, counts), "title", "sub")
        drawn = picture(release, PictureRequest(level=0.9, by=[]))
        lines = re.findall(r'points="([^"]*)" fill="none" fill-opacity="0.15" stroke="#7a7a7a"', drawn)
        return drawn, [[float(point.split(",")[1]) for point in line.split()] for line in lines]

    _, flat = heights((1.0, 1.0, 1.0), (20, 0, 0))
    assert len(flat) == 3
    for line in flat:  # a straight line from 2 to 0, and no plateau where it would be cut
        steps = np.diff(line)
        assert steps.min() == pytest.approx(steps.max(), abs=0.03)
    drawn, _ = heights((0.5, 1.0, 2.0), (12, 5, 3))
    assert "000</text>" not in drawn  # no axis up to what a density reaches next to 0


@pytest.mark.parametrize("mechanism", [SimplexGeometric, Laplace])
def test_very_many_categories_are_worth_what_some_of_them_are(
    mechanism: type[SimplexGeometric | Laplace], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the others a category knows the sum alone, which next to nothing hangs on."""
    event, prior = mechanism(40_000, 500, Epsilon.parse("0.5")), [0.7, *np.linspace(0.5, 3.0, 499).tolist()]
    some = worth_of(event, prior, 0.95)
    monkeypatch.setattr(widths, "_FEWER_FROM", 500)
    whole = worth_of(event, prior, 0.95)
    assert some.interval_width == pytest.approx(whole.interval_width, rel=0.03)
    assert replace_widths(some) == replace_widths(whole)


def replace_widths(worth: Worth) -> Worth:
    return worth.model_copy(update={"interval_width": None, "times_as_wide": None})


def test_ten_thousand_categories_are_judged_quickly() -> None:
    event = SimplexGeometric(10**7, 10_000, Epsilon.parse("1"))
    assert seconds(event) < 1
    told = worth_of(event, [1.0] * 10_000, 0.95)
    assert told.times_as_wide is not None
    assert told.times_as_wide > 1
