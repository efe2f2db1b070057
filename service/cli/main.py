"""The command line: `private-posterior serve | migrate | keys | ledger | demo`."""

from __future__ import annotations

import logging
import socket
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import uvicorn
from fastapi import FastAPI
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.exc import DBAPIError

from service.auth import COMMAND_LINE, Role
from service.cli.counts import counts_app
from service.cli.demo.server import DemoError
from service.cli.ledger import ledger_app
from service.cli.receipts import receipts_app
from service.cli.terminal import fail, read_settings, require_ready
from service.cli.workers import serve as serve_by
from service.client.errors import ClientError
from service.database.engine import DatabaseNotReady, open_engine, reading, writing
from service.database.migration import MigrationError
from service.database.migration import migrate as run_migrations
from service.database.probe import find_notes
from service.errors import DatabaseUnavailable
from service.key_file import open_keys
from service.ledger.standstill import is_stopped
from service.principals.enrolment import issue_token
from service.principals.keys import create_key as create_admin_key
from service.principals.people import create_principal
from service.restore.backup import BackupError, back_up, put_back
from service.restore.watch import watch
from service.schemas.model import Name
from service.settings import Settings, SettingsError
from service.web.connections import BoundedConnection

SERVER_OPTIONS: Final[dict[str, Any]] = {
    "access_log": False,
    "log_config": None,
    # Nothing here depends on where a request came from, so nobody's word for it is taken.
    "proxy_headers": False,
    "server_header": False,
    "http": BoundedConnection,
    # A request waits for its database, and for its draw; what is cut short here was paid, and its retry gets it.
    "timeout_graceful_shutdown": 30,
    # Many workers that start at once on a busy machine are slow, and not dead.
    "timeout_worker_healthcheck": 120,
}

app = typer.Typer(
    name="private-posterior",
    help="Differentially private Bayesian posteriors over HTTP, with budgets that can't be overspent.\n\n"
    "Settings come from environment variables with the prefix POSTERIOR_; the README lists them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
keys_app = typer.Typer(help="Make API keys on this machine; the first admin key comes from here.", no_args_is_help=True)
app.add_typer(keys_app, name="keys")
app.add_typer(ledger_app, name="ledger")
app.add_typer(counts_app, name="counts")
app.add_typer(receipts_app, name="receipts")


@app.command()
def migrate() -> None:
    """Bring the database to this version's schema. Safe to run again, and from several machines at once."""
    settings = read_settings()
    try:
        run_migrations(settings.database_url)
    except MigrationError as error:
        fail(str(error))
    typer.echo("The database is ready.")


@app.command()
def serve(
    workers: Annotated[
        int,
        typer.Option(min=1, max=64, help="Processes that share the port; more than one needs PostgreSQL to be of use."),
    ] = 1,
) -> None:
    """Answer HTTP requests until interrupted. The database must have been migrated."""
    settings = read_settings()
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    require_ready(settings)
    _look_before_serving(settings)
    if workers > 1:
        where: dict[str, Any] = {"host": settings.host, "port": settings.port}
        serve_by(
            uvicorn.Config("service.cli.main:serving_app", factory=True, workers=workers, **where, **SERVER_OPTIONS)
        )
        return
    try:
        listener = socket.create_server((settings.host, settings.port))
    except OSError as error:
        fail(f"can't listen at the address that POSTERIOR_HOST and POSTERIOR_PORT give: {error.strerror}")
    host, port = listener.getsockname()[:2]
    typer.echo(f"Private Posterior listens on http://{host}:{port}  (interactive documentation: /docs)", err=True)
    server = uvicorn.Server(uvicorn.Config(_application(settings), **SERVER_OPTIONS))
    server.run(sockets=[listener])


def _look_before_serving(settings: Settings) -> None:
    """Ends the command with a sentence where a key or the witness is not usable, and says so where nothing will be
    released.
    """
    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    try:
        open_keys(engine, settings)
        watch(engine, settings)
        with reading(engine) as connection:
            if is_stopped(connection):
                typer.echo(
                    (
                        "The database was restored from a backup: nothing is released until `private-posterior ledger "
                        "reconcile`."
                    ),
                    err=True,
                )
            for note in find_notes(connection):
                typer.echo(f"Note: {note}.", err=True)
    except SettingsError as error:
        fail(str(error))
    except DatabaseUnavailable:
        fail("the database takes no writes: it is a standby, or read-only")
    finally:
        engine.dispose()


def serving_app() -> object:
    """The application of one of several worker processes."""
    settings = read_settings()
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    return _application(settings)


def _application(settings: Settings) -> FastAPI:
    from service.app import create_app  # noqa: PLC0415  it takes seconds to import, and the other commands need none of it

    return create_app(settings)


@app.command()
def demo(
    pictures: Annotated[Path, typer.Option(help="Directory that its pictures go to.", file_okay=False)] = Path(
        "demo-output"
    ),
) -> None:
    """Show the whole service at work in a minute: operator, owner and analyst over HTTP, on tables that were published.

    It runs on a database of its own in a temporary directory, and leaves nothing behind but its pictures.
    """
    from service.cli.demo import story  # noqa: PLC0415  as with the application: the mathematics takes a while to import

    with tempfile.TemporaryDirectory(prefix="private-posterior-") as directory:
        try:
            story.tell(Path(directory), pictures)
        except (DemoError, ClientError) as error:
            fail(str(error))


@app.command("verify-release")
def verify_release(
    release: Annotated[
        Path,
        typer.Argument(
            exists=True, dir_okay=False, help="The release's JSON text, byte for byte as it was downloaded."
        ),
    ],
    seal: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Its seal, as the service gave it.")],
    public_key: Annotated[str, typer.Option(help="The service's public key, from /v1/public-key.")],
) -> None:
    """Check offline that a public release says just what the service released and charged. Needs no database and no
    key of your own.
    """
    from service.releases.seal import ReleaseVerificationError, check_release  # noqa: PLC0415  as for the application

    try:
        checked = check_release(release.read_bytes(), seal.read_bytes(), public_key)
    except ReleaseVerificationError as error:
        fail(str(error))
    typer.echo(
        f"release {checked.release_id}: genuine; entry {checked.sequence} of budget {checked.budget_id} charged for it"
    )


@app.command()
def backup(
    copy: Annotated[Path, typer.Argument(help="Where the copy goes; must not exist.")],
) -> None:
    """Copy a SQLite database while the service runs. The copy knows that it is one: a service on it releases nothing
    until it was reconciled.
    """
    settings = read_settings()
    require_ready(settings)
    if not settings.is_sqlite:
        fail("PostgreSQL is backed up with its own tools; docs/operations.md says how a restore is noticed")
    try:
        back_up(settings.sqlite_file, copy)
    except BackupError as error:
        fail(str(error))
    typer.echo(f"{copy} is a copy. It holds no keys: keep the key file elsewhere, or what is restored can't be opened.")


@app.command()
def restore(
    copy: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="A copy made by `backup`, or a whole database file.")
    ],
) -> None:
    """Put a copy in the place of a SQLite database, while the service is stopped. The database of before is kept beside
    it, under another name.

    A service on it releases nothing until `ledger reconcile` and `ledger unfreeze`.
    """
    settings = read_settings()
    if not settings.is_sqlite:
        fail("PostgreSQL is restored with its own tools; docs/operations.md says what follows")
    try:
        kept = put_back(copy, settings.sqlite_file)
    except BackupError as error:
        fail(str(error))
    if kept is not None:
        typer.echo(f"The database of before is now {kept}.")
    typer.echo(
        "The copy is in place. Run `private-posterior migrate`, and `ledger reconcile` with the receipts that "
        "callers kept."
    )


