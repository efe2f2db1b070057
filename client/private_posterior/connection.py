"""Sends one caller's requests to one service, waits if the service asks for it, and raises its problems.

Retries happen only here. A state that only people can end, such as a restore, is raised at once.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from types import NoneType
from typing import Any, Final, Self

import httpx

from private_posterior.answers import Answer, Listing
from private_posterior.credentials import read_access, service_access
from private_posterior.diagnosis import speaks_tls, what_stopped
from private_posterior.errors import AnswerLost, NotSendable, NotTheService, ProblemError, Unreachable
from private_posterior.models import ProblemDocument
from private_posterior.payload import plain

PACKAGE: Final = "private-posterior-client"
SERVICE: Final = "Private Posterior"
NEEDS_PEOPLE: Final = frozenset({"restore-pending", "decryption-key-unavailable"})
"""Problems that last until the operator acts. Waiting would send, much later, a request whose caller saw it refused."""
_REPLAY_HEADER: Final = "Idempotency-Replayed"
_SIGNATURE: Final = "Release-Signature"
_PROBLEM_TYPE: Final = "application/problem+json"
IDLE_SECONDS: Final = 3.0
"""Time after which an idle connection is closed. It is shorter than that of services and proxies, so that no request is
sent into a connection that the other side is closing.
"""
_WAIT_SECONDS: Final = 25
"""Longest time that the service waits for a job."""
_FIRST_LOOK_SECONDS: Final = 0.1
_LOOK_LESS_OFTEN: Final = 1.5
_LONGEST_PAUSE_SECONDS: Final = 5.0
_LONGEST_LIST_SECONDS: Final = 600.0
"""Longest time that the requests for one list take together, with no more patience."""
_LINK: Final = re.compile(r"/?[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*")
"""A link that the service answers with: a path, on the same host or relative to the request."""
_LONGEST_NUMBER: Final = 9


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reason why a request waits, and the time that it has waited."""

    problem: ProblemDocument
    seconds: float


def _say_nothing(_: Waiting) -> None:
    return


