"""The commands `posterior datasets ...`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from json import loads as from_json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.exits import Exit
from private_posterior.commands.names import budget_names, budget_of, dataset_of, named
from private_posterior.commands.options import DatasetName, amount
from private_posterior.commands.readers import CommandsByReader
from private_posterior.commands.show import (
    AsJson,
    amount_text,
    as_json,
    facts,
    fail,
    note,
    pages_as_json,
    require_writable,
    table,
)
from private_posterior.wording import number_text

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.commands.table_options import Counted
    from private_posterior.models import (
        Allowance,
        Dataset,
        DatasetChange,
        DatasetCreate,
    )

datasets_app = typer.Typer(
    name="datasets", cls=CommandsByReader, help="Register, list and delete data sets.", no_args_is_help=True
)


@datasets_app.command("create", rich_help_panel="Owners")
def create(
    name: Annotated[str, typer.Argument(help="Name of the data set.")],
    unit: Annotated[str, typer.Option(help="The person or thing that one record describes: 'one child'.")],
    one_record_per_unit: Annotated[
        bool, typer.Option("--one-record-per-unit", help="You affirm that each unit has exactly one record.")
    ] = False,
    records_per_unit: Annotated[
        int | None,
        typer.Option(
            min=1, help=("In place of --one-record-per-unit: you affirm that no unit has more records than this.")
        ),
    ] = None,
    n_is_public: Annotated[
        bool | None,
        typer.Option(
            "--n-is-public/--n-is-private",
            help=(
                "May it be known how many records there are? Public: you affirm that it may; it is published. "
                "Private: it is also hidden whether a unit is in the table; you affirm that the same people are in "
                "no table of another budget whose number of records is public."
            ),
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV or Parquet file with one record per row, counted by DuckDB. Needs --person or --no-person.",
        ),
    ] = None,
    counts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV file in UTF-8 with one category per row, and a column `count`; - for standard input.",
        ),
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="LIST", help="The categories of a file with one column: 'ill,well'.")
    ] = None,
    levels: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=LIST",
            help=(
                "A column and its levels: 'arm=vaccinated,placebo' or 'age=0-17 = child,18-64,65+'. Repeat for a cross "
                "table."
            ),
        ),
    ] = None,
    groups: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=RULE",
            help=(
                "A column of numbers or dates, and its groups: 'age=from 0, 18, 65', 'age=every 10 from 0 to 99', "
                "'seen=month from 2020-01 to 2020-12'. Can be repeated."
            ),
        ),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(
            metavar="DATASET",
            help=(
                "Take columns, levels and impossible combinations from this data set: its name, its id, or a file that "
                "'posterior datasets show --json' wrote."
            ),
        ),
    ] = None,
    impossible: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COMBINATION",
            help=("Levels that no record can have together: 'age=0-9,smoker=yes'. Can be repeated."),
        ),
    ] = None,
    missing: Annotated[str | None, typer.Option(metavar="LEVEL", help="Count empty fields as this level.")] = None,
    count_column: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column with the number of records, if it is not named count."),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="With --records: the column that names the unit. The records of each are compared with what you "
            "affirm. The column stays on this computer.",
        ),
    ] = None,
    no_person: Annotated[
        bool, typer.Option("--no-person", help="With --records: no column names the unit, so nothing is compared.")
    ] = False,
    keep_by: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="With --person: count only the first record of each, in the order of this column."
        ),
    ] = None,
    leave_out: Annotated[
        bool,
        typer.Option("--leave-out", help="Leave out records without a cell, which are an error otherwise."),
    ] = False,
    one_record_per_line: Annotated[
        bool,
        typer.Option(
            "--one-record-per-line",
            help="With --records: each line is one record, although a column looks like numbers of records.",
        ),
    ] = False,
    budget: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name or id of your budget for the data set.")
    ] = None,
    accountant: Annotated[Literal["basic", "zcdp"], typer.Option(help="Accountant of the new budget.")] = "basic",
    epsilon: Annotated[
        str | None, typer.Option(metavar="AMOUNT", parser=amount("--epsilon"), help="ε of the new budget.")
    ] = None,
    delta: Annotated[str, typer.Option(metavar="AMOUNT", parser=amount("--delta"), help="δ of the new budget.")] = "0",
    nonce_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the nonce to a file that only you can read.")
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help=("Read the file, and show the table and what would become public. Sends nothing.")
        ),
    ] = False,
    json: AsJson = False,
) -> None:
    """Register a data set from raw records or from counts. It is on a new budget, or on one of yours. The service never
    returns the counts.

    You list the levels, because levels found in the data could disclose a record. Levels and unit are public, and the
    number of records with --n-is-public. If a record matches no level, the command reports its line and registers
    nothing.
    """
    from private_posterior.commands.table_options import TableOptions, count_file, read_counts
    from private_posterior.errors import NotATable

    if (records is None) is (counts is None):
        fail("give either --records or --counts")
    if records is not None and no_person is (person is not None):
        fail("name the column of the unit with --person, or affirm --no-person")
    if not check:
        if one_record_per_unit is (records_per_unit is not None) or n_is_public is None:
            fail("affirm --one-record-per-unit (or --records-per-unit), and --n-is-public or --n-is-private")
        if (budget is None) is (epsilon is None):
            fail("give either --budget with a budget of yours, or --epsilon and --delta of a new one")
        require_writable(nonce_file)
    options = TableOptions(
        labels, levels or [], groups or [], impossible or [], missing, count_column, person, keep_by,
        records_per_unit or 1, leave_out, None if like is None else _public_facts(like),
        one_record_per_line,
    )  # fmt: skip
    try:
        counted = count_file(records, options) if records is not None else read_counts(counts or Path("-"), options)
    except NotATable as error:
        fail(f"{error}. Nothing was registered")
    for reason, number in counted.left_out.items():
        note(f"left out: {number_text(number)} ({reason}); this number is not public")
    if check:
        _show_check(name, unit, counted, n_is_public=n_is_public is not False)
        if n_is_public is None:
            note("The table is as with --n-is-public. With --n-is-private the number of records stays secret.")
        return
    public = "the labels and this number are public" if n_is_public else "the labels are public, and this number is not"
    note(f"{number_text(sum(counted.counts))} records in {len(counted.counts)} cells; {public}")
    body = _body(name, unit, records_per_unit, accountant, epsilon, delta) | {"n_is_public": n_is_public}
    _register(counted, body=body, budget=budget, nonce_file=nonce_file, json=json)


def _public_facts(like: str) -> Mapping[str, Any]:
    """Return the public facts of a data set, by its name or id, or as a file has them."""
    if not Path(like).is_file():
        with connected() as client:
            return client.dataset(dataset_of(client, like))
    try:
        found = from_json(Path(like).read_text("utf-8"))
        columns = [{"name": each["name"], "levels": list(each["levels"])} for each in found["attributes"] or ()]
        return {"attributes": columns, "impossible": found.get("impossible")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        fail(f"{like} does not have a data set as 'posterior datasets show --json' writes it")


def _show_check(name: str, unit: str, counted: Counted, *, n_is_public: bool) -> None:
    rows = [[label, label, number_text(count)] for label, count in zip(counted.labels, counted.counts, strict=True)]
    total = number_text(sum(counted.counts))
    rows.append(["", f"{total} records" if n_is_public else "", total])
    table(["category", "becomes public", "your count, which stays secret"], rows, alignment="<<>")
    note(f"Also public: the name {name!r}, and that one record stands for {unit!r}. Nothing was sent.")


def _body(
    name: str,
    unit: str,
    records_per_unit: int | None,
    accountant: str,
    epsilon: str | None,
    delta: str,
) -> dict[str, Any]:
    """Return the registration without cells and counts."""
    new = {"accountant": accountant, "name": name, "epsilon": epsilon, "delta": delta}
    return {
        "name": name,
        "unit": unit,
        **({"one_record_per_unit": True} if records_per_unit is None else {"records_per_unit": records_per_unit}),
        "budget": {"kind": "new", "budget": new},
    }


def _register(
    counted: Counted,
    *,
    body: dict[str, Any],
    budget: str | None,
    nonce_file: Path | None,
    json: bool,
) -> None:
    from private_posterior.commands.journal import once

    with connected() as client:
        if budget is not None:
            body["budget"] = {"kind": "existing", "id": budget_of(client, budget)}
        whole = cast("DatasetCreate", body | dict(counted.fields))
        with once(client, "datasets", whole, lambda key: client.create_dataset(whole, key)) as made:
            # The service returns the nonce once. It is shown even if its file can't be written.
            try:
                if nonce_file is not None and made["nonce"]:
                    _keep_nonce(nonce_file, made["nonce"])
            finally:
                as_json(made) if json else _show_made(client, made, nonce_file)


def _keep_nonce(path: Path, nonce: str) -> None:
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(nonce + "\n")
    except OSError as error:
        fail(f"{path} can't be written ({error.strerror}): write down the nonce that is shown", Exit.INCOMPLETE)


def _show_made(client: Client, made: Dataset, nonce_file: Path | None) -> None:
    facts(("nonce", made["nonce"] or "shown before, and kept nowhere"))
    _show(made, budget_names(client))
    kept = f"is in {nonce_file}" if nonce_file is not None and made["nonce"] else "is not shown again"
    note(
        f"The nonce {kept}. The commitment is a hash of nonce, labels and counts: with the nonce you can later prove "
        "which counts were registered. Without it nobody can prove that; releases and budget don't depend on it. Keep "
        "the nonce like the counts: anybody who has it can find the counts of a small table by trying."
    )


def _show(dataset: Dataset, budgets: Mapping[str, str]) -> None:
    from private_posterior.dataset import fact_rows

    facts(
        ("data set", dataset["id"]),
        ("name", dataset["name"]),
        ("budget", f"{named(dataset['budget_id'], budgets)}, {dataset['accountant']}"),
        *fact_rows(dataset),
        ("listed", "for all analysts of the service" if dataset["listed"] else ""),
        ("commitment", dataset["commitment"]),
        ("registered", dataset["created_at"]),
    )


def _records(count: int | None) -> str:
    return "private" if count is None else number_text(count)


@datasets_app.command("list")
def list_all(json: AsJson = False) -> None:
    """List the data sets that you own or may spend on."""
    with connected() as client:
        if json:
            pages_as_json(client.datasets())
            return
        found, budgets = list(client.datasets()), budget_names(client)
    table(
        ["data set", "name", "records", "categories", "budget"],
        [
            [
                each["id"], each["name"], _records(each["record_count"]), str(each["category_count"]),
                named(each["budget_id"], budgets),
            ]
            for each in found
        ],
        alignment="<<>><",
    )  # fmt: skip


@datasets_app.command("listed", rich_help_panel="Analysts")
def list_listed(json: AsJson = False) -> None:
    """List the data sets that owners listed for all analysts. `access request` asks for a grant."""
    with connected() as client:
        if json:
            pages_as_json(client.listed_datasets())
            return
        found = list(client.listed_datasets())
    table(
        ["data set", "name", "one record", "records", "categories", "accountant"],
        [
            [
                each["id"], each["name"], each["unit"],
                _records(each["record_count"]),
                str(each["category_count"]), each["accountant"],
            ]
            for each in found
        ],
        alignment="<<<>>",
    )  # fmt: skip


@datasets_app.command("change", rich_help_panel="Owners")
def change(
    dataset: DatasetName,
    listed: Annotated[
        bool | None,
        typer.Option(
            "--listed/--unlisted",
            help=(
                "Whether every analyst of the service can ask for access, and sees name, unit, labels and number "
                "of records."
            ),
        ),
    ] = None,
    shared: Annotated[
        bool | None,
        typer.Option(
            "--share-history/--separate-histories",
            help="Whether every grant uses and shows what was measured for the others.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="A new name.")] = None,
    json: AsJson = False,
) -> None:
    """Rename a data set, list it, or share its history."""
    given = {"listed": listed, "history_shared": shared, "name": name}
    body = cast("DatasetChange", {option: value for option, value in given.items() if value is not None})
    if not body:
        fail("give an option with a change")
    with connected() as client:
        changed = client.change_dataset(dataset_of(client, dataset), body)
        as_json(changed) if json else _show(changed, budget_names(client))


@datasets_app.command("show", rich_help_panel="Analysts and owners")
def show(dataset: DatasetName, json: AsJson = False) -> None:
    """Show the public facts about a data set. It also shows what you can still release from it."""
    with connected() as client:
        found = client.dataset(dataset_of(client, dataset))
        if json:
            as_json(found)
            return
        left = client.allowance(found["id"])
        _show(found, budget_names(client))
    _show_allowance(left)


@datasets_app.command("allowance", rich_help_panel="Analysts and owners")
def allowance(dataset: DatasetName, json: AsJson = False) -> None:
    """Show what you can still release from a data set."""
    with connected() as client:
        left = client.allowance(dataset_of(client, dataset))
    as_json(left) if json else _show_allowance(left)


def _show_allowance(left: Allowance) -> None:
    stopped = f" ({left['blocked_by'].replace('-', ' ')})" if left["blocked_by"] else ""
    facts(("left for you", amount_text(left["largest_possible_charge"]) + stopped))


@datasets_app.command("delete", rich_help_panel="Owners")
def delete(
    dataset: DatasetName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Destroy the counts of a data set. Ledger and releases stay, and nothing is refunded."""
    with connected() as client:
        found = client.dataset(dataset_of(client, dataset))
        what = f"{found['name']!r}"
        if found["record_count"] is not None:
            what += f" ({number_text(found['record_count'])} records)"
        if not yes:
            typer.confirm(f"Destroy the counts of {what}?", abort=True, err=True)
        client.delete_dataset(found["id"])
    note(f"The counts of {what} are destroyed.")
