"""Convert the queries of a request to queries of the core: labels to cell numbers, decimal weights to integers."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from core.cells import indicator
from core.privacy import NeighbourRelation
from core.queries.estimator import Query
from service.errors import InvalidRequest, error_location
from service.schemas import queries as schema
from service.schemas.cell_names import CellNames

_DENOMINATOR = 10**schema.WEIGHT_DIGITS


def read_queries(asked: Sequence[schema.Query], names: CellNames, n: int | None) -> list[Query]:
    """Return the queries over these cells of a table of n records, or of a private number of records if n is None.

    Raises InvalidRequest if a query names an unknown category.
    """
    cells, relation = names.numbers(), NeighbourRelation.at_size(n)
    found = []
    for index, query in enumerate(asked):
        with error_location(f"queries[{index}]"):
            found.append(_read(query, names, cells, relation))
    return found


def _read(asked: schema.Query, names: CellNames, cells: dict[str, int], relation: NeighbourRelation) -> Query:
    m = len(cells)
    if asked.of is not None:
        with error_location("of"):
            return Query(tuple(indicator(names.named(asked.of), m).tolist()), relation=relation)
    assert asked.weights is not None, "a query has either"
    if isinstance(asked.weights, dict):
        if not cells.keys() >= asked.weights.keys():
            raise InvalidRequest.at("weights", "names a label that this data set does not have")
        given = {cells[label]: weight for label, weight in asked.weights.items()}
        weights = [given.get(cell, Decimal(0)) for cell in range(m)]
    else:
        weights = list(asked.weights)
        if len(weights) != m:
            raise InvalidRequest.at("weights", "must have one number for each category of the data set")
    return Query(tuple(int(weight * _DENOMINATOR) for weight in weights), _DENOMINATOR, relation)
