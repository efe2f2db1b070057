"""Declares `posterior datasets ...`: registers, lists and deletes data sets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.options import DatasetId
from private_posterior.commands.show import AsJson, as_json, facts, fail, note, table

if TYPE_CHECKING:
    from private_posterior.commands.records import Cells
    from private_posterior.models import Dataset, RegisteredDataset

datasets_app = typer.Typer(help="Register, list and delete data sets.", no_args_is_help=True)


@datasets_app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="What the data set is called.")],
    unit: Annotated[str, typer.Option(help="Whom one record stands for, in your words: 'one child'.")],
    one_record_per_unit: Annotated[
        bool, typer.Option("--one-record-per-unit", help="You affirm that each unit has exactly one record.")
    ] = False,
    records_per_unit: Annotated[
        int | None, typer.Option(min=1, help="In its place: you affirm that no unit has more records than this.")
    ] = None,
    n_is_public: Annotated[
        bool, typer.Option("--n-is-public", help="You affirm that the number of records may be known.")
    ] = False,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV file with a header and a record a line; - for standard input."),
    ] = None,
    counts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV file with a header and a category a line, the last column `count`."),
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="LIST", help="The categories of a file with one column: 'ill,well'.")
    ] = None,
    levels: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=LIST", help="A column and its levels: 'arm=vaccinated,placebo'. Repeat for a cross table."
        ),
    ] = None,
    impossible: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COMBINATION", help="Levels that no record can have together: 'age=0-9,smoker=yes'. Repeatable."
        ),
    ] = None,
    missing: Annotated[str | None, typer.Option(metavar="LEVEL", help="Count empty fields as this level.")] = None,
    encoding: Annotated[str, typer.Option(help="What the file is written in.")] = "utf-8",
    budget: Annotated[str | None, typer.Option(metavar="ID", help="Id of a budget of yours to draw on.")] = None,
    accountant: Annotated[Literal["basic", "zcdp"], typer.Option(help="Of the new budget.")] = "basic",
    epsilon: Annotated[str | None, typer.Option(metavar="AMOUNT", help="ε of the new budget.")] = None,
    delta: Annotated[str, typer.Option(metavar="AMOUNT", help="δ of the new budget.")] = "0",
    check: Annotated[
        bool, typer.Option("--check", help="Read the file and show what would be public. Sends nothing.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Register a data set from raw records or from counts, on a new budget or on one of yours. The counts go in and
    never come back.

    The levels are yours to give, as what is found in the data is private. They are public, and so are the number of
    records and the unit. A record that fits none of them is refused with its line, and nothing is registered.
    """
    from private_posterior.commands.records import (
        Cells,
        Column,
        RecordsError,
        column_of,
        combination_of,
        count_records,
        listed,
        read_counts,
    )

    if (records is None) is (counts is None):
        fail("give either --records or --counts")
    if one_record_per_unit is (records_per_unit is not None) or not n_is_public:
        fail("affirm --one-record-per-unit (or --records-per-unit) and --n-is-public, as n is published")
    if (budget is None) is (epsilon is None):
        fail("give either --budget with the id of one of yours, or --epsilon and --delta of a new one")
    try:
        if labels is not None and levels:
            fail("give either --labels or --levels")
        columns = [column_of(each) for each in levels or []] if labels is None else [Column("", listed(labels))]
        if records is not None and not columns:
            fail("give --labels or --levels: labels that are found in data are not public")
        without = [combination_of(each) for each in impossible or []]
        spelled = "utf-8-sig" if encoding.lower().replace("_", "-") in {"utf-8", "utf8"} else encoding
        if counts is not None:
            cells, found = read_counts(counts, columns, without, encoding=spelled)
        else:
            assert records is not None, "one of them was given"
            cells = Cells(tuple(columns), tuple(without))
            found = count_records(records, cells, encoding=spelled, missing=missing, report=_report)
    except RecordsError as error:
        fail(f"{error}. Nothing was registered")
    note(f"{sum(found):,} records in {len(found)} cells; the labels and this number are public")
    if check:
        table(["public label"], [[label] for label in cells.labels])
        return
    _register(cells, found, json=json, body=_body(name, unit, records_per_unit, budget, accountant, epsilon, delta))


