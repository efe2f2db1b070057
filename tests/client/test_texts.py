"""Each JSON pointer of each kind of text that somebody can keep is changed, in recorded texts of 0.1.0 and 0.2.0: the
change is refused, or the member is named as not checked. Silence fails.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache, partial
from typing import Any, NamedTuple

import pytest

from private_posterior.verification.ledgers import Entry, Ledger, verify_ledger
from private_posterior.verification.signatures import OUTCOME, UnreadableError, VerificationError, keys_in
from private_posterior.verification.texts import MISSING, NOT_BOUND, Checked, check_release, check_with_ledger, texts_in
from tests.harness.process import ROOT
from tests.harness.rows import assert_each
from tests.test_formats import sign

VERSIONS = ("0.1.0", "0.2.0", "0.3.0")
SIGNED = json.loads((ROOT / "tests" / "vectors" / "signatures.json").read_text(encoding="utf-8"))


class Recorded(NamedTuple):
    """What one version answered on SQLite: its keys, ledgers by budget, releases by id, and texts by kind."""

    keys: dict[str, str]
    ledgers: dict[str, Ledger]
    releases: dict[str, dict[str, Any]]
    texts: dict[str, str]


@cache
def recorded(version: str) -> Recorded:
    path = ROOT / "tests" / "released" / version / "sqlite" / "answers.json"
    exchanges = json.loads(path.read_text(encoding="utf-8"))["exchanges"]
    answers = {each["path"]: each["answer"] for each in exchanges if each["method"] == "GET"}
    keys = keys_in(json.loads(answers["/v1/public-key"]))
    found = Recorded(keys, {}, {}, {})
    for where, answer in answers.items():
        if where.endswith("/ledger.jsonl"):
            ledger = verify_ledger(answer.encode(), keys)
            found.ledgers[ledger.budget_id] = ledger
            *lines, head = answer.splitlines()
            found.texts.setdefault("signed head", head)
            for line in lines:
                found.texts.setdefault(f"entry {json.loads(line)['kind']}", line)
        if where.startswith("/v1/public/"):
            found.texts["public release"] = answer
    for each in exchanges:
        answer = json.loads(each["answer"] or "{}") if each["method"] == "POST" else {}
        if "receipt" in answer:
            found.releases[answer["id"]] = answer
            found.texts.setdefault(f"{each['path'].rpartition('/')[2]} {(answer['event'] or {}).get('event')}",
                                   each["answer"])  # fmt: skip
            found.texts.setdefault("receipt", json.dumps(answer["receipt"]))
    return found


def budget_of(document: dict[str, Any]) -> str:
    budget: str = document.get("budget_id") or document["body"]["budget_id"]
    return budget


def with_ledger(found: Recorded, budget_id: str) -> Callable[[str, Any], Checked]:
    def fetch(entry: Entry) -> dict[str, Any] | None:
        return found.releases.get(entry.subject_id)

    def check(text: str, document: Any) -> Checked:
        return check_with_ledger(text, document, found.ledgers[budget_id], found.keys, fetch)

    return check


def without_ledger(found: Recorded) -> Callable[[str, Any], Checked]:
    return partial(lambda keys, text, document: check_release(text, document, keys), found.keys)


def changed(value: Any) -> list[Any]:
    """Other values in the place of a value."""
    match value:
        case bool():
            return [not value, int(value)]
        case int() | float():
            return [value + 1, -value - 1, str(value), None]
        case str():
            return [f"{value}x", "", 12_345]
        case None:
            return ["x", 1, {}]
        case list():
            return [[*value, value[-1] if value else 1], value[:-1] if value else [[]], [*value[::-1], None], {}]
        case _:
            return [{**value, "added": 1}, {}, []]


def changes(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Each change of a document, with the pointer to it. Of a list the first two items and the last are changed."""
    yield from ((pointer, each) for each in changed(value) if json.dumps(each) != json.dumps(value))
    if isinstance(value, dict):
        for name, part in value.items():
            yield f"{pointer}/{name}", {other: each for other, each in value.items() if other != name}
            for at, inner in changes(part, f"{pointer}/{name}"):
                yield at, value | {name: inner}
    elif isinstance(value, list):
        for place in sorted({*range(len(value))[:2], *range(len(value))[-1:]}):
            for at, inner in changes(value[place], f"{pointer}/{place}"):
                other = deepcopy(value)
                other[place] = inner
                yield at, other


def refused_or_named(
    check: Callable[[str, Any], Checked], original: dict[str, Any], pointer: str, document: Any
) -> None:
    try:
        checked = check(json.dumps(document), document)
    except (VerificationError, UnreadableError):
        return
    changed_members = {pointer.split("/")[1]} if pointer else document.keys() - original.keys()
    members = {name if name in document else MISSING for name in changed_members}
    assert members <= set(checked.unchecked), checked.compared


KINDS = [(version, kind) for version in VERSIONS for kind in recorded(version).texts]


