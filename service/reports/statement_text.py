"""Text of a data set's statement, for readers without mathematics. Each paragraph is in plain words; a formula follows
on a separate line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, NamedTuple

from core.accounting.accountants import Accountant, Cost
from core.privacy import Delta, Epsilon, PrivacyLoss
from service.database import costs
from service.database.rows import BudgetRow, DatasetRow, EntryRow
from service.datasets.access_requests import FoundRequest
from service.datasets.grants import GivenGrant
from service.identifiers.identifiers import now, timestamp
from service.ledger.chain import EntryKind
from service.pictures.dates import day, instant, minute
from service.pictures.scales import grouped
from service.posteriors.odds import about_a_fact, odds_example, odds_factor, odds_sentences
from service.principals.auth import COMMAND_LINE
from service.reports.scope import day_of
from service.schemas.cells import of_json
from service.schemas.mechanisms import name_of
from service.schemas.model import Amount
from service.schemas.statements import Responsibility, StatedRecovery, StatedRelease, Statement

_MAX_NAMED_TEXTS: Final = 20
"""Largest number of levels or labels that a sentence names."""
_SHARING_SENTENCE: Final = (
    " The owner shares, or has shared, the history of the data set among its grants: answers to queries use all "
    "that was measured for anyone. A grant's cap limits its holder's spending, and only the budget limits what the "
    "holder can learn."
)
_COUNTS_HIDDEN: Final = (
    "The counts are stored encrypted. For each release the service decrypts them, adds noise, and keeps the noisy "
    "result alone. No page, answer or log shows the counts, and the owner can't read them back. The operator of the "
    "service holds the decryption key and is trusted with it."
)
_COUNTS_WERE_HIDDEN: Final = (
    "Until they were destroyed, the counts were stored encrypted. For each release the service decrypted them, added "
    "noise, and kept the noisy result alone. No page, answer or log showed the counts, and the owner couldn't read "
    "them back. The operator of the service held the decryption key and was trusted with it."
)
_DECISIONS: Final = {
    EntryKind.DATASET_REGISTERED: "the data set was registered",
    EntryKind.DATASET_REPLACED: "the counts were replaced",
    EntryKind.DATASET_LISTED: "the data set was listed for all analysts",
    EntryKind.DATASET_UNLISTED: "the data set was no longer listed",
    EntryKind.BUDGET_FROZEN: "all releases from the budget were stopped",
    EntryKind.BUDGET_UNFROZEN: "releases from the budget were allowed again",
    EntryKind.HISTORY_SHARED: "the history was shared among all grants",
    EntryKind.HISTORY_UNSHARED: "the history was no longer shared",
    EntryKind.DATASET_DELETED: "the counts were destroyed",
}


class OtherDataset(NamedTuple):
    """A data set on the same budget."""

    name: str
    deleted_at: int | None


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of the text. Decisions, grants and requests are the latest, newest first. `others`: the other data sets
    of the budget, oldest first.
    """

    dataset: DatasetRow
    budget: BudgetRow
    owner_name: str | None
    so_far: PrivacyLoss
    releases: int
    others: Sequence[OtherDataset]
    decisions: Sequence[EntryRow]
    grants: Sequence[GivenGrant]
    requests: Sequence[FoundRequest]
    recoveries: Sequence[StatedRecovery]
    earlier_recoveries: int
    was_shared: bool
    owners: AbstractSet[str]
    """Ids of the owner and of earlier owners."""
    registrant_id: str
    """The owner at registration."""


def paragraphs(facts: Facts, *, most: int) -> list[str]:
    """Return the paragraphs. They name at most `most` grants, requests and decisions each."""
    return [
        _dataset_words(facts),
        _guarantee(facts),
        _spending_sentence(facts),
        _grants(facts, most),
        _requests(facts, most),
        _decisions(facts, most),
        _COUNTS_HIDDEN if facts.dataset.deleted_at is None else _COUNTS_WERE_HIDDEN,
        _charges(facts),
        *_earlier_recoveries(facts.earlier_recoveries),
        *map(_recovery, facts.recoveries),
        _exclusions_sentence(facts.dataset),
    ]


