"""Evidence of the test vectors, alone, with its releases and with its ledger. A change at any place is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from private_posterior.verification.evidence import verify_evidence
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.signatures import VerificationError, key_id_of
from private_posterior.verification.texts import check_texts, check_with_ledger
from tests.harness.process import ROOT
from tests.test_formats import sha256, sign

if TYPE_CHECKING:
    from collections.abc import Iterator

VECTORS = ROOT / "tests" / "vectors"
SIGNED = json.loads((VECTORS / "signatures.json").read_text(encoding="utf-8"))
KEYS = {key_id_of(SIGNED["public_key"]): SIGNED["public_key"]}
EVIDENCE = json.loads((VECTORS / "evidence.json").read_text(encoding="utf-8"))


def text_of(name: str) -> tuple[str, Any, None]:
    text = (VECTORS / name).read_text(encoding="utf-8")
    return text, json.loads(text), None


def beside(document: Any) -> tuple[str, Any, None]:
    return json.dumps(document, indent=2), document, None


def signed_again(evidence: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Evidence that the service could have signed."""
    hashes = {f"{name}_sha256": sha256(evidence[name].encode()) for name in ("spec", "drawn")}
    body = evidence["signature"]["body"] | hashes | changes
    return evidence | {"signature": sign(body, bytes.fromhex(SIGNED["seed"]))}


def pointers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for name in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, name)
        yield from pointers(value[name], (*path, name))


def changed(value: Any) -> Any:
    return value + 1 if isinstance(value, int) else value + "0" if isinstance(value, str) else []


@pytest.mark.parametrize("name", ["release.json", "public_release.json"])
def test_a_release_agrees_with_its_evidence(name: str) -> None:
    (found,) = check_texts([text_of(name), beside(EVIDENCE)], KEYS)
    assert "genuine" in found.compared
    assert "the loss of its certificate, which the service states" in found.compared
    assert not found.unchecked
    (alone,) = check_texts([beside(EVIDENCE)], KEYS)
    assert alone.what == f"evidence of {EVIDENCE['signature']['body']['release_id']}"


def test_a_release_of_an_earlier_version_verifies_with_and_without_its_kind() -> None:
    text = text_of("release.json")[0]
    outcome = json.loads(json.loads((VECTORS / "stored.json").read_text(encoding="utf-8"))["outcomes"][1]["signature"])
    served = f'{{"kind":"counts",{text[1:]}'
    for each in (text, served):
        for signature, others in ((outcome, []), (None, [beside(EVIDENCE)])):
            (found,) = check_texts([(each, json.loads(each), signature), *others], KEYS)
            assert "genuine" in found.compared
            assert not found.unchecked
    for wrong in (served.replace("counts", "margins", 1), served.replace('"kind":"counts",', '"kind":"counts", ', 1)):
        with pytest.raises(VerificationError):
            check_texts([(wrong, json.loads(wrong), outcome)], KEYS)


def test_a_change_at_any_place_of_evidence_is_refused() -> None:
    for path in pointers(EVIDENCE):
        document = deepcopy(EVIDENCE)
        place = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = changed(place[path[-1]])
        with pytest.raises((VerificationError, ValueError)):
            verify_evidence(document, KEYS)


def test_a_change_at_any_place_of_spec_or_drawn_contradicts_the_public_release() -> None:
    """Even if the service signed it: so a forged pair of texts needs both signatures."""
    silent = set()
    for name in ("spec", "drawn"):
        for path in pointers(json.loads(EVIDENCE[name])):
            document = json.loads(EVIDENCE[name])
            place = document
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = changed(place[path[-1]])
            evidence = signed_again(EVIDENCE | {name: json.dumps(document)})
            try:
                check_texts([text_of("public_release.json"), beside(evidence)], KEYS)
            except VerificationError:
                continue
            silent.add((name, *path))
    assert silent == {
        ("spec", "outcome"), ("spec", "request", "max_charge"), ("spec", "request", "level"),
    }, "what a public release does not repeat"  # fmt: skip


def test_evidence_equals_its_entry() -> None:
    ledger = verify_ledger((VECTORS / "ledger.jsonl").read_bytes(), KEYS)

    def check(evidence: dict[str, Any]) -> str:
        return check_with_ledger(*beside(evidence)[:2], ledger, KEYS, lambda _: None).compared

    assert check(EVIDENCE).startswith("genuine, and equal to entry 10. Not checked: the loss")
    for evidence, words in (
        (signed_again(EVIDENCE, chain_hash="0" * 64), "cut or rewritten"),
        (signed_again(EVIDENCE, release_id="rel_other"), "no such charge"),
        (signed_again(EVIDENCE | {"spec": EVIDENCE["spec"] + " "}), "differ in the spec"),
    ):
        with pytest.raises(VerificationError, match=words):
            check(evidence)


def test_two_public_texts_prove_a_fork() -> None:
    other = signed_again(EVIDENCE, release_id="rel_other", chain_hash="0" * 64)
    with pytest.raises(VerificationError, match=r"entry 10 of budget bud_v+ with different hashes.*\(a fork\)"):
        check_texts([beside(EVIDENCE), beside(other)], KEYS)
    check_texts([beside(EVIDENCE), beside(signed_again(other, sequence=11))], KEYS)


def test_evidence_of_0_1_0_says_what_it_lacks() -> None:
    spec = json.loads(EVIDENCE["spec"])
    del spec["outcome"]
    old = signed_again(EVIDENCE | {"spec": json.dumps(spec)})
    (found,) = check_texts([text_of("release.json"), beside(old)], KEYS)
    assert "Version 0.1.0 drew it, and signed no hash of it then" in found.compared
