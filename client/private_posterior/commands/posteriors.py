"""The commands `posterior posterior` and `compare`, which are free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.cells import Names
from private_posterior.commands.names import check_id
from private_posterior.commands.options import (
    By,
    FreePrior,
    Known,
    Level,
    MeasuredMargin,
    Picture,
    TheseRecords,
    free_prior_of,
)
from private_posterior.commands.releases import write_picture
from private_posterior.commands.show import AsJson, as_json, echo, fail, require_writable, show_figures
from private_posterior.wording import CONTRASTS, Contrast

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import (
        ComparedShare,
        Comparison,
        ComparisonCreate,
        MarginsRelease,
        NoiseAwarePosterior,
        NoiseAwareUnavailable,
    )


def posterior(
    release: Annotated[
        list[str], typer.Argument(metavar="RELEASE...", help="Ids of releases; several of one data set are pooled.")
    ],
    prior: FreePrior = None,
    level: Level = 0.95,
    where: Annotated[
        str | None,
        typer.Option(metavar="CELLS", help="Show the share of these categories: 'ill,dead', 'outcome=ill'."),
    ] = None,
    given: Annotated[
        str | None, typer.Option(metavar="CELLS", help="Restrict the shares to these records: 'arm=placebo'.")
    ] = None,
    by: By = None,
    known: Known = None,
    these_records: TheseRecords = False,
    margin: MeasuredMargin = None,
    above: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CELLS=SHARE",
            help=(
                "Show the probability that a share, among the records of --given, is above a value: 'ill=0.0003', "
                "'outcome=ill=0.0003'. Can be repeated."
            ),
        ),
    ] = None,
    picture: Picture = None,
    json: AsJson = False,
) -> None:
    """Show the posterior of the shares from releases. It accounts for the noise. Free, for any prior and level.

    With --where or --above it shows only what was asked, without them the share of each category.
    """
    if where is None and these_records and not above:
        fail("--these-records needs --where: the share of which categories?")
    if where is None and (by or (given is not None and not above)):
        fail(f"{'--by' if by else '--given'} needs --where: the share of which categories?")
    require_writable(picture)
    ids = [check_id(each, "rel") for each in release]
    with connected() as client:
        names, source = names_of(client, ids[0], margin)
        about = {"about": "records" if these_records else "population"}
        asked = [_question_above(each, given, names) | about for each in above or []]
        body: dict[str, Any] = {**source, "level": level, "questions": asked}
        body |= names.known(known)
        if picture is not None:
            body["picture"] = {}
        if where is not None:
            share: dict[str, Any] = {"kind": "share", **names.share(where, given), **about}
            if not by:
                body["questions"] = [share, *body["questions"]]
            else:
                body |= {"by": {"attributes": by, "question": share}, "questions": []}
            if by and asked:
                if [question["of"] for question in asked] != [share["of"]]:
                    fail("with --by, --above takes the categories of --where, and is given once")
                share["above"] = asked.pop()["above"]
        found = posterior_of(client, ids, body, prior, names)
        show_posterior(found, json=json)
        if picture is not None:
            write_picture(picture, (found["picture"] or "").encode())


def names_of(client: Client, release_id: str, margin: str | None) -> tuple[Names, dict[str, Any]]:
    """Return the names of the cells of a release or of its measured margin, and the field that names the margin.

    Ends the command if the release did not measure it.
    """
    if margin is None:
        return Names.of(client.release(release_id)), {}
    from itertools import product

    from private_posterior.commands.margins import attributes_in

    found, wanted = cast("MarginsRelease", client.release(release_id)), set(attributes_in(margin))
    measured = [each["attributes"] for each in found.get("measured", ()) if each["attributes"]]
    if all(set(each) != wanted for each in measured):
        fail(f"--margin {margin}: the release measured {'; '.join(map(','.join, measured)) or 'no margins'}")
    attributes = [each for each in found["attributes"] if each["name"] in wanted]
    labels = [" · ".join(cell) for cell in product(*(each["levels"] for each in attributes))]
    return Names(labels, attributes), {"margin": [each["name"] for each in attributes]}


def posterior_of(client: Client, ids: Sequence[str], body: dict[str, Any], prior: str | None, names: Names) -> Any:
    """Return the posterior from one release, or from several together, under `prior` if it is given."""
    if prior is not None:
        body = body | {"prior": free_prior_of(prior, len(names.labels))}
    return client.posterior(ids, **body)


def show_posterior(found: NoiseAwarePosterior | NoiseAwareUnavailable, *, json: bool) -> None:
    """Print the answers to what was asked, or the share of each category if nothing was. Ends the command if there is
    no posterior.
    """
    if json:
        as_json(found)
        return
    if found["kind"] == "unavailable":
        fail(found["reason"], 3)
    show_figures(found)
    if found["effective_draws"] is not None:
        echo(f"simulated, as precisely as by {found['effective_draws']:.0f} independent draws of the counts")


def _question_above(text: str, given: str | None, names: Names) -> dict[str, Any]:
    """Return the question whether a share is above a value."""
    cells, _, share = text.rpartition("=")
    try:
        threshold = float(share)
    except ValueError:
        fail("--above takes categories and a share: 'ill=0.0003'")
    return {"kind": "share", **names.share(cells, given), "above": threshold}


def compare(
    release: Annotated[
        list[str],
        typer.Argument(
            metavar="RELEASE [OTHER]",
            help=("Id of a release. Add the id of another one if the second share is of that release."),
        ),
    ],
    where: Annotated[
        str, typer.Option(metavar="CELLS", help="Categories of the first share, such as 'ill,dead' or 'outcome=ill'.")
    ],
    given: Annotated[
        str | None, typer.Option(metavar="CELLS", help=("Restrict the first share to these records: 'arm=vaccinated'."))
    ] = None,
    than: Annotated[
        str | None,
        typer.Option(metavar="CELLS", help=("Categories of the second share. By default those of the first.")),
    ] = None,
    than_given: Annotated[
        str | None,
        typer.Option(metavar="CELLS", help="Restrict the second share to these records. Default: those of --given."),
    ] = None,
    level: Level = 0.95,
    contrast: Annotated[
        Contrast | None, typer.Option(help="Show only this contrast. By default all three; with --by the ratio.")
    ] = None,
    by: By = None,
    margin: MeasuredMargin = None,
    known: Known = None,
    these_records: TheseRecords = False,
    json: AsJson = False,
) -> None:
    """Compare two shares: difference, ratio and odds ratio, with intervals that account for the noise. Free.

    The shares come from the same release or from two releases.
    """
    ids = [check_id(each, "rel") for each in release]
    if len(ids) > 2:
        fail("give one release, or two")
    if len(ids) == 1 and than is None and than_given is None:
        fail("with one release, --than or --than-given says what the share is compared with")
    second = (than or where, than_given or given)
    wanted = (contrast or "ratio",) if by else CONTRASTS if contrast is None else (contrast,)
    about = "records" if these_records else "population"
    if by and len(ids) > 1:
        fail("--by takes one release")
    cells = ((where, given), second)
    if known and (by or len(ids) > 1):
        fail("--known takes one release, and not --by")
    with connected() as client:
        sources = [(each, *names_of(client, each, margin)) for each in ids]
        if len(ids) == 1:
            _compare_within(client, sources[0], cells, level, wanted, about, known, by, json=json)
        else:
            _compare_two(client, sources, cells, level, wanted, about, json=json)


_Cells = tuple[str, str | None]
_Source = tuple[str, Names, dict[str, Any]]
"""The id of a release, the names of its cells, and the field that names a measured margin."""


def _compare_within(
    client: Client, source: _Source, cells: tuple[_Cells, _Cells], level: float, wanted: Sequence[Contrast],
    about: str, known: Sequence[str] | None, by: list[str] | None, *,
    json: bool,
) -> None:  # fmt: skip
    (release_id, names, margin), (first, second) = source, cells
    left, right = names.share(*first), names.share(*second)
    contrasts: list[Any] = [{"kind": kind, "first": left, "second": right, "about": about} for kind in wanted]
    shares: list[Any] = [{"kind": "share", "about": about, **each} for each in (left, right)]
    asked = {"by": {"attributes": by, "question": contrasts[0]}} if by else {"questions": [*shares, *contrasts]}
    found = client.posterior(release_id, level=level, **asked, **margin, **names.known(known))
    if by and not json:
        alone = ", in these records alone" if about == "records" else ""
        echo(f"{wanted[0].replace('_', ' ')}: {_share_name(*first)} to {_share_name(*second)}{alone}")
    show_posterior(found, json=json)


def _compare_two(
    client: Client, sources: Sequence[_Source], cells: tuple[_Cells, _Cells], level: float,
    wanted: Sequence[Contrast], about: str, *,
    json: bool,
) -> None:  # fmt: skip
    shares = [share_of(each, *asked) for each, asked in zip(sources, cells, strict=True)]
    answers: list[Comparison] = [
        client.compare(
            cast(
                "ComparisonCreate",
                {"first": shares[0], "second": shares[1], "contrast": kind, "level": level} | {"about": about},
            )
        )
        for kind in wanted
    ]
    if json:
        for answer in answers:
            as_json(answer)
        return
    show_figures(*answers)


def _share_name(where: str, given: str | None) -> str:
    return where if given is None else f"{where} among {given}"


def share_of(source: _Source, where: str, given: str | None) -> ComparedShare:
    release_id, names, margin = source
    sources = [{"kind": "release", "release_id": release_id, **margin}]
    return cast("ComparedShare", {"sources": sources, **names.share(where, given)})
