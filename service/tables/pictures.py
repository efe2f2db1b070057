"""The picture of a noisy table: the posterior interval of each share, beside the interval that treats values as true
counts.
"""

from __future__ import annotations

import math
from typing import Final

from core.inference.contrasts import DrawnDistribution
from core.inference.events import Answered, Share, share_distributions
from core.inference.exact_width import expected_exact_width
from core.inference.posterior import NoiseAwarePosterior
from service.errors import InvalidRequest
from service.pictures.frame import PictureHeader
from service.pictures.scales import prior_text
from service.posteriors.pictures import law_of_share, width_ratio
from service.posteriors.plot import Beta, PlottedRelease, PlottedShare, intervals_of, plot
from service.schemas import tables as schema
from service.tables.posteriors import condition
from service.tables.reading import ReadTable, read

MOST_PLOTTED: Final = 200


def check(request: schema.TablePicture) -> ReadTable:
    """Return the table of a picture. Raises InvalidRequest."""
    table = read(request)
    if table.names.m > MOST_PLOTTED:
        raise InvalidRequest.at("cells", f"must have at most {MOST_PLOTTED} cells for a picture")
    return table


def picture(request: schema.TablePicture) -> str:
    """Return the picture as an SVG document. Raises InvalidRequest."""
    table = check(request)
    posterior = condition(table, table.prior)
    answers = share_distributions(posterior)
    laws = [law_of_share(each) for each in answers]
    counts = [max(0.0, cell.value or 0.0) for cell in table.tables[0]]
    whole, total = math.fsum(table.prior), math.fsum(counts)
    shares = []
    for cell, (label, answer, law, ends) in enumerate(
        zip(table.names.labels, answers, laws, intervals_of(laws, request.level), strict=True)
    ):
        alpha, count = table.prior[cell], counts[cell]
        shares.append(
            PlottedShare(
                label,
                prior=Beta(alpha, whole - alpha),
                naive=Beta(alpha + count, whole - alpha + total - count),
                aware=law,
                interval=ends,
                width_ratio=_ratio(posterior, cell, answer, ends[1] - ends[0], request.level),
            )
        )
    return plot(
        PlottedRelease(
            head=PictureHeader("Posterior of a noisy table", f"prior: {prior_text(table.prior)}"),
            level=request.level,
            shares=shares,
            axis="share of records in the category",
            is_whole=True,
        ),
        request.width,
    )


def _ratio(posterior: NoiseAwarePosterior, cell: int, answer: Answered, width: float, level: float) -> str:
    law = law_of_share(answer)
    share = Share(frozenset({cell}))
    exact = expected_exact_width(posterior, share, None if isinstance(law, DrawnDistribution) else law, level)
    return width_ratio(width, exact, answer.method)
