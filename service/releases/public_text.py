"""Build the public text of a release, which anyone may read after the owner published it.

It has only the members of the response text that its schema lists. So it names neither payer, remaining amount nor
receipt, nor any member that a later version adds for the payer. It is signed and stored when the release is first
published, and never changes.
"""

from __future__ import annotations

import json

from pydantic_core import to_json
from sqlalchemy import Connection, insert, select

from service.database.tables import public_texts, releases
from service.errors import NotFound
from service.identifiers.identifiers import now
from service.ledger.receipts import ReleaseSignature, Signer
from service.releases.results import check_public_text
from service.runtime.key_file import InstalledKeys
from service.schemas.margins import PublicRelease
from service.schemas.model import listed_members


def public_text(document: str, signer: Signer) -> str:
    """Return the public text of a release's JSON text, with its signature as the last member."""
    parts = json.loads(document)
    # The signature is the last member, over the text before it.
    signed = to_json({name: part for name, part in listed_members(PublicRelease, parts).items() if name != "signature"})
    signature = signer.signed_text(ReleaseSignature.of(parts["id"], signed))
    return f'{signed[:-1].decode()},"signature":{signature}}}'


def keep_public_text(connection: Connection, release_id: str, document: str, signer: Signer) -> None:
    """Store the public text of a release, unless it is stored already. The caller holds the lock of its budget."""
    if connection.execute(select(public_texts.c.release_id).where(public_texts.c.release_id == release_id)).first():
        return
    row = {"release_id": release_id, "text": public_text(document, signer), "created_at": now()}
    connection.execute(insert(public_texts).values(row))


def read_public_text(connection: Connection, release_id: str, keys: InstalledKeys) -> str:
    """Return the public text of a published release. Raises NotFound, ReleaseAltered, ReceiptKeyUnavailable."""
    query = (
        select(public_texts.c.text, releases.c.result)
        .join(releases, releases.c.id == public_texts.c.release_id)
        .where(releases.c.id == release_id, releases.c.public_since.is_not(None))
    )
    row = connection.execute(query).first()
    if row is None:
        raise NotFound
    text: str = row.text
    check_public_text(release_id, text, row.result or "", keys)
    return text
