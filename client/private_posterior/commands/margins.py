"""The command `posterior margins`: several small tables of a cross table, for one charge."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

from private_posterior.answers import interval_of
from private_posterior.commands.access import connected
from private_posterior.commands.names import dataset_of
from private_posterior.commands.options import Again, Confidence, DatasetName, Epsilon, Output, Rho, amount
from private_posterior.commands.show import (
    AsJson,
    amount_text,
    as_json,
    charges,
    echo,
    facts,
    fail,
    note,
    require_writable,
    share_text,
    table,
    write_release,
)
from private_posterior.payload import limit_of
from private_posterior.wording import number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from private_posterior.client import Client
    from private_posterior.models import (
        Attribute,
        EstimatesCreate,
        MarginsCreate,
        MarginsQuote,
        MarginsRelease,
        MarginTable,
    )
    from private_posterior.released import MarginsAnswer

_MOST_COLUMNS = 90
"""Largest width of the cells of a printed table, in characters. Wider tables are printed in parts."""
_WIDTHS: Final = {"half_width": "half width", "simultaneous_half_width": "all of a block at once"}
"""The widths of an interval, and their headings."""


def margins(
    dataset: DatasetName,
    all_: Annotated[
        int | None,
        typer.Option(
            "--all", metavar="NUMBER", help="The tables of all sets of this many attributes: 2 for all pairs."
        ),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="The table of these attributes: 'age,smoker'. Can be repeated."),
    ] = None,
    epsilon: Epsilon = None,
    rho: Rho = None,
    delta: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", parser=amount("--delta"), help="δ at which a ρ is also stated as ε."),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            metavar="KIND", help="blocks: tables that do not overlap share one draw, and have about half of the noise."
        ),
    ] = None,
    delta_to_spend: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--delta-to-spend"),
            help="δ that may be charged on a basic budget, if Gaussian noise is better: many tables need less noise.",
        ),
    ] = None,
    half_width: Annotated[
        float | None,
        typer.Option(help="Half the width of the intervals that you want, in records, instead of an amount."),
    ] = None,
    confidence: Confidence = 0.95,
    max_charge: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--max-charge"),
            help="The most that may be charged: ε, or ρ on a zcdp budget. --half-width needs it: see --dry-run.",
        ),
    ] = None,
    again: Again = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show the charge and the width of each table's intervals. Free.")
    ] = False,
    output: Output = None,
    json: AsJson = False,
) -> None:
    """Release small tables of a cross table: pairs of attributes, triples, or those that you name.

    With an amount or --half-width this is charged, once for each request to a data set. The tables agree with each
    other. Without, the command shows the tables from the margins that you may read, free.
    """
    if (all_ is None) is (not margin):
        fail("name the tables by --all, or by --margin: --all 2, or --margin age,smoker --margin age,ward")
    given = {"epsilon": epsilon, "rho": rho, "half_widths": None if half_width is None else [half_width]}
    priced = [name for name, value in given.items() if value is not None]
    more = {"noise": noise, "delta": delta, "delta_to_spend": delta_to_spend}
    if len(priced) > 1:
        fail("give one of --epsilon, --rho and --half-width")
    if not priced and (dry_run or again or output is not None or max_charge is not None):
        fail("give --epsilon, --rho or --half-width: without one, nothing is charged or quoted")
    require_writable(output)
    wanted: dict[str, Any] = {"confidence": confidence}
    wanted |= {"all": all_} if all_ is not None else {"margins": [attributes_in(each) for each in margin or []]}
    with connected() as client:
        dataset = dataset_of(client, dataset)
        if not priced:
            _show_readable(client, dataset, wanted, json=json)
            return
        wanted |= {name: value for name, value in {**given, **more}.items() if value is not None}
        if max_charge is not None:
            wanted |= limit_of(client.dataset(dataset)["accountant"], max_charge)
        body = cast("MarginsCreate", {"kind": "margins", **wanted})
        if dry_run:
            quote = client.quote(dataset, body)
            as_json(quote) if json else _show_quote(body, quote, again=again)
            return
        _release(client, dataset, body, output, again=again, json=json)


def _release(
    client: Client, dataset: str, body: MarginsCreate, output: Path | None, *, again: bool, json: bool
) -> None:
    from private_posterior.commands.journal import paid_once

    with paid_once(client, dataset, body, again=again) as made:
        stated = cast("MarginsAnswer", made).confidence
        as_json(made) if json else _show_release(made, stated)
        if stated != body["confidence"]:
            note(f"The release that was paid for states intervals at {stated}. For others, leave out the amount.")
        if output is not None:
            write_release(output, made)


def attributes_in(text: str) -> list[str]:
    """Return the attributes in a list with commas. Ends the command if the text is not one."""
    from private_posterior.commands.table_options import listed
    from private_posterior.errors import NotATable

    try:
        return list(listed(text))
    except NotATable as error:
        fail(str(error))


def _show_quote(body: MarginsCreate, quote: MarginsQuote, *, again: bool) -> None:
    charge = amount_text(quote["would_charge"])
    paid = quote["paid_under_key"]
    if paid is not None and not again:
        charge = f"nothing: the same request paid for {paid['id']} on {paid['created_at']}"
    full = quote["full_release"]["would_charge"]
    if quote["full_release"]["is_nearly_as_precise"] and paid is None:
        better = (
            "one full release for the same charge. It is nearly as precise in every table, and answers every question "
            "about the whole table, with a prior: `posterior release`"
        )
        facts(("better", better))
        echo()
    facts(
        ("would charge", charge),
        ("granted", "yes" if quote["granted"] else f"no: {quote['blocked_by']}"),
        ("most possible", amount_text(quote["largest_possible_charge"])),
        (
            "one full release",
            "can't be as precise" if full is None else f"{amount_text(full)} would be as precise in every table",
        ),
        ("certificate", quote["certificate"]["statement"]),
    )
    echo()
    intervals = [interval_of(each, body["confidence"]) for each in quote["tables"]]
    rows = [
        [
            ", ".join(each["attributes"]),
            number_text(each["cell_count"]),
            *(share_text(interval[name]) for name in _WIDTHS if name in interval),
            share_text(width),
        ]
        for each, interval, width in zip(quote["tables"], intervals, quote["full_release"]["half_widths"], strict=True)
    ]
    widths = [f"{heading}, {body['confidence']}" for name, heading in _WIDTHS.items() if name in intervals[0]]
    headings = ["table", "cells", *widths, "of one full release at this charge"]
    table(headings, rows, alignment="<" + ">" * (len(headings) - 1))
    echo()
    measured = [
        [
            ", ".join(each["attributes"]) or "number of records",
            number_text(each["cell_count"]),
            amount_text(each["cost"]),
        ]
        for each in quote["measured"]
    ]
    table(["measured margin", "cells", "costs"], measured, alignment="<><")


def _show_release(made: MarginsRelease, confidence: float) -> None:
    facts(("release", made["id"]), *charges(made), ("certificate", made["certificate"]["statement"]))
    for each in made["tables"]:
        _show_table(each, made["attributes"], confidence)
    listed = "; ".join(",".join(each["attributes"]) for each in made["measured"] if each["attributes"])
    note(f"Measured: {listed}. Each has a posterior of its own: `posterior posterior {made['id']} --margin LIST`.")


def _show_readable(client: Client, dataset: str, wanted: dict[str, Any], *, json: bool) -> None:
    found = client.estimate(dataset, cast("EstimatesCreate", wanted))
    if json:
        as_json(found)
        return
    attributes = client.dataset(dataset)["attributes"] or []
    for each in found["tables"] or ():
        _show_table(each, attributes, wanted["confidence"])
    note(f"Combined from {', '.join(found['used'])}. Add --epsilon or --rho to buy more.")


def _show_table(found: MarginTable, attributes: Sequence[Attribute], confidence: float) -> None:
    """Print the estimates of a table, with the levels of its last attribute as columns."""
    levels = {each["name"]: each["levels"] for each in attributes}
    *names, last = found["attributes"]
    estimates = [f"{each:,.1f}" for each in found["estimates"]]
    echo()
    interval = interval_of(found, confidence)
    at_once = interval.get("simultaneous_half_width")
    more = "" if at_once is None else f", all counts of its block at once ± {share_text(at_once)},"
    echo(
        f"{', '.join(found['attributes'])}: each ± {share_text(interval['half_width'])}{more} with probability "
        f"{confidence}"
    )
    across = len(levels[last])
    rows = list(product(*(levels[each] for each in names)))
    each_width = max(map(len, (*levels[last], *estimates))) + 2
    labels = sum(max(map(len, (name, *levels[name]))) + 2 for name in names)
    beside = max(1, (_MOST_COLUMNS - labels) // each_width)
    for first in range(0, across, beside):
        part = range(first, min(first + beside, across))
        table(
            [*names, *(levels[last][column] for column in part)],
            [[*row, *(estimates[place * across + column] for column in part)] for place, row in enumerate(rows)],
            alignment="<" * len(names) + ">" * len(part),
        )
