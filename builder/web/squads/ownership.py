"""The squads of an owner as part of all their data, and squads that nobody opens."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from django.db.models import Q

from builder.web.accounts.owned_data import to_export_json
from builder.web.squads.models import (
    PrintJob,
    SavedSquad,
    SquadGame,
    SquadGuest,
    SquadLink,
    SquadSeal,
    SquadStep,
    squads_of,
)
from builder.web.squads.print_queue import get_job_file

MAX_UNOPENED = timedelta(days=730)
"""A squad that was not opened for longer is announced for removal."""
NOTICE_PERIOD = timedelta(days=60)
"""The time between the announcement and the removal."""


class SquadData:
    """The interface for counting, exporting and deleting an owner's squads."""

    def count(self, owner: str) -> Mapping[str, int]:
        """Return the number of squads that an owner may change."""
        return {"squads": squads_of(owner).count()}

    def merge(self, old_owner: str, new_owner: str) -> None:
        """Give the squads of one owner to another.

        A link that both opened stays with the new one.
        """
        SavedSquad.objects.filter(owner=old_owner).update(owner=new_owner)
        PrintJob.objects.filter(owner=old_owner).update(owner=new_owner)
        links_of_both = SquadGuest.objects.filter(owner=new_owner).values("link")
        guests = SquadGuest.objects.filter(owner=old_owner)
        guests.exclude(link__in=links_of_both).update(owner=new_owner)
        guests.delete()

    def export(self, owner: str) -> Iterator[tuple[str, str | bytes]]:
        """Return the files of all squads."""
        return export_squads(SavedSquad.objects.filter(owner=owner))

    def delete(self, owner: str) -> None:
        """Delete the squads of an owner, and all their prints."""
        jobs = PrintJob.objects.filter(
            Q(owner=owner) | Q(squad__owner=owner) | Q(event__owner=owner)
        )
        for job in jobs:
            get_job_file(job).unlink(missing_ok=True)
        jobs.delete()
        SquadGuest.objects.filter(owner=owner).delete()
        SavedSquad.objects.filter(owner=owner).delete()


def export_squads(squads: Iterable[SavedSquad]) -> Iterator[tuple[str, str]]:
    """Yield each squad as its text, and everything else about it as JSON."""
    for squad in squads:
        yield f"{squad.id}.yaml", squad.text
        yield f"{squad.id}.json", to_export_json(_describe_squad(squad))


def _describe_squad(squad: SavedSquad) -> Mapping[str, object]:
    """Return the data of a squad besides its text, as JSON values."""
    game = SquadGame.objects.filter(squad=squad).first()
    steps = SquadStep.objects.filter(squad=squad)
    seals = SquadSeal.objects.filter(squad=squad)
    return {
        "name": squad.name,
        "notes": squad.notes,
        "tags": squad.tag_names,
        "archived": squad.archived,
        "bench": squad.bench,
        "made": squad.created,
        "changed": squad.changed,
        "opened": squad.opened,
        "steps": list(steps.values("number", "made", "undone", "before", "after")),
        "links": list(SquadLink.objects.filter(squad=squad).values("kind", "made")),
        "seals": list(seals.values("made", "copy", "key", "opened")),
        "prints": list(
            PrintJob.objects.filter(squad=squad).values("made", "state", "wish")
        ),
        "game": game.state if game else None,
    }


def remove_unopened_squads(now: datetime) -> tuple[int, int]:
    """Delete squads that nobody has opened for long, a notice period after marking them.

    Return the numbers of announced and of removed squads.
    """
    unopened = SavedSquad.objects.filter(opened__lt=now - MAX_UNOPENED)
    announced_count = unopened.filter(leaves=None).update(leaves=now + NOTICE_PERIOD)
    due = unopened.filter(leaves__lt=now)
    removed_count = due.count()
    due.delete()
    return announced_count, removed_count
