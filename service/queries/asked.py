"""Turns the queries of a request into queries of the core: labels to cells, decimals to whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from core.cells import indicator
from core.queries.estimator import Query
from service.errors import InvalidRequest, within
from service.schemas import queries as schema

_DENOMINATOR = 10**schema.WEIGHT_DIGITS


def read_queries(asked: Sequence[schema.Query], labels: Sequence[str]) -> list[Query]:
    """The queries over the cells of these labels. Raises InvalidRequest for what the data set does not have."""
    cells = {label: cell for cell, label in enumerate(labels)}
    found = []
    for index, query in enumerate(asked):
        with within(f"queries[{index}]"):
            found.append(_read(query, cells))
    return found


def _read(asked: schema.Query, cells: dict[str, int]) -> Query:
    m = len(cells)
    if asked.labels is not None:
        if not asked.labels:
            raise InvalidRequest.at("labels", "must name at least one category")
        if not cells.keys() >= set(asked.labels):
            raise InvalidRequest.at("labels", "must name categories of the data set")
        return Query(tuple(indicator(frozenset(cells[label] for label in asked.labels), m).tolist()))
    assert asked.weights is not None
    if isinstance(asked.weights, dict):
        if not cells.keys() >= asked.weights.keys():
            raise InvalidRequest.at("weights", "must name categories of the data set")
        given = {cells[label]: weight for label, weight in asked.weights.items()}
        weights = [given.get(cell, Decimal(0)) for cell in range(m)]
    else:
        weights = list(asked.weights)
        if len(weights) != m:
            raise InvalidRequest.at("weights", "must have one number for each category of the data set")
    return Query(tuple(int(weight * _DENOMINATOR) for weight in weights), _DENOMINATOR)
