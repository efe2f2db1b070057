"""Text of a data set's statement, for readers without mathematics. Each paragraph is in plain words; a formula follows
on a separate line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from core.accounting.accountants import Accountant, Cost
from core.privacy import Delta, Epsilon, PrivacyLoss
from service import costs
from service.database.rows import BudgetRow, DatasetRow
from service.datasets.access_requests import FoundRequest
from service.datasets.grants import GivenGrant
from service.identifiers import now, timestamp
from service.odds import odds_factor
from service.pictures.scales import grouped
from service.schemas.cells import of_json
from service.schemas.statements import StatedRecovery

_NAMED: Final = 20
"""Largest number of levels or labels that a sentence names."""
_SHARED: Final = (
    " The owner shares, or has shared, the history of the data set among its grants: answers to queries use all "
    "that was measured for anyone. A grant's cap limits its holder's spending, and only the budget limits what the "
    "holder can learn."
)
_NOT_SEEN: Final = (
    "The counts are stored encrypted. For each release the service decrypts them, adds noise, and keeps the noisy "
    "result alone. No page, answer or log shows the counts, and the owner can't read them back. The operator of the "
    "service holds the decryption key and is trusted with it."
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the text states. Grants and requests are the latest, newest first."""

    dataset: DatasetRow
    budget: BudgetRow
    owner_name: str | None
    so_far: PrivacyLoss
    releases: int
    datasets_on_budget: int
    grants: Sequence[GivenGrant]
    requests: Sequence[FoundRequest]
    recoveries: Sequence[StatedRecovery]
    earlier_recoveries: int
    was_shared: bool


def paragraphs(facts: Facts, *, most: int) -> list[str]:
    """Return the paragraphs. They name at most `most` grants and `most` requests."""
    return [
        _what(facts),
        _promise(facts),
        _spent(facts),
        _grants(facts, most),
        _requests(facts, most),
        _NOT_SEEN,
        _charges(facts),
        *_earlier(facts.earlier_recoveries),
        *map(_recovery, facts.recoveries),
        _not_covered(facts.dataset.records_per_unit),
    ]


def _what(facts: Facts) -> str:
    dataset, is_deleted = facts.dataset, facts.dataset.deleted_at is not None
    fate = "" if dataset.deleted_at is None else f" They were destroyed on {_day(dataset.deleted_at)}."
    return (
        f"{_person(facts.owner_name, dataset.owner_id)} registered the data set {_quoted(dataset.name)} on "
        f"{_day(dataset.created_at)} and decides who may ask. It {'counted' if is_deleted else 'counts'} "
        f"{grouped(dataset.record_count)} records in {grouped(dataset.category_count)} categories"
        f"{_categories(dataset)}. One record stands for, in its owner's words, {_quoted(dataset.unit)}. The owner "
        f"affirms that {_records(dataset.records_per_unit)} and that the number of records may be known. The service "
        f"never gives out the counts themselves.{fate}"
    )


def _categories(dataset: DatasetRow) -> str:
    attributes = None if dataset.attributes is None else of_json(json.loads(dataset.attributes))
    if attributes is None:
        return f": {_list(json.loads(dataset.labels))}"
    parts = [
        f"{_quoted(each.name)} ({len(each.levels)} {'level' if len(each.levels) == 1 else 'levels'}: "
        f"{_list(each.levels)})"
        for each in attributes
    ]
    return f", the possible combinations of {' and '.join([', '.join(parts[:-1]), parts[-1]] if parts[1:] else parts)}"


def _list(texts: Sequence[str]) -> str:
    named = ", ".join(map(_quoted, texts[:_NAMED]))
    return f"{named} and {grouped(len(texts) - _NAMED)} more" if len(texts) > _NAMED else named


def _promise(facts: Facts) -> str:
    budget, records = facts.budget, facts.dataset.records_per_unit
    relation = (
        "one record is in another category" if records == 1 else f"up to {records} records are in other categories"
    )
    changed = "one record" if records == 1 else "all records of one unit"
    return "The promise is that releases show little about any one person's data. " + _odds(
        Epsilon(budget.guaranteed_epsilon),
        Delta(budget.guaranteed_delta),
        "all releases that this budget will ever allow",
        records,
        rest=f"differential privacy under replacement of {changed}: two data sets are neighbours when {relation}",
    )


def _spent(facts: Facts) -> str:
    count, shared = facts.releases, facts.datasets_on_budget
    who = "No other data set draws" if shared == 1 else f"{shared} data sets about the same people draw"
    made = (
        "there was one release"
        if count == 1
        else f"there were {grouped(count)} releases"
        if count
        else "nothing was released"
    )
    epsilon, delta = facts.so_far.epsilon, facts.so_far.delta
    of_all = "all releases so far" if shared == 1 else "all releases so far, of every data set on the budget,"
    so_far = (
        _odds(epsilon, delta, of_all, facts.dataset.records_per_unit)
        if epsilon.units or delta.units
        else "Nothing of the budget is spent."
    )
    return f"{who} on the budget {_quoted(facts.budget.name)}. So far {made} from this data set. {so_far}"


def _grants(facts: Facts, most: int) -> str:
    if facts.dataset.deleted_at is not None:
        state = "Nothing more can be released."
    elif facts.budget.frozen_at is not None:
        state = f"The owner stopped all releases on {_day(facts.budget.frozen_at)}."
    else:
        state = "Releases are allowed."
    if not facts.grants:
        return f"{state} No analyst has a grant; the owner alone could release."
    lines = [_grant(each) for each in facts.grants[:most]]
    more = ["Earlier grants are not listed."] if len(facts.grants) > most else []
    return "\n".join([f"{state} Analysts with a grant:", *(f"– {each}" for each in [*lines, *more])])


