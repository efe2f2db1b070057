"""A witness outside the database: the last head of every budget's ledger, so that a database that went back in time is noticed.

The witness only ever holds heads that were read from the database after their commit, so that a database which kept its commits can never
contradict it. It is written about once a second and when the process ends. What a crash takes with it are the heads of the last moments: a backup taken
within those, and restored raw over the crashed database, would pass unnoticed. `private-posterior backup` marks its copies, so
for those nothing hangs on the witness.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, select

from service.database.tables import budgets, installation
from service.ledger.chain import Head
from service.settings import Settings, SettingsError

_KIND: Final = "private-posterior witness 1"


@dataclass(slots=True)
class Witness:
    """The heads that were last seen, in memory and, where there is a `path`, in a file."""

    path: Path | None
    identity: str
    """Which installation the heads are of: another database in the same place is no restored one."""
    restores: int = 0
    """How often the database had been restored when the heads were seen: heads of before a restore are of another history than those after it."""
    heads: dict[str, Head] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path | None, identity: str) -> Witness:
        """What the file remembers; nothing where there is no file yet. Raises SettingsError for a file of another installation."""
        if path is None or not path.exists():
            return cls(path, identity)
        try:
            content: dict[str, Any] = json.loads(path.read_text())
            heads = {
                budget_id: Head(budget_id, int(sequence), str(hash_))
                for budget_id, (sequence, hash_) in content["heads"].items()
            }
            known, restores = content["kind"] == _KIND, int(content["restores"])
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            raise SettingsError("POSTERIOR_WITNESS_FILE names a file that is no witness of this service") from None
        if not known or content.get("installation") != identity:
            raise SettingsError(
                "the witness file remembers the ledgers of another database; if this one is new and not a restored one, name another file in "
                "POSTERIOR_WITNESS_FILE or move the old one away"
            )
        return cls(path, identity, restores, heads)

    def is_contradicted_by(self, head: Head) -> bool:
        """Whether a budget whose ledger now ends with `head` once had entries that it has no more. Later entries need a look at the entry itself."""
        seen = self.heads.get(head.budget_id)
        if seen is None:
            return False
        return head.sequence < seen.sequence or (head.sequence == seen.sequence and head.hash != seen.hash)

    def remember(self, connection: Connection) -> None:
        """Takes the committed heads for the truth, and replaces the file at once where they are news."""
        heads, restores = read_heads(connection), connection.execute(select(installation.c.restores)).scalar_one()
        if (heads, restores) == (self.heads, self.restores) and (self.path is None or self.path.exists()):
            return
        if self.path is not None:
            self._write(self.path, heads, restores)
        self.heads, self.restores = heads, restores

    def _write(self, path: Path, heads: dict[str, Head], restores: int) -> None:
        content = {
            "kind": _KIND,
            "installation": self.identity,
            "restores": restores,
            "heads": {head.budget_id: [head.sequence, head.hash] for head in heads.values()},
        }
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump(content, file)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError as error:
            raise SettingsError(f"the witness file can't be written: {error.strerror}") from None


def witness_path(settings: Settings) -> Path | None:
    """The file that the settings name, else one beside a SQLite database; none for PostgreSQL, whose processes then remember in memory alone."""
    if settings.witness_file:
        return Path(settings.witness_file)
    if settings.is_sqlite:
        return Path(settings.database_url.removeprefix("sqlite:///") + ".witness")
    return None


def open_witness(connection: Connection, settings: Settings) -> Witness:
    """The witness of the database behind `connection`. Raises SettingsError."""
    return Witness.open(witness_path(settings), connection.execute(select(installation.c.identity)).scalar_one())


def read_heads(connection: Connection) -> dict[str, Head]:
    """The head of every budget, by its id."""
    rows = connection.execute(select(budgets.c.id, budgets.c.sequence, budgets.c.head_hash))
    return {row.id: Head(row.id, row.sequence, row.head_hash) for row in rows}
