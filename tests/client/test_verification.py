"""The client's verifier reads the vectors, names each altered row, and agrees with a running service."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from private_posterior.commands.exits import Exit
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import (
    HEAD,
    RECEIPT,
    UnreadableError,
    VerificationError,
    key_id_of,
    keys_in,
    verify_release,
    verify_signed,
)
from private_posterior.verification.texts import NOT_BOUND
from tests.client.people import someone
from tests.harness.bodies import querying, registration
from tests.test_formats import netstrings, sign

if TYPE_CHECKING:
    from tests.harness.server import Server
    from tests.service.conftest import Study

VECTORS = Path(__file__).parent.parent / "vectors"
SIGNED = json.loads((VECTORS / "signatures.json").read_text())
SEED = bytes.fromhex(SIGNED["seed"])
KEYS = {SIGNED["key_id"]: SIGNED["public_key"]}
EXPORT = (VECTORS / "ledger.jsonl").read_bytes()
LINES: list[dict[str, Any]] = [json.loads(line) for line in EXPORT.splitlines()]
RELEASE: dict[str, Any] = json.loads((VECTORS / "release.json").read_text())
CHARGED = 9
"""The index of the line that charges `RELEASE`."""


def export_of(lines: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def copied() -> list[dict[str, Any]]:
    copy: list[dict[str, Any]] = json.loads(json.dumps(LINES))
    return copy


def chained_again(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries with consistent hashes and a signed head, as a service produces them that rewrites its ledger."""
    *entries, end = lines
    previous = LINES[0]["previous_hash"]
    digits = {"epsilon": 9, "delta": 18}
    for number, line in enumerate(entries, start=1):
        amount = [round(float(line["amount"][name]) * 10 ** digits[name]) for name in ("epsilon", "delta")]
        detail = json.dumps(line["detail"], sort_keys=True, separators=(",", ":"))
        instant = 1_790_000_000 + number - 1
        line |= {"previous_hash": previous, "sequence": number}
        content = netstrings(
            "private-posterior ledger entry 1", previous, line["budget_id"], number, line["kind"], *amount, 0,
            line["principal_id"], line["subject_id"], detail, instant,
        )  # fmt: skip
        previous = line["hash"] = hashlib.sha256(content).hexdigest()
    body = end["body"] | {"sequence": len(entries), "chain_hash": previous}
    return [*entries, sign(body, SEED)]


def test_the_vectors_verify() -> None:
    ledger = verify_ledger(EXPORT, KEYS, [SIGNED["head"]])
    assert str(ledger).startswith(f"budget {ledger.budget_id}: intact, 28 entries, spent epsilon 0.975 of epsilon 3")
    for receipt in SIGNED["receipts"]:
        ledger.require_receipt(verify_signed(receipt, RECEIPT, KEYS))
    assert verify_release((VECTORS / "public_release.json").read_bytes(), KEYS)["id"] == RELEASE["id"]
    assert keys_in(SIGNED["public_key"]) == KEYS
    assert key_id_of(SIGNED["public_key"]) == SIGNED["key_id"]


def test_chaining_again_changes_nothing_of_what_was_written() -> None:
    assert chained_again(copied()) == LINES


@pytest.mark.parametrize("number", range(len(LINES) - 1))
def test_each_changed_line_is_named(number: int) -> None:
    changes: list[dict[str, Any]] = [
        {"principal_id": "pri_x"},
        {"subject_id": "x"},
        {"detail": {}},
        {"kind": "written_off"},
    ]
    for change in changes:
        lines = copied()
        if all(lines[number][name] == value for name, value in change.items()):
            continue
        lines[number] |= change
        with pytest.raises(VerificationError, match=f"^entry {number + 1} does not have the hash of its content"):
            verify_ledger(export_of(lines), KEYS)


def test_lost_swapped_and_cut_lines_are_named() -> None:
    with pytest.raises(VerificationError, match="entry 5 is missing or out of order"):
        verify_ledger(export_of(LINES[:4] + LINES[5:]), KEYS)
    with pytest.raises(VerificationError, match="entry 3 is missing or out of order"):
        verify_ledger(export_of([*LINES[:2], LINES[3], LINES[2], *LINES[4:]]), KEYS)
    with pytest.raises(VerificationError, match="the ledger ends before its signed head"):
        verify_ledger(export_of([*LINES[:-2], LINES[-1]]), KEYS)


