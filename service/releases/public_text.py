"""Makes the public text of a release: what anyone may read once its owner made it public.

It is the text that was answered, without who paid for it, what that caller had left, and the receipt, which names both
and the grant. It is signed and stored when the release is published first, and never changes.
"""

from __future__ import annotations

import json
from typing import Final

from pydantic_core import to_json
from sqlalchemy import Connection, insert, select

from service.database.tables import public_texts, releases
from service.errors import NotFound
from service.identifiers import now
from service.ledger.receipts import ReleaseSignature, Signer

_OF_THE_CALLER: Final = frozenset({"principal_id", "remaining_after", "receipt"})


def public_text(document: str, signer: Signer) -> str:
    """The public text of a release's JSON text: what is signed, with the signature as its last member."""
    parts = json.loads(document)
    signed = to_json({name: part for name, part in parts.items() if name not in _OF_THE_CALLER})
    signature = signer.signed_text(ReleaseSignature.of(parts["id"], signed))
    return f'{signed[:-1].decode()},"signature":{signature}}}'


def keep_public_text(connection: Connection, release_id: str, document: str, signer: Signer) -> None:
    """Stores the public text of a release, unless it was stored before. The caller holds the lock of its budget."""
    if connection.execute(select(public_texts.c.release_id).where(public_texts.c.release_id == release_id)).first():
        return
    row = {"release_id": release_id, "text": public_text(document, signer), "created_at": now()}
    connection.execute(insert(public_texts).values(row))


def read_public_text(connection: Connection, release_id: str) -> str:
    """The text of a release that anyone may read. Raises NotFound."""
    query = (
        select(public_texts.c.text)
        .join(releases, releases.c.id == public_texts.c.release_id)
        .where(releases.c.id == release_id, releases.c.public_since.is_not(None))
    )
    text: str | None = connection.execute(query).scalar()
    if text is None:
        raise NotFound
    return text
