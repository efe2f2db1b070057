"""Follows the pages of `docs/how-to` as an operator does: runs the commands of their blocks as they stand there.

Only places are put in: the directories of the machine lie below a directory of the test, and addresses, ids and roles
are those of the test. The account `posterior` and systemd need a machine of their own: their commands are recognised,
and starting and stopping is done by the test.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness.process import COMMAND, ROOT, Process

HOW_TO = ROOT / "docs" / "how-to"
_BLOCK = re.compile(r"^(?P<heading>#+ [^\n]*)$|^ *```sh\n(?P<commands>.*?)^ *```$", re.MULTILINE | re.DOTALL)
_DIRECTORIES = (
    "/etc/private-posterior", "/etc/systemd/system", "/var/lib/private-posterior", "/opt/private-posterior", "/backup",
    "/vault",
)  # fmt: skip
_ACCOUNT_OPTIONS = re.compile(r"\s(-o posterior|-g posterior)\b|\brunuser -u posterior -- ")
_OMITTED_COMMANDS = ("useradd ", "chgrp ", "systemctl daemon-reload")


def blocks(page: str, section: str | None = None) -> list[str]:
    """The shell blocks of a page, in their order; with `section`, those below this heading."""
    heading, found = "", []
    for match in _BLOCK.finditer((HOW_TO / f"{page}.md").read_text(encoding="utf-8")):
        if match["heading"] is not None:
            heading = match["heading"].lstrip("# ")
        elif section is None or heading == section:
            found.append(textwrap.dedent(match["commands"]))
    assert found, f"{page} has no commands below {section}"
    return found


@dataclass(slots=True)
class Operator:
    """An operator on a machine whose directories lie below `root`. `put_in`: further texts of the pages, and their
    replacements here. `services`: starts and stops each unit.
    """

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    put_in: dict[str, str] = field(default_factory=dict)
    services: dict[str, Callable[[str], object]] = field(default_factory=dict)
    release: Path = ROOT
    """The directory of a release, where commands run."""

    def __post_init__(self) -> None:
        for directory in _DIRECTORIES:
            self.here(directory).mkdir(parents=True, exist_ok=True)
        outside = {name: value for name, value in os.environ.items() if "POSTERIOR" not in name}
        outside.pop("PYTHONDONTWRITEBYTECODE", None)
        outside["PATH"] = os.pathsep.join([str(COMMAND.parent), outside["PATH"]])
        self.environment = outside | {"COLUMNS": "200"} | self.environment

    def here(self, path: str) -> Path:
        """The place of a path of the pages."""
        return self.root / path.removeprefix("/")

    def follow(self, *some: str) -> str:
        """Runs blocks, and returns their output. Each command must succeed."""
        return "".join(self._run(block) for block in some)

    def _run(self, block: str) -> str:
        printed, commands = "", list[str]()
        for line in self._text_for_here(block).splitlines():
            if line.startswith(_OMITTED_COMMANDS):
                continue
            if line.startswith("systemctl "):
                printed += self._shell(commands)
                commands = []
                *_, action, unit = (word for word in line.split() if word != "--now")
                self.services[unit]("start" if action == "enable" else action)
            else:
                commands.append(line)
        return printed + self._shell(commands)

    def _shell(self, commands: list[str]) -> str:
        script = self._addresses("\n".join(commands))
        if not script.strip():
            return ""
        settings = self.here("/etc/private-posterior") / "environment"
        if settings.exists():
            script = f"set -a; . {settings}; set +a\n{script}"
        done = subprocess.run(
            ["/bin/sh", "-euc", script], env=self.environment, cwd=self.release,
            capture_output=True, text=True, check=False, timeout=500,
        )  # fmt: skip
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def _text_for_here(self, text: str) -> str:
        text = _ACCOUNT_OPTIONS.sub("", text)
        for directory in _DIRECTORIES:
            text = text.replace(directory, str(self.here(directory)))
        return text

    def _addresses(self, text: str) -> str:
        for ours, theirs in self.put_in.items():
            text = text.replace(ours, theirs)
        assert "…" not in re.sub(r"#.*", "", text), text
        return text


@dataclass(slots=True)
class Unit:
    """The service as its unit runs it: with the settings in the operator's file at each start."""

    operator: Operator
    log: Path
    program: Path = COMMAND
    process: Process | None = None

    def __call__(self, action: str) -> None:
        if action in {"stop", "restart"}:
            self.stop()
        if action in {"start", "restart"}:
            self.start()

    @property
    def url(self) -> str:
        assert self.process is not None
        return self.process.url

    @property
    def database_url(self) -> str:
        return self.settings()["POSTERIOR_DATABASE_URL"]

    def settings(self) -> dict[str, str]:
        text = (self.operator.here("/etc/private-posterior") / "environment").read_text()
        return dict(word.split("=", 1) for line in text.splitlines() for word in shlex.split(line))

    def start(self) -> None:
        self.log.write_text("")
        given = {name.removeprefix("POSTERIOR_").lower(): value for name, value in self.settings().items()}
        # Without the keys that other tests are given.
        unset = dict.fromkeys(("counts_keys", "receipt_key"), "")
        self.process = Process(given.pop("database_url"), log=self.log, **(unset | given))
        self.process.environment = _environment_without_empty(self.process.environment)
        if self.program != COMMAND:  # what was installed is not to find this tree
            self.process._command[0], self.process._root = str(self.program), self.operator.root
            self.process.environment = {k: v for k, v in self.process.environment.items() if k != "PYTHONPATH"}
        self.process.launch()
        self.process.wait_until_ready()
        self.operator.put_in["http://127.0.0.1:8000"] = self.process.url

    def stop(self) -> None:
        if self.process is not None:
            assert self.process.stop(signal.SIGTERM) in {0, -signal.SIGTERM}


def _environment_without_empty(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if value or not name.startswith("POSTERIOR_")}