def _detail(number: int, **changes: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda lines: lines[number]["detail"].update(changes)


def _amount(number: int, epsilon: str) -> Callable[[list[dict[str, Any]]], None]:
    return lambda lines: lines[number]["amount"].update(epsilon=epsilon)


def _kind(number: int, kind: str) -> Callable[[list[dict[str, Any]]], None]:
    return lambda lines: lines[number].update(kind=kind)


REWRITTEN = {
    "a foreign commitment": (_detail(9, commitment="11" * 32), "entry 10 names a foreign commitment"),
    "the owner": (_detail(9, owner_id="pri_x"), "entry 10 names another owner"),
    "the data set": (_detail(9, dataset_id="dat_x"), "entry 10 charges a release from a data set that was not there"),
    "the price, above the limit": (_amount(9, "5"), "entry 10 spends more than the budget allows"),
    "the price, above the cap": (_amount(9, "1.5"), "entry 10 spends more than the grant allows"),
    "the grant": (_detail(9, grant_id="gra_x"), "entry 10 is charged to a grant that was not open"),
    "a grant that stays closed": (_kind(7, "history_shared"), "entry 10 is charged to a grant that was not open"),
    "a frozen budget": (_kind(8, "budget_frozen"), "entry 10 is charged while the budget was frozen"),
    "the limit": (_amount(17, "0.5"), "entry 18 spends more than the budget allows"),
    "what queries cost alone": (_detail(11, alone=[1]), "entry 12 charges queries without the member alone"),
    "what a receipt says": (_amount(21, "0.01"), "entry 22 does not charge what its receipt says"),
    "a receipt of nobody": (_detail(21, receipt={}), "entry 22 charges a receipt again, but"),
    "a kind": (_kind(8, "budget_emptied"), "entry 9 is of a kind that this version does not know"),
    "a second opening": (_kind(3, "budget_opened"), "entry 4 is wrong: a budget is opened once"),
    "the opening": (_kind(0, "budget_changed"), "entry 1 is wrong: a budget is opened once"),
    "a release charged twice": (
        lambda lines: lines[11].update(subject_id=RELEASE["id"]), "entry 12 charges a release a second time",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REWRITTEN)
def test_a_ledger_that_its_service_rewrote_is_named_by_what_it_contradicts(what: str) -> None:
    change, words = REWRITTEN[what]
    lines = copied()
    change(lines)
    with pytest.raises(VerificationError, match=f"^{words}"):
        verify_ledger(export_of(chained_again(lines)), KEYS)


def test_a_ledger_that_was_rewritten_as_a_whole_differs_from_the_head_kept_before() -> None:
    lines = copied()
    lines[15]["detail"]["name"] = "another"
    rewritten = export_of(chained_again(lines))
    verify_ledger(rewritten, KEYS)
    with pytest.raises(VerificationError, match=r"the ledger differs from the head kept at entry 28.* restored from a"):
        verify_ledger(rewritten, KEYS, [SIGNED["head"]])
    before = sign(SIGNED["head"]["body"] | {"sequence": 10, "chain_hash": "22" * 32}, SEED)
    with pytest.raises(VerificationError, match="the ledger differs from the head kept at entry 10: it was cut"):
        verify_ledger(EXPORT, KEYS, [before])


def test_an_unsigned_statement_is_refused() -> None:
    stranger = Ed25519PrivateKey.from_private_bytes(bytes(32)).private_bytes_raw()
    with pytest.raises(VerificationError, match="a key that the service does not have"):
        verify_ledger(export_of([*LINES[:-1], sign(LINES[-1]["body"], stranger)]), KEYS)
    with pytest.raises(VerificationError, match="signature is not valid"):
        verify_ledger(export_of([*LINES[:-1], LINES[-1] | {"signature": "AA"}]), KEYS)
    with pytest.raises(VerificationError, match="signature is that of another kind"):
        verify_signed(SIGNED["receipts"][0], HEAD, KEYS)


@pytest.mark.parametrize("export", [b"", b"nothing", b"[1]\n", EXPORT.splitlines()[0], b'{"kind": 1}\n' + EXPORT])
def test_what_is_no_export_is_unreadable(export: bytes) -> None:
    with pytest.raises(UnreadableError):
        verify_ledger(export, KEYS)


TAMPERED: dict[str, tuple[dict[str, Any], str]] = {
    "certificate": (
        {"certificate": {**RELEASE["certificate"], "loss": {**RELEASE["certificate"]["loss"], "epsilon": "0.0001"}}},
        "its certificate proves another loss than was paid for",
    ),
    "relation": ({"certificate": {**RELEASE["certificate"], "relation": "add_remove"}}, "another neighbour relation"),
    "price": ({"charged": {**RELEASE["charged"], "epsilon": "0.1"}}, "another price than was charged"),
    "budget": ({"budget_id": "bud_x"}, "it names another budget than its receipt"),
    "payer": ({"principal_id": "pri_x"}, "it names another payer than its receipt"),
    "size": ({"record_count": 7}, r"its size \(record_count\) is not that of the registered data set"),
    "size of the event": ({"event": {**RELEASE["event"], "n": 7}}, "its event is of another size"),
    "receipt": ({"receipt": SIGNED["receipts"][1]}, "it names another release than its receipt"),
}


def test_labels_attributes_and_unit_are_compared_with_the_registration_if_it_binds_them() -> None:
    bound = json.loads((VECTORS / "description.json").read_text())
    ledger = verify_ledger(EXPORT, KEYS)
    ledger.datasets[RELEASE["dataset_id"]]["description_sha256"] = bound["hash"]
    assert list(faults_of_release(RELEASE, ledger, KEYS)) == []
    labels, certificate = RELEASE["labels"][::-1], {**RELEASE["certificate"], "unit": "one village"}
    changes: list[dict[str, Any]] = [{"labels": labels}, {"attributes": []}, {"certificate": certificate}]
    for change in changes:
        (fault,) = faults_of_release({**RELEASE, **change}, ledger, KEYS)
        assert fault.endswith("its labels, attributes or unit are not those of the registered data set")


@pytest.mark.parametrize("what", TAMPERED)
def test_each_tampered_part_of_a_release_is_named(what: str) -> None:
    change, words = TAMPERED[what]
    ledger = verify_ledger(EXPORT, KEYS)
    assert list(faults_of_release(RELEASE, ledger, KEYS)) == []
    faults = list(faults_of_release({**RELEASE, **change}, ledger, KEYS))
    assert any(re.search(words, fault) for fault in faults), faults


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("owner_id", "pri_x", "differ in owner_id"),
        ("commitment", "11" * 32, "differ in commitment"),
        ("spec_sha256", "11" * 32, "differ in spec_sha256"),
        ("epsilon_units", 1, "differ in the price"),
        ("accountant", "zcdp", "differ in the accountant"),
        ("release_id", "rel_x", "the ledger has no such charge"),
        ("budget_id", "bud_x", "is of another budget"),
        ("chain_hash", "11" * 32, "the ledger differs from the receipt"),
    ],
)
def test_each_part_of_a_receipt_is_held_against_its_entry(name: str, value: object, words: str) -> None:
    """The service signed a receipt that differs from its ledger."""
    body = SIGNED["receipts"][0]["body"] | {name: value}
    ledger = verify_ledger(EXPORT, KEYS)
    with pytest.raises(VerificationError, match=words):
        ledger.require_receipt(verify_signed(sign(body, SEED), RECEIPT, KEYS))


