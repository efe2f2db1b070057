"""Debian's Chromium without a window, driven by Playwright, which downloads no browser of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Self

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    WebError,
    expect,
    sync_playwright,
)

from tests.harness.deadlines import PATIENCE
from tests.harness.programs import installed

_WAIT_MS: Final = PATIENCE * 1000


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, until the block ends."""
    expect.set_options(timeout=_WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed("chromium"), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass(eq=False)  # without slots: Playwright leaves attributes on an object whose method it calls
class Visitor:
    """Somebody at a browser of their own, with one page. Their browser notes each request of the page, and what the
    page throws or logs, violations of its policy among it.
    """

    context: BrowserContext
    url: str
    page: Page = field(init=False)
    requests: list[Request] = field(default_factory=list, repr=False)
    complaints: list[str] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.context.set_default_timeout(_WAIT_MS)
        self.context.on("request", self._record_request)
        self.context.on("console", self._record_complaint)
        self.context.on("weberror", self._thrown)
        self.page = self.context.new_page()

    @classmethod
    def at(cls, browser: Browser, url: str, **options: Any) -> Self:
        """A visitor with a fresh browser profile, who meets the service at `url`."""
        return cls(browser.new_context(**options), url)

    def _record_request(self, request: Request) -> None:
        self.requests.append(request)

    def _record_complaint(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def _thrown(self, error: WebError) -> None:
        self.complaints.append(str(error.error))

    @property
    def path(self) -> str:
        """The path of the page."""
        path: str = self.page.evaluate("location.pathname")
        return path

    def go(self, path: str) -> Response:
        """Opens a page of the service, or another address."""
        response = self.page.goto(path if "://" in path else self.url + path)
        assert response is not None
        return response

    def sign_in(self, key: str) -> None:
        """Signs in with a key."""
        self.go("/console/sign-in")
        self.type_key(key)

    def type_key(self, key: str) -> None:
        """Signs in on the page that is open."""
        self.page.get_by_label("Key or invitation").fill(key)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(re.compile(r"/console/(?!sign-in)"))
