"""Every kind of text that a running service answers, falsified at every JSON pointer: the checker and `posterior`
refuse it, or name the member as not checked. Copies that another program wrote again are accepted.
"""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pytest

from private_posterior.verification.evidence import STATED
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.signatures import UnreadableError, VerificationError, keys_in
from private_posterior.verification.texts import MISSING, Checked, check_texts, check_with_ledger
from tests.checker.stories import Story, tell
from tests.checker.texts import KEY, SIGNATURES, Case, Line, checked, compact, false, vector
from tests.harness.chromium import chromium
from tests.harness.programs import installed

if TYPE_CHECKING:
    from tests.harness.server import Server

pytestmark = pytest.mark.long
MOST_ITEMS: Final = 4
"""Items of a list that are changed; of longer lists, the first ones and the last."""


def falsified(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Copies of a value that differ at one pointer, each with the pointer: another value, or one member less."""
    if isinstance(value, dict | list):
        items = list(value.items() if isinstance(value, dict) else enumerate(value))
        if isinstance(value, list) and len(items) > MOST_ITEMS:
            items = [*items[: MOST_ITEMS - 1], items[-1]]
        for name, each in items:
            for inner, changed in falsified(each, f"{pointer}/{name}"):
                other = copy.copy(value)
                other[name] = changed
                yield inner, other
            if isinstance(value, dict):
                yield f"{pointer}/{name}", {member: other for member, other in value.items() if member != name}
        yield pointer, value | {"added": 1} if isinstance(value, dict) else [*value, 1]
    elif isinstance(value, bool) or value is None:
        yield pointer, not value
    elif isinstance(value, str):
        yield pointer, value[:-1] + ("1" if value[-1:] != "1" else "2")
    else:
        yield pointer, value + 1


Keys = Mapping[str, str]
Command = Callable[[str], list[Checked]]
"""What `posterior` says of a text. It raises VerificationError or UnreadableError where the command refuses."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A text, others that the checker gets with it, and how `posterior` checks it."""

    text: str
    posterior: Command
    others: dict[str, str] = field(default_factory=dict)


def read(text: str, beside: str | None = None) -> tuple[str, Any, Any]:
    return text, json.loads(text), None if beside is None else json.loads(beside)


def of_texts(keys: Keys, text: str, others: Sequence[str] = (), outcome: str | None = None) -> list[Checked]:
    return check_texts([read(text, outcome), *map(read, others)], keys)


def of_outcome(keys: Keys, paid: str, text: str) -> list[Checked]:
    return check_texts([read(paid, text)], keys)


def kept_texts(story: Story) -> dict[str, Kept]:
    """A release of each kind of event with all its texts, and the ledgers and heads of the budgets."""
    keys, found, kinds = keys_in(json.loads(story.keys)), dict[str, Kept](), set[str]()
    for name, texts in story.releases.items():
        release = json.loads(texts.release)
        event = release["event"] or {}
        kind = f"{event.get('event')} {event.get('law', '')} {event.get('loss', '')} {event.get('n') is None}"
        if kind in kinds or "exponential_" in name:
            continue
        kinds.add(kind)
        paid, outcome, evidence, public = texts.release, texts.signature, texts.evidence, texts.public
        alone = partial(of_texts, keys)
        found[f"{name}: paid"] = Kept(paid, alone)
        found[f"{name}: paid, signed"] = Kept(paid, partial(alone, outcome=outcome), {"outcome": outcome})
        found[f"{name}: paid, evidence"] = Kept(paid, partial(alone, others=[evidence]), {"evidence": evidence})
        found[f"{name}: evidence"] = Kept(evidence, alone)
        found[f"{name}: evidence of paid"] = Kept(evidence, partial(alone, others=[paid]), {"paid": paid})
        found[f"{name}: outcome"] = Kept(outcome, partial(of_outcome, keys, paid), {"paid": paid})
        if public:
            found[f"{name}: public"] = Kept(public, alone)
            found[f"{name}: public, evidence"] = Kept(public, partial(alone, others=[evidence]), {"evidence": evidence})
    for name, export in [*story.ledgers.items(), ("vector", vector("ledger.jsonl"))]:
        found |= texts_with_ledger(name, export, story, keys if name != "vector" else keys_in(KEY))
    return found


def texts_with_ledger(name: str, export: str, story: Story, keys: Keys) -> dict[str, Kept]:
    """A head, a receipt and entries, each beside the ledger of its budget."""
    ledger = verify_ledger(export.encode(), keys)

    def with_ledger(text: str) -> list[Checked]:
        return [check_with_ledger(text, json.loads(text), ledger, keys, lambda _: None)]

    found = {}
    if name == "vector":
        head, receipts = SIGNATURES["head"], SIGNATURES["receipts"][:1]
    else:
        head = json.loads(story.heads[name])
        paid = (json.loads(each.release) for each in story.releases.values())
        receipts = [each["receipt"] for each in paid if each["budget_id"] == ledger.budget_id][:1]
    for what, signed in [("head", head), *(("receipt", each) for each in receipts)]:
        found[f"{name}: {what}"] = Kept(compact(signed), with_ledger, {"ledger.jsonl": export})
    lines = export.splitlines()
    for number, line in enumerate(lines):

        def rewritten(text: str, number: int = number) -> list[Checked]:
            verify_ledger("\n".join([*lines[:number], text, *lines[number + 1 :]]).encode(), keys)
            return []

        found[f"{name}: line {number + 1} of the ledger"] = Kept(line, rewritten)
    return found


def test_a_list_of_public_keys_changed_at_any_pointer_is_noticed() -> None:
    current = {"public_key": KEY, "key_id": SIGNATURES["key_id"]}
    earlier = current | {"retired_at": "2026-09-21T14:13:20Z"}
    changes = list(falsified(current | {"earlier": [earlier]}))
    answers = checked([({"keys": compact(value)}, [KEY]) for _, value in changes])
    for (pointer, _), lines in zip(changes, answers, strict=True):
        assert is_noticed(pointer, lines), pointer


@pytest.fixture(scope="module")
def story(sqlite_server: Server) -> Story:
    return tell(sqlite_server)


@pytest.fixture(scope="module")
def kept(story: Story) -> dict[str, Kept]:
    return kept_texts(story)


def files_of(name: str, kept: dict[str, Kept], text: str, story: Story) -> tuple[dict[str, str], list[str]]:
    """The files that the checker gets: a changed line is inside its ledger."""
    ledger, _, line = name.partition(": line ")
    key = KEY if ledger.startswith("vector") else story.keys
    if not line:
        return {"text": text, **kept[name].others}, [key]
    export = (vector("ledger.jsonl") if ledger == "vector" else story.ledgers[ledger]).splitlines()
    export[int(line.split()[0]) - 1] = text
    return {"ledger.jsonl": "\n".join(export)}, [key]


def is_noticed(pointer: str, lines: list[Line]) -> bool:
    """Whether a line is false, or names the member as not checked."""
    member = pointer.split("/")[1] if pointer else "all bytes"
    unchecked = [line["what"] for line in lines if line["word"] == "not checked"]
    return bool(false(lines)) or any(member in what or what.startswith("all bytes") for what in unchecked)


def is_noticed_by_posterior(pointer: str, value: Any, command: Command) -> bool:
    try:
        found = command(compact(value))
    except (VerificationError, UnreadableError):
        return True
    member = pointer.split("/")[1] if pointer else "added"
    return any(member in each.unchecked or (MISSING in each.unchecked and member not in value) for each in found)


def test_every_text_changed_at_any_pointer_is_noticed_by_both(kept: dict[str, Kept], story: Story) -> None:
    as_they_came = checked([files_of(name, kept, each.text, story) for name, each in kept.items()])
    for (name, each), lines in zip(kept.items(), as_they_came, strict=True):
        assert not false(lines), (name, false(lines))
        each.posterior(each.text)
    changes = [(name, *change) for name, each in kept.items() for change in falsified(json.loads(each.text))]
    assert len(changes) > 10_000
    silent = [
        f"posterior: {name}: {pointer}"
        for name, pointer, value in changes
        if not is_noticed_by_posterior(pointer, value, kept[name].posterior)
    ]
    for first in range(0, len(changes), 1_000):
        part = changes[first : first + 1_000]
        answers = checked([files_of(name, kept, compact(value), story) for name, _, value in part])
        silent += [
            f"checker: {name}: {pointer}"
            for (name, pointer, _), lines in zip(part, answers, strict=True)
            if not is_noticed(pointer, lines)
        ]
    assert not silent, "\n".join(silent)


def test_what_posterior_does_not_recompute_it_names(kept: dict[str, Kept]) -> None:
    (found,) = kept["gaussian  basic: evidence"].posterior(kept["gaussian  basic: evidence"].text)
    assert STATED in found.compared


WRITERS: Final = {
    "jq": ["jq", "."],
    "jq, sorted and compact": ["jq", "-cS", "."],
    "Node": ["node", "-e", "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0)), null, 3))"],
    "R": [
        "Rscript", "-e",
        "library(jsonlite); cat(toJSON(fromJSON(file('stdin'), FALSE), auto_unbox = TRUE, null = 'null', digits = NA))",
    ],
}  # fmt: skip


def written_again(program: str, texts: list[str]) -> list[str]:
    """The texts as a program writes them that parsed them."""
    if program == "Python":
        return [json.dumps(json.loads(text), indent=4, sort_keys=True) for text in texts]
    if program == "Chromium":
        with chromium() as browser:
            page = browser.new_page()
            return [page.evaluate("text => JSON.stringify(JSON.parse(text), null, 1)", text) for text in texts]
    words = [installed(WRITERS[program][0]), *WRITERS[program][1:]]
    return [subprocess.run(words, input=text, capture_output=True, check=True, text=True).stdout for text in texts]


@pytest.mark.parametrize("program", ["Python", "Chromium", *WRITERS])
def test_a_copy_that_another_program_wrote_is_accepted(program: str, kept: dict[str, Kept], story: Story) -> None:
    wanted = ("evidence", "head", "receipt", "outcome")
    found = {name: each for name, each in kept.items() if name.rpartition(": ")[2] in wanted}
    ledger = next(name for name in story.ledgers if name.startswith("public"))
    found |= {name: each for name, each in kept.items() if name.startswith((f"{ledger}: line", "vector: line"))}
    cases: list[Case] = []
    again = written_again(program, [each.text for each in found.values()])
    for (name, each), text in zip(found.items(), again, strict=True):
        line = compact(json.loads(text)) if ": line " in name else text
        each.posterior(line)
        cases.append(files_of(name, kept, line, story))
    for name, lines in zip(found, checked(cases), strict=True):
        assert not false(lines), (name, false(lines))
