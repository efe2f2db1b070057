"""A proxy between the command and a service, which can hold a request before it is forwarded, or its answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import httpx

from tests.harness.deadlines import PATIENCE

if TYPE_CHECKING:
    from tests.harness.server import Server

_HOLD_SECONDS = 60


@dataclass(slots=True)
class Middleman:
    """`seen` counts moments: two per request, before it is forwarded and after it was answered."""

    url: str = ""
    after: str = ""
    moment: int = -1
    seen: int = 0
    held: threading.Event = field(default_factory=threading.Event)

    def hold(self, *, after: str = "", moment: int = -1) -> None:
        """Hold the answers of paths with this ending, or the traffic at this moment."""
        self.after, self.moment, self.seen = after, moment, 0
        self.held.clear()

    def forward(self) -> None:
        self.hold()

    def holds(self, *, path: str = "") -> bool:
        self.seen += 1
        return self.seen == self.moment or bool(self.after and path.endswith(self.after))


@contextmanager
def between(server: Server, prefix: str = "") -> Iterator[Middleman]:
    """A proxy that publishes the service under this path prefix, and serves no other path."""
    middleman = Middleman()

    class Forward(BaseHTTPRequestHandler):
        def _forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if middleman.holds():
                self._hold()
                return
            headers = {name: value for name, value in self.headers.items() if name not in {"Host", "Connection"}}
            if not self.path.startswith(prefix):
                self.send_error(404)
                return
            address = server.url + self.path.removeprefix(prefix)
            answer = httpx.request(self.command, address, headers=headers, content=body, timeout=PATIENCE)
            if middleman.holds(path=self.path):
                self._hold()
                return
            self.send_response(answer.status_code)
            for name in ("Content-Type", "Retry-After", "Location", "Idempotency-Replayed"):
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        def _hold(self) -> None:
            middleman.held.set()
            self.close_connection = True
            time.sleep(_HOLD_SECONDS)

        do_GET = do_POST = _forward  # noqa: N815  the names that the server calls

        def log_message(self, *_: object) -> None:
            """A test says nothing."""

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Forward)
    listener.daemon_threads = True
    listener.block_on_close = False
    middleman.url = f"http://127.0.0.1:{listener.server_port}{prefix}"
    thread = threading.Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    try:
        yield middleman
    finally:
        listener.shutdown()
        listener.server_close()
