"""Computations from releases, over a socket: free, right, and bounded."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from core.inference import pool
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from private_posterior.verification.signatures import (
    UnreadableError,
    VerificationError,
    keys_in,
    verify_release,
)
from service.schemas.mechanisms import KINDS
from tests.harness.bodies import budget_body, of_releases, share, unique
from tests.harness.drawn import assert_legible, drawn
from tests.harness.rows import assert_each
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body, make_study

TRIAL = {"labels": ["polio", "none"], "counts": [33, 200_712]}


def _release(party: Party, dataset_id: str, **changes: Any) -> dict[str, Any]:
    answer = party.release(dataset_id, **changes)
    assert answer.status_code == 201, answer.text
    release: dict[str, Any] = answer.json()
    return release


@pytest.fixture
def trial(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **TRIAL)


def test_what_is_computed_from_a_release_fits_together_and_costs_nothing(trial: Study) -> None:
    """One answer of each kind; the numbers are tested in `tests/core/inference`."""
    release = _release(trial.analyst, trial.dataset_id)
    before = trial.budget()
    questions = [
        {"kind": "share", **share("polio"), "above": 0.0002},
        {"kind": "share", **share("polio"), "between": {"low": 0.0, "high": 0.0002}},
        {"kind": "difference", "first": share("polio"), "second": share("none")},
        {"kind": "difference", "first": share("none"), "second": share("polio")},
    ]
    asked = {
        "quantiles": [0.5], "density_points": 11, "questions": questions, "draws": {"size": 4, "seed": 1},
        "point": True,
    }  # fmt: skip
    of_it = of_releases(release["id"])
    answer, again = (trial.analyst.post("/v1/posteriors", of_it | asked) for _ in range(2))
    assert answer.status_code == 200, answer.text
    found = answer.json()
    aware = found["categories"][0]
    naive = release["posterior"]["categories"][0]["naive_interval"]
    assert aware["interval"]["high"] - aware["interval"]["low"] > naive["high"] - naive["low"]
    assert aware["interval"]["low"] < aware["quantiles"][0]["value"] < aware["interval"]["high"]
    assert len(aware["density"]["share"]) == 11
    (above, between), (less, more) = found["answers"][:2], found["answers"][2:]
    above, between = above["above"]["probability"], between["between"]["probability"]
    less, more = less["above"]["probability"], more["above"]["probability"]
    assert above + between == pytest.approx(1, abs=1e-9)
    assert less + more == pytest.approx(1, abs=1e-9)
    for each, question in zip(found["answers"], questions, strict=True):
        assert question.items() <= each["question"].items()
    assert [sum(row) for row in found["draws"]] == pytest.approx([1] * 4)
    other = trial.analyst.post("/v1/posteriors", of_it | {"draws": {"size": 4, "seed": 2}, "prior": [1000, 1]}).json()
    assert found["draws"] == again.json()["draws"] != other["draws"]
    assert other["categories"][0]["mean"] > aware["mean"]
    assert sum(found["point"]["released_counts"]) == release["record_count"]
    assert 0 < found["point"]["expected_hellinger_error"] < 1
    assert found["point"]["method"] == "exact"
    assert trial.budget() == before


def test_a_channel_that_cannot_be_conditioned_on_says_so(owner: Party, analyst: Party) -> None:
    study = make_study(owner, analyst, labels=["a", "b", "c"], counts=[400_000, 200_000, 400_000])
    release = _release(
        analyst, study.dataset_id, prior=[1, 1, 1], mechanism={"kind": "exponential_global", "epsilon": "0.2"}
    )
    answer = analyst.post("/v1/posteriors", of_releases(release["id"])).json()
    assert answer["kind"] == "unavailable"
    assert "exponential" in answer["reason"]


def test_the_vaccine_is_compared_with_the_placebo_from_two_releases(owner: Party) -> None:
    counts = {"vaccinated": [33, 200_712], "placebo": [115, 201_114]}
    # At this epsilon the noise hides the difference of 82 cases less than once in 10^10 runs.
    mechanism = {"kind": "simplex_geometric", "epsilon": "0.5"}
    registered = [
        owner.post("/v1/datasets", dataset_body(labels=["polio", "none"], counts=each)).json()["id"]
        for each in counts.values()
    ]
    ids = [_release(owner, dataset_id, mechanism=mechanism)["id"] for dataset_id in registered]
    vaccinated, placebo = (of_releases(each) | share("polio") for each in ids)
    lower = owner.post("/v1/comparisons", {"first": placebo, "second": vaccinated}).json()["probability"]
    higher = owner.post("/v1/comparisons", {"first": vaccinated, "second": placebo}).json()["probability"]
    assert lower + higher == pytest.approx(1, abs=1e-8)
    assert lower > 0.99


ADMISSIONS: dict[str, Any] = {"labels": ["women in", "women out", "men in", "men out"], "counts": [202, 131, 353, 207]}
MECHANISM = {"kind": "simplex_geometric", "epsilon": "0.25"}


@pytest.fixture
def admissions(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **ADMISSIONS)


def test_shares_of_sets_and_contrasts_of_them_are_answered_by_label(admissions: Study) -> None:
    # At this epsilon the noise hides the difference of 151 admissions less than once in 10^9 runs.
    mechanism = MECHANISM | {"epsilon": "0.5"}
    release = _release(admissions.analyst, admissions.dataset_id, prior=[1] * 4, mechanism=mechanism)
    women = share("women in", within=["women in", "women out"])
    men = share("men in", within=["men in", "men out"])
    questions = [
        {"kind": "share", **share("women in", "men in"), "above": 0.5},
        {"kind": "share", **women},
        {"kind": "odds_ratio", "first": women, "second": men},
        {"kind": "odds_ratio", "first": men, "second": women},
        {"kind": "difference", "first": share("women in"), "second": share("men in")},
    ]
    before = admissions.budget()
    answer = admissions.analyst.post(
        "/v1/posteriors", of_releases(release["id"]) | {"questions": questions, "level": 0.9}
    )
    assert answer.status_code == 200, answer.text
    of_all, of_women, odds, inverse, difference = answer.json()["answers"]
    assert of_all["method"] == "exact"
    assert of_all["interval"]["low"] < of_all["mean"] < of_all["interval"]["high"]
    assert of_all["above"]["probability"] > 0.9
    assert of_women["above"] is None
    assert 0.4 < of_women["mean"] < 0.8
    assert odds["above"]["threshold"] == 1
    assert odds["above"]["probability"] + inverse["above"]["probability"] == pytest.approx(1, abs=0.01)
    assert odds["interval"]["low"] == pytest.approx(1 / inverse["interval"]["high"], rel=0.1)
    assert difference["interval"]["high"] < 0
    assert admissions.budget() == before


NO_SETS: list[tuple[dict[str, Any], str, str]] = [
    ({"kind": "share", **share("nobody")}, "body.questions[0].of.labels[0]", "is not a label of this data set"),
    ({"kind": "share", **share()}, "body.questions[0].of.labels", "at least 1"),
    ({"kind": "share", **share("polio", "none")}, "body.questions[0].of", "leave out"),
    ({"kind": "share", **share("polio", within=["none"])}, "body.questions[0].of", "share a cell"),
    (
        {"kind": "ratio", "first": share("polio"), "second": share("polio", "polio")},
        "body.questions[0].second",
        "must differ from the first share",
    ),
    (
        {"kind": "ratio", "first": share("polio"), "second": share("x")},
        "body.questions[0].second.of.labels[0]",
        "is not a label of this data set",
    ),
]


def test_a_set_that_is_none_is_refused_by_its_place_and_rule(trial: Study) -> None:
    release, spent = _release(trial.analyst, trial.dataset_id), trial.spent()

    def check(row: tuple[dict[str, Any], str, str]) -> None:
        question, location, rule = row
        answer = trial.analyst.post("/v1/posteriors", of_releases(release["id"]) | {"questions": [question]})
        assert answer.status_code == 422
        assert answer.json()["charged"] is False
        error = answer.json()["errors"][0]
        assert error["location"].startswith(location)
        assert rule in str(error)

    assert_each(NO_SETS, check)
    assert trial.spent() == spent


def test_two_releases_of_a_data_set_are_pooled_under_one_prior(admissions: Study) -> None:
    party = admissions.analyst
    releases = [
        _release(party, admissions.dataset_id, prior=prior, mechanism=MECHANISM) for prior in ([1] * 4, [2] * 4)
    ]
    ids = [each["id"] for each in releases]
    before = admissions.budget()
    by_piece = party.post("/v1/posteriors", of_releases(*ids)).json()
    assert by_piece["prior"] == {"each": 0.5, "of": "piece"}, "the priors of the releases don't matter"
    pooled = party.post("/v1/posteriors", of_releases(*ids) | {"prior": [1] * 4}).json()
    event = SimplexGeometric(sum(ADMISSIONS["counts"]), 4, Epsilon.parse(MECHANISM["epsilon"]))
    drawn = [
        NoisyCounts(*(tuple(each["posterior"][what]) for what in ("noisy_counts", "released_counts")))
        for each in releases
    ]
    expected = pool([(event, each) for each in drawn], [1.0] * 4)
    assert pooled["release_ids"] == ids
    for category, told in enumerate(pooled["categories"]):
        interval = told["interval"]["low"], told["interval"]["high"]
        assert interval == pytest.approx(expected.share(category).interval(0.95), abs=1e-9)
    assert admissions.budget() == before


def test_what_cannot_be_pooled_is_refused(admissions: Study, owner: Party) -> None:
    release = _release(admissions.owner, admissions.dataset_id, prior=[1] * 4, mechanism=MECHANISM)["id"]
    other_dataset = owner.post("/v1/datasets", dataset_body(**ADMISSIONS)).json()["id"]
    other = _release(owner, other_dataset, prior=[1] * 4, mechanism=MECHANISM)["id"]
    spent = admissions.spent()
    for ids, rule in (
        ([], "at least 1"),
        ([release, release], "once"),
        ([release, other], "one data set"),
        ([release] * 51, "at most 50"),
    ):
        answer = owner.post("/v1/posteriors", of_releases(*ids))
        assert answer.status_code == 422
        assert answer.json()["charged"] is False
        assert answer.json()["errors"][0]["location"] == "body.sources"
        assert rule in answer.text
    refused = admissions.analyst.post("/v1/posteriors", of_releases(other))
    assert (refused.status_code, refused.json()["charged"]) == (404, False)
    assert admissions.spent() == spent


def test_releases_of_one_data_set_are_compared_by_pooling_them(admissions: Study) -> None:
    owner = admissions.owner
    first, second = (_release(owner, admissions.dataset_id, prior=[1] * 4, mechanism=MECHANISM)["id"] for _ in range(2))
    body = {"first": of_releases(first) | share("men in"), "second": of_releases(second) | share("women out")}
    compared = owner.post("/v1/comparisons", body).json()
    greater = {"kind": "difference", "first": share("men in"), "second": share("women out")}
    pooled = owner.post("/v1/posteriors", of_releases(first, second) | {"questions": [greater]}).json()
    assert compared["people"] == "same"
    assert compared["probability"] == pytest.approx(pooled["answers"][0]["above"]["probability"], abs=1e-9)
    body["second"] |= share("men in")
    refused = owner.post("/v1/comparisons", body)
    assert refused.json()["errors"][0]["location"] == "body.second"


def test_a_contrast_of_two_data_sets_agrees_with_their_comparison_under_a_small_prior(owner: Party) -> None:
    """With a prior of 0.02 on an empty category half of the other one's share is closer to 1 than any float."""
    mechanism = {"kind": "simplex_geometric", "epsilon": "20"}
    ids = []
    for records in (20, 30):
        budget = {"kind": "new", "budget": budget_body(epsilon="30")}
        body = dataset_body(labels=["yes", "no"], counts=[records, 0], budget=budget)
        dataset = owner.post("/v1/datasets", body).json()["id"]
        ids.append(_release(owner, dataset, prior=[1, 0.02], mechanism=mechanism)["id"])
    first, second = (of_releases(each) | share("yes") for each in ids)
    for kind in ("difference", "ratio", "odds_ratio"):
        compared = owner.post("/v1/comparisons", {"first": first, "second": second, "contrast": kind})
        assert compared.status_code == 200, compared.text
        answer = compared.json()
        above, error = answer["contrast"]["above"]["probability"], answer["contrast"]["error"]
        assert abs(above - answer["probability"]) <= error + answer["error"] < 1e-9, kind
        assert answer["contrast"]["mean"] is None, kind


