"""Makes the test vectors of docs/reference/formats.md with the code of the service, from fixed inputs.

`python -m tests.harness.vectors` writes them. A file that was released never changes: another implementation relies on
it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np

from core.accounting.accountants import NOTHING, Accountant, Cost
from core.accounting.pairwise_loss import Row
from core.margins.blocks import BlockEstimates
from core.margins.combination import Combination, measured_margins
from core.mechanisms import blocks, linear, margins, private_size
from core.mechanisms.blocks import Blocks
from core.mechanisms.catalogue import certify
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.linear import LinearAnswers
from core.mechanisms.margins import Margins
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.private_size import PrivateSize
from core.privacy import Delta, Epsilon, Rate, Rho
from core.private import Released
from private_posterior.payload import request_key
from service.channels.certified import Certified
from service.channels.events import event_to_json
from service.database.rows import JobRow, ReleaseRow
from service.datasets.budgets import entry_response
from service.datasets.cipher import KeyRing, commit
from service.identifiers.canonical_json import Json, canonical_json, netstrings
from service.ledger.budget_changes import row_of
from service.ledger.chain import Entry, EntryKind, Head, genesis, head_of, link, lost_entry_id
from service.ledger.counts_binding import CountsBinding, hash_description
from service.ledger.debit import hash_idempotency_key
from service.ledger.joint_costs import hash_measured, write_rows
from service.ledger.outcomes import sign_outcome
from service.ledger.receipts import ComputedJob, Evidence, Outcome, Receipt, ReleaseSignature, SignedEntry, Signer
from service.margins.paid_margins import MarginsSpec
from service.principals import chain as principals
from service.principals.auth import hash_secret_row
from service.releases.evidence import evidence_text
from service.releases.public_text import public_text
from service.releases.spec import ReleaseSpec, hash_payload, release_document
from service.schemas.releases import CountsCreate

DIRECTORY: Final = Path(__file__).parent.parent / "vectors"
SEED: Final = bytes(range(32))
SIGNER: Final = Signer.parse(base64.b64encode(SEED).decode())
COUNTS_KEY: Final = bytes(range(32, 64))
NONCE: Final = bytes(range(12))
COMMITMENT_NONCE: Final = bytes(range(64, 96))
BUDGET, OWNER, ANALYST = (
    "bud_vvvvvvvvvvvvvvvvvvvvvvvvvv",
    "pri_oooooooooooooooooooooooooo",
    "pri_aaaaaaaaaaaaaaaaaaaaaaaaaa",
)
DATASET, GRANT, RELEASE = (
    "dat_dddddddddddddddddddddddddd",
    "gra_gggggggggggggggggggggggggg",
    "rel_rrrrrrrrrrrrrrrrrrrrrrrrrr",
)
QUERY, LOST = "qry_qqqqqqqqqqqqqqqqqqqqqqqqqq", "rel_llllllllllllllllllllllllll"
ACCESS_REQUEST: Final = "acc_qqqqqqqqqqqqqqqqqqqqqqqqqq"
KEYS: Final = {OWNER: "key_oooooooooooooooooooooooooo", ANALYST: "key_aaaaaaaaaaaaaaaaaaaaaaaaaa"}
IDEMPOTENCY_KEY: Final = "vector ε 1"
LABELS, COUNTS = ["ill", 'not ill, "so far" ✓'], [33, 200_712]
START: Final = 1_790_000_000
REQUEST: Final = {"prior": [1, 0.5], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"}, "level": 0.9}
VALUES: Final[list[Json]] = [
    None, True, False, 0, -1, 9007199254740993, "", 'ε "\\/\n\u007f\u2028🎲', [], {}, [1, [2, []]],
    {"b": 1, "a": {"ä": None, "z": False}, "B": [], "": 0, "🎲": 1, "\uffff": 2},
]  # fmt: skip


def _event() -> SimplexGeometric:
    return SimplexGeometric(sum(COUNTS), len(COUNTS), Epsilon.parse("0.5"))


def _request() -> CountsCreate:
    return CountsCreate.model_validate(REQUEST | {"kind": "counts"})


def spec() -> ReleaseSpec:
    return ReleaseSpec(
        request=_request().model_dump(mode="json", exclude={"kind", "merged", "once"}), labels=LABELS, unit="one child",
        records_per_unit=1,
        accountant=Accountant.BASIC, certified=Certified(_event(), certify(_event())),
    )  # fmt: skip


def binding() -> CountsBinding:
    return CountsBinding(
        DATASET, commit(COMMITMENT_NONCE, LABELS, COUNTS), BUDGET, OWNER, "basic", "replace_one", len(COUNTS),
        sum(COUNTS), 1,
    )  # fmt: skip


def _rows() -> str:
    return write_rows([Row((1, 0), 1, Rate.parse("0.1"), 1), Row((1, -1), 2, Rate.parse("0.05"), 3)])


def _cost(epsilon: str) -> Cost:
    return Cost(epsilon=Epsilon.parse(epsilon))


def _charge(release_id: str) -> dict[str, Any]:
    return {
        "dataset_id": DATASET,
        "mechanism": "simplex_geometric",
        "owner_id": OWNER,
        "commitment": binding().commitment,
        "spec_sha256": hashlib.sha256(spec().to_json().encode()).hexdigest(),
        "key_hash": hash_idempotency_key(ANALYST, f"{IDEMPOTENCY_KEY}{release_id}"),
        "payload_hash": hash_payload(DATASET, _request()),
        "grant_id": GRANT,
    }


def _lost_receipt() -> dict[str, Any]:
    """The receipt of a charge that a restore forgot."""
    head = Head(BUDGET, 40, "40" * 32)
    draft = Entry(
        BUDGET, 0, EntryKind.RELEASE_CHARGED, _cost("0.125"), ANALYST, LOST, canonical_json(_charge(LOST)), START
    )
    return json.loads(SIGNER.receipt(link(head, draft), "basic"))  # type: ignore[no-any-return]  # an object


def story() -> list[Entry]:
    """A ledger with every kind of entry."""
    counts = {name: getattr(binding(), name) for name in ("commitment", "relation", "category_count", "record_count")}
    counts["records_per_unit"] = 1
    policy = {
        "epsilon_release_cap": 500_000_000, "delta_release_cap": 0, "rho_release_cap": 0,
        "allowed_mechanisms": ["laplace", "linear", "simplex_geometric"], "low_budget_percent": 20,
    }  # fmt: skip
    terms = {"epsilon": "2", "delta": "0.000001"}
    total, cap = Cost(Epsilon.parse("2"), Delta.parse("0.000001")), _cost("1")
    granted = {"dataset_id": DATASET, "analyst_id": ANALYST, "expires_at": None, "access_request_id": ACCESS_REQUEST}
    lost = {"receipt": _lost_receipt(), "dataset_id": DATASET, "grant_id": GRANT}
    query = {
        "granted": [150_000_000, 0, 0], "alone": [200_000_000, 0, 0], "blind": "bld_bbbbbbbbbbbbbbbbbbbbbbbbbb",
        "measured": hash_measured(_rows()), "mechanism": "linear", "shared": True,
    }  # fmt: skip
    told: list[tuple[EntryKind, str, str, Cost, Mapping[str, Any]]] = [
        (EntryKind.BUDGET_OPENED, OWNER, BUDGET, total, terms | {"accountant": "basic", "delta_conversion": "0"}),
        (EntryKind.DATASET_REGISTERED, OWNER, DATASET, NOTHING, counts | {"commitment": "00" * 32}),
        (EntryKind.DATASET_REPLACED, OWNER, DATASET, NOTHING, counts),
        (EntryKind.GRANT_OPENED, OWNER, GRANT, _cost("0.5"), granted),
        (EntryKind.GRANT_CHANGED, OWNER, GRANT, cap, {}),
        (EntryKind.GRANT_CHANGED, OWNER, GRANT, cap, {"expires_at": START + 86_400}),
        (EntryKind.GRANT_CLOSED, OWNER, GRANT, NOTHING, {}),
        (EntryKind.GRANT_REOPENED, OWNER, GRANT, NOTHING, {}),
        (EntryKind.POLICY_CHANGED, OWNER, BUDGET, NOTHING, policy),
        (EntryKind.RELEASE_CHARGED, ANALYST, RELEASE, _cost("0.5"), _charge(RELEASE)),
        (EntryKind.HISTORY_SHARED, OWNER, DATASET, NOTHING, {}),
        (EntryKind.QUERY_CHARGED, ANALYST, QUERY, _cost("0.1"), _charge(QUERY) | query),
        (EntryKind.HISTORY_UNSHARED, OWNER, DATASET, NOTHING, {}),
        (EntryKind.RELEASE_PUBLISHED, OWNER, RELEASE, NOTHING, {}),
        (EntryKind.RELEASE_WITHDRAWN, OWNER, RELEASE, NOTHING, {}),
        (EntryKind.BUDGET_RENAMED, OWNER, BUDGET, NOTHING, {"name": "Wave ②"}),
        (EntryKind.DATASET_RENAMED, OWNER, DATASET, NOTHING, {"name": "Trial"}),
        (EntryKind.BUDGET_CHANGED, OWNER, BUDGET, total + _cost("1"), terms | {"epsilon": "3"}),
        (EntryKind.BUDGET_FROZEN, OWNER, BUDGET, NOTHING, {}),
        (EntryKind.BUDGET_UNFROZEN, OWNER, BUDGET, NOTHING, {}),
        (EntryKind.RESTORE_NOTICED, "command-line", BUDGET, NOTHING, {"kept": 20, "witnessed": 41}),
        (EntryKind.RECEIPT_RECONCILED, "command-line", LOST, _cost("0.125"), lost),
        (EntryKind.WRITTEN_OFF, OWNER, "wof_wwwwwwwwwwwwwwwwwwwwwwwwww", _cost("0.25"), {"reason": "unknown"}),
        (EntryKind.RESTORE_ENDED, "command-line", BUDGET, NOTHING, {}),
        (EntryKind.DATASET_LISTED, OWNER, DATASET, NOTHING, {}),
        (EntryKind.ACCESS_DECLINED, OWNER, ACCESS_REQUEST, NOTHING, {"dataset_id": DATASET, "analyst_id": ANALYST}),
        (EntryKind.DATASET_UNLISTED, OWNER, DATASET, NOTHING, {}),
        (EntryKind.DATASET_DELETED, OWNER, DATASET, NOTHING, {}),
    ]  # fmt: skip
    head, entries = genesis(BUDGET), list[Entry]()
    for number, (kind, actor, subject, amount, detail) in enumerate(told):
        of_actor: dict[str, Any] = {}
        if actor in KEYS:
            end = principal_chain(actor)[-1]
            principal_head = {"sequence": end["sequence"], "hash": end["hash"]}
            of_actor = {"api_key_id": KEYS[actor], "principal_head": principal_head}
        text = canonical_json({**detail, **of_actor})
        draft = Entry(BUDGET, 0, kind, amount, actor, subject, text, START + number)
        entries.append(link(head, draft))
        head = head_of(entries[-1])
    return entries


def later_entries() -> list[Entry]:
    """Entries that follow `story`, of the kinds that were added after 0.1.0."""
    end = story()[-1]
    detail = canonical_json({"ledger_time": end.created_at})
    draft = Entry(BUDGET, 0, EntryKind.CLOCK_CONFIRMED, NOTHING, "command-line", BUDGET, detail, end.created_at - 3600)
    confirmed = link(head_of(end), draft)
    lost = link(head_of(end), Entry(BUDGET, 0, EntryKind.BUDGET_FROZEN, NOTHING, OWNER, BUDGET, "{}", end.created_at))
    named: dict[str, Json] = {"sequence": lost.sequence, "kind": lost.kind.value, "lost": True}
    detail = canonical_json(named | {"entry": SIGNER.sign(SignedEntry.of(lost))})
    kind, subject = EntryKind.ENTRY_RECONCILED, lost_entry_id(lost.hash)
    draft = Entry(BUDGET, 0, kind, NOTHING, "command-line", subject, detail, confirmed.created_at)
    reconciled = link(head_of(confirmed), draft)
    moved = canonical_json({"from": OWNER, "to": "pri_successor"})
    draft = Entry(BUDGET, 0, EntryKind.BUDGET_TRANSFERRED, NOTHING, "pri_admin", BUDGET, moved, end.created_at)
    return [confirmed, reconciled, link(head_of(reconciled), draft)]


def principal_chain(principal_id: str) -> list[dict[str, Any]]:
    """The chain of a principal's keys; the analyst's has access requests."""
    key_id = KEYS[principal_id]
    asked: dict[str, Json] = {"dataset_id": DATASET, "api_key_id": key_id}
    told: list[tuple[str, str, str, dict[str, Json]]] = [
        ("token_issued", "pri_admin", "tok_tttttttttttttttttttttttttt", {"recovers": False}),
        ("enrolled", principal_id, "tok_tttttttttttttttttttttttttt", {"key_id": key_id, "issued_by": "pri_admin"}),
        ("access_requested", principal_id, ACCESS_REQUEST, asked | {"requested": [500_000_000, 0, 0]}),
        ("access_withdrawn", principal_id, ACCESS_REQUEST, asked),
    ]
    told = told if principal_id == ANALYST else told[:2]
    head, entries = principals.genesis_hash(principal_id), list[dict[str, Any]]()
    for number, (kind, actor, subject, detail) in enumerate(told, start=1):
        columns = {
            "principal_id": principal_id, "sequence": number, "kind": kind, "actor_id": actor, "subject_id": subject,
            "detail": canonical_json(detail), "created_at": START - 10 + number,
        }  # fmt: skip
        digest = principals._hash(head, columns)
        entries.append(columns | {"previous_hash": head, "hash": digest})
        head = digest
    return entries


def secret_rows() -> list[dict[str, Any]]:
    """The rows of a token, and of the key and recovery code that it was exchanged for."""
    token_id = "enr_tttttttttttttttttttttttttt"
    facts = {"principal_id": ANALYST, "issued_by": "pri_admin", "created_at": START}
    return [
        {"id": token_id, "kind": "token", "secret_hash": "11" * 32, "made_by": None, "expires_at": START + 86_400}
        | facts,
        {"id": KEYS[ANALYST], "kind": "key", "prefix": "pp_abcdefgh", "secret_hash": "22" * 32, "expires_at": None}
        | {"enrolment_id": token_id} | facts,
        {"id": "enr_cccccccccccccccccccccccccc", "kind": "recovery_code", "secret_hash": "33" * 32}
        | {"made_by": token_id, "expires_at": None} | facts,
    ]  # fmt: skip


def release() -> str:
    """The release as version 0.2.0 stored it, which is the text of this version without `kind`."""
    kind = '{"kind":"counts",'
    assert release_with_kind().startswith(kind)
    return "{" + release_with_kind().removeprefix(kind)


def release_with_kind() -> str:
    """The release as its payer receives it."""
    entry = next(each for each in story() if each.subject_id == RELEASE)
    row = ReleaseRow(
        id=RELEASE, dataset_id=DATASET, budget_id=BUDGET, sequence=entry.sequence, principal_id=ANALYST, key_hash="",
        payload_hash="", spec=spec().to_json(), epsilon_charged=entry.amount.epsilon.units, delta_charged=0,
        rho_charged=0, epsilon_remaining=500_000_000, delta_remaining=0, rho_remaining=0,
        receipt=SIGNER.receipt(entry, "basic"), created_at=entry.created_at, state="complete", leased_until=0,
        drawn=None, result=None, public_since=None, kind="posterior", owner_id=OWNER,
    )  # fmt: skip
    noisy = (36, 200_709)
    return release_document(row, spec(), Released(NoisyCounts(noisy, noisy), certify(_event()).loss))


def _hashes() -> dict[str, Any]:
    return {
        "genesis": {"budget_id": BUDGET, "hash": genesis(BUDGET).hash},
        "principal_genesis": {"principal_id": ANALYST, "hash": principals.genesis_hash(ANALYST)},
        "netstrings": {"values": ["", "ε", 0, 12], "bytes": netstrings("", "ε", 0, 12).hex()},
        "idempotency_key": {
            "principal_id": ANALYST,
            "idempotency_key": IDEMPOTENCY_KEY,
            "hash": hash_idempotency_key(ANALYST, IDEMPOTENCY_KEY),
        },
        "commitment": {
            "nonce": COMMITMENT_NONCE.hex(), "labels": LABELS, "counts": COUNTS, "hash": binding().commitment,
        },
        "payload": {
            "dataset_id": DATASET,
            "request": _request().model_dump(mode="json", exclude={"kind"}, exclude_defaults=True),
            "hash": hash_payload(DATASET, _request()),
        },
        "spec": {"text": spec().to_json(), "hash": hashlib.sha256(spec().to_json().encode()).hexdigest()},
        "measured": {"text": _rows(), "hash": hash_measured(_rows())},
    }  # fmt: skip


def _encrypted_counts() -> dict[str, Any]:
    with mock.patch("os.urandom", lambda size: NONCE[:size]):
        stored = KeyRing("k1", {"k1": COUNTS_KEY}).encrypt(COUNTS, binding())
    facts = {name: getattr(binding(), name) for name in CountsBinding.__slots__}
    return {
        "key": COUNTS_KEY.hex(), "key_id": "k1", "counts": COUNTS, "binding": facts,
        "associated_data": binding().associated_data.decode(), "ciphertext": stored.ciphertext.hex(),
    }  # fmt: skip


def _export() -> str:
    """The ledger as its owner exports it."""
    entries = story()
    lines = [entry_response(row_of(entry), Accountant.BASIC).model_dump_json() for entry in entries]
    head = canonical_json(SIGNER.head(head_of(entries[-1]), START + 100))
    return "".join(f"{line}\n" for line in [*lines, head])


def _signatures() -> dict[str, Any]:
    charged = [each for each in story() if each.kind in (EntryKind.RELEASE_CHARGED, EntryKind.QUERY_CHARGED)]
    return {
        "seed": SEED.hex(),
        "public_key": SIGNER.public_key,
        "key_id": SIGNER.key_id,
        "receipts": [json.loads(SIGNER.receipt(each, "basic")) for each in charged],
        "head": SIGNER.head(head_of(story()[-1]), START + 100),
        "release_signature": SIGNER.sign(ReleaseSignature.of(RELEASE, b"{}")),
    }


def _stored_texts() -> dict[str, Any]:
    """Texts that the service stores with a signature, as the columns of their rows."""
    drawn, answer = '{"noisy": [36, 200709], "on_simplex": [36, 200709]}', release()
    job = JobRow(
        id="job_jjjjjjjjjjjjjjjjjjjjjjjjjj", principal_id=ANALYST, key="0" * 64, kind="plan", input='{"n": 200745}',
        state="pending", result=None, problem=None, created_at=START, finished_at=None, leased_until=None, tries=0,
        created_nanoseconds=0,
    )  # fmt: skip
    ready, failed = job._replace(state="ready", result="{}"), job._replace(state="failed", problem="{}")
    shown = ("id", "principal_id", "kind", "key", "input", "state", "result", "problem")
    return {
        "outcomes": [
            {"id": RELEASE, "drawn": drawn, "result": each, "signature": sign_outcome(SIGNER, RELEASE, drawn, each)}
            for each in (None, answer)
        ],
        "jobs": [
            {name: getattr(each, name) for name in shown} | {"signature": SIGNER.signed_text(ComputedJob.of(each))}
            for each in (job, ready, failed)
        ],
    }


def evidence() -> str:
    """The evidence of the release as its payer and its readers get it."""
    entry = next(each for each in story() if each.subject_id == RELEASE)
    drawn = '{"noisy": [36, 200709], "on_simplex": [36, 200709]}'
    signed = SIGNER.signed_text(Evidence.of(Receipt.of(entry, "basic"), Outcome.of(RELEASE, drawn, release())))
    return evidence_text(spec().to_json(), drawn, signed)


def _later_evidence() -> dict[str, Any]:
    """The evidence of a release of merged cells, and of one of blocks of margins."""
    counts = SimplexGeometric(60, 3, Epsilon.parse("0.5"))
    merged = replace(spec(), labels=["none", "mild", "severe", "unknown"], merged=[[1, 2]],
                     certified=Certified(counts, certify(counts)))  # fmt: skip
    event = Blocks(60, (2, 3), frozenset(), (((0,), (1,)),), (Epsilon.parse("0.25"),))
    attributes = [{"name": "arm", "levels": ["old", "new"]}, {"name": "ill", "levels": ["no", "mild", "severe"]}]
    tables: list[dict[str, Any]] = [{"margin": [0], "deviation": 15.0, "intervals": [[0.95, 27.0]]}]
    request = {"all": 1, "epsilon": "0.25", "noise": "blocks", "mechanism": {"kind": "margins"}}
    of_blocks = MarginsSpec(request, attributes, "one child", Accountant.BASIC, event, blocks.certify(event), tables)
    noisy = {
        "merged": {"noisy": [31, 17, 12], "on_simplex": [31, 17, 12]},
        "blocks": {"noisy": [[31, 29], [8, 41, 11]]},
    }
    found = {}
    for name, of in (("merged", merged), ("blocks", of_blocks)):
        stated, drawn = of.to_json(), json.dumps(noisy[name])
        receipt = Receipt.of(next(each for each in story() if each.subject_id == RELEASE), "basic")
        body = replace(
            Evidence.of(receipt, Outcome.of(RELEASE, drawn, "{}")),
            spec_sha256=hashlib.sha256(stated.encode()).hexdigest(),
            epsilon="0.5" if name == "merged" else "0.25",
        )
        found[name] = json.loads(evidence_text(stated, drawn, SIGNER.signed_text(body)))
    return found


def _request_keys() -> list[dict[str, Any]]:
    """The requests of the file, with the keys that the client makes from them: the service makes none."""
    groups: list[dict[str, Any]] = json.loads((DIRECTORY / "request_keys.json").read_text(encoding="utf-8"))
    for each in groups:
        each["key"] = request_key(each["kind"], each["dataset_id"], each["requests"][0])
    return groups


def _margins() -> dict[str, Any]:
    """Margins of a table of two and three levels, one of which has no possible combination with the other attribute's
    first level.
    """
    losses = (Epsilon.parse("0.5"), Epsilon.parse("0.25"))
    event = Margins(60, (2, 3), frozenset({(0, 2)}), ((0,), (0, 1)), losses, records_per_unit=2)
    noisy, tables = [[31, 27], [8, 14, -1, 9, 6, 17]], [(0,), (1,), (0, 1)]
    combination = Combination(event.levels, measured_margins(event), n_is_public=True)
    arrays = [np.array(each).reshape(shape) for each, shape in zip(noisy, ((2,), (2, 3)), strict=True)]
    combined = combination.estimates(arrays, event.n, tables, event.impossible)
    return {
        "event": event_to_json(event),
        "noise_parameters": [str(each) for each in event.noise_parameters],
        "loss": str(margins.certify(event).loss.epsilon),
        "noisy_counts": noisy,
        "tables": [
            {
                "attributes": margin,
                "standard_deviation": round(combination.variance(margin) ** 0.5, 9),
                "estimates": [round(value, 9) for value in table.ravel().tolist()],
            }
            for margin, table in zip(tables, combined, strict=True)
        ],
    }


def _blocks() -> dict[str, Any]:
    """Two blocks of margins: one label has no possible combination."""
    losses = (Epsilon.parse("0.5"), Epsilon.parse("0.25"))
    impossible = frozenset((a, b, 1) for a in range(2) for b in range(3))
    event = Blocks(60, (2, 3, 3), impossible, (((0,), (1,)), ((2,),)), losses, records_per_unit=2)
    noisy, tables = [[31, 29], [8, 41, 11], [64, 0, -4]], [(0,), (1,), (2,)]
    estimates = BlockEstimates(event)
    return {
        "event": event_to_json(event),
        "rates": [str(each) for each in event.rates],
        "loss": str(blocks.certify(event).loss.epsilon),
        "noisy_counts": noisy,
        "standard_deviations": [round(estimates.variance(margin) ** 0.5, 9) for margin in tables],
        "half_widths": [int(each) for each in estimates.half_widths(tables, 0.95)],
    }


def _private_size() -> list[dict[str, Any]]:
    """Events of tables whose number of records is private, what they cost, and what their counts are bound to."""
    events = [
        PrivateSize(3, "geometric", Epsilon.parse("1"), records_per_unit=2),
        PrivateSize(3, "laplace", Epsilon.parse("1"), records_per_unit=2),
        PrivateSize(3, "gaussian", Rho.parse("0.125"), Delta.parse("1e-6"), 2),
    ]
    bound = replace(binding(), relation="add_remove", category_count=3, record_count=None, records_per_unit=2)
    found = []
    for event in events:
        loss = private_size.certify(event).loss
        charged = {"epsilon": str(loss.epsilon), "delta": str(loss.delta), "rho": str(loss.rho)}
        found.append(
            {"event": event_to_json(event), "loss": charged, "associated_data": bound.associated_data.decode()}
        )
    rows = LinearAnswers(None, 3, 2, ((2, 2, 2), (1, -4, 0)), (Rate.parse("0.1"), Rate.parse("0.05")), 2)
    measured, loss = write_rows(rows.measured), linear.certify(rows).loss
    found.append(
        {
            "event": event_to_json(rows),
            "loss": {"epsilon": str(loss.epsilon), "delta": str(loss.delta), "rho": str(loss.rho)},
            "associated_data": bound.associated_data.decode(),
            "measured": {"text": measured, "hash": hash_measured(measured)},
        }
    )
    return found


def files() -> dict[str, bytes]:
    """Every vector, by the name of its file."""
    canonical = [{"value": value, "text": canonical_json(value)} for value in VALUES]
    documents: dict[str, Any] = {
        "canonical_json.json": canonical,
        "hashes.json": _hashes(),
        "entries.json": [
            {"columns": row_of(each)._asdict(), "bytes": each.canonical_bytes().hex()} for each in story()
        ],
        "later_entries.json": [
            {"columns": row_of(each)._asdict(), "bytes": each.canonical_bytes().hex()} for each in later_entries()
        ],
        "principal_entries.json": principal_chain(ANALYST),
        "signatures.json": _signatures(),
        "stored.json": _stored_texts(),
        "encrypted_counts.json": _encrypted_counts(),
        "request_keys.json": _request_keys(),
        "margins.json": _margins(),
        "blocks.json": _blocks(),
        "later_evidence.json": _later_evidence(),
        "private_size.json": _private_size(),
        "secret_rows.json": [{"row": row, "hash": hash_secret_row(row)} for row in secret_rows()],
        "description.json": {
            "labels": LABELS,
            "attributes": None,
            "unit": spec().unit,
            "hash": hash_description(json.dumps(LABELS), None, spec().unit),
        },
    }
    texts = {name: json.dumps(value, indent=1, ensure_ascii=True) + "\n" for name, value in documents.items()}
    texts |= {
        "ledger.jsonl": _export(),
        "release.json": release(),
        "release_with_kind.json": release_with_kind(),
        "public_release.json": public_text(release(), SIGNER),
        "evidence.json": evidence(),
    }
    return {name: text.encode() for name, text in texts.items()}


def main() -> None:
    """Writes the files."""
    for name, content in files().items():
        (DIRECTORY / name).write_bytes(content)


if __name__ == "__main__":
    main()
