"""Signed receipts and heads: statements of the service verify, and no others do."""

from __future__ import annotations

import base64
import json
import traceback
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.accountants import Accountant, Cost
from core.privacy import Delta, Epsilon, Rho
from service.identifiers.canonical_json import canonical_json
from service.ledger.chain import Entry, EntryKind, genesis, head_of, link
from service.ledger.receipts import Receipt, SignatureError, SignedHead, Signer, SigningKeyError, verify

SEED = base64.b64encode(bytes(range(32))).decode()
SIGNER = Signer.parse(SEED)
KEYS = {SIGNER.key_id: SIGNER.public_key}
OPENED = link(
    genesis("b"), Entry("b", 1, EntryKind.BUDGET_OPENED, Cost(Epsilon(9), Delta(9), Rho(9)), "o", "", "{}", 1)
)
CHARGED = link(
    head_of(OPENED),
    Entry(
        "b",
        1,
        EntryKind.RELEASE_CHARGED,
        Cost(Epsilon(5), Delta(6), Rho(7)),
        "p",
        "r",
        '{"grant_id":"g"}',
        1_700_000_000,
    ),
)
RECEIPT = Receipt.of(CHARGED, Accountant.ZCDP)
HEAD = SignedHead("b", 2, CHARGED.hash, 1_700_000_001)


def over_the_wire(signed: object) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json.dumps(signed))
    return read


def test_a_receipt_says_what_the_entry_says() -> None:
    assert (RECEIPT.budget_id, RECEIPT.sequence, RECEIPT.release_id, RECEIPT.grant_id, RECEIPT.at) == (
        "b",
        2,
        "r",
        "g",
        1_700_000_000,
    )
    assert RECEIPT.amount == CHARGED.amount
    assert RECEIPT.head == head_of(CHARGED)


def test_what_was_signed_verifies_after_a_trip_through_json() -> None:
    assert verify(over_the_wire(SIGNER.sign(RECEIPT)), Receipt, KEYS) == RECEIPT
    assert verify(over_the_wire(SIGNER.sign(HEAD)), SignedHead, KEYS) == HEAD
    assert verify(json.loads(SIGNER.receipt(CHARGED, Accountant.ZCDP)), Receipt, KEYS) == RECEIPT
    assert verify(over_the_wire(SIGNER.head(head_of(CHARGED), HEAD.at)), SignedHead, KEYS) == HEAD


def test_signing_again_gives_the_same_bytes() -> None:
    assert SIGNER.signed_text(RECEIPT) == canonical_json(Signer.parse(SEED).sign(RECEIPT))


@pytest.mark.parametrize("name", list(over_the_wire(SIGNER.sign(RECEIPT))["body"]))
def test_a_change_of_any_field_is_found(name: str) -> None:
    signed = over_the_wire(SIGNER.sign(RECEIPT))
    value = signed["body"][name]
    signed["body"][name] = value + 1 if isinstance(value, int) else value + "x"
    with pytest.raises(SignatureError, match=r"is not valid|another kind"):
        verify(signed, Receipt, KEYS)


@given(st.integers(0, 63), st.integers(0, 7))
def test_a_change_of_any_bit_of_the_signature_is_found(byte: int, bit: int) -> None:
    signed = over_the_wire(SIGNER.sign(RECEIPT))
    raw = bytearray(base64.urlsafe_b64decode(signed["signature"] + "=="))
    raw[byte] ^= 1 << bit
    signed["signature"] = base64.urlsafe_b64encode(raw).decode()
    with pytest.raises(SignatureError):
        verify(signed, Receipt, KEYS)


def test_a_receipt_does_not_pass_for_a_head_nor_a_head_for_a_receipt() -> None:
    with pytest.raises(SignatureError, match="another kind"):
        verify(SIGNER.sign(RECEIPT), SignedHead, KEYS)
    with pytest.raises(SignatureError, match="another kind"):
        verify(SIGNER.sign(HEAD), Receipt, KEYS)


def test_a_statement_of_another_key_is_refused_even_under_our_key_id() -> None:
    other = Signer.parse(base64.b64encode(bytes(32)).decode())
    with pytest.raises(SignatureError, match="unknown key"):
        verify(other.sign(RECEIPT), Receipt, KEYS)
    with pytest.raises(SignatureError, match="is not valid"):
        verify(other.sign(RECEIPT) | {"key_id": SIGNER.key_id}, Receipt, KEYS)


def test_receipts_of_a_retired_key_still_verify() -> None:
    other = Signer.parse(base64.b64encode(bytes(32)).decode())
    both = KEYS | {other.key_id: other.public_key}
    assert verify(other.sign(RECEIPT), Receipt, both) == verify(SIGNER.sign(RECEIPT), Receipt, both) == RECEIPT


@pytest.mark.parametrize(
    "signed",
    [
        {},
        {"body": {}, "key_id": "x"},
        {"body": [], "key_id": "x", "signature": "y"},
        {"body": {}, "key_id": next(iter(KEYS)), "signature": "!"},
        {"body": {"a": 0.5}, "key_id": next(iter(KEYS)), "signature": "AAAA"},
        SIGNER.sign(RECEIPT) | {"more": 1},
    ],
)
def test_what_is_no_signed_statement_is_refused(signed: dict[str, object]) -> None:
    with pytest.raises(SignatureError):
        verify(signed, Receipt, KEYS)


@pytest.mark.parametrize("text", ["", "AAAA", "!" * 44, SEED[:-4], SEED + "AAAA"])
def test_a_signing_key_of_another_size_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(SigningKeyError) as error:
        Signer.parse(text)
    assert not text or text not in "".join(traceback.format_exception(error.value))


def test_the_signer_does_not_show_its_key() -> None:
    assert SEED not in repr(SIGNER)
    assert bytes(range(32)).hex() not in repr(SIGNER)


def test_the_encoding_is_the_documented_one() -> None:
    signed = over_the_wire(SIGNER.sign(HEAD))
    hashed = f'"chain_hash":"{CHARGED.hash}"'
    content = f'{{"at":1700000001,"budget_id":"b",{hashed},"kind":"private-posterior head 1","sequence":2}}'
    key = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(SIGNER.public_key + "="))
    key.verify(base64.urlsafe_b64decode(signed["signature"] + "=="), content.encode())