def _dataset_words(facts: Facts) -> str:
    dataset = facts.dataset
    if dataset.deleted_at is None:
        decides, counts, affirms, fate = "decides", "counts", "affirms", ""
    else:
        decides, counts, affirms = "decided", "counted", "affirmed"
        fate = f" They were destroyed on {day_of(dataset.deleted_at)}."
    owner, and_who = _person(facts.owner_name, dataset.owner_id), " and"
    registered = f"{owner} registered"
    if facts.registrant_id != dataset.owner_id:
        registered, and_who = f"The principal {facts.registrant_id} registered", f". Now {owner}"
    if dataset.record_count is None:
        size = "records, whose number is private,"
        known = "the same people are in no table of another budget whose number of records is public"
    else:
        size, known = f"{grouped(dataset.record_count)} records", "the number of records may be known"
    return (
        f"{registered} the data set {_quote_text(dataset.name)} on {day_of(dataset.created_at)}{and_who} {decides} who "
        f"has access. It {counts} {size} in "
        f"{grouped(dataset.category_count)} categories"
        f"{_categories(dataset)}. One record stands for, in its owner's words, {_quote_text(dataset.unit)}. The owner "
        f"{affirms} that {_records(dataset.records_per_unit)} and that {known}. The service never gives out the counts "
        f"themselves.{fate}"
    )


def _categories(dataset: DatasetRow) -> str:
    attributes = None if dataset.attributes is None else of_json(json.loads(dataset.attributes))
    if attributes is None:
        return f": {_list(json.loads(dataset.labels))}"
    parts = [
        f"{_quote_text(each.name)} ({len(each.levels)} {'level' if len(each.levels) == 1 else 'levels'}: "
        f"{_list(each.levels)})"
        for each in attributes
    ]
    return f", the possible combinations of {' and '.join([', '.join(parts[:-1]), parts[-1]] if parts[1:] else parts)}"


def _list(texts: Sequence[str]) -> str:
    named = ", ".join(map(_quote_text, texts[:_MAX_NAMED_TEXTS]))
    return f"{named} and {grouped(len(texts) - _MAX_NAMED_TEXTS)} more" if len(texts) > _MAX_NAMED_TEXTS else named


def _guarantee(facts: Facts) -> str:
    epsilon, delta = Epsilon(facts.budget.guaranteed_epsilon), Delta(facts.budget.guaranteed_delta)
    records = facts.dataset.records_per_unit
    who = "one record is" if records == 1 else f"up to {records} records, all those of one person, are"
    if facts.dataset.relation == "add_remove":
        change = f"{who} added or removed"
    else:
        change = f"{who} in {'another category' if records == 1 else 'other categories'}"
    times = f"at most {odds_factor(Decimal(str(epsilon)))} times as probable" if epsilon.units else "no more probable"
    slack = f", plus at most {delta}" if delta.units else ""
    twice = (
        " What a record says changes two counts, by e^(2 epsilon)." if facts.dataset.relation == "add_remove" else ""
    )
    presence = (
        ""
        if facts.dataset.relation == "add_remove"
        else " Whether a person is in the table is not protected, because the number of records is public."
    )
    return (
        "The guarantee is that releases show little about any one person's data. "
        f"{_odds(facts, epsilon, delta, 'all releases that this budget will ever allow')} "
        f"{odds_example(_odds_of_fact(facts, epsilon, delta)[0])}{presence}\n"
        f"In symbols: epsilon {epsilon}, delta {delta}. This is differential privacy: if {change}, every result is "
        f"{times}{slack}. The factor is e^epsilon, rounded up to three digits.{twice}"
    )


def _spending_sentence(facts: Facts) -> str:
    count = facts.releases
    made = (
        "there was one release"
        if count == 1
        else f"there were {grouped(count)} releases"
        if count
        else "nothing was released"
    )
    epsilon, delta = facts.so_far.epsilon, facts.so_far.delta
    seen = "all releases so far, of every data set on the budget" if facts.others else "all releases so far"
    so_far = (
        f"{_odds(facts, epsilon, delta, seen)}\nIn symbols: epsilon {epsilon}, delta {delta}."
        if epsilon.units or delta.units
        else "Nothing of the budget is spent."
    )
    counted = " Each set of answers to queries counts as a release here." if count else ""
    return f"{_others_sentence(facts)} So far {made} from this data set.{counted} {so_far}"


def _others_sentence(facts: Facts) -> str:
    budget = f"the budget {_quote_text(facts.budget.name)}"
    if not facts.others:
        return f"No other data set draws on {budget}."
    existing = [each.name for each in facts.others if each.deleted_at is None]
    deleted = [each for each in facts.others if each.deleted_at is not None]
    parts = []
    if existing:
        parts.append(f"Other data sets about the same people draw on {budget} too: {_list(existing)}.")
    if deleted:
        named = ", ".join(
            f"{_quote_text(each.name)} (deleted on {day_of(each.deleted_at or 0)})"
            for each in deleted[:_MAX_NAMED_TEXTS]
        )
        more = f" and {grouped(len(deleted) - _MAX_NAMED_TEXTS)} more" if len(deleted) > _MAX_NAMED_TEXTS else ""
        drew = (
            "These drew on it until they were deleted"
            if existing
            else f"No other data set draws on {budget} now. Before they were deleted, these did"
        )
        parts.append(f"{drew}: {named}{more}. What they spent is not refunded.")
    return " ".join(parts)


