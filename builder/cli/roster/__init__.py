"""`squadpress roster`: a group whose commands are imported when they run."""

import click

from builder.cli.groups import LazyGroup
from builder.messages import gettext as _


@click.group(cls=LazyGroup)
def roster() -> None:
    """Check, edit, show and print squads."""


roster.table = {
    "add": ("roster.add:add", _("Add a card to a squad.")),
    "complete": ("roster.complete:complete", _("Complete an unfinished squad.")),
    "duplicate": (
        "roster.duplicate:duplicate",
        _("Duplicate a model with its equipment."),
    ),
    "equip": ("roster.equip:equip", _("Attach a card to a model.")),
    "move": ("roster.move:move", _("Move a card from one model to another.")),
    "remove": ("roster.remove:remove", _("Remove a model or a card from a squad.")),
    "rename": ("roster.rename:rename", _("Name a squad or a model.")),
    "undo": ("roster.undo:undo", _("Undo the last edit.")),
    "choices": (
        "roster.choices:choices",
        _("List the cards that can be added, and why the others can't."),
    ),
    "check": (
        "roster.check:check",
        _("Check rosters: legal or not, which rules are broken, how to fix them."),
    ),
    "open": (
        "roster.open_squad:open_squad",
        _("Import a squad from a token or a file."),
    ),
    "reveal": (
        "roster.reveal:reveal",
        _("Verify that a sealed squad was not changed."),
    ),
    "seal": (
        "roster.seal:seal",
        _("Seal a squad: a copy for the opponent that hides equipment, and its key."),
    ),
    "share": (
        "roster.share:share",
        _("Share a squad as a token, QR code, text, Markdown or JSON."),
    ),
    "order": ("roster.order:order", _("Print the deployment order of a squad.")),
    "rules": ("roster.rules:rules", _("List the roster rules of a pack as sentences.")),
    "verify": ("roster.verify:verify", _("Repeat the check of a verdict file.")),
    "stats": (
        "roster.stats:stats",
        _("Show points by role, and expected hits and damage of each attack."),
    ),
    "show": ("roster.show:show", _("Print a squad with costs, slots and totals.")),
}
