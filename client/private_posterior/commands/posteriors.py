"""Declares `posterior posterior` and `compare`: what releases say, free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.cells import Names
from private_posterior.commands.options import Level, Picture, prior_of
from private_posterior.commands.releases import write_picture
from private_posterior.commands.show import AsJson, as_json, facts, fail, share_text, table

if TYPE_CHECKING:
    from private_posterior.models import NoiseAwarePosterior, Release, ShareOfRelease

_ReleaseId = Annotated[str, typer.Argument(metavar="RELEASE", help="Id of a release, rel_….")]


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
    picture: Picture = None,
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
            write_picture(picture, client.plot(release[0], level=level))
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
    if found["effective_draws"] is not None:
        typer.echo(f"simulated, by as much as {found['effective_draws']:.0f} independent draws of the counts")
    for cells, tested in zip(asked, found["hypotheses"], strict=True):
        if tested["hypothesis"]["kind"] == "above":
            typer.echo(f"P({cells} > {tested['hypothesis']['threshold']:g}) = {tested['probability']:.6g}")


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
