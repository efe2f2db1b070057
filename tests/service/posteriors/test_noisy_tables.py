"""Posteriors of noisy tables that somebody else published: right, free, bounded, and not stored."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Engine, func, select

from core.inference.beta_pairs import BetaPairs
from core.inference.published import Noise, PublishedCell, Total, infer_table
from service.database.engine import reading
from service.database.tables import metadata
from service.errors import InvalidRequest, NotSupported
from service.schemas.posteriors import PosteriorCreate
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.core.inference.test_published import cdf, mean
from tests.harness.asked import of_table, summarised_table
from tests.harness.bodies import share
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

GEOMETRIC: Final = {"law": "geometric", "scale": 1}
PLAIN: Final[dict[str, Any]] = {
    "cells": [{"label": "yes", "value": 41}, {"label": "no", "value": 112}],
    "noise": {"law": "geometric", "epsilon": 1},
}


def table(values: list[float | None], noise: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {
        "cells": [{"label": f"cell {place}", "value": value} for place, value in enumerate(values)],
        "noise": noise,
        **others,
    }


def summarise(body: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(summarised_table(body).model_dump_json())
    return answer


@pytest.fixture
def database_url(migrated_sqlite: Path, tmp_path: Path) -> str:
    """One kind of database is enough: a table only reaches it as a job."""
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    return f"sqlite:///{tmp_path / 'posterior.sqlite3'}"


def tell(url: str, story: Callable[[Service], Awaitable[None]]) -> None:
    settings = Settings(database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0)

    async def whole() -> None:
        async with running(settings) as service:
            await story(service)

    asyncio.run(whole())


NEAREST_5: Final = {"round_to": 5, "rounding": "half_even"}
REFERENCES: Final = [
    (table([3, -1, 5], GEOMETRIC, prior=[1, 0.5, 2]), 0.470512000856, 7.69818699104, 2.65159641689),
    (
        table([10, 0], {"law": "gaussian", "scale": 4}, printed=NEAREST_5 | {"clamped_at_zero": True}),
        0.0429431940173,
        10.5773802642,
        8.34826950485,
    ),
    (
        table(
            [None, 13, 12],
            {"law": "discrete_gaussian", "scale": 3},
            printed={"shown_from": 10},
            total={"known": 30},
        ),
        0.869660260848,
        30,
        4.68896238212,
    ),
    (
        {
            "cells": [
                {"label": "a", "value": 2},
                {"label": "b", "value": 4.5, "noise": {"law": "laplace", "scale": 1}},
                {"label": "c", "value": 3.7, "noise": {"law": "gaussian", "variance": 1}},
            ],
            "noise": GEOMETRIC,
            "prior": [1, 0.3, 2],
            "total": {"published": {"value": 14, "noise": {"law": "discrete_gaussian", "rho": 0.125}}},
        },
        0.713289769866,
        11.771350711,
        2.60053506492,
    ),
    (
        table([None, None, 25], {"law": "none"}, printed={"shown_from": 10}, total={"known": 40}),
        0.929827167868,
        40,
        7.5,
    ),
]
"""Tables with P(θ_1 <= 0.3), E n and E c_1: sums over all counts in 40 digits."""


def test_shares_counts_and_the_total_have_the_reference_values() -> None:
    for body, up_to_03, total, count in REFERENCES:
        label = body["cells"][0]["label"]
        question = {"kind": "share", **share(label), "between": {"low": 0.0, "high": 0.3}}
        answer = summarise({"prior": {"each": 1, "of": "cell"}} | body | {"questions": [question]})
        found = (
            answer["answers"][0]["between"]["probability"],
            answer["total"]["mean"],
            answer["categories"][0]["count"]["mean"],
        )
        assert found == pytest.approx((up_to_03, total, count), abs=1e-8)


def test_counts_rounded_at_random_perturbed_by_a_table_or_twice_have_the_reference_values() -> None:
    common = {"0": 0.4, "1": 0.2, "-1": 0.2, "2": 0.1, "-2": 0.1}
    geometric = {"law": "geometric", "scale": 2, "second_scale": 5}
    references = {
        1.384076990376: table(
            [0, 10, 15], {"law": "none"}, printed={"round_to": 5, "rounding": "at_random"}, total={"known": 27}
        ),
        0.2616972954631: table([0, 4, 9], {"law": "table", "changes": [{"0": 1}, common]}),
        2.329159394416: table([-3, 5, 12], geometric, total={"known": 15}),
    }
    for wanted, body in references.items():
        found = summarise(body | {"prior": {"each": 1, "of": "cell"}})
        assert found["categories"][0]["count"]["mean"] == pytest.approx(wanted, abs=1e-9)
        assert found["warnings"] == []


def test_a_question_about_cells_with_two_noises_is_answered_from_their_sum() -> None:
    """Each half of the table has twenty noises of variance 20; together they say half as much about either count."""
    twice = {"law": "geometric", "scale": 3.175, "second_scale": 3.175}
    half = {"labels": [f"cell {place}" for place in range(10)]}
    question = {"kind": "share", "of": half, "about": "records"}
    asked = table([40] * 20, twice, questions=[question], total={"known": 800})
    figures = summarise(asked)["answers"][0]
    width = 800 * (figures["interval"]["high"] - figures["interval"]["low"])
    assert width == pytest.approx(2 * 1.96 * (20 * 20 / 2) ** 0.5, rel=0.05)


def test_a_figure_says_when_the_prior_matters() -> None:
    """The noise hides whether the first group has any cases: no lower end of the ratio is known."""
    groups = {"first": {"labels": ["cell 0", "cell 1"]}, "second": {"labels": ["cell 2", "cell 3"]}}
    body = table([0, 300, 20, 300], {"law": "geometric", "scale": 1})
    body |= {"trial": {"outcome": {"labels": ["cell 0", "cell 2"]}, **groups}}
    answer = summarise(body)
    assert answer["prior"] == {"each": 0.5, "of": "piece"}
    other = answer["trial"]["ratio"]["prior_matters"]
    assert other["prior"] == {"each": 0.05, "of": "piece"}
    assert other["low"] <= other["median"] < answer["trial"]["ratio"]["median"]
    assert "The prior matters here" in other["note"]
    assert "rely on the upper end of this figure's own interval only" in other["note"]
    assert answer["trial"]["difference"]["prior_matters"] is None
    # What was stated is compared with ½ a piece.
    stated = summarise(body | {"prior": {"each": 30, "of": "cell"}})
    assert stated["prior"] == [30.0] * 4
    for each in stated["categories"]:
        assert each["prior_matters"]["prior"] == {"each": 0.5, "of": "piece"}


def test_rows_under_both_priors_are_searched_together(monkeypatch: pytest.MonkeyPatch) -> None:
    searched, quantile = list[BetaPairs](), BetaPairs.quantile_of_tail

    def alone(self: BetaPairs, tail: float, *, upper: bool) -> float:
        searched.append(self)
        return quantile(self, tail, upper=upper)

    monkeypatch.setattr(BetaPairs, "quantile_of_tail", alone)
    answer = summarise(table([20 + 3 * (place % 7) for place in range(60)], {"law": "geometric", "scale": 2}))
    assert len(answer["categories"]) == 60
    assert not searched


def test_doubtful_tables_have_warnings() -> None:
    noise = {"law": "geometric", "scale": 2}
    doubtful = {
        "from the total that the stated noise does this with a probability below 1e-17": table(
            [40, 60], noise, total={"known": 200}
        ),
        "below 0 that the stated noise": table([-60, 40, 61], noise),
        "The tables of the same counts differ": table(
            [60, 11], noise, further=[{"cells": table([121, 160], noise)["cells"], "noise": noise}]
        ),
        "clamped_at_zero": table([0, 0, 0, 7, 9], noise),
        "multiples of 10": table([40, 60, 10, 90, 110], noise),
        "`rounding` to whether this was to the nearest multiple or at random": table(
            [40, 60, 15, 90, 115, 5], {"law": "none"}
        ),
    }
    for words, body in doubtful.items():
        assert any(words in each for each in summarise(body)["warnings"]), words
    for fine in (table([40, 61], noise, total={"known": 103}), table([-3, 0, 0, 0, 9], noise)):
        assert not any(words in each for words in doubtful for each in summarise(fine)["warnings"])


def test_a_number_that_stands_for_a_missing_value_is_named_also_if_the_posterior_fails() -> None:
    noises = [{"law": law, "scale": 20} for law in ("geometric", "gaussian")]
    [said, *_] = summarise(table([-666666666, 40, 5], noises[0]))["warnings"]
    assert "so far below 0 that the stated noise does this with a probability below 1e-300" in said
    assert said.endswith("misstated, or -666666666 stands for a missing value.")
    with pytest.raises(InvalidRequest) as refused:
        summarise(table([-666666666, 40, 5], noises[1]))
    assert refused.value.detail == f"sources[0].cells: {said}"
    [said, *_] = summarise(table([40, 60], noises[0], total={"known": 2000}))["warnings"]
    assert said.endswith("The noise, its scale or the total is probably misstated.")


def test_values_without_noise_and_rounding_are_said_to_be_taken_as_exact_counts() -> None:
    words = "The values are taken as exact counts. If they were rounded, set `round_to` and `rounding`."
    none, three = {"law": "none"}, [15.0, 40.0, 110.0]
    assert summarise(table([*three], none))["warnings"] == [words]
    assert summarise(table([*three, None], none, printed={"shown_from": 10}))["warnings"] == [words]
    for other in (table([*three], none, printed=NEAREST_5), table([*three], GEOMETRIC)):
        assert words not in summarise(other)["warnings"]


def test_cells_of_a_cross_table_are_named_by_levels_in_any_order() -> None:
    attributes = [{"name": "arm", "levels": ["drug", "none"]}, {"name": "ill", "levels": ["yes", "no"]}]
    values = {("drug", "yes"): 3, ("drug", "no"): 90, ("none", "yes"): 11, ("none", "no"): 85}
    cells = [{"levels": {"ill": ill, "arm": arm}, "value": value} for (arm, ill), value in values.items()]
    ill = {"where": {"ill": ["yes"]}}
    shares = [{"of": ill, "within": {"where": {"arm": [arm]}}} for arm in ("drug", "none")]
    event = {"kind": "ratio", "first": shares[0], "second": shares[1], "above": 1.0}
    body = {"attributes": attributes, "noise": GEOMETRIC, "questions": [event]}
    found = [summarise(body | {"cells": order}) for order in (cells, cells[::-1])]
    assert found[0] == found[1]
    assert [each["label"] for each in found[0]["categories"]][:2] == ["drug · yes", "drug · no"]
    assert found[0]["answers"][0]["above"]["probability"] < 0.05
    possible = body | {"cells": cells[1:], "impossible": [{"arm": ["drug"], "ill": ["yes"]}], "questions": []}
    assert len(summarise(possible)["categories"]) == 3


def test_strata_and_a_trial_are_answered_from_a_noisy_table() -> None:
    attributes = [
        {"name": "site", "levels": ["A", "B"]},
        {"name": "arm", "levels": ["drug", "none"]},
        {"name": "ill", "levels": ["yes", "no"]},
    ]
    values = iter([30, 970, 60, 940, 45, 955, 90, 910])
    cells = [
        {"levels": {"site": site, "arm": arm, "ill": ill}, "value": next(values)}
        for site in "AB"
        for arm in ("drug", "none")
        for ill in ("yes", "no")
    ]
    ill = {"where": {"ill": ["yes"]}}
    groups = [{"where": {"arm": [arm]}} for arm in ("drug", "none")]
    ratio = {"kind": "ratio", "first": {"of": ill, "within": groups[0]}, "second": {"of": ill, "within": groups[1]}}
    asked = {
        "by": {"attributes": ["site"], "question": ratio},
        "trial": {"outcome": ill, "first": groups[0], "second": groups[1]},
    }
    body = {"attributes": attributes, "cells": cells, "noise": GEOMETRIC}
    found = summarise(body | asked | {"total": {"known": 4000}})
    assert [each["label"] for each in found["by"]["strata"]] == ["A", "B"]
    for each in found["by"]["strata"]:
        low, high = (each["answer"]["interval"][end] for end in ("low", "high"))
        assert low < 0.5 < high
    assert found["trial"]["efficacy"]["median"] == pytest.approx(0.5, abs=0.05)


def test_further_tables_of_the_same_counts_sharpen_the_answer() -> None:
    once = table([30, 70], {"law": "gaussian", "scale": 4})
    further = {"cells": [{"label": "cell 0", "value": 30}], "noise": {"law": "gaussian", "scale": 4}}
    found = [summarise(body)["categories"][0]["count"] for body in (once, once | {"further": [further]})]
    ratio = found[1]["standard_deviation"] / found[0]["standard_deviation"]
    assert ratio == pytest.approx(2**-0.5, rel=0.02)


def test_a_published_total_serves_tables_of_many_cells() -> None:
    noise = Noise("geometric", 10.0)
    cells = [PublishedCell(value, noise) for value in range(0, 4000, 50)]
    posterior = infer_table([cells], [1.0] * len(cells), Total(published=PublishedCell(156_000, noise)))
    assert abs(mean(posterior.counts.totals()) - 156_000) < 30
    assert posterior.counts.error < 1e-8


def test_intervals_of_counts_hold_their_level_with_integers() -> None:
    answer = summarise(PLAIN | {"level": 0.9, "quantiles": [0.25, 0.5]})
    posterior = infer_table([[PublishedCell(v, Noise("geometric", 1.0)) for v in (41, 112)]], [1, 1], Total())
    law = posterior.counts.marginals()[0]
    figures = answer["categories"][0]["count"]
    low, high = (int(figures["interval"][end]) for end in ("low", "high"))
    inside = law.probabilities[low - law.low : high - law.low + 1].sum()
    narrower = law.probabilities[low + 1 - law.low : high - law.low].sum()
    assert narrower < 0.9 <= inside
    assert figures["quantiles"][1]["value"] == 41
    assert cdf(posterior, frozenset({0}), answer["categories"][0]["interval"]["low"]) <= 0.05


def test_the_picture_has_a_row_for_each_cell() -> None:
    body = table([41, 112, None], GEOMETRIC, printed={"shown_from": 20}, picture={})
    picture = summarise(body)["picture"]
    assert all(f"cell {place}" in picture for place in range(3))
    with pytest.raises(NotSupported) as refused:
        summarise(table([1.0] * 201, GEOMETRIC, picture={}))
    assert "at most 200 categories" in refused.value.detail


def rows_of_everything(engine: Engine) -> dict[str, int]:
    with reading(engine) as connection:
        return {
            each.name: connection.execute(select(func.count()).select_from(each)).scalar_one()
            for each in metadata.sorted_tables
        }


def test_a_table_is_answered_free_to_every_role_and_nothing_is_stored(
    database_url: str, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    people = [person(engine, role) for role in (Role.ANALYST, Role.OWNER)]
    secret = PLAIN | {"cells": [{"label": "flagrante", "value": 8_123_457}, {"label": "no", "value": 112}]}

    async def story(service: Service) -> None:
        before = rows_of_everything(engine)
        for who in people:
            answer = await service.send(who, "POST", "/v1/posteriors", of_table(secret))
            assert answer.status_code == 200, answer.text
            assert answer.json()["categories"][0]["count"]["mean"] == pytest.approx(8_123_457, abs=1)
        plot = await service.send(people[0], "POST", "/v1/posteriors", of_table(secret) | {"picture": {}})
        assert "flagrante" in plot.json()["picture"]
        bad = await service.send(
            people[0], "POST", "/v1/posteriors", of_table(secret | {"noise": GEOMETRIC, "level": 2})
        )
        assert "flagrante" not in bad.text
        metrics = (await service.http.get("/metrics")).text
        logged = " ".join(str(vars(each)) for each in caplog.records)
        for text in (metrics, logged):
            assert "flagrante" not in text
            assert "8123457" not in text
        assert rows_of_everything(engine) == before

    tell(database_url, story)


def test_a_long_posterior_becomes_a_job_at_once_and_can_be_deleted(database_url: str, engine: Engine) -> None:
    who = person(engine, Role.ANALYST)
    body = table([place % 5 for place in range(3000)], GEOMETRIC, total={"known": 6000})

    async def story(service: Service) -> None:
        answer = await service.send(who, "POST", "/v1/posteriors", of_table(body))
        assert answer.status_code == 202
        assert answer.json()["kind"] == "posterior"
        found = await service.settled(who, "POST", "/v1/posteriors", of_table(body))
        assert len(found.json()["categories"]) == 3000
        job = answer.json()["id"]
        assert (await service.send(who, "DELETE", f"/v1/jobs/{job}")).status_code == 204
        assert rows_of_everything(engine)["jobs"] == 0

    tell(database_url, story)


def test_three_cells_with_wide_noise_at_an_unknown_total_become_a_job(database_url: str, engine: Engine) -> None:
    who = person(engine, Role.ANALYST)

    async def story(service: Service) -> None:
        for scale, status in ((5, 200), (20, 202)):
            body = table([100, 138, 175], {"law": "laplace", "scale": scale})
            assert (await service.send(who, "POST", "/v1/posteriors", of_table(body))).status_code == status

    tell(database_url, story)


def changed(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in (PLAIN | changes).items() if value is not ...}


def cells(*changes: dict[str, Any]) -> dict[str, Any]:
    return changed(cells=[{"label": f"cell {place}", "value": 7} | each for place, each in enumerate(changes)])


ATTRIBUTES: Final = [{"name": "a", "levels": ["x", "y"]}]
HUGE: Final = 10**400
BAD: Final[list[tuple[str, Any]]] = [
    ("cells", changed(cells=...)),
    ("cells", changed(cells={"yes": 41})),
    ("cells", changed(cells=[])),
    ("cells", changed(cells=[{"label": "alone", "value": 3}])),
    ("cells", changed(cells=[{"label": str(place), "value": 1} for place in range(10_001)])),
    ("cells[0].value", cells({"value": "41"}, {})),
    ("cells[1].value", cells({}, {"value": True})),
    ("cells[0].value", cells({"value": [3]}, {})),
    ("cells[0].value", cells({"value": HUGE}, {})),
    ("cells[0].value", cells({"value": 1e300}, {})),
    ("cells[0].value", cells({"value": 2.5}, {})),
    ("cells[0].value", cells({"value": None}, {})),
    ("cells[0].label", cells({"label": "same"}, {"label": "same"}) | {"cells": [{"label": 3, "value": 1}] * 2}),
    ("cells[1].label", cells({"label": "same"}, {"label": " same "})),
    ("cells[0].label", cells({"label": "\u202e"}, {})),
    ("cells[0].label", cells({"label": "x" * 201}, {})),
    ("cells[0]", cells({"levels": {"a": "x"}}, {})),
    ("cells[0].levels", changed(cells=[{"levels": {"a": "x"}, "value": 1}] * 2)),
    ("cells[0].count", cells({"count": 3}, {})),
    ("cells[0].between", cells({"between": [1, 9]}, {})),
    ("cells[0].between", cells({"value": None, "between": [9, 1]}, {})),
    ("cells[0].between", cells({"value": None, "between": [1, 2, 3]}, {})),
    ("cells[0].between[0]", cells({"value": None, "between": ["1", 2]}, {})),
    ("cells[0]", cells({"value": None, "between": [3, None]}, {})),
    ("cells[0].noise.scale", cells({"noise": {"law": "geometric", "scale": 0}}, {})),
    ("cells[0].noise.scale", cells({"noise": {"law": "gaussian", "scale": 2**41}}, {})),
    ("cells[0].label", changed(attributes=ATTRIBUTES)),
    ("cells", changed(attributes=ATTRIBUTES, cells=[{"levels": {"a": "x"}, "value": 1}] * 2)),
    ("cells[0].levels", changed(attributes=ATTRIBUTES, cells=[{"levels": {"a": level}, "value": 1} for level in "zx"])),
    ("impossible", changed(impossible=[{"a": ["x"]}])),
    ("noise", changed(noise=...)),
    ("noise.law", changed(noise={"law": "uniform", "scale": 1})),
    ("noise.changes", changed(noise={"law": "table"})),
    ("noise.changes", changed(noise={"law": "geometric", "scale": 1, "changes": [{"0": 1}]})),
    ("noise.changes", changed(noise={"law": "table", "changes": [{"0": 0.5, "1": 0.4}]})),
    ("noise.changes", changed(noise={"law": "table", "changes": [{"9999": 1}]})),
    ("noise.changes", changed(noise={"law": "table", "changes": [{"x": 1}]})),
    ("noise.changes", changed(noise={"law": "table", "changes": [{"0": 1}] * 1001})),
    ("noise.scale", changed(noise={"law": "table", "changes": [{"0": 1}], "scale": 1})),
    ("cells[0].noise.law", cells({"noise": {"law": "table", "changes": [{"0": 1}]}}, {})),
    ("cells[1].value", cells({}, {"value": -2}) | {"noise": {"law": "table", "changes": [{"-1": 0.5, "1": 0.5}]}}),
    ("noise.second_scale", changed(noise={"law": "laplace", "scale": 1, "second_scale": 1})),
    ("noise.law", changed(noise={"law": "geometric"})),
    ("noise.law", changed(noise={"law": "geometric", "scale": 1, "epsilon": 1})),
    ("noise.rho", changed(noise={"law": "geometric", "rho": 1})),
    ("noise.epsilon", changed(noise={"law": "gaussian", "epsilon": 1})),
    ("noise.scale", changed(noise={"law": "none", "scale": 1})),
    ("noise.epsilon", changed(noise={"law": "geometric", "epsilon": -1})),
    ("noise.epsilon", changed(noise={"law": "geometric", "epsilon": HUGE})),
    ("noise.scale", changed(noise={"law": "geometric", "epsilon": 1e-300})),
    ("noise.scale", changed(noise={"law": "geometric", "scale": 1e-300})),
    ("noise.l2_sensitivity", changed(noise={"law": "gaussian", "rho": 1, "l2_sensitivity": 0})),
    ("cells", changed(noise={"law": "geometric", "scale": 2**39})),
    ("printed.round_to", changed(printed=NEAREST_5 | {"round_to": 0})),
    ("printed.round_to", changed(printed=NEAREST_5 | {"round_to": 2.5})),
    ("printed.rounding", changed(printed={"round_to": 5, "rounding": "bankers"})),
    ("printed.rounding", changed(printed={"round_to": 5})),
    ("printed.rounding", changed(printed={"rounding": "half_up"})),
    ("cells[0].noise", changed(printed={"round_to": 5, "rounding": "at_random"})),
    ("printed.round_to", changed(noise={"law": "none"}, printed={"round_to": 1001, "rounding": "at_random"})),
    ("printed.clamped_at_zero", changed(printed={"clamped_at_zero": "yes"})),
    ("printed.shown_from", changed(printed={"clamped_at_zero": True, "shown_from": 0})),
    ("cells[0].value", changed(printed=NEAREST_5)),
    ("cells[0].value", changed(printed={"shown_from": 91})),
    ("cells[1].value", cells({}, {"value": -3}) | {"printed": {"clamped_at_zero": True}}),
    ("total", changed(total={})),
    ("total", changed(total=2600)),
    ("total", changed(total={"known": 5, "at_most": 6})),
    ("total.known", changed(total={"known": 0})),
    ("total.known", changed(total={"known": HUGE})),
    ("total.published.value", changed(total={"published": {"value": 3.5, "noise": GEOMETRIC}})),
    ("cells", changed(noise={"law": "none"}, total={"known": 20})),
    ("cells", table([3, 97, 100], GEOMETRIC)),
    ("cells", table([3, 97, 101], GEOMETRIC)),
    ("cells", table([1260, 145, 20, None, 1430], {"law": "none"}, printed={"shown_from": 10})),
    ("further[0].cells[0].label", changed(further=[{"cells": [{"label": "maybe", "value": 1}], "noise": GEOMETRIC}])),
    ("further", changed(further=[{"cells": [{"label": "yes", "value": 1}], "noise": GEOMETRIC}] * 10)),
    ("prior", changed(prior=[1, 1, 1])),
    ("prior", changed(prior="flat")),
    ("prior", changed(prior={"each": 0, "of": "cell"})),
    ("prior", changed(prior=[1, 1e7])),
    ("total", changed(prior={"each": 600_000, "of": "cell"})),
    ("total", changed(cells=[{"label": str(number), "value": 1} for number in range(5001)])),
    ("level", changed(level=95)),
    ("adjusted", changed(adjusted=True)),
    ("questions[0].of.labels[0]", changed(questions=[{"kind": "share", **share("maybe"), "above": 0.5}])),
    ("questions[0].of", changed(questions=[{"kind": "share", "of": {"labels": ["yes", "no"]}}])),
    ("draws.size", changed(draws={"size": 100_001})),
    ("density_points", changed(density_points=-1)),
    ("stored", changed(stored=True)),
]
"""Bodies, and the field that the refusal names."""


def test_a_bad_body_is_refused_with_the_field_that_is_wrong(database_url: str, engine: Engine) -> None:
    who: Person = person(engine, Role.ANALYST)
    plain = json.dumps(of_table(PLAIN))
    not_numbers = plain.replace("112", "NaN"), plain.replace("112", "Infinity")

    async def story(service: Service) -> None:
        for field, body in BAD:
            answer = await service.send(who, "POST", "/v1/posteriors", of_table(body))
            assert answer.status_code == 422, (field, answer.status_code, answer.text[:300])
            places = [each["location"] for each in answer.json()["errors"]]
            is_of_table = re.split(r"\W", field)[0] not in PosteriorCreate.model_fields
            wanted = f"body.sources[0]{f'.{field}' if field else ''}" if is_of_table else f"body.{field}"
            assert any(place == wanted or place.startswith((f"{wanted}[", f"{wanted}.")) for place in places), (
                wanted,
                answer.json()["errors"][:3],
            )
            assert answer.json()["charged"] is False
        answer = await service.send(who, "POST", "/v1/posteriors", of_table(changed(prior={"each": 0, "of": "cell"})))
        assert answer.json()["errors"][0]["location"] == "body.prior.each"
        for text in not_numbers:
            headers = who.headers | {"Content-Type": "application/json"}
            answer = await service.http.post("/v1/posteriors", content=text, headers=headers)
            assert answer.status_code in (400, 422), answer.text

    tell(database_url, story)


def test_a_value_close_to_the_sum_of_the_others_is_a_category_if_the_request_says_so() -> None:
    for noise in ({"law": "geometric", "epsilon": 1}, {"law": "geometric", "epsilon": 2}, {"law": "none"}):
        with pytest.raises(InvalidRequest) as refused:
            summarise(table([3, 97, 100], noise))
        assert "“cell 2” are close to the sums of the others" in refused.value.detail
        assert len(summarise(table([3, 97, 100], noise, no_totals=True))["categories"]) == 3
        assert len(summarise(table([3, 97], noise))["categories"]) == 2


def test_a_trial_of_a_published_table_is_answered() -> None:
    """Of 300 and of 310 people, 30 and 62 were ill, and the number of people is not known."""
    groups = {"first": {"labels": ["cell 0", "cell 1"]}, "second": {"labels": ["cell 2", "cell 3"]}}
    asked = {"outcome": {"labels": ["cell 0", "cell 2"]}, **groups}
    found = summarise(table([30, 270, 62, 248], GEOMETRIC, trial=asked))["trial"]
    assert found["ratio"]["median"] == pytest.approx(30 / 300 / (62 / 310), rel=0.1)
    assert found["ratio"]["interval"]["high"] < 1
    assert found["number_needed"]["direction"] == "fewer"
