"""The test vectors, read and made again by a second implementation: docs/reference/formats.md, hashlib, json, and the
primitives of cryptography. No code of the project is used here.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import math
import re
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

VECTORS = Path(__file__).parent / "vectors"
PAGE = (Path(__file__).parent.parent / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")


def read(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def netstrings(*values: str | int) -> bytes:
    encoded = [str(value).encode("utf-8") for value in values]
    return b"".join(str(len(each)).encode() + b":" + each + b"," for each in encoded)


def unpadded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def sign(body: dict[str, Any], seed: bytes) -> dict[str, Any]:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    key_id = sha256(key.public_key().public_bytes_raw())[:16]
    return {"body": body, "key_id": key_id, "signature": unpadded(key.sign(canonical(body)))}


def check(signed: dict[str, Any], public_key: str) -> None:
    raw = base64.urlsafe_b64decode(public_key + "=")
    assert sha256(raw)[:16] == signed["key_id"]
    signature = base64.urlsafe_b64decode(signed["signature"] + "==")
    Ed25519PublicKey.from_public_bytes(raw).verify(signature, canonical(signed["body"]))


def units(text: str, digits: int) -> int:
    return int(Decimal(text).scaleb(digits))


def entry_bytes(entry: dict[str, Any]) -> bytes:
    names = ("previous_hash", "budget_id", "sequence", "kind", "epsilon", "delta", "rho")
    last = ("principal_id", "subject_id", "detail", "created_at")
    return netstrings("private-posterior ledger entry 1", *(entry[name] for name in (*names, *last)))


@pytest.mark.parametrize("vector", read("canonical_json.json"), ids=lambda vector: ascii(vector["text"]))
def test_canonical_json_has_one_spelling(vector: dict[str, Any]) -> None:
    assert canonical(vector["value"]).decode() == vector["text"]


def test_hashes_are_computed_again() -> None:
    found = read("hashes.json")
    assert netstrings(*found["netstrings"]["values"]).hex() == found["netstrings"]["bytes"]
    for name, marker, owner in (
        ("genesis", "private-posterior ledger genesis 1", "budget_id"),
        ("principal_genesis", "private-posterior principal genesis 1", "principal_id"),
    ):
        assert sha256(netstrings(marker, found[name][owner])) == found[name]["hash"]
    key = found["idempotency_key"]
    named = ["private-posterior idempotency key 1", key["principal_id"], key["idempotency_key"]]
    assert sha256(canonical(named)) == key["hash"]
    commitment = found["commitment"]
    content = ["private-posterior commitment 1", commitment["nonce"], commitment["labels"], commitment["counts"]]
    assert sha256(canonical(content)) == commitment["hash"]
    payload = found["payload"]
    assert sha256(json.dumps([payload["dataset_id"], payload["request"]], sort_keys=True).encode()) == payload["hash"]
    for name in ("spec", "measured"):
        assert sha256(found[name]["text"].encode()) == found[name]["hash"]
    assert canonical(json.loads(found["measured"]["text"])).decode() == found["measured"]["text"]


def test_the_chain_is_computed_again() -> None:
    head = sha256(netstrings("private-posterior ledger genesis 1", read("hashes.json")["genesis"]["budget_id"]))
    for number, vector in enumerate(read("entries.json") + read("later_entries.json"), start=1):
        columns = vector["columns"]
        assert (columns["sequence"], columns["previous_hash"]) == (number, head)
        assert entry_bytes(columns).hex() == vector["bytes"]
        assert sha256(entry_bytes(columns)) == columns["hash"]
        assert canonical(json.loads(columns["detail"])).decode() == columns["detail"]
        head = columns["hash"]


def test_an_export_is_the_chain_in_other_words() -> None:
    *lines, end = map(json.loads, (VECTORS / "ledger.jsonl").read_text(encoding="utf-8").splitlines())
    stored = [vector["columns"] for vector in read("entries.json")]
    for line, columns in zip(lines, stored, strict=True):
        moment = datetime.strptime(line["created_at"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        again = {
            **{name: line[name] for name in columns if name in line},
            "epsilon": units(line["amount"]["epsilon"], 9),
            "delta": units(line["amount"]["delta"], 18),
            "rho": 0,
            "detail": canonical(line["detail"]).decode(),
            "created_at": int(moment.timestamp()),
        }
        assert again == columns
    check(end, read("signatures.json")["public_key"])
    assert (end["body"]["sequence"], end["body"]["chain_hash"]) == (len(lines), stored[-1]["hash"])


def test_the_chain_of_a_principal_is_computed_again() -> None:
    head = read("hashes.json")["principal_genesis"]["hash"]
    names = ("principal_id", "sequence", "kind", "actor_id", "subject_id", "detail", "created_at")
    for entry in read("principal_entries.json"):
        assert entry["previous_hash"] == head
        content = netstrings("private-posterior principal entry 1", head, *(entry[name] for name in names))
        head = sha256(content)
        assert head == entry["hash"]


def test_the_rows_of_keys_tokens_and_codes_are_hashed_again() -> None:
    for found in read("secret_rows.json"):
        assert sha256(canonical(["private-posterior secret 1", found["row"]])) == found["hash"]


def signed_objects() -> list[dict[str, Any]]:
    found = read("signatures.json")
    return [*found["receipts"], found["head"], found["release_signature"]]


@pytest.mark.parametrize("signed", signed_objects(), ids=lambda signed: signed["body"]["kind"])
def test_signatures_are_made_again_and_cover_every_field(signed: dict[str, Any]) -> None:
    found = read("signatures.json")
    assert sign(signed["body"], bytes.fromhex(found["seed"])) == signed
    check(signed, found["public_key"])
    for name, value in signed["body"].items():
        other = signed["body"] | {name: value + 1 if isinstance(value, int) else f"{value}x"}
        with pytest.raises(InvalidSignature):
            check(signed | {"body": other}, found["public_key"])


def test_a_receipt_is_made_from_its_entry() -> None:
    found = read("signatures.json")
    stored = {vector["columns"]["subject_id"]: vector["columns"] for vector in read("entries.json")[9:12]}
    for receipt in found["receipts"]:
        body = receipt["body"]
        entry = stored[body["release_id"]]
        detail = json.loads(entry["detail"])
        amount = detail.get("alone", [entry["epsilon"], entry["delta"], entry["rho"]])
        copied = ("dataset_id", "grant_id", "owner_id", "commitment", "spec_sha256", "key_hash", "payload_hash")
        assert body == {
            "kind": "private-posterior receipt 1",
            "accountant": "basic",
            "release_id": entry["subject_id"],
            "chain_hash": entry["hash"],
            "at": entry["created_at"],
            **{name: entry[name] for name in ("budget_id", "sequence", "principal_id")},
            **{name: detail.get(name, "") for name in copied},
            **dict(zip(("epsilon_units", "delta_units", "rho_units"), amount, strict=True)),
        }


def test_a_public_release_is_signed_once() -> None:
    text, found = (VECTORS / "public_release.json").read_bytes(), read("signatures.json")
    signature = json.loads(text)["signature"]
    end = b',"signature":' + canonical(signature) + b"}"
    assert text.endswith(end)
    signed = text.removesuffix(end)
    check(signature, found["public_key"])
    document = json.loads(signed + b"}")
    expected = {
        "kind": "private-posterior release signature 1",
        "release_id": document["id"],
        "sha256": sha256(signed + b"}"),
    }
    assert sign(expected, bytes.fromhex(found["seed"])) == signature
    answered = read("release.json")
    private = {"principal_id", "remaining_after", "receipt"}
    assert document == {name: part for name, part in answered.items() if name not in private}
    assert answered["receipt"] == found["receipts"][0]


def test_stored_texts_are_signed_as_the_page_says() -> None:
    found, stored = read("signatures.json"), read("stored.json")
    hashed = {
        "private-posterior outcome 1": [
            (
                row,
                {
                    "release_id": row["id"],
                    "drawn_sha256": sha256(row["drawn"].encode()),
                    "answer_sha256": "" if row["result"] is None else sha256(row["result"].encode()),
                },
            )
            for row in stored["outcomes"]
        ],
        "private-posterior job 1": [
            (
                row,
                {
                    "job_id": row["id"],
                    "computation": row["kind"],
                    "input_sha256": sha256(row["input"].encode()),
                    "outcome_sha256": ""
                    if row["state"] == "pending"
                    else sha256(f"{row['state']} {row['result'] or row['problem']}".encode()),
                }
                | {name: row[name] for name in ("principal_id", "key")},
            )
            for row in stored["jobs"]
        ],
    }
    for kind, rows in hashed.items():
        for row, body in rows:
            assert sign({"kind": kind} | body, bytes.fromhex(found["seed"])) == json.loads(row["signature"])


def test_a_release_says_what_was_paid_for() -> None:
    release, spec = read("release.json"), json.loads(read("hashes.json")["spec"]["text"])
    assert release["receipt"]["body"]["spec_sha256"] == read("hashes.json")["spec"]["hash"]
    assert release["event"] == spec["event"]
    assert {**release["certificate"], "unit": ""} == {**spec["certificate"], "unit": ""}


def test_the_description_of_a_data_set_is_hashed_again() -> None:
    found = read("description.json")
    content = ["private-posterior description 1", found["labels"], found["attributes"], found["unit"]]
    assert sha256(canonical(content)) == found["hash"]


def test_counts_are_encrypted_again_for_what_they_stand_for() -> None:
    found = read("encrypted_counts.json")
    order = (
        "dataset_id", "commitment", "budget_id", "owner_id", "accountant", "relation", "category_count", "record_count",
        "records_per_unit",
    )  # fmt: skip
    data = canonical(["private-posterior counts 1", *(found["binding"][name] for name in order)])
    assert data.decode() == found["associated_data"]
    assert set(order) == found["binding"].keys()
    cipher, stored = AESGCM(bytes.fromhex(found["key"])), bytes.fromhex(found["ciphertext"])
    plain = b"".join(count.to_bytes(8, "big") for count in found["counts"])
    assert cipher.decrypt(stored[:12], stored[12:], data) == plain
    assert stored[:12] + cipher.encrypt(stored[:12], plain, data) == stored
    with pytest.raises(InvalidTag):
        cipher.decrypt(stored[:12], stored[12:], data.replace(b"replace_one", b"add_remove"))


def test_events_at_a_private_number_of_records_have_the_stated_loss() -> None:
    """The ρ of geometric and Laplace noise follows from the formulas of docs/explanation/accounting.md at order 1."""
    *releases, _ = read("private_size.json")
    for each in releases:
        event, loss = each["event"], each["loss"]
        assert "n" not in event
        assert json.loads(each["associated_data"])[6:] == ["add_remove", event["m"], None, event["records_per_unit"]]
        if event["law"] == "gaussian":
            assert (loss["rho"], loss["delta"]) == (event["rho"], event["delta"])
            continue
        assert (loss["epsilon"], loss["delta"]) == (event["epsilon"], "0")
        epsilon = float(event["epsilon"])
        h = epsilon / event["records_per_unit"]
        slope = h / math.sinh(h) if event["law"] == "geometric" else h / 2 / math.tanh(h / 2)
        assert float(loss["rho"]) == pytest.approx(epsilon - slope * (1 - math.exp(-epsilon)), abs=2e-12)


def test_rows_at_a_private_number_of_records_cost_what_they_tell_about_the_worst_cell() -> None:
    found = read("private_size.json")[-1]
    event, loss, rows = found["event"], found["loss"], json.loads(found["measured"]["text"])
    assert event["n"] is None
    assert json.loads(found["associated_data"])[6:] == ["add_remove", event["m"], None, event["records_per_unit"]]
    assert sha256(found["measured"]["text"].encode()) == found["measured"]["hash"]
    assert canonical(rows).decode() == found["measured"]["text"]
    assert all((row["relation"], row["records"]) == ("add_remove", 2) for row in rows)
    shifts = [[2 * float(row["rate"]) * abs(h) / row["denominator"] for h in row["coefficients"]] for row in rows]
    cells = list(zip(*shifts, strict=True))
    assert float(loss["epsilon"]) == pytest.approx(max(map(sum, cells)), abs=1e-9)
    assert float(loss["rho"]) == pytest.approx(max(sum(x - 1 + math.exp(-x) for x in cell) for cell in cells), abs=1e-9)


def in_units(name: str, value: Any) -> Any:
    digits = {"epsilon": 9, "nominal_epsilon": 9, "delta": 18, "rho": 12}.get(name)
    whole = r"\d{1,18}(\.\d{1,40})?([eE][+-]?\d{1,2})?"
    if digits is None or isinstance(value, bool) or not re.fullmatch(whole, str(value)):
        return value
    numerator, denominator = Decimal(str(value)).as_integer_ratio()
    return numerator * 10**digits // denominator


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_nulls(part) for name, part in value.items() if part is not None}
    if isinstance(value, list):
        return [without_nulls(part) for part in value]
    if isinstance(value, float):
        return int(value) if value == int(value) else format(Decimal(repr(value)), "f")
    return value


def test_keys_are_made_from_requests_again() -> None:
    groups = read("request_keys.json")
    for group in groups:
        for request in group["requests"]:
            left_out = {"level", "max_charge"} if group["kind"] == "release" else set()
            body = {name: part for name, part in request.items() if name not in left_out}
            if group["kind"] == "margins":
                body = {name: in_units(name, part) for name, part in body.items()}
            for place in {"mechanism", "max_charge"} & body.keys():
                body[place] = {name: in_units(name, part) for name, part in body[place].items()}
            content = ["private-posterior request key 1", group["kind"], group["dataset_id"], without_nulls(body)]
            assert f"request-{sha256(canonical(content))}" == group["key"]
    assert len({group["key"] for group in groups}) == len(groups)


def test_the_noise_of_blocks_has_the_widths_of_a_direct_sum() -> None:
    """P(z) ∝ e^(−rate max ½Σ|z|) over the vectors of sum 0 on the reached labels of each margin of a block."""
    vector = read("blocks.json")
    event = vector["event"]
    assert vector["rates"] == [str(Fraction(each) / event["records_per_unit"]) for each in event["epsilons"]]
    assert Fraction(vector["loss"]) == sum(map(Fraction, event["epsilons"]))
    impossible = {tuple(each) for each in event["impossible"]}
    possible = [each for each in itertools.product(*map(range, event["levels"])) if each not in impossible]
    found = []
    for block, rate in zip(event["blocks"], map(float, map(Fraction, vector["rates"])), strict=True):
        labels = [len({tuple(cell[a] for a in margin) for cell in possible}) for margin in block]
        assert set(labels) <= {2, 3}
        r = np.arange(int(60 / rate))
        # A shell of size r > 0 has 2 vectors of two labels, and 6 r of three.
        shells = [np.where(r == 0, 1, 2 if k == 2 else 6 * r).astype(float) for k in labels]
        for place, k in enumerate(labels):
            others = np.prod([np.cumsum(each) for i, each in enumerate(shells) if i != place], axis=0) * np.ones(r.size)
            # The largest size is that of this margin, or more: sum over it.
            at_least = np.exp(-rate * r) * others
            tails = np.cumsum((at_least * (1 - math.exp(-rate)))[::-1])[::-1] if len(labels) > 1 else np.exp(-rate * r)
            law = np.zeros(r.size)
            for t in r[: int(30 / rate)]:
                # Two labels: (t, −t). Three: first t, the second from 0 to −t has size t, each one further is one more.
                sizes = [t] if k == 2 else [t] * (t + 1) + [s for s in range(t + 1, r.size) for _ in range(2)]
                law[t] = (1 if t == 0 else 2) * tails[sizes].sum()
            law /= law.sum()
            found.append((float((r**2 * law).sum()) ** 0.5, int(np.searchsorted(np.cumsum(law), 0.95))))
    assert [width for _, width in found] == vector["half_widths"]
    assert [each for each, _ in found] == pytest.approx(vector["standard_deviations"], rel=1e-6)


def test_margins_are_combined_again_by_dense_least_squares() -> None:
    """The table of 2 × 3 cells that is nearest to the noisy counts, weighted by their variances, and sums to n."""
    vector = read("margins.json")
    event, k = vector["event"], vector["event"]["records_per_unit"]
    rates = [Fraction(loss) / (2 * k) for loss in event["losses"]]
    assert vector["noise_parameters"] == [str(rate) for rate in rates]
    assert Fraction(vector["loss"]) == sum(map(Fraction, event["losses"]))
    cells = list(itertools.product(*(range(size) for size in event["levels"])))

    def rows_of(margin: list[int]) -> np.ndarray[Any, Any]:
        wanted = itertools.product(*(range(event["levels"][each]) for each in margin))
        return np.array([[float([cell[each] for each in margin] == list(one)) for cell in cells] for one in wanted])

    rows = np.vstack([rows_of(margin) for margin in event["margins"]])
    # P(z) ∝ e^(−rate |z|) has the variance 1 / (2 sinh²(rate / 2)).
    weights = np.concatenate(
        [
            np.full(len(noisy), 2 * math.sinh(rate / 2) ** 2)
            for rate, noisy in zip(rates, vector["noisy_counts"], strict=True)
        ]
    )
    answers = np.concatenate([np.array(each, dtype=float) for each in vector["noisy_counts"]])
    ones = np.ones((1, len(cells)))
    system = np.block([[rows.T * weights @ rows, ones.T], [ones, np.zeros((1, 1))]])
    inverse = np.linalg.inv(system)
    table = (inverse @ np.append(rows.T @ (weights * answers), event["n"]))[: len(cells)]
    for each in vector["tables"]:
        of = rows_of(each["attributes"])
        unreachable = [
            all(list(cell) in event["impossible"] for cell, inside in zip(cells, row, strict=True) if inside)
            for row in of
        ]
        estimates = np.where(unreachable, 0.0, of @ table)
        np.testing.assert_allclose(each["estimates"], estimates, atol=1e-8)
        deviation = math.sqrt((of @ inverse[: len(cells), : len(cells)] @ of.T)[0, 0])
        assert each["standard_deviation"] == pytest.approx(deviation, abs=1e-8)


def documented_details() -> dict[str, set[str]]:
    """The members of each kind's detail, by the page."""
    table = PAGE.partition("## Kinds of entries")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|[^|]*\|([^|]*)\|", table, re.MULTILINE)
    return {kind: set(re.findall(r"`(\w+)`", detail)) for kind, detail in rows}


def test_the_page_names_every_kind_and_every_member_of_its_detail() -> None:
    documented, of_the_actor = documented_details(), {"api_key_id", "principal_head"}
    found: dict[str, set[str]] = {}
    for vector in read("entries.json") + read("later_entries.json"):
        columns = vector["columns"]
        found.setdefault(columns["kind"], set()).update(json.loads(columns["detail"]).keys() - of_the_actor)
    assert documented.keys() == found.keys()
    for kind, members in found.items():
        assert members <= documented[kind], kind


def test_the_page_names_every_file_of_vectors() -> None:
    assert set(re.findall(r"`([\w.]+\.jsonl?)`", PAGE)) >= {path.name for path in VECTORS.iterdir()}
