"""Until something is charged for a data set, its owner replaces its counts, and renames its values with them."""

from __future__ import annotations

from sqlalchemy import create_engine

from service.ledger.verification import verify_database
from tests.harness.bodies import release_body
from tests.harness.server import Server, problem_code
from tests.service.conftest import Study

SEX = [{"name": "sex", "levels": ["women", "men"]}, {"name": "ill", "levels": ["yes", "no"]}]


def faults(server: Server, budget_id: str) -> list[str]:
    engine = create_engine(server.owner_database_url)
    try:
        with engine.connect() as connection:
            findings = verify_database(connection)
    finally:
        engine.dispose()
    return [each.fault for each in findings if each.budget_id == budget_id and each.fault is not None]


def test_values_are_renamed_with_their_counts_until_something_is_charged(study: Study, server: Server) -> None:
    path = f"/v1/datasets/{study.dataset_id}"
    alone = study.owner.patch(path, {"attributes": SEX})
    assert alone.json()["errors"] == [{"location": "body.counts", "rule": "must be sent with new labels or attributes"}]
    unnamed = study.owner.patch(path, {"impossible": [{"sex": ["men"]}]})
    assert unnamed.json()["errors"] == [
        {"location": "body.impossible", "rule": "needs attributes: leave impossible labels out"}
    ]
    both = study.owner.patch(path, {"labels": ["a", "b"], "attributes": SEX, "counts": [1, 2]})
    assert both.json()["errors"][0]["rule"] == "must have either labels or attributes"
    body = {"attributes": SEX, "counts": [3, 40, 5]} | {"impossible": [{"sex": ["men"], "ill": ["yes"]}]}
    assert study.owner.patch(path, body).status_code == 200
    changed = study.owner.get(path).json()
    assert changed["labels"] == ["women · yes", "women · no", "men · no"]
    assert (changed["category_count"], changed["record_count"]) == (3, 48)
    assert study.owner.patch(path, {"labels": ["case", "other"], "counts": [7, 8]}).status_code == 200
    assert faults(server, study.budget_id) == []
    assert study.analyst.release(study.dataset_id, release_body("0.1")).status_code == 201
    late = study.owner.patch(path, {"labels": ["ill", "well"], "counts": [7, 8]})
    assert problem_code(late) == "conflict"
    assert study.owner.get(path).json()["labels"] == ["case", "other"]
    assert faults(server, study.budget_id) == []


def test_a_repeated_replacement_acts_once_and_returns_the_same_nonce(study: Study) -> None:
    path = f"/v1/datasets/{study.dataset_id}"
    key = {"Idempotency-Key": f"replace-{study.dataset_id}"}
    answers = [study.owner.request("PATCH", path, json={"counts": [7, 8]}, headers=key).json() for _ in range(2)]
    assert answers[0]["nonce"] == answers[1]["nonce"]
    kinds = [each["kind"] for each in study.ledger()]
    assert kinds.count("dataset_replaced") == 1
    study.owner.patch(path, {"counts": [9, 8]})
    late = study.owner.request("PATCH", path, json={"counts": [7, 8]}, headers=key).json()
    assert late["nonce"] is None, "it proves nothing any more"
