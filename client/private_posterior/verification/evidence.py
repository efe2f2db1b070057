"""Checks evidence of releases, compares it with releases and ledgers, and finds forks, by docs/reference/evidence.md.

The loss in a certificate is not recomputed: the service states it. The result says so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from private_posterior.verification.ledgers import NOTHING, Amount, Ledger, amount_of
from private_posterior.verification.signatures import (
    EVIDENCE,
    UnreadableError,
    VerificationError,
    is_answer,
    is_signed,
    signed_objects,
    verify_signed,
)

STATED: Final = "Not checked: the loss of its certificate, which the service states"
_SHARED_MEMBERS: Final = ("labels", "attributes", "records_per_unit", "event")
"""Members that a release repeats from the spec."""
_PLACES: Final = frozenset({"budget_id", "sequence", "chain_hash"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Verified evidence: its signed body, the parsed spec and the parsed drawn values."""

    body: Mapping[str, Any]
    spec: Mapping[str, Any]
    drawn: Any

    @property
    def what(self) -> str:
        return f"evidence of {self.body['release_id']}"

    @property
    def amount(self) -> Amount:
        """Return the standalone cost of the release."""
        each = {name: self.body[name] for name in ("epsilon", "delta", "rho")}
        return Amount(
            amount_of({"accountant": "basic", "epsilon": each["epsilon"], "delta": each["delta"]}).epsilon,
            *amount_of({"accountant": "zcdp", "rho": each["rho"], "delta": each["delta"]})[1:],
        )


def is_evidence(document: Any) -> bool:
    """Return whether a document has the form of evidence. Nothing is verified."""
    match document:
        case {"spec": str(), "drawn": str(), "signature": signature}:
            return len(document) == 3 and is_signed(signature)
        case _:
            return False


def verify_evidence(document: Any, keys: Mapping[str, str]) -> Evidence:
    """Return evidence whose signature and hashes hold. Raises VerificationError, UnreadableError."""
    if not is_evidence(document):
        raise UnreadableError("this is not the evidence of a release")
    body = verify_signed(document["signature"], EVIDENCE, keys)
    what = f"evidence of {body['release_id']}"
    for name in ("spec", "drawn"):
        if hashlib.sha256(document[name].encode()).hexdigest() != body[f"{name}_sha256"]:
            raise VerificationError(f"{what}: its {name} is not the text that the service signed")
    try:
        evidence = Evidence(body, json.loads(document["spec"]), json.loads(document["drawn"]))
        fault = _fault_of_amount(evidence)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise VerificationError(f"{what}: it does not have the form of evidence") from None
    if fault:
        raise VerificationError(f"{what}: {fault}")
    return evidence


def _fault_of_amount(evidence: Evidence) -> str | None:
    """Return how the charge and the certificate contradict each other, or None."""
    spec, charged = evidence.spec, evidence.amount
    if spec["accountant"] != evidence.body["accountant"]:
        return "its accountant is not that of its spec"
    if spec["certificate"] is None:
        return None if charged == NOTHING else "it was charged without a certificate"
    loss = spec["certificate"]["loss"]
    if spec["accountant"] == "basic":
        proven = amount_of({"accountant": "basic", "epsilon": loss["epsilon"], "delta": loss["delta"]})
        return None if charged == proven else "its certificate proves another loss than was paid for"
    if loss["rho"] is not None:
        proven = amount_of({"accountant": "zcdp", "rho": loss["rho"], "delta": loss["rho_delta"]})
        return None if charged.fits(proven) else "its certificate proves another loss than was paid for"
    return None


def compare_release(evidence: Evidence, text: str, release: Mapping[str, Any]) -> str:
    """Compare evidence with the text of a release that was paid for or is public, and return what was compared. Raises
    VerificationError.
    """
    body, what = evidence.body, evidence.what
    if release.get("id") != body["release_id"]:
        raise VerificationError(f"{what}: it is of another release")
    if "receipt" in release:
        if not is_answer(text, release, body["answer_sha256"]):
            raise VerificationError(f"{what}: the release is not the text whose hash it has")
        return "all bytes are those whose hash the service signed in its evidence"
    try:
        different = [name for name, stated in _stated_members(evidence, release).items() if release.get(name) != stated]
        different += _different_counts(evidence.drawn, release)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise VerificationError(f"{what}: it does not have the form of evidence of this release") from None
    if different:
        raise VerificationError(f"{what}: {', '.join(different)} of the public release differ from it")
    return "spec and drawn values of its evidence agree with it"


def _stated_members(evidence: Evidence, release: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a public release as its evidence has them."""
    body, spec = evidence.body, evidence.spec
    request, main = spec["request"], "epsilon" if body["accountant"] == "basic" else "rho"
    found = {name: spec[name] for name in _SHARED_MEMBERS if name in release}
    found |= {name: request[name] for name in ("prior", "mechanism") if name in release}
    found |= {name: body[name] for name in ("dataset_id", "budget_id")}
    return found | {
        "certificate": spec["certificate"] | {"unit": spec["unit"]},
        "certified": spec["certificate"]["loss"],
        "charged": {"accountant": body["accountant"], main: body[main], "delta": body["delta"]},
        "created_at": f"{datetime.fromtimestamp(body['at'], UTC):%Y-%m-%dT%H:%M:%SZ}",
    }


def _different_counts(drawn: Mapping[str, Any], release: Mapping[str, Any]) -> list[str]:
    if "measured" in release:
        counts = [each.get("noisy_counts") for each in release["measured"]]
        return [] if counts == drawn["noisy"] else ["measured"]
    posterior = release.get("posterior", {})
    shown = posterior.get("noisy_counts"), posterior.get("released_counts")
    return [] if shown == (drawn["noisy"], drawn["on_simplex"]) else ["posterior"]


def require_entry(evidence: Evidence, ledger: Ledger) -> int:
    """Compare evidence with its entry in a verified ledger, and return the entry's number. Raises VerificationError."""
    body = evidence.body
    ledger.require_head(body, evidence.what)
    entry = ledger.charges.get(body["release_id"])
    if entry is None:
        raise VerificationError(f"{evidence.what}: the ledger has no such charge")
    if evidence.amount != entry.amount_in("alone"):
        raise VerificationError(f"{evidence.what} and entry {entry.sequence} differ in the price")
    if entry.kind != "receipt_reconciled" and entry.detail.get("spec_sha256") != body["spec_sha256"]:
        raise VerificationError(f"{evidence.what} and entry {entry.sequence} differ in the spec")
    return entry.sequence


def require_no_fork(documents: Iterable[Any]) -> None:
    """Raise VerificationError if two signed objects name one entry of a budget with different hashes: the service kept
    two ledgers. The signatures must have been verified.
    """
    found = dict[tuple[str, int], str]()
    for document in documents:
        for signed in signed_objects(document):
            body = signed["body"]
            if body.keys() >= _PLACES and "previous_hash" not in body:
                place = body["budget_id"], body["sequence"]
                if found.setdefault(place, body["chain_hash"]) != body["chain_hash"]:
                    raise VerificationError(
                        f"two signed texts name entry {place[1]} of budget {place[0]} with different hashes: the "
                        "service kept two ledgers (a fork). Keep both texts"
                    )
