"""Counts at rest: only the right key decrypts them, only with their own binding, and no error or representation
discloses them.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import traceback
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.datasets.cipher import (
    DecryptionError,
    EncryptedCounts,
    KeyRing,
    KeyRingError,
    commit,
    new_commitment_nonce,
)
from service.ledger.counts_binding import CountsBinding
from tests.harness.rows import assert_each

# Constants, since they name test cases and every worker has to collect the same ones.
OLD, NEW = (base64.b64encode(hashlib.sha256(name).digest()).decode() for name in (b"old", b"new"))
RING = KeyRing.parse(f"old:{OLD}")
ROTATED = KeyRing.parse(f"new:{NEW}, old:{OLD}")
D = CountsBinding("d", "commitment", "b", "o", "basic", "replace_one", 2, 3, 1)
counts = st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=20)


@given(counts, st.text(max_size=10).filter(str.isprintable))
def test_what_was_encrypted_decrypts_again(values: list[int], dataset_id: str) -> None:
    binding = replace(D, dataset_id=dataset_id)
    for ring in (RING, ROTATED):
        assert ring.decrypt(ring.encrypt(values, binding), binding) == values


def test_the_first_key_encrypts_and_every_key_decrypts() -> None:
    assert ROTATED.encrypt([1, 2], D).key_id == "new"
    assert ROTATED.decrypt(RING.encrypt([1, 2], D), D) == [1, 2]


def test_the_length_tells_the_number_of_categories_only() -> None:
    lengths = {len(RING.encrypt(each, D).ciphertext) for each in ([0, 0], [2**63 - 1, 10**12])}
    assert lengths == {12 + 16 + 16}


def test_the_same_counts_never_look_the_same_twice() -> None:
    assert len({RING.encrypt([3, 4], D).ciphertext for _ in range(1000)}) == 1000
    assert len({RING.encrypt([3, 4], D).ciphertext[:12] for _ in range(1000)}) == 1000


@pytest.mark.parametrize("fact", [field.name for field in fields(CountsBinding)])
def test_counts_do_not_decrypt_for_anything_else(fact: str) -> None:
    value = getattr(D, fact)
    changed: Any = value + 1 if isinstance(value, int) else value + "x"
    other = replace(D, **{fact: changed})
    with pytest.raises(DecryptionError):
        RING.decrypt(RING.encrypt([1, 2], D), other)
    with pytest.raises(DecryptionError):
        RING.check(RING.encrypt([1, 2], D), other)


def test_a_row_with_any_bit_changed_does_not_decrypt() -> None:
    assert_each(range(0, 44 * 8, 7), assert_changed_bit_refused)


def assert_changed_bit_refused(bit: int) -> None:
    altered = bytearray(RING.encrypt([1, 2], D).ciphertext)
    altered[bit // 8] ^= 1 << bit % 8
    with pytest.raises(DecryptionError):
        RING.decrypt(EncryptedCounts("old", bytes(altered)), D)


@pytest.mark.parametrize("length", [0, 5, 12, 27, 43])
def test_a_row_that_was_cut_does_not_decrypt(length: int) -> None:
    with pytest.raises(DecryptionError):
        RING.decrypt(EncryptedCounts("old", RING.encrypt([1, 2], D).ciphertext[:length]), D)


def test_a_key_that_left_the_ring_decrypts_nothing() -> None:
    with pytest.raises(DecryptionError, match="not in the ring"):
        RING.decrypt(ROTATED.encrypt([1, 2], D), D)


@pytest.mark.parametrize("key_id", ["plaintext", "old"])
def test_readable_counts_do_not_decrypt(key_id: str) -> None:
    with pytest.raises(DecryptionError):
        RING.decrypt(EncryptedCounts(key_id, bytes(16)), D)


def test_rotation_moves_a_row_to_the_current_key_and_can_be_repeated() -> None:
    rotated = ROTATED.rotate(RING.encrypt([5, 6], D), D)
    assert rotated.key_id == "new"
    assert ROTATED.rotate(rotated, D) is rotated
    assert ROTATED.decrypt(rotated, D) == [5, 6]


def test_no_error_and_no_representation_shows_a_key_or_what_was_read() -> None:
    stored = RING.encrypt([424242], D)
    shown = repr(stored) + repr(RING)
    for ring, row, budget in ((RING, stored, "e"), (ROTATED, EncryptedCounts("gone", stored.ciphertext), "b")):
        try:
            ring.decrypt(row, replace(D, budget_id=budget))
        except DecryptionError as error:
            shown += "".join(traceback.format_exception(error))
    key = base64.b64decode(OLD)
    for secret in (OLD, key.hex(), repr(key)[2:-1], repr(stored.ciphertext)[2:-1], stored.ciphertext.hex(), "424242"):
        assert secret not in shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        " , ",
        "old",
        "old:",
        "old:AAAA",
        f":{OLD}",
        f"a:{OLD},a:{NEW}",
        f"a b:{OLD}",
        "old:" + "!" * 44,
    ],
)
def test_a_ring_that_cannot_be_used_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(KeyRingError) as error:
        KeyRing.parse(text)
    assert OLD not in "".join(traceback.format_exception(error.value))


def test_keys_are_read_in_either_base64_alphabet() -> None:
    key = bytes(range(224, 256))
    standard, urlsafe = base64.b64encode(key).decode(), base64.urlsafe_b64encode(key).decode()
    assert standard != urlsafe
    assert KeyRing.parse(f"k:{standard}") == KeyRing.parse(f"k:{urlsafe}")


def test_the_commitment_is_the_documented_one() -> None:
    content = '["private-posterior commitment 1","' + "00" * 32 + '",["a","b"],[1,2]]'
    assert commit(bytes(32), ["a", "b"], [1, 2]) == hashlib.sha256(content.encode()).hexdigest()


def test_commitments_to_different_things_differ() -> None:
    nonces = [bytes(32), new_commitment_nonce()]
    labels = [["a", "b"], ["b", "a"], ["ab", ""], ["a,b"]]
    values = [[1, 2], [2, 1], [12], [1, 2, 0]]
    made = {commit(*content) for content in itertools.product(nonces, labels, values)}
    assert len(made) == 2 * 4 * 4
