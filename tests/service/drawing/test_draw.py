"""A draw process draws paid orders only: an order with a part of another release fails before anything is decrypted."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from core.accounting.accountants import Accountant, Cost
from core.mechanisms.catalogue import AnyEvent, certify_unit
from core.mechanisms.exponential.calibration import calibrate_proven
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.linear import LinearAnswers
from core.mechanisms.margins import Margins
from core.privacy import Delta, Epsilon, Rate, Rho
from service.datasets import cipher
from service.datasets.cipher import KeyRing
from service.drawing.draw import FAILED, handle_order
from service.drawing.keys import DrawKeys
from tests.harness.orders import KEYS, RETIRED, RING, PaidDraw

COUNTS = [70, 20, 10]
N, M = sum(COUNTS), len(COUNTS)
EVENTS: dict[str, AnyEvent] = {
    "simplex_geometric": SimplexGeometric(N, M, Epsilon.parse("0.5")),
    "laplace": Laplace(N, M, Epsilon.parse("0.5")),
    "gaussian": Gaussian(N, M, Rho.parse("0.1"), Delta.parse("0.000001")),
    "linear": LinearAnswers(N, M, 1, ((1, 0, 0), (0, 1, -2)), (Rate.parse("0.1"), Rate.parse("0.05"))),
    "exponential": calibrate_proven(N, (1.0,) * M, Epsilon.parse("0.5"), Delta(0)),
}
CLOSED_FORMS = [name for name in EVENTS if name != "exponential"]


class CountedCipher:
    """The cipher of counts, with counters of its decryptions."""

    def __init__(self) -> None:
        self.asked = 0
        self.decrypted = 0

    def __call__(self, key: bytes) -> CountedCipher:
        self._cipher = AESGCM(key)
        return self

    def encrypt(self, nonce: bytes, counts: bytes, associated_data: bytes) -> bytes:
        return self._cipher.encrypt(nonce, counts, associated_data)

    def decrypt(self, nonce: bytes, ciphertext: bytes, associated_data: bytes) -> bytes:
        self.asked += 1
        counts = self._cipher.decrypt(nonce, ciphertext, associated_data)
        self.decrypted += 1
        return counts


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> CountedCipher:
    counting = CountedCipher()
    monkeypatch.setattr(cipher, "_cipher", counting)
    return counting


@pytest.mark.parametrize("accountant", list(Accountant))
@pytest.mark.parametrize("name", list(EVENTS))
def test_what_was_paid_for_is_drawn(name: str, accountant: Accountant, counted: CountedCipher) -> None:
    paid = PaidDraw(EVENTS[name], COUNTS, accountant=accountant)
    drawn = handle_order(paid.message, KEYS)["drawn"]
    assert counted.decrypted == 1
    if name == "linear":
        first, second = map(Fraction, drawn)
        assert abs(first - 70) < 1000
        assert abs(second) < 2000
    else:
        assert len(drawn["on_simplex"]) == M
        assert sum(drawn["on_simplex"]) == N


def test_a_release_that_an_earlier_version_charged_more_for_is_drawn() -> None:
    not_one = frozenset(each for each in product(range(2), repeat=3) if sum(each) != 1)
    losses = (Epsilon.parse("1"), Epsilon.parse("0.5"), Epsilon.parse("0.25"))
    event = Margins(N, (2, 2, 2), not_one, ((0,), (1,), (2,)), losses)
    now, of_all = certify_unit(event, 1), certify_unit(replace(event, n=None, impossible=frozenset()), 1)
    assert (now.loss.epsilon, of_all.loss.epsilon) == (Epsilon.parse("1.5"), Epsilon.parse("1.75"))
    dearer = replace(now, loss=of_all.loss)
    assert "drawn" in handle_order(PaidDraw(event, COUNTS, certificate=dearer).message, KEYS)
    cheaper = replace(now, loss=replace(now.loss, epsilon=Epsilon.parse("1.499999999")))
    assert handle_order(PaidDraw(event, COUNTS, certificate=cheaper).message, KEYS) == FAILED


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_units_of_several_records_are_drawn_for_the_loss_of_all_of_them(name: str) -> None:
    event = EVENTS[name]
    if isinstance(event, LinearAnswers):
        event = replace(event, records_per_unit=3)
    paid = PaidDraw(event, COUNTS, records_per_unit=3)
    assert "drawn" in handle_order(paid.message, KEYS)


def test_a_receipt_of_a_retired_key_is_drawn() -> None:
    assert "drawn" in handle_order(PaidDraw(EVENTS["laplace"], COUNTS, signer=RETIRED).message, KEYS)


def test_draws_differ() -> None:
    message = PaidDraw(Laplace(N, M, Epsilon.parse("0.001")), COUNTS).message
    assert len({json.dumps(handle_order(message, KEYS)) for _ in range(8)}) > 1


MINE = PaidDraw(EVENTS["laplace"], COUNTS)
DEARER = PaidDraw(Laplace(N, M, Epsilon.parse("2")), COUNTS, number=1)


def _respelt(**changes: Any) -> dict[str, Any]:
    """This release's order, with another spec of these fields."""
    return MINE.message | {"spec": json.dumps(json.loads(MINE.spec) | changes)}


def _orders_of_receipt(**changes: Any) -> dict[str, Any]:
    """This release's order, with other fields in the receipt's body."""
    receipt = MINE.receipt
    return MINE.message | {"receipt": receipt | {"body": receipt["body"] | changes}}


