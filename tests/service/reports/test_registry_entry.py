"""The entry for the Deployments Registry fits the vendored schema, and neither it nor a statement promises what only a
lawyer can judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from service.reports.registry_entry import SCHEMA
from tests.harness.bodies import release_body
from tests.harness.process import ROOT

if TYPE_CHECKING:
    from tests.harness.server import Party
    from tests.service.conftest import Study

VENDORED = ROOT / "tests" / "registry" / "deployments-schema.yaml"
FORBIDDEN = re.compile(r"anonym|de-identif|pseudonymised|complian|GDPR", re.IGNORECASE)


def entry_of(owner: Party, dataset_id: str) -> tuple[str, Any]:
    text = owner.get(f"/v1/datasets/{dataset_id}/statement.yaml").text
    return text, yaml.safe_load(text)


def test_the_entry_fits_the_schema_of_the_commit_that_it_names(study: Study) -> None:
    made = study.analyst.post(
        f"/v1/datasets/{study.dataset_id}/releases", release_body("0.1", 2), idempotency_key="one"
    ).json()
    text, entry = entry_of(study.owner, study.dataset_id)
    assert SCHEMA in text
    assert SCHEMA in VENDORED.read_text(encoding="utf-8")
    errors = Draft202012Validator(yaml.safe_load(VENDORED.read_text(encoding="utf-8"))).iter_errors(entry)
    assert [error.message for error in errors] == []
    assert entry["status"] == "Draft"
    deployment = entry["deployment"]
    limit = study.owner.get(f"/v1/datasets/{study.dataset_id}/statement").json()["guarantee_limit"]
    assert deployment["privacy_loss"]["privacy_parameters"] == {
        "epsilon": float(limit["epsilon"]), "delta": limit["delta"],
    }  # fmt: skip
    assert deployment["basic"]["data_product_type"] == "Interactive API"
    assert deployment["basic"]["publication_date"] == made["created_at"][:10]
    assert "simplex geometric" in deployment["implementation"]["mechanisms"].lower()
    assert study.budget_id in deployment["administrative"]["notes"]
    assert text.count("# the owner states this") == 6
    assert not FORBIDDEN.search(text)


def test_a_name_in_an_entry_is_shown_as_it_is(owner: Party) -> None:
    from tests.service.conftest import dataset_body

    name = "a $\\alpha$ <b>*x*</b> [y](z)"
    dataset = owner.post("/v1/datasets", dataset_body(name=name)).json()
    _, entry = entry_of(owner, dataset["id"])
    shown = entry["deployment"]["basic"]["name"]
    assert re.sub(r"\\(.)", r"\1", shown) == name
    assert not re.search(r"(?<!\\)[$<*\[]", shown)


def test_a_statement_says_who_is_responsible_for_what(study: Study) -> None:
    said = study.owner.get(f"/v1/datasets/{study.dataset_id}/statement").json()
    blocks = [each["block"] for each in said["responsibilities"]]
    assert blocks[0] == "Privacy parameters"
    assert blocks[-1] == "Data collection"
    assert len(blocks) == 10
    assert "epsilon 1, delta" in said["responsibilities"][0]["enforced"]
    assert any("the odds of a fact about one person rise at most 2.72 times" in each for each in said["assessment"])
    text = study.owner.get(f"/v1/datasets/{study.dataset_id}/statement.txt").text
    assert "– Query model. Enforced by the service: " in text
    assert "Lines for a data protection impact assessment:" in text
    for words in (text, str(said["responsibilities"]), str(said["assessment"])):
        assert not FORBIDDEN.search(words.replace(study.dataset_id, ""))


@pytest.mark.parametrize("word", ["anonymous", "anonymised", "GDPR-compliant"])
def test_the_forbidden_words_are_found(word: str) -> None:
    assert FORBIDDEN.search(f"this is {word} data")
