"""A proxy before PostgreSQL that loses, delays and redirects traffic, as a failing network does."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

COMMIT = b"Q\x00\x00\x00\x0bCOMMIT\x00"
DEBIT = b"simplex_geometric"
"""What a transaction that pays for a release sends, in the plan."""


class DatabaseProxy:
    """Hands connections to a loopback port on to the PostgreSQL in the directory `target`; a context manager.

    `target` is for connections to come; None refuses them. Those that are open stay with their server until it or `cut`
    ends them.
    """

    def __init__(self, target: Path | None) -> None:
        self.target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open_sockets: set[socket.socket] = set()
        self._flowing = threading.Event()
        self._flowing.set()
        self._lost_answers: list[tuple[bytes, Callable[[], object]]] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self._flowing.set()
        self.cut()

    def url(self, database: str, user: str) -> str:
        """The address of a database behind the proxy, as SQLAlchemy spells it."""
        return f"postgresql+psycopg://{user}@127.0.0.1:{self.port}/{database}"

    def lose_debit(self, then: Callable[[], object]) -> None:
        """Loses the answer to the COMMIT of the next debit: the server has committed, `then` runs, and the sender's
        connection is cut.
        """
        self.lose_commit(DEBIT, then)

    def lose_commit(self, sent: bytes, then: Callable[[], object] = lambda: None) -> None:
        """Lose the answer to the COMMIT of the next transaction that sends `sent`."""
        self._lost_answers.append((sent, then))

    def cut(self) -> None:
        """Ends every open connection."""
        with self._lock:
            for end in self._open_sockets:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def fall_silent(self) -> None:
        """From now on nothing passes, without notice: connections stay open, and new ones are accepted and never
        answered.
        """
        self._flowing.clear()

    def speak_again(self) -> None:
        """Forwards the traffic that was held back."""
        self._flowing.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._flowing.wait()
        if self.target is None:
            client.close()
            return
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(str(self.target / ".s.PGSQL.5432"))
        except OSError:
            client.close()
            server.close()
            return
        with self._lock:
            self._open_sockets |= {client, server}
        cutting: list[Callable[[], object]] = []
        pumps = [
            threading.Thread(
                target=self._pump, args=(client, server, cutting), kwargs={"to_server": True}, daemon=True
            ),
            threading.Thread(
                target=self._pump, args=(server, client, cutting), kwargs={"to_server": False}, daemon=True
            ),
        ]
        for pump in pumps:
            pump.start()
        for pump in pumps:
            pump.join()
        with self._lock:
            self._open_sockets -= {client, server}
        client.close()
        server.close()

    def _pump(
        self, source: socket.socket, sink: socket.socket, cutting: list[Callable[[], object]], *, to_server: bool
    ) -> None:
        is_meant = False
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._flowing.wait()
                is_meant |= to_server and bool(self._lost_answers) and self._lost_answers[0][0] in data
                if to_server and data.endswith(COMMIT):
                    if is_meant and self._lost_answers:
                        cutting.append(self._lost_answers.pop(0)[1])
                    is_meant = False
                if not to_server and cutting:
                    cutting.pop()()
                    break
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
