"""Writes the bodies of requests that tests send: a budget, a registration, a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

_NUMBERS = count(1)


def unique(word: str) -> str:
    """A name that no other test uses."""
    return f"{word} {next(_NUMBERS)}"


def budget_body(**changes: Any) -> dict[str, Any]:
    """A `basic` budget of ε = 1 under a name of its own, but for `changes`."""
    return {"accountant": "basic", "name": unique("budget"), "epsilon": "1", "delta": "1e-6"} | changes


def registration(counts: Sequence[int], **changes: Any) -> dict[str, Any]:
    """A data set with these counts on a new budget, but for `changes`."""
    return {
        "name": unique("data set"),
        "labels": [f"category {number}" for number in range(len(counts))],
        "counts": list(counts),
        "unit": "one person",
        "one_record_per_unit": True,
        "n_is_public": True,
        "budget": {"kind": "new", "budget": budget_body()},
    } | changes


def share(*labels: str, within: Sequence[str] | Mapping[str, Any] = (), **levels: Any) -> dict[str, Any]:
    """The share of the cells with these labels, or with these levels of attributes."""
    named: dict[str, Any] = {"of": {"where": levels} if levels else {"labels": list(labels)}}
    if within:
        named["within"] = {"where": within} if isinstance(within, Mapping) else {"labels": within}
    return named


def release_body(epsilon: str = "0.1", categories: int = 2, **changes: Any) -> dict[str, Any]:
    """A release by simplex geometric noise, which is charged exactly the requested epsilon, with `changes`."""
    return {"prior": [1] * categories, "mechanism": {"kind": "simplex_geometric", "epsilon": epsilon}} | changes


def of_releases(*release_ids: str, margin: Sequence[str] | None = None) -> dict[str, Any]:
    """The field of a request for a posterior that names releases, or the same measured margin of each."""
    of_margin = {} if margin is None else {"margin": list(margin)}
    return {"sources": [{"kind": "release", "release_id": each} | of_margin for each in release_ids]}


def querying(*queries: Mapping[str, Any], accountant: str = "basic", **changes: Any) -> dict[str, Any]:
    """A request for these queries that any charge suits, with `changes`."""
    unit = "epsilon" if accountant == "basic" else "rho"
    return {"queries": list(queries), "max_charge": {unit: "1000"}} | changes
