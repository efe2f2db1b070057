"""Ends a command whose standard output is closed or full with an exit code of its own.

The client has the same for `posterior`, in private_posterior/commands/standard_output.py: neither package needs the
other.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, Final

from service.cli.terminal import tell

if TYPE_CHECKING:
    from collections.abc import Callable

INCOMPLETE: Final = 8
"""Exit code if standard output can't be written, such as on a full disk."""
CLOSED: Final = 141
"""Exit code if the reader of standard output closed it, as shells report it."""
_WRITE_ERRORS: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def run(command: Callable[[], object]) -> None:
    """Run a command line, and end the process with one of these codes if its output fails."""
    try:
        command()
    except SystemExit as ended:
        # Typer and Rich end a command with code 1 if the reader of its output has gone.
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        code = CLOSED
    except OSError as error:
        if error.filename is not None or error.errno not in _WRITE_ERRORS:
            raise
        tell(f"standard output can't be written ({error.strerror}); what the command does was done up to there")
        code = INCOMPLETE
    else:
        return
    # Otherwise Python writes what is left at its end, fails, and exits with a code of its own.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)
