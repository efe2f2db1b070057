"""The commands `posterior posterior` and `compare`, which are free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.cells import Names
from private_posterior.commands.names import check_id
from private_posterior.commands.options import Known, Level, MeasuredMargin, Picture, TheseRecords, prior_of
from private_posterior.commands.releases import show_size, write_picture
from private_posterior.commands.show import (
    AsJson,
    as_json,
    echo,
    facts,
    fail,
    note,
    probability_text,
    require_writable,
    share_text,
    table,
)
from private_posterior.commands.strata import By, figures, show_strata
from private_posterior.wording import figure_texts

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import (
        AnsweredDistribution,
        ComparedShare,
        Comparison,
        ComparisonCreate,
        MarginsRelease,
        NoiseAwarePosterior,
        NoiseAwareUnavailable,
    )

_Contrast = Literal["difference", "ratio", "odds_ratio"]
_CONTRASTS: Final[tuple[_Contrast, ...]] = ("difference", "ratio", "odds_ratio")
_EQUAL: Final = {"difference": 0.0, "ratio": 1.0, "odds_ratio": 1.0}
"""The value of each contrast at which the two shares are equal."""
PEOPLE: Final = {
    "same": "the same",
    "different": "different",
    "may_overlap": "may overlap",
}


def posterior(
    release: Annotated[
        list[str], typer.Argument(metavar="RELEASE...", help="Ids of releases; several of one data set are pooled.")
    ],
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="A prior by cell, in the form that `release` takes; ½ for each part of a question if left out.",
        ),
    ] = None,
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
    if where is None and these_records:
        fail("--these-records needs --where: the share of which categories?")
    if where is None and (by or (given is not None and not above)):
        fail(f"{'--by' if by else '--given'} needs --where: the share of which categories?")
    require_writable(picture)
    ids = [check_id(each, "rel") for each in release]
    with connected() as client:
        names, source = names_of(client, ids[0], margin)
        asked = [_above(each, given, names) for each in above or []]
        body: dict[str, Any] = {**source, "level": level, "questions": [question for _, question in asked]}
        body |= names.known(known)
        if picture is not None:
            body["picture"] = {}
        if where is not None:
            share: dict[str, Any] = {"kind": "share", **names.share(where, given), "about": _about(these_records)}
            if not by:
                body["questions"] = [share, *body["questions"]]
            else:
                body |= {"by": {"attributes": by, "question": share}, "questions": []}
            if by and asked:
                if [question["of"] for _, question in asked] != [share["of"]]:
                    fail("with --by, --above takes the categories of --where, and is given once")
                share["above"] = asked.pop()[1]["above"]
        found = posterior_of(client, ids, body, prior, names)
        if json:
            as_json(found)
        else:
            _show_posterior(_noise_aware(found), level, _share_name(where or "", given), [each for each, _ in asked])
            note_warnings(found)
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
        body = body | {"prior": prior_of(prior, len(names.labels))}
    return client.posterior(ids, **body)


def note_warnings(found: Any) -> None:
    """Print the doubts about what was typed beside a question."""
    for each in found["warnings"]:
        note(each)


def _noise_aware(found: NoiseAwarePosterior | NoiseAwareUnavailable) -> NoiseAwarePosterior:
    if found["kind"] == "unavailable":
        fail(found["reason"], 3)
    return found


def _above(text: str, given: str | None, names: Names) -> tuple[str, dict[str, Any]]:
    """Return the name of a share, and the question whether it is above a value."""
    cells, _, share = text.rpartition("=")
    try:
        threshold = float(share)
    except ValueError:
        fail("--above takes categories and a share: 'ill=0.0003'")
    return _share_name(cells, given), {"kind": "share", **names.share(cells, given), "above": threshold}


def _show_posterior(found: NoiseAwarePosterior, level: float, share: str, above: Sequence[str]) -> None:
    """Print the answers to what was asked, or the share of each category if nothing was; and the number of records, if
    it is private.
    """
    show_size(found, level)
    shares = found["answers"][: len(found["answers"]) - len(above)]
    if shares:
        rows = [[share, *figures(answer, "share")] for answer in shares]
        table(["share", "mean", *_headings(level)], rows, alignment="<>>>")
    if found["by"] is not None:
        show_strata(found["by"])
    for name, answer in zip(above, found["answers"][len(shares) :], strict=True):
        if (tested := answer["above"]) is not None:
            echo(f"P({name} > {tested['threshold']:g}): {probability_text(tested)}")
    if not (found["answers"] or found["by"]):
        rows = [
            [
                each["label"],
                *figure_texts(each["mean"], each["interval"]["low"], each["interval"]["high"]),
                f"{each['standard_deviation']:.2g}",
            ]
            for each in found["categories"]
        ]
        table(["category", "mean share", *_headings(level), "deviation"], rows, alignment="<>>>>")
    if found["effective_draws"] is not None:
        echo(f"simulated, as precisely as by {found['effective_draws']:.0f} independent draws of the counts")


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
        _Contrast | None, typer.Option(help="Show only this contrast. By default all three; with --by the ratio.")
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
    wanted = _CONTRASTS if contrast is None else (contrast,)
    if by and len(ids) > 1:
        fail("--by takes one release")
    cells = ((where, given), second)
    if known and (by or len(ids) > 1):
        fail("--known takes one release, and not --by")
    with connected() as client:
        sources = [(each, *names_of(client, each, margin)) for each in ids]
        if by:
            _compare_by(client, sources[0], cells, level, contrast or "ratio", by, _about(these_records), json=json)
        elif len(ids) == 1:
            about = _about(these_records)
            _compare_within(client, sources[0], cells, level, wanted, about, known, json=json)
        else:
            _compare_two(client, sources, cells, level, wanted, _about(these_records), json=json)


_Cells = tuple[str, str | None]
_Source = tuple[str, Names, dict[str, Any]]
"""The id of a release, the names of its cells, and the field that names a measured margin."""


def _compare_within(
    client: Client, source: _Source, cells: tuple[_Cells, _Cells], level: float, wanted: Sequence[_Contrast],
    about: str, known: Sequence[str] | None, *,
    json: bool,
) -> None:  # fmt: skip
    (release_id, names, margin), (first, second) = source, cells
    left, right = names.share(*first), names.share(*second)
    questions: list[Any] = [{"kind": "share", **each} for each in (left, right)]
    questions += [{"kind": kind, "first": left, "second": right, "above": _EQUAL[kind]} for kind in wanted]
    questions = [each | {"about": about} for each in questions]
    found = client.posterior(release_id, level=level, questions=questions, **margin, **names.known(known))
    if json:
        as_json(found)
        return
    shares, contrasts = (answers := _noise_aware(found)["answers"])[:2], answers[2:]
    rows = [
        [_share_name(*cells), *figures(answer, "share")] for cells, answer in zip((first, second), shares, strict=True)
    ]
    _show_contrasts(rows, dict(zip(wanted, contrasts, strict=True)), level)
    note_warnings(found)


def _compare_by(
    client: Client, source: _Source, cells: tuple[_Cells, _Cells], level: float, contrast: _Contrast, by: list[str],
    about: str, *,
    json: bool,
) -> None:  # fmt: skip
    (release_id, names, margin), (first, second) = source, cells
    question = {"kind": contrast, "first": names.share(*first), "second": names.share(*second), "about": about}
    found = client.posterior(release_id, level=level, by={"attributes": by, "question": question}, **margin)
    if json:
        as_json(found)
        return
    answer = _noise_aware(found)["by"]
    assert answer is not None, "it was asked for"
    echo(f"{contrast.replace('_', ' ')}: {_share_name(*first)} to {_share_name(*second)}")
    show_strata(answer)


def _compare_two(
    client: Client, sources: Sequence[_Source], cells: tuple[_Cells, _Cells], level: float,
    wanted: Sequence[_Contrast], about: str, *,
    json: bool,
) -> None:  # fmt: skip
    shares = [share_of(each, *asked) for each, asked in zip(sources, cells, strict=True)]
    answers: dict[_Contrast, Comparison] = {
        kind: client.compare(
            cast(
                "ComparisonCreate",
                {"first": shares[0], "second": shares[1], "contrast": kind, "above": _EQUAL[kind], "level": level}
                | {"about": about},
            )
        )
        for kind in wanted
    }
    if json:
        for answer in answers.values():
            as_json(answer)
        return
    found = next(iter(answers.values()))
    means = (found["first_mean"], found["second_mean"])
    rows = [
        [f"{_share_name(*asked)} in {id_}", share_text(mean), "", ""]
        for (id_, _, _), asked, mean in zip(sources, cells, means, strict=True)
    ]
    laws = {kind: law for kind, each in answers.items() if (law := each["contrast"]) is not None}
    _show_contrasts(rows, laws, level)
    facts(("people", PEOPLE[found["people"]]))


def _show_contrasts(rows: list[list[str]], answers: dict[_Contrast, AnsweredDistribution], level: float) -> None:
    rows += [[kind.replace("_", " "), *figures(answer, kind)] for kind, answer in answers.items()]
    table(["", "estimate", *_headings(level)], rows, alignment="<>>>")
    note("Shares are posterior means, contrasts medians.")
    above = next((answer["above"] for answer in answers.values() if answer["above"] is not None), None)
    if above is not None:
        echo(f"P(the first share is greater): {probability_text(above)}")
        if above["equal"] is not None:
            echo(f"P(both are equal): {probability_text(above | {'probability': above['equal']})}")


def _about(these_records: bool) -> str:  # noqa: FBT001
    return "records" if these_records else "population"


def _headings(level: float) -> list[str]:
    return [f"{level:g} from", "to"]


def _share_name(where: str, given: str | None) -> str:
    return where if given is None else f"{where} among {given}"


def share_of(source: _Source, where: str, given: str | None) -> ComparedShare:
    release_id, names, margin = source
    sources = [{"kind": "release", "release_id": release_id, **margin}]
    return cast("ComparedShare", {"sources": sources, **names.share(where, given)})
