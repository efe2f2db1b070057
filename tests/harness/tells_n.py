"""Stores the same installation twice, with two tables whose private numbers of records differ, and compares each stored
column: which of them depend on that number?
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select

from service.database.engine import open_engine, reading, writing
from service.database.migration import migrate
from service.database.tables import metadata
from service.principals.enrolment import issue_token
from service.schemas.principals import Role
from tests.harness.bodies import of_releases, querying, registration
from tests.harness.in_process import embedded, running
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.people import person

AS_RELEASED: Final = frozenset({"releases.drawn", "releases.result", "public_texts.text", "jobs.input", "jobs.result"})
"""The columns that hold noisy counts, or what follows from them."""
FEW, MANY = (2, 0, 1), (6_022_140_761, 1_380_649_853, 5_318_008_731)
"""Two tables: one of 3 records, and one of 12 720 799 345, a number with more digits."""
_RANDOM: Final = (
    (r"[a-z]{3}_[a-z2-7]{26}", "ID"),
    (r"\b[0-9a-f]{64}\b", "HASH"),
    (r"^[0-9a-f]{32}$", "IDENTITY"),
    (r"\b1[789]\d{8}\b", "TIME"),
    (r"\b1[789]\d{17}\b", "NANOSECONDS"),
    (r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "TIME"),
    (r'("signature": ?)"[A-Za-z0-9_-]{86}"', r'\1"SIGNATURE"'),
    (r"\bppa?_[A-Za-z0-9_-]+", "SECRET"),
)
"""Patterns that differ between any two installations: ids, hashes with their nonces, times and signatures."""


async def store(directory: Path, counts: Sequence[int]) -> Mapping[str, list[Any]]:
    """The stored values of each column, after a registration, a grant, a request for access, a release and its
    publication, a query and a posterior.
    """
    url = f"sqlite:///{directory / 'posterior.sqlite3'}"
    migrate(url)
    engine = open_engine(url)
    owner, analyst, asking = (person(engine, role) for role in (Role.OWNER, Role.ANALYST, Role.ANALYST))
    with writing(engine) as connection:
        issue_token(connection, asking.principal_id, by="admin")
    body = registration(counts, n_is_public=False, name="table", labels=["a", "b", "c"])
    body["budget"]["budget"]["name"] = "budget"
    settings = embedded(url, directory / "witness")
    async with running(settings) as service:
        made = await service.made(owner, "/v1/datasets", body, "data")
        path = f"/v1/datasets/{made['id']}"
        grant = {"principal_id": analyst.principal_id, "epsilon": "0.8", "delta": "1e-6"}
        await service.made(owner, f"{path}/grants", grant, "grant")
        await service.send(owner, "PATCH", path, {"listed": True})
        wanted: dict[str, Any] = {"epsilon": "0.1", "delta": "0", "purpose": "A report"}
        await service.made(asking, f"{path}/access-requests", wanted, "ask")
        wanted = {"prior": [1, 1, 1], "mechanism": {"kind": "geometric", "epsilon": "0.5"}}
        release = await service.made(analyst, f"{path}/releases", wanted, "release")
        await service.send(owner, "PATCH", f"/v1/releases/{release['id']}", {"public": True})
        wanted = querying({"weights": [2, 1, 1], "half_width": 12.0})
        await service.made(analyst, f"{path}/releases", wanted, "query")
        with pytest.MonkeyPatch.context() as hurried:
            hurried.setattr(*NOBODY_WAITS)
            await service.send(analyst, "POST", "/v1/posteriors", of_releases(release["id"]))
        await service.settled(analyst, "POST", "/v1/posteriors", of_releases(release["id"]))
    with reading(engine) as connection:
        stored = {
            str(column): sorted(map(masked, connection.execute(select(column)).scalars()), key=repr)
            for table in metadata.sorted_tables
            for column in table.columns
        }
    engine.dispose()
    return stored


def masked(value: object) -> object:
    """The value without what is random or a time; of bytes only their number."""
    if isinstance(value, bytes):
        return len(value)
    if not isinstance(value, str | int):
        return value
    text = str(value)
    for pattern, name in _RANDOM:
        text = re.sub(pattern, name, text)
    return text


def differing(few: Mapping[str, list[Any]], many: Mapping[str, list[Any]]) -> set[str]:
    """The columns whose masked values differ."""
    return {name for name, values in few.items() if values != many[name]}
