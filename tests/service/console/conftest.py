"""Browsers of people who use one running service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.harness.browser import Browser
from tests.harness.server import Party

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """A real browser, for the long tests alone."""
    from tests.harness.chromium import chromium

    with chromium() as running:
        yield running


def browser_of(party: Party) -> Browser:
    """A browser in which a person has signed in with their key."""
    browser = Browser(party.server.url)
    page = browser.sign_in(party.key)
    assert page.status == 200, page.text
    return browser
