"""The client and its command at a server that answers what no service answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner, Result

from private_posterior.client import Client
from private_posterior.commands.main import app, main
from private_posterior.connection import PACKAGE
from private_posterior.errors import NotTheService, ProblemError

KEY: Final = "pp_the-key-of-somebody"
_HEALTH: Final[tuple[int, dict[str, str], Any]] = (200, {}, {"status": "ok", "version": version(PACKAGE)})
_PROBLEM: Final = {
    "type": "/problems/preparation-pending", "title": "Wait.", "status": 503, "detail": "Wait.", "charged": False,
    "retry_safe": True, "retryable": True,
}  # fmt: skip
_PROBLEM_TYPE: Final = {"Content-Type": "application/problem+json", "Retry-After": "0"}


@dataclass(slots=True)
class Hostile:
    """A server that gives the same answer to every request but `/livez`: status, headers and JSON."""

    url: str
    answer: tuple[int, dict[str, str], Any] = (200, {}, {})
    seen: list[str] = field(default_factory=list)

    def client(self, **options: Any) -> Client:
        return Client.open(self.url, KEY, **options)


@contextmanager
def _serving() -> Iterator[Hostile]:
    hostile = Hostile("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            hostile.seen.append(self.path)
            status, headers, body = _HEALTH if self.path == "/livez" else hostile.answer
            content = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
            self.send_response(status)
            for name, value in (
                {"Content-Type": "application/json", "Content-Length": str(len(content))} | headers
            ).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815  the names of BaseHTTPRequestHandler

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hostile.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hostile
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def hostile() -> Iterator[Hostile]:
    with _serving() as running:
        yield running


def test_the_key_goes_to_no_other_place_that_an_answer_names(hostile: Hostile) -> None:
    with _serving() as other, hostile.client() as client:
        address = other.url.removeprefix("http:")
        for link in (f"{other.url}/v1/jobs/job_x", address, f"@{address}", "/\\" + address, "/v1/jobs/../x y", ""):
            hostile.answer = (202, {"Location": link}, {})
            with pytest.raises(NotTheService, match="another host"):
                client.ask("POST", "/v1/plans", body={})
            hostile.answer = (503, _PROBLEM_TYPE, _PROBLEM | {"certificate": link or other.url})
            with pytest.raises(NotTheService, match="another host"):
                client.ask("POST", "/v1/plans", body={})
        for link in (f"{other.url}/v1/releases/rel_y", address, f"https:{address}/v1", "http://["):
            hostile.answer = (303, {"Location": link}, {})
            with pytest.raises(NotTheService, match="another host"):
                client.ask("GET", "/v1/releases/rel_x")
        assert other.seen == []


def test_a_result_that_is_a_job_again_ends(hostile: Hostile) -> None:
    hostile.answer = (202, {"Location": "/v1/jobs/job_x"}, {})
    with hostile.client() as client, pytest.raises(NotTheService, match="a job in place of a result"):
        client.ask("POST", "/v1/plans", body={})
    assert len(hostile.seen) == 2


def test_a_redirection_to_a_redirection_ends(hostile: Hostile) -> None:
    hostile.answer = (303, {"Location": "rel_y"}, {})
    with hostile.client() as client, pytest.raises(NotTheService, match="redirects twice"):
        client.ask("GET", "/v1/releases/rel_x")
    assert hostile.seen == ["/v1/releases/rel_x", "/v1/releases/rel_y"]


def test_links_to_links_end_with_the_patience(hostile: Hostile) -> None:
    hostile.answer = (503, _PROBLEM_TYPE, _PROBLEM | {"certificate": "/v1/jobs/cer_x"})
    with hostile.client(patience_seconds=0.3) as client, pytest.raises(ProblemError):
        client.ask("POST", "/v1/plans", body={})


def test_a_list_that_leads_back_to_itself_ends(hostile: Hostile) -> None:
    hostile.answer = (200, {}, {"items": [], "next_cursor": "again"})
    with hostile.client() as client, pytest.raises(NotTheService, match="endless list"):
        list(client.datasets())
    assert len(hostile.seen) == 2


@pytest.fixture
def posterior(hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs the command of somebody whose service this server claims to be."""
    monkeypatch.setenv("PRIVATE_POSTERIOR_SERVER", hostile.url)
    monkeypatch.setenv("PRIVATE_POSTERIOR_KEY", KEY)
    monkeypatch.setenv("PRIVATE_POSTERIOR_HOME", str(tmp_path / "home"))
    return lambda *arguments: CliRunner().invoke(app, arguments)


SHAPES: Final[list[Any]] = [
    [],
    None,
    {},
    {"items": 3},
    {"items": [{}], "next_cursor": None},
    {"items": [3], "next_cursor": None},
]


def test_an_answer_of_another_form_ends_in_a_sentence(
    hostile: Hostile,
    posterior: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    del posterior  # its environment alone
    for shape in SHAPES:
        for answer in ((200, {}, shape), (409, _PROBLEM_TYPE, shape)):
            hostile.answer = answer
            for command in ("budgets list", f"verify bud_{'a' * 26}", f"posterior rel_{'a' * 26}"):
                monkeypatch.setattr("sys.argv", ["posterior", *command.split()])
                with pytest.raises(SystemExit) as ended:
                    main()
                said = capsys.readouterr().err
                assert ended.value.code == 0 or said.startswith("posterior: "), (command, answer, said)


def test_no_file_is_named_by_the_server(hostile: Hostile, posterior: Callable[..., Result], tmp_path: Path) -> None:
    for made_up in ("../../evil", str(tmp_path / "evil"), "bud_x/../../../evil"):
        hostile.answer = (200, {}, {"items": [{"id": made_up, "name": "mine"}], "next_cursor": None})
        result = posterior("verify", "mine")
        assert result.exit_code == 2
        assert "is not an id of a budget" in result.stderr
    assert not list(tmp_path.rglob("*evil*"))


def test_no_control_character_reaches_the_terminal(hostile: Hostile, posterior: Callable[..., Result]) -> None:
    evil = "\x1b]0;evil\x07\r\x9b2J\x08"
    hostile.answer = (400, _PROBLEM_TYPE, _PROBLEM | {"type": f"/problems/{evil}", "detail": evil, "retryable": False})
    texts = [posterior("datasets", "list").stderr]
    hostile.answer = (200, {}, {"items": [{"id": "bud_" + "a" * 26, "name": evil}], "next_cursor": None})
    texts.append(posterior("verify", "evil").stderr)
    for text in texts:
        assert "evil" in text
        assert not {character for character in text if not character.isprintable()} - {"\n"}, repr(text)
