"""The hash chain of a ledger: any change of a stored entry is found."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.accountants import NOTHING, Cost
from core.privacy import Delta, Epsilon, Rho
from service.identifiers.canonical_json import ChainError, Json, canonical_json
from service.ledger.chain import Balances, Entry, EntryKind, Head, genesis, head_of, link, read_entry, verify

BUDGET = "budget-1"
LIMIT = Cost(Epsilon(10**12), Delta(10**17), Rho(10**15))
amounts = st.builds(
    Cost, st.integers(0, 10**9).map(Epsilon), st.integers(0, 10**9).map(Delta), st.integers(0, 10**9).map(Rho)
)


def draft(kind: EntryKind, amount: Cost = NOTHING, **fields: str | int) -> Entry:
    content: dict[str, str | int] = {
        "principal_id": "p",
        "subject_id": "",
        "detail": "{}",
        "created_at": 1_700_000_000,
        **fields,
    }
    return Entry(budget_id=BUDGET, sequence=1, kind=kind, amount=amount, **content)  # type: ignore[arg-type]  # fields by name


def chained(*drafts: Entry) -> list[Entry]:
    head, entries = genesis(BUDGET), []
    for each in drafts:
        entries.append(link(head, each))
        head = head_of(entries[-1])
    return entries


def charged(kind: EntryKind, amount: Cost) -> dict[str, Json]:
    """The detail of a charge for queries: here a grant that pays a unit of epsilon more than the budget."""
    if kind is not EntryKind.QUERY_CHARGED:
        return {}
    units = [amount.epsilon.units + 1, amount.delta.units, amount.rho.units]
    return {"granted": [*units], "alone": [*units]}


@st.composite
def ledgers(draw: st.DrawFn) -> list[Entry]:
    free = [kind for kind in EntryKind if kind not in (EntryKind.BUDGET_OPENED, EntryKind.BUDGET_CHANGED)]
    rest = st.builds(
        lambda kind, amount, principal, grant, time: draft(
            kind,
            amount,
            principal_id=principal,
            detail=canonical_json(({"grant_id": grant} if grant else {}) | charged(kind, amount)),
            created_at=time,
        ),
        st.sampled_from(free),
        amounts,
        st.text(max_size=5).filter(lambda text: text.isprintable()),
        st.sampled_from(["", "g1", "g2"]),
        st.integers(0, 2**40),
    )
    return chained(draft(EntryKind.BUDGET_OPENED, LIMIT), *draw(st.lists(rest, min_size=1, max_size=12)))


def test_the_encoding_is_the_documented_one() -> None:
    entry = link(
        genesis("b"), Entry("b", 1, EntryKind.BUDGET_OPENED, Cost(Epsilon(5), Delta(6), Rho(7)), "p", "", "{}", 8)
    )
    first = hashlib.sha256(b"34:private-posterior ledger genesis 1,1:b,").hexdigest()
    content = f"32:private-posterior ledger entry 1,64:{first},1:b,1:1,13:budget_opened,1:5,1:6,1:7,1:p,0:,2:{{}},1:8,"
    assert entry.previous_hash == first
    assert entry.canonical_bytes().decode() == content
    assert entry.hash == hashlib.sha256(content.encode()).hexdigest()


def test_kinds_keep_the_names_under_which_they_are_stored() -> None:
    assert sorted(EntryKind) == [
        "access_declined",
        "budget_changed",
        "budget_frozen",
        "budget_opened",
        "budget_renamed",
        "budget_transferred",
        "budget_unfrozen",
        "clock_confirmed",
        "dataset_deleted",
        "dataset_listed",
        "dataset_registered",
        "dataset_renamed",
        "dataset_replaced",
        "dataset_unlisted",
        "entry_reconciled",
        "grant_changed",
        "grant_closed",
        "grant_opened",
        "grant_reopened",
        "history_shared",
        "history_unshared",
        "policy_changed",
        "query_charged",
        "receipt_reconciled",
        "release_charged",
        "release_published",
        "release_withdrawn",
        "restore_ended",
        "restore_noticed",
        "written_off",
    ]


@given(ledgers())
def test_an_untouched_ledger_verifies_against_every_head_it_ever_had(entries: list[Entry]) -> None:
    head, _ = verify(BUDGET, entries, [genesis(BUDGET), *map(head_of, entries)])
    assert head == head_of(entries[-1])


@given(ledgers())
def test_balances_are_replayed(entries: list[Entry]) -> None:
    _, balances = verify(BUDGET, entries)
    kinds = (
        EntryKind.RELEASE_CHARGED,
        EntryKind.QUERY_CHARGED,
        EntryKind.RECEIPT_RECONCILED,
        EntryKind.WRITTEN_OFF,
    )
    spending = [e for e in entries if e.kind in kinds]
    frozen = [e.kind for e in entries if e.kind in (EntryKind.BUDGET_FROZEN, EntryKind.BUDGET_UNFROZEN)]
    assert balances.spent.epsilon.units == sum(e.amount.epsilon.units for e in spending)
    assert balances.spent.delta.units == sum(e.amount.delta.units for e in spending)
    assert balances.spent.rho.units == sum(e.amount.rho.units for e in spending)
    assert balances.limit == LIMIT
    assert balances.frozen is (frozen[-1:] == [EntryKind.BUDGET_FROZEN])
    for grant in ("g1", "g2"):
        of_grant = [e.amount.rho.units for e in spending if grant in e.detail]
        assert balances.spent_by_grant.get(grant, NOTHING).rho.units == sum(of_grant)
        paid = [e.amount.epsilon.units + (e.kind is EntryKind.QUERY_CHARGED) for e in spending if grant in e.detail]
        assert balances.spent_by_grant.get(grant, NOTHING).epsilon.units == sum(paid)


@given(ledgers(), st.data())
def test_any_changed_field_is_found_where_it_was_changed(entries: list[Entry], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(entries) - 1))
    entry = entries[at]
    changes: dict[str, object] = {
        "budget_id": "budget-2",
        "kind": EntryKind.WRITTEN_OFF if entry.kind is not EntryKind.WRITTEN_OFF else EntryKind.BUDGET_FROZEN,
        "amount": entry.amount + Cost(rho=Rho(1)),
        "principal_id": entry.principal_id + "x",
        "subject_id": "x",
        "detail": '{"x":1}',
        "created_at": entry.created_at + 1,
        "previous_hash": "0" * 64,
        "hash": "0" * 64,
        "sequence": entry.sequence + 1,
    }
    name = data.draw(st.sampled_from(sorted(changes)))
    entries[at] = replace(entry, **{name: changes[name]})  # type: ignore[arg-type]  # one field by name
    with pytest.raises(ChainError) as found:
        verify(BUDGET, entries)
    assert found.value.sequence == at + 1


@given(ledgers(), st.data())
def test_any_dropped_entry_but_the_last_is_found(entries: list[Entry], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(entries) - 2))
    del entries[at]
    with pytest.raises(ChainError) as found:
        verify(BUDGET, entries)
    assert found.value.sequence == at + 1


@given(ledgers(), st.data())
def test_reordered_and_repeated_entries_are_found(entries: list[Entry], data: st.DataObject) -> None:
    a, b = sorted(data.draw(st.lists(st.integers(0, len(entries) - 1), min_size=2, max_size=2, unique=True)))
    swapped = list(entries)
    swapped[a], swapped[b] = swapped[b], swapped[a]
    repeated = [*entries[: b + 1], entries[a], *entries[b + 1 :]]
    for wrong, where in ((swapped, a + 1), (repeated, b + 2)):
        with pytest.raises(ChainError) as found:
            verify(BUDGET, wrong)
        assert found.value.sequence == where


@given(ledgers(), st.data())
def test_a_cut_is_found_against_a_checkpoint_beyond_it_only(entries: list[Entry], data: st.DataObject) -> None:
    kept = data.draw(st.integers(0, len(entries) - 1))
    verify(BUDGET, entries[:kept], map(head_of, entries[:kept]))
    with pytest.raises(ChainError, match="cut or rolled back"):
        verify(BUDGET, entries[:kept], [head_of(entries[-1])])


@given(ledgers(), st.data())
def test_a_consistent_rewriting_is_found_against_a_checkpoint_only(entries: list[Entry], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(entries) - 1))
    rewritten = chained(
        *entries[:at], replace(entries[at], principal_id=entries[at].principal_id + "x"), *entries[at + 1 :]
    )
    verify(BUDGET, rewritten)
    with pytest.raises(ChainError, match="rewritten") as found:
        verify(BUDGET, rewritten, [head_of(entries[at])])
    assert found.value.sequence == at + 1


def test_another_budgets_chain_is_not_accepted() -> None:
    with pytest.raises(ChainError, match="another budget"):
        verify("budget-2", chained(draft(EntryKind.BUDGET_OPENED, LIMIT)))


def test_two_checkpoints_that_contradict_each_other_are_found() -> None:
    entries = chained(draft(EntryKind.BUDGET_OPENED, LIMIT))
    with pytest.raises(ChainError, match="rewritten"):
        verify(BUDGET, entries, [head_of(entries[0]), Head(BUDGET, 1, "0" * 64)])


def test_a_charge_that_passes_the_limit_is_found_even_if_the_chain_is_consistent() -> None:
    over = draft(EntryKind.RELEASE_CHARGED, LIMIT + Cost(epsilon=Epsilon(1)))
    with pytest.raises(ChainError, match="spends more than the budget allows"):
        verify(BUDGET, chained(draft(EntryKind.BUDGET_OPENED, LIMIT), over))


def test_a_limit_lowered_below_what_is_spent_is_found() -> None:
    with pytest.raises(ChainError, match="spends more than the budget allows"):
        verify(
            BUDGET,
            chained(
                draft(EntryKind.BUDGET_OPENED, LIMIT),
                draft(EntryKind.RELEASE_CHARGED, LIMIT),
                draft(EntryKind.BUDGET_CHANGED, NOTHING),
            ),
        )


def test_reconciled_charges_may_exceed_the_limit_and_then_nothing_can_be_charged() -> None:
    opened, forgotten = draft(EntryKind.BUDGET_OPENED, NOTHING), draft(EntryKind.RECEIPT_RECONCILED, LIMIT)
    _, balances = verify(BUDGET, chained(opened, forgotten, draft(EntryKind.BUDGET_UNFROZEN)))
    assert balances == Balances(limit=NOTHING, spent=LIMIT)
    with pytest.raises(ChainError):
        verify(BUDGET, chained(opened, forgotten, draft(EntryKind.RELEASE_CHARGED, NOTHING)))


@pytest.mark.parametrize("drafts", [[EntryKind.RELEASE_CHARGED], [EntryKind.BUDGET_OPENED, EntryKind.BUDGET_OPENED]])
def test_a_budget_is_opened_once_and_first(drafts: list[EntryKind]) -> None:
    with pytest.raises(ChainError):
        verify(BUDGET, chained(*map(draft, drafts)))


def test_a_stored_row_reads_back_and_an_impossible_one_is_refused() -> None:
    entry = chained(draft(EntryKind.BUDGET_OPENED, LIMIT))[0]
    row = {
        "budget_id": entry.budget_id,
        "sequence": 1,
        "kind": "budget_opened",
        "epsilon": 10**12,
        "delta": 10**17,
        "rho": 10**15,
        "principal_id": "p",
        "subject_id": "",
        "detail": "{}",
        "created_at": entry.created_at,
        "previous_hash": entry.previous_hash,
        "hash": entry.hash,
    }
    assert read_entry(row) == entry
    wrong: list[dict[str, object]] = [
        {"kind": "refund"},
        {"epsilon": -1},
        {"rho": 1.5},
        {"delta": 2**63},
        {"created_at": -1},
        {"detail": None},
        {"sequence": "1"},
    ]
    for change in wrong:
        with pytest.raises(ChainError):
            read_entry(row | change)
    with pytest.raises(ChainError):
        read_entry({name: value for name, value in row.items() if name != "hash"})