def _grants(facts: Facts, most: int) -> str:
    is_deleted = facts.dataset.deleted_at is not None
    if is_deleted:
        state = "Nothing more can be released from this data set."
    elif facts.budget.frozen_at is not None:
        state = f"All releases were stopped on {day_of(facts.budget.frozen_at)}."
    else:
        state = "Releases are allowed."
    if not facts.grants:
        return f"{state} " + (
            "No analyst had a grant." if is_deleted else "No analyst has a grant; only the owner can release."
        )
    lines = [_grant(each, is_deleted=is_deleted) for each in facts.grants[:most]]
    more = ["Earlier grants are not listed."] if len(facts.grants) > most else []
    title = "Analysts who had a grant:" if is_deleted else "Analysts with a grant:"
    return "\n".join([f"{state} {title}", *(f"– {each}" for each in [*lines, *more])])


def _grant(given: GivenGrant, *, is_deleted: bool) -> str:
    row = given.row
    if row.closed_at is not None:
        end = f"closed on {day_of(row.closed_at)}"
    elif row.expires_at is None:
        end = "without an end"
    else:
        end = f"{'ended' if row.expires_at <= now() else 'until'} {day_of(row.expires_at)}"
    may, has_spent = ("could", "spent") if is_deleted else ("may", "has spent")
    return (
        f"{_person(given.name, row.principal_id)} {may} spend at most {_amount(given.accountant, row.cap)} and "
        f"{has_spent} {_amount(given.accountant, row.spent)}; given on {day_of(row.created_at)}, {end}."
    )


def _requests(facts: Facts, most: int) -> str:
    if facts.dataset.deleted_at is not None:
        listed = (
            "Nobody sees the deleted data set or can ask for access to it any more, but its owner keeps this statement."
        )
    elif facts.dataset.listed:
        listed = (
            "The data set is listed: every analyst of the installation sees its public facts and its owner's name, and "
            "can ask for access."
        )
    else:
        listed = "The data set is not listed: only analysts with a grant see it."
    if not facts.requests:
        return f"{listed} Nobody has asked for access."
    lines = [_request(each) for each in facts.requests[:most]]
    more = ["Earlier requests are not listed."] if len(facts.requests) > most else []
    return "\n".join([f"{listed} Requests for access:", *(f"– {each}" for each in [*lines, *more])])


def _request(found: FoundRequest) -> str:
    row = found.row
    purpose = "a purpose that was erased" if found.purpose is None else _quote_text(found.purpose)
    decided = "" if row.decided_at is None else f" on {day_of(row.decided_at)}"
    outcome = "not decided yet" if found.state == "open" else f"{found.state}{decided}"
    end = "." if found.reason is None else f", because {_quote_text(found.reason)}"
    return (
        f"On {day_of(row.created_at)} {_person(found.name, row.principal_id)} asked for "
        f"{_amount(found.accountant, row.requested)} for {purpose}: {outcome}{end}"
    )


def _decisions(facts: Facts, most: int) -> str:
    lines, total = [], ""
    for entry in reversed(facts.decisions):
        decision = _DECISIONS.get(EntryKind(entry.kind), "")
        if not decision:
            detail, before = json.loads(entry.detail), total
            if "epsilon" in detail:
                total = f"epsilon {detail['epsilon']} and delta {detail['delta']}"
            if entry.kind == EntryKind.BUDGET_TRANSFERRED:
                decision = f"the budget was transferred from {detail['from']} to {detail['to']}"
            elif entry.kind == EntryKind.BUDGET_OPENED:
                decision = f"the budget was opened with a total of {total}"
            else:
                decision = f"the total of the budget was changed {f'from {before} ' if before else ''}to {total}"
        by = ", by the operator of the service" if entry.principal_id == COMMAND_LINE else ", by an admin"
        if entry.principal_id in facts.owners:
            by = ""
        lines.append(f"– {minute(datetime.fromtimestamp(entry.created_at, UTC))}: {decision}{by}.")
    earlier = ["– Earlier decisions are not listed."] if len(lines) > most else []
    return "\n".join(["Decisions about the data set and its budget, oldest first:", *earlier, *lines[-most:]])


def _charges(facts: Facts) -> str:
    return (
        "Each release was charged to the budget before it was computed, and no charge is ever refunded. Answers to "
        "queries are charged only for what they can show beyond everything measured before on the data set, which can "
        f"be nothing.{_SHARING_SENTENCE if facts.was_shared else ''} Every charge is an entry of a ledger in which "
        "each entry confirms the one before it, so that a later change shows.\n"
        f"This statement covers the ledger up to entry {facts.budget.sequence}, whose fingerprint (SHA-256) is "
        f"{facts.budget.head_hash}."
    )


