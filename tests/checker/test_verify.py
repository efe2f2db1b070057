"""The checker in Node: on the vectors, on texts that 0.1.0 and 0.2.0 answered, and on those of a running service.

Each text is falsified at every JSON pointer: a line is *false*, or *not checked* and names the member.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.checker.stories import Story, tell
from tests.harness.process import ROOT
from tests.harness.programs import installed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Server

pytestmark = pytest.mark.long

Line = dict[str, Any]
Case = tuple[dict[str, str], list[str]]
VECTORS: Final = ROOT / "tests" / "vectors"
SIGNATURES: Final = json.loads((VECTORS / "signatures.json").read_text(encoding="utf-8"))
KEY: Final[str] = SIGNATURES["public_key"]
UNITS: Final = {"epsilon": 9, "rho": 12}


def checked(cases: list[Case]) -> list[list[Line]]:
    """The lines of the checker for each case: files by name, and keys."""
    body = json.dumps([{"files": files, "keys": keys} for files, keys in cases])
    node = installed("node")
    done = subprocess.run(
        [node, str(ROOT / "tests" / "checker" / "cases.mjs")], input=body, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    lines: list[list[Line]] = json.loads(done.stdout)
    return lines


def false(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line["word"] == "false"]


def missing(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line.get("missing")]


def assert_all_checked(lines: list[Line]) -> None:
    assert not false(lines), false(lines)
    assert not missing(lines), missing(lines)


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def falsified(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Copies of a value that differ at one pointer, each with the pointer: another value, or one member less."""
    if isinstance(value, dict | list):
        for name, each in list(value.items() if isinstance(value, dict) else enumerate(value))[:12]:
            for inner, changed in falsified(each, f"{pointer}/{name}"):
                other = copy.copy(value)
                other[name] = changed
                yield inner, other
            if isinstance(value, dict):
                yield f"{pointer}/{name}", {member: other for member, other in value.items() if member != name}
        if not value:
            yield pointer, [1]
    elif isinstance(value, bool) or value is None:
        yield pointer, not value
    elif isinstance(value, str):
        yield pointer, value[:-1] + ("1" if value[-1:] != "1" else "2")
    else:
        yield pointer, value + 1


def assert_noticed(pointer: str, lines: list[Line]) -> None:
    member = pointer.split("/")[1]
    unchecked = [line["what"] for line in lines if line["word"] == "not checked"]
    named = [what for what in unchecked if member in what or what.startswith("all bytes")]
    assert false(lines) or named, f"silent about {pointer}: {lines}"


def assert_no_silence(name: str, text: str, others: dict[str, str], keys: list[str]) -> None:
    before, *_ = checked([({name: text, **others}, keys)])
    assert not false(before), false(before)
    changes = list(falsified(json.loads(text)))
    answers = checked([({name: compact(value), **others}, keys) for _, value in changes])
    for (pointer, _), lines in zip(changes, answers, strict=True):
        assert_noticed(pointer, lines)


def vector(name: str) -> str:
    return (VECTORS / name).read_text(encoding="utf-8")


def signed(body: dict[str, Any]) -> dict[str, Any]:
    """A signed object by the key of the vectors."""
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SIGNATURES["seed"]))
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    signature = base64.urlsafe_b64encode(key.sign(text.encode())).rstrip(b"=").decode()
    return {"body": body, "key_id": SIGNATURES["key_id"], "signature": signature}


def with_loss(evidence: str, member: str, by: int) -> tuple[dict[str, str], dict[str, Any]]:
    """Evidence that states another loss, by that many units, and is signed by the key of the vectors."""
    document = json.loads(evidence)
    spec, body = json.loads(document["spec"]), document["signature"]["body"]
    loss, places = spec["certificate"]["loss"], UNITS[member]
    whole, _, part = loss[member].partition(".")
    other = f"{int(whole + part.ljust(places, '0')) + by:0{places + 1}}"
    loss[member] = f"{other[:-places]}.{other[-places:]}".rstrip("0").rstrip(".")
    text = json.dumps(spec)
    body = body | {"spec_sha256": hashlib.sha256(text.encode()).hexdigest()}
    return {"evidence": compact(document | {"spec": text, "signature": signed(body)})}, spec