def _grant(given: GivenGrant) -> str:
    row = given.row
    if row.closed_at is not None:
        end = f"closed on {_day(row.closed_at)}"
    elif row.expires_at is None:
        end = "without an end"
    else:
        end = f"{'ended' if row.expires_at <= now() else 'until'} {_day(row.expires_at)}"
    return (
        f"{_person(given.name, row.principal_id)} may spend at most {_amount(given.accountant, row.cap)} and has spent "
        f"{_amount(given.accountant, row.spent)}; given on {_day(row.created_at)}, {end}."
    )


def _requests(facts: Facts, most: int) -> str:
    listed = (
        "The data set is listed: every analyst of the installation sees its public facts and its owner's name, and "
        "can ask for access."
        if facts.dataset.listed and facts.dataset.deleted_at is None
        else "The data set is not listed: only analysts with a grant see it."
    )
    if not facts.requests:
        return f"{listed} Nobody has asked for access."
    lines = [_request(each) for each in facts.requests[:most]]
    more = ["Earlier requests are not listed."] if len(facts.requests) > most else []
    return "\n".join([f"{listed} Requests for access:", *(f"– {each}" for each in [*lines, *more])])


def _request(found: FoundRequest) -> str:
    row = found.row
    purpose = "a purpose that was erased" if found.purpose is None else _quoted(found.purpose)
    decided = "" if row.decided_at is None else f" on {_day(row.decided_at)}"
    outcome = "not decided yet" if found.state == "open" else f"{found.state}{decided}"
    end = "." if found.reason is None else f", because {_quoted(found.reason)}"
    return (
        f"On {_day(row.created_at)} {_person(found.name, row.principal_id)} asked for "
        f"{_amount(found.accountant, row.requested)} for {purpose}: {outcome}{end}"
    )


def _charges(facts: Facts) -> str:
    return (
        "Each release was charged to the budget before it was computed, and no charge is ever refunded. Answers to "
        "queries are charged what they add to the joint loss of all measured answers on the data set, which can be "
        f"zero.{_SHARED if facts.was_shared else ''} Every charge is an entry of a ledger in which each entry confirms "
        "the one before it, so that a later change shows.\n"
        f"This statement covers the ledger up to entry {facts.budget.sequence}, SHA-256 {facts.budget.head_hash}."
    )


def _not_covered(records: int) -> str:
    return (
        "Not covered: what the number of records shows; "
        + ("" if records == 1 else "how many records a unit has; ")
        + "what other budgets, other services or other publications show about the same people; "
        f"units that stand behind {'several' if records == 1 else 'more'} records in spite of the affirmation; and "
        "facts about groups, which releases are made to show."
    )


def _earlier(recoveries: int) -> list[str]:
    if recoveries == 0:
        return []
    times = "once" if recoveries == 1 else f"{recoveries} times"
    return [f"Before the recoveries listed next, administrators recovered access {times}."]


def _recovery(recovery: StatedRecovery) -> str:
    before, until = "before anything could be changed or released", _date(recovery.frozen_until)
    if recovery.vetoed_at is not None:
        end = f"it was vetoed on {_date(recovery.vetoed_at)}, {before}."
    elif recovery.replaced_at is not None:
        end = f"a later recovery replaced it on {_date(recovery.replaced_at)}, {before}."
    elif recovery.frozen_until > timestamp(now()):
        end = f"nothing can be changed or released in its name until {until}, and until then it can be vetoed."
    else:
        end = f"nothing could be changed or released in its name until {until}, and nobody vetoed it."
    return (
        f"On {_date(recovery.started_at)} an administrator recovered access for the principal "
        f"{recovery.principal_id}; {end}"
    )


def _person(name: str | None, principal_id: str) -> str:
    return f"{'A person whose name was erased' if name is None else _quoted(name)} ({principal_id})"


def _amount(accountant: Accountant, cost: Cost) -> str:
    delta = f" and delta {cost.delta}" if cost.delta.units else ""
    unit = costs.main_dimension(accountant)
    return f"{unit} {getattr(cost, unit)}{delta}"


def _day(seconds: int) -> str:
    instant = datetime.fromtimestamp(seconds, UTC)
    return f"{instant.day} {instant:%B %Y}"


def _date(text: str) -> str:
    return _day(int(datetime.fromisoformat(text).timestamp()))


_LIKE_QUOTES: Final = "\"'`´“”„‟‘’‚‛′″‴‵‶‷⁗ʹʺʼˮ˝״«»‹›❛❜❝❞❮❯〝〞〟＂＇"
"""Marks that look like the end of a quotation, alone or in pairs."""


def _quoted(text: str) -> str:
    """Return a person's text as a quotation. The text can't end the quotation, so it is never read as part of the
    statement.
    """
    return "“" + re.sub(f"[{_LIKE_QUOTES}]+", "'", " ".join(text.split())) + "”"


def _records(records: int) -> str:
    return "each unit has exactly one record" if records == 1 else f"no unit has more than {records} records"


def _odds(epsilon: Epsilon, delta: Delta, of_releases: str, records: int, *, rest: str = "") -> str:
    shown = odds_factor(Decimal(str(epsilon)))
    times = f"at most {shown} times as probable" if epsilon.units else "at most as probable"
    slack = f", plus at most {delta}" if delta.units else ""
    changed = "one record" if records == 1 else f"{records} records"
    other = "another category" if records == 1 else "other categories"
    formula = f"epsilon {epsilon}, delta {delta}; e^epsilon is rounded up to three digits"
    return (
        f"Had {changed} been in {other}, any conclusion from {of_releases} would have been {times}{slack}.\n"
        f"In symbols: {formula}{f'; {rest}' if rest else ''}."
    )
