"""Compute the narrowest interval of each query that the caller could afford. Quotes and refusals of an amount report
it. It depends only on releases that the caller may read, and on amounts that the caller may see.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from core.accounting.accountants import Accountant
from core.privacy import Epsilon, Rho
from core.queries.achievable_width import achievable_half_width
from core.queries.error_distribution import LaplaceSum
from core.queries.estimator import Query, QueryEstimate, estimate
from core.queries.history import History
from core.queries.payer import Payer
from service.database.rows import DatasetRow
from service.queries.paid_rows import PayerFacts, payer_of
from service.queries.query_parsing import read_queries
from service.queries.readable_history import history_of
from service.schemas import queries as schema
from service.schemas.cell_names import CellNames

ACHIEVABLE_WIDTHS: Final = "service.queries.achievable_widths:computed"
_MAX_WORK: Final = 4 * 10**8
"""Limit of work of one request, in pairs of columns: a few seconds."""
_EVALUATIONS: Final = 40
"""Evaluations of the joint loss in one search."""
_SLOW_DISTRIBUTION: Final = 10**8
"""Work of an error distribution that includes noise of released counts, in pairs of columns: a tenth of a second."""


def computed(text: str) -> str:
    """Computation: return a JSON list of the achievable half widths of a refused request's queries.

    The input is that of `service.queries.measuring.inputs`.
    """
    content = json.loads(text)
    dataset = DatasetRow(*content["dataset"])
    body = schema.QueryCreate.model_validate(content["request"])
    queries = read_queries(body.queries, CellNames.of_texts(dataset.labels, dataset.attributes), dataset.record_count)
    history = history_of(dataset.record_count, dataset.category_count, content["known"]).history
    found = [estimate(history, query) for query in queries]
    facts = content["payer"] | {"left": min(content["payer"]["left"], _limit(body, Accountant(dataset.accountant)))}
    return json.dumps(half_widths(body.queries, queries, found, history, facts, payer_of(facts, dataset)))


def _limit(body: schema.QueryCreate, accountant: Accountant) -> int:
    """Return the request's `max_charge` in units, or a value above every amount if it has none."""
    limit = body.max_charge
    amount: Epsilon | Rho | None = None
    if limit is not None:
        amount = limit.epsilon if accountant is Accountant.BASIC else limit.rho
    return 2**62 if amount is None else amount.units


def half_widths(
    asked: Sequence[schema.Query],
    queries: Sequence[Query],
    found: Sequence[QueryEstimate | None],
    history: History,
    facts: PayerFacts,
    payer: Payer | None,
) -> list[float | None]:
    """Return the half width of each query that is achievable if everything that is left is spent on this query alone.

    If nothing can be measured, or the limit of work is reached, it is the half width from the history, or None if the
    history has no estimate.
    """
    achievable: list[float | None] = []
    work = 0
    for each, query, known in zip(asked, queries, found, strict=True):
        columns = (
            1 if payer is None else min(len(query.coefficients), payer.joint.columns * len(set(query.coefficients)))
        )
        work += _EVALUATIONS * columns**2
        work += _SLOW_DISTRIBUTION if known is not None and not isinstance(known.distribution, LaplaceSum) else 0
        if payer is None or not facts["measuring_allowed"] or work > _MAX_WORK:
            achievable.append(None if known is None else known.half_width(each.confidence))
        else:
            achievable.append(achievable_half_width(history, known, query, payer, facts["left"], each.confidence))
    return achievable
