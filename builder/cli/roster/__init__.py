"""`squadpress roster`: a group whose commands are imported when they run."""

import click

from builder.cli.groups import LazyGroup
from builder.messages import gettext as _


@click.group(cls=LazyGroup)
def roster() -> None:
    """Judge, build, show and order squads."""


roster.table = {
    "add": ("roster.edit:add", _("Put a card into a squad.")),
    "complete": ("roster.complete:complete", _("Fill a half-built squad to legal ones.")),
    "duplicate": ("roster.edit:duplicate", _("Put another model like one that is there.")),
    "equip": ("roster.edit:equip", _("Give a card to a model.")),
    "move": ("roster.edit:move", _("Give a card from one model to another.")),
    "remove": ("roster.edit:remove", _("Take a model or a card out of a squad.")),
    "rename": ("roster.edit:rename", _("Name a squad or a model.")),
    "undo": ("roster.edit:undo", _("Take the last edit back.")),
    "choices": (
        "roster.complete:choices",
        _("What may be added to a squad, and why the rest may not."),
    ),
    "check": (
        "roster.check:check",
        _("Judge rosters: legal or not, which rule is broken, what mends it."),
    ),
    "open": ("roster.share:open_", _("Read a squad from a token.")),
    "reveal": ("roster.share:reveal", _("Prove that a sealed squad was not changed.")),
    "seal": ("roster.share:seal", _("An opponent's copy that hides what is carried, and its key.")),
    "share": (
        "roster.share:share",
        _("Hand a squad on: a token, a QR code, text, Markdown, JSON."),
    ),
    "order": ("roster.show:order", _("Print the order in which a squad goes to the table.")),
    "rules": ("roster.show:rules", _("Tell the roster rules of a pack as sentences.")),
    "verify": ("roster.check:verify", _("Repeat a verdict and say whether it is confirmed.")),
    "stats": ("roster.stats:stats", _("Points by role; expected hits and damage of each attack.")),
    "show": ("roster.show:show", _("Print a squad with its costs, slots and totals.")),
}
