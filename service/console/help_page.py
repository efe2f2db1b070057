"""The pages for everybody: the terms of the console with common questions about its guarantees, and the check of saved
texts, which runs in the browser.
"""

from __future__ import annotations

from decimal import Decimal
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Refused
from service.console.page_request import api_of
from service.console.pages import page
from service.posteriors.odds import about_a_fact, odds_factor, raised_suspicion

router = APIRouter(include_in_schema=False)
_EPSILONS: Final = ("0.1", "0.5", "1", "2", "5")


@router.get("/console/help")
async def show_help(request: Request) -> Response:
    """Show the page that explains the terms of the console."""
    return await page(request, "help.html", me=await _signed_in_person(request), odds=odds_rows())


@router.get("/console/check")
async def show_check(request: Request) -> Response:
    """Show the page that runs the checker. It contains the public keys, so that it needs no request afterwards."""
    keys = await api_of(request).get("/v1/public-key")
    return await page(request, "check.html", me=await _signed_in_person(request), keys=keys)


async def _signed_in_person(request: Request) -> Any:
    """Return who is signed in, for the links of their role, or None."""
    api = api_of(request)
    try:
        return None if api.key is None else await api.get("/v1/me")
    except Refused as refused:
        if refused.status != HTTPStatus.UNAUTHORIZED:
            raise
        return None


def odds_rows() -> list[dict[str, str]]:
    """Rows of ε and the largest rise of a belief of 3 %."""
    return [_row(each) for each in _EPSILONS]


def _row(epsilon: str) -> dict[str, str]:
    """Return the largest probability that ε allows for a belief of 3 %, rounded up, if the number of records is public
    and if it is private.
    """
    public, private = (about_a_fact(Decimal(epsilon), Decimal(0), each)[0] for each in ("replace_one", "add_remove"))
    return {
        "epsilon": epsilon,
        "factor": odds_factor(public),
        "belief": str(raised_suspicion(public)),
        "private_factor": odds_factor(private),
        "private_belief": str(raised_suspicion(private)),
    }
