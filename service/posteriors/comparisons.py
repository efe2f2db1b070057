"""Compares two shares: of sources about different people, or of pooled releases of one data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from core.inference.contrast_scales import Contrast
from core.inference.events import Answered, Share, greater_between
from core.inference.sources import Answers
from core.inference.trials import trial_between
from service.errors import InvalidRequest, error_location
from service.posteriors import events, known, trials, words
from service.posteriors.priors import answers_of, check_prior, matters_under
from service.posteriors.read_releases import ReadRelease
from service.posteriors.read_tables import ReadTable
from service.posteriors.sources import Given, as_refusal, check_cells, check_sources, ids_of, names_of, source_of
from service.schemas import posteriors as schema
from service.schemas.events import AnsweredDistribution, EstimatedProbability
from service.schemas.trials import TrialFigures

SIDES: Final = ("first", "second")


def check_sides(first: Given, second: Given, request: schema.ComparisonCreate) -> tuple[Share, Share]:
    """Return the shares. Raises InvalidRequest if the sides do not fit each other or the request."""
    shares = []
    for given, asked, side in ((first, request.first, "first"), (second, request.second, "second")):
        with error_location(side):
            check_sources(given, asked.prior)
            shares.append(events.asked_share(asked, names_of(given)))
            check_prior(asked.prior, names_of(given))
            known.check_share(known.check(asked.known, given), shares[-1], names_of(given))
    if not is_same_dataset(first, second):
        return shares[0], shares[1]
    if set(ids_of(first)) == set(ids_of(second)):
        raise InvalidRequest.at(
            "second.sources", "must be different releases; compare shares of the same ones as a difference"
        )
    with error_location("second"):
        check_cells(_releases(first) + _releases(second))
    events.check_differ(shares[0], shares[1], names_of(first).m)
    for name in ("prior", "known"):
        if getattr(request.first, name) != getattr(request.second, name):
            raise InvalidRequest.at(f"second.{name}", "must equal that of the first side: both are of one data set")
    return shares[0], shares[1]


def is_same_dataset(first: Given, second: Given) -> bool:
    one, other = _releases(first), _releases(second)
    return bool(one and other) and one[0].dataset_id == other[0].dataset_id


def _releases(given: Given) -> list[ReadRelease]:
    return [] if isinstance(given, ReadTable) else given


def compare(first: Given, second: Given, request: schema.ComparisonCreate) -> schema.Comparison:
    """Compare a share of one posterior with one of another. Raises InvalidRequest or NotSupported."""
    shares = check_sides(first, second, request)
    if is_same_dataset(first, second):
        pooled = list({each.id: each for each in _releases(first) + _releases(second)}.values())
        found = _answers(pooled, request.first)
        warnings = known.warnings_about(request.first.known, pooled, found.source)
        return _comparison([(found, share) for share in shares], request, "same", warnings)
    sides, warnings = [], []
    for name, given, asked, share in zip(SIDES, (first, second), (request.first, request.second), shares, strict=True):
        found = _answers(given, asked)
        sides.append((found, share))
        warnings += [f"The {name} share: {each}" for each in known.warnings_about(asked.known, given, found.source)]
    budgets = [{each.budget_id for each in _releases(given)} for given in (first, second)]
    return _comparison(sides, request, "may_overlap" if budgets[0] & budgets[1] else "different", warnings)


def _answers(given: Given, asked: schema.ComparedShare) -> Answers:
    names = names_of(given)
    with as_refusal(given):
        return answers_of(source_of(given), asked.prior, names).given(known.groups_of(asked.known, names))


def _comparison(
    sides: Sequence[tuple[Answers, Share]],
    request: schema.ComparisonCreate,
    people: Literal["same", "may_overlap", "different"],
    warnings: list[str],
) -> schema.Comparison:
    with as_refusal([]):
        (first, second), about = _pair(sides, people), request.about
        left, right = (events.share_law(each, about) for each in (first, second))
        others = [(answers.alternative, share) for answers, share in sides if answers.alternative is not None]
        other = _pair(others, people) if len(others) == len(sides) else None
        each = others[0][0].each if others else 0.0
        asked = None if request.contrast is None else Contrast(request.contrast)
        contrast = None
        if asked is not None:
            contrast = _describe(
                events.contrast_of(first, second, asked, about),
                None if other is None else events.contrast_of(*other, asked, about),
                each,
                request,
                above=asked.equal if request.above is None else request.above,
                is_ratio=events.is_ratio(asked.value),
            )
        trial: TrialFigures | None = None
        if request.trial:
            is_records = about == "records"
            under = (
                None if other is None else trials.UnderOtherPrior(trial_between(*other, of_records=is_records), each)
            )
            found = trial_between(first, second, of_records=is_records)
            trial = TrialFigures(question=None, **trials.figures(found, request, request.effect, under))
        equal, undefined = None, None
        if about == "records":
            difference = events.contrast_of(first, second, Contrast.DIFFERENCE, about)
            estimate, equal = difference.above(0.0), events.tie(difference, 0.0)
            undefined = events.probability_undefined(difference)
        elif people == "same":
            estimate = events.probability_of_greater(sides[0][0], *(share for _, share in sides))
        else:
            estimate = greater_between(first, second)
        shares = [
            _describe(law, None if other is None else events.share_law(other[place], about), each, request, above=None)
            for place, law in enumerate((left, right))
        ]
    first_mean, second_mean = left.distribution.mean, right.distribution.mean
    assert first_mean is not None, "a share has a mean"
    assert second_mean is not None, "a share has a mean"
    greater = EstimatedProbability(**events.probability_fields(estimate))
    figures: list[words.Named] = [("First share greater", "probability", "", greater)]
    if asked is not None:
        figures.insert(0, (words.TITLES[asked.value], asked.value, "/contrast", contrast))
    if trial is None:
        named = zip((("First share", "/first_mean"), ("Second share", "/second_mean")), shares, strict=True)
        figures = [*((name, "share", path, share) for (name, path), share in named), *figures]
    return schema.Comparison(
        first_mean=first_mean,
        second_mean=second_mean,
        people=people,
        contrast=contrast,
        trial=trial,
        equal=equal,
        undefined=undefined,
        warnings=warnings,
        **words.laid_out(figures, None, trial, compares_records=about == "records"),
        **events.probability_fields(estimate),
    )


def _pair(sides: Sequence[tuple[Answers, Share]], people: str) -> tuple[events.Side, events.Side]:
    """Return the posterior and the share of each side; one posterior if the people are the same."""
    (one, first), (other, second) = sides
    if people == "same":
        left, right = one.sides(first, second)
        return left, right
    return one.sides(first)[0], other.sides(second)[0]


def _describe(
    found: Answered,
    other: Answered | None,
    each: float,
    request: schema.ComparisonCreate,
    *,
    above: float | None,
    is_ratio: bool = False,
) -> AnsweredDistribution:
    matters = None
    if other is not None:
        matters = matters_under(found, other.distribution, each, request.level, is_ratio=is_ratio)
    return events.describe(found, request, above=above, prior_matters=matters)