@dataclass(slots=True)
class Connection:
    """A connection of one caller to a service; a context manager that closes `http`.

    `patience_seconds` limits how long a request waits for a computation or a retry; 0 raises at once. `on_wait` is
    called at each check.
    """

    http: httpx.Client
    key: str | None = field(default=None, repr=False)
    patience_seconds: float = 600.0
    on_wait: Callable[[Waiting], None] = _say_nothing

    @classmethod
    def open(
        cls, server: str | None = None, key: str | None = None, *, timeout_seconds: float = 120.0, **options: Any
    ) -> Self:
        """Open a connection to the service at `server`: `Client.open("https://posterior.example.org", key)`.

        Without an address, `Client.open()` takes address and key from the environment or from the file that `posterior
        enrol` wrote, as the commands do. The key of the file is never sent to an address that you give.

        It uses the proxies of the environment unless the address is local. Raises Unreachable, NotSendable.
        """
        if server is None:
            kept = read_access() if key is None else service_access()
            server, key = kept.server, key or kept.key
        _require_key(key)
        try:
            url = httpx.URL(server)
            trust = url.host not in {"127.0.0.1", "::1", "localhost"}
            context = httpx.create_ssl_context()  # reads SSL_CERT_FILE, for this machine's addresses too
            http = httpx.Client(
                base_url=url,
                timeout=timeout_seconds,
                trust_env=trust,
                verify=context,
                limits=httpx.Limits(keepalive_expiry=IDLE_SECONDS),
            )
        except OSError as error:
            raise Unreachable(f"SSL_CERT_FILE or SSL_CERT_DIR does not name a readable file ({error})") from error
        except (ValueError, ImportError, httpx.InvalidURL) as error:
            raise Unreachable(f"the address or a proxy of the environment can't be used: {error}") from error
        return cls(http, key, **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def send(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **arguments: Any
    ) -> httpx.Response:
        """Return the response to one request, whatever its status: `client.send("GET", "/livez")`.

        `arguments` are arguments of httpx. Raises Unreachable, AnswerLost.
        """
        given = dict(headers or {})
        if self.key is not None:
            given.setdefault("Authorization", f"Bearer {self.key}")
        try:
            return self.http.request(method, path, headers=given, **arguments)
        except (
            httpx.ConnectError,
            httpx.ConnectTimeout,
            httpx.UnsupportedProtocol,
            httpx.PoolTimeout,
            httpx.ProxyError,
        ) as error:
            raise Unreachable(what_stopped(error, self.http.base_url)) from error
        except httpx.TransportError as error:
            raise AnswerLost("the response did not arrive") from error

    def ask(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> httpx.Response:
        """Return the response to a request once it succeeds: `client.ask("GET", "/v1/budgets")`.

        Raises ProblemError, NotTheService, NotSendable and the errors of `send`.
        """
        # A job of a free computation is waited for by the service.
        waits = (
            {"Prefer": f"wait={min(_WAIT_SECONDS, self.patience_seconds):.0f}"} if self.patience_seconds >= 1 else {}
        )
        headers = dict(waits) if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        arguments: dict[str, Any] = {}
        if body is not None:
            headers["Content-Type"], arguments["content"] = "application/json", _body_text(body)
        started, doubted, followed = time.monotonic(), False, False
        while True:
            try:
                response = self.send(method, path, params=query, headers=headers, **arguments)
            except Unreachable as error:
                if doubted:  # an earlier attempt may have been charged
                    raise AnswerLost("the response did not arrive") from error
                raise
            if response.status_code == httpx.codes.ACCEPTED:
                # If the service answers with a job, fetch its result, and wait for it as for other answers.
                job = _link(response, response.headers.get("Location"))
                if followed:
                    raise NotTheService("the service returned a job in place of a result")
                followed = True
                method, path, query, headers, arguments = "GET", f"{job}/result", None, waits, {}
                continue
            if response.status_code == httpx.codes.SEE_OTHER:
                # A release of margins, or a public text: the service says where it is.
                if followed:
                    raise NotTheService("the service redirects twice")
                followed = True
                method, path, query, arguments = "GET", _link(response, response.headers.get("Location")), None, {}
                continue
            if not response.is_error:
                if doubted:
                    response.headers.pop(_REPLAY_HEADER, None)  # an earlier attempt of this call paid
                return response
            problem = problem_of(response)
            problem.body = body
            doubted = doubted or problem.document["charged"] is not False
            if not self._wait(problem, response, started):
                raise problem

    def _wait(self, problem: ProblemError, response: httpx.Response, started: float) -> bool:
        """Wait until the retry time, or the end of a computation. Return whether the request can be sent again."""
        document = problem.document
        if not document["retryable"] or problem.retry_after_seconds is None or problem.code in NEEDS_PEOPLE:
            return False
        if watched := document.get("certificate") or document.get("job"):
            link = _link(response, watched)
            return self._becomes_true(document, started, lambda: not self._is_pending(link))
        until = time.monotonic() + problem.retry_after_seconds
        if until > started + self.patience_seconds:
            return False
        return self._becomes_true(document, started, lambda: time.monotonic() >= until)

    def _becomes_true(self, document: ProblemDocument, started: float, done: Callable[[], bool]) -> bool:
        """Return whether `done` became true in time. It is polled with growing intervals."""
        pause = _FIRST_LOOK_SECONDS
        while time.monotonic() - started < self.patience_seconds:
            if done():
                return True
            self.on_wait(Waiting(document, time.monotonic() - started))
            time.sleep(pause)
            pause = min(pause * _LOOK_LESS_OFTEN, _LONGEST_PAUSE_SECONDS)
        return False

    def _is_pending(self, path: str) -> bool:
        """Return whether a certificate or a job is pending. If it no longer exists, repeat the request instead."""
        response = self.send("GET", path)
        if response.is_error:
            problem = problem_of(response)
            if problem.code != "not-found" and not problem.document["retryable"]:
                raise problem
            return problem.code != "not-found"
        return bool(_check_members(json_of(response), state=str)["state"] == "pending")

    def items(self, path: str, **query: Any) -> Listing[Any]:
        """Return the items of all pages of a list in order: `client.items("/v1/releases", limit=200)`."""
        return Listing(lambda: self._pages(path, query))

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Answer]:
        cursor: str | None = ""
        seen, seconds = set[str](), 0.0
        while cursor is not None:
            if cursor in seen or seconds > max(self.patience_seconds, _LONGEST_LIST_SECONDS):
                raise NotTheService("the service returned an endless list")
            seen.add(cursor)
            started = time.monotonic()
            page = json_of(self.ask("GET", path, query={**query, **({"cursor": cursor} if cursor else {})}))
            seconds += time.monotonic() - started
            yield _check_members(page, items=list, next_cursor=(str, NoneType))
            cursor = page["next_cursor"]

    def check_version(self) -> str:
        """Return the version of the service, which must be compatible with this client: `client.check_version()`.

        Raises NotTheService, Unreachable.
        """
        url = self.http.base_url
        try:
            response = self.send("GET", "/livez")
            health = json_of(response)
        except (AnswerLost, NotTheService) as error:
            if url.scheme == "http" and speaks_tls(url):
                raise NotTheService(f"the server at {url} speaks TLS: its address begins with https://") from error
            if isinstance(error, AnswerLost):
                raise Unreachable(f"what is at {url} did not respond") from error
            raise
        theirs = health.get("version") if isinstance(health, dict) else None
        if not isinstance(theirs, str):
            raise NotTheService(f"the server at {url} is not a {SERVICE} that this client knows")
        if _generation(theirs) != _generation(version(PACKAGE)):
            raise NotTheService(
                f"the service is version {theirs}, and this is the client of version {version(PACKAGE)}: "
                "install the same one"
            )
        return theirs


def _require_key(key: str | None) -> None:
    """Raise NotSendable if the text can't be a key. The error never contains the key."""
    if key is None:
        return
    if any(character.isspace() for character in key):
        raise NotSendable("the API key has a space or a line break: copy the key alone; nothing was sent")
    if not (key.isascii() and key.isprintable()):
        raise NotSendable("the API key has a character that keys do not have: copy the key again; nothing was sent")


def _generation(text: str) -> list[str]:
    """Return the part of a version that changes with breaking changes: 1 of 1.4.2, and 0.4 of 0.4.2."""
    numbers = text.split(".")
    return numbers[:2] if numbers[0] == "0" else numbers[:1]


def _body_text(body: Mapping[str, Any]) -> str:
    """Return the body as JSON. Raises NotSendable."""
    return json.dumps(plain(body), ensure_ascii=False, separators=(",", ":"))


def _link(response: httpx.Response, text: Any) -> str:
    """Return the address of a link in a response, on the same server. Raises NotTheService for any other address, which
    must not get the key.
    """
    if not isinstance(text, str) or not _LINK.fullmatch(text):
        raise NotTheService("the response redirects to another host; nothing was sent there")
    return str(response.request.url.join(text))


def _check_members(document: Any, **kinds: type | tuple[type, ...]) -> Any:
    """Return the document if it is an object with these members. Raises NotTheService."""
    if not isinstance(document, dict) or not all(
        name in document and isinstance(document[name], kind) for name, kind in kinds.items()
    ):
        raise NotTheService("the response does not have the form that this client knows")
    return document


def json_of(response: httpx.Response, kind: type[Answer] = Answer) -> Any:
    """Return the JSON of a response. An object becomes an Answer with the unchanged text. Raises NotTheService."""
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        raise NotTheService(f"the server at {response.request.url.copy_with(path='/')} did not return JSON") from None
    if not isinstance(answer, dict):
        return answer
    replayed, signature = response.headers.get(_REPLAY_HEADER) == "true", response.headers.get(_SIGNATURE)
    return kind(answer, text=response.text, replayed=replayed, signature=signature)


def problem_of(response: httpx.Response) -> ProblemError:
    """Return the problem in a response.

    Raises NotTheService if there is none. Raises AnswerLost for an error of a proxy that may already have forwarded the
    request.
    """
    if not response.headers.get("Content-Type", "").startswith(_PROBLEM_TYPE):
        host, status = response.request.url.host, response.status_code
        if response.is_server_error:
            raise AnswerLost(f"a proxy or gateway returned {status} in its place")
        raise NotTheService(f"{host} returned {status}, and is not a {SERVICE}")
    after = response.headers.get("Retry-After", "")
    seconds = int(after) if after.isascii() and after.isdigit() and len(after) <= _LONGEST_NUMBER else None
    document = _check_members(
        json_of(response), type=str, title=str, detail=str, charged=(bool, NoneType), retryable=bool
    )
    return ProblemError(document, seconds)
