"""Verify the chains of principals' keys against the database's heads and the heads in budgets' entries, and compare
principals, keys, tokens, codes and access requests with the entries of their chains.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from service.database import costs
from service.database.rows import ApiKeyRow, EnrolmentRow, PrincipalEntryRow, PrincipalRow, fetch_all
from service.database.tables import access_requests, api_keys, enrolments, entries, principal_entries, principals
from service.identifiers.canonical_json import ChainError
from service.identifiers.identifiers import now
from service.principals import chain
from service.principals.auth import hash_secret_row
from service.principals.chain import PrincipalEvent

_ROWS_AT_ONCE = 1000
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
    return _fault(connection, principal, _RecordedKeys.of(rows))


def count_unbound_roles(connection: Connection) -> int:
    """Return the number of principals whose role no entry binds. Version 0.1.0 created them."""
    binds = principal_entries.c.kind.in_(_BIND_ROLE) & principal_entries.c.detail.like('%"role":%')
    bound = select(principal_entries.c.principal_id).where(binds)
    query = select(func.count()).select_from(principals).where(principals.c.id.not_in(bound))
    return connection.execute(query).scalar_one()


@dataclass(slots=True)
class _RecordedKeys:
    """The state of a principal's keys by the entries of its chain."""

    roles: set[str] = field(default_factory=set)
    issued: dict[str, str | None] = field(default_factory=dict)
    """Hashes of the rows of keys, tokens and codes by their names. Entries of 0.1.0 and 0.2.0 have none."""
    parents: dict[str, str | None] = field(default_factory=dict)
    """Keys that valid keys descend from, by id."""
    ended: set[str] = field(default_factory=set)
    """Keys that were revoked or replaced."""
    open: set[str] = field(default_factory=set)
    """Names of tokens and codes that no entry ended. Their own time may have ended them."""
    used: set[str] = field(default_factory=set)
    """Tokens and codes that were exchanged."""
    requests: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """Access requests: the data set, whether it was withdrawn, and the amounts."""
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
                self.open = self._open_codes() if detail.get("recovers") else set()
                self._issue(_token(subject_id), detail.get("token_sha256"))
            case PrincipalEvent.TOKEN_ENDED:
                self.open.discard(_token(subject_id))
            case PrincipalEvent.ENROLLED | PrincipalEvent.RECOVERY_STARTED | PrincipalEvent.RECOVERED_BY_CODE:
                self._exchange(kind, subject_id, detail)
            case PrincipalEvent.RECOVERY_VETOED:
                self.recovery = (None, None)
                self.open = self._open_codes() - {_code_of(subject_id)}
            case PrincipalEvent.KEY_ISSUED:
                self.issued[_key(subject_id)] = detail.get("key_sha256")
                self.parents[subject_id] = detail.get("parent_id")
            case PrincipalEvent.KEY_REPLACED:
                self._replace(subject_id, detail["successor_id"], detail.get("key_sha256"))
            case PrincipalEvent.KEY_REVOKED:
                self.ended.add(subject_id)
            case PrincipalEvent.PRINCIPAL_REVOKED:
                self.is_revoked = True
            case PrincipalEvent.ACCESS_REQUESTED:
                self.requests[subject_id] = (detail["dataset_id"], False, *detail["requested"])
            case PrincipalEvent.ACCESS_WITHDRAWN:
                dataset_id, _, *requested = self.requests[subject_id]
                self.requests[subject_id] = (dataset_id, True, *requested)
            case _:
                pass

    def _exchange(self, kind: PrincipalEvent, subject_id: str, detail: Mapping[str, Any]) -> None:
        self.used.add(subject_id)
        if kind is PrincipalEvent.RECOVERED_BY_CODE:
            self.open, self.recovery = set(), (None, None)
        elif kind is PrincipalEvent.RECOVERY_STARTED:
            self.recovery = (detail["frozen_until"], subject_id)
        self.open.discard(_token(subject_id))
        self.issued[_key(detail["key_id"])] = detail.get("key_sha256")
        self._issue(_code_of(subject_id), detail.get("code_sha256"))

    def _replace(self, key_id: str, successor_id: str, row_sha256: str | None) -> None:
        self.ended.add(key_id)
        self.issued[_key(successor_id)] = row_sha256
        self.parents[successor_id] = self.parents.get(key_id)
        self.parents |= {child: successor_id for child, parent in self.parents.items() if parent == key_id}

    def _issue(self, name: str, row_sha256: str | None) -> None:
        self.issued[name] = row_sha256
        self.open.add(name)

    def _open_codes(self) -> set[str]:
        return self.open & {_code_of(each) for each in self.used}


