"""What was measured for a half width is precise enough for it, also where the numbers are large."""

from __future__ import annotations

import asyncio

from sqlalchemy import Engine

from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import querying, registration
from tests.harness.in_process import running
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY


def test_an_equal_query_under_another_key_is_free_among_billions_of_records(database_url: str, engine: Engine) -> None:
    """Rounding widens each interval by some 10^-15 of the number of records. Another measurement would not help."""
    owner = person(engine, Role.OWNER)
    settings = Settings(
        database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0
    )
    query = {"of": {"labels": ["category 0"]}, "half_width": 40.0}

    async def story() -> None:
        async with running(settings) as service:
            counts = [7_300_427_311, 913_377_551, 300, 20]
            dataset = await service.made(owner, "/v1/datasets", registration(counts))
            path = f"/v1/datasets/{dataset['id']}/releases"
            others = [{"weights": [1, place, 3 * place, 5], "half_width": 200.0} for place in range(4)]
            first = await service.made(owner, path, querying(query), "first")
            assert first["measured"]
            for key, queries in (("second", [query]), ("others", others), ("third", [query])):
                answered = await service.made(owner, path, querying(*queries), key)
                assert bool(answered["measured"]) is (key == "others"), answered
            body = {"kind": "queries", "queries": [query]}
            quoted = await service.settled(owner, "POST", path.replace("releases", "quotes"), body)
            assert quoted.json()["standalone_cost"]["epsilon"] == "0"

    asyncio.run(story())
