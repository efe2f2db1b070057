"""Verify the chains of principals' keys against the database's heads and the heads in budgets' entries, and compare
principals, keys and tokens with the entries of their chains.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final, Self

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from service.database.rows import PrincipalEntryRow, PrincipalRow, fetch_all
from service.database.tables import api_keys, enrolments, entries, principal_entries, principals
from service.identifiers.canonical_json import ChainError
from service.principals import chain
from service.principals.chain import PrincipalEvent

_AT_ONCE = 1000
_BIND_ROLE: Final = (PrincipalEvent.TOKEN_ISSUED.value, PrincipalEvent.KEY_ISSUED.value)
"""Kinds of the first entry of a principal, which names its role."""


def verify_chains(connection: Connection) -> dict[str, str]:
    """Return the fault of each principal's chain that is not intact, by principal id. A principal whose row is missing,
    or has a value that can't be read, has a fault too.
    """
    named = _named_heads(connection)
    faults: dict[str, str] = {}
    there = {row.id: row for row in fetch_all(connection, PrincipalRow, select(principals))}
    with_entries = set(connection.execute(select(principal_entries.c.principal_id).distinct()).scalars())
    for principal_id in sorted(there.keys() | with_entries | named.keys()):
        principal = there.get(principal_id)
        if principal is None:
            faults[principal_id] = "entries name the principal, and its row is missing"
            continue
        try:
            with connection.begin_nested():
                fault = _fault_of_chain(connection, principal, named[principal_id])
        except (ValueError, LookupError, TypeError, AttributeError, DBAPIError):
            fault = "a stored value of the principal, its keys, tokens or entries can't be read"
        if fault is not None:
            faults[principal_id] = fault
    return faults


def _fault_of_chain(connection: Connection, principal: PrincipalRow, named: Mapping[int, str]) -> str | None:
    query = select(principal_entries).where(principal_entries.c.principal_id == principal.id)
    rows = fetch_all(connection, PrincipalEntryRow, query.order_by(principal_entries.c.sequence))
    try:
        end = chain.verify(principal.id, rows, named)
    except ChainError as error:
        return str(error)
    if end != (principal.sequence, principal.head_hash or chain.genesis_hash(principal.id)):
        return "the principal's row names another end than its entries have"
    return _fault(connection, principal, _Recorded.of(rows))


def count_unbound_roles(connection: Connection) -> int:
    """Return the number of principals whose role no entry binds. Version 0.1.0 created them."""
    binds = principal_entries.c.kind.in_(_BIND_ROLE) & principal_entries.c.detail.like('%"role":%')
    bound = select(principal_entries.c.principal_id).where(binds)
    query = select(func.count()).select_from(principals).where(principals.c.id.not_in(bound))
    return connection.execute(query).scalar_one()


@dataclass(slots=True)
class _Recorded:
    """What the entries of a principal's chain record."""

    roles: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    """Keys that were revoked or replaced."""
    tokens: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    """Tokens and codes that were exchanged."""
    is_revoked: bool = False
    recovery: tuple[int | None, str | None] = (None, None)
    """End of the veto period of the last recovery, and the id of its token."""

    @classmethod
    def of(cls, rows: Iterable[PrincipalEntryRow]) -> Self:
        found = cls()
        for row in rows:
            found._add(PrincipalEvent(row.kind), row.subject_id, json.loads(row.detail))
        return found

    def _add(self, kind: PrincipalEvent, subject_id: str, detail: Mapping[str, Any]) -> None:
        if "role" in detail:
            self.roles.add(detail["role"])
        match kind:
            case PrincipalEvent.TOKEN_ISSUED:
                self.tokens.add(subject_id)
            case PrincipalEvent.ENROLLED | PrincipalEvent.RECOVERY_STARTED | PrincipalEvent.RECOVERED_BY_CODE:
                self.keys.add(detail["key_id"])
                self.used.add(subject_id)
                if kind is PrincipalEvent.RECOVERY_STARTED:
                    self.recovery = (detail["frozen_until"], subject_id)
                elif kind is PrincipalEvent.RECOVERED_BY_CODE:
                    self.recovery = (None, None)
            case PrincipalEvent.RECOVERY_VETOED:
                self.recovery = (None, None)
            case PrincipalEvent.KEY_ISSUED:
                self.keys.add(subject_id)
            case PrincipalEvent.KEY_REPLACED:
                self.ended.add(subject_id)
                self.keys.add(detail["successor_id"])
            case PrincipalEvent.KEY_REVOKED:
                self.ended.add(subject_id)
            case PrincipalEvent.PRINCIPAL_REVOKED:
                self.is_revoked = True
            case _:
                pass


def _fault(connection: Connection, principal: PrincipalRow, recorded: _Recorded) -> str | None:
    """Return the first difference between the rows of a principal and its entries, or None."""
    if recorded.roles and recorded.roles != {principal.role}:
        return "the principal's row names another role than its entries"
    if (principal.revoked_at is not None) is not recorded.is_revoked:
        return "the principal's row and its entries disagree on whether its access was revoked"
    if (principal.frozen_until, principal.recovery_id) != recorded.recovery:
        return "the principal's row names another recovery than its entries"
    mine = select(api_keys.c.id, api_keys.c.revoked_at).where(api_keys.c.principal_id == principal.id)
    keys = {row.id: row.revoked_at is not None for row in connection.execute(mine)}
    if (wrong := _unrecorded("key", keys, recorded.keys)) is not None:
        return wrong
    if differing := recorded.ended.symmetric_difference(key_id for key_id, is_ended in keys.items() if is_ended):
        return f"the row of key {min(differing)} and the entries disagree on whether it was revoked"
    theirs = select(enrolments.c.id, enrolments.c.kind, enrolments.c.used_at)
    rows = connection.execute(theirs.where(enrolments.c.principal_id == principal.id)).all()
    if (wrong := _unrecorded("token", (row.id for row in rows if row.kind == "token"), recorded.tokens)) is not None:
        return wrong
    if differing := recorded.used.symmetric_difference(row.id for row in rows if row.used_at is not None):
        return f"the row of {min(differing)} and the entries disagree on whether it was exchanged"
    return None


def _named_heads(connection: Connection) -> dict[str, dict[int, str]]:
    """Return the heads in entries of budgets, by principal and sequence. If two differ, one of them contradicts the
    chain.
    """
    named: dict[str, dict[int, str]] = defaultdict(dict)
    query = select(entries.c.principal_id, entries.c.detail).order_by(entries.c.budget_id, entries.c.sequence)
    for principal_id, detail in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        try:
            head = json.loads(detail).get("principal_head")
        except (ValueError, AttributeError):  # the budget's chain shows the alteration
            continue
        if isinstance(head, dict):
            heads = named[principal_id]
            if head.get("hash") is not None:
                heads.setdefault(head.get("sequence", 0), head["hash"])
    return named


def _unrecorded(kind: str, rows: Iterable[str], recorded: AbstractSet[str]) -> str | None:
    """Return the fault of a row that no entry made, or of one that is gone, or None."""
    found = set(rows)
    if found - recorded:
        return f"{kind} {min(found - recorded)} was never issued"
    return f"{kind} {min(recorded - found)} was issued and is missing" if recorded - found else None
