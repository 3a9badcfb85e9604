"""Tags of squads, by which their owner finds them."""

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.squads.models import SavedSquad, squads_of

MAX_TAG_CHARACTERS = 30
MAX_TAGS = 10
"""Tags of a squad."""


def read_tag(text: str) -> str:
    """Normalize a typed tag. Commas become spaces, because they separate tags in the database.

    Raise UsageError if nothing remains.
    """
    tag = " ".join(text.replace(",", " ").split())[:MAX_TAG_CHARACTERS].strip()
    if not tag:
        raise UsageError(_("the tag is empty"), _("Type a tag."))
    return tag


def add_tag(squad: SavedSquad, tag: str) -> None:
    """Add a tag to a squad. Raise UsageError if it has too many."""
    tags = squad.tag_names
    if tag in tags:
        return
    if len(tags) >= MAX_TAGS:
        message = _("the squad has {most} tags", most=MAX_TAGS)
        raise UsageError(message, _("Remove a tag first."))
    _save_tags(squad, [*tags, tag])


def remove_tag(squad: SavedSquad, tag: str) -> None:
    """Remove a tag from a squad."""
    _save_tags(squad, [name for name in squad.tag_names if name != tag])


def _save_tags(squad: SavedSquad, tags: list[str]) -> None:
    # Saving the row would change the time of its last change.
    squad.tags = f",{','.join(tags)}," if tags else ""
    SavedSquad.objects.filter(id=squad.id).update(tags=squad.tags)


def list_tags(owner: str) -> list[str]:
    """Return all tags of an owner's squads, in alphabetical order."""
    tags: set[str] = set()
    for squad in squads_of(owner).exclude(tags="").only("tags"):
        tags.update(squad.tag_names)
    return sorted(tags, key=str.casefold)