def test_a_comparison_says_whether_people_may_be_in_both(admissions: Study) -> None:
    owner = admissions.owner
    shared = {"kind": "existing", "id": admissions.budget_id}
    wave = owner.post("/v1/datasets", dataset_body(**ADMISSIONS, budget=shared)).json()["id"]
    others = owner.post("/v1/datasets", dataset_body(**ADMISSIONS)).json()["id"]
    ids = [
        _release(owner, each, prior=[1] * 4, mechanism=MECHANISM)["id"]
        for each in (admissions.dataset_id, wave, others)
    ]
    people = [
        owner.post(
            "/v1/comparisons",
            {"first": of_releases(ids[0]) | share("men in"), "second": of_releases(each) | share("men in")},
        ).json()["people"]
        for each in ids[1:]
    ]
    assert people == ["may_overlap", "different"]


def test_a_public_release_answers_questions_and_draws_its_picture_without_a_key(trial: Study, server: Server) -> None:
    release = _release(trial.analyst, trial.dataset_id)["id"]
    path, posteriors, of_it = f"/v1/public/releases/{release}", "/v1/public/posteriors", of_releases(release)
    assert server.http.post(posteriors, json=of_it).status_code == 404
    assert server.http.get(f"{path}/plot.svg").status_code == 404
    trial.owner.patch(f"/v1/releases/{release}", {"public": True})
    public = server.http.post(posteriors, json=of_it | {"level": 0.9})
    assert public.status_code == 200, public.text
    assert public.json() == trial.analyst.post("/v1/posteriors", of_releases(release) | {"level": 0.9}).json()
    picture = drawn(server.http.get(f"{path}/plot.svg").text)
    # The public text does not name the data set; its picture does not either.
    name = trial.owner.get(f"/v1/datasets/{trial.dataset_id}").json()["name"]
    own = f"/v1/releases/{release}/plot.svg"
    assert name in drawn(trial.analyst.get(own).text).title
    for shown in (picture, drawn(server.new("analyst").get(own).text)):
        assert name not in shown.title + shown.description + " ".join(shown.words)
    # The computation's process checks the request, since a text can have a megabyte.
    refused = (
        server.http.post(posteriors, json=of_it | {"prior": [1, 1, 1]}),
        server.http.get(f"{path}/plot.svg", params={"prior": "[1, 1, 1]"}),
        server.http.post(posteriors, json=of_releases(release, margin=["age"])),
    )
    locations = [each.json()["errors"][0]["location"] for each in refused]
    assert locations == ["body.prior", "query.prior", "body.sources[0].margin"]
    trial.owner.patch(f"/v1/releases/{release}", {"public": False})
    assert server.http.post(posteriors, json=of_it | {"level": 0.9}).status_code == 404, "what is kept is asked for"


