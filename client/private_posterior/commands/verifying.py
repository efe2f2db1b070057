"""Declares `posterior verify` and `posterior verify-release`. Their checks follow docs/reference/formats.md; the
service does not perform them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from private_posterior.commands.access import connected, home, service_access
from private_posterior.commands.exits import Exit
from private_posterior.commands.names import budget_names, budget_of
from private_posterior.commands.show import echo, fail, note, signature_beside

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.verification.ledgers import Entry, Ledger
    from private_posterior.verification.texts import Checked

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
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="Releases, public releases, receipts, signed heads and exports that you kept, as JSON, arrays or lines.",
    ),
]


def verify(
    budget: Annotated[str, typer.Argument(metavar="BUDGET", help="Name or id of a budget.")],
    kept: Kept = None,
    releases: Annotated[
        bool,
        typer.Option(
            "--releases", help="Also fetch every charged release and its evidence, and compare them with the ledger."
        ),
    ] = False,
) -> None:
    """Recompute the ledger of a budget, and compare it with the last run of this command.

    The command stores the signed head of the ledger and the public keys. It detects a ledger that was cut or rewritten
    since, or signed by another key. Of each text in a FILE it says what it compared: with signatures, the ledger, and
    the service's release.
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
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help=(
                "Public releases, releases that you paid for, and evidence, byte for byte as downloaded. Evidence is "
                "compared with the release of its id."
            ),
        ),
    ],
    public_key: PublicKey = None,
    signature: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help=(
                "Signature of a release that you paid for, if FILE is one. By default FILE.signature, where --output "
                "writes it."
            ),
        ),
    ] = None,
) -> None:
    """Verify all bytes of releases by their signatures and evidence. You need no API key. With --public-key nothing is
    sent.

    A public release has its signature inside. `--output` writes that of a release that you paid for beside it. Without
    a signature, as for releases of 0.1.0, only the receipt is checked. It does not bind labels, prior, unit, number of
    records, mechanism, noise and counts: the command names what it did not check, and ends with code 1. The evidence of
    a release, from `/v1/releases/{id}/evidence`, binds all its bytes too. Two texts that name one ledger entry with
    different hashes prove that the service kept two ledgers.
    """
    from private_posterior.verification.signatures import UnreadableError
    from private_posterior.verification.texts import check_texts

    with _verdicts():
        texts = []
        for file in files:
            found = _texts(file)
            if len(found) != 1:
                raise UnreadableError(f"{file} must hold one release, or the evidence of one")
            beside = signature or signature_beside(file)
            texts.append((*found[0], _texts(beside)[0][1] if beside.is_file() else None))
        checked = check_texts(texts, _keys(public_key))
    complete = [_print_checks(each) for each in checked]
    if not all(complete):
        raise typer.Exit(Exit.BAD_ANSWER)


def _print_checks(checked: Checked, where: str = "") -> bool:
    """Print what was compared and what was not. Return whether everything was."""
    echo(f"{where}{checked.what}: {checked.compared}")
    if checked.unchecked:
        echo(f"{where}{checked.what}: members not checked: {', '.join(checked.unchecked)}")
    return not checked.unchecked


def _texts(path: Path) -> list[tuple[str, Any]]:
    """Return the JSON documents of a file with their texts. Raises UnreadableError."""
    from private_posterior.verification.signatures import UnreadableError
    from private_posterior.verification.texts import texts_in

    try:
        return list(texts_in(path.read_bytes()))
    except (OSError, UnreadableError) as error:
        raise UnreadableError(f"{path} {error if isinstance(error, UnreadableError) else 'cannot be read'}") from None


def _keys(given: str | None) -> dict[str, str]:
    from private_posterior.verification.signatures import keys_in

    if given is None:
        with connected(service_access()) as client:
            return keys_in(client.public_key())
    path = Path(given)
    if not path.is_file():
        return keys_in(given)
    ((_, document),) = _texts(path)
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


def _faults_of_files(client: Client, paths: list[Path], ledger: Ledger, keys: Mapping[str, str]) -> Iterator[str]:
    """Say of each text what it was compared with. Yield each contradiction, and what was not compared. Raises
    UnreadableError for a file that is not JSON.
    """
    from private_posterior.verification.signatures import UnreadableError, VerificationError
    from private_posterior.verification.texts import check_with_ledger

    fetch = partial(_answer_of, client)
    for path in paths:
        texts = _texts(path)
        for text, document in texts:
            try:
                checked = check_with_ledger(text, document, ledger, keys, fetch)
            except UnreadableError:
                yield f"{path}: holds nothing that I know"
            except VerificationError as error:
                yield f"{path}: {error}"
            else:
                if not _print_checks(checked, f"{path}: "):
                    yield f"{path}: {checked.what}: not everything was checked"
        if not texts:
            yield f"{path}: holds nothing that I know"


def _faults_of_releases(client: Client, ledger: Ledger, keys: Mapping[str, str]) -> list[str]:
    """Return each contradiction between the service's releases and the ledger."""
    from private_posterior.verification.evidence import require_entry, verify_evidence
    from private_posterior.verification.releases import faults_of_release
    from private_posterior.verification.signatures import VerificationError

    faults, compared = list[str](), 0
    for release_id, entry in ledger.charges.items():
        try:
            answer = _answer_of(client, entry)
        except VerificationError as error:
            faults.append(f"{release_id}: {error}")
            continue
        if answer is None:
            continue
        compared += 1
        faults += faults_of_release(answer, ledger, keys)
        try:
            require_entry(verify_evidence(client.evidence(release_id), keys), ledger)
        except VerificationError as error:
            faults.append(str(error))
    note(f"Compared {compared} of {len(ledger.charges)} charged releases, with their evidence.")
    return faults


def _answer_of(client: Client, entry: Entry) -> Mapping[str, Any] | None:
    """Return the service's release of a charge, or None if it has failed, was lost or is being drawn.

    Raises VerificationError if the service knows of none.
    """
    from private_posterior.errors import ProblemError
    from private_posterior.verification.signatures import VerificationError

    release_id = entry.subject_id
    try:
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
        self.heads: list[dict[str, Any]] = [head for _, head in _texts(self._head)] if self._head.exists() else []
        self.keys: dict[str, str] = _texts(self._keys)[0][1] if self._keys.exists() else {}

    def keep(self, head: bytes, keys: Mapping[str, str]) -> None:
        _write(self._head, head)
        _write(self._keys, json.dumps(dict(keys)).encode())


def _write(path: Path, content: bytes) -> None:
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    new.replace(path)
