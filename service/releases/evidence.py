"""Build the evidence of a release: its stored spec and drawn values, and one signed body with their hashes.

Without a key, only specs are read whose members the list of `service.schemas.evidence` has. Those of 0.1.0 and 0.2.0
have `max_charge` too, which is the payer's: payer and owner read these, and can pass them on.
"""

from __future__ import annotations

import json
from typing import Final

from pydantic_core import to_json
from sqlalchemy import Connection

from service.database.rows import ReleaseRow
from service.errors import NotFound, ReleaseAltered
from service.ledger.receipts import Evidence, Outcome, Receipt, parse
from service.principals.auth import Caller
from service.releases.access import own_row, public_row
from service.releases.results import matches_receipt
from service.runtime.key_file import InstalledKeys
from service.schemas.evidence import PublicDrawn, PublicSpec
from service.schemas.model import Response, listed_members

_NOT_PUBLIC_MESSAGE: Final = (
    "Version 0.1.0 or 0.2.0 stored the spec of this release, with the payer's max_charge. Payer and owner read the "
    "evidence with a key, and can pass it on."
)


def read_evidence(connection: Connection, caller: Caller, release_id: str, keys: InstalledKeys) -> str:
    """Return the evidence of a release of any kind for its payer and the data set's owner. Raises the errors of
    `own_row`.
    """
    return _evidence(own_row(connection, caller, release_id, keys), keys)


def read_public_evidence(connection: Connection, release_id: str, keys: InstalledKeys) -> str:
    """Return the evidence of a public release. Raises NotFound, ReleaseAltered, ReceiptKeyUnavailable."""
    row = public_row(connection, release_id, keys)
    evidence = _evidence(row, keys)
    if not (is_listed(PublicSpec, row.spec) and is_listed(PublicDrawn, row.drawn or "")):
        raise NotFound(_NOT_PUBLIC_MESSAGE)
    return evidence


def is_listed(kind: type[Response], text: str) -> bool:
    """Return whether the schema of `kind` lists all members of a JSON text, at every depth."""
    document = json.loads(text)
    return isinstance(document, dict) and listed_members(kind, document) == document


def _evidence(row: ReleaseRow, keys: InstalledKeys) -> str:
    if row.drawn is None or not matches_receipt(row, keys):
        raise ReleaseAltered
    receipt = parse(json.loads(row.receipt), Receipt)  # `matches_receipt` has verified it
    signature = keys.current.signer.signed_text(Evidence.of(receipt, Outcome.of(row.id, row.drawn, row.result)))
    return evidence_text(row.spec, row.drawn, signature)


def evidence_text(spec: str, drawn: str, signature: str) -> str:
    """Return the JSON text of a `schema.Evidence`. `signature` is the signed body as JSON text."""
    texts = to_json({"spec": spec, "drawn": drawn})[:-1].decode()
    return f'{texts},"signature":{signature}}}'