@pytest.fixture(scope="module")
def story(sqlite_server: Server) -> Story:
    return tell(sqlite_server)


def test_all_vectors_hold() -> None:
    names = ["release.json", "public_release.json", "evidence.json", "ledger.jsonl"]
    files = {name: vector(name) for name in names}
    for number, each in enumerate([*SIGNATURES["receipts"], SIGNATURES["head"]]):
        files[f"signed {number}"] = compact(each)
    lines, alone, unknown = checked([(files, [KEY]), ({"release": files["release.json"]}, [KEY]), (files, [])])
    assert_all_checked(lines)
    assert "labels" in missing(alone)[0]["what"]
    assert not false(unknown)
    assert "no key" in {line["detail"] for line in missing(unknown)}


@pytest.mark.parametrize("name", ["release.json", "public_release.json", "evidence.json"])
def test_a_vector_changed_at_any_pointer_is_noticed(name: str) -> None:
    assert_no_silence(name, vector(name), {}, [KEY])


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_receipt_or_head_changed_at_any_pointer_is_noticed(number: int) -> None:
    assert_no_silence("signed", compact([*SIGNATURES["receipts"], SIGNATURES["head"]][number]), {}, [KEY])


def test_a_ledger_changed_at_any_pointer_is_noticed() -> None:
    lines = vector("ledger.jsonl").splitlines()
    cases, pointers = [], []
    for number, line in enumerate(lines):
        for pointer, value in falsified(json.loads(line)):
            cases.append(({"ledger.jsonl": "\n".join([*lines[:number], compact(value), *lines[number + 1 :]])}, [KEY]))
            pointers.append(f"{number}{pointer}")
        cases.append(({"ledger.jsonl": "\n".join(lines[:number] + lines[number + 1 :])}, [KEY]))
        pointers.append(f"{number} removed")
    for pointer, answer in zip(pointers, checked(cases), strict=True):
        assert false(answer), f"silent about {pointer}"


def test_a_list_of_public_keys_changed_at_any_pointer_is_noticed() -> None:
    current = {"public_key": KEY, "key_id": SIGNATURES["key_id"]}
    earlier = current | {"retired_at": "2026-09-21T14:13:20Z"}
    assert_no_silence("keys", compact(current | {"earlier": [earlier]}), {}, [KEY])


