"""Runs the two commands in the test process, where they need no start of Python and no imports.

A test whose promise is about a process (signals, pipes, a terminal, a crash) starts `COMMAND` or `CLIENT` by itself.
"""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from private_posterior.commands.main import main as posterior
from service.cli.main import main as private_posterior
from tests.harness.process import CLIENT, COMMAND, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def run(
    command: Sequence[str | Path], *, env: Mapping[str, str], cwd: Path = ROOT, said: str = ""
) -> subprocess.CompletedProcess[str]:
    """What `subprocess.run` returns for `COMMAND` or `CLIENT` with its output captured; `said` is its standard
    input.
    """
    main = {COMMAND: private_posterior, CLIENT: posterior}[Path(command[0])]
    arguments = [*map(str, command)]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n") for _ in range(2))
    entered = io.TextIOWrapper(io.BytesIO(said.encode()), "utf-8")
    code: object = 0
    with (
        _isolated_process_state(env, cwd),
        patch.multiple(sys, argv=arguments, stdin=entered, stdout=out, stderr=err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
        except Exception:  # noqa: BLE001  Python shows it and ends with 1
            traceback.print_exc()
            code = 1
        if isinstance(code, str):
            print(code, file=sys.stderr)  # noqa: T201  as Python does
            code = 1
    texts = []
    for stream in (out, err):
        stream.flush()
        content = stream.detach()
        assert isinstance(content, io.BytesIO)
        texts.append(content.getvalue().decode())
    return subprocess.CompletedProcess(arguments, int(code or 0), *texts)  # type: ignore[call-overload]


@contextmanager
def _isolated_process_state(env: Mapping[str, str], cwd: Path) -> Iterator[None]:
    """The environment, folder, umask and log during the block; afterwards those of the tests again."""
    folder, mask = Path.cwd(), os.umask(0o022)
    os.chdir(cwd)
    try:
        with patch.dict(os.environ, env, clear=True), log_of_its_own():
            yield
    finally:
        os.chdir(folder)
        os.umask(mask)


@contextmanager
def log_of_its_own() -> Iterator[None]:
    """Undo the block's configuration of the log, so that no later test writes to the terminal."""
    root = logging.getLogger()
    level, raising = root.level, logging.raiseExceptions
    try:
        with patch.object(root, "handlers", []):
            yield
    finally:
        root.setLevel(level)
        logging.raiseExceptions = raising
