"""Allowance of a caller: the largest release of each mechanism, and the number of further releases at the cost of a
given one. Burn rate of a budget: spending of the last days, and the days that the remainder lasts.

Prices of an allowance come from the functions that charge, by a search for the largest parameter that fits. No private
data and no stored answer is read. A mechanism whose certificate takes long is priced by an upper bound instead. The
facts are read in a transaction, and the allowance is computed after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, case, func, select

from core.accounting.accountants import NOTHING, Accountant, Cost, largest_epsilon, price, remaining_releases
from core.accounting.zcdp import largest_rho
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON
from core.mechanisms.gaussian import MAX_RHO, MIN_RHO
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from service.database.costs import DIMENSIONS, of_units
from service.database.rows import BudgetRow, DatasetRow, ListedRelease, fetch_one
from service.database.tables import budgets, hourly_spending
from service.datasets import public_facts
from service.datasets.budgets import is_low
from service.datasets.grants import asked_by, caller_limits, may_measure
from service.errors import (
    BudgetExhausted,
    GrantExhausted,
    MechanismNotAllowed,
    NotFound,
    ReleaseCapExceeded,
    RestorePending,
)
from service.identifiers.identifiers import now
from service.ledger.budget_changes import terms_of
from service.ledger.database_state import is_restore_pending
from service.ledger.decision import (
    BudgetState,
    Charge,
    GrantState,
    RefusalReason,
    Refused,
    decide,
    largest_possible_charge,
    remaining,
)
from service.ledger.query_debit import problem_of_refusal
from service.principals.auth import Caller
from service.releases import access as release_access
from service.schemas import allowance as schema
from service.schemas.mechanisms import MARGINS, REQUESTS, RequestRecord
from service.schemas.model import Guarantee, amount

_SOME_DELTA: Final = Delta.parse("1e-6")
"""A delta for releases under `zcdp`, where that of a Gaussian release costs nothing."""
_AMPLE_COST: Final = Cost(MAX_EPSILON, _SOME_DELTA, MAX_RHO)
"""An amount that is enough for the smallest release of every mechanism."""
_LIMIT_REASONS: Final = {
    RefusalReason.MECHANISM_NOT_ALLOWED,
    RefusalReason.RELEASE_CAP,
    RefusalReason.GRANT,
    RefusalReason.BUDGET,
}
"""Reasons that depend on the release: `_exceeded_limit` finds the first one."""
_DAYS: Final = (1, 7, 30)
_SECONDS_PER_HOUR: Final = 3_600
_HOURS_PER_DAY: Final = 24
_SECONDS_PER_DAY: Final = _HOURS_PER_DAY * _SECONDS_PER_HOUR


class AllowanceFacts(NamedTuple):
    """The facts that determine an allowance. The caller may read all these facts."""

    dataset: DatasetRow
    budget: BudgetState
    grant: GrantState | None
    low_budget_percent: int
    blocked_by: str | None
    measuring_allowed: bool
    like: ListedRelease | None

    @property
    def accountant(self) -> Accountant:
        return Accountant(self.dataset.accountant)


def read_facts(connection: Connection, caller: Caller, dataset_id: str, more_like: str | None) -> AllowanceFacts:
    """Return the facts of the caller's allowance on a data set. Raises NotFound."""
    dataset = public_facts.visible(connection, caller, dataset_id)
    budget_row = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == dataset.budget_id))
    budget, grant = caller_limits(connection, caller, dataset, budget_row)
    like = None if more_like is None else release_access.visible_row(connection, caller, more_like)
    if like is not None and like.accountant != dataset.accountant:
        raise NotFound
    return AllowanceFacts(
        dataset=dataset,
        budget=budget,
        grant=grant,
        low_budget_percent=budget_row.low_budget_percent,
        blocked_by=_blocking_code(connection, caller, dataset, budget, grant),
        measuring_allowed=may_measure(connection, caller, dataset, budget, grant),
        like=like,
    )


