"""The public facts that encrypted counts are bound to. The encryption authenticates them. So counts decrypt only for
the data set, budget, owner and size that they were registered with. The entry of the registration binds the other
facts that a release states: labels, attributes and unit.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from typing import Final

from service.identifiers.canonical_json import canonical_json

_BINDING: Final = "private-posterior counts 1"
_DESCRIPTION: Final = "private-posterior description 1"


def hash_description(labels: str, attributes: str | None, unit: str) -> str:
    """Return the hash by which an entry binds labels, attributes and unit. The first two are JSON, as stored.

    Raises ValueError or TypeError if they are not.
    """
    described = [_DESCRIPTION, json.loads(labels), None if attributes is None else json.loads(attributes), unit]
    return hashlib.sha256(canonical_json(described).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class CountsBinding:
    """Facts of one data set. `relation` is the neighbour relation. `record_count` is n if it is public, and
    otherwise None.
    """

    dataset_id: str
    commitment: str
    budget_id: str
    owner_id: str
    accountant: str
    relation: str
    category_count: int
    record_count: int | None
    records_per_unit: int

    @property
    def associated_data(self) -> bytes:
        """Return the canonical JSON list of "private-posterior counts 1" and the fields in their order, as ASCII."""
        # `astuple` would copy each field, which takes longer than the encryption.
        return canonical_json([_BINDING, *(getattr(self, each.name) for each in fields(self))]).encode()
