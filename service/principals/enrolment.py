"""Enrolment: give a person a first or new key that nobody else has seen.

An admin issues a token, which the person exchanges for a key and a recovery code. A token can be exchanged only once. A
second exchange fails with the time of the first, so that a person whose token was stolen notices at once. If keys are
lost, the recovery code is exchanged in the same way, without an admin.

A token for a principal that already uses keys starts a *recovery*. Until it ends, the principal is frozen: its keys can
only read, and lower limits and grants. Any earlier key and the earlier recovery code can veto it. A veto ends
everything that the recovery created. Every function works inside the caller's transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, insert, or_, select, update

from service.database.rows import ApiKeyRow, EnrolmentRow, PrincipalRow, fetch_first, fetch_one
from service.database.tables import api_keys, enrolments, principal_entries, principals
from service.errors import Conflict, NotFound, RecoveryPending, TokenAlreadyUsed, TokenInvalid
from service.identifiers.identifiers import new_id, now, timestamp
from service.principals import chain
from service.principals.auth import Caller, NewSecret, hash_key, hash_secret_row, is_frozen, new_secret, require_live
from service.principals.chain import Event, PrincipalEvent
from service.principals.keys import SECONDS_PER_DAY, add_key, check_end, end_keys

_TOKEN: Final = "token"  # noqa: S105  the name of a kind
_CODE: Final = "recovery_code"
_TOKEN_SECONDS: Final = SECONDS_PER_DAY


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token, which is shown only once."""

    id: str
    principal_id: str
    token: str
    expires_at: int
    recovers: bool


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The key and recovery code that a token or code was exchanged for."""

    key_id: str
    key: NewSecret
    recovery_code: str
    frozen_until: int | None


def issue_token(connection: Connection, principal_id: str, *, by: str) -> IssuedToken:
    """Issue a token, and end earlier ones. Keys from earlier tokens end too if they were never used.

    Raises NotFound for an unknown or revoked principal.
    """
    principal = chain.lock(connection, principal_id)
    if principal.revoked_at is not None:
        raise NotFound
    mine = api_keys.c.principal_id == principal_id
    unused = select(api_keys.c.id).where(
        mine,
        api_keys.c.enrolment_id.is_not(None),
        api_keys.c.enrolment_id.not_in(_secrets_in_use(connection, principal_id)),
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
    bound = _add(connection, token_id, principal_id, _TOKEN, secret, issued_by=by, expires_at=expires_at)
    detail = {"recovers": recovers, "role": principal.role, "token_sha256": bound}
    chain.record(connection, principal_id, Event(PrincipalEvent.TOKEN_ISSUED, by, token_id, detail))
    return IssuedToken(token_id, principal_id, secret.key, expires_at, recovers)


def find(connection: Connection, secret: str) -> EnrolmentRow:
    """Return a token or code that can be exchanged. A token ends with the admin who issued it; a code does not.

    Raises TokenAlreadyUsed, with the time of its use, and TokenInvalid.
    """
    row = fetch_first(connection, EnrolmentRow, select(enrolments).where(enrolments.c.secret_hash == hash_key(secret)))
    if row is None:
        raise TokenInvalid
    if row.used_at is not None:
        made = connection.execute(select(api_keys.c.prefix).where(api_keys.c.enrolment_id == row.id)).scalar()
        raise TokenAlreadyUsed(used_at=timestamp(row.used_at), key_prefix=made)
    if row.ended_at is not None or (row.expires_at is not None and row.expires_at <= now()):
        raise TokenInvalid
    if row.kind == _TOKEN:
        issuer = select(principals.c.revoked_at).where(principals.c.id == row.issued_by)
        if connection.execute(issuer).scalar() is not None:  # the command line is not a principal
            raise TokenInvalid
    return row


def exchange(connection: Connection, secret: str, *, expires_at: int | None, recovery_days: int) -> Enrolled:
    """Exchange a token or a code, once, for a key and a new code.

    Raises TokenAlreadyUsed, TokenInvalid, RecoveryPending, InvalidRequest.
    """
    check_end(expires_at)
    principal_id = find(connection, secret).principal_id
    principal = chain.lock(connection, principal_id)
    row = find(connection, secret)  # again under the lock: another request may have exchanged it
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
    bound = _add(connection, new_id("enr"), principal_id, _CODE, code, issued_by=row.issued_by, made_by=row.id)
    detail |= {"key_id": key_id, "issued_by": row.issued_by, "key_sha256": key.row_sha256, "code_sha256": bound}
    chain.record(connection, principal_id, Event(kind, principal_id, row.id, detail))
    return Enrolled(key_id, key, code.key, frozen_until)


def veto(connection: Connection, caller: Caller, principal_id: str, *, recovery_days: int) -> None:
    """Veto a pending recovery with an earlier key, and end a token that was not exchanged yet.

    - Raises NotFound for another principal, and Conflict if there is nothing to veto.
    - Raises RecoveryPending for a key that the recovery created.
    - Raises Unauthenticated for a key that has ended, unless somebody else ended it within `recovery_days`.
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
        select(enrolments.c.id).where(_open_condition(principal_id), enrolments.c.kind == _TOKEN)
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
    """Return whether somebody else ended the caller's key during the recovery, or less than `seconds` before it.

    Such a key may still veto: otherwise an attacker could revoke the keys of the principal, and then start a recovery.

    Keys from a vetoed recovery do not count, since its token may have been stolen.
    """
    key = fetch_one(connection, ApiKeyRow, select(api_keys).where(api_keys.c.id == caller.key_id).with_for_update())
    if key.revoked_at is None or (key.expires_at is not None and key.expires_at <= now()):
        return False
    # A key belongs to the principal if it was used, if another key created it, or if its token's keys are in use.
    is_theirs = key.last_used_at is not None or key.issued_by == principal.id
    if not is_theirs and key.enrolment_id not in _secrets_in_use(connection, principal.id):
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
    """Check that a recovery code can be used now. Raises RecoveryPending, TokenInvalid.

    If there was a recovery, earlier codes are valid until the veto period ends, and the recovery's own code is valid
    afterwards.
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


def _secrets_in_use(connection: Connection, principal_id: str) -> set[str]:
    """Return the tokens and codes whose keys the principal uses: one of their keys was used, or their code was issued
    together with a used key.
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


def _open_condition(principal_id: str) -> ColumnElement[bool]:
    return (
        (enrolments.c.principal_id == principal_id) & enrolments.c.used_at.is_(None) & enrolments.c.ended_at.is_(None)
    )


def _end(connection: Connection, principal_id: str, which: ColumnElement[bool]) -> None:
    connection.execute(update(enrolments).where(_open_condition(principal_id), which).values(ended_at=now()))


def end_expired_tokens(connection: Connection) -> bool:
    """End expired tokens, so that they stay ended if the clock goes back.

    Return False: one call ends all of them, so the background task need not repeat it.
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
) -> str:
    """Store a token or a code, and return the hash of its row for the entry."""
    columns = {
        "id": enrolment_id,
        "principal_id": principal_id,
        "kind": kind,
        "secret_hash": secret.secret_hash,
        "issued_by": issued_by,
        "made_by": made_by,
        "created_at": now(),
        "expires_at": expires_at,
    }
    connection.execute(insert(enrolments).values(columns))
    return hash_secret_row(columns)
