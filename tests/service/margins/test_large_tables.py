"""A cross table of up to 50 000 cells is registered, queried and released by margins, but not as one posterior."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from core.limits import MAX_CATEGORIES, MAX_CELLS
from tests.harness.bodies import querying
from tests.harness.server import problem_code
from tests.service.margins.conftest import CrossTable


def attributes(*sizes: int) -> list[dict[str, Any]]:
    return [{"name": f"a{place}", "levels": [str(level) for level in range(size)]} for place, size in enumerate(sizes)]


LARGE = attributes(20, 20, 25, 5)
COUNTS = [number % 7 for number in range(MAX_CELLS)]


@pytest.mark.long
def test_what_a_table_of_the_largest_size_meets(tell: Callable[..., None]) -> None:
    async def story(table: CrossTable) -> None:
        dataset = f"/v1/datasets/{table.dataset_id}"
        assert (await table.get(dataset)).json()["category_count"] == MAX_CELLS
        assert (await table.get(f"{dataset}/allowance")).status_code == 200
        body = {"prior": [1] * MAX_CATEGORIES, "mechanism": {"kind": "simplex_geometric", "epsilon": "1"}}
        for path in ("quotes", "releases"):
            refused = await table.post(f"{dataset}/{path}", body, key="posterior")
            assert (problem_code(refused), refused.json()["charged"]) == ("not-supported", False)
            assert "at most 10000 categories" in refused.json()["detail"]
        paid = await table.pay({"all": 2, "epsilon": "1"})
        assert len(json.dumps(paid["event"])) < 1000
        assert {len(each["estimates"]) for each in paid["tables"]} == {400, 500, 100, 125}
        combined = await table.post(table.estimates, {"all": 1, "constraints": True})
        assert combined.status_code == 200
        where = {"of": {"where": {"a0": ["0"]}}, "half_width": 500.0}
        path = f"{dataset}/releases"
        measured = await table.post(path, querying(where), key="queries")
        assert measured.status_code == 201, measured.text
        weighted = await table.post(f"{dataset}/estimates", {"queries": [{"weights": [1, *[0] * (MAX_CELLS - 1)]}]})
        assert weighted.status_code == 200, weighted.text
        assert paid["id"] in [each["release_id"] for each in weighted.json()["excluded_releases"]]
        listed = (await table.get(f"/v1/releases?dataset_id={table.dataset_id}")).json()["items"]
        assert paid["id"] in [each["id"] for each in listed]
        for path in ("statement", "statement.txt"):
            assert (await table.get(f"{dataset}/{path}")).status_code == 200
        table.verify()
        deleted = await table.service.send(table.owner, "DELETE", dataset)
        assert deleted.status_code == 204

    tell(story, attributes=LARGE, counts=COUNTS)


def test_blocks_of_a_large_table_have_no_noise_where_no_record_can_be(tell: Callable[..., None]) -> None:
    async def story(table: CrossTable) -> None:
        body = {"margins": [["a0", "a1"], ["a2"]], "epsilon": "1", "noise": "blocks"}
        quoted = (await table.post(table.quotes, body)).json()
        noise = [each["noise_standard_deviation"] for each in quoted["measured"]]
        assert [each["standard_deviation"] for each in quoted["tables"]] == pytest.approx(noise, rel=1e-12)

    impossible = [{"a0": ["1", "2"], "a1": ["1", "2"]}]
    tell(story, attributes=attributes(3, 3, 21, 21), impossible=impossible, counts=COUNTS[: 5 * 21 * 21])


def test_a_table_of_more_cells_is_refused_at_its_attributes(tell: Callable[..., None]) -> None:
    async def story(table: CrossTable) -> None:
        body = {
            "name": "too large",
            "attributes": attributes(20, 20, 25, 5, 1) + attributes(2)[:0],
            "counts": [1] * (MAX_CELLS + 1),
            "unit": "one person",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {"kind": "existing", "id": table.budget_id},
        }
        counts = await table.post("/v1/datasets", body)
        assert counts.json()["errors"] == [{"location": "body.counts", "rule": "must have at most 50000 items"}]
        wider = body | {"attributes": attributes(3, 7, 2381), "counts": [1] * 10}
        refused = await table.post("/v1/datasets", wider)
        assert refused.json()["errors"][0]["location"] == "body.attributes"
        assert "at most 50000 combinations" in refused.json()["errors"][0]["rule"]

    tell(story)
