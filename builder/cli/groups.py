"""Command groups that import commands on demand, translate help, and suggest near names."""

import importlib
import inspect
from collections.abc import Mapping
from copy import copy
from typing import TypeVar

import click

from builder.cli.language import get_interface_language
from builder.messages import Message, gettext as _, translate
from builder.model.words import suggest_word

Helped = TypeVar("Helped", click.Command, click.Group, click.Option)


def translate_help(helped: Helped, lang: str) -> Helped:
    """Return a copy of a command or option with translated help texts."""
    # Commands are module constants, and a process may speak several languages.
    translated = copy(helped)
    translated.help = translate(Message(inspect.cleandoc(helped.help or "")), lang)
    if isinstance(translated, click.Command):
        translated.params = list(translated.params)
        for index, param in enumerate(translated.params):
            if isinstance(param, click.Option):
                translated.params[index] = translate_help(param, lang)
    return translated


class HelpfulGroup(click.Group):
    """A command group that suggests the nearest name for an unknown command."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command with its help translated to the interface language."""
        command = super().get_command(ctx, cmd_name)
        return command and translate_help(command, get_interface_language())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named. Raise UsageError with a suggestion if it is unknown."""
        names = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in names:
            advice = suggest_word(args[0], names, _("Commands"))
            message = _(
                "Unknown command {name!r}. {advice}", name=args[0], advice=advice
            )
            raise click.UsageError(translate(message, get_interface_language()), ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(HelpfulGroup):
    """A group whose commands are imported only when they run.

    `table` maps the name of a command to its `module:object` in builder.cli and its line of help.
    The help is a text, so that `--help` imports no command.
    """

    table: Mapping[str, tuple[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by name. Return None if there is none of this name."""
        if cmd_name not in self.table:
            return None
        location, _help = self.table[cmd_name]
        module, _colon, attribute = location.partition(":")
        command = getattr(importlib.import_module(f"builder.cli.{module}"), attribute)
        assert isinstance(command, click.Command)
        return translate_help(command, get_interface_language())

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the list of commands for `--help` from the table, without importing them."""
        lang = get_interface_language()
        rows: list[tuple[str, str]] = []
        for name in self.list_commands(ctx):
            _location, help_line = self.table[name]
            rows.append((name, translate(help_line, lang)))
        with formatter.section(translate(_("Commands"), lang)):
            formatter.write_dl(rows)
