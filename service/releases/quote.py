"""Quote a release before payment: its cost, whether it would be granted, and existing releases of the data set."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, select

from core.accounting.accountants import Accountant, price
from service.database.paging import PageRequest
from service.database.rows import BudgetRow, DatasetRow, fetch_one
from service.database.tables import budgets
from service.datasets import public_facts
from service.datasets.grants import asked_by, caller_limits
from service.errors import IdempotencyKeyReused, Problem, RestorePending
from service.identifiers.identifiers import now
from service.ledger.database_state import is_restore_pending
from service.ledger.debit import Wish, find_paid_before, hash_idempotency_key
from service.ledger.decision import Charge, RefusalReason, Refused, State, decide, largest_possible_charge
from service.ledger.noise import hash_noise
from service.ledger.query_debit import problem_of_refusal
from service.principals.auth import Caller
from service.releases import access as release_access
from service.releases.access import Wanted
from service.releases.expected_accuracy import expected_accuracy
from service.releases.paid import Draw, check_draw
from service.releases.release import above_limit, channel_of, counts_document, obtain_certificate, price_counts
from service.releases.spec import certificate_response, drawn_document, hash_payload, loss_response, summary
from service.runtime.runtime import Kind, Priced, Runtime, pay
from service.schemas import releases as schema
from service.schemas.model import PaidBody, amount
from service.schemas.principals import Role
from service.schemas.releases import OfQuotes

_MAX_SHOWN = 50
_COMPLETE_RELEASES: Final = Wanted(("counts", "margins"), state="complete")


async def quote(
    runtime: Runtime, caller: Caller, dataset_id: str, body: PaidBody, idempotency_key: str | None
) -> OfQuotes:
    """Return the quote for a request under this key. Raises the errors of the release for its parameters."""
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = await runtime.database.read(lambda c: public_facts.visible(c, caller, dataset_id))
    priced = await runtime.kinds[body.kind].quote(runtime, caller, dataset, body)
    key_hash = "" if idempotency_key is None else hash_idempotency_key(caller.principal_id, idempotency_key)
    noise = hash_noise(caller.principal_id, dataset_id, dataset.commitment, priced.drawn)
    wish = Wish(key_hash, hash_payload(dataset_id, body), noise, body.once)
    return await runtime.database.read(lambda c: _quote(c, caller, dataset_id, priced, wish))


async def quote_counts(runtime: Runtime, caller: Caller, dataset: DatasetRow, body: schema.CountsCreate) -> Priced:
    channel, merged = channel_of(dataset, body)
    certified = await obtain_certificate(runtime, caller, channel)
    check_draw(Draw.of(certified.event, dataset.records_per_unit), runtime.processes.max_draw_seconds)
    accuracy, loss = None, certified.certificate.loss
    if certified.event.n is not None:
        accuracy = await expected_accuracy(
            runtime, caller.principal_id, certified.event, list(channel.prior), body.level
        )

    def quoted(of_every_kind: dict[str, Any], dataset: DatasetRow) -> OfQuotes:
        return schema.CountsQuote(
            kind="counts",
            certified=loss_response(loss),
            certificate=certificate_response(certified.certificate, dataset.unit),
            expected_accuracy=accuracy,
            **of_every_kind,
        )

    charge = Charge(price(loss, Accountant(dataset.accountant)), body.mechanism.kind, now())
    drawn = {"request": {}, "event": drawn_document(certified, merged)["event"]}
    return Priced(charge, above_limit(body.max_charge, loss, charge.cost), quoted, drawn)


def _quote(connection: Connection, caller: Caller, dataset_id: str, priced: Priced, wish: Wish) -> OfQuotes:
    """Return the quote by the facts that the caller may see."""
    dataset = public_facts.visible(connection, caller, dataset_id)
    budget_row = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == dataset.budget_id))
    budget, grant = caller_limits(connection, caller, dataset, budget_row)
    accountant = Accountant(dataset.accountant)
    refused = _refusal(connection, asked_by(connection, caller, dataset, budget, grant), priced, accountant)
    paid = None
    try:
        paid = find_paid_before(connection, wish)
    except IdempotencyKeyReused as reused:
        refused = reused
    listed = release_access.list_on(connection, caller, dataset_id, PageRequest(limit=_MAX_SHOWN), _COMPLETE_RELEASES)
    of_every_kind = {
        "would_charge": amount(accountant, priced.charge.cost),
        "granted": refused is None,
        "blocked_by": None if refused is None else refused.code,
        "largest_possible_charge": amount(accountant, largest_possible_charge(budget, grant)),
        "paid_under_key": None
        if paid is None
        else summary(release_access.visible_row(connection, caller, paid.id), caller),
        "already_released": [summary(row, caller) for row in listed[:_MAX_SHOWN]],
    }
    return priced.quoted(of_every_kind, dataset)


def _refusal(connection: Connection, state: State, priced: Priced, accountant: Accountant) -> Problem | None:
    """Return the Problem with which the release would be refused now, or None.

    The caller's own `max_charge` is checked first.
    """
    if priced.above_limit is not None:
        return priced.above_limit
    decision = decide(state, priced.charge)
    if not isinstance(decision, Refused):
        return None
    if decision.by is RefusalReason.BUDGET_FROZEN and is_restore_pending(connection):
        return RestorePending()
    return problem_of_refusal(decision, accountant.value)


KIND: Final = Kind(price_counts, pay, quote_counts, counts_document)
