"""`squadpress release`: a group whose commands are imported when they run."""

import click

from builder.cli.groups import LazyGroup
from builder.messages import gettext as _


@click.group(cls=LazyGroup)
def release() -> None:
    """Create, compare, announce and publish releases of a pack."""


release.table = {
    "diff": (
        "release.diff:show_difference",
        _("Show what changed between two states."),
    ),
    "discard": ("release.discard:discard", _("Delete a draft.")),
    "faq": ("release.faq:faq", _("Write rulings as questions and answers.")),
    "impact": (
        "release.impact:show_impact",
        _("Show what a newer state does to squads."),
    ),
    "list": ("release.list_releases:list_releases", _("List all releases.")),
    "new": ("release.new:new", _("Create a release, or a draft.")),
    "notes": ("release.notes:write_notes", _("Write release notes.")),
    "publish": (
        "release.publish:publish",
        _("Write all releases as files for a web server."),
    ),
    "rebase": ("release.rebase:rebase", _("Update a draft to the latest release.")),
    "renumber": ("release.renumber:renumber", _("Give a release another version.")),
    "stickers": (
        "release.stickers:print_stickers",
        _("Print changed blocks of cards to glue over old cards."),
    ),
    "withdraw": ("release.withdraw:withdraw", _("Withdraw a release.")),
}
