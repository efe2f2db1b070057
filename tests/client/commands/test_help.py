"""The help of `posterior` in a terminal of 80 columns."""

from __future__ import annotations

import re
from typing import Any

import typer
from typer.testing import CliRunner

from private_posterior.commands.main import app
from tests.service.cli.test_command_line import commands


def test_help_shows_names_of_options_and_sentences_of_commands_whole_at_80_columns() -> None:
    every: list[tuple[tuple[str, ...], Any]] = commands(typer.main.get_command(app))
    assert len(every) > 30
    for path, command in every:
        shown = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "80"})
        assert shown.exit_code == 0, path
        lines = shown.stdout.splitlines()[1:]
        assert max(map(len, lines)) <= 80, path
        assert not [line for line in lines if re.search(r"…|\w\.\.\.$", line) and "_…" not in line], path
        for parameter in command.params:
            if parameter.param_type_name == "option":
                names = [*parameter.opts, *parameter.secondary_opts]
                assert all(re.search(rf"(?<![\w-]){name}(?![\w-])", shown.stdout) for name in names), (
                    path,
                    names,
                )
