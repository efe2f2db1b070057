"""Contents of the picture of a posterior: the shares, and the texts about them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from core.inference.beta_pairs import BetaPairs
from core.inference.contrasts import DrawnDistribution
from core.inference.events import Answered, Share, share_distribution
from core.inference.exact_width import expected_exact_width, expected_width
from core.inference.mixture import BetaMixture
from core.inference.posterior import NoiseAwarePosterior
from core.inference.sources import Answers
from core.mechanisms.catalogue import is_planned, lies_near_counts
from core.planning.accuracy import accuracy_seconds, says_next_to_nothing
from core.special_functions import beta_quantile
from service.errors import InvalidRequest, NotSupported, error_location
from service.pictures.frame import PictureHeader
from service.pictures.scales import prior_text
from service.pictures.text import isolated
from service.posteriors.plot import Beta, Law, PlottedRelease, PlottedShare, intervals_of, plot
from service.posteriors.priors import answers_of, by_cell, check_prior, is_by_piece, prior_words
from service.posteriors.read_releases import ReadRelease
from service.posteriors.read_tables import ReadTable
from service.posteriors.sources import Given, Prior, as_refusal, names_of, source_of
from service.releases.expected_accuracy import accuracy_response, ratio_text
from service.schemas import posteriors as schema
from service.schemas.cell_names import SEPARATOR, CellNames
from service.schemas.cells import Attribute, Cells

_MAX_PLOTTED = 200
_PARTICIPLE: Final = re.compile("[a-z]+ed")
"""A level that follows the word "share" without its attribute, as in "share admitted"."""
_MAX_JUDGING_SECONDS = 0.5
"""Longest time to compute the expected error of a release that has no noise-aware posterior."""

_WARNING: Final = "{} almost no information: because of the noise, the intervals are about as wide as the prior's."


def picture(given: Given, request: schema.PosteriorCreate, shown: schema.PosteriorPicture) -> str:
    """Return a picture of the shares as an SVG document. Raises InvalidRequest, and NotSupported for too many rows."""
    names = names_of(given)
    check_prior(request.prior, names)
    rows = rows_of(names, shown)
    prior = np.array(by_cell(request.prior, names))
    shares = _rows_without_noise(given, request.prior, prior, list(rows.items()))
    is_simulated, note = False, ""
    try:
        source = source_of(given, at_most=request.at_most)
        with as_refusal(given):
            found = _answered_distributions(answers_of(source, request.prior, names, shown.by), list(rows.values()))
            is_simulated = any(answer.method == "simulation" for _, _, answer in found)
            shares, says_nothing = _shares_with_noise_aware(found, shares, request.level)
            if says_nothing:
                note = _WARNING.format("This table gives" if isinstance(given, ReadTable) else _releases_give(given))
    except NotSupported:
        if not isinstance(given, ReadTable):
            note = _note_without_posterior(given[0], prior.tolist(), request.level)
    attributes = [] if names.attributes is None else list(names.attributes)
    by = shown.by or [each.name for each in attributes]
    return plot(
        PlottedRelease(
            head=_head(given, prior_words(request.prior, prior_text(prior.tolist())), note),
            level=request.level,
            shares=shares,
            axis=_axis(shown.of, by, attributes),
            heading=SEPARATOR.join(by),
            is_whole=shown.of is None,
            shows_naive=isinstance(given, ReadTable) or (len(given) == 1 and lies_near_counts(given[0].event)),
            is_simulated=is_simulated,
        ),
        shown.width,
    )


def _releases_give(releases: list[ReadRelease]) -> str:
    return "This release gives" if len(releases) == 1 else "These releases give"


def _head(given: Given, prior: str, note: str) -> PictureHeader:
    if isinstance(given, ReadTable):
        return PictureHeader("Posterior of a noisy table", f"prior: {prior}", note)
    first = given[0]
    of = first.subtitle if len(given) == 1 else f"{len(given)} releases of one data set, the first {first.id}"
    return PictureHeader(first.title, f"{of}; prior: {prior}", note, first.date)


def _rows_without_noise(
    given: Given, stated: Prior, prior: NDArray[np.float64], rows: Sequence[tuple[str, Share]]
) -> list[PlottedShare]:
    """Return the rows with their prior, and the distribution that takes the counts of the first source for true."""
    counts = (
        np.array([max(0.0, cell.value or 0.0) for cell in given.tables[0]])
        if isinstance(given, ReadTable)
        else np.array(given[0].counts.on_simplex, dtype=np.float64)
    )
    shares = []
    for label, share in rows:
        base = sorted(range(prior.size) if share.given is None else share.given)
        cells, others = sorted(share.cells.intersection(base)), sorted(set(base) - share.cells)
        a, b = math.fsum(prior[cells]), math.fsum(prior[others])
        if is_by_piece(stated):
            a, b = prior[0], prior[0] * (len(rows) - 1 if share.given is None else 1)
        naive = Beta(a + math.fsum(counts[cells]), b + math.fsum(counts[others]))
        shares.append(PlottedShare(label, prior=Beta(a, b), naive=naive, aware=None))
    return shares


def _answered_distributions(
    answers: Answers, shares: list[Share]
) -> list[tuple[NoiseAwarePosterior | None, Share, Answered]]:
    """Return the distribution of each row, and the share that it comes from, with its posterior if draws are needed.

    Rows that make up the whole table are one joint posterior.
    """
    found: list[tuple[NoiseAwarePosterior | None, Share, Answered]] = []
    if answers.prior is None and all(share.given is None for share in shares):
        answers = answers.grouped([share.cells for share in shares])
        for place, each in enumerate(answers.shares()):
            is_drawn = isinstance(each.distribution, DrawnDistribution)
            found.append((answers.cell_posterior if is_drawn else None, Share(frozenset({place})), each))
        return found
    for share in shares:
        ((posterior, one),) = answers.sides(share)
        found.append((posterior, one, share_distribution(posterior, one)))
    return found


def _shares_with_noise_aware(
    found: list[tuple[NoiseAwarePosterior | None, Share, Answered]], plotted: list[PlottedShare], level: float
) -> tuple[list[PlottedShare], bool]:
    """Return the shares with their noise-aware distributions and intervals, and whether no interval is narrower than
    the prior's.
    """
    tail, laws = 0.5 * (1.0 - level), [_law_of_share(answer) for _, _, answer in found]
    shown, poor = [], []
    for (posterior, share, answer), law, ends, each in zip(
        found, laws, intervals_of(laws, level), plotted, strict=True
    ):
        if isinstance(law, DrawnDistribution):
            assert posterior is not None, "draws come from a posterior"
            exact = expected_exact_width(posterior, share, None, level)
        else:
            exact = expected_width(law, level)
        width = ends[1] - ends[0]
        shown.append(replace(each, aware=law, interval=ends, width_ratio=_width_ratio(width, exact, answer.method)))
        low, high = (float(beta_quantile(each.prior.a, each.prior.b, tail, upper=upper)) for upper in (False, True))
        poor.append(says_next_to_nothing(width, exact, high - low))
    return shown, all(poor)


def _law_of_share(answer: Answered) -> Law:
    """Return the distribution of a share."""
    assert isinstance(answer.distribution, BetaMixture | BetaPairs | DrawnDistribution), "it is not a contrast"
    return answer.distribution


def _width_ratio(width: float, exact: float, method: Literal["exact", "simulation"]) -> str:
    """Return the ratio of the widths as text, or an empty text if the width without noise is too small to divide by."""
    if not exact or not math.isfinite(width / exact):
        return ""
    ratio = width / exact
    return ratio_text(ratio, digits=3) if method == "exact" else f"about {ratio_text(ratio, digits=2)}"


def _note_without_posterior(release: ReadRelease, prior: list[float], level: float) -> str:
    """Return the expected accuracy at made-up counts as text; empty if it would take too long to compute."""
    event = release.event
    if not is_planned(event) or accuracy_seconds(event) > _MAX_JUDGING_SECONDS:
        return ""
    found = accuracy_response(event, prior, level)
    return found.warning or found.summary


def rows_of(names: CellNames, shown: schema.PosteriorPicture) -> dict[str, Share]:
    """Return the shares of a picture by their labels. Raises InvalidRequest, and NotSupported for too many."""
    if not shown.by:
        groups = {label: frozenset({cell}) for cell, label in enumerate(names.labels)}
    else:
        with error_location("by"):
            groups = names.groups(shown.by)
    rows = {label: Share(cells) for label, cells in groups.items()}
    if shown.of is None and len(groups) < 2:
        raise InvalidRequest.at("by", "must make more than one group of cells")
    if shown.of is not None:
        with error_location("of"):
            wanted = names.named(shown.of)
            if not shown.by:
                raise InvalidRequest.at("", "needs `by`: the groups within which the share is taken")
            # Omit a group if the share there is 0 or 1 for certain, because all or none of its cells are counted.
            rows = {
                label: Share(wanted & base, base) for label, base in groups.items() if wanted & base and base - wanted
            }
            if not rows:
                raise InvalidRequest.at("", "must include some cells of each group and leave out others")
    if len(rows) > _MAX_PLOTTED:
        raise NotSupported(f"A picture shows at most {_MAX_PLOTTED} categories.")
    return rows


def _axis(of: Cells | None, by: Sequence[str], attributes: Sequence[Attribute]) -> str:
    """Return the name of the shares, such as `share admitted, by department and sex`."""
    groups = f", by {_names_text(by)}" if by else " in the category"
    if of is None:
        return f"share of records{groups}"
    if of.labels is not None:
        return f"share in {' or '.join(map(isolated, of.labels))}{groups}"
    assert of.where is not None, "a request has one of them"
    levels = [level for chosen in of.where.values() for level in chosen]
    is_said_once = all(sum(level in each.levels for each in attributes) == 1 for level in levels)
    if len(of.where) == 1 and is_said_once and all(_PARTICIPLE.fullmatch(level) for level in levels):
        return f"share {' or '.join(levels)}{groups}"
    spoken = [f"{isolated(name)}: {' or '.join(map(isolated, chosen))}" for name, chosen in of.where.items()]
    return f"share with {', '.join(spoken)}{groups}"


def _names_text(names: Sequence[str]) -> str:
    *first, last = map(isolated, names)
    return f"{', '.join(first)} and {last}" if first else last
