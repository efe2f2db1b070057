"""Declares `posterior verify` and `posterior verify-release`. Their checks follow docs/reference/formats.md; the
service does not perform them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from private_posterior.commands.access import connected, home, service_access
from private_posterior.commands.exits import Exit
from private_posterior.commands.names import budget_names, budget_of
from private_posterior.commands.show import echo, fail, note

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.verification.ledgers import Entry, Ledger

PublicKey: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="KEY",
        help=(
            "The service's public key, or a file with its response of /v1/public-key. By default the service is asked."
        ),
    ),
]
Kept: TypeAlias = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="FILE", exists=True, dir_okay=False, help="Releases, receipts and signed heads that you kept."
    ),
]


def verify(
    budget: Annotated[str, typer.Argument(metavar="BUDGET", help="Name or id of a budget.")],
    kept: Kept = None,
    releases: Annotated[
        bool, typer.Option("--releases", help="Also fetch every charged release, and compare it with the ledger.")
    ] = False,
) -> None:
    """Recompute the ledger of a budget, and compare it with the last run of this command.

    The command stores the signed head of the ledger and the public keys. It detects a ledger that was cut or rewritten
    since, or signed by another key.
    """
    from private_posterior.verification.ledgers import verify_ledger
    from private_posterior.verification.signatures import keys_in

    with connected() as client, _verdicts():
        # Only owners list budgets. Others get the command for what they can verify.
        if not budget_names(client):
            fail(
                "this key has no budget. Only the owner of a budget can verify its ledger; `posterior verify-release` "
                "verifies a release in a file"
            )
        budget_id = budget_of(client, budget)
        known = keys_in(client.public_key())
        export = client.ledger_text(budget_id)
        memory = _Memory(budget_id)
        ledger = verify_ledger(export, known | memory.keys, memory.heads, budget_id=budget_id)
        faults = list(_faults_of_files(client, kept or [], ledger, known | memory.keys))
        if releases:
            faults += _faults_of_releases(client, ledger, known | memory.keys)
    echo(str(ledger))
    if not memory.keys.items() <= known.items():
        faults.append("The service no longer publishes a key that it signed with before.")
    for fault in faults:
        echo(fault)
    if faults:
        raise typer.Exit(Exit.BAD_ANSWER)
    if memory.keys and known.keys() - memory.keys.keys():
        note("The service signs with a new key since the last time. Ask its operator whether the key was changed.")
    if not memory.heads:
        note("This is the first run. The present head is stored, and the next run compares the ledger with it.")
    memory.keep(export.splitlines()[-1], known)


def verify_release(
    file: Annotated[
        Path,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="File of a public release, byte for byte as downloaded, or of a release that you paid for.",
        ),
    ],
    public_key: PublicKey = None,
) -> None:
    """Verify the signature of a public release, or the receipt of your release. You need no API key.

    With --public-key nothing is sent. A receipt binds price, payer, data set and request; it does not bind noisy
    counts. Only the owner can compare it with the ledger.
    """
    from private_posterior.verification.releases import faults_of_receipt
    from private_posterior.verification.signatures import verify_release as release_of

    with _verdicts():
        keys = _keys(public_key)
        paid = _paid_release(file)
        if paid is None:
            echo(f"release {release_of(file.read_bytes(), keys)['id']}: genuine")
            return
        faults = list(faults_of_receipt(paid, keys))
    for fault in faults:
        echo(fault)
    if faults:
        raise typer.Exit(Exit.BAD_ANSWER)
    body = paid["receipt"]["body"]
    echo(f"receipt of {paid['id']}: genuine, entry {body['sequence']} of budget {body['budget_id']}")
    note("The receipt does not bind the noisy counts. The owner can compare it with the ledger: `posterior verify`.")


def _paid_release(path: Path) -> dict[str, Any] | None:
    """Return the release in a file if it is in the form that its payer gets."""
    found: Any = None
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads(path.read_bytes())
    is_paid = isinstance(found, dict) and {"id", "receipt", "certificate", "charged"} <= found.keys()
    return found if is_paid else None


def _keys(given: str | None) -> dict[str, str]:
    from private_posterior.verification.signatures import keys_in

    if given is None:
        with connected(service_access()) as client:
            return keys_in(client.public_key())
    path = Path(given)
    if not path.is_file():
        return keys_in(given)
    (document,) = _documents(path)
    return keys_in(document)


@contextmanager
def _verdicts() -> Iterator[None]:
    """End the command with a message and a code if content is unreadable or was not written by the service."""
    from private_posterior.verification.signatures import UnreadableError, VerificationError

    try:
        yield
    except VerificationError as error:
        fail(f"NOT intact: {error}", Exit.BAD_ANSWER)
    except UnreadableError as error:
        fail(str(error))


def _documents(path: Path) -> list[Any]:
    """Return the JSON documents of a file: one document, or one per line."""
    from private_posterior.verification.signatures import UnreadableError

    try:
        text = path.read_text(encoding="utf-8")
        try:
            return [json.loads(text)]
        except ValueError:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError):
        raise UnreadableError(f"{path} is neither JSON nor JSON lines") from None


def _faults_of_files(client: Client, paths: list[Path], ledger: Ledger, keys: Mapping[str, str]) -> Iterator[str]:
    """Yield each contradiction between these files and the ledger or the service's releases. Raises UnreadableError."""
    from private_posterior.verification.releases import faults_of_release
    from private_posterior.verification.signatures import (
        HEAD,
        RECEIPT,
        UnreadableError,
        VerificationError,
        signed_objects,
        verify_signed,
    )

    compared = False
    for path in paths:
        found = 0
        for document in _documents(path):
            if isinstance(document, dict) and {"receipt", "certificate"} <= document.keys():
                found += 1
                faults = list(faults_of_release(document, ledger, keys))
                if not faults:
                    compared, faults = True, list(_differences(client, document, ledger))
                yield from (f"{path}: {fault}" for fault in faults)
                continue
            for signed in signed_objects(document):
                found += 1
                try:
                    if signed["body"].get("kind") == HEAD:
                        ledger.require_head(verify_signed(signed, HEAD, keys), "this head")
                    else:
                        ledger.require_receipt(verify_signed(signed, RECEIPT, keys))
                except VerificationError as error:
                    yield f"{path}: {error}"
        if not found:
            raise UnreadableError(f"{path} holds no release, receipt or signed head")
    if compared:
        note("The ledger does not bind noisy counts. Those in the files were compared with the service's releases.")


