"""The public facts that encrypted counts are bound to. The encryption authenticates them. So counts decrypt only for
the data set, budget, owner and size that they were registered with.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Final

from service.canonical_json import canonical_json

_BINDING: Final = "private-posterior counts 1"


@dataclass(frozen=True, slots=True)
class CountsBinding:
    """Facts of one data set. `relation` is the neighbour relation. `record_count` is n, which is public, and which the
    owner affirmed under `replace_one`.
    """

    dataset_id: str
    commitment: str
    budget_id: str
    owner_id: str
    accountant: str
    relation: str
    category_count: int
    record_count: int
    records_per_unit: int

    @property
    def associated_data(self) -> bytes:
        """Return the canonical JSON list of "private-posterior counts 1" and the fields in their order, as ASCII."""
        return canonical_json([_BINDING, *astuple(self)]).encode()
