"""Contents of a release's picture: the shares, and the texts about them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np

from core.inference.beta_pairs import BetaPairs
from core.inference.contrasts import DrawnDistribution
from core.inference.events import Answered, Share, share_distribution
from core.inference.exact_width import expected_exact_width
from core.inference.mixture import BetaMixture
from core.inference.pieces import PRIOR_OF_A_PIECE
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
from service.posteriors.posteriors import as_unavailable, source_of
from service.posteriors.priors import answers_of, check_prior, is_by_piece, prior_words
from service.posteriors.read_releases import ReadRelease
from service.releases.expected_accuracy import accuracy_response, ratio_text
from service.schemas import posteriors as schema
from service.schemas.cell_names import SEPARATOR
from service.schemas.cells import Attribute, Cells
from service.schemas.priors import EachPrior

_MAX_PLOTTED = 200
_PARTICIPLE: Final = re.compile("[a-z]+ed")
"""A level that follows the word "share" without its attribute, as in "share admitted"."""
_MAX_JUDGING_SECONDS = 0.5
"""Longest time to compute the expected error of a release that has no noise-aware posterior."""

_WARNING: Final = (
    "This release gives almost no information: because of its noise, its intervals are about as wide as the prior's."
)


def check_picture(release: ReadRelease, request: schema.PictureRequest) -> None:
    """Raise InvalidRequest if the release has no such picture."""
    check_prior(request.prior, release.names)
    _rows_of(release, request)


def picture(release: ReadRelease, request: schema.PictureRequest) -> str:
    """Return the picture of a release as an SVG document. Raises InvalidRequest, and NotSupported for too many rows."""
    check_prior(request.prior, release.names)
    rows = _rows_of(release, request)
    if len(rows) > _MAX_PLOTTED:
        raise NotSupported(f"A picture shows at most {_MAX_PLOTTED} categories.")
    by_cell = _cell_prior(release, request.prior)
    prior, released = np.array(by_cell), np.array(release.counts.on_simplex)
    asked = prior_words(request.prior, prior_text(by_cell))
    shares = []
    for label, share in rows.items():
        base = sorted(range(prior.size) if share.given is None else share.given)
        cells, others = sorted(share.cells.intersection(base)), sorted(set(base) - share.cells)
        a, b = math.fsum(prior[cells]), math.fsum(prior[others])
        if is_by_piece(request.prior):
            a, b = prior[0], prior[0] * (len(rows) - 1 if share.given is None else 1)
        naive = Beta(a + int(released[cells].sum()), b + int(released[others].sum()))
        shares.append(PlottedShare(label, prior=Beta(a, b), naive=naive, aware=None))
    is_simulated = False
    try:
        source = source_of([release])
        with as_unavailable():
            answers = answers_of(source, request.prior, release.names, request.by)
            found = _answered(answers, list(rows.values()))
            is_simulated = any(posterior.method == "simulation" for posterior, _, _ in found)
            shares, note = _with_noise_aware(found, shares, request.level)
    except NotSupported:
        note = _note_without_posterior(release, by_cell, request.level)
    attributes = [] if release.names.attributes is None else list(release.names.attributes)
    by = request.by or [each.name for each in attributes]
    return plot(
        PlottedRelease(
            head=PictureHeader(release.title, _subtitle(release, asked), note, release.date),
            level=request.level,
            shares=shares,
            axis=_axis(request.of, by, attributes),
            heading=SEPARATOR.join(by),
            is_whole=request.of is None,
            shows_naive=lies_near_counts(release.event),
            is_simulated=is_simulated,
        ),
        request.width,
    )


def _subtitle(release: ReadRelease, prior: str) -> str:
    return f"{release.subtitle}; prior: {prior}"


def _cell_prior(release: ReadRelease, prior: EachPrior | list[float] | None) -> list[float]:
    """Return the prior of each cell; that of a piece stands for each if it is by piece."""
    if isinstance(prior, list):
        return prior
    return [PRIOR_OF_A_PIECE if prior is None else prior.each] * release.names.m


def _answered(answers: Answers, shares: list[Share]) -> list[tuple[NoiseAwarePosterior, Share, Answered]]:
    """Return the distribution of each row, and the posterior and the share that it comes from.

    Rows that make up the whole table are one joint posterior.
    """
    if answers.prior is None and all(share.given is None for share in shares):
        answers = answers.grouped([share.cells for share in shares])
        rows = [Share(frozenset({place})) for place in range(len(shares))]
        return [(answers.cell_posterior, row, each) for row, each in zip(rows, answers.shares(), strict=True)]
    found = []
    for share in shares:
        posterior, (one,) = answers.of(share)
        found.append((posterior, one, share_distribution(posterior, one)))
    return found


def _with_noise_aware(
    found: list[tuple[NoiseAwarePosterior, Share, Answered]], plotted: list[PlottedShare], level: float
) -> tuple[list[PlottedShare], str]:
    """Return the shares with their noise-aware distributions and intervals, and a warning if no interval is narrower
    than the prior's.
    """
    tail, laws = 0.5 * (1.0 - level), [law_of_share(answer) for _, _, answer in found]
    shown, poor = [], []
    for (posterior, share, answer), law, ends, each in zip(
        found, laws, intervals_of(laws, level), plotted, strict=True
    ):
        exact = expected_exact_width(posterior, share, None if isinstance(law, DrawnDistribution) else law, level)
        width = ends[1] - ends[0]
        shown.append(replace(each, aware=law, interval=ends, width_ratio=width_ratio(width, exact, answer.method)))
        low, high = (float(beta_quantile(each.prior.a, each.prior.b, tail, upper=upper)) for upper in (False, True))
        poor.append(says_next_to_nothing(width, exact, high - low))
    return shown, _WARNING if all(poor) else ""


def law_of_share(answer: Answered) -> Law:
    """Return the distribution of a share."""
    assert isinstance(answer.distribution, BetaMixture | BetaPairs | DrawnDistribution), "it is not a contrast"
    return answer.distribution


def width_ratio(width: float, exact: float, method: Literal["exact", "simulation"]) -> str:
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


def _rows_of(release: ReadRelease, request: schema.PictureRequest) -> dict[str, Share]:
    """Return the shares of a picture by their labels. Raises InvalidRequest."""
    names = release.names
    if not request.by:
        groups = {label: frozenset({cell}) for cell, label in enumerate(release.labels)}
    else:
        with error_location("by"):
            groups = names.groups(request.by)
    if request.of is None:
        if len(groups) < 2:
            raise InvalidRequest.at("by", "must make more than one group of cells")
        return {label: Share(cells) for label, cells in groups.items()}
    with error_location("of"):
        wanted = names.named(request.of)
        if not request.by:
            raise InvalidRequest.at("", "needs `by`: the groups within which the share is taken")
        # Omit a group if the share there is 0 or 1 for certain, because all or none of its cells are counted.
        shares = {
            label: Share(wanted & base, base) for label, base in groups.items() if wanted & base and base - wanted
        }
        if not shares:
            raise InvalidRequest.at("", "must include some cells of each group and leave out others")
    return shares


def _axis(of: Cells | None, by: Sequence[str], attributes: Sequence[Attribute]) -> str:
    """Return the name of the shares, such as `share admitted, by department and sex`."""
    groups = f", by {_listed(by)}" if by else " in the category"
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


def _listed(names: Sequence[str]) -> str:
    *first, last = map(isolated, names)
    return f"{', '.join(first)} and {last}" if first else last