def compute_allowance(facts: AllowanceFacts) -> schema.Allowance:
    """Return the allowance. It takes milliseconds at most sizes, and up to a second at a hundred records per unit."""
    budget, grant, blocked_by = facts.budget, facts.grant, facts.blocked_by
    left = largest_possible_charge(budget, grant)
    usable = Cost() if blocked_by else left
    mechanisms, margins_allowed = _mechanisms(usable, facts), _are_margins_possible(usable, facts)
    can_release = margins_allowed or _is_any_possible(mechanisms)
    limit = budget.limit if grant is None else grant.limit.smaller_of(budget.limit)
    return schema.Allowance(
        can_release=can_release,
        blocked_by=blocked_by if blocked_by or can_release else _exceeded_limit(facts),
        largest_possible_charge=amount(facts.accountant, left),
        below_threshold=is_low(limit, remaining(budget, grant), facts.low_budget_percent),
        mechanisms=mechanisms,
        margins_allowed=margins_allowed,
        measuring_allowed=facts.measuring_allowed,
        more_like=None
        if facts.like is None
        else schema.ReleasesOfSameCost(
            release_id=facts.like.id,
            charged=amount(facts.accountant, facts.like.charged),
            remaining_releases=remaining_releases(left, facts.like.charged),
        ),
    )


def _blocking_code(
    connection: Connection, caller: Caller, dataset: DatasetRow, budget: BudgetState, grant: GrantState | None
) -> str | None:
    verdict = decide(asked_by(connection, caller, dataset, budget, grant), Charge(NOTHING, None, now()))
    if not isinstance(verdict, Refused):
        return None
    if verdict.by is RefusalReason.BUDGET_FROZEN and is_restore_pending(connection):
        return RestorePending.code
    return None if verdict.by in _LIMIT_REASONS else problem_of_refusal(verdict, dataset.accountant).code


def _is_any_possible(mechanisms: Sequence[schema.NextRelease]) -> bool:
    return any(each.charge is not None and each.allowed for each in mechanisms)


def _are_margins_possible(left: Cost, facts: AllowanceFacts) -> bool:
    """Return whether `left` is enough for the least margin of a cross table, and the owner allows margins."""
    allowed = facts.budget.allowed_mechanisms
    if facts.dataset.attributes is None or not (allowed is None or MARGINS in allowed):
        return False
    return left.rho >= MIN_RHO if facts.accountant is Accountant.ZCDP else left.epsilon >= MIN_EPSILON


def _exceeded_limit(facts: AllowanceFacts) -> str:
    """Return the first limit that even the smallest release exceeds, in the order in which a debit checks them.

    If only several limits together block it, return the last that any charge must fit.
    """
    limits: list[tuple[str, Cost | None]] = [
        (MechanismNotAllowed.code, _AMPLE_COST),
        (ReleaseCapExceeded.code, facts.budget.release_cap),
        (GrantExhausted.code, None if facts.grant is None else facts.grant.limit.left_after(facts.grant.spent)),
    ]
    for name, left in limits:
        if left is None or _are_margins_possible(left, facts):
            continue
        if not _is_any_possible(_mechanisms(left, facts)):
            return name
    return BudgetExhausted.code


def _mechanisms(left: Cost, facts: AllowanceFacts) -> list[schema.NextRelease]:
    return [
        _next_release(each, left, facts)
        for each in REQUESTS
        for largest in (each.largest_epsilon or each.largest_rho,)
        if largest is not None and largest.runs_at(facts.dataset.record_count, facts.dataset.category_count)
    ]


def _next_release(of: RequestRecord[Any], left: Cost, facts: AllowanceFacts) -> schema.NextRelease:
    n, m, records = facts.dataset.record_count, facts.dataset.category_count, facts.dataset.records_per_unit
    accountant, allowed = facts.accountant, facts.budget.allowed_mechanisms
    epsilon = rho = loss = None
    if of.largest_epsilon is not None:
        by, delta = of.largest_epsilon, _delta(left, accountant) if of.largest_epsilon.takes_delta else Delta(0)

        def loss_at(epsilon: Epsilon) -> PrivacyLoss:
            return by.loss(n, m, epsilon, delta, records)

        epsilon = _largest_epsilon(left, accountant, loss_at, Epsilon(records * by.least.units))
        loss = None if epsilon is None else loss_at(epsilon)
    else:
        assert of.largest_rho is not None
        delta, loss_of = _delta(left, accountant), of.largest_rho.loss
        rho = _largest_rho(
            left,
            accountant,
            delta,
            lambda rho: loss_of(n, m, rho, delta, records),
            Rho(records**2 * of.largest_rho.least.units),
        )
        loss = None if rho is None else loss_of(n, m, rho, delta, records)
    return schema.NextRelease(
        kind=of.kind,
        allowed=allowed is None or of.kind in allowed,
        largest_epsilon=epsilon,
        largest_rho=rho,
        delta=delta if loss is not None and delta.units else None,
        charge=None if loss is None else amount(accountant, price(loss, accountant)),
    )


