"""The help of `posterior`, in a terminal of 80 columns."""

from __future__ import annotations

import re
from typing import Any, Final

import typer
from typer.testing import CliRunner

from private_posterior.commands.main import app
from service.web.operations import ANY_ROLE, ANYONE, OPERATIONS
from tests.harness.process import ROOT
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


ROLES: Final = {
    "Everyone": {"owner", "analyst", "admin"},
    "Analysts and owners": {"owner", "analyst"},
    "Analysts": {"analyst"},
    "Owners": {"owner"},
    "Owners and admins": {"owner", "admin"},
    "Admins": {"admin"},
}
"""The roles of each heading."""
OPERATION_OF: Final = {
    "enrol": "create_enrolment",
    "mechanisms": "list_mechanisms",
    "releases": "list_releases",
    "posterior": "compute_posterior",
    "compare": "compare_shares",
    "trial": "compute_posterior",
    "infer": "compute_posterior",
    "plan": "create_plan",
    "release": "create_release",
    "margins": "create_release",
    "query": "create_release",
    "statement": "get_statement",
    "verify": "export_ledger_json_lines",
    "verify-release": "get_public_key",
    "datasets create": "create_dataset",
    "datasets list": "list_datasets",
    "datasets listed": "list_listed_datasets",
    "datasets change": "change_dataset",
    "datasets show": "get_dataset",
    "datasets allowance": "get_allowance",
    "datasets delete": "delete_dataset",
    "access request": "create_access_request",
    "access requests": "list_access_requests",
    "access approve": "change_access_request",
    "access decline": "change_access_request",
    "access withdraw": "change_access_request",
    "budgets create": "create_budget",
    "budgets list": "list_budgets",
    "budgets show": "get_budget",
    "budgets change": "change_budget",
    "budgets freeze": "change_budget",
    "budgets unfreeze": "change_budget",
    "budgets transfer": "transfer_budget",
    "grants create": "create_grant",
    "grants list": "list_grants",
    "grants change": "change_grant",
    "grants close": "change_grant",
    "grants reopen": "change_grant",
    "ledger show": "list_ledger",
    "ledger export": "export_ledger_csv",
}
"""The operation whose roles decide who may use a command."""
FEWER: Final = {
    "budgets list": {"owner"},  # only owners have budgets
    "budgets change": {"owner"},  # an admin may only freeze
    "budgets unfreeze": {"owner"},
    "access approve": {"owner"},
    "access decline": {"owner"},
    "access withdraw": {"analyst"},
}
"""Commands that send one of several bodies of their operation, which fewer roles may send."""


def readers() -> dict[str, str]:
    """The heading of each command."""
    whole: Any = typer.main.get_command(app)
    found: dict[str, str] = {}
    for group in (whole, *(each for each in whole.commands.values() if hasattr(each, "commands"))):
        prefix = "" if group is whole else f"{group.name} "
        for reader, listed in group.listed().items():
            found |= {prefix + name: reader for name, each in listed.items() if not hasattr(each, "commands")}
    return found


def test_a_command_is_listed_under_the_roles_that_may_use_its_operation() -> None:
    roles = ROLES["Everyone"]
    everyone = {name for name, words in OPERATIONS.items() if words.role in {ANY_ROLE, ANYONE}}
    found = {name: ROLES[reader] for name, reader in readers().items()}
    said = {
        name: roles if operation in everyone else {role for role in roles if role in OPERATIONS[operation].role}
        for name, operation in OPERATION_OF.items()
    }
    assert found == said | FEWER
    assert {name for name, fewer in FEWER.items() if not fewer < said[name]} == set()


def test_help_lists_every_command_under_its_readers() -> None:
    listed: dict[str, str] = {}
    for path in ((), *((each,) for each in sorted({name.partition(" ")[0] for name in readers() if " " in name}))):
        shown = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "80"}).stdout
        sections = re.findall(r"^([A-Z][a-z ]+):\n((?:  .*\n)+)", shown, re.MULTILINE)
        for reader, rows in sections:
            for name in re.findall(r"^  ([a-z](?:[a-z-]| (?=[a-z]))*)  ", rows, re.MULTILINE):
                listed[" ".join((*path, name))] = reader
    groups = {name.partition(" ")[0] for name in readers() if " " in name}
    assert {name: reader for name, reader in listed.items() if name not in groups} == readers()


def test_the_page_of_the_command_line_has_the_readers_of_each_command() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z][a-z ]+) \| (`posterior .*) \|$", page, re.MULTILINE)
    assert {name: reader for reader, cell in rows for name in re.findall(r"`posterior ([a-z -]+)`", cell)} == readers()
