"""The page that explains the terms of the console and answers common questions about its guarantees."""

from __future__ import annotations

from decimal import Decimal
from http import HTTPStatus
from typing import Final

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
    """Show the page to everybody. People who are signed in also see the links of their role."""
    api = api_of(request)
    try:
        me = None if api.key is None else await api.get("/v1/me")
    except Refused as refused:
        if refused.status != HTTPStatus.UNAUTHORIZED:
            raise
        me = None
    return await page(request, "help.html", me=me, odds=odds_rows())


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
