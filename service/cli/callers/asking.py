"""Declares what analysts ask for: `plan`, `release`, `releases`, `posterior`, `compare` and `query`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from service.cli.callers.access import connected
from service.cli.callers.cells import Names
from service.cli.callers.options import DatasetId, Delta, Level, Prior, prior_of
from service.cli.callers.show import AsJson, amount_text, as_json, facts, note, share_text, table
from service.cli.terminal import fail

if TYPE_CHECKING:
    from service.client.models import (
        NoiseAwarePosterior,
        PlanCreate,
        PlanOption,
        QuoteAnswer,
        Release,
        ReleaseCreate,
        ShareOfRelease,
    )

_Kind = Literal[
    "simplex_geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"
]
_ReleaseId = Annotated[str, typer.Argument(metavar="RELEASE", help="Id of a release, rel_….")]
_Picture = Annotated[
    Path | None,
    typer.Option(metavar="FILE", dir_okay=False, help="Also write the picture of the release, an SVG file."),
]


def plan(
    dataset: Annotated[
        str | None, typer.Option(metavar="ID", help="Plan at the public size and categories of this data set.")
    ] = None,
    counts: Annotated[
        str | None, typer.Option(metavar="LIST", help="Counts that you make up, with commas between: '5,995'.")
    ] = None,
    records: Annotated[int | None, typer.Option(min=1, help="Number of records, where you make up no counts.")] = None,
    categories: Annotated[int | None, typer.Option(min=2, help="Number of categories, likewise.")] = None,
    shape: Annotated[
        Literal["even", "falling", "prior_mean"], typer.Option(help="How the made-up records are spread.")
    ] = "even",
    epsilon: Annotated[str, typer.Option(metavar="AMOUNT", help="ε to compare the mechanisms at.")] = "0.5",
    delta: Delta = "1e-6",
    prior: Prior = "uniform",
    level: Level = 0.95,
    wanted_width: Annotated[
        float | None, typer.Option(metavar="WIDTH", help="Also find the epsilon at which no interval is wider.")
    ] = None,
    wanted_error: Annotated[
        float | None, typer.Option(help="Also find the smallest ε whose expected Hellinger error is at most this.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Compare the mechanisms before you pay: what each would cost, how far off and how wide. Free.

    It is computed from made-up counts, or from sizes alone. No data set is read.
    """
    guess = None if counts is None else _whole_numbers(counts)
    if guess is None and dataset is None and (records is None or categories is None):
        fail("give --counts, or --dataset, or --records and --categories")
    with connected() as client:
        if guess is None and dataset is not None:
            public = client.dataset(dataset)
            records, categories = public["record_count"], public["category_count"]
        size = categories or 0 if guess is None else len(guess)
        data = (
            {"kind": "shape", "shape": shape, "record_count": records}
            if guess is None
            else {"kind": "counts", "counts": guess}
        )
        body: dict[str, Any] = {
            "prior": prior_of(prior, size), "data": data, "epsilon": epsilon, "delta": delta, "level": level
        }  # fmt: skip
        if wanted_error is not None:
            body["wanted_error"] = wanted_error
        if wanted_width is not None:
            body["wanted_width"] = wanted_width
        found = client.plan(cast("PlanCreate", body))
    if json:
        as_json(found)
        return
    headings = ["mechanism", "charged", f"{level:g} interval", "without noise", "error", "95 % of errors below"]
    wanted = wanted_error is not None or wanted_width is not None
    rows = []
    for option in found["options"]:
        error, widths, loss = option["error"], option["widths"], option["certified"]
        cost = "" if loss is None else f"epsilon {loss['epsilon']}" + (
            "" if loss["delta"] == "0" else f", delta {loss['delta']}"
        )  # fmt: skip
        row = [
            _called(option),
            cost or f"not here: {option['refusal'] or ''}"[:60],
            share_text(widths[0]["expected"]) if widths else "",
            share_text(widths[0]["without_noise"]) if widths else "",
            "" if error is None else f"{error['expected']:.4f}",
            "" if error is None else f"{error['quantile_95']:.4f}",
        ]
        rows.append([*row, option["smallest_epsilon"] or "none"] if wanted else row)
    table([*headings, "epsilon needed"] if wanted else headings, rows, alignment="<<>>>>>")
    note(f"Recommended: {found['recommended']}, as {found['why']}.")
    note("Errors are Hellinger distances, from 0 to 1; widths are of the largest category. " + found["note"])


