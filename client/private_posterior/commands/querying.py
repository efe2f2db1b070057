"""The command `posterior query`: counts and weighted sums of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.cells import Names, items_of
from private_posterior.commands.names import dataset_of
from private_posterior.commands.options import Again, Confidence, DatasetName, amount
from private_posterior.commands.show import AsJson, amount_text, as_json, charges, echo, facts, fail, table
from private_posterior.payload import limit_of

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import EstimatesCreate, QueryCreate, QueryEstimate


def query(
    dataset: DatasetName,
    count: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIST", help=("Count the records in these categories: 'ill,dead', 'outcome=ill'. Can be repeated.")
        ),
    ] = None,
    weights: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="A weighted sum of counts: 'one=1,two=2'. Can be repeated."),
    ] = None,
    half_width: Annotated[
        float | None, typer.Option(help=("Half the width of the interval that you want, in units of the answer."))
    ] = None,
    confidence: Confidence = 0.95,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure what earlier releases do not answer. This is charged.")
    ] = False,
    max_charge: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--max-charge"),
            help="The most that may be charged: ε, or ρ on a zcdp budget. --measure needs it if anything is charged.",
        ),
    ] = None,
    again: Again = False,
    json: AsJson = False,
) -> None:
    """Answer counts and weighted sums: free from the releases that you may read, or with --measure as precisely as you
    ask.

    The service finds the price of a measurement: see it without --measure, then give --max-charge.

    Measured rows get the most noise that still gives the requested width. The same command returns what was paid for,
    free, also if it was interrupted.
    """
    if not count and not weights:
        fail("give --count or --weights: what should be answered?")
    if measure and half_width is None:
        fail("--measure needs --half-width: how precise must the answer be?")
    with connected() as client:
        dataset = dataset_of(client, dataset)
        wanted: dict[str, Any] = {"confidence": confidence}
        if half_width is not None:
            wanted["half_width"] = half_width
        public = client.dataset(dataset)
        names = Names.of(public)
        asked = [wanted | {"of": names.cells(each)} for each in count or []]
        asked += [wanted | {"weights": _weights(each)} for each in weights or []]
        named = [*(count or []), *(weights or [])]
        if measure:
            limit = limit_of(public["accountant"], max_charge)
            _measure(client, dataset, asked, named, limit, again=again, json=json)
            return
        found = client.estimate(dataset, cast("EstimatesCreate", {"queries": asked}))
        body = cast("QueryCreate", {"kind": "queries", "queries": asked})
        quote = None if half_width is None else client.quote(dataset, body)
    if json:
        as_json(found if quote is None else found | {"quote": quote})
        return
    rows = [_estimate(name, answer) for name, answer in zip(named, found["answers"] or [], strict=True)]
    table(_headings(confidence), rows, alignment="<>>>")
    if quote is not None:
        reachable = ["none" if each is None else f"{each:,.6g}" for each in quote["achievable_half_widths"]]
        echo()
        facts(
            ("with --measure", f"charged {amount_text(quote['would_charge'])}"),
            ("half width within reach", "; ".join(reachable)),
        )


def _measure(
    client: Client, dataset: str, asked: list[dict[str, Any]], named: list[str], limit: dict[str, Any], *,
    again: bool, json: bool,
) -> None:  # fmt: skip
    from private_posterior.commands.journal import paid_once

    body = cast("QueryCreate", {"kind": "queries", "queries": asked} | limit)
    with paid_once(client, dataset, body, again=again) as made:
        if json:
            as_json(made)
            return
        facts(
            ("release", made["id"]),
            *charges(made),
        )
        echo()
        rows = [_estimate(name, answer) for name, answer in zip(named, made["answers"], strict=True)]
        table(_headings(asked[0]["confidence"]), rows, alignment="<>>>")


def _headings(confidence: float) -> list[str]:
    return ["query", "estimate", f"{confidence} from", "to"]


def _estimate(name: str, estimate: QueryEstimate | None) -> list[str]:
    if estimate is None:
        return [name, "none", "", ""]
    interval = estimate["interval"]
    return [name, *(f"{value:,.6g}" for value in (estimate["estimate"], interval["low"], interval["high"]))]


def _weights(text: str) -> dict[str, str]:
    pairs = [item.rpartition("=") for item in items_of(text)]
    if not all(sign for _, sign, _ in pairs):
        fail("--weights takes labels with a weight each: 'one=1,two=2'")
    return {label.strip(): weight.strip() for label, _, weight in pairs}
