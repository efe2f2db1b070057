"""Which posteriors at an unknown total become jobs, by the number of their cells and the counts that are possible."""

from __future__ import annotations

from typing import Any

import pytest

from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.private_size import PrivateSize
from core.privacy import Epsilon
from service.posteriors.read_releases import ReadRelease
from service.posteriors.sources import table_of, takes_long
from service.schemas.posteriors import PosteriorCreate

INTERVALS = [
    {"label": "a", "between": [1, 9]},
    {"label": "b", "value": 105},
    {"label": "c", "between": [31, None]},
    {"label": "d", "between": [31, None]},
]


def table(noise: dict[str, Any], *more: dict[str, Any], labels: str = "abc", **changes: Any) -> Any:
    cells = [{"label": label, "value": 40} for label in labels]
    further = [{"cells": cells, "noise": each} for each in more]
    source = {"kind": "table", "cells": cells, "noise": noise, "further": further} | changes
    found = table_of(PosteriorCreate.model_validate({"sources": [source]}).sources)
    assert found is not None
    return found


ONE_OPEN: list[dict[str, Any]] = [
    {"label": "a", "value": 9},
    {"label": "b", "value": 105},
    {"label": "c", "between": [31, None]},
]


def with_bound(scale: float, at_most: int, cells: list[dict[str, Any]] = ONE_OPEN) -> Any:
    return table({"law": "laplace", "scale": scale}, total={"at_most": at_most}, cells=cells)


BOUNDED = table({"law": "laplace", "scale": 1}, total={"at_most": 2000}, cells=INTERVALS)


@pytest.mark.parametrize(
    ("given", "is_long"),
    [
        (table({"law": "laplace", "scale": 10}), False),  # 1.9 s
        (table({"law": "laplace", "scale": 20}), True),  # 3.2 s
        (table({"law": "laplace", "scale": 40}), True),  # 5.3 s
        (table({"law": "geometric", "scale": 2}, labels="abcdef"), False),  # 1.1 s
        (table({"law": "geometric", "scale": 2}, labels="abcdefghijkl"), True),  # 3.3 s
        (table({"law": "geometric", "scale": 10}, labels="abcdef"), True),  # 3.1 s
        (BOUNDED, True),
        (with_bound(1, 1000), False),  # 1 s
        (with_bound(5, 1000), True),  # 3.1 s
        (with_bound(5, 300), False),  # 0.5 s
        (with_bound(5, 1200), False),  # 0.9 s: these are too many totals to list
        (with_bound(10, 1000, [{"label": each, "value": 330} for each in "abc"]), True),
        (table({"law": "geometric", "scale": 40}), True),
        (table({"law": "gaussian", "scale": 40}), False),  # 0.7 s
        (table({"law": "laplace", "scale": 40}, total={"known": 120}), False),
        (table({"law": "laplace", "scale": 40}, {"law": "laplace", "scale": 5}), False),
    ],
)
def test_a_table_of_wide_noise_is_a_job_unless_its_total_is_known(given: Any, is_long: bool) -> None:  # noqa: FBT001
    assert takes_long(given, None) is is_long


@pytest.mark.parametrize(
    ("strata", "scale", "is_long"),
    [(50, 2, False), (50, 5, False), (50, 20, True), (200, 2, True)],  # 1.1, 1.5, 4 and 4 s
)
def test_strata_are_a_job_if_they_are_many_or_their_noise_is_wide(strata: int, scale: float, is_long: bool) -> None:  # noqa: FBT001
    cells = [{"label": f"cell {number}", "value": 100} for number in range(4 * strata)]
    given = table({"law": "geometric", "scale": scale}, cells=cells, total={"known": 400 * strata})
    assert takes_long(given, None, contrasts=1, strata=strata) is is_long


def test_releases_at_a_private_number_are_jobs_if_their_noise_is_wide() -> None:
    counts = NoisyCounts((40, 30, 20), (40, 30, 20))
    for epsilon, is_long in (("0.05", False), ("0.02", True)):
        event = PrivateSize(3, "geometric", Epsilon.parse(epsilon))
        release = ReadRelease("rel_1", event, ["a", "b", "c"], [1.0] * 3, counts, "", "")
        assert takes_long([release], None) is is_long
