"""Orders for draw processes, made as the service makes them, without a database."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from dataclasses import dataclass, field
from typing import Any

from core.accounting.accountants import Accountant, Cost, price
from core.certificate import Certificate
from core.mechanisms.catalogue import AnyEvent, certify_unit
from core.privacy import NeighbourRelation
from service.channels.events import event_to_json
from service.datasets.cipher import KeyRing
from service.drawing.estimates import estimate_seconds
from service.drawing.keys import DrawKeys
from service.drawing.processes import DrawOrder
from service.identifiers.canonical_json import Json, canonical_json
from service.ledger.chain import Entry, EntryKind, genesis, link
from service.ledger.counts_binding import CountsBinding
from service.ledger.receipts import Receipt, Signer

RING = KeyRing("k1", {"k1": bytes(range(32)), "k0": bytes(range(32, 64))})
SIGNER = Signer.parse(base64.b64encode(bytes(range(64, 96))).decode())
RETIRED = Signer.parse(base64.b64encode(bytes(range(96, 128))).decode())
KEYS = DrawKeys(RING, {each.key_id: each.public_key for each in (SIGNER, RETIRED)})


@dataclass(frozen=True)
class PaidDraw:
    """The stored fields of a charge, from which orders are made."""

    event: AnyEvent
    counts: list[int]
    records_per_unit: int = 1
    accountant: Accountant = Accountant.BASIC
    number: int = 0
    """The number in the ids of the release, its data set, budget and owner."""
    signer: Signer = SIGNER
    ring: KeyRing = RING
    amount: Cost | None = None
    certificate: Certificate | None = None
    changed_binding: dict[str, Any] = field(default_factory=dict)

    @property
    def certified(self) -> Certificate:
        records = getattr(self.event, "records_per_unit", self.records_per_unit)
        return self.certificate or certify_unit(self.event, records)

    @property
    def spec(self) -> str:
        certificate = self.certified.to_json()
        return json.dumps(
            {"event": event_to_json(self.event), "certificate": certificate, "records_per_unit": self.records_per_unit}
        )

    @property
    def receipt(self) -> dict[str, Any]:
        budget_id, amount = f"bud_{self.number}", self.amount or price(self.certified.loss, self.accountant)
        detail: dict[str, Json] = {
            "dataset_id": f"dat_{self.number}",
            "owner_id": f"pri_{self.number}",
            "commitment": f"commitment {self.number}",
            "spec_sha256": hashlib.sha256(self.spec.encode()).hexdigest(),
        }
        kind, release_id = EntryKind.RELEASE_CHARGED, f"rel_{self.number}"
        draft = Entry(budget_id, 0, kind, amount, "pri_analyst", release_id, canonical_json(detail), 1_700_000_000)
        return self.signer.sign(Receipt.of(link(genesis(budget_id), draft), self.accountant))

    @property
    def binding(self) -> CountsBinding:
        facts: dict[str, Any] = {
            "dataset_id": f"dat_{self.number}",
            "commitment": f"commitment {self.number}",
            "budget_id": f"bud_{self.number}",
            "owner_id": f"pri_{self.number}",
            "accountant": self.accountant.value,
            "relation": self.certified.relation.value,
            "category_count": len(self.counts),
            "record_count": sum(self.counts) if self.certified.relation is NeighbourRelation.REPLACE_ONE else None,
            "records_per_unit": self.records_per_unit,
        }
        return CountsBinding(**facts | self.changed_binding)

    @property
    def order(self) -> DrawOrder:
        stored = self.ring.encrypt(self.counts, self.binding)
        return DrawOrder(
            principal_id="pri_analyst",
            release_id=f"rel_{self.number}",
            spec=self.spec,
            receipt=self.receipt,
            dataset_id=f"dat_{self.number}",
            counts_key_id=stored.key_id,
            ciphertext=base64.b64encode(stored.ciphertext).decode(),
            estimate=estimate_seconds(self.event, self.records_per_unit, len(self.spec)),
            leased_until=math.inf,
        )

    @property
    def message(self) -> dict[str, Any]:
        """The order as a draw process reads it."""
        message: dict[str, Any] = json.loads(json.dumps(self.order.message()))
        return message