def _called(option: PlanOption) -> str:
    mechanism = option["mechanism"]
    by = mechanism["calibration"] if mechanism is not None and mechanism["kind"] == "exponential" else ""
    return f"{option['kind']}, {by}" if by else option["kind"]


def _whole_numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        fail("--counts takes whole numbers with commas between")


def release(
    dataset: DatasetId,
    mechanism: Annotated[_Kind, typer.Option(help="Which mechanism draws the noise.")] = "simplex_geometric",
    epsilon: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="ε of the release; nominal for exponential_published.")
    ] = None,
    rho: Annotated[str | None, typer.Option(metavar="AMOUNT", help="ρ of a gaussian release.")] = None,
    delta: Annotated[str | None, typer.Option(metavar="AMOUNT", help="δ, where the mechanism takes one.")] = None,
    calibration: Annotated[
        Literal["proven", "certified"], typer.Option(help="Of the exponential mechanism.")
    ] = "proven",
    prior: Prior = "uniform",
    level: Level = 0.95,
    at_most: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="Refuse if the proven ε that is charged is above this.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would cost and whether it would be granted. Free.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Also write the release, byte for byte.")
    ] = None,
    picture: _Picture = None,
    json: AsJson = False,
) -> None:
    """Release a differentially private posterior. This is charged.

    The command can be interrupted at any time: run again, it gets the release that was paid. Once it has shown an
    answer, the same command asks for another release.
    """
    from service.cli.callers.journal import once

    with connected() as client:
        size = client.dataset(dataset)["category_count"]
        body: dict[str, Any] = {
            "prior": prior_of(prior, size),
            "mechanism": _mechanism(mechanism, epsilon, rho, delta, calibration),
            "level": level,
        }
        if at_most is not None:
            body["charge_at_most"] = {"epsilon": at_most}
        wanted = cast("ReleaseCreate", body)
        if dry_run:
            quote = client.quote(dataset, wanted)
            if json:
                as_json(quote)
                return
            facts(
                ("would charge", amount_text(quote["would_charge"])),
                ("granted", "yes" if quote["granted"] else f"no: {quote['refused_by']}"),
                ("most possible", amount_text(quote["largest_possible_charge"])),
                ("released before", f"{len(quote['already_released'])} that answer any prior and question, free"),
                ("certificate", quote["certificate"]["statement"]),
            )
            return
        with once(client, f"releases {dataset}", wanted) as attempt:
            if attempt.resumed:
                note(f"Going on with the request of {attempt.resumed}, which had no answer.")
            made = client.create_release(dataset, wanted, attempt.idempotency_key)
            if output is not None:
                output.write_bytes(client.release_text(made["id"]))
            if picture is not None:
                _write_picture(picture, client.plot(made["id"], level=level))
            as_json(made) if json else _show_release(made)


def _mechanism(kind: str, epsilon: str | None, rho: str | None, delta: str | None, calibration: str) -> dict[str, str]:
    """The parameters of the mechanism. Ends the command where one is missing or out of place."""
    amount = "rho" if kind == "gaussian" else "epsilon"
    if (rho if amount == "rho" else epsilon) is None or (epsilon if amount == "rho" else rho) is not None:
        fail(f"{kind} takes --{amount}")
    chosen = {"kind": kind, ("nominal_epsilon" if kind == "exponential_published" else amount): rho or epsilon or ""}
    if kind == "exponential":
        chosen["calibration"] = calibration
    if kind in {"simplex_geometric", "laplace"} and delta is not None:
        fail(f"{kind} takes no --delta")
    if kind in {"gaussian", "exponential_published"} and delta is None:
        fail(f"{kind} takes --delta")
    return chosen if delta is None else chosen | {"delta": delta}