def _exclusions_sentence(dataset: DatasetRow) -> str:
    records = dataset.records_per_unit
    return (
        "Not covered: "
        + ("" if dataset.record_count is None else "what the number of records shows; ")
        + ("" if records == 1 else "how many records a person has; ")
        + "what other budgets, other services or other publications show about the same people; "
        f"people who have {'several' if records == 1 else 'more'} records in spite of the affirmation; and "
        "facts about groups, which releases are made to show."
    )


def _earlier_recoveries(recoveries: int) -> list[str]:
    if recoveries == 0:
        return []
    times = "once" if recoveries == 1 else f"{recoveries} times"
    return [f"Before the recoveries listed next, admins recovered access {times}."]


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
    return f"On {_date(recovery.started_at)} an admin recovered access for the principal {recovery.principal_id}; {end}"


def _person(name: str | None, principal_id: str) -> str:
    return f"{'A person whose name was erased' if name is None else _quote_text(name)} ({principal_id})"


def _amount(accountant: Accountant, cost: Cost) -> str:
    delta = f" and delta {cost.delta}" if cost.delta.units else ""
    unit = costs.main_dimension(accountant)
    return f"{unit} {getattr(cost, unit)}{delta}"


def _date(text: str) -> str:
    return day(instant(text))


_QUOTE_CHARACTERS: Final = "\"'`´“”„‟‘’‚‛′″‴‵‶‷⁗ʹʺʼˮ˝״«»‹›❛❜❝❞❮❯〝〞〟＂＇"
"""Marks that look like the end of a quotation, alone or in pairs."""


def _quote_text(text: str) -> str:
    """Return a person's text as a quotation. The text can't end the quotation, so it is never read as part of the
    statement.
    """
    return "“" + re.sub(f"[{_QUOTE_CHARACTERS}]+", "'", " ".join(text.split())) + "”"


def _records(records: int) -> str:
    person = "person, or other unit that is to be protected,"
    return (
        f"each {person} has exactly one record"
        if records == 1
        else f"no {person} has more than {records} records, so the number of records is not that of people,"
    )


def _odds_of_fact(facts: Facts, epsilon: Epsilon, delta: Delta) -> tuple[Decimal, Decimal]:
    return about_a_fact(Decimal(str(epsilon)), Decimal(str(delta)), facts.dataset.relation)


def _odds(facts: Facts, epsilon: Epsilon, delta: Delta, seen: str) -> str:
    relation = facts.dataset.relation
    return odds_sentences(Decimal(str(epsilon)), Decimal(str(delta)), relation, seen=seen)


def whole_text(statement: Statement) -> str:
    """Return a statement as a document, with the releases of its page."""
    dataset, releases = statement.dataset, statement.releases
    head = (
        f"Statement of the data set {_quote_text(dataset.name)}\n"
        f"Owner: {'(name erased)' if dataset.owner_name is None else _quote_text(dataset.owner_name)}\n"
        f"Made by Private Posterior on {minute(instant(statement.created_at))}"
    )
    spenders = [
        f"– {_person(each.name, each.principal_id)}: {grouped(each.releases)} "
        f"{'release' if each.releases == 1 else 'releases'}, charged {_amount_words(each.charged)}."
        for each in statement.spenders
    ]
    made = [_release(each) for each in releases.items]
    more = ["– Later releases are not listed."] if releases.next_cursor else []
    lists = [
        "\n".join([title, *lines])
        for title, lines in (
            ("Releases by person:", spenders),
            ("Releases from this data set, oldest first:", [*made, *more]),
        )
        if lines
    ]
    blocks = [
        "Who is responsible for what, by the blocks of NIST SP 800-226:",
        *map(_responsibility, statement.responsibilities),
    ]
    lines = ["Lines for a data protection impact assessment:", *(f"– {each}" for each in statement.assessment)]
    return "\n\n".join([head, *statement.summary, *lists, "\n".join(blocks), "\n".join(lines)]) + "\n"


def _responsibility(row: Responsibility) -> str:
    parts = (
        ("enforced by the service", row.enforced),
        ("affirmed by the owner", row.affirmed),
        ("not covered", row.not_covered),
    )
    return f"– {row.block}. " + " ".join(f"{name.capitalize()}: {text}" for name, text in parts if text)


def _release(release: StatedRelease) -> str:
    kind = "answers to queries" if release.mechanism is None else name_of(release.mechanism.kind)
    shown = "" if release.certificate is None else f" {release.certificate}"
    return f"– {minute(instant(release.created_at))}: {kind}, charged {_amount_words(release.charged)}.{shown}"


def _amount_words(charged: Amount) -> str:
    unit = "epsilon" if charged.epsilon is not None else "rho"
    return f"{unit} {getattr(charged, unit)}" + (f" and delta {charged.delta}" if charged.delta.units else "")
