"""What a quote, a release and its picture say that it is worth, at public sizes alone."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
import pytest
from scipy import special

import service.releases.worth as worth_module
from core import widths
from core.mechanisms.catalogue import Event
from core.mechanisms.exponential.calibration import calibrate_global
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon
from service.cache import Memory
from service.fair_queue import FairThreads
from service.posteriors import pictures
from service.posteriors.pictures import judging_seconds, picture
from service.posteriors.read_releases import ReadRelease
from service.releases.document import posterior_response
from service.releases.worth import kind_of, of_paid, seconds, told, worth_of
from service.schemas.posteriors import PictureRequest
from service.schemas.releases import Worth
from service.settings import Settings
from tests.harness.bodies import unique
from tests.harness.server import Party
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


def test_every_release_says_what_its_quote_would(study: Study) -> None:
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.01"}, "level": 0.9}

    def released(party: Party) -> Any:
        key = unique("release").replace(" ", "-")
        answer = party.post(f"/v1/datasets/{study.dataset_id}/releases", body, idempotency_key=key)
        assert answer.status_code == 201, answer.text
        again = party.post(f"/v1/datasets/{study.dataset_id}/releases", body, idempotency_key=key)
        assert again.content == answer.content
        return answer.json()

    first = released(study.analyst)
    quoted = study.analyst.post(f"/v1/datasets/{study.dataset_id}/quotes", body).json()["worth"]
    assert first["worth"] == quoted
    assert quoted["level"] == 0.9
    assert 1 <= quoted["times_as_wide"] < 1.001
    assert study.analyst.get(f"/v1/releases/{first['id']}").json() == first
    assert released(study.owner)["worth"] == quoted


class Finding:
    """As much of a runtime as finding a worth takes."""

    def __init__(self) -> None:
        self.worths: Memory[Any, str] = Memory(10)
        self.finding_worths: dict[Any, Any] = {}
        self.judging = FairThreads("worth", threads=2, at_once=2, each=1, each_waiting=9)
        self.settings = Settings()
        self.processes = self

    async def run(self, _: str, text: str, **__: object) -> str:
        """In place of a process."""
        return await asyncio.to_thread(told, text)


def found(event: Event, prior: list[float], times: int = 1) -> tuple[list[str | None], Finding]:
    async def all_of_them() -> tuple[list[str | None], Finding]:
        runtime = Finding()
        try:
            asked = [of_paid(cast("Any", runtime), "pri", event, prior, 0.95) for _ in range(times)]
            return await asyncio.gather(*asked), runtime
        finally:
            runtime.judging.close()

    return asyncio.run(all_of_them())


def test_the_worth_of_a_kind_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Event] = []

    def judge(event: Event, prior: list[float], level: float) -> Any:
        judged.append(event)
        return worth_of(event, prior, level)

    monkeypatch.setattr(worth_module, "worth_of", judge)
    event = SimplexGeometric(100, 2, Epsilon.parse("1"))
    texts, runtime = found(event, [1.0, 1.0], times=5)
    assert len(set(texts)) == 1
    assert texts[0] is not None
    assert judged == [event]
    assert not runtime.finding_worths
    assert runtime.worths.get(kind_of(event, [1.0, 1.0], 0.95)) == texts[0]


def test_what_takes_long_to_judge_takes_its_principal_s_place_or_is_left_out() -> None:
    """Priors that differ a little are kinds of their own, and each took a thread of the service for seconds."""
    event = SimplexGeometric(10**5, 20, Epsilon.parse("0.001"))
    assert 0.25 < seconds(event) < 4

    async def story() -> tuple[int, bool, str | None]:
        runtime = Finding()
        begun, goes_on = asyncio.Semaphore(0), asyncio.Event()

        async def run(_: str, text: str, **__: object) -> str:
            begun.release()
            await goes_on.wait()
            return await asyncio.to_thread(told, text)

        runtime.run = run  # type: ignore[method-assign]
        runtime_ = cast("Any", runtime)
        try:
            first = asyncio.create_task(of_paid(runtime_, "greedy", event, [1.0] * 20, 0.95))
            await begun.acquire()
            left_out = [await of_paid(runtime_, "greedy", event, [1.0] * 19 + [1 + k / 100], 0.95) for k in range(1, 9)]
            polite = asyncio.create_task(of_paid(runtime_, "polite", event, [1.0] * 20, 0.95))
            await begun.acquire()
            goes_on.set()
            return left_out.count(None), await polite == await first, await first
        finally:
            runtime.judging.close()

    left_out, same, text = asyncio.run(story())
    assert (left_out, same) == (8, True)
    assert text is not None


@pytest.mark.parametrize(
    ("event", "alpha"),
    [
        (SimplexGeometric(10**5, 200, Epsilon.parse("0.001")), 0.001),
        # Estimated to take a moment, but with another prior.
        (Laplace(10**6, 49, Epsilon.parse("0.436")), 88_014.7),
    ],
)
def test_a_kind_that_takes_longer_than_was_estimated_is_tried_once(event: Event, alpha: float) -> None:
    assert seconds(event) < 1.7
    limits: list[float] = []

    async def story() -> list[str | None]:
        runtime = Finding()

        async def run(_: str, __: str, *, processor_seconds: float, **___: object) -> str:
            limits.append(processor_seconds)
            raise TimeoutError

        runtime.run = run  # type: ignore[method-assign,assignment]
        try:
            return [await of_paid(cast("Any", runtime), "pri", event, [alpha] * event.m, 0.95) for _ in range(2)]
        finally:
            runtime.judging.close()

    assert asyncio.run(story()) == [None, None]
    assert limits == [1.7]


def test_a_paid_release_waits_for_no_worth_that_takes_long_and_fails_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    long = calibrate_global(10**7, (1.0,) * 1000, Epsilon.parse("1"), Delta.parse("1e-18"))
    assert seconds(long) > 60
    for event in (long,):
        texts, runtime = found(event, [1.0] * event.m)
        assert texts == [None]
        quoted = worth_module.worth(cast("Any", runtime), "pri", event, [1.0] * event.m, 0.95)
        assert asyncio.run(quoted) is None, "its quote waits for none either"

    def fail(*_: object) -> Any:
        raise ArithmeticError

    monkeypatch.setattr(worth_module, "worth_of", fail)
    texts, runtime = found(SimplexGeometric(100, 2, Epsilon.parse("1")), [1.0, 1.0])
    assert texts == [None]
    assert not runtime.finding_worths


def test_a_picture_repeats_the_worth_of_its_release_where_finding_it_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pictures, "_MOST_JUDGING", 0.0)
    event, counts = SimplexGeometric(1000, 2, Epsilon.parse("0.05")), NoisyCounts((300, 700), (300, 700))
    assert judging_seconds(event) == 0
    release = ReadRelease("rel", event, ["a", "b"], [1.0, 1.0], counts, "title", "subtitle")
    told = worth_of(event, [1.0, 1.0], 0.8)
    drawn = picture(replace(release, worth=told.model_dump()), PictureRequest(level=0.9, by=[]))
    assert f"80 % intervals are expected to be {told.times_as_wide:.3g} times as wide as without noise" in drawn
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