@pytest.mark.every(4)
@pytest.mark.parametrize(("version", "kind"), KINDS)
def test_every_change_is_refused_or_named(version: str, kind: str) -> None:
    found = recorded(version)
    text = found.texts[kind]
    document = json.loads(text)
    checks = [with_ledger(found, budget_of(document))]
    if "receipt" in document or ("signature" in document and "id" in document):
        checks.append(without_ledger(found))
    for check in checks:
        check(text, document)
        rows = (
            (pointer, other)
            for pointer, other in changes(document)
            if isinstance(other, dict) and (pointer, "kind" in other) != ("/kind", False)  # that text is the signed one
        )
        refused = partial(lambda check, row: refused_or_named(check, document, *row), check)
        assert_each(rows, refused, lambda row: row[0])


def test_the_recorded_texts_are_of_every_kind() -> None:
    events = ("simplex_geometric", "laplace", "gaussian", "exponential")
    for version in VERSIONS:
        texts = recorded(version).texts
        assert {f"releases {each}" for each in events} | {"public release", "receipt"} <= texts.keys()
        assert {"signed head", "entry release_charged", "entry query_charged"} <= texts.keys()
    assert "queries None" in recorded("0.1.0").texts, "nothing was measured for it"
    assert {"queries linear", "margins margins", "releases private_size"} <= recorded("0.2.0").texts.keys()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_receipt_does_not_make_the_rest_of_a_release_genuine(version: str) -> None:
    """Seen before: labels, prior, unit, n, mechanism and noise were changed, and `verify-release` said genuine."""
    found = recorded(version)
    for kind, text in found.texts.items():
        if kind.startswith(("releases", "margins", "queries")):
            checked = check_release(text, json.loads(text), found.keys)
            assert checked.compared.startswith(f"receipt genuine; {NOT_BOUND}.")
            assert {"event", "certificate", "record_count"} <= set(checked.unchecked)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_altered_public_text_with_a_pasted_receipt_is_refused(version: str) -> None:
    """Seen before: any genuine receipt made it a release that somebody paid for."""
    found = recorded(version)
    public = json.loads(found.texts["public release"]) | {"record_count": 7}
    receipts: list[Any] = [found.releases[public["id"]]["receipt"], json.loads(found.texts["receipt"]), {}]
    for receipt in receipts:
        pasted = public | {"receipt": receipt}
        for check in (without_ledger(found), with_ledger(found, public["budget_id"])):
            with pytest.raises(VerificationError, match="has both a signature and a receipt"):
                check(json.dumps(pasted), pasted)


@pytest.mark.parametrize("kind", ["releases laplace", "margins margins", "queries linear"])
def test_every_change_of_a_release_with_its_signature_is_refused(kind: str) -> None:
    found = recorded("0.2.0")
    text = found.texts[kind]
    document, keys = json.loads(text), found.keys | {SIGNED["key_id"]: SIGNED["public_key"]}
    hashed = hashlib.sha256(text.encode()).hexdigest()
    body = {"kind": OUTCOME, "release_id": document["id"], "drawn_sha256": "", "answer_sha256": hashed}
    signature = sign(body, bytes.fromhex(SIGNED["seed"]))
    assert check_release(text, document, keys, signature).unchecked == ()
    for _, other in changes(document):
        with pytest.raises((VerificationError, UnreadableError)):
            check_release(json.dumps(other, separators=(",", ":")), other, keys, signature)
    for pointer, other in changes(signature):
        if pointer and other != signature:
            with pytest.raises(VerificationError):
                check_release(text, document, keys, other)


def test_what_an_earlier_version_lacks_is_said() -> None:
    for version, lacks in (("0.1.0", True), ("0.2.0", False)):
        found = recorded(version)
        text = found.texts["releases laplace"]
        checked = with_ledger(found, json.loads(text)["budget_id"])(text, json.loads(text))
        assert checked.unchecked == ()
        assert ("registered by 0.1.0: no entry binds labels, attributes and unit" in checked.compared) is lacks


def test_an_array_is_read_text_by_text() -> None:
    found = recorded("0.2.0")
    texts = [found.texts[kind] for kind in ("public release", "receipt", "signed head", "releases laplace")]
    listed = " ,\n".join(texts)
    for whole in (f"[{listed} ]\n", "\n".join(texts), "\n\n".join(texts) + "\n"):
        assert [text for text, _ in texts_in(whole.encode())] == texts
    assert texts_in(b" [ ] ") == texts_in(b"") == []
    for broken in (b"[", b"[1", b"[1 2]", b"[1,", b"[1]]", b"1]", b"{", b"nothing", b"[" * 100_000, b"\xff"):
        with pytest.raises(UnreadableError):
            texts_in(broken)


def test_a_member_that_stands_twice_is_refused() -> None:
    text = recorded("0.2.0").texts["receipt"]
    with pytest.raises(UnreadableError, match="has a member twice"):
        texts_in(text.replace('"epsilon_units":', '"epsilon_units": 1, "epsilon_units":').encode())


@pytest.mark.parametrize(
    "document", [{}, [], 1, {"kind": "x"}, {"items": []}, {"body": {}, "key_id": "", "signature": ""}]
)
def test_anything_else_is_nothing_that_is_known(document: Any) -> None:
    found = recorded("0.2.0")
    with pytest.raises(UnreadableError, match=r"^holds nothing that I know$"):
        with_ledger(found, next(iter(found.ledgers)))(json.dumps(document), document)
