"""HTTP server of `private-posterior serve`: one process, or several that share the port."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import tempfile
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from service.cli.terminal import fail, read_settings
from service.cli.weak_settings import weak_settings, witness_shares_disk
from service.database.engine import open_engine, reading
from service.database.probe import find_notes
from service.errors import DatabaseUnavailable
from service.ledger.database_state import is_restore_pending
from service.ledger.restore.watch import watch
from service.limits.limits import CONNECTIONS
from service.logs import log
from service.logs.metrics import SHARED_DIRECTORY
from service.runtime.key_file import open_keys
from service.settings.process_hardening import protect_process
from service.settings.settings import PREFIX, Settings, SettingsError

HEAD_BYTES: Final = 32_768
SERVER_OPTIONS: Final[dict[str, Any]] = {
    "access_log": False,
    "log_config": None,
    # Nothing depends on a caller's address, so forwarded addresses are ignored.
    "proxy_headers": False,
    "server_header": False,
    "http": "h11",
    "h11_max_incomplete_event_size": HEAD_BYTES,
    "ws": "none",
    "loop": "asyncio",
    "limit_concurrency": CONNECTIONS.max_concurrent,
    # Longer than clients and proxies keep idle connections (httpx 5 s, nginx 60 s): they close first, and never send a
    # request into a connection that is being closed.
    "timeout_keep_alive": 75,
    # At shutdown, a request may still wait for the database or its draw. A paid release that is interrupted is returned
    # to its retry.
    "timeout_graceful_shutdown": 20,
    # On a busy machine, many workers that start together respond slowly.
    "timeout_worker_healthcheck": 120,
}
_terminal = logging.getLogger(log.TERMINAL)


def serve(settings: Settings, workers: int) -> None:
    """Serve until the process is stopped. The database is ready."""
    if workers > 1 and settings.is_sqlite:
        fail("several workers need PostgreSQL, since SQLite has one writer at a time: set POSTERIOR_DATABASE_URL")
    _write_log(settings)
    for variable, meaning in weak_settings(settings):
        _terminal.warning("Warning: with this value of %s %s.", variable, meaning)
    if witness_shares_disk(settings):
        _terminal.warning(
            "Warning: the witness's folder of receipts is on the disk of the database. Set %sWITNESS_FILE to a file on "
            "another disk. Otherwise a lost disk takes the receipts of the last charges too.",
            PREFIX,
        )
    _look_before_serving(settings)
    try:
        listener = listen(settings.host, settings.port)
    except OSError as error:
        fail(f"can't listen at the address that POSTERIOR_HOST and POSTERIOR_PORT give: {error.strerror}")
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    docs = "  (interactive documentation: /docs)" if settings.api_docs else ""
    _terminal.info("Private Posterior listens on http://%s:%s%s", shown, port, docs)
    options = SERVER_OPTIONS | {"root_path": settings.root_path}
    if workers > 1:
        config = uvicorn.Config("service.cli.serving:serving_app", factory=True, workers=workers, **options)
        with tempfile.TemporaryDirectory(prefix="private-posterior-") as figures:
            os.environ[SHARED_DIRECTORY] = figures
            # uvicorn ends a worker by a signal, so the worker leaves temporary files of `multiprocessing` behind. They
            # are deleted with this directory.
            os.environ["TMPDIR"] = figures
            Multiprocess(config, [listener]).run()
        return
    # After stopping, uvicorn raises SIGTERM again. The process then exits normally and cleans up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    server = uvicorn.Server(uvicorn.Config(_application(settings), **options))
    server.run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. At `::` it accepts IPv4 too if the system can."""
    if ":" in host:
        both = host == "::" and socket.has_dualstack_ipv6()
        listener = socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=both)
    else:
        listener = socket.create_server((host, port))
    # Connections inherit this option; asyncio sets it only for listeners that it creates. Without it, a body waits 40
    # ms until the caller's system has acknowledged the head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _write_log(settings: Settings) -> None:
    log.configure(settings.log_level, as_json=settings.log_format == "json")


def _look_before_serving(settings: Settings) -> None:
    """End the command with a message if a key or the witness is not usable, and warn if releases are stopped."""
    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    try:
        keys = open_keys(engine, settings.keys)
        watch(engine, settings.witness, keys.signer.entry)
        with reading(engine) as connection:
            if is_restore_pending(connection):
                _terminal.warning(
                    "The database was restored from a backup: nothing is released until `private-posterior ledger "
                    "reconcile`."
                )
            for note in find_notes(connection):
                _terminal.warning("Note: %s.", note)
    except SettingsError as error:
        fail(str(error))
    except DatabaseUnavailable:
        fail("the database takes no writes: it is a standby, or read-only")
    finally:
        engine.dispose()


def serving_app() -> FastAPI:
    """Return the application of a worker process."""
    protect_process()
    settings = read_settings()
    _write_log(settings)
    return _application(settings)


def _application(settings: Settings) -> FastAPI:
    from service.api.app import create_app

    # Computation processes must not inherit secrets, and each uses one core.
    Settings.remove_secrets()
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    app = create_app(settings, start_modules=["service.cli.main"])
    # Otherwise the garbage collector would look through the modules and schemas of the application again and again.
    gc.collect()
    gc.freeze()
    return app
