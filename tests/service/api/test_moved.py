"""Every operation of 0.2 still has an address, which answers or names the operation in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from starlette.routing import Match

from service.api.app import create_app
from service.api.former import MOVED, PAID, READ
from service.settings.settings import Settings
from tests.harness.published import DOCUMENT, OPERATIONS
from tests.harness.server import Server

FORMER: Final = (Path(__file__).parents[2] / "released" / "operations_of_0_2_0.txt").read_text(encoding="utf-8")
NOW: Final = {f"{method} {path}" for method, path, _ in OPERATIONS.values()}
MEMBERS: Final = {
    "POST /v1/releases/{release_id}/posterior": (
        "NoiseAwarePosterior",
        "kind prior error method effective_draws total categories answers by trial draws point",
    ),
    "POST /v1/tables/posterior": (
        "NoiseAwarePosterior",
        "kind prior error method categories total answers by trial draws warnings",
    ),
    "its categories": (
        "CategoryShare",
        "label mean standard_deviation interval quantiles density error method draws count",
    ),
    "its total": ("SizeFigures", "mean standard_deviation interval quantiles error estimate estimate_interval"),
    "POST /v1/comparisons": (
        "Comparison",
        "probability error method draws first_mean second_mean contrast trial people",
    ),
}
"""The members of free answers of 0.2, and the schema that has them now. `hypotheses` and `events` are `answers`."""


def test_every_operation_of_0_2_answers_or_names_the_one_in_its_place() -> None:
    routes = create_app(Settings()).routes
    for each in FORMER.splitlines():
        method, path = each.split()
        scope = {"type": "http", "method": method, "path": path.replace("{", "").replace("}", ""), "headers": []}
        assert any(route.matches(scope)[0] is Match.FULL for route in routes), each
    assert set(MOVED.values()) <= NOW
    assert set(MOVED) <= set(FORMER.splitlines()) - NOW


def test_the_page_of_the_api_lists_what_moved() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    assert set(FORMER.splitlines()) - NOW == set(MOVED | PAID | READ)
    for former, moved_to in (MOVED | PAID | READ).items():
        assert f"| `{former}` | `{moved_to}` |" in page, former


def test_free_answers_have_the_members_that_they_had() -> None:
    for name, (schema, members) in MEMBERS.items():
        assert set(members.split()) <= set(DOCUMENT["components"]["schemas"][schema]["properties"]), name


@pytest.mark.parametrize("has_key", [True, False])
def test_a_moved_operation_names_its_new_address(server: Server, *, has_key: bool) -> None:
    caller = server.new("analyst") if has_key else None
    for former, moved_to in MOVED.items():
        method, path = former.split()
        for body in list[dict[str, str] | None]([None, {}]):
            if body is not None and caller is None and not path.startswith("/v1/public/"):
                continue  # a body needs a key
            answer = (
                server.http.request(method, path, json=body)
                if caller is None
                else caller.request(method, path, json=body)
            )
            assert answer.status_code == 404, answer.text
            document = answer.json()
            assert (document["type"], document["moved_to"]) == ("/problems/operation-moved", moved_to)
            assert document["charged"] is False