CHANGED_TEXTS = {
    "the event": (b'"epsilon":"0.5"', b'"epsilon":"0.4"'),
    "the relation": (b'"relation":"replace_one"', b'"relation":"add_remove"'),
    "the size": (b'"record_count":200745', b'"record_count":200746'),
    "the counts": (b'"noisy_counts":[36', b'"noisy_counts":[37'),
    "a space": (b'"state":', b'"state": '),
    "a member behind the signature": (b'"}}', b'"},"certified":null}'),
}


@pytest.mark.parametrize("what", CHANGED_TEXTS)
def test_a_public_release_that_was_changed_is_refused(what: str) -> None:
    text, (before, after) = (VECTORS / "public_release.json").read_bytes(), CHANGED_TEXTS[what]
    assert before in text
    with pytest.raises(VerificationError, match="not the one that was signed"):
        verify_release(text.replace(before, after, 1), KEYS)


def test_verify_agrees_with_a_running_service(study: Study, server: Server, tmp_path: Path) -> None:
    owner, analyst = someone(tmp_path, server, study.owner), someone(tmp_path, server, study.analyst)
    release = analyst.answer("release", study.dataset_id, "--epsilon", "0.1")
    queries = owner.answer(
        "query", study.dataset_id, "--count", "case", "--half-width", "50", "--measure", "--max-charge", "0.5"
    )
    assert study.owner.patch(f"/v1/releases/{release['id']}", {"public": True}).is_success
    public = server.http.get(f"/v1/public/releases/{release['id']}").text
    kept, several = tmp_path / "release.json", tmp_path / "several.json"
    kept.write_text(json.dumps(release, indent=1))
    several.write_text(f"[{json.dumps(queries)},\n {public}, {json.dumps(release['receipt'])}]")
    ran = owner.run("verify", study.budget_id, str(kept), str(several), "--releases")
    shown = ran.stdout
    assert "intact, 6 entries" in shown
    assert "Compared 2 of 2 charged releases, with their evidence." in ran.stderr
    for line in (
        f"{kept}: release {release['id']}: receipt genuine, and equal to entry 4; every member equal to",
        f"{several}: release {queries['id']}: receipt genuine, and equal to entry 5; every member equal to",
        f"{several}: public release {release['id']}: genuine: all bytes are those that the service signed; charged by",
        f"{several}: receipt of {release['id']}: genuine, and equal to entry 4",
    ):
        assert line in shown
    posterior = release["posterior"] | {"noisy_counts": [1, 2]}
    for change, words in (
        ({"budget_id": "bud_x"}, "budget_id is not that of its receipt"),
        ({"event": {**release["event"], "epsilon": "9"}}, "its event differs from the service's release"),
        ({"posterior": posterior}, "its posterior differs from the service's release"),
    ):
        kept.write_text(json.dumps([{**release, **change}]))
        assert words in owner.run("verify", study.budget_id, str(kept), code=Exit.BAD_ANSWER).stdout
    kept.write_text(public.replace('"state":"complete"', '"state":"done"'))
    assert "not the one that was signed" in owner.run("verify", study.budget_id, str(kept), code=Exit.BAD_ANSWER).stdout
    for unreadable in ("[" * 100_000, "nothing"):
        kept.write_text(unreadable)
        assert "is neither JSON nor JSON lines" in owner.refused("verify-release", str(kept))
        assert "is neither JSON nor JSON lines" in owner.refused("verify", study.budget_id, str(kept))
    for unknown in ("{}", "[]", '{"items": []}', json.dumps({"kept": release})):
        kept.write_text(unknown)
        said = owner.run("verify", study.budget_id, str(kept), code=Exit.BAD_ANSWER).stdout
        assert f"{kept}: holds nothing that I know" in said
        assert (
            "must hold one release" in (said := owner.refused("verify-release", str(kept)))
            or "neither a public" in said
        )
    assert "a public key must be" in owner.refused("verify-release", str(kept), "--public-key", "AA")


