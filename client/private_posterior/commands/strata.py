"""Shows the answers of a question in each stratum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from private_posterior.commands.show import note, probability_text, table
from private_posterior.wording import figure_texts

if TYPE_CHECKING:
    from private_posterior.models import AnsweredDistribution, AnsweredStrata

By: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="ATTRIBUTE", help="Answer in each stratum of this attribute: 'age'. Can be repeated."),
]
_RATIOS: Final = frozenset({"ratio", "odds_ratio"})
_EMPTY_FROM: Final = 0.1
"""Probability from which a note says that a stratum may have no records."""


def show_strata(found: AnsweredStrata) -> None:
    """Print the answer of each stratum, of all records together, and of the adjusted contrasts."""
    adjusted = found["adjusted"]
    rows: list[tuple[str, AnsweredDistribution | None]] = [("all", found["overall"])]
    rows += [(each["label"], each["answer"]) for each in found["strata"]]
    if adjusted is not None:
        rows.append(("adjusted, Mantel-Haenszel", adjusted["mantel_haenszel"]))
        rows.append(("adjusted, standardised", adjusted["standardised"]))
    level, above = found["overall"]["interval"]["level"], found["overall"]["above"]
    headings = [", ".join(found["question"]["attributes"]), "estimate", f"{level:g} from", "to"]
    headings += [] if above is None else [f"P(above {above['threshold']:g})"]
    kind = found["question"]["question"]["kind"]
    table(
        headings,
        [[name, *_row(answer, kind, has_above=above is not None)] for name, answer in rows],
        alignment="<>>>>",
    )
    for each in found["strata"]:
        probability = each["without_records"]["probability"]
        if each["unavailable_reason"] is not None:
            note(f"{each['label']}: {each['unavailable_reason']}")
        elif probability >= _EMPTY_FROM:
            note(
                f"{each['label']}: with probability {probability_text(each['without_records'])} a denominator has no "
                "records here; to that extent, the answer follows from the prior."
            )
    if found["adjusted_unavailable_reason"] is not None:
        note(found["adjusted_unavailable_reason"])
    if adjusted is not None:
        note(
            f"Adjusted contrasts come from {adjusted['standardised']['draws']} joint draws; their probabilities are "
            f"accurate to {adjusted['standardised']['error']:.1g}."
        )


def figures(answer: AnsweredDistribution, kind: str) -> list[str]:
    """Return the estimate and both ends, as in the console: the mean of a share, and the median of a contrast, whose
    mean may not exist.
    """
    interval = answer["interval"]
    estimate = answer["mean"] if kind == "share" and answer["mean"] is not None else answer["median"]
    return figure_texts(estimate, interval["low"], interval["high"], is_ratio=kind in _RATIOS)


def _row(answer: AnsweredDistribution | None, kind: str, *, has_above: bool) -> list[str]:
    if answer is None:
        return ["none", "", ""] + [""] * has_above
    above = answer["above"]
    return figures(answer, kind) if above is None else [*figures(answer, kind), probability_text(above)]
