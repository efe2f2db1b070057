"""Data sets whose number of records is private: registration, releases and posteriors. Nothing else tells it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.private_size import PrivateSize
from core.privacy import Epsilon
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import VerificationError, keys_in
from private_posterior.verification.texts import check_release
from service.database.engine import open_engine, reading
from service.ledger.verification import verify_database
from service.posteriors.read_releases import ReadRelease
from service.schemas.cells import Cells, ShareQuestion
from service.schemas.posteriors import NoiseAwarePosterior
from tests.harness.asked import summarised
from tests.harness.bodies import budget_body, of_releases, querying, registration
from tests.harness.rows import assert_each
from tests.harness.server import Party, Server
from tests.service.conftest import Study, make_study
from tests.service.console.conftest import browser_of

COUNTS = [4_017, 350, 50_092]
PRIVATE: dict[str, Any] = {"counts": COUNTS, "labels": list("abc"), "n_is_public": False}
MECHANISMS: list[dict[str, Any]] = [
    {"kind": "geometric", "epsilon": "0.3"},
    {"kind": "laplace", "epsilon": "0.3"},
    {"kind": "gaussian", "rho": "0.0009", "delta": "1e-7"},
]


@pytest.fixture
def private(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **PRIVATE)


def existing(study: Study, **changes: Any) -> dict[str, Any]:
    return registration(COUNTS, budget={"kind": "existing", "id": study.budget_id}) | changes


def test_a_private_number_of_records_and_the_relation_imply_each_other(owner: Party) -> None:
    left_out = {name: value for name, value in registration(COUNTS).items() if name != "n_is_public"}
    for body in (
        registration(COUNTS, n_is_public=False),
        left_out | {"name": "by relation", "relation": "add_remove", "budget": new_budget()},
        registration(COUNTS, n_is_public=False, relation="add_remove"),
    ):
        made = owner.post("/v1/datasets", body).json()
        assert (made["relation"], made["n_is_public"], made["record_count"]) == ("add_remove", False, None)
    made = owner.post("/v1/datasets", registration(COUNTS)).json()
    assert (made["relation"], made["n_is_public"], made["record_count"]) == ("replace_one", True, sum(COUNTS))


def new_budget() -> dict[str, Any]:
    return {"kind": "new", "budget": budget_body()}


BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("a public n under add_remove", {"relation": "add_remove", "n_is_public": True}, "n_is_public", "must be false"),
    ("a private n under replace_one", {"relation": "replace_one", "n_is_public": False}, "n_is_public", "must be true"),
    ("a count beyond its bound", {"n_is_public": False, "counts": [2**52, 0, 1]}, "counts", "divided by the number of"),
]


def test_a_size_that_contradicts_the_relation_is_refused(owner: Party) -> None:
    def check(case: tuple[str, dict[str, Any], str, str]) -> None:
        _, changes, field, rule = case
        answer = owner.post("/v1/datasets", registration(COUNTS) | changes)
        (error,) = answer.json()["errors"]
        assert answer.status_code == 422
        assert error["location"] == f"body.{field}"
        assert rule in error["rule"]

    assert_each(BAD, check, lambda case: case[0])


def test_an_empty_table_and_units_of_more_records_than_it_has_are_admitted(owner: Party) -> None:
    several = {"one_record_per_unit": None, "records_per_unit": 7}
    for counts in ([0, 0], [3, 1]):
        made = owner.post("/v1/datasets", registration(counts, n_is_public=False, **several))
        assert made.status_code == 201, made.text
        assert owner.patch(f"/v1/datasets/{made.json()['id']}", {"counts": [0, 0]}).status_code == 200


def test_a_budget_has_one_relation(private: Study, owner: Party, analyst: Party) -> None:
    public = make_study(owner, analyst)
    for study, wrong, right in ((private, True, "a private number"), (public, False, "a public number")):
        refused = owner.post("/v1/datasets", existing(study, n_is_public=wrong))
        assert refused.status_code == 422
        (error,) = refused.json()["errors"]
        assert (error["location"], right in error["rule"]) == ("body.budget.id", True)
        assert "choose or make another budget" in error["rule"]
        owner.delete(f"/v1/datasets/{study.dataset_id}")
        assert owner.post("/v1/datasets", existing(study, n_is_public=wrong)).status_code == 422, "deleted ones count"
        assert owner.post("/v1/datasets", existing(study, n_is_public=not wrong)).status_code == 201


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism["kind"])
def test_each_mechanism_releases_every_count_and_says_how_many_records(
    private: Study, mechanism: dict[str, Any]
) -> None:
    body = {"prior": [1, 1, 1], "mechanism": mechanism}
    quoted = private.owner.post(f"/v1/datasets/{private.dataset_id}/quotes", body).json()
    release = private.analyst.release(private.dataset_id, prior=[1, 1, 1], mechanism=mechanism).json()
    assert release["certificate"] == quoted["certificate"]
    assert release["charged"] == quoted["would_charge"]
    assert (release["certificate"]["relation"], release["record_count"]) == ("add_remove", None)
    noisy = release["posterior"]["noisy_counts"]
    assert release["posterior"]["released_counts"] == [max(0, each) for each in noisy]
    found = private.analyst.post("/v1/posteriors", of_releases(release["id"]) | {"quantiles": [0.5]}).json()
    total = found["total"]
    assert total["estimate"] == sum(noisy) + (1.5 if mechanism["kind"] == "laplace" else 0)
    assert total["interval"]["low"] <= total["quantiles"][0]["value"] <= total["interval"]["high"]
    assert sum(each["mean"] for each in found["categories"]) == pytest.approx(1)


def test_mechanisms_whose_counts_add_up_are_refused_with_the_one_to_use(private: Study) -> None:
    for mechanism in (
        {"kind": "simplex_geometric", "epsilon": "0.1"},
        {"kind": "exponential", "epsilon": "0.1"},
        {"kind": "exponential_published", "nominal_epsilon": "0.1", "delta": "1e-7"},
        {"kind": "exponential_global", "epsilon": "0.1"},
    ):
        for path in ("quotes", "releases"):
            body = {"prior": [1, 1, 1], "mechanism": mechanism}
            place, key = f"/v1/datasets/{private.dataset_id}/{path}", f"{path}-{mechanism['kind']}"
            refused = private.owner.post(place, body, idempotency_key=key)
            (error,) = refused.json()["errors"]
            assert error["location"] == "body.mechanism"
            assert "use geometric" in error["rule"]
    assert private.spent() == "0"


def test_geometric_noise_on_every_count_needs_a_private_number(study: Study) -> None:
    refused = study.owner.release(study.dataset_id, mechanism={"kind": "geometric", "epsilon": "0.1"})
    assert "use simplex_geometric" in refused.json()["errors"][0]["rule"]


def test_all_records_of_a_unit_are_charged_at_once(owner: Party, analyst: Party) -> None:
    several = {"one_record_per_unit": None, "records_per_unit": 3}
    study = make_study(owner, analyst, **PRIVATE | several)
    for mechanism, charged in ((MECHANISMS[0], "0.3"), (MECHANISMS[1], "0.3")):
        release = study.owner.release(study.dataset_id, prior=[1, 1, 1], mechanism=mechanism).json()
        assert release["charged"]["epsilon"] == charged
        assert release["event"]["records_per_unit"] == 3
        assert "up to 3 records of one unit are added or removed" in release["certificate"]["statement"]


def test_every_page_about_such_a_data_set_is_shown_without_the_number(private: Study) -> None:
    release = private.analyst.release(private.dataset_id, prior=[1, 1, 1], mechanism=MECHANISMS[0]).json()
    place, queries = f"/v1/datasets/{private.dataset_id}/releases", [{"weights": [1, 1, 1], "half_width": 20.0}]
    answers = private.analyst.post(place, querying(*queries), idempotency_key="query").json()
    quote = f"/console/datasets/{private.dataset_id}/quote?kind=geometric&amount=0.1"
    here = f"/console/datasets/{private.dataset_id}"
    of_analyst = (here, f"{here}/plan", f"{here}/query", f"{here}/query?ask=yes&weights=a+%3D+2&half_width=30", quote)
    of_owner = ("/console/", *(f"/console/data/{private.dataset_id}{part}" for part in ("", "/statement", "/replace")))
    for party, paths in ((private.analyst, ("/console/datasets", *of_analyst)), (private.owner, of_owner)):
        browser = browser_of(party)
        for path in (*paths, f"/console/releases/{release['id']}", f"/console/queries/{answers['id']}"):
            page = browser.get(path)
            assert page.status == 200, (path, page.text)
            assert not re.search(rf"\b{sum(COUNTS)}\b", page.text), path  # hashes have its digits by chance
            assert path not in paths or "54 459" not in page.text, path  # an estimate can be the number by chance
    shown = browser_of(private.analyst).get(f"/console/releases/{release['id']}").text
    assert re.search(r"About 54\W\d{3} records are in the table", shown)
    analyst = browser_of(private.analyst)
    assert "adding or removing one record" in analyst.get(quote).text
    for path in ("/console/datasets", here):
        assert "Ask for one number" in analyst.get(path).text
    assert "to estimate it, choose every category" in analyst.get(f"{here}/query").text
    statement = private.owner.get(f"/v1/datasets/{private.dataset_id}/statement.txt").text
    assert "What a record says changes two counts, by e^(2 epsilon)." in " ".join(statement.split())


def test_a_posterior_has_the_reference_values_of_an_unknown_number_of_records() -> None:
    """By brute force over all counts, in 40 digits."""
    event = PrivateSize(3, "geometric", Epsilon.parse("1"))
    counts = NoisyCounts((3, -1, 5), (3, 0, 5))
    release = ReadRelease("rel_" + 26 * "a", event, list("abc"), [1.0, 0.5, 2.0], counts, "", "")
    above = ShareQuestion(kind="share", of=Cells(labels=["a"]), above=0.3)
    found = summarised(release, prior=[1.0, 0.5, 2.0], questions=[above])
    assert isinstance(found, NoiseAwarePosterior)
    assert found.total is not None
    assert found.total.mean == pytest.approx(7.69818699104, abs=1e-9)
    assert found.answers[0].above is not None
    assert found.answers[0].above.probability == pytest.approx(1 - 0.470512000856, abs=1e-9)


def test_the_verifiers_accept_the_ledger_and_name_a_release_of_another_relation(private: Study, server: Server) -> None:
    answer = private.owner.release(private.dataset_id, prior=[1, 1, 1], mechanism=MECHANISMS[2])
    release, signature = answer.json(), json.loads(answer.headers["Release-Signature"])
    keys = keys_in(private.owner.get("/v1/public-key").json())
    ledger = verify_ledger(private.owner.get(f"/v1/budgets/{private.budget_id}/ledger.jsonl").content, keys, [])
    assert list(faults_of_release(release, ledger, keys)) == []
    assert check_release(answer.text, release, keys, signature).unchecked == ()
    for changed in ({"rho": "0.5"}, {"n": 12}):
        altered = release | {"event": release["event"] | changed}
        with pytest.raises(VerificationError, match="it is not the text that the service signed"):
            check_release(json.dumps(altered), altered, keys, signature)
    engine = open_engine(server.owner_database_url)
    with reading(engine) as connection:
        findings = verify_database(connection, public_keys=keys)
        assert [each.fault for each in findings if each.budget_id == private.budget_id] == [None]
    engine.dispose()


def test_an_allowance_names_the_mechanisms_that_run(private: Study) -> None:
    allowance = private.analyst.get(f"/v1/datasets/{private.dataset_id}/allowance").json()
    largest = {each["kind"]: each["largest_epsilon"] for each in allowance["mechanisms"]}
    assert largest == {"geometric": "0.5", "laplace": "0.5", "gaussian": None}
    described = private.analyst.get("/v1/mechanisms").json()["items"]
    assert {each["kind"] for each in described if "add_remove" in each["relations"]} == set(largest)


def test_margins_of_such_a_table_are_released_and_each_says_how_many_records(owner: Party, analyst: Party) -> None:
    attributes = [{"name": "sex", "levels": ["f", "m"]}, {"name": "ill", "levels": ["no", "yes", "unknown"]}]
    cross = {"labels": None, "attributes": attributes, "counts": [900, 30, 4, 800, 25, 7], "n_is_public": False}
    study = make_study(owner, analyst, **cross)
    place = f"/v1/datasets/{study.dataset_id}/releases"
    quoted = study.analyst.post(
        f"/v1/datasets/{study.dataset_id}/quotes", {"margins": [["sex"], ["ill"]], "epsilon": "0.4"}
    )
    assert quoted.status_code == 200, quoted.text
    made = study.analyst.post(
        place, {"margins": [["sex"], ["ill"]], "epsilon": "0.4"}, idempotency_key="margins"
    ).json()
    assert (made["record_count"], made["certificate"]["relation"]) == (None, "add_remove")
    assert made["charged"]["epsilon"] == "0.4"
    measured = made["measured"][0]
    found = study.analyst.post("/v1/posteriors", of_releases(made["id"], margin=measured["attributes"])).json()
    assert found["total"]["estimate"] == sum(measured["noisy_counts"])
