"""Determines which releases have the same noise, so that the first of them can be returned for later requests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

_MARKER: Final = "private-posterior noise 1"


def hash_noise(principal_id: str, dataset_id: str, commitment: str, spec: Mapping[str, Any]) -> str:
    """Return the hash of a payer's noise, by a stored spec. Two releases have the same noise, and the same hash:

    - of counts, by the same event, which has the prior only if the noise depends on it
    - of margins, by the same event and the same tables in any order
    - of both, whatever the event's delta: it changes what a certificate states, and no draw
    - of queries, by the same queries: what is measured for them depends on earlier releases

    `commitment` names the counts. Amounts of the request, its limit and its level are left out.
    """
    queries = spec["request"].get("queries")
    if queries is None:
        event = {name: value for name, value in spec["event"].items() if name != "delta"}
        drawn = [event, sorted(each["margin"] for each in spec.get("tables", ()))]
    else:
        drawn = list(map(_stated_members, queries))
    content = json.dumps([_MARKER, principal_id, dataset_id, commitment, drawn], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def _stated_members(query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a query that have a value, with its cells in the form of version 0.1.0."""
    members = {**query, **(query.get("of") or {})}
    return {name: value for name, value in members.items() if name != "of" and value is not None}


def hash_of(principal_id: str, dataset_id: str, receipt: str, spec: str) -> str:
    """Return the hash of a stored release, from the texts of its receipt and spec. Empty if a restore lost the spec."""
    drawn = json.loads(spec)
    if "event" not in drawn:
        return ""
    return hash_noise(principal_id, dataset_id, json.loads(receipt)["body"]["commitment"], drawn)
