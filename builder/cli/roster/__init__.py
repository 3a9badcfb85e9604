"""`squadpress roster`: a group whose commands are imported when they run."""

from __future__ import annotations

import click

from builder.cli.groups import LazyGroup
from builder.messages import gettext as _


@click.group(cls=LazyGroup)
def roster() -> None:
    """Judge, build, show and order squads."""


roster.table = {
    "add": ("builder.cli.roster.edit:add", _("Put a card into a squad.")),
    "complete": ("builder.cli.roster.complete:complete", _("Fill a half-built squad to legal ones.")),
    "duplicate": ("builder.cli.roster.edit:duplicate", _("Put another model like one that is there.")),
    "equip": ("builder.cli.roster.edit:equip", _("Give a card to a model.")),
    "move": ("builder.cli.roster.edit:move", _("Give a card from one model to another.")),
    "remove": ("builder.cli.roster.edit:remove", _("Take a model or a card out of a squad.")),
    "rename": ("builder.cli.roster.edit:rename", _("Name a squad or a model.")),
    "undo": ("builder.cli.roster.edit:undo", _("Take the last edit back.")),
    "choices": ("builder.cli.roster.choices:choices", _("What may be added to a squad, and why the rest may not.")),
    "check": ("builder.cli.roster.check:check", _("Judge rosters: legal or not, which rule is broken, what mends it.")),
    "open": ("builder.cli.roster.share:open_", _("Read a squad from a token.")),
    "reveal": ("builder.cli.roster.seal:reveal", _("Prove that a sealed squad was not changed.")),
    "seal": ("builder.cli.roster.seal:seal", _("An opponent's copy that hides what is carried, and its key.")),
    "share": ("builder.cli.roster.share:share", _("Hand a squad on: a token, a QR code, text, Markdown, JSON.")),
    "order": ("builder.cli.roster.show:order", _("Print the order in which a squad goes to the table.")),
    "rules": ("builder.cli.roster.show:rules", _("Tell the roster rules of a pack as sentences.")),
    "verify": ("builder.cli.roster.seal:verify", _("Repeat a verdict and say whether it is confirmed.")),
    "stats": ("builder.cli.roster.stats:stats", _("Points by role; expected hits and damage of each attack.")),
    "show": ("builder.cli.roster.show:show", _("Print a squad with its costs, slots and totals.")),
}
