"""Answers a question in each stratum: in each combination of levels of some attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, assert_never

from core.cells import CellSet, atoms
from core.inference import strata as core
from core.inference.attribute_tree import TreeCounts
from core.inference.contrast_scales import Contrast
from core.inference.counts import InferenceError
from core.inference.events import DRAWS, Answered, Share
from core.inference.posterior import Estimate, NoiseAwarePosterior
from core.inference.sources import Answers
from service.errors import InvalidRequest, error_location
from service.posteriors.events import (
    are_same,
    describe,
    distribution_of,
    distribution_of_contrast,
    distribution_of_share,
    is_ratio,
    prior_matters_of,
    probability_fields,
    shares_of,
    threshold,
)
from service.posteriors.priors import matters_under
from service.schemas import strata as schema
from service.schemas.cell_names import CellNames
from service.schemas.cells import ContrastQuestion, ShareQuestion
from service.schemas.events import AnsweredDistribution, EstimatedProbability
from service.schemas.posteriors import Questions
from service.schemas.priors import PriorMatters

_SHARE_NAMES_BY_COUNT: Final = {1: ("the share",), 2: ("the first share", "the second share")}
_NO_STRATUM: Final = "must leave records with and without the outcome in some stratum"
_GROUPING_RULE: Final = "must not make the groups that are compared: each stratum would have records of one group only"
_DRAWS_COMPARED: Final = 4_096
"""Number of joint draws under another prior: the error of a median is half a percent of a width."""
_COMMON_RECORDS_REASON: Final = "The two shares are of common records: an adjustment needs two separate groups."


@dataclass(frozen=True, slots=True)
class Stratum:
    """The share, or both shares of the contrast, in one stratum. `reason` is the reason why it has no answer, if it has
    none.
    """

    label: str
    cells: CellSet
    shares: tuple[Share, ...]
    reason: str | None


def check(asked: schema.StratifiedQuestion, names: CellNames) -> None:
    """Raise InvalidRequest unless the question has an answer in some stratum. No private data is read."""
    strata = strata_of(asked, names)
    if asked.standard is None:
        return
    with error_location("standard"):
        if isinstance(asked.question, ShareQuestion):
            raise InvalidRequest.at("", "must be left out for a share: only contrasts are adjusted")
        if set(asked.standard) != {each.label for each in strata if each.reason is None}:
            raise InvalidRequest.at("", "must have a size for each stratum that has an answer, and for no other")


def answer(
    answers: Answers, asked: schema.StratifiedQuestion, names: CellNames, request: Questions
) -> schema.AnsweredStrata:
    """Answer a question that `check` accepted. Raises InferenceError if a distribution is too large."""
    question, strata = asked.question, strata_of(asked, names)
    joint = _joint(answers, strata)
    each_answer, adjusted, reason = _answers(answers, joint, asked, strata)
    overall = distribution_of(answers, question, names)
    of_strata, of_adjusted = _prior_matters(answers, asked, strata, (each_answer, adjusted), request.level)
    found = iter(zip(each_answer, of_strata, strict=True))

    def described(answered: Answered, matters: PriorMatters | None) -> AnsweredDistribution:
        return describe(answered, request, above=threshold(question), between=question.between, prior_matters=matters)

    return schema.AnsweredStrata(
        question=asked,
        overall=described(overall, prior_matters_of(overall, answers, question, names, request.level)),
        strata=[
            schema.Stratum(
                label=each.label,
                levels=names.levels_of(each.cells, asked.attributes),
                answer=None if each.reason is not None else described(*next(found)),
                unavailable_reason=each.reason,
                without_records=EstimatedProbability(**probability_fields(empty)),
            )
            for each, empty in zip(strata, _estimates_without_records(joint, strata), strict=True)
        ],
        adjusted=None
        if adjusted is None
        else schema.AdjustedContrast(
            mantel_haenszel=described(adjusted.mantel_haenszel, of_adjusted[0]),
            standardised=described(adjusted.standardised, of_adjusted[1]),
        ),
        adjusted_unavailable_reason=reason,
    )


def _prior_matters(
    answers: Answers,
    asked: schema.StratifiedQuestion,
    strata: list[Stratum],
    found: tuple[list[Answered], core.Adjusted | None],
    level: float,
) -> tuple[list[PriorMatters | None], list[PriorMatters | None]]:
    """Return what another prior gives for each answer and for both adjusted contrasts, if that differs by much.

    Answers about these records are not compared, as that may take long.
    """
    ours, adjusted = found
    of_strata: list[PriorMatters | None] = [None] * len(ours)
    of_adjusted: list[PriorMatters | None] = [None] * 2
    if (other := answers.alternative) is None or asked.question.about == "records":
        return of_strata, of_adjusted
    try:
        theirs, under_other, _ = _answers(other, _joint(other, strata), asked, strata, _DRAWS_COMPARED)
    except InferenceError:
        return of_strata, of_adjusted

    def compared(first: Answered, second: Answered) -> PriorMatters | None:
        return matters_under(first, second.distribution, other.each, level, is_ratio=is_ratio(asked.question.kind))

    of_strata = [compared(*each) for each in zip(ours, theirs, strict=True)]
    if adjusted is not None and under_other is not None:
        of_adjusted = [
            compared(adjusted.mantel_haenszel, under_other.mantel_haenszel),
            compared(adjusted.standardised, under_other.standardised),
        ]
    return of_strata, of_adjusted


def _answers(
    answers: Answers,
    joint: NoiseAwarePosterior | TreeCounts,
    asked: schema.StratifiedQuestion,
    every: list[Stratum],
    most_draws: int = DRAWS,
) -> tuple[list[Answered], core.Adjusted | None, str | None]:
    """Return the answers of the strata that have one, the adjusted contrasts, and the reason if there are none."""
    question, standard = asked.question, asked.standard
    strata = [each for each in every if not each.reason]
    match question:
        case ShareQuestion():
            size = min(most_draws, core.draws_of_each(2 * len(strata)))
            return [distribution_of_share(answers, each.shares[0], question.about, size) for each in strata], None, None
        case ContrastQuestion():
            contrast = Contrast(question.kind)
            weights = None if standard is None else [standard[each.label] for each in strata]
            pairs = [(each.shares[0], each.shares[1]) for each in strata]
            is_common = any(core.have_common_records(*pair) for pair in pairs)
            if not is_common and question.about == "population":
                return *core.stratified_contrast(joint, pairs, contrast, weights, most_draws), None
            found = [distribution_of_contrast(answers, pair, question) for pair in pairs]
            if is_common:
                return found, None, _COMMON_RECORDS_REASON
            return found, core.adjusted_of_records(joint, pairs, contrast, weights), None
        case _:
            assert_never(question)


def _joint(answers: Answers, strata: list[Stratum]) -> NoiseAwarePosterior | TreeCounts:
    """Return the joint posterior of the pieces of the question in all strata."""
    shares = [
        Share(
            frozenset().union(*(each.shares[place].cells for each in strata)),
            frozenset().union(*(each.shares[place].given or frozenset() for each in strata)),
        )
        for place in range(len(strata[0].shares))
    ]
    sets = [piece for each in strata for piece in atoms(core.sets_of(each.shares)).pieces]
    return answers.strata(shares, sets)


def strata_of(asked: schema.StratifiedQuestion, names: CellNames, *, most: int = schema.MAX_STRATA) -> list[Stratum]:
    """Return the strata in the order of their levels.

    Raises InvalidRequest, also if the question has no answer in any of them.
    """
    with error_location("question"):
        shares = shares_of(asked.question, names)
    with error_location("attributes"):
        groups = names.groups(asked.attributes)
    if len(groups) > most:
        raise InvalidRequest.at("attributes", f"must make at most {most} strata")
    found = []
    for label, cells in groups.items():
        inside = tuple(core.restricted(share, cells) for share in shares)
        reasons = [
            reason
            for whose, share in zip(_SHARE_NAMES_BY_COUNT[len(inside)], inside, strict=True)
            if (reason := _reason(share, whose)) is not None
        ]
        if not reasons and len(inside) == 2 and are_same(inside[0], inside[1], names.m):
            reasons = ["Both shares are the same here."]
        found.append(Stratum(label, cells, inside, " ".join(reasons) or None))
    if all(not all(share.given for share in each.shares) for each in found):
        raise InvalidRequest.at("attributes", _GROUPING_RULE)
    if all(each.reason is not None for each in found):
        raise InvalidRequest.at("attributes", _NO_STRATUM)
    return found


def _reason(share: Share, whose: str) -> str | None:
    """Return why a share is not uncertain in a stratum, or None if it is."""
    if not share.given:
        return f"No record can be in the denominator of {whose} here."
    if core.is_open(share):
        return None
    return f"Here {whose} is {'1' if share.cells & share.given else '0'} for every record."


def _estimates_without_records(posterior: NoiseAwarePosterior | TreeCounts, strata: list[Stratum]) -> list[Estimate]:
    """Return for each stratum the probability that a denominator has no records: the larger one of two."""
    estimates = core.without_records(
        posterior, [share.given or frozenset() for each in strata for share in each.shares]
    )
    several = len(strata[0].shares)
    return [
        max(estimates[start : start + several], key=lambda each: each.value)
        for start in range(0, len(estimates), several)
    ]
