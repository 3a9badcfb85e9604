"""Groups of commands: they say which command may have been meant, and import one only when it runs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from builder.messages import gettext as _
from builder.model.spelling import suggestion


class HelpfulGroup(click.Group):
    """A group that answers an unknown command with the nearest name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; UsageError where there is none of that name."""
        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in known:
            advice = suggestion(args[0], known, "Commands")
            raise click.UsageError(_("No such command {name!r}. {advice}", name=args[0], advice=advice), ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(HelpfulGroup):
    """A group whose commands are imported only when they run.

    `table`: command name -> module:object and its line of help, kept as text so that `--help` imports none of them.
    """

    def __init__(self, *args: Any, table: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names."""
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.table:
            return None
        module, _unused, attribute = self.table[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_unused, line) in sorted(self.table.items())])