def _body(
    name: str,
    unit: str,
    records_per_unit: int | None,
    budget: str | None,
    accountant: str,
    epsilon: str | None,
    delta: str,
) -> dict[str, Any]:
    """The registration, but for cells and counts."""
    new = {"accountant": accountant, "name": name, "epsilon": epsilon, "delta": delta}
    return {
        "name": name,
        "unit": unit,
        **({"one_record_per_unit": True} if records_per_unit is None else {"records_per_unit": records_per_unit}),
        "n_is_public": True,
        "budget": {"kind": "new", "budget": new} if budget is None else {"kind": "existing", "id": budget},
    }


def _register(cells: Cells, counts: list[int], *, body: dict[str, Any], json: bool) -> None:
    from typing import cast

    from private_posterior.commands.journal import once
    from private_posterior.models import DatasetCreate

    whole = cast("DatasetCreate", body | cells.description() | {"counts": counts})
    with connected() as client, once(client, "datasets", whole) as attempt:
        made = client.create_dataset(whole, attempt.idempotency_key)
        as_json(made) if json else _show_made(made)


def _show_made(made: RegisteredDataset) -> None:
    _show(made)
    facts(("nonce", made["nonce"] or "was told before, and is kept nowhere"))
    if made["nonce"]:
        note("Keep the nonce: with it you can later prove which counts were registered. It is not shown again.")


def _report(rows: int) -> None:
    if sys.stderr.isatty():
        typer.echo(f"\r{rows:,} records read", nl=False, err=True)


def _show(dataset: Dataset | RegisteredDataset) -> None:
    facts(
        ("data set", dataset["id"]),
        ("name", dataset["name"]),
        ("budget", f"{dataset['budget_id']} ({dataset['accountant']})"),
        ("records", f"{dataset['record_count']:,}; one stands for: {dataset['unit']}"),
        (
            "categories",
            f"{dataset['category_count']}: {', '.join(dataset['labels'][:12])}"
            + (", …" if dataset["category_count"] > 12 else ""),
        ),
        ("commitment", dataset["commitment"]),
        ("registered", dataset["created_at"]),
    )


@datasets_app.command("list")
def list_all(json: AsJson = False) -> None:
    """The data sets that you own or may spend on."""
    with connected() as client:
        found = list(client.datasets())
    if json:
        as_json(found)
        return
    table(
        ["data set", "name", "records", "categories", "budget"],
        [
            [each["id"], each["name"], f"{each['record_count']:,}", str(each["category_count"]), each["budget_id"]]
            for each in found
        ],
        alignment="<<>><",
    )


@datasets_app.command("show")
def show(dataset: DatasetId, json: AsJson = False) -> None:
    """What is public about a data set, and what you can still release from it."""
    from private_posterior.commands.show import amount_text

    with connected() as client:
        found, left = client.dataset(dataset), client.allowance(dataset)
    if json:
        as_json({"dataset": found, "allowance": left})
        return
    _show(found)
    facts(
        (
            "left for you",
            amount_text(left["largest_possible_charge"]) + (f" ({left['stopped_by']})" if left["stopped_by"] else ""),
        )
    )


@datasets_app.command("delete")
def delete(
    dataset: DatasetId,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Destroy the counts of a data set. Ledger and releases stay, and nothing that was spent is given back."""
    if not yes:
        typer.confirm(f"Destroy the counts of {dataset} for ever?", abort=True, err=True)
    with connected() as client:
        client.delete_dataset(dataset)
    note(f"The counts of {dataset} are destroyed.")
