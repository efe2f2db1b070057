"""Declares the options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Epsilon: TypeAlias = Annotated[
    str | None, typer.Option(metavar="AMOUNT", help="ε, such as 0.5 (budgets of kind basic).")
]
Delta: TypeAlias = Annotated[str, typer.Option(metavar="AMOUNT", help="δ, such as 1e-6.")]
Rho: TypeAlias = Annotated[str | None, typer.Option(metavar="AMOUNT", help="ρ, such as 0.05 (budgets of kind zcdp).")]
Level: TypeAlias = Annotated[float, typer.Option(help="Level of the intervals.")]
Prior: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NUMBERS",
        help="Concentration of each category with commas between, one number for all of them, `uniform` (1 each) or "
        "`jeffreys` (0.5 each).",
    ),
]
DatasetId: TypeAlias = Annotated[str, typer.Argument(metavar="DATASET", help="Id of a data set, dat_….")]
Picture: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", dir_okay=False, help="Also write the picture of the release, an SVG file."),
]
BudgetId: TypeAlias = Annotated[str, typer.Argument(metavar="BUDGET", help="Id of a budget, bud_….")]


def prior_of(text: str, categories: int) -> list[float]:
    """The prior's concentration parameters. Raises typer.BadParameter."""
    words = {"uniform": "1", "jeffreys": "0.5"}.get(text, text)
    try:
        numbers = [float(number) for number in words.split(",")]
    except ValueError:
        raise typer.BadParameter("must be numbers with commas between, `uniform` or `jeffreys`") from None
    if len(numbers) == 1:
        return numbers * categories
    if len(numbers) != categories:
        raise typer.BadParameter(f"must have one number, or one for each of the {categories} categories")
    return numbers