def _name(text: str) -> str:
    try:
        return TypeAdapter(Name).validate_python(text)
    except ValidationError:
        raise typer.BadParameter("a name has 1 to 200 characters and no control characters") from None


@keys_app.command("create")
def create_key(
    role: Annotated[Role, typer.Option(help="What the new principal is.")],
    name: Annotated[
        str, typer.Option(parser=_name, help="A name for people; kept apart from the pseudonymous id.")
    ] = "first admin",
    expires_in_days: Annotated[
        int | None, typer.Option(min=1, max=3650, help="Of an admin's key; never when left out.")
    ] = None,
) -> None:
    """Make an admin and a key for it, or somebody else and an enrolment token, which the person exchanges with POST
    /v1/enrolments.

    The key or token is printed on standard output, once, and kept nowhere. Nobody but the person sees the key of an
    owner or an analyst.
    """
    settings = read_settings()
    require_ready(settings)
    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    with writing(engine) as connection:
        principal_id = create_principal(connection, role, name)
        if role is Role.ADMIN:
            what, secret = (
                "key",
                create_admin_key(connection, principal_id, issued_by=COMMAND_LINE, expires_in_days=expires_in_days)[
                    1
                ].key,
            )
        else:
            what, secret = "enrolment token", issue_token(connection, principal_id, by=COMMAND_LINE).token
    engine.dispose()
    typer.echo(f"principal {principal_id}, role {role.value}; the {what} is shown this once:", err=True)
    typer.echo(secret)


def main() -> None:
    """The entry point."""
    try:
        app()
    except (SettingsError, DatabaseNotReady) as error:
        sys.exit(f"private-posterior: {error}")
    except DBAPIError as error:
        # Its text could hold a row.
        sys.exit(f"private-posterior: the database refused or went away ({type(error.orig).__name__})")
