"""Groups of commands: they say which command may have been meant, import one only when it runs, and let it speak the
language of the interface.
"""

import importlib
import inspect
from collections.abc import Mapping
from copy import copy
from typing import TypeVar

import click

from builder.cli.language import interface_language
from builder.messages import Message, gettext as _, translate
from builder.model.words import suggest_word

Helped = TypeVar("Helped", click.Command, click.Group, click.Option)


def in_language(helped: Helped, lang: str) -> Helped:
    """A copy of a command or option whose help, and that of its options, is told in a language."""
    told = copy(helped)
    told.help = translate(Message(inspect.cleandoc(helped.help or "")), lang)
    if isinstance(told, click.Command):
        told.params = [
            in_language(one, lang) if isinstance(one, click.Option) else one for one in told.params
        ]
    return told


class HelpfulGroup(click.Group):
    """A group that answers an unknown command with the nearest name."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command, its help told in the language of the interface."""
        command = super().get_command(ctx, cmd_name)
        return command and in_language(command, interface_language())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; UsageError where there is none of that name."""
        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in known:
            advice = suggest_word(args[0], known, _("Commands"))
            message = _("No such command {name!r}. {advice}", name=args[0], advice=advice)
            raise click.UsageError(translate(message, interface_language()), ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(HelpfulGroup):
    """A group whose commands are imported only when they run.

    `table`: command name -> module:object below builder.cli and its line of help, kept as text so that `--help` imports
    none of them.
    """

    table: Mapping[str, tuple[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names."""
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.table:
            return None
        module, _unused, attribute = self.table[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(f"builder.cli.{module}"), attribute)
        assert isinstance(command, click.Command)
        return in_language(command, interface_language())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, importing none."""
        lang = interface_language()
        with formatter.section(translate(_("Commands"), lang)):
            formatter.write_dl(
                [
                    (name, translate(line, lang))
                    for name, (_unused, line) in sorted(self.table.items())
                ]
            )
