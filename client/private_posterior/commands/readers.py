"""Lists commands in help texts under the readers who may use them."""

from __future__ import annotations

from typing import Any, Final

from typer.core import TyperGroup

_READERS: Final = ("Everyone", "Analysts and owners", "Analysts", "Owners", "Owners and admins", "Admins")


class CommandsByReader(TyperGroup):
    """Lists each command under the roles that may use it. A command of a group has the readers of the group unless it
    names its own; then the help of `posterior` lists it too.
    """

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  the signature of typer
        for reader, commands in self.listed().items():
            rows = [(name, each.get_short_help_str(formatter.width)) for name, each in commands.items()]
            if rows:
                with formatter.section(reader):
                    formatter.write_dl(rows)

    def listed(self) -> dict[str, dict[str, Any]]:
        """Return the listed commands by reader and name."""
        found: dict[str, dict[str, Any]] = {reader: {} for reader in _READERS}
        for name, command in self.commands.items():
            found[getattr(command, "rich_help_panel", None) or str(self.rich_help_panel)][name] = command
            for below, each in getattr(command, "commands", {}).items():
                if each.rich_help_panel:
                    found[each.rich_help_panel][f"{name} {below}"] = each
        return found
