"""The commands `posterior mechanisms`, `release` and `releases`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.cells import Names
from private_posterior.commands.names import dataset_names, dataset_of, named
from private_posterior.commands.options import (
    Again,
    DatasetName,
    Level,
    Merge,
    Only,
    Output,
    Picture,
    Prior,
    Rho,
    amount,
    prior_of,
)
from private_posterior.commands.show import (
    AsJson,
    amount_text,
    as_json,
    charges,
    echo,
    facts,
    fail,
    lacking_text,
    note,
    pages_as_json,
    require_writable,
    table,
    write_file,
    write_release,
)
from private_posterior.payload import limit_of

if TYPE_CHECKING:
    from private_posterior.models import (
        CountsCreate,
        MechanismDescription,
        MechanismParameter,
    )
    from private_posterior.released import ReleaseAnswer


def release(
    dataset: DatasetName,
    mechanism: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help=(
                "Mechanism that draws the noise: a kind that `posterior mechanisms` lists; simplex_geometric if left "
                "out, or geometric if the number of records is private."
            ),
        ),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT", parser=amount("--epsilon"), help="ε of the release; nominal for exponential_published."
        ),
    ] = None,
    rho: Rho = None,
    delta: Annotated[
        str | None, typer.Option(metavar="AMOUNT", parser=amount("--delta"), help="δ, if the mechanism takes one.")
    ] = None,
    calibration: Annotated[
        str, typer.Option(metavar="NAME", help="Calibration of the exponential mechanism: proven or certified.")
    ] = "proven",
    prior: Prior = None,
    merge: Merge = None,
    only: Only = None,
    level: Level = 0.95,
    max_charge: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--max-charge"),
            help="The most that may be charged: ε, or ρ on a zcdp budget.",
        ),
    ] = None,
    again: Again = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show the cost, and whether the release would be granted. Free.")
    ] = False,
    output: Output = None,
    picture: Picture = None,
    json: AsJson = False,
) -> None:
    """Release a differentially private posterior. This is charged, once for each request to a data set.

    The same command returns the same release, free, also if it was interrupted. With --again it buys another one.
    """
    from private_posterior.commands.journal import paid_once
    from private_posterior.dataset import DEFAULT_MECHANISM

    require_writable(output)
    require_writable(picture)
    given = {"epsilon": epsilon, "rho": rho, "delta": delta, "calibration": calibration}
    with connected() as client:
        public = client.dataset(dataset_of(client, dataset))
        kind = mechanism or DEFAULT_MECHANISM[public["relation"]]
        chosen = _mechanism(client.mechanisms()["items"], kind, given)
        dataset, size = public["id"], public["category_count"]
        body: dict[str, Any] = {"kind": "counts", "mechanism": chosen, "level": level}
        if prior is not None:
            body["prior"] = prior_of(prior, size)
        body |= limit_of(public["accountant"], max_charge)
        if merge or only:
            body |= Names.of(public).merged(merge, only)
        wanted = cast("CountsCreate", body)
        if dry_run:
            quote = client.quote(dataset, wanted)
            if json:
                as_json(quote)
                return
            expected = quote["expected_accuracy"]
            accuracy = [] if expected is None else [("accuracy", expected["warning"] or expected["summary"])]
            if quote["certificate"]["relation"] == "add_remove":
                accuracy = [("accuracy", "`posterior plan` shows it at your guess of the number of records")]
            charge = amount_text(quote["would_charge"])
            lacking = lacking_text(quote["would_charge"], quote["largest_possible_charge"])
            paid = quote["paid_under_key"]
            if paid is not None and not again:
                charge = f"nothing: the same request paid for {paid['id']} on {paid['created_at']}"
            facts(
                ("would charge", charge),
                (
                    "granted",
                    "yes" if quote["granted"] else f"no: {quote['blocked_by']}{f' ({lacking})' if lacking else ''}",
                ),
                ("most possible", amount_text(quote["largest_possible_charge"])),
                ("released before", f"{len(quote['already_released'])} that answer any prior and question, free"),
                *accuracy,
                ("certificate", quote["certificate"]["statement"]),
            )
            return
        with paid_once(client, dataset, wanted, again=again) as made:
            as_json(made) if json else _show_release(cast("ReleaseAnswer", made))
            if output is not None:
                write_release(output, made)
            if picture is not None:
                write_picture(picture, client.plot(made["id"], level=level))


def _mechanism(known: list[MechanismDescription], kind: str, given: dict[str, str | None]) -> dict[str, str]:
    """Return the mechanism and its parameters, from the options that were given. Ends the command if one is missing or
    not accepted.
    """
    parameters = next((each["parameters"] for each in known if each["kind"] == kind), None)
    if parameters is None:
        fail(f"there is no mechanism {kind!r}; there are {', '.join(each['kind'] for each in known)}")
    chosen, left = {"kind": kind}, dict(given)
    for parameter in parameters:
        option = parameter["name"].removeprefix("nominal_")
        value, choices = left.pop(option, None), parameter["choices"]
        if value is not None and choices is not None and value not in choices:
            fail(f"--{option} takes {' or '.join(choices)}")
        if value is not None:
            chosen[parameter["name"]] = value
        elif parameter["required"]:
            fail(f"{kind} takes --{option}")
    for option, value in left.items():
        if value is not None and option != "calibration":  # it has a default
            fail(f"{kind} has no option --{option}")
    return chosen


def _show_release(made: ReleaseAnswer) -> None:
    from private_posterior.released import NAIVE

    facts(
        ("release", made["id"]),
        *charges(made.document),
        ("certificate", made["certificate"]["statement"]),
    )
    if (aware := made.shares()) and (total := aware["total"]) is not None:
        low, high = total["interval"]["low"], total["interval"]["high"] or math.inf
        facts(("records", f"about {total['mean']:,.0f}, {low:,.0f} to {high:,.0f} at {made.asked_level}"))
    echo()
    headings, rows = made.table()
    table(headings, rows, alignment="<>>>>>")
    note(NAIVE if aware else f"{NAIVE} `posterior posterior {made['id']}` accounts for the noise.")


def releases(
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="List only those from this data set: name or id.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List the releases that you may read. Computations from them are free."""
    with connected() as client:
        listing = client.releases(None if dataset is None else dataset_of(client, dataset))
        if json:
            pages_as_json(listing)
            return
        found, names = list(listing), dataset_names(client)
    table(
        ["release", "data set", "kind", "mechanism", "charged", "state", "released"],
        [
            [
                each["id"], named(each["dataset_id"], names), each["kind"] or "",
                each["mechanism"]["kind"] if each["mechanism"] else "",
                amount_text(each["charged"]), each["state"], each["created_at"],
            ]
            for each in found
        ],
    )  # fmt: skip


def mechanisms(json: AsJson = False) -> None:
    """List the mechanisms of releases, and the options that each takes."""
    with connected() as client:
        found = client.mechanisms()
    if json:
        as_json(found)
        return
    table(
        ["mechanism", "options", "what it does"],
        [[each["kind"], " ".join(map(_option, each["parameters"])), each["description"]] for each in found["items"]],
    )


def _option(parameter: MechanismParameter) -> str:
    option = f"--{parameter['name'].removeprefix('nominal_')}"
    return option if parameter["required"] else f"[{option}]"


def write_picture(path: Path, picture: bytes) -> None:
    write_file(path, picture)
    note(f"The picture is in {path}.")
