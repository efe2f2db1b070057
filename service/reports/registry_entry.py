"""The entry of a data set for the Differential Privacy Deployments Registry, as YAML, from its statement.

It fits the schema of one commit of the registry, which it names; the schema moves, and nothing is sent. What the ledger
knows is filled in. What only the owner knows is left to the owner, and marked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final

from sqlalchemy import Connection, func, select

from service.database.tables import releases
from service.datasets import grants
from service.pictures.scales import grouped
from service.principals.auth import Caller
from service.reports.dataset_statement import get_statement
from service.schemas.mechanisms import name_of
from service.schemas.statements import Statement

SCHEMA: Final = "3e9c812a924cf01d228f26f6c462c59c391c3f2a"
"""Commit of github.com/opendp/deployments-registry-data."""
_MAX_LISTED_RELEASES: Final = 1000
_HEAD: Final = (
    "Entry for the Differential Privacy Deployments Registry (github.com/opendp/deployments-registry-data),",
    f"by its schema at commit {SCHEMA}. A later schema may refuse it.",
    "Fill in the lines marked 'the owner states this', and check the others. Nothing was sent.",
)
_COMPOSITION: Final = {
    "basic": "epsilon and delta of all releases add up, also if a release is chosen after the results before it",
    "zcdp": "rho and delta of all releases add up, also if a release is chosen after the results before it",
}


@dataclass(frozen=True, slots=True)
class OfOwner:
    """A value that only the owner knows."""

    example: str = "(the owner states this)"


def registry_entry(connection: Connection, caller: Caller, dataset_id: str) -> str:
    """Return the entry of the caller's data set. Raises NotFound."""
    statement = get_statement(connection, caller, dataset_id, after=0, limit=_MAX_LISTED_RELEASES)
    of_dataset = releases.c.dataset_id == dataset_id
    published = connection.execute(select(func.min(releases.c.public_since)).where(of_dataset)).scalar()
    first = connection.execute(select(func.min(releases.c.created_at)).where(of_dataset)).scalar()
    shared = bool(grants.latest_on(connection, dataset_id, 1))
    since = published or first
    day = statement.dataset.created_at[:10] if since is None else f"{datetime.fromtimestamp(since, UTC):%Y-%m-%d}"
    lines = [*(f"# {line}" for line in _HEAD), *_yaml_lines(_entry(statement, day, shared=shared))]
    return "\n".join(lines) + "\n"


def _entry(statement: Statement, day: str, *, shared: bool) -> dict[str, Any]:
    dataset, limit = statement.dataset, statement.guarantee_limit
    size = "a private number of" if dataset.record_count is None else grouped(dataset.record_count)
    categories = grouped(dataset.category_count)
    known = "the labels, the unit, and that the data set exists"
    k = dataset.records_per_unit
    change = "added or removed" if dataset.relation == "add_remove" else "replaced by records of other categories"
    so_far = statement.guarantee_to_date
    mechanisms = sorted({name_of(each.mechanism.kind) for each in statement.releases.items if each.mechanism})
    return {
        "url_slug": OfOwner(),
        "status": "Draft",
        "tier": 3,
        "deployment": {
            "basic": {
                "name": _markdown(dataset.name),
                "data_curators": [OfOwner() if dataset.owner_name is None else _markdown(dataset.owner_name)],
                "intended_use": OfOwner(),
                "data_product_type": "Interactive API" if shared else "Summary statistics",
                "data_product_region": OfOwner(),
                "description": f"Noisy counts of {categories} categories, and posteriors of their shares",
                "publication_date": day,
            },
            "dp_variant": {
                "variant_name": _variant(statement),
                "data_domain": f"All tables of {size} records in {categories} public categories",
                "unprotected_quantities": known if dataset.record_count is None else f"The number of records, {known}",
            },
            "privacy_loss": {
                "privacy_unit": _markdown(dataset.unit),
                "privacy_unit_details": f"{dataset.relation}: at most {k} records of one unit are {change}",
                "privacy_parameters": _parameters(statement),
                "privacy_parameters_details": (
                    f"Limit of the budget, which bounds all releases together: epsilon {limit.epsilon}, delta "
                    f"{limit.delta}. So far: epsilon {so_far.epsilon}, delta {so_far.delta}."
                ),
            },
            "deployment_model": {
                "model_name": "Central",
                "model_name_details": "The service and its operator are trusted with the counts.",
                "actors": "Owner and operator are trusted; analysts and the public are not.",
                "release_type": "Many releases",
                "release_type_details": "The budget is fixed and never reset. At its limit, releases are refused.",
                "access_type": "Interactive" if shared else "Non-interactive",
                "access_type_details": "A grant caps each analyst. The budget also holds if analysts collude.",
            },
            "accounting": {
                "post_processing": "Noisy counts are moved to possible counts. Posteriors need nothing else.",
                "composition": _COMPOSITION[statement.budget_total.accountant],
            },
            "implementation": {
                "preprocessing_and_hyperparameter_tuning": OfOwner(
                    "None by the service. (the owner states what happened before the registration)"
                ),
                "mechanisms": "; ".join(
                    [
                        *mechanisms,
                        "integer samplers with the entropy of the operating system; responses at set times",
                        f"Private Posterior {version('private-posterior')}",
                    ]
                ),
                "justification": OfOwner("(the owner states why this limit was chosen)"),
            },
            "administrative": {
                "registry_authors": [OfOwner()],
                "notes": (
                    f"From the ledger of budget {statement.budget_id} up to entry {statement.ledger_sequence}, hash "
                    f"{statement.ledger_hash}."
                ),
            },
        },
    }


def _variant(statement: Statement) -> str:
    if statement.budget_total.accountant == "zcdp":
        return "Zero-concentrated DP"
    return "Approximate DP" if statement.guarantee_limit.delta.units else "Pure DP"


def _parameters(statement: Statement) -> dict[str, float | str]:
    total = statement.budget_total
    main = {"epsilon": total.epsilon, "rho": total.rho}
    return {name: float(each) for name, each in main.items() if each is not None} | {"delta": str(total.delta)}


def _markdown(text: str) -> str:
    """Return a person's text as Markdown that shows it as it is: the registry renders all texts."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(text.split()))


def _yaml_lines(members: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
    """Yield the lines of a mapping. Scalars are JSON, which is YAML too."""
    for name, value in members.items():
        start = f"{'  ' * depth}{name}:"
        match value:
            case dict():
                yield start
                yield from _yaml_lines(value, depth + 1)
            case [single]:
                yield f"{start} [{_scalar(single)}]{_mark(single)}"
            case _:
                yield f"{start} {_scalar(value)}{_mark(value)}"


def _scalar(value: object) -> str:
    return json.dumps(value.example if isinstance(value, OfOwner) else value, ensure_ascii=False)


def _mark(value: object) -> str:
    return "  # the owner states this" if isinstance(value, OfOwner) else ""
