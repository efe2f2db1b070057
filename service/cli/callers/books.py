"""Declares what shows and checks what was spent: `ledger show`, `ledger export`, `statement`, `verify`; and `enrol`."""

from __future__ import annotations

import getpass
import json as json_module
import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Literal

import typer

from service.cli.callers.access import SERVER, Access, checked_server, connected, home, is_enrolled, keep_access
from service.cli.callers.exits import Exit
from service.cli.callers.options import BudgetId, DatasetId
from service.cli.callers.show import AsJson, amount_text, as_json, note, table
from service.cli.terminal import fail


def enrol(
    replace: Annotated[bool, typer.Option("--replace", help="Write over the credentials of before.")] = False,
) -> None:
    """Exchange an enrolment token for a key, which is kept in a file that only you can read.

    The token comes from the operator; it is read from standard input or asked for, and never from an argument. The
    recovery code is shown once.
    """
    if is_enrolled() and not replace:
        fail("there are credentials already; --replace writes over them")
    asked = sys.stdin.isatty()
    server = os.environ.get(SERVER) or (typer.prompt("Address of the service", err=True) if asked else "")
    if not server:
        fail(f"{SERVER} must say where the service is")
    server = checked_server(server)
    token = (getpass.getpass("Enrolment token: ") if asked else sys.stdin.readline()).strip()
    with connected(Access(server, "")) as client:
        made = client.enrol({"token": token})
    path = keep_access(Access(server, made["key"]))
    note(f"You are {made['principal_id']}. The key is in {path}.")
    note("Keep this recovery code elsewhere; with it you get a new key when this one is lost. It is not shown again:")
    typer.echo(made["recovery_code"])


def show_ledger(budget: BudgetId, json: AsJson = False) -> None:
    """Everything that happened to a budget, in order."""
    with connected() as client:
        entries = list(client.ledger(budget))
    if json:
        as_json(entries)
        return
    table(
        ["", "entry", "amount", "subject", "at"],
        [
            [str(each["sequence"]), each["kind"], amount_text(each["amount"]), each["subject_id"], each["created_at"]]
            for each in entries
        ],
        alignment="><<<<",
    )


def export_ledger(
    budget: BudgetId,
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where it goes.")],
    form: Annotated[
        Literal["jsonl", "csv"], typer.Option("--format", help="jsonl has the signed head as its last line.")
    ] = "jsonl",
) -> None:
    """Write the whole ledger of a budget to a file, for `ledger verify`."""
    with connected() as client:
        text = client.ledger_text(budget, form)
    try:
        file.write_bytes(text)
    except OSError as error:
        fail(f"{file} can't be written: {error.strerror}")
    note(f"The ledger is in {file}.")


def statement(dataset: DatasetId, json: AsJson = False) -> None:
    """State what was promised to the people in a data set, and what was spent of it."""
    with connected() as client:
        if json:
            as_json(client.statement(dataset))
        else:
            typer.echo(client.statement_text(dataset), nl=False)


def verify(budget: BudgetId) -> None:
    """Recompute the ledger of a budget, and compare it with what this command saw of it before.

    The signed end of the ledger and the public keys are kept from one time to the next: a ledger that was cut or
    rewritten since, or signed by another key, is found. Exit codes: 0, intact; 1, not what was once written.
    """
    from service.ledger.files import UnreadableError, read_checkpoints
    from service.ledger.verification import verify_export

    kept = home() / "heads"
    kept.mkdir(mode=0o700, exist_ok=True)
    with connected() as client:
        keys = client.public_key()
        text = client.ledger_text(budget)
    known = {each["key_id"]: each["public_key"] for each in (*keys["earlier"], keys)}
    pinned, head = kept / f"{budget}.keys.json", kept / f"{budget}.json"
    trusted = json_module.loads(pinned.read_text(encoding="utf-8")) if pinned.exists() else {}
    with tempfile.TemporaryDirectory() as directory:
        export, end = Path(directory) / "ledger.jsonl", Path(directory) / "head.json"
        export.write_bytes(text)
        end.write_bytes(text.splitlines()[-1])
        try:
            heads = read_checkpoints([end, *([head] if head.exists() else [])], known | trusted)
            (finding,) = verify_export([export], heads)
        except UnreadableError as error:
            fail(str(error), Exit.BAD_ANSWER)
    typer.echo(str(finding))
    lost = not trusted.items() <= known.items()
    if lost:
        typer.echo("The service no longer publishes a key that it signed with before.")
    if lost or finding.fault is not None:
        raise typer.Exit(Exit.BAD_ANSWER)
    if not head.exists():
        note("No head was kept from before; this one is kept now, and the next run compares with it.")
    _keep(head, text.splitlines()[-1])
    _keep(pinned, json_module.dumps(known).encode())


def _keep(path: Path, text: bytes) -> None:
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
    new.replace(path)
