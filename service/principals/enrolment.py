"""Enrolment gives a person a first key, or a new one, that nobody else has seen.

An admin hands out a token, which the person exchanges for a key and a recovery code. The exchange happens once and is
never repeated; whoever comes second is told when it happened, so that a person whose token was taken notices at the
first try. The recovery code is exchanged likewise when keys are lost, without an admin.

A token for somebody who already uses keys starts a *recovery*. Until it ends the principal is frozen: its keys read,
and change and release nothing. Any key of before can veto it, and so can the code of before; what the recovery made
ends then. Every function works inside the caller's transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, insert, or_, select, update

from service.auth import Caller, NewSecret, hash_key, new_secret, require_live
from service.database.rows import ApiKeyRow, EnrolmentRow, PrincipalRow, fetch_first, fetch_one
from service.database.tables import api_keys, enrolments, principal_entries, principals
from service.errors import Conflict, NotFound, RecoveryPending, TokenAlreadyUsed, TokenInvalid
from service.identifiers import new_id, now, timestamp
from service.ledger.acts import is_frozen
from service.principals import chain
from service.principals.chain import Event, PrincipalEvent
from service.principals.keys import SECONDS_PER_DAY, add_key, check_end, end_keys

_TOKEN: Final = "token"  # noqa: S105  the name of a kind
_CODE: Final = "recovery_code"
_TOKEN_SECONDS: Final = SECONDS_PER_DAY


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token as shown once."""

    id: str
    principal_id: str
    token: str
    expires_at: int
    recovers: bool


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What a token or a code was exchanged for."""

    key_id: str
    key: NewSecret
    recovery_code: str
    frozen_until: int | None


def issue_token(connection: Connection, principal_id: str, *, by: str) -> IssuedToken:
    """Hands out a token in the place of earlier ones. Keys that earlier tokens were exchanged for and that were never
    used end.

    Raises NotFound for an unknown or revoked principal.
    """
    if chain.lock(connection, principal_id).revoked_at is not None:
        raise NotFound
    mine = api_keys.c.principal_id == principal_id
    unused = select(api_keys.c.id).where(
        mine,
        api_keys.c.enrolment_id.is_not(None),
        api_keys.c.enrolment_id.not_in(_in_use(connection, principal_id)),
        api_keys.c.revoked_at.is_(None),
    )
    end_keys(connection, principal_id, list(connection.execute(unused).scalars()), by=by)
    recovers = (
        connection.execute(select(api_keys.c.id).where(mine, api_keys.c.last_used_at.is_not(None)).limit(1)).first()
        is not None
    )
    _end(connection, principal_id, enrolments.c.kind == _TOKEN)
    if not recovers:
        _end(connection, principal_id, enrolments.c.kind == _CODE)
    token_id, secret, expires_at = new_id("enr"), new_secret("ppe"), now() + _TOKEN_SECONDS
    _add(connection, token_id, principal_id, _TOKEN, secret, issued_by=by, expires_at=expires_at)
    chain.record(connection, principal_id, Event(PrincipalEvent.TOKEN_ISSUED, by, token_id, {"recovers": recovers}))
    return IssuedToken(token_id, principal_id, secret.key, expires_at, recovers)


def find(connection: Connection, secret: str) -> EnrolmentRow:
    """The token or code that can be exchanged. Raises TokenAlreadyUsed with the time of its use, TokenInvalid."""
    row = fetch_first(connection, EnrolmentRow, select(enrolments).where(enrolments.c.secret_hash == hash_key(secret)))
    if row is None:
        raise TokenInvalid
    if row.used_at is not None:
        raise TokenAlreadyUsed(used_at=timestamp(row.used_at))
    if row.ended_at is not None or (row.expires_at is not None and row.expires_at <= now()):
        raise TokenInvalid
    return row


def exchange(connection: Connection, secret: str, *, expires_at: int | None, recovery_days: int) -> Enrolled:
    """Exchange a token or a code, once, for a key and a new code.

    Raises TokenAlreadyUsed, TokenInvalid, RecoveryPending, InvalidRequest.
    """
    check_end(expires_at)
    principal_id = find(connection, secret).principal_id
    principal = chain.lock(connection, principal_id)
    row = find(connection, secret)  # Whoever exchanged it in the meantime held the lock.
    if principal.revoked_at is not None:
        raise TokenInvalid
    instant = now()
    kind, detail, frozen_until = PrincipalEvent.ENROLLED, dict[str, object](), None
    if row.kind == _CODE:
        _check_code(principal, row)
        kind = PrincipalEvent.RECOVERED_BY_CODE
        if is_frozen(principal.frozen_until):
            _end_recovery(connection, principal, by=principal_id)
        end_keys(connection, principal_id, _live_ids(connection, principal_id), by=principal_id)
        _end(connection, principal_id, enrolments.c.id != row.id)
        _freeze(connection, principal_id, None, None)
    elif _has_used_keys(connection, principal_id):
        kind, frozen_until = PrincipalEvent.RECOVERY_STARTED, instant + recovery_days * SECONDS_PER_DAY
        detail = {"frozen_until": frozen_until}
        if is_frozen(principal.frozen_until):
            _end_recovery(connection, principal, by=row.issued_by, replaced_by=row.id)
        _freeze(connection, principal_id, frozen_until, row.id)
    key_id, key = add_key(connection, principal_id, issued_by=row.issued_by, expires_at=expires_at, enrolment_id=row.id)
    connection.execute(update(enrolments).where(enrolments.c.id == row.id).values(used_at=instant))
    code = new_secret("ppr")
    _add(connection, new_id("enr"), principal_id, _CODE, code, issued_by=row.issued_by, made_by=row.id)
    chain.record(
        connection,
        principal_id,
        Event(kind, principal_id, row.id, detail | {"key_id": key_id, "issued_by": row.issued_by}),
    )
    return Enrolled(key_id, key, code.key, frozen_until)


def veto(connection: Connection, caller: Caller, principal_id: str, *, recovery_days: int) -> None:
    """Ends a recovery that is pending, and a token that was not exchanged yet, by a key of before.

    Raises NotFound for somebody else's, Conflict where there is nothing to veto, RecoveryPending for a key that the
    recovery made, Unauthenticated for a key that ended, unless an admin ended it less than `recovery_days` before.
    """
    if caller.principal_id != principal_id:
        raise NotFound
    principal = chain.lock(connection, principal_id)
    pending = is_frozen(principal.frozen_until)
    if not _was_taken_away(connection, caller, principal, recovery_days * SECONDS_PER_DAY):
        require_live(connection, [caller])
    if pending and caller.enrolment_id == principal.recovery_id:
        raise RecoveryPending
    waiting = connection.execute(
        select(enrolments.c.id).where(_open(principal_id), enrolments.c.kind == _TOKEN)
    ).first()
    if not pending and waiting is None:
        raise Conflict("There is no recovery that could be vetoed.")
    _end(connection, principal_id, enrolments.c.kind == _TOKEN)
    if waiting is not None:
        chain.record(
            connection,
            principal_id,
            Event(PrincipalEvent.TOKEN_ENDED, principal_id, waiting.id, {"api_key_id": caller.key_id}),
        )
    if pending:
        _end_recovery(connection, principal, by=principal_id, api_key_id=caller.key_id)
        _freeze(connection, principal_id, None, None)


def _was_taken_away(connection: Connection, caller: Caller, principal: PrincipalRow, seconds: int) -> bool:
    """Whether somebody else ended the key of a caller who used keys, less than `seconds` before the recovery, or since
    it began: whoever starts one must not silence first who could veto it.

    Not so for a key that came of a recovery which was ended, as whoever had that may have taken its token.
    """
    key = fetch_one(connection, ApiKeyRow, select(api_keys).where(api_keys.c.id == caller.key_id).with_for_update())
    if key.revoked_at is None or (key.expires_at is not None and key.expires_at <= now()):
        return False
    # A key that another one made is its principal's, as is one that came of what its principal uses.
    is_theirs = key.last_used_at is not None or key.issued_by == principal.id
    if not is_theirs and key.enrolment_id not in _in_use(connection, principal.id):
        return False
    start = select(enrolments.c.used_at).where(enrolments.c.id == principal.recovery_id)
    began = connection.execute(start).scalar() if is_frozen(principal.frozen_until) else None
    if key.revoked_at < (now() if began is None else began) - seconds:
        return False
    ends = select(principal_entries.c.kind, principal_entries.c.actor_id).where(
        principal_entries.c.principal_id == principal.id,
        principal_entries.c.kind.in_([PrincipalEvent.KEY_REVOKED.value, PrincipalEvent.RECOVERY_VETOED.value]),
        principal_entries.c.subject_id.in_([key.id, key.enrolment_id or key.id]),
    )
    by = {PrincipalEvent(row.kind): row.actor_id for row in connection.execute(ends)}
    if PrincipalEvent.KEY_REVOKED not in by or PrincipalEvent.RECOVERY_VETOED in by:
        return False
    return bool(by[PrincipalEvent.KEY_REVOKED] != principal.id)


def _check_code(principal: PrincipalRow, code: EnrolmentRow) -> None:
    """A code of before ends with the recovery that nobody vetoed; the recovery's own counts from then on. Raises
    RecoveryPending, TokenInvalid.
    """
    if principal.recovery_id is None:
        return
    if is_frozen(principal.frozen_until):
        if code.made_by == principal.recovery_id:
            raise RecoveryPending
    elif code.made_by != principal.recovery_id:
        raise TokenInvalid


def _end_recovery(connection: Connection, principal: PrincipalRow, *, by: str, **detail: str) -> None:
    made = select(api_keys.c.id).where(
        api_keys.c.enrolment_id == principal.recovery_id, api_keys.c.revoked_at.is_(None)
    )
    end_keys(connection, principal.id, list(connection.execute(made).scalars()), by=by)
    _end(connection, principal.id, enrolments.c.made_by == principal.recovery_id)
    chain.record(
        connection, principal.id, Event(PrincipalEvent.RECOVERY_VETOED, by, principal.recovery_id or "", detail)
    )


def _has_used_keys(connection: Connection, principal_id: str) -> bool:
    query = select(api_keys.c.id).where(api_keys.c.principal_id == principal_id, api_keys.c.last_used_at.is_not(None))
    return connection.execute(query.limit(1)).first() is not None


def _in_use(connection: Connection, principal_id: str) -> set[str]:
    """The tokens and codes whose keys are not those of a thief who came first: one of them was used, or they came of a
    code that whoever used one got with it.
    """
    query = select(api_keys.c.enrolment_id).where(
        api_keys.c.principal_id == principal_id,
        api_keys.c.enrolment_id.is_not(None),
        api_keys.c.last_used_at.is_not(None),
    )
    found = set(connection.execute(query).scalars())
    exchanged = select(enrolments.c.id, enrolments.c.made_by).where(
        enrolments.c.principal_id == principal_id, enrolments.c.kind == _CODE, enrolments.c.used_at.is_not(None)
    )
    made_by = {row.id: row.made_by for row in connection.execute(exchanged)}
    while more := {code for code, maker in made_by.items() if maker in found} - found:
        found |= more
    return found


def _live_ids(connection: Connection, principal_id: str) -> list[str]:
    counts = api_keys.c.revoked_at.is_(None) & or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at > now())
    return list(
        connection.execute(select(api_keys.c.id).where(api_keys.c.principal_id == principal_id, counts)).scalars()
    )


def _freeze(connection: Connection, principal_id: str, until: int | None, recovery_id: str | None) -> None:
    connection.execute(
        update(principals).where(principals.c.id == principal_id).values(frozen_until=until, recovery_id=recovery_id)
    )


def _open(principal_id: str) -> ColumnElement[bool]:
    return (
        (enrolments.c.principal_id == principal_id) & enrolments.c.used_at.is_(None) & enrolments.c.ended_at.is_(None)
    )


def _end(connection: Connection, principal_id: str, which: ColumnElement[bool]) -> None:
    connection.execute(update(enrolments).where(_open(principal_id), which).values(ended_at=now()))


def end_expired_tokens(connection: Connection) -> bool:
    """Ends tokens whose time is over, so that none can be exchanged if the clock goes back. Returns whether more may
    be left, which is never so.
    """
    unused = enrolments.c.used_at.is_(None) & enrolments.c.ended_at.is_(None)
    connection.execute(update(enrolments).where(unused, enrolments.c.expires_at <= now()).values(ended_at=now()))
    return False


def _add(
    connection: Connection,
    enrolment_id: str,
    principal_id: str,
    kind: str,
    secret: NewSecret,
    *,
    issued_by: str,
    expires_at: int | None = None,
    made_by: str | None = None,
) -> None:
    connection.execute(
        insert(enrolments).values(
            id=enrolment_id,
            principal_id=principal_id,
            kind=kind,
            secret_hash=secret.secret_hash,
            issued_by=issued_by,
            made_by=made_by,
            created_at=now(),
            expires_at=expires_at,
        )
    )
