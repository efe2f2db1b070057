"""The request, response, problem and list of docs/reference/api.md are those of a running service."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from service.schemas.principals import Role
from tests.harness.bodies import registration
from tests.harness.in_process import embedded, running
from tests.harness.people import person
from tests.harness.published import DOCUMENT

PAGE = (Path(__file__).parent.parent / "docs" / "reference" / "api.md").read_text(encoding="utf-8")


def faults(schema: str, shown: Any) -> list[str]:
    """What the published schema refuses of an excerpt: a value that is not listed, or a field that does not exist."""
    whole = json.loads(json.dumps({"$ref": f"#/components/schemas/{schema}", "components": DOCUMENT["components"]}))
    for each in whole["components"]["schemas"].values():
        each.pop("required", None)  # the page leaves fields out
        if "properties" in each:
            each["additionalProperties"] = False
    return [f"{error.json_path}: {error.message[:200]}" for error in Draft202012Validator(whole).iter_errors(shown)]


def test_the_page_shows_what_the_schemas_allow() -> None:
    request, response, problem = (json.loads(each) for each in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
    for schema, shown in (("ReleaseCreate", request), ("Release", response), ("ProblemDocument", problem)):
        assert faults(schema, shown) == [], schema
    for wrong in ({"state": "released"}, {"kind": "count"}, {"cost": "0.5"}, {"charged": {"accountant": "pure"}}):
        assert faults("Release", response | wrong), wrong
    assert faults("ProblemDocument", problem | {"type": "/problems/grant-is-exhausted"})


def assert_shown(shown: Any, answered: Any) -> None:
    """Each field that the page shows is there, with a value of the same type."""
    assert type(shown) is type(answered), (shown, answered)
    if isinstance(shown, dict):
        for name, value in shown.items():
            assert_shown(value, answered[name])


def test_the_page_shows_a_request_its_response_a_problem_and_a_list(migrated_sqlite: Path, tmp_path: Path) -> None:
    request, response, problem = (json.loads(each) for each in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
    fields = re.findall(r"^\| `(\w+)` \|", PAGE.split("## One list")[1].split("\n## ")[0], re.MULTILINE)
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    url = f"sqlite:///{tmp_path / 'posterior.sqlite3'}"

    async def story() -> None:
        async with running(embedded(url, tmp_path / "witness")) as service:
            owner, analyst = (person(url, role) for role in (Role.OWNER, Role.ANALYST))
            dataset = await service.made(owner, "/v1/datasets", registration([33, 200_712]))
            cap = {"principal_id": analyst.principal_id, "epsilon": "0.8", "delta": "1e-6"}
            await service.made(owner, f"/v1/datasets/{dataset['id']}/grants", cap)
            path = f"/v1/datasets/{dataset['id']}/releases"
            assert_shown(response, await service.made(analyst, path, request, "vaccinated-1"))
            refused = await service.send(analyst, "POST", path, request, **{"Idempotency-Key": "vaccinated-2"})
            assert refused.json() == problem
            listed = await service.send(analyst, "GET", "/v1/releases?limit=100")
            assert set(listed.json()) == set(fields)

    asyncio.run(story())
