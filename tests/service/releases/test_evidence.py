"""Evidence of releases over HTTP: its hashes, its signature, who reads it, and the members of a public spec."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from service.identifiers.canonical_json import Json, canonical_json
from service.ledger.receipts import Evidence, verify
from service.releases.evidence import is_listed
from service.schemas.evidence import PublicDrawn, PublicSpec
from tests.harness.bodies import release_body
from tests.harness.process import ROOT
from tests.service.test_what_leaves import planted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.harness.server import Server
    from tests.service.conftest import Study


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_evidence_has_the_stored_texts_and_is_public_with_the_release(study: Study, server: Server) -> None:
    body = release_body("0.1", 2) | {"max_charge": {"epsilon": "0.3"}}
    paid = study.analyst.post(f"/v1/datasets/{study.dataset_id}/releases", body, idempotency_key="one")
    path, release = f"/v1/releases/{paid.json()['id']}", paid.json()
    evidence = study.analyst.get(f"{path}/evidence").json()
    assert study.owner.get(f"{path}/evidence").json() == evidence
    assert server.new("analyst").get(f"{path}/evidence").status_code == 404
    receipt, signed = release["receipt"]["body"], evidence["signature"]["body"]
    assert {name: signed[name] for name in signed.keys() & receipt.keys()} == {
        name: receipt[name] for name in signed.keys() & receipt.keys() if name != "kind"
    } | {"kind": "private-posterior evidence 1"}
    assert (signed["spec_sha256"], signed["drawn_sha256"]) == (sha256(evidence["spec"]), sha256(evidence["drawn"]))
    assert signed["answer_sha256"] == sha256(paid.text)
    assert (signed["epsilon"], signed["delta"], signed["rho"]) == ("0.1", "0", "0")
    keys = {each["key_id"]: each["public_key"] for each in [server.http.get("/v1/public-key").json()]}
    assert verify(evidence["signature"], Evidence, keys).release_id == release["id"]
    spec = json.loads(evidence["spec"])
    assert spec["request"] == {"prior": [1.0, 1.0], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}} | {
        "level": 0.95
    }
    assert json.loads(evidence["drawn"])["noisy"] == release["posterior"]["noisy_counts"]
    public = f"/v1/public/releases/{release['id']}"
    assert server.http.get(f"{public}/evidence").status_code == 404
    study.owner.patch(path, {"public": True})
    assert server.http.get(f"{public}/evidence").json() == evidence
    study.owner.patch(path, {"public": False})
    assert server.http.get(f"{public}/evidence").status_code == 404


def stored_releases() -> Iterator[dict[str, str]]:
    """Columns of every complete release that a released version recorded on SQLite."""
    for path in (ROOT / "tests" / "released").glob("*/sqlite/database.sql"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith('INSERT INTO "releases" VALUES'):
                texts = [each.replace("''", "'") for each in re.findall(r"'((?:[^']|'')*)'", line)]
                objects = [each for each in texts if each.startswith("{")]
                yield {"id": texts[0], "spec": objects[0], "drawn": next((e for e in objects if '"noisy"' in e), "{}")}


def without_limit(spec: str) -> dict[str, Any]:
    """A spec as this version stores it. Those of 0.1.0 and 0.2.0 have the payer's limit."""
    document: dict[str, Any] = json.loads(spec)
    document["request"].pop("max_charge", None)
    return document


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects_in(each)


def test_a_public_spec_has_listed_members_only() -> None:
    found = [each for each in stored_releases() if each["id"].startswith("rel_")]
    kinds = set()
    for each in found:
        assert is_listed(PublicSpec, each["spec"]) == ("max_charge" not in json.loads(each["spec"])["request"])
        spec = without_limit(each["spec"])
        kinds.add(spec["event"]["event"])
        assert is_listed(PublicSpec, json.dumps(spec))
        assert is_listed(PublicDrawn, each["drawn"])
        for part in objects_in(spec):
            part["payer"] = "pri_a"
            assert not is_listed(PublicSpec, json.dumps(spec))
            del part["payer"]
        drawn = planted(json.loads(each["drawn"]), "")
        assert not is_listed(PublicDrawn, json.dumps(drawn))
    assert len(found) > 20
    assert kinds >= {"simplex_geometric", "exponential", "gaussian", "laplace", "margins", "private_size"}


def test_no_spec_names_a_person_a_grant_or_a_key() -> None:
    for each in stored_releases():
        assert not re.findall(r'"(?:pri|grt|gra|key|tok)_[a-z2-7]+', each["spec"] + each["drawn"])
        assert '_id"' not in each["spec"]


@pytest.mark.parametrize("name", ["sequence", "at"])
def test_the_signed_body_survives_parsers_with_doubles(name: str) -> None:
    body: dict[str, Json] = {"kind": "private-posterior evidence 1", name: 2**53 - 1}
    assert json.loads(canonical_json(body), parse_int=lambda text: int(float(text))) == body