def _delta(left: Cost, accountant: Accountant) -> Delta:
    """Return the delta to try: under `basic` all that is left, because more delta allows a larger release."""
    return _SOME_DELTA if accountant is Accountant.ZCDP else left.delta


def _largest_epsilon(
    left: Cost, accountant: Accountant, loss_of: Callable[[Epsilon], PrivacyLoss], least: Epsilon
) -> Epsilon | None:
    """Return the largest epsilon of a release that `left` allows, or None if it does not allow the smallest epsilon."""

    def price_of(epsilon: Epsilon) -> Cost:
        return price(loss_of(max(epsilon, least)), accountant)

    return largest_epsilon(left, price_of, MAX_EPSILON) if price_of(least).fits(left) else None


def _largest_rho(
    left: Cost, accountant: Accountant, delta: Delta, loss_of: Callable[[Rho], PrivacyLoss], least: Rho
) -> Rho | None:
    """Return the largest rho of a release at this delta that `left` allows, or None."""
    if accountant is Accountant.ZCDP:
        return min(left.rho, MAX_RHO) if left.rho >= least else None
    if not delta.units or not left.epsilon.units:
        return None
    rho = min(largest_rho(left.epsilon, delta), MAX_RHO)
    # The conversion back to epsilon and delta rounds up, so the last unit of rho may be too much.
    while rho >= least:
        if price(loss_of(rho), accountant).fits(left):
            return rho
        rho = Rho(rho.units - max(1, rho.units // 10**9))
    return None


def burn_rate(connection: Connection, budget_row: BudgetRow) -> schema.BurnRate:
    """Return the burn rate of a budget, from sums over the hours of the last 30 days."""
    accountant, instant = Accountant(budget_row.accountant), now()
    limit, spent = budget_row.limit, budget_row.spent
    remaining = limit.left_after(spent)
    recent = _recent_spending(connection, budget_row.id, instant)
    loss = terms_of(budget_row).guarantee(spent)
    return schema.BurnRate(
        spent=amount(accountant, spent),
        remaining=amount(accountant, remaining),
        below_threshold=is_low(limit, remaining, budget_row.low_budget_percent),
        spent_guarantee=Guarantee(epsilon=loss.epsilon, delta=loss.delta),
        recent=[
            schema.Spending(days=days, spent=amount(accountant, cost), releases=count)
            for days, (cost, count) in recent.items()
        ],
        days_left=_days_left(remaining, recent[_DAYS[-1]][0], opened_seconds_ago=instant - budget_row.created_at),
    )


def _recent_spending(connection: Connection, budget_id: str, instant: int) -> dict[int, tuple[Cost, int]]:
    """Return the spending and the number of releases of the last 1, 7 and 30 days. The hour in which a period begins
    counts in full.
    """
    columns, hour = [], instant // _SECONDS_PER_HOUR
    for days in _DAYS:
        within = hourly_spending.c.hour >= hour - days * _HOURS_PER_DAY
        columns += [
            func.sum(case((within, hourly_spending.c[summed]), else_=0)) for summed in (*DIMENSIONS, "releases")
        ]
    recent = (hourly_spending.c.budget_id == budget_id) & (hourly_spending.c.hour >= hour - _DAYS[-1] * _HOURS_PER_DAY)
    values = iter([int(value or 0) for value in connection.execute(select(*columns).where(recent)).one()])
    return {days: (of_units(next(values), next(values), next(values)), next(values)) for days in _DAYS}


def _days_left(remaining: Cost, spent: Cost, *, opened_seconds_ago: int) -> int | None:
    """Return the whole days until the main dimension runs out, at the average rate of the last 30 days.

    If the budget is younger, the rate over its lifetime is used.
    """
    each = spent.epsilon.units or spent.rho.units
    if not each:
        return None
    left = remaining.epsilon.units or remaining.rho.units
    seconds = min(max(opened_seconds_ago, 1), _DAYS[-1] * _SECONDS_PER_DAY)
    return left * seconds // (each * _SECONDS_PER_DAY)
