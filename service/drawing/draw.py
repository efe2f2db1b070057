"""Draw one order: check that it was paid for, decrypt the counts, and draw.

An order contains the texts that the service stored with the charge: the release id, the spec (request, event,
certificate) as stored text, the signed receipt, and the encrypted counts. The receipt authenticates all of it. It
contains the SHA-256 of the spec, and the counts decrypt only with the facts in receipt and event. So a changed event,
certificate, amount or release id fails before decryption, and a changed row of counts does not decrypt. The answer
never gives a reason.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from core.accounting.accountants import Accountant, price
from core.cells import Groups, groups_of
from core.certificate import Certificate
from core.mechanisms.catalogue import AnyEvent, certify_unit, kind_of
from core.mechanisms.merging import merged
from core.privacy import NeighbourRelation, PrivacyLoss
from core.private import Private
from service.channels.events import MERGED, event_from_json
from service.datasets.cipher import EncryptedCounts
from service.drawing.keys import DrawKeys
from service.identifiers.identifiers import system_entropy
from service.ledger.counts_binding import CountsBinding
from service.ledger.receipts import Receipt, verify

FAILED: Final[dict[str, Any]] = {"failed": True}


class OrderError(Exception):
    """The order does not match its receipt."""


@dataclass(frozen=True, slots=True)
class _Spec:
    """The parts of a stored spec that a draw needs."""

    event: AnyEvent
    relation: NeighbourRelation
    loss: PrivacyLoss
    records_per_unit: int
    groups: Groups | None
    """The groups of cells that are merged before the draw."""

    @classmethod
    def read(cls, text: str) -> Self:
        stored = json.loads(text)
        certificate, together = Certificate.from_json(stored["certificate"]), stored["event"].get(MERGED)
        return cls(
            event_from_json(stored["event"]),
            certificate.relation,
            certificate.loss,
            stored["records_per_unit"],
            None if together is None else groups_of(len(stored["labels"]), together),
        )

    @property
    def category_count(self) -> int:
        """Return the number of cells of the registered table."""
        return self.event.m if self.groups is None else sum(map(len, self.groups))


def handle_order(order: Mapping[str, Any], keys: DrawKeys) -> dict[str, Any]:
    """Return `{"drawn": ...}` with the noisy counts, of each margin for a release of margins, or for query answers a
    list of exact numbers as text. Return `{"failed": true}` if the order does not match its receipt, or if anything
    else fails.
    """
    try:
        return {"drawn": _draw(order, keys)}
    except Exception:  # noqa: BLE001  the kind of failure could depend on the counts
        return FAILED


def _draw(order: Mapping[str, Any], keys: DrawKeys) -> Any:
    spec, binding = check(order, keys.public_keys)
    counts = order["counts"]
    encrypted = EncryptedCounts(counts["key_id"], base64.b64decode(counts["ciphertext"], validate=True))
    private = Private(np.array(keys.ring.decrypt(encrypted, binding), dtype=np.int64))
    if spec.groups is not None:
        private = merged(private, spec.groups)
    kind = kind_of(spec.event)
    return kind.as_json(kind.release(private, spec.event, system_entropy(), spec.loss).value)


def check(order: Mapping[str, Any], public_keys: Mapping[str, str]) -> tuple[_Spec, CountsBinding]:
    """Check an order without decrypting anything. Return its spec, and the facts that its counts are bound to.

    Raises OrderError, SignatureError, and the parser's errors for damaged JSON.
    """
    receipt = verify(order["receipt"], Receipt, public_keys)
    text: str = order["spec"]
    _require(receipt.release_id == order["release_id"])
    _require(receipt.dataset_id == order["counts"]["dataset_id"])
    _require(receipt.spec_sha256 == hashlib.sha256(text.encode()).hexdigest())
    spec, accountant = _Spec.read(text), Accountant(receipt.accountant)
    _require(price(spec.loss, accountant).fits(receipt.amount))
    _require(spec.groups is None or len(spec.groups) == spec.event.m)
    if kind_of(spec.event).closed_form:
        certified = certify_unit(spec.event, spec.records_per_unit)
        # An earlier version may have stated, and charged, a larger loss of the same event.
        _require(certified.relation == spec.relation and certified.loss.is_within(spec.loss))
    binding = CountsBinding(
        dataset_id=receipt.dataset_id,
        commitment=receipt.commitment,
        budget_id=receipt.budget_id,
        owner_id=receipt.owner_id,
        accountant=accountant.value,
        relation=spec.relation.value,
        category_count=spec.category_count,
        record_count=spec.event.n,
        records_per_unit=spec.records_per_unit,
    )
    return spec, binding


def _require(condition: bool) -> None:  # noqa: FBT001  an assertion in form
    if not condition:
        raise OrderError
