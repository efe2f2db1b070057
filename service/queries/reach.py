"""Says how narrow an interval each query could get with what its caller has left: told with a quote, and with the
refusal of an amount. It rests on what the caller may read, and on amounts that the caller may know.
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
from service.cells import CellNames
from service.database.rows import DatasetRow
from service.queries.asked import read_queries
from service.queries.known import history_of
from service.queries.payer import PayerFacts, payer_of
from service.schemas import queries as schema

REACH: Final = "service.queries.reach:reached"
_MAX_WORK: Final = 4 * 10**8
"""Pairs of columns that are looked at for one request: seconds."""
_LOOKS: Final = 40
_DEAR_LAW: Final = 10**8
"""What a law beside releases of counts stands for among them: a tenth of a second."""


def reached(text: str) -> str:
    """A computation, of what `service.queries.measuring.inputs` gives: the JSON list of the half widths that each query
    of a refused request could get.
    """
    content = json.loads(text)
    dataset = DatasetRow(*content["dataset"])
    body = schema.QueryCreate.model_validate(content["request"])
    queries = read_queries(body.queries, CellNames.of_texts(dataset.labels, dataset.attributes))
    history = history_of(dataset.record_count, dataset.category_count, content["known"]).history
    found = [estimate(history, query) for query in queries]
    facts = content["payer"] | {"left": min(content["payer"]["left"], _limit(body, Accountant(dataset.accountant)))}
    return json.dumps(half_widths(body.queries, queries, found, history, facts, payer_of(facts, dataset)))


def _limit(body: schema.QueryCreate, accountant: Accountant) -> int:
    """What the request is ready to pay, in units."""
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
    """For each query alone, were all that is left spent on it; None where history does not see it and nothing can be
    measured, or where this takes too long to find.
    """
    told: list[float | None] = []
    work = 0
    for each, query, known in zip(asked, queries, found, strict=True):
        columns = (
            1 if payer is None else min(len(query.coefficients), payer.joint.columns * len(set(query.coefficients)))
        )
        work += _LOOKS * columns**2
        work += _DEAR_LAW if known is not None and not isinstance(known.distribution, LaplaceSum) else 0
        if payer is None or not facts["measuring_allowed"] or work > _MAX_WORK:
            told.append(None if known is None else known.half_width(each.confidence))
        else:
            told.append(achievable_half_width(history, known, query, payer, facts["left"], each.confidence))
    return told
