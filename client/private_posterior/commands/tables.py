"""The command `posterior infer`: the posterior of a noisy table that somebody published, which is free."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.options import FreePrior, Level, free_prior_of
from private_posterior.commands.releases import write_picture
from private_posterior.commands.show import (
    AsJson,
    as_json,
    fail,
    note,
    require_writable,
    table,
)
from private_posterior.errors import NotATable, ProblemError
from private_posterior.noisy_table import NoisyTable, Rounding
from private_posterior.wording import figure_texts, number_text

if TYPE_CHECKING:
    from private_posterior.models import NoiseAwarePosterior

_Law = Literal["geometric", "laplace", "floored_laplace", "discrete_gaussian", "gaussian", "table", "none"]

_FIELD: Final = re.compile("`([a-z_.]+)`")
_OPTIONS: Final = {
    "at_most": "--at-most",
    "clamped_at_zero": "--clamped",
    "no_totals": "--no-totals",
    "round_to": "--round-to",
    "rounding": "--rounding",
    "shown_from": "--shown-from",
    "total": "--total",
    "total.at_most": "--at-most",
}
"""The options for the fields that sentences of the service name."""


def infer(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help=(
                "A CSV file in UTF-8 with a row for each cell, `-` for standard input: a column of labels, or several "
                "of levels; a column `value`; and maybe `scale`, the scale of each cell's noise. A suppressed value is "
                "empty, `*`, or the interval that is known: `<5`, `1-9`."
            ),
        ),
    ],
    noise: Annotated[
        _Law,
        typer.Option(
            metavar="LAW",
            help=(
                "Law of the noise that was added to each count: geometric, laplace, floored_laplace, "
                "discrete_gaussian or gaussian; `table` for a perturbation table; `none` if counts are only rounded or "
                "hidden."
            ),
        ),
    ],
    scale: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Scale of the noise: 1/rate of geometric, b of Laplace, σ of Gaussian."),
    ] = None,
    variance: Annotated[float | None, typer.Option(metavar="NUMBER", help="Variance of the noise.")] = None,
    epsilon: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="ε of each count, for geometric and Laplace noise.")
    ] = None,
    l1_sensitivity: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER", help="With --epsilon: 1 if a person is added, 2 if a category changes. By default 1."
        ),
    ] = None,
    rho: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="ρ (zCDP) of the table, for Gaussian noise.")
    ] = None,
    l2_sensitivity: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="With --rho: Euclidean sensitivity. By default 1.")
    ] = None,
    second_scale: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Scale of a second noise of this law, if two were added.")
    ] = None,
    changes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --noise table: a CSV file with the columns count, change and probability. The rows of the "
            "largest count hold for all larger counts.",
        ),
    ] = None,
    round_to: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Values were rounded to multiples of this number.")
    ] = None,
    rounding: Annotated[
        Rounding | None,
        typer.Option(
            help="With --round-to: at random to one of the two neighbouring multiples without bias, or to the nearest, "
            "with this rule for values halfway."
        ),
    ] = None,
    clamped: Annotated[bool, typer.Option("--clamped", help="Negative values were printed as 0.")] = False,
    shown_from: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Values below this threshold were suppressed.")
    ] = None,
    adjusted: Annotated[
        bool,
        typer.Option(
            "--adjusted",
            help="Cells were made to add up, made consistent, or suppressed to protect others: no posterior is "
            "computed.",
        ),
    ] = False,
    total: Annotated[int | None, typer.Option(metavar="NUMBER", help="Number of records, if it is known.")] = None,
    at_most: Annotated[int | None, typer.Option(metavar="NUMBER", help="Largest possible number of records.")] = None,
    prior: FreePrior = None,
    level: Level = 0.95,
    value: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of the values, if it is not named value or count.")
    ] = None,
    no_totals: Annotated[
        bool, typer.Option("--no-totals", help="No row is a total, though its value is about the sum of the others.")
    ] = False,
    picture: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the picture, an SVG file.")] = None,
    json: AsJson = False,
) -> None:
    """Show the posterior of a noisy table that somebody else published: shares, counts and number of records. Free.

    The table is sent to the service that you use, which does not store it unless the computation takes long; then the
    job keeps it for a day. `posterior infer table.csv --noise geometric --epsilon 1`
    """
    require_writable(picture)
    numbers = {
        "scale": scale,
        "variance": variance,
        "epsilon": epsilon,
        "l1_sensitivity": l1_sensitivity,
        "rho": rho,
        "l2_sensitivity": l2_sensitivity,
        "second_scale": second_scale,
    }
    known = {name: each for name, each in {"known": total, "at_most": at_most}.items() if each is not None}
    try:
        read = NoisyTable(
            file,
            {"law": noise} | {name: each for name, each in numbers.items() if each is not None},
            changes=changes,
            round_to=round_to,
            rounding=rounding,
            clamped_at_zero=clamped,
            shown_from=shown_from,
            total=known or None,
            value=value,
            no_totals=no_totals,
            adjusted=adjusted,
        )
    except NotATable as error:
        fail(str(error))
    if round_to is not None and rounding is None:
        fail("--round-to needs --rounding: at_random, or half_even and the like for the nearest multiple")
    _check(read.source["cells"], shown_from)
    asked: dict[str, Any] = {} if picture is None else {"picture": {}}
    if prior is not None:
        asked["prior"] = free_prior_of(prior, len(read.source["cells"]))
    with connected() as client:
        try:
            found = client.posterior(read, level=level, quantiles=[0.5], **asked)
        except ProblemError as error:
            for each in error.errors:
                each["location"], each["rule"] = (
                    each["location"].replace("sources[0].", ""),
                    _with_options(each["rule"]),
                )
            raise
        assert found["kind"] == "noise_aware", "a noisy table has a posterior"
        if json:
            as_json(found)
        else:
            _show(found, level)
        if picture is not None:
            write_picture(picture, (found["picture"] or "").encode())


def _check(cells: list[dict[str, Any]], shown_from: int | None) -> None:
    """End the command at a suppressed cell without its threshold."""
    for cell in cells:
        if cell["value"] is None and "between" not in cell and shown_from is None:
            levels = cell["levels"].values() if "levels" in cell else [cell["label"]]
            fail(f"“{' · '.join(levels)}” is suppressed: give --shown-from, the threshold of suppression")


def _show(found: NoiseAwarePosterior, level: float) -> None:
    rows = [
        [
            each["label"],
            *figure_texts(each["mean"], each["interval"]["low"], each["interval"]["high"]),
            *_count(each["count"]),
        ]
        for each in found["categories"]
    ]
    rows.append(["all records", "", "", "", *_count(found["total"])])
    table(["category", "mean share", f"{level} from", "to", "mean count", "from", "to"], rows, alignment="<>>>>>>")
    for warning in (*found["notes"], *found["warnings"]):
        note(_with_options(warning))


def _with_options(text: str) -> str:
    """Return a sentence of the service with the options of this command in place of the fields of the request."""
    return _FIELD.sub(lambda found: _OPTIONS.get(found[1], found[0]), text)


def _count(figures: Any) -> list[str]:
    interval = figures["interval"]
    return [f"{figures['mean']:,.1f}", number_text(int(interval["low"])), number_text(int(interval["high"]))]
