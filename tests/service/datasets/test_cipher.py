"""Counts at rest: only the right key opens them, only for their data set, and nothing tells of them."""

from __future__ import annotations

import base64
import hashlib
import itertools
import traceback
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.datasets.cipher import KeyRing, KeyRingError, SealedCounts, SealedCountsError, commit, new_commitment_nonce

# Constants, since they name test cases and every worker has to collect the same ones.
OLD, NEW = (base64.b64encode(hashlib.sha256(name).digest()).decode() for name in (b"old", b"new"))
RING = KeyRing.parse(f"old:{OLD}")
ROTATED = KeyRing.parse(f"new:{NEW}, old:{OLD}")
C = "commitment"
counts = st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=20)


@given(counts, st.text(max_size=10).filter(str.isprintable))
def test_what_was_sealed_opens_again(values: list[int], dataset_id: str) -> None:
    for ring in (RING, ROTATED):
        assert ring.open(ring.seal(values, dataset_id, C), dataset_id) == values


def test_the_first_key_seals_and_every_key_opens() -> None:
    assert ROTATED.seal([1, 2], "d", C).key_id == "new"
    assert ROTATED.open(RING.seal([1, 2], "d", C), "d") == [1, 2]


def test_the_length_tells_the_number_of_categories_only() -> None:
    assert len(RING.seal([0, 0], "d", C).sealed) == len(RING.seal([2**63 - 1, 10**12], "d", C).sealed) == 12 + 16 + 16


def test_the_same_counts_never_look_the_same_twice() -> None:
    assert len({RING.seal([3, 4], "d", C).sealed for _ in range(1000)}) == 1000
    assert len({RING.seal([3, 4], "d", C).sealed[:12] for _ in range(1000)}) == 1000


def test_counts_do_not_open_for_another_data_set() -> None:
    with pytest.raises(SealedCountsError):
        RING.open(RING.seal([1, 2], "d1", C), "d2")


def test_counts_that_were_replaced_do_not_open_for_what_replaced_them() -> None:
    old = RING.seal([1, 2], "d", "before")
    with pytest.raises(SealedCountsError):
        RING.open(replace(old, commitment="after"), "d")


@pytest.mark.parametrize("bit", range(0, 44 * 8, 7))
def test_a_row_with_any_bit_changed_does_not_open(bit: int) -> None:
    stored = RING.seal([1, 2], "d", C)
    altered = bytearray(stored.sealed)
    altered[bit // 8] ^= 1 << bit % 8
    with pytest.raises(SealedCountsError):
        RING.open(SealedCounts("old", bytes(altered), C), "d")


@pytest.mark.parametrize("length", [0, 5, 12, 27, 43])
def test_a_row_that_was_cut_does_not_open(length: int) -> None:
    with pytest.raises(SealedCountsError):
        RING.open(SealedCounts("old", RING.seal([1, 2], "d", C).sealed[:length], C), "d")


def test_a_key_that_left_the_ring_opens_nothing() -> None:
    with pytest.raises(SealedCountsError, match="not in the ring"):
        RING.open(ROTATED.seal([1, 2], "d", C), "d")


@pytest.mark.parametrize("key_id", ["plaintext", "old"])
def test_readable_counts_do_not_open(key_id: str) -> None:
    with pytest.raises(SealedCountsError):
        RING.open(SealedCounts(key_id, bytes(16), C), "d")


def test_rotation_moves_a_row_to_the_current_key_and_can_be_repeated() -> None:
    rotated = ROTATED.rotate(RING.seal([5, 6], "d", C), "d")
    assert rotated.key_id == "new"
    assert ROTATED.rotate(rotated, "d") is rotated
    assert ROTATED.open(rotated, "d") == [5, 6]


def test_no_error_and_no_representation_shows_a_key_or_what_was_read() -> None:
    stored = RING.seal([424242], "d", C)
    shown = repr(stored) + repr(RING)
    for ring, row, dataset in ((RING, stored, "e"), (ROTATED, SealedCounts("gone", stored.sealed, C), "d")):
        try:
            ring.open(row, dataset)
        except SealedCountsError as error:
            shown += "".join(traceback.format_exception(error))
    key = base64.b64decode(OLD)
    for secret in (OLD, key.hex(), repr(key)[2:-1], repr(stored.sealed)[2:-1], stored.sealed.hex(), "424242"):
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
