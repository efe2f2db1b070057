"""The command `posterior trial`, which is free."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.names import check_id, dataset_names
from private_posterior.commands.options import FreePrior, Known, Level, MeasuredMargin, TheseRecords, free_prior_of
from private_posterior.commands.posteriors import names_of, posterior_of, share_of, show_posterior
from private_posterior.commands.show import AsJson, as_json, facts, fail, show_figures
from private_posterior.wording import CONTRASTS

if TYPE_CHECKING:
    from private_posterior.models import ComparisonCreate

_MEASURES: Final = (*CONTRASTS, "efficacy")


def trial(
    release: Annotated[
        list[str],
        typer.Argument(
            metavar="RELEASE...",
            help="Ids of releases; several of one data set are pooled. Without --first and --second: the releases of "
            "the two groups.",
        ),
    ],
    outcome: Annotated[str, typer.Option(metavar="CELLS", help="The outcome, in both groups: 'outcome=ill'.")],
    first: Annotated[str | None, typer.Option(metavar="CELLS", help="The first group: 'arm=vaccine'.")] = None,
    second: Annotated[
        str | None, typer.Option(metavar="CELLS", help="The group that it is compared with: 'arm=placebo'.")
    ] = None,
    above: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE=VALUE",
            help=f"Show the probability that a measure is above a value: 'efficacy=0.3'. Measures: "
            f"{', '.join(_MEASURES)}.",
        ),
    ] = None,
    below: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE=VALUE", help="Show the probability that a measure is below a value: 'ratio=0.7'."
        ),
    ] = None,
    prior: FreePrior = None,
    known: Known = None,
    level: Level = 0.95,
    margin: MeasuredMargin = None,
    these_records: TheseRecords = False,
    json: AsJson = False,
) -> None:
    """Show a trial: the risk of an outcome in two groups, and what reports say about it. Free.

    The difference, the ratio and the odds ratio of the risks, the efficacy, the number needed to treat and the log odds
    ratio, with intervals that account for the noise. Both groups are in one release, or each has its own.
    """
    ids, about = [check_id(each, "rel") for each in release], "records" if these_records else "population"
    if (first is None) is not (second is None):
        fail("give --first and --second, or neither: then each of two releases has a group of its own")
    if above is not None and below is not None:
        fail("give --above or --below")
    effect = _effect("above", above) if above is not None else _effect("below", below) if below is not None else None
    if first is None or second is None:
        if len(ids) != 2:
            fail("without --first and --second, give two releases: one for each group")
        if known:
            fail("--known needs --first and --second")
        _show_two(ids, margin, outcome, prior, level, effect, about, json=json)
        return
    with connected() as client:
        names, source = names_of(client, ids[0], margin)
        cells = {name: names.cells(text) for name, text in (("outcome", outcome), ("first", first), ("second", second))}
        asked: dict[str, Any] = {**cells, "about": about}
        body: dict[str, Any] = {"level": level, "trial": asked | ({} if effect is None else {"effect": effect})}
        body |= names.known(known)
        found = posterior_of(client, ids, source | body, prior, names)
    show_posterior(found, json=json)


def _show_two(
    ids: list[str],
    margin: str | None,
    outcome: str,
    prior: str | None,
    level: float,
    effect: dict[str, Any] | None,
    about: str,
    *,
    json: bool,
) -> None:
    """Show the trial whose groups have a release each."""
    with connected() as client:
        sources = [(id_, *names_of(client, id_, margin)) for id_ in ids]
        sides: list[Any] = [share_of(each, outcome, None) for each in sources]
        if prior is not None:
            for side, (_, own, _) in zip(sides, sources, strict=True):
                side["prior"] = free_prior_of(prior, len(own.labels))
        asked = {"first": sides[0], "second": sides[1], "level": level, "trial": True, "effect": effect} | {
            "about": about
        }
        found = client.compare(cast("ComparisonCreate", asked))
        if json:
            as_json(found)
            return
        groups = _groups(ids, [client.release(each)["dataset_id"] for each in ids], dataset_names(client))
    show_figures(found)
    facts(("first group", groups[0]), ("second group", groups[1]))


def _groups(ids: list[str], datasets: list[str], names: Mapping[str, str]) -> tuple[str, str]:
    """Return the names of the groups: those of the data sets, or the releases' ids if names are unknown or equal."""
    first, second = (names.get(dataset, id_) for dataset, id_ in zip(datasets, ids, strict=True))
    return (ids[0], ids[1]) if first == second else (first, second)


def _effect(side: str, text: str) -> dict[str, Any]:
    measure, _, value = (part.strip() for part in text.partition("="))
    try:
        number = float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
    except ValueError:
        number = math.nan
    if measure not in _MEASURES or not math.isfinite(number):
        fail(f"--{side} takes a measure and a value: 'efficacy=0.3'. Measures: {', '.join(_MEASURES)}")
    return {"measure": measure, side: number}