NO_QUESTIONS: list[tuple[dict[str, Any], str]] = [
    ({"prior": [1, 1, 1]}, "body.prior"),
    ({"questions": [{"kind": "share", **share("nobody"), "above": 0.5}]}, "body.questions[0]"),
    ({"questions": [{"kind": "difference", "first": share("polio"), "second": share("polio")}]}, "body.questions[0]"),
    ({"questions": [{"kind": "share", **share("polio"), "between": {"low": 0.5, "high": 0.4}}]}, "body.questions[0]"),
    ({"draws": {"size": 100_001}}, "body.draws.size"),
    ({"density_points": 1001}, "body.density_points"),
    ({"level": 1}, "body.level"),
]


def test_a_question_that_means_nothing_is_refused_by_its_place(trial: Study) -> None:
    release = _release(trial.analyst, trial.dataset_id)

    def check(row: tuple[dict[str, Any], str]) -> None:
        answer = trial.analyst.post("/v1/posteriors", of_releases(release["id"]) | row[0])
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["location"].startswith(row[1])

    assert_each(NO_QUESTIONS, check)


def test_somebody_else_cannot_compute_from_a_release(trial: Study, server: Server) -> None:
    release = _release(trial.analyst, trial.dataset_id)
    stranger = server.new("analyst")
    for answer in (
        stranger.post("/v1/posteriors", of_releases(release["id"])),
        stranger.get(f"/v1/releases/{release['id']}/plot.svg"),
        stranger.patch(f"/v1/releases/{release['id']}", {"public": True}),
    ):
        assert answer.status_code in {403, 404}


