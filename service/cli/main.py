"""The operator's commands: `private-posterior`.

A command imports what it needs when it runs, so that help texts appear without loading the mathematics.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn

import typer

from service.cli.counts import counts_app
from service.cli.ledger import ledger_app
from service.cli.receipts import receipts_app
from service.cli.terminal import fail, open_database, read_settings, require_ready, tell
from service.settings.process_hardening import protect_process

_OPERATOR_COMMANDS = "Commands of the operator"
_STANDARD_ERROR = 2
_INCOMPLETE_OUTPUT_CODE: Final = 8
"""Exit code if standard output can't be written, such as on a full disk."""
_CLOSED_OUTPUT_CODE: Final = 141
"""Exit code if the reader of standard output closed it, as shells report it."""
_WRITE_ERRORS: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}

app = typer.Typer(
    name="private-posterior",
    help="Operate a Private Posterior service. Owners and analysts use `posterior`, the command of the package "
    "private-posterior-client.\n\n"
    "Settings come from environment variables with the prefix POSTERIOR_; docs/reference/settings.md lists them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.add_typer(ledger_app, name="ledger", rich_help_panel=_OPERATOR_COMMANDS)
keys_app = typer.Typer(help="Create API keys on this machine, including the first admin key.", no_args_is_help=True)
app.add_typer(keys_app, name="keys", rich_help_panel=_OPERATOR_COMMANDS)
app.add_typer(counts_app, name="counts", rich_help_panel=_OPERATOR_COMMANDS)
app.add_typer(receipts_app, name="receipts", rich_help_panel=_OPERATOR_COMMANDS)


@app.callback()
def _require_standard_output(context: typer.Context) -> None:
    # `serve` can run without: it writes to the log alone.
    if sys.stdout is None and context.invoked_subcommand != "serve":
        fail("standard output is closed; nothing was done")


@app.command(rich_help_panel=_OPERATOR_COMMANDS)
def migrate() -> None:
    """Bring the database to this version's schema. Safe to run again, and from several machines at once."""
    from service.database.migration import MigrationError
    from service.database.migration import migrate as run_migrations

    settings = read_settings()
    try:
        run_migrations(settings.database_url)
    except MigrationError as error:
        fail(str(error))
    typer.echo("The database is ready.")


@app.command(rich_help_panel=_OPERATOR_COMMANDS)
def serve(
    workers: Annotated[
        int,
        typer.Option(min=1, max=64, help="Number of processes that share the port. More than one needs PostgreSQL."),
    ] = 1,
) -> None:
    """Answer HTTP requests until interrupted. The database must have been migrated."""
    settings = read_settings()
    require_ready(settings)
    from service.cli import serving

    serving.serve(settings, workers)


@app.command(rich_help_panel=_OPERATOR_COMMANDS)
def demo(
    pictures: Annotated[
        Path, typer.Option(help="Directory for the pictures of the demonstration.", file_okay=False)
    ] = Path("demo-output"),
) -> None:
    """Demonstrate the service in a minute: admin, owner and analyst over HTTP, on published tables.

    It uses its own database in a temporary directory, and leaves only its pictures.
    """
    from importlib.util import find_spec

    if find_spec("private_posterior") is None:
        fail("the demonstration needs the package private-posterior-client; install it, or run `make demo`")
    from service.cli.demo import story
    from service.cli.demo.server import DemoError

    with tempfile.TemporaryDirectory(prefix="private-posterior-") as directory:
        try:
            story.tell(Path(directory), pictures)
        except DemoError as error:
            fail(str(error))


@app.command(rich_help_panel=_OPERATOR_COMMANDS)
def backup(
    copy: Annotated[Path, typer.Argument(help="File of the copy; it must not exist.")],
) -> None:
    """Copy a SQLite database while the service runs.

    A service on the copy releases nothing until `ledger reconcile` and `ledger unfreeze`.
    """
    from service.ledger.restore.backup import BackupError, back_up

    settings = read_settings()
    require_ready(settings)
    if not settings.is_sqlite:
        fail("PostgreSQL is backed up with its own tools: see docs/how-to/back-up-and-restore.md")
    try:
        back_up(settings.sqlite_file, copy)
    except BackupError as error:
        fail(str(error))
    typer.echo(f"{copy} is a copy. It holds no keys: keep the key file elsewhere, or what is restored can't be opened.")


@app.command(rich_help_panel=_OPERATOR_COMMANDS)
def restore(
    copy: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="A copy made by `backup`, or a whole database file.")
    ],
) -> None:
    """Replace a SQLite database by a copy, while the service is stopped. The replaced database is kept beside it under
    another name.

    A service on the copy releases nothing until `ledger reconcile` and `ledger unfreeze`.
    """
    from service.ledger.restore.backup import BackupError, put_back

    settings = read_settings()
    if not settings.is_sqlite:
        fail("PostgreSQL is restored with its own tools: see docs/how-to/back-up-and-restore.md")
    try:
        kept = put_back(copy, settings.sqlite_file)
    except BackupError as error:
        fail(str(error))
    if kept is not None:
        typer.echo(f"The replaced database is now {kept}.")
    typer.echo("The copy is in place. Run `private-posterior migrate`, and then `private-posterior ledger reconcile`.")


