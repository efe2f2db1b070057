"""States what encrypted counts stand for. The encryption authenticates these facts, so that counts decrypt only for the
data set, budget, owner and size that they were registered with.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Final

from service.canonical_json import canonical_json

_BINDING: Final = "private-posterior counts 1"


@dataclass(frozen=True, slots=True)
class CountsBinding:
    """The public facts that counts are bound to; `relation` is that of neighbours, and `record_count` is n, which is
    public and affirmed under `replace_one`.
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
        """The canonical JSON list of "private-posterior counts 1" and the fields in their order, in ASCII."""
        return canonical_json([_BINDING, *astuple(self)]).encode()
