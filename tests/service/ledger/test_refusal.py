"""The document of the API lists every way in which a debit may be refused."""

from __future__ import annotations

import json
from typing import Final

from service.errors import (
    ClockUnconfirmed,
    DatasetChanged,
    DecryptionKeyUnavailable,
    FailoverPending,
    IdempotencyKeyReused,
    Problem,
    RestorePending,
    StorageQuotaExceeded,
)
from service.ledger.query_debit import _PROBLEM_BY_LIMIT
from tests.harness.api_changes import inlined
from tests.harness.process import ROOT

OF_A_DEBIT: Final[set[type[Problem]]] = {
    *_PROBLEM_BY_LIMIT.values(),
    ClockUnconfirmed,
    DecryptionKeyUnavailable,
    DatasetChanged,
    FailoverPending,
    IdempotencyKeyReused,
    RestorePending,
    StorageQuotaExceeded,
}


def test_all_refusals_of_a_debit_are_published() -> None:
    paths = inlined(json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8")))["paths"]
    published = json.dumps(paths["/v1/datasets/{dataset_id}/releases"]["post"]["responses"])
    assert [each.code for each in OF_A_DEBIT if f'"/problems/{each.code}"' not in published] == []
