"""The picture of a noisy table: the posterior interval of each share, beside the interval that treats values as true
counts.
"""

from __future__ import annotations

import math
from typing import Final

from core.inference.contrasts import DrawnDistribution
from core.inference.counts import InferenceError
from core.inference.events import Answered, Share
from core.inference.exact_width import expected_exact_width, expected_width
from core.inference.sources import Answers
from service.errors import InvalidRequest
from service.pictures.frame import PictureHeader
from service.pictures.scales import prior_text
from service.posteriors.pictures import law_of_share, width_ratio
from service.posteriors.plot import Beta, PlottedRelease, PlottedShare, intervals_of, plot
from service.posteriors.priors import answers_of, prior_words
from service.schemas import tables as schema
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
    found = answers_of(table.source, table.prior, table.names)
    try:
        answers = found.shares()
    except InferenceError as error:
        raise InvalidRequest.at("cells", str(error)) from None
    laws = [law_of_share(each) for each in answers]
    counts = [max(0.0, cell.value or 0.0) for cell in table.tables[0]]
    prior = table.concentrations()
    whole, total = math.fsum(prior), math.fsum(counts)
    shares = []
    for cell, (label, answer, law, ends) in enumerate(
        zip(table.names.labels, answers, laws, intervals_of(laws, request.level), strict=True)
    ):
        alpha, count = prior[cell], counts[cell]
        shares.append(
            PlottedShare(
                label,
                prior=Beta(alpha, whole - alpha),
                naive=Beta(alpha + count, whole - alpha + total - count),
                aware=law,
                interval=ends,
                width_ratio=_ratio(found, cell, answer, ends[1] - ends[0], request.level),
            )
        )
    return plot(
        PlottedRelease(
            head=PictureHeader("Posterior of a noisy table", f"prior: {prior_words(table.prior, prior_text(prior))}"),
            level=request.level,
            shares=shares,
            axis="share of records in the category",
            is_whole=True,
        ),
        request.width,
    )


def _ratio(answers: Answers, cell: int, answer: Answered, width: float, level: float) -> str:
    law = law_of_share(answer)
    if isinstance(law, DrawnDistribution):
        exact = expected_exact_width(answers.cell_posterior, Share(frozenset({cell})), None, level)
    else:
        exact = expected_width(law, level)
    return width_ratio(width, exact, answer.method)
