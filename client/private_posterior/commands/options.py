"""Declares the options that several commands have, and reports errors in their values."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

from private_posterior.commands.show import fail

_DECIMAL_COMMA: Final = re.compile(r"\d+,\d+")
_AMOUNT: Final = re.compile(r"\d+(\.\d+)?([eE][+-]?\d+)?")


def amount(option: str) -> Callable[[str], str]:
    """Return a parser for the amount of this option. It ends the command if the text is not an amount."""

    def read(text: str) -> str:
        if not _AMOUNT.fullmatch(text):
            point = text.strip().replace(",", ".")
            point = f"0{point}" if point.startswith(".") else point
            if _AMOUNT.fullmatch(point):
                if "," in text:
                    fail(f"{option} {text}: write {point}")
                return point
            fail(f"{option} {text}: an amount is a number that is not negative, such as 0.5 or 1e-6")
        return text

    return read


def _level(option: str) -> Callable[[str | float], float]:
    def read(given: str | float) -> float:
        text = str(given)  # the default is a number already
        try:
            level = float(text.strip().rstrip("%").replace(",", "."))
        except ValueError:
            level = -1.0
        if 1 < level < 100:
            fail(f"{option} {text}: write {level / 100:.10g}")
        if not 0 < level < 1:
            fail(f"{option} {text}: a level lies between 0 and 1, such as 0.95")
        if "," in text:
            fail(f"{option} {text}: write {level:.10g}")
        return level

    return read


Epsilon: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="AMOUNT", parser=amount("--epsilon"), help="ε, such as 0.5 (budgets of kind basic)."),
]
Delta: TypeAlias = Annotated[str, typer.Option(metavar="AMOUNT", parser=amount("--delta"), help="δ, such as 1e-6.")]
Rho: TypeAlias = Annotated[
    str | None, typer.Option(metavar="AMOUNT", parser=amount("--rho"), help="ρ, such as 0.05 (budgets of kind zcdp).")
]
TheseRecords: TypeAlias = Annotated[
    bool, typer.Option("--these-records", help="Ask about these records alone, not about the people they stand for.")
]
Known: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CELLS=COUNT",
        help="The number of records of a group, if it is public: 'arm=vaccine=18198'. Can be repeated.",
    ),
]
Level: TypeAlias = Annotated[
    float,
    typer.Option(
        metavar="NUMBER",
        parser=_level("--level"),
        help=("Probability that an interval contains the share, such as 0.95."),
    ),
]
Confidence: TypeAlias = Annotated[
    float,
    typer.Option(
        metavar="LEVEL", parser=_level("--confidence"), help=("Probability that the interval contains the true answer.")
    ),
]
Prior: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBERS",
        help="Concentration of each category with commas or spaces between ('0.5, 2'), one number for all of them, "
        "`uniform` (1 each) or `jeffreys` (0.5 each). If left out: ½ for each part of a question.",
    ),
]
MeasuredMargin: TypeAlias = Annotated[
    str | None,
    typer.Option("--margin", metavar="LIST", help="For a release of margins, the measured margin: 'age,smoker'."),
]
Merge: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CELLS",
        help="Count these categories as one, with less noise: 'outcome=mild,severe'. Nothing within them can be "
        "asked afterwards. Can be repeated.",
    ),
]
Only: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="Count only these attributes, with less noise: 'arm,outcome'. Others can't be asked afterwards.",
    ),
]
DatasetName: TypeAlias = Annotated[str, typer.Argument(metavar="DATASET", help="Name or id of a data set.")]
Output: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Also write the release to this file, byte for byte.")
]
Picture: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Also write the picture of the release, an SVG file."),
]
Again: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--again",
        help="Buy fresh noise. Without it, a request that was paid for returns the same result, free.",
    ),
]
BudgetName: TypeAlias = Annotated[str, typer.Argument(metavar="BUDGET", help="Name or id of a budget.")]
By: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="ATTRIBUTE", help="Answer in each stratum of this attribute: 'age'. Can be repeated."),
]


FreePrior: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--prior",
        metavar="NUMBERS",
        help="A prior by cell: one number, or one for each with commas or spaces between. Or 'part=1' for each part of "
        "a question: ½ if left out.",
    ),
]


def free_prior_of(text: str, categories: int) -> Any:
    """Return the prior of a free answer: `part=1` is that of each part of a question, other texts are by cell."""
    name, equals, number = text.partition("=")
    if not equals:
        return prior_of(text, categories)
    if name.strip() != "part":
        fail("--prior takes numbers by cell, or 'part=1' for each part of a question")
    return {"each": prior_of(number, 1)[0], "of": "piece"}


def prior_of(text: str, categories: int) -> list[float]:
    """Return the prior's concentration parameters. Ends the command if the text has none.

    The console has the same rule: commas and spaces separate numbers, and a decimal comma is refused.
    """
    words = {"uniform": "1", "jeffreys": "0.5"}.get(text, text)
    for word in words.split():
        if _DECIMAL_COMMA.fullmatch(comma := word.strip(",")):
            point, two = comma.replace(",", "."), comma.split(",")
            fail(f"--prior {comma} can mean {point}, or {two[0]} and {two[1]}: write '{point}', or '{' '.join(two)}'")
    try:
        numbers = [float(number) for number in words.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if not all(map(isfinite, numbers)) or not numbers:
        fail("--prior takes numbers with commas or spaces between, `uniform` or `jeffreys`")
    if len(numbers) == 1:
        return numbers * categories
    if len(numbers) != categories:
        fail(f"--prior takes one number, or one for each of the {categories} categories; these are {len(numbers)}")
    return numbers
