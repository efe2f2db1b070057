"""Declares `posterior`, the command of owners and analysts. A command imports its modules when it runs, so that help
texts appear at once.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Final

import typer

from private_posterior.commands import ledger, margins, plans, posteriors, querying, releases, tables, trials, verifying
from private_posterior.commands.budgets import budgets_app, grants_app
from private_posterior.commands.datasets import datasets_app
from private_posterior.commands.exits import Exit
from private_posterior.commands.readers import CommandsByReader
from private_posterior.commands.requests import access_app
from private_posterior.commands.show import fail, note
from private_posterior.credentials import HOME, KEY, SERVER, unread_variables

_FORM_ERRORS: Final = (KeyError, TypeError, AttributeError, IndexError, ArithmeticError, ValueError)
"""Exceptions when a response does not have the form of the models."""
_WRITE_ERRORS: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
_READERS: Final[dict[str, tuple[Callable[..., None] | typer.Typer, ...]]] = {
    "Everyone": (
        ledger.enrol,
        datasets_app,
        access_app,
        releases.mechanisms,
        releases.releases,
        posteriors.posterior,
        posteriors.compare,
        trials.trial,
        tables.infer,
        verifying.verify_release,
    ),
    "Analysts and owners": (plans.plan, releases.release, margins.margins, querying.query),
    "Owners": (budgets_app, grants_app, ledger.statement, ledger.ledger_app, verifying.verify),
}
"""The commands, by the readers who may use them."""


app = typer.Typer(
    name="posterior",
    cls=CommandsByReader,
    help="Differentially private Bayesian posteriors from a Private Posterior service.\n\n"
    "Run `posterior enrol` once. After that, the server and the key come from a file, or from "
    "PRIVATE_POSTERIOR_SERVER and PRIVATE_POSTERIOR_KEY.",
    epilog="Exit codes:\n\n" + "\n\n".join(f"{code.value}: {code.meaning}" for code in Exit),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # the tables of rich cut the names of options
)
for reader, commands in _READERS.items():
    for command in commands:
        if isinstance(command, typer.Typer):
            app.add_typer(command, rich_help_panel=reader)
        else:
            paragraph = (command.__doc__ or "").strip().partition("\n\n")[0]
            app.command(short_help=paragraph.partition(". ")[0].rstrip(".") + ".", rich_help_panel=reader)(command)


def _show_version(asked: bool) -> None:  # noqa: FBT001  the signature of a callback
    if asked:
        typer.echo(f"posterior {version('private-posterior-client')}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[  # noqa: ARG001  its callback acts on it
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    if sys.stdout is None:  # it was closed before the command started
        fail("standard output is closed; nothing was sent", Exit.UNUSABLE)
    for name in unread_variables():
        note(f"posterior: the variable {name} is not read; the variables are {SERVER}, {KEY} and {HOME}")


def main() -> None:
    """Run the command line. Files that a command creates are readable by its user only."""
    os.umask(0o077)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console may lack ε; the output matters more
    try:
        _run()
    except _FORM_ERRORS as error:
        note(
            "posterior: the service's response does not have the form that this program knows "
            f"({type(error).__name__}). If the service is of this version, run the same command again: it is charged "
            "at most once"
        )
        sys.exit(Exit.UNKNOWN)


def _run() -> None:
    """Run the command, and end the process with `Exit.CLOSED` or `Exit.INCOMPLETE` if its output fails.

    The service has the same for `private-posterior`.
    """
    try:
        app()
    except SystemExit as ended:
        # Typer and Rich end a command with code 1 if the reader of its output has gone.
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        code = Exit.CLOSED
    except OSError as error:
        if error.filename is not None or error.errno not in _WRITE_ERRORS:
            raise
        note(f"posterior: standard output can't be written ({error.strerror}); run the same command again")
        code = Exit.INCOMPLETE
    else:
        return
    # Otherwise Python writes what is left at its end, fails, and exits with a code of its own.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)