def test_the_exit_code_is_0_only_if_all_was_checked(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(vector("evidence.json").replace('"sequence":10', '"sequence":11'), encoding="utf-8")
    evidence, release, key = str(VECTORS / "evidence.json"), str(VECTORS / "release.json"), ["--public-key", KEY]
    for arguments, code, word in (
        ([*key, release, evidence], 0, "holds"),
        ([*key, release], 1, "not checked"),
        ([evidence], 1, "not checked"),
        ([*key, str(other)], 1, "false"),
        ([*key, str(tmp_path / "none")], 2, ""),
    ):
        command = [installed("node"), str(ROOT / "checker" / "verify.mjs"), *arguments]
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        assert (done.returncode, word in done.stdout) == (code, True), done.stdout + done.stderr


def test_copies_written_again_by_another_program_hold() -> None:
    evidence, ledger = json.loads(vector("evidence.json")), vector("ledger.jsonl").splitlines()
    cases: list[Case] = [
        ({"evidence": json.dumps(evidence, indent=3, sort_keys=True)}, [KEY]),
        ({"evidence": json.dumps(evidence, ensure_ascii=False)}, [KEY]),
        ({"receipt": json.dumps(SIGNATURES["receipts"][0], indent=1)}, [KEY]),
        ({"ledger": "\n".join(json.dumps(json.loads(line), sort_keys=True) for line in ledger)}, [KEY]),
        ({"public": vector("public_release.json").rstrip() + " \r\n\t"}, [KEY]),
    ]
    for lines in checked(cases):
        assert_all_checked(lines)
    again = json.dumps(json.loads(vector("public_release.json")))
    after = vector("public_release.json").rstrip()
    for lines in checked([({"public": text}, [KEY]) for text in (again, after + "x", after + "}")]):
        assert false(lines)


def test_a_fork_is_named_from_two_texts() -> None:
    document = json.loads(vector("evidence.json"))
    body = document["signature"]["body"]
    other = document | {"signature": signed(body | {"chain_hash": "0" * 64})}
    lines, *_ = checked([({"one": vector("evidence.json"), "other": compact(other)}, [KEY])])
    assert [line["detail"] for line in false(lines)] == [
        f"a fork: entry {body['sequence']} of {body['budget_id']} has the hashes {body['chain_hash']} and {'0' * 64}"
    ]


def test_texts_of_released_versions_have_nothing_false() -> None:
    for path in sorted((ROOT / "tests" / "released").glob("*/*/answers.json")):
        exchanges = json.loads(path.read_text(encoding="utf-8"))["exchanges"]
        (keys,) = (each["answer"] for each in exchanges if each["path"] == "/v1/public-key")
        files: dict[str, str] = {}
        for each in exchanges:
            if each["answer"] and (each["method"] == "POST" or each["path"].endswith("ledger.jsonl")):
                files[f"{len(files)} {each['path']}"] = each["answer"]
            elif "/v1/public/" in each["path"]:
                files[each["path"]] = each["answer"]
        for head in path.parent.glob("home/heads/bud_*.json"):
            if not head.name.endswith(".keys.json"):
                files[head.name] = head.read_text(encoding="utf-8")
        lines, *_ = checked([(files, [keys])])
        assert not false(lines), false(lines)
        assert all("answer signature" in line["detail"] for line in missing(lines)), missing(lines)
        assert sum(line["word"] == "holds" for line in lines) > 80


def test_everything_that_a_running_service_answers_holds(story: Story) -> None:
    releases = story.releases.items()
    files = {f"{name} {kind}": text for name, texts in releases for kind, text in vars(texts).items() if text}
    files |= {f"{name}.jsonl": text for name, text in story.ledgers.items()}
    files |= {f"{name} head": text for name, text in story.heads.items()}
    lines, shown = checked([(files, [story.keys]), (files | {"keys": story.keys}, [])])
    assert_all_checked(lines)
    assert "signed by the key that this service shows" in {line["detail"] for line in shown}
    ids = {each for line in lines for each in line["what"].split(":")[0].split(", ")}
    assert ids >= {f"E{number}" for number in range(1, 14)}


def test_every_text_of_a_running_service_changed_at_any_pointer_is_noticed(story: Story) -> None:
    for name, texts in story.releases.items():
        if "certified" in name or "exponential" not in name:
            assert_no_silence("paid", texts.release, {"outcome": texts.signature}, [story.keys])
            assert_no_silence("evidence", texts.evidence, {}, [story.keys])
            assert_no_silence("outcome", texts.signature, {}, [story.keys])
            if texts.public:
                assert_no_silence("public", texts.public, {"evidence": texts.evidence}, [story.keys])


def test_a_loss_of_one_unit_less_is_false_though_the_service_signs_it(story: Story) -> None:
    found = set()
    for texts in story.releases.values():
        document = json.loads(texts.evidence)
        spec = json.loads(document["spec"])
        if spec["certificate"] is None:
            continue
        for member in UNITS:
            (before, _), (after, _) = with_loss(texts.evidence, member, 0), with_loss(texts.evidence, member, -1)
            right, wrong = checked([(before, [KEY]), (after, [KEY])])
            assert not false(right), false(right)
            where = f"certificate.loss.{member}"
            (line,) = (line for line in right if line["what"].endswith(where))
            if line["word"] == "holds":
                (reason,) = (each for each in false(wrong) if each["what"].endswith(where))
                assert "the loss is at least" in reason["detail"]
                found.add(f"{spec['event']['event']} {member}")
    assert len(found) >= 10, found
