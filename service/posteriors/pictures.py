"""Puts together the picture of a release: which shares it shows, and what is said of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.inference.beta_pairs import BetaPairs
from core.inference.contrasts import DrawnDistribution
from core.inference.events import Share, share_law
from core.inference.mixture import BetaMixture
from core.mechanisms.catalogue import Event, lies_near_counts
from service.cells import SEPARATOR
from service.errors import InvalidRequest, NotSupported, within
from service.posteriors.plot import Beta, Law, PlottedRelease, PlottedShare, plot
from service.posteriors.posteriors import condition
from service.posteriors.read_releases import ReadRelease
from service.releases.worth import seconds as worth_seconds
from service.releases.worth import sentence, worth_of
from service.schemas import posteriors as schema

_MAX_PLOTTED = 200
_MOST_JUDGING = 0.5
"""The most seconds that a picture may take for the worth of such releases."""


def check_picture(release: ReadRelease, request: schema.PictureRequest) -> None:
    """Raises InvalidRequest where there is no such picture of the release."""
    _rows_of(release, request)


def picture(release: ReadRelease, request: schema.PictureRequest) -> str:
    """The picture of a release, an SVG document. Raises InvalidRequest, and NotSupported for too many rows."""
    rows = _rows_of(release, request)
    if len(rows) > _MAX_PLOTTED:
        raise NotSupported(f"A picture shows at most {_MAX_PLOTTED} categories.")
    aware: list[Law | None]
    is_simulated = False
    try:
        posterior = condition(release, None)
        is_simulated = posterior.method == "simulation"
        laws = [share_law(posterior, share).law for share in rows.values()]
        aware = [law if isinstance(law, BetaMixture | BetaPairs | DrawnDistribution) else None for law in laws]
    except NotSupported:
        aware = [None] * len(rows)
    prior, released = np.array(release.prior), np.array(release.counts.on_simplex)
    shares = []
    for (label, share), law in zip(rows.items(), aware, strict=True):
        base = sorted(range(prior.size) if share.given is None else share.given)
        cells, others = sorted(share.cells.intersection(base)), sorted(set(base) - share.cells)
        a, b = math.fsum(prior[cells]), math.fsum(prior[others])
        naive = Beta(a + int(released[cells].sum()), b + int(released[others].sum()))
        shares.append(PlottedShare(label, prior=Beta(a, b), naive=naive, aware=law))
    by = request.by or [each.name for each in release.names.attributes or ()]
    return plot(
        PlottedRelease(
            title=release.title,
            subtitle=release.subtitle,
            level=request.level,
            shares=shares,
            mark=release.mark,
            rows=SEPARATOR.join(by),
            axis=f"share of {'records' if request.of is None else _spoken(request.of)} in "
            + (f"each {SEPARATOR.join(by)}" if by else "the category"),
            worth=_worth(release, request.level),
            shows_naive=lies_near_counts(release.event),
            is_simulated=is_simulated,
        )
    )


def judging_seconds(event: Event) -> float:
    """A public estimate of what a picture takes to say the worth of such releases; 0 where it does not say it."""
    estimated = worth_seconds(event)
    return estimated if estimated <= _MOST_JUDGING else 0.0


def _worth(release: ReadRelease, level: float) -> str:
    """A sentence on what such releases are worth at made-up counts; empty where it would take long to find."""
    return sentence(worth_of(release.event, release.prior, level)) if judging_seconds(release.event) else ""


def _rows_of(release: ReadRelease, request: schema.PictureRequest) -> dict[str, Share]:
    """The shares that a picture shows, by what stands beside them. Raises InvalidRequest."""
    names = release.names
    if not request.by:
        groups = {label: frozenset({cell}) for cell, label in enumerate(release.labels)}
    else:
        with within("by"):
            groups = names.groups(request.by)
    if request.of is None:
        if len(groups) < 2:
            raise InvalidRequest.at("by", "must make more than one group of cells")
        return {label: Share(cells) for label, cells in groups.items()}
    with within("of"):
        wanted = names.named(request.of)
        if not request.by:
            raise InvalidRequest.at("", "needs `by`: the groups within which the share is taken")
        # Groups that hold only such cells, or none, have nothing to show.
        shares = {
            label: Share(wanted & base, base) for label, base in groups.items() if wanted & base and base - wanted
        }
        if not shares:
            raise InvalidRequest.at("", "must part the cells of a group")
    return shares


def _spoken(chosen: Sequence[str] | Mapping[str, Sequence[str]]) -> str:
    if isinstance(chosen, Mapping):
        return ", ".join(f"{name}: {' or '.join(levels)}" for name, levels in chosen.items())
    return " or ".join(chosen)