@pytest.mark.parametrize(("m", "marks"), [(2, 1), (24, 24)])
def test_a_picture_names_its_axis_and_every_category(owner: Party, m: int, marks: int) -> None:
    labels = [f"category {number}" for number in range(m)]
    body = dataset_body(labels=labels, counts=[10 + number for number in range(m)])
    dataset = owner.post("/v1/datasets", body).json()
    release = _release(owner, dataset["id"], prior=[1] * m)
    answer = owner.get(f"/v1/releases/{release['id']}/plot.svg", level=0.9)
    assert answer.headers["content-type"].startswith("image/svg+xml")
    picture = drawn(answer.text)
    assert_legible(picture)
    assert set(labels) <= set(picture.words)
    assert any(words.startswith("share of records in the category") for words in picture.words)
    assert any("90 %" in words for words in picture.words)
    # An interval each, and its sample in the legend; of two that make a whole, one has a panel.
    thick = [mark for mark in picture.marks_of("line", "l-aware") if mark.attributes["stroke-width"] == "3"]
    assert len(thick) == marks + 1
    at = datetime.fromisoformat(release["created_at"])
    assert picture.title == f"{body['name']}, {at.day} {at:%B %Y}"


def test_a_picture_is_laid_out_for_the_width_that_is_asked_for(trial: Study) -> None:
    path = f"/v1/releases/{_release(trial.analyst, trial.dataset_id)['id']}/plot.svg"
    for width in (320, 1200):
        picture = drawn(trial.analyst.get(path, width=width).text)
        assert_legible(picture)
        assert picture.width == width
    refused = trial.analyst.get(path, width=319)
    assert (refused.status_code, refused.json()["errors"][0]["location"]) == (422, "query.width")


