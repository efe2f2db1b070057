"""Shows the answers of a question in each stratum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from private_posterior.commands.show import note, probability_text, share_text, table

if TYPE_CHECKING:
    from private_posterior.models import AnsweredDistribution, AnsweredStrata

By: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="ATTRIBUTE", help="Answer in each stratum of this attribute: 'age'. Can be repeated."),
]
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
    is_share = found["question"]["question"]["kind"] == "share"
    table(
        headings,
        [[name, *_figures(answer, has_above=above is not None, is_share=is_share)] for name, answer in rows],
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


def estimate(answer: AnsweredDistribution, *, is_share: bool) -> float:
    """Return the mean of a share, as in the console, and the median of a contrast, whose mean may not exist."""
    return answer["mean"] if is_share and answer["mean"] is not None else answer["median"]


def _figures(answer: AnsweredDistribution | None, *, has_above: bool, is_share: bool) -> list[str]:
    if answer is None:
        return ["none", "", ""] + [""] * has_above
    interval, above = answer["interval"], answer["above"]
    high = "no end" if interval["high"] is None else share_text(interval["high"])
    shown = [share_text(estimate(answer, is_share=is_share)), share_text(interval["low"]), high]
    return shown if above is None else [*shown, probability_text(above)]
