"""Runs `posterior` as on a system without `fcntl`, `pwd`, `resource` or `os.getuid`, and with Windows' rules for paths:
names without its forbidden characters, no directory opened as a file, no open file removed or replaced. Parts of the
system in C, such as SQLite's locks, remain those of Linux.

What the system itself does in C, such as SQLite's locks, is Linux's all the same.
"""

from __future__ import annotations

import builtins
import io
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

_ABSENT: Final = ("fcntl", "pwd", "grp", "resource", "termios", "tty", "pty")
_FORBIDDEN: Final = re.compile(r'[<>:"|?*\\\x00-\x1f]|[ .]$')
_RESERVED_NAME: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def check_name(path: Any) -> None:
    """Raises OSError for a name that Windows does not allow."""
    if not isinstance(path, str | os.PathLike) or str(path) == os.devnull:
        return
    for part in Path(path).parts:
        if part != "/" and (_FORBIDDEN.search(part) or _RESERVED_NAME.fullmatch(part)):
            raise OSError(22, f"no name of a file on Windows: {part}")


def check_closed(path: Any) -> None:
    """Raises PermissionError if this process has the file open."""
    for descriptor in Path("/proc/self/fd").iterdir():
        opened = None
        with suppress(OSError):
            opened = descriptor.readlink()
        if opened == Path(path).resolve():
            raise PermissionError(13, "the file is open", str(path))


def pretend() -> None:
    """Changes this process, before the client is imported."""
    for name in _ABSENT:
        cast("dict[str, Any]", sys.modules)[name] = None  # an import of it fails
    for name in ("getuid", "geteuid", "getgid", "fchmod", "chown"):
        if hasattr(os, name):
            delattr(os, name)
    real_open, real_mkdir, real_io_open = os.open, os.mkdir, builtins.open

    def opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        check_name(path)
        if isinstance(path, str | os.PathLike) and Path(path).is_dir():
            raise PermissionError(13, "a directory is no file", str(path))
        return real_open(path, flags, mode, dir_fd=dir_fd)

    def mkdir(path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        check_name(path)
        real_mkdir(path, mode, dir_fd=dir_fd)

    def io_open(file: Any, *arguments: Any, **options: Any) -> Any:
        check_name(file)
        return real_io_open(file, *arguments, **options)

    os.open, os.mkdir, builtins.open, io.open = opened, mkdir, io_open, io_open
    for name in ("unlink", "remove", "rename", "replace"):
        _require_closed(name)


def _require_closed(name: str) -> None:
    real = getattr(os, name)

    def checked(*paths: Any, **options: Any) -> Any:
        for path in paths:
            check_name(path)
            if Path(path).exists():
                check_closed(path)
        return real(*paths, **options)

    setattr(os, name, checked)


if __name__ == "__main__":
    pretend()
    from private_posterior.commands.main import main

    main()