@pytest.mark.parametrize(("counts", "prior"), [([2**53, 0], 0.001), ([2**53 - 9] + [1] * 9, 1.0)])
def test_the_largest_data_set_with_empty_categories_has_a_posterior_and_a_picture(
    owner: Party, counts: list[int], prior: float
) -> None:
    m = len(counts)
    body = dataset_body(labels=[f"category {number}" for number in range(m)], counts=counts)
    body["budget"]["budget"]["epsilon"] = "100"
    dataset = owner.post("/v1/datasets", body).json()
    mechanism = {"kind": "simplex_geometric", "epsilon": "50"}
    release = _release(owner, dataset["id"], prior=[prior] * m, mechanism=mechanism)
    answer = owner.post(
        "/v1/posteriors",
        of_releases(release["id"])
        | {
            "density_points": 20,
            "quantiles": [0.5],
            "questions": [
                {"kind": "share", **share("category 0"), "above": 0.5},
                {"kind": "difference", "first": share("category 0"), "second": share("category 1")},
            ],
        },
    )
    assert answer.status_code == 200, answer.text
    shares = answer.json()["categories"]
    assert shares[0]["mean"] == pytest.approx(1, abs=1e-12)
    assert shares[1]["mean"] == pytest.approx(0, abs=1e-12)
    assert all(0 <= each["interval"]["low"] <= each["interval"]["high"] <= 1 for each in shares)
    assert [each["above"]["probability"] for each in answer.json()["answers"]] == pytest.approx([1, 1])
    picture = owner.get(f"/v1/releases/{release['id']}/plot.svg")
    assert picture.status_code == 200, picture.text
    assert "nan" not in picture.text.replace(release["id"], "")
    assert_legible(drawn(picture.text))


