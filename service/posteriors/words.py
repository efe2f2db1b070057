"""The figures of an answer as rows with their names, and notes on them: a page, a terminal or a notebook shows them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from core.inference.distribution import CEILING
from service.schemas.cell_names import cell_words
from service.schemas.cells import Cells, Question, Share, ShareQuestion
from service.schemas.events import AnsweredDistribution, EstimatedProbability, FigureKind, FigureRow
from service.schemas.strata import AnsweredStrata
from service.schemas.trials import Efficacy, LogOddsRatio, NumberNeeded, TrialFigures

Figure: TypeAlias = AnsweredDistribution | Efficacy | LogOddsRatio | NumberNeeded | EstimatedProbability | float | None
Named: TypeAlias = tuple[str, FigureKind, str, Figure]
"""The name of a figure, its kind, its path in the answer, and the figure."""
_MOST_DECIMALS: Final = 3
_ROUNDING: Final = 1e-9
"""Tolerance for the logarithm of a power of ten."""
_EMPTY_FROM: Final = 0.1
"""Smallest probability of an empty stratum that gets a note."""
_MIN_UNDEFINED_PROBABILITY: Final = 0.01
"""Smallest probability of an undefined value that a note names."""
_MAX_NAMED_LABELS: Final = 5
_ABOUT_RECORDS: Final = "The {} is about these records alone, not about people like these."
_PERCENT_KINDS: Final = frozenset({"share", "difference", "efficacy"})
TITLES: Final = {"difference": "Risk difference", "ratio": "Risk ratio", "odds_ratio": "Odds ratio"}
_NNT: Final = {"fewer": ", for one fewer (NNTB)", "more": ", for one more (NNTH)"}


def laid_out(
    figures: Sequence[Named],
    by: AnsweredStrata | None,
    trial: TrialFigures | None,
    moved: Sequence[str] = (),
    *,
    compares_records: bool = False,
) -> dict[str, Any]:
    """Return the rows of an answer and the notes as fields of a response. Rows of strata and of a trial come last.
    `moved` has the categories with a share for which the prior matters: noted if nothing else is asked.
    `compares_records`: the figures are a comparison of these records alone.
    """
    named = [*figures, *_figures_of_strata(by), *_figures_of_trial(trial)]
    matters = [(name, getattr(found, "prior_matters", None)) for name, _, _, found in named]
    return {
        "rows": [
            FigureRow(name=name, kind=kind, path=path, probability=_probability_words(kind, found))
            for name, kind, path, found in named
        ],
        "notes": [
            *(f"{name}: {found.note}" for name, found in matters if found),
            *dict.fromkeys(_notes_on_certain(named)),
            *_notes_on_records(named),
            *_notes_on_strata(by),
            *_notes_on_trial(trial),
            *([_note_on_categories(moved)] if moved and not named else []),
            *([_ABOUT_RECORDS.format("comparison")] if compares_records else []),
        ],
    }


def of_answers(answers: Sequence[AnsweredDistribution]) -> Iterator[Named]:
    """Yield the figures that answer questions."""
    for place, each in enumerate(answers):
        assert each.question is not None, "an answer has its question"
        asked = each.question
        name, path = question_words(asked), f"/answers/{place}"
        yield name, asked.kind, path, each
        if asked.between is not None:
            ends = [
                (word, at)
                for word, at in (("at least", asked.between.low), ("at most", asked.between.high))
                if at is not None
            ]
            within = " and ".join(f"{word} {_value_text(at, asked.kind)}" for word, at in ends)
            yield f"{name}, {within}", "probability", f"{path}/between", each.between


def _note_on_categories(moved: Sequence[str]) -> str:
    more = f" and {len(moved) - _MAX_NAMED_LABELS} more" if len(moved) > _MAX_NAMED_LABELS else ""
    names = ", ".join(f"“{label}”" for label in moved[:_MAX_NAMED_LABELS])
    return f"The prior matters for the share of {names}{more}: another moves it by more than a quarter of its interval."


def _figures_of_strata(found: AnsweredStrata | None) -> Iterator[Named]:
    if found is None:
        return
    kind = found.question.question.kind
    yield "All", kind, "/by/overall", found.overall
    for place, each in enumerate(found.strata):
        yield each.label, kind, f"/by/strata/{place}/answer", each.answer
    if found.adjusted is not None:
        yield "Mantel–Haenszel", kind, "/by/adjusted/mantel_haenszel", found.adjusted.mantel_haenszel
        yield "Standardised", kind, "/by/adjusted/standardised", found.adjusted.standardised


def _notes_on_certain(named: Sequence[Named]) -> Iterator[str]:
    """Yield what to ask if a figure of the population is above 0 under any prior."""
    for _, kind, _, found in named:
        above = getattr(found, "above", None)
        if above is not None and above.equal is None and kind != "difference" and above.threshold <= 0.0:
            yield (
                f"P(above {_value_text(above.threshold, kind)}) is certain for people like these, whatever the "
                "release says. To find whether these records have any case, ask about these records alone."
            )


def _notes_on_records(named: Sequence[Named]) -> Iterator[str]:
    """Yield what to know about values of the records that may be undefined or infinite."""
    for name, _, _, found in named:
        if not isinstance(found, AnsweredDistribution) or found.undefined is None:
            continue
        if found.median >= CEILING:
            yield f"{name}: it is infinite with probability 0.5 or more, as a count in its denominator is 0."
        if found.undefined >= _MIN_UNDEFINED_PROBABILITY:
            of_undefined = EstimatedProbability(
                probability=found.undefined, error=found.error, method=found.method, draws=found.draws
            )
            yield (
                f"{name}: with probability {probability_text(of_undefined)} it is undefined, because a denominator has "
                "no records. The estimate and the interval assume that it is defined. P(above) counts an undefined "
                "value as not above."
            )


def _notes_on_strata(found: AnsweredStrata | None) -> Iterator[str]:
    is_of_records = found is not None and found.question.question.about == "records"
    for each in found.strata if found else ():
        if each.answer is None:
            yield f"{each.label}: {each.unavailable_reason}"
        elif each.without_records.probability >= _EMPTY_FROM and not is_of_records:
            yield (
                f"{each.label}: with probability {probability_text(each.without_records)} a denominator has no records "
                "here; to that extent, the answer follows from the prior."
            )
    if found and found.adjusted_unavailable_reason:
        yield found.adjusted_unavailable_reason
    if is_of_records:
        yield "Strata are of these records alone. They were not computed under another prior."


def _figures_of_trial(found: TrialFigures | None) -> Iterator[Named]:
    if found is None:
        return
    groups = (found.question.first, found.question.second) if found.question else (None, None)
    first, second = (
        f"{name} group" if cells is None else cell_words(cells.where or cells.labels)
        for name, cells in zip(("first", "second"), groups, strict=True)
    )
    yield "Efficacy (1 − risk ratio)", "efficacy", "/trial/efficacy", found.efficacy
    yield f"Risk, {first}", "share", "/trial/first", found.first
    yield f"Risk, {second}", "share", "/trial/second", found.second
    yield "Risk ratio", "ratio", "/trial/ratio", found.ratio
    yield "Odds ratio", "odds_ratio", "/trial/odds_ratio", found.odds_ratio
    if (logs := found.log_odds_ratio) is not None:
        yield f"Log odds ratio (SD {logs.standard_deviation:.2g})", "log_odds_ratio", "/trial/log_odds_ratio", logs
    yield "Risk difference", "difference", "/trial/difference", found.difference
    needed = found.number_needed
    direction = "" if needed is None else _NNT[needed.direction]
    yield f"Number needed to treat{direction}", "number_needed", "/trial/number_needed", needed
    if found.effect is not None:
        effect = found.effect.effect
        side, at = ("above", effect.above) if effect.above is not None else ("below", effect.below)
        name = f"{effect.measure.replace('_', ' ')} {side} {_value_text(at or 0.0, effect.measure)}"
        yield name.capitalize(), "probability", "/trial/effect", found.effect


def _notes_on_trial(found: TrialFigures | None) -> Iterator[str]:
    if found is not None and found.number_needed is None:
        yield "There is no number needed to treat, because the risks may be equal."
    if found is not None and found.question is not None and found.question.about == "records":
        yield _ABOUT_RECORDS.format("trial")
    if found is not None and found.efficacy.median < 0.0:
        yield "The efficacy is negative: the risk is higher in the first group. Put the treated group first."


def question_words(asked: Question) -> str:
    """Return a question in words, such as `Risk ratio of outcome ill: arm new against arm usual`."""
    about = ", in these records alone" if asked.about == "records" else ""
    if isinstance(asked, ShareQuestion):
        return f"{_share_words(asked)}{about}"
    first, second, title = asked.first, asked.second, TITLES[asked.kind]
    if first.of == second.of and first.within and second.within:
        groups = " against ".join(_words(each) for each in (first.within, second.within))
        return f"{title} of {_words(first.of)}: {groups}{about}"
    return f"{title}: {_share_words(first)} against {_share_words(second)}{about}"


def _share_words(share: Share) -> str:
    return _words(share.of) if share.within is None else f"{_words(share.of)}, among {_words(share.within)}"


def _words(cells: Cells) -> str:
    return cell_words(cells.where or cells.labels)


def _value_text(value: float, kind: str) -> str:
    return f"{100.0 * value:.6g} %" if kind in _PERCENT_KINDS else f"{value:.6g}"


def _probability_words(kind: FigureKind, found: Figure) -> str | None:
    """Return the probability of a figure in words: `P(above 5 %) = 0.12, simulated`."""
    if isinstance(found, EstimatedProbability):
        return _equation("P", found)
    if not isinstance(found, AnsweredDistribution) or found.above is None:
        return None
    above = found.above
    tie = None if above.equal is None else above.model_copy(update={"probability": above.equal})
    equal = "" if tie is None else f", {_equation('P(equal)', tie)}"
    return f"{_equation(f'P(above {_value_text(above.threshold, kind)})', above)}{equal}"


def _equation(event: str, found: EstimatedProbability) -> str:
    text = probability_text(found)
    return f"{event} {text if text[0] in '<>' else f'= {text}'}" + (
        ", simulated" if found.method == "simulation" else ""
    )


def probability_text(found: EstimatedProbability) -> str:
    """Return a probability with at most three decimals, and no more than its error allows. It is never 0 or 1."""
    decimals = max(1, math.floor(-math.log10(max(found.error, 10.0**-_MOST_DECIMALS)) + _ROUNDING))
    text, least = f"{found.probability:.{decimals}f}", 10.0**-decimals
    return f"< {least:g}" if float(text) == 0.0 else f"> {1.0 - least:g}" if float(text) == 1.0 else text