def test_an_analyst_checks_a_receipt_without_the_ledger(study: Study, server: Server, tmp_path: Path) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    key, kept = tmp_path / "key.json", tmp_path / "kept.json"
    key.write_bytes(server.http.get("/v1/public-key").content)
    check = ("verify-release", str(kept), "--public-key", str(key))
    release = analyst.answer("release", study.dataset_id, "--epsilon", "0.1")
    queries = analyst.answer(
        "query", study.dataset_id, "--count", "case", "--half-width", "50", "--measure", "--max-charge", "0.5"
    )
    for made in (release, queries):
        kept.write_text(json.dumps(made))
        said = analyst.run(*check, code=Exit.BAD_ANSWER).stdout
        assert said.startswith(f"release {made['id']}: receipt genuine; {NOT_BOUND}. Entry ")
        assert "members not checked: kind, state, " in said
    forged = release["receipt"] | {"body": release["receipt"]["body"] | {"epsilon_units": 1}}
    for change, words in (
        ({"receipt": forged}, "its signature is not valid"),
        ({"charged": release["charged"] | {"epsilon": "0.01"}}, "its charged is not the amount of its receipt"),
        ({"principal_id": "pri_x"}, "its principal_id is not that of its receipt"),
        ({"signature": release["receipt"]}, "it has both a signature and a receipt"),
    ):
        kept.write_text(json.dumps({**release, **change}))
        refused = analyst.run(*check, code=Exit.BAD_ANSWER)
        assert words in refused.stderr
        assert "genuine" not in refused.stdout + refused.stderr