def test_markup_in_a_label_stays_text(owner: Party) -> None:
    hostile = "<script>alert(1)</script>"
    dataset = owner.post("/v1/datasets", dataset_body(labels=[hostile, "b"], counts=[3, 4])).json()
    answer = owner.get(f"/v1/releases/{_release(owner, dataset['id'])['id']}/plot.svg")
    assert "<script" not in answer.text
    assert hostile in drawn(answer.text).words


def test_a_quote_says_cost_and_verdict_and_shows_what_was_released_already(trial: Study) -> None:
    path = f"/v1/datasets/{trial.dataset_id}/quotes"
    fresh = trial.analyst.post(
        path, {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.4"}}
    ).json()
    assert (fresh["granted"], fresh["would_charge"]["epsilon"], fresh["already_released"]) == (True, "0.4", [])
    release = _release(trial.analyst, trial.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.4"})
    before = trial.budget()
    later = trial.analyst.post(
        path, {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.4"}}
    ).json()
    assert (later["granted"], later["blocked_by"]) == (False, "grant-exhausted")
    assert later["largest_possible_charge"]["epsilon"] == "0.1"
    assert [each["id"] for each in later["already_released"]] == [release["id"]]
    assert trial.budget() == before


def test_a_public_release_needs_no_key_and_verifies_offline(trial: Study, server: Server) -> None:
    release = trial.analyst.release(trial.dataset_id)
    path = f"/v1/public/releases/{release.json()['id']}"
    assert server.http.get(path).status_code == 404
    assert trial.analyst.patch(f"/v1/releases/{release.json()['id']}", {"public": True}).status_code == 403
    assert trial.owner.patch(f"/v1/releases/{release.json()['id']}", {"public": True}).json()["public"] is True
    document = server.http.get(path).content
    keys = keys_in(server.http.get("/v1/public-key").json())
    assert verify_release(document, keys)["id"] == release.json()["id"]
    with pytest.raises(VerificationError, match="not the one that was signed"):
        verify_release(document.replace(b'"0.1"', b'"0.01"', 1), keys)
    with pytest.raises(UnreadableError):
        verify_release(release.content, keys)
    assert [entry["kind"] for entry in trial.ledger()][-1] == "release_published"
    trial.owner.patch(f"/v1/releases/{release.json()['id']}", {"public": False})
    assert server.http.get(path).status_code == 404
    trial.owner.patch(f"/v1/releases/{release.json()['id']}", {"public": True})
    assert server.http.get(path).content == document


def test_a_public_release_does_not_tell_who_paid_for_it_or_what_is_left(trial: Study, server: Server) -> None:
    release = trial.analyst.release(trial.dataset_id).json()
    trial.owner.patch(f"/v1/releases/{release['id']}", {"public": True})
    public = server.http.get(f"/v1/public/releases/{release['id']}")
    assert release.keys() - public.json().keys() == {"principal_id", "remaining_after", "receipt"}
    assert public.json().keys() - release.keys() == {"signature"}
    shared = public.json().keys() & release.keys()
    assert {name: release[name] for name in shared} == {name: public.json()[name] for name in shared}
    assert {"event", "certificate", "certified", "record_count", "category_count", "records_per_unit"} <= shared
    for told in (trial.analyst.principal_id, trial.grant_id, "receipt", "remaining"):
        assert told not in public.text
    # With a key, another analyst on the same data reads no more of it; the payer and the owner of the data set do.
    other = server.new("analyst")
    trial.owner.post(
        f"/v1/datasets/{trial.dataset_id}/grants",
        {"principal_id": other.principal_id, "epsilon": "0.1", "delta": "0"},
    )
    path = f"/v1/releases/{release['id']}"
    sent = other.get(path)
    assert (sent.status_code, sent.content) == (303, b"")
    assert sent.next_request is not None
    assert server.http.send(sent.next_request).content == public.content
    assert trial.analyst.get(path).json() == trial.owner.get(path).json() == release
    for reader, payer in ((other, None), (trial.owner, trial.analyst.principal_id)):
        [listed] = reader.get(f"/v1/releases?dataset_id={trial.dataset_id}").json()["items"]
        assert listed["principal_id"] == payer


def test_a_plan_prices_every_mechanism_at_made_up_counts(analyst: Party) -> None:
    body = {
        "prior": [1, 1],
        "data": {"kind": "counts", "counts": [3, 17]},
        "epsilons": ["0.8"],
        "delta": "1e-6",
        "mechanisms": sorted({*KINDS} - {"geometric"}),
        "errors": True,
        "target_error": 0.3,
    }
    plan = analyst.post("/v1/plans", body).json()
    (point,) = plan["points"]
    options = {option["kind"]: option for option in point["options"] if option["mechanism"] is not None}
    assert point["recommended"]["kind"] == "simplex_geometric"
    assert point["recommended"]["mechanism"] == {"kind": "simplex_geometric", "epsilon": "0.8"}
    assert options["laplace"]["mechanism"] == {"kind": "laplace", "epsilon": "1.6"}
    assert set(options) == {*KINDS} - {"geometric"}, "it needs a private number of records"
    reached = {each["kind"]: each for each in plan["target"]["reached"]}
    assert float(reached["simplex_geometric"]["epsilon"]) < 0.8
    assert reached["simplex_geometric"]["option"]["error"]["expected"] <= 0.3
    assert options["simplex_geometric"]["error"]["expected"] < options["exponential"]["error"]["expected"]
    for kind, option in options.items():
        assert kind == "exponential_published" or float(option["certified"]["epsilon"]) <= 0.8
        body = {"record_count": 20, "prior": [1, 1], "mechanism": option["mechanism"]}
        assert analyst.post("/v1/certificates", body).json()["certificate"]["loss"] == option["certified"], kind


def test_a_plan_needs_no_delta_and_finds_the_epsilon_of_a_width(analyst: Party) -> None:
    body: dict[str, Any] = {
        "prior": [1, 1, 1, 1],
        "data": {"kind": "counts", "counts": [300, 200, 100, 400]},
        "epsilons": ["0.1"],
        "attributes": [{"name": "age", "levels": ["20s", "30s"]}, {"name": "smoker", "levels": ["no", "yes"]}],
        "questions": [{"kind": "share", **share(smoker=["yes"])}, {"kind": "share", **share("20s · yes")}],
        "target_width": 0.09,
    }
    plan = analyst.post("/v1/plans", body).json()
    (point,) = plan["points"]
    kind = point["recommended"]["kind"]
    assert [each["question"]["of"].get("where") for each in plan["without_noise"]] == [{"smoker": ["yes"]}, None]
    (found,) = (each for each in plan["target"]["reached"] if each["kind"] == kind)
    again = analyst.post("/v1/plans", body | {"epsilons": [found["epsilon"]]}).json()["points"][0]
    (reached,) = (option for option in again["options"] if option["kind"] == kind)
    assert reached == found["option"]
    assert 0.08 < max(each["width"] for each in reached["intervals"]) <= 0.09
    assert "delta" in {each["kind"]: each["reason"] for each in plan["not_planned"]}["gaussian"]


def test_a_plan_says_that_exact_counts_would_miss_the_wanted_width(analyst: Party) -> None:
    body: dict[str, Any] = {"prior": [1, 1, 1], "data": {"kind": "counts", "counts": [10, 500, 490]}, "epsilons": ["1"]}
    plan = analyst.post("/v1/plans", body | {"target_width": 0.05}).json()
    exact = max(each["width"] for each in plan["without_noise"])
    assert exact > 0.05
    assert plan["target"]["unreachable_reason"] == (
        f"No mechanism reaches a width of 0.05: exact counts would already give an interval {exact:.4g} wide."
    )
    assert plan["target"]["reached"] == []
    question = {"kind": "share", **share("0")}
    of_one = analyst.post("/v1/plans", body | {"target_width": 0.05, "questions": [question]}).json()
    assert of_one["target"]["unreachable_reason"] is None
    assert of_one["target"]["reached"][0]["epsilon"] is not None
    assert analyst.post("/v1/plans", body).json()["target"] is None


def test_a_repeated_plan_is_the_same(analyst: Party) -> None:
    body: dict[str, Any] = {
        "prior": [1, 1],
        "data": {"kind": "counts", "counts": [3, 16]},
        "epsilons": ["0.8"],
    }
    assert analyst.post("/v1/plans", body).json() == analyst.post("/v1/plans", body).json()
    for errors in (False, True):
        options = analyst.post("/v1/plans", body | {"errors": errors}).json()["points"][0]["options"]
        assert [each["error"] is not None for each in options if each["intervals"]] == [errors] * 2


NO_SHARES: list[tuple[dict[str, Any], str]] = [
    ({"questions": [{"kind": "share", **share("d")}]}, "body.questions[0].of.labels[0]"),
    ({"questions": [{"kind": "share", **share(sex=["man"])}]}, "body.questions[0].of.where"),
    ({"questions": [{"kind": "share", **share("a", "b")}]}, "body.questions[0].of"),
    ({"labels": ["a", "b", "c"]}, "body.prior"),
    ({"attributes": [{"name": "x", "levels": ["1", "2"]}]}, "body.attributes"),
    ({"attributes": [{"name": "x", "levels": ["b", "a"]}]}, "body.labels"),
    ({"records_per_unit": 0}, "body.records_per_unit"),
    ({"target_width": 0}, "body.target_width"),
]


def test_a_plan_of_unknown_shares_is_refused(analyst: Party) -> None:
    body = {"prior": [1, 1], "labels": ["a", "b"], "data": {"kind": "counts", "counts": [3, 17]}, "epsilons": ["0.8"]}

    def check(row: tuple[dict[str, Any], str]) -> None:
        answer = analyst.post("/v1/plans", body | row[0])
        assert answer.status_code == 422, answer.text
        assert answer.json()["errors"][0]["location"] == row[1]

    assert_each(NO_SHARES, check)


def test_a_plan_for_the_wrong_number_of_counts_is_refused(analyst: Party) -> None:
    answer = analyst.post(
        "/v1/plans",
        {"prior": [1, 1, 1], "data": {"kind": "counts", "counts": [3, 17]}, "epsilons": ["0.8"], "delta": 0},
    )
    assert problem_code(answer) == "invalid-request"


def test_labels_that_look_alike_are_refused(analyst: Party) -> None:
    plan = {"data": {"kind": "counts", "counts": [30, 70]}, "epsilons": ["0.5"], "delta": 0}
    refused = analyst.post("/v1/plans", {"prior": [1, 1], "labels": ["a", "a"]} | plan)
    assert refused.status_code == 422
    assert {"location": "body.labels", "rule": "labels must differ from each other"} in refused.json()["errors"]


def test_a_certificate_asked_for_ahead_is_there_for_those_who_asked(analyst: Party, server: Server) -> None:
    body = {"record_count": 12, "prior": [1, 1], "mechanism": {"kind": "exponential_global", "epsilon": "0.5"}}
    answer = analyst.post("/v1/certificates", body)
    assert answer.status_code in {200, 202}
    if answer.status_code == 202:
        path = answer.headers["location"]
        assert analyst.get(path).json()["id"] == answer.json()["id"]
        assert server.new("analyst").get(path).status_code == 404


def test_a_slow_certificate_is_pending_uncharged_and_then_ready(owner: Party, analyst: Party) -> None:
    study = make_study(owner, analyst, labels=["yes", "no"], counts=[60, 240])
    mechanism = {"kind": "exponential", "calibration": "certified", "epsilon": "0.25"}
    key = unique("slow").replace(" ", "-")
    answer = analyst.release(study.dataset_id, mechanism=mechanism, key=key)
    if answer.status_code == 503:
        problem = answer.json()
        assert (problem_code(answer), problem["charged"], problem["retry_safe"]) == ("preparation-pending", False, True)
        assert answer.headers["retry-after"]
        assert study.spent() == "0"
        answer = analyst.wait_for(lambda: analyst.release(study.dataset_id, mechanism=mechanism, key=key), status=201)
    assert answer.status_code == 201
    assert answer.json()["certificate"]["method"] == "exact_channel"
    assert float(answer.json()["charged"]["epsilon"]) <= 0.25
