"""Declares `posterior enrol`, `statement`, `ledger show` and `ledger export`."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from private_posterior.commands.access import SERVER, Access, checked_server, connected, is_enrolled, keep_access
from private_posterior.commands.options import BudgetId, DatasetId
from private_posterior.commands.show import AsJson, amount_text, as_json, fail, note, table


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


ledger_app = typer.Typer(help="Show or export the ledger of a budget.", no_args_is_help=True)


@ledger_app.command("show")
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


@ledger_app.command("export")
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
