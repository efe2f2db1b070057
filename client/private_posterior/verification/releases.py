"""Compares a release, in the form that its payer or owner gets, with the ledger that charged it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, Final

from private_posterior.verification.ledgers import NOTHING, Amount, Ledger, amount_of, amount_of_receipt
from private_posterior.verification.signatures import RECEIPT, VerificationError, canonical_json, verify_signed

_MAX_COMBINATIONS: Final = 50_000
"""Largest number of combinations of levels of a data set."""


def faults_of_release(release: Mapping[str, Any], ledger: Ledger, keys: Mapping[str, str]) -> Iterator[str]:
    """Yield each difference between the release and its ledger entry or receipt."""
    try:
        receipt = verify_signed(release.get("receipt"), RECEIPT, keys)
        ledger.require_receipt(receipt)
    except VerificationError as error:
        yield f"{release.get('id')}: {error}"
        return
    entry = ledger.charges[receipt["release_id"]]
    dataset = ledger.datasets.get(receipt["dataset_id"], {})
    charged = entry.amount_in("granted") if receipt["grant_id"] else entry.amount
    try:
        for fault in _faults(release, receipt, charged, dataset):
            yield f"{receipt['release_id']}: {fault}"
    except (LookupError, TypeError, ValueError, AttributeError):
        yield f"{receipt['release_id']}: it does not have the form of a release"


def _faults(
    release: Mapping[str, Any], receipt: Mapping[str, Any], charged: Amount, dataset: Mapping[str, Any]
) -> Iterator[str]:
    for what, name, of_receipt in (
        ("release", "id", "release_id"),
        ("data set", "dataset_id", "dataset_id"),
        ("budget", "budget_id", "budget_id"),
        ("payer", "principal_id", "principal_id"),
    ):
        if release.get(name) != receipt[of_receipt]:
            yield f"it names another {what} than its receipt"
    if receipt["owner_id"] != dataset.get("owner_id"):
        yield "its receipt names another owner than the one who registered the data set"
    if receipt["commitment"] != dataset.get("commitment"):
        yield "its receipt names a foreign commitment: its counts are not those registered"
    for name in ("record_count", "category_count", "records_per_unit"):
        if release.get(name) != dataset.get(name):
            yield f"its size ({name}) is not that of the registered data set"
    stated = amount_of_receipt(receipt)
    if amount_of(release["charged"]) != charged:
        yield "it states another price than was charged"
    if release.get("certificate") is None:
        if stated != NOTHING:
            yield "it was charged without a certificate"
        return
    yield from _faults_of_certificate(release, receipt["accountant"], stated, dataset)


def _faults_of_certificate(
    release: Mapping[str, Any], accountant: str, stated: Amount, dataset: Mapping[str, Any]
) -> Iterator[str]:
    certificate, event = release["certificate"], release["event"]
    loss = certificate["loss"]
    epsilon = amount_of({"accountant": "basic", "epsilon": loss["epsilon"], "delta": loss["delta"]})
    if accountant == "basic" and epsilon != stated:
        yield "its certificate proves another loss than was paid for"
    if accountant == "zcdp" and loss["rho"] is not None:
        proven = amount_of({"accountant": "zcdp", "rho": loss["rho"], "delta": loss["rho_delta"]})
        if not stated.fits(proven):
            yield "its certificate proves another loss than was paid for"
    if certificate["relation"] != dataset.get("relation"):
        yield "its certificate is for another neighbour relation than the data set's"
    is_of_margins = event["event"] in ("margins", "blocks")
    labels = _labels(release, event) if is_of_margins else release.get("labels")
    described = ["private-posterior description 1", labels, release.get("attributes"), certificate["unit"]]
    if labels is not None and dataset.get("description_sha256") not in (None, _hash(described)):
        yield "its labels, attributes or unit are not those of the registered data set"
    merged = event.get("merged", [])
    categories = event.get("m", len(event.get("prior", []))) + sum(len(each) - 1 for each in merged)
    if len({cell for each in merged for cell in each}) != sum(map(len, merged)):
        yield "its merged categories overlap"
    size = (event.get("n"), len(labels or ()) if is_of_margins else categories)
    if size != (dataset.get("record_count"), dataset.get("category_count")):
        yield "its event is of another size than the registered data set"


def _labels(release: Mapping[str, Any], event: Mapping[str, Any]) -> list[str]:
    """Return the labels of the possible cells of a cross table, in row-major order; none of a table that is too
    large.
    """
    if prod(len(each["levels"]) for each in release["attributes"]) > _MAX_COMBINATIONS:
        return []
    impossible = frozenset(map(tuple, event["impossible"]))
    numbered = product(*(enumerate(each["levels"]) for each in release["attributes"]))
    return [
        " · ".join(level for _, level in cell)
        for cell in numbered
        if tuple(number for number, _ in cell) not in impossible
    ]


def _hash(value: object) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()
