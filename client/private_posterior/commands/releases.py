"""The commands `posterior plan`, `mechanisms`, `release` and `releases`."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.names import dataset_names, dataset_of, named
from private_posterior.commands.options import Again, DatasetName, Delta, Level, Picture, Prior, Rho, amount, prior_of
from private_posterior.commands.show import (
    AsJson,
    amount_text,
    as_json,
    charges,
    echo,
    facts,
    fail,
    note,
    number_text,
    pages_as_json,
    require_writable,
    share_text,
    table,
    text_of,
    write_file,
)
from private_posterior.errors import ClientError

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import (
        MechanismDescription,
        MechanismParameter,
        NoiseAwarePosterior,
        PlanCreate,
        PlanOption,
        ReachedTarget,
        Release,
        ReleaseCreate,
        Target,
    )

_MOST_PLANNED_CATEGORIES: Final = 1000
_SMALL_PRIOR: Final = 0.3
"""Prior below which the error of a narrow width is relative to 0.01, as the API's description says."""


def plan(
    dataset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Plan for the public size and categories of this data set: name or id."),
    ] = None,
    counts: Annotated[
        str | None, typer.Option(metavar="LIST", help="Made-up counts, separated by commas: '5,995'.")
    ] = None,
    records: Annotated[int | None, typer.Option(min=1, help="Number of records, if you give no --counts.")] = None,
    categories: Annotated[
        int | None, typer.Option(min=2, help="Number of categories, if you give no --counts.")
    ] = None,
    shape: Annotated[
        Literal["even", "falling", "prior_mean"],
        typer.Option(help=("Distribution of the made-up records over categories.")),
    ] = "even",
    epsilon: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--epsilon"),
            help="ε at which the mechanisms are compared; give it up to 40 times. By default 0.5.",
        ),
    ] = None,
    delta: Delta = "1e-6",
    prior: Prior = "uniform",
    level: Level = 0.95,
    target_width: Annotated[
        float | None,
        typer.Option(metavar="WIDTH", help="Also find the smallest ε with no interval wider than this."),
    ] = None,
    target_error: Annotated[
        float | None, typer.Option(help="Also find the smallest ε whose expected Hellinger error is at most this.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Compare the cost, error and interval widths of the mechanisms before you pay. Free.

    The plan is computed from made-up counts, or from sizes only. No data set is read.
    """
    guess = None if counts is None else _whole_numbers(counts)
    if guess is None and dataset is None and (records is None or categories is None):
        fail("give --counts, or --dataset, or --records and --categories")
    with connected() as client:
        if guess is None and dataset is not None:
            public = client.dataset(dataset_of(client, dataset))
            records, categories = public["record_count"], public["category_count"]
        size = categories or 0 if guess is None else len(guess)
        if size > _MOST_PLANNED_CATEGORIES:
            fail(
                f"a plan takes at most {number_text(_MOST_PLANNED_CATEGORIES)} categories, and these are "
                f"{number_text(size)}; `posterior release --dry-run` shows the charge of a release"
            )
        data = (
            {"kind": "shape", "shape": shape, "record_count": records}
            if guess is None
            else {"kind": "counts", "counts": guess}
        )
        body: dict[str, Any] = {
            "prior": prior_of(prior, size),
            "data": data,
            "epsilons": sorted({*(epsilon or ["0.5"])}, key=Decimal),
            "delta": delta,
            "level": level,
        }
        if target_error is not None:
            body["target_error"] = target_error
        if target_width is not None:
            body["target_width"] = target_width
        found = client.plan(cast("PlanCreate", body))
    if json:
        as_json(found)
        return
    exact = share_text(found["without_noise"][0]["width"])
    headings = ["mechanism", "charged", f"{level:g} interval", "standard error", "without noise", "error"]
    headings.append("95 % of errors below")
    several = len(found["points"]) > 1
    rows = [
        [*([point["epsilon"]] if several else []), *_row(option, exact)]
        for point in found["points"]
        for option in point["options"]
    ]
    table(["epsilon", *headings] if several else headings, rows, alignment=">" * several + "<<>>>>>")
    options = [option for point in found["points"] for option in point["options"]]
    reasons = [(option, option["unavailable_reason"]) for option in options]
    reasons += [
        (option, f"no interval, because {reason}")
        for option in options
        if (reason := option["intervals_unavailable_reason"]) is not None
    ]
    for text in dict.fromkeys(f"{_called(option)}: {reason}" for option, reason in reasons if reason is not None):
        note(text)
    if found["target"] is not None:
        _show_target(found["target"], exact)
    for point in found["points"]:
        at = f" at {point['epsilon']}" if several else ""
        note(f"Recommended{at}: {point['recommended']['kind']}, as {point['recommended']['reason']}.")
    note(
        "Errors are Hellinger distances, from 0 to 1. Widths are of the largest category, and off by at most "
        f"{_width_error(body['prior'])}. {found['note']}"
    )


def _row(option: PlanOption, exact: str) -> list[str]:
    error, widths, loss = option["error"], option["intervals"], option["certified"]
    cost = "" if loss is None else f"epsilon {loss['epsilon']}" + (
        "" if loss["delta"] == "0" else f", delta {loss['delta']}"
    )  # fmt: skip
    return [
        _called(option),
        cost or "not now",
        share_text(widths[0]["width"]) if widths else "not known",
        share_text(widths[0]["standard_error"]) if widths else "",
        exact if widths else "",
        "" if error is None else f"{error['expected']:.4f}",
        "" if error is None else f"{error['quantile_95']:.4f}",
    ]


def _show_target(target: Target, exact: str) -> None:
    """Show the smallest ε of each mechanism that reaches the target."""
    if target["unreachable_reason"] is not None:
        note(target["unreachable_reason"])
        return
    rows = []
    for each in target["reached"]:
        if each["option"] is None:
            rows.append([_called(each), "none", "", "", each["reason"] or ""])
        else:
            called, charged, width, _, _, error, _ = _row(each["option"], exact)
            rows.append([called, each["epsilon"] or "none", width, error, charged])
    table(["mechanism", "epsilon needed", "interval", "error", "charged"], rows, alignment="<>>><")
    if target["recommended"] is not None:
        note(f"Recommended for this: {target['recommended']['kind']}, as {target['recommended']['reason']}.")


def _width_error(prior: list[float]) -> str:
    if len(prior) == 2:
        return "1 %"
    narrow = " (of 0.01, if the width is smaller)" if min(prior) < _SMALL_PRIOR else ""
    return f"four standard errors and 5 %{narrow}"


def _called(option: PlanOption | ReachedTarget) -> str:
    return f"{option['kind']}, {option['calibration']}" if option["calibration"] else option["kind"]


def _whole_numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        fail("--counts takes whole numbers with commas between")


def release(
    dataset: DatasetName,
    mechanism: Annotated[
        str,
        typer.Option(metavar="KIND", help="Mechanism that draws the noise: a kind that `posterior mechanisms` lists."),
    ] = "simplex_geometric",
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
    prior: Prior = "uniform",
    level: Level = 0.95,
    max_charge: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--max-charge"),
            help="Refuse if the proven charge in ε is above this.",
        ),
    ] = None,
    again: Again = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show the cost, and whether the release would be granted. Free.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the release to this file, byte for byte.")
    ] = None,
    picture: Picture = None,
    json: AsJson = False,
) -> None:
    """Release a differentially private posterior. This is charged, once for each request to a data set.

    The same command returns the same release, free, also if it was interrupted. With --again it buys another one.
    """
    from private_posterior.commands.journal import paid_once

    require_writable(output)
    require_writable(picture)
    given = {"epsilon": epsilon, "rho": rho, "delta": delta, "calibration": calibration}
    with connected() as client:
        chosen = _mechanism(client.mechanisms()["items"], mechanism, given)
        public = client.dataset(dataset_of(client, dataset))
        dataset, size = public["id"], public["category_count"]
        body: dict[str, Any] = {"prior": prior_of(prior, size), "mechanism": chosen, "level": level}
        if max_charge is not None:
            body["max_charge"] = {"epsilon": max_charge}
        wanted = cast("ReleaseCreate", body)
        if dry_run:
            quote = client.quote(dataset, wanted)
            if json:
                as_json(quote)
                return
            expected = quote["expected_accuracy"]
            accuracy = [] if expected is None else [("accuracy", expected["warning"] or expected["summary"])]
            charge, paid = amount_text(quote["would_charge"]), quote["paid_under_key"]
            if paid is not None and not again:
                charge = f"nothing: the same request paid for {paid['id']} on {paid['created_at']}"
            facts(
                ("would charge", charge),
                ("granted", "yes" if quote["granted"] else f"no: {quote['blocked_by']}"),
                ("most possible", amount_text(quote["largest_possible_charge"])),
                ("released before", f"{len(quote['already_released'])} that answer any prior and question, free"),
                *accuracy,
                ("certificate", quote["certificate"]["statement"]),
            )
            return
        send = partial(client.create_release, dataset, wanted)
        with paid_once(client, "release", dataset, wanted, send, again=again) as made:
            as_json(made) if json else _show_release(client, made, level)
            if output is not None:
                write_file(output, text_of(made).encode())
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


def _show_release(client: Client, made: Release, level: float) -> None:
    facts(
        ("release", made["id"]),
        *charges(made),
        ("certificate", made["certificate"]["statement"]),
    )
    echo()
    posterior = made["posterior"]
    aware = _noise_aware(client, made, level)
    rows = []
    for number, (each, count) in enumerate(zip(posterior["categories"], posterior["released_counts"], strict=True)):
        naive = [f"{number_text(count)}", share_text(each["mean"])]
        if aware is None:
            rows.append([each["label"], *naive])
        else:
            share = aware["categories"][number]
            interval = share["interval"]
            figures = (share["mean"], interval["low"], interval["high"])
            rows.append([each["label"], *map(share_text, figures), *naive])
    headings = [] if aware is None else ["mean share", f"{level:g} from", "to"]
    table(["category", *headings, "noisy count", "naive share"], rows, alignment="<>>>>>")
    note(
        "The naive share treats the noisy count as the true one. The others account for the noise."
        if aware
        else f"Naive shares take the noisy counts for the true ones: `posterior posterior {made['id']}` does not."
    )


def _noise_aware(client: Client, made: Release, level: float) -> NoiseAwarePosterior | None:
    """Return the noise-aware posterior of a paid release, or None if it is unavailable now.

    It can be computed later.
    """
    try:
        found = client.posterior(made["id"], {"level": level})
    except ClientError:
        return None
    return found if found["kind"] == "noise_aware" else None


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
        ["release", "data set", "mechanism", "charged", "state", "released"],
        [
            [
                each["id"], named(each["dataset_id"], names), each["mechanism"]["kind"] if each["mechanism"] else "",
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
