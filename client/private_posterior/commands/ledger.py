"""The commands `posterior enrol`, `statement`, `ledger show` and `ledger export`."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from private_posterior.commands.access import checked_server, connected, is_enrolled, keep_access
from private_posterior.commands.names import analyst_names, budget_names, budget_of, dataset_names, dataset_of, named
from private_posterior.commands.options import BudgetName, DatasetName
from private_posterior.commands.readers import CommandsByReader
from private_posterior.commands.show import (
    AsJson,
    amount_text,
    as_json,
    echo,
    fail,
    note,
    pages_as_json,
    require_writable,
    table,
    write_file,
)
from private_posterior.credentials import NO_SERVER, SERVER, Access

if TYPE_CHECKING:
    from private_posterior.models import EnrolmentCreate

ledger_app = typer.Typer(
    name="ledger", cls=CommandsByReader, help="Show or export the ledger of a budget.", no_args_is_help=True
)


def enrol(
    replace: Annotated[bool, typer.Option("--replace", help="Replace the stored credentials.")] = False,
    expires: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help=("Time at which the key ends, such as 2027-01-31T12:00:00Z. If left out, it does not end."),
        ),
    ] = None,
) -> None:
    """Exchange an invitation for a key, which is kept in a file that only you can read.

    The token comes from an admin. It is read from standard input or asked for, and never from an argument. The
    recovery code is shown once.
    """
    if is_enrolled() and not replace:
        fail("there are credentials already; --replace replaces them")
    asked = sys.stdin.isatty()
    server = os.environ.get(SERVER) or (typer.prompt("Address of the service", err=True) if asked else "")
    if not server:
        fail(NO_SERVER)
    server = checked_server(server)
    token = (getpass.getpass("Invitation: ") if asked else sys.stdin.readline()).strip()
    if not token or not token.isascii() or any(character.isspace() for character in token):
        fail("this is not an invitation: copy it whole, without spaces; nothing was sent")
    body = cast("EnrolmentCreate", {"token": token} if expires is None else {"token": token, "expires_at": expires})
    with connected(Access(server, "")) as client:
        made = client.enrol(body)
    access = Access(server, made["key"] or "", made["expires_at"])
    path = keep_access(access)
    note("Keep this recovery code elsewhere, since it is not shown again. It gets you a new key when this one is lost:")
    echo(made["recovery_code"] or "")
    with connected(access) as client:
        name = next((each["name"] for each in client.principals()), None)
    called = f"{name!r}, {made['principal_id']}" if name else made["principal_id"]
    note(f"You are {called}. The key is in {path}. An analyst gives this id to owners, who give grants by it.")


@ledger_app.command("show")
def show_ledger(budget: BudgetName, json: AsJson = False) -> None:
    """Show the entries of a budget's ledger in order."""
    with connected() as client:
        entries = client.ledger(budget_of(client, budget))
        if json:
            pages_as_json(entries)
            return
        names = dataset_names(client) | budget_names(client) | analyst_names(client)
        rows = [
            [
                str(each["sequence"]), each["kind"], amount_text(each["amount"]), named(each["subject_id"], names),
                each["created_at"],
            ]
            for each in entries
        ]  # fmt: skip
    table(["", "entry", "amount", "subject", "at"], rows, alignment="><<<<")


@ledger_app.command("export")
def export_ledger(
    budget: BudgetName,
    file: Annotated[Path, typer.Argument(help="File to write.")],
    form: Annotated[
        Literal["jsonl", "csv"], typer.Option("--format", help="Format of the file. jsonl ends with the signed head.")
    ] = "jsonl",
) -> None:
    """Write the whole ledger of a budget to a file, as your own copy. `posterior verify` checks it."""
    require_writable(file)
    with connected() as client:
        write_file(file, client.ledger_text(budget_of(client, budget), form))
    note(f"The ledger is in {file}.")


def statement(dataset: DatasetName, json: AsJson = False) -> None:
    """Show the guarantee to the people in a data set, and what was spent."""
    with connected() as client:
        dataset = dataset_of(client, dataset)
        if json:
            as_json(client.statement(dataset))
        else:
            echo(client.statement_text(dataset), nl=False)
