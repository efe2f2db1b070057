"""Ends a command whose standard output is closed or full with an exit code of its own.

The service has the same for `private-posterior`, in service/cli/standard_output.py.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Final

from private_posterior.commands.exits import Exit
from private_posterior.commands.show import fail, note

_WRITE_ERRORS: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def require_standard_output() -> None:
    """End the command if its standard output was closed before it started."""
    if sys.stdout is None:
        fail("standard output is closed; nothing was sent", Exit.UNUSABLE)


def run(command: Callable[[], object]) -> None:
    """Run a command line, and end the process with `Exit.CLOSED` or `Exit.INCOMPLETE` if its output fails."""
    try:
        command()
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