def _show_release(made: Release) -> None:
    facts(
        ("release", made["id"]),
        ("charged", amount_text(made["charged"])),
        ("left for you", amount_text(made["remaining_after"])),
        ("certificate", made["certificate"]["statement"]),
    )
    typer.echo()
    posterior = made["posterior"]
    rows = [
        [each["label"], f"{count:,}", share_text(each["mean"]), share_text(each["standard_deviation"])]
        for each, count in zip(posterior["categories"], posterior["released_counts"], strict=True)
    ]
    table(["category", "noisy count", "mean share", "deviation"], rows, alignment="<>>>")
    note(f"For intervals that account for the noise: private-posterior posterior {made['id']}")


def releases(
    dataset: Annotated[str | None, typer.Option(metavar="ID", help="Only those from this data set.")] = None,
    json: AsJson = False,
) -> None:
    """The releases that you may read. Whatever is computed from them is free."""
    with connected() as client:
        found = list(client.releases(dataset))
    if json:
        as_json(found)
        return
    table(
        ["release", "data set", "mechanism", "charged", "state", "released"],
        [
            [
                each["id"], each["dataset_id"], each["mechanism"]["kind"] if each["mechanism"] else "",
                amount_text(each["charged"]), each["state"], each["created_at"],
            ]
            for each in found
        ],
    )  # fmt: skip


def posterior(
    release: Annotated[
        list[str], typer.Argument(metavar="RELEASE...", help="Ids of releases; several of one data set are pooled.")
    ],
    prior: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="Another prior than that of the release; as for `release`.")
    ] = None,
    level: Level = 0.95,
    above: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CELLS=SHARE",
            help="How likely is the share of these above this? 'ill=0.0003', 'outcome=ill=0.0003'. Repeatable.",
        ),
    ] = None,
    picture: _Picture = None,
    json: AsJson = False,
) -> None:
    """What releases say of the shares, with the noise accounted for. Free, for any prior and level."""
    with connected() as client:
        names = Names.of(client.release(release[0]))
        asked = [_above(each, names) for each in above or []]
        body: dict[str, Any] = {"level": level, "hypotheses": [hypothesis for _, hypothesis in asked]}
        if prior is not None:
            body["prior"] = prior_of(prior, len(names.labels))
        if len(release) == 1:
            found: Any = client.posterior(release[0], cast("Any", body))
        else:
            found = client.pooled_posterior(cast("Any", body | {"release_ids": release}))
        if picture is not None:
            _write_picture(picture, client.plot(release[0], level=level))
    if json:
        as_json(found)
    elif found["kind"] == "unavailable":
        fail(f"{found['reason']}", 3)
    else:
        _show_posterior(found, level, [cells for cells, _ in asked])


def _above(text: str, names: Names) -> tuple[str, dict[str, Any]]:
    """A hypothesis, and the cells that it is about as they were named."""
    cells, _, share = text.rpartition("=")
    try:
        threshold = float(share)
    except ValueError:
        fail("--above takes categories and a share: 'ill=0.0003'")
    return cells, {"kind": "above", "category": names.cells(cells), "threshold": threshold}


def _show_posterior(found: NoiseAwarePosterior, level: float, asked: Sequence[str]) -> None:
    rows = [
        [
            each["label"], share_text(each["mean"]), share_text(each["standard_deviation"]),
            share_text(each["interval"]["low"]), share_text(each["interval"]["high"]),
        ]
        for each in found["categories"]
    ]  # fmt: skip
    table(["category", "mean share", "deviation", f"{level:g} from", "to"], rows, alignment="<>>>>")
    for cells, tested in zip(asked, found["hypotheses"], strict=True):
        if tested["hypothesis"]["kind"] == "above":
            typer.echo(f"P({cells} > {tested['hypothesis']['threshold']:g}) = {tested['probability']:.6g}")


def _write_picture(path: Path, picture: bytes) -> None:
    try:
        path.write_bytes(picture)
    except OSError as error:
        fail(f"{path} can't be written: {error.strerror}")
    note(f"The picture is in {path}.")


