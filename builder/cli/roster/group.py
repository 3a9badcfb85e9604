"""`squadpress roster`: a group whose commands are imported when they run."""

from __future__ import annotations

import click

from builder.cli.groups import LazyGroup

COMMANDS = {
    "add": ("builder.cli.roster.edit:add", "Put a card into a squad."),
    "complete": ("builder.cli.roster.complete:complete", "Fill a half-built squad to legal ones."),
    "duplicate": ("builder.cli.roster.edit:duplicate", "Put another model like one that is there."),
    "equip": ("builder.cli.roster.edit:equip", "Give a card to a model."),
    "move": ("builder.cli.roster.edit:move", "Give a card from one model to another."),
    "remove": ("builder.cli.roster.edit:remove", "Take a model or a card out of a squad."),
    "rename": ("builder.cli.roster.edit:rename", "Name a squad or a model."),
    "undo": ("builder.cli.roster.edit:undo", "Take the last edit back."),
    "choices": ("builder.cli.roster.choices:choices", "What may be added to a squad, and why the rest may not."),
    "check": ("builder.cli.roster.check:check", "Judge rosters: legal or not, which rule is broken, what mends it."),
    "open": ("builder.cli.roster.share:open_", "Read a squad from a token."),
    "reveal": ("builder.cli.roster.seal:reveal", "Prove that a sealed squad was not changed."),
    "seal": ("builder.cli.roster.seal:seal", "An opponent's copy that hides what is carried, and its key."),
    "share": ("builder.cli.roster.share:share", "Hand a squad on: a token, a QR code, text, Markdown, JSON."),
    "order": ("builder.cli.roster.order:order", "Print the order in which a squad goes to the table."),
    "rules": ("builder.cli.roster.rules:rules", "Tell the roster rules of a pack as sentences."),
    "verify": ("builder.cli.roster.verify:verify", "Repeat a verdict and say whether it is confirmed."),
    "stats": ("builder.cli.roster.stats:stats", "Points by role; expected hits and damage of each attack."),
    "show": ("builder.cli.roster.show:show", "Print a squad with its costs, slots and totals."),
}
"""Command name -> module:object and its line of help."""


@click.group(cls=LazyGroup, table=COMMANDS)
def roster() -> None:
    """Judge, build, show and order squads."""
