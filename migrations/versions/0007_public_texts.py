"""What anyone may read of a public release, stored when it is published: without who paid for it and what he had
left.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from migrations.append_only import guard_public_texts

revision = "0007"
down_revision = "0006"
_OF_THE_CALLER = ("principal_id", "remaining_after", "receipt")


def upgrade() -> None:
    texts = op.create_table(
        "public_texts",
        sa.Column("release_id", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["releases.id"], name=op.f("fk_public_texts_release_id")),
        sa.PrimaryKeyConstraint("release_id", name=op.f("pk_public_texts")),
    )
    guard_public_texts()
    published = "SELECT id, result, public_since FROM releases WHERE public_since IS NOT NULL AND result IS NOT NULL"
    for row in op.get_bind().execute(sa.text(published)).all():
        parts = {name: part for name, part in json.loads(row.result).items() if name not in _OF_THE_CALLER}
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        op.bulk_insert(texts, [{"release_id": row.id, "text": text, "created_at": row.public_since}])
