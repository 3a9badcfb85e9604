"""Squads and what belongs to them.

The text of a squad, as in a roster file, is the only source of its content.
"""

from __future__ import annotations

import secrets
import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q, QuerySet

from builder.web.fields import (
    BinaryField,
    BooleanField,
    CharField,
    DateTimeField,
    IntegerField,
    JSONField,
    OptionalDateTimeField,
    PositiveIntegerField,
    TextField,
    UUIDField,
)


class SavedSquad(models.Model):
    """A squad and its owner. Columns repeat parts of the text, so that lists of squads are fast."""

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = CharField(max_length=64)
    """A hash of the owner's secret."""
    pack = CharField(max_length=100)
    release = CharField(max_length=40, blank=True)
    """The release that it is pinned to. Empty if it moves with the game."""
    based = CharField(max_length=40, blank=True, default="")
    """The game's release when the squad was last written. Empty if there was none."""
    stays = CharField(max_length=40, blank=True, default="")
    """The newer release that its owner has seen and declined for now."""
    text = TextField()
    name = CharField(max_length=200, blank=True)
    notes = TextField(blank=True)
    tags = CharField(max_length=400, blank=True, default="")
    """Its owner's tags, each between commas: `,club,winter,`."""
    archived = BooleanField(default=False)
    """True if the home page lists it only in the archive."""
    bench = JSONField(default=list)
    """Models that are kept but not counted: entries of a roster, as JSON.

    They are not in the text, so that every program that reads rosters counts the same models.
    """
    place = IntegerField(default=0)
    """Its position among its owner's squads. Squads with equal positions are ordered by last
    change.
    """
    edition = PositiveIntegerField(default=0)
    """The number of changes, by which a page knows whether it is outdated."""
    created = DateTimeField(auto_now_add=True)
    changed = DateTimeField(auto_now=True)
    opened = DateTimeField(auto_now_add=True)
    leaves = OptionalDateTimeField(null=True)
    """When it is removed unless it is opened before. None for squads that were opened lately."""

    class Meta:
        db_table = "squadpress_savedsquad"
        ordering: ClassVar = ["place", "-changed"]
        indexes: ClassVar = [
            models.Index(fields=["owner", "place"], name="squad_owner")
        ]

    @property
    def tag_names(self) -> list[str]:
        """The tags of the squad."""
        return [tag for tag in self.tags.split(",") if tag]


def squads_of(owner: str) -> QuerySet[SavedSquad]:
    """Return the squads that an owner may change: own ones, and those of edit links.

    Their own, and those that an edit link opened for them.
    """
    if not owner:
        return SavedSquad.objects.none()
    shared_ids = SquadGuest.objects.filter(owner=owner).values("link__squad")
    return SavedSquad.objects.filter(Q(owner=owner) | Q(id__in=shared_ids))


class SquadStep(models.Model):
    """One change of a squad, stored for undo and redo."""

    squad: models.ForeignKey[SavedSquad, SavedSquad] = models.ForeignKey(
        SavedSquad, on_delete=models.CASCADE
    )
    number = PositiveIntegerField()
    before = TextField()
    after = TextField()
    bench_before = JSONField(null=True)
    bench_after = JSONField(null=True)
    """None if the bench stayed as it was."""
    what = JSONField()
    """The description of the change, as `builder.messages.to_json` writes it."""
    undone = BooleanField(default=False)
    request = CharField(max_length=36, blank=True, default="")
    """The id that a browser gave to the change, so that it is not made twice when it is sent twice.

    Empty for a change whose page had a network.
    """
    made = DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "squadpress_squadstep"
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["squad", "number"], name="step_number")
        ]


def new_link_code() -> str:
    """Return a random code for a link: 32 hexadecimal digits that were never used before."""
    return secrets.token_hex(16)


class SquadLink(models.Model):
    """A link that shares a squad. Its code is never used again.

    Whoever has it may view the squad, copy it or edit it. A deleted link opens nothing.
    """

    VIEW, COPY, EDIT = KINDS = ("view", "copy", "edit")

    squad: models.ForeignKey[SavedSquad, SavedSquad] = models.ForeignKey(
        SavedSquad, on_delete=models.CASCADE
    )
    kind = CharField(max_length=8)
    code = CharField(max_length=32, unique=True, default=new_link_code)
    """The random value that the address is derived from. Links from before 0.2.0 have their row
    number of then.

    A row number is used again after a backup is restored. That is why no new link gets one.
    """
    made = DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "squadpress_squadlink"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["squad", "kind"], name="squad_link")
        ]


