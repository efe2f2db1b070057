"""Pages of other origins may call the API from a browser only if a setting names them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from service.settings.settings import Settings
from tests.harness.in_process import running
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

if TYPE_CHECKING:
    import httpx

PAGE, OTHER = "https://page.example", "https://other.example"
ASKED = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization, idempotency-key"}


def answers(url: str, origins: str) -> list[httpx.Response]:
    """To a preflight request and to a refused request, from each of two origins."""

    async def story() -> list[httpx.Response]:
        settings = Settings(database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, cors_origins=origins)
        async with running(settings) as service:
            return [
                answer
                for origin in (PAGE, OTHER)
                for answer in (
                    await service.http.options("/v1/budgets", headers=ASKED | {"Origin": origin}),
                    await service.http.post("/v1/budgets", json={}, headers={"Origin": origin}),
                )
            ]

    return asyncio.run(story())


def test_no_page_may_call_unless_a_setting_names_its_origin(database_url: str) -> None:
    for answer in answers(database_url, ""):
        assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_pages_of_a_named_origin_may_call_and_read_what_they_need(database_url: str) -> None:
    look, refused, other_look, other_refused = answers(database_url, f"https://more.example, {PAGE}")
    assert look.status_code == 200
    assert look.headers["Access-Control-Allow-Origin"] == PAGE
    for name in ("Idempotency-Key", "Prefer"):
        assert name in look.headers["Access-Control-Allow-Headers"]
    # A page has to be able to read a refusal too.
    assert (refused.status_code, refused.headers["Access-Control-Allow-Origin"]) == (401, PAGE)
    assert "X-Request-Id" in refused.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in refused.headers
    for answer in (other_look, other_refused):
        assert "Access-Control-Allow-Origin" not in answer.headers