def compare(
    first: _ReleaseId,
    second: _ReleaseId,
    cells: Annotated[
        str, typer.Option(metavar="LIST", help="The categories whose shares are compared: 'ill,dead', 'outcome=ill'.")
    ],
    given: Annotated[
        str | None, typer.Option(metavar="LIST", help="Among the records in these categories alone: 'arm=placebo'.")
    ] = None,
    than: Annotated[
        str | None, typer.Option(metavar="LIST", help="The categories of the second release, if others.")
    ] = None,
    than_given: Annotated[
        str | None, typer.Option(metavar="LIST", help="What the second share is taken of, if others.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Is a share greater in the first release than in the second? Free."""
    with connected() as client:
        one = _share(client.release(first), cells, given)
        other = _share(client.release(second), than or cells, than_given or given)
        found = client.compare({"first": one, "second": other})
    if json:
        as_json(found)
        return
    people = {"same": "the same people", "different": "different people", "may_overlap": "people who may be in both"}
    facts(
        ("probability", f"{found['probability']:.6g} that the first share is greater (within {found['error']:.1g})"),
        ("first mean", share_text(found["first_mean"])),
        ("second mean", share_text(found["second_mean"])),
        ("about", people[found["people"]]),
    )


def _share(release: Release, cells: str, given: str | None) -> ShareOfRelease:
    names = Names.of(release)
    share: ShareOfRelease = {"release_id": release["id"], "category": names.cells(cells)}
    if given is not None:
        share["given"] = names.cells(given)
    return share


def query(
    dataset: DatasetId,
    count: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIST", help="Count the records in these categories: 'ill,dead', 'outcome=ill'. Repeatable."
        ),
    ] = None,
    weights: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="A weighted sum of counts: 'one=1,two=2'. Repeatable."),
    ] = None,
    half_width: Annotated[float | None, typer.Option(help="Half the width of the interval that you want.")] = None,
    confidence: Annotated[float, typer.Option(help="How surely the interval is to hold the true answer.")] = 0.95,
    json: AsJson = False,
) -> None:
    """Answer counts and weighted sums from the releases that you may read. Free. Without a query, say which releases
    those are.
    """
    with connected() as client:
        if not count and not weights:
            history = client.history(dataset)
            if json:
                as_json(history)
                return
            rows = [
                [each["release_id"], each["mechanism"], str(each["rows"]), share_text(each["standard_deviation"])]
                for each in history["items"]
            ]
            table(["release", "mechanism", "noisy counts", "noise deviation"], rows, alignment="<<>>")
            return
        wanted: dict[str, Any] = {"confidence": confidence}
        if half_width is not None:
            wanted["half_width"] = half_width
        names = Names.of(client.dataset(dataset))
        asked = [wanted | _set_of(names.cells(each)) for each in count or []]
        asked += [wanted | {"weights": _weights(each)} for each in weights or []]
        found = client.query_quote(dataset, cast("Any", {"queries": asked}))
    if json:
        as_json(found)
        return
    named = [*(count or []), *(weights or [])]
    rows = [_answer(name, answer) for name, answer in zip(named, found["answers"], strict=True)]
    table(["query", "estimate", f"{confidence:g} from", "to", "as precise as asked"], rows, alignment="<>>><")


def _set_of(cells: list[str] | dict[str, list[str]]) -> dict[str, Any]:
    return {"labels": cells} if isinstance(cells, list) else {"where": cells}


def _answer(name: str, answer: QuoteAnswer) -> list[str]:
    estimate = answer["from_history"]
    if estimate is None:
        return [name, "", "", "", "no release answers it"]
    interval = estimate["interval"]
    return [
        name,
        f"{estimate['estimate']:,.6g}",
        f"{interval['low']:,.6g}",
        f"{interval['high']:,.6g}",
        "yes" if answer["meets"] else "no",
    ]


def _listed(text: str) -> tuple[str, ...]:
    from service.cli.callers.records import RecordsError, listed

    try:
        return listed(text)
    except RecordsError as error:
        fail(str(error))


def _weights(text: str) -> dict[str, str]:
    pairs = [item.rpartition("=") for item in _listed(text)]
    if not all(sign for _, sign, _ in pairs):
        fail("--weights takes labels with a weight each: 'one=1,two=2'")
    return {label.strip(): weight.strip() for label, _, weight in pairs}
