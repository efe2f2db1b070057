"""Browsers of people who use one running service."""

from __future__ import annotations

from tests.harness.browser import Browser
from tests.harness.server import Party


def browser_of(party: Party) -> Browser:
    """A browser in which a person has signed in with their key."""
    browser = Browser(party.server.url)
    page = browser.sign_in(party.key)
    assert page.status == 200, page.text
    return browser
