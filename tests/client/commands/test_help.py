"""The help of `posterior`, in a terminal of 80 columns."""

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


def test_help_lists_every_command_under_the_readers_that_it_is_for() -> None:
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).stdout
    sections = re.findall(r"^(\w+):\n((?:  .*\n)+)", shown, re.MULTILINE)
    listed = {reader: re.findall(r"^  ([a-z-]+)  ", rows, re.MULTILINE) for reader, rows in sections}
    assert [reader for reader in listed if reader != "Options"] == ["Everyone", "Analysts", "Owners", "Audit"]
    named = [name for reader, names in listed.items() if reader != "Options" for name in names]
    assert sorted(named) == sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
