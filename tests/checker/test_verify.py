"""The checker in Node: on the vectors, on texts that 0.1.0 and 0.2.0 answered, and on those of a running service."""

from __future__ import annotations

import hashlib
import json
import subprocess
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.checker.stories import Story, tell
from tests.checker.texts import KEY, SIGNATURES, VECTORS, Case, Line, checked, compact, false, missing, signed, vector
from tests.harness.process import ROOT
from tests.harness.programs import installed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Server

pytestmark = pytest.mark.long

UNITS: Final = {"epsilon": 9, "rho": 12}


def assert_all_checked(lines: list[Line]) -> None:
    assert not false(lines), false(lines)
    assert not missing(lines), missing(lines)


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
    later = json.loads(vector("later_evidence.json"))
    for found in checked([({name: compact(each)}, [KEY]) for name, each in later.items()]):
        assert_all_checked(found)
    merged = later["merged"]["spec"].replace("[[1,2]]", "[[1,1]]")
    assert (
        "disjoint"
        in false(checked([({"evidence": compact(later["merged"] | {"spec": merged})}, [KEY])])[0])[-1]["detail"]
    )
    assert "labels" in missing(alone)[0]["what"]
    assert not false(unknown)
    assert "no key" in {line["detail"] for line in missing(unknown)}


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


def test_only_white_space_may_follow_a_public_release() -> None:
    text = vector("public_release.json").rstrip()
    assert_all_checked(checked([({"public": text + " \r\n\t"}, [KEY])])[0])
    for lines in checked(
        [({"public": each}, [KEY]) for each in (json.dumps(json.loads(text)), text + "x", text + "}")]
    ):
        assert false(lines)


def test_a_release_of_an_earlier_version_holds_with_and_without_its_kind() -> None:
    text, evidence = vector("release.json"), vector("evidence.json")
    served = f'{{"kind":"counts",{text[1:]}'
    changed = [served.replace("counts", "margins", 1), served.replace('"kind"', '"kinds"', 1), served + " "]
    right, kept, *wrong = checked([({"paid": each, "evidence": evidence}, [KEY]) for each in (served, text, *changed)])
    assert_all_checked(right)
    assert_all_checked(kept)
    assert all(map(false, wrong))


def test_events_and_supports_are_closed_lists() -> None:
    evidence = json.loads(vector("evidence.json"))
    cases: list[Case] = []
    for wanted in ({"support": "simplex"}, {"support": "another"}, {"added": 1}):
        spec = json.loads(evidence["spec"])
        (spec["event"] if "added" in wanted else spec["certificate"]["details"]).update(wanted)
        text = json.dumps(spec)
        body = evidence["signature"]["body"] | {"spec_sha256": hashlib.sha256(text.encode()).hexdigest()}
        cases.append(({"evidence": compact(evidence | {"spec": text, "signature": signed(body)})}, [KEY]))
    assert all(map(false, checked(cases)))


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
