"""Requests by the published schema, and many outside it, to a running service: only documented answers; no refusal of a
request that fits the schema without a field and its rule; and a consistent ledger.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import select

from service.database.engine import open_engine, reading
from service.database.tables import budgets
from service.schemas.principals import Role
from tests.harness import refusals
from tests.harness.bodies import of_releases
from tests.harness.installation import audit
from tests.harness.people import person
from tests.harness.process import ROOT, Process
from tests.harness.published import DOCUMENT, OPERATIONS, body_schema
from tests.harness.studies import grant, register, release

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
# They would end the key that the other operations are called with; they are called last, alone.
ENDING = ("revoke_key", "replace_key", "revoke_principal")


# A body that exceeds the schema by its size is refused as too large, before it is validated.
_CHECKS = """[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, 503]
"""


def _run(url: str, key: str, directory: Path, *, ids: dict[str, str], phases: str, examples: int, ending: bool) -> None:
    config = directory / "schemathesis.toml"
    # A documented 503 means that a certificate or the database is not available yet.
    config.write_text(
        _CHECKS + "[parameters]\n" + "".join(f'"path.{name}" = "{value}"\n' for name, value in ids.items())
    )
    chosen = [
        part for name in ENDING for part in ("--include-operation-id" if ending else "--exclude-operation-id", name)
    ]
    done = subprocess.run(
        [
            SCHEMATHESIS, f"--config-file={config}", "run", f"{url}/openapi.json",
            f"--header=Authorization: Bearer {key}", "--workers=1", "--checks=all",
            "--generation-database=none", "--seed=1954", f"--max-examples={examples}",
            f"--phases={phases}", "--request-timeout=120", "--max-response-time=120", "--no-color", *chosen,
        ],
        cwd=directory,
        env=os.environ | {"SCHEMATHESIS_HOOKS": refusals.__name__, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, "\n".join(line[:400] for line in done.stdout.splitlines()[-200:])


def _call_everything(
    url: str, directory: Path, *, callers: Sequence[Role], phases: str, examples: int, ending: Sequence[Role] = ()
) -> None:
    engine = open_engine(url)
    people = {role: person(engine, role) for role in Role}
    with Process(url, response_time_quantum_ms="0") as server:
        study = register(server.url, people[Role.OWNER], epsilon="1000", delta="0.5")
        granted = grant(server.url, study, people[Role.ANALYST], epsilon="500")
        with people[Role.ANALYST].client(server.url) as client:
            released = release(client, study.dataset_id, "first").json()["id"]
        ids = {
            "dataset_id": study.dataset_id,
            "budget_id": study.budget_id,
            "grant_id": granted,
            "release_id": released,
        }
        for role in callers:
            _run(server.url, people[role].key, directory, ids=ids, phases=phases, examples=examples, ending=False)
        for role in ending:
            _run(server.url, people[role].key, directory, ids={}, phases=phases, examples=examples, ending=True)
    with reading(engine) as connection:
        budget_ids = list(connection.execute(select(budgets.c.id)).scalars())
    assert sum(audit(engine, budget_id).release_count for budget_id in budget_ids) > 1
    engine.dispose()


@pytest.mark.long
def test_every_answer_to_an_owner_is_documented_and_no_budget_is_overspent(database_url: str, tmp_path: Path) -> None:
    _call_everything(database_url, tmp_path, callers=[Role.OWNER], phases="examples,fuzzing", examples=3)


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_every_answer_to_anybody_is_documented_and_no_budget_is_overspent(database_url: str, tmp_path: Path) -> None:
    everybody = [Role.OWNER, Role.ANALYST, Role.ADMIN]
    phases = "examples,coverage,fuzzing,stateful"
    _call_everything(
        database_url, tmp_path, callers=everybody, phases=phases, examples=25, ending=[Role.OWNER, Role.ADMIN]
    )


@pytest.mark.parametrize(
    ("delta", "name", "excused"),
    [
        (1e-6, "a name", True),
        ("1e-6", "a name", True),
        ("a text", "a name", False),
        (True, "a name", False),
        (None, "a name", False),
        ([1e-6], "a name", False),
        (1e-6, 5, False),
        (1e-6, "", False),
    ],
)
def test_a_request_may_break_the_schema_by_numbers_as_amounts_alone(
    delta: object, name: object, *, excused: bool
) -> None:
    body = {"accountant": "basic", "name": name, "epsilon": 0.5, "delta": delta}
    schema = body_schema(OPERATIONS["create_budget"][2])
    assert refusals.breaks_schema_by_numbers_alone(body, schema, DOCUMENT["components"]) is excused


def test_a_text_in_place_of_a_list_of_labels_is_taken_for_a_list_of_one() -> None:
    schema = body_schema(OPERATIONS["compute_posterior"][2])
    for labels, excused in (("ill", True), (["ill"], True), (7, False)):
        body = of_releases(f"rel_{'a' * 26}") | {"questions": [{"kind": "share", "of": {"labels": labels}}]}
        assert refusals.breaks_schema_by_numbers_alone(body, schema, DOCUMENT["components"]) is excused


@pytest.mark.parametrize(
    ("operation", "problem", "location", "explained"),
    [
        ("create_plan", "invalid-request", "body.epsilons[3]", True),
        ("create_plan", "invalid-request", "body", True),
        ("create_plan", "invalid-request", "body.margins", False),
        ("create_plan", "invalid-request", "", False),
        ("plot_release", "invalid-request", "query.margin", True),
        ("plot_release", "invalid-request", "query.epsilon", False),
        ("plot_release", "invalid-request", "body", False),
        ("create_plan", "computation-too-large", "", True),
        ("create_budget", "computation-too-large", "", False),
    ],
)
def test_a_refusal_is_a_documented_problem_and_names_a_field(
    operation: str, problem: str, location: str, *, explained: bool
) -> None:
    document = {"type": f"/problems/{problem}", "errors": [{"location": location, "rule": "must differ"}]}
    assert refusals.is_explained(OPERATIONS[operation][2], "422", document) is explained


def test_a_refusal_without_a_rule_is_not_explained() -> None:
    for told in ([], [{"location": "body", "rule": ""}]):
        document = {"type": "/problems/invalid-request", "errors": told}
        assert not refusals.is_explained(OPERATIONS["create_plan"][2], "422", document)