def _name(text: str) -> str:
    from pydantic import TypeAdapter, ValidationError

    from service.schemas.model import Name

    try:
        return TypeAdapter(Name).validate_python(text)
    except ValidationError:
        raise typer.BadParameter("a name has 1 to 200 characters and no control characters") from None


@keys_app.command("create")
def create_key(
    role: Annotated[Literal["admin", "owner", "analyst"], typer.Option(help="Role of the new principal.")],
    name: Annotated[
        str | None,
        typer.Option(
            parser=_name,
            help=("A name for people to read, stored apart from the pseudonymous id. By default the role."),
        ),
    ] = None,
    expires_in_days: Annotated[
        int | None,
        typer.Option(min=1, max=3650, help="Days until an admin's key expires. If left out, it does not expire."),
    ] = None,
) -> None:
    """Create an admin with a key, or an owner or analyst with an invitation, which the person exchanges with
    `posterior enrol`.

    The key or token is printed on standard output, once; no copy is kept. Only the person sees the key of an owner or
    an analyst.
    """
    from service.database.engine import writing
    from service.principals.auth import COMMAND_LINE
    from service.principals.enrolment import issue_token
    from service.principals.keys import create_key as create_admin_key
    from service.principals.people import create_principal
    from service.schemas.principals import Role

    settings = read_settings()
    require_ready(settings)
    with open_database(settings) as engine, writing(engine) as connection:
        principal_id = create_principal(connection, Role(role), name or ("first admin" if role == "admin" else role))
        if role == "admin":
            what, secret = (
                "key",
                create_admin_key(connection, principal_id, issued_by=COMMAND_LINE, expires_in_days=expires_in_days)[
                    1
                ].key,
            )
        else:
            what, secret = "invitation", issue_token(connection, principal_id, by=COMMAND_LINE).token
    typer.echo(f"principal {principal_id}, role {role}; the {what} is shown this once:", err=True)
    typer.echo(secret)


def main() -> None:
    """Run the command line. Files that a command creates are readable by its user only."""
    os.umask(0o077)
    _open_what_was_closed()
    protect_process()
    try:
        _run()
    except Exception as error:  # noqa: BLE001  what it is takes imports to know
        _end_with_a_sentence(error)


def _run() -> None:
    """Run the command, and end the process with `_CLOSED_OUTPUT_CODE` or `_INCOMPLETE_OUTPUT_CODE` if its output fails.

    The client has the same for `posterior`: neither package needs the other.
    """
    try:
        app()
    except SystemExit as ended:
        # Typer and Rich end a command with code 1 if the reader of its output has gone.
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        code = _CLOSED_OUTPUT_CODE
    except OSError as error:
        if error.filename is not None or error.errno not in _WRITE_ERRORS:
            raise
        tell(f"standard output can't be written ({error.strerror}); what the command does was done up to there")
        code = _INCOMPLETE_OUTPUT_CODE
    else:
        return
    # Otherwise Python writes what is left at its end, fails, and exits with a code of its own.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)


def _open_what_was_closed() -> None:
    """Open closed standard streams on the null device, so that no file or socket of the service gets their numbers."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        os.set_inheritable(number, True)
    os.close(number)


def _end_with_a_sentence(error: Exception) -> NoReturn:
    """End the process with a message, or raise the error again if there is none for it."""
    from sqlalchemy.exc import DBAPIError

    from service.database.engine import OF_THE_DISK, DatabaseNotReady, is_of_the_disk
    from service.settings.settings import SettingsError

    match error:
        case SettingsError() | DatabaseNotReady():
            message = str(error)
        case DBAPIError() if is_of_the_disk(error):
            message = OF_THE_DISK
        case DBAPIError():
            # The text of the error could contain a row.
            message = f"the database refused or went away ({type(error.orig).__name__})"
        case _:
            raise error
    tell(message)
    sys.exit(2)