def _faults_of_releases(client: Client, ledger: Ledger, keys: Mapping[str, str]) -> list[str]:
    """Return each contradiction between the service's releases and the ledger."""
    from private_posterior.verification.releases import faults_of_release
    from private_posterior.verification.signatures import VerificationError

    faults: list[str] = []
    for release_id, entry in ledger.charges.items():
        try:
            answer = _answer_of(client, entry)
        except VerificationError as error:
            faults.append(f"{release_id}: {error}")
        else:
            faults += [] if answer is None else faults_of_release(answer, ledger, keys)
    return faults


def _differences(client: Client, release: Mapping[str, Any], ledger: Ledger) -> Iterator[str]:
    """Yield each member of a kept release that differs from the service's release."""
    from private_posterior.verification.signatures import VerificationError

    try:
        answer = _answer_of(client, ledger.charges[release["id"]])
    except VerificationError as error:
        yield f"{release['id']}: {error}"
    else:
        for name, value in release.items():
            if answer is not None and answer.get(name) != value:
                yield f"{release['id']}: its {name} differs from that of the service's release"


def _answer_of(client: Client, entry: Entry) -> Mapping[str, Any] | None:
    """Return the service's release of a charge, or None if it has failed, was lost or is being drawn.

    Raises VerificationError if the service knows of none.
    """
    from private_posterior.errors import ProblemError
    from private_posterior.verification.signatures import VerificationError

    release_id = entry.subject_id
    try:
        if entry.kind == "query_charged":
            return client.answered_queries(release_id)
        return client.release(release_id)
    except ProblemError as problem:
        if problem.code == "not-found":
            raise VerificationError(f"the service has no such release, but entry {entry.sequence} charges it") from None
        note(f"{release_id}: {problem.code}, nothing to compare")
        return None


class _Memory:
    """The state of a budget's ledger at the last run."""

    def __init__(self, budget_id: str) -> None:
        directory = home() / "heads"
        directory.mkdir(mode=0o700, exist_ok=True)
        self._head, self._keys = directory / f"{budget_id}.json", directory / f"{budget_id}.keys.json"
        self.heads: list[dict[str, Any]] = _documents(self._head) if self._head.exists() else []
        self.keys: dict[str, str] = _documents(self._keys)[0] if self._keys.exists() else {}

    def keep(self, head: bytes, keys: Mapping[str, str]) -> None:
        _write(self._head, head)
        _write(self._keys, json.dumps(dict(keys)).encode())


def _write(path: Path, content: bytes) -> None:
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    new.replace(path)