def test_the_signature_beside_a_release_binds_all_its_bytes(study: Study, server: Server, tmp_path: Path) -> None:
    analyst, kept = someone(tmp_path, server, study.analyst), tmp_path / "kept.json"
    key = tmp_path / "key.json"
    key.write_bytes(server.http.get("/v1/public-key").content)
    asked = ("release", study.dataset_id, "--epsilon", "0.1", "--output", str(kept))
    check = ("verify-release", str(kept), "--public-key", str(key))
    release = analyst.answer(*asked)
    genuine = f"release {release['id']}: genuine: all bytes are those that the service signed; charged by entry 4"
    assert analyst.run(*check).stdout.startswith(genuine)
    assert analyst.answer(*asked) == release, "repeated"
    assert analyst.run(*check).stdout.startswith(genuine)
    text, beside = kept.read_text(), tmp_path / "kept.json.signature"
    signature = json.loads(beside.read_text())
    assert study.analyst.get(f"/v1/releases/{release['id']}/signature").json() == signature
    assert study.owner.get(f"/v1/releases/{release['id']}/signature").json() == signature
    for before, after in (
        ("case", "none"),
        ('"record_count":', '"record_count": '),
        ('"unit":"one child"', '"unit":"x"'),
    ):
        kept.write_text(text.replace(before, after, 1))
        assert "not the text that the service signed" in analyst.run(*check, code=Exit.BAD_ANSWER).stderr
    kept.write_text(text)
    other = analyst.answer("release", study.dataset_id, "--epsilon", "0.11", "--output", str(tmp_path / "other.json"))
    assert other["id"] != release["id"]
    elsewhere = ("--signature", str(tmp_path / "other.json.signature"))
    assert "is of another release" in analyst.run(*check, *elsewhere, code=Exit.BAD_ANSWER).stderr
    beside.write_text(json.dumps(signature | {"body": signature["body"] | {"drawn_sha256": "00"}}))
    assert "its signature is not valid" in analyst.run(*check, code=Exit.BAD_ANSWER).stderr
    beside.unlink()
    assert NOT_BOUND in analyst.run(*check, code=Exit.BAD_ANSWER).stdout


MECHANISMS: dict[str, list[dict[str, str]]] = {
    "basic": [
        {"kind": "simplex_geometric", "epsilon": "0.1"},
        {"kind": "laplace", "epsilon": "0.101"},
        {"kind": "gaussian", "rho": "0.001", "delta": "1e-9"},
        {"kind": "exponential_global", "epsilon": "0.1"},
    ],
    "zcdp": [
        {"kind": "simplex_geometric", "epsilon": "0.1"},
        {"kind": "laplace", "epsilon": "0.101"},
        {"kind": "gaussian", "rho": "0.001", "delta": "1e-9"},
    ],
}


@pytest.mark.every(4)
@pytest.mark.parametrize("accountant", MECHANISMS)
@pytest.mark.parametrize("records", [1, 3])
def test_releases_of_a_service_verify(server: Server, accountant: str, records: int) -> None:
    owner = server.new("owner")
    several = {"one_record_per_unit": None, "records_per_unit": records} if records > 1 else {}
    terms = {"accountant": accountant, "name": "one", "epsilon": "9", "delta": "1e-6"}
    body = registration((12, 16, 20), budget={"kind": "new", "budget": terms}) | several
    dataset = owner.post("/v1/datasets", {name: value for name, value in body.items() if value is not None}).json()
    path = f"/v1/datasets/{dataset['id']}"
    made = []
    for each in MECHANISMS[accountant]:
        body = {"prior": [1, 1, 1], "mechanism": each}
        send = partial(owner.post, f"{path}/releases", body, idempotency_key=each["kind"])
        made.append(owner.wait_for(send, status=201))
    asked = querying(*({"weights": [1, 0, -1], "half_width": width} for width in (40.0, 30.0)), accountant=accountant)
    made.append(owner.post(f"{path}/releases", asked, idempotency_key="queries"))
    assert [each.status_code for each in made] == [201] * len(made), [
        each.text for each in made if each.status_code != 201
    ]
    keys = keys_in(owner.get("/v1/public-key").json())
    ledger = verify_ledger(owner.get(f"/v1/budgets/{dataset['budget_id']}/ledger.jsonl").content, keys)
    assert len(ledger.charges) == len(made)
    assert [fault for each in made for fault in faults_of_release(each.json(), ledger, keys)] == []