OTHERS: dict[str, Callable[[], dict[str, Any]]] = {
    "the spec": lambda: MINE.message | {"spec": DEARER.spec},
    "the receipt": lambda: MINE.message | {"receipt": DEARER.receipt},
    "spec and receipt": lambda: MINE.message | {"spec": DEARER.spec, "receipt": DEARER.receipt},
    "the event": lambda: _respelt(event=json.loads(DEARER.spec)["event"]),
    "the certificate": lambda: _respelt(certificate=json.loads(DEARER.spec)["certificate"]),
    "the records of a unit": lambda: _respelt(records_per_unit=2),
    "another spelling of the spec": lambda: MINE.message | {"spec": MINE.spec + " "},
    "the release id": lambda: MINE.message | {"release_id": DEARER.message["release_id"]},
    "the row of counts": lambda: MINE.message | {"counts": DEARER.message["counts"]},
    "the budget": lambda: _orders_of_receipt(budget_id="bud_1"),
    "the owner": lambda: _orders_of_receipt(owner_id="pri_1"),
    "the commitment": lambda: _orders_of_receipt(commitment="commitment 1"),
    "the accountant": lambda: _orders_of_receipt(accountant="zcdp"),
    "the amount": lambda: _orders_of_receipt(epsilon_units=2 * 10**9),
    "the key of the counts": lambda: MINE.message | {"counts": MINE.message["counts"] | {"key_id": "k9"}},
    "the key of the receipt": lambda: MINE.message | {"receipt": MINE.receipt | {"key_id": "0" * 16}},
    "nothing": dict,
    "a text in the place of the receipt": lambda: MINE.message | {"receipt": "paid"},
    "a damaged spec": lambda: MINE.message | {"spec": MINE.spec[:-1]},
}


@pytest.mark.parametrize("what", list(OTHERS))
def test_a_part_of_another_release_fails_before_anything_is_decrypted(what: str, counted: CountedCipher) -> None:
    assert handle_order(OTHERS[what](), KEYS) == FAILED
    assert counted.asked == 0


CHEAP = Cost(epsilon=Epsilon(1), rho=Rho(1))
SIGNED = {
    "an amount below the price": replace(MINE, amount=CHEAP),
    "an amount in the dimension of the other accountant": replace(MINE, amount=Cost(rho=Rho.parse("9"))),
    "a certificate of less than the event loses": replace(
        MINE, certificate=certify_unit(Laplace(N, M, Epsilon.parse("0.1")), 1)
    ),
    "a certificate of one record for a unit of two": replace(
        MINE,
        records_per_unit=2,
        certificate=certify_unit(EVENTS["laplace"], 1),
    ),
    "rows of one record for a unit of two": replace(MINE, event=EVENTS["linear"], records_per_unit=2),
}


@pytest.mark.parametrize("what", list(SIGNED))
def test_an_inconsistent_order_is_not_drawn_although_it_is_signed(what: str, counted: CountedCipher) -> None:
    assert handle_order(SIGNED[what].message, KEYS) == FAILED
    assert counted.asked == 0


FOREIGN = {
    "dataset_id": "dat_9",
    "commitment": "commitment 9",
    "budget_id": "bud_9",
    "owner_id": "pri_9",
    "accountant": "zcdp",
    "relation": "add_remove",
    "category_count": 4,
    "record_count": N + 1,
    "records_per_unit": 2,
}


@pytest.mark.parametrize("fact", list(FOREIGN))
def test_counts_that_were_encrypted_for_something_else_do_not_decrypt(fact: str, counted: CountedCipher) -> None:
    foreign = replace(MINE, changed_binding={fact: FOREIGN[fact]})
    assert handle_order(foreign.message, KEYS) == FAILED
    assert (counted.asked, counted.decrypted) == (1, 0)


def test_the_binding_covers_every_fact() -> None:
    assert {fact: getattr(MINE.binding, fact) for fact in FOREIGN}.keys() == set(MINE.binding.__slots__)


def test_another_key_under_the_same_id_does_not_decrypt(counted: CountedCipher) -> None:
    others = DrawKeys(KeyRing("k1", {"k1": bytes(32)}), KEYS.public_keys)
    assert handle_order(MINE.message, others) == FAILED
    assert (counted.asked, counted.decrypted) == (1, 0)


def test_counts_of_another_size_than_the_event_fail() -> None:
    wrong = replace(MINE, counts=[70, 20, 11], changed_binding={"record_count": N})
    assert handle_order(wrong.message, KEYS) == FAILED


def test_altered_ciphertext_fails(counted: CountedCipher) -> None:
    message = MINE.message
    ciphertext = bytearray(base64.b64decode(message["counts"]["ciphertext"]))
    ciphertext[-1] ^= 1
    message["counts"]["ciphertext"] = base64.b64encode(ciphertext).decode()
    assert handle_order(message, KEYS) == FAILED
    assert counted.decrypted == 0


def test_keys_come_through_the_pipe_as_they_were() -> None:
    assert DrawKeys.from_json(json.loads(json.dumps(KEYS.to_json()))) == KEYS
    assert "AAEC" not in repr(KEYS), "keys are not shown"


def test_counts_are_bound_to_what_the_format_says() -> None:
    stored = RING.encrypt(COUNTS, MINE.binding)
    associated = b'["private-posterior counts 1","dat_0","commitment 0","bud_0","pri_0","basic","replace_one",3,100,1]'
    assert MINE.binding.associated_data == associated
    nonce, sealed = stored.ciphertext[:12], stored.ciphertext[12:]
    plain = AESGCM(bytes(range(32))).decrypt(nonce, sealed, associated)
    assert [int.from_bytes(plain[at : at + 8], "big") for at in range(0, 24, 8)] == COUNTS
    with pytest.raises(InvalidTag):
        AESGCM(bytes(range(32))).decrypt(nonce, sealed, associated[:-2] + b"2]")