class SquadGuest(models.Model):
    """An owner who may change a squad of somebody else, by an edit link.

    The squad is theirs to change as long as the link exists.
    """

    link: models.ForeignKey[SquadLink, SquadLink] = models.ForeignKey(
        SquadLink, on_delete=models.CASCADE
    )
    owner = CharField(max_length=64, db_index=True)

    class Meta:
        db_table = "squadpress_squadguest"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["link", "owner"], name="guest_of_link")
        ]


class SquadSeal(models.Model):
    """A sealed copy of a squad, with its key.

    The opponent's copy, the owner's key, and the names of revealed secrets.
    """

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    squad: models.ForeignKey[SavedSquad, SavedSquad] = models.ForeignKey(
        SavedSquad, on_delete=models.CASCADE
    )
    copy = JSONField()
    key = JSONField()
    opened = JSONField(default=list)
    """Names of secrets, in the order in which they were revealed."""
    made = DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "squadpress_squadseal"
        ordering: ClassVar = ["-made"]


class SquadGame(models.Model):
    """The state of a game that is played with a squad. `edition` counts its changes."""

    squad: models.OneToOneField[SavedSquad, SavedSquad] = models.OneToOneField(
        SavedSquad, on_delete=models.CASCADE
    )
    state = JSONField()
    edition = PositiveIntegerField(default=0)
    changed = DateTimeField(auto_now=True)

    class Meta:
        db_table = "squadpress_squadgame"


class ImportedFile(models.Model):
    """A list of another program that an owner uploaded."""

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = CharField(max_length=64, db_index=True)
    name = CharField(max_length=200, blank=True)
    system = CharField(max_length=200, blank=True)
    """The name of the game, as the file states it."""
    data = BinaryField()
    """The file, compressed by zlib."""
    options = JSONField(default=dict)
    """The paper and the size of the cards: see `builder.web.squads.imported_lists.ListOptions`."""
    facts = JSONField(default=dict)
    """A `builder.web.squads.list_facts.ListFacts`. Empty until its cards are rendered."""
    created = DateTimeField(auto_now_add=True)
    expires = OptionalDateTimeField(null=True, db_index=True)
    """When it is deleted. None if its owner keeps it."""

    class Meta:
        db_table = "squadpress_importedfile"
        ordering: ClassVar = ["-created"]


class PrintJob(models.Model):
    """A request to print a squad, lists of an event or an imported list, with its progress.

    The finished file is in the data folder.
    """

    QUEUED, RUNNING, DONE, FAILED = "queued", "running", "done", "failed"

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = CharField(max_length=64)
    squad: models.ForeignKey[SavedSquad | None, SavedSquad | None] = models.ForeignKey(
        SavedSquad, on_delete=models.CASCADE, null=True
    )
    event: models.ForeignKey[models.Model | None, models.Model | None] = (
        models.ForeignKey("events.Event", on_delete=models.CASCADE, null=True)
    )
    imported: models.ForeignKey[ImportedFile | None, ImportedFile | None] = (
        models.ForeignKey(ImportedFile, on_delete=models.CASCADE, null=True)
    )
    """Either `squad`, `event` or `imported` is set, or none of them for several squads."""
    text = TextField()
    """The squad. For an event, all lists as JSON: pairs of player and squad.

    For several squads, triples of name, squad and `PrintRequest`.
    """
    wish = JSONField()
    """The fields of a `builder.web.squads.print_queue.PrintRequest`."""
    state = CharField(max_length=8, default=QUEUED, db_index=True)
    done = PositiveIntegerField(default=0)
    total = PositiveIntegerField(default=0)
    """Rendered faces, and all faces of the job."""
    pages = PositiveIntegerField(default=0)
    told = JSONField(default=list)
    """Errors and remarks, as `builder.messages.to_json` writes them."""
    tries = PositiveIntegerField(default=0)
    made = DateTimeField(auto_now_add=True)
    started = OptionalDateTimeField(null=True)
    beat = OptionalDateTimeField(null=True)
    """When its worker last reported that it is alive."""

    class Meta:
        db_table = "squadpress_printjob"
        ordering: ClassVar = ["-made"]
