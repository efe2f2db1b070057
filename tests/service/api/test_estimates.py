"""One operation estimates weighted sums and tables, and takes one of them at a time."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.conftest import Study


def test_queries_are_answered_from_all_releases_that_the_caller_may_read(study: Study) -> None:
    path = f"/v1/datasets/{study.dataset_id}/estimates"
    label = study.owner.get(f"/v1/datasets/{study.dataset_id}").json()["labels"][0]
    asked = {"queries": [{"of": {"labels": [label]}, "confidence": 0.9}, {"weights": [1, 1]}]}
    before = study.spent()
    release = study.analyst.release(study.dataset_id).json()
    paid = study.spent()
    found = study.analyst.post(path, asked).json()
    count, size = found["answers"]
    assert count["interval"]["low"] < count["estimate"] < count["interval"]["high"]
    assert (size["estimate"], size["standard_deviation"]) == (release["record_count"], 0)
    assert [each["release_id"] for each in count["used"]] == found["used"] == [release["id"]]
    assert found["covariance"][0][0] == pytest.approx(count["standard_deviation"] ** 2)
    assert (found["tables"], found["constrained"], found["excluded_releases"]) == (None, None, [])
    assert before != paid == study.spent()


def test_an_estimate_is_of_queries_or_of_tables(study: Study) -> None:
    path, query = f"/v1/datasets/{study.dataset_id}/estimates", {"weights": [1, 0]}
    bodies: list[dict[str, Any]] = [
        {},
        {"queries": [query], "all": 1},
        {"margins": [["age"]], "all": 1},
        {"queries": [query], "confidence": 0.9},
        {"queries": [query], "constraints": True},
        {"queries": []},
        {"queries": [query] * 101},
    ]
    for body in bodies:
        refused = study.analyst.post(path, body)
        assert (refused.status_code, refused.json()["charged"]) == (422, False), body
    answer = study.analyst.post(path, {"queries": [query]}).json()
    assert (answer["answers"], answer["covariance"], answer["used"]) == ([None], None, [])
