"""Compares answers to callers with the ledger, as Jepsen checks a register: is there one order of all charges that
explains every answer?

The ledger's sequence is the order. It has to agree with real time, with every answer, and with `decide`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.accounting.accountants import Cost
from service.ledger.decision import Accepted, BudgetState, Charge, State, decide


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request for a release and its answer. Times are of one monotonic clock; the status is None without an
    answer.
    """

    key: str
    cost: Cost
    began: float
    ended: float
    status: int | None
    body: bytes = b""
    charged: bool | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Charged:
    """A charge in the ledger."""

    key: str
    sequence: int
    cost: Cost


class NotLinearizable(AssertionError):
    """No order of charges explains the answers."""


def check(history: Iterable[Attempt], ledger: Iterable[Charged], limit: Cost) -> None:
    """Raises NotLinearizable unless the ledger explains every answer. Callers send each key one request after
    another.
    """
    by_key: dict[str, list[Attempt]] = {}
    for attempt in sorted(history, key=lambda each: each.began):
        by_key.setdefault(attempt.key, []).append(attempt)
    charges = sorted(ledger, key=lambda each: each.sequence)
    _check_decisions(charges, limit)
    charged = {each.key: each for each in charges}
    for key, answers in by_key.items():
        _check_key(key, answers, charged.get(key))
    _check_real_time(by_key, charges)
    _check_refusals(by_key, charges, limit)


def _check_decisions(charges: list[Charged], limit: Cost) -> None:
    state = State(BudgetState(limit, Cost(), frozen=False), None, dataset_deleted=False, principal_revoked=False)
    seen: set[str] = set()
    for each in charges:
        if each.key in seen:
            raise NotLinearizable(f"{each.key} was charged twice")
        seen.add(each.key)
        decision = decide(state, Charge(each.cost, "simplex_geometric", 0))
        if not isinstance(decision, Accepted):
            raise NotLinearizable(f"entry {each.sequence} does not fit what was left")
        state = replace(state, budget=state.budget.with_spent(decision.budget_spent))


def _check_key(key: str, answers: list[Attempt], charge: Charged | None) -> None:
    bodies = {each.body for each in answers if each.status == 201}
    if len(bodies) > 1:
        raise NotLinearizable(f"{key} was given two answers")
    if charge is None and any(each.status == 201 or each.charged for each in answers):
        raise NotLinearizable(f"{key} was answered as charged, and is not in the ledger")
    was_charged = False
    for each in answers:
        if was_charged and each.charged is False:
            raise NotLinearizable(f"{key} was answered as uncharged after it was charged")
        was_charged |= each.status == 201 or each.charged is True
    if charge is not None and answers[-1].charged is False:
        raise NotLinearizable(f"{key} was answered as uncharged, and is in the ledger")


def _check_real_time(by_key: Mapping[str, list[Attempt]], charges: list[Charged]) -> None:
    """A charge that was answered before another key was first sent precedes that key's charge."""
    latest_begin = 0.0
    for each in charges:
        answers = by_key.get(each.key, [])
        if not answers:
            continue
        done = min((attempt.ended for attempt in answers if attempt.status == 201), default=None)
        if done is not None and done < latest_begin:
            raise NotLinearizable(f"entry {each.sequence} was answered before an earlier entry was asked for")
        latest_begin = max(latest_begin, answers[0].began)


def _check_refusals(by_key: Mapping[str, list[Attempt]], charges: list[Charged], limit: Cost) -> None:
    """A caller who was refused because the budget has too little left must have met enough charges, all requested
    before.
    """
    begun = {key: answers[0].began for key, answers in by_key.items()}
    for answers in by_key.values():
        for attempt in answers:
            if attempt.code == "budget-exhausted":
                before = sum((each.cost for each in charges if begun.get(each.key, 0.0) < attempt.ended), Cost())
                if (before + attempt.cost).fits(limit):
                    raise NotLinearizable(f"{attempt.key} was refused what would have fitted")


def read(answer: Any, key: str, cost: Cost, began: float, ended: float) -> Attempt:
    """The content of an httpx response."""
    if answer.status_code == 201:
        return Attempt(key, cost, began, ended, 201, answer.content, charged=True)
    problem = answer.json()
    code = problem["type"].removeprefix("/problems/")
    return Attempt(key, cost, began, ended, answer.status_code, charged=problem["charged"], code=code)
