"""Quote a release before payment: its cost, whether it would be granted, and existing releases of the data set."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select

from core.accounting.accountants import Accountant, price
from core.privacy import PrivacyLoss
from service.channels.certified import Certified, Channel
from service.database.rows import BudgetRow, DatasetRow, fetch_one
from service.database.tables import budgets
from service.datasets import datasets as dataset_use_case
from service.datasets.grants import asked_by, caller_limits
from service.errors import MaxChargeExceeded, Problem, RestorePending
from service.identifiers.identifiers import now
from service.ledger.debit import hash_idempotency_key
from service.ledger.decision import Charge, RefusalReason, Refused, State, decide, largest_possible_charge
from service.ledger.freeze import is_restore_pending
from service.ledger.query_debit import problem_of_refusal
from service.ledger.row_locks import find_paid
from service.principals.auth import Caller
from service.releases import access as release_access
from service.releases.expected_accuracy import expected_accuracy
from service.releases.paid import Draw, check_draw
from service.releases.release import check_charge, check_prior, obtain_certificate
from service.releases.spec import certificate_response, loss_response, summary
from service.runtime.runtime import Runtime
from service.schemas import releases as schema
from service.schemas.model import Amount, amount
from service.schemas.principals import Role

_MAX_SHOWN = 50


async def quote(
    runtime: Runtime, caller: Caller, dataset_id: str, body: schema.ReleaseCreate, idempotency_key: str | None
) -> schema.Quote:
    """Return the quote for a release under this key. Raises what the release itself would raise for its parameters."""
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = await runtime.database.read(lambda c: dataset_use_case.visible(c, caller, dataset_id))
    check_prior(dataset, body.prior)
    channel = Channel(body.mechanism, dataset.record_count, tuple(body.prior), dataset.records_per_unit)
    certified = await obtain_certificate(runtime, caller, channel)
    check_draw(Draw.of(certified.event, dataset.records_per_unit), runtime.processes.max_draw_seconds)
    accuracy = None
    if certified.event.n is not None:
        accuracy = await expected_accuracy(runtime, caller.principal_id, certified.event, body.prior, body.level)
    key_hash = None if idempotency_key is None else hash_idempotency_key(caller.principal_id, idempotency_key)
    return await runtime.database.read(lambda c: _quote(c, caller, dataset_id, body, certified, accuracy, key_hash))


def _quote(
    connection: Connection,
    caller: Caller,
    dataset_id: str,
    body: schema.ReleaseCreate,
    certified: Certified,
    accuracy: schema.ExpectedAccuracy | None,
    key_hash: str | None,
) -> schema.Quote:
    dataset, loss = dataset_use_case.visible(connection, caller, dataset_id), certified.certificate.loss
    rows = release_access.list_on(connection, caller, dataset_id, after=0, limit=_MAX_SHOWN)
    return schema.Quote(
        certified=loss_response(loss),
        certificate=certificate_response(certified.certificate, dataset.unit),
        **offer(connection, caller, dataset, loss, body.mechanism.kind, body.max_charge, key_hash)._asdict(),
        expected_accuracy=accuracy,
        already_released=[summary(row, caller) for row in rows if row.state == "complete"],
    )


class Offer(NamedTuple):
    """The fields of a quote that say what a release would be charged now, and whether it would be granted."""

    would_charge: Amount
    granted: bool
    blocked_by: str | None
    largest_possible_charge: Amount
    paid_under_key: schema.ReleaseSummary | None


def offer(
    connection: Connection,
    caller: Caller,
    dataset: DatasetRow,
    loss: PrivacyLoss,
    mechanism: str,
    max_charge: schema.MaxCharge | None,
    key_hash: str | None,
) -> Offer:
    """Return what a release with this proven loss would be charged now, by the facts that the caller may see."""
    budget_row = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == dataset.budget_id))
    budget, grant = caller_limits(connection, caller, dataset, budget_row)
    accountant = Accountant(dataset.accountant)
    cost = price(loss, accountant)
    state = asked_by(connection, caller, dataset, budget, grant)
    refused = _refusal(connection, state, max_charge, loss, Charge(cost, mechanism, now()), accountant)
    paid = None
    for row in [] if key_hash is None else find_paid(connection, [key_hash]):
        if row.kind == "posterior":
            paid = summary(release_access.visible_row(connection, caller, row.id), caller)
    return Offer(
        would_charge=amount(accountant, cost),
        granted=refused is None,
        blocked_by=None if refused is None else refused.code,
        largest_possible_charge=amount(accountant, largest_possible_charge(budget, grant)),
        paid_under_key=paid,
    )


def _refusal(
    connection: Connection,
    state: State,
    max_charge: schema.MaxCharge | None,
    loss: PrivacyLoss,
    charge: Charge,
    accountant: Accountant,
) -> Problem | None:
    """Return the Problem with which the release would be refused now, or None.

    The caller's own `max_charge` is checked first.
    """
    try:
        check_charge(max_charge, loss, charge.cost)
    except MaxChargeExceeded as problem:
        return problem
    decision = decide(state, charge)
    if not isinstance(decision, Refused):
        return None
    if decision.by is RefusalReason.BUDGET_FROZEN and is_restore_pending(connection):
        return RestorePending()
    return problem_of_refusal(decision, accountant.value)