def _key(key_id: str) -> str:
    return f"key {key_id}"


def _token(token_id: str) -> str:
    return f"token {token_id}"


def _code_of(enrolment_id: str) -> str:
    """Return the name of the recovery code that this token or code was exchanged for."""
    return f"recovery code of {enrolment_id}"


def _fault(connection: Connection, principal: PrincipalRow, recorded: _RecordedKeys) -> str | None:
    """Return the first difference between the rows of a principal and its entries, or None."""
    if recorded.roles and recorded.roles != {principal.role}:
        return "the principal's row names another role than its entries"
    if (principal.revoked_at is not None) is not recorded.is_revoked:
        return "the principal's row and its entries disagree on whether its access was revoked"
    if (principal.frozen_until, principal.recovery_id) != recorded.recovery:
        return "the principal's row names another recovery than its entries"
    keys = fetch_all(connection, ApiKeyRow, select(api_keys).where(api_keys.c.principal_id == principal.id))
    tokens = fetch_all(connection, EnrolmentRow, select(enrolments).where(enrolments.c.principal_id == principal.id))
    names = {each.id: _token(each.id) if each.kind == "token" else _code_of(each.made_by or "") for each in tokens}
    rows = [(_key(each.id), each) for each in keys] + [(names[each.id], each) for each in tokens]
    if (wrong := _fault_of_issue(rows, recorded.issued)) is not None:
        return wrong
    if differing := recorded.ended.symmetric_difference(each.id for each in keys if each.revoked_at is not None):
        return f"the row of key {min(differing)} and the entries disagree on whether it was revoked"
    if differing := recorded.used.symmetric_difference(each.id for each in tokens if each.used_at is not None):
        return f"the row of {min(differing)} and the entries disagree on whether it was exchanged"
    if (
        reopened := {names[each.id] for each in tokens if each.used_at is None and each.ended_at is None}
        - recorded.open
    ):
        return f"{min(reopened)} was ended, and its row says that it can be exchanged"
    live = [each for each in keys if each.revoked_at is None and (each.expires_at is None or each.expires_at > now())]
    if moved := {each.id for each in live if each.parent_id != recorded.parents.get(each.id)}:
        return f"the row of key {min(moved)} names another parent than its entries"
    return _fault_of_requests(connection, principal, recorded)


def _fault_of_requests(connection: Connection, principal: PrincipalRow, recorded: _RecordedKeys) -> str | None:
    row, amounts = access_requests.c, [access_requests.c[name] for name in costs.column_names("requested")]
    query = select(row.id, row.dataset_id, row.state == "withdrawn", *amounts).where(row.principal_id == principal.id)
    found = {
        request_id: (dataset_id, bool(is_withdrawn), *rest)
        for request_id, dataset_id, is_withdrawn, *rest in connection.execute(query)
    }
    differing = {request_id for request_id, _ in found.items() ^ recorded.requests.items()}
    return f"the row of access request {min(differing)} is not what its entries say" if differing else None


def _named_heads(connection: Connection) -> dict[str, dict[int, str]]:
    """Return the heads in entries of budgets, by principal and sequence. If two differ, one of them contradicts the
    chain.
    """
    named: dict[str, dict[int, str]] = defaultdict(dict)
    query = select(entries.c.principal_id, entries.c.detail).order_by(entries.c.budget_id, entries.c.sequence)
    for principal_id, detail in connection.execute(query.execution_options(yield_per=_ROWS_AT_ONCE)):
        try:
            head = json.loads(detail).get("principal_head")
        except (ValueError, AttributeError):  # the budget's chain shows the alteration
            continue
        if isinstance(head, dict):
            heads = named[principal_id]
            if head.get("hash") is not None:
                heads.setdefault(head.get("sequence", 0), head["hash"])
    return named


def _fault_of_issue(
    rows: Sequence[tuple[str, ApiKeyRow | EnrolmentRow]], issued: Mapping[str, str | None]
) -> str | None:
    """Return the fault of a row that no entry made, of one that is gone, or of one that was changed, or None."""
    found = dict(rows)
    if (more := found.keys() - issued.keys()) or len(found) < len(rows):
        return f"{min(more, default='a recovery code')} was never issued"
    if gone := issued.keys() - found.keys():
        return f"{min(gone)} was issued and is missing"
    changed = {
        name for name, row_sha256 in issued.items() if row_sha256 not in (None, hash_secret_row(found[name]._asdict()))
    }
    return f"the row of {min(changed)} is not as it was issued" if changed else None
