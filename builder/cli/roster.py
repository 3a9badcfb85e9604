"""`squadpress roster`: a group whose commands are imported when they run."""

from __future__ import annotations

import importlib

import click

COMMANDS = {
    "add": ("builder.cli.roster_edit:add", "Put a card into a squad."),
    "complete": ("builder.cli.roster_complete:complete", "Fill a half-built squad to legal ones."),
    "duplicate": ("builder.cli.roster_edit:duplicate", "Put another model like one that is there."),
    "equip": ("builder.cli.roster_edit:equip", "Give a card to a model."),
    "move": ("builder.cli.roster_edit:move", "Give a card from one model to another."),
    "remove": ("builder.cli.roster_edit:remove", "Take a model or a card out of a squad."),
    "rename": ("builder.cli.roster_edit:rename", "Name a squad or a model."),
    "undo": ("builder.cli.roster_edit:undo", "Take the last edit back."),
    "choices": ("builder.cli.roster_choices:choices", "What may be added to a squad, and why the rest may not."),
    "check": ("builder.cli.roster_check:check", "Judge rosters: legal or not, which rule is broken, what mends it."),
    "open": ("builder.cli.roster_share:open_", "Read a squad from a token."),
    "reveal": ("builder.cli.roster_seal:reveal", "Prove that a sealed squad was not changed."),
    "seal": ("builder.cli.roster_seal:seal", "An opponent's copy that hides what is carried, and its key."),
    "share": ("builder.cli.roster_share:share", "Hand a squad on: a token, a QR code, text, Markdown, JSON."),
    "order": ("builder.cli.roster_order:order", "Print the order in which a squad goes to the table."),
    "rules": ("builder.cli.roster_rules:rules", "Tell the roster rules of a pack as sentences."),
    "verify": ("builder.cli.roster_verify:verify", "Repeat a verdict and say whether it is confirmed."),
    "stats": ("builder.cli.roster_stats:stats", "Points by role; expected hits and damage of each attack."),
    "show": ("builder.cli.roster_show:show", "Print a squad with its costs, slots and totals."),
}
"""Command name -> module:object and its line of help."""


class LazyRosterGroup(click.Group):
    """A group that knows its commands from the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in sorted(COMMANDS.items())])


@click.group(cls=LazyRosterGroup)
def roster() -> None:
    """Judge, build, show and order squads."""
