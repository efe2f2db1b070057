"""People who run `posterior` in a terminal, each with a directory of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.harness import commands
from tests.harness.deadlines import PATIENCE
from tests.harness.process import CLIENT, COMMAND

if TYPE_CHECKING:
    from tests.harness.server import Party, Server

LIKE_WINDOWS = (sys.executable, "-m", "tests.harness.like_windows")


@dataclass(slots=True)
class Person:
    """A person at a terminal: a directory of credentials and journal, and a service."""

    home: Path
    url: str
    key: str = ""
    program: Sequence[str | Path] = (CLIENT,)
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        given = {"PRIVATE_POSTERIOR_HOME": str(self.home), "PRIVATE_POSTERIOR_SERVER": self.url, "COLUMNS": "100"}
        own = {"PRIVATE_POSTERIOR_KEY": self.key} if self.key else {}
        outside = {name: value for name, value in os.environ.items() if "POSTERIOR" not in name}
        return outside | given | own | self.variables

    def run(
        self, *arguments: str, code: int = 0, program: Sequence[str | Path] = (), said: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [*(program or self.program), *arguments]
        if command[0] in (CLIENT, COMMAND):
            done = commands.run(command, env=self.environment, said=said or "")
        else:
            done = subprocess.run(
                command, env=self.environment, input=said, capture_output=True, text=True, check=False, timeout=PATIENCE
            )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    def refused(self, *arguments: str, code: int = 2) -> str:
        """The message that ends a command, without progress messages."""
        lines = [line for line in self.run(*arguments, code=code).stderr.splitlines() if "waiting, " not in line]
        assert lines[-1].startswith("posterior: "), lines
        assert "/v1" not in lines[-1]
        return lines[-1]

    def answer(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json").stdout)

    def items(self, *arguments: str) -> list[Any]:
        """The items of a list, from the pages of the service."""
        pages = [json.loads(line) for line in self.run(*arguments, "--json").stdout.splitlines()]
        return [item for page in pages for item in page["items"]]

    def in_terminal(self, *arguments: str, say: dict[str, str] | None = None) -> str:
        """The terminal output of a command, which gets an answer to each question."""
        controller, terminal = os.openpty()
        process = subprocess.Popen(
            [*self.program, *arguments],
            env=self.environment,
            preexec_fn=lambda: os.login_tty(terminal),  # noqa: PLW1509  nothing else runs between
        )
        os.close(terminal)
        shown, waiting = "", dict(say or {})
        while True:
            try:
                piece = os.read(controller, 4096)
            except OSError:  # the last writer has closed it
                break
            if not piece:
                break
            shown += piece.decode()
            for question in [each for each in waiting if each in shown]:
                os.write(controller, f"{waiting.pop(question)}\n".encode())
        os.close(controller)
        assert process.wait(PATIENCE) == 0, shown
        return shown


def someone(tmp_path: Path, server: Server, party: Party) -> Person:
    return Person(tmp_path / party.principal_id, server.url, party.key)


def journal(person: Person) -> list[Path]:
    return list((person.home / "journal").glob("*.sqlite3"))
