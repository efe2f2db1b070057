"""A real browser, Debian's Chromium without a window, driven over its debugging pipe."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

_ANSWER_SECONDS: Final = 60.0
_BYTES: Final = 1 << 20


class Chromium:
    """A browser with one page; a context manager. `events` has its requests, messages and exceptions."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("chromium")
        assert program is not None, "install Debian's package chromium"
        from_us, self._to_browser = os.pipe()
        self._from_browser, to_us = os.pipe()
        # It reads commands from descriptor 3 and writes to 4. Plain sh takes no descriptor above 9.
        start = f'exec "$0" "$@" 3<&{from_us} 4>&{to_us}'
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            f"--user-data-dir={folder}",
        ]
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", start, program, *options, "about:blank"],
            pass_fds=(from_us, to_us),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(from_us)
        os.close(to_us)
        self._number, self._rest = 0, b""
        self.events: list[dict[str, Any]] = []
        targets = self._call("Target.getTargets", None, {})["targetInfos"]
        target = next(each["targetId"] for each in targets if each["type"] == "page")
        attached = self._call("Target.attachToTarget", None, {"targetId": target, "flatten": True})
        self._session: str = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.do(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._call("Browser.close", None, {})
            self._process.wait(20)
        finally:
            self._process.kill()
            self._process.wait()
            os.close(self._to_browser)
            os.close(self._from_browser)

    def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command of the DevTools protocol for the page."""
        return self._call(method, self._session, parameters)

    def run(self, code: str) -> Any:
        """The value of an expression in the page."""
        found = self.do("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def go(self, address: str) -> None:
        """Opens an address, and waits until the page is loaded."""
        self._loading("Page.navigate", url=address)

    def reload(self) -> None:
        self._loading("Page.reload")

    def leave_by(self, code: str) -> None:
        """Runs code that leads to another page, and waits until that is loaded."""
        self.events = [each for each in self.events if each["method"] != "Page.loadEventFired"]
        self.run(code)
        self._wait_for("Page.loadEventFired")

    def requests(self) -> list[str]:
        """The addresses that were asked for since the events were cleared."""
        sent = (each for each in self.events if each["method"] == "Network.requestWillBeSent")
        return [each["params"]["request"]["url"] for each in sent]

    def complaints(self) -> list[dict[str, Any]]:
        """Logged messages and exceptions of the page, with violations of its policy."""
        return [each for each in self.events if each["method"] in {"Log.entryAdded", "Runtime.exceptionThrown"}]

    def settle(self, seconds: float) -> None:
        """Records events for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._note(left)

    def _loading(self, method: str, **parameters: Any) -> None:
        self.events = [each for each in self.events if each["method"] != "Page.loadEventFired"]
        self.do(method, **parameters)
        self._wait_for("Page.loadEventFired")

    def _wait_for(self, method: str) -> None:
        end = time.monotonic() + _ANSWER_SECONDS
        while not any(each["method"] == method for each in self.events):
            assert time.monotonic() < end, f"{method} did not happen"
            self._note(1.0)

    def _note(self, seconds: float) -> None:
        message = self._next(seconds)
        if message is not None and "method" in message:
            self.events.append(message)

    def _call(self, method: str, session: str | None, parameters: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next(_ANSWER_SECONDS)
            assert answer is not None, f"no answer to {method}"
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            if "method" in answer:
                self.events.append(answer)

    def _next(self, seconds: float) -> dict[str, Any] | None:
        end = time.monotonic() + seconds
        while b"\0" not in self._rest:
            if not select.select([self._from_browser], [], [], max(0.0, end - time.monotonic()))[0]:
                return None
            read = os.read(self._from_browser, _BYTES)
            assert read, "the browser ended"
            self._rest += read
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message
