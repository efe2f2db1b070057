"""Writes the bodies of requests that tests send: a budget, a registration, a release."""

from __future__ import annotations

from collections.abc import Sequence
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


def release_body(epsilon: str = "0.1", categories: int = 2, **changes: Any) -> dict[str, Any]:
    """A release by simplex geometric noise, which is charged exactly the requested epsilon, with `changes`."""
    return {"prior": [1] * categories, "mechanism": {"kind": "simplex_geometric", "epsilon": epsilon}} | changes
