"""Posteriors of releases with too many histograms to list: simulated, by a job."""

from __future__ import annotations

from typing import Any, cast

import pytest

from core.inference import simulated_counts
from core.mechanisms.exponential.calibration import calibrate_published
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon
from private_posterior.client import Client
from service.posteriors.read_releases import ReadRelease
from tests.harness.asked import picture_of, summarised
from tests.harness.bodies import of_releases, share, unique
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.server import Party, Server
from tests.service.conftest import make_study

EVENT = calibrate_published(250, (1.0, 1.0, 1.0), Epsilon.parse("20"), Delta.parse("0.00000001"))
RELEASE = ReadRelease(
    "rel_" + 26 * "a", EVENT, ["a", "b", "c"], [1.0] * 3, NoisyCounts((80, 70, 100), (80, 70, 100)), "title", "subtitle"
)
ASKED: dict[str, Any] = {
    "level": 0.9,
    "density_points": 5,
    "questions": [
        {"kind": "share", **share("a"), "above": 0.3},
        {"kind": "difference", "first": share("c"), "second": share("b")},
        {"kind": "odds_ratio", "first": share("a"), "second": share("b")},
    ],
    "point": True,
}


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_counts, "_SECONDS", 0.0)
    monkeypatch.setattr(simulated_counts, "MIN_DRAWS", 600)


def assert_simulated(answer: dict[str, Any]) -> None:
    assert answer["kind"] == "noise_aware"
    assert answer["method"] == "simulation"
    assert answer["effective_draws"] > 200
    assert answer["error"] == pytest.approx(0.5 / answer["effective_draws"] ** 0.5, abs=1e-9)
    for each in answer["answers"] + [each["above"] for each in answer["answers"]] + [answer["point"]]:
        assert each["method"] == "simulation"
        assert each["error"] >= answer["error"] - 1e-9
        assert each["draws"] >= 600
    for category in answer["categories"]:
        assert category["interval"]["low"] < category["mean"] < category["interval"]["high"]
        assert category["density"] is None


@pytest.mark.usefixtures("few_draws")
def test_a_simulated_answer_says_what_its_draws_are_worth() -> None:
    assert_simulated(summarised(RELEASE, **ASKED).model_dump())


@pytest.mark.usefixtures("few_draws")
def test_a_simulated_picture_has_intervals_and_no_ragged_curves() -> None:
    drawn = picture_of(RELEASE, level=0.9)
    assert "noise-aware, 90 % credible interval, simulated" in drawn
    assert "<polyline" not in drawn


@pytest.mark.long
@pytest.mark.timeout(900)
def test_readers_have_a_job_computed_and_the_public_is_refused(
    owner: Party, analyst: Party, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(owner, analyst, labels=["a", "b", "c"], counts=[80, 70, 100])
    mechanism = {"kind": "exponential_published", "nominal_epsilon": "0.2", "delta": "1e-7"}
    body = {"prior": [1, 1, 1], "mechanism": mechanism}
    key = unique("release").replace(" ", "-")
    made = analyst.post(f"/v1/datasets/{study.dataset_id}/releases", body, idempotency_key=key)
    assert made.status_code == 201, made.text
    release_id = made.json()["id"]
    spent = study.spent()
    with monkeypatch.context() as hurried:
        hurried.setattr(*NOBODY_WAITS)
        pending = analyst.request("POST", "/v1/posteriors", json=of_releases(release_id) | ASKED)
    assert pending.status_code == 202
    client = Client(server.http, analyst.key, patience_seconds=600)
    assert_simulated(cast("dict[str, Any]", client.posterior(made.json()["id"], **ASKED)))
    assert b"simulated" in client.plot(made.json()["id"])
    assert study.spent() == spent
    assert owner.patch(f"/v1/releases/{release_id}", {"public": True}).status_code == 200
    monkeypatch.setattr(*NOBODY_WAITS)
    refused = server.http.post("/v1/public/posteriors", json=of_releases(release_id))
    assert refused.status_code == 422
    assert refused.json()["detail"].endswith("With a key it becomes a job.")
